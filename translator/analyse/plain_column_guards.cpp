// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guard on a thread's column, around a loop in whose steps rows of threads change rows of shared
// memory, goes into that loop, with what it loads from a row that stays:
//
//   if (tx > k && tx < n) {
//     const double l = a[k * lda + tx];             for (int c = k + 1 + ty; c < n; c +=
//     blockDim.y) for (int c = k + 1 + ty; c < n;         ->      { if (tx > k && tx < n) {
//          c += blockDim.y)                               const double l = a[k * lda + tx];
//       a[c * lda + tx] -= l * a[c * lda + k];            a[c * lda + tx] -= l * a[c * lda + k]; }
//       }
//   }
//
// Each step then is a range of the row. As a set of lanes, vectors in which nobody runs would take
// as long as others, and what lanes keep is stored and loaded under masks.
#include "analyse/plain_body.h"

#include <algorithm>

#include "analyse/block_sizes.h"
#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {
namespace {

/// `threadIdx.x`, or a variable that keeps it; of the row: `.y`.
bool isPlace(const clang::Expr* e, llvm::StringRef part) {
  const clang::VarDecl* variable = namedBy(e);
  return isPart(variable && variable->hasLocalStorage() && variable->hasInit() &&
                        variable->getType().isConstQualified()
                    ? variable->getInit()
                    : e,
                ThreadIdx, part);
}

void addTerms(const clang::Expr* e, std::vector<const clang::Expr*>& terms) {
  e = plainly(e);
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e);
      sum && sum->getOpcode() == clang::BO_Add) {
    addTerms(sum->getLHS(), terms);
    addTerms(sum->getRHS(), terms);
  } else {
    terms.push_back(e);
  }
}

bool isCheap(const clang::Expr* e) {
  class Calls : public SyntaxVisitor {
  public:
    bool none = true;
    bool VisitCallExpr(clang::CallExpr*) override { return none = false; }
  } calls;
  calls.TraverseStmt(const_cast<clang::Expr*>(e));
  return calls.none && !Uniformity::readsMemory(e);
}

/// `tx > k && tx < n`: the thread's column is compared with what the block agrees on.
bool comparesColumn(const clang::Expr* condition, const Uniformity& variables) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plainly(condition));
  if (!op)
    return false;
  if (op->getOpcode() == clang::BO_LAnd)
    return comparesColumn(op->getLHS(), variables) && comparesColumn(op->getRHS(), variables);
  const auto isKnown = [&](const clang::Expr* e) { return variables.isUniform(e) && isCheap(e); };
  return op->isRelationalOp() && ((isPlace(op->getLHS(), "x") && isKnown(op->getRHS())) ||
                                  (isPlace(op->getRHS(), "x") && isKnown(op->getLHS())));
}

/// An element in the thread's column of a shared matrix, `a[row * width + tx]` or `a[row][tx]`.
struct ColumnElement {
  const clang::VarDecl* matrix = nullptr;
  const clang::Expr *row = nullptr, *width = nullptr; ///< no width: an array of arrays
};

class ColumnLoop {
public:
  ColumnLoop(const PlainBody& body, const clang::IfStmt* branch) : body_(body), branch_(branch) {}

  const clang::ForStmt* loop = nullptr;
  const clang::BinaryOperator* update = nullptr;
  std::vector<const clang::DeclStmt*> loads;

  bool find() {
    if (branch_->getElse() || branch_->getInit() || branch_->getConditionVariable() ||
        branch_->isConstexpr() || branch_->isConsteval() || branch_->getCond()->isTypeDependent() ||
        !comparesColumn(branch_->getCond(), body_.variables))
      return false;
    const clang::Stmt* then = branch_->getThen();
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then)) {
      for (const clang::Stmt* s : list->body()) {
        const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
        if (loop || (!declaration && !llvm::isa<clang::ForStmt>(s)))
          return false;
        if (declaration)
          loads.push_back(declaration);
        else
          loop = llvm::cast<clang::ForStmt>(s);
      }
    } else {
      loop = llvm::dyn_cast<clang::ForStmt>(then);
    }
    return loop && takeHead() && takeUpdate() &&
           std::all_of(loads.begin(), loads.end(),
                       [&](const clang::DeclStmt* load) { return isLoad(load); }) &&
           !hidesNames();
  }

private:
  bool takeHead() {
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    counter_ = init && init->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                                            : nullptr;
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
    if (!counter_ || !counter_->hasInit() || loop->getConditionVariable() ||
        !counter_->getType()->isIntegerType() || !test || test->getOpcode() != clang::BO_LT ||
        namedBy(test->getLHS()) != counter_ || !body_.variables.isUniform(test->getRHS()) ||
        !isCheap(test->getRHS()) || !isCheap(counter_->getInit()) || !rises())
      return false;
    addTerms(counter_->getInit(), start_);
    return std::all_of(start_.begin(), start_.end(), [&](const clang::Expr* term) {
      return body_.variables.isUniform(term) || isPlace(term, "y");
    });
  }
  /// By more than 0 in each step: the loop also ends for threads that it was not meant for.
  bool rises() const {
    if (const auto* next = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc()))
      return next->isIncrementOp() && namedBy(next->getSubExpr()) == counter_;
    const auto* sum = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
    if (!sum || sum->getOpcode() != clang::BO_AddAssign || namedBy(sum->getLHS()) != counter_)
      return false;
    const auto constant = constantOf(sum->getRHS(), body_.unit.context());
    const auto part = asBuiltinPart(plainly(sum->getRHS()));
    return (constant && *constant > 0) || (part && part->name == "blockDim");
  }
  bool takeUpdate() {
    const clang::Stmt* only = loop->getBody();
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(only))
      only = list->size() == 1 ? list->body_front() : nullptr;
    update = llvm::dyn_cast_or_null<clang::BinaryOperator>(only);
    if (!update || !update->isAssignmentOp() ||
        update->getRHS()->HasSideEffects(body_.unit.context()))
      return false;
    const auto to = elementOfColumn(update->getLHS());
    if (!to || namedBy(to->row) != counter_)
      return false;
    target_ = *to;
    return true;
  }
  std::optional<ColumnElement> elementOfColumn(const clang::Expr* e) const {
    const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(plainly(e));
    if (!at || at->isTypeDependent() || at->getType().isVolatileQualified())
      return std::nullopt;
    ColumnElement out;
    const clang::Expr* base = plainly(arrayOf(at));
    if (const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      if (!isPlace(plainly(indexOf(at)), "x"))
        return std::nullopt;
      out.row = plainly(indexOf(row));
      base = plainly(arrayOf(row));
    } else {
      const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(plainly(indexOf(at)));
      const auto* product =
          sum && sum->getOpcode() == clang::BO_Add && isPlace(plainly(sum->getRHS()), "x")
              ? llvm::dyn_cast<clang::BinaryOperator>(plainly(sum->getLHS()))
              : nullptr;
      if (!product || product->getOpcode() != clang::BO_Mul)
        return std::nullopt;
      out.row = plainly(product->getLHS());
      out.width = plainly(product->getRHS());
      if (constantOf(out.width, body_.unit.context()).value_or(0) <= 0)
        return std::nullopt;
    }
    out.matrix = namedBy(base);
    return out.matrix && isShared(out.matrix) ? std::optional(out) : std::nullopt;
  }
  /// `const double l = a[k * lda + tx];`, of a row in front of those that the loop changes.
  bool isLoad(const clang::DeclStmt* declaration) const {
    const auto* variable = declaration->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                               : nullptr;
    const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
    if (!local || local->modified || local->escapes || !variable->hasInit() ||
        !variable->getType()->isArithmeticType() || variable->getType().isVolatileQualified() ||
        variable->isStaticLocal() || variable->hasAttrs() || body_.mayBeHidden(variable))
      return false;
    const auto from = elementOfColumn(variable->getInit());
    const clang::ASTContext& context = body_.unit.context();
    if (!from || from->matrix != target_.matrix || !from->width != !target_.width ||
        (from->width && !areAlike(from->width, target_.width, context)))
      return false;
    unsigned rows = 0;
    bool behind = false;
    for (const clang::Expr* term : start_) {
      const auto constant = constantOf(term, context);
      behind |= constant && *constant > 0;
      if (areAlike(term, from->row, context))
        ++rows;
      else if ((!constant || *constant < 0) && !isPlace(term, "y"))
        return false;
    }
    return rows == 1 && behind;
  }
  /// Whether a name that goes into the loop would mean another variable there.
  bool hidesNames() const {
    Contents named(branch_->getCond());
    for (const clang::DeclStmt* load : loads)
      named.TraverseStmt(const_cast<clang::DeclStmt*>(load));
    return std::any_of(named.uses.begin(), named.uses.end(), [&](const clang::VarDecl* variable) {
      return variable->getName() == counter_->getName();
    });
  }

  const PlainBody& body_;
  const clang::IfStmt* const branch_;
  const clang::VarDecl* counter_ = nullptr;
  std::vector<const clang::Expr*> start_;
  ColumnElement target_;
};

/// Rows that are no whole warps are no ranges of lanes.
bool runsInWholeWarps(const SourceUnit& unit, const Facts& facts, const FunctionFacts& function) {
  Facts launched = facts;
  findLaunches(unit, launched);
  const FunctionFacts* same = launched.find(function.decl);
  return same && launchesShowWholeWarps(unit, launched, *same);
}

} // namespace

void guardColumns(const PlainBody& body, const Facts& facts, const FunctionFacts& function) {
  for (const clang::IfStmt* branch : body.contents.branches) {
    ColumnLoop found(body, branch);
    if (!found.find())
      continue;
    if (!runsInWholeWarps(body.unit, facts, function))
      return;
    const auto head =
        body.text.rangeOf(clang::SourceRange(branch->getIfLoc(), branch->getRParenLoc()));
    const auto asked = body.text.rangeOf(branch->getCond()->getSourceRange());
    const auto at = body.text.positionOf(found.update->getBeginLoc());
    const auto end = at ? body.behindStatement(found.update, *at) : std::nullopt;
    if (!head || !asked || !end || at->file != head->file || branch->getBeginLoc().isMacroID() ||
        found.loop->getBeginLoc().isMacroID() || found.update->getBeginLoc().isMacroID())
      continue;
    std::optional<std::string> guard = onOneLine(body.text.text(*asked));
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    edits[head->begin] = {head->end, withLinesOf(body.text.text(*head), "")};
    std::string loads;
    for (const clang::DeclStmt* load : found.loads) {
      const auto range = body.text.rangeOf(load->getSourceRange());
      const auto line = range ? onOneLine(body.text.text(*range)) : std::nullopt;
      if (!line || range->file != head->file || load->getBeginLoc().isMacroID()) {
        guard = std::nullopt;
        break;
      }
      loads += *line + " ";
      edits[range->begin] = {range->end, withLinesOf(body.text.text(*range), "")};
    }
    if (!guard)
      continue;
    edits[at->offset] = {at->offset, "{ if (" + *guard + ") { " + loads};
    edits[*end] = {*end, " } }"};
    body.put(head->file, std::move(edits));
  }
}

} // namespace cu2cpp
