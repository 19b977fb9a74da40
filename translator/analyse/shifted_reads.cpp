// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/shifted_reads.h"

#include <algorithm>
#include <functional>

#include "analyse/shifted_accesses.h"

namespace cu2cpp {
WarpOrder orderAcross(const std::vector<const clang::Stmt*>& before,
                      const std::vector<const clang::Stmt*>& behind, const Uniformity& uniformity) {
  const ShiftedAccesses first(before), second(behind);
  if (!first.fits || !second.fits || !first.written.empty() || second.written.empty())
    return WarpOrder::None;
  const ShiftedPlaces shifts(uniformity);
  std::set<const clang::VarDecl*> changed;
  for (const clang::ArraySubscriptExpr* element : second.written) {
    if (!shifts.isOwn(element->getIdx()))
      return WarpOrder::None;
    changed.insert(namedBy(element->getBase()));
  }
  bool before_ = false, behind_ = false;
  for (const clang::ArraySubscriptExpr* element : first.read) {
    if (!changed.count(namedBy(element->getBase())))
      continue;
    const auto side = shifts.side(element->getIdx(), second.written.front()->getIdx());
    if (!side)
      return WarpOrder::None;
    before_ |= *side < 0;
    behind_ |= *side > 0;
  }
  return before_ == behind_ ? WarpOrder::None : before_ ? WarpOrder::Falling : WarpOrder::Rising;
}

bool namesRowsOfBlock(const FunctionFacts& kernel, const Facts& facts) {
  class Names : public SyntaxVisitor {
  public:
    bool found = false;
    bool TraverseMemberExpr(clang::MemberExpr* member) override {
      return isPart(member, ThreadIdx, "x") || SyntaxVisitor::TraverseMemberExpr(member);
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      return !(found |= builtinOf(use->getDecl()) == ThreadIdx);
    }
  } names;
  names.TraverseStmt(kernel.decl->getBody());
  std::set<const FunctionFacts*> seen{&kernel};
  const std::function<bool(const FunctionFacts&)> callsFor = [&](const FunctionFacts& caller) {
    return caller.indirectCalls || caller.builtinsOutsideBody ||
           std::any_of(caller.callees.begin(), caller.callees.end(), [&](const auto* callee) {
             const FunctionFacts* known = facts.find(callee);
             if (!known)
               return hasMark(callee, "thread") && !hasMark(callee, "barrier");
             return seen.insert(known).second &&
                    (known->builtins || known->readsThread || callsFor(*known));
           });
  };
  return names.found || callsFor(kernel);
}

} // namespace cu2cpp
