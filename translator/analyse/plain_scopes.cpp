// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/plain_scopes.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace cu2cpp {
namespace {

const clang::NamedDecl* named(const clang::Decl* decl, llvm::StringRef name) {
  const auto* one = llvm::dyn_cast_or_null<clang::NamedDecl>(decl);
  if (const auto* several = llvm::dyn_cast_or_null<clang::DecompositionDecl>(one))
    for (const clang::BindingDecl* part : several->bindings())
      if (part->getNameAsString() == name)
        return part;
  return one && one->getNameAsString() == name ? one : nullptr;
}

/// What a statement declares for those that follow it.
const clang::NamedDecl* declaredBy(const clang::Stmt* s, llvm::StringRef name) {
  if (const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(s))
    for (const clang::Decl* decl : declaration->decls())
      if (const auto* found = named(decl, name))
        return found;
  return nullptr;
}

/// What a statement declares for a part of its own.
const clang::NamedDecl* declaredFor(const clang::Stmt* part, const clang::Stmt* around,
                                    llvm::StringRef name) {
  const clang::NamedDecl* found = nullptr;
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(around)) {
    for (const clang::Stmt* s : list->body()) {
      if (s == part)
        break;
      if (const auto* other = declaredBy(s, name))
        found = other;
    }
    return found;
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(around)) {
    if (part != lambda->getBody())
      return nullptr;
    for (const clang::ParmVarDecl* parameter : lambda->getCallOperator()->parameters())
      if (named(parameter, name))
        return parameter;
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (lambda->isInitCapture(&capture) && named(capture.getCapturedVar(), name))
        return capture.getCapturedVar();
    return nullptr;
  }
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(around))
    return part == loop->getBody() && named(loop->getLoopVariable(), name)
               ? loop->getLoopVariable()
               : declaredBy(loop->getInit(), name);
  const clang::VarDecl* asked = nullptr;
  const clang::Stmt* first = nullptr;
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(around)) {
    asked = loop->getConditionVariable();
    first = loop->getInit();
  } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(around)) {
    asked = branch->getConditionVariable();
    first = branch->getInit();
  } else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(around)) {
    asked = choice->getConditionVariable();
    first = choice->getInit();
  } else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(around)) {
    asked = loop->getConditionVariable();
  }
  found = named(asked, name);
  return found || part == first ? found : declaredBy(first, name);
}

} // namespace

const clang::NamedDecl* localNamed(llvm::StringRef name, const clang::Stmt* at,
                                   const clang::ParentMap& parents) {
  for (const clang::Stmt* around = parents.getParent(at); around;
       at = around, around = parents.getParent(around))
    if (const auto* found = declaredFor(at, around, name))
      return found;
  return nullptr;
}

} // namespace cu2cpp
