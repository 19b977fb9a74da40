// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host program that compiles its kernel while it runs.
#include <cstdio>
#include <string>

#include <cuda.h>
#include <nvrtc.h>

int main() {
  nvrtcProgram program;
  size_t size = 0;
  nvrtcCreateProgram(&program, "extern \"C\" __global__ void answer(int* p) { *p = 42; }", "answer.cu", 0, nullptr, nullptr);
  const nvrtcResult result = nvrtcCompileProgram(program, 0, nullptr);
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, 0), image;
  nvrtcGetProgramLog(program, &log[0]);
  if (result != NVRTC_SUCCESS)
    return printf("%s\n%s\n", nvrtcGetErrorString(result), log.c_str()), 1;
  nvrtcGetPTXSize(program, &size);
  image.resize(size);
  nvrtcGetPTX(program, &image[0]);
  cuInit(0);
  CUcontext context;
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  CUmodule module;
  CUfunction answer;
  CUdeviceptr value;
  int host = 0;
  cuMemAlloc(&value, sizeof host);
  void* arguments[] = {&value};
  if (cuModuleLoadData(&module, image.data()) != CUDA_SUCCESS || cuModuleGetFunction(&answer, module, "answer") != CUDA_SUCCESS ||
      cuLaunchKernel(answer, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) != CUDA_SUCCESS)
    return 1;
  cuMemcpyDtoH(&host, value, sizeof host);
  printf("value %d\n", host);
  return 0;
}
