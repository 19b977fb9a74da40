// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   extern "C" __global__ void scale(float* x, float a);
//                    ->  ... static const bool cu2cppKernels = cu2cpp::exportKernels(&scale);
//   static __constant__ int table[4];
//                    ->  ... another name, `table` to the linker, for the static variable
#include "plan/export_kernels.h"

#include <vector>

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"

#include "plan/kernel_names.h"

namespace cu2cpp {
namespace {

/// A static variable of device code has its plain name in nvcc's modules, and programs find and
/// fill it by that. Without a second name it would not even exist: nothing here writes to it.
std::string foundVariables(const Facts& facts) {
  std::string text;
  for (const clang::VarDecl* variable : facts.deviceVariables) {
    if (variable->getFormalLinkage() != clang::Linkage::Internal ||
        !variable->isThisDeclarationADefinition() ||
        !variable->getDeclContext()->getRedeclContext()->isTranslationUnit() ||
        variable->isInAnonymousNamespace() || variable->isInExternCContext())
      continue;
    const std::string name = variable->getNameAsString();
    text += "extern \"C\" decltype(::" + name + ") cu2cppFound_" + name + " __asm__(\"" + name +
            "\")\n    __attribute__((weak, alias(\"_ZL" + std::to_string(name.size()) + name +
            "\")));\n";
  }
  return text.empty() ? "" : "\n// Static variables are found by name, too.\n" + text;
}

std::string exportedKernels(const Facts& facts) {
  std::vector<const clang::FunctionDecl*> kernels;
  for (const auto& [place, function] : facts.functions) {
    if (!function.kernel || !function.decl->isExternallyVisible())
      continue;
    const clang::FunctionTemplateDecl* pattern = function.decl->getDescribedFunctionTemplate();
    if (!pattern)
      pattern = function.decl->getPrimaryTemplate();
    if (!pattern) {
      kernels.push_back(function.decl);
      continue;
    }
    for (const clang::FunctionDecl* instance : pattern->specializations())
      if (instance->getTemplateSpecializationKind() == clang::TSK_ExplicitInstantiationDefinition ||
          instance->getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization)
        kernels.push_back(instance);
  }
  std::string list;
  for (const clang::FunctionDecl* kernel : kernels)
    if (const auto address = addressAtEnd(kernel))
      list += (list.empty() ? "" : ",\n    ") + *address;
  if (list.empty())
    return "";
  return "\n// The kernels that are found by name when this module is loaded.\n"
         "static const bool cu2cppKernels [[maybe_unused]] = cu2cpp::exportKernels(\n    " +
         list + ");\n";
}

} // namespace

std::string exportedNames(const Facts& facts) {
  return exportedKernels(facts) + foundVariables(facts);
}

} // namespace cu2cpp
