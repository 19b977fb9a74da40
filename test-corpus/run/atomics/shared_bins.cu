// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts in shared memory: bins computed from numbers, under guards, with weights, by functions that are given the bins,
// for each warp, in steps of the block and of a few steps of each thread, and places that the loop reads again.
#include <cstdio>

#define PLACE(step) ((step) * blockDim.x + threadIdx.x)
#define GRID (blockDim.x * gridDim.x)

const int bins = 37, threads = 96;

__device__ int binOf(float x) { return (int)((x + 2.0f) * 9.25f); }

__device__ void countByte(unsigned* at, unsigned byte) { atomicAdd(at + byte % bins, 1u); }
__device__ void countWord(unsigned* at, unsigned word) {
  countByte(at, word & 255);
  countByte(at, word >> 8 & 255);
  countByte(at, word >> 16 & 255);
  countByte(at, word >> 24);
}

// Clamped, in dynamic shared memory.
__global__ void clampedBins(const float* x, int n, int count, unsigned* out) {
  extern __shared__ unsigned s[];
  for (int b = threadIdx.x; b < count; b += blockDim.x)
    s[b] = 0;
  __syncthreads();
  for (unsigned i = PLACE(blockIdx.x); i < n; i += GRID) {
    int b = (int)((x[i] + 1.0f) * 20.0f);
    b = b < 0 ? 0 : b >= count ? count - 1 : b;
    atomicAdd(&s[b], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < count; b += blockDim.x)
    atomicAdd(&out[b], s[b]);
}

// Under guards, with weights and the greatest of each bin.
__global__ void guarded(const float* x, int n, int* weights, int* greatest) {
  __shared__ int sum[bins], most[2][bins];
  for (int b = threadIdx.x; b < bins; b += blockDim.x)
    sum[b] = most[0][b] = most[1][b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    const float v = x[i];
    const int b = binOf(v);
    if (b >= 0 && b < bins) {
      atomicAdd(&sum[b], 1 + i % 5);
      if (v * v < 1.5f)
        atomicMax(&most[i & 1][b], i);
    }
    i += blockDim.x * gridDim.x;
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    atomicAdd(&weights[b], sum[b]);
    atomicMax(&greatest[b], most[0][b]);
    atomicMax(&greatest[bins + b], most[1][b]);
  }
}

// A few numbers of each thread, without a loop over the grid.
__global__ void fewOfEach(const float* x, int n, unsigned* out) {
  __shared__ unsigned s[bins];
  if (threadIdx.x < bins)
    s[threadIdx.x] = 0;
  __syncthreads();
  const int first = blockIdx.x * blockDim.x * 4;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int i = first + PLACE(k);
    if (i < n)
      atomicAdd(&s[min(max(binOf(x[i] * 0.5f + 0.25f), 0), bins - 1)], 1u);
  }
  __syncthreads();
  const int last = blockIdx.x * blockDim.x + threadIdx.x;
  if (last < n) {
    const float y = x[last] * 3.0f - 1.0f;
    const int b = (int)floorf(y * y * 4.0f);
    if (b < bins)
      atomicAdd(s + b, 1u);
  }
  __syncthreads();
  if (threadIdx.x < bins)
    atomicAdd(&out[threadIdx.x], s[threadIdx.x]);
}

// Bytes of words, for each warp.
__global__ void ofWarps(const unsigned* words, int n, unsigned* out) {
  __shared__ unsigned s[threads / 32][bins];
  unsigned* mine = s[threadIdx.x / 32];
  for (int b = threadIdx.x % 32; b < bins; b += 32)
    mine[b] = 0;
  __syncthreads();
  for (int i = PLACE(blockIdx.x); i < n; i += GRID)
    countWord(mine, words[i]);
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    unsigned sum = 0;
    for (int w = 0; w < threads / 32; ++w)
      sum += s[w][b];
    atomicAdd(&out[b], sum);
  }
}

// A thread reads what it has just added to, and adds where what it has read says.
__global__ void readsAgain(const float* x, int n, int* out) {
  __shared__ int count[threads], where[threads];
  count[threadIdx.x] = 0;
  where[threadIdx.x] = (threadIdx.x * 7 + 3) % threads;
  __syncthreads();
  int seen = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const int step = (int)(x[i] * 4.0f + 8.0f);
    atomicAdd(&count[threadIdx.x], step + i % 3);
    seen += count[threadIdx.x];
    atomicAdd(&where[threadIdx.x], step);
    atomicXor(&count[threadIdx.x], where[threadIdx.x] & 15);
  }
  __syncthreads();
  out[threadIdx.x] = seen + count[threadIdx.x] * 3 + where[threadIdx.x];
}

// The same function for shared and for global memory.
template <class T> __device__ void addTo(T* at, float v, T by) {
  const int b = (int)(v * v * 8.0f);
  if (b < bins)
    atomicAdd(&at[b], by);
}
__global__ void everywhere(const float* x, int n, int* out, unsigned* outUnsigned) {
  __shared__ int s[bins];
  __shared__ unsigned u[bins];
  if (threadIdx.x < bins)
    s[threadIdx.x] = u[threadIdx.x] = 0;
  __syncthreads();
  for (int i = PLACE(blockIdx.x); i < n; i += GRID) {
    addTo(s, x[i], 1);
    addTo(out, x[i] + 0.5f, 2);
    addTo(u, x[i] * 0.5f, 3u);
  }
  __syncthreads();
  if (threadIdx.x < bins) {
    atomicAdd(&out[threadIdx.x], s[threadIdx.x]);
    atomicAdd(&outUnsigned[threadIdx.x], u[threadIdx.x]);
  }
}

template <class T> void print(const char* name, T* values, int count) {
  cudaDeviceSynchronize();
  printf("%s:", name);
  for (int i = 0; i < count; ++i) {
    printf(" %lld", (long long)values[i]);
    values[i] = 0;
  }
  printf("\n");
}

int main() {
  const int n = 5003;
  float* x;
  unsigned *words, *counts;
  int *sums, *more;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&words, n * sizeof(unsigned));
  cudaMallocManaged(&counts, 128 * sizeof(unsigned));
  cudaMallocManaged(&sums, 128 * sizeof(int));
  cudaMallocManaged(&more, 128 * sizeof(int));
  for (int i = 0; i < n; ++i) {
    words[i] = (unsigned)i * 2654435761u ^ (unsigned)i * (unsigned)i;
    x[i] = (float)(int)(words[i] >> 9 & 0xffff) / 13000.0f - 2.5f;
  }
  for (int i = 0; i < 128; ++i)
    counts[i] = sums[i] = more[i] = 0;
  clampedBins<<<5, threads, 50 * sizeof(unsigned)>>>(x, n, 50, counts);
  print("clamped", counts, 50);
  guarded<<<4, threads>>>(x, n, sums, more);
  print("weights", sums, bins);
  print("greatest", more, 2 * bins);
  fewOfEach<<<(n + 4 * threads - 1) / (4 * threads), threads>>>(x, n, counts);
  print("few", counts, bins);
  ofWarps<<<3, threads>>>(words, n, counts);
  print("bytes", counts, bins);
  readsAgain<<<1, threads>>>(x, n, sums);
  print("again", sums, threads);
  everywhere<<<6, threads>>>(x, n, sums, counts);
  print("everywhere", sums, bins);
  print("unsigned", counts, bins);
  return 0;
}
