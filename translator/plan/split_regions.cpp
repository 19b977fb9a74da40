// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions as loops over the threads of the group, with bounds in place of guards where a guard only
// compares the thread's index.
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/instance_calls.h"
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
    if (plan_.text.text(range).find('\n') != std::string::npos ||
        (behindComment(range) == range.end && !restOfLineIsBlank(range)))
      return false;
  }
  for (const clang::DeclStmt* moved : region.movedHere)
    insert(position(rangeOf(region.statements.front())), movedText(moved) + "\n");
  for (const clang::Stmt* s : region.statements)
    edits_.replace(rangeOf(s), "// " + plan_.text.text(rangeOf(s)) + " (in each region)");
  return true;
}

namespace {

/// What must hold for any of a statement to run: the parts of the conditions of nested ifs.
class Guards {
public:
  explicit Guards(const clang::Stmt* s) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    while (branch && !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
           !branch->isConstexpr() && !branch->getBeginLoc().isMacroID()) {
      add(branch->getCond());
      const clang::Stmt* then = branch->getThen();
      if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then))
        then = list->size() == 1 ? list->body_front() : nullptr;
      branch = llvm::dyn_cast_or_null<clang::IfStmt>(then);
    }
  }
  /// In the order in which they are asked, up to the first that does more than to ask.
  std::vector<const clang::BinaryOperator*> comparisons;

private:
  void add(const clang::Expr* condition) {
    condition = condition->IgnoreParenImpCasts();
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (op && op->getOpcode() == clang::BO_LAnd) {
      add(op->getLHS());
      add(op->getRHS());
      return;
    }
    if (op && pure_)
      comparisons.push_back(op);
    Effects effects;
    effects.TraverseStmt(const_cast<clang::Expr*>(condition));
    pure_ &= !effects.found;
  }
  class Effects : public clang::RecursiveASTVisitor<Effects> {
  public:
    bool found = false;
    bool VisitCallExpr(clang::CallExpr*) { return !(found = true); }
    bool VisitCXXConstructExpr(clang::CXXConstructExpr*) { return !(found = true); }
    bool VisitUnaryOperator(clang::UnaryOperator* op) {
      return !(found |= op->isIncrementDecrementOp());
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) { return !(found |= op->isAssignmentOp()); }
  };
  bool pure_ = true;
};

} // namespace

std::vector<const clang::BinaryOperator*> Splitter::guardsOf(const clang::Stmt* s) {
  return Guards(s).comparisons;
}

Splitter::ThreadBound
Splitter::threadBound(const std::vector<const clang::Stmt*>& statements) const {
  if (statements.size() != 1)
    return {};
  ThreadBound out;
  for (const clang::BinaryOperator* compare : guardsOf(statements[0])) {
    // `tid % (2 * s) == 0`
    const auto* rest =
        llvm::dyn_cast<clang::BinaryOperator>(compare->getLHS()->IgnoreParenImpCasts());
    clang::Expr::EvalResult none;
    if (rest && rest->getOpcode() == clang::BO_Rem && compare->getOpcode() == clang::BO_EQ &&
        level_ == Scope::Block && out.text.empty() && isThreadIndex(rest->getLHS()) &&
        isGroupValue(rest->getRHS()) && plan_.text.isWhole(rest->getRHS()) &&
        !compare->getRHS()->isValueDependent() &&
        compare->getRHS()->EvaluateAsInt(none, plan_.unit.context()) && none.Val.getInt() == 0) {
      out = {"Every", expressionText(rest->getRHS())};
      continue;
    }
    const clang::QualType type = compare->getLHS()->getType();
    const bool row = level_ == Scope::Block && compare->getOpcode() == clang::BO_EQ &&
                     isThreadIndex(compare->getLHS(), "y");
    if (!(row                      ? true
          : level_ == Scope::Block ? isThreadIndex(compare->getLHS())
                                   : isLane(compare->getLHS())) ||
        !isGroupValue(compare->getRHS()) || !plan_.text.isWhole(compare->getRHS()) ||
        !type->isIntegerType() || type->isDependentType())
      continue;
    const std::string bound = expressionText(compare->getRHS());
    const std::string asUnsigned = "static_cast<unsigned>(" + bound + ")";
    const std::string compared = type->isUnsignedIntegerType() ? asUnsigned : bound;
    if (row && std::string(out.kind) != "At")
      out = {"InRow", isLiteral(compare->getRHS()) ? bound : compared};
    else if (compare->getOpcode() == clang::BO_EQ)
      return level_ == Scope::Block
                 ? ThreadBound{"At", isLiteral(compare->getRHS()) ? bound : compared}
                 : ThreadBound{"Below", "1ll + (" + compared + ")"};
    if (!out.text.empty())
      continue;
    if (compare->getOpcode() == clang::BO_LT) {
      clang::Expr::EvalResult bound;
      const bool few = compare->getRHS()->isValueDependent() ||
                       (compare->getRHS()->EvaluateAsInt(bound, plan_.unit.context()) &&
                        bound.Val.getInt() <= 8);
      out = {"Below", compared, few};
    }
    if (compare->getOpcode() == clang::BO_LE)
      out = {"Below", "1ll + (" + compared + ")"};
  }
  return out;
}

bool Splitter::isLiteral(const clang::Expr* e) {
  return llvm::isa<clang::IntegerLiteral>(e->IgnoreParenImpCasts());
}

bool Splitter::standsAlone(const clang::Stmt* s, const RegionNode& region) const {
  // What it names must be there without the region's other statements.
  RegionText text;
  text.add(s);
  if (!text.returns.empty() || !text.jumps.empty() || !callsIn(s).empty())
    return false;
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

std::size_t Splitter::placeToDivide(const RegionNode& region) const {
  if (level_ != Scope::Block || !rising_.empty() || publish_ || region.oneByOne ||
      ofSeveralBlocks() || region.returns || region.statements.size() < 2)
    return 0;
  const auto isOfOne = [&](const clang::Stmt* s) {
    const ThreadBound bound = threadBound({s});
    const std::string kind = bound.kind;
    return (kind == "At" || kind == "InRow" || bound.few) && !regions_.printed.count(s) &&
           standsAlone(s, region);
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

bool Splitter::isLane(const clang::Expr* e) const {
  e = e->IgnoreParenImpCasts();
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return variable && isStored(variable, Storage::Recomputed) && variable->hasInit() &&
           isLane(variable->getInit());
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op || !(isThreadIndex(op->getLHS()) || isRankInBlock(op->getLHS())))
    return false;
  const clang::Expr* right = op->getRHS()->IgnoreParenImpCasts();
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(right);
  const bool isWarpSize = named && named->getDecl()->getNameAsString() == "warpSize";
  clang::Expr::EvalResult result;
  const bool known =
      !right->isValueDependent() && right->EvaluateAsInt(result, plan_.unit.context());
  return (op->getOpcode() == clang::BO_And && known && result.Val.getInt() == 31) ||
         (op->getOpcode() == clang::BO_Rem && (isWarpSize || (known && result.Val.getInt() == 32)));
}

bool Splitter::isThreadIndex(const clang::Expr* e, llvm::StringRef part) const {
  e = e->IgnoreParenImpCasts();
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isThreadIndex(pseudo->getResultExpr(), part);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return use && builtinOf(use->getDecl()) == ThreadIdx &&
           member->getMemberDecl()->getName() == part;
  }
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  // A byte does not hold a thread's place.
  return variable && isStored(variable, Storage::Recomputed) && variable->hasInit() &&
         variable->getType()->isIntegerType() && !variable->getType()->isDependentType() &&
         plan_.unit.context().getTypeSize(variable->getType()) >= 16 &&
         isThreadIndex(variable->getInit(), part);
}

bool Splitter::isNeverZero(const clang::Expr* e) const {
  e = e->IgnoreParenImpCasts();
  clang::Expr::EvalResult value;
  if (e->isValueDependent())
    return true; // compilers see a constant, and warn of 0
  if (e->EvaluateAsInt(value, plan_.unit.context()))
    return value.Val.getInt() != 0;
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
    return isNeverZero(pseudo->getResultExpr());
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return op->getOpcode() == clang::BO_Mul && isNeverZero(op->getLHS()) &&
           isNeverZero(op->getRHS());
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
  const auto* use =
      llvm::dyn_cast<clang::DeclRefExpr>(member ? member->getBase()->IgnoreParenImpCasts() : e);
  return use && (builtinOf(use->getDecl()) == BlockDim || builtinOf(use->getDecl()) == GridDim ||
                 use->getDecl()->getNameAsString() == "warpSize");
}

bool Splitter::isGroupValue(const clang::Expr* e, bool repeated) const {
  class Names : public clang::RecursiveASTVisitor<Names> {
  public:
    const Splitter* splitter = nullptr;
    bool repeated = false, good = true;
    // What the elements of a row have alike.
    bool TraverseStmt(clang::Stmt* s) {
      const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(s);
      return (repeated && op && splitter->elements_ && splitter->elements_->quotients.count(op)) ||
             RecursiveASTVisitor::TraverseStmt(s);
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable || builtinOf(variable) == ThreadIdx || isShared(variable))
        return good = good && !variable && !llvm::isa<clang::FunctionDecl>(use->getDecl());
      if (splitter->elements_ && variable == splitter->elements_->row)
        return good = good && repeated && splitter->elements_->columns;
      if (repeated && splitter->isElementPlace(variable))
        return good = good && splitter->isGroupValue(variable->getInit(), true);
      if (repeated && splitter->isStored(variable, Storage::Recomputed))
        return good =
                   good && variable->hasInit() && splitter->isGroupValue(variable->getInit(), true);
      if (builtinOf(variable) || isNamedConstant(variable) ||
          splitter->isStored(variable, Storage::Block) ||
          splitter->regions_.constants.count(variable))
        return true;
      const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
      return good = good && parameter && splitter->kernel_.kernel &&
                    !splitter->regions_.modifiedParameters.count(parameter);
    }
    bool VisitCallExpr(clang::CallExpr*) { return good = false; }
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) { return good = false; }
    bool VisitCXXConstructExpr(clang::CXXConstructExpr*) { return good = good && !repeated; }
    bool VisitUnaryOperator(clang::UnaryOperator* op) {
      // What is declared again has a place of its own each time.
      return good = good && op->getOpcode() != clang::UO_Deref &&
                    !(repeated && op->getOpcode() == clang::UO_AddrOf) &&
                    !op->isIncrementDecrementOp();
    }
    bool VisitMemberExpr(clang::MemberExpr* member) { return good = good && !member->isArrow(); }
    bool VisitBinaryOperator(clang::BinaryOperator* op) {
      // Bounds are computed before what guards a division: `n != 0 && threadIdx.x < m / n`.
      const bool divides = op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem;
      return good = good && !op->isAssignmentOp() &&
                    !(divides && !splitter->isNeverZero(op->getRHS()));
    }
  } names;
  names.splitter = this;
  names.repeated = repeated;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.good;
}

bool Splitter::callsLibrary(const std::vector<const clang::Stmt*>& statements) const {
  class Calls : public clang::RecursiveASTVisitor<Calls> {
  public:
    explicit Calls(const FunctionFacts& function) : function_(function) {}
    bool found = false;
    bool VisitCallExpr(clang::CallExpr* call) {
      for (const clang::FunctionDecl* callee : calleesOf(call, function_))
        visit(callee);
      return !found;
    }

  private:
    void visit(const clang::FunctionDecl* callee) {
      if (!callee->getIdentifier() || !seen_.insert(callee->getCanonicalDecl()).second)
        return;
      llvm::StringRef name = callee->getName();
      name.consume_front("__");
      for (const char* known : {"exp", "log", "pow", "sin", "cos", "tan", "asin", "acos", "atan",
                                "erf", "cbrt", "tgamma", "lgamma", "normcdf", "hypot"})
        found |= name.starts_with(known);
      const clang::FunctionDecl* definition = nullptr;
      if (!found && callee->hasBody(definition))
        TraverseStmt(definition->getBody());
    }
    const FunctionFacts& function_;
    std::set<const clang::FunctionDecl*> seen_;
  } calls(kernel_);
  for (const clang::Stmt* s : statements)
    calls.TraverseStmt(const_cast<clang::Stmt*>(s));
  return calls.found;
}

std::set<const clang::VarDecl*> Splitter::copiedIn(const RegionNode& region) const {
  if (level_ != Scope::Warp || publish_ || region.oneByOne || fromMemory_)
    return {};
  std::set<const clang::VarDecl*> out;
  ChangedInPart changed;
  for (const clang::Stmt* s : region.statements)
    changed.TraverseStmt(const_cast<clang::Stmt*>(s));
  for (const clang::VarDecl* variable : regions_.copied)
    if ((!loops_.empty() && isStored(variable, Storage::PerLane)) ||
        changed.variables.count(variable))
      out.insert(variable);
  return out;
}

void Splitter::emitRegion(const RegionNode& region, bool inBraces) {
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
  const bool allThreads = rising_.empty() && !publish_ && !region.oneByOne;
  ThreadBound bound = allThreads && !ofSeveralBlocks() && !region.returns
                          ? threadBound(region.statements)
                          : ThreadBound{};
  const std::vector<DeferredUpdate> deferred =
      bound.text.empty() ? deferredUpdates(region) : std::vector<DeferredUpdate>();
  const char* insideKind = "";
  std::string inside, bits;
  // A loop over the threads of one block: those of several blocks are in no runBlock().
  const bool overBlock = level_ == Scope::Block && inRunBlock() && allThreads && deferred.empty();
  const std::string newline =
      "\n    " + plan_.text.indentation(position(rangeOf(region.statements.front())));
  if (elements_ || overBlock) {
    if (!elements_ && !region.returns &&
        (bound.text.empty() || llvm::StringRef(bound.kind) == "Below"))
      inside = boxText(region, newline);
    if (!inside.empty()) {
      bound = {};
      insideKind = "InBox";
    } else if (elements_ || bound.text.empty()) {
      inside = insideText(region, text, newline, insideKind);
    }
  }
  const llvm::StringRef insideOf = insideKind;
  const bool hasConditions = !inside.empty() && insideOf != "Apart";
  const std::string sizes =
      insideOf == "Inside" || insideOf == "InBox" ? narrowSizes(region, text) : std::string();
  if (elements_ && inside.empty())
    inside = "cu2cpp::Inside(), ";
  else if (overBlock && bound.text.empty() && inside.empty())
    bits = bitRunsText(region, text, newline);
  std::vector<const clang::VarDecl*> copied;
  std::vector<std::string> lines = bindings(region.statements, text, copiedIn(region), &copied);
  for (const clang::VarDecl* variable : region.fresh) {
    std::string declaration;
    llvm::raw_string_ostream stream(declaration);
    variable->getType().print(stream, policy(), variable->getNameAsString());
    lines.push_back(declaration + ";");
  }
  const bool first = !anyRegion_ && !inLoop_;
  anyRegion_ = true;
  const bool block = level_ == Scope::Block;
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
  bool thread = exits || region.oneByOne || checksExit || results || callResults ||
                !leaving.empty() || needsThread(text, copied);
  for (const clang::Stmt* s : region.statements)
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      thread |= keepsPerThread(declaration) &&
                !std::all_of(declaration->decl_begin(), declaration->decl_end(),
                             [&](const clang::Decl* decl) {
                               return std::find(copied.begin(), copied.end(), decl) != copied.end();
                             });
  if (checksExit)
    lines.insert(lines.begin(), "if (" + active() + ".has(cuThisThread)) return;");
  const bool blockOfThread = regions_.joined && text.namesBlock;
  thread |= blockOfThread;
  if (blockOfThread)
    lines.insert(lines.begin(), "const uint3 blockIdx = cuThisThread.blockIdx;");
  if (thread && text.namesThread)
    lines.insert(lines.begin(), "const uint3 threadIdx = cuThisThread.threadIdx;");

  const FileRange begin = rangeOf(region.statements.front());
  const FileRange end = rangeOf(region.statements.back());
  const std::string indentation = plan_.text.indentation({begin.file, begin.begin});
  std::string opening = first && block ? prefetchesOfNextBlock("\n" + indentation) : std::string();
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
  const bool bounded = !bound.text.empty() && copied.empty();
  const std::string lanes = region.runsPastExits ? loops_.back().entered : active();
  const std::string divisors =
      overBlock && inside.empty() && !bounded && bits.empty() ? divisorsOf(region, text) : "";
  if (constexpr llvm::StringRef plain = "eachThreadRising"; !deferred.empty() && !rising_.empty())
    rising_.insert(rising_.find(plain) + plain.size(), "Then");
  opening +=
      (!rising_.empty()
           ? rising_
           : std::string(block ? "cu2cpp::eachThread" : "cu2cpp::eachLane") +
                 (!inside.empty()     ? std::string(insideKind) + sizes
                  : !deferred.empty() ? "Then"
                  : !bits.empty()     ? "ByBits"
                  : !divisors.empty() ? "ByParts<" + divisors + ">"
                  : bounded           ? bound.kind
                  : !block && !publish_ && !region.oneByOne && callsLibrary(region.statements)
                      ? "InParts"
                      : "") +
                 (region.oneByOne ? block ? "Published" : "OneByOne" : published()) + "(" +
                 group() + (block ? "" : ", " + lanes) + (bounded ? ", " + bound.text : "") +
                 ", ") +
      inside + bits + "[&](" +
      (!bits.empty()   ? "const auto cuBits, "
       : hasConditions ? "const auto cuInside, "
       : elements_     ? "const auto, "
                       : "") +
      (elements_ ? "const auto cuRow, const auto cuColumn"
                 : threadParameter(thread, text.namesThread));
  std::string arguments;
  for (const clang::VarDecl* variable : copied) {
    opening += ", " + typeOf(variable) + "& " + variable->getNameAsString();
    arguments += ", " + perThreadName_.at(variable) +
                 (isStored(variable, Storage::PerThread) ? ".lanes(cuWarp)" : "");
  }
  for (std::size_t i = 0; i < deferred.size(); ++i)
    opening += ", const auto& cuUpdate" + std::to_string(i + 1);
  arguments += emitUpdates(deferred);
  opening += hasConditions || elements_ || !bits.empty() ? ") CU2CPP_INLINE {" : ") {";
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
    if (s == lastReturn_)
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

  std::string closing = "\n" + indentation + "}" + arguments + ");";
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
