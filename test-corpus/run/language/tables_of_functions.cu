// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function pointers in device code: tables in __device__, __constant__ and shared memory, members of structs, pointers to
// member functions and to data members, template instances, pointers chosen at run time, callbacks with barriers around.
#include <cstdio>

typedef int (*Binary)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ int mul(int a, int b) { return a * b; }
template <int N> __device__ int scaled(int a, int b) { return a * N + b; }
__device__ int chain(int a, int b) { return scaled<100>(add(a, b), mul(a, b)); }

__device__ Binary table[] = {add, sub, mul, scaled<5>, chain};
__constant__ Binary fixed[2] = {mul, &sub};
struct Rule {
  Binary function;
  int weight;
};
__device__ Rule rules[3] = {{add, 1}, {mul, 10}, {scaled<2>, 100}};
__device__ Binary late;

struct Counter {
  int n, step;
  __device__ int up(int by) { return n += by * step; }
  __device__ int down(int by) { return n -= by * step; }
  __device__ int twice(int by) const { return 2 * n + by; }
};

__global__ void tables(int* out) {
  const int t = threadIdx.x;
  int v = table[t % 5](t + 2, 3) + fixed[t % 2](t, 2);
  for (const Rule& r : rules)
    v += r.function(t, 1) * r.weight;
  Binary mine = t % 3 == 0 ? &add : t % 3 == 1 ? *mul : chain;
  out[t] = v + mine(v, t);
}

__global__ void inSharedMemory(int* out) {
  __shared__ Binary chosen[4];
  if (threadIdx.x < 4)
    chosen[threadIdx.x] = table[4 - threadIdx.x];
  __syncthreads();
  int v = threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    v = chosen[k](v % 50, k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = v;
}

__global__ void members(int* out) {
  Counter c{10, 2};
  int (Counter::*move)(int) = threadIdx.x % 2 ? &Counter::up : &Counter::down;
  int (Counter::*look)(int) const = &Counter::twice;
  int Counter::*field = threadIdx.x < 2 ? &Counter::n : &Counter::step;
  (c.*move)(3);
  Counter* p = &c;
  c.*field += 1;
  out[threadIdx.x] = (p->*look)(5) * 10 + p->*field;
}

__global__ void setLate(int which) { late = which ? table[which] : nullptr; }
__global__ void callLate(int* out) { out[threadIdx.x] = late ? late(threadIdx.x, 9) : -1; }
template <Binary F> __global__ void known(int* out) { out[threadIdx.x] = F(threadIdx.x, 4); }
__global__ void given(Binary f, int* out) { out[threadIdx.x] = f(7, threadIdx.x); }

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof *out);
  auto show = [&](int n) {
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i)
      printf("%d ", out[i]);
    printf("\n");
  };
  tables<<<1, 10>>>(out);
  show(10);
  inSharedMemory<<<1, 8>>>(out);
  show(8);
  members<<<1, 4>>>(out);
  show(4);
  setLate<<<1, 1>>>(0);
  callLate<<<1, 2>>>(out);
  show(2);
  setLate<<<1, 1>>>(3);
  callLate<<<1, 2>>>(out);
  show(2);
  known<add><<<1, 3>>>(out);
  known<scaled<7>><<<1, 3>>>(out + 3);
  show(6);
  Binary all[5];
  cudaMemcpyFromSymbol(all, table, sizeof all);
  given<<<1, 3>>>(all[1], out);
  given<<<1, 3>>>(all[4], out + 3);
  show(6);
  return 0;
}
