// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/project_layout.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

namespace cu2cpp {

bool parseExtensionRules(const std::string& text, ExtensionRules& rules) {
  rules.emplace(".cu", ".cpp");
  rules.emplace(".cuh", ".hpp");
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals < 2 || part[0] != '.' || equals + 2 > part.size() ||
        part[equals + 1] != '.' || part.find('/') != std::string::npos)
      return false;
    rules[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return true;
}

ProjectLayout::ProjectLayout(std::string inRoot, std::string outRoot, ExtensionRules rules,
                             std::set<std::string> ours)
    : inRoot_(std::move(inRoot)), outRoot_(std::move(outRoot)), rules_(std::move(rules)),
      ours_(std::move(ours)) {}

bool ProjectLayout::isInside(const std::string& file) const {
  return inRoot_ == "/" || file.rfind(inRoot_ + "/", 0) == 0;
}

std::string ProjectLayout::shortName(const std::string& file) const {
  return isInside(file) ? file.substr(inRoot_.size() + (inRoot_ == "/" ? 0 : 1)) : file;
}

std::string ProjectLayout::mirrorOf(const std::string& directory) const {
  if (inPlace())
    return directory;
  if (directory == inRoot_)
    return outRoot_;
  if (isInside(directory))
    return outRoot_ + "/" + shortName(directory);
  // Files from elsewhere that had to be translated, with their directory's name.
  return outRoot_ + "/external/" + fs::path(directory).filename().string();
}

/// Whether a name that only the new extension makes is one of the user's own.
bool ProjectLayout::isTaken(const std::string& output, const std::string& file) const {
  const std::string beside = (fs::path(file).parent_path() / fs::path(output).filename()).string();
  std::error_code ignored;
  if (beside == file)
    return inPlace();
  if (!fs::exists(beside, ignored) || (inPlace() && ours_.count(beside)))
    return false;
  std::string first;
  std::ifstream in(beside);
  std::getline(in, first);
  return first.rfind("// Translated from ", 0) != 0;
}

std::string ProjectLayout::outputOf(const std::string& file, bool main) const {
  const fs::path path(file);
  const std::string directory = mirrorOf(path.parent_path().string());
  const std::string extension = path.extension().string(), stem = path.stem().string();
  const auto rule = rules_.find(extension);
  if (rule != rules_.end()) {
    // An included .cu file is a header with a name of its own.
    const std::string renamed =
        extension == ".cu" && !main ? stem + ".cu.hpp" : stem + rule->second;
    std::string output = directory + "/" + renamed;
    if (isTaken(output, file))
      output = directory + "/" + stem + extension + rule->second;
    return output;
  }
  if (main && extension != ".cpp" && extension != ".cc" && extension != ".cxx" && extension != ".C")
    return directory + "/" + path.filename().string() + ".cpp"; // nvcc -x cu file.inc
  if (inPlace())                                                // never over a file of the user's
    return directory + "/" + stem + ".cpu" + extension;
  return directory + "/" + path.filename().string();
}

} // namespace cu2cpp
