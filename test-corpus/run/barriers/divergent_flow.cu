// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in loops that threads leave one by one, and under conditions that only some threads meet.
#include <cstdio>

// All threads make the same number of rounds, but nothing says so.
__global__ void sameRounds(const int* in, int* out, int n) {
  __shared__ int tile[64];
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    tile[threadIdx.x] = in[i];
    __syncthreads();
    sum += tile[63 - threadIdx.x] * (i / 64 + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Threads whose work is done leave for good; the others go on.
__global__ void leaveOneByOne(const int* in, int* out) {
  __shared__ int tile[128];
  const int rounds = in[threadIdx.x / 32];
  int round = 0;
  while (true) {
    if (round >= rounds)
      break;
    tile[threadIdx.x] = round * 1000 + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] += tile[threadIdx.x / 32 * 32 + (threadIdx.x + 1) % 32];
    ++round;
  }
  out[threadIdx.x] = out[threadIdx.x] * 10 + round;
}

// A condition of each thread that is the same for all; a flag that only some threads skip.
__global__ void guarded(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const bool active = in[threadIdx.x] < n;
  int mine = -1;
  if (active) {
    tile[threadIdx.x] = in[threadIdx.x] * 2;
    __syncthreads();
    mine = tile[threadIdx.x ^ 1];
  }
  for (int k = 0; k < 3; ++k) {
    if (in[threadIdx.x] % 3 == k)
      continue;
    mine += k + 1;
    __syncthreads();
  }
  out[threadIdx.x] = mine;
}

// The first warp reduces; its lanes return while the others have nothing left to do.
__global__ void firstWarp(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int half = 32; half > in[64 + threadIdx.x]; half /= 2) {
    if (threadIdx.x < half)
      tile[threadIdx.x] += tile[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[0] = tile[0];
}

// do-while, a uniform `continue` in it, and a return in the middle.
__global__ void doWhile(const int* in, int* out) {
  __shared__ int total;
  int left = in[threadIdx.x];
  int turn = 0;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  do {
    ++turn;
    atomicAdd(&total, left);
    __syncthreads();
    if (total < 0)
      continue;
    if (left == 3) {
      out[threadIdx.x] = 1000 + turn;
      return;
    }
    --left;
    __syncthreads();
  } while (left > 0);
  out[threadIdx.x] = turn;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&out, 128 * sizeof(int));
  auto show = [&](const char* name, int n) {
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s: %s", name, cudaGetErrorString(e));
    long sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += long(out[i]) * (i + 1);
      if (i % 9 == 0)
        printf(" %d", out[i]);
      out[i] = 0;
    }
    printf(" (%ld)\n", sum);
  };
  for (int i = 0; i < 128; ++i)
    out[i] = 0;
  for (int i = 0; i < 1024; ++i)
    in[i] = i * 7 % 101;
  sameRounds<<<1, 64>>>(in, out, 512);
  show("sameRounds", 64);
  for (int i = 0; i < 4; ++i)
    in[i] = i + 1;
  leaveOneByOne<<<1, 32>>>(in, out);
  show("leaveOneByOne 32", 32);
  for (int i = 0; i < 64; ++i)
    in[i] = i % 5 * 3;
  guarded<<<1, 64>>>(in, out, 100);
  show("guarded", 64);
  for (int i = 0; i < 64; ++i) {
    in[i] = i;
    in[64 + i] = 0;
  }
  firstWarp<<<1, 64>>>(in, out);
  show("firstWarp", 1);
  for (int i = 0; i < 64; ++i)
    in[i] = 5;
  doWhile<<<1, 64>>>(in, out);
  show("doWhile 5", 64);
  cudaFree(in);
  cudaFree(out);
}
