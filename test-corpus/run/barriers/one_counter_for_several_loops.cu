// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One variable counts loops with barriers and loops without, as old C does.
#include <cstdio>

__global__ void factor(float* m) {
  __shared__ float s[16][16];
  int i, j;
  for (i = 0; i < 16; i++)
    s[i][threadIdx.x] = m[i * 16 + threadIdx.x];
  __syncthreads();
  for (i = 0; i < 15; i++) {
    if (threadIdx.x > i) {
      for (j = 0; j < i; j++)
        s[threadIdx.x][i] -= s[threadIdx.x][j] * s[j][i];
      s[threadIdx.x][i] /= s[i][i];
    }
    __syncthreads();
    if (threadIdx.x > i)
      for (j = 0; j < i + 1; j++)
        s[i + 1][threadIdx.x] -= s[i + 1][j] * s[j][threadIdx.x];
    __syncthreads();
  }
  for (i = 0; i < 16; i++)
    m[i * 16 + threadIdx.x] = s[i][threadIdx.x];
}

int main() {
  float *m, a[16][16];
  cudaMallocManaged(&m, 256 * sizeof(float));
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      m[i * 16 + j] = a[i][j] = i == j ? 32 : float((i * 7 + j * 3) % 5);
  factor<<<1, 16>>>(m);
  cudaDeviceSynchronize();
  double worst = 0;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      double sum = 0;
      for (int k = 0; k <= (i < j ? i : j); ++k)
        sum += (k == i ? 1.0 : m[i * 16 + k]) * m[k * 16 + j];
      const double error = sum - a[i][j];
      worst = error * error > worst * worst ? error : worst;
    }
  printf("%s\n", worst * worst < 1e-8 ? "right" : "wrong");
  return 0;
}
