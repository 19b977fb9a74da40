// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products whose threads load tiles in loops of few wide steps, at the quotient and the remainder of their place.
#include <cstdio>

template <int BM, int BN, int BK, int TM, int TN>
__global__ void product(int m, int n, int depth, const float* a, const float* b, float* c) {
  const int threads = BM * BN / (TM * TN);
  const int column = threadIdx.x % (BN / TN);
  const int row = threadIdx.x / (BN / TN);
  __shared__ float as[BM * BK];
  __shared__ float bs[BK * BN];
  a += blockIdx.y * BM * depth;
  b += blockIdx.x * BN;
  c += blockIdx.y * BM * n + blockIdx.x * BN;
  const int rowA = threadIdx.x / BK, columnA = threadIdx.x % BK;
  const int rowB = threadIdx.x / BN, columnB = threadIdx.x % BN;
  const int strideA = threads / BK, strideB = threads / BN;
  float sums[TM * TN] = {0.0f};
  float left[TM] = {0.0f}, right[TN] = {0.0f};
  for (int k = 0; k < depth; k += BK) {
    for (int off = 0; off < BM; off += strideA)
      as[(rowA + off) * BK + columnA] = a[(rowA + off) * depth + columnA];
    for (int off = 0; off < BK; off += strideB)
      bs[(rowB + off) * BN + columnB] = b[(rowB + off) * n + columnB];
    __syncthreads();
    a += BK;
    b += BK * n;
    for (int d = 0; d < BK; ++d) {
      for (int i = 0; i < TM; ++i)
        left[i] = as[(row * TM + i) * BK + d];
      for (int j = 0; j < TN; ++j)
        right[j] = bs[d * BN + column * TN + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          sums[i * TN + j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      c[(row * TM + i) * n + column * TN + j] = sums[i * TN + j];
}

// The tile is written by rows and read by columns, in loops of as few steps.
__global__ void turned(const int* in, int* out, int n) {
  __shared__ int tile[16][17];
  const int row = threadIdx.x / 16, column = threadIdx.x % 16;
  for (int k = 0; k < n; k += 16) {
    for (int y = 0; y < 16; y += 4)
      tile[row + y][column] = in[(row + y) * n + k + column];
    __syncthreads();
    for (int y = 0; y < 16; y += 4)
      out[(k + row + y) * 16 + column] = tile[column][row + y];
    __syncthreads();
  }
}

template <int BM, int BN, int BK, int TM, int TN> void run(int m, int n, int depth) {
  float *a, *b, *c;
  cudaMallocManaged(&a, m * depth * sizeof(float));
  cudaMallocManaged(&b, depth * n * sizeof(float));
  cudaMallocManaged(&c, m * n * sizeof(float));
  for (int i = 0; i < m * depth; ++i)
    a[i] = float(i * 7 % 13);
  for (int i = 0; i < depth * n; ++i)
    b[i] = float(i * 5 % 11);
  product<BM, BN, BK, TM, TN><<<dim3(n / BN, m / BM), BM * BN / (TM * TN)>>>(m, n, depth, a, b, c);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < m * n; ++i)
    sum += c[i] * (i % 17);
  printf("%d x %d: %.0f, %.0f %.0f\n", BM, BN, sum, double(c[1]), double(c[m * n - 1]));
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}

int main() {
  run<64, 64, 8, 4, 4>(128, 64, 32);
  run<32, 64, 16, 4, 2>(64, 128, 48);
  run<32, 32, 8, 2, 2>(32, 64, 16);
  const int n = 64;
  int *in, *out;
  cudaMallocManaged(&in, 16 * n * sizeof(int));
  cudaMallocManaged(&out, 16 * n * sizeof(int));
  for (int i = 0; i < 16 * n; ++i)
    in[i] = i * i % 1009;
  turned<<<1, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  unsigned sum = 0;
  for (int i = 0; i < 16 * n; ++i)
    sum = sum * 31u + unsigned(out[i]);
  printf("%u\n", sum);
  return 0;
}
