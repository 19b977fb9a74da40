// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drives clang by hand so that the tree stays alive for the later stages.
#include "parse/source_unit.h"

#include <algorithm>
#include <map>
#include <set>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "parse/compiler_setup.h"
#include "parse/dialect_overlay.h"
#include "parse/parsed_headers.h"

namespace cu2cpp {
namespace {

class ParseAction : public clang::SyntaxOnlyAction {};

/// Keeps walks to what this parse has read itself: others would fetch all of the headers.
void limitWalks(clang::ASTContext& context) {
  const clang::TranslationUnitDecl* whole = context.getTranslationUnitDecl();
  context.setTraversalScope({whole->noload_decls_begin(), whole->noload_decls_end()});
}

class Unit : public SourceUnit {
public:
  Unit(std::string headers, const DeviceBodiesByFile& known, const TextsByFile& texts)
      : headers_(realPath(headers)), known_(known), texts_(texts) {}
  ~Unit() override {
    if (started_)
      action_.EndSourceFile();
  }

  bool parse(const std::vector<std::string>& args, const std::string& file,
             const std::string& parsedHeaders, llvm::raw_ostream& messages, bool colours) {
    mainFile_ = realPath(file);
    auto* printer = setUpCompiler(compiler_, args, known_, texts_, messages, colours);
    if (!printer)
      return false;
    if (!parsedHeaders.empty())
      beginWith(compiler_, parsedHeaders);
    if (!action_.BeginSourceFile(compiler_, compiler_.getFrontendOpts().Inputs[0]))
      return false;
    started_ = true;
    compiler_.getPreprocessor().addPPCallbacks(std::make_unique<IncludeRecorder>(*this));
    if (llvm::Error error = action_.Execute()) {
      llvm::consumeError(std::move(error));
      return false;
    }
    // What was read from parsed headers is walked over no more than what they hide.
    if (!parsedHeaders.empty())
      limitWalks(compiler_.getASTContext());
    return printer->errors() == 0;
  }

  clang::ASTContext& context() const override { return compiler_.getASTContext(); }
  const std::string& mainFile() const override { return mainFile_; }
  const std::vector<IncludeDirective>& includes() const override { return includes_; }

  const DeviceBodies& deviceBodies(const std::string& file) const override {
    static const DeviceBodies none;
    const auto found = known_.find(file);
    return found == known_.end() ? none : found->second;
  }

  llvm::StringRef userText(const std::string& file) const override {
    if (const auto given = texts_.find(file); given != texts_.end())
      return given->second;
    auto& text = onDisk_[file];
    if (!text)
      if (auto buffer = llvm::MemoryBuffer::getFile(file))
        text = std::move(*buffer);
    return text ? text->getBuffer() : llvm::StringRef();
  }

  void noteFiles(ParseLog& log) const {
    log.userFiles.insert(mainFile_);
    log.absentFiles.insert(absent_.begin(), absent_.end());
    if (!compiler_.hasSourceManager())
      return;
    for (std::string& path : userFiles())
      log.userFiles.insert(std::move(path));
  }

  std::vector<std::string> userFiles() const override {
    std::set<std::string> paths;
    for (const clang::FileID id : readFiles())
      paths.insert(pathOf(id));
    return {paths.begin(), paths.end()};
  }

  unsigned timesRead(const std::string& file) const override {
    const auto files = readFiles();
    return unsigned(llvm::count_if(files, [&](clang::FileID id) { return pathOf(id) == file; }));
  }

  std::vector<std::pair<unsigned, unsigned>> skippedRanges(const std::string& file) const override {
    std::vector<std::pair<unsigned, unsigned>> common;
    bool first = true;
    for (const clang::FileID id : readFiles()) {
      if (pathOf(id) != file)
        continue;
      const auto here = skipped_.find(id);
      std::vector<std::pair<unsigned, unsigned>> ranges;
      if (here != skipped_.end())
        ranges = here->second;
      if (first)
        common = std::move(ranges);
      else
        common.erase(std::remove_if(common.begin(), common.end(),
                                    [&](const auto& range) {
                                      return std::find(ranges.begin(), ranges.end(), range) ==
                                             ranges.end();
                                    }),
                     common.end());
      first = false;
    }
    return common;
  }

  bool isUser(clang::SourceLocation location) const override {
    if (location.isInvalid())
      return false;
    const clang::SourceManager& sm = sources();
    clang::FileID file = sm.getFileID(sm.getSpellingLoc(location));
    // A name that -D gives, or that ## pastes together, is spelled in no file: what counts is where
    // it stands.
    if (!sm.getFileEntryRefForID(file))
      file = sm.getFileID(sm.getExpansionLoc(location));
    return isUserFile(file);
  }

  std::string pathOf(clang::FileID file) const override {
    const clang::OptionalFileEntryRef entry = sources().getFileEntryRefForID(file);
    return entry ? realPath(entry->getName()) : std::string();
  }

private:
  /// The user's files in the order in which they were read, each as often as it was.
  std::vector<clang::FileID> readFiles() const {
    std::vector<clang::FileID> files;
    const clang::SourceManager& sm = compiler_.getSourceManager();
    for (unsigned i = 0; i < sm.local_sloc_entry_size(); ++i) {
      const clang::SrcMgr::SLocEntry& entry = sm.getLocalSLocEntry(i);
      if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry)
        continue;
      const clang::FileID id =
          sm.getFileID(clang::SourceLocation::getFromRawEncoding(entry.getOffset()));
      if (isUserFile(id))
        files.push_back(id);
    }
    return files;
  }

  class IncludeRecorder : public clang::PPCallbacks {
  public:
    explicit IncludeRecorder(Unit& unit) : unit_(unit) {}
    void InclusionDirective(clang::SourceLocation, const clang::Token&, llvm::StringRef name,
                            bool angled, clang::CharSourceRange range,
                            clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef,
                            const clang::Module*, bool,
                            clang::SrcMgr::CharacteristicKind kind) override {
      const clang::SourceManager& sm = unit_.compiler_.getSourceManager();
      const clang::SourceLocation begin = range.getBegin();
      if (!begin.isFileID() || !unit_.isUserFile(sm.getFileID(begin)))
        return;
      unit_.noteAbsent(sm.getFileID(begin), name, angled);
      IncludeDirective directive;
      directive.includer = unit_.pathOf(sm.getFileID(begin));
      directive.offset = sm.getFileOffset(begin);
      directive.length = static_cast<unsigned>(name.size()) + 2;
      directive.spelled = name.str();
      directive.angled = angled;
      if (file) {
        directive.resolved = realPath(file->getName());
        directive.resolvedIsUser =
            kind == clang::SrcMgr::C_User && !unit_.isOurs(directive.resolved);
      }
      unit_.includes_.push_back(std::move(directive));
    }

    void HasInclude(clang::SourceLocation at, llvm::StringRef name, bool angled,
                    clang::OptionalFileEntryRef, clang::SrcMgr::CharacteristicKind) override {
      const clang::FileID file = unit_.compiler_.getSourceManager().getFileID(at);
      if (at.isFileID() && unit_.isUserFile(file))
        unit_.noteAbsent(file, name, angled);
    }

    void SourceRangeSkipped(clang::SourceRange range, clang::SourceLocation) override {
      const clang::SourceManager& sm = unit_.compiler_.getSourceManager();
      if (range.getBegin().isFileID())
        unit_.skipped_[sm.getFileID(range.getBegin())].emplace_back(
            sm.getFileOffset(range.getBegin()), sm.getFileOffset(range.getEnd()));
    }

  private:
    Unit& unit_;
  };

  /// The places before the one where an include is found: a file that appears there is another
  /// program. Directories that do not exist are no longer in clang's own list.
  void noteAbsent(clang::FileID includer, llvm::StringRef name, bool angled) {
    using namespace clang::frontend;
    std::vector<std::string> directories;
    if (!angled)
      directories.push_back(llvm::sys::path::parent_path(pathOf(includer)).str());
    const auto& entries = compiler_.getHeaderSearchOpts().UserEntries;
    for (const auto& wanted : {std::set{Quoted}, std::set{Angled},
                               std::set{System, ExternCSystem, CXXSystem}, std::set{After}})
      for (const auto& entry : entries)
        if (wanted.count(entry.Group) && !(angled && entry.Group == Quoted))
          directories.push_back(entry.Path);
    if (llvm::sys::path::is_absolute(name))
      directories = {""};
    for (const std::string& directory : directories) {
      llvm::SmallString<256> path(directory);
      llvm::sys::path::append(path, name);
      llvm::sys::fs::make_absolute(path);
      if (llvm::sys::fs::exists(path))
        return;
      absent_.insert(std::string(path));
    }
  }

  bool isOurs(llvm::StringRef path) const { return path.starts_with(headers_ + "/"); }
  bool isUserFile(clang::FileID file) const {
    const clang::OptionalFileEntryRef entry =
        compiler_.getSourceManager().getFileEntryRefForID(file);
    if (!entry)
      return false;
    const auto known = userFile_.find(file);
    if (known != userFile_.end())
      return known->second;
    const clang::SourceManager& sm = compiler_.getSourceManager();
    const bool user =
        !clang::SrcMgr::isSystem(sm.getFileCharacteristic(sm.getLocForStartOfFile(file))) &&
        !isOurs(realPath(entry->getName()));
    return userFile_[file] = user;
  }

  std::string headers_;
  const DeviceBodiesByFile known_;
  TextsByFile texts_;
  mutable std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> onDisk_;
  std::string mainFile_;
  mutable clang::CompilerInstance compiler_;
  ParseAction action_;
  bool started_ = false;
  std::vector<IncludeDirective> includes_;
  std::set<std::string> absent_;
  std::map<clang::FileID, std::vector<std::pair<unsigned, unsigned>>> skipped_;
  mutable std::map<clang::FileID, bool> userFile_;
};

} // namespace

Place SourceUnit::placeOf(clang::SourceLocation location) const {
  const clang::PresumedLoc p = sources().getPresumedLoc(sources().getFileLoc(location));
  if (p.isInvalid())
    return {mainFile(), 0, 0};
  return {p.getFilename(), p.getLine(), p.getColumn()};
}

std::unique_ptr<SourceUnit> parseCuda(const InstallLayout& layout, const std::string& file,
                                      const std::vector<std::string>& userFlags, ParseLog& log,
                                      bool colours, const DeviceBodiesByFile& known,
                                      const TextsByFile& texts, const ParsedHeaders* headers) {
  llvm::raw_string_ostream messages(log.messages);
  auto unit = std::make_unique<Unit>(layout.headers, known, texts);
  const std::string parsedHeaders =
      headers ? headers->pathFor(unit->userText(realPath(file)), userFlags) : std::string();
  const bool whole = unit->parse(cudaCommandLine(layout, file, userFlags), file, parsedHeaders,
                                 messages, colours);
  unit->noteFiles(log);
  return whole ? std::move(unit) : nullptr;
}

std::unique_ptr<SourceUnit> parseAsGiven(const InstallLayout& layout, const std::string& file,
                                         const std::vector<std::string>& userFlags) {
  std::string unread;
  llvm::raw_string_ostream messages(unread);
  auto unit = std::make_unique<Unit>(layout.headers, DeviceBodiesByFile(), TextsByFile());
  auto command = cudaCommandLine(layout, file, userFlags, Standard::AsGiven);
  command.insert(command.begin() + 1, "-ferror-limit=0");
  unit->parse(command, file, "", messages, false);
  return unit;
}

bool SourceUnit::mayHoldUserCode(const clang::Decl* decl) const {
  return llvm::isa<clang::TranslationUnitDecl, clang::NamespaceDecl, clang::LinkageSpecDecl>(
             decl) ||
         !decl->getDeclContext() || !decl->getDeclContext()->isFileContext() ||
         isUser(decl->getLocation());
}

} // namespace cu2cpp
