// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parse/source_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"

#include "parse/syntax_visitor.h"

namespace cu2cpp {

std::optional<FilePosition> SourceText::positionOf(clang::SourceLocation location) const {
  const clang::SourceLocation spelling = sm_.getSpellingLoc(location);
  const clang::FileID file = sm_.getFileID(spelling);
  if (!sm_.getFileEntryRefForID(file))
    return std::nullopt;
  return FilePosition{unit_.pathOf(file), sm_.getFileOffset(spelling)};
}

std::optional<FilePosition> SourceText::endOf(clang::SourceLocation location) const {
  std::optional<FilePosition> position = positionOf(location);
  if (position)
    position->offset += clang::Lexer::MeasureTokenLength(sm_.getSpellingLoc(location), sm_,
                                                         unit_.context().getLangOpts());
  return position;
}

std::optional<FileRange> SourceText::rangeOf(clang::SourceRange range) const {
  clang::SourceLocation begin = range.getBegin(), end = range.getEnd();
  meet(begin, end);
  const auto first = positionOf(begin);
  const auto last = endOf(end);
  if (!first || !last || first->file != last->file || first->offset > last->offset)
    return std::nullopt;
  return FileRange{first->file, first->offset, last->offset};
}

std::optional<FileRange> SourceText::writtenRange(clang::SourceRange range) const {
  clang::SourceLocation end = range.getEnd();
  while (end.isMacroID())
    end = sm_.isMacroArgExpansion(end) ? sm_.getImmediateSpellingLoc(end)
                                       : sm_.getImmediateExpansionRange(end).getEnd();
  return rangeOf({sm_.getFileLoc(range.getBegin()), end});
}

void SourceText::meet(clang::SourceLocation& begin, clang::SourceLocation& end) const {
  // `extern __shared__ t x[];` in a macro's body begins in a macro of its own (__shared__).
  for (;; end = sm_.getImmediateExpansionRange(end).getEnd()) {
    const clang::SourceLocation lifted = lift(begin, end);
    if (sm_.getFileID(lifted) == sm_.getFileID(end) || !end.isMacroID()) {
      begin = lifted;
      return;
    }
  }
}

clang::SourceLocation SourceText::lift(clang::SourceLocation location, clang::SourceLocation anchor,
                                       bool end) const {
  const clang::FileID target = sm_.getFileID(anchor);
  clang::SourceLocation l = location;
  while (l.isMacroID() && sm_.getFileID(l) != target)
    l = end ? sm_.getImmediateExpansionRange(l).getEnd()
            : sm_.getImmediateExpansionRange(l).getBegin();
  return l;
}

std::string SourceText::text(const FileRange& range) const {
  // By place; at one place, what closes comes before what opens, and inner pairs inside outer ones.
  std::map<std::tuple<unsigned, bool, long>, std::string> inserted;
  for (const Wrapped& w : wrapped_) {
    const long length = long(w.range.end) - long(w.range.begin);
    if (w.range.file != range.file || w.range.begin < range.begin || w.range.end > range.end ||
        length == long(range.end) - long(range.begin))
      continue;
    inserted[{w.range.begin, true, -length}] = w.open;
    inserted[{w.range.end, false, length}] = w.close;
  }
  const llvm::StringRef all = buffer(range.file);
  std::string out;
  unsigned at = range.begin;
  for (const auto& [place, text] : inserted) {
    out += all.slice(at, std::get<0>(place)).str() + text;
    at = std::get<0>(place);
  }
  return out + all.slice(at, range.end).str();
}

void SourceText::wrap(const FileRange& range, std::string open, std::string close) {
  const bool known = std::any_of(wrapped_.begin(), wrapped_.end(), [&](const Wrapped& w) {
    return w.range.file == range.file && w.range.begin == range.begin && w.range.end == range.end;
  });
  if (!known) // a template's instances have its places
    wrapped_.push_back({range, std::move(open), std::move(close)});
}

std::string SourceText::text(clang::SourceRange range) const {
  const auto r = rangeOf(range);
  return r ? text(*r) : std::string();
}

bool SourceText::inMacro(clang::SourceLocation location) const {
  // An argument's tokens are written at the call, where newlines are harmless.
  while (location.isMacroID() && sm_.isMacroArgExpansion(location))
    location = sm_.getImmediateSpellingLoc(location);
  return location.isMacroID();
}

bool SourceText::isWhole(const clang::Expr* expression) const {
  const clang::LangOptions& options = unit_.context().getLangOpts();
  const clang::SourceLocation begin = expression->getBeginLoc(), end = expression->getEndLoc();
  return (!begin.isMacroID() || clang::Lexer::isAtStartOfMacroExpansion(begin, sm_, options)) &&
         (!end.isMacroID() || clang::Lexer::isAtEndOfMacroExpansion(end, sm_, options));
}

std::optional<std::string> SourceText::spelled(const clang::Expr* expression) const {
  if (isWhole(expression))
    return text(expression->getSourceRange());
  class Pieces : public SyntaxVisitor {
  public:
    std::set<clang::FileID> all;
    explicit Pieces(const clang::SourceManager& sources) : sources_(sources) {}
    bool VisitExpr(clang::Expr* e) override {
      for (const clang::SourceLocation at : {e->getBeginLoc(), e->getExprLoc(), e->getEndLoc()})
        all.insert(sources_.getFileID(at));
      return true;
    }

  private:
    const clang::SourceManager& sources_;
  } pieces(sm_);
  pieces.TraverseStmt(const_cast<clang::Expr*>(expression));
  if (pieces.all.size() != 1)
    return std::nullopt;
  bool invalid = false;
  const llvm::StringRef found = clang::Lexer::getSourceText(
      clang::CharSourceRange::getTokenRange(sm_.getSpellingLoc(expression->getBeginLoc()),
                                            sm_.getSpellingLoc(expression->getEndLoc())),
      sm_, unit_.context().getLangOpts(), &invalid);
  return invalid || found.empty() || found.contains('\n') ? std::nullopt
                                                          : std::optional(found.str());
}

std::string SourceText::indentation(const FilePosition& position) const {
  const llvm::StringRef text = buffer(position.file);
  std::size_t line = text.rfind('\n', position.offset);
  line = line == llvm::StringRef::npos ? 0 : line + 1;
  return text.substr(line).take_while([](char c) { return c == ' ' || c == '\t'; }).str();
}

llvm::StringRef SourceText::buffer(const std::string& file) const {
  clang::FileManager& files = sm_.getFileManager();
  const auto entry = files.getOptionalFileRef(file);
  if (!entry)
    return {};
  const auto data = const_cast<clang::SourceManager&>(sm_).getMemoryBufferForFileOrNone(*entry);
  return data ? data->getBuffer() : llvm::StringRef();
}

} // namespace cu2cpp
