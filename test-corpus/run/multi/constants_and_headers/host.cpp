// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain C++ host file that uses the runtime API and vector types. Device functions are not
// declared in host files: it may have functions of their names.
#include "api.h"
#include <cuda_runtime.h>
#include <driver_functions.h>

inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline float rsqrtf(float x) { return 1 / x; }

int hostCpp() {
  int4* p = nullptr;
  if (cudaMalloc(reinterpret_cast<void**>(&p), sizeof(int4)) != cudaSuccess)
    return -1;
  int4 v = make_int4(1, 20, 300, 4000), back = {};
  cudaMemcpy(p, &v, sizeof v, cudaMemcpyHostToDevice);
  cudaMemcpy(&back, p, sizeof v, cudaMemcpyDeviceToHost);
  cudaFree(p);
  dim3 d(2, 3);
  return back.x + back.y + back.z + back.w + int(d.x * d.y * d.z) * max(min(10000, 20000), 1) +
         int(rsqrtf(4)) + int(make_cudaExtent(0, 1, 1).width);
}
