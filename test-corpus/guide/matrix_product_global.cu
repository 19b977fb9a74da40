// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix product without shared memory: each thread reads a row of A and a column of B ('Shared Memory').
#include <cstdio>
#include <cstdlib>

typedef struct {
  int width;
  int height;
  float* elements;
} Matrix;

#define BLOCK_SIZE 16

__global__ void MatMulKernel(const Matrix, const Matrix, Matrix);

void MatMul(const Matrix A, const Matrix B, Matrix C) {
  Matrix d_A;
  d_A.width = A.width;
  d_A.height = A.height;
  size_t size = A.width * A.height * sizeof(float);
  cudaMalloc(&d_A.elements, size);
  cudaMemcpy(d_A.elements, A.elements, size, cudaMemcpyHostToDevice);
  Matrix d_B;
  d_B.width = B.width;
  d_B.height = B.height;
  size = B.width * B.height * sizeof(float);
  cudaMalloc(&d_B.elements, size);
  cudaMemcpy(d_B.elements, B.elements, size, cudaMemcpyHostToDevice);
  Matrix d_C;
  d_C.width = C.width;
  d_C.height = C.height;
  size = C.width * C.height * sizeof(float);
  cudaMalloc(&d_C.elements, size);

  dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
  dim3 dimGrid(B.width / dimBlock.x, A.height / dimBlock.y);
  MatMulKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
  cudaMemcpy(C.elements, d_C.elements, size, cudaMemcpyDeviceToHost);
  cudaFree(d_A.elements);
  cudaFree(d_B.elements);
  cudaFree(d_C.elements);
}

// The kernel is defined after its launch, and its first declaration has no parameter names.
__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C) {
  float Cvalue = 0;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  for (int e = 0; e < A.width; ++e)
    Cvalue += A.elements[row * A.width + e] * B.elements[e * B.width + col];
  C.elements[row * C.width + col] = Cvalue;
}

int main() {
  Matrix A{48, 64, nullptr}, B{80, 48, nullptr}, C{80, 64, nullptr};
  for (Matrix* m : {&A, &B, &C}) {
    m->elements = (float*)malloc(m->width * m->height * sizeof(float));
    for (int i = 0; i < m->width * m->height; ++i)
      m->elements[i] = float((i * 7 + m->width) % 11 - 5);
  }
  MatMul(A, B, C);
  int wrong = 0;
  long sum = 0;
  for (int r = 0; r < C.height; ++r)
    for (int c = 0; c < C.width; ++c) {
      float want = 0;
      for (int e = 0; e < A.width; ++e)
        want += A.elements[r * A.width + e] * B.elements[e * B.width + c];
      wrong += want != C.elements[r * C.width + c];
      sum += long(want) * (r + 2 * c);
    }
  printf("sum %ld wrong %d\n", sum, wrong);
  return wrong != 0;
}
