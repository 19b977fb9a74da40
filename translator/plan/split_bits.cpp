// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions in which threads find partners by bits of their places: where the masks' low bits are
// alike, runs of threads reach runs of elements.
//
//   int p = 2 * t - (t & (s - 1));    cu2cpp::eachThreadByBits(cuBlock, [&](const uint3 threadIdx)
//   { swap(a[p], a[p + s]);                 int t = threadIdx.x;
//                                ->       return cu2cpp::BitRuns().low(t, s - 1); }(uint3{}),
//                                         [&](const auto cuBits, const uint3 threadIdx) {
//                                         int t = threadIdx.x;
//                                         int p = 2 * t - cuBits.low(t, s - 1);
//                                         swap(a[p], a[p + s]); });
#include "plan/splitter.h"

#include <algorithm>

namespace cu2cpp {

namespace {

const clang::Expr* plain(const clang::Expr* e) { return e->IgnoreParenImpCasts(); }

} // namespace

/// The operators with a place in the row on one side and a mask of the block on the other.
class MaskedPlaces : public SyntaxVisitor {
public:
  struct Masked {
    const clang::BinaryOperator* op; ///< `place & (power - 1)`, `place ^ power`
    const clang::Expr* place;
    const clang::Expr* mask;
  };
  struct Rise {
    const clang::BinaryOperator* op; ///< `(place ^ power) > place`
    const Masked* partner;
  };
  explicit MaskedPlaces(const Splitter& splitter) : splitter_(splitter) {}
  std::vector<Masked> found;
  std::vector<const clang::BinaryOperator*> comparisons;

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isTypeDependent() || !splitter_.plan_.text.isWhole(op))
      return true;
    if (op->getOpcode() == clang::BO_GT || op->getOpcode() == clang::BO_LT)
      comparisons.push_back(op);
    if (!op->getType()->isIntegerType() ||
        (op->getOpcode() != clang::BO_And && op->getOpcode() != clang::BO_Xor))
      return true;
    const bool swapped = !splitter_.isPlaceInRow(op->getLHS());
    const clang::Expr* place = swapped ? op->getRHS() : op->getLHS();
    const clang::Expr* mask = swapped ? op->getLHS() : op->getRHS();
    if (splitter_.isPlaceInRow(place) && splitter_.isGroupValue(mask, true) &&
        (op->getOpcode() == clang::BO_Xor ? !isKnown(mask) : isOneLess(mask)))
      found.push_back({op, place, mask});
    return true;
  }

  /// The operator with whose result a comparison compares its place.
  const Masked* partnerIn(const clang::BinaryOperator* comparison) const {
    const bool greater = comparison->getOpcode() == clang::BO_GT;
    const clang::Expr* upper = plain(greater ? comparison->getLHS() : comparison->getRHS());
    const clang::Expr* lower = greater ? comparison->getRHS() : comparison->getLHS();
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(upper)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable || !variable->hasInit() ||
          !(variable->getType().isConstQualified() ||
            splitter_.isStored(variable, Storage::Recomputed)) ||
          sizeOf(variable->getInit()) != sizeOf(variable->getType()))
        return nullptr;
      upper = plain(variable->getInit());
    }
    for (const Masked& masked : found)
      if (masked.op == upper && masked.op->getOpcode() == clang::BO_Xor &&
          sizeOf(masked.place) == sizeOf(lower) && nameOf(masked.place) &&
          nameOf(masked.place) == nameOf(lower))
        return &masked;
    return nullptr;
  }

private:
  bool isKnown(const clang::Expr* mask) const {
    clang::Expr::EvalResult value;
    return mask->isValueDependent() || mask->EvaluateAsInt(value, splitter_.plan_.unit.context());
  }
  /// `power - 1`
  bool isOneLess(const clang::Expr* mask) const {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plain(mask));
    const auto* one = op && op->getOpcode() == clang::BO_Sub
                          ? llvm::dyn_cast<clang::IntegerLiteral>(plain(op->getRHS()))
                          : nullptr;
    return one && one->getValue() == 1 && !isKnown(mask);
  }
  std::uint64_t sizeOf(const clang::Expr* e) const { return sizeOf(e->getType()); }
  std::uint64_t sizeOf(clang::QualType type) const {
    return type->isDependentType() ? 0 : splitter_.plan_.unit.context().getTypeSize(type);
  }
  static const clang::ValueDecl* nameOf(const clang::Expr* e) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(plain(e));
    return use ? use->getDecl() : nullptr;
  }
  const Splitter& splitter_;
};

/// What the places of elements are made of: indices, pointers, what functions are given, and the
/// values of variables among these.
class PlacesOfElements : public SyntaxVisitor {
public:
  explicit PlacesOfElements(const std::vector<const clang::Stmt*>& code) {
    for (std::size_t before = ~std::size_t(0); before != parts_.size();) {
      before = parts_.size();
      for (const clang::Stmt* s : code)
        TraverseStmt(const_cast<clang::Stmt*>(s));
    }
  }
  bool holds(const clang::Expr* e) const { return parts_.count(e) != 0; }

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    return add(element->getIdx());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return op->getOpcode() != clang::UO_Deref || add(op->getSubExpr());
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const auto* use =
        op->isAssignmentOp() ? llvm::dyn_cast<clang::DeclRefExpr>(plain(op->getLHS())) : nullptr;
    if (use && variables_.count(use->getDecl()))
      add(op->getRHS());
    return !op->getType()->isPointerType() || add(op);
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    for (const clang::Expr* given : call->arguments())
      add(given);
    return true;
  }

private:
  bool add(const clang::Stmt* s) {
    if (!parts_.insert(s).second)
      return true;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (variables_.insert(use->getDecl()).second && variable && variable->hasLocalStorage() &&
          variable->hasInit())
        add(variable->getInit());
    }
    for (const clang::Stmt* child : s->children())
      if (child)
        add(child);
    return true;
  }
  std::set<const clang::Stmt*> parts_;
  std::set<const clang::ValueDecl*> variables_;
};

std::string Splitter::bitRunsText(const RegionNode& region, const RegionText& text,
                                  const std::string& newline) {
  MaskedPlaces places(*this);
  for (const clang::Stmt* s : region.statements) {
    if (regions_.printed.count(s))
      return "";
    places.TraverseStmt(const_cast<clang::Stmt*>(s));
  }
  for (const clang::VarDecl* variable : repeatedFor(text))
    if (std::find(region.statements.begin(), region.statements.end(),
                  regions_.statements.at(variable)) == region.statements.end())
      places.TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
  if (places.found.empty())
    return "";
  std::vector<const clang::Stmt*> code(region.statements.begin(), region.statements.end());
  for (const clang::VarDecl* variable : repeatedFor(text))
    if (variable->hasInit())
      code.push_back(variable->getInit());
  // `up = (i & (n - 1) & size) != 0`: a mask of which no element's place is made would keep those
  // of places from being alike.
  const PlacesOfElements elements(code);
  const auto isOther = [&](const MaskedPlaces::Masked& masked) {
    return masked.op->getOpcode() == clang::BO_And && !elements.holds(masked.op);
  };
  if (!std::all_of(places.found.begin(), places.found.end(), isOther))
    places.found.erase(std::remove_if(places.found.begin(), places.found.end(), isOther),
                       places.found.end());

  RegionText named;
  std::string runs = "cu2cpp::BitRuns()";
  const auto argumentsOf = [&](const MaskedPlaces::Masked& masked) {
    return expressionText(masked.place) + ", " + expressionText(masked.mask) + ")";
  };
  const auto functionOf = [](const MaskedPlaces::Masked& masked) {
    return masked.op->getOpcode() == clang::BO_Xor ? "partner(" : "low(";
  };
  for (const MaskedPlaces::Masked& masked : places.found) {
    named.add(masked.place);
    named.add(masked.mask);
    const std::string more = std::string(".") + functionOf(masked) + argumentsOf(masked);
    if (runs.find(more) == std::string::npos)
      runs += more;
  }
  std::string out = "[&](const uint3 threadIdx) {";
  for (const std::string& line : bindings({}, named))
    out += newline + line;
  out += newline + "return " + runs + "; }(uint3{})," + newline;

  const auto replace = [&](const clang::Expr* e, const std::string& words) {
    replaced_[e] = words;
    inside_.push_back(e);
    for (const clang::Stmt* s : region.statements) {
      const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
      // Of variables that are kept the declaration is written anew.
      if (isInside(e, s) && !(declaration && keepsPerThread(declaration)))
        edits_.replace(expressionRange(e), words);
    }
  };
  for (const clang::BinaryOperator* comparison : places.comparisons)
    if (const MaskedPlaces::Masked* masked = places.partnerIn(comparison);
        masked && !isInside(masked->op, comparison))
      replace(comparison,
              "cuBits.rises(" + expressionText(comparison) + ", " + argumentsOf(*masked));
  for (const MaskedPlaces::Masked& masked : places.found)
    replace(masked.op, std::string("cuBits.") + functionOf(masked) + argumentsOf(masked));
  return out;
}

} // namespace cu2cpp
