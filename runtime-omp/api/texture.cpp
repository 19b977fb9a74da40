// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface objects, and what texture references are bound to.
//
// CUDA Runtime API, 'Texture Object Management', 'Surface Object Management'.
#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include <cu2cpp/api/textures.h>

#include "api/array.h"
#include "api/call.h"

using namespace cu2cpp::rt;
using cu2cpp::detail::SurfaceView;
using cu2cpp::detail::TextureView;

namespace {

struct Objects {
  std::mutex mutex; // a leaf
  std::set<unsigned long long> textures, surfaces;
};
Objects& objects() {
  static Objects* const all = new Objects; // references may be unbound by static destructors
  return *all;
}

bool find(const std::set<unsigned long long>& set, unsigned long long object) {
  const std::lock_guard<std::mutex> lock(objects().mutex);
  return set.count(object) != 0;
}

void useArray(TextureView& view, const cudaArray& array) {
  view.format = array.format;
  view.texelBytes = array.texelBytes;
  view.layered = (array.flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  view.dimensions = view.layered               ? (array.extent.height == 0 ? 1 : 2)
                    : array.extent.depth != 0  ? 3
                    : array.extent.height != 0 ? 2
                                               : 1;
}

// Device memory of a texture begins at a multiple of cudaDeviceProp::textureAlignment on a GPU;
// what is no allocation's start here may be at any address a texel can have.
bool aligned(const void* p) {
  const auto found = process().allocations.find(p);
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  return found ? (address - found->address) % 512 == 0 : address % 16 == 0;
}

Status useResource(TextureView& view, const cudaResourceDesc& resource) {
  view.levels = 1;
  switch (resource.resType) {
  case cudaResourceTypeArray:
    if (!isArray(resource.res.array.array))
      return Status::InvalidHandle;
    useArray(view, *resource.res.array.array);
    view.level[0] = resource.res.array.array->image;
    return Status::Ok;
  case cudaResourceTypeMipmappedArray: {
    if (!isMipmapped(resource.res.mipmap.mipmap))
      return Status::InvalidHandle;
    const auto& levels = resource.res.mipmap.mipmap->level;
    useArray(view, levels[0]);
    view.levels = unsigned(levels.size());
    for (unsigned i = 0; i < view.levels; ++i)
      view.level[i] = levels[i].image;
    return Status::Ok;
  }
  case cudaResourceTypeLinear: {
    const auto& linear = resource.res.linear;
    view.format = linear.desc;
    view.texelBytes = texelBytesOf(linear.desc);
    if (!linear.devPtr || view.texelBytes == 0 || !aligned(linear.devPtr))
      return Status::InvalidValue;
    view.dimensions = 1;
    view.linearMemory = true;
    const std::size_t texels = linear.sizeInBytes / view.texelBytes;
    view.level[0] = {static_cast<unsigned char*>(linear.devPtr),
                     linear.sizeInBytes,
                     0,
                     unsigned(std::min<std::size_t>(texels, 0x7fffffffu)),
                     1,
                     1};
    return Status::Ok;
  }
  case cudaResourceTypePitch2D: {
    const auto& pitched = resource.res.pitch2D;
    view.format = pitched.desc;
    view.texelBytes = texelBytesOf(pitched.desc);
    if (!pitched.devPtr || view.texelBytes == 0 || pitched.width == 0 || pitched.height == 0 ||
        !aligned(pitched.devPtr) || pitched.pitchInBytes % 32 != 0 ||
        pitched.pitchInBytes < pitched.width * view.texelBytes)
      return Status::InvalidValue;
    view.dimensions = 2;
    view.level[0] = {static_cast<unsigned char*>(pitched.devPtr),
                     pitched.pitchInBytes,
                     0,
                     unsigned(pitched.width),
                     unsigned(pitched.height),
                     1};
    return Status::Ok;
  }
  }
  return Status::InvalidValue;
}

// A view may take some of the levels and layers. Reinterpreting the format is refused.
Status useView(TextureView& view, const cudaResourceViewDesc& part) {
  view.view = part;
  if (part.format != cudaResViewFormatNone) {
    unsigned bytes = 0;
    const int f = part.format;
    const int of = (f - 1) % 3; // one, two, four channels
    const unsigned channels = of == 0 ? 1 : of == 1 ? 2 : 4;
    bytes = channels * (f <= cudaResViewFormatSignedChar4    ? 1
                        : f <= cudaResViewFormatSignedShort4 ? 2
                        : f <= cudaResViewFormatSignedInt4   ? 4
                        : f <= cudaResViewFormatHalf4        ? 2
                                                             : 4);
    if (bytes != view.texelBytes)
      return Status::NotSupported;
  }
  if (view.levels > 1) {
    const unsigned last = std::min(part.lastMipmapLevel, view.levels - 1);
    if (part.firstMipmapLevel > last)
      return Status::InvalidValue;
    std::copy(view.level + part.firstMipmapLevel, view.level + last + 1, view.level);
    view.levels = last - part.firstMipmapLevel + 1;
  }
  if (view.layered && part.lastLayer >= part.firstLayer && part.lastLayer > 0)
    for (unsigned i = 0; i < view.levels; ++i) {
      cu2cpp::detail::Image& image = view.level[i];
      const unsigned last = std::min(part.lastLayer, image.depth - 1);
      image.data += std::size_t(part.firstLayer) * image.slice;
      image.depth = last - part.firstLayer + 1;
    }
  return Status::Ok;
}

Status createTexture(cudaTextureObject_t& object, const cudaResourceDesc& resource,
                     const cudaTextureDesc& settings, const cudaResourceViewDesc* part) {
  auto view = std::make_unique<TextureView>();
  *view = {};
  view->resource = resource;
  view->settings = settings;
  if (const Status status = useResource(*view, resource); status != Status::Ok)
    return status;
  if (part)
    if (const Status status = useView(*view, *part); status != Status::Ok)
      return status;
  const bool integers = view->format.f != cudaChannelFormatKindFloat;
  const bool asFloat = settings.readMode == cudaReadModeNormalizedFloat;
  // 32-bit integers have no normalised form, and a filter needs floating point.
  if (integers && asFloat && view->format.x == 32)
    return Status::InvalidValue;
  if (settings.filterMode == cudaFilterModeLinear && integers && !asFloat && !view->linearMemory)
    return Status::InvalidFilterSetting;
  view->plain = settings.filterMode == cudaFilterModePoint && !settings.normalizedCoords &&
                (!asFloat || view->format.x == 32) && view->levels == 1 && !view->layered &&
                !(view->format.f == cudaChannelFormatKindFloat && view->format.x == 16);
  object = reinterpret_cast<cudaTextureObject_t>(view.release());
  const std::lock_guard<std::mutex> lock(objects().mutex);
  objects().textures.insert(object);
  return Status::Ok;
}

} // namespace

extern "C" cudaError_t cudaCreateTextureObject(cudaTextureObject_t* pTexObject,
                                               const cudaResourceDesc* pResDesc,
                                               const cudaTextureDesc* pTexDesc,
                                               const cudaResourceViewDesc* pResViewDesc) {
  return deviceCall([=] {
    if (!pTexObject || !pResDesc)
      return Status::InvalidValue;
    if (!pTexDesc)
      return Status::InvalidHandle;
    return createTexture(*pTexObject, *pResDesc, *pTexDesc, pResViewDesc);
  });
}

extern "C" cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject) {
  return deviceCall([=] {
    if (texObject == 0)
      return Status::Ok;
    {
      const std::lock_guard<std::mutex> lock(objects().mutex);
      if (objects().textures.erase(texObject) == 0)
        return Status::InvalidValue;
    }
    // Kernels that were launched before may still read it.
    const Status status = waitForDevice(currentDevice());
    delete reinterpret_cast<TextureView*>(texObject);
    return status;
  });
}

extern "C" cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* pResDesc,
                                                        cudaTextureObject_t texObject) {
  if (!pResDesc || !find(objects().textures, texObject))
    return record(Status::InvalidValue);
  *pResDesc = cu2cpp::detail::viewOf(texObject).resource;
  return cudaSuccess;
}

extern "C" cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* pTexDesc,
                                                       cudaTextureObject_t texObject) {
  if (!pTexDesc || !find(objects().textures, texObject))
    return record(Status::InvalidValue);
  *pTexDesc = cu2cpp::detail::viewOf(texObject).settings;
  return cudaSuccess;
}

extern "C" cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* pResViewDesc,
                                                            cudaTextureObject_t texObject) {
  if (!pResViewDesc || !find(objects().textures, texObject))
    return record(Status::InvalidValue);
  *pResViewDesc = cu2cpp::detail::viewOf(texObject).view;
  return cudaSuccess;
}

extern "C" cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* maxWidthInElements,
                                                            const cudaChannelFormatDesc* fmtDesc,
                                                            int device) {
  if (!maxWidthInElements || !fmtDesc || texelBytesOf(*fmtDesc) == 0)
    return record(Status::InvalidValue);
  if (device < 0 || device >= process().deviceCount())
    return record(Status::InvalidDevice);
  *maxWidthInElements = std::size_t(1) << 28;
  return cudaSuccess;
}

extern "C" cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* pSurfObject,
                                               const cudaResourceDesc* pResDesc) {
  return deviceCall([=] {
    if (!pSurfObject || !pResDesc || pResDesc->resType != cudaResourceTypeArray)
      return Status::InvalidValue;
    if (!isArray(pResDesc->res.array.array))
      return Status::InvalidHandle;
    const cudaArray& array = *pResDesc->res.array.array;
    auto* view = new SurfaceView{array.image, array.texelBytes, *pResDesc};
    *pSurfObject = reinterpret_cast<cudaSurfaceObject_t>(view);
    const std::lock_guard<std::mutex> lock(objects().mutex);
    objects().surfaces.insert(*pSurfObject);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject) {
  return deviceCall([=] {
    if (surfObject == 0)
      return Status::Ok;
    {
      const std::lock_guard<std::mutex> lock(objects().mutex);
      if (objects().surfaces.erase(surfObject) == 0)
        return Status::InvalidValue;
    }
    const Status status = waitForDevice(currentDevice());
    delete reinterpret_cast<SurfaceView*>(surfObject);
    return status;
  });
}

extern "C" cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* pResDesc,
                                                        cudaSurfaceObject_t surfObject) {
  if (!pResDesc || !find(objects().surfaces, surfObject))
    return record(Status::InvalidValue);
  *pResDesc = cu2cpp::detail::surfaceOf(surfObject).resource;
  return cudaSuccess;
}

namespace cu2cpp::detail {
namespace {

/// A GPU's launch takes along what references are bound to; ours read it when the kernel runs.
void letKernelsFinish(unsigned long long bound) {
  if (bound && Scheduler::mayWait())
    process().synchronize(currentDevice());
}

} // namespace

cudaError_t bindReference(const textureReference& reference, cudaTextureReadMode mode,
                          const cudaResourceDesc& wanted, cudaTextureObject_t& object) noexcept {
  return deviceCall([&] {
    cudaResourceDesc resource = wanted;
    // Bound without a size: all of the allocation.
    if (resource.resType == cudaResourceTypeLinear && resource.res.linear.sizeInBytes >= UINT_MAX) {
      const auto found = process().allocations.find(resource.res.linear.devPtr);
      if (!found)
        return Status::InvalidValue;
      resource.res.linear.sizeInBytes =
          found->address + found->bytes -
          reinterpret_cast<std::uintptr_t>(resource.res.linear.devPtr);
    }
    cudaTextureDesc settings{};
    for (int i = 0; i < 3; ++i)
      settings.addressMode[i] = reference.addressMode[i];
    settings.filterMode = reference.filterMode;
    settings.readMode = mode;
    settings.sRGB = reference.sRGB;
    settings.normalizedCoords = reference.normalized;
    settings.maxAnisotropy = reference.maxAnisotropy;
    settings.mipmapFilterMode = reference.mipmapFilterMode;
    settings.mipmapLevelBias = reference.mipmapLevelBias;
    settings.minMipmapLevelClamp = reference.minMipmapLevelClamp;
    settings.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
    const cudaTextureObject_t before = object;
    letKernelsFinish(before);
    const Status status = createTexture(object, resource, settings, nullptr);
    if (status == Status::Ok && before)
      cudaDestroyTextureObject(before);
    return status;
  });
}

cudaError_t unbindReference(cudaTextureObject_t& object) noexcept {
  if (!object)
    return cudaSuccess;
  letKernelsFinish(object);
  return cudaDestroyTextureObject(std::exchange(object, 0));
}

cudaError_t bindReference(const cudaResourceDesc& resource, cudaSurfaceObject_t& object,
                          cudaSurfaceObject_t) noexcept {
  const cudaSurfaceObject_t before = object;
  letKernelsFinish(before);
  const cudaError_t error = cudaCreateSurfaceObject(&object, &resource);
  if (error == cudaSuccess && before)
    cudaDestroySurfaceObject(before);
  return error;
}

} // namespace cu2cpp::detail
