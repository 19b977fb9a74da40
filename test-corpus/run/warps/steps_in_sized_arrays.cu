// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reduction whose last warp runs in step, in volatile arrays that a template sizes, each step under a condition of its own.
#include <cstdio>

template <int blockSize>
__global__ void smallest(const double* in, double* out) {
  __shared__ volatile double values[blockSize];
  const int tid = threadIdx.x;
  values[tid] = in[blockIdx.x * blockSize + tid];
  __syncthreads();
  if (blockSize >= 128) {
    if (tid < 64)
      values[tid] = min(values[tid], values[tid + 64]);
    __syncthreads();
  }
  if (tid < 32) {
    values[tid] = min(values[tid], values[tid + 32]);
  }
  if (tid < 16) {
    values[tid] = min(values[tid], values[tid + 16]);
  }
  if (tid < 8) {
    values[tid] = min(values[tid], values[tid + 8]);
  }
  if (tid < 4) {
    values[tid] = min(values[tid], values[tid + 4]);
  }
  if (tid < 2) {
    values[tid] = min(values[tid], values[tid + 2]);
  }
  if (tid < 1) {
    values[tid] = min(values[tid], values[tid + 1]);
  }
  if (tid == 0)
    out[blockIdx.x] = values[0];
}

int main() {
  constexpr int blocks = 128, size = 128;
  double *in, *out;
  cudaMallocManaged(&in, blocks * size * sizeof(double));
  cudaMallocManaged(&out, blocks * sizeof(double));
  // The smallest value stands at another place in each block.
  for (int b = 0; b < blocks; ++b)
    for (int i = 0; i < size; ++i)
      in[b * size + i] = i == (b * 37 + 11) % size ? b : 1000 + i;
  smallest<size><<<blocks, size>>>(in, out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int b = 0; b < blocks; ++b)
    wrong += out[b] != b;
  std::printf("%d wrong, the last is %g\n", wrong, out[blocks - 1]);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
