// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binding memory to texture and surface references: what CUDA had before texture objects. Each
// binding makes a texture object from the reference's settings.
//
// CUDA Runtime API, 'Texture Reference Management' (until CUDA 11).
#ifndef CU2CPP_API_TEXTURES_H
#define CU2CPP_API_TEXTURES_H

#include <climits>

#include <cuda_runtime_api.h>

#include <cu2cpp/device/surface_access.h>
#include <cu2cpp/device/texture_fetch.h>

namespace cu2cpp {
namespace detail {

/// bindReference() makes the texture object that a reference stands for from now on. Kernels that
/// were launched before keep what they were launched with: it waits for them.
cudaError_t bindReference(const textureReference& reference, cudaTextureReadMode mode,
                          const cudaResourceDesc& resource, cudaTextureObject_t& object) noexcept;
/// unbindReference() takes a reference's texture object away.
cudaError_t unbindReference(cudaTextureObject_t& object) noexcept;
cudaError_t bindReference(const cudaResourceDesc& resource, cudaSurfaceObject_t& object,
                          cudaSurfaceObject_t) noexcept;

} // namespace detail
} // namespace cu2cpp

template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(std::size_t* offset,
                                   const cu2cpp::TextureReference<Type, type, mode>& tex,
                                   const void* devPtr, const cudaChannelFormatDesc& desc,
                                   std::size_t size = UINT_MAX) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void*>(devPtr);
  resource.res.linear.desc = desc;
  resource.res.linear.sizeInBytes = size;
  if (offset)
    *offset = 0;
  return cu2cpp::detail::bindReference(tex, mode, resource, tex.cu2cppObject);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(std::size_t* offset,
                                   const cu2cpp::TextureReference<Type, type, mode>& tex,
                                   const void* devPtr, std::size_t size = UINT_MAX) {
  return cudaBindTexture(offset, tex, devPtr, tex.channelDesc, size);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(std::size_t* offset,
                                     const cu2cpp::TextureReference<Type, type, mode>& tex,
                                     const void* devPtr, const cudaChannelFormatDesc& desc,
                                     std::size_t width, std::size_t height, std::size_t pitch) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<void*>(devPtr);
  resource.res.pitch2D.desc = desc;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  if (offset)
    *offset = 0;
  return cu2cpp::detail::bindReference(tex, mode, resource, tex.cu2cppObject);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t
cudaBindTexture2D(std::size_t* offset, const cu2cpp::TextureReference<Type, type, mode>& tex,
                  const void* devPtr, std::size_t width, std::size_t height, std::size_t pitch) {
  return cudaBindTexture2D(offset, tex, devPtr, tex.channelDesc, width, height, pitch);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const cu2cpp::TextureReference<Type, type, mode>& tex,
                                          cudaArray_const_t array,
                                          const cudaChannelFormatDesc& desc) {
  (void)desc; // the array knows its own
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return cu2cpp::detail::bindReference(tex, mode, resource, tex.cu2cppObject);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const cu2cpp::TextureReference<Type, type, mode>& tex,
                                          cudaArray_const_t array) {
  return cudaBindTextureToArray(tex, array, tex.channelDesc);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t
cudaBindTextureToMipmappedArray(const cu2cpp::TextureReference<Type, type, mode>& tex,
                                cudaMipmappedArray_const_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
  return cu2cpp::detail::bindReference(tex, mode, resource, tex.cu2cppObject);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const cu2cpp::TextureReference<Type, type, mode>& tex) {
  return cu2cpp::detail::unbindReference(tex.cu2cppObject);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t
cudaGetTextureAlignmentOffset(std::size_t* offset,
                              const cu2cpp::TextureReference<Type, type, mode>&) {
  *offset = 0; // memory of any alignment can be bound
  return cudaSuccess;
}

// The C API's forms, which take the addresses of reference and descriptor.
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(std::size_t* offset,
                                   const cu2cpp::TextureReference<Type, type, mode>* tex,
                                   const void* devPtr, const cudaChannelFormatDesc* desc,
                                   std::size_t size = UINT_MAX) {
  return cudaBindTexture(offset, *tex, devPtr, *desc, size);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(std::size_t* offset,
                                     const cu2cpp::TextureReference<Type, type, mode>* tex,
                                     const void* devPtr, const cudaChannelFormatDesc* desc,
                                     std::size_t width, std::size_t height, std::size_t pitch) {
  return cudaBindTexture2D(offset, *tex, devPtr, *desc, width, height, pitch);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const cu2cpp::TextureReference<Type, type, mode>* tex,
                                          cudaArray_const_t array,
                                          const cudaChannelFormatDesc* desc) {
  return cudaBindTextureToArray(*tex, array, *desc);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const cu2cpp::TextureReference<Type, type, mode>* tex) {
  return cudaUnbindTexture(*tex);
}
template <class Type, int type, cudaTextureReadMode mode>
inline cudaError_t
cudaGetTextureAlignmentOffset(std::size_t* offset,
                              const cu2cpp::TextureReference<Type, type, mode>* tex) {
  return cudaGetTextureAlignmentOffset(offset, *tex);
}

template <class Type, int type>
inline cudaError_t cudaBindSurfaceToArray(const cu2cpp::SurfaceReference<Type, type>& surf,
                                          cudaArray_const_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return cu2cpp::detail::bindReference(resource, surf.cu2cppObject, 0);
}
template <class Type, int type>
inline cudaError_t cudaBindSurfaceToArray(const cu2cpp::SurfaceReference<Type, type>& surf,
                                          cudaArray_const_t array, const cudaChannelFormatDesc&) {
  return cudaBindSurfaceToArray(surf, array);
}

#endif
