// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `register` variables, and values of a wider type in braces, as nvcc takes them.
#include <cstdio>

struct Sample {
  unsigned char level;
  short offset;
  float weight;
};

__device__ float weigh(const Sample& s) { return (s.level + s.offset) * s.weight; }

__global__ void collect(const int* values, uchar4* bytes, float2* pairs, float* weights, int n) {
  register int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (register int step = 0; step < 2; ++step) {
    register const int a = values[i] + step, b = a * 3;
    const uchar4 four = {a, b, a + b, i};
    float2 two{a, b};
    bytes[i] = four;
    pairs[i] = two;
    const Sample sample = {b, a, i};
    weights[i] = weigh(sample);
  }
}

int main() {
  const int n = 100;
  int* values;
  uchar4* bytes;
  float2* pairs;
  float* weights;
  cudaMallocManaged(&values, n * sizeof *values);
  cudaMallocManaged(&bytes, n * sizeof *bytes);
  cudaMallocManaged(&pairs, n * sizeof *pairs);
  cudaMallocManaged(&weights, n * sizeof *weights);
  for (register int i = 0; i < n; ++i)
    values[i] = i * 37 - 500;
  collect<<<4, 32>>>(values, bytes, pairs, weights, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i += 13)
    printf("%d: %d %d %d %d, %g %g, %g\n", i, bytes[i].x, bytes[i].y, bytes[i].z, bytes[i].w, pairs[i].x, pairs[i].y,
           weights[i]);
  return 0;
}
