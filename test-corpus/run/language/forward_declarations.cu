// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels and device functions declared before, with default arguments and other parameter names, launched before definition.
#include <cstdio>

__global__ void later(int* out, int first = 3, double second = 0.5);
template <class T> __global__ void laterTemplate(T*, T);
__device__ int helper(int);
namespace n {
__global__ void inside(int* out);
}
class Owner;
__global__ void withClass(Owner* owner, int* out);

void launchAll(int* out) {
  later<<<1, 2>>>(out);
  later<<<1, 2>>>(out + 2, 10);
  later<<<1, 2>>>(out + 4, 20, 2.5);
  laterTemplate<<<1, 1>>>(out + 6, 99);
  n::inside<<<1, 1>>>(out + 7);
  withClass<<<1, 1>>>(nullptr, out + 8);
}

__global__ void later(int* result, int a, double b) { result[threadIdx.x] = helper(a) + int(b * 4); }
template <class T> __global__ void laterTemplate(T* p, T v) { *p = v + helper(1); }
__device__ int helper(int x) { return x * 100 + threadIdx.x; }
void __global__ n::inside(int* p) { *p = 5; }
class Owner {
  int secret = 42;
  friend __global__ void withClass(Owner* owner, int* out);
};
__global__ void withClass(Owner*, int* out) {
  Owner o;
  *out = o.secret;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 9 * sizeof(int));
  launchAll(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 9; ++i)
    printf("%d ", out[i]);
  printf("\n");
  return 0;
}
