// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints about managed memory: checked and remembered, then without effect, since all threads reach
// all memory at the same cost.
//
// CUDA C++ Programming Guide, 'Unified Memory Programming', 'Data Prefetching' and 'Data Usage
// Hints'.
#include <map>
#include <mutex>
#include <set>
#include <vector>

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
  return place.allocation.isManaged() ? checkBox(place, box, {count, 1, 1}) : Status::InvalidValue;
}

bool isLocation(int device) {
  return device == cudaCpuDeviceId || (device >= 0 && device < process().deviceCount());
}

// What a program was told and may ask for again, by ranges of addresses.
struct Hints {
  bool readMostly = false;
  int preferred = cudaInvalidDeviceId;
  int prefetched = cudaInvalidDeviceId;
  std::set<int> accessedBy;
};

// Ranges do not overlap: an entry reaches to the next one.
class HintTable {
public:
  template <class Change> void change(std::uintptr_t first, std::size_t bytes, Change apply) {
    std::lock_guard lock(mutex_);
    const auto begin = cut(first), end = cut(first + bytes);
    for (auto entry = begin; entry != end; ++entry)
      apply(entry->second);
  }
  std::vector<Hints> of(std::uintptr_t first, std::size_t bytes) {
    std::lock_guard lock(mutex_);
    std::vector<Hints> result;
    const auto begin = cut(first), end = cut(first + bytes);
    for (auto entry = begin; entry != end; ++entry)
      result.push_back(entry->second);
    return result;
  }
  void forget(std::uintptr_t first, std::size_t bytes) {
    std::lock_guard lock(mutex_);
    byStart_.erase(cut(first), cut(first + bytes));
  }

private:
  std::map<std::uintptr_t, Hints>::iterator cut(std::uintptr_t at) {
    auto after = byStart_.upper_bound(at);
    if (after != byStart_.begin() && std::prev(after)->first == at)
      return std::prev(after);
    return byStart_.emplace_hint(after, at,
                                 after == byStart_.begin() ? Hints{} : std::prev(after)->second);
  }
  std::mutex mutex_; // a leaf
  std::map<std::uintptr_t, Hints> byStart_;
};
HintTable& hintTable() {
  static auto& theTable = *new HintTable;
  return theTable;
}
std::uintptr_t addressOf(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

Status prefetch(const void* p, std::size_t count, int device,
                const std::shared_ptr<Stream>& queue) {
  if (!queue)
    return Status::InvalidHandle;
  if (!isLocation(device))
    return Status::InvalidDevice;
  if (const Status status = checkManaged(p, count); status != Status::Ok)
    return status;
  hintTable().change(addressOf(p), count, [=](Hints& hints) { hints.prefetched = device; });
  return submit(queue, std::make_unique<Task>(), false); // keeps its place in the stream's order
}

// The value that all of the range has; `none` where they differ.
template <class Get> int common(const std::vector<Hints>& all, Get get, int none) {
  const int first = get(all.front());
  for (const Hints& hints : all)
    if (get(hints) != first)
      return none;
  return first;
}

int typeOf(int device) {
  return device == cudaCpuDeviceId       ? cudaMemLocationTypeHost
         : device == cudaInvalidDeviceId ? cudaMemLocationTypeInvalid
                                         : cudaMemLocationTypeDevice;
}

Status rangeAttribute(void* data, std::size_t bytes, cudaMemRangeAttribute attribute, const void* p,
                      std::size_t count) {
  if (!data || bytes < sizeof(int) || bytes % sizeof(int) != 0)
    return Status::InvalidValue;
  if (const Status status = checkManaged(p, count); status != Status::Ok)
    return status;
  const std::vector<Hints> all = hintTable().of(addressOf(p), count);
  int* const out = static_cast<int*>(data);
  const int preferred =
      common(all, [](const Hints& h) { return h.preferred; }, cudaInvalidDeviceId);
  const int prefetched =
      common(all, [](const Hints& h) { return h.prefetched; }, cudaInvalidDeviceId);
  if (attribute == cudaMemRangeAttributeAccessedBy) {
    std::set<int> devices = all.front().accessedBy;
    for (const Hints& hints : all)
      for (auto one = devices.begin(); one != devices.end();)
        one = hints.accessedBy.count(*one) ? std::next(one) : devices.erase(one);
    auto next = devices.begin();
    for (std::size_t i = 0; i < bytes / sizeof(int); ++i)
      out[i] = next != devices.end() ? *next++ : cudaInvalidDeviceId;
    return Status::Ok;
  }
  if (bytes != sizeof(int))
    return Status::InvalidValue;
  switch (attribute) {
  case cudaMemRangeAttributeReadMostly:
    *out = common(all, [](const Hints& h) { return int(h.readMostly); }, 0);
    return Status::Ok;
  case cudaMemRangeAttributePreferredLocation:
    *out = preferred;
    return Status::Ok;
  case cudaMemRangeAttributeLastPrefetchLocation:
    *out = prefetched;
    return Status::Ok;
  case cudaMemRangeAttributePreferredLocationType:
    *out = typeOf(preferred);
    return Status::Ok;
  case cudaMemRangeAttributePreferredLocationId:
    *out = preferred;
    return Status::Ok;
  case cudaMemRangeAttributeLastPrefetchLocationType:
    *out = typeOf(prefetched);
    return Status::Ok;
  case cudaMemRangeAttributeLastPrefetchLocationId:
    *out = prefetched;
    return Status::Ok;
  default:
    return Status::InvalidValue;
  }
}

int deviceAt(const cudaMemLocation& location) {
  switch (location.type) {
  case cudaMemLocationTypeDevice:
    return location.id;
  case cudaMemLocationTypeHost:
  case cudaMemLocationTypeHostNuma:
  case cudaMemLocationTypeHostNumaCurrent:
    return cudaCpuDeviceId;
  default:
    return cudaInvalidDeviceId;
  }
}

Status checkBatch(void** dptrs, std::size_t* sizes, std::size_t count, unsigned long long flags) {
  if (!dptrs || !sizes || count == 0 || flags != 0)
    return Status::InvalidValue;
  for (std::size_t i = 0; i < count; ++i)
    if (const Status status = checkManaged(dptrs[i], sizes[i]); status != Status::Ok)
      return status;
  return Status::Ok;
}

Status prefetchBatch(void** dptrs, std::size_t* sizes, std::size_t count,
                     const cudaMemLocation* locations, const std::size_t* indices,
                     std::size_t locationCount, unsigned long long flags, cudaStream_t stream) {
  const std::shared_ptr<Stream> queue = streamOf(stream);
  if (!queue)
    return Status::InvalidHandle;
  if (const Status status = checkBatch(dptrs, sizes, count, flags); status != Status::Ok)
    return status;
  // Location k is for the ranges from indices[k] on.
  if (!locations || !indices || locationCount == 0 || locationCount > count || indices[0] != 0)
    return Status::InvalidValue;
  for (std::size_t i = 0, k = 0; i < count; ++i) {
    while (k + 1 < locationCount && indices[k + 1] <= i)
      ++k;
    if (const Status status = prefetch(dptrs[i], sizes[i], deviceAt(locations[k]), queue);
        status != Status::Ok)
      return status;
  }
  return Status::Ok;
}

// The contents may be anything afterwards; they stay what they are.
Status discard(void** dptrs, std::size_t* sizes, std::size_t count, unsigned long long flags,
               cudaStream_t stream) {
  const std::shared_ptr<Stream> queue = streamOf(stream);
  if (!queue)
    return Status::InvalidHandle;
  if (const Status status = checkBatch(dptrs, sizes, count, flags); status != Status::Ok)
    return status;
  return submit(queue, std::make_unique<Task>(), false);
}

} // namespace

void cu2cpp::rt::forgetHints(const Allocation& allocation) {
  if (allocation.kind == MemoryKind::Managed)
    hintTable().forget(allocation.address, allocation.bytes);
}

extern "C" cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, int dstDevice,
                                            cudaStream_t stream) {
  return deviceCall([=] { return prefetch(devPtr, count, dstDevice, streamOf(stream)); });
}

extern "C" cudaError_t cudaMemPrefetchBatchAsync(void** dptrs, size_t* sizes, size_t count,
                                                 cudaMemLocation* prefetchLocs,
                                                 size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                                 unsigned long long flags, cudaStream_t stream) {
  return deviceCall([=] {
    return prefetchBatch(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                         stream);
  });
}

extern "C" cudaError_t cudaMemDiscardBatchAsync(void** dptrs, size_t* sizes, size_t count,
                                                unsigned long long flags, cudaStream_t stream) {
  return deviceCall([=] { return discard(dptrs, sizes, count, flags, stream); });
}

extern "C" cudaError_t
cudaMemDiscardAndPrefetchBatchAsync(void** dptrs, size_t* sizes, size_t count,
                                    cudaMemLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                    size_t numPrefetchLocs, unsigned long long flags,
                                    cudaStream_t stream) {
  return cudaMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs,
                                   numPrefetchLocs, flags, stream);
}

extern "C" cudaError_t cudaMemAdvise(const void* devPtr, size_t count, cudaMemoryAdvise advice,
                                     int device) {
  return deviceCall([=] {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
      return Status::InvalidValue;
    const bool needsDevice = advice >= cudaMemAdviseSetPreferredLocation;
    if (needsDevice && advice != cudaMemAdviseUnsetPreferredLocation && !isLocation(device))
      return Status::InvalidDevice;
    if (const Status status = checkManaged(devPtr, count); status != Status::Ok)
      return status;
    hintTable().change(addressOf(devPtr), count, [=](Hints& hints) {
      switch (advice) {
      case cudaMemAdviseSetReadMostly:
      case cudaMemAdviseUnsetReadMostly:
        hints.readMostly = advice == cudaMemAdviseSetReadMostly;
        break;
      case cudaMemAdviseSetPreferredLocation:
        hints.preferred = device;
        break;
      case cudaMemAdviseUnsetPreferredLocation:
        hints.preferred = cudaInvalidDeviceId;
        break;
      case cudaMemAdviseSetAccessedBy:
        hints.accessedBy.insert(device);
        break;
      case cudaMemAdviseUnsetAccessedBy:
        hints.accessedBy.erase(device);
        break;
      }
    });
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaMemRangeGetAttribute(void* data, size_t dataSize,
                                                cudaMemRangeAttribute attribute, const void* devPtr,
                                                size_t count) {
  return deviceCall([=] { return rangeAttribute(data, dataSize, attribute, devPtr, count); });
}

extern "C" cudaError_t cudaMemRangeGetAttributes(void** data, size_t* dataSizes,
                                                 cudaMemRangeAttribute* attributes,
                                                 size_t numAttributes, const void* devPtr,
                                                 size_t count) {
  return deviceCall([=] {
    if (!data || !dataSizes || !attributes || numAttributes == 0)
      return Status::InvalidValue;
    for (std::size_t i = 0; i < numAttributes; ++i)
      if (const Status status = rangeAttribute(data[i], dataSizes[i], attributes[i], devPtr, count);
          status != Status::Ok)
        return status;
    return Status::Ok;
  });
}
