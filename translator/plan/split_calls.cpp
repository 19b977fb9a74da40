// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the group does together: its calls, with a value for each thread or one for all, statements
// that run once, loops over warps.
#include "analyse/joined_blocks.h"
#include "plan/splitter.h"

#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

#include "analyse/plain_groups.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

std::string Splitter::exitedThreads() const {
  if (ofWarp_)
    return "cu2cpp::noneExited";
  return !kernel_.kernel || (regions_.returns && mayHaveExited_) ? "cuExitedThreads"
                                                                 : "cu2cpp::noneExited";
}

std::string Splitter::active() const {
  if (level_ == Scope::Block)
    return outside_.empty() ? exitedThreads() : outside_.back().name;
  std::string out = lanes_;
  if (regions_.returns && mayReturn_)
    out += " - cuExited";
  for (const Uneven& loop : loops_) {
    if (loop.leaves)
      out += " - cuLeft" + std::to_string(loop.number);
    if (loop.skips)
      out += " - cuSkipped" + std::to_string(loop.number);
  }
  return out;
}

bool Splitter::setsOfWarp() const {
  return !publish_ && level_ == Scope::Warp && (ofWarp_ ? anyGroup_ : regions_.rowParts);
}
std::string Splitter::lanesType() const { return setsOfWarp() ? "auto" : "cu2cpp::Lanes"; }
std::string Splitter::startingSet(const std::string& lanes) const {
  return setsOfWarp() ? "cu2cpp::setOf(cuWarp, " + lanes + ")" : lanes;
}
std::string Splitter::noLanes(const std::string& name) const {
  return lanesType() + " " + name + (setsOfWarp() ? " = cu2cpp::setOf(cuWarp);" : ";");
}

std::string Splitter::addToOutside(std::size_t first) const {
  std::string out;
  for (std::size_t i = first; i < outside_.size(); ++i)
    out += outside_[i].name + ".add(cuThisThread); ";
  return out;
}

std::string Splitter::threadParameter(bool thread, bool index) const {
  if (thread)
    return level_ == Scope::Block ? ofBlocksInRow() ? "const cu2cpp::RowThread cuThisThread"
                                                    : "const cu2cpp::Thread cuThisThread"
                                  : "const cu2cpp::Lane cuThisThread";
  return index ? "const uint3 threadIdx" : "const uint3";
}

std::vector<std::string> Splitter::bindings(const std::vector<const clang::Stmt*>& statements,
                                            RegionText& text,
                                            const std::set<const clang::VarDecl*>& asParameters,
                                            std::vector<const clang::VarDecl*>* copied) const {
  std::set<const clang::VarDecl*> declaredHere;
  std::set<const clang::DeclStmt*> statementsHere;
  for (const clang::Stmt* s : statements)
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
      statementsHere.insert(declaration);
      for (const clang::Decl* decl : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
          declaredHere.insert(variable);
          if ((isKept(variable) || isStored(variable, Storage::Fresh)) &&
              startsWithValue(variable) && !isReferenceLocal(variable))
            text.uses.insert(variable);
        }
    }
  if (elements_ && elements_->width && text.uses.count(elements_->row))
    text.add(elements_->width);
  // A repeated declaration brings what it names with it.
  for (bool grown = true; grown;) {
    grown = false;
    for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(text.uses)) {
      if (const clang::Expr* value = restatedValue(variable, statements)) {
        const std::size_t before = text.uses.size();
        text.add(value);
        grown |= text.uses.size() != before;
        continue;
      }
      if ((!isStored(variable, Storage::Recomputed) && !isStored(variable, Storage::Strided)) ||
          countedInRows_.count(variable) || declaredHere.count(variable) ||
          (elements_ && variable == elements_->row))
        continue;
      const std::size_t before = text.uses.size();
      const auto parts = regions_.startParts.find(variable);
      if (parts != regions_.startParts.end())
        text.skip.insert(parts->second.begin(), parts->second.end());
      for (const clang::Decl* sibling : regions_.statements.at(variable)->decls())
        if (const auto* other = llvm::dyn_cast<clang::VarDecl>(sibling); other && other->hasInit())
          text.add(other->getInit());
      grown |= text.uses.size() != before;
    }
  }
  std::vector<std::string> lines;
  std::set<const clang::DeclStmt*> repeated;
  for (const auto& [variable, storage] : inOrder()) {
    if (!text.uses.count(variable) || (elements_ && elements_->items && variable == elements_->row))
      continue;
    if (storage == Storage::PerThread || storage == Storage::PerLane) {
      // A reference is bound where it is declared, and from then on.
      if (isReferenceLocal(variable) && declaredHere.count(variable))
        continue;
      if (asParameters.count(variable)) {
        copied->push_back(variable);
        continue;
      }
      const bool isPlace = regions_.rows.count(variable) ||
                           (variable == tile_ && variable->getType()->isArrayType());
      lines.push_back((isPlace ? "const auto " : "auto& ") + variable->getNameAsString() + " = " +
                      (isReferenceLocal(variable) ? "*" : "") + perThreadName_.at(variable) +
                      "[cuThisThread];");
    } else if (storage == Storage::Strided) {
      std::string declaration;
      llvm::raw_string_ostream stream(declaration);
      variable->getType().getUnqualifiedType().print(stream, policy(), variable->getNameAsString());
      lines.push_back("const " + declaration + " = " + startText(variable) + ";");
    } else if (storage == Storage::Restated) {
      if (declaredHere.count(variable))
        continue;
      std::string declaration;
      llvm::raw_string_ostream stream(declaration);
      variable->getType().print(stream, policy(), variable->getNameAsString());
      const clang::Expr* value = restatedValue(variable, statements);
      lines.push_back(declaration + (value ? " = " + expressionText(value) : "") + ";");
    } else if (storage == Storage::Fresh) {
      const clang::DeclStmt* statement = regions_.statements.at(variable);
      if (statementsHere.count(statement) && !regions_.mixed.count(statement) &&
          !keepsPerThread(statement))
        continue;
      std::string declaration;
      llvm::raw_string_ostream stream(declaration);
      variable->getType().print(stream, policy(), variable->getNameAsString());
      lines.push_back(declaration + ";");
    } else if (storage == Storage::Recomputed) {
      const clang::DeclStmt* statement = regions_.statements.at(variable);
      if (statementsHere.count(statement) || !repeated.insert(statement).second)
        continue;
      const FileRange range = rangeOf(statement);
      std::string declaration = textOf(range);
      if (const auto found = volatiles_.find(statement); found != volatiles_.end())
        declaration.erase(found->second.begin - range.begin,
                          found->second.end - found->second.begin);
      // A comment and a directive (`#pragma unroll` in a lambda) end with their line.
      if (declaration.find("//") == std::string::npos && declaration.find('#') == std::string::npos)
        std::replace(declaration.begin(), declaration.end(), '\n', ' ');
      lines.push_back((statement->isSingleDecl() ? "" : "[[maybe_unused]] ") + declaration);
    }
  }
  return lines;
}

const clang::Expr*
Splitter::restatedValue(const clang::VarDecl* variable,
                        const std::vector<const clang::Stmt*>& statements) const {
  const auto found = regions_.restated.find(variable);
  if (found == regions_.restated.end() || statements.empty())
    return nullptr;
  // A region that starts with a new value needs no other.
  AssignedFirst visitor(variable);
  bool assigned = false;
  for (const clang::Stmt* s : statements)
    assigned = visitor.run(s, assigned);
  if (!visitor.readsFirst)
    return nullptr;
  const clang::Stmt* last = nullptr;
  for (const clang::Stmt* s : found->second)
    if (plan_.text.sources().isBeforeInTranslationUnit(s->getBeginLoc(),
                                                       statements.front()->getBeginLoc()))
      last = s;
  if (!last || llvm::isa<clang::DeclStmt>(last))
    return last ? variable->getInit() : nullptr;
  return llvm::cast<clang::BinaryOperator>(llvm::cast<clang::Expr>(last)->IgnoreParens())->getRHS();
}

std::string Splitter::valueLambda(const clang::Expr* e, const std::string& addressOf,
                                  const std::string& result) const {
  const llvm::SaveAndRestore<bool> outlives(makesValue_, true);
  RegionText text;
  const std::vector<unsigned> calls = callsIn(e);
  for (const unsigned index : calls)
    text.skip.insert(regions_.calls[index].call);
  text.add(e);
  const std::vector<std::string> lines = bindings({}, text);
  reportCaptures(e, text);
  bool thread = needsThread(text);
  for (const unsigned index : calls)
    thread |= !regions_.calls[index].uniformResult;
  std::string out = "[&](" + threadParameter(thread, text.namesThread) + ")" + result + " { ";
  if (thread && text.namesThread)
    out += "const uint3 threadIdx = cuThisThread.threadIdx; ";
  for (const std::string& line : lines)
    out += line + " ";
  return out + "return " + addressOf + expressionText(e) + "; }";
}

std::string Splitter::argumentText(const GroupCall& call,
                                   const GroupCall::Argument& argument) const {
  const bool warp = call.scope == Scope::Warp;
  // A tile's size is all that there is to know of it.
  const clang::Expr* const plain = argument.value->IgnoreParenImpCasts(); // as its own class
  const bool named = llvm::isa<clang::DeclRefExpr>(plain);
  if (const unsigned threads =
          warp && !call.function && named ? narrowTileSize(plain->getType()) : 0)
    return "cu2cpp::tileOf<" + std::to_string(threads) + ">";
  const clang::VarDecl* tile = warp && !call.function ? variableOf(argument.value) : nullptr;
  if (const auto* threads = tile ? narrowTileParameter(tile) : nullptr)
    return "cu2cpp::tileOf<" + threads->getNameAsString() + ">";
  if (argument.how == How::Uniform) {
    if (regions_.compared.count(argument.value))
      return compared(argument.value);
    return plan_.text.isWhole(argument.value) && !isForeign(argument.value)
               ? expressionText(argument.value)
               : print(argument.value);
  }
  if (const clang::VarDecl* variable = variableOf(argument.value)) {
    const clang::QualType type = variable->getType().getNonReferenceType().getUnqualifiedType();
    const bool same = argument.how == How::Reference || argument.type.isNull() ||
                      argument.type->isDependentType() || type->isDependentType() ||
                      argument.type.getCanonicalType() == type.getCanonicalType();
    // An array by reference is the array of each thread; by value it would be a pointer.
    if (same && isKept(variable) && !isReferenceLocal(variable) &&
        (!type->isArrayType() || argument.how == How::Reference ||
         (!argument.type.isNull() && argument.type->isArrayType())))
      return perThreadName_.at(variable) +
             (warp && isStored(variable, Storage::PerThread) ? ".lanes(cuWarp)" : "");
  }
  std::string type, result;
  if (!argument.type.isNull() && argument.type->isArrayType())
    result = " -> const auto&"; // each thread's own array, not where it lies
  else if (!argument.type.isNull() && call.function && !argument.type->isDependentType())
    type = "<" + argument.type.getAsString(policy()) + ">";
  return std::string(warp ? "cu2cpp::perLane" : "cu2cpp::perThread") + published() + type + "(" +
         group() + ", " + active() + ", " + valueLambda(argument.value, "", result) + ")";
}

bool Splitter::isForeign(const clang::Expr* e) const {
  const clang::SourceManager& sm = plan_.text.sources();
  const clang::SourceLocation at = sm.getExpansionLoc(e->getBeginLoc());
  return sm.isBeforeInTranslationUnit(at, sm.getExpansionLoc(body_->getLBracLoc())) ||
         sm.isBeforeInTranslationUnit(sm.getExpansionLoc(body_->getRBracLoc()), at);
}

/// `ns::warpMax` -> `ns::cuGroup_warpMax`
static std::string withPrefix(std::string name, const char* prefix) {
  const std::size_t colons = name.rfind("::");
  name.insert(colons == std::string::npos ? 0 : colons + 2, prefix);
  return name;
}

std::string Splitter::groupName(std::string name) {
  return withPrefix(std::move(name), "cuGroup_");
}

/// Whether a call gives a function to a template's parameter of a type that is deduced.
static bool deducesFrom(const GroupCall& call, const FunctionFacts& function) {
  const clang::FunctionTemplateDecl* pattern =
      call.function ? call.function->decl->getDescribedFunctionTemplate() : nullptr;
  const bool deduces = pattern && llvm::any_of(*pattern->getTemplateParameters(), [](auto* given) {
                         const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(given);
                         return value && value->getType()->getContainedDeducedType();
                       });
  return deduces && llvm::any_of(call.functionArguments, [&](const auto& argument) {
           return llvm::is_contained(argument.targets, &function);
         });
}

std::string groupVersionName(const Facts& facts, const FunctionFacts& function, std::string name) {
  for (const auto& [place, other] : facts.functions)
    if (other.regions && llvm::any_of(other.regions->calls, [&](const GroupCall& call) {
          return deducesFrom(call, function);
        }))
      return withPrefix(std::move(name), "cuTogether_");
  return name;
}

std::string Splitter::callText(unsigned index, bool alone) {
  const GroupCall& call = regions_.calls[index];
  // Only the lanes for which the conditions around it hold make the call.
  const std::string outer = lanes_;
  std::string guards;
  for (const auto& [guard, outcome] : call.guards) {
    const std::string mask = "cuLanes" + std::to_string(++masks_);
    guards += "const " + lanesType() + " " + mask + " = " + (outcome ? "" : active() + " - ") +
              lanesWhere(guard, active()) + "; ";
    lanes_ = mask;
  }
  std::string name, arguments = group() + ", " + active();
  if (call.function) {
    const clang::Expr* callee =
        llvm::isa<clang::CXXOperatorCallExpr>(call.call) ? call.object : call.call->getCallee();
    name = plan_.text.isWhole(callee) ? plan_.text.text(expressionRange(callee)) : print(callee);
    name = call.through ? groupName(name) + "{}"
                        : groupVersionName(plan_.facts, *call.function, std::move(name));
    // The group's versions of functions among the template's arguments come first.
    std::string versions;
    for (const GroupCall::FunctionArgument& argument : call.functionArguments)
      versions += groupName(plan_.text.text(expressionRange(argument.written))) + ", ";
    if (!versions.empty())
      name.insert(name.find('<') + 1, versions);
  } else {
    name = "cu2cpp::together::" + call.callee->getNameAsString();
    if (call.object) {
      GroupCall::Argument object;
      object.value = call.object;
      arguments += ", " + argumentText(call, object);
    }
  }
  for (const GroupCall::Argument& argument : call.arguments)
    arguments += ", " + argumentText(call, argument);
  lanes_ = outer;
  return guards + (alone || !call.returnsValue ? "" : "const auto " + callName(index) + " = ") +
         name + "(" + arguments + ");";
}

void Splitter::emitCall(const RegionNode& node) {
  const unsigned index = node.calls.front();
  const FileRange range = rangeOf(node.statement);
  if (node.alone) {
    edits_.replace(range, callText(index, true));
    return;
  }
  const std::string indentation = plan_.text.indentation({range.file, range.begin});
  insert({range.file, range.begin}, callText(index, false) + "\n" + indentation);
}

bool Splitter::emitShuffleInPlace(const RegionNode& call, const RegionNode& behind) {
  if (call.kind != Kind::Call || call.alone || behind.kind != Kind::Region || behind.returns ||
      behind.oneByOne || behind.statements.size() != 1 || level_ != Scope::Warp || publish_ ||
      !plan_.options.lineDirectives || call.statement != behind.statements.front())
    return false;
  const auto* const set = llvm::dyn_cast<clang::BinaryOperator>(call.statement);
  const GroupCall& shuffle = regions_.calls[call.calls.front()];
  if (!set || set->getOpcode() != clang::BO_Assign || shuffle.function || shuffle.object ||
      shuffle.scope != Scope::Warp || shuffle.uniformResult || !shuffle.guards.empty() ||
      shuffle.callee->getNameAsString() != "__shfl_sync" || shuffle.arguments.size() < 3 ||
      set->getRHS()->IgnoreParenImpCasts() != shuffle.call || callsIn(set->getLHS()).size() != 0)
    return false;
  const clang::Expr *const place = set->getLHS(), *const value = shuffle.arguments[1].value;
  const clang::ASTContext& context = plan_.unit.context();
  const clang::QualType type = place->getType();
  if (!type->isArithmeticType() || type.isVolatileQualified() ||
      !context.hasSameUnqualifiedType(type, shuffle.call->getType()) ||
      shuffle.arguments[2].how != GroupCall::Argument::How::Each ||
      place->HasSideEffects(context) || place->refersToBitField() || regions_.printed.count(set) ||
      !areAlike(place, value, context))
    return false;
  std::string text = "cu2cpp::together::shuffleInPlace(" + group() + ", " + active();
  for (const GroupCall::Argument& argument : shuffle.arguments)
    text += ", " + (&argument == &shuffle.arguments[1] ? valueLambda(place, "", " -> auto&")
                                                       : argumentText(shuffle, argument));
  edits_.replace(rangeOf(call.statement), text + ");");
  return true;
}

void Splitter::emitStatement(const RegionNode& node) {
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(node.statement);
      declaration && regions_.mixed.count(declaration)) {
    std::string text;
    bool own = false;
    for (const clang::Decl* decl : declaration->decls()) {
      const auto* variable = llvm::cast<clang::VarDecl>(decl);
      own |= isKept(variable) && variable->hasInit();
      if (!isStored(variable, Storage::Block))
        continue;
      std::string declared;
      llvm::raw_string_ostream stream(declared);
      variable->getType().print(stream, policy(), variable->getNameAsString());
      text += (text.empty() ? "" : " ") + declared;
      if (variable->hasInit())
        text += " = " + (regions_.compared.count(variable->getInit())
                             ? compared(variable->getInit())
                             : expressionText(variable->getInit()));
      text += ";";
    }
    if (own)
      text += "\n" + plan_.text.indentation(position(rangeOf(declaration))) +
              headPart(declaration) + ";";
    edits_.replace(rangeOf(declaration), text);
    anyRegion_ |= own;
    return;
  }
  for (const clang::Expr* value : regions_.compared)
    if (isInside(value, node.statement) && !llvm::isa<clang::ForStmt>(node.statement)) {
      bool argument = false;
      for (const GroupCall& call : regions_.calls)
        argument |= isInside(value, call.call);
      if (!argument)
        edits_.replace(expressionRange(value), compared(value));
    }
  for (const unsigned index : callsIn(node.statement))
    edits_.replace(expressionRange(regions_.calls[index].call), resultOf(index));
}

bool Splitter::isOnlyWarps() const {
  unsigned warps = 0;
  for (const RegionNode& node : regions_.nodes) {
    // What each region computes again stands nowhere by itself.
    const bool isNothing = node.kind == Kind::Region &&
                           std::all_of(node.statements.begin(), node.statements.end(),
                                       [&](const clang::Stmt* s) { return declaresRecomputed(s); });
    if (!isNothing && node.kind != Kind::Warps && node.kind != Kind::Statement &&
        node.kind != Kind::Shared)
      return false;
    warps += node.kind == Kind::Warps;
  }
  return warps == 1;
}

bool Splitter::asksForLaneOfGrid() const {
  class Lanes : public SyntaxVisitor {
  public:
    const Splitter* splitter = nullptr;
    bool found = false;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      const auto by = constantOf(op->getRHS(), splitter->plan_.unit.context());
      const auto* named = namedBy(op->getRHS());
      const bool takesLane = (op->getOpcode() == clang::BO_And && by == 31) ||
                             (op->getOpcode() == clang::BO_Rem &&
                              (by == 32 || (named && named->getNameAsString() == "warpSize")));
      found |= takesLane && !splitter->isThreadIndex(op->getLHS()) && !isRankInBlock(op->getLHS());
      return !found;
    }
  } lanes;
  lanes.splitter = this;
  lanes.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
  return lanes.found;
}

Splitter::Agreement Splitter::agreementIn(const RegionNode& warps) const {
  class Places : public SyntaxVisitor {
  public:
    const Splitter* splitter = nullptr;
    Agreement found = Agreement::Always;
    bool TraverseStmt(clang::Stmt* s) override {
      const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(s);
      if (!op || !splitter->isWarpNumber(op))
        return SyntaxVisitor::TraverseStmt(s);
      if (!isRankInBlock(op->getLHS()))
        found = std::max(found, Agreement::InLines);
      return true;
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (builtinOf(use->getDecl()) == ThreadIdx)
        found = Agreement::InWholeWarps;
      else if (variable && splitter->isStored(variable, Storage::Recomputed) && variable->hasInit())
        TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
      return true;
    }
  } places;
  places.splitter = this;
  for (const clang::Expr* value : regions_.compared)
    if (llvm::any_of(warps.statements, [&](const clang::Stmt* s) { return isInside(value, s); }))
      places.TraverseStmt(const_cast<clang::Expr*>(value));
  return places.found;
}

bool Splitter::meetIn(const RegionNode& warps) const {
  return llvm::any_of(regions_.calls, [&](const GroupCall& call) {
    return !(call.function && call.function->forLanes) &&
           llvm::any_of(warps.statements,
                        [&](const clang::Stmt* s) { return isInside(call.call, s); });
  });
}

/// What runs the warps of a block.
std::string Splitter::warpsLoop(const RegionNode& node) const {
  if (node.order == WarpOrder::Falling)
    return "cu2cpp::eachWarpFalling";
  if (kernel_.lanesTogether < 32)
    return "cu2cpp::eachLaneTile<" + std::to_string(kernel_.lanesTogether) + ">";
  if (regions_.rowPairs)
    return leavesOneByOne(node.children) ? "cu2cpp::eachPairOfRows"
                                         : "cu2cpp::eachPairOrPartOfRows";
  if (regions_.rowParts)
    return leavesOneByOne(node.children) ? "cu2cpp::eachShortPartOfRows" : "cu2cpp::eachPartOfRows";
  const Agreement agreement = agreementIn(node);
  const bool asksForGrid = asksForLaneOfGrid();
  if (agreement != Agreement::Always && node.order == WarpOrder::None && !meetIn(node))
    return agreement == Agreement::InLines && !asksForGrid ? "cu2cpp::eachWarpOrThread<true>"
                                                           : "cu2cpp::eachWarpOrThread<false>";
  return asksForGrid ? "cu2cpp::eachWarpOfWholeRows" : "cu2cpp::eachWarp";
}

void Splitter::emitWarps(const RegionNode& node) {
  if (const auto level = levelTexts_.find(&node); level != levelTexts_.end()) {
    anyRegion_ = true;
    return edits_.replace(level->second.first, level->second.second);
  }
  const FileRange begin = rangeOf(node.statements.front());
  const FileRange end = rangeOf(node.statements.back());
  const std::string indentation = plan_.text.indentation({begin.file, begin.begin});
  std::string opening = anyRegion_ || inLoop_ || onlyWarps_
                            ? std::string()
                            : prefetchesOfNextBlock("\n" + indentation);
  opening += inFrontOf(node.statements.front());
  for (const clang::DeclStmt* moved : node.movedHere)
    opening += movedText(moved) + "\n" + indentation;
  for (const auto& [variable, storage] : inOrder())
    if (storage == Storage::PerThread && isDeclaredInPlace(variable) &&
        std::find(node.statements.begin(), node.statements.end(),
                  regions_.statements.at(variable)) != node.statements.end())
      opening += storageDeclaration(variable) + "\n" + indentation;
  const std::string exited = active();
  const std::string alike = keptByAlikeWarps(node);
  const auto* loop = node.statements.size() == 1 && node.order == WarpOrder::None
                         ? llvm::dyn_cast<clang::ForStmt>(node.statements.front())
                         : nullptr;
  const std::string strips = loop ? updateOfColumns(loop) : "";
  opening += strips + (alike.empty() ? warpsLoop(node) : "cu2cpp::eachWarpAlike") + "(cuBlock, " +
             (exited == "cu2cpp::noneExited" || onlyWarps_ ? "" : exited + ", ") +
             "[&](const auto& cuWarp, const cu2cpp::Lanes cuLanes) CU2CPP_INLINE {\n" + indentation;
  if (regions_.returns)
    // Behind the last of them nobody asks the block for threads that have returned.
    opening += (onlyWarps_ || &node == &regions_.nodes.back()
                    ? "cu2cpp::Lanes cuExited;"
                    : "cu2cpp::ExitedLanes cuExited(cuExitedThreads, cuWarp);") +
               ("\n" + indentation);
  insert({begin.file, begin.begin}, opening);
  level_ = Scope::Warp;
  lanes_ = "cuLanes";
  std::vector<Uneven> outer;
  outer.swap(loops_);
  fromMemory_ = node.children.size() == 1 && node.children[0].kind == Kind::Region;
  emitList(node.children, true);
  fromMemory_ = false;
  loops_.swap(outer);
  level_ = Scope::Block;
  lanes_.clear();
  insert({end.file, behindComment(end)},
         "\n" + indentation + "}" + alike + (strips.empty() ? ");" : "); } }"));
  anyRegion_ = true;
  for (const clang::Stmt* s : node.statements)
    mayHaveExited_ |= Contents(s).returns;
}

} // namespace cu2cpp
