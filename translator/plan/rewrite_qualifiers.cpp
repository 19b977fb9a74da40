// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's dialect, token by token, in every branch of the preprocessor: qualifiers go, since they
// mean nothing to a C++ compiler, and what only nvcc understands becomes what g++ and clang++ do.
//
//   __host__ __device__ int f();   ->  int f();
//   __launch_bounds__(256, 2)      ->
//   __forceinline__                ->  inline __attribute__((always_inline)) by
//   <cu2cpp/attributes.h>, text kept
//   __noinline__                   ->  __attribute__((noinline))
//   #pragma unroll 4               ->  // #pragma unroll 4
//   __CUDA_ARCH__ (device bodies)  ->  CU2CPP_ARCH__
//
// A `__host__ __device__` function that tests __CUDA_ARCH__ keeps both versions:
//
//   { ...body... }   ->   { if (cu2cpp::onDevice()) { ...body, CU2CPP_ARCH__... } else { ...body...
//   } }
#include "plan/rewrites.h"

#include <algorithm>

#include "llvm/ADT/StringSwitch.h"

#include "parse/dialect_overlay.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

bool isQualifier(llvm::StringRef text) {
  return llvm::StringSwitch<bool>(text)
      .Cases("__global__", "__device__", "__host__", "__constant__", "__managed__", "__shared__",
             true)
      .Cases("__grid_constant__", "__launch_bounds__", "__cluster_dims__", "__maxnreg__", true)
      .Cases("CU2_BEGIN_", "CU2_END_", true) // what wrapLaunches() added
      .Default(false);
}

} // namespace

void rewriteQualifiers(Plan& plan, const std::string& file) {
  const llvm::StringRef text = plan.unit.userText(file);
  const std::vector<RawToken> tokens = rawTokens(text);
  std::string directive; // name of the directive that the current line belongs to
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const RawToken& t = tokens[i];
    if (t.startsLine)
      directive.clear();
    if (t.startsLine && t.text == "#" && i + 1 < tokens.size()) {
      directive = tokens[i + 1].text.str();
      if (directive == "pragma" && i + 2 < tokens.size() &&
          (tokens[i + 2].text == "unroll" || tokens[i + 2].text == "nv_diag_suppress" ||
           tokens[i + 2].text == "nv_exec_check_disable" ||
           tokens[i + 2].text == "hd_warning_disable"))
        plan.edits.insert({file, t.offset}, "// ");
      continue;
    }
    // Names in conditions, and the name that a #define gives a meaning to, are not qualifiers.
    if (!directive.empty() && (directive != "define" || (i >= 2 && tokens[i - 2].text == "#")))
      continue;
    const unsigned end = t.offset + static_cast<unsigned>(t.text.size());
    if (t.text == "__noinline__") {
      const bool inAttribute = i > 0 && (tokens[i - 1].text == "(" || tokens[i - 1].text == ",");
      if (!inAttribute)
        plan.edits.replace({file, t.offset, end}, "__attribute__((noinline))", true);
      continue;
    }
    if (!isQualifier(t.text))
      continue;
    unsigned to = end;
    if (i + 1 < tokens.size() && tokens[i + 1].text == "(" &&
        (t.text == "__launch_bounds__" || t.text == "__cluster_dims__" ||
         t.text == "__maxnreg__")) {
      int depth = 0;
      for (std::size_t k = i + 1; k < tokens.size(); ++k) {
        depth += tokens[k].text == "(";
        depth -= tokens[k].text == ")";
        if (!depth) {
          to = tokens[k].offset + 1;
          break;
        }
      }
    }
    // One space beside the qualifier goes with it.
    if (to < text.size() && text[to] == ' ')
      ++to;
    plan.edits.replace({file, t.offset - (t.text == "CU2_END_"), to}, "", true);
  }
  for (const unsigned offset : overlayDialect(text, plan.unit.deviceBodies(file)).archOffsets)
    plan.edits.replace({file, offset, offset + 13}, "CU2CPP_ARCH__", true);
}

void rewriteSides(Plan& plan, const std::string& file) {
  const llvm::StringRef text = plan.unit.userText(file);
  for (const BodyRange& body : overlayDialect(text, plan.unit.deviceBodies(file)).twoSided) {
    // During constant evaluation there is no device; asking would not be constant.
    plan.edits.insert({file, body.begin + 1},
                      " if (!__builtin_is_constant_evaluated() && cu2cpp::onDevice()) {");
    plan.edits.insert({file, body.end - 1},
                      "} else {" + text.substr(body.begin + 1, body.end - body.begin - 2).str() +
                          "} ");
  }
}

} // namespace cu2cpp
