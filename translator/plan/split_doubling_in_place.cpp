// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the levels of a scan by doubling offsets in one shared array, which the block reads
// before a barrier and adds to behind it: the levels are noted, and run behind the loop
// (cu2cpp/doubling_levels.h):
//
//   for (int d = 1; d < n; d *= 2) {    { DoublingLevels cuLevels1(cuBlock, &s[0], true);
//     float v = t >= d ? s[t - d] : 0;    for (int d = 1; d < n; d *= 2) {
//     __syncthreads();               ->     cuLevels1.addInPlace(d, &s[0]);
//     s[t] += v;                          }
//     __syncthreads();                    cuLevels1.run(); }
//   }
//
// So are `float v; if (t >= d) v = s[t - d]; ... if (t >= d) s[t] += v;`, where the threads in
// front add nothing, and `float v = s[t]; if (t >= d) v += s[t - d]; ... s[t] = v;`.
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

/// What the warps of such a loop do in a step, in parts.
class DoublingInPlace {
public:
  DoublingInPlace(const Splitter& splitter, const RegionNode& warps)
      : splitter_(splitter), context_(splitter.plan_.unit.context()), warps_(warps) {}

  const clang::Expr* offset = nullptr;
  const clang::VarDecl* array = nullptr;
  bool isUnsigned = false; ///< compares as unsigned numbers
  bool addsZero = false;   ///< the threads in front add +0

  bool find() {
    std::vector<const clang::Stmt*> before, behind;
    unsigned regions = 0;
    for (const RegionNode& part : warps_.children) {
      if (part.kind == RegionNode::Kind::Barrier && regions == 1)
        continue;
      if (part.kind != RegionNode::Kind::Region || ++regions > 2 || !isPlain(part))
        return false;
      for (const clang::Stmt* s : part.statements)
        if (!isOfThread(s))
          (regions == 1 ? before : behind).push_back(s);
    }
    if (warps_.order != WarpOrder::Falling || !warps_.movedHere.empty() || regions != 2 ||
        before.empty() || before.size() > 2 || behind.size() != 1)
      return false;
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(before.front());
    value_ = declaration && declaration->isSingleDecl()
                 ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                 : nullptr;
    if (!value_ || !value_->hasLocalStorage() || value_->getType()->isDependentType() ||
        value_->getType().isVolatileQualified() || !value_->getType()->isArithmeticType())
      return false;
    const clang::Expr* const init =
        value_->hasInit() ? value_->getInit()->IgnoreParenImpCasts() : nullptr;
    if (before.size() == 1)
      return takesChoice(init) && takesUpdate(behind.front(), Given::Zero);
    if (!init)
      return takesGuarded(before.back(), clang::BO_Assign) &&
             takesUpdate(behind.front(), Given::Nothing);
    if (isZero(value_->getInit()))
      return takesGuarded(before.back(), clang::BO_Assign) &&
             takesUpdate(behind.front(), Given::Zero);
    const auto* own = elementOf(init);
    return own && isThread(own->getIdx()) && takesArray(own) &&
           takesGuarded(before.back(), clang::BO_AddAssign) &&
           takesUpdate(behind.front(), Given::Sum);
  }

private:
  /// What the variable holds in threads in front of the offset.
  enum class Given { Nothing, Zero, Sum };

  bool isPlain(const RegionNode& part) const {
    return part.movedHere.empty() && part.fresh.empty() && part.uniformLoads.empty() &&
           !part.returns && !part.oneByOne &&
           std::none_of(part.statements.begin(), part.statements.end(), [&](const clang::Stmt* s) {
             return splitter_.regions_.printed.count(s) != 0;
           });
  }
  bool isThread(const clang::Expr* e) const {
    return splitter_.behindIndex(e, "x") == std::optional<long long>(0);
  }
  /// A variable of the thread that each region declares again.
  bool isOfThread(const clang::Stmt* s) const {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    const auto* variable = declaration && declaration->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                               : nullptr;
    return variable && splitter_.isStored(variable, Storage::Recomputed);
  }
  static const clang::Expr* onlyIn(const clang::Stmt* s) {
    if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(s))
      s = list->size() == 1 ? list->body_front() : nullptr;
    return llvm::dyn_cast_or_null<clang::Expr>(s);
  }
  static const clang::BinaryOperator* assignmentIn(const clang::Stmt* s,
                                                   clang::BinaryOperatorKind kind) {
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(onlyIn(s));
    return op && op->getOpcode() == kind ? op : nullptr;
  }
  static const clang::ArraySubscriptExpr* elementOf(const clang::Expr* e) {
    return llvm::dyn_cast<clang::ArraySubscriptExpr>(e->IgnoreParenImpCasts());
  }

  /// `t >= offset`, each time the same.
  bool takesTest(const clang::Expr* e) {
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
    if (!test || test->getOpcode() != clang::BO_GE || !isThread(test->getLHS()))
      return false;
    const clang::Expr* const by = test->getRHS()->IgnoreParenImpCasts();
    const bool compares = test->getRHS()->getType()->isUnsignedIntegerType();
    if (offset)
      return compares == isUnsigned && areAlike(by, offset, context_);
    offset = by;
    isUnsigned = compares;
    return offset->getType()->isIntegerType() && context_.getTypeSize(offset->getType()) == 32 &&
           splitter_.isGroupValue(offset);
  }
  /// An element of the one array, of the variable's type, with nothing in between.
  bool takesArray(const clang::ArraySubscriptExpr* element) {
    const clang::VarDecl* const base = namedBy(element->getBase()->IgnoreParenImpCasts());
    if (array)
      return base == array;
    const clang::ArrayType* const elements =
        base ? base->getType()->getAsArrayTypeUnsafe() : nullptr;
    const auto& shared = splitter_.kernel_.shared;
    array = base;
    return elements && !elements->getElementType().isVolatileQualified() &&
           context_.hasSameUnqualifiedType(elements->getElementType(), value_->getType()) &&
           std::any_of(shared.begin(), shared.end(), [&](const SharedVariable& one) {
             return one.decl == base && !one.turned && one.skewed == SharedVariable::Skew::None;
           });
  }
  /// `s[t - offset]`, behind the test.
  bool takesOther(const clang::Expr* e) {
    const auto* other = elementOf(e);
    const auto* back =
        other ? llvm::dyn_cast<clang::BinaryOperator>(other->getIdx()->IgnoreParenImpCasts())
              : nullptr;
    return back && back->getOpcode() == clang::BO_Sub && isThread(back->getLHS()) &&
           areAlike(back->getRHS()->IgnoreParenImpCasts(), offset, context_) && takesArray(other);
  }
  bool isZero(const clang::Expr* e) const {
    clang::Expr::EvalResult result;
    return !e->isValueDependent() && e->EvaluateAsRValue(result, context_) &&
           (result.Val.isInt()     ? result.Val.getInt() == 0
            : result.Val.isFloat() ? result.Val.getFloat().isPosZero()
                                   : false);
  }
  bool takesChoice(const clang::Expr* init) {
    const auto* choice = llvm::dyn_cast_or_null<clang::ConditionalOperator>(init);
    return choice && takesTest(choice->getCond()) && takesOther(choice->getTrueExpr()) &&
           isZero(choice->getFalseExpr()) &&
           context_.hasSameUnqualifiedType(choice->getType(), value_->getType());
  }
  const clang::IfStmt* guardIn(const clang::Stmt* s) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    return branch && !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
                   takesTest(branch->getCond())
               ? branch
               : nullptr;
  }
  /// `if (t >= d) v = s[t - d];`
  bool takesGuarded(const clang::Stmt* s, clang::BinaryOperatorKind kind) {
    const clang::IfStmt* const branch = guardIn(s);
    const auto* op = branch ? assignmentIn(branch->getThen(), kind) : nullptr;
    return op && namedBy(op->getLHS()->IgnoreParens()) == value_ && isPlainSum(op) &&
           takesOther(op->getRHS());
  }
  /// `s[t] += v;`, for all threads or behind the test, or `s[t] = v;`
  bool takesUpdate(const clang::Stmt* s, Given given) {
    const clang::IfStmt* const branch =
        llvm::isa<clang::IfStmt>(s) && given != Given::Sum ? guardIn(s) : nullptr;
    if (!branch && given == Given::Nothing)
      return false;
    addsZero = !branch && given == Given::Zero;
    const auto* op = assignmentIn(branch ? branch->getThen() : s,
                                  given == Given::Sum ? clang::BO_Assign : clang::BO_AddAssign);
    const auto* target = op ? elementOf(op->getLHS()) : nullptr;
    return target && isThread(target->getIdx()) && takesArray(target) && isPlainSum(op) &&
           namedBy(op->getRHS()->IgnoreParenImpCasts()) == value_;
  }
  /// Whether a sum is made in the elements' own type, or in int of smaller ones.
  bool isPlainSum(const clang::BinaryOperator* op) const {
    const auto* sum = llvm::dyn_cast<clang::CompoundAssignOperator>(op);
    return !sum ||
           sum->getComputationResultType()->isIntegerType() == value_->getType()->isIntegerType();
  }

  const Splitter& splitter_;
  const clang::ASTContext& context_;
  const RegionNode& warps_;
  const clang::VarDecl* value_ = nullptr;
};

std::string Splitter::openDoublingInPlace(const RegionNode& node) {
  const RegionNode* const warps = onlyLevelOf(node, RegionNode::Kind::Warps);
  if (!warps)
    return "";
  DoublingInPlace level(*this, *warps);
  const auto touchesMemory = [](const RegionNode& child) {
    return child.kind == Kind::Statement &&
           (!llvm::isa<clang::Expr>(child.statement) ||
            Uniformity::readsMemory(llvm::cast<clang::Expr>(child.statement)));
  };
  if (!level.find() || std::any_of(node.children.begin(), node.children.end(), touchesMemory))
    return "";
  const std::string name = "cuLevels" + std::to_string(++levels_);
  const std::string offset = expressionText(level.offset);
  const std::string first = "&" + level.array->getNameAsString() + "[0]";
  const FileRange begin = rangeOf(warps->statements.front());
  const FileRange end = rangeOf(warps->statements.back());
  levelTexts_[warps] = {{begin.file, begin.begin, end.end},
                        name + ".addInPlace(" +
                            (level.isUnsigned ? "unsigned(" + offset + ")" : offset) + ", " +
                            first + ");"};
  insert(beginOf(node.statement->getBeginLoc()), "{ cu2cpp::DoublingLevels " + name + "(cuBlock, " +
                                                     first + ", " +
                                                     (level.addsZero ? "true" : "false") + "); ");
  return " " + name + ".run(); }";
}

} // namespace cu2cpp
