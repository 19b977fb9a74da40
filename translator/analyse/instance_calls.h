// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a template, a call whose arguments depend on the template's parameters has no callee yet. The
// instances know it:
//
//   template <class T> __global__ void scale(T* a) { a[threadIdx.x] = max(a[threadIdx.x], T(0)); }
//   scale<float><<<1, 32>>>(a);              max(float, float)
#pragma once

#include <vector>

#include "analyse/facts.h"

namespace cu2cpp {

/// calleesOf() are the functions that a call in a function's body may reach: its own callee, or one
/// of each instance. None if it is not known in all of them.
std::vector<const clang::FunctionDecl*> calleesOf(const clang::CallExpr* call,
                                                  const FunctionFacts& function);

/// instancesOf() is a local variable of a function as each instance of the template has it; the
/// variable itself outside of templates.
std::vector<const clang::VarDecl*> instancesOf(const clang::VarDecl* variable,
                                               const FunctionFacts& function);

} // namespace cu2cpp
