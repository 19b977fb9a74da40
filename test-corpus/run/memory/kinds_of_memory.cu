// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address-space predicates for shared variables of kernels with and without barriers, of templates,
// in device functions and by isspacep.
#include <cstdio>

struct Pair {
  int first;
  double second;
};
__device__ int variable;
__managed__ int managed;

__device__ unsigned kindOf(const void* p) {
  return (__isShared(p) != 0) + 2 * (__isGlobal(p) != 0) + 4 * (__isLocal(p) != 0);
}
__device__ unsigned kindByPtx(const void* p) {
  unsigned shared, global, local;
  asm("{ .reg .pred q; isspacep.shared q, %1; selp.u32 %0, 1, 0, q; }" : "=r"(shared) : "l"(p));
  asm("{ .reg .pred q; isspacep.global q, %1; selp.u32 %0, 2, 0, q; }" : "=r"(global) : "l"(p));
  asm("{ .reg .pred q; isspacep.local q, %1; selp.u32 %0, 4, 0, q; }" : "=r"(local) : "l"(p));
  return shared + global + local;
}
__device__ unsigned inFunction() {
  __shared__ float own[4];
  own[threadIdx.x % 4] = 1;
  return kindOf(own + 1);
}

__global__ void withoutBarrier(unsigned* out) {
  __shared__ int one;
  __shared__ Pair pairs[4], single;
  int local = 3;
  one = 4;
  pairs[0].first = single.first = 1;
  out[0] = kindOf(&one);
  out[1] = kindOf(&pairs[2].second);
  out[2] = kindOf(&single);
  out[3] = kindOf(&local);
  out[4] = kindOf(out);
  out[5] = kindOf(&variable);
  out[6] = kindOf(&managed);
  out[7] = inFunction() + one + local - 7;
}
template <class Type, int size> __global__ void withBarrier(unsigned* out) {
  __shared__ Type tile[size][2];
  extern __shared__ char bytes[];
  Type mine[2] = {Type(threadIdx.x), Type(1)};
  tile[threadIdx.x][0] = mine[0];
  bytes[threadIdx.x] = 1;
  __syncthreads();
  mine[1] += tile[size - 1 - threadIdx.x][0];
  if (threadIdx.x == 1) {
    out[0] = kindByPtx(&tile[3][1]);
    out[1] = kindByPtx(bytes + 5);
    out[2] = kindByPtx(mine + 1);
    out[3] = kindByPtx(out);
    out[4] = unsigned(mine[1]);
  }
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 32 * sizeof(unsigned));
  withoutBarrier<<<1, 1>>>(out);
  withBarrier<float, 16><<<1, 16, 64>>>(out + 8);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < 13; ++i)
    printf("%u ", out[i]);
  printf("\n");
}
