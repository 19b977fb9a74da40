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
// So are halves of one array (`a[out * n + t]`), arrays that pointers of the block name and swap,
// and the same level in other words: `to[t] = t >= d ? from[t] + from[t - d] : from[t];`, `v =
// from[t]; if (t >= d) v += from[t - d]; to[t] = v;`, `to[t] = from[t]; if (t >= d) to[t] +=
// from[t - d];`.
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

  /// The element of each thread in a row of them: base[first + t].
  struct Row {
    const clang::Expr* base = nullptr;
    const clang::Expr* first = nullptr; ///< none: 0
  };
  const clang::Expr* offset = nullptr;
  Row in, out;
  bool isUnsigned = false; ///< compares as unsigned numbers

  bool find() {
    const std::vector<const clang::Stmt*>& all = region_.statements;
    if (!region_.movedHere.empty() || !region_.uniformLoads.empty() || region_.returns ||
        region_.oneByOne || std::any_of(all.begin(), all.end(), [&](const clang::Stmt* s) {
          return splitter_.regions_.printed.count(s) != 0;
        }))
      return false;
    std::vector<const clang::Stmt*> steps;
    for (const clang::Stmt* s : all)
      if (!isOfThread(s))
        steps.push_back(s);
    return takesEither(steps) || takesChoice(steps) || takesVariable(steps) || takesTwo(steps);
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
  static const clang::BinaryOperator* assignmentIn(const clang::Stmt* s,
                                                   clang::BinaryOperatorKind kind) {
    if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(s))
      s = list->size() == 1 ? list->body_front() : nullptr;
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(s);
    return op && op->getOpcode() == kind ? op : nullptr;
  }
  static const clang::IfStmt* branchOf(const clang::Stmt* s, bool withElse) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    return branch && (branch->getElse() != nullptr) == withElse && !branch->getInit() &&
                   !branch->getConditionVariable() && !branch->isConstexpr()
               ? branch
               : nullptr;
  }

  /// `t >= offset`, or `t < offset`: `adds` tells which
  bool takesTest(const clang::Expr* e, bool& adds) {
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
    if (!test || (test->getOpcode() != clang::BO_GE && test->getOpcode() != clang::BO_LT))
      return false;
    adds = test->getOpcode() == clang::BO_GE;
    offset = test->getRHS()->IgnoreParenImpCasts();
    isUnsigned = test->getRHS()->getType()->isUnsignedIntegerType();
    return isThread(test->getLHS()) && offset->getType()->isIntegerType() &&
           context_.getTypeSize(offset->getType()) == 32 && splitter_.isGroupValue(offset);
  }

  /// `if (t >= d) to[t] = from[t] + from[t - d]; else to[t] = from[t];`
  bool takesEither(const std::vector<const clang::Stmt*>& steps) {
    const clang::IfStmt* branch = steps.size() == 1 ? branchOf(steps[0], true) : nullptr;
    bool adds = false;
    if (!branch || !takesTest(branch->getCond(), adds))
      return false;
    const auto* sum = assignmentIn(adds ? branch->getThen() : branch->getElse(), clang::BO_Assign);
    const auto* copy = assignmentIn(adds ? branch->getElse() : branch->getThen(), clang::BO_Assign);
    return sum && copy && takesRow(sum->getLHS(), out) && takesSum(sum->getRHS()) &&
           isRow(copy->getLHS(), out) && isRow(copy->getRHS(), in);
  }
  /// `to[t] = t >= d ? from[t] + from[t - d] : from[t];`
  bool takesChoice(const std::vector<const clang::Stmt*>& steps) {
    const auto* assignment = steps.size() == 1 ? assignmentIn(steps[0], clang::BO_Assign) : nullptr;
    const auto* choice = assignment ? llvm::dyn_cast<clang::ConditionalOperator>(
                                          assignment->getRHS()->IgnoreParenImpCasts())
                                    : nullptr;
    bool adds = false;
    return choice && takesTest(choice->getCond(), adds) && takesRow(assignment->getLHS(), out) &&
           typeOf(choice) == typeOf(assignment->getLHS()) &&
           takesSum(adds ? choice->getTrueExpr() : choice->getFalseExpr()) &&
           isRow(adds ? choice->getFalseExpr() : choice->getTrueExpr(), in);
  }
  /// `v = from[t]; if (t >= d) v += from[t - d]; to[t] = v;`
  bool takesVariable(const std::vector<const clang::Stmt*>& steps) {
    const auto* declaration =
        steps.size() == 3 ? llvm::dyn_cast<clang::DeclStmt>(steps[0]) : nullptr;
    const auto* value = declaration && declaration->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                            : nullptr;
    const clang::IfStmt* branch = value && value->hasInit() ? branchOf(steps[1], false) : nullptr;
    const auto* store = branch ? assignmentIn(steps[2], clang::BO_Assign) : nullptr;
    bool adds = false;
    return store && namedBy(store->getRHS()->IgnoreParenImpCasts()) == value &&
           value->hasLocalStorage() && !value->getType().isVolatileQualified() &&
           !isUsedElsewhere(value) && takesTest(branch->getCond(), adds) && adds &&
           takesRow(store->getLHS(), out) && takesRow(value->getInit(), in) &&
           typeOf(value->getInit()) == typeOf(store->getLHS()) &&
           value->getType().getCanonicalType().getUnqualifiedType() == typeOf(store->getLHS()) &&
           takesMore(branch->getThen(), [&](const clang::Expr* e) {
             return namedBy(e->IgnoreParenImpCasts()) == value;
           });
  }
  /// `to[t] = from[t]; if (t >= d) to[t] += from[t - d];`
  bool takesTwo(const std::vector<const clang::Stmt*>& steps) {
    const auto* copy = steps.size() == 2 ? assignmentIn(steps[0], clang::BO_Assign) : nullptr;
    const clang::IfStmt* branch = copy ? branchOf(steps[1], false) : nullptr;
    bool adds = false;
    return branch && takesTest(branch->getCond(), adds) && adds && takesRow(copy->getLHS(), out) &&
           takesRow(copy->getRHS(), in) && typeOf(copy->getLHS()) == typeOf(copy->getRHS()) &&
           takesMore(branch->getThen(), [&](const clang::Expr* e) { return isRow(e, out); });
  }
  /// `v += from[t - d]` or `v = v + from[t - d]`
  template <class IsValue> bool takesMore(const clang::Stmt* s, IsValue&& isValue) const {
    if (const auto* op = assignmentIn(s, clang::BO_AddAssign)) {
      const auto* sum = llvm::dyn_cast<clang::CompoundAssignOperator>(op);
      return sum && isValue(op->getLHS()) && isOther(op->getRHS()) &&
             sum->getComputationResultType().getCanonicalType() == typeOf(op->getLHS());
    }
    const auto* op = assignmentIn(s, clang::BO_Assign);
    const auto* sum =
        op ? llvm::dyn_cast<clang::BinaryOperator>(op->getRHS()->IgnoreParenImpCasts()) : nullptr;
    return sum && sum->getOpcode() == clang::BO_Add && typeOf(sum) == typeOf(op->getLHS()) &&
           isValue(op->getLHS()) &&
           ((isValue(sum->getLHS()) && isOther(sum->getRHS())) ||
            (isValue(sum->getRHS()) && isOther(sum->getLHS())));
  }
  /// `from[t] + from[t - d]`
  bool takesSum(const clang::Expr* e) {
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
    return sum && sum->getOpcode() == clang::BO_Add &&
           sum->getType().getCanonicalType().getUnqualifiedType() == element_ &&
           ((takesRow(sum->getLHS(), in) && isOther(sum->getRHS())) ||
            (takesRow(sum->getRHS(), in) && isOther(sum->getLHS())));
  }

  /// `base[t]`, `base[first + t]`
  bool takesRow(const clang::Expr* e, Row& row) {
    const auto* element = elementOf(e);
    if (!element || !isArray(element->getBase()))
      return false;
    row = {element->getBase(), nullptr};
    element_ = typeOf(element);
    return takesIndex(element->getIdx(), row.first);
  }
  bool takesIndex(const clang::Expr* index, const clang::Expr*& first) const {
    index = index->IgnoreParenImpCasts();
    if (isThread(index))
      return true;
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(index);
    if (!sum || sum->getOpcode() != clang::BO_Add || !isOfInts(sum))
      return false;
    first = isThread(sum->getLHS())   ? sum->getRHS()
            : isThread(sum->getRHS()) ? sum->getLHS()
                                      : nullptr;
    return first && splitter_.isGroupValue(first) && splitter_.plan_.text.isWhole(first);
  }
  bool isOfInts(const clang::Expr* e) const {
    return e->getType()->isIntegerType() && context_.getTypeSize(e->getType()) == 32;
  }
  bool isRow(const clang::Expr* e, const Row& row) const {
    const auto* element = elementOf(e);
    const clang::Expr* first = nullptr;
    return element && same(element->getBase(), row.base) && takesIndex(element->getIdx(), first) &&
           isFirst(first, row);
  }
  bool isFirst(const clang::Expr* first, const Row& row) const {
    return first && row.first ? same(first, row.first) : !first && !row.first;
  }
  /// `base[t - d]`, `base[first + t - d]`, `base[first + (t - d)]` of what is added to
  bool isOther(const clang::Expr* e) const {
    const auto* element = elementOf(e);
    if (!element || !same(element->getBase(), in.base))
      return false;
    const auto* index =
        llvm::dyn_cast<clang::BinaryOperator>(element->getIdx()->IgnoreParenImpCasts());
    if (!index || !isOfInts(index))
      return false;
    const clang::Expr* first = nullptr;
    if (index->getOpcode() == clang::BO_Sub)
      return same(index->getRHS(), offset) && takesIndex(index->getLHS(), first) &&
             isFirst(first, in);
    const auto isBack = [&](const clang::Expr* part) {
      const auto* back = llvm::dyn_cast<clang::BinaryOperator>(part->IgnoreParenImpCasts());
      return back && back->getOpcode() == clang::BO_Sub && isOfInts(back) &&
             isThread(back->getLHS()) && same(back->getRHS(), offset);
    };
    return index->getOpcode() == clang::BO_Add &&
           ((isBack(index->getRHS()) && isFirst(index->getLHS(), in)) ||
            (isBack(index->getLHS()) && isFirst(index->getRHS(), in)));
  }

  bool isUsedElsewhere(const clang::VarDecl* value) const {
    return splitter_.regions_.storage.count(value) && !splitter_.isStored(value, Storage::Fresh);
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
  /// A shared array, or a row of one, that lies as it is written, or what a pointer of the block
  /// names.
  bool isArray(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(e);
    if (row && !splitter_.isGroupValue(row->getIdx()))
      return false;
    const clang::VarDecl* base = namedBy(row ? row->getBase() : e);
    if (base && !row && base->getType()->isPointerType())
      return splitter_.isStored(base, Storage::Block) && !base->getType().isVolatileQualified() &&
             isElement(base->getType()->getPointeeType());
    const clang::ArrayType* rows = base ? base->getType()->getAsArrayTypeUnsafe() : nullptr;
    const clang::ArrayType* elements =
        rows && row ? rows->getElementType()->getAsArrayTypeUnsafe() : rows;
    const auto& shared = splitter_.kernel_.shared;
    return elements && isElement(elements->getElementType()) &&
           std::any_of(shared.begin(), shared.end(), [&](const SharedVariable& one) {
             return one.decl == base && !one.turned && one.skewed == SharedVariable::Skew::None;
           });
  }
  static bool isElement(clang::QualType type) {
    return !type->isDependentType() && type->isArithmeticType() && !type.isVolatileQualified();
  }

  const Splitter& splitter_;
  const clang::ASTContext& context_;
  const RegionNode& region_;
  clang::QualType element_;
};

namespace {

/// What a loop does beside its levels has to be of the block's own variables.
bool isOfVariables(const clang::Stmt* s) {
  if (const auto* e = llvm::dyn_cast<clang::Expr>(s))
    return !Uniformity::readsMemory(e);
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
  return declaration &&
         std::all_of(declaration->decl_begin(), declaration->decl_end(), [](const clang::Decl* d) {
           const auto* variable = llvm::dyn_cast<clang::VarDecl>(d);
           return variable && variable->hasLocalStorage() &&
                  (variable->getType()->isPointerType() ||
                   variable->getType()->isArithmeticType()) &&
                  variable->hasInit() && !Uniformity::readsMemory(variable->getInit());
         });
}

} // namespace

std::string Splitter::openDoubling(const RegionNode& node) {
  const RegionNode* const region = onlyLevelOf(node);
  if (!region)
    return "";
  DoublingLevel level(*this, *region);
  const auto touchesMemory = [](const RegionNode& child) {
    return child.kind == Kind::Statement && !isOfVariables(child.statement);
  };
  if (!level.find() || std::any_of(node.children.begin(), node.children.end(), touchesMemory))
    return "";
  // Numbers of 32 bits may wrap around in a sum: `first + t` with an unsigned -1.
  const auto first = [&](const DoublingLevel::Row& row) {
    return "&" + expressionText(row.base->IgnoreParenImpCasts()) + "[0]" +
           (row.first ? " + static_cast<int>(" + expressionText(row.first) + ")" : "");
  };
  const std::string name = "cuLevels" + std::to_string(++levels_);
  const std::string offset = expressionText(level.offset);
  const FileRange begin = rangeOf(region->statements.front());
  const FileRange end = rangeOf(region->statements.back());
  levelTexts_[region] = {{begin.file, begin.begin, end.end},
                         name + ".add(" + (level.isUnsigned ? "unsigned(" + offset + ")" : offset) +
                             ", " + first(level.in) + ", " + first(level.out) + ");"};
  // It is asked for its type alone.
  const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(level.in.base->IgnoreParenImpCasts());
  const clang::VarDecl* array =
      namedBy(row ? row->getBase() : level.in.base->IgnoreParenImpCasts());
  insert(beginOf(node.statement->getBeginLoc()), "{ cu2cpp::DoublingLevels " + name +
                                                     "(cuBlock, &" + array->getNameAsString() +
                                                     (row ? "[0][0]" : "[0]") + "); ");
  return " " + name + ".run(); }";
}

} // namespace cu2cpp
