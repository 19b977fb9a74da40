// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named barriers in inline PTX: producers arrive without waiting, consumers wait; halves of a block that meet among
// themselves; numbers in registers.
#include <cstdio>

// Warp 0 fills one of two buffers and goes on, warps 1 and 2 empty them: barriers 1 and 2 say full, 3 and 4 say empty.
__global__ void producerConsumer(int* out, int rounds) {
  __shared__ int buffer[2][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) {
    for (int r = 0; r < rounds; ++r) {
      const int b = r % 2;
      if (r >= 2)
        asm volatile("bar.sync %0, 96;" ::"r"(3 + b) : "memory");
      buffer[b][lane] = r * 100 + lane;
      asm volatile("bar.arrive %0, 96;" ::"r"(1 + b) : "memory");
    }
  } else {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
      const int b = r % 2;
      asm volatile("bar.sync %0, 96;" ::"r"(1 + b) : "memory");
      sum += buffer[b][(lane + warp) % 32] * warp;
      if (r + 2 < rounds)
        asm volatile("bar.arrive %0, 96;" ::"r"(3 + b) : "memory");
    }
    out[threadIdx.x - 32] = sum;
  }
}

__global__ void halves(int* out) {
  __shared__ int row[128];
  const int t = threadIdx.x, half = t / 64, n = t % 64;
  row[t] = t;
  for (int step = 32; step > 0; step /= 2) {
    if (half == 0)
      asm volatile("bar.sync 1, 64;");
    else
      asm volatile("barrier.sync 2, 64;");
    if (n < step)
      row[t] += row[t + step] * (half + 1);
  }
  asm volatile("bar.sync 0;");
  out[t] = row[half * 64] + row[(1 - half) * 64] * 10;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128 * sizeof *out);
  producerConsumer<<<2, 96>>>(out, 7);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%d %d %d %d\n", out[0], out[31], out[32], out[63]);
  halves<<<1, 128>>>(out);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%d %d\n", out[0], out[127]);
  return 0;
}
