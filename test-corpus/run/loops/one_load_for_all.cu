// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all threads read from one place is read once for them, but never in front of a thread's own
// store to it, nor where a condition keeps threads from reading at all.
#include <cstdio>
#include <cuda_runtime.h>

#define SIZE 40

// The factors of a step, a row at a time.
__global__ void eliminate(float* matrix) {
  __shared__ float a[SIZE][SIZE];
  const int t = threadIdx.x;
  for (int row = 0; row < SIZE; ++row)
    a[row][t] = matrix[row * SIZE + t];
  __syncthreads();
  for (int k = 0; k < SIZE - 1; ++k) {
    if (t > k)
      a[t][k] /= a[k][k];
    __syncthreads();
    if (t > k)
      for (int row = k + 1; row < SIZE; ++row)
        a[row][t] -= a[row][k] * a[k][t];
    __syncthreads();
  }
  for (int row = 0; row < SIZE; ++row)
    matrix[row * SIZE + t] = a[row][t];
}

// One thread alone may write what it reads again.
__global__ void ownStores(int* counts, int* out, int rounds) {
  __shared__ int steps[SIZE];
  steps[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 3)
    for (int r = 0; r < rounds; ++r) {
      counts[0] += r;
      out[r + threadIdx.x] = counts[0] + steps[r % 4];
      counts[0] ^= 5;
      out[r + threadIdx.x] += counts[0];
    }
}

// No thread reads scale[r] where there is none.
__global__ void guarded(const int* scale, const int* in, int* out, int rounds, int known) {
  const int t = threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    int value = in[t] + r;
    if (r < known)
      value *= scale[r];
    out[r * SIZE + t] = r < known && scale[r] > 2 ? value : -value;
  }
}

__global__ void afterReturns(const int* scale, int* out, int rounds, int n) {
  const int t = threadIdx.x;
  if (t >= n)
    return;
  for (int r = 0; r < rounds; ++r)
    out[r * SIZE + t] = out[r * SIZE + t] * scale[r] + t;
}

static void print(const char* what, const int* values, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += static_cast<long long>(values[i]) * (i % 11 + 1);
  printf("%s: %lld, %d %d\n", what, sum, values[1], values[n - 1]);
}

int main() {
  const int n = SIZE * SIZE;
  float* matrix;
  int *in, *out, *counts;
  cudaMallocManaged(&matrix, n * sizeof(float));
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&counts, sizeof(int));
  for (int i = 0; i < n; ++i) {
    matrix[i] = (i * 37 % 101) / 64.0f + (i % (SIZE + 1) == 0 ? 64.0f : 0.0f);
    in[i] = i * 7 % 31;
    out[i] = i % 3;
  }
  *counts = 2;
  eliminate<<<1, SIZE>>>(matrix);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += matrix[i] * (i % 5 + 1);
  printf("eliminated: %.2f\n", sum);
  ownStores<<<1, SIZE>>>(counts, out, 20);
  cudaDeviceSynchronize();
  print("own stores", out, 30);
  guarded<<<1, SIZE>>>(in, in, out, 30, 9);
  cudaDeviceSynchronize();
  print("guarded", out, 30 * SIZE);
  guarded<<<1, SIZE>>>(nullptr, in, out, 10, 0);
  cudaDeviceSynchronize();
  print("nothing to read", out, 10 * SIZE);
  afterReturns<<<1, SIZE>>>(in, out, 12, 33);
  cudaDeviceSynchronize();
  print("after returns", out, 12 * SIZE);
  afterReturns<<<1, SIZE>>>(nullptr, out, 12, 0);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
