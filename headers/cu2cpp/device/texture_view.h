// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands behind a texture object, a surface object and a CUDA array. A cudaTextureObject_t is
// the address of a TextureView, a cudaSurfaceObject_t that of a SurfaceView.
//
// CUDA C++ Programming Guide, 'Texture and Surface Memory', 'Texture Fetching'.
#ifndef CU2CPP_DEVICE_TEXTURE_VIEW_H
#define CU2CPP_DEVICE_TEXTURE_VIEW_H

#include <cstddef>

#include <surface_types.h>
#include <texture_types.h>

namespace cu2cpp {
namespace detail {

/// Image is texels in rows, slices (of a 3-D image) or layers.
struct Image {
  unsigned char* data;
  std::size_t pitch;             // bytes from row to row
  std::size_t slice;             // bytes from slice to slice
  unsigned width, height, depth; // at least 1 each
};

struct TextureView {
  static constexpr unsigned maxLevels = 16;
  Image level[maxLevels];
  unsigned levels;
  cudaChannelFormatDesc format;
  unsigned texelBytes;
  unsigned dimensions; // that coordinates address: 1 to 3
  bool linearMemory;
  bool layered;
  bool plain; // point filter, no conversion, texel coordinates: one load
  cudaTextureDesc settings;
  cudaResourceDesc resource;
  cudaResourceViewDesc view;
};

struct SurfaceView {
  Image image;
  unsigned texelBytes;
  cudaResourceDesc resource;
};

/// Texel is up to four channels of 32 bits: numbers of type float, int or unsigned as the format
/// and read mode say.
struct Texel {
  unsigned bits[4];
};

/// Place is where a texture is read: coordinates as the kernel gives them, layer and level.
struct Place {
  float x, y, z;
  unsigned layer;
  float level;
};

/// sampleTexture() reads a texture with its filter and address modes.
Texel sampleTexture(const TextureView& texture, const Place& place) noexcept;
/// fetchTexel() is texel i of linear memory; 0 outside.
Texel fetchTexel(const TextureView& texture, int i) noexcept;
/// gatherTexels() is one channel of the four texels that a linear filter would use.
Texel gatherTexels(const TextureView& texture, float x, float y, int channel) noexcept;
/// cubePlace() is where a direction meets the cube: face in `layer`, coordinates in [0, 1].
Place cubePlace(float x, float y, float z) noexcept;
/// levelOf() is the level of detail for the given steps of the coordinates from pixel to pixel.
float levelOf(const TextureView& texture, const float* stepX, const float* stepY) noexcept;

/// surfaceTexel() is the address in a surface, null where nothing is to be read or written.
/// x counts bytes.
unsigned char* surfaceTexel(const SurfaceView& surface, std::size_t bytes, int x, int y, int z,
                            cudaSurfaceBoundaryMode mode);

} // namespace detail
} // namespace cu2cpp

#endif
