// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that are decided before the loop over threads (split_inside.cpp): comparisons, and the
// text of all bounds.
#include "plan/split_inside_conditions.h"

#include <algorithm>

#include "analyse/region_parts.h"

namespace cu2cpp {

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

namespace {

/// Whether a statement ends with a jump.
bool goesAway(const clang::Stmt* s) {
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
    return !list->body_empty() && goesAway(list->body_back());
  return llvm::isa<clang::ReturnStmt, clang::ContinueStmt, clang::BreakStmt>(s);
}

} // namespace

// What the group computes together stands elsewhere.
bool InsideConditions::TraverseStmt(clang::Stmt* s) {
  const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(s);
  if (call && (splitter_.callIndex_.count(call) || addClamps(call) || addOwnClamps(call)))
    return true;
  const auto* whole = llvm::dyn_cast_or_null<clang::Expr>(s);
  return (whole && s->getBeginLoc().isMacroID() && addWrittenClamps(whole)) ||
         (llvm::isa_and_nonnull<clang::BinaryOperator>(s) && addWrapped(whole)) ||
         SyntaxVisitor::TraverseStmt(s);
}

bool InsideConditions::TraverseForStmt(clang::ForStmt* loop) {
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

bool InsideConditions::VisitIfStmt(clang::IfStmt* branch) {
  if (branch->getInit() || branch->getConditionVariable() || branch->isConstexpr())
    return true;
  addWhole(branch->getCond(), !goesAway(branch->getThen()) || branch->getElse());
  return true;
}

bool InsideConditions::VisitConditionalOperator(clang::ConditionalOperator* choice) {
  // `x - 1 < low ? low : x - 1` is x - 1 nearly everywhere, and so is one that wraps around:
  // `x < 0 ? x + n : x >= n ? x - n : x`.
  const clang::Expr* condition = choice->getCond()->IgnoreParenImpCasts();
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition);
  const auto isPlace = [&](const clang::Expr* e) {
    return test && Splitter::boundOf(test->getOpcode()) &&
           (leadsTo(e, test->getLHS()) || leadsTo(e, test->getRHS()));
  };
  const bool otherwise = isPlace(choice->getFalseExpr()) && !isPlace(choice->getTrueExpr());
  addWhole(choice->getCond(), !otherwise && !splitter_.isGroupValue(choice->getTrueExpr(), true));
  return true;
}

bool InsideConditions::leadsTo(const clang::Expr* e, const clang::Expr* place) const {
  const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e->IgnoreParenImpCasts());
  return choice ? leadsTo(choice->getTrueExpr(), place) || leadsTo(choice->getFalseExpr(), place)
                : splitter_.stepInRow(place) != 0 &&
                      areAlike(e, place, splitter_.plan_.unit.context());
}

void InsideConditions::addGuard(const clang::Expr* condition, bool mayScale) {
  onlyNamed_ = true;
  mayScale_ = mayScale;
  add(condition, true);
}

void InsideConditions::addGuardFlags(const clang::Expr* condition) {
  condition = condition->IgnoreParenImpCasts();
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
    if (op->getOpcode() == clang::BO_LAnd) {
      addGuardFlags(op->getLHS());
      addGuardFlags(op->getRHS());
    }
    return;
  }
  const clang::VarDecl* flag = namedBy(condition);
  if (!flag || !flag->getType()->isBooleanType() || !flag->hasInit() ||
      !splitter_.isStored(flag, Storage::Recomputed))
    return;
  const std::size_t before = leaves.size();
  onlyNamed_ = true;
  add(flag->getInit(), true);
  for (std::size_t i = before; i < leaves.size(); ++i)
    leaves[i].ofFlag = true;
  leaves.erase(std::remove_if(
                   leaves.begin() + before, leaves.end(),
                   [&](const Leaf& leaf) { return !splitter_.plan_.text.isWhole(leaf.condition); }),
               leaves.end());
}

llvm::FoldingSetNodeID InsideConditions::identityOf(const clang::Expr* condition) const {
  llvm::FoldingSetNodeID id;
  condition->Profile(id, splitter_.plan_.unit.context(), true);
  return id;
}

std::string InsideConditions::bounds(const std::vector<Leaf>& some, RegionText& named) const {
  std::string out = "cu2cpp::Inside()";
  std::vector<std::pair<std::string, llvm::FoldingSetNodeID>> written;
  for (const Leaf& leaf : some) {
    named.add(leaf.place);
    named.add(leaf.limit);
    for (const clang::Expr* e : leaf.named)
      named.add(e);
    const std::string place =
        leaf.fromTo.empty() ? splitter_.expressionText(leaf.place) : leaf.fromTo;
    const std::string bound = std::string(".") + leaf.bound + "(" +
                              (leaf.falls ? "cu2cpp::falling(" + place + ")" : place) + ", " +
                              limitText(leaf) + stepText(leaf, named) + ")";
    // A condition that stands again bounds nothing more.
    if (leaf.condition) {
      std::pair<std::string, llvm::FoldingSetNodeID> one(bound, identityOf(leaf.condition));
      if (std::find(written.begin(), written.end(), one) != written.end())
        continue;
      written.push_back(std::move(one));
    }
    out += bound;
  }
  return out;
}

bool InsideConditions::areOfSteps() const {
  const Leaf& first = leaves.front();
  const llvm::StringRef bound = first.bound;
  return !first.steps.empty() && (bound == "below" || bound == "atMost") &&
         std::all_of(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
           return leaf.bound == bound && leaf.inStep == first.inStep && leaf.steps == first.steps &&
                  limitText(leaf) == limitText(first) && leaf.step == first.step &&
                  leaf.factors.size() == first.factors.size();
         });
}

std::string InsideConditions::boundsOfSteps(RegionText& named) const {
  const Leaf& leaf = leaves.front();
  named.add(leaf.place);
  named.add(leaf.limit);
  for (const clang::Expr* e : leaf.named)
    named.add(e);
  return std::string("cu2cpp::") + leaf.bound + "InSteps<" + leaf.steps + ">(" + leaf.inStep +
         ", " + limitText(leaf) + stepText(leaf, named) + ")";
}

bool InsideConditions::areOfOne() const {
  return conditions == 1 && leaves.size() > 1 &&
         std::none_of(leaves.begin(), leaves.end(),
                      [](const Leaf& leaf) { return leaf.clamps || leaf.guard; });
}

bool InsideConditions::othersAreOfOne(const std::set<const clang::Expr*>& ofGuard) const {
  unsigned whole = 0;
  for (const Leaf& leaf : leaves) {
    if (leaf.guard || ofGuard.count(leaf.condition))
      continue;
    // (Those of places that rise with a counter or are one for a row are not known for each
    // thread.)
    if (leaf.whole == 0 || (whole != 0 && leaf.whole != whole) || !leaf.holds || leaf.clamps ||
        leaf.falls || leaf.ofRow || !leaf.fromTo.empty() || !leaf.factors.empty())
      return false;
    whole = leaf.whole;
  }
  return whole != 0 && !changeSomething_;
}

std::string InsideConditions::limitText(const Leaf& leaf) const {
  const std::string number = std::to_string(leaf.number);
  if (!leaf.limit)
    return number;
  const std::string text = splitter_.expressionText(leaf.limit);
  return leaf.number == 0 ? text : "(" + text + ") + (" + number + ")";
}

std::string InsideConditions::stepText(const Leaf& leaf, RegionText& named) const {
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

void InsideConditions::addWhole(const clang::Expr* condition, bool holds) {
  const std::size_t before = leaves.size();
  add(condition, holds);
  // What holds for whole rows is asked with what differs in them.
  if (std::all_of(leaves.begin() + before, leaves.end(),
                  [](const Leaf& leaf) { return leaf.ofRow; }))
    leaves.resize(before);
  if (leaves.size() == before)
    return;
  // What one part of the condition does would depend on the others.
  const clang::ASTContext& context = splitter_.plan_.unit.context();
  if (condition->HasSideEffects(context)) {
    conditions += 2;
    changeSomething_ = true;
  }
  llvm::FoldingSetNodeID same = identityOf(condition);
  same.AddBoolean(holds);
  const auto known = std::find(known_.begin(), known_.end(), same);
  for (std::size_t i = before; i < leaves.size(); ++i)
    leaves[i].whole = unsigned(known - known_.begin()) + 1;
  if (known == known_.end()) {
    ++conditions;
    known_.push_back(same);
  }
}

void InsideConditions::add(const clang::Expr* condition, bool holds) {
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
    if (!fallOf(place) && !fallOf(limit) && !onlyNamed_)
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
                    Splitter::boundOf(relation), limit->IgnoreParenImpCasts(), std::move(factors)});
  leaves.back().falls = falls;
}

} // namespace cu2cpp
