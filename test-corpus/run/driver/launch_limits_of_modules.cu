// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lnvrtc -lcuda
// Kernels that NVRTC compiles have their launch bounds and shared variables, too.
#include <cstdio>
#include <vector>

#include <cuda.h>
#include <nvrtc.h>

const char* const text = R"(
template <int threads> __global__ void __launch_bounds__(threads) bounded(int* out) { out[threadIdx.x] = threads; }
extern "C" __global__ void withShared(int* out) {
  __shared__ int memory[5000];
  memory[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}
)";

void show(const char* what, CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  printf("%-24s %s\n", what, name);
}
void attributes(CUfunction function) {
  for (CUfunction_attribute attribute :
       {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES}) {
    int value = -1;
    const CUresult result = cuFuncGetAttribute(&value, attribute, function);
    printf("  %d %d\n", int(result), value);
  }
}

int main() {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, text, "limits.cu", 0, nullptr, nullptr);
  nvrtcAddNameExpression(program, "bounded<64>");
  nvrtcAddNameExpression(program, "bounded<100>");
  const char* options[] = {"--gpu-architecture=sm_90"};
  printf("%s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 1, options)));
  size_t bytes = 0;
  nvrtcGetCUBINSize(program, &bytes);
  std::vector<char> image(bytes);
  nvrtcGetCUBIN(program, image.data());

  CUdevice device;
  CUcontext context;
  CUmodule module;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  show("load", cuModuleLoadData(&module, image.data()));
  CUdeviceptr out;
  cuMemAlloc(&out, 4096);
  cuMemsetD8(out, 0, 4096);
  void* arguments[] = {&out};
  for (const char* expression : {"bounded<64>", "bounded<100>"}) {
    const char* name = nullptr;
    nvrtcGetLoweredName(program, expression, &name);
    CUfunction function;
    show(expression, cuModuleGetFunction(&function, module, name));
    attributes(function);
    for (unsigned threads : {64u, 65u, 100u, 101u}) {
      printf("  %u ", threads);
      show("threads", cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
    }
    int blocks = -1, grid = 0, size = 0;
    cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 101, 0);
    show("potential", cuOccupancyMaxPotentialBlockSize(&grid, &size, function, nullptr, 0, 0));
    printf("  %d %d\n", blocks, size);
  }
  CUfunction function;
  show("withShared", cuModuleGetFunction(&function, module, "withShared"));
  attributes(function);
  for (unsigned dynamic : {0u, 49152u - 20000u, 49152u - 19999u}) {
    printf("  %u ", dynamic);
    show("bytes", cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, dynamic, nullptr, arguments, nullptr));
  }
  show("too much", cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448 - 19999));
  show("all", cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448 - 20000));
  attributes(function);
  show("wait", cuCtxSynchronize());
  cuModuleUnload(module);
  nvrtcDestroyProgram(&program);
  cuDevicePrimaryCtxRelease(device);
  return 0;
}
