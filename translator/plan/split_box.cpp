// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions that are one branch for the threads of a box: those whose places along x, y and z keep to
// bounds on which the block agrees. Only these run, and none of them is asked again.
//
//   if (y >= 1 && y < n && tx > 0)          cu2cpp::eachThreadInBox(cuBlock,
//     out[y * n + x] = tile[ty][tx - 1];        [&](const uint3 threadIdx) {
//                                         ->      return cu2cpp::Box{cu2cpp::Inside().above(tx, 0),
//                                                     cu2cpp::Inside().atLeast(y, 1).below(y, n),
//                                                     cu2cpp::Inside()}; }(uint3{}), ...
//
// Bounds that the block's size decides (tx > 0) are told apart, so that compilers know the box of a
// block that lies inside of the others; and so are those that only parts of the branch ask, and
// those that keep places within bounds (`west = x - 1 < low ? low : x - 1`).
#include "plan/splitter.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "analyse/region_parts.h"
#include "plan/idempotent_code.h"

namespace cu2cpp {

bool Splitter::isOfSize(const clang::Expr* e) const {
  class Names : public SyntaxVisitor {
  public:
    const Splitter* splitter = nullptr;
    bool good = true;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable || builtinOf(variable) == ThreadIdx || builtinOf(variable) == BlockDim ||
          isNamedConstant(variable))
        return true;
      return good = good && splitter->isStored(variable, Storage::Recomputed) &&
                    variable->hasInit() && splitter->isOfSize(variable->getInit());
    }
  } names;
  names.splitter = this;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.good;
}

bool Splitter::isBeforeGuard(const clang::Stmt* s) const {
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
  // What is kept of a variable without a value stays what it was.
  const auto* kept = declaration && declaration->isSingleDecl()
                         ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                         : nullptr;
  if (kept && !kept->hasInit() && kept->getType()->isScalarType() && !kept->hasAttrs() &&
      !regions_.printed.count(s) && isKept(kept))
    return true;
  return declaration && !regions_.printed.count(s) && !keepsPerThread(declaration) &&
         std::all_of(declaration->decl_begin(), declaration->decl_end(),
                     [&](const clang::Decl* decl) {
                       const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                       return variable && !isShared(variable) &&
                              (isStored(variable, Storage::Recomputed) ||
                               (!regions_.storage.count(variable) && variable->hasLocalStorage() &&
                                variable->getType()->isScalarType() &&
                                (!variable->hasInit() ||
                                 !variable->getInit()->HasSideEffects(plan_.unit.context()))));
                     });
}

namespace {

/// The comparisons that branches inside of a statement ask, each for all of its own.
class FurtherGuards : public SyntaxVisitor {
public:
  std::vector<const clang::BinaryOperator*> comparisons;
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool VisitIfStmt(clang::IfStmt* branch) override {
    if (!branch->getInit() && !branch->getConditionVariable() && !branch->isConstexpr())
      add(branch->getCond());
    return true;
  }

private:
  void add(const clang::Expr* condition) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (op && op->getOpcode() == clang::BO_LAnd) {
      add(op->getLHS());
      add(op->getRHS());
    } else if (op) {
      comparisons.push_back(op);
    }
  }
};

} // namespace

std::vector<const clang::Expr*>
Splitter::saidBy(const std::vector<const clang::VarDecl*>& flags) const {
  constexpr std::size_t most = 16;
  std::vector<const clang::Expr*> out, left;
  const auto add = [&](const clang::VarDecl* flag) {
    if (flag->hasInit() && isStored(flag, Storage::Recomputed))
      left.push_back(flag->getInit());
  };
  for (const clang::VarDecl* flag : flags)
    add(flag);
  for (std::size_t i = 0; i < left.size() && i < most; ++i) {
    const clang::Expr* e = left[i]->IgnoreParenImpCasts();
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (op && op->getOpcode() == clang::BO_LAnd) {
      left.push_back(op->getLHS());
      left.push_back(op->getRHS());
    } else if (const clang::VarDecl* flag = namedBy(e)) {
      if (flag->getType()->isBooleanType())
        add(flag);
    } else if (op) {
      out.push_back(op);
    }
  }
  return out;
}

bool Splitter::isIdempotent(const RegionNode& region) const {
  IdempotentCode code(kernel_, *parents_);
  return std::all_of(region.statements.begin(), region.statements.end(),
                     [&](const clang::Stmt* s) {
                       const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
                       const auto* kept =
                           declaration && declaration->isSingleDecl() && keepsPerThread(declaration)
                               ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                               : nullptr;
                       // What is kept of a variable without a value stays what it was.
                       return (kept && !kept->hasInit()) || code.add(s);
                     }) &&
         code.holds();
}

std::string Splitter::boxText(const RegionNode& region, const std::string& newline) {
  const clang::Stmt* last = region.statements.back();
  if (regions_.printed.count(last) ||
      !std::all_of(region.statements.begin(), region.statements.end() - 1,
                   [&](const clang::Stmt* s) { return isBeforeGuard(s); }))
    return "";
  // What is one value for a row would be gathered by a loop that takes only some of a vector.
  if (isForRangeOnly(region))
    return "";

  RegionText named;
  std::vector<const clang::Expr*> decided;
  constexpr const char* parts[] = {"x", "y", "z"};
  using Bounds = std::array<std::string, std::size(parts)>;
  Bounds ofSize, ofBlock, further;
  const auto bound = [&](const clang::BinaryOperator* compare, Bounds* bounds) {
    if (!boundOf(compare->getOpcode()) || !plan_.text.isWhole(compare))
      return;
    for (std::size_t i = 0; i < std::size(parts); ++i) {
      clang::BinaryOperatorKind relation = compare->getOpcode();
      const clang::Expr *place = compare->getLHS(), *limit = compare->getRHS();
      if (!stepAlong(parts[i], place)) {
        std::swap(place, limit);
        relation = clang::BinaryOperator::reverseComparisonOp(relation);
      }
      const unsigned step = stepAlong(parts[i], place);
      if (!step || !isGroupValue(limit, true) || limit->isTypeDependent() ||
          !limit->getType()->isIntegerType())
        continue;
      // What tells threads of each block apart is decided for none of them.
      if (bounds == &further && isOfSize(place))
        return;
      named.add(place);
      named.add(limit);
      Bounds& in = bounds ? *bounds : isOfSize(place) && isOfSize(limit) ? ofSize : ofBlock;
      in[i] += std::string(".") + boundOf(relation) + "(" +
               expressionText(place->IgnoreParenImpCasts()) + ", " +
               expressionText(limit->IgnoreParenImpCasts()) +
               (step > 1 ? ", " + std::to_string(step) : "") + ")";
      decided.push_back(compare);
      return;
    }
  };
  for (const clang::BinaryOperator* compare : guardsOf(last))
    bound(compare, nullptr);
  std::vector<const clang::Expr*> flags;
  if (plan_.options.lineDirectives)
    flags = saidBy(flagsOf(last));
  const std::size_t written = decided.size();
  for (const clang::Expr* part : flags)
    if (const auto* compare = llvm::dyn_cast<clang::BinaryOperator>(part))
      bound(compare, nullptr);
  const std::vector<const clang::Expr*> ofFlags(decided.begin() + written, decided.end());
  decided.resize(written);
  // Ranges of a row alone: eachThreadInside().
  const auto onlyOfRow = [](const Bounds& bounds) {
    return bounds[1].empty() && bounds[2].empty();
  };
  if (onlyOfRow(ofSize) && onlyOfRow(ofBlock))
    return "";
  FurtherGuards inner;
  inner.TraverseStmt(const_cast<clang::Stmt*>(last));
  for (const clang::BinaryOperator* compare : inner.comparisons)
    if (std::find(decided.begin(), decided.end(), compare) == decided.end())
      bound(compare, &further);

  const std::string indentation = newline + "    ";
  const auto isEmpty = [](const Bounds& bounds) {
    return std::all_of(bounds.begin(), bounds.end(),
                       [](const std::string& one) { return one.empty(); });
  };
  const auto boxOf = [&](const Bounds& bounds) -> std::string {
    if (isEmpty(bounds))
      return "cu2cpp::Box{}";
    std::string out = "cu2cpp::Box{";
    for (std::size_t i = 0; i < bounds.size(); ++i)
      out += (i ? "," + indentation : "") + "cu2cpp::Inside()" + bounds[i];
    return out + "}";
  };
  std::string box = boxOf(ofBlock);
  if (!isEmpty(further))
    box = "cu2cpp::BoxWithin{{" + boxOf(ofSize) + "," + indentation + box + "}," + indentation +
          boxOf(further) + "}";
  else if (!isEmpty(ofSize))
    box = "cu2cpp::BoxOfTile{" + boxOf(ofSize) + "," + indentation + box + "}";
  else if (const std::string places = freePlacesText(region, named); !places.empty())
    box = "cu2cpp::BoxOfPlaces{" + box + "," + indentation + places + "}";
  if (plan_.options.lineDirectives && isIdempotent(region))
    box = "cu2cpp::idempotent(" + box + ")";
  std::string out = "[&](const uint3 threadIdx) {";
  for (const std::string& line : bindings({}, named))
    out += newline + line;
  out += newline + "return " + box + "; }(uint3{})," + newline;
  for (const clang::Expr* compare : decided)
    decide(compare);
  for (const clang::Expr* compare : ofFlags)
    put(compare, region, decidedText(compare, true));
  return out;
}

} // namespace cu2cpp
