// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is not supported is written as it is, marked at the place, and makes the exit code 1.
// EXIT: 1
// CHECK: /* CU2001: inline PTX that is not translated: 'wgmma.fence.sync.aligned'
// DIAG: CU2001 @+1
__global__ void fence() { asm volatile("wgmma.fence.sync.aligned;"); }

// Lanes that do not wait for each other, where no wait can be put: right on old GPUs only.
// DIAG: CU2004
// CHECK: /* CU2004:
__global__ void inStep(int* out) {
  __shared__ int data[64];
  volatile int* s = data;
  const int t = threadIdx.x;
  s[t] = out[t];
  __syncthreads();
  if (t < 32) {
    s[t] = s[t] + s[t + 32], s[t] = s[t] + s[t + 16];
  }
  out[t] = s[0];
}

// Near miss: comments and strings that look like it.
// CHECK: const char* text = "asm volatile(\"bar.sync 0;\")"; // asm("bar.sync 0;")
const char* text = "asm volatile(\"bar.sync 0;\")"; // asm("bar.sync 0;")
