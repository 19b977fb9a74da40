// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of makePlain() ask of a function's body, and how they put texts together.
#include "analyse/plain_body.h"

#include <algorithm>

#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Lexer.h"

#include "parse/raw_tokens.h"

namespace cu2cpp {

bool PlainBody::isSpelled(const clang::Stmt* s) const {
  const clang::SourceLocation end = s->getEndLoc();
  return !s->getBeginLoc().isMacroID() &&
         (!end.isMacroID() ||
          clang::Lexer::isAtEndOfMacroExpansion(end, unit.sources(), unit.context().getLangOpts()));
}

std::optional<unsigned> behindSemicolon(const SourceText& text, const FileRange& range) {
  const llvm::StringRef rest = text.buffer(range.file).substr(range.end);
  const std::size_t at = rest.find_first_not_of(" \t");
  if (at == llvm::StringRef::npos || rest[at] != ';')
    return std::nullopt;
  return range.end + static_cast<unsigned>(at) + 1;
}

std::string withLinesOf(llvm::StringRef before, std::string text) {
  const std::size_t lines = before.count('\n'), written = llvm::StringRef(text).count('\n');
  return lines > written ? text + std::string(lines - written, '\n') : text;
}

/// onOneLine() of a text that begins at a place of its file.
static std::optional<std::string> onOneLine(const std::string& own, unsigned start,
                                            const TokenChanges& changes) {
  const std::vector<RawToken> tokens = rawTokens(own);
  std::string out;
  unsigned end = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].startsLine && tokens[i].kind == clang::tok::hash) {
      const auto last = lastOfUnroll(tokens, i);
      if (!last)
        return std::nullopt;
      i = *last;
      continue;
    }
    const unsigned place = start + tokens[i].offset;
    const auto instead = changes.instead.find(place), behind = changes.behind.find(place);
    const std::string token =
        instead == changes.instead.end() ? tokens[i].text.str() : instead->second;
    if (token.find('\n') != std::string::npos)
      return std::nullopt;
    if (!out.empty() && !token.empty() && out.back() != ' ' && tokens[i].offset != end)
      out += ' ';
    end = tokens[i].offset + unsigned(tokens[i].text.size());
    out += token + (behind == changes.behind.end() ? "" : behind->second);
  }
  return out;
}

std::optional<std::string> onOneLine(const SourceText& text, const FileRange& range,
                                     const TokenChanges& changes) {
  return onOneLine(text.buffer(range.file).slice(range.begin, range.end).str() + "\n", range.begin,
                   changes);
}

std::optional<std::string> onOneLine(const std::string& text) {
  return onOneLine(text + "\n", 0, {});
}

std::optional<unsigned> PlainBody::behindStatement(const clang::Expr* e,
                                                   const FilePosition& start) const {
  const clang::ParentMap& parents = variables.parents();
  const clang::Stmt* at = e;
  const clang::Stmt* parent = parents.getParent(at);
  if (llvm::isa_and_nonnull<clang::ExprWithCleanups>(parent)) {
    at = parent;
    parent = parents.getParent(at);
  }
  const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(parent);
  const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(parent);
  if (!(llvm::isa_and_nonnull<clang::CompoundStmt>(parent) || (loop && loop->getBody() == at) ||
        (branch && branch->getCond() != at)))
    return std::nullopt;
  const auto range = text.rangeOf(e->getSourceRange());
  return range && range->file == start.file && range->begin == start.offset
             ? behindSemicolon(text, *range)
             : std::nullopt;
}

bool PlainBody::continues(const clang::Stmt* s) {
  if (!s || llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                      clang::LambdaExpr>(s))
    return false;
  return llvm::isa<clang::ContinueStmt>(s) ||
         std::any_of(s->child_begin(), s->child_end(),
                     [](const clang::Stmt* child) { return continues(child); });
}

std::size_t PlainBody::changeCount() const {
  std::size_t count = 0;
  for (const auto& [file, edits] : changes)
    count += edits.size();
  return count;
}

bool PlainBody::mayBeHidden(const clang::VarDecl* variable) const {
  const auto place = text.positionOf(variable->getLocation());
  if (!place)
    return true;
  const auto hidden = unit.skippedRanges(place->file);
  const llvm::StringRef name = variable->getName();
  return std::any_of(hidden.begin(), hidden.end(), [&](const auto& range) {
    const llvm::StringRef code = text.buffer(place->file).slice(range.first, range.second);
    const auto isPart = [&](std::size_t at) {
      return at < code.size() && clang::isAsciiIdentifierContinue(code[at]);
    };
    for (std::size_t at = code.find(name); at != llvm::StringRef::npos;
         at = code.find(name, at + name.size()))
      if (!(at > 0 && isPart(at - 1)) && !isPart(at + name.size()))
        return true;
    return false;
  });
}

std::optional<std::map<unsigned, const clang::DeclRefExpr*>>
PlainBody::placesOf(const clang::VarDecl* variable) const {
  if (variable->getLocation().isMacroID() || mayBeHidden(variable))
    return std::nullopt;
  const auto place = text.positionOf(variable->getLocation());
  std::map<unsigned, const clang::DeclRefExpr*> out;
  const auto found = contents.references.find(variable);
  if (found != contents.references.end())
    for (const clang::DeclRefExpr* use : found->second) {
      const auto at = text.positionOf(use->getLocation());
      if (!at || use->getLocation().isMacroID() || at->file != place->file)
        return std::nullopt;
      out[at->offset] = use;
    }
  return out;
}

bool PlainBody::isFixed(const clang::Expr* e) const {
  class Parts : public SyntaxVisitor {
  public:
    const Uniformity* variables = nullptr;
    bool fixed = true;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      const LocalVariable* local = variable ? variables->find(variable) : nullptr;
      return fixed &= (!local || (!local->modified && !local->escapes)) &&
                      !llvm::isa<clang::BindingDecl>(use->getDecl());
    }
    bool VisitCallExpr(clang::CallExpr*) override { return fixed = false; }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return fixed &= op->getOpcode() != clang::UO_Deref && !op->isIncrementDecrementOp();
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      return fixed &= !op->isAssignmentOp();
    }
  } parts;
  parts.variables = &variables;
  parts.TraverseStmt(const_cast<clang::Expr*>(e));
  return parts.fixed && !Uniformity::readsMemory(e);
}

bool PlainBody::put(const std::string& file,
                    std::map<unsigned, std::pair<unsigned, std::string>> edits,
                    std::optional<unsigned> besides) const {
  auto& all = changes[file];
  for (const auto& [begin, edit] : edits) {
    const auto behind = all.upper_bound(begin);
    if ((behind != all.end() && behind->first < edit.first) ||
        (behind != all.begin() && std::prev(behind)->second.first > begin && begin != besides))
      return false;
  }
  for (auto& [begin, edit] : edits)
    all[begin] = std::move(edit);
  return true;
}

std::set<std::string> PlainBody::declaredNames() const {
  class Declared : public SyntaxVisitor {
  public:
    std::set<std::string> names;
    bool VisitNamedDecl(clang::NamedDecl* decl) override {
      names.insert(decl->getNameAsString());
      return true;
    }
  } all;
  all.TraverseStmt(function->getBody());
  for (const clang::ParmVarDecl* parameter : function->parameters())
    all.names.insert(parameter->getNameAsString());
  if (const auto* pattern = function->getDescribedFunctionTemplate())
    for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters())
      all.names.insert(parameter->getNameAsString());
  return all.names;
}

} // namespace cu2cpp
