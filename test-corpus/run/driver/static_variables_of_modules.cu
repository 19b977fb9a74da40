// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lnvrtc -lcuda
//
// Static variables of a program that NVRTC compiled have their plain names, and the host fills them
// by those; nothing in the program itself writes to them.
#include <cstdio>
#include <vector>

#include <cuda.h>
#include <nvrtc.h>

static const char text[] = R"(
struct Pair { int first; float second; };
static __constant__ Pair table[4];
static __device__ int offset = 100;
__device__ int seen[4];
extern "C" __global__ void look() {
  const int i = threadIdx.x;
  seen[i] = table[i].first * 10 + int(table[i].second) + offset;
}
)";

int main() {
  cuInit(0);
  CUdevice device;
  cuDeviceGet(&device, 0);
  CUcontext context;
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);

  nvrtcProgram program;
  nvrtcCreateProgram(&program, text, "look.cu", 0, nullptr, nullptr);
  std::printf("%s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 0, nullptr)));
  std::size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  std::vector<char> image(size);
  nvrtcGetPTX(program, image.data());
  nvrtcDestroyProgram(&program);

  CUmodule module;
  std::printf("load %d\n", int(cuModuleLoadData(&module, image.data())));
  CUfunction look;
  std::printf("kernel %d\n", int(cuModuleGetFunction(&look, module, "look")));

  struct Pair {
    int first;
    float second;
  } pairs[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  CUdeviceptr table = 0, offset = 0, seen = 0;
  std::size_t bytes = 0;
  std::printf("table %d", int(cuModuleGetGlobal(&table, &bytes, module, "table")));
  std::printf(" of %zu bytes\n", bytes);
  std::printf("offset %d", int(cuModuleGetGlobal(&offset, &bytes, module, "offset")));
  std::printf(" of %zu bytes\n", bytes);
  std::printf("seen %d\n", int(cuModuleGetGlobal(&seen, &bytes, module, "seen")));
  std::printf("nowhere %d\n", int(cuModuleGetGlobal(&offset, &bytes, module, "nowhere")));
  cuModuleGetGlobal(&offset, &bytes, module, "offset");

  for (int round = 0; round < 2; ++round) {
    cuMemcpyHtoD(table, pairs, sizeof(pairs));
    cuLaunchKernel(look, 1, 1, 1, 4, 1, 1, 0, nullptr, nullptr, nullptr);
    int result[4] = {};
    cuMemcpyDtoH(result, seen, sizeof(result));
    std::printf("%d %d %d %d\n", result[0], result[1], result[2], result[3]);
    const int other = 1000;
    cuMemcpyHtoD(offset, &other, sizeof(other));
    pairs[2].first = -5;
  }
  cuModuleUnload(module);
  cuDevicePrimaryCtxRelease(device);
}
