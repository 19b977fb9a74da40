// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special registers written with one percent sign beside operands, as much public code has them:
// nvcc takes `%smid` and `%%smid` alike.
#include <cstdio>

__device__ unsigned laneId() {
  unsigned r;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(r));
  return r;
}
__device__ unsigned smId() {
  unsigned r;
  asm volatile("mov.u32 %0, %smid;" : "=r"(r));
  return r;
}
__device__ unsigned lanesBelow() {
  unsigned r;
  asm("mov.u32 %0, %lanemask_lt;" : "=r"(r));
  return r;
}
__device__ unsigned place(unsigned step) {
  unsigned r;
  asm("{\n\t"
      ".reg .u32 %t, %b, %n;\n\t"
      "mov.u32 %t, %tid.x;\n\t"
      "mov.u32 %b, %ctaid.x;\n\t"
      "mov.u32 %n, %ntid.x;\n\t"
      "mad.lo.u32 %0, %b, %n, %t;\n\t"
      "mul.lo.u32 %0, %0, %1;\n\t"
      "}"
      : "=r"(r)
      : "r"(step));
  return r;
}
__device__ unsigned long long timeNow() {
  unsigned long long r;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(r));
  return r;
}
__device__ int selected(int a, int b) {
  int r;
  asm("{ .reg .pred %p; setp.lt.s32 %p, %1, %2; selp.s32 %0, %1, %2, %p; }"
      : "=r"(r)
      : "r"(a), "r"(b));
  return r;
}

__global__ void all(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long before = timeNow();
  out[i] = laneId() + 100 * __popc(lanesBelow()) + 10000 * place(3) + (smId() > 4096) +
           selected(int(i), 20) * 10000000 + (timeNow() < before);
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 96 * sizeof(unsigned));
  all<<<2, 48>>>(out);
  printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 96; i += 5)
    printf(" %u", out[i]);
  printf("\n");
  cudaFree(out);
  return 0;
}
