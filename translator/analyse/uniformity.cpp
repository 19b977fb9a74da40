// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An optimistic fixed point: every plain scalar starts as uniform and loses that when a definition
// of it depends on the thread, or stands under a condition that does.
#include "analyse/uniformity.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "analyse/clamp_functions.h"
#include "analyse/marks.h"
#include "analyse/plain_structures.h"
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
      return method->isConst();
    const unsigned index = method ? i - 1 : i;
    if (index >= callee->getNumParams())
      return false;
    const clang::QualType type = callee->getParamDecl(index)->getType();
    return !type->isReferenceType() || type->getPointeeType().isConstQualified();
  }
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
        return Use::Read;
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
        return method->isConst() || method->isStatic() ? Use::Read : Use::Escapes;
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

bool isPlainType(clang::QualType type) {
  type = type.getNonReferenceType();
  if (const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl())
    return record->hasDefinition() && !record->isDependentContext() && !record->isLambda() &&
           record->hasTrivialDestructor() && record->hasTrivialCopyConstructor();
  return type->isDependentType() || type->isScalarType() || type->isUndeducedAutoType();
}

/// Whether calling a header's function again with the same values gives the same value and changes
/// nothing.
bool isPureHeaderFunction(const clang::FunctionDecl* callee) {
  if (hasMark(callee, "pure") && !hasMark(callee, "thread"))
    return true;
  if (hasMark(callee, "thread") || syncScope(callee) != Scope::None || callee->isVariadic())
    return false;
  if (callee->isConstexpr() || callee->hasAttr<clang::ConstAttr>() ||
      callee->hasAttr<clang::PureAttr>())
    return true;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  // malloc() and alloca() give each thread memory of its own.
  if (!method && callee->getReturnType()->isPointerType())
    return false;
  if (callee->getNumParams() == 0 && !(method && (method->isConst() || method->isStatic())))
    return false;
  for (const clang::ParmVarDecl* parameter : callee->parameters()) {
    const clang::QualType type = parameter->getType();
    if (type->isPointerType() ||
        (type->isReferenceType() && !type->getPointeeType().isConstQualified()) ||
        !(type.getNonReferenceType()->isScalarType() || type.getNonReferenceType()->isRecordType()))
      return false;
  }
  return !method || method->isConst() || method->isStatic();
}

} // namespace

bool setsOwnNumbers(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (!callee || llvm::isa<clang::CXXMethodDecl>(callee) || callee->isVariadic() ||
      hasMark(callee, "thread") || hasMark(callee, "in_block") ||
      syncScope(callee) != Scope::None || call->getNumArgs() != callee->getNumParams() ||
      !(callee->getReturnType()->isVoidType() || callee->getReturnType()->isArithmeticType()))
    return false;
  bool sets = false;
  for (unsigned i = 0; i < callee->getNumParams(); ++i) {
    const clang::QualType type = callee->getParamDecl(i)->getType();
    if (type->isArithmeticType())
      continue;
    const auto* address =
        llvm::dyn_cast<clang::UnaryOperator>(call->getArg(i)->IgnoreParenImpCasts());
    const auto* use =
        address && address->getOpcode() == clang::UO_AddrOf
            ? llvm::dyn_cast<clang::DeclRefExpr>(address->getSubExpr()->IgnoreParenImpCasts())
            : nullptr;
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    if (!type->isPointerType() || !variable || !variable->hasLocalStorage() || isShared(variable) ||
        !variable->getType()->isArithmeticType() || variable->getType().isVolatileQualified())
      return false;
    sets = true;
  }
  return sets;
}

namespace {

/// The user's device function that only computes: no write but to its own variables, no call but of
/// such functions.
class PureBody : public SyntaxVisitor {
public:
  PureBody(const Facts& facts, unsigned depth) : facts_(facts), depth_(depth) {}
  bool pure = true;

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return !op->isAssignmentOp() || target(op->getLHS());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return !op->isIncrementDecrementOp() || target(op->getSubExpr());
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee && !isOfUser(callee) && setsOwnNumbers(call))
      return true;
    return callee && isPure(callee, facts_, depth_) ? true : fail();
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) override {
    const clang::CXXConstructorDecl* constructor = construct->getConstructor();
    return constructor->isTrivial() || storesParts(constructor) ||
                   (isOfValues(construct->getType()) && isPure(constructor, facts_, depth_))
               ? true
               : fail();
  }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return fail(); }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return fail(); }
  bool VisitCXXNewExpr(clang::CXXNewExpr*) override { return fail(); }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr*) override { return fail(); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return variable && (isShared(variable) || variable->getType().isVolatileQualified()) ? fail()
                                                                                         : true;
  }

  static bool isPure(const clang::FunctionDecl* callee, const Facts& facts, unsigned depth) {
    const FunctionFacts* f = facts.find(callee);
    if (!f)
      return !hasMark(callee, "device") && isPureHeaderFunction(callee);
    if (depth == 0 || f->kernel || f->reached.scope != Scope::None || f->publishesThread ||
        (f->builtins & ThreadIdx) || f->indirectCalls || !f->assembly.empty() ||
        !f->shared.empty() || !callee->getBody())
      return false;
    for (const clang::ParmVarDecl* parameter : callee->parameters())
      if (parameter->getType()->isReferenceType() &&
          !parameter->getType()->getPointeeType().isConstQualified())
        return false;
    PureBody body(facts, depth - 1);
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(callee)) {
      body.constructs_ = true;
      for (const clang::CXXCtorInitializer* init : constructor->inits())
        body.TraverseStmt(init->getInit());
    }
    body.TraverseStmt(callee->getBody());
    return body.pure;
  }

  static bool isPure(const clang::Expr* expression, const Facts& facts) {
    PureBody body(facts, 4);
    body.ofExpression_ = true;
    body.TraverseStmt(const_cast<clang::Expr*>(expression));
    return body.pure;
  }

private:
  bool isOfUser(const clang::FunctionDecl* callee) const {
    const FunctionFacts* known = facts_.find(callee);
    return hasMark(callee, "device") || (known && known->device);
  }
  bool fail() { return pure = false; }
  bool target(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    while (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      const clang::Expr* base = subscript->getBase()->IgnoreParenImpCasts();
      if (!base->getType()->isArrayType())
        return fail();
      e = base;
    }
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      if (constructs_ && llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
        return true; // what it makes
      if (member->isArrow())
        return fail();
      e = member->getBase()->IgnoreParenImpCasts();
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && !ofExpression_ &&
                   !variable->getType()->isReferenceType()
               ? true
               : fail();
  }
  const Facts& facts_;
  unsigned depth_;
  bool constructs_ = false;
  bool ofExpression_ = false; ///< no variable in it is its own
};

/// Whether a condition of the block's flow holds for all threads alike, ignoring what `return`
/// does: exited threads do not take part.
const clang::Expr* conditionOf(const clang::Stmt* statement) {
  if (const auto* s = llvm::dyn_cast<clang::IfStmt>(statement))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::ForStmt>(statement))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::WhileStmt>(statement))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::DoStmt>(statement))
    return s->getCond();
  if (const auto* s = llvm::dyn_cast<clang::SwitchStmt>(statement))
    return s->getCond();
  return nullptr;
}

bool isLoop(const clang::Stmt* statement) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(
      statement);
}

class JumpCollector : public SyntaxVisitor {
public:
  std::vector<const clang::Stmt*> jumps;
  bool VisitBreakStmt(clang::BreakStmt* s) override { return add(s); }
  bool VisitContinueStmt(clang::ContinueStmt* s) override { return add(s); }

private:
  bool add(const clang::Stmt* s) {
    jumps.push_back(s);
    return true;
  }
};

} // namespace

Uniformity::Uniformity(const clang::FunctionDecl* function, const std::set<unsigned>& divergent,
                       const Facts* facts, bool rows, bool joined)
    : kernel_(function), facts_(facts), divergent_(divergent), rows_(rows), joined_(joined),
      parents_(std::make_unique<clang::ParentMap>(function->getBody())) {
  collect();
  solve(Scope::Block);
  solve(Scope::Warp);
}

const LocalVariable* Uniformity::find(const clang::VarDecl* variable) const {
  const auto found = variables_.find(variable);
  return found == variables_.end() ? nullptr : &found->second;
}

void Uniformity::collect() {
  for (const clang::ParmVarDecl* parameter : kernel_->parameters())
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

bool Uniformity::isUniform(const clang::Expr* expression, Scope scope) const {
  if (!expression || (scope == Scope::Warp && sameInWarp(expression)))
    return true;
  const clang::Expr* e = expression->IgnoreParenImpCasts();
  if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr,
                clang::CharacterLiteral, clang::CXXNullPtrLiteralExpr,
                clang::UnaryExprOrTypeTraitExpr, clang::SubstNonTypeTemplateParmExpr,
                clang::StringLiteral, clang::SizeOfPackExpr, clang::GNUNullExpr>(e))
    return true;
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(e))
    return isUniform(constant->getSubExpr(), scope);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const clang::ValueDecl* decl = reference->getDecl();
    if (const unsigned builtin = builtinOf(decl))
      return builtin != ThreadIdx && (builtin != BlockIdx || !joined_ || scope != Scope::Block);
    if (llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(decl))
      return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable || variable->getType().isVolatileQualified())
      return false;
    if (const LocalVariable* local = find(variable))
      return scope == Scope::Warp ? local->uniform || local->warpUniform : local->uniform;
    // Shared, constant and global variables: one value for the block wherever the program has no
    // race.
    return variable->hasGlobalStorage() || isShared(variable);
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma &&
           isUniform(op->getLHS(), scope) && isUniform(op->getRHS(), scope);
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf)
      return false;
    if (op->getOpcode() == clang::UO_Deref && op->getType().isVolatileQualified())
      return false;
    return isUniform(op->getSubExpr(), scope);
  }
  if (const auto* op = llvm::dyn_cast<clang::ConditionalOperator>(e))
    return isUniform(op->getCond(), scope) && isUniform(op->getTrueExpr(), scope) &&
           isUniform(op->getFalseExpr(), scope);
  if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e))
    return isUniform(cast->getSubExpr(), scope);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
      member && joined_ && member->getMemberDecl()->getName() != "x")
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenCasts());
        use && builtinOf(use->getDecl()) == BlockIdx)
      return true;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
    return llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
           !member->getType().isVolatileQualified() && isUniform(member->getBase(), scope);
  // `Shape<M, N>::threads`: of static members device code takes constants only.
  if (llvm::isa<clang::DependentScopeDeclRefExpr>(e))
    return true;
  if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(e))
    return !member->isImplicitAccess() && plainPlaces_.count(member->getMemberLoc()) != 0 &&
           isUniform(member->getBase(), scope);
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isUniform(member->getResultExpr(), scope);
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const clang::QualType base = subscript->getBase()->getType();
    const bool plain = base->isPointerType() || base->isArrayType() || !base->isDependentType() ||
                       plainPlaces_.count(subscript->getRBracketLoc()) != 0;
    return plain && !subscript->getType().isVolatileQualified() &&
           isUniform(subscript->getBase(), scope) && isUniform(subscript->getIdx(), scope);
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
    return callIsUniform(call, scope);
  if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
    if (!construct->getConstructor()->isTrivial() && !construct->getConstructor()->isConstexpr() &&
        !storesParts(construct->getConstructor()))
      return false;
    for (const clang::Expr* argument : construct->arguments())
      if (!isUniform(argument, scope))
        return false;
    return true;
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(e)) {
    for (const clang::Expr* element : list->inits())
      if (!isUniform(element, scope))
        return false;
    return true;
  }
  if (llvm::isa<clang::CXXThisExpr>(
          e)) // a method is split only where all threads call it of one object
    return true;
  if (const auto* byDefault = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e))
    return isUniform(byDefault->getExpr(), scope);
  if (const auto* construct = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(e)) {
    for (const clang::Expr* argument : construct->arguments())
      if (!isUniform(argument, scope))
        return false;
    return true;
  }
  if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
    return isUniform(temporary->getSubExpr(), scope);
  return false;
}

bool isPureFunction(const clang::FunctionDecl* function, const Facts& facts) {
  return PureBody::isPure(function, facts, 4);
}

bool isPureExpression(const clang::Expr* expression, const Facts& facts) {
  return PureBody::isPure(expression, facts);
}

bool Uniformity::callIsUniform(const clang::CallExpr* call, Scope scope) const {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (!callee || llvm::isa<clang::CXXOperatorCallExpr>(call))
    return false;
  // A verdict over the whole block is the same for each thread.
  const bool verdict =
      syncScope(callee) == Scope::Block && callee->getReturnType()->isIntegerType();
  if (verdict)
    return true;
  if (facts_ && facts_->find(callee)) {
    if (!isPureFunction(callee, *facts_))
      return false;
  } else if (hasMark(callee, "device") || !isPureHeaderFunction(callee)) {
    return false; // the user's, but defined in another file
  }
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
    if (!isUniform(member->getImplicitObjectArgument(), scope))
      return false;
  for (const clang::Expr* argument : call->arguments())
    if (!isUniform(argument, scope))
      return false;
  return true;
}

bool Uniformity::isNeverNegative(const clang::Expr* e, unsigned depth) const {
  e = e->IgnoreParenCasts();
  if (depth > 12)
    return false;
  if (const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(e))
    return !literal->getValue().isNegative();
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isNeverNegative(pseudo->getResultExpr(), depth + 1);
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    switch (op->getOpcode()) {
    case clang::BO_Add:
    case clang::BO_Mul:
    case clang::BO_Div:
    case clang::BO_Rem:
    case clang::BO_And:
    case clang::BO_Or:
    case clang::BO_Shl:
    case clang::BO_Shr:
      return isNeverNegative(op->getLHS(), depth + 1) && isNeverNegative(op->getRHS(), depth + 1);
    default:
      return false;
    }
  }
  const bool withoutSign =
      e->getType()->isUnsignedIntegerType() && !llvm::isa<clang::UnaryOperator>(e);
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  if (variable && variable->getName() == "warpSize")
    return true;
  if (!variable || !variable->hasInit() || builtinOf(variable))
    return withoutSign;
  const LocalVariable* local = find(variable);
  return isNeverNegative(variable->getInit(), depth + 1) &&
         (withoutSign || !local || !local->modified);
}

/// Whether a value is a multiple of 32 if the rows of blocks are: a product with blockDim.x or such
/// a number, or a sum of such.
bool Uniformity::isWholeWarps(const clang::Expr* e, unsigned depth) const {
  e = e->IgnoreParenCasts();
  if (depth > 12)
    return false;
  if (isThreadsIn(e))
    return true;
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isWholeWarps(member->getResultExpr(), depth + 1);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return use && builtinOf(use->getDecl()) == BlockDim &&
           member->getMemberDecl()->getName() == "x";
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    const bool left = isWholeWarps(op->getLHS(), depth + 1);
    if (op->getOpcode() == clang::BO_Mul)
      return left || isWholeWarps(op->getRHS(), depth + 1);
    return op->getOpcode() == clang::BO_Add && left && isWholeWarps(op->getRHS(), depth + 1);
  }
  clang::Expr::EvalResult number;
  if (!e->isValueDependent() && e->EvaluateAsInt(number, kernel_->getASTContext()))
    return number.Val.getInt().trunc(5) == 0;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const LocalVariable* local = variable ? find(variable) : nullptr;
    return local && !local->modified && !local->escapes && variable->hasInit() &&
           isWholeWarps(variable->getInit(), depth + 1);
  }
  return false;
}

/// Whether a value counts threads in the order of warps, from a multiple of 32: threadIdx.x, a
/// thread's rank in its block or in the grid.
bool Uniformity::countsThreads(const clang::Expr* e, unsigned depth) const {
  e = e->IgnoreParenCasts();
  if (depth > 12)
    return false;
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return countsThreads(member->getResultExpr(), depth + 1);
  if (isRankInBlock(e))
    return true;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return use && builtinOf(use->getDecl()) == ThreadIdx &&
           member->getMemberDecl()->getName() == "x";
  }
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const LocalVariable* local = variable ? find(variable) : nullptr;
    return local && !local->modified && variable->hasInit() &&
           countsThreads(variable->getInit(), depth + 1);
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op || op->getOpcode() != clang::BO_Add)
    return false;
  return (countsThreads(op->getLHS(), depth + 1) && isWholeWarps(op->getRHS(), depth + 1)) ||
         (countsThreads(op->getRHS(), depth + 1) && isWholeWarps(op->getLHS(), depth + 1));
}

/// The ways in which programs name a warp: threadIdx.x / 32, tid >> 5, tid & ~31, threadIdx.y. True
/// if rows of threads are multiples of a warp long; what is built on it is checked when the program
/// runs.
bool Uniformity::sameInWarp(const clang::Expr* expression) const {
  const clang::Expr* e = expression->IgnoreParenImpCasts();
  const auto constant = [&](const clang::Expr* value) -> std::optional<long long> {
    value = value->IgnoreParenImpCasts();
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(value))
      if (use->getDecl()->getNameAsString() == "warpSize")
        return 32;
    clang::Expr::EvalResult result;
    if (value->isValueDependent() || !value->EvaluateAsInt(result, kernel_->getASTContext()))
      return std::nullopt;
    return result.Val.getInt().tryExtValue();
  };
  if (const auto* member = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return sameInWarp(member->getResultExpr());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return rows_ && use && builtinOf(use->getDecl()) == ThreadIdx &&
           member->getMemberDecl()->getName() != "x";
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return false;
  if (!countsThreads(op->getLHS()))
    return false;
  const auto right = constant(op->getRHS());
  if (!right)
    return false;
  switch (op->getOpcode()) {
  case clang::BO_Div:
    return *right >= 32 && *right % 32 == 0;
  case clang::BO_Shr:
    return *right >= 5 && *right < 32;
  case clang::BO_And:
    return (*right & 31) == 0;
  default:
    return false;
  }
}

/// Whether a function of the user makes one integer of others, in a few operations: a place within
/// bounds, or one in rows: `int at(int x, int y, int width) { return y * width + x; }`
static bool isOfIntegers(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  if (llvm::isa<clang::CXXMethodDecl>(function) || !function->hasBody(definition) ||
      !function->getReturnType()->isIntegerType())
    return false;
  if (clampFunction(function))
    return true;
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
  const auto* value =
      body && body->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(body->body_front()) : nullptr;
  class Integers : public SyntaxVisitor {
  public:
    unsigned operations = 0;
    bool fits = true;
    bool VisitStmt(clang::Stmt* s) override {
      const auto* e = llvm::dyn_cast<clang::Expr>(s);
      operations += llvm::isa<clang::BinaryOperator, clang::ConditionalOperator>(s);
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s);
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
      const auto* of = llvm::dyn_cast<clang::UnaryOperator>(s);
      fits &= e && e->getType()->isIntegerType() && !e->getType().isVolatileQualified() &&
              (use  ? llvm::isa<clang::ParmVarDecl>(use->getDecl())
               : op ? !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma
               : of ? !of->isIncrementDecrementOp() && of->getOpcode() != clang::UO_Deref
                    : llvm::isa<clang::ConditionalOperator, clang::CastExpr, clang::ParenExpr,
                                clang::IntegerLiteral>(s));
      return fits;
    }
  } integers;
  if (!value || !value->getRetValue() ||
      !std::all_of(definition->param_begin(), definition->param_end(),
                   [](const auto* parameter) { return parameter->getType()->isIntegerType(); }))
    return false;
  constexpr unsigned most = 6;
  integers.TraverseStmt(const_cast<clang::Expr*>(value->getRetValue()));
  return integers.fits && integers.operations <= most;
}

bool Uniformity::readsMemory(const clang::Expr* expression) {
  class Visitor : public SyntaxVisitor {
  public:
    bool found = false;
    // A part of an array that is an array is only asked for its address. What has a template's type
    // may be an operator of a class.
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
      const clang::QualType base = element->getBase()->IgnoreParenImpCasts()->getType();
      found |= !element->getType()->isArrayType() &&
               !(addressed_.count(element) && (base->isPointerType() || base->isArrayType()));
      return !found;
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      found |= !callee || ((!hasMark(callee, "pure") || hasMark(callee, "thread") ||
                            !callee->getReturnType()->isArithmeticType()) &&
                           !isOfIntegers(callee));
      return !found;
    }
    // Each time memory of its own; a constructor may do anything.
    bool VisitCXXNewExpr(clang::CXXNewExpr*) override { return !(found = true); }
    bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) override {
      const clang::CXXConstructorDecl* constructor = construct->getConstructor();
      found |= !constructor->isTrivial() && !constructor->isConstexpr();
      return !found;
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      if (op->getOpcode() == clang::UO_AddrOf)
        addressed_.insert(op->getSubExpr()->IgnoreParens());
      found |= op->getOpcode() == clang::UO_Deref;
      return !found;
    }
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      found |= member->isArrow();
      return !found;
    }
    bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr* member) override {
      found |= member->isArrow();
      return !found;
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      // An array's name is its address.
      if (variable && !hasMark(variable, "builtin") && !variable->getType()->isArrayType() &&
          (variable->hasGlobalStorage() || isShared(variable)))
        found |= !variable->isConstexpr() &&
                 !(variable->getType().isConstQualified() && variable->hasInit());
      return !found;
    }

  private:
    std::set<const clang::Expr*> addressed_; // by &
  } visitor;
  visitor.TraverseStmt(const_cast<clang::Expr*>(expression));
  return visitor.found;
}

bool Uniformity::controlIsUniform(const clang::Stmt* statement, const clang::Stmt* home,
                                  Scope scope) const {
  const clang::Stmt* parent = nullptr;
  for (const clang::Stmt* at = statement; (parent = parents_->getParent(at)) != nullptr;
       at = parent) {
    if (parent == home)
      return true;
    if (unevenLoops_.count(parent))
      return false;
    if (llvm::isa<clang::LambdaExpr, clang::CXXForRangeStmt, clang::CXXTryStmt>(parent))
      return false;
    const clang::Expr* condition = conditionOf(parent);
    if (condition && condition != at && !isUniform(condition, scope))
      return false;
    // A for loop's step runs as often as its condition says; so does the right side of && and ?:.
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(parent))
      if (loop->getCond() && !isUniform(loop->getCond(), scope) && at != loop->getInit())
        return false;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(parent))
      if (op->isLogicalOp() && op->getRHS() == at && !isUniform(op->getLHS(), scope))
        return false;
    if (const auto* op = llvm::dyn_cast<clang::ConditionalOperator>(parent))
      if (op->getCond() != at && !isUniform(op->getCond(), scope))
        return false;
  }
  return true;
}

void Uniformity::solve(Scope scope) {
  const auto flag = [&](LocalVariable& local) -> bool& {
    return scope == Scope::Warp ? local.warpUniform : local.uniform;
  };
  for (auto& [decl, local] : variables_) {
    const auto* parm = llvm::dyn_cast<clang::ParmVarDecl>(decl);
    const bool parameter = parm && decl->getDeclContext() == kernel_;
    flag(local) = !local.escapes && !decl->getType().isVolatileQualified() &&
                  !decl->getType()->isReferenceType() &&
                  (parameter ? (isPlainType(decl->getType()) || !local.modified) &&
                                   !divergent_.count(parm->getFunctionScopeIndex())
                             : isPlainType(decl->getType()) && local.statement);
  }
  unevenLoops_.clear();
  JumpCollector jumps;
  jumps.TraverseStmt(kernel_->getBody());
  for (bool changed = true; changed;) {
    changed = false;
    // A jump under a condition that depends on the thread: the loop it leaves runs unevenly from
    // then on.
    for (const clang::Stmt* jump : jumps.jumps) {
      const clang::Stmt* loop = parents_->getParent(jump);
      bool even = true;
      const clang::Stmt* at = jump;
      while (loop && !isLoop(loop) &&
             !(llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(loop))) {
        const clang::Expr* condition = conditionOf(loop);
        if (condition && condition != at && !isUniform(condition, scope))
          even = false;
        at = loop;
        loop = parents_->getParent(loop);
      }
      if (loop && !even && isLoop(loop))
        changed |= unevenLoops_.insert(loop).second;
    }
    for (auto& [decl, local] : variables_) {
      if (!flag(local))
        continue;
      bool uniform = true;
      const clang::Stmt* home = local.statement ? parents_->getParent(local.statement) : nullptr;
      if (local.statement && decl->hasInit() && !isUniform(decl->getInit(), scope))
        uniform = false;
      for (const clang::Expr* assignment : local.assignments) {
        if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(assignment))
          uniform &= isUniform(op->getRHS(), scope);
        else if (!llvm::isa<clang::UnaryOperator>(assignment))
          uniform = false;
        uniform &= controlIsUniform(assignment, home, scope);
      }
      if (!uniform) {
        flag(local) = false;
        changed = true;
      }
    }
  }
}

} // namespace cu2cpp
