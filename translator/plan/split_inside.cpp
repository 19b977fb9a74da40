// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that compare a thread's place in its row with something that the block agrees on:
// they hold for a range of threads, which can be known before the loop over them.
//
//   if (tid >= offset)             cu2cpp::eachThreadInside(cuBlock, [&](const uint3 threadIdx) {
//     a = s[tid - offset];           int tid = threadIdx.x;
//                            ->      return cu2cpp::Inside().atLeast(tid, offset); },
//                                    [&](const auto cuInside, const uint3 threadIdx) {
//                                    int tid = threadIdx.x;
//                                    if ((cuInside || tid >= offset))
//                                      a = s[tid - offset]; });
//
// (`if (k - tid >= 0)`, of a place that is less from thread to thread:
// `cu2cpp::Inside().atLeast(cu2cpp::falling(k - tid), 0)`.)
//
// The body stands twice then: for threads inside the range without the conditions, for the others
// with them. Where the others do nothing, and those inside load what is one value for their row
// (which compilers would gather under a condition) or run loops of their own (so that no vector of
// threads is made), only those inside run: eachThreadWithin(). Where those ask for the row's first
// or last thread (a wavefront's `t == 0 ? top[c] : ahead[t]`), that one runs by itself:
// eachThreadBetweenEdges(), in translations that only compilers read.
// So do those of a branch whose place moves on by what only the running block knows:
//
//   int k = (tid + 1) * 2 * stride - 1;   cu2cpp::eachThreadApart(cuBlock, [&](...) { ...
//   if (k < 1024)                      ->   return cu2cpp::Inside().below(k, 1024,
//     s[k] += s[k - stride];                                       cu2cpp::stepOf(2, stride)); },
//                                         [&](const auto cuInside, const uint3 threadIdx) { ... });
// A place that rises with a counter of each thread's items, `base + k` in
// `for (int k = 0; k < 4; ++k)`, keeps to a bound if its first and its last value do, in
// translations that only compilers read:
//
//   .below(cu2cpp::fromTo([&](const int k) { return base + k; }, 0, 4 - 1), n, 4)
//
// Where that is the only condition, of the threads outside those are known, too, for which it holds
// in all steps but the last: `cu2cpp::belowInSteps<4>([&](const int k) { return base + k; }, n,
// 4)`.
//
// (`if (y0 + threadIdx.y + k * 8 >= h) break;`, of a place that a row has in common:
// `cu2cpp::alike(cu2cpp::fromTo(...))`, which leaves all of the row or nobody.)
#include "analyse/clamp_functions.h"
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/counted_loops.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// A condition with the answer that threads inside the range give.
struct Leaf {
  const clang::Expr* condition;
  bool holds;
  const clang::Expr* place; ///< `step` more in each thread of a row, or less if it `falls`
  unsigned step;
  const char* bound; ///< member of cu2cpp::Inside
  const clang::Expr* limit;
  std::vector<const clang::Expr*> factors; ///< of the step, which the group knows
  /// The branch without which the place that the condition keeps within bounds is not asked for.
  const clang::IfStmt* guard = nullptr;
  const clang::VarDecl* kept = nullptr; ///< that place
  /// `condition` is no condition, but `min(place, limit)` or the like, which is `place` inside.
  bool clamps = false;
  /// The limit is this number, or this much more than `limit`.
  long long number = 0;
  bool falls = false;
  /// Of a place that rises with a counter of each thread: what bounds it in place of `place`, and
  /// what that names.
  std::string fromTo = {};
  std::vector<const clang::Expr*> named = {};
  /// What gives the place for a counter that counts from 0 on, and how many steps it takes; none if
  /// that is no constant.
  std::string inStep = {}, steps = {};
  const clang::VarDecl* counter = nullptr;
};

/// What is known of a place that may rise with a counter of each thread.
struct CountedPlace {
  unsigned step = 0;                       ///< from thread to thread
  bool ofRow = false;                      ///< differs between rows
  std::vector<const clang::Expr*> factors; ///< of the step
  const CountedLoop* loop = nullptr;
  std::vector<const clang::VarDecl*> locals; ///< of the loop, which it names
};

/// Whether an integer is a constant wherever a template is used.
bool isConstantInTemplate(const clang::Expr* e, const clang::ASTContext& context) {
  e = e->IgnoreParenImpCasts();
  if (!e->isValueDependent())
    return !e->isTypeDependent() && e->isIntegerConstantExpr(context);
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma &&
           isConstantInTemplate(op->getLHS(), context) &&
           isConstantInTemplate(op->getRHS(), context);
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  return use && (llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl()) ||
                 (variable && variable->isConstexpr()));
}

/// `min(a, b)` or `max(a, b)` of integers of one type.
const clang::CallExpr* asClamp(const clang::Expr* e) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(e->IgnoreParenImpCasts());
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier() || call->getNumArgs() != 2 ||
      (callee->getName() != "min" && callee->getName() != "max") ||
      !call->getType()->isIntegerType())
    return nullptr;
  const clang::QualType type = call->getType().getCanonicalType().getUnqualifiedType();
  for (const clang::Expr* argument : call->arguments()) {
    const clang::QualType given = argument->IgnoreParenImpCasts()->getType();
    if (given->isDependentType() || given.getCanonicalType().getUnqualifiedType() != type)
      return nullptr;
  }
  return call;
}

} // namespace

const char* Splitter::boundOf(clang::BinaryOperatorKind op) {
  switch (op) {
  case clang::BO_LT:
    return "below";
  case clang::BO_LE:
    return "atMost";
  case clang::BO_GT:
    return "above";
  case clang::BO_GE:
    return "atLeast";
  default:
    return nullptr;
  }
}

/// The conditions of a region, and what is kept of them.
class InsideConditions : public SyntaxVisitor {
public:
  explicit InsideConditions(const Splitter& splitter) : splitter_(splitter) {}
  std::vector<Leaf> leaves;
  unsigned conditions = 0; ///< those of which the leaves are parts

  bool shouldVisitImplicitCode() const override { return false; }
  // What the group computes together stands elsewhere.
  bool TraverseStmt(clang::Stmt* s) override {
    const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(s);
    if (call && (splitter_.callIndex_.count(call) || addClamps(call) || addOwnClamps(call)))
      return true;
    const auto* whole = llvm::dyn_cast_or_null<clang::Expr>(s);
    return (whole && s->getBeginLoc().isMacroID() && addWrittenClamps(whole)) ||
           SyntaxVisitor::TraverseStmt(s);
  }
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool TraverseForStmt(clang::ForStmt* loop) override {
    const auto counted = splitter_.elements_ || !splitter_.plan_.options.lineDirectives
                             ? std::nullopt
                             : asCountedLoop(loop, splitter_.plan_.unit.context());
    if (!counted)
      return SyntaxVisitor::TraverseForStmt(loop);
    loops_.push_back(*counted);
    const bool goOn = SyntaxVisitor::TraverseForStmt(loop);
    loops_.pop_back();
    return goOn;
  }
  bool VisitIfStmt(clang::IfStmt* branch) override {
    if (branch->getInit() || branch->getConditionVariable() || branch->isConstexpr())
      return true;
    addWhole(branch->getCond(), !leaves_(branch->getThen()) || branch->getElse());
    return true;
  }
  bool VisitConditionalOperator(clang::ConditionalOperator* choice) override {
    // `x - 1 < low ? low : x - 1` is x - 1 nearly everywhere.
    addWhole(choice->getCond(), !splitter_.isGroupValue(choice->getTrueExpr(), true));
    return true;
  }
  /// What holds where a branch is taken. Nothing of it is to be replaced.
  void addGuard(const clang::Expr* condition, bool mayScale = false) {
    onlyNamed_ = true;
    mayScale_ = mayScale;
    add(condition, true);
  }
  /// The range in which `some` conditions hold. What it names is added to `named`.
  std::string bounds(const std::vector<Leaf>& some, RegionText& named) const {
    std::string out = "cu2cpp::Inside()";
    for (const Leaf& leaf : some) {
      named.add(leaf.place);
      named.add(leaf.limit);
      for (const clang::Expr* e : leaf.named)
        named.add(e);
      const std::string place =
          leaf.fromTo.empty() ? splitter_.expressionText(leaf.place) : leaf.fromTo;
      out += std::string(".") + leaf.bound + "(" +
             (leaf.falls ? "cu2cpp::falling(" + place + ")" : place) + ", " + limitText(leaf) +
             stepText(leaf, named) + ")";
    }
    return out;
  }
  std::string bounds(RegionText& named) const { return bounds(leaves, named); }
  /// Whether all are one condition of a place that rises with a counter, of which each step can be
  /// known.
  bool areOfSteps() const {
    const Leaf& first = leaves.front();
    const llvm::StringRef bound = first.bound;
    return !first.steps.empty() && (bound == "below" || bound == "atMost") &&
           std::all_of(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
             return leaf.bound == bound && leaf.inStep == first.inStep &&
                    leaf.steps == first.steps && limitText(leaf) == limitText(first) &&
                    leaf.step == first.step && leaf.factors.size() == first.factors.size();
           });
  }
  /// Their range.
  std::string boundsOfSteps(RegionText& named) const {
    const Leaf& leaf = leaves.front();
    named.add(leaf.place);
    named.add(leaf.limit);
    for (const clang::Expr* e : leaf.named)
      named.add(e);
    return std::string("cu2cpp::") + leaf.bound + "InSteps<" + leaf.steps + ">(" + leaf.inStep +
           ", " + limitText(leaf) + stepText(leaf, named) + ")";
  }
  /// A flag: `bool valid = tx >= low && tx <= high;`
  void addFlag(const clang::VarDecl* variable) {
    if (variable->getType()->isBooleanType())
      addWhole(variable->getInit(), true);
  }
  /// Whether the leaves are parts of one condition that does nothing but to compare.
  bool areOfOne() const {
    return conditions == 1 && leaves.size() > 1 &&
           std::none_of(leaves.begin(), leaves.end(),
                        [](const Leaf& leaf) { return leaf.clamps || leaf.guard; });
  }

private:
  std::string limitText(const Leaf& leaf) const {
    const std::string number = std::to_string(leaf.number);
    if (!leaf.limit)
      return number;
    const std::string text = splitter_.expressionText(leaf.limit);
    return leaf.number == 0 ? text : "(" + text + ") + (" + number + ")";
  }
  std::string stepText(const Leaf& leaf, RegionText& named) const {
    const std::string constant = leaf.step > 1 ? ", " + std::to_string(leaf.step) : "";
    if (leaf.factors.empty())
      return constant;
    std::string out = constant;
    for (const clang::Expr* factor : leaf.factors) {
      named.add(factor);
      out += ", " + splitter_.expressionText(factor);
    }
    return ", cu2cpp::stepOf(" + out.substr(2) + ")";
  }
  /// `min(max(place, low), high)`, of which only the whole is replaced.
  bool addClamps(const clang::CallExpr* whole) {
    std::vector<Leaf> found;
    for (const clang::Expr* e = whole;;) {
      const clang::CallExpr* call = asClamp(e);
      if (!call)
        break;
      const bool least = call->getDirectCallee()->getName() == "max";
      const clang::Expr *place = call->getArg(0), *limit = call->getArg(1);
      if (!splitter_.isGroupValue(limit, true))
        std::swap(place, limit);
      if (!splitter_.isGroupValue(limit, true))
        return false;
      Leaf leaf{call, true, nullptr, 0, least ? "atLeast" : "atMost", limit->IgnoreParenImpCasts(),
                {}};
      leaf.clamps = true;
      found.push_back(leaf);
      e = place;
      if (const unsigned step = splitter_.stepInRow(place)) {
        if (!splitter_.plan_.text.isWhole(whole))
          return false;
        for (Leaf& one : found) {
          one.place = place->IgnoreParenImpCasts();
          one.step = step;
          if (one.condition != whole)
            one.condition = nullptr;
        }
        leaves.insert(leaves.end(), found.begin(), found.end());
        return true;
      }
    }
    return false;
  }
  /// The same as a function of the user does it: `clampIndex(place, count)`.
  bool addOwnClamps(const clang::CallExpr* call) {
    const auto clamps = clampFunction(call->getDirectCallee());
    if (!clamps || !splitter_.plan_.text.isWhole(call))
      return false;
    const auto argument = [&](unsigned i) { return call->getArg(i)->IgnoreParenImpCasts(); };
    const clang::QualType type = call->getType();
    for (unsigned i = 0; i < call->getNumArgs(); ++i)
      if (llvm::isa<clang::CXXDefaultArgExpr>(argument(i)) || argument(i)->isTypeDependent() ||
          !splitter_.plan_.unit.context().hasSameUnqualifiedType(argument(i)->getType(), type))
        return false;
    const unsigned step = splitter_.stepInRow(argument(clamps->place));
    if (step == 0)
      return false;
    std::vector<Leaf> found;
    for (const ClampFunction::Bound& bound : clamps->bounds) {
      const clang::Expr* limit =
          bound.parameter < 0 ? nullptr : argument(unsigned(bound.parameter));
      if (limit && !splitter_.isGroupValue(limit, true))
        return false;
      Leaf leaf{found.empty() ? call : nullptr,
                true,
                argument(clamps->place),
                step,
                bound.least ? "atLeast" : "atMost",
                limit,
                {}};
      leaf.clamps = true;
      leaf.number = bound.number;
      found.push_back(leaf);
    }
    leaves.insert(leaves.end(), found.begin(), found.end());
    return true;
  }
  /// `x < low ? low : (x > high ? high : x)` as a macro writes it, of which only the whole is
  /// replaced.
  bool addWrittenClamps(const clang::Expr* whole) {
    if (!whole->getType()->isIntegerType() || !splitter_.plan_.text.isWhole(whole))
      return false;
    std::vector<Leaf> found;
    const auto plain = [](const clang::Expr* e) { return e->IgnoreParenImpCasts(); };
    const clang::Expr* place = nullptr;
    for (const clang::Expr* e = plain(whole);;) {
      const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e);
      const auto* compare =
          choice ? llvm::dyn_cast<clang::BinaryOperator>(plain(choice->getCond())) : nullptr;
      if (!compare || !Splitter::boundOf(compare->getOpcode()))
        break;
      const clang::Expr *at = compare->getLHS(), *limit = compare->getRHS();
      clang::BinaryOperatorKind relation = compare->getOpcode();
      if (!splitter_.isGroupValue(limit, true)) {
        std::swap(at, limit);
        relation = clang::BinaryOperator::reverseComparisonOp(relation);
      }
      if (!splitter_.isGroupValue(limit, true) || limit->isTypeDependent() ||
          !limit->getType()->isIntegerType() || (place && !isSame(at, place)))
        return false;
      // The limit is given, or the place itself.
      const bool limits = isSame(choice->getTrueExpr(), limit);
      if (!limits && !isSame(choice->getFalseExpr(), limit))
        return false;
      place = at;
      if (limits)
        relation = clang::BinaryOperator::negateComparisonOp(relation);
      Leaf leaf{found.empty() ? whole : nullptr, true,         nullptr, 0,
                Splitter::boundOf(relation),     plain(limit), {}};
      leaf.clamps = true;
      found.push_back(leaf);
      e = plain(limits ? choice->getFalseExpr() : choice->getTrueExpr());
      if (!llvm::isa<clang::ConditionalOperator>(e) && !isSame(e, place))
        return false;
    }
    const unsigned step = place ? splitter_.stepInRow(place) : 0;
    if (step == 0 || !splitter_.plan_.unit.context().hasSameUnqualifiedType(plain(place)->getType(),
                                                                            whole->getType()))
      return false;
    for (Leaf& one : found) {
      one.place = plain(place);
      one.step = step;
    }
    leaves.insert(leaves.end(), found.begin(), found.end());
    return true;
  }
  bool isSame(const clang::Expr* a, const clang::Expr* b) const {
    return areAlike(a, b, splitter_.plan_.unit.context());
  }
  static bool leaves_(const clang::Stmt* s) {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return !list->body_empty() && leaves_(list->body_back());
    return llvm::isa<clang::ReturnStmt, clang::ContinueStmt, clang::BreakStmt>(s);
  }
  void addWhole(const clang::Expr* condition, bool holds) {
    const std::size_t before = leaves.size();
    add(condition, holds);
    // What one part of the condition does would depend on the others.
    if (leaves.size() > before)
      conditions += condition->HasSideEffects(splitter_.plan_.unit.context()) ? 2 : 1;
  }
  void add(const clang::Expr* condition, bool holds) {
    condition = condition->IgnoreParenImpCasts();
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(condition))
      if (op->getOpcode() == clang::UO_LNot)
        return add(op->getSubExpr(), !holds);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!op)
      return;
    if (op->getOpcode() == clang::BO_LAnd || op->getOpcode() == clang::BO_LOr) {
      // What decides for all: every part of a conjunction that holds, of a disjunction that fails.
      if (holds == (op->getOpcode() == clang::BO_LAnd)) {
        add(op->getLHS(), holds);
        add(op->getRHS(), holds);
      }
      return;
    }
    if (!Splitter::boundOf(op->getOpcode()))
      return;
    clang::BinaryOperatorKind relation = op->getOpcode();
    const clang::Expr *place = op->getLHS(), *limit = op->getRHS();
    std::vector<const clang::Expr*> factors;
    const auto stepOf = [&](const clang::Expr* e) {
      factors.clear();
      return splitter_.stepInRow(e, mayScale_ ? &factors : nullptr);
    };
    if (!stepOf(place)) {
      std::swap(place, limit);
      relation = clang::BinaryOperator::reverseComparisonOp(relation);
    }
    unsigned step = stepOf(place);
    bool falls = false;
    if (!step) {
      const auto fallOf = [&](const clang::Expr* e) { return splitter_.fallInRow(e); };
      if (!fallOf(place) && !fallOf(limit) && !loops_.empty() && !onlyNamed_)
        return addCounted(condition, op, holds);
      if (!fallOf(place)) {
        std::swap(place, limit);
        relation = clang::BinaryOperator::reverseComparisonOp(relation);
      }
      step = fallOf(place);
      falls = true;
    }
    if (!step || !splitter_.isGroupValue(limit, true) || !limit->getType()->isIntegerType() ||
        (!onlyNamed_ && !splitter_.plan_.text.isWhole(op)))
      return;
    if (!holds)
      relation = clang::BinaryOperator::negateComparisonOp(relation);
    leaves.push_back({condition, holds, place->IgnoreParenImpCasts(), step,
                      Splitter::boundOf(relation), limit->IgnoreParenImpCasts(),
                      std::move(factors)});
    leaves.back().falls = falls;
  }

  /// A comparison of a place that rises with the counter of one of the loops around.
  void addCounted(const clang::Expr* condition, const clang::BinaryOperator* op, bool holds) {
    clang::BinaryOperatorKind relation = op->getOpcode();
    const clang::Expr *place = op->getLHS(), *limit = op->getRHS();
    CountedPlace found;
    if (!findCounted(place, found)) {
      std::swap(place, limit);
      relation = clang::BinaryOperator::reverseComparisonOp(relation);
      found = {};
      if (!findCounted(place, found))
        return;
    }
    // Without a step the row's threads leave the loop together, or not at all.
    if ((!found.step && !found.ofRow) || !found.loop || !splitter_.isGroupValue(limit, true) ||
        !limit->getType()->isIntegerType() || !splitter_.plan_.text.isWhole(op) ||
        !splitter_.plan_.text.isWhole(found.loop->first) ||
        !splitter_.plan_.text.isWhole(found.loop->limit))
      return;
    if (!holds)
      relation = clang::BinaryOperator::negateComparisonOp(relation);
    Leaf leaf{condition,
              holds,
              place->IgnoreParenImpCasts(),
              found.step,
              Splitter::boundOf(relation),
              limit->IgnoreParenImpCasts(),
              found.factors};
    const auto declare = [&](const clang::VarDecl* variable) {
      return "const " + splitter_.typeOf(variable) + " " + variable->getNameAsString();
    };
    leaf.counter = found.loop->counter;
    leaf.inStep = "[&](" + declare(leaf.counter) + ") { ";
    for (const clang::VarDecl* local : found.locals) {
      leaf.named.push_back(local->getInit());
      leaf.inStep += declare(local) + " = " + splitter_.expressionText(local->getInit()) + "; ";
    }
    leaf.inStep += "return " + splitter_.expressionText(leaf.place) + "; }";
    const std::string limitOfLoop = splitter_.expressionText(found.loop->limit);
    leaf.fromTo = std::string(found.step ? "" : "cu2cpp::alike(") + "cu2cpp::fromTo(" +
                  leaf.inStep + ", " + splitter_.expressionText(found.loop->first) + ", " +
                  limitOfLoop + (found.loop->reachesLimit ? ")" : " - 1)") +
                  (found.step ? "" : ")");
    const clang::ASTContext& context = splitter_.plan_.unit.context();
    if (found.step && constantOf(found.loop->first, context) == 0 &&
        isConstantInTemplate(found.loop->limit, context))
      leaf.steps = "(" + limitOfLoop + (found.loop->reachesLimit ? ") + 1" : ")");
    leaves.push_back(std::move(leaf));
  }
  /// Whether an integer is a sum of what the group or a row agrees on, places in the row, and
  /// multiples of one counter that are no less than 0.
  bool findCounted(const clang::Expr* e, CountedPlace& found) const {
    const clang::ASTContext& context = splitter_.plan_.unit.context();
    const auto width = [&](const clang::Expr* of) { return context.getTypeSize(of->getType()); };
    if (e->isTypeDependent() || !e->getType()->isIntegerType() || e->getType()->isBooleanType() ||
        width(e) < 32)
      return false;
    std::vector<const clang::Expr*> factors;
    if (const unsigned step = splitter_.stepInRow(e, &factors)) {
      // Sizes that a template has are constants, too.
      const bool isScaled = !factors.empty() || !found.factors.empty();
      if ((isScaled && found.step) ||
          !std::all_of(factors.begin(), factors.end(),
                       [](const clang::Expr* factor) { return factor->isValueDependent(); }))
        return false;
      found.factors = factors;
      found.step += step;
      return found.step <= mostStep;
    }
    if (splitter_.isGroupValue(e, true))
      return true;
    if (splitter_.stepAlong("y", e) || splitter_.stepAlong("z", e))
      return found.ofRow = true;
    if (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(e))
      return findCounted(parens->getSubExpr(), found);
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
      const clang::Expr* from = cast->getSubExpr();
      return !from->isTypeDependent() && from->getType()->isIntegerType() &&
             width(from) == width(e) && findCounted(from, found);
    }
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e))
      return findCounted(use->getDecl(), found);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op)
      return false;
    if (op->getOpcode() == clang::BO_Add)
      return findCounted(op->getLHS(), found) && findCounted(op->getRHS(), found);
    if (op->getOpcode() == clang::BO_Sub)
      return splitter_.isGroupValue(op->getRHS(), true) && findCounted(op->getLHS(), found);
    if (op->getOpcode() != clang::BO_Mul)
      return false;
    const bool isLeft = isFactor(op->getLHS());
    if (!isLeft && !isFactor(op->getRHS()))
      return false;
    const clang::Expr* const factor = isLeft ? op->getLHS() : op->getRHS();
    CountedPlace times;
    if (!findCounted(isLeft ? op->getRHS() : op->getLHS(), times) || !times.factors.empty() ||
        (found.loop && times.loop && found.loop != times.loop))
      return false;
    clang::Expr::EvalResult by;
    if (times.step > 0) {
      if (!found.factors.empty() || factor->isValueDependent() ||
          !factor->EvaluateAsInt(by, context))
        return false;
      times.step *= unsigned(by.Val.getInt().getExtValue());
    }
    found.step += times.step;
    found.ofRow |= times.ofRow;
    found.loop = times.loop ? times.loop : found.loop;
    found.locals.insert(found.locals.end(), times.locals.begin(), times.locals.end());
    return found.step <= mostStep;
  }
  bool findCounted(const clang::ValueDecl* decl, CountedPlace& found) const {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    for (const CountedLoop& loop : loops_)
      if (loop.counter == variable) {
        const bool isOnly = !found.loop || found.loop == &loop;
        found.loop = &loop;
        return isOnly;
      }
    // `int i = base + k;` in the loop.
    if (!variable || !variable->isLocalVarDecl() || variable->isStaticLocal() ||
        splitter_.regions_.storage.count(variable) || !variable->hasInit() ||
        variable->getType()->isReferenceType() || variable->getType()->isDependentType() ||
        variable->getType().isVolatileQualified() || variable->getInit()->isTypeDependent() ||
        splitter_.plan_.unit.context().getTypeSize(variable->getType()) !=
            splitter_.plan_.unit.context().getTypeSize(variable->getInit()->getType()) ||
        !splitter_.plan_.text.isWhole(variable->getInit()) ||
        !onlyReads(variable, splitter_.kernel_.decl->getBody()) ||
        !findCounted(variable->getInit(), found))
      return false;
    if (std::find(found.locals.begin(), found.locals.end(), variable) == found.locals.end())
      found.locals.push_back(variable);
    return true;
  }
  /// What a counter may be multiplied by: constants and a block's sizes, with which nothing wraps
  /// around.
  bool isFactor(const clang::Expr* e) const {
    constexpr std::int64_t most = 1 << 16;
    e = e->IgnoreParenImpCasts();
    clang::Expr::EvalResult value;
    if (e->isValueDependent())
      return splitter_.isGroupValue(e, true);
    if (e->EvaluateAsInt(value, splitter_.plan_.unit.context()))
      return value.Val.getInt().isStrictlyPositive() && value.Val.getInt().getExtValue() <= most;
    if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
      return isFactor(pseudo->getResultExpr());
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
    const auto* use =
        member ? llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts())
               : nullptr;
    return use && builtinOf(use->getDecl()) == BlockDim;
  }

  static constexpr unsigned mostStep = 64; // beyond it few threads are left of a range
  const Splitter& splitter_;
  bool onlyNamed_ = false;
  bool mayScale_ = false;
  std::vector<CountedLoop> loops_; ///< around the statement that is visited
};

std::string Splitter::decidedText(const clang::Expr* condition, bool holds,
                                  const std::string& inside) const {
  const std::string written = expressionText(condition);
  const std::string answer =
      holds ? inside + " || " + written : "!" + inside + " && (" + written + ")";
  // Alone in an if's parentheses it needs no others.
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(
      parents_->getParentIgnoreParenImpCasts(const_cast<clang::Expr*>(condition)));
  const bool alone = branch && branch->getCond()->IgnoreImpCasts() == condition;
  return alone ? answer : "(" + answer + ")";
}

void Splitter::decide(const clang::Expr* condition, bool holds) {
  replaced_[condition] = decidedText(condition, holds);
  edits_.replace(expressionRange(condition), replaced_[condition]);
  inside_.push_back(condition);
}

unsigned Splitter::stepAlong(llvm::StringRef part, const clang::Expr* e, bool orRank,
                             std::vector<const clang::Expr*>* factors) const {
  const clang::ASTContext& context = plan_.unit.context();
  const auto width = [&](const clang::Expr* of) { return context.getTypeSize(of->getType()); };
  if (e->isTypeDependent() || !e->getType()->isIntegerType() || e->getType()->isBooleanType() ||
      width(e) < 32)
    return 0;
  if (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(e))
    return stepAlong(part, parens->getSubExpr(), orRank, factors);
  // A place that wraps around would do so elsewhere in a wider type.
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const clang::Expr* from = cast->getSubExpr();
    if (isThreadIndex(from, part))
      return 1;
    return !from->isTypeDependent() && from->getType()->isIntegerType() && width(from) == width(e)
               ? stepAlong(part, from, orRank, factors)
               : 0;
  }
  if (isThreadIndex(e, part) || (orRank && isRankInBlock(e)))
    return 1;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (variable && elements_ &&
        variable == (elements_->columns ? elements_->column : elements_->row))
      return 1;
    // What the group has gone on in a loop is the same for all threads.
    return variable &&
                   (isStored(variable, Storage::Recomputed) || isElementPlace(variable) ||
                    (runsRising() && isStored(variable, Storage::Strided))) &&
                   variable->hasInit() && !variable->getInit()->isTypeDependent()
               ? stepAlong(part, variable->getInit(), orRank, factors)
               : 0;
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return 0;
  if (elements_ && elements_->remainders.count(op))
    return 1;
  const clang::Expr *left = op->getLHS(), *right = op->getRHS();
  if (op->getOpcode() == clang::BO_Mul) {
    constexpr std::int64_t longest = 64;
    const auto times = [&](const clang::Expr* factor, const clang::Expr* place) -> unsigned {
      clang::Expr::EvalResult by;
      const unsigned step = stepAlong(part, place, orRank, factors);
      if (step == 0)
        return 0;
      if (factor->isValueDependent() || !factor->EvaluateAsInt(by, context)) {
        if (!factors || !isGroupValue(factor, true) || !plan_.text.isWhole(factor))
          return 0;
        factors->push_back(factor);
        return step;
      }
      const std::int64_t value = by.Val.getInt().getExtValue();
      return value > 0 && value * step <= longest ? unsigned(value) * step : 0;
    };
    const unsigned step = times(left, right);
    return step ? step : times(right, left);
  }
  if (op->getOpcode() != clang::BO_Add && op->getOpcode() != clang::BO_Sub)
    return 0;
  if (isGroupValue(right, true))
    return stepAlong(part, left, orRank, factors);
  return op->getOpcode() == clang::BO_Add && isGroupValue(left, true)
             ? stepAlong(part, right, orRank, factors)
             : 0;
}

unsigned Splitter::fallInRow(const clang::Expr* e) const {
  const clang::ASTContext& context = plan_.unit.context();
  const auto width = [&](const clang::Expr* of) { return context.getTypeSize(of->getType()); };
  if (e->isTypeDependent() || !e->getType()->isIntegerType() || e->getType()->isBooleanType() ||
      width(e) < 32)
    return 0;
  if (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(e))
    return fallInRow(parens->getSubExpr());
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const clang::Expr* from = cast->getSubExpr();
    return !from->isTypeDependent() && from->getType()->isIntegerType() && width(from) == width(e)
               ? fallInRow(from)
               : 0;
  }
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return variable && isStored(variable, Storage::Recomputed) && variable->hasInit() &&
                   !variable->getInit()->isTypeDependent()
               ? fallInRow(variable->getInit())
               : 0;
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op || (op->getOpcode() != clang::BO_Add && op->getOpcode() != clang::BO_Sub))
    return 0;
  const clang::Expr *left = op->getLHS(), *right = op->getRHS();
  if (isGroupValue(right, true))
    return fallInRow(left);
  if (!isGroupValue(left, true))
    return 0;
  return op->getOpcode() == clang::BO_Add ? fallInRow(right) : stepInRow(right);
}

bool Splitter::variesInRow(const clang::Expr* e) const {
  class Names : public NamesInRow {
  public:
    const Splitter* splitter = nullptr;
    bool varies = false;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (builtinOf(use->getDecl()) == ThreadIdx)
        varies = true;
      else if (variable && variable->hasLocalStorage() && !isShared(variable))
        varies |= splitter->isStored(variable, Storage::Recomputed)
                      ? !variable->hasInit() || splitter->variesInRow(variable->getInit())
                      : splitter->storageOf(variable) != Storage::Block;
      return !varies;
    }
    bool VisitCallExpr(clang::CallExpr*) override { return !(varies = true); }
  } names;
  names.splitter = this;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.varies;
}

const clang::IfStmt* Splitter::guardOf(const clang::VarDecl* place,
                                       const RegionNode& region) const {
  const auto names = [&](const clang::Stmt* s) {
    RegionText text;
    text.add(s);
    return text.uses.count(place) != 0;
  };
  const clang::IfStmt* guard = nullptr;
  for (const clang::Stmt* s : region.statements) {
    if (!names(s))
      continue;
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    if (guard || !branch || branch->getElse() || branch->getInit() ||
        branch->getConditionVariable() || branch->isConstexpr() || names(branch->getCond()))
      return nullptr;
    guard = branch;
  }
  return guard;
}

std::string Splitter::narrowSizes(const RegionNode& region, const RegionText& text) const {
  class Elements : public SyntaxVisitor {
  public:
    const clang::ASTContext* context = nullptr;
    std::set<std::string> sizes;
    bool known = true;
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
      // Of an array whose size depends on the template nothing but the array has a type.
      const clang::Expr* root = e;
      while (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(root))
        root = element->getBase()->IgnoreParenImpCasts();
      const clang::VarDecl* array = namedBy(root);
      return add(e->getType()->isDependentType() && array && array->getType()->isArrayType()
                     ? context->getBaseElementType(array->getType())
                     : e->getType());
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return op->getOpcode() != clang::UO_Deref || add(op->getType());
    }
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      return !member->isArrow() || add(member->getType());
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      for (const clang::Expr* argument : call->arguments())
        known &= !argument->IgnoreParenImpCasts()->getType()->isAnyPointerType() &&
                 !argument->IgnoreParenImpCasts()->getType()->isArrayType();
      return known;
    }

  private:
    bool add(clang::QualType type) {
      constexpr std::uint64_t widest = 2;
      if (type->isArrayType())
        return true;
      if (type->getAs<clang::TemplateTypeParmType>()) {
        sizes.insert("sizeof(" + type.getUnqualifiedType().getAsString() + ")");
        return true;
      }
      if (type->isDependentType() || type->isIncompleteType() ||
          context->getTypeSizeInChars(type).getQuantity() > std::int64_t(widest))
        return known = false;
      sizes.insert(std::to_string(context->getTypeSizeInChars(type).getQuantity()));
      return true;
    }
  } elements;
  elements.context = &plan_.unit.context();
  for (const clang::Stmt* s : region.statements)
    elements.TraverseStmt(const_cast<clang::Stmt*>(s));
  std::string out;
  for (const std::string& size : elements.sizes)
    out += (out.empty() ? "<" : ", ") + size;
  // What is kept for each thread lies in memory, too.
  return elements.known && !out.empty() && !needsThread(text) ? out + ">" : "";
}

std::string Splitter::rangeText(const std::string& bounds, RegionText& named,
                                const std::string& newline) const {
  std::string out;
  for (const std::string& line : elements_ ? elementPlaces(named) : bindings({}, named))
    out += newline + line;
  out += newline + "return " + bounds + "; }";
  const bool namesRow = out.find("cuRow") != std::string::npos;
  out = std::string("[&](const ") +
        (!elements_ ? "uint3 threadIdx"
         : namesRow ? "auto cuRow"
                    : "auto") +
        ") {" + out;
  // Where the place in the row alone decides, it does so for all rows.
  const bool alike =
      out.find("threadIdx.y") == std::string::npos &&
      out.find("threadIdx.z") == std::string::npos &&
      llvm::StringRef(out).count("threadIdx") == llvm::StringRef(out).count("threadIdx.x") + 1;
  return out + (alike ? "(uint3{})," : ",") + newline;
}

std::string Splitter::apartText(const RegionNode& region, const std::string& newline) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(region.statements.back());
  if (elements_ || !branch || branch->getElse() || branch->getInit() ||
      branch->getConditionVariable() || branch->isConstexpr() ||
      branch->getCond()->HasSideEffects(plan_.unit.context()) || callsLibrary(region.statements))
    return "";
  for (const clang::Stmt* s : region.statements) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    if (regions_.printed.count(s) || (s != branch && !(declaration && declaration->isSingleDecl())))
      return "";
    const auto* variable =
        declaration ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl()) : nullptr;
    if (s != branch && !(variable && isStored(variable, Storage::Recomputed)))
      return "";
  }
  InsideConditions conditions(*this);
  conditions.addGuard(branch->getCond(), true);
  if (holdsLoop(branch->getThen()) ||
      std::all_of(conditions.leaves.begin(), conditions.leaves.end(),
                  [](const Leaf& leaf) { return leaf.factors.empty(); }))
    return "";
  return threadsOf(conditions, newline);
}

std::string Splitter::betweenEdgesText(const RegionNode& region, const std::string& newline) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(region.statements.back());
  if (elements_ || region.returns || !plan_.options.lineDirectives || !branch ||
      branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      branch->isConstexpr() || branch->getCond()->HasSideEffects(plan_.unit.context()) ||
      !asksForEdges(branch->getThen()))
    return "";
  for (const clang::Stmt* s : region.statements) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    const auto* variable = declaration && declaration->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                               : nullptr;
    if (regions_.printed.count(s) ||
        (s != branch && !(variable && isStored(variable, Storage::Recomputed))))
      return "";
  }
  InsideConditions guard(*this);
  guard.addGuard(branch->getCond());
  return guard.leaves.empty() ? "" : threadsOf(guard, newline);
}

bool Splitter::asksForEdges(const clang::Stmt* s) const {
  class Edges : public SyntaxVisitor {
  public:
    const Splitter* splitter = nullptr;
    bool found = false;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      const auto isPlace = [&](const clang::Expr* place, const clang::Expr* limit) {
        return splitter->isGroupValue(limit, true) && splitter->stepInRow(place) == 1;
      };
      found |= op->getOpcode() == clang::BO_EQ &&
               (isPlace(op->getLHS(), op->getRHS()) || isPlace(op->getRHS(), op->getLHS()));
      return !found;
    }
  } edges;
  edges.splitter = this;
  edges.TraverseStmt(const_cast<clang::Stmt*>(s));
  return edges.found;
}

std::string Splitter::withinText(const RegionNode& region, const std::string& newline) {
  const clang::IfStmt* const only = onlyBranch(region);
  if (elements_ || !only || regions_.printed.count(only) ||
      !(isForRangeOnly(region) || loopsByThread(only) || isForRangeOfThreads(only)))
    return "";
  // Conditions in the branch, and those of what it names, hold for other threads.
  InsideConditions guard(*this);
  guard.addGuard(only->getCond());
  return guard.leaves.empty() ? "" : threadsOf(guard, newline);
}

std::string Splitter::threadsOf(const InsideConditions& guard, const std::string& newline) {
  RegionText named;
  const std::string out = rangeText(guard.bounds(named), named, newline);
  for (const Leaf& leaf : guard.leaves)
    if (plan_.text.isWhole(leaf.condition))
      decide(leaf.condition, leaf.holds);
  return out;
}

std::vector<const clang::VarDecl*> Splitter::repeatedFor(const RegionText& text) const {
  std::set<const clang::VarDecl*> seen;
  std::vector<const clang::VarDecl*> out, left(text.uses.begin(), text.uses.end());
  while (!left.empty()) {
    const clang::VarDecl* variable = left.back();
    left.pop_back();
    if (!seen.insert(variable).second || !isStored(variable, Storage::Recomputed) ||
        !variable->hasInit())
      continue;
    out.push_back(variable);
    RegionText more;
    more.add(variable->getInit());
    left.insert(left.end(), more.uses.begin(), more.uses.end());
  }
  return out;
}

std::string Splitter::insideText(const RegionNode& region, const RegionText& text,
                                 const std::string& newline, const char*& kind) {
  if (std::string out = apartText(region, newline); !out.empty()) {
    kind = "Apart";
    return out;
  }
  if (std::string out = betweenEdgesText(region, newline); !out.empty()) {
    kind = "BetweenEdges";
    return out;
  }
  if (std::string out = withinText(region, newline); !out.empty()) {
    kind = "Within";
    return out;
  }
  kind = "Inside";
  return insideOnlyText(region, text, newline);
}

void Splitter::answer(const InsideConditions& conditions, std::size_t number,
                      const RegionNode& region, const std::string& inside) {
  const Leaf& leaf = conditions.leaves[number];
  if (!leaf.condition)
    return;
  const FileRange range = expressionRange(leaf.condition);
  bool here = false;
  for (const clang::Stmt* s : region.statements) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    // Of variables that are kept the declaration is written anew.
    here |= isInside(leaf.condition, s) && !(declaration && keepsPerThread(declaration));
  }
  const std::string text = leaf.clamps ? "(" + inside + " ? " + expressionText(leaf.place) + " : " +
                                             expressionText(leaf.condition) + ")"
                                       : decidedText(leaf.condition, leaf.holds, inside);
  replaced_[leaf.condition] = text;
  if (here)
    edits_.replace(range, text);
  inside_.push_back(leaf.condition);
}

std::string Splitter::freePlacesText(const RegionNode& region, RegionText& named) {
  RegionText text;
  for (const clang::Stmt* s : region.statements)
    text.add(s);
  InsideConditions conditions(*this);
  for (const clang::VarDecl* variable : repeatedFor(text))
    if (variable->getType()->isIntegerType() && !variable->getType()->isBooleanType() &&
        regions_.statements.at(variable)->isSingleDecl())
      conditions.TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
  if (conditions.leaves.empty())
    return "";
  const std::string out = conditions.bounds(named);
  for (std::size_t i = 0; i < conditions.leaves.size(); ++i)
    answer(conditions, i, region, "cu2cpp::isFree(cuInside)");
  return out;
}

std::string Splitter::insideOnlyText(const RegionNode& region, const RegionText& text,
                                     const std::string& newline) {
  InsideConditions conditions(*this);
  for (const clang::Stmt* s : region.statements) {
    if (regions_.printed.count(s))
      return "";
    conditions.TraverseStmt(const_cast<clang::Stmt*>(s));
  }
  std::set<const clang::VarDecl*> inOthers;
  for (const clang::VarDecl* variable : repeatedFor(text)) {
    RegionText more;
    more.add(variable->getInit());
    inOthers.insert(more.uses.begin(), more.uses.end());
    const clang::DeclStmt* statement = regions_.statements.at(variable);
    if (std::find(region.statements.begin(), region.statements.end(), statement) ==
        region.statements.end()) {
      if (!statement->isSingleDecl())
        continue;
      const std::size_t before = conditions.leaves.size();
      conditions.TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
      if (conditions.leaves.size() > before)
        if (const clang::IfStmt* guard = guardOf(variable, region))
          for (std::size_t i = before; i < conditions.leaves.size(); ++i) {
            conditions.leaves[i].guard = guard;
            conditions.leaves[i].kept = variable;
          }
    }
    conditions.addFlag(variable);
  }
  for (Leaf& leaf : conditions.leaves)
    if (inOthers.count(leaf.kept))
      leaf.guard = nullptr;
  if (conditions.leaves.empty())
    return "";
  // Bounds of counted places alone are worth less than parts of rows whose quotients are known.
  if (std::all_of(conditions.leaves.begin(), conditions.leaves.end(),
                  [](const Leaf& leaf) { return !leaf.fromTo.empty(); }) &&
      !divisorsOf(region, text).empty())
    return "";
  RegionText named;
  if (elements_)
    skipElementHeads(*elements_, named);
  std::string bounds = conditions.bounds(named) + (conditions.areOfOne() ? ".ofOne()" : "");
  std::vector<Leaf> places;
  for (const Leaf& leaf : conditions.leaves)
    if (leaf.guard)
      places.push_back(leaf);
  if (!places.empty() && std::all_of(places.begin(), places.end(), [&](const Leaf& leaf) {
        return leaf.guard == places.front().guard;
      })) {
    InsideConditions guard(*this);
    guard.addGuard(places.front().guard->getCond());
    if (!guard.leaves.empty())
      bounds += ".guarded(" + conditions.bounds(places, named) + ", " + guard.bounds(named) + ")";
    else
      places.clear();
  } else {
    places.clear();
  }
  const bool inSteps = places.empty() && conditions.areOfSteps();
  if (inSteps)
    bounds = conditions.boundsOfSteps(named);
  const std::string out = rangeText(bounds, named, newline);
  for (std::size_t i = 0; i < conditions.leaves.size(); ++i) {
    const Leaf& leaf = conditions.leaves[i];
    answer(conditions, i, region,
           inSteps ? "cu2cpp::inStep(cuInside, " + leaf.counter->getNameAsString() + ")"
           : leaf.guard && !places.empty() ? "cu2cpp::isFree(cuInside)"
                                           : "cuInside");
  }
  return out;
}

} // namespace cu2cpp
