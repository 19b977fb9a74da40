// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are read through (read_through.cpp): what is read of them behind the barrier.
#include "analyse/read_through.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/slopes.h"

namespace cu2cpp::copies {
namespace {

/// The returns in a statement, and whether threads meet in it.
class Returns : public SyntaxVisitor {
public:
  explicit Returns(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  std::vector<const clang::ReturnStmt*> all;
  bool meets = false;
  bool VisitReturnStmt(clang::ReturnStmt* s) override {
    all.push_back(s);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    meets |= isBarrier(call);
    return true;
  }
};

/// Whether a call changes nothing: it computes numbers of numbers, or is a barrier.
bool isHarmless(const clang::CallExpr* call) {
  if (isBarrier(call))
    return true;
  const clang::FunctionDecl* callee = call->getDirectCallee();
  return callee && !llvm::isa<clang::CXXMemberCallExpr>(call) &&
         callee->getReturnType()->isArithmeticType() &&
         std::all_of(callee->param_begin(), callee->param_end(), [](const clang::ParmVarDecl* p) {
           clang::QualType type = p->getType();
           if (const auto* reference = type->getAs<clang::ReferenceType>())
             type = reference->getPointeeType().isConstQualified() ? reference->getPointeeType()
                                                                   : clang::QualType();
           return !type.isNull() && type->isArithmeticType();
         });
}

/// Whether a condition asks if a place lies at an edge: `x == 0 || x >= nx - 1`. Few blocks do.
class Edges {
public:
  explicit Edges(const clang::ASTContext& context) : context_(context) {}

  bool areAll(const clang::Expr* e) const {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
    if (!op)
      return false;
    if (op->getOpcode() == clang::BO_LOr)
      return areAll(op->getLHS()) && areAll(op->getRHS());
    const bool near = isNear(op->getRHS()), far = isFar(op->getRHS());
    switch (op->getOpcode()) {
    case clang::BO_EQ:
      return near || far;
    case clang::BO_LT:
    case clang::BO_LE:
      return near;
    case clang::BO_GT:
    case clang::BO_GE:
      return far;
    default:
      return false;
    }
  }

private:
  bool isNear(const clang::Expr* e) const {
    constexpr long long farthest = 16;
    const auto value = constantOf(e, context_);
    return value && *value >= 0 && *value <= farthest;
  }
  /// `nx`, `g.nx - 1`
  bool isFar(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
        op && op->getOpcode() == clang::BO_Sub && isNear(op->getRHS()))
      e = op->getLHS()->IgnoreParenImpCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e); member && !member->isArrow())
      e = member->getBase()->IgnoreParenImpCasts();
    const clang::VarDecl* size = namedBy(e);
    return size && (llvm::isa<clang::ParmVarDecl>(size) || isNamedConstant(size));
  }
  const clang::ASTContext& context_;
};

class ReadFinder {
public:
  ReadFinder(InsideGrid& inside, const Copies& copies) : inside_(inside), copies_(copies) {}

  std::optional<Reads> find(const clang::FunctionDecl* kernel, const Statements& behind) {
    if (!mayReadThrough(kernel, behind))
      return std::nullopt;
    for (Reads::Returning& returning : out_.returning)
      returning.never = inside_.holdsNowhere(returning.branch->getCond());
    for (const clang::Stmt* s : behind)
      decide(s, kernel->getASTContext());
    return std::move(out_);
  }

private:
  /// Finds what is decided in blocks inside of the grid.
  void decide(const clang::Stmt* s, const clang::ASTContext& context) {
    if (!s || llvm::isa<clang::LambdaExpr>(s))
      return;
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(s);
    const bool fits =
        branch ? !branch->isConstexpr() && !branch->hasInitStorage() && !branch->hasVarStorage()
               : choice && context.hasSameType(choice->getTrueExpr()->getType(),
                                               choice->getFalseExpr()->getType());
    const clang::Expr* condition = !fits ? nullptr : branch ? branch->getCond() : choice->getCond();
    const bool returns =
        std::any_of(out_.returning.begin(), out_.returning.end(),
                    [&](const Reads::Returning& returning) { return returning.branch == s; });
    if (condition && !returns && !condition->isTypeDependent() &&
        Edges(context).areAll(condition) && inside_.holdsNowhere(condition)) {
      out_.never.push_back(s);
      return decide(branch ? branch->getElse() : choice->getFalseExpr(), context);
    }
    for (const clang::Stmt* child : s->children())
      decide(child, context);
  }

  bool findReturns(const Statements& behind) {
    for (const clang::Stmt* s : behind) {
      const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
      const Returns returns(s);
      if (returns.all.empty()) {
        if (!out_.returning.empty() && returns.meets)
          return false;
        continue;
      }
      const clang::Stmt* last = branch ? branch->getThen() : nullptr;
      if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(last))
        last = list->body_empty() ? nullptr : list->body_back();
      if (returns.all.size() != 1 || last != returns.all[0] || branch->getElse() ||
          branch->getInit() || branch->getConditionVariable() || branch->isConstexpr() ||
          returns.meets)
        return false;
      out_.returning.push_back({branch, returns.all[0]});
    }
    return true;
  }

  /// What stands between the copies and the barrier is done before the array is read.
  bool mayStandTwice() {
    Known known;
    for (const clang::Stmt* s : copies_.statements) {
      if (copies_.fills.count(s))
        continue;
      const Piece contents(s);
      if (contents.odd || contents.leaves ||
          !std::all_of(contents.calls.begin(), contents.calls.end(), isHarmless) ||
          !std::all_of(contents.changed.begin(), contents.changed.end(),
                       [&](const clang::Expr* place) { return mayChange(place, known); }))
        return false;
    }
    return true;
  }

  bool mayReadThrough(const clang::FunctionDecl* kernel, const Statements& behind) {
    if (!findReturns(behind) || !mayStandTwice())
      return false;
    Slopes along(kernel->getBody(), "x");
    Known known, inLoops;
    for (const clang::Stmt* s : behind)
      for (const clang::ForStmt* loop : forLoopsIn(s))
        if (const auto steps = stepsOf(inside_, loop, inLoops))
          inLoops = *steps;
    for (const clang::Stmt* s : behind) {
      const Piece contents(s);
      if (contents.odd)
        return false;
      for (const clang::DeclRefExpr* use : contents.others)
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
            copies_.tiles.count(variable))
          return false;
      for (const clang::VarDecl* variable : contents.variables)
        if (isShared(variable) && !copies_.tiles.count(variable) &&
            !copies_.otherShared.count(variable))
          return false;
      for (const clang::ArraySubscriptExpr* e : contents.elements)
        if (const Tile* tile = copies_.tileOf(e)) {
          auto indices = indicesOf(inside_, *tile, elementOf(e), inLoops);
          if (!indices || e->getBeginLoc().isMacroID() || e->getEndLoc().isMacroID() ||
              (!tile->strides.empty() && !placeIn(inside_, *tile, *indices, inLoops)))
            return false;
          for (std::size_t i = 0; i < indices->size(); ++i) {
            unsigned slopes = 0;
            for (const IndexTerm& term : (*indices)[i])
              slopes += term.e ? along.slope(term.e) : 0;
            if (slopes > (i + 1 == indices->size() ? 1u : 0u))
              return false;
          }
          out_.elements[e] = std::move(*indices);
        }
      for (const clang::CallExpr* call : contents.calls)
        if (!isHarmless(call))
          return false;
      for (const clang::Expr* place : contents.changed)
        if (!mayChange(place, known))
          return false;
    }
    return !out_.elements.empty();
  }

  /// Whether what is assigned to lies outside of the pieces that are read, or may be asked to.
  bool mayChange(const clang::Expr* place, Known& known) {
    place = place->IgnoreParens();
    if (copies_.tileOf(place))
      return false;
    if (const clang::VarDecl* variable = namedBy(place))
      return variable->hasLocalStorage() && !variable->getType()->isPointerType() &&
             !variable->getType()->isReferenceType();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
      return !member->isArrow() && mayChange(member->getBase(), known);
    const ArrayElement element = elementOf(place);
    if (element.array && element.array->getType()->isArrayType())
      return isShared(element.array) || element.array->hasLocalStorage();
    const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(place);
    const auto base = at ? inside_.pointed(at->getBase(), known) : std::nullopt;
    if (!base)
      return false;
    const auto index = inside_.sumAsItIs(at->getIdx(), known);
    for (const auto& [variable, tile] : copies_.tiles) {
      const clang::ParmVarDecl* from = tile.writes.front().from.array;
      if (from == base->array)
        return false;
      if (from->getType().isRestrictQualified() || base->array->getType().isRestrictQualified())
        continue;
      if (!index || !keepApart(tile, *base, *index))
        return false;
    }
    return true;
  }

  /// Asks that what is stored lies before or behind what is read.
  bool keepApart(const Tile& tile, const Place& base, const Sum& index) {
    const Known known;
    std::vector<Sum> asked;
    const Sum stored = base.index + index;
    const auto least = inside_.symbols().extreme(stored, false, known.bounds, asked);
    const auto most = inside_.symbols().extreme(stored, true, known.bounds, asked);
    Sum last = tile.first;
    for (std::size_t i = 0; i < tile.sizes.size(); ++i) {
      if (tile.sizes[i] == 0)
        return false;
      last = last + tile.rows[i] * (static_cast<long long>(tile.sizes[i]) - 1);
    }
    if (!least || !most)
      return false;
    for (const Sum& other : asked)
      inside_.demandText(inside_.symbols().print(other) + " >= 0");
    const std::string in = tile.writes.front().from.array->getNameAsString(),
                      out = base.array->getNameAsString();
    const auto at = [&](const std::string& array, const Sum& place) {
      return "(const char*)(" + array + " + (" + inside_.symbols().print(place) + "))";
    };
    inside_.demandText("(" + at(in, last + constantSum(1)) + " <= " + at(out, *least) + " || " +
                       at(out, *most + constantSum(1)) + " <= " + at(in, tile.first) + ")");
    return true;
  }

  InsideGrid& inside_;
  const Copies& copies_;
  Reads out_;
};

} // namespace

std::optional<Reads> findReads(InsideGrid& inside, const Copies& copies,
                               const clang::FunctionDecl* kernel, const Statements& behind) {
  return ReadFinder(inside, copies).find(kernel, behind);
}

} // namespace cu2cpp::copies
