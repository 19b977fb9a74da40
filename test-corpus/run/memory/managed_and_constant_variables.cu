// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __managed__ variables read and written by both sides, __constant__ structs, __device__ arrays with initialisers.
#include <cstdio>

__managed__ int counter = 5;
__device__ __managed__ float table[4] = {1, 2, 3, 4};
struct Settings {
  int width;
  float gain[3];
};
__constant__ Settings settings = {7, {0.5f, 1.5f, 2.5f}};
__device__ const int primes[] = {2, 3, 5, 7, 11};
static __device__ unsigned long long total;
__device__ int2 corner = {3, 4};

__global__ void k() {
  int t = threadIdx.x;
  atomicAdd(&counter, primes[t % 5] * settings.width);
  if (t < 4 && blockIdx.x == 0)
    table[t] *= settings.gain[t % 3];
  atomicAdd(&total, (unsigned long long)(corner.x + corner.y * t));
}

int main() {
  counter += 100;
  k<<<1, 10>>>();
  cudaDeviceSynchronize();
  printf("%d %g %g %g %g\n", counter, table[0], table[1], table[2], table[3]);
  Settings s = {1, {1, 1, 10}};
  cudaMemcpyToSymbol(settings, &s, sizeof s);
  int x = 1000;
  cudaMemcpyToSymbol(corner, &x, sizeof x, sizeof(int));
  k<<<2, 10>>>();
  unsigned long long sum = 0;
  cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  cudaDeviceSynchronize();
  printf("%d %g %g %llu\n", counter, table[2], table[3], sum);
  int back = 0;
  cudaMemcpyFromSymbol(&back, primes, sizeof(int), 3 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", back);
  return 0;
}
