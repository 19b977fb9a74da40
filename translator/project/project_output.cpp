// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/project_output.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace cu2cpp {
namespace {

/// The flags of a source with the directories that moved with it.
std::vector<std::string> movedFlags(const CompileCommand& command, const ProjectLayout& layout) {
  std::vector<std::string> flags;
  const auto moved = [&](const std::string& directory) {
    std::error_code error;
    const std::string real =
        fs::weakly_canonical(fs::path(command.directory) / directory, error).string();
    return layout.isInside(real + "/") ? layout.mirrorOf(real) : real;
  };
  for (std::size_t i = 0; i < command.flags.size(); ++i) {
    const std::string& flag = command.flags[i];
    const bool pair =
        flag == "-I" || flag == "-isystem" || flag == "-iquote" || flag == "-idirafter";
    if (pair && i + 1 < command.flags.size()) {
      flags.push_back(flag);
      flags.push_back(moved(command.flags[++i]));
    } else if (flag.rfind("-I", 0) == 0 && flag.size() > 2) {
      flags.push_back("-I" + moved(flag.substr(2)));
    } else {
      flags.push_back(flag);
    }
  }
  return flags;
}

} // namespace

std::string outputDatabase(const ProjectSources& sources, const RenderedProject& project,
                           const ProjectLayout& layout, const std::string& headers) {
  nlohmann::json all = nlohmann::json::array();
  std::set<std::string> written;
  const auto add = [&](const CompileCommand& command, const std::string& output, bool cuda) {
    if (output.empty() || !written.insert(output).second)
      return;
    const bool c = fs::path(output).extension() == ".c";
    std::vector<std::string> flags = movedFlags(command, layout);
    const std::string ours = "-I" + headers;
    flags.erase(std::remove(flags.begin(), flags.end(), ours), flags.end());
    // The parse only had to know that there is OpenMP.
    std::replace(flags.begin(), flags.end(), std::string("-D_OPENMP=201511"),
                 std::string("-fopenmp"));
    // What cu2cc gives: loops over threads are vectorised, device code may look at bits.
    std::vector<std::string> words = {c ? "gcc" : "g++", "-O3", "-march=native"};
    if (cuda) {
      const bool standard = std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
        return flag.rfind("-std=", 0) == 0;
      });
      if (!standard)
        words.push_back("-std=c++17");
      words.insert(words.end(), {"-fopenmp-simd", "-fno-math-errno", "-fno-trapping-math",
                                 "-fno-strict-aliasing", "-fwrapv", "-Wno-register"});
    }
    words.push_back(ours);
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), {"-c", output, "-o", output + ".o"});
    all.push_back({{"directory", command.directory}, {"file", output}, {"arguments", words}});
  };
  for (std::size_t i = 0; i < sources.cuda.size(); ++i)
    add(sources.cuda[i], project.mainOutputs[i], true);
  for (const CompileCommand& command : sources.host) {
    const auto found = project.outputOf.find(command.file);
    if (found != project.outputOf.end())
      add(command, found->second, false);
  }
  return all.dump(1) + "\n";
}

} // namespace cu2cpp
