// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points include directives at where the included files now are.
//
//   #include "kernels.cuh"    ->  #include "kernels.hpp"
//   #include <helper_cuda.h>  ->  #include "helper_cuda.h"      where that header was translated
//   too
#include "plan/rewrite_includes.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace path = llvm::sys::path;

namespace cu2cpp {
namespace {

std::string relativePath(llvm::StringRef from, llvm::StringRef to) {
  auto a = path::begin(from), aEnd = path::end(from);
  auto b = path::begin(to), bEnd = path::end(to);
  while (a != aEnd && b != bEnd && *a == *b)
    ++a, ++b;
  llvm::SmallString<256> out;
  for (; a != aEnd; ++a)
    path::append(out, "..");
  for (; b != bEnd; ++b)
    path::append(out, *b);
  return std::string(out);
}

} // namespace

void rewriteIncludes(const SourceUnit& unit, const SourceText& text, const Options& options,
                     const std::map<std::string, std::string>& outputs, EditList& edits) {
  for (const IncludeDirective& include : unit.includes()) {
    const auto includer = outputs.find(include.includer);
    if (includer == outputs.end() || !include.resolvedIsUser || include.resolved.empty())
      continue;
    // `#include NAME_MACRO` has no name to edit here.
    const llvm::StringRef written =
        text.buffer(include.includer).substr(include.offset, include.length);
    if (!written.starts_with("\"") && !written.starts_with("<"))
      continue;
    const std::string outDirectory = path::parent_path(includer->second).str();
    const auto included = outputs.find(include.resolved);
    std::string name;
    if (included != outputs.end()) {
      name = relativePath(outDirectory, included->second);
      if (!include.angled && name == include.spelled)
        continue;
    } else {
      // Found beside its includer, which has moved.
      llvm::SmallString<256> beside(path::parent_path(include.includer));
      path::append(beside, include.spelled);
      llvm::SmallString<256> real;
      if (include.angled || llvm::sys::fs::real_path(beside, real) ||
          llvm::StringRef(real) != include.resolved ||
          outDirectory == path::parent_path(include.includer))
        continue;
      name = options.absoluteIncludes ? include.resolved
                                      : relativePath(outDirectory, include.resolved);
    }
    edits.replace({include.includer, include.offset, include.offset + include.length},
                  "\"" + name + "\"");
  }
}

} // namespace cu2cpp
