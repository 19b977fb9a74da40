// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What groups would answer, computed from threadIdx.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"

#include "analyse/facts.h"
#include "analyse/plain_body.h"
#include "parse/source_text.h"

namespace cu2cpp {

/// narrowTileSize() is the number of threads of a group's type, a tile within a warp; 0 for others.
unsigned narrowTileSize(clang::QualType group);

/// narrowTileParameter() is the template parameter that says how many threads a tile has which
/// answersOfGroups() has found to be within a warp; null for others.
const clang::NonTypeTemplateParmDecl* narrowTileParameter(const clang::VarDecl* tile);

/// answersOfGroups() gives the calls in a function that ask a group for a rank or a size, each with
/// what to write in its place.
std::vector<std::pair<FileRange, std::string>> answersOfGroups(const FunctionFacts& function,
                                                               const SourceText& text);

/// writeOutBarriers() writes `__syncthreads()` where all threads of a block meet as a group, and
/// removes groups that nothing names.
void writeOutBarriers(const PlainBody& body);

/// isOfGrid() tells whether an expression calls what is so computed of sizes and the block's place
/// alone: `cu2cpp::blockRank(blockIdx, gridDim)`.
bool isOfGrid(const clang::Expr* expression);

} // namespace cu2cpp
