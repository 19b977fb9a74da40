// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of launches and kernels' addresses that macros make, as they were before translation. The
// translator (rewrite of launches) writes a space before the comma where one stood behind `<<<`,
// one before template arguments that the launch deduced, and one before a kernel whose address was
// taken by `&`.
#include <mutex>
#include <set>
#include <string>

#include <cu2cpp/kernel_call.h>

namespace cu2cpp {
namespace {

constexpr const char launchPrefix[] = "cu2cpp::launch(";
constexpr const char addressPrefix[] = "cu2cpp::kernelAddress(";

/// partEnd() is where a part of an argument list ends: at a comma (where asked for) or the closing
/// parenthesis.
std::size_t partEnd(const std::string& text, std::size_t at, bool atComma) {
  int depth = 0, angles = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      for (++at; at < text.size() && text[at] != c; ++at)
        at += text[at] == '\\';
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (depth > 0 && (c == ')' || c == ']' || c == '}')) {
      --depth;
    } else if (c == ')') {
      return at;
    } else if (atComma && depth == 0) { // a kernel's name: template arguments have commas, too
      angles += c == '<' ? 1 : c == '>' && angles > 0 ? -1 : 0;
      if (c == ',' && angles == 0)
        return at;
    }
  }
  return at;
}

/// kernelName() is how the user named a kernel.
std::string kernelName(std::string name) {
  const std::string generic = "(cuArguments...); }", cast = "static_cast<";
  if (name.size() > generic.size() &&
      name.compare(name.size() - generic.size(), generic.size(), generic) == 0) {
    const std::size_t begin = name.find("{ ");
    name = name.substr(begin + 2, name.size() - generic.size() - begin - 2);
  } else if (name.compare(0, cast.size(), cast) == 0 && name.back() == ')') {
    name = name.substr(name.rfind(">(") + 2);
    name.pop_back();
  }
  return name.substr(0, name.find(" <")); // deduced
}

} // namespace

const char* asWritten(const char* text) noexcept {
  std::string out = text;
  for (std::size_t at = 0; (at = out.find(launchPrefix, at)) != std::string::npos;) {
    const std::size_t name = at + sizeof launchPrefix - 1, comma = partEnd(out, name, true),
                      end = partEnd(out, comma, false);
    if (end >= out.size() || out[comma] != ',')
      break;
    const bool space = out[comma - 1] == ' ';
    std::string launch = kernelName(out.substr(name, comma - name - space)) + "<<<";
    launch += (space ? " " : "") + out.substr(comma + 2, end - comma - 2) + ">>>";
    out.replace(at, end + 1 - at, launch);
  }
  for (std::size_t at = 0; (at = out.find(addressPrefix, at)) != std::string::npos;) {
    const std::size_t name = at + sizeof addressPrefix - 1, end = partEnd(out, name, false);
    if (end >= out.size())
      break;
    const bool ampersand = out[name] == ' ';
    const std::string kernel = kernelName(out.substr(name + ampersand, end - name - ampersand));
    out.replace(at, end + 1 - at, (ampersand ? "&" : "") + kernel);
  }
  if (out == text)
    return text;
  static std::mutex mutex;
  static std::set<std::string> texts; // for the program's life, as literals are
  const std::lock_guard<std::mutex> lock(mutex);
  return texts.insert(out).first->c_str();
}

} // namespace cu2cpp
