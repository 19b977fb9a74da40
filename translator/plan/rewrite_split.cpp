// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The split form: each region between barriers becomes a loop over the block's threads of its own;
// control flow around barriers runs once for the block.
//
//   float sum = 0;                            cu2cpp::PerThread<float> cuEach_sum(cuBlock);
//   for (int k = 0; k < n; ++k) {             cu2cpp::eachThread(cuBlock, [&](const cu2cpp::Thread
//   cuThisThread) {
//     s[threadIdx.x] = a[k];                    auto& sum = cuEach_sum[cuThisThread];
//     __syncthreads();                 ->       sum = 0;
//     sum += s[0];                            });
//     __syncthreads();                        for (int k = 0; k < n; ++k) {
//   }                                           cu2cpp::eachThread(cuBlock, [&](const uint3
//   threadIdx) {
//                                                 s[threadIdx.x] = a[k];
//                                               });
//                                               // __syncthreads();
//                                               ...
//
// Between calls of a warp's collectives the same is done over its lanes, in a loop over the warps;
// what a condition decides for single lanes runs for the set of them:
//
//   if (i < n)                                cu2cpp::eachWarp(cuBlock, [&](const cu2cpp::Warp&
//   cuWarp, ... cuLanes) {
//     v += __shfl_down_sync(m, v, 1);           const auto cuLanes1 = cu2cpp::lanesWhere(cuWarp,
//     cuLanes, [&](...) {
//                                      ->         return i < n; });
//                                               if (cuLanes1.any()) {
//                                                 const auto cuCall1 =
//                                                 cu2cpp::together::__shfl_down_sync(cuWarp,
//                                                 cuLanes1, ...); cu2cpp::eachLane(cuWarp,
//                                                 cuLanes1, [&](...) { v += cuCall1[cuThisThread];
//                                                 });
//                                               } });
//
// A device function that waits gets a second version, which the whole group calls at once. Needs:
// regions without an obstacle.
#include "plan/splitter.h"

#include <algorithm>

#include "clang/AST/DeclTemplate.h"

#include "analyse/blocks_as_one.h"
#include "analyse/region_parts.h"
#include "parse/body_macros.h"

namespace cu2cpp {

void Splitter::run() {
  nameStorage();
  onlyWarps_ = kernel_.kernel && isOnlyWarps();
  turns_ = loopOfTurns();
  // Readers see the blocks that a launch names.
  if (inRunBlock() && plan_.options.lineDirectives)
    tileRow_ = findTileRow(plan_.facts, kernel_);
  leaveOutVolatile();
  mayHaveExited_ = Contents(body_).labels;
  together_ = findTogether();
  findCaptures();
  emitList(regions_.nodes, true);
  if (!sweeps_.empty())
    llvm::report_fatal_error("cu2cpp: the second sweep of a scan is not written as one");
  emitHead();
  for (auto& [place, text] : inserted_)
    edits_.insert({place.first, place.second}, text);
}

std::string Splitter::signature() {
  const std::string group = anyGroup_ ? "CuGroup" : ofWarp_ ? "cu2cpp::Warp" : "cu2cpp::Block";
  std::string out = "const " + group + "& " +
                    (ofWarp_            ? "cuWarp, const cu2cpp::Lanes cuLanes"
                     : regions_.returns ? "cuBlock, const cu2cpp::Exited& cuExitedBefore"
                                        : "cuBlock, const cu2cpp::Exited& cuExitedThreads");
  for (const clang::ParmVarDecl* parameter : kernel_.decl->parameters()) {
    const std::string name = parameter->getNameAsString();
    const unsigned index = parameter->getFunctionScopeIndex();
    if (kernel_.uniformParameters.count(index)) {
      const bool kept = isOfBlockOnly(parameter) || (regions_.storage.count(parameter) &&
                                                     storageOf(parameter) != Storage::Block);
      std::string text;
      llvm::raw_string_ostream stream(text);
      parameter->getType().print(stream, policy(), (kept ? "cuArg_" : "") + name);
      out += ", " + text;
    } else {
      const bool changed = parameter->getType()->isLValueReferenceType() &&
                           !parameter->getType()->getPointeeType().isConstQualified();
      const std::string storage =
          storageType(parameter, ofWarp_ ? Storage::PerLane : Storage::PerThread);
      const auto written = perThreadName_.find(parameter);
      const std::string variable = written == perThreadName_.end()
                                       ? (name.empty() ? "" : "cuEach_" + name)
                                       : written->second;
      out += ", " +
             (changed                                        ? storage + "&"
              : regions_.modifiedParameters.count(parameter) ? storage
                                                             : "const " + storage + "&") +
             " " + variable;
    }
  }
  return out;
}

bool Splitter::isOfBlockOnly(const clang::VarDecl* variable) const {
  return plan_.facts.sharedVolatiles.count(variable->getLocation()) != 0 &&
         storageOf(variable) == Storage::Block;
}

void Splitter::leaveOutVolatile() {
  class Declarations : public SyntaxVisitor {
  public:
    std::vector<const clang::DeclStmt*> all;
    bool VisitDeclStmt(clang::DeclStmt* s) override {
      if (s->isSingleDecl())
        all.push_back(s);
      return true;
    }
  } declarations;
  declarations.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
  for (const clang::DeclStmt* statement : declarations.all) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(statement->getSingleDecl());
    const clang::Expr* init = variable && variable->hasInit() ? variable->getInit() : nullptr;
    if (!init || statement->getBeginLoc().isMacroID() || variable->getLocation().isMacroID() ||
        !plan_.facts.sharedVolatiles.count(variable->getLocation()))
      continue;
    const clang::QualType from = init->IgnoreParenImpCasts()->getType();
    const clang::ArrayType* array = from->getAsArrayTypeUnsafe();
    if (!array ? !from->isPointerType() || from->getPointeeType().isVolatileQualified()
               : array->getElementType().isVolatileQualified())
      continue;
    const auto begin = plan_.text.positionOf(statement->getBeginLoc()),
               end = plan_.text.positionOf(variable->getLocation());
    const std::string before =
        begin && end && begin->file == end->file && begin->offset < end->offset
            ? plan_.text.text(FileRange{begin->file, begin->offset, end->offset})
            : "";
    const std::size_t at = before.find("volatile ");
    if (at == std::string::npos || before.find("volatile", at + 1) != std::string::npos)
      continue;
    const unsigned place = begin->offset + unsigned(at);
    volatiles_[statement] = {begin->file, place, place + unsigned(sizeof "volatile")};
    edits_.replace(volatiles_[statement], "", true);
  }
}

std::string Splitter::resultType() const {
  const clang::QualType type = kernel_.decl->getReturnType();
  if (type->isVoidType())
    return "void";
  return std::string(ofWarp_ ? "cu2cpp::PerLane<" : "cu2cpp::PerThread<") +
         type.getNonReferenceType().getUnqualifiedType().getAsString(policy()) + ">";
}

void Splitter::emitHead() {
  const auto open = plan_.text.endOf(body_->getLBracLoc());
  CU2CPP_CHECK(open);
  std::vector<std::string> head;
  if (std::string peer = kernel_.kernel ? callOfPeer(plan_, kernel_) : ""; !peer.empty())
    head.push_back(std::move(peer));
  if (std::string layers = layersAtHead(plan_, kernel_); !layers.empty())
    head.push_back(std::move(layers));
  if (inRunBlock())
    for (std::string& line : wholeBlockAtHead(plan_, kernel_, turns_, abreast_))
      head.push_back(std::move(line));
  else if (kernel_.kernel)
    head.push_back(blockAtHead(plan_, kernel_, regions_.joined));
  if (std::string guard = clusterGuard(plan_, kernel_); kernel_.kernel && !guard.empty())
    head.push_back(std::move(guard));
  if (std::string mark = waitingMark(kernel_); !mark.empty())
    head.push_back(std::move(mark));
  const std::string block = ofWarp_ ? "(*cuWarp.block)" : "cuBlock";
  for (std::string& line : builtinsAtHead(*kernel_.decl, kernel_.builtins & ~ThreadIdx, block, ""))
    // What blocks do in turn has a place of its own.
    head.push_back(kernel_.kernel && !regions_.joined && !together_ ? std::move(line)
                                                                    : "[[maybe_unused]] " + line);
  for (std::string& line : namespaceSharedAtHead(plan_, kernel_))
    head.push_back(std::move(line));
  if (kernel_.kernel) {
    SharedHead shared = sharedAtHead(plan_, kernel_);
    for (std::string& line : shared.declarations)
      head.push_back(std::move(line));
    if (std::string kept = keptInTurns(); !kept.empty()) {
      if (shared.keptUntil)
        edits_.insert(*shared.keptUntil, " " + kept);
      else
        head.push_back(std::move(kept));
    }
  }
  for (const auto& [variable, storage] : inOrder()) {
    if ((storage != Storage::PerThread && storage != Storage::PerLane) ||
        isDeclaredInPlace(variable))
      continue;
    const std::string name = variable->getNameAsString();
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
    if (parameter && !kernel_.kernel) {
      // The storage is the parameter, but for one value that threads change apart.
      if (kernel_.uniformParameters.count(parameter->getFunctionScopeIndex()))
        head.push_back(storageType(variable, storage) + " " + perThreadName_.at(variable) + "(" +
                       (ofWarp_ ? "" : "cuBlock, ") + "cuArg_" + name + ");");
      continue;
    }
    head.push_back(parameter ? storageType(variable, storage) + " " + perThreadName_.at(variable) +
                                   "(cuBlock, cuArg_" + name + ");"
                             : storageDeclaration(variable));
    if (parameter)
      if (const auto begin = plan_.text.positionOf(variable->getLocation()))
        edits_.insert(*begin, "cuArg_");
  }
  if (!kernel_.kernel)
    for (const clang::ParmVarDecl* parameter : kernel_.decl->parameters())
      if (kernel_.uniformParameters.count(parameter->getFunctionScopeIndex()) &&
          isOfBlockOnly(parameter)) {
        // One thread of the machine runs the block's threads in turn.
        const clang::QualType type = parameter->getType();
        clang::QualType element = type->getPointeeType();
        element.removeLocalVolatile();
        const std::string plain =
            plan_.unit.context().getPointerType(element).getAsString(policy());
        head.push_back((type.isConstQualified() ? "const auto " : "auto ") +
                       parameter->getNameAsString() + " = const_cast<" + plain + ">(cuArg_" +
                       parameter->getNameAsString() + ");");
      }
  if (!kernel_.kernel && !kernel_.decl->getReturnType()->isVoidType())
    head.push_back(resultType() + " cuResult" + (ofWarp_ ? ";" : "(cuBlock);"));
  if (regions_.returns) {
    if (ofWarp_)
      head.push_back(anyGroup_ && !publish_ ? "auto cuExited = cu2cpp::setOf(cuWarp);"
                                            : "cu2cpp::Lanes cuExited;");
    else if (!onlyWarps_)
      head.push_back(ofKeptRow()      ? "cu2cpp::ExitedOfRow cuExitedThreads(cuBlock);"
                     : kernel_.kernel ? "cu2cpp::Exited cuExitedThreads(cuBlock);"
                                      : "cu2cpp::Exited cuExitedThreads(cuBlock, cuExitedBefore);");
  }
  std::string indentation;
  if (!body_->body_empty())
    indentation = plan_.text.indentation(*plan_.text.positionOf(
        plan_.text.lift((*body_->body_begin())->getBeginLoc(), body_->getLBracLoc())));
  std::string text;
  for (const std::string& line : head)
    text += "\n" + indentation + line;
  edits_.insert(*open, text);
  if (!kernel_.kernel && !kernel_.decl->getReturnType()->isVoidType())
    if (const auto close = plan_.text.positionOf(body_->getRBracLoc()))
      insert(*close, "  return cuResult;\n");
  if (inRunBlock())
    if (const auto close = plan_.text.positionOf(body_->getRBracLoc()))
      insert(*close, (turns_ || abreast_ ? "}); });\n" : "});\n") + plan_.text.indentation(*close));
}

bool Splitter::inRunBlock() const {
  return kernel_.kernel && plan_.forms.at(&kernel_).form == Form::Split;
}

void Splitter::emitList(const std::vector<RegionNode>& nodes, bool inBraces) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const RegionNode& node = nodes[i];
    if (emitPlacesOfGrid(node))
      continue;
    if (i + 1 < nodes.size() && emitShuffleInPlace(node, nodes[i + 1])) {
      ++i;
      continue;
    }
    switch (node.kind) {
    case Kind::Region:
      emitRegion(node, inBraces);
      break;
    case Kind::Barrier:
      emitBarrier(node.statement, inBraces);
      break;
    case Kind::Call:
      emitCall(node);
      break;
    case Kind::Statement:
      emitStatement(node);
      break;
    case Kind::Shared:
    case Kind::Label:
      break;
    case Kind::Loop:
      emitLoop(node, inBraces);
      break;
    case Kind::Branch:
      emitBranch(node, inBraces);
      break;
    case Kind::Switch:
      emitList(node.children, true);
      break;
    case Kind::Block:
      insert(beginOf(node.statement->getBeginLoc()), inFrontOf(node.statement));
      emitList(node.children, true);
      break;
    case Kind::Warps:
      emitWarps(node);
      break;
    }
  }
}

std::string Splitter::inFrontOf(const clang::Stmt* s) const {
  const auto found = aheadInFront_.find(s);
  return found == aheadInFront_.end() ? "" : found->second;
}

void Splitter::emitBarrier(const clang::Stmt* s, bool inBraces) {
  const FileRange range = rangeOf(s);
  std::string text = plan_.text.text(range);
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (inBraces && restOfLineIsBlank(range) && text.find('\\') == std::string::npos)
    edits_.replace(range, "// " + text);
  else
    edits_.replace(range, "/* " + llvm::StringRef(text).drop_back().str() + " */;");
  // What blocks do in turn lies between two barriers.
  if (together_ && s == together_->begin) {
    const auto size = sizeOfBlocksAsOne(plan_.facts, kernel_, *together_);
    insert({range.file, range.end},
           "\ncu2cpp::each" +
               (size ? "RowOfBlocks" + (size->empty() ? "" : "<" + *size + ">") : "BlockInTurn") +
               "(cuBlock, [&](const auto& cuBlock) CU2CPP_INLINE {\n"
               "const uint3 blockIdx = cuBlock.blockIdx;\n" +
               (size ? "" : prefetchesOfNextBlock("\n")));
  }
  if (together_ && s == together_->end)
    insert({range.file, range.begin}, "});\n");
}

namespace {

/// The function's body with edits made, from brace to brace.
std::string bodyText(const Plan& plan, const FileRange& range, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    if (a.begin != b.begin)
      return a.begin < b.begin;
    const bool aInserts = a.begin == a.end, bInserts = b.begin == b.end;
    return aInserts != bInserts ? aInserts : !aInserts && a.end > b.end;
  });
  std::string out;
  unsigned at = range.begin;
  for (const Edit& edit : edits) {
    if (edit.begin < at)
      continue; // inside a replacement
    out += plan.text.text(FileRange{range.file, at, edit.begin}) + edit.text;
    at = edit.end;
  }
  return out + plan.text.text(FileRange{range.file, at, range.end});
}

/// The functions of which code needs the group's version, and those of them that it names as a
/// template's argument.
struct Needed {
  std::vector<const FunctionFacts*> functions;
  std::set<const FunctionFacts*> passedOn;
  std::map<const FunctionFacts*, unsigned> calls; ///< places where each is called, or named
};

void collectCallees(const Regions& regions, Needed& out) {
  const auto add = [&](const FunctionFacts* function) {
    ++out.calls[function];
    if (std::find(out.functions.begin(), out.functions.end(), function) == out.functions.end()) {
      out.functions.push_back(function);
      collectCallees(*function->regions, out);
    }
  };
  for (const GroupCall& call : regions.calls) {
    if (call.function && !call.through)
      add(call.function);
    for (const FunctionFacts* target : call.targets)
      add(target);
    for (const GroupCall::FunctionArgument& argument : call.functionArguments)
      for (const FunctionFacts* target : argument.targets) {
        add(target);
        out.passedOn.insert(target);
      }
  }
}

/// `template <Reduction* warpReduction>` -> `template <class cuGroup_warpReduction, Reduction*
/// warpReduction>` of a function that calls through it; for any group `template <class T>` ->
/// `template <class T, class CuGroup>`, and functions that are no templates become one.
std::string groupTemplate(const Plan& plan, const FunctionFacts& function,
                          const clang::FunctionTemplateDecl* pattern, bool anyGroup) {
  if (!pattern)
    return anyGroup ? "template <class CuGroup>" : "";
  std::string text = plan.text.text(pattern->getTemplateParameters()->getSourceRange());
  std::set<std::string> through;
  for (const GroupCall& call : function.regions->calls) {
    if (call.through)
      through.insert(call.through->getNameAsString());
    for (const GroupCall::FunctionArgument& argument : call.functionArguments)
      if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(argument.written))
        if (llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl()))
          through.insert(use->getDecl()->getNameAsString());
  }
  std::string first;
  for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters())
    if (through.count(parameter->getNameAsString()))
      first += "class cuGroup_" + parameter->getNameAsString() + ", ";
  if (const std::size_t at = text.find('<'); at != std::string::npos)
    text.insert(at + 1, first);
  if (const std::size_t at = text.rfind('>'); anyGroup && at != std::string::npos)
    text.insert(at, ", class CuGroup");
  return text;
}

/// Short functions of a group, and those with few callers, are part of these: what threads keep
/// then stays in registers between them, and the block's size and the steps of loops are known.
bool isPartOfCallers(const FunctionFacts& function, unsigned calls) {
  constexpr unsigned mostNodes = 250, fewCalls = 2, mostNodesOfFew = 1200;
  if (Contents(function.decl->getBody()).nodes > (calls > fewCalls ? mostNodes : mostNodesOfFew))
    return false;
  Needed called;
  collectCallees(*function.regions, called);
  return std::find(called.functions.begin(), called.functions.end(), &function) ==
         called.functions.end();
}

void addGroupVersion(Plan& plan, const FunctionFacts& function, const Needed& needed) {
  const clang::FunctionDecl* decl = function.decl;
  const auto* body = llvm::cast<clang::CompoundStmt>(decl->getBody());
  const auto open = plan.text.positionOf(body->getLBracLoc());
  const auto close = plan.text.endOf(body->getRBracLoc());
  if (!open || !close || open->file != close->file || body->getLBracLoc().isMacroID()) {
    plan.diagnostics.report(DiagId::NotEditable, plan.unit.placeOf(decl->getLocation()),
                            {"device function '" + decl->getNameAsString() + "'"});
    return;
  }
  EditList own;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(decl);
  const bool passedOn = needed.passedOn.count(&function) != 0;
  const bool inCallers = isPartOfCallers(function, needed.calls.at(&function));
  // What is compiled for each kind of group leaves out what that cannot be.
  const bool anyGroup = inCallers && !method;
  Splitter splitter(plan, function, own, asksForThread(plan.facts, function), anyGroup);
  splitter.run();
  std::vector<Edit> edits;
  for (const auto& [file, all] : own.byFile())
    edits.insert(edits.end(), all.begin(), all.end());
  // What the other rewrites do inside the body holds here too, but for what they put at its head.
  const auto others = plan.edits.byFile().find(open->file);
  if (others != plan.edits.byFile().end())
    for (const Edit& edit : others->second)
      if (edit.begin > open->offset + 1 && edit.end < close->offset)
        edits.push_back(edit);
  std::string head = groupTemplate(plan, function, decl->getDescribedFunctionTemplate(), anyGroup);
  if (!head.empty())
    head += "\n" + plan.text.indentation(*open);
  const bool inClass = method && decl->getLexicalDeclContext()->isRecord();
  if (inCallers)
    head += "CU2CPP_INLINE ";
  head += inClass ? (method->isStatic() ? "static inline " : "inline ") : "static inline ";
  head += splitter.resultType() + " ";
  const std::string name = decl->getNameAsString();
  const std::string version = groupVersionName(plan.facts, function, name);
  const std::string declaration =
      version + "(" + splitter.signature() + ")" + (method && method->isConst() ? " const" : "");
  const std::string indentation = plan.text.indentation(*open);
  const BodyMacros macros = bodyMacros(plan.text.buffer(open->file), open->offset, close->offset);
  if (!macros.names.empty())
    plan.edits.insert({open->file, macros.before}, macros.pushed());
  plan.edits.insert(
      *close,
      "\n" + macros.popped() + indentation + "// " + name +
          "() for all threads of a group at once.\n" + indentation + head + declaration + " " +
          bodyText(plan, {open->file, open->offset, close->offset}, std::move(edits)) +
          (passedOn ? "\n" + indentation + "struct cuGroup_" + name + " {\n" + indentation +
                          "  template <class... A> auto operator()(A&&... a) const {\n" +
                          indentation + "    return " + version + "(std::forward<A>(a)...);\n" +
                          indentation + "  }\n" + indentation + "};"
                    : ""));
  for (const clang::FunctionDecl* other : decl->redecls()) {
    if (other == decl || method || !plan.unit.isUser(other->getLocation()))
      continue;
    const std::string otherHead =
        groupTemplate(plan, function, other->getDescribedFunctionTemplate(), anyGroup);
    if (auto end = plan.text.endOf(other->getEndLoc())) {
      const llvm::StringRef buffer = plan.text.buffer(end->file);
      while (end->offset < buffer.size() && buffer[end->offset - 1] != ';')
        ++end->offset;
      plan.edits.insert(*end, " " + otherHead + " static inline " + splitter.resultType() + " " +
                                  declaration + ";");
    }
  }
}

} // namespace

void splitKernel(Plan& plan, const FunctionFacts& kernel) {
  Splitter(plan, kernel, plan.edits, asksForThread(plan.facts, kernel)).run();
}

void addGroupVersions(Plan& plan) {
  Needed needed;
  for (const auto& [function, choice] : plan.forms)
    if (choice.form == Form::Split || choice.form == Form::Lanes)
      collectCallees(*function->regions, needed);
  for (const FunctionFacts* function : needed.functions)
    addGroupVersion(plan, *function, needed);
}

} // namespace cu2cpp
