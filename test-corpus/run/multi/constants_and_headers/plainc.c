/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A plain C host file that uses the runtime API. */
#include "api.h"
#include <cuda_runtime.h>

int plainC(void) {
  void* p = 0;
  int v = 41, back = 0;
  struct cudaDeviceProp prop;
  if (cudaMalloc(&p, sizeof v) != cudaSuccess)
    return -1;
  cudaMemcpy(p, &v, sizeof v, cudaMemcpyHostToDevice);
  cudaMemset(p, 1, 1);
  cudaMemcpy(&back, p, sizeof v, cudaMemcpyDeviceToHost);
  cudaFree(p);
  cudaGetDeviceProperties(&prop, 0);
  return back + prop.warpSize * 1000;
}
