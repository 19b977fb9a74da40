// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps that are two or four rows of a block: shuffles, votes, what lanes keep, branches for some
// of them, updates of shared counts, and a search for a pivot by the first warp.
#include <cstdio>

#include <cuda_runtime.h>

template <int X, int Y, int Z> __global__ void sums(const int* in, int* out, int* counts, int n) {
  __shared__ int part[X * Y * Z / 32], bins[16];
  const int tid = threadIdx.x + X * (threadIdx.y + Y * threadIdx.z), lane = tid & 31;
  if (tid < 16)
    bins[tid] = 0;
  __syncthreads();
  int v = tid < n ? in[tid] : 0;
  const unsigned odd = __ballot_sync(0xffffffffu, v & 1);
  atomicAdd(&bins[(v + threadIdx.y) & 15], 1 + (int)threadIdx.z);
  int sum = v;
  for (int d = 16; d > 0; d >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, d);
  int scanned = v;
  for (int d = 1; d < 32; d <<= 1) {
    const int o = __shfl_up_sync(0xffffffffu, scanned, d);
    if (lane >= d)
      scanned += o;
  }
  if (lane == 0)
    part[tid / 32] = sum;
  int other = __shfl_xor_sync(0xffffffffu, v, 8);
  if (threadIdx.y % 2 == 1)
    other = __popc(odd) - other;
  __syncthreads();
  int all = 0;
  for (int w = 0; w < X * Y * Z / 32; ++w)
    all += part[w];
  out[tid] = scanned * 7 + other * 3 + all + (int)threadIdx.y * 5 + (int)threadIdx.z;
  if (tid < 16)
    counts[tid] = bins[tid];
}

// The largest of a column of a shared matrix and its row, by the first warp of 16 x 16 threads.
__global__ void pivots(const double* a, int* rows, double* values, int n) {
  extern __shared__ double s[];
  __shared__ int found;
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * blockDim.x + tx;
  for (int i = tid; i < n * n; i += blockDim.x * blockDim.y)
    s[(i / n) * (n + 1) + i % n] = a[i];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (tid < 32) {
      double best = -1.0;
      int row = k;
      for (int i = k + tid; i < n; i += 32) {
        const double v = fabs(s[i * (n + 1) + k]);
        if (v > best) {
          best = v;
          row = i;
        }
      }
      for (int off = 16; off > 0; off /= 2) {
        const double ob = __shfl_down_sync(0xffffffffu, best, off);
        const int orow = __shfl_down_sync(0xffffffffu, row, off);
        if (ob > best || (ob == best && orow < row)) {
          best = ob;
          row = orow;
        }
      }
      if (tid == 0) {
        found = row;
        values[k] = best;
      }
    }
    __syncthreads();
    if (tid == 0)
      rows[k] = found;
    for (int i = k + 1 + ty; i < n; i += blockDim.y) {
      double l = s[i * (n + 1) + k];
      for (int j = k + 1 + tx; j < n; j += blockDim.x)
        s[i * (n + 1) + j] -= l * s[k * (n + 1) + j];
    }
    __syncthreads();
  }
}

template <int X, int Y, int Z> void trySums(const int* in, int* out, int* counts) {
  for (const int n : {X * Y * Z, X * Y * Z - 21}) {
    sums<X, Y, Z><<<1, dim3(X, Y, Z)>>>(in, out, counts, n);
    cudaDeviceSynchronize();
    unsigned sum = 0;
    for (int i = 0; i < X * Y * Z; ++i)
      sum = sum * 31 + static_cast<unsigned>(out[i]);
    printf("%d %d %d, %d: %u", X, Y, Z, n, sum);
    for (int i = 0; i < 16; ++i)
      printf(" %d", counts[i]);
    printf("\n");
  }
}

int main() {
  int *in, *out, *counts;
  double *a, *values;
  const int n = 21;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&out, 1024 * sizeof(int));
  cudaMallocManaged(&counts, 16 * sizeof(int));
  cudaMallocManaged(&a, n * n * sizeof(double));
  cudaMallocManaged(&values, n * sizeof(double));
  for (int i = 0; i < 1024; ++i)
    in[i] = i * 37 % 101;
  for (int i = 0; i < n * n; ++i)
    a[i] = (i * 29 % 17 - 8) / 16.0;
  trySums<16, 16, 1>(in, out, counts);
  trySums<8, 8, 1>(in, out, counts);
  trySums<8, 4, 3>(in, out, counts);
  trySums<16, 2, 2>(in, out, counts);
  trySums<16, 3, 2>(in, out, counts);
  trySums<4, 8, 1>(in, out, counts);
  trySums<24, 4, 1>(in, out, counts);
  pivots<<<1, dim3(16, 16), n*(n + 1) * sizeof(double)>>>(a, out, values, n);
  cudaDeviceSynchronize();
  for (int k = 0; k < n; ++k)
    printf("%d %.6g\n", out[k], values[k]);
  return 0;
}
