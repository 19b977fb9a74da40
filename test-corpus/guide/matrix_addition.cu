// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix addition with pointers to rows: in one 2-D block, and in a grid of 16x16 blocks whose edge is ragged
// (Programming Guide, 'Thread Hierarchy').
#include <cstdio>

#define N 16
#define M 45

__global__ void MatAddBlock(float A[N][N], float B[N][N], float C[N][N]) {
  int i = threadIdx.x;
  int j = threadIdx.y;
  C[i][j] = A[i][j] + B[i][j];
}

__global__ void MatAddGrid(float A[M][M], float B[M][M], float C[M][M]) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < M && j < M)
    C[i][j] = A[i][j] + B[i][j];
}

template <int S> float (*upload(int scale))[S] {
  static float host[S][S];
  for (int i = 0; i < S; ++i)
    for (int j = 0; j < S; ++j)
      host[i][j] = float(scale * (i * S + j));
  float(*device)[S];
  cudaMalloc((void**)&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  return device;
}

template <int S> int report(const char* name, float (*device)[S], int scale) {
  static float host[S][S];
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < S; ++i)
    for (int j = 0; j < S; ++j)
      wrong += host[i][j] != float(scale * (i * S + j));
  printf("%s: corner %g wrong %d\n", name, host[S - 1][S - 1], wrong);
  return wrong;
}

int main() {
  float(*A)[N] = upload<N>(1);
  float(*B)[N] = upload<N>(2);
  float(*C)[N] = upload<N>(0);
  int numBlocks = 1;
  dim3 threadsPerBlock(N, N);
  MatAddBlock<<<numBlocks, threadsPerBlock>>>(A, B, C);
  int wrong = report<N>("block", C, 3);

  float(*D)[M] = upload<M>(4);
  float(*E)[M] = upload<M>(1);
  float(*F)[M] = upload<M>(0);
  dim3 threads(16, 16);
  dim3 blocks((M + threads.x - 1) / threads.x, (M + threads.y - 1) / threads.y);
  MatAddGrid<<<blocks, threads>>>(D, E, F);
  wrong += report<M>("grid", F, 5);
  return wrong != 0;
}
