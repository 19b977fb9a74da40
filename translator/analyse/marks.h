// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the marks that cu2cpp/attributes.h puts on declarations.
#pragma once

#include <optional>
#include <string>

#include "clang/AST/Decl.h"

#include "analyse/facts.h"

namespace cu2cpp {

/// hasMark() tells whether a declaration carries the mark `cu2cpp.<name>`.
bool hasMark(const clang::Decl* decl, llvm::StringRef name);
/// syncScope() is the scope of a declaration marked CU2CPP_SYNC(scope), else None.
Scope syncScope(const clang::Decl* decl);
/// apartCondition() is the text of the condition on which a kernel's peer, which is the same where
/// arrays do not overlap and is named apartPeer(), is to run in its place; none if it has none
/// (plain_march_apart.cpp).
std::optional<std::string> apartCondition(const clang::Decl* decl);
std::string apartPeer(const clang::FunctionDecl* kernel);
/// unsupportedReason() is the text of CU2CPP_UNSUPPORTED("why"); none if the declaration is not so
/// marked.
std::optional<std::string> unsupportedReason(const clang::Decl* decl);
/// hostOnlyReason() is the same for CU2CPP_HOST_ONLY("why"), which counts in device code.
std::optional<std::string> hostOnlyReason(const clang::Decl* decl);
/// builtinOf() is the Builtin bit of threadIdx, blockIdx ...; 0 for any other declaration.
unsigned builtinOf(const clang::Decl* decl);
/// isRankInBlock() tells whether an expression calls cu2cpp::rankInBlock(), isThreadsIn() whether
/// it calls cu2cpp::threadsIn().
bool isRankInBlock(const clang::Expr* expression);
bool isThreadsIn(const clang::Expr* expression);
/// isShared() tells whether a variable is `__shared__`.
inline bool isShared(const clang::Decl* decl) { return hasMark(decl, "shared"); }
/// isDynamicShared() tells whether a shared variable is the block's dynamic shared memory: `extern
/// __shared__ float4 tile[];`
inline bool isDynamicShared(const clang::VarDecl* shared) {
  return hasMark(shared, "dynamic_shared") || shared->hasExternalStorage();
}
/// isNamedConstant() tells whether a variable is a name for a value: constexpr, or an integer
/// `const int tile = 32;` of a file or class.
bool isNamedConstant(const clang::VarDecl* variable);

} // namespace cu2cpp
