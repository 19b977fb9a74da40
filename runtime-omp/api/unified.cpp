// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints about managed memory: checked, then without effect, since all threads reach all memory at
// the same cost.
//
// CUDA C++ Programming Guide, 'Unified Memory Programming', 'Data Prefetching' and 'Data Usage
// Hints'.
#include "api/call.h"

using namespace cu2cpp::rt;

namespace {

Status checkManaged(const void* p, std::size_t count) {
  if (!p || count == 0)
    return Status::InvalidValue;
  const Place place = placeOf(process().allocations, p);
  if (!place.known)
    return place.variable ? Status::Ok : Status::InvalidValue; // a __managed__ variable
  const Box box{static_cast<char*>(const_cast<void*>(p)), 0, 0};
  return place.allocation.kind == MemoryKind::Managed ? checkBox(place, box, {count, 1, 1})
                                                      : Status::InvalidValue;
}

bool isLocation(int device) {
  return device == cudaCpuDeviceId || (device >= 0 && device < process().deviceCount());
}

} // namespace

extern "C" cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, int dstDevice,
                                            cudaStream_t stream) {
  return deviceCall([=] {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    if (!queue)
      return Status::InvalidHandle;
    if (!isLocation(dstDevice))
      return Status::InvalidDevice;
    if (const Status status = checkManaged(devPtr, count); status != Status::Ok)
      return status;
    return submit(queue, std::make_unique<Task>(), false); // keeps its place in the stream's order
  });
}

extern "C" cudaError_t cudaMemAdvise(const void* devPtr, size_t count, cudaMemoryAdvise advice,
                                     int device) {
  return deviceCall([=] {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
      return Status::InvalidValue;
    const bool needsDevice = advice >= cudaMemAdviseSetPreferredLocation;
    if (needsDevice && advice != cudaMemAdviseUnsetPreferredLocation && !isLocation(device))
      return Status::InvalidDevice;
    return checkManaged(devPtr, count);
  });
}
