// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp): their integers and conditions as sums.
#include <algorithm>

#include "analyse/plain_march.h"
#include "analyse/slopes.h"

namespace cu2cpp::marches {

Sum March::gridSum(const std::string& text, clang::QualType type, const clang::VarDecl* variable,
                   bool never) {
  Symbol symbol;
  symbol.text = textOf(text, type);
  symbol.ofGrid = true;
  symbol.mayBeNegative = !never;
  const unsigned number = symbols_.add(text, symbol);
  if (variable)
    variables_[number] = variable;
  return symbolSum(number);
}

std::string March::textOf(const std::string& name, clang::QualType type) {
  return type->isSignedIntegerType() ? name : "(long long)" + name;
}

Sum March::builtinSum(Builtin of, const std::string& name, const std::string& part) {
  Symbol symbol;
  symbol.text = name + "." + part;
  symbol.ofGrid = of != ThreadIdx;
  symbol.atom = of == ThreadIdx;
  if (symbol.atom)
    symbol.bounds = {{}, builtinSum(BlockDim, "blockDim", part) + constantSum(-1)};
  return symbolSum(symbols_.add(symbol.text, symbol));
}

Sum March::parameterSum(const clang::NonTypeTemplateParmDecl* parameter) {
  bool never = false;
  std::set<long long> values;
  for (const clang::FunctionDecl* instance : facts_.bodies) {
    const auto* given = instance->getTemplateSpecializationArgs();
    if (!given)
      continue;
    const bool known =
        parameter->getIndex() < given->size() &&
        given->get(parameter->getIndex()).getKind() == clang::TemplateArgument::Integral &&
        given->get(parameter->getIndex()).getAsIntegral().isNonNegative() &&
        given->get(parameter->getIndex()).getAsIntegral().getActiveBits() < 32;
    never = known;
    if (!known)
      break;
    values.insert(given->get(parameter->getIndex()).getAsIntegral().getExtValue());
  }
  const Sum sum = gridSum(parameter->getNameAsString(), parameter->getType(), nullptr, never);
  // One value in all instances.
  if (never && values.size() == 1)
    defined_[sum.begin()->first[0]] = constantSum(*values.begin());
  return sum;
}

std::optional<Sum> March::partSum(const Sum& whole, const Sum& by, bool rest) {
  const auto atoms = symbols_.atomsOf(whole);
  if (!filling_ || atoms.size() != 1 || !(whole - symbolSum(atoms[0])).empty() ||
      symbols_.hasAtoms(by))
    return std::nullopt;
  Symbol symbol;
  symbol.atom = true;
  symbol.bounds = unknownBounds();
  const auto named = [&](const char* what) {
    return symbolSum(
        symbols_.add(what + std::to_string(atoms[0]) + " of " + symbols_.print(by), symbol));
  };
  const Quotient quotient{whole, by, named("part "), named("rest ")};
  if (std::none_of(quotients_.begin(), quotients_.end(),
                   [&](const Quotient& other) { return other.part == quotient.part; }))
    quotients_.push_back(quotient);
  return rest ? quotient.rest : quotient.part;
}

Sum March::withoutQuotients(const Sum& sum) const {
  for (const Quotient& quotient : quotients_) {
    const Sum other = sum - quotient.whole + quotient.part * quotient.by;
    if (other.size() < sum.size())
      return other + quotient.rest;
  }
  return sum;
}

bool March::wrapsAround(const llvm::APSInt& value) {
  return value.isUnsigned() && value.isSignBitSet();
}

std::optional<Sum> March::wrappedBack(const clang::Expr* e) const {
  clang::Expr::EvalResult value;
  if (e->isValueDependent() || !e->getType()->isIntegerType() ||
      !e->EvaluateAsInt(value, body_.unit.context()) || !wrapsAround(value.Val.getInt()))
    return std::nullopt;
  const llvm::APSInt number(value.Val.getInt(), false);
  return number.getSignificantBits() <= 31 ? std::optional(constantSum(number.getExtValue()))
                                           : std::nullopt;
}

std::optional<Sum> March::sumOf(const clang::Expr* e, const State& state, unsigned depth,
                                Needs* limits) {
  constexpr unsigned deepest = 24;
  if (depth > deepest)
    return std::nullopt;
  e = e->IgnoreParens();
  if (!e->isValueDependent()) {
    clang::Expr::EvalResult value;
    if (!e->getType()->isIntegerType() || e->getType()->isBooleanType())
      return std::nullopt;
    const bool constant = e->EvaluateAsInt(value, body_.unit.context());
    if (constant && wrapsAround(value.Val.getInt()))
      return std::nullopt;
    if (constant && value.Val.getInt().getSignificantBits() <= 62)
      return constantSum(value.Val.getInt().getExtValue());
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const clang::QualType from = cast->getSubExpr()->getType(), to = cast->getType();
    if (from->isDependentType() || to->isDependentType() || !from->isIntegerType() ||
        from->isBooleanType() || !to->isIntegerType() || to->isBooleanType() ||
        body_.unit.context().getTypeSize(to) < 32)
      return std::nullopt;
    return sumOf(cast->getSubExpr(), state, depth + 1, limits);
  }
  if (const auto builtin = asBuiltinPart(e))
    return builtinSum(builtin->of, builtin->name, builtin->part);
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    if (const auto* given = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(use->getDecl()))
      return parameterSum(given);
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (const auto known = state.integers.find(variable); known != state.integers.end())
      return known->second;
    if (const auto known = state.clamped.find(variable); known != state.clamped.end()) {
      if (!limits)
        return std::nullopt;
      limits->insert(limits->end(), known->second.second.begin(), known->second.second.end());
      return known->second.first;
    }
    const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable);
    const LocalVariable* local = parameter ? body_.variables.find(parameter) : nullptr;
    if (!parameter || parameter->getType()->isReferenceType() ||
        (local && (local->modified || local->escapes)))
      return std::nullopt;
    return gridSum(parameter->getNameAsString(), parameter->getType(), parameter);
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* of = llvm::dyn_cast_or_null<clang::ParmVarDecl>(namedBy(member->getBase()));
    const LocalVariable* local = of ? body_.variables.find(of) : nullptr;
    if (!of || member->isArrow() || of->getType()->isReferenceType() ||
        (local && (local->modified || local->escapes)))
      return std::nullopt;
    return gridSum(of->getNameAsString() + "." + member->getMemberDecl()->getNameAsString(),
                   member->getType(), of);
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
    const auto left = sumOf(op->getLHS(), state, depth + 1, limits);
    auto right = left ? sumOf(op->getRHS(), state, depth + 1, limits) : std::nullopt;
    // `threadIdx.x + 1 + (-1)`, from a macro, is `threadIdx.x + 1 - 1`.
    if (left && !right && op->getOpcode() == clang::BO_Add)
      right = wrappedBack(op->getRHS());
    if (!right)
      return std::nullopt;
    switch (op->getOpcode()) {
    case clang::BO_Add:
      return *left + *right;
    case clang::BO_Sub:
      return withoutQuotients(*left - *right);
    case clang::BO_Mul:
      return *left * *right;
    case clang::BO_Div:
    case clang::BO_Rem:
      return partSum(*left, *right, op->getOpcode() == clang::BO_Rem);
    default:
      return std::nullopt;
    }
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
      op && op->getOpcode() == clang::UO_Minus) {
    const auto value = sumOf(op->getSubExpr(), state, depth + 1, limits);
    return value ? std::optional(*value * -1) : std::nullopt;
  }
  return limits ? clampedSum(e, state, depth + 1, *limits) : std::nullopt;
}

void March::declareInteger(const clang::VarDecl* variable, State& state, bool top) {
  const LocalVariable* local = body_.variables.find(variable);
  if (!local || !local->integer || local->escapes || !variable->hasInit() ||
      body_.unit.context().getTypeSize(variable->getType()) < 32)
    return;
  const bool ofBlock = top && !local->modified && body_.variables.isUniform(variable->getInit());
  clang::Expr::EvalResult value;
  const bool constant = !variable->getInit()->isValueDependent() &&
                        variable->getInit()->EvaluateAsInt(value, body_.unit.context());
  const auto sum = sumOf(variable->getInit(), state);
  const bool asksBlock =
      sum && std::any_of(sum->begin(), sum->end(), [&](const auto& term) {
        return std::any_of(term.first.begin(), term.first.end(), [&](unsigned s) {
          return llvm::StringRef(symbols_[s].text).starts_with("blockIdx.");
        });
      });
  if (ofBlock && !constant && !expand_ && !asksBlock) {
    const Sum named = gridSum(variable->getNameAsString(), variable->getType(), variable);
    if (sum && !names(*sum, named.begin()->first[0]))
      defined_[named.begin()->first[0]] = *sum;
    state.integers[variable] = named;
  } else if (sum)
    state.integers[variable] = *sum;
  else if (ofBlock)
    state.integers[variable] = gridSum(variable->getNameAsString(), variable->getType(), variable);
  else if (Needs limits; const auto inside = sumOf(variable->getInit(), state, 0, &limits))
    state.clamped[variable] = {*inside, limits};
}

/// Whether an operator asks for both of its conditions, or for one of them: also `a < n & b < n`.
static std::optional<bool> joins(const clang::BinaryOperator* op) {
  const auto isTruth = [](const clang::Expr* e) { return plainly(e)->getType()->isBooleanType(); };
  const clang::BinaryOperatorKind kind = op->getOpcode();
  if (!op->isLogicalOp() && ((kind != clang::BO_And && kind != clang::BO_Or) ||
                             !isTruth(op->getLHS()) || !isTruth(op->getRHS())))
    return std::nullopt;
  return kind == clang::BO_LAnd || kind == clang::BO_And;
}

bool March::read(const clang::Expr* e, bool holds, const State& state, Needs& out, unsigned depth) {
  e = plainly(e);
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* flag = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const LocalVariable* local = flag ? body_.variables.find(flag) : nullptr;
    if (!local || !flag->getType()->isIntegerType() || !flag->hasLocalStorage() ||
        llvm::isa<clang::ParmVarDecl>(flag) || !flag->hasInit() || local->modified ||
        local->escapes || depth > 8 || !isFixed(flag->getInit()))
      return false;
    return read(flag->getInit(), holds, state, out, depth + 1);
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
    return op->getOpcode() == clang::UO_LNot &&
           read(op->getSubExpr(), !holds, state, out, depth + 1);
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return false;
  if (const auto both = joins(op))
    return *both == holds && read(op->getLHS(), holds, state, out, depth + 1) &&
           read(op->getRHS(), holds, state, out, depth + 1);
  if (!op->isComparisonOp())
    return false;
  const auto left = sumOf(op->getLHS(), state), right = left ? sumOf(op->getRHS(), state) : left;
  if (!left || !right)
    return false;
  // Without a sign `x - 1 < n` says something else for x = 0.
  if ((!op->getLHS()->getType()->isSignedIntegerType() ||
       !op->getRHS()->getType()->isSignedIntegerType()) &&
      (subtracts(*left) || subtracts(*right)))
    return false;
  const Sum one = constantSum(1);
  const clang::BinaryOperatorKind asked =
      holds ? op->getOpcode() : clang::BinaryOperator::negateComparisonOp(op->getOpcode());
  // Nor is what lies below 0 less: only sizes are taken for what does not.
  const Sum& greater = asked == clang::BO_LT || asked == clang::BO_LE ? *right : *left;
  if ((!op->getLHS()->getType()->isSignedIntegerType() ||
       !op->getRHS()->getType()->isSignedIntegerType()) &&
      symbols_.hasAtoms(greater) && !neverNegative(greater) && asked != clang::BO_EQ)
    return false;
  switch (asked) {
  case clang::BO_LT:
    out.push_back(*right - *left - one);
    return true;
  case clang::BO_LE:
    out.push_back(*right - *left);
    return true;
  case clang::BO_GT:
    out.push_back(*left - *right - one);
    return true;
  case clang::BO_GE:
    out.push_back(*left - *right);
    return true;
  case clang::BO_EQ:
    out.push_back(*left - *right);
    out.push_back(*right - *left);
    return true;
  default:
    return false;
  }
}

bool March::isFixed(const clang::Expr* e) const {
  const Named named(e);
  return named.calls.empty() && named.changed.empty() &&
         std::all_of(named.variables.begin(), named.variables.end(),
                     [&](const clang::VarDecl* variable) {
                       const LocalVariable* local = body_.variables.find(variable);
                       return !local || (!local->modified && !local->escapes);
                     });
}

void March::learn(const clang::Expr* e, bool holds, const State& state, Needs& out) {
  e = plainly(e);
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
      op && op->getOpcode() == clang::UO_LNot)
    return learn(op->getSubExpr(), !holds, state, out);
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plainly(e));
  if (op && joins(op) == holds) {
    learn(op->getLHS(), holds, state, out);
    learn(op->getRHS(), holds, state, out);
    return;
  }
  if (const clang::VarDecl* flag = namedBy(e); flag && flag->hasInit()) {
    const LocalVariable* local = body_.variables.find(flag);
    if (local && !local->modified && !local->escapes && flag->getType()->isIntegerType() &&
        isFixed(flag->getInit()))
      return learn(flag->getInit(), holds, state, out);
  }
  Needs own;
  if (read(e, holds, state, own))
    out.insert(out.end(), own.begin(), own.end());
  // What is at least 0 and is not 0 is at least 1.
  if (op && op->isEqualityOp() && (op->getOpcode() == clang::BO_NE) == holds) {
    const auto left = sumOf(op->getLHS(), state), right = left ? sumOf(op->getRHS(), state) : left;
    if (right)
      for (const Sum& apart : {*left - *right, *right - *left})
        if (follows(apart, out))
          out.push_back(apart - constantSum(1));
  }
}

Sum March::writtenOut(const Sum& sum) const {
  Sum out;
  for (const auto& [product, times] : sum) {
    Sum term = constantSum(times);
    for (const unsigned s : product) {
      const auto known = defined_.find(s);
      term = term * (known == defined_.end() ? symbolSum(s) : writtenOut(known->second));
    }
    out = out + term;
  }
  return out;
}

bool March::neverNegative(const Sum& sum) const {
  // A name may say more than what it stands for, or less.
  for (const Sum& said : {sum, writtenOut(sum)}) {
    std::vector<Sum> asked;
    const auto least = symbols_.extreme(said, false, {}, asked);
    if (least && asked.empty() &&
        (symbols_.isNeverNegative(*least) || symbols_.isNeverNegative(writtenOut(*least))))
      return true;
  }
  return false;
}

bool March::follows(const Sum& need, const Needs& known) const {
  return neverNegative(need) || std::any_of(known.begin(), known.end(), [&](const Sum& other) {
           return neverNegative(need - other);
         });
}

bool March::follows(const Needs& needs, const Needs& known) const {
  return std::all_of(needs.begin(), needs.end(),
                     [&](const Sum& need) { return follows(need, known); });
}

void March::add(Needs& needs, const Needs& more) const {
  for (const Sum& need : more)
    if (!follows(need, needs))
      needs.push_back(need);
}

} // namespace cu2cpp::marches
