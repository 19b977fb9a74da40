// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::TransformInputIterator: what a functor makes of another iterator's items.
//
// CUB documentation, 'Iterators'.
#ifndef CU2CPP_CUB_TRANSFORM_INPUT_ITERATOR_CUH
#define CU2CPP_CUB_TRANSFORM_INPUT_ITERATOR_CUH

#include <cub/detail/iterator.cuh>

namespace cub {

template <class ValueType, class ConversionOp, class InputIteratorT, class OffsetT = std::ptrdiff_t>
class TransformInputIterator
    : public detail::IteratorBase<
          TransformInputIterator<ValueType, ConversionOp, InputIteratorT, OffsetT>, ValueType,
          ValueType, OffsetT> {
public:
  TransformInputIterator(InputIteratorT in, ConversionOp op) : op_(op), in_(in) {}
  ValueType operator*() const { return op_(*in_); }
  InputIteratorT& place() { return in_; }
  const InputIteratorT& place() const { return in_; }
  // Functors may lack a const operator(); lambdas cannot be assigned.
  TransformInputIterator(const TransformInputIterator&) = default;
  TransformInputIterator& operator=(const TransformInputIterator& other) {
    in_ = other.in_;
    return *this;
  }

private:
  mutable ConversionOp op_;
  InputIteratorT in_;
};

} // namespace cub

#endif
