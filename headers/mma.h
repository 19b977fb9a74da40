// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma: matrix products by a warp, for half, bfloat16, tf32, double and integers of 8,
// 4 and 1 bits.
//
// CUDA C++ Programming Guide, 'Warp Matrix Functions'.
#ifndef CU2CPP_MMA_H
#define CU2CPP_MMA_H

#include <cu2cpp/device_functions.h>
#include <cuda_runtime.h>

#include <cu2cpp/device/matrix_fragment.h>

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class Type, class Layout = void> class fragment {
  using Shape = cu2cpp::detail::FragmentShape<Use, m, n, k>;

public:
  using kind = Type;
  using element_type = typename cu2cpp::detail::ElementOf<Type>::Stored;
  using storage_element_type = element_type;
  using layout = Layout;
  static constexpr bool isAccumulator = std::is_same<Use, accumulator>::value;
  static constexpr int rows = Shape::rows, columns = Shape::columns;
  // A GPU keeps each element of half operands twice.
  static constexpr int num_elements = cu2cpp::detail::wordsOrElements<Type>(
      rows * columns / 32, std::is_same<Type, __half>::value && !isAccumulator);
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};

template <class Use, int m, int n, int k, class Type, class Layout, class Value>
inline void fill_fragment(fragment<Use, m, n, k, Type, Layout>& f, const Value& value) {
  for (auto& x : f.x)
    x = typename fragment<Use, m, n, k, Type, Layout>::element_type(value);
}

/// load_matrix_sync() reads a matrix whose rows (or columns) are ldm elements apart.
template <class Use, int m, int n, int k, class Type, class Layout, class Memory>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE inline void load_matrix_sync(fragment<Use, m, n, k, Type, Layout>& f,
                                               const Memory* p, unsigned ldm) {
  using Fragment = fragment<Use, m, n, k, Type, Layout>;
  static_assert(!Fragment::isAccumulator, "an accumulator's layout is an argument");
  cu2cpp::detail::waitForLanes();
  const unsigned lane = cu2cpp::detail::laneId();
  for (int e = 0; e < Fragment::num_elements; ++e) {
    const cu2cpp::detail::ElementPlace at = cu2cpp::detail::placeOf<Fragment>(lane, e);
    f.x[e] = std::is_same<Layout, row_major>::value ? p[at.row * ldm + at.column]
                                                    : p[at.column * ldm + at.row];
  }
}
/// The same for elements of less than a byte: p points to words, and ldm counts elements.
template <class Use, int m, int n, int k, class Type, class Layout>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE
    inline void loadPacked(fragment<Use, m, n, k, Type, Layout>& f, const void* p, unsigned ldm) {
  using Fragment = fragment<Use, m, n, k, Type, Layout>;
  using Element = cu2cpp::detail::ElementOf<Type>;
  cu2cpp::detail::waitForLanes();
  const unsigned lane = cu2cpp::detail::laneId();
  const unsigned* const words = static_cast<const unsigned*>(p);
  for (unsigned& x : f.x)
    x = 0;
  for (int e = 0; e < Fragment::rows * Fragment::columns / 32; ++e) {
    const cu2cpp::detail::ElementPlace at = cu2cpp::detail::placeOf<Fragment>(lane, e);
    const unsigned index = std::is_same<Layout, row_major>::value
                               ? unsigned(at.row) * ldm + unsigned(at.column)
                               : unsigned(at.column) * ldm + unsigned(at.row);
    const unsigned bits =
        words[index / Element::perWord] >> Element::bits * (index % Element::perWord) &
        ((1u << Element::bits) - 1);
    f.x[unsigned(e) / Element::perWord] |= bits << Element::bits * (unsigned(e) % Element::perWord);
  }
}
#define CU2CPP_LOAD_PACKED(T)                                                                      \
  template <class Use, int m, int n, int k, class Layout, class Memory>                            \
  CU2CPP_SYNC(warp)                                                                                \
  CU2CPP_ONE_BY_ONE inline void load_matrix_sync(                                                  \
      fragment<Use, m, n, k, experimental::precision::T, Layout>& f, const Memory* p,              \
      unsigned ldm) {                                                                              \
    loadPacked(f, p, ldm);                                                                         \
  }
CU2CPP_LOAD_PACKED(u4)
CU2CPP_LOAD_PACKED(s4)
CU2CPP_LOAD_PACKED(b1)
#undef CU2CPP_LOAD_PACKED
template <int m, int n, int k, class Type, class Memory>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE inline void load_matrix_sync(fragment<accumulator, m, n, k, Type>& f,
                                               const Memory* p, unsigned ldm, layout_t layout) {
  using Fragment = fragment<accumulator, m, n, k, Type>;
  cu2cpp::detail::waitForLanes();
  const unsigned lane = cu2cpp::detail::laneId();
  for (int e = 0; e < Fragment::num_elements; ++e) {
    const cu2cpp::detail::ElementPlace at = cu2cpp::detail::placeOf<Fragment>(lane, e);
    f.x[e] = layout == mem_row_major ? p[at.row * ldm + at.column] : p[at.column * ldm + at.row];
  }
}
template <int m, int n, int k, class Type, class Memory>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE
    inline void store_matrix_sync(Memory* p, const fragment<accumulator, m, n, k, Type>& f,
                                  unsigned ldm, layout_t layout) {
  using Fragment = fragment<accumulator, m, n, k, Type>;
  cu2cpp::detail::waitForLanes();
  const unsigned lane = cu2cpp::detail::laneId();
  for (int e = 0; e < Fragment::num_elements; ++e) {
    const cu2cpp::detail::ElementPlace at = cu2cpp::detail::placeOf<Fragment>(lane, e);
    (layout == mem_row_major ? p[at.row * ldm + at.column] : p[at.column * ldm + at.row]) = f.x[e];
  }
  cu2cpp::detail::waitForLanes();
}

/// mma_sync() is d = a * b + c.
template <int m, int n, int k, class TypeD, class TypeA, class LayoutA, class TypeB, class LayoutB,
          class TypeC>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE
    inline void mma_sync(fragment<accumulator, m, n, k, TypeD>& d,
                         const fragment<matrix_a, m, n, k, TypeA, LayoutA>& a,
                         const fragment<matrix_b, m, n, k, TypeB, LayoutB>& b,
                         const fragment<accumulator, m, n, k, TypeC>& c, bool satf = false) {
  using namespace cu2cpp::detail;
  using FragmentA = fragment<matrix_a, m, n, k, TypeA, LayoutA>;
  using FragmentB = fragment<matrix_b, m, n, k, TypeB, LayoutB>;
  using FragmentC = fragment<accumulator, m, n, k, TypeC>;
  using FragmentD = fragment<accumulator, m, n, k, TypeD>;
  const MatrixOperands<FragmentA, FragmentB, FragmentC, FragmentD> mine{&a, &b, &c, &d, satf};
  meetWarp(mine, multiplyFragments<FragmentA, FragmentB, FragmentC, FragmentD>, "wmma::mma_sync()");
}

/// bmma_sync() is d = c + the number of bits that a row of a and a column of b have in common, or
/// in which they differ.
template <int m, int n, int k, class LayoutA, class LayoutB>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE inline void bmma_sync(
    fragment<accumulator, m, n, k, int>& d,
    const fragment<matrix_a, m, n, k, experimental::precision::b1, LayoutA>& a,
    const fragment<matrix_b, m, n, k, experimental::precision::b1, LayoutB>& b,
    const fragment<accumulator, m, n, k, int>& c,
    experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  using namespace cu2cpp::detail;
  using FragmentA = fragment<matrix_a, m, n, k, experimental::precision::b1, LayoutA>;
  using FragmentB = fragment<matrix_b, m, n, k, experimental::precision::b1, LayoutB>;
  using FragmentC = fragment<accumulator, m, n, k, int>;
  const MatrixOperands<FragmentA, FragmentB, FragmentC, FragmentC> mine{&a, &b, &c, &d, false};
  if (op == experimental::bmmaBitOpXOR)
    meetWarp(mine, multiplyFragments<FragmentA, FragmentB, FragmentC, FragmentC, ExclusiveOr>,
             "wmma::bmma_sync()");
  else
    meetWarp(mine, multiplyFragments<FragmentA, FragmentB, FragmentC, FragmentC>,
             "wmma::bmma_sync()");
}

/// __float_to_tf32() rounds to the 10 bits of tf32, halves away from zero.
inline float __float_to_tf32(float x) {
  const unsigned bits = __float_as_uint(x);
  if ((bits & 0x7f800000u) == 0x7f800000u)
    return x != x ? __uint_as_float(0x7fffffffu) : x;
  return __uint_as_float((bits + 0x1000u) & 0xffffe000u);
}

} // namespace wmma
} // namespace nvcuda

#endif
