// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::TexObjInputIterator: memory that a GPU reads through a texture, and a CPU as it is.
//
// CUB documentation, 'Iterators'.
#ifndef CU2CPP_CUB_TEX_OBJ_INPUT_ITERATOR_CUH
#define CU2CPP_CUB_TEX_OBJ_INPUT_ITERATOR_CUH

#include <driver_types.h>

#include <cub/detail/iterator.cuh>

namespace cub {

template <class Type, class OffsetT = std::ptrdiff_t>
class TexObjInputIterator
    : public detail::IteratorBase<TexObjInputIterator<Type, OffsetT>, Type, Type, OffsetT> {
public:
  TexObjInputIterator() = default;
  template <class Other>
  cudaError_t BindTexture(Other* place, std::size_t = ~std::size_t(0), std::size_t offset = 0) {
    place_ = place + offset;
    return cudaSuccess;
  }
  cudaError_t UnbindTexture() {
    place_ = nullptr;
    return cudaSuccess;
  }
  Type operator*() const { return *place_; }
  const Type*& place() { return place_; }
  const Type* const& place() const { return place_; }

private:
  const Type* place_ = nullptr;
};

} // namespace cub

#endif
