// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lnvrtc -lcuda
// A kernel compiled while the program runs: templates by name expression, headers, macros, variables, errors with a log.
#include <cstdio>
#include <cstring>
#include <string>

#include <cuda.h>
#include <nvrtc.h>

#define SHOW(call) show(#call, call)
static void show(const char* what, CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  printf("%-76s %s\n", what, name ? name : "none");
}
static void show(const char* what, nvrtcResult result) { printf("%-76s %s\n", what, nvrtcGetErrorString(result)); }

static const char* const source = R"(
#include "factor.h"
__device__ int offset = 5;
__constant__ float scales[4];
template <class T, int N> __global__ void scale(T* data) {
  __shared__ T memory[N];
  memory[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = memory[N - 1 - threadIdx.x] * T(FACTOR) + T(offset) + T(scales[threadIdx.x % 4]);
}
extern "C" __global__ void plain(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = i * MORE;
}
)";

int main() {
  cuInit(0);
  CUcontext context;
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  nvrtcProgram program;
  const char* headers[] = {"#define FACTOR 3\n"};
  const char* names[] = {"factor.h"};
  SHOW(nvrtcCreateProgram(nullptr, source, "scale.cu", 1, headers, names));
  SHOW(nvrtcCreateProgram(&program, source, "scale.cu", 1, headers, names));
  SHOW(nvrtcAddNameExpression(program, "scale<float, 64>"));
  SHOW(nvrtcAddNameExpression(program, "&offset"));
  SHOW(nvrtcAddNameExpression(program, "scales"));
  const char* options[] = {"--gpu-architecture=sm_90", "-DMORE=7", "--std=c++17"};
  SHOW(nvrtcCompileProgram(program, 3, options));
  size_t size = 0;
  SHOW(nvrtcGetProgramLogSize(program, &size));
  SHOW(nvrtcGetCUBINSize(program, &size));
  printf("some %d\n", size > 0);
  std::string image(size, 0);
  SHOW(nvrtcGetCUBIN(program, &image[0]));
  const char* lowered = nullptr;
  SHOW(nvrtcGetLoweredName(program, "scale<float, 64>", &lowered));
  CUmodule module;
  CUfunction scale, plain;
  SHOW(cuModuleLoadData(&module, image.data()));
  SHOW(cuModuleGetFunction(&scale, module, lowered));
  SHOW(cuModuleGetFunction(&plain, module, "plain"));
  SHOW(cuModuleGetFunction(&plain, module, "nowhere"));
  SHOW(cuModuleGetFunction(&plain, module, "plain"));
  CUdeviceptr offset, scales, data;
  SHOW(nvrtcGetLoweredName(program, "&offset", &lowered));
  SHOW(cuModuleGetGlobal(&offset, &size, module, lowered));
  printf("%zu bytes\n", size);
  SHOW(nvrtcGetLoweredName(program, "scales", &lowered));
  SHOW(cuModuleGetGlobal(&scales, &size, module, lowered));
  printf("%zu bytes\n", size);
  SHOW(cuModuleGetGlobal(&scales, &size, module, "nowhere"));
  SHOW(nvrtcGetLoweredName(program, "other", &lowered));
  SHOW(nvrtcDestroyProgram(&program));
  const float four[] = {0.5f, 0.25f, 0, 1};
  SHOW(cuMemcpyHtoD(scales, four, sizeof four));
  float host[64];
  for (int i = 0; i < 64; ++i)
    host[i] = float(i);
  SHOW(cuMemAlloc(&data, sizeof host));
  SHOW(cuMemcpyHtoD(data, host, sizeof host));
  void* arguments[] = {&data};
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuMemcpyDtoH(host, data, sizeof host));
  printf("%g %g %g %g\n", host[0], host[1], host[2], host[63]);
  int n = 60, numbers[64] = {};
  SHOW(cuMemsetD32(data, 0, 64));
  void* more[] = {&data, &n};
  SHOW(cuLaunchKernel(plain, 2, 1, 1, 32, 1, 1, 0, nullptr, more, nullptr));
  SHOW(cuMemcpyDtoH(numbers, data, sizeof numbers));
  printf("%d %d %d\n", numbers[1], numbers[59], numbers[60]);
  SHOW(cuModuleUnload(module));

  printf("- errors\n");
  SHOW(nvrtcCreateProgram(&program, "__global__ void broken(int* p) { *p = nowhere; }", "broken.cu", 0, nullptr, nullptr));
  SHOW(nvrtcCompileProgram(program, 0, nullptr));
  SHOW(nvrtcGetProgramLogSize(program, &size));
  std::string log(size, 0);
  SHOW(nvrtcGetProgramLog(program, &log[0]));
  printf("names it %d\n", log.find("nowhere") != std::string::npos);
  SHOW(nvrtcGetPTXSize(program, &size));
  SHOW(nvrtcDestroyProgram(&program));
  SHOW(nvrtcDestroyProgram(&program));
  SHOW(nvrtcCreateProgram(&program, "__global__ void good() {}", nullptr, 0, nullptr, nullptr));
  const char* wrong[] = {"--no-such-option"};
  SHOW(nvrtcCompileProgram(program, 1, wrong));
  SHOW(nvrtcAddNameExpression(program, "good"));
  SHOW(nvrtcDestroyProgram(&program));
  SHOW(cuModuleLoadData(&module, "nonsense"));
  SHOW(cuModuleLoad(&module, "/no/such/file.cubin"));
  int major = 0, minor = 0;
  SHOW(nvrtcVersion(&major, &minor));
  SHOW(cuCtxSynchronize());
  return 0;
}
