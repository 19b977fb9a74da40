// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading textures as the hardware does: address modes, point and linear filters with weights of
// 8 fractional bits, conversion to floating point, mipmaps, cube maps; addresses in surfaces.
//
// CUDA C++ Programming Guide, 'Texture Fetching'.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

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
inline double floorOf(double x) {
  if (!(std::fabs(x) < 4503599627370496.0)) // 2^52: no fraction beyond
    return x;
  const double whole = double(static_cast<long long>(x));
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

/// position() is a coordinate in texels, far ones brought near by whole periods. Normalised
/// coordinates have 21 bits behind the point, what is left is cut off; denormal numbers are 0
/// (measured).
inline double position(float x, unsigned size, bool normalized, cudaTextureAddressMode mode) {
  double p = std::fabs(x) >= std::numeric_limits<float>::min() ? double(x) : 0;
  if (normalized) {
    p = floorOf(p * (1 << 21)) / (1 << 21) * size;
    const double period = mode == cudaAddressModeMirror ? 2.0 * size : size;
    if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)
      p -= period * floorOf(p / period);
  }
  return std::min(std::max(p, -2.0), 2 * double(size) + 2);
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
  const double p = position(x, size, texture.settings.normalizedCoords != 0, mode);
  if (!linear) {
    const int i = inRange(int(floorOf(p)), int(size), mode);
    return {i, i, 0};
  }
  const int fixed = int(floorOf((p - 0.5) * 256 + 0.5)); // 8 bits behind the point
  const int i = fixed >> 8;
  const int first = inRange(i, int(size), mode), second = inRange(i + 1, int(size), mode);
  const bool clamped = mode == cudaAddressModeClamp && first == second;
  return {first, second, clamped ? 0 : fixed & 255};
}

inline unsigned channelCount(const cudaChannelFormatDesc& f) {
  return 1u + (f.y != 0) + (f.z != 0) + (f.w != 0);
}

// The hardware's own table of sRGB, in 1/16384 (measured): about 8 bits of each number.
constexpr unsigned short linearOfSrgb[256] = {
    0,     5,     10,    15,    20,    25,    30,    35,    40,    45,    50,    55,    60,
    66,    72,    78,    85,    92,    99,    107,   115,   123,   131,   140,   150,   159,
    169,   180,   190,   201,   213,   224,   236,   250,   262,   276,   290,   304,   318,
    332,   348,   364,   380,   396,   412,   430,   448,   466,   484,   504,   524,   544,
    564,   584,   604,   624,   648,   672,   692,   716,   740,   764,   788,   816,   840,
    864,   896,   920,   944,   976,   1000,  1032,  1064,  1088,  1120,  1152,  1184,  1216,
    1248,  1280,  1312,  1352,  1384,  1416,  1456,  1488,  1528,  1560,  1600,  1640,  1672,
    1712,  1752,  1792,  1832,  1872,  1920,  1952,  2000,  2048,  2080,  2128,  2176,  2224,
    2272,  2320,  2368,  2416,  2464,  2512,  2560,  2608,  2656,  2704,  2752,  2816,  2864,
    2912,  2976,  3024,  3072,  3136,  3184,  3248,  3296,  3360,  3424,  3472,  3536,  3600,
    3664,  3712,  3776,  3840,  3904,  3968,  4032,  4096,  4160,  4224,  4288,  4352,  4416,
    4512,  4576,  4640,  4704,  4768,  4864,  4928,  4992,  5056,  5152,  5216,  5280,  5376,
    5440,  5536,  5600,  5696,  5760,  5824,  5920,  6016,  6080,  6176,  6240,  6336,  6400,
    6496,  6592,  6688,  6752,  6848,  6944,  7008,  7104,  7200,  7296,  7392,  7488,  7584,
    7680,  7744,  7872,  7936,  8064,  8128,  8256,  8320,  8448,  8512,  8640,  8768,  8832,
    8960,  9024,  9152,  9280,  9344,  9472,  9600,  9664,  9792,  9920,  9984,  10112, 10240,
    10304, 10432, 10560, 10688, 10816, 10880, 11008, 11136, 11264, 11392, 11456, 11584, 11712,
    11840, 11968, 12096, 12224, 12352, 12480, 12608, 12736, 12864, 12992, 13120, 13248, 13376,
    13504, 13632, 13760, 13888, 14016, 14144, 14272, 14400, 14528, 14656, 14848, 14976, 15104,
    15232, 15360, 15488, 15616, 15744, 16000, 16128, 16256, 16384,
};

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
        number = float(linearOfSrgb[value]) / 16384;
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

/// The border's colour has the texels' precision; halves between two values go to zero.
float asTexel(float colour, const cudaChannelFormatDesc& f) {
  if (f.x == 32)
    return colour;
  if (f.f == cudaChannelFormatKindFloat) { // cut off
    const float near = NarrowCode<HalfFormat>::toFloat(NarrowCode<HalfFormat>::fromFloat(colour));
    if (std::fabs(near) <= std::fabs(colour))
      return near;
    return NarrowCode<HalfFormat>::toFloat(
        static_cast<unsigned short>(NarrowCode<HalfFormat>::fromFloat(colour) - 1));
  }
  const bool isSigned = f.f == cudaChannelFormatKindSigned;
  const float most = float((1 << (f.x - (isSigned ? 1 : 0))) - 1);
  const float whole = std::min(std::max(colour, isSigned ? -1.0f : 0.0f), 1.0f) * most;
  return std::copysign(std::ceil(std::fabs(whole) - 0.5f), whole) / most;
}

/// Integers of 32 bits take the colour's bits (measured), smaller ones its whole number.
Texel borderOf(const TextureView& texture) {
  Texel texel{};
  const bool asFloat = texture.format.f == cudaChannelFormatKindFloat || texture.format.x == 32 ||
                       texture.settings.readMode == cudaReadModeNormalizedFloat;
  for (unsigned c = 0; c < channelCount(texture.format); ++c) {
    const float colour = texture.settings.borderColor[c];
    texel.bits[c] =
        asFloat ? sameBitsAs<unsigned>(asTexel(colour, texture.format)) : unsigned(int(colour));
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

/// Values between two halves go to the one further from zero.
float nearestHalf(float x) {
  const float beyond = sameBitsAs<float>(sameBitsAs<unsigned>(x) + 1);
  return NarrowCode<HalfFormat>::toFloat(
      NarrowCode<HalfFormat>::fromFloat(std::isfinite(beyond) ? beyond : x));
}

/// Filtered adds up weighted texels. Of integers the sum is rounded to 16 bits, halves give halves
/// (measured).
class Filtered {
public:
  explicit Filtered(const TextureView& texture)
      : texture_(texture), channels_(channelCount(texture.format)),
        isFloat_(texture.format.f == cudaChannelFormatKindFloat || texture.format.x == 32 ||
                 texture.settings.sRGB),
        isSigned_(texture.format.f == cudaChannelFormatKindSigned),
        most_(texture.format.x == 8 ? (isSigned_ ? 127.0f : 255.0f) : most16()) {}
  void add(const Texel& texel, int weight) { // in 1/256
    if (isFloat_)
      for (unsigned c = 0; c < channels_; ++c)
        sum_[c] += double(weight) / 256 * double(sameBitsAs<float>(texel.bits[c]));
    else
      for (unsigned c = 0; c < channels_; ++c) {
        const float number = sameBitsAs<float>(texel.bits[c]) * most_; // nearly whole
        whole_[c] += weight * int(number + (number < 0 ? -0.5f : 0.5f));
      }
  }
  Texel result() const {
    Texel texel{};
    for (unsigned c = 0; c < channels_; ++c) {
      float value = float(sum_[c]);
      if (!isFloat_)
        value = float(floorOf(whole_[c] * double(most16()) / (256.0 * most_) + 0.5)) / most16();
      else if (texture_.format.x == 16)
        value = nearestHalf(value);
      texel.bits[c] = sameBitsAs<unsigned>(value);
    }
    return texel;
  }

private:
  float most16() const { return isSigned_ ? 32767.0f : 65535.0f; }

  const TextureView& texture_;
  const unsigned channels_;
  const bool isFloat_, isSigned_;
  const float most_;
  double sum_[4] = {0, 0, 0, 0};
  int whole_[4] = {0, 0, 0, 0};
};

bool linesHaveBorder(const TextureView& texture) {
  return texture.settings.addressMode[1] == cudaAddressModeBorder;
}

/// Corners are the texels around a place in one level.
struct Corners {
  Axis x, y, z;
  Corners(const TextureView& texture, const Image& image, const Place& place) {
    const bool linear = texture.settings.filterMode == cudaFilterModeLinear;
    const unsigned n = texture.dimensions;
    const int layer = texture.layered ? layerOf(image, place.layer) : 0;
    x = axisOf(texture, 0, place.x, image.width, linear);
    // A line is filtered as an image of one row at its edge: half of the border above (measured).
    y = n > 1                      ? axisOf(texture, 1, place.y, image.height, linear)
        : linesHaveBorder(texture) ? axisOf(texture, 1, 0.0f, 1, linear)
                                   : Axis{0, 0, 0};
    z = n > 2 ? axisOf(texture, 2, place.z, image.depth, linear) : Axis{layer, layer, 0};
  }
};

/// addLevel() filters within one level, which has a share of the result. The hardware's weights are
/// multiples of 1/256 that add up to 1 (measured): in a volume, and between levels, the whole is
/// split along z, then x, then y; in an image both columns together get y's weight exactly.
void addLevel(const TextureView& texture, const Image& image, const Place& place, int share,
              Filtered& filtered) {
  const Corners at(texture, image, place);
  const unsigned n = texture.dimensions == 1 && linesHaveBorder(texture) ? 2 : texture.dimensions;
  const int x = at.x.weight, y = at.y.weight, both = (x * y + 128) >> 8;
  const int plane[4] = {256 - x - y + both, x - both, y - both, both};
  // A half that the second part would get goes to the first in the left column of y.
  const auto part = [](int whole, const Axis& axis, bool second, int half = 128) {
    const int far = (whole * axis.weight + half) >> 8;
    return second ? far : whole - far;
  };
  for (unsigned corner = 0; corner < 1u << n; ++corner) {
    const bool right = corner & 1, lower = corner & 2, behind = corner & 4;
    const int weight = n < 3 && share == 256 ? plane[corner & 3]
                                             : part(part(part(share, at.z, behind), at.x, right),
                                                    at.y, lower, right ? 128 : 127);
    if (weight != 0)
      filtered.add(texelAt(texture, image, right ? at.x.second : at.x.first,
                           lower ? at.y.second : at.y.first, behind ? at.z.second : at.z.first),
                   weight);
  }
}

Texel sampleLevel(const TextureView& texture, const Image& image, const Place& place) {
  if (texture.settings.filterMode != cudaFilterModeLinear) {
    const Corners at(texture, image, place);
    return texelAt(texture, image, at.x.first, at.y.first, at.z.first);
  }
  Filtered filtered(texture);
  addLevel(texture, image, place, 256, filtered);
  return filtered.result();
}

} // namespace

Texel sampleTexture(const TextureView& texture, const Place& place) noexcept {
  if (texture.levels == 1)
    return sampleLevel(texture, texture.level[0], place);
  const cudaTextureDesc& s = texture.settings;
  // All settings have 8 bits behind the point (measured).
  const auto fixed = [](float level) {
    return int(std::min(std::max(level, -1024.0f), 1024.0f) * 256);
  };
  int lod = fixed(place.level) + fixed(s.mipmapLevelBias);
  lod = std::min(std::max(lod, fixed(s.minMipmapLevelClamp)), fixed(s.maxMipmapLevelClamp));
  lod = std::min(std::max(lod, 0), int(texture.levels - 1) * 256);
  if (s.mipmapFilterMode == cudaFilterModePoint)
    return sampleLevel(texture, texture.level[(lod + 128) >> 8], place);
  const unsigned below = unsigned(lod >> 8);
  const int weight = lod & 255;
  if (weight == 0)
    return sampleLevel(texture, texture.level[below], place);
  Filtered filtered(texture);
  addLevel(texture, texture.level[below], place, 256 - weight, filtered);
  addLevel(texture, texture.level[below + 1], place, weight, filtered);
  return filtered.result();
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
  // On edges and corners z comes before y, and y before x (measured).
  if (ax > ay && ax > az) {
    face = x >= 0 ? 0 : 1;
    m = ax;
    s = x >= 0 ? -z : z;
    t = -y;
  } else if (ay > az) {
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
