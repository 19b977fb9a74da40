// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of constant memory that nobody can have written are the numbers that their declaration
// gives them. For compilers only:
//
//   __constant__ int cx[3] = {0, 1, -1};
//   ... x - cx[2] ...                          ->   ... x - (-1) ...
//
// Compilers find that out themselves, but only when it is settled which places are a row's: what
// stands beside x, and where it passes the edge, is asked of the text. It is done with integers
// of a table that the file names only to read elements of it, where other files cannot name it.
#include "analyse/plain_body.h"

#include "llvm/ADT/StringExtras.h"

#include "analyse/marks.h"

namespace cu2cpp {
namespace {

const clang::VarDecl* tableOf(const clang::ArraySubscriptExpr* element) {
  const auto* base = llvm::dyn_cast<clang::DeclRefExpr>(element->getBase()->IgnoreParenImpCasts());
  return base ? llvm::dyn_cast<clang::VarDecl>(base->getDecl()) : nullptr;
}

/// A row of integers with their values, declared once and in this file.
bool isTable(const PlainBody& body, const clang::VarDecl* table) {
  const auto* array = body.unit.context().getAsConstantArrayType(table->getType());
  return array && array->getElementType()->isIntegerType() &&
         !array->getElementType()->isEnumeralType() && !array->getElementType()->isBooleanType() &&
         !array->getElementType().isVolatileQualified() && hasMark(table, "constant") &&
         table->hasGlobalStorage() && table->getDeclContext()->isFileContext() &&
         table->hasInit() && !table->getInit()->isValueDependent() &&
         table->getFirstDecl() == table->getMostRecentDecl() && !table->isWeak() &&
         body.text.sources().isInMainFile(table->getLocation());
}

/// What a file does with its tables, but for reading elements.
class OtherUses : public SyntaxVisitor {
public:
  std::set<const clang::VarDecl*> found;
  bool shouldVisitImplicitCode() const override { return true; }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      if (const auto* element =
              llvm::dyn_cast<clang::ArraySubscriptExpr>(cast->getSubExpr()->IgnoreParens()))
        reads_.insert(element->getBase()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        variable && hasMark(variable, "constant") && !reads_.count(use))
      found.insert(variable);
    return true;
  }

private:
  std::set<const clang::Expr*> reads_;
};

class Elements : public SyntaxVisitor {
public:
  explicit Elements(const PlainBody& body) : body_(body) {}
  std::vector<std::pair<const clang::ArraySubscriptExpr*, const clang::VarDecl*>> found;
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    if (const clang::VarDecl* table = element->isTypeDependent() ? nullptr : tableOf(element))
      if (!element->getIdx()->isValueDependent() &&
          element->getIdx()->isEvaluatable(body_.unit.context()) && isTable(body_, table))
        found.emplace_back(element, table);
    return true;
  }

private:
  const PlainBody& body_;
};

/// An element as text; empty if it is none that can be told.
std::string valueOf(const PlainBody& body, const clang::ArraySubscriptExpr* element,
                    const clang::VarDecl* table) {
  const clang::ASTContext& context = body.unit.context();
  clang::Expr::EvalResult index;
  const clang::APValue* const all = table->evaluateValue();
  if (!all || !all->isArray() || !element->getIdx()->EvaluateAsInt(index, context) ||
      index.Val.getInt().isNegative())
    return "";
  const std::uint64_t at = index.Val.getInt().getZExtValue();
  if (at >= all->getArraySize())
    return "";
  const bool isWritten = at < all->getArrayInitializedElts();
  const clang::APValue& value =
      isWritten ? all->getArrayInitializedElt(unsigned(at)) : all->getArrayFiller();
  constexpr unsigned mostBits = 62; // of a number that is one without a suffix
  if (!value.isInt() || value.getInt().abs().getActiveBits() > mostBits)
    return "";
  const std::string number = "(" + llvm::toString(value.getInt(), 10) + ")";
  const clang::QualType type = element->getType().getCanonicalType().getUnqualifiedType();
  // (The least int gets a cast, too: its number is a long.)
  return type->isSpecificBuiltinType(clang::BuiltinType::Int) && !value.getInt().isMinSignedValue()
             ? number
             : "((" + type.getAsString(context.getPrintingPolicy()) + ")" + number + ")";
}

} // namespace

void writeOutTables(const PlainBody& body, const SharedWithOthers& shared) {
  // A module's variables are found by their names, static ones too.
  if (shared.names)
    return;
  Elements elements(body);
  elements.TraverseStmt(body.function->getBody());
  if (elements.found.empty())
    return;
  OtherUses others;
  for (clang::Decl* decl : body.unit.context().getTranslationUnitDecl()->decls())
    if (body.unit.isUser(decl->getLocation()))
      others.TraverseDecl(decl);
  for (const auto& [element, table] : elements.found) {
    const auto range = body.text.rangeOf(element->getSourceRange());
    if (others.found.count(table) || (shared.functions && table->isExternallyVisible()) || !range ||
        !body.isSpelled(element) || element->getBeginLoc().isMacroID() ||
        element->getEndLoc().isMacroID())
      continue;
    if (const std::string value = valueOf(body, element, table); !value.empty())
      body.put(range->file, {{range->begin, {range->end, value}}});
  }
}

} // namespace cu2cpp
