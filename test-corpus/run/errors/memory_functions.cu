// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bad arguments of functions for memory: allocation, pinned and registered memory, copies, symbols, pools.
#include <cstdio>
#include <cstdlib>

#define SHOW(call) printf("%-78s %s\n", #call, cudaGetErrorName(call))

__device__ int variable[4];
__constant__ float constants[8];

int main() {
  int *d, *pitched;
  size_t pitch = 0, bytes = 0;
  void* q = nullptr;
  static int host[64];
  char* pageable = static_cast<char*>(aligned_alloc(4096, 4 * 4096));

  printf("- allocation\n");
  SHOW(cudaMalloc(&d, 64 * sizeof(int)));
  SHOW(cudaMalloc(&q, 0));
  printf("null %d\n", q == nullptr);
  SHOW(cudaMalloc(static_cast<void**>(nullptr), 4));
  SHOW(cudaMalloc(&q, size_t(1) << 50));
  SHOW(cudaMallocManaged(&q, 0));
  SHOW(cudaMallocManaged(&q, 64, 8));
  SHOW(cudaMallocPitch(&q, &pitch, 0, 4));
  SHOW(cudaMallocPitch(&pitched, &pitch, 100, 4));
  printf("pitch %zu\n", pitch);
  SHOW(cudaMallocHost(&q, 0));
  SHOW(cudaHostAlloc(&q, 64, 0x1000));
  SHOW(cudaFree(nullptr));
  SHOW(cudaFree(host));
  SHOW(cudaFree(d + 1));
  SHOW(cudaFreeHost(nullptr));
  SHOW(cudaFreeHost(host));
  SHOW(cudaFreeHost(d));
  int* gone;
  cudaMalloc(&gone, 4096);
  SHOW(cudaFree(gone));
  SHOW(cudaFree(gone));
  SHOW(cudaMemGetInfo(nullptr, &bytes));
  SHOW(cudaMemGetInfo(nullptr, nullptr));
  cudaExtent extent = make_cudaExtent(0, 1, 1);
  cudaPitchedPtr volume;
  SHOW(cudaMalloc3D(&volume, extent));
  printf("null %d\n", volume.ptr == nullptr);

  printf("- pinned and registered\n");
  int* pinned;
  unsigned flags = 77;
  SHOW(cudaHostAlloc(&pinned, 4096, cudaHostAllocPortable | cudaHostAllocMapped));
  SHOW(cudaHostGetFlags(&flags, pinned));
  printf("flags %u\n", flags);
  SHOW(cudaHostGetFlags(&flags, host));
  SHOW(cudaHostGetFlags(nullptr, pinned));
  SHOW(cudaHostGetDevicePointer(&q, pinned, 0));
  SHOW(cudaHostGetDevicePointer(&q, pinned, 1));
  SHOW(cudaHostGetDevicePointer(&q, nullptr, 0));
  SHOW(cudaHostRegister(pageable, 4096, cudaHostRegisterDefault));
  SHOW(cudaHostRegister(pageable, 4096, cudaHostRegisterDefault));
  SHOW(cudaHostRegister(pageable, 0, cudaHostRegisterDefault));
  SHOW(cudaHostRegister(nullptr, 4096, cudaHostRegisterDefault));
  SHOW(cudaHostRegister(pageable + 8192, 4096, 0x100));
  SHOW(cudaHostGetFlags(&flags, pageable));
  printf("flags %u\n", flags);
  SHOW(cudaHostUnregister(pageable + 16));
  SHOW(cudaHostUnregister(pageable));
  SHOW(cudaHostUnregister(pageable));
  SHOW(cudaHostUnregister(pinned));
  SHOW(cudaHostUnregister(nullptr));

  printf("- copies\n");
  SHOW(cudaMemcpy(d, host, 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(d, host, 16, static_cast<cudaMemcpyKind>(9)));
  SHOW(cudaMemcpy(d, host, 16, cudaMemcpyDefault));
  SHOW(cudaMemcpy(host, d, 16, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(host, host + 32, 16, cudaMemcpyHostToHost));
  SHOW(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault));
  SHOW(cudaMemcpyAsync(d, nullptr, 4, cudaMemcpyHostToDevice, nullptr));
  SHOW(cudaMemset(d, 0, 0));
  SHOW(cudaMemset2D(pitched, 50, 0, 100, 4));
  SHOW(cudaMemset2D(pitched, pitch, 0, 100, 4));
  SHOW(cudaMemset2D(pitched, pitch, 0, 0, 4));
  SHOW(cudaMemcpy2D(pitched, pitch, host, 8, 16, 2, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(pitched, 8, host, 16, 16, 2, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(pitched, pitch, host, 16, 16, 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(pitched, pitch, host, 16, 16, 2, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(pitched, pitch, host, 16, 16, 2, static_cast<cudaMemcpyKind>(9)));
  SHOW(cudaMemcpy3D(nullptr));
  cudaMemcpy3DParms parms = {};
  SHOW(cudaMemcpy3D(&parms));
  parms.extent = make_cudaExtent(16, 1, 1);
  SHOW(cudaMemcpy3D(&parms));
  parms.srcPtr = make_cudaPitchedPtr(host, 16, 16, 1);
  parms.dstPtr = make_cudaPitchedPtr(d, 16, 16, 1);
  parms.kind = cudaMemcpyHostToDevice;
  SHOW(cudaMemcpy3D(&parms));
  parms.extent = make_cudaExtent(32, 2, 1);
  SHOW(cudaMemcpy3D(&parms));
  SHOW(cudaMemcpyPeer(d, 0, d + 16, 0, 16));
  SHOW(cudaMemcpyPeer(d, 99, d + 16, 0, 16));
  SHOW(cudaMemcpyPeer(d, -1, d + 16, 0, 16));

  printf("- symbols\n");
  SHOW(cudaMemcpyToSymbol(variable, host, 16));
  SHOW(cudaMemcpyToSymbol(variable, host, 17));
  SHOW(cudaMemcpyToSymbol(variable, host, 8, 12));
  SHOW(cudaMemcpyToSymbol(variable, host, 4, 12));
  SHOW(cudaMemcpyToSymbol(variable, host, 4, 0, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpyFromSymbol(host, variable, 4, 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpyFromSymbol(host, constants, 36));
  SHOW(cudaMemcpyFromSymbol(host, constants, 32));
  SHOW(cudaMemcpyToSymbol(static_cast<const void*>(nullptr), host, 4));
  SHOW(cudaGetSymbolSize(&bytes, static_cast<const void*>(nullptr)));
  SHOW(cudaGetSymbolSize(&bytes, constants));
  printf("bytes %zu\n", bytes);

  printf("- pools\n");
  cudaMemPool_t pool = nullptr;
  SHOW(cudaDeviceGetDefaultMemPool(&pool, 0));
  SHOW(cudaDeviceGetDefaultMemPool(&pool, 99));
  SHOW(cudaDeviceGetMemPool(nullptr, 0));
  SHOW(cudaDeviceSetMemPool(0, nullptr));
  SHOW(cudaMallocAsync(&q, 0, nullptr));
  SHOW(cudaMallocAsync(static_cast<void**>(nullptr), 4, nullptr));
  SHOW(cudaFreeAsync(d + 1, nullptr));
  SHOW(cudaFreeAsync(host, nullptr));
  SHOW(cudaFreeAsync(pinned, nullptr));
  unsigned long long value = 1;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
  printf("threshold %llu\n", value);
  SHOW(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(999), &value));
  SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  value = 0;
  SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  value = 5;
  SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  cudaMemPoolProps props = {};
  cudaMemPool_t other;
  SHOW(cudaMemPoolCreate(&other, nullptr));
  SHOW(cudaMemPoolCreate(&other, &props));
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 99;
  SHOW(cudaMemPoolCreate(&other, &props));

  SHOW(cudaPeekAtLastError());
  SHOW(cudaGetLastError());
  SHOW(cudaGetLastError());
  SHOW(cudaFree(d));
  SHOW(cudaDeviceSynchronize());
  return 0;
}
