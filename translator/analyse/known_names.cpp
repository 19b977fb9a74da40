// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/known_names.h"

#include "clang/AST/DeclTemplate.h"

#include "analyse/marks.h"

namespace cu2cpp {
namespace {

void collect(const clang::DeclContext* context, KnownNames& names) {
  for (const clang::Decl* decl : context->decls()) {
    if (const auto* inner = llvm::dyn_cast<clang::LinkageSpecDecl>(decl)) {
      collect(inner, names);
      continue;
    }
    const clang::FunctionDecl* function = decl->getAsFunction();
    if (!function || !function->getDeclName().isIdentifier())
      continue;
    const std::string name = function->getName().str();
    const std::string why = unsupportedReason(function).value_or("");
    // A name is supported if one of its overloads is.
    const auto [known, added] = names.emplace(name, why);
    if (!added && why.empty())
      known->second.clear();
  }
}

} // namespace

KnownNames findKnownNames(const SourceUnit& unit) {
  KnownNames names;
  collect(unit.context().getTranslationUnitDecl(), names);
  return names;
}

} // namespace cu2cpp
