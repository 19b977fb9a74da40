// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fragments of the warp matrix functions: a matrix spread over the 32 lanes of a warp, and the
// product that all lanes make together. Which lane holds which element is CUDA's secret, except
// that accumulators of 16 x 16 are spread as the hardware does.
//
// CUDA C++ Programming Guide, 'Warp Matrix Functions'.
#ifndef CU2CPP_DEVICE_MATRIX_FRAGMENT_H
#define CU2CPP_DEVICE_MATRIX_FRAGMENT_H

#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/warp.h>

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}

} // namespace wmma
} // namespace nvcuda

namespace cu2cpp {
namespace detail {

/// ElementOf is the type that an element is stored and computed as.
template <class T> struct ElementOf {
  using Stored = T;
  static T value(T x) { return x; }
};
template <> struct ElementOf<__half> {
  using Stored = __half;
  static float value(__half x) { return float(x); }
};
template <> struct ElementOf<__nv_bfloat16> {
  using Stored = __nv_bfloat16;
  static float value(__nv_bfloat16 x) { return float(x); }
};
/// The multiplier of tf32 sees 10 bits of the fraction.
template <> struct ElementOf<nvcuda::wmma::precision::tf32> {
  using Stored = float;
  static float value(float x) { return sameBitsAs<float>(sameBitsAs<unsigned>(x) & 0xffffe000u); }
};

template <class Use, int m, int n, int k> struct FragmentShape;
template <int m, int n, int k> struct FragmentShape<nvcuda::wmma::matrix_a, m, n, k> {
  static constexpr int rows = m, columns = k;
};
template <int m, int n, int k> struct FragmentShape<nvcuda::wmma::matrix_b, m, n, k> {
  static constexpr int rows = k, columns = n;
};
template <int m, int n, int k> struct FragmentShape<nvcuda::wmma::accumulator, m, n, k> {
  static constexpr int rows = m, columns = n;
};

/// ElementPlace is where element e of a lane belongs.
struct ElementPlace {
  int row, column;
};
template <class Fragment> inline ElementPlace placeOf(unsigned lane, int e) {
  if (Fragment::isAccumulator && Fragment::rows == 16 && Fragment::columns == 16)
    return {int(lane / 4) + 8 * (e / 2 % 2), int(lane % 4) * 2 + e % 2 + 8 * (e / 4)};
  const int index = e % (Fragment::rows * Fragment::columns / 32) * 32 + int(lane);
  return {index / Fragment::columns, index % Fragment::columns};
}

/// MatrixOperands is what a lane brings to a product.
template <class A, class B, class C, class D> struct MatrixOperands {
  const A* a;
  const B* b;
  const C* c;
  D* d;
  bool saturate;
};

/// waitForLanes() is a barrier of the warp around reads and writes of matrices in memory.
inline void waitForLanes() {
  if (onFibers())
    __syncwarp();
}

/// SumOf is what products are added in: exact for integers, as wide as the result otherwise.
template <class T>
using SumOf = std::conditional_t<std::is_same<T, int>::value, long long,
                                 std::conditional_t<std::is_same<T, double>::value, double, float>>;

/// multiplyFragments() is run by the last lane for all: D = A * B + C.
template <class A, class B, class C, class D> void multiplyFragments(const WarpGroup& group) {
  using Operands = MatrixOperands<A, B, C, D>;
  constexpr int m = A::rows, n = B::columns, inner = A::columns;
  using Sum = SumOf<typename D::element_type>;
  static thread_local Sum a[m][inner], b[inner][n], c[m][n];
  __builtin_memset(a, 0, sizeof a); // lanes that are not there
  __builtin_memset(b, 0, sizeof b);
  __builtin_memset(c, 0, sizeof c);
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const Operands& mine = *static_cast<const Operands*>(call.in);
    for (int e = 0; e < m * inner / 32; ++e) {
      const ElementPlace p = placeOf<A>(lane, e);
      a[p.row][p.column] = Sum(ElementOf<typename A::kind>::value(mine.a->x[e]));
    }
    for (int e = 0; e < inner * n / 32; ++e) {
      const ElementPlace p = placeOf<B>(lane, e);
      b[p.row][p.column] = Sum(ElementOf<typename B::kind>::value(mine.b->x[e]));
    }
    for (int e = 0; e < C::num_elements; ++e) {
      const ElementPlace p = placeOf<C>(lane, e);
      c[p.row][p.column] = Sum(ElementOf<typename C::kind>::value(mine.c->x[e]));
    }
  });
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < inner; ++k) {
      const Sum factor = a[i][k];
      for (int j = 0; j < n; ++j)
        c[i][j] += factor * b[k][j];
    }
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const Operands& mine = *static_cast<const Operands*>(call.in);
    for (int e = 0; e < D::num_elements; ++e) {
      const ElementPlace p = placeOf<D>(lane, e);
      Sum sum = c[p.row][p.column];
      if constexpr (std::is_same<Sum, long long>::value) {
        if (mine.saturate)
          sum = sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum;
        mine.d->x[e] = int(unsigned(sum));
      } else {
        mine.d->x[e] = typename D::element_type(sum);
      }
    }
  });
}

} // namespace detail
} // namespace cu2cpp

#endif
