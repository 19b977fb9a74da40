// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apply/write_files.h"

#include <vector>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace cu2cpp {

bool writeFiles(const std::map<std::string, std::string>& textByPath, Diagnostics& diagnostics) {
  std::vector<std::pair<std::string, std::string>> renames; // temporary -> final
  std::string failure;
  std::string failedPath;
  for (const auto& [path, text] : textByPath) {
    // A file that already has this text keeps its time stamp: builds that depend on it stay up to
    // date.
    if (auto old = llvm::MemoryBuffer::getFile(path); old && (*old)->getBuffer() == text)
      continue;
    failedPath = path;
    if (llvm::sys::fs::is_directory(path)) {
      failure = "it is a directory";
      break;
    }
    if (const llvm::StringRef directory = llvm::sys::path::parent_path(path); !directory.empty())
      if (const auto error = llvm::sys::fs::create_directories(directory)) {
        failure = error.message();
        break;
      }
    llvm::SmallString<256> temporary;
    int descriptor = -1;
    if (const auto error = llvm::sys::fs::createUniqueFile(path + ".%%%%%%", descriptor, temporary,
                                                           llvm::sys::fs::OF_None, 0644)) {
      failure = error.message();
      break;
    }
    renames.emplace_back(std::string(temporary), path);
    llvm::raw_fd_ostream out(descriptor, true);
    out << text;
    out.close();
    if (out.has_error()) {
      failure = out.error().message();
      out.clear_error();
      break;
    }
  }
  if (failure.empty())
    for (auto& [temporary, path] : renames)
      if (const auto error = llvm::sys::fs::rename(temporary, path)) {
        failure = error.message();
        failedPath = path;
      }
  if (failure.empty())
    return true;
  for (const auto& [temporary, path] : renames)
    llvm::sys::fs::remove(temporary);
  diagnostics.report(DiagId::OutputUnwritable, {}, {failedPath, failure});
  return false;
}

} // namespace cu2cpp
