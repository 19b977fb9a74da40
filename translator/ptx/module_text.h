// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole module of PTX, as a GPU's compiler writes it, as variables and functions. Knows the
// grammar of directives (PTX ISA, 'Syntax', 'State Spaces', 'Directives'); what the instructions
// do is not known here.
//
//   .visible .entry scale(.param .u64 data) { .reg .b64 %rd<2>; ld.param.u64 %rd1, [data]; ... }
//     ->  functions: scale (entry; parameters: data, 8 bytes; instructions: ld.param.u64 ...)
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ptx/ptx_text.h"

namespace cu2cpp::ptx {

/// An element of an initialiser: a number, or the address of a variable or a function.
struct Initial {
  std::string number; ///< as PTX writes it; of an address what is added to it
  std::string symbol;
  unsigned long long mask = 0; ///< `0xFF00(symbol)`: the bits that are kept; 0 for all
};

/// A variable, or a parameter.
struct ModuleVariable {
  std::string name;
  std::string space; ///< `global`, `const`, `shared`, `local`, `param`, `reg`
  std::string type;  ///< `b8`, `u32`
  unsigned alignment = 0;
  unsigned long long count = 1; ///< of elements
  bool array = false;
  bool unsized = false; ///< `.extern .shared .b8 x[]`
  bool isExternal = false, managed = false;
  std::vector<Initial> initial;
};

struct ModuleFunction {
  std::string name;
  bool entry = false, defined = false;
  std::vector<ModuleVariable> results, parameters;
  std::vector<ModuleVariable> variables; ///< declared in the body: shared, local, param
  Block block;
  std::map<std::string, std::vector<std::string>> branchTargets; ///< by label
  std::map<std::string, ModuleFunction> prototypes;              ///< of indirect calls, by label
  unsigned long long maximumThreads = 0, minimumBlocks = 0;
  std::vector<std::string> clusterSize;
};

struct ModuleText {
  std::vector<ModuleVariable> variables;
  std::vector<ModuleFunction> functions;
  std::string error; ///< what stands in the way; then the rest counts for nothing
  unsigned line = 0; ///< of the error
};

/// isModule() tells PTX text, which begins with `.version` behind comments.
bool isModule(const std::string& text);

/// readModule() reads a module. Names of nested scopes come out unique within their function.
ModuleText readModule(const std::string& text);

} // namespace cu2cpp::ptx
