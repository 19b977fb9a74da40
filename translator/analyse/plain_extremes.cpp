// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp's extreme and where it lies, the search for a pivot:
//
//   for (int o = 16; o > 0; o >>= 1) {
//     const double other = __shfl_xor_sync(~0u, best, o);
//     const int otherRow = __shfl_xor_sync(~0u, row, o);
//     if (other > best || (other == best && otherRow < row)) { best = other; row = otherRow; }
//   }
//   ->
//   { const int cuLane = cu2cpp::laneOfExtreme(best, row, 2);
//     best = __shfl_sync(~0u, best, cuLane); row = __shfl_sync(~0u, row, cuLane); }
//
// which finds the lane that all others take over from by the vectors of the warp's values, unless
// some are no numbers. Likewise with __shfl_down_sync(), where nothing but the first lane's result
// is asked for, and that is one value for the warp:
//
//   for (...) { ...__shfl_down_sync(~0u, best, o)... }
//   p = __shfl_sync(~0u, row, 0);
//   ->
//   const int cuLane = cu2cpp::firstLaneOfExtreme(best, row, 10);
//   p = cu2cpp::ofLane(row, cuLane);
#include "analyse/plain_extremes.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyse/loop_hints.h"
#include "analyse/plain_body.h"
#include "analyse/region_parts.h"
#include "analyse/warp_distances.h"

namespace cu2cpp {
namespace {

/// What headers/cu2cpp/device/warp_extremes.h calls ExtremeKind.
enum Kind { Least = 1, AsksPlace = 2, OfGreaterPlace = 4, ForFirstLane = 8 };

class Extremes : public SyntaxVisitor {
public:
  explicit Extremes(const PlainBody& body)
      : body_(body), context_(body.unit.context()), names_(body.declaredNames()) {}

  bool VisitForStmt(clang::ForStmt* loop) override {
    Search search;
    search.by = halvedDistance(loop, context_);
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
    if (!search.by || !list || !take(search, list) || (search.kind < 0))
      return true;
    if (!isOwn(search.value) || !isOwn(search.place) || search.value == search.place ||
        (search.down &&
         !(isForFirstLane(search.value, loop) && isForFirstLane(search.place, loop))))
      return true;
    rewrite(search, loop);
    return true;
  }

private:
  struct Search {
    const clang::VarDecl* by = nullptr;
    const clang::VarDecl *value = nullptr, *place = nullptr;
    const clang::VarDecl *other = nullptr, *otherAt = nullptr; ///< what another lane has
    bool down = false;
    int kind = -1;
  };
  struct Got {
    const clang::VarDecl *own, *other;
    bool down;
  };

  /// `const double other = __shfl_xor_sync(~0u, best, o)`
  std::optional<Got> got(const clang::Stmt* s, const clang::VarDecl* by) const {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    const auto* other = declaration && declaration->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                            : nullptr;
    if (!other || !other->hasInit())
      return std::nullopt;
    const clang::CallExpr* call = wholeShuffle(other->getInit(), "__shfl_xor_sync", context_);
    const bool down = !call;
    if (down)
      call = wholeShuffle(other->getInit(), "__shfl_down_sync", context_);
    const clang::VarDecl* own = call ? namedBy(call->getArg(1)) : nullptr;
    if (!own || namedBy(call->getArg(2)) != by ||
        !context_.hasSameUnqualifiedType(own->getType(), other->getType()) ||
        !context_.hasSameUnqualifiedType(own->getType(), call->getType()))
      return std::nullopt;
    return Got{own, other, down};
  }

  bool take(Search& search, const clang::CompoundStmt* list) const {
    if (list->size() != 3)
      return false;
    const auto one = got(list->body_begin()[0], search.by);
    const auto two = one ? got(list->body_begin()[1], search.by) : std::nullopt;
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(list->body_begin()[2]);
    if (!two || one->down != two->down || !branch || branch->getElse() || branch->getInit() ||
        branch->getConditionVariable() || branch->isConstexpr())
      return false;
    search.down = one->down;
    for (const auto& [value, place] : {std::pair(*one, *two), std::pair(*two, *one)}) {
      search.value = value.own;
      search.other = value.other;
      search.place = place.own;
      search.otherAt = place.other;
      search.kind = kindOf(branch->getCond(), search);
      if (search.kind >= 0)
        break;
    }
    return search.kind >= 0 && takesBoth(branch->getThen(), search);
  }

  /// 1 where `e` says that x is greater than y, -1 where it says that it is less; else 0.
  static int compares(const clang::Expr* e, const clang::VarDecl* x, const clang::VarDecl* y) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
    if (!op || (op->getOpcode() != clang::BO_GT && op->getOpcode() != clang::BO_LT))
      return 0;
    const int greater = op->getOpcode() == clang::BO_GT ? 1 : -1;
    return namedBy(op->getLHS()) == x && namedBy(op->getRHS()) == y   ? greater
           : namedBy(op->getLHS()) == y && namedBy(op->getRHS()) == x ? -greater
                                                                      : 0;
  }

  static int kindOf(const clang::Expr* condition, const Search& search) {
    const clang::Expr* e = condition->IgnoreParenImpCasts();
    const auto* either = llvm::dyn_cast<clang::BinaryOperator>(e);
    const clang::Expr* better = e;
    int kind = 0;
    if (either && either->getOpcode() == clang::BO_LOr) {
      better = either->getLHS();
      const auto* both =
          llvm::dyn_cast<clang::BinaryOperator>(either->getRHS()->IgnoreParenImpCasts());
      const auto* equal =
          both && both->getOpcode() == clang::BO_LAnd
              ? llvm::dyn_cast<clang::BinaryOperator>(both->getLHS()->IgnoreParenImpCasts())
              : nullptr;
      if (!equal || equal->getOpcode() != clang::BO_EQ ||
          !((namedBy(equal->getLHS()) == search.other &&
             namedBy(equal->getRHS()) == search.value) ||
            (namedBy(equal->getLHS()) == search.value && namedBy(equal->getRHS()) == search.other)))
        return -1;
      const int place = compares(both->getRHS(), search.otherAt, search.place);
      if (place == 0)
        return -1;
      kind = AsksPlace | (place > 0 ? OfGreaterPlace : 0);
    }
    const int value = compares(better, search.other, search.value);
    return value == 0 ? -1 : kind | (value < 0 ? Least : 0) | (search.down ? ForFirstLane : 0);
  }

  /// `{ best = other; row = otherRow; }`, in either order
  static bool takesBoth(const clang::Stmt* s, const Search& search) {
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s);
    if (!list || list->size() != 2)
      return false;
    bool value = false, place = false;
    for (const clang::Stmt* step : list->body()) {
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(step);
      if (!op || op->getOpcode() != clang::BO_Assign)
        return false;
      value |= namedBy(op->getLHS()) == search.value && namedBy(op->getRHS()) == search.other;
      place |= namedBy(op->getLHS()) == search.place && namedBy(op->getRHS()) == search.otherAt;
    }
    return value && place;
  }

  /// A number of each thread's that nobody else changes.
  bool isOwn(const clang::VarDecl* variable) const {
    const LocalVariable* local = body_.variables.find(variable);
    return local && !local->escapes && variable->hasLocalStorage() && !isShared(variable) &&
           variable->getType()->isArithmeticType() && !variable->getType()->isBooleanType() &&
           !variable->getType().isVolatileQualified();
  }

  /// The calls `__shfl_sync(~0u, v, 0)` behind a loop.
  std::vector<const clang::CallExpr*> givenAway(const clang::VarDecl* variable,
                                                const clang::ForStmt* loop) const {
    std::vector<const clang::CallExpr*> calls;
    for (const clang::DeclRefExpr* use : body_.contents.references.at(variable)) {
      const clang::Stmt* at = use;
      while (at && !llvm::isa<clang::CallExpr>(at) && llvm::isa<clang::Expr>(at))
        at = body_.variables.parents().getParent(at);
      if (body_.text.sources().isBeforeInTranslationUnit(loop->getEndLoc(), use->getBeginLoc()))
        calls.push_back(llvm::cast<clang::CallExpr>(at));
    }
    return calls;
  }

  /// Whether all that comes of a variable behind the loop is what the first lane has: it lives in
  /// the loop's list and is given away by `__shfl_sync(~0u, v, 0)` alone.
  bool isForFirstLane(const clang::VarDecl* variable, const clang::ForStmt* loop) const {
    const clang::ParentMap& parents = body_.variables.parents();
    const LocalVariable* local = body_.variables.find(variable);
    const clang::Stmt* around = parents.getParent(loop);
    if (around && llvm::isa<clang::AttributedStmt>(around))
      around = parents.getParent(around);
    if (!local->statement || !around || !llvm::isa<clang::CompoundStmt>(around) ||
        parents.getParent(local->statement) != around)
      return false;
    const auto found = body_.contents.references.find(variable);
    if (found == body_.contents.references.end())
      return false;
    for (const clang::DeclRefExpr* use : found->second) {
      if (!body_.text.sources().isBeforeInTranslationUnit(loop->getEndLoc(), use->getBeginLoc()))
        continue;
      const clang::Stmt* at = use;
      while (at && !llvm::isa<clang::CallExpr>(at) && llvm::isa<clang::Expr>(at))
        at = parents.getParent(at);
      const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(at);
      if (!call || !(call = wholeShuffle(call, "__shfl_sync", context_)) ||
          namedBy(call->getArg(1)) != variable || constantOf(call->getArg(2), context_) != 0)
        return false;
    }
    return true;
  }

  void rewrite(const Search& search, const clang::ForStmt* loop) {
    const auto range = body_.text.rangeOf(loop->getSourceRange());
    if (!range || !body_.isSpelled(loop) || loop->getBeginLoc().isMacroID() ||
        loop->getEndLoc().isMacroID() || body_.mayBeHidden(search.value) ||
        body_.mayBeHidden(search.place))
      return;
    const std::string value = search.value->getNameAsString(),
                      place = search.place->getNameAsString();
    std::string lane = "cuLaneOf_" + value;
    for (unsigned i = 2; names_.count(lane); ++i)
      lane = "cuLane" + std::to_string(i) + "Of_" + value;
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    std::string text;
    const auto find = [&](const char* function) {
      return "const int " + lane + " = cu2cpp::" + function + "(" + value + ", " + place + ", " +
             std::to_string(search.kind) + "); ";
    };
    if (search.down) {
      for (const auto& [use, name] : {std::pair(search.value, value), {search.place, place}})
        for (const clang::CallExpr* call : givenAway(use, loop)) {
          const auto written = body_.text.rangeOf(call->getSourceRange());
          if (!written || written->file != range->file || !body_.isSpelled(call))
            return;
          edits[written->begin] = {
              written->end,
              withLinesOf(body_.text.text(*written), "cu2cpp::ofLane(" + name + ", " + lane + ")")};
        }
      text = find("firstLaneOfExtreme");
    } else {
      const std::string given = "__shfl_sync(0xffffffffu, ";
      text = "{ " + find("laneOfExtreme") + value + " = " + given + value + ", " + lane + "); " +
             place + " = " + given + place + ", " + lane + "); }";
    }
    edits[range->begin] = {range->end, withLinesOf(body_.text.text(*range), text)};
    if (removeHint(body_, loop, *range, edits) && body_.put(range->file, std::move(edits)))
      names_.insert(lane);
  }

  const PlainBody& body_;
  const clang::ASTContext& context_;
  std::set<std::string> names_;
};

} // namespace

void findExtremes(const PlainBody& body) {
  if (!body.contents.lambdas)
    Extremes(body).TraverseStmt(body.function->getBody());
}

} // namespace cu2cpp
