// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names with their namespaces, as C++ would read them.
#include "plan/kernel_names.h"

#include <climits>

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace cu2cpp {
namespace {

clang::PrintingPolicy fullNames(const clang::Decl* decl) {
  clang::PrintingPolicy policy(decl->getASTContext().getPrintingPolicy());
  policy.FullyQualifiedName = true;
  policy.SuppressScope = false;
  policy.PrintCanonicalTypes = true;
  policy.SuppressUnwrittenScope = true; // an unnamed namespace
  return policy;
}

/// Types without a name (lambdas, unnamed structs) and local ones cannot be written as template
/// arguments.
bool isNameable(clang::QualType type) {
  const clang::Type* base = type->getBaseElementTypeUnsafe();
  while (base->isPointerType() || base->isReferenceType())
    base = base->getPointeeType()->getBaseElementTypeUnsafe();
  if (const clang::TagDecl* tag = base->getAsTagDecl()) {
    if (!tag->getIdentifier() && !tag->getTypedefNameForAnonDecl())
      return false;
    if (const auto* spec = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag))
      for (const clang::TemplateArgument& argument : spec->getTemplateArgs().asArray())
        if (argument.getKind() == clang::TemplateArgument::Type &&
            !isNameable(argument.getAsType()))
          return false;
  }
  return !type->isDependentType();
}

/// A number that only unsigned types hold must say so, or compilers warn.
std::string withSuffixes(llvm::StringRef text) {
  std::string out;
  while (!text.empty()) {
    const bool digit = llvm::isDigit(text[0]), word = llvm::isAlnum(text[0]) || text[0] == '_';
    const llvm::StringRef run = text.take_while([&](char c) {
      return word ? llvm::isAlnum(c) || c == '_' : !llvm::isAlnum(c) && c != '_';
    });
    unsigned long long value = 0;
    out += run;
    if (digit && !run.getAsInteger(10, value) && value > LLONG_MAX)
      out += 'u';
    text = text.drop_front(run.size());
  }
  return out;
}

bool isEverybodys(const clang::TemplateArgument& argument);

/// Whether the end of the file can name a declaration: it is no function's own, nor private.
bool isEverybodys(const clang::Decl* decl) {
  for (; !decl->getDeclContext()->isFileContext();
       decl = llvm::cast<clang::Decl>(decl->getDeclContext()))
    if (!llvm::isa<clang::RecordDecl>(decl->getDeclContext()) ||
        decl->getAccess() == clang::AS_private || decl->getAccess() == clang::AS_protected)
      return false;
  return true;
}

bool isEverybodys(clang::QualType type) {
  const clang::Type* base = type->getBaseElementTypeUnsafe();
  while (base->isPointerType() || base->isReferenceType())
    base = base->getPointeeType()->getBaseElementTypeUnsafe();
  if (base->isBuiltinType())
    return true;
  if (const auto* function = base->getAs<clang::FunctionProtoType>()) {
    for (const clang::QualType parameter : function->getParamTypes())
      if (!isEverybodys(parameter))
        return false;
    return isEverybodys(function->getReturnType());
  }
  const clang::TagDecl* tag = base->getAsTagDecl();
  if (!tag || !tag->getIdentifier() || !isEverybodys(tag))
    return false;
  if (const auto* spec = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag))
    for (const clang::TemplateArgument& argument : spec->getTemplateArgs().asArray())
      if (!isEverybodys(argument))
        return false;
  return true;
}

bool isEverybodys(const clang::TemplateArgument& argument) {
  switch (argument.getKind()) {
  case clang::TemplateArgument::Type:
    return isEverybodys(argument.getAsType());
  case clang::TemplateArgument::Integral:
    return isEverybodys(argument.getIntegralType());
  case clang::TemplateArgument::Declaration:
    return isEverybodys(argument.getAsDecl());
  case clang::TemplateArgument::NullPtr:
  case clang::TemplateArgument::Template:
    return true;
  case clang::TemplateArgument::Pack:
    for (const clang::TemplateArgument& element : argument.pack_elements())
      if (!isEverybodys(element))
        return false;
    return true;
  default:
    return false;
  }
}

} // namespace

bool isOverloaded(const clang::FunctionDecl* function) {
  const clang::DeclContext* scope = function->getDeclContext();
  const clang::FunctionTemplateDecl* primary = function->getPrimaryTemplate();
  for (const clang::NamedDecl* other : scope->getRedeclContext()->lookup(function->getDeclName())) {
    if (llvm::isa<clang::UsingShadowDecl>(other))
      return true;
    if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(other)) {
      if (!primary || pattern->getCanonicalDecl() != primary->getCanonicalDecl())
        return true;
    } else if (llvm::isa<clang::FunctionDecl>(other) &&
               (primary || other->getCanonicalDecl() != function->getCanonicalDecl())) {
      return true;
    }
  }
  return false;
}

bool needsGlobalScope(const clang::FunctionDecl* function) {
  const clang::DeclContext* scope = function->getDeclContext()->getRedeclContext();
  if (!scope->isTranslationUnit())
    return false;
  for (const clang::UsingDirectiveDecl* directive : scope->using_directives())
    for (const clang::NamedDecl* other :
         directive->getNominatedNamespace()->lookup(function->getDeclName()))
      if (other->getUnderlyingDecl()->isFunctionOrFunctionTemplate())
        return true;
  return false;
}

std::optional<std::string> templateArguments(const clang::FunctionDecl* instance) {
  const clang::PrintingPolicy policy = fullNames(instance);
  std::string out;
  const auto add = [&](const clang::TemplateArgument& argument) {
    if (argument.isDependent() ||
        (argument.getKind() == clang::TemplateArgument::Type && !isNameable(argument.getAsType())))
      return false;
    llvm::raw_string_ostream stream(out);
    if (!out.empty())
      stream << ", ";
    argument.print(policy, stream, true);
    return true;
  };
  for (const clang::TemplateArgument& argument :
       instance->getTemplateSpecializationArgs()->asArray()) {
    if (argument.getKind() == clang::TemplateArgument::Pack) {
      for (const clang::TemplateArgument& element : argument.pack_elements())
        if (!add(element))
          return std::nullopt;
    } else if (!add(argument)) {
      return std::nullopt;
    }
  }
  return "<" + withSuffixes(out) + ">";
}

std::string pointerType(const clang::FunctionDecl* kernel) {
  const clang::ASTContext& context = kernel->getASTContext();
  clang::PrintingPolicy policy(context.getPrintingPolicy());
  policy.FullyQualifiedName = true;
  policy.SuppressUnwrittenScope = true;
  return context.getPointerType(kernel->getType()).getAsString(policy);
}

std::string fullName(const clang::NamedDecl* decl) {
  std::string name;
  llvm::raw_string_ostream out(name);
  decl->printQualifiedName(out, fullNames(decl));
  return name;
}

std::optional<std::string> addressAtEnd(const clang::FunctionDecl* kernel) {
  if (!kernel->getDeclContext()->getRedeclContext()->isFileContext())
    return std::nullopt;
  std::string name = fullName(kernel);
  if (const clang::TemplateArgumentList* arguments = kernel->getTemplateSpecializationArgs()) {
    for (const clang::TemplateArgument& argument : arguments->asArray())
      if (!isEverybodys(argument))
        return std::nullopt;
    const auto text = templateArguments(kernel);
    if (!text)
      return std::nullopt;
    name += *text;
  }
  if (!isOverloaded(kernel))
    return "&::" + name;
  for (const clang::ParmVarDecl* parameter : kernel->parameters())
    if (!isEverybodys(parameter->getType()))
      return std::nullopt;
  return "static_cast<" + pointerType(kernel) + ">(&::" + name + ")";
}

} // namespace cu2cpp
