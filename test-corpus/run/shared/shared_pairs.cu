// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting networks whose pairs the threads of a block or of the grid share in loops: any number of
// pairs, with and without a whole number of steps, in shared and in global memory, and counters of
// other types.
#include <cstdio>
#include <vector>

constexpr int tile = 512;

__device__ inline void order(unsigned& a, unsigned& b, bool ascending) {
  if ((a > b) == ascending) {
    unsigned t = a;
    a = b;
    b = t;
  }
}

// Tiles by a loop of the grid, pairs by one of the block.
__global__ void sortTiles(unsigned* keys, int n) {
  __shared__ unsigned s[tile];
  const int tiles = n / tile;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    for (int i = threadIdx.x; i < tile; i += blockDim.x)
      s[i] = keys[t * tile + i];
    for (int k = 2; k <= tile; k <<= 1)
      for (int j = k >> 1; j > 0; j >>= 1) {
        __syncthreads();
        for (int p = threadIdx.x; p < tile / 2; p += blockDim.x) {
          const int lo = 2 * p - (p & (j - 1));
          order(s[lo], s[lo + j], ((t * tile + lo) & k) == 0);
        }
      }
    __syncthreads();
    for (int i = threadIdx.x; i < tile; i += blockDim.x)
      keys[t * tile + i] = s[i];
    __syncthreads();
  }
}

// A step for all pairs of the grid's.
__global__ void exchange(unsigned* keys, int n, int k, int j) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < n / 2; p += gridDim.x * blockDim.x) {
    const int lo = 2 * p - (p & (j - 1));
    unsigned a = keys[lo], b = keys[lo + j];
    order(a, b, (lo & k) == 0);
    keys[lo] = a;
    keys[lo + j] = b;
  }
}

// An element for each step; the lower one of two does the work.
__global__ void exchangePartners(int* keys, unsigned n, unsigned k, unsigned j) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned other = i ^ j;
    if (other > i && other < n) {
      const int a = keys[i], b = keys[other];
      if ((a > b) == ((i & k) == 0)) {
        keys[i] = b;
        keys[other] = a;
      }
    }
  }
}

// Counters of 64 bits, and a start that is no multiple of a run.
__global__ void exchangeBehind(unsigned* keys, unsigned long long first, unsigned long long pairs,
                               unsigned long long j) {
  for (unsigned long long p = first + threadIdx.x; p < pairs; p += blockDim.x) {
    const unsigned long long lo = 2 * p - (p & (j - 1));
    const unsigned a = keys[lo], b = keys[lo + j];
    keys[lo] = a < b ? a : b;
    keys[lo + j] = a < b ? b : a;
  }
}
__global__ void exchangeFrom(unsigned* keys, int first, int pairs, int j) {
  for (int p = first + threadIdx.x; p < pairs; p += blockDim.x) {
    const int lo = 2 * p - (p & (j - 1));
    const unsigned a = keys[lo], b = keys[lo + j];
    keys[lo] = a < b ? a : b;
    keys[lo + j] = a < b ? b : a;
  }
}

// Sums and differences of a transform, by rows of a block's threads.
template <class Number> __global__ void transform(Number* values, int rows) {
  __shared__ Number s[4][64];
  const int row = blockIdx.x * 4 + threadIdx.y;
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    s[threadIdx.y][i] = row < rows ? values[row * 64 + i] : Number(0);
  for (int j = 1; j < 64; j *= 2) {
    __syncthreads();
    for (int p = threadIdx.x; p < 32; p += blockDim.x) {
      const int lo = 2 * p - (p & (j - 1));
      const Number a = s[threadIdx.y][lo], b = s[threadIdx.y][lo + j];
      s[threadIdx.y][lo] = a + b;
      s[threadIdx.y][lo + j] = a - b;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    if (row < rows)
      values[row * 64 + i] = s[threadIdx.y][i];
}

// One thread for each pair in braces of its own, in two loops.
__global__ void twice(unsigned* keys, int pairs, int j) {
  for (int p = threadIdx.x; p < pairs; p += blockDim.x) {
    const int lo = 2 * p - (p & (j - 1));
    order(keys[lo], keys[lo + j], true);
  }
  __syncthreads();
  for (int p = threadIdx.x; p < pairs; p += blockDim.x) {
    const int lo = 2 * p - ((j - 1) & p);
    order(keys[lo], keys[lo + j], (lo & 64) != 0);
  }
}

static unsigned long long hashOf(const void* of, int n) {
  std::vector<unsigned> all(n);
  cudaMemcpy(all.data(), of, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned long long hash = 0;
  for (unsigned value : all)
    hash = hash * 31 + value;
  return hash;
}

int main() {
  const int n = 8 * tile;
  std::vector<unsigned> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = (unsigned(i) * 2654435761u) >> 5;
  unsigned* keys;
  cudaMalloc(&keys, n * sizeof(unsigned));
  const auto start = [&] {
    cudaMemcpy(keys, host.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  };
  for (int threads : {256, 96, 20, 64}) {
    start();
    sortTiles<<<3, threads>>>(keys, n);
    std::printf("tiles %d: %016llx\n", threads, hashOf(keys, n));
    for (int k = 2 * tile; k <= n; k <<= 1)
      for (int j = k >> 1; j > 0; j >>= 1)
        exchange<<<5, threads>>>(keys, n, k, j);
    std::printf("sorted %d: %016llx\n", threads, hashOf(keys, n));
    start();
    for (int k = 2; k <= n; k <<= 1)
      for (int j = k >> 1; j > 0; j >>= 1)
        exchangePartners<<<7, threads>>>(reinterpret_cast<int*>(keys), n, k, j);
    std::printf("partners %d: %016llx\n", threads, hashOf(keys, n));
    start();
    for (int j = 1; j < 256; j *= 2) {
      exchange<<<2, threads>>>(keys, 1000, 1 << 20, j);
      exchangeBehind<<<1, threads>>>(keys, 16, 301, j);
      exchangeFrom<<<1, threads>>>(keys, 5, 777, j);
      twice<<<1, threads>>>(keys, 500, j);
    }
    std::printf("parts %d: %016llx\n", threads, hashOf(keys, n));
  }
  start();
  transform<<<n / 256, dim3(32, 4)>>>(keys, n / 64 - 3);
  transform<<<n / 256, dim3(16, 4)>>>(reinterpret_cast<int*>(keys), n / 64);
  std::printf("transform: %016llx\n", hashOf(keys, n));
  cudaFree(keys);
  return 0;
}
