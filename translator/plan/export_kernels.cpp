// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   extern "C" __global__ void scale(float* x, float a);
//                    ->  ... static const bool cu2cppKernels = cu2cpp::exportKernels(&scale);
//   static __constant__ int table[4];
//                    ->  ... another name, `table` to the linker, for the static variable
#include "plan/export_kernels.h"

#include <map>
#include <vector>

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/Support/raw_ostream.h"

namespace cu2cpp {
namespace {

std::string nameOf(const clang::FunctionDecl* kernel) {
  std::string name;
  llvm::raw_string_ostream out(name);
  kernel->getNameForDiagnostic(out, kernel->getASTContext().getPrintingPolicy(), true);
  return name;
}

/// Kernels of one name differ in their parameters, so the address names those too.
std::string addressOf(const clang::FunctionDecl* kernel, bool overloaded) {
  const std::string address = "&::" + nameOf(kernel);
  if (!overloaded)
    return address;
  clang::PrintingPolicy policy(kernel->getASTContext().getLangOpts());
  policy.FullyQualifiedName = true;
  std::string parameters;
  for (const clang::ParmVarDecl* parameter : kernel->parameters())
    parameters += (parameters.empty() ? "" : ", ") + parameter->getType().getAsString(policy);
  return "static_cast<void (*)(" + parameters + ")>(" + address + ")";
}

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
  if (kernels.empty())
    return "";
  std::map<std::string, int> count;
  for (const clang::FunctionDecl* kernel : kernels)
    ++count[nameOf(kernel)];
  std::string list;
  for (const clang::FunctionDecl* kernel : kernels)
    list += (list.empty() ? "" : ",\n    ") + addressOf(kernel, count[nameOf(kernel)] > 1);
  return "\n// The kernels that are found by name when this module is loaded.\n"
         "static const bool cu2cppKernels [[maybe_unused]] = cu2cpp::exportKernels(\n    " +
         list + ");\n";
}

} // namespace

std::string exportedNames(const Facts& facts) {
  return exportedKernels(facts) + foundVariables(facts);
}

} // namespace cu2cpp
