// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What became of each loop of the kernels: the vectoriser's record, as clang++ writes it with
// -fsave-optimization-record, in words.
#ifndef CU2CPP_CU2CC_EXPLAIN_LOOPS_H
#define CU2CPP_CU2CC_EXPLAIN_LOOPS_H

#include <string>

namespace cu2cpp::cu2cc {

/// explainLoops() turns the text of a record into one paragraph for each kernel: which of its loops
/// run as vectors, which do not and why. Functions that hold no loop over threads are left out.
std::string explainLoops(const std::string& record);

} // namespace cu2cpp::cu2cc

#endif
