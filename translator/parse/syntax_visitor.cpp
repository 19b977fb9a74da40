// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parse/syntax_visitor.h"

#include "clang/AST/RecursiveASTVisitor.h"

namespace cu2cpp {
namespace {

/// Clang's walk, which asks a SyntaxVisitor at each step.
class Walk : public clang::RecursiveASTVisitor<Walk> {
public:
  explicit Walk(SyntaxVisitor& visitor) : visitor_(visitor) {}

  bool shouldVisitTemplateInstantiations() const {
    return visitor_.shouldVisitTemplateInstantiations();
  }
  bool shouldVisitImplicitCode() const { return visitor_.shouldVisitImplicitCode(); }
  bool shouldTraversePostOrder() const { return visitor_.shouldTraversePostOrder(); }

  bool TraverseDecl(clang::Decl* decl) { return visitor_.TraverseDecl(decl); }
  bool TraverseStmt(clang::Stmt* s) { return visitor_.TraverseStmt(s); }
  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc& argument) {
    return visitor_.TraverseTemplateArgumentLoc(argument);
  }

  bool VisitDecl(clang::Decl* decl) { return visitor_.VisitDecl(decl); }
#define DECL(CLASS, BASE)                                                                          \
  bool Visit##CLASS##Decl(clang::CLASS##Decl* decl) { return visitor_.Visit##CLASS##Decl(decl); }
#include "clang/AST/DeclNodes.inc"

  bool VisitStmt(clang::Stmt* s) { return visitor_.VisitStmt(s); }
#define STMT(CLASS, BASE)                                                                          \
  bool Visit##CLASS(clang::CLASS* s) { return visitor_.Visit##CLASS(s); }
#include "clang/AST/StmtNodes.inc"

#define ABSTRACT_STMT(STMT)
#define STMT(CLASS, BASE)                                                                          \
  bool Traverse##CLASS(clang::CLASS* s) { return visitor_.Traverse##CLASS(s); }
#include "clang/AST/StmtNodes.inc"

  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) {
    return visitor_.VisitTypedefTypeLoc(type);
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc type) { return visitor_.VisitTagTypeLoc(type); }
  bool VisitElaboratedTypeLoc(clang::ElaboratedTypeLoc type) {
    return visitor_.VisitElaboratedTypeLoc(type);
  }

private:
  SyntaxVisitor& visitor_;
};

using Base = clang::RecursiveASTVisitor<Walk>;

} // namespace

SyntaxVisitor::~SyntaxVisitor() = default;

bool SyntaxVisitor::TraverseDecl(clang::Decl* decl) { return Walk(*this).Base::TraverseDecl(decl); }
bool SyntaxVisitor::TraverseStmt(clang::Stmt* s) { return Walk(*this).Base::TraverseStmt(s); }
bool SyntaxVisitor::TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc& argument) {
  return Walk(*this).Base::TraverseTemplateArgumentLoc(argument);
}

#define ABSTRACT_STMT(STMT)
#define STMT(CLASS, BASE)                                                                          \
  bool SyntaxVisitor::Traverse##CLASS(clang::CLASS* s) {                                           \
    return Walk(*this).Base::Traverse##CLASS(s);                                                   \
  }
#include "clang/AST/StmtNodes.inc"

} // namespace cu2cpp
