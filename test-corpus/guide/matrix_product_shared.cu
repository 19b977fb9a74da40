// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix product with shared memory: sub-matrices by stride, GetElement, SetElement, GetSubMatrix ('Shared Memory').
#include <cstdio>
#include <cstdlib>

typedef struct {
  int width;
  int height;
  int stride;
  float* elements;
} Matrix;

#define BLOCK_SIZE 16

__device__ float GetElement(const Matrix A, int row, int col) {
  return A.elements[row * A.stride + col];
}

__device__ void SetElement(Matrix A, int row, int col, float value) {
  A.elements[row * A.stride + col] = value;
}

__device__ Matrix GetSubMatrix(Matrix A, int row, int col) {
  Matrix Asub;
  Asub.width = BLOCK_SIZE;
  Asub.height = BLOCK_SIZE;
  Asub.stride = A.stride;
  Asub.elements = &A.elements[A.stride * BLOCK_SIZE * row + BLOCK_SIZE * col];
  return Asub;
}

__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C) {
  int blockRow = blockIdx.y;
  int blockCol = blockIdx.x;
  Matrix Csub = GetSubMatrix(C, blockRow, blockCol);
  float Cvalue = 0;
  int row = threadIdx.y;
  int col = threadIdx.x;
  for (int m = 0; m < (A.width / BLOCK_SIZE); ++m) {
    Matrix Asub = GetSubMatrix(A, blockRow, m);
    Matrix Bsub = GetSubMatrix(B, m, blockCol);
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    As[row][col] = GetElement(Asub, row, col);
    Bs[row][col] = GetElement(Bsub, row, col);
    __syncthreads();
    for (int e = 0; e < BLOCK_SIZE; ++e)
      Cvalue += As[row][e] * Bs[e][col];
    __syncthreads();
  }
  SetElement(Csub, row, col, Cvalue);
}

Matrix toDevice(const Matrix& host) {
  Matrix m = host;
  size_t size = m.width * m.height * sizeof(float);
  cudaMalloc(&m.elements, size);
  cudaMemcpy(m.elements, host.elements, size, cudaMemcpyHostToDevice);
  return m;
}

int main() {
  Matrix A{64, 32, 64, nullptr}, B{48, 64, 48, nullptr}, C{48, 32, 48, nullptr};
  for (Matrix* m : {&A, &B, &C}) {
    m->elements = (float*)malloc(m->width * m->height * sizeof(float));
    for (int i = 0; i < m->width * m->height; ++i)
      m->elements[i] = float((i * 5 + m->height) % 13 - 6);
  }
  Matrix d_A = toDevice(A), d_B = toDevice(B), d_C = toDevice(C);
  dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
  dim3 dimGrid(B.width / dimBlock.x, A.height / dimBlock.y);
  MatMulKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
  cudaMemcpy(C.elements, d_C.elements, C.width * C.height * sizeof(float), cudaMemcpyDeviceToHost);
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
