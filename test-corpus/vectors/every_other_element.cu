// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PROCESSOR: x86-64-v4
// ASSEMBLY: vperm[it]2ps
//
// Every second element of a shared array is picked from rows: no gather, and no loop for the last.
extern "C" __global__ void __launch_bounds__(256) step(const float* in, float* out, int i) {
  __shared__ float spot[513];
  const int j = threadIdx.x;
  spot[j] = in[j];
  spot[j + 256] = in[j + 256];
  __syncthreads();
  if (j <= i)
    out[j] = 8.0f - spot[2 * j - i + 256];
}
