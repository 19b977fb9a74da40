// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linkage. Without -rdc=true nvcc keeps each file's device functions and variables to that file, so
// that two files may define the same name; in C++ that is `static`.
//
//   __constant__ float weights[9];         ->  static float weights[9];
//   __device__ float square(float x) {...}  ->  static inline float square(float x) {...}
#include "plan/rewrites.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

namespace cu2cpp {
namespace {

bool anyExtern(const clang::VarDecl* variable) {
  for (const clang::VarDecl* other : variable->redecls())
    if (other->getStorageClass() == clang::SC_Extern)
      return true;
  return false;
}

bool keepsLinkage(const clang::FunctionDecl* function) {
  for (const clang::FunctionDecl* other : function->redecls())
    if (other->getStorageClass() != clang::SC_None ||
        other->getFriendObjectKind() != clang::Decl::FOK_None || other->isExternC())
      return true;
  return llvm::isa<clang::CXXMethodDecl>(function) || function->isInAnonymousNamespace() ||
         function->getDescribedFunctionTemplate() || function->isTemplateInstantiation() ||
         function->isFunctionTemplateSpecialization() ||
         !function->getDeclContext()->isFileContext();
}

void insertBefore(Plan& plan, const clang::DeclaratorDecl* decl, const std::string& text) {
  if (const auto position = beforeSpecifiers(plan, decl, decl->getBeginLoc()))
    plan.edits.insert(*position, text);
}

} // namespace

std::optional<FilePosition> beforeSpecifiers(const Plan& plan, const clang::DeclaratorDecl* decl,
                                             clang::SourceLocation begin) {
  auto position = plan.text.positionOf(plan.text.lift(begin, decl->getLocation()));
  if (!position)
    return position;
  // `[[...]]` comes before all specifiers, perhaps behind CUDA's own.
  llvm::StringRef rest = plan.text.buffer(position->file).substr(position->offset);
  const std::size_t size = rest.size();
  for (;;) {
    rest = rest.ltrim();
    if (rest.starts_with("[[") && rest.contains("]]")) {
      rest = rest.substr(rest.find("]]") + 2).ltrim();
      position->offset += static_cast<unsigned>(size - rest.size());
      break;
    }
    if (!rest.consume_front("__device__") && !rest.consume_front("__host__") &&
        !rest.consume_front("__noinline__"))
      break;
  }
  return position;
}

void rewriteVariables(Plan& plan) {
  if (plan.options.separateCompilation)
    return;
  for (const clang::VarDecl* variable : plan.facts.deviceVariables) {
    if (!variable->hasGlobalStorage() || variable->isStaticDataMember() ||
        variable->isStaticLocal() || variable->getStorageClass() != clang::SC_None ||
        anyExtern(variable) || variable->isInAnonymousNamespace() ||
        variable->getType().isConstQualified() || variable->isInline() ||
        variable->getDescribedVarTemplate() ||
        llvm::isa<clang::VarTemplateSpecializationDecl>(variable))
      continue;
    insertBefore(plan, variable, "static ");
  }
  for (const clang::FunctionDecl* function : plan.facts.deviceDeclarations)
    if (!keepsLinkage(function))
      insertBefore(plan, function, function->isInlineSpecified() ? "static " : "static inline ");
}

} // namespace cu2cpp
