// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// Virtual memory management: reserve, create, map, set access, grow in place, two addresses of one memory, errors.
#include <cstdio>

#include <cuda.h>

#define SHOW(call) show(#call, call)
static void show(const char* what, CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  printf("%-70s %s\n", what, name ? name : "none");
}

__global__ void count(int* data, int n, int step) {
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x))
    data[i] += i * step;
}
__global__ void total(const int* data, int n, unsigned long long* out) {
  unsigned long long sum = 0;
  for (int i = int(threadIdx.x); i < n; i += int(blockDim.x))
    sum += static_cast<unsigned long long>(data[i]);
  atomicAdd(out, sum);
}

int main() {
  cuInit(0);
  CUcontext context;
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  CUmemAllocationProp prop = {};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  prop.location.id = 0;
  size_t granularity = 0, recommended = 0;
  SHOW(cuMemGetAllocationGranularity(&granularity, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  SHOW(cuMemGetAllocationGranularity(&recommended, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  printf("%zu %zu\n", granularity, recommended);
  SHOW(cuMemGetAllocationGranularity(nullptr, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  const size_t size = granularity;
  CUdeviceptr range = 0, second = 0;
  SHOW(cuMemAddressReserve(&range, 4 * size, 0, 0, 0));
  SHOW(cuMemAddressReserve(&second, 0, 0, 0, 0));
  SHOW(cuMemAddressReserve(&second, size + 1, 0, 0, 0));
  SHOW(cuMemAddressReserve(nullptr, size, 0, 0, 0));
  SHOW(cuMemAddressReserve(&second, size, 0, 0, 1));
  CUmemGenericAllocationHandle a = 0, b = 0, c = 0;
  SHOW(cuMemCreate(&a, size, &prop, 0));
  SHOW(cuMemCreate(&b, size, &prop, 0));
  SHOW(cuMemCreate(&c, size + 5, &prop, 0));
  SHOW(cuMemCreate(&c, 0, &prop, 0));
  SHOW(cuMemCreate(&c, size, nullptr, 0));
  CUmemAllocationProp wrong = prop;
  wrong.location.id = 1000;
  SHOW(cuMemCreate(&c, size, &wrong, 0));
  wrong = prop;
  wrong.type = CU_MEM_ALLOCATION_TYPE_INVALID;
  SHOW(cuMemCreate(&c, size, &wrong, 0));
  CUmemAllocationProp got = {};
  SHOW(cuMemGetAllocationPropertiesFromHandle(&got, a));
  printf("%d %d %d\n", int(got.type), int(got.location.type), got.location.id);

  printf("- map\n");
  CUmemAccessDesc access = {};
  access.location = prop.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  SHOW(cuMemMap(range, size, 0, a, 0));
  SHOW(cuMemMap(range, size, 0, b, 0));
  SHOW(cuMemMap(range + 100, size, 0, b, 0));
  SHOW(cuMemMap(range + size, 2 * size, 0, b, 0));
  SHOW(cuMemMap(range + size, size, 0, b, 1));
  unsigned long long flags = 7;
  SHOW(cuMemGetAccess(&flags, &prop.location, range));
  printf("access %llu\n", flags);
  SHOW(cuMemSetAccess(range, size, &access, 1));
  SHOW(cuMemGetAccess(&flags, &prop.location, range));
  printf("access %llu\n", flags);
  SHOW(cuMemSetAccess(range + size, size, &access, 1));
  SHOW(cuMemSetAccess(range, size, nullptr, 1));
  SHOW(cuMemMap(range + size, size, 0, b, 0));
  SHOW(cuMemSetAccess(range, 2 * size, &access, 1));
  const int n = int(2 * size / sizeof(int));
  int* data = reinterpret_cast<int*>(range);
  unsigned long long *sum, host = 0;
  cudaMalloc(&sum, sizeof *sum);
  SHOW(cuMemsetD8(range, 0, 2 * size));
  count<<<64, 256>>>(data, n, 1);
  cudaMemset(sum, 0, sizeof *sum);
  total<<<1, 256>>>(data, n, sum);
  cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host == static_cast<unsigned long long>(n) * (n - 1) / 2);

  printf("- a second address\n");
  SHOW(cuMemAddressReserve(&second, 2 * size, 0, 0, 0));
  SHOW(cuMemMap(second, size, 0, b, 0));
  SHOW(cuMemMap(second + size, size, 0, a, 0));
  SHOW(cuMemSetAccess(second, 2 * size, &access, 1));
  int values[2] = {};
  SHOW(cuMemcpyDtoH(&values[0], second, sizeof(int)));
  SHOW(cuMemcpyDtoH(&values[1], second + size + 4, sizeof(int)));
  printf("%d %d\n", values[0] == int(size / sizeof(int)), values[1]);
  CUmemGenericAllocationHandle same = 0;
  SHOW(cuMemRetainAllocationHandle(&same, reinterpret_cast<void*>(second)));
  printf("same %d\n", same == b);
  SHOW(cuMemRelease(same));
  SHOW(cuMemRelease(a));
  SHOW(cuMemUnmap(second, 2 * size));
  count<<<64, 256>>>(data, n, 1);
  cudaMemset(sum, 0, sizeof *sum);
  total<<<1, 256>>>(data, n, sum);
  cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host == static_cast<unsigned long long>(n) * (n - 1));

  printf("- the end\n");
  SHOW(cuMemAddressFree(range, 4 * size));
  SHOW(cuMemUnmap(range, size / 2));
  SHOW(cuMemUnmap(range, 2 * size));
  SHOW(cuMemUnmap(range, 2 * size));
  SHOW(cuMemRelease(b));
  SHOW(cuMemAddressFree(range, 4 * size));
  SHOW(cuMemAddressFree(second, 2 * size));
  SHOW(cuMemAddressFree(0, size));
  SHOW(cuCtxSynchronize());
  return 0;
}
