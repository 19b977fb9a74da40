// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/few_threads.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// threadIdx.x or .y, or a variable that is nothing else; a constant may be added.
bool isThreadIndex(const clang::Expr* e, const Uniformity& variables,
                   const clang::ASTContext& context) {
  e = e->IgnoreParenImpCasts();
  if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e))
    return sum->getOpcode() == clang::BO_Add && constantOf(sum->getRHS(), context) &&
           isThreadIndex(sum->getLHS(), variables, context);
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isThreadIndex(pseudo->getResultExpr(), variables, context);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return use && builtinOf(use->getDecl()) == ThreadIdx &&
           member->getMemberDecl()->getName() != "z";
  }
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  const LocalVariable* local = variable ? variables.find(variable) : nullptr;
  return local && !local->modified && variable->hasInit() &&
         isThreadIndex(variable->getInit(), variables, context);
}

/// Whether a variable may be kept for each thread instead, at no other cost.
bool isNumber(const clang::VarDecl* variable, const LocalVariable* local) {
  const clang::QualType type = variable->getType();
  return local && local->statement && local->statement->isSingleDecl() && local->scalar &&
         !local->escapes && !local->modified && variable->hasLocalStorage() &&
         variable->hasInit() && !type->isDependentType() && type->isArithmeticType() &&
         !type->getContainedAutoType() && !type.isVolatileQualified() &&
         !local->statement->getBeginLoc().isMacroID() && !local->statement->getEndLoc().isMacroID();
}

void addReadAtEnd(const RegionNode& region, const Uniformity& variables,
                  const clang::ASTContext& context, std::set<const clang::VarDecl*>& out) {
  if (region.statements.size() < 3 || region.returns || region.oneByOne)
    return;
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(region.statements.back());
  if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      branch->isConstexpr() || branch->getBeginLoc().isMacroID() ||
      branch->getEndLoc().isMacroID() || !asksForFew(branch->getCond(), variables, context))
    return;
  const auto declares = [](const clang::Stmt* s) { return llvm::isa<clang::DeclStmt>(s); };
  if (std::all_of(region.statements.begin(), region.statements.end() - 1, declares))
    return;
  std::set<const clang::VarDecl*> read;
  for (const clang::VarDecl* used : Contents(branch).uses) {
    const LocalVariable* local = variables.find(used);
    if (!local || std::find(region.statements.begin(), region.statements.end(), local->statement) ==
                      region.statements.end())
      continue;
    if (!isNumber(used, local))
      return;
    read.insert(used);
  }
  out.merge(read);
}

} // namespace

bool asksForFew(const clang::Expr* condition, const Uniformity& variables,
                const clang::ASTContext& context) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
  if (op && op->getOpcode() == clang::BO_LAnd)
    return asksForFew(op->getLHS(), variables, context) ||
           asksForFew(op->getRHS(), variables, context);
  if (!op || !isThreadIndex(op->getLHS(), variables, context))
    return false;
  if (op->getOpcode() == clang::BO_EQ)
    return variables.isUniform(op->getRHS());
  constexpr int few = 8;
  clang::Expr::EvalResult bound;
  return op->getOpcode() == clang::BO_LT &&
         (op->getRHS()->isValueDependent() ||
          (op->getRHS()->EvaluateAsInt(bound, context) && bound.Val.getInt() <= few));
}

std::set<const clang::VarDecl*> readAtEnds(const std::vector<RegionNode>& nodes,
                                           const Uniformity& variables,
                                           const clang::ASTContext& context) {
  std::set<const clang::VarDecl*> out;
  for (const RegionNode& node : nodes) {
    if (node.kind == RegionNode::Kind::Region)
      addReadAtEnd(node, variables, context, out);
    if (node.kind == RegionNode::Kind::Warps)
      continue; // these run by lanes
    out.merge(readAtEnds(node.children, variables, context));
    out.merge(readAtEnds(node.otherwise, variables, context));
  }
  return out;
}

} // namespace cu2cpp
