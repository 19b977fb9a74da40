// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over what the user wrote, without template instances: each launch is edited once.
#include "analyse/analyses.h"
#include "parse/syntax_visitor.h"

#include <set>

#include "clang/AST/Attr.h"

namespace cu2cpp {
namespace {

/// Whether a declaration of namespace scope is not the user's.
bool isForeign(const SourceUnit& unit, const clang::Decl* decl) {
  return decl &&
         !llvm::isa<clang::TranslationUnitDecl, clang::NamespaceDecl, clang::LinkageSpecDecl>(
             decl) &&
         decl->getDeclContext() && decl->getDeclContext()->isFileContext() &&
         !unit.isUser(decl->getLocation());
}

/// Launches of kernels that are known, those of templates in each instance.
class InstanceVisitor : public SyntaxVisitor {
public:
  InstanceVisitor(const SourceUnit& unit, Facts& facts) : unit_(unit), facts_(facts) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool TraverseDecl(clang::Decl* decl) override {
    return isForeign(unit_, decl) || SyntaxVisitor::TraverseDecl(decl);
  }
  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr* call) override {
    const clang::CallExpr* sizes = call->getConfig();
    bool isInstance = call->getDirectCallee() != nullptr && sizes != nullptr;
    for (unsigned i = 0; isInstance && i < sizes->getNumArgs(); ++i)
      isInstance = !sizes->getArg(i)->isInstantiationDependent();
    if (isInstance)
      facts_.launchInstances.push_back({call});
    return true;
  }

private:
  const SourceUnit& unit_;
  Facts& facts_;
};

class LaunchVisitor : public SyntaxVisitor {
public:
  LaunchVisitor(const SourceUnit& unit, Facts& facts) : unit_(unit), facts_(facts) {}

  bool TraverseDecl(clang::Decl* decl) override {
    if (isForeign(unit_, decl))
      return true;
    // A constant expression cannot register a kernel; the address itself stays valid.
    if (const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(decl))
      if (variable->isConstexpr())
        return true;
    return SyntaxVisitor::TraverseDecl(decl);
  }
  // Template arguments are constant expressions too.
  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc&) override { return true; }

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr* call) override {
    facts_.launches.push_back({call});
    if (const auto* callee =
            llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts()))
      launched_.insert(callee);
    return true;
  }

  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->getOpcode() == clang::UO_AddrOf)
      if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(op->getSubExpr()->IgnoreParens()))
        addressOf_[use] = op;
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(use->getDecl());
    if (!function)
      return true;
    if (function->hasAttr<clang::CUDAGlobalAttr>()) {
      if (!launched_.count(use)) {
        const auto op = addressOf_.find(use);
        facts_.kernelAddresses.push_back(
            {use, op == addressOf_.end() ? nullptr : op->second, arguments_.count(use) != 0});
      }
    } else if (!callees_.count(use)) {
      if (FunctionFacts* known = facts_.find(function))
        known->addressTaken = true;
    }
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    if (const auto* callee =
            llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts()))
      callees_.insert(callee);
    // cudaFuncSetAttribute() and its kin are templates over the kernel's type.
    const clang::FunctionDecl* function = call->getDirectCallee();
    if (function && function->getPrimaryTemplate() && function->getIdentifier() &&
        function->getName().starts_with("cuda") && !unit_.isUser(function->getLocation()))
      for (const clang::Expr* argument : call->arguments()) {
        argument = argument->IgnoreParenImpCasts();
        if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(argument))
          argument = op->getSubExpr()->IgnoreParens();
        if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(argument))
          arguments_.insert(use);
      }
    return true;
  }

private:
  const SourceUnit& unit_;
  Facts& facts_;
  // Parents are visited before their children, so these are filled in time.
  std::set<const clang::DeclRefExpr*> launched_, callees_, arguments_;
  std::map<const clang::DeclRefExpr*, const clang::UnaryOperator*> addressOf_;
};

} // namespace

void findLaunches(const SourceUnit& unit, Facts& facts) {
  LaunchVisitor(unit, facts).TraverseDecl(unit.context().getTranslationUnitDecl());
  if (!facts.launches.empty())
    InstanceVisitor(unit, facts).TraverseDecl(unit.context().getTranslationUnitDecl());
}

} // namespace cu2cpp
