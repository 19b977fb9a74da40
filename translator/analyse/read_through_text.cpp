// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are read through (read_through.cpp): the text that reads the array.
#include "analyse/read_through.h"

#include <algorithm>

#include "analyse/register_loops.h"

namespace cu2cpp::copies {
namespace {

using Edits = std::map<unsigned, std::pair<unsigned, std::string>>;

/// A piece of text with edits, in one line: those below keep their numbers.
bool oneLine(llvm::StringRef buffer, unsigned begin, unsigned end, const Edits& edits,
             std::string& out) {
  std::string text;
  unsigned at = begin;
  for (const auto& [from, edit] : edits) {
    if (from < at)
      return false;
    text += buffer.slice(at, from).str() + edit.second;
    at = edit.first;
  }
  text += buffer.slice(at, end).str();
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, others] = rest.split('\n');
    rest = others;
    llvm::StringRef trimmed = line.trim();
    if (trimmed.starts_with("#")) {
      // In the middle of a line a hint to compilers could not stay above what is put around its
      // loop. What it asks for stays as a comment (register_loops.cpp).
      trimmed = trimmed.drop_front().ltrim();
      if (!trimmed.consume_front("pragma") || !(trimmed = trimmed.ltrim()).consume_front("unroll"))
        return false;
      if (trimmed.trim().empty())
        out += unrollAsked.str() + " ";
      continue;
    }
    std::string code = line.str();
    for (std::size_t hint; (hint = code.find(unrollAsked)) != std::string::npos;)
      code.erase(hint, unrollAsked.size());
    if (llvm::StringRef(code).contains("/*") || llvm::StringRef(code).contains("*/") ||
        line.contains('"') || line.ends_with("\\"))
      return false;
    out += line.split("//").first.trim().str() + " ";
  }
  return true;
}

class ReadWriter {
public:
  ReadWriter(const InsideGrid& inside, const Copies& copies, const Reads& reads,
             const SourceUnit& unit, const SourceText& text, PlainChanges& changes)
      : inside_(inside), copies_(copies), reads_(reads), unit_(unit), text_(text),
        changes_(changes) {}

  void write(const clang::CompoundStmt* list) {
    const clang::Stmt* const first = copies_.statements.front();
    const auto begin = text_.positionOf(first->getBeginLoc());
    const auto end = text_.positionOf(list->getRBracLoc());
    const auto opened = text_.positionOf(list->getLBracLoc());
    if (!begin || !end || !opened || begin->file != end->file || begin->file != opened->file ||
        first->getBeginLoc().isMacroID() || list->getRBracLoc().isMacroID())
      return;
    const llvm::StringRef buffer = text_.buffer(begin->file);
    for (const auto& hidden : unit_.skippedRanges(begin->file))
      if (hidden.first < end->offset && hidden.second > opened->offset)
        return;
    // A loop's `#pragma unroll` keeps its line: what is new stands at the end of the one before.
    unsigned from = begin->offset;
    if (buffer[from] == '#') {
      const std::size_t lineEnd = buffer.rfind('\n', from);
      if (lineEnd == llvm::StringRef::npos || lineEnd == 0)
        return;
      const llvm::StringRef before = buffer.substr(0, lineEnd);
      const llvm::StringRef line = before.substr(before.rfind('\n') + 1);
      if (line.contains("//") || line.ends_with("\\") || line.ltrim().starts_with("#"))
        return;
      from = unsigned(lineEnd);
    }
    // What stands between the first copy and the barrier, without the copies, and what is behind.
    Edits edits;
    for (const clang::Stmt* s : copies_.statements)
      if (copies_.fills.count(s)) {
        auto range = text_.rangeOf(s->getSourceRange());
        if (!range || range->file != begin->file || s->getBeginLoc().isMacroID())
          return;
        // `if (...) tile[...] = ...;`: the semicolon stays.
        edits[range->begin] = {range->end, ""};
      }
    for (const auto& [e, indices] : reads_.elements)
      if (!editRead(e, indices, begin->file, edits))
        return;
    for (const clang::Stmt* s : reads_.never)
      if (!leaveOtherSide(s, begin->file, edits))
        return;
    auto& changes = changes_[begin->file];
    Edits others;
    std::string close, closeOthers;
    for (const Reads::Returning& r : reads_.returning) {
      const auto whole = text_.rangeOf(r.branch->getSourceRange());
      const auto last = text_.rangeOf(r.last->getSourceRange());
      const auto semicolon = last ? behindSemicolon(text_, *last) : std::nullopt;
      if (!whole || !semicolon || whole->file != begin->file || last->file != begin->file ||
          r.branch->getBeginLoc().isMacroID() || r.branch->getEndLoc().isMacroID())
        return;
      const unsigned after = std::max(whole->end, *semicolon);
      leaveInstead(r, *last, after, others);
      closeOthers += "}";
      if (r.never) {
        edits.erase(edits.lower_bound(whole->begin), edits.lower_bound(after));
        edits[whole->begin] = {after, ""};
        continue;
      }
      leaveInstead(r, *last, after, edits);
      close += "}";
    }
    std::string copy;
    if (!oneLine(buffer, from, end->offset, edits, copy) || copy.size() > longest)
      return;
    std::string head;
    for (const auto& [variable, tile] : copies_.tiles) {
      const std::string name = variable->getNameAsString();
      const clang::ParmVarDecl* from = tile.writes.front().from.array;
      const std::string element =
          from->getType()->getPointeeType().getUnqualifiedType().getAsString(
              unit_.context().getPrintingPolicy());
      head += "const " + element + "* const cuTile_" + name + " = " + from->getNameAsString() +
              " + (" + inside_.symbols().print(tile.first) + "); ";
      for (std::size_t i = 0; i + 1 < tile.rows.size(); ++i) {
        head += "const long long cuRow" + std::to_string(i) + "_" + name + " = " +
                inside_.symbols().print(tile.rows[i]) + "; ";
      }
    }
    std::string condition;
    for (const auto& [part, size] : inside_.sizes())
      condition +=
          (condition.empty() ? "" : " && ") + ("blockDim." + part + " == ") + std::to_string(size);
    for (const std::string& one : inside_.conditions())
      condition += (condition.empty() ? "" : " && ") + one;
    head += "const bool cuInGrid = " + (condition.empty() ? "true" : condition) + "; ";
    changes[from] = {from, " " + head + "if (cuInGrid) { " + copy + close + " } else { "};
    changes.insert(others.begin(), others.end());
    changes[end->offset] = {end->offset, closeOthers + "} "};
  }

private:
  /// `if (x >= nx) return;` becomes `if (!(x >= nx)) {`, a guard as others are; where more is done
  /// before the return, what follows becomes the other side.
  void leaveInstead(const Reads::Returning& r, const FileRange& last, unsigned after,
                    Edits& edits) const {
    const clang::Stmt* const then = r.branch->getThen();
    const auto* const list = llvm::dyn_cast<clang::CompoundStmt>(then);
    const auto condition = text_.rangeOf(r.branch->getCond()->getSourceRange());
    const auto side = text_.rangeOf(then->getSourceRange());
    if (condition && side && text_.isWhole(r.branch->getCond()) &&
        (then == r.last || (list && list->size() == 1))) {
      // The condition may begin with what is read of a tile: `if (s[t] > 0) return;`
      auto& start = edits.insert({condition->begin, {condition->begin, ""}}).first->second;
      start.second = "!(" + start.second;
      edits[condition->end] = {condition->end, ")"};
      edits[side->begin] = {after, "{"};
      return;
    }
    edits[last.begin] = {last.end, ""};
    edits[after] = {after, " else {"};
  }
  /// The end of a statement, its semicolon included.
  std::optional<unsigned> endOf(const clang::Stmt* s, const std::string& file) const {
    const auto range = text_.rangeOf(s->getSourceRange());
    if (!range || range->file != file)
      return std::nullopt;
    if (llvm::isa<clang::CompoundStmt>(s))
      return range->end;
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    if (branch)
      return endOf(branch->getElse() ? branch->getElse() : branch->getThen(), file);
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    return loop ? endOf(loop->getBody(), file) : behindSemicolon(text_, *range);
  }

  /// Leaves the other side of a branch or choice whose first side is never taken, where the text
  /// allows it; false if edits are in each other's way.
  bool leaveOtherSide(const clang::Stmt* s, const std::string& file, Edits& edits) const {
    const auto whole = text_.rangeOf(s->getSourceRange());
    if (!whole || whole->file != file || s->getBeginLoc().isMacroID() ||
        s->getEndLoc().isMacroID() || isInside(*whole, edits))
      return true;
    const auto cut = [&](unsigned from, unsigned to, const std::string& instead) {
      edits.erase(edits.lower_bound(from), edits.lower_bound(to));
      return edits.insert({from, {to, instead}}).second;
    };
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(s)) {
      const clang::Expr* const taken = choice->getFalseExpr();
      const auto side = text_.rangeOf(taken->getSourceRange());
      if (!side || side->file != file || !text_.isWhole(taken) || edits.count(side->end))
        return true;
      return cut(whole->begin, side->begin, "(") &&
             edits.insert({side->end, {whole->end, ")"}}).second;
    }
    const auto* branch = llvm::cast<clang::IfStmt>(s);
    if (const clang::Stmt* const other = branch->getElse()) {
      const auto side = text_.rangeOf(other->getSourceRange());
      return !side || side->file != file || cut(whole->begin, side->begin, "");
    }
    const auto end = endOf(branch, file);
    return !end || cut(whole->begin, *end, ";");
  }
  /// Whether a piece of text begins within an edit.
  static bool isInside(const FileRange& piece, const Edits& edits) {
    const auto behind = edits.upper_bound(piece.begin);
    return behind != edits.begin() && std::prev(behind)->second.first > piece.begin;
  }

  bool editRead(const clang::ArraySubscriptExpr* e, const TileIndices& indices,
                const std::string& file, Edits& edits) {
    const auto whole = text_.rangeOf(e->getSourceRange());
    if (!whole || whole->file != file)
      return false;
    const std::string name = elementOf(e).array->getNameAsString();
    // A row by its pointer, so that places in it are a few numbers apart for compilers.
    std::string row = "cuTile_" + name;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const auto text = textOf(indices[i]);
      if (!text)
        return false;
      if (i + 1 < indices.size())
        row += " + (long long)(" + *text + ") * cuRow" + std::to_string(i) + "_" + name;
      else
        row = (i ? "(" + row + ")" : row) + "[" + *text + "]";
    }
    edits[whole->begin] = {whole->end, row};
    return true;
  }

  std::optional<std::string> textOf(const std::vector<IndexTerm>& terms) const {
    std::string out;
    for (const IndexTerm& term : terms) {
      const auto spelled = term.e ? text_.spelled(term.e) : std::nullopt;
      if (term.e && (!spelled || copies_.namesTile(term.e)))
        return std::nullopt;
      const std::string one = spelled.value_or("1");
      if (terms.size() == 1 && !term.minus)
        return one;
      out += (term.minus ? out.empty() ? "-(" : " - (" : out.empty() ? "(" : " + (") + one + ")";
    }
    return out.empty() ? "0" : out;
  }

  static constexpr std::size_t longest = 6000;

  const InsideGrid& inside_;
  const Copies& copies_;
  const Reads& reads_;
  const SourceUnit& unit_;
  const SourceText& text_;
  PlainChanges& changes_;
};

} // namespace

void writeReads(const InsideGrid& inside, const Copies& copies, const Reads& reads,
                const SourceUnit& unit, const SourceText& text, const clang::CompoundStmt* body,
                PlainChanges& changes) {
  ReadWriter(inside, copies, reads, unit, text, changes).write(body);
}

} // namespace cu2cpp::copies
