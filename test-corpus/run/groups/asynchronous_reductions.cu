// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduce_update_async() and reduce_store_async() with atomics, references to what is not atomic, and pointers.
#include <cstdio>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

using Reference = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void sums(cuda::atomic<int, cuda::thread_scope_device>* total, int* plain, int* stored) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int value = blockIdx.x * blockDim.x + threadIdx.x;
  cg::reduce_update_async(tile, *total, value, cg::plus<int>());
  cg::reduce_update_async(tile, Reference(plain[0]), value, cg::plus<int>());
  const Reference largest(plain[1]);
  cg::reduce_update_async(tile, largest, value, cg::greater<int>());
  const int group = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  cg::reduce_store_async(tile, stored + group, value, cg::greater<int>());
  cg::reduce_store_async(tile, Reference(stored[32 + group]), value, cg::bit_xor<int>());
}

int main() {
  int *plain, *stored;
  cuda::atomic<int, cuda::thread_scope_device>* total;
  cudaMallocManaged(&plain, 2 * sizeof *plain);
  cudaMallocManaged(&stored, 64 * sizeof *stored);
  cudaMallocManaged(&total, sizeof *total);
  plain[0] = plain[1] = 0;
  total->store(5);
  sums<<<3, 64>>>(total, plain, stored);
  const char* error = cudaGetErrorName(cudaDeviceSynchronize());
  printf("%s %d %d %d\n", error, total->load(), plain[0], plain[1]);
  for (int i = 0; i < 24; ++i)
    printf("%d/%d ", stored[i], stored[32 + i]);
  printf("\n");
}
