// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured bindings name the parts of an object that has no name of its own. It gets one, and the
// analyses see what is kept and changed:
//
//   const auto [sum, squares] = blockSums(x, x * x);     const auto cuOf_sum = blockSums(x, x * x);
//   const float mean = sum / n;                       -> const float mean = cuOf_sum.first / n;
//
// Objects whose parts functions give (std::tuple) are left alone.
#include "analyse/plain_body.h"

#include <string>

#include "clang/AST/DeclCXX.h"

namespace cu2cpp {
namespace {

/// How a part is named behind the object's name: `.first`, `[1]`. Nothing in templates and where a
/// function gives it.
std::optional<std::string> placeOf(const clang::BindingDecl* part) {
  const clang::Expr* place = part->getBinding();
  if (!place || part->getHoldingVar() || place->isTypeDependent())
    return std::nullopt;
  place = place->IgnoreParenImpCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
    if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
        field && field->getIdentifier() && field->getAccess() != clang::AS_private &&
        field->getAccess() != clang::AS_protected)
      return "." + field->getNameAsString();
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
    clang::Expr::EvalResult index;
    if (element->getIdx()->EvaluateAsInt(index, part->getASTContext()))
      return "[" + std::to_string(index.Val.getInt().getExtValue()) + "]";
  }
  return std::nullopt;
}

class Uses : public SyntaxVisitor {
public:
  std::vector<const clang::DeclRefExpr*> uses;
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (llvm::isa<clang::BindingDecl>(use->getDecl()))
      uses.push_back(use);
    return true;
  }
};

void nameObject(const PlainBody& body, const clang::DecompositionDecl* object, const Uses& all) {
  if (object->bindings().empty() || object->getBeginLoc().isMacroID() ||
      object->getEndLoc().isMacroID() || object->getType()->isArrayType())
    return;
  const auto begin = body.text.positionOf(object->getLocation());
  const clang::Expr* init = object->getInit();
  const auto value = init ? body.text.rangeOf(init->getSourceRange()) : std::nullopt;
  if (!begin || !value || begin->file != value->file || begin->offset >= value->begin)
    return;
  const llvm::StringRef text = body.text.buffer(begin->file);
  const std::size_t open = text.find('[', begin->offset), close = text.find(']', begin->offset);
  if (open != begin->offset || close == llvm::StringRef::npos || close >= value->begin)
    return;
  const std::string name = "cuOf_" + object->bindings().front()->getNameAsString();
  if (body.declaredNames().count(name))
    return;
  std::map<unsigned, std::pair<unsigned, std::string>> edits;
  edits[begin->offset] = {unsigned(close + 1), withLinesOf(text.slice(open, close + 1), name)};
  for (const clang::BindingDecl* part : object->bindings()) {
    const auto place = placeOf(part);
    if (!place)
      return;
    for (const clang::DeclRefExpr* use : all.uses) {
      if (use->getDecl() != part)
        continue;
      const auto at = body.text.rangeOf(use->getSourceRange());
      if (!at || at->file != begin->file || use->getLocation().isMacroID())
        return;
      edits[at->begin] = {at->end, name + *place};
    }
  }
  auto& changes = body.changes[begin->file];
  for (auto& [at, edit] : edits)
    changes[at] = std::move(edit);
}

} // namespace

void nameBoundObjects(const PlainBody& body) {
  Uses all;
  all.TraverseStmt(body.function->getBody());
  for (const clang::DeclStmt* s : body.contents.declarations)
    if (s->isSingleDecl())
      if (const auto* object = llvm::dyn_cast<clang::DecompositionDecl>(s->getSingleDecl()))
        nameObject(body, object, all);
}

} // namespace cu2cpp
