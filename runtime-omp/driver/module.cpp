// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules, libraries and kernels: a module and a library are the same thing.
//
// CUDA Driver API, 'Module Management', 'Library Management', 'Execution Control'.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>

#include "api/log.h"
#include "driver/driver.h"

using namespace cu2cpp::rt;

namespace {

HandleTable<Module>& modules() {
  static auto& theTable = *new HandleTable<Module>;
  return theTable;
}

/// CompilerOptions are those of a GPU's compiler, of which only the two logs count here.
struct CompilerOptions {
  unsigned count = 0;
  const CUjit_option* options = nullptr;
  void** values = nullptr;

  bool given() const { return count == 0 || (options && values); }
  /// errors is what the compiler has to say: nothing where it has succeeded.
  void writeLogs(const std::string& errors) const {
    writeLog(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, {});
    writeLog(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, errors);
  }

private:
  void** valueOf(CUjit_option option) const {
    const CUjit_option* const found = std::find(options, options + count, option);
    return found == options + count ? nullptr : values + (found - options);
  }
  // The size becomes the number of characters that were written (Driver API, 'CUjit_option').
  void writeLog(CUjit_option bufferOption, CUjit_option sizeOption, const std::string& text) const {
    void** const buffer = valueOf(bufferOption);
    void** const size = valueOf(sizeOption);
    const std::size_t room = size ? unsigned(reinterpret_cast<std::uintptr_t>(*size)) : 1;
    std::size_t written = 0;
    if (buffer && *buffer && room > 0) {
      written = text.copy(static_cast<char*>(*buffer), room - 1);
      static_cast<char*>(*buffer)[written] = 0;
    }
    if (size)
      *size = reinterpret_cast<void*>(written);
  }
};

template <class Load>
CUresult load(CUmodule* out, const void* what, Load from, const CompilerOptions& options = {}) {
  if (!out || !what || !options.given())
    return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Module> module;
  std::string why;
  const Status status = from(module, why);
  options.writeLogs(why);
  if (status != Status::Ok) {
    logMessage(why);
    return resultOf(status);
  }
  *out = reinterpret_cast<CUmodule>(module.get());
  modules().add(std::move(module));
  return CUDA_SUCCESS;
}

template <class Body> CUresult withModule(CUmodule handle, Body body) {
  const std::shared_ptr<Module> module = modules().find(handle);
  return module ? body(*module) : CUDA_ERROR_INVALID_HANDLE;
}

// Modules belong to contexts, libraries do without one.
template <class Body> CUresult moduleCall(CUmodule handle, Body body) {
  return contextCall([&] { return withModule(handle, body); });
}

CUresult unload(CUmodule handle) {
  if (!modules().find(handle))
    return CUDA_ERROR_INVALID_HANDLE;
  // Its kernels may still run.
  if (const Status status = waitForDevice(currentDevice()); status != Status::Ok)
    return resultOf(status);
  return modules().remove(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUfunction functionAt(const void* kernel) {
  return reinterpret_cast<CUfunction>(const_cast<void*>(kernel));
}

CUresult findKernel(const Module& module, CUfunction* out, const char* name) {
  if (!out || !name)
    return CUDA_ERROR_INVALID_VALUE;
  const void* const kernel = module.kernel(name);
  *out = functionAt(kernel);
  return kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult countOf(const Module& module, unsigned* out) {
  if (!out)
    return CUDA_ERROR_INVALID_VALUE;
  *out = unsigned(module.kernels().size());
  return CUDA_SUCCESS;
}

CUresult list(const Module& module, CUfunction* out, unsigned most) {
  if (!out || most == 0)
    return CUDA_ERROR_INVALID_VALUE;
  const std::vector<const void*> all = module.kernels();
  for (std::size_t i = 0; i < std::min<std::size_t>(most, all.size()); ++i)
    out[i] = functionAt(all[i]);
  return CUDA_SUCCESS;
}

} // namespace

extern "C" CUresult cuModuleLoad(CUmodule* module, const char* fname) {
  return contextCall([=] {
    return load(module, fname, [=](std::shared_ptr<Module>& out, std::string& why) {
      return Module::loadFile(fname, out, why);
    });
  });
}
extern "C" CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
extern "C" CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int numOptions,
                                       CUjit_option* options, void** optionValues) {
  return contextCall([=] {
    return load(module, image,
                [=](std::shared_ptr<Module>& out, std::string& why) {
                  return Module::loadImage(image, out, why);
                },
                {numOptions, options, optionValues});
  });
}
extern "C" CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin) {
  return cuModuleLoadData(module, fatCubin);
}

extern "C" CUresult cuModuleUnload(CUmodule hmod) {
  return contextCall([=] { return unload(hmod); });
}

extern "C" CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (!mode)
    return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}

extern "C" CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name) {
  return moduleCall(hmod, [=](const Module& module) { return findKernel(module, hfunc, name); });
}
extern "C" CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule mod) {
  return moduleCall(mod, [=](const Module& module) { return countOf(module, count); });
}
extern "C" CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int numFunctions,
                                               CUmodule mod) {
  return moduleCall(mod,
                    [=](const Module& module) { return list(module, functions, numFunctions); });
}
extern "C" CUresult cuModuleGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUmodule hmod,
                                      const char* name) {
  return moduleCall(hmod, [=](Module& module) {
    if (!name)
      return CUDA_ERROR_INVALID_VALUE;
    std::size_t size = 0;
    void* const variable = module.variable(name, size);
    if (!variable) {
      if (dptr)
        *dptr = 0; // as on a GPU
      return CUDA_ERROR_NOT_FOUND;
    }
    noteVariable(variable, size);
    module.noteVariable(variable);
    if (dptr)
      *dptr = reinterpret_cast<CUdeviceptr>(variable);
    if (bytes)
      *bytes = size;
    return CUDA_SUCCESS;
  });
}

namespace {
CUmodule moduleOf(CUlibrary library) { return reinterpret_cast<CUmodule>(library); }

/// LibraryOptions have no meaning here, but must be there.
struct LibraryOptions {
  unsigned count;
  const CUlibraryOption* options;
  void* const* values;
  bool given() const { return count == 0 || (options && values); }
};

template <class Load>
CUresult loadLibrary(CUlibrary* library, const void* what, const CompilerOptions& compiler,
                     const LibraryOptions& options, Load from) {
  if (!options.given())
    return CUDA_ERROR_INVALID_VALUE;
  return driverCall(
      [=] { return load(reinterpret_cast<CUmodule*>(library), what, from, compiler); });
}

template <class Body> CUresult libraryCall(CUlibrary library, Body body) {
  return driverCall([&] { return withModule(moduleOf(library), body); });
}
} // namespace

extern "C" CUresult cuLibraryLoadData(CUlibrary* library, const void* code,
                                      CUjit_option* jitOptions, void** jitOptionsValues,
                                      unsigned int numJitOptions, CUlibraryOption* libraryOptions,
                                      void** libraryOptionValues, unsigned int numLibraryOptions) {
  return loadLibrary(library, code, {numJitOptions, jitOptions, jitOptionsValues},
                     {numLibraryOptions, libraryOptions, libraryOptionValues},
                     [=](std::shared_ptr<Module>& out, std::string& why) {
                       return Module::loadImage(code, out, why);
                     });
}
extern "C" CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* fileName,
                                          CUjit_option* jitOptions, void** jitOptionsValues,
                                          unsigned int numJitOptions,
                                          CUlibraryOption* libraryOptions,
                                          void** libraryOptionValues,
                                          unsigned int numLibraryOptions) {
  return loadLibrary(library, fileName, {numJitOptions, jitOptions, jitOptionsValues},
                     {numLibraryOptions, libraryOptions, libraryOptionValues},
                     [=](std::shared_ptr<Module>& out, std::string& why) {
                       return Module::loadFile(fileName, out, why);
                     });
}
extern "C" CUresult cuLibraryUnload(CUlibrary library) {
  return driverCall([=] { return unload(moduleOf(library)); });
}
extern "C" CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name) {
  return libraryCall(library, [=](const Module& module) {
    return findKernel(module, reinterpret_cast<CUfunction*>(pKernel), name);
  });
}
extern "C" CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib) {
  return libraryCall(lib, [=](const Module& module) { return countOf(module, count); });
}
extern "C" CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int numKernels,
                                              CUlibrary lib) {
  return libraryCall(lib, [=](const Module& module) {
    return list(module, reinterpret_cast<CUfunction*>(kernels), numKernels);
  });
}
extern "C" CUresult cuLibraryGetModule(CUmodule* pMod, CUlibrary library) {
  if (!pMod)
    return CUDA_ERROR_INVALID_VALUE;
  *pMod = moduleOf(library);
  return modules().find(library) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
extern "C" CUresult cuLibraryGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUlibrary library,
                                       const char* name) {
  return cuModuleGetGlobal(dptr, bytes, moduleOf(library), name);
}
extern "C" CUresult cuLibraryGetManaged(CUdeviceptr* dptr, size_t* bytes, CUlibrary library,
                                        const char* name) {
  return cuModuleGetGlobal(dptr, bytes, moduleOf(library), name);
}
extern "C" CUresult cuLibraryGetUnifiedFunction(void** fptr, CUlibrary library,
                                                const char* symbol) {
  return moduleCall(moduleOf(library), [=](const Module& module) {
    if (!fptr || !symbol)
      return CUDA_ERROR_INVALID_VALUE;
    *fptr = module.function(symbol);
    return *fptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  });
}

extern "C" CUresult cuFuncGetModule(CUmodule* hmod, CUfunction hfunc) {
  return contextCall([=] {
    if (!hmod)
      return CUDA_ERROR_INVALID_VALUE;
    for (const std::shared_ptr<Module>& module : modules().all()) {
      const std::vector<const void*> kernels = module->kernels();
      if (std::find(kernels.begin(), kernels.end(), kernelOf(hfunc)) == kernels.end())
        continue;
      *hmod = reinterpret_cast<CUmodule>(module.get());
      return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_HANDLE;
  });
}
extern "C" CUresult cuFuncGetName(const char** name, CUfunction hfunc) {
  return contextCall([=] { return cudaFuncGetName(name, kernelOf(hfunc)); });
}
extern "C" CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset,
                                       size_t* paramSize) {
  return contextCall(
      [=] { return cudaFuncGetParamInfo(kernelOf(func), paramIndex, paramOffset, paramSize); });
}
extern "C" CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  if (!state || !process().functions.find(kernelOf(function)))
    return CUDA_ERROR_INVALID_VALUE;
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return CUDA_SUCCESS;
}
extern "C" CUresult cuFuncLoad(CUfunction function) {
  return process().functions.find(kernelOf(function)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

extern "C" CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc) {
  return contextCall([=]() -> CUresult {
    cudaFuncAttributes all{};
    if (!pi)
      return CUDA_ERROR_INVALID_VALUE;
    if (const cudaError_t error = cudaFuncGetAttributes(&all, kernelOf(hfunc)))
      return resultOf(error);
    switch (attrib) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *pi = all.maxThreadsPerBlock;
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *pi = int(all.sharedSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *pi = int(all.constSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *pi = int(all.localSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *pi = all.numRegs;
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *pi = all.ptxVersion;
      break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *pi = all.binaryVersion;
      break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *pi = all.cacheModeCA;
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *pi = all.maxDynamicSharedSizeBytes;
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *pi = all.preferredShmemCarveout;
      break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      *pi = all.clusterDimMustBeSet;
      break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      *pi = all.nonPortableClusterSizeAllowed;
      break;
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  return contextCall([=] {
    return ::cudaFuncSetAttribute(kernelOf(hfunc), static_cast<cudaFuncAttribute>(attrib), value);
  });
}
extern "C" CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config) {
  return contextCall([=] {
    return ::cudaFuncSetCacheConfig(kernelOf(hfunc), static_cast<cudaFuncCache>(config));
  });
}
extern "C" CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel) {
  if (!pFunc || !process().functions.find(kernelOf(kernel)))
    return CUDA_ERROR_INVALID_VALUE;
  *pFunc = functionAt(kernelOf(kernel));
  return CUDA_SUCCESS;
}
extern "C" CUresult cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel kernel,
                                         CUdevice) {
  return cuFuncGetAttribute(pi, attrib, functionAt(kernelOf(kernel)));
}
extern "C" CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel,
                                         CUdevice) {
  return cuFuncSetAttribute(functionAt(kernelOf(kernel)), attrib, val);
}
extern "C" CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice) {
  return cuFuncSetCacheConfig(functionAt(kernelOf(kernel)), config);
}
extern "C" CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t* paramOffset,
                                         size_t* paramSize) {
  return cuFuncGetParamInfo(functionAt(kernelOf(kernel)), paramIndex, paramOffset, paramSize);
}

// Linking: what cu2cc or NVRTC has made is linked already, so there is nothing to join two of them
// by.

namespace {

struct LinkState {
  std::vector<std::string> images;
};
HandleTable<LinkState>& linkStates() {
  static auto& theTable = *new HandleTable<LinkState>;
  return theTable;
}

CUresult addImage(CUlinkState state, std::string image) {
  const std::shared_ptr<LinkState> found = linkStates().find(state);
  if (!found)
    return CUDA_ERROR_INVALID_HANDLE;
  if (image.compare(0, 4, "\177ELF") != 0) { // PTX is text
    std::string library, why;
    if (const Status status = Module::binaryOf(image.c_str(), library, why); status != Status::Ok) {
      logMessage(why);
      return resultOf(status);
    }
    image = std::move(library);
  }
  found->images.push_back(std::move(image));
  return CUDA_SUCCESS;
}

} // namespace

extern "C" CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState* stateOut) {
  return contextCall([=] {
    if (!stateOut)
      return CUDA_ERROR_INVALID_VALUE;
    const auto state = std::make_shared<LinkState>();
    *stateOut = reinterpret_cast<CUlinkState>(state.get());
    linkStates().add(state);
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuLinkAddData(CUlinkState state, CUjitInputType, void* data, size_t size,
                                  const char*, unsigned int, CUjit_option*, void**) {
  return contextCall([=] {
    return data ? addImage(state, std::string(static_cast<const char*>(data), size))
                : CUDA_ERROR_INVALID_VALUE;
  });
}
extern "C" CUresult cuLinkAddFile(CUlinkState state, CUjitInputType, const char* path, unsigned int,
                                  CUjit_option*, void**) {
  return contextCall([=] {
    std::ifstream in(path ? path : "", std::ios::binary);
    return in ? addImage(state, std::string(std::istreambuf_iterator<char>(in), {}))
              : CUDA_ERROR_FILE_NOT_FOUND;
  });
}
extern "C" CUresult cuLinkComplete(CUlinkState state, void** cubinOut, size_t* sizeOut) {
  return contextCall([=] {
    const std::shared_ptr<LinkState> found = linkStates().find(state);
    if (!found || !cubinOut)
      return found ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    if (found->images.size() != 1)
      return CUDA_ERROR_NOT_SUPPORTED;
    *cubinOut = found->images.front().data();
    if (sizeOut)
      *sizeOut = found->images.front().size();
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuLinkDestroy(CUlinkState state) {
  return linkStates().remove(state) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
