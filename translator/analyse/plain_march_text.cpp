// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp): the text that reads the array.
#include <algorithm>

#include "analyse/plain_march.h"
#include "analyse/slopes.h"

namespace cu2cpp::marches {

const clang::VarDecl* March::anchorOf(const std::string& part, Sum& rest) {
  const Sum thread = builtinSum(ThreadIdx, "threadIdx", part);
  const Sum block = builtinSum(BlockIdx, "blockIdx", part);
  State state;
  for (const clang::Stmt* s : llvm::cast<clang::CompoundStmt>(body_.function->getBody())->body()) {
    if (s == loop_)
      break;
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
    if (!declared)
      continue;
    for (const clang::Decl* decl : declared->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
      if (!local || !local->integer)
        continue;
      declareInteger(variable, state, true);
      const auto sum = state.integers.find(variable);
      if (sum == state.integers.end() || local->modified || local->escapes)
        continue;
      const Sum other = sum->second - thread;
      if (symbols_.hasAtoms(other) || !symbols_.isOfGrid(other) ||
          !names(other, block.begin()->first[0]))
        continue;
      rest = other;
      return variable;
    }
  }
  return nullptr;
}

bool March::names(const Sum& sum, unsigned symbol) {
  return std::any_of(sum.begin(), sum.end(), [&](const auto& term) {
    return std::find(term.first.begin(), term.first.end(), symbol) != term.first.end();
  });
}

std::string March::print(const Sum& sum) const {
  // What adds first, so that no text begins with a minus.
  std::string out;
  for (const bool negative : {false, true})
    for (const auto& [product, times] : sum) {
      if ((times < 0) != negative)
        continue;
      const unsigned long long size = negative ? 0ull - times : times;
      std::string term;
      for (const unsigned symbol : product)
        term += (term.empty() ? (product.size() > 1 || size != 1 ? cast() : "") : " * ") +
                symbols_[symbol].text;
      if (product.empty() || size != 1)
        term += (term.empty() ? "" : " * ") + std::to_string(size);
      out += out.empty() ? (negative ? "-" : "") + term : (negative ? " - " : " + ") + term;
    }
  return out.empty() ? "0" : out;
}

std::string March::cast() const { return narrow_ ? "" : "(long long)"; }

std::string March::aheadOf(unsigned symbol, const Sum& ahead) const {
  const std::string& text = symbols_[symbol].text;
  const auto number = asConstant(ahead);
  if (number == 0)
    return text;
  if (number)
    return "(" + text + (*number > 0 ? " + " : " - ") +
           std::to_string(*number > 0 ? *number : -*number) + ")";
  const bool negative =
      std::none_of(ahead.begin(), ahead.end(), [](const auto& term) { return term.second > 0; });
  return "(" + text + (negative ? " - (" : " + (") + print(negative ? ahead * -1 : ahead) + "))";
}

std::string March::takeOutSum(Sum& place, unsigned symbol, const Sum& each) const {
  // What the longest of its products is multiplied with in the place, the whole sum is.
  const auto longest = std::max_element(each.begin(), each.end(), [](const auto& a, const auto& b) {
    return a.first.size() < b.first.size();
  });
  if (longest->second != 1)
    return "";
  Sum count;
  for (const auto& [product, times] : place) {
    if (!std::includes(product.begin(), product.end(), longest->first.begin(),
                       longest->first.end()))
      continue;
    Product left;
    std::set_difference(product.begin(), product.end(), longest->first.begin(),
                        longest->first.end(), std::back_inserter(left));
    count = count + Sum{{left, times}};
  }
  const Sum rest = place - count * each;
  if (rest.size() >= place.size())
    return "";
  place = rest;
  // Numbers last, as people write it.
  const auto number = each.find({});
  const long long last = number == each.end() ? 0 : number->second;
  std::string width = print(each - constantSum(last));
  if (last != 0)
    width += (last > 0 ? " + " : " - ") + std::to_string(last > 0 ? last : -last);
  return cast() + aheadOf(symbol, count - symbolSum(symbol)) + " * (" +
         (llvm::StringRef(width).starts_with("(long long)") ? "" : cast()) + width + ")";
}

std::string March::takeOut(Sum& place, unsigned symbol) const {
  const auto factor = symbols_.factorOf(place, symbol);
  Sum each = factor ? *factor : Sum();
  if (!factor)
    for (const auto& [product, times] : place) // other names that differ beside it
      if (std::find(product.begin(), product.end(), symbol) != product.end())
        return "";
  if (each.size() > 1)
    return takeOutSum(place, symbol, each);
  if (each.size() != 1)
    return "";
  const Product& divisor = each.begin()->first;
  const long long times = each.begin()->second;
  Sum count, rest;
  for (const auto& [product, have] : place) {
    Product left;
    Product wanted = divisor;
    for (const unsigned s : product)
      if (const auto at = std::find(wanted.begin(), wanted.end(), s); at != wanted.end())
        wanted.erase(at);
      else
        left.push_back(s);
    // Of constants the nearest.
    const long long half = (times > 0 ? times : -times) / 2;
    const long long by = wanted.empty() ? (have + (have >= 0 ? half : -half)) / times : 0;
    if (divisor.empty() && (times == 1 || times == -1) &&
        !(left.size() == 1 && left[0] == symbol)) {
      rest[product] = have;
      continue;
    }
    if (by != 0)
      count = count + Sum{{left, by}};
    if (have - by * times != 0)
      rest[product] = have - by * times;
  }
  std::string text = aheadOf(symbol, count - symbolSum(symbol));
  place = rest;
  // What it is multiplied with is one product.
  const auto one = asConstant(each);
  if (one == 1)
    return text;
  text = cast() + text;
  for (const unsigned s : divisor)
    text += " * " + symbols_[s].text;
  if (times != 1)
    text += times < 0 ? " * (" + std::to_string(times) + ")" : " * " + std::to_string(times);
  return text;
}

bool March::means(const clang::Stmt* e, unsigned symbol) const {
  llvm::StringRef name = symbols_[symbol].text;
  name.consume_front("(long long)");
  name = name.split('.').first;
  const auto known = variables_.find(symbol);
  const clang::VarDecl* const wanted = known == variables_.end() ? nullptr : known->second;
  const auto isNamed = [&](const clang::Stmt* s, const clang::VarDecl*& found) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(s);
    if (declared)
      for (const clang::Decl* decl : declared->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
            variable && variable->getNameAsString() == name)
          found = variable;
    return found != nullptr;
  };
  const clang::ParentMap& parents = body_.variables.parents();
  const clang::VarDecl* found = nullptr;
  const clang::Stmt* inner = e;
  for (const clang::Stmt* at = parents.getParent(e); at && !found;
       inner = at, at = parents.getParent(at)) {
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(at))
      isNamed(loop->getInit(), found);
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(at))
      for (const clang::Stmt* s : list->body()) {
        if (s == inner)
          break;
        isNamed(s, found);
      }
  }
  for (const clang::ParmVarDecl* parameter : body_.function->parameters())
    if (!found && parameter->getNameAsString() == name)
      found = parameter;
  return found == wanted;
}

bool March::namesAreHidden() const {
  for (const clang::DeclStmt* s : body_.contents.declarations)
    for (const clang::Decl* decl : s->decls())
      for (const clang::ParmVarDecl* array : arrays_)
        if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl);
            named && named->getName() == array->getName())
          return true;
  return false;
}

bool March::isInMacro(const clang::Expr* e) {
  return e->getBeginLoc().isMacroID() || e->getEndLoc().isMacroID();
}

bool March::writeOutMacros() {
  const clang::SourceManager& sources = body_.text.sources();
  const clang::ParentMap& parents = body_.variables.parents();
  PlainChanges changes;
  for (const auto& [e, edit] : edits_) {
    if (!isInMacro(e))
      continue;
    const clang::SourceLocation in =
        e->getBeginLoc().isMacroID() ? e->getBeginLoc() : e->getEndLoc();
    const clang::CharSourceRange call = sources.getExpansionRange(in);
    const auto isOfCall = [&](clang::SourceLocation at) {
      return at.isMacroID() && sources.getExpansionLoc(at) == call.getBegin();
    };
    const clang::Expr* all = nullptr;
    for (const clang::Stmt* at = e; at; at = parents.getParent(at)) {
      const auto* outer = llvm::dyn_cast<clang::Expr>(at);
      if (!outer || !isOfCall(outer->getBeginLoc()) || !isOfCall(outer->getEndLoc()))
        break;
      if (body_.text.isWhole(outer))
        all = outer;
    }
    const auto range = body_.text.rangeOf(call.getAsRange());
    if (!all || !range || all->isInstantiationDependent())
      return false;
    std::string text;
    llvm::raw_string_ostream out(text);
    all->printPretty(out, nullptr, clang::PrintingPolicy(body_.unit.context().getPrintingPolicy()));
    if (text.find('\n') != std::string::npos)
      return false;
    changes[range->file][range->begin] = {
        range->end, withLinesOf(body_.text.text(*range),
                                llvm::isa<clang::ParenExpr>(all) ? text : "(" + text + ")")};
  }
  for (auto& [file, edits] : changes)
    for (auto& [begin, edit] : edits)
      body_.changes[file][begin] = std::move(edit);
  return true;
}

bool March::write() {
  apart_.clear();
  mayBeOne_.clear();
  for (const clang::ParmVarDecl* array : arrays_)
    for (const clang::VarDecl* other : stored_) {
      const auto* to = llvm::dyn_cast<clang::ParmVarDecl>(other);
      if (to == array || (!to && !array->getType()->getPointeeType().isConstQualified()))
        return false;
      if (array->getType().isRestrictQualified() || (to && to->getType().isRestrictQualified()))
        continue;
      if (storesElsewhere_)
        return false;
      for (const auto& [e, access] : accesses_)
        if (access.stores)
          apart_.insert({array, access.array});
    }
  for (const clang::ParmVarDecl* array : arrays_)
    if (array->getType()->getPointeeType().isVolatileQualified())
      return false;
  if (edits_.empty() || namesAreHidden())
    return false;
  for (const unsigned i : {0u, 1u})
    thread_[i] = builtinSum(ThreadIdx, "threadIdx", i ? "y" : "x").begin()->first[0];
  if (!ordersStay())
    return false;
  if (std::any_of(edits_.begin(), edits_.end(),
                  [](const auto& edit) { return isInMacro(edit.first); }))
    return writeOutMacros();
  Sum restX, restY;
  const clang::VarDecl* const x = anchorOf("x", restX);
  const clang::VarDecl* const y = anchorOf("y", restY);
  const unsigned threadX = builtinSum(ThreadIdx, "threadIdx", "x").begin()->first[0];
  const unsigned threadY = builtinSum(ThreadIdx, "threadIdx", "y").begin()->first[0];
  if (!x || !y)
    return false;
  const auto nameOf = [&](const clang::VarDecl* variable) {
    Symbol symbol;
    symbol.atom = true;
    symbol.text = textOf(variable->getNameAsString(), variable->getType());
    const unsigned number = symbols_.add("place " + symbol.text, symbol);
    variables_[number] = variable;
    return number;
  };
  const unsigned nameX = nameOf(x), nameY = nameOf(y), nameZ = nameOf(counter_);
  PlainChanges changes;
  std::set<const clang::VarDecl*> named = {x, y, counter_};
  const auto write = [&](const clang::Expr* e, const Value& value) -> std::optional<std::string> {
    Sum place = replaced(value.at, threadX, symbolSum(nameX) - restX);
    place = replaced(place, threadY, symbolSum(nameY) - restY);
    place = replaced(place, *step_, symbolSum(nameZ) - first_);
    std::vector<unsigned> all;
    const auto addNames = [&](const Sum& sum) {
      for (const auto& [product, times] : sum)
        all.insert(all.end(), product.begin(), product.end());
    };
    addNames(place);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (const auto steps = counted_.find(all[i]); steps != counted_.end())
        addNames(steps->second);
    for (const unsigned symbol : all)
      if (symbols_[symbol].text.empty() ||
          llvm::StringRef(symbols_[symbol].text).starts_with("blockIdx.") || !means(e, symbol))
        return std::nullopt;
    for (const unsigned symbol : all)
      if (const auto known = variables_.find(symbol); known != variables_.end())
        named.insert(known->second);
    std::string text;
    for (const unsigned name : {nameZ, nameY})
      if (const std::string part = takeOut(place, name); !part.empty())
        text += (text.empty() ? "" : " + ") + part;
    const std::string rest = (text.empty() && !narrow_ ? "0LL + " : "") + print(place);
    if (rest != "0" || text.empty())
      text += text.empty() ? rest : rest[0] == '-' ? " - " + rest.substr(1) : " + " + rest;
    return value.array->getNameAsString() + "[" + text + "]";
  };
  // What threads beyond the edge have filled with a number.
  std::map<const clang::Expr*, std::string> otherwise;
  std::map<unsigned, Sum> threads;
  const std::map<unsigned, Sum> places = {{threadX, symbolSum(nameX) - restX},
                                          {threadY, symbolSum(nameY) - restY}};
  if (std::any_of(edits_.begin(), edits_.end(),
                  [](const auto& edit) { return edit.second.second.isOtherwise(); }) &&
      !namePlacesInBlocks({{x, restX}, {y, restY}}, threads))
    return false;
  for (const auto& [e, edit] : edits_) {
    std::string text;
    if (edit.second.array) {
      const auto element = write(e, edit.second);
      if (!element)
        return false;
      text = *element;
    }
    if (edit.second.isOtherwise()) {
      const auto either = withOtherwise(edit.second, text, threads, places);
      if (!either)
        return false;
      otherwise[e] = *either;
    }
    std::size_t next = 0;
    for (const char c : edit.second.formula) {
      const auto element = c == '@' ? write(e, edit.second.parts[next++]) : std::string(1, c);
      if (!element)
        return false;
      text += *element;
    }
    changes[edit.first.file][edit.first.begin] = {edit.first.end,
                                                  withLinesOf(body_.text.text(edit.first), text)};
  }
  for (const clang::Stmt* s : removed_)
    if (!remove(s, changes))
      return false;
  if (begin_ && !removed_.count(begin_) && !removeIdleBegin(changes))
    return false;
  namePlainly(x, "x", restX, changes);
  namePlainly(y, "y", restY, changes);
  removeUnused(changes, named);
  if (!writeGuards(changes) || !writeOtherwise(otherwise, places, changes))
    return false;
  if (!apart_.empty() || !sizes_.empty()) {
    const auto condition = whereApart();
    if (!condition || !writeBeside(*condition, changes))
      return false;
  }
  for (auto& [file, edits] : changes)
    for (auto& [begin, edit] : edits)
      body_.changes[file][begin] = std::move(edit);
  return true;
}

void March::namePlainly(const clang::VarDecl* anchor, const std::string& part, const Sum& rest,
                        PlainChanges& changes) {
  const unsigned block = builtinSum(BlockIdx, "blockIdx", part).begin()->first[0];
  const auto size = symbols_.factorOf(rest, block);
  const auto range = body_.text.rangeOf(anchor->getInit()->getSourceRange());
  const auto number = size ? asConstant(*size) : std::nullopt;
  const bool bySize = size && (*size - builtinSum(BlockDim, "blockDim", part)).empty();
  const Named init(anchor->getInit());
  if ((!number && !bySize) || !(rest - symbolSum(block) * *size).empty() || !range ||
      std::all_of(init.variables.begin(), init.variables.end(),
                  [](const clang::VarDecl* variable) { return builtinOf(variable) != 0; }) ||
      anchor->getInitStyle() != clang::VarDecl::CInit ||
      anchor->getType()->getContainedAutoType() || !anchor->getType()->isIntegerType() ||
      body_.unit.context().getTypeSize(anchor->getType()) != 32 ||
      anchor->getInit()->getBeginLoc().isMacroID() || anchor->getInit()->getEndLoc().isMacroID())
    return;
  changes[range->file][range->begin] = {
      range->end, withLinesOf(body_.text.text(*range),
                              "blockIdx." + part + " * " +
                                  (number ? std::to_string(*number) : "blockDim." + part) +
                                  " + threadIdx." + part)};
}

bool March::remove(const clang::Stmt* s, PlainChanges& changes) {
  if (const auto* hinted = llvm::dyn_cast<clang::AttributedStmt>(s))
    s = hinted->getSubStmt();
  auto range = body_.text.rangeOf(s->getSourceRange());
  const bool endsInMacro = s->getEndLoc().isMacroID() && !clang::Lexer::isAtEndOfMacroExpansion(
                                                             s->getEndLoc(), body_.text.sources(),
                                                             body_.unit.context().getLangOpts());
  const bool beginsInMacro =
      s->getBeginLoc().isMacroID() &&
      !clang::Lexer::isAtStartOfMacroExpansion(s->getBeginLoc(), body_.text.sources(),
                                               body_.unit.context().getLangOpts());
  if (!range || endsInMacro ||
      (beginsInMacro &&
       !body_.text.buffer(range->file).substr(range->begin).starts_with("__shared__ ")))
    return false;
  if (llvm::isa<clang::Expr>(s)) {
    const auto end = behindSemicolon(body_.text, *range);
    if (!end)
      return false;
    range->end = *end;
  }
  // `if (...) a = b;` ends before its semicolon.
  std::string instead = ";";
  if (llvm::isa<clang::IfStmt, clang::ForStmt>(s))
    if (const auto end = behindSemicolon(body_.text, *range);
        end && body_.text.buffer(range->file)[range->end - 1] != '}')
      range->end = *end;
  for (const auto& hidden : body_.unit.skippedRanges(range->file))
    if (hidden.first < range->end && hidden.second > range->begin)
      return false;
  changes[range->file][range->begin] = {range->end, withLinesOf(body_.text.text(*range), instead)};
  // A hint to unroll a loop that is no more.
  const llvm::StringRef above = body_.text.buffer(range->file).substr(0, range->begin).rtrim();
  const std::size_t line = above.rfind('\n') + 1; // (npos + 1 is 0)
  if (llvm::isa<clang::ForStmt>(s) && above.substr(line).ltrim().starts_with("#"))
    changes[range->file][unsigned(line)] = {unsigned(above.size()), ""};
  return true;
}

bool March::isReplaced(clang::SourceLocation place, const PlainChanges& changes) const {
  const auto at = body_.text.positionOf(place);
  if (!at)
    return false;
  const auto found = changes.find(at->file);
  if (found == changes.end())
    return false;
  const auto& edits = found->second;
  auto edit = edits.upper_bound(at->offset);
  return edit != edits.begin() && (--edit)->second.first > at->offset;
}

bool March::removeIdle(const clang::DeclStmt* s, PlainChanges& changes) {
  const clang::ParentMap& parents = body_.variables.parents();
  const auto* variable = llvm::cast<clang::VarDecl>(s->getSingleDecl());
  const LocalVariable* local = body_.variables.find(variable);
  const auto range = body_.text.rangeOf(s->getSourceRange());
  const auto computes = [&](const clang::Expr* e) {
    const Named parts(e);
    return parts.changed.empty() &&
           std::all_of(parts.calls.begin(), parts.calls.end(),
                       [&](const clang::CallExpr* call) { return isHarmless(call); });
  };
  if (!local || !local->integer || !local->modified || local->escapes ||
      variable->getType().isVolatileQualified() || body_.mayBeHidden(variable) ||
      (variable->hasInit() && !computes(variable->getInit())))
    return false;
  PlainChanges without = changes;
  const auto uses = body_.contents.references.find(variable);
  if (uses != body_.contents.references.end())
    for (const clang::DeclRefExpr* use : uses->second) {
      if (isReplaced(use->getLocation(), changes))
        continue;
      const clang::Stmt* around = parents.getParent(use);
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(around);
      const auto* one = llvm::dyn_cast<clang::UnaryOperator>(around);
      const bool moves = op ? op->isAssignmentOp() && op->getLHS() == use && computes(op->getRHS())
                            : one && one->isIncrementDecrementOp();
      if (!moves || !llvm::isa_and_nonnull<clang::CompoundStmt>(parents.getParent(around)) ||
          use->getLocation().isMacroID() || !remove(around, without))
        return false;
    }
  without[range->file][range->begin] = {range->end, withLinesOf(body_.text.text(*range), ";")};
  changes = std::move(without);
  return true;
}

void March::removeUnused(PlainChanges& changes, const std::set<const clang::VarDecl*>& named) {
  const auto isGoneAt = [&](clang::SourceLocation place) { return isReplaced(place, changes); };
  const auto isGone = [&](const clang::DeclRefExpr* use) { return isGoneAt(use->getLocation()); };
  for (bool more = true; more;) {
    more = false;
    for (const clang::DeclStmt* s : body_.contents.declarations) {
      const auto range = body_.text.rangeOf(s->getSourceRange());
      if (!range || isGoneAt(s->getBeginLoc()) ||
          !llvm::isa_and_nonnull<clang::CompoundStmt>(body_.variables.parents().getParent(s)) ||
          s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID())
        continue;
      const bool unused = std::all_of(s->decl_begin(), s->decl_end(), [&](const clang::Decl* decl) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
        if (!local || !isPlace(variable) || named.count(variable) || body_.mayBeHidden(variable))
          return false;
        const auto uses = body_.contents.references.find(variable);
        return uses == body_.contents.references.end() ||
               std::all_of(uses->second.begin(), uses->second.end(), isGone);
      });
      if (!unused) {
        const auto* variable =
            s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr;
        more |= variable && !named.count(variable) && removeIdle(s, changes);
        continue;
      }
      changes[range->file][range->begin] = {range->end, withLinesOf(body_.text.text(*range), ";")};
      more = true;
    }
  }
}

} // namespace cu2cpp::marches
