// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dump-after: what a stage found, as text for those who work on the translator.
#pragma once

#include <string>

#include "analyse/facts.h"
#include "parse/source_unit.h"
#include "plan/edit.h"

namespace cu2cpp {

/// factsAsText() lists the functions of a unit, with their collectives and their regions as a tree.
std::string factsAsText(const SourceUnit& unit, const Facts& facts);

/// editsAsText() lists the planned changes, each with its place, the text there and the new one.
std::string editsAsText(const SourceUnit& unit, const EditList& edits);

} // namespace cu2cpp
