// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are written out (plain_calls.cpp): what names of a method or of another namespace's
// function mean where it is called.
//
//   m.merge(m.shflDown(d));   ->   Moments<double> r; { r.s = __shfl_down_sync(~0u, m.s, d); ... }
#include "analyse/plain_calls.h"

#include <algorithm>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

namespace cu2cpp::calls {

/// Whether a class is no template's, or one of its instances that the template says all about.
static bool isMadePlainly(const clang::CXXRecordDecl* record) {
  const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  return !made || (made->getSpecializationKind() == clang::TSK_ImplicitInstantiation &&
                   llvm::isa<clang::ClassTemplateDecl*>(made->getInstantiatedFrom()));
}

/// Whether a call is of an object, by its operator: `f(x)`.
static bool isOfOperator(const clang::CallExpr* call, const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  return method && op && !method->isStatic() && op->getOperator() == clang::OO_Call;
}

const clang::Expr* givenTo(const clang::FunctionDecl* function, unsigned parameter,
                           const clang::CallExpr* call) {
  const unsigned first = isOfOperator(call, function) ? 1 : 0;
  return call->getNumArgs() == function->getNumParams() + first ? call->getArg(parameter + first)
                                                                : nullptr;
}

std::optional<std::string> objectOf(const clang::CallExpr* call,
                                    const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
  if (!method)
    return member ? std::nullopt : std::optional<std::string>("");
  const clang::CXXRecordDecl* record = method->getParent();
  if (record->isLambda() || record->isDependentContext() || record->getNumBases() > 0 ||
      !isMadePlainly(record) || method->isVirtual() || method->isVolatile() ||
      !record->getDeclContext()->getRedeclContext()->isFileContext())
    return std::nullopt;
  if (method->isStatic())
    return member ? std::nullopt : std::optional<std::string>("");
  const clang::Expr* base = member                         ? member->getBase()->IgnoreImpCasts()
                            : isOfOperator(call, function) ? call->getArg(0)->IgnoreImpCasts()
                                                           : nullptr;
  const auto* use = llvm::dyn_cast_or_null<clang::DeclRefExpr>(base);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  const clang::QualType type =
      variable ? variable->getType().getNonReferenceType() : clang::QualType();
  if (!variable || (member && (member->hasQualifier() || member->isArrow())) ||
      use->getLocation().isMacroID() || use->hasQualifier() ||
      !variable->getDeclContext()->isFunctionOrMethod() || type->getAsCXXRecordDecl() != record)
    return std::nullopt;
  return variable->getNameAsString() + ".";
}

/// A class as it is called where its namespace is open: `Moments<double>`.
static std::string nameOf(const clang::CXXRecordDecl* record) {
  std::string out = record->getNameAsString();
  if (const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record)) {
    llvm::raw_string_ostream stream(out);
    clang::PrintingPolicy policy(record->getASTContext().getPrintingPolicy());
    policy.SuppressUnwrittenScope = true; // `Moments<(anonymous namespace)::Real>`
    clang::printTemplateArgumentList(stream, made->getTemplateArgs().asArray(), policy);
  }
  return out;
}

/// What a class's member is called outside of it.
static std::optional<std::string> memberElsewhere(const std::string& name,
                                                  const clang::CXXRecordDecl* record,
                                                  clang::DeclContextLookupResult found,
                                                  const std::string& object) {
  bool ofObject = true, ofClass = true;
  const std::string className = nameOf(record);
  for (const clang::NamedDecl* decl : found) {
    if (const auto* made = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
      decl = made->getTemplatedDecl();
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(decl);
    const bool isMember = llvm::isa<clang::FieldDecl>(decl) || (method && !method->isStatic());
    ofObject &= isMember;
    ofClass &= !isMember;
    if (decl->getAccess() != clang::AS_public)
      return std::nullopt;
    // The class itself.
    if (const auto* same = llvm::dyn_cast<clang::CXXRecordDecl>(decl);
        same && same->isInjectedClassName())
      return className;
  }
  if (ofObject && !object.empty())
    return object + name;
  return ofClass && record->getIdentifier() ? std::optional(className + "::" + name) : std::nullopt;
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
