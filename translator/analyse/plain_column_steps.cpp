// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In blocks of one row, a thread's column of a shared matrix that it updates may be a remainder of
// its place, and its rows begin at the quotient. The column becomes a loop of one step:
//
//   const int j = tid % 32;
//   if (j > k)                                  for (int i = k + 1 + tid / 32; i < n; i += 4)
//     for (int i = k + 1 + tid / 32;              { for (int j = threadIdx.x % 32; j < 32; j += 32)
//          i < n; i += 4)                   ->        if (j > k) a[i][j] -= a[i][k] * a[k][j]; }
//       a[i][j] -= a[i][k] * a[k][j];
//
// so that the block passes over rows and columns (element_rows.h), in strips where it can. As a set
// of lanes, each row would be loaded and stored in vectors, in most of which nobody runs.
#include "analyse/plain_body.h"

#include <algorithm>
#include <utility>

#include "analyse/block_sizes.h"
#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {
namespace {

/// Whether all threads of a block come to a statement or none does.
bool isInUniformFlow(const clang::Stmt* s, const Uniformity& variables) {
  for (const clang::Stmt* at = s; (at = variables.parents().getParent(at));) {
    const clang::Expr* condition = nullptr;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(at))
      condition = branch->getCond();
    else if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(at))
      condition = loop->getCond();
    else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(at))
      condition = loop->getCond();
    else if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(at))
      condition = loop->getCond();
    else if (!llvm::isa<clang::CompoundStmt>(at))
      return false;
    if (condition && (condition->isTypeDependent() || !variables.isUniform(condition)))
      return false;
  }
  return true;
}

/// Calls, reads of memory, and returns.
class Parts : public SyntaxVisitor {
public:
  explicit Parts(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  bool calls = false;
  std::vector<const clang::ReturnStmt*> returns;
  std::vector<const clang::VarDecl*> variables;
  bool VisitCallExpr(clang::CallExpr*) override { return calls = true; }
  bool VisitReturnStmt(clang::ReturnStmt* s) override {
    returns.push_back(s);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
      variables.push_back(variable);
    return true;
  }
};

const clang::Stmt* onlyStatement(const clang::Stmt* s) {
  while (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(s))
    s = list->size() == 1 ? list->body_front() : nullptr;
  return s;
}

class ColumnOfRemainder {
public:
  ColumnOfRemainder(const PlainBody& body, const clang::ForStmt* loop)
      : loop(loop), body_(body), context_(body.unit.context()) {}

  const clang::ForStmt* const loop;
  const clang::IfStmt* guard = nullptr;          ///< around the loop
  const clang::BinaryOperator* update = nullptr; ///< with a guard of its own, or without
  const clang::Stmt* step = nullptr;             ///< what the loop does
  const clang::VarDecl* column = nullptr;
  unsigned width = 0, rows = 0; ///< of a row of threads; how many of them the block has

  bool find() {
    return takeHead() && takeUpdate() && takeGuard() &&
           isInUniformFlow(guard ? static_cast<const clang::Stmt*>(guard) : loop, body_.variables);
  }

private:
  bool isOfBlock(const clang::Expr* e) const {
    return !e->isTypeDependent() && body_.variables.isUniform(e) && !Parts(e).calls &&
           !Uniformity::readsMemory(e);
  }
  /// What a variable that never changes begins with, or the expression itself.
  const clang::Expr* valueOf(const clang::Expr* e) const {
    const clang::VarDecl* variable = namedBy(plainly(e));
    return variable && isKept(variable) ? plainly(variable->getInit()) : plainly(e);
  }
  bool isKept(const clang::VarDecl* variable) const {
    const LocalVariable* local = body_.variables.find(variable);
    const clang::QualType type = variable->getType();
    return local && !local->modified && !local->escapes && variable->hasInit() &&
           !variable->isStaticLocal() && !type->isDependentType() && type->isIntegerType() &&
           !type.isVolatileQualified() && context_.getTypeSize(type) >= 32;
  }
  /// By what an expression divides threadIdx.x: `tid % 32`, `tid & 31`, or `tid / 32`, `tid >> 5`.
  unsigned widthOf(const clang::Expr* e, bool remainder) const {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(valueOf(e));
    const auto number =
        op && !op->isTypeDependent() ? constantOf(op->getRHS(), context_) : std::nullopt;
    constexpr std::int64_t most = 1024;
    if (!number || *number < 0 || *number > most || !isPart(valueOf(op->getLHS()), ThreadIdx, "x"))
      return 0;
    switch (op->getOpcode()) {
    case clang::BO_Rem:
      return remainder ? unsigned(*number) : 0;
    case clang::BO_And:
      return remainder ? unsigned(*number) + 1 : 0; // a power of two, see takeUpdate()
    case clang::BO_Div:
      return remainder ? 0 : unsigned(*number);
    case clang::BO_Shr:
      return remainder || *number > 10 ? 0 : 1u << *number;
    default:
      return 0;
    }
  }

  /// `for (int i = k + 1 + tid / 32; i < n; i += 4)`
  bool takeHead() {
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    counter_ = init && init->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                                            : nullptr;
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
    const auto* next = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
    if (!counter_ || !counter_->hasInit() || loop->getConditionVariable() ||
        !counter_->getType()->isIntegerType() || !test || test->getOpcode() != clang::BO_LT ||
        namedBy(plainly(test->getLHS())) != counter_ || !isOfBlock(test->getRHS()) || !next ||
        next->getOpcode() != clang::BO_AddAssign || namedBy(plainly(next->getLHS())) != counter_ ||
        !takeStart(counter_->getInit()) || width == 0)
      return false;
    // By more than 0 in each step: the loop also ends for threads that it was not meant for.
    const auto distance = constantOf(next->getRHS(), context_);
    rows = distance && *distance > 0 && *distance <= 1024 ? unsigned(*distance) : 0;
    return rows != 0;
  }
  /// A sum of the quotient and of what the block knows.
  bool takeStart(const clang::Expr* e) {
    if (isOfBlock(e))
      return true;
    if (const unsigned divisor = widthOf(e, false))
      return std::exchange(width, divisor) == 0;
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(plainly(e));
    return sum && sum->getOpcode() == clang::BO_Add && takeStart(sum->getLHS()) &&
           takeStart(sum->getRHS());
  }
  /// `a[i][j] -= a[i][k] * a[k][j];`, of floating-point numbers: others do not run in strips.
  bool takeUpdate() {
    step = onlyStatement(loop->getBody());
    const clang::Stmt* only = step;
    const clang::Expr* condition = nullptr;
    if (const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(only)) {
      if (!isPlain(branch))
        return false;
      condition = branch->getCond();
      only = onlyStatement(branch->getThen());
    }
    update = llvm::dyn_cast_or_null<clang::BinaryOperator>(only);
    if (!update || !update->isAssignmentOp() || update->isTypeDependent() ||
        !update->getType()->isRealFloatingType() || update->getType().isVolatileQualified() ||
        update->getRHS()->HasSideEffects(context_) || Parts(update).calls)
      return false;
    const clang::VarDecl* matrix = takeElement(update->getLHS());
    if (!matrix || (width & (width - 1)) != 0 || widthOf(column->getInit(), true) != width ||
        !isKept(column) || (condition && !comparesColumn(condition)))
      return false;
    const Parts read(update->getRHS());
    return std::find(read.variables.begin(), read.variables.end(), matrix) !=
               read.variables.end() &&
           std::all_of(
               read.variables.begin(), read.variables.end(), [&](const clang::VarDecl* variable) {
                 const LocalVariable* local = body_.variables.find(variable);
                 return variable == counter_ || variable == column || isShared(variable) ||
                        isNamedConstant(variable) || (local && local->uniform && !local->escapes);
               });
  }
  /// The shared array of which `a[i][j]` or `a[i * 33 + j]` is an element.
  const clang::VarDecl* takeElement(const clang::Expr* e) {
    const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(plainly(e));
    if (!at)
      return nullptr;
    const clang::Expr* base = plainly(arrayOf(at));
    const clang::Expr* place = plainly(indexOf(at));
    const clang::Expr* ofRow = nullptr;
    if (const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      ofRow = plainly(indexOf(row));
      base = plainly(arrayOf(row));
    } else if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(place);
               sum && sum->getOpcode() == clang::BO_Add) {
      const auto* product = llvm::dyn_cast<clang::BinaryOperator>(plainly(sum->getLHS()));
      if (!product || product->getOpcode() != clang::BO_Mul || !isOfBlock(product->getRHS()))
        return nullptr;
      ofRow = plainly(product->getLHS());
      place = plainly(sum->getRHS());
    }
    column = namedBy(place);
    const clang::VarDecl* matrix = namedBy(base);
    return ofRow && namedBy(ofRow) == counter_ && column && column->hasInit() && matrix &&
                   isShared(matrix)
               ? matrix
               : nullptr;
  }

  /// A guard around the loop, or none.
  bool takeGuard() {
    const clang::ParentMap& parents = body_.variables.parents();
    const clang::Stmt* parent = parents.getParent(loop);
    if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(parent);
        list && list->size() == 1)
      parent = parents.getParent(list);
    guard = llvm::dyn_cast_or_null<clang::IfStmt>(parent);
    if (!guard || body_.variables.isUniform(guard->getCond())) {
      guard = nullptr;
      return true;
    }
    return isPlain(guard) && comparesColumn(guard->getCond()) && !hidesNames();
  }
  /// Whether a name in the guard would mean the loop's counter.
  bool hidesNames() const {
    const Parts named(guard->getCond());
    return std::any_of(
        named.variables.begin(), named.variables.end(),
        [&](const clang::VarDecl* variable) { return variable->getName() == counter_->getName(); });
  }
  static bool isPlain(const clang::IfStmt* branch) {
    return !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
           !branch->isConstexpr() && !branch->isConsteval() &&
           !branch->getCond()->isTypeDependent();
  }
  /// `j > k && j < n`
  bool comparesColumn(const clang::Expr* condition) const {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plainly(condition));
    if (!op)
      return false;
    if (op->getOpcode() == clang::BO_LAnd)
      return comparesColumn(op->getLHS()) && comparesColumn(op->getRHS());
    return op->isRelationalOp() &&
           ((namedBy(plainly(op->getLHS())) == column && isOfBlock(op->getRHS())) ||
            (namedBy(plainly(op->getRHS())) == column && isOfBlock(op->getLHS())));
  }

  const PlainBody& body_;
  const clang::ASTContext& context_;
  const clang::VarDecl* counter_ = nullptr;
};

/// Whether launches show blocks of one row that the loop's rows of threads make up.
bool isWholeBlock(const SourceUnit& unit, const Facts& facts, const FunctionFacts& function,
                  const ColumnOfRemainder& found) {
  Facts launched = facts;
  findLaunches(unit, launched);
  const FunctionFacts* same = launched.find(function.decl);
  const auto size = same ? findBlockSize(unit, launched, *same) : std::nullopt;
  return size && *size == BlockSize{found.width * found.rows, 1, 1};
}

} // namespace

void stepColumns(const PlainBody& body, const Facts& facts, const FunctionFacts& function) {
  const Parts parts(body.function->getBody());
  for (const clang::Stmt* s : body.contents.loops) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    if (!loop)
      continue;
    ColumnOfRemainder found(body, loop);
    if (!found.find())
      continue;
    // Elements are shared by all threads: none may have left.
    if (!std::all_of(parts.returns.begin(), parts.returns.end(),
                     [&](const auto* one) { return isInUniformFlow(one, body.variables); }))
      return;
    if (!isWholeBlock(body.unit, facts, function, found))
      continue;
    const auto at = body.text.positionOf(found.step->getBeginLoc());
    const auto start = body.text.positionOf(found.update->getBeginLoc());
    const auto end = start ? body.behindStatement(found.update, *start) : std::nullopt;
    if (!at || !end || at->file != start->file || found.step->getBeginLoc().isMacroID() ||
        found.update->getBeginLoc().isMacroID() || loop->getBeginLoc().isMacroID())
      continue;
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    std::string guard;
    if (found.guard) {
      const auto head = body.text.rangeOf(
          clang::SourceRange(found.guard->getIfLoc(), found.guard->getRParenLoc()));
      const auto asked = body.text.rangeOf(found.guard->getCond()->getSourceRange());
      const auto line = asked ? onOneLine(body.text.text(*asked)) : std::nullopt;
      if (!head || !line || head->file != at->file || found.guard->getBeginLoc().isMacroID())
        continue;
      edits[head->begin] = {head->end, withLinesOf(body.text.text(*head), "")};
      guard = "if (" + *line + ") ";
    }
    const std::string name = found.column->getNameAsString(), width = std::to_string(found.width);
    const std::string type =
        found.column->getType().getCanonicalType().getUnqualifiedType().getAsString(
            body.unit.context().getPrintingPolicy());
    edits[at->offset] = {at->offset, "{ for (" + type + " " + name + " = threadIdx.x % " + width +
                                         "; " + name + " < " + width + "; " + name +
                                         " += " + width + ") " + guard};
    // It may stand before that of a guard in the loop: they are alike.
    edits[*end] = {*end, " }"};
    body.put(at->file, std::move(edits));
  }
}

} // namespace cu2cpp
