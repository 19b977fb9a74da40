// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/clamp_functions.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

using Bound = ClampFunction::Bound;

class Reader {
public:
  explicit Reader(const clang::FunctionDecl* function) : function_(function) {}

  /// `value` is the place kept within `bounds`.
  bool read(const clang::Expr* value, std::vector<Bound>& bounds) {
    value = value->IgnoreParenImpCasts();
    if (const int parameter = parameterIn(value); parameter >= 0)
      return isPlace(parameter);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value))
      return readCall(call, bounds);
    const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(value);
    if (!choice)
      return false;
    const auto rest = [&](const clang::Expr* e) {
      return [this, e](std::vector<Bound>& all) { return read(e, all); };
    };
    return readChoice(choice->getCond(), choice->getTrueExpr(), bounds,
                      rest(choice->getFalseExpr())) ||
           (isPlain(choice->getTrueExpr()) &&
            readBeyond(choice->getCond(), true, bounds, rest(choice->getFalseExpr()))) ||
           (isPlain(choice->getFalseExpr()) &&
            readBeyond(choice->getCond(), false, bounds, rest(choice->getTrueExpr())));
  }
  /// `if (v < low) return low; ... return v;`, `if (v < 0) v += count; ... return v;`
  bool read(clang::CompoundStmt::const_body_iterator at,
            clang::CompoundStmt::const_body_iterator end, std::vector<Bound>& bounds) {
    if (at == end)
      return false;
    if (const auto* last = llvm::dyn_cast<clang::ReturnStmt>(*at))
      return at + 1 == end && last->getRetValue() && read(last->getRetValue(), bounds);
    const auto rest = [&](std::vector<Bound>& all) { return read(at + 1, end, all); };
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(*at))
      return !loop->getConditionVariable() && isChange(loop->getBody()) &&
             readBeyond(loop->getCond(), true, bounds, rest);
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(*at);
    if (!branch || branch->getInit() || branch->getConditionVariable())
      return false;
    const auto* early = llvm::dyn_cast_or_null<clang::ReturnStmt>(only(branch->getThen()));
    if (early && early->getRetValue() && !branch->getElse())
      return readChoice(branch->getCond(), early->getRetValue(), bounds, rest) ||
             (isPlain(early->getRetValue()) && readBeyond(branch->getCond(), true, bounds, rest));
    return isChange(branch->getThen()) &&
           readBeyond(branch->getCond(), true, bounds, [&](std::vector<Bound>& all) {
             return readElse(branch->getElse(), all) && rest(all);
           });
  }
  int place() const { return place_; }

private:
  static const clang::Stmt* only(const clang::Stmt* s) {
    const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(s);
    return !list ? s : list->size() == 1 ? list->body_front() : nullptr;
  }
  /// `else if (v >= count) v -= count;`
  bool readElse(const clang::Stmt* s, std::vector<Bound>& bounds) {
    if (!s)
      return true;
    const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(only(s));
    return branch && !branch->getInit() && !branch->getConditionVariable() &&
           isChange(branch->getThen()) &&
           readBeyond(branch->getCond(), true, bounds,
                      [&](std::vector<Bound>& all) { return readElse(branch->getElse(), all); });
  }
  /// `v = -v - 1;`: what happens to places beyond a bound.
  bool isChange(const clang::Stmt* s) {
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(only(s));
    const int parameter = op && op->isAssignmentOp() ? parameterIn(op->getLHS()) : -1;
    return parameter >= 0 && isPlain(op->getRHS()) && isPlace(parameter);
  }
  /// Made of parameters and numbers.
  static bool isPlain(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return (op->isAdditiveOp() || op->getOpcode() == clang::BO_Mul) && isPlain(op->getLHS()) &&
             isPlain(op->getRHS());
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return op->getOpcode() == clang::UO_Minus && isPlain(op->getSubExpr());
    return llvm::isa<clang::IntegerLiteral>(e) ||
           llvm::isa_and_nonnull<clang::ParmVarDecl>(namedBy(e));
  }
  /// A comparison that holds (`outside`), or does not, for places beyond a bound.
  template <class Rest>
  bool readBeyond(const clang::Expr* condition, bool outside, std::vector<Bound>& bounds,
                  Rest rest) {
    const auto* compare = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (!compare || !compare->isRelationalOp() || !keepsOrder(compare->getLHS()))
      return false;
    const int before = place_;
    for (const bool turned : {false, true}) {
      place_ = before;
      const int place = parameterIn(turned ? compare->getRHS() : compare->getLHS());
      auto bound = boundIn(turned ? compare->getLHS() : compare->getRHS());
      clang::BinaryOperatorKind relation = compare->getOpcode();
      if (turned)
        relation = clang::BinaryOperator::reverseComparisonOp(relation);
      if (!outside)
        relation = clang::BinaryOperator::negateComparisonOp(relation);
      std::vector<Bound> all = bounds;
      if (place < 0 || !bound || bound->parameter == place || !isPlace(place) || !rest(all))
        continue;
      bound->least = relation == clang::BO_LT || relation == clang::BO_LE;
      bound->beyond = relation == clang::BO_LE || relation == clang::BO_GE;
      bounds = std::move(all);
      bounds.push_back(*bound);
      return true;
    }
    place_ = before;
    return false;
  }
  /// Whether what is compared has a type in which places are the numbers that they are: with
  /// `v >= 8u` an int below 0 is a large one.
  bool keepsOrder(const clang::Expr* compared) const {
    const clang::ASTContext& context = function_->getASTContext();
    const clang::QualType type = compared->getType().getNonReferenceType(),
                          place = function_->getReturnType();
    if (!type->isIntegerType())
      return false;
    const auto width = context.getIntWidth(type), least = context.getIntWidth(place);
    return type->isSignedIntegerType() == place->isSignedIntegerType()
               ? width >= least
               : type->isSignedIntegerType() && width > least;
  }
  int parameterIn(const clang::Expr* e) const {
    const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(namedBy(e));
    return parameter ? int(parameter->getFunctionScopeIndex()) : -1;
  }
  bool isPlace(int parameter) {
    if (place_ < 0)
      place_ = parameter;
    return place_ == parameter;
  }
  /// `count - 1`, `high`, `0`
  std::optional<Bound> boundIn(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    Bound bound;
    if (const auto known = constantOf(e, function_->getASTContext())) {
      bound.number = *known;
      return bound;
    }
    bound.parameter = parameterIn(e);
    if (bound.parameter >= 0)
      return bound;
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e);
    const auto added = sum ? constantOf(sum->getRHS(), function_->getASTContext()) : std::nullopt;
    if (!added || (sum->getOpcode() != clang::BO_Add && sum->getOpcode() != clang::BO_Sub))
      return std::nullopt;
    bound.parameter = parameterIn(sum->getLHS());
    bound.number = sum->getOpcode() == clang::BO_Add ? *added : -*added;
    return bound.parameter >= 0 ? std::optional<Bound>(bound) : std::nullopt;
  }
  static bool isSame(const Bound& a, const Bound& b) {
    return a.parameter == b.parameter && a.number == b.number;
  }
  /// `min(max(v, low), high)`
  bool readCall(const clang::CallExpr* call, std::vector<Bound>& bounds) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!isMinOrMax(callee) || call->getNumArgs() != 2 || !keepsOrder(call->getArg(0)) ||
        !keepsOrder(call->getArg(1)))
      return false;
    for (const unsigned inner : {0u, 1u}) {
      const auto bound = boundIn(call->getArg(1 - inner));
      std::vector<Bound> all = bounds;
      const int place = place_;
      if (bound && read(call->getArg(inner), all) && bound->parameter != place_) {
        bounds = all;
        bounds.push_back(*bound);
        bounds.back().least = callee->getName() == "max";
        return true;
      }
      place_ = place;
    }
    return false;
  }
  /// Whether `v <relation> bound` asks if a place is beyond a limit: `v > limit`, or
  /// `v >= limit + 1` of what does not wrap around.
  bool asksFor(const Bound& limit, clang::BinaryOperatorKind relation, const Bound& bound) const {
    const int beside = relation == clang::BO_GE ? 1 : relation == clang::BO_LE ? -1 : 0;
    return isSame(bound, limit) ||
           (beside != 0 && function_->getReturnType()->isSignedIntegerType() &&
            bound.parameter == limit.parameter && bound.number == limit.number + beside);
  }
  /// `v < low ? low : rest`, and what a comparison the other way round, `<=` or `v >= n ? n - 1`
  /// says.
  template <class Rest>
  bool readChoice(const clang::Expr* condition, const clang::Expr* then, std::vector<Bound>& bounds,
                  Rest rest) {
    const auto* compare = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    const auto limit = boundIn(then);
    if (!compare || !compare->isRelationalOp() || !limit || !keepsOrder(compare->getLHS()))
      return false;
    int place = parameterIn(compare->getLHS());
    auto bound = boundIn(compare->getRHS());
    clang::BinaryOperatorKind relation = compare->getOpcode();
    if (place < 0 || !bound || !asksFor(*limit, relation, *bound)) {
      place = parameterIn(compare->getRHS());
      bound = boundIn(compare->getLHS());
      relation = clang::BinaryOperator::reverseComparisonOp(relation);
    }
    const int before = place_;
    std::vector<Bound> all = bounds;
    if (place < 0 || !bound || !asksFor(*limit, relation, *bound) || !isPlace(place) ||
        !rest(all)) {
      place_ = before;
      return false;
    }
    bounds = std::move(all);
    bounds.push_back(*limit);
    bounds.back().least = relation == clang::BO_LT || relation == clang::BO_LE;
    return true;
  }

  const clang::FunctionDecl* function_;
  int place_ = -1;
};

} // namespace

bool isMinOrMax(const clang::FunctionDecl* function) {
  return function && function->getIdentifier() &&
         (function->getName() == "min" || function->getName() == "max") &&
         function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation());
}

std::optional<ClampFunction> clampFunction(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  if (!function || !function->hasBody(definition) || !function->getReturnType()->isIntegerType() ||
      function->getReturnType()->isBooleanType())
    return std::nullopt;
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
  const clang::ASTContext& context = definition->getASTContext();
  if (!body || !std::all_of(definition->param_begin(), definition->param_end(),
                            [&](const clang::ParmVarDecl* parameter) {
                              return context.hasSameUnqualifiedType(parameter->getType(),
                                                                    definition->getReturnType());
                            }))
    return std::nullopt;
  ClampFunction out;
  Reader reader(definition);
  if (!reader.read(body->body_begin(), body->body_end(), out.bounds) || out.bounds.empty() ||
      std::any_of(out.bounds.begin(), out.bounds.end(),
                  [&](const Bound& bound) { return bound.parameter == reader.place(); }))
    return std::nullopt;
  out.place = unsigned(reader.place());
  return out;
}

bool keepsWithinBounds(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const bool isLimit = isMinOrMax(callee) && call.getNumArgs() == 2;
  return call.getType()->isIntegerType() && (isLimit || clampFunction(callee));
}

} // namespace cu2cpp
