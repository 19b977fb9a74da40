// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps that all compute the same: behind a barrier each of them joins what the block's warps have
// left in shared memory, so that all threads have the sum.
//
//   sum = lane < warps ? sums[lane] : 0;
//   for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
//     ->
//   cu2cpp::eachWarpAlike(cuBlock, [&](const auto& cuWarp, ...) { ... }, cuEach_sum);
//
// They may do so in structures of numbers that live in such a statement (`Moments m = lane < warps
// ? moments[lane] : Moments{}; ... m = merged(m, other);`, whose numbers are variables by now).
//
// The first warp does so for all: what they ask for is the lane and what is one for the block, and
// nobody stores to memory meanwhile.
#include "plan/splitter.h"

#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

/// What warps compute of the lane's number and of what is one for the block.
class Splitter::AlikeWarps : public SyntaxVisitor {
public:
  explicit AlikeWarps(const Splitter& splitter) : splitter_(splitter) {}

  /// The variables of the block's threads that get values, in the text's order.
  std::vector<const clang::VarDecl*> changed;

  bool are(const clang::Stmt* s, bool always = true) {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return llvm::all_of(list->body(),
                          [&](const clang::Stmt* inner) { return are(inner, always); });
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(s))
      return are(attributed->getSubStmt(), always);
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      return llvm::all_of(declaration->decls(), [&](const clang::Decl* decl) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        return variable && declares(variable);
      });
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
      return !loop->getConditionVariable() && (!loop->getInit() || are(loop->getInit(), false)) &&
             (!loop->getCond() || isAlike(loop->getCond())) &&
             (!loop->getInc() || changes(loop->getInc(), false)) && are(loop->getBody(), false);
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return !branch->getInit() && !branch->getConditionVariable() && isAlike(branch->getCond()) &&
             are(branch->getThen(), false) && (!branch->getElse() || are(branch->getElse(), false));
    if (llvm::isa<clang::NullStmt>(s))
      return true;
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    return e && changes(e, always);
  }

  bool TraverseStmt(clang::Stmt* s) override {
    // Whatever is below it, it is the lane.
    if (const auto* e = llvm::dyn_cast_or_null<clang::Expr>(s);
        e && e->getType()->isIntegerType() && splitter_.isLane(e))
      return true;
    return SyntaxVisitor::TraverseStmt(s);
  }
  bool VisitExpr(clang::Expr* e) override {
    if (e->getType().isVolatileQualified() ||
        llvm::isa<clang::CXXThisExpr, clang::LambdaExpr, clang::CXXNewExpr, clang::CXXDeleteExpr,
                  clang::StmtExpr>(e))
      alike_ = false;
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(e);
    if (const auto* maker = made ? made->getConstructor() : nullptr)
      alike_ &= maker->isTrivial() || maker->isConstexpr();
    return alike_;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const bool isShuffle = llvm::any_of(splitter_.regions_.calls, [&](const GroupCall& known) {
      return known.call == call && known.scope == Scope::Warp && !known.function && !known.object &&
             known.targets.empty() && callee && callee->getIdentifier() &&
             callee->getName().starts_with("__shfl");
    });
    alike_ &= isShuffle || (callee && isPureFunction(callee, splitter_.plan_.facts));
    return alike_;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    alike_ &= !op->isIncrementDecrementOp() && op->getOpcode() != clang::UO_AddrOf;
    return alike_;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    alike_ &= !op->isAssignmentOp();
    return alike_;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    alike_ &= builtinOf(use->getDecl()) != ThreadIdx;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (alike_ && variable && !builtinOf(variable) && isOwn(variable))
      alike_ = isKnown(variable);
    return alike_;
  }

private:
  /// Whether threads or lanes have a variable of their own.
  bool isOwn(const clang::VarDecl* variable) const {
    return splitter_.storageOf(variable) != Storage::Block;
  }
  bool isAlike(const clang::Expr* e) {
    alike_ = true;
    TraverseStmt(const_cast<clang::Expr*>(e));
    return alike_;
  }
  /// Whether such a variable is alike in all warps.
  bool isKnown(const clang::VarDecl* variable) {
    if (!splitter_.isStored(variable, Storage::Recomputed))
      return given_.count(variable) != 0;
    constexpr unsigned deepest = 8;
    if (given_.count(variable))
      return true;
    if (!variable->hasInit() || depth_ == deepest)
      return false;
    ++depth_;
    TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
    --depth_;
    return alike_;
  }
  bool gives(const clang::VarDecl* variable) {
    if (!isNumber(variable) && !isStructure(variable))
      return false;
    if (given_.insert(variable).second && splitter_.isStored(variable, Storage::PerThread))
      changed.push_back(variable);
    return !splitter_.isStored(variable, Storage::Strided) &&
           !splitter_.isStored(variable, Storage::Restated);
  }
  bool isNumber(const clang::VarDecl* variable) const {
    return !variable->getType().isVolatileQualified() && variable->getType()->isArithmeticType() &&
           !isShared(variable) && variable->hasLocalStorage();
  }
  /// One that is not kept for other warps.
  bool isStructure(const clang::VarDecl* variable) const {
    const clang::QualType type = variable->getType();
    return !type.isVolatileQualified() && type->isRecordType() && !isShared(variable) &&
           type.isTriviallyCopyableType(splitter_.plan_.unit.context()) &&
           variable->hasLocalStorage() && !splitter_.isStored(variable, Storage::PerThread);
  }
  bool declares(const clang::VarDecl* variable) {
    // What has no value yet gets one by an assignment that all lanes make.
    if (!variable->hasInit())
      return isNumber(variable);
    return isAlike(variable->getInit()) && gives(variable);
  }
  /// An assignment, or a counter that goes on. One that not all lanes make needs an older value.
  bool changes(const clang::Expr* e, bool always) {
    e = e->IgnoreParenImpCasts();
    const auto* count = llvm::dyn_cast<clang::UnaryOperator>(e);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!(count && count->isIncrementDecrementOp()) && !(op && op->isAssignmentOp()))
      return false;
    const clang::Expr* const to =
        (count ? count->getSubExpr() : op->getLHS())->IgnoreParenImpCasts();
    const clang::VarDecl* const variable = namedBy(to);
    if (!variable || variable->getType()->isReferenceType())
      return false;
    const bool anew = always && op && op->getOpcode() == clang::BO_Assign;
    // A counter that all threads have together.
    const bool own = isOwn(variable);
    return (!op || isAlike(op->getRHS())) && ((own && anew) || given_.count(variable)) &&
           gives(variable);
  }

  const Splitter& splitter_;
  std::set<const clang::VarDecl*> given_;
  unsigned depth_ = 0;
  bool alike_ = true;
};

std::string Splitter::keptByAlikeWarps(const RegionNode& node) const {
  if (!plan_.options.lineDirectives || publish_ || !inRunBlock() || ofSeveralBlocks() ||
      regions_.returns || active() != "cu2cpp::noneExited" || node.order != WarpOrder::None ||
      kernel_.lanesTogether != 32 || !meetIn(node) || warpsLoop(node) != "cu2cpp::eachWarp")
    return "";
  AlikeWarps warps(*this);
  for (const clang::Stmt* s : node.statements)
    if (!warps.are(s))
      return "";
  std::string names;
  for (const clang::VarDecl* variable : warps.changed)
    names += ", " + perThreadName_.at(variable);
  return names;
}

} // namespace cu2cpp
