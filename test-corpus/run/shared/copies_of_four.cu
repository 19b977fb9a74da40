// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products whose threads take neighbours from shared memory as one structure, by a macro or without one, and copies that
// are no such ones: places that change meanwhile, rows that are no whole structures, other types.
#include <cstdio>

#define FETCH4(x) (*reinterpret_cast<float4*>(&(x)))
#define AS4(x) reinterpret_cast<float4*>(&(x))[0]

constexpr int BM = 32, BN = 32, BK = 8, TM = 4, TN = 4;

__global__ __launch_bounds__(64) void product(int m, int n, int k, const float* __restrict a, const float* __restrict b, float* c) {
  __shared__ float as[2][BK][BM + 4];
  __shared__ float bs[2][BK][BN];
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 8 + tx;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  float sum[TM][TN] = {};
  int now = 0;
  for (int k0 = 0; k0 < k; k0 += BK) {
    for (int e = tid; e < BM * BK; e += 64)
      as[now][e % BK][e / BK] = a[(row0 + e / BK) * k + k0 + e % BK];
    for (int e = tid; e < BK * BN; e += 64)
      bs[now][e / BN][e % BN] = b[(k0 + e / BN) * n + col0 + e % BN];
    __syncthreads();
    for (int at = 0; at < BK; ++at) {
      float left[TM], right[TN];
      FETCH4(left[0]) = FETCH4(as[now][at][ty * TM]);
      AS4(right[0]) = *(float4*)&bs[now][at][tx * TN];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          sum[i][j] += left[i] * right[j];
    }
    now ^= 1;
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      c[(row0 + ty * TM + i) * n + col0 + tx * TN + j] = sum[i][j];
}

__global__ void others(const float* in, float* out) {
  __shared__ alignas(16) float tile[64 * 4];
  __shared__ alignas(16) float rows[64][6];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i)
    tile[i * 64 + t] = in[i * 64 + t];
  for (int i = 0; i < 6; ++i)
    rows[t][i] = in[t * 6 + i];
  __syncthreads();
  alignas(16) float own[8];
  alignas(16) unsigned bits[4];
  int at = 0;
  FETCH4(own[at]) = FETCH4(tile[(63 - t) * 4]);
  at += 4;
  FETCH4(own[at]) = FETCH4(tile[t * 4]);
  *reinterpret_cast<float2*>(&own[2]) = *reinterpret_cast<float2*>(&rows[t][4]);
  *reinterpret_cast<uint4*>(&bits[0]) = *reinterpret_cast<uint4*>(&tile[(t ^ 1) * 4]);
  float sum = 0;
  for (int i = 0; i < 8; ++i)
    sum = sum * 0.5f + own[i];
  __syncthreads();
  // Into shared memory, and of the next row's, too.
  FETCH4(tile[t * 4]) = FETCH4(own[4]);
  __syncthreads();
  int next = t;
  float4 four = FETCH4(tile[next++ % 64 * 4]);
  out[t] = sum + four.y + float(bits[2] >> 20) + float(next);
}

int main() {
  constexpr int m = 64, n = 96, k = 40, most = 6144;
  float *a, *b, *c;
  cudaMallocManaged(&a, most * sizeof(float));
  cudaMallocManaged(&b, most * sizeof(float));
  cudaMallocManaged(&c, most * sizeof(float));
  for (int i = 0; i < most; ++i) {
    a[i] = i * 7 % 23 - 11;
    b[i] = i * 5 % 19 - 9;
    c[i] = 0;
  }
  const auto show = [&](const char* what) {
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < most; ++i)
      sum += c[i] * (i % 29);
    std::printf("%s: %.4f, %.4f %.4f %.4f\n", what, sum, double(c[0]), double(c[33]), double(c[1001]));
  };
  product<<<dim3(n / BN, m / BM), dim3(8, 8)>>>(m, n, k, a, b, c);
  show("product");
  others<<<1, 64>>>(a, c);
  show("others");
}
