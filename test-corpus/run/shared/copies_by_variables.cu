// Products whose threads take neighbours from shared memory into a variable of a structure and from there into arrays of
// their own, by rows in one piece and in two, and variables that are more than that: changed, read behind a barrier or
// behind a store, whole, in another order, or with a name that means something else behind them.
#include <cstdio>

constexpr int BM = 32, BN = 64, BK = 8, TM = 4, TN = 8;

__global__ __launch_bounds__(64) void product(int m, int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* c) {
  __shared__ __align__(16) float as[2][BK][BM];
  __shared__ __align__(16) float bs[2][BK][BN];
  const int tid = threadIdx.x, tx = tid % (BN / TN), ty = tid / (BN / TN);
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  float sum[TM][TN] = {};
  float left[TM], right[TN];
  int now = 0;
  for (int k0 = 0; k0 < k; k0 += BK) {
    for (int e = tid; e < BM * BK; e += 64)
      as[now][e % BK][e / BK] = a[(row0 + e / BK) * k + k0 + e % BK];
    for (int e = tid; e < BK * BN; e += 64)
      bs[now][e / BN][e % BN] = b[(k0 + e / BN) * n + col0 + e % BN];
    __syncthreads();
#pragma unroll
    for (int at = 0; at < BK; ++at) {
      for (int i = 0; i < TM; i += 4) {
        float4 t = *reinterpret_cast<const float4*>(&as[now][at][ty * TM + i]);
        left[i] = t.x; left[i + 1] = t.y; left[i + 2] = t.z; left[i + 3] = t.w;
      }
      float4 u = *reinterpret_cast<const float4*>(&bs[now][at][tx * 4]);
      const float4 v = *reinterpret_cast<const float4*>(&bs[now][at][BN / 2 + tx * 4]);
      right[0] = u.x; right[1] = u.y; right[2] = u.z; right[3] = u.w;
      right[4] = v.x; right[5] = v.y; right[6] = v.z; right[7] = v.w;
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
          sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
    }
    now ^= 1;
  }
  for (int i = 0; i < TM; ++i)
    for (int h = 0; h < 2; ++h)
      for (int j = 0; j < 4; ++j)
        c[(row0 + ty * TM + i) * n + col0 + h * (BN / 2) + tx * 4 + j] = sum[i][h * 4 + j];
}

__global__ void others(const float* in, float* out) {
  __shared__ alignas(16) float tile[64 * 4];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i)
    tile[i * 64 + t] = in[i * 64 + t];
  __syncthreads();
  float own[12];
  float4 p = *reinterpret_cast<float4*>(&tile[(63 - t) * 4]);
  own[0] = p.w; own[1] = p.x; own[2] = p.w; own[3] = p.y;
  float4 q = *reinterpret_cast<float4*>(&tile[t * 4]);
  q.x += 1;
  own[4] = q.x; own[5] = q.y;
  const float4 r = *reinterpret_cast<float4*>(&tile[(t ^ 1) * 4]);
  __syncthreads();
  tile[t * 4] = -1;
  tile[t * 4 + 3] = -2;
  own[6] = r.x; own[7] = r.w;
  __syncthreads();
  int at = t;
  const float4 s = *reinterpret_cast<float4*>(&tile[at * 4]);
  at = 63 - t;
  own[8] = s.x; own[9] = s.y;
  {
    const float4 w = *reinterpret_cast<float4*>(&tile[at * 4]);
    const float4 at = *reinterpret_cast<float4*>(&tile[8]);
    own[10] = w.z; own[11] = at.z;
  }
  float sum = 0;
  for (int i = 0; i < 12; ++i)
    sum = sum * 0.5f + own[i];
  out[t] = sum + float(int(p.z) & 3);
}

int main() {
  constexpr int m = 64, n = 128, k = 40, most = 8192;
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
  product<<<dim3(n / BN, m / BM), 64>>>(m, n, k, a, b, c);
  show("product");
  others<<<1, 64>>>(a, c);
  show("others");
}
