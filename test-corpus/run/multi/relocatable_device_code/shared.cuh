// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What both files of the program share: a device variable, a constant table and device functions defined in other.cu.
#pragma once

extern __device__ int total;
extern __constant__ int weights[4];
__device__ int weighted(int i);
__global__ void accumulate(const int* data, int n);
void runOther(const int* data, int n);
