// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutations of a tensor's axes by tiles: what is one for the block comes from operators and
// functions of a shape, and from a shape that the kernel makes. One shape differs between threads.
#include <cstdio>

struct Shape {
  int d[4];
  __host__ __device__ constexpr int operator[](int i) const { return d[i]; }
  __host__ __device__ int& at(int i) { return d[i]; }
};
__host__ __device__ constexpr int strideOf(const Shape& s, int axis) {
  int stride = 1;
  for (int i = 3; i > axis; --i)
    stride *= s[i];
  return stride;
}
__host__ __device__ constexpr Shape operator+(const Shape& s, int n) {
  return Shape{{s[0] + n, s[1], s[2], s[3]}};
}

constexpr int TILE = 16, ROWS = 4;

template <int A, int B, int C, int D>
__global__ void permute(const int* __restrict__ in, int* __restrict__ out, Shape s) {
  constexpr int first = D == 0 ? 1 : 0, second = D == 2 ? 1 : 2;
  constexpr int at0 = A == first ? 0 : B == first ? 1 : 2;
  constexpr int at1 = A == second ? 0 : B == second ? 1 : 2;
  constexpr int at3 = A == 3 ? 0 : B == 3 ? 1 : 2;
  __shared__ int tile[TILE][TILE + 1];
  const Shape o{{s[A], s[B], s[C], s[D]}};
  const int i0 = blockIdx.z / s[second], i1 = blockIdx.z % s[second];
  const int* src = in + i0 * strideOf(s, first) + i1 * strideOf(s, second);
  int* dst = out + i0 * strideOf(o, at0) + i1 * strideOf(o, at1);

  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS)
    if (x < s[3] && y + j < s[D])
      tile[threadIdx.y + j][threadIdx.x] = src[(y + j) * strideOf(s, D) + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS)
    if (x < s[D] && y + j < s[3])
      dst[(y + j) * strideOf(o, at3) + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void mixed(int* out, Shape s) {
  __shared__ int part[32];
  Shape own = s + 1;                              // one for the block until a thread changes its own
  const Shape mine{{int(threadIdx.x), s[1], 1, 1}}; // each thread's
  const Shape all = s + 2;
  own.at(1) += threadIdx.x;
  part[threadIdx.x] = own[0] + own[1] + strideOf(mine, 0) + mine[0];
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = part[31 - threadIdx.x] * all[0] + own[1] + mine[0] * all[2];
}

template <int A, int B, int C, int D> void run(const int* in, int* out, const Shape& s) {
  const int n = s[0] * s[1] * s[2] * s[3];
  const dim3 grid((s[3] + TILE - 1) / TILE, (s[D] + TILE - 1) / TILE, n / (s[3] * s[D]));
  cudaMemset(out, 0, n * sizeof(int));
  permute<A, B, C, D><<<grid, dim3(TILE, ROWS)>>>(in, out, s);
  cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (long long)out[i] * (i % 101 + 1);
  printf("%d%d%d%d: %lld, %d %d\n", A, B, C, D, sum, out[7], out[n - 2]);
}

int main() {
  const Shape s{{3, 21, 18, 37}};
  const int n = s[0] * s[1] * s[2] * s[3];
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = i * 7 % 1009;
  run<0, 2, 3, 1>(in, out, s);
  run<0, 3, 1, 2>(in, out, s);
  run<3, 2, 1, 0>(in, out, s);
  run<1, 3, 0, 2>(in, out, s);
  mixed<<<3, 32>>>(out, s);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < 96; ++i)
    sum += out[i] * (i + 1);
  printf("mixed: %d, %d %d\n", sum, out[5], out[95]);
}
