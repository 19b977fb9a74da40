// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/write_project.h"

#include <filesystem>

namespace fs = std::filesystem;

namespace cu2cpp {

WritePlan planWriting(const RenderedProject& project, bool overwrite, ProjectState& state,
                      Diagnostics& diagnostics) {
  WritePlan plan;
  HashByPath outputs, pending;
  for (const auto& [path, text] : project.textByOutput) {
    const std::string wanted = hashOf(text), onDisk = hashOfFile(path);
    const auto last = state.outputs.find(path);
    const std::string written = last == state.outputs.end() ? std::string() : last->second;
    if (onDisk.empty() || onDisk == wanted || onDisk == written || overwrite) {
      outputs[path] = wanted;
      if (onDisk == wanted) {
        ++plan.unchanged;
        continue;
      }
      plan.texts[path] = text;
      (onDisk.empty() ? plan.created : plan.changed).push_back(path);
      continue;
    }
    // Somebody else changed it.
    const std::string beside = path + ".cu2cpp-new";
    const auto waiting = state.pending.find(path);
    const bool merged =
        waiting != state.pending.end() && waiting->second == wanted && !fs::exists(beside);
    if (wanted == written || merged) {
      outputs[path] = wanted;
      plan.kept.push_back(path);
      continue;
    }
    if (!written.empty())
      outputs[path] = written;
    pending[path] = wanted;
    plan.conflicts.push_back(path);
    plan.texts[beside] = text;
    const auto source = project.sourceOf.find(path);
    diagnostics.report(DiagId::ForeignChanges,
                       {source == project.sourceOf.end() ? path : source->second, 0, 0},
                       {path, beside});
  }
  // Outputs whose source is gone: only what is still as it was written goes with it.
  for (const auto& [path, hash] : state.outputs)
    if (!project.textByOutput.count(path) && hashOfFile(path) == hash)
      plan.removed.push_back(path);
  state.outputs = std::move(outputs);
  state.pending = std::move(pending);
  return plan;
}

} // namespace cu2cpp
