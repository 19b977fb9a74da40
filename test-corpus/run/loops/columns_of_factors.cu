// Loops over elements that read a column of a matrix in shared memory along a row of threads keep
// their values: factorisations that store behind the column, and loops that store to it, read it
// through other arrays, or whose rows are long, short or odd.
#include <cmath>
#include <cstdio>

template <class T, int N, int BX, int BY> __global__ void cholesky(const T* in, T* out) {
  __shared__ T s[N][N + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int tid = ty * BX + tx;
  const T* a = in + blockIdx.x * N * N;
  for (int r = ty; r < N; r += BY)
    for (int c = tx; c < N; c += BX)
      s[r][c] = a[r * N + c];
  __syncthreads();
  for (int k = 0; k < N; ++k) {
    if (tid == 0)
      s[k][k] = sqrt(s[k][k]);
    __syncthreads();
    for (int r = k + 1 + tid; r < N; r += BX * BY)
      s[r][k] /= s[k][k];
    __syncthreads();
    for (int r = k + 1 + ty; r < N; r += BY)
      for (int c = k + 1 + tx; c <= r; c += BX)
        s[r][c] -= s[r][k] * s[c][k];
    __syncthreads();
  }
  for (int r = ty; r < N; r += BY)
    for (int c = tx; c < N; c += BX)
      out[blockIdx.x * N * N + r * N + c] = c <= r ? s[r][c] : T(0);
}

// By warps and lanes; the whole square, two columns of it, of integers.
__global__ void byWarps(const int* in, int* out) {
  __shared__ int m[40][40];
  __shared__ int other[40][40];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < 1600; i += 128) {
    m[i / 40][i % 40] = in[i];
    other[i / 40][i % 40] = in[1599 - i];
  }
  __syncthreads();
  for (int k = 0; k < 39; ++k) {
    for (int r = k + 1 + warp; r < 40; r += 4) {
      const int f = m[r][k];
      for (int c = lane + k + 1; c < 40; c += 32)
        m[r][c] = m[r][c] * 3 + f * m[c][k] - other[c][k] + other[c][0] * m[c][k];
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < 1600; i += 128)
    out[i] = m[i / 40][i % 40];
}

// Stores to the column itself: one thread reads what it has just stored, row after row.
__global__ void intoTheColumn(const int* in, int* out) {
  __shared__ int m[24][24];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int r = ty; r < 24; r += 8)
    for (int c = tx; c < 24; c += 8)
      m[r][c] = in[r * 24 + c];
  __syncthreads();
  // Columns from k on: m[c][k] is stored by those who come to row c, column k.
  for (int k = 20; k < 24; ++k) {
    if (ty == 0)
      for (int r = tx; r < 24; r += 8)
        for (int c = k; c < 24; c += 8)
          m[r][c] += m[r][0] * 2;
    __syncthreads();
    for (int r = ty; r < 1; r += 8)
      for (int c = k + tx; c < 24; c += 8)
        m[r][c] += 5 * m[c][k];
    __syncthreads();
  }
  for (int r = ty; r < 24; r += 8)
    for (int c = tx; c < 24; c += 8)
      out[r * 24 + c] = m[r][c];
}

// A row of threads is shorter than a vector, and bytes are many to a vector.
template <class T> __global__ void narrow(const int* in, int* out, int n) {
  __shared__ T m[70][70];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int r = ty; r < n; r += blockDim.y)
    for (int c = tx; c < n; c += blockDim.x)
      m[r][c] = T(in[(r * n + c) % 1600]);
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    for (int r = k + 1 + ty; r < n; r += blockDim.y)
      for (int c = k + 1 + tx; c < n; c += blockDim.x)
        m[r][c] = T(m[r][c] + m[r][k] * m[c][k] + m[k][c]);
    __syncthreads();
  }
  for (int r = ty; r < n; r += blockDim.y)
    for (int c = tx; c < n; c += blockDim.x)
      out[r * n + c] = int(m[r][c]);
}

// Elements of a structure, and a solution beside the matrix.
struct Pair {
  float a, b;
};
__global__ void pairs(const int* in, float* out) {
  __shared__ Pair m[16][17];
  __shared__ float x[16][4];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int r = ty; r < 16; r += 4)
    for (int c = tx; c < 16; c += 16)
      m[r][c] = {float(in[r * 16 + c] % 7), float(in[r * 16 + c] % 5)};
  if (ty == 0)
    for (int i = 0; i < 4; ++i)
      x[tx][i] = float(tx + i);
  __syncthreads();
  for (int k = 0; k < 15; ++k) {
    for (int r = k + 1 + ty; r < 16; r += 4)
      for (int c = k + 1 + tx; c < 16; c += 16)
        m[r][c].a += m[r][k].a * 0.25f - m[c][k].b * 0.5f + x[c][1];
    __syncthreads();
  }
  out[ty * 16 + tx] = m[ty * 4][tx].a + m[ty * 4 + 3][tx].a;
}

template <class T> void print(const char* name, const T* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += double(values[i]) * (1 + i % 7);
  printf("%s %.2f last %.2f\n", name, sum, double(values[count - 1]));
}

template <class T, int N, int BX, int BY> void factor() {
  T *in, *out;
  cudaMallocManaged(&in, 3 * N * N * sizeof(T));
  cudaMallocManaged(&out, 3 * N * N * sizeof(T));
  for (int b = 0; b < 3; ++b)
    for (int r = 0; r < N; ++r)
      for (int c = 0; c <= r; ++c)
        in[b * N * N + r * N + c] = in[b * N * N + c * N + r] =
            r == c ? T(N + b) : T((r * 5 + c * 3 + b) % 8) / 8;
  cholesky<T, N, BX, BY><<<3, dim3(BX, BY)>>>(in, out);
  cudaDeviceSynchronize();
  print("cholesky", out, 3 * N * N);
  cudaFree(in);
  cudaFree(out);
}

int main() {
  factor<double, 32, 16, 8>();
  factor<double, 17, 8, 8>();
  factor<double, 48, 32, 4>();
  factor<float, 24, 16, 16>();
  factor<float, 40, 4, 4>();
  int *in, *out;
  float* floats;
  cudaMallocManaged(&in, 1600 * sizeof(int));
  cudaMallocManaged(&out, 4900 * sizeof(int));
  cudaMallocManaged(&floats, 64 * sizeof(float));
  for (int i = 0; i < 1600; ++i)
    in[i] = i * 7 % 11 - 3;
  byWarps<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  print("by warps", out, 1600);
  intoTheColumn<<<1, dim3(8, 8)>>>(in, out);
  cudaDeviceSynchronize();
  print("into the column", out, 576);
  for (const int n : {70, 33, 5}) {
    narrow<unsigned char><<<1, dim3(16, 8)>>>(in, out, n);
    cudaDeviceSynchronize();
    print("bytes", out, n * n);
    narrow<short><<<1, dim3(32, 4)>>>(in, out, n);
    cudaDeviceSynchronize();
    print("shorts", out, n * n);
    narrow<int><<<1, dim3(8, 8)>>>(in, out, n);
    cudaDeviceSynchronize();
    print("ints", out, n * n);
  }
  pairs<<<1, dim3(16, 4)>>>(in, floats);
  cudaDeviceSynchronize();
  print("pairs", floats, 64);
  return 0;
}
