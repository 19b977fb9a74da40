// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/summary.h"

#include <map>

#include "llvm/Support/raw_ostream.h"
#include <nlohmann/json.hpp>

#include "build_config.h"

namespace cu2cpp {
namespace {

const char* nameOf(Severity severity) {
  return severity == Severity::Error         ? "error"
         : severity == Severity::Unsupported ? "unsupported"
                                             : "note";
}

void printDiagnostic(const Diagnostic& d, bool colours) {
  if (colours)
    llvm::errs().changeColor(
        d.severity == Severity::Error ? llvm::raw_ostream::RED : llvm::raw_ostream::MAGENTA, true);
  llvm::errs() << d.oneLine();
  if (colours)
    llvm::errs().resetColor();
  llvm::errs() << "\n";
}

} // namespace

void reportOnTerminal(const std::vector<FileSummary>& files, bool quiet, bool colours) {
  for (const FileSummary& file : files) {
    for (const Diagnostic& d : file.diagnostics)
      if (d.severity != Severity::Note)
        printDiagnostic(d, colours);
    if (quiet || file.failed)
      continue;
    std::map<std::string, unsigned> forms;
    for (const KernelSummary& kernel : file.kernels)
      ++forms[kernel.form];
    llvm::outs() << file.input;
    if (!file.outputs.empty())
      llvm::outs() << " -> " << file.outputs.front();
    for (std::size_t i = 1; i < file.outputs.size(); ++i)
      llvm::outs() << ", " << file.outputs[i];
    llvm::outs() << ": " << file.kernels.size()
                 << (file.kernels.size() == 1 ? " kernel" : " kernels");
    const char* separator = " (";
    for (const auto& [form, count] : forms) {
      llvm::outs() << separator << count << " " << form;
      separator = ", ";
    }
    llvm::outs() << (forms.empty() ? "\n" : ")\n");
  }
}

nlohmann::json kernelsAsJson(const std::vector<KernelSummary>& kernels) {
  nlohmann::json all = nlohmann::json::array();
  for (const KernelSummary& k : kernels)
    all.push_back({{"name", k.name},
                   {"file", k.place.file},
                   {"line", k.place.line},
                   {"form", k.form},
                   {"reason", k.reason}});
  return all;
}

nlohmann::json diagnosticsAsJson(const std::vector<Diagnostic>& diagnostics) {
  nlohmann::json all = nlohmann::json::array();
  for (const Diagnostic& d : diagnostics)
    all.push_back({{"code", d.code()},
                   {"severity", nameOf(d.severity)},
                   {"file", d.place.file},
                   {"line", d.place.line},
                   {"column", d.place.column},
                   {"text", d.text},
                   {"hint", d.hint}});
  return all;
}

std::string reportAsJson(const std::vector<FileSummary>& files) {
  using nlohmann::json;
  json report = {{"tool", "cu2cpp"}, {"version", CU2CPP_VERSION}, {"files", json::array()}};
  for (const FileSummary& file : files)
    report["files"].push_back({{"input", file.input},
                               {"outputs", file.outputs},
                               {"failed", file.failed},
                               {"kernels", kernelsAsJson(file.kernels)},
                               {"diagnostics", diagnosticsAsJson(file.diagnostics)}});
  return report.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace cu2cpp
