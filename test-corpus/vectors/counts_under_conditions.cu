// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PROCESSOR: x86-64-v4
// NO ASSEMBLY: vmovdqu32 .*,.*\(%r.*\{%k[1-7]\}
//
// What threads count under conditions is no store under a mask, and what they add to one integer is a vector.
extern "C" __global__ void differences(const unsigned char* __restrict a, const unsigned char* __restrict b, int* __restrict out) {
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  const uchar4 *x = (const uchar4*)(a + 2048 * blockIdx.x), *y = (const uchar4*)(b + 2048 * blockIdx.x);
  int count = 0;
  for (int i = threadIdx.x; i < 512; i += 128) {
    const uchar4 j = x[i], k = y[i];
    if (j.x ^ k.x)
      count++;
    if (j.y > k.y || (j.y == k.y && i <= 7))
      count++;
  }
  atomicAdd(&sum, count);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
void start(const unsigned char* a, const unsigned char* b, int* out) { differences<<<512, 128>>>(a, b, out); }
