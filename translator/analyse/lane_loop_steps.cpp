// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that run outside of the loop over threads (lane_loops.cpp): how loops step, and how values
// differ between neighbouring threads.
#include "analyse/lane_loop_parts.h"

#include <algorithm>

#include "analyse/clamp_functions.h"
#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

bool changesInHeaderOnly(const clang::ForStmt* loop, const LocalVariable& local) {
  return local.assignments.size() == 1 && loop->getInc() &&
         local.assignments.front() == loop->getInc()->IgnoreParens();
}

/// How far a loop's variable moves in each step of `i += 8`, or 1.
unsigned long long widthOfSteps(const clang::ForStmt* loop) {
  const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
  if (!op || op->getOpcode() != clang::BO_AddAssign)
    return 1;
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParens());
  const auto width = use ? constantOf(op->getRHS(), use->getDecl()->getASTContext()) : std::nullopt;
  return width && *width > 0 ? static_cast<unsigned long long>(*width) : 1;
}

} // namespace

std::optional<unsigned long long> stepsBetweenConstants(const clang::ForStmt* loop) {
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* variable = init && init->isSingleDecl()
                             ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                             : nullptr;
  const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
  if (!variable || !variable->hasInit() || !variable->getType()->isIntegerType() || !test)
    return std::nullopt;
  const clang::ASTContext& context = variable->getASTContext();
  const auto from = constantOf(variable->getInit(), context),
             to = constantOf(test->getRHS(), context);
  if (!from || !to)
    return std::nullopt;
  return static_cast<unsigned long long>(*to > *from ? *to - *from : *from - *to);
}

const clang::VarDecl* LoopSteps::variableOf(const clang::ForStmt* loop) const {
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* variable = init && init->isSingleDecl()
                             ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                             : nullptr;
  const LocalVariable* local = variable ? uniformity.find(variable) : nullptr;
  return local && variable->hasInit() && local->integer ? variable : nullptr;
}

bool LoopSteps::isUniform(const clang::ForStmt* loop) const {
  const clang::VarDecl* variable = variableOf(loop);
  const LocalVariable* local = variable ? uniformity.find(variable) : nullptr;
  return local && (local->uniform || local->warpUniform) && loop->getCond() && loop->getInc() &&
         uniformity.isUniform(loop->getCond(), Scope::Warp) && changesInHeaderOnly(loop, *local);
}

bool LoopSteps::isStrided(const clang::ForStmt* loop, Step start) const {
  const clang::VarDecl* variable = variableOf(loop);
  const LocalVariable* local = variable ? uniformity.find(variable) : nullptr;
  if (!local || local->escapes || !loop->getCond() || !changesInHeaderOnly(loop, *local) ||
      step(variable->getInit(), start == Step::One ? Scope::Warp : Scope::Block) != start ||
      !readsUniformMemoryOnly(variable->getInit(), Scope::Warp))
    return false;
  const auto* inc = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
  if (!inc || inc->getOpcode() != clang::BO_AddAssign ||
      !uniformity.isUniform(inc->getRHS(), Scope::Block))
    return false;
  // What the start names must still have its value in later steps.
  class Names : public SyntaxVisitor {
  public:
    const Uniformity* uniformity = nullptr;
    const clang::ForStmt* loop = nullptr;
    bool fixed = true;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      const LocalVariable* local = variable ? uniformity->find(variable) : nullptr;
      fixed &=
          !local || !local->modified ||
          (!local->escapes && std::none_of(local->assignments.begin(), local->assignments.end(),
                                           [&](const clang::Expr* a) { return isInside(a); }));
      return fixed;
    }

  private:
    bool isInside(const clang::Stmt* s) const {
      for (; s; s = uniformity->parents().getParent(s))
        if (s == loop)
          return true;
      return false;
    }
  } names;
  names.uniformity = &uniformity;
  names.loop = loop;
  names.TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
  names.TraverseStmt(inc->getRHS());
  return names.fixed;
}

bool LoopSteps::readsUniformMemoryOnly(const clang::Expr* e, Scope scope) const {
  if (!Uniformity::readsMemory(e) || uniformity.isUniform(e, scope))
    return true;
  if (!llvm::isa<clang::BinaryOperator, clang::CastExpr, clang::ParenExpr>(e))
    return false;
  for (const clang::Stmt* child : e->children())
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
        part && !readsUniformMemoryOnly(part, scope))
      return false;
  return true;
}

bool LoopSteps::stridesWithBlock(const clang::ForStmt* loop, bool byRows) const {
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
  // `y < height && k < width`: rows that take part, and how far each goes.
  const auto isOfRow = [&](const clang::Expr* e) {
    return !byRows && step(e, Scope::Block) == Step::None &&
           readsUniformMemoryOnly(e, Scope::Block);
  };
  while (test && test->getOpcode() == clang::BO_LAnd) {
    const clang::Expr* rest = isOfRow(test->getLHS())   ? test->getRHS()
                              : isOfRow(test->getRHS()) ? test->getLHS()
                                                        : nullptr;
    test = rest ? llvm::dyn_cast<clang::BinaryOperator>(rest->IgnoreParenImpCasts()) : nullptr;
  }
  const clang::VarDecl* variable = variableOf(loop);
  return test && variable && namedBy(test->getLHS()) == variable &&
         (test->getOpcode() == clang::BO_LT || test->getOpcode() == clang::BO_LE) &&
         uniformity.risesTo(test, variable) &&
         uniformity.isUniform(test->getRHS(), Scope::Block) &&
         step(variable->getInit(), Scope::Block) == (byRows ? Step::None : Step::One) &&
         readsUniformMemoryOnly(variable->getInit(), Scope::Block);
}

unsigned long long LoopSteps::tripCount(const clang::ForStmt* loop) const {
  if (const auto steps = stepsBetweenConstants(loop))
    return *steps;
  if (!function->isDependentContext() || !loop->getCond() || !loop->getInit())
    return ~0ull;
  class LoopsAt : public SyntaxVisitor {
  public:
    clang::SourceLocation at;
    std::optional<unsigned long long> steps = 0;
    bool VisitForStmt(clang::ForStmt* loop) override {
      if (loop->getForLoc() != at)
        return true;
      const auto own = stepsBetweenConstants(loop);
      steps = own && steps ? std::optional(std::max(*own, *steps)) : std::nullopt;
      return true;
    }
  } loops;
  loops.at = loop->getForLoc();
  for (const clang::FunctionDecl* body : facts.bodies)
    if (!body->isDependentContext() && body->getBody())
      loops.TraverseStmt(body->getBody());
  return loops.steps && *loops.steps > 0 ? *loops.steps : ~0ull;
}

unsigned long long LoopSteps::wideTripCount(const clang::ForStmt* loop) const {
  const unsigned long long distance = tripCount(loop), width = widthOfSteps(loop);
  return distance == ~0ull ? distance : distance / width + (distance % width > 0);
}

bool LoopSteps::dividesPlaces(const clang::Stmt* s) const {
  class Divisions : public SyntaxVisitor {
  public:
    explicit Divisions(const LoopSteps& steps) : steps_(steps) {}
    bool found = false;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      if (op->getOpcode() != clang::BO_Div && op->getOpcode() != clang::BO_Rem)
        return true;
      const auto by = constantOf(op->getRHS(), steps_.function->getASTContext());
      found |= by && *by >= leastDivisor && (*by & (*by - 1)) == 0 &&
               steps_.step(op->getLHS(), Scope::Block) == Step::One;
      return !found;
    }
    /// Of places that are declared in front of the loop.
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      const LocalVariable* local = variable ? steps_.uniformity.find(variable) : nullptr;
      if (local && !local->modified && variable->hasInit() && seen_.insert(variable).second)
        TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
      return !found;
    }

  private:
    const LoopSteps& steps_;
    std::set<const clang::VarDecl*> seen_;
  } divisions(*this);
  divisions.TraverseStmt(const_cast<clang::Stmt*>(s));
  return divisions.found;
}

Step LoopSteps::step(const clang::Expr* e, Scope scope, bool ofMost, unsigned depth) const {
  if (!e || depth > 20)
    return Step::Other;
  e = behindWideCasts(e);
  if (uniformity.isUniform(e, scope))
    return Step::None;
  // Of fewer bits a place begins again somewhere.
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const Step inner = step(cast->getSubExpr(), scope, ofMost, depth + 1);
    return ofMost || inner == Step::None ? inner : Step::Other;
  }
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return step(pseudo->getResultExpr(), scope, ofMost, depth + 1);
  if (isRankInBlock(e))
    return Step::One;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenCasts());
    if (use && builtinOf(use->getDecl()) == BlockIdx)
      return Step::None; // where blocks are joined: the same within each row of threads
    const bool isThread = use && builtinOf(use->getDecl()) == ThreadIdx;
    return isThread ? member->getMemberDecl()->getName() == "x" ? Step::One : Step::None
                    : Step::Other;
  }
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const LocalVariable* local = variable ? uniformity.find(variable) : nullptr;
    if (!local || !variable->hasInit() || local->escapes)
      return Step::Other;
    if (!local->modified)
      return step(variable->getInit(), scope, ofMost, depth + 1);
    // The variable of a strided loop: each step keeps the distance.
    for (const clang::Expr* a : local->assignments) {
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(a);
      if (!op || (op->getOpcode() != clang::BO_AddAssign && op->getOpcode() != clang::BO_SubAssign))
        return Step::Other;
      if (!uniformity.isUniform(op->getRHS(), scope))
        return Step::Other;
    }
    return step(variable->getInit(), scope, ofMost, depth + 1);
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    const Step left = step(op->getLHS(), scope, ofMost, depth + 1),
               right = step(op->getRHS(), scope, ofMost, depth + 1);
    if (op->getOpcode() == clang::BO_Add && (left == Step::None || right == Step::None))
      return left == Step::None ? right : left;
    if (op->getOpcode() == clang::BO_Sub && right == Step::None)
      return left;
    // `t / width` and `t % width` of a tile's elements, of which threads load one after the
    // other. Widths that a template's parameters give are seldom short.
    constexpr long long shortest = 8;
    if (ofMost && left == Step::One &&
        constant(op->getRHS()).value_or(op->getRHS()->isValueDependent() ? shortest : 0) >=
            shortest &&
        (op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem))
      return op->getOpcode() == clang::BO_Div ? Step::None : Step::One;
    const long long lanes = facts.lanesTogether;
    if (scope == Scope::Warp && op->getOpcode() == clang::BO_And && left == Step::One &&
        (constant(op->getRHS()) == lanes - 1 || constant(op->getRHS()) == 31))
      return Step::One;
    if (scope == Scope::Warp && op->getOpcode() == clang::BO_Rem && left == Step::One &&
        (constant(op->getRHS()) == lanes || constant(op->getRHS()) == 32))
      return Step::One;
    return left == Step::None && right == Step::None ? Step::None : Step::Other;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
    if (const Step clamped = stepOfClamp(call, scope, ofMost, depth + 1); clamped != Step::Other)
      return clamped;
  // `min(max(x, 0), width - 1)` is x for most.
  const auto* call = ofMost ? llvm::dyn_cast<clang::CallExpr>(e) : nullptr;
  if (const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
      callee && callee->getNumParams() == 2 && callee->getIdentifier() &&
      (callee->getName() == "min" || callee->getName() == "max")) {
    const Step left = step(call->getArg(0), scope, ofMost, depth + 1),
               right = step(call->getArg(1), scope, ofMost, depth + 1);
    return left == Step::None ? right : right == Step::None ? left : Step::Other;
  }
  return Step::Other;
}

/// `clamp(y0 + i, 0, height - 1)` by a function of the user's: one value where all that it is given
/// is, and for most as the place itself.
Step LoopSteps::stepOfClamp(const clang::CallExpr* call, Scope scope, bool ofMost,
                            unsigned depth) const {
  const auto clamp = clampFunction(call->getDirectCallee());
  if (!clamp || clamp->place >= call->getNumArgs())
    return Step::Other;
  for (unsigned i = 0; i < call->getNumArgs(); ++i)
    if (i != clamp->place && step(call->getArg(i), scope, ofMost, depth) != Step::None)
      return Step::Other;
  const Step place = step(call->getArg(clamp->place), scope, ofMost, depth);
  return ofMost || place == Step::None ? place : Step::Other;
}

bool LoopSteps::findsPartner(const clang::Expr* place, unsigned depth) const {
  constexpr unsigned deepest = 8;
  if (depth > deepest)
    return false;
  place = place->IgnoreParenImpCasts();
  if (const clang::VarDecl* variable = namedBy(place)) {
    const LocalVariable* local = uniformity.find(variable);
    return local && !local->modified && !local->escapes && variable->hasInit() &&
           findsPartner(variable->getInit(), depth + 1);
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(place);
  if (!op)
    return false;
  if (op->getOpcode() == clang::BO_And || op->getOpcode() == clang::BO_Xor) {
    const auto isPower = [&](const clang::Expr* mask) {
      const auto* less = llvm::dyn_cast<clang::BinaryOperator>(mask->IgnoreParenImpCasts());
      return step(mask, Scope::Block) == Step::None && !constant(mask) &&
             (op->getOpcode() == clang::BO_Xor ||
              (less && less->getOpcode() == clang::BO_Sub && constant(less->getRHS()) == 1));
    };
    for (const bool first : {true, false})
      if (step(first ? op->getLHS() : op->getRHS(), Scope::Block) == Step::One &&
          isPower(first ? op->getRHS() : op->getLHS()))
        return true;
  }
  return findsPartner(op->getLHS(), depth + 1) || findsPartner(op->getRHS(), depth + 1);
}

std::optional<long long> LoopSteps::constant(const clang::Expr* e) const {
  e = e->IgnoreParenImpCasts();
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
      use && use->getDecl()->getNameAsString() == "warpSize")
    return 32;
  clang::Expr::EvalResult result;
  if (e->isValueDependent() || !e->EvaluateAsInt(result, function->getASTContext()))
    return std::nullopt;
  return result.Val.getInt().tryExtValue();
}

const clang::Stmt* LoopSteps::loopAround(const clang::Stmt* jump) const {
  const clang::Stmt* at = jump;
  while ((at = uniformity.parents().getParent(at)))
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(at) ||
        (llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(at)))
      break;
  return at;
}

std::vector<const clang::Stmt*> LoopSteps::inInstances(const clang::Stmt* loop) const {
  class Same : public SyntaxVisitor {
  public:
    const clang::Stmt *loop = nullptr, *found = nullptr;
    bool VisitStmt(clang::Stmt* at) override {
      if (at->getStmtClass() == loop->getStmtClass() && at->getBeginLoc() == loop->getBeginLoc())
        found = at;
      return !found;
    }
  };
  std::vector<const clang::Stmt*> out;
  for (const clang::FunctionDecl* body : facts.bodies) {
    if (body == function || body->isDependentContext())
      continue;
    Same same;
    same.loop = loop;
    same.TraverseStmt(body->getBody());
    if (!same.found)
      return {};
    out.push_back(same.found);
  }
  return out;
}

bool LoopSteps::isStatement(const clang::Expr* e) const {
  const clang::Stmt* at = e;
  const clang::Stmt* parent = uniformity.parents().getParent(at);
  while (parent && llvm::isa<clang::ExprWithCleanups, clang::ParenExpr>(parent)) {
    at = parent;
    parent = uniformity.parents().getParent(at);
  }
  if (const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(parent))
    return loop->getBody() == at;
  if (const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(parent))
    return branch->getThen() == at || branch->getElse() == at;
  return llvm::isa_and_nonnull<clang::CompoundStmt>(parent);
}

} // namespace cu2cpp
