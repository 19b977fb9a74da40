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

std::optional<OwnPlace> ownPlaceAt(const clang::Expr* address) {
  const clang::Expr *array = address->IgnoreParenImpCasts(), *index = nullptr;
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(array)) {
    if (op->getOpcode() != clang::BO_Add)
      return std::nullopt;
    array = op->getLHS();
    index = op->getRHS();
  } else if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(array)) {
    const auto* element =
        llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getSubExpr()->IgnoreParens());
    if (op->getOpcode() != clang::UO_AddrOf || !element)
      return std::nullopt;
    array = element->getBase();
    index = element->getIdx();
  }
  array = array->IgnoreParenImpCasts();
  const clang::VarDecl* own = ownArray(array);
  return own && llvm::isa<clang::DeclRefExpr>(array) && own->getType()->isConstantArrayType()
             ? std::optional(OwnPlace{own, index})
             : std::nullopt;
}

namespace {

class OwnPointer : PlacedPointer {
public:
  OwnPointer(const PlainBody& body, const clang::VarDecl* pointer) : PlacedPointer(body, pointer) {}

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

  bool find(const clang::Expr* address) {
    const auto at = ownPlaceAt(address);
    if (!at)
      return false;
    array_ = at->array;
    if (!at->index)
      return true;
    const auto range = body_.text.rangeOf(at->index->getSourceRange());
    if (!range || !body_.text.isWhole(at->index) || !at->index->getType()->isIntegerType())
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
  /// `p[...]`, `*p`, and where the address itself is asked for.
  bool rewrite(const clang::DeclRefExpr* use) {
    const auto* loaded = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parents().getParent(use));
    if (!loaded || loaded->getCastKind() != clang::CK_LValueToRValue ||
        use->getLocation().isMacroID())
      return false;
    const clang::Stmt* around = parents().getParent(loaded);
    if (const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(around);
        element && element->getBase() == loaded)
      return replaceElement(use, element);
    if (const auto* op = llvm::dyn_cast_or_null<clang::UnaryOperator>(around);
        op && op->getOpcode() == clang::UO_Deref)
      return replaceFollowed(op);
    return !saysConst_ &&
           replace(use->getSourceRange(), "(" + array_->getNameAsString() + " + " + place_ + ")");
  }

  std::string start_ = "0";
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
