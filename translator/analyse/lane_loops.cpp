// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/lane_loops.h"

#include <algorithm>
#include <map>

#include "clang/AST/ExprCXX.h"

#include "analyse/column_reads.h"
#include "analyse/instance_calls.h"
#include "analyse/lane_loop_parts.h"
#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "analyse/region_rows.h"
#include "analyse/register_loops.h"
#include "analyse/rounds.h"
#include "analyse/slopes.h"
#include "analyse/trivial_copies.h"
#include "analyse/word_structures.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// Whether there is a barrier in some code.
class Barriers : public SyntaxVisitor {
public:
  explicit Barriers(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  bool found = false;
  bool VisitCallExpr(clang::CallExpr* call) override {
    found |= call->getDirectCallee() && hasMark(call->getDirectCallee(), "barrier");
    return !found;
  }
};

class Chooser {
public:
  Chooser(const Facts& all, const FunctionFacts& function, const Uniformity& uniformity,
          LaneRowsOf rows)
      : steps_(all, function, uniformity, rows != LaneRowsOf::Nothing), rows_(rows),
        columns_(function.decl->getBody(), uniformity.parents()) {}

  LaneLoops choose() {
    visit(steps_.function->getBody());
    return std::move(out_);
  }

private:
  /// Visits a piece of code; false if it holds a loop that stays inside the loop over threads.
  bool visit(const clang::Stmt* s) {
    if (!s)
      return true;
    if (llvm::isa<clang::LambdaExpr>(s))
      return true;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
        branch && !branch->getElse() && isForOneLane(branch->getCond()))
      return !holdsLoop(branch->getThen());
    bool all = true;
    const std::size_t before = out_.loops.size(), beforeOfBlock = out_.ofBlock.size();
    for (const clang::Stmt* child : s->children())
      all &= visit(child);
    const std::size_t inside = out_.loops.size() - before;
    const std::size_t insideOfBlock = out_.ofBlock.size() - beforeOfBlock;
    if (inside == 0 && rows_ == LaneRowsOf::Warps && isArithmetic(steps_, s)) {
      out_.loops.insert(s);
      out_.arithmetic.insert(s);
      return true;
    }
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    if (!loop)
      return all && !llvm::isa<clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
    const bool strided = steps_.isStrided(loop);
    if (strided)
      out_.strided.insert(loop);
    const bool byRows = !strided && inside == 0 && stridesByRows(loop);
    if (all && (strided || byRows || steps_.isUniform(loop)) &&
        (pays(loop) || (!strided && !byRows && inside == insideOfBlock && holdsStrides(loop)))) {
      const bool ofBlock = !(rows_ == LaneRowsOf::Warps && walksByWarps(steps_, loop)) &&
                           (strided || byRows ? inside == 0 && steps_.stridesWithBlock(loop, byRows)
                                              : inside == insideOfBlock &&
                                                    (writesWithBlock(loop) || readsInOrder(loop)));
      if (ofBlock)
        out_.ofBlock.insert(loop);
      if (ofBlock && byRows)
        out_.byRows.insert(loop);
      if (!ofBlock && rows_ != LaneRowsOf::Warps && inside == 0 && steps_.isUniform(loop))
        out_.inShortRows.insert(loop);
      // Lanes of a warp lie side by side only where warps are rows of the block, or parts of rows.
      if (ofBlock || rows_ == LaneRowsOf::Warps ||
          (rows_ == LaneRowsOf::Parts && steps_.isUniform(loop) && !isWrittenOutAnyhow(loop))) {
        out_.loops.insert(loop);
        return true;
      }
    }
    if (isTile(loop))
      out_.writtenOut.insert(loop);
    // A short loop is unrolled and in nobody's way. In a nest compilers have to be told so.
    const bool isShort = all && steps_.tripCount(loop) <= mostUnrolled;
    if (isShort && holdsLoop(loop->getBody()) && steps_.isUniform(loop) && pays(loop, true))
      addWrittenOut(loop, steps_.facts, out_.writtenOut, mostCopiesBehind);
    return isShort;
  }

  /// Loops of few known steps are written out by compilers, around which all threads of a block run
  /// as vectors: a product of tiles of 16 x 16.
  bool isWrittenOutAnyhow(const clang::ForStmt* loop) const {
    return steps_.tripCount(loop) <= mostStepsAskedFor;
  }
  /// `threadIdx.x == k && ...`: what a single lane does is no work for all of them.
  bool isForOneLane(const clang::Expr* condition) const {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (op && op->getOpcode() == clang::BO_LAnd)
      return isForOneLane(op->getLHS()) || isForOneLane(op->getRHS());
    if (!op || op->getOpcode() != clang::BO_EQ)
      return false;
    const Step left = steps_.step(op->getLHS(), Scope::Warp),
               right = steps_.step(op->getRHS(), Scope::Warp);
    return (left == Step::One && right == Step::None) || (left == Step::None && right == Step::One);
  }

  /// Whether a short loop only computes on the thread's own arrays, in short loops over those, with
  /// what neighbouring threads read side by side.
  bool isTile(const clang::ForStmt* loop) const {
    class Body : public SyntaxVisitor {
    public:
      explicit Body(const Chooser& chooser) : chooser_(chooser) {}
      bool fits = true, ownArrays = false, neighbours = false;
      unsigned long long copies = 1;

      bool TraverseForStmt(clang::ForStmt* inner) override {
        const unsigned long long outside = copies, steps = chooser_.steps_.tripCount(inner);
        if (steps > mostUnrolled || outside * steps > mostCopies)
          return fits = false;
        copies *= steps;
        const bool more = SyntaxVisitor::TraverseForStmt(inner);
        copies = outside;
        return more;
      }
      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
        if (access->getType()->isArrayType())
          return true;
        Step total = Step::None;
        const clang::Expr* base = access;
        while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
          const Step one = chooser_.steps_.step(at->getIdx(), Scope::Block);
          total = at == access ? one : one == Step::None ? total : Step::Other;
          base = at->getBase()->IgnoreParenImpCasts();
        }
        if (ownArray(base))
          return ownArrays = true;
        neighbours |= total == Step::One;
        return fits = total != Step::Other && namedBy(base);
      }
      bool VisitStmt(clang::Stmt* s) override {
        if (llvm::isa<clang::CallExpr, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                      clang::SwitchStmt, clang::IfStmt, clang::GotoStmt, clang::LabelStmt,
                      clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt, clang::AsmStmt,
                      clang::LambdaExpr, clang::CXXTryStmt>(s))
          fits = false;
        return fits;
      }

    private:
      const Chooser& chooser_;
    };
    const unsigned long long steps = steps_.tripCount(loop);
    if (steps < 2 || steps > mostSteps || !steps_.isUniform(loop))
      return false;
    Body body(*this);
    body.copies = steps;
    body.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    return body.fits && body.ownArrays && body.neighbours;
  }

  /// A loop with one head for the block that writes rows of memory in each step, or updates what
  /// threads share. (One that only adds up keeps the sums of a warp in registers.)
  bool writesWithBlock(const clang::ForStmt* loop) const {
    const LocalVariable* local = steps_.uniformity.find(steps_.variableOf(loop));
    return local->uniform && steps_.uniformity.isUniform(loop->getCond(), Scope::Block) &&
           writesRows(loop);
  }
  /// `for (int k = 0; k < 16; ++k) { const float v = in[base + k * 256 + threadIdx.x]; ... }`: all
  /// that a loop with one head for the block reads is a row of memory in each step, a fixed way
  /// behind the last one. Block by block that is memory in order, which processors foresee; warp by
  /// warp it is as many streams of a few lines as there are steps, and costs more than to keep the
  /// sums of a block in memory: the least and greatest of an array took 1.3 times as long.
  bool readsInOrder(const clang::ForStmt* loop) const {
    class Reads : public SyntaxVisitor {
    public:
      const Chooser* chooser = nullptr;
      const clang::VarDecl* counter = nullptr;
      unsigned rows = 0;
      bool fits = true;
      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
        const bool isRow = access->getBase()->IgnoreParenImpCasts()->getType()->isPointerType() &&
                           chooser->steps_.step(access->getIdx(), Scope::Block) == Step::One &&
                           movesByRows(access->getIdx());
        rows += isRow;
        return fits &= isRow;
      }
      bool VisitUnaryOperator(clang::UnaryOperator* op) override {
        return fits &= op->getOpcode() != clang::UO_Deref;
      }
      bool VisitStmt(clang::Stmt* s) override {
        return fits &= !llvm::isa<clang::WhileStmt, clang::DoStmt, clang::ForStmt,
                                  clang::CXXForRangeStmt, clang::SwitchStmt, clang::BreakStmt,
                                  clang::ContinueStmt, clang::ReturnStmt>(s);
      }

    private:
      /// `k * 256` or `k * blockDim.x` is a term of the sum.
      bool movesByRows(const clang::Expr* e, unsigned depth = 0) const {
        constexpr unsigned deepest = 8;
        e = e->IgnoreParenImpCasts();
        if (const clang::VarDecl* variable = namedBy(e)) {
          const LocalVariable* local = chooser->steps_.uniformity.find(variable);
          return depth < deepest && local && !local->modified && !local->escapes &&
                 variable->hasInit() && movesByRows(variable->getInit(), depth + 1);
        }
        const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
        if (!op || depth == deepest)
          return false;
        if (op->getOpcode() == clang::BO_Add)
          return movesByRows(op->getLHS(), depth + 1) || movesByRows(op->getRHS(), depth + 1);
        return op->getOpcode() == clang::BO_Mul &&
               ((namedBy(op->getLHS()) == counter && isRowLong(op->getRHS())) ||
                (namedBy(op->getRHS()) == counter && isRowLong(op->getLHS())));
      }
      bool isRowLong(const clang::Expr* e) const {
        constexpr std::int64_t least = 64, most = 1024; // threads of a block
        clang::Expr::EvalResult value;
        return isPart(e->IgnoreParenImpCasts(), BlockDim) ||
               (!e->isValueDependent() &&
                e->EvaluateAsInt(value, chooser->steps_.function->getASTContext()) &&
                value.Val.getInt() >= least && value.Val.getInt() <= most);
      }
    } reads;
    const LocalVariable* local = steps_.uniformity.find(steps_.variableOf(loop));
    constexpr unsigned long long most = 64;
    if (!local || !local->uniform || steps_.tripCount(loop) > most ||
        steps_.facts.reached.scope != Scope::Block ||
        !steps_.uniformity.isUniform(loop->getCond(), Scope::Block))
      return false;
    reads.chooser = this;
    reads.counter = local->decl;
    reads.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    return reads.fits && reads.rows == 1;
  }
  /// `for (int y = blockIdx.y; y < h; y += gridDim.y) { const uchar4* row = in + y * w;`
  /// `for (int x = ...; x += gridDim.x * blockDim.x) ... }`: nothing but loops by which the block
  /// steps, which gain by themselves, and what is the same for all of it.
  bool holdsStrides(const clang::ForStmt* loop) const {
    const auto isSame = [&](const clang::Decl* decl) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      const LocalVariable* local = variable ? steps_.uniformity.find(variable) : nullptr;
      return local && local->uniform && !local->escapes && variable->hasInit() &&
             !variable->getInit()->HasSideEffects(variable->getASTContext());
    };
    const auto fits = [&](const clang::Stmt* s) {
      const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
      return declared ? std::all_of(declared->decl_begin(), declared->decl_end(), isSame)
                      : llvm::isa<clang::ForStmt>(s) &&
                            out_.ofBlock.count(llvm::cast<clang::ForStmt>(s)) &&
                            out_.strided.count(llvm::cast<clang::ForStmt>(s));
    };
    const clang::Stmt* const body = loop->getBody();
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body);
    return (list ? !list->body_empty() && llvm::isa<clang::ForStmt>(list->body_back()) &&
                       std::all_of(list->body_begin(), list->body_end(), fits)
                 : fits(body)) &&
           writesWithBlock(loop);
  }
  /// `for (int i = threadIdx.y; i < 80; i += 16) tile[i][threadIdx.x] = ...;`: each row of threads
  /// writes a row of memory in each step. (Where rows are warps, each warp does.)
  bool stridesByRows(const clang::ForStmt* loop) const {
    return rows_ != LaneRowsOf::Warps && steps_.isStrided(loop, Step::None) &&
           !steps_.uniformity.isUniform(steps_.variableOf(loop)->getInit(), Scope::Block) &&
           writesRows(loop);
  }
  bool writesRows(const clang::ForStmt* loop) const {
    class Writes : public SyntaxVisitor {
    public:
      const Chooser* chooser = nullptr;
      const clang::ForStmt* loop = nullptr;
      bool found = false;
      bool VisitCallExpr(clang::CallExpr* call) override {
        const clang::FunctionDecl* callee = call->getDirectCallee();
        found |= callee && ((hasMark(callee, "in_block") && chooser->steps_.isStatement(call)) ||
                            updatesOnly(callee));
        return true;
      }
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        return !op->isAssignmentOp() || writes(op->getLHS());
      }
      /// Structures, which copy themselves.
      bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
        return !isTrivialAssignment(call->getDirectCallee()) || writes(call->getArg(0));
      }

    private:
      bool writes(const clang::Expr* target) {
        const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(target->IgnoreParens());
        const clang::VarDecl* own =
            element ? ownArray(element->getBase()->IgnoreParenImpCasts()) : nullptr;
        found |=
            own ? chooser->isKeptAround(loop, own)
                : element && chooser->steps_.step(element->getIdx(), Scope::Block) == Step::One;
        return true;
      }
    } writes;
    writes.chooser = this;
    writes.loop = loop;
    writes.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    return writes.found;
  }

  /// `for (k ...) { const int j = threadIdx.x + k * 256; if (j <= i) ...; }`: in each step a range
  /// of the block's threads does something, which needs no masks if steps are taken one by one.
  bool isGuardedInSteps(const clang::ForStmt* loop) const {
    if (!steps_.isUniform(loop) || steps_.facts.reached.scope != Scope::Block ||
        !writesWithBlock(loop))
      return false;
    const Contents contents(loop);
    if (std::any_of(contents.uses.begin(), contents.uses.end(), [&](const auto* variable) {
          return !contents.declares.count(variable) && changesIn(loop, variable);
        }))
      return false;
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
    const clang::Stmt* last = list && !list->body_empty() ? list->body_back() : loop->getBody();
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(last);
    return branch && !branch->getElse() && isRangeOfStep(branch->getCond(), contents);
  }
  /// `for (k ...) { const int i = k * 128 + threadIdx.x; v[k] = in[i]; out[i] = v[k]; }`: a loop
  /// over a thread's items, in each step of which the block stores a long row, while the items live
  /// through barriers and so in memory. With all steps in one, a row of threads would go along that
  /// many rows at once, which processors do not foresee.
  bool isRowInSteps(const clang::ForStmt* loop) const {
    class Rows : public SyntaxVisitor {
    public:
      const Chooser* chooser = nullptr;
      const clang::ForStmt* loop = nullptr;
      bool fits = true, stores = false;
      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
        if (const clang::VarDecl* own = ownArray(access->getBase()->IgnoreParenImpCasts()))
          fits &= chooser->isKeptBeside(loop, own);
        return fits;
      }
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        return !op->isAssignmentOp() || store(op->getLHS());
      }
      bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
        return !isTrivialAssignment(call->getDirectCallee()) || store(call->getArg(0));
      }

    private:
      bool store(const clang::Expr* target) {
        const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(target->IgnoreParens());
        if (!element || ownArray(element->getBase()->IgnoreParenImpCasts()) ||
            element->getType()->isDependentType() ||
            !element->getBase()->IgnoreParenImpCasts()->getType()->isPointerType())
          return true;
        constexpr std::int64_t longRow = 1024; // bytes
        const auto apart = chooser->distanceOfSteps(element->getIdx(), loop);
        const clang::ASTContext& context = chooser->steps_.function->getASTContext();
        return stores |=
               apart &&
               *apart * context.getTypeSizeInChars(element->getType()).getQuantity() >= longRow &&
               chooser->steps_.step(element->getIdx(), Scope::Block) == Step::One;
      }
    } rows;
    if (!steps_.isUniform(loop) || steps_.facts.reached.scope != Scope::Block ||
        steps_.tripCount(loop) < 2 || holdsLoop(loop->getBody()) || !writesWithBlock(loop))
      return false;
    rows.chooser = this;
    rows.loop = loop;
    rows.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    return rows.fits && rows.stores;
  }
  /// By how many elements a place moves in each step of a loop, if by a number: `k * 128 + t`.
  std::optional<std::int64_t> distanceOfSteps(const clang::Expr* place, const clang::ForStmt* loop,
                                              unsigned depth = 0) const {
    const clang::ASTContext& context = steps_.function->getASTContext();
    place = place->IgnoreParenImpCasts();
    if (depth > 8)
      return std::nullopt;
    if (const clang::VarDecl* variable = namedBy(place)) {
      if (variable == steps_.variableOf(loop))
        return 1;
      const LocalVariable* local = steps_.uniformity.find(variable);
      return local && local->modified ? std::nullopt
             : local && variable->hasInit() && !llvm::isa<clang::ParmVarDecl>(variable)
                 ? distanceOfSteps(variable->getInit(), loop, depth + 1)
                 : std::optional<std::int64_t>(0);
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(place);
    if (!op)
      return 0;
    const auto left = distanceOfSteps(op->getLHS(), loop, depth + 1),
               right = distanceOfSteps(op->getRHS(), loop, depth + 1);
    constexpr std::int64_t most = std::int64_t(1) << 20;
    if (!left || !right || *left > most || *right > most)
      return std::nullopt;
    if (op->getOpcode() == clang::BO_Add)
      return *left + *right;
    if (op->getOpcode() == clang::BO_Mul && *left + *right != 0) {
      const auto by = constantOf(*left ? op->getRHS() : op->getLHS(), context);
      return by && *by > 0 && *by <= most ? std::optional(*by * (*left + *right)) : std::nullopt;
    }
    return *left == 0 && *right == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  }
  /// Whether a loop changes a scalar of the thread's, which would be kept from step to step.
  bool changesIn(const clang::ForStmt* loop, const clang::VarDecl* variable) const {
    const LocalVariable* local = steps_.uniformity.find(variable);
    if (!local || !local->scalar || !local->modified)
      return false;
    return local->escapes || std::any_of(local->assignments.begin(), local->assignments.end(),
                                         [&](const clang::Stmt* at) {
                                           while (at && at != loop)
                                             at = steps_.uniformity.parents().getParent(at);
                                           return at != nullptr;
                                         });
  }
  bool isRangeOfStep(const clang::Expr* condition, const Contents& contents) const {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (op && op->getOpcode() == clang::BO_LAnd)
      return isRangeOfStep(op->getLHS(), contents) || isRangeOfStep(op->getRHS(), contents);
    if (!op || !op->isRelationalOp())
      return false;
    const std::set<const clang::VarDecl*> used = Contents(op).uses;
    return steps_.step(op->getLHS(), Scope::Block) == Step::One &&
           steps_.step(op->getRHS(), Scope::Block) == Step::None &&
           std::any_of(used.begin(), used.end(), [&](const clang::VarDecl* variable) {
             return contents.declares.count(variable) != 0;
           });
  }
  /// Whether a thread's array lives through barriers of a loop around this one: it lies in memory
  /// then, the same element of all threads side by side.
  bool isKeptAround(const clang::ForStmt* loop, const clang::VarDecl* array) const {
    const clang::ParentMap& parents = steps_.uniformity.parents();
    for (const clang::Stmt* at = parents.getParent(loop); at; at = parents.getParent(at))
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(at) && Barriers(at).found)
        return Contents(at).declares.count(array) == 0 || isKeptBeside(loop, array);
    return false;
  }
  /// Whether it lives through a barrier between this loop and a statement beside it.
  bool isKeptBeside(const clang::ForStmt* loop, const clang::VarDecl* array) const {
    const clang::ParentMap& parents = steps_.uniformity.parents();
    const clang::Stmt* around = parents.getParent(loop);
    while (llvm::isa_and_nonnull<clang::AttributedStmt>(around)) // #pragma unroll
      around = parents.getParent(around);
    const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(around);
    if (!list)
      return false;
    bool used = false, met = false;
    for (const clang::Stmt* s : list->body()) {
      met |= used && Barriers(s).found;
      const bool uses = !llvm::isa<clang::DeclStmt>(s) && Contents(s).uses.count(array) != 0;
      if (uses && met)
        return true;
      used |= uses;
    }
    return false;
  }

  /// Whether a thread's array can lie in memory as rows, one for each element: loops over it are
  /// written out, and so is all between them and the loops that are cut.
  bool isKeptInRows(const clang::VarDecl* array) const {
    const auto known = inRows_.find(array);
    if (known != inRows_.end())
      return known->second;
    class Uses : public SyntaxVisitor {
    public:
      Uses(const Chooser& chooser, const clang::VarDecl* array)
          : chooser_(chooser), array_(array) {}
      bool fits = true;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        const clang::ParentMap& parents = chooser_.steps_.uniformity.parents();
        const clang::Stmt* at = use->getDecl() == array_ ? use : nullptr;
        const clang::Stmt* const declared =
            at ? chooser_.steps_.uniformity.find(array_)->statement : nullptr;
        while (fits && at && (at = parents.getParent(at))) {
          const auto* list = llvm::dyn_cast<clang::CompoundStmt>(at);
          if (list && std::find(list->body_begin(), list->body_end(), declared) != list->body_end())
            break;
          const auto* loop = llvm::dyn_cast<clang::ForStmt>(at);
          fits = loop ? chooser_.steps_.isUniform(loop)
                      : !llvm::isa<clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(at);
        }
        return fits;
      }

    private:
      const Chooser& chooser_;
      const clang::VarDecl* array_;
    } uses(*this, array);
    const LocalVariable* local = steps_.uniformity.find(array);
    bool fits = steps_.rows && local && local->statement && mayLieInRows(array, steps_.facts);
    if (fits) {
      uses.TraverseStmt(steps_.function->getBody());
      fits = uses.fits;
    }
    return inRows_[array] = fits;
  }

  /// How often the innermost code of a loop would be written out.
  unsigned long long copiesIn(const clang::Stmt* s) const {
    unsigned long long most = 1;
    for (const clang::Stmt* child : s->children())
      if (child)
        most = std::max(most, copiesIn(child));
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    return loop ? most * std::min(steps_.tripCount(loop), 1000ull) : most;
  }
  /// Whether threads update what they share in a statement beside a loop, or in one around: these
  /// follow one another, and would make no vectors of the loop once it is written out.
  bool updatesBeside(const clang::ForStmt* loop) const {
    class Updates : public SyntaxVisitor {
    public:
      explicit Updates(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
      bool found = false;
      bool VisitCallExpr(clang::CallExpr* call) override {
        const clang::FunctionDecl* callee = call->getDirectCallee();
        return !(found |= callee && (hasMark(callee, "in_block") || updatesOnly(callee)));
      }
    };
    const clang::ParentMap& parents = steps_.uniformity.parents();
    for (const clang::Stmt* at = loop; (at = parents.getParent(at));) {
      const auto* list = llvm::dyn_cast<clang::CompoundStmt>(at);
      if (list && llvm::any_of(list->body(), [&](const clang::Stmt* s) {
            return !Barriers(s).found && Updates(s).found;
          }))
        return true;
      if (Barriers(at).found)
        return false;
    }
    return false;
  }

  /// `for (int k = 0; k < 64; k += 32) a[(row + k) * 8 + column] = ...`, with `row = threadIdx.x /
  /// 8` and `column = threadIdx.x % 8`: a loop of few steps in which threads of one quotient are
  /// neighbours. A region that keeps it runs in parts of rows (cu2cpp::eachThreadByParts); a warp
  /// is several of them, and would gather.
  bool staysInParts(const clang::ForStmt* loop) const {
    const clang::ParentMap& parents = steps_.uniformity.parents();
    for (const clang::Stmt* at = loop; (at = parents.getParent(at));)
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(at) && !Barriers(at).found)
        return false;
    return steps_.facts.reached.scope == Scope::Block && steps_.isUniform(loop) &&
           steps_.wideTripCount(loop) <= mostUnrolled && !holdsLoop(loop->getBody()) &&
           steps_.dividesPlaces(loop->getBody());
  }

  /// Whether the loop's body gains from neighbouring threads side by side; loops of a few steps
  /// do only if they are `writtenOut`.
  bool pays(const clang::ForStmt* loop, bool writtenOut = false) const {
    class Body : public SyntaxVisitor {
    public:
      const Chooser* chooser = nullptr;
      const clang::ForStmt* loop = nullptr;
      const clang::VarDecl* variable = nullptr;
      const clang::ForStmt* guarded = nullptr; ///< a range of threads in each step
      unsigned neighbours = 0, work = 0;
      bool strided = false, fits = true;
      bool rowInSteps = false;      ///< `guarded` is a loop over items of a thread
      bool inBlock = false;         ///< steps are taken by a row of the block's threads
      bool ofRows = false;          ///< names arrays that can lie in rows
      mutable bool updates = false; ///< memory that threads share
      mutable unsigned long long operations = 0; ///< of functions that compute in rounds

      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
        const clang::Expr* base = access->getBase()->IgnoreParenImpCasts();
        // An array of the thread's own: its elements lie far from the neighbour's, if they do not
        // lie in rows.
        if (const clang::VarDecl* own = ownArray(base)) {
          const bool kept = guarded && chooser->steps_.stepOfMost(access->getIdx()) == Step::None &&
                            (rowInSteps ? chooser->isKeptBeside(guarded, own)
                                        : chooser->isKeptAround(guarded, own));
          const bool inRows = !kept && chooser->isKeptInRows(own);
          ofRows |= inRows;
          return fits = kept || inRows;
        }
        // Neighbours in a turned copy.
        if (!access->getType()->isArrayType() && chooser->columns_.isRead(access, loop)) {
          ++neighbours;
          return true;
        }
        // Structures gain where steps of a thread lie far from each other, and where one is a word
        // (a pixel), as scalars do.
        const clang::ASTContext& context = chooser->steps_.function->getASTContext();
        if (!access->getType()->isScalarType() && !access->getType()->isDependentType() &&
            !isWord(access->getType(), context)) {
          neighbours +=
              (strided || guarded) && chooser->steps_.stepOfMost(access->getIdx()) == Step::One;
          return true;
        }
        const Step total =
            sum(chooser->steps_.stepOfMost(access->getIdx()),
                base->getType()->isArrayType() ? rowStep(base) : chooser->steps_.stepOfMost(base));
        neighbours +=
            total == Step::One || (inBlock && chooser->steps_.findsPartner(access->getIdx()));
        work += total == Step::None;
        // Each thread walks along memory of its own: better one after the other.
        if (total == Step::Other && alongLoop(access->getIdx()))
          return fits = false;
        return true;
      }
      bool VisitUnaryOperator(clang::UnaryOperator* op) override {
        return fits &= op->getOpcode() != clang::UO_Deref;
      }
      bool VisitCallExpr(clang::CallExpr* call) override {
        const auto callees = calleesOf(call, chooser->steps_.facts);
        for (const clang::FunctionDecl* callee : callees) {
          work += callee ? workIn(callee, chooser->steps_.all) : 0;
          neighbours += strided && callee && loadsNeighbours(call, callee);
        }
        return fits = !callees.empty() &&
                      std::all_of(callees.begin(), callees.end(),
                                  [&](const auto* callee) { return worksOnValues(call, callee); });
      }
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        work += (op->isComparisonOp() ? op->getLHS() : op)->getType()->isFloatingType();
        return true;
      }
      bool VisitConditionalOperator(clang::ConditionalOperator* choice) override {
        work += choice->getType()->isFloatingType();
        return true;
      }
      bool VisitReturnStmt(clang::ReturnStmt*) override { return fits = false; }
      bool VisitBreakStmt(clang::BreakStmt*) override { return fits = false; }
      bool VisitContinueStmt(clang::ContinueStmt*) override { return fits = false; }
      bool VisitGotoStmt(clang::GotoStmt*) override { return fits = false; }
      bool VisitSwitchStmt(clang::SwitchStmt*) override { return fits = false; }
      bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return fits = false; }
      bool VisitLambdaExpr(clang::LambdaExpr*) override { return fits = false; }
      bool VisitCXXNewExpr(clang::CXXNewExpr*) override { return fits = false; }
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        return fits &= !use->getType().isVolatileQualified();
      }

    private:
      bool worksOnValues(const clang::CallExpr* call, const clang::FunctionDecl* callee) const {
        // Threads may change one place in any order. What each finds there is not to depend on it.
        if ((hasMark(callee, "in_block") && chooser->steps_.isStatement(call)) ||
            updatesOnly(callee))
          return updates = true;
        if (hasMark(callee, "thread") || callee->isVariadic())
          return false;
        if (isTrivialAssignment(callee))
          return true;
        if (const auto inRounds = operationsInRounds(call, chooser->steps_.all)) {
          operations += *inRounds;
          return true;
        }
        // `sincosf(x, &s, &c)`, of a header.
        if (const FunctionFacts* known = chooser->steps_.all.find(callee);
            setsOwnNumbers(call) && !(known && known->device) && !hasMark(callee, "device"))
          return true;
        if (std::none_of(call->arg_begin(), call->arg_end(), mayPointIntoOwn) &&
            loadsInShortLoops(callee, chooser->steps_.all))
          return true;
        // What a method reads of an object in memory cannot be seen here.
        const clang::Expr* object = objectOf(call, callee);
        const clang::VarDecl* named = object ? namedBy(object) : nullptr;
        const bool places =
            std::any_of(callee->param_begin(), callee->param_end(), [](const auto* parameter) {
              return parameter->getType()->isPointerType() ||
                     (parameter->getType()->isReferenceType() &&
                      !parameter->getType()->getPointeeType().isConstQualified());
            });
        if (places && object && isOfNumbers(object->getType()) &&
            !(named && named->hasLocalStorage() && !named->getType()->isReferenceType()))
          return false;
        for (unsigned i = 0; i < callee->getNumParams(); ++i) {
          const clang::QualType type = callee->getParamDecl(i)->getType();
          const bool place = type->isPointerType() && i < call->getNumArgs();
          if (place ? !isAddressOfScalar(call->getArg(i), chooser->steps_.uniformity) ||
                          !changesScalarsOnly(callee, chooser->steps_.all)
                    : type->isPointerType() ||
                          (type->isReferenceType() && !type->getPointeeType().isConstQualified() &&
                           !changesScalarsOnly(callee, chooser->steps_.all)))
            return false;
        }
        return true;
      }
      /// `points.isNear(me, j)`: a function that loads where neighbouring threads name neighbours.
      bool loadsNeighbours(const clang::CallExpr* call, const clang::FunctionDecl* callee) const {
        const unsigned first =
            llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee);
        for (unsigned i = 0; i < callee->getNumParams() && first + i < call->getNumArgs(); ++i) {
          const clang::Expr* place = call->getArg(first + i);
          if (place->getType()->isIntegerType() && chooser->steps_.stepOfMost(place) == Step::One &&
              loadsAt(callee, i))
            return true;
        }
        return false;
      }
      /// Whether an argument may point into what each thread has for itself.
      static bool mayPointIntoOwn(const clang::Expr* argument) {
        class Places : public SyntaxVisitor {
        public:
          bool found = false;
          bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
            if (cast->getCastKind() == clang::CK_ArrayToPointerDecay)
              found |= !namedBy(cast->getSubExpr()) ||
                       ownArray(cast->getSubExpr()->IgnoreParenImpCasts());
            return !found;
          }
          bool VisitUnaryOperator(clang::UnaryOperator* op) override {
            found |= op->getOpcode() == clang::UO_AddrOf;
            return !found;
          }
          bool VisitCallExpr(clang::CallExpr*) override { return !(found = true); }
        } places;
        if (!argument->getType()->isPointerType())
          return false;
        places.TraverseStmt(const_cast<clang::Expr*>(argument));
        return places.found;
      }
      /// The object that a method is called of.
      static const clang::Expr* objectOf(const clang::CallExpr* call,
                                         const clang::FunctionDecl* callee) {
        if (!llvm::isa<clang::CXXMethodDecl>(callee))
          return nullptr;
        if (const auto* ofMember = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
          return ofMember->getImplicitObjectArgument();
        return llvm::isa<clang::CXXOperatorCallExpr>(call) ? call->getArg(0) : nullptr;
      }
      static Step sum(Step a, Step b) {
        return a == Step::None ? b : b == Step::None ? a : Step::Other;
      }
      Step rowStep(const clang::Expr* base) const {
        const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(base);
        if (!row)
          return Step::None;
        return chooser->steps_.stepOfMost(row->getIdx()) == Step::None
                   ? rowStep(row->getBase()->IgnoreParenImpCasts())
                   : Step::Other;
      }
      /// Whether an index grows by one with the loop's variable.
      bool alongLoop(const clang::Expr* index) const {
        index = index->IgnoreParenCasts();
        if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(index))
          return use->getDecl() == variable;
        const auto* op = llvm::dyn_cast<clang::BinaryOperator>(index);
        return op && op->isAdditiveOp() && (alongLoop(op->getLHS()) || alongLoop(op->getRHS()));
      }
    } body;
    body.chooser = this;
    body.loop = loop;
    body.variable = steps_.variableOf(loop);
    body.strided = !steps_.isUniform(loop);
    body.inBlock = steps_.isStrided(loop) && steps_.stridesWithBlock(loop);
    body.rowInSteps = isRowInSteps(loop);
    if (body.rowInSteps || isGuardedInSteps(loop))
      body.guarded = loop;
    body.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    // Updates of what threads share follow one another, and make no vectors of unrolled steps.
    if (writtenOut)
      return body.fits && !body.updates && body.neighbours > 0;
    const bool isShort = steps_.tripCount(loop) <= mostUnrolled &&
                         !(body.ofRows && copiesIn(loop) > mostSteps && updatesBeside(loop));
    if (!body.fits || (isShort && !body.updates && !body.guarded))
      return false;
    if (!body.updates && !body.guarded && staysInParts(loop))
      return false;
    // Of a hash's rounds vectors make many times as many as a thread alone.
    constexpr unsigned long long leastOperations = 128;
    return body.neighbours > 0 || (body.work > 2 && steps_.isUniform(loop)) ||
           (body.strided && body.operations >= leastOperations);
  }

  const LoopSteps steps_;
  const LaneRowsOf rows_;
  const ColumnReads columns_;
  mutable std::map<const clang::VarDecl*, bool> inRows_;
  LaneLoops out_;
};

} // namespace

LaneLoops findLaneLoops(const Facts& facts, const FunctionFacts& function,
                        const Uniformity& uniformity, LaneRowsOf rows) {
  return Chooser(facts, function, uniformity, rows).choose();
}

} // namespace cu2cpp
