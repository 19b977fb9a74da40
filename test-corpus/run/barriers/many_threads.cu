// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of 1024 threads with barriers, several in flight at once: sums over the whole block by neighbours.
#include <cstdio>

__global__ void k(unsigned* out) {
  __shared__ unsigned s[2][1024];
  unsigned t = threadIdx.x + 32 * threadIdx.y, from = 0;
  s[0][t] = t + blockIdx.x;
  __syncthreads();
  for (unsigned d = 1; d < 1024; d *= 2) {
    s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (t % 341 == 0)
    out[blockIdx.x * 4 + t / 341] = s[from][t];
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 20 * 4 * sizeof(unsigned));
  k<<<20, dim3(32, 32)>>>(out);
  cudaDeviceSynchronize();
  for (int b = 0; b < 20; b += 6)
    printf("%u %u %u %u\n", out[b * 4], out[b * 4 + 1], out[b * 4 + 2], out[b * 4 + 3]);
  return 0;
}
