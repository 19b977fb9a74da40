// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/output_layout.h"

#include <algorithm>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace path = llvm::sys::path;

namespace cu2cpp {
namespace {

std::string absolute(llvm::StringRef name) {
  llvm::SmallString<256> out(name);
  llvm::sys::fs::make_absolute(out);
  path::remove_dots(out, true);
  // Resolve links in the part that exists, so that paths compare.
  llvm::SmallString<256> real;
  if (!llvm::sys::fs::real_path(out, real))
    return std::string(real);
  if (!llvm::sys::fs::real_path(path::parent_path(out), real)) {
    path::append(real, path::filename(out));
    return std::string(real);
  }
  return std::string(out);
}

bool isInside(llvm::StringRef file, llvm::StringRef directory) {
  return directory == "/" || file.starts_with((directory + "/").str());
}

std::string join(llvm::StringRef a, llvm::StringRef b) {
  llvm::SmallString<256> out(a);
  path::append(out, b);
  return std::string(out);
}

std::string withExtension(const std::string& name, llvm::StringRef extension) {
  llvm::SmallString<256> out(name);
  path::replace_extension(out, extension);
  return std::string(out);
}

} // namespace

OutputLayout::OutputLayout(const Options& options, const std::vector<std::string>& inputs)
    : options_(options), inputs_(inputs) {
  for (std::string& input : inputs_)
    input = absolute(input);
  inRoot_ = path::parent_path(inputs_.front()).str();
  for (const std::string& input : inputs_)
    while (!isInside(input, inRoot_))
      inRoot_ = path::parent_path(inRoot_).str();
  if (options.output.empty())
    return;
  const llvm::StringRef output = options.output;
  const bool directory =
      inputs_.size() > 1 || output.ends_with("/") || llvm::sys::fs::is_directory(output);
  if (directory)
    outRoot_ = absolute(output.rtrim('/'));
  else
    outFile_ = absolute(output);
}

std::string OutputLayout::mainOutput(const std::string& input) const {
  if (!outFile_.empty())
    return outFile_;
  if (outRoot_.empty())
    return withExtension(input, "cpp");
  return withExtension(
      join(outRoot_, llvm::StringRef(input).substr(inRoot_.size() + (inRoot_ == "/" ? 0 : 1))),
      "cpp");
}

bool OutputLayout::isInPlace(const std::string& input) const {
  return path::parent_path(mainOutput(input)) == path::parent_path(input);
}

std::string OutputLayout::headerOutput(const std::string& input, const std::string& header) const {
  const std::string directory =
      outRoot_.empty() ? path::parent_path(mainOutput(input)).str() : outRoot_;
  const std::string root = outRoot_.empty() ? path::parent_path(input).str() : inRoot_;
  std::string name =
      isInside(header, root) ? header.substr(root.size() + 1) : path::filename(header).str();
  const llvm::StringRef extension = path::extension(name);
  if (extension == ".cu")
    name += ".hpp";
  else if (extension == ".cuh")
    name = withExtension(name, "hpp");
  std::string out = join(directory, name);
  // Never over a file of the user's.
  if (out == header || (isInPlace(input) && llvm::sys::fs::exists(out)))
    out = join(path::parent_path(out), path::stem(out).str() + ".cpu" + path::extension(out).str());
  return out;
}

std::set<std::string> filesToEmit(const SourceUnit& unit, const EditList& edits,
                                  const Options& options, const OutputLayout& layout) {
  std::set<std::string> emitted = {unit.mainFile()};
  for (const std::string& file : unit.userFiles())
    if (edits.touches(file))
      emitted.insert(file);
  const bool copyNeighbours = !options.absoluteIncludes && !layout.isInPlace(unit.mainFile());
  for (bool grown = true; grown;) {
    grown = false;
    for (const IncludeDirective& include : unit.includes()) {
      if (!include.resolvedIsUser || include.resolved.empty())
        continue;
      if (emitted.count(include.resolved) && !emitted.count(include.includer)) {
        emitted.insert(include.includer);
        grown = true;
      }
      const bool beside =
          !include.angled && isInside(include.resolved, path::parent_path(include.includer));
      if (copyNeighbours && beside && emitted.count(include.includer) &&
          !emitted.count(include.resolved)) {
        emitted.insert(include.resolved);
        grown = true;
      }
    }
  }
  return emitted;
}

} // namespace cu2cpp
