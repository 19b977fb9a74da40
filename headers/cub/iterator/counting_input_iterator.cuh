// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::CountingInputIterator, ConstantInputIterator and DiscardOutputIterator.
//
// CUB documentation, 'Iterators'.
#ifndef CU2CPP_CUB_COUNTING_INPUT_ITERATOR_CUH
#define CU2CPP_CUB_COUNTING_INPUT_ITERATOR_CUH

#include <cub/detail/iterator.cuh>

namespace cub {

template <class ValueType, class OffsetT = std::ptrdiff_t>
class CountingInputIterator : public detail::IteratorBase<CountingInputIterator<ValueType, OffsetT>,
                                                          ValueType, ValueType, OffsetT> {
public:
  CountingInputIterator(const ValueType& value) : value_(value) {}
  ValueType operator*() const { return value_; }
  ValueType& place() { return value_; }
  const ValueType& place() const { return value_; }

private:
  ValueType value_;
};

template <class ValueType, class OffsetT = std::ptrdiff_t>
class ConstantInputIterator : public detail::IteratorBase<ConstantInputIterator<ValueType, OffsetT>,
                                                          ValueType, ValueType, OffsetT> {
public:
  ConstantInputIterator(ValueType value, OffsetT at = 0) : value_(value), at_(at) {}
  ValueType operator*() const { return value_; }
  OffsetT& place() { return at_; }
  const OffsetT& place() const { return at_; }

private:
  ValueType value_;
  OffsetT at_;
};

/// What is written to it is lost.
template <class OffsetT = std::ptrdiff_t>
class DiscardOutputIterator
    : public detail::IteratorBase<DiscardOutputIterator<OffsetT>, void,
                                  DiscardOutputIterator<OffsetT>&, OffsetT> {
public:
  DiscardOutputIterator(OffsetT at = 0) : at_(at) {}
  DiscardOutputIterator& operator*() { return *this; }
  template <class Count> DiscardOutputIterator operator[](Count) const { return *this; }
  template <class Type, class = std::enable_if_t<
                            !std::is_same<std::decay_t<Type>, DiscardOutputIterator>::value>>
  DiscardOutputIterator& operator=(const Type&) {
    return *this;
  }
  OffsetT& place() { return at_; }
  const OffsetT& place() const { return at_; }

private:
  OffsetT at_;
};

} // namespace cub

#endif
