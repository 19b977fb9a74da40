// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's functors: sums, extrema, comparisons, casts, and those that work on pairs.
//
// CUB documentation, 'Operators'.
#ifndef CU2CPP_CUB_THREAD_OPERATORS_CUH
#define CU2CPP_CUB_THREAD_OPERATORS_CUH

#include <utility>

#include <cub/util_type.cuh>

namespace cub {

struct Equality {
  template <class T, class U> constexpr bool operator()(const T& a, const U& b) const {
    return a == b;
  }
};
struct Inequality {
  template <class T, class U> constexpr bool operator()(const T& a, const U& b) const {
    return a != b;
  }
};
template <class Op> struct InequalityWrapper {
  Op op;
  explicit InequalityWrapper(Op o) : op(o) {}
  template <class T, class U> bool operator()(const T& a, const U& b) { return !op(a, b); }
};
struct Sum {
  template <class T, class U>
  constexpr auto operator()(const T& a, const U& b) const -> decltype(a + b) {
    return a + b;
  }
};
struct Difference {
  template <class T, class U>
  constexpr auto operator()(const T& a, const U& b) const -> decltype(a - b) {
    return a - b;
  }
};
struct Division {
  template <class T, class U>
  constexpr auto operator()(const T& a, const U& b) const -> decltype(a / b) {
    return a / b;
  }
};
struct Max {
  template <class T, class U>
  constexpr std::common_type_t<T, U> operator()(const T& a, const U& b) const {
    return a < b ? std::common_type_t<T, U>(b) : std::common_type_t<T, U>(a);
  }
};
struct Min {
  template <class T, class U>
  constexpr std::common_type_t<T, U> operator()(const T& a, const U& b) const {
    return b < a ? std::common_type_t<T, U>(b) : std::common_type_t<T, U>(a);
  }
};
/// Of equal values the one with the smaller key.
struct ArgMax {
  template <class T, class Offset>
  KeyValuePair<Offset, T> operator()(const KeyValuePair<Offset, T>& a,
                                     const KeyValuePair<Offset, T>& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class T, class Offset>
  KeyValuePair<Offset, T> operator()(const KeyValuePair<Offset, T>& a,
                                     const KeyValuePair<Offset, T>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
template <class B> struct CastOp {
  template <class A> B operator()(A&& a) const { return B(std::forward<A>(a)); }
};
template <class ScanOp> class SwizzleScanOp {
public:
  explicit SwizzleScanOp(ScanOp op) : op_(op) {}
  template <class T> T operator()(const T& a, const T& b) {
    T first(a), second(b);
    return op_(second, first);
  }

private:
  ScanOp op_;
};
/// Pairs of (flag, value): a flag begins a new segment.
template <class Op> struct ReduceBySegmentOp {
  Op op;
  ReduceBySegmentOp() {}
  explicit ReduceBySegmentOp(Op o) : op(o) {}
  template <class Pair> Pair operator()(const Pair& a, const Pair& b) {
    Pair out;
    out.key = a.key + b.key;
    out.value = b.key ? b.value : op(a.value, b.value);
    return out;
  }
};
template <class Op> struct ReduceByKeyOp {
  Op op;
  ReduceByKeyOp() {}
  explicit ReduceByKeyOp(Op o) : op(o) {}
  template <class Pair> Pair operator()(const Pair& a, const Pair& b) {
    Pair out(b);
    if (a.key == b.key)
      out.value = op(a.value, b.value);
    return out;
  }
};

} // namespace cub

#endif
