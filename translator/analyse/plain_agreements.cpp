// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums that a warp forms by butterflies are one value for all of its lanes:
//
//   for (int o = 16; o > 0; o >>= 1)          for (int o = 16; o > 0; o >>= 1)
//     s += __shfl_xor_sync(~0u, s, o);          s += __shfl_xor_sync(~0u, s, o);
//   p = expf(s - m);                    ->    const float cuSame_s = cu2cpp::agreed(s);
//                                             p = expf(cuSame_s - m);
//
// Functions that do so, written out where they are called, hand it on: `{ ...; s = v; }`.
//
// What is computed from it is computed once for the warp. In each step two lanes combine the same
// two values, by an operation that takes them in either order; after five steps with the distances
// 1, 2, 4, 8 and 16 every lane has combined the values of all 32. A lane that is not there would
// have given something undefined to each of them.
#include "analyse/plain_agreements.h"

#include <algorithm>
#include <optional>
#include <string>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/plain_body.h"
#include "analyse/region_parts.h"
#include "analyse/warp_distances.h"

namespace cu2cpp {
namespace {

constexpr unsigned allDistances = 1 | 2 | 4 | 8 | 16;

/// What an operation combines with `v`: `v += x`, `v = v + x`, `v = fmaxf(x, v)`; null where the
/// order of the two matters, or nothing is combined.
const clang::Expr* combinedWith(const clang::Stmt* s, const clang::VarDecl*& v) {
  const auto* e = llvm::dyn_cast<clang::Expr>(s);
  const auto* op = e ? llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParens()) : nullptr;
  v = op && op->isAssignmentOp() ? namedBy(op->getLHS()) : nullptr;
  if (!v)
    return nullptr;
  switch (op->getOpcode()) {
  case clang::BO_AddAssign:
  case clang::BO_MulAssign:
  case clang::BO_AndAssign:
  case clang::BO_OrAssign:
  case clang::BO_XorAssign:
    return op->getRHS()->IgnoreParenImpCasts();
  case clang::BO_Assign:
    break;
  default:
    return nullptr;
  }
  const clang::Expr *left = nullptr, *right = nullptr;
  const clang::Expr* given = op->getRHS()->IgnoreParenImpCasts();
  if (const auto* inner = llvm::dyn_cast<clang::BinaryOperator>(given)) {
    switch (inner->getOpcode()) {
    case clang::BO_Add:
    case clang::BO_Mul:
    case clang::BO_And:
    case clang::BO_Or:
    case clang::BO_Xor:
      left = inner->getLHS();
      right = inner->getRHS();
      break;
    default:
      return nullptr;
    }
  } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(given)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || call->getNumArgs() != 2 || !callee->getDeclName().isIdentifier() ||
        !callee->getASTContext().getSourceManager().isInSystemHeader(callee->getLocation()))
      return nullptr;
    // (std::max() gives one or the other where one of them is no number.)
    const llvm::StringRef name = callee->getName();
    const bool extreme = name == "fmaxf" || name == "fminf" || name == "fmax" || name == "fmin" ||
                         name == "max" || name == "min";
    if (!extreme || (callee->isInStdNamespace() && !v->getType()->isIntegerType()))
      return nullptr;
    left = call->getArg(0);
    right = call->getArg(1);
  } else {
    return nullptr;
  }
  return namedBy(left) == v    ? right->IgnoreParenImpCasts()
         : namedBy(right) == v ? left->IgnoreParenImpCasts()
                               : nullptr;
}

/// Distances are those by which steps of a butterfly have combined a variable's values so far; bit
/// by bit, as each is a power of two.
using Distances = std::map<const clang::VarDecl*, unsigned>;

/// Butterfly is what loops and steps combine, if they do nothing else.
class Butterfly {
public:
  explicit Butterfly(const clang::ASTContext& context) : context_(context) {}
  Distances combined;

  /// Takes a statement, if it is a step, a loop of steps or a list of such.
  bool take(const clang::Stmt* s) {
    if (const auto* marked = llvm::dyn_cast<clang::AttributedStmt>(s))
      s = marked->getSubStmt();
    if (llvm::isa<clang::NullStmt>(s))
      return true;
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return std::all_of(list->body_begin(), list->body_end(),
                         [&](const clang::Stmt* child) { return take(child); });
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
      return !counter_ && takeLoop(loop);
    return takeStep(s);
  }

private:
  bool takeLoop(const clang::ForStmt* loop) {
    counter_ = halvedDistance(loop, context_);
    if (!counter_)
      counter_ = doubledDistance(loop, context_);
    const bool good = counter_ && take(loop->getBody());
    counter_ = nullptr;
    return good;
  }

  /// `v += __shfl_xor_sync(~0u, v, o)`
  bool takeStep(const clang::Stmt* s) {
    const clang::VarDecl* v = nullptr;
    const clang::Expr* other = combinedWith(s, v);
    const auto* call = other ? llvm::dyn_cast<clang::CallExpr>(other) : nullptr;
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || syncScope(callee) != Scope::Warp || !callee->getDeclName().isIdentifier())
      return false;
    const bool withMask = callee->getName() == "__shfl_xor_sync";
    if (!withMask && callee->getName() != "__shfl_xor")
      return false;
    if (withMask) {
      const auto mask = constantOf(call->getArg(0), context_);
      if (!mask || static_cast<unsigned>(*mask) != ~0u)
        return false;
    }
    const unsigned first = withMask ? 1 : 0;
    if (call->getNumArgs() < first + 2 || namedBy(call->getArg(first)) != v ||
        !context_.hasSameUnqualifiedType(callee->getReturnType(), v->getType()))
      return false;
    if (call->getNumArgs() > first + 2)
      if (const clang::Expr* width = call->getArg(first + 2);
          !llvm::isa<clang::CXXDefaultArgExpr>(width) && !isWarpSize(width, context_))
        return false;
    unsigned distances = 0;
    if (counter_ && namedBy(call->getArg(first + 1)) == counter_) {
      distances = allDistances;
    } else {
      const auto distance = constantOf(call->getArg(first + 1), context_);
      if (counter_ || !distance || *distance < 1 || *distance > 16 ||
          (*distance & (*distance - 1)) != 0)
        return false;
      distances = static_cast<unsigned>(*distance);
    }
    unsigned& all = combined[v];
    if ((all & distances) != 0)
      return false;
    all |= distances;
    return true;
  }

  const clang::ASTContext& context_;
  const clang::VarDecl* counter_ = nullptr;
};

class Agreements : public SyntaxVisitor {
public:
  explicit Agreements(const PlainBody& body) : body_(body), names_(body.declaredNames()) {}

  bool VisitCompoundStmt(clang::CompoundStmt* list) override {
    const std::vector<const clang::Stmt*> all(list->body_begin(), list->body_end());
    for (std::size_t begin = 0; begin < all.size(); ++begin) {
      // As many statements as go on with one butterfly.
      Butterfly butterfly(body_.unit.context());
      std::size_t end = begin;
      Distances combined;
      while (end < all.size() && butterfly.take(all[end])) {
        combined = butterfly.combined;
        ++end;
      }
      for (const auto& [variable, distances] : combined)
        if (distances == allDistances)
          name(variable, all, end);
      if (end > begin)
        begin = end - 1;
      else if (const clang::VarDecl* result = resultOf(all[begin]))
        name(result, all, begin + 1);
      else if (const clang::VarDecl* given = givenByOne(all[begin]))
        name(given, all, begin + 1);
    }
    return true;
  }

private:
  static bool isInside(const clang::Stmt* inner, const clang::Stmt* outer,
                       const clang::ParentMap& parents) {
    for (const clang::Stmt* at = inner; at; at = parents.getParent(at))
      if (at == outer)
        return true;
    return false;
  }

  /// The variable that a statement, or a list of statements at its end, sets to what one lane has:
  /// `row = __shfl_sync(~0u, row, 0);`.
  const clang::VarDecl* givenByOne(const clang::Stmt* s) const {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return list->body_empty() ? nullptr : givenByOne(list->body_back());
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    const auto* set = e ? llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParens()) : nullptr;
    const clang::VarDecl* result =
        set && set->getOpcode() == clang::BO_Assign ? namedBy(set->getLHS()) : nullptr;
    const clang::CallExpr* call =
        result ? wholeShuffle(set->getRHS(), "__shfl_sync", body_.unit.context()) : nullptr;
    return call && constantOf(call->getArg(2), body_.unit.context()) ? result : nullptr;
  }

  /// The variable that a list of statements sets at its end to what it has combined by a butterfly
  /// right before: `{ float v = x; for (...) v += __shfl_xor_sync(~0u, v, o); s = v; }`.
  const clang::VarDecl* resultOf(const clang::Stmt* s) const {
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s);
    if (!list || list->size() < 2)
      return nullptr;
    const auto* last = llvm::dyn_cast<clang::Expr>(list->body_back());
    const auto* set = last ? llvm::dyn_cast<clang::BinaryOperator>(last->IgnoreParens()) : nullptr;
    const clang::VarDecl* result =
        set && set->getOpcode() == clang::BO_Assign ? namedBy(set->getLHS()) : nullptr;
    const clang::VarDecl* given = result ? namedBy(set->getRHS()) : nullptr;
    const LocalVariable* local = given ? body_.variables.find(given) : nullptr;
    if (!local || local->escapes ||
        !body_.unit.context().hasSameUnqualifiedType(result->getType(), given->getType()))
      return nullptr;
    for (auto begin = list->body_begin(), end = list->body_end() - 1; begin != end; ++begin) {
      Butterfly butterfly(body_.unit.context());
      if (std::all_of(begin, end, [&](const clang::Stmt* step) { return butterfly.take(step); }) &&
          butterfly.combined[given] == allDistances)
        return result;
    }
    return nullptr;
  }

  /// Names the value that all lanes have of a variable in the statements behind its butterfly.
  void name(const clang::VarDecl* variable, const std::vector<const clang::Stmt*>& list,
            std::size_t behind) {
    const clang::ParentMap& parents = body_.variables.parents();
    const LocalVariable* local = body_.variables.find(variable);
    if (!local || local->escapes || !local->statement || behind == list.size() ||
        std::find(list.begin(), list.end(), local->statement) == list.end() ||
        !variable->hasLocalStorage() || isShared(variable) || variable->hasAttrs() ||
        !variable->getType()->isArithmeticType() || variable->getType().isVolatileQualified())
      return;
    const auto uses = body_.placesOf(variable);
    const clang::Stmt* last = list[behind - 1];
    const auto before = body_.text.rangeOf(last->getSourceRange());
    if (!uses || !before || last->getBeginLoc().isMacroID() || last->getEndLoc().isMacroID())
      return;
    // Up to the statement that changes it next.
    std::size_t end = behind;
    while (end < list.size() &&
           std::none_of(
               local->assignments.begin(), local->assignments.end(),
               [&](const clang::Expr* a) { return isInside(a, list[end], parents); }))
      ++end;
    const std::string own = freeName(variable);
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    bool gains = false;
    for (const auto& [place, use] : *uses)
      for (std::size_t i = behind; i < end; ++i)
        if (isInside(use, list[i], parents)) {
          edits[place] = {place + unsigned(variable->getName().size()), own};
          gains |= isComputedWith(use, list[i]);
        }
    if (!gains)
      return;
    const auto at = llvm::isa<clang::Expr>(last) ? behindSemicolon(body_.text, *before)
                                                 : behindStatement(last, *before);
    // Of two variables of one butterfly the second has its turn in the next round.
    if (!at || edits.begin()->first < *at || edits.count(*at) ||
        body_.changes[before->file].count(*at))
      return;
    const std::string type = variable->getType().getUnqualifiedType().getAsString(
        clang::PrintingPolicy(body_.unit.context().getPrintingPolicy()));
    edits[*at] = {*at, " const " + type + " " + own + " = cu2cpp::agreed(" +
                           variable->getNameAsString() + ");"};
    if (body_.put(before->file, std::move(edits)))
      names_.insert(own);
  }

  /// The end of a loop or of a list in braces.
  std::optional<unsigned> behindStatement(const clang::Stmt* s, const FileRange& range) const {
    if (const auto* marked = llvm::dyn_cast<clang::AttributedStmt>(s))
      s = marked->getSubStmt();
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
      s = loop->getBody();
    if (llvm::isa<clang::CompoundStmt, clang::NullStmt>(s))
      return range.end;
    return llvm::isa<clang::Expr>(s) ? behindSemicolon(body_.text, range) : std::nullopt;
  }

  /// Whether a whole number is the index of an element in what a branch does that asks for it.
  bool isNumberOfRow(const clang::Stmt* use, const clang::IfStmt* branch) const {
    class Indices : public SyntaxVisitor {
    public:
      const clang::VarDecl* variable = nullptr;
      bool found = false;
      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
        found |= countUses(element->getIdx(), variable) != 0;
        return !found;
      }
    } indices;
    const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(use);
    indices.variable = named ? llvm::dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
    if (!indices.variable || !indices.variable->getType()->isIntegerType())
      return false;
    indices.TraverseStmt(const_cast<clang::Stmt*>(branch->getThen()));
    return indices.found;
  }

  /// Whether every lane computes with the value: no test of its place stands before, and it is more
  /// than stored or handed on.
  bool isComputedWith(const clang::Stmt* use, const clang::Stmt* statement) const {
    const clang::ParentMap& parents = body_.variables.parents();
    bool computes = false;
    for (const clang::Stmt* at = use; at; at = parents.getParent(at)) {
      if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(at))
        computes |= op->isMultiplicativeOp() || op->isAdditiveOp();
      // What a row's number says is asked once, and lies in one place.
      if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(parents.getParent(at));
          branch && branch->getCond() == at && isNumberOfRow(use, branch))
        return true;
      if (const auto* call = llvm::dyn_cast<clang::CallExpr>(at)) {
        if (isAgreed(call))
          return false;
        computes |= !llvm::isa<clang::CXXOperatorCallExpr>(call);
      }
      if (llvm::isa<clang::IfStmt>(at))
        return false;
      if (at == statement)
        break;
    }
    return computes;
  }

  std::string freeName(const clang::VarDecl* variable) const {
    std::string out = "cuSame_" + variable->getNameAsString();
    for (unsigned i = 2; names_.count(out); ++i)
      out = "cuSame" + std::to_string(i) + "_" + variable->getNameAsString();
    return out;
  }

  const PlainBody& body_;
  std::set<std::string> names_;
};

} // namespace

bool isAgreed(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  return callee && callee->getDeclName().isIdentifier() && callee->getName() == "agreed" &&
         callee->getQualifiedNameAsString() == "cu2cpp::agreed";
}

bool declaresAgreed(const PlainBody& body, const clang::DeclStmt* s) {
  return !s->isSingleDecl() &&
         std::any_of(body.contents.calls.begin(), body.contents.calls.end(), isAgreed) &&
         std::any_of(s->decl_begin(), s->decl_end(), [&](const clang::Decl* decl) {
           const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
           const LocalVariable* local = variable ? body.variables.find(variable) : nullptr;
           return local && local->modified && local->warpUniform && !local->uniform;
         });
}

void nameAgreements(const PlainBody& body) {
  if (!body.contents.lambdas)
    Agreements(body).TraverseStmt(body.function->getBody());
}

} // namespace cu2cpp
