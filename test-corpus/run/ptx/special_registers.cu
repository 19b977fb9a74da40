// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special registers of inline PTX: a thread's place in its warp, block and grid.
#include <cstdio>

__device__ __forceinline__ unsigned lane() {
  unsigned id;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}

__device__ unsigned maskBelow() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

#define READ(name, target) asm volatile("mov.u32 %0, %" name ";" : "=r"(target))

__global__ void places(unsigned* out) {
  unsigned x, y, z, nx, ny, nz, cx, cy, ncx, ncy;
  asm("mov.u32 %0, %%tid.x;\n\t"
      "mov.u32 %1, %%tid.y;\n\t"
      "mov.u32 %2, %%tid.z;\n\t"
      : "=r"(x), "=r"(y), "=r"(z));
  asm("mov.u32 %0, %%ntid.x; mov.u32 %1, %%ntid.y; mov.u32 %2, %%ntid.z;"
      : "=r"(nx), "=r"(ny), "=r"(nz));
  asm("mov.u32 %0, %%ctaid.x; mov.u32 %1, %%ctaid.y;" : "=r"(cx), "=r"(cy));
  asm("{\n\t mov.u32 %0, %%nctaid.x;\n\t mov.u32 %1, %%nctaid.y;\n\t}" : "=r"(ncx), "=r"(ncy));
  const unsigned thread = x + nx * (y + ny * z);
  const unsigned block = cx + ncx * cy;
  unsigned* mine = out + (block * nx * ny * nz + thread) * 10;
  mine[0] = lane();
  mine[1] = maskBelow();
  READ("%lanemask_le", mine[2]);
  READ("%lanemask_gt", mine[3]);
  READ("%lanemask_ge", mine[4]);
  READ("%lanemask_eq", mine[5]);
  mine[6] = thread;
  mine[7] = block;
  mine[8] = nx * 10000 + ny * 100 + nz;
  mine[9] = ncx * 100 + ncy;
}

__global__ void ranks(unsigned* total) {
  // Each thread of a warp that holds a flag finds its place among those.
  const bool flag = threadIdx.x % 3 == 0;
  const unsigned ballot = __ballot_sync(0xffffffffu, flag);
  if (flag)
    total[blockIdx.x * 32 + __popc(ballot & maskBelow())] = threadIdx.x;
}

__global__ void clocks(int* ok) {
  unsigned first, second, sm, sms;
  unsigned long long t0, t1, g0, g1;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(first)::"memory");
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t0)::"memory");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g0)::"memory");
  for (volatile int i = 0; i < 1000; i = i + 1)
    ;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(g1)::"memory");
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t1)::"memory");
  asm volatile("mov.u32 %0, %%clock;" : "=r"(second)::"memory");
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  asm("mov.u32 %0, %%nsmid;" : "=r"(sms));
  ok[0] = second != first;
  ok[1] = t1 > t0;
  ok[2] = g1 >= g0;
  ok[3] = sm < sms;
}

int main() {
  const dim3 grid(2, 3), block(5, 4, 3);
  const int threads = 6 * 60;
  unsigned* d;
  cudaMallocManaged(&d, threads * 10 * sizeof(unsigned));
  places<<<grid, block>>>(d);
  cudaDeviceSynchronize();
  unsigned long long sums[10] = {};
  for (int t = 0; t < threads; ++t)
    for (int k = 0; k < 10; ++k)
      sums[k] += (unsigned long long)d[t * 10 + k] * (t + 1);
  for (int k = 0; k < 10; ++k)
    printf("%d: %llu\n", k, sums[k]);
  for (int k = 0; k < 10; ++k)
    printf("%x ", d[(60 * 4 + 37) * 10 + k]);
  printf("\n");

  unsigned* r;
  cudaMallocManaged(&r, 64 * sizeof(unsigned));
  for (int i = 0; i < 64; ++i)
    r[i] = 99;
  ranks<<<2, 32>>>(r);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%u ", r[i]);
  printf("\n");

  int* ok;
  cudaMallocManaged(&ok, 4 * sizeof(int));
  clocks<<<1, 1>>>(ok);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  printf("%d %d %d %d\n", ok[0], ok[1], ok[2], ok[3]);
  return 0;
}
