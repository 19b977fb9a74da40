// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compare-and-swap and exchange of 16 and 128 bits, sums of float2 and float4, in global and shared memory.
#include <cstdio>

struct alignas(16) Pair {
  unsigned long long count, sum;
};

__global__ void pairs(Pair* global, Pair* last) {
  __shared__ Pair local;
  if (threadIdx.x == 0)
    local = Pair{0, 0};
  __syncthreads();
  for (Pair* p : {global, &local}) {
    Pair old = *p, seen;
    for (;;) {
      const Pair next = {old.count + 1, old.sum + threadIdx.x};
      seen = atomicCAS(p, old, next);
      if (seen.count == old.count && seen.sum == old.sum)
        break;
      old = seen;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0)
    atomicExch(last, local);
}

__global__ void shorts(unsigned short* maximum) {
  const unsigned short mine = (unsigned short)(threadIdx.x * 7 % 251);
  unsigned short old = *maximum;
  while (old < mine) {
    const unsigned short seen = atomicCAS(maximum, old, mine);
    if (seen == old)
      break;
    old = seen;
  }
}

__global__ void vectors(float2* a, float4* b) {
  atomicAdd(a, make_float2(1.0f, 0.5f));
  atomicAdd(b, make_float4(1.0f, 2.0f, 3.0f, float(threadIdx.x)));
}

int main() {
  Pair *global, *last;
  unsigned short* maximum;
  float2* a;
  float4* b;
  cudaMallocManaged(&global, sizeof *global);
  cudaMallocManaged(&last, sizeof *last);
  cudaMallocManaged(&maximum, sizeof *maximum);
  cudaMallocManaged(&a, sizeof *a);
  cudaMallocManaged(&b, sizeof *b);
  *global = *last = Pair{0, 0};
  *maximum = 0;
  *a = make_float2(0, 0);
  *b = make_float4(0, 0, 0, 0);
  pairs<<<4, 64>>>(global, last);
  shorts<<<2, 128>>>(maximum);
  vectors<<<2, 128>>>(a, b);
  cudaDeviceSynchronize();
  printf("%llu %llu, %llu %llu\n", global->count, global->sum, last->count, last->sum);
  printf("%u %g %g %g %g %g %g\n", *maximum, a->x, a->y, b->x, b->y, b->z, b->w);
}
