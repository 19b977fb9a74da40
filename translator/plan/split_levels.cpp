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
#include <memory>
#include <optional>

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
  std::string bound;     ///< how many threads take a pair

  const RegionNode* region() const { return &region_; }
  /// Whether elements are integers (or a template says what they are), of which there are sums and
  /// differences only.
  bool isSumOfIntegers() const {
    const clang::QualType type = elementType();
    return (type->isDependentType() ||
            (type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType())) &&
           pair.find_first_of("|^") == std::string::npos && pair.find(" & ") == std::string::npos &&
           pair.find(" &= ") == std::string::npos;
  }

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

namespace {

/// A loop's node among nodes and their children.
const RegionNode* nodeOf(const std::vector<RegionNode>& nodes, const clang::Stmt* loop) {
  for (const RegionNode& node : nodes) {
    if (node.kind == RegionNode::Kind::Loop && node.statement == loop)
      return &node;
    for (const auto* inner : {&node.children, &node.otherwise})
      if (const RegionNode* const found = nodeOf(*inner, loop))
        return found;
  }
  return nullptr;
}

/// What names an array: whether each use is an element.
class ElementsOf : public SyntaxVisitor {
public:
  explicit ElementsOf(const clang::VarDecl* array) : array_(array) {}
  std::vector<const clang::Expr*> places;
  /// Whether control flow might go past the code's end.
  bool leaves = false;
  bool all(const clang::Stmt* code) {
    TraverseStmt(const_cast<clang::Stmt*>(code));
    return countUses(code, array_) == places.size();
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    if (namedBy(element->getBase()) == array_)
      places.push_back(element->getIdx());
    return true;
  }
  bool VisitStmt(clang::Stmt* s) override {
    leaves |= llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt,
                        clang::IndirectGotoStmt, clang::LabelStmt, clang::SwitchCase,
                        clang::LambdaExpr, clang::AsmStmt>(s);
    return true;
  }

private:
  const clang::VarDecl* array_;
};

} // namespace

std::unique_ptr<LevelOfTree> Splitter::levelOfTree(const RegionNode& node) const {
  const RegionNode* const region = onlyLevelOf(node);
  if (!region)
    return nullptr;
  auto level = std::make_unique<LevelOfTree>(*this, *region);
  if (!level->find())
    return nullptr;
  const auto* compare =
      llvm::dyn_cast<clang::BinaryOperator>(level->branch->getCond()->IgnoreParenImpCasts());
  const ThreadBound bound = threadBound({level->branch});
  if (!compare || compare->getOpcode() != clang::BO_LT ||
      behindIndex(compare->getLHS(), "x") != std::optional<long long>(0) ||
      llvm::StringRef(bound.kind) != "Below")
    return nullptr;
  level->bound = bound.text;
  // Nothing else in the loop may see the array before all has been done.
  unsigned inside = 0;
  for (const clang::Stmt* s : region->statements)
    inside += countUses(s, level->array);
  const auto reads = [](const RegionNode& child) {
    return child.kind == Kind::Statement &&
           (!llvm::isa<clang::Expr>(child.statement) ||
            Uniformity::readsMemory(llvm::cast<clang::Expr>(child.statement)));
  };
  return inside == countUses(node.statement, level->array) &&
                 std::none_of(node.children.begin(), node.children.end(), reads)
             ? std::move(level)
             : nullptr;
}

std::optional<Splitter::Sweeps> Splitter::sweepsFrom(const RegionNode& node,
                                                     const LevelOfTree& up) const {
  const auto* list =
      llvm::dyn_cast_or_null<clang::CompoundStmt>(parents_->getParent(node.statement));
  if (!list || !up.isSumOfIntegers() || !ElementsOf(up.array).all(body_))
    return std::nullopt;
  ElementsOf between(up.array);
  const auto isSame = [&](const clang::Expr* place) {
    return areAlike(place, between.places.front(), plan_.unit.context());
  };
  auto s = std::find(list->body_begin(), list->body_end(), node.statement);
  for (++s; s != list->body_end(); ++s) {
    if (countUses(*s, up.array) != 0) {
      const RegionNode* const loop = nodeOf(regions_.nodes, *s);
      if (const auto down = loop ? levelOfTree(*loop) : nullptr;
          down && down->array == up.array && down->isSumOfIntegers() && !between.leaves &&
          !between.places.empty() &&
          std::all_of(between.places.begin(), between.places.end(), isSame) &&
          isGroupValue(between.places.front(), true) && isConstant(between.places.front()))
        return Sweeps{*s, expressionText(between.places.front())};
    }
    between.all(*s);
  }
  return std::nullopt;
}

bool Splitter::isConstant(const clang::Expr* e) const {
  class Names : public SyntaxVisitor {
  public:
    const Splitter* splitter = nullptr;
    bool good = true;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable || !good)
        return good;
      if (splitter->isStored(variable, Storage::Block))
        return good = variable->getType().isConstQualified();
      return !splitter->isStored(variable, Storage::Recomputed) ||
             TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
    }
  } names;
  names.splitter = this;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.good;
}

std::string Splitter::openLevels(const RegionNode& node) {
  const std::unique_ptr<LevelOfTree> level = levelOfTree(node);
  if (!level)
    return "";
  const std::string number = std::to_string(++levels_), name = "cuLevels" + number;
  const std::string array = level->array->getNameAsString();
  std::string scan, given, run = ".run()";
  if (const auto second = sweeps_.find(node.statement); second != sweeps_.end()) {
    given = ", &" + second->second;
    sweeps_.erase(second);
  } else if (const std::optional<Sweeps> sweeps = sweepsFrom(node, *level)) {
    const std::string ofScan = sweeps_[sweeps->second] = "cuScan" + number;
    scan = "cu2cpp::TreeScan<std::remove_reference_t<decltype(" + array + "[0])>> " + ofScan + "; ";
    run = ".runUp(" + ofScan + ", " + sweeps->between + ")";
  }
  insert(beginOf(node.statement->getBeginLoc()),
         scan + "{ cu2cpp::TreeLevels " + name + "(cuBlock, &" + array +
             "[0], [&](auto& cuFirst, auto& cuSecond) CU2CPP_INLINE { " + level->pair + "}" +
             given + "); ");
  const RegionNode* const region = level->region();
  const FileRange first = rangeOf(region->statements.front());
  const FileRange last = rangeOf(region->statements.back());
  levelTexts_[region] = {{first.file, first.begin, last.end},
                         name + ".add(" + level->bound + ", " + level->places[0] + ", " +
                             level->places[1] + ");"};
  return " " + name + run + "; }";
}

} // namespace cu2cpp
