// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/compile_database.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "cu2cc/parse_options.h"
#include "cu2cc/plan.h"
#include "cu2cc/words.h"

namespace fs = std::filesystem;

namespace cu2cpp {
namespace {

std::string realPath(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? path.string() : real.string();
}

bool startsWith(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

/// What the words before the options are: "ccache g++", "/usr/local/cuda/bin/nvcc".
std::string compilerName(const std::vector<std::string>& words, std::size_t& options) {
  options = 0;
  std::string name;
  while (options < words.size() && !startsWith(words[options], "-")) {
    const std::string candidate = fs::path(words[options]).filename().string();
    ++options;
    name = candidate;
    if (candidate != "ccache" && candidate != "distcc" && candidate != "env" &&
        candidate.find('=') == std::string::npos)
      break;
  }
  return name;
}

bool isClang(const std::string& compiler) { return compiler.find("clang") != std::string::npos; }

/// The flags of a host compiler that a parse needs. clang's own flags for CUDA are about GPU code.
std::vector<std::string> hostFlags(const std::vector<std::string>& words, std::size_t from) {
  std::vector<std::string> flags;
  for (std::size_t i = from; i < words.size(); ++i) {
    const std::string& word = words[i];
    for (const char* pair :
         {"-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-std"}) {
      if (word == pair && i + 1 < words.size()) {
        flags.push_back(word);
        flags.push_back(words[++i]);
        break;
      }
      if (startsWith(word, pair) && word != pair) {
        flags.push_back(word);
        break;
      }
    }
    if (word == "-fopenmp")
      flags.push_back("-D_OPENMP=201511");
    else if (word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ" || word == "-x" ||
             word == "-Xclang")
      ++i;
  }
  return flags;
}

bool namesCuda(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == "-xcuda" ||
        (words[i] == "-x" && i + 1 < words.size() && words[i + 1] == "cuda"))
      return true;
  return false;
}

/// nvcc's command line, planned as cu2cc would: the words for the translator are what we want.
bool fromNvcc(const std::vector<std::string>& words, std::size_t from, const std::string& directory,
              CompileCommand& command, std::string& error) {
  std::vector<std::string> arguments(words.begin() + std::ptrdiff_t(from), words.end()), expanded;
  if (!cu2cc::expandWords(arguments, expanded, error, directory))
    return false;
  std::optional<cu2cc::Options> options = cu2cc::parseOptions(expanded, error);
  if (!options)
    return false;
  options->inputs.erase(std::remove_if(options->inputs.begin(), options->inputs.end(),
                                       [&](const cu2cc::Input& input) {
                                         return realPath(fs::path(directory) / input.path) !=
                                                command.file;
                                       }),
                        options->inputs.end());
  if (options->inputs.size() != 1) {
    error = "the command does not name the file";
    return false;
  }
  command.cuda = options->inputs.front().language == cu2cc::Language::Cuda;
  command.separateCompilation = options->relocatable;
  if (!command.cuda) {
    command.flags = options->includes;
    command.flags.insert(command.flags.end(), options->definitions.begin(),
                         options->definitions.end());
    const std::vector<std::string> more = hostFlags(options->hostFlags, 0); // -Xcompiler
    command.flags.insert(command.flags.end(), more.begin(), more.end());
    return true;
  }
  options->phase = cu2cc::Phase::Compile;
  options->output = "out.o";
  options->dependencies = false;
  options->keep = false;
  options->report.clear();
  cu2cc::Installation installation;
  installation.translator = "cu2cpp";
  installation.hostCompiler = {"g++"};
  // A source that is not there is reported as such when it is read (CU1002).
  const std::string source = options->inputs.front().path;
  installation.exists = [directory, source](const std::string& path) {
    std::error_code ignored;
    return path == source || fs::exists(fs::path(directory) / path, ignored);
  };
  // Nothing is written, so no place can be wrong.
  installation.isDirectory = [](const std::string& path) { return path == "."; };
  const std::optional<cu2cc::Plan> plan = makePlan(*options, installation, "work", error);
  if (!plan)
    return false;
  for (const cu2cc::Job& job : plan->jobs)
    for (const cu2cc::Command& step : job)
      if (step.translates) {
        const auto behind = std::find(step.words.begin(), step.words.end(), "--");
        command.flags.assign(behind + 1, step.words.end());
        return true;
      }
  error = "the command compiles nothing";
  return false;
}

} // namespace

bool commandOf(const std::vector<std::string>& words, const std::string& directory,
               const std::string& file, CompileCommand& command, std::string& error) {
  command = CompileCommand();
  command.directory = directory;
  command.file = realPath(fs::path(directory) / file);
  std::size_t options = 0;
  const std::string compiler = compilerName(words, options);
  if (startsWith(compiler, "nvcc") || startsWith(compiler, "cu2cc"))
    return fromNvcc(words, options, directory, command, error);
  const std::string extension = fs::path(file).extension().string();
  command.cuda = namesCuda(words) || (isClang(compiler) && extension == ".cu");
  command.flags = hostFlags(words, options);
  return true;
}

namespace {

/// Whether an entry has what it must have, in the types that it must have.
bool isEntry(const nlohmann::json& entry) {
  const auto text = [&](const char* name) {
    return !entry.contains(name) || entry[name].is_string();
  };
  if (!entry.is_object() || !entry.contains("file") || !text("file") || !text("directory") ||
      !text("command"))
    return false;
  const auto words = entry.find("arguments");
  return words == entry.end() ||
         (words->is_array() && std::all_of(words->begin(), words->end(),
                                           [](const auto& word) { return word.is_string(); }));
}

} // namespace

std::vector<CompileCommand> readCompileDatabase(const std::string& path, Diagnostics& diagnostics) {
  fs::path file = path;
  if (fs::is_directory(file))
    file /= "compile_commands.json";
  std::ifstream in(file);
  if (!in) {
    diagnostics.report(DiagId::NoDatabase, {}, {file.string(), "it cannot be read"});
    return {};
  }
  const nlohmann::json all = nlohmann::json::parse(in, nullptr, false);
  if (!all.is_array()) {
    diagnostics.report(DiagId::NoDatabase, {}, {file.string(), "it is not a list in JSON"});
    return {};
  }
  std::vector<CompileCommand> commands;
  for (const auto& entry : all) {
    if (!isEntry(entry)) {
      diagnostics.report(DiagId::NoDatabase, {},
                         {file.string(), "an entry names no file or has values of another type"});
      return {};
    }
    const std::string name = entry["file"];
    fs::path directory = entry.value("directory", std::string("."));
    if (directory.is_relative())
      directory = file.parent_path() / directory;
    std::vector<std::string> words;
    if (entry.contains("arguments"))
      words = entry["arguments"].get<std::vector<std::string>>();
    else
      words = cu2cc::splitShell(entry.value("command", std::string()));
    CompileCommand command;
    std::string error;
    if (!fs::is_directory(directory))
      diagnostics.report(DiagId::CommandUnread, {name, 0, 0},
                         {"there is no directory " + directory.string()});
    else if (commandOf(words, realPath(directory), name, command, error))
      commands.push_back(std::move(command));
    else
      diagnostics.report(DiagId::CommandUnread, {realPath(directory / name), 0, 0}, {error});
  }
  return commands;
}

} // namespace cu2cpp
