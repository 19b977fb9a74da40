// A host file in C++14 that uses the runtime's types.
#include <cuda_runtime.h>

bool hostSide(float4 value) {
  dim3 grid(2, 3);
  cudaDeviceProp properties;
  return cudaGetDeviceProperties(&properties, 0) == cudaSuccess && grid.z == 1 &&
         value.x + value.w == 5 && properties.warpSize == 32;
}
