// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaPointerGetAttributes tells device, pinned, managed and plain memory apart, also for pointers into the middle.
#include <cstdio>
#include <cstdlib>

void show(const char* name, void* p) {
  cudaPointerAttributes a;
  cudaError_t e = cudaPointerGetAttributes(&a, p);
  printf("%s: %s type %d", name, cudaGetErrorName(e), int(a.type));
  if (a.type != cudaMemoryTypeUnregistered)  // for plain memory they depend on the GPU
    printf(" device pointer %d host pointer %d", a.devicePointer != nullptr, a.hostPointer != nullptr);
  printf("\n");
}

int main() {
  char *device, *pinned, *managed, *plain = (char*)malloc(1000);
  cudaMalloc(&device, 1000);
  cudaMallocHost(&pinned, 1000);
  cudaMallocManaged(&managed, 1000);
  show("device", device);
  show("device + 999", device + 999);
  show("pinned", pinned + 10);
  show("managed", managed + 500);
  show("plain", plain);
  cudaHostRegister(plain, 1000, 0);
  show("registered", plain);
  cudaHostUnregister(plain);
  show("plain again", plain);
  size_t freeBytes = 0, totalBytes = 0;
  cudaMemGetInfo(&freeBytes, &totalBytes);
  printf("%d\n", freeBytes > 0 && freeBytes <= totalBytes);
  return 0;
}
