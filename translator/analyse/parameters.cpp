// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's parameters are copies for each thread. A parameter that no thread changes can stay one
// copy for the block; a parameter counts as changed unless every use of it is a plain read.
#include "analyse/analyses.h"
#include "analyse/pure_functions.h"
#include "parse/syntax_visitor.h"

#include <set>
#include <string>

#include "clang/AST/ParentMap.h"

namespace cu2cpp {
namespace {

/// Whether a use of a variable (or of a part of it) only reads.
bool isPlainRead(const clang::Expr* use, const clang::ParentMap& parents) {
  const clang::Stmt* at = use;
  while (const clang::Stmt* parent = parents.getParent(at)) {
    if (llvm::isa<clang::ParenExpr>(parent)) {
      at = parent;
      continue;
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(parent)) {
      if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()))
        return method->isStatic() ||
               (method->isConst() && !hasMutable(member->getBase()->getType()));
      if (member->isArrow() || member->getType()->isReferenceType())
        return true;
      at = parent;
      continue;
    }
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(parent)) {
      // An element of an array inside a struct is part of the struct; what a pointer points to is
      // not. (A pattern of a template has no cast that tells the pointer's read.)
      if (subscript->getBase()->IgnoreParens() != at && subscript->getIdx() == at)
        return true;
      const auto* decay = llvm::dyn_cast<clang::ImplicitCastExpr>(at);
      const bool array = decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay;
      if (!array && llvm::cast<clang::Expr>(at)->getType()->isPointerType())
        return true;
      at = parent;
      continue;
    }
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(parent)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue)
        return true;
      if (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified())
        return !hasMutable(cast->getType());
      if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) {
        // Only when subscripted at once; otherwise a pointer into it escapes.
        const clang::Stmt* next = parents.getParentIgnoreParens(cast);
        if (!llvm::isa_and_nonnull<clang::ArraySubscriptExpr>(next))
          return false;
      }
      at = parent;
      continue;
    }
    return false;
  }
  return false;
}

class UseVisitor : public SyntaxVisitor {
public:
  UseVisitor(const clang::FunctionDecl* kernel, std::set<std::string>& modified)
      : kernel_(kernel), parents_(kernel->getBody()), modified_(modified) {}
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(use->getDecl());
    if (parameter && parameter->getDeclContext() == kernel_ &&
        (!parameter->getType().isConstQualified() || hasMutable(parameter->getType())) &&
        !parameter->getType()->isReferenceType() && !isPlainRead(use, parents_))
      modified_.insert(parameter->getNameAsString());
    return true;
  }

private:
  const clang::FunctionDecl* kernel_;
  clang::ParentMap parents_;
  std::set<std::string>& modified_;
};

} // namespace

void findModifiedParameters(Facts& facts) {
  for (auto& [place, f] : facts.functions) {
    if (!f.kernel)
      continue;
    // Instances have the casts that tell a read; the pattern of a template does not.
    std::vector<const clang::FunctionDecl*> bodies;
    for (const clang::FunctionDecl* body : f.bodies)
      if (!body->isDependentContext())
        bodies.push_back(body);
    if (bodies.empty())
      bodies = f.bodies;
    // By name: a parameter pack's instances have other indices than the pattern.
    std::set<std::string> modified;
    for (const clang::FunctionDecl* body : bodies)
      if (body->getBody())
        UseVisitor(body, modified).TraverseStmt(body->getBody());
    for (const clang::ParmVarDecl* parameter : f.decl->parameters())
      if (modified.count(parameter->getNameAsString()))
        f.modifiedParameters.push_back(parameter);
  }
}

} // namespace cu2cpp
