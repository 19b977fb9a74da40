// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector addition with device memory for sizes that are not multiples of the block (Programming Guide, 'Device Memory').
#include <cstdio>
#include <cstdlib>

__global__ void VecAdd(float* A, float* B, float* C, int N) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < N)
    C[i] = A[i] + B[i];
}

int run(int N) {
  size_t size = N * sizeof(float);
  float* h_A = (float*)malloc(size);
  float* h_B = (float*)malloc(size);
  float* h_C = (float*)malloc(size);
  for (int i = 0; i < N; ++i) {
    h_A[i] = float(i % 1000);
    h_B[i] = float(7 * (i % 333));
  }
  float* d_A;
  cudaMalloc(&d_A, size);
  float* d_B;
  cudaMalloc(&d_B, size);
  float* d_C;
  cudaMalloc(&d_C, size);
  cudaMemcpy(d_A, h_A, size, cudaMemcpyHostToDevice);
  cudaMemcpy(d_B, h_B, size, cudaMemcpyHostToDevice);
  int threadsPerBlock = 256;
  int blocksPerGrid = (N + threadsPerBlock - 1) / threadsPerBlock;
  VecAdd<<<blocksPerGrid, threadsPerBlock>>>(d_A, d_B, d_C, N);
  cudaMemcpy(h_C, d_C, size, cudaMemcpyDeviceToHost);
  long sum = 0;
  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    sum += long(h_C[i]);
    wrong += h_C[i] != h_A[i] + h_B[i];
  }
  printf("N %d sum %ld wrong %d\n", N, sum, wrong);
  cudaFree(d_A);
  cudaFree(d_B);
  cudaFree(d_C);
  free(h_A);
  free(h_B);
  free(h_C);
  return wrong;
}

int main() {
  int wrong = 0;
  for (int n : {1, 255, 256, 257, 50000, 1000003})
    wrong += run(n);
  return wrong != 0;
}
