// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable that is set anew once, further down in the same block, becomes two:
//
//   int x = a; ... x = b;     ->     int cuFirst_x = a; ... const int x = b;
//   (float* p) ... p += b;    ->     (float* cuFirst_p) ... float* const p = cuFirst_p + (b);
//
// A place that differs between threads and moves on by the same amount for all of them becomes the
// sum of where each starts and how far all have come:
//
//   int i = y * nx + x;                 const int cuStart_i = y * nx + x; int cuMoved_i = 0;
//   for (...) {                  ->     for (...) {
//     i += plane; ... in[i]               cuMoved_i += plane; ... in[(cuStart_i + cuMoved_i)]
//
// Such a place may also be put together in several statements, and a flag is one value:
//
//   int i = start; i += y * nx + x;     int cuFirst_i = start; int i = cuFirst_i + (y * nx + x);
//   bool in = true;                ->
//   if (x >= nx) in = false;            const bool in = !(x >= nx);
//
// All then are what each region can compute for itself, and places keep neighbouring threads at
// neighbouring elements.
#include "analyse/plain_body.h"
#include "analyse/plain_lambdas.h"
#include "analyse/region_parts.h"

#include <algorithm>

#include "clang/AST/Attr.h"

namespace cu2cpp {
namespace {

/// Types of variables that become two.
bool isPlainValue(clang::QualType type) {
  if (type.isVolatileQualified() || type->getContainedAutoType())
    return false;
  if (type->isPointerType())
    return !type->getPointeeType()->isFunctionType() && !type->isVoidPointerType();
  return !type->isDependentType() && (type->isArithmeticType() || type->isEnumeralType());
}

/// splitInTwo() is for a variable of a block and for a kernel's pointer: `p += place;` makes it
/// another pointer, for good.
void splitInTwo(const PlainBody& body, const LocalVariable& local) {
  const Uniformity& variables = body.variables;
  const clang::VarDecl* variable = local.decl;
  const bool parameter = llvm::isa<clang::ParmVarDecl>(variable);
  const auto* again = local.assignments.size() == 1
                          ? llvm::dyn_cast<clang::BinaryOperator>(local.assignments.front())
                          : nullptr;
  const clang::QualType type = variable->getType();
  if (!again || local.escapes || variable->hasAttrs() || !isPlainValue(type) ||
      !body.isSpelled(again))
    return;
  const bool moves =
      again->getOpcode() == clang::BO_AddAssign || again->getOpcode() == clang::BO_SubAssign;
  if (type->isPointerType() ? !moves && again->getOpcode() != clang::BO_Assign
                            : again->getOpcode() != clang::BO_Assign)
    return;
  const auto* list =
      llvm::dyn_cast_or_null<clang::CompoundStmt>(variables.parents().getParent(again));
  const clang::DeclStmt* s = local.statement;
  if (!list)
    return;
  if (parameter
          ? !type->isPointerType() || list != body.function->getBody() ||
                !body.function->hasAttr<clang::CUDAGlobalAttr>() ||
                variables.isUniform(again->getRHS())
          : !s || !s->isSingleDecl() || s->getBeginLoc().isMacroID() || !variable->hasInit() ||
                !variable->hasLocalStorage() || variables.parents().getParent(s) != list)
    return;
  const auto name = body.text.positionOf(variable->getLocation());
  const auto place = body.text.rangeOf(again->getSourceRange());
  const auto added = body.text.rangeOf(again->getRHS()->getSourceRange());
  const auto uses = body.placesOf(variable);
  if (!name || !place || !added || !uses || place->begin < name->offset)
    return;
  std::map<unsigned, std::pair<unsigned, std::string>>& edits = body.changes[name->file];
  const std::string written = variable->getNameAsString(), first = "cuFirst_" + written;
  const unsigned length = unsigned(written.size());
  for (const auto& [offset, use] : *uses)
    if (offset < place->end && again->getLHS()->IgnoreParens() != use)
      edits[offset] = {offset + length, first};
  edits[name->offset] = {name->offset + length, first};
  if (!type->isPointerType()) {
    const auto begin = body.text.positionOf(s->getBeginLoc());
    const std::string of = body.text.buffer(name->file).slice(begin->offset, name->offset).str();
    edits[place->begin] = {place->begin, "const " + of};
    return;
  }
  // `*const`: another pointer would be one more thing to keep.
  std::string of;
  llvm::raw_string_ostream stream(of);
  type->getPointeeType().print(stream, body.unit.context().getPrintingPolicy());
  const char* sign = again->getOpcode() == clang::BO_AddAssign   ? " + ("
                     : again->getOpcode() == clang::BO_SubAssign ? " - ("
                                                                 : "";
  edits[place->begin] = {added->begin,
                         of + "* const " + written + " = " + (moves ? first + sign : "")};
  if (moves)
    edits[added->end] = {added->end, ")"};
}

/// Whether `i += step`, `i -= step`, `++i` or `--i` is all that changes a variable, each as a
/// statement of its own or a loop's step, with steps that threads agree on.
bool movesAlike(const LocalVariable& local, const Uniformity& variables) {
  bool inLoop = false;
  for (const clang::Expr* a : local.assignments) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(a);
    const auto* step = llvm::dyn_cast<clang::UnaryOperator>(a);
    if (op ? (op->getOpcode() != clang::BO_AddAssign && op->getOpcode() != clang::BO_SubAssign) ||
                 !variables.isUniform(op->getRHS())
           : !step || !step->isIncrementDecrementOp())
      return false;
    const clang::Stmt* parent = variables.parents().getParent(a);
    const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(parent);
    if (!llvm::isa_and_nonnull<clang::CompoundStmt>(parent) && !(loop && loop->getInc() == a))
      return false;
    for (; parent; parent = variables.parents().getParent(parent))
      inLoop |= llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(parent);
  }
  return inLoop;
}

/// What puts a place together, in the order of the text: the assignments up to the one behind which
/// it moves on alike for all threads. Empty if nothing does.
std::vector<const clang::BinaryOperator*>
beginningOf(const PlainBody& body, const LocalVariable& local, const clang::Stmt* list) {
  const Uniformity& variables = body.variables;
  LocalVariable moved = local;
  std::sort(moved.assignments.begin(), moved.assignments.end(),
            [&](const clang::Expr* a, const clang::Expr* b) {
              return body.unit.sources().isBeforeInTranslationUnit(a->getBeginLoc(),
                                                                   b->getBeginLoc());
            });
  std::vector<const clang::BinaryOperator*> out;
  while (moved.assignments.size() > 1) {
    const auto* next = llvm::dyn_cast<clang::BinaryOperator>(moved.assignments.front());
    if (!next || variables.parents().getParent(next) != list || !body.isSpelled(next))
      return {};
    const bool sets = out.empty() && next->getOpcode() == clang::BO_Assign;
    if (!sets && (next->getOpcode() != clang::BO_AddAssign || !local.decl->hasInit()))
      return {};
    moved.assignments.erase(moved.assignments.begin());
    out.push_back(next);
    if ((sets || !variables.isUniform(next->getRHS())) && movesAlike(moved, variables))
      return out;
  }
  return {};
}

/// putTogether() is for a place that is set anew, or moved, before it moves on alike for all
/// threads.
void putTogether(const PlainBody& body, const LocalVariable& local, const clang::DeclStmt* s) {
  const clang::VarDecl* variable = local.decl;
  const clang::QualType type = variable->getType();
  const clang::Stmt* list = body.variables.parents().getParent(s);
  if (local.assignments.size() < 2 || local.escapes || variable->hasAttrs() ||
      !type->isIntegerType() || type->isBooleanType() || type->isEnumeralType() ||
      !isPlainValue(type) || body.unit.context().getTypeSize(type) < 32 ||
      !variable->hasLocalStorage() || s->getBeginLoc().isMacroID() ||
      (variable->hasInit() && !body.isFixed(variable->getInit())) ||
      !llvm::isa_and_nonnull<clang::CompoundStmt>(list))
    return;
  const std::vector<const clang::BinaryOperator*> beginning = beginningOf(body, local, list);
  const auto name = body.text.positionOf(variable->getLocation());
  const auto begin = body.text.positionOf(s->getBeginLoc());
  const auto whole = body.text.rangeOf(s->getSourceRange());
  const auto uses = body.placesOf(variable);
  if (beginning.empty() || !name || !begin || !whole || !uses)
    return;
  const bool sets = beginning.front()->getOpcode() == clang::BO_Assign;
  const std::string written = variable->getNameAsString();
  const unsigned length = unsigned(written.size());
  const std::string declared =
      body.text.buffer(name->file).slice(begin->offset, name->offset).str();
  const auto nameBefore = [&](std::size_t step) {
    return "cuFirst" + (step ? std::to_string(step + 1) : "") + "_" + written;
  };
  std::map<unsigned, std::pair<unsigned, std::string>> edits;
  bool asked = !sets;
  unsigned from = name->offset;
  for (std::size_t step = 0; step < beginning.size(); ++step) {
    const clang::BinaryOperator* again = beginning[step];
    const auto place = body.text.rangeOf(again->getSourceRange());
    const auto added = body.text.rangeOf(again->getRHS()->getSourceRange());
    if (!place || !added || place->begin < from)
      return;
    for (const auto& [offset, use] : *uses)
      if (offset >= from && offset < place->end && again->getLHS()->IgnoreParens() != use) {
        edits[offset] = {offset + length, nameBefore(step)};
        asked = true;
      }
    edits[place->begin] = {
        added->begin, declared + (step + 1 < beginning.size() ? nameBefore(step + 1) : written) +
                          " = " + (sets && step == 0 ? "" : nameBefore(step) + " + (")};
    if (!sets || step > 0)
      edits[added->end] = {added->end, ")"};
    from = place->end;
  }
  if (asked)
    edits[name->offset] = {name->offset + length, nameBefore(0)};
  else
    edits[whole->begin] = {whole->end, ""};
  auto& changes = body.changes[name->file];
  for (auto& [at, edit] : edits)
    changes[at] = std::move(edit);
}

/// flagAtOnce() is for `bool flag = true; if (condition) flag = false;`.
void flagAtOnce(const PlainBody& body, const clang::IfStmt* branch,
                const std::set<const clang::VarDecl*>& ofLambdas) {
  const clang::Stmt* then = branch->getThen();
  const auto* braces = llvm::dyn_cast<clang::CompoundStmt>(then);
  if (braces)
    then = braces->size() == 1 ? braces->body_front() : nullptr;
  const auto* set = llvm::dyn_cast_or_null<clang::BinaryOperator>(then);
  const auto* use = set && set->getOpcode() == clang::BO_Assign
                        ? llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()->IgnoreParens())
                        : nullptr;
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  const LocalVariable* local = variable ? body.variables.find(variable) : nullptr;
  if (!local || ofLambdas.count(variable) || !local->statement ||
      !local->statement->isSingleDecl() || local->escapes || local->assignments.size() != 1 ||
      variable->hasAttrs() || !variable->hasLocalStorage() || !variable->hasInit() ||
      branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      branch->isConstexpr() ||
      variable->getType().getUnqualifiedType() != body.unit.context().BoolTy ||
      variable->getType().isVolatileQualified() || branch->getBeginLoc().isMacroID() ||
      branch->getEndLoc().isMacroID() || local->statement->getBeginLoc().isMacroID())
    return;
  const auto* first = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(variable->getInit());
  const auto* then_ = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(set->getRHS());
  const clang::Stmt* list = body.variables.parents().getParent(branch);
  if (!first || !then_ || first->getValue() == then_->getValue() ||
      !llvm::isa_and_nonnull<clang::CompoundStmt>(list) ||
      body.variables.parents().getParent(local->statement) != list)
    return;
  const auto whole = body.text.rangeOf(local->statement->getSourceRange());
  const auto place = body.text.rangeOf(branch->getSourceRange());
  const auto condition = body.text.rangeOf(branch->getCond()->getSourceRange());
  const auto uses = body.placesOf(variable);
  if (!whole || !place || !condition || !uses || place->begin < whole->end)
    return;
  for (const auto& [offset, other] : *uses)
    if (offset < place->end && other != use)
      return;
  const std::string value = (then_->getValue() ? "(" : "!(") + body.text.text(*condition) + ")";
  std::string text = "const bool " + variable->getNameAsString() + " = " + value;
  const llvm::StringRef buffer = body.text.buffer(place->file);
  const unsigned end = place->end + !braces;
  if (!braces && (end > buffer.size() || buffer[place->end] != ';'))
    return;
  // The lines below keep their numbers.
  text += ";" + std::string(buffer.slice(place->begin, end).count('\n') -
                                llvm::StringRef(text).count('\n'),
                            '\n');
  std::map<unsigned, std::pair<unsigned, std::string>>& edits = body.changes[whole->file];
  edits[whole->begin] = {whole->end, ""};
  edits[place->begin] = {end, text};
}

/// `P + Q`, of which P alone differs between threads, and does not change.
const clang::BinaryOperator* startAndMove(const PlainBody& body, const clang::Expr* init) {
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(init->IgnoreParenImpCasts());
  return sum && sum->getOpcode() == clang::BO_Add && sum->getType() == init->getType() &&
                 sum->getLHS()->getType() == sum->getType() &&
                 sum->getRHS()->getType() == sum->getType() && body.isFixed(sum->getLHS()) &&
                 body.variables.isUniform(sum->getRHS()) && !Uniformity::readsMemory(sum->getRHS())
             ? sum
             : nullptr;
}

void partPlace(const PlainBody& body, const LocalVariable& local, const clang::DeclStmt* s) {
  const Uniformity& variables = body.variables;
  const clang::VarDecl* variable = local.decl;
  const clang::QualType type = variable->getType();
  if (!variable->hasInit() || !variable->hasLocalStorage() || !type->isIntegerType() ||
      type->isBooleanType() || type->isEnumeralType() ||
      body.unit.context().getTypeSize(type) < 32 || type.isVolatileQualified() || local.escapes ||
      local.assignments.empty() || variable->hasAttrs() || !movesAlike(local, variables) ||
      variables.isUniform(variable->getInit()) ||
      !llvm::isa_and_nonnull<clang::CompoundStmt>(variables.parents().getParent(s)))
    return;
  const bool fixed = body.isFixed(variable->getInit());
  const clang::BinaryOperator* sum = fixed ? nullptr : startAndMove(body, variable->getInit());
  if (!fixed && !sum)
    return;
  const std::string name = variable->getNameAsString();
  const auto whole = body.text.rangeOf(s->getSourceRange());
  const auto start = sum ? body.text.rangeOf(sum->getLHS()->getSourceRange()) : std::nullopt;
  const auto far = sum ? body.text.rangeOf(sum->getRHS()->getSourceRange()) : std::nullopt;
  const auto init = body.text.rangeOf(variable->getInit()->getSourceRange());
  const auto uses = body.placesOf(variable);
  if (!whole || !init || !uses || s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID() ||
      (sum && (!start || !far)))
    return;
  std::map<unsigned, std::pair<unsigned, std::string>> edits;
  for (const auto& [offset, use] : *uses) {
    const clang::Stmt* parent = variables.parents().getParent(use);
    const bool changes = std::find(local.assignments.begin(), local.assignments.end(), parent) !=
                             local.assignments.end() &&
                         (!llvm::isa<clang::BinaryOperator>(parent) ||
                          llvm::cast<clang::BinaryOperator>(parent)->getLHS() == use);
    edits[offset] = {offset + unsigned(name.size()),
                     changes ? "cuMoved_" + name : "(cuStart_" + name + " + cuMoved_" + name + ")"};
  }
  const std::string of =
      type.getUnqualifiedType().getAsString(body.unit.context().getPrintingPolicy());
  edits[whole->begin] = {whole->end, "const " + of + " cuStart_" + name + " = " +
                                         body.text.text(sum ? *start : *init) + "; " + of +
                                         " cuMoved_" + name + " = " +
                                         (sum ? body.text.text(*far) : "0") + ";"};
  body.changes[whole->file].insert(edits.begin(), edits.end());
}

/// Calls rewrite() for each variable that a statement of its own declares, but for those that
/// lambdas name.
template <class Rewrite> void eachVariable(const PlainBody& body, Rewrite rewrite) {
  const std::set<const clang::VarDecl*> ofLambdas = namedInLambdas(body);
  for (const clang::DeclStmt* s : body.contents.declarations)
    if (s->isSingleDecl())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()))
        if (const LocalVariable* local = body.variables.find(variable);
            local && !ofLambdas.count(variable))
          rewrite(body, *local, s);
}

/// Whether a loop's condition asks for a variable: it may be what the loop counts.
bool isCounter(const PlainBody& body, const clang::VarDecl* variable) {
  return std::any_of(body.contents.loops.begin(), body.contents.loops.end(),
                     [&](const clang::Stmt* loop) {
                       const clang::Expr* condition = conditionOf(loop);
                       PlainVisitor visitor;
                       visitor.TraverseStmt(const_cast<clang::Expr*>(condition));
                       return visitor.usesOf(variable) != 0;
                     });
}

} // namespace

void partMovingPlaces(const PlainBody& body) {
  eachVariable(body, [](const PlainBody& of, const LocalVariable& local, const clang::DeclStmt* s) {
    if (!isCounter(of, local.decl))
      partPlace(of, local, s);
  });
}

void makePlacesPlain(const PlainBody& body) {
  const std::size_t before = body.changeCount();
  const std::set<const clang::VarDecl*> ofLambdas = namedInLambdas(body);
  for (const auto& [variable, local] : body.variables.variables())
    if (!ofLambdas.count(variable))
      splitInTwo(body, local);
  eachVariable(body, putTogether);
  for (const clang::IfStmt* branch : body.contents.branches)
    flagAtOnce(body, branch, ofLambdas);
  if (body.changeCount() == before)
    eachVariable(body, partPlace);
}

} // namespace cu2cpp
