// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops around group calls: counted by the group, strided, or left by threads one by one.
#include "analyse/grid_sums.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "plan/splitter.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

namespace cu2cpp {

std::string Splitter::headPart(const clang::Stmt* s) {
  RegionText text;
  const auto* mixed = llvm::dyn_cast<clang::DeclStmt>(s);
  if (mixed && !regions_.mixed.count(mixed))
    mixed = nullptr;
  if (mixed) {
    for (const clang::Decl* decl : mixed->decls())
      if (const auto* variable = llvm::cast<clang::VarDecl>(decl);
          variable->hasInit() && isKept(variable))
        text.add(variable->getInit());
  } else {
    text.add(s);
  }
  // A step that lanes make one by one works on copies, as regions do.
  std::vector<const clang::VarDecl*> copied;
  std::set<const clang::VarDecl*> changed;
  if (level_ == Scope::Warp && !publish_ && !loops_.empty() && llvm::isa<clang::Expr>(s))
    for (const clang::VarDecl* variable : regions_.copied)
      if (isStored(variable, Storage::PerLane))
        changed.insert(variable);
  std::vector<std::string> lines = bindings({s}, text, changed, &copied);
  std::string code;
  if (mixed)
    code = declarationText(mixed);
  else if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
    code = keepsPerThread(declaration) ? declarationText(declaration)
                                       : plan_.text.text(rangeOf(declaration));
  else
    code = expressionText(llvm::cast<clang::Expr>(s)) + ";";
  const bool thread =
      needsThread(text, copied) || (level_ == Scope::Block && active() != "cu2cpp::noneExited");
  std::string out = std::string(level_ == Scope::Warp ? "cu2cpp::eachLane" : "cu2cpp::eachThread") +
                    published() + "(" + group() + (level_ == Scope::Warp ? ", " + active() : "") +
                    ", [&](" + threadParameter(thread, text.namesThread);
  std::string kept;
  for (const clang::VarDecl* variable : copied) {
    out += ", " + typeOf(variable) + "& " + variable->getNameAsString();
    kept += ", " + perThreadName_.at(variable);
  }
  out += ") { ";
  if (level_ == Scope::Block && active() != "cu2cpp::noneExited")
    lines.insert(lines.begin(), "if (" + active() + ".has(cuThisThread)) return;");
  if (thread && text.namesThread)
    out += "const uint3 threadIdx = cuThisThread.threadIdx; ";
  for (const std::string& line : lines)
    out += line + " ";
  return out + code + " }" + kept + ")";
}

void Splitter::emitStridedOfBlock(const RegionNode& node, const clang::ForStmt* loop, bool) {
  const FilePosition begin = beginOf(loop->getBeginLoc());
  const FilePosition headEnd = endOf(loop->getRParenLoc());
  const std::string newline = "\n" + plan_.text.indentation(begin);
  if (const auto element = regions_.elementLoops.find(loop);
      element != regions_.elementLoops.end() && runsByElements(node))
    return emitElementLoop(node, element->second);
  const std::string strips = updateOfColumns(loop);
  const std::string more = "cuMore" + std::to_string(++masks_);
  const bool defers = node.children.size() == 1 &&
                      node.children[0].kind == RegionNode::Kind::Region &&
                      !deferredUpdates(node.children[0]).empty();
  const std::string counters = defers ? "" : countersBefore(loop, newline);
  // Where a kernel only counts its blocks do so together.
  const bool alone = strips.empty() && mayRunTogether();
  std::string range;
  const Stride stride = strideOf(variableOfHead(loop));
  // What is told to the threads is the sum of where the block is and threadIdx.x.
  if (alone && stride.base && isPart(stride.start, ThreadIdx) && !counters.empty() &&
      addsUpGrid(plan_.unit, kernel_, loop, plan_.facts)) {
    const auto* step = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
    const auto* test = llvm::cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
    if (plan_.text.isWhole(step->getRHS()) && plan_.text.isWhole(test->getRHS()))
      range = ", " + expressionText(step->getRHS()) + ", " + expressionText(test->getRHS());
  }
  if (!range.empty()) {
    edits_.replace({begin.file, begin.offset, headEnd.offset},
                   "{ " + counters + stridedStart(loop, newline));
    rising_ = "cu2cpp::eachItemOfGrid(cuBlock, cuStep_" + variableOfHead(loop)->getNameAsString() +
              range + ", " + valueLambda(loop->getCond()) + ", ";
  } else if (const auto sums = alone && counters.empty() && !defers
                                   ? sumsAbreast(node, loop)
                                   : std::vector<const clang::VarDecl*>();
             !sums.empty()) {
    edits_.replace({begin.file, begin.offset, headEnd.offset}, stepsAbreast(sums, loop, newline));
  } else {
    edits_.replace({begin.file, begin.offset, headEnd.offset},
                   strips + "{ " + counters + stridedStart(loop, newline) + "for (bool " + more +
                       " = true; " + more + "; " + stridedStep(loop) + prefetches(loop) +
                       prefetchesOfNextRow(loop) + ")");
    rising_ = more + " = cu2cpp::eachThreadRising" + (counters.empty() ? "" : "ByFour") +
              "(cuBlock, " + valueLambda(loop->getCond()) + ", ";
    if (counters.empty())
      fours_ = stepsByFour(node, loop);
  }
  emitBody(loop->getBody(), node.children);
  const FileRange whole = rangeOf(loop);
  insert({whole.file, behindComment(whole)}, (behindComment(whole) == whole.end ? " }" : "\n}") +
                                                 std::string(strips.empty() ? "" : " } }"));
}

std::string Splitter::groupPart(const clang::Stmt* s) const {
  if (!s)
    return "";
  FileRange range =
      llvm::isa<clang::Expr>(s) ? expressionRange(llvm::cast<clang::Expr>(s)) : rangeOf(s);
  std::string out = plan_.text.text(range);
  for (const clang::Expr* value : regions_.compared)
    if (isInside(value, s)) {
      const FileRange part = expressionRange(value);
      out = plan_.text.text(FileRange{range.file, range.begin, part.begin}) + compared(value) +
            plan_.text.text(FileRange{range.file, part.end, range.end});
    }
  while (!out.empty() && (out.back() == ';' || out.back() == ' '))
    out.pop_back();
  return out;
}

bool Splitter::stepsApart(const RegionNode& node, const clang::ForStmt* loop) const {
  if (!plan_.options.lineDirectives || publish_ || level_ != Scope::Warp || !loop || setsOfWarp() ||
      anyGroup_ || !node.strided || !node.rising || !risesInRow(loop) ||
      stridedBase(loop).empty() || !node.calls.empty() || node.unevenJumps || node.leaves ||
      node.skips || node.entered || node.children.size() != 1)
    return false;
  const RegionNode& body = node.children[0];
  const auto* step = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  // What the condition compares with stays as it is while a step runs for some of its lanes.
  const auto* test = llvm::cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
  return body.kind == RegionNode::Kind::Region && !body.returns && !body.oneByOne &&
         !body.leavesAtOnce && !body.exitsOnly && !body.runsPastExits && loops_.size() == 1 &&
         !regions_.compared.count(step->getRHS()) && !Uniformity::readsMemory(step->getRHS()) &&
         (!Uniformity::readsMemory(test->getRHS()) ||
          llvm::any_of(node.uniformLoads, [&](const clang::Expr* load) {
            return replaced_.count(load) &&
                   load->IgnoreParenImpCasts() == test->getRHS()->IgnoreParenImpCasts();
          }));
}

void Splitter::emitLoop(const RegionNode& node, bool inBraces) {
  const clang::Stmt* loop = node.statement;
  const auto* f = llvm::dyn_cast<clang::ForStmt>(loop);
  const auto* w = llvm::dyn_cast<clang::WhileStmt>(loop);
  const auto* d = llvm::dyn_cast<clang::DoStmt>(loop);
  const clang::Stmt* body = f ? f->getBody() : w ? w->getBody() : d->getBody();
  const clang::Expr* test = f ? f->getCond() : w ? w->getCond() : d->getCond();
  const FilePosition begin = beginOf(loop->getBeginLoc());
  const std::string newline = "\n" + plan_.text.indentation(begin);
  const bool outerLoop = inLoop_;
  inLoop_ = true;
  if (!outerLoop && !anyRegion_ && inBraces && level_ == Scope::Block && !publish_ &&
      plan_.options.lineDirectives && inRunBlock())
    insert(begin, together_ ? "" : prefetchesOfRows(newline));
  if (!outerLoop && inBraces && level_ == Scope::Block && f && !node.masked)
    fetchNextMatrices(f, newline);
  insert(begin, inFrontOf(loop));
  mayHaveExited_ |= Contents(loop).returns;
  const std::string outer = lanes_;
  if (!node.masked) {
    if (const auto element = f ? regions_.elementLoops.find(f) : regions_.elementLoops.end();
        element != regions_.elementLoops.end() && element->second.items && runsByElements(node)) {
      emitElementLoop(node, element->second);
    } else if (const RegionNode* const inner = onlyTileLoop(node)) {
      // Between the steps tiles stay as they lie in registers.
      const TileLoop& tile = regions_.tileLoops.at(llvm::cast<clang::ForStmt>(inner->statement));
      insert(begin, "{ const auto " + tilesName(tile) + " = cu2cpp::tilesInGroups" +
                        tileArguments(*inner, tile) + "(cuBlock, " + perThreadName_.at(tile.array) +
                        ");" + newline);
      tilesInGroups_.insert(tile.array);
      emitEvenLoop(node, f, w, d, body, test);
      tilesInGroups_.erase(tile.array);
      const FileRange whole = rangeOf(loop);
      insert({whole.file, behindComment(whole)}, newline + "}");
    } else {
      std::string behind = openLevels(node);
      if (behind.empty())
        behind = openDoubling(node);
      if (behind.empty())
        behind = openDoublingInPlace(node);
      emitEvenLoop(node, f, w, d, body, test);
      const FileRange whole = rangeOf(loop);
      if (!behind.empty())
        insert({whole.file, behindComment(whole)}, behind);
    }
    inLoop_ = outerLoop;
    return;
  }
  if (level_ == Scope::Block) {
    if (node.strided)
      emitStridedOfBlock(node, f, inBraces);
    else
      emitMaskedLoopOfBlock(node, f, w, d, body, test);
    inLoop_ = outerLoop;
    return;
  }
  // The lanes that go on: those for which the condition holds.
  const unsigned number = ++masks_;
  const std::string mine = "cuLanes" + std::to_string(number);
  const FileRange whole = rangeOf(loop);
  std::string prefix = inBraces ? "" : "{ ";
  std::string suffix = inBraces ? "" : " }";
  std::string first;
  if (f && f->getInit()) {
    prefix = "{ ";
    suffix = " }";
    if (node.strided) {
      countInRows(f);
      first += prefetchesOfRowsAhead(f, newline) + stridedStart(f, newline);
    } else if (node.startsPerThread) {
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(f->getInit()))
        for (const clang::Decl* decl : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
              variable && isKept(variable) && isDeclaredInPlace(variable))
            first += storageDeclaration(variable) + newline;
      first += headPart(f->getInit()) + ";" + newline;
    } else {
      first += groupPart(f->getInit()) + ";" + newline;
    }
  }
  const std::string all = active();
  const bool takesOutOnly = node.leaves && takesOut(node);
  if (node.leaves && !takesOutOnly) {
    if (inBraces && prefix.empty()) {
      prefix = "{ ";
      suffix = " }";
    }
    first += noLanes("cuLeft" + std::to_string(number)) + newline;
  }
  const std::string entered = node.entered ? "cuEntered" + std::to_string(number) : "";
  if (node.entered) {
    if (inBraces && prefix.empty()) {
      prefix = "{ ";
      suffix = " }";
    }
    first += "const " + lanesType() + " " + entered + " = " + all + ";" + newline;
  }
  loops_.push_back({number, loop, node.leaves && !takesOutOnly, false, entered, takesOutOnly});
  lanes_ = mine;
  // Those that return elsewhere are in no set that begins here.
  const bool outerReturns = mayReturn_;
  mayReturn_ &= !setsOfWarp() || Contents(loop).returns;
  const std::string again = active(); // without those that have left
  const std::string step =
      node.strided       ? stridedStep(f) + prefetchesOfLanes(f)
      : f && f->getInc() ? node.stepsPerThread ? headPart(f->getInc()) : groupPart(f->getInc())
                         : "";
  if (node.strided && f && !suffix.empty())
    suffix = " " + prefetchesOfNextRows(f) + "}";
  // What the condition reads for all lanes alike is read once.
  for (const clang::Expr* load : node.uniformLoads) {
    if (!plan_.text.isWhole(load))
      continue;
    replaced_[load] = "cuUniform" + std::to_string(++uniformLoads_);
    first += "const auto " + replaced_[load] + " = " + plan_.text.text(expressionRange(load)) +
             ";" + newline;
  }
  // Sets do not depend on what ends the loop for all lanes.
  const std::string alike = d || node.strided || !node.calls.empty() ? "" : whereAlike(test);
  const std::string goOn =
      lanesWhere(test, again, node.rising && risesInRow(f), node.strided ? stridedBase(f) : "");
  const std::string next = goOn == mine ? mine : mine + " = " + goOn;
  loops_.back().skips = node.skips;
  std::string atStart = node.skips ? noLanes("cuSkipped" + std::to_string(number)) : "";
  std::string atEnd;
  if (d) {
    const FilePosition doEnd = endOf(d->getDoLoc());
    insert(begin, prefix + first);
    edits_.replace({begin.file, begin.offset, doEnd.offset}, "for (" + lanesType() + " " + mine +
                                                                 " = " + startingSet(all) + "; " +
                                                                 mine + ".any();)");
    const bool skips = loops_.back().skips;
    loops_.back().skips = false;
    atEnd = callLines(node, newline) + (next == mine ? "" : next + ";" + newline);
    loops_.back().skips = skips;
    emitBody(body, node.children, atStart, atEnd);
    const FilePosition tail = beginOf(d->getWhileLoc());
    edits_.replace({tail.file, tail.offset, whole.end}, suffix);
  } else {
    const FilePosition headEnd = endOf(f ? f->getRParenLoc() : w->getRParenLoc());
    std::string head = "for (" + lanesType() + " " + mine + " = " + startingSet(all) + "; ";
    if (again == mine && stepsApart(node, f)) {
      head =
          "cu2cpp::eachStepRising(cuWarp, " + all + ", " + stridedBase(f) + ", " +
          expressionText(llvm::cast<clang::BinaryOperator>(f->getInc()->IgnoreParens())->getRHS()) +
          ", [&]() CU2CPP_INLINE { " + step + "; }, " + valueLambda(test) + ", [&](const auto& " +
          mine + ") CU2CPP_INLINE {";
      suffix = " });" + suffix;
    } else if (node.calls.empty()) {
      head += alike + (next == mine ? mine : "(" + next + ")") + ".any(); " + step + ")";
    } else {
      head += "; " + step + ")";
      atStart = callLines(node, newline) + (next == mine ? "" : next + ";" + newline) + "if (!" +
                mine + ".any()) break;" + newline + atStart;
    }
    // The lanes that are still in the loop make the calls of its condition.
    edits_.replace({begin.file, begin.offset, headEnd.offset}, prefix + first + head);
    emitBody(body, node.children, atStart);
    if (!suffix.empty())
      insert({whole.file, behindComment(whole)},
             behindComment(whole) == whole.end ? suffix : "\n" + suffix);
  }
  loops_.pop_back();
  lanes_ = outer;
  mayReturn_ = outerReturns;
  inLoop_ = outerLoop;
}

/// The `break` of `if (...) break;`, or null.
static const clang::BreakStmt* breakOf(const clang::IfStmt* branch) {
  const clang::Stmt* jump = branch->getThen();
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(jump))
    jump = list->size() > 0 ? list->body_front() : nullptr;
  return llvm::dyn_cast_or_null<clang::BreakStmt>(jump);
}

bool Splitter::takesOut(const RegionNode& loop) {
  const Contents contents(loop.statement);
  return llvm::count_if(contents.jumps, [](const clang::Stmt* jump) {
           return llvm::isa<clang::BreakStmt>(jump);
         }) == llvm::count_if(loop.children, [](const RegionNode& child) {
           return child.kind == RegionNode::Kind::Region && child.leavesAtOnce &&
                  breakOf(llvm::cast<clang::IfStmt>(child.statements.front()));
         });
}

void Splitter::emitLeaving(const clang::IfStmt* branch, bool inBraces) {
  const clang::Stmt* jump = branch->getThen();
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(jump))
    jump = list->body_front();
  const std::string leave = lanesWhere(branch->getCond(), active());
  const auto* back = llvm::dyn_cast<clang::ReturnStmt>(jump);
  const clang::Expr* value = back ? back->getRetValue() : nullptr;
  std::string out;
  if (value && !kernel_.decl->getReturnType()->isVoidType()) {
    const std::string newline = "\n" + plan_.text.indentation(position(rangeOf(branch)));
    const std::string lanes = "cuLanes" + std::to_string(++masks_);
    RegionText text;
    text.add(value);
    std::string lines = text.namesThread ? "const uint3 threadIdx = cuThisThread.threadIdx; " : "";
    for (const std::string& line : bindings({}, text))
      lines += line + " ";
    // A vector's result is chosen without a branch that no processor foresees.
    const bool same = ofWarp_ && !publish_ && lines.empty() &&
                      kernel_.decl->getReturnType()->isArithmeticType() &&
                      (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::DeclRefExpr>(
                          value->IgnoreParenImpCasts()));
    if (same)
      out = "const " + lanesType() + " " + lanes + " = " + leave + ";" + newline +
            "cu2cpp::eachLane(" + group() + ", " + lanes + ", [&](const uint3, auto& cuOwn) { " +
            "cuOwn = " + expressionText(value) + "; }, cuResult);" + newline + "cuExited.add(" +
            lanes + ");";
    else
      out = "const " + lanesType() + " " + lanes + " = " + leave + ";" + newline + "if (" + lanes +
            ".any()) cu2cpp::eachLane" + published() + "(" + group() + ", " + lanes + ", [&](" +
            threadParameter(true, text.namesThread) + ") { " + lines +
            "cuResult[cuThisThread] = " + expressionText(value) + "; });" + newline +
            "cuExited.add(" + lanes + ");";
  } else {
    const Uneven* target = nullptr;
    for (const Uneven& loop : loops_)
      if (isInside(jump, loop.loop))
        target = &loop; // the innermost
    CU2CPP_CHECK(back || target);
    const bool takesOut = !back && target->takesOut && llvm::isa<clang::BreakStmt>(jump);
    CU2CPP_CHECK(!takesOut || lanes_ == "cuLanes" + std::to_string(target->number));
    out = takesOut ? lanes_ + " = " + lanes_ + " - " + leave + ";"
                   : (back ? "cuExited"
                           : (llvm::isa<clang::BreakStmt>(jump) ? "cuLeft" : "cuSkipped") +
                                 std::to_string(target->number)) +
                         ".add(" + leave + ");";
  }
  edits_.replace(rangeOf(branch), inBraces ? out : "{ " + out + " }");
}

/// A number that is known before the program runs, `warpSize / 2` among them; -1 for others.
static std::int64_t knownNumber(const clang::Expr* e, const clang::ASTContext& context) {
  if (const auto number = constantOf(e, context))
    return *number;
  if (const clang::VarDecl* variable = namedBy(e))
    return variable->getDeclContext()->isTranslationUnit() && variable->getName() == "warpSize"
               ? 32
               : -1;
  const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(e->IgnoreParenImpCasts());
  const std::int64_t of = op ? knownNumber(op->getLHS(), context) : -1;
  const auto by = op ? constantOf(op->getRHS(), context) : std::nullopt;
  if (of < 0 || !by || *by < 1 || *by > 32)
    return -1;
  return op->getOpcode() == clang::BO_Div   ? of / *by
         : op->getOpcode() == clang::BO_Shr ? of >> *by
                                            : -1;
}

/// Whether a loop halves or doubles the distance at which lanes exchange values, in a few known
/// steps: `for (int d = 16; d > 0; d >>= 1)`, `for (int d = 16; d; d = d / 2)`.
static bool stepsByPowers(const clang::ForStmt* loop, const clang::ASTContext& context) {
  const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* counter = init && init->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                            : nullptr;
  const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
  if (!counter || !counter->hasInit() || !loop->getCond() || !step ||
      namedBy(step->getLHS()) != counter)
    return false;
  const auto number = [&](const clang::Expr* e) { return knownNumber(e, context); };
  // `d`, that is, `d != 0`
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
  if (test ? namedBy(test->getLHS()) != counter : namedBy(loop->getCond()) != counter)
    return false;
  const clang::BinaryOperatorKind relation = test ? test->getOpcode() : clang::BO_NE;
  const std::int64_t from = number(counter->getInit()), to = test ? number(test->getRHS()) : 0;
  constexpr std::int64_t most = 32;
  if (from < 1 || from > most || to < 0 || to > most)
    return false;
  clang::BinaryOperatorKind by = step->getOpcode();
  const clang::Expr* times = step->getRHS();
  if (by == clang::BO_Assign) {
    const auto* value = llvm::dyn_cast<clang::BinaryOperator>(times->IgnoreParenImpCasts());
    if (!value || namedBy(value->getLHS()) != counter)
      return false;
    by = value->getOpcode();
    times = value->getRHS();
  } else if (step->isCompoundAssignmentOp()) {
    by = clang::BinaryOperator::getOpForCompoundAssignment(by);
  } else {
    return false;
  }
  const bool falls =
      relation == clang::BO_GT || relation == clang::BO_GE || (relation == clang::BO_NE && to == 0);
  const bool rises = relation == clang::BO_LT || relation == clang::BO_LE;
  switch (by) {
  case clang::BO_Shr:
    return falls && number(times) == 1;
  case clang::BO_Div:
    return falls && number(times) == 2;
  case clang::BO_Shl:
    return rises && number(times) == 1;
  case clang::BO_Mul:
    return rises && number(times) == 2;
  default:
    return false;
  }
}

void Splitter::emitEvenLoop(const RegionNode& node, const clang::ForStmt* f,
                            const clang::WhileStmt* w, const clang::DoStmt* d,
                            const clang::Stmt* body, const clang::Expr* test) {
  const FilePosition begin = beginOf(node.statement->getBeginLoc());
  const std::string newline = "\n" + plan_.text.indentation(begin);
  std::string atStart;
  if (!node.calls.empty()) {
    const std::string text = expressionText(test);
    if (d) {
      // The calls belong to the condition, which stands outside the body's braces.
      edits_.replace({begin.file, begin.offset, endOf(d->getDoLoc()).offset}, "for (;;)");
      const FileRange whole = rangeOf(d);
      const FilePosition tail = beginOf(d->getWhileLoc());
      emitBody(body, node.children, "{",
               "}" + newline + callLines(node, newline) + "if (!(" + text + ")) break;" + newline);
      edits_.replace({tail.file, tail.offset, whole.end}, "");
      return;
    }
    edits_.replace(expressionRange(test), "");
    if (w) {
      edits_.replace({begin.file, begin.offset, endOf(w->getLParenLoc()).offset}, "for (;");
      insert(beginOf(w->getRParenLoc()), ";");
    }
    atStart = newline + callLines(node, newline) + "if (!(" + text + ")) break;" + newline;
  }
  if (f && f == turns_)
    emitTurn(f);
  else if (f && level_ == Scope::Warp)
    for (const clang::Expr* value : regions_.compared)
      if (f->getInit() && isInside(value, f->getInit()))
        edits_.replace(expressionRange(value), compared(value));
  // Otherwise what lanes keep may go through memory, by distances that nobody knows: of several
  // values in each step, or of an fmaxf() without AVX-512, compilers find such loops too long.
  if (f && level_ == Scope::Warp && !publish_ && node.calls.empty() && !callsIn(body).empty() &&
      stepsByPowers(f, plan_.unit.context()) &&
      std::none_of(node.children.begin(), node.children.end(),
                   [](const RegionNode& child) { return child.kind == RegionNode::Kind::Loop; })) {
    insert(begin, "CU2CPP_UNROLL ");
    // GCC 12 breaks down where such a loop of a generic lambda asks for a number alone.
    if (namedBy(f->getCond())) {
      const FileRange condition = expressionRange(f->getCond());
      insert({condition.file, condition.end}, " != 0");
    }
  }
  if (const auto tile = f ? regions_.tileLoops.find(f) : regions_.tileLoops.end();
      tile != regions_.tileLoops.end()) {
    const FileRange whole = rangeOf(f);
    rising_ = "cuThreads.each(";
    tile_ = tile->second.array;
    emitBody(body, node.children);
    tile_ = nullptr;
    // Behind turned copies, which are made in front of it.
    insert(begin, tileOpening(node, tile->second) + newline + "CU2CPP_STEP_BY_STEP ");
    insert({whole.file, behindComment(whole)}, newline + "});");
    return;
  }
  if (f && node.calls.empty()) {
    atStart = prefetchesOfNextStep(f);
    if (atStart.empty() &&
        std::any_of(node.children.begin(), node.children.end(), [](const RegionNode& child) {
          return child.kind == RegionNode::Kind::Barrier;
        }))
      atStart = prefetchesOfLaterRows(f);
    prefetchRowsInTurn(node, f);
  }
  emitBody(body, node.children, atStart);
}

} // namespace cu2cpp
