// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translations that only compilers read: a place in memory that is a constant more from thread to
// thread of a row is told from where the row begins.
//
//   sum += b[k * n + column];   ->   sum += b[cu2cpp::inRow(k * n + column, threadIdx.x)];
//
// So is one that is one less: `sb[s - t]` is `sb[cu2cpp::inRow<-1>(s - t, threadIdx.x)]`, also in
// shared arrays.
// Of a sum whose second part is the same for the row, that part is told apart: `inRow(i,
// threadIdx.x, + blockDim.x)`.
// Places that are kept within bounds, `clampIndex(x, w)`, lie so where nothing has to be done for
// that: `in[cu2cpp::inRowInside(cuInside, y * w + clampIndex(x, w), threadIdx.x)]`.
//
// Integers of 32 bits may wrap around between two threads. Compilers would ask in front of each
// loop over threads whether they do, and keep a second loop for that, so that sums of an outer loop
// do not stay in registers.
#include <optional>

#include "analyse/clamp_functions.h"
#include "analyse/marks.h"
#include "analyse/regions.h"
#include "analyse/rests.h"
#include "analyse/slopes.h"
#include "analyse/uniformity.h"
#include "parse/syntax_visitor.h"
#include "plan/rewrites.h"

namespace cu2cpp {
namespace {

class Places : public SyntaxVisitor {
public:
  Places(const Plan& plan, SourceText& text, const FunctionFacts& kernel)
      : plan_(plan), text_(text), kernel_(kernel), variables_(kernel.decl, {}, &plan.facts),
        isLoop_(plan.forms.at(&kernel).form == Form::Loop) {
    if (kernel.regions)
      noteOrdered(kernel.regions->nodes);
  }

  bool shouldVisitImplicitCode() const override { return false; }
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  // The address alone says nothing of a load or store.
  bool TraverseUnaryOperator(clang::UnaryOperator* op) override {
    return op->getOpcode() == clang::UO_AddrOf || SyntaxVisitor::TraverseUnaryOperator(op);
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
    const clang::Expr* index = access->getIdx();
    const clang::Expr* base = access->getBase()->IgnoreParens();
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(base);
    if (access->isTypeDependent() || index->isTypeDependent() ||
        access->getBeginLoc().isMacroID() || access->getRBracketLoc().isMacroID())
      return true;
    // A block's dynamic shared memory is reached by a pointer. (clang takes such arrays for ones of
    // one element.)
    const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(base->IgnoreImpCasts());
    const auto* array = named ? llvm::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
    const bool ofKnownSize = cast && cast->getCastKind() == clang::CK_ArrayToPointerDecay &&
                             !(array && isShared(array) && isDynamicShared(array)) &&
                             !inOrder_.count(access);
    if (ofKnownSize && (access->getType()->isArrayType() || !named))
      return true;
    fallsOnly_ = ofKnownSize;
    tellSummand(index, 0);
    return true;
  }

private:
  /// Elements of shared arrays in warps that run in order: `s[t - d]` begins in the middle of a
  /// row.
  void noteOrdered(const std::vector<RegionNode>& nodes) {
    class Elements : public SyntaxVisitor {
    public:
      std::set<const clang::Stmt*>* all = nullptr;
      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
        all->insert(e);
        return true;
      }
    } elements;
    elements.all = &inOrder_;
    for (const RegionNode& node : nodes) {
      if (node.kind == RegionNode::Kind::Warps && node.order != WarpOrder::None)
        for (const clang::Stmt* s : node.statements)
          elements.TraverseStmt(const_cast<clang::Stmt*>(s));
      noteOrdered(node.children);
      noteOrdered(node.otherwise);
    }
  }
  /// Of `base + i`, where the base has 64 bits, `i`.
  void tellSummand(const clang::Expr* index, unsigned depth) {
    constexpr unsigned deepest = 4;
    const clang::Expr* plain = index->IgnoreParenImpCasts();
    if (isOf32Bits(depth ? plain->getType() : index->getType()))
      return tell(depth ? plain : index);
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(plain);
    if (!sum || sum->getOpcode() != clang::BO_Add || depth == deepest ||
        !plain->getType()->isIntegerType())
      return;
    tellSummand(sum->getLHS(), depth + 1);
    tellSummand(sum->getRHS(), depth + 1);
  }
  void tell(const clang::Expr* index) {
    isFar_ = isKept_ = false;
    const std::optional<std::int64_t> step = stepOf(index);
    constexpr std::int64_t widest = 64; // beyond it neighbours share no line of the cache
    if (!step || !(*step == -1 || (*step >= 1 && *step <= widest && !fallsOnly_)) || !isFar_ ||
        !text_.isWhole(index))
      return;
    // A macro's use, and not its text, which others share.
    const clang::SourceManager& sources = plan_.unit.sources();
    const auto range =
        text_.rangeOf(clang::SourceRange(sources.getExpansionLoc(index->getBeginLoc()),
                                         sources.getExpansionRange(index->getEndLoc()).getEnd()));
    if (!range)
      return;
    const std::string open = std::string("cu2cpp::inRow") + (isKept_ ? "Inside" : "") +
                             (*step != 1 ? "<" + std::to_string(*step) + ">(" : "(") +
                             (isKept_ ? "cuInside, " : "");
    const std::string close = ", threadIdx.x)";
    insert(range->file, range->begin, open);
    if (isKept_) {
      insert(range->file, range->end, close);
      return text_.wrap(*range, open, close);
    }
    if (const auto sides = sidesOf(index, *range, *step)) {
      insert(range->file, sides->end, ", threadIdx.x, ");
      insert(range->file, range->end, ")");
      text_.wrap(*sides, open, ", threadIdx.x, ");
      text_.wrap({range->file, sides->end, range->end}, "", ")");
      return;
    }
    insert(range->file, range->end, close);
    text_.wrap(*range, open, close);
  }
  void insert(const std::string& file, unsigned at, const std::string& what) {
    plan_.edits.replace({file, at, at}, what, true);
  }
  /// Of `i + blockDim.x` the range of `i`: what follows, with its `+`, is the same for the row.
  std::optional<FileRange> sidesOf(const clang::Expr* index, const FileRange& range,
                                   std::int64_t step) {
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(index->IgnoreImpCasts());
    if (!sum || sum->getOpcode() != clang::BO_Add || index->getBeginLoc().isMacroID() ||
        index->getEndLoc().isMacroID() || sum->getOperatorLoc().isMacroID() ||
        !isOf32Bits(sum->getType()) || !isOf32Bits(index->getType()) ||
        stepOf(sum->getRHS()) != 0 || stepOf(sum->getLHS()) != step ||
        !text_.isWhole(sum->getLHS()) || !isOf32Bits(sum->getLHS()->IgnoreImpCasts()->getType()) ||
        !isOf32Bits(sum->getRHS()->IgnoreImpCasts()->getType()))
      return std::nullopt;
    const auto left = text_.rangeOf(sum->getLHS()->getSourceRange());
    const auto op = text_.positionOf(sum->getOperatorLoc());
    if (!left || !op || left->file != range.file || left->begin != range.begin ||
        left->end > op->offset || op->file != range.file || range.end <= op->offset)
      return std::nullopt;
    return left;
  }
  bool isOf32Bits(clang::QualType type) const {
    return type->isSpecificBuiltinType(clang::BuiltinType::Int) ||
           type->isSpecificBuiltinType(clang::BuiltinType::UInt);
  }
  /// By how much a value grows from thread to thread, where that is plain to see. What it is made
  /// of besides (isFar_: more than constants) does not matter: a row's threads need not agree on
  /// it.
  std::optional<std::int64_t> stepOf(const clang::Expr* e) {
    e = e->IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) {
      const std::optional<std::int64_t> step = stepOf(cast->getSubExpr());
      return step && (*step == 0 || isOf32Bits(cast->getType())) ? step : std::nullopt;
    }
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e);
        cast && cast->getType()->isIntegerType() &&
        cast->getSubExpr()->getType()->isIntegerType()) {
      const std::optional<std::int64_t> step = stepOf(cast->getSubExpr());
      return step && (*step == 0 || isOf32Bits(cast->getType())) ? step : std::nullopt;
    }
    if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
      return stepOf(pseudo->getResultExpr());
    if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
      return stepOf(temporary->getSubExpr());
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
      return stepOfKept(*call);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e))
      return stepOfKept(*choice);
    if (isPart(e, ThreadIdx, "x"))
      return 1;
    if (llvm::isa<clang::IntegerLiteral>(e))
      return 0;
    if (const auto* sign = llvm::dyn_cast<clang::UnaryOperator>(e);
        sign && (sign->getOpcode() == clang::UO_Minus || sign->getOpcode() == clang::UO_Plus))
      return stepOf(sign->getSubExpr()) == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return variable ? stepOf(variable) : 0;
    }
    if (llvm::isa<clang::MemberExpr>(e)) { // blockIdx.x, a structure of the block
      isFar_ = true;
      return namesOfRow(e) ? std::nullopt : std::optional<std::int64_t>(0);
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op || op->isAssignmentOp() || op->isShiftOp() || !e->getType()->isIntegerType())
      return std::nullopt;
    const auto left = stepOf(op->getLHS()), right = stepOf(op->getRHS());
    if (!left || !right)
      return std::nullopt;
    if (op->getOpcode() == clang::BO_Add)
      return *left + *right;
    if (op->getOpcode() == clang::BO_Sub)
      return *left - *right;
    if (*left == 0 && *right == 0)
      return 0;
    if (isLoop_ && *right == 0 && isRestOfSum(op, plan_.unit.context())) { // `(x + 1) % w`
      isFar_ = isKept_ = true;
      return *left;
    }
    clang::Expr::EvalResult by;
    const clang::Expr* factor = *left == 0 ? op->getLHS() : op->getRHS();
    if (op->getOpcode() != clang::BO_Mul || (*left != 0 && *right != 0) ||
        factor->isValueDependent() || !factor->EvaluateAsInt(by, plan_.unit.context()))
      return std::nullopt;
    constexpr std::int64_t most = 1 << 16;
    const std::int64_t value = by.Val.getInt().getExtValue();
    return value > 0 && value < most && *left + *right < most
               ? std::optional<std::int64_t>((*left + *right) * value)
               : std::nullopt;
  }
  /// Of a place that is kept within bounds: `min(x, w - 1)`, `clampIndex(x, w)`.
  std::optional<std::int64_t> stepOfKept(const clang::CallExpr& call) {
    if (!keepsWithinBounds(call))
      return std::nullopt;
    std::int64_t total = 0;
    for (const clang::Expr* argument : call.arguments()) {
      const auto step = stepOf(argument);
      if (!step || (*step != 0 && total != 0))
        return std::nullopt;
      total += *step;
    }
    isFar_ = true;
    isKept_ |= total != 0;
    return total;
  }
  /// `x < w ? x : w - 1`, or what goes around: `x == 0 ? w - 1 : x - 1`
  std::optional<std::int64_t> stepOfKept(const clang::ConditionalOperator& choice) {
    const auto* compare =
        llvm::dyn_cast<clang::BinaryOperator>(choice.getCond()->IgnoreParenImpCasts());
    if (!compare || !compare->isComparisonOp() || !choice.getType()->isIntegerType())
      return std::nullopt;
    const auto left = stepOf(compare->getLHS()), right = stepOf(compare->getRHS());
    const auto yes = stepOf(choice.getTrueExpr()), no = stepOf(choice.getFalseExpr());
    if (!left || !right || !yes || !no || (*left != 0 && *right != 0))
      return std::nullopt;
    const std::int64_t step = *left + *right;
    // `x < 0 ? x + w : x`: both are places of the thread's own.
    const bool isEither = *yes == step && *no == step && step != 0;
    if (!isEither && ((*yes != 0 && *no != 0) || step != *yes + *no))
      return std::nullopt;
    if (isEither
            ? compare->isEqualityOp()
            : compare->isEqualityOp() && *(compare->getOpcode() == clang::BO_EQ ? yes : no) != 0)
      return std::nullopt;
    isFar_ = true;
    isKept_ |= step != 0;
    return step;
  }
  std::optional<std::int64_t> stepOf(const clang::VarDecl* variable) {
    const LocalVariable* local = variables_.find(variable);
    const bool constant = variable->isConstexpr() || !variable->getType()->isIntegerType();
    isFar_ |= !constant;
    if (!local || llvm::isa<clang::ParmVarDecl>(variable))
      return 0;
    if (local->escapes || !variable->getType()->isIntegerType())
      return std::nullopt;
    if (local->modified)
      return stepOfModified(*local);
    if (!variable->hasInit() || variable->getInit()->isTypeDependent())
      return std::nullopt;
    const bool far = isFar_;
    const std::optional<std::int64_t> step = stepOf(variable->getInit());
    isFar_ = far || isFar_;
    if (!step || *step == 0)
      return step;
    return isOf32Bits(variable->getType()) && isAtHand(variable) ? step : std::nullopt;
  }
  /// The counter of a strided loop keeps its distance from the neighbour's; others that change are
  /// taken for what differs in no way that is known.
  std::optional<std::int64_t> stepOfModified(const LocalVariable& local) {
    if (namesOfRow(local.decl->getInit()))
      return std::nullopt;
    for (const clang::Expr* change : local.assignments)
      if (namesOfRow(change))
        return std::nullopt;
    return 0;
  }
  /// Whether each region can tell the variable again from what it says of threadIdx.
  bool isAtHand(const clang::VarDecl* variable) const {
    if (!kernel_.regions)
      return true;
    for (const auto& [loop, elements] : kernel_.regions->elementLoops)
      if (elements.items && variable == elements.row)
        return false; // its elements may be taken by rows
    const auto stored = kernel_.regions->storage.find(variable);
    return stored == kernel_.regions->storage.end() || stored->second == Storage::Recomputed;
  }
  /// Whether an expression names threadIdx.x, also through variables.
  bool namesOfRow(const clang::Expr* e) const {
    class Names : public SyntaxVisitor {
    public:
      const Uniformity* variables = nullptr;
      std::set<const clang::VarDecl*> seen;
      bool found = false;
      bool VisitMemberExpr(clang::MemberExpr* member) override {
        return !(found |= isPart(member, ThreadIdx, "x"));
      }
      bool VisitCallExpr(clang::CallExpr*) override { return !(found = true); }
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        const LocalVariable* local = variable ? variables->find(variable) : nullptr;
        if (!local || !seen.insert(variable).second)
          return true;
        if (variable->hasInit())
          TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
        for (const clang::Expr* change : local->assignments)
          TraverseStmt(const_cast<clang::Expr*>(change));
        return !found;
      }
    } names;
    names.variables = &variables_;
    names.TraverseStmt(const_cast<clang::Expr*>(e));
    return names.found;
  }

  const Plan& plan_;
  SourceText& text_;
  const FunctionFacts& kernel_;
  const Uniformity variables_;
  std::set<const clang::Stmt*> inOrder_;
  const bool isLoop_; ///< the kernel has the loop form
  bool isFar_ = false;
  bool isKept_ = false;    ///< a place is kept within bounds
  bool fallsOnly_ = false; ///< only places that are less from thread to thread are told
};

} // namespace

void rewritePlaces(Plan& plan, SourceText& text) {
  if (!plan.options.lineDirectives)
    return;
  for (const auto& [kernel, choice] : plan.forms)
    if (choice.form != Form::Fibers && kernel->decl->getBody() &&
        !kernel->decl->getBody()->getBeginLoc().isMacroID())
      Places(plan, text, *kernel).TraverseStmt(kernel->decl->getBody());
}

} // namespace cu2cpp
