// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direction vectors of Sobol' sequences.
#ifndef CU2CPP_API_SOBOL_H
#define CU2CPP_API_SOBOL_H

#include <array>
#include <vector>

#include <curand.h>

namespace cu2cpp::rt {

constexpr unsigned sobolDimensions = 1024;

/// sobolVectors() are the direction vectors of all dimensions, the highest bit's first.
template <class Word>
const std::vector<std::array<Word, 8 * sizeof(Word)>>& sobolVectors() noexcept;

} // namespace cu2cpp::rt

#endif
