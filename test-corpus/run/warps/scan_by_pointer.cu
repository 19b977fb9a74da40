// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compaction: a function in which threads meet tells how many elements are kept by a pointer to a
// variable of its caller, `&total`; what a thread keeps is told by a truth value from before a
// barrier.
#include <cstdio>

__device__ int scan(int v, int* sums, int* total) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  int s = v;
  for (int o = 1; o < 32; o <<= 1) {
    const int t = __shfl_up_sync(0xffffffffu, s, o);
    if (lane >= o)
      s += t;
  }
  if (lane == 31)
    sums[warp] = s;
  __syncthreads();
  int before = 0, all = 0;
  for (int w = 0; w < warps; ++w) {
    if (w < warp)
      before += sums[w];
    all += sums[w];
  }
  *total = all;
  __syncthreads();
  return before + s - v;
}
__global__ void keep(const int* in, int n, int least, int* out, int* count) {
  __shared__ int sums[8];
  int kept = 0;
  for (int first = 0; first < n; first += blockDim.x) {
    const int i = first + threadIdx.x;
    int total;
    const bool takes = i < n && in[i] > least;
    const int place = scan(takes ? 1 : 0, sums, &total);
    if (takes) {
      out[kept + place] = in[i];
      out[n + kept + place] = i;
    }
    kept += total;
  }
  if (threadIdx.x == 0)
    *count = kept;
}

// Threads have values of their own: the variable is read and changed through the pointer, and given
// by its value as well.
__device__ void add(int* sum, const int* by, int times, int* shared) {
  shared[threadIdx.x] = *sum * times;
  __syncthreads();
  *sum += shared[(threadIdx.x + 1) % blockDim.x] / *by;
  __syncthreads();
}
__global__ void around(int* out) {
  __shared__ int shared[96];
  int sum = threadIdx.x % 7 + 1, by = threadIdx.x % 3 + 1;
  add(&sum, &by, sum, shared);
  add(&sum, &sum, 3, shared);
  add(&by, &sum, by + 4, shared);
  out[threadIdx.x] = sum * 1000 + by;
}

int main() {
  const int n = 1000;
  int *in, *out, *count;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, 2 * n * sizeof(int));
  cudaMallocManaged(&count, sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = i * 7919 % 1009;
  for (const int least : {2000, 900, 500, -1}) {
    keep<<<1, 128>>>(in, n, least, out, count);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < *count; ++i)
      sum += (long long)(i + 1) * out[i] + out[n + i] * 3;
    printf("above %d: %d, %lld\n", least, *count, sum);
  }
  around<<<1, 96>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 96; i += 5)
    printf("%d ", out[i]);
  printf("\n");
}
