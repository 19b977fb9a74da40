// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/uniform_loads.h"

#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// The effects in a piece of code: stores to memory, and calls, which may do anything.
class Effects : public SyntaxVisitor {
public:
  unsigned stores = 0;
  bool others = false;

  explicit Effects(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp())
      addStore(op->getLHS());
    others |= op->getOpcode() == clang::BO_Comma;
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      addStore(op->getSubExpr());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr*) override { return others = true; }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr*) override { return others = true; }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return others = true; }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return others = true; }

private:
  void addStore(const clang::Expr* to) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(to->IgnoreParens());
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    if (!variable || !variable->hasLocalStorage() || variable->getType()->isReferenceType())
      ++stores;
  }
};

/// Collects the reads that are certainly made when an expression is computed.
class Reads {
public:
  explicit Reads(const std::function<bool(const clang::Expr*)>& isOfGroup)
      : isOfGroup_(isOfGroup) {}
  std::vector<const clang::Expr*> found;

  void collect(const clang::Stmt* s) {
    if (!s || llvm::isa<clang::LambdaExpr, clang::AbstractConditionalOperator,
                        clang::UnaryExprOrTypeTraitExpr, clang::StmtExpr>(s))
      return;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s); op && op->isLogicalOp())
      return collect(op->getLHS());
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(s);
        cast && cast->getCastKind() == clang::CK_LValueToRValue && isPlace(cast->getSubExpr()) &&
        isOfGroup_(cast)) {
      found.push_back(cast->getSubExpr());
      return;
    }
    for (const clang::Stmt* child : s->children())
      collect(child);
  }

private:
  static bool isPlace(const clang::Expr* e) {
    const clang::QualType type = e->getType();
    return llvm::isa<clang::ArraySubscriptExpr>(e) && type->isScalarType() &&
           !type->isDependentType() && !type.isVolatileQualified() &&
           !e->getBeginLoc().isMacroID() && !e->getEndLoc().isMacroID();
  }
  const std::function<bool(const clang::Expr*)>& isOfGroup_;
};

} // namespace

std::vector<const clang::Expr*>
findUniformLoads(const std::vector<const clang::Stmt*>& statements,
                 const std::function<bool(const clang::Expr*)>& isOfGroup) {
  Reads reads(isOfGroup);
  bool writes = false;
  for (const clang::Stmt* s : statements) {
    const Effects effects(s);
    const auto* expression = llvm::dyn_cast<clang::Expr>(s);
    const auto* top =
        expression ? llvm::dyn_cast<clang::BinaryOperator>(expression->IgnoreParens()) : nullptr;
    // A store at the top comes behind all reads of its statement.
    const bool storesLast =
        effects.stores == 0 || (effects.stores == 1 && top && top->isAssignmentOp());
    if (expression || llvm::isa<clang::DeclStmt>(s)) {
      if (!storesLast)
        break;
      reads.collect(s);
    } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
               branch && !branch->getInit() && !branch->getConditionVariable()) {
      if (Effects(branch->getCond()).stores == 0)
        reads.collect(branch->getCond());
    }
    writes |= effects.stores != 0;
    if (effects.stores != 0 || effects.others || llvm::isa<clang::ReturnStmt>(s) ||
        (!expression && !llvm::isa<clang::DeclStmt>(s)))
      break;
  }
  // Without a store behind them compilers see it.
  return writes ? reads.found : std::vector<const clang::Expr*>{};
}

std::vector<const clang::Expr*>
findLoadsOfHead(const clang::Expr* condition, const clang::Stmt* body,
                const std::function<bool(const clang::Expr*)>& isOfGroup) {
  const Effects head(condition), inside(body);
  if (head.stores + inside.stores != 0 || head.others || inside.others)
    return {};
  Reads reads(isOfGroup);
  reads.collect(condition);
  return reads.found;
}

} // namespace cu2cpp
