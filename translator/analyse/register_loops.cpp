// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/register_loops.h"

#include <optional>
#include <set>

#include "analyse/region_parts.h"
#include "analyse/regions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace cu2cpp {
namespace {

class Names : public clang::RecursiveASTVisitor<Names> {
public:
  explicit Names(const clang::VarDecl* variable) : variable_(variable) {}
  bool found = false;
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
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

/// Whether a loop's body reaches an element of a thread's own array by the loop's counter, and
/// holds nothing that cannot be written out.
class Body : public clang::RecursiveASTVisitor<Body> {
public:
  explicit Body(const clang::VarDecl* counter) : counter_(counter) {}
  bool ofRegisters = false, fits = true;

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) {
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
  bool VisitStmt(clang::Stmt* s) {
    if (llvm::isa<clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt, clang::SwitchStmt,
                  clang::GotoStmt, clang::LabelStmt, clang::BreakStmt, clang::ContinueStmt,
                  clang::ReturnStmt, clang::AsmStmt, clang::LambdaExpr, clang::CXXTryStmt>(s))
      fits = false;
    return fits;
  }

private:
  const clang::VarDecl* counter_;
};

class Finder : public clang::RecursiveASTVisitor<Finder> {
public:
  explicit Finder(const Regions* regions) : regions_(regions) {
    if (regions)
      addLoops(regions->nodes);
  }
  std::vector<const clang::ForStmt*> loops;

  /// `#pragma unroll` without a number. `_Pragma("unroll")` stays in the text, and says enough.
  bool VisitAttributedStmt(clang::AttributedStmt* s) {
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

  bool TraverseForStmt(clang::ForStmt* loop) {
    const std::uint64_t outside = copies_;
    const auto steps = stepsOf(loop, askedFor_.count(loop) ? mostStepsAskedFor : mostSteps);
    const bool chosen = steps && outside * *steps <= mostCopies && isOfRegisters(loop);
    if (chosen) {
      loops.push_back(loop);
      copies_ *= *steps;
    }
    const bool more = clang::RecursiveASTVisitor<Finder>::TraverseForStmt(loop);
    copies_ = outside;
    return more;
  }

private:
  void addLoops(const std::vector<RegionNode>& nodes) {
    for (const RegionNode& node : nodes) {
      if (node.kind != RegionNode::Kind::Region)
        ofGroup_.insert(node.statement);
      addLoops(node.children);
      addLoops(node.otherwise);
    }
  }

  bool isOfRegisters(const clang::ForStmt* loop) const {
    if (ofGroup_.count(loop) || hasOwnHint_.count(loop))
      return false;
    if (regions_ && regions_->unrolled.count(loop))
      return true;
    Body body(
        llvm::cast<clang::VarDecl>(llvm::cast<clang::DeclStmt>(loop->getInit())->getSingleDecl()));
    body.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    return (body.ofRegisters || askedFor_.count(loop)) && body.fits;
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

  const Regions* regions_;
  std::set<const clang::Stmt*> ofGroup_, askedFor_, hasOwnHint_;
  std::uint64_t copies_ = 1;
};

} // namespace

std::vector<const clang::ForStmt*> findRegisterLoops(const SourceUnit& unit, const Facts& facts) {
  std::vector<const clang::ForStmt*> loops;
  for (const auto& [place, function] : facts.functions) {
    if (!function.device || !unit.isUser(function.decl->getLocation()))
      continue;
    Finder finder(function.regions.get());
    finder.TraverseStmt(function.decl->getBody());
    loops.insert(loops.end(), finder.loops.begin(), finder.loops.end());
  }
  return loops;
}

} // namespace cu2cpp
