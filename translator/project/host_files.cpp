// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/host_files.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

namespace cu2cpp {
namespace {

/// The directories that a command searches for headers.
std::vector<std::string> searchPath(const CompileCommand& command) {
  std::vector<std::string> directories;
  for (std::size_t i = 0; i < command.flags.size(); ++i)
    for (const std::string start : {"-I", "-isystem", "-iquote", "-idirafter"}) {
      const std::string& flag = command.flags[i];
      if (flag == start && i + 1 < command.flags.size())
        directories.push_back(command.flags[i + 1]);
      else if (flag.rfind(start, 0) == 0 && flag != start)
        directories.push_back(flag.substr(start.size()));
    }
  for (std::string& directory : directories)
    if (fs::path(directory).is_relative())
      directory = (fs::path(command.directory) / directory).string();
  return directories;
}

std::string resolve(const std::string& includer, const std::string& name, bool angled,
                    const std::vector<std::string>& directories) {
  std::vector<std::string> places = directories;
  if (!angled)
    places.insert(places.begin(), fs::path(includer).parent_path().string());
  std::error_code error;
  for (const std::string& place : places)
    if (fs::is_regular_file(fs::path(place) / name, error))
      return fs::weakly_canonical(fs::path(place) / name, error).string();
  return {};
}

/// The include directive in a line, if it is one: fills the name and where it stands.
bool findInclude(const std::string& line, IncludeDirective& include) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string::npos || line[at] != '#')
    return false;
  at = line.find_first_not_of(" \t", at + 1);
  if (at == std::string::npos || line.compare(at, 7, "include") != 0)
    return false;
  at = line.find_first_not_of(" \t", at + 7);
  if (at == std::string::npos || (line[at] != '"' && line[at] != '<'))
    return false;
  const std::size_t end = line.find(line[at] == '"' ? '"' : '>', at + 1);
  if (end == std::string::npos)
    return false;
  include.offset = static_cast<unsigned>(at);
  include.length = static_cast<unsigned>(end + 1 - at);
  include.angled = line[at] == '<';
  include.spelled = line.substr(at + 1, end - at - 1);
  return true;
}

void addFile(const std::string& file, const std::vector<std::string>& directories,
             const ProjectLayout& layout, RenderedProject& project) {
  if (!layout.isInside(file) || project.outputOf.count(file))
    return;
  std::ifstream in(file, std::ios::binary);
  std::stringstream whole;
  whole << in.rdbuf();
  if (!in)
    return;
  const std::string output = layout.mirrorOf(fs::path(file).parent_path().string()) + "/" +
                             fs::path(file).filename().string();
  project.outputOf[file] = output;
  std::string text;
  const std::string original = whole.str();
  for (std::size_t at = 0; at < original.size();) {
    const std::size_t newline = original.find('\n', at);
    std::string line =
        original.substr(at, newline == std::string::npos ? newline : newline + 1 - at);
    at += line.size();
    IncludeDirective include;
    if (findInclude(line, include)) {
      include.includer = file;
      include.resolved = resolve(file, include.spelled, include.angled, directories);
      if (!include.resolved.empty()) {
        addFile(include.resolved, directories, layout, project);
        const auto known = project.outputOf.find(include.resolved);
        const std::string spelling =
            newSpelling(include, output,
                        known == project.outputOf.end() ? include.resolved : known->second, layout);
        if (!spelling.empty())
          line.replace(include.offset, include.length, spelling);
      }
    }
    text += line;
  }
  project.textByOutput[output] = std::move(text);
  project.sourceOf[output] = file;
}

} // namespace

void addHostFiles(const std::vector<CompileCommand>& host, const ProjectLayout& layout,
                  RenderedProject& project) {
  if (layout.inPlace())
    return;
  for (const CompileCommand& command : host)
    addFile(command.file, searchPath(command), layout, project);
}

} // namespace cu2cpp
