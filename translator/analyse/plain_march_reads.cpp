// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp): where what is kept or in a tile is read, and what is
// loaded and stored beside.
#include <algorithm>

#include "analyse/marks.h"
#include "analyse/plain_march.h"

namespace cu2cpp::marches {

bool March::replaceReads(const clang::Stmt* s, State& state, const Needs& known) {
  class Reads : public SyntaxVisitor {
  public:
    March* march = nullptr;
    State* state = nullptr;
    Needs known;
    bool good = true;

    bool TraverseIfStmt(clang::IfStmt* branch) override {
      if (branch->getInit() || branch->getConditionVariable())
        return good = false;
      TraverseStmt(branch->getCond());
      within(branch->getCond(), true, branch->getThen());
      if (branch->getElse())
        within(branch->getCond(), false, branch->getElse());
      return good;
    }
    bool TraverseConditionalOperator(clang::ConditionalOperator* e) override {
      TraverseStmt(e->getCond());
      within(e->getCond(), true, e->getTrueExpr());
      within(e->getCond(), false, e->getFalseExpr());
      return good;
    }
    bool TraverseForStmt(clang::ForStmt* loop) override {
      const auto head = countingLoop(loop, true);
      const auto from = head ? march->sumOf(head->from, *state) : std::nullopt;
      const auto to = from ? march->sumOf(head->to, *state) : std::nullopt;
      const Named body(loop->getBody());
      if (!to || std::any_of(body.changed.begin(), body.changed.end(),
                             [&](const clang::Expr* e) { return namedBy(e) == head->counter; }))
        return SyntaxVisitor::TraverseForStmt(loop);
      Symbol symbol;
      symbol.atom = true;
      symbol.text = textOf(head->counter->getNameAsString(), head->counter->getType());
      symbol.bounds = {*from, head->includesEnd ? *to : *to - constantSum(1)};
      const unsigned number = march->symbols_.add(
          "loop " + std::to_string(reinterpret_cast<std::uintptr_t>(loop)), symbol);
      march->variables_[number] = head->counter;
      state->integers[head->counter] = symbolSum(number);
      TraverseStmt(loop->getCond());
      return TraverseStmt(loop->getBody()) && good;
    }
    bool VisitVarDecl(clang::VarDecl* variable) override {
      const LocalVariable* local = march->body_.variables.find(variable);
      if (local && local->integer && !local->modified && variable->hasInit())
        march->declareInteger(variable, *state, false);
      return good;
    }
    bool TraverseArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
      const ArrayElement element = elementOf(e);
      if (!element.array ||
          (!march->tiles_.count(element.array) && !march->kept_.count(element.array))) {
        march->noteAccess(e, element, *state, known);
        return march->tellByStep(e, element, *state, known) ||
               SyntaxVisitor::TraverseArraySubscriptExpr(e);
      }
      const auto found = march->indicesIn(element, *state);
      if (!found)
        return good = false;
      const std::vector<Sum>& indices = *found;
      if (march->tiles_.count(element.array)) {
        const auto value = march->elementOfTile(element.array, indices, *state, &known);
        state->tiles[element.array].read = true;
        return good = value && march->replace(e, *value, known);
      }
      const auto row = state->rows.find(element.array);
      const auto number = indices.size() == 1 ? asConstant(indices[0]) : std::nullopt;
      const auto value = state->values.find({element.array, number.value_or(-1)});
      if (number && value != state->values.end())
        return good = march->replace(e, value->second, known) || march->drop(element.array);
      if (march->settling_)
        return good;
      return good = (indices.size() == 1 && row != state->rows.end() &&
                     march->replace(e, march->elementIn(row->second, indices[0]), known)) ||
                    march->drop(element.array);
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      march->loadsElsewhere_ |= op->getOpcode() == clang::UO_Deref;
      return good;
    }
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      march->loadsElsewhere_ |= member->isArrow();
      return good;
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable || (!march->kept_.count(variable) && !march->tiles_.count(variable)))
        return good;
      const auto value = state->values.find({variable, -1});
      return good = march->settling_ ||
                    (value != state->values.end() && march->replace(use, value->second, known)) ||
                    march->drop(variable);
    }
    void within(const clang::Expr* condition, bool holds, clang::Stmt* part) {
      const Needs outside = known;
      march->learn(condition, holds, *state, known);
      TraverseStmt(part);
      known = outside;
    }
  } reads;
  reads.march = this;
  reads.state = &state;
  reads.known = known;
  reads.TraverseStmt(const_cast<clang::Stmt*>(s));
  return reads.good;
}

bool March::replace(const clang::Expr* e, const Value& value, const Needs& known) {
  if (settling_)
    return true;
  if (!value.isKnown() || !follows(value.needs, known))
    return false;
  const auto range = body_.text.rangeOf(e->getSourceRange());
  if (!range && !isInMacro(e))
    return false;
  for (const Value& part : value.parts)
    arrays_.insert(part.array);
  if (value.array)
    arrays_.insert(value.array);
  edits_[e] = {range ? *range : FileRange(), value};
  known_[e] = known;
  return true;
}

void March::noteAccess(const clang::ArraySubscriptExpr* e, const ArrayElement& element,
                       const State& state, const Needs& known) {
  const clang::VarDecl* variable = element.array;
  if (variable && variable->getType()->isArrayType() &&
      (variable->hasLocalStorage() || hasMark(variable, "constant") || isNamedConstant(variable)))
    return;
  const clang::ParentMap& parents = body_.variables.parents();
  const clang::Stmt* around = parents.getParent(e);
  while (around && llvm::isa<clang::ParenExpr>(around))
    around = parents.getParent(around);
  const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(around);
  const bool stored = op && op->isAssignmentOp() && op->getLHS()->IgnoreParens() == e;
  Access access;
  access.loads = !stored || op->getOpcode() != clang::BO_Assign;
  access.phase = phase_;
  const auto base = pointed(e->getBase(), state);
  Needs limits = base ? base->needs : Needs();
  const auto index = base ? sumOf(e->getIdx(), state, 0, &limits) : std::nullopt;
  if (base) {
    access.array = base->array;
    if (index && follows(limits, known))
      access.at = base->at + *index;
  } else if (const auto* given = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable)) {
    access.array = given;
  }
  loadsElsewhere_ |= access.loads && !access.array;
  storesElsewhere_ |= stored && !access.array;
  access.stores = stored || (around && llvm::isa<clang::UnaryOperator>(around) &&
                             llvm::cast<clang::UnaryOperator>(around)->isIncrementDecrementOp());
  accesses_[e] = access;
  known_[e] = known;
}

bool March::ordersStay() {
  std::set<const clang::ParmVarDecl*> stored, loaded;
  for (const auto& [e, access] : accesses_) {
    if (access.stores && access.array)
      stored.insert(access.array);
    if (access.loads && access.array)
      loaded.insert(access.array);
  }
  for (const clang::ParmVarDecl* to : stored) {
    if (!to->getType().isRestrictQualified() && loadsElsewhere_)
      return false;
    for (const clang::ParmVarDecl* from : loaded)
      if (from != to && !from->getType().isRestrictQualified() &&
          !to->getType().isRestrictQualified()) {
        apart_.insert({from, to});
        if (!arrays_.count(from) &&
            body_.unit.context().hasSameUnqualifiedType(from->getType()->getPointeeType(),
                                                        to->getType()->getPointeeType()) &&
            keepsToColumn({from, to}))
          mayBeOne_.insert({from, to});
      }
    // Of two stores at one place the later one counts.
    for (const clang::ParmVarDecl* other : stored)
      if (other != to && !other->getType().isRestrictQualified() &&
          !to->getType().isRestrictQualified() && !apart_.count({other, to}))
        apart_.insert({to, other});
    const std::vector<const Access*> all = accessesTo({to});
    const bool once = std::all_of(all.begin(), all.end(), [&](const Access* access) {
      return access->phase == all[0]->phase && access->phase != 1 && !access->loads;
    });
    if (!once && !keepsToColumn({to}))
      return false;
  }
  return !storesElsewhere_ || (loaded.empty() && !loadsElsewhere_);
}

std::vector<const Access*>
March::accessesTo(const std::set<const clang::ParmVarDecl*>& arrays) const {
  std::vector<const Access*> all;
  for (const auto& [e, access] : accesses_)
    if (arrays.count(access.array))
      all.push_back(&access);
  return all;
}

bool March::keepsToColumn(const std::set<const clang::ParmVarDecl*>& arrays) const {
  const std::vector<const Access*> all = accessesTo(arrays);
  return std::all_of(all.begin(), all.end(), [&](const Access* access) {
    return access->at && isOwnColumn(*access) && isWholePlanes(*access->at - *all[0]->at);
  });
}

bool March::isOwnColumn(const Access& access) const {
  const Sum& at = *access.at;
  const auto x = symbols_.factorOf(at, thread_[0]), y = symbols_.factorOf(at, thread_[1]);
  auto z = symbols_.factorOf(at, *step_);
  // Before the loop and behind it there is one plane.
  if (z && z->empty() && access.phase != 1)
    z = plane_;
  const auto atoms = symbols_.atomsOf(at);
  return x && y && z && !x->empty() && !y->empty() && !(*x - *y).empty() && !(*x - *z).empty() &&
         !(*y - *z).empty() && std::all_of(atoms.begin(), atoms.end(), [&](unsigned atom) {
           const auto factor = symbols_.factorOf(at, atom);
           return atom == thread_[0] || atom == thread_[1] || atom == *step_ ||
                  (factor && isWholePlanes(*factor));
         });
}

bool March::isWholePlanes(const Sum& apart) const {
  if (apart.empty())
    return true;
  if (plane_.size() != 1 || asConstant(plane_) == 1 || asConstant(plane_) == -1)
    return false;
  const auto& [plane, size] = *plane_.begin();
  return std::all_of(
      apart.begin(), apart.end(), [&, &plane = plane, size = size](const auto& term) {
        return std::includes(term.first.begin(), term.first.end(), plane.begin(), plane.end()) &&
               term.second % size == 0;
      });
}

bool March::tellByStep(const clang::Expr* e, const ArrayElement& element, const State& state,
                       const Needs& known) {
  const auto* array = llvm::dyn_cast_or_null<clang::ParmVarDecl>(element.array);
  const LocalVariable* local = array ? body_.variables.find(array) : nullptr;
  if (!step_ || !array || !array->getType()->isPointerType() || element.indices.size() != 1 ||
      (local && (local->modified || local->escapes)))
    return false;
  const clang::Expr* index = element.indices[0];
  const Named named(index);
  const bool moves =
      std::any_of(named.variables.begin(), named.variables.end(), [&](const clang::VarDecl* v) {
        const auto by = moves_.find(v);
        return by != moves_.end() && !by->second.empty();
      });
  Needs limits;
  const auto place = named.changed.empty() ? sumOf(index, state, 0, &limits) : std::nullopt;
  if (!place || (!moves && limits.empty()) || !follows(limits, known))
    return false;
  const auto range = body_.text.rangeOf(e->getSourceRange());
  const bool isSigned = index->getType()->isSignedIntegerType();
  const auto bits = body_.unit.context().getTypeSize(index->getType());
  if (!range || e->getBeginLoc().isMacroID() || e->getEndLoc().isMacroID() ||
      (!isSigned && bits < 64))
    return false;
  narrow_ &= isSigned && bits <= 32;
  edits_[e] = {*range, Value{array, *place, {}}};
  return true;
}

} // namespace cu2cpp::marches
