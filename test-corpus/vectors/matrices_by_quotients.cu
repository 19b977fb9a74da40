// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PROCESSOR: znver4
// OTHER LOOPS
// ASSEMBLY: vmov[a-z0-9]+ +%zmm[0-9]+,.*\{%k[1-7]\}
//
// Lanes that fill a matrix with padded rows by quotients and remainders of a known number: in a stretch of lanes with one
// quotient they store side by side.
constexpr int n = 24;

extern "C" __global__ void diagonals(const float* __restrict__ in, float* __restrict__ out, int count) {
  __shared__ float all[4][n][n + 1];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int at = blockIdx.x * 4 + warp;
  if (at >= count) return;
  for (int e = lane; e < n * n; e += 32) all[warp][e / n][e % n] = in[(size_t)at * n * n + e];
  __syncwarp();
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += all[warp][i][i];
  sum += __shfl_xor_sync(~0u, sum, 1);
  if (lane == 0) out[at] = sum;
}

void start(const float* in, float* out, int count) { diagonals<<<(count + 3) / 4, 128>>>(in, out, count); }
