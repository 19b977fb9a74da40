// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures that each lane loads before a loop in which its warp adds up values, and that the loop
// only reads: the parts of neighbouring lanes lie side by side, for arrays as for single ones.
#include <cstdio>

#include <cuda_runtime.h>

constexpr int queries = 3, lanes = 32;
struct Pair {
  float weight;
  int key;
};

__device__ float distance(float4 a, float4 b) {
  const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, w = a.w - b.w;
  return x * x + y * y + z * z + w * w;
}

__global__ void nearest(const float4* in, const float4* query, int n, float* least, int* at) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  float4 q[queries];
  float best[queries];
  int place[queries];
#pragma unroll
  for (int i = 0; i < queries; ++i) {
    q[i] = query[i * lanes + lane];
    best[i] = 1e30f;
    place[i] = -1;
  }
  for (int v = warp; v < n; v += blockDim.x / 32) {
    const float4 x = in[v * lanes + lane];
    for (int i = 0; i < queries; ++i) {
      float d = distance(x, q[i]);
      for (int m = 16; m > 0; m >>= 1)
        d += __shfl_xor_sync(~0u, d, m);
      place[i] = d < best[i] ? v : place[i];
      best[i] = fminf(d, best[i]);
    }
  }
  for (int i = 0; lane == 0 && i < queries; ++i) {
    least[warp * queries + i] = best[i];
    at[warp * queries + i] = place[i];
  }
}

__global__ void weighted(const Pair* pairs, const float* in, int n, float* out) {
  const Pair own = pairs[blockIdx.x * 32 + threadIdx.x];
  for (int r = 0; r < n; ++r) {
    float sum = own.weight * in[r * 32 + ((threadIdx.x + own.key) & 31)];
    for (int d = 16; d > 0; d >>= 1)
      sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x == 0)
      out[blockIdx.x * n + r] = sum;
  }
}

int main() {
  constexpr int n = 50, warps = 3, blocks = 2;
  float *in, *query, *least, *out;
  int* at;
  Pair* pairs;
  cudaMallocManaged(&in, n * lanes * 4 * sizeof(float));
  cudaMallocManaged(&query, queries * lanes * 4 * sizeof(float));
  cudaMallocManaged(&least, warps * queries * 4);
  cudaMallocManaged(&at, warps * queries * 4);
  cudaMallocManaged(&out, blocks * n * sizeof(float));
  cudaMallocManaged(&pairs, blocks * 32 * sizeof(Pair));
  for (int i = 0; i < n * lanes * 4; ++i)
    in[i] = float((i * 37 + i / 100 * 11) % 64) / 8;
  for (int i = 0; i < queries * lanes * 4; ++i)
    query[i] = float(i * 53 % 64) / 8, pairs[i % (blocks * 32)] = {float(i % 7) / 4, i * 5};
  nearest<<<1, warps * 32>>>((const float4*)in, (const float4*)query, n, least, at);
  weighted<<<blocks, 32>>>(pairs, in, n, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < warps * queries; ++i)
    printf("%g at %d\n", least[i], at[i]);
  for (int i = 0; i < blocks * n; i += 7)
    printf("%g\n", out[i]);
}
