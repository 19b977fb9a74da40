// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks a diagnostic up in the table and fills its arguments in.
#include "report/diagnostics.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace cu2cpp {
namespace {

struct Row {
  DiagId id;
  Severity severity;
  const char* text;
  const char* hint;
};

constexpr Row rows[] = {
#define DIAG(number, name, severity, text, hint) {DiagId::name, Severity::severity, text, hint},
#include "report/diagnostics.def"
#undef DIAG
};

const Row& rowOf(DiagId id) {
  return *std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.id == id; });
}

std::string fill(const char* text, const std::vector<std::string>& arguments) {
  std::string out;
  for (const char* c = text; *c; ++c) {
    if (*c == '%' && c[1] >= '0' && c[1] <= '9') {
      const std::size_t index = static_cast<std::size_t>(c[1] - '0');
      CU2CPP_CHECK(index < arguments.size());
      out += arguments[index];
      ++c;
    } else {
      out += *c;
    }
  }
  return out;
}

} // namespace

std::string Diagnostic::code() const { return "CU" + std::to_string(static_cast<int>(id)); }

std::string Diagnostic::oneLine() const {
  std::string out;
  if (!place.file.empty()) {
    out += place.file + ":";
    if (place.line)
      out += std::to_string(place.line) + ":" + std::to_string(place.column) + ":";
    out += " ";
  } else {
    out += "cu2cpp: ";
  }
  out += severity == Severity::Error         ? "error: "
         : severity == Severity::Unsupported ? "warning: "
                                             : "note: ";
  out += text + " [" + code() + "]";
  if (!hint.empty())
    out += " " + hint;
  return out;
}

void Diagnostics::report(DiagId id, Place place, std::vector<std::string> arguments) {
  const Row& row = rowOf(id);
  Diagnostic d{id, row.severity, std::move(place), fill(row.text, arguments), row.hint};
  // A header's fault is the same fault in each file that includes it, and a template's in each
  // instance.
  const bool known = std::any_of(diagnostics_.begin(), diagnostics_.end(),
                                 [&](const Diagnostic& o) { return o.oneLine() == d.oneLine(); });
  if (!known)
    diagnostics_.push_back(std::move(d));
}

bool Diagnostics::has(Severity severity) const {
  return std::any_of(diagnostics_.begin(), diagnostics_.end(),
                     [&](const Diagnostic& d) { return d.severity == severity; });
}

void internalError(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "cu2cpp: internal error at %s:%d: %s does not hold. Please report this.\n",
               file, line, condition);
  std::exit(2);
}

} // namespace cu2cpp
