// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A managed variable is managed memory to whoever asks by its address, before and after its first use.
#include <cstdio>

#include <cuda_runtime.h>

__managed__ int counter = 5;
__device__ __managed__ float row[6];
namespace parts {
static __managed__ double inside[2] = {1, 2};
}
__device__ int onlyDevice[4];

__global__ void touch() {
  if (threadIdx.x == 0)
    counter += 1;
  row[threadIdx.x] = float(threadIdx.x);
  parts::inside[1] = 8;
}

void show(const char* name, const void* p) {
  cudaPointerAttributes a{};
  const cudaError_t error = cudaPointerGetAttributes(&a, p);
  printf("%-12s %s type %d, device %d, host %d, device pointer %d\n", name, cudaGetErrorName(error), int(a.type),
         a.device, a.hostPointer == p, a.devicePointer == p);
}
void tell(const char* what, cudaError_t error) {
  printf("%-28s %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

int main() {
  show("counter", &counter);
  show("row", row);
  show("row + 5", row + 5);
  show("inside", parts::inside);
  void* found = nullptr;
  tell("address", cudaGetSymbolAddress(&found, counter));
  printf("same %d\n", found == &counter);
  show("counter", found);
  tell("device variable", cudaGetSymbolAddress(&found, onlyDevice));
  show("onlyDevice", found);
  touch<<<1, 6>>>();
  tell("wait", cudaDeviceSynchronize());
  printf("%d %g %g\n", counter, row[5], parts::inside[1]);
  float host[6] = {};
  tell("copy", cudaMemcpy(host, row, sizeof row, cudaMemcpyDefault));
  printf("%g\n", host[4]);
  tell("to the device", cudaMemcpy(row, host, sizeof row, cudaMemcpyHostToDevice));
  tell("fill", cudaMemset(row, 0, sizeof row));
  printf("%g\n", row[3]);
  tell("free", cudaFree(&counter));
  tell("free host", cudaFreeHost(&counter));
  show("counter", &counter);
  return 0;
}
