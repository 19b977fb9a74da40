// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of which each concerns fewer threads: elimination with a thread for each row, one search by
// a single thread, rows that warps share, steps given at run time that are zero or negative.
#include <cstdio>

template <int rows, int columns>
__global__ void byRows(const unsigned* in, unsigned* out, int* best, int n) {
  __shared__ unsigned a[rows][columns];
  __shared__ int chosen;
  const int tid = threadIdx.x;
  for (int r = 0; r < n; ++r)
    a[r][tid] = in[(blockIdx.x * rows + r) * rows + tid];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (tid == k % 3) {
      int most = k;
      for (int r = k + 1; r < n; ++r)
        if (a[r][k] > a[most][k])
          most = r;
      chosen = most;
      best[blockIdx.x * rows + k] = most;
    }
    __syncthreads();
    if (chosen != k) {
      const unsigned t = a[k][tid];
      a[k][tid] = a[chosen][tid];
      a[chosen][tid] = t;
    }
    __syncthreads();
    if (tid > k && tid < n) {
      const unsigned factor = a[tid][k] / (a[k][k] | 1);
      a[tid][k] = factor;
      for (int c = k + 1; c < n; ++c)
        a[tid][c] -= factor * a[k][c];
    }
    __syncthreads();
  }
  for (int r = 0; r < n; ++r)
    out[(blockIdx.x * rows + r) * rows + tid] = a[r][tid];
}

template <int size> __global__ void byWarps(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned a[size][size + 1];
  __shared__ unsigned b[size];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int r = ty; r < n; r += blockDim.y)
    if (tx < n)
      a[r][tx] = in[r * size + tx];
  if (ty == 0 && tx < n)
    b[tx] = tx;
  __syncthreads();
  for (int k = 0; k < n - 1; ++k) {
    if (ty == 0 && tx > k && tx < n)
      a[tx][k] /= a[k][k] | 1;
    __syncthreads();
    for (int r = k + 1 + ty; r < n; r += blockDim.y)
      if (tx > k && tx < n)
        a[r][tx] -= a[r][k] * a[k][tx];
    __syncthreads();
    if (ty == 1 && tx > k && tx <= n - 1)
      b[tx] += a[tx][k] * b[k];
    __syncthreads();
  }
  for (int k = n - 1; k >= 0; --k) {
    if (ty == 0 && tx < k)
      b[tx] ^= a[tx][k] + b[k];
    __syncthreads();
  }
  for (int r = ty; r < n; r += blockDim.y)
    if (tx < n)
      out[r * size + tx] = a[r][tx] + b[tx];
}

__global__ void every(unsigned* out, int step, unsigned unsignedStep) {
  __shared__ unsigned s[96];
  const unsigned tid = threadIdx.x;
  const int place = threadIdx.x;
  s[tid] = 0;
  for (int round = 1; round < 4; ++round) {
    __syncthreads();
    if (tid % (step * round) == 0)
      s[tid] += 1 * round;
    __syncthreads();
    if (place % (step * round) == 0)
      s[tid] += 10 * round;
    __syncthreads();
    if (tid % (unsignedStep * round) == 0 && tid + round < blockDim.x)
      s[tid] += 100 * round;
  }
  __syncthreads();
  out[tid] = s[tid];
}

// Conditions in a branch, and those of what it names, are none of the branch itself.
__global__ void inner(unsigned* out, int n, int m) {
  __shared__ unsigned a[64], b[64];
  const int tid = threadIdx.x;
  const int near = tid < n ? tid : 1;
  a[tid] = tid;
  b[tid] = 100 + tid;
  __syncthreads();
  for (int k = 0; k < 3; ++k) {
    if (tid > k)
      a[tid] += b[near] * b[k];
    __syncthreads();
    if (tid > m + k) {
      unsigned sum = 0;
      for (int c = k; c < tid; ++c) {
        sum += b[near] * c;
        if (tid < m + 10)
          sum *= 3;
      }
      a[tid] += sum;
    }
    __syncthreads();
    if (!(tid <= m) && tid % 3)
      for (int c = k; c < n; ++c)
        a[tid] += tid > n ? c : b[c];
    __syncthreads();
  }
  out[tid] = a[tid];
}

int main() {
  constexpr int most = 2 * 40 * 40;
  unsigned *in, *out;
  int* best;
  cudaMallocManaged(&in, most * sizeof(unsigned));
  cudaMallocManaged(&out, most * sizeof(unsigned));
  cudaMallocManaged(&best, most * sizeof(int));
  for (int i = 0; i < most; ++i)
    in[i] = (i * 7919u) % 10007 + (i % 41) * 1000, out[i] = best[i] = 0;
  const auto print = [&](const char* name, int n) {
    cudaDeviceSynchronize();
    unsigned long long sum = 0;
    for (int i = 0; i < most; ++i)
      sum = sum * 31 + out[i] + best[i];
    printf("%s %d: %llu\n", name, n, sum);
    for (int i = 0; i < most; ++i)
      out[i] = best[i] = 0;
  };
  for (const int n : {28, 9, 1, 0}) {
    byRows<28, 29><<<2, 28>>>(in, out, best, n);
    print("rows of 28", n);
  }
  for (const int n : {32, 31, 17}) {
    byRows<32, 33><<<2, 32>>>(in, out, best, n);
    print("rows of 32", n);
  }
  byRows<40, 40><<<2, 40>>>(in, out, best, 40);
  print("rows of 40", 40);
  for (const int n : {32, 30, 16, 3, 1}) {
    byWarps<32><<<1, dim3(32, 8)>>>(in, out, n);
    print("warps", n);
    byWarps<32><<<1, dim3(32, 32)>>>(in, out, n);
    print("a warp for each row", n);
  }
  byWarps<64><<<1, dim3(64, 4)>>>(in, out, 41);
  print("two warps for each row", 41);
  for (const int step : {1, 2, 3, 16, 40, 1000, -1, -2, -5}) {
    every<<<1, 96>>>(out, step, 1u << (step & 7));
    print("every", step);
  }
  for (const int n : {20, 64, 0}) {
    inner<<<1, 64>>>(out, n, 5);
    print("inner", n);
  }
  return 0;
}
