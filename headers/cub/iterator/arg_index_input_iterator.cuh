// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::ArgIndexInputIterator: another iterator's items with their numbers.
//
// CUB documentation, 'Iterators'.
#ifndef CU2CPP_CUB_ARG_INDEX_INPUT_ITERATOR_CUH
#define CU2CPP_CUB_ARG_INDEX_INPUT_ITERATOR_CUH

#include <cub/detail/iterator.cuh>
#include <cub/iterator/transform_input_iterator.cuh>
#include <cub/util_type.cuh>

namespace cub {

template <class InputIteratorT, class OffsetT = std::ptrdiff_t,
          class OutputValueT = typename std::iterator_traits<InputIteratorT>::value_type>
class ArgIndexInputIterator
    : public detail::IteratorBase<ArgIndexInputIterator<InputIteratorT, OffsetT, OutputValueT>,
                                  KeyValuePair<OffsetT, OutputValueT>,
                                  KeyValuePair<OffsetT, OutputValueT>, OffsetT> {
public:
  ArgIndexInputIterator(InputIteratorT in, std::ptrdiff_t at = 0) : in_(in), at_(OffsetT(at)) {}
  KeyValuePair<OffsetT, OutputValueT> operator*() const {
    return {at_, static_cast<OutputValueT>(in_[at_])};
  }
  void normalize() {
    in_ += at_;
    at_ = 0;
  }
  OffsetT& place() { return at_; }
  const OffsetT& place() const { return at_; }

private:
  InputIteratorT in_;
  OffsetT at_;
};

} // namespace cub

#endif
