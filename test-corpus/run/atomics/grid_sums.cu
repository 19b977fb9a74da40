// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histograms of a whole grid: kernels that only count, where it does not matter which block counts
// what, and near misses, where a block's own counts can be told.
#include <cstdio>
#include <vector>

constexpr int bins = 64;

__global__ void plain(const unsigned* data, int n, unsigned* all) {
  __shared__ unsigned own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[data[i] % bins], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    if (own[i] > 0)
      atomicAdd(&all[i], own[i]);
}

// Of two tables, an index that is a variable, an offset by the grid's other direction.
__global__ void rows(const unsigned* data, unsigned n, unsigned* all) {
  __shared__ unsigned low[bins], high[bins];
  if (threadIdx.x < bins)
    low[threadIdx.x] = high[threadIdx.x] = 0;
  __syncthreads();
  const unsigned tid = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  for (unsigned i = tid; i < n; i += stride) {
    const unsigned value = data[i + blockIdx.y];
    atomicAdd(&low[value % bins], 1u);
    if (value & 1)
      atomicAdd(&high[value / bins % bins], value % 7);
  }
  __syncthreads();
  if (threadIdx.x < bins) {
    atomicAdd(all + blockIdx.y * 2 * bins + threadIdx.x, low[threadIdx.x]);
    atomicAdd(&all[(blockIdx.y * 2 + 1) * bins + threadIdx.x], high[threadIdx.x]);
  }
}

// The same, each table set to 0 on its own.
__global__ void twoTables(const unsigned* data, unsigned n, unsigned* all) {
  __shared__ unsigned low[bins];
  __shared__ unsigned high[bins];
  if (threadIdx.x < bins) {
    low[threadIdx.x] = 0;
    high[threadIdx.x] = 0;
  }
  __syncthreads();
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    const unsigned value = data[i + blockIdx.y];
    atomicAdd(&low[value % bins], 1u);
    atomicAdd(&high[value / bins % bins], value % 7);
  }
  __syncthreads();
  if (threadIdx.x < bins) {
    atomicAdd(all + blockIdx.y * 2 * bins + threadIdx.x, low[threadIdx.x]);
    const unsigned sum = high[threadIdx.x];
    if (sum != 0)
      atomicAdd(&all[(blockIdx.y * 2 + 1) * bins + threadIdx.x], sum);
  }
}

// The size of a block as a number: of other blocks some items are counted twice, or not.
__global__ void sized(const unsigned* data, long n, int* all) {
  __shared__ int own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
    atomicAdd(&own[data[i] % bins], -3);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    if (own[i])
      atomicAdd(&all[i], own[i]);
}

// Near misses.

// What is below 0 in a block is left out.
__global__ void positive(const unsigned* data, int n, int* all) {
  __shared__ int own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[data[i] % bins], i % 2 ? 5 : -5);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    if (own[i] > 0)
      atomicAdd(&all[i], own[i]);
}

// Each block brings something along.
__global__ void fromOne(const unsigned* data, int n, unsigned* all) {
  __shared__ unsigned own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    own[i] = 1;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[data[i] % bins], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    atomicAdd(&all[i], own[i]);
}

// A block's counts decide, or are counted, or kept.
__global__ void often(const unsigned* data, int n, unsigned* all) {
  __shared__ unsigned own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[data[i] % bins], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) {
    const unsigned sum = own[i];
    if (sum > 3)
      atomicAdd(&all[i], sum);
  }
}
__global__ void blocksWith(const unsigned* data, int n, unsigned* all) {
  __shared__ unsigned own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[data[i] % bins], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    if (own[i] > 0)
      atomicAdd(&all[i], 1u);
}
__global__ void partial(const unsigned* data, int n, unsigned* all) {
  __shared__ unsigned own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[data[i] % bins], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    atomicAdd(&all[blockIdx.x % 2 * bins + i], own[i]);
}
// Wider than the tables are.
__global__ void wide(const unsigned* data, int n, unsigned long long* all) {
  __shared__ unsigned own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[data[i] % bins], 0x10000000u);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    atomicAdd(&all[i], (unsigned long long)own[i]);
}
// Which thread counts an item is told by its count.
__global__ void byThread(const unsigned* data, int n, unsigned* all) {
  __shared__ unsigned own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&own[data[i] % bins], threadIdx.x + 1);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    atomicAdd(&all[i], own[i]);
}
// What a thread has counted itself, step by step.
__global__ void inThread(const unsigned* data, int n, unsigned* all) {
  __shared__ unsigned own[bins];
  unsigned mine = 0;
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    ++mine;
    atomicAdd(&own[data[i] % bins], mine);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    atomicAdd(&all[i], own[i]);
}
// Not from 0 on, and not all items.
__global__ void shifted(const unsigned* data, int n, unsigned* all) {
  __shared__ unsigned own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x * 2)
    atomicAdd(&own[data[i] % bins], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    atomicAdd(&all[i], own[i]);
}

constexpr int room = 4 * bins;

template <class Element, class Kernel, class Count>
void show(const char* name, Kernel kernel, const unsigned* data, Count n, dim3 grid, dim3 block) {
  Element* all;
  cudaMalloc(&all, room * sizeof(Element));
  cudaMemset(all, 0, room * sizeof(Element));
  kernel<<<grid, block>>>(data, n, all);
  kernel<<<grid, block>>>(data, n, all);
  std::vector<Element> found(room);
  cudaMemcpy(found.data(), all, room * sizeof(Element), cudaMemcpyDeviceToHost);
  unsigned long long sum = 0, places = 0;
  for (int i = 0; i < room; ++i) {
    sum += (unsigned long long)found[i];
    places += (unsigned long long)found[i] * (i + 1);
  }
  printf("%s %u x %u, %u x %u, %lld: %llu %llu\n", name, grid.x, grid.y, block.x, block.y,
         (long long)n, sum, places);
  cudaFree(all);
}

int main() {
  const int most = 300000;
  std::vector<unsigned> values(most + 8);
  unsigned state = 1;
  for (unsigned& value : values) {
    state = state * 1664525u + 1013904223u;
    value = state >> 12;
  }
  unsigned* data;
  cudaMalloc(&data, values.size() * sizeof(unsigned));
  cudaMemcpy(data, values.data(), values.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  for (const int n : {0, -5, 1, 63, 1000, 4099, most})
    for (const dim3 grid : {dim3(1), dim3(3), dim3(130), dim3(70, 2)})
      for (const dim3 block : {dim3(128), dim3(96), dim3(64, 2), dim3(7)}) {
        show<unsigned>("plain", plain, data, n, grid, block);
        show<int>("sized", sized, data, long(n), grid, block);
        show<int>("positive", positive, data, n, grid, block);
        show<unsigned>("fromOne", fromOne, data, n, grid, block);
        show<unsigned>("often", often, data, n, grid, block);
        show<unsigned>("blocksWith", blocksWith, data, n, grid, block);
        show<unsigned>("partial", partial, data, n, grid, block);
        show<unsigned long long>("wide", wide, data, n, grid, block);
        show<unsigned>("byThread", byThread, data, n, grid, block);
        show<unsigned>("inThread", inThread, data, n, grid, block);
        show<unsigned>("shifted", shifted, data, n, grid, block);
        if (n >= 0 && block.x >= bins) {
          show<unsigned>("rows", rows, data, unsigned(n), grid, block);
          show<unsigned>("twoTables", twoTables, data, unsigned(n), grid, block);
        }
      }
  cudaFree(data);
}
