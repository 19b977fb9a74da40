// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread computes a few items, keeps them in its own array through a barrier and stores them
// behind it: step by step for all threads, since in each step a range of them has an item.
#include <cstdio>

#include <cuda_runtime.h>

#define THREADS 64
#define STEPS 150
#define EACH ((STEPS + THREADS) / THREADS)

// The array is declared in the loop around.
__global__ void tree(const int* in, int* out) {
  __shared__ int value[STEPS + 1];
  for (int j = threadIdx.x; j <= STEPS; j += THREADS)
    value[j] = in[j] + blockIdx.x;
  __syncthreads();
  for (int i = STEPS - 1; i >= 0; i--) {
    int next[EACH];
#pragma unroll
    for (int q = 0; q < EACH; q++) {
      const int j = threadIdx.x + q * THREADS;
      if (j <= i)
        next[q] = max(value[j + 1] ^ value[j], value[j] - i);
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < EACH; q++) {
      const int j = threadIdx.x + q * THREADS;
      if (j <= i)
        value[j] = next[q];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = value[0];
}

// What a step leaves alone keeps the value of the round before.
__global__ void keeps(const int* in, int* out, int rounds, int n) {
  __shared__ int value[EACH * THREADS];
  int own[EACH];
  for (int q = 0; q < EACH; q++) {
    own[q] = 1000 * q;
    value[q * THREADS + threadIdx.x] = in[(q * THREADS + threadIdx.x) % STEPS];
  }
  __syncthreads();
  for (int r = 0; r < rounds; r++) {
    for (int q = 0; q < EACH; q++) {
      const int j = threadIdx.x + q * THREADS;
      if (j < n - 3 * r)
        own[q] = value[(j * 5 + r) % (EACH * THREADS)] + own[q] % 7;
    }
    __syncthreads();
    for (int q = 0; q < EACH; q++) {
      const int j = threadIdx.x + q * THREADS;
      if (j < n)
        value[j] = own[q];
    }
    __syncthreads();
  }
  for (int q = 0; q < EACH; q++)
    out[(blockIdx.x * EACH + q) * THREADS + threadIdx.x] =
        value[q * THREADS + threadIdx.x] + own[q];
}

// A sum goes on from step to step, and an item asks for the one before.
__global__ void chained(const int* in, int* out, int n) {
  __shared__ int value[EACH * THREADS];
  int own[EACH], sum = 0;
  for (int q = 0; q < EACH; q++) {
    const int j = threadIdx.x + q * THREADS;
    own[q] = 0;
    if (j < n) {
      sum += in[j];
      own[q] = sum + (q > 0 ? own[q - 1] : 0);
    }
  }
  __syncthreads();
  for (int q = 0; q < EACH; q++) {
    const int j = threadIdx.x + q * THREADS;
    value[j] = 0;
    if (j < n)
      value[j] = own[q];
  }
  __syncthreads();
  for (int q = 0; q < EACH; q++)
    out[(blockIdx.x * EACH + q) * THREADS + threadIdx.x] =
        value[(q * THREADS + threadIdx.x + 1) % (EACH * THREADS)];
}

static void sumUp(const char* name, const int* values, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += long(values[i]) * (1 + i % 13);
  printf("%s %ld\n", name, sum);
}

int main() {
  int *in, *out;
  const int count = 2 * EACH * THREADS;
  cudaMallocManaged(&in, (STEPS + 1) * sizeof *in);
  cudaMallocManaged(&out, count * sizeof *out);
  for (int i = 0; i <= STEPS; ++i)
    in[i] = i * 37 % 113;
  tree<<<2, THREADS>>>(in, out);
  cudaDeviceSynchronize();
  printf("tree %d %d\n", out[0], out[1]);
  for (const int n : {0, 1, 63, 64, 65, 149, 150}) {
    keeps<<<2, THREADS>>>(in, out, 9, n);
    cudaDeviceSynchronize();
    sumUp("keeps", out, count);
    chained<<<2, THREADS>>>(in, out, n);
    cudaDeviceSynchronize();
    sumUp("chained", out, count);
  }
}
