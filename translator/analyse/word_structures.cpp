// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/word_structures.h"

#include <map>

#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

bool isWord(clang::QualType type, const clang::ASTContext& context) {
  // A template's own type may be another in the next instance.
  if (type->isDependentType() || type.isVolatileQualified() ||
      type->getAs<clang::SubstTemplateTypeParmType>())
    return false;
  const auto parts = partsOf(type);
  if (parts.size() < 2)
    return false;
  const std::uint64_t part = context.getTypeSize(parts.front()->getType());
  for (const clang::FieldDecl* field : parts)
    if (!field->getType()->isIntegerType() || field->getType()->isBooleanType() ||
        context.getTypeSize(field->getType()) != part)
      return false;
  const std::uint64_t whole = context.getTypeSize(type);
  return part <= 16 && part * parts.size() == whole && (whole == 16 || whole == 32 || whole == 64);
}

namespace {

/// Whether an expression is a place behind a pointer or in an array that is not the thread's own:
/// compilers keep those in registers, if nothing looks at them as words.
bool isInMemory(const clang::Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
    return op->getOpcode() == clang::UO_Deref &&
           !llvm::isa<clang::CXXThisExpr>(op->getSubExpr()->IgnoreParenImpCasts());
  const clang::ArraySubscriptExpr* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e);
  if (!element)
    return false;
  const clang::Expr* base = element->getBase()->IgnoreParenImpCasts();
  while (base->getType()->isArrayType() && llvm::isa<clang::ArraySubscriptExpr>(base))
    base = llvm::cast<clang::ArraySubscriptExpr>(base)->getBase()->IgnoreParenImpCasts();
  if (base->getType()->isPointerType())
    return true;
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(base);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  return variable && (!variable->hasLocalStorage() || isShared(variable));
}

class Finder : public SyntaxVisitor {
public:
  Finder(const clang::ASTContext& context, std::map<clang::SourceLocation, WordAccess>& found)
      : context_(context), found_(found) {}

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* copy) override {
    if (copy->getConstructor()->isCopyOrMoveConstructor() && copy->getConstructor()->isTrivial() &&
        copy->getNumArgs() == 1)
      add(copy->getArg(0), false);
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(cast->getSubExpr()->IgnoreParens());
    if (cast->getCastKind() == clang::CK_LValueToRValue && member && !member->isArrow() &&
        !member->getType().isVolatileQualified())
      add(member->getBase(), false);
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* assignment) override {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(assignment->getCalleeDecl());
    if (!method || assignment->getOperator() != clang::OO_Equal || !method->isTrivial())
      return true;
    const clang::Expr *to = assignment->getArg(0), *from = assignment->getArg(1);
    if (!isPlace(from))
      add(to, true);
    else if (!isPlace(to))
      add(from, false);
    return true;
  }

private:
  bool isPlace(const clang::Expr* e) const {
    return isWord(e->getType(), context_) && e->isGLValue() && isInMemory(e);
  }
  void add(const clang::Expr* e, bool stores) {
    e = e->IgnoreImpCasts();
    if (isPlace(e))
      found_.insert({e->getBeginLoc(), {e, stores}});
  }

  const clang::ASTContext& context_;
  std::map<clang::SourceLocation, WordAccess>& found_;
};

} // namespace

std::vector<WordAccess> findWordAccesses(const SourceUnit& unit, const Facts& facts) {
  std::map<clang::SourceLocation, WordAccess> found; // instances of a template share their text
  for (const auto& [place, function] : facts.functions) {
    if (!function.device || !unit.isUser(function.decl->getLocation()))
      continue;
    for (const clang::FunctionDecl* body : function.bodies)
      if (!body->isConstexpr() && !body->isDependentContext())
        Finder(body->getASTContext(), found).TraverseStmt(body->getBody());
  }
  std::vector<WordAccess> accesses;
  for (const auto& [place, access] : found)
    accesses.push_back(access);
  return accesses;
}

} // namespace cu2cpp
