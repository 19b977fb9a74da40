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

std::string Splitter::givenArray(const clang::Expr* array) const {
  array = array->IgnoreParenImpCasts();
  // `reinterpret_cast<const float4*>(x)[i]`
  if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(array)) {
    const clang::Expr* from = cast->getSubExprAsWritten();
    const std::string given = cast->getType()->isPointerType() &&
                                      !cast->getType()->isDependentType() &&
                                      from->getType()->isPointerType()
                                  ? givenArray(from)
                                  : std::string();
    return given.empty() ? "" : castTo(cast->getType(), given);
  }
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(array);
  const bool isField =
      member && !member->isArrow() && llvm::isa<clang::FieldDecl>(member->getMemberDecl());
  const auto* given = llvm::dyn_cast_or_null<clang::ParmVarDecl>(
      variableOf(isField ? member->getBase()->IgnoreParenImpCasts() : array));
  if (!given || !array->getType()->isPointerType() || given->getType()->isReferenceType() ||
      regions_.modifiedParameters.count(given))
    return "";
  return given->getNameAsString() +
         (isField ? "." + member->getMemberDecl()->getNameAsString() : std::string());
}

std::string Splitter::castTo(clang::QualType type, const std::string& value) const {
  return "((" + type.getAsString(policy()) + ")(" + value + "))";
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
    static bool namesOthers(const clang::Expr* e) {
      const Contents contents(e);
      return std::any_of(contents.uses.begin(), contents.uses.end(),
                         [](const clang::VarDecl* v) { return !llvm::isa<clang::ParmVarDecl>(v); });
    }
    static bool subtracts(const clang::Expr* e) {
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
      return op && (op->getOpcode() == clang::BO_Sub || subtracts(op->getLHS()) ||
                    subtracts(op->getRHS()));
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
      if (op->getOpcode() != clang::BO_Add || !names(op->getLHS()))
        return true;
      if (!op->getRHS()->isValueDependent() && op->getRHS()->EvaluateAsInt(by, *context))
        found(by.Val.getInt().getExtValue());
      else if (namesOthers(op->getRHS()) && !subtracts(op->getRHS()))
        found(1); // `k + r`, in a loop over a stencil's reach
      return true;
    }
    unsigned depth = 0;
  } finder;
  finder.counter = counter;
  finder.context = &context;
  finder.TraverseStmt(const_cast<clang::Expr*>(index));
  return finder.ahead;
}

/// The for loops in a step, if all have constant limits, with their counters.
class ShortLoops : public SyntaxVisitor {
public:
  explicit ShortLoops(const clang::Stmt* body) { TraverseStmt(const_cast<clang::Stmt*>(body)); }
  std::map<const clang::VarDecl*, const clang::BinaryOperator*> counters; ///< with their conditions
  bool onlyShort = true;

  bool VisitForStmt(clang::ForStmt* loop) override {
    const clang::VarDecl* counter = AccessesInBlock::counterOf(loop);
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
    clang::Expr::EvalResult value;
    constexpr int most = 8;
    if (!counter || !counter->getType()->isIntegerType() || !test ||
        namedBy(test->getLHS()) != counter ||
        (test->getOpcode() != clang::BO_LT && test->getOpcode() != clang::BO_LE) ||
        (!test->getRHS()->isValueDependent() &&
         (!test->getRHS()->EvaluateAsInt(value, counter->getASTContext()) ||
          value.Val.getInt() > most)))
      return onlyShort = false;
    counters[counter] = test;
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt*) override { return onlyShort = false; }
  bool VisitDoStmt(clang::DoStmt*) override { return onlyShort = false; }
};

} // namespace

bool Splitter::bindLastSteps(
    const RegionText& named,
    const std::map<const clang::VarDecl*, const clang::BinaryOperator*>& counters,
    std::string& lines) const {
  for (const clang::VarDecl* variable : named.uses) {
    const auto loop = counters.find(variable);
    if (loop != counters.end()) {
      const bool upTo = loop->second->getOpcode() == clang::BO_LE;
      RegionText limit;
      limit.add(loop->second->getRHS());
      if (!plan_.text.isWhole(loop->second->getRHS()) || !limit.uses.empty())
        return false;
      lines += "const " + typeOf(variable) + " " + variable->getNameAsString() + " = (" +
               expressionText(loop->second->getRHS()) + ")" + (upTo ? "" : " - 1") + "; ";
    }
  }
  return true;
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
  const ShortLoops loops(body);
  Slopes slopes(body_, "x");
  const std::size_t most = ofKeptRow() ? 3 : 2;
  std::set<std::string> arrays;
  std::string out;
  // Arrays of which no place lies steps ahead come last: whole rows of those are fetched, too.
  std::vector<std::pair<const clang::ArraySubscriptExpr*, bool>> all;
  for (const bool further : {true, false})
    for (const clang::ArraySubscriptExpr* access : accesses.all)
      if (further || ofKeptRow())
        all.push_back({access, further});
  for (const auto& [access, further] : all) {
    const std::string array = givenArray(access->getBase());
    const clang::Expr* index = access->getIdx();
    // What lies steps ahead: `in[place + plane]`, `in[place + R * plane]`.
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(index->IgnoreParenImpCasts());
    if (array.empty() || arrays.size() == most || !sum || sum->getOpcode() != clang::BO_Add ||
        !index->getType()->isIntegerType() || !plan_.text.isWhole(index) ||
        slopes.slope(index) != 1 || !isHarmless(index, isThere))
      continue;
    RegionText ahead, named;
    ahead.add(sum->getRHS());
    named.add(index);
    std::string lines;
    const bool isAhead = ahead.uses.count(variableOf(step)) && !ahead.uses.count(moving);
    if ((further && !isAhead) || (out.empty() && !further) || !named.uses.count(moving) ||
        !bindLastSteps(named, loops.counters, lines) || !arrays.insert(array).second)
      continue;
    for (const std::string& line : bindings({}, named))
      lines += line + " ";
    const std::string name = moving->getNameAsString();
    out += "\n" + plan_.text.indentation(beginOf(loop->getBeginLoc())) +
           "  cu2cpp::prefetchNextStep(cuBlock, " + array + ", " + name + " + (" +
           expressionText(step) + "), [&](const uint3 threadIdx, const " + typeOf(moving) + " " +
           name + ") { " + lines + "return " + expressionText(index) + "; });";
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
  const ShortLoops loops(loop->getBody());
  // Beside much work between barriers there is time to wait for memory.
  if (!counter || variableOf(step->getSubExpr()) != counter ||
      !counter->getType()->isIntegerType() || !isStored(counter, Storage::Block) ||
      (accesses.hasLoop && !(ofKeptRow() && loops.onlyShort)))
    return "";
  struct Furthest {
    std::string array;
    const clang::Expr* index;
    long long ahead;
  };
  std::vector<Furthest> chosen;
  for (const clang::ArraySubscriptExpr* access : accesses.all) {
    const std::string array = givenArray(access->getBase());
    const clang::Expr* index = access->getIdx();
    // What the step itself declares for it: `int at = n * k + x; ... a[at]`. That it may change
    // behind that does no harm.
    if (const auto* place = variableOf(index);
        place && place->hasLocalStorage() && place->hasInit() && !regions_.storage.count(place) &&
        plan_.text.sources().isBeforeInTranslationUnit(loop->getBeginLoc(), place->getLocation()))
      index = place->getInit();
    if (array.empty() || !index->getType()->isIntegerType() || !plan_.text.isWhole(index) ||
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
    if (!bindLastSteps(named, loops.counters, lines))
      continue;
    for (const std::string& line : bindings({}, named))
      lines += line + " ";
    const std::string name = counter->getNameAsString();
    out += "\n" + plan_.text.indentation(beginOf(loop->getBeginLoc())) +
           "  cu2cpp::prefetchNextStep(cuBlock, " + chosen[i].array + ", " + name +
           (plan_.options.lineDirectives ? " + cu2cpp::stepsAhead(cuBlock)" : " + 1") +
           ", [&](const uint3 threadIdx, const " + typeOf(counter) + " " + name + ") { " + lines +
           "return " + expressionText(chosen[i].index) + "; });";
  }
  return out;
}

} // namespace cu2cpp
