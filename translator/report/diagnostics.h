// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbered diagnostics: what went wrong, where, and what the user can do. The one table is
// diagnostics.def.
#pragma once

#include <string>
#include <vector>

namespace cu2cpp {

enum class Severity { Note, Unsupported, Error };

enum class DiagId {
#define DIAG(number, name, severity, text, hint) name = number,
#include "report/diagnostics.def"
#undef DIAG
};

/// A place in a source file; line 0 means the whole file, an empty file none.
struct Place {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

struct Diagnostic {
  DiagId id;
  Severity severity;
  Place place;
  std::string text;
  std::string hint;
  /// oneLine() is `file:line:col: error: text [CU1234] hint`, as printed and written into comments.
  std::string oneLine() const;
  /// code() is the number as users see it: CU1234.
  std::string code() const;
};

/// Diagnostics collects what the stages report; nothing is printed before the end of a file's
/// translation.
class Diagnostics {
public:
  void report(DiagId id, Place place, std::vector<std::string> arguments = {});
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  bool has(Severity severity) const;

private:
  std::vector<Diagnostic> diagnostics_;
};

/// A check of our own reasoning, active in release builds too: prints file and line and ends the
/// process with status 2.
[[noreturn]] void internalError(const char* condition, const char* file, int line);
#define CU2CPP_CHECK(condition)                                                                    \
  ((condition) ? static_cast<void>(0) : ::cu2cpp::internalError(#condition, __FILE__, __LINE__))

} // namespace cu2cpp
