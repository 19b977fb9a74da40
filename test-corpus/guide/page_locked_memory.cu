// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaHostAlloc and cudaHostRegister in every mode, and kernels on mapped pointers ('Page-Locked Host Memory').
#include <cstdio>
#include <cstdlib>

__global__ void addOne(int* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] += 1;
}

int check(const char* name, int* host, int n) {
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += host[i] != i + 1;
  printf("%s: wrong %d\n", name, wrong);
  return wrong;
}

int main() {
  const int n = 4096;
  const unsigned modes[] = {cudaHostAllocDefault, cudaHostAllocPortable, cudaHostAllocMapped,
                            cudaHostAllocMapped | cudaHostAllocWriteCombined,
                            cudaHostAllocPortable | cudaHostAllocMapped};
  int wrong = 0;
  for (unsigned mode : modes) {
    int* host = nullptr;
    if (cudaHostAlloc(&host, n * sizeof(int), mode) != cudaSuccess)
      return 1;
    for (int i = 0; i < n; ++i)
      host[i] = i;
    int* device = nullptr;
    cudaHostGetDevicePointer(&device, host, 0);
    addOne<<<4, 128>>>(device, n);
    cudaDeviceSynchronize();
    unsigned flags = 0;
    cudaHostGetFlags(&flags, host);
    // With unified addressing every page-locked allocation is portable and mapped in effect.
    printf("mode %u flags contain it %d ", mode, (flags & mode) == mode);
    wrong += check("alloc", host, n);
    cudaFreeHost(host);
  }
  for (unsigned mode : {cudaHostRegisterDefault, cudaHostRegisterPortable, cudaHostRegisterMapped}) {
    int* host = (int*)aligned_alloc(4096, n * sizeof(int));
    for (int i = 0; i < n; ++i)
      host[i] = i;
    cudaError_t e = cudaHostRegister(host, n * sizeof(int), mode);
    int* device = nullptr;
    cudaHostGetDevicePointer(&device, host, 0);
    addOne<<<4, 128>>>(device, n);
    cudaDeviceSynchronize();
    printf("register %u: %s ", mode, cudaGetErrorName(e));
    wrong += check("register", host, n);
    printf("twice: %s\n", cudaGetErrorName(cudaHostRegister(host, n * sizeof(int), mode)));
    cudaGetLastError();
    printf("unregister: %s\n", cudaGetErrorName(cudaHostUnregister(host)));
    printf("again: %s\n", cudaGetErrorName(cudaHostUnregister(host)));
    cudaGetLastError();
    free(host);
  }
  return wrong != 0;
}
