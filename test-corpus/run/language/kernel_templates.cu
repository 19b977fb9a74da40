// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel templates: type and value parameters, deduced and explicit, default arguments, specialisation, two instantiations side by side.
#include <cstdio>

template <class T, int Step = 2> __global__ void scale(T* x, T by, int n) {
  for (int i = threadIdx.x * Step; i < n; i += blockDim.x * Step)
    x[i] = x[i] * by;
}

template <class T> struct Twice {
  __host__ __device__ T operator()(T x) const { return x + x; }
};

template <template <class> class F, class T> __global__ void apply(T* x) {
  x[threadIdx.x] = F<T>()(x[threadIdx.x]);
}

template <class T> __global__ void which(T* x) { x[threadIdx.x] = T(1); }
template <> __global__ void which<double>(double* x) { x[threadIdx.x] = 2.5; }

template <class T> void print(const char* name, T* x) {
  cudaDeviceSynchronize();
  printf("%s:", name);
  for (int i = 0; i < 8; ++i)
    printf(" %g", double(x[i]));
  printf("\n");
}

template <class T> void run(T factor) {
  T* x;
  cudaMallocManaged(&x, 8 * sizeof(T));
  for (int i = 0; i < 8; ++i)
    x[i] = T(i + 1);
  scale<<<1, 3>>>(x, factor, 8);  // deduced
  print("deduced", x);
  scale<T, 1><<<1, 3>>>(x, 2, 8);
  print("explicit", x);
  apply<Twice><<<1, 8>>>(x);
  print("functor", x);
  which<T><<<1, 4>>>(x);
  print("specialised", x);
  cudaFree(x);
}

int main() {
  run<int>(3);
  run<double>(0.5);
  return 0;
}
