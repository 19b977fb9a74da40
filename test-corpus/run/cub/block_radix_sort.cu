// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block loads a tile, sorts it by keys or bits of keys, and stores it: pairs, descending,
// striped.
#include <cstdio>

#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_store.cuh>

constexpr int threads = 64, items = 4, size = threads * items;

template <class Key> __global__ void sortKeys(const Key* in, Key* out) {
  typedef cub::BlockLoad<Key, threads, items, cub::BLOCK_LOAD_TRANSPOSE> BlockLoad;
  typedef cub::BlockRadixSort<Key, threads, items> BlockRadixSort;
  typedef cub::BlockStore<Key, threads, items, cub::BLOCK_STORE_TRANSPOSE> BlockStore;
  __shared__ union {
    typename BlockLoad::TempStorage load;
    typename BlockRadixSort::TempStorage sort;
    typename BlockStore::TempStorage store;
  } temp_storage;
  Key keys[items];
  BlockLoad(temp_storage.load).Load(in + blockIdx.x * size, keys);
  __syncthreads();
  BlockRadixSort(temp_storage.sort).Sort(keys);
  __syncthreads();
  BlockStore(temp_storage.store).Store(out + blockIdx.x * size, keys);
}

__global__ void sortPairs(const unsigned* in, unsigned* out, int* order) {
  typedef cub::BlockRadixSort<unsigned, threads, items, int> BlockRadixSort;
  __shared__ BlockRadixSort::TempStorage temp_storage;
  unsigned keys[items];
  int values[items];
  cub::LoadDirectBlocked(threadIdx.x, in, keys);
  for (int i = 0; i < items; ++i)
    values[i] = threadIdx.x * items + i;
  // Bits 4 to 11 only: equal ones keep their order.
  BlockRadixSort(temp_storage).SortDescendingBlockedToStriped(keys, values, 4, 12);
  cub::StoreDirectStriped<threads>(threadIdx.x, out, keys);
  cub::StoreDirectStriped<threads>(threadIdx.x, order, values);
}

template <class Key> void run(const char* name) {
  Key *in, *out;
  cudaMallocManaged(&in, 2 * size * sizeof(Key));
  cudaMallocManaged(&out, 2 * size * sizeof(Key));
  for (int i = 0; i < 2 * size; ++i)
    in[i] = Key((i * 7919) % 1009 - 500);
  sortKeys<<<2, threads>>>(in, out);
  cudaDeviceSynchronize();
  bool sorted = true;
  for (int b = 0; b < 2; ++b)
    for (int i = 1; i < size; ++i)
      sorted &= !(out[b * size + i] < out[b * size + i - 1]);
  printf("%s: %s, from %.1f to %.1f\n", name, sorted ? "sorted" : "NOT SORTED", double(out[0]),
         double(out[size - 1]));
}

int main() {
  run<int>("int");
  run<unsigned char>("unsigned char");
  run<float>("float");
  run<long long>("long long");
  unsigned *in, *out;
  int* order;
  cudaMallocManaged(&in, size * sizeof(unsigned));
  cudaMallocManaged(&out, size * sizeof(unsigned));
  cudaMallocManaged(&order, size * sizeof(int));
  for (int i = 0; i < size; ++i)
    in[i] = unsigned(i) * 2654435761u;
  sortPairs<<<1, threads>>>(in, out, order);
  cudaDeviceSynchronize();
  unsigned hash = 0;
  bool right = true;
  for (int i = 0; i < size; ++i) {
    hash = hash * 31 + unsigned(order[i]);
    right &= out[i] == in[order[i]];
    if (i > 0) {
      const unsigned a = out[i - 1] >> 4 & 255, b = out[i] >> 4 & 255;
      right &= a > b || (a == b && order[i - 1] < order[i]);
    }
  }
  printf("pairs: %s, order %u\n", right ? "sorted" : "NOT SORTED", hash);
  printf("PASS\n");
}
