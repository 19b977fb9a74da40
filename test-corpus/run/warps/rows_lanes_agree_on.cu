// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that lanes choose by butterflies are one row for the warp, but for numbers that part them.
#include <cmath>
#include <cstdio>

constexpr int N = 30, WARPS = 2, MATRICES = 6;

__global__ void swapRows(const float* in, float* out, int* rows, const int* lasting) {
  __shared__ float all[WARPS][N][33];
  const int lane = threadIdx.x, m = blockIdx.x * WARPS + threadIdx.y;
  float(*s)[33] = all[threadIdx.y];
  for (int i = lane; i < N * N; i += 32)
    s[i / N][i % N] = in[m * N * N + i];
  __syncwarp();
  for (int k = 0; k < N; ++k) {
    float v = lane >= k && lane < N ? fabsf(s[lane][k]) : -1.0f;
    int p = lane;
    for (int o = 16; o > 0; o >>= 1) {
      const float v2 = __shfl_xor_sync(0xffffffffu, v, o);
      const int p2 = __shfl_xor_sync(0xffffffffu, p, o);
      if (v2 > v || (v2 == v && p2 < p)) {
        v = v2;
        p = p2;
      }
    }
    if (lane < N)
      rows[(m * N + k) * N + lane] = p;
    __syncwarp();
    // Lanes that disagree may choose rows that are none, and each its own.
    if (p != k && p < N && lane < N) {
      const float t = s[k][lane];
      s[k][lane] = s[p][lane];
      s[p][lane] = t + lasting[k];
    }
    __syncwarp();
  }
  for (int i = lane; i < N * N; i += 32)
    out[m * N * N + i] = s[i / N][i % N];
}

int main() {
  constexpr int count = MATRICES * N * N;
  float *in, *out;
  int *rows, *lasting;
  cudaMallocManaged(&in, count * sizeof(float));
  cudaMallocManaged(&out, count * sizeof(float));
  cudaMallocManaged(&rows, count * sizeof(int));
  cudaMallocManaged(&lasting, N * sizeof(int));
  unsigned seed = 7;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    in[i] = float(seed >> 20) / 64 - 32;
    if (i / (N * N) % 3 == 1 && i % 11 == 4) // no numbers: the lanes disagree
      in[i] = NAN;
  }
  for (int k = 0; k < N; ++k)
    lasting[k] = k % 4;
  swapRows<<<MATRICES / WARPS, dim3(32, WARPS)>>>(in, out, rows, lasting);
  cudaDeviceSynchronize();
  for (int m = 0; m < MATRICES; ++m) {
    double sum = 0;
    long long chosen = 0, parted = 0;
    int none = 0;
    for (int i = m * N * N; i < (m + 1) * N * N; ++i) {
      if (std::isnan(out[i]))
        ++none;
      else
        sum += out[i] * (1 + i % 13);
      chosen += rows[i] * (1 + i % 7);
      parted += rows[i] != rows[i / N * N];
    }
    printf("%d: %.3f %d %lld %lld\n", m, sum, none, chosen, parted);
  }
}
