// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// Names and descriptions of all errors, in the runtime API and in the driver API.
#include <cstdio>
#include <cstring>

#include <cuda.h>

int main() {
  const char* none = cudaGetErrorName(static_cast<cudaError_t>(99999));
  printf("%s / %s\n", none, cudaGetErrorString(static_cast<cudaError_t>(99999)));
  for (int i = -1; i < 1100; ++i) {
    const char* name = cudaGetErrorName(static_cast<cudaError_t>(i));
    if (strcmp(name, none) != 0)
      printf("%d %s: %s\n", i, name, cudaGetErrorString(static_cast<cudaError_t>(i)));
  }
  for (int i = -1; i < 1100; ++i) {
    const char *name = nullptr, *text = nullptr;
    const CUresult result = cuGetErrorName(static_cast<CUresult>(i), &name);
    const CUresult described = cuGetErrorString(static_cast<CUresult>(i), &text);
    if (result == CUDA_SUCCESS)
      printf("%d %s: %s\n", i, name, text);
    else if (i < 2)
      printf("%d is none: %d %d %d %d\n", i, int(result), int(described), name == nullptr, text == nullptr);
  }
  return 0;
}
