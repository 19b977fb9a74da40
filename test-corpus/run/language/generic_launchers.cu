// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as template arguments and as arguments of variadic host templates; launches that depend on template parameters.
#include <cstdio>
#include <utility>

template <void (*Kernel)(int*, int)> void launchFixed(int* x, int v) { Kernel<<<1, 2>>>(x, v); }

template <class K, class... A> void launchAny(K kernel, dim3 grid, dim3 block, A&&... a) {
  kernel<<<grid, block, 0, 0>>>(std::forward<A>(a)...);
}

__global__ void add(int* x, int v) { atomicAdd(x, v); }
template <class T> __global__ void scale(T* x, T by) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    *x *= by;
}
template <class T> __global__ void assign(T* x, T a, T b) { *x = a - b; }

template <class T> struct Runner {
  template <int Times> static void run(T* x) {
    if constexpr (Times > 0) {
      scale<T><<<Times, 4>>>(x, T(2));
      run<Times - 1>(x);
    } else {
      void (*last)(T*, T, T) = assign<T>;
      if (false)
        last<<<1, 1>>>(x, 0, 0);
    }
  }
};

int main() {
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  *x = 1;
  launchFixed<add>(x, 10);
  launchAny(add, 2, 3, x, 100);
  Runner<int>::run<3>(x);
  launchAny(scale<int>, dim3(2), dim3(8), x, 3);
  cudaDeviceSynchronize();
  printf("%d\n", *x);
  launchAny(assign<int>, 1, 1, x, 9, 4);
  cudaDeviceSynchronize();
  printf("%d\n", *x);
  return 0;
}
