// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of shared tables of which a product fills one while it reads the other, by columns: such tables may lie turned in
// memory. Not those that are reached through pointers, or of which the first is taken for all of them.
#include <cstdio>

constexpr int BM = 32, BN = 32, BK = 8, TM = 2, TN = 2, threads = (BM / TM) * (BN / TN);

__global__ __launch_bounds__(threads) void product(int m, int n, int k, const int* __restrict a, const int* __restrict b, int* c) {
  __shared__ int as[2][BK][BM + 1];
  __shared__ int bs[2][BK][BN];
  const int tid = threadIdx.x, tx = tid % (BN / TN), ty = tid / (BN / TN);
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  const auto fill = [&](int buffer, int k0) {
    for (int e = tid; e < BM * BK; e += threads) {
      const int r = row0 + e / BK, at = k0 + e % BK;
      as[buffer][e % BK][e / BK] = r < m && at < k ? a[r * k + at] : 0;
    }
    for (int e = tid; e < BK * BN; e += threads) {
      const int at = k0 + e / BN, column = col0 + e % BN;
      bs[buffer][e / BN][e % BN] = at < k && column < n ? b[at * n + column] : 0;
    }
  };
  int sum[TM][TN] = {};
  fill(0, 0);
  __syncthreads();
  int buffer = 0;
  for (int k0 = 0; k0 < k; k0 += BK) {
    if (k0 + BK < k)
      fill(buffer ^ 1, k0 + BK);
    for (int at = 0; at < BK; ++at)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          sum[i][j] += as[buffer][at][ty * TM + i] * bs[buffer][at][tx * TN + j];
    __syncthreads();
    buffer ^= 1;
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      const int r = row0 + ty * TM + i, column = col0 + tx * TN + j;
      if (r < m && column < n)
        c[r * n + column] = sum[i][j];
    }
}

// Rows in turn, each of two tables.
__global__ void inTurn(const int* in, int* out, int steps) {
  __shared__ int rows[2][32][33];
  const int t = threadIdx.x;
  for (int i = 0; i < 32; ++i)
    rows[0][t][i] = in[i * 32 + t];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    const int now = s % 2;
    for (int i = 0; i < 32; ++i)
      rows[1 - now][t][i] = rows[now][31 - t][i] + rows[now][t][(i + 1) % 32];
    __syncthreads();
  }
  for (int i = 0; i < 32; ++i)
    out[i * 32 + t] = rows[steps % 2][t][i];
}

// A pointer to the one, and to the other.
__global__ void byPointers(const int* in, int* out) {
  __shared__ int rows[2][32][32];
  const int t = threadIdx.x;
  int *now = &rows[0][0][0], *next = &rows[1][0][0];
  for (int i = 0; i < 32; ++i)
    rows[0][t][i] = in[t * 32 + i];
  __syncthreads();
  for (int s = 0; s < 3; ++s) {
    for (int i = 0; i < 32; ++i)
      next[t * 32 + i] = now[(31 - t) * 32 + i] + now[t * 32 + 31 - i];
    __syncthreads();
    int* const last = now;
    now = next;
    next = last;
  }
  for (int i = 0; i < 32; ++i)
    out[t * 32 + i] = now[i * 32 + t];
}

int main() {
  constexpr int m = 70, n = 50, k = 45, most = 5000;
  int *a, *b, *c;
  cudaMallocManaged(&a, most * sizeof(int));
  cudaMallocManaged(&b, most * sizeof(int));
  cudaMallocManaged(&c, most * sizeof(int));
  for (int i = 0; i < most; ++i) {
    a[i] = i * 7 % 23 - 11;
    b[i] = i * 5 % 19 - 9;
    c[i] = 0;
  }
  const auto show = [&](const char* what) {
    cudaDeviceSynchronize();
    unsigned hash = 0;
    for (int i = 0; i < most; ++i)
      hash = hash * 31 + unsigned(c[i]);
    std::printf("%s: %u, %d %d %d\n", what, hash, c[0], c[33], c[1001]);
  };
  product<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM), threads>>>(m, n, k, a, b, c);
  show("product");
  inTurn<<<1, 32>>>(a, c, 5);
  show("in turn");
  byPointers<<<1, 32>>>(a, c);
  show("by pointers");
}
