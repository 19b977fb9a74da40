// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over the user's code that is compiled: the instances of templates, and not their patterns.
#pragma once

#include "parse/source_unit.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

class CompiledCode : public SyntaxVisitor {
public:
  explicit CompiledCode(const SourceUnit& unit) : unit_(unit) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool TraverseDecl(clang::Decl* decl) override {
    if (!decl || !unit_.mayHoldUserCode(decl))
      return true;
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    return (function && function->isDependentContext()) || SyntaxVisitor::TraverseDecl(decl);
  }

private:
  const SourceUnit& unit_;
};

} // namespace cu2cpp
