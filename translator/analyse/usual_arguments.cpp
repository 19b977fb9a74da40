// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the arguments of launches to constants:
//
//   void run(float* x, int n) { scale<<<(n + 255) / 256, 256>>>(x, n); }
//   int main() { const int n = 1000; ... run(x, n); run(y, n); }           ->  n is usually 1000
//
// Needs: findLaunches(), findModifiedParameters().
#include "analyse/usual_arguments.h"

#include <algorithm>
#include <map>

#include "analyse/block_sizes.h"
#include "analyse/marks.h"
#include "parse/compiled_code.h"
#include "clang/AST/ExprCXX.h"

namespace cu2cpp {
namespace {

/// A value may come by way of other variables and calls; this many steps are followed.
constexpr int maxSteps = 24;

/// Larger numbers bound no loop or row that becomes other code by it.
constexpr unsigned largest = 64;

/// What is done to variables and functions in the code that is compiled.
class Uses : public CompiledCode {
public:
  explicit Uses(const SourceUnit& unit) : CompiledCode(unit) {
    TraverseDecl(unit.context().getTranslationUnitDecl());
  }

  /// Whether a variable keeps what it starts with.
  bool isFixed(const clang::VarDecl* variable) const {
    if (variable->getType()->isReferenceType() || variable->getType().isVolatileQualified())
      return false;
    const auto found = reads_.find(variable);
    return variable->getType().isConstQualified() ||
           (isOnlyHere(variable) &&
            (found == reads_.end() || found->second.all == found->second.plain));
  }
  /// The calls of a function, none if there may be others.
  std::vector<const clang::CallExpr*> callsOf(const clang::FunctionDecl* function) const {
    function = function->getCanonicalDecl();
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    const auto calls = calls_.find(function);
    const auto names = names_.find(function);
    if (calls == calls_.end() || !isOnlyHere(function) || (method && method->isVirtual()) ||
        (names != names_.end() && names->second != calls->second.size()))
      return {};
    return calls->second;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(use->getDecl()))
      ++names_[function->getCanonicalDecl()];
    else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
      ++reads_[variable].all;
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    if (variable && (cast->getCastKind() == clang::CK_LValueToRValue ||
                     (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified())))
      ++reads_[variable].plain;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (const clang::FunctionDecl* callee = call->getDirectCallee())
      calls_[callee->getCanonicalDecl()].push_back(call);
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    isProgram_ = isProgram_ || function->isMain();
    return true;
  }

private:
  /// Whether other files are unlikely to use it.
  bool isOnlyHere(const clang::NamedDecl* decl) const {
    return isProgram_ || !decl->isExternallyVisible();
  }

  struct Reads {
    unsigned all = 0, plain = 0;
  };
  std::map<const clang::VarDecl*, Reads> reads_;
  std::map<const clang::FunctionDecl*, std::vector<const clang::CallExpr*>> calls_;
  std::map<const clang::FunctionDecl*, std::size_t> names_;
  bool isProgram_ = false;
};

class Evaluator {
public:
  Evaluator(const Uses& uses, clang::ASTContext& context) : uses_(uses), context_(context) {}

  using Value = std::optional<llvm::APSInt>;

  Value of(const clang::Expr* expression, int steps = 0) const {
    if (!expression || steps > maxSteps || expression->isInstantiationDependent() ||
        !expression->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    clang::Expr::EvalResult result;
    if (expression->EvaluateAsInt(result, context_))
      return result.Val.getInt();
    if (const auto* byDefault = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
      return of(byDefault->getExpr(), steps + 1);
    if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expression))
      return of(full->getSubExpr(), steps + 1);
    if (const auto* paren = llvm::dyn_cast<clang::ParenExpr>(expression))
      return of(paren->getSubExpr(), steps + 1);
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression))
      return list->getNumInits() == 1 ? of(list->getInit(0), steps + 1) : std::nullopt;
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression))
      return ofCast(cast, steps);
    if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression))
      return ofOperation(operation, steps);
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(expression))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
        return ofVariable(variable, steps);
    return std::nullopt;
  }

private:
  Value ofCast(const clang::CastExpr* cast, int steps) const {
    Value value = of(cast->getSubExpr(), steps + 1);
    if (!value)
      return value;
    switch (cast->getCastKind()) {
    case clang::CK_LValueToRValue:
    case clang::CK_NoOp:
      return value;
    case clang::CK_IntegralToBoolean:
      return llvm::APSInt(llvm::APInt(1, value->getBoolValue()), true);
    case clang::CK_IntegralCast: {
      llvm::APSInt converted = value->extOrTrunc(context_.getIntWidth(cast->getType()));
      converted.setIsUnsigned(cast->getType()->isUnsignedIntegerOrEnumerationType());
      return converted;
    }
    default:
      return std::nullopt;
    }
  }

  Value ofOperation(const clang::BinaryOperator* operation, int steps) const {
    const Value a = of(operation->getLHS(), steps + 1), b = of(operation->getRHS(), steps + 1);
    if (!a || !b || a->getBitWidth() != b->getBitWidth() || a->isUnsigned() != b->isUnsigned())
      return std::nullopt;
    const bool divides = !b->isZero() && !(b->isSigned() && b->isAllOnes());
    switch (operation->getOpcode()) {
    case clang::BO_Add:
      return *a + *b;
    case clang::BO_Sub:
      return *a - *b;
    case clang::BO_Mul:
      return *a * *b;
    case clang::BO_Div:
      return divides ? Value(*a / *b) : std::nullopt;
    case clang::BO_Rem:
      return divides ? Value(*a % *b) : std::nullopt;
    default:
      return std::nullopt;
    }
  }

  Value ofVariable(const clang::VarDecl* variable, int steps) const {
    if (!uses_.isFixed(variable))
      return std::nullopt;
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
    if (!parameter)
      return of(variable->getAnyInitializer(), steps + 1);
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
    if (!function)
      return std::nullopt;
    Value all;
    for (const clang::CallExpr* call : uses_.callsOf(function)) {
      // Of an operator's arguments the first is the object.
      const bool ofObject =
          llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(function);
      const unsigned index = parameter->getFunctionScopeIndex() + ofObject;
      const Value given =
          index < call->getNumArgs() ? of(call->getArg(index), steps + 4) : std::nullopt;
      if (!given || (all && !llvm::APSInt::isSameValue(*all, *given)))
        return std::nullopt;
      all = given;
    }
    return all;
  }

  const Uses& uses_;
  clang::ASTContext& context_;
};

/// Whether a kernel's parameter may be a constant in its body.
bool isCandidate(const FunctionFacts& kernel, const clang::ParmVarDecl* parameter) {
  const clang::QualType type = parameter->getType();
  return parameter->getIdentifier() && parameter->isReferenced() &&
         !parameter->getLocation().isMacroID() && !type->isDependentType() &&
         type->isIntegralOrEnumerationType() && !type->isReferenceType() &&
         !type.isVolatileQualified() && !llvm::is_contained(kernel.modifiedParameters, parameter);
}

} // namespace

std::vector<UsualArgument> usualArguments(const SourceUnit& unit, const Facts& facts,
                                          const FunctionFacts& kernel) {
  const FunctionFacts& launched = launchedAs(facts, kernel);
  std::vector<const clang::ParmVarDecl*> candidates;
  for (const clang::ParmVarDecl* parameter : kernel.decl->parameters()) {
    if (parameter->isParameterPack())
      return {};
    if (isCandidate(kernel, parameter))
      candidates.push_back(parameter);
  }
  if (candidates.empty() || apartCondition(kernel.decl))
    return {};
  const Uses uses(unit);
  const Evaluator evaluator(uses, unit.context());
  std::vector<UsualArgument> found;
  for (const clang::ParmVarDecl* parameter : candidates) {
    Evaluator::Value all;
    bool same = true;
    for (const LaunchFacts& launch : facts.launchInstances) {
      if (facts.find(launch.call->getDirectCallee()) != &launched)
        continue;
      const unsigned index = parameter->getFunctionScopeIndex();
      const Evaluator::Value given = index < launch.call->getNumArgs()
                                         ? evaluator.of(launch.call->getArg(index))
                                         : std::nullopt;
      same = same && given && (!all || llvm::APSInt::isSameValue(*all, *given));
      all = given;
    }
    if (same && all && !all->isNegative() && *all <= largest)
      found.push_back({parameter, *all});
  }
  return found;
}

} // namespace cu2cpp
