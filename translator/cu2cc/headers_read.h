// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translated code begins with `#include <cu2cpp/launch.h>`, which takes clang++ longer than most
// programs that follow. It is read once, when cu2cpp is built or installed (`cu2cc
// --cu2cpp-read-headers`), and kept beside our headers in clang's form: a precompiled header.
//
// It is used where it is certain to be what clang would read: with the same flags but for the
// user's own directories and macros, if these have no file and no name that the headers ask for, on
// the same processor, with the same compiler and headers that nobody has changed. Whatever is not
// known to make no difference is one. Then, and where nothing was kept, all is read as ever.
#ifndef CU2CPP_CU2CC_HEADERS_READ_H
#define CU2CPP_CU2CC_HEADERS_READ_H

#include <string>
#include <vector>

namespace cu2cpp::cu2cc {

/// readHeaders() lets a clang++ read the headers in that directory and keeps the result under the
/// name `place` with suffixes. `start` is what each of its commands begins with. Returns false and
/// sets error where the compiler fails.
bool readHeaders(const std::vector<std::string>& start, const std::string& headers,
                 const std::string& place, std::string& error);

/// headersRead() is the flags that make a command take what readHeaders() has kept; none where the
/// command might find something else. The command's last words, its input and output, are not part
/// of it.
std::vector<std::string> headersRead(const std::vector<std::string>& command,
                                     const std::string& place);

} // namespace cu2cpp::cu2cc

#endif
