// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which each thread takes several numbers of a row as one structure count structures:
//
//   for (int i = threadIdx.x * 4; i < n; i += blockDim.x * 4) {
//     float4 v = *reinterpret_cast<const float4*>(x + i);
//     sum += v.x + v.y;
//     y[i] = v.z;
//   }
//   ->
//   for (int cuCount_i = threadIdx.x; cuCount_i < n / 4 + (n % 4 > 0); cuCount_i += blockDim.x) {
//     const int i = cuCount_i * 4;
//     float4 v = reinterpret_cast<const float4*>(x)[cuCount_i];
//     ...
//
// Neighbouring threads then are one apart, and a step may run for all of them at once.
#include "analyse/plain_body.h"

#include <string>

namespace cu2cpp {
namespace {

/// `a * 4`, `4 * a`: the number and the rest.
struct Product {
  long long factor = 0;
  const clang::Expr* rest = nullptr;
};
std::optional<Product> productOf(const clang::Expr* e) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
  if (!op || op->getOpcode() != clang::BO_Mul)
    return std::nullopt;
  for (const auto& [number, rest] :
       {std::pair(op->getRHS(), op->getLHS()), std::pair(op->getLHS(), op->getRHS())})
    if (const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(number->IgnoreParenImpCasts()))
      return Product{literal->getValue().getSExtValue(), rest};
  return std::nullopt;
}

/// A loop that counts by structures, as it is written.
struct Counted {
  const clang::VarDecl* variable = nullptr;
  long long size = 0; ///< of a structure, in elements
  const clang::Expr *start = nullptr, *bound = nullptr, *step = nullptr;
};

bool isInt(const clang::Expr* e) {
  return e->IgnoreParenImpCasts()->getType()->isSpecificBuiltinType(clang::BuiltinType::Int);
}

std::optional<Counted> countedBy(const PlainBody& body, const clang::ForStmt* loop) {
  constexpr long long longest = 16;
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* variable = init && init->isSingleDecl()
                             ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                             : nullptr;
  const LocalVariable* local = variable ? body.variables.find(variable) : nullptr;
  const auto* test =
      loop->getCond()
          ? llvm::dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts())
          : nullptr;
  const auto* step = loop->getInc()
                         ? llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens())
                         : nullptr;
  if (!local || local->escapes || !variable->hasInit() || variable->hasAttrs() || !test || !step ||
      loop->getConditionVariable() || local->assignments.size() != 1 ||
      local->assignments.front() != step || step->getOpcode() != clang::BO_AddAssign ||
      test->getOpcode() != clang::BO_LT || variable->getType().hasLocalQualifiers() ||
      !variable->getType()->isSpecificBuiltinType(clang::BuiltinType::Int) ||
      loop->getBeginLoc().isMacroID() || loop->getRParenLoc().isMacroID() ||
      body.mayBeHidden(variable))
    return std::nullopt;
  const auto* counted = llvm::dyn_cast<clang::DeclRefExpr>(test->getLHS()->IgnoreParenImpCasts());
  const auto start = productOf(variable->getInit()), by = productOf(step->getRHS());
  if (!counted || counted->getDecl() != variable || !start || !by || start->factor < 2 ||
      start->factor > longest || by->factor != start->factor || !isInt(test->getRHS()) ||
      !start->rest->getType()->isIntegerType() || !by->rest->getType()->isIntegerType() ||
      !body.isFixed(test->getRHS()) || body.variables.isUniform(variable->getInit()))
    return std::nullopt;
  return Counted{variable, start->factor, start->rest, test->getRHS(), by->rest};
}

/// The places in a loop's body where threads take structures.
class Structures : public SyntaxVisitor {
public:
  Structures(const PlainBody& body, const Counted& loop, const std::string& name)
      : body_(body), loop_(loop), name_(name) {}
  std::vector<std::pair<FileRange, std::string>> edits;
  std::size_t replaced = 0;

  /// `*reinterpret_cast<const float4*>(x + i)`
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    const auto* cast =
        llvm::dyn_cast<clang::CXXReinterpretCastExpr>(op->getSubExpr()->IgnoreParens());
    const auto* sum =
        cast && op->getOpcode() == clang::UO_Deref
            ? llvm::dyn_cast<clang::BinaryOperator>(cast->getSubExpr()->IgnoreParenImpCasts())
            : nullptr;
    if (!sum || sum->getOpcode() != clang::BO_Add || !isCounter(sum->getRHS()) ||
        op->getSubExpr()->IgnoreImpCasts() != cast || cast->getSubExpr()->IgnoreImpCasts() != sum)
      return true;
    const clang::QualType structure = op->getType(), element = sum->getType()->getPointeeType();
    if (element.isNull() || structure->isDependentType() || element->isDependentType() ||
        structure->isIncompleteType() || element->isIncompleteType() ||
        !sum->getLHS()->getType()->isPointerType())
      return true;
    const clang::ASTContext& context = body_.unit.context();
    if (context.getTypeSize(structure) != context.getTypeSize(element) * loop_.size)
      return true;
    const auto star = body_.text.positionOf(op->getOperatorLoc());
    const auto plus = body_.text.positionOf(sum->getOperatorLoc());
    const auto all = body_.text.rangeOf(cast->getSourceRange());
    const auto left = body_.text.rangeOf(sum->getLHS()->getSourceRange());
    if (!star || !plus || !all || !left || op->getOperatorLoc().isMacroID() ||
        sum->getOperatorLoc().isMacroID() || cast->getBeginLoc().isMacroID() ||
        cast->getEndLoc().isMacroID() || star->file != all->file || left->file != all->file ||
        star->offset + 1 != all->begin)
      return true;
    edits.push_back({{all->file, star->offset, star->offset + 1}, ""});
    edits.push_back({{all->file, left->end, all->end}, ")[" + name_ + "]"});
    ++replaced;
    return true;
  }
  /// `reinterpret_cast<const float4*>(x)[i / 4]`
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(access->getIdx()->IgnoreParenImpCasts());
    const auto* by =
        op ? llvm::dyn_cast<clang::IntegerLiteral>(op->getRHS()->IgnoreParenImpCasts()) : nullptr;
    if (!by || !isCounter(op->getLHS()) || access->getBeginLoc().isMacroID())
      return true;
    const bool divides = (op->getOpcode() == clang::BO_Div && by->getValue() == loop_.size) ||
                         (op->getOpcode() == clang::BO_Shr && by->getValue().ult(5) &&
                          1ll << by->getValue().getZExtValue() == loop_.size);
    const auto range = body_.text.rangeOf(op->getSourceRange());
    if (!divides || !range || !body_.isSpelled(op))
      return true;
    edits.push_back({*range, name_});
    ++replaced;
    return true;
  }

private:
  bool isCounter(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return use && use->getDecl() == loop_.variable;
  }
  const PlainBody& body_;
  const Counted& loop_;
  const std::string& name_;
};

bool count(const PlainBody& body, const clang::ForStmt* loop) {
  const auto counted = countedBy(body, loop);
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
  if (!counted || !list || list->getLBracLoc().isMacroID())
    return false;
  const std::string variable = counted->variable->getNameAsString(), name = "cuCount_" + variable;
  Structures structures(body, *counted, name);
  structures.TraverseStmt(const_cast<clang::CompoundStmt*>(list));
  const auto head = body.text.rangeOf(counted->variable->getSourceRange());
  const auto test = body.text.rangeOf(loop->getCond()->getSourceRange());
  const auto step = body.text.rangeOf(loop->getInc()->getSourceRange());
  const auto open = body.text.positionOf(list->getLBracLoc());
  const auto textOf = [&](const clang::Expr* e) -> std::string {
    const auto range = body.text.rangeOf(e->getSourceRange());
    return range ? body.text.text(*range) : std::string();
  };
  const std::string start = textOf(counted->start), bound = textOf(counted->bound),
                    by = textOf(counted->step);
  if (structures.replaced == 0 || !head || !test || !step || !open || start.empty() ||
      bound.empty() || by.empty() || (start + bound + by).find('\n') != std::string::npos)
    return false;
  const bool plain = llvm::isa<clang::DeclRefExpr>(counted->bound->IgnoreParenImpCasts());
  const std::string end = plain ? bound : "(" + bound + ")", size = std::to_string(counted->size);
  std::vector<std::pair<FileRange, std::string>>& edits = structures.edits;
  edits.push_back({*head, "int " + name + " = " + start});
  edits.push_back(
      {*test, name + " < " + end + " / " + size + " + (" + end + " % " + size + " > 0)"});
  edits.push_back({*step, name + " += " + by});
  // Beside the three uses in the head.
  if (body.contents.usesOf(counted->variable) > structures.replaced + 2)
    edits.push_back({{open->file, open->offset + 1, open->offset + 1},
                     " const int " + variable + " = " + name + " * " + size + ";"});
  for (auto& [range, text] : edits)
    body.changes[range.file][range.begin] = {range.end,
                                             withLinesOf(body.text.text(range), std::move(text))};
  return true;
}

} // namespace

void countStructures(const PlainBody& body) {
  const clang::Stmt* last = nullptr;
  for (const clang::Stmt* s : body.contents.loops) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    // A loop within another is left for the next round.
    bool within = false;
    for (const clang::Stmt* at = s; last && at; at = body.variables.parents().getParent(at))
      within |= at == last;
    if (loop && !within && count(body, loop))
      last = loop;
  }
}

} // namespace cu2cpp
