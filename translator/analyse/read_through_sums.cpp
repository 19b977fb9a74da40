// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are read through (read_through.cpp): integers of a kernel as sums, and the places that
// they are in arrays.
#include "analyse/read_through.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/slopes.h"

namespace cu2cpp::copies {

std::optional<Sum> InsideGrid::sumOf(const clang::Expr* e, Known& known, unsigned depth) {
  constexpr unsigned deepest = 24;
  if (depth > deepest)
    return std::nullopt;
  e = e->IgnoreParens();
  if (!e->isValueDependent()) {
    clang::Expr::EvalResult value;
    if (!e->getType()->isIntegerType() || e->getType()->isBooleanType())
      return std::nullopt;
    if (e->EvaluateAsInt(value, unit_.context()) && value.Val.getInt().getSignificantBits() <= 62)
      return constantSum(value.Val.getInt().getExtValue());
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const clang::Expr* of = cast->getSubExpr();
    const clang::QualType from = of->getType(), to = cast->getType();
    if (!from->isDependentType() && !to->isDependentType() &&
        (!from->isIntegerType() || from->isBooleanType() || to->isBooleanType() ||
         unit_.context().getTypeSize(to) < 32))
      return std::nullopt;
    return sumOf(of, known, depth + 1);
  }
  if (const auto builtin = asBuiltinPart(e))
    return builtinSum(builtin->of, builtin->name, builtin->part, known);
  if (isRankInBlock(e)) {
    const auto part = [&](Builtin of, const char* name, const char* p) {
      return builtinSum(of, name, p, known);
    };
    return part(ThreadIdx, "threadIdx", "x") +
           part(BlockDim, "blockDim", "x") *
               (part(ThreadIdx, "threadIdx", "y") +
                part(BlockDim, "blockDim", "y") * part(ThreadIdx, "threadIdx", "z"));
  }
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e))
    return variableSum(use, known, depth);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const clang::VarDecl* of = namedBy(member->getBase());
    if (!of || !llvm::isa<clang::ParmVarDecl>(of) || member->isArrow() || changes(of) ||
        of->getType()->isReferenceType())
      return std::nullopt;
    return gridSum(of->getNameAsString() + "." + member->getMemberDecl()->getNameAsString());
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return operatorSum(op, known, depth);
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e)) {
    const auto value = sumOf(op->getSubExpr(), known, depth + 1);
    if (value && op->getOpcode() == clang::UO_Minus)
      return *value * -1;
    return op->getOpcode() == clang::UO_Plus ? value : std::nullopt;
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e))
    return choiceSum(choice, known, depth);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
    return callSum(call, known, depth);
  return std::nullopt;
}

Sum InsideGrid::builtinSum(Builtin of, const std::string& name, const std::string& part,
                           const Known& known) {
  if (of == BlockDim)
    if (const auto size = sizes_.find(part); size != sizes_.end())
      return constantSum(size->second);
  Symbol symbol;
  symbol.text = name + "." + part;
  symbol.ofGrid = of == BlockIdx || of == GridDim;
  symbol.atom = of == ThreadIdx;
  if (symbol.atom)
    symbol.bounds = {{}, builtinSum(BlockDim, "blockDim", part, known) + constantSum(-1)};
  return atomSum(symbols_.add(symbol.text, symbol), known);
}

Sum InsideGrid::atomSum(unsigned atom, const Known& known) {
  const auto value = known.values.find(atom);
  return value == known.values.end() ? symbolSum(atom) : value->second;
}

Sum InsideGrid::gridSum(const std::string& text) {
  Symbol symbol;
  symbol.text = text;
  symbol.ofGrid = symbol.mayBeNegative = true;
  return symbolSum(symbols_.add(text, symbol));
}

bool InsideGrid::changes(const clang::VarDecl* variable) const {
  const LocalVariable* local = variables_.find(variable);
  return !local || local->modified || local->escapes;
}

std::optional<Sum> InsideGrid::variableSum(const clang::DeclRefExpr* use, Known& known,
                                           unsigned depth) {
  if (const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(use->getDecl())) {
    Symbol symbol;
    symbol.text = value->getNameAsString();
    symbol.mayBeNegative = true;
    return symbolSum(symbols_.add(symbol.text, symbol));
  }
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
  if (!variable)
    return std::nullopt;
  if (const auto value = known.variables.find(variable); value != known.variables.end()) {
    const auto atom = value->second.size() == 1 && value->second.begin()->first.size() == 1
                          ? known.values.find(value->second.begin()->first[0])
                          : known.values.end();
    return atom == known.values.end() ? value->second : atom->second;
  }
  if (changes(variable) || !variable->hasLocalStorage() || variable->getType()->isReferenceType())
    return std::nullopt;
  if (llvm::isa<clang::ParmVarDecl>(variable))
    return variable->getDeclContext() == kernel_
               ? std::optional(gridSum(variable->getNameAsString()))
               : std::nullopt;
  if (!variable->hasInit() || (!variable->getType()->isDependentType() &&
                               unit_.context().getTypeSize(variable->getType()) < 32))
    return std::nullopt;
  return sumOf(variable->getInit(), known, depth + 1);
}

std::optional<Sum> InsideGrid::operatorSum(const clang::BinaryOperator* op, Known& known,
                                           unsigned depth) {
  const auto left = sumOf(op->getLHS(), known, depth + 1);
  const auto right = left ? sumOf(op->getRHS(), known, depth + 1) : std::nullopt;
  if (!right)
    return std::nullopt;
  switch (op->getOpcode()) {
  case clang::BO_Add:
    return *left + *right;
  case clang::BO_Sub:
    return withoutQuotients(*left - *right, known);
  case clang::BO_Mul:
    return *left * *right;
  case clang::BO_Shl:
    if (const auto by = asConstant(*right); by && *by >= 0 && *by < 16)
      return *left * (1ll << *by);
    return std::nullopt;
  case clang::BO_Div:
  case clang::BO_Rem:
    return partSum(op->getOpcode() == clang::BO_Div, *left, *right, known);
  default:
    return std::nullopt;
  }
}

std::optional<Sum> InsideGrid::partSum(bool quotient, const Sum& left, const Sum& right,
                                       Known& known) {
  const auto by = asConstant(right);
  if (by && *by > 0 && !symbols_.isOfGrid(left) && symbols_.hasAtoms(left)) {
    std::vector<Sum> asked;
    const auto least = symbols_.extreme(left, false, known.bounds, asked);
    const auto most = symbols_.extreme(left, true, known.bounds, asked);
    const auto lowest = least ? asConstant(*least) : std::nullopt;
    const auto highest = most ? asConstant(*most) : std::nullopt;
    if (!lowest || *lowest < 0 || !highest || !asked.empty())
      return std::nullopt;
    Symbol symbol;
    symbol.atom = true;
    symbol.bounds = {{}, constantSum(quotient ? *highest / *by : *by - 1)};
    std::string key = quotient ? "/" : "%";
    for (const auto& [product, times] : left) {
      key += " " + std::to_string(times);
      for (const unsigned s : product)
        key += "*" + std::to_string(s);
    }
    if (const std::pair<Sum, Sum> divided(left, right);
        quotient && std::find(quotients_.begin(), quotients_.end(), divided) == quotients_.end())
      quotients_.push_back(divided);
    return atomSum(symbols_.add(key + " " + std::to_string(*by), symbol), known);
  }
  if (quotient || by || right.size() != 1 || right.begin()->second != 1 ||
      !symbols_.isOfGrid(right))
    return std::nullopt;
  Sum rest = left;
  if (const auto wraps = rest.find(right.begin()->first); wraps != rest.end())
    rest.erase(wraps);
  return demand(rest, known) && demand(right - rest + constantSum(-1), known) ? std::optional(rest)
                                                                              : std::nullopt;
}

Sum InsideGrid::withoutQuotients(const Sum& sum, Known& known) {
  for (const auto& [whole, by] : quotients_) {
    const auto part = partSum(true, whole, by, known), rest = partSum(false, whole, by, known);
    if (!part || !rest)
      continue;
    if (const Sum other = sum - whole + *part * by; other.size() < sum.size())
      return other + *rest;
  }
  return sum;
}

std::optional<Sum> InsideGrid::choiceSum(const clang::ConditionalOperator* choice, Known& known,
                                         unsigned depth) {
  for (const bool holds : {true, false}) {
    const auto demanded = conditions_;
    Known inside = known;
    const auto value =
        sumOf(holds ? choice->getTrueExpr() : choice->getFalseExpr(), inside, depth + 1);
    if (value && differs(*value) && isOfGrid(choice->getCond(), known) &&
        assume(choice->getCond(), holds, known))
      return value;
    conditions_ = demanded;
  }
  return std::nullopt;
}

bool InsideGrid::differs(const Sum& sum) const {
  return std::any_of(sum.begin(), sum.end(), [&](const auto& term) {
    return std::any_of(term.first.begin(), term.first.end(), [&](unsigned symbol) {
      const Symbol& s = symbols_[symbol];
      return s.atom || llvm::StringRef(s.text).starts_with("blockIdx.");
    });
  });
}

std::optional<Sum> InsideGrid::callSum(const clang::CallExpr* call, Known& known, unsigned depth) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (!callee || llvm::isa<clang::CXXMemberCallExpr>(call))
    return std::nullopt;
  const llvm::StringRef name = callee->getDeclName().isIdentifier() ? callee->getName() : "";
  const bool isUser = unit_.isUser(callee->getLocation());
  if (!isUser && (name == "min" || name == "max") && call->getNumArgs() == 2) {
    const auto a = sumOf(call->getArg(0), known, depth + 1);
    const auto b = a ? sumOf(call->getArg(1), known, depth + 1) : std::nullopt;
    if (!b || differs(*a) == differs(*b))
      return std::nullopt;
    const Sum& mine = differs(*a) ? *a : *b;
    const Sum& bound = differs(*a) ? *b : *a;
    return demand(name == "min" ? bound - mine : mine - bound, known) ? std::optional(mine)
                                                                      : std::nullopt;
  }
  const clang::FunctionDecl* body = nullptr;
  if (!isUser || !callee->hasBody(body) || body->isDependentContext())
    return std::nullopt;
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body->getBody());
  const auto* back =
      list && list->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(list->body_front()) : nullptr;
  if (!back || !back->getRetValue() || body->getNumParams() != call->getNumArgs())
    return std::nullopt;
  Known inside = known;
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    const auto value = sumOf(call->getArg(i), known, depth + 1);
    if (!value || !body->getParamDecl(i)->getType()->isIntegerType())
      return std::nullopt;
    inside.variables[body->getParamDecl(i)] = *value;
  }
  return sumOf(back->getRetValue(), inside, depth + 1);
}

std::optional<Sum> InsideGrid::sumAsItIs(const clang::Expr* e, Known& known) {
  const auto demanded = conditions_;
  const auto sum = sumOf(e, known);
  const bool asked = conditions_ != demanded;
  conditions_ = demanded;
  return asked ? std::nullopt : sum;
}

Sum InsideGrid::sizeOfBlock(const std::string& part) {
  return builtinSum(BlockDim, "blockDim", part, {});
}

std::optional<Place> InsideGrid::loaded(const clang::Expr* e, Known& known, unsigned depth) {
  e = plainly(e);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
    for (const bool holds : {true, false}) {
      const auto demanded = conditions_;
      const auto place =
          loaded(holds ? choice->getTrueExpr() : choice->getFalseExpr(), known, depth);
      if (place && isOfGrid(choice->getCond(), known) && assume(choice->getCond(), holds, known))
        return place;
      conditions_ = demanded;
    }
    return std::nullopt;
  }
  if (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const auto base = pointed(at->getBase(), known);
    const auto index = base ? sumOf(at->getIdx(), known) : std::nullopt;
    return index ? std::optional(Place{base->array, base->index + *index}) : std::nullopt;
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
      op && op->getOpcode() == clang::UO_Deref)
    return pointed(op->getSubExpr(), known);
  const clang::VarDecl* variable = namedBy(e);
  if (variable && depth < 4 && variable->hasLocalStorage() && variable->hasInit() &&
      !llvm::isa<clang::ParmVarDecl>(variable) && !changes(variable))
    return loaded(variable->getInit(), known, depth + 1);
  return std::nullopt;
}

std::optional<Place> InsideGrid::pointed(const clang::Expr* e, Known& known, unsigned depth) {
  e = plainly(e);
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
      op && op->getOpcode() == clang::BO_Add && op->getLHS()->getType()->isPointerType()) {
    const auto base = pointed(op->getLHS(), known, depth);
    const auto index = base ? sumOf(op->getRHS(), known) : std::nullopt;
    return index ? std::optional(Place{base->array, base->index + *index}) : std::nullopt;
  }
  const clang::VarDecl* variable = namedBy(e);
  if (!variable || !variable->getType()->isPointerType() || changes(variable) || depth > 4)
    return std::nullopt;
  if (const auto* given = llvm::dyn_cast<clang::ParmVarDecl>(variable))
    return Place{given, {}};
  return variable->hasLocalStorage() && variable->hasInit()
             ? pointed(variable->getInit(), known, depth + 1)
             : std::nullopt;
}

} // namespace cu2cpp::copies
