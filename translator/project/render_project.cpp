// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/render_project.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "llvm/Support/MemoryBuffer.h"

#include "apply/apply_edits.h"
#include "pipeline.h"
#include "project/merge_edits.h"

namespace fs = std::filesystem;

namespace cu2cpp {
namespace {

std::string directoryOf(const std::string& path) { return fs::path(path).parent_path().string(); }
std::string nameOf(const std::string& path) { return fs::path(path).filename().string(); }

class Renderer {
public:
  Renderer(const std::vector<UnitEdits>& units, const ProjectLayout& layout,
           Diagnostics& diagnostics)
      : units_(units), layout_(layout), diagnostics_(diagnostics) {}

  RenderedProject render() {
    findUsers();
    chooseFiles();
    divide();
    nameOutputs();
    for (const auto& [file, users] : users_)
      if (emitted_.count(file))
        renderFile(file, users);
    result_.mainOutputs.resize(units_.size());
    for (std::size_t u = 0; u < units_.size(); ++u)
      if (!units_[u].mainFile.empty())
        result_.mainOutputs[u] = output(units_[u].mainFile, u);
    return std::move(result_);
  }

private:
  using Key = std::string; ///< names a version of a file; empty for the common one

  void findUsers() {
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (units_[u].summary.failed)
        continue;
      mains_.insert(units_[u].mainFile);
      for (const auto& [file, edits] : units_[u].files)
        users_[file].push_back(u);
    }
  }

  bool isEdited(const std::string& file) const {
    const auto& users = users_.at(file);
    return std::any_of(users.begin(), users.end(), [&](std::size_t u) {
      return !units_[u].files.at(file).edits.empty() || units_[u].files.at(file).ownText;
    });
  }

  /// In a mirrored tree every file of the tree comes along; beside the sources only what changes,
  /// and what includes a file whose name changes.
  void chooseFiles() {
    for (const auto& [file, users] : users_)
      if (mains_.count(file) || isEdited(file) || (!layout_.inPlace() && layout_.isInside(file)))
        emitted_.insert(file);
    for (bool grown = true; grown;) {
      grown = false;
      for (const UnitEdits& unit : units_)
        for (const IncludeDirective& i : unit.includes)
          if (emitted_.count(i.resolved) && !emitted_.count(i.includer) && users_.count(i.includer))
            grown |= emitted_.insert(i.includer).second;
    }
  }

  /// Divides the users of each file into groups that can share a text. A file that includes one
  /// with several versions has several itself.
  void divide() {
    std::map<std::size_t, Key> keyOf; // unit -> the groups it is in, other than the first
    for (const auto& [file, users] : users_) {
      if (!emitted_.count(file) || users.size() < 2)
        continue;
      std::vector<const FileEdits*> wanted;
      for (const std::size_t u : users)
        wanted.push_back(&units_[u].files.at(file));
      std::optional<unsigned> at;
      const std::vector<std::size_t> groups = groupEdits(wanted, at);
      if (!mains_.count(file) && !at)
        ++result_.sharedHeaders;
      if (at)
        conflictAt_[file] = *at;
      for (std::size_t i = 0; i < users.size(); ++i)
        if (groups[i] > 0) {
          keyOf[users[i]] += layout_.shortName(file) + "#" + std::to_string(groups[i]) + ";";
          special_.insert({file, users[i]});
        }
    }
    for (const auto& [u, key] : keyOf)
      for (bool grown = true; grown;) {
        grown = false;
        for (const IncludeDirective& i : units_[u].includes)
          if (special_.count({i.resolved, u}) && users_.count(i.includer))
            grown |= special_.insert({i.includer, u}).second;
      }
    keyOf_ = std::move(keyOf);
  }

  Key keyOf(const std::string& file, std::size_t unit) const {
    return special_.count({file, unit}) ? keyOf_.at(unit) : Key();
  }

  void nameOutputs() {
    for (const auto& [file, users] : users_) {
      if (!emitted_.count(file))
        continue;
      const bool main = mains_.count(file) != 0;
      const std::string plain = layout_.outputOf(file, main);
      std::vector<Key> keys;
      for (const std::size_t u : users) {
        const Key key = keyOf(file, u);
        if (std::find(keys.begin(), keys.end(), key) != keys.end())
          continue;
        keys.push_back(key);
        std::string name = plain;
        // The common version has the plain name; a source with one version has it anyway.
        if (main ? keys.size() > 1 : !key.empty()) {
          const fs::path path(plain);
          const std::string mark = main ? "variant" + std::to_string(keys.size())
                                        : fs::path(units_[u].mainFile).stem().string();
          name =
              (path.parent_path() / (path.stem().string() + "." + mark + path.extension().string()))
                  .string();
          report(file, users.front(), u, name, main);
        }
        // Two units of one name in different folders.
        for (unsigned n = 2; result_.sourceOf.count(name) && name != plain; ++n) {
          const fs::path path(name);
          name = (path.parent_path() /
                  (path.stem().string() + std::to_string(n) + path.extension().string()))
                     .string();
        }
        if (result_.sourceOf.count(name))
          diagnostics_.report(DiagId::OutputTaken, {}, {name, result_.sourceOf[name], file});
        result_.sourceOf[name] = file;
        result_.outputOf.emplace(file, name);
        outputs_[{file, key}] = name;
      }
    }
  }

  void report(const std::string& file, std::size_t first, std::size_t other,
              const std::string& name, bool main) {
    Place place{file, 0, 0};
    if (const auto at = conflictAt_.find(file); at != conflictAt_.end()) {
      const std::string& text = original(file, other);
      place.line = 1 + unsigned(std::count(
                           text.begin(),
                           text.begin() + std::min<std::ptrdiff_t>(at->second, text.size()), '\n'));
      place.column = 1;
    }
    if (main)
      diagnostics_.report(DiagId::SourceVariants, place, {layout_.shortName(file), name});
    else if (conflictAt_.count(file))
      diagnostics_.report(DiagId::HeaderVersions, place,
                          {layout_.shortName(file), layout_.shortName(units_[other].mainFile),
                           layout_.shortName(units_[first].mainFile), name});
  }

  const std::string& output(const std::string& file, std::size_t unit) const {
    static const std::string none;
    const auto found = outputs_.find({file, keyOf(file, unit)});
    return found == outputs_.end() ? none : found->second;
  }

  const std::string& original(const std::string& file, std::size_t unit) {
    const FileEdits& edits = units_[unit].files.at(file);
    if (edits.ownText)
      return edits.text;
    auto [text, added] = onDisk_.try_emplace(file);
    if (added)
      if (const auto buffer = llvm::MemoryBuffer::getFile(file))
        text->second = (*buffer)->getBuffer().str();
    return text->second;
  }

  void renderFile(const std::string& file, const std::vector<std::size_t>& users) {
    std::map<Key, std::vector<std::size_t>> byKey;
    for (const std::size_t u : users)
      byKey[keyOf(file, u)].push_back(u);
    for (const auto& [key, members] : byKey) {
      const std::string& name = outputs_.at({file, key});
      std::vector<const FileEdits*> wanted;
      for (const std::size_t u : members)
        wanted.push_back(&units_[u].files.at(file));
      std::vector<Edit> edits = mergeEdits(wanted);
      const bool edited = !edits.empty() || wanted.front()->ownText;
      const std::string& text = original(file, members.front());
      addIncludes(file, name, text, members, edits);
      std::string body = applyEdits(text, std::move(edits), file, "", diagnostics_);
      std::string head, end;
      for (const std::size_t u : members)
        if (units_[u].mainFile == file) {
          head = std::max(head, units_[u].head); // the longer one has the headers of the other too
          end = units_[u].end;
        }
      result_.textByOutput[name] = (head.empty() && edited ? originLine(file) : head) + body + end;
    }
  }

  void addIncludes(const std::string& file, const std::string& name, const std::string& text,
                   const std::vector<std::size_t>& members, std::vector<Edit>& edits) {
    std::set<unsigned> done;
    for (const std::size_t u : members)
      for (const IncludeDirective& i : units_[u].includes) {
        if (i.includer != file || !i.resolvedIsUser || i.offset >= text.size() ||
            (text[i.offset] != '"' && text[i.offset] != '<') || done.count(i.offset))
          continue;
        const std::string& target = emitted_.count(i.resolved) ? output(i.resolved, u) : i.resolved;
        const std::string spelling = newSpelling(i, name, target, layout_);
        if (spelling.empty())
          continue;
        done.insert(i.offset);
        edits.push_back({i.offset, i.offset + i.length, spelling, false});
      }
  }

  const std::vector<UnitEdits>& units_;
  const ProjectLayout& layout_;
  Diagnostics& diagnostics_;
  RenderedProject result_;
  std::map<std::string, std::vector<std::size_t>> users_;
  std::set<std::string> mains_, emitted_;
  std::map<std::string, unsigned> conflictAt_;
  std::set<std::pair<std::string, std::size_t>> special_;
  std::map<std::size_t, Key> keyOf_;
  std::map<std::pair<std::string, Key>, std::string> outputs_;
  std::map<std::string, std::string> onDisk_;
};

} // namespace

std::string newSpelling(const IncludeDirective& include, const std::string& includerOutput,
                        const std::string& target, const ProjectLayout& layout) {
  const std::string outDirectory = directoryOf(includerOutput);
  const bool moved = outDirectory != directoryOf(include.includer);
  const bool stays =
      target == include.resolved && !layout.inPlace() && !layout.isInside(include.resolved);
  if (stays) {
    // A file from elsewhere, found beside its includer, which has moved.
    const fs::path beside =
        (fs::path(include.includer).parent_path() / include.spelled).lexically_normal();
    if (include.angled || !moved || beside != fs::path(include.resolved))
      return {};
    return "\"" + fs::path(target).lexically_relative(outDirectory).string() + "\"";
  }
  // The tree is the same on the other side: only the name can be new.
  if (directoryOf(target) == layout.mirrorOf(directoryOf(include.resolved)) &&
      (layout.isInside(include.resolved) || layout.inPlace())) {
    const std::string name = nameOf(target);
    if (name == nameOf(include.spelled))
      return {};
    const std::size_t slash = include.spelled.rfind('/');
    const std::string spelled =
        (slash == std::string::npos ? "" : include.spelled.substr(0, slash + 1)) + name;
    return include.angled ? "<" + spelled + ">" : "\"" + spelled + "\"";
  }
  return "\"" + fs::path(target).lexically_relative(outDirectory).string() + "\"";
}

RenderedProject renderProject(const std::vector<UnitEdits>& units, const ProjectLayout& layout,
                              Diagnostics& diagnostics) {
  return Renderer(units, layout, diagnostics).render();
}

} // namespace cu2cpp
