// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes facts and edits as indented lines.
#include "dump_stages.h"

#include "llvm/ADT/StringExtras.h"

#include "analyse/regions.h"

namespace cu2cpp {
namespace {

const char* nameOf(Scope scope) {
  switch (scope) {
  case Scope::None:
    return "none";
  case Scope::Tile:
    return "tile";
  case Scope::Warp:
    return "warp";
  case Scope::Block:
    return "block";
  case Scope::Cluster:
    return "cluster";
  case Scope::Grid:
    return "grid";
  }
  return "";
}

const char* nameOf(RegionNode::Kind kind) {
  using Kind = RegionNode::Kind;
  switch (kind) {
  case Kind::Region:
    return "region";
  case Kind::Barrier:
    return "barrier";
  case Kind::Call:
    return "call";
  case Kind::Statement:
    return "once for the group";
  case Kind::Shared:
    return "shared variable";
  case Kind::Loop:
    return "loop";
  case Kind::Branch:
    return "branch";
  case Kind::Switch:
    return "switch";
  case Kind::Label:
    return "label";
  case Kind::Block:
    return "braces";
  case Kind::Warps:
    return "loop over warps";
  }
  return "";
}

const char* nameOf(Storage storage) {
  switch (storage) {
  case Storage::Block:
    return "one for the group";
  case Storage::Recomputed:
    return "recomputed";
  case Storage::Strided:
    return "strided";
  case Storage::Restated:
    return "restated";
  case Storage::Fresh:
    return "fresh in each region";
  case Storage::PerThread:
    return "one for each thread";
  case Storage::PerLane:
    return "one for each lane";
  }
  return "";
}

/// "file:12", with nothing for what has no place.
std::string placeText(const SourceUnit& unit, clang::SourceLocation at) {
  const Place place = unit.placeOf(at);
  const std::string file = place.file.substr(place.file.rfind('/') + 1);
  return file.empty() ? "" : file + ":" + std::to_string(place.line);
}

void addNodes(const SourceUnit& unit, const std::vector<RegionNode>& nodes,
              const std::string& indent, std::string& text) {
  for (const RegionNode& node : nodes) {
    const clang::Stmt* first = node.statement            ? node.statement
                               : node.statements.empty() ? nullptr
                                                         : node.statements.front();
    text += indent + nameOf(node.kind);
    if (first)
      text += " " + placeText(unit, first->getBeginLoc());
    text += node.masked ? " (masked)" : node.strided ? " (strided)" : "";
    text += "\n";
    addNodes(unit, node.children, indent + "  ", text);
    if (!node.otherwise.empty()) {
      text += indent + "else\n";
      addNodes(unit, node.otherwise, indent + "  ", text);
    }
  }
}

void addFunction(const SourceUnit& unit, const FunctionFacts& function, std::string& text) {
  text += std::string(function.kernel   ? "kernel "
                      : function.device ? "device function "
                                        : "host ") +
          function.decl->getQualifiedNameAsString() + " " +
          placeText(unit, function.decl->getLocation()) + "\n";
  if (function.reached.scope != Scope::None)
    text += std::string("  meets: ") + nameOf(function.reached.scope) + ", in " +
            function.reached.name + " " + placeText(unit, function.reached.at) + "\n";
  for (const clang::FunctionDecl* callee : function.callees)
    text += "  calls: " + callee->getQualifiedNameAsString() + "\n";
  for (const SharedVariable& shared : function.shared)
    text += std::string("  ") + (shared.dynamic ? "dynamic" : "static") +
            " shared: " + shared.decl->getNameAsString() +
            (shared.movable ? "" : " (stays where it is)") + (shared.turned ? " (turned)" : "") +
            (shared.skewed != SharedVariable::Skew::None ? " (skewed)" : "") + "\n";
  if (!function.regions)
    return;
  const Regions& regions = *function.regions;
  if (!regions.obstacle.empty())
    text += "  not split: " + regions.obstacle + " " + placeText(unit, regions.obstacleAt) + "\n";
  addNodes(unit, regions.nodes, "  ", text);
  std::map<std::string, std::string> variables; // by name: the map's own order is by address
  for (const auto& [variable, storage] : regions.storage)
    variables[variable->getNameAsString() + " " + placeText(unit, variable->getLocation())] =
        nameOf(storage);
  for (const auto& [variable, storage] : variables)
    text += "  variable " + variable + ": " + storage + "\n";
}

} // namespace

std::string factsAsText(const SourceUnit& unit, const Facts& facts) {
  std::string text;
  for (const auto& [place, function] : facts.functions)
    if (function.kernel || function.device)
      addFunction(unit, function, text);
  return text;
}

std::string editsAsText(const SourceUnit& unit, const EditList& edits) {
  const auto quoted = [](llvm::StringRef words) {
    std::string out = "\"";
    for (const char c : words)
      out += c == '\n' ? "\\n" : c == '"' ? "\\\"" : std::string(1, c);
    return out + "\"";
  };
  std::string text;
  for (const auto& [file, list] : edits.byFile())
    for (const Edit& edit : list) {
      const llvm::StringRef all = unit.userText(file);
      const llvm::StringRef before = all.take_front(edit.begin);
      text +=
          file.substr(file.rfind('/') + 1) + ":" + std::to_string(before.count('\n') + 1) + ":" +
          std::to_string(before.size() - (before.rfind('\n') + 1) + 1) + ": " +
          (edit.begin == edit.end ? "insert"
                                  : "replace " + quoted(all.slice(edit.begin, edit.end)) + " by") +
          " " + quoted(edit.text) + "\n";
    }
  return text;
}

} // namespace cu2cpp
