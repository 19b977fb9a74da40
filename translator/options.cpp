// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.h"

#include <cstring>

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include "report/summary.h"

#include "build_config.h"

namespace cl = llvm::cl;

namespace cu2cpp {

std::string programPath(const char* argv0) {
  return llvm::sys::fs::getMainExecutable(argv0, reinterpret_cast<void*>(&parseOptions));
}

std::optional<int> parseOptions(int argc, char** argv, Options& options) {
  cl::OptionCategory category("cu2cpp options");
  cl::list<std::string> inputs(cl::Positional, cl::desc("<file.cu>..."), cl::cat(category));
  cl::opt<std::string> output(
      "o", cl::desc("Output file, or directory for several inputs (default: beside the input)"),
      cl::value_desc("path"), cl::cat(category));
  cl::opt<std::string> report(
      "report", cl::desc("Write a JSON report: each kernel's form and reason, diagnostics"),
      cl::value_desc("f.json"), cl::cat(category));
  cl::opt<std::string> depFile("depfile",
                               cl::desc("Write a Makefile rule that names every file read"),
                               cl::value_desc("file"), cl::cat(category));
  cl::opt<ForcedForm> form(
      "form", cl::desc("Execution form of kernels:"), cl::init(ForcedForm::Auto),
      cl::values(
          clEnumValN(ForcedForm::Auto, "auto", "the fastest that is legal (default)"),
          clEnumValN(ForcedForm::Loop, "loop", "as auto"),
          clEnumValN(ForcedForm::Split, "split", "as auto"),
          clEnumValN(ForcedForm::Fibers, "fibers", "fibers for every kernel with a collective"),
          clEnumValN(ForcedForm::FibersAll, "fibers-all", "fibers for every kernel")),
      cl::cat(category));
  cl::alias forceForm("force-form", cl::desc("Same as --form"), cl::aliasopt(form),
                      cl::cat(category));
  cl::opt<bool> rdc(
      "rdc",
      cl::desc("Separate compilation: device functions and variables are shared between files"),
      cl::cat(category));
  cl::opt<bool> module(
      "module",
      cl::desc("The kernels of the file are looked up by name at run time (cuModuleLoad)"),
      cl::cat(category));
  cl::opt<bool> lines("line-directives",
                      cl::desc("Write #line, so that messages and breakpoints name the .cu file"),
                      cl::cat(category));
  cl::opt<bool> absolute("absolute-includes",
                         cl::desc("Write absolute paths for headers that stay where they are"),
                         cl::cat(category));
  cl::opt<bool> analyze("analyze", cl::desc("Analyse and report only; write no code"),
                        cl::cat(category));
  cl::opt<bool> quiet("quiet", cl::desc("Print errors only"), cl::cat(category));
  cl::opt<std::string> dump("dump-after",
                            cl::desc("Print what a stage found, for work on cu2cpp: analyse "
                                     "(functions, collectives, regions) or plan (edits)"),
                            cl::value_desc("stage"), cl::cat(category));

  cl::opt<std::string> html("html", cl::desc("Write the report as one HTML page"),
                            cl::value_desc("f.html"), cl::cat(category));
  cl::opt<std::string> sarif("sarif", cl::desc("Write the diagnostics as SARIF 2.1"),
                             cl::value_desc("f.sarif"), cl::cat(category));
  cl::list<std::string> failOn("fail-on",
                               cl::desc("Exit 2 if one of these is reported: numbers, or note, "
                                        "unsupported, fibers"),
                               cl::value_desc("CU2101,..."), cl::CommaSeparated, cl::cat(category));
  cl::list<std::string> suppress("suppress", cl::desc("Do not report these numbers"),
                                 cl::value_desc("CU2101,..."), cl::CommaSeparated,
                                 cl::cat(category));
  cl::OptionCategory project("Options for whole projects");
  cl::opt<std::string> database(
      "p", cl::desc("Translate what a compile_commands.json compiles (a directory or the file)"),
      cl::value_desc("build"), cl::cat(project));
  cl::opt<std::string> inRoot("in-root", cl::desc("Root of the sources (default: what holds all)"),
                              cl::value_desc("directory"), cl::cat(project));
  cl::opt<std::string> outRoot("out-root",
                               cl::desc("Mirror the tree there (default: beside the sources)"),
                               cl::value_desc("directory"), cl::cat(project));
  cl::list<std::string> extension("extension", cl::desc("Extensions (default: .cu=.cpp,.cuh=.hpp)"),
                                  cl::value_desc(".cu=.cc,..."), cl::CommaSeparated,
                                  cl::cat(project));
  cl::opt<unsigned> jobs("j", cl::desc("Files translated at once (default: one per processor)"),
                         cl::value_desc("n"), cl::Prefix, cl::init(0), cl::cat(project));
  cl::opt<bool> dryRun("dry-run", cl::desc("Tell what would be written; write nothing"),
                       cl::cat(project));
  cl::opt<bool> diff("diff", cl::desc("Show the translation as a diff; write nothing"),
                     cl::cat(project));
  cl::opt<bool> retranslate(
      "retranslate", cl::desc("Translate all sources again, also those that have not changed"),
      cl::cat(project));
  cl::opt<bool> overwrite("overwrite",
                          cl::desc("Write over files that were changed since their translation"),
                          cl::cat(project));

  // What stands behind `--` is for the parser of CUDA, not for us.
  int own = argc;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--") == 0) {
      own = i;
      options.clangFlags.assign(argv + i + 1, argv + argc);
      break;
    }
  cl::HideUnrelatedOptions({&category, &project});
  cl::SetVersionPrinter([](llvm::raw_ostream& out) { out << "cu2cpp " CU2CPP_VERSION "\n"; });
  std::string errors;
  llvm::raw_string_ostream errorStream(errors);
  if (!cl::ParseCommandLineOptions(
          own, argv,
          "cu2cpp: CUDA C++ to standard C++17 with OpenMP\n\n"
          "  cu2cpp a.cu                      writes a.cpp beside it\n"
          "  cu2cpp a.cu b.cu -o out/ -- -I include -DN=4\n"
          "  cu2cpp -p build --out-root ported         what build/compile_commands.json compiles\n"
          "  cu2cpp --analyze -p build --html r.html   a report to plan a port with\n"
          "  cu2cpp record -- make                     writes a compile_commands.json\n"
          "  cu2cpp doctor                             checks this machine\n\n"
          "Exit status: 0 done, 1 done with unsupported parts (marked), 2 failed.\n",
          &errorStream)) {
    // One line, without the program's path in front. Of values that are missing or wrong LLVM has
    // spoken already.
    if (errors.empty())
      return 2;
    llvm::StringRef first = llvm::StringRef(errors).ltrim("\n").split('\n').first;
    first = first.split(".  Try:").first;
    const std::size_t colon = first.find(": ");
    llvm::errs() << "cu2cpp: error: "
                 << (colon == llvm::StringRef::npos ? first : first.substr(colon + 2))
                 << " (try --help)\n";
    return 2;
  }
  if (inputs.empty() && database.empty() && inRoot.empty()) {
    llvm::errs() << "cu2cpp: error: no input files (try --help)\n";
    return 2;
  }
  for (const auto& [words, kindsToo] : {std::pair(&failOn, true), std::pair(&suppress, false)})
    if (const std::string unknown = findUnknownNumber({words->begin(), words->end()}, kindsToo);
        !unknown.empty()) {
      llvm::errs() << "cu2cpp: error: no diagnostic has the number '" << unknown << "'\n";
      return 2;
    }
  if (!html.empty() && !analyze) {
    llvm::errs() << "cu2cpp: error: --html belongs to --analyze\n";
    return 2;
  }
  if (!dump.empty() && dump != "analyse" && dump != "plan") {
    llvm::errs() << "cu2cpp: error: --dump-after takes analyse or plan, not '" << dump << "'\n";
    return 2;
  }
  options.program = programPath(argv[0]);
  options.inputs.assign(inputs.begin(), inputs.end());
  options.output = output;
  options.reportFile = report;
  options.depFile = depFile;
  options.form = form;
  options.separateCompilation = rdc;
  options.module = module;
  options.lineDirectives = lines;
  options.absoluteIncludes = absolute;
  options.analyzeOnly = analyze;
  options.quiet = quiet;
  options.dumpAfter = dump;
  options.htmlFile = html;
  options.sarifFile = sarif;
  options.failOn.assign(failOn.begin(), failOn.end());
  options.suppress.assign(suppress.begin(), suppress.end());
  options.database = database;
  options.inRoot = inRoot;
  options.outRoot = outRoot;
  for (const std::string& rule : extension)
    options.extensionRules += (options.extensionRules.empty() ? "" : ",") + rule;
  options.jobs = jobs;
  options.dryRun = dryRun;
  options.diff = diff;
  options.retranslate = retranslate;
  options.overwrite = overwrite;
  if (!options.dumpAfter.empty() && (analyze || options.isProject())) {
    llvm::errs() << "cu2cpp: error: --dump-after belongs to the translation of single files\n";
    return 2;
  }
  options.colours = llvm::sys::Process::StandardErrHasColors();
  return std::nullopt;
}

} // namespace cu2cpp
