// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -ldl
// The driver API by dlopen(), in a program that has functions and variables of its names itself and uses the runtime API
// beside it: both see the same memory, contexts and modules.
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>
#include <dlfcn.h>

typedef unsigned long long Address;

// Functions and variables of the driver's names, as loaders of it have them.
extern "C" {
int (*cuMemAlloc)(Address*, size_t);
int (*cuMemGetAddressRange)(Address*, size_t*, Address);
int (*cuModuleLoadData)(void**, const void*);
int (*cuModuleGetFunction)(void**, void*, const char*);
int (*cuLaunchKernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
int (*cuGetProcAddress)(const char*, void**, int, unsigned long long, int*);
int cuDriverGetVersion = -1;
}

static void* driver;
template <class Function> static void find(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(driver, name));
  if (!function)
    printf("%s is not there\n", name);
}

extern "C" int cuInit(unsigned flags, int wanted) {
  int (*init)(unsigned) = nullptr;
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) {
    printf("%s\n", dlerror());
    return 999;
  }
  find(init, "cuInit");
  find(cuMemAlloc, "cuMemAlloc_v2");
  find(cuMemGetAddressRange, "cuMemGetAddressRange_v2");
  find(cuModuleLoadData, "cuModuleLoadData");
  find(cuModuleGetFunction, "cuModuleGetFunction");
  find(cuLaunchKernel, "cuLaunchKernel");
  find(cuGetProcAddress, "cuGetProcAddress_v2");
  printf("wanted %d, no such function: %d\n", wanted, dlsym(driver, "cuNoSuchFunction") == nullptr);
  return init(flags);
}

__global__ void addOne(int* data) { data[threadIdx.x] += 1; }

static const char* const text = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry twice(.param .u64 twice_param_0)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [twice_param_0];
	cvta.to.global.u64 %rd1, %rd1;
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.u32 %r2, [%rd3];
	shl.b32 %r3, %r2, 1;
	st.global.u32 [%rd3], %r3;
	ret;
}
)";

int main() {
  printf("cuInit: %d\n", cuInit(0, 13000));
  if (!driver)
    return 1;
  cudaFree(nullptr); // makes the device's context current

  // The runtime's memory is the driver's ...
  int* data = nullptr;
  cudaMalloc(&data, 64 * sizeof(int));
  Address start = 0;
  size_t size = 0;
  printf("range: %d", cuMemGetAddressRange(&start, &size, reinterpret_cast<Address>(data + 5)));
  printf(", %zu bytes, same start: %d\n", size, start == reinterpret_cast<Address>(data));
  // ... and the other way round.
  Address more = 0;
  cudaPointerAttributes attributes{};
  printf("cuMemAlloc: %d\n", cuMemAlloc(&more, 1000));
  cudaPointerGetAttributes(&attributes, reinterpret_cast<void*>(more));
  printf("device memory: %d\n", attributes.type == cudaMemoryTypeDevice);

  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice);
  void *module = nullptr, *function = nullptr, *arguments[] = {&data};
  printf("module: %d", cuModuleLoadData(&module, text));
  printf(", function: %d\n", cuModuleGetFunction(&function, module, "twice"));
  addOne<<<1, 8>>>(data);
  printf("launch: %d\n", cuLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, nullptr, arguments, nullptr));
  cudaMemcpy(values, data, sizeof values, cudaMemcpyDeviceToHost);
  for (int value : values)
    printf("%d ", value);
  puts("");

  void *byAddress = nullptr, *byRuntime = nullptr;
  int status = -1;
  printf("cuGetProcAddress: %d", cuGetProcAddress("cuMemFree", &byAddress, 12000, 0, &status));
  printf(", status %d\n", status);
  printf("cuMemFree: %d\n", reinterpret_cast<int (*)(Address)>(byAddress)(more));
  cudaDriverEntryPointQueryResult result{};
  cudaGetDriverEntryPointByVersion("cuMemFree", &byRuntime, 12000, cudaEnableDefault, &result);
  printf("again: %d\n", reinterpret_cast<int (*)(Address)>(byRuntime)(more));
  printf("the program's own variable: %d\n", cuDriverGetVersion);
  cudaFree(data);
}
