// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launcher.h"

#include "compiler_flags.h"

#include <algorithm>

namespace cu2cpp::cu2cc {
namespace {

bool isOneOf(const std::string& word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// understoodByAll() says so of all flags of a compile command.
bool understoodByAll(const Words& flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    if (isOneOf(flag,
                {"-o", "-MT", "-MF", "-MQ", "-I", "-D", "-U", "-iquote", "-isystem", "-idirafter"}))
      ++i;
    else if (flag.rfind("-", 0) == 0 && flag.rfind("-isystem", 0) != 0 &&
             flag.rfind("-fdiagnostics-color", 0) != 0 && !meansTheSameToAll(flag) &&
             !isOneOf(flag, {"-c", "-MD", "-MMD", "-MP", "-pipe", "-fopenmp-simd",
                             "-fno-math-errno", "-fno-trapping-math"}))
      return false;
  }
  return true;
}

} // namespace

Words launched(const Words& command, const std::string& compiler, const Words& kernelCompiler,
               const std::function<bool(const std::string&)>& isTranslated,
               const std::function<Words(const Words&)>& passesFor) {
  const auto at = std::find(command.begin(), command.end(), compiler);
  if (at == command.end())
    return command;
  Words flags(at + 1, command.end());
  // Debug information and dependency files are named behind flags; no such file has a translation's
  // first lines.
  const bool ours =
      isOneOf("-c", flags) && std::any_of(flags.begin(), flags.end(), [&](const std::string& flag) {
        return flag.rfind("-", 0) != 0 && isTranslated(flag);
      });
  if (!ours)
    return command;

  Words words(command.begin(), at);
  Words chosen = {compiler};
  if (!isClang(chosen) && !kernelCompiler.empty() && understoodByAll(flags))
    chosen = kernelCompiler;
  words.insert(words.end(), chosen.begin(), chosen.end());
  // Kernels are optimised where nobody says otherwise, as by nvcc; and beyond what is the usual
  // level for host code.
  const auto isLevel = [](const std::string& flag) { return flag.rfind("-O", 0) == 0; };
  if (std::none_of(flags.begin(), flags.end(), isLevel) && !isOneOf("-g", flags))
    words.push_back("-O3");
  std::replace(flags.begin(), flags.end(), std::string("-O2"), std::string("-O3"));
  const Words more = codeFlags(Options(), Language::Cuda, isClang(chosen));
  words.insert(words.end(), more.begin(), more.end());
  if (isClang(chosen) && passesFor) {
    const Words passes = passesFor(chosen);
    words.insert(words.end(), passes.begin(), passes.end());
  }
  words.insert(words.end(), flags.begin(), flags.end());
  return words;
}

} // namespace cu2cpp::cu2cc
