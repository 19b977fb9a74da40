// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions that compute where to update shared memory, and do little else. An atomic function keeps
// a loop over threads from being a vector; so threads only note the update, and the updates are
// made behind the loop, one after the other:
//
//   int b = int(x[i] * scale);          cu2cpp::eachThreadThen(cuBlock,
//   if (b < n)                            [&](const uint3 threadIdx, const auto& cuUpdate1) {
//     atomicAdd(&bins[b], 1);       ->    int b = int(x[i] * scale);
//                                         if (b < n)
//                                           cuUpdate1(&bins[b], 1);
//                                       }, cu2cpp::updateOf<int>(bins, [&](...) { ... }));
//
// Where the region is a branch that asks for the thread's place alone, `if (x >= 0 && x < w)`, all
// threads of a row are asked first: mostly those that take it are neighbours, and run without it
// (cu2cpp::onlyWhere). AVX2 has no loads of bytes under a mask.
//
// Threads may make their updates in any order, and each makes its own in its order. What the region
// reads must not be what it updates.
//
// So it is with memory that a parameter points to, where a thread updates it under a condition and
// computes much besides: `if (hash(i) == target) atomicMin(&result->found, i);`. The place is an
// address then (cu2cpp::farUpdateOf), and mostly no thread of a row has one.
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "analyse/rounds.h"
#include "plan/split_inside_conditions.h"

namespace cu2cpp {
namespace {

/// The shared array at which a pointer points, whatever is added to it, or the kernel's parameter
/// from which it comes; null if neither is known.
class Origin {
public:
  explicit Origin(const clang::CompoundStmt* body) {
    changes_.TraverseStmt(const_cast<clang::CompoundStmt*>(body));
  }

  const clang::VarDecl* of(const clang::Expr* e, unsigned depth = 0) const {
    e = e->IgnoreParenCasts();
    if (depth > 8)
      return nullptr;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable || variable->getType()->isReferenceType())
        return nullptr;
      if (isShared(variable))
        return variable;
      if (!variable->getType()->isPointerType() || changes_.variables.count(variable))
        return nullptr;
      if (llvm::isa<clang::ParmVarDecl>(variable))
        return variable;
      return variable->hasLocalStorage() && variable->getInit() ? of(variable->getInit(), depth + 1)
                                                                : nullptr;
    }
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return op->getOpcode() == clang::UO_AddrOf ? of(op->getSubExpr(), depth + 1) : nullptr;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return op->isAdditiveOp() && op->getType()->isPointerType()
                 ? of(op->getLHS()->getType()->isPointerType() ? op->getLHS() : op->getRHS(),
                      depth + 1)
                 : nullptr;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
      return e->getType()->isPointerType() ? nullptr : of(member->getBase(), depth + 1);
    // An element of an array of arrays; pointers in shared memory may point anywhere.
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
      return e->getType()->isPointerType() ? nullptr : of(element->getBase(), depth + 1);
    return nullptr;
  }

private:
  /// The variables that are changed anywhere, or whose address is taken.
  class Changes : public SyntaxVisitor {
  public:
    std::set<const clang::VarDecl*> variables;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      return !op->isAssignmentOp() || add(op->getLHS());
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return !(op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) ||
             add(op->getSubExpr());
    }
    bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
      for (const clang::LambdaCapture& capture : lambda->captures())
        if (capture.capturesVariable())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
            variables.insert(variable);
      return SyntaxVisitor::TraverseLambdaExpr(lambda);
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      // By reference, perhaps.
      for (clang::Expr* argument : call->arguments())
        if (argument->isLValue())
          add(argument);
      return true;
    }

  private:
    bool add(const clang::Expr* target) {
      if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParenImpCasts()))
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
          variables.insert(variable);
      return true;
    }
  } changes_;
};

} // namespace

/// Of memory that a parameter points to.
template <class Update> static bool isFar(const Update& update) { return !isShared(update.array); }

/// What a region does, as far as it matters here.
class UpdatesOfRegion : public SyntaxVisitor {
public:
  UpdatesOfRegion(const Splitter& splitter, const Origin& origin)
      : splitter_(splitter), origin_(origin) {}
  std::vector<Splitter::DeferredUpdate> updates;
  bool fits = true;
  unsigned work = 0; ///< that vectors do

  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return fits = false; }
  bool VisitStmt(clang::Stmt* s) override {
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                  clang::SwitchStmt, clang::GotoStmt, clang::LabelStmt, clang::BreakStmt,
                  clang::ContinueStmt, clang::ReturnStmt, clang::AsmStmt, clang::CXXTryStmt,
                  clang::CXXNewExpr, clang::CXXDeleteExpr, clang::CXXMemberCallExpr,
                  clang::CXXThisExpr, clang::CXXThrowExpr, clang::StmtExpr>(s))
      fits = false;
    return fits;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* e) override {
    return fits = e->getConstructor()->isTrivial();
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    const auto& atomics = splitter_.plan_.facts.sharedAtomics;
    if (name && std::find(atomics.begin(), atomics.end(), name) != atomics.end())
      return fits = add(call, *name);
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee && hasMark(callee, "in_block"))
      return fits = addFar(call);
    work += 2 + workOf(callee);
    const bool inRounds = operationsInRounds(call, splitter_.plan_.facts).has_value();
    mayReadAnything_ |= !inRounds && !(callee && !splitter_.plan_.facts.find(callee) &&
                                       isPureHeaderFunction(callee));
    return fits = callee && (inRounds || std::none_of(call->arg_begin(), call->arg_end(),
                                                      [](const clang::Expr* argument) {
                                                        return argument->getType()->isPointerType();
                                                      }));
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (!variable || builtinOf(variable))
      return true;
    if (variable->getType()->isReferenceType() || variable->getType().isVolatileQualified())
      return fits = false;
    if (!isShared(variable) && !variable->getType()->isPointerType()) {
      mayReadAnything_ |= !variable->hasLocalStorage() && !isNamedConstant(variable) &&
                          !hasMark(variable, "constant");
      return true;
    }
    const clang::VarDecl* from = origin_.of(use);
    if (!from)
      return fits = false;
    ++uses_[memoryOf(from)];
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    // A pointer that was read from memory may point at what is updated; a kernel's parameter
    // cannot.
    if (cast->getCastKind() == clang::CK_LValueToRValue && cast->getType()->isPointerType()) {
      const clang::Expr* from = cast->getSubExpr()->IgnoreParenImpCasts();
      while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(from))
        from = member->isArrow() ? cast : member->getBase()->IgnoreParenImpCasts();
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(from);
      if (!use || (from != cast->getSubExpr()->IgnoreParenImpCasts() &&
                   !llvm::isa<clang::ParmVarDecl>(use->getDecl())))
        return fits = false;
      mayReadAnything_ |= from != cast->getSubExpr()->IgnoreParenImpCasts();
    }
    work += cast->getCastKind() == clang::CK_FloatingToIntegral ? 3 : 0;
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    work += op->getType()->isFloatingType() || op->getLHS()->getType()->isFloatingType() ? 2 : 1;
    return true;
  }

  /// Whether the region names nothing else of what it updates.
  bool standsApart() const {
    std::map<const clang::VarDecl*, unsigned> updated;
    for (const Splitter::DeferredUpdate& update : updates) {
      ++updated[memoryOf(update.array)];
      if (isFar(update) && !standsApartFrom(update.array))
        return false;
    }
    return std::all_of(updated.begin(), updated.end(), [&](const auto& one) {
      const auto used = uses_.find(one.first);
      return used != uses_.end() && used->second == one.second;
    });
  }

private:
  /// What a function of the user's computes, roughly.
  static unsigned workOf(const clang::FunctionDecl* function) {
    class Operations : public SyntaxVisitor {
    public:
      unsigned count = 0;
      bool VisitBinaryOperator(clang::BinaryOperator*) override {
        ++count;
        return true;
      }
    } operations;
    if (const clang::Stmt* body = function ? function->getBody() : nullptr)
      operations.TraverseStmt(const_cast<clang::Stmt*>(body));
    return operations.count;
  }
  bool add(const clang::CallExpr* call, const clang::DeclRefExpr& name) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::VarDecl* array = call->getNumArgs() == 2 ? origin_.of(call->getArg(0)) : nullptr;
    if (!array || !isShared(array) || !callee || callee->getNumParams() != 2 ||
        name.getDecl() != callee || call->getBeginLoc().isMacroID() ||
        call->getEndLoc().isMacroID() || !splitter_.plan_.text.isWhole(call->getArg(0)) ||
        !splitter_.plan_.text.isWhole(call->getArg(1)))
      return false;
    const clang::Stmt* parent = splitter_.parents_->getParent(call);
    const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(parent);
    if (!llvm::isa_and_nonnull<clang::CompoundStmt, clang::ForStmt>(parent) &&
        !(branch && (branch->getThen() == call || branch->getElse() == call)))
      return false;
    updates.push_back({call, array, false});
    return true;
  }
  /// `if (...) atomicMin(&result->found, i);` of what a parameter of the kernel points to.
  bool addFar(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::VarDecl* array = call->getNumArgs() == 2 ? origin_.of(call->getArg(0)) : nullptr;
    if (!llvm::isa_and_nonnull<clang::ParmVarDecl>(array) || callee->getNumParams() != 2 ||
        !llvm::isa<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts()) ||
        call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID() ||
        !splitter_.plan_.text.isWhole(call->getArg(0)) ||
        !splitter_.plan_.text.isWhole(call->getArg(1)))
      return false;
    const clang::QualType type = callee->getParamDecl(1)->getType(),
                          place = callee->getParamDecl(0)->getType();
    if (!type->isArithmeticType() || !place->isPointerType() ||
        !callee->getASTContext().hasSameType(place->getPointeeType(), type.getUnqualifiedType()))
      return false;
    const clang::Stmt* at = call;
    const clang::Stmt* parent = splitter_.parents_->getParent(at);
    if (llvm::isa_and_nonnull<clang::CompoundStmt>(parent)) {
      at = parent;
      parent = splitter_.parents_->getParent(at);
    }
    const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(parent);
    if (!branch || !(branch->getThen() == at || branch->getElse() == at))
      return false;
    updates.push_back({call, array, false});
    return true;
  }
  /// Whether all other memory that the region names is certainly not what a parameter points to.
  bool standsApartFrom(const clang::VarDecl* parameter) const {
    return !mayReadAnything_ && std::all_of(uses_.begin(), uses_.end(), [&](const auto& one) {
      return !one.first || isShared(one.first) || one.first == parameter->getCanonicalDecl() ||
             one.first->getType().isRestrictQualified() ||
             parameter->getType().isRestrictQualified();
    });
  }
  /// All dynamic shared arrays are the same memory, which stands as null.
  static const clang::VarDecl* memoryOf(const clang::VarDecl* variable) {
    return isDynamicShared(variable) ? nullptr : variable->getCanonicalDecl();
  }

  const Splitter& splitter_;
  const Origin& origin_;
  std::map<const clang::VarDecl*, unsigned> uses_;
  /// It may read memory that it does not name.
  bool mayReadAnything_ = false;
};

/// Whether an expression has a quotient or remainder that takes long: nobody computes it twice.
static bool dividesByUnknown(const clang::Expr* e, const clang::ASTContext& context) {
  class Divisions : public SyntaxVisitor {
  public:
    explicit Divisions(const clang::ASTContext& context) : context_(context) {}
    bool found = false;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      return !(found |= (op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem) &&
                        !constantOf(op->getRHS(), context_));
    }
    bool VisitCallExpr(clang::CallExpr*) override { return !(found = true); }

  private:
    const clang::ASTContext& context_;
  } divisions(context);
  divisions.TraverseStmt(const_cast<clang::Expr*>(e));
  return divisions.found;
}

std::vector<Splitter::DeferredUpdate> Splitter::deferredUpdates(const RegionNode& region) const {
  constexpr unsigned leastWork = 5, leastWorkOfFar = 24;
  constexpr std::size_t most = 4;
  if (publish_ || region.oneByOne || ofSeveralBlocks() || region.returns || !kernel_.kernel ||
      (level_ == Scope::Block && active() != "cu2cpp::noneExited"))
    return {};
  const Origin origin(body_);
  UpdatesOfRegion found(*this, origin);
  for (const clang::Stmt* s : region.statements) {
    if (regions_.printed.count(s) || !callsIn(s).empty())
      return {};
    found.TraverseStmt(const_cast<clang::Stmt*>(s));
  }
  if (!found.fits || found.updates.empty() || found.updates.size() > most ||
      found.work < leastWork || !found.standsApart())
    return {};
  if (found.work < leastWorkOfFar &&
      std::any_of(found.updates.begin(), found.updates.end(), isFar<DeferredUpdate>))
    return {};
  for (DeferredUpdate& update : found.updates)
    update.always = std::find(region.statements.begin(), region.statements.end(), update.call) !=
                    region.statements.end();
  return std::move(found.updates);
}

std::string Splitter::rangeOfUpdates(const clang::Expr* condition) const {
  InsideConditions inRow(*this);
  std::string ofRows;
  std::vector<const clang::Expr*> left = {condition};
  while (!left.empty()) {
    const clang::Expr* part = left.back()->IgnoreParenImpCasts();
    left.pop_back();
    if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(part);
        both && both->getOpcode() == clang::BO_LAnd) {
      left.push_back(both->getRHS());
      left.push_back(both->getLHS());
    } else if (!variesInRow(part)) {
      ofRows += ".only(" + expressionText(part) + ")";
    } else {
      const std::size_t before = inRow.leaves.size();
      inRow.addGuard(part);
      if (inRow.leaves.size() != before + 1)
        return "";
    }
  }
  RegionText named;
  return inRow.leaves.empty() ? "" : inRow.bounds(named) + ofRows;
}

std::string Splitter::whereUpdates(const RegionNode& region,
                                   const std::vector<DeferredUpdate>& updates) {
  // Blocks side by side have loops of their own, and so have those that step together.
  if (!inRunBlock() || !plan_.options.lineDirectives || region.oneByOne || elements_ ||
      level_ != Scope::Block || runsAbreast() ||
      !(rising_.empty() || llvm::StringRef(rising_).contains("cu2cpp::eachThreadRising(")))
    return "";
  const auto* branch = llvm::dyn_cast<clang::IfStmt>(region.statements.back());
  const clang::ASTContext& context = plan_.unit.context();
  const auto isComputed = [&](const clang::Expr* e) {
    return e && !e->HasSideEffects(context) && !Uniformity::readsMemory(e) && callsIn(e).empty() &&
           !dividesByUnknown(e, context);
  };
  if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
      !isComputed(branch->getCond()) || !plan_.text.isWhole(branch->getCond()) ||
      isGroupValue(branch->getCond(), true))
    return "";
  for (const DeferredUpdate& update : updates)
    if (!isInside(update.call, branch->getThen()))
      return "";
  RegionText text;
  std::string lines;
  for (const clang::Stmt* s : region.statements) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    if (s == branch)
      break;
    if (!declaration || regions_.printed.count(s) || keepsPerThread(declaration))
      return "";
    for (const clang::Decl* decl : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || !variable->getType()->isArithmeticType() || isShared(variable) ||
          !variable->hasLocalStorage() || !isComputed(variable->getInit()))
        return "";
    }
    text.add(declaration);
    lines += plan_.text.text(rangeOf(declaration)) + " ";
  }
  text.add(branch->getCond());
  if (needsThread(text))
    return "";
  const std::vector<const clang::Stmt*> statements(region.statements.begin(),
                                                   region.statements.end() - 1);
  std::string head = "[&](const uint3 threadIdx) { ";
  for (const std::string& line : bindings(statements, text))
    head += line + " ";
  head += lines + "return ";
  std::string out = "cu2cpp::onlyWhere(" + head + expressionText(branch->getCond()) + "; }";
  if (const std::string range = rangeOfUpdates(branch->getCond()); !range.empty())
    out += ", " + head + range + "; }";
  out += ")";
  if (out.find('\n') != std::string::npos || out.find("//") != std::string::npos ||
      out.find("cuThisThread") != std::string::npos)
    return "";
  decide(branch->getCond());
  return out;
}

std::string Splitter::emitUpdates(const std::vector<DeferredUpdate>& updates) {
  std::string out;
  unsigned number = 0;
  for (const DeferredUpdate& update : updates) {
    const clang::Expr *place = update.call->getArg(0), *value = update.call->getArg(1);
    const clang::FunctionDecl* function = update.call->getDirectCallee();
    const std::string type =
        function->getParamDecl(1)->getType().getUnqualifiedType().getAsString(policy());
    clang::Expr::EvalResult known;
    const bool constant =
        !value->isValueDependent() && value->EvaluateAsInt(known, plan_.unit.context());
    edits_.replace(expressionRange(update.call), "cuUpdate" + std::to_string(++number) + "(" +
                                                     expressionText(place) + ", " +
                                                     expressionText(value) + ")");
    if (isFar(update)) {
      out += ", cu2cpp::farUpdateOf<" + type + ">([&](" + type + "* cuPlace, " + type +
             " cuValue) { " + function->getNameAsString() + "(cuPlace, cuValue); })";
      continue;
    }
    const clang::QualType shared = update.array->getType();
    out += ", cu2cpp::updateOf<" + type + (update.always ? ", true" : "") + ">(" +
           (shared->isArrayType() || shared->isPointerType() ? "" : "&") +
           update.array->getNameAsString() + ", [&](" + type + "* cuPlace, " + type +
           (constant ? "" : " cuValue") + ") { cu2cpp::inTurn::" + function->getNameAsString() +
           "(cuPlace, " + (constant ? expressionText(value) : "cuValue") + "); })";
  }
  return out;
}

} // namespace cu2cpp
