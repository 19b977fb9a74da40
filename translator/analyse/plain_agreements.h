// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values on which all lanes of a warp agree, because they have combined them by butterflies.
#pragma once

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace cu2cpp {

struct PlainBody;

/// nameAgreements() gives what a warp has combined by butterflies a name for its one value.
void nameAgreements(const PlainBody& body);
/// declaresAgreed() tells whether a statement declares, among other variables, one that changes and
/// has one value for a warp because of such names: alone it can be one for all lanes.
bool declaresAgreed(const PlainBody& body, const clang::DeclStmt* s);
/// isAgreed() tells whether a call is `cu2cpp::agreed(v)`, by which nameAgreements() says so.
bool isAgreed(const clang::CallExpr* call);

} // namespace cu2cpp
