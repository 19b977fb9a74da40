// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functors, __device__ and __host__ __device__ lambdas with captures as kernel arguments, and generic device algorithms.
#include <cstdio>

template <class F> __global__ void forEach(int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f(i);
}

template <class In, class Out, class F> __global__ void transform(const In* in, Out* out, int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = f(in[i]);
}

struct Saxpy {
  float a;
  const float* x;
  float* y;
  __device__ void operator()(int i) const { y[i] = a * x[i] + y[i]; }
};

int main() {
  const int n = 100;
  float *x, *y;
  int* z;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  cudaMallocManaged(&z, n * sizeof(int));
  forEach<<<2, 64>>>(n, [=] __device__(int i) {
    x[i] = float(i);
    y[i] = 1;
  });
  forEach<<<2, 64>>>(n, Saxpy{2.0f, x, y});
  int bias = 1000;
  auto inner = [bias] __host__ __device__(int v) { return v % 7 + bias; };
  transform<<<1, 32>>>(y, z, n, [inner] __device__(float v) { return inner(int(v)); });
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += z[i] != inner(2 * i + 1);
  printf("%g %d %d wrong %d\n", y[n - 1], z[0], z[n - 1], wrong);
  return wrong != 0;
}
