// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/translate_project.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "llvm/Support/raw_ostream.h"

#include "apply/write_files.h"
#include "parse/cuda_invocation.h"
#include "project/host_files.h"
#include "project/project_output.h"
#include "project/project_units.h"
#include "project/render_project.h"
#include "project/text_diff.h"
#include "project/write_project.h"
#include "report/summary.h"

namespace fs = std::filesystem;

namespace cu2cpp {
namespace {

/// Whether nothing at all has changed since the last run: nobody has to be asked for more.
bool isUpToDate(const ProjectSources& sources, const ProjectState& state) {
  if (state.units.size() != sources.cuda.size() || !state.pending.empty())
    return false;
  for (const CompileCommand& command : sources.cuda) {
    const auto unit = state.units.find(keyOf(command));
    if (unit == state.units.end() || !isCurrent(unit->second))
      return false;
  }
  for (const CompileCommand& command : sources.host)
    if (!sources.outRoot.empty() && command.file.rfind(sources.inRoot + "/", 0) == 0 &&
        !state.hostFiles.count(command.file))
      return false;
  if (!state.hostFiles.empty() && !isCurrent(state.hostFiles))
    return false;
  return std::all_of(state.outputs.begin(), state.outputs.end(),
                     [](const auto& output) { return fs::exists(output.first); });
}

/// Files that are copied, by hash: those of the outputs that no unit read.
HashByPath hostFilesOf(const RenderedProject& project, const ProjectState& state) {
  HashByPath host;
  for (const auto& [output, source] : project.sourceOf) {
    const bool known = std::any_of(state.units.begin(), state.units.end(), [&](const auto& unit) {
      return unit.second.count(source) != 0;
    });
    if (!known)
      host[source] = hashOfFile(source);
  }
  return host;
}

std::string contentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void printDiffs(const RenderedProject& project, const ProjectLayout& layout) {
  for (const auto& [output, text] : project.textByOutput) {
    const std::string& source = project.sourceOf.at(output);
    llvm::outs() << unifiedDiff(layout.shortName(source), contentOf(source), output, text);
  }
}

void printPlan(const WritePlan& plan, bool dryRun) {
  const auto list = [](const char* what, const std::vector<std::string>& files) {
    for (const std::string& file : files)
      llvm::outs() << what << " " << file << "\n";
  };
  if (dryRun) {
    list("would create", plan.created);
    list("would change", plan.changed);
    list("would remove", plan.removed);
  }
  list("kept, with your changes:", plan.kept);
}

std::string counted(std::size_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

unsigned kernelsOf(const std::vector<UnitEdits>& units) {
  std::set<std::pair<std::string, unsigned>> places;
  for (const UnitEdits& unit : units)
    for (const KernelSummary& kernel : unit.summary.kernels)
      places.insert({kernel.place.file, kernel.place.line});
  return unsigned(places.size());
}

/// Messages once each, though every user of a header has those of the header.
void mergeSummaries(const std::vector<UnitEdits>& units, const RenderedProject& project,
                    const Diagnostics& own, std::vector<FileSummary>& files) {
  std::set<std::string> seen;
  for (std::size_t u = 0; u < units.size(); ++u) {
    FileSummary file = units[u].summary;
    if (!project.mainOutputs[u].empty())
      file.outputs = {project.mainOutputs[u]};
    file.diagnostics.erase(
        std::remove_if(file.diagnostics.begin(), file.diagnostics.end(),
                       [&](const Diagnostic& d) { return !seen.insert(d.oneLine()).second; }),
        file.diagnostics.end());
    files.push_back(std::move(file));
  }
  if (own.all().empty())
    return;
  FileSummary general;
  general.input = "project";
  general.diagnostics = own.all();
  files.push_back(std::move(general));
}

} // namespace

int translateProject(const Options& options) {
  Diagnostics diagnostics;
  const ProjectSources sources = findSources(options, diagnostics);
  ExtensionRules rules;
  if (!parseExtensionRules(options.extensionRules, rules)) {
    llvm::errs() << "cu2cpp: error: --extension takes .old=.new, not '" << options.extensionRules
                 << "'\n";
    return 2;
  }
  if (sources.cuda.empty()) {
    if (diagnostics.all().empty())
      llvm::errs() << "cu2cpp: error: no CUDA sources there\n";
    FileSummary general;
    general.diagnostics = diagnostics.all();
    reportOnTerminal({general}, true, options.colours);
    return 2;
  }

  const std::string headers = findInstallLayout(options.program).headers;
  const StateFolder folder(sources.outRoot.empty() ? sources.inRoot : sources.outRoot);
  const std::string settings = settingsOf(options, sources, headers);
  ProjectState state = folder.read();
  const bool reading = options.dryRun || options.diff;
  if (state.settings != settings || options.retranslate)
    state.units.clear();
  else if (!reading && !options.overwrite && state.exitCode != 2 && diagnostics.all().empty() &&
           options.reportFile.empty() && options.sarifFile.empty() && options.failOn.empty() &&
           isUpToDate(sources, state)) {
    if (!options.quiet)
      llvm::outs() << "Up to date: " << counted(sources.cuda.size(), "CUDA source") << ", "
                   << counted(state.kernels, "kernel") << "\n";
    return state.exitCode;
  }
  state.settings = settings;

  std::size_t fresh = 0;
  const std::vector<UnitEdits> units =
      translateUnits(sources, options, reading ? nullptr : &folder, state, fresh);
  for (const UnitEdits& unit : units)
    llvm::errs() << unit.messages;
  std::set<std::string> ours;
  for (const auto& [path, hash] : state.outputs)
    ours.insert(path);
  const ProjectLayout layout(sources.inRoot, sources.outRoot, rules, ours);
  RenderedProject project = renderProject(units, layout, diagnostics);
  addHostFiles(sources.host, layout, project);
  if (options.diff) {
    printDiffs(project, layout);
    return 0;
  }

  // Where a unit failed, what it wrote before stays: it is not gone, only not known.
  const std::size_t failed = std::size_t(std::count_if(
      units.begin(), units.end(), [](const UnitEdits& u) { return u.summary.failed; }));
  state.hostFiles = hostFilesOf(project, state);
  const HashByPath before = state.outputs;
  WritePlan plan = planWriting(project, options.overwrite, state, diagnostics);
  if (failed) {
    plan.removed.clear();
    for (const auto& [path, hash] : before)
      state.outputs.emplace(path, hash);
  }
  printPlan(plan, options.dryRun);

  std::vector<FileSummary> files;
  mergeSummaries(units, project, diagnostics, files);
  suppress(files, options.suppress);
  if (!options.dryRun) {
    if (!options.sarifFile.empty())
      plan.texts[options.sarifFile] = reportAsSarif(files, sources.inRoot);
    if (!options.reportFile.empty())
      plan.texts[options.reportFile] = reportAsJson(files);
    if (!layout.inPlace())
      plan.texts[sources.outRoot + "/compile_commands.json"] =
          outputDatabase(sources, project, layout, headers);
    Diagnostics writing;
    if (!writeFiles(plan.texts, writing)) {
      FileSummary general;
      general.diagnostics = writing.all();
      reportOnTerminal({general}, true, options.colours);
      return 2;
    }
    for (const std::string& path : plan.removed)
      fs::remove(path);
  }
  reportOnTerminal(files, true, options.colours);
  const auto isUnsupported = [](const FileSummary& f) {
    return std::any_of(f.diagnostics.begin(), f.diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::Unsupported; });
  };
  const bool marked = std::any_of(files.begin(), files.end(), isUnsupported);
  if (!options.quiet) {
    llvm::outs() << counted(sources.cuda.size(), "CUDA source") << " (" << fresh << " translated, "
                 << sources.cuda.size() - fresh << " as before), "
                 << counted(kernelsOf(units), "kernel") << ", "
                 << counted(project.sharedHeaders, "header") << " shared\n"
                 << (options.dryRun ? "Would write " : "Wrote ")
                 << counted(plan.created.size() + plan.changed.size(), "file") << ", "
                 << plan.unchanged << " unchanged";
    if (!plan.removed.empty())
      llvm::outs() << ", " << plan.removed.size() << " removed";
    if (!plan.conflicts.empty())
      llvm::outs() << ", " << counted(plan.conflicts.size(), "conflict")
                   << " with changes of yours";
    if (failed)
      llvm::outs() << ", " << counted(failed, "source") << " failed";
    llvm::outs() << "\n";
  }
  state.kernels = kernelsOf(units);
  state.exitCode = failed || isReported(files, options.failOn) ? 2 : marked ? 1 : 0;
  if (!options.dryRun) {
    folder.removeOtherUnits(state);
    if (!folder.write(state))
      llvm::errs() << "cu2cpp: error: cannot write " << folder.path() << "\n";
  }
  return state.exitCode;
}

} // namespace cu2cpp
