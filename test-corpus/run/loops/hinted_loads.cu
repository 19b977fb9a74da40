// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads with hints for the cache in loops that step by the block or the grid: of elements, of sums
// of pointers and places, one in another's index, of vector types and through casts, in templates.
#include <cstdio>

template <class Number>
__global__ void gathered(const Number* __restrict__ a, const int* places, Number* out, int n) {
  Number sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += __ldg(&a[__ldg(places + i)]) + __ldg(&a[i]) * __ldcg(a + i) - __ldca(&a[n - 1 - i]);
  out[threadIdx.x] = sum;
}

__global__ void vectors(const int4* in, int* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int* words = reinterpret_cast<const int*>(in);
    const int4 v = __ldg(&in[i]);
    out[i] = v.x + 3 * __ldg(in + (i ^ 1)).y + 5 * __ldcs(words + 2 + 4 * i) + 7 * __ldg(&in[i].w) +
             __ldg(words) + __ldg(reinterpret_cast<const int*>(in) + 1 + i);
  }
}

__global__ void characters(const unsigned char* text, int* counts, int n) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 256)
    atomicAdd(&mine[__ldg(text + i) % 256], 1);
  __syncthreads();
  counts[threadIdx.x] = mine[threadIdx.x] * (__ldg(&text[threadIdx.x]) + 1);
}

template <class Word> unsigned hash(const Word* values, int count) {
  const unsigned* words = reinterpret_cast<const unsigned*>(values);
  unsigned h = 2166136261u;
  for (int i = 0; i < count; ++i)
    h = (h ^ words[i]) * 16777619u;
  return h;
}

int main() {
  constexpr int n = 2048;
  int *in, *out, *places;
  float* floats;
  unsigned char* text;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&places, n * sizeof(int));
  cudaMallocManaged(&floats, n * sizeof(float));
  cudaMallocManaged(&text, n);
  for (int i = 0; i < n; ++i) {
    in[i] = i * 7919 % 1009 - 300;
    places[i] = i * 37 % 1000;
    floats[i] = static_cast<float>(in[i] % 50);
    text[i] = static_cast<unsigned char>(i * i % 251);
  }
  gathered<<<1, 96>>>(in, places, out, 1000);
  cudaDeviceSynchronize();
  std::printf("integers %08x\n", hash(out, 96));
  gathered<<<1, 96>>>(floats, places, reinterpret_cast<float*>(out), 1000);
  cudaDeviceSynchronize();
  std::printf("floats %08x\n", hash(out, 96));
  vectors<<<3, 64>>>(reinterpret_cast<const int4*>(in), out, n / 4);
  cudaDeviceSynchronize();
  std::printf("vectors %08x\n", hash(out, n / 4));
  characters<<<1, 256>>>(text, out, n);
  cudaDeviceSynchronize();
  std::printf("characters %08x\n", hash(out, 256));
  return cudaGetLastError();
}
