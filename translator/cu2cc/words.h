// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command line as words: splitting of texts that a shell or nvcc would split, response files and
// nvcc's environment variables put in their places, and quoting for display.
#ifndef CU2CPP_CU2CC_WORDS_H
#define CU2CPP_CU2CC_WORDS_H

#include <string>
#include <vector>

namespace cu2cpp::cu2cc {

using Words = std::vector<std::string>;

/// splitShell() splits at blanks as a shell does; quotes and backslashes protect and are removed.
Words splitShell(const std::string& text);

/// splitList() splits an nvcc list value at commas. Commas inside quotes or parentheses and those
/// after a backslash stay.
///   "a,b"  -> a | b      "X=f(1,2)" -> X=f(1,2)      "-Wl\,-z\,now" -> -Wl,-z,now
Words splitList(const std::string& text);

/// splitHostOptions() splits the value of -Xcompiler: at commas and at blanks, both protected by
/// quotes and backslashes, because nvcc hands the text to a shell.
Words splitHostOptions(const std::string& text);

/// joinForShell() is the command line as a shell would have to read it.
std::string joinForShell(const Words& words);

/// expandWords() puts the contents of response files (@file, -optf file) and of NVCC_PREPEND_FLAGS
/// and NVCC_APPEND_FLAGS in their places. The command runs in `directory`; empty: where we are.
/// Returns false and sets error when a file cannot be read.
bool expandWords(const Words& arguments, Words& expanded, std::string& error,
                 const std::string& directory = {});

} // namespace cu2cpp::cu2cc

#endif
