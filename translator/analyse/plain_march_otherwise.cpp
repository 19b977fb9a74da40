// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp) whose threads beyond the edge fill the tile with a number:
//
//   tile[ty + 4][tx + 4] = inside ? here : 0.0f;
//   ...
//   if (inside) out[at] = here + tile[ty + 4][tx + 5] + ...;
//
// What is read there is the array's element if the thread that has filled it is inside, too, or if
// it was none of those (the halo has elements of the array), and else the number. Where that is
// known for all of a branch, as for all threads but a few at the edge, it stands there as it would
// without the number; for the others it stands a second time:
//
//   if (x + 5 <= nx) { out[at] = in[at] + in[at + 1] + ...; }
//   else if (inside) { out[at] = in[at] + (x % 32 + 1 <= 31 && nx <= x + 1 ? 0.0f : in[at + 1]) ...
//   }
#include <algorithm>

#include "analyse/plain_march.h"

namespace cu2cpp::marches {

void March::noteOtherwise(const clang::Expr* e, Write& write, const State& state) {
  const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(plainly(e));
  if (!choice || !write.conditions.empty())
    return;
  for (const bool holds : {true, false}) {
    const clang::Expr* number = holds ? choice->getFalseExpr() : choice->getTrueExpr();
    Needs where;
    if (!isLiteral(number) || number->getBeginLoc().isMacroID() ||
        number->getEndLoc().isMacroID() ||
        !body_.unit.context().hasSameUnqualifiedType(
            number->getType(), write.value.array->getType()->getPointeeType()) ||
        !read(choice->getCond(), holds, state, where))
      continue;
    const auto range = body_.text.rangeOf(number->getSourceRange());
    const auto text = range ? onOneLine(body_.text.text(*range)) : std::nullopt;
    if (!text || std::any_of(where.begin(), where.end(),
                             [&](const Sum& need) { return names(need, *step_); }))
      return;
    write.where = where;
    write.otherwise = *text;
    return;
  }
}

std::optional<Sum> March::sizeInText(const Sum& rest, const std::string& part) {
  const Sum block = builtinSum(BlockIdx, "blockIdx", part);
  const Sum whole = writtenOut(rest);
  const auto factor = symbols_.factorOf(whole, block.begin()->first[0]);
  // A number, or a parameter of the template.
  return factor && factor->size() == 1 && symbols_.isNeverNegative(*factor) &&
                 canBeginWith(*factor) && (whole - block * *factor).empty()
             ? factor
             : std::nullopt;
}

bool March::holdsInBlocks(const Sum& need) {
  for (const char* part : {"x", "y"}) {
    Sum rest;
    const auto number = anchorOf(part, rest) ? sizeInText(rest, part) : std::nullopt;
    if (!number)
      continue;
    const Sum fits = *number - builtinSum(BlockDim, "blockDim", part);
    if (!symbols_.isNeverNegative(writtenOut(need) - fits))
      continue;
    if (!settling_)
      add(sizes_, {fits});
    return true;
  }
  return false;
}

bool March::areApart(const Write& a, const Write& b) {
  const auto threadsA = writers(a), threadsB = writers(b);
  const Sum one = constantSum(1);
  for (std::size_t i = 0; i < a.written.size() && i < b.written.size(); ++i) {
    std::vector<Sum> asked;
    const auto firstA = symbols_.extreme(a.written[i], false, threadsA, asked);
    const auto lastA = symbols_.extreme(a.written[i], true, threadsA, asked);
    const auto firstB = symbols_.extreme(b.written[i], false, threadsB, asked);
    const auto lastB = symbols_.extreme(b.written[i], true, threadsB, asked);
    if (!firstA || !lastA || !firstB || !lastB || !asked.empty())
      continue;
    for (const Sum& between : {*firstA - *lastB - one, *firstB - *lastA - one}) {
      if (neverNegative(between) || holdsInBlocks(between))
        return true;
    }
  }
  return false;
}

bool March::isElsewhereInBlocks(const std::vector<Sum>& indices, const Write& write) {
  const auto threads = writers(write);
  const Sum one = constantSum(1);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::vector<Sum> asked;
    const auto first = symbols_.extreme(write.written[i], false, threads, asked);
    const auto last = symbols_.extreme(write.written[i], true, threads, asked);
    if (!first || !last || !asked.empty())
      continue;
    for (const Sum& between : {*first - indices[i] - one, indices[i] - *last - one}) {
      const auto least = symbols_.extreme(between, false, {}, asked);
      if (least && asked.empty() && holdsInBlocks(*least))
        return true;
    }
  }
  return false;
}

bool March::takeOtherwise(Value& value, const Write& write, const std::vector<Write>& writes,
                          const std::vector<Sum>& indices, const Needs& known) {
  if (write.otherwise.empty() || value.isOtherwise() ||
      !std::all_of(writes.begin(), writes.end(),
                   [&](const Write& other) { return &other == &write || areApart(write, other); }))
    return false;
  Needs within, where;
  // The thread that has filled it is one of the block's.
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto atoms = symbols_.atomsOf(write.written[i]);
    const unsigned thread =
        builtinSum(ThreadIdx, "threadIdx", i + 1 == indices.size() ? "x" : "y").begin()->first[0];
    const Sum ahead = atoms.size() == 1 && atoms[0] == thread ? write.written[i] - symbolSum(thread)
                                                              : symbolSum(thread);
    if (indices.size() != 2 || symbols_.hasAtoms(ahead))
      return false;
    const Sum of = indices[i] - ahead;
    for (const Sum& need : {of, symbols_[thread].bounds.most - of})
      if (!neverNegative(need) && !follows(need, known))
        add(within, {need});
  }
  for (const Sum& need : write.where) {
    const auto here = ofReader(need, write, indices);
    if (!here)
      return false;
    if (!follows(*here, known))
      add(where, {*here});
  }
  if (where.empty())
    return false;
  value.otherwise = write.otherwise;
  value.within = within;
  value.where = where;
  return true;
}

std::string March::asked(const Sum& need) const {
  Sum less, more;
  for (const auto& [product, times] : need)
    (times < 0 ? less : more)[product] = times < 0 ? -times : times;
  return print(less) + " <= " + print(more);
}

std::optional<std::string> March::withOtherwise(const Value& value, const std::string& element,
                                                const std::map<unsigned, Sum>& threads,
                                                const std::map<unsigned, Sum>& places) const {
  const auto written = [](Sum sum, const std::map<unsigned, Sum>& by) {
    for (const auto& [symbol, instead] : by)
      sum = replaced(sum, symbol, instead);
    return sum;
  };
  std::string within, where;
  for (const Sum& need : value.within)
    within += asked(written(need, threads)) + " && ";
  for (const Sum& need : value.where)
    where += (where.empty() ? "" : " && ") + asked(written(need, places));
  if (llvm::StringRef(within + where).contains("threadIdx.") ||
      llvm::StringRef(within + where).contains("blockIdx.") ||
      llvm::StringRef(within + where).contains("blockDim."))
    return std::nullopt;
  return "(" + within + "!(" + where + ") ? " + value.otherwise + " : " + element + ")";
}

bool March::namePlacesInBlocks(const std::vector<std::pair<const clang::VarDecl*, Sum>>& anchors,
                               std::map<unsigned, Sum>& threads) {
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const std::string part = i ? "y" : "x";
    const auto& [anchor, rest] = anchors[i];
    const Sum size = builtinSum(BlockDim, "blockDim", part);
    const auto number = sizeInText(rest, part);
    if (!number)
      return false;
    Symbol symbol;
    symbol.ofGrid = true;
    symbol.text = anchor->getNameAsString() + " % (" + print(*number) + ")";
    threads[thread_[i]] = symbolSum(symbols_.add("in block " + part, symbol));
    threads[size.begin()->first[0]] = *number;
    add(sizes_, {size - *number, *number - size});
  }
  return true;
}

const clang::IfStmt* March::branchAround(const clang::Expr* e, const clang::Stmt*& first) const {
  const clang::ParentMap& parents = body_.variables.parents();
  const clang::Stmt* s = e;
  while (s && parents.getParent(s) != body_list_)
    s = parents.getParent(s);
  const auto guard = guarded_.find(s);
  const auto* branch =
      guard != guarded_.end() ? guard->second : llvm::dyn_cast_or_null<clang::IfStmt>(s);
  first = branch;
  for (const clang::Stmt* other : body_list_->body())
    if (const auto found = guarded_.find(other);
        found != guarded_.end() && found->second == branch && branch) {
      first = other;
      break;
    }
  return branch && !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
                 !branch->isConstexpr()
             ? branch
             : nullptr;
}

bool March::writeOtherwise(const std::map<const clang::Expr*, std::string>& texts,
                           const std::map<unsigned, Sum>& places, PlainChanges& changes) {
  std::map<const clang::IfStmt*, std::pair<const clang::Stmt*, Needs>> branches;
  for (const auto& [e, text] : texts) {
    const clang::Stmt* first = nullptr;
    const clang::IfStmt* branch = branchAround(e, first);
    if (!branch)
      return false;
    auto& [begin, needs] = branches[branch];
    begin = first;
    // What holds for all that loops in the branch read.
    for (Sum need : edits_.at(e).second.where) {
      std::map<unsigned, Sum> back;
      for (const unsigned atom : {thread_[0], thread_[1]}) {
        Symbol symbol;
        symbol.ofGrid = symbol.mayBeNegative = true;
        symbol.text = symbols_[atom].text;
        const unsigned number = symbols_.add("fixed " + symbol.text, symbol);
        need = replaced(need, atom, symbolSum(number));
        back[number] = symbolSum(atom);
      }
      std::vector<Sum> more;
      auto least = symbols_.extreme(need, false, {}, more);
      if (!least || !more.empty())
        return false;
      for (const auto& [number, atom] : back)
        least = replaced(*least, number, atom);
      add(needs, {*least});
    }
  }
  for (const auto& [branch, found] : branches) {
    const auto begin = body_.text.positionOf(found.first->getBeginLoc());
    const auto range = body_.text.rangeOf(branch->getSourceRange());
    const auto then = body_.text.positionOf(branch->getThen()->getBeginLoc());
    if (!begin || !range || !then || begin->file != range->file || then->file != range->file ||
        begin->offset > range->begin)
      return false;
    unsigned end = range->end;
    if (body_.text.buffer(range->file)[end - 1] != '}') {
      const auto behind = behindSemicolon(body_.text, *range);
      if (!behind)
        return false;
      end = *behind;
    }
    auto& edits = changes[range->file];
    const auto textWith = [&](bool otherwise) {
      auto with = edits;
      if (otherwise)
        for (const auto& [e, text] : texts) {
          const FileRange& at = edits_.at(e).first;
          with[at.begin].second = text;
        }
      std::string out = body_.text.buffer(range->file).slice(begin->offset, end).str();
      for (auto edit = with.rbegin(); edit != with.rend(); ++edit)
        if (edit->first >= begin->offset && edit->second.first <= end)
          out.replace(edit->first - begin->offset, edit->second.first - edit->first,
                      edit->second.second);
      return out;
    };
    std::string inner;
    for (Sum need : found.second) {
      for (const auto& [symbol, instead] : places)
        need = replaced(need, symbol, instead);
      for (const auto& [product, times] : need)
        for (const unsigned symbol : product)
          if (symbols_[symbol].text.empty() || !means(branch, symbol))
            return false;
      const std::string text = asked(need);
      if (llvm::StringRef(text).contains("Idx.") || llvm::StringRef(text).contains("blockDim."))
        return false;
      inner += (inner.empty() ? "" : " && ") + text;
    }
    // What asks for the branch stands in front of both, if the new condition does not say it.
    std::string plain = textWith(false);
    const auto other = onOneLine(textWith(true));
    State state;
    Needs outer;
    for (const clang::Stmt* s : llvm::cast<clang::CompoundStmt>(body_.function->getBody())->body())
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s); declared && s != loop_)
        for (const clang::Decl* decl : declared->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
            declare(variable, state, true);
    const bool isSaid = read(branch->getCond(), true, state, outer) && follows(outer, found.second);
    const auto list = plain.find('{');
    if (!other || list == std::string::npos || !llvm::StringRef(plain).starts_with("if ("))
      return false;
    if (isSaid)
      plain = "if (" + inner + ") " + plain.substr(list);
    else
      plain = "if (" + inner + ") { " + plain + " }";
    edits.erase(edits.lower_bound(begin->offset), edits.lower_bound(end));
    if (const auto at = edits.find(end); at != edits.end() && at->second.first == end)
      edits.erase(at); // (the end of what was put around)
    edits[begin->offset] = {end, plain + " else " + *other};
  }
  return true;
}

} // namespace cu2cpp::marches
