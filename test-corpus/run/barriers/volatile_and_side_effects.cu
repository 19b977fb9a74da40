// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initialisers with side effects run once: counters, atomics, ++ alive across barriers; volatile locals.
#include <cstdio>

__device__ int calls;
__device__ int next(int x) {
  atomicAdd(&calls, 1);
  return x + 1;
}
struct Step {
  int at;
  __device__ int operator()() { return at += 2; }
  __device__ operator int() const { return at; }
};

__global__ void k(int* out, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  int x = t;
  const int a = x++;
  const int b = (x += 2);
  const int c = next(x);
  Step step = {t};
  const int d = step();
  const int e = step;
  volatile int f = n;
  const int g = f + t;
  int h = n++;
  const int i = atomicAdd(&out[32], 1) * 0 + t;
  s[t] = a;
  __syncthreads();
  f = f + 1;
  int j = n--;
  __syncthreads();
  const int l = s[31 - t]--;
  __syncthreads();
  out[t] = a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + l * 11 + s[t] + n;
}

__global__ void count(int* out) { *out = calls; }

int main() {
  int* out;
  cudaMallocManaged(&out, 33 * sizeof(int));
  out[32] = 0;
  k<<<1, 32>>>(out, 6);
  count<<<1, 1>>>(out + 31);
  cudaDeviceSynchronize();
  int bad = out[31] != 32 || out[32] != 32;
  for (int t = 0; t < 31; ++t)
    bad += out[t] != t + (t + 3) * 2 + (t + 4) * 3 + (t + 2) * 9 + 7 * 6 + (6 + t) * 7 + 48 + t * 9 + 70 +
                         (31 - t) * 11 + t - 1 + 6;
  printf("wrong: %d; %d %d %d\n", bad, out[0], out[31], out[32]);
  return bad != 0;
}
