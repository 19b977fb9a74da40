// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas inside kernels: by-reference captures, built-ins, a barrier in a lambda, recursion through a template, generic lambdas.
#include <cstdio>

template <class F> __device__ void twice(F&& f) {
  f(0);
  f(1);
}

__global__ void k(int* out) {
  __shared__ int s[40];
  int mine = threadIdx.x;
  auto publish = [&](int v) {
    s[threadIdx.x] = v;
    __syncthreads();
    int got = s[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    return got;
  };
  mine = publish(mine * 2) + publish(mine + 1);
  auto add = [=](auto a, auto b) { return a + b + int(blockIdx.x); };
  twice([&](int round) {
    mine = add(mine, round * 100);
    mine += publish(round);
  });
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 80 * sizeof(int));
  k<<<2, 40>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 80; i += 7)
    printf("%d ", out[i]);
  printf("\n");
  return 0;
}
