// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snippet.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "analyse/analyses.h"
#include "analyse/regions.h"
#include "analyse/uniformity.h"
#include "parse/cuda_invocation.h"
#include "parse/source_unit.h"
#include "pipeline.h"
#include "plan/execution_form.h"

namespace fs = std::filesystem;

namespace cu2cpp::test {

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "cu2cpp-test-XXXXXX").string();
  CU2CPP_CHECK(mkdtemp(name.data()));
  path_ = fs::canonical(name).string();
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  fs::create_directories(fs::path(path(name)).parent_path());
  std::ofstream(path(name)) << text;
  return path(name);
}

std::vector<std::string> TemporaryFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_))
    if (entry.is_regular_file())
      names.push_back(fs::relative(entry.path(), path_).string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string readFile(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct Snippet::State {
  TemporaryFolder folder;
  ParseLog log;
  std::unique_ptr<SourceUnit> unit;
  Facts facts;

  const FunctionFacts& function(const std::string& name) const {
    const FunctionFacts* found = nullptr;
    for (const auto& [place, f] : facts.functions)
      if (f.decl->getNameAsString() == name && !found)
        found = &f;
    if (!found)
      throw std::runtime_error("no function '" + name + "'\n" + log.messages);
    return *found;
  }
  static const clang::VarDecl* variable(const Uniformity& uniformity, const std::string& name) {
    for (const auto& [decl, local] : uniformity.variables())
      if (decl->getNameAsString() == name)
        return decl;
    return nullptr;
  }
};

Snippet::Snippet(const std::string& code) : state_(std::make_unique<State>()) {
  State& s = *state_;
  const InstallLayout layout =
      findInstallLayout("/nonexistent/bin/cu2cpp"); // the source tree's headers
  s.unit = parseCuda(layout, s.folder.write("snippet.cu", code), {}, s.log, false);
  if (!s.unit)
    return;
  findFunctions(*s.unit, s.facts);
  findLaunches(*s.unit, s.facts);
  findModifiedParameters(s.facts);
  findSharedStorage(s.facts);
  propagateCalls(s.facts);
  findPollingLoops(s.facts);
  findRegions(*s.unit, s.facts);
}

Snippet::~Snippet() = default;

bool Snippet::parsed() const { return state_->unit != nullptr; }
const std::string& Snippet::messages() const { return state_->log.messages; }

std::string Snippet::builtins(const std::string& function) const {
  const unsigned bits = state_->function(function).builtins;
  std::string out;
  for (const auto& [bit, name] : {std::pair<unsigned, const char*>{ThreadIdx, "threadIdx"},
                                  {BlockIdx, "blockIdx"},
                                  {BlockDim, "blockDim"},
                                  {GridDim, "gridDim"}})
    if (bits & bit)
      out += (out.empty() ? "" : " ") + std::string(name);
  return out;
}

std::string Snippet::modifiedParameters(const std::string& function) const {
  std::string out;
  for (const clang::ParmVarDecl* parameter : state_->function(function).modifiedParameters)
    out += (out.empty() ? "" : " ") + parameter->getNameAsString();
  return out;
}

std::string Snippet::reached(const std::string& function) const {
  const Collective& reached = state_->function(function).reached;
  const char* const names[] = {"", "tile ", "warp ", "block ", "cluster ", "grid "};
  return names[static_cast<int>(reached.scope)] + reached.name;
}

bool Snippet::publishesThread(const std::string& function) const {
  return state_->function(function).publishesThread;
}
bool Snippet::isKernel(const std::string& function) const {
  return state_->function(function).kernel;
}

std::string Snippet::shared(const std::string& function, const std::string& variable) const {
  for (const SharedVariable& shared : state_->function(function).shared)
    if (shared.decl->getNameAsString() == variable)
      return shared.dynamic ? "dynamic" : shared.movable ? "movable" : "in place";
  return "";
}

std::size_t Snippet::launches() const { return state_->facts.launches.size(); }
std::size_t Snippet::kernelAddresses() const { return state_->facts.kernelAddresses.size(); }

std::vector<std::string> Snippet::unsupported() const {
  std::vector<std::string> out;
  for (const UnsupportedUse& use : state_->facts.unsupported)
    out.push_back(use.name + ": " + use.why);
  return out;
}

bool Snippet::isUniform(const std::string& kernel, const std::string& variable) const {
  const Uniformity uniformity(state_->function(kernel).decl, {}, &state_->facts);
  const clang::VarDecl* decl = State::variable(uniformity, variable);
  CU2CPP_CHECK(decl);
  return uniformity.find(decl)->uniform;
}

bool Snippet::isUniformValue(const std::string& kernel, const std::string& variable) const {
  const Uniformity uniformity(state_->function(kernel).decl, {}, &state_->facts);
  const clang::VarDecl* decl = State::variable(uniformity, variable);
  CU2CPP_CHECK(decl && decl->hasInit());
  return uniformity.isUniform(decl->getInit());
}

std::string Snippet::storage(const std::string& kernel, const std::string& variable) const {
  const auto& regions = state_->function(kernel).regions;
  if (!regions || !regions->obstacle.empty())
    return "obstacle";
  for (const auto& [decl, storage] : regions->storage)
    if (decl->getNameAsString() == variable)
      return storage == Storage::Block        ? "block"
             : storage == Storage::Recomputed ? "recomputed"
             : storage == Storage::Restated   ? "restated"
             : storage == Storage::Fresh      ? "fresh"
             : storage == Storage::PerLane    ? "per lane"
                                              : "per thread";
  return "region";
}

namespace {

std::string describe(const std::vector<RegionNode>& nodes) {
  std::string out;
  for (const RegionNode& node : nodes) {
    out += out.empty() ? "" : " ";
    const char* const names[] = {"region", "barrier", "call",  "statement", "shared", "loop",
                                 "branch", "switch",  "label", "block",     "warps"};
    const auto kind = static_cast<std::size_t>(node.kind);
    out += kind < std::size(names) ? names[kind] : "?";
    if (!node.children.empty())
      out += "(" + describe(node.children) + ")";
    if (!node.otherwise.empty())
      out += " else(" + describe(node.otherwise) + ")";
  }
  return out;
}

ForcedForm forcedForm(const std::string& name) {
  return name == "fibers"       ? ForcedForm::Fibers
         : name == "fibers-all" ? ForcedForm::FibersAll
         : name == "loop"       ? ForcedForm::Loop
         : name == "split"      ? ForcedForm::Split
                                : ForcedForm::Auto;
}

} // namespace

std::string Snippet::regions(const std::string& kernel) const {
  const auto& regions = state_->function(kernel).regions;
  if (!regions)
    return "";
  return regions->obstacle.empty() ? describe(regions->nodes) : "obstacle: " + regions->obstacle;
}

std::string Snippet::form(const std::string& kernel, const std::string& forced) const {
  return nameOf(chooseForm(state_->function(kernel), forcedForm(forced)).form);
}

std::string Snippet::reason(const std::string& kernel) const {
  return chooseForm(state_->function(kernel), ForcedForm::Auto).reason;
}

Translated translateText(const std::string& code, const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  Options o;
  o.program = "/nonexistent/bin/cu2cpp";
  o.inputs = {folder.write("input.cu", code)};
  o.output = folder.path("output.cpp");
  o.reportFile = folder.path("report.json");
  o.quiet = true;
  for (const std::string& option : options) {
    if (option == "--line-directives")
      o.lineDirectives = true;
    else if (option.rfind("--dump-after=", 0) == 0)
      o.dumpAfter = option.substr(13);
    else
      o.form = forcedForm(option);
  }
  Translated out;
  out.exitCode = translate(o);
  out.text = readFile(o.output);
  out.report = readFile(o.reportFile);
  return out;
}

} // namespace cu2cpp::test
