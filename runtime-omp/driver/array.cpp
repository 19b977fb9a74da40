// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays, textures and surfaces: the runtime's, described by the driver's structures.
//
// CUDA Driver API, 'Memory Management', 'Texture Object Management', 'Surface Object Management'.
#include <algorithm>
#include <map>

#include "api/array.h"
#include "driver/driver.h"

using namespace cu2cpp::rt;

namespace {

bool channelFormat(CUarray_format format, unsigned channels, cudaChannelFormatDesc& out) {
  int bits = 0;
  cudaChannelFormatKind kind = cudaChannelFormatKindNone;
  switch (format) {
  case CU_AD_FORMAT_UNSIGNED_INT8:
  case CU_AD_FORMAT_UNSIGNED_INT16:
  case CU_AD_FORMAT_UNSIGNED_INT32:
    kind = cudaChannelFormatKindUnsigned;
    bits = 8 << (format - CU_AD_FORMAT_UNSIGNED_INT8);
    break;
  case CU_AD_FORMAT_SIGNED_INT8:
  case CU_AD_FORMAT_SIGNED_INT16:
  case CU_AD_FORMAT_SIGNED_INT32:
    kind = cudaChannelFormatKindSigned;
    bits = 8 << (format - CU_AD_FORMAT_SIGNED_INT8);
    break;
  case CU_AD_FORMAT_HALF:
    kind = cudaChannelFormatKindFloat;
    bits = 16;
    break;
  case CU_AD_FORMAT_FLOAT:
    kind = cudaChannelFormatKindFloat;
    bits = 32;
    break;
  default:
    return false;
  }
  if (channels != 1 && channels != 2 && channels != 4)
    return false;
  const auto bitsOf = [=](unsigned channel) { return channel < channels ? bits : 0; };
  out = {bitsOf(0), bitsOf(1), bitsOf(2), bitsOf(3), kind};
  return true;
}

void describe(const cudaArray& array, CUDA_ARRAY3D_DESCRIPTOR& out) {
  const cudaChannelFormatDesc& f = array.format;
  const int step = f.x == 8 ? 0 : f.x == 16 ? 1 : 2;
  const int first = f.f == cudaChannelFormatKindUnsigned ? CU_AD_FORMAT_UNSIGNED_INT8
                    : f.f == cudaChannelFormatKindSigned ? CU_AD_FORMAT_SIGNED_INT8
                                                         : 0;
  out = {};
  out.Format = first ? static_cast<CUarray_format>(first + step)
                     : (f.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT);
  out.NumChannels = unsigned((f.x != 0) + (f.y != 0) + (f.z != 0) + (f.w != 0));
  out.Width = array.extent.width;
  out.Height = array.extent.height;
  out.Depth = array.extent.depth;
  out.Flags = array.flags;
}

// Levels of layouts other than the runtime's flags have no meaning here.
constexpr unsigned knownFlags = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST |
                                CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER;

bool resource(const CUDA_RESOURCE_DESC& in, cudaResourceDesc& out) {
  out = {};
  switch (in.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    out.resType = cudaResourceTypeArray;
    out.res.array.array = in.res.array.hArray;
    return true;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    out.resType = cudaResourceTypeMipmappedArray;
    out.res.mipmap.mipmap = in.res.mipmap.hMipmappedArray;
    return true;
  case CU_RESOURCE_TYPE_LINEAR:
    out.resType = cudaResourceTypeLinear;
    out.res.linear.devPtr = at(in.res.linear.devPtr);
    out.res.linear.sizeInBytes = in.res.linear.sizeInBytes;
    return channelFormat(in.res.linear.format, in.res.linear.numChannels, out.res.linear.desc);
  case CU_RESOURCE_TYPE_PITCH2D:
    out.resType = cudaResourceTypePitch2D;
    out.res.pitch2D.devPtr = at(in.res.pitch2D.devPtr);
    out.res.pitch2D.width = in.res.pitch2D.width;
    out.res.pitch2D.height = in.res.pitch2D.height;
    out.res.pitch2D.pitchInBytes = in.res.pitch2D.pitchInBytes;
    return channelFormat(in.res.pitch2D.format, in.res.pitch2D.numChannels, out.res.pitch2D.desc);
  }
  return false;
}

// Integers read as fractions unless the driver's flag says otherwise; floats are themselves.
bool readsAsFractions(const cudaResourceDesc& in, unsigned flags) {
  cudaChannelFormatDesc format{};
  switch (in.resType) {
  case cudaResourceTypeArray:
    if (!isArray(in.res.array.array))
      return false;
    format = in.res.array.array->format;
    break;
  case cudaResourceTypeMipmappedArray:
    if (!isMipmapped(in.res.mipmap.mipmap))
      return false;
    format = in.res.mipmap.mipmap->level.front().format;
    break;
  case cudaResourceTypeLinear:
    format = in.res.linear.desc;
    break;
  case cudaResourceTypePitch2D:
    format = in.res.pitch2D.desc;
    break;
  }
  return !(flags & CU_TRSF_READ_AS_INTEGER) && format.f != cudaChannelFormatKindFloat &&
         format.x < 32;
}

// What textures were made from, for those who ask.
struct Description {
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC texture;
};
struct DescriptionTable {
  std::mutex mutex; // a leaf
  std::map<CUtexObject, Description> byTexture;
};
DescriptionTable& descriptions() {
  static auto& theTable = *new DescriptionTable;
  return theTable;
}
void described(CUtexObject texture, const Description& description) {
  std::lock_guard lock(descriptions().mutex);
  descriptions().byTexture[texture] = description;
}
template <class Part, class Out> CUresult describedBy(CUtexObject texture, Part part, Out* out) {
  std::lock_guard lock(descriptions().mutex);
  const auto found = descriptions().byTexture.find(texture);
  if (!out || found == descriptions().byTexture.end())
    return CUDA_ERROR_INVALID_VALUE;
  *out = found->second.*part;
  return CUDA_SUCCESS;
}

} // namespace

extern "C" CUresult cuArray3DCreate(CUarray* pHandle, const CUDA_ARRAY3D_DESCRIPTOR* d) {
  return contextCall([=]() -> CUresult {
    cudaChannelFormatDesc format{};
    if (!pHandle || !d || (d->Flags & ~knownFlags) ||
        !channelFormat(d->Format, d->NumChannels, format))
      return CUDA_ERROR_INVALID_VALUE;
    return resultOf(
        ::cudaMalloc3DArray(pHandle, &format, {d->Width, d->Height, d->Depth}, d->Flags));
  });
}
extern "C" CUresult cuArrayCreate(CUarray* pHandle, const CUDA_ARRAY_DESCRIPTOR* d) {
  if (!d)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_ARRAY3D_DESCRIPTOR same{d->Width, d->Height, 0, d->Format, d->NumChannels, 0};
  return cuArray3DCreate(pHandle, &same);
}
extern "C" CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* out, CUarray hArray) {
  return contextCall([=] {
    if (!out)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isArray(hArray))
      return CUDA_ERROR_INVALID_HANDLE;
    describe(*hArray, *out);
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* out, CUarray hArray) {
  CUDA_ARRAY3D_DESCRIPTOR all{};
  if (!out)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = cuArray3DGetDescriptor(&all, hArray);
  if (result == CUDA_SUCCESS)
    *out = {all.Width, all.Height, all.Format, all.NumChannels};
  return result;
}
extern "C" CUresult cuArrayDestroy(CUarray hArray) {
  return contextCall([=]() -> CUresult {
    if (!hArray)
      return CUDA_ERROR_INVALID_HANDLE;
    // A level of a mipmapped array goes with that array.
    return isArray(hArray) && !hArray->owned ? CUDA_SUCCESS : resultOf(cudaFreeArray(hArray));
  });
}
extern "C" CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* out, CUarray array,
                                                 CUdevice device) {
  return contextCall([=] { return cudaArrayGetMemoryRequirements(out, array, device); });
}
extern "C" CUresult cuMipmappedArrayCreate(CUmipmappedArray* pHandle,
                                           const CUDA_ARRAY3D_DESCRIPTOR* d,
                                           unsigned int numMipmapLevels) {
  return contextCall([=]() -> CUresult {
    cudaChannelFormatDesc format{};
    if (!pHandle || !d || (d->Flags & ~knownFlags) ||
        !channelFormat(d->Format, d->NumChannels, format))
      return CUDA_ERROR_INVALID_VALUE;
    return resultOf(::cudaMallocMipmappedArray(pHandle, &format, {d->Width, d->Height, d->Depth},
                                               numMipmapLevels, d->Flags));
  });
}
extern "C" CUresult cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray) {
  return contextCall([=] { return cudaFreeMipmappedArray(hMipmappedArray); });
}
extern "C" CUresult cuMipmappedArrayGetLevel(CUarray* pLevelArray, CUmipmappedArray hMipmappedArray,
                                             unsigned int level) {
  return contextCall(
      [=] { return cudaGetMipmappedArrayLevel(pLevelArray, hMipmappedArray, level); });
}
extern "C" CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* out,
                                                          CUmipmappedArray mipmap,
                                                          CUdevice device) {
  return contextCall([=] { return cudaMipmappedArrayGetMemoryRequirements(out, mipmap, device); });
}

extern "C" CUresult cuTexObjectCreate(CUtexObject* pTexObject, const CUDA_RESOURCE_DESC* pResDesc,
                                      const CUDA_TEXTURE_DESC* pTexDesc,
                                      const CUDA_RESOURCE_VIEW_DESC* pResViewDesc) {
  return contextCall([=]() -> CUresult {
    cudaResourceDesc from{};
    if (!pTexObject || !pResDesc || !pTexDesc || !resource(*pResDesc, from))
      return CUDA_ERROR_INVALID_VALUE;
    cudaTextureDesc how{};
    for (int i = 0; i < 3; ++i)
      how.addressMode[i] = static_cast<cudaTextureAddressMode>(pTexDesc->addressMode[i]);
    how.filterMode = static_cast<cudaTextureFilterMode>(pTexDesc->filterMode);
    how.readMode = readsAsFractions(from, pTexDesc->flags) ? cudaReadModeNormalizedFloat
                                                           : cudaReadModeElementType;
    how.sRGB = (pTexDesc->flags & CU_TRSF_SRGB) != 0;
    how.normalizedCoords = (pTexDesc->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    how.maxAnisotropy = pTexDesc->maxAnisotropy;
    how.mipmapFilterMode = static_cast<cudaTextureFilterMode>(pTexDesc->mipmapFilterMode);
    how.mipmapLevelBias = pTexDesc->mipmapLevelBias;
    how.minMipmapLevelClamp = pTexDesc->minMipmapLevelClamp;
    how.maxMipmapLevelClamp = pTexDesc->maxMipmapLevelClamp;
    std::copy_n(pTexDesc->borderColor, 4, how.borderColor);
    const auto keep = [=](cudaError_t error) {
      if (error == cudaSuccess)
        described(*pTexObject, {*pResDesc, *pTexDesc});
      return resultOf(error);
    };
    if (!pResViewDesc)
      return keep(cudaCreateTextureObject(pTexObject, &from, &how, nullptr));
    const cudaResourceViewDesc view{static_cast<cudaResourceViewFormat>(pResViewDesc->format),
                                    pResViewDesc->width,
                                    pResViewDesc->height,
                                    pResViewDesc->depth,
                                    pResViewDesc->firstMipmapLevel,
                                    pResViewDesc->lastMipmapLevel,
                                    pResViewDesc->firstLayer,
                                    pResViewDesc->lastLayer};
    return keep(cudaCreateTextureObject(pTexObject, &from, &how, &view));
  });
}
extern "C" CUresult cuTexObjectDestroy(CUtexObject texObject) {
  return contextCall([=] {
    std::lock_guard lock(descriptions().mutex);
    descriptions().byTexture.erase(texObject);
    return cudaDestroyTextureObject(texObject);
  });
}
extern "C" CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* out, CUtexObject texObject) {
  return contextCall([=] { return describedBy(texObject, &Description::resource, out); });
}
extern "C" CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* out, CUtexObject texObject) {
  return contextCall([=] { return describedBy(texObject, &Description::texture, out); });
}
extern "C" CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* out,
                                                   CUtexObject texObject) {
  return contextCall([=]() -> CUresult {
    cudaResourceViewDesc view{};
    if (!out)
      return CUDA_ERROR_INVALID_VALUE;
    if (const cudaError_t error = cudaGetTextureObjectResourceViewDesc(&view, texObject))
      return resultOf(error);
    *out = {};
    out->format = static_cast<CUresourceViewFormat>(view.format);
    out->width = view.width;
    out->height = view.height;
    out->depth = view.depth;
    out->firstMipmapLevel = view.firstMipmapLevel;
    out->lastMipmapLevel = view.lastMipmapLevel;
    out->firstLayer = view.firstLayer;
    out->lastLayer = view.lastLayer;
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuSurfObjectCreate(CUsurfObject* pSurfObject,
                                       const CUDA_RESOURCE_DESC* pResDesc) {
  return contextCall([=]() -> CUresult {
    cudaResourceDesc from{};
    if (!pSurfObject || !pResDesc || !resource(*pResDesc, from))
      return CUDA_ERROR_INVALID_VALUE;
    return resultOf(cudaCreateSurfaceObject(pSurfObject, &from));
  });
}
extern "C" CUresult cuSurfObjectDestroy(CUsurfObject surfObject) {
  return contextCall([=] { return cudaDestroySurfaceObject(surfObject); });
}
