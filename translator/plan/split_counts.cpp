// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared counters to which a strided loop of the block only adds. The addition of a thread waits
// for its neighbour's if both add to the same element; so neighbours add to copies, whose sums go
// to the array behind the loop.
//
//   for (...)                              { cu2cpp::Counters cuCounters_bins(bins);
//     atomicAdd(&bins[data[i]], 1);   ->   for (...)
//                                            cuCounters_bins.add(threadIdx.x, data[i], 1);
//                                          }
#include "plan/splitter.h"

#include <algorithm>

namespace cu2cpp {
namespace {

/// The uses of shared arrays in a loop, and the additions among them.
class Additions : public SyntaxVisitor {
public:
  Additions(const Facts& facts, const clang::ParentMap& parents)
      : facts_(facts), parents_(parents) {}

  struct Addition {
    const clang::CallExpr* call;
    const clang::Expr *row, *index, *value; ///< row: null where the table has none
  };
  std::map<const clang::VarDecl*, unsigned> uses;
  std::map<const clang::VarDecl*, std::vector<Addition>> additions;

  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        variable && isShared(variable))
      ++uses[variable];
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (!name || call->getNumArgs() != 2 || name->getDecl()->getNameAsString() != "atomicAdd" ||
        std::find(facts_.sharedAtomics.begin(), facts_.sharedAtomics.end(), name) ==
            facts_.sharedAtomics.end() ||
        !isStatement(call))
      return true;
    const auto* address =
        llvm::dyn_cast<clang::UnaryOperator>(call->getArg(0)->IgnoreParenImpCasts());
    const auto* element =
        address && address->getOpcode() == clang::UO_AddrOf
            ? llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens())
            : nullptr;
    const clang::Expr* base = element ? element->getBase()->IgnoreParenImpCasts() : nullptr;
    const clang::Expr* number = nullptr;
    if (const auto* row = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(base)) {
      base = row->getBase()->IgnoreParenImpCasts();
      number = row->getIdx();
    }
    const auto* array = llvm::dyn_cast_or_null<clang::DeclRefExpr>(base);
    const auto* variable = array ? llvm::dyn_cast<clang::VarDecl>(array->getDecl()) : nullptr;
    if (variable && isShared(variable))
      additions[variable].push_back({call, number, element->getIdx(), call->getArg(1)});
    return true;
  }

private:
  bool isStatement(const clang::Stmt* s) const {
    const clang::Stmt* parent = parents_.getParent(const_cast<clang::Stmt*>(s));
    if (llvm::isa_and_nonnull<clang::CompoundStmt>(parent))
      return true;
    if (const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(parent))
      return branch->getThen() == s || branch->getElse() == s;
    if (const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(parent))
      return loop->getBody() == s;
    return false;
  }
  const Facts& facts_;
  const clang::ParentMap& parents_;
};

/// Copies of more elements than this would cost more than they win.
constexpr unsigned long long mostCounters = 1024;

} // namespace

std::string Splitter::countersBefore(const clang::ForStmt* loop, const std::string& newline) {
  Additions found(plan_.facts, *parents_);
  found.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
  std::string out;
  for (const auto& [variable, additions] : found.additions) {
    const auto* array = plan_.unit.context().getAsConstantArrayType(variable->getType());
    const bool fixed = std::any_of(
        kernel_.shared.begin(), kernel_.shared.end(),
        [&](const SharedVariable& shared) { return shared.decl == variable && !shared.dynamic; });
    const auto* row =
        array ? plan_.unit.context().getAsConstantArrayType(array->getElementType()) : nullptr;
    if (!array || !fixed || array->getSize().ugt(mostCounters) ||
        (row && (row->getSize() * array->getSize()).ugt(mostCounters)) ||
        !(row ? row : array)->getElementType()->isIntegerType() ||
        additions.size() != found.uses[variable] ||
        std::any_of(additions.begin(), additions.end(), [&](const Additions::Addition& a) {
          return (a.row != nullptr) != (row != nullptr) || (a.row && !plan_.text.isWhole(a.row)) ||
                 a.call->getBeginLoc().isMacroID() || a.call->getEndLoc().isMacroID() ||
                 !plan_.text.isWhole(a.index) || !plan_.text.isWhole(a.value) ||
                 !callsIn(a.call).empty();
        }))
      continue;
    const std::string name = "cuCounters_" + variable->getNameAsString();
    out += "cu2cpp::Counters " + name + "(" + variable->getNameAsString() + ");" + newline;
    for (const Additions::Addition& a : additions)
      edits_.replace(expressionRange(a.call),
                     name + ".add(threadIdx.x, " + (a.row ? expressionText(a.row) + ", " : "") +
                         expressionText(a.index) + ", " + expressionText(a.value) + ")");
  }
  return out;
}

} // namespace cu2cpp
