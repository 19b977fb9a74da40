// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait in loops of their own for what others write: warps that hand work to each other through volatile shared
// memory, a thread that waits for a later one of its block, blocks that wait for later blocks, a ring of blocks.
#include <cstdio>

// Warp 0 fills a buffer, warp 1 empties it, round after round.
__global__ void handOver(int* out, int rounds) {
  __shared__ int buffer[32];
  __shared__ volatile int full;
  if (threadIdx.x == 0)
    full = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      while (full != 0)
        ;
      buffer[lane] = r * 100 + lane;
      __threadfence_block();
      __syncwarp();
      if (lane == 0)
        full = 1;
      __syncwarp();
    }
  } else {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
      while (full != 1)
        ;
      __threadfence_block();
      sum += buffer[31 - lane];
      __syncwarp();
      if (lane == 0)
        full = 0;
      __syncwarp();
    }
    out[lane] = sum;
  }
}

// The first warp waits for the last one, through global memory.
__global__ void backwards(volatile int* turn, int* order) {
  const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (threadIdx.x % 32 == 0) {
    while (*turn != warps - 1 - warp) {
    }
    order[warp] = *turn * 10 + warp;
    __threadfence();
    *turn = *turn + 1;
  }
}

__device__ int look(const int* p) { return *(const volatile int*)p; }
__device__ void await(int* flag, int value) {
  for (;;) {
    if (look(flag) == value)
      break;
    __nanosleep(50);
  }
}
// Block 0 waits for all later blocks.
__global__ void collect(int* flags, int* sum) {
  __shared__ int part;
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      int s = 0;
      for (int b = 1; b < gridDim.x; ++b) {
        await(&flags[b], b * 7 + 1);
        s += b;
      }
      part = s;
    }
    __syncthreads();
    sum[threadIdx.x] = part + threadIdx.x;
  } else {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(&flags[blockIdx.x], blockIdx.x * 7 + 1);
    }
  }
}

// A token goes round the blocks; each waits for the one before it, the first for the last.
__global__ void ring(unsigned* token, unsigned* seen, unsigned rounds) {
  const unsigned blocks = gridDim.x, b = blockIdx.x;
  for (unsigned r = 0; r < rounds; ++r) {
    while (atomicAdd(token, 0) != r * blocks + b)
      ;
    seen[b] += *(volatile unsigned*)token;
    __threadfence();
    atomicAdd(token, 1);
  }
}

// Threads of one warp wait for each other in falling order.
__global__ void chain(int* value) {
  const int t = threadIdx.x;
  volatile int* v = value;
  if (t != blockDim.x - 1)
    while (v[t + 1] == 0)
      ;
  v[t] = t == blockDim.x - 1 ? 1 : v[t + 1] + t + 1;
}

int main() {
  int* a;
  unsigned* u;
  cudaMallocManaged(&a, 256 * sizeof *a);
  cudaMallocManaged(&u, 256 * sizeof *u);
  handOver<<<1, 64>>>(a, 20);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%d %d\n", a[0], a[31]);
  cudaMemset(a, 0, 256 * sizeof *a);
  backwards<<<1, 128>>>(a, a + 1);
  cudaDeviceSynchronize();
  printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], a[4]);
  cudaMemset(a, 0, 256 * sizeof *a);
  collect<<<40, 32>>>(a, a + 64);
  cudaDeviceSynchronize();
  printf("%d %d\n", a[64], a[95]);
  cudaMemset(u, 0, 256 * sizeof *u);
  ring<<<6, 1>>>(u, u + 8, 5);
  cudaDeviceSynchronize();
  printf("%u: %u %u %u\n", u[0], u[8], u[9], u[13]);
  cudaMemset(a, 0, 256 * sizeof *a);
  chain<<<1, 32>>>(a);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%d %d\n", a[0], a[30]);
  return 0;
}
