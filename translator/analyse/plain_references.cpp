// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References to elements of shared arrays are written as these elements:
//
//   System& s = systems[threadIdx.x / 32];       const unsigned int cuAt_s = threadIdx.x / 32;
//   s.l[r][k] /= s.l[k][k];                 ->   systems[cuAt_s].l[r][k] /=
//   systems[cuAt_s].l[k][k];
//
// A reference that lives across a cut would be a pointer of each thread, of which nothing is known.
// The index is a number, which may be one for the warp.
#include "analyse/plain_body.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// How many variables of a function, parameters among them, have a name.
unsigned declaredAs(const PlainBody& body, llvm::StringRef name) {
  class Variables : public SyntaxVisitor {
  public:
    llvm::StringRef name;
    unsigned count = 0;
    bool VisitNamedDecl(clang::NamedDecl* decl) override {
      count += decl->getDeclName().isIdentifier() && decl->getName() == name;
      return true;
    }
  } all;
  all.name = name;
  all.TraverseStmt(body.function->getBody());
  for (const clang::ParmVarDecl* parameter : body.function->parameters())
    all.count += parameter->getName() == name;
  return all.count;
}

/// The element of a shared array that a reference is.
const clang::ArraySubscriptExpr* elementOf(const PlainBody& body, const clang::VarDecl* variable) {
  return variable->hasInit() && variable->hasLocalStorage() && !variable->hasAttrs()
             ? elementReferred(body, variable->getType(), variable->getInit())
             : nullptr;
}

} // namespace

const clang::ArraySubscriptExpr* elementReferred(const PlainBody& body, clang::QualType type,
                                                 const clang::Expr* e) {
  const clang::ASTContext& context = body.unit.context();
  if (!type->isLValueReferenceType() || e->isTypeDependent())
    return nullptr;
  e = e->IgnoreParens();
  while (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) {
    if (cast->getCastKind() != clang::CK_NoOp)
      return nullptr;
    e = cast->getSubExpr()->IgnoreParens();
  }
  const clang::QualType referred = type.getNonReferenceType();
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e);
  if (!element || element->getType().isVolatileQualified() ||
      !context.hasSameUnqualifiedType(element->getType(), referred))
    return nullptr;
  // An element through a const reference may choose another method than one without.
  if (element->getType()->getBaseElementTypeUnsafe()->isRecordType() &&
      context.getBaseElementType(referred).isConstQualified())
    return nullptr;
  const clang::VarDecl* array = namedBy(arrayOf(element));
  const clang::QualType index = indexOf(element)->getType();
  return array && isShared(array) && array->getType()->isArrayType() && !index->isDependentType() &&
                 index->isIntegerType() && !index->isEnumeralType() &&
                 declaredAs(body, array->getName()) <= 1
             ? element
             : nullptr;
}

void writeElements(const PlainBody& body) {
  for (const clang::DeclStmt* s : body.contents.declarations) {
    const auto* variable =
        s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr;
    const auto* parent =
        llvm::dyn_cast_or_null<clang::CompoundStmt>(body.variables.parents().getParent(s));
    const clang::ArraySubscriptExpr* element =
        variable && parent ? elementOf(body, variable) : nullptr;
    if (!element || s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID())
      continue;
    const auto uses = body.placesOf(variable);
    const auto whole = body.text.rangeOf(s->getSourceRange());
    const clang::Expr* index = indexOf(element);
    const auto at = body.text.rangeOf(index->getSourceRange());
    const auto value = at && !index->getBeginLoc().isMacroID() && !index->getEndLoc().isMacroID()
                           ? onOneLine(body.text, *at, {})
                           : std::nullopt;
    if (!uses || !whole || !value || at->file != whole->file)
      continue;
    const std::string name = "cuAt_" + variable->getNameAsString(),
                      array = namedBy(arrayOf(element))->getNameAsString();
    const std::string type =
        index->IgnoreParenImpCasts()->getType().getUnqualifiedType().getAsString(
            body.unit.context().getPrintingPolicy());
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    edits[whole->begin] = {
        whole->end,
        withLinesOf(body.text.text(*whole), "const " + type + " " + name + " = " + *value + ";")};
    const auto length = unsigned(variable->getNameAsString().size());
    for (const auto& [place, use] : *uses)
      edits[place] = {place + length, array + "[" + name + "]"};
    if (declaredAs(body, name) == 0 && body.put(whole->file, std::move(edits)))
      return;
  }
}

} // namespace cu2cpp
