// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels' arguments that are the same constant in all launches in sight. A hint and no fact, as
// block sizes are: translated code compares the arguments with what is usual.
#pragma once

#include <vector>

#include "llvm/ADT/APSInt.h"

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

struct UsualArgument {
  const clang::ParmVarDecl* parameter; ///< the definition's, or its pattern's
  llvm::APSInt value;                  ///< converted to the parameter's type
};

/// usualArguments() finds the small integers that all launches of a kernel give alike, for
/// parameters that it only reads. What they pass may be a variable that does not change, or a
/// parameter of the function around the launch if its callers agree.
std::vector<UsualArgument> usualArguments(const SourceUnit& unit, const Facts& facts,
                                          const FunctionFacts& kernel);

} // namespace cu2cpp
