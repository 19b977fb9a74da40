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
#include <cu2cpp/device/tensor_sum.h>
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
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

} // namespace wmma
} // namespace nvcuda

namespace cu2cpp {
namespace detail {

/// ElementOf is the type that an element is stored and computed as.
template <class Type> struct ElementOf {
  using Stored = Type;
  static Type value(Type x) { return x; }
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

/// Elements of less than a byte lie side by side in words, the lowest bits first.
template <unsigned Bits, bool isSigned> struct PackedElement {
  using Stored = unsigned;
  static constexpr unsigned bits = Bits, perWord = 32 / Bits;
  static int unpacked(unsigned word, unsigned which) {
    const unsigned raised = word << (32 - Bits * (which + 1));
    return isSigned ? int(raised) >> (32 - Bits) : int(raised >> (32 - Bits));
  }
};
template <>
struct ElementOf<nvcuda::wmma::experimental::precision::u4> : PackedElement<4, false> {};
template <> struct ElementOf<nvcuda::wmma::experimental::precision::s4> : PackedElement<4, true> {};
template <>
struct ElementOf<nvcuda::wmma::experimental::precision::b1> : PackedElement<1, false> {};

template <class Type, class = void> struct IsPacked : std::false_type {};
template <class Type>
struct IsPacked<Type, std::void_t<decltype(ElementOf<Type>::perWord)>> : std::true_type {};

/// wordsOrElements() is the length of a lane's part; half operands are kept twice.
template <class Type> constexpr int wordsOrElements(int elements, bool twice) {
  if constexpr (IsPacked<Type>::value)
    return elements / int(ElementOf<Type>::perWord);
  else
    return twice ? 16 : elements;
}

/// elementAt() is element e of a lane's part, as a number.
template <class Fragment> inline auto elementAt(const Fragment& f, int e) {
  using Element = ElementOf<typename Fragment::kind>;
  if constexpr (IsPacked<typename Fragment::kind>::value)
    return Element::unpacked(f.x[unsigned(e) / Element::perWord], unsigned(e) % Element::perWord);
  else
    return Element::value(f.x[e]);
}

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
template <class FragmentA, class FragmentB, class FragmentC, class FragmentD>
struct MatrixOperands {
  const FragmentA* a;
  const FragmentB* b;
  const FragmentC* c;
  FragmentD* d;
  bool saturate;
};

/// waitForLanes() is a barrier of the warp around reads and writes of matrices in memory.
inline void waitForLanes() {
  if (onFibers())
    __syncwarp();
}

/// SumOf is what products are added in: exact for integers, as wide as the result otherwise.
template <class Type>
using SumOf =
    std::conditional_t<std::is_same<Type, int>::value, long long,
                       std::conditional_t<std::is_same<Type, double>::value, double, float>>;

/// How many products tensor_sum.h adds at once; none for what is added exactly or in double.
template <class Type> constexpr int tensorGroup = 0;
template <> constexpr int tensorGroup<__half> = 16;
template <> constexpr int tensorGroup<__nv_bfloat16> = 16;
template <> constexpr int tensorGroup<nvcuda::wmma::precision::tf32> = 4;

/// What is summed up over the inner dimension.
struct Times {
  template <class Type> Type operator()(Type a, Type b) const { return a * b; }
};
struct ExclusiveOr {
  template <class Type> Type operator()(Type a, Type b) const { return a ^ b; }
};

/// multiplyFragments() is run by the last lane for all: D = A * B + C.
template <class FragmentA, class FragmentB, class FragmentC, class FragmentD,
          class Operation = Times>
void multiplyFragments(const WarpGroup& group) {
  using Operands = MatrixOperands<FragmentA, FragmentB, FragmentC, FragmentD>;
  constexpr int m = FragmentA::rows, n = FragmentB::columns, inner = FragmentA::columns;
  using Factor = SumOf<typename FragmentD::element_type>;
  constexpr int addedAtOnce = tensorGroup<typename FragmentA::kind>;
  using Sum = std::conditional_t<addedAtOnce != 0, double, Factor>;
  static thread_local Factor a[m][inner], b[inner][n];
  static thread_local Sum c[m][n];
  __builtin_memset(a, 0, sizeof a); // lanes that are not there
  __builtin_memset(b, 0, sizeof b);
  __builtin_memset(c, 0, sizeof c);
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const Operands& mine = *static_cast<const Operands*>(call.in);
    for (int e = 0; e < m * inner / 32; ++e) {
      const ElementPlace p = placeOf<FragmentA>(lane, e);
      a[p.row][p.column] = Factor(elementAt(*mine.a, e));
    }
    for (int e = 0; e < inner * n / 32; ++e) {
      const ElementPlace p = placeOf<FragmentB>(lane, e);
      b[p.row][p.column] = Factor(elementAt(*mine.b, e));
    }
    for (int e = 0; e < FragmentC::num_elements; ++e) {
      const ElementPlace p = placeOf<FragmentC>(lane, e);
      c[p.row][p.column] = Sum(ElementOf<typename FragmentC::kind>::value(mine.c->x[e]));
    }
  });
  if constexpr (addedAtOnce != 0)
    tensor::multiply<addedAtOnce>(a, b, c);
  else
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < inner; ++k) {
        const Sum factor = a[i][k];
        for (int j = 0; j < n; ++j)
          c[i][j] += Operation()(factor, b[k][j]);
      }
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const Operands& mine = *static_cast<const Operands*>(call.in);
    for (int e = 0; e < FragmentD::num_elements; ++e) {
      const ElementPlace p = placeOf<FragmentD>(lane, e);
      Sum sum = c[p.row][p.column];
      if constexpr (std::is_same<Sum, long long>::value) {
        if (mine.saturate)
          sum = sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum;
        mine.d->x[e] = int(unsigned(sum));
      } else if constexpr (addedAtOnce != 0 &&
                           std::is_same<typename FragmentD::element_type, float>::value) {
        mine.d->x[e] = tensor::cutToFloat(sum);
      } else {
        mine.d->x[e] = typename FragmentD::element_type(sum);
      }
    }
  });
}

} // namespace detail
} // namespace cu2cpp

#endif
