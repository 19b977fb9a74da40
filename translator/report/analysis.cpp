// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/analysis.h"

#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "build_config.h"

namespace cu2cpp {
namespace {

void addUses(std::vector<NameUse>& sums, const std::vector<NameUse>& uses) {
  for (const NameUse& use : uses) {
    const auto found = std::find_if(sums.begin(), sums.end(),
                                    [&](const NameUse& s) { return s.name == use.name; });
    if (found == sums.end())
      sums.push_back(use);
    else
      found->lines.insert(found->lines.end(), use.lines.begin(), use.lines.end());
  }
}

std::string padded(std::string text, std::size_t width) {
  // Names keep their end, which tells files apart.
  if (text.size() > width)
    text = "..." + text.substr(text.size() - width + 3);
  return text + std::string(width - text.size(), ' ');
}

std::string number(std::size_t n, int width) {
  char text[32];
  std::snprintf(text, sizeof text, "%*zu", width, n);
  return text;
}

std::string formsText(const std::vector<KernelSummary>& kernels) {
  std::map<std::string, unsigned> forms;
  for (const KernelSummary& k : kernels)
    ++forms[k.form];
  std::string text;
  for (const auto& [form, count] : forms)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + form;
  return text;
}

std::size_t countState(const AnalysedFile& file, NameUse::State state) {
  return std::size_t(std::count_if(file.usage.names.begin(), file.usage.names.end(),
                                   [&](const NameUse& n) { return n.state == state; }));
}

nlohmann::json usesAsJson(const std::vector<NameUse>& uses) {
  nlohmann::json all = nlohmann::json::array();
  for (const NameUse& use : uses)
    all.push_back({{"name", use.name},
                   {"library", use.library},
                   {"state", nameOf(use.state)},
                   {"why", use.why},
                   {"lines", use.lines}});
  return all;
}

} // namespace

const char* nameOf(NameUse::State state) {
  return state == NameUse::State::Done     ? "done"
         : state == NameUse::State::Caveat ? "caveat"
                                           : "missing";
}

std::string hoursText(unsigned minutes) {
  if (minutes == 0)
    return "none";
  if (minutes < 60)
    return std::to_string(minutes) + " min";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f h", minutes / 60.0);
  return text;
}

void estimate(AnalysedFile& file) {
  unsigned port = file.failed ? 30 : 0, tune = 0;
  for (const Diagnostic& d : file.diagnostics) {
    if (d.id == DiagId::InlineAssembly)
      port += 45;
    else if (d.id == DiagId::UnsupportedName || d.id == DiagId::WarpSynchronous)
      port += 30;
    else if (d.severity == Severity::Unsupported && d.id != DiagId::NameMissing)
      port += 15;
    else if (d.id == DiagId::RunsOnFibers)
      tune += 60;
    else if (d.id == DiagId::SlowSpot)
      tune += 15;
  }
  // A library's first function has to be understood, its other uses follow it.
  for (const NameUse& use : file.usage.names)
    if (use.state == NameUse::State::Missing)
      port += 20 + 5 * unsigned(use.lines.size());
  for (const NameUse& use : file.usage.libraries)
    if (use.state == NameUse::State::Missing)
      port += 60;
  file.portMinutes = port;
  file.tuneMinutes = tune;
}

void addUp(Analysis& analysis) {
  for (AnalysedFile& file : analysis.files) {
    estimate(file);
    analysis.lines += file.usage.lines;
    analysis.kernels += unsigned(file.kernels.size());
    analysis.failed += file.failed;
    analysis.portMinutes += file.portMinutes;
    analysis.tuneMinutes += file.tuneMinutes;
    for (const KernelSummary& k : file.kernels)
      ++analysis.forms[k.form];
    addUses(analysis.names, file.usage.names);
    addUses(analysis.libraries, file.usage.libraries);
  }
  for (const NameUse& use : analysis.names)
    ++analysis.byState[nameOf(use.state)];
  const auto moreUses = [](const NameUse& a, const NameUse& b) {
    return a.state != b.state                 ? a.state > b.state
           : a.lines.size() != b.lines.size() ? a.lines.size() > b.lines.size()
                                              : a.name < b.name;
  };
  std::sort(analysis.names.begin(), analysis.names.end(), moreUses);
  std::sort(analysis.libraries.begin(), analysis.libraries.end(), moreUses);
}

std::string unreadText(const Analysis& analysis) {
  return std::to_string(analysis.unread) +
         (analysis.unread == 1 ? " source was not read" : " sources were not read");
}

std::string analysisAsText(const Analysis& analysis) {
  std::size_t width = 20;
  for (const AnalysedFile& file : analysis.files)
    width = std::max(width, std::min<std::size_t>(file.path.size(), 44));
  std::string out =
      padded("file", width) + "  lines  kernels  done  caveat  missing  to port   to tune\n";
  const auto row = [&](const std::string& name, std::size_t lines, std::size_t kernels,
                       std::size_t done, std::size_t caveat, std::size_t missing, unsigned port,
                       unsigned tune) {
    out += padded(name, width) + number(lines, 7) + number(kernels, 9) + number(done, 6) +
           number(caveat, 8) + number(missing, 9) + "  " + padded(hoursText(port), 8) + "  " +
           hoursText(tune) + "\n";
  };
  for (const AnalysedFile& file : analysis.files)
    row(file.path + (file.failed ? " (!)" : ""), file.usage.lines, file.kernels.size(),
        countState(file, NameUse::State::Done), countState(file, NameUse::State::Caveat),
        countState(file, NameUse::State::Missing), file.portMinutes, file.tuneMinutes);
  const auto sum = [&](const char* state) {
    const auto found = analysis.byState.find(state);
    return found == analysis.byState.end() ? 0u : found->second;
  };
  row("all", analysis.lines, analysis.kernels, sum("done"), sum("caveat"), sum("missing"),
      analysis.portMinutes, analysis.tuneMinutes);

  out += "\nkernels:   ";
  std::vector<KernelSummary> all;
  for (const AnalysedFile& file : analysis.files)
    all.insert(all.end(), file.kernels.begin(), file.kernels.end());
  out += (all.empty() ? "none" : formsText(all)) + "\nlibraries: ";
  std::string separator;
  for (const NameUse& library : analysis.libraries) {
    out += separator + library.name +
           (library.state == NameUse::State::Missing ? " (not there yet)" : "");
    separator = ", ";
  }
  out += analysis.libraries.empty() ? "none\n" : "\n";
  for (const NameUse& use : analysis.names)
    if (use.state == NameUse::State::Missing)
      out += "missing:   " + use.name + " (" + std::to_string(use.lines.size()) +
             (use.lines.size() == 1 ? " use): " : " uses): ") + use.why + "\n";
  for (const AnalysedFile& file : analysis.files)
    if (file.failed)
      out += "(!) " + file.path + " does not compile: " + file.whyFailed + "\n";
  if (analysis.unread)
    out += "(!) stopped: " + unreadText(analysis) + "\n";
  out += "Times are rules of thumb.\n";
  return out;
}

std::string analysisAsJson(const Analysis& analysis) {
  using nlohmann::json;
  json report = {{"tool", "cu2cpp"}, {"version", CU2CPP_VERSION}, {"files", json::array()}};
  for (const AnalysedFile& file : analysis.files) {
    json entry = {{"input", file.path},
                  {"outputs", json::array()},
                  {"failed", file.failed},
                  {"lines", file.usage.lines},
                  {"portMinutes", file.portMinutes},
                  {"tuneMinutes", file.tuneMinutes},
                  {"names", usesAsJson(file.usage.names)},
                  {"libraries", usesAsJson(file.usage.libraries)}};
    if (file.failed)
      entry["error"] = file.whyFailed;
    entry["kernels"] = kernelsAsJson(file.kernels);
    entry["diagnostics"] = diagnosticsAsJson(file.diagnostics);
    report["files"].push_back(std::move(entry));
  }
  report["total"] = {{"lines", analysis.lines},
                     {"kernels", analysis.kernels},
                     {"forms", analysis.forms},
                     {"names", analysis.byState},
                     {"libraries", usesAsJson(analysis.libraries)},
                     {"failed", analysis.failed},
                     {"unread", analysis.unread},
                     {"portMinutes", analysis.portMinutes},
                     {"tuneMinutes", analysis.tuneMinutes}};
  return report.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace cu2cpp
