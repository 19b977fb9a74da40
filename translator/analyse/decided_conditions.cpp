// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/decided_conditions.h"

#include "analyse/sided_macros.h"
#include "parse/raw_tokens.h"
#include "parse/source_text.h"

namespace cu2cpp {
namespace {

/// A directive in a body: where its line begins and ends, the last one of its lines.
struct Directive {
  llvm::StringRef name;
  unsigned begin = 0, end = 0;
};

bool opens(const Directive& d) { return d.name == "if" || d.name == "ifdef" || d.name == "ifndef"; }
bool goesOn(const Directive& d) { return d.name.starts_with("el"); }

class Conditions {
public:
  explicit Conditions(const SourceUnit& unit) : unit_(unit), text_(unit) {
    for (const std::string& file : unit.userFiles())
      findSidedMacros(text_.buffer(file), sided_);
  }

  void decide(const clang::FunctionDecl* function, TextsByFile& texts) {
    const auto body = text_.rangeOf(function->getBody()->getSourceRange());
    // One that is read twice may be another function each time.
    if (!body || unit_.timesRead(body->file) != 1 ||
        !text_.buffer(body->file).slice(body->begin, body->end).contains('#'))
      return;
    const std::vector<Directive> found = directives(*body);
    if (found.empty())
      return;
    const std::string whole = text_.buffer(body->file).str();
    std::string& text = texts.try_emplace(body->file, whole).first->second;
    const auto skipped = unit_.skippedRanges(body->file);
    for (const Directive& d : found)
      blank(text, d.begin, d.end);
    for (const auto& [begin, end] : skipped)
      if (begin >= body->begin && end <= body->end)
        blank(text, begin, end);
  }

private:
  /// The directives of conditions in a body; none if they don't balance there, or may be another
  /// compiler's business.
  std::vector<Directive> directives(const FileRange& body) const {
    std::vector<Directive> found;
    unsigned depth = 0;
    const llvm::StringRef text = text_.buffer(body.file);
    const std::string piece = text.slice(body.begin, body.end).str();
    const std::vector<RawToken> tokens = rawTokens(piece);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (!tokens[i].startsLine || tokens[i].text != "#")
        continue;
      std::size_t last = i + 1;
      while (last + 1 < tokens.size() && !tokens[last + 1].startsLine)
        ++last;
      Directive d;
      d.name = text.substr(body.begin + tokens[i + 1].offset, tokens[i + 1].text.size());
      d.begin = body.begin + tokens[i].offset;
      d.end = body.begin + tokens[last].offset + unsigned(tokens[last].text.size());
      const bool ends = d.name == "endif";
      if (!opens(d) && !goesOn(d) && !ends)
        continue;
      const llvm::StringRef condition = text.slice(d.begin, d.end);
      if ((!opens(d) && depth == 0) || condition.contains("__") ||
          !sidedMacroIn(condition, sided_).empty())
        return {};
      depth += opens(d);
      depth -= ends;
      found.push_back(d);
    }
    return depth == 0 ? found : std::vector<Directive>();
  }

  static void blank(std::string& text, unsigned begin, unsigned end) {
    for (unsigned at = begin; at < end; ++at)
      if (text[at] != '\n')
        text[at] = ' ';
  }

  const SourceUnit& unit_;
  const SourceText text_;
  std::set<std::string> sided_;
};

} // namespace

TextsByFile decideConditions(const SourceUnit& unit, const Facts& functions, bool sharedHeaders) {
  TextsByFile texts;
  Conditions conditions(unit);
  for (const auto& [place, function] : functions.functions) {
    const clang::SourceLocation at = function.decl->getLocation();
    if (!(function.device || function.kernel) || !function.decl->getBody() || !unit.isUser(at))
      continue;
    if (sharedHeaders && unit.pathOf(unit.sources().getFileID(at)) != unit.mainFile())
      continue;
    conditions.decide(function.decl, texts);
  }
  return texts;
}

} // namespace cu2cpp
