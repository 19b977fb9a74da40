// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/joined_blocks.h"

#include <algorithm>
#include <map>
#include <set>

#include "clang/AST/Attr.h"

#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

bool areLoopsOverThreads(const std::vector<RegionNode>& nodes) {
  using Kind = RegionNode::Kind;
  return std::all_of(nodes.begin(), nodes.end(), [](const RegionNode& node) {
    const bool known = node.kind == Kind::Region || node.kind == Kind::Statement ||
                       node.kind == Kind::Loop || node.kind == Kind::Branch ||
                       node.kind == Kind::Block;
    return known && !node.masked && !node.strided && !node.oneByOne &&
           areLoopsOverThreads(node.children) && areLoopsOverThreads(node.otherwise);
  });
}

/// Whether an expression names nothing by which threads of one row differ: threadIdx.y and .z,
/// what is made of these where it is asked for, and what is the group's.
bool isOneInRow(const clang::Expr* e, const Regions& regions) {
  class Names : public NamesInRow {
  public:
    const Regions* regions = nullptr;
    bool fits = true;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      const auto stored = regions->storage.find(variable);
      if (stored != regions->storage.end() && stored->second == Storage::Recomputed &&
          variable->hasInit() && !llvm::isa<clang::ParmVarDecl>(variable))
        return !seen_.insert(variable).second ||
               TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
      fits &= builtinOf(use->getDecl()) != ThreadIdx &&
              (stored == regions->storage.end() || stored->second == Storage::Block);
      return fits;
    }

  private:
    std::set<const clang::VarDecl*> seen_;
  } names;
  names.regions = &regions;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.fits;
}

bool holdsWarps(const RegionNode& node) {
  return node.kind == RegionNode::Kind::Warps ||
         std::any_of(node.children.begin(), node.children.end(), holdsWarps) ||
         std::any_of(node.otherwise.begin(), node.otherwise.end(), holdsWarps);
}

/// Whether threads may wait for what others write: for those of blocks that now run beside them.
/// They do not in loops that count: whatever else a condition asks for ends such a loop sooner.
class Waiting : public SyntaxVisitor {
public:
  bool found = false;
  bool VisitWhileStmt(clang::WhileStmt*) override { return !(found = true); }
  bool VisitDoStmt(clang::DoStmt*) override { return !(found = true); }
  bool VisitGotoStmt(clang::GotoStmt*) override { return !(found = true); }
  bool VisitForStmt(clang::ForStmt* loop) override {
    const clang::VarDecl* counter = counterOf(loop->getInc());
    found |= !counter || !compares(loop->getCond(), counter) || changes(loop->getBody(), counter);
    return !found;
  }
  bool VisitExpr(clang::Expr* e) override {
    // The text of a static_assert has no type.
    found |= !e->getType().isNull() && e->getType().isVolatileQualified();
    return !found;
  }

private:
  static const clang::VarDecl* localOf(const clang::Expr* e) {
    const auto* use = e ? llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts()) : nullptr;
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType()
               ? variable
               : nullptr;
  }
  /// What `++i`, `i += n` or `i = i * 2` changes; of several, the last.
  static const clang::VarDecl* counterOf(const clang::Expr* step) {
    step = step ? step->IgnoreParenImpCasts() : nullptr;
    if (const auto* op = llvm::dyn_cast_or_null<clang::UnaryOperator>(step))
      return op->isIncrementDecrementOp() ? localOf(op->getSubExpr()) : nullptr;
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(step);
    if (op && op->getOpcode() == clang::BO_Comma)
      return counterOf(op->getRHS()) ? counterOf(op->getRHS()) : counterOf(op->getLHS());
    return op && op->isAssignmentOp() ? localOf(op->getLHS()) : nullptr;
  }
  static bool compares(const clang::Expr* condition, const clang::VarDecl* counter) {
    condition = condition ? condition->IgnoreParenImpCasts() : nullptr;
    if (localOf(condition) == counter && counter)
      return true;
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(condition);
    if (op && op->getOpcode() == clang::BO_LAnd)
      return compares(op->getLHS(), counter) || compares(op->getRHS(), counter);
    return op && (op->isComparisonOp() || op->isAdditiveOp() || op->isMultiplicativeOp()) &&
           (compares(op->getLHS(), counter) || compares(op->getRHS(), counter));
  }
  static bool changes(const clang::Stmt* body, const clang::VarDecl* counter) {
    class Changes : public SyntaxVisitor {
    public:
      const clang::VarDecl* counter = nullptr;
      bool found = false;
      bool VisitUnaryOperator(clang::UnaryOperator* op) override {
        found |= (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) &&
                 localOf(op->getSubExpr()) == counter;
        return !found;
      }
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        return !(found |= op->isAssignmentOp() && localOf(op->getLHS()) == counter);
      }
    } visitor;
    visitor.counter = counter;
    visitor.TraverseStmt(const_cast<clang::Stmt*>(body));
    return visitor.found;
  }
};

bool mayWait(const clang::FunctionDecl* function) {
  Waiting waiting;
  waiting.TraverseStmt(function->getBody());
  return waiting.found;
}

/// What is a block's size in one direction if it is that of `blockIdx.x * SIZE`: a number, or a
/// parameter of the template.
std::string constantSize(const clang::Expr* e, const clang::ASTContext& context) {
  class Names : public SyntaxVisitor {
  public:
    bool fits = true;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return fits &=
             llvm::isa<clang::NonTypeTemplateParmDecl, clang::EnumConstantDecl>(use->getDecl()) ||
             (variable && variable->isConstexpr() && !variable->isLocalVarDecl());
    }
    bool VisitStmt(clang::Stmt* s) override {
      return fits &= llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::BinaryOperator,
                               clang::ParenExpr, clang::ImplicitCastExpr>(s);
    }
  };
  clang::Expr::EvalResult value;
  if (!e->getType()->isDependentType() && !e->getType()->isIntegerType())
    return "";
  if (!e->isValueDependent())
    return e->EvaluateAsInt(value, context) && value.Val.getInt().isStrictlyPositive() &&
                   value.Val.getInt() <= 1024
               ? std::to_string(value.Val.getInt().getExtValue())
               : "";
  Names names;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  if (!names.fits)
    return "";
  std::string out;
  llvm::raw_string_ostream stream(out);
  e->IgnoreParenImpCasts()->printPretty(stream, nullptr, context.getPrintingPolicy());
  return out;
}

void addSummands(const clang::Expr* e, std::vector<const clang::Expr*>& out) {
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(behindWideCasts(e));
  if (!sum || sum->getOpcode() != clang::BO_Add)
    return out.push_back(e);
  addSummands(sum->getLHS(), out);
  addSummands(sum->getRHS(), out);
}

/// What tells whether rows may be longer, or columns (`along`: x or y).
class Places : public SyntaxVisitor {
public:
  Places(const clang::Stmt* body, llvm::StringRef along, const clang::ASTContext& context)
      : along_(along), slopes_(body, along, false, near, &context), context_(context) {}
  static constexpr unsigned near = 4; ///< elements between those of neighbours, at most
  bool onlyInSums = true;      ///< threadIdx.x and blockIdx.x are named in global indices only
  bool neighbourly = true;     ///< neighbours reach for the same elements or for neighbours
  std::set<std::string> sizes; ///< what stands for blockDim.x in them

  bool TraverseBinaryOperator(clang::BinaryOperator* op) override {
    // blockIdx.x * blockDim.x + threadIdx.x, in any order and with more beside it.
    if (givenOn_.count(op))
      return true;
    std::vector<const clang::Expr*> summands;
    addSummands(op, summands);
    std::string size;
    const auto thread = std::find_if(summands.begin(), summands.end(),
                                     [&](const clang::Expr* e) { return names(e, ThreadIdx); });
    const auto first = std::find_if(summands.begin(), summands.end(),
                                    [&](const clang::Expr* e) { return isFirstIndex(e, size); });
    if (thread == summands.end() || first == summands.end())
      return SyntaxVisitor::TraverseBinaryOperator(op);
    if (!size.empty())
      sizes.insert(size);
    for (auto at = summands.begin(); at != summands.end(); ++at)
      if (at != thread && at != first && !TraverseStmt(const_cast<clang::Expr*>(*at)))
        return false;
    return true;
  }
  bool TraverseMemberExpr(clang::MemberExpr* member) override {
    if (givenOn_.count(member))
      return true;
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenCasts());
    const unsigned builtin = use ? builtinOf(use->getDecl()) : 0;
    if (!builtin)
      return SyntaxVisitor::TraverseMemberExpr(member);
    onlyInSums &= (builtin != ThreadIdx && builtin != BlockIdx) ||
                  member->getMemberDecl()->getName() != along_;
    return onlyInSums;
  }
  /// `const int tx = threadIdx.x;` is another name for it, as long as no sum is without it.
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (const clang::Expr* init = variable->getInit();
        init && variable->isLocalVarDecl() && variable->getType()->isIntegerType() &&
        context_.getTypeSize(variable->getType()) == 32)
      for (const Builtin of : {ThreadIdx, BlockIdx})
        if (isPart(init, of, along_)) {
          others_[variable] = of;
          givenOn_.insert(behindWideCasts(init));
        }
    // `const int x0 = blockIdx.x * blockDim.x;` is where the block begins.
    std::string size;
    if (const clang::Expr* init = variable->getInit();
        init && variable->isLocalVarDecl() && variable->getType()->isIntegerType() &&
        context_.getTypeSize(variable->getType()) == 32 && isFirstIndex(init, size)) {
      firsts_[variable] = size;
      givenOn_.insert(behindWideCasts(init));
    }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const unsigned builtin = builtinOf(use->getDecl());
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return onlyInSums &= builtin != ThreadIdx && builtin != BlockIdx && !others_.count(variable) &&
                         !firsts_.count(variable);
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    neighbourly &= slopes_.slope(e->getIdx()) <= near;
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    neighbourly &= op->getOpcode() != clang::UO_Deref || slopes_.slope(op->getSubExpr()) <= near;
    return true;
  }

private:
  bool names(const clang::Expr* e, Builtin of) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(behindWideCasts(e));
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    const auto other = others_.find(variable);
    return other == others_.end() ? isPart(e, of, along_) : other->second == of;
  }
  /// blockIdx.x * blockDim.x, in any order; or with a constant, which is `size` then.
  bool isFirstIndex(const clang::Expr* product, std::string& size) const {
    const clang::Expr *left = nullptr, *right = nullptr;
    product = behindWideCasts(product);
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(product))
      if (const auto first = firsts_.find(llvm::dyn_cast<clang::VarDecl>(use->getDecl()));
          first != firsts_.end()) {
        size = first->second;
        return true;
      }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(product);
        op && op->getOpcode() == clang::BO_Mul) {
      left = op->getLHS();
      right = op->getRHS();
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(product)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (callee && callee->getIdentifier() && call->getNumArgs() == 2 &&
          (callee->getName() == "__mul24" || callee->getName() == "__umul24")) {
        left = call->getArg(0);
        right = call->getArg(1);
      }
    }
    if (left && names(right, BlockIdx))
      std::swap(left, right);
    if (!left || !names(left, BlockIdx))
      return false;
    if (isPart(right, BlockDim, along_))
      return true;
    size = constantSize(right, context_);
    return !size.empty();
  }

  llvm::StringRef along_;
  Slopes slopes_;
  const clang::ASTContext& context_;
  /// `const int tx = threadIdx.x;` is another name for it, as long as no sum is without it.
  std::map<const clang::VarDecl*, Builtin> others_;
  std::map<const clang::VarDecl*, std::string> firsts_;
  std::set<const clang::Expr*> givenOn_;
};

/// Whether what a function calls asks for nothing of its block: it would have to be told which one
/// it runs for.
bool callsNothingOfBlocks(const Facts& facts, const FunctionFacts& function, unsigned depth = 0) {
  constexpr unsigned deepest = 4;
  return std::all_of(
      function.callees.begin(), function.callees.end(), [&](const clang::FunctionDecl* callee) {
        const FunctionFacts* known = facts.find(callee);
        return known ? depth < deepest && !mayWait(known->decl) && !known->builtins &&
                           known->shared.empty() && known->namespaceShared.empty() &&
                           !known->indirectCalls && !known->readsThread &&
                           callsNothingOfBlocks(facts, *known, depth + 1)
                     : !hasMark(callee, "thread");
      });
}

/// Where a kernel stores.
class Stores : public SyntaxVisitor {
public:
  explicit Stores(const clang::Stmt* body) : alongRow_(body, "x"), alongColumn_(body, "y") {}
  bool any = false;
  bool inColumns = true; ///< neighbours of a column store to neighbours, those of a row do not

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const auto* element =
        op->isAssignmentOp()
            ? llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParens())
            : nullptr;
    if (!element)
      return true;
    any = true;
    return inColumns &= alongRow_.slope(element->getIdx()) == Slopes::other &&
                        alongColumn_.slope(element->getIdx()) == 1;
  }
  bool VisitStmt(clang::Stmt* s) override {
    return inColumns &= !llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s);
  }

private:
  Slopes alongRow_, alongColumn_;
};

LongerBlocks longerBlocks(bool may, const std::set<std::string>& sizes) {
  return {may && sizes.size() <= 1, sizes.empty() ? std::string() : *sizes.begin()};
}

} // namespace

bool storesInColumns(const FunctionFacts& kernel) {
  Stores stores(kernel.decl->getBody());
  stores.TraverseStmt(kernel.decl->getBody());
  return stores.any && stores.inColumns;
}

LongerBlocks continuesRows(const FunctionFacts& kernel, bool neighbourly) {
  Places places(kernel.decl->getBody(), "x", kernel.decl->getASTContext());
  places.TraverseStmt(kernel.decl->getBody());
  return longerBlocks(places.onlyInSums && (places.neighbourly || !neighbourly) &&
                          (kernel.builtins & ThreadIdx) && (kernel.builtins & BlockIdx),
                      places.sizes);
}

LongerBlocks continuesColumns(const FunctionFacts& kernel, bool neighbourly) {
  Places places(kernel.decl->getBody(), "y", kernel.decl->getASTContext());
  places.TraverseStmt(kernel.decl->getBody());
  return longerBlocks(places.onlyInSums && (places.neighbourly || !neighbourly), places.sizes);
}

bool keepsFew(const Regions& regions) {
  constexpr std::ptrdiff_t few = 16;
  return std::count_if(regions.storage.begin(), regions.storage.end(),
                       [](const auto& entry) { return entry.second == Storage::PerThread; }) <= few;
}

bool sharesNothing(const Facts& facts, const FunctionFacts& kernel) {
  if (mayWait(kernel.decl) || !kernel.shared.empty() || !kernel.namespaceShared.empty() ||
      kernel.indirectCalls || kernel.builtinsOutsideBody || kernel.publishesThread ||
      hasMark(kernel.decl, "turned_block"))
    return false;
  for (const auto* mark : kernel.decl->specific_attrs<clang::AnnotateAttr>())
    if (mark->getAnnotation() == "cu2cpp.cluster_dims")
      return false;
  return callsNothingOfBlocks(facts, kernel);
}

bool canJoin(const Regions& regions) {
  return areLoopsOverThreads(regions.nodes) && regions.compared.empty() && regions.mixed.empty() &&
         std::all_of(regions.storage.begin(), regions.storage.end(), [](const auto& entry) {
           const clang::QualType type = entry.first->getType();
           return entry.second == Storage::Block || entry.second == Storage::Recomputed ||
                  entry.second == Storage::Restated || entry.second == Storage::Fresh ||
                  (entry.second == Storage::PerThread && type->isScalarType() &&
                   !type->isDependentType() && !llvm::isa<clang::ParmVarDecl>(entry.first));
         });
}

bool passesOnce(const Regions& regions) {
  using Kind = RegionNode::Kind;
  unsigned loops = 0;
  for (const RegionNode& node : regions.nodes) {
    const bool pass = node.kind == Kind::Loop && node.strided && node.rising &&
                      node.children.size() == 1 && node.children[0].kind == Kind::Region &&
                      !node.children[0].oneByOne;
    loops += pass;
    if (!pass && (node.kind != Kind::Region || node.oneByOne) && node.kind != Kind::Statement)
      return false;
  }
  return loops == 1 && !regions.returns && !regions.rowParts && regions.calls.empty() &&
         regions.compared.empty() && regions.mixed.empty() &&
         std::none_of(regions.storage.begin(), regions.storage.end(), [](const auto& entry) {
           return entry.second == Storage::PerThread || entry.second == Storage::PerLane;
         });
}

bool leavesOneByOne(const std::vector<RegionNode>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const RegionNode& node) {
    return !node.calls.empty() || node.kind == RegionNode::Kind::Call ||
           (node.kind == RegionNode::Kind::Loop && node.masked && !node.strided) ||
           leavesOneByOne(node.children) || leavesOneByOne(node.otherwise);
  });
}

bool runsWarps(const Regions& regions) {
  return std::any_of(regions.nodes.begin(), regions.nodes.end(), holdsWarps);
}

bool agreesInParts(const Regions& regions) {
  return std::all_of(regions.compared.begin(), regions.compared.end(),
                     [&](const clang::Expr* e) { return isOneInRow(e, regions); });
}

bool fitsParts(const Regions& regions) {
  return !runsWarps(regions) ||
         (std::all_of(regions.calls.begin(), regions.calls.end(),
                      [](const GroupCall& call) { return call.function->forLanes; }) &&
          agreesInParts(regions) &&
          std::none_of(regions.storage.begin(), regions.storage.end(),
                       [](const auto& entry) { return entry.second == Storage::PerThread; }));
}

} // namespace cu2cpp
