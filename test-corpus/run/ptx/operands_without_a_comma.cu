// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of an asm statement may follow each other without a comma.
#include <cstdio>

#define ADD(sum, a, b) asm("add.u32 %0, %1, %2;" : "=r"(sum) : "r"(a) "r"(b))

__device__ void store(unsigned* to, unsigned value) {
  asm volatile("st.release.sys.global.u32 [%1], %0;" ::"r"(value) "l"(to) : "memory");
}

__global__ void kernel(unsigned* out) {
  unsigned sum;
  ADD(sum, threadIdx.x * 10, (threadIdx.x + 1));
  store(out + threadIdx.x, sum);
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 4 * sizeof(unsigned));
  kernel<<<1, 4>>>(out);
  cudaDeviceSynchronize();
  std::printf("%u %u %u %u\n", out[0], out[1], out[2], out[3]);
  cudaFree(out);
  return 0;
}
