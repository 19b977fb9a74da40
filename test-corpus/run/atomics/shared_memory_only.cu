// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics on shared memory, threads of a block colliding at each place: every operation and type, through pointers,
// references, members, dynamic shared memory and device functions.
#include <cstdio>

struct Bin {
  int count;
  float sum;
  unsigned long long wide;
};

__device__ unsigned ticket() {
  __shared__ unsigned next;
  if (threadIdx.x == 0)
    next = 0;
  __syncthreads();
  const unsigned mine = atomicInc(&next, 1000u);
  __syncthreads();
  return mine;
}

template <class T> __device__ T blockSum(T value) {
  __shared__ T sum;
  if (threadIdx.x == 0)
    sum = T(0);
  __syncthreads();
  atomicAdd(&sum, value);
  __syncthreads();
  const T all = sum;
  __syncthreads();
  return all;
}

__global__ void operations(int* out, int n) {
  __shared__ int bins[8];
  __shared__ Bin records[2];
  __shared__ unsigned bits[3];
  __shared__ int limits[2];
  extern __shared__ int dynamic[];
  const int t = threadIdx.x;
  if (t < 8)
    bins[t] = 0;
  if (t < 2) {
    records[t].count = 0;
    records[t].sum = 0;
    records[t].wide = 0;
    limits[t] = t ? -1000 : 1000;
  }
  if (t < 3)
    bits[t] = t == 0 ? ~0u : 0;
  if (t < 4)
    dynamic[t] = 0;
  __syncthreads();
  int* cursor = bins + 4;
  cursor += 1;
  int& last = bins[7];
  atomicAdd(&bins[t % 4], t);
  atomicSub(bins + 4, 2);
  atomicAdd(cursor, 3);
  if (t < n)
    atomicAdd(&last, 1);
  atomicAdd(&records[t & 1].count, 1);
  atomicAdd(&records[t & 1].sum, 0.5f);
  atomicAdd(&records[t % 2].wide, 1ull << 33);
  atomicAnd(&bits[0], ~(1u << (t % 32)));
  atomicOr(&bits[1], 1u << (t % 30));
  atomicXor(&bits[2], unsigned(t));
  atomicMin(&limits[0], 50 - t);
  atomicMax(&limits[1], t * 2);
  atomicAdd(dynamic + t % 4, 7);
  __syncthreads();
  const unsigned mine = ticket();
  const int sum = blockSum(t);
  const float half = blockSum(t * 0.5f);
  const int tickets = blockSum(int(mine));
  if (t == 0) {
    int* to = out + blockIdx.x * 32;
    for (int i = 0; i < 8; ++i)
      *to++ = bins[i];
    for (int i = 0; i < 2; ++i) {
      *to++ = records[i].count;
      *to++ = int(records[i].sum * 2);
      *to++ = int(records[i].wide >> 33);
      *to++ = limits[i];
    }
    for (int i = 0; i < 3; ++i)
      *to++ = int(bits[i]);
    for (int i = 0; i < 4; ++i)
      *to++ = dynamic[i];
    *to++ = sum;
    *to++ = int(half * 2);
    *to++ = tickets;
  }
}

// The old values that colliding threads get are all different.
__global__ void slots(int* out) {
  __shared__ int next;
  __shared__ int taken[128];
  __shared__ int swaps;
  if (threadIdx.x == 0)
    next = swaps = 0;
  taken[threadIdx.x] = 0;
  __syncthreads();
  const int slot = atomicAdd(&next, 1);
  taken[slot] = 1;
  int expected = 0;
  for (;;) {
    const int seen = atomicCAS(&swaps, expected, expected + 2);
    if (seen == expected)
      break;
    expected = seen;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int count = 0;
    for (int i = 0; i < 128; ++i)
      count += taken[i];
    out[blockIdx.x] = count * 1000 + swaps;
  }
}

int main() {
  int *out, host[96];
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  operations<<<3, 96, 4 * sizeof(int)>>>(out, 70);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 96; ++i)
    printf("%d%c", host[i], i % 16 == 15 ? '\n' : ' ');
  slots<<<4, 128>>>(out);
  cudaMemcpy(host, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
  cudaFree(out);
  return 0;
}
