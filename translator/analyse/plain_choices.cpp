// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that a branch and its else set for all threads of the block alike are set where they
// are declared. For compilers only:
//
//   int column, row;
//   if (gridDim.x == gridDim.y) {
//     row = blockIdx.x;
//     column = (blockIdx.x + blockIdx.y) % gridDim.x;    int row = a == b ? int(blockIdx.x) : ...;
//   } else {                                          -> int column = a == b ? int(...) : ...;
//     int id = blockIdx.x + gridDim.x * blockIdx.y;
//     row = id % gridDim.y;
//     column = (id / gridDim.y + row) % gridDim.x;
//   }
//
// What the block agrees on is then one number, and no thread keeps it. Each value stands in its
// own side of a choice: none is computed that was not before.
#include "analyse/plain_body.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// What declares a variable without a value among a kernel's first statements.
const clang::DeclStmt* declarationOf(const PlainBody& body, const clang::VarDecl* variable) {
  const LocalVariable* local = body.variables.find(variable);
  const clang::DeclStmt* statement = local ? local->statement : nullptr;
  return statement && !variable->hasInit() && variable->hasLocalStorage() && !isShared(variable) &&
                 !local->escapes && !variable->hasAttrs() &&
                 variable->getType()->isArithmeticType() &&
                 !variable->getType()->isDependentType() &&
                 !variable->getType().isVolatileQualified() &&
                 body.variables.parents().getParent(statement) == body.function->getBody() &&
                 body.text.rangeOf(statement->getSourceRange())
             ? statement
             : nullptr;
}

/// Side is one side of a branch: what it sets, as text that names nothing of it.
class Side {
public:
  explicit Side(const PlainBody& body) : body_(body) {}
  std::vector<const clang::VarDecl*> order;
  std::map<const clang::VarDecl*, std::string> values;

  bool add(const clang::Stmt* s) {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return std::all_of(list->body_begin(), list->body_end(),
                         [&](const clang::Stmt* part) { return add(part); });
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
      return std::all_of(
          declaration->decl_begin(), declaration->decl_end(), [&](const clang::Decl* decl) {
            const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
            const LocalVariable* local = body_.variables.find(variable);
            return local && variable->hasInit() && !local->modified && !local->escapes &&
                   variable->hasLocalStorage() && set(variable, variable->getInit());
          });
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
    const clang::VarDecl* variable =
        op && op->getOpcode() == clang::BO_Assign ? namedBy(op->getLHS()) : nullptr;
    if (!variable || !declarationOf(body_, variable) || !set(variable, op->getRHS()))
      return false;
    order.push_back(variable);
    return true;
  }

private:
  bool set(const clang::VarDecl* variable, const clang::Expr* value) {
    const clang::QualType type = variable->getType().getCanonicalType().getUnqualifiedType();
    if (!type->isArithmeticType() || type->isDependentType() || type.isVolatileQualified() ||
        values.count(variable) || !body_.variables.isUniform(value))
      return false;
    const auto range = body_.text.rangeOf(value->getSourceRange());
    TokenChanges named;
    if (!range || !body_.text.isWhole(value) || !isValue(value, named))
      return false;
    const auto text = onOneLine(body_.text, *range, named);
    if (!text || text->find("//") != std::string::npos)
      return false;
    values[variable] = "static_cast<" + type.getAsString(body_.unit.context().getPrintingPolicy()) +
                       ">(" + *text + ")";
    return text->size() <= longest;
  }

  /// Whether a value is computed from numbers that nobody changes and that all threads know, or
  /// from what the side has set.
  bool isValue(const clang::Expr* e, TokenChanges& named) const {
    class Parts : public SyntaxVisitor {
    public:
      const Side* side = nullptr;
      TokenChanges* named = nullptr;
      bool fits = true;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        if (!variable)
          return fits &=
                 llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(use->getDecl());
        if (const auto set = side->values.find(variable); set != side->values.end()) {
          const auto at = side->body_.text.positionOf(use->getLocation());
          if (!at || use->getLocation().isMacroID())
            return fits = false;
          named->instead[at->offset] = set->second;
          return true;
        }
        return fits &= side->body_.isFixed(use) && !variable->getType()->isReferenceType() &&
                       (isNamedConstant(variable) || builtinOf(variable) ||
                        (side->body_.variables.find(variable) &&
                         (llvm::isa<clang::ParmVarDecl>(variable) || variable->hasInit())));
      }
      bool VisitCallExpr(clang::CallExpr*) override { return fits = false; }
      bool VisitLambdaExpr(clang::LambdaExpr*) override { return fits = false; }
      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return fits = false; }
      bool VisitUnaryOperator(clang::UnaryOperator* op) override {
        return fits &= op->getOpcode() != clang::UO_Deref && op->getOpcode() != clang::UO_AddrOf &&
                       !op->isIncrementDecrementOp();
      }
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        return fits &= !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma;
      }
      bool VisitMemberExpr(clang::MemberExpr* member) override {
        return fits &= !member->isArrow();
      }
    } parts;
    parts.side = this;
    parts.named = &named;
    parts.TraverseStmt(const_cast<clang::Expr*>(e));
    return parts.fits;
  }

  const PlainBody& body_;
  static constexpr std::size_t longest = 400; ///< characters of a value
};

void choose(const PlainBody& body, const clang::IfStmt* branch) {
  if (!branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      branch->isConstexpr() || branch->getBeginLoc().isMacroID() ||
      body.variables.parents().getParent(branch) != body.function->getBody() ||
      !body.variables.isUniform(branch->getCond()) || !body.isFixed(branch->getCond()) ||
      !body.text.isWhole(branch->getCond()))
    return;
  Side then(body), otherwise(body);
  if (!then.add(branch->getThen()) || !otherwise.add(branch->getElse()) || then.order.empty() ||
      std::set<const clang::VarDecl*>(then.order.begin(), then.order.end()) !=
          std::set<const clang::VarDecl*>(otherwise.order.begin(), otherwise.order.end()))
    return;
  const auto condition = body.text.rangeOf(branch->getCond()->getSourceRange());
  auto whole = body.text.rangeOf(branch->getSourceRange());
  if (!condition || !whole)
    return;
  if (!llvm::isa<clang::CompoundStmt>(branch->getElse())) {
    const auto end = behindSemicolon(body.text, *whole);
    if (!end)
      return;
    whole->end = *end;
  }
  for (const auto& [begin, end] : body.unit.skippedRanges(whole->file))
    if (begin < whole->end && end > whole->begin)
      return;
  const auto asked = onOneLine(body.text, *condition, {});
  if (!asked || asked->find("//") != std::string::npos)
    return;
  std::map<unsigned, std::pair<unsigned, std::string>> edits;
  std::string text;
  for (const clang::VarDecl* variable : then.order) {
    const auto uses = body.placesOf(variable);
    const auto declared = body.text.rangeOf(declarationOf(body, variable)->getSourceRange());
    if (!uses || !declared || declared->file != whole->file || uses->begin()->first < whole->begin)
      return;
    for (const clang::Decl* beside : declarationOf(body, variable)->decls())
      if (std::find(then.order.begin(), then.order.end(), beside) == then.order.end())
        return;
    const std::string type =
        variable->getType().getCanonicalType().getUnqualifiedType().getAsString(
            body.unit.context().getPrintingPolicy());
    text += (text.empty() ? "" : " ") + type + " " + variable->getNameAsString() + " = (" + *asked +
            ") ? " + then.values[variable] + " : " + otherwise.values[variable] + ";";
    edits[declared->begin] = {declared->end, withLinesOf(body.text.text(*declared), ";")};
  }
  edits[whole->begin] = {whole->end, withLinesOf(body.text.text(*whole), text)};
  body.put(whole->file, std::move(edits));
}

} // namespace

void setWhereDeclared(const PlainBody& body) {
  for (const clang::IfStmt* branch : body.contents.branches) {
    const std::size_t before = body.changeCount();
    choose(body, branch);
    if (body.changeCount() != before)
      return;
  }
}

} // namespace cu2cpp
