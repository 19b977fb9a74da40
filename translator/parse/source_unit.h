// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One parsed CUDA file: the syntax tree, the include directives, and which files belong to the
// user.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

#include "parse/cuda_invocation.h"
#include "parse/dialect_overlay.h"
#include "parse/include_directive.h"
#include "report/diagnostics.h"

namespace cu2cpp {

class SourceUnit {
public:
  virtual ~SourceUnit() = default;
  virtual clang::ASTContext& context() const = 0;
  const clang::SourceManager& sources() const { return context().getSourceManager(); }
  virtual const std::string& mainFile() const = 0;
  virtual const std::vector<IncludeDirective>& includes() const = 0;
  /// userFiles() are the files this unit read that are neither the compiler's, the system's nor
  /// cu2cpp's.
  virtual std::vector<std::string> userFiles() const = 0;
  /// isUser() tells whether a place lies in one of the user's files.
  virtual bool isUser(clang::SourceLocation location) const = 0;
  /// mayHoldUserCode() tells whether a walk through all declarations has to go into one: not into
  /// those that a header of the system or of ours has at namespace scope.
  bool mayHoldUserCode(const clang::Decl* decl) const;
  /// pathOf() is the real path of the file that a place is spelled in.
  virtual std::string pathOf(clang::FileID file) const = 0;
  /// deviceBodies() are the device functions of a file that its text alone does not show, as given
  /// to parseCuda().
  virtual const DeviceBodies& deviceBodies(const std::string& file) const = 0;
  /// userText() is the text of a user's file as it was parsed: as on the disk, or as parseCuda()
  /// was given it.
  virtual llvm::StringRef userText(const std::string& file) const = 0;
  /// skippedRanges() are the parts of a user's file that #if and its kin hid, each time that the
  /// file was included: offsets of begin and end.
  virtual std::vector<std::pair<unsigned, unsigned>>
  skippedRanges(const std::string& file) const = 0;
  /// timesRead() is how often a user's file was read: once, if it has an include guard.
  virtual unsigned timesRead(const std::string& file) const = 0;
  /// placeOf() is a place for messages, in the file as the user knows it.
  Place placeOf(clang::SourceLocation location) const;
};

class ParsedHeaders;

/// What parses leave whether they succeed or not: clang's errors, and all that a later run has to
/// look at to know that it would get no further.
struct ParseLog {
  std::string messages;
  std::set<std::string> userFiles;   ///< that were read
  std::set<std::string> absentFiles; ///< where includes were looked for and not found
};

/// parseCuda() parses one file and adds to the log; null if there were errors. `known` are device
/// functions that an earlier parse of the file found to be such; `texts` are files to be read
/// otherwise than they are on the disk; the parse may begin with `headers`.
std::unique_ptr<SourceUnit> parseCuda(const InstallLayout& layout, const std::string& file,
                                      const std::vector<std::string>& userFlags, ParseLog& log,
                                      bool colours, const DeviceBodiesByFile& known = {},
                                      const TextsByFile& texts = {},
                                      const ParsedHeaders* headers = nullptr);
/// parseAsGiven() parses in the standard that the flags ask for, though it be older than C++17;
/// null if there were errors, which go nowhere.
std::unique_ptr<SourceUnit> parseAsGiven(const InstallLayout& layout, const std::string& file,
                                         const std::vector<std::string>& userFlags);

} // namespace cu2cpp
