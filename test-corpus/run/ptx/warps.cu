// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives in inline PTX: shuffles, votes, matches, reductions and barriers.
#include <cstdio>

__device__ __forceinline__ float butterfly(float x, int by) {
  float y;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(y) : "f"(x), "r"(by));
  return y;
}

__device__ float warpSum(float x) {
  for (int by = 16; by > 0; by /= 2)
    x += butterfly(x, by);
  return x;
}

// An inclusive scan, as libraries write it: the shuffle's predicate guards the sum.
__device__ __forceinline__ int scanStep(int x, int distance) {
  int result;
  asm volatile("{\n\t"
               "  .reg .s32 r0;\n\t"
               "  .reg .pred p;\n\t"
               "  shfl.sync.up.b32 r0|p, %1, %2, 0, 0xffffffff;\n\t"
               "  @p add.s32 r0, r0, %3;\n\t"
               "  mov.s32 %0, r0;\n\t"
               "}"
               : "=r"(result)
               : "r"(x), "r"(distance), "r"(x));
  return result;
}

__global__ void collect(int* out, float* sums, const int* in) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  const int v = in[t];
  int* mine = out + t * 16;
  sums[t] = warpSum(v * 0.25f);
  int x = v;
  for (int distance = 1; distance < 32; distance *= 2)
    x = scanStep(x, distance);
  mine[0] = x;
  int y;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1c1f, 0xffffffff;" : "=r"(y) : "r"(v), "r"(1));
  mine[1] = y;
  asm volatile("shfl.sync.down.b32 %0, %1, 3, 0x181f, %2;" : "=r"(y) : "r"(v), "r"(-1));
  mine[2] = y;
  unsigned ballot, active;
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 50; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(ballot)
               : "r"(v));
  mine[3] = int(ballot);
  asm volatile("activemask.b32 %0;" : "=r"(active));
  mine[4] = active == 0xffffffffu;
  int all, any;
  asm volatile("{ .reg .pred p, q; setp.ge.s32 p, %1, 0; vote.sync.all.pred q, p, 0xffffffff; selp.s32 %0, 1, 0, q; }"
               : "=r"(all)
               : "r"(v));
  asm volatile("{ .reg .pred p, q; setp.eq.s32 p, %1, 77; vote.sync.any.pred q, p, 0xffffffff; selp.s32 %0, 1, 0, q; }"
               : "=r"(any)
               : "r"(v));
  mine[5] = all;
  mine[6] = any;
  unsigned same;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(v % 5));
  mine[7] = int(same);
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(mine[8]) : "r"(v));
  asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(mine[9]) : "r"(v * 3));
  asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(mine[10]) : "r"(v));
  __shared__ int tile[128];
  tile[threadIdx.x] = v;
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  mine[11] = tile[threadIdx.x ^ 5];
  asm volatile("bar.sync 0;" ::: "memory");
  mine[12] = tile[127 - threadIdx.x];
  asm volatile("barrier.sync 0;" ::: "memory");
  int count;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 30; bar.red.popc.u32 %0, 0, p; }" : "=r"(count) : "r"(v));
  mine[13] = count;
  int leader;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.s32 %0, 1, 0, p; }" : "=r"(leader));
  mine[14] = leader;
  // Two halves of the block meet at barriers of their own.
  asm volatile("bar.sync %0, 64;" ::"r"(1 + int(threadIdx.x) / 64) : "memory");
  tile[threadIdx.x] += 1000;
  asm volatile("bar.sync %0, %1;" ::"r"(1 + int(threadIdx.x) / 64), "n"(64) : "memory");
  mine[15] = tile[threadIdx.x ^ 33];
}

int main() {
  const int n = 512;
  int *in, *out;
  float* sums;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * 16 * sizeof(int));
  cudaMallocManaged(&sums, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    in[i] = i * 37 % 101;
  collect<<<n / 128, 128>>>(out, sums, in);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int k = 0; k < 16; ++k) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
      h = (h ^ unsigned(out[i * 16 + k])) * 1099511628211ull;
    printf("%2d %016llx %d %d\n", k, h, out[k], out[200 * 16 + k]);
  }
  printf("%g %g\n", sums[3], sums[300]);
  return 0;
}
