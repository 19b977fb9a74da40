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
