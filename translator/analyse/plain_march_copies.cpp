// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp): what threads keep and tiles hold is an element of an
// array, where some sums are not negative.
#include <algorithm>

#include "analyse/clamp_functions.h"
#include "analyse/marks.h"
#include "analyse/plain_march.h"
#include "analyse/slopes.h"

namespace cu2cpp::marches {

std::optional<Value> March::pointed(const clang::Expr* e, const State& state, unsigned depth) {
  e = plainly(e);
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
      op && op->getOpcode() == clang::BO_Add && op->getLHS()->getType()->isPointerType()) {
    auto base = pointed(op->getLHS(), state, depth);
    const auto index = base ? sumOf(op->getRHS(), state, 0, &base->needs) : std::nullopt;
    if (!index)
      return std::nullopt;
    base->at = base->at + *index;
    narrow_ &= op->getRHS()->getType()->isSignedIntegerType() &&
               body_.unit.context().getTypeSize(op->getRHS()->getType()) <= 32;
    return base;
  }
  const clang::VarDecl* variable = namedBy(e);
  const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
  if (!variable || !variable->getType()->isPointerType() || depth > 4 ||
      (local && (local->modified || local->escapes)))
    return std::nullopt;
  if (const auto known = state.pointers.find(variable); known != state.pointers.end())
    return known->second;
  if (const auto* given = llvm::dyn_cast<clang::ParmVarDecl>(variable))
    return Value{given, {}, {}};
  return variable->hasLocalStorage() && variable->hasInit() && isFixed(variable->getInit())
             ? pointed(variable->getInit(), state, depth + 1)
             : std::nullopt;
}

bool March::isLiteral(const clang::Expr* e) {
  e = plainly(e);
  if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e))
    return isLiteral(cast->getSubExpr());
  if (const auto* made = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(e))
    return made->getNumArgs() <= 1 && (made->getNumArgs() == 0 || isLiteral(made->getArg(0)));
  return llvm::isa<clang::FloatingLiteral, clang::IntegerLiteral, clang::CXXScalarValueInitExpr>(e);
}

std::optional<Value> March::valueOf(const clang::Expr* e, State& state) {
  e = plainly(e);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
    for (const bool holds : {true, false}) {
      Needs needs;
      if (!isLiteral(holds ? choice->getFalseExpr() : choice->getTrueExpr()) ||
          !read(choice->getCond(), holds, state, needs))
        continue;
      auto value = valueOf(holds ? choice->getTrueExpr() : choice->getFalseExpr(), state);
      if (value)
        add(value->needs, needs);
      return value;
    }
    return std::nullopt;
  }
  if (isLiteral(e))
    return Value{};
  if (const clang::VarDecl* variable = namedBy(e)) {
    if (!kept_.count(variable))
      return std::nullopt;
    const auto known = state.values.find({variable, -1});
    return known == state.values.end() ? Value{} : known->second;
  }
  if (isFormulas(e))
    return formulaOf(e, state);
  const ArrayElement element = elementOf(e);
  if (element.array && kept_.count(element.array) && element.indices.size() == 1) {
    const auto row = state.rows.find(element.array);
    const auto index = sumOf(element.indices[0], state);
    const auto number = index ? asConstant(*index) : std::nullopt;
    if (const auto known = state.values.find({element.array, number.value_or(-1)});
        number && known != state.values.end())
      return known->second;
    if (row == state.rows.end() || !index)
      return Value{};
    return elementIn(row->second, *index);
  }
  if (element.array && tiles_.count(element.array) && step_) {
    const auto indices = indicesIn(element, state);
    state.tiles[element.array].read = true;
    return indices ? elementOfTile(element.array, *indices, state, nullptr) : std::nullopt;
  }
  const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e);
  if (!at)
    return std::nullopt;
  auto base = pointed(at->getBase(), state);
  const auto index = base ? sumOf(at->getIdx(), state, 0, &base->needs) : std::nullopt;
  if (!index)
    return std::nullopt;
  base->at = base->at + *index;
  narrow_ &= at->getIdx()->getType()->isSignedIntegerType() &&
             body_.unit.context().getTypeSize(at->getIdx()->getType()) <= 32;
  return base;
}

Value March::elementIn(const Row& row, const Sum& index) const {
  if (!row.first.array)
    return {};
  if (row.hole) {
    const Sum apart = index - *row.hole;
    if (!neverNegative(apart - constantSum(1)) && !neverNegative(constantSum(-1) - apart))
      return {};
  }
  return {row.first.array, row.first.at + row.each * index, row.first.needs};
}

bool March::isPlace(const clang::VarDecl* variable) const {
  const LocalVariable* local = body_.variables.find(variable);
  if (!local || !local->integer || local->modified || local->escapes || !variable->hasInit())
    return false;
  const Named named(variable->getInit());
  return named.changed.empty() &&
         std::all_of(named.calls.begin(), named.calls.end(),
                     [&](const clang::CallExpr* call) { return isHarmless(call); });
}

bool March::isCopy(const clang::Stmt* s, bool nested) const {
  if (llvm::isa<clang::NullStmt>(s))
    return true;
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
    return !list->body_empty() &&
           std::all_of(list->body_begin(), list->body_end(),
                       [&](const clang::Stmt* part) { return isCopy(part, true); });
  if (const auto* hinted = llvm::dyn_cast<clang::AttributedStmt>(s))
    return isCopy(hinted->getSubStmt(), nested);
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
    return !branch->getInit() && !branch->getConditionVariable() &&
           isCopy(branch->getThen(), true) &&
           (!branch->getElse() || isCopy(branch->getElse(), true));
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
    // A loop that loads planes may move the place from which it does.
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
    return list ? std::any_of(list->body_begin(), list->body_end(),
                              [&](const clang::Stmt* part) { return isCopy(part, true); }) &&
                      std::all_of(list->body_begin(), list->body_end(),
                                  [&](const clang::Stmt* part) {
                                    return isCopy(part, true) || movesPlace(part);
                                  })
                : isCopy(loop->getBody(), true);
  }
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
    return std::all_of(declared->decl_begin(), declared->decl_end(), [&](const clang::Decl* d) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(d);
      return variable &&
             (tiles_.count(variable) || kept_.count(variable) || (nested && isPlace(variable)));
    });
  const auto* e = llvm::dyn_cast<clang::Expr>(s);
  const auto* op = e ? llvm::dyn_cast<clang::BinaryOperator>(plainly(e)) : nullptr;
  if (!op || op->getOpcode() != clang::BO_Assign)
    return false;
  const clang::VarDecl* to = elementOf(op->getLHS()).array;
  return to && (tiles_.count(to) || kept_.count(to));
}

bool March::movesPlace(const clang::Stmt* s) {
  const auto* e = llvm::dyn_cast<clang::Expr>(s);
  const auto* op = e ? llvm::dyn_cast<clang::BinaryOperator>(plainly(e)) : nullptr;
  return op && op->getType()->isIntegerType() && namedBy(op->getLHS()) &&
         (op->getOpcode() == clang::BO_AddAssign || op->getOpcode() == clang::BO_SubAssign);
}

bool March::copy(const clang::Stmt* s, State& state, const Needs& conditions, bool inLoop) {
  if (llvm::isa<clang::NullStmt>(s))
    return true;
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
    return std::all_of(list->body_begin(), list->body_end(), [&](const clang::Stmt* part) {
      return copy(part, state, conditions, inLoop);
    });
  if (const auto* hinted = llvm::dyn_cast<clang::AttributedStmt>(s))
    return copy(hinted->getSubStmt(), state, conditions, inLoop);
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
    const Named named(branch->getCond());
    if (!named.changed.empty() || !named.calls.empty())
      return false;
    Needs here = conditions, other = conditions;
    const bool known = read(branch->getCond(), true, state, here);
    const bool knownElse = branch->getElse() && read(branch->getCond(), false, state, other);
    // Elements are filled in each step, or in none.
    if (fillsTile(branch) && !isSteady(branch->getCond()))
      return false;
    const auto before = equal_;
    noteEqual(branch->getCond(), state);
    const bool good = copy(branch->getThen(), state, here, inLoop);
    equal_ = before;
    if (!good)
      return false;
    if (!known)
      forget(branch->getThen(), state);
    if (!branch->getElse())
      return true;
    forget(branch->getThen(), state);
    if (!copy(branch->getElse(), state, other, inLoop))
      return false;
    if (!knownElse)
      forget(branch->getElse(), state);
    return true;
  }
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
    return fillsTile(loop) ? fillAll(loop, state, inLoop)
           : oneByOne_     ? copyOneByOne(loop, state, conditions, inLoop)
                           : copyRow(loop, state, conditions);
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl* decl : declared->decls()) {
      const auto* variable = llvm::cast<clang::VarDecl>(decl);
      if (tiles_.count(variable))
        continue;
      if (!kept_.count(variable)) {
        declareInteger(variable, state, false);
        continue;
      }
      if (variable->getType()->isArrayType()) {
        const auto* values = llvm::dyn_cast_or_null<clang::InitListExpr>(variable->getInit());
        if (variable->hasInit() &&
            (!values || !std::all_of(values->begin(), values->end(), [](const clang::Stmt* value) {
              return llvm::isa<clang::ImplicitValueInitExpr>(value) ||
                     isLiteral(llvm::cast<clang::Expr>(value));
            })))
          return drop(variable);
        state.rows.erase(variable);
        continue; // (elements that are kept alone are literals, too)
      }
      if (variable->hasInit() && !keep(variable, variable->getInit(), state, conditions))
        return drop(variable);
    }
    return true;
  }
  const auto* op = llvm::cast<clang::BinaryOperator>(plainly(llvm::cast<clang::Expr>(s)));
  if (const clang::VarDecl* variable = namedBy(op->getLHS()))
    return keep(variable, op->getRHS(), state, conditions) || drop(variable);
  const ArrayElement element = elementOf(op->getLHS());
  if (tiles_.count(element.array))
    return inLoop && fill(op, element, state, conditions);
  return keepElement(op, element, state, conditions) || drop(element.array);
}

void March::noteEqual(const clang::Expr* e, const State& state) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plainly(e));
  if (!op)
    return;
  if (op->getOpcode() == clang::BO_LAnd) {
    noteEqual(op->getLHS(), state);
    noteEqual(op->getRHS(), state);
  }
  if (op->getOpcode() != clang::BO_EQ)
    return;
  const auto left = sumOf(op->getLHS(), state), right = left ? sumOf(op->getRHS(), state) : left;
  if (!left || !right)
    return;
  const Sum apart = *left - *right;
  const auto atoms = symbols_.atomsOf(apart);
  const auto factor = atoms.size() == 1 ? symbols_.factorOf(apart, atoms[0]) : std::optional<Sum>();
  if (factor && asConstant(*factor) == 1)
    equal_[atoms[0]] = symbolSum(atoms[0]) - apart;
  else if (factor && asConstant(*factor) == -1)
    equal_[atoms[0]] = symbolSum(atoms[0]) + apart;
}

void March::nameThreads(std::vector<Sum>& element) {
  for (std::size_t i = element.size(); i-- > 0;) {
    if (symbols_.hasAtoms(element[i]))
      continue;
    const unsigned atom =
        builtinSum(ThreadIdx, "threadIdx", i + 1 == element.size() ? "x" : "y").begin()->first[0];
    const bool used = std::any_of(element.begin(), element.end(), [&](const Sum& index) {
      const auto atoms = symbols_.atomsOf(index);
      return std::find(atoms.begin(), atoms.end(), atom) != atoms.end();
    });
    if (const auto known = equal_.find(atom); known != equal_.end() && !used)
      element[i] = element[i] + symbolSum(atom) - known->second;
  }
}

bool March::fillsTile(const clang::Stmt* s) const {
  const Named named(s);
  return std::any_of(named.variables.begin(), named.variables.end(),
                     [&](const clang::VarDecl* v) { return tiles_.count(v) != 0; });
}

bool March::isSteady(const clang::Expr* e) const {
  const Named named(e);
  return std::all_of(
             named.calls.begin(), named.calls.end(),
             [](const clang::CallExpr* call) { return isMinOrMax(call->getDirectCallee()); }) &&
         named.changed.empty() &&
         std::all_of(named.variables.begin(), named.variables.end(),
                     [&](const clang::VarDecl* variable) {
                       const LocalVariable* local = body_.variables.find(variable);
                       if (!local)
                         return variable->hasLocalStorage() || builtinOf(variable) ||
                                isNamedConstant(variable);
                       return !local->modified && !local->escapes && variable != counter_ &&
                              (!variable->hasInit() || llvm::isa<clang::ParmVarDecl>(variable) ||
                               isSteady(variable->getInit()));
                     }) &&
         !Uniformity::readsMemory(e);
}

void March::forget(const clang::Stmt* s, State& state) const {
  for (const clang::Expr* place : Named(s).changed) {
    const clang::VarDecl* const array = elementOf(place).array;
    state.rows.erase(array);
    for (auto at = state.values.begin(); at != state.values.end();)
      at = at->first.first == array ? state.values.erase(at) : std::next(at);
  }
}

bool March::drop(const clang::VarDecl* variable) {
  if (kept_.erase(variable))
    again_ = true;
  return false;
}

bool March::sameType(const clang::VarDecl* variable, const Value& value) const {
  clang::QualType type = variable->getType();
  if (const clang::ArrayType* array = type->getAsArrayTypeUnsafe())
    type = array->getElementType();
  while (const clang::ArrayType* array = type->getAsArrayTypeUnsafe())
    type = array->getElementType();
  return std::all_of(value.parts.begin(), value.parts.end(),
                     [&](const Value& part) { return sameType(variable, part); }) &&
         (!value.array || body_.unit.context().hasSameUnqualifiedType(
                              type, value.array->getType()->getPointeeType()));
}

bool March::keep(const clang::VarDecl* variable, const clang::Expr* e, State& state,
                 const Needs& conditions) {
  auto value = valueOf(e, state);
  if (!value || !sameType(variable, *value))
    return false;
  add(value->needs, conditions);
  state.values[{variable, -1}] = *value;
  return true;
}

bool March::keepElement(const clang::BinaryOperator* op, const ArrayElement& element, State& state,
                        const Needs& conditions) {
  auto value = valueOf(op->getRHS(), state);
  const auto row = state.rows.find(element.array);
  const auto index = element.indices.size() == 1 ? sumOf(element.indices[0], state) : std::nullopt;
  if (const auto number = index ? asConstant(*index) : std::nullopt;
      value && number && *number >= 0 && row == state.rows.end()) {
    if (!sameType(element.array, *value))
      return false;
    add(value->needs, conditions);
    state.values[{element.array, *number}] = *value;
    return true;
  }
  // `behind[3] = 0.0f;`, the one that was not loaded: nothing is known of it still.
  if (value && !value->isKnown() && row != state.rows.end() && row->second.hole && index &&
      (*row->second.hole - *index).empty())
    return true;
  if (!value || !value->array || row == state.rows.end() || !index || !row->second.first.array ||
      row->second.first.array != value->array ||
      !(row->second.first.at + row->second.each * *index - value->at).empty())
    return false;
  if (row->second.hole && !(*row->second.hole - *index).empty())
    return false;
  add(row->second.first.needs, value->needs);
  add(row->second.first.needs, conditions);
  row->second.hole.reset();
  return true;
}

std::optional<Sum> March::sizeOf(const clang::VarDecl* array, const State& state) {
  const clang::ArrayType* type = array->getType()->getAsArrayTypeUnsafe();
  if (const auto* sized = llvm::dyn_cast_or_null<clang::ConstantArrayType>(type))
    return constantSum(static_cast<long long>(sized->getSize().getZExtValue()));
  const auto* dependent = llvm::dyn_cast_or_null<clang::DependentSizedArrayType>(type);
  return dependent && dependent->getSizeExpr() ? sumOf(dependent->getSizeExpr(), state)
                                               : std::nullopt;
}

bool March::isCounterIn(const clang::Stmt* s, const clang::VarDecl* variable) {
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
    if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
        declared && declared->isSingleDecl() && declared->getSingleDecl() == variable)
      return true;
  return std::any_of(s->child_begin(), s->child_end(), [&](const clang::Stmt* child) {
    return child && isCounterIn(child, variable);
  });
}

Bounds March::unknownBounds() {
  Symbol symbol;
  symbol.ofGrid = symbol.mayBeNegative = true;
  // One for each, so that the difference of two is not known either.
  const Sum sum = symbolSum(symbols_.add("unknown " + std::to_string(unknown_++), symbol));
  return {sum, sum};
}

bool March::fillAll(const clang::ForStmt* loop, State& state, bool inLoop) {
  const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* counter = declared && declared->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                            : nullptr;
  const Named body(loop->getBody());
  if (!counter || !counter->hasInit() || !counter->getType()->isIntegerType() || !loop->getCond() ||
      !loop->getInc() || !isSteady(counter->getInit()))
    return false;
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(plainly(loop->getCond()));
  const Named step(loop->getInc());
  if (!test || !test->isComparisonOp() || namedBy(test->getLHS()) != counter ||
      !isSteady(test->getRHS()) || step.changed.size() != 1 ||
      namedBy(step.changed[0]) != counter || !step.calls.empty())
    return false;
  for (const clang::VarDecl* variable : step.variables)
    if (variable != counter && !builtinOf(variable))
      if (const LocalVariable* local = body_.variables.find(variable);
          local && (local->modified || local->escapes))
        return false;
  for (const clang::Expr* place : body.changed)
    if (const clang::VarDecl* variable = elementOf(place).array;
        !variable || (!tiles_.count(variable) && !isCounterIn(loop->getBody(), variable)))
      return false;
  Symbol symbol;
  symbol.atom = true;
  symbol.text = counter->getNameAsString();
  symbol.bounds = unknownBounds();
  State inside = state;
  inside.integers[counter] = symbolSum(
      symbols_.add("fill " + std::to_string(reinterpret_cast<std::uintptr_t>(loop)), symbol));
  const bool outside = filling_;
  filling_ = true;
  const bool good = copy(loop->getBody(), inside, {}, inLoop);
  filling_ = outside;
  state.tiles = inside.tiles;
  return good;
}

std::optional<March::RowHead> March::headOfRow(const clang::ForStmt* loop, const State& state) {
  const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* counter = declared && declared->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                            : nullptr;
  const auto* test =
      loop->getCond() ? llvm::dyn_cast<clang::BinaryOperator>(plainly(loop->getCond())) : nullptr;
  const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(
      loop->getInc() ? loop->getInc()->IgnoreParens() : nullptr);
  if (!counter || !counter->hasInit() || !test || namedBy(test->getLHS()) != counter || !step ||
      !step->isIncrementDecrementOp() || namedBy(step->getSubExpr()) != counter)
    return std::nullopt;
  const auto from = sumOf(counter->getInit(), state), to = sumOf(test->getRHS(), state);
  if (!from || !to)
    return std::nullopt;
  return RowHead{counter, *from, *to, test->getOpcode(), step->isIncrementOp()};
}

bool March::copyRow(const clang::ForStmt* loop, State& state, const Needs& conditions) {
  const auto head = headOfRow(loop, state);
  if (!head)
    return false;
  const auto& [counter, from, to, relation, up] = *head;
  std::vector<const clang::Stmt*> parts;
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody()))
    parts.assign(list->body_begin(), list->body_end());
  else
    parts = {loop->getBody()};
  Symbol symbol;
  symbol.atom = true;
  symbol.text = textOf(counter->getNameAsString(), counter->getType());
  const Sum one = constantSum(1);
  if (up && (relation == clang::BO_LT || relation == clang::BO_LE))
    symbol.bounds = {from, relation == clang::BO_LE ? to : to - one};
  else if (!up && (relation == clang::BO_GT || relation == clang::BO_GE))
    symbol.bounds = {relation == clang::BO_GE ? to : to + one, from};
  else
    return false;
  const unsigned number =
      symbols_.add("row " + std::to_string(reinterpret_cast<std::uintptr_t>(loop)), symbol);
  State inside = state;
  inside.integers[counter] = symbolSum(number);
  // Places that move on by the same in each round.
  const Sum round = up ? symbolSum(number) - from : from - symbolSum(number);
  const Sum rounds = symbol.bounds.most - symbol.bounds.least + one;
  for (const clang::Stmt* part : parts)
    if (movesPlace(part)) {
      const auto moved = motion(llvm::cast<clang::Expr>(part), state);
      const Sum* const place = moved ? state.placeOf(moved->first) : nullptr;
      if (!place || moved->first == counter || *inside.placeOf(moved->first) != *place ||
          !neverNegative(rounds))
        return false;
      const Sum by = moved->second - *place;
      if (symbols_.hasAtoms(by))
        return false;
      *inside.placeOf(moved->first) = *place + by * round;
    }
  for (const clang::Stmt* part : parts) {
    if (movesPlace(part)) {
      const auto moved = motion(llvm::cast<clang::Expr>(part), inside);
      const auto one = motion(llvm::cast<clang::Expr>(part), state);
      *inside.placeOf(moved->first) = moved->second;
      Sum& place = *state.placeOf(one->first);
      place = place + (one->second - place) * rounds;
      continue;
    }
    Needs asked = conditions;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(part)) {
      const Named named(branch->getCond());
      part = branch->getThen();
      if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(part); list && list->size() == 1)
        part = list->body_front();
      if (branch->getElse() || !named.changed.empty() || !named.calls.empty() ||
          !read(branch->getCond(), true, inside, asked))
        return false;
    }
    const auto* e = llvm::dyn_cast<clang::Expr>(part);
    const auto* op = e ? llvm::dyn_cast<clang::BinaryOperator>(plainly(e)) : nullptr;
    const ArrayElement element = op ? elementOf(op->getLHS()) : ArrayElement();
    if (!op || op->getOpcode() != clang::BO_Assign || !kept_.count(element.array) ||
        element.indices.size() != 1)
      return false;
    // a[k + 1] of step k, or a[3 - k].
    const auto place = sumOf(element.indices[0], inside);
    const auto along = place ? symbols_.factorOf(*place, number) : std::nullopt;
    const long long way = along ? asConstant(*along).value_or(0) : 0;
    const Sum ahead = place ? *place - symbolSum(number) * way : Sum();
    if ((way != 1 && way != -1) || symbols_.hasAtoms(ahead))
      return false;
    const auto size = sizeOf(element.array, state);
    const ArrayElement other = elementOf(op->getRHS());
    if (!size)
      return drop(element.array);
    // Where elements move on one by one, only those behind have moved yet.
    for (const clang::Stmt* beside : parts)
      if (other.array == element.array && beside != part &&
          Named(beside).variables.count(other.array))
        return drop(element.array);
    if (other.array == element.array) {
      if (asked.size() != conditions.size())
        return drop(element.array);
      const auto row = state.rows.find(element.array);
      const auto apart = other.indices.size() == 1 ? sumOf(other.indices[0], inside) : std::nullopt;
      const auto by = apart ? asConstant(*apart - symbolSum(number)) : std::nullopt;
      const bool down = up && by == 1 && asConstant(from) == 0 && relation == clang::BO_LT &&
                        (to - *size + one).empty();
      const bool over = !up && by == -1 && (from - *size + one).empty() &&
                        ((relation == clang::BO_GT && to.empty()) ||
                         (relation == clang::BO_GE && asConstant(to) == 1));
      if ((!down && !over) || way < 0 || !ahead.empty() || row == state.rows.end())
        return drop(element.array);
      // The element that nothing moves on from may never have been loaded.
      if (row->second.hole && !(*row->second.hole - (down ? Sum() : *size - one)).empty())
        return drop(element.array);
      row->second.first.at = row->second.first.at + row->second.each * (down ? 1 : -1);
      row->second.hole = down ? *size - one : Sum();
      // Where they do not hold, nothing is known of the row any more.
      add(row->second.first.needs, conditions);
      continue;
    }
    auto value = valueOf(op->getRHS(), inside);
    // All elements, or all but the first or the last.
    const Sum first = (way > 0 ? symbol.bounds.least : symbol.bounds.most * -1) + ahead;
    const Sum last = (way > 0 ? symbol.bounds.most : symbol.bounds.least * -1) + ahead;
    const bool fromBegin = first.empty(), toEnd = (last - *size + one).empty();
    const bool whole = fromBegin && toEnd;
    const bool most = whole || (fromBegin && (last - *size + one + one).empty()) ||
                      (toEnd && asConstant(first) == 1);
    const auto each = value && value->array ? symbols_.factorOf(value->at, number) : std::nullopt;
    if (!value || !sameType(element.array, *value) || !most)
      return drop(element.array);
    if (!value->array) {
      forget(part, state);
      continue;
    }
    const auto ofStep = [&](const Sum& need) {
      const auto atoms = symbols_.atomsOf(need);
      return std::find(atoms.begin(), atoms.end(), number) != atoms.end();
    };
    add(value->needs, asked);
    if (!each || std::any_of(value->needs.begin(), value->needs.end(), ofStep))
      return drop(element.array);
    Row row{*value, *each * way, std::nullopt};
    row.first.at = value->at - row.each * *place;
    if (!whole)
      row.hole = fromBegin ? *size - one : Sum();
    add(row.first.needs, conditions);
    forget(part, state);
    state.rows[element.array] = row;
  }
  return true;
}

bool March::fill(const clang::BinaryOperator* op, const ArrayElement& element, State& state,
                 const Needs& conditions) {
  Tile& tile = state.tiles[element.array];
  tile.ready = false;
  // An element that is filled behind the read is a step old there.
  if (tile.read)
    return false;
  const auto value = valueOf(op->getRHS(), state);
  const auto indices = value ? indicesIn(element, state) : std::nullopt;
  if (!indices || !sameType(element.array, *value))
    return false;
  // Elements are the same in each step, so that none is older than another.
  if (step_ && std::any_of(indices->begin(), indices->end(),
                           [&](const Sum& index) { return names(index, *step_); }))
    return false;
  Write write{*indices, *indices, {}, conditions};
  nameThreads(write.element);
  if (!value->array)
    return false;
  write.value = *value;
  noteOtherwise(op->getRHS(), write, state);
  // Threads that store have what they need where a condition says so.
  Needs& needs = write.value.needs;
  needs.erase(std::remove_if(needs.begin(), needs.end(),
                             [&](const Sum& need) { return follows(need, conditions); }),
              needs.end());
  tile.writes.push_back(std::move(write));
  return true;
}

std::vector<unsigned> March::stepAtoms(const Sum& sum) const {
  std::vector<unsigned> out;
  for (const unsigned atom : symbols_.atomsOf(sum))
    if (step_ && atom == *step_)
      out.push_back(atom);
  return out;
}

Sum March::replaced(const Sum& sum, unsigned symbol, const Sum& by) {
  Sum out;
  for (const auto& [product, times] : sum) {
    Sum term = constantSum(times);
    for (const unsigned s : product)
      term = term * (s == symbol ? by : symbolSum(s));
    out = out + term;
  }
  return out;
}

} // namespace cu2cpp::marches
