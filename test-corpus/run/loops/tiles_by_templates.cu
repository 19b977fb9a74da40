// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel templates whose device functions load shared tiles: element by element, into a row of a
// shared array that a variable names.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int PAD = 3;

template <int TX, int TY>
__device__ void loadPlane(double (*s)[TX + 2], const double* __restrict__ u, int nx, int ny,
                          int z) {
  const int x0 = blockIdx.x * TX;
  const int y0 = blockIdx.y * TY;
  for (int t = threadIdx.y * TX + threadIdx.x; t < (TX + 2) * (TY + 2); t += TX * TY) {
    int lx = t % (TX + 2), ly = t / (TX + 2);
    int gx = min(x0 + lx, nx - 1), gy = min(y0 + ly, ny - 1);
    s[ly][lx] = __ldg(&u[((size_t)z * ny + gy) * nx + gx]);
  }
}

template <int TX, int TY>
__global__ void smooth(const double* __restrict__ u, double* __restrict__ out, int nx, int ny,
                       int nz) {
  __shared__ double s[3][TY + 2][TX + 2];
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  const int x = blockIdx.x * TX + lx, y = blockIdx.y * TY + ly;
  const bool active = x < nx - 1 && y < ny - 1;
  loadPlane<TX, TY>(s[0], u, nx, ny, 0);
  loadPlane<TX, TY>(s[1], u, nx, ny, 1);
  int lo = 0, mid = 1, hi = 2;
  for (int z = 1; z < nz - 1; z++) {
    loadPlane<TX, TY>(s[hi], u, nx, ny, z + 1);
    __syncthreads();
    if (active) {
      double(*a)[TX + 2] = s[lo];
      double(*b)[TX + 2] = s[mid];
      double(*d)[TX + 2] = s[hi];
      out[((size_t)z * ny + y) * nx + x] =
          a[ly][lx] + 2 * b[ly][lx - 1] + 4 * b[ly + 1][lx + 1] + 8 * d[ly - 1][lx];
    }
    __syncthreads();
    int tmp = lo;
    lo = mid;
    mid = hi;
    hi = tmp;
  }
}

// Parameters of the function have other names, and its variables those of the kernel's.
template <class E, int M> __device__ void loadRows(E* tile, const E* from, int rows) {
  const int N = PAD, T = 1;
  for (int e = threadIdx.x; e < M * (M + N); e += blockDim.x) {
    int row = e / (M + N), column = e % (M + N);
    tile[row * (M + N) + column] = row < rows ? from[row * (M + N) + column] + T : E(0);
  }
}

// A specialisation does something else.
template <> __device__ void loadRows<int, 5>(int* tile, const int* from, int rows) {
  for (int e = threadIdx.x; e < 5 * (5 + PAD); e += blockDim.x)
    tile[e / 8 * 8 + e % 8] = -from[e] * (e / 8 < rows);
}

template <class T, int N> __global__ void sums(const T* in, T* out, int rows) {
  __shared__ T buffer[2][N * (N + PAD)];
  int which = 1;
  loadRows<T, N>(buffer[0], in, rows);
  loadRows<T, N>(buffer[which], in + N * (N + PAD), rows);
  __syncthreads();
  T sum = 0;
  for (int i = 0; i < N * (N + PAD); ++i)
    sum += buffer[0][i] * T(i % 7 + threadIdx.x) - buffer[which][i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// What the function does with its parameter is its own; the row has been chosen before.
template <int N> __device__ void fill(int* tile, int from) {
  for (int e = threadIdx.x; e < N * 4; e += blockDim.x)
    if (e != N)
      tile[e / 4 * 4 + e % 4] = from + e;
  tile += N;
  if (threadIdx.x == 0)
    tile[0] = 7 * from;
}

template <int N> __device__ void fillOther(int (*tile)[N], int& which) {
  which ^= 1;
  for (int e = threadIdx.x; e < N * 4; e += blockDim.x)
    tile[e / N][e % N] = e + which;
}

template <int N> __global__ void filled(int* out) {
  __shared__ int tiles[2][N * 4];
  __shared__ int more[2][4][N];
  int which = 0;
  fill<N>(tiles[which], 100);
  fill<N>(tiles[1], 200);
  fillOther<N>(more[which], which);
  fillOther<N>(more[which], which);
  __syncthreads();
  int sum = which;
  for (int i = 0; i < N * 4; ++i)
    sum = sum * 3 + tiles[i & 1][i] + more[0][i / N][i % N] * 5 + more[1][i / N][i % N];
  out[threadIdx.x] = sum + threadIdx.x;
}

double* onDevice(int n) {
  double* h = (double*)malloc(n * sizeof(double));
  for (int i = 0; i < n; ++i)
    h[i] = (i * 37 + i / 11) % 64;
  double* d;
  cudaMalloc(&d, n * sizeof(double));
  cudaMemcpy(d, h, n * sizeof(double), cudaMemcpyHostToDevice);
  free(h);
  return d;
}

template <int TX, int TY> void smoothAll(int nx, int ny, int nz) {
  const int n = nx * ny * nz;
  double *u = onDevice(n), *out = onDevice(n);
  dim3 grid((nx - 2 + TX - 1) / TX, (ny - 2 + TY - 1) / TY);
  smooth<TX, TY><<<grid, dim3(TX, TY)>>>(u, out, nx, ny, nz);
  double* h = (double*)malloc(n * sizeof(double));
  cudaMemcpy(h, out, n * sizeof(double), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += h[i] * (i % 13 + 1);
  printf("%d %d: %d %d %d: %.0f\n", TX, TY, nx, ny, nz, sum);
  free(h);
  cudaFree(u);
  cudaFree(out);
}

template <class T, int N> void sumAll(int rows) {
  const int n = 2 * N * (N + PAD);
  T h[2 * N * (N + PAD)], *in, *out;
  for (int i = 0; i < n; ++i)
    h[i] = T(i * 5 % 17);
  cudaMalloc(&in, n * sizeof(T));
  cudaMalloc(&out, 64 * sizeof(T));
  cudaMemcpy(in, h, n * sizeof(T), cudaMemcpyHostToDevice);
  sums<T, N><<<2, 32>>>(in, out, rows);
  T got[64];
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  printf("%d: %.0f %.0f %.0f\n", N, double(got[0]), double(got[31]), double(got[63]));
  cudaFree(in);
  cudaFree(out);
}

int main() {
  smoothAll<32, 8>(70, 20, 9);
  smoothAll<32, 8>(34, 10, 3);
  smoothAll<32, 8>(35, 11, 4);
  smoothAll<16, 4>(40, 9, 6);
  smoothAll<8, 8>(8, 8, 8);
  sumAll<int, 5>(4);
  sumAll<int, 8>(7);
  sumAll<float, 5>(5);
  int *out, got[32];
  cudaMalloc(&out, sizeof got);
  filled<8><<<1, 32>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", got[0], got[1], got[31]);
  cudaFree(out);
}
