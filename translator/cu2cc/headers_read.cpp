// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept: <place>.pch, made by clang; <place>.names, the words that occur in the headers, one
// a line; and <place>.read, which tells what the first was made from:
//   word -O3                          a word of the command
//   processor model name : ...        a line about the processor
//   file /usr/include/math.h 77 12    a file with its size and time; the compiler and the .pch too
//   asks tbb/tbb.h                    a file that the headers ask for
#include "headers_read.h"

#include "words.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace cu2cpp::cu2cc {
namespace {

namespace fs = std::filesystem;

std::string textOf(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool starts(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

/// run() tells whether a command has succeeded.
bool run(const Words& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  return posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) == 0 &&
         waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// A file as it is now, `path size time`; empty if there is none.
std::string stateOf(const std::string& path) {
  struct stat now{};
  if (stat(path.c_str(), &now) != 0)
    return "";
  return path + " " + std::to_string(now.st_size) + " " + std::to_string(now.st_mtim.tv_sec) + "." +
         std::to_string(now.st_mtim.tv_nsec);
}

/// The executable that a command's name stands for, with links followed.
std::string programOf(const std::string& name) {
  std::error_code failed;
  if (name.find('/') != std::string::npos)
    return fs::canonical(name, failed).string();
  const char* const path = std::getenv("PATH");
  std::istringstream directories(path ? path : "");
  for (std::string directory; std::getline(directories, directory, ':');)
    if (const std::string file = directory + "/" + name; access(file.c_str(), X_OK) == 0)
      return fs::canonical(file, failed).string();
  return "";
}

/// What `-march=native` may depend on: the lines about the first processor that do not change with
/// its load or its number.
Words processorLines() {
  Words lines;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();)
    for (const char* kind :
         {"vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU "})
      if (starts(line, kind)) {
        lines.push_back(line);
        break;
      }
  return lines;
}

/// The names of files in a list of dependencies for make.
Words filesIn(const std::string& rule) {
  Words files;
  std::string file;
  const std::size_t begin = std::min(rule.find(':'), rule.size() - 1) + 1;
  for (std::size_t i = begin; i <= rule.size(); ++i) {
    const char c = i < rule.size() ? rule[i] : '\n';
    if (c == '\\' && i + 1 < rule.size() && (rule[i + 1] == ' ' || rule[i + 1] == '#')) {
      file += rule[++i];
    } else if (c == '$' && i + 1 < rule.size() && rule[i + 1] == '$') {
      file += rule[++i];
    } else if (c == '\\' && i + 1 < rule.size() && rule[i + 1] == '\n') {
      continue;
    } else if (c == ' ' || c == '\n') {
      if (!file.empty())
        files.push_back(file);
      file.clear();
    } else {
      file += c;
    }
  }
  return files;
}

bool isPartOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Adds the words of a header to `names`, and to `asked` the files of whose existence it asks.
void collect(const std::string& text, std::set<std::string>& names, std::set<std::string>& asked) {
  for (std::size_t i = 0; i < text.size();) {
    if (!isPartOfName(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && isPartOfName(text[end]))
      ++end;
    const std::string name = text.substr(i, end - i);
    names.insert(name);
    i = end;
    if (name != "__has_include" && name != "__has_include_next")
      continue;
    const std::size_t line = std::min(text.find('\n', i), text.size());
    const std::size_t open = text.find_first_of("<\"", i);
    const std::size_t close = open < line ? text.find_first_of(">\"", open + 1) : line;
    if (close < line)
      asked.insert(text.substr(open + 1, close - open - 1));
  }
}

/// Whether variables of the environment add to what clang reads.
bool environmentAdds() {
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS",
                           "SDKROOT", "GCC_EXEC_PREFIX", "COMPILER_PATH"})
    if (const char* value = std::getenv(name); value && *value)
      return true;
  return false;
}

/// Whether some directory of the user's has a file that the headers would find there: system
/// headers have theirs behind the user's. A header may be included by the last words of its path.
bool hide(const Words& directories, const Words& files) {
  constexpr int mostParts = 4;
  std::set<std::string> ends;
  for (const std::string& file : files) {
    std::size_t at = file.size();
    for (int part = 0; part < mostParts && at != std::string::npos && at != 0; ++part) {
      at = file.rfind('/', at - 1);
      ends.insert(at == std::string::npos ? file : file.substr(at + 1));
    }
  }
  for (const std::string& directory : directories)
    for (const std::string& end : ends)
      if (access((directory + "/" + end).c_str(), F_OK) == 0)
        return true;
  return false;
}

/// Whether one of the macros that a command defines is a word of the headers.
bool mention(const Words& macros, const std::string& namesFile) {
  if (macros.empty())
    return false;
  const std::string names = "\n" + textOf(namesFile);
  return std::any_of(macros.begin(), macros.end(), [&](const std::string& name) {
    return name.empty() || names.find("\n" + name + "\n") != std::string::npos;
  });
}

/// The user's part of a command.
struct Additions {
  Words directories; ///< in which headers are looked for
  Words macros;      ///< that are defined or undefined
  bool areKnown = true;
};

Additions additionsOf(const Words& words, std::size_t begin) {
  Additions found;
  const auto macroOf = [](const std::string& definition) {
    return definition.substr(0, std::min(definition.find('='), definition.find('(')));
  };
  for (std::size_t i = begin; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool hasNext = i + 1 < words.size();
    if (word == "-iquote" && hasNext) // our headers and the system's name none that way
      ++i;
    else if ((word == "-I" || word == "-isystem") && hasNext)
      found.directories.push_back(words[++i]);
    else if (starts(word, "-I"))
      found.directories.push_back(word.substr(2));
    else if ((word == "-D" || word == "-U") && hasNext)
      found.macros.push_back(macroOf(words[++i]));
    else if (starts(word, "-D") || starts(word, "-U"))
      found.macros.push_back(macroOf(word.substr(2)));
    else if (word != "-march=native" && !starts(word, "-ffile-prefix-map="))
      found.areKnown = false;
  }
  return found;
}

void writeTo(const std::string& path, const std::string& text) {
  const std::string fresh = path + ".new";
  std::ofstream(fresh) << text;
  std::error_code ignored;
  fs::rename(fresh, path, ignored);
}

} // namespace

bool readHeaders(const Words& start, const std::string& headers, const std::string& place,
                 std::string& error) {
  std::error_code ignored;
  for (const char* suffix : {".read", ".names", ".pch"})
    fs::remove(place + suffix, ignored);
  const Words processor = processorLines();
  if (processor.empty() || environmentAdds())
    return true;
  Words command = start;
  const std::string made = place + ".pch.new", rule = place + ".d";
  const std::string header = headers + "/cu2cpp/launch.h";
  command.insert(command.end(), {"-fpch-instantiate-templates", "-MD", "-MF", rule, "-MT", "all",
                                 "-x", "c++-header", header, "-o", made});
  const bool done = run(command);
  const Words files = filesIn(textOf(rule));
  fs::remove(rule, ignored);
  if (!done || files.empty()) {
    fs::remove(made, ignored);
    error = "the compiler could not read " + header;
    return false;
  }
  std::string text;
  for (const std::string& word : start)
    text += "word " + word + "\n";
  for (const std::string& line : processor)
    text += "processor " + line + "\n";
  fs::rename(made, place + ".pch", ignored);
  text += "file " + stateOf(programOf(start.front())) + "\n";
  text += "file " + stateOf(place + ".pch") + "\n";
  std::set<std::string> names, asked;
  for (const std::string& file : files) {
    text += "file " + stateOf(file) + "\n";
    collect(textOf(file), names, asked);
  }
  for (const std::string& file : asked)
    text += "asks " + file + "\n";
  std::string list;
  for (const std::string& name : names)
    list += name + "\n";
  writeTo(place + ".names", list);
  writeTo(place + ".read", text);
  return true;
}

Words headersRead(const Words& command, const std::string& place) {
  std::ifstream read(place + ".read");
  if (!read || environmentAdds())
    return {};
  const Words processor = processorLines();
  std::size_t words = 0, lines = 0;
  Words files;
  std::string ours;
  bool hasProgram = false;
  for (std::string line; std::getline(read, line);) {
    const std::string kind = line.substr(0, line.find(' '));
    const std::string rest = line.substr(std::min(kind.size() + 1, line.size()));
    if (kind == "word") {
      if (words == command.size() || command[words++] != rest)
        return {};
      if (starts(rest, "-I")) // nothing comes before our headers
        ours = rest.substr(2) + "/";
    } else if (kind == "processor") {
      if (lines == processor.size() || processor[lines++] != rest)
        return {};
    } else if (kind == "file") {
      const std::string path = rest.substr(0, rest.rfind(' ', rest.rfind(' ') - 1));
      if (stateOf(path) != rest || (!hasProgram && programOf(command.front()) != path))
        return {};
      hasProgram = true;
      if (ours.empty() || !starts(path, ours))
        files.push_back(path);
    } else if (kind == "asks") {
      files.push_back(rest);
    } else {
      return {};
    }
  }
  const Additions more = additionsOf(command, words);
  if (words == 0 || lines != processor.size() || !hasProgram || !more.areKnown ||
      hide(more.directories, files) || mention(more.macros, place + ".names"))
    return {};
  return {"-include-pch", place + ".pch"};
}

} // namespace cu2cpp::cu2cc
