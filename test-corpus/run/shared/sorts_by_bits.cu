// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that store to places which a branch on data decides: sorts by bits, several items for
// each thread, with counts that only one way of the branch asks for.
#include <cstdio>
#include <vector>

constexpr int threads = 128, items = 4, tile = threads * items;

__device__ unsigned before(unsigned value, unsigned* sums, unsigned* total) {
  const int t = threadIdx.x;
  sums[t] = value;
  __syncthreads();
  for (int d = 1; d < threads; d <<= 1) {
    const unsigned other = t >= d ? sums[t - d] : 0u;
    __syncthreads();
    sums[t] += other;
    __syncthreads();
  }
  const unsigned sum = sums[t];
  *total = sums[threads - 1];
  __syncthreads();
  return sum - value;
}

__global__ void sortTiles(unsigned* keys, unsigned* values, int n, int bits) {
  __shared__ unsigned k[tile], v[tile], sums[threads];
  const int t = threadIdx.x, first = blockIdx.x * tile;
  unsigned key[items], value[items];
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int i = first + t * items + j;
    key[j] = i < n ? keys[i] : ~0u;
    value[j] = i < n ? values[i] : 0u;
  }
  for (int bit = 0; bit < bits; ++bit) {
    unsigned zeros = 0, all;
#pragma unroll
    for (int j = 0; j < items; ++j)
      zeros += !((key[j] >> bit) & 1u);
    unsigned mine = before(zeros, sums, &all);
#pragma unroll
    for (int j = 0; j < items; ++j) {
      unsigned to;
      if ((key[j] >> bit) & 1u)
        to = all + t * items + j - mine;
      else
        to = mine++;
      k[to] = key[j];
      v[to] = value[j];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; ++j) {
      key[j] = k[t * items + j];
      value[j] = v[t * items + j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int i = first + j * threads + t;
    if (i < n) {
      keys[i] = k[j * threads + t];
      values[i] = v[j * threads + t];
    }
  }
}

// Each thread's place is one of two tables', of which the shorter one has fewer entries than there
// are threads.
__global__ void choose(const int* in, int* out) {
  __shared__ int even[threads], odd[threads / 2], to[2 * threads];
  const int t = threadIdx.x;
  even[t] = in[t] & 0x7f;
  to[t] = to[t + threads] = -1;
  if (t < threads / 2)
    odd[t] = threads + t;
  __syncthreads();
  const int place = in[threads + t] & 1 && t < threads / 2 ? odd[t]
                    : 2 * t % 256 < 128                    ? even[t] & 1
                                                           : t;
  to[place == 0 || place == 1 ? t : place] = t;
  __syncthreads();
  out[blockIdx.x * 2 * threads + t] = to[t];
  out[blockIdx.x * 2 * threads + threads + t] = to[threads + t];
}

int main() {
  for (int n : {5 * tile, 3 * tile - 17, 100}) {
    std::vector<unsigned> key(n), value(n);
    for (int i = 0; i < n; ++i) {
      key[i] = (unsigned(i) * 2654435761u >> 7) & 0xffffu;
      value[i] = unsigned(i);
    }
    unsigned *keys, *values;
    cudaMalloc(&keys, n * sizeof(unsigned));
    cudaMalloc(&values, n * sizeof(unsigned));
    cudaMemcpy(keys, key.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    cudaMemcpy(values, value.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    sortTiles<<<(n + tile - 1) / tile, threads>>>(keys, values, n, 16);
    cudaDeviceSynchronize();
    cudaMemcpy(key.data(), keys, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaMemcpy(value.data(), values, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    unsigned long long hash = 0;
    int rises = 0;
    for (int i = 0; i < n; ++i) {
      hash = hash * 31 + key[i] + 7ull * value[i];
      rises += i % tile != 0 && key[i - 1] > key[i];
    }
    std::printf("%d: %016llx %d\n", n, hash, rises);
    cudaFree(keys);
    cudaFree(values);
  }
  std::vector<int> numbers(2 * threads), chosen(2 * threads);
  for (int i = 0; i < 2 * threads; ++i)
    numbers[i] = int(unsigned(i) * 2654435761u >> 9);
  int *in, *out;
  cudaMalloc(&in, numbers.size() * sizeof(int));
  cudaMalloc(&out, chosen.size() * sizeof(int));
  cudaMemcpy(in, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice);
  choose<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  cudaMemcpy(chosen.data(), out, chosen.size() * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned long long hash = 0;
  for (int i : chosen)
    hash = hash * 31 + unsigned(i + 1);
  std::printf("%016llx\n", hash);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
