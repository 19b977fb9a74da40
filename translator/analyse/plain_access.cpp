// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a class hides, code that is written elsewhere could not name:
//
//   class Complex {                        class Complex { public:
//   public:                                public:
//     Complex(double r, double i);           Complex(double r, double i);
//   private:                               public:
//     double re, im;                         double re, im;
//   };                                     };
//
// The class has a constructor of its own, so that it does not become an aggregate by this.
#include "analyse/plain_access.h"

#include "clang/AST/DeclTemplate.h"

#include "analyse/plain_structures.h"

namespace cu2cpp {
namespace {

/// Whether a class, or what a class template makes, hides its numbers.
bool hidesNumbers(const clang::CXXRecordDecl* record, const clang::ASTContext& context) {
  const clang::ClassTemplateDecl* pattern = record->getDescribedClassTemplate();
  if (!pattern)
    return hidesParts(context.getRecordType(record));
  bool any = false;
  for (const clang::ClassTemplateSpecializationDecl* made : pattern->specializations())
    any |= hidesParts(context.getRecordType(made));
  return any;
}

} // namespace

void openStructures(const SourceUnit& unit, const SourceText& text,
                    const std::vector<const FunctionFacts*>& functions, PlainChanges& changes) {
  for (const FunctionFacts* f : functions) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(f->decl);
    const clang::CXXRecordDecl* record = method ? method->getParent()->getDefinition() : nullptr;
    if (!record || llvm::isa<clang::ClassTemplateSpecializationDecl>(record) ||
        record->getBraceRange().getBegin().isMacroID() || !hidesNumbers(record, unit.context()))
      continue;
    const auto open = text.endOf(record->getBraceRange().getBegin());
    if (!open)
      continue;
    if (record->isClass())
      changes[open->file][open->offset] = {open->offset, " public: "};
    for (const clang::Decl* decl : record->decls()) {
      const auto* access = llvm::dyn_cast<clang::AccessSpecDecl>(decl);
      if (!access || access->getAccess() == clang::AS_public ||
          access->getAccessSpecifierLoc().isMacroID())
        continue;
      const auto begin = text.positionOf(access->getAccessSpecifierLoc());
      const auto end = text.endOf(access->getAccessSpecifierLoc());
      if (begin && end && begin->file == open->file)
        changes[begin->file][begin->offset] = {end->offset, "public"};
    }
  }
}

} // namespace cu2cpp
