// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp) and do not say `__restrict__`: what they store may be what
// they read, then. They read the array where it is told that it is not:
//
//   void k_cuApart(const float* in, float* out) { the kernel that reads the array }
//   void k(const float* in, float* out) {
//     if ((const char*)(in + n) <= (const char*)(out + 1) || ...)
//       return k_cuApart(in, out);
//     the kernel as it was
//   }
//
// (or, of a template, both in one body.)
// So do those whose tiles have the rows that they count by only in blocks of some size.
// All places that threads of the grid read of the one and store to the other are known, as sums
// that conditions around them keep within bounds.
#include <algorithm>

#include "analyse/marks.h"
#include "analyse/plain_march.h"
#include "parse/raw_tokens.h"

namespace cu2cpp::marches {

std::optional<Bounds> March::reachOf(const Sum& at, const Needs& known, Needs& asked) {
  Sum place = at;
  Needs told = known;
  std::map<unsigned, Bounds> closer;
  const std::vector<std::string> parts = {"x", "y"};
  const Sum ofBlocks[] = {builtinSum(BlockIdx, "blockIdx", "x"),
                          builtinSum(BlockIdx, "blockIdx", "y"),
                          builtinSum(BlockIdx, "blockIdx", "z")};
  const auto namesBlock = [&](const Sum& sum) {
    return std::any_of(std::begin(ofBlocks), std::end(ofBlocks),
                       [&](const Sum& block) { return names(sum, block.begin()->first[0]); });
  };
  std::vector<unsigned> inGrid;
  for (unsigned i = 0; i < parts.size(); ++i) {
    Sum rest;
    if (!anchorOf(parts[i], rest))
      return std::nullopt;
    // The grid's first thread, and its last.
    const unsigned block = ofBlocks[i].begin()->first[0];
    if (!symbols_.isNeverNegative(rest - replaced(rest, block, {})))
      return std::nullopt;
    Symbol symbol;
    symbol.atom = true;
    symbol.bounds = {
        replaced(rest, block, {}),
        replaced(rest, block, builtinSum(GridDim, "gridDim", parts[i]) + constantSum(-1)) +
            builtinSum(BlockDim, "blockDim", parts[i]) + constantSum(-1)};
    const unsigned number = symbols_.add("reach " + parts[i], symbol);
    inGrid.push_back(number);
    closer[number] = symbol.bounds;
    const Sum of = symbolSum(number) - rest;
    place = replaced(place, thread_[i], of);
    for (Sum& need : told)
      need = replaced(need, thread_[i], of);
  }
  // What conditions around say of a place.
  for (const unsigned number : inGrid)
    for (const Sum& need : told) {
      const auto factor = symbols_.factorOf(need, number);
      const auto times = factor ? asConstant(*factor) : std::nullopt;
      if (!times || (*times != 1 && *times != -1))
        continue;
      const Sum bound = *times == 1 ? symbolSum(number) - need : need + symbolSum(number);
      if (!symbols_.hasAtoms(bound) && !namesBlock(bound))
        (*times == 1 ? closer[number].least : closer[number].most) = bound;
    }
  Bounds out;
  for (const bool greatest : {false, true}) {
    std::optional<Sum> end = place;
    // Bounds of a loop's counter may name others.
    for (unsigned round = 0; end && symbols_.hasAtoms(*end) && round < 4; ++round)
      end = symbols_.extreme(*end, greatest, closer, asked);
    if (!end || !canBeginWith(*end))
      return std::nullopt;
    (greatest ? out.most : out.least) = *end;
  }
  return out;
}

bool March::canBeginWith(const Sum& sum) const {
  return !symbols_.hasAtoms(sum) && std::all_of(sum.begin(), sum.end(), [&](const auto& term) {
    return std::all_of(term.first.begin(), term.first.end(), [&](unsigned symbol) {
      const auto variable = variables_.find(symbol);
      const llvm::StringRef text = symbols_[symbol].text;
      if (const auto steps = counted_.find(symbol); steps != counted_.end())
        return canBeginWith(steps->second);
      return !text.empty() && !text.contains("blockIdx.") &&
             (variable == variables_.end() || llvm::isa<clang::ParmVarDecl>(variable->second));
    });
  });
}

void March::widen(std::vector<Sum>& ends, const Sum& end, bool greatest, const Needs& asked) const {
  const auto isNeverNegative = [&](const Sum& sum) {
    return std::all_of(sum.begin(), sum.end(), [&](const auto& term) {
      return term.second > 0 &&
             std::all_of(term.first.begin(), term.first.end(), [&](unsigned symbol) {
               return !symbols_[symbol].mayBeNegative ||
                      std::find(asked.begin(), asked.end(), symbolSum(symbol)) != asked.end();
             });
    });
  };
  const auto isBeyond = [&](const Sum& a, const Sum& b) {
    return isNeverNegative(greatest ? a - b : b - a);
  };
  if (std::any_of(ends.begin(), ends.end(), [&](const Sum& other) { return isBeyond(other, end); }))
    return;
  ends.erase(std::remove_if(ends.begin(), ends.end(),
                            [&](const Sum& other) { return isBeyond(end, other); }),
             ends.end());
  ends.push_back(end);
}

std::optional<std::string> March::whereApart() {
  constexpr std::size_t mostEnds = 6;
  std::string all;
  Needs asked = sizes_;
  for (const auto& [from, to] : apart_) {
    if (!from || !to || from == to)
      return std::nullopt;
    std::vector<Bounds> read, stored;
    for (const auto& [e, edit] : edits_) {
      std::vector<Value> elements = edit.second.parts;
      elements.push_back(edit.second);
      for (const Value& element : elements)
        if (element.array == from && arrays_.count(from)) {
          const auto reach = reachOf(element.at, known_[e], asked);
          if (!reach)
            return std::nullopt;
          read.push_back(*reach);
        }
    }
    for (const auto& [e, access] : accesses_) {
      const bool loads = access.array == from, stores = access.array == to && access.stores;
      if (!loads && !stores)
        continue;
      const auto reach = access.at ? reachOf(*access.at, known_[e], asked) : std::nullopt;
      if (!reach)
        return std::nullopt;
      (stores ? stored : read).push_back(*reach);
    }
    if (read.empty() || stored.empty())
      return std::nullopt;
    // A kernel's parameters have these names where it begins.
    const auto at = [&](const clang::ParmVarDecl* array, const Sum& sum) {
      return "(const char*)(" + array->getNameAsString() + " + (" + symbols_.print(sum) + "))";
    };
    std::vector<Sum> ends[2][2];
    for (const bool greatest : {false, true}) {
      for (const Bounds& reach : read)
        widen(ends[0][greatest], greatest ? reach.most : reach.least, greatest, asked);
      for (const Bounds& reach : stored)
        widen(ends[1][greatest], greatest ? reach.most : reach.least, greatest, asked);
    }
    std::string either;
    for (const unsigned first : {0u, 1u}) {
      const clang::ParmVarDecl* const one = first ? to : from;
      const clang::ParmVarDecl* const other = first ? from : to;
      if (ends[first][1].size() * ends[1 - first][0].size() > mostEnds)
        return std::nullopt;
      std::string both;
      for (const Sum& last : ends[first][1])
        for (const Sum& next : ends[1 - first][0])
          both += (both.empty() ? "" : " && ") + at(one, last + constantSum(1)) +
                  " <= " + at(other, next);
      either += (either.empty() ? "" : " || ") + ("(" + both + ")");
    }
    if (mayBeOne_.count({from, to}))
      either += " || (const char*)" + from->getNameAsString() + " == (const char*)" +
                to->getNameAsString();
    all += (all.empty() ? "" : " && ") + ("(" + either + ")");
  }
  std::set<std::string> conditions;
  for (const Sum& need : asked) {
    if (!canBeginWith(need))
      return std::nullopt;
    conditions.insert(symbols_.print(need) + " >= 0");
  }
  for (const std::string& condition : conditions)
    all += (all.empty() ? "" : " && ") + condition;
  return all;
}

bool March::mayHavePeer() const {
  const clang::FunctionDecl* const function = body_.function;
  const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(function->getLexicalDeclContext());
  // Of a template whose parameters are written out (plain_specialisations.cpp) it is no template.
  const bool mayBePlain =
      !function->isTemplated() || (function->getDescribedFunctionTemplate() &&
                                   !function->getDeclContext()->isDependentContext());
  return mayBePlain && !function->isFunctionTemplateSpecialization() && function->getIdentifier() &&
         !function->getQualifier() && !function->getLocation().isMacroID() &&
         (!linkage || linkage->hasBraces()) &&
         std::all_of(function->param_begin(), function->param_end(),
                     [&](const clang::ParmVarDecl* parameter) {
                       const LocalVariable* local = body_.variables.find(parameter);
                       return parameter->getIdentifier() && (!local || !local->modified) &&
                              parameter->getType().isTriviallyCopyableType(body_.unit.context());
                     });
}

bool March::writeApart(const std::string& condition, const std::string& changed,
                       PlainChanges& changes) {
  const clang::FunctionDecl* const function = body_.function;
  if (!mayHavePeer())
    return false;
  const auto placeOf = [&](const clang::Decl* decl) {
    return body_.text.positionOf(body_.text.sources().getExpansionLoc(decl->getBeginLoc()));
  };
  const clang::FunctionTemplateDecl* const pattern = function->getDescribedFunctionTemplate();
  const auto start = placeOf(function), begin = pattern ? placeOf(pattern) : start;
  const auto name = body_.text.rangeOf(function->getLocation());
  const auto body = body_.text.rangeOf(function->getBody()->getSourceRange());
  if (!begin || !start || !name || !body || begin->file != body_.unit.mainFile() ||
      start->file != begin->file || name->file != begin->file || body->file != begin->file ||
      begin->offset > start->offset || start->offset > name->begin)
    return false;
  // Nothing that belongs to it stands in front.
  const llvm::StringRef all = body_.text.buffer(begin->file);
  const std::string before = all.take_front(begin->offset).str() + "\n";
  const std::vector<RawToken> tokens = rawTokens(before);
  auto line = std::find_if(tokens.rbegin(), tokens.rend(),
                           [](const RawToken& token) { return token.startsLine; });
  if (!tokens.empty() && tokens.back().kind != clang::tok::semi &&
      tokens.back().kind != clang::tok::r_brace && tokens.back().kind != clang::tok::l_brace &&
      (line == tokens.rend() || line->kind != clang::tok::hash))
    return false;
  const std::string peer = apartPeer(function);
  const auto copy = onOneLine(all.slice(start->offset, name->begin).str() + peer +
                              all.slice(name->end, body->begin).str() + changed);
  if (!copy)
    return false;
  if (pattern)
    for (const RawToken& token : rawTokens(*copy))
      for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters())
        if (parameter->getName() == token.text)
          return false;
  std::string asked = condition;
  for (const std::string& size : {std::string("gridDim."), std::string("blockDim.")})
    for (std::size_t at = 0; (at = asked.find(size, at)) != std::string::npos;) {
      const std::string instead = "cu2cpp::thisBlock()." + size;
      asked.replace(at, size.size(), instead);
      at += instead.size();
    }
  changes.clear();
  auto& edits = changes[begin->file];
  edits[begin->offset] = {begin->offset,
                          "__attribute__((annotate(\"cu2cpp.apart_of\"))) " + *copy + " "};
  auto& mark = edits[start->offset];
  mark = {start->offset,
          mark.second + "__attribute__((annotate(\"cu2cpp.apart\", \"" + asked + "\"))) "};
  return true;
}

bool March::writeBeside(const std::string& condition, PlainChanges& changes) {
  const auto range = body_.text.rangeOf(body_.function->getBody()->getSourceRange());
  if (!range || changes.size() != 1 || changes.begin()->first != range->file ||
      body_.function->getBody()->getBeginLoc().isMacroID())
    return false;
  std::string changed = body_.text.buffer(range->file).slice(range->begin, range->end).str();
  const auto& edits = changes.begin()->second;
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    if (edit->first < range->begin || edit->second.first > range->end)
      return false;
    changed.replace(edit->first - range->begin, edit->second.first - edit->first,
                    edit->second.second);
  }
  if (writeApart(condition, changed, changes))
    return true;
  const auto line = onOneLine(changed);
  if (!line)
    return false;
  changes.clear();
  changes[range->file][range->begin] = {range->begin,
                                        "{ if (" + condition + ") " + *line + " else "};
  changes[range->file][range->end] = {range->end, " }"};
  return true;
}

} // namespace cu2cpp::marches
