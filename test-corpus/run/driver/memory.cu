// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// Driver API: allocation, copies and fills of every shape, arrays, address ranges, pointer attributes.
#include <cstdio>
#include <cstring>

#include <cuda.h>

#define SHOW(call) show(#call, call)
static void show(const char* what, CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  printf("%-84s %s\n", what, name ? name : "none");
}

int main() {
  CUcontext context;
  cuInit(0);
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  CUdeviceptr p = 0, q = 0, base = 0;
  size_t pitch = 0, size = 0;
  unsigned host[64], back[64];
  for (unsigned i = 0; i < 64; ++i)
    host[i] = i * 3;
  printf("- allocation\n");
  SHOW(cuMemAlloc(&p, 0));
  SHOW(cuMemAlloc(nullptr, 16));
  SHOW(cuMemAlloc(&p, size_t(1) << 50));
  SHOW(cuMemAlloc(&p, 1000));
  SHOW(cuMemGetAddressRange(&base, &size, p + 500));
  printf("base %d, %zu bytes\n", base == p, size);
  SHOW(cuMemGetAddressRange(nullptr, &size, p));
  SHOW(cuMemGetAddressRange(&base, &size, reinterpret_cast<CUdeviceptr>(host)));
  SHOW(cuMemAllocPitch(&q, &pitch, 100, 5, 4));
  printf("pitch %zu\n", pitch);
  SHOW(cuMemAllocPitch(&q, &pitch, 100, 5, 3));
  SHOW(cuMemFree(0));
  SHOW(cuMemFree(p + 4));
  SHOW(cuMemFree(reinterpret_cast<CUdeviceptr>(host)));

  printf("- copies and fills\n");
  SHOW(cuMemcpyHtoD(p, host, sizeof host));
  SHOW(cuMemcpyDtoH(back, p, sizeof back));
  printf("%u %u\n", back[1], back[63]);
  SHOW(cuMemcpyHtoD(0, host, 4));
  SHOW(cuMemcpyDtoH(nullptr, p, 4));
  SHOW(cuMemcpyDtoH(back, p, 0));
  SHOW(cuMemsetD32(p, 0x01020304, 8));
  SHOW(cuMemsetD16(p + 32, 0x0506, 4));
  SHOW(cuMemsetD8(p + 40, 7, 4));
  SHOW(cuMemsetD32(p + 2, 1, 1));
  SHOW(cuMemsetD16(p + 1, 1, 1));
  SHOW(cuMemsetD8(0, 1, 1));
  SHOW(cuMemcpyDtoH(back, p, sizeof back));
  printf("%x %x %x %x %x %u\n", back[0], back[7], back[8], back[9], back[10], back[11]);
  CUdeviceptr rows;
  cuMemAlloc(&rows, 512 * 4);
  SHOW(cuMemsetD32(rows, 0, 512));
  SHOW(cuMemsetD2D32(rows + 16, 512, 9, 3, 4));
  SHOW(cuMemsetD2D16(rows + 64, 512, 0x1111, 2, 2));
  SHOW(cuMemsetD2D8(rows + 100, 512, 0x22, 4, 4));
  SHOW(cuMemsetD2D32(rows, 4, 9, 3, 4));
  unsigned all[512];
  SHOW(cuMemcpyDtoH(all, rows, sizeof all));
  unsigned long long sum = 0;
  for (unsigned i = 0; i < 512; ++i)
    sum += (i + 1) * static_cast<unsigned long long>(all[i]);
  printf("sum %llu\n", sum);
  SHOW(cuMemcpyDtoD(rows + 1024, rows, 512));
  SHOW(cuMemcpy(rows, reinterpret_cast<CUdeviceptr>(host), 64));
  SHOW(cuMemcpyDtoH(all, rows, sizeof all));
  printf("%u %u %u\n", all[5], all[256 + 5], all[256 + 25]);

  CUDA_MEMCPY2D flat;
  memset(&flat, 0, sizeof flat);
  SHOW(cuMemcpy2D(nullptr));
  SHOW(cuMemcpy2D(&flat));
  flat.srcMemoryType = CU_MEMORYTYPE_HOST;
  flat.srcHost = host;
  flat.srcPitch = 32;
  flat.srcXInBytes = 4;
  flat.srcY = 1;
  flat.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  flat.dstDevice = rows;
  flat.dstPitch = 512;
  flat.dstXInBytes = 8;
  flat.WidthInBytes = 12;
  flat.Height = 3;
  SHOW(cuMemcpy2D(&flat));
  flat.dstPitch = 4;
  SHOW(cuMemcpy2D(&flat));
  flat.dstPitch = 512;
  SHOW(cuMemcpy2DUnaligned(&flat));
  flat.WidthInBytes = 64;
  SHOW(cuMemcpy2D(&flat));
  SHOW(cuMemcpyDtoH(all, rows, sizeof all));
  printf("%u %u %u %u\n", all[2], all[4], all[128 + 2], all[256 + 4]);

  printf("- arrays\n");
  CUDA_ARRAY_DESCRIPTOR descriptor = {};
  CUarray array = nullptr;
  SHOW(cuArrayCreate(&array, nullptr));
  SHOW(cuArrayCreate(&array, &descriptor));
  descriptor.Width = 8;
  descriptor.Height = 4;
  descriptor.Format = CU_AD_FORMAT_UNSIGNED_INT32;
  descriptor.NumChannels = 3;
  SHOW(cuArrayCreate(&array, &descriptor));
  descriptor.NumChannels = 1;
  SHOW(cuArrayCreate(&array, &descriptor));
  CUDA_ARRAY_DESCRIPTOR got;
  SHOW(cuArrayGetDescriptor(&got, array));
  printf("%zu %zu %d %u\n", got.Width, got.Height, int(got.Format), got.NumChannels);
  CUDA_MEMCPY3D box;
  memset(&box, 0, sizeof box);
  box.srcMemoryType = CU_MEMORYTYPE_HOST;
  box.srcHost = host;
  box.srcPitch = 32;
  box.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  box.dstArray = array;
  box.WidthInBytes = 32;
  box.Height = 4;
  box.Depth = 1;
  SHOW(cuMemcpy3D(&box));
  SHOW(cuMemcpyAtoH(back, array, 64, 32));
  printf("%u %u\n", back[0], back[7]);
  box.Height = 5;
  SHOW(cuMemcpy3D(&box));
  SHOW(cuMemcpyAtoD(rows, array, 0, 32));
  SHOW(cuMemcpyHtoA(array, 0, host + 8, 32));
  SHOW(cuMemcpyAtoH(back, array, 0, 128));
  printf("%u %u\n", back[0], back[9]);
  CUDA_ARRAY3D_DESCRIPTOR cube = {};
  cube.Width = 4;
  cube.Height = 4;
  cube.Depth = 4;
  cube.Format = CU_AD_FORMAT_FLOAT;
  cube.NumChannels = 2;
  CUarray volume;
  SHOW(cuArray3DCreate(&volume, &cube));
  CUDA_ARRAY3D_DESCRIPTOR cubeBack;
  SHOW(cuArray3DGetDescriptor(&cubeBack, volume));
  printf("%zu %zu %zu %u\n", cubeBack.Width, cubeBack.Height, cubeBack.Depth, cubeBack.NumChannels);
  SHOW(cuArrayDestroy(volume));
  SHOW(cuArrayDestroy(array));
  SHOW(cuArrayDestroy(nullptr));

  printf("- attributes\n");
  void* pinned;
  SHOW(cuMemHostAlloc(&pinned, 4096, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
  unsigned flags = 0;
  SHOW(cuMemHostGetFlags(&flags, pinned));
  printf("flags %u\n", flags);
  CUdeviceptr mapped;
  SHOW(cuMemHostGetDevicePointer(&mapped, pinned, 0));
  printf("same %d\n", mapped == reinterpret_cast<CUdeviceptr>(pinned));
  CUmemorytype type = static_cast<CUmemorytype>(0);
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
  printf("type %d\n", int(type));
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, mapped));
  printf("type %d\n", int(type));
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(&type)));
  CUdeviceptr managed;
  SHOW(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  SHOW(cuMemAllocManaged(&q, 0, CU_MEM_ATTACH_GLOBAL));
  unsigned isManaged = 7;
  SHOW(cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  printf("%u\n", isManaged & 1);
  SHOW(cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
  printf("%u\n", isManaged & 1);
  SHOW(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p + 8));
  printf("%zu\n", size);
  SHOW(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, p + 8));
  printf("%d\n", base == p);
  int ordinal = 7;
  SHOW(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
  printf("%d\n", ordinal);
  SHOW(cuPointerGetAttribute(&ordinal, static_cast<CUpointer_attribute>(1000), p));
  SHOW(cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p));
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* where[] = {&type, &ordinal};
  SHOW(cuPointerGetAttributes(2, which, where, p));
  printf("%d %d\n", int(type), ordinal);
  SHOW(cuPointerGetAttributes(2, which, where, reinterpret_cast<CUdeviceptr>(&type)));
  printf("%d %d\n", int(type), ordinal);
  SHOW(cuMemHostRegister(all, sizeof all, 0));
  SHOW(cuMemHostRegister(all, sizeof all, 0));
  SHOW(cuMemHostUnregister(all));
  SHOW(cuMemHostUnregister(all));
  SHOW(cuMemFreeHost(pinned));
  SHOW(cuMemFree(managed));
  SHOW(cuMemFree(rows));
  SHOW(cuMemFree(p));
  SHOW(cuMemFree(p));
  SHOW(cuCtxSynchronize());
  return 0;
}
