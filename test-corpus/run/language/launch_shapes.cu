// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of every arity, in macros, through function pointers and tables, with expressions and braces as arguments.
#include <cstdio>

__global__ void add(int* x, int v) { atomicAdd(x, v * int(blockDim.x * blockDim.y * gridDim.x)); }
__global__ void sub(int* x, int v) { atomicAdd(x, -v); }
__global__ void nothing() {}

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define GRID dim3(2)
#define RUN_ONE <<<1, 1>>>

struct Config {
  dim3 grid, block;
};

int main() {
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  *x = 0;
  cudaStream_t s;
  cudaStreamCreate(&s);
  Config c{dim3(3), dim3(2, 2)};
  nothing<<<1, 1>>>();
  add<<<1, 1>>>(x, 1);
  cudaDeviceSynchronize();
  add<<<GRID, 4, 0>>>(x, 10);
  cudaDeviceSynchronize();
  add<<<c.grid, c.block, 16 * sizeof(float), s>>>(x, 100);
  cudaStreamSynchronize(s);
  add<<<(*x > 0 ? 2 : 1), {2, 3, 1}>>>(x, 1000);
  LAUNCH(add, 1, dim3(1, 5), x, 1 << 20);
  sub RUN_ONE(x, 7);
  LAUNCH(nothing, 1, 1);
  void (*pointer)(int*, int) = add;
  pointer<<<1, 2>>>(x, 3);
  void (*table[])(int*, int) = {add, sub, &add};
  for (auto k : table)
    k<<<2, 3>>>(x, 5);
  for (int i = 0; i < 3; ++i) table[i]<<<1, i + 1>>>(x, i);
  cudaDeviceSynchronize();
  if (*x != 0) sub<<<1, 1>>>(x, 2); else sub<<<1, 1>>>(x, 3);
  auto lambda = [&](int v) { add<<<1, 1>>>(x, v); };
  cudaDeviceSynchronize();
  lambda(11);
  (add)<<<1, 1>>>(x, 13);
  cudaDeviceSynchronize();
  printf("%d\n", *x);
  return 0;
}
