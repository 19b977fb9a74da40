// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are written out (plain_calls.cpp): what stands for a parameter in the caller.
#include "analyse/plain_calls.h"

#include <memory>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/plain_groups.h"
#include "analyse/region_parts.h"

namespace cu2cpp::calls {

const clang::VarDecl* variableIn(const clang::Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* copy = llvm::dyn_cast<clang::CXXConstructExpr>(e))
    return copy->getConstructor()->isCopyOrMoveConstructor() &&
                   copy->getConstructor()->isTrivial() && copy->getNumArgs() == 1
               ? variableIn(copy->getArg(0))
               : nullptr;
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  return variable && variable->getDeclContext()->isFunctionOrMethod() &&
                 !use->getLocation().isMacroID()
             ? variable
             : nullptr;
}

namespace {

/// Whether two types are the same, or arrays and pointers to the same.
bool isSame(const Caller& caller, clang::QualType a, clang::QualType b) {
  const clang::ASTContext& context = caller.body.unit.context();
  a = a.getNonReferenceType();
  b = b.getNonReferenceType();
  if (a.isVolatileQualified() || b.isVolatileQualified())
    return false;
  if (context.hasSameUnqualifiedType(a, b))
    return true;
  if (!a->isPointerType() || !(b->isPointerType() || b->isArrayType()))
    return false;
  const clang::QualType of = b->isArrayType()
                                 ? clang::QualType(context.getAsArrayType(b)->getElementType())
                                 : b->getPointeeType();
  return context.hasSameUnqualifiedType(a->getPointeeType(), of) && !of.isVolatileQualified() &&
         !a->getPointeeType().isVolatileQualified();
}

/// Whether a call in a template, which says of no argument yet how it is passed, takes one by
/// value.
bool takesByValue(const Caller& caller, const clang::CallExpr* call, const clang::Stmt* argument) {
  const clang::FunctionDecl* callee = calleeOf(caller, call);
  if (!callee || callee->isVariadic())
    return false;
  for (unsigned i = 0; i < callee->getNumParams(); ++i)
    if (givenTo(callee, i, call) == argument) {
      const clang::QualType type = callee->getParamDecl(i)->getType();
      return type->isPointerType() || (!type->isDependentType() && type->isScalarType());
    }
  return false;
}

/// Whether what stands around a variable's name may keep its place.
bool givesPlace(const Caller& caller, const clang::Expr* use, const clang::ParentMap& parents) {
  const clang::Stmt* at = use;
  for (const clang::Stmt* parent = parents.getParent(at); parent;
       at = parent, parent = parents.getParent(at)) {
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(parent);
    if (cast && (cast->getCastKind() == clang::CK_LValueToRValue ||
                 (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified())))
      return false;
    if (cast || llvm::isa<clang::ParenExpr>(parent))
      continue;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(parent)) {
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
      if (method || member->isArrow())
        return method && !method->isConst() && !method->isStatic();
      continue;
    }
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(parent)) {
      if (subscript->getIdx() == at)
        return false;
      continue;
    }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(parent))
      return op->getOpcode() == clang::BO_Comma;
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(parent))
      return op->getOpcode() == clang::UO_AddrOf;
    if (const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parent)) {
      const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(op->getDirectCallee());
      return !method || op->getOperator() != clang::OO_Equal || !method->isTrivial();
    }
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(parent))
      return !made->getConstructor()->isCopyOrMoveConstructor() ||
             !made->getConstructor()->isTrivial();
    const auto* call = llvm::dyn_cast<clang::CallExpr>(parent);
    return !call || !caller.inTemplate || !takesByValue(caller, call, at);
  }
  return true;
}

/// Whether a variable may be changed otherwise than by its name.
bool mayBeReached(const Caller& caller, const clang::VarDecl* variable,
                  const std::vector<const clang::DeclRefExpr*>& uses) {
  std::unique_ptr<clang::ParentMap> parents;
  for (const clang::DeclRefExpr* use : uses) {
    if (use->getDecl() != variable)
      continue;
    if (!parents) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
      if (!function || !function->getBody())
        return true;
      parents = std::make_unique<clang::ParentMap>(function->getBody());
    }
    if (givesPlace(caller, use, *parents))
      return true;
  }
  return false;
}

/// `blockDim` and its kin, which functions get that name them.
std::string builtinGiven(const Caller& caller, const clang::Expr* argument) {
  class Names : public SyntaxVisitor {
  public:
    std::string name;
    unsigned count = 0;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      ++count;
      name = builtinOf(use->getDecl()) ? use->getDecl()->getNameAsString() : std::string();
      return true;
    }
  } names;
  names.TraverseStmt(const_cast<clang::Expr*>(argument));
  const auto range = caller.body.text.rangeOf(argument->getSourceRange());
  return names.count == 1 && range && !names.name.empty() &&
                 caller.body.text.buffer(range->file).slice(range->begin, range->end) == names.name
             ? names.name
             : std::string();
}

/// The variable that a parameter can be taken for: one that nothing changes meanwhile.
const clang::VarDecl* variableGiven(const Caller& caller, const clang::ParmVarDecl* parameter,
                                    clang::QualType type, const LocalVariable* inside,
                                    const clang::Expr* argument, const CalledBody& contents) {
  const clang::VarDecl* variable = variableIn(argument);
  if (!variable || !isSame(caller, type, variable->getType()))
    return nullptr;
  const bool array = variable->getType()->isArrayType();
  if (array && contents.asksSizes)
    return nullptr;
  if (type->isReferenceType())
    return isSame(caller, variable->getType(), type) &&
                   array == type.getNonReferenceType()->isArrayType()
               ? variable
               : nullptr;
  if (!inside || inside->modified || mayBeReached(caller, parameter, contents.uses))
    return nullptr;
  if (array)
    return variable;
  const auto uses = caller.body.contents.references.find(variable);
  return variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
                 (uses == caller.body.contents.references.end() ||
                  !mayBeReached(caller, variable, {uses->second.begin(), uses->second.end()}))
             ? variable
             : nullptr;
}

/// Whether a function gives another group to one of its names.
bool assignsGroup(const clang::Stmt* body) {
  class Assignments : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
      return see(call->getOperator() == clang::OO_Equal, call->getArg(0));
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      return see(op->getOpcode() == clang::BO_Assign, op->getLHS());
    }

  private:
    bool see(bool assigns, const clang::Expr* target) {
      return !(found |= assigns && narrowTileSize(target->getType()) != 0);
    }
  } assignments;
  assignments.TraverseStmt(const_cast<clang::Stmt*>(body));
  return assignments.found;
}

/// The tile of a warp that a parameter is, whatever it is part of: `auto warp =
/// tiled_partition<32>(block); sum(warp, v);` for `const thread_block_tile<32>& warp`. A group is
/// nothing but which threads it has, and stays what it is if nobody assigns another one.
const clang::VarDecl* tileGiven(const Caller& caller, const clang::ParmVarDecl* parameter,
                                clang::QualType type, const LocalVariable* inside,
                                const clang::Expr* argument) {
  const unsigned size = type->isDependentType() ? 0 : narrowTileSize(type);
  if (size == 0 || !(type.getNonReferenceType().isConstQualified() ||
                     (!type->isReferenceType() && inside && !inside->modified && !inside->escapes)))
    return nullptr;
  for (const clang::Expr* inner = nullptr; inner != argument;) {
    inner = argument;
    argument = argument->IgnoreParens()->IgnoreImplicit();
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(argument);
        made && made->getNumArgs() == 1)
      argument = made->getArg(0);
  }
  const clang::VarDecl* variable = variableIn(argument);
  const auto* callee = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
  return variable && narrowTileSize(variable->getType()) == size && callee && callee->getBody() &&
                 !assignsGroup(callee->getBody()) && !assignsGroup(caller.body.function->getBody())
             ? variable
             : nullptr;
}

/// `s[hi]` of a shared array, for a parameter that nothing changes: text that means the same
/// wherever the parameter is named.
std::string rowGiven(const Caller& caller, const clang::ParmVarDecl* parameter,
                     const LocalVariable* inside, const clang::Expr* argument,
                     const CalledBody& contents) {
  const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(argument->IgnoreImpCasts());
  const clang::VarDecl* array = row ? namedBy(row->getLHS()) : nullptr;
  const clang::QualType type = parameter->getType();
  if (!array || !isShared(array) || !array->getType()->isArrayType() ||
      !row->getType()->isArrayType() || !type->isPointerType() || !inside || inside->modified ||
      contents.asksSizes || mayBeReached(caller, parameter, contents.uses))
    return "";
  const clang::ASTContext& context = caller.body.unit.context();
  const clang::QualType element = context.getBaseElementType(array->getType());
  const clang::QualType pointee = context.getBaseElementType(type->getPointeeType());
  if (element->isDependentType() || pointee->isDependentType() ||
      !context.hasSameType(element, pointee))
    return "";
  const clang::Expr* index = row->getRHS()->IgnoreParenImpCasts();
  if (!llvm::isa<clang::IntegerLiteral>(index)) {
    const clang::VarDecl* counter = variableIn(index);
    const LocalVariable* local = counter ? caller.body.variables.find(counter) : nullptr;
    if (!local || local->escapes || isShared(counter) || !counter->getType()->isIntegerType() ||
        counter->getType().isVolatileQualified())
      return "";
  }
  const auto range = caller.body.text.rangeOf(row->getSourceRange());
  const auto text = range && caller.body.text.isWhole(row) && !row->getBeginLoc().isMacroID() &&
                            !row->getEndLoc().isMacroID()
                        ? onOneLine(caller.body.text, *range, {})
                        : std::nullopt;
  return text ? *text : std::string();
}

} // namespace

std::string standsFor(const Caller& caller, const clang::ParmVarDecl* parameter,
                      clang::QualType type, const LocalVariable* inside,
                      const clang::Expr* argument, const CalledBody& contents) {
  if (std::string builtin = builtinGiven(caller, argument);
      !builtin.empty() && inside && !inside->modified && builtin == parameter->getName())
    return builtin;
  if (const clang::VarDecl* variable =
          variableGiven(caller, parameter, type, inside, argument, contents))
    return variable->getNameAsString();
  if (const clang::VarDecl* tile = tileGiven(caller, parameter, type, inside, argument))
    return tile->getNameAsString();
  return rowGiven(caller, parameter, inside, argument, contents);
}

const clang::VarDecl* variablePointedTo(const Caller& caller, const clang::ParmVarDecl* parameter,
                                        clang::QualType type, const clang::Expr* argument) {
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenImpCasts());
  if (!address || address->getOpcode() != clang::UO_AddrOf || !type->isPointerType() ||
      parameter->getName().empty() || !isOnlyFollowed(parameter))
    return nullptr;
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(address->getSubExpr()->IgnoreParens());
  const clang::VarDecl* variable = use ? variableIn(use) : nullptr;
  return variable && !variable->getType()->isReferenceType() &&
                 !variable->getType()->isDependentType() && !type->isDependentType() &&
                 isSame(caller, type->getPointeeType(), variable->getType())
             ? variable
             : nullptr;
}

} // namespace cu2cpp::calls
