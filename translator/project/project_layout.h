// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the files of a project go: the tree below --in-root, mirrored below --out-root, with
// extensions by a rule. Without --out-root translated files stand beside their sources.
//
//   src/gpu/scan.cu      ->  out/gpu/scan.cpp
//   src/gpu/scan.cuh     ->  out/gpu/scan.hpp
//   src/gpu/parts.cu     ->  out/gpu/parts.cu.hpp    where another file includes it
#pragma once

#include <map>
#include <set>
#include <string>

namespace cu2cpp {

/// Extensions with their dots, old to new.
using ExtensionRules = std::map<std::string, std::string>;

/// parseExtensionRules() reads ".cu=.cc,.cuh=.h" on top of the default rules (.cu=.cpp,.cuh=.hpp);
/// false where it is written otherwise.
bool parseExtensionRules(const std::string& text, ExtensionRules& rules);

class ProjectLayout {
public:
  /// Roots are real paths; an empty outRoot means beside the sources. `ours` are files of which it
  /// is known that an earlier run wrote them.
  ProjectLayout(std::string inRoot, std::string outRoot, ExtensionRules rules,
                std::set<std::string> ours);

  bool inPlace() const { return outRoot_.empty(); }
  bool isInside(const std::string& file) const; ///< below inRoot
  /// outputOf() is where a file's translation goes; `main` for one that is compiled, not included.
  std::string outputOf(const std::string& file, bool main) const;
  /// mirrorOf() is where a directory of the tree is in the output.
  std::string mirrorOf(const std::string& directory) const;
  /// shortName() is a path as the user knows it: relative to inRoot where it is inside.
  std::string shortName(const std::string& file) const;

private:
  bool isTaken(const std::string& output, const std::string& file) const;

  std::string inRoot_, outRoot_;
  ExtensionRules rules_;
  std::set<std::string> ours_;
};

} // namespace cu2cpp
