// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are written out (plain_calls.cpp): functions that are given lambdas.
//
//   blk::each(n, [&](int t) {           { const auto cuGiven_f = [&](int t) {
//     m = fmaxf(m, score[t]);               m = fmaxf(m, score[t]); };
//   });                          ->     for (int i = threadIdx.x; i < n; i += blockDim.x)
//                                         cuGiven_f(i); }
//
// The lambda then is the caller's own, which is written out where it is called (plain_lambdas.cpp).
// Functions in which threads meet and that are given no more than an operation stay: a group calls
// them as a whole.
#include "analyse/plain_calls.h"

#include <algorithm>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

#include "analyse/meeting_places.h"

namespace cu2cpp::calls {

const clang::LambdaExpr* lambdaGiven(const clang::Expr* argument) {
  for (const clang::Expr* before = nullptr; before != argument;) {
    before = argument;
    argument = argument->IgnoreImplicit()->IgnoreParens();
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(argument);
        made && made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor())
      argument = made->getArg(0);
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(argument))
    return lambda;
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(argument);
  return use ? lambdaOf(llvm::dyn_cast<clang::VarDecl>(use->getDecl())) : nullptr;
}

bool gainsByLambdas(const Caller& caller, const FunctionFacts& f, const clang::CallExpr* call) {
  const FunctionFacts* around = caller.facts.find(caller.body.function);
  const bool meets = around && !meetingPlaces(*around, caller.facts).empty();
  if (!around || (!caller.kernel && !meets))
    return false;
  class Loops : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitForStmt(clang::ForStmt*) override { return !(found = true); }
    bool VisitWhileStmt(clang::WhileStmt*) override { return !(found = true); }
  } loops;
  loops.TraverseStmt(f.decl->getBody());
  return std::any_of(call->arg_begin(), call->arg_end(), [&](const clang::Expr* argument) {
    const clang::LambdaExpr* lambda = lambdaGiven(argument);
    return lambda && (meetsInside(lambda, caller.body, caller.facts) ||
                      ((meets || loops.found) && (lambda->capture_size() > 0 ||
                                                  lambda->getCaptureDefault() != clang::LCD_None)));
  });
}

std::optional<std::string> objectOf(const clang::CallExpr* call,
                                    const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
  if (!method)
    return member ? std::nullopt : std::optional<std::string>("");
  const clang::CXXRecordDecl* record = method->getParent();
  if (record->isLambda() || record->isDependentContext() || record->getNumBases() > 0 ||
      llvm::isa<clang::ClassTemplateSpecializationDecl>(record) || method->isVirtual() ||
      method->isVolatile() || !record->getDeclContext()->getRedeclContext()->isFileContext())
    return std::nullopt;
  if (method->isStatic())
    return member ? std::nullopt : std::optional<std::string>("");
  const clang::Expr* base = member ? member->getBase()->IgnoreImpCasts() : nullptr;
  const auto* use = llvm::dyn_cast_or_null<clang::DeclRefExpr>(base);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  const clang::QualType type =
      variable ? variable->getType().getNonReferenceType() : clang::QualType();
  if (!variable || member->hasQualifier() || member->isArrow() || use->getLocation().isMacroID() ||
      use->hasQualifier() || !variable->getDeclContext()->isFunctionOrMethod() ||
      type->getAsCXXRecordDecl() != record)
    return std::nullopt;
  return variable->getNameAsString() + ".";
}

/// What a class's member is called outside of it.
static std::optional<std::string> memberElsewhere(const std::string& name,
                                                  const clang::CXXRecordDecl* record,
                                                  clang::DeclContextLookupResult found,
                                                  const std::string& object) {
  bool ofObject = true, ofClass = true;
  for (const clang::NamedDecl* decl : found) {
    if (const auto* made = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
      decl = made->getTemplatedDecl();
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(decl);
    const bool isMember = llvm::isa<clang::FieldDecl>(decl) || (method && !method->isStatic());
    ofObject &= isMember;
    ofClass &= !isMember;
    if (decl->getAccess() != clang::AS_public)
      return std::nullopt;
  }
  if (ofObject && !object.empty())
    return object + name;
  return ofClass && record->getIdentifier() ? std::optional(record->getNameAsString() + "::" + name)
                                            : std::nullopt;
}

std::optional<std::string> nameElsewhere(const std::string& name,
                                         const clang::FunctionDecl* function,
                                         const std::string& object, const PlainBody& caller) {
  clang::ASTContext& context = caller.unit.context();
  const clang::DeclarationName looked(&context.Idents.get(name));
  const clang::SourceManager& sources = caller.unit.sources();
  // The caller's own classes and namespaces hide what lies outside of them.
  const auto around = [](const clang::DeclContext* of) {
    std::vector<const clang::DeclContext*> out;
    for (of = of->getRedeclContext(); !of->isTranslationUnit();
         of = of->getParent()->getRedeclContext())
      out.push_back(of->getPrimaryContext());
    return out;
  };
  const auto mine = around(caller.function->getDeclContext());
  std::vector<const clang::DeclContext*> others = around(function->getDeclContext());
  for (const clang::DeclContext* space : others) {
    const auto* named = llvm::dyn_cast<clang::NamespaceDecl>(space);
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(space);
    if (!record && (!named || !named->using_directives().empty()))
      return std::nullopt;
    if (!record && std::find(mine.begin(), mine.end(), space) != mine.end())
      break; // the caller sees it too
    const auto found = space->lookup(looked);
    if (found.empty())
      continue;
    std::string out = name;
    if (record) {
      const auto member = memberElsewhere(name, record, found, object);
      if (!member || *member == object + name)
        return member;
      out = *member;
    }
    for (const clang::DeclContext* outer = record ? record->getParent()->getRedeclContext() : space;
         !outer->isTranslationUnit(); outer = outer->getParent()->getRedeclContext()) {
      const auto* spelled = llvm::cast<clang::NamespaceDecl>(outer);
      if (!spelled->isAnonymousNamespace())
        out = spelled->getNameAsString() + "::" + out;
    }
    // All of them are what the function itself could call.
    return record || std::all_of(found.begin(), found.end(),
                                 [&](const clang::NamedDecl* decl) {
                                   return sources.isBeforeInTranslationUnit(decl->getLocation(),
                                                                            function->getEndLoc());
                                 })
               ? std::optional("::" + out)
               : std::nullopt;
  }
  for (const clang::DeclContext* space : mine) {
    if (std::find(others.begin(), others.end(), space) != others.end())
      break;
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(space);
    if (record ? record->hasMemberName(looked) : !space->lookup(looked).empty())
      return std::nullopt;
  }
  return name;
}

} // namespace cu2cpp::calls
