// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUDA keeps for old programs: launches whose shape and arguments are set one by one, and
// texture references, which modules do not have here.
//
// CUDA Driver API, 'Execution Control [DEPRECATED]', 'Texture Reference Management [DEPRECATED]'.
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "api/launching.h"
#include "driver/driver.h"

using namespace cu2cpp::rt;

namespace {

/// Settings of a function for its next launches.
struct LaunchSettings {
  dim3 block;
  unsigned shared = 0;
  std::vector<char> arguments;
};

std::mutex settingsMutex;
std::map<CUfunction, LaunchSettings>& settingsOfAll() {
  static auto& all = *new std::map<CUfunction, LaunchSettings>;
  return all;
}

template <class Body> CUresult withSettings(CUfunction function, Body body) {
  return contextCall([=]() -> CUresult {
    if (!process().functions.find(kernelOf(function)))
      return CUDA_ERROR_INVALID_HANDLE;
    const std::lock_guard lock(settingsMutex);
    return body(settingsOfAll()[function]);
  });
}

CUresult setArgument(CUfunction function, int offset, const void* value, unsigned bytes) {
  if (offset < 0 || !value)
    return CUDA_ERROR_INVALID_VALUE;
  return withSettings(function, [=](LaunchSettings& settings) {
    const std::size_t end = std::size_t(offset) + bytes;
    if (settings.arguments.size() < end)
      settings.arguments.resize(end);
    std::memcpy(settings.arguments.data() + offset, value, bytes);
    return CUDA_SUCCESS;
  });
}

} // namespace

extern "C" CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z) {
  return withSettings(hfunc, [=](LaunchSettings& settings) {
    if (x <= 0 || y <= 0 || z <= 0)
      return CUDA_ERROR_INVALID_VALUE;
    settings.block = dim3(unsigned(x), unsigned(y), unsigned(z));
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes) {
  return withSettings(hfunc, [=](LaunchSettings& settings) {
    settings.shared = bytes;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes) {
  return withSettings(hfunc, [=](LaunchSettings& settings) {
    settings.arguments.resize(numbytes);
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value) {
  return setArgument(hfunc, offset, &value, sizeof value);
}
extern "C" CUresult cuParamSetf(CUfunction hfunc, int offset, float value) {
  return setArgument(hfunc, offset, &value, sizeof value);
}
extern "C" CUresult cuParamSetv(CUfunction hfunc, int offset, void* ptr, unsigned int numbytes) {
  return setArgument(hfunc, offset, ptr, numbytes);
}

extern "C" CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height,
                                      CUstream hStream) {
  if (grid_width <= 0 || grid_height <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  LaunchSettings now;
  const CUresult found = withSettings(f, [&](const LaunchSettings& settings) {
    now = settings;
    return CUDA_SUCCESS;
  });
  if (found != CUDA_SUCCESS)
    return found;
  std::size_t size = now.arguments.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, now.arguments.data(),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  return cuLaunchKernel(f, unsigned(grid_width), unsigned(grid_height), 1, now.block.x, now.block.y,
                        now.block.z, now.shared, hStream, nullptr, size ? extra : nullptr);
}
extern "C" CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height) {
  return cuLaunchGridAsync(f, grid_width, grid_height, nullptr);
}
extern "C" CUresult cuLaunch(CUfunction f) { return cuLaunchGrid(f, 1, 1); }

extern "C" CUresult cuCtxGetSharedMemConfig(CUsharedconfig* pConfig) {
  return contextCall([=]() -> CUresult {
    if (!pConfig)
      return CUDA_ERROR_INVALID_VALUE;
    *pConfig = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return CUDA_SUCCESS;
  });
}
// Banks of four bytes are all that GPUs since Maxwell have; there the request is ignored, as here.
extern "C" CUresult cuCtxSetSharedMemConfig(CUsharedconfig) {
  return contextCall([] { return CUDA_SUCCESS; });
}
extern "C" CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig) {
  return withSettings(hfunc, [](LaunchSettings&) { return CUDA_SUCCESS; });
}

// Texture and surface references.

extern "C" CUresult cuModuleGetTexRef(CUtexref* pTexRef, CUmodule, const char* name) {
  return contextCall(
      [=] { return pTexRef && name ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_VALUE; });
}
extern "C" CUresult cuModuleGetSurfRef(CUsurfref* pSurfRef, CUmodule, const char* name) {
  return contextCall(
      [=] { return pSurfRef && name ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_VALUE; });
}

namespace {
CUresult noReferences() {
  return contextCall([] { return CUDA_ERROR_NOT_SUPPORTED; });
}
} // namespace

extern "C" CUresult cuParamSetTexRef(CUfunction, int, CUtexref) { return noReferences(); }
extern "C" CUresult cuTexRefCreate(CUtexref*) { return noReferences(); }
extern "C" CUresult cuTexRefDestroy(CUtexref) { return noReferences(); }
extern "C" CUresult cuTexRefGetAddress(CUdeviceptr*, CUtexref) { return noReferences(); }
extern "C" CUresult cuTexRefGetAddressMode(CUaddress_mode*, CUtexref, int) {
  return noReferences();
}
extern "C" CUresult cuTexRefGetArray(CUarray*, CUtexref) { return noReferences(); }
extern "C" CUresult cuTexRefGetFilterMode(CUfilter_mode*, CUtexref) { return noReferences(); }
extern "C" CUresult cuTexRefGetFlags(unsigned int*, CUtexref) { return noReferences(); }
extern "C" CUresult cuTexRefGetFormat(CUarray_format*, int*, CUtexref) { return noReferences(); }
extern "C" CUresult cuTexRefSetAddress(size_t*, CUtexref, CUdeviceptr, size_t) {
  return noReferences();
}
extern "C" CUresult cuTexRefSetAddress2D(CUtexref, const CUDA_ARRAY_DESCRIPTOR*, CUdeviceptr,
                                         size_t) {
  return noReferences();
}
extern "C" CUresult cuTexRefSetAddressMode(CUtexref, int, CUaddress_mode) { return noReferences(); }
extern "C" CUresult cuTexRefSetArray(CUtexref, CUarray, unsigned int) { return noReferences(); }
extern "C" CUresult cuTexRefSetFilterMode(CUtexref, CUfilter_mode) { return noReferences(); }
extern "C" CUresult cuTexRefSetFlags(CUtexref, unsigned int) { return noReferences(); }
extern "C" CUresult cuTexRefSetFormat(CUtexref, CUarray_format, int) { return noReferences(); }
extern "C" CUresult cuSurfRefGetArray(CUarray*, CUsurfref) { return noReferences(); }
extern "C" CUresult cuSurfRefSetArray(CUsurfref, CUarray, unsigned int) { return noReferences(); }

// Graphics: no resource has ever been registered.

extern "C" CUresult cuGraphicsUnregisterResource(CUgraphicsResource) {
  return contextCall([] { return CUDA_ERROR_INVALID_HANDLE; });
}
extern "C" CUresult cuGraphicsMapResources(unsigned int, CUgraphicsResource*, CUstream) {
  return contextCall([] { return CUDA_ERROR_INVALID_HANDLE; });
}
extern "C" CUresult cuGraphicsUnmapResources(unsigned int, CUgraphicsResource*, CUstream) {
  return contextCall([] { return CUDA_ERROR_INVALID_HANDLE; });
}
extern "C" CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource, unsigned int) {
  return contextCall([] { return CUDA_ERROR_INVALID_HANDLE; });
}
extern "C" CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr*, size_t*, CUgraphicsResource) {
  return contextCall([] { return CUDA_ERROR_INVALID_HANDLE; });
}
extern "C" CUresult cuGraphicsSubResourceGetMappedArray(CUarray*, CUgraphicsResource, unsigned int,
                                                        unsigned int) {
  return contextCall([] { return CUDA_ERROR_INVALID_HANDLE; });
}
extern "C" CUresult cuGetExportTable(const void** ppExportTable, const CUuuid* pExportTableId) {
  return ppExportTable && pExportTableId ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
}
