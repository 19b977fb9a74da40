// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives a device function the built-in variables and namespace-scope shared variables that it
// names.
//
//   __device__ int id() {                     static inline int id() {
//     return blockIdx.x * 64 + threadIdx.x; ->  const uint3 threadIdx =
//     cu2cpp::thisThread().threadIdx;
//   }                                           const uint3 blockIdx =
//   cu2cpp::thisBlock().blockIdx;
//                                               return blockIdx.x * 64 + threadIdx.x;
//                                             }
// Leaves: kernels (rewrite_kernels.cpp).
#include "plan/rewrites.h"

namespace cu2cpp {
namespace {

const char* expressionFor(llvm::StringRef builtin) {
  if (builtin == "threadIdx")
    return "cu2cpp::thisThread().threadIdx";
  if (builtin == "blockIdx")
    return "cu2cpp::thisBlock().blockIdx";
  return builtin == "blockDim" ? "cu2cpp::thisBlock().blockDim" : "cu2cpp::thisBlock().gridDim";
}

void rewriteFunction(Plan& plan, const FunctionFacts& function) {
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function.decl->getBody());
  if (!body)
    return;
  const clang::SourceManager& sm = plan.text.sources();
  unsigned atHead = 0;
  for (const clang::DeclRefExpr* use : function.builtinUses) {
    const bool inBody = sm.isBeforeInTranslationUnit(body->getLBracLoc(), use->getLocation()) &&
                        sm.isBeforeInTranslationUnit(use->getLocation(), body->getRBracLoc());
    const llvm::StringRef name = use->getDecl()->getName();
    if (inBody) {
      atHead |= name == "threadIdx"  ? ThreadIdx
                : name == "blockIdx" ? BlockIdx
                : name == "blockDim" ? BlockDim
                                     : GridDim;
    } else if (const auto range = plan.text.rangeOf(use->getSourceRange())) {
      // A constructor's initialisers and default arguments stand before any local declaration.
      if (!use->hasQualifier())
        plan.edits.replace(*range, expressionFor(name));
    }
  }
  // A macro may write several functions.
  if (plan.text.inMacro(body->getLBracLoc()))
    atHead |= function.builtins;
  const std::vector<std::string> head = linesAtHead(plan, function, atHead);
  if (head.empty())
    return;
  const auto open = plan.text.endOf(body->getLBracLoc());
  if (!open) {
    plan.diagnostics.report(DiagId::NotEditable, plan.unit.placeOf(body->getLBracLoc()),
                            {"device function '" + function.decl->getNameAsString() + "'"});
    return;
  }
  const bool oneLine =
      plan.text.inMacro(body->getLBracLoc()) || sm.getSpellingLineNumber(body->getLBracLoc()) ==
                                                    sm.getSpellingLineNumber(body->getRBracLoc());
  std::string text;
  for (const std::string& line : head)
    text += (oneLine ? " " : "\n" + plan.text.indentation(*open) + "    ") + line;
  plan.edits.insert(*open, text, plan.movedLambdas.count(&function) != 0);
}

} // namespace

std::vector<std::string> linesAtHead(const Plan& plan, const FunctionFacts& function,
                                     unsigned builtins) {
  std::vector<std::string> lines =
      builtinsAtHead(*function.decl, builtins, "cu2cpp::thisBlock()", "cu2cpp::thisThread()");
  for (std::string& line : namespaceSharedAtHead(plan, function))
    lines.push_back(std::move(line));
  return lines;
}

void rewriteDeviceFunctions(Plan& plan) {
  for (const auto& [place, function] : plan.facts.functions)
    if (!function.kernel && plan.unit.isUser(function.decl->getLocation()))
      rewriteFunction(plan, function);
}

} // namespace cu2cpp
