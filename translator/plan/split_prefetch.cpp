// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the next step of a loop, or the next block, will load is asked for beforehand.
#include "plan/splitter.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>

#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {

namespace {

/// The array elements that a statement names.
class Accesses : public SyntaxVisitor {
public:
  explicit Accesses(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  std::vector<const clang::ArraySubscriptExpr*> all;
  bool hasLoop = false;
  bool inLoop = false; ///< a loop passes over memory: what lies next to the block is soon gone
  bool TraverseStmt(clang::Stmt* s) override {
    const bool loop = llvm::isa_and_nonnull<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s);
    hasLoop |= loop;
    loops_ += loop;
    const bool goesOn = SyntaxVisitor::TraverseStmt(s);
    loops_ -= loop;
    return goesOn;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->getBase()->IgnoreParenImpCasts());
    inLoop |= loops_ > 0 && use && llvm::isa<clang::ParmVarDecl>(use->getDecl());
    all.push_back(e);
    return true;
  }

private:
  unsigned loops_ = 0;
};

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

/// The loops around a statement, the outermost first; `known`: all of them are for loops.
class LoopsAround : public SyntaxVisitor {
public:
  LoopsAround(const clang::Stmt* body, const clang::Stmt* inner) : inner_(inner) {
    TraverseStmt(const_cast<clang::Stmt*>(body));
  }
  std::vector<const clang::ForStmt*> all;
  bool known = true;
  bool TraverseStmt(clang::Stmt* s) override {
    if (s == inner_) {
      all = open_;
      known = unknown_ == 0;
    }
    const bool unknown = llvm::isa_and_nonnull<clang::WhileStmt, clang::DoStmt>(s);
    const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(s);
    unknown_ += unknown;
    if (loop)
      open_.push_back(loop);
    const bool goesOn = SyntaxVisitor::TraverseStmt(s);
    if (loop)
      open_.pop_back();
    unknown_ -= unknown;
    return goesOn;
  }

private:
  const clang::Stmt* inner_;
  std::vector<const clang::ForStmt*> open_;
  unsigned unknown_ = 0;
};

/// Calls of functions that may do anything, and values that depend on conditions.
class Calls : public SyntaxVisitor {
public:
  explicit Calls(const clang::Expr* e) { TraverseStmt(const_cast<clang::Expr*>(e)); }
  bool found = false;
  bool VisitCallExpr(clang::CallExpr* call) override {
    // A group's rank is computed: `cu2cpp::rankInBlock(threadIdx, blockDim)`.
    const clang::FunctionDecl* function = call->getDirectCallee();
    return !(found |= !function || function->getName() != "rankInBlock");
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

} // namespace

namespace {

/// What may be computed for a step or a block that may not come: nothing that reads memory, calls
/// or divides.
/// `isThere`: of variables that have their value by then, whatever it was made of.
bool isHarmless(const clang::Expr* e,
                const std::function<bool(const clang::VarDecl*)>& isThere = nullptr,
                unsigned depth = 0) {
  constexpr unsigned deepest = 8; // `int n = n;` has no end
  if (depth > deepest)
    return false;
  class Finder : public SyntaxVisitor {
  public:
    bool harmless = true;
    bool VisitCallExpr(clang::CallExpr*) override { return harmless = false; }
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return harmless = false; }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return harmless = harmless && op->getOpcode() != clang::UO_Deref;
    }
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      return harmless = harmless && !member->isArrow();
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      const auto* by = llvm::dyn_cast<clang::IntegerLiteral>(op->getRHS()->IgnoreParenImpCasts());
      const bool divides = op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem;
      return harmless =
                 harmless && !op->isAssignmentOp() && (!divides || (by && by->getValue().ugt(0)));
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return harmless =
                 harmless && (!variable || !variable->hasLocalStorage() ||
                              llvm::isa<clang::ParmVarDecl>(variable) || !variable->hasInit() ||
                              isNamedConstant(variable) || (isThere && isThere(variable)) ||
                              isHarmless(variable->getInit(), isThere, depth + 1));
    }
    std::function<bool(const clang::VarDecl*)> isThere;
    unsigned depth = 0;
  } finder;
  finder.isThere = isThere;
  finder.depth = depth;
  finder.TraverseStmt(const_cast<clang::Expr*>(e));
  return finder.harmless;
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
  RegionText named;
  named.add(by);
  for (const clang::VarDecl* variable : named.uses)
    if (!plan_.text.sources().isBeforeInTranslationUnit(variable->getLocation(),
                                                        loop->getBeginLoc()))
      return nullptr;
  return by;
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
  std::vector<std::pair<std::string, std::string>> fetched; // of which array, from where
  for (const clang::ArraySubscriptExpr* load : loads.all) {
    const clang::VarDecl* array = variableOf(load->getBase());
    const clang::Expr* ahead = rowAhead(load->getIdx(), variable, loop);
    if ((variableOf(load->getIdx()) != variable && !ahead) || !array ||
        !array->getType()->isPointerType() || isShared(array) || !isGroupValue(load->getBase()) ||
        !plan_.text.sources().isBeforeInTranslationUnit(array->getLocation(), loop->getBeginLoc()))
      continue;
    const std::string name = array->getNameAsString();
    const std::string place = "cuStep_" + variable->getNameAsString() +
                              (ahead ? " + (" + expressionText(ahead) + ")" : "");
    if ((pointers.size() == most && !pointers.count(name)) || rows.size() == 2 * most ||
        !rows.insert(name + "[" + place).second)
      continue;
    pointers.insert(name);
    fetched.push_back({name, place});
  }
  std::string out;
  for (const auto& [name, place] : fetched) {
    const auto count = std::count_if(fetched.begin(), fetched.end(),
                                     [&](const auto& other) { return other.first == name; });
    out += ", cu2cpp::prefetchRow" + (count > 1 ? "<" + std::to_string(count) + ">" : "") +
           "(cuBlock, " + name + ", " + place + ", " + expressionText(step->getRHS()) + ")";
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
    const clang::VarDecl* array = variableOf(load->getBase());
    const clang::Expr* index = load->getIdx();
    if ((variableOf(index) != variable && !rowAhead(index, variable, loop)) || !array ||
        !array->getType()->isPointerType() || isShared(array) || !isGroupValue(load->getBase()) ||
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
      GoesOnInGrid(body_, loop).found)
    return "";
  constexpr std::size_t most = 3;
  std::set<std::string> arrays;
  std::string out;
  for (const clang::ArraySubscriptExpr* load : Accesses(loop->getBody()).all) {
    const clang::Expr* array = load->getBase()->IgnoreParenImpCasts();
    const clang::QualType type = array->getType();
    if (variableOf(load->getIdx()) != variable ||
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
             valueLambda(variable->getInit()) + "); ";
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
  const auto* list = rows ? llvm::dyn_cast<clang::CompoundStmt>(rows->getBody()) : nullptr;
  return list && rows->getInc() && !Leaves(list).found &&
                 std::find(list->body_begin(), list->body_end(), inner) != list->body_end()
             ? rows
             : nullptr;
}

} // namespace

std::string Splitter::prefetchesOfRowsAhead(const clang::ForStmt* loop,
                                            const std::string& newline) const {
  const clang::VarDecl* variable = variableOfHead(loop);
  const clang::ForStmt* rows = loopOverRows(body_, loop);
  if (!plan_.options.lineDirectives || publish_ || !rows || !variable->hasInit() ||
      !plan_.text.isWhole(variable->getInit()) || Calls(variable->getInit()).found)
    return "";
  // `for (...; row < count; row += warps)`, where nothing changes the bound: what later steps load
  // first may be loaded now.
  const auto* step = llvm::dyn_cast<clang::BinaryOperator>(rows->getInc()->IgnoreParens());
  const auto* test = rows->getCond()
                         ? llvm::dyn_cast<clang::BinaryOperator>(rows->getCond()->IgnoreParens())
                         : nullptr;
  const clang::VarDecl* row = step ? namedBy(step->getLHS()) : nullptr;
  if (!row || step->getOpcode() != clang::BO_AddAssign || !stepsByGrid(step->getRHS()) || !test ||
      test->getOpcode() != clang::BO_LT || namedBy(test->getLHS()) != row ||
      !isStored(row, Storage::Block) || row->getType()->isDependentType() ||
      !row->getType()->isIntegerType() || !isGroupValue(step->getRHS()) ||
      !isGroupValue(test->getRHS()) || !plan_.text.isWhole(test->getRHS()) ||
      step->getRHS()->HasSideEffects(plan_.unit.context()) ||
      ChangesOf(rows->getBody(), row).found || test->getRHS()->HasSideEffects(plan_.unit.context()))
    return "";
  const auto isFixed = [&](const clang::VarDecl* v) {
    return !v->hasLocalStorage() || isNamedConstant(v) || v->getType().isConstQualified() ||
           (llvm::isa<clang::ParmVarDecl>(v) &&
            !regions_.modifiedParameters.count(llvm::cast<clang::ParmVarDecl>(v)));
  };
  RegionText bound;
  bound.add(test->getRHS());
  if (!std::all_of(bound.uses.begin(), bound.uses.end(), isFixed))
    return "";
  // What each step declares before anything else.
  std::vector<const clang::VarDecl*> first;
  for (const clang::Stmt* s : llvm::cast<clang::CompoundStmt>(rows->getBody())->body()) {
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
    if (s == loop || !declared)
      break;
    for (const clang::Decl* decl : declared->decls())
      if (const auto* one = llvm::dyn_cast<clang::VarDecl>(decl); one && one->hasInit())
        first.push_back(one);
  }
  constexpr std::size_t most = 3;
  std::set<std::string> arrays;
  std::string out;
  for (const clang::ArraySubscriptExpr* load : Accesses(loop->getBody()).all) {
    const clang::Expr* array = load->getBase()->IgnoreParenImpCasts();
    if (variableOf(load->getIdx()) != variable || !array->getType()->isPointerType() ||
        !isGroupValue(array) || !isHarmless(array) || !plan_.text.isWhole(array) ||
        arrays.size() == most || arrays.count(expressionText(array)))
      continue;
    RegionText named;
    named.add(array);
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
    const std::string text = expressionText(array), name = row->getNameAsString();
    arrays.insert(text);
    out += "cu2cpp::prefetchRowsAhead(cuWarp, " + name + ", " + expressionText(step->getRHS()) +
           ", " + expressionText(test->getRHS()) + ", [&](const uint3 threadIdx, const auto " +
           name + ") { " + values + lines + "return " + text + " + (" +
           expressionText(variable->getInit()) + "); });" + newline;
  }
  return out;
}

const clang::ParmVarDecl* Splitter::givenArray(const clang::ArraySubscriptExpr* access) const {
  const auto* array = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variableOf(access->getBase()));
  return array && array->getType()->isPointerType() && !regions_.modifiedParameters.count(array)
             ? array
             : nullptr;
}

namespace {

/// Whether a place lies a few elements beside another: its row comes with the other's.
bool isNearAnother(const clang::Expr* place, const clang::ASTContext& context) {
  constexpr std::int64_t nearBy = 64;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(place->IgnoreParenImpCasts());
  clang::Expr::EvalResult by;
  return op && op->isAdditiveOp() && !op->getRHS()->isValueDependent() &&
         op->getRHS()->EvaluateAsInt(by, context) &&
         std::abs(by.Val.getInt().getExtValue()) < nearBy;
}

} // namespace

namespace {

/// The array elements that a kernel names in no loop, or in loops that take a few steps whatever
/// the kernel is given.
class AccessesInBlock : public SyntaxVisitor {
public:
  explicit AccessesInBlock(const clang::ASTContext& context) : context_(context) {}
  struct Access {
    const clang::ArraySubscriptExpr* element;
    std::vector<const clang::ForStmt*> loops; ///< around it, the outermost first
  };
  std::vector<Access> all;

  bool TraverseForStmt(clang::ForStmt* loop) override {
    if (!isShort(loop))
      return true;
    loops_.push_back(loop);
    const bool goesOn = SyntaxVisitor::TraverseForStmt(loop);
    loops_.pop_back();
    return goesOn;
  }
  bool TraverseWhileStmt(clang::WhileStmt*) override { return true; }
  bool TraverseDoStmt(clang::DoStmt*) override { return true; }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    all.push_back({e, loops_});
    return true;
  }
  static const clang::VarDecl* counterOf(const clang::ForStmt* loop) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    return declared && declared->isSingleDecl()
               ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
               : nullptr;
  }

private:
  /// `for (int j = 0; j < TILE; j += ROWS)`
  bool isShort(const clang::ForStmt* loop) const {
    constexpr std::int64_t most = 64;
    const clang::VarDecl* counter = counterOf(loop);
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
    const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
    const auto* one = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
    if (!counter || !counter->hasInit() || !test || !isConstant(counter->getInit(), nullptr) ||
        (test->getOpcode() != clang::BO_LT && test->getOpcode() != clang::BO_LE) ||
        namedBy(test->getLHS()) != counter)
      return false;
    std::int64_t limit = 0;
    if (!isConstant(test->getRHS(), &limit) || limit > most)
      return false;
    return one ? one->isIncrementOp() && namedBy(one->getSubExpr()) == counter
               : step && step->getOpcode() == clang::BO_AddAssign &&
                     namedBy(step->getLHS()) == counter && isConstant(step->getRHS(), nullptr);
  }
  /// Constants of a template count as small ones.
  bool isConstant(const clang::Expr* e, std::int64_t* value) const {
    clang::Expr::EvalResult result;
    if (e->isValueDependent())
      return true;
    if (!e->EvaluateAsInt(result, context_))
      return false;
    if (value)
      *value = result.Val.getInt().getExtValue();
    return true;
  }
  const clang::ASTContext& context_;
  std::vector<const clang::ForStmt*> loops_;
};

/// Whether a place lies elsewhere in each row of a block's threads: it names threadIdx.y.
bool namesRows(const clang::Expr* e, unsigned depth = 0) {
  class Names : public SyntaxVisitor {
  public:
    bool found = false;
    unsigned depth = 0;
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      return !(found |= isPart(member, ThreadIdx, "y"));
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return !(found |= variable && variable->hasLocalStorage() && variable->hasInit() &&
                        depth < 8 && namesRows(variable->getInit(), depth + 1));
    }
  } names;
  names.depth = depth;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.found;
}

} // namespace

std::optional<std::string>
Splitter::forNextBlock(const clang::Expr* place,
                       const std::set<const clang::VarDecl*>& counters) const {
  RegionText named;
  named.add(place);
  // What the group declares is for this block; the next one starts with the same expression.
  std::map<unsigned, std::string> groups;
  std::set<const clang::VarDecl*> written;
  for (bool grown = true; grown;) {
    grown = false;
    for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(named.uses)) {
      if (!isStored(variable, Storage::Block) || !variable->hasInit() || counters.count(variable) ||
          !variable->getType()->isIntegerType() || !plan_.text.isWhole(variable->getInit()) ||
          !written.insert(variable).second)
        continue;
      std::string declaration;
      llvm::raw_string_ostream stream(declaration);
      variable->getType().getUnqualifiedType().print(stream, policy(), variable->getNameAsString());
      groups[beginOf(variable->getLocation()).offset] =
          "const " + declaration + " = " + expressionText(variable->getInit()) + "; ";
      RegionText more;
      more.add(variable->getInit());
      for (const clang::VarDecl* other : more.uses)
        if (isStored(other, Storage::Recomputed))
          return std::nullopt; // it would have to come before
      named.add(variable->getInit());
      grown = true;
    }
  }
  std::string lines;
  for (const auto& [offset, line] : groups)
    lines += line;
  for (const std::string& line : bindings({}, named))
    lines += line + " ";
  const std::string value = expressionText(place);
  // What is not written here must be there: parameters and constants.
  for (const clang::VarDecl* variable : named.uses)
    if (variable->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(variable) &&
        !counters.count(variable) && !isNamedConstant(variable) && !written.count(variable) &&
        !isStored(variable, Storage::Recomputed))
      return std::nullopt;
  if ((lines + value).find("blockIdx.x") == std::string::npos)
    return std::nullopt;
  return "[&](const uint3 blockIdx, const uint3 threadIdx) { " + lines + "return " + value + "; }";
}

std::string Splitter::prefetchesOfRows(const std::string& newline) const {
  AccessesInBlock accesses(plan_.unit.context());
  accesses.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
  Slopes slopes(body_, "x");
  constexpr std::size_t most = 3;
  std::set<const clang::ParmVarDecl*> arrays;
  std::string out;
  for (const AccessesInBlock::Access& access : accesses.all) {
    const clang::ParmVarDecl* array = givenArray(access.element);
    const clang::Expr* place = access.element->getIdx();
    if (!array || arrays.size() == most || arrays.count(array) || slopes.slope(place) != 1 ||
        !isHarmless(place) || !plan_.text.isWhole(place) || !namesRows(place))
      continue;
    RegionText named;
    named.add(place);
    for (std::size_t before = 0; before != named.uses.size();) {
      before = named.uses.size();
      for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(named.uses))
        if (variable->hasLocalStorage() && variable->hasInit())
          named.add(variable->getInit());
    }
    std::string heads;
    std::set<const clang::VarDecl*> counters;
    for (const clang::ForStmt* loop : access.loops) {
      const clang::VarDecl* counter = AccessesInBlock::counterOf(loop);
      if (!named.uses.count(counter))
        continue;
      counters.insert(counter);
      const FilePosition begin = beginOf(loop->getBeginLoc());
      const FilePosition end = endOf(loop->getRParenLoc());
      heads += plan_.text.text(FileRange{begin.file, begin.offset, end.offset}) + " ";
    }
    const std::optional<std::string> lines = forNextBlock(place, counters);
    if (!lines || heads.find('\n') != std::string::npos)
      continue;
    arrays.insert(array);
    out += heads + "cu2cpp::prefetchRowsOfNextBlock(cuBlock, " + array->getNameAsString() + ", " +
           *lines + ");" + newline;
  }
  return out;
}

namespace {

/// Whether a value differs from warp to warp: it is made of threadIdx.
bool namesThread(const clang::Expr* e, unsigned depth = 0) {
  class Names : public SyntaxVisitor {
  public:
    bool found = false;
    unsigned depth = 0;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return !(found |= builtinOf(use->getDecl()) == ThreadIdx ||
                        (variable && variable->hasLocalStorage() && variable->hasInit() &&
                         depth < 8 && namesThread(variable->getInit(), depth + 1)));
    }
  } names;
  names.depth = depth;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.found;
}

} // namespace

std::string Splitter::prefetchesOfNextWarp(const RegionNode& region,
                                           const std::string& newline) const {
  if (!plan_.options.lineDirectives || !onlyWarps_ || regions_.rowParts || publish_ ||
      !inRunBlock())
    return "";
  const LoopsAround around(body_, region.statements.front());
  const clang::ForStmt* loop = around.all.empty() ? nullptr : around.all.back();
  if (!around.known || around.all.size() > 1 || (loop && !loop->getInc()))
    return "";
  AccessesInBlock accesses(plan_.unit.context());
  accesses.TraverseStmt(const_cast<clang::Stmt*>(loop ? loop->getBody() : body_));
  const clang::SourceLocation here = region.statements.front()->getBeginLoc();
  const auto isBefore = [&](clang::SourceLocation a, clang::SourceLocation b) {
    return plan_.text.sources().isBeforeInTranslationUnit(a, b);
  };
  // `row`, and what is made of it: `const float* in = a + row * width;`
  const auto isOfWarp = [&](const clang::VarDecl* variable) {
    return variable->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(variable) &&
           isStored(variable, Storage::Block) && variable->hasInit() &&
           !isNamedConstant(variable) && namesThread(variable->getInit());
  };
  constexpr std::size_t most = 3;
  std::set<std::string> arrays;
  std::string out;
  for (const AccessesInBlock::Access& access : accesses.all) {
    const clang::Expr* array = access.element->getBase()->IgnoreParenImpCasts();
    const clang::VarDecl* base = variableOf(array);
    const clang::Expr* place = access.element->getIdx();
    if (!base || !base->getType()->isPointerType() || isShared(base) || access.loops.empty() ||
        arrays.size() == most || arrays.count(base->getNameAsString()) ||
        !plan_.text.isWhole(place) || isBefore(access.element->getBeginLoc(), here) ||
        !isHarmless(place))
      continue;
    RegionText named;
    named.add(place);
    named.add(array);
    std::string heads, lines;
    std::set<const clang::VarDecl*> counters;
    for (const clang::ForStmt* counted : access.loops) {
      const clang::VarDecl* counter = AccessesInBlock::counterOf(counted);
      if (!named.uses.count(counter))
        continue;
      counters.insert(counter);
      const FilePosition begin = beginOf(counted->getBeginLoc());
      const FilePosition end = endOf(counted->getRParenLoc());
      // Without the mark that asks to write the loop out.
      const std::string head = plan_.text.text(FileRange{begin.file, begin.offset, end.offset});
      heads += "CU2CPP_ROLLED " + head.substr(std::min(head.find("for"), head.size())) + " ";
    }
    for (const std::string& line : bindings({}, named))
      lines += line + " ";
    // Values of the warp that are made of another one's, down to the one that is not.
    std::vector<const clang::VarDecl*> derived;
    const clang::VarDecl* row = nullptr;
    bool known = !heads.empty() && heads.find('\n') == std::string::npos;
    std::set<const clang::VarDecl*> seen;
    for (bool grown = true; grown && known;) {
      grown = false;
      for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(named.uses)) {
        if (!seen.insert(variable).second)
          continue;
        grown = true;
        if (!isOfWarp(variable)) {
          known &= !variable->hasLocalStorage() || counters.count(variable) ||
                   isNamedConstant(variable) || isStored(variable, Storage::Recomputed) ||
                   (llvm::isa<clang::ParmVarDecl>(variable) &&
                    !regions_.modifiedParameters.count(llvm::cast<clang::ParmVarDecl>(variable))) ||
                   (isStored(variable, Storage::Block) && isBefore(variable->getLocation(), here));
          continue;
        }
        RegionText made;
        made.add(variable->getInit());
        if (std::none_of(made.uses.begin(), made.uses.end(), isOfWarp)) {
          known &= !row && variable->getType()->isIntegerType() &&
                   isBefore(variable->getLocation(), here);
          row = variable;
        } else {
          known &= isHarmless(variable->getInit()) && plan_.text.isWhole(variable->getInit());
          derived.push_back(variable);
          for (const clang::VarDecl* use : made.uses) {
            known &= !isStored(use, Storage::Recomputed);
            named.uses.insert(use);
          }
        }
      }
    }
    if (!known || !row)
      continue;
    std::string step = "1";
    if (loop) {
      const auto* by = llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
      if (!by || by->getOpcode() != clang::BO_AddAssign || namedBy(by->getLHS()) != row ||
          !isGroupValue(by->getRHS()) || !isHarmless(by->getRHS()))
        continue;
      step = expressionText(by->getRHS());
    }
    std::sort(derived.begin(), derived.end(), [&](const auto* a, const auto* b) {
      return isBefore(a->getLocation(), b->getLocation());
    });
    std::string values;
    for (const clang::VarDecl* variable : derived)
      values += "const auto " + variable->getNameAsString() + " = " +
                expressionText(variable->getInit()) + "; ";
    arrays.insert(base->getNameAsString());
    const std::string name = row->getNameAsString();
    out += heads + "cu2cpp::prefetchRowOfWarp(cuWarp, " + name + " + (" + step +
           "), [&](const uint3 threadIdx, const auto " + name + ") { " + values + lines +
           "return " + base->getNameAsString() + " + (" + expressionText(place) + "); });" +
           newline;
  }
  return out;
}

std::string Splitter::prefetchesOfNextBlock(const std::string& newline) const {
  if (!inRunBlock() || publish_)
    return "";
  if (plan_.options.lineDirectives)
    if (std::string rows = prefetchesOfRows(newline); !rows.empty())
      return rows;
  const Accesses accesses(body_);
  if (accesses.inLoop || inLoop_)
    return "";
  // All of an array's rows or none: they lie one behind the other, and where some are left out
  // processors take as long as without.
  constexpr std::size_t most = 8;
  std::vector<const clang::ParmVarDecl*> arrays;
  std::map<const clang::ParmVarDecl*, std::vector<std::string>> rows;
  std::set<std::string> elements;
  for (const clang::ArraySubscriptExpr* access : accesses.all) {
    const clang::ParmVarDecl* array = givenArray(access);
    const clang::Expr* place = access->getIdx();
    if (!array || !isIndexInRow(place) || !isHarmless(place) || !plan_.text.isWhole(place) ||
        isNearAnother(place, plan_.unit.context()))
      continue;
    const std::string text = expressionText(place);
    if (!elements.insert(array->getNameAsString() + "[" + text).second)
      continue;
    const std::optional<std::string> index = forNextBlock(place, {});
    if (!index)
      continue;
    if (rows[array].empty())
      arrays.push_back(array);
    rows[array].push_back(", " + *index);
  }
  std::size_t left = most;
  std::string out;
  for (const clang::ParmVarDecl* array : arrays) {
    if (rows[array].size() > left)
      continue;
    left -= rows[array].size();
    out += "cu2cpp::prefetchNextBlock(cuBlock, " + array->getNameAsString();
    for (const std::string& row : rows[array])
      out += row;
    out += ");" + newline;
  }
  return out;
}

namespace {

/// By how much an index is ahead of a loop's counter: 1 of a[i + (k + 1) * n]. None if it does not
/// depend on it.
std::optional<long long> stepsAhead(const clang::Expr* index, const clang::VarDecl* counter,
                                    const clang::ASTContext& context) {
  class Finder : public SyntaxVisitor {
  public:
    const clang::VarDecl* counter = nullptr;
    const clang::ASTContext* context = nullptr;
    std::optional<long long> ahead;
    bool names(const clang::Expr* e) const {
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
      return use && use->getDecl() == counter;
    }
    void found(long long by) { ahead = ahead && *ahead > by ? *ahead : by; }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      if (use->getDecl() == counter)
        found(0);
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (variable && variable != counter && variable->hasLocalStorage() && variable->hasInit() &&
          ++depth < 8)
        TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
      return true;
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      clang::Expr::EvalResult by;
      if (op->getOpcode() == clang::BO_Add && names(op->getLHS()) &&
          !op->getRHS()->isValueDependent() && op->getRHS()->EvaluateAsInt(by, *context))
        found(by.Val.getInt().getExtValue());
      return true;
    }
    unsigned depth = 0;
  } finder;
  finder.counter = counter;
  finder.context = &context;
  finder.TraverseStmt(const_cast<clang::Expr*>(index));
  return finder.ahead;
}

} // namespace

bool Splitter::isIndexInRow(const clang::Expr* e) const {
  e = e->IgnoreParenImpCasts();
  if (isPlaceInRow(e))
    return true;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  return op && op->getOpcode() == clang::BO_Add &&
         ((isIndexInRow(op->getLHS()) && !variesInRow(op->getRHS())) ||
          (isIndexInRow(op->getRHS()) && !variesInRow(op->getLHS())));
}

std::string Splitter::prefetchesOfMovingPlaces(const clang::ForStmt* loop) const {
  // `place += plane;` among the loop's own statements.
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
  if (!body || !plan_.options.lineDirectives)
    return "";
  const clang::VarDecl* moving = nullptr;
  const clang::Expr* step = nullptr;
  for (const clang::Stmt* s : body->body()) {
    const auto* op = llvm::dyn_cast<clang::CompoundAssignOperator>(s);
    const clang::VarDecl* variable =
        op && op->getOpcode() == clang::BO_AddAssign ? variableOf(op->getLHS()) : nullptr;
    if (variable && variable->getType()->isIntegerType() && isStored(variable, Storage::Block) &&
        variableOf(op->getRHS()) && isGroupValue(op->getRHS())) {
      moving = variable;
      step = op->getRHS();
    }
  }
  if (!moving)
    return "";
  const auto isThere = [&](const clang::VarDecl* variable) {
    return isStored(variable, Storage::Block) && plan_.text.sources().isBeforeInTranslationUnit(
                                                     variable->getLocation(), loop->getBeginLoc());
  };
  const Accesses accesses(body);
  Slopes slopes(body_, "x");
  constexpr std::size_t most = 2;
  std::set<const clang::ParmVarDecl*> arrays;
  std::string out;
  for (const clang::ArraySubscriptExpr* access : accesses.all) {
    const clang::ParmVarDecl* array = givenArray(access);
    const clang::Expr* index = access->getIdx();
    // What lies steps ahead: `in[place + plane]`, `in[place + R * plane]`.
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(index->IgnoreParenImpCasts());
    if (!array || arrays.size() == most || !sum || sum->getOpcode() != clang::BO_Add ||
        !index->getType()->isIntegerType() || !plan_.text.isWhole(index) ||
        slopes.slope(index) != 1 || !isHarmless(index, isThere))
      continue;
    RegionText ahead, named;
    ahead.add(sum->getRHS());
    named.add(index);
    if (!ahead.uses.count(variableOf(step)) || ahead.uses.count(moving) ||
        !named.uses.count(moving) || !arrays.insert(array).second)
      continue;
    std::string lines;
    for (const std::string& line : bindings({}, named))
      lines += line + " ";
    const std::string name = moving->getNameAsString();
    out += "\n" + plan_.text.indentation(beginOf(loop->getBeginLoc())) +
           "  cu2cpp::prefetchNextStep(cuBlock, " + array->getNameAsString() + ", " + name +
           " + (" + expressionText(step) + "), [&](const uint3 threadIdx, const " + typeOf(moving) +
           " " + name + ") { " + lines + "return " + expressionText(index) + "; });";
  }
  return out;
}

std::string Splitter::prefetchesOfNextStep(const clang::ForStmt* loop) const {
  if ((inRunBlock() || ofKeptRow()) && !publish_ && level_ == Scope::Block)
    if (std::string moving = prefetchesOfMovingPlaces(loop); !moving.empty())
      return moving;
  const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
  if (!(inRunBlock() || ofKeptRow()) || publish_ || level_ != Scope::Block || !declared ||
      !declared->isSingleDecl() || !step || !step->isIncrementOp())
    return "";
  const auto* counter = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
  const Accesses accesses(loop->getBody());
  // Beside much work between barriers there is time to wait for memory.
  if (!counter || variableOf(step->getSubExpr()) != counter ||
      !counter->getType()->isIntegerType() || !isStored(counter, Storage::Block) ||
      accesses.hasLoop)
    return "";
  struct Furthest {
    const clang::ParmVarDecl* array;
    const clang::Expr* index;
    long long ahead;
  };
  std::vector<Furthest> chosen;
  for (const clang::ArraySubscriptExpr* access : accesses.all) {
    const clang::ParmVarDecl* array = givenArray(access);
    const clang::Expr* index = access->getIdx();
    // What the step itself declares for it: `int at = n * k + x; ... a[at]`. That it may change
    // behind that does no harm.
    if (const auto* place = variableOf(index);
        place && place->hasLocalStorage() && place->hasInit() && !regions_.storage.count(place) &&
        plan_.text.sources().isBeforeInTranslationUnit(loop->getBeginLoc(), place->getLocation()))
      index = place->getInit();
    if (!array || !index->getType()->isIntegerType() || !plan_.text.isWhole(index) ||
        !isIndexInRow(index) || !isHarmless(index))
      continue;
    const std::optional<long long> ahead = stepsAhead(index, counter, plan_.unit.context());
    if (!ahead)
      continue;
    const auto same = std::find_if(chosen.begin(), chosen.end(),
                                   [&](const Furthest& other) { return other.array == array; });
    if (same == chosen.end())
      chosen.push_back({array, index, *ahead});
    else if (*ahead > same->ahead)
      *same = {array, index, *ahead};
  }
  constexpr std::size_t most = 3;
  std::string out;
  for (std::size_t i = 0; i < chosen.size() && i < most; ++i) {
    RegionText named;
    named.add(chosen[i].index);
    std::string lines;
    for (const std::string& line : bindings({}, named))
      lines += line + " ";
    const std::string name = counter->getNameAsString();
    out += "\n" + plan_.text.indentation(beginOf(loop->getBeginLoc())) +
           "  cu2cpp::prefetchNextStep(cuBlock, " + chosen[i].array->getNameAsString() + ", " +
           name + " + 1, [&](const uint3 threadIdx, const " + typeOf(counter) + " " + name +
           ") { " + lines + "return " + expressionText(chosen[i].index) + "; });";
  }
  return out;
}

} // namespace cu2cpp
