// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilation of CUDA C++ at run time.
#include "driver/nvrtc_program.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/module.h"
#include "core/module_compiler.h"
#include "core/process.h"

namespace files = std::filesystem;
using cu2cpp::rt::writeText, cu2cpp::rt::textOf;

namespace {

using Program = _nvrtcProgram;

// False for a name that would lead to a place outside of the program's folder. An absolute one is
// fine if the compiler will find the same text there by itself.
bool writeHeader(const files::path& folder, const std::string& name, const std::string& text) {
  const files::path file = (folder / name).lexically_normal(), parent = folder.parent_path();
  if (std::mismatch(parent.begin(), parent.end(), file.begin(), file.end()).first != parent.end())
    return textOf(file) == text && files::path(name).is_absolute();
  writeText(file, text);
  return true;
}

// A variable for each name expression holds the address of the kernel or the variable, from which
// its name is read.
std::string sourceWithNames(const Program& program) {
  std::string text = program.source;
  for (std::size_t i = 0; i < program.expressions.size(); ++i) {
    std::string expression = program.expressions[i];
    if (expression.rfind('&', 0) == 0)
      expression.erase(0, 1);
    text += "\nextern \"C\" void* cu2cpp_name_" + std::to_string(i) + ";\nvoid* cu2cpp_name_" +
            std::to_string(i) + " = (void*)&(" + expression + ");\n";
  }
  return text;
}

bool findLoweredNames(Program& program) {
  if (program.expressions.empty())
    return true;
  std::shared_ptr<cu2cpp::rt::Module> module;
  std::string why;
  if (cu2cpp::rt::Module::loadImage(program.module.c_str(), module, why) !=
      cu2cpp::rt::Status::Ok) {
    program.log += why + "\n";
    return false;
  }
  for (std::size_t i = 0; i < program.expressions.size(); ++i) {
    const std::string name = module->nameBehind("cu2cpp_name_" + std::to_string(i));
    if (name.empty())
      return false;
    program.lowered[program.expressions[i]] = name;
  }
  return true;
}

// Whether all that is included with quotes came with the program.
bool includesOnlyGiven(const Program& program) {
  const std::string start = "#include \"";
  std::string all = program.source;
  for (const auto& entry : program.headers)
    all += "\n" + entry.second;
  for (std::size_t at = 0; (at = all.find(start, at)) != std::string::npos;) {
    at += start.size();
    if (!program.headers.count(all.substr(at, all.find('"', at) - at)))
      return false;
  }
  return true;
}

} // namespace

nvrtcResult cu2cpp::rt::compileProgram(Program& program, int count, const char* const* options) {
  program.log.clear();
  program.module.clear();
  program.lowered.clear();
  program.compiled = false;
  std::vector<std::string> words = {compilerCommand(), "-ptx", "--cu2cpp-allow-unsupported"};
  if (const nvrtcResult result = translateOptions(count, options, words, program.log);
      result != NVRTC_SUCCESS)
    return result;
  std::string key = sourceWithNames(program) + '\0' + program.name;
  for (const auto& [name, text] : program.headers)
    key += '\0' + name + '\0' + text;
  // Headers that lie in folders may change without a trace in the key.
  const CachedModule cached =
      includesOnlyGiven(program) ? CachedModule(words, key) : CachedModule();
  std::error_code ignored;
  if (program.module = cached.find(); !program.module.empty()) {
    program.compiled = true;
    return findLoweredNames(program) ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  }

  const TemporaryFolder work;
  if (work.path().empty())
    return NVRTC_ERROR_INTERNAL_ERROR;
  std::string stem = files::path(program.name).filename().string();
  if (stem.size() < 4 || stem.substr(stem.size() - 3) != ".cu")
    stem += ".cu";
  const files::path source = work.path() / stem, module = work.path() / "module.ptx",
                    output = work.path() / "log";
  writeText(source, sourceWithNames(program));
  for (const auto& [name, text] : program.headers)
    if (!writeHeader(work.path() / "headers", name, text)) {
      program.log =
          "nvrtc: error: header '" + name + "' would lie outside of the program's folder\n";
      return NVRTC_ERROR_COMPILATION;
    }
  if (!program.headers.empty())
    words.push_back("-I" + (work.path() / "headers").string());
  // A program's own includes are looked for beside it, or where the process runs.
  words.push_back("-I" +
                  files::absolute(files::path(program.name), ignored).parent_path().string());
  words.insert(words.end(), {"-o", module.string(), source.string()});
  const int status = runCompiler(words, output);
  std::string messages = textOf(output);
  // Messages name the program as its maker did.
  for (std::size_t at = 0; (at = messages.find(source.string(), at)) != std::string::npos;)
    messages.replace(at, source.string().size(), program.name);
  program.log += inNvrtcStyle(messages, program.name);
  if (status < 0)
    program.log += "nvrtc: error: can not run " + words[0] + "\n";
  if (status != 0 || !files::exists(module, ignored))
    return NVRTC_ERROR_COMPILATION;
  program.module = textOf(module);
  program.compiled = true;
  cached.keep(program.module);
  return findLoweredNames(program) ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
