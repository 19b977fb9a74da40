// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA arrays and mipmapped arrays: allocation, queries and copies, which are copies of pitched
// memory.
//
// CUDA Runtime API, 'Memory Management'.
#include "api/array.h"

#include <algorithm>
#include <mutex>
#include <set>

#include <driver_functions.h>

#include "api/call.h"

using namespace cu2cpp::rt;

namespace {

/// Handles is the arrays that are alive, so that a stale handle is an error code.
struct Handles {
  std::mutex mutex; // a leaf
  std::set<const void*> arrays, mipmapped;
};
Handles& handles() {
  static Handles* const all = new Handles; // arrays may be freed by static destructors
  return *all;
}
bool known(const std::set<const void*>& set, const void* p) {
  const std::lock_guard<std::mutex> lock(handles().mutex);
  return set.count(p) != 0;
}
void remember(std::set<const void*>& set, const void* p, bool alive) {
  const std::lock_guard<std::mutex> lock(handles().mutex);
  if (alive)
    set.insert(p);
  else
    set.erase(p);
}

// The largest arrays of each kind (cudaDeviceProp::maxTexture...).
bool fitsDevice(cudaExtent extent, unsigned flags) {
  const auto within = [&](std::size_t width, std::size_t height, std::size_t depth) {
    return extent.width <= width && extent.height <= height && extent.depth <= depth;
  };
  if (flags & (cudaArrayLayered | cudaArrayCubemap))
    return within(32768, 32768, 2048);
  return extent.depth ? within(16384, 16384, 16384) : within(131072, 65536, 0);
}

cudaError_t checkShape(const cudaChannelFormatDesc* desc, cudaExtent extent, unsigned flags) {
  constexpr unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                             cudaArrayTextureGather | cudaArrayColorAttachment | cudaArraySparse |
                             cudaArrayDeferredMapping;
  if (!desc)
    return cudaErrorInvalidValue;
  if (texelBytesOf(*desc) == 0)
    return cudaErrorInvalidChannelDescriptor;
  if (extent.width == 0 || (flags & ~known) || !fitsDevice(extent, flags) ||
      (extent.height == 0 && extent.depth != 0 && !(flags & cudaArrayLayered)))
    return cudaErrorInvalidValue;
  return !(flags & cudaArrayCubemap) || (extent.width == extent.height && extent.depth % 6 == 0)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

// `place` has rows without padding; without one the array gets memory of its own.
cudaError_t fillArray(cudaArray& array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                      unsigned flags, unsigned char* place = nullptr) {
  if (const cudaError_t error = checkShape(desc, extent, flags))
    return record(static_cast<Status>(error));
  const unsigned texel = texelBytesOf(*desc);
  const std::size_t height = std::max<std::size_t>(extent.height, 1);
  const std::size_t depth = std::max<std::size_t>(extent.depth, 1);
  cudaPitchedPtr memory{};
  if (place)
    memory = make_cudaPitchedPtr(place, extent.width * texel, extent.width, height);
  else if (const cudaError_t error =
               cudaMalloc3D(&memory, make_cudaExtent(extent.width * texel, height, depth)))
    return error;
  array = {{static_cast<unsigned char*>(memory.ptr), memory.pitch, memory.pitch * height,
            unsigned(extent.width), unsigned(height), unsigned(depth)},
           *desc,
           extent,
           flags,
           texel,
           true};
  remember(handles().arrays, &array, true);
  return cudaSuccess;
}

constexpr unsigned flatLevels = cudaArrayLayered | cudaArrayCubemap; // their depth is no extent

unsigned levelsOf(cudaExtent extent, unsigned wanted, unsigned flags) {
  std::size_t largest = std::max(extent.width, extent.height);
  if (!(flags & flatLevels))
    largest = std::max(largest, extent.depth);
  unsigned most = 1;
  for (std::size_t size = largest; size > 1; size /= 2)
    ++most;
  return std::min({std::max(wanted, 1u), most, cu2cpp::detail::TextureView::maxLevels});
}

cudaExtent nextLevel(cudaExtent extent, unsigned flags) {
  const auto half = [](std::size_t n) { return n > 1 ? n / 2 : n; };
  return {half(extent.width), half(extent.height),
          flags & flatLevels ? extent.depth : half(extent.depth)};
}

// In memory that is not the array's own.
std::size_t levelBytes(const cudaChannelFormatDesc& desc, cudaExtent extent) {
  const std::size_t bytes = extent.width * std::max<std::size_t>(extent.height, 1) *
                            std::max<std::size_t>(extent.depth, 1) * texelBytesOf(desc);
  return (bytes + 511) / 512 * 512;
}

unsigned char* at(const cudaArray& array, std::size_t wOffset, std::size_t hOffset) {
  return array.image.data + hOffset * array.image.pitch + wOffset;
}

// `count` bytes from (wOffset, hOffset) on, row after row: the form that CUDA 10.1 deprecated.
template <class Copy>
cudaError_t eachRow(const cudaArray& array, std::size_t wOffset, std::size_t hOffset,
                    std::size_t count, Copy copy) {
  const std::size_t row = std::size_t(array.image.width) * array.texelBytes;
  std::size_t done = 0;
  while (done < count) {
    if (wOffset >= row || hOffset >= array.image.height)
      return record(Status::InvalidValue);
    const std::size_t part = std::min(count - done, row - wOffset);
    if (const cudaError_t error = copy(at(array, wOffset, hOffset), done, part))
      return error;
    done += part;
    wOffset = 0;
    ++hOffset;
  }
  return cudaSuccess;
}

bool fits(cudaArray_const_t array, std::size_t wOffset, std::size_t hOffset, std::size_t width,
          std::size_t height) {
  return isArray(array) && wOffset + width <= std::size_t(array->image.width) * array->texelBytes &&
         hOffset + height <= array->image.height;
}

} // namespace

namespace cu2cpp::rt {

unsigned texelBytesOf(const cudaChannelFormatDesc& format) {
  const int bits = format.x;
  if ((bits != 8 && bits != 16 && bits != 32) || format.f > cudaChannelFormatKindFloat ||
      (bits == 8 && format.f == cudaChannelFormatKindFloat))
    return 0;
  unsigned channels = 1;
  for (const int other : {format.y, format.z, format.w})
    if (other == bits)
      ++channels;
    else if (other != 0)
      return 0;
  return channels == 3 ? 0 : channels * unsigned(bits) / 8;
}

bool isArray(cudaArray_const_t array) { return known(handles().arrays, array); }
bool isMipmapped(cudaMipmappedArray_const_t array) { return known(handles().mipmapped, array); }

} // namespace cu2cpp::rt

extern "C" cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                       cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

extern "C" cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  if (!desc || !isArray(array))
    return record(Status::InvalidValue);
  *desc = array->format;
  return cudaSuccess;
}

extern "C" cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                                         cudaExtent extent, unsigned int flags) {
  if (!array)
    return record(Status::InvalidValue);
  cudaArray* made = new cudaArray{};
  if (const cudaError_t error = fillArray(*made, desc, extent, flags)) {
    delete made;
    return error;
  }
  *array = made;
  return cudaSuccess;
}

extern "C" cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                                       size_t width, size_t height, unsigned int flags) {
  return cudaMalloc3DArray(array, desc, make_cudaExtent(width, height, 0), flags);
}

extern "C" cudaError_t cudaFreeArray(cudaArray_t array) {
  if (!array)
    return cudaSuccess;
  if (!isArray(array) || !array->owned)
    return record(Status::InvalidValue);
  remember(handles().arrays, array, false);
  const cudaError_t error = cudaFree(array->image.data);
  delete array;
  return error;
}

extern "C" cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent,
                                        unsigned int* flags, cudaArray_t array) {
  if (!isArray(array))
    return record(Status::InvalidHandle);
  if (desc)
    *desc = array->format;
  if (extent)
    *extent = array->extent;
  if (flags)
    *flags = array->flags;
  return cudaSuccess;
}

std::size_t cu2cpp::rt::mipmappedBytes(const cudaChannelFormatDesc& desc, cudaExtent extent,
                                       unsigned levels, unsigned flags) {
  std::size_t bytes = 0;
  for (unsigned rest = levelsOf(extent, levels, flags); rest > 0; --rest) {
    bytes += levelBytes(desc, extent);
    extent = nextLevel(extent, flags);
  }
  return bytes;
}

cudaError_t cu2cpp::rt::makeMipmapped(cudaMipmappedArray_t* out, const cudaChannelFormatDesc* desc,
                                      cudaExtent extent, unsigned levels, unsigned flags,
                                      unsigned char* place, std::size_t bytes) {
  if (!out)
    return record(Status::InvalidValue);
  if (const cudaError_t error = checkShape(desc, extent, flags))
    return record(static_cast<Status>(error));
  if ((place && mipmappedBytes(*desc, extent, levels, flags) > bytes))
    return record(Status::InvalidValue);
  cudaMipmappedArray* made = new cudaMipmappedArray;
  made->owned = !place;
  made->level.resize(levelsOf(extent, levels, flags));
  for (cudaArray& level : made->level) {
    if (const cudaError_t error = fillArray(level, desc, extent, flags, place)) {
      delete made;
      return error;
    }
    level.owned = false;
    if (place)
      place += levelBytes(*desc, extent);
    extent = nextLevel(extent, flags);
  }
  remember(handles().mipmapped, made, true);
  *out = made;
  return cudaSuccess;
}

extern "C" cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* mipmappedArray,
                                                const cudaChannelFormatDesc* desc,
                                                cudaExtent extent, unsigned int numLevels,
                                                unsigned int flags) {
  return makeMipmapped(mipmappedArray, desc, extent, numLevels, flags);
}

extern "C" cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* levelArray,
                                                  cudaMipmappedArray_const_t mipmappedArray,
                                                  unsigned int level) {
  if (!levelArray || !isMipmapped(mipmappedArray) || level >= mipmappedArray->level.size())
    return record(Status::InvalidValue);
  *levelArray = const_cast<cudaArray_t>(&mipmappedArray->level[level]);
  return cudaSuccess;
}

extern "C" cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray) {
  if (!mipmappedArray)
    return cudaSuccess;
  if (!isMipmapped(mipmappedArray))
    return record(Status::InvalidValue);
  remember(handles().mipmapped, mipmappedArray, false);
  cudaError_t error = cudaSuccess;
  for (cudaArray& level : mipmappedArray->level) {
    remember(handles().arrays, &level, false);
    if (!mipmappedArray->owned)
      continue;
    if (const cudaError_t failed = cudaFree(level.image.data))
      error = failed;
  }
  delete mipmappedArray;
  return error;
}

extern "C" cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                const void* src, size_t spitch, size_t width,
                                                size_t height, cudaMemcpyKind kind,
                                                cudaStream_t stream) {
  if (!fits(dst, wOffset, hOffset, width, height))
    return record(Status::InvalidValue);
  return cudaMemcpy2DAsync(at(*dst, wOffset, hOffset), dst->image.pitch, src, spitch, width, height,
                           kind, stream);
}

extern "C" cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                           const void* src, size_t spitch, size_t width,
                                           size_t height, cudaMemcpyKind kind) {
  if (!fits(dst, wOffset, hOffset, width, height))
    return record(Status::InvalidValue);
  return cudaMemcpy2D(at(*dst, wOffset, hOffset), dst->image.pitch, src, spitch, width, height,
                      kind);
}

extern "C" cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, cudaArray_const_t src,
                                                  size_t wOffset, size_t hOffset, size_t width,
                                                  size_t height, cudaMemcpyKind kind,
                                                  cudaStream_t stream) {
  if (!fits(src, wOffset, hOffset, width, height))
    return record(Status::InvalidValue);
  return cudaMemcpy2DAsync(dst, dpitch, at(*src, wOffset, hOffset), src->image.pitch, width, height,
                           kind, stream);
}

extern "C" cudaError_t cudaMemcpy2DFromArray(void* dst, size_t dpitch, cudaArray_const_t src,
                                             size_t wOffset, size_t hOffset, size_t width,
                                             size_t height, cudaMemcpyKind kind) {
  if (!fits(src, wOffset, hOffset, width, height))
    return record(Status::InvalidValue);
  return cudaMemcpy2D(dst, dpitch, at(*src, wOffset, hOffset), src->image.pitch, width, height,
                      kind);
}

extern "C" cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst,
                                                size_t hOffsetDst, cudaArray_const_t src,
                                                size_t wOffsetSrc, size_t hOffsetSrc, size_t width,
                                                size_t height, cudaMemcpyKind kind) {
  if (!fits(dst, wOffsetDst, hOffsetDst, width, height) ||
      !fits(src, wOffsetSrc, hOffsetSrc, width, height))
    return record(Status::InvalidValue);
  return cudaMemcpy2D(at(*dst, wOffsetDst, hOffsetDst), dst->image.pitch,
                      at(*src, wOffsetSrc, hOffsetSrc), src->image.pitch, width, height, kind);
}

extern "C" cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                         const void* src, size_t count, cudaMemcpyKind kind) {
  if (!isArray(dst))
    return record(Status::InvalidValue);
  return eachRow(*dst, wOffset, hOffset, count, [=](void* row, std::size_t done, std::size_t part) {
    return cudaMemcpy(row, static_cast<const char*>(src) + done, part, kind);
  });
}

extern "C" cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                              const void* src, size_t count, cudaMemcpyKind kind,
                                              cudaStream_t stream) {
  if (!isArray(dst))
    return record(Status::InvalidValue);
  return eachRow(*dst, wOffset, hOffset, count, [=](void* row, std::size_t done, std::size_t part) {
    return cudaMemcpyAsync(row, static_cast<const char*>(src) + done, part, kind, stream);
  });
}

extern "C" cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t wOffset,
                                           size_t hOffset, size_t count, cudaMemcpyKind kind) {
  if (!isArray(src))
    return record(Status::InvalidValue);
  return eachRow(*src, wOffset, hOffset, count,
                 [=](const void* row, std::size_t done, std::size_t part) {
                   return cudaMemcpy(static_cast<char*>(dst) + done, row, part, kind);
                 });
}

extern "C" cudaError_t cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, size_t wOffset,
                                                size_t hOffset, size_t count, cudaMemcpyKind kind,
                                                cudaStream_t stream) {
  if (!isArray(src))
    return record(Status::InvalidValue);
  return eachRow(*src, wOffset, hOffset, count,
                 [=](const void* row, std::size_t done, std::size_t part) {
                   return cudaMemcpyAsync(static_cast<char*>(dst) + done, row, part, kind, stream);
                 });
}

extern "C" cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                              cudaArray_const_t src, size_t wOffsetSrc,
                                              size_t hOffsetSrc, size_t count,
                                              cudaMemcpyKind kind) {
  if (!isArray(dst) || !isArray(src))
    return record(Status::InvalidValue);
  std::vector<char> bytes(count);
  (void)kind; // both are device memory
  if (const cudaError_t error = cudaMemcpyFromArray(bytes.data(), src, wOffsetSrc, hOffsetSrc,
                                                    count, cudaMemcpyDeviceToHost))
    return error;
  return cudaMemcpyToArray(dst, wOffsetDst, hOffsetDst, bytes.data(), count,
                           cudaMemcpyHostToDevice);
}

// What an array takes of the device's memory.

namespace {

std::size_t bytesOf(const cudaArray& array) {
  return array.image.slice * std::max(array.image.depth, 1u);
}

Status requirements(cudaArrayMemoryRequirements* out, std::size_t bytes, int device) {
  if (!out)
    return Status::InvalidValue;
  if (device < 0 || device >= process().deviceCount())
    return Status::InvalidDevice;
  *out = {};
  out->size = bytes;
  out->alignment = 512;
  return Status::Ok;
}

} // namespace

extern "C" cudaError_t
cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements* memoryRequirements, cudaArray_t array,
                               int device) {
  return deviceCall([=] {
    return isArray(array) ? requirements(memoryRequirements, bytesOf(*array), device)
                          : Status::InvalidHandle;
  });
}

extern "C" cudaError_t
cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements* memoryRequirements,
                                        cudaMipmappedArray_t mipmap, int device) {
  return deviceCall([=] {
    if (!isMipmapped(mipmap))
      return Status::InvalidHandle;
    std::size_t bytes = 0;
    for (const cudaArray& level : mipmap->level)
      bytes += bytesOf(level);
    return requirements(memoryRequirements, bytes, device);
  });
}

// No array is sparse or has planes.
extern "C" cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties*, cudaArray_t) {
  return deviceCall([] { return Status::InvalidValue; });
}
extern "C" cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties*,
                                                             cudaMipmappedArray_t) {
  return deviceCall([] { return Status::InvalidValue; });
}
extern "C" cudaError_t cudaArrayGetPlane(cudaArray_t*, cudaArray_t hArray, unsigned int) {
  return deviceCall([=] { return isArray(hArray) ? Status::InvalidValue : Status::InvalidHandle; });
}
