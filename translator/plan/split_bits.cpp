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
//
// `((t & ~(s - 1)) << 1) | (t & (s - 1))` and `p | s` say the same, if `s` is a power of two, which
// is asked for before the loop: cuBits.pair() and cuBits.upper(). What else is asked for the bits
// of a place (`(p & size) == 0`: which way a run is sorted) is one value for runs whose places
// differ in lower bits only: cuBits.above().
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/region_parts.h"

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
    const char* function = nullptr; ///< of cu2cpp::BitRuns
    /// `place & (power - 1)`, of which the place of another one is made
    const clang::BinaryOperator* low = nullptr;
  };
  struct Rise {
    const clang::BinaryOperator* op; ///< `(place ^ power) > place`
    const Masked* partner;
  };
  explicit MaskedPlaces(const Splitter& splitter) : splitter_(splitter) {}
  std::vector<Masked> found;
  std::vector<Masked> others; ///< `place & size`
  std::vector<Masked> uppers; ///< `place | power`
  std::vector<const clang::BinaryOperator*> comparisons;

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isTypeDependent() || !splitter_.plan_.text.isWhole(op))
      return true;
    if (op->getOpcode() == clang::BO_GT || op->getOpcode() == clang::BO_LT)
      comparisons.push_back(op);
    if (!op->getType()->isIntegerType())
      return true;
    if (addPair(op) || addUpper(op) ||
        (op->getOpcode() != clang::BO_And && op->getOpcode() != clang::BO_Xor) ||
        inPairs_.count(op))
      return true;
    const bool swapped = !splitter_.isPlaceInRow(op->getLHS());
    const clang::Expr* place = swapped ? op->getRHS() : op->getLHS();
    const clang::Expr* mask = swapped ? op->getLHS() : op->getRHS();
    if (splitter_.isPlaceInRow(place) && splitter_.isGroupValue(mask, true) &&
        (op->getOpcode() == clang::BO_Xor ? !isKnown(mask) : isOneLess(mask)))
      found.push_back({op, place, mask, op->getOpcode() == clang::BO_Xor ? "partner(" : "low("});
    else if (op->getOpcode() == clang::BO_And)
      addOther(op);
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
  /// `((place & ~(power - 1)) << 1) | (place & (power - 1))`
  bool addPair(const clang::BinaryOperator* op) {
    if (op->getOpcode() != clang::BO_Or && op->getOpcode() != clang::BO_Add)
      return false;
    for (const bool swapped : {false, true}) {
      const clang::BinaryOperator* low = and_(swapped ? op->getLHS() : op->getRHS());
      const auto* twice =
          llvm::dyn_cast<clang::BinaryOperator>(plain(swapped ? op->getRHS() : op->getLHS()));
      const clang::BinaryOperator* high =
          twice && ((twice->getOpcode() == clang::BO_Shl && isNumber(twice->getRHS(), 1)) ||
                    (twice->getOpcode() == clang::BO_Mul && isNumber(twice->getRHS(), 2)))
              ? and_(twice->getLHS())
          : twice && twice->getOpcode() == clang::BO_Mul && isNumber(twice->getLHS(), 2)
              ? and_(twice->getRHS())
              : nullptr;
      if (!low || !high || sizeOf(low) != sizeOf(high) || sizeOf(low) != sizeOf(op))
        continue;
      const bool placeBehind = !splitter_.isPlaceInRow(low->getLHS());
      const clang::Expr* place = placeBehind ? low->getRHS() : low->getLHS();
      const clang::Expr* mask = placeBehind ? low->getLHS() : low->getRHS();
      const bool highBehind = !splitter_.isPlaceInRow(high->getLHS());
      const clang::Expr* ofHigh = highBehind ? high->getRHS() : high->getLHS();
      const auto* inverse =
          llvm::dyn_cast<clang::UnaryOperator>(plain(highBehind ? high->getLHS() : high->getRHS()));
      if (!splitter_.isPlaceInRow(place) || !splitter_.isGroupValue(mask, true) ||
          !isOneLess(mask) || !inverse || inverse->getOpcode() != clang::UO_Not ||
          sizeOf(place) != sizeOf(op) || sizeOf(mask) != sizeOf(op) || !areAlike(place, ofHigh) ||
          !areAlike(plain(mask), plain(inverse->getSubExpr())))
        continue;
      found.push_back({op, place, mask, "pair("});
      inPairs_.insert({low, high});
      return true;
    }
    return false;
  }
  /// `p | power`, with `p = ((place & ~(power - 1)) << 1) | (place & (power - 1))`
  bool addUpper(const clang::BinaryOperator* op) {
    if (op->getOpcode() != clang::BO_Or && op->getOpcode() != clang::BO_Xor)
      return false;
    for (const bool swapped : {false, true}) {
      const clang::Expr* lower = swapped ? op->getRHS() : op->getLHS();
      const clang::Expr* power = swapped ? op->getLHS() : op->getRHS();
      const clang::Expr* value = valueOf(lower);
      for (const Masked& pair : found)
        if (value == pair.op && pair.op->getOpcode() == clang::BO_Or &&
            sizeOf(lower) == sizeOf(value) && splitter_.isGroupValue(power, true) &&
            areAlike(powerOf(pair.mask), power)) {
          uppers.push_back({op, lower, power, "upper("});
          return true;
        }
    }
    return false;
  }
  /// `place & size`, where the place is one of threads or of the elements of their pairs.
  void addOther(const clang::BinaryOperator* op) {
    for (const bool swapped : {false, true}) {
      const clang::Expr* place = swapped ? op->getRHS() : op->getLHS();
      const clang::Expr* mask = swapped ? op->getLHS() : op->getRHS();
      if (!splitter_.isGroupValue(mask, true) || isKnown(mask) || sizeOf(place) != sizeOf(op))
        continue;
      const clang::Expr* value = valueOf(place);
      const clang::BinaryOperator* low = lowOf(value);
      if (splitter_.isPlaceInRow(place) || low ||
          std::any_of(found.begin(), found.end(), [&](const Masked& pair) {
            return pair.op == value && pair.op->getOpcode() != clang::BO_And &&
                   pair.op->getOpcode() != clang::BO_Xor;
          })) {
        others.push_back(
            {op, place, mask, "above(", splitter_.isPlaceInRow(place) ? nullptr : low});
        return;
      }
    }
  }
  /// `place & (power - 1)`, by itself or in `2 * place - (place & (power - 1))`
  const clang::BinaryOperator* lowOf(const clang::Expr* value) const {
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(value);
    const bool isLower = op && op->getOpcode() == clang::BO_Sub;
    const clang::BinaryOperator* low = op ? and_(isLower ? op->getRHS() : op) : nullptr;
    if (!low || !splitter_.isPlaceInRow(low->getLHS()) || !isOneLess(low->getRHS()) ||
        !splitter_.isGroupValue(low->getRHS(), true) || sizeOf(low) != sizeOf(op) ||
        sizeOf(low->getLHS()) != sizeOf(op) || sizeOf(low->getRHS()) != sizeOf(op))
      return nullptr;
    if (!isLower)
      return low;
    const auto* twice = llvm::dyn_cast<clang::BinaryOperator>(plain(op->getLHS()));
    return twice && twice->getOpcode() == clang::BO_Mul && sizeOf(twice) == sizeOf(op) &&
                   ((isNumber(twice->getLHS(), 2) && areAlike(twice->getRHS(), low->getLHS())) ||
                    (isNumber(twice->getRHS(), 2) && areAlike(twice->getLHS(), low->getLHS())))
               ? low
               : nullptr;
  }
  static const clang::BinaryOperator* and_(const clang::Expr* e) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plain(e));
    return op && op->getOpcode() == clang::BO_And ? op : nullptr;
  }
  bool areAlike(const clang::Expr* a, const clang::Expr* b) const {
    return cu2cpp::areAlike(plain(a), plain(b), splitter_.plan_.unit.context());
  }
  bool isNumber(const clang::Expr* e, std::int64_t number) const {
    return constantOf(e, splitter_.plan_.unit.context()) == number;
  }
  /// The power of a mask `power - 1`.
  static const clang::Expr* powerOf(const clang::Expr* mask) {
    return llvm::cast<clang::BinaryOperator>(plain(mask))->getLHS();
  }
  /// The value of a variable that keeps its first one.
  const clang::Expr* valueOf(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(plain(e));
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return variable && variable->hasInit() &&
                   (variable->getType().isConstQualified() ||
                    splitter_.isStored(variable, Storage::Recomputed)) &&
                   sizeOf(variable->getInit()) == sizeOf(variable->getType())
               ? plain(variable->getInit())
               : nullptr;
  }
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
  std::set<const clang::BinaryOperator*> inPairs_;
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
  places.others.erase(
      std::remove_if(places.others.begin(), places.others.end(),
                     [&](const MaskedPlaces::Masked& other) { return elements.holds(other.op); }),
      places.others.end());

  RegionText named;
  std::string runs = "cu2cpp::BitRuns()";
  const auto argumentsOf = [&](const MaskedPlaces::Masked& masked) {
    return expressionText(masked.place) + ", " + expressionText(masked.mask) + ")";
  };
  for (const auto* all : {&places.found, &places.others})
    for (const MaskedPlaces::Masked& masked : *all) {
      named.add(masked.place);
      named.add(masked.mask);
      std::string more = std::string(".") + masked.function + argumentsOf(masked);
      if (masked.low) {
        named.add(masked.low);
        more = ".below(" + expressionText(masked.low->getLHS()) + ", " +
               expressionText(masked.low->getRHS()) + ")" + more;
      }
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
  for (const auto* all : {&places.found, &places.others, &places.uppers})
    for (const MaskedPlaces::Masked& masked : *all)
      replace(masked.op, std::string("cuBits.") + masked.function + argumentsOf(masked));
  return out;
}

} // namespace cu2cpp
