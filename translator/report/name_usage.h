// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of CUDA's functions and libraries a text names. Reads words, not syntax, so it tells the
// same of files that do not compile here because a library is missing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cu2cpp {

struct NameUse {
  enum class State { Done, Caveat, Missing };
  std::string name;
  std::string library; ///< "CUDA runtime", "cuFFT", "device functions" ...
  State state = State::Done;
  std::string why;             ///< of caveats and missing names
  std::vector<unsigned> lines; ///< each use
};

struct TextUsage {
  unsigned lines = 0;
  std::vector<NameUse> names;
  std::vector<NameUse> libraries; ///< by header or namespace: cuFFT, Thrust ...
  std::vector<std::pair<std::string, unsigned>> kernels; ///< behind __global__, with their lines
};

/// findUsage() reads a text. `known` are the functions that our headers declare, with the reasons
/// why some are not supported; `headers` are their file names. Names that look like CUDA's and are
/// not known count as missing where `complete` is false (the file does not compile); otherwise they
/// are the user's own.
TextUsage findUsage(const std::string& text, const std::map<std::string, std::string>& known,
                    const std::set<std::string>& headers, bool complete);

} // namespace cu2cpp
