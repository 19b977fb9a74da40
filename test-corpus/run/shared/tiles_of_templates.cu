// Kernels of templates whose shared arrays have a template's size: calls with their elements are known in instances only,
// and structures that such calls take are kept by parts. Loaders as lambdas with directives in them; blocks that go along
// several stretches of an array.
#include <cstdio>

__device__ __forceinline__ float3 pull(float3 acc, const float4& mine, const float4& other, float soft) {
  const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
  const float r2 = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, soft)));
  const float s = other.w / (r2 + 1.0f);
  acc.x = fmaf(dx, s, acc.x);
  acc.y = fmaf(dy, s, acc.y);
  acc.z = fmaf(dz, s, acc.z);
  return acc;
}
__device__ float3 pull(float3 acc, const float4& mine, const double2& other, float soft) {
  acc.x += float(other.x) * soft - mine.x;
  return acc;
}

template <class Body, int TILE>
__global__ void bodies(const Body* __restrict__ pos, const float4* __restrict__ own, float3* __restrict__ out, int n) {
  __shared__ Body tile[TILE];
  const int i = blockIdx.x * TILE + threadIdx.x;
  const bool live = i < n;
  const float4 mine = live ? own[i] : make_float4(0.f, 0.f, 0.f, 0.f);
  float3 acc = make_float3(0.f, 0.f, 0.f);
  for (int first = 0; first < n; first += TILE) {
    const int j = first + threadIdx.x;
    if (j < n)
      tile[threadIdx.x] = pos[j];
    else
      tile[threadIdx.x] = Body();
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < TILE; ++k)
      acc = pull(acc, mine, tile[k], 0.25f);
    __syncthreads();
  }
  if (live)
    out[i] = acc;
}

template <int BM, int BN, int BK, int NT>
__global__ void product(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[2][BK][BM + 1];
  __shared__ float Bs[2][BK][BN];
  const int tid = threadIdx.x, row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  auto load = [&](int buf, int k0) {
#pragma unroll
    for (int e = tid; e < BM * BK; e += NT) {
      const int r = e / BK, c = e % BK;
      As[buf][c][r] = (row0 + r < M && k0 + c < K) ? A[(row0 + r) * K + k0 + c] : 0.0f;
    }
#pragma unroll
    for (int e = tid; e < BK * BN; e += NT) {
      const int r = e / BN, c = e % BN;
      Bs[buf][r][c] = (k0 + r < K && col0 + c < N) ? B[(k0 + r) * N + col0 + c] : 0.0f;
    }
  };
  load(0, 0);
  __syncthreads();
  float sum[4] = {0.f, 0.f, 0.f, 0.f};
  const int tx = tid % (BN / 2), ty = tid / (BN / 2);
  int buf = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    if (k0 + BK < K)
      load(buf ^ 1, k0 + BK);
    for (int k = 0; k < BK; ++k) {
      sum[0] = fmaf(As[buf][k][ty * 2], Bs[buf][k][tx * 2], sum[0]);
      sum[1] = fmaf(As[buf][k][ty * 2], Bs[buf][k][tx * 2 + 1], sum[1]);
      sum[2] = fmaf(As[buf][k][ty * 2 + 1], Bs[buf][k][tx * 2], sum[2]);
      sum[3] = fmaf(As[buf][k][ty * 2 + 1], Bs[buf][k][tx * 2 + 1], sum[3]);
    }
    __syncthreads();
    buf ^= 1;
  }
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c)
      if (row0 + ty * 2 + r < M && col0 + tx * 2 + c < N)
        C[(row0 + ty * 2 + r) * N + col0 + tx * 2 + c] = sum[r * 2 + c];
}

// Three stretches of one array and two of another, the last block not full; `first` is the block's own.
__global__ void stretches(const int* in, const int* more, int* out, int n) {
  __shared__ int s[128];
  int first = blockIdx.x * 384;
  const int i = first + threadIdx.x;
  int v = i < n ? in[i] : 0;
  if (i + 128 < n)
    v += 3 * in[i + 128];
  if (i + 256 < n)
    v += 5 * in[i + 256];
  first = blockIdx.x * 256;
  v += more[first + threadIdx.x] - more[first + threadIdx.x + 128];
  s[threadIdx.x] = v;
  for (int d = 64; d > 0; d >>= 1) {
    __syncthreads();
    if (threadIdx.x < d)
      s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = s[0];
}

int main() {
  const int n = 301;
  float4* own;
  double2* wide;
  float3* out;
  cudaMallocManaged(&own, n * sizeof(float4));
  cudaMallocManaged(&wide, n * sizeof(double2));
  cudaMallocManaged(&out, n * sizeof(float3));
  for (int i = 0; i < n; ++i) {
    own[i] = make_float4(i % 7 * 0.5f, i % 5 * 0.25f, i % 11 * 0.125f, 1.0f + i % 3);
    wide[i].x = i % 9 * 0.5;
    wide[i].y = 1.0;
  }
  bodies<float4, 64><<<(n + 63) / 64, 64>>>(own, own, out, n);
  cudaDeviceSynchronize();
  for (int i : {0, 1, 77, 300})
    printf("body %d: %.4f %.4f %.4f\n", i, out[i].x, out[i].y, out[i].z);
  bodies<double2, 32><<<(n + 31) / 32, 32>>>(wide, own, out, n);
  cudaDeviceSynchronize();
  for (int i : {0, 1, 77, 300})
    printf("wide body %d: %.4f %.4f %.4f\n", i, out[i].x, out[i].y, out[i].z);

  const int M = 45, N = 70, K = 37;
  float *a, *b, *c;
  cudaMallocManaged(&a, M * K * sizeof(float));
  cudaMallocManaged(&b, K * N * sizeof(float));
  cudaMallocManaged(&c, M * N * sizeof(float));
  for (int i = 0; i < M * K; ++i)
    a[i] = i % 13 - 6;
  for (int i = 0; i < K * N; ++i)
    b[i] = i % 17 - 8;
  product<16, 32, 8, 128><<<dim3((N + 31) / 32, (M + 15) / 16), 128>>>(a, b, c, M, N, K);
  cudaDeviceSynchronize();
  double check = 0;
  for (int i = 0; i < M * N; ++i)
    check += c[i] * (i % 19 + 1);
  printf("product: %.1f %.1f %.1f\n", check, c[0], c[M * N - 1]);

  const int blocks = 5, count = 384 * blocks - 200;
  int *in, *more, *sums;
  cudaMallocManaged(&in, count * sizeof(int));
  cudaMallocManaged(&more, blocks * 256 * sizeof(int));
  cudaMallocManaged(&sums, blocks * sizeof(int));
  for (int i = 0; i < count; ++i)
    in[i] = i * 7 % 101;
  for (int i = 0; i < blocks * 256; ++i)
    more[i] = i * 5 % 89;
  stretches<<<blocks, 128>>>(in, more, sums, count);
  cudaDeviceSynchronize();
  for (int i = 0; i < blocks; ++i)
    printf("sum %d: %d\n", i, sums[i]);
  return 0;
}
