// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over clang's AST. clang::RecursiveASTVisitor is a template over all classes of the AST,
// which compilers instantiate anew for each visitor: half a minute for a source with three of them.
// One instance serves all visitors here, by virtual functions.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclObjC.h"
#include "clang/AST/DeclOpenMP.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/ExprObjC.h"
#include "clang/AST/ExprOpenMP.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtObjC.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/AST/TypeLoc.h"

namespace cu2cpp {

/// What clang::RecursiveASTVisitor says of its functions holds for these: Visit...() is called for
/// each node (first for its base classes) and ends the walk where it returns false; Traverse...()
/// walks over a node and what is below it, and calls SyntaxVisitor's own to do so.
class SyntaxVisitor {
public:
  virtual ~SyntaxVisitor();

  virtual bool shouldVisitTemplateInstantiations() const { return false; }
  virtual bool shouldVisitImplicitCode() const { return false; }
  virtual bool shouldTraversePostOrder() const { return false; }

  virtual bool TraverseDecl(clang::Decl* decl);
  virtual bool TraverseStmt(clang::Stmt* s);
  virtual bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc& argument);

  virtual bool VisitDecl(clang::Decl*) { return true; }
#define DECL(CLASS, BASE)                                                                          \
  virtual bool Visit##CLASS##Decl(clang::CLASS##Decl*) { return true; }
#include "clang/AST/DeclNodes.inc"

  virtual bool VisitStmt(clang::Stmt*) { return true; }
#define STMT(CLASS, BASE)                                                                          \
  virtual bool Visit##CLASS(clang::CLASS*) { return true; }
#include "clang/AST/StmtNodes.inc"

#define ABSTRACT_STMT(STMT)
#define STMT(CLASS, BASE) virtual bool Traverse##CLASS(clang::CLASS* s);
#include "clang/AST/StmtNodes.inc"

  virtual bool VisitTypedefTypeLoc(clang::TypedefTypeLoc) { return true; }
  virtual bool VisitTagTypeLoc(clang::TagTypeLoc) { return true; }
  virtual bool VisitElaboratedTypeLoc(clang::ElaboratedTypeLoc) { return true; }
};

} // namespace cu2cpp
