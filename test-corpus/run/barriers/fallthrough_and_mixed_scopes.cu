// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -std=c++17
//
// [[fallthrough]] between cases that hold barriers; one expression that asks the block and its
// warps.
#include <cstdio>

__global__ void cases(int* out, int which) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int v = t;
  switch (which + blockIdx.x) {
  case 0:
    s[t] = t;
    __syncthreads();
    v = s[63 - t];
    break;
  case 1:
    s[t] = t * 2;
    __syncthreads();
    v += s[t ^ 1];
    __syncthreads();
    [[fallthrough]];
  case 2:
  case 3:
    v += 1000;
    [[fallthrough]];
  default:
    s[t] = -v;
    __syncthreads();
    v = s[(t + 3) % 64];
  }
  switch (which) { // without a barrier
  case 0:
    v += 1;
    [[fallthrough]];
  default:
    v += 2;
  }
  out[blockIdx.x * 64 + t] = v;
}

__global__ void warpCases(int* out) {
  int v = threadIdx.x;
  switch (threadIdx.x / 32) {
  case 0:
    v += __shfl_xor_sync(~0u, v, 1);
    [[fallthrough]];
  case 1:
    v += __shfl_xor_sync(~0u, v, 2) * 100;
    break;
  default:
    v = -v;
  }
  out[threadIdx.x] = v;
}

__global__ void mixed(int* out) {
  const int t = threadIdx.x, n = blockDim.x, left = min(32, n - t / 32 * 32);
  const unsigned mask = left == 32 ? ~0u : (1u << left) - 1;
  int v = t * 7 % 13;
  out[t] = v + 100 * __syncthreads_count(v & 1) + 10000 * __reduce_max_sync(mask, v);
  if (__syncthreads_or(v == 12) && __any_sync(mask, v == 3))
    out[t] += __popc(__ballot_sync(mask, v > 5)) * 1000000;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 512 * sizeof(int));
  const auto show = [&](const char* name, int n) {
    printf("%s: %s", name, cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < n; i += 9)
      printf(" %d", out[i]);
    printf("\n");
  };
  for (int which = 0; which < 3; ++which) {
    cases<<<4, 64>>>(out, which);
    show("cases", 256);
  }
  warpCases<<<1, 96>>>(out);
  show("warps", 96);
  mixed<<<1, 80>>>(out);
  show("mixed", 80);
  cudaFree(out);
  return 0;
}
