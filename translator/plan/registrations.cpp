// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   __global__ void __launch_bounds__(256) scale(float* x) { __shared__ float row[256]; ... }
//                    ->  ... cu2cppLimits[] = {cu2cpp::limitKernel(&::scale, 256, 1024)};
//   __managed__ int total;
//                    ->  ... cu2cppManaged[] = {cu2cpp::manageVariable(::total)};
//
// Instances whose arguments have no name at the end of the file (lambdas, local classes) are left
// out: the runtime then takes launches that a GPU refuses.
#include "plan/registrations.h"

#include "analyse/kernel_limits.h"
#include "analyse/marks.h"
#include "plan/kernel_names.h"

namespace cu2cpp {
namespace {
constexpr unsigned mostThreads = 1024; // where bounds do not say less

std::string table(const std::string& comment, const std::string& name, const std::string& entries) {
  return entries.empty() ? ""
                         : "\n// " + comment + "\n[[maybe_unused]] static const bool " + name +
                               "[] = {\n" + entries + "};\n";
}

/// The entries for all variables with a mark.
std::string variables(const Facts& facts, const char* mark, const std::string& function) {
  std::string list;
  for (const clang::VarDecl* variable : facts.deviceVariables)
    if (hasMark(variable, mark) && variable->isThisDeclarationADefinition() &&
        variable->getDeclContext()->getRedeclContext()->isFileContext())
      list += "    cu2cpp::" + function + "(::" + fullName(variable) + "),\n";
  return list;
}
} // namespace

std::string registeredLimits(const SourceUnit& unit, const Facts& facts) {
  std::string list;
  for (const KernelLimits& limits : findKernelLimits(unit, facts)) {
    const unsigned threads =
        limits.threads == 0 || limits.threads > mostThreads ? mostThreads : limits.threads;
    std::string cluster;
    for (const unsigned blocks : limits.cluster)
      cluster += (cluster.empty() ? ", dim3(" : ", ") + std::to_string(blocks);
    if (const auto address = addressAtEnd(limits.kernel))
      list += "    cu2cpp::limitKernel(" + *address + ", " + std::to_string(threads) + ", " +
              std::to_string(limits.sharedBytes) + cluster + (cluster.empty() ? "" : ")") + "),\n";
  }
  return table("Threads that a block may have, and bytes of shared variables.", "cu2cppLimits",
               list);
}

std::string managedVariables(const Facts& facts) {
  return table("Variables of both sides.", "cu2cppManaged",
               variables(facts, "managed", "manageVariable"));
}

std::string constantVariables(const Facts& facts) {
  return facts.addressSpaces ? table("Constant memory.", "cu2cppConstants",
                                     variables(facts, "constant", "constantVariable"))
                             : "";
}

} // namespace cu2cpp
