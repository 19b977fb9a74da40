// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of half and bfloat16 numbers that are not rounded before they are added: a GPU computes
// `a * b + c` in one operation. The translator writes __hfma(a, b, c), or product(a, b) + c where
// the sum stands elsewhere than the product or in a template.
//
// CUDA C++ Programming Guide, 'Floating-Point Standard'; PTX ISA, 'mul{.f16,.bf16}'.
#ifndef CU2CPP_DEVICE_PRODUCT_H
#define CU2CPP_DEVICE_PRODUCT_H

namespace cu2cpp {
namespace detail {
/// FusedSum<Number>::of() is a * b + c, rounded once.
template <class Number> struct FusedSum;
} // namespace detail

/// Product is a * b: rounded where it's used as a number, exact in a sum.
template <class Number> class Product {
  using Fused = detail::FusedSum<Number>;

public:
  Product() = default;
  Product(const Number& a, const Number& b) : a_(a), b_(b) {}
  operator Number() const { return a_ * b_; }

  friend Product operator-(const Product& p) { return Product(-p.a_, p.b_); }
  friend Number operator+(const Product& p, const Number& c) { return Fused::of(p.a_, p.b_, c); }
  friend Number operator+(const Number& c, const Product& p) { return Fused::of(p.a_, p.b_, c); }
  friend Number operator-(const Product& p, const Number& c) { return Fused::of(p.a_, p.b_, -c); }
  friend Number operator-(const Number& c, const Product& p) { return Fused::of(-p.a_, p.b_, c); }
  // Of two products a GPU rounds the second one.
  friend Number operator+(const Product& p, const Product& q) { return p + Number(q); }
  friend Number operator-(const Product& p, const Product& q) { return p - Number(q); }
  friend Number& operator+=(Number& c, const Product& p) { return c = c + p; }
  friend Number& operator-=(Number& c, const Product& p) { return c = c - p; }

#define CU2CPP_NAMED(name, op)                                                                     \
  friend Number name(const Product& p, const Number& c) { return p op c; }                         \
  friend Number name(const Number& c, const Product& p) { return c op p; }                         \
  friend Number name(const Product& p, const Product& q) { return p op q; }
  CU2CPP_NAMED(__hadd, +)
  CU2CPP_NAMED(__hadd2, +)
  CU2CPP_NAMED(__hsub, -)
  CU2CPP_NAMED(__hsub2, -)
#undef CU2CPP_NAMED

private:
  Number a_, b_;
};

/// product() is a * b; of half and bfloat16 numbers a Product. Templates call it for any type.
template <class Left, class Right> inline auto product(const Left& left, const Right& right) {
  return left * right;
}

/// CU2CPP_FUSED_SUM(Number, fma) is what one type adds to this.
#define CU2CPP_FUSED_SUM(Number, fma)                                                              \
  namespace cu2cpp {                                                                               \
  namespace detail {                                                                               \
  template <> struct FusedSum<Number> {                                                            \
    static Number of(const Number& a, const Number& b, const Number& c) { return fma(a, b, c); }   \
  };                                                                                               \
  }                                                                                                \
  inline Product<Number> product(const Number& a, const Number& b) { return {a, b}; }              \
  }

} // namespace cu2cpp

#endif
