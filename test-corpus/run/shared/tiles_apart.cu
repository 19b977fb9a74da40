// Products of matrices in which the results of a thread lie apart, those of neighbouring threads side by side: sizes by a
// template's structure, by macros and shifts, in blocks of two dimensions; edges that are passed over by `continue`.
#include <cstdio>

template <int BM, int BN, int TM, int TN> struct Shape {
  static constexpr int across = BN / TN;
  static constexpr int down = BM / TM;
  static constexpr int threads = across * down;
};

template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM / TM) * (BN / TN))
    product(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K) {
  constexpr int NT = Shape<BM, BN, TM, TN>::threads;
  constexpr int TX = Shape<BM, BN, TM, TN>::across;
  constexpr int TY = Shape<BM, BN, TM, TN>::down;
  __shared__ float As[BK][BM + 1];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.x;
  const int tx = tid % TX, ty = tid / TX;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int e = tid; e < BM * BK; e += NT) {
      const int r = e / BK, c = e % BK;
      As[c][r] = row0 + r < M && k0 + c < K ? A[(row0 + r) * K + k0 + c] : 0.0f;
    }
    for (int e = tid; e < BK * BN; e += NT) {
      const int r = e / BN, c = e % BN;
      Bs[r][c] = k0 + r < K && col0 + c < N ? B[(k0 + r) * N + col0 + c] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i)
        a[i] = As[k][ty + i * TY];
#pragma unroll
      for (int j = 0; j < TN; ++j)
        b[j] = Bs[k][tx + j * TX];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
          acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    const int r = row0 + ty + i * TY;
    if (r >= M)
      continue;
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      const int c = col0 + tx + j * TX;
      if (c >= N)
        continue;
      C[r * N + c] = acc[i][j];
    }
  }
}

#define TILE 32
#define STEP 8
__global__ void byShifts(const float* A, const float* B, float* C, int n) {
  __shared__ float As[TILE][STEP], Bs[STEP][TILE];
  const int tid = threadIdx.x, tx = tid & 15, ty = tid >> 4;
  const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
  float acc[2][2] = {{0.f, 0.f}, {0.f, 0.f}};
  for (int k0 = 0; k0 < n; k0 += STEP) {
    As[tid / STEP][tid % STEP] = A[(row0 + tid / STEP) * n + k0 + tid % STEP];
    Bs[tid / TILE][tid % TILE] = B[(k0 + tid / TILE) * n + col0 + tid % TILE];
    __syncthreads();
    for (int k = 0; k < STEP; ++k)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          acc[i][j] += As[ty + 16 * i][k] * Bs[k][tx + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      C[(row0 + ty + 16 * i) * n + col0 + tx + 16 * j] = acc[i][j];
}

__global__ void inTwoDimensions(const float* A, const float* B, float* C, int n) {
  __shared__ float As[TILE][STEP], Bs[STEP][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
  const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
  float acc[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      acc[i][j] = 0.0f;
  for (int k0 = 0; k0 < n; k0 += STEP) {
    As[tid / STEP][tid % STEP] = A[(row0 + tid / STEP) * n + k0 + tid % STEP];
    Bs[tid / TILE][tid % TILE] = B[(k0 + tid / TILE) * n + col0 + tid % TILE];
    __syncthreads();
    for (int k = 0; k < STEP; ++k)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          acc[i][j] += As[ty + 16 * i][k] * Bs[k][tx + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      if (i == 1 && j == 1 && row0 == 0)
        continue;
      C[(row0 + ty + 16 * i) * n + col0 + tx + 16 * j] = acc[i][j];
    }
}

static void show(const char* name, const float* c, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += c[i] * (i % 17 + 1);
  printf("%s: %.1f %.1f %.1f\n", name, sum, c[0], c[count - 1]);
}

int main() {
  const int M = 101, N = 83, K = 77, n = 64;
  float *a, *b, *c;
  cudaMallocManaged(&a, 128 * 128 * sizeof(float));
  cudaMallocManaged(&b, 128 * 128 * sizeof(float));
  cudaMallocManaged(&c, 128 * 128 * sizeof(float));
  for (int i = 0; i < 128 * 128; ++i)
    a[i] = i % 13 - 6, b[i] = i % 11 - 5, c[i] = 0;
  product<64, 64, 16, 4, 4><<<dim3((N + 63) / 64, (M + 63) / 64), Shape<64, 64, 4, 4>::threads>>>(a, b, c, M, N, K);
  cudaDeviceSynchronize();
  show("64 x 64", c, M * N);
  product<32, 16, 8, 4, 2><<<dim3((N + 15) / 16, (M + 31) / 32), Shape<32, 16, 4, 2>::threads>>>(a, b, c, M, N, K);
  cudaDeviceSynchronize();
  show("32 x 16", c, M * N);
  byShifts<<<dim3(n / TILE, n / TILE), 256>>>(a, b, c, n);
  cudaDeviceSynchronize();
  show("shifts", c, n * n);
  inTwoDimensions<<<dim3(n / TILE, n / TILE), dim3(16, 16)>>>(a, b, c, n);
  cudaDeviceSynchronize();
  show("two dimensions", c, n * n);
  return 0;
}
