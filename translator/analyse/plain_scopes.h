// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a name means at a place of a function's body: text that is written elsewhere has to mean the
// same there.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/ParentMap.h"

namespace cu2cpp {

/// localNamed() is what the body declares by a name that counts where a statement begins; null if
/// that is not the body's own.
const clang::NamedDecl* localNamed(llvm::StringRef name, const clang::Stmt* at,
                                   const clang::ParentMap& parents);

} // namespace cu2cpp
