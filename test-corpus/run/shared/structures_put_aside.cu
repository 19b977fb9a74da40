// Products that load the next tile as structures into registers, by lambdas, and store it behind the product whole or part
// by part, and kernels in which that must stay so: what is loaded may change meanwhile, a place or a condition does, or a
// name means something else where it is stored.
#include <cstdio>

constexpr int BM = 32, BN = 64, BK = 8, TM = 4, TN = 8, THREADS = 64;

__global__ __launch_bounds__(THREADS) void product(int n, int k, const float* __restrict__ a, const float* __restrict__ b, float* c) {
  __shared__ __align__(16) float as[2][BK][BM];
  __shared__ __align__(16) float bs[2][BK][BN];
  const int tid = threadIdx.x, tx = tid % (BN / TN), ty = tid / (BN / TN);
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  const float* rows = a + row0 * k;
  float4 ra[1], rb[2];
  float sum[TM][TN] = {};
  auto fetch = [&](int k0) {
    for (int l = 0; l < 1; ++l) {
      int e = tid + l * THREADS, r = e / (BK / 4), at = (e % (BK / 4)) * 4;
      ra[l] = *reinterpret_cast<const float4*>(rows + r * k + k0 + at);
    }
    for (int l = 0; l < 2; ++l) {
      int e = tid + l * THREADS, r = e / (BN / 4);
      rb[l] = reinterpret_cast<const float4*>(b + (k0 + r) * n + col0)[e % (BN / 4)];
    }
  };
  auto stash = [&](int now) {
    for (int l = 0; l < 1; ++l) {
      int e = tid + l * THREADS, r = e / (BK / 4), at = (e % (BK / 4)) * 4;
      as[now][at][r] = ra[l].x;
      as[now][at + 1][r] = ra[l].y;
      as[now][at + 2][r] = ra[l].z;
      as[now][at + 3][r] = ra[l].w;
    }
    for (int l = 0; l < 2; ++l) {
      int e = tid + l * THREADS, r = e / (BN / 4), at = (e % (BN / 4)) * 4;
      *reinterpret_cast<float4*>(&bs[now][r][at]) = rb[l];
    }
  };
  fetch(0);
  stash(0);
  __syncthreads();
  int now = 0;
  for (int k0 = 0; k0 < k; k0 += BK) {
    const bool more = k0 + BK < k;
    if (more)
      fetch(k0 + BK);
    for (int at = 0; at < BK; ++at)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          sum[i][j] = fmaf(as[now][at][ty * TM + i], bs[now][at][tx * TN + j], sum[i][j]);
    if (more) {
      stash(now ^ 1);
      __syncthreads();
      now ^= 1;
    }
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      c[(row0 + ty * TM + i) * n + col0 + tx * TN + j] = sum[i][j];
}

// What is loaded is stored to, by way of another name.
__global__ void changed(const float* in, float* same, float* out) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  float4 put[1];
  for (int l = 0; l < 1; ++l)
    put[l] = *reinterpret_cast<const float4*>(in + t * 4);
  for (int i = 0; i < 4; ++i)
    same[t * 4 + i] += 100;
  __syncthreads();
  for (int l = 0; l < 1; ++l) {
    tile[t] = put[l].x;
    tile[t + 64] = put[l].y;
    tile[t + 128] = put[l].z;
    tile[t + 192] = put[l].w;
  }
  __syncthreads();
  out[t] = tile[255 - t] + 2 * tile[t ^ 5];
}

__global__ void moved(const float* __restrict__ in, float* out, int steps) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  float2 put[1], kept[1], last[1];
  float sum = 0;
  int from = 0;
  for (int s = 0; s < steps; ++s) {
    bool more = s % 2 == 0;
    {
      const int at = from + t * 2;
      for (int l = 0; l < 1; ++l)
        put[l] = *reinterpret_cast<const float2*>(in + at);
    }
    from += 128;
    if (more)
      for (int l = 0; l < 1; ++l)
        kept[l] = *reinterpret_cast<const float2*>(in + s * 128 + t * 2);
    {
      const int at = s * 128 + t * 2;
      for (int l = 0; l < 1; ++l)
        last[l] = *reinterpret_cast<const float2*>(in + at + l);
    }
    __syncthreads();
    {
      int at = t;
      for (int l = 0; l < 1; ++l) {
        tile[at] = put[l].x;
        tile[at + 64] = put[l].y;
      }
    }
    __syncthreads();
    sum += tile[127 - t];
    __syncthreads();
    if (more)
      for (int l = 0; l < 1; ++l) {
        tile[t] = kept[l].x;
        tile[t + 64] = kept[l].y;
      }
    more = false;
    __syncthreads();
    sum += 3 * tile[126 - t];
    __syncthreads();
    {
      const int at = 63 - t;
      for (int l = 0; l < 1; ++l) {
        tile[at] = last[l].y;
        tile[at + 64] = last[l].x;
      }
    }
    __syncthreads();
    sum += 5 * tile[t];
    __syncthreads();
  }
  out[t] = sum;
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
  product<<<dim3(n / BN, m / BM), THREADS>>>(n, k, a, b, c);
  show("product");
  changed<<<1, 64>>>(a, a, c);
  show("changed");
  moved<<<1, 64>>>(b, c, 5);
  show("moved");
}
