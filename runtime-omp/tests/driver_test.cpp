// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API: contexts, memory, virtual memory, launches by packed arguments, values in memory.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include <cuda.h>
#include <nvrtc.h>

#include "runtime_test.h"

namespace {

class Driver : public RuntimeTest {
protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuDeviceGet(&device, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate(&context, 0, device), CUDA_SUCCESS);
  }
  void TearDown() override {
    ASSERT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
    RuntimeTest::TearDown();
  }
  CUdevice device = -1;
  CUcontext context = nullptr;
};

void store(int* p, short small, double factor) { *p = int(small * factor); }

TEST_F(Driver, ContextsAreAStackOfTheThread) {
  CUcontext current = nullptr, second = nullptr, popped = nullptr;
  ASSERT_EQ(cuCtxGetCurrent(&current), CUDA_SUCCESS);
  EXPECT_EQ(current, context);
  ASSERT_EQ(cuCtxCreate(&second, 0, device), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  EXPECT_EQ(popped, second);
  std::thread([] {
    CUdeviceptr p = 0;
    EXPECT_EQ(cuMemAlloc(&p, 16), CUDA_ERROR_INVALID_CONTEXT);
  }).join();
  ASSERT_EQ(cuCtxDestroy(second), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxPushCurrent(second), CUDA_ERROR_INVALID_CONTEXT);
  CUcontext primary = nullptr;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&primary, device), CUDA_SUCCESS);
  EXPECT_NE(primary, context);
  ASSERT_EQ(cuDevicePrimaryCtxRelease(device), CUDA_SUCCESS);
}

TEST_F(Driver, MemoryIsTheRuntimes) {
  CUdeviceptr p = 0;
  ASSERT_EQ(cuMemAlloc(&p, 64), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD32(p, 0x11223344, 16), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD16(p + 4, 0xabcd, 2), CUDA_SUCCESS);
  unsigned host[4] = {};
  ASSERT_EQ(cudaMemcpy(host, reinterpret_cast<void*>(p), sizeof host, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(host[0], 0x11223344u);
  EXPECT_EQ(host[1], 0xabcdabcdu);
  CUdeviceptr base = 0;
  std::size_t size = 0;
  ASSERT_EQ(cuMemGetAddressRange(&base, &size, p + 20), CUDA_SUCCESS);
  EXPECT_EQ(base, p);
  EXPECT_EQ(size, 64u);
  CUmemorytype type = CU_MEMORYTYPE_HOST;
  ASSERT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p), CUDA_SUCCESS);
  EXPECT_EQ(type, CU_MEMORYTYPE_DEVICE);
  EXPECT_EQ(cuMemcpyHtoD(p, host, 100), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess); // the driver leaves the runtime's last error alone
  EXPECT_EQ(cuMemAlloc(&base, 0), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemFree(p), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Driver, ArgumentsMayComeInABuffer) {
  static int result;
  CUfunction function =
      reinterpret_cast<CUfunction>(reinterpret_cast<void*>(cu2cpp::kernelAddress(store)));
  struct {
    int* p;
    short small;
    double factor;
  } packed{&result, 7, 1.5};
  std::size_t size = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  ASSERT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(result, 10);
  size = 8; // the others are zeros
  ASSERT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(result, 0);
  size = sizeof packed + 4;
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra),
            CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  std::size_t offset = 0, bytes = 0;
  ASSERT_EQ(cuFuncGetParamInfo(function, 2, &offset, &bytes), CUDA_SUCCESS);
  EXPECT_EQ(offset, 16u);
  EXPECT_EQ(bytes, 8u);
  EXPECT_EQ(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(Driver, MappedMemoryHasTwoAddresses) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  std::size_t size = 0;
  ASSERT_EQ(cuMemGetAllocationGranularity(&size, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
            CUDA_SUCCESS);
  CUdeviceptr range = 0;
  ASSERT_EQ(cuMemAddressReserve(&range, 2 * size, 0, 0, 0), CUDA_SUCCESS);
  CUmemGenericAllocationHandle memory = 0;
  ASSERT_EQ(cuMemCreate(&memory, size, &properties, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemMap(range, size, 0, memory, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemMap(range, size, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemMap(range + size, size, 0, memory, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(memory), CUDA_SUCCESS); // the mappings keep it
  CUmemAccessDesc access{properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  ASSERT_EQ(cuMemSetAccess(range, 2 * size, &access, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8(range, 0x5a, 100), CUDA_SUCCESS);
  unsigned char there = 0;
  ASSERT_EQ(cuMemcpyDtoH(&there, range + size + 99, 1), CUDA_SUCCESS);
  EXPECT_EQ(there, 0x5a);
  unsigned long long flags = 0;
  ASSERT_EQ(cuMemGetAccess(&flags, &properties.location, range), CUDA_SUCCESS);
  EXPECT_EQ(flags, static_cast<unsigned long long>(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  EXPECT_EQ(cuMemAddressFree(range, 2 * size), CUDA_ERROR_INVALID_VALUE); // still mapped
  ASSERT_EQ(cuMemUnmap(range, 2 * size), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAddressFree(range, 2 * size), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyDtoH(&there, 0, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Driver, PhysicalMemoryIsTheDevices) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  const std::size_t size = std::size_t(64) << 20;
  std::size_t before = 0, during = 0, after = 0, total = 0;
  CUmemGenericAllocationHandle memory = 0;
  ASSERT_EQ(cuMemGetInfo(&before, &total), CUDA_SUCCESS);
  ASSERT_EQ(cuMemCreate(&memory, size, &properties, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemGetInfo(&during, &total), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(memory), CUDA_SUCCESS);
  ASSERT_EQ(cuMemGetInfo(&after, &total), CUDA_SUCCESS);
  EXPECT_EQ(during, before - size);
  EXPECT_EQ(after, before);
  total = total / size * size + size;
  EXPECT_EQ(cuMemCreate(&memory, total, &properties, 0), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(Driver, PlacesAndAccessOfMemoryAreChecked) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_INVALID, 0};
  CUmemGenericAllocationHandle memory = 0;
  std::size_t size = 0;
  EXPECT_EQ(cuMemCreate(&memory, 2 << 20, &properties, 0), CUDA_ERROR_INVALID_VALUE);
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  EXPECT_EQ(cuMemGetAllocationGranularity(&size, &properties,
                                          static_cast<CUmemAllocationGranularity_flags>(7)),
            CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemGetAllocationGranularity(&size, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
            CUDA_SUCCESS);
  CUdeviceptr range = 0;
  EXPECT_EQ(cuMemAddressReserve(&range, 0 - size, 2 * size, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
  ASSERT_EQ(cuMemAddressReserve(&range, size, 0, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemCreate(&memory, size, &properties, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemMap(range, size, 0, memory, 0), CUDA_SUCCESS);
  CUmemAccessDesc access{properties.location, static_cast<CUmemAccess_flags>(2)};
  EXPECT_EQ(cuMemSetAccess(range, size, &access, 1), CUDA_ERROR_INVALID_VALUE);
  access = {{CU_MEM_LOCATION_TYPE_INVALID, 0}, CU_MEM_ACCESS_FLAGS_PROT_READ};
  EXPECT_EQ(cuMemSetAccess(range, size, &access, 1), CUDA_ERROR_INVALID_VALUE);
  unsigned long long flags = 0;
  const CUmemLocation nowhere{CU_MEM_LOCATION_TYPE_DEVICE, 1000};
  EXPECT_EQ(cuMemGetAccess(&flags, &nowhere, range), CUDA_ERROR_INVALID_DEVICE);
  ASSERT_EQ(cuMemRelease(memory), CUDA_SUCCESS);
  ASSERT_EQ(cuMemUnmap(range, size), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAddressFree(range, size), CUDA_SUCCESS);
}

// Reading what a program maps of a file that is shorter than a page would end the process.
TEST_F(Driver, OnlyMemoryIsImported) {
  CUmemGenericAllocationHandle memory = 0;
  const auto import = [&](int fd) {
    return cuMemImportFromShareableHandle(&memory,
                                          reinterpret_cast<void*>(static_cast<std::intptr_t>(fd)),
                                          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  };
  const int null = open("/dev/null", O_RDWR), next = dup(null);
  close(next);
  EXPECT_EQ(import(null), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(import(-1), CUDA_ERROR_INVALID_VALUE);
  const int again = dup(null); // nothing was left open
  EXPECT_EQ(again, next);
  close(again);
  close(null);
}

TEST_F(Driver, PointersAreDescribed) {
  CUdeviceptr p = 0;
  ASSERT_EQ(cuMemAllocAsync(&p, 64, nullptr), CUDA_SUCCESS);
  CUmemoryPool pool = nullptr, ofPointer = nullptr;
  ASSERT_EQ(cuDeviceGetMemPool(&pool, device), CUDA_SUCCESS);
  ASSERT_EQ(cuPointerGetAttribute(&ofPointer, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p),
            CUDA_SUCCESS);
  EXPECT_EQ(ofPointer, pool);
  ASSERT_EQ(cuMemFreeAsync(p, nullptr), CUDA_SUCCESS);
  // Of memory that nobody knows there is nothing to say, all 8 bytes of it.
  int local = 0;
  std::uint64_t context = ~0ull, size = ~0ull;
  int ordinal = 0;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* data[] = {&context, &size, &ordinal};
  ASSERT_EQ(cuPointerGetAttributes(3, attributes, data, reinterpret_cast<CUdeviceptr>(&local)),
            CUDA_SUCCESS);
  EXPECT_EQ(context, 0u);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(ordinal, int(CU_DEVICE_INVALID));
  EXPECT_EQ(cuDevicePrimaryCtxSetFlags(device, 0x8000), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Driver, StreamsWaitForValues) {
  CUdeviceptr flag = 0;
  CUstream waiting = nullptr, writing = nullptr;
  ASSERT_EQ(cuMemAlloc(&flag, 8), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8(flag, 0, 8), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamCreate(&waiting, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamCreate(&writing, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWaitValue32(waiting, flag, 5, CU_STREAM_WAIT_VALUE_GEQ), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWriteValue32(waiting, flag + 4, 1, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamQuery(waiting), CUDA_ERROR_NOT_READY);
  ASSERT_EQ(cuStreamWriteValue32(writing, flag, 6, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(waiting), CUDA_SUCCESS);
  unsigned host[2] = {};
  ASSERT_EQ(cuMemcpyDtoH(host, flag, 8), CUDA_SUCCESS);
  EXPECT_EQ(host[0], 6u);
  EXPECT_EQ(host[1], 1u);
  ASSERT_EQ(cuStreamDestroy(waiting), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamDestroy(writing), CUDA_SUCCESS);
  ASSERT_EQ(cuMemFree(flag), CUDA_SUCCESS);
}

TEST_F(Driver, FunctionsAreFoundByName) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  ASSERT_EQ(cudaGetDriverEntryPoint("cuMemAlloc", &function, cudaEnableDefault, &found),
            cudaSuccess);
  ASSERT_NE(function, nullptr);
  CUdeviceptr memory = 0;
  EXPECT_EQ(reinterpret_cast<decltype(&cuMemAlloc)>(function)(&memory, 100), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
  void* versioned = nullptr;
  ASSERT_EQ(cudaGetDriverEntryPoint("cuMemAlloc_v2", &versioned, cudaEnableDefault, &found),
            cudaSuccess);
  EXPECT_EQ(versioned, function);
  ASSERT_EQ(cudaGetDriverEntryPoint("cuNoSuchThing", &function, cudaEnableDefault, &found),
            cudaSuccess);
  EXPECT_EQ(found, cudaDriverEntryPointSymbolNotFound);
  EXPECT_EQ(function, nullptr);
  const char* name = nullptr;
  ASSERT_EQ(cuGetErrorName(CUDA_ERROR_NOT_FOUND, &name), CUDA_SUCCESS);
  EXPECT_STREQ(name, "CUDA_ERROR_NOT_FOUND");
  EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(12345), &name), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Driver, ModulesMustBeOurs) {
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoad(&module, "/no/such/file"), CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT_EQ(cuModuleLoadData(&module, "nonsense"), CUDA_ERROR_INVALID_IMAGE);
  CUfunction function = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&function, nullptr, "f"), CUDA_ERROR_INVALID_HANDLE);
}

// Without cu2cc there is no compiler for PTX: the code of a driver without one, and a sentence in
// the log of errors.
TEST_F(Driver, PtxIsRefusedWithAReason) {
  setenv("CU2CPP_CU2CC", "/no/such/compiler", 1);
  const char ptx[] = "  // made by hand\n/* and\nmore */ .version 8.0\n.target sm_90\n";
  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, ptx), CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
  EXPECT_EQ(cuModuleLoadData(&module, "/* .version 8.0"), CUDA_ERROR_INVALID_IMAGE);

  char errors[200] = "x", tooSmall[9] = "xxxxxxxx", notes[8] = "x";
  CUjit_option options[] = {CU_JIT_MAX_REGISTERS, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_ERROR_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER};
  void* values[] = {reinterpret_cast<void*>(32), reinterpret_cast<void*>(sizeof errors), errors,
                    notes};
  EXPECT_EQ(cuModuleLoadDataEx(&module, ptx, 4, options, values),
            CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
  EXPECT_STREQ(notes, "");
  EXPECT_NE(std::strstr(errors, "PTX"), nullptr);
  EXPECT_EQ(values[1], reinterpret_cast<void*>(std::strlen(errors)));

  values[1] = reinterpret_cast<void*>(5);
  values[2] = tooSmall;
  CUlibrary library = nullptr;
  EXPECT_EQ(cuLibraryLoadData(&library, ptx, options, values, 4, nullptr, nullptr, 0),
            CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
  EXPECT_EQ(std::string(tooSmall, 9), std::string("this\0xxx\0", 9));
  unsetenv("CU2CPP_CU2CC");
}

// Libraries belong to no context (Driver API, 'Library Management').
TEST_F(Driver, LibrariesNeedNoContext) {
  std::thread([] {
    CUlibrary library = nullptr;
    CUmodule module = nullptr;
    EXPECT_EQ(cuModuleLoadData(&module, "nonsense"), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuLibraryLoadData(&library, "nonsense", nullptr, nullptr, 0, nullptr, nullptr, 0),
              CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(cuLibraryLoadData(&library, "nonsense", nullptr, nullptr, 1, nullptr, nullptr, 0),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLibraryUnload(nullptr), CUDA_ERROR_INVALID_HANDLE);
  }).join();
}

/// RunTimeCompiler has a script for a compiler: it copies the program, or fails.
class RunTimeCompiler : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "cu2cpp-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
    setenv("CU2CPP_CU2CC", (folder / "compiler").c_str(), 1);
    setenv("CU2CPP_CACHE", (folder / "cache").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("CU2CPP_CU2CC");
    unsetenv("CU2CPP_CACHE");
    std::filesystem::remove_all(folder);
  }
  void compilerIs(const std::string& script) {
    std::ofstream(folder / "compiler") << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(folder / "compiler", std::filesystem::perms::owner_all);
  }
  const std::string copies = "while [ $# -gt 2 ]; do shift; done; cp \"$2\" \"$1\"";
  std::filesystem::path folder;
};

TEST_F(RunTimeCompiler, MessagesLookAsNvrtcWritesThem) {
  nvrtcProgram program = nullptr;
  ASSERT_EQ(nvrtcCreateProgram(&program, "", "some/f.cu", 0, nullptr, nullptr), NVRTC_SUCCESS);
  compilerIs("for source; do :; done\n"
             "echo \"$source:3:12: error: no: such thing\"\n"
             "echo '    3 | x: error: y'\n"
             "echo \"$source:4:1: warning: odd\"\n"
             "echo 'cu2cpp: error: in words'\n"
             "echo \"$source:15:2: fatal error: enough\"; exit 1");
  EXPECT_EQ(nvrtcCompileProgram(program, 0, nullptr), NVRTC_ERROR_COMPILATION);
  std::size_t size = 0;
  ASSERT_EQ(nvrtcGetProgramLogSize(program, &size), NVRTC_SUCCESS);
  std::string log(size, 0);
  ASSERT_EQ(nvrtcGetProgramLog(program, log.data()), NVRTC_SUCCESS);
  EXPECT_STREQ(log.c_str(), "some/f.cu(3): error: no: such thing\n"
                            "    3 | x: error: y\n"
                            "some/f.cu(4): warning: odd\n"
                            "cu2cpp: error: in words\n"
                            "some/f.cu(15): fatal error: enough\n"
                            "2 errors detected in the compilation of \"some/f.cu\".\n");
  EXPECT_EQ(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
}

TEST_F(RunTimeCompiler, AFailureLeavesNoOlderProgram) {
  nvrtcProgram program = nullptr;
  std::size_t size = 0;
  std::string text(1000, 0);
  ASSERT_EQ(nvrtcCreateProgram(&program, "__global__ void f() {}", "f.cu", 0, nullptr, nullptr),
            NVRTC_SUCCESS);
  compilerIs(copies);
  ASSERT_EQ(nvrtcCompileProgram(program, 0, nullptr), NVRTC_SUCCESS);
  ASSERT_EQ(nvrtcGetPTX(program, text.data()), NVRTC_SUCCESS);
  EXPECT_STREQ(text.c_str(), "__global__ void f() {}");
  compilerIs("echo wrong; exit 1");
  const char* option = "-DOTHER";
  EXPECT_EQ(nvrtcCompileProgram(program, 1, &option), NVRTC_ERROR_COMPILATION);
  EXPECT_EQ(nvrtcGetPTX(program, text.data()), NVRTC_ERROR_INVALID_PROGRAM);
  ASSERT_EQ(nvrtcGetPTXSize(program, &size), NVRTC_SUCCESS);
  EXPECT_EQ(size, 1u);
  ASSERT_EQ(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
}

TEST_F(RunTimeCompiler, HeadersStayInTheProgramsFolder) {
  nvrtcProgram program = nullptr;
  const std::string there = (folder / "mine.h").string();
  std::ofstream(there) << "mine";
  const char* const text = "other";
  compilerIs(copies);
  for (const std::string& name : {there, "../../../../../../.." + there}) {
    const char* const names[] = {name.c_str()};
    ASSERT_EQ(nvrtcCreateProgram(&program, "int i;", "f.cu", 1, &text, names), NVRTC_SUCCESS);
    EXPECT_EQ(nvrtcCompileProgram(program, 0, nullptr), NVRTC_ERROR_COMPILATION);
    ASSERT_EQ(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
    std::string now;
    std::ifstream(there) >> now;
    EXPECT_EQ(now, "mine");
  }
  const char* const inside = "../beside/it.h";
  ASSERT_EQ(nvrtcCreateProgram(&program, "int i;", "f.cu", 1, &text, &inside), NVRTC_SUCCESS);
  EXPECT_EQ(nvrtcCompileProgram(program, 0, nullptr), NVRTC_SUCCESS);
  ASSERT_EQ(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
  const char* const none = nullptr;
  EXPECT_EQ(nvrtcCreateProgram(&program, "int i;", "f.cu", 1, &text, &none),
            NVRTC_ERROR_INVALID_INPUT);
}

TEST_F(Driver, ATextureTellsOfItsView) {
  CUDA_ARRAY3D_DESCRIPTOR layers{};
  layers.Width = layers.Height = 8;
  layers.Format = CU_AD_FORMAT_FLOAT;
  layers.NumChannels = 1;
  CUmipmappedArray levels = nullptr;
  ASSERT_EQ(cuMipmappedArrayCreate(&levels, &layers, 3), CUDA_SUCCESS);
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = levels;
  CUDA_TEXTURE_DESC how{};
  CUDA_RESOURCE_VIEW_DESC view{}, told{};
  view.format = CU_RES_VIEW_FORMAT_FLOAT_1X32;
  view.width = view.height = 8;
  view.firstMipmapLevel = 1;
  view.lastMipmapLevel = 2;
  CUtexObject texture = 0;
  ASSERT_EQ(cuTexObjectCreate(&texture, &resource, &how, &view), CUDA_SUCCESS);
  EXPECT_EQ(cuTexObjectGetResourceViewDesc(&told, texture), CUDA_SUCCESS);
  EXPECT_EQ(told.format, view.format);
  EXPECT_EQ(told.width, 8u);
  EXPECT_EQ(told.firstMipmapLevel, 1u);
  EXPECT_EQ(told.lastMipmapLevel, 2u);
  EXPECT_EQ(cuTexObjectGetResourceViewDesc(nullptr, texture), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexObjectDestroy(texture), CUDA_SUCCESS);
  CUarray level = nullptr;
  CUDA_ARRAY_DESCRIPTOR shape{};
  ASSERT_EQ(cuMipmappedArrayGetLevel(&level, levels, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuArrayDestroy(level), CUDA_SUCCESS);
  EXPECT_EQ(cuArrayGetDescriptor(&shape, level), CUDA_SUCCESS);
  EXPECT_EQ(cuMipmappedArrayDestroy(levels), CUDA_SUCCESS);
}

} // namespace
