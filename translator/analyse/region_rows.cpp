// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arrays that are kept for each thread or lane lie in memory as rows, one for each element:
//
//   float sum[4][4];                                    the same element of neighbouring threads
//   for (...) {                                         side by side, since all threads reach
//     ... __syncthreads();                              the same element at the same time, and
//     for (int k = 0; k < 8; ++k)                       nothing is a loop once these are written
//       for (int i = 0; i < 4; ++i)                     out
//         for (int j = 0; j < 4; ++j)
//           sum[i][j] += a[k][y * 4 + i] * b[k][x * 4 + j];
#include "analyse/region_rows.h"

#include <algorithm>

#include "analyse/region_builder.h"
#include "analyse/register_loops.h"

namespace cu2cpp {
namespace {

/// The uses of an array, each of which must be one element, read or assigned, at a place that the
/// threads agree on.
class ElementUses : public SyntaxVisitor {
public:
  ElementUses(const clang::VarDecl* array, const clang::Stmt* body, const clang::ParentMap& parents)
      : array_(array), body_(body), parents_(parents) {}
  bool fits = true;

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (use->getDecl() == array_)
      fits &= !use->refersToEnclosingVariableOrCapture() && isElement(use);
    return fits;
  }

private:
  bool isElement(const clang::DeclRefExpr* use) const {
    const clang::Expr* at = use;
    for (clang::QualType type = array_->getType(); type->isArrayType();
         type = type->getAsArrayTypeUnsafe()->getElementType()) {
      const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(
          parents_.getParentIgnoreParenImpCasts(const_cast<clang::Expr*>(at)));
      if (!element || element->getBase()->IgnoreParenImpCasts() != at ||
          !isAlike(element->getIdx()))
        return false;
      at = element;
    }
    const clang::Stmt* direct = parents_.getParent(at);
    while (llvm::isa_and_nonnull<clang::ParenExpr>(direct))
      direct = parents_.getParent(direct);
    const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(direct);
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(direct);
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(direct);
    // What reads an element in a template has no cast yet.
    return (cast && cast->getCastKind() == clang::CK_LValueToRValue) ||
           (op && (op->isAssignmentOp() || op->isAdditiveOp() || op->isMultiplicativeOp() ||
                   op->isComparisonOp())) ||
           (step && step->getOpcode() != clang::UO_AddrOf && step->getOpcode() != clang::UO_Deref);
  }
  /// Made of constants, of the counters of loops, and of variables that stay what they are set to,
  /// of such values.
  bool isAlike(const clang::Expr* index) const {
    class Names : public SyntaxVisitor {
    public:
      const clang::ParentMap* parents = nullptr;
      const clang::Stmt* body = nullptr;
      bool alike = true;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        if (variable && variable->getType().isConstQualified() &&
            (variable->isUsableInConstantExpressions(variable->getASTContext()) ||
             (variable->hasInit() && variable->getInit()->isValueDependent())))
          return alike;
        if (variable)
          alike &= isCounter(variable, use) || isSetAlike(variable);
        else
          alike &=
              llvm::isa<clang::NonTypeTemplateParmDecl, clang::EnumConstantDecl>(use->getDecl());
        return alike;
      }
      bool VisitStmt(clang::Stmt* s) override {
        return alike = alike && !llvm::isa<clang::CallExpr, clang::ArraySubscriptExpr,
                                           clang::MemberExpr, clang::LambdaExpr>(s);
      }
      bool isCounter(const clang::VarDecl* variable, const clang::Stmt* use) const {
        for (const clang::Stmt* at = use; at; at = parents->getParent(at))
          if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(at))
            if (const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit()))
              if (init->isSingleDecl() && init->getSingleDecl() == variable)
                return true;
        return false;
      }
      /// `const int at = 4 * row;`
      bool isSetAlike(const clang::VarDecl* variable) {
        return variable->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(variable) &&
               variable->getType()->isIntegerType() && !variable->getType().isVolatileQualified() &&
               variable->hasInit() && isOnlyRead(variable) && ++depth_ < 8 &&
               TraverseStmt(const_cast<clang::Expr*>(variable->getInit())) && alike;
      }
      bool isOnlyRead(const clang::VarDecl* variable) const {
        class Uses : public SyntaxVisitor {
        public:
          const clang::ParentMap* parents = nullptr;
          const clang::VarDecl* variable = nullptr;
          bool fits = true;
          bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
            const auto* cast =
                llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parents->getParent(use));
            return fits = fits && (use->getDecl() != variable ||
                                   (cast && cast->getCastKind() == clang::CK_LValueToRValue));
          }
          bool VisitStmt(clang::Stmt* s) override {
            return fits = fits && !llvm::isa<clang::LambdaExpr>(s);
          }
        } uses;
        uses.parents = parents;
        uses.variable = variable;
        uses.TraverseStmt(const_cast<clang::Stmt*>(body));
        return uses.fits;
      }

    private:
      unsigned depth_ = 0;
    } names;
    names.parents = &parents_;
    names.body = body_;
    names.TraverseStmt(const_cast<clang::Expr*>(index));
    return names.alike;
  }

  const clang::VarDecl* array_;
  const clang::Stmt* body_;
  const clang::ParentMap& parents_;
};

/// The variable of an instance's body that stands at the same place.
class SameVariable : public SyntaxVisitor {
public:
  explicit SameVariable(const clang::VarDecl* pattern) : pattern_(pattern) {}
  const clang::VarDecl* found = nullptr;
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getLocation() == pattern_->getLocation())
      found = variable;
    return !found;
  }

private:
  const clang::VarDecl* pattern_;
};

/// The variables of all instances of a template that stand where this one does; the variable itself
/// in other functions. None if an instance has no such variable.
std::vector<std::pair<const clang::VarDecl*, const clang::FunctionDecl*>>
instancesOf(const clang::VarDecl* array, const FunctionFacts& function) {
  std::vector<std::pair<const clang::VarDecl*, const clang::FunctionDecl*>> out;
  for (const clang::FunctionDecl* body : function.bodies) {
    if (body == function.decl || body->isDependentContext())
      continue;
    SameVariable same(array);
    same.TraverseStmt(body->getBody());
    if (!same.found)
      return {};
    out.emplace_back(same.found, body);
  }
  if (out.empty())
    out.emplace_back(array, function.decl);
  return out;
}

/// Whether an array's elements are numbers, in all instances of a template.
bool isOfNumbers(const clang::VarDecl* array, const FunctionFacts& function) {
  const clang::QualType element(array->getType()->getBaseElementTypeUnsafe(), 0);
  if (!element->isDependentType())
    return element->isArithmeticType();
  const auto instances = instancesOf(array, function);
  return !instances.empty() &&
         std::all_of(instances.begin(), instances.end(), [](const auto& instance) {
           return clang::QualType(instance.first->getType()->getBaseElementTypeUnsafe(), 0)
               ->isArithmeticType();
         });
}

/// Whether an array is only reached element by element. Instances of a template say how they use
/// elements; the template itself does not, where the array's size depends on a parameter.
bool isReachedByElements(const clang::VarDecl* array, const FunctionFacts& function) {
  const auto instances = instancesOf(array, function);
  return !instances.empty() &&
         std::all_of(instances.begin(), instances.end(), [](const auto& instance) {
           const clang::ParentMap parents(instance.second->getBody());
           ElementUses uses(instance.first, instance.second->getBody(), parents);
           uses.TraverseStmt(instance.second->getBody());
           return uses.fits;
         });
}

} // namespace

bool mayLieInRows(const clang::VarDecl* array, const FunctionFacts& function) {
  const clang::QualType type = array->getType();
  return !type.isVolatileQualified() && !type->isIncompleteArrayType() &&
         isOfNumbers(array, function) && isReachedByElements(array, function);
}

void RegionBuilder::findRows() {
  if (out_->joined)
    return;
  std::map<const clang::VarDecl*, Place> places;
  unsigned sections = 0;
  collectUses(out_->nodes, places, 0, sections);
  std::map<const RegionNode*, bool> straight;
  const auto isStraight = [&](const RegionNode* node) {
    const auto [found, isNew] = straight.emplace(node, false);
    std::set<const clang::ForStmt*> loops;
    // A collective takes one element of each thread: `tile.shfl(row[j], k)`.
    if (isNew && node->kind == Kind::Call)
      found->second = std::all_of(node->calls.begin(), node->calls.end(), [&](unsigned call) {
        return !out_->calls[call].function && !out_->calls[call].oneByOne;
      });
    else if (isNew)
      found->second =
          node->kind == Kind::Region &&
          std::all_of(node->statements.begin(), node->statements.end(), [&](const clang::Stmt* s) {
            return !out_->printed.count(s) && addWrittenOut(s, kernel_, loops);
          });
    return found->second;
  };
  for (const auto& [variable, storage] : out_->storage) {
    const clang::QualType type = variable->getType();
    const bool ofLanes = storage == Storage::PerLane;
    if (!(ofLanes ||
          (storage == Storage::PerThread && kernel_.kernel && out_->scope == Scope::Block)) ||
        !type->isArrayType() || !out_->statements.at(variable) || forced_.count(variable) ||
        std::any_of(out_->tileLoops.begin(), out_->tileLoops.end(),
                    [&, v = variable](const auto& tile) { return tile.second.array == v; }))
      continue;
    const Place& place = places[variable];
    if (std::all_of(place.regions.begin(), place.regions.end(), isStraight) &&
        mayLieInRows(variable, kernel_))
      out_->rows.insert(variable);
  }
}

} // namespace cu2cpp
