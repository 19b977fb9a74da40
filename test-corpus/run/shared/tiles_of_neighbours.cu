// Products of matrices in which each thread adds up a tile: of several shapes, kept in arrays of
// one and two dimensions, in blocks that are expected and in others.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

template <int BM, int BN, int BK, int TM, int TN>
__global__ void oneDimension(int n, const float* a, const float* b, float* c) {
  __shared__ float as[BM * BK];
  __shared__ float bs[BK * BN];
  constexpr int threads = (BM / TM) * (BN / TN);
  const int col = threadIdx.x % (BN / TN), row = threadIdx.x / (BN / TN);
  float results[TM * TN] = {0.0f};
  float regM[TM], regN[TN];
  for (int first = 0; first < n; first += BK) {
    for (int at = threadIdx.x; at < BM * BK; at += threads)
      as[at] = a[(blockIdx.y * BM + at / BK) * n + first + at % BK];
    for (int at = threadIdx.x; at < BN * BK; at += threads)
      bs[at] = b[(first + at / BN) * n + blockIdx.x * BN + at % BN];
    __syncthreads();
    for (int k = 0; k < BK; ++k) {
      for (int i = 0; i < TM; ++i)
        regM[i] = as[(row * TM + i) * BK + k];
      for (int j = 0; j < TN; ++j)
        regN[j] = bs[k * BN + col * TN + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          results[i * TN + j] += regM[i] * regN[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      c[(blockIdx.y * BM + row * TM + i) * n + blockIdx.x * BN + col * TN + j] =
          results[i * TN + j];
}

#define TILE 32
#define WORK 4
#define STEP 8

// The number of steps is known at run time only, and what is added up starts with other values.
__global__ void twoDimensions(int n, int steps, const double* a, const double* b, double* c) {
  __shared__ double as[STEP][TILE], bs[STEP][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int id = ty * blockDim.x + tx;
  double sum[WORK][WORK];
  for (int i = 0; i < WORK; ++i)
    for (int j = 0; j < WORK; ++j)
      sum[i][j] = i - j;
  for (int first = 0; first < n; first += STEP) {
    for (int at = id; at < STEP * TILE; at += blockDim.x * blockDim.y) {
      as[at % STEP][at / STEP] = a[(blockIdx.y * TILE + at / STEP) * n + first + at % STEP];
      bs[at / TILE][at % TILE] = b[(first + at / TILE) * n + blockIdx.x * TILE + at % TILE];
    }
    __syncthreads();
    for (int k = 0; k < steps; ++k)
#pragma unroll
      for (int i = 0; i < WORK; ++i)
#pragma unroll
        for (int j = 0; j < WORK; ++j)
          sum[i][j] += as[k][ty * WORK + i] * bs[k][tx * WORK + j];
    __syncthreads();
  }
  for (int i = 0; i < WORK; ++i)
    for (int j = 0; j < WORK; ++j)
      c[(blockIdx.y * TILE + ty * WORK + i) * n + blockIdx.x * TILE + tx * WORK + j] = sum[i][j];
}

// The next elements are on their way while the tile grows; it is stored four elements at a time.
__global__ void fetchedAhead(int n, const float* a, const float* b, float* c) {
  __shared__ float as[2][STEP][TILE], bs[2][STEP][TILE];
  const int tx = threadIdx.x % 8, ty = threadIdx.x / 8, id = threadIdx.x;
  float sum[WORK][WORK] = {};
  float nextA[4], nextB[4];
  int now = 0;
  for (int l = 0; l < 4; ++l) {
    const int at = id + l * 64;
    as[0][at % STEP][at / STEP] = a[(blockIdx.y * TILE + at / STEP) * n + at % STEP];
    bs[0][at / TILE][at % TILE] = b[(at / TILE) * n + blockIdx.x * TILE + at % TILE];
  }
  __syncthreads();
  for (int first = 0; first < n; first += STEP) {
    if (first + STEP < n)
      for (int l = 0; l < 4; ++l) {
        const int at = id + l * 64;
        nextA[l] = a[(blockIdx.y * TILE + at / STEP) * n + first + STEP + at % STEP];
        nextB[l] = b[(first + STEP + at / TILE) * n + blockIdx.x * TILE + at % TILE];
      }
    for (int k = 0; k < STEP; ++k) {
      float ra[WORK], rb[WORK];
      for (int i = 0; i < WORK; ++i) {
        ra[i] = as[now][k][ty * WORK + i];
        rb[i] = bs[now][k][tx * WORK + i];
      }
      for (int i = 0; i < WORK; ++i)
        for (int j = 0; j < WORK; ++j)
          sum[i][j] = fmaf(ra[i], rb[j], sum[i][j]);
    }
    if (first + STEP < n)
      for (int l = 0; l < 4; ++l) {
        const int at = id + l * 64;
        as[1 - now][at % STEP][at / STEP] = nextA[l];
        bs[1 - now][at / TILE][at % TILE] = nextB[l];
      }
    __syncthreads();
    now = 1 - now;
  }
  for (int i = 0; i < WORK; ++i)
    *reinterpret_cast<float4*>(
        &c[(blockIdx.y * TILE + ty * WORK + i) * n + blockIdx.x * TILE + tx * WORK]) =
        *reinterpret_cast<float4*>(&sum[i][0]);
}

template <class T> void print(const char* name, T* c, int n) {
  cudaDeviceSynchronize();
  std::vector<T> all(n * n);
  cudaMemcpy(all.data(), c, all.size() * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemset(c, 0, all.size() * sizeof(T));
  unsigned long long hash = 0;
  for (const T value : all)
    hash = hash * 31 + static_cast<long long>(value);
  printf("%s %llu\n", name, hash);
}

int main() {
  const int n = 128;
  std::vector<float> values(n * n);
  for (int i = 0; i < n * n; ++i)
    values[i] = static_cast<float>((i * 37 + i / 128) % 11 - 4);
  const std::vector<double> doubles(values.begin(), values.end());
  float *a, *c;
  double *d, *e;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  cudaMalloc(&d, n * n * sizeof(double));
  cudaMalloc(&e, n * n * sizeof(double));
  cudaMemcpy(a, values.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, doubles.data(), n * n * sizeof(double), cudaMemcpyHostToDevice);

  oneDimension<64, 64, 8, 8, 8><<<dim3(2, 2), 64>>>(n, a, a, c);
  print("8x8", c, n);
  oneDimension<64, 64, 16, 4, 4><<<dim3(2, 2), 256>>>(n, a, a, c);
  print("4x4", c, n);
  oneDimension<64, 32, 8, 8, 4><<<dim3(4, 2), 64>>>(n, a, a, c);
  print("8x4", c, n);
  oneDimension<24, 16, 8, 3, 2><<<dim3(8, 5), 64>>>(n, a, a, c);
  print("3x2", c, n);
  for (const int steps : {STEP, 5, 0}) {
    twoDimensions<<<dim3(4, 4), dim3(8, 8)>>>(n, steps, d, d, e);
    print("double", e, n);
  }
  fetchedAhead<<<dim3(4, 4), 64>>>(n, a, a, c);
  print("ahead", c, n);
  return 0;
}
