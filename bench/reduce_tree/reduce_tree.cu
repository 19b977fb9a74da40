// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sum of a vector: each block folds its part in a shared-memory tree, a second launch folds the
// partial sums.
#include "../device_vector.h"

__global__ void sumBlocks(const float* in, float* out, int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  float v = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n)
    v += in[i + blockDim.x];
  sdata[tid] = v;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = sdata[0];
}

int main() {
  const int n = 1 << 24;
  const int threads = 256;
  DeviceVector<float> in(uniforms(n, 1)), partial(n / (2 * threads)), next(n / (2 * threads));
  float result = 0;
  measure([&] {
    const float* from = in;
    float* to = partial;
    int left = n;
    while (left > 1) {
      int blocks = (left + threads * 2 - 1) / (threads * 2);
      sumBlocks<<<blocks, threads, threads * sizeof(float)>>>(from, to, left);
      from = to;
      to = to == (float*)partial ? next : partial;
      left = blocks;
    }
    CHECK_CUDA(cudaMemcpy(&result, from, sizeof(float), cudaMemcpyDeviceToHost));
  });
  check(result);
}
