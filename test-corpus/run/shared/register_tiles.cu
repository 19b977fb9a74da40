// A matrix product in which each thread keeps a tile of the result in registers: arrays that a template sizes, are
// initialised and live across barriers, beside arrays that each step fills anew.
#include <cstdio>
#include <vector>

template <typename T, int Rows, int Columns, int Depth>
__global__ void product(const T* a, const T* b, T* c, int n) {
  __shared__ T left[Depth][16 * Rows];
  __shared__ T right[Depth][16 * Columns];
  T sum[Rows * Columns] = {T(0)};
  T ofLeft[Rows] = {T(0)};
  T ofRight[Columns] = {T(0)};
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  for (int k = 0; k < n; k += Depth) {
    for (int i = threadIdx.x; i < Depth * 16 * Rows; i += blockDim.x)
      left[i % Depth][i / Depth] = a[(blockIdx.y * 16 * Rows + i / Depth) * n + k + i % Depth];
    for (int i = threadIdx.x; i < Depth * 16 * Columns; i += blockDim.x)
      right[i / (16 * Columns)][i % (16 * Columns)] =
          b[(k + i / (16 * Columns)) * n + blockIdx.x * 16 * Columns + i % (16 * Columns)];
    __syncthreads();
    for (int d = 0; d < Depth; ++d) {
      for (int i = 0; i < Rows; ++i) ofLeft[i] = left[d][y * Rows + i];
      for (int j = 0; j < Columns; ++j) ofRight[j] = right[d][x * Columns + j];
      for (int i = 0; i < Rows; ++i)
        for (int j = 0; j < Columns; ++j) sum[i * Columns + j] += ofLeft[i] * ofRight[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j)
      c[(blockIdx.y * 16 * Rows + y * Rows + i) * n + blockIdx.x * 16 * Columns + x * Columns + j] = sum[i * Columns + j];
}

// Columns of a thread's tile lie 16 apart, bounds are plain numbers, and the last row is kept over barriers too.
__global__ void spread(const int* in, int* out, int steps) {
  __shared__ int row[64];
  int kept[4] = {1, 2, 3, 4};
  int now[4];
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < 4; ++i) row[threadIdx.x + 16 * i] = in[s * 64 + threadIdx.x + 16 * i];
    __syncthreads();
    for (int i = 0; i < 4; i++) {
      const int from = 63 - threadIdx.x - 16 * i;
      now[i] = row[from];
    }
    if (s % 2)
      for (int i = 0; i < 3; ++i) now[i] += now[i + 1];
    __syncthreads();
    for (int i = 0; i < 4; ++i) kept[i] = kept[i] * 3 + now[i];
  }
  for (int i = 0; i < 4; ++i) out[threadIdx.x + 16 * i] = kept[i] - now[3 - i];
}

template <typename T, int Rows, int Columns, int Depth> void multiply(const char* name) {
  const int n = 128;
  std::vector<T> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = T(i % 7 - 3), b[i] = T(i % 5 - 2);
  T *da, *db, *dc;
  cudaMalloc(&da, n * n * sizeof(T));
  cudaMalloc(&db, n * n * sizeof(T));
  cudaMalloc(&dc, n * n * sizeof(T));
  cudaMemcpy(da, a.data(), n * n * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * n * sizeof(T), cudaMemcpyHostToDevice);
  product<T, Rows, Columns, Depth><<<dim3(n / 16 / Columns, n / 16 / Rows), 256>>>(da, db, dc, n);
  cudaMemcpy(c.data(), dc, n * n * sizeof(T), cudaMemcpyDeviceToHost);
  int wrong = 0;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      T expected = 0;
      for (int k = 0; k < n; ++k) expected += a[i * n + k] * b[k * n + j];
      wrong += c[i * n + j] != expected;
      sum += double(c[i * n + j]) * (1 + (i * n + j) % 17);
    }
  printf("%s %dx%dx%d: %d wrong, sum %.1f\n", name, Rows, Columns, Depth, wrong, sum);
  cudaFree(da), cudaFree(db), cudaFree(dc);
}

int main() {
  multiply<float, 4, 8, 8>("float");
  multiply<float, 8, 8, 8>("float");
  multiply<double, 2, 4, 16>("double");
  multiply<int, 1, 2, 4>("int");
  const int steps = 5;
  int host[64 * steps], result[64], *in, *out;
  for (int i = 0; i < 64 * steps; ++i) host[i] = i * i % 101;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof result);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  spread<<<1, 16>>>(in, out, steps);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) printf("%d%c", result[i], i % 16 == 15 ? '\n' : ' ');
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
