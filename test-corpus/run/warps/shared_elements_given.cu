// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions in which threads meet, and which are given elements of shared arrays by reference: a
// matrix of each warp, one of the block's, structures, constant ones, from templates, by an index
// that changes meanwhile, and twice.
#include <cstdio>

constexpr int N = 16;

__device__ void factor(float (&L)[N][N + 1]) {
  const int lane = threadIdx.x % 32;
  for (int k = 0; k < N; ++k) {
    if (lane > k && lane < N) {
      const float l = L[lane][k] / L[k][k];
      L[lane][k] = l;
      for (int j = k + 1; j < N; ++j)
        L[lane][j] -= l * L[k][j];
    }
    __syncwarp();
  }
}

template <int M> __device__ float trace(const float (&a)[M][M + 1]) {
  const int lane = threadIdx.x % 32;
  float sum = lane < M ? a[lane][lane] : 0.0f;
  for (int d = 16; d > 0; d >>= 1)
    sum += __shfl_xor_sync(0xffffffffu, sum, d);
  return sum;
}

struct Row {
  float v[32];
  int places[2];
};

__device__ void turn(Row& row, int by) {
  const int lane = threadIdx.x % 32;
  const float other = row.v[(lane + by) % 32];
  __syncwarp();
  row.v[lane] = other + lane;
  if (lane == 0)
    row.places[by % 2] = by;
  __syncwarp();
}

__global__ void systems(const float* in, float* out, int count) {
  __shared__ float all[4][N][N + 1];
  __shared__ Row rows[4];
  const int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int b = blockIdx.x * 4 + w;
  if (b >= count)
    return;
  for (int i = lane; i < N * N; i += 32)
    all[w][i / N][i % N] = in[b * N * N + i];
  rows[w].v[lane] = in[b * N * N + lane];
  if (lane < 2)
    rows[w].places[lane] = 7;
  __syncwarp();
  factor(all[w]);
  const float sum = trace<N>(all[w]);
  turn(rows[w], 3);
  int r = w;
  for (int i = 0; i < 2; ++i) {
    turn(rows[r], i + 1);
    r = threadIdx.x / 32;
  }
  for (int i = lane; i < N * N; i += 32)
    out[b * N * N + i] = all[w][i / N][i % N] + sum + rows[w].v[i % 32] + rows[w].places[i % 2];
}

// Which one it is stands in shared memory, and changes while threads meet.
__shared__ int chosen;

__device__ void shift(float (&x)[64], int by) {
  const float before = threadIdx.x > 0 ? x[threadIdx.x - 1] : 0.0f;
  __syncthreads();
  if (threadIdx.x == 0)
    chosen = 1 - chosen;
  __syncthreads();
  x[threadIdx.x] += before * by;
  __syncthreads();
}

__global__ void ofBlock(float* out) {
  __shared__ float two[2][64];
  two[0][threadIdx.x] = threadIdx.x;
  two[1][threadIdx.x] = 2.0f * threadIdx.x;
  if (threadIdx.x == 0)
    chosen = blockIdx.x % 2;
  __syncthreads();
  shift(two[chosen], 2);
  shift(two[chosen], 3);
  const int first = blockIdx.x % 2;
  shift(two[first], 1);
  shift(two[1 - first], 2);
  out[(blockIdx.x * 2) * 64 + threadIdx.x] = two[0][threadIdx.x];
  out[(blockIdx.x * 2 + 1) * 64 + threadIdx.x] = two[1][threadIdx.x];
}

void show(const char* name, const float* out, int count) {
  double sum = 0, mixed = 0;
  for (int i = 0; i < count; ++i) {
    sum += out[i];
    mixed += out[i] * double(i % 17 - 8);
  }
  printf("%s %.5g %.5g %.5g\n", name, sum, mixed, double(out[count / 3]));
}

int main() {
  constexpr int count = 6, size = count * N * N;
  float *in, *out;
  cudaMallocManaged(&in, size * sizeof(float));
  cudaMallocManaged(&out, size * sizeof(float));
  for (int i = 0; i < size; ++i) {
    in[i] = float(i * 37 % 29) / 29 + (i % (N * N) % (N + 1) == 0 ? 20 : 0);
    out[i] = 0;
  }
  systems<<<2, 128>>>(in, out, count);
  cudaDeviceSynchronize();
  show("systems", out, size);
  ofBlock<<<3, 64>>>(out);
  cudaDeviceSynchronize();
  show("of the block", out, 3 * 2 * 64);
  cudaFree(in);
  cudaFree(out);
}
