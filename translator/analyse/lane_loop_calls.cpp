// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that run outside of the loop over threads (lane_loops.cpp): what functions do that they
// call.
#include "analyse/lane_loop_parts.h"

#include <set>

#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

bool isAddressOfScalar(const clang::Expr* argument, const Uniformity& uniformity) {
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenImpCasts());
  if (!address || address->getOpcode() != clang::UO_AddrOf)
    return false;
  const clang::Expr* place = address->getSubExpr()->IgnoreParens();
  // A part of a structure, `&v.x`.
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place);
      member && !member->isArrow() && isOfNumbers(member->getBase()->getType()) &&
      llvm::isa<clang::FieldDecl>(member->getMemberDecl()))
    place = member->getBase();
  const clang::VarDecl* variable = namedBy(place);
  const LocalVariable* local = variable ? uniformity.find(variable) : nullptr;
  return local && (local->scalar || isOfNumbers(variable->getType())) &&
         !variable->getType()->isReferenceType() && !variable->getType().isVolatileQualified();
}

namespace {

/// The parameter that `*parameter` or `parameter->x` reaches through, if it does nothing else.
const clang::ParmVarDecl* reachedThrough(const clang::Expr* e) {
  const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
  const bool reaches = op ? op->getOpcode() == clang::UO_Deref : member && member->isArrow();
  if (!reaches || !isPlain(e->getType()))
    return nullptr;
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(
      (op ? op->getSubExpr() : member->getBase())->IgnoreParenImpCasts());
  return use ? llvm::dyn_cast<clang::ParmVarDecl>(use->getDecl()) : nullptr;
}

} // namespace

bool changesScalarsOnly(const clang::FunctionDecl* function, const Facts& facts, unsigned depth) {
  const clang::FunctionDecl* definition = nullptr;
  if (depth > 4 || !function->hasBody(definition))
    return false;
  class Body : public SyntaxVisitor {
  public:
    Body(const Facts& facts, unsigned depth) : facts_(facts), depth_(depth) {}
    bool fits = true;
    bool TraverseUnaryOperator(clang::UnaryOperator* op) override {
      return reachedThrough(op) || SyntaxVisitor::TraverseUnaryOperator(op);
    }
    bool TraverseMemberExpr(clang::MemberExpr* member) override {
      return reachedThrough(member) || SyntaxVisitor::TraverseMemberExpr(member);
    }
    bool VisitStmt(clang::Stmt* at) override {
      if (const auto* call = llvm::dyn_cast<clang::CallExpr>(at)) {
        const clang::FunctionDecl* callee = call->getDirectCallee();
        return fits = callee && (isPureFunction(callee, facts_) ||
                                 changesScalarsOnly(callee, facts_, depth_ + 1));
      }
      if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(at)) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        return fits = llvm::isa<clang::FunctionDecl, clang::EnumConstantDecl>(use->getDecl()) ||
                      (variable && (variable->hasLocalStorage() || isNamedConstant(variable)) &&
                       (isPlain(use->getType()) || isOfValues(use->getType())));
      }
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at))
        return fits = isPartOfObject(member) ||
                      (!member->isArrow() &&
                       (llvm::isa<clang::CXXMethodDecl>(member->getMemberDecl()) ||
                        isOfNumbers(member->getBase()->getType()) ||
                        isOfValues(member->getBase()->getType())));
      if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(at))
        return fits = op->getOpcode() != clang::UO_AddrOf && op->getOpcode() != clang::UO_Deref;
      return fits = !llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                               clang::CXXForRangeStmt, clang::ArraySubscriptExpr, clang::LambdaExpr,
                               clang::AsmStmt, clang::GotoStmt, clang::SwitchStmt>(at);
    }

    bool isConst = false; ///< a method that leaves its object as it is

  private:
    bool isPartOfObject(const clang::MemberExpr* member) const {
      const auto* object = llvm::dyn_cast<clang::CXXThisExpr>(member->getBase()->IgnoreImpCasts());
      return isConst && object && llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
             isOfNumbers(object->getType()->getPointeeType().getUnqualifiedType());
    }
    const Facts& facts_;
    unsigned depth_;
  } body(facts, depth);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  body.isConst = method && method->isConst() && !method->isVirtual();
  body.TraverseStmt(definition->getBody());
  return body.fits;
}

bool updatesOnly(const clang::FunctionDecl* function, unsigned depth) {
  const clang::FunctionDecl* definition = nullptr;
  if (depth > 4 || !function->getReturnType()->isVoidType() || !function->hasBody(definition))
    return false;
  class Body : public SyntaxVisitor {
  public:
    unsigned depth = 0;
    bool fits = true;
    bool VisitCompoundStmt(clang::CompoundStmt* list) override {
      for (const clang::Stmt* s : list->body())
        if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s))
          statements_.insert(call);
      return true;
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (!callee || !statements_.count(call))
        return fits = false;
      if (!hasMark(callee, "in_block"))
        return fits = updatesOnly(callee, depth + 1);
      if (const auto* address =
              llvm::dyn_cast<clang::UnaryOperator>(call->getArg(0)->IgnoreParenImpCasts());
          address && address->getOpcode() == clang::UO_AddrOf)
        places_.insert(address->getSubExpr()->IgnoreParens());
      return true;
    }
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
      return fits = places_.count(access);
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return fits = op->getOpcode() != clang::UO_Deref;
    }
    bool VisitStmt(clang::Stmt* at) override {
      return fits &=
             !llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                        clang::MemberExpr, clang::LambdaExpr, clang::AsmStmt, clang::GotoStmt,
                        clang::SwitchStmt, clang::CXXConstructExpr, clang::CXXThisExpr>(at);
    }

  private:
    std::set<const clang::Stmt*> statements_, places_;
  } body;
  body.depth = depth;
  body.TraverseStmt(definition->getBody());
  return body.fits;
}

bool loadsInShortLoops(const clang::FunctionDecl* function, const Facts& facts, unsigned depth) {
  class Body : public SyntaxVisitor {
  public:
    Body(const Facts& facts, unsigned depth) : facts_(facts), depth_(depth) {}
    bool fits = true;
    bool TraverseForStmt(clang::ForStmt* loop) override {
      const auto steps = stepsBetweenConstants(loop);
      if (!steps || *steps > mostUnrolled)
        return fits = false;
      const auto* init = llvm::cast<clang::DeclStmt>(loop->getInit());
      counters_.insert(llvm::cast<clang::VarDecl>(init->getSingleDecl()));
      return SyntaxVisitor::TraverseForStmt(loop);
    }
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
      return fits = access->getBase()->IgnoreParenImpCasts()->getType()->isArrayType() ||
                    !isAlong(access->getIdx());
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      return fits =
                 callee && (!facts_.find(callee) || loadsInShortLoops(callee, facts_, depth_ + 1));
    }
    bool VisitStmt(clang::Stmt* at) override {
      const auto* op = llvm::dyn_cast<clang::UnaryOperator>(at);
      return fits &= !llvm::isa<clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                                clang::GotoStmt, clang::SwitchStmt>(at) &&
                     !(op && op->getOpcode() == clang::UO_Deref);
    }

  private:
    bool isAlong(const clang::Expr* index) const {
      index = index->IgnoreParenCasts();
      if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(index))
        return counters_.count(use->getDecl()) != 0;
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(index);
      return op && op->isAdditiveOp() && (isAlong(op->getLHS()) || isAlong(op->getRHS()));
    }
    const Facts& facts_;
    unsigned depth_;
    std::set<const clang::Decl*> counters_;
  };
  const clang::FunctionDecl* definition = nullptr;
  if (depth > 4 || !function->hasBody(definition) ||
      (depth == 0 && !isPureFunction(function, facts)))
    return false;
  Body body(facts, depth);
  body.TraverseStmt(definition->getBody());
  return body.fits;
}

bool loadsAt(const clang::FunctionDecl* function, unsigned index) {
  class Body : public SyntaxVisitor {
  public:
    explicit Body(const clang::ParmVarDecl* place) : place_(place) {}
    bool found = false;
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
      found |= !access->getType()->isArrayType() &&
               !ownArray(access->getBase()->IgnoreParenImpCasts()) && isPlace(access->getIdx());
      return !found;
    }

  private:
    bool isPlace(const clang::Expr* e) const {
      e = e->IgnoreParenCasts();
      if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e))
        return use->getDecl() == place_;
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
      return op && op->isAdditiveOp() &&
             (isPlace(op->getLHS()) || (op->getOpcode() == clang::BO_Add && isPlace(op->getRHS())));
    }
    const clang::ParmVarDecl* place_;
  };
  const clang::FunctionDecl* definition = nullptr;
  if (!function->hasBody(definition) || index >= definition->getNumParams())
    return false;
  Body body(definition->getParamDecl(index));
  body.TraverseStmt(definition->getBody());
  return body.found;
}

unsigned workIn(const clang::FunctionDecl* function, const Facts& facts, unsigned depth) {
  class Body : public SyntaxVisitor {
  public:
    Body(const Facts& facts, unsigned depth) : facts_(facts), depth_(depth) {}
    unsigned work = 0;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      work += op->getType()->isFloatingType();
      return true;
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      if (const clang::FunctionDecl* callee = call->getDirectCallee())
        work += workIn(callee, facts_, depth_ + 1);
      return true;
    }

  private:
    const Facts& facts_;
    unsigned depth_;
  };
  const clang::FunctionDecl* definition = nullptr;
  if (depth > 4 || !facts.find(function) || !function->hasBody(definition))
    return 0;
  Body body(facts, depth);
  body.TraverseStmt(definition->getBody());
  return body.work;
}

} // namespace cu2cpp
