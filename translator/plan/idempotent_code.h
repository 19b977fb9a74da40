// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that a thread may run twice in a row, with the same result: it reads nothing of what it
// stores to.
#pragma once

#include <set>

#include "clang/AST/ParentMap.h"

#include "analyse/facts.h"
#include "analyse/regions.h"

namespace cu2cpp {

/// IdempotentCode tells of statements of a kernel whether they are. What it does not know makes
/// them unfit: calls that do more than to compute with numbers, pointers and references that may
/// name what another name does, numbers that are changed in place.
class IdempotentCode {
public:
  IdempotentCode(const FunctionFacts& kernel, const clang::ParentMap& parents)
      : kernel_(kernel), parents_(parents) {}
  /// own() takes what a declaration declares as new in each run.
  void own(const clang::VarDecl* variable) { own_.insert(variable); }
  /// add() takes a statement, and tells whether it is known well enough.
  bool add(const clang::Stmt* s);
  /// holds() tells whether nothing of what the statements store to is read in any of them.
  bool holds() const;

private:
  /// What an expression for a place in memory begins with.
  struct Root {
    enum Kind { Unknown, Own, Variable, Given } kind = Unknown; ///< Given: by a kernel's parameter
    const clang::VarDecl* variable = nullptr;
    bool operator<(const Root& other) const {
      return kind != other.kind ? kind < other.kind : variable < other.variable;
    }
  };
  /// The place's root. The indices on the way to it are read.
  Root rootOf(const clang::Expr* place);
  Root rootOf(const clang::VarDecl* variable);
  Root givenBy(const clang::Expr* pointer) const;
  bool read(const clang::Expr* place);
  bool write(const clang::Expr* place);
  bool call(const clang::CallExpr* call);
  bool declare(const clang::VarDecl* variable);
  bool addAll(const clang::Stmt* s);
  bool mayMeet(const Root& stored, const Root& loaded) const;

  const FunctionFacts& kernel_;
  const clang::ParentMap& parents_;
  std::set<const clang::VarDecl*> own_, recomputed_;
  std::set<Root> loaded_, stored_;
};

} // namespace cu2cpp
