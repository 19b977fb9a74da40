// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and expressions that only compute.
#pragma once

#include <vector>

#include "analyse/facts.h"

namespace cu2cpp {

/// isPureFunction() tells whether calling a function again with the same values gives the same
/// value and changes nothing.
bool isPureFunction(const clang::FunctionDecl* function, const Facts& facts);

/// changesGivenOnly() tells whether all that a function changes are numbers and structures of
/// numbers that it gets by reference, and the object that it is called of, such a structure too:
/// `Complex& operator+=(const Complex& other)`.
bool changesGivenOnly(const clang::FunctionDecl* function, const Facts& facts);

/// givenBy() are the arguments of a call that its function may change by that, the object among
/// them.
std::vector<const clang::Expr*> givenBy(const clang::CallExpr* call);

/// isPureExpression() tells of an expression what isPureFunction() does of a function.
bool isPureExpression(const clang::Expr* expression, const Facts& facts);

/// isPureHeaderFunction() tells the same of a header's function, by its declaration.
bool isPureHeaderFunction(const clang::FunctionDecl* callee);

/// hasMutable() tells whether an object of a type may change though nobody but const methods and
/// references to what is const reach it: it has a mutable member.
bool hasMutable(clang::QualType type);

/// setsOwnNumbers() tells whether a call of a header's function does no more than to compute and to
/// set local numbers that it gets the addresses of: `sincosf(x, &s, &c)`.
bool setsOwnNumbers(const clang::CallExpr* call);

} // namespace cu2cpp
