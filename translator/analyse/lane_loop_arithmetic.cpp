// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that run outside of the loop over threads (lane_loops.cpp): those that only compute.
#include "analyse/lane_loop_parts.h"
#include "analyse/pure_functions.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "analyse/region_parts.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// Whether a loop does nothing but compute with scalars of the thread, and how much.
class Arithmetic : public SyntaxVisitor {
public:
  Arithmetic(const LoopSteps& steps, const clang::Stmt* top)
      : steps_(steps), top_(top), context_(steps.function->getASTContext()),
        mayReturn_(!steps.facts.kernel) {}
  unsigned work = 0;
  bool fits = true;
  bool VisitStmt(clang::Stmt* at) override {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(at))
      return fits = isFunctionOfScalars(call);
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(at))
      return fits = isScalar(use);
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(at)) {
      work += op->getType()->isArithmeticType() && op->getOpcode() != clang::BO_Assign;
      // No processor divides vectors of integers, but all shift them.
      if (op->getType()->isIntegerType() && !isShift(op) &&
          (op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem ||
           op->getOpcode() == clang::BO_DivAssign || op->getOpcode() == clang::BO_RemAssign))
        fits = false;
    }
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(at))
      fits = op->getOpcode() != clang::UO_Deref &&
             (op->getOpcode() != clang::UO_AddrOf || addresses_.count(op));
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(at))
      fits = at == top_ || isWrittenOut(at);
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at))
      fits = isOwnElement(element);
    if (llvm::isa<clang::CXXForRangeStmt, clang::GotoStmt, clang::LabelStmt, clang::SwitchStmt,
                  clang::AsmStmt, clang::LambdaExpr, clang::CXXNewExpr>(at))
      fits = false;
    if (const auto* object = llvm::dyn_cast<clang::CXXThisExpr>(at))
      fits = isObjectToRead(object);
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(at))
      fits = isOfNumbers(made->getType()) ||
             (holdsNumbers(made->getType()) && isPureExpression(made, steps_.all));
    if (llvm::isa<clang::ReturnStmt>(at))
      fits = mayReturn_;
    return fits;
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    declared_.insert(variable);
    return true;
  }

private:
  /// Whether a division is one by a power of two, or one for all lanes.
  bool isShift(const clang::BinaryOperator* op) const {
    clang::Expr::EvalResult by;
    return steps_.uniformity.isUniform(op, Scope::Warp) ||
           (!op->getRHS()->isValueDependent() && op->getRHS()->EvaluateAsInt(by, context_) &&
            by.Val.getInt().isStrictlyPositive() && by.Val.getInt().isPowerOf2());
  }
  bool isScalar(const clang::DeclRefExpr* use) const {
    if (llvm::isa<clang::EnumConstantDecl, clang::FunctionDecl>(use->getDecl()) ||
        builtinOf(use->getDecl()))
      return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return variable &&
           (isSameForAll(use) || isGivenToRead(variable) ||
            ((variable->hasLocalStorage() || isNamedConstant(variable)) &&
             (variable->getType()->isArithmeticType() ||
              (declared_.count(variable) && isArrayOfNumbers(variable->getType())) ||
              (isMadeAnew(variable) && isOfValues(variable->getType())) ||
              isOfValues(variable->getType())))) &&
           !variable->getType().isVolatileQualified();
  }
  /// The object of numbers whose method only reads it: `cx` of `this->cx`.
  bool isObjectToRead(const clang::CXXThisExpr* object) const {
    const clang::QualType type = object->getType()->getPointeeType();
    return mayReturn_ && type.isConstQualified() && !type.isVolatileQualified() &&
           holdsNumbers(type.getUnqualifiedType());
  }
  /// Numbers that a function gets by reference to read: `const View& view`.
  bool isGivenToRead(const clang::VarDecl* variable) const {
    const clang::QualType type = variable->getType();
    return mayReturn_ && llvm::isa<clang::ParmVarDecl>(variable) && type->isLValueReferenceType() &&
           type->getPointeeType().isConstQualified() && isOfValues(type->getPointeeType());
  }
  static bool isArrayOfNumbers(clang::QualType type) {
    return type->isConstantArrayType() &&
           type->castAsArrayTypeUnsafe()->getElementType()->isArithmeticType();
  }
  /// A constant object that all lanes can make again where they ask it:
  /// `const Philox random(seed, thread);`
  bool isMadeAnew(const clang::VarDecl* variable) const {
    return variable->getType().isConstQualified() && variable->getInit() &&
           isPureExpression(variable->getInit(), steps_.all);
  }
  /// A short loop of known steps, after which no loop is left.
  bool isWrittenOut(const clang::Stmt* s) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    if (!loop || steps_.tripCount(loop) > mostUnrolled)
      return false;
    counters_.insert(steps_.variableOf(loop));
    return true;
  }
  /// An element of an array that lives in one step, at a place that is known once loops are
  /// written out.
  bool isOwnElement(const clang::ArraySubscriptExpr* element) const {
    const clang::Expr* base = element->getBase()->IgnoreParenImpCasts();
    const clang::VarDecl* array = ownArray(base);
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(element->getIdx()->IgnoreParenImpCasts());
    return ((array && declared_.count(array) && isArrayOfNumbers(array->getType())) ||
            (base->getType()->isArrayType() && isPartOfSame(base))) &&
           (constantOf(element->getIdx(), context_) ||
            (use && counters_.count(llvm::dyn_cast<clang::VarDecl>(use->getDecl()))));
  }
  /// Numbers that the kernel is given in a structure, or that lie in constant memory:
  /// `while (n < view.limit)`. (In a template's instance they stand where the pattern has them.)
  bool isSameForAll(const clang::DeclRefExpr* use) const {
    if (!holdsNumbers(use->getDecl()->getType().getNonReferenceType()))
      return false;
    if (hasMark(use->getDecl(), "constant"))
      return true;
    const auto& all = steps_.uniformity.variables();
    return !mayReturn_ && llvm::isa<clang::ParmVarDecl>(use->getDecl()) &&
           std::any_of(all.begin(), all.end(), [&](const auto& entry) {
             return entry.first->getLocation() == use->getDecl()->getLocation() &&
                    entry.second.uniform && !entry.second.modified && !entry.second.escapes;
           });
  }
  /// Such a structure or array, or part of one: `model.weights`.
  bool isPartOfSame(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    if (const auto* copy = llvm::dyn_cast<clang::CXXConstructExpr>(e))
      return copy->getNumArgs() == 1 && copy->getConstructor()->isCopyOrMoveConstructor() &&
             isPartOfSame(copy->getArg(0));
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
      return !member->isArrow() && isPartOfSame(member->getBase());
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
      return isPartOfSame(element->getBase());
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    return use && isSameForAll(use);
  }
  bool isFunctionOfScalars(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || callee->isVariadic() || hasMark(callee, "thread"))
      return false;
    if (isFunctionOfStructures(call, callee) || changesOwnStructures(call)) {
      work += 2;
      return true;
    }
    if (const FunctionFacts* known = steps_.all.find(callee);
        setsOwnNumbers(call) && !(known && known->device) && !hasMark(callee, "device")) {
      for (const clang::Expr* argument : call->arguments())
        addresses_.insert(argument->IgnoreParenImpCasts());
      return true;
    }
    if (callee->getNumParams() == 0 || call->getNumArgs() != callee->getNumParams())
      return false;
    // By reference or pointer too: `step(x, y, cx, cy);`, `draw(&seed);`
    bool places = false;
    for (unsigned i = 0; i < callee->getNumParams(); ++i) {
      const clang::QualType type = callee->getParamDecl(i)->getType();
      places |= type->isLValueReferenceType() || type->isPointerType();
      if (type->isPointerType()) {
        if (!isAddressOfScalar(call->getArg(i), steps_.uniformity) ||
            !changesScalarsOnly(callee, steps_.all))
          return false;
        addresses_.insert(call->getArg(i)->IgnoreParenImpCasts());
      } else if (!type.getNonReferenceType()->isArithmeticType()) {
        return false;
      }
    }
    return callee->getReturnType()->isArithmeticType() ||
           (places && callee->getReturnType()->isVoidType());
  }
  /// Methods and operators of structures of numbers, or functions of such, that do nothing but
  /// compute their result.
  bool isFunctionOfStructures(const clang::CallExpr* call,
                              const clang::FunctionDecl* callee) const {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    const unsigned first = method && llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
    bool plain =
        isPlain(callee->getReturnType()) && call->getNumArgs() == callee->getNumParams() + first;
    bool structures = isOfNumbers(callee->getReturnType()) || method;
    for (unsigned i = 0; plain && i < callee->getNumParams(); ++i) {
      const clang::QualType given = callee->getParamDecl(i)->getType();
      const clang::QualType type = given.getNonReferenceType();
      plain &= (isPlain(type) || (holdsNumbers(type) && isPartOfSame(call->getArg(i + first)))) &&
               (!given->isReferenceType() || type.isConstQualified());
      structures |= !type->isArithmeticType();
    }
    if (method && !method->isStatic())
      plain &= holdsNumbers(method->getThisType()->getPointeeType().getUnqualifiedType());
    return plain && structures && isPureFunction(callee, steps_.all);
  }
  /// `z *= z;`, `step(z, c);` or `random.next();` of the thread's structures of numbers.
  bool changesOwnStructures(const clang::CallExpr* call) const {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const std::vector<const clang::Expr*> given = givenBy(call);
    return !given.empty() && isPlainOrVoid(callee->getReturnType().getNonReferenceType()) &&
           std::all_of(callee->param_begin(), callee->param_end(),
                       [](const auto* parameter) {
                         const auto type = parameter->getType().getNonReferenceType();
                         return isPlain(type) || isOfValues(type);
                       }) &&
           std::all_of(given.begin(), given.end(),
                       [&](const clang::Expr* e) {
                         const clang::VarDecl* object = namedBy(e);
                         return object && object->hasLocalStorage() &&
                                isOfValues(object->getType());
                       }) &&
           changesGivenOnly(callee, steps_.all);
  }
  static bool isPlainOrVoid(clang::QualType type) { return type->isVoidType() || isPlain(type); }

  const LoopSteps& steps_;
  const clang::Stmt* top_;
  const clang::ASTContext& context_;
  const bool mayReturn_;
  std::set<const clang::Expr*> addresses_;
  std::set<const clang::VarDecl*> declared_, counters_;
};

} // namespace

bool isArithmetic(const LoopSteps& steps, const clang::Stmt* s) {
  const auto* f = llvm::dyn_cast<clang::ForStmt>(s);
  const auto* w = llvm::dyn_cast<clang::WhileStmt>(s);
  const auto* d = llvm::dyn_cast<clang::DoStmt>(s);
  const clang::Expr* condition = f ? f->getCond() : w ? w->getCond() : d ? d->getCond() : nullptr;
  if (!condition || (f && f->getConditionVariable()) || (w && w->getConditionVariable()))
    return false;
  // Threads that break or return leave a loop one by one, whatever its condition.
  const Contents contents(s);
  const bool leaves = contents.returns || std::any_of(contents.jumps.begin(), contents.jumps.end(),
                                                      [&](const clang::Stmt* jump) {
                                                        return steps.loopAround(jump) == s;
                                                      });
  if (!leaves &&
      ((f && steps.tripCount(f) != ~0ull) || steps.uniformity.isUniform(condition, Scope::Warp)))
    return false;
  const auto computesOnly = [&](const clang::Stmt* loop) {
    Arithmetic arithmetic(steps, loop);
    arithmetic.TraverseStmt(const_cast<clang::Stmt*>(loop));
    return arithmetic.fits && arithmetic.work >= 4;
  };
  if (!steps.function->isDependentContext())
    return computesOnly(s);
  // A pack is no variable that could be kept for each lane.
  if (std::any_of(steps.function->param_begin(), steps.function->param_end(),
                  [](const auto* parameter) { return parameter->isParameterPack(); }))
    return false;
  // A template's own types and functions are those of its instances.
  const std::vector<const clang::Stmt*> instances = steps.inInstances(s);
  return !instances.empty() && std::all_of(instances.begin(), instances.end(), computesOnly);
}

} // namespace cu2cpp
