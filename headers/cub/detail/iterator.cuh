// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUB's iterators have in common: moving and comparing. Derived has place(), its position.
#ifndef CU2CPP_CUB_DETAIL_ITERATOR_CUH
#define CU2CPP_CUB_DETAIL_ITERATOR_CUH

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace cub {
namespace detail {

template <class Derived, class Value, class Reference, class Offset> class IteratorBase {
public:
  using self_type = Derived;
  using difference_type = Offset;
  using value_type = Value;
  using pointer = std::remove_reference_t<Reference>*;
  using reference = Reference;
  using iterator_category = std::random_access_iterator_tag;

  Derived& operator++() { return mine() += 1; }
  Derived operator++(int) {
    Derived old = mine();
    mine() += 1;
    return old;
  }
  Derived& operator--() { return mine() += -1; }
  template <class Count> Derived& operator+=(Count n) {
    mine().place() += n;
    return mine();
  }
  template <class Count> Derived& operator-=(Count n) {
    mine().place() -= n;
    return mine();
  }
  template <class Count> Derived operator+(Count n) const {
    Derived out = mine();
    out += n;
    return out;
  }
  template <class Count> Derived operator-(Count n) const {
    Derived out = mine();
    out -= n;
    return out;
  }
  difference_type operator-(const Derived& other) const {
    return difference_type(mine().place() - other.place());
  }
  template <class Count> Reference operator[](Count n) const { return *(mine() + n); }
  bool operator==(const Derived& other) const { return mine().place() == other.place(); }
  bool operator!=(const Derived& other) const { return !(*this == other); }

private:
  Derived& mine() { return static_cast<Derived&>(*this); }
  const Derived& mine() const { return static_cast<const Derived&>(*this); }
};

} // namespace detail
} // namespace cub

#endif
