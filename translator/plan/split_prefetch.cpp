// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the next step of a loop around barriers will load is asked for beforehand.
#include "plan/splitter.h"

#include <algorithm>
#include <optional>

#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "plan/prefetch_parts.h"

namespace cu2cpp {

const clang::ParmVarDecl* Splitter::givenArray(const clang::ArraySubscriptExpr* access) const {
  const auto* array = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variableOf(access->getBase()));
  return array && array->getType()->isPointerType() && !regions_.modifiedParameters.count(array)
             ? array
             : nullptr;
}

namespace {

/// By how much an index is ahead of a loop's counter: 1 of a[i + (k + 1) * n]. None if it does not
/// depend on it.
std::optional<long long> stepsAhead(const clang::Expr* index, const clang::VarDecl* counter,
                                    const clang::ASTContext& context) {
  class Finder : public SyntaxVisitor {
  public:
    const clang::VarDecl* counter = nullptr;
    const clang::ASTContext* context = nullptr;
    std::optional<long long> ahead;
    bool names(const clang::Expr* e) const {
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
      return use && use->getDecl() == counter;
    }
    void found(long long by) { ahead = ahead && *ahead > by ? *ahead : by; }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      if (use->getDecl() == counter)
        found(0);
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (variable && variable != counter && variable->hasLocalStorage() && variable->hasInit() &&
          ++depth < 8)
        TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
      return true;
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      clang::Expr::EvalResult by;
      if (op->getOpcode() == clang::BO_Add && names(op->getLHS()) &&
          !op->getRHS()->isValueDependent() && op->getRHS()->EvaluateAsInt(by, *context))
        found(by.Val.getInt().getExtValue());
      return true;
    }
    unsigned depth = 0;
  } finder;
  finder.counter = counter;
  finder.context = &context;
  finder.TraverseStmt(const_cast<clang::Expr*>(index));
  return finder.ahead;
}

} // namespace

bool Splitter::isIndexInRow(const clang::Expr* e) const {
  e = e->IgnoreParenImpCasts();
  if (isPlaceInRow(e))
    return true;
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  return op && op->getOpcode() == clang::BO_Add &&
         ((isIndexInRow(op->getLHS()) && !variesInRow(op->getRHS())) ||
          (isIndexInRow(op->getRHS()) && !variesInRow(op->getLHS())));
}

std::string Splitter::prefetchesOfMovingPlaces(const clang::ForStmt* loop) const {
  // `place += plane;` among the loop's own statements.
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
  if (!body || !plan_.options.lineDirectives)
    return "";
  const clang::VarDecl* moving = nullptr;
  const clang::Expr* step = nullptr;
  for (const clang::Stmt* s : body->body()) {
    const auto* op = llvm::dyn_cast<clang::CompoundAssignOperator>(s);
    const clang::VarDecl* variable =
        op && op->getOpcode() == clang::BO_AddAssign ? variableOf(op->getLHS()) : nullptr;
    if (variable && variable->getType()->isIntegerType() && isStored(variable, Storage::Block) &&
        variableOf(op->getRHS()) && isGroupValue(op->getRHS())) {
      moving = variable;
      step = op->getRHS();
    }
  }
  if (!moving)
    return "";
  const auto isThere = [&](const clang::VarDecl* variable) {
    return isStored(variable, Storage::Block) && plan_.text.sources().isBeforeInTranslationUnit(
                                                     variable->getLocation(), loop->getBeginLoc());
  };
  const Accesses accesses(body);
  Slopes slopes(body_, "x");
  constexpr std::size_t most = 2;
  std::set<const clang::ParmVarDecl*> arrays;
  std::string out;
  for (const clang::ArraySubscriptExpr* access : accesses.all) {
    const clang::ParmVarDecl* array = givenArray(access);
    const clang::Expr* index = access->getIdx();
    // What lies steps ahead: `in[place + plane]`, `in[place + R * plane]`.
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(index->IgnoreParenImpCasts());
    if (!array || arrays.size() == most || !sum || sum->getOpcode() != clang::BO_Add ||
        !index->getType()->isIntegerType() || !plan_.text.isWhole(index) ||
        slopes.slope(index) != 1 || !isHarmless(index, isThere))
      continue;
    RegionText ahead, named;
    ahead.add(sum->getRHS());
    named.add(index);
    if (!ahead.uses.count(variableOf(step)) || ahead.uses.count(moving) ||
        !named.uses.count(moving) || !arrays.insert(array).second)
      continue;
    std::string lines;
    for (const std::string& line : bindings({}, named))
      lines += line + " ";
    const std::string name = moving->getNameAsString();
    out += "\n" + plan_.text.indentation(beginOf(loop->getBeginLoc())) +
           "  cu2cpp::prefetchNextStep(cuBlock, " + array->getNameAsString() + ", " + name +
           " + (" + expressionText(step) + "), [&](const uint3 threadIdx, const " + typeOf(moving) +
           " " + name + ") { " + lines + "return " + expressionText(index) + "; });";
  }
  return out;
}

std::string Splitter::prefetchesOfNextStep(const clang::ForStmt* loop) const {
  if ((inRunBlock() || ofKeptRow()) && !publish_ && level_ == Scope::Block)
    if (std::string moving = prefetchesOfMovingPlaces(loop); !moving.empty())
      return moving;
  const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
  if (!(inRunBlock() || ofKeptRow()) || publish_ || level_ != Scope::Block || !declared ||
      !declared->isSingleDecl() || !step || !step->isIncrementOp())
    return "";
  const auto* counter = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
  const Accesses accesses(loop->getBody());
  // Beside much work between barriers there is time to wait for memory.
  if (!counter || variableOf(step->getSubExpr()) != counter ||
      !counter->getType()->isIntegerType() || !isStored(counter, Storage::Block) ||
      accesses.hasLoop)
    return "";
  struct Furthest {
    const clang::ParmVarDecl* array;
    const clang::Expr* index;
    long long ahead;
  };
  std::vector<Furthest> chosen;
  for (const clang::ArraySubscriptExpr* access : accesses.all) {
    const clang::ParmVarDecl* array = givenArray(access);
    const clang::Expr* index = access->getIdx();
    // What the step itself declares for it: `int at = n * k + x; ... a[at]`. That it may change
    // behind that does no harm.
    if (const auto* place = variableOf(index);
        place && place->hasLocalStorage() && place->hasInit() && !regions_.storage.count(place) &&
        plan_.text.sources().isBeforeInTranslationUnit(loop->getBeginLoc(), place->getLocation()))
      index = place->getInit();
    if (!array || !index->getType()->isIntegerType() || !plan_.text.isWhole(index) ||
        !isIndexInRow(index) || !isHarmless(index))
      continue;
    const std::optional<long long> ahead = stepsAhead(index, counter, plan_.unit.context());
    if (!ahead)
      continue;
    const auto same = std::find_if(chosen.begin(), chosen.end(),
                                   [&](const Furthest& other) { return other.array == array; });
    if (same == chosen.end())
      chosen.push_back({array, index, *ahead});
    else if (*ahead > same->ahead)
      *same = {array, index, *ahead};
  }
  constexpr std::size_t most = 3;
  std::string out;
  for (std::size_t i = 0; i < chosen.size() && i < most; ++i) {
    RegionText named;
    named.add(chosen[i].index);
    std::string lines;
    for (const std::string& line : bindings({}, named))
      lines += line + " ";
    const std::string name = counter->getNameAsString();
    out += "\n" + plan_.text.indentation(beginOf(loop->getBeginLoc())) +
           "  cu2cpp::prefetchNextStep(cuBlock, " + chosen[i].array->getNameAsString() + ", " +
           name + " + 1, [&](const uint3 threadIdx, const " + typeOf(counter) + " " + name +
           ") { " + lines + "return " + expressionText(chosen[i].index) + "; });";
  }
  return out;
}

} // namespace cu2cpp
