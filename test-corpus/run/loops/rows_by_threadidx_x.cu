// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with loops that take threadIdx.x for a matrix's row and threadIdx.y for its column, in blocks of different
// shapes and with more threads than elements; and some that look alike, whose rows lie along neither or both.
#include <cstdio>

__global__ void product(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < M && y < N) {
    float tmp = 0.0;
    for (int i = 0; i < K; ++i)
      tmp += A[x * K + i] * B[i * N + y];
    C[x * N + y] = alpha * tmp + beta * C[x * N + y];
  }
}

template <typename T> __global__ void window(const T* in, T* out, int h, int w, int z) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= h || col >= w)
    return;
  T sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      int r = min(max(row + dy, 0), h - 1), c = min(max(col + dx, 0), w - 1);
      sum += in[(blockIdx.z * h + r) * w + c] * T(dy * 2 + dx + 4);
    }
  out[(blockIdx.z * h + row) * w + col] = sum + T(blockIdx.x * 1000 + blockIdx.y) + T(gridDim.x * 10 + gridDim.y) * z;
}

__global__ void powers(int* out, int h, int w) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < h; i += gridDim.x * blockDim.x)
    for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < w; j += gridDim.y * blockDim.y) {
      int p = 1;
      for (int k = 0; k < i % 5; ++k)
        p = p * (j + 3) + threadIdx.x * 0 + k;
      out[i * w + j] = p;
    }
}

// Along a row one is far, along a column the other.
__global__ void sumsOfBoth(const float* a, const float* b, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[x * n + k] * b[y * n + k];
    out[x * n + y] = s;
  }
}

template <class T> void show(const char* name, const T* device, int n) {
  static T host[1 << 15];
  cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0, weighted = 0;
  for (int i = 0; i < n; ++i) {
    sum += double(host[i]);
    weighted += double(host[i]) * (i % 241);
  }
  printf("%s %.0f %.0f %.0f %.0f\n", name, sum, weighted, double(host[n / 3]), double(host[n - 1]));
}

int main() {
  const int m = 75, n = 90, k = 37;
  static float a[m * n], b[m * n], c[m * n];
  for (int i = 0; i < m * n; ++i) {
    a[i] = float(i * 7 % 13 - 5);
    b[i] = float(i * 5 % 11 - 4);
    c[i] = float(i % 9);
  }
  float *A, *B, *C;
  int* P;
  cudaMalloc(&A, sizeof a);
  cudaMalloc(&B, sizeof b);
  cudaMalloc(&C, 3 * sizeof c);
  cudaMalloc(&P, sizeof c);
  cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(B, b, sizeof b, cudaMemcpyHostToDevice);
  for (const dim3 block : {dim3(16, 16), dim3(32, 8), dim3(4, 64), dim3(32, 32), dim3(64, 1), dim3(1, 33)}) {
    cudaMemcpy(C, c, sizeof c, cudaMemcpyHostToDevice);
    product<<<dim3((m + block.x - 1) / block.x, (n + block.y - 1) / block.y), block>>>(m, n, k, 2.0f, A, B, 3.0f, C);
    show("product", C, m * n);
  }
  cudaMemcpy(C, c, sizeof c, cudaMemcpyHostToDevice);
  product<<<dim3((m + 7) / 8, (n + 31) / 32), dim3(8, 32)>>>(m, n, k, 1.0f, A, B, 0.0f, C);
  show("product 8 x 32", C, m * n);
  window<float><<<dim3(3, 4, 3), dim3(32, 8)>>>(A, C, 75, 30, 2);
  show("window", C, 3 * 75 * 30);
  window<int><<<dim3(5, 2, 1), dim3(16, 16)>>>((const int*)P, P, 0, 0, 1);
  powers<<<dim3(2, 3), dim3(8, 16)>>>(P, m, n);
  show("powers", P, m * n);
  sumsOfBoth<<<dim3(4, 5), dim3(16, 16)>>>(A, B, C, 60);
  show("sums of both", C, 60 * 60);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
