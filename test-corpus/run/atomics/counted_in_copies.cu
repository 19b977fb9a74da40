// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that count in copies of tables, members of a structure with a method that counts, and add
// up the copies at the end; and some whose counts tell one block from another: sums in wider
// numbers, what a block found, and a method that asks where it is.
#include <cstdio>

constexpr int bins = 40, copies = 2;

struct Tables {
  unsigned int low[copies][bins + 1];
  unsigned int high[copies][bins];
  __device__ void add(int copy, unsigned x) {
    const unsigned b = x % bins;
    atomicAdd(&low[copy][b], 1u);
    if (x & 4096) atomicAdd(&high[copy][(x >> 5) % bins], x << 16);
  }
  __device__ void addOfBlock(unsigned x) { atomicAdd(&low[0][(x + blockIdx.x) % bins], 1u); }
};

__global__ void count(const unsigned* in, int n, unsigned* out) {
  __shared__ Tables tables;
  unsigned* flat = &tables.low[0][0];
  for (int i = threadIdx.x; i < copies * (bins + 1); i += blockDim.x) flat[i] = 0u;
  for (int i = threadIdx.x; i < bins; i += blockDim.x) {
    tables.high[0][i] = 0;
    tables.high[1][i] = 0;
  }
  __syncthreads();
  const int copy = (threadIdx.x >> 5) % copies, stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) tables.add(copy, in[i]);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) {
    unsigned low = 0, high = 0;
    for (int k = 0; k < copies; ++k) low += tables.low[k][i];
    for (int k = 0; k < copies; ++k) high += tables.high[k][i];
    if (low) atomicAdd(&out[i], low);
    atomicAdd(&out[bins + i], high);
  }
}

__global__ void countOfBlocks(const unsigned* in, int n, unsigned long long* out) {
  __shared__ Tables tables;
  for (int i = threadIdx.x; i < copies * bins; i += blockDim.x) tables.high[i / bins][i % bins] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    tables.add(threadIdx.x % 2, in[i]);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) {
    unsigned long long all = 0;
    for (int k = 0; k < copies; ++k) all += tables.high[k][i];
    atomicAdd(&out[i], all);
  }
}

__global__ void find(const unsigned* in, int n, unsigned* out) {
  __shared__ Tables tables;
  for (int i = threadIdx.x; i < bins; i += blockDim.x) tables.low[0][i] = tables.low[1][i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) tables.add(1, in[i]);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) {
    unsigned sum = 0;
    for (int k = 0; k < copies; ++k) sum += tables.low[k][i];
    if (sum > 19) atomicAdd(&out[i], sum);
    if (threadIdx.x < bins) atomicAdd(&out[bins + i], 1 + sum * sum);
  }
}

__global__ void countByBlocks(const unsigned* in, int n, unsigned* out) {
  __shared__ Tables tables;
  for (int i = threadIdx.x; i < bins; i += blockDim.x) tables.low[0][i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) tables.addOfBlock(in[i]);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) atomicAdd(&out[i], tables.low[0][i]);
}

int main() {
  const int n = 30000, blocks = 40, threads = 128;
  unsigned *in, *out;
  unsigned long long* wide;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, 6 * bins * sizeof *out);
  cudaMallocManaged(&wide, bins * sizeof *wide);
  cudaMemset(out, 0, 6 * bins * sizeof *out);
  cudaMemset(wide, 0, bins * sizeof *wide);
  for (int i = 0; i < n; ++i) in[i] = (i * 2654435761u) >> 9;
  count<<<blocks, threads>>>(in, n, out);
  countOfBlocks<<<blocks, threads>>>(in, n, wide);
  find<<<blocks, threads>>>(in, n, out + 2 * bins);
  countByBlocks<<<blocks, threads>>>(in, n, out + 4 * bins);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int k = 0; k < 6; ++k) {
    unsigned hash = 0;
    for (int i = 0; i < bins; ++i) hash = hash * 31 + out[k * bins + i] + unsigned(wide[i] % 1000003);
    printf("%u %u\n", hash, out[k * bins + 7]);
  }
  printf("%llu %llu\n", wide[3], wide[12]);
}
