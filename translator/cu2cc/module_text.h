// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules as text, where nvcc writes PTX: programs handle that as a C string, which ends at the
// first zero.
//
//   // cu2cpp module: a shared library in base64, for cuModuleLoad() and its like
//   f0VMRgIBAQAAAAAAAAAAAAMAPgAB...
#ifndef CU2CPP_CU2CC_MODULE_TEXT_H
#define CU2CPP_CU2CC_MODULE_TEXT_H

#include <string>

namespace cu2cpp::cu2cc {

/// moduleText() is the text for the library's bytes. The runtime's Module reads it.
std::string moduleText(const std::string& bytes);

/// writeAsText() puts the text in the place of the library; false if the file can not be written.
bool writeAsText(const std::string& file);

} // namespace cu2cpp::cu2cc

#endif
