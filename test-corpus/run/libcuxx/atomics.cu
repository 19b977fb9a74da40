// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::atomic and cuda::atomic_ref in managed, global and shared memory: every operation, flags between blocks.
#include <cstdio>
#include <cuda/atomic>

__device__ cuda::atomic<int, cuda::thread_scope_device> ticket;
__managed__ cuda::atomic<int, cuda::thread_scope_system> flag;
__managed__ int message;

__global__ void operations(int* out, float* sum) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> count;
  if (threadIdx.x == 0)
    count.store(0, cuda::memory_order_relaxed);
  __syncthreads();
  count.fetch_add(int(threadIdx.x), cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device> total(out[0]), low(out[1]), high(out[2]), bits(out[3]);
  total += int(threadIdx.x);
  low.fetch_min(int(threadIdx.x) - 5);
  high.fetch_max(int(threadIdx.x * 3));
  bits.fetch_or(1 << (threadIdx.x % 7));
  cuda::atomic_ref<float, cuda::thread_scope_device> f(*sum);
  f.fetch_add(0.5f);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[4] = count.load();
    int expected = out[4];
    out[5] = count.compare_exchange_strong(expected, 7) ? count.exchange(9) : -1;
    expected = 0;
    out[6] = count.compare_exchange_strong(expected, 1) ? -1 : expected;
    out[7] = ++count;
  }
}

// Blocks take turns in the order of their tickets.
__global__ void inOrder(int* order, int blocks) {
  __shared__ int mine;
  if (threadIdx.x == 0)
    mine = ticket.fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0) {
    order[mine] = mine;
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    if (mine == blocks - 1) {
      message = 42;
      flag.store(1, cuda::std::memory_order_release);
      flag.notify_all();
    }
  }
}

int main() {
  int* out;
  float* sum;
  cudaMallocManaged(&out, 64 * sizeof *out);
  cudaMallocManaged(&sum, sizeof *sum);
  for (int i = 0; i < 64; ++i)
    out[i] = 0;
  *sum = 0;
  operations<<<1, 100>>>(out, sum);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    printf("%d ", out[i]);
  printf("%g\n", *sum);
  inOrder<<<20, 32>>>(out, 20);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 20; ++i)
    wrong += out[i] != i;
  printf("wrong %d message %d flag %d\n", wrong, message, flag.load());
  cuda::std::atomic<long long> host(5);
  host.fetch_sub(2);
  printf("host %lld\n", host.load());
}
