// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/grid_turns.h"

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// Whether an expression has one value whenever it is computed: of constants, built-in variables,
/// and local variables that nobody changes.
class Fixed : public SyntaxVisitor {
public:
  Fixed(const clang::Expr* e, const Uniformity& uniformity) : uniformity_(uniformity) {
    TraverseStmt(const_cast<clang::Expr*>(e));
  }
  bool holds = true;
  bool grid = false; ///< and depends on the size of the grid

  bool TraverseCallExpr(clang::CallExpr* call) override {
    return isRankInBlock(call) || isThreadsIn(call) || keep(false);
  }
  bool VisitStmt(clang::Stmt* s) override {
    if (auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s))
      return keep(isFixed(use));
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s))
      return keep(!member->isArrow() && llvm::isa<clang::FieldDecl>(member->getMemberDecl()));
    if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(s))
      return keep(!member->isImplicitAccess() && !member->isArrow());
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s))
      return keep(!op->isAssignmentOp());
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(s))
      return keep(op->isArithmeticOp());
    return keep(
        llvm::isa<clang::CastExpr, clang::ParenExpr, clang::IntegerLiteral, clang::FloatingLiteral,
                  clang::CharacterLiteral, clang::CXXBoolLiteralExpr, clang::ConditionalOperator,
                  clang::SubstNonTypeTemplateParmExpr, clang::OpaqueValueExpr,
                  clang::UnaryExprOrTypeTraitExpr, clang::ConstantExpr>(s));
  }

private:
  bool keep(bool is) { return holds = holds && is; }
  bool isFixed(clang::DeclRefExpr* use) {
    const clang::ValueDecl* decl = use->getDecl();
    if (llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(decl))
      return true;
    if (const unsigned builtin = builtinOf(decl)) {
      grid |= builtin == GridDim;
      return true;
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable)
      return false;
    if (!variable->hasLocalStorage())
      return variable->isConstexpr() || isNamedConstant(variable);
    const LocalVariable* local = uniformity_.find(variable);
    if (!local || local->modified || local->escapes ||
        variable->getType().getNonReferenceType() != variable->getType() ||
        variable->getType().isVolatileQualified())
      return false;
    // What a step of a loop is made of may be computed in front.
    if (variable->hasInit() && !llvm::isa<clang::ParmVarDecl>(variable))
      grid |= Fixed(variable->getInit(), uniformity_).grid;
    return true;
  }
  const Uniformity& uniformity_;
};

/// What a variable is made of, also where it is declared as a base of that:
/// `thread_block_tile<8> tile = tiled_partition<8>(block);`
const clang::Expr* madeOf(const clang::VarDecl* variable) {
  const clang::Expr* init = variable->hasInit() ? variable->getInit()->IgnoreImplicit() : nullptr;
  while (const auto* copy = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(init)) {
    if (copy->getNumArgs() != 1 || !copy->getConstructor()->isCopyOrMoveConstructor())
      break;
    init = copy->getArg(0)->IgnoreImplicit();
  }
  return init;
}

/// Whether a variable is a group of the block's own threads, `auto tile = tiled_partition<32>(b);`.
bool isGroup(const clang::VarDecl* variable) {
  const auto* record = variable->getType()->getAsCXXRecordDecl();
  const std::string name = record ? record->getQualifiedNameAsString() : "";
  const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(madeOf(variable));
  const clang::FunctionDecl* maker = call ? call->getDirectCallee() : nullptr;
  return (name == "cooperative_groups::thread_block" ||
          name == "cooperative_groups::thread_block_tile") &&
         maker && maker->getDeclName().isIdentifier() &&
         (maker->getName() == "this_thread_block" || maker->getName() == "tiled_partition" ||
          maker->getName() == "tileInBlock");
}

class Jumps : public SyntaxVisitor {
public:
  explicit Jumps(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  bool found = false;
  bool VisitBreakStmt(clang::BreakStmt*) override { return !(found = true); }
  bool VisitContinueStmt(clang::ContinueStmt*) override { return !(found = true); }
  bool VisitReturnStmt(clang::ReturnStmt*) override { return !(found = true); }
  bool VisitGotoStmt(clang::GotoStmt*) override { return !(found = true); }
  bool VisitAsmStmt(clang::AsmStmt*) override { return !(found = true); }
  bool VisitDeclStmt(clang::DeclStmt* s) override {
    for (const clang::Decl* decl : s->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
        found |= !variable->hasLocalStorage();
    return !found;
  }
};

} // namespace

const clang::ForStmt* loopInTurns(const clang::CompoundStmt* body, const Uniformity& uniformity) {
  if (body->body_empty())
    return nullptr;
  for (const clang::Stmt* s : body->body()) {
    if (s == body->body_back())
      break;
    if (llvm::isa<clang::NullStmt>(s))
      continue;
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
    if (!declared)
      return nullptr;
    for (const clang::Decl* decl : declared->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable) {
        if (llvm::isa<clang::TypeDecl, clang::StaticAssertDecl, clang::UsingDecl>(decl))
          continue;
        return nullptr;
      }
      const LocalVariable* local = uniformity.find(variable);
      if (variable->isConstexpr() || isGroup(variable) || isShared(variable))
        continue;
      if (!local || local->modified || local->escapes ||
          !(local->scalar || variable->getType()->isDependentType()) ||
          !variable->hasLocalStorage() || !variable->hasInit() ||
          !Fixed(variable->getInit(), uniformity).holds)
        return nullptr;
    }
  }
  const auto* loop = llvm::dyn_cast<clang::ForStmt>(body->body_back());
  const auto* init = loop ? llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit()) : nullptr;
  const auto* row = init && init->isSingleDecl()
                        ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                        : nullptr;
  const auto* step = row && loop->getInc()
                         ? llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens())
                         : nullptr;
  const auto* test =
      row && loop->getCond()
          ? llvm::dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts())
          : nullptr;
  const LocalVariable* local = row ? uniformity.find(row) : nullptr;
  if (!local || !(local->integer || row->getType()->isDependentType()) || local->escapes ||
      local->assignments.size() != 1 || !row->hasInit() || row->getType().isVolatileQualified() ||
      row->getType()->getContainedAutoType() || !step || step->getOpcode() != clang::BO_AddAssign ||
      namedBy(step->getLHS()) != row || !test ||
      (test->getOpcode() != clang::BO_LT && test->getOpcode() != clang::BO_LE) ||
      namedBy(test->getLHS()) != row || Jumps(loop->getBody()).found)
    return nullptr;
  const Fixed by(step->getRHS(), uniformity);
  return by.holds && by.grid && Fixed(row->getInit(), uniformity).holds &&
                 Fixed(test->getRHS(), uniformity).holds
             ? loop
             : nullptr;
}

} // namespace cu2cpp
