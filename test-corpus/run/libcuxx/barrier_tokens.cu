// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens of a barrier that are declared before the branch in which threads arrive, assigned and
// moved.
#include <cstdio>
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void twoKinds(int* out) {
  __shared__ barrier bar;
  __shared__ int data[64];
  if (threadIdx.x == 0)
    init(&bar, blockDim.x + 3);
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 64; ++i)
      data[i] = i * i;
    token = bar.arrive(4);
  } else {
    token = bar.arrive();
  }
  barrier::arrival_token moved = std::move(token);
  bar.wait(std::move(moved));
  out[threadIdx.x] = data[63 - threadIdx.x];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  twoKinds<<<1, 64>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  int sum = 0;
  for (int i = 0; i < 64; ++i)
    sum = sum * 3 + out[i];
  printf("%d %d %d\n", sum, out[0], out[63]);
}
