// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three-dimensional copies and fills of pitched memory.
//
// CUDA Runtime API, 'Memory Management': cudaMemcpy3D.
#include "api/array.h"
#include "api/copying.h"

using namespace cu2cpp::rt;

namespace {

// A pitched pointer's position: x counts bytes, y rows, z slices of ysize rows.
Box boxAt(const cudaPitchedPtr& p, const cudaPos& pos) {
  const std::size_t slice = p.pitch * p.ysize;
  char* const start = static_cast<char*>(p.ptr);
  return {start ? start + pos.z * slice + pos.y * p.pitch + pos.x : nullptr, p.pitch, slice};
}

Status checkPitch(const cudaPitchedPtr& p, const cudaPos& pos, const cudaExtent& extent) {
  if (pos.x + extent.width > p.pitch && (extent.height > 1 || extent.depth > 1))
    return Status::InvalidPitch;
  if (pos.y + extent.height > p.ysize && extent.depth > 1)
    return Status::InvalidValue; // slices would overlap
  return Status::Ok;
}

// An array as pitched memory; positions in it count texels.
Status useArray(cudaArray_const_t array, cudaPitchedPtr& p, cudaPos& pos) {
  if (!isArray(array) || p.ptr)
    return Status::InvalidValue;
  p = {array->image.data, array->image.pitch, std::size_t(array->image.width) * array->texelBytes,
       array->image.height};
  pos.x *= array->texelBytes;
  return Status::Ok;
}

// With an array on either side, the extent's width and positions in pitched memory count texels.
Status withoutArrays(cudaMemcpy3DParms& p) {
  std::size_t texel = 1;
  for (const bool source : {true, false}) {
    const cudaArray_const_t array = source ? p.srcArray : p.dstArray;
    if (!array)
      continue;
    if (const Status status =
            source ? useArray(array, p.srcPtr, p.srcPos) : useArray(array, p.dstPtr, p.dstPos);
        status != Status::Ok)
      return status;
    texel = array->texelBytes;
    const cudaPos& pos = source ? p.srcPos : p.dstPos;
    if (pos.x + p.extent.width * texel > std::size_t(array->image.width) * texel ||
        pos.y + p.extent.height > array->image.height ||
        pos.z + p.extent.depth > array->image.depth)
      return Status::InvalidValue;
  }
  p.extent.width *= texel;
  if (p.srcArray && !p.dstArray)
    p.dstPos.x *= texel;
  if (p.dstArray && !p.srcArray)
    p.srcPos.x *= texel;
  return Status::Ok;
}

} // namespace

Status cu2cpp::rt::boxesOf(const cudaMemcpy3DParms& params, Box& to, Box& from, Extent& extent) {
  cudaMemcpy3DParms p = params;
  if (const Status status = withoutArrays(p); status != Status::Ok)
    return status;
  for (const Status status :
       {checkPitch(p.dstPtr, p.dstPos, p.extent), checkPitch(p.srcPtr, p.srcPos, p.extent)})
    if (status != Status::Ok)
      return status;
  to = boxAt(p.dstPtr, p.dstPos);
  from = boxAt(p.srcPtr, p.srcPos);
  extent = {p.extent.width, p.extent.height, p.extent.depth};
  return Status::Ok;
}

namespace {

cudaError_t copy3d(const cudaMemcpy3DParms* given, cudaStream_t stream, Mode mode) {
  return deviceCall([=] {
    if (!given)
      return Status::InvalidValue;
    Box to, from;
    Extent extent;
    if (const Status status = boxesOf(*given, to, from, extent); status != Status::Ok)
      return status;
    return copyBox(streamOf(stream), to, from, extent, given->kind, mode);
  });
}

cudaError_t copyPeer3d(const cudaMemcpy3DPeerParms* p, cudaStream_t stream, Mode mode) {
  if (!p)
    return record(Status::InvalidValue);
  const int devices = process().deviceCount();
  if (p->dstDevice < 0 || p->dstDevice >= devices || p->srcDevice < 0 || p->srcDevice >= devices)
    return record(Status::InvalidDevice);
  const cudaMemcpy3DParms same{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                               p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDefault};
  return copy3d(&same, stream, mode);
}

cudaError_t fill3d(const cudaPitchedPtr& p, int value, const cudaExtent& extent,
                   cudaStream_t stream, Mode mode) {
  return deviceCall([&] {
    if (checkPitch(p, {0, 0, 0}, extent) != Status::Ok)
      return Status::InvalidValue;
    return fillBox(streamOf(stream), boxAt(p, {0, 0, 0}), value,
                   {extent.width, extent.height, extent.depth}, mode);
  });
}

} // namespace

extern "C" cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  return copy3d(p, nullptr, Mode::Sync);
}

extern "C" cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return copy3d(p, stream, Mode::Async);
}

extern "C" cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  return copyPeer3d(p, nullptr, Mode::Sync);
}

extern "C" cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  return copyPeer3d(p, stream, Mode::Async);
}

extern "C" cudaError_t cudaMemset3D(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent) {
  return fill3d(pitchedDevPtr, value, extent, nullptr, Mode::Sync);
}

extern "C" cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent,
                                         cudaStream_t stream) {
  return fill3d(pitchedDevPtr, value, extent, stream, Mode::Async);
}
