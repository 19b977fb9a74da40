// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions whose text does not show that they are: `#define BOTH __host__ __device__`, or
// qualifiers that stand at another declaration only.
#pragma once

#include "parse/source_unit.h"

namespace cu2cpp {

/// findHiddenSides() finds the bodies that test __CUDA_ARCH__ and were parsed as the host's
/// although they are a device function's. A second parse that knows them sees their device side.
DeviceBodiesByFile findHiddenSides(const SourceUnit& unit);

} // namespace cu2cpp
