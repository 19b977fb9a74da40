// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions as loops over the threads of the group.
#include "plan/splitter.h"

#include <algorithm>

#include "llvm/Support/SaveAndRestore.h"

#include "analyse/instance_calls.h"
#include "analyse/plain_agreements.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

bool Splitter::jumpsOut(const clang::Stmt* jump, const RegionNode& region) const {
  for (const clang::Stmt* at = parents_->getParent(jump); at; at = parents_->getParent(at)) {
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(at) ||
        (llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(at))) {
      for (const clang::Stmt* s : region.statements)
        if (isInside(at, s))
          return false;
      return true;
    }
  }
  return false;
}

const clang::Stmt* Splitter::loopAround(const clang::Stmt* s) const {
  for (const clang::Stmt* at = parents_->getParent(s); at; at = parents_->getParent(at))
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::SwitchStmt>(at))
      return at;
  return nullptr;
}

bool Splitter::emitRepeatedOnly(const RegionNode& region) {
  for (const clang::Stmt* s : region.statements) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    if (!declaration || regions_.printed.count(s))
      return false;
    for (const clang::Decl* decl : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
          !variable ||
          (!isStored(variable, Storage::Recomputed) && !isStored(variable, Storage::Restated)))
        return false;
    const FileRange range = rangeOf(s);
    if (!canBeComment(range))
      return false;
  }
  for (const clang::DeclStmt* moved : region.movedHere)
    insert(position(rangeOf(region.statements.front())), movedText(moved) + "\n");
  for (const clang::Stmt* s : region.statements)
    edits_.replace(rangeOf(s), asComment(rangeOf(s), "in each region"));
  return true;
}

bool Splitter::standsAlone(const clang::Stmt* s, const RegionNode& region) const {
  // What it names must be there without the region's other statements.
  RegionText text;
  text.add(s);
  if (!text.returns.empty() || !text.jumps.empty() || !callsIn(s).empty())
    return false;
  // Parts of structured bindings, too.
  const std::set<const clang::VarDecl*> parts = Contents(s).uses;
  text.uses.insert(parts.begin(), parts.end());
  for (const clang::VarDecl* variable : text.uses) {
    if (region.fresh.count(variable) || isStored(variable, Storage::Fresh) ||
        isStored(variable, Storage::Restated) || isStored(variable, Storage::Strided))
      return false;
    if (!variable->hasLocalStorage() || llvm::isa<clang::ParmVarDecl>(variable) ||
        isStored(variable, Storage::Recomputed) || isKept(variable) || isShared(variable) ||
        isStored(variable, Storage::Block))
      continue;
    for (const clang::Stmt* other : region.statements)
      if (other != s)
        if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(other))
          if (std::find(declaration->decl_begin(), declaration->decl_end(), variable) !=
              declaration->decl_end())
            return false;
  }
  return true;
}

bool Splitter::isForFewRows(const clang::Stmt* s) const {
  constexpr int few = 8;
  const std::vector<const clang::BinaryOperator*> guards = guardsOf(s);
  return std::any_of(guards.begin(), guards.end(), [&](const clang::BinaryOperator* compare) {
    clang::Expr::EvalResult bound;
    const auto behind = behindIndex(compare->getLHS(), "y");
    return compare->getOpcode() == clang::BO_LT && behind && isGroupValue(compare->getRHS()) &&
           (compare->getRHS()->isValueDependent() ||
            (compare->getRHS()->EvaluateAsInt(bound, plan_.unit.context()) &&
             bound.Val.getInt() <= few + *behind));
  });
}

bool Splitter::isForRows(const clang::Stmt* s) const {
  const std::vector<const clang::BinaryOperator*> guards = guardsOf(s);
  return std::any_of(guards.begin(), guards.end(), [&](const clang::BinaryOperator* compare) {
    return boundOf(compare->getOpcode()) && plan_.text.isWhole(compare) &&
           ((stepAlong("y", compare->getLHS()) != 0 && isGroupValue(compare->getRHS(), true)) ||
            (stepAlong("y", compare->getRHS()) != 0 && isGroupValue(compare->getLHS(), true)));
  });
}

std::size_t Splitter::placeToDivide(const RegionNode& region) const {
  if (level_ == Scope::Warp && rising_.empty() && !publish_ && !region.oneByOne &&
      !ofSeveralBlocks() && !region.returns && region.statements.size() > 1) {
    // What the first lane stores (`sum = reduce(sum); if (lane == 0) out[row] = sum;`) is no vector
    // to scattered places.
    const clang::Stmt* last = region.statements.back();
    return llvm::isa<clang::IfStmt>(last) && threadBound({last}).few &&
                   !regions_.printed.count(last) && standsAlone(last, region)
               ? region.statements.size() - 1
               : 0;
  }
  if (level_ != Scope::Block || !rising_.empty() || publish_ || region.oneByOne ||
      ofSeveralBlocks() || region.returns || region.statements.size() < 2)
    return 0;
  // A branch for a box of threads behind flags that all of them set.
  const clang::Stmt* last = region.statements.back();
  const auto setsFlag = [&](const clang::Stmt* s) {
    const auto* set = llvm::dyn_cast<clang::BinaryOperator>(s);
    return set && set->getOpcode() == clang::BO_Assign && namedBy(set->getLHS()) &&
           set->getLHS()->getType()->isBooleanType();
  };
  if (std::any_of(region.statements.begin(), region.statements.end() - 1, setsFlag) &&
      std::all_of(region.statements.begin(), region.statements.end() - 1,
                  [&](const clang::Stmt* s) { return setsFlag(s) || isBeforeGuard(s); }) &&
      isForRows(last) && !regions_.printed.count(last) && standsAlone(last, region))
    return region.statements.size() - 1;
  const auto isOfOne = [&](const clang::Stmt* s) {
    const ThreadBound bound = threadBound({s});
    const std::string kind = bound.kind;
    return (kind == "At" || kind == "OfRank" || kind == "InRow" || bound.few || isForFewRows(s)) &&
           !regions_.printed.count(s) && standsAlone(s, region);
  };
  for (std::size_t i = 0; i < region.statements.size(); ++i) {
    if (!isOfOne(region.statements[i]))
      continue;
    // The statements behind it must do without those before it.
    bool apart = true;
    for (std::size_t k = std::max<std::size_t>(i, 1); k < region.statements.size(); ++k)
      apart &= standsAlone(region.statements[k], region);
    if (apart)
      return i > 0 ? i : 1;
  }
  return 0;
}

std::set<const clang::VarDecl*> Splitter::copiedIn(const RegionNode& region) const {
  if (level_ != Scope::Warp || publish_ || region.oneByOne || fromMemory_)
    return {};
  std::set<const clang::VarDecl*> out;
  ChangedInPart changed;
  for (const clang::Stmt* s : region.statements)
    changed.TraverseStmt(const_cast<clang::Stmt*>(s));
  for (const clang::VarDecl* variable : regions_.copied)
    // What is kept for the block is whole vectors of a warp's lanes only.
    if ((!loops_.empty() && isStored(variable, Storage::PerLane)) ||
        (changed.variables.count(variable) &&
         !(regions_.rowParts && isStored(variable, Storage::PerThread))))
      out.insert(variable);
  return out;
}

bool Splitter::runsStaying(const RegionNode& region, const RegionLoop& loop) const {
  return loop.kind.empty() && rising_.empty() && !elements_ && !publish_ && !region.oneByOne &&
         outside_.empty() && kernel_.kernel;
}

std::string Splitter::rowOfTiles(const RegionNode& region, const RegionLoop& loop) const {
  const llvm::StringRef kind = loop.kind;
  const bool known = kind.empty() || kind.split('<').first == "Inside" || kind.starts_with("InBox");
  if (!tileRow_ || tileRow_->region != &region || !known || !loop.updates.empty() ||
      !rising_.empty() || elements_ || tile_ || publish_ || level_ != Scope::Block ||
      !plan_.text.isWhole(tileRow_->condition))
    return "";
  return "cu2cpp::tileRow" + (tileRow_->size.empty() ? "" : "<" + tileRow_->size + ">") +
         "(cuBlock, [&]([[maybe_unused]] const uint3 blockIdx) { return " +
         expressionText(tileRow_->condition) + "; })";
}

std::string Splitter::rowOfBlocks(const RegionNode& region, const RegionLoop& loop) const {
  if (!ofBlocksInRow() || !plan_.options.lineDirectives || level_ != Scope::Block || publish_ ||
      region.oneByOne || !loop.kind.empty() || !loop.updates.empty() || !rising_.empty() ||
      elements_ || tile_ || region.statements.empty())
    return "";
  const auto size = sizeOfLongRow(plan_.facts, kernel_, region);
  return !size ? "" : "cuBlock.asOne" + (size->empty() ? "" : "<" + *size + ">") + "()";
}

void Splitter::emitExit(const clang::IfStmt* branch) {
  const FilePosition begin = beginOf(branch->getIfLoc());
  edits_.replace({begin.file, begin.offset, endOf(branch->getIfLoc()).offset}, "return");
  edits_.replace({begin.file, endOf(branch->getRParenLoc()).offset, rangeOf(branch).end}, ";");
}

void Splitter::emitAgreement(const clang::Stmt* s) {
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
  const auto* named = declaration && declaration->isSingleDecl()
                          ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                          : nullptr;
  const auto* call = named && named->hasInit()
                         ? llvm::dyn_cast<clang::CallExpr>(named->getInit()->IgnoreParenImpCasts())
                         : nullptr;
  if (!call || !isAgreed(call) || level_ != Scope::Warp || publish_)
    return;
  const clang::VarDecl* variable = namedBy(call->getArg(0));
  if (variable && isKept(variable) && isStored(variable, Storage::PerLane) &&
      !isReferenceLocal(variable) && !keepsPerThread(declaration))
    edits_.replace(expressionRange(call), "cu2cpp::agreedOf(cuWarp, " + active() + ", " +
                                              perThreadName_.at(variable) + ")");
}

void Splitter::emitRegion(const RegionNode& region, bool inBraces) {
  if (const auto level = levelTexts_.find(&region); level != levelTexts_.end()) {
    anyRegion_ = true;
    return edits_.replace(level->second.first, level->second.second);
  }
  if (rising_.empty() &&
      ((inBraces && (emitRepeatedOnly(region) || emitValueless(region))) || emitDeduced(region)))
    return;
  if (region.leavesAtOnce)
    return emitLeaving(llvm::cast<clang::IfStmt>(region.statements.front()), inBraces);
  if (const std::size_t place = placeToDivide(region)) {
    RegionNode before = region, behind = region;
    before.statements.resize(place);
    behind.statements.erase(behind.statements.begin(), behind.statements.begin() + place);
    behind.movedHere.clear();
    behind.fresh.clear();
    for (RegionNode* part : {&before, &behind})
      part->uniformLoads.erase(std::remove_if(part->uniformLoads.begin(), part->uniformLoads.end(),
                                              [&](const clang::Expr* load) {
                                                return std::none_of(part->statements.begin(),
                                                                    part->statements.end(),
                                                                    [&](const clang::Stmt* s) {
                                                                      return isInside(load, s);
                                                                    });
                                              }),
                               part->uniformLoads.end());
    emitRegion(before, inBraces);
    return emitRegion(behind, inBraces);
  }
  RegionText text;
  bool callResults = false;
  for (const clang::Stmt* s : region.statements)
    for (const unsigned index : callsIn(s)) {
      text.skip.insert(regions_.calls[index].call);
      callResults |= !regions_.calls[index].uniformResult;
    }
  if (elements_)
    skipElementHeads(*elements_, text);
  for (const clang::Stmt* s : region.statements)
    text.add(s);
  for (const clang::Stmt* s : region.statements)
    emitAgreement(s);
  const bool block = level_ == Scope::Block;
  const bool first = !anyRegion_ && !inLoop_;
  const std::string indentation =
      plan_.text.indentation(position(rangeOf(region.statements.front())));
  // Before it is decided which conditions hold in the loop: they need not in the next block.
  std::string opening =
      first && block && !together_ ? prefetchesOfNextBlock("\n" + indentation) : std::string();
  if (!block && !rowsFetched_) {
    opening = prefetchesOfNextWarp(region, "\n" + indentation);
    rowsFetched_ = !opening.empty();
  }
  const bool exitsOnly = region.exitsOnly && !publish_;
  const std::string strips = updateOfRows(region, "\n    " + indentation);
  const std::string elementStrips = strips.empty() ? updateOfElements(region) : "";
  RegionLoop loop = !strips.empty()       ? RegionLoop{"InStrips", strips, "", true, {}}
                    : block && !exitsOnly ? loopOfBlock(region, text)
                                          : RegionLoop();
  std::vector<const clang::VarDecl*> copied;
  std::vector<std::string> lines = bindings(region.statements, text, copiedIn(region), &copied);
  if (!block && strips.empty()) {
    loop = loopOfWarp(region, text, !copied.empty());
    if (!inside_.empty()) { // what it decided is in the variables' values, too
      copied.clear();
      lines = bindings(region.statements, text, copiedIn(region), &copied);
    }
  }
  for (const clang::VarDecl* variable : region.fresh) {
    std::string declaration;
    llvm::raw_string_ostream stream(declaration);
    variable->getType().print(stream, policy(), variable->getNameAsString());
    lines.push_back(declaration + ";");
  }
  anyRegion_ = true;
  const bool isLast = lastReturn_ && region.statements.back() == lastReturn_;
  const bool exits = regions_.returns && (text.returns.size() > (isLast ? 1u : 0u));
  const bool checksExit =
      block && active() != "cu2cpp::noneExited" && (!first || !kernel_.kernel || !outside_.empty());
  const bool results =
      !kernel_.kernel && !kernel_.decl->getReturnType()->isVoidType() && !text.returns.empty();
  std::vector<const clang::Stmt*> leaving;
  for (const clang::Stmt* jump : text.jumps)
    if (jumpsOut(jump, region))
      leaving.push_back(jump);
  const bool staysKnown = checksExit && runsStaying(region, loop);
  bool thread = (exits && !exitsOnly) || region.oneByOne || (checksExit && !staysKnown) ||
                results || callResults || !leaving.empty() || needsThread(text, copied);
  for (const clang::Stmt* s : region.statements)
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      thread |= keepsPerThread(declaration) &&
                !std::all_of(declaration->decl_begin(), declaration->decl_end(),
                             [&](const clang::Decl* decl) {
                               return std::find(copied.begin(), copied.end(), decl) != copied.end();
                             });
  if (checksExit && !staysKnown)
    lines.insert(lines.begin(), "if (" + active() + ".has(cuThisThread)) return;");
  const bool blockOfThread = ofBlocksInRow() && text.namesBlock;
  thread |= blockOfThread;
  if (blockOfThread)
    lines.insert(lines.begin(), "const uint3 blockIdx = cuThisThread.blockIdx;");
  if (thread && text.namesThread)
    lines.insert(lines.begin(), "const uint3 threadIdx = cuThisThread.threadIdx;");

  const FileRange begin = rangeOf(region.statements.front());
  const FileRange end = rangeOf(region.statements.back());
  for (const clang::DeclStmt* moved : region.movedHere)
    opening += movedText(moved) + "\n" + indentation;
  for (const auto& [variable, storage] : inOrder())
    if ((storage == Storage::PerLane || storage == Storage::PerThread) &&
        isDeclaredInPlace(variable) && (storage == Storage::PerLane) == (level_ == Scope::Warp) &&
        std::find(region.statements.begin(), region.statements.end(),
                  regions_.statements.at(variable)) != region.statements.end())
      opening += storageDeclaration(variable) + "\n" + indentation;
  for (const clang::Expr* load : uniformLoads(region)) {
    const std::string name = "cuUniform" + std::to_string(++uniformLoads_);
    opening += "const auto " + name + " = " + expressionText(load) + ";\n" + indentation;
    edits_.replace(expressionRange(load), name);
  }
  if (block) {
    opening += turnedCopies(region, inBraces, "\n" + indentation);
    if (strips.empty())
      opening += updatesOfShortRows(region, inBraces, "\n" + indentation);
  }
  const std::string lanes = region.runsPastExits ? loops_.back().entered : active();
  const std::string row = !strips.empty()   ? ""
                          : ofBlocksInRow() ? rowOfBlocks(region, loop)
                          : !thread         ? rowOfTiles(region, loop)
                                            : "";
  if (runsAbreast()) {
    if (loop.kind == "Inside")
      rising_.insert(rising_.find('<'), loop.kind);
  } else if (constexpr llvm::StringRef plain = "eachThreadRising"; !rising_.empty()) {
    const std::size_t behind = rising_.find(plain) + plain.size();
    if (!loop.updates.empty() || loop.kind == "Inside" || loop.kind == "ByBits")
      rising_.replace(behind, rising_.find('(', behind) - behind,
                      loop.updates.empty() ? loop.kind : "Then");
    else if (runsRising() && !fours_.empty())
      rising_.replace(behind, llvm::StringRef("(cuBlock, ").size(), "InFours" + fours_);
  }
  fours_.clear();
  const clang::VarDecl* alike =
      inBraces && text.returns.empty() && leaving.empty() && strips.empty() && rising_.empty() &&
              loop.updates.empty() &&
              (loop.kind.empty() || llvm::StringRef(loop.kind).starts_with("Inside") ||
               loop.kind == "Within")
          ? alikeInLanes(region, copied)
          : nullptr;
  if (alike)
    opening += "cu2cpp::eachAlike(cuWarp, " + lanes + ", " + perThreadName_.at(alike) +
               ", [&](const auto& " + perThreadName_.at(alike) + ") CU2CPP_INLINE { ";
  // A loop in which lanes under a condition change rows of memory.
  const auto changesRowOfSome = [&] {
    const llvm::SaveAndRestore<bool> rise(lanesRise_, true);
    const auto* change = llvm::dyn_cast<clang::CompoundAssignOperator>(region.statements.front());
    const auto* element =
        change ? llvm::dyn_cast<clang::ArraySubscriptExpr>(change->getLHS()->IgnoreParenImpCasts())
               : nullptr;
    return element && element->getType()->isFloatingType() && stepInRow(element->getIdx()) == 1;
  };
  if (level_ == Scope::Warp && plan_.options.lineDirectives && inLoop_ && !publish_ && !alike &&
      !elements_ && !tile_ && !region.oneByOne && !region.returns && rising_.empty() &&
      row.empty() && copied.empty() && leaving.empty() && loop.kind.empty() &&
      loop.updates.empty() && region.statements.size() == 1 &&
      llvm::StringRef(lanes).split(' ').first != "cuLanes" && changesRowOfSome())
    loop.kind = "ByVectors";
  opening += elementStrips;
  opening +=
      (!rising_.empty() ? rising_
       : exitsOnly      ? "cu2cpp::exitWhere(cuBlock, cuExitedThreads, "
       : staysKnown     ? "cu2cpp::eachThreadStaying(cuBlock, " + active() + ", "
                    : std::string(block ? "cu2cpp::eachThread" : "cu2cpp::eachLane") + loop.kind +
                          (region.oneByOne ? block ? "Published" : "OneByOne" : published()) + "(" +
                          (row.empty() ? group() : row) + (block ? "" : ", " + lanes) + ", ") +
      loop.argument + "[&](" + loop.parameter +
      (!elements_ ? threadParameter(thread, text.namesThread)
       : elements_->columns && elements_->inTurn
           ? "const auto cuRow"
           : std::string("const auto cuRow") +
                 (!elements_->inTurn || elements_->width ? ", const auto cuColumn" : "") +
                 (elements_->inTurn ? laneInTurn() : "") +
                 (turnedStore_ ? ", auto& cuTurned" : ""));
  std::string arguments;
  for (const clang::VarDecl* variable : copied) {
    opening += ", " + typeOf(variable) + "& " + variable->getNameAsString();
    arguments += ", " + perThreadName_.at(variable) +
                 (isStored(variable, Storage::PerThread) ? ".lanes(cuWarp)" : "");
  }
  for (std::size_t i = 0; i < loop.updates.size(); ++i)
    opening += ", const auto& cuUpdate" + std::to_string(i + 1);
  if (!loop.where.empty())
    arguments += ", " + loop.where;
  arguments += emitUpdates(loop.updates);
  opening += loop.isInlined ? ") CU2CPP_INLINE {" : ") {";
  rising_.clear();
  for (const std::string& line : lines)
    opening += "\n" + indentation + line;
  opening += "\n" + indentation + (inBraces ? "" : "    ");
  insert({begin.file, begin.begin}, opening);

  for (const clang::Stmt* s : region.statements) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    if (regions_.printed.count(s)) {
      std::string printed = print(s);
      edits_.replace(rangeOf(s),
                     printed + (llvm::StringRef(printed).rtrim().ends_with(";") ? "" : ";"));
    } else if (declaration && keepsPerThread(declaration)) {
      edits_.replace(rangeOf(declaration), declarationText(declaration));
    } else if (!llvm::isa<clang::ReturnStmt>(s) || !results) {
      for (const unsigned index : callsIn(s))
        edits_.replace(expressionRange(regions_.calls[index].call), resultOf(index));
    }
  }
  if (elements_)
    emitElementPlaces();
  const std::string exit = block ? "cuExitedThreads.add(cuThisThread); " + addToOutside(0)
                                 : "cuExited.add(cuThisThread); ";
  for (const clang::ReturnStmt* s : text.returns) {
    const std::string value =
        results && s->getRetValue()
            ? "cuResult[cuThisThread] = " + expressionText(s->getRetValue()) + "; "
            : "";
    if (exitsOnly)
      emitExit(llvm::cast<clang::IfStmt>(region.statements.back()));
    else if (s == lastReturn_)
      edits_.replace(rangeOf(s), value.empty() ? "return;" : llvm::StringRef(value).rtrim().str());
    else if (exits)
      edits_.replace(rangeOf(s), "{ " + value + exit + "return; }");
  }
  for (const clang::Stmt* jump : leaving) {
    if (block) {
      const bool leaves = llvm::isa<clang::BreakStmt>(jump);
      std::size_t first = outside_.size();
      for (std::size_t i = 0; i < outside_.size(); ++i) // those of the innermost loop around
        if (outside_[i].loop && isInside(jump, outside_[i].loop) && outside_[i].step != leaves)
          first = i;
      CU2CPP_CHECK(first < outside_.size());
      edits_.replace(rangeOf(jump), "{ " + addToOutside(first) + "return; }");
      continue;
    }
    const Uneven* target = nullptr;
    for (const Uneven& loop : loops_)
      if (isInside(jump, loop.loop))
        target = &loop; // the innermost
    CU2CPP_CHECK(target);
    edits_.replace(rangeOf(jump), std::string("{ ") +
                                      (llvm::isa<clang::BreakStmt>(jump) ? "cuLeft" : "cuSkipped") +
                                      std::to_string(target->number) +
                                      ".add(cuThisThread); return; }");
  }

  for (const clang::Expr* condition : inside_)
    replaced_.erase(condition);
  inside_.clear();

  std::string closing = "\n" + indentation + "}" + arguments + ");" + (alike ? " });" : "") +
                        (elementStrips.empty() ? "" : " }");
  // A warp of which no lane is left has nothing more to do.
  if (exits && inBraces && !block && loops_.empty() && lanes_ == "cuLanes")
    closing +=
        "\n" + indentation + "if (!(" + active() + ").any()) " +
        (ofWarp_ && !kernel_.decl->getReturnType()->isVoidType() ? "return cuResult;" : "return;");
  // Nothing is left to do in a loop that all threads have left: not even to read what one value
  // serves for all.
  if (block && inBraces && !leaving.empty() && !outside_.empty() &&
      outside_.back().loop == loopAround(region.statements.front()) &&
      !(outside_.back().step && llvm::isa<clang::DoStmt>(outside_.back().loop)))
    closing += "\n" + indentation + "if (" + outside_.back().name + ".all()) " +
               (outside_.back().step ? "continue;" : "break;");
  if (exits && inBraces && block)
    closing += "\n" + indentation + "if (cuExitedThreads.all())" +
               (results ? " return cuResult;" : " return;");
  insert({end.file, behindComment(end)}, closing);
  mayHaveExited_ |= exits;
}

std::vector<const clang::Expr*> Splitter::uniformLoads(const RegionNode& region) const {
  std::vector<const clang::Expr*> out;
  // A switch may not jump past a variable with a value to its next label.
  const clang::Stmt* list = parents_->getParent(region.statements.front());
  while (list && llvm::isa<clang::SwitchCase>(list))
    list = parents_->getParent(list);
  if (list && llvm::isa_and_nonnull<clang::SwitchStmt>(parents_->getParent(list)))
    return out;
  for (const clang::Expr* load : region.uniformLoads) {
    bool kept = plan_.text.isWhole(load);
    for (const clang::Stmt* s : region.statements)
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
          declaration && isInside(load, s))
        kept &= !keepsPerThread(declaration);
    if (kept)
      out.push_back(load);
  }
  return out;
}

} // namespace cu2cpp
