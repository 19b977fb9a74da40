// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/analyze_project.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "llvm/Support/raw_ostream.h"

#include "apply/write_files.h"
#include "pipeline.h"
#include "project/project_layout.h"
#include "project/project_units.h"
#include "project/workers.h"
#include "report/analysis.h"

#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace cu2cpp {
namespace {

std::string contentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The names of our headers as programs write them.
std::set<std::string> headerNames(const std::string& headers) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator it(headers, error), end; !error && it != end;
       it.increment(error))
    if (it->is_regular_file())
      names.insert(it->path().lexically_relative(headers).string());
  return names;
}

/// In a process of its own, as every parse.
std::map<std::string, std::string> knownNames(const InstallLayout& install) {
  std::map<std::string, std::string> names;
  runParallel(
      1, 1,
      [&](std::size_t) {
        return nlohmann::json(namesOfHeaders(install))
            .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      },
      [&](std::size_t, Outcome outcome) {
        const auto all = nlohmann::json::parse(outcome.bytes, nullptr, false);
        if (all.is_object())
          names = all.get<std::map<std::string, std::string>>();
      });
  return names;
}

/// The compiler's first error, without colours and its place where that is the file itself.
std::string firstError(const std::string& messages) {
  const std::size_t at = messages.find("error: ");
  if (at == std::string::npos)
    return "see the messages above";
  return messages.substr(at + 7, messages.find('\n', at) - at - 7);
}

/// Finds the file of a path, adding it where it is new.
class Files {
public:
  Files(Analysis& analysis, const ProjectLayout& layout) : analysis_(analysis), layout_(layout) {}
  AnalysedFile& of(const std::string& path) {
    const auto [index, added] = index_.try_emplace(path, analysis_.files.size());
    if (added) {
      analysis_.files.emplace_back();
      analysis_.files.back().path = layout_.shortName(path);
      paths_.push_back(path);
    }
    return analysis_.files[index->second];
  }
  const std::vector<std::string>& paths() const { return paths_; }

private:
  Analysis& analysis_;
  const ProjectLayout& layout_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::string> paths_;
};

/// A kernel or message of a header comes with each unit that includes it.
void addUnit(const UnitEdits& unit, Files& files) {
  AnalysedFile& main = files.of(unit.summary.input);
  if (unit.summary.failed) {
    main.failed = true;
    main.whyFailed = firstError(unit.messages);
  } else {
    for (const std::string& file : unit.userFiles)
      files.of(file);
  }
  for (const KernelSummary& kernel : unit.summary.kernels) {
    auto& kernels = files.of(kernel.place.file).kernels;
    if (std::none_of(kernels.begin(), kernels.end(), [&](const KernelSummary& k) {
          return k.place.line == kernel.place.line && k.name == kernel.name;
        }))
      kernels.push_back(kernel);
  }
  for (const Diagnostic& d : unit.summary.diagnostics) {
    auto& all = files.of(d.place.file.empty() ? unit.summary.input : d.place.file).diagnostics;
    if (std::none_of(all.begin(), all.end(),
                     [&](const Diagnostic& o) { return o.oneLine() == d.oneLine(); }))
      all.push_back(d);
  }
}

void addUsage(AnalysedFile& file, const std::string& path,
              const std::map<std::string, std::string>& known, const std::set<std::string>& headers,
              bool complete) {
  const std::string text = contentOf(path);
  file.usage = findUsage(text, known, headers, complete);
  if (!complete && file.kernels.empty())
    for (const auto& [name, line] : file.usage.kernels) {
      const Place place{path, line, 1};
      file.kernels.push_back({name, place, "?", "the file does not compile"});
    }
  Diagnostics names;
  for (const NameUse& use : file.usage.names)
    if (use.state != NameUse::State::Done)
      names.report(use.state == NameUse::State::Missing ? DiagId::NameMissing : DiagId::NameCaveat,
                   {path, use.lines.front(), 1}, {use.name, use.why});
  for (const Diagnostic& d : names.all())
    file.diagnostics.push_back(d);

  std::set<unsigned> wanted;
  const auto want = [&](unsigned line) {
    for (unsigned l = line > 2 ? line - 2 : 1; line && l <= line + 2; ++l)
      wanted.insert(l);
  };
  for (const KernelSummary& k : file.kernels)
    want(k.place.line);
  for (const Diagnostic& d : file.diagnostics)
    if (d.id != DiagId::NameCaveat)
      want(d.place.line);
  std::istringstream in(text);
  unsigned number = 0;
  for (std::string line; std::getline(in, line);)
    if (wanted.count(++number))
      file.excerpt[number] = line;
}

std::vector<FileSummary> summariesOf(const Analysis& analysis,
                                     const std::vector<std::string>& paths) {
  std::vector<FileSummary> files;
  for (std::size_t i = 0; i < analysis.files.size(); ++i) {
    FileSummary file;
    file.input = paths[i];
    file.diagnostics = analysis.files[i].diagnostics;
    files.push_back(std::move(file));
  }
  return files;
}

} // namespace

int analyzeProject(const Options& options) {
  Diagnostics diagnostics;
  const ProjectSources sources = findSources(options, diagnostics);
  if (sources.cuda.empty()) {
    if (diagnostics.all().empty())
      llvm::errs() << "cu2cpp: error: no CUDA sources there\n";
    FileSummary general;
    general.diagnostics = diagnostics.all();
    reportOnTerminal({general}, true, options.colours);
    return 2;
  }
  const InstallLayout install = findInstallLayout(options.program);
  ProjectState nothing;
  std::size_t fresh = 0;
  const StopOnSignal stopOnSignal;
  const std::vector<UnitEdits> units = translateUnits(sources, options, nullptr, nothing, fresh);

  Analysis analysis;
  analysis.root = sources.inRoot;
  const ProjectLayout layout(sources.inRoot, "", {}, {});
  Files files(analysis, layout);
  bool complete = true;
  for (const UnitEdits& unit : units) {
    if (unit.summary.input.empty()) {
      ++analysis.unread;
      continue;
    }
    if (!options.quiet)
      llvm::errs() << unit.messages;
    complete &= !unit.summary.failed;
    addUnit(unit, files);
  }
  for (const CompileCommand& host : sources.host)
    files.of(host.file);
  const std::map<std::string, std::string> known = knownNames(install);
  const std::set<std::string> headers = headerNames(install.headers);
  for (std::size_t i = 0; i < analysis.files.size(); ++i)
    addUsage(analysis.files[i], files.paths()[i], known, headers,
             complete || !analysis.files[i].failed);
  std::vector<FileSummary> summaries = summariesOf(analysis, files.paths());
  suppress(summaries, options.suppress);
  for (std::size_t i = 0; i < analysis.files.size(); ++i)
    analysis.files[i].diagnostics = summaries[i].diagnostics;
  addUp(analysis);

  std::map<std::string, std::string> reports;
  if (!options.reportFile.empty())
    reports[options.reportFile] = analysisAsJson(analysis);
  if (!options.htmlFile.empty())
    reports[options.htmlFile] = analysisAsHtml(analysis);
  if (!options.sarifFile.empty())
    reports[options.sarifFile] = reportAsSarif(summaries, sources.inRoot);
  if (!options.quiet)
    llvm::outs() << analysisAsText(analysis);
  Diagnostics writing;
  if (!writeFiles(reports, writing)) {
    FileSummary general;
    general.diagnostics = writing.all();
    reportOnTerminal({general}, true, options.colours);
    return 2;
  }
  if (isReported(summaries, options.failOn) || analysis.failed || analysis.unread)
    return 2;
  const bool missing = std::any_of(summaries.begin(), summaries.end(), [](const FileSummary& f) {
    return std::any_of(f.diagnostics.begin(), f.diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::Unsupported; });
  });
  return missing ? 1 : 0;
}

} // namespace cu2cpp
