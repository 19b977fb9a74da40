// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One- and two-dimensional copies and fills.
//
// CUDA Runtime API, 'Memory Management'; 'API synchronization behavior' for what waits.
#include "api/copying.h"
#include "api/graph_nodes.h"

namespace cu2cpp::rt {
namespace {

// Above this, an asynchronous copy out of pageable memory waits for its turn instead of taking a
// copy now. CUDA's limit is 64 KB; a larger one makes fewer programs wait.
constexpr std::size_t stagingBytes = std::size_t(64) << 20;

} // namespace

Status checkCopy(const Box& to, const Box& from, const Extent& extent, cudaMemcpyKind kind) {
  if (static_cast<unsigned>(kind) > cudaMemcpyDefault)
    return Status::InvalidCopyDirection;
  const AllocationTable& table = process().allocations;
  const Place target = placeOf(table, to.start), source = placeOf(table, from.start);
  for (const Status status : {checkBox(target, to, extent), checkBox(source, from, extent),
                              checkDirection(static_cast<Direction>(kind), target, source)})
    if (status != Status::Ok)
      return status;
  return Status::Ok;
}

namespace {

// The parameters by which a graph's node tells of a copy that was captured.
cudaMemcpy3DParms paramsOf(const Box& to, const Box& from, const Extent& extent,
                           cudaMemcpyKind kind) {
  const auto pitched = [&](const Box& box) {
    const std::size_t pitch = box.pitch ? box.pitch : extent.width;
    return cudaPitchedPtr{box.start, pitch, extent.width,
                          box.slice ? box.slice / pitch : extent.height};
  };
  cudaMemcpy3DParms params{};
  params.srcPtr = pitched(from);
  params.dstPtr = pitched(to);
  params.extent = {extent.width, extent.height, extent.depth};
  params.kind = kind;
  return params;
}

// Copies and fills of the synchronous API can't be captured.
Status capture(const std::shared_ptr<Stream>& stream, std::shared_ptr<const NodeBody> body,
               Mode mode) {
  if (mode == Mode::Sync)
    return process().captures.refuse(*stream);
  return process().captures.add(stream, std::move(body));
}

} // namespace

Status copyBox(const std::shared_ptr<Stream>& stream, const Box& to, const Box& from,
               const Extent& extent, cudaMemcpyKind kind, Mode mode) {
  if (!stream)
    return Status::InvalidHandle;
  if (static_cast<unsigned>(kind) > cudaMemcpyDefault)
    return Status::InvalidCopyDirection;
  if (extent.empty())
    return Status::Ok;
  const AllocationTable& table = process().allocations;
  const Place target = placeOf(table, to.start), source = placeOf(table, from.start);
  for (const Status status : {checkBox(target, to, extent), checkBox(source, from, extent),
                              checkDirection(static_cast<Direction>(kind), target, source)})
    if (status != Status::Ok)
      return status;
  if (stream->capturing.load(std::memory_order_relaxed))
    return capture(stream,
                   std::make_shared<CopyBody>(to, from, extent, paramsOf(to, from, extent, kind)),
                   mode);
  auto work = std::make_unique<CopyWork>(to, from, extent);
  bool wait = mode == Mode::Sync;
  if (!wait && target.isPageable()) {
    wait = true; // returns only after the copy has completed
  } else if (!wait && source.isPageable()) {
    // The caller may change pageable memory as soon as this returns. With nothing before it, doing
    // it now costs least.
    if (extent.bytes() > stagingBytes || process().scheduler.nothingBefore(stream))
      wait = true;
    else
      work->stage();
  }
  return submit(stream, std::move(work), wait);
}

Status fillBox(const std::shared_ptr<Stream>& stream, const Box& to, int value,
               const Extent& extent, Mode mode, unsigned elementBytes) {
  if (!stream)
    return Status::InvalidHandle;
  if (extent.empty())
    return Status::Ok;
  const Place target = placeOf(process().allocations, to.start);
  if (const Status status = checkBox(target, to, extent); status != Status::Ok)
    return status;
  if (!target.mayBeDevice())
    return Status::InvalidValue;
  if (stream->capturing.load(std::memory_order_relaxed))
    return capture(
        stream,
        std::make_shared<FillBody>(
            to, extent,
            cudaMemsetParams{to.start, to.pitch,
                             elementBytes == 1 ? unsigned(value) & 0xff : unsigned(value),
                             elementBytes, extent.width / elementBytes, extent.height}),
        mode);
  // CUDA's synchronous form may return before device memory is filled. Waiting is legal too, and
  // programs that go on in a non-blocking stream rely on a GPU having filled it by then.
  return submit(stream, std::make_unique<FillWork>(to, unsigned(value), extent, elementBytes),
                mode == Mode::Sync);
}

} // namespace cu2cpp::rt

using namespace cu2cpp::rt;

namespace {

Box boxAt(const void* p, std::size_t pitch = 0) {
  return {static_cast<char*>(const_cast<void*>(p)), pitch, 0};
}

cudaError_t copy1d(void* dst, const void* src, std::size_t count, cudaMemcpyKind kind,
                   cudaStream_t stream, Mode mode) {
  return deviceCall(
      [=] { return copyBox(streamOf(stream), boxAt(dst), boxAt(src), {count, 1, 1}, kind, mode); });
}

cudaError_t copy2d(void* dst, std::size_t dpitch, const void* src, std::size_t spitch,
                   std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                   Mode mode) {
  return deviceCall([=] {
    if (width > dpitch || width > spitch)
      return Status::InvalidPitch;
    return copyBox(streamOf(stream), boxAt(dst, dpitch), boxAt(src, spitch), {width, height, 1},
                   kind, mode);
  });
}

cudaError_t fill2d(void* p, std::size_t pitch, int value, std::size_t width, std::size_t height,
                   cudaStream_t stream, Mode mode) {
  return deviceCall([=] {
    if (width > pitch && height > 1)
      return Status::InvalidValue;
    return fillBox(streamOf(stream), boxAt(p, pitch), value, {width, height, 1}, mode);
  });
}

cudaError_t copyPeer(void* dst, int dstDevice, const void* src, int srcDevice, std::size_t count,
                     cudaStream_t stream, Mode mode) {
  return deviceCall([=] {
    const int devices = process().deviceCount();
    if (dstDevice < 0 || dstDevice >= devices || srcDevice < 0 || srcDevice >= devices)
      return Status::InvalidDevice;
    return copyBox(streamOf(stream), boxAt(dst), boxAt(src), {count, 1, 1}, cudaMemcpyDefault,
                   mode);
  });
}

} // namespace

extern "C" cudaError_t cudaMemcpy(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  return copy1d(dst, src, count, kind, nullptr, Mode::Sync);
}

extern "C" cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return copy1d(dst, src, count, kind, stream, Mode::Async);
}

extern "C" cudaError_t cudaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch,
                                    size_t width, size_t height, cudaMemcpyKind kind) {
  return copy2d(dst, dpitch, src, spitch, width, height, kind, nullptr, Mode::Sync);
}

extern "C" cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch,
                                         size_t width, size_t height, cudaMemcpyKind kind,
                                         cudaStream_t stream) {
  return copy2d(dst, dpitch, src, spitch, width, height, kind, stream, Mode::Async);
}

extern "C" cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice,
                                      size_t count) {
  return copyPeer(dst, dstDevice, src, srcDevice, count, nullptr, Mode::Sync);
}

extern "C" cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice,
                                           size_t count, cudaStream_t stream) {
  return copyPeer(dst, dstDevice, src, srcDevice, count, stream, Mode::Async);
}

extern "C" cudaError_t cudaMemset(void* devPtr, int value, size_t count) {
  return deviceCall(
      [=] { return fillBox(streamOf(nullptr), boxAt(devPtr), value, {count, 1, 1}, Mode::Sync); });
}

extern "C" cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count, cudaStream_t stream) {
  return deviceCall(
      [=] { return fillBox(streamOf(stream), boxAt(devPtr), value, {count, 1, 1}, Mode::Async); });
}

extern "C" cudaError_t cudaMemset2D(void* devPtr, size_t pitch, int value, size_t width,
                                    size_t height) {
  return fill2d(devPtr, pitch, value, width, height, nullptr, Mode::Sync);
}

extern "C" cudaError_t cudaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width,
                                         size_t height, cudaStream_t stream) {
  return fill2d(devPtr, pitch, value, width, height, stream, Mode::Async);
}
