// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions that only move elements between places which are no neighbours for neighbouring threads:
// a thread's own instructions move as much as vectors that gather and scatter, or more.
//
//   const float4 v = a4[row * n / 4 + column];      cu2cpp::eachThreadSingly(cuBlock,
//   tile[4 * column][row] = v.x;               ->       [&](const uint3 threadIdx) { ...
//   tile[4 * column + 1][row] = v.y;
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

class Moves : public SyntaxVisitor {
public:
  explicit Moves(const Splitter& splitter) : splitter_(splitter) {}
  bool good = true;
  bool apart = false; ///< something moves four words, or along a row of a skewed array
  bool inShared = false;

  bool VisitStmt(clang::Stmt* s) override {
    if (llvm::isa<clang::IfStmt, clang::WhileStmt, clang::DoStmt, clang::SwitchStmt,
                  clang::AbstractConditionalOperator, clang::ReturnStmt, clang::BreakStmt,
                  clang::ContinueStmt, clang::GotoStmt, clang::LambdaExpr, clang::AsmStmt,
                  clang::CXXForRangeStmt>(s))
      good = false;
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    if (e && e->isLValue() && isFourWords(e->getType()))
      apart = true;
    return good;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return good &= llvm::isa<clang::CXXOperatorCallExpr>(call)
                       ? callee && callee->isDefaulted() // `to = from` of structures
                       : callee && callee->getIdentifier() && callee->getName() == "__ldg";
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const bool computes = op->getOpcode() != clang::BO_Assign && op->getOpcode() != clang::BO_Comma;
    return good &= !computes || isIndex(op->getType());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return good &= op->getOpcode() == clang::UO_AddrOf || op->getOpcode() == clang::UO_Deref ||
                   isIndex(op->getType());
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    inShared |= isShared(use->getDecl());
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const auto* row =
        llvm::dyn_cast<clang::ArraySubscriptExpr>(element->getBase()->IgnoreParenImpCasts());
    const clang::VarDecl* array = row ? namedBy(row->getBase()) : nullptr;
    if (array && isSkewed(array) && !splitter_.variesInRow(row->getIdx()) &&
        splitter_.isPlaceInRow(element->getIdx()))
      apart = true;
    return true;
  }

private:
  static bool isIndex(clang::QualType type) {
    return !type->isDependentType() && (type->isIntegerType() || type->isPointerType());
  }
  bool isFourWords(clang::QualType type) const {
    constexpr std::int64_t bytes = 16;
    return !type->isDependentType() && type->isRecordType() && !type->isIncompleteType() &&
           splitter_.plan_.unit.context().getTypeSizeInChars(type).getQuantity() == bytes;
  }
  bool isSkewed(const clang::VarDecl* array) const {
    const auto& all = splitter_.kernel_.shared;
    return std::any_of(all.begin(), all.end(), [&](const SharedVariable& shared) {
      return shared.decl == array && shared.skewed != SharedVariable::Skew::None;
    });
  }

  const Splitter& splitter_;
};

bool Splitter::movesApart(const RegionNode& region) const {
  Moves moves(*this);
  for (const clang::Stmt* s : region.statements)
    moves.TraverseStmt(const_cast<clang::Stmt*>(s));
  return moves.good && moves.apart && moves.inShared;
}

} // namespace cu2cpp
