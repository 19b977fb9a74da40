// Kernels by name, from a file.
#include <cstdio>
#include <cuda.h>

#define CHECK(call)                                                                                \
  if ((call) != CUDA_SUCCESS) {                                                                    \
    std::printf("failed: %s\n", #call);                                                            \
    return 1;                                                                                      \
  }

int main(int, char** arguments) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction twice;
  CUdeviceptr data;
  int n = 100, values[100];
  for (int i = 0; i < n; ++i)
    values[i] = i;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, arguments[1]));
  CHECK(cuModuleGetFunction(&twice, module, "twice"));
  CHECK(cuMemAlloc(&data, sizeof values));
  CHECK(cuMemcpyHtoD(data, values, sizeof values));
  void* parameters[] = {&data, &n};
  CHECK(cuLaunchKernel(twice, 1, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuMemcpyDtoH(values, data, sizeof values));
  CHECK(cuMemFree(data));
  std::printf("value %d\n", values[10]);
  return 0;
}
