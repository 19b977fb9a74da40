// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync, ldmatrix, stmatrix and movmatrix: products, loads, stores and transposition of small
// matrices that are spread over the registers of a warp.
//
// PTX ISA, 'Warp Level Matrix Instructions', 'Matrix Fragments for mma.m16n8k16' and its
// neighbours.
#ifndef CU2CPP_DEVICE_PTX_MATRIX_H
#define CU2CPP_DEVICE_PTX_MATRIX_H

#include <cstring>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cu2cpp/device/tensor_sum.h>
#include <cu2cpp/device/warp.h>

namespace cu2cpp {
namespace ptx {

namespace matrix {

/// The kinds of elements: how wide they are, and element i of a register as a number; for those of
/// tensor_sum.h, how many products are added at once.
struct f16 {
  static constexpr int bits = 16, group = 16;
  using Sum = float;
  static float at(unsigned word, int i) {
    return __half2float(__ushort_as_half((unsigned short)(word >> 16 * i)));
  }
};
struct bf16 {
  static constexpr int bits = 16, group = 16;
  using Sum = float;
  static float at(unsigned word, int i) {
    return __bfloat162float(__ushort_as_bfloat16((unsigned short)(word >> 16 * i)));
  }
};
/// The multiplier sees 10 bits of the fraction.
struct tf32 {
  static constexpr int bits = 32, group = 8;
  using Sum = float;
  static float at(unsigned word, int) { return __uint_as_float(word & 0xffffe000u); }
};
struct f64 {
  static constexpr int bits = 64, group = 0;
  using Sum = double;
  static double at(double value, int) { return value; }
};
template <__nv_fp8_interpretation_t kind> struct Fp8 {
  static constexpr int bits = 8, group = 0;
  using Sum = float;
  static float at(unsigned word, int i) {
    return __half2float(__half(__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(word >> 8 * i), kind)));
  }
};
using e4m3 = Fp8<__NV_E4M3>;
using e5m2 = Fp8<__NV_E5M2>;
template <int Bits, bool isSigned> struct Packed {
  static constexpr int bits = Bits, group = 0;
  using Sum = int;
  static int at(unsigned word, int i) {
    const unsigned raised = word << (32 - Bits * (i + 1));
    return isSigned ? int(raised) >> (32 - Bits) : int(raised >> (32 - Bits));
  }
};
using s8 = Packed<8, true>;
using u8 = Packed<8, false>;
using s4 = Packed<4, true>;
using u4 = Packed<4, false>;

} // namespace matrix

namespace detail {
using namespace cu2cpp::detail;

/// Lane l is in row l / 4 of each group of 8 rows and holds the elements at l % 4 of each group of
/// columns.
template <class TypeA, class TypeB, class Word, class Result> struct MmaOperands {
  Result* d;
  const Word *a, *b;
  const Result* c;
  bool saturate;
};

// Sums are held in registers of their own, or as pairs of halves.
template <class Sum> inline Sum sumAt(const Sum* c, int row, int i) { return c[2 * row + i]; }
inline float sumAt(const unsigned* c, int row, int i) { return matrix::f16::at(c[row], i); }
template <class Sum> inline void setSums(Sum* d, int row, Sum x, Sum y) {
  d[2 * row] = x;
  d[2 * row + 1] = y;
}
inline void setSums(float* d, int row, double x, double y) {
  setSums(d, row, tensor::cutToFloat(x), tensor::cutToFloat(y));
}
inline void setSums(unsigned* d, int row, float x, float y) {
  d[row] = __half_as_ushort(__float2half_rn(x)) | unsigned(__half_as_ushort(__float2half_rn(y)))
                                                      << 16;
}
inline void setSums(unsigned* d, int row, double x, double y) {
  d[row] = __half_as_ushort(__double2half(x)) | unsigned(__half_as_ushort(__double2half(y))) << 16;
}

template <int m, int k, class TypeA, class TypeB, class Word, class Result>
void multiply(const WarpGroup& group) {
  using Operands = MmaOperands<TypeA, TypeB, Word, Result>;
  using Sum = typename TypeA::Sum;
  constexpr int each = int(8 * sizeof(Word)) / TypeA::bits, rows = m / 8; // elements of a register
  static_assert(k % (4 * each) == 0, "a register's elements lie in one row");
  static thread_local Sum a[m][k], b[k][8];
  __builtin_memset(a, 0, sizeof a); // lanes that are not there
  __builtin_memset(b, 0, sizeof b);
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const Operands& mine = *static_cast<const Operands*>(call.in);
    const int g = int(lane / 4), t = int(lane % 4);
    for (int part = 0; part < k / (4 * each); ++part)
      for (int i = 0; i < each; ++i) {
        const int at = (4 * part + t) * each + i;
        for (int r = 0; r < rows; ++r)
          a[g + 8 * r][at] = TypeA::at(mine.a[part * rows + r], i);
        b[at][g] = TypeB::at(mine.b[part], i);
      }
  });
  if constexpr (TypeA::group != 0) {
    static thread_local double c[m][8];
    eachLane(group, [&](unsigned lane, LaneCall& call) {
      const Operands& mine = *static_cast<const Operands*>(call.in);
      for (int r = 0; r < rows; ++r)
        for (int i = 0; i < 2; ++i)
          c[lane / 4 + 8 * unsigned(r)][lane % 4 * 2 + unsigned(i)] = sumAt(mine.c, r, i);
    });
    tensor::multiply<(k < TypeA::group ? k : TypeA::group)>(a, b, c);
    eachLane(group, [&](unsigned lane, LaneCall& call) {
      const Operands& mine = *static_cast<const Operands*>(call.in);
      for (int r = 0; r < rows; ++r) {
        const double* sums = &c[lane / 4 + 8 * unsigned(r)][lane % 4 * 2];
        setSums(mine.d, r, sums[0], sums[1]);
      }
    });
    return;
  }
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const Operands& mine = *static_cast<const Operands*>(call.in);
    const int g = int(lane / 4), t = int(lane % 4);
    for (int r = 0; r < rows; ++r) {
      Sum sum[2];
      for (int i = 0; i < 2; ++i) {
        if constexpr (sizeof(Sum) == 4 && Sum(0.5) == 0) { // integers wrap, or end at their limits
          long long all = sumAt(mine.c, r, i);
          for (int j = 0; j < k; ++j)
            all += (long long)a[g + 8 * r][j] * b[j][2 * t + i];
          if (mine.saturate)
            all = all > 0x7fffffffll ? 0x7fffffffll : all < -0x80000000ll ? -0x80000000ll : all;
          sum[i] = Sum(unsigned((unsigned long long)all));
        } else {
          sum[i] = sumAt(mine.c, r, i);
          for (int j = 0; j < k; ++j)
            sum[i] += a[g + 8 * r][j] * b[j][2 * t + i];
        }
      }
      setSums(mine.d, r, sum[0], sum[1]);
    }
  });
}

struct LoadOperands {
  const void* address;
  unsigned* to;
};

/// Lanes 8 i to 8 i + 7 bring the addresses of matrix i's rows; lane l gets two elements of row
/// l / 4 of each.
template <int count, bool transposed> void loadMatrices(const WarpGroup& group) {
  unsigned short matrix[count][8][8] = {};
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const LoadOperands& mine = *static_cast<const LoadOperands*>(call.in);
    if (lane < 8 * count)
      std::memcpy(matrix[lane / 8][lane % 8], mine.address, 16);
  });
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const LoadOperands& mine = *static_cast<const LoadOperands*>(call.in);
    const unsigned row = lane / 4, column = lane % 4 * 2;
    for (int i = 0; i < count; ++i)
      mine.to[i] = transposed ? matrix[i][column][row] | unsigned(matrix[i][column + 1][row]) << 16
                              : matrix[i][row][column] | unsigned(matrix[i][row][column + 1]) << 16;
  });
}

struct StoreOperands {
  void* address;
  const unsigned* from;
};

template <int count, bool transposed> void storeMatrices(const WarpGroup& group) {
  unsigned short matrix[count][8][8] = {};
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const StoreOperands& mine = *static_cast<const StoreOperands*>(call.in);
    const unsigned row = lane / 4, column = lane % 4 * 2;
    for (int i = 0; i < count; ++i)
      for (unsigned k = 0; k < 2; ++k)
        (transposed ? matrix[i][column + k][row] : matrix[i][row][column + k]) =
            (unsigned short)(mine.from[i] >> 16 * k);
  });
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const StoreOperands& mine = *static_cast<const StoreOperands*>(call.in);
    if (lane < 8 * count)
      std::memcpy(mine.address, matrix[lane / 8][lane % 8], 16);
  });
}

struct MoveOperands {
  unsigned from;
  unsigned* to;
};

inline void transposeMatrix(const WarpGroup& group) {
  unsigned short matrix[8][8] = {};
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const unsigned from = static_cast<const MoveOperands*>(call.in)->from;
    matrix[lane / 4][lane % 4 * 2] = (unsigned short)from;
    matrix[lane / 4][lane % 4 * 2 + 1] = (unsigned short)(from >> 16);
  });
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    const unsigned row = lane / 4, column = lane % 4 * 2;
    *static_cast<const MoveOperands*>(call.in)->to =
        matrix[column][row] | unsigned(matrix[column + 1][row]) << 16;
  });
}

} // namespace detail

/// mma() is d = a * b + c, with A of m x k and B of k x 8 elements. The results are there when all
/// lanes have come.
template <int m, int k, class TypeA, class TypeB, class Word, class Result>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE inline void mma(Result* d, const Word* a, const Word* b, const Result* c,
                                  bool saturate = false) {
  const detail::MmaOperands<TypeA, TypeB, Word, Result> mine{d, a, b, c, saturate};
  detail::meetWarp(mine, detail::multiply<m, k, TypeA, TypeB, Word, Result>, "mma.sync");
}

/// ldmatrix() loads `count` matrices of 8 x 8 elements of 16 bits.
template <int count, bool transposed>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE inline void ldmatrix(unsigned* to, const void* address) {
  const detail::LoadOperands mine{address, to};
  detail::meetWarp(mine, detail::loadMatrices<count, transposed>, "ldmatrix");
}

/// stmatrix() stores `count` matrices, row i % 8 of matrix i / 8 where lane i says.
template <int count, bool transposed>
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE inline void stmatrix(void* address, const unsigned* from) {
  const detail::StoreOperands mine{address, from};
  detail::meetWarp(mine, detail::storeMatrices<count, transposed>, "stmatrix");
}

/// movmatrix() transposes a matrix of 8 x 8 elements of 16 bits. As with mma(), the result is
/// there when all lanes have come.
CU2CPP_SYNC(warp)
CU2CPP_ONE_BY_ONE inline void movmatrix(unsigned* to, unsigned from) {
  const detail::MoveOperands mine{from, to};
  detail::meetWarp(mine, detail::transposeMatrix, "movmatrix");
}

} // namespace ptx
} // namespace cu2cpp

#endif
