// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several matrices to a block in dynamic shared memory, one for each row of threads, by macros that have the names of the
// pointers which they index; macros that come to their own name in other ways, which is none there.
#include <cstdio>

extern __shared__ int pool[];

#define sA(i, j) sA[(i) * slda + (j)]
#define sB(i) sB[i]
#define both(i) (sA((i), (i)) + sB(i))
#define at(i) (*at + through(i))
#define through(i) at[i]
#define pass(f, x) f(x)
#define triple(x) triple((x) + ty)
#define twice(x) pass(twice, (x) + tx)

__device__ int(triple)(int x) { return 3 * x; }
__device__ int(twice)(int x) { return 2 * x; }

template <int N> __global__ void eliminate(const int* in, int* out, int count, const int* scale) {
#define scale scale[0]
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int matrix = blockIdx.x * blockDim.y + ty;
  const bool live = matrix < count;
  constexpr int slda = N | 1;
  int* sA = pool + ty * N * slda;
  int* sB = pool + blockDim.y * N * slda + ty * N;
  const int* from = in + matrix * N * N;
  const int* at = sB;
  if (live) {
    for (int i = 0; i < N; ++i) sA(i, tx) = from[i * N + tx];
    sB[tx] = from[tx] % 5;
  } else {
    for (int i = 0; i < N; ++i) sA(i, tx) = i == tx;
    sB(tx) = 0;
  }
  __syncthreads();
  for (int k = 0; k < N; ++k) {
    const int p = (k * 3 + sA(k, k) % 2 + 2) % N;
    __syncthreads();
    if (p != k) {
      int t = sA(k, tx); sA(k, tx) = sA(p, tx); sA(p, tx) = t;
      if (tx == 0) { t = sB(k); sB(k) = sB(p); sB(p) = t; }
    }
    __syncthreads();
    if (tx > k) {
      const int l = sA(tx, k) % 7;
      sA(tx, k) = l;
      for (int j = k + 1; j < N; ++j) sA(tx, j) = (sA(tx, j) - l * sA(k, j)) % 10007;
      sB(tx) -= l * sB(k) % 11;
    }
    __syncthreads();
  }
  if (live) {
    int* to = out + matrix * (N + 1) * N;
    for (int i = 0; i < N; ++i) to[i * N + tx] = sA(i, tx);
    to[N * N + tx] = both(tx) + triple(tx) + twice(ty) + sA(sB(tx) & 3, tx) + at(tx) + scale;
  }
}

int main() {
  constexpr int n = 20, layers = 4, count = 10;
  int *in, *out, *scale_;
  cudaMallocManaged(&in, count * n * n * sizeof(int));
  cudaMallocManaged(&out, count * (n + 1) * n * sizeof(int));
  cudaMallocManaged(&scale_, sizeof(int));
  *scale_ = 5;
  for (int i = 0; i < count * n * n; ++i) in[i] = i * 37 % 1013 - 400;
  const dim3 threads(n, layers), grid((count + layers - 1) / layers);
  eliminate<n><<<grid, threads, layers * (n * (n | 1) + n) * sizeof(int)>>>(in, out, count, scale_);
  cudaDeviceSynchronize();
  for (int m = 0; m < count; ++m) {
    const int* of = out + m * (n + 1) * n;
    unsigned hash = 0;
    for (int i = 0; i < (n + 1) * n; ++i) hash = hash * 31 + unsigned(of[i]);
    printf("%d: %u, %d %d %d\n", m, hash, of[0], of[n * n - 1], of[n * n + n - 1]);
  }
  return 0;
}
