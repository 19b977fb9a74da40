// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries of kernels loaded at run time, and kernels' handles.
//
// CUDA Runtime API, 'Library Management', 'Execution Control'.
#include "api/call.h"
#include "api/log.h"
#include "core/module.h"

using namespace cu2cpp::rt;

namespace {

HandleTable<Module>& libraries() {
  static auto& theTable = *new HandleTable<Module>;
  return theTable;
}

template <class Load> Status load(cudaLibrary_t* out, const void* what, Load from) {
  if (!out || !what)
    return Status::InvalidValue;
  std::shared_ptr<Module> module;
  std::string why;
  const Status status = from(module, why);
  if (status != Status::Ok) {
    logMessage(why);
    return status;
  }
  *out = reinterpret_cast<cudaLibrary_t>(module.get());
  libraries().add(std::move(module));
  return Status::Ok;
}

template <class Body> cudaError_t libraryCall(cudaLibrary_t handle, Body body) {
  return deviceCall([&] {
    const std::shared_ptr<Module> library = libraries().find(handle);
    return library ? body(*library) : Status::InvalidHandle;
  });
}

cudaError_t getVariable(void** dptr, std::size_t* bytes, cudaLibrary_t library, const char* name) {
  return libraryCall(library, [=](Module& module) {
    if (!dptr || !name)
      return Status::InvalidValue;
    std::size_t size = 0;
    void* const variable = module.variable(name, size);
    if (!variable)
      return static_cast<Status>(cudaErrorSymbolNotFound);
    noteVariable(variable, size);
    module.noteVariable(variable);
    *dptr = variable;
    if (bytes)
      *bytes = size;
    return Status::Ok;
  });
}

} // namespace

// Options of the GPU's compiler have no meaning here.
extern "C" cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*,
                                           void**, unsigned int, cudaLibraryOption*, void**,
                                           unsigned int) {
  return deviceCall([=] {
    return load(library, code, [=](std::shared_ptr<Module>& out, std::string& why) {
      return Module::loadImage(code, out, why);
    });
  });
}

extern "C" cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* fileName,
                                               cudaJitOption*, void**, unsigned int,
                                               cudaLibraryOption*, void**, unsigned int) {
  return deviceCall([=] {
    return load(library, fileName, [=](std::shared_ptr<Module>& out, std::string& why) {
      return Module::loadFile(fileName, out, why);
    });
  });
}

extern "C" cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return deviceCall([=] {
    if (const Status status = waitForDevice(currentDevice()); status != Status::Ok)
      return status; // its kernels may still run
    return libraries().remove(library) ? Status::Ok : Status::InvalidHandle;
  });
}

extern "C" cudaError_t cudaLibraryGetKernel(cudaKernel_t* pKernel, cudaLibrary_t library,
                                            const char* name) {
  return libraryCall(library, [=](const Module& module) {
    if (!pKernel || !name)
      return Status::InvalidValue;
    const void* const kernel = module.kernel(name);
    *pKernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(kernel));
    return kernel ? Status::Ok : static_cast<Status>(cudaErrorSymbolNotFound);
  });
}

extern "C" cudaError_t cudaLibraryGetGlobal(void** dptr, size_t* bytes, cudaLibrary_t library,
                                            const char* name) {
  return getVariable(dptr, bytes, library, name);
}
extern "C" cudaError_t cudaLibraryGetManaged(void** dptr, size_t* bytes, cudaLibrary_t library,
                                             const char* name) {
  return getVariable(dptr, bytes, library, name);
}

// Functions for both sides are the same function.
extern "C" cudaError_t cudaLibraryGetUnifiedFunction(void** fptr, cudaLibrary_t library,
                                                     const char* symbol) {
  return libraryCall(library, [=](const Module& module) {
    if (!fptr || !symbol)
      return Status::InvalidValue;
    *fptr = module.function(symbol);
    return *fptr ? Status::Ok : static_cast<Status>(cudaErrorSymbolNotFound);
  });
}

extern "C" cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t lib) {
  return libraryCall(lib, [=](const Module& module) {
    if (!count)
      return Status::InvalidValue;
    *count = unsigned(module.kernels().size());
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int numKernels,
                                                   cudaLibrary_t lib) {
  return libraryCall(lib, [=](const Module& module) {
    const std::vector<const void*> all = module.kernels();
    if (!kernels || numKernels == 0)
      return Status::InvalidValue;
    for (std::size_t i = 0; i < std::min<std::size_t>(numKernels, all.size()); ++i)
      kernels[i] = reinterpret_cast<cudaKernel_t>(const_cast<void*>(all[i]));
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attr,
                                                       int value, int device) {
  if (device < 0 || device >= process().deviceCount())
    return plainCall([] { return Status::InvalidDevice; });
  return ::cudaFuncSetAttribute(static_cast<const void*>(kernel), attr, value);
}

extern "C" cudaError_t cudaGetFuncBySymbol(cudaFunction_t* functionPtr, const void* symbolPtr) {
  return deviceCall([=] {
    if (!functionPtr)
      return Status::InvalidValue;
    if (!process().functions.find(symbolPtr))
      return Status::InvalidDeviceFunction;
    *functionPtr = reinterpret_cast<cudaFunction_t>(const_cast<void*>(symbolPtr));
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaGetKernel(cudaKernel_t* kernelPtr, const void* entryFuncAddr) {
  return deviceCall([=] {
    if (!kernelPtr)
      return Status::InvalidValue;
    if (!process().functions.find(entryFuncAddr))
      return Status::InvalidDeviceFunction;
    *kernelPtr = reinterpret_cast<cudaKernel_t>(const_cast<void*>(entryFuncAddr));
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaGetExportTable(const void**, const cudaUUID_t*) {
  return plainCall([] { return Status::NotSupported; });
}
