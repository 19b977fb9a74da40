// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline.h"

#include <algorithm>
#include <optional>
#include <set>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "analyse/analyses.h"
#include "analyse/decided_conditions.h"
#include "analyse/hidden_sides.h"
#include "analyse/known_names.h"
#include "analyse/slow_spots.h"
#include "apply/apply_edits.h"
#include "apply/write_files.h"
#include "dump_stages.h"
#include "parse/cuda_invocation.h"
#include "parse/parsed_headers.h"
#include "parse/source_text.h"
#include "parse/source_unit.h"
#include "plan/export_kernels.h"
#include "plan/output_layout.h"
#include "plan/registrations.h"
#include "plan/rewrite_includes.h"
#include "plan/rewrites.h"
#include "ptx/inline_assembly.h"
#include "ptx/module_source.h"
#include "ptx/module_text.h"
#include "report/summary.h"

#include "build_config.h"

namespace cu2cpp {

std::string originLine(const std::string& input) {
  return "// Translated from " + input.substr(input.rfind('/') + 1) + " by cu2cpp.\n";
}

namespace {

/// Texts by output path, of all inputs together.
using Outputs = std::map<std::string, std::string>;

/// What files are read otherwise than the user wrote them, and what of that concerns the output.
struct Rewritten {
  std::map<std::string, std::set<unsigned>> emptied; ///< PlainTexts::emptied
  AssemblyTexts assembly;
  /// Macros that keep names for the user which CUDA's headers had before.
  std::vector<std::string> ownNames;
  bool namesReferences = false; ///< texture<...> or surface<...>
};

/// What stands before the text of a translated source.
std::string headOf(const std::string& input, const Rewritten& rewritten) {
  std::string head = originLine(input);
  for (const std::string& macro : rewritten.ownNames)
    head += "#define " + macro + " 1\n";
  return head + "#include <cu2cpp/launch.h>\n" +
         (rewritten.namesReferences ? "#include <cu2cpp/reference_names.h>\n" : "") +
         (rewritten.assembly.byFile.empty() ? "" : "#include <cu2cpp/ptx.h>\n");
}

Facts analyse(const SourceUnit& unit, const Options& options) {
  Facts facts;
  findFunctions(unit, facts);
  findLaunches(unit, facts);
  findModifiedParameters(facts);
  findSharedStorage(facts);
  findSharedAtomics(unit, options.separateCompilation, facts);
  shareMacroBodies(unit, facts);
  propagateCalls(facts);
  findPollingLoops(facts);
  shareMacroBodies(unit, facts);
  findRegions(unit, facts);
  shareMacroBodies(unit, facts);
  findTurnedArrays(facts);
  findWarpSynchronousCode(unit, facts);
  return facts;
}

void plan(Plan& plan, SourceText& text) {
  for (const auto& [place, function] : plan.facts.functions)
    if (function.kernel)
      plan.forms[&function] = chooseForm(function, plan.options.form);
  rewriteShifts(plan, text); // first: others copy text
  rewriteCasts(plan, text);
  rewritePlaces(plan, text);
  rewriteWords(plan, text);
  rewriteRegisterLoops(plan, text);
  rewriteHostArithmetic(plan);
  rewriteUnsupported(plan);
  for (const std::string& file : plan.unit.userFiles())
    rewriteSides(plan, file);
  rewriteVariables(plan);
  rewritePassing(plan);
  rewriteKernels(plan);
  rewriteDeviceFunctions(plan);
  rewriteShared(plan);
  rewriteAtomics(plan);
  rewritePolling(plan);
  rewriteLaunches(plan);
  for (const std::string& file : plan.unit.userFiles())
    rewriteQualifiers(plan, file);
  rewriteArgumentOrder(plan);
  addGroupVersions(plan);
}

/// Renders all files of a unit, with `end` behind the main one; a header that another input already
/// renders differently gets a name of its own.
Outputs apply(const SourceUnit& unit, const SourceText& text, const Rewritten& rewritten,
              const Options& options, const OutputLayout& layout, const EditList& edits,
              const std::string& end, const Outputs& others, std::vector<std::string>& written,
              Diagnostics& diagnostics) {
  const std::string& main = unit.mainFile();
  std::map<std::string, std::string> outputs;
  for (const std::string& file : filesToEmit(unit, edits, options, layout))
    outputs[file] = file == main ? layout.mainOutput(main) : layout.headerOutput(main, file);
  for (;;) {
    EditList all = edits;
    rewriteIncludes(unit, text, options, outputs, all);
    Outputs rendered;
    std::string clash;
    for (const auto& [file, output] : outputs) {
      const auto edited = all.byFile().find(file);
      std::string body = applyEdits(
          unit.userText(file), edited == all.byFile().end() ? std::vector<Edit>() : edited->second,
          file, options.lineDirectives ? file : "", diagnostics);
      if (file == main)
        body = headOf(file, rewritten) + body + end;
      else if (edited != all.byFile().end())
        body = originLine(file) + body;
      const auto other = others.find(output);
      if ((other != others.end() && other->second != body) || rendered.count(output))
        clash = file;
      rendered[output] = std::move(body);
    }
    if (clash.empty() || clash == main) {
      if (clash == main)
        diagnostics.report(DiagId::OutputTaken, {}, {outputs[main], main, "another input"});
      written.push_back(outputs[main]);
      for (const auto& [file, output] : outputs)
        if (file != main)
          written.push_back(output);
      return rendered;
    }
    // "kernels.hpp" of main.cu becomes "kernels.main.hpp".
    std::string& output = outputs[clash];
    const std::size_t dot = output.rfind('.'), slash = main.rfind('/');
    const std::string stem = main.substr(slash + 1, main.rfind('.') - slash - 1);
    output = output.substr(0, dot) + "." + stem + output.substr(dot);
  }
}

std::string depFileText(const std::string& target, const std::vector<std::string>& files) {
  const auto escaped = [](const std::string& path) {
    std::string out;
    for (char c : path)
      out += c == ' ' ? std::string("\\ ") : c == '$' ? std::string("$$") : std::string(1, c);
    return out;
  };
  std::string text = escaped(target) + ":";
  for (const std::string& file : files)
    text += " \\\n  " + escaped(file);
  return text + "\n";
}

/// Checks what clang would only complain about in its own words.
bool isReadableText(const std::string& input, Diagnostics& diagnostics) {
  if (llvm::sys::fs::is_directory(input)) {
    diagnostics.report(DiagId::InputUnreadable, {}, {input, "it is a directory"});
    return false;
  }
  const auto buffer = llvm::MemoryBuffer::getFile(input);
  if (!buffer) {
    diagnostics.report(DiagId::InputUnreadable, {},
                       {input.empty() ? "''" : input, buffer.getError().message()});
    return false;
  }
  if ((*buffer)->getBuffer().contains('\0')) {
    diagnostics.report(DiagId::NotText, {}, {input});
    return false;
  }
  return true;
}

bool mayWriteOver(const std::string& path, const Options& options) {
  if (!options.output.empty())
    return true;
  const auto old = llvm::MemoryBuffer::getFile(path);
  return !old || (*old)->getBuffer().starts_with("// Translated from ");
}

/// Parses a file; once more where the first parse shows device functions that the text hides.
std::unique_ptr<SourceUnit> parseSides(const std::string& input, const Options& options,
                                       const InstallLayout& install, const ParsedHeaders* headers,
                                       ParseLog& log, const TextsByFile& texts, bool assembly) {
  std::vector<std::string> flags = options.clangFlags;
  if (assembly)
    flags.insert(flags.begin(), {"-include", install.headers + "/cu2cpp/ptx.h"});
  auto unit = parseCuda(install, input, flags, log, options.colours, {}, texts, headers);
  const DeviceBodiesByFile hidden = unit ? findHiddenSides(*unit) : DeviceBodiesByFile();
  return hidden.empty()
             ? std::move(unit)
             : parseCuda(install, input, flags, log, options.colours, hidden, texts, headers);
}

/// Whether a file of the user's has any of these words.
bool mentions(const SourceUnit& unit, std::initializer_list<const char*> words) {
  for (const std::string& file : unit.userFiles())
    for (const char* word : words)
      if (unit.userText(file).contains(word))
        return true;
  return false;
}

constexpr unsigned mostRounds = 20;

/// Parses a file once more with makePlain()'s forms, in rounds, until it finds no more of them.
std::unique_ptr<SourceUnit> parsePlain(const std::string& input, const Options& options,
                                       const InstallLayout& install, const ParsedHeaders* headers,
                                       ParseLog& log, std::unique_ptr<SourceUnit>& first,
                                       bool forCompilers, TextsByFile& texts,
                                       Rewritten& rewritten) {
  rewritten.emptied.clear();
  std::unique_ptr<SourceUnit> last;
  for (unsigned round = 0; round < mostRounds; ++round) {
    const SourceUnit& unit = last ? *last : *first;
    Facts functions;
    findFunctions(unit, functions);
    PlainTexts plain = makePlain(
        unit, functions, {options.sharedHeaders, options.separateCompilation, options.module},
        forCompilers);
    if (plain.texts.empty())
      break;
    TextsByFile next = texts;
    for (auto& [file, text] : plain.texts)
      next[file] = std::move(text);
    ParseLog second = log;
    auto parsed = parseSides(input, options, install, headers, second, next, false);
    if (!parsed) { // what a round writes does not mean the same there: those before it do
      if (!last)
        return nullptr;
      break;
    }
    last = std::move(parsed);
    log = std::move(second);
    texts = std::move(next);
    for (const auto& [file, lines] : plain.emptied)
      rewritten.emptied[file].insert(lines.begin(), lines.end());
  }
  return last ? std::move(last) : std::move(first);
}

/// Parses a file; once more with older programs' names kept apart from C++17's, with makePlain()'s
/// forms, with products of narrow numbers fused with
/// the sums they go into, with the waits that lanes need which rely on running in step, and with
/// C++ in the place of inline PTX.
std::unique_ptr<SourceUnit> parse(const std::string& input, const Options& options,
                                  const InstallLayout& install, ParseLog& log, Rewritten& rewritten,
                                  Diagnostics& diagnostics) {
  TextsByFile texts;
  if (const auto buffer = llvm::MemoryBuffer::getFile(input);
      buffer && llvm::StringRef(input).ends_with(".ptx")) {
    ptx::ModuleSource source = ptx::moduleSource((*buffer)->getBuffer().str());
    if (!source.error.empty()) {
      diagnostics.report(DiagId::PtxModule, {input, source.line, 1}, {source.error});
      return nullptr;
    }
    texts[input] = std::move(source.text);
    rewritten.assembly.byFile = texts; // the output needs what inline PTX needs
    return parseSides(input, options, install, nullptr, log, texts, true);
  }
  const ParsedHeaders parsed(install, input, options.clangFlags);
  const ParsedHeaders* const headers = &parsed;
  auto unit = parseSides(input, options, install, headers, log, texts, false);
  if (!unit && llvm::any_of(options.clangFlags, isOlderStandard)) {
    const TextsByFile qualified =
        qualifyOlderNames(*parseAsGiven(install, input, options.clangFlags));
    ParseLog second;
    if (!qualified.empty())
      unit = parseSides(input, options, install, headers, second, qualified, false);
    if (unit) { // else the first errors are the user's
      texts = qualified;
      log = second;
    }
  }
  // Without what does not mean the same there the program is what it was.
  const auto parseIfGood = [&](const TextsByFile& changed) {
    TextsByFile tried = texts;
    for (const auto& [file, text] : changed)
      tried[file] = text;
    ParseLog second = log;
    if (auto other = changed.empty()
                         ? nullptr
                         : parseSides(input, options, install, headers, second, tried, false)) {
      unit = std::move(other);
      texts = std::move(tried);
      log = std::move(second);
    }
  };
  if (unit && options.lineDirectives) {
    Facts functions;
    findFunctions(*unit, functions);
    parseIfGood(decideConditions(*unit, functions, options.sharedHeaders));
  }
  if (unit) {
    TextsByFile plain = texts;
    ParseLog second = log;
    auto other = parsePlain(input, options, install, headers, second, unit, options.lineDirectives,
                            plain, rewritten);
    if (!other && options.lineDirectives) { // what is written out does not mean the same there
      plain = texts;
      second = log;
      other = parsePlain(input, options, install, headers, second, unit, false, plain, rewritten);
    }
    unit = std::move(other);
    texts = std::move(plain);
    log = std::move(second);
  }
  if (unit && options.lineDirectives && mentions(*unit, {"__shared__"})) {
    Facts functions;
    findFunctions(*unit, functions);
    parseIfGood(readThroughTiles(*unit, functions));
  }
  if (unit && mentions(*unit, {"half", "bfloat16"})) {
    Facts functions;
    findFunctions(*unit, functions);
    const TextsByFile fused = fuseProducts(*unit, functions);
    for (const auto& [file, text] : fused)
      texts[file] = text;
    if (!fused.empty())
      unit = parseSides(input, options, install, headers, log, texts, false);
  }
  if (unit && mentions(*unit, {"volatile", "__shared__"})) {
    Facts functions;
    findFunctions(*unit, functions);
    ExplicitSteps steps = makeStepsExplicit(*unit, functions);
    for (const auto& [name, place] : steps.functions)
      diagnostics.report(DiagId::LanesInStep, place, {name});
    for (auto& [file, text] : steps.texts)
      texts[file] = std::move(text);
    if (!steps.texts.empty())
      unit = parseSides(input, options, install, headers, log, texts, false);
  }
  if (!unit || !mentions(*unit, {"asm"}))
    return unit;
  Facts functions;
  findFunctions(*unit, functions);
  rewritten.assembly = translateAssembly(*unit, functions);
  for (const AssemblyTexts::Uncalled& statement : rewritten.assembly.uncalled)
    diagnostics.report(DiagId::UncalledAssembly, statement.place,
                       {statement.function, statement.why});
  if (rewritten.assembly.byFile.empty())
    return unit;
  for (const auto& [file, text] : rewritten.assembly.byFile)
    texts[file] = text;
  return parseSides(input, options, install, headers, log, texts, true);
}

/// Finds an output that is one of the files read: nothing may be written over the user's sources.
void findOverwritten(const Outputs& outputs, const std::set<std::string>& sources,
                     Diagnostics& diagnostics) {
  for (const auto& [output, body] : outputs)
    for (const std::string& source : sources)
      if (llvm::sys::fs::equivalent(output, source))
        diagnostics.report(DiagId::OutputUnwritable, {},
                           {output, "it is a source file of this translation"});
}

/// Planned holds everything that the stages up to `plan` make of one file. The later members point
/// into the earlier ones.
struct Planned {
  FileSummary summary;
  Diagnostics diagnostics;
  ParseLog log;
  Rewritten rewritten;
  std::unique_ptr<SourceUnit> unit; ///< null where the file does not compile
  Facts facts;
  std::optional<SourceText> text;
  EditList edits;
};

/// Lines that makePlain() has emptied do not go to the output.
void removeEmptied(const SourceUnit& unit, const std::map<std::string, std::set<unsigned>>& emptied,
                   EditList& edits) {
  for (const auto& [file, lines] : emptied) {
    const llvm::StringRef text = unit.userText(file);
    unsigned line = 0;
    for (std::size_t begin = 0; begin < text.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      if (lines.count(line))
        edits.replace({file, unsigned(begin), unsigned(end)}, "", true);
      begin = end;
    }
  }
}

/// Whether a file of the user's has `texture<...>` or `surface<...>`, or a macro for one.
bool namesReferences(const SourceUnit& unit) {
  for (const std::string& file : unit.userFiles())
    for (const llvm::StringRef name : {"texture", "surface"}) {
      const llvm::StringRef text = unit.userText(file);
      for (std::size_t at = text.find(name); at != llvm::StringRef::npos;
           at = text.find(name, at + 1))
        if (text.substr(at + name.size()).ltrim().starts_with("<") ||
            text.take_front(at).rsplit('\n').second.ltrim().starts_with("#"))
          return true;
    }
  return false;
}

/// The macros that take names out of the headers where a file's errors are about them.
std::vector<std::string> namesInTheWay(llvm::StringRef messages) {
  std::vector<std::string> macros;
  for (const auto& [name, macro] :
       {std::pair("'surface'", "CU2CPP_OWN_SURFACE"), std::pair("'texture'", "CU2CPP_OWN_TEXTURE")})
    if (messages.contains(name))
      macros.push_back(macro);
  return macros;
}

/// Parses a file; once more without texture and surface references where it has the names for
/// something of its own.
std::unique_ptr<SourceUnit> parseOwnNames(const std::string& input, const Options& options,
                                          const InstallLayout& install, Planned& file) {
  auto unit = parse(input, options, install, file.log, file.rewritten, file.diagnostics);
  if (unit)
    return unit;
  Options without = options;
  Planned second;
  second.rewritten.ownNames = namesInTheWay(file.log.messages);
  for (const std::string& macro : second.rewritten.ownNames)
    without.clangFlags.push_back("-D" + macro + "=1");
  if (!second.rewritten.ownNames.empty())
    unit = parse(input, without, install, second.log, second.rewritten, second.diagnostics);
  if (unit) { // else the first errors are the user's
    file.log = std::move(second.log);
    file.rewritten = std::move(second.rewritten);
    file.diagnostics = std::move(second.diagnostics);
  }
  return unit;
}

void planFile(const std::string& input, const Options& options, const InstallLayout& install,
              Planned& file) {
  Diagnostics& diagnostics = file.diagnostics;
  FileSummary& summary = file.summary;
  summary.input = input;
  if (isReadableText(input, diagnostics))
    file.unit = parseOwnNames(input, options, install, file);
  if (!file.unit) {
    if (diagnostics.all().empty())
      diagnostics.report(DiagId::ParseFailed, {}, {input});
    summary.failed = true;
    summary.diagnostics = diagnostics.all();
    return;
  }
  const SourceUnit& unit = *file.unit;
  file.rewritten.namesReferences = namesReferences(unit);
  file.facts = analyse(unit, options);
  SourceText& text = file.text.emplace(unit);
  Plan planned{unit, text, file.facts, options, {}, file.edits, diagnostics, {}};
  plan(planned, text);
  removeEmptied(unit, file.rewritten.emptied, file.edits);
  for (const FileRange& lines : file.rewritten.assembly.padding)
    file.edits.replace(lines, "", true);
  for (const auto& [place, newLine] : file.rewritten.assembly.lineBreaks)
    file.edits.replace({place.file, place.offset, place.offset}, newLine, true);
  for (const auto& [function, choice] : planned.forms) {
    const std::string name = function->decl->getQualifiedNameAsString();
    const Place place = unit.placeOf(function->decl->getLocation());
    summary.kernels.push_back({name, place, nameOf(choice.form), choice.reason});
    if (choice.form == Form::Fibers)
      diagnostics.report(DiagId::RunsOnFibers, place, {name, choice.reason});
  }
  if (options.analyzeOnly)
    for (const SlowSpot& spot : findSlowSpots(unit, file.facts))
      diagnostics.report(DiagId::SlowSpot, unit.placeOf(spot.at), {spot.what});
  std::sort(summary.kernels.begin(), summary.kernels.end(),
            [](const KernelSummary& a, const KernelSummary& b) {
              return std::tie(a.place.file, a.place.line) < std::tie(b.place.file, b.place.line);
            });
}

/// What stands behind the text of a translated source.
std::string endOf(const Planned& file, const Options& options) {
  return registeredLimits(*file.unit, file.facts) + constantVariables(file.facts) +
         (options.module ? exportedNames(file.facts) : managedVariables(file.facts));
}

void translateFile(const std::string& input, const Options& options, const OutputLayout& layout,
                   const InstallLayout& install, Outputs& outputs, std::set<std::string>& sources,
                   FileSummary& summary) {
  Planned file;
  planFile(input, options, install, file);
  llvm::errs() << file.log.messages;
  if (!file.unit) {
    summary = std::move(file.summary);
    return;
  }
  for (const std::string& source : file.unit->userFiles())
    sources.insert(source);
  if (options.dumpAfter == "analyse")
    llvm::outs() << factsAsText(*file.unit, file.facts);
  if (options.dumpAfter == "plan")
    llvm::outs() << editsAsText(*file.unit, file.edits);
  llvm::outs().flush();
  Diagnostics& diagnostics = file.diagnostics;
  std::vector<std::string> written;
  Outputs rendered = apply(*file.unit, *file.text, file.rewritten, options, layout, file.edits,
                           endOf(file, options), outputs, written, diagnostics);
  if (!mayWriteOver(written.front(), options))
    diagnostics.report(DiagId::OutputUnwritable, {},
                       {written.front(), "a file of yours is there; choose a place with -o"});
  file.summary.outputs = written;
  if (!options.depFile.empty())
    rendered[options.depFile] = depFileText(written.front(), file.unit->userFiles());
  outputs.insert(rendered.begin(), rendered.end());
  summary = std::move(file.summary);
  summary.failed = diagnostics.has(Severity::Error);
  summary.diagnostics = diagnostics.all();
}

/// The functions of a unit's files as ranges of text: what is decided about one is decided as a
/// whole.
void addFunctionRanges(const Planned& planned, UnitEdits& result) {
  for (const auto& [place, function] : planned.facts.functions) {
    const clang::FunctionDecl* decl = function.decl;
    const clang::FunctionTemplateDecl* pattern = decl->getDescribedFunctionTemplate();
    const auto range =
        planned.text->rangeOf(pattern ? pattern->getSourceRange() : decl->getSourceRange());
    if (!range || !result.files.count(range->file))
      continue;
    const bool instantiated = !decl->isDependentContext() || function.bodies.size() > 1;
    result.files[range->file].functions.push_back({{range->begin, range->end}, instantiated});
  }
}

} // namespace

UnitEdits translateUnit(const std::string& input, const Options& options,
                        const InstallLayout& install) {
  UnitEdits result;
  Planned planned;
  Options ofProject = options;
  ofProject.sharedHeaders = true;
  planFile(input, ofProject, install, planned);
  result.messages = std::move(planned.log.messages);
  result.userFiles.assign(planned.log.userFiles.begin(), planned.log.userFiles.end());
  result.absentFiles.assign(planned.log.absentFiles.begin(), planned.log.absentFiles.end());
  result.summary = planned.summary;
  if (!planned.unit)
    return result;
  const SourceUnit& unit = *planned.unit;
  result.mainFile = unit.mainFile();
  result.includes = unit.includes();
  for (const std::string& path : unit.userFiles()) {
    FileEdits& file = result.files[path];
    // Where inline PTX or lanes in step were replaced, edits are about another text.
    const auto onDisk = llvm::MemoryBuffer::getFile(path);
    file.ownText = !onDisk || (*onDisk)->getBuffer() != unit.userText(path);
    if (file.ownText)
      file.text = unit.userText(path).str();
    const auto edited = planned.edits.byFile().find(path);
    if (edited != planned.edits.byFile().end())
      file.edits = edited->second;
    file.skipped = unit.skippedRanges(path);
  }
  addFunctionRanges(planned, result);
  result.head = headOf(unit.mainFile(), planned.rewritten);
  result.end = endOf(planned, options);
  result.summary.failed = planned.diagnostics.has(Severity::Error);
  result.summary.diagnostics = planned.diagnostics.all();
  return result;
}

std::map<std::string, std::string> namesOfHeaders(const InstallLayout& install) {
  llvm::SmallString<128> path;
  int descriptor = -1;
  if (llvm::sys::fs::createTemporaryFile("cu2cpp-names", "cu", descriptor, path))
    return {};
  {
    llvm::raw_fd_ostream file(descriptor, true);
    for (const char* header :
         {"cuda_runtime.h", "cuda.h", "cublas_v2.h", "cublasLt.h", "curand.h", "curand_kernel.h",
          "cuda_fp16.h", "cuda_bf16.h", "cuda_fp4.h", "cuComplex.h", "nvrtc.h", "nvToolsExt.h",
          "cuda_profiler_api.h", "cufft.h", "cusparse.h", "cusolverDn.h", "nccl.h", "nvml.h"})
      file << "#if __has_include(<" << header << ">)\n#include <" << header << ">\n#endif\n";
  }
  ParseLog log;
  std::map<std::string, std::string> names;
  if (const auto unit = parseCuda(install, std::string(path), {}, log, false))
    names = findKnownNames(*unit);
  llvm::sys::fs::remove(path);
  return names;
}

int translate(const Options& options) {
  const InstallLayout install = findInstallLayout(options.program);
  std::vector<std::string> inputs;
  for (const std::string& input : options.inputs) {
    llvm::SmallString<256> real;
    inputs.push_back(llvm::sys::fs::real_path(input, real) ? input : std::string(real));
  }
  const OutputLayout layout(options, inputs);
  Outputs outputs;
  std::set<std::string> sources;
  std::vector<FileSummary> files(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    translateFile(inputs[i], options, layout, install, outputs, sources, files[i]);
    files[i].input = options.inputs[i];
  }
  bool failed =
      std::any_of(files.begin(), files.end(), [](const FileSummary& f) { return f.failed; });
  suppress(files, options.suppress);
  if (!failed) {
    if (!options.reportFile.empty())
      outputs[options.reportFile] = reportAsJson(files);
    if (!options.sarifFile.empty())
      outputs[options.sarifFile] =
          reportAsSarif(files, llvm::sys::path::parent_path(inputs.front()).str());
    Diagnostics writing;
    findOverwritten(outputs, sources, writing);
    if (writing.has(Severity::Error) || !writeFiles(outputs, writing)) {
      failed = true;
      files.back().failed = true;
      files.back().diagnostics.insert(files.back().diagnostics.end(), writing.all().begin(),
                                      writing.all().end());
    }
  }
  reportOnTerminal(files, options.quiet || failed, options.colours);
  if (failed || isReported(files, options.failOn))
    return 2;
  const bool unsupported = std::any_of(files.begin(), files.end(), [](const FileSummary& f) {
    return std::any_of(f.diagnostics.begin(), f.diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::Unsupported; });
  });
  return unsupported ? 1 : 0;
}

} // namespace cu2cpp
