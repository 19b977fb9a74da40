// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module of PTX as CUDA C++, which the rest of the translator then takes like a user's file:
//
//   .visible .entry half(.param .u64 data) { .reg .b64 %d; ld.param.u64 %d, [data]; ... ret; }
//     ->  extern "C" __global__ void half(unsigned long long data) {
//           unsigned long long d{};
//           d = data; ...
//           return;
//         }
//
// Registers become variables, branches jumps, parameters and variables plain bytes; instructions
// are translated as those of inline PTX are. All addresses are the host's; those of shared memory
// may have 32 bits.
#pragma once

#include <string>

namespace cu2cpp::ptx {

struct ModuleSource {
  std::string text;
  std::string error; ///< what stands in the way; then there is no text
  unsigned line = 0; ///< of the error
};

/// moduleSource() translates the text of a module.
ModuleSource moduleSource(const std::string& text);

} // namespace cu2cpp::ptx
