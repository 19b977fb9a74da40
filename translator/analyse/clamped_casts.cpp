// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/clamped_casts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Range is the values that an expression can have. It is never NaN where both ends are finite.
struct Range {
  double least = -unlimited, most = unlimited;
  bool finite() const { return least > -unlimited && most < unlimited; }
};

class Ranges {
public:
  explicit Ranges(const clang::ASTContext& context) : context_(context) {}

  Range of(const clang::Expr* e, int depth = 0) const {
    e = e->IgnoreParens();
    if (depth > 16 || e->isTypeDependent() || e->isValueDependent())
      return {};
    clang::Expr::EvalResult result;
    if (e->getType()->isRealFloatingType() && e->EvaluateAsRValue(result, context_) &&
        result.Val.isFloat() && result.Val.getFloat().isFinite()) {
      llvm::APFloat number = result.Val.getFloat();
      bool inexact = false;
      number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
      return {number.convertToDouble(), number.convertToDouble()};
    }
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e))
      return ofCast(cast, depth);
    if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(e))
      return ofOperation(operation, depth);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
      return ofCall(call, depth);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
      const Range a = of(choice->getTrueExpr(), depth + 1),
                  b = of(choice->getFalseExpr(), depth + 1);
      return {std::min(a.least, b.least), std::max(a.most, b.most)};
    }
    return {};
  }

private:
  Range ofCast(const clang::CastExpr* cast, int depth) const {
    const clang::Expr* from = cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_IntegralToFloating) {
      const double bits = double(context_.getTypeSize(from->getType()));
      const bool isSigned = from->getType()->isSignedIntegerOrEnumerationType();
      const double most = std::exp2(isSigned ? bits - 1 : bits);
      return {isSigned ? -most : 0, most};
    }
    if (cast->getCastKind() == clang::CK_LValueToRValue) { // `const float share = ...;`
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(from->IgnoreParens());
      const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
      if (variable && variable->getType().isConstQualified() && variable->hasInit() &&
          !llvm::isa<clang::ParmVarDecl>(variable))
        return of(variable->getInit(), depth + 1);
      return {};
    }
    return from->getType()->isRealFloatingType() ? of(from, depth + 1) : Range{};
  }

  Range ofOperation(const clang::BinaryOperator* operation, int depth) const {
    const Range a = of(operation->getLHS(), depth + 1), b = of(operation->getRHS(), depth + 1);
    if (!a.finite() || !b.finite())
      return {};
    switch (operation->getOpcode()) {
    case clang::BO_Add:
      return {a.least + b.least, a.most + b.most};
    case clang::BO_Sub:
      return {a.least - b.most, a.most - b.least};
    case clang::BO_Mul:
      return product(a, b);
    case clang::BO_Div:
      if (b.least <= 0 && b.most >= 0)
        return {};
      return product(a, {1 / b.most, 1 / b.least});
    default:
      return {};
    }
  }

  static Range product(Range a, Range b) {
    return {std::min({a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most}),
            std::max({a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most})};
  }

  Range ofCall(const clang::CallExpr* call, int depth) const {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier() || call->getNumArgs() == 0)
      return {};
    const llvm::StringRef name = callee->getName();
    // Of a number and NaN, fmin() and fmax() take the number.
    if (call->getNumArgs() == 2 && (name == "fminf" || name == "fmin" || name == "min")) {
      const Range a = of(call->getArg(0), depth + 1), b = of(call->getArg(1), depth + 1);
      return {std::min(a.least, b.least), std::min(a.most, b.most)};
    }
    if (call->getNumArgs() == 2 && (name == "fmaxf" || name == "fmax" || name == "max")) {
      const Range a = of(call->getArg(0), depth + 1), b = of(call->getArg(1), depth + 1);
      return {std::max(a.least, b.least), std::max(a.most, b.most)};
    }
    if (name == "__saturatef" || name.starts_with("curand_uniform"))
      return {0, 1};
    if (name == "floor" || name == "floorf" || name == "ceil" || name == "ceilf" ||
        name == "rint" || name == "rintf" || name == "round" || name == "roundf" ||
        name == "trunc" || name == "truncf" || name == "nearbyint" || name == "nearbyintf") {
      const Range a = of(call->getArg(0), depth + 1);
      return {std::floor(a.least), std::ceil(a.most)};
    }
    if (name == "sqrt" || name == "sqrtf") {
      const Range a = of(call->getArg(0), depth + 1);
      return a.finite() && a.least >= 0 ? Range{0, std::sqrt(a.most)} : Range{};
    }
    return {};
  }

  const clang::ASTContext& context_;
};

class Finder : public SyntaxVisitor {
public:
  Finder(const clang::ASTContext& context, std::map<clang::SourceLocation, ClampedCast>& found,
         std::set<clang::SourceLocation>& skipped)
      : context_(context), ranges_(context), found_(found), skipped_(skipped) {}

  bool VisitCallExpr(clang::CallExpr* call) override {
    for (const clang::Expr* argument : call->arguments())
      argument_.insert(argument);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* call) override {
    for (const clang::Expr* argument : call->arguments())
      argument_.insert(argument);
    return true;
  }
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr* cast) override {
    // `T(x)` in a template may make any type of x.
    if (cast->getTypeAsWritten()->isDependentType())
      skipped_.insert(cast->getSubExprAsWritten()->getBeginLoc());
    return true;
  }
  bool VisitCastExpr(clang::CastExpr* cast) override {
    if (cast->getCastKind() != clang::CK_FloatingToIntegral || cast->isTypeDependent())
      return true;
    const clang::Expr* value = cast->getSubExpr()->IgnoreImpCasts();
    const clang::QualType to = cast->getType();
    const std::uint64_t bits = context_.getTypeSize(to);
    // A template's own type may be a class in another instance.
    if (to->getAs<clang::SubstTemplateTypeParmType>())
      return true;
    if (to->isEnumeralType() || bits > 64)
      return true;
    // Small types get what 32 bits hold of the value.
    const bool isSigned = to->isSignedIntegerType();
    const double width = double(std::max<std::uint64_t>(bits, 32));
    const double beyond = std::exp2(isSigned ? width - 1 : width);
    const Range range = ranges_.of(cast->getSubExpr());
    if (range.most < beyond && (isSigned ? range.least >= -beyond : range.least > -1))
      return true;
    std::string type;
    if (argument_.count(cast))
      type = to.getCanonicalType().getUnqualifiedType().getAsString(context_.getPrintingPolicy());
    found_.insert({value->getBeginLoc(), {value, type}});
    return true;
  }
  bool VisitCompoundAssignOperator(clang::CompoundAssignOperator* op) override {
    const clang::Expr* to = op->getLHS();
    const clang::QualType type = to->getType();
    // A proxy can't refer to bit-fields.
    if (op->isTypeDependent() || op->isValueDependent() ||
        to->getObjectKind() != clang::OK_Ordinary ||
        !op->getComputationResultType()->isRealFloatingType() || type.isVolatileQualified() ||
        !type->isIntegerType() || type->isBooleanType() || context_.getTypeSize(type) > 64 ||
        type->getAs<clang::SubstTemplateTypeParmType>())
      return true;
    found_.insert({to->getBeginLoc(), {to, "", true}});
    return true;
  }

private:
  const clang::ASTContext& context_;
  const Ranges ranges_;
  std::map<clang::SourceLocation, ClampedCast>& found_;
  std::set<clang::SourceLocation>& skipped_;
  std::set<const clang::Expr*> argument_;
};

} // namespace

std::vector<ClampedCast> findClampedCasts(const SourceUnit& unit, const Facts& facts) {
  std::map<clang::SourceLocation, ClampedCast> found; // instances of a template share their text
  std::set<clang::SourceLocation> skipped;
  for (const auto& [place, function] : facts.functions) {
    if (!function.device || !unit.isUser(function.decl->getLocation()))
      continue;
    for (const clang::FunctionDecl* body : function.bodies)
      Finder(body->getASTContext(), found, skipped).TraverseStmt(body->getBody());
  }
  std::vector<ClampedCast> casts;
  for (const auto& [place, cast] : found)
    if (!skipped.count(place))
      casts.push_back(cast);
  return casts;
}

} // namespace cu2cpp
