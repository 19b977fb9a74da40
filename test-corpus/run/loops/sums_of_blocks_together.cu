// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops by the whole grid in which each thread adds up, and blocks that join their threads' sums: several blocks may take the
// steps of such a loop together, if they begin alike. Sums of each block are shown: which elements a block has, and in which
// order, is the program's.
#include <cfloat>
#include <cstdio>

#include <cuda_runtime.h>

constexpr int threads = 128;

struct Sums {
  double* sum;
  float* most;
  int* where;
  int* count;
};

__device__ void addUp(double sum, float most, int where, int count, Sums out, int at) {
  __shared__ double sums[threads];
  __shared__ float largest[threads];
  __shared__ int places[threads], counts[threads];
  const int t = threadIdx.x;
  sums[t] = sum;
  largest[t] = most;
  places[t] = where;
  counts[t] = count;
  __syncthreads();
  for (int s = threads / 2; s > 0; s /= 2) {
    if (t < s) {
      sums[t] += sums[t + s];
      counts[t] += counts[t + s];
      if (largest[t + s] > largest[t] || (largest[t + s] == largest[t] && places[t + s] < places[t])) {
        largest[t] = largest[t + s];
        places[t] = places[t + s];
      }
    }
    __syncthreads();
  }
  if (t == 0) {
    out.sum[at] = sums[0];
    out.most[at] = largest[0];
    out.where[at] = places[0];
    out.count[at] = counts[0];
  }
}

__global__ void plain(const float* x, int n, Sums out) {
  double sum = 0;
  float most = -FLT_MAX;
  int where = -1, count = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += threads * gridDim.x) {
    const float v = x[i];
    sum += v;
    if (v > most) {
      most = v;
      where = i;
    }
    if (v > 3)
      ++count;
  }
  addUp(sum, most, where, count, out, blockIdx.x);
}

// The order of a thread's own additions shows: large numbers take small ones in.
__global__ void inOrder(const float* x, int n, float* out) {
  __shared__ float sums[threads];
  float sum = 16777216.0f;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    sum = (sum + x[i]) * (i % 3 == 0 ? 0.5f : 1.0f);
  sums[threadIdx.x] = sum;
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = sums[threads - 1 - threadIdx.x];
}

// Each block begins with something of its own, or asks for its number in the loop.
__global__ void ofBlock(const float* x, int n, Sums out) {
  const int own = blockIdx.x + 1;
  double sum = own;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += threads * gridDim.x)
    sum += x[i] * own;
  addUp(sum, 0, 0, 0, out, blockIdx.x);
}
__global__ void askedInLoop(const float* x, int n, Sums out) {
  double sum = 0;
  int count = threadIdx.x % 3;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n - int(blockIdx.x) * 200; i += threads * gridDim.x) {
    sum += x[i] * (blockIdx.x % 5) + blockIdx.y;
    count += (i + blockIdx.x) % 4 == 0;
  }
  addUp(sum, 0, 0, count, out, blockIdx.x + gridDim.x * blockIdx.y);
}
__device__ float byBlock(float v) { return v * (blockIdx.x % 4); }
__global__ void askedInCalls(const float* x, int n, Sums out) {
  double sum = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += threads * gridDim.x)
    sum += byBlock(x[i]);
  addUp(sum, 0, 0, 0, out, blockIdx.x);
}

// Each block prepares what its loop reads.
__global__ void prepared(const float* x, int n, float* factors, Sums out) {
  __shared__ float shift;
  if (threadIdx.x == 0) {
    factors[blockIdx.x] = blockIdx.x % 7 + 1;
    shift = blockIdx.x;
  }
  __syncthreads();
  double sum = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += threads * gridDim.x)
    sum += x[i] * factors[blockIdx.x] + shift;
  addUp(sum, 0, 0, 0, out, blockIdx.x);
}

// Two such loops, of which the second begins with the first one's sums.
__global__ void twice(const float* x, const float* y, int n, Sums out) {
  double sum = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += threads * gridDim.x)
    sum += x[i];
  sum *= 2;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += threads * gridDim.x)
    sum -= y[i];
  addUp(sum, 0, 0, 0, out, blockIdx.x);
}

// Blocks that return, and the last one, which adds up what all have come to.
__device__ unsigned arrived;
__global__ void lastAddsUp(const float* x, int n, int blocks, double* partial, double* all) {
  __shared__ double sums[threads];
  __shared__ bool isLast;
  if (blockIdx.x >= blocks)
    return;
  double sum = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += threads * gridDim.x)
    sum += x[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    double own = 0;
    for (int t = 0; t < threads; ++t)
      own += sums[t];
    partial[blockIdx.x] = own;
    __threadfence();
    isLast = atomicAdd(&arrived, 1) == blocks - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    *all = 0;
    for (int b = 0; b < blocks; ++b)
      *all += *(volatile double*)&partial[b];
    arrived = 0;
  }
}

static void show(const char* name, const Sums& s, int blocks) {
  cudaDeviceSynchronize();
  double sum = 0;
  long long where = 0, count = 0;
  float most = 0;
  for (int b = 0; b < blocks; ++b) {
    sum += s.sum[b] * (b % 13 + 1);
    most += s.most[b] * (b % 3);
    where += (b % 11 + 1LL) * s.where[b];
    count += s.count[b] * (b % 5);
  }
  printf("%s %d: %.3f %.3f %lld %lld\n", name, blocks, sum, most, where, count);
}

int main() {
  const int most = 300007, mostBlocks = 600;
  float *x, *y, *factors, *values;
  Sums s;
  double *partial, *all;
  cudaMallocManaged(&x, most * sizeof(float));
  cudaMallocManaged(&y, most * sizeof(float));
  cudaMallocManaged(&factors, mostBlocks * sizeof(float));
  cudaMallocManaged(&values, mostBlocks * threads * sizeof(float));
  cudaMallocManaged(&s.sum, mostBlocks * sizeof(double));
  cudaMallocManaged(&s.most, mostBlocks * sizeof(float));
  cudaMallocManaged(&s.where, mostBlocks * sizeof(int));
  cudaMallocManaged(&s.count, mostBlocks * sizeof(int));
  cudaMallocManaged(&partial, mostBlocks * sizeof(double));
  cudaMallocManaged(&all, sizeof(double));
  unsigned random = 12345;
  for (int i = 0; i < most; ++i) {
    random = random * 1664525u + 1013904223u;
    x[i] = (int(random >> 20) - 2000) / 256.0f;
    y[i] = int(random >> 10 & 255) / 64.0f;
  }
  const int sizes[] = {0, 5, 1000, 40000, most};
  const int grids[] = {1, 2, 7, 40, 300};
  for (const int n : sizes)
    for (const int blocks : grids) {
      printf("n %d\n", n);
      plain<<<blocks, threads>>>(x, n, s);
      show("plain", s, blocks);
      inOrder<<<blocks, threads>>>(x, n, values);
      cudaDeviceSynchronize();
      double sum = 0;
      for (int i = 0; i < blocks * threads; ++i)
        sum += values[i] * (i % 17 + 1.0);
      printf("in order: %.6f\n", sum);
      ofBlock<<<blocks, threads>>>(x, n, s);
      show("of block", s, blocks);
      askedInLoop<<<dim3(blocks, 2), threads>>>(x, n, s);
      show("asked in loop", s, 2 * blocks);
      askedInCalls<<<blocks, threads>>>(x, n, s);
      show("asked in calls", s, blocks);
      prepared<<<blocks, threads>>>(x, n, factors, s);
      show("prepared", s, blocks);
      twice<<<blocks, threads>>>(x, y, n, s);
      show("twice", s, blocks);
      lastAddsUp<<<blocks, threads>>>(x, n, blocks - blocks / 3, partial, all);
      cudaDeviceSynchronize();
      printf("last %d: %.3f\n", blocks, *all);
    }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
