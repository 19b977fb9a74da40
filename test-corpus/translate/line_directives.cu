// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With --line-directives every line of the translation names the user's line.
// ARGS: --line-directives
// CHECK: #line 1 "
__global__ void k(int* out) {
  // CHECK: #line 5 "
  // CHECK: cu2cpp::eachThread
  // CHECK: out[threadIdx.x] = 1; // line 9
  out[threadIdx.x] = 1; // line 9
}

__global__ void waits(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads(); // line 15
  // CHECK: #line 18 "
  // CHECK: out[threadIdx.x] = s[31 - threadIdx.x];
  out[threadIdx.x] = s[31 - threadIdx.x];
}

// CHECK: cu2cpp::launch(k, 1, 32)(out);
void run(int* out) {
  k<<<1, 32>>>(out);
}
