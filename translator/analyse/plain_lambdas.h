// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lambdas of a function name, for plain forms that leave such variables alone, and those that
// are written out last (plain_lambdas.cpp).
#pragma once

#include <set>

#include "analyse/plain_body.h"

namespace cu2cpp {

/// namedInLambdas() are the variables that a function's lambdas name, copy or declare. When those
/// are read or changed is not seen where they stand.
std::set<const clang::VarDecl*> namedInLambdas(const PlainBody& body);
/// mayRunFirst() tells whether a statement does the same if the lambda that it calls has run before
/// it.
bool mayRunFirst(const PlainBody& body, const Facts& facts, const clang::CallExpr* call,
                 const clang::LambdaExpr* lambda, const clang::Stmt* statement);
/// writeOutOtherLambdas() writes lambdas of a few statements that return something, and those that
/// take or return structures, where statements call them.
void writeOutOtherLambdas(const PlainBody& body, const Facts& facts);

} // namespace cu2cpp
