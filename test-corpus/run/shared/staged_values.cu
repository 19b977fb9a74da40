// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that load the next tile into single variables before they compute with this one: structures and numbers,
// under a condition and without, and some in which the value or its place changes in between.
#include <cstdio>

__global__ void wide(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int N, int K) {
  __shared__ float as[2][8][64];
  __shared__ __align__(16) float bs[2][8][64];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  A += blockIdx.y * 64 * K;
  B += blockIdx.x * 64;
  C += blockIdx.y * 64 * N + blockIdx.x * 64;
  const int ra = tid / 2, ca = tid % 2, rb = tid / 16, cb = tid % 16;
  float acc[8][4] = {{0.0f}};
  float4 a4 = *reinterpret_cast<const float4*>(&A[ra * K + ca * 4]);
  float4 b4 = *reinterpret_cast<const float4*>(B + rb * N + cb * 4);
  as[0][ca * 4 + 0][ra] = a4.x;
  as[0][ca * 4 + 1][ra] = a4.y;
  as[0][ca * 4 + 2][ra] = a4.z;
  as[0][ca * 4 + 3][ra] = a4.w;
  *reinterpret_cast<float4*>(&bs[0][rb][cb * 4]) = b4;
  __syncthreads();
  int cur = 0;
  for (int k0 = 0; k0 < K; k0 += 8) {
    const bool more = k0 + 8 < K;
    if (more) {
      a4 = *reinterpret_cast<const float4*>(&A[ra * K + (k0 + 8) + ca * 4]);
      b4 = *reinterpret_cast<const float4*>(B + (k0 + 8 + rb) * N + cb * 4);
    }
    for (int k = 0; k < 8; ++k) {
      float a[8], b[4];
      for (int i = 0; i < 8; ++i)
        a[i] = as[cur][k][ty * 8 + i];
      for (int j = 0; j < 4; ++j)
        b[j] = bs[cur][k][tx * 4 + j];
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += a[i] * b[j];
    }
    if (more) {
      const int next = cur ^ 1;
      as[next][ca * 4 + 0][ra] = a4.x;
      as[next][ca * 4 + 1][ra] = a4.y;
      as[next][ca * 4 + 2][ra] = a4.z;
      as[next][ca * 4 + 3][ra] = a4.w;
      *reinterpret_cast<float4*>(&bs[next][rb][cb * 4]) = b4;
      __syncthreads();
      cur = next;
    }
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      C[(ty * 8 + i) * N + tx * 4 + j] = acc[i][j];
}

// The next numbers: at a place that moves on in between (Way 1), with a last value that is asked for behind the loop (2),
// from memory that threads store to (3).
template <int Way>
__global__ void single(const float* __restrict__ A, const float* __restrict__ B, float* C, float* D, int n) {
  __shared__ float as[16][16], bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  const float* from = Way == 3 ? D : A;
  float sum = 0, nextA = A[row * n + tx], nextB = B[ty * n + column];
  int at = 0;
  for (int t = 0; t < n; t += 16) {
    as[ty][tx] = nextA;
    bs[ty][tx] = nextB;
    __syncthreads();
    float ahead, behind;
    ahead = from[row * n + (t + at + 16) % n + tx];
    behind = B[((t + 16) % n + ty) * n + column];
    for (int k = 0; k < 16; ++k)
      sum += as[ty][k] * bs[k][tx];
    if (Way == 1)
      at += 16;
    if (Way == 3)
      D[row * n + (t + 16) % n + tx] = -1.0f;
    __syncthreads();
    nextA = ahead;
    nextB = behind;
    if (Way == 1)
      at -= 16;
  }
  if (Way == 2)
    sum += nextA - nextB;
  C[row * n + column] = sum;
}

static void show(const char* name, const float* device, int n) {
  static float host[128 * 128];
  cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += double(host[i]) * (i % 23);
  printf("%s %.0f %.0f %.0f\n", name, sum, host[n / 2 + 1], host[n - 1]);
}

int main() {
  const int n = 128;
  static float a[n * n], b[n * n];
  for (int i = 0; i < n * n; ++i) {
    a[i] = float(i * 7 % 13 - 5);
    b[i] = float(i * 5 % 11 - 4);
  }
  float *A, *B, *C, *D;
  for (float** p : {&A, &B, &C, &D})
    cudaMalloc(p, sizeof a);
  cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(B, b, sizeof b, cudaMemcpyHostToDevice);
  wide<<<dim3(2, 2), 128>>>(A, B, C, n, n);
  show("wide", C, n * n);
  wide<<<dim3(2, 2), 128>>>(A, B, C, n, 8);
  show("wide, one tile", C, n * n);
  single<0><<<dim3(8, 8), dim3(16, 16)>>>(A, B, C, D, n);
  show("single", C, n * n);
  single<1><<<dim3(8, 8), dim3(16, 16)>>>(A, B, C, D, n);
  show("moved", C, n * n);
  single<2><<<dim3(8, 8), dim3(16, 16)>>>(A, B, C, D, n);
  show("last", C, n * n);
  cudaMemcpy(D, a, sizeof a, cudaMemcpyHostToDevice);
  single<3><<<dim3(1, 8), dim3(16, 16)>>>(A, B, C, D, n);
  show("stored", D, n * n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
