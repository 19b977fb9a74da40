// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer that starts at a place of the thread's own in one of the kernel's arrays, and moves on,
// is that place:
//
//   const float* p = in + y * nx + x;          long long cuAt_p = (long long)(y * nx) + (long
//   long)(x); for (...) {                          ->    for (...) {
//     sum += p[0] + p[nx] + *p;                  sum += in[cuAt_p + (0)] + in[cuAt_p + (nx)] +
//     in[cuAt_p]; p += plane;                                cuAt_p += plane;
//
// Kept for each thread, it is an address that compilers know nothing of; of places they see that
// neighbouring threads have neighbouring ones (plain_places.cpp).
#include "analyse/plain_pointers.h"

#include "analyse/plain_lambdas.h"

namespace cu2cpp {

bool PlacedPointer::isHidden() const {
  return llvm::any_of(body_.contents.declarations, [&](const clang::DeclStmt* s) {
    return llvm::any_of(s->decls(), [&](const clang::Decl* d) {
      const auto* named = llvm::dyn_cast<clang::NamedDecl>(d);
      return named && named != array_ && named->getName() == array_->getName();
    });
  });
}

bool PlacedPointer::replace(clang::SourceRange where, const std::string& text) {
  const auto range = body_.text.rangeOf(where);
  if (!range || range->file != file_)
    return false;
  return edits_
      .emplace(range->begin, std::pair(range->end, withLinesOf(body_.text.text(*range), text)))
      .second;
}

bool PlacedPointer::insert(unsigned at, const std::string& text) {
  // Where nothing else changes.
  return edits_.emplace(at, std::pair(at, text)).second;
}

bool PlacedPointer::replaceElement(const clang::DeclRefExpr* use,
                                   const clang::ArraySubscriptExpr* element) {
  const auto index = body_.text.rangeOf(element->getIdx()->getSourceRange());
  const auto end = body_.text.positionOf(element->getRBracketLoc());
  return element->getIdx()->getType()->isIntegerType() && isLoadedOrAlike(element) && index &&
         end && end->file == file_ && index->end <= end->offset &&
         !element->getRBracketLoc().isMacroID() && body_.text.isWhole(element->getIdx()) &&
         replace(use->getSourceRange(), array_->getNameAsString()) &&
         insert(index->begin, place_ + " + (") && insert(end->offset, ")");
}

bool PlacedPointer::replaceFollowed(const clang::UnaryOperator* op) {
  return !op->getBeginLoc().isMacroID() && isLoadedOrAlike(op) &&
         replace(op->getSourceRange(), array_->getNameAsString() + "[" + place_ + "]");
}

/// Whether an element may be named by the array, which may say that it can be stored to.
bool PlacedPointer::isLoadedOrAlike(const clang::Expr* e) const {
  const clang::Stmt* around = body_.variables.parents().getParent(e);
  while (llvm::isa_and_nonnull<clang::ParenExpr>(around))
    around = body_.variables.parents().getParent(around);
  const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(around);
  return !saysConst_ || (cast && cast->getCastKind() == clang::CK_LValueToRValue);
}

namespace {

class PointerPlaces : PlacedPointer {
public:
  PointerPlaces(const PlainBody& body, const clang::VarDecl* variable)
      : PlacedPointer(body, variable) {}

  void run(const std::set<std::string>& taken) {
    const auto uses = body_.placesOf(pointer_);
    if (!uses || uses->empty() || taken.count(place_) || !declare() || isHidden())
      return;
    for (const auto& [offset, use] : *uses)
      if (!rewrite(use))
        return;
    if (!moves_)
      return;
    body_.put(file_, std::move(edits_));
  }

private:
  /// The terms that are added to the array where the pointer starts: each is widened by itself.
  bool collect(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      const bool minus = op->getOpcode() == clang::BO_Sub;
      if ((!minus && op->getOpcode() != clang::BO_Add) ||
          !op->getLHS()->getType()->isPointerType() || !op->getRHS()->getType()->isIntegerType() ||
          !collect(op->getLHS()))
        return false;
      return term(op->getRHS(), minus);
    }
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
        op && op->getOpcode() == clang::UO_AddrOf) {
      const auto* element =
          llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getSubExpr()->IgnoreParens());
      return element && collect(element->getBase()) && term(element->getIdx(), false);
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    array_ = use ? llvm::dyn_cast<clang::ParmVarDecl>(use->getDecl()) : nullptr;
    const LocalVariable* local = array_ ? body_.variables.find(array_) : nullptr;
    return array_ && array_->getType()->isPointerType() &&
           (!local || (!local->modified && !local->escapes));
  }
  bool term(const clang::Expr* e, bool minus) {
    const auto range = body_.text.rangeOf(e->getSourceRange());
    if (!range || !body_.text.isWhole(e))
      return false;
    start_ += std::string(start_.empty() ? (minus ? "-" : "")
                          : minus        ? " - "
                                         : " + ") +
              "(long long)(" + body_.text.text(*range) + ")";
    return true;
  }
  bool declare() {
    const LocalVariable* local = body_.variables.find(pointer_);
    const clang::DeclStmt* s = local ? local->statement : nullptr;
    const auto type = pointer_->getType();
    if (!s || !s->isSingleDecl() || !pointer_->hasInit() || pointer_->hasAttrs() ||
        body_.mayBeHidden(pointer_) || type->isDependentType() || s->getBeginLoc().isMacroID() ||
        s->getEndLoc().isMacroID() || body_.variables.isUniform(pointer_->getInit()) ||
        pointer_->isStaticLocal() || !collect(pointer_->getInit()) || start_.empty())
      return false;
    // The same elements; only that they are not stored to may be said of one of them.
    const clang::QualType to = type->getPointeeType(), from = array_->getType()->getPointeeType();
    if (!body_.unit.context().hasSameUnqualifiedType(to, from) || to.isVolatileQualified() ||
        from.isVolatileQualified() || !(to->isArithmeticType() || to->isRecordType()))
      return false;
    const auto range = body_.text.rangeOf(s->getSourceRange());
    if (!range)
      return false;
    saysConst_ = to.isConstQualified() && !from.isConstQualified();
    file_ = range->file;
    return replace(s->getSourceRange(), "long long " + place_ + " = " + start_ + ";");
  }
  /// `p[...]`, `*p`, `p += ...;`, `++p;`
  bool rewrite(const clang::DeclRefExpr* use) {
    const clang::ParentMap& parents = body_.variables.parents();
    const clang::Stmt* around = parents.getParent(use);
    const clang::Stmt* inner = use;
    while (around && llvm::isa<clang::ImplicitCastExpr>(around)) {
      inner = around;
      around = parents.getParent(around);
    }
    if (!around || use->getLocation().isMacroID())
      return false;
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(around))
      return element->getBase() == inner && replaceElement(use, element);
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(around)) {
      if (op->getOpcode() == clang::UO_Deref)
        return replaceFollowed(op);
      moves_ |= op->isIncrementDecrementOp();
      return op->isIncrementDecrementOp() && isAlone(op) && replace(use->getSourceRange(), place_);
    }
    const auto* op = llvm::dyn_cast<clang::CompoundAssignOperator>(around);
    if (!op || op->getLHS() != inner || !isAlone(op) ||
        (op->getOpcode() != clang::BO_AddAssign && op->getOpcode() != clang::BO_SubAssign))
      return false;
    moves_ = true;
    return replace(use->getSourceRange(), place_);
  }
  /// Whether nothing asks for what an expression gives.
  bool isAlone(const clang::Expr* e) const {
    const clang::ParentMap& parents = body_.variables.parents();
    const clang::Stmt* inner = e;
    const clang::Stmt* around = parents.getParent(e);
    for (const auto* comma = llvm::dyn_cast_or_null<clang::BinaryOperator>(around);
         comma && comma->getOpcode() == clang::BO_Comma;
         comma = llvm::dyn_cast_or_null<clang::BinaryOperator>(around)) {
      inner = comma;
      around = parents.getParent(comma);
    }
    if (const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(around))
      return loop->getInc() == inner || loop->getBody() == inner;
    if (const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(around))
      return branch->getThen() == inner || branch->getElse() == inner;
    return llvm::isa_and_nonnull<clang::CompoundStmt>(around);
  }

  std::string start_;
  bool moves_ = false;
};

} // namespace

void placePointers(const PlainBody& body) {
  if (body.contents.loops.empty())
    return;
  const std::set<const clang::VarDecl*> ofLambdas = namedInLambdas(body);
  const std::set<std::string> taken = body.declaredNames();
  for (const auto& [variable, local] : body.variables.variables())
    if (variable->getType()->isPointerType() && local.statement && local.modified &&
        !local.escapes && !local.uniform && !ofLambdas.count(variable))
      PointerPlaces(body, variable).run(taken);
}

} // namespace cu2cpp
