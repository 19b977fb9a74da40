// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer into an array of the thread's own that stays where it is:
//
//   float values[24];                            float values[24];
//   for (int p = 0; p < 6; ++p) {                for (int p = 0; p < 6; ++p) {
//     float* pack = values + p * 4;        ->      const int cuAt_pack = (p * 4);
//     for (int i = 0; i < 4; ++i)                  for (int i = 0; i < 4; ++i)
//       pack[i] *= scale;                            values[cuAt_pack + (i)] *= scale;
//
// An array whose address is taken lies in memory as it is, one thread's after the other's; one that
// is only reached element by element can be kept in rows or in registers.
#include "analyse/plain_pointers.h"

#include "analyse/plain_lambdas.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

class OwnPointer {
public:
  OwnPointer(const PlainBody& body, const clang::VarDecl* pointer)
      : body_(body), pointer_(pointer), place_("cuAt_" + pointer->getNameAsString()) {}

  void run(const std::set<std::string>& taken, const std::set<const clang::VarDecl*>& ofLambdas) {
    const auto uses = body_.placesOf(pointer_);
    if (!uses || uses->empty() || taken.count(place_) || !declare() || ofLambdas.count(array_) ||
        isHidden())
      return;
    for (const auto& [offset, use] : *uses)
      if (!rewrite(use))
        return;
    body_.put(file_, std::move(edits_));
  }

private:
  const clang::ParentMap& parents() const { return body_.variables.parents(); }

  bool name(const clang::Expr* e) {
    array_ = ownArray(e->IgnoreParenImpCasts());
    return array_ && llvm::isa<clang::DeclRefExpr>(e->IgnoreParenImpCasts()) &&
           array_->getType()->isConstantArrayType();
  }
  /// `values + p * 4`, `&values[p * 4]`, `values`
  bool find(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return op->getOpcode() == clang::BO_Add && name(op->getLHS()) && place(op->getRHS());
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e)) {
      const auto* element =
          llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getSubExpr()->IgnoreParens());
      return op->getOpcode() == clang::UO_AddrOf && element && name(element->getBase()) &&
             place(element->getIdx());
    }
    start_ = "0";
    return name(e);
  }
  bool place(const clang::Expr* e) {
    const auto range = body_.text.rangeOf(e->getSourceRange());
    if (!range || !body_.text.isWhole(e) || !e->getType()->isIntegerType())
      return false;
    start_ = "int(" + body_.text.text(*range) + ")";
    return true;
  }
  bool declare() {
    const LocalVariable* local = body_.variables.find(pointer_);
    const clang::DeclStmt* s = local ? local->statement : nullptr;
    if (!s || !s->isSingleDecl() || !pointer_->hasInit() || pointer_->hasAttrs() ||
        pointer_->isStaticLocal() || body_.mayBeHidden(pointer_) || s->getBeginLoc().isMacroID() ||
        s->getEndLoc().isMacroID() || !find(pointer_->getInit()))
      return false;
    const clang::QualType to = pointer_->getType()->getPointeeType(),
                          from(array_->getType()->getArrayElementTypeNoTypeQual(), 0);
    if (from->isArrayType() || to.isVolatileQualified() ||
        array_->getType().isVolatileQualified() ||
        !body_.unit.context().hasSameUnqualifiedType(to, from))
      return false;
    saysConst_ = to.isConstQualified() != array_->getType().isConstQualified();
    const auto range = body_.text.rangeOf(s->getSourceRange());
    if (!range)
      return false;
    file_ = range->file;
    return replace(s->getSourceRange(), "const int " + place_ + " = " + start_ + ";");
  }
  /// Whether something else has the array's name.
  bool isHidden() const {
    return llvm::any_of(body_.contents.declarations, [&](const clang::DeclStmt* s) {
      return llvm::any_of(s->decls(), [&](const clang::Decl* d) {
        const auto* named = llvm::dyn_cast<clang::NamedDecl>(d);
        return named && named != array_ && named->getName() == array_->getName();
      });
    });
  }

  bool replace(clang::SourceRange where, const std::string& text) {
    const auto range = body_.text.rangeOf(where);
    if (!range || range->file != file_)
      return false;
    return edits_
        .emplace(range->begin, std::pair(range->end, withLinesOf(body_.text.text(*range), text)))
        .second;
  }
  bool insert(unsigned at, const std::string& text) {
    // Where nothing else changes.
    return edits_.emplace(at, std::pair(at, text)).second;
  }
  /// `p[...]`, `*p`, and where the address itself is asked for.
  bool rewrite(const clang::DeclRefExpr* use) {
    const auto* loaded = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parents().getParent(use));
    if (!loaded || loaded->getCastKind() != clang::CK_LValueToRValue ||
        use->getLocation().isMacroID())
      return false;
    const std::string array = array_->getNameAsString();
    const clang::Stmt* around = parents().getParent(loaded);
    if (const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(around);
        element && element->getBase() == loaded) {
      const auto index = body_.text.rangeOf(element->getIdx()->getSourceRange());
      const auto end = body_.text.positionOf(element->getRBracketLoc());
      return element->getIdx()->getType()->isIntegerType() && isLoadedOrAlike(element) && index &&
             end && end->file == file_ && index->end <= end->offset &&
             !element->getRBracketLoc().isMacroID() && body_.text.isWhole(element->getIdx()) &&
             replace(use->getSourceRange(), array) && insert(index->begin, place_ + " + (") &&
             insert(end->offset, ")");
    }
    if (const auto* op = llvm::dyn_cast_or_null<clang::UnaryOperator>(around);
        op && op->getOpcode() == clang::UO_Deref)
      return !op->getBeginLoc().isMacroID() && isLoadedOrAlike(op) &&
             replace(op->getSourceRange(), array + "[" + place_ + "]");
    return !saysConst_ && replace(use->getSourceRange(), "(" + array + " + " + place_ + ")");
  }
  /// Whether an element may be named by the array, which may say that it can be stored to.
  bool isLoadedOrAlike(const clang::Expr* e) const {
    const clang::Stmt* around = parents().getParent(e);
    while (llvm::isa_and_nonnull<clang::ParenExpr>(around))
      around = parents().getParent(around);
    const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(around);
    return !saysConst_ || (cast && cast->getCastKind() == clang::CK_LValueToRValue);
  }

  const PlainBody& body_;
  const clang::VarDecl* const pointer_;
  const std::string place_;
  const clang::VarDecl* array_ = nullptr;
  std::string file_, start_;
  std::map<unsigned, std::pair<unsigned, std::string>> edits_;
  bool saysConst_ = false; ///< where the array does not
};

} // namespace

void placeOwnPointers(const PlainBody& body) {
  const std::set<const clang::VarDecl*> ofLambdas = namedInLambdas(body);
  const std::set<std::string> taken = body.declaredNames();
  for (const auto& [variable, local] : body.variables.variables())
    if (variable->getType()->isPointerType() && !variable->getType()->isDependentType() &&
        local.statement && !local.modified && !local.escapes && !ofLambdas.count(variable))
      OwnPointer(body, variable).run(taken, ofLambdas);
}

} // namespace cu2cpp
