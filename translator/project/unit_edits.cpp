// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/unit_edits.h"

#include <nlohmann/json.hpp>

namespace cu2cpp {
namespace {

using nlohmann::json;

json packPlace(const Place& p) { return json::array({p.file, p.line, p.column}); }
Place unpackPlace(const json& j) { return {j.at(0), j.at(1), j.at(2)}; }

json packFile(const FileEdits& file) {
  json edits = json::array(), skipped = json::array(), functions = json::array();
  for (const Edit& e : file.edits)
    edits.push_back({e.begin, e.end, e.text, e.yields});
  for (const OffsetRange& r : file.skipped)
    skipped.push_back({r.first, r.second});
  for (const FunctionRange& f : file.functions)
    functions.push_back({f.range.first, f.range.second, f.instantiated});
  return {{"text", file.text},
          {"own", file.ownText},
          {"edits", edits},
          {"skipped", skipped},
          {"functions", functions}};
}

FileEdits unpackFile(const json& j) {
  FileEdits file;
  file.text = j.at("text");
  file.ownText = j.at("own");
  for (const json& e : j.at("edits"))
    file.edits.push_back({e.at(0), e.at(1), e.at(2), e.at(3)});
  for (const json& r : j.at("skipped"))
    file.skipped.push_back({r.at(0), r.at(1)});
  for (const json& f : j.at("functions"))
    file.functions.push_back({{f.at(0), f.at(1)}, f.at(2)});
  return file;
}

json packSummary(const FileSummary& s) {
  json kernels = json::array(), diagnostics = json::array();
  for (const KernelSummary& k : s.kernels)
    kernels.push_back({k.name, packPlace(k.place), k.form, k.reason});
  for (const Diagnostic& d : s.diagnostics)
    diagnostics.push_back(
        {static_cast<int>(d.id), static_cast<int>(d.severity), packPlace(d.place), d.text, d.hint});
  return {
      {"input", s.input}, {"kernels", kernels}, {"diagnostics", diagnostics}, {"failed", s.failed}};
}

FileSummary unpackSummary(const json& j) {
  FileSummary s;
  s.input = j.at("input");
  s.failed = j.at("failed");
  for (const json& k : j.at("kernels"))
    s.kernels.push_back({k.at(0), unpackPlace(k.at(1)), k.at(2), k.at(3)});
  for (const json& d : j.at("diagnostics"))
    s.diagnostics.push_back({static_cast<DiagId>(d.at(0).get<int>()),
                             static_cast<Severity>(d.at(1).get<int>()), unpackPlace(d.at(2)),
                             d.at(3), d.at(4)});
  return s;
}

} // namespace

std::string packUnit(const UnitEdits& unit) {
  json files = json::object(), includes = json::array();
  for (const auto& [path, file] : unit.files)
    files[path] = packFile(file);
  for (const IncludeDirective& i : unit.includes)
    includes.push_back(
        {i.includer, i.offset, i.length, i.spelled, i.angled, i.resolved, i.resolvedIsUser});
  const json all = {{"main", unit.mainFile},
                    {"userFiles", unit.userFiles},
                    {"absent", unit.absentFiles},
                    {"includes", includes},
                    {"files", files},
                    {"head", unit.head},
                    {"end", unit.end},
                    {"messages", unit.messages},
                    {"summary", packSummary(unit.summary)}};
  std::string bytes;
  json::to_cbor(all, bytes);
  return bytes;
}

bool unpackUnit(const std::string& bytes, UnitEdits& unit) {
  // A process that died half-way, or a damaged state file, leaves bytes that do not read.
  try {
    const json all = json::from_cbor(bytes);
    unit.mainFile = all.at("main");
    unit.userFiles = all.at("userFiles").get<std::vector<std::string>>();
    unit.absentFiles = all.at("absent").get<std::vector<std::string>>();
    for (const json& i : all.at("includes"))
      unit.includes.push_back({i.at(0), i.at(1), i.at(2), i.at(3), i.at(4), i.at(5), i.at(6)});
    for (const auto& [path, file] : all.at("files").items())
      unit.files[path] = unpackFile(file);
    unit.head = all.at("head");
    unit.end = all.at("end");
    unit.messages = all.at("messages");
    unit.summary = unpackSummary(all.at("summary"));
  } catch (const nlohmann::json::exception&) {
    return false;
  }
  return true;
}

} // namespace cu2cpp
