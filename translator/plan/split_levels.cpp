// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the levels of a tree in a shared array: each step adds, or swaps, pairs of elements
// that lie twice or half as far apart as those of the step before (the sweeps of a scan). The steps
// are noted, and run behind the loop (cu2cpp/tree_levels.h):
//
//   for (int d = n / 2; d > 0; d /= 2) {          { cu2cpp::TreeLevels cuLevels1(cuBlock, &a[0],
//     __syncthreads();                                [&](auto& cuFirst, auto& cuSecond) {
//     if (t < d) {                                      cuSecond += cuFirst; });
//       int i = step * (2 * t + 1) - 1;        ->   for (int d = n / 2; d > 0; d /= 2) {
//       int j = step * (2 * t + 2) - 1;               cuLevels1.add(d, [&](...) { return i; },
//       a[j] += a[i];                                                  [&](...) { return j; });
//     }                                               step *= 2;
//     step *= 2;                                    } cuLevels1.run(); }
//   }
//
// What a pair does must not depend on the step, and only its elements may matter.
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

/// The one region of such a loop, in parts.
class LevelOfTree {
public:
  LevelOfTree(const Splitter& splitter, const RegionNode& region)
      : splitter_(splitter), region_(region) {}

  const clang::IfStmt* branch = nullptr;
  const clang::VarDecl* array = nullptr;
  std::string places[2]; ///< lambdas
  std::string pair;      ///< what is done with cuFirst and cuSecond

  bool find() {
    const std::vector<const clang::Stmt*>& all = region_.statements;
    branch = all.empty() ? nullptr : llvm::dyn_cast<clang::IfStmt>(all.back());
    if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
        !region_.movedHere.empty() || !region_.fresh.empty() || !region_.uniformLoads.empty() ||
        region_.returns || region_.oneByOne)
      return false;
    std::vector<const clang::Stmt*> statements(all.begin(), all.end() - 1);
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(branch->getThen()))
      statements.insert(statements.end(), list->body_begin(), list->body_end());
    else
      statements.push_back(branch->getThen());
    return std::all_of(statements.begin(), statements.end(),
                       [&](const clang::Stmt* s) { return add(s); }) &&
           indices_.size() == 2 && changes_ && makePlaces();
  }

private:
  /// A declaration of places, or of an element's value; a statement that changes one of these.
  bool add(const clang::Stmt* s) {
    if (splitter_.regions_.printed.count(s))
      return false;
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
      bool ofPlaces = true;
      for (const clang::Decl* decl : declaration->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        if (!variable || !variable->hasInit() || !variable->hasLocalStorage() ||
            variable->getType()->isReferenceType() || variable->getType().isVolatileQualified() ||
            splitter_.isKept(variable) ||
            variable->getInit()->HasSideEffects(splitter_.plan_.unit.context()))
          return false;
        const std::string value = valueText(variable->getInit());
        if (value.empty()) {
          declared_.insert(variable);
          ofPlaces &= variable->getType()->isIntegerType();
          continue;
        }
        // Of an element's type, so that vectors of these fit.
        if (!declaration->isSingleDecl() ||
            variable->getType().getCanonicalType().getUnqualifiedType() != elementType())
          return false;
        values_.insert(variable);
        pair += "auto " + variable->getNameAsString() + " = " + value + "; ";
        return true;
      }
      declarations_.push_back(declaration);
      return ofPlaces;
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
    if (!op ||
        !isOneOf(op->getOpcode(), {clang::BO_Assign, clang::BO_AddAssign, clang::BO_SubAssign,
                                   clang::BO_AndAssign, clang::BO_OrAssign, clang::BO_XorAssign}))
      return false;
    // What is read comes first: mostly the lower place.
    const std::string value = valueText(op->getRHS()), to = valueText(op->getLHS());
    if (to.empty() || to[0] == '(' || value.empty())
      return false;
    changes_ = true;
    pair += to + " " + op->getOpcodeStr().str() + " " + value + "; ";
    return true;
  }
  static bool isOneOf(clang::BinaryOperatorKind op,
                      std::initializer_list<clang::BinaryOperatorKind> kinds) {
    return std::find(kinds.begin(), kinds.end(), op) != kinds.end();
  }

  /// The text of what is computed from the pair's elements alone; empty for anything else.
  std::string valueText(const clang::Expr* e) {
    e = e->IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e))
      return cast->getCastKind() == clang::CK_LValueToRValue ||
                     cast->getCastKind() == clang::CK_NoOp
                 ? valueText(cast->getSubExpr())
                 : "";
    if (const clang::VarDecl* variable = namedBy(e))
      return values_.count(variable) ? variable->getNameAsString() : "";
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      if (!isOneOf(op->getOpcode(),
                   {clang::BO_Add, clang::BO_Sub, clang::BO_And, clang::BO_Or, clang::BO_Xor}))
        return "";
      const std::string left = valueText(op->getLHS()), right = valueText(op->getRHS());
      return left.empty() || right.empty()
                 ? ""
                 : "(" + left + " " + op->getOpcodeStr().str() + " " + right + ")";
    }
    const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(e);
    const clang::VarDecl* base = access ? namedBy(access->getBase()) : nullptr;
    if (!base || (array && base != array) || !isPlainArray(base))
      return "";
    array = base;
    const auto same = [&](const clang::Expr* index) {
      return areAlike(index, access->getIdx(), splitter_.plan_.unit.context());
    };
    const auto found = std::find_if(indices_.begin(), indices_.end(), same);
    const bool first = found == indices_.begin() || indices_.empty();
    if (found == indices_.end())
      indices_.push_back(access->getIdx());
    return first ? "cuFirst" : "cuSecond";
  }
  bool isPlainArray(const clang::VarDecl* base) const {
    const auto& shared = splitter_.kernel_.shared;
    return std::any_of(shared.begin(), shared.end(), [&](const SharedVariable& one) {
      const clang::ArrayType* rows =
          one.decl == base ? base->getType()->getAsArrayTypeUnsafe() : nullptr;
      return rows && !one.turned && one.skewed == SharedVariable::Skew::None &&
             !rows->getElementType()->isArrayType() &&
             !rows->getElementType().isVolatileQualified();
    });
  }
  clang::QualType elementType() const {
    return array->getType()
        ->getAsArrayTypeUnsafe()
        ->getElementType()
        .getCanonicalType()
        .getUnqualifiedType();
  }

  /// Whether a place differs by one value from thread to thread; `varies` is set if that value is
  /// one of the loop's.
  bool isAffine(const clang::Expr* e, bool& varies, unsigned depth = 0) const {
    constexpr unsigned deepest = 16;
    e = e->IgnoreParens();
    if (depth > deepest || e->isTypeDependent())
      return false;
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) {
      const clang::ASTContext& context = splitter_.plan_.unit.context();
      const clang::Expr* from = cast->getSubExpr();
      return (cast->getCastKind() == clang::CK_LValueToRValue ||
              cast->getCastKind() == clang::CK_NoOp ||
              (cast->getCastKind() == clang::CK_IntegralCast &&
               context.getTypeSize(cast->getType()) >= context.getTypeSize(from->getType()))) &&
             isAffine(from, varies, depth + 1);
    }
    if (splitter_.isGroupValue(e, true) || splitter_.behindIndex(e, "x"))
      return true;
    if (const clang::VarDecl* variable = namedBy(e))
      return variable->hasInit() && variable->getType()->isIntegerType() &&
             splitter_.plan_.unit.context().getTypeSize(variable->getType()) >= 32 &&
             (declared_.count(variable) || splitter_.isStored(variable, Storage::Recomputed)) &&
             isAffine(variable->getInit(), varies, depth + 1);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op)
      return false;
    if (op->getOpcode() == clang::BO_Add || op->getOpcode() == clang::BO_Sub)
      return isAffine(op->getLHS(), varies, depth + 1) && isAffine(op->getRHS(), varies, depth + 1);
    const bool shifts = op->getOpcode() == clang::BO_Shl;
    if (!shifts && op->getOpcode() != clang::BO_Mul)
      return false;
    for (const bool left : {true, false}) {
      const clang::Expr* factor = left ? op->getRHS() : op->getLHS();
      if (!splitter_.isGroupValue(factor, true) || (shifts && !left))
        continue;
      varies |= !constantOf(factor, splitter_.plan_.unit.context());
      return isAffine(left ? op->getLHS() : op->getRHS(), varies, depth + 1);
    }
    return false;
  }
  bool makePlaces() {
    for (unsigned i = 0; i < 2; ++i) {
      bool varies = false;
      if (!isAffine(indices_[i], varies) || !varies)
        return false;
      RegionText text;
      std::string lines;
      for (const clang::DeclStmt* declaration : declarations_) {
        text.add(declaration);
        lines += splitter_.plan_.text.text(splitter_.rangeOf(declaration)) + " ";
      }
      text.add(indices_[i]);
      places[i] = "[&](const uint3 threadIdx) { ";
      for (const std::string& line : splitter_.bindings({}, text))
        places[i] += line + " ";
      places[i] += lines + "return " + splitter_.expressionText(indices_[i]) + "; }";
      if (places[i].find('\n') != std::string::npos || places[i].find("//") != std::string::npos)
        return false;
    }
    return true;
  }

  const Splitter& splitter_;
  const RegionNode& region_;
  std::vector<const clang::DeclStmt*> declarations_; ///< of places
  std::set<const clang::VarDecl*> declared_, values_;
  std::vector<const clang::Expr*> indices_;
  bool changes_ = false;
};

const RegionNode* Splitter::onlyLevelOf(const RegionNode& node, Kind kind) const {
  if (level_ != Scope::Block || node.masked || publish_ || !plan_.options.lineDirectives ||
      !kernel_.kernel || ofSeveralBlocks() || regions_.returns || !node.calls.empty() ||
      !outside_.empty() || elements_)
    return nullptr;
  // What ends the loop must not lie in the array, by another name.
  const auto* f = llvm::dyn_cast<clang::ForStmt>(node.statement);
  const auto* w = llvm::dyn_cast<clang::WhileStmt>(node.statement);
  const auto* d = llvm::dyn_cast<clang::DoStmt>(node.statement);
  const clang::Expr* const test = f ? f->getCond() : w ? w->getCond() : d ? d->getCond() : nullptr;
  if (!test || Uniformity::readsMemory(test) ||
      (f && f->getInc() && Uniformity::readsMemory(f->getInc())))
    return nullptr;
  const RegionNode* only = nullptr;
  for (const RegionNode& child : node.children) {
    if (child.kind == kind ? only != nullptr
                                   : child.kind != Kind::Barrier && child.kind != Kind::Statement)
      return nullptr;
    if (child.kind == kind)
      only = &child;
  }
  return only;
}

std::string Splitter::openLevels(const RegionNode& node) {
  const RegionNode* const region = onlyLevelOf(node);
  if (!region)
    return "";
  LevelOfTree level(*this, *region);
  if (!level.find())
    return "";
  const auto* compare =
      llvm::dyn_cast<clang::BinaryOperator>(level.branch->getCond()->IgnoreParenImpCasts());
  const ThreadBound bound = threadBound({level.branch});
  if (!compare || compare->getOpcode() != clang::BO_LT ||
      behindIndex(compare->getLHS(), "x") != std::optional<long long>(0) ||
      llvm::StringRef(bound.kind) != "Below")
    return "";
  // Nothing else in the loop may see the array before all has been done.
  unsigned inside = 0;
  for (const clang::Stmt* s : region->statements)
    inside += countUses(s, level.array);
  const auto reads = [](const RegionNode& child) {
    return child.kind == Kind::Statement &&
           (!llvm::isa<clang::Expr>(child.statement) ||
            Uniformity::readsMemory(llvm::cast<clang::Expr>(child.statement)));
  };
  if (inside != countUses(node.statement, level.array) ||
      std::any_of(node.children.begin(), node.children.end(), reads))
    return "";
  const std::string name = "cuLevels" + std::to_string(++levels_);
  insert(beginOf(node.statement->getBeginLoc()),
         "{ cu2cpp::TreeLevels " + name + "(cuBlock, &" + level.array->getNameAsString() +
             "[0], [&](auto& cuFirst, auto& cuSecond) CU2CPP_INLINE { " + level.pair + "}); ");
  const FileRange first = rangeOf(region->statements.front());
  const FileRange last = rangeOf(region->statements.back());
  levelTexts_[region] = {{first.file, first.begin, last.end},
                         name + ".add(" + bound.text + ", " + level.places[0] + ", " +
                             level.places[1] + ");"};
  return " " + name + ".run(); }";
}

} // namespace cu2cpp
