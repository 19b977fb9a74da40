// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions that only move elements between places which are no neighbours for neighbouring threads:
// a thread's own instructions move as much as vectors that gather and scatter, or more.
//
//   const float4 v = a4[row * n / 4 + column];      cu2cpp::eachThreadSingly(cuBlock,
//   tile[4 * column][row] = v.x;               ->       [&](const uint3 threadIdx) { ...
//   tile[4 * column + 1][row] = v.y;
#include "plan/split_moves.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

bool Moves::VisitStmt(clang::Stmt* s) {
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

bool Moves::VisitCallExpr(clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  return good &= llvm::isa<clang::CXXOperatorCallExpr>(call)
                     ? callee && callee->isDefaulted() // `to = from` of structures
                     : callee && callee->getIdentifier() && callee->getName() == "__ldg";
}

bool Moves::VisitBinaryOperator(clang::BinaryOperator* op) {
  const bool computes = op->getOpcode() != clang::BO_Assign && op->getOpcode() != clang::BO_Comma;
  return good &= !computes || isIndex(op->getType());
}

bool Moves::VisitUnaryOperator(clang::UnaryOperator* op) {
  return good &= op->getOpcode() == clang::UO_AddrOf || op->getOpcode() == clang::UO_Deref ||
                 isIndex(op->getType());
}

bool Moves::VisitDeclRefExpr(clang::DeclRefExpr* use) {
  inShared |= isShared(use->getDecl());
  return true;
}

bool Moves::VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) {
  const auto* row =
      llvm::dyn_cast<clang::ArraySubscriptExpr>(element->getBase()->IgnoreParenImpCasts());
  const clang::VarDecl* array = row ? namedBy(row->getBase()) : nullptr;
  if (array && isSkewed(array) && !splitter_.variesInRow(row->getIdx()) &&
      splitter_.isPlaceInRow(element->getIdx()) && copied.count(array) == 0)
    apart = true;
  return true;
}

bool Moves::isIndex(clang::QualType type) {
  return !type->isDependentType() && (type->isIntegerType() || type->isPointerType());
}

bool Moves::isFourWords(clang::QualType type) const {
  constexpr std::int64_t bytes = 16;
  return !type->isDependentType() && type->isRecordType() && !type->isIncompleteType() &&
         splitter_.plan_.unit.context().getTypeSizeInChars(type).getQuantity() == bytes;
}

bool Moves::isSkewed(const clang::VarDecl* array) const {
  const auto& all = splitter_.kernel_.shared;
  return std::any_of(all.begin(), all.end(), [&](const SharedVariable& shared) {
    return shared.decl == array && shared.skewed != SharedVariable::Skew::None;
  });
}

/// `t[i + 1][threadIdx.x + 1]`, i being the same for all threads, where its value is asked for.
bool Moves::readsRow(const clang::DeclRefExpr* use) const {
  const clang::ParentMap& parents = *splitter_.parents_;
  const clang::Stmt* at = use;
  std::vector<const clang::ArraySubscriptExpr*> elements;
  for (const clang::Stmt* parent; (parent = parents.getParent(at)); at = parent) {
    if (llvm::isa<clang::ParenExpr>(parent))
      continue;
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(parent)) {
      if (element->getIdx() == at || elements.size() == 2)
        return false;
      elements.push_back(element);
      continue;
    }
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(parent);
    if (!cast || cast->getCastKind() != clang::CK_ArrayToPointerDecay)
      return cast && cast->getCastKind() == clang::CK_LValueToRValue && elements.size() == 2 &&
             !splitter_.variesInRow(elements[0]->getIdx()) &&
             splitter_.isPlaceInRow(elements[1]->getIdx());
  }
  return false;
}

/// The loop around a region, if it names the array there only and passes over most of its rows.
const clang::ForStmt* Moves::loopOverRows(const RegionNode& region,
                                          const clang::VarDecl* array) const {
  const clang::ParentMap& parents = *splitter_.parents_;
  const clang::Stmt* at = parents.getParent(region.statements.front());
  while (llvm::isa_and_nonnull<clang::CompoundStmt>(at))
    at = parents.getParent(at);
  const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(at);
  const clang::Stmt* list = loop ? parents.getParent(loop) : nullptr;
  const auto counts = loop ? countingLoop(loop, true) : std::nullopt;
  const auto* rows =
      llvm::dyn_cast<clang::ConstantArrayType>(array->getType()->getAsArrayTypeUnsafe());
  if (!counts || !rows || loop->getForLoc().isMacroID() ||
      !llvm::isa_and_nonnull<clang::CompoundStmt>(list) ||
      llvm::isa_and_nonnull<clang::SwitchStmt>(parents.getParent(list)))
    return nullptr;
  const clang::ASTContext& context = splitter_.plan_.unit.context();
  const auto from = constantOf(counts->from, context), to = constantOf(counts->to, context);
  unsigned inside = 0;
  for (const clang::Stmt* s : region.statements)
    inside += countUses(s, array);
  const std::int64_t passed = from && to ? *to - *from + (counts->includesEnd ? 1 : 0) : 0;
  return 2 * passed >= std::int64_t(rows->getSize().getZExtValue()) &&
                 inside == countUses(loop, array)
             ? loop
             : nullptr;
}

std::map<const clang::VarDecl*, RowsRead> Moves::rowsRead(const RegionNode& region) const {
  std::map<const clang::VarDecl*, RowsRead> out;
  if (!splitter_.plan_.options.lineDirectives || splitter_.level_ != Scope::Block ||
      !splitter_.inRunBlock() || splitter_.publish_ || region.oneByOne || splitter_.elements_)
    return out;
  class Uses : public SyntaxVisitor {
  public:
    std::map<const clang::VarDecl*, std::vector<const clang::DeclRefExpr*>> all;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
        all[variable].push_back(use);
      return true;
    }
  } uses;
  for (const clang::Stmt* s : region.statements)
    uses.TraverseStmt(const_cast<clang::Stmt*>(s));
  for (const SharedVariable& shared : splitter_.kernel_.shared) {
    const auto named = uses.all.find(shared.decl);
    if (shared.skewed != SharedVariable::Skew::LastRises || named == uses.all.end() ||
        !std::all_of(named->second.begin(), named->second.end(), [&](const auto* use) {
          return splitter_.plan_.text.isWhole(use) && readsRow(use) &&
                 std::none_of(splitter_.regions_.printed.begin(), splitter_.regions_.printed.end(),
                              [&](const clang::Stmt* s) { return splitter_.isInside(use, s); });
        }))
      continue;
    if (const clang::ForStmt* loop = loopOverRows(region, shared.decl))
      out[shared.decl] = {loop, named->second};
  }
  return out;
}

bool Splitter::movesApart(const RegionNode& region) const {
  Moves moves(*this);
  moves.copied = moves.rowsRead(region);
  for (const clang::Stmt* s : region.statements)
    moves.TraverseStmt(const_cast<clang::Stmt*>(s));
  return moves.good && moves.apart && moves.inShared;
}

} // namespace cu2cpp
