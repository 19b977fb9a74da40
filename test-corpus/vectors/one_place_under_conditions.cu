// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PROCESSOR: x86-64-v4
// ASSEMBLY: 1to16
//
// What all threads load from one place, if they do, is loaded once and not gathered.
extern "C" __global__ void __launch_bounds__(256) apart(const float* in, const int* row, float* out) {
  const int i = threadIdx.x;
  float sum = in[i];
  if (row[i] > 0)
    sum *= in[1000];
  out[i] = sum;
}
