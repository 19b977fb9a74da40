// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that macros move on for a GPU's memory banks: of an expression, of a macro's argument in
// another macro, kept in variables, and macros of which not one argument is the place.
#include <cstdio>

#include <cuda_runtime.h>

#define LOG_BANKS 5
#define PAD(i) ((i) + ((i) >> LOG_BANKS))
#define PAD_OF_SUM(i, j) ((i + j) + ((i + j) >> LOG_BANKS))
#define PAD_TWICE(j) PAD((j) * 2)
#define PAD_AGAIN(j) PAD(j)
#define PAD_NEXT(i) ((i + 1) + ((i + 1) >> LOG_BANKS))
#define PAD_OWN ((tid) + ((tid) >> LOG_BANKS))
#define THREADS 128
#define ELEMS (2 * THREADS)
#define OWN tid

// The scan of a block's elements, with all places in variables.
__global__ void scan(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  extern __shared__ unsigned temp[];
  int tid = threadIdx.x;
  int base = blockIdx.x * ELEMS;
  int ia = base + tid, ib = base + tid + THREADS;
  temp[PAD(tid)] = ia < n ? in[ia] : 0u;
  temp[PAD(tid + THREADS)] = ib < n ? in[ib] : 0u;
  int offset = 1;
  for (int d = ELEMS >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (tid < d) {
      int ai = PAD(offset * (2 * tid + 1) - 1);
      int bi = PAD(offset * (2 * tid + 2) - 1);
      temp[bi] += temp[ai];
    }
    offset <<= 1;
  }
  if (tid == 0) {
    int last = PAD(ELEMS - 1);
    sums[blockIdx.x] = temp[last];
    temp[last] = 0;
  }
  for (int d = 1; d < ELEMS; d <<= 1) {
    offset >>= 1;
    __syncthreads();
    if (tid < d) {
      int ai = PAD(offset * (2 * tid + 1) - 1);
      int bi = PAD(offset * (2 * tid + 2) - 1);
      unsigned t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  if (ia < n)
    out[ia] = temp[PAD(tid)];
  if (ib < n)
    out[ib] = temp[PAD(tid + THREADS)];
}

#define MOVED(name, place, other)                                                                  \
  __global__ void name(int* out) {                                                                 \
    __shared__ int kept[PAD(2 * THREADS + 8)];                                                     \
    int tid = threadIdx.x;                                                                         \
    kept[place] = 3 * tid + 1;                                                                     \
    __syncthreads();                                                                               \
    out[tid] = kept[other];                                                                        \
  }
MOVED(inMacros, PAD(tid), PAD(THREADS - 1 - tid))

__global__ void ofSums(int* out) {
  __shared__ int kept[PAD(2 * THREADS + 8)];
  int tid = threadIdx.x;
  kept[PAD_OF_SUM(tid, 3)] = 3 * tid + 1;
  __syncthreads();
  out[tid] = kept[PAD_OF_SUM(3, THREADS - 1 - tid)];
}
__global__ void twice(int* out) {
  __shared__ int kept[PAD(2 * THREADS + 8)];
  int tid = threadIdx.x;
  kept[PAD_TWICE(tid)] = 3 * tid + 1;
  __syncthreads();
  out[tid] = kept[PAD(2 * (THREADS - 1) - 2 * tid)];
}
__global__ void again(int* out) {
  __shared__ int kept[PAD(2 * THREADS + 8)];
  int tid = threadIdx.x;
  kept[PAD_AGAIN(OWN)] = 3 * tid + 1;
  __syncthreads();
  const int other = PAD(THREADS - 1 - tid);
  out[tid] = kept[other];
}
__global__ void next(int* out) {
  __shared__ int kept[PAD(2 * THREADS + 8)];
  int tid = threadIdx.x;
  kept[PAD_NEXT(tid)] = 3 * tid + 1;
  __syncthreads();
  out[tid] = kept[PAD(THREADS - tid)];
}
__global__ void own(int* out) {
  __shared__ int kept[PAD(2 * THREADS + 8)];
  int tid = threadIdx.x;
  kept[(PAD_OWN)] = 3 * tid + 1;
  __syncthreads();
  out[tid] = kept[PAD(THREADS - 1 - tid)];
}
// All places in variables, one of them the same for all threads.
__global__ void inVariables(int* out) {
  __shared__ int kept[PAD(2 * THREADS + 8)];
  int tid = threadIdx.x;
  int last = PAD(THREADS - 1), place = PAD(THREADS - 1 - tid);
  kept[place] = 3 * tid + 1;
  __syncthreads();
  out[tid] = kept[last] + tid;
}

int main() {
  const int n = 5 * ELEMS - 37, blocks = 5;
  unsigned *in, *out, *sums;
  int* own_;
  cudaMallocManaged(&in, n * sizeof(unsigned));
  cudaMallocManaged(&out, n * sizeof(unsigned));
  cudaMallocManaged(&sums, blocks * sizeof(unsigned));
  cudaMallocManaged(&own_, THREADS * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = (i * 2654435761u >> 7) % 100;
  scan<<<blocks, THREADS, PAD(ELEMS) * sizeof(unsigned)>>>(in, out, sums, n);
  cudaDeviceSynchronize();
  for (int b = 0; b < blocks; ++b)
    printf("sum %u\n", sums[b]);
  for (int i = 0; i < n; i += 61)
    printf("%d: %u\n", i, out[i]);
  const auto show = [&](const char* name) {
    cudaDeviceSynchronize();
    printf("%s:", name);
    for (int i = 0; i < THREADS; i += 9)
      printf(" %d", own_[i]);
    printf("\n");
  };
  inMacros<<<1, THREADS>>>(own_);
  show("inMacros");
  ofSums<<<1, THREADS>>>(own_);
  show("ofSums");
  twice<<<1, THREADS>>>(own_);
  show("twice");
  again<<<1, THREADS>>>(own_);
  show("again");
  next<<<1, THREADS>>>(own_);
  show("next");
  own<<<1, THREADS>>>(own_);
  show("own");
  inVariables<<<1, THREADS>>>(own_);
  show("inVariables");
  return 0;
}
