// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of the driver API share: most of them are those of the runtime API under
// another name, with contexts in place of device numbers, and leave the runtime's last error alone.
//
// CUDA Driver API, 'Difference between the driver and runtime APIs'.
#ifndef CU2CPP_DRIVER_DRIVER_H
#define CU2CPP_DRIVER_DRIVER_H

#include <atomic>

#include <cuda.h>
#include <cuda_runtime.h>

#include "api/call.h"
#include "core/module.h"

namespace cu2cpp::rt {

/// Context is a name for a device. All contexts of a device share its memory.
struct Context {
  int device = 0;
  unsigned flags = 0;
  unsigned long long id = 0;
  bool primary = false;
  std::atomic<int> uses{1}; ///< by cuCtxCreate() and cuCtxAttach()
};

/// currentContext() is the calling thread's, null if it has none.
std::shared_ptr<Context> currentContext();
std::shared_ptr<Context> contextOf(CUcontext handle);
inline CUcontext handleOf(const std::shared_ptr<Context>& context) {
  return reinterpret_cast<CUcontext>(context.get());
}
bool driverInitialised();

/// driverErrorName() is null for what is no error.
const char* driverErrorName(CUresult error);

/// RestoreLastError puts the runtime's last error back at the end of a driver call.
class RestoreLastError {
public:
  RestoreLastError() : before_(cudaGetLastError()) {}
  ~RestoreLastError() { setLastError(before_); }
  RestoreLastError(const RestoreLastError&) = delete;

private:
  const cudaError_t before_;
};

/// resultOf() is the driver's code for the runtime's; most have the same number.
inline CUresult resultOf(cudaError_t error) {
  switch (error) {
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidMemcpyDirection:
  case cudaErrorInvalidConfiguration:
    return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidDeviceFunction:
    return CUDA_ERROR_INVALID_HANDLE;
  default:
    return static_cast<CUresult>(error);
  }
}
inline CUresult resultOf(Status status) { return resultOf(static_cast<cudaError_t>(status)); }
inline CUresult resultOf(CUresult result) { return result; }

/// driverCall() is for what needs cuInit() only, contextCall() for what needs a context.
template <class Body> CUresult driverCall(Body body) noexcept {
  if (!driverInitialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  const RestoreLastError restore;
  try {
    return resultOf(body());
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return CUDA_ERROR_UNKNOWN;
  }
}
template <class Body> CUresult contextCall(Body body) noexcept {
  return driverCall([&]() -> CUresult {
    if (!currentContext())
      return CUDA_ERROR_INVALID_CONTEXT;
    return resultOf(body());
  });
}

inline void* at(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
inline void** into(CUdeviceptr* address) { return reinterpret_cast<void**>(address); }
inline const void* kernelOf(CUfunction function) { return reinterpret_cast<const void*>(function); }
inline const void* kernelOf(CUkernel kernel) { return reinterpret_cast<const void*>(kernel); }

/// like() is a pointer to the other API's type, where the two differ in their names only.
template <class To, class From> To* like(From* p) {
  static_assert(sizeof(To) == sizeof(From));
  return reinterpret_cast<To*>(p);
}

} // namespace cu2cpp::rt

#endif
