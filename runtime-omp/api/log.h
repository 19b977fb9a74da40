// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of errors: a line for each call that failed, the latest hundred of them.
//
// CUDA Runtime API, 'Error Log Management'.
#ifndef CU2CPP_API_LOG_H
#define CU2CPP_API_LOG_H

#include <string>

namespace cu2cpp::rt {

/// logMessage() adds a line and tells it to those who asked for it.
void logMessage(const std::string& text) noexcept;

} // namespace cu2cpp::rt

#endif
