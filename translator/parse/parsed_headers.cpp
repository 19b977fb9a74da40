// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parse/parsed_headers.h"

#include <algorithm>

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include "parse/compiler_setup.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

/// Which of a text's own includes is the first that brings a file of the user's.
class UserHeaders : public clang::PPCallbacks {
public:
  UserHeaders(const clang::SourceManager& sources, std::string ours, int& first)
      : sources_(sources), ours_(std::move(ours)), first_(first) {}
  void InclusionDirective(clang::SourceLocation at, const clang::Token&, llvm::StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind kind) override {
    index_ += sources_.isWrittenInMainFile(at);
    if (file && kind == clang::SrcMgr::C_User && first_ < 0 &&
        !llvm::StringRef(realPath(file->getName())).starts_with(ours_ + "/"))
      first_ = std::max(index_, 0);
  }

private:
  const clang::SourceManager& sources_;
  const std::string ours_;
  int index_ = -1;
  int& first_;
};

/// Leaves out what functions of the standard library do: that is the library's, and takes most of
/// the time. Clang keeps what constant expressions and deduced types need.
class LibraryBodies : public clang::ASTConsumer {
public:
  bool shouldSkipFunctionBody(clang::Decl* decl) override {
    const clang::DeclContext* space = decl->getDeclContext();
    while (!space->isTranslationUnit() && !space->getParent()->isTranslationUnit())
      space = space->getParent();
    const auto* named = llvm::dyn_cast<clang::NamespaceDecl>(space);
    return named && (named->isStdNamespace() || named->getName() == "__gnu_cxx");
  }
};

class HeaderAction : public clang::GeneratePCHAction {
protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(GeneratePCHAction::CreateASTConsumer(compiler, file));
    if (!consumers.back())
      return nullptr;
    consumers.push_back(std::make_unique<LibraryBodies>());
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
};

/// Parses the headers into a file. False where they do not compile; `firstOfUser` is the one of
/// them that is the user's or includes what is, if it is not negative.
bool precompile(const InstallLayout& layout, const std::string& file,
                const std::vector<std::string>& userFlags, const std::string& text,
                const std::string& output, int& firstOfUser) {
  std::string unread;
  llvm::raw_string_ostream messages(unread);
  TextsByFile texts;
  clang::CompilerInstance compiler;
  const ErrorPrinter* const printer =
      setUpCompiler(compiler, cudaCommandLine(layout, file, userFlags), {}, texts, messages, false);
  if (!printer)
    return false;
  clang::FrontendOptions& options = compiler.getFrontendOpts();
  // A name beside the user's file, which nothing else has.
  const std::string name = file + ".headers.cu";
  options.Inputs = {clang::FrontendInputFile(name, options.Inputs[0].getKind())};
  options.OutputFile = output;
  compiler.getPreprocessorOpts().addRemappedFile(
      name, llvm::MemoryBuffer::getMemBufferCopy(text, name).release());
  compiler.getLangOpts().PCHInstantiateTemplates = true; // once, not in each round
  options.SkipFunctionBodies = true;
  HeaderAction action;
  if (!action.BeginSourceFile(compiler, options.Inputs[0]))
    return false;
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<UserHeaders>(
      compiler.getSourceManager(), realPath(layout.headers), firstOfUser));
  llvm::Error error = action.Execute();
  const bool failed = bool(error) || printer->errors() > 0;
  llvm::consumeError(std::move(error));
  action.EndSourceFile();
  return !failed;
}

std::string textOf(const std::vector<std::string>& includes) {
  std::string text;
  for (const std::string& name : includes)
    text += "#include " + name + "\n";
  return text;
}

} // namespace

std::vector<std::string> leadingIncludes(llvm::StringRef text) {
  std::vector<std::string> includes;
  const std::string copy = text.str(); // ends in NUL
  const std::vector<RawToken> tokens = rawTokens(copy);
  for (std::size_t i = 0; i + 2 < tokens.size();) {
    std::size_t end = i + 1;
    while (end < tokens.size() && !tokens[end].startsLine)
      ++end;
    if (tokens[i].text != "#" || !tokens[i].startsLine)
      break;
    const bool once =
        end == i + 3 && tokens[i + 1].text == "pragma" && tokens[i + 2].text == "once";
    if (!once) {
      if (tokens[i + 1].text != "include" || tokens[i + 2].text != "<" ||
          tokens[end - 1].text != ">")
        break;
      const unsigned begin = tokens[i + 2].offset;
      includes.push_back(copy.substr(begin, tokens[end - 1].offset + 1 - begin));
    }
    i = end;
  }
  return includes;
}

ParsedHeaders::ParsedHeaders(const InstallLayout& layout, const std::string& file,
                             const std::vector<std::string>& userFlags)
    : flags_(userFlags) {
  const auto buffer = llvm::MemoryBuffer::getFile(file);
  llvm::SmallString<128> path;
  if (!buffer || llvm::sys::fs::createTemporaryFile("cu2cpp-headers", "pch", path))
    return;
  path_ = std::string(path);
  llvm::sys::RemoveFileOnSignal(path_);
  includes_ = leadingIncludes((*buffer)->getBuffer());
  // Where one is the user's, those before it are tried.
  for (unsigned round = 0; round < 2; ++round) {
    int firstOfUser = -1;
    const bool whole = precompile(layout, file, userFlags, textOf(includes_), path_, firstOfUser);
    if (whole && firstOfUser < 0)
      return;
    if (firstOfUser < 0 || std::size_t(firstOfUser) >= includes_.size())
      break;
    includes_.resize(firstOfUser);
  }
  remove();
}

ParsedHeaders::~ParsedHeaders() { remove(); }

void ParsedHeaders::remove() {
  if (path_.empty())
    return;
  llvm::sys::fs::remove(path_);
  llvm::sys::DontRemoveFileOnSignal(path_);
  path_.clear();
}

std::string ParsedHeaders::pathFor(llvm::StringRef text,
                                   const std::vector<std::string>& userFlags) const {
  if (path_.empty() || userFlags != flags_)
    return "";
  const std::vector<std::string> includes = leadingIncludes(text);
  const bool same = includes.size() >= includes_.size() &&
                    std::equal(includes_.begin(), includes_.end(), includes.begin());
  return same ? path_ : "";
}

} // namespace cu2cpp
