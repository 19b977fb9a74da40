// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the regions of all functions that reach collectives, callees before callers, and of
// kernels whose loops gain from running outside of the loop over threads.
#include "analyse/regions.h"

#include "analyse/block_sizes.h"
#include "analyse/group_calls.h"
#include "analyse/joined_blocks.h"
#include "analyse/lane_functions.h"
#include "analyse/lane_loops.h"
#include "analyse/lane_tiles.h"
#include "analyse/marks.h"
#include "analyse/region_builder.h"
#include "analyse/shared_parameters.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

/// Whether warps are rows of the block, as far as launches show.
bool warpsAreRows(const SourceUnit& unit, const Facts& facts, const FunctionFacts& function) {
  class Rows : public SyntaxVisitor {
  public:
    bool several = false;
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      const auto* use =
          llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
      if (use && (builtinOf(use->getDecl()) & (ThreadIdx | BlockDim)))
        several |= member->getMemberDecl()->getName() != "x";
      return true;
    }
  } rows;
  rows.TraverseStmt(function.decl->getBody());
  if (!rows.several)
    return true;
  return function.kernel && launchesShowWholeWarps(unit, facts, function);
}

bool meetsNobody(const FunctionFacts& function) {
  return function.kernel && function.reached.scope == Scope::None;
}

std::shared_ptr<Regions> RegionBuilder::build(Scope lanes, bool withLaneFunctions) {
  withLaneFunctions_ = withLaneFunctions;
  out_ = std::make_shared<Regions>();
  out_->scope =
      kernel_.reached.scope == Scope::None ? Scope::Warp : groupScope(kernel_.reached.scope);
  for (const auto& [variable, local] : uniformity_.variables())
    if (!local.statement && local.modified)
      out_->modifiedParameters.insert(variable);
  if (!checkCalls())
    return out_;
  if (lanes != Scope::None)
    cutAtLoops(lanes);
  partProducts();
  do {
    restart_ = false;
    out_->obstacle.clear();
    required_.clear();
    requiredBy_.clear();
    block_.clear();
    if (out_->scope == Scope::Block && !findRequired())
      return out_;
    if (!restart_ && !settle())
      return out_;
  } while (restart_);
  if (out_->obstacle.empty()) {
    settleTileLoops(out_->nodes);
    findRows();
    findPastExits(out_->nodes);
  }
  return out_;
}

bool RegionBuilder::settle() {
  if (out_->scope == Scope::Block)
    offerJumpConditions(body_);
  offerSteps(body_);
  for (int round = 0; round < 64 && !restart_; ++round) {
    out_->nodes.clear();
    out_->compared.clear();
    out_->alike.clear();
    out_->mixed.clear();
    handled_.clear();
    homes_.clear();
    sections_ = 0;
    section_ = 0;
    again_ = false;
    if (!buildTop())
      return false;
    if (sections_ > 1 && !severalSections_) {
      severalSections_ = true;
      again_ = true;
    }
    if (!settleBlockVariables() || again_)
      continue;
    if (out_->obstacle.empty())
      assignStorage();
    if (!grown_)
      break;
    grown_ = false;
  }
  return true;
}

bool RegionBuilder::fail(const std::string& why, clang::SourceLocation at) {
  if (out_->obstacle.empty()) {
    out_->obstacle = why;
    out_->obstacleAt = at;
  }
  return false;
}

namespace {

/// The functions that reach collectives, callees before callers.
class Order {
public:
  explicit Order(Facts& facts) : facts_(facts) {
    for (auto& [place, f] : facts.functions)
      visit(f);
  }
  std::vector<FunctionFacts*> functions;
  std::set<const FunctionFacts*> recursive;

private:
  void visit(FunctionFacts& f) {
    if (f.reached.scope == Scope::None || !f.decl->getBody() || done_.count(&f))
      return;
    if (!open_.insert(&f).second) {
      recursive.insert(&f);
      return;
    }
    // Of the overloads that a template could call, those count that its instances do call.
    std::set<clang::SourceLocation> resolved;
    for (const UserCall& call : f.calls)
      if (!call.candidate)
        resolved.insert(call.at);
    for (const UserCall& call : f.calls)
      if (FunctionFacts* callee = facts_.find(call.callee);
          callee && !callee->kernel && !(call.candidate && resolved.count(call.at)))
        visit(*callee);
    open_.erase(&f);
    done_.insert(&f);
    functions.push_back(&f);
  }
  Facts& facts_;
  std::set<const FunctionFacts*> open_, done_;
};

/// What is called through a template's parameter gets all values for each thread.
bool makeDivergent(const FunctionFacts& function,
                   std::map<const FunctionFacts*, std::set<unsigned>>& divergent) {
  bool changed = false;
  for (unsigned i = 0; i < function.decl->getNumParams(); ++i)
    changed |= divergent[&function].insert(i).second;
  return changed;
}

/// A parameter is uniform if every call in this file passes a uniform value.
std::map<const FunctionFacts*, std::set<unsigned>>
findDivergentParameters(const SourceUnit& unit, const Facts& facts,
                        const std::vector<FunctionFacts*>& functions) {
  std::map<const FunctionFacts*, std::set<unsigned>> divergent;
  std::map<const FunctionFacts*, GroupCalls> calls;
  for (const FunctionFacts* f : functions) {
    calls[f] = findGroupCalls(unit, facts, *f);
    if (!f->kernel)
      for (const clang::ParmVarDecl* parameter : f->decl->parameters())
        if (parameter->getType()->isReferenceType() &&
            !parameter->getType()->getPointeeType().isConstQualified() &&
            !isSharedParameter(parameter, *f))
          divergent[f].insert(parameter->getFunctionScopeIndex());
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const FunctionFacts* f : functions) {
      const Uniformity uniformity(f->decl, divergent[f], &facts, warpsAreRows(unit, facts, *f));
      if (!f->kernel)
        for (const clang::ParmVarDecl* parameter : f->decl->parameters())
          if (const LocalVariable* local = uniformity.find(parameter);
              local && !local->uniform && !local->warpUniform)
            changed |= divergent[f].insert(parameter->getFunctionScopeIndex()).second;
      for (const GroupCall& call : calls[f].calls)
        for (const GroupCall::FunctionArgument& argument : call.functionArguments)
          for (const FunctionFacts* target : argument.targets)
            changed |= makeDivergent(*target, divergent);
      for (const GroupCall& call : calls[f].calls)
        for (const FunctionFacts* target : call.targets)
          changed |= makeDivergent(*target, divergent);
      for (const GroupCall& call : calls[f].calls)
        if (call.function)
          for (unsigned i = 0; i < call.arguments.size(); ++i)
            if (!uniformity.isUniform(call.arguments[i].value, call.scope))
              changed |= divergent[call.function].insert(i).second;
    }
  }
  return divergent;
}

/// How finely to cut, from most to least: at which loops, and at calls of lane functions or not.
std::vector<std::pair<Scope, bool>> waysToCut(bool laneFunctions) {
  std::vector<std::pair<Scope, bool>> ways;
  for (const Scope lanes : {Scope::Block, Scope::Warp}) {
    if (laneFunctions)
      ways.push_back({lanes, true});
    ways.push_back({lanes, false});
  }
  ways.push_back({Scope::None, false});
  return ways;
}

/// How many loops and branches of a warp's lists lanes leave or enter one by one; none if a loop
/// walks along memory.
std::optional<unsigned> countMasked(const std::vector<RegionNode>& nodes, bool ofWarp = false) {
  unsigned count = 0;
  for (const RegionNode& node : nodes) {
    const bool inside = ofWarp || node.kind == RegionNode::Kind::Warps;
    const auto children = countMasked(node.children, inside),
               otherwise = countMasked(node.otherwise, inside);
    if ((inside && node.strided) || !children || !otherwise)
      return std::nullopt;
    count += unsigned(node.masked) + *children + *otherwise;
  }
  return count;
}

/// The regions of a kernel that runs parts of rows for pairs of its block's rows, which then are 16
/// threads long: lanes of both leave the same loops one by one, and nothing is gained from what is
/// one value for each row. (Each sum in a loop waits for the step before, and a pair has two.)
std::shared_ptr<Regions> inPairsOfRows(const SourceUnit& unit, const Facts& facts,
                                       const FunctionFacts& kernel, const Regions& byRows,
                                       const std::set<unsigned>& divergent, Scope lanes,
                                       bool laneFunctions) {
  const std::optional<BlockSize> size = findBlockSize(unit, facts, kernel);
  const bool ofPairs = size && size->x == 16 && size->y % 2 == 0;
  const bool meetsOthers = !meetsNobody(kernel);
  if (!byRows.rowParts || !runsWarps(byRows) ||
      (size || (!meetsOthers && leavesOneByOne(byRows.nodes)) ? !ofPairs : false))
    return nullptr;
  auto pairs = RegionBuilder(unit, facts, kernel, divergent, false, RunAs::PairsOfRows)
                   .build(lanes, laneFunctions);
  const auto masked = countMasked(byRows.nodes);
  if (!pairs->obstacle.empty() || !pairs->lanes || !pairs->compared.empty() || !masked ||
      countMasked(pairs->nodes) != masked || pairs->calls.size() != byRows.calls.size() ||
      !runsWarps(*pairs) || (meetsOthers ? areOrdered(pairs->nodes) : !fitsParts(*pairs)))
    return nullptr;
  pairs->rowParts = pairs->rowPairs = true;
  return pairs;
}

/// The regions of a kernel whose threads meet at barriers only, with loops that run outside of the
/// loop over the threads of a part of a row. Null if there is no such loop.
std::shared_ptr<Regions> inPartsOfRows(const SourceUnit& unit, const Facts& facts,
                                       const FunctionFacts& kernel, const Regions& byWarps,
                                       const std::set<unsigned>& divergent) {
  if (!kernel.kernel || kernel.reached.scope != Scope::Block || kernel.awaitsOthers ||
      kernel.awaitsTime || kernel.indirectCalls || kernel.warpSynchronousAt.isValid() ||
      !byWarps.obstacle.empty() || warpsAreRows(unit, facts, kernel) ||
      std::any_of(byWarps.calls.begin(), byWarps.calls.end(), [](const GroupCall& call) {
        return call.scope != Scope::Block || call.oneByOne;
      }))
    return nullptr;
  auto parts =
      RegionBuilder(unit, facts, kernel, divergent, false, RunAs::PartsOfRows).build(Scope::Block);
  if (!parts->obstacle.empty() || !runsWarps(*parts) || !agreesInParts(*parts) ||
      areOrdered(parts->nodes))
    return nullptr;
  const auto pairs = inPairsOfRows(unit, facts, kernel, *parts, divergent, Scope::Block, false);
  return pairs ? pairs : parts;
}

} // namespace

bool isDeducedFromInit(const clang::VarDecl* variable) {
  return variable->getType()->isUndeducedAutoType() && !variable->getType()->isReferenceType() &&
         variable->hasInit();
}

bool asksForThread(const Facts& facts, const FunctionFacts& function) {
  if (function.readsThread || (function.indirectCalls && function.publishesThread))
    return true;
  for (const clang::FunctionDecl* callee : function.callees) {
    const FunctionFacts* known = facts.find(callee);
    if (!known ? hasMark(callee, "device") && !hasMark(callee, "host")
               : !known->kernel && known->reached.scope == Scope::None &&
                     (known->publishesThread || (known->builtins & ThreadIdx)))
      return true;
  }
  return false;
}

void findRegions(const SourceUnit& unit, Facts& facts) {
  bool laneFunctions = false;
  for (auto& [place, f] : facts.functions)
    if (isLaneFunction(unit, facts, f)) {
      if ((f.loopsByNumbers = loopsByNumbers(facts, f)))
        continue;
      std::set<unsigned> all;
      for (unsigned i = 0; i < f.decl->getNumParams(); ++i)
        all.insert(i);
      const auto regions = RegionBuilder(unit, facts, f, all).build(Scope::Warp);
      if (!regions->obstacle.empty() || !regions->lanes)
        continue;
      f.regions = regions;
      laneFunctions = f.forLanes = true;
    }
  const Order order(facts);
  findSharedParameters(unit, facts, order.functions);
  auto divergent = findDivergentParameters(unit, facts, order.functions);
  for (FunctionFacts* f : order.functions) {
    if (!f->kernel)
      for (const clang::ParmVarDecl* parameter : f->decl->parameters())
        if (!divergent[f].count(parameter->getFunctionScopeIndex()))
          f->uniformParameters.insert(parameter->getFunctionScopeIndex());
    if (order.recursive.count(f))
      continue;
    const auto build = [&] {
      // Each next one cuts less.
      std::shared_ptr<Regions> regions;
      for (const auto& [lanes, functions] : waysToCut(laneFunctions)) {
        regions = RegionBuilder(unit, facts, *f, divergent[f]).build(lanes, functions);
        if (regions->obstacle.empty())
          break;
      }
      return regions;
    };
    std::shared_ptr<Regions> regions = build();
    if (const unsigned lanes = lanesThatMeet(unit, facts, *f); lanes < f->lanesTogether) {
      const unsigned all = std::exchange(f->lanesTogether, lanes);
      if (const auto byTiles = build(); gainsFromTiles(*byTiles, *regions))
        regions = byTiles;
      else
        f->lanesTogether = all;
    }
    if (const auto parts = inPartsOfRows(unit, facts, *f, *regions, divergent[f]))
      regions = parts;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(f->decl);
    if (regions->obstacle.empty() && !f->kernel) {
      if (method && method->getParent()->isLambda())
        regions->obstacle = "is a lambda";
      else if (method && (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(method) ||
                          method->isVirtual() ||
                          (method->isOverloadedOperator() &&
                           method->getOverloadedOperator() != clang::OO_Call)))
        regions->obstacle = "is a constructor, an operator or virtual";
      else if (f->decl->isVariadic() || f->decl->getReturnType()->isUndeducedType())
        regions->obstacle = "has a return type or parameters that cannot be named";
      else if (!unit.isUser(f->decl->getLocation()))
        regions->obstacle = "is not in the user's files";
    }
    f->regions = regions;
  }
  // Kernels that wait for nothing gain where their loops can run outside of the loop over threads.
  for (auto& [place, f] : facts.functions)
    if (f.kernel && f.reached.scope == Scope::None && f.decl->getBody() &&
        unit.isUser(f.decl->getLocation())) {
      if (sharesNothing(facts, f)) {
        const auto regions = RegionBuilder(unit, facts, f, {}, true).build(Scope::Block);
        if (regions->obstacle.empty() && regions->lanes && canJoin(*regions)) {
          regions->joined = true;
          f.regions = regions;
          const LongerBlocks rows = continuesRows(f), columns = continuesColumns(f);
          f.longRows = rows.may && keepsFew(*regions);
          f.longColumns = f.longRows && columns.may;
          f.rowsOf = rows.size;
          f.columnsOf = columns.size;
          continue;
        }
      }
      for (const auto& [lanes, functions] : waysToCut(laneFunctions)) {
        const auto regions = RegionBuilder(unit, facts, f, {}).build(lanes, functions);
        if (!regions->obstacle.empty() || !regions->lanes ||
            (regions->rowParts && !fitsParts(*regions)))
          continue;
        // Parts of rows may be shorter than a warp.
        regions->rowParts |=
            meetsNobody(f) && leavesOneByOne(regions->nodes) && fitsParts(*regions);
        f.regions = regions;
        if (const auto pairs = inPairsOfRows(unit, facts, f, *regions, {}, lanes, functions))
          f.regions = pairs;
        const LongerBlocks rows = continuesRows(f);
        f.longRows = passesOnce(*regions) && sharesNothing(facts, f) && rows.may;
        f.rowsOf = rows.size;
        break;
      }
      if (!f.regions && sharesNothing(facts, f)) {
        const LongerBlocks rows = continuesRows(f);
        f.longRows = rows.may;
        f.rowsOf = rows.size;
        f.byColumns = !f.longRows && storesInColumns(f);
        if (f.byColumns) {
          const LongerBlocks columns = continuesColumns(f, true);
          f.longColumns = columns.may && continuesRows(f, false).may;
          f.columnsOf = columns.size;
        }
      }
    }
}

} // namespace cu2cpp
