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
  template <class Type, class Other>
  constexpr bool operator()(const Type& a, const Other& b) const {
    return a == b;
  }
};
struct Inequality {
  template <class Type, class Other>
  constexpr bool operator()(const Type& a, const Other& b) const {
    return a != b;
  }
};
template <class Op> struct InequalityWrapper {
  Op op;
  explicit InequalityWrapper(Op o) : op(o) {}
  template <class Type, class Other> bool operator()(const Type& a, const Other& b) {
    return !op(a, b);
  }
};
struct Sum {
  template <class Type, class Other>
  constexpr auto operator()(const Type& a, const Other& b) const -> decltype(a + b) {
    return a + b;
  }
};
struct Difference {
  template <class Type, class Other>
  constexpr auto operator()(const Type& a, const Other& b) const -> decltype(a - b) {
    return a - b;
  }
};
struct Division {
  template <class Type, class Other>
  constexpr auto operator()(const Type& a, const Other& b) const -> decltype(a / b) {
    return a / b;
  }
};
struct Max {
  template <class Type, class Other>
  constexpr std::common_type_t<Type, Other> operator()(const Type& a, const Other& b) const {
    return a < b ? std::common_type_t<Type, Other>(b) : std::common_type_t<Type, Other>(a);
  }
};
struct Min {
  template <class Type, class Other>
  constexpr std::common_type_t<Type, Other> operator()(const Type& a, const Other& b) const {
    return b < a ? std::common_type_t<Type, Other>(b) : std::common_type_t<Type, Other>(a);
  }
};
/// Of equal values the one with the smaller key.
struct ArgMax {
  template <class Type, class Offset>
  KeyValuePair<Offset, Type> operator()(const KeyValuePair<Offset, Type>& a,
                                        const KeyValuePair<Offset, Type>& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class Type, class Offset>
  KeyValuePair<Offset, Type> operator()(const KeyValuePair<Offset, Type>& a,
                                        const KeyValuePair<Offset, Type>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
template <class Second> struct CastOp {
  template <class First> Second operator()(First&& a) const {
    return Second(std::forward<First>(a));
  }
};
template <class ScanOp> class SwizzleScanOp {
public:
  explicit SwizzleScanOp(ScanOp op) : op_(op) {}
  template <class Type> Type operator()(const Type& a, const Type& b) {
    Type first(a), second(b);
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
