// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grid-stride loops whose heads are macros: over one line and several, with a type as argument,
// with a name from the caller, nested in a loop of the program's own, one head that opens its
// body's brace, and elements of four floats. fminf() and fmaxf() of all special values beside them.
#include <cmath>
#include <cstdio>

#define CUDA_KERNEL_LOOP(i, n)                                                                     \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define TYPED_LOOP(Type, i, n)                                                                     \
  for (Type i = blockIdx.x * static_cast<Type>(blockDim.x) + threadIdx.x;                          \
       i < static_cast<Type>(n); i += static_cast<Type>(blockDim.x) * gridDim.x)
#define OPENED_LOOP(i, n)                                                                          \
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += gridDim.x * blockDim.x) {
#define BLOCK_LOOP(i, from, n, step) for (int i = (from) + threadIdx.x; i < (n); i += (step))

template <class Number> __global__ void scale(Number* y, const Number* x, Number a, int n) {
  CUDA_KERNEL_LOOP(index, n) {
    if (index % 7 == 3)
      continue;
    y[index] = a * x[index];
  }
}

__global__ void add(float* y, const float* x, long n) { TYPED_LOOP(long, k, n) y[k] += x[k]; }

__global__ void square(float* y, unsigned n) {
  OPENED_LOOP(i, n)
  y[i] = y[i] * y[i];
}
}

__global__ void rows(float* y, const float* x, int height, int width) {
  __shared__ float sums[64];
  for (int r = blockIdx.x; r < height; r += gridDim.x) {
    float sum = 0;
    BLOCK_LOOP(c, r * width, (r + 1) * width, blockDim.x)
    sum += x[c];
    sums[threadIdx.x] = sum;
    __syncthreads();
    BLOCK_LOOP(c, 0, width, 64) y[r * width + c] = sums[63 - threadIdx.x] + c;
    __syncthreads();
  }
}

__device__ float4 operator*(float a, float4 v) {
  return make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
}

__global__ void clampFours(float* out, const float* in, int n, float low, float high) {
  CUDA_KERNEL_LOOP(i, n / 4) {
    float4 v = 1.5f * reinterpret_cast<const float4*>(in)[i];
    v.x = fmaxf(low, fminf(v.x, high));
    v.y = fminf(high, fmaxf(v.y, low));
    v.z = fmaxf(low, fminf(v.z, high));
    v.w = fminf(high, fmaxf(v.w, low));
    reinterpret_cast<float4*>(out)[i] = v;
  }
}

__global__ void leastAndMost(const float* values, unsigned* out, int n) {
  CUDA_KERNEL_LOOP(i, n * n) {
    const float least = fminf(values[i / n], values[i % n]),
                most = fmaxf(values[i / n], values[i % n]);
    out[2 * i] = isnan(least) ? 1 : __float_as_uint(least);
    out[2 * i + 1] = isnan(most) ? 1 : __float_as_uint(most);
  }
}

template <class Word> unsigned hash(const Word* values, int count) {
  const unsigned* words = reinterpret_cast<const unsigned*>(values);
  unsigned h = 2166136261u;
  for (int i = 0; i < count; ++i)
    h = (h ^ words[i]) * 16777619u;
  return h;
}

int main() {
  constexpr int n = 4096;
  float *x, *y;
  unsigned* bits;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  cudaMallocManaged(&bits, n * sizeof(unsigned));
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 101 - 50);
    y[i] = -1;
  }
  scale<float><<<5, 96>>>(y, x, 2.5f, 4001);
  cudaDeviceSynchronize();
  std::printf("scale %08x\n", hash(y, n));
  add<<<3, 64>>>(y, x, 4090);
  cudaDeviceSynchronize();
  std::printf("add %08x\n", hash(y, n));
  square<<<7, 32>>>(y, 4000);
  cudaDeviceSynchronize();
  std::printf("square %08x\n", hash(y, n));
  rows<<<3, 64>>>(y, x, 17, 150);
  cudaDeviceSynchronize();
  std::printf("rows %08x\n", hash(y, n));
  clampFours<<<4, 128>>>(y, x, n, -20.25f, 33.5f);
  cudaDeviceSynchronize();
  std::printf("fours %08x\n", hash(y, n));
  const float special[] = {0.f,      -0.f,      1.f,    -1.f,    NAN,
                           INFINITY, -INFINITY, 1e-40f, -1e-40f, 3.4e38f};
  constexpr int count = sizeof special / sizeof *special;
  for (int i = 0; i < count; ++i)
    x[i] = special[i];
  leastAndMost<<<2, 32>>>(x, bits, count);
  cudaDeviceSynchronize();
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < 2 * count; ++j)
      std::printf("%x ", bits[2 * count * i + j]);
    std::printf("\n");
  }
  return cudaGetLastError();
}
