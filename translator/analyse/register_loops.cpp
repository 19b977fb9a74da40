// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/register_loops.h"

#include <algorithm>

#include "analyse/plain_structures.h"
#include "analyse/region_parts.h"
#include "analyse/regions.h"
#include "parse/syntax_visitor.h"
#include "clang/AST/Attr.h"

namespace cu2cpp {
namespace {

class Names : public SyntaxVisitor {
public:
  explicit Names(const clang::VarDecl* variable) : variable_(variable) {}
  bool found = false;
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    found |= use->getDecl() == variable_;
    return !found;
  }

private:
  const clang::VarDecl* variable_;
};

bool names(const clang::Expr* e, const clang::VarDecl* variable) {
  Names visitor(variable);
  visitor.TraverseStmt(const_cast<clang::Expr*>(e));
  return visitor.found;
}

/// Whether a loop's body reaches an element of a thread's own array by the loop's counter, or gives
/// it to a function whose loops it tells the steps of, and holds nothing that cannot be written
/// out.
class Body : public SyntaxVisitor {
public:
  Body(const clang::VarDecl* counter, const Facts& facts) : counter_(counter), facts_(facts) {}
  bool ofRegisters = false, fits = true;
  /// It reaches structures of numbers by the counter, and holds no loop and no call.
  bool ofStructures = false, alone = true;
  /// It holds no loop, and the counter decides what a step does: `i < 16 ? b & c : b ^ c`.
  bool innermost = true, decides = false;

  bool VisitIfStmt(clang::IfStmt* branch) override {
    decides |= names(branch->getCond(), counter_);
    return true;
  }
  bool VisitConditionalOperator(clang::ConditionalOperator* choice) override {
    decides |= names(choice->getCond(), counter_);
    return true;
  }

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    ofStructures |= isOfNumbers(element->getType()) && names(element->getIdx(), counter_);
    bool byCounter = false;
    const clang::Expr* base = element;
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      byCounter |= names(at->getIdx(), counter_);
      base = at->getBase()->IgnoreParenImpCasts();
    }
    const clang::VarDecl* array = ownArray(base);
    ofRegisters |=
        byCounter && array && array->getType()->getBaseElementTypeUnsafe()->isArithmeticType();
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const FunctionFacts* known = callee ? facts_.find(callee) : nullptr;
    ofRegisters |=
        known && known->loopsByNumbers &&
        std::any_of(call->arg_begin(), call->arg_end(),
                    [&](const clang::Expr* argument) { return names(argument, counter_); });
    return true;
  }
  bool VisitStmt(clang::Stmt* s) override {
    if (llvm::isa<clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt, clang::SwitchStmt,
                  clang::GotoStmt, clang::LabelStmt, clang::BreakStmt, clang::ContinueStmt,
                  clang::ReturnStmt, clang::AsmStmt, clang::LambdaExpr, clang::CXXTryStmt>(s))
      fits = false;
    alone &= !llvm::isa<clang::ForStmt, clang::CallExpr>(s);
    innermost &= !llvm::isa<clang::ForStmt>(s);
    return fits;
  }

private:
  const clang::VarDecl* counter_;
  const Facts& facts_;
};

/// The loop of an instance's body that stands at the same place.
class SameLoop : public SyntaxVisitor {
public:
  explicit SameLoop(const clang::ForStmt* pattern) : pattern_(pattern) {}
  const clang::ForStmt* found = nullptr;
  bool VisitForStmt(clang::ForStmt* loop) override {
    if (loop->getForLoc() == pattern_->getForLoc())
      found = loop;
    return !found;
  }

private:
  const clang::ForStmt* pattern_;
};

/// Of `for (int i = 0; i < 8; ++i)`, `i <= 8`, `i += 2` and `for (int i = 7; i >= 0; --i)`.
std::optional<std::uint64_t> stepsBetweenConstants(const clang::ForStmt* loop) {
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* counter = init && init->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                            : nullptr;
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
  if (!counter || !counter->getType()->isIntegerType() || !test ||
      namedBy(test->getLHS()) != counter)
    return std::nullopt;
  const clang::ASTContext& context = counter->getASTContext();
  const auto from = constantOf(counter->getInit(), context);
  const auto to = constantOf(test->getRHS(), context);
  std::int64_t by = 0;
  if (const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc())) {
    if (namedBy(step->getSubExpr()) == counter)
      by = step->isIncrementOp() ? 1 : step->isDecrementOp() ? -1 : 0;
  } else if (const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc())) {
    if (namedBy(op->getLHS()) == counter && op->getOpcode() == clang::BO_AddAssign)
      by = constantOf(op->getRHS(), context).value_or(0);
  }
  const clang::BinaryOperatorKind relation = test->getOpcode();
  const bool rises = relation == clang::BO_LT || relation == clang::BO_LE;
  const bool falls = relation == clang::BO_GT || relation == clang::BO_GE;
  if (!from || !to || !(rises ? by > 0 : falls && by < 0))
    return std::nullopt;
  const bool includesEnd = relation == clang::BO_LE || relation == clang::BO_GE;
  const std::int64_t distance = (rises ? *to - *from : *from - *to) + includesEnd;
  const std::int64_t width = by < 0 ? -by : by;
  return distance <= 0 ? 0 : static_cast<std::uint64_t>((distance + width - 1) / width);
}

/// Goes through code of which all loops are to be written out.
class WrittenOut : public SyntaxVisitor {
public:
  /// `instance` is the function's own definition, or one of a template's instances.
  explicit WrittenOut(const clang::FunctionDecl* instance, bool mayLeave)
      : instance_(instance), mayLeave_(mayLeave) {}
  std::set<const clang::ForStmt*> loops;
  std::uint64_t most = 1;
  bool fits = true;

  bool TraverseForStmt(clang::ForStmt* loop) override {
    auto steps = stepsBetweenConstants(loop);
    if (!steps) {
      SameLoop same(loop);
      same.TraverseStmt(instance_->getBody());
      steps = same.found ? stepsBetweenConstants(same.found) : std::nullopt;
    }
    if (!steps || *steps > mostStepsAskedFor || loop->getForLoc().isMacroID())
      return fits = false;
    loops.insert(loop);
    const std::uint64_t outside = copies_;
    copies_ *= std::max<std::uint64_t>(*steps, 1);
    most = std::max(most, copies_);
    const bool more = SyntaxVisitor::TraverseForStmt(loop);
    copies_ = outside;
    return more;
  }
  bool VisitStmt(clang::Stmt* s) override {
    if (llvm::isa<clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt, clang::SwitchStmt,
                  clang::GotoStmt, clang::LabelStmt, clang::AsmStmt, clang::LambdaExpr,
                  clang::CXXTryStmt>(s) ||
        (!mayLeave_ && llvm::isa<clang::BreakStmt, clang::ContinueStmt>(s)))
      fits = false;
    return fits;
  }

private:
  const clang::FunctionDecl* instance_;
  bool mayLeave_;
  std::uint64_t copies_ = 1;
};

class Finder : public SyntaxVisitor {
public:
  Finder(const FunctionFacts& function, const Facts& facts)
      : facts_(facts), regions_(function.regions.get()),
        sources_(function.decl->getASTContext().getSourceManager()) {
    if (!regions_)
      return;
    addLoops(regions_->nodes);
    if (!regions_->rows.empty())
      addLoopsOfRows(regions_->nodes, function);
  }
  std::vector<const clang::ForStmt*> loops;

  /// `#pragma unroll` without a number. `_Pragma("unroll")` stays in the text, and says enough.
  bool VisitAttributedStmt(clang::AttributedStmt* s) override {
    for (const clang::Attr* attribute : s->getAttrs())
      if (const auto* hint = llvm::dyn_cast<clang::LoopHintAttr>(attribute)) {
        if (hint->getLocation().isMacroID())
          hasOwnHint_.insert(s->getSubStmt());
        else if (hint->getOption() == clang::LoopHintAttr::Unroll &&
                 hint->getState() != clang::LoopHintAttr::Disable)
          askedFor_.insert(s->getSubStmt());
      }
    return true;
  }

  bool TraverseForStmt(clang::ForStmt* loop) override {
    const std::uint64_t outside = copies_;
    const bool known = regions_ && regions_->behind.count(loop);
    if (isAskedForInText(loop))
      askedFor_.insert(loop);
    const auto steps = stepsOf(loop, isOfRounds(loop)                 ? mostRounds
                                     : askedFor_.count(loop) || known ? mostStepsAskedFor
                                                                      : mostSteps);
    const bool chosen =
        ofRows_.count(loop) || (known && !hasOwnHint_.count(loop)) ||
        (steps && outside * *steps <= mostCopies && isOfRegisters(loop)) ||
        (steps && *steps <= mostStepsOfBlock && ofBarriers_.count(loop) && askedFor_.count(loop));
    if (chosen) {
      loops.push_back(loop);
      copies_ *= steps.value_or(1);
    }
    const bool more = SyntaxVisitor::TraverseForStmt(loop);
    copies_ = outside;
    return more;
  }

private:
  /// The hint that a plain form has left in front of a loop.
  bool isAskedForInText(const clang::ForStmt* loop) const {
    const clang::SourceLocation place = loop->getForLoc();
    if (place.isMacroID())
      return false;
    const auto [file, offset] = sources_.getDecomposedLoc(place);
    return sources_.getBufferData(file).take_front(offset).rtrim().ends_with(unrollAsked);
  }
  void addLoops(const std::vector<RegionNode>& nodes) {
    for (const RegionNode& node : nodes) {
      if (node.kind != RegionNode::Kind::Region)
        ofGroup_.insert(node.statement);
      if (node.kind == RegionNode::Kind::Loop && isOfBarriers(node))
        ofBarriers_.insert(node.statement);
      addLoops(node.children);
      addLoops(node.otherwise);
    }
  }

  /// A loop of which each step is some regions with barriers between them. Where the user wants it
  /// written out, bounds of threads that shrink from step to step (`if (x >= s && x < 32 - s)`) and
  /// buffers that take turns are constants.
  static bool isOfBarriers(const RegionNode& loop) {
    return loop.calls.empty() &&
           std::any_of(
               loop.children.begin(), loop.children.end(),
               [](const RegionNode& child) { return child.kind == RegionNode::Kind::Barrier; }) &&
           std::all_of(loop.children.begin(), loop.children.end(), [](const RegionNode& child) {
             return child.children.empty() && child.otherwise.empty() && child.calls.empty();
           });
  }

  /// All loops in regions that name arrays which are kept as rows.
  void addLoopsOfRows(const std::vector<RegionNode>& nodes, const FunctionFacts& function) {
    for (const RegionNode& node : nodes) {
      if (std::any_of(node.uses.begin(), node.uses.end(),
                      [&](const clang::VarDecl* v) { return regions_->rows.count(v) != 0; }))
        for (const clang::Stmt* s : node.statements)
          addWrittenOut(s, function, ofRows_);
      addLoopsOfRows(node.children, function);
      addLoopsOfRows(node.otherwise, function);
    }
  }

  /// Rounds of a hash, of which each does what its number says: with `#pragma unroll`, also longer
  /// ones are written out.
  bool isOfRounds(const clang::ForStmt* loop) const {
    if (!askedFor_.count(loop) || !stepsOf(loop, mostRounds))
      return false;
    Body body(countingLoop(loop, true)->counter, facts_);
    body.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    return body.fits && body.innermost && (body.decides || body.ofRegisters);
  }

  bool isOfRegisters(const clang::ForStmt* loop) const {
    if (ofGroup_.count(loop) || hasOwnHint_.count(loop))
      return false;
    if (regions_ && regions_->unrolled.count(loop))
      return true;
    Body body(
        llvm::cast<clang::VarDecl>(llvm::cast<clang::DeclStmt>(loop->getInit())->getSingleDecl()),
        facts_);
    body.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    // (compilers write out less where each step takes structures apart)
    const bool takesApart = regions_ && body.ofStructures && body.alone;
    return (body.ofRegisters || takesApart || askedFor_.count(loop)) && body.fits;
  }

  /// The steps of a loop between constants; of a size that a template parameter gives the most that
  /// are written out.
  static std::optional<std::uint64_t> stepsOf(const clang::ForStmt* loop, std::uint64_t most) {
    const auto head = countingLoop(loop, true);
    if (!head)
      return std::nullopt;
    const clang::ASTContext& context = head->counter->getASTContext();
    const auto from = constantOf(head->from, context), to = constantOf(head->to, context);
    if (!from)
      return std::nullopt;
    if (head->to->isValueDependent()) {
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(head->to->IgnoreParenImpCasts());
      return use && llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl())
                 ? std::optional<std::uint64_t>(mostSteps)
                 : std::nullopt;
    }
    if (!to)
      return std::nullopt;
    const std::int64_t steps = *to - *from + head->includesEnd;
    return steps < 2 || steps > std::int64_t(most)
               ? std::nullopt
               : std::optional<std::uint64_t>(static_cast<std::uint64_t>(steps));
  }

  const Facts& facts_;
  const Regions* regions_;
  const clang::SourceManager& sources_;
  std::set<const clang::Stmt*> ofGroup_, ofBarriers_, askedFor_, hasOwnHint_;
  std::set<const clang::ForStmt*> ofRows_;
  std::uint64_t copies_ = 1;
};

} // namespace

bool addWrittenOut(const clang::Stmt* code, const FunctionFacts& function,
                   std::set<const clang::ForStmt*>& loops, std::uint64_t mostCopies,
                   bool mayLeave) {
  std::set<const clang::ForStmt*> all;
  for (const clang::FunctionDecl* body :
       function.bodies.empty() ? std::vector{function.decl} : function.bodies) {
    // A template alone knows no steps.
    if (body->isDependentContext() && function.bodies.size() > 1)
      continue;
    WrittenOut found(body, mayLeave);
    found.TraverseStmt(const_cast<clang::Stmt*>(code));
    if (!found.fits || found.most > mostCopies)
      return false;
    all.insert(found.loops.begin(), found.loops.end());
  }
  loops.insert(all.begin(), all.end());
  return true;
}

bool hasMoreSteps(const clang::ForStmt* loop, std::uint64_t steps) {
  return stepsBetweenConstants(loop).value_or(0) > steps;
}

std::vector<const clang::ForStmt*> findRegisterLoops(const SourceUnit& unit, const Facts& facts) {
  std::vector<const clang::ForStmt*> loops;
  for (const auto& [place, function] : facts.functions) {
    if (!function.device || !unit.isUser(function.decl->getLocation()))
      continue;
    Finder finder(function, facts);
    finder.TraverseStmt(function.decl->getBody());
    loops.insert(loops.end(), finder.loops.begin(), finder.loops.end());
  }
  return loops;
}

} // namespace cu2cpp
