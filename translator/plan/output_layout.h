// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where translated files go, and which of the user's headers have to come along.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "options.h"
#include "parse/source_unit.h"
#include "plan/edit.h"

namespace cu2cpp {

/// OutputLayout says where the translation of each file goes. Paths are real paths.
class OutputLayout {
public:
  OutputLayout(const Options& options, const std::vector<std::string>& inputs);
  /// mainOutput() is where the translation of an input goes.
  std::string mainOutput(const std::string& input) const;
  /// headerOutput() is where the translation of a header that `input` includes goes.
  std::string headerOutput(const std::string& input, const std::string& header) const;
  /// besideInput() tells whether outputs of this input go where the user's own files are.
  bool isInPlace(const std::string& input) const;

private:
  const Options& options_;
  std::vector<std::string> inputs_;
  std::string inRoot_;
  std::string outRoot_; ///< empty: beside each input
  std::string outFile_; ///< -o names a file
};

/// filesToEmit() are the files of a unit that are written: the input, each header that changes,
/// each that includes one of these, and, where outputs go to another directory, the headers that
/// are found beside their includer.
std::set<std::string> filesToEmit(const SourceUnit& unit, const EditList& edits,
                                  const Options& options, const OutputLayout& layout);

} // namespace cu2cpp
