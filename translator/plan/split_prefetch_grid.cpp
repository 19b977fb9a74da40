// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that step by the grid, and warps that come to rows so, fetch what they will load some steps
// later.
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/counted_loops.h"
#include "analyse/plain_groups.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "plan/prefetch_parts.h"

namespace cu2cpp {

namespace {

/// Whether the step of a loop depends on the size of the grid.
bool stepsByGrid(const clang::Expr* step, unsigned depth = 0) {
  class Names : public SyntaxVisitor {
  public:
    unsigned depth = 0;
    bool grid = false;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      grid |= builtinOf(use->getDecl()) == GridDim ||
              (variable && variable->hasLocalStorage() && variable->hasInit() && depth < 4 &&
               stepsByGrid(variable->getInit(), depth + 1));
      return !grid;
    }
  } names;
  names.depth = depth;
  names.TraverseStmt(const_cast<clang::Expr*>(step));
  return names.grid;
}

/// Whether where a loop starts is read from memory: `for (k = begin[row] + lane; ...)`.
bool readsMemory(const clang::Expr* start, unsigned depth = 0) {
  class Reads : public SyntaxVisitor {
  public:
    unsigned depth = 0;
    bool found = false;
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return !(found = true); }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return !(found |= op->getOpcode() == clang::UO_Deref);
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return !(found |= variable && variable->hasLocalStorage() && variable->hasInit() &&
                        depth < 4 && readsMemory(variable->getInit(), depth + 1));
    }
  } reads;
  reads.depth = depth;
  reads.TraverseStmt(const_cast<clang::Expr*>(start));
  return reads.found;
}

/// Calls of functions that may do anything, and values that depend on conditions.
class Calls : public SyntaxVisitor {
public:
  explicit Calls(const clang::Expr* e) { TraverseStmt(const_cast<clang::Expr*>(e)); }
  bool found = false;
  bool VisitCallExpr(clang::CallExpr* call) override {
    // A group's rank and size are computed: `cu2cpp::rankInBlock(threadIdx, blockDim)`.
    return !(found |= !isRankInBlock(call) && !isOfGrid(call));
  }
  // Nor what is only loaded if something holds.
  bool VisitConditionalOperator(clang::ConditionalOperator*) override { return !(found = true); }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return !(found |= op->isLogicalOp());
  }
};

/// Whether rows come one after the other: no loop around this one goes to the grid's next.
class GoesOnInGrid : public SyntaxVisitor {
public:
  GoesOnInGrid(const clang::Stmt* body, const clang::ForStmt* loop) : loop_(loop) {
    TraverseStmt(const_cast<clang::Stmt*>(body));
  }
  bool found = false;
  bool TraverseStmt(clang::Stmt* s) override {
    found |= s == loop_ && unknown_ > 0;
    bool unknown = llvm::isa_and_nonnull<clang::WhileStmt, clang::DoStmt>(s);
    if (const auto* outer = llvm::dyn_cast_or_null<clang::ForStmt>(s); outer && outer != loop_)
      unknown = !outer->getInc() || stepsByGrid(outer->getInc());
    unknown_ += unknown;
    const bool goesOn = SyntaxVisitor::TraverseStmt(s);
    unknown_ -= unknown;
    return goesOn;
  }

private:
  const clang::ForStmt* loop_;
  unsigned unknown_ = 0;
};

/// Whether all variables of an expression are declared in front of a loop.
bool isNamedBefore(const clang::Expr* e, const clang::ForStmt* loop, const SourceText& text) {
  RegionText named;
  named.add(e);
  return llvm::all_of(named.uses, [&](const clang::VarDecl* variable) {
    return text.sources().isBeforeInTranslationUnit(variable->getLocation(), loop->getBeginLoc());
  });
}

} // namespace

const clang::Expr* Splitter::rowAhead(const clang::Expr* index, const clang::VarDecl* counter,
                                      const clang::ForStmt* loop) const {
  constexpr std::int64_t nearBy = 64; // the same cache lines, or the next
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(index->IgnoreParenImpCasts());
  if (!op || op->getOpcode() != clang::BO_Add)
    return nullptr;
  const bool counterFirst = variableOf(op->getLHS()) == counter;
  const clang::Expr* by = counterFirst ? op->getRHS() : op->getLHS();
  clang::Expr::EvalResult value;
  if ((!counterFirst && variableOf(op->getRHS()) != counter) || !by->getType()->isIntegerType() ||
      !isGroupValue(by) || !isHarmless(by) || !plan_.text.isWhole(by) ||
      (!by->isValueDependent() && by->EvaluateAsInt(value, plan_.unit.context()) &&
       value.Val.getInt().getExtValue() < nearBy))
    return nullptr;
  if (!isNamedBefore(by, loop, plan_.text))
    return nullptr;
  return by;
}

std::string Splitter::rowText(const clang::Expr* array, const clang::Expr* behind) const {
  return expressionText(array) + (behind ? " + (" + expressionText(behind) + ")" : "");
}

const clang::Expr* Splitter::namedInLoop(const clang::Expr* index,
                                         const clang::ForStmt* loop) const {
  const clang::VarDecl* variable = variableOf(index);
  return variable && variable->isLocalVarDecl() && variable->hasInit() &&
                 !variable->getType()->isReferenceType() && variable != variableOfHead(loop) &&
                 plan_.text.sources().isBeforeInTranslationUnit(loop->getBeginLoc(),
                                                                variable->getLocation()) &&
                 onlyReads(variable, loop->getBody())
             ? variable->getInit()
             : index;
}

std::string Splitter::prefetches(const clang::ForStmt* loop) const {
  const clang::VarDecl* variable = variableOfHead(loop);
  const auto* step = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  if (step->getOpcode() != clang::BO_AddAssign || ofSeveralBlocks() ||
      regions_.compared.count(step->getRHS()) || !stepsByGrid(step->getRHS()) ||
      !strideOf(variable).base)
    return "";
  const Accesses loads(loop->getBody());
  constexpr std::size_t most = 2;
  std::set<std::string> pointers, rows;
  struct Fetched {
    std::string array, place, row;
  };
  std::vector<Fetched> fetched;
  for (const clang::ArraySubscriptExpr* load : loads.all) {
    const clang::VarDecl* array = variableOf(arrayOf(load));
    const clang::Expr* index = namedInLoop(indexOf(load), loop);
    const clang::Expr* ahead = rowAhead(index, variable, loop);
    if ((variableOf(index) != variable && !ahead) || !array || !array->getType()->isPointerType() ||
        isShared(array) || !isGroupValue(arrayOf(load)) ||
        !plan_.text.sources().isBeforeInTranslationUnit(array->getLocation(), loop->getBeginLoc()))
      continue;
    const std::string name = array->getNameAsString();
    const std::string place = "cuStep_" + variable->getNameAsString() +
                              (ahead ? " + (" + expressionText(ahead) + ")" : "");
    if ((pointers.size() == most && !pointers.count(name)) || rows.size() == 2 * most ||
        !rows.insert(name + "[" + place).second)
      continue;
    pointers.insert(name);
    fetched.push_back({name, place, rowText(arrayOf(load), ahead)});
  }
  // Where the loop ends tells how much a block loads.
  std::string end;
  const auto* condition =
      llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
  if (condition &&
      (condition->getOpcode() == clang::BO_LT || condition->getOpcode() == clang::BO_LE))
    if (const clang::Expr* last = condition->getRHS();
        last->getType()->isIntegerType() && isGroupValue(last) && isHarmless(last) &&
        !Calls(last).found && plan_.text.isWhole(last) && isNamedBefore(last, loop, plan_.text))
      end = ", " + expressionText(last);
  std::string out;
  const auto later = rowsAhead(loop, true);
  for (const auto& [name, place, row] : fetched) {
    // A row may end before what lies some steps ahead.
    const auto found = std::find_if(later.begin(), later.end(), [&, &text = row](const auto& one) {
      return one.first == text;
    });
    if (found != later.end() && !end.empty()) {
      out += ", cu2cpp::prefetchRowOrNext(cuBlock, " + row + ", cuStep_" +
             variable->getNameAsString() + ", " + expressionText(step->getRHS()) + end + ", " +
             found->second + ")";
      continue;
    }
    const auto count =
        std::count_if(fetched.begin(), fetched.end(),
                      [&, &text = name](const auto& other) { return other.array == text; });
    out += ", cu2cpp::prefetchRow" + (count > 1 ? "<" + std::to_string(count) + ">" : "") +
           "(cuBlock, " + name + ", " + place + ", " + expressionText(step->getRHS()) + end + ")";
  }
  return out;
}

std::string Splitter::prefetchesOfLanes(const clang::ForStmt* loop) const {
  const clang::VarDecl* variable = variableOfHead(loop);
  const auto* step = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  if (step->getOpcode() != clang::BO_AddAssign || publish_ ||
      regions_.compared.count(step->getRHS()))
    return "";
  const Accesses loads(loop->getBody());
  constexpr std::size_t most = 2;
  std::set<std::string> rows;
  std::string out;
  for (const clang::ArraySubscriptExpr* load : loads.all) {
    const clang::VarDecl* array = variableOf(arrayOf(load));
    const clang::Expr* index = indexOf(load);
    if ((variableOf(index) != variable && !rowAhead(index, variable, loop)) || !array ||
        !array->getType()->isPointerType() || isShared(array) || !isGroupValue(arrayOf(load)) ||
        !plan_.text.sources().isBeforeInTranslationUnit(array->getLocation(), loop->getBeginLoc()))
      continue;
    if (rows.size() == most ||
        !rows.insert(array->getNameAsString() + expressionText(index)).second)
      continue;
    out += ", cu2cpp::prefetchLanes(cuWarp, " + array->getNameAsString() + ", " +
           valueLambda(index) + ", " + expressionText(step->getRHS()) + ")";
  }
  return out;
}

std::string Splitter::prefetchesOfNextRows(const clang::ForStmt* loop) const {
  const clang::VarDecl* variable = variableOfHead(loop);
  const auto* step = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  if (!plan_.options.lineDirectives || publish_ || step->getOpcode() != clang::BO_AddAssign ||
      stepsByGrid(step->getRHS()) || !readsMemory(variable->getInit()) ||
      Calls(variable->getInit()).found || !plan_.text.isWhole(variable->getInit()) ||
      (!turns_ && GoesOnInGrid(body_, loop).found))
    return "";
  constexpr std::size_t most = 3;
  std::set<std::string> arrays;
  std::string out;
  for (const clang::ArraySubscriptExpr* load : Accesses(loop->getBody()).all) {
    const clang::Expr* array = arrayOf(load)->IgnoreParenImpCasts();
    const clang::QualType type = array->getType();
    if (variableOf(indexOf(load)) != variable ||
        (!type->isPointerType() && !type->isDependentType()) || !isGroupValue(array) ||
        !isHarmless(array) || !plan_.text.isWhole(array))
      continue;
    RegionText named;
    named.add(array);
    bool known = true;
    for (const clang::VarDecl* use : named.uses)
      known &= !isShared(use) && plan_.text.sources().isBeforeInTranslationUnit(
                                     use->getLocation(), loop->getBeginLoc());
    if (known && arrays.size() < most && arrays.insert(expressionText(array)).second)
      out += "cu2cpp::prefetchBehind(cuWarp, " + expressionText(array) + ", " +
             valueLambda(variable->getInit()) + ", cuStep_" + variable->getNameAsString() + "); ";
  }
  return out;
}

namespace {

/// What ends a loop before its condition does, or leaves out the statements behind it.
class Leaves : public SyntaxVisitor {
public:
  explicit Leaves(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  bool found = false;
  bool VisitBreakStmt(clang::BreakStmt*) override { return !(found = true); }
  bool VisitContinueStmt(clang::ContinueStmt*) override { return !(found = true); }
  bool VisitReturnStmt(clang::ReturnStmt*) override { return !(found = true); }
  bool VisitGotoStmt(clang::GotoStmt*) override { return !(found = true); }
};

/// Whether a statement changes a variable, or gives its address away.
class ChangesOf : public SyntaxVisitor {
public:
  ChangesOf(const clang::Stmt* s, const clang::VarDecl* variable) : variable_(variable) {
    TraverseStmt(const_cast<clang::Stmt*>(s));
  }
  bool found = false;
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return !(found |= op->isAssignmentOp() && namedBy(op->getLHS()) == variable_);
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return !(found |= (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) &&
                      namedBy(op->getSubExpr()) == variable_);
  }

private:
  const clang::VarDecl* variable_;
};

/// The loop over rows whose list of statements has the loop over a row's elements in it.
const clang::ForStmt* loopOverRows(const clang::Stmt* body, const clang::ForStmt* inner) {
  const LoopsAround around(body, inner);
  const clang::ForStmt* rows =
      around.known && around.all.size() == 1 ? around.all.front() : nullptr;
  if (!rows || !rows->getInc() || Leaves(rows->getBody()).found)
    return nullptr;
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(rows->getBody());
  return rows->getBody() == inner || (list && std::find(list->body_begin(), list->body_end(),
                                                        inner) != list->body_end())
             ? rows
             : nullptr;
}

} // namespace

std::vector<std::pair<std::string, std::string>> Splitter::rowsAhead(const clang::ForStmt* loop,
                                                                     bool sums) const {
  const clang::VarDecl* variable = variableOfHead(loop);
  const clang::ForStmt* rows = loopOverRows(body_, loop);
  if (!plan_.options.lineDirectives || publish_ || !rows || rows == turns_ ||
      !variable->hasInit() || !plan_.text.isWhole(variable->getInit()) ||
      Calls(variable->getInit()).found)
    return {};
  // `for (...; row < count; row += warps)`, where nothing changes the bound: what later steps load
  // first may be loaded now.
  const auto* step = llvm::dyn_cast<clang::BinaryOperator>(rows->getInc()->IgnoreParens());
  const auto* test = rows->getCond()
                         ? llvm::dyn_cast<clang::BinaryOperator>(rows->getCond()->IgnoreParens())
                         : nullptr;
  const clang::VarDecl* row = step ? namedBy(step->getLHS()) : nullptr;
  // Members of a template's structures might do anything as far as clang knows; they do not.
  const auto hasEffects = [&](const clang::Expr* e) {
    return Calls(e).found || e->HasSideEffects(plan_.unit.context(), false);
  };
  if (!row || step->getOpcode() != clang::BO_AddAssign || !stepsByGrid(step->getRHS()) || !test ||
      test->getOpcode() != clang::BO_LT || namedBy(test->getLHS()) != row ||
      !isStored(row, Storage::Block) ||
      !inInstances(
          row, [](const clang::VarDecl* counter) { return counter->getType()->isIntegerType(); }) ||
      !isGroupValue(step->getRHS()) || !isGroupValue(test->getRHS()) ||
      !plan_.text.isWhole(test->getRHS()) || hasEffects(step->getRHS()) ||
      ChangesOf(rows->getBody(), row).found || hasEffects(test->getRHS()))
    return {};
  const auto isFixed = [&](const clang::VarDecl* v) {
    return !v->hasLocalStorage() || isNamedConstant(v) || v->getType().isConstQualified() ||
           (llvm::isa<clang::ParmVarDecl>(v) &&
            !regions_.modifiedParameters.count(llvm::cast<clang::ParmVarDecl>(v)));
  };
  RegionText bound;
  bound.add(test->getRHS());
  if (!std::all_of(bound.uses.begin(), bound.uses.end(), isFixed))
    return {};
  // What each step declares before anything else.
  std::vector<const clang::VarDecl*> first;
  for (const clang::Stmt* s : rows->getBody()->children()) {
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
    if (s == loop || rows->getBody() == loop || !declared)
      break;
    for (const clang::Decl* decl : declared->decls())
      if (const auto* one = llvm::dyn_cast<clang::VarDecl>(decl); one && one->hasInit())
        first.push_back(one);
  }
  constexpr std::size_t most = 3;
  std::set<std::string> arrays;
  std::vector<std::pair<std::string, std::string>> out;
  for (const clang::ArraySubscriptExpr* load : Accesses(loop->getBody()).all) {
    const clang::Expr* array = arrayOf(load)->IgnoreParenImpCasts();
    const clang::Expr* behind = sums ? rowAhead(indexOf(load), variable, loop) : nullptr;
    if ((variableOf(indexOf(load)) != variable && !behind) ||
        (!array->getType()->isPointerType() && (behind || !array->getType()->isDependentType())) ||
        !isGroupValue(array) || !isHarmless(array) || !plan_.text.isWhole(array))
      continue;
    const std::string text = rowText(array, behind);
    if (arrays.size() == most || arrays.count(text))
      continue;
    RegionText named;
    named.add(array);
    if (behind)
      named.add(behind);
    named.add(variable->getInit());
    std::string lines;
    for (const std::string& line : bindings({}, named))
      lines += line + " ";
    std::set<const clang::VarDecl*> derived;
    bool known = true;
    for (bool grown = true; grown && known;) {
      grown = false;
      for (const clang::VarDecl* use : std::set<const clang::VarDecl*>(named.uses)) {
        if (use == row || isFixed(use) || isStored(use, Storage::Recomputed)) {
          // A constant of the step is not one of the kernel.
          if (std::find(first.begin(), first.end(), use) == first.end())
            continue;
        }
        // What may change on the way tells nothing of later steps.
        if (std::find(first.begin(), first.end(), use) == first.end()) {
          known = false;
          continue;
        }
        if (!derived.insert(use).second)
          continue;
        grown = true;
        known &= isStored(use, Storage::Block) && !Calls(use->getInit()).found &&
                 !use->getInit()->HasSideEffects(plan_.unit.context(), false);
        named.add(use->getInit());
      }
    }
    if (!known || !named.uses.count(row))
      continue;
    std::string values;
    for (const clang::VarDecl* value : first)
      if (derived.count(value))
        values += "const auto " + value->getNameAsString() + " = " +
                  expressionText(value->getInit()) + "; ";
    const std::string name = row->getNameAsString();
    arrays.insert(text);
    out.push_back(
        {text,
         name + ", " + expressionText(step->getRHS()) + ", " + expressionText(test->getRHS()) +
             ", [&](const uint3 threadIdx, const auto " + name + ") { " + values + lines +
             "return " +
             (array->getType()->isPointerType()
                  ? text + " + (" + expressionText(variable->getInit()) + ")"
                  : "cu2cpp::placeIn(" + text + ", " + expressionText(variable->getInit()) + ")") +
             "; }"});
  }
  return out;
}

std::string Splitter::prefetchesOfRowsAhead(const clang::ForStmt* loop,
                                            const std::string& newline) const {
  std::string out;
  for (const auto& [array, row] : rowsAhead(loop, false))
    out += "cu2cpp::prefetchRowsAhead(cuWarp, " + row + ");" + newline;
  return out;
}

} // namespace cu2cpp
