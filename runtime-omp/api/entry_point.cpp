// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of the driver API's functions by name.
//
// CUDA Runtime API, 'Driver Entry Point Access'.
#include "api/call.h"

using namespace cu2cpp::rt;

extern "C" cudaError_t
cudaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned int cudaVersion,
                                 unsigned long long flags,
                                 cudaDriverEntryPointQueryResult* driverStatus) {
  return plainCall([=] {
    if (!symbol || !funcPtr || cudaVersion == 0 ||
        flags > (cudaEnableLegacyStream | cudaEnablePerThreadDefaultStream))
      return Status::InvalidValue;
    *funcPtr = driverFunction(symbol);
    if (driverStatus)
      *driverStatus = *funcPtr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return *funcPtr || driverStatus ? Status::Ok : static_cast<Status>(cudaErrorSymbolNotFound);
  });
}

extern "C" cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** funcPtr,
                                               unsigned long long flags,
                                               cudaDriverEntryPointQueryResult* driverStatus) {
  return cudaGetDriverEntryPointByVersion(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}
