// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counter that is read behind a loop which threads leave one by one is counted apart:
//
//   int i = 0;                             int i = 0;
//   while (i < n) {                        for (int cuCount_i = 0; cuCount_i < n; ++cuCount_i) {
//     if (x * x > 4) break;         ->       if (x * x > 4) break;
//     x = x * x + c;                         x = x * x + c;
//     ++i;                                   i = cuCount_i + 1;
//   }                                      }
//   out[t] = i;                            out[t] = i;
//
// All threads that are still in the loop count alike: no step waits for which threads the last one
// has counted.
#include <algorithm>
#include <string>

#include "analyse/plain_body.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// The variable of `++i`, `i++`, `i += 1`.
const clang::VarDecl* countedBy(const clang::Stmt* s) {
  const auto* e = llvm::dyn_cast_or_null<clang::Expr>(s);
  const clang::Expr* target = nullptr;
  e = e ? e->IgnoreParens() : nullptr;
  if (const auto* one = llvm::dyn_cast_or_null<clang::UnaryOperator>(e))
    target = one->isIncrementOp() ? one->getSubExpr() : nullptr;
  else if (const auto* step = llvm::dyn_cast_or_null<clang::CompoundAssignOperator>(e))
    if (const auto* by =
            llvm::dyn_cast<clang::IntegerLiteral>(step->getRHS()->IgnoreParenImpCasts());
        by && step->getOpcode() == clang::BO_AddAssign && by->getValue() == 1)
      target = step->getLHS();
  return namedBy(target);
}

/// Whether a loop's body is left before its end.
bool leaves(const clang::Stmt* s, bool inLoop = false) {
  if (!s || llvm::isa<clang::LambdaExpr>(s))
    return false;
  if (llvm::isa<clang::ReturnStmt>(s) || (llvm::isa<clang::BreakStmt>(s) && !inLoop))
    return true;
  inLoop |= llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                      clang::SwitchStmt>(s);
  return std::any_of(s->child_begin(), s->child_end(),
                     [&](const clang::Stmt* child) { return leaves(child, inLoop); });
}

/// The operands of && in a condition.
void operandsOf(const clang::Expr* e, std::vector<const clang::Expr*>& out) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
  if (op && op->getOpcode() == clang::BO_LAnd) {
    operandsOf(op->getLHS(), out);
    operandsOf(op->getRHS(), out);
  } else {
    out.push_back(e->IgnoreParenImpCasts());
  }
}

class Counter {
public:
  Counter(const PlainBody& body, const clang::Stmt* loop) : body_(body), loop_(loop) {}

  bool run() {
    const auto* f = llvm::dyn_cast<clang::ForStmt>(loop_);
    const auto* w = llvm::dyn_cast<clang::WhileStmt>(loop_);
    const clang::Expr* const condition = f ? f->getCond() : w->getCond();
    list_ = llvm::dyn_cast<clang::CompoundStmt>(f ? f->getBody() : w->getBody());
    if (!condition || !list_ || list_->body_empty() || PlainBody::continues(list_))
      return false;
    const clang::Stmt* const step = f ? f->getInc() : list_->body_back();
    variable_ = countedBy(step);
    const LocalVariable* local = variable_ ? body_.variables.find(variable_) : nullptr;
    if (!local || local->escapes || !local->decl->hasLocalStorage() ||
        llvm::isa<clang::ParmVarDecl>(variable_) ||
        !variable_->getType()->isSpecificBuiltinType(clang::BuiltinType::Int) ||
        variable_->getType().hasQualifiers() || !isLeftOneByOne(condition) ||
        !changesAtEndOnly(*local, step))
      return false;
    const clang::Expr* const first = firstValue(*local, f);
    return first && isReadBehind() && write(condition, step, first, f, w);
  }

private:
  /// Whether nothing in the loop's body changes the variable but its step: a thread that leaves
  /// behind such a change would be left with what it had before.
  bool changesAtEndOnly(const LocalVariable& local, const clang::Stmt* step) const {
    const clang::ParentMap& parents = body_.variables.parents();
    return std::all_of(local.assignments.begin(), local.assignments.end(), [&](const auto* change) {
      bool inBody = false, inStep = false;
      for (const clang::Stmt* at = change; at; at = parents.getParent(at)) {
        inStep |= at == step;
        inBody |= at == list_;
      }
      return inStep || !inBody;
    });
  }
  /// Besides by the counter.
  bool isLeftOneByOne(const clang::Expr* condition) const {
    std::vector<const clang::Expr*> operands;
    operandsOf(condition, operands);
    const bool counts = std::any_of(operands.begin(), operands.end(), [&](const auto* operand) {
      const auto* test = llvm::dyn_cast<clang::BinaryOperator>(operand);
      return test && test->getOpcode() == clang::BO_LT && namedBy(test->getLHS()) == variable_;
    });
    return counts && (operands.size() > 1 || leaves(list_));
  }
  /// What the variable is when the loop begins, if that is a constant.
  const clang::Expr* firstValue(const LocalVariable& local, const clang::ForStmt* f) const {
    const auto* set = f ? llvm::dyn_cast_or_null<clang::BinaryOperator>(f->getInit()) : nullptr;
    const clang::Expr* value = nullptr;
    if (f && f->getInit()) {
      if (set && set->getOpcode() == clang::BO_Assign && namedBy(set->getLHS()) == variable_)
        value = set->getRHS();
    } else if (const clang::ParentMap& parents = body_.variables.parents();
               local.statement && local.assignments.size() == 1 &&
               parents.getParent(local.statement) == parents.getParent(loop_)) {
      value = variable_->getInit();
    }
    return value && !value->isValueDependent() && value->isEvaluatable(body_.unit.context())
               ? value
               : nullptr;
  }
  bool isReadBehind() const {
    PlainVisitor inside;
    inside.TraverseStmt(const_cast<clang::Stmt*>(loop_));
    return inside.usesOf(variable_) != body_.contents.usesOf(variable_);
  }
  bool write(const clang::Expr* condition, const clang::Stmt* step, const clang::Expr* first,
             const clang::ForStmt* f, const clang::WhileStmt* w) {
    const auto places = body_.placesOf(variable_);
    const auto all = body_.text.rangeOf(loop_->getSourceRange());
    const auto head = body_.text.positionOf(loop_->getBeginLoc());
    const auto stepRange = body_.text.rangeOf(step->getSourceRange());
    const auto value = body_.text.rangeOf(first->getSourceRange());
    const auto test = body_.text.rangeOf(condition->getSourceRange());
    const auto close = body_.text.positionOf(list_->getRBracLoc());
    const clang::SourceLocation paren = f ? f->getRParenLoc() : w->getRParenLoc();
    const auto open = body_.text.endOf(paren);
    if (!places || !all || !head || !stepRange || !value || !test || !close || !open ||
        loop_->getBeginLoc().isMacroID() || paren.isMacroID() || list_->getRBracLoc().isMacroID() ||
        !body_.isSpelled(step) || !body_.isSpelled(condition) ||
        llvm::StringRef(body_.text.text(*all)).contains("#if"))
      return false;
    const std::string& name = variable_->getNameAsString();
    const std::string count = "cuCount_" + name;
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    for (const auto& [offset, use] : *places)
      if (offset >= open->offset && offset < all->end &&
          (offset < stepRange->begin || offset >= stepRange->end))
        edits[offset] = {offset + unsigned(name.size()), count};
    // The condition and all else of the head as one text.
    std::string asked = body_.text.text(*test);
    for (auto use = places->rbegin(); use != places->rend(); ++use)
      if (use->first >= test->begin && use->first < test->end)
        asked.replace(use->first - test->begin, name.size(), count);
    const std::string start = body_.text.text(*value);
    const std::string written = (f && f->getInit() ? name + " = " + start + "; " : std::string()) +
                                "for (int " + count + " = " + start + "; " + asked + "; ++" +
                                count + ")";
    if (llvm::StringRef(written).contains("//"))
      return false;
    edits[head->offset] = {
        open->offset,
        withLinesOf(body_.text.text({head->file, head->offset, open->offset}), written)};
    const std::string noted = name + " = " + count + " + 1;";
    if (w) {
      const auto semicolon = behindSemicolon(body_.text, *stepRange);
      if (!semicolon)
        return false;
      edits[stepRange->begin] = {*semicolon, noted};
    } else {
      edits[close->offset] = {close->offset + 1, " " + noted + " }"};
    }
    for (auto& [begin, edit] : edits)
      body_.changes[head->file][begin] = std::move(edit);
    return true;
  }
  const PlainBody& body_;
  const clang::Stmt* loop_;
  const clang::CompoundStmt* list_ = nullptr;
  const clang::VarDecl* variable_ = nullptr;
};

} // namespace

void countApart(const PlainBody& body) {
  for (const clang::Stmt* loop : body.contents.loops)
    if (Counter(body, loop).run())
      return; // others in later rounds
}

} // namespace cu2cpp
