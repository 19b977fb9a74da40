// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the levels of a scan by doubling offsets, from one shared array to another: the levels
// are noted, and run behind the loop (cu2cpp/doubling_levels.h):
//
//   for (int d = 1; d < n; d *= 2) {         { DoublingLevels cuLevels1(cuBlock, &a[0][0]);
//     out = 1 - out;                           for (int d = 1; d < n; d *= 2) {
//     if (t >= d)                       ->       out = 1 - out;
//       a[out][t] = a[1 - out][t] +              cuLevels1.add(d, &a[1 - out][0], &a[out][0]);
//                   a[1 - out][t - d];         }
//     else                                     cuLevels1.run(); }
//       a[out][t] = a[1 - out][t];
//     __syncthreads();
//   }
//
// The loop does nothing else with memory.
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

/// The one region of such a loop, in parts.
class DoublingLevel {
public:
  DoublingLevel(const Splitter& splitter, const RegionNode& region)
      : splitter_(splitter), context_(splitter.plan_.unit.context()), region_(region) {}

  const clang::Expr *offset = nullptr, *in = nullptr, *out = nullptr; ///< the last two are arrays
  bool isUnsigned = false; ///< compares as unsigned numbers

  bool find() {
    const std::vector<const clang::Stmt*>& all = region_.statements;
    const auto* branch = all.empty() ? nullptr : llvm::dyn_cast<clang::IfStmt>(all.back());
    const auto known = [&](const clang::Stmt* s) { return s == branch || isOfThread(s); };
    if (!branch || !branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
        !region_.movedHere.empty() || !region_.fresh.empty() || !region_.uniformLoads.empty() ||
        region_.returns || region_.oneByOne || !std::all_of(all.begin(), all.end(), known) ||
        splitter_.regions_.printed.count(branch))
      return false;
    const auto* test =
        llvm::dyn_cast<clang::BinaryOperator>(branch->getCond()->IgnoreParenImpCasts());
    if (!test || (test->getOpcode() != clang::BO_GE && test->getOpcode() != clang::BO_LT))
      return false;
    const bool adds = test->getOpcode() == clang::BO_GE;
    offset = test->getRHS()->IgnoreParenImpCasts();
    isUnsigned = test->getRHS()->getType()->isUnsignedIntegerType();
    return isThread(test->getLHS()) && offset->getType()->isIntegerType() &&
           context_.getTypeSize(offset->getType()) == 32 && splitter_.isGroupValue(offset) &&
           takesSum(adds ? branch->getThen() : branch->getElse()) &&
           takesCopy(adds ? branch->getElse() : branch->getThen());
  }

private:
  bool isThread(const clang::Expr* e) const {
    return splitter_.behindIndex(e, "x") == std::optional<long long>(0);
  }
  /// A variable of the thread that each region declares again.
  bool isOfThread(const clang::Stmt* s) const {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    return declaration && declaration->isSingleDecl() &&
           llvm::isa<clang::VarDecl>(declaration->getSingleDecl()) &&
           splitter_.isStored(llvm::cast<clang::VarDecl>(declaration->getSingleDecl()),
                              Storage::Recomputed);
  }
  static const clang::BinaryOperator* assignmentIn(const clang::Stmt* s) {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      s = list->size() == 1 ? list->body_front() : nullptr;
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(s);
    return op && op->getOpcode() == clang::BO_Assign ? op : nullptr;
  }

  /// `a[out][t] = a[in][t] + a[in][t - offset]`
  bool takesSum(const clang::Stmt* s) {
    const clang::BinaryOperator* assignment = assignmentIn(s);
    const auto* sum =
        assignment
            ? llvm::dyn_cast<clang::BinaryOperator>(assignment->getRHS()->IgnoreParenImpCasts())
            : nullptr;
    const auto* target = assignment ? elementOf(assignment->getLHS()) : nullptr;
    if (!sum || sum->getOpcode() != clang::BO_Add || !target || !isThread(target->getIdx()))
      return false;
    const clang::ArraySubscriptExpr* own = elementOf(sum->getLHS());
    const clang::ArraySubscriptExpr* other = elementOf(sum->getRHS());
    if (own && other && !isThread(own->getIdx()))
      std::swap(own, other);
    const auto* back =
        other ? llvm::dyn_cast<clang::BinaryOperator>(other->getIdx()->IgnoreParenImpCasts())
              : nullptr;
    if (!own || !isThread(own->getIdx()) || !back || back->getOpcode() != clang::BO_Sub ||
        !isThread(back->getLHS()) || !same(back->getRHS(), offset) ||
        !same(own->getBase(), other->getBase()))
      return false;
    in = own->getBase();
    out = target->getBase();
    return isArray(in) && isArray(out) && typeOf(own) == typeOf(target) &&
           sum->getType().getCanonicalType().getUnqualifiedType() == typeOf(target);
  }
  /// `a[out][t] = a[in][t]`
  bool takesCopy(const clang::Stmt* s) const {
    const clang::BinaryOperator* assignment = assignmentIn(s);
    const auto* target = assignment ? elementOf(assignment->getLHS()) : nullptr;
    const auto* from = assignment ? elementOf(assignment->getRHS()) : nullptr;
    return target && from && isThread(target->getIdx()) && isThread(from->getIdx()) &&
           same(target->getBase(), out) && same(from->getBase(), in);
  }

  bool same(const clang::Expr* a, const clang::Expr* b) const {
    return areAlike(a->IgnoreParenImpCasts(), b->IgnoreParenImpCasts(), context_);
  }
  static const clang::ArraySubscriptExpr* elementOf(const clang::Expr* e) {
    return llvm::dyn_cast<clang::ArraySubscriptExpr>(e->IgnoreParenImpCasts());
  }
  static clang::QualType typeOf(const clang::Expr* e) {
    return e->getType().getCanonicalType().getUnqualifiedType();
  }
  /// A shared array, or a row of one, that lies as it is written.
  bool isArray(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(e);
    if (row && !splitter_.isGroupValue(row->getIdx()))
      return false;
    const clang::VarDecl* base = namedBy(row ? row->getBase() : e);
    const clang::ArrayType* rows = base ? base->getType()->getAsArrayTypeUnsafe() : nullptr;
    const clang::ArrayType* elements =
        rows && row ? rows->getElementType()->getAsArrayTypeUnsafe() : rows;
    const auto& shared = splitter_.kernel_.shared;
    return elements && !elements->getElementType()->isDependentType() &&
           elements->getElementType()->isArithmeticType() &&
           !elements->getElementType().isVolatileQualified() &&
           std::any_of(shared.begin(), shared.end(), [&](const SharedVariable& one) {
             return one.decl == base && !one.turned && one.skewed == SharedVariable::Skew::None;
           });
  }

  const Splitter& splitter_;
  const clang::ASTContext& context_;
  const RegionNode& region_;
};

std::string Splitter::openDoubling(const RegionNode& node) {
  const RegionNode* const region = onlyLevelOf(node);
  if (!region)
    return "";
  DoublingLevel level(*this, *region);
  const auto touchesMemory = [](const RegionNode& child) {
    return child.kind == Kind::Statement &&
           (!llvm::isa<clang::Expr>(child.statement) ||
            Uniformity::readsMemory(llvm::cast<clang::Expr>(child.statement)));
  };
  if (!level.find() || std::any_of(node.children.begin(), node.children.end(), touchesMemory))
    return "";
  const auto first = [&](const clang::Expr* array) {
    return "&" + expressionText(array->IgnoreParenImpCasts()) + "[0]";
  };
  const std::string name = "cuLevels" + std::to_string(++levels_);
  const std::string offset = expressionText(level.offset);
  const FileRange begin = rangeOf(region->statements.front());
  const FileRange end = rangeOf(region->statements.back());
  levelTexts_[region] = {{begin.file, begin.begin, end.end},
                         name + ".add(" + (level.isUnsigned ? "unsigned(" + offset + ")" : offset) +
                             ", " + first(level.in) + ", " + first(level.out) + ");"};
  const clang::VarDecl* array = namedBy(level.in->IgnoreParenImpCasts());
  const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(level.in->IgnoreParenImpCasts());
  array = row ? namedBy(row->getBase()) : array;
  insert(beginOf(node.statement->getBeginLoc()), "{ cu2cpp::DoublingLevels " + name +
                                                     "(cuBlock, &" + array->getNameAsString() +
                                                     (row ? "[0][0]" : "[0]") + "); ");
  return " " + name + ".run(); }";
}

} // namespace cu2cpp
