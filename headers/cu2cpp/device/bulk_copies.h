// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bulk copies between global and shared memory, whole blocks of bytes or tiles of a tensor. They
// are done at once; the barrier that they complete learns their bytes.
//
// CUDA C++ Programming Guide, 'Asynchronous Data Copies using the Tensor Memory Accelerator'.
#ifndef CU2CPP_DEVICE_BULK_COPIES_H
#define CU2CPP_DEVICE_BULK_COPIES_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <cu2cpp/device/mbarrier.h>

namespace cu2cpp {
namespace detail {

/// TensorTiles is what cuTensorMapEncodeTiled() keeps in a CUtensorMap; dimension 0 varies fastest.
struct TensorTiles {
  char* memory;
  std::uint64_t extent[5];
  std::uint64_t stride[5]; // in bytes; that of dimension 0 is an element
  std::uint16_t box[5];
  std::uint8_t step[5]; // from one element of a tile to the next
  std::uint8_t rank;
  // The exchange of 16-byte pieces in shared memory: bits of the address above bit 7 go to those
  // above bit 4.
  std::uint8_t swizzledBits;

  unsigned count(unsigned dimension) const {
    return dimension ? (box[dimension] + step[dimension] - 1u) / step[dimension] : box[0];
  }
  std::size_t tileBytes() const {
    std::size_t bytes = stride[0];
    for (unsigned d = 0; d < rank; ++d)
      bytes *= count(d);
    return bytes;
  }
};

inline void copyPieces(char* global, char* shared, std::size_t bytes, bool toShared,
                       unsigned swizzledBits) {
  if (swizzledBits == 0) {
    std::memcpy(toShared ? shared : global, toShared ? global : shared, bytes);
    return;
  }
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::uintptr_t plain = reinterpret_cast<std::uintptr_t>(shared) + i;
    const std::uintptr_t moved = plain ^ (plain >> 7 & ((1u << swizzledBits) - 1)) << 4;
    char* const place = shared + std::ptrdiff_t(moved - reinterpret_cast<std::uintptr_t>(shared));
    (toShared ? *place : global[i]) = toShared ? global[i] : *place;
  }
}

/// copyTile() copies the tile that begins at `place`, of as many dimensions as the tensor. What
/// lies outside of the tensor is read as zeros and not written.
inline std::size_t copyTile(const void* map, const std::int32_t* place, void* shared,
                            bool toShared) {
  TensorTiles tiles;
  std::memcpy(&tiles, map, sizeof tiles);
  for (unsigned d = 0; d < tiles.rank; ++d)
    if (!toShared && place[d] < 0)
      __builtin_trap();
  // So is swizzling of pieces that are not 16 bytes in memory.
  if (tiles.swizzledBits && place[0] * std::int64_t(tiles.stride[0]) % 16 != 0)
    __builtin_trap();
  const std::size_t element = tiles.stride[0], row = tiles.box[0] * element;
  char* out = static_cast<char*>(shared);
  unsigned step[5] = {};
  // The part of a row within the tensor.
  const std::int64_t extent = std::int64_t(tiles.extent[0]), start = place[0];
  const std::int64_t first = start < 0 ? -start : 0;
  const std::int64_t behind = extent - start < tiles.box[0] ? extent - start : tiles.box[0];
  for (;;) {
    std::uint64_t offset = 0;
    bool inside = first < behind;
    for (unsigned d = 1; d < tiles.rank; ++d) {
      const std::int64_t at = place[d] + std::int64_t(step[d]) * tiles.step[d];
      inside = inside && at >= 0 && at < std::int64_t(tiles.extent[d]);
      offset += std::uint64_t(at) * tiles.stride[d];
    }
    if (toShared && !(inside && first == 0 && behind == tiles.box[0]))
      std::memset(out, 0, row); // swizzling moves pieces within whole rows
    if (inside) {
      char* const global = tiles.memory + offset + (start + first) * std::int64_t(element);
      copyPieces(global, out + first * std::int64_t(element), std::size_t(behind - first) * element,
                 toShared, tiles.swizzledBits);
    }
    out += row;
    unsigned d = 1;
    while (d < tiles.rank && ++step[d] == tiles.count(d))
      step[d++] = 0;
    if (d >= tiles.rank)
      return tiles.tileBytes();
  }
}

} // namespace detail
} // namespace cu2cpp

#endif
