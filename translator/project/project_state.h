// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the last run of a project knew: the hash of each file that it read and wrote, and the
// edits or errors of each unit, so that the next run translates only what has changed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "project/unit_edits.h"

namespace cu2cpp {

using HashByPath = std::map<std::string, std::string>;

/// hashOf() is a text's fingerprint; hashOfFile() that of a file, empty where there is none.
std::string hashOf(const std::string& text);
std::string hashOfFile(const std::string& path);

struct ProjectState {
  std::string settings; ///< everything but the sources: the program, its headers, the options
  /// By key: the files that each read, and with an empty hash those that it looked for in vain.
  std::map<std::string, HashByPath> units;
  HashByPath hostFiles;
  HashByPath outputs; ///< as they were written
  HashByPath pending; ///< new translations that lie beside files with foreign changes
  unsigned kernels = 0;
  int exitCode = 0;
};

/// StateFolder is `.cu2cpp` in the output's root.
class StateFolder {
public:
  explicit StateFolder(std::string root) : folder_(std::move(root) + "/.cu2cpp") {}
  /// read() gives an empty state where there is none or it cannot be read.
  ProjectState read() const;
  bool write(const ProjectState& state) const;
  std::optional<UnitEdits> readUnit(const std::string& key) const;
  bool writeUnit(const std::string& key, const std::string& bytes) const;
  void removeOtherUnits(const ProjectState& state) const;
  const std::string& path() const { return folder_; }

private:
  std::string folder_;
};

} // namespace cu2cpp
