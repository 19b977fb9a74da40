// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block adds two vectors, one element a thread (Programming Guide, 'Kernels').
#include <cstdio>

__global__ void VecAdd(float* A, float* B, float* C) {
  int i = threadIdx.x;
  C[i] = A[i] + B[i];
}

int main() {
  const int N = 200;
  float hA[N], hB[N], hC[N];
  for (int i = 0; i < N; ++i) {
    hA[i] = i * 0.5f;
    hB[i] = 1000.0f - i;
  }
  float *A, *B, *C;
  cudaMalloc(&A, sizeof hA);
  cudaMalloc(&B, sizeof hB);
  cudaMalloc(&C, sizeof hC);
  cudaMemcpy(A, hA, sizeof hA, cudaMemcpyHostToDevice);
  cudaMemcpy(B, hB, sizeof hB, cudaMemcpyHostToDevice);
  VecAdd<<<1, N>>>(A, B, C);
  cudaMemcpy(hC, C, sizeof hC, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; ++i)
    wrong += hC[i] != hA[i] + hB[i];
  printf("first %g last %g wrong %d\n", hC[0], hC[N - 1], wrong);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  return wrong != 0;
}
