// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma: matrix products by a warp, for half, bfloat16, tf32, double and 8-bit integers.
// Sums of half, bfloat16 and tf32 are formed in float; a GPU's tensor cores round them otherwise.
//
// CUDA C++ Programming Guide, 'Warp Matrix Functions'.
#ifndef CU2CPP_MMA_H
#define CU2CPP_MMA_H

#include <cuda_runtime.h>

#include <cu2cpp/device/matrix_fragment.h>

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
  using Shape = cu2cpp::detail::FragmentShape<Use, m, n, k>;

public:
  using kind = T;
  using element_type = typename cu2cpp::detail::ElementOf<T>::Stored;
  using storage_element_type = element_type;
  using layout = Layout;
  static constexpr bool isAccumulator = std::is_same<Use, accumulator>::value;
  static constexpr int rows = Shape::rows, columns = Shape::columns;
  // A GPU keeps each element of half operands twice.
  static constexpr int num_elements =
      std::is_same<T, __half>::value && !isAccumulator ? 16 : rows * columns / 32;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class Value>
inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const Value& value) {
  for (auto& x : f.x)
    x = typename fragment<Use, m, n, k, T, Layout>::element_type(value);
}

/// load_matrix_sync() reads a matrix whose rows (or columns) are ldm elements apart.
template <class Use, int m, int n, int k, class T, class Layout, class Memory>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f,
                                               const Memory* p, unsigned ldm) {
  using Fragment = fragment<Use, m, n, k, T, Layout>;
  static_assert(!Fragment::isAccumulator, "an accumulator's layout is an argument");
  cu2cpp::detail::waitForLanes();
  const unsigned lane = cu2cpp::detail::laneId();
  for (int e = 0; e < Fragment::num_elements; ++e) {
    const cu2cpp::detail::ElementPlace at = cu2cpp::detail::placeOf<Fragment>(lane, e);
    f.x[e] = std::is_same<Layout, row_major>::value ? p[at.row * ldm + at.column]
                                                    : p[at.column * ldm + at.row];
  }
}
template <int m, int n, int k, class T, class Memory>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& f,
                                               const Memory* p, unsigned ldm, layout_t layout) {
  using Fragment = fragment<accumulator, m, n, k, T>;
  cu2cpp::detail::waitForLanes();
  const unsigned lane = cu2cpp::detail::laneId();
  for (int e = 0; e < Fragment::num_elements; ++e) {
    const cu2cpp::detail::ElementPlace at = cu2cpp::detail::placeOf<Fragment>(lane, e);
    f.x[e] = layout == mem_row_major ? p[at.row * ldm + at.column] : p[at.column * ldm + at.row];
  }
}
template <int m, int n, int k, class T, class Memory>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE
    inline void store_matrix_sync(Memory* p, const fragment<accumulator, m, n, k, T>& f,
                                  unsigned ldm, layout_t layout) {
  using Fragment = fragment<accumulator, m, n, k, T>;
  cu2cpp::detail::waitForLanes();
  const unsigned lane = cu2cpp::detail::laneId();
  for (int e = 0; e < Fragment::num_elements; ++e) {
    const cu2cpp::detail::ElementPlace at = cu2cpp::detail::placeOf<Fragment>(lane, e);
    (layout == mem_row_major ? p[at.row * ldm + at.column] : p[at.column * ldm + at.row]) = f.x[e];
  }
  cu2cpp::detail::waitForLanes();
}

/// mma_sync() is d = a * b + c.
template <int m, int n, int k, class TD, class TA, class LA, class TB, class LB, class TC>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE
    inline void mma_sync(fragment<accumulator, m, n, k, TD>& d,
                         const fragment<matrix_a, m, n, k, TA, LA>& a,
                         const fragment<matrix_b, m, n, k, TB, LB>& b,
                         const fragment<accumulator, m, n, k, TC>& c, bool satf = false) {
  using namespace cu2cpp::detail;
  using A = fragment<matrix_a, m, n, k, TA, LA>;
  using B = fragment<matrix_b, m, n, k, TB, LB>;
  using C = fragment<accumulator, m, n, k, TC>;
  using D = fragment<accumulator, m, n, k, TD>;
  const MatrixOperands<A, B, C, D> mine{&a, &b, &c, &d, satf};
  meetWarp(mine, multiplyFragments<A, B, C, D>, "wmma::mma_sync()");
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
