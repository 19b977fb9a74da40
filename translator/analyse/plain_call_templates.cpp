// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are written out (plain_calls.cpp): which function a call in a template reaches, and
// what stands for a function template's parameters.
#include "analyse/plain_calls.h"

#include <algorithm>
#include <set>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/StringExtras.h"

#include "analyse/instance_calls.h"
#include "analyse/plain_instances.h"
#include "parse/raw_tokens.h"

namespace cu2cpp::calls {
namespace {

/// The function that an argument written in a call names: `warpMax`, `&warpMax`.
std::string writtenFunction(const Caller& caller, const clang::TemplateArgumentLoc& argument) {
  const clang::Expr* e = argument.getArgument().getKind() == clang::TemplateArgument::Expression
                             ? argument.getSourceExpression()->IgnoreParenImpCasts()
                             : nullptr;
  if (const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(e);
      address && address->getOpcode() == clang::UO_AddrOf)
    e = address->getSubExpr()->IgnoreParenImpCasts();
  const auto* use = llvm::dyn_cast_or_null<clang::DeclRefExpr>(e);
  return use ? functionText(caller.body.unit.sources(), use->getDecl(),
                            caller.body.function->getBeginLoc())
             : "";
}

/// A template argument as text that can stand anywhere; empty if there is none.
std::string shortText(const Caller& caller, const clang::TemplateArgument& argument) {
  if (argument.getKind() == clang::TemplateArgument::Declaration)
    return functionText(caller.body.unit.sources(), argument.getAsDecl(),
                        caller.body.function->getBeginLoc());
  if (argument.getKind() == clang::TemplateArgument::Integral) {
    const clang::QualType type = argument.getIntegralType();
    if (type->isBooleanType())
      return argument.getAsIntegral().isZero() ? "false" : "true";
    return type->isSpecificBuiltinType(clang::BuiltinType::Int)
               ? "(" + llvm::toString(argument.getAsIntegral(), 10) + ")"
               : "";
  }
  if (argument.getKind() != clang::TemplateArgument::Type)
    return "";
  // `T(0)` needs a type of one word.
  const clang::QualType type = argument.getAsType();
  const clang::TagDecl* named = type->getAsTagDecl();
  if (type.hasQualifiers() ||
      !(type->isBuiltinType() ||
        (named && named->getDeclContext()->getRedeclContext()->isTranslationUnit())))
    return "";
  const std::string text = type.getAsString(caller.body.unit.context().getPrintingPolicy());
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return clang::isAlphanumeric(c) || c == '_'; }) &&
                 !(named && caller.body.declaredNames().count(text))
             ? text
             : "";
}

/// The arguments of a function template's instance; empty where one has no short text, so that the
/// parameter must not be named.
bool findInstanceArguments(const Caller& caller, const FunctionFacts& f,
                           const clang::FunctionDecl* instance, TemplateTexts& written) {
  const clang::TemplateArgumentList* arguments = instance->getTemplateSpecializationArgs();
  if (!arguments)
    return true;
  const clang::FunctionTemplateDecl* pattern = f.decl->getDescribedFunctionTemplate();
  if (!pattern || pattern->getTemplateParameters()->size() != arguments->size())
    return false;
  for (unsigned i = 0; i < arguments->size(); ++i) {
    const clang::NamedDecl* parameter = pattern->getTemplateParameters()->getParam(i);
    if (parameter->isParameterPack())
      return false;
    if (!parameter->getName().empty())
      written[parameter->getNameAsString()] = shortText(caller, arguments->get(i));
  }
  return true;
}

bool hasTypeOf(const Caller& caller, const clang::NonTypeTemplateParmDecl* parameter,
               const clang::TemplateArgumentLoc& argument) {
  if (argument.getArgument().getKind() != clang::TemplateArgument::Expression &&
      argument.getArgument().getKind() != clang::TemplateArgument::Integral)
    return false;
  const clang::Expr* given = argument.getSourceExpression();
  return given && !parameter->getType()->isDependentType() && !given->isTypeDependent() &&
         caller.body.unit.context().hasSameUnqualifiedType(parameter->getType(),
                                                           given->IgnoreParenImpCasts()->getType());
}

/// The argument that all instances of the caller give to a function template in a call.
std::string commonText(const Caller& caller, const clang::CallExpr* call, unsigned index) {
  const FunctionFacts* known = caller.facts.find(caller.body.function);
  std::set<std::string> texts;
  if (known)
    for (const clang::FunctionDecl* callee : calleesOf(call, *known)) {
      const clang::TemplateArgumentList* given = callee->getTemplateSpecializationArgs();
      texts.insert(given && index < given->size() && !given->get(index).isDependent()
                       ? shortText(caller, given->get(index))
                       : "");
    }
  return texts.size() == 1 ? *texts.begin() : "";
}

/// The arguments that a call in a template gives to a function template, `load<TX, 8>(s)`; false
/// if one that it writes is more than a name or number.
bool findWrittenArguments(const Caller& caller, const FunctionFacts& f, const clang::CallExpr* call,
                          TemplateTexts& written) {
  const clang::FunctionTemplateDecl* pattern = f.decl->getDescribedFunctionTemplate();
  if (!pattern)
    return true;
  llvm::ArrayRef<clang::TemplateArgumentLoc> arguments;
  const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto* several = llvm::dyn_cast<clang::UnresolvedLookupExpr>(callee))
    arguments = several->template_arguments();
  else if (const auto* one = llvm::dyn_cast<clang::DeclRefExpr>(callee))
    arguments = one->template_arguments();
  const clang::TemplateParameterList* parameters = pattern->getTemplateParameters();
  if (parameters->size() < arguments.size())
    return false;
  for (unsigned i = unsigned(arguments.size()); i < parameters->size(); ++i) {
    const clang::NamedDecl* parameter = parameters->getParam(i);
    if (parameter->isParameterPack())
      return false;
    if (!parameter->getName().empty())
      written[parameter->getNameAsString()] = commonText(caller, call, i);
  }
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const clang::NamedDecl* parameter = parameters->getParam(i);
    const auto range = caller.body.text.rangeOf(arguments[i].getSourceRange());
    if (!range || arguments[i].getSourceRange().getBegin().isMacroID() ||
        arguments[i].getSourceRange().getEnd().isMacroID() || parameter->isParameterPack() ||
        parameter->getName().empty())
      return false;
    if (std::string function = writtenFunction(caller, arguments[i]); !function.empty()) {
      written[parameter->getNameAsString()] = std::move(function);
      continue;
    }
    const std::string text =
        caller.body.text.buffer(range->file).slice(range->begin, range->end).str();
    const auto* number = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
    // The number that a parameter of another type would be.
    if (!std::all_of(text.begin(), text.end(),
                     [](char c) { return clang::isAlphanumeric(c) || c == '_'; }) ||
        (number && !hasTypeOf(caller, number, arguments[i])) ||
        (!number && !llvm::isa<clang::TemplateTypeParmDecl>(parameter)))
      return false;
    written[parameter->getNameAsString()] = text;
  }
  return true;
}

} // namespace

const clang::FunctionDecl* calleeOf(const Caller& caller, const clang::CallExpr* call) {
  const clang::FunctionDecl* direct = call->getDirectCallee();
  // A method of an object whose type is no parameter's is one instance's.
  if (!caller.inTemplate ||
      (direct && !direct->isDependentContext() &&
       llvm::isa<clang::ClassTemplateSpecializationDecl>(direct->getDeclContext())))
    return direct;
  const FunctionFacts* known = caller.facts.find(caller.body.function);
  const clang::FunctionDecl* common = nullptr;
  if (known)
    for (const clang::FunctionDecl* callee : calleesOf(call, *known)) {
      const clang::FunctionDecl* pattern = callee->getTemplateInstantiationPattern();
      if (callee->getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization)
        return nullptr;
      pattern = definitionOf(pattern ? pattern : callee);
      if (!pattern || (common && common != pattern))
        return nullptr;
      common = pattern;
    }
  return common;
}

std::optional<TemplateTexts> templateTexts(const Caller& caller, const FunctionFacts& f,
                                           const clang::FunctionDecl* definition,
                                           const clang::CallExpr* call) {
  TemplateTexts written;
  if (!caller.inTemplate)
    return findInstanceArguments(caller, f, definition, written) ? std::optional(std::move(written))
                                                                 : std::nullopt;
  return findWrittenArguments(caller, f, call, written) ? std::optional(std::move(written))
                                                        : std::nullopt;
}

bool addClassTexts(const Caller& caller, const clang::FunctionDecl* function,
                   TemplateTexts& written) {
  const auto* made =
      llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(function->getDeclContext());
  if (!made)
    return true;
  const clang::TemplateParameterList* parameters =
      made->getSpecializedTemplate()->getTemplateParameters();
  for (unsigned i = 0; i < parameters->size(); ++i) {
    const clang::NamedDecl* parameter = parameters->getParam(i);
    // A method's own template may have one of the same name.
    if (parameter->isParameterPack() || written.count(parameter->getNameAsString()))
      return false;
    if (!parameter->getName().empty())
      written[parameter->getNameAsString()] = shortText(caller, made->getTemplateArgs().get(i));
  }
  return true;
}

std::optional<std::string> replacedIn(const std::string& text, const TemplateTexts& written) {
  const auto renamed = renamedTokens(text, written);
  if (!renamed)
    return std::nullopt;
  std::string out;
  std::size_t done = 0;
  for (const RenamedToken& token : *renamed) {
    out += text.substr(done, token.offset - done) + token.name;
    done = token.offset + token.length;
  }
  return out + text.substr(done);
}

bool replaceTemplateParameters(const Caller& caller, const TemplateTexts& written,
                               const std::set<unsigned>& without, const FileRange& range,
                               TokenChanges& changes) {
  std::string text = caller.body.text.buffer(range.file).slice(range.begin, range.end).str();
  for (const unsigned place : without)
    for (unsigned i = place - range.begin; clang::isAsciiIdentifierContinue(text[i]); ++i)
      text[i] = ' ';
  const auto renamed = renamedTokens(text, written);
  if (!renamed)
    return false;
  for (const RenamedToken& token : *renamed)
    changes.instead[range.begin + token.offset] = token.name;
  return true;
}

} // namespace cu2cpp::calls
