// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with barriers that are given the thread's place: by all callers threadIdx.x, or by one of them something else;
// and volatile pointers to shared memory.
#include <cstdio>

constexpr int threads = 128;

// All callers give threadIdx.x, under several names.
template <int size> __device__ int sum(volatile int* s, int t) {
  for (int half = size / 2; half > 0; half /= 2) {
    if (t < half)
      s[t] += s[t + half];
    __syncthreads();
  }
  return s[0];
}

// It is changed in the function.
__device__ void reverse(int* s, unsigned t) {
  const int mine = s[t];
  __syncthreads();
  t = blockDim.x - 1 - t;
  s[t] = mine;
  __syncthreads();
}

// One caller gives another place.
__device__ void rotate(volatile int* s, int t, int by) {
  volatile int* const from = s + by;
  const int next = t + by < threads ? from[t] : s[t + by - threads];
  __syncthreads();
  s[t] = next;
  __syncthreads();
}

// Given on by a function that is given it, along y, and in a caller whose variable changes.
__device__ int inner(int* s, int y) {
  s[threadIdx.y * blockDim.x + threadIdx.x] += y;
  __syncthreads();
  return s[(threadIdx.y * blockDim.x + threadIdx.x + 5) % (blockDim.x * blockDim.y)] * (y + 1);
}
__device__ int outer(int* s, int y) {
  const int one = inner(s, y);
  __syncthreads();
  return one + 2 * inner(s, y);
}
__device__ void moving(int* s, int t) {
  s[t] ^= t;
  __syncthreads();
}

__global__ void sums(const int* in, int* out) {
  __shared__ int s[threads];
  __shared__ volatile int twice[threads];
  const int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * threads + tid];
  twice[tid] = 2 * s[tid];
  __syncthreads();
  reverse(s, threadIdx.x);
  rotate(s, tid, 3);
  const int last = s[tid];
  const int all = sum<threads>(s, tid);
  const int both = sum<threads>(twice, threadIdx.x);
  out[blockIdx.x * threads + tid] = last + all * 3 + both;
}

__global__ void others(const int* in, int* out) {
  extern __shared__ int s[];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  volatile int* v = s;
  if (t > 0)
    out[t] = v[t - 1] + v[t];
  __syncthreads();
  rotate(v, (t + 1) % threads, 1);
  for (int k = 0; k < 3; ++k) {
    moving(s, t);
    t = (t + 31) % threads;
  }
  out[threadIdx.x] += s[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] ^= sum<64>(v + 32, threadIdx.x);
}

__global__ void columns(int* out) {
  __shared__ int s[8 * 9];
  s[threadIdx.y * 8 + threadIdx.x] = threadIdx.x * 3 + threadIdx.y;
  __syncthreads();
  out[threadIdx.y * 8 + threadIdx.x] = outer(s, threadIdx.y);
}

static unsigned hash(const int* data, int n) {
  unsigned h = 2166136261u;
  for (int i = 0; i < n; ++i)
    h = (h ^ unsigned(data[i])) * 16777619u;
  return h;
}

int main() {
  const int n = 8 * threads;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 7919) % 1009;
    out[i] = 0;
  }
  sums<<<8, threads>>>(in, out);
  cudaDeviceSynchronize();
  printf("sums: %08x\n", hash(out, n));
  others<<<1, threads, threads * sizeof(int)>>>(in, out);
  cudaDeviceSynchronize();
  printf("others: %08x\n", hash(out, n));
  columns<<<1, dim3(8, 9)>>>(out);
  cudaDeviceSynchronize();
  printf("columns: %08x\n", hash(out, n));
  return 0;
}
