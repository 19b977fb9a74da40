// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/plain_lambdas.h"

#include "clang/AST/ExprCXX.h"

namespace cu2cpp {
namespace {

class NamesInLambdas : public SyntaxVisitor {
public:
  std::set<const clang::VarDecl*> names;

  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (const auto* variable = capture.capturesVariable()
                                     ? llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar())
                                     : nullptr)
        names.insert(variable);
    ++inside_;
    const bool more = SyntaxVisitor::TraverseLambdaExpr(lambda);
    --inside_;
    return more;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override { return add(use->getDecl()); }
  bool VisitVarDecl(clang::VarDecl* variable) override { return add(variable); }

private:
  bool add(const clang::ValueDecl* named) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(named);
    if (variable && inside_ > 0)
      names.insert(variable);
    return true;
  }
  unsigned inside_ = 0;
};

} // namespace

std::set<const clang::VarDecl*> namedInLambdas(const PlainBody& body) {
  NamesInLambdas all;
  if (body.contents.lambdas)
    all.TraverseStmt(body.function->getBody());
  return std::move(all.names);
}

} // namespace cu2cpp
