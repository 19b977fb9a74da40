// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads a module by the driver API and a string by NVRTC; prints PASS when all results are right.
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    const int code = int(call);                                                                                        \
    if (code != 0) {                                                                                                   \
      std::printf("line %d: %s gives %d\n", __LINE__, #call, code);                                                    \
      return 1;                                                                                                        \
    }                                                                                                                  \
  } while (0)
#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      std::printf("line %d: not so: %s\n", __LINE__, #condition);                                                      \
      return 1;                                                                                                        \
    }                                                                                                                  \
  } while (0)

// The program has a function of a kernel's name; the module's own must be called.
extern "C" void scale(int*, int, int) { std::printf("the wrong function\n"); }

static int module(const char* path) {
  CUmodule first, second;
  CHECK(cuModuleLoad(&first, path));
  CHECK(cuModuleLoad(&second, path));
  CUfunction scaleKernel, reverse, fill, none;
  CHECK(cuModuleGetFunction(&scaleKernel, first, "scale"));
  CHECK(cuModuleGetFunction(&reverse, first, "_Z7reversePi"));
  CHECK(cuModuleGetFunction(&fill, first, "_Z4fillIfEvPT_S0_"));
  EXPECT(cuModuleGetFunction(&none, first, "nothing") == CUDA_ERROR_NOT_FOUND);
  CUdeviceptr factors, total, otherTotal, data;
  size_t bytes;
  CHECK(cuModuleGetGlobal(&factors, &bytes, first, "factors"));
  EXPECT(bytes == 16);
  CHECK(cuModuleGetGlobal(&total, &bytes, first, "total"));
  CHECK(cuModuleGetGlobal(&otherTotal, &bytes, second, "total"));
  EXPECT(total != otherTotal);
  const int values[4] = {1, 10, 100, 1000};
  CHECK(cuMemcpyHtoD(factors, values, sizeof values));
  CHECK(cuMemAlloc(&data, 64 * sizeof(int)));
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i)
    host[i] = i;
  CHECK(cuMemcpyHtoD(data, host.data(), 64 * sizeof(int)));
  int n = 64, which = 2;
  void* scaleArguments[] = {&data, &n, &which};
  CHECK(cuLaunchKernel(scaleKernel, 2, 1, 1, 32, 1, 1, 0, nullptr, scaleArguments, nullptr));
  void* reverseArguments[] = {&data};
  CHECK(cuLaunchKernel(reverse, 1, 1, 1, 64, 1, 1, 0, nullptr, reverseArguments, nullptr));
  CHECK(cuMemcpyDtoH(host.data(), data, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i)
    EXPECT(host[i] == (63 - i) * 100);
  int counted = 0, other = 0;
  CHECK(cuMemcpyDtoH(&counted, total, sizeof counted));
  CHECK(cuMemcpyDtoH(&other, otherTotal, sizeof other));
  EXPECT(counted == 6 && other == 5);
  float value = 2.5f, back[8];
  void* fillArguments[] = {&data, &value};
  CHECK(cuLaunchKernel(fill, 1, 1, 1, 8, 1, 1, 0, nullptr, fillArguments, nullptr));
  CHECK(cuMemcpyDtoH(back, data, sizeof back));
  for (float one : back)
    EXPECT(one == 2.5f);
  CHECK(cuMemFree(data));
  CHECK(cuModuleUnload(first));
  CHECK(cuModuleUnload(second));
  EXPECT(cuModuleUnload(second) == CUDA_ERROR_INVALID_HANDLE);
  return 0;
}

// A library's variables are unknown again when it is gone.
static int library(const char* path) {
  cudaLibrary_t loaded;
  CHECK(cudaLibraryLoadFromFile(&loaded, path, nullptr, nullptr, 0, nullptr, nullptr, 0));
  void* total = nullptr;
  size_t bytes = 0;
  CHECK(cudaLibraryGetGlobal(&total, &bytes, loaded, "total"));
  cudaPointerAttributes about;
  CHECK(cudaPointerGetAttributes(&about, total));
  EXPECT(about.type == cudaMemoryTypeDevice);
  CHECK(cudaLibraryUnload(loaded));
  CHECK(cudaPointerGetAttributes(&about, total));
  EXPECT(about.type == cudaMemoryTypeUnregistered);
  return 0;
}

static int compiled() {
  const char* source = "#include \"factor.h\"\n"
                       "template <typename T> __global__ void scaled(T* p) { p[threadIdx.x] *= T(FACTOR); }\n";
  const char* header = "#define FACTOR (N + 1)\n";
  const char* headerName = "factor.h";
  nvrtcProgram program;
  CHECK(nvrtcCreateProgram(&program, source, "scaled.cu", 1, &header, &headerName));
  CHECK(nvrtcAddNameExpression(program, "scaled<double>"));
  const char* options[] = {"--gpu-architecture=sm_90", "-DN=2"};
  const nvrtcResult result = nvrtcCompileProgram(program, 2, options);
  size_t size = 0;
  CHECK(nvrtcGetProgramLogSize(program, &size));
  std::string log(size, 0);
  CHECK(nvrtcGetProgramLog(program, &log[0]));
  if (result != NVRTC_SUCCESS)
    std::printf("%s\n", log.c_str());
  CHECK(result);
  CHECK(nvrtcGetCUBINSize(program, &size));
  std::vector<char> image(size);
  CHECK(nvrtcGetCUBIN(program, image.data()));
  const char* name = nullptr;
  CHECK(nvrtcGetLoweredName(program, "scaled<double>", &name));
  EXPECT(std::strcmp(name, "_Z6scaledIdEvPT_") == 0);
  CUmodule module;
  CUfunction kernel;
  CHECK(cuModuleLoadData(&module, image.data()));
  CHECK(cuModuleGetFunction(&kernel, module, name));
  CHECK(nvrtcDestroyProgram(&program));
  CUdeviceptr data;
  double values[4] = {1, 2, 3, 4};
  CHECK(cuMemAlloc(&data, sizeof values));
  CHECK(cuMemcpyHtoD(data, values, sizeof values));
  void* arguments[] = {&data};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(values, data, sizeof values));
  for (int i = 0; i < 4; ++i)
    EXPECT(values[i] == 3.0 * (i + 1));
  CHECK(cuMemFree(data));
  CHECK(cuModuleUnload(module));

  CHECK(nvrtcCreateProgram(&program, "__global__ void f() { undeclared = 1; }", "wrong.cu", 0, nullptr, nullptr));
  EXPECT(nvrtcCompileProgram(program, 0, nullptr) == NVRTC_ERROR_COMPILATION);
  CHECK(nvrtcGetProgramLogSize(program, &size));
  log.assign(size, 0);
  CHECK(nvrtcGetProgramLog(program, &log[0]));
  EXPECT(log.find("wrong.cu") != std::string::npos && log.find("undeclared") != std::string::npos);
  CHECK(nvrtcDestroyProgram(&program));
  return 0;
}

int main(int, char** arguments) {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  if (module(arguments[1]) || library(arguments[1]) || compiled())
    return 1;
  CHECK(cuCtxDestroy(context));
  std::printf("PASS\n");
  return 0;
}
