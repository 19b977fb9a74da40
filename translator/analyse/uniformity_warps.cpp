// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniformity: the ways in which programs name a warp and count its threads.
#include "analyse/uniformity.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "analyse/marks.h"

namespace cu2cpp {

namespace {

/// The numbers that a function template's specialisations get for a parameter; empty if one gets
/// none.
std::vector<llvm::APSInt> givenFor(const clang::FunctionDecl* function, const clang::Expr* e) {
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  const auto* parameter =
      use ? llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(use->getDecl()) : nullptr;
  clang::FunctionTemplateDecl* made = function->getDescribedFunctionTemplate();
  if (!parameter || !made || parameter->getDepth() != made->getTemplateParameters()->getDepth())
    return {};
  std::vector<llvm::APSInt> out;
  for (const clang::FunctionDecl* one : made->specializations()) {
    const clang::TemplateArgumentList* given = one->getTemplateSpecializationArgs();
    if (!given || parameter->getIndex() >= given->size() ||
        given->get(parameter->getIndex()).getKind() != clang::TemplateArgument::Integral)
      return {};
    out.push_back(given->get(parameter->getIndex()).getAsIntegral());
  }
  return out;
}

bool isMultiple(const llvm::APSInt& value, unsigned lanes) {
  return value.getZExtValue() % lanes == 0;
}

} // namespace

bool Uniformity::isNeverNegative(const clang::Expr* e, unsigned depth) const {
  // What a kernel is given without a sign may be -5 for one that takes it for a number with one.
  for (const clang::Expr* at = e->IgnoreParens();
       const auto* cast = llvm::dyn_cast<clang::CastExpr>(at); at = at->IgnoreParens()) {
    at = cast->getSubExpr();
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(at->IgnoreParenImpCasts());
    if (use && llvm::isa<clang::ParmVarDecl>(use->getDecl()) &&
        cast->getType()->isSignedIntegerType() && at->getType()->isUnsignedIntegerType() &&
        kernel_->getASTContext().getTypeSize(cast->getType()) <=
            kernel_->getASTContext().getTypeSize(at->getType()))
      return false;
  }
  e = e->IgnoreParenCasts();
  if (depth > 12)
    return false;
  if (const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(e))
    return !literal->getValue().isNegative();
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isNeverNegative(pseudo->getResultExpr(), depth + 1);
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    switch (op->getOpcode()) {
    case clang::BO_Add:
    case clang::BO_Mul:
    case clang::BO_Div:
    case clang::BO_Rem:
    case clang::BO_And:
    case clang::BO_Or:
    case clang::BO_Shl:
    case clang::BO_Shr:
      return isNeverNegative(op->getLHS(), depth + 1) && isNeverNegative(op->getRHS(), depth + 1);
    default:
      return false;
    }
  }
  const bool withoutSign =
      e->getType()->isUnsignedIntegerType() && !llvm::isa<clang::UnaryOperator>(e);
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  if (variable && variable->getName() == "warpSize")
    return true;
  if (use && llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl())) {
    const std::vector<llvm::APSInt> given = givenFor(kernel_, use);
    return withoutSign || (!given.empty() &&
                           std::none_of(given.begin(), given.end(), [](const llvm::APSInt& value) {
                             return value.isNegative();
                           }));
  }
  if (!variable || !variable->hasInit() || builtinOf(variable))
    return withoutSign;
  const LocalVariable* local = find(variable);
  return isNeverNegative(variable->getInit(), depth + 1) &&
         (withoutSign || !local || !local->modified);
}

bool Uniformity::risesTo(const clang::BinaryOperator* test, const clang::VarDecl* counter,
                         bool dependent) const {
  if (isNeverNegative(counter->getInit()))
    return true;
  // In a template: no other types than the counter's, and those with a sign.
  class Unlike : public SyntaxVisitor {
  public:
    const clang::VarDecl* counter = nullptr;
    bool found = false;
    bool VisitExpr(clang::Expr* e) override {
      const clang::QualType type = e->getType();
      found |= type->isUnsignedIntegerType() ||
               (type->isDependentType() && !type->isPointerType() &&
                type != counter->getASTContext().DependentTy &&
                !counter->getASTContext().hasSameUnqualifiedType(type, counter->getType()));
      return !found;
    }
  } unlike;
  unlike.counter = counter;
  const auto hasSign = [&](const clang::Expr* e) {
    if (dependent && e->getType()->isDependentType())
      return unlike.TraverseStmt(const_cast<clang::Expr*>(e)) && !unlike.found;
    return e->getType()->isSignedIntegerType() || e->getType()->isRealFloatingType();
  };
  if (!(counter->getType()->isSignedIntegerType() ||
        (dependent && counter->getType()->isDependentType())) ||
      !hasSign(test->getLHS()) || !hasSign(test->getRHS()))
    return false;
  class Widened : public SyntaxVisitor {
  public:
    const Uniformity* uniformity = nullptr;
    bool found = false;
    bool VisitCastExpr(clang::CastExpr* cast) override {
      const clang::QualType to = cast->getType(), from = cast->getSubExpr()->getType();
      const clang::ASTContext& context = uniformity->kernel_->getASTContext();
      if (!to->isDependentType() && !from->isDependentType() && to->isIntegerType() &&
          from->isUnsignedIntegerType() && context.getTypeSize(to) > context.getTypeSize(from))
        found |= !uniformity->isNeverNegative(cast->getSubExpr());
      return !found;
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (variable && uniformity->find(variable) && variable->hasInit() &&
          seen_.insert(variable).second)
        TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
      return !found;
    }

  private:
    std::set<const clang::VarDecl*> seen_;
  } widened;
  widened.uniformity = this;
  widened.TraverseStmt(const_cast<clang::Expr*>(counter->getInit()));
  return !widened.found;
}

/// Whether a value is a multiple of 32 (or the lanes of a tile) if the rows of blocks are: a
/// product with blockDim.x or such a number, or a sum of such.
bool Uniformity::isWholeWarps(const clang::Expr* e, unsigned depth) const {
  e = e->IgnoreParenCasts();
  if (depth > 12)
    return false;
  if (isThreadsIn(e))
    return true;
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isWholeWarps(member->getResultExpr(), depth + 1);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return use && builtinOf(use->getDecl()) == BlockDim &&
           member->getMemberDecl()->getName() == "x";
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    const bool left = isWholeWarps(op->getLHS(), depth + 1);
    if (op->getOpcode() == clang::BO_Mul)
      return left || isWholeWarps(op->getRHS(), depth + 1);
    return op->getOpcode() == clang::BO_Add && left && isWholeWarps(op->getRHS(), depth + 1);
  }
  clang::Expr::EvalResult number;
  if (!e->isValueDependent() && e->EvaluateAsInt(number, kernel_->getASTContext()))
    return isMultiple(number.Val.getInt(), lanes_);
  if (const std::vector<llvm::APSInt> given = givenFor(kernel_, e); !given.empty())
    return std::all_of(given.begin(), given.end(),
                       [&](const llvm::APSInt& value) { return isMultiple(value, lanes_); });
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const LocalVariable* local = variable ? find(variable) : nullptr;
    return local && !local->modified && !local->escapes && variable->hasInit() &&
           isWholeWarps(variable->getInit(), depth + 1);
  }
  return false;
}

/// Whether a value counts threads in the order of warps, from a multiple of 32: threadIdx.x, a
/// thread's rank in its block or in the grid.
bool Uniformity::countsThreads(const clang::Expr* e, unsigned depth) const {
  e = e->IgnoreParenCasts();
  if (depth > 12)
    return false;
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return countsThreads(member->getResultExpr(), depth + 1);
  if (isRankInBlock(e))
    return true;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return use && builtinOf(use->getDecl()) == ThreadIdx &&
           member->getMemberDecl()->getName() == "x";
  }
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const LocalVariable* local = variable ? find(variable) : nullptr;
    return local && !local->modified && variable->hasInit() &&
           countsThreads(variable->getInit(), depth + 1);
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op || op->getOpcode() != clang::BO_Add)
    return false;
  return (countsThreads(op->getLHS(), depth + 1) && isWholeWarps(op->getRHS(), depth + 1)) ||
         (countsThreads(op->getRHS(), depth + 1) && isWholeWarps(op->getLHS(), depth + 1));
}

/// The ways in which programs name a warp: threadIdx.x / 32, tid >> 5, tid & ~31, threadIdx.y. True
/// if rows of threads are multiples of a warp long; what is built on it is checked when the program
/// runs.
bool Uniformity::sameInWarp(const clang::Expr* expression) const {
  const clang::Expr* e = expression->IgnoreParenImpCasts();
  const auto constant = [&](const clang::Expr* value) -> std::optional<long long> {
    value = value->IgnoreParenImpCasts();
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(value))
      if (use->getDecl()->getNameAsString() == "warpSize")
        return 32;
    // A template's parameter that is the same number in all of its specialisations.
    const std::vector<llvm::APSInt> given = givenFor(kernel_, value);
    if (!given.empty() && std::all_of(given.begin(), given.end(), [&](const llvm::APSInt& other) {
          return llvm::APSInt::isSameValue(other, given.front());
        }))
      return given.front().tryExtValue();
    clang::Expr::EvalResult result;
    if (value->isValueDependent() || !value->EvaluateAsInt(result, kernel_->getASTContext()))
      return std::nullopt;
    return result.Val.getInt().tryExtValue();
  };
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return sameInWarp(member->getResultExpr());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return rows_ && use && builtinOf(use->getDecl()) == ThreadIdx &&
           member->getMemberDecl()->getName() != "x";
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return false;
  if (!countsThreads(op->getLHS()))
    return false;
  const auto right = constant(op->getRHS());
  if (!right)
    return false;
  switch (op->getOpcode()) {
  case clang::BO_Div:
    return *right >= lanes_ && *right % lanes_ == 0;
  case clang::BO_Shr:
    return *right >= 0 && *right < 32 && 1ll << *right >= lanes_;
  case clang::BO_And:
    return (*right & (lanes_ - 1)) == 0;
  default:
    return false;
  }
}

} // namespace cu2cpp
