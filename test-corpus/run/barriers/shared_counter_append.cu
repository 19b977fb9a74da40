// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared counters with atomics between barriers: compaction with a block offset, rounds that reset the counter.
#include <cstdio>

__global__ void compact(const int* in, int n, int* out, int* total) {
  __shared__ int count, offset;
  __shared__ int kept[128];
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int place = -1;
  if (i < n && in[i] % 3 == 0)
    place = atomicAdd(&count, 1);
  if (place >= 0)
    kept[place] = in[i];
  __syncthreads();
  if (threadIdx.x == 0)
    offset = atomicAdd(total, count);
  __syncthreads();
  for (int j = threadIdx.x; j < count; j += blockDim.x)
    out[offset + j] = kept[j];
}

__global__ void rounds(int* sums, int n) {
  __shared__ unsigned counter;
  int mine = 0;
  for (int r = 0; r < n; ++r) {
    if (threadIdx.x == blockDim.x - 1)
      counter = r;
    __syncthreads();
    atomicAdd(&counter, threadIdx.x % (r + 1));
    __syncthreads();
    mine += counter;
    __syncthreads();
  }
  sums[threadIdx.x] = mine;
}

int main() {
  int *in, *out, *total, *sums;
  const int n = 1000;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&total, sizeof(int));
  cudaMallocManaged(&sums, 100 * sizeof(int));
  long long want = 0, got = 0;
  int kept = 0, bad = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = i * 37 % 501;
    if (in[i] % 3 == 0)
      want += (long long)in[i] * in[i], ++kept;
  }
  *total = 0;
  compact<<<(n + 127) / 128, 128>>>(in, n, out, total);
  rounds<<<1, 100>>>(sums, 6);
  cudaDeviceSynchronize();
  for (int i = 0; i < *total; ++i)
    got += (long long)out[i] * out[i];
  int mine = 0;
  for (int r = 0; r < 6; ++r) {
    mine += r;
    for (int t = 0; t < 100; ++t)
      mine += t % (r + 1);
  }
  for (int t = 0; t < 100; ++t)
    bad += sums[t] != mine;
  bad += *total != kept || got != want;
  printf("wrong: %d; %d %lld %d\n", bad, *total, got, sums[0]);
  return bad != 0;
}
