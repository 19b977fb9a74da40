// A C++ file of the host that calls the runtime.
#include <cuda_runtime.h>

bool hostSide(int* data, int n) {
  return cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess && n > 0 && data;
}
