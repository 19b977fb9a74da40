// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which local variables of a kernel have one value for all threads of a block, and how each variable is used.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "clang/AST/ParentMap.h"

#include "analyse/facts.h"

namespace cu2cpp {

/// What the body of a kernel does with one of its local variables or parameters.
struct LocalVariable {
  const clang::VarDecl* decl = nullptr;
  const clang::DeclStmt* statement = nullptr; ///< null for parameters
  bool escapes = false;  ///< its address or a non-const reference to it is taken, or a method may change it
  bool modified = false; ///< changed after its initialisation
  /// The expressions that change it: assignments, ++ and --.
  std::vector<const clang::Expr*> assignments;
  bool uniform = false; ///< every thread of the block that reads it reads the same value
};

/// Uniformity of one kernel's body.
class Uniformity {
public:
  explicit Uniformity(const clang::FunctionDecl* kernel);

  const LocalVariable* find(const clang::VarDecl* variable) const;
  const std::map<const clang::VarDecl*, LocalVariable>& variables() const { return variables_; }
  /// isUniform() tells whether an expression has one value for all threads of a block and no side effect.
  bool isUniform(const clang::Expr* expression) const;
  /// readsMemory() tells whether an expression reads what other threads may write.
  static bool readsMemory(const clang::Expr* expression);
  const clang::ParentMap& parents() const { return *parents_; }

private:
  void collect();
  void solve();
  bool controlIsUniform(const clang::Stmt* statement) const;

  const clang::FunctionDecl* kernel_;
  std::unique_ptr<clang::ParentMap> parents_;
  std::map<const clang::VarDecl*, LocalVariable> variables_;
  std::set<const clang::Stmt*> unevenLoops_; ///< loops that some threads leave or continue before others
};

} // namespace cu2cpp
