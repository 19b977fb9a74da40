// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where each variable that several regions name lives: recomputed, declared anew, or one for each
// thread or lane.
#include "analyse/few_threads.h"
#include "analyse/grid_turns.h"
#include "analyse/pure_functions.h"
#include "analyse/region_builder.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "analyse/uniform_loads.h"

namespace cu2cpp {

bool RegionBuilder::isNameShared(const clang::VarDecl* variable) const {
  for (const auto& [other, local] : uniformity_.variables())
    if (other != variable && other->getDeclName() == variable->getDeclName())
      return true;
  return false;
}

const clang::Stmt* RegionBuilder::scopeOf(const clang::VarDecl* variable) const {
  const LocalVariable* local = uniformity_.find(variable);
  if (!local || !local->statement)
    return body_;
  for (const clang::Stmt* at = uniformity_.parents().getParent(local->statement); at;
       at = uniformity_.parents().getParent(at))
    if (llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::SwitchStmt, clang::LambdaExpr>(at) ||
        isLoop(at))
      return at;
  return body_;
}

bool RegionBuilder::dependsOn(const clang::Stmt* code, const clang::VarDecl* variable,
                              std::set<const clang::VarDecl*>& seen) const {
  for (const clang::VarDecl* used : Contents(code).uses) {
    if (used == variable)
      return true;
    const LocalVariable* local = uniformity_.find(used);
    if (!local || !seen.insert(used).second)
      continue;
    if (used->hasInit() && dependsOn(used->getInit(), variable, seen))
      return true;
    // What is added to a variable is never computed again.
    for (const clang::Expr* change : local->assignments)
      if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(change);
          op && op->getOpcode() == clang::BO_Assign && dependsOn(op->getRHS(), variable, seen))
        return true;
  }
  return false;
}

bool RegionBuilder::isNameHidden(const clang::VarDecl* variable) const {
  const clang::Stmt* scope = scopeOf(variable);
  for (const auto& [other, local] : uniformity_.variables()) {
    if (other == variable || other->getDeclName() != variable->getDeclName())
      continue;
    const clang::Stmt* otherScope = scopeOf(other);
    const bool inside = isWithin(otherScope, scope), outside = isWithin(scope, otherScope);
    std::set<const clang::VarDecl*> seen;
    if ((inside && outside) || (inside && dependsOn(otherScope, variable, seen)) ||
        (outside && dependsOn(scope, other, seen)))
      return true;
  }
  return false;
}

void RegionBuilder::collectUses(const std::vector<RegionNode>& nodes,
                                std::map<const clang::VarDecl*, Place>& places, unsigned section,
                                unsigned& sections) {
  for (const RegionNode& node : nodes) {
    for (const clang::VarDecl* variable : node.uses) {
      places[variable].regions.insert(&node);
      places[variable].sections.insert(section);
    }
    if (node.kind == Kind::Region) {
      for (const clang::Stmt* s : node.statements)
        for (const clang::VarDecl* variable : Contents(s).declares) {
          places[variable].declaredIn = &node;
          places[variable].declaredSection = section;
          places[variable].sections.insert(section);
        }
      // Behind the last region of a kernel nobody asks who has returned in it.
      const bool last = kernel_.kernel && &nodes == &out_->nodes && &node == &nodes.back();
      if (node.returns && !last)
        out_->returns = true;
    }
    const unsigned inner = node.kind == Kind::Warps ? ++sections : section;
    collectUses(node.children, places, inner, sections);
    collectUses(node.otherwise, places, inner, sections);
  }
}

bool RegionBuilder::isRecomputable(const clang::VarDecl* variable,
                                   const std::set<const clang::VarDecl*>& candidates) const {
  const LocalVariable* local = uniformity_.find(variable);
  if (!local || !local->statement || local->modified || !variable->hasInit() ||
      forced_.count(variable) || variable->getType()->isReferenceType() ||
      variable->getType()->isArrayType())
    return false;
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(variable->getInit()->IgnoreImplicit()))
    return isRecomputableLambda(lambda, candidates);
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(variable->getInit()->IgnoreImplicit());
  const bool ofValues = made && variable->getType().isConstQualified() &&
                        isOfValues(variable->getType()) && isPureExpression(made, facts_);
  if (variable->getType()->isRecordType() && !ofValues && !isGroupFactory(variable->getInit()))
    return false;
  if (isNameHidden(variable))
    return false;
  if (ofValues)
    return std::all_of(made->arg_begin(), made->arg_end(), [&](const clang::Expr* argument) {
      return isRepeatable(argument, local->statement, candidates);
    });
  return isRepeatable(variable->getInit(), local->statement, candidates);
}

bool RegionBuilder::isRepeatable(const clang::Expr* e, const clang::Stmt* statement,
                                 const std::set<const clang::VarDecl*>& candidates) const {
  if (readsMemory(e) && !isGroupFactory(e))
    return false;
  const Contents contents(e);
  for (const clang::VarDecl* used : contents.uses)
    if (isNameHidden(used))
      return false;
  // More work than this is better kept than repeated.
  if (contents.nodes > 40)
    return false;
  for (const clang::VarDecl* used : contents.uses) {
    const LocalVariable* other = uniformity_.find(used);
    if (!other || candidates.count(used) || constants_.count(used))
      continue;
    if (isFixedParameter(used))
      continue;
    // A block variable that does not change while this one lives.
    if (isBlockVariable(used) && (!other->modified || changesOnlyInHeaderAround(*other, statement)))
      continue;
    return false;
  }
  return true;
}

std::vector<const clang::Stmt*>
RegionBuilder::restatements(const clang::VarDecl* variable, const Place& place,
                            const std::set<const clang::VarDecl*>& candidates) const {
  const LocalVariable* local = uniformity_.find(variable);
  const clang::QualType type = variable->getType();
  if (!local || !local->statement || !local->modified || local->escapes ||
      forced_.count(variable) || !type->isScalarType() || type->isDependentType() ||
      type.isVolatileQualified() || type->isReferenceType() || isNameShared(variable))
    return {};
  std::vector<const clang::Stmt*> out;
  unsigned assignments = 0;
  for (const clang::Stmt* s : body_->body()) {
    if (s == local->statement) {
      if (variable->hasInit() && !isRepeatable(variable->getInit(), s, candidates))
        return {};
      out.push_back(s);
      continue;
    }
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    const auto* op = e ? llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParens()) : nullptr;
    if (!op || std::find(local->assignments.begin(), local->assignments.end(), op) ==
                   local->assignments.end())
      continue;
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParens());
    if (op->getOpcode() != clang::BO_Assign || !use || use->getDecl() != variable ||
        op->getBeginLoc().isMacroID() || op->getEndLoc().isMacroID() ||
        !isRepeatable(op->getRHS(), s, candidates))
      return {};
    ++assignments;
    out.push_back(s);
  }
  if (out.empty() || out.front() != local->statement || assignments != local->assignments.size())
    return {};
  for (const RegionNode* node : place.regions)
    if (node->kind != Kind::Region)
      return {};
  for (const clang::Stmt* s : out)
    for (const clang::VarDecl* used : Contents(s).uses)
      if (!isKnownIn(used, place.sections))
        return {};
  return out;
}

bool RegionBuilder::isKnownIn(const clang::VarDecl* used,
                              const std::set<unsigned>& sections) const {
  const auto home = homes_.find(used);
  return !isBlockVariable(used) || home == homes_.end() || home->second.count(0) ||
         home->second == sections;
}

std::map<const clang::VarDecl*, std::set<unsigned>>
RegionBuilder::sectionsOf(const std::set<const clang::VarDecl*>& recomputed,
                          const std::map<const clang::VarDecl*, Place>& places) const {
  std::map<const clang::VarDecl*, std::set<unsigned>> out;
  for (const clang::VarDecl* variable : recomputed)
    if (const auto place = places.find(variable); place != places.end())
      out[variable] = place->second.sections;
  for (bool changed = true; changed;) {
    changed = false;
    for (const clang::VarDecl* variable : recomputed)
      for (const clang::VarDecl* used : Contents(variable->getInit()).uses)
        for (const unsigned section : out[variable])
          changed |= recomputed.count(used) && out[used].insert(section).second;
  }
  return out;
}

bool RegionBuilder::isRecomputableLambda(const clang::LambdaExpr* lambda,
                                         const std::set<const clang::VarDecl*>& candidates) const {
  for (const clang::LambdaCapture& capture : lambda->captures()) {
    if (!capture.capturesVariable() || lambda->isInitCapture(&capture))
      return false;
    const auto* used = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
    const LocalVariable* other = used ? uniformity_.find(used) : nullptr;
    if (other && capture.getCaptureKind() == clang::LCK_ByCopy && other->modified)
      return false;
    if (used && isNameShared(used))
      return false;
  }
  (void)candidates;
  return true;
}

bool RegionBuilder::isGroupFactory(const clang::Expr* e) {
  e = e->IgnoreImplicit();
  while (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
    if (construct->getNumArgs() != 1)
      return false;
    e = construct->getArg(0)->IgnoreImplicit();
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(e);
  if (!call)
    return false;
  const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
  const clang::FunctionDecl* function = call->getDirectCallee();
  if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(callee); overloads && !function)
    for (const clang::NamedDecl* candidate : overloads->decls())
      if (const auto* pattern =
              llvm::dyn_cast<clang::FunctionTemplateDecl>(candidate->getUnderlyingDecl()))
        function = pattern->getTemplatedDecl();
  return function && hasMark(function, "pure");
}

bool RegionBuilder::changesOnlyInHeaderAround(const LocalVariable& loopVariable,
                                              const clang::Stmt* declaration) const {
  const clang::ForStmt* loop = nullptr;
  for (const clang::Stmt* at = uniformity_.parents().getParent(declaration); at;
       at = uniformity_.parents().getParent(at))
    if (const auto* candidate = llvm::dyn_cast<clang::ForStmt>(at))
      if (candidate->getInit() == loopVariable.statement || !loop)
        loop = candidate->getInit() == loopVariable.statement ? candidate : loop;
  if (!loop || loop->getInit() != loopVariable.statement || !loopVariable.statement)
    return false;
  return std::all_of(loopVariable.assignments.begin(), loopVariable.assignments.end(),
                     [&](const clang::Expr* a) {
                       for (const clang::Stmt* at = a; at; at = uniformity_.parents().getParent(at))
                         if (at == loop->getInc())
                           return true;
                       return false;
                     });
}

namespace {

/// Whether the size of an array, which a template parameter decides, is written with comparisons:
/// `T[n > 4 ? 4 : n]` is no template argument that all compilers take.
bool comparesInSize(clang::QualType type) {
  class Size : public SyntaxVisitor {
  public:
    bool compares = false;
    bool VisitConditionalOperator(clang::ConditionalOperator*) override {
      return !(compares = true);
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      compares |= op->isComparisonOp() || op->isShiftOp() || op->isLogicalOp();
      return !compares;
    }
  } size;
  while (const clang::ArrayType* array = type->getAsArrayTypeUnsafe()) {
    if (const auto* dependent = llvm::dyn_cast<clang::DependentSizedArrayType>(array))
      size.TraverseStmt(dependent->getSizeExpr());
    type = array->getElementType();
  }
  return size.compares;
}

} // namespace

bool RegionBuilder::checkPerThread(const clang::VarDecl* variable, Storage storage,
                                   const Place& place) {
  const clang::QualType type = variable->getType();
  const std::string name = "'" + variable->getNameAsString() + "'";
  if (const auto* object = llvm::dyn_cast<clang::DecompositionDecl>(variable))
    return fail("'" + object->bindings().front()->getNameAsString() +
                    "' is a structured binding that is alive across a barrier",
                variable->getLocation());
  const LocalVariable* local = uniformity_.find(variable);
  if (local->statement && local->statement->getBeginLoc().isMacroID())
    return fail(name + ", which is alive across a barrier, is declared by a macro",
                variable->getLocation());
  if (type->isIncompleteArrayType() && variable->hasInit())
    return fail("array " + name + ", whose initialiser gives its size, is alive across a barrier",
                variable->getLocation());
  if (comparesInSize(type))
    return fail("the size of array " + name + ", which is alive across a barrier, compares values",
                variable->getLocation());
  // `auto` in a template: what gives the first values gives the type.
  if (isDeducedFromInit(variable) && local->statement && local->statement->isSingleDecl() &&
      (storage == Storage::PerLane || place.declaredSection == 0)) {
    if (alone_.insert(local->statement).second)
      grown_ = true;
    return true;
  }
  if (type->isUndeducedAutoType() || type->isVariablyModifiedType())
    return fail("the type of " + name + " cannot be named", variable->getLocation());
  const clang::Type* base = type->getBaseElementTypeUnsafe();
  if (const clang::CXXRecordDecl* record = base->getAsCXXRecordDecl()) {
    if (record->isLambda() || !(record->getIdentifier() || record->getTypedefNameForAnonDecl()))
      return fail("the type of " + name + " cannot be named", variable->getLocation());
    if (record->hasDefinition() && !record->isDependentContext() &&
        (!record->hasTrivialDestructor() ||
         !(record->hasTrivialCopyConstructor() || record->hasTrivialMoveConstructor())))
      return fail(name + ", an object of class " + record->getNameAsString() +
                      ", is alive across a barrier",
                  variable->getLocation());
  }
  return true;
}

bool RegionBuilder::isCopyable(const clang::VarDecl* variable) const {
  const Storage storage = out_->storage.at(variable);
  const clang::QualType type = variable->getType();
  const LocalVariable* local = uniformity_.find(variable);
  return (storage == Storage::PerLane || storage == Storage::PerThread) && local->scalar &&
         !(type->isDependentType() && type->getContainedAutoType()) && !forced_.count(variable) &&
         !local->escapes && !type.isVolatileQualified() && !type.isConstQualified();
}

void RegionBuilder::assignStorage() {
  out_->storage.clear();
  out_->copied.clear();
  out_->scalars.clear();
  out_->statements.clear();
  out_->restated.clear();
  out_->constants = constants_;
  out_->returns = false;
  std::map<const clang::VarDecl*, Place> places;
  unsigned sections = 0;
  const bool warpFunction = !kernel_.kernel && out_->scope == Scope::Warp;
  collectUses(out_->nodes, places, warpFunction ? 1 : 0, sections);

  // Uniform values that cross are better one variable of the group than many of the threads.
  for (const auto& [variable, place] : places) {
    const LocalVariable* local = uniformity_.find(variable);
    if (local && !constants_.count(variable) && crosses(place) &&
        (local->statement || local->modified) &&
        offer(variable, place.sections.size() == 1 && !place.sections.count(0)))
      grown_ = true;
  }
  if (grown_)
    return;

  std::set<const clang::DeclStmt*> crossing;
  std::vector<const clang::VarDecl*> parameters;
  for (const auto& [variable, place] : places) {
    const LocalVariable* local = uniformity_.find(variable);
    if (!local || isBlockVariable(variable) || constants_.count(variable))
      continue;
    if (!local->statement) {
      if (variable->getDeclContext() == kernel_.decl &&
          (local->modified || !isFixedParameter(variable)))
        parameters.push_back(variable);
    } else if (crosses(place) || forced_.count(variable)) {
      crossing.insert(local->statement);
    }
  }
  // A pointer to a variable may live longer than the region that declares it: the variable keeps
  // its place, unless it ends with the region.
  for (const auto& [variable, local] : uniformity_.variables())
    if (local.pointed && local.statement && isDirectChild(local.statement, out_->nodes) &&
        !endsWithRegion(variable, places[variable]))
      crossing.insert(local.statement);
  // What a recomputed declaration names must be there wherever it is repeated.
  for (bool changed = true; changed;) {
    changed = false;
    for (const clang::DeclStmt* statement : std::set<const clang::DeclStmt*>(crossing))
      for (const clang::Decl* decl : statement->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
            variable && variable->hasInit()) {
          const Contents init(variable->getInit(), &callStatements_);
          for (const clang::VarDecl* used : init.uses) {
            const LocalVariable* local = uniformity_.find(used);
            if (local && local->statement && !isScalar(used) && !init.declares.count(used))
              changed |= crossing.insert(local->statement).second;
          }
        }
  }
  // What few threads read at a region's end crosses into a loop of its own. (Blocks that share
  // nothing may run as one, where there is none.)
  std::set<const clang::VarDecl*> atEnds;
  if (kernel_.kernel && !out_->lanes && out_->scope == Scope::Block && !kernel_.shared.empty())
    atEnds = readAtEnds(out_->nodes, uniformity_, unit_.context());
  for (const clang::VarDecl* variable : atEnds)
    if (!isBlockVariable(variable) && !constants_.count(variable))
      crossing.insert(uniformity_.find(variable)->statement);
  std::set<const clang::VarDecl*> recomputed;
  for (const clang::DeclStmt* statement : crossing)
    for (const clang::Decl* decl : statement->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
        recomputed.insert(variable);
  for (bool changed = true; changed;) {
    changed = false;
    for (const clang::DeclStmt* statement : crossing) {
      bool all = holds(statement) == Scope::None, any = false;
      for (const clang::Decl* decl : statement->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
          any |= recomputed.count(variable) != 0;
          all &= recomputed.count(variable) && isRecomputable(variable, recomputed);
        }
      if (any && !all) {
        for (const clang::Decl* decl : statement->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
            recomputed.erase(variable);
        changed = true;
      }
    }
  }
  // What a warp knows can only be named in its loop: elsewhere each thread computes it again.
  for (const auto& [variable, sections] : sectionsOf(recomputed, places))
    for (const clang::VarDecl* used : Contents(variable->getInit()).uses)
      if (!isKnownIn(used, sections)) {
        if (required_.count(used)) {
          forced_.insert(variable);
        } else {
          refuse(used);
        }
        grown_ = true;
      }
  if (grown_)
    return;
  // Places in rows that one region alone names may be asked for in front of it, too.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [variable, local] : uniformity_.variables())
      if (local.statement && local.statement->isSingleDecl() && !crossing.count(local.statement) &&
          variable->getType()->isIntegerType() && holds(local.statement) == Scope::None &&
          isDirectChild(local.statement, out_->nodes) && isRecomputable(variable, recomputed)) {
        crossing.insert(local.statement);
        recomputed.insert(variable);
        changed = true;
      }
  }
  for (const clang::DeclStmt* statement : crossing) {
    // The variables of one statement live in one place.
    std::set<unsigned> all;
    for (const clang::Decl* decl : statement->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
        all.insert(places[variable].sections.begin(), places[variable].sections.end());
    const bool ofWarp = all.size() == 1 && !all.count(0);
    for (const clang::Decl* decl : statement->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
        out_->statements[variable] = statement;
        if (isBlockVariable(variable) || constants_.count(variable))
          continue;
        if (stridedVariables_.count(variable)) {
          out_->storage[variable] = Storage::Strided;
          continue;
        }
        // Its names are no variables that another declaration could stand for.
        const bool bound = llvm::isa<clang::DecompositionDecl>(variable);
        const bool fresh = !recomputed.count(variable) && !atEnds.count(variable) && !bound &&
                           isFresh(variable, places[variable]);
        if (!recomputed.count(variable) && !fresh && !bound && statement->isSingleDecl())
          if (std::vector<const clang::Stmt*> all =
                  restatements(variable, places[variable], recomputed);
              !all.empty()) {
            out_->storage[variable] = Storage::Restated;
            out_->restated[variable] = std::move(all);
            continue;
          }
        out_->storage[variable] = recomputed.count(variable) ? Storage::Recomputed
                                  : fresh                    ? Storage::Fresh
                                  : ofWarp                   ? Storage::PerLane
                                                             : Storage::PerThread;
        if (isCopyable(variable))
          out_->copied.insert(variable);
        if (!recomputed.count(variable) && !fresh &&
            !checkPerThread(variable, out_->storage[variable], places[variable]))
          return;
      }
  }
  for (const clang::VarDecl* parameter : parameters) {
    out_->statements[parameter] = nullptr;
    out_->storage[parameter] = warpFunction ? Storage::PerLane : Storage::PerThread;
    if (isCopyable(parameter) && (kernel_.kernel || uniformity_.find(parameter)->modified))
      out_->copied.insert(parameter);
    if (!checkPerThread(parameter, out_->storage[parameter], places[parameter]))
      return;
  }
  for (const auto& [variable, storage] : out_->storage)
    if ((storage == Storage::PerLane || storage == Storage::PerThread) &&
        uniformity_.find(variable)->scalar)
      out_->scalars.insert(variable);
  for (const clang::VarDecl* variable : block_)
    out_->storage[variable] = Storage::Block;
  markCounters(out_->nodes);
  loadOnce(out_->nodes, warpFunction ? Scope::Warp : Scope::Block);
  if (kernel_.kernel)
    out_->turns = loopInTurns(body_, uniformity_);
}

void RegionBuilder::loadOnce(std::vector<RegionNode>& nodes, Scope level) {
  for (RegionNode& node : nodes) {
    // Of a warp whose lanes return one by one, none may be left.
    if (node.kind == Kind::Region && !(level == Scope::Warp && out_->returns) &&
        !node.statements.empty() &&
        std::none_of(node.statements.begin(), node.statements.end(), [&](const clang::Stmt* s) {
          return out_->printed.count(s) != 0 || holds(s) != Scope::None;
        }))
      node.uniformLoads = findUniformLoads(
          node.statements, [&](const clang::Expr* e) { return isScalarExpression(e, level); });
    if (node.kind == Kind::Loop && node.rising && level == Scope::Warp && !out_->returns)
      node.uniformLoads =
          findLoadsOfHead(conditionOf(node.statement), bodyOf(node.statement),
                          [&](const clang::Expr* e) { return isScalarExpression(e, level); });
    if (node.kind == Kind::Loop && node.strided && level == Scope::Block)
      continue; // nobody is left in the last step
    const Scope inner = node.kind == Kind::Warps ? Scope::Warp : level;
    loadOnce(node.children, inner);
    loadOnce(node.otherwise, inner);
  }
}

bool RegionBuilder::isFresh(const clang::VarDecl* variable, const Place& place) const {
  const LocalVariable* local = uniformity_.find(variable);
  const clang::QualType type = variable->getType();
  if (forced_.count(variable) || type.isVolatileQualified() || type.isConstQualified() ||
      !(type->isArrayType() ? isReadByElement(variable)
                            : !local->escapes && type->isScalarType() && !type->isDependentType()))
    return false;
  for (const RegionNode* node : place.regions) {
    AssignedFirst visitor(variable);
    bool assigned = false;
    if (node->kind != Kind::Region)
      return false;
    for (const clang::Stmt* s : node->statements)
      assigned = visitor.run(s, assigned);
    if (visitor.readsFirst)
      return false;
  }
  return true;
}

bool RegionBuilder::isReadByElement(const clang::VarDecl* array) const {
  const clang::ArrayType* type = array->getType()->getAsArrayTypeUnsafe();
  if (!type->getElementType()->isArithmeticType() || type->getElementType().isVolatileQualified())
    return false;
  class Uses : public SyntaxVisitor {
  public:
    const clang::VarDecl* array = nullptr;
    const clang::ParentMap* parents = nullptr;
    bool byElement = true;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      if (use->getDecl() != array)
        return true;
      if (!use->refersToEnclosingVariableOrCapture() && copiedVectorAround(use, *parents))
        return true;
      const clang::Stmt* at = parents->getParentIgnoreParenImpCasts(use);
      const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(at);
      if (use->refersToEnclosingVariableOrCapture() || !element ||
          element->getBase()->IgnoreParenImpCasts() != use)
        return byElement = false;
      const clang::Stmt* direct = parents->getParent(element);
      while (direct && llvm::isa<clang::ParenExpr>(direct))
        direct = parents->getParent(direct);
      const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(direct);
      const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(direct);
      const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(direct);
      // Where the size depends on a template, what reads an element has no cast yet.
      return byElement = (cast && cast->getCastKind() == clang::CK_LValueToRValue) ||
                         (op && (op->isAssignmentOp() || op->isAdditiveOp() ||
                                 op->isMultiplicativeOp() || op->isComparisonOp())) ||
                         (step && step->isIncrementDecrementOp());
    }
  } uses;
  uses.array = array;
  uses.parents = &uniformity_.parents();
  uses.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
  return uses.byElement;
}

bool RegionBuilder::endsWithRegion(const clang::VarDecl* variable, const Place& place) const {
  const auto* scope = llvm::dyn_cast<clang::CompoundStmt>(scopeOf(variable));
  return scope && !scope->body_empty() && place.declaredIn &&
         !place.declaredIn->statements.empty() &&
         place.declaredIn->statements.back() == scope->body_back();
}

bool RegionBuilder::isDirectChild(const clang::DeclStmt* statement,
                                  const std::vector<RegionNode>& nodes) {
  for (const RegionNode& node : nodes)
    if ((node.kind == Kind::Region && std::find(node.statements.begin(), node.statements.end(),
                                                statement) != node.statements.end()) ||
        isDirectChild(statement, node.children) || isDirectChild(statement, node.otherwise))
      return true;
  return false;
}

bool RegionBuilder::crosses(const Place& place) {
  for (const RegionNode* region : place.regions)
    if (region != place.declaredIn)
      return true;
  return false;
}

} // namespace cu2cpp
