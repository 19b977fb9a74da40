// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products A * B^T whose tiles both lie by rows, `sb[tx * 4 + j][k]`, with a tile of results for each thread: adjacent
// or apart, with threads in one row or in two dimensions, both tiles filled by one loop or each by its own.
#include <cstdio>

template <typename T, int TS, int RT> __global__ void inBlocks(const T* A, const T* B, T* C, int M, int N, int K) {
  __shared__ T sa[TS][TS + 1], sb[TS][TS + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int S = TS / RT;
  T sum[RT][RT] = {};
  for (int k0 = 0; k0 < K; k0 += TS) {
    for (int i = ty; i < TS; i += S)
      for (int j = tx; j < TS; j += S) {
        int ra = blockIdx.y * TS + i, rb = blockIdx.x * TS + i, k = k0 + j;
        sa[i][j] = ra < M && k < K ? A[ra * K + k] : T(0);
        sb[i][j] = rb < N && k < K ? B[rb * K + k] : T(0);
      }
    __syncthreads();
    for (int k = 0; k < TS; ++k)
      for (int i = 0; i < RT; ++i)
        for (int j = 0; j < RT; ++j)
          sum[i][j] += sa[ty * RT + i][k] * sb[tx * RT + j][k];
    __syncthreads();
  }
  for (int i = 0; i < RT; ++i)
    for (int j = 0; j < RT; ++j) {
      int r = blockIdx.y * TS + ty * RT + i, c = blockIdx.x * TS + tx * RT + j;
      if (r < M && c < N)
        C[r * N + c] = sum[i][j];
    }
}

template <bool Apart> __global__ void inRow(const float* A, const float* B, float* C, int M, int N, int K, float alpha) {
  __shared__ float sa[64][16];
  __shared__ float sb[64][17];
  const int tid = threadIdx.x, tx = tid & 15, ty = tid >> 4;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = tid; i < 64 * 16; i += 256) {
      const int r = i / 16, c = i % 16, y = blockIdx.y * 64 + r;
      sa[r][c] = y < M && k0 + c < K ? A[y * K + k0 + c] : 0.0f;
    }
    for (int i = tid; i < 64 * 16; i += 256) {
      const int r = i / 16, c = i % 16, x = blockIdx.x * 64 + r;
      sb[r][c] = x < N && k0 + c < K ? B[x * K + k0 + c] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      float a[4], b[4];
      for (int i = 0; i < 4; ++i) {
        a[i] = Apart ? sa[ty + 16 * i][k] : sa[ty * 4 + i][k];
        b[i] = Apart ? sb[tx + 16 * i][k] : sb[tx * 4 + i][k];
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const int r = blockIdx.y * 64 + (Apart ? ty + 16 * i : ty * 4 + i);
      const int c = blockIdx.x * 64 + (Apart ? tx + 16 * j : tx * 4 + j);
      if (r < M && c < N)
        C[r * N + c] = alpha * acc[i][j];
    }
}

// Sums that are written out one by one.
__global__ void writtenOut(const float* A, const float* B, float* C, int n) {
  __shared__ float sa[32][32], sb[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float s[2][2] = {{0}};
  for (int k0 = 0; k0 < n; k0 += 32) {
    for (int i = ty; i < 32; i += 16)
      for (int j = tx; j < 32; j += 16) {
        sa[i][j] = A[(blockIdx.y * 32 + i) * n + k0 + j];
        sb[i][j] = B[(blockIdx.x * 32 + i) * n + k0 + j];
      }
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      const float a0 = sa[2 * ty][k], a1 = sa[2 * ty + 1][k], b0 = sb[2 * tx][k], b1 = sb[2 * tx + 1][k];
      s[0][0] += a0 * b0;
      s[0][1] += a0 * b1;
      s[1][0] += a1 * b0;
      s[1][1] += a1 * b1;
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      C[(blockIdx.y * 32 + 2 * ty + i) * n + blockIdx.x * 32 + 2 * tx + j] = s[i][j];
}

// A thread's rows and columns in two halves of the tiles.
__global__ void halves(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float as[8][64], bs[8][64];
  const int tid = threadIdx.x, tx = tid % 8, ty = tid / 8;
  float acc[8][8] = {};
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int i = 0; i < 64; i += 8) {
      const int y = blockIdx.y * 64 + tid / 8 + i, x = blockIdx.x * 64 + tid / 8 + i, k = k0 + tid % 8;
      as[tid % 8][tid / 8 + i] = y < M && k < K ? A[y * K + k] : 0.0f;
      bs[tid % 8][tid / 8 + i] = x < N && k < K ? B[x * K + k] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      float a[8], b[8];
      for (int i = 0; i < 4; ++i) {
        a[i] = as[k][ty * 4 + i];
        a[i + 4] = as[k][32 + ty * 4 + i];
      }
      for (int j = 0; j < 4; ++j) {
        b[j] = bs[k][tx * 4 + j];
        b[4 + j] = bs[k][32 + tx * 4 + j];
      }
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      const int r = blockIdx.y * 64 + (i < 4 ? ty * 4 + i : 28 + ty * 4 + i);
      const int c = blockIdx.x * 64 + (j < 4 ? tx * 4 + j : 28 + tx * 4 + j);
      if (r < M && c < N)
        C[r * N + c] = acc[i][j];
    }
}

template <class T> void show(const char* name, T* device, const T* a, const T* b, int m, int n, int k, int alpha) {
  static T host[100 * 100];
  cudaMemcpy(host, device, m * n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0;
  int wrong = 0;
  for (int i = 0; i < m * n; ++i) {
    sum += double(host[i]) * (i % 17);
    double right = 0;
    for (int l = 0; l < k; ++l)
      right += double(a[i / n * k + l]) * double(b[i % n * k + l]);
    wrong += right * alpha != double(host[i]);
  }
  printf("%s %.0f %.0f %d\n", name, sum, double(host[m * n - 1]), wrong);
  cudaMemset(device, 0, m * n * sizeof(T));
}

template <class T> void run() {
  const int m = 90, n = 70, k = 77;
  static T a[100 * 100], b[100 * 100];
  for (int i = 0; i < 100 * 100; ++i) {
    a[i] = T(i * 7 % 13) - 5;
    b[i] = T(i * 5 % 11) - 4;
  }
  T *A, *B, *C;
  cudaMalloc(&A, sizeof a);
  cudaMalloc(&B, sizeof b);
  cudaMalloc(&C, sizeof a);
  cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(B, b, sizeof b, cudaMemcpyHostToDevice);
  inBlocks<T, 32, 2><<<dim3(3, 3), dim3(16, 16)>>>(A, B, C, m, n, k);
  show("2 x 2", C, a, b, m, n, k, 1);
  inBlocks<T, 32, 4><<<dim3(3, 3), dim3(8, 8)>>>(A, B, C, m, n, k);
  show("4 x 4", C, a, b, m, n, k, 1);
  if constexpr (sizeof(T) == 4) {
    inRow<false><<<dim3(2, 2), 256>>>(A, B, C, m, n, k, 2.0f);
    show("adjacent", C, a, b, m, n, k, 2);
    inRow<true><<<dim3(2, 2), 256>>>(A, B, C, m, n, k, 2.0f);
    show("apart", C, a, b, m, n, k, 2);
    halves<<<dim3(2, 2), 64>>>(A, B, C, m, n, k);
    show("halves", C, a, b, m, n, k, 1);
    writtenOut<<<dim3(3, 3), dim3(16, 16)>>>(A, B, C, 96);
    show("written out", C, a, b, 96, 96, 96, 1);
  }
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}

int main() {
  run<float>();
  run<double>();
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
