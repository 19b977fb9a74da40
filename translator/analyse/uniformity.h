// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which local variables of a function have one value for all threads of a block, or of a warp, and
// how each variable is used. Uniform means: alike among the threads that are active where the
// variable is declared. A variable of a branch that only some threads take can be uniform among
// those.
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
  bool escapes =
      false; ///< its address or a non-const reference to it is taken, or a method may change it
  bool pointed = false;  ///< likewise, and not only as one of its parts is assigned
  bool modified = false; ///< changed after its initialisation
  bool scalar = false;   ///< of a scalar type, in all instances of a template
  bool integer = false;  ///< likewise of an integer type
  bool floating = false; ///< likewise of a floating-point type
  /// The expressions that change it: assignments, ++ and --.
  std::vector<const clang::Expr*> assignments;
  bool uniform = false;     ///< every thread of the block that reads it reads the same value
  bool warpUniform = false; ///< every thread of a warp does, if warps are rows of the block:
                            ///< checked when the program runs
};

/// Uniformity of one function's body. `divergent` are the indices of parameters that differ between
/// threads; `rows` says that warps are rows of the block as far as launches show; `joined` that
/// several blocks of a row of the grid run as one (Regions::joined).
class Uniformity {
public:
  explicit Uniformity(const clang::FunctionDecl* function, const std::set<unsigned>& divergent = {},
                      const Facts* facts = nullptr, bool rows = true, bool joined = false);

  const LocalVariable* find(const clang::VarDecl* variable) const;
  const std::map<const clang::VarDecl*, LocalVariable>& variables() const { return variables_; }
  /// isUniform() tells whether an expression has one value for all threads of a block (or of a
  /// warp, see LocalVariable::warpUniform) and no side effect.
  bool isUniform(const clang::Expr* expression, Scope scope = Scope::Block) const;
  /// readsMemory() tells whether an expression reads what other threads may write.
  static bool readsMemory(const clang::Expr* expression);
  /// isNeverNegative() tells whether an integer is a sum of such as are not negative, or have no
  /// sign. (One without sign that is not may have wrapped around: `first - 5 + lane`.)
  bool isNeverNegative(const clang::Expr* expression, unsigned depth = 0) const;
  /// risesTo() tells whether `i < n` holds in a row of threads up to one of them and behind it in
  /// none, if `i` starts one higher in each: compared without a sign, or widened from what has
  /// none, a start below 0 is a large one. `dependent`: what a template's instances say is not
  /// known, and taken to have a sign.
  bool risesTo(const clang::BinaryOperator* test, const clang::VarDecl* counter,
               bool dependent = false) const;
  const clang::ParentMap& parents() const { return *parents_; }

private:
  void collect();
  void trustInstances();
  void solve(Scope scope);
  bool callIsUniform(const clang::CallExpr* call, Scope scope) const;
  bool isWholeWarps(const clang::Expr* expression, unsigned depth) const;
  bool countsThreads(const clang::Expr* expression, unsigned depth = 0) const;
  bool sameInWarp(const clang::Expr* expression) const;
  bool controlIsUniform(const clang::Stmt* statement, const clang::Stmt* home, Scope scope) const;

  const clang::FunctionDecl* kernel_;
  const Facts* facts_;
  std::set<unsigned> divergent_;
  bool rows_;
  bool joined_;
  unsigned lanes_ = 32; ///< of what stands for a warp (FunctionFacts::lanesTogether)
  std::unique_ptr<clang::ParentMap> parents_;
  std::map<const clang::VarDecl*, LocalVariable> variables_;
  /// Where a template's members and elements are plain ones in all instances.
  std::set<clang::SourceLocation> plainPlaces_;
  std::set<const clang::Stmt*>
      unevenLoops_; ///< loops that some threads leave or continue before others
};

} // namespace cu2cpp
