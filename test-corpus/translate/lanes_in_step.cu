// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that rely on running in step wait around what they write, and a note says so.
// DIAG: CU2102
// CHECK: cuStep2 = s[t + 16];
// CHECK: s[t] += cuStep2;
__global__ void tail(int* out) {
  __shared__ int data[32];
  volatile int* s = data;
  const int t = threadIdx.x;
  s[t] = out[t];
  __syncthreads();
  if (t < 16) {
    s[t] += s[t + 16];
    s[t] += s[t + 8];
  }
  out[t] = s[0];
}
// Near miss: each lane has its own element.
// CHECK: s[t] = 2 * s[t];
__global__ void own(int* out) {
  __shared__ int data[32];
  volatile int* s = data;
  const int t = threadIdx.x;
  s[t] = out[t];
  s[t] = 2 * s[t];
  out[t] = s[t];
}
// The first warp's lanes meet in volatile global memory, too.
// CHECK: cuStep1 = g[t + 32];
__global__ void tailInGlobalMemory(int* data, int n) {
  const int t = threadIdx.x;
  if (t < 32 && n >= 64) {
    volatile int* g = data + blockIdx.x * n;
    g[t] += g[t + 32];
    g[t] += g[t + 16];
  }
}
// Near miss: without a first warp, volatile global memory is the threads' own or a flag of others.
// CHECK: g[t] += 1;
__global__ void flags(volatile int* g, int n) {
  const int t = threadIdx.x;
  if (t < n) {
    g[t] += 1;
    g[t + n] += 2;
  }
}
