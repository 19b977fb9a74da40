// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that device functions with barriers define and undefine in their bodies, over several lines and under #if.
#include <cstdio>

#define PICK(W)                              \
  {                                          \
    const int other = s[tid + (W)];          \
    if (other < s[tid])                      \
      s[tid] = other;                        \
  }
#define SCALE 3

template <unsigned Threads> __device__ void least(volatile int* s, unsigned tid) {
  if (Threads >= 128) { if (tid < 64) PICK(64); __syncthreads(); }
  for (unsigned w = 32; w > 0; w >>= 1) {
    if (tid < w) PICK(w);
    __syncthreads();
  }
#undef PICK
}

__device__ int total(int* s, unsigned tid, int value) {
#define ADD(W)                 \
  {                            \
    s[tid] += s[tid + (W)];    \
  }
#ifdef NEVER_DEFINED
#define FACTOR 5
#else
#define FACTOR (SCALE + 1)
#endif
  __syncthreads();
  s[tid] = value * FACTOR;
  __syncthreads();
  for (unsigned w = 64; w > 0; w >>= 1) {
    if (tid < w)
      ADD(w)
    __syncthreads();
  }
  return s[0];
#undef ADD
#undef FACTOR
#undef SCALE
#define FACTOR 100
}

__global__ void kernel(const int* in, int* out, int n) {
  __shared__ int s[128];
  const unsigned tid = threadIdx.x;
  const int value = in[blockIdx.x * 128 + tid];
  s[tid] = value;
  __syncthreads();
  least<128>(s, tid);
  const int smallest = s[0];
  const int sum = total(s, tid, value);
  if (tid == 0) {
    out[2 * blockIdx.x] = smallest;
    out[2 * blockIdx.x + 1] = sum + FACTOR;
  }
}

int main() {
  const int blocks = 7, n = blocks * 128;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, 2 * blocks * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = (i * 7919 + 13) % 1009 + i / 128;
  kernel<<<blocks, 128>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int b = 0; b < blocks; ++b)
    printf("%d %d\n", out[2 * b], out[2 * b + 1]);
  cudaFree(in);
  cudaFree(out);
}
