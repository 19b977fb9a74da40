// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading textures as the hardware does: address modes, point and linear filters with weights of
// 8 fractional bits, conversion to floating point, mipmaps, cube maps; addresses in surfaces.
//
// CUDA C++ Programming Guide, 'Texture Fetching'.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <cu2cpp/device/narrow_format.h>
#include <cu2cpp/device/texture_view.h>

#include "exec/fibers.h"

namespace cu2cpp::detail {
namespace {

/// Axis is a coordinate turned into two neighbouring texels and the weight of the second.
struct Axis {
  int first, second; // -1: outside, the border's colour
  int weight;        // in 1/256
};

/// floorOf() is std::floor(), which is a call into the library where the processor's own
/// instruction can't be taken for granted. A fetch asks for four.
inline float floorOf(float x) {
  if (!(std::fabs(x) < 8388608.0f)) // 2^23: no fraction beyond
    return x;
  const float whole = float(int(x));
  return whole > x ? whole - 1 : whole;
}

int beyond(int i, int size, cudaTextureAddressMode mode) {
  switch (mode) {
  case cudaAddressModeBorder:
    return -1;
  case cudaAddressModeWrap: {
    const int r = i % size;
    return r < 0 ? r + size : r;
  }
  case cudaAddressModeMirror: { // every other copy of the image is turned round
    int r = i % (2 * size);
    r = r < 0 ? r + 2 * size : r;
    return r < size ? r : 2 * size - 1 - r;
  }
  default:
    return i < 0 ? 0 : size - 1;
  }
}

inline int inRange(int i, int size, cudaTextureAddressMode mode) {
  return unsigned(i) < unsigned(size) ? i : beyond(i, size, mode);
}

/// position() is a coordinate in texels, far ones brought near by whole periods.
inline float position(float x, unsigned size, bool normalized, cudaTextureAddressMode mode) {
  if (!(x == x))
    x = 0;
  if (normalized) {
    if (mode == cudaAddressModeWrap)
      x -= floorOf(x);
    else if (mode == cudaAddressModeMirror)
      x -= 2 * floorOf(x / 2);
    x *= float(size);
  }
  return std::min(std::max(x, -2.0f), 2 * float(size) + 2);
}

// Wrapping and mirroring need normalised coordinates; without them they are clamping.
inline cudaTextureAddressMode modeOf(const TextureView& texture, unsigned axis) {
  const cudaTextureAddressMode mode = texture.settings.addressMode[axis];
  return !texture.settings.normalizedCoords &&
                 (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)
             ? cudaAddressModeClamp
             : mode;
}

inline Axis axisOf(const TextureView& texture, unsigned axis, float x, unsigned size, bool linear) {
  const cudaTextureAddressMode mode = modeOf(texture, axis);
  const float p = position(x, size, texture.settings.normalizedCoords != 0, mode);
  if (!linear) {
    const int i = inRange(int(floorOf(p)), int(size), mode);
    return {i, i, 0};
  }
  const int fixed = int(floorOf((p - 0.5f) * 256 + 0.5f)); // 8 bits behind the point
  const int i = fixed >> 8;
  return {inRange(i, int(size), mode), inRange(i + 1, int(size), mode), fixed & 255};
}

inline unsigned channelCount(const cudaChannelFormatDesc& f) {
  return 1u + (f.y != 0) + (f.z != 0) + (f.w != 0);
}

float fromSrgb(float c) {
  return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

/// readTexel() reads one texel, converted as the read mode says.
inline Texel readTexel(const TextureView& texture, const unsigned char* p) {
  Texel texel{};
  const cudaChannelFormatDesc& f = texture.format;
  if (f.x == 32 && f.y == 0) { // the commonest format, without the loop over channels
    std::memcpy(texel.bits, p, 4);
    return texel;
  }
  const unsigned count = channelCount(f);
  const bool toFloat = texture.settings.readMode == cudaReadModeNormalizedFloat && f.x < 32;
  for (unsigned c = 0; c < count; ++c) {
    if (f.x == 32) {
      std::memcpy(&texel.bits[c], p + 4 * c, 4);
    } else if (f.f == cudaChannelFormatKindFloat) {
      unsigned short half;
      std::memcpy(&half, p + 2 * c, 2);
      texel.bits[c] = sameBitsAs<unsigned>(NarrowCode<HalfFormat>::toFloat(half));
    } else if (f.f == cudaChannelFormatKindUnsigned) {
      unsigned value = p[c];
      if (f.x == 16) {
        unsigned short wide;
        std::memcpy(&wide, p + 2 * c, 2);
        value = wide;
      }
      float number = float(value) / (f.x == 16 ? 65535.0f : 255.0f);
      if (toFloat && texture.settings.sRGB && f.x == 8 && c < 3)
        number = fromSrgb(number);
      texel.bits[c] = toFloat ? sameBitsAs<unsigned>(number) : value;
    } else {
      int value = static_cast<signed char>(p[c]);
      if (f.x == 16) {
        short wide;
        std::memcpy(&wide, p + 2 * c, 2);
        value = wide;
      }
      const float number = std::max(float(value) / (f.x == 16 ? 32767.0f : 127.0f), -1.0f);
      texel.bits[c] = toFloat ? sameBitsAs<unsigned>(number) : unsigned(value);
    }
  }
  return texel;
}

Texel borderOf(const TextureView& texture) {
  Texel texel{};
  const bool asFloat = texture.format.f == cudaChannelFormatKindFloat ||
                       texture.settings.readMode == cudaReadModeNormalizedFloat;
  for (unsigned c = 0; c < channelCount(texture.format); ++c) {
    const float colour = texture.settings.borderColor[c];
    texel.bits[c] = asFloat ? sameBitsAs<unsigned>(colour) : unsigned(int(colour));
  }
  return texel;
}

inline Texel texelAt(const TextureView& texture, const Image& image, int x, int y, int z) {
  if (x < 0 || y < 0 || z < 0)
    return borderOf(texture);
  return readTexel(texture, image.data + std::size_t(z) * image.slice +
                                std::size_t(y) * image.pitch + std::size_t(x) * texture.texelBytes);
}

int layerOf(const Image& image, unsigned layer) { return int(std::min(layer, image.depth - 1)); }

/// sampleLevel() filters within one level.
Texel sampleLevel(const TextureView& texture, const Image& image, const Place& place) {
  const bool linear = texture.settings.filterMode == cudaFilterModeLinear;
  const unsigned n = texture.dimensions;
  const Axis x = axisOf(texture, 0, place.x, image.width, linear);
  const Axis y = n > 1 ? axisOf(texture, 1, place.y, image.height, linear) : Axis{0, 0, 0};
  const int layer = texture.layered ? layerOf(image, place.layer) : 0;
  const Axis z = n > 2 ? axisOf(texture, 2, place.z, image.depth, linear) : Axis{layer, layer, 0};
  if (!linear)
    return texelAt(texture, image, x.first, y.first, z.first);
  // The hardware's weights are multiples of 1/256 that add up to 1 (measured): in a volume the
  // whole is split along z, then x, then y; in an image both columns together get y's weight
  // exactly.
  const int both = (x.weight * y.weight + 128) >> 8;
  const int plane[4] = {256 - x.weight - y.weight + both, x.weight - both, y.weight - both, both};
  const auto part = [](int whole, const Axis& axis, bool second) {
    const int far = (whole * axis.weight + 128) >> 8;
    return second ? far : whole - far;
  };
  float sum[4] = {0, 0, 0, 0};
  for (unsigned corner = 0; corner < 1u << n; ++corner) {
    const bool right = corner & 1, lower = corner & 2, behind = corner & 4;
    const int weight =
        n < 3 ? plane[corner & 3] : part(part(part(256, z, behind), x, right), y, lower);
    if (weight == 0)
      continue;
    const Texel texel = texelAt(texture, image, right ? x.second : x.first,
                                lower ? y.second : y.first, behind ? z.second : z.first);
    for (unsigned c = 0; c < 4; ++c)
      sum[c] += float(weight) / 256 * sameBitsAs<float>(texel.bits[c]);
  }
  Texel result;
  for (unsigned c = 0; c < 4; ++c)
    result.bits[c] = sameBitsAs<unsigned>(sum[c]);
  return result;
}

} // namespace

Texel sampleTexture(const TextureView& texture, const Place& place) noexcept {
  if (texture.levels == 1)
    return sampleLevel(texture, texture.level[0], place);
  const cudaTextureDesc& s = texture.settings;
  const float last = float(texture.levels - 1);
  float lod = std::min(std::max(place.level + s.mipmapLevelBias, s.minMipmapLevelClamp),
                       s.maxMipmapLevelClamp);
  lod = std::min(std::max(lod, 0.0f), last);
  if (s.mipmapFilterMode == cudaFilterModePoint)
    return sampleLevel(texture, texture.level[int(lod + 0.5f)], place);
  const int fixed = int(floorOf(lod * 256 + 0.5f));
  const unsigned below = unsigned(fixed >> 8);
  const float weight = float(fixed & 255) / 256;
  Texel a = sampleLevel(texture, texture.level[below], place);
  if (weight == 0)
    return a;
  const Texel b = sampleLevel(texture, texture.level[below + 1], place);
  for (unsigned c = 0; c < 4; ++c)
    a.bits[c] = sameBitsAs<unsigned>((1 - weight) * sameBitsAs<float>(a.bits[c]) +
                                     weight * sameBitsAs<float>(b.bits[c]));
  return a;
}

Texel fetchTexel(const TextureView& texture, int i) noexcept {
  const Image& image = texture.level[0];
  if (i < 0 || unsigned(i) >= image.width)
    return Texel{};
  return readTexel(texture, image.data + std::size_t(i) * texture.texelBytes);
}

Texel gatherTexels(const TextureView& texture, float px, float py, int channel) noexcept {
  const Image& image = texture.level[0];
  const Axis x = axisOf(texture, 0, px, image.width, true);
  const Axis y = axisOf(texture, 1, py, image.height, true);
  const unsigned c = unsigned(channel) & 3;
  return {{texelAt(texture, image, x.first, y.second, 0).bits[c],
           texelAt(texture, image, x.second, y.second, 0).bits[c],
           texelAt(texture, image, x.second, y.first, 0).bits[c],
           texelAt(texture, image, x.first, y.first, 0).bits[c]}};
}

// Programming Guide, 'Cubemap Textures': the table of faces.
Place cubePlace(float x, float y, float z) noexcept {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  unsigned face;
  float m, s, t;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1;
    m = ax;
    s = x >= 0 ? -z : z;
    t = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3;
    m = ay;
    s = x;
    t = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5;
    m = az;
    s = z >= 0 ? x : -x;
    t = -y;
  }
  return {(s / m + 1) / 2, (t / m + 1) / 2, 0, face, 0};
}

float levelOf(const TextureView& texture, const float* stepX, const float* stepY) noexcept {
  const Image& image = texture.level[0];
  const float size[3] = {float(image.width), float(image.height), float(image.depth)};
  float longest = 0;
  for (const float* step : {stepX, stepY}) {
    float square = 0;
    for (unsigned i = 0; i < texture.dimensions; ++i) {
      const float d = texture.settings.normalizedCoords ? step[i] * size[i] : step[i];
      square += d * d;
    }
    longest = std::max(longest, square);
  }
  return longest > 0 ? 0.5f * std::log2(longest) : 0.0f;
}

unsigned char* surfaceTexel(const SurfaceView& surface, std::size_t bytes, int x, int y, int z,
                            cudaSurfaceBoundaryMode mode) {
  const Image& image = surface.image;
  const int rowBytes = int(image.width * surface.texelBytes);
  const bool inside = x >= 0 && x + int(bytes) <= rowBytes && y >= 0 && y < int(image.height) &&
                      z >= 0 && z < int(image.depth);
  if (!inside) {
    if (mode == cudaBoundaryModeZero)
      return nullptr;
    if (mode == cudaBoundaryModeTrap)
      rt::endKernel(cudaErrorLaunchFailure);
    x = std::min(std::max(x, 0), rowBytes - int(bytes));
    y = std::min(std::max(y, 0), int(image.height) - 1);
    z = std::min(std::max(z, 0), int(image.depth) - 1);
  }
  return image.data + std::size_t(z) * image.slice + std::size_t(y) * image.pitch + std::size_t(x);
}

} // namespace cu2cpp::detail
