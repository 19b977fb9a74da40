// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops by the whole grid in which threads add up, run for several blocks together:
//
//   double sum = 0.0;
//   for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) sum += x[i];
//     ->
//   { auto cuSums = cu2cpp::sumsAbreast(cuAbreast, cuEach_sum);
//     auto& cuEach_sum = cu2cpp::sumOf<0>(cuSums);
//     uint3 blockIdx = cuBlock.blockIdx;
//     int cuStep_i = blockIdx.x * 256;
//     cu2cpp::stepsAbreast<sizeof(*x)>(cuBlock, cuSums, blockIdx, cuStep_i, 256 * gridDim.x,
//                                      [&] { return blockIdx.x * 256; }, ...); }
//
// The first block then runs the loop for the next ones, before these have begun. So what the loop
// reads must be the same for them, but for blockIdx: what stands in front of it only computes, and
// nothing of that depends on the block and is kept for the loop.
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/region_parts.h"
#include "plan/changes_own.h"
#include "plan/prefetch_parts.h"

namespace cu2cpp {
namespace {

/// The statements of a body up to a loop in its own list, or in lists within it. False if the loop
/// is elsewhere.
bool statementsBefore(const clang::CompoundStmt* list, const clang::ForStmt* loop,
                      std::vector<const clang::Stmt*>& out) {
  for (const clang::Stmt* s : list->body()) {
    if (s == loop)
      return true;
    if (const auto* inner = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      if (statementsBefore(inner, loop, out))
        return true;
    } else {
      out.push_back(s);
    }
  }
  return false;
}

/// What code depends on, the functions that it calls among it.
class DependsOn : public SyntaxVisitor {
public:
  DependsOn(const clang::Stmt* s, const Facts& facts,
            const std::set<const clang::VarDecl*>& ofBlock = {})
      : facts_(facts), ofBlock_(ofBlock) {
    add(s);
  }
  void add(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  bool block = false;        ///< the block's place, or variables that depend on it
  bool blockInCalls = false; ///< as a called function sees it
  bool grid = false;         ///< the grid's size
  bool memory = false;       ///< what others may change
  bool known = true;         ///< only what this class knows

  bool VisitStmt(clang::Stmt* s) override {
    if (const auto* e = llvm::dyn_cast<clang::Expr>(s))
      known &= !e->getType().isVolatileQualified() && !llvm::isa<clang::CXXThisExpr>(e);
    memory |= llvm::isa<clang::ArraySubscriptExpr>(s);
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(s))
      memory |= op->getOpcode() == clang::UO_Deref;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s))
      memory |= member->isArrow();
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(s))
      follow(made->getConstructor());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (const clang::FunctionDecl* callee = call->getDirectCallee())
      follow(callee);
    return true;
  }
  /// The blocks that run together are of one row: `blockIdx.y` is the same in them.
  bool TraverseMemberExpr(clang::MemberExpr* member) override {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    if (use && builtinOf(use->getDecl()) == BlockIdx && member->getMemberDecl()->getName() != "x")
      return true;
    return SyntaxVisitor::TraverseMemberExpr(member);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const unsigned builtin = builtinOf(use->getDecl());
    block |= builtin == BlockIdx;
    blockInCalls |= builtin == BlockIdx && calls_ > 0;
    grid |= builtin == GridDim;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (!variable || builtin)
      return true;
    known &= !isShared(variable) && !variable->isStaticLocal();
    block |= ofBlock_.count(variable) != 0;
    memory |= !variable->hasLocalStorage() && !variable->getType().isConstQualified();
    return true;
  }

private:
  void follow(const clang::FunctionDecl* callee) {
    constexpr unsigned deepest = 6;
    const FunctionFacts* called = facts_.find(callee);
    if (!called)
      return;
    if (calls_ == deepest || !callee->getBody()) {
      known = false;
      return;
    }
    ++calls_;
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(callee))
      for (const clang::CXXCtorInitializer* init : constructor->inits())
        add(init->getInit());
    add(callee->getBody());
    --calls_;
  }
  const Facts& facts_;
  const std::set<const clang::VarDecl*> ofBlock_;
  unsigned calls_ = 0;
};

/// Whether a declaration makes nothing but groups of threads.
bool declaresGroups(const clang::DeclStmt* s) {
  return llvm::all_of(s->decls(), [](const clang::Decl* decl) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    const auto* record = variable ? variable->getType()->getAsCXXRecordDecl() : nullptr;
    return record &&
           llvm::StringRef(record->getQualifiedNameAsString()).starts_with("cooperative_groups::");
  });
}

/// The variables to which straight code gives values that depend on the block, or on memory.
/// False if the code does more than that.
bool findOfBlock(const std::vector<const clang::Stmt*>& before, const Facts& facts,
                 std::set<const clang::VarDecl*>& ofBlock) {
  const auto gives = [&](const clang::VarDecl* variable, const clang::Expr* value) {
    const DependsOn on(value, facts, ofBlock);
    if (on.block || on.memory || !on.known)
      ofBlock.insert(variable);
  };
  for (const clang::Stmt* s : before) {
    if (llvm::isa<clang::NullStmt>(s))
      continue;
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s)) {
      const bool groups = declaresGroups(declared);
      ChangesOwn body(facts);
      if (!groups)
        body.TraverseStmt(const_cast<clang::Stmt*>(s));
      if (!body.fits || !body.changed.empty())
        return false;
      for (const clang::Decl* decl : declared->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        if (!variable || isShared(variable))
          continue;
        if (groups || variable->getType()->isReferenceType() || !variable->hasLocalStorage())
          ofBlock.insert(variable);
        else if (variable->hasInit())
          gives(variable, variable->getInit());
      }
      continue;
    }
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    const auto* op = e ? llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParens()) : nullptr;
    ChangesOwn body(facts);
    body.TraverseStmt(const_cast<clang::Stmt*>(s));
    // Of `a = b = 0` each is one that changes.
    if (!op || !op->isAssignmentOp() || !body.fits)
      return false;
    for (const clang::VarDecl* changed : body.changed)
      gives(changed, op);
  }
  return true;
}

} // namespace

std::vector<const clang::VarDecl*> Splitter::sumsAbreast(const RegionNode& node,
                                                         const clang::ForStmt* loop) const {
  const clang::VarDecl* counter = variableOfHead(loop);
  const auto* step = llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  const auto parts = regions_.startParts.find(counter);
  const Stride stride = strideOf(counter);
  if (!plan_.options.lineDirectives || abreast_ || turns_ || together_ || !step ||
      step->getOpcode() != clang::BO_AddAssign || countedInRows_.count(counter) ||
      node.children.size() != 1 || node.children[0].kind != RegionNode::Kind::Region ||
      node.children[0].oneByOne || active() != "cu2cpp::noneExited" || !stride.counts ||
      (parts != regions_.startParts.end() && !parts->second.empty()) ||
      (stride.base && !plan_.text.isWhole(stride.base)) || !plan_.text.isWhole(step->getRHS()) ||
      Uniformity::readsMemory(loop->getCond()) || Uniformity::readsMemory(step->getRHS()))
    return {};
  for (const clang::Expr* value : regions_.compared)
    if (isInside(value, loop))
      return {};
  std::vector<const clang::Stmt*> before;
  std::set<const clang::VarDecl*> ofBlock;
  if (!statementsBefore(body_, loop, before) || !findOfBlock(before, plan_.facts, ofBlock))
    return {};
  ChangesOwn body(plan_.facts), head(plan_.facts);
  body.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
  for (const clang::Expr* e : std::initializer_list<const clang::Expr*>{
           counter->getInit(), loop->getCond(), step->getRHS()})
    head.TraverseStmt(const_cast<clang::Expr*>(e));
  DependsOn by(step->getRHS(), plan_.facts, ofBlock);
  if (const clang::VarDecl* named = namedBy(step->getRHS()->IgnoreParenImpCasts());
      named && named->hasInit())
    by.add(named->getInit());
  const DependsOn all(loop, plan_.facts);
  if (!body.fits || !head.fits || !head.changed.empty() || by.block || !by.grid || !by.known ||
      !all.known || all.blockInCalls)
    return {};
  std::vector<const clang::VarDecl*> sums;
  const Contents names(loop);
  for (const clang::VarDecl* variable : names.uses) {
    if (names.declares.count(variable))
      continue;
    const bool changes = body.changed.count(variable) != 0;
    if (isStored(variable, Storage::PerThread)) {
      if (!changes || ofBlock.count(variable) || regions_.rows.count(variable) ||
          isDeclaredInPlace(variable) || llvm::isa<clang::ParmVarDecl>(variable) ||
          !variable->getType()->isArithmeticType() || variable->getType().isVolatileQualified())
        return {};
      sums.push_back(variable);
    } else if (changes || variable->getType()->isReferenceType() ||
               (ofBlock.count(variable) && !isStored(variable, Storage::Recomputed))) {
      return {};
    }
  }
  constexpr std::size_t most = 16;
  if (sums.size() > most)
    return {};
  std::sort(sums.begin(), sums.end(), [](const clang::VarDecl* a, const clang::VarDecl* b) {
    return a->getLocation() < b->getLocation();
  });
  return sums;
}

std::string Splitter::stepsAbreast(const std::vector<const clang::VarDecl*>& sums,
                                   const clang::ForStmt* loop, const std::string& newline) {
  abreast_ = true;
  const clang::VarDecl* counter = variableOfHead(loop);
  const auto* step = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  std::string each, names;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::string& name = perThreadName_.at(sums[i]);
    each += ", " + name;
    names += "auto& " + name + " = cu2cpp::sumOf<" + std::to_string(i) + ">(cuSums);" + newline;
  }
  rising_ = "cu2cpp::stepsAbreast"; // what comes now is asked of places in such a loop
  const std::string bytes = bytesInStep(loop);
  const Stride stride = strideOf(counter);
  // Where a block reads several rows side by side, the next one leaves a gap behind what this one
  // has read of each, which processors do not foresee.
  const std::string fetched = prefetches(loop);
  const bool inRows = llvm::StringRef(fetched).contains("prefetchRow<");
  rising_ += "<" + (bytes.empty() ? "0" : bytes) + ">(cuBlock, cuSums, blockIdx, cuStep_" +
             counter->getNameAsString() + ", " + expressionText(step->getRHS()) +
             ", [&] { return " + (stride.base ? expressionText(stride.base) : "0") +
             "; }, [&](const " + (inRows ? "auto" : "cu2cpp::Block") +
             "& cuBlock) { (void)cuBlock" + fetched + "; }, " + valueLambda(loop->getCond()) + ", ";
  return "{ auto cuSums = cu2cpp::sumsAbreast(cuAbreast" + each + ");" + newline + names +
         "[[maybe_unused]] uint3 blockIdx = cuBlock.blockIdx;" + newline +
         stridedStart(loop, newline);
}

} // namespace cu2cpp
