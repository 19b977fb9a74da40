// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ARGS: --line-directives
//
// Loops over elements of shared memory run for the whole block, also where pointers name one of two arrays in turn.
__global__ void inTurn(const double* in, double* out) {
  __shared__ double values[2][600];
  for (int j = threadIdx.x; j < 600; j += blockDim.x) values[0][j] = in[j];
  __syncthreads();
  int now = 0;
  for (int step = 298; step >= 0; step--) {
    const double* from = values[now];
    double* to = values[now ^ 1];
    for (int j = 299 - step + threadIdx.x; j <= 299 + step; j += blockDim.x) to[j] = 0.25 * from[j - 1] + 0.5 * from[j + 1];
    now ^= 1;
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = values[now][299];
}
// CHECK: const double* from = values[now];
// CHECK: cu2cpp::eachElementInTurn<int, true>(cuBlock,
// CHECK: cu2cpp::upTo(299 + step)
// CHECK: to[cu2cpp::inRow(j, cuLane)] =

void run(double* a, double* b) { inTurn<<<1, 128>>>(a, b); }
