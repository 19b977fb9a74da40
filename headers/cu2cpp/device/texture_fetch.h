// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture functions for texture objects (tex2D<Value>(object, x, y) and tex2D(&result, object, x,
// y)) and for texture references (tex2D(reference, x, y)).
//
// CUDA C++ Programming Guide, 'Texture Functions'.
#ifndef CU2CPP_DEVICE_TEXTURE_FETCH_H
#define CU2CPP_DEVICE_TEXTURE_FETCH_H

#include <channel_descriptor.h>
#include <cu2cpp/device/conversions.h>
#include <cu2cpp/device/texture_view.h>
#include <vector_types.h>

namespace cu2cpp {

/// TextureReference is what programs call texture<Value, type, readMode>
/// (cu2cpp/reference_names.h): settings that cudaBindTexture() and its kin read when they bind
/// memory to it.
template <class Value, int type = cudaTextureType1D,
          cudaTextureReadMode readMode = cudaReadModeElementType>
struct TextureReference : textureReference {
  TextureReference(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                   cudaTextureAddressMode address = cudaAddressModeClamp)
      : TextureReference(norm, filter, address, cudaCreateChannelDesc<Value>()) {}
  TextureReference(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                   cudaChannelFormatDesc desc)
      : textureReference{
            norm, filter, {address, address, address}, desc, 0, 0, cudaFilterModePoint, 0, 0,
            0,    0} {}
  mutable cudaTextureObject_t cu2cppObject = 0; // what is bound
};

namespace detail {

template <class Value> struct TexelAs;
#define CU2CPP_TEXEL(T, vector)                                                                    \
  template <> struct TexelAs<T> {                                                                  \
    using Float = float;                                                                           \
    static T from(const Texel& t) { return one<T>(t.bits[0]); }                                    \
  };                                                                                               \
  template <> struct TexelAs<vector##1> {                                                          \
    using Float = float1;                                                                          \
    static vector##1 from(const Texel& t) { return {one<T>(t.bits[0])}; }                          \
  };                                                                                               \
  template <> struct TexelAs<vector##2> {                                                          \
    using Float = float2;                                                                          \
    static vector##2 from(const Texel& t) { return {one<T>(t.bits[0]), one<T>(t.bits[1])}; }       \
  };                                                                                               \
  template <> struct TexelAs<vector##4> {                                                          \
    using Float = float4;                                                                          \
    static vector##4 from(const Texel& t) {                                                        \
      return {one<T>(t.bits[0]), one<T>(t.bits[1]), one<T>(t.bits[2]), one<T>(t.bits[3])};         \
    }                                                                                              \
  };
template <class Value> inline Value one(unsigned bits) { return Value(bits); }
template <> inline float one<float>(unsigned bits) { return sameBitsAs<float>(bits); }
CU2CPP_TEXEL(signed char, char)
CU2CPP_TEXEL(unsigned char, uchar)
CU2CPP_TEXEL(short, short)
CU2CPP_TEXEL(unsigned short, ushort)
CU2CPP_TEXEL(int, int)
CU2CPP_TEXEL(unsigned, uint)
CU2CPP_TEXEL(float, float)
#undef CU2CPP_TEXEL
template <> struct TexelAs<char> {
  using Float = float;
  static char from(const Texel& t) { return char(t.bits[0]); }
};

/// FetchResult is what reading a texture reference gives.
template <class Value, cudaTextureReadMode mode> struct FetchResult {
  using Type = Value;
};
template <class Value> struct FetchResult<Value, cudaReadModeNormalizedFloat> {
  using Type = typename TexelAs<Value>::Float;
};

inline const TextureView& viewOf(cudaTextureObject_t object) {
  return *reinterpret_cast<const TextureView*>(object);
}
/// A layer that is not there is the last one, also below 0 (measured).
inline unsigned layerNumber(int layer) { return layer < 0 ? 0xffffu : unsigned(layer); }
/// The faces of a layered cube map are layers 6 * layer to 6 * layer + 5.
inline Place cubePlaceAt(float x, float y, float z, int layer, float level) {
  Place place = cubePlace(x, y, z);
  place.layer += 6 * layerNumber(layer);
  place.level = level;
  return place;
}

template <class Value> inline Value sampleAt(cudaTextureObject_t object, const Place& place) {
  return TexelAs<Value>::from(sampleTexture(viewOf(object), place));
}
template <class Value> inline Value sampleAt2D(cudaTextureObject_t object, float x, float y) {
  const TextureView& view = viewOf(object);
  const Image& image = view.level[0];
  // Inside, in texel coordinates, without filter: one load.
  if (view.plain && view.texelBytes == sizeof(Value) && x >= 0 && y >= 0 &&
      x < float(image.width) && y < float(image.height)) {
    Value value;
    __builtin_memcpy(&value,
                     image.data + std::size_t(y) * image.pitch + std::size_t(x) * sizeof(Value),
                     sizeof(Value));
    return value;
  }
  return TexelAs<Value>::from(sampleTexture(view, Place{x, y, 0, 0, 0}));
}
template <class Value> inline Value fetchAt(cudaTextureObject_t object, int i) {
  const TextureView& view = viewOf(object);
  if (view.plain && view.texelBytes == sizeof(Value) && unsigned(i) < view.level[0].width) {
    Value value;
    __builtin_memcpy(&value, view.level[0].data + std::size_t(i) * sizeof(Value), sizeof(Value));
    return value;
  }
  return TexelAs<Value>::from(fetchTexel(view, i));
}

} // namespace detail
} // namespace cu2cpp

#define CU2CPP_LIST(...) __VA_ARGS__
// name(texture, parameters) for objects, in both forms, and for references.
#define CU2CPP_FETCH(name, dims, parameters, arguments, function)                                  \
  template <class Value> inline Value name(cudaTextureObject_t object, CU2CPP_LIST parameters) {   \
    return function;                                                                               \
  }                                                                                                \
  template <class Value>                                                                           \
  inline void name(Value* result, cudaTextureObject_t object, CU2CPP_LIST parameters) {            \
    *result = name<Value>(object, CU2CPP_LIST arguments);                                          \
  }                                                                                                \
  template <class Value, cudaTextureReadMode mode>                                                 \
  inline typename cu2cpp::detail::FetchResult<Value, mode>::Type name(                             \
      const cu2cpp::TextureReference<Value, cudaTextureType##dims, mode>& reference,               \
      CU2CPP_LIST parameters) {                                                                    \
    return name<typename cu2cpp::detail::FetchResult<Value, mode>::Type>(reference.cu2cppObject,   \
                                                                         CU2CPP_LIST arguments);   \
  }
#define CU2CPP_TEXTURE(name, dims, parameters, arguments, place)                                   \
  CU2CPP_FETCH(name, dims, parameters, arguments,                                                  \
               (cu2cpp::detail::sampleAt<Value>(object, CU2CPP_LIST place)))

CU2CPP_FETCH(tex1Dfetch, 1D, (int x), (x), (cu2cpp::detail::fetchAt<Value>(object, x)))
CU2CPP_FETCH(tex2D, 2D, (float x, float y), (x, y),
             (cu2cpp::detail::sampleAt2D<Value>(object, x, y)))
CU2CPP_TEXTURE(tex1D, 1D, (float x), (x), (cu2cpp::detail::Place{x, 0.0f, 0.0f, 0u, 0.0f}))
CU2CPP_TEXTURE(tex3D, 3D, (float x, float y, float z), (x, y, z),
               (cu2cpp::detail::Place{x, y, z, 0u, 0.0f}))
CU2CPP_TEXTURE(tex1DLayered, 1DLayered, (float x, int layer), (x, layer),
               (cu2cpp::detail::Place{x, 0.0f, 0.0f, cu2cpp::detail::layerNumber(layer), 0.0f}))
CU2CPP_TEXTURE(tex2DLayered, 2DLayered, (float x, float y, int layer), (x, y, layer),
               (cu2cpp::detail::Place{x, y, 0.0f, cu2cpp::detail::layerNumber(layer), 0.0f}))
CU2CPP_TEXTURE(tex1DLod, 1D, (float x, float level), (x, level),
               (cu2cpp::detail::Place{x, 0.0f, 0.0f, 0u, level}))
CU2CPP_TEXTURE(tex2DLod, 2D, (float x, float y, float level), (x, y, level),
               (cu2cpp::detail::Place{x, y, 0.0f, 0u, level}))
CU2CPP_TEXTURE(tex3DLod, 3D, (float x, float y, float z, float level), (x, y, z, level),
               (cu2cpp::detail::Place{x, y, z, 0u, level}))
CU2CPP_TEXTURE(tex1DLayeredLod, 1DLayered, (float x, int layer, float level), (x, layer, level),
               (cu2cpp::detail::Place{x, 0.0f, 0.0f, cu2cpp::detail::layerNumber(layer), level}))
CU2CPP_TEXTURE(tex2DLayeredLod, 2DLayered, (float x, float y, int layer, float level),
               (x, y, layer, level),
               (cu2cpp::detail::Place{x, y, 0.0f, cu2cpp::detail::layerNumber(layer), level}))
CU2CPP_TEXTURE(texCubemap, Cubemap, (float x, float y, float z), (x, y, z),
               (cu2cpp::detail::cubePlaceAt(x, y, z, 0, 0.0f)))
CU2CPP_TEXTURE(texCubemapLod, Cubemap, (float x, float y, float z, float level), (x, y, z, level),
               (cu2cpp::detail::cubePlaceAt(x, y, z, 0, level)))
CU2CPP_TEXTURE(texCubemapLayered, CubemapLayered, (float x, float y, float z, int layer),
               (x, y, z, layer), (cu2cpp::detail::cubePlaceAt(x, y, z, layer, 0.0f)))
CU2CPP_TEXTURE(texCubemapLayeredLod, CubemapLayered,
               (float x, float y, float z, int layer, float level), (x, y, z, layer, level),
               (cu2cpp::detail::cubePlaceAt(x, y, z, layer, level)))
#undef CU2CPP_TEXTURE
#undef CU2CPP_FETCH

/// tex2Dgather() is channel `comp` of the four texels around (x, y), counter-clockwise from the
/// lower left.
template <class Value>
inline Value tex2Dgather(cudaTextureObject_t object, float x, float y, int comp = 0) {
  using namespace cu2cpp::detail;
  return TexelAs<Value>::from(gatherTexels(viewOf(object), x, y, comp));
}
template <class Value>
inline void tex2Dgather(Value* result, cudaTextureObject_t object, float x, float y, int comp = 0) {
  *result = tex2Dgather<Value>(object, x, y, comp);
}

// The _Grad forms take the steps of the coordinates from one pixel to the next.
template <class Value>
inline Value tex1DGrad(cudaTextureObject_t object, float x, float dPdx, float dPdy) {
  const float a[] = {dPdx, 0, 0}, b[] = {dPdy, 0, 0};
  return tex1DLod<Value>(object, x, cu2cpp::detail::levelOf(cu2cpp::detail::viewOf(object), a, b));
}
template <class Value>
inline Value tex2DGrad(cudaTextureObject_t object, float x, float y, float2 dPdx, float2 dPdy) {
  const float a[] = {dPdx.x, dPdx.y, 0}, b[] = {dPdy.x, dPdy.y, 0};
  return tex2DLod<Value>(object, x, y,
                         cu2cpp::detail::levelOf(cu2cpp::detail::viewOf(object), a, b));
}
template <class Value>
inline Value tex3DGrad(cudaTextureObject_t object, float x, float y, float z, float4 dPdx,
                       float4 dPdy) {
  const float a[] = {dPdx.x, dPdx.y, dPdx.z}, b[] = {dPdy.x, dPdy.y, dPdy.z};
  return tex3DLod<Value>(object, x, y, z,
                         cu2cpp::detail::levelOf(cu2cpp::detail::viewOf(object), a, b));
}
template <class Value>
inline Value tex2DLayeredGrad(cudaTextureObject_t object, float x, float y, int layer, float2 dPdx,
                              float2 dPdy) {
  const float a[] = {dPdx.x, dPdx.y, 0}, b[] = {dPdy.x, dPdy.y, 0};
  return tex2DLayeredLod<Value>(object, x, y, layer,
                                cu2cpp::detail::levelOf(cu2cpp::detail::viewOf(object), a, b));
}

#endif
