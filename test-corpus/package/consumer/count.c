/* A C file of the host that calls the runtime. */
#include <cuda_runtime.h>

int deviceCount(void) {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}
