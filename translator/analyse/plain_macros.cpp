// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros of the user's that name a function's variables by themselves, or in whose text threads
// meet, are written out, where only compilers read the translation:
//
//   #define SX(i) sharedPos[(i)]
//   #define STEP(k) if (tid < k) s[tid] += s[tid + k]; __syncthreads();
//   acc = pull(me, SX(i), acc);      ->      acc = pull(me, sharedPos[(i)], acc);
//   STEP(64)                         ->      if (tid < 64) s[tid] += s[tid + 64]; __syncthreads();
//
// What a macro's own text names stands in no function: no form could change it there, and no
// function with it could be written where it is called. One macro is written out in each round,
// from the outside; those in its text stay calls, which mean there what they meant in it.
#include "analyse/plain_macros.h"

#include <algorithm>

#include "clang/Basic/CharInfo.h"

#include "parse/defined_macros.h"

namespace cu2cpp {
namespace {

bool isName(const RawToken& token) { return token.kind == clang::tok::raw_identifier; }

/// Puts tokens together as they stood, and arguments so that no token grows.
class Joined {
public:
  void add(llvm::StringRef piece, bool apart, bool given) {
    given_ |= given;
    if (piece.empty())
      return;
    const bool loose = given_ && !out_.empty() &&
                       isOfWord(out_.back()) == isOfWord(piece.front()) && !isClosed(out_.back()) &&
                       !isClosed(piece.front());
    if (!out_.empty() && out_.back() != ' ' && (apart || loose))
      out_ += ' ';
    out_ += piece;
    given_ = given;
  }
  std::string text() && { return std::move(out_); }

private:
  static bool isOfWord(char c) {
    return clang::isAsciiIdentifierContinue(c) || llvm::StringRef(".\"'").contains(c);
  }
  static bool isClosed(char c) { return llvm::StringRef("()[]{},;").contains(c); }
  std::string out_;
  bool given_ = false;
};

class WritingOutMacros {
public:
  WritingOutMacros(const SourceUnit& unit, const SourceText& text, const Facts& facts,
                   PlainChanges& changes)
      : unit_(unit), text_(text), sources_(unit.sources()), facts_(facts), changes_(changes) {}

  void look(const FunctionFacts& f) {
    function_ = f.decl;
    Uses uses(*this, f.reached.scope != Scope::None || !f.collectives.empty());
    uses.TraverseStmt(f.decl->getBody());
    for (const Collective& collective : f.collectives)
      writeOut(collective.at, false);
  }

  /// Those that lie in what another replaces wait for the next round.
  void put() {
    for (auto& [file, edits] : found_) {
      unsigned behind = 0;
      for (auto& [begin, edit] : edits)
        if (begin >= behind) {
          behind = edit.first;
          changes_[file][begin] = std::move(edit);
        }
    }
  }

private:
  class Uses : public SyntaxVisitor {
  public:
    Uses(WritingOutMacros& all, bool meets) : all_(all), meets_(meets) {}
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const clang::ValueDecl* variable = use->getDecl();
      if (use->getLocation().isMacroID() &&
          llvm::isa<clang::VarDecl, clang::BindingDecl>(variable) &&
          variable->getDeclContext()->isFunctionOrMethod() &&
          all_.sources_.getExpansionLoc(variable->getLocation()) !=
              all_.sources_.getExpansionLoc(use->getLocation()))
        all_.writeOut(use->getLocation(), false);
      return true;
    }
    bool VisitCompoundStmt(clang::CompoundStmt* list) override {
      for (const clang::Stmt* s : list->body())
        if (s->getBeginLoc().isMacroID()) {
          if (llvm::isa<clang::DoStmt>(s))
            all_.listed_.insert(all_.sources_.getExpansionLoc(s->getBeginLoc()));
          if (meets_)
            all_.writeOut(s->getBeginLoc(), true);
        }
      return true;
    }

  private:
    WritingOutMacros& all_;
    const bool meets_;
  };

  /// Whether a file that is included more than once holds the function: its text is several's.
  bool isReadTwice() {
    if (functions_.empty())
      for (const auto& [at, f] : facts_.functions)
        if (const auto place = f.decl->getBody() ? text_.positionOf(at) : std::nullopt)
          ++functions_[{place->file, place->offset}];
    const auto place = text_.positionOf(function_->getLocation());
    return !place || functions_[{place->file, place->offset}] > 1;
  }

  /// Writes out the macro whose text holds a token, if one does: the outermost. `statements`: only
  /// if it writes statements as a list has them.
  void writeOut(clang::SourceLocation token, bool statements) {
    clang::SourceLocation at = token, said;
    std::vector<clang::SourceLocation> around; // parameters of macros that are given the token
    while (at.isMacroID()) {
      if (sources_.isMacroArgExpansion(at)) {
        around.push_back(
            sources_.getSpellingLoc(sources_.getImmediateExpansionRange(at).getBegin()));
        at = sources_.getImmediateSpellingLoc(at);
      } else {
        said = sources_.getImmediateSpellingLoc(at);
        at = sources_.getImmediateExpansionRange(at).getBegin();
      }
    }
    if (said.isInvalid() || said.isMacroID() || !unit_.isUser(said) || !unit_.isUser(at))
      return;
    const auto place = text_.positionOf(at);
    const auto spelled = text_.positionOf(said);
    if (!place || !spelled || found_[place->file].count(place->offset))
      return;
    const auto macro = macroAt(text_.buffer(spelled->file), spelled->offset);
    if (!macro || std::none_of(macro->text.begin(), macro->text.end(), [&](const RawToken& one) {
          return macro->begin + one.offset == spelled->offset;
        }))
      return;
    if (statements && (!macro->endsStatements() || macro->onceDone()))
      return;
    if (!macros_)
      macros_.emplace(unit_);
    if (macro->pastes() || macro->has("_Pragma") || macros_->namesItself(*macro) || isReadTwice())
      return;
    if (sources_.getExpansionLoc(token) == at)
      around.clear(); // in the macro's own text
    for (const clang::SourceLocation& other : around) {
      const auto holder = unit_.isUser(other) ? text_.positionOf(other) : std::nullopt;
      const auto outer =
          holder ? macroAt(text_.buffer(holder->file), holder->offset) : std::nullopt;
      // `#` and `##` see what stands there.
      if (!outer || !macro->isOne() || macros_->mayPaste(outer->name))
        return;
    }
    const bool once = macro->onceDone() && around.empty() && listed_.count(at);
    if (const auto edit = written(*macro, *place, once))
      found_[place->file][place->offset] = *edit;
  }

  /// What stands in the place of a macro's call: the end of that, and the text.
  std::optional<std::pair<unsigned, std::string>>
  written(const Macro& macro, const FilePosition& place, bool once) const {
    constexpr unsigned longest = 8000;
    const llvm::StringRef all = text_.buffer(place.file);
    const std::string call = all.substr(place.offset, longest).str() + "\n";
    const std::vector<RawToken> tokens = rawTokens(call);
    if (tokens.empty() || tokens[0].text != macro.name)
      return std::nullopt;
    unsigned end = unsigned(tokens[0].text.size());
    std::vector<std::string> given;
    if (macro.likeFunction) {
      const auto arguments = argumentsOf(tokens, end);
      if (!arguments)
        return std::nullopt;
      given = *arguments;
      if (macro.parameters.empty() && given.size() == 1 && given[0].empty())
        given.clear();
      if (given.size() != macro.parameters.size())
        return std::nullopt;
    }
    Joined out;
    const std::size_t closing = once ? macro.onceDone() : 0;
    const std::size_t first = once ? 1 : 0, last = once ? closing + 1 : macro.text.size();
    unsigned behind = 0;
    for (std::size_t i = first; i < last; ++i) {
      const RawToken& token = macro.text[i];
      const auto parameter = isName(token) ? std::find(macro.parameters.begin(),
                                                       macro.parameters.end(), token.text.str())
                                           : macro.parameters.end();
      const bool isGiven = parameter != macro.parameters.end();
      out.add(isGiven ? llvm::StringRef(given[std::size_t(parameter - macro.parameters.begin())])
                      : token.text,
              token.offset != behind, isGiven);
      behind = token.offset + unsigned(token.text.size());
    }
    return std::pair(place.offset + end,
                     withLinesOf(llvm::StringRef(call).take_front(end), std::move(out).text()));
  }

  /// The arguments of a call, each on one line; none if something else stands there.
  std::optional<std::vector<std::string>> argumentsOf(const std::vector<RawToken>& tokens,
                                                      unsigned& end) const {
    if (tokens.size() < 2 || tokens[1].text != "(")
      return std::nullopt;
    std::vector<std::string> out;
    Joined one;
    unsigned depth = 0, behind = 0;
    for (std::size_t i = 2; i < tokens.size(); ++i) {
      const RawToken& token = tokens[i];
      if ((token.startsLine && token.kind == clang::tok::hash) || token.text.contains('\n') ||
          token.text == "__COUNTER__" || (isName(token) && macros_->mayBeSeveral(token.text.str())))
        return std::nullopt;
      if (depth == 0 && (token.text == "," || token.text == ")")) {
        out.push_back(std::move(one).text());
        one = Joined();
        if (token.text == ")") {
          end = token.offset + 1;
          return out;
        }
        behind = token.offset + 1;
        continue;
      }
      depth += token.text == "(";
      depth -= token.text == ")";
      one.add(token.text, token.offset != behind, false);
      behind = token.offset + unsigned(token.text.size());
    }
    return std::nullopt;
  }

  const SourceUnit& unit_;
  const SourceText& text_;
  const clang::SourceManager& sources_;
  const Facts& facts_;
  PlainChanges& changes_;
  const clang::FunctionDecl* function_ = nullptr;                  ///< that is looked at
  std::map<std::pair<std::string, unsigned>, unsigned> functions_; ///< how many are at a place
  PlainChanges found_;
  std::set<clang::SourceLocation> listed_; ///< of `do ... while` statements in lists
  std::optional<DefinedMacros> macros_;
};

} // namespace

void writeOutMacros(const SourceUnit& unit, const SourceText& text, const Facts& facts,
                    const std::vector<const FunctionFacts*>& functions, PlainChanges& changes) {
  WritingOutMacros macros(unit, text, facts, changes);
  for (const FunctionFacts* f : functions)
    macros.look(*f);
  macros.put();
}

} // namespace cu2cpp
