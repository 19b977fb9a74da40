// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an expression is to the group: a thread's index, a value on which all agree, a call of the
// library.
#include "plan/splitter.h"

#include "llvm/Support/MathExtras.h"

#include "analyse/instance_calls.h"
#include "analyse/plain_groups.h"
#include "analyse/plain_structures.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {

bool Splitter::isLane(const clang::Expr* e) const {
  e = e->IgnoreParenImpCasts();
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return variable && isStored(variable, Storage::Recomputed) && variable->hasInit() &&
           isLane(variable->getInit());
  }
  return isPartByWarp(e, clang::BO_And, kernel_.lanesTogether - 1, clang::BO_Rem);
}

bool Splitter::isLaneOfGrid(const clang::Expr* e) const {
  e = e->IgnoreParenImpCasts();
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return variable && isStored(variable, Storage::Recomputed) && variable->hasInit() &&
           isLaneOfGrid(variable->getInit());
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  const std::int64_t lanes = kernel_.lanesTogether;
  return op &&
         ((op->getOpcode() == clang::BO_And &&
           constantOf(op->getRHS(), plan_.unit.context()) == lanes - 1) ||
          (op->getOpcode() == clang::BO_Rem &&
           constantOf(op->getRHS(), plan_.unit.context()) == lanes)) &&
         isPlaceInGrid(op->getLHS());
}

bool Splitter::isPlaceInGrid(const clang::Expr* e) const {
  e = e->IgnoreParenImpCasts();
  if (const clang::VarDecl* variable = namedBy(e))
    return isStored(variable, Storage::Recomputed) && variable->hasInit() &&
           variable->getType()->isIntegerType() && !variable->getType()->isDependentType() &&
           plan_.unit.context().getTypeSize(variable->getType()) >= 32 &&
           isPlaceInGrid(variable->getInit());
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!sum || sum->getOpcode() != clang::BO_Add)
    return false;
  const auto isOfBlock = [](const clang::Expr* part, unsigned builtin) {
    part = part->IgnoreParenImpCasts();
    if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(part))
      part = pseudo->getResultExpr()->IgnoreParenImpCasts();
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(part);
    const auto* use =
        member ? llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts())
               : nullptr;
    return use && builtinOf(use->getDecl()) == builtin && member->getMemberDecl()->getName() == "x";
  };
  const auto isBlockStart = [&](const clang::Expr* part) {
    const auto* product = llvm::dyn_cast<clang::BinaryOperator>(part->IgnoreParenImpCasts());
    return product && product->getOpcode() == clang::BO_Mul &&
           ((isOfBlock(product->getLHS(), BlockIdx) && isOfBlock(product->getRHS(), BlockDim)) ||
            (isOfBlock(product->getLHS(), BlockDim) && isOfBlock(product->getRHS(), BlockIdx)));
  };
  return (isBlockStart(sum->getLHS()) && isThreadIndex(sum->getRHS())) ||
         (isBlockStart(sum->getRHS()) && isThreadIndex(sum->getLHS()));
}

bool Splitter::isWarpNumber(const clang::Expr* e) const {
  return isPartByWarp(e->IgnoreParenImpCasts(), clang::BO_Shr, llvm::Log2_32(kernel_.lanesTogether),
                      clang::BO_Div);
}

bool Splitter::isPartByWarp(const clang::Expr* e, clang::BinaryOperatorKind byBits, unsigned bits,
                            clang::BinaryOperatorKind byNumber) const {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op || !(isThreadIndex(op->getLHS()) || isRankInBlock(op->getLHS())))
    return false;
  const clang::Expr* right = op->getRHS()->IgnoreParenImpCasts();
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(right);
  const bool isWarpSize = named && named->getDecl()->getNameAsString() == "warpSize";
  clang::Expr::EvalResult result;
  const bool known =
      !right->isValueDependent() && right->EvaluateAsInt(result, plan_.unit.context());
  return (op->getOpcode() == byBits && known && result.Val.getInt() == bits) ||
         (op->getOpcode() == byNumber && ((isWarpSize && kernel_.lanesTogether == 32) ||
                                          (known && result.Val.getInt() == kernel_.lanesTogether)));
}

bool Splitter::declaresRecomputed(const clang::Stmt* s) const {
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
  const auto* variable = declaration && declaration->isSingleDecl()
                             ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                             : nullptr;
  return variable && isStored(variable, Storage::Recomputed);
}

bool Splitter::isThreadIndex(const clang::Expr* e, llvm::StringRef part) const {
  e = e->IgnoreParenImpCasts();
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isThreadIndex(pseudo->getResultExpr(), part);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return use && builtinOf(use->getDecl()) == ThreadIdx &&
           member->getMemberDecl()->getName() == part;
  }
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  // A byte does not hold a thread's place.
  return variable && isStored(variable, Storage::Recomputed) && variable->hasInit() &&
         variable->getType()->isIntegerType() && !variable->getType()->isDependentType() &&
         plan_.unit.context().getTypeSize(variable->getType()) >= 16 &&
         isThreadIndex(variable->getInit(), part);
}

bool Splitter::isNeverZero(const clang::Expr* e) const {
  e = e->IgnoreParenImpCasts();
  clang::Expr::EvalResult value;
  if (e->isValueDependent())
    return true; // compilers see a constant, and warn of 0
  if (e->EvaluateAsInt(value, plan_.unit.context()))
    return value.Val.getInt() != 0;
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isNeverZero(pseudo->getResultExpr());
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return op->getOpcode() == clang::BO_Mul && isNeverZero(op->getLHS()) &&
           isNeverZero(op->getRHS());
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
  const auto* use =
      llvm::dyn_cast<clang::DeclRefExpr>(member ? member->getBase()->IgnoreParenImpCasts() : e);
  return use && (builtinOf(use->getDecl()) == BlockDim || builtinOf(use->getDecl()) == GridDim ||
                 use->getDecl()->getNameAsString() == "warpSize");
}

bool Splitter::isGroupValue(const clang::Expr* e, bool repeated) const {
  class Names : public SyntaxVisitor {
  public:
    const Splitter* splitter = nullptr;
    bool repeated = false, good = true;
    // What the elements of a row have alike.
    bool TraverseStmt(clang::Stmt* s) override {
      const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(s);
      // Nor does what is computed of sizes and the block's place: `cu2cpp::threadsIn(blockDim)`.
      const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(s);
      return (repeated && op && splitter->elements_ &&
              (splitter->elements_->quotients.count(op) ||
               splitter->elements_->layers.count(op))) ||
             (call && isOfGrid(call)) || SyntaxVisitor::TraverseStmt(s);
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable || builtinOf(variable) == ThreadIdx || isShared(variable))
        return good = good && !variable && !llvm::isa<clang::FunctionDecl>(use->getDecl());
      if (splitter->elements_ && variable == splitter->elements_->row)
        return good = good && repeated && splitter->elements_->columns;
      if (repeated && splitter->isElementPlace(variable))
        return good = good && splitter->isGroupValue(variable->getInit(), true);
      if (repeated && splitter->isStored(variable, Storage::Recomputed))
        return good =
                   good && variable->hasInit() && splitter->isGroupValue(variable->getInit(), true);
      if (builtinOf(variable) || isNamedConstant(variable) ||
          splitter->isStored(variable, Storage::Block) ||
          splitter->regions_.constants.count(variable))
        return true;
      const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
      return good = good && parameter && splitter->kernel_.kernel &&
                    !splitter->regions_.modifiedParameters.count(parameter);
    }
    bool VisitCallExpr(clang::CallExpr*) override { return good = false; }
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return good = false; }
    bool VisitCXXConstructExpr(clang::CXXConstructExpr*) override {
      return good = good && !repeated;
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      // What is declared again has a place of its own each time.
      return good = good && op->getOpcode() != clang::UO_Deref &&
                    !(repeated && op->getOpcode() == clang::UO_AddrOf) &&
                    !op->isIncrementDecrementOp();
    }
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      return good = good && !member->isArrow();
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      // Bounds are computed before what guards a division: `n != 0 && threadIdx.x < m / n`.
      const bool divides = op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem;
      return good = good && !op->isAssignmentOp() &&
                    !(divides && !splitter->isNeverZero(op->getRHS()));
    }
  } names;
  names.splitter = this;
  names.repeated = repeated;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.good;
}

bool Splitter::callsLibrary(const std::vector<const clang::Stmt*>& statements) const {
  class Calls : public SyntaxVisitor {
  public:
    explicit Calls(const FunctionFacts& function) : function_(function) {}
    bool found = false;
    bool VisitCallExpr(clang::CallExpr* call) override {
      for (const clang::FunctionDecl* callee : calleesOf(call, function_))
        visit(callee);
      return !found;
    }

  private:
    void visit(const clang::FunctionDecl* callee) {
      if (!callee->getIdentifier() || !seen_.insert(callee->getCanonicalDecl()).second)
        return;
      llvm::StringRef name = callee->getName();
      name.consume_front("__");
      for (const char* known : {"exp", "log", "pow", "sin", "cos", "tan", "asin", "acos", "atan",
                                "erf", "cbrt", "tgamma", "lgamma", "normcdf", "hypot"})
        found |= name.starts_with(known);
      const clang::FunctionDecl* definition = nullptr;
      if (!found && callee->hasBody(definition))
        TraverseStmt(definition->getBody());
    }
    const FunctionFacts& function_;
    std::set<const clang::FunctionDecl*> seen_;
  } calls(kernel_);
  for (const clang::Stmt* s : statements)
    calls.TraverseStmt(const_cast<clang::Stmt*>(s));
  return calls.found;
}

bool Splitter::takesStructures(const std::vector<const clang::Stmt*>& statements) const {
  class Finder : public SyntaxVisitor {
  public:
    explicit Finder(const Splitter& splitter) : splitter_(splitter), slopes_(splitter.body_, "x") {}
    bool found = false;
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
      const clang::Expr* array = e->getBase()->IgnoreParenImpCasts();
      const clang::VarDecl* variable = namedBy(array);
      // What all lanes read at one place is no row: `tile[j]`.
      return look(e->getType(),
                  (array->getType()->isPointerType() || (variable && isShared(variable))) &&
                      slopes_.slope(e->getIdx()) != 0);
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return look(op->getType(), op->getOpcode() == clang::UO_Deref);
    }

  private:
    bool look(clang::QualType type, bool inMemory) {
      constexpr std::int64_t fewestBytes = 16;
      found |= inMemory && !type->isDependentType() && isOfNumbers(type) &&
               splitter_.plan_.unit.context().getTypeSizeInChars(type).getQuantity() >= fewestBytes;
      return !found;
    }
    const Splitter& splitter_;
    Slopes slopes_;
  } finder(*this);
  for (const clang::Stmt* s : statements)
    finder.TraverseStmt(const_cast<clang::Stmt*>(s));
  return finder.found;
}

} // namespace cu2cpp
