// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ARGS: --line-directives
//
// Elements of shared arrays that functions in which threads meet are given by reference are these elements in the
// function's body, which stands in the kernel.
template <int n> __device__ void turn(float (&x)[n]) {
  const int lane = threadIdx.x % 32;
  const float other = x[31 - lane];
  __syncwarp();
  x[lane] += other;
  __syncwarp();
}

__global__ void warps(const float* in, float* out) {
  __shared__ float rows[4][32];
  const int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  rows[w][lane] = in[threadIdx.x];
  __syncwarp();
  turn<32>(rows[w]);
  out[threadIdx.x] = rows[w][lane];
}
// CHECK: const int cuAt_x_1 = w;
// CHECK: other = rows[cuAt_x_1][31 - lane
// CHECK: rows[cuAt_x_1][lane
// CHECK-NOT: eachThreadOnFiber
