// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rewrites: facts in, edits out. Each is one function; pipeline.cpp calls them in this order.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analyse/facts.h"
#include "options.h"
#include "plan/edit.h"
#include "plan/execution_form.h"

namespace cu2cpp {

/// Plan is what all rewrites need: the facts, the text, and where edits and messages go.
struct Plan {
  const SourceUnit& unit;
  const SourceText& text;
  const Facts& facts;
  const Options& options;
  std::map<const FunctionFacts*, FormChoice> forms;
  EditList& edits;
  Diagnostics& diagnostics;
  /// Lambdas in split kernels: where their text is moved, what they name at their head moves too.
  std::set<const FunctionFacts*> movedLambdas;
};

/// Wraps kernel bodies in the loop over threads that their form asks for.
void rewriteKernels(Plan& plan);
/// splitKernel() is rewriteKernels() for one kernel in the split form.
void splitKernel(Plan& plan, const FunctionFacts& kernel);
/// Gives device functions that split kernels call a version for all threads of a group. After all
/// other rewrites.
void addGroupVersions(Plan& plan);
/// Gives device functions the built-in variables that they name.
void rewriteDeviceFunctions(Plan& plan);
/// Turns `__shared__` declarations outside kernels' reach into references to the block's shared
/// memory.
void rewriteShared(Plan& plan);
/// Calls plain updates where atomics change the block's own shared memory.
void rewriteAtomics(Plan& plan);
/// Gives shifts that may move all bits out a GPU's meaning.
void rewriteShifts(Plan& plan, SourceText& text);
/// Lets conversions to integers that may not hold the value do what a GPU does.
void rewriteCasts(Plan& plan, SourceText& text);
/// Reads and stores structures of narrow integers as the words that they fill.
void rewriteWords(Plan& plan, SourceText& text);
/// Tells compilers that neighbouring threads' places are neighbours in memory.
void rewritePlaces(Plan& plan, SourceText& text);
/// Writes out short loops over a thread's own arrays, as nvcc does.
void rewriteRegisterLoops(Plan& plan, SourceText& text);
/// Keeps what host functions compute as nvcc's host compiler computes it.
void rewriteHostArithmetic(Plan& plan);
/// Evaluates arguments in host functions in the order of nvcc's host compiler. After all rewrites
/// that may change them.
void rewriteArgumentOrder(Plan& plan);
/// Lets loops that wait for other threads give way to them.
void rewritePolling(Plan& plan);
/// Turns `<<<>>>` into cu2cpp::launch and registers kernels whose address is taken.
void rewriteLaunches(Plan& plan);
/// Gives device variables and functions the linkage that they have under nvcc.
void rewriteVariables(Plan& plan);
/// Has small structures given to device functions part by part.
void rewritePassing(Plan& plan);
/// beforeSpecifiers() is where a declaration that begins at `begin` takes specifiers more.
std::optional<FilePosition> beforeSpecifiers(const Plan& plan, const clang::DeclaratorDecl* decl,
                                             clang::SourceLocation begin);
/// Removes CUDA's qualifiers and dialect from the text of a file.
void rewriteQualifiers(Plan& plan, const std::string& file);
/// Lets functions whose host and device sides differ choose at run time. Before the rewrites that
/// insert at their heads.
void rewriteSides(Plan& plan, const std::string& file);
/// Marks what is not supported.
void rewriteUnsupported(Plan& plan);

/// clusterGuard() is the line at the head of a kernel with `__cluster_dims__` that has its blocks
/// run as clusters; empty for other kernels.
std::string clusterGuard(const Plan& plan, const FunctionFacts& kernel);
/// callOfPeer() runs a kernel's peer in its place where that is the same (plain_march_apart.cpp);
/// empty if it has none.
std::string callOfPeer(const Plan& plan, const FunctionFacts& kernel);

/// layersAtHead() has a kernel that is marked so run as blocks of one layer (plain_layers.cpp), or
/// of several rows (plain_block_rows.cpp); empty for other kernels.
std::string layersAtHead(const Plan& plan, const FunctionFacts& kernel);

/// waitingMark() is the line at the head of a kernel whose blocks may wait for each other; empty
/// for other kernels.
std::string waitingMark(const FunctionFacts& kernel);

/// sharedAtHead() declares a kernel's movable shared variables outside the thread loop: returns the
/// text for the kernel's head and removes the declarations from the body, except those that already
/// lead the body: `keptUntil` is then the end of the last of them, and the thread loop starts
/// there.
struct SharedHead {
  std::vector<std::string> declarations;
  std::optional<FilePosition> keptUntil;
};
SharedHead sharedAtHead(Plan& plan, const FunctionFacts& kernel);

/// namespaceSharedAtHead() declares the namespace-scope shared variables that a function names.
std::vector<std::string> namespaceSharedAtHead(const Plan& plan, const FunctionFacts& function);

/// linesAtHead() declares at the head of a device function the built-in variables of a set, and the
/// namespace-scope shared variables that it names.
std::vector<std::string> linesAtHead(const Plan& plan, const FunctionFacts& function,
                                     unsigned builtins);

/// blockAtHead() declares `cuBlock`, the running block, with the block size that the kernel's
/// launches show.
std::string blockAtHead(const Plan& plan, const FunctionFacts& kernel, bool joined = false);
/// guardedLoopAtHead() begins the loop over threads of a kernel in the loop form whose conditions
/// hold for ranges of them, and has its conditions ask whether that is known; empty for other
/// kernels.
std::string guardedLoopAtHead(Plan& plan, const FunctionFacts& kernel);
/// prefetchesAtHead() fetches what the next block of a kernel in the loop form loads or changes, if
/// that lies in several stretches.
std::vector<std::string> prefetchesAtHead(const Plan& plan, const FunctionFacts& kernel);
/// wholeBlockAtHead() begins a lambda around the kernel's body in which the block has that size;
/// with `turns` one more around it, in which the block is any of those that take turns, or with
/// `abreast` of those that run a loop together. Arguments that are the same in all launches are
/// constants there. The lambda's head and such constants, line by line.
std::vector<std::string> wholeBlockAtHead(Plan& plan, const FunctionFacts& kernel, bool turns,
                                          bool abreast);

/// builtinsAtHead() declares the built-in variables (a set of Builtin bits) from an expression for
/// block and thread.
std::vector<std::string> builtinsAtHead(const clang::FunctionDecl& function, unsigned builtins,
                                        const std::string& block, const std::string& thread);

} // namespace cu2cpp
