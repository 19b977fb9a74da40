// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An optimistic fixed point: every reference to an array or an object is one to shared memory, and
// is none as soon as one call gives something else.
#include "analyse/shared_parameters.h"

#include <map>
#include <set>

#include "analyse/group_calls.h"
#include "analyse/marks.h"

namespace cu2cpp {
namespace {

/// Whether a type is an array's or a structure's, as a template says it: what is read of such a
/// one is seen to be read from memory.
bool isArrayOrObject(clang::QualType type) {
  if (type.isVolatileQualified())
    return false;
  if (type->isArrayType())
    return !type->isIncompleteArrayType();
  const auto* written = type->getAs<clang::TemplateSpecializationType>();
  return type->getAsCXXRecordDecl() || (written && !written->isTypeAlias());
}

bool mayBeShared(const clang::ParmVarDecl* parameter) {
  const clang::QualType type = parameter->getType();
  if (!type->isLValueReferenceType() || parameter->isParameterPack() ||
      type->getPointeeType().isVolatileQualified())
    return false;
  // Constant objects are values.
  const clang::QualType referred = type->getPointeeType();
  return referred->isArrayType() || (!referred.isConstQualified() &&
                                     (referred->isRecordType() || referred->isDependentType()));
}

/// Whether an argument is a shared variable, a parameter that refers to one, or always the same
/// part of one: `temp.sums`, `rows[1]`.
bool isSharedPlace(const clang::Expr* e, const FunctionFacts& caller) {
  e = e->IgnoreParenImpCasts();
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  const bool given = variable && isSharedParameter(variable, caller);
  if (!(given || isArrayOrObject(e->getType())) || e->getBeginLoc().isMacroID())
    return false;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    return !member->isArrow() && field && !field->getType()->isReferenceType() &&
           isSharedPlace(member->getBase(), caller);
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const clang::Expr* array = element->getLHS()->IgnoreParenImpCasts();
    return array->getType()->isArrayType() &&
           llvm::isa<clang::IntegerLiteral>(element->getRHS()->IgnoreParenImpCasts()) &&
           isSharedPlace(array, caller);
  }
  return given || (variable && isShared(variable));
}

} // namespace

bool isSharedParameter(const clang::VarDecl* variable, const FunctionFacts& function) {
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
  return parameter && parameter->getDeclContext() == function.decl &&
         parameter->getType()->isReferenceType() &&
         function.uniformParameters.count(parameter->getFunctionScopeIndex()) != 0;
}

void findSharedParameters(const SourceUnit& unit, const Facts& facts,
                          const std::vector<FunctionFacts*>& functions) {
  std::map<const clang::FunctionDecl*, FunctionFacts*> known;
  std::map<const FunctionFacts*, GroupCalls> calls;
  std::set<const FunctionFacts*> called;
  for (FunctionFacts* f : functions) {
    known[f->decl] = f;
    calls[f] = findGroupCalls(unit, facts, *f);
    for (const GroupCall& call : calls[f].calls)
      called.insert(call.function);
  }
  for (FunctionFacts* f : functions)
    if (!f->kernel && !f->addressTaken && called.count(f))
      for (const clang::ParmVarDecl* parameter : f->decl->parameters())
        if (mayBeShared(parameter))
          f->uniformParameters.insert(parameter->getFunctionScopeIndex());
  const auto clear = [&](const FunctionFacts* f) {
    const auto found = known.find(f->decl);
    if (found != known.end())
      found->second->uniformParameters.clear();
  };
  for (const auto& [caller, found] : calls)
    for (const GroupCall& call : found.calls) {
      for (const FunctionFacts* target : call.targets)
        clear(target);
      for (const GroupCall::FunctionArgument& argument : call.functionArguments)
        for (const FunctionFacts* target : argument.targets)
          clear(target);
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [caller, found] : calls)
      for (const GroupCall& call : found.calls) {
        const auto callee = call.function ? known.find(call.function->decl) : known.end();
        if (callee == known.end())
          continue;
        std::set<unsigned>& shared = callee->second->uniformParameters;
        for (auto it = shared.begin(); it != shared.end();)
          if (*it < call.arguments.size() && isSharedPlace(call.arguments[*it].value, *caller)) {
            ++it;
          } else {
            it = shared.erase(it);
            changed = true;
          }
      }
  }
}

} // namespace cu2cpp
