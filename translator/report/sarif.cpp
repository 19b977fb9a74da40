// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0 (OASIS), and the choice of what counts: --suppress and --fail-on.
#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "report/summary.h"

#include "build_config.h"

namespace cu2cpp {
namespace {

struct Rule {
  int number;
  const char* name;
  const char* text;
  const char* hint;
};
constexpr Rule rules[] = {
#define DIAG(number, name, severity, text, hint) {number, #name, text, hint},
#include "report/diagnostics.def"
#undef DIAG
};

const char* levelOf(Severity severity) {
  return severity == Severity::Error         ? "error"
         : severity == Severity::Unsupported ? "warning"
                                             : "note";
}

/// As a URI: relative to the root where it is inside.
std::string uriOf(const std::string& file, const std::string& root) {
  const bool inside = !root.empty() && file.rfind(root + "/", 0) == 0;
  const std::string path = inside ? file.substr(root.size() + 1) : file;
  std::string out = inside || path.empty() || path[0] != '/' ? "" : "file://";
  static const char digits[] = "0123456789ABCDEF";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '/' || c == '.' || c == '-' || c == '_' || c == '~') {
      out += c;
    } else {
      out += '%';
      out += digits[byte / 16];
      out += digits[byte % 16];
    }
  }
  return out;
}

} // namespace

std::string reportAsSarif(const std::vector<FileSummary>& files, const std::string& root) {
  using nlohmann::json;
  json ruleList = json::array(), results = json::array();
  for (const Rule& rule : rules) {
    json entry = {{"id", "CU" + std::to_string(rule.number)},
                  {"name", rule.name},
                  {"shortDescription", {{"text", rule.text}}}};
    if (*rule.hint)
      entry["help"] = {{"text", rule.hint}};
    ruleList.push_back(std::move(entry));
  }
  for (const FileSummary& file : files)
    for (const Diagnostic& d : file.diagnostics) {
      json result = {{"ruleId", d.code()},
                     {"level", levelOf(d.severity)},
                     {"message", {{"text", d.text + (d.hint.empty() ? "" : ". " + d.hint)}}}};
      const std::string& path = d.place.file.empty() ? file.input : d.place.file;
      json location = {{"artifactLocation", {{"uri", uriOf(path, root)}}}};
      if (d.place.line)
        location["region"] = {{"startLine", d.place.line},
                              {"startColumn", std::max(1u, d.place.column)}};
      result["locations"] = json::array({{{"physicalLocation", std::move(location)}}});
      results.push_back(std::move(result));
    }
  const json all = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       json::array(
           {{{"tool",
              {{"driver", {{"name", "cu2cpp"}, {"version", CU2CPP_VERSION}, {"rules", ruleList}}}}},
             {"results", results}}})}};
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

void suppress(std::vector<FileSummary>& files, const std::vector<std::string>& numbers) {
  for (FileSummary& file : files)
    file.diagnostics.erase(std::remove_if(file.diagnostics.begin(), file.diagnostics.end(),
                                          [&](const Diagnostic& d) {
                                            // An error is no opinion: what failed stays said.
                                            return d.severity != Severity::Error &&
                                                   std::find(numbers.begin(), numbers.end(),
                                                             d.code()) != numbers.end();
                                          }),
                           file.diagnostics.end());
}

bool isReported(const std::vector<FileSummary>& files, const std::vector<std::string>& wanted) {
  const auto has = [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  };
  for (const FileSummary& file : files)
    for (const Diagnostic& d : file.diagnostics)
      if (has(d.code()) || (has("note") && d.severity == Severity::Note) ||
          (has("unsupported") && d.severity == Severity::Unsupported) ||
          (has("fibers") && d.id == DiagId::RunsOnFibers))
        return true;
  return false;
}

std::string findUnknownNumber(const std::vector<std::string>& words, bool kindsToo) {
  for (const std::string& word : words) {
    const bool kind = kindsToo && (word == "note" || word == "unsupported" || word == "fibers");
    const bool number = std::any_of(std::begin(rules), std::end(rules), [&](const Rule& rule) {
      return word == "CU" + std::to_string(rule.number);
    });
    if (!kind && !number)
      return word;
  }
  return {};
}

} // namespace cu2cpp
