// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniformity: how a function uses each of its variables, and what a template's instances know
// better.
#include "analyse/pure_functions.h"
#include "analyse/uniformity.h"

#include <algorithm>
#include <iterator>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "analyse/shared_parameters.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

enum class Use { Read, Assigned, PartAssigned, Escapes };

/// Whether an operator takes one of its operands as a value, or calls a const method of it.
bool takesValue(const clang::CXXOperatorCallExpr* call, const clang::Stmt* operand) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  for (unsigned i = 0; callee && i < call->getNumArgs(); ++i) {
    if (call->getArg(i) != operand)
      continue;
    if (method && i == 0)
      return method->isConst() && !hasMutable(call->getArg(i)->getType());
    const unsigned index = method ? i - 1 : i;
    if (index >= callee->getNumParams())
      return false;
    const clang::QualType type = callee->getParamDecl(index)->getType();
    return !type->isReferenceType() ||
           (type->getPointeeType().isConstQualified() && !hasMutable(type));
  }
  return false;
}

/// Whether a function takes an argument that is const by a reference to what is const (others get a
/// conversion there), and nothing that it gives or may change can keep the address.
bool takesConst(const clang::CallExpr* call, const clang::Expr* argument) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const auto isNumber = [](clang::QualType type) {
    return type->isArithmeticType() || type->isEnumeralType();
  };
  if (!callee || !(callee->getReturnType()->isVoidType() || isNumber(callee->getReturnType()) ||
                   isOfNumbers(callee->getReturnType())))
    return false;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
      method && !method->isStatic() && !method->isConst())
    return false;
  bool takes = false;
  for (unsigned i = 0; i < callee->getNumParams() && i < call->getNumArgs(); ++i) {
    const clang::QualType type = callee->getParamDecl(i)->getType();
    const bool ofConst = type->isLValueReferenceType() &&
                         type->getPointeeType().isConstQualified() && !hasMutable(type);
    const bool toNumbers = type->isPointerType() && isNumber(type->getPointeeType());
    if (!ofConst && !isNumber(type) && !isOfNumbers(type) && !toNumbers)
      return false;
    takes |= call->getArg(i) == argument && ofConst && argument->getType().isConstQualified();
  }
  return takes;
}

/// Whether a collective of the headers takes an argument by a reference to anything, `Type&&
/// value`: it reads what the threads bring.
bool takesForwarded(const clang::CallExpr* call, const clang::Stmt* argument) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const clang::FunctionDecl* pattern = callee ? callee->getTemplateInstantiationPattern() : nullptr;
  if (!pattern || !hasMark(callee, "together"))
    return false;
  for (unsigned i = 0; i < pattern->getNumParams() && i < call->getNumArgs(); ++i)
    if (call->getArg(i) == argument)
      return pattern->getParamDecl(i)->getType()->isRValueReferenceType();
  return false;
}

/// How a reference to a variable is used. Dependent code has no casts, so there the parent's kind
/// decides.
Use classify(const clang::Expr* reference, const clang::ParentMap& parents,
             const clang::Expr*& assignment) {
  const clang::Stmt* at = reference;
  bool whole = true; // still the variable itself, not a part of it
  while (const clang::Stmt* parent = parents.getParent(at)) {
    if (llvm::isa<clang::ParenExpr, clang::ConstantExpr, clang::ExprWithCleanups,
                  clang::MaterializeTemporaryExpr>(parent)) {
      at = parent;
      continue;
    }
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(parent)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue)
        return Use::Read;
      if (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified())
        return hasMutable(cast->getType()) ? Use::Escapes : Use::Read;
      if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) {
        const clang::Stmt* next = parents.getParentIgnoreParens(cast);
        if (!llvm::isa_and_nonnull<clang::ArraySubscriptExpr>(next))
          return Use::Escapes;
      }
      at = parent;
      continue;
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(parent)) {
      if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()))
        return method->isStatic() ||
                       (method->isConst() && !hasMutable(member->getBase()->getType()))
                   ? Use::Read
                   : Use::Escapes;
      if (member->isArrow())
        return Use::Read;
      whole = false;
      at = parent;
      continue;
    }
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(parent)) {
      if (subscript->getIdx() == at || !llvm::cast<clang::Expr>(at)->getType()->isArrayType()) {
        // A dependent base may be an array or a pointer: only an array's element is part of the
        // variable.
        if (subscript->getIdx() == at || !llvm::isa<clang::ImplicitCastExpr>(at))
          if (subscript->getIdx() == at || llvm::cast<clang::Expr>(at)->getType()->isPointerType())
            return Use::Read;
      }
      whole = false;
      at = parent;
      continue;
    }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(parent)) {
      if (op->isAssignmentOp() && op->getLHS() == at) {
        assignment = op;
        // A part changed: the rest keeps its value, which only matters for scalars, so treat it as
        // an escape.
        return whole ? Use::Assigned : Use::PartAssigned;
      }
      return op->getOpcode() == clang::BO_Comma && op->getRHS() == at ? Use::Escapes : Use::Read;
    }
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(parent)) {
      if (op->isIncrementDecrementOp()) {
        assignment = op;
        return whole ? Use::Assigned : Use::PartAssigned;
      }
      return op->getOpcode() == clang::UO_AddrOf ? Use::Escapes : Use::Read;
    }
    if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parent)) {
      if (call->isAssignmentOp() && call->getNumArgs() > 0 && call->getArg(0) == at) {
        assignment = call;
        return whole ? Use::Assigned : Use::Escapes;
      }
      return takesValue(call, at) ? Use::Read : Use::Escapes;
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(parent))
      return takesConst(call, llvm::cast<clang::Expr>(at)) || takesForwarded(call, at)
                 ? Use::Read
                 : Use::Escapes;
    if (llvm::isa<clang::ExplicitCastExpr, clang::ConditionalOperator,
                  clang::UnaryExprOrTypeTraitExpr, clang::CXXConstructExpr, clang::InitListExpr,
                  clang::IfStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::SwitchStmt,
                  clang::DeclStmt>(parent)) {
      const auto* here = llvm::dyn_cast<clang::Expr>(at);
      // Dependent code: a value is read unless a reference is bound to it.
      if (llvm::isa<clang::DeclStmt>(parent)) {
        for (const clang::Decl* decl : llvm::cast<clang::DeclStmt>(parent)->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
            if (variable->getInit() == at && variable->getType()->isReferenceType() &&
                !variable->getType()->getPointeeType().isConstQualified())
              return Use::Escapes;
        return Use::Read;
      }
      if (llvm::isa<clang::ConditionalOperator>(parent) && here && here->isLValue() &&
          !here->isTypeDependent()) {
        at = parent;
        continue;
      }
      return Use::Read;
    }
    return Use::Escapes;
  }
  return Use::Read;
}

class Collector : public SyntaxVisitor {
public:
  Collector(std::map<const clang::VarDecl*, LocalVariable>& variables,
            const clang::ParentMap& parents)
      : variables_(variables), parents_(parents) {}

  bool VisitDeclStmt(clang::DeclStmt* statement) override {
    for (const clang::Decl* decl : statement->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
          variable && variable->hasLocalStorage() && !isShared(variable)) {
        LocalVariable& local = variables_[variable];
        local.decl = variable;
        local.statement = statement;
      }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const auto found = variable ? variables_.find(variable) : variables_.end();
    if (found == variables_.end())
      return true;
    const clang::Expr* assignment = nullptr;
    switch (classify(use, parents_, assignment)) {
    case Use::Read:
      break;
    case Use::Assigned:
      found->second.modified = true;
      found->second.assignments.push_back(assignment);
      break;
    case Use::PartAssigned:
      found->second.modified = found->second.escapes = true;
      break;
    case Use::Escapes:
      found->second.modified = found->second.escapes = found->second.pointed = true;
      break;
    }
    return true;
  }
  // A lambda may change what it captures by reference whenever it is called.
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
          if (const auto found = variables_.find(variable); found != variables_.end())
            found->second.modified = found->second.escapes = found->second.pointed = true;
    return SyntaxVisitor::TraverseLambdaExpr(lambda);
  }

private:
  std::map<const clang::VarDecl*, LocalVariable>& variables_;
  const clang::ParentMap& parents_;
};

/// Where instances of a template name plain fields and elements, and where they call operators or
/// name other members.
class PlaceCollector : public SyntaxVisitor {
public:
  std::set<clang::SourceLocation> plain, others;
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const bool isPlain = llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
                         !member->getMemberDecl()->getType()->isReferenceType() &&
                         !member->getType().isVolatileQualified();
    (isPlain ? plain : others).insert(member->getMemberLoc());
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    (element->getType().isVolatileQualified() ? others : plain).insert(element->getRBracketLoc());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
    if (call->getOperator() == clang::OO_Subscript)
      others.insert(call->getOperatorLoc());
    return true;
  }
};

} // namespace

void Uniformity::collect() {
  const FunctionFacts* known = facts_ ? facts_->find(kernel_) : nullptr;
  for (const clang::ParmVarDecl* parameter : kernel_->parameters())
    if (!known || !isSharedParameter(parameter, *known))
      variables_[parameter].decl = parameter;
  Collector(variables_, *parents_).TraverseStmt(kernel_->getBody());
  trustInstances();
  // Declarations come before uses in the walk, so one pass is enough, except for lambdas' bodies:
  // they are walked too.
}

/// In a template, a call that depends on its parameters could take any variable by reference. Its
/// instances know better.
void Uniformity::trustInstances() {
  for (auto& [decl, local] : variables_) {
    const bool known = !decl->getType()->isDependentType();
    local.scalar = known && decl->getType()->isScalarType();
    local.integer = known && decl->getType()->isIntegerType();
    local.floating = known && decl->getType()->isFloatingType();
  }
  const FunctionFacts* facts = facts_ ? facts_->find(kernel_) : nullptr;
  if (!facts)
    return;
  std::map<clang::SourceLocation, LocalVariable> seen;
  PlaceCollector places;
  for (const clang::FunctionDecl* body : facts->bodies) {
    if (body == kernel_ || body->isDependentContext() || !body->getBody())
      continue;
    const clang::ParentMap parents(body->getBody());
    std::map<const clang::VarDecl*, LocalVariable> variables;
    for (const clang::ParmVarDecl* parameter : body->parameters())
      variables[parameter].decl = parameter;
    Collector(variables, parents).TraverseStmt(body->getBody());
    places.TraverseStmt(body->getBody());
    for (const auto& [decl, local] : variables) {
      LocalVariable& all = seen[decl->getLocation()];
      all.escapes |= local.escapes;
      all.pointed |= local.pointed;
      all.modified |= local.modified;
      const bool first = !all.decl;
      all.scalar = decl->getType()->isScalarType() && (first || all.scalar);
      all.integer = decl->getType()->isIntegerType() && (first || all.integer);
      all.floating = decl->getType()->isFloatingType() && (first || all.floating);
      all.decl = decl;
      if (all.assignments.size() < local.assignments.size())
        all.assignments = local.assignments;
    }
  }
  for (auto& [decl, local] : variables_) {
    const auto instance = seen.find(decl->getLocation());
    if (instance == seen.end())
      continue;
    local.pointed &= instance->second.pointed;
    if (decl->getType()->isDependentType()) {
      local.scalar = instance->second.scalar;
      local.integer = instance->second.integer;
      local.floating = instance->second.floating;
    }
    if (!local.escapes || instance->second.escapes ||
        instance->second.assignments.size() > local.assignments.size())
      continue;
    local.escapes = false;
    local.modified = instance->second.modified || !local.assignments.empty();
  }
  std::set_difference(places.plain.begin(), places.plain.end(), places.others.begin(),
                      places.others.end(), std::inserter(plainPlaces_, plainPlaces_.end()));
}

} // namespace cu2cpp
