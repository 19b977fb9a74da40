// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/project_units.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include <unistd.h>

#include "pipeline.h"
#include "project/workers.h"

#include "build_config.h"

namespace fs = std::filesystem;

namespace cu2cpp {
namespace {

std::string realPath(const std::string& path) {
  std::error_code error;
  // Absolute first: a path of which nothing exists stays as it is.
  const fs::path absolute = fs::absolute(path, error);
  const fs::path real = fs::weakly_canonical(absolute, error);
  std::string text = (error ? absolute : real).string();
  while (text.size() > 1 && text.back() == '/')
    text.pop_back();
  return text;
}

bool isHostSource(const std::string& extension) {
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".c";
}

std::string commonRoot(const std::vector<CompileCommand>& commands) {
  std::string root = fs::path(commands.front().file).parent_path().string();
  for (const CompileCommand& c : commands)
    while (root != "/" && c.file.rfind(root + "/", 0) != 0)
      root = fs::path(root).parent_path().string();
  return root;
}

/// The files of a tree that a file includes by a name in quotes, as the preprocessor looks for them
/// first: beside the file.
std::vector<std::string> includedBy(const std::string& file, const std::set<std::string>& tree) {
  std::vector<std::string> found;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#' ||
        line.find("include", hash) == std::string::npos)
      continue;
    const std::size_t begin = line.find('"'), end = line.find('"', begin + 1);
    if (end == std::string::npos)
      continue;
    const std::string path =
        (fs::path(file).parent_path() / line.substr(begin + 1, end - begin - 1))
            .lexically_normal()
            .string();
    if (tree.count(path))
      found.push_back(path);
  }
  return found;
}

/// The .cu files that others include, as they do kernels in files of their own: they are compiled
/// there, not by themselves.
std::set<std::string> includedSources(const std::vector<std::string>& files) {
  static const std::set<std::string> extensions = {".cu", ".cuh", ".h", ".hpp", ".hxx", ".inl"};
  std::set<std::string> tree;
  for (const std::string& file : files)
    if (extensions.count(fs::path(file).extension().string()))
      tree.insert(file);
  std::map<std::string, std::vector<std::string>> includes;
  std::set<std::string> included;
  for (const std::string& file : tree)
    for (const std::string& other : includes[file] = includedBy(file, tree))
      if (other != file)
        included.insert(other);
  // Sources that include each other, and that nothing else includes, stay.
  std::set<std::string> reached;
  std::vector<std::string> open;
  for (const std::string& file : tree)
    if (fs::path(file).extension() == ".cu" && !included.count(file))
      open.push_back(file);
  while (!open.empty()) {
    const std::string file = open.back();
    open.pop_back();
    for (const std::string& other : includes[file])
      if (reached.insert(other).second)
        open.push_back(other);
  }
  return reached;
}

/// The CUDA and host sources below a directory, all with the same flags.
void walk(const std::string& root, const std::string& outRoot,
          const std::vector<std::string>& flags, ProjectSources& sources) {
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && (name[0] == '.' || it->path().string() == outRoot))
      it.disable_recursion_pending();
    else if (it->is_regular_file())
      files.push_back(it->path().string());
  }
  std::sort(files.begin(), files.end());
  const std::set<std::string> included = includedSources(files);
  for (const std::string& file : files) {
    const std::string extension = fs::path(file).extension().string();
    if (included.count(file) && extension == ".cu")
      continue;
    CompileCommand command;
    command.file = realPath(file);
    command.directory = here;
    command.cuda = extension == ".cu";
    command.flags = flags;
    if (command.cuda)
      sources.cuda.push_back(std::move(command));
    else if (isHostSource(extension))
      sources.host.push_back(std::move(command));
  }
}

/// What the last run wrote for a terminal may go to a file now.
void removeColours(std::string& messages) {
  std::string plain;
  for (std::size_t at = 0; at < messages.size(); ++at)
    if (messages.compare(at, 2, "\033[") != 0)
      plain += messages[at];
    else
      at = messages.find('m', at) == std::string::npos ? messages.size() : messages.find('m', at);
  messages = std::move(plain);
}

/// Places are real paths, wherever the parse stood.
void makeAbsolute(Place& place) {
  if (!place.file.empty())
    place.file = realPath(place.file);
}

} // namespace

ProjectSources findSources(const Options& options, Diagnostics& diagnostics) {
  ProjectSources sources;
  if (!options.outRoot.empty())
    sources.outRoot = realPath(options.outRoot);
  const std::string here = fs::current_path().string();
  if (!options.database.empty()) {
    std::set<std::string> known;
    for (CompileCommand& command : readCompileDatabase(options.database, diagnostics)) {
      // The same file with the same flags for two targets is one translation.
      if (!known.insert(keyOf(command)).second)
        continue;
      // With files named on the command line, only those.
      if (command.cuda && !options.inputs.empty() &&
          std::none_of(options.inputs.begin(), options.inputs.end(),
                       [&](const std::string& i) { return realPath(i) == command.file; }))
        continue;
      command.flags.insert(command.flags.end(), options.clangFlags.begin(),
                           options.clangFlags.end());
      (command.cuda ? sources.cuda : sources.host).push_back(std::move(command));
    }
  } else if (!options.inputs.empty()) {
    for (const std::string& input : options.inputs)
      sources.cuda.push_back({realPath(input), here, true, false, options.clangFlags});
  } else {
    walk(realPath(options.inRoot), sources.outRoot, options.clangFlags, sources);
  }
  if (sources.outRoot.empty() ? false : !options.database.empty())
    sources.host.erase(std::remove_if(sources.host.begin(), sources.host.end(),
                                      [&](const CompileCommand& c) {
                                        return c.file.rfind(sources.outRoot + "/", 0) == 0;
                                      }),
                       sources.host.end());
  if (!options.inRoot.empty())
    sources.inRoot = realPath(options.inRoot);
  else if (!sources.cuda.empty() || !sources.host.empty())
    sources.inRoot = commonRoot(sources.cuda.empty() ? sources.host : sources.cuda);
  if (sources.outRoot == sources.inRoot)
    sources.outRoot.clear();
  return sources;
}

std::string settingsOf(const Options& options, const ProjectSources& sources,
                       const std::string& headers) {
  std::string all = std::string(CU2CPP_VERSION) + "\n" + sources.inRoot + "\n" + sources.outRoot +
                    "\n" + options.extensionRules + "\n" + std::to_string(int(options.form)) +
                    std::to_string(options.separateCompilation) + std::to_string(options.module);
  const auto add = [&](const fs::path& path) {
    std::error_code ignored;
    all += "\n" + path.string() + " " + std::to_string(fs::file_size(path, ignored)) + " " +
           std::to_string(fs::last_write_time(path, ignored).time_since_epoch().count());
  };
  add(options.program);
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(headers, error), end; !error && it != end;
       it.increment(error))
    if (it->is_regular_file())
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  std::for_each(files.begin(), files.end(), add);
  return hashOf(all);
}

std::string keyOf(const CompileCommand& command) {
  std::string all = command.file + "\n" + command.directory + (command.cuda ? "\nC" : "\nh") +
                    (command.separateCompilation ? "s" : "");
  for (const std::string& flag : command.flags)
    all += "\n" + flag;
  return hashOf(all);
}

bool isCurrent(const HashByPath& files) {
  static std::map<std::string, std::string> known; // headers are shared by many units
  return !files.empty() && std::all_of(files.begin(), files.end(), [](const auto& entry) {
    const auto [hash, added] = known.try_emplace(entry.first);
    if (added)
      hash->second = hashOfFile(entry.first);
    return hash->second == entry.second;
  });
}

std::vector<UnitEdits> translateUnits(const ProjectSources& sources, const Options& options,
                                      const StateFolder* folder, ProjectState& state,
                                      std::size_t& fresh) {
  const InstallLayout install = findInstallLayout(options.program);
  std::vector<UnitEdits> units(sources.cuda.size());
  std::map<std::string, HashByPath> known;
  std::vector<std::size_t> todo;
  for (std::size_t i = 0; i < sources.cuda.size(); ++i) {
    const std::string key = keyOf(sources.cuda[i]);
    const auto last = state.units.find(key);
    if (folder && last != state.units.end() && isCurrent(last->second))
      if (auto unit = folder->readUnit(key)) {
        units[i] = std::move(*unit);
        if (!options.colours)
          removeColours(units[i].messages);
        known[key] = last->second;
        continue;
      }
    todo.push_back(i);
  }
  fresh = todo.size();
  const unsigned jobs =
      options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  Progress progress(todo.size(), options.quiet);
  runParallel(
      todo.size(), jobs,
      [&](std::size_t n) {
        const CompileCommand& command = sources.cuda[todo[n]];
        if (chdir(command.directory.c_str()) != 0)
          return std::string();
        Options own = options;
        own.clangFlags = command.flags;
        own.separateCompilation |= command.separateCompilation;
        UnitEdits unit = translateUnit(command.file, own, install);
        for (KernelSummary& kernel : unit.summary.kernels)
          makeAbsolute(kernel.place);
        for (Diagnostic& diagnostic : unit.summary.diagnostics)
          makeAbsolute(diagnostic.place);
        return packUnit(unit);
      },
      [&](std::size_t n, Outcome outcome) {
        const CompileCommand& command = sources.cuda[todo[n]];
        UnitEdits& unit = units[todo[n]];
        if (!outcome.crash.empty() || !unpackUnit(outcome.bytes, unit)) {
          Diagnostics diagnostics;
          diagnostics.report(
              DiagId::WorkerEnded, {command.file, 0, 0},
              {command.file, outcome.crash.empty() ? "its result is not whole" : outcome.crash});
          unit = UnitEdits();
          unit.summary.failed = true;
          unit.summary.diagnostics = diagnostics.all();
        }
        unit.summary.input = command.file;
        progress.step(fs::path(command.file).filename().string());
        if (unit.userFiles.empty() || !folder)
          return;
        HashByPath files;
        for (const std::string& file : unit.absentFiles)
          files[file] = std::string();
        for (const std::string& file : unit.userFiles)
          files[file] = hashOfFile(file);
        const std::string key = keyOf(command);
        if (folder->writeUnit(key, outcome.bytes))
          known[key] = std::move(files);
      });
  progress.clear();
  state.units = std::move(known);
  return units;
}

} // namespace cu2cpp
