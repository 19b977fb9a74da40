// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that are kept within bounds by changing them are one constant for each change. For
// compilers only, in kernels whose threads do not meet:
//
//   int left = x - 1;                        const int cuFirst_left = x - 1;
//   if (left < 0) left += w;          ->     const int left = (cuFirst_left < 0) ?
//                                              cuFirst_left + (w) : cuFirst_left;
//   int sx = x - dx;                         const int cuFirst_sx = x - dx;
//   sx = sx < 0 ? sx + w : sx;        ->     const int sx = cuFirst_sx < 0 ? cuFirst_sx + w :
//                                              cuFirst_sx;
//
// Each says of itself where it is the thread's own place (guarded_loops.cpp).
#include "analyse/plain_body.h"

#include <algorithm>

#include "clang/AST/Attr.h"

#include "analyse/clamp_functions.h"
#include "analyse/counted_loops.h"
#include "analyse/plain_lambdas.h"

namespace cu2cpp {
namespace {

using Edits = std::map<unsigned, std::pair<unsigned, std::string>>;

bool names(const clang::Stmt* s, const clang::VarDecl* variable) {
  PlainVisitor visitor;
  visitor.TraverseStmt(const_cast<clang::Stmt*>(s));
  return visitor.usesOf(variable) != 0;
}

/// A change of a variable, as a statement of the list that declares it.
struct Change {
  const clang::Stmt* statement = nullptr;
  bool keeps = false; ///< it asks where the place lies
};

/// `v = E`, `v += E` or `v -= E` with integers.
const clang::BinaryOperator* asChange(const clang::Stmt* s, const clang::VarDecl* variable) {
  if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(s))
    s = list->size() == 1 ? list->body_front() : nullptr;
  const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(s);
  const auto* use = op ? llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParens()) : nullptr;
  return use && use->getDecl() == variable && !op->getRHS()->isTypeDependent() &&
                 op->getRHS()->getType()->isIntegerType() &&
                 (op->getOpcode() == clang::BO_Assign || op->getOpcode() == clang::BO_AddAssign ||
                  op->getOpcode() == clang::BO_SubAssign)
             ? op
             : nullptr;
}

/// `v < 0 ? v + w : v`, `min(v, w - 1)`
bool isKept(const clang::Expr* value, const clang::VarDecl* variable) {
  value = plainly(value);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(value))
    return names(choice->getCond(), variable);
  const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
  return call && isMinOrMax(call->getDirectCallee()) && names(call, variable);
}

/// The branches of `if (...) v = a; else if (...) v = b;`; empty if they do something else.
std::vector<const clang::IfStmt*> branchesOf(const clang::Stmt* s, const clang::VarDecl* variable) {
  std::vector<const clang::IfStmt*> out;
  for (const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(s); branch;
       branch = llvm::dyn_cast_or_null<clang::IfStmt>(branch->getElse())) {
    if (branch->getInit() || branch->getConditionVariable() || branch->isConstexpr() ||
        branch->isConsteval() || branch->getCond()->isTypeDependent() ||
        !names(branch->getCond(), variable) || !asChange(branch->getThen(), variable))
      return {};
    out.push_back(branch);
    if (branch->getElse() && !llvm::isa<clang::IfStmt>(branch->getElse()))
      return {};
  }
  return out;
}

/// All changes of a variable in the order of the text; empty if they are no such, or if none keeps
/// it within bounds.
std::vector<Change> changesOf(const PlainBody& body, const LocalVariable& local) {
  const clang::VarDecl* variable = local.decl;
  const clang::QualType type = variable->getType();
  const clang::ParentMap& parents = body.variables.parents();
  const auto* list =
      local.statement
          ? llvm::dyn_cast_or_null<clang::CompoundStmt>(parents.getParent(local.statement))
          : nullptr;
  if (!list || local.escapes || local.assignments.empty() || !variable->hasInit() ||
      variable->getInit()->isTypeDependent() || !variable->hasLocalStorage() ||
      variable->hasAttrs() || type->isDependentType() || type->getContainedAutoType() ||
      type.isVolatileQualified() || type->isReferenceType() || !type->isIntegerType() ||
      type->isBooleanType() || type->isEnumeralType() ||
      variable->getInitStyle() != clang::VarDecl::CInit)
    return {};
  std::vector<Change> out;
  std::size_t counted = 0;
  bool keeps = false;
  for (const clang::Stmt* s : list->body()) {
    Change change{s};
    if (const auto* op = llvm::isa<clang::Expr>(s) ? asChange(s, variable) : nullptr) {
      change.keeps = op->getOpcode() == clang::BO_Assign && isKept(op->getRHS(), variable);
      ++counted;
    } else if (const auto branches = branchesOf(s, variable); !branches.empty()) {
      change.keeps = true;
      counted += branches.size();
    } else {
      continue;
    }
    keeps |= change.keeps;
    out.push_back(change);
  }
  return keeps && counted == local.assignments.size() ? out : std::vector<Change>();
}

/// Writes one variable as constants.
class Versions {
public:
  Versions(const PlainBody& body, const LocalVariable& local)
      : body_(body), variable_(local.decl), name_(local.decl->getNameAsString()) {}

  bool write(const LocalVariable& local, const std::vector<Change>& changes) {
    const auto name = body_.text.positionOf(variable_->getLocation());
    const auto begin = body_.text.positionOf(local.statement->getBeginLoc());
    const auto uses = body_.placesOf(variable_);
    if (!name || !begin || !uses || begin->file != name->file || begin->offset >= name->offset ||
        local.statement->getBeginLoc().isMacroID())
      return false;
    const std::string type =
        body_.text.buffer(name->file).slice(begin->offset, name->offset).trim().str();
    if (type.find_first_of("\n*&[(") != std::string::npos)
      return false;
    Edits edits;
    edits[begin->offset] = {begin->offset, "const "};
    edits[name->offset] = {name->offset + unsigned(name_.size()), before(0)};
    unsigned from = name->offset;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const clang::Stmt* s = changes[i].statement;
      const auto range = body_.text.rangeOf(s->getSourceRange());
      if (!range || range->file != name->file || range->begin < from || !body_.isSpelled(s))
        return false;
      for (const auto& [offset, use] : *uses)
        if (offset > name->offset && offset >= from && offset < range->begin)
          edits[offset] = {offset + unsigned(name_.size()), before(i)};
      for (const auto& [offset, use] : *uses)
        if (offset >= range->begin && offset < range->end)
          instead_.instead[offset] = before(i);
      const std::string value = valueOf(s, before(i));
      if (value.empty())
        return false;
      const std::string text =
          "const " + type + " " + (i + 1 < changes.size() ? before(i + 1) : name_) + " = " + value;
      // A branch in braces ends without a semicolon, and one without may end in front of it.
      const auto behind = behindSemicolon(body_.text, *range);
      const unsigned end = behind ? *behind : range->end;
      const llvm::StringRef written = body_.text.buffer(range->file).slice(range->begin, end);
      if (!behind && !written.ends_with("}"))
        return false;
      edits[range->begin] = {end, withLinesOf(written, text + ";")};
      from = end;
    }
    return body_.put(name->file, std::move(edits));
  }

private:
  std::string before(std::size_t change) const {
    return "cuFirst" + (change ? std::to_string(change + 1) : "") + "_" + name_;
  }
  std::string textOf(const clang::Expr* e) const {
    const auto range = body_.text.rangeOf(e->getSourceRange());
    if (!range || !body_.isSpelled(e))
      return "";
    const auto line = onOneLine(body_.text, *range, instead_);
    return line && line->find("//") == std::string::npos ? *line : "";
  }
  /// What one of the changes makes of the place.
  std::string changed(const clang::BinaryOperator* op, const std::string& old) const {
    const std::string text = textOf(op->getRHS());
    if (text.empty() || op->getOpcode() == clang::BO_Assign)
      return text;
    return old + (op->getOpcode() == clang::BO_AddAssign ? " + (" : " - (") + text + ")";
  }
  std::string valueOf(const clang::Stmt* s, const std::string& old) const {
    if (const auto* op = llvm::isa<clang::Expr>(s) ? asChange(s, variable_) : nullptr)
      return changed(op, old);
    std::string out, close;
    for (const clang::IfStmt* branch : branchesOf(s, variable_)) {
      const std::string condition = textOf(branch->getCond());
      const std::string value = changed(asChange(branch->getThen(), variable_), old);
      if (condition.empty() || value.empty())
        return "";
      out += "((" + condition + ") ? (" + value + ") : ";
      close += ")";
    }
    return out + old + close;
  }

  const PlainBody& body_;
  const clang::VarDecl* variable_;
  const std::string name_;
  TokenChanges instead_;
};

/// Whether all loops count a few items of a thread: others make no vectors of threads.
bool hasOwnLoops(const PlainBody& body) {
  return std::any_of(body.contents.loops.begin(), body.contents.loops.end(),
                     [&](const clang::Stmt* loop) {
                       const auto* counted = llvm::dyn_cast<clang::ForStmt>(loop);
                       return !counted || !asCountedLoop(counted, body.unit.context());
                     });
}

} // namespace

bool declaresWraps(const PlainBody& body, const clang::DeclStmt* s) {
  return !s->isSingleDecl() && !hasOwnLoops(body) &&
         std::any_of(s->decl_begin(), s->decl_end(), [&](const clang::Decl* decl) {
           const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
           const LocalVariable* local = variable ? body.variables.find(variable) : nullptr;
           return local && !changesOf(body, *local).empty();
         });
}

void keepWraps(const PlainBody& body) {
  if (hasOwnLoops(body))
    return;
  const std::set<const clang::VarDecl*> ofLambdas = namedInLambdas(body);
  for (const clang::DeclStmt* s : body.contents.declarations) {
    const auto* variable =
        s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr;
    const LocalVariable* local = variable ? body.variables.find(variable) : nullptr;
    if (!local || ofLambdas.count(variable))
      continue;
    if (const std::vector<Change> changes = changesOf(body, *local); !changes.empty())
      Versions(body, *local).write(*local, changes);
  }
}

} // namespace cu2cpp
