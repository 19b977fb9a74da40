// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects whose constructors and destructors act on both sides of barriers.
#include <cstdio>

struct Log {
  int* count;
  __device__ explicit Log(int* c) : count(c) { atomicAdd(count, 1); }
  __device__ ~Log() { atomicAdd(count + 1, 1); }
  Log(const Log&) = delete;
};

struct Held {
  int value;
  __device__ Held(int v) : value(v) {}
  __device__ Held(const Held& other) : value(other.value + 1) {}
};

__global__ void scoped(int* log, int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  int seen;
  {
    Log guard(log);
    __syncthreads();
    Held held(tile[31 - threadIdx.x]);
    Held copy = held;
    __syncthreads();
    tile[threadIdx.x] = copy.value + held.value;
    seen = log[0];
    __syncthreads();
  }
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 3] * 1000 + seen * 10 + (log[1] == 32);
}

int main() {
  int *log, *out;
  cudaMallocManaged(&log, 2 * sizeof(int));
  cudaMallocManaged(&out, 32 * sizeof(int));
  log[0] = log[1] = 0;
  scoped<<<1, 32>>>(log, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  printf("%d %d\n", log[0], log[1]);
  for (int i = 0; i < 32; ++i)
    printf("%d ", out[i]);
  printf("\n");
}
