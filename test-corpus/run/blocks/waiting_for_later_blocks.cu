// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that wait with barriers, latches, semaphores and atomics of the device for blocks behind them.
#include <cstdio>
#include <new>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>

using Barrier = cuda::barrier<cuda::thread_scope_device>;
using Latch = cuda::latch<cuda::thread_scope_device>;
using Semaphore = cuda::binary_semaphore<cuda::thread_scope_device>;
using Number = cuda::atomic<int, cuda::thread_scope_device>;

// One thread of each block.
__global__ void neighbours(Barrier* barrier, int* out) {
  if (threadIdx.x == 0)
    for (int round = 0; round < 3; ++round) {
      out[blockIdx.x] = blockIdx.x * 2 + round;
      barrier->arrive_and_wait();
      const int next = out[(blockIdx.x + 1) % gridDim.x];
      barrier->wait(barrier->arrive());
      out[10 + blockIdx.x] = next;
    }
}

// All threads of all blocks.
__global__ void everybody(Barrier* barrier, int* out) {
  __shared__ int seen;
  atomicAdd(out, 1);
  barrier->arrive_and_wait();
  if (threadIdx.x == 0)
    seen = out[0];
  __syncthreads();
  out[1 + blockIdx.x] = seen;
}

__global__ void gate(Latch* latch, int* out) {
  if (threadIdx.x == 0 && blockIdx.x < 3) {
    latch->wait();
    out[blockIdx.x] = out[3] + out[4] * 10;
  } else if (threadIdx.x == 0) {
    out[blockIdx.x] = blockIdx.x;
    latch->count_down();
  }
}

__global__ void released(Semaphore* semaphore, int* out) {
  if (blockIdx.x == 0) {
    semaphore->acquire();
    out[0] = out[1];
  } else if (blockIdx.x == 3) {
    out[1] = 7;
    semaphore->release();
  }
}

__global__ void turns(Number* turn, int* log, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const int mine = 2 * i + blockIdx.x;
    int now;
    while ((now = turn->load(cuda::memory_order_acquire)) != mine)
      turn->wait(now);
    log[mine] = mine * mine;
    turn->store(mine + 1, cuda::memory_order_release);
    turn->notify_all();
  }
}

static void show(const char* name, const int* out, int count) {
  printf("%s %s:", name, cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < count; ++i)
    printf(" %d", out[i]);
  printf("\n");
}

int main() {
  int* out;
  void* place;
  cudaMallocManaged(&out, 64 * sizeof *out);
  cudaMallocManaged(&place, 64);
  neighbours<<<6, 32>>>(new (place) Barrier(6), out);
  show("neighbours", out, 16);
  out[0] = 0;
  everybody<<<4, 40>>>(new (place) Barrier(160), out);
  show("everybody", out, 5);
  gate<<<5, 32>>>(new (place) Latch(2), out);
  show("gate", out, 5);
  released<<<4, 1>>>(new (place) Semaphore(0), out);
  show("released", out, 2);
  turns<<<2, 1>>>(new (place) Number(0), out, 8);
  show("turns", out, 16);
}
