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
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/region_parts.h"
#include "plan/split_inside_conditions.h"

namespace cu2cpp {

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
    if (regions_.printed.count(s) || (s != branch && !declaresRecomputed(s)))
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
  if (guard.leaves.empty())
    return "";
  if (plan_.options.lineDirectives)
    guard.addGuardFlags(only->getCond());
  const std::string out = threadsOf(guard, newline);
  for (std::size_t i = 0; i < guard.leaves.size(); ++i)
    if (guard.leaves[i].ofFlag)
      answer(guard, i, region, "cuInside");
  return out;
}

std::string Splitter::threadsOf(const InsideConditions& guard, const std::string& newline) {
  RegionText named;
  const std::string out = rangeText(guard.bounds(named), named, newline);
  for (const Leaf& leaf : guard.leaves)
    if (!leaf.ofFlag && plan_.text.isWhole(leaf.condition))
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
  // In the text's order, and not in that of addresses: a translation is to be the same each time.
  std::sort(out.begin(), out.end(), [](const clang::VarDecl* a, const clang::VarDecl* b) {
    return a->getLocation() < b->getLocation();
  });
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
  put(leaf.condition, region,
      leaf.clamps ? "(" + inside + " ? " + expressionText(leaf.place) + " : " +
                        expressionText(leaf.condition) + ")"
                  : decidedText(leaf.condition, leaf.holds, inside));
}

void Splitter::put(const clang::Expr* condition, const RegionNode& region,
                   const std::string& answer) {
  const FileRange range = expressionRange(condition);
  bool here = false;
  for (const clang::Stmt* s : region.statements) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    // Of variables that are kept the declaration is written anew.
    here |= isInside(condition, s) && !(declaration && keepsPerThread(declaration));
  }
  replaced_[condition] = answer;
  if (here)
    edits_.replace(range, answer);
  inside_.push_back(condition);
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
  for (const clang::Stmt* s : region.statements)
    if (regions_.printed.count(s))
      return "";
  conditions.visit(region.statements);
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
  // A row that does not pass the only condition does nothing.
  if (conditions.conditions < 2)
    conditions.leaves.erase(std::remove_if(conditions.leaves.begin(), conditions.leaves.end(),
                                           [](const Leaf& leaf) { return leaf.ofRow; }),
                            conditions.leaves.end());
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
  std::set<const clang::Expr*> ofGuard;
  for (const Leaf& leaf : conditions.leaves)
    if (leaf.guard)
      places.push_back(leaf);
  if (!places.empty() && std::all_of(places.begin(), places.end(), [&](const Leaf& leaf) {
        return leaf.guard == places.front().guard;
      })) {
    InsideConditions guard(*this);
    guard.addGuard(places.front().guard->getCond());
    if (!guard.leaves.empty() && plan_.options.lineDirectives) {
      for (const Leaf& leaf : guard.leaves)
        ofGuard.insert(leaf.condition);
      guard.addGuardFlags(places.front().guard->getCond());
    }
    // What flags say of the guard is answered as other conditions are.
    const bool isOfOne = !ofGuard.empty() &&
                         std::none_of(guard.leaves.begin(), guard.leaves.end(),
                                      [](const Leaf& leaf) { return leaf.ofFlag; }) &&
                         conditions.othersAreOfOne(ofGuard);
    if (!guard.leaves.empty())
      bounds += (isOfOne ? ".guardedOfOne(" : ".guarded(") + conditions.bounds(places, named) +
                ", " + guard.bounds(named) + ")";
    else
      places.clear();
  } else {
    places.clear();
  }
  const bool inSteps = places.empty() && conditions.areOfSteps();
  if (inSteps)
    bounds = conditions.boundsOfSteps(named);
  std::string out = rangeText(bounds, named, newline);
  // All that such places are made of rises from row to row, too, if it does not wrap around.
  const bool rises =
      !elements_ && !inSteps && places.empty() && plan_.options.lineDirectives &&
      llvm::StringRef(out).starts_with("[&]") && !llvm::StringRef(out).contains("(uint3{}),") &&
      std::all_of(conditions.leaves.begin(), conditions.leaves.end(),
                  [](const Leaf& leaf) { return leaf.place->getType()->isSignedIntegerType(); });
  if (const std::size_t comma = out.rfind(','); rises && comma != std::string::npos)
    out = "cu2cpp::rising(" + out.substr(0, comma) + ")" + out.substr(comma);
  for (std::size_t i = 0; i < conditions.leaves.size(); ++i) {
    const Leaf& leaf = conditions.leaves[i];
    answer(conditions, i, region,
           inSteps ? "cu2cpp::inStep(cuInside, " + leaf.counter->getNameAsString() + ")"
           : leaf.guard && !places.empty()                 ? "cu2cpp::isFree(cuInside)"
           : ofGuard.count(leaf.condition) && !leaf.clamps ? "cu2cpp::ofGuard(cuInside)"
           : leaf.bringsBack                               ? "bool(cuInside)"
                                                           : "cuInside");
  }
  return out;
}

} // namespace cu2cpp
