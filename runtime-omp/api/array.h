// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA arrays: rows of texels in device memory whose layout only the library knows.
//
// CUDA C++ Programming Guide, 'CUDA Arrays'.
#ifndef CU2CPP_API_ARRAY_H
#define CU2CPP_API_ARRAY_H

#include <vector>

#include <cu2cpp/device/texture_view.h>

struct cudaArray {
  cu2cpp::detail::Image image;
  cudaChannelFormatDesc format;
  cudaExtent extent; // as asked for: 0 where there is no such dimension
  unsigned flags;
  unsigned texelBytes;
  bool owned; // a level of a mipmapped array is not freed by itself
};

struct cudaMipmappedArray {
  std::vector<cudaArray> level;
  bool owned = true; // false: the memory is another API's
};

namespace cu2cpp::rt {

/// makeMipmapped() makes the levels: in memory of their own, or in `bytes` of memory at `place`,
/// where each level begins at a multiple of 512 bytes behind the one before and rows have no
/// padding.
cudaError_t makeMipmapped(cudaMipmappedArray_t* out, const cudaChannelFormatDesc* desc,
                          cudaExtent extent, unsigned levels, unsigned flags,
                          unsigned char* place = nullptr, std::size_t bytes = 0);
/// mipmappedBytes() is what the latter needs; 0 for what is no format.
std::size_t mipmappedBytes(const cudaChannelFormatDesc& desc, cudaExtent extent, unsigned levels,
                           unsigned flags);

/// texelBytesOf() is 0 for what is no format.
unsigned texelBytesOf(const cudaChannelFormatDesc& format);

/// isArray() and isMipmapped() know the handles that are alive.
bool isArray(cudaArray_const_t array);
bool isMipmapped(cudaMipmappedArray_const_t array);

} // namespace cu2cpp::rt

#endif
