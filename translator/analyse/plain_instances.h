// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all instances of a kernel's template have in common.
#pragma once

#include <string>
#include <vector>

#include "analyse/analyses.h"
#include "analyse/plain_body.h"

namespace cu2cpp {

/// nameInstanceArguments() writes numbers and types in the place of the parameters of templates
/// that are the same in all its instances. Types are part of the names by which others may look for
/// kernels; where `namesAreShared`, theirs stay.
void nameInstanceArguments(const SourceUnit& unit, const SourceText& text,
                           const std::vector<const FunctionFacts*>& functions, bool namesAreShared,
                           PlainChanges& changes);

/// writeOutInstances() writes instances of a kernel's template that differ as specialisations.
void writeOutInstances(const SourceUnit& unit, const SourceText& text,
                       const std::vector<const FunctionFacts*>& functions, PlainChanges& changes);

/// isMadeAlone() tells whether nothing else has a template's name, and all its instances come from
/// it.
bool isMadeAlone(const clang::FunctionTemplateDecl* made);
/// namesFit() tells whether all that a function's instances name is declared before its end: looked
/// up there, and not where the template is instantiated, names mean the same. `mayLeaveOut` allows
/// branches that an instance leaves out.
bool namesFit(const SourceUnit& unit, const FunctionFacts& f, bool mayLeaveOut);
/// functionText() is a name by which a template's argument, `reduce<warpMax>(v)`, means the same
/// function wherever it is called behind `before`; empty if there is none.
std::string functionText(const clang::SourceManager& sources, const clang::ValueDecl* given,
                         clang::SourceLocation before);
/// numberText() is a number as it is written for a template's parameter of a type; empty for types
/// that no literal has.
std::string numberText(const clang::TemplateArgument& given, clang::QualType type);

} // namespace cu2cpp
