// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic objects that are volatile, alone and as members of volatile objects.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/atomic>

enum class Status { none, claimed, reported };

struct Report {
  cuda::std::atomic<Status> status;
  cuda::atomic<int, cuda::thread_scope_device> count;
  int first;
};

__device__ bool report(volatile Report* r, int value) {
  r->count.fetch_add(1);
  Status expected = Status::none;
  if (!r->status.compare_exchange_strong(expected, Status::claimed, cuda::std::memory_order_acquire))
    return false;
  r->first = value;
  r->status.store(Status::reported, cuda::std::memory_order_release);
  return true;
}

__global__ void search(const int* values, int n, Report* r, int* winners) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] < 0 && report(r, values[i]))
    atomicAdd(winners, 1);
}

__global__ void count(volatile cuda::atomic<unsigned>* total, unsigned* seen) {
  ++*total;
  *total += 2;
  total->fetch_max(1u);
  if (total->load() >= 3)
    atomicAdd(seen, 1);
}

int main() {
  const int n = 1000;
  int *values, *winners;
  unsigned* seen;
  Report* r;
  cuda::atomic<unsigned>* total;
  cudaMallocManaged(&values, n * sizeof *values);
  cudaMallocManaged(&winners, sizeof *winners);
  cudaMallocManaged(&seen, sizeof *seen);
  cudaMallocManaged(&r, sizeof *r);
  cudaMallocManaged(&total, sizeof *total);
  for (int i = 0; i < n; ++i)
    values[i] = i % 10 == 3 ? -7 : i;
  search<<<8, 128>>>(values, n, r, winners);
  count<<<4, 64>>>(total, seen);
  cudaDeviceSynchronize();
  volatile Report* watched = r;
  printf("status %d, count %d, first %d, winners %d\n", int(watched->status.load()), watched->count.load(),
         watched->first, *winners);
  printf("total %u, seen %u\n", total->load(), *seen);
  return 0;
}
