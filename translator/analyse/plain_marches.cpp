// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march through a volume with a shared tile of the current plane and the planes around
// it in registers save a GPU's memory. Here the array itself is in the caches, and the tile and
// what threads keep take longer than the stencil. For compilers only, such a kernel reads the
// array:
//
//   for (int z = 1; z < nz - 1; ++z) {
//     below = here; here = above; above = in[at + plane];
//     __syncthreads();                                      for (int z = 1; z < nz - 1; ++z) {
//     tile[ty][tx] = here;                                    if (x < nx - 1 && y < ny - 1)
//     if (threadIdx.x == 0) tile[ty][0] = in[at - 1];   ->      out[at] = in[z * plane + ...] +
//     ...;
//     __syncthreads();                                        at += plane;
//     if (x < nx - 1 && y < ny - 1)                         }
//       out[at] = here + below + tile[ty][tx - 1] + ...;
//     at += plane;
//   }
//
// What a thread keeps is, by induction over the steps, an element of one array at a place that is a
// sum (uniform_sums.h) of the step and the thread's place; where conditions decide whether it was
// loaded, what reads it must stand under conditions that say so. Of a tile, each element that is
// written must come from the place that one sum of the element's indices tells. An element that is
// read and was never written has no value that a program may rely on, so where it is read the array
// was read, too. Nothing may be stored to that array meanwhile.
#include <algorithm>
#include <iterator>

#include "analyse/clamp_functions.h"
#include "analyse/marks.h"
#include "analyse/plain_march.h"

namespace cu2cpp::marches {

namespace {

/// What stands behind `#pragma unroll`.
const clang::Stmt* unhinted(const clang::Stmt* s) {
  const auto* hinted = llvm::dyn_cast<clang::AttributedStmt>(s);
  return hinted ? hinted->getSubStmt() : s;
}

} // namespace

Sum* State::placeOf(const clang::VarDecl* variable) {
  if (const auto known = integers.find(variable); known != integers.end())
    return &known->second;
  const auto known = clamped.find(variable);
  return known == clamped.end() ? nullptr : &known->second.first;
}

bool March::find() {
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body_.function->getBody());
  // What has a peer that reads the array is there for arrays that overlap.
  if (!list || apartCondition(body_.function) || !findLoop(list) || Named(list).odd || !findTiles())
    return false;
  findGuards();
  findKept(list);
  found_ = kept_.size();
  // What does not keep to the rules is kept as it is, and read as any variable.
  for (unsigned round = 0; round < mostRounds; ++round) {
    again_ = false;
    sizes_.clear();
    edits_.clear();
    accesses_.clear();
    if (pass(list))
      return true;
    if (!again_)
      return false;
  }
  return false;
}

bool March::findLoop(const clang::CompoundStmt* list) {
  for (const clang::Stmt* s : list->body()) {
    Named named(s);
    if (std::none_of(named.calls.begin(), named.calls.end(),
                     [](const clang::CallExpr* call) { return isBarrier(call); }))
      continue;
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(unhinted(s));
    if (!loop || loop_)
      return false;
    loop_ = loop;
  }
  body_list_ = loop_ ? llvm::dyn_cast<clang::CompoundStmt>(loop_->getBody()) : nullptr;
  if (!body_list_ || loop_->getBeginLoc().isMacroID())
    return false;
  const auto head = countingLoop(loop_, true);
  if (!head || !head->from || !head->to)
    return false;
  counter_ = head->counter;
  from_ = head->from;
  to_ = head->to;
  upTo_ = head->includesEnd;
  const LocalVariable* local = body_.variables.find(counter_);
  const Named inside(body_list_);
  return local && local->integer && !local->escapes &&
         std::none_of(inside.changed.begin(), inside.changed.end(),
                      [&](const clang::Expr* e) { return namedBy(e) == counter_; });
}

bool March::findTiles() {
  for (const clang::DeclStmt* s : body_.contents.declarations)
    for (const clang::Decl* decl : s->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || !isShared(variable))
        continue;
      if (variable->getLocation().isMacroID() || !isTop(s) || !addTile(variable))
        return false;
    }
  // The memory that a launch gives is one array.
  for (const auto& [variable, uses] : body_.contents.references)
    if (isShared(variable) && !tiles_.count(variable) && !addTile(variable))
      return false;
  const auto given = std::count_if(tiles_.begin(), tiles_.end(), [](const clang::VarDecl* tile) {
    return tile->getType()->isIncompleteArrayType();
  });
  return !tiles_.empty() && given <= 1;
}

bool March::addTile(const clang::VarDecl* variable) {
  clang::QualType type = variable->getType();
  while (const clang::ArrayType* array = type->getAsArrayTypeUnsafe()) {
    if (!llvm::isa<clang::ConstantArrayType, clang::DependentSizedArrayType,
                   clang::IncompleteArrayType>(array))
      return false;
    type = array->getElementType();
  }
  if (type == variable->getType() || !isNumber(type) || type.isVolatileQualified() ||
      body_.mayBeHidden(variable))
    return false;
  return tiles_.insert(variable).second;
}

bool March::isTop(const clang::Stmt* s) const {
  return body_.variables.parents().getParent(s) == body_.function->getBody();
}

bool March::isNumber(clang::QualType type) {
  return type->isArithmeticType() || type->isTemplateTypeParmType();
}

void March::findKept(const clang::CompoundStmt*) {
  for (const clang::DeclStmt* s : body_.contents.declarations)
    for (const clang::Decl* decl : s->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      const clang::Stmt* around = body_.variables.parents().getParent(s);
      if (!variable || !variable->hasLocalStorage() || isShared(variable) ||
          (around != body_.function->getBody() && around != body_list_) ||
          body_.mayBeHidden(variable))
        continue;
      clang::QualType type = variable->getType();
      if (const clang::ArrayType* array = type->getAsArrayTypeUnsafe();
          array && llvm::isa<clang::ConstantArrayType, clang::DependentSizedArrayType>(array))
        type = array->getElementType();
      if (isNumber(type) && !type->isIntegerType() && !type.isVolatileQualified())
        kept_.insert(variable);
    }
}

bool March::pass(const clang::CompoundStmt* list) {
  State state;
  removed_.clear();
  staying_.clear();
  phase_ = 0;
  bool before = true;
  for (const clang::Stmt* s : list->body()) {
    if (unhinted(s) == loop_) {
      before = false;
      phase_ = 1;
      if (!passLoop(state))
        return false;
      phase_ = 2;
      continue;
    }
    // Threads that leave write no elements, and nobody may read what was never written.
    if (const clang::Expr* left = before ? leavingWhere(s) : nullptr) {
      if (!replaceReads(s, state, staying_))
        return false;
      learn(left, false, state, staying_);
      continue;
    }
    if (!passStatement(s, state, staying_, before, false))
      return false;
  }
  return loop_ != nullptr;
}

const clang::Expr* March::leavingWhere(const clang::Stmt* s) {
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
  if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      !Named(branch->getCond()).calls.empty() || !Named(branch->getCond()).changed.empty())
    return nullptr;
  const clang::Stmt* then = branch->getThen();
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then))
    then = list->size() == 1 ? list->body_front() : nullptr;
  return llvm::isa_and_nonnull<clang::ReturnStmt>(then) ? branch->getCond() : nullptr;
}

bool March::isMoved(const clang::VarDecl* variable) const {
  const LocalVariable* local = body_.variables.find(variable);
  return !local || local->modified;
}

bool March::passStatement(const clang::Stmt* s, State& state, const Needs& known, bool before,
                          bool inLoop) {
  if (isBarrier(s)) {
    removed_.insert(s);
    for (auto& [array, tile] : state.tiles)
      tile.ready = true;
    return inLoop;
  }
  if (isCopy(s)) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    const auto* list = loop ? llvm::dyn_cast<clang::CompoundStmt>(loop->getBody()) : nullptr;
    if (list && std::any_of(list->body_begin(), list->body_end(), movesPlace))
      std::copy_if(list->body_begin(), list->body_end(), std::inserter(removed_, removed_.end()),
                   [](const clang::Stmt* part) { return !movesPlace(part); });
    else
      removed_.insert(s);
    return (before || inLoop) && copy(s, state, {}, inLoop);
  }
  if ((before || inLoop) && isMixed(s))
    return passMixed(llvm::cast<clang::IfStmt>(s), state, known, before, inLoop);
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl* decl : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
          !variable || tiles_.count(variable) || kept_.count(variable))
        return variable && drop(variable); // beside others in one declaration
    if (!changesFit(s, state) || !replaceReads(s, state, known))
      return false;
    for (const clang::Decl* decl : declared->decls())
      declare(llvm::cast<clang::VarDecl>(decl), state, !inLoop && before);
    return true;
  }
  if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) {
    if (const auto moved = motion(e, state)) {
      *state.placeOf(moved->first) = moved->second;
      return true;
    }
  }
  return changesFit(s, state) && replaceReads(s, state, known);
}

bool March::changesFit(const clang::Stmt* s, State& state) {
  const Named named(s);
  if (named.returns)
    return false;
  for (const clang::Expr* place : named.changed) {
    const clang::VarDecl* variable = elementOf(place).array;
    if (variable && kept_.count(variable))
      return drop(variable);
    if (!variable || tiles_.count(variable) || !variable->hasLocalStorage())
      return false;
    clang::QualType type = variable->getType();
    while (const clang::ArrayType* array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
    if (variable->getType()->isArrayType() && type->isAnyPointerType())
      return false;
    // Behind the loop it need not be known.
    if (namedBy(place) && phase_ == 2) {
      state.integers.erase(variable);
      state.clamped.erase(variable);
    }
    // An integer that changes in some threads, or a pointer.
    if (namedBy(place) && (state.placeOf(variable) || variable->getType()->isPointerType()))
      return false;
    if (!namedBy(place) && !variable->getType()->isArrayType())
      stored_.insert(variable);
  }
  return std::all_of(named.calls.begin(), named.calls.end(),
                     [&](const clang::CallExpr* call) { return isHarmless(call); });
}

bool March::isHarmless(const clang::CallExpr* call, unsigned depth) const {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  if (isMinOrMax(callee))
    return true;
  return callee && (!method || method->isStatic() || method->isConst()) &&
         isNumber(callee->getReturnType()) &&
         std::all_of(
             callee->param_begin(), callee->param_end(),
             [](const clang::ParmVarDecl* p) { return p->getType()->isArithmeticType(); }) &&
         (!body_.unit.isUser(callee->getLocation()) || changesOnlyItsOwn(callee, depth));
}

bool March::changesOnlyItsOwn(const clang::FunctionDecl* function, unsigned depth) const {
  constexpr unsigned deepest = 4;
  const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
  const clang::Stmt* body = (pattern ? pattern : function)->getBody();
  if (!body || depth > deepest)
    return false;
  const Named named(body);
  return std::none_of(named.variables.begin(), named.variables.end(), isShared) &&
         std::all_of(named.changed.begin(), named.changed.end(),
                     [](const clang::Expr* place) {
                       const clang::VarDecl* variable = elementOf(place).array;
                       return variable && variable->hasLocalStorage() &&
                              (namedBy(place) || variable->getType()->isArrayType());
                     }) &&
         std::all_of(named.calls.begin(), named.calls.end(),
                     [&](const clang::CallExpr* call) { return isHarmless(call, depth + 1); });
}

std::optional<std::pair<const clang::VarDecl*, Sum>> March::motion(const clang::Expr* e,
                                                                   const State& state) {
  e = plainly(e);
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  const auto* one = llvm::dyn_cast<clang::UnaryOperator>(e);
  const clang::VarDecl* variable = op && op->isAssignmentOp() ? namedBy(op->getLHS())
                                   : one && one->isIncrementDecrementOp()
                                       ? namedBy(one->getSubExpr())
                                       : nullptr;
  const Sum* const known = variable ? state.placeOf(variable) : nullptr;
  if (!known)
    return std::nullopt;
  if (one)
    return std::pair(variable, *known + constantSum(one->isIncrementOp() ? 1 : -1));
  const auto by = sumOf(op->getRHS(), state);
  if (!by)
    return std::nullopt;
  switch (op->getOpcode()) {
  case clang::BO_Assign:
    return std::pair(variable, *by);
  case clang::BO_AddAssign:
    return std::pair(variable, *known + *by);
  case clang::BO_SubAssign:
    return std::pair(variable, *known - *by);
  default:
    return std::nullopt;
  }
}

bool March::passLoop(State& state) {
  const auto from = sumOf(from_, state), to = sumOf(to_, state);
  if (!from || !to || !isSteady(to_))
    return false;
  // Steps are counted from 0: a symbol of its own.
  Symbol symbol;
  symbol.atom = true;
  symbol.text = "cuStep";
  symbol.bounds = {{}, *to - *from + constantSum(upTo_ ? 0 : -1)};
  const unsigned step = symbols_.add("step", symbol);
  step_ = step;
  first_ = *from;
  const Sum k = symbolSum(step);
  State begin = state;
  begin.integers[counter_] = *from + k;
  begin_ = beginOf(begin);
  // Integers that move by the same in each step.
  State one = begin;
  moveOn(one);
  std::vector<const clang::VarDecl*> moving;
  for (const auto& [variable, sum] : begin.integers)
    moving.push_back(variable);
  for (const auto& [variable, inside] : begin.clamped)
    moving.push_back(variable);
  for (const clang::VarDecl* variable : moving) {
    if (variable == counter_ || !isMoved(variable))
      continue;
    Sum& place = *begin.placeOf(variable);
    const Sum by = *one.placeOf(variable) - place;
    if (symbols_.hasAtoms(by))
      return false;
    moves_[variable] = by;
    place = place + by * k;
  }
  // Values move on by a plane in each step: how far that is the first loads say.
  const auto plane = planeOf(begin);
  if (!plane)
    return false;
  plane_ = *plane;
  const Named inside(body_list_);
  for (auto& [kept, value] : begin.values) {
    // One value in all steps is better kept.
    if (kept_.count(kept.first) &&
        std::none_of(inside.changed.begin(), inside.changed.end(),
                     [&, v = kept.first](const clang::Expr* e) { return elementOf(e).array == v; }))
      return drop(kept.first);
    // What the first step needs (`z0 > 0` for the plane before) later ones may not: then it is what
    // holds there anyhow. What is asked of a thread's place all steps need.
    for (Sum& need : value.needs)
      if (!symbols_.hasAtoms(need))
        need = inSteps(need, k);
    for (Value& part : value.parts)
      part.at = part.at + *plane * k;
    if (value.array)
      value.at = value.at + *plane * k;
  }
  for (auto& [variable, row] : begin.rows)
    row.first.at = row.first.at + *plane * k;
  begin.tiles.clear();
  Needs known = staying_;
  known.push_back(k);
  known.push_back(symbol.bounds.most - k);
  learnEnds(begin, k, known);
  before_ = edits_;
  settling_ = true;
  std::set<Kept> unsettled;
  for (unsigned round = 0; round < mostRounds; ++round) {
    edits_ = before_;
    State end = begin;
    if (!passStep(end, known))
      return false;
    bool changed = false;
    const auto agree = [&](Value& head, const Value& last) {
      if (!head.isKnown()) {
        if (last.isKnown()) {
          head = nextStep(last);
          changed = true;
        }
        return true;
      }
      if (!isSame(last, this->changed(head, [&](const Sum& sum) {
            return replaced(sum, step, k + constantSum(1));
          })))
        return false;
      for (const Sum& need : last.needs) {
        const Sum next = replaced(need, step, k - constantSum(1));
        if (follows(next, head.needs) || follows(next, known))
          continue;
        head.needs.push_back(next);
        changed = true;
      }
      return true;
    };
    for (const auto& [kept, last] : end.values) {
      if (!kept_.count(kept.first))
        continue;
      if (Value& head = begin.values[kept]; !agree(head, last)) {
        // Not live where a step begins, or not kept by the rules.
        if (!unsettled.insert(kept).second)
          return drop(kept.first);
        head = {};
        changed = true;
      }
    }
    for (auto& [kept, head] : begin.values)
      if (head.isKnown() && !end.values.count(kept)) {
        head = {};
        changed = true;
      }
    for (auto& [variable, row] : begin.rows) {
      const auto last = end.rows.find(variable);
      if (last == end.rows.end() || !(last->second.each - row.each).empty() ||
          (last->second.hole && (!row.hole || !(*last->second.hole - *row.hole).empty())) ||
          !agree(row.first, last->second.first))
        return drop(variable);
    }
    // Integers move on as the first step said.
    for (const auto& [variable, by] : moves_) {
      const Sum *const head = begin.placeOf(variable), *const last = end.placeOf(variable);
      if (head && (!last || !(*last - replaced(*head, step, k + constantSum(1))).empty()))
        return false;
    }
    if (!changed && !settling_) {
      state = behindSteps(begin, end, known);
      return true;
    }
    settling_ = changed && settling_;
    if (changed && !settling_)
      return false;
  }
  return false;
}

Value March::nextStep(const Value& value) const {
  const Sum before = symbolSum(*step_) - constantSum(1);
  Value out = changed(value, [&](const Sum& sum) { return replaced(sum, *step_, before); });
  add(out.needs, {before});
  return out;
}

void March::declare(const clang::VarDecl* variable, State& state, bool top) {
  const LocalVariable* local = body_.variables.find(variable);
  if (variable->getType()->isPointerType() && variable->hasInit() && local && !local->modified &&
      !local->escapes) {
    if (const auto to = pointed(variable->getInit(), state))
      state.pointers[variable] = *to;
  } else {
    declareInteger(variable, state, top);
  }
}

std::optional<Sum> March::planeOf(const State& begin) {
  std::vector<Sum> planes;
  State state = begin;
  for (const clang::Stmt* s : body_list_->body()) {
    if (const auto* e = llvm::dyn_cast<clang::Expr>(s))
      if (const auto moved = motion(e, state))
        *state.placeOf(moved->first) = moved->second;
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
      for (const clang::Decl* decl : declared->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
          declare(variable, state, false);
    if (isCopy(s) || s == begin_)
      findPlanes(s, state, planes);
    else if (isMixed(s))
      for (const clang::Stmt* part :
           llvm::cast<clang::CompoundStmt>(llvm::cast<clang::IfStmt>(s)->getThen())->body())
        if (isCopyInBranch(part))
          findPlanes(part, state, planes);
  }
  const bool alike = std::all_of(planes.begin(), planes.end(),
                                 [&](const Sum& plane) { return (plane - planes[0]).empty(); });
  return alike && !planes.empty() && !planes[0].empty() ? std::optional(planes[0]) : std::nullopt;
}

void March::findPlanes(const clang::Stmt* s, State& state, std::vector<Sum>& planes) {
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
    // A place in the plane, whatever it is.
    if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit()))
      for (const clang::Decl* decl : declared->decls())
        if (const auto* counter = llvm::dyn_cast<clang::VarDecl>(decl)) {
          Symbol symbol;
          symbol.atom = true;
          symbol.bounds = unknownBounds();
          state.integers[counter] = symbolSum(symbols_.add(
              "plane " + std::to_string(reinterpret_cast<std::uintptr_t>(counter)), symbol));
        }
    const bool outside = filling_;
    filling_ = true;
    findPlanes(loop->getBody(), state, planes);
    filling_ = outside;
    return;
  }
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
    for (const clang::Decl* decl : declared->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
          variable && isPlace(variable))
        declareInteger(variable, state, false);
  if (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(s)) {
    const auto base = pointed(at->getBase(), state);
    Needs limits;
    const auto index = base ? sumOf(at->getIdx(), state, 0, &limits) : std::nullopt;
    if (const auto by = index ? symbols_.factorOf(base->at + *index, *step_) : std::nullopt)
      planes.push_back(*by);
  }
  for (const clang::Stmt* part : s->children())
    if (part)
      findPlanes(part, state, planes);
}

} // namespace cu2cpp::marches

namespace cu2cpp {

bool readThroughMarches(const PlainBody& body, const FunctionFacts& function) {
  using marches::March;
  March named(body, function, false);
  const bool fits = named.find();
  if (fits && !named.leavesKept() && named.write())
    return true;
  // By what names stand for, more of what threads keep may be told.
  March expanded(body, function, true);
  const bool alsoFits = expanded.find();
  if (fits && named.leavesKept() && !(alsoFits && expanded.told() > named.told()) && named.write())
    return true;
  if ((alsoFits && expanded.write()) || (fits && named.leavesKept() && named.write()))
    return true;
  // Elements of a queue need not be known where the same holds.
  March oneByOne(body, function, false, true);
  return !fits && !alsoFits && oneByOne.find() && oneByOne.write();
}

} // namespace cu2cpp
