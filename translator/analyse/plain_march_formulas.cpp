// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp): sums and products of what a thread reads, which it keeps
// for the next planes. They are computed anew from the array:
//
//   const float ring = tile[ty][tx - 1] + tile[ty][tx + 1];       for (int z = 0; z < nz; ++z)
//   if (z >= 1 && ...)                                              if (z >= 1 && ...)
//     out[at] = ring + before;                             ->         out[at] =
//   before = ring;                                                      (in[z ... - 1] + ...) +
//                                                                       (in[(z - 1) ... - 1] +
//                                                                       ...);
//
// What threads keep goes through memory here, and takes as long as a few loads from the caches.
#include <algorithm>

#include "analyse/plain_march.h"

namespace cu2cpp::marches {

namespace {

constexpr std::size_t mostParts = 12; ///< of a formula: more of them take longer than a value

} // namespace

bool March::isFormulas(const clang::Expr* e) {
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return op->getOpcode() == clang::BO_Add || op->getOpcode() == clang::BO_Sub ||
           op->getOpcode() == clang::BO_Mul;
  const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
  return op && op->getOpcode() == clang::UO_Minus;
}

std::optional<std::string> March::numberIn(const clang::Expr* e) const {
  clang::Expr::EvalResult value;
  if (e->isInstantiationDependent() || e->HasSideEffects(body_.unit.context()) ||
      !e->EvaluateAsRValue(value, body_.unit.context()))
    return std::nullopt;
  llvm::SmallString<32> text;
  if (value.Val.isInt()) {
    if (value.Val.getInt().getSignificantBits() > 31)
      return std::nullopt;
    value.Val.getInt().toString(text);
  } else {
    const auto* type = e->getType()->getAs<clang::BuiltinType>();
    if (!value.Val.isFloat() || !type || !value.Val.getFloat().isFinite() ||
        (type->getKind() != clang::BuiltinType::Float &&
         type->getKind() != clang::BuiltinType::Double))
      return std::nullopt;
    value.Val.getFloat().toString(text);
    if (text.find_first_of(".eE") == llvm::StringRef::npos)
      text += ".0";
    if (type->getKind() == clang::BuiltinType::Float)
      text += "f";
  }
  return text[0] == '-' ? "(" + text.str().str() + ")" : text.str().str();
}

std::optional<Value> March::formulaOf(const clang::Expr* e, State& state) {
  // What it is computed as is what it is kept as.
  const clang::QualType type = e->getType();
  if (type->isDependentType() || !type->isRealFloatingType())
    return std::nullopt;
  Value out;
  bool known = true;
  const auto take = [&](const clang::Expr* operand) {
    // A value that is computed otherwise than it is loaded, or than it is kept.
    const clang::Expr* const inside = plainly(operand);
    if (const auto number = numberIn(operand)) {
      out.formula += *number;
      return true;
    }
    if (!body_.unit.context().hasSameUnqualifiedType(inside->getType(), type))
      return false;
    const auto value = valueOf(inside, state);
    if (!value)
      return false;
    known &= value->isKnown();
    out.formula += value->array ? "@" : value->formula;
    if (value->array)
      out.parts.push_back({value->array, value->at, {}, {}, {}});
    out.parts.insert(out.parts.end(), value->parts.begin(), value->parts.end());
    add(out.needs, value->needs);
    return true;
  };
  out.formula = "(";
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    if (!take(op->getLHS()))
      return std::nullopt;
    out.formula += " " + op->getOpcodeStr().str() + " ";
    if (!take(op->getRHS()))
      return std::nullopt;
  } else {
    out.formula += "-";
    if (!take(llvm::cast<clang::UnaryOperator>(e)->getSubExpr()))
      return std::nullopt;
  }
  out.formula += ")";
  if (out.parts.size() > mostParts)
    return std::nullopt;
  return known ? out : Value{};
}

bool March::isSame(const Value& a, const Value& b) {
  return a.array == b.array && (a.at - b.at).empty() && a.formula == b.formula &&
         a.parts.size() == b.parts.size() &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), isSame);
}

} // namespace cu2cpp::marches
