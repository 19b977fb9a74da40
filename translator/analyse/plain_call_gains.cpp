// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are written out (plain_calls.cpp): whether a kernel gains from it.
#include "analyse/plain_calls.h"

#include <algorithm>

#include "analyse/lane_loops.h"
#include "analyse/marks.h"
#include "analyse/plain_pointers.h"
#include "analyse/plain_structures.h"
#include "analyse/region_parts.h"

namespace cu2cpp::calls {
namespace {

/// Whether a function that a kernel with barriers calls has loops by which a block's threads
/// share a matrix, which run by its rows there:
///
///   for (int t = threadIdx.x; t < 40 * 40; t += blockDim.x)
///     s[t / 40 * 41 + t % 40] = in[t];
bool sharesElements(const Caller& caller, const clang::FunctionDecl* definition) {
  class Loops : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitForStmt(clang::ForStmt* loop) override {
      const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
      const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
      const auto* counter = init && init->isSingleDecl()
                                ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                                : nullptr;
      if (!counter || !step || step->getOpcode() != clang::BO_AddAssign ||
          namedBy(step->getLHS()) != counter)
        return true;
      Parts parts;
      parts.counter = counter;
      parts.TraverseStmt(loop->getBody());
      found |= parts.found;
      return !found;
    }

  private:
    class Parts : public SyntaxVisitor {
    public:
      const clang::VarDecl* counter = nullptr;
      bool found = false;
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        found |= (op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem) &&
                 namedBy(op->getLHS()) == counter;
        return !found;
      }
      bool VisitForStmt(clang::ForStmt* inner) override {
        const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(inner->getInc());
        found |= step && step->getOpcode() == clang::BO_AddAssign;
        return !found;
      }
    };
  } loops;
  const FunctionFacts* known = caller.facts.find(caller.body.function);
  if (!caller.kernel || !known || known->collectives.empty() ||
      !definition->getReturnType()->isVoidType())
    return false;
  loops.TraverseStmt(definition->getBody());
  return loops.found;
}

/// Whether a function calls one with a loop that threads leave one by one and that only computes:
/// `return escape(view.x0 + x * view.dx, y, limit);`
bool callsArithmeticLoops(const Caller& caller, const FunctionFacts& f) {
  return std::any_of(f.callees.begin(), f.callees.end(), [&](const clang::FunctionDecl* callee) {
    const FunctionFacts* known = caller.facts.find(callee);
    if (!known || known->kernel || !known->decl->getBody() || known->decl == f.decl ||
        known->decl->isDependentContext())
      return false;
    std::set<unsigned> all;
    for (unsigned i = 0; i < known->decl->getNumParams(); ++i)
      all.insert(i);
    return !findLaneLoops(caller.facts, *known, Uniformity(known->decl, all, &caller.facts),
                          LaneRowsOf::Warps)
                .arithmetic.empty();
  });
}

} // namespace

bool isOnlyFollowed(const clang::ParmVarDecl* parameter) {
  class Uses : public SyntaxVisitor {
  public:
    const clang::ParmVarDecl* parameter = nullptr;
    unsigned all = 0, followed = 0;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      all += use->getDecl() == parameter;
      return true;
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(op->getSubExpr()->IgnoreImpCasts());
      followed += op->getOpcode() == clang::UO_Deref && use && use->getDecl() == parameter &&
                  !op->getOperatorLoc().isMacroID();
      return true;
    }
  } uses;
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
  if (!parameter->getType()->isPointerType() || !function || !function->getBody())
    return false;
  uses.parameter = parameter;
  uses.TraverseStmt(function->getBody());
  return uses.all == uses.followed;
}

bool pays(const Caller& caller, const FunctionFacts& f, const clang::FunctionDecl* definition,
          const clang::CallExpr* call) {
  std::set<unsigned> divergent;
  for (unsigned i = 0; i < definition->getNumParams(); ++i)
    if (!caller.body.variables.isUniform(givenTo(definition, i, call), Scope::Block))
      divergent.insert(i);
  if (caller.kernel && divergent.empty() && !(f.builtins & ThreadIdx))
    return false;
  if (caller.inTemplate)
    return sharesElements(caller, definition);
  FunctionFacts instance = f;
  instance.decl = definition;
  const LaneLoops loops = findLaneLoops(
      caller.facts, instance, Uniformity(definition, divergent, &caller.facts), LaneRowsOf::Warps);
  // Functions of numbers alone have versions for lanes instead (lane_functions.cpp).
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  const bool reaches = method || std::any_of(definition->param_begin(), definition->param_end(),
                                             [](const clang::ParmVarDecl* parameter) {
                                               return !isPlain(parameter->getType());
                                             });
  return loops.loops.size() > loops.arithmetic.size() || (reaches && !loops.arithmetic.empty()) ||
         sharesElements(caller, definition) || callsArithmeticLoops(caller, f);
}

bool exchanges(const Caller& caller, const clang::FunctionDecl* definition,
               const clang::CallExpr* call) {
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
  // `unsigned t; if (...) { t = a; ... }`
  const bool isOne = list && !list->body_empty() &&
                     std::all_of(list->body_begin(), list->body_end() - 1, [](const auto* s) {
                       const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
                       const auto* variable =
                           declared && declared->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                               : nullptr;
                       return variable && variable->hasLocalStorage() && !variable->hasInit();
                     });
  const auto* branch = isOne ? llvm::dyn_cast<clang::IfStmt>(list->body_back()) : nullptr;
  const auto* then = branch ? llvm::dyn_cast<clang::CompoundStmt>(branch->getThen()) : nullptr;
  if (!caller.kernel || !then || branch->getElse() || then->size() < 3)
    return false;
  unsigned elements = 0;
  for (unsigned i = 0; i < definition->getNumParams(); ++i)
    elements +=
        sharedElement(caller, definition->getParamDecl(i), givenTo(definition, i, call)) != nullptr;
  return elements >= 2;
}

bool givesOwnArray(const clang::FunctionDecl* definition, const clang::CallExpr* call) {
  for (unsigned i = 0; i < definition->getNumParams(); ++i) {
    const clang::QualType type = definition->getParamDecl(i)->getType();
    const clang::QualType of =
        type->isPointerType() ? type->getPointeeType()
        : type->isReferenceType() && type.getNonReferenceType()->isArrayType()
            ? clang::QualType(type.getNonReferenceType()->getArrayElementTypeNoTypeQual(), 0)
            : clang::QualType();
    if (of.isNull() || !of->isArithmeticType())
      continue;
    if (ownPlaceAt(givenTo(definition, i, call)))
      return true;
  }
  return false;
}

const clang::ArraySubscriptExpr* sharedElement(const Caller& caller,
                                               const clang::ParmVarDecl* parameter,
                                               const clang::Expr* argument) {
  const clang::QualType type = parameter->getType();
  argument = argument->IgnoreParenImpCasts();
  // `&keys[i]` of a pointer that the function only follows.
  if (const auto* place = llvm::dyn_cast<clang::UnaryOperator>(argument);
      place && place->getOpcode() == clang::UO_AddrOf && isOnlyFollowed(parameter))
    argument = place->getSubExpr()->IgnoreParens();
  else if (!type->isLValueReferenceType())
    return nullptr;
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(argument);
  const clang::VarDecl* array = element ? namedBy(element->getBase()) : nullptr;
  return array && isShared(array) &&
                 caller.body.unit.context().hasSameUnqualifiedType(type->getPointeeType(),
                                                                   element->getType()) &&
                 !element->getType().isVolatileQualified() && isOfValues(element->getIdx())
             ? element
             : nullptr;
}

} // namespace cu2cpp::calls
