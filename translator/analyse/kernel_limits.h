// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches of a kernel have to keep to: its launch bounds, the shared memory that its own
// variables take, and the clusters that its blocks come in.
#pragma once

#include <cstdint>
#include <vector>

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

struct KernelLimits {
  const clang::FunctionDecl* kernel = nullptr; ///< of a template: an instance
  unsigned threads = 0;                        ///< `__launch_bounds__`; 0 without
  std::uint64_t sharedBytes = 0;               ///< of static shared variables
  std::vector<unsigned> cluster;               ///< `__cluster_dims__`; empty without
};

/// findKernelLimits() finds the kernels, and the instances of kernel templates, that have launch
/// bounds, shared variables or clusters, in the order of their definitions.
std::vector<KernelLimits> findKernelLimits(const SourceUnit& unit, const Facts& facts);

} // namespace cu2cpp
