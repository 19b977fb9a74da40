// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests of loops by which threads of a grid of two or three dimensions share rows and columns: each
// thread steps by the grid. In each step the block's threads are a tile, so all of them may step
// together:
//
//   for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
//     for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x)
//       out[y * w + x] = in[y * w + x];
//   ->
//   for (long long cuFrom_y = 0; cuFrom_y < (h); cuFrom_y += gridDim.y * blockDim.y) {
//     int y = blockIdx.y * blockDim.y + threadIdx.y + (int)cuFrom_y;
//     for (long long cuFrom_x = 0; cuFrom_x < (w); cuFrom_x += gridDim.x * blockDim.x) {
//       int x = blockIdx.x * blockDim.x + threadIdx.x + (int)cuFrom_x;
//       if (y < h && x < w) out[y * w + x] = in[y * w + x];
//   }}
//
// Each thread takes the same elements in the same order as before. The loops now are one for the
// block and, where blocks share nothing, for those beside it (analyse/joined_blocks.h).
//
// Nests of kernels that only count stay as they are (analyse/grid_sums.h).
//
// Where the loop over columns is the outer one and nothing happens but that integers of shared
// memory are updated, whose order nobody sees, the loop over rows becomes it.
#include <algorithm>
#include <string>

#include "analyse/grid_sums.h"
#include "analyse/lane_loop_parts.h"
#include "analyse/marks.h"
#include "analyse/plain_body.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {
namespace {

/// A summand of where a thread begins.
struct Summand {
  const clang::Expr* value = nullptr;
  bool negative = false;
  bool elsewhere = false; ///< it stands where a variable is declared
};

/// A loop of such a nest.
struct GridLoop {
  const clang::ForStmt* loop = nullptr;
  const clang::VarDecl* variable = nullptr;
  const clang::BinaryOperator* test = nullptr;
  std::string axis; ///< x, y or z
  std::string head; ///< of the loop that all threads take
  std::string own;  ///< declares the thread's place
  std::string all;  ///< asks whether no thread's place is too far; empty if that is not known
};

/// Whether code computes something that is the same wherever it is asked for, but for the places
/// that the loops around it count; divisions only by numbers, since threads without an element
/// compute it too.
class Repeatable : public SyntaxVisitor {
public:
  Repeatable(const PlainBody& body, const std::vector<GridLoop>& loops)
      : body_(body), loops_(loops) {}
  bool fits = true;

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
    const bool counts = std::any_of(loops_.begin(), loops_.end(),
                                    [&](const GridLoop& one) { return one.variable == variable; });
    return fits &= counts || !local || (!local->modified && !local->escapes);
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const bool divides = op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem;
    return fits &= !op->isAssignmentOp() &&
                   (!divides || constantOf(op->getRHS(), body_.unit.context()).value_or(0) > 0);
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return fits &= op->getOpcode() != clang::UO_Deref && !op->isIncrementDecrementOp();
  }
  bool VisitCallExpr(clang::CallExpr*) override { return fits = false; }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return fits = false; }

private:
  const PlainBody& body_;
  const std::vector<GridLoop>& loops_;
};

/// What the innermost body does.
class Work : public SyntaxVisitor {
public:
  Work(const PlainBody& body, const Facts& facts)
      : body_(body), facts_(facts), alongRow_(body.function->getBody(), "x") {}
  bool fits = true;
  bool stores = false;     ///< to neighbours in memory, or updates what threads share
  bool neighbours = false; ///< reaches for neighbours in memory
  bool onlyUpdates = true; ///< changes nothing but integers of shared memory

  void look(const clang::Stmt* s) {
    declared_ = Contents(s).declares;
    TraverseStmt(const_cast<clang::Stmt*>(s));
    // Nothing else asks what is updated.
    for (const auto& [array, updates] : updated_)
      onlyUpdates &= named_[array] == updates;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
    const clang::Expr* array = arrayOf(access)->IgnoreParenImpCasts();
    const clang::VarDecl* named = namedBy(array);
    // What a pointer of the thread's points at may be what is updated.
    onlyUpdates &= llvm::isa<clang::ArraySubscriptExpr>(array) ||
                   (named && (isShared(named) || llvm::isa<clang::ParmVarDecl>(named)));
    neighbours |= alongRow_.slope(indexOf(access)) == 1;
    // Places that memory tells are fetched ahead where each warp goes its own way.
    fits &= !Uniformity::readsMemory(indexOf(access)) || (named && isShared(named));
    return fits &= !ownArray(array);
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return !op->isAssignmentOp() || change(op->getLHS());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      return change(op->getSubExpr());
    return fits &= op->getOpcode() != clang::UO_Deref;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee)
      return fits = false;
    if (hasMark(callee, "in_block") && isStatement(call)) {
      addUpdate(call, callee->getNameAsString());
      return stores = true;
    }
    onlyUpdates = false;
    return fits &= isPureFunction(callee, facts_);
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    const auto counts = countingLoop(loop);
    const bool alike =
        counts && body_.variables.isUniform(counts->from) && body_.variables.isUniform(counts->to);
    return fits &= alike || stepsBetweenConstants(loop).value_or(~0ull) <= mostUnrolled;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (variable && isShared(variable))
      ++named_[variable];
    return fits &= !use->getType().isVolatileQualified();
  }
  bool VisitStmt(clang::Stmt* s) override {
    return fits &=
           !llvm::isa<clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt, clang::SwitchStmt,
                      clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt,
                      clang::LabelStmt, clang::AsmStmt, clang::LambdaExpr, clang::CXXNewExpr,
                      clang::CXXDeleteExpr, clang::CXXTryStmt, clang::CXXThrowExpr>(s);
  }

private:
  void addUpdate(const clang::CallExpr* call, const std::string& name) {
    static const std::set<std::string> known = {"atomicAdd", "atomicSub", "atomicMin", "atomicMax",
                                                "atomicAnd", "atomicOr",  "atomicXor"};
    const auto* place =
        llvm::dyn_cast<clang::UnaryOperator>(call->getArg(0)->IgnoreParenImpCasts());
    const auto* element =
        place && place->getOpcode() == clang::UO_AddrOf
            ? llvm::dyn_cast<clang::ArraySubscriptExpr>(place->getSubExpr()->IgnoreParenImpCasts())
            : nullptr;
    const clang::VarDecl* array = element ? elementOf(element).array : nullptr;
    onlyUpdates &= array && isShared(array) && element->getType()->isIntegerType() &&
                   known.count(name) && (function_.empty() || function_ == name);
    function_ = name;
    ++updated_[array];
  }
  bool change(const clang::Expr* target) {
    target = target->IgnoreParens();
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(target)) {
      onlyUpdates = false;
      const unsigned slope = alongRow_.slope(indexOf(element));
      stores |= slope == 1;
      return fits &= slope <= 1;
    }
    while (const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(target))
      target = member->isArrow() ? nullptr : member->getBase()->IgnoreParens();
    const clang::VarDecl* variable = target ? namedBy(target) : nullptr;
    if (!variable && target) // `out[i].x = ...`
      if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(target))
        return change(element);
    return fits &= variable && declared_.count(variable) && !variable->getType()->isReferenceType();
  }
  bool isStatement(const clang::Expr* e) const {
    const clang::Stmt* parent = body_.variables.parents().getParent(e);
    const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(parent);
    const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(parent);
    return llvm::isa_and_nonnull<clang::CompoundStmt>(parent) ||
           (branch && branch->getCond() != e) || (loop && loop->getBody() == e);
  }

  const PlainBody& body_;
  const Facts& facts_;
  Slopes alongRow_;
  std::set<const clang::VarDecl*> declared_;
  std::map<const clang::VarDecl*, unsigned> named_, updated_;
  std::string function_; ///< by which they are updated
};

class Nests {
public:
  Nests(const PlainBody& body, const Facts& facts) : body_(body), facts_(facts) {}

  /// Rewrites the nest that begins with a loop; false if there is none.
  bool rewrite(const clang::ForStmt* outer) {
    std::vector<GridLoop> loops;
    std::vector<const clang::DeclStmt*> between;
    const clang::Stmt* inner = outer;
    while (const auto* loop = llvm::dyn_cast<clang::ForStmt>(inner)) {
      const auto found = gridLoop(loop);
      if (!found || std::any_of(loops.begin(), loops.end(), [&](const GridLoop& other) {
            return other.axis == found->axis || !outlives(other, *found);
          }))
        break;
      loops.push_back(*found);
      const clang::Stmt* next = loop->getBody();
      const auto* list = llvm::dyn_cast<clang::CompoundStmt>(next);
      if (list && !list->body_empty() && llvm::isa<clang::ForStmt>(list->body_back()) &&
          std::all_of(list->body_begin(), list->body_end() - 1,
                      [](const clang::Stmt* s) { return llvm::isa<clang::DeclStmt>(s); })) {
        next = list->body_back();
        // Where this loop turns out to be the innermost one, these are a part of its body.
        if (gridLoop(llvm::cast<clang::ForStmt>(next)))
          for (auto at = list->body_begin(); at + 1 != list->body_end(); ++at)
            between.push_back(llvm::cast<clang::DeclStmt>(*at));
        else
          next = loop->getBody();
      }
      inner = next;
    }
    const bool rows = std::any_of(loops.begin(), loops.end(),
                                  [](const GridLoop& loop) { return loop.axis == "x"; });
    if (loops.size() < 2 || !rows || !areRepeatable(between, loops))
      return false;
    Work work(body_, facts_);
    work.look(inner);
    const FunctionFacts* kernel = facts_.find(body_.function);
    if (!work.fits || !work.stores || !work.neighbours ||
        (kernel && placesOfGrid(body_.unit, *kernel, outer, facts_)))
      return false;
    const bool turns = work.onlyUpdates && between.empty() && loops.size() == 2 &&
                       loops.front().axis == "x" && haveSimpleBodies(loops);
    return write(loops, turns);
  }

private:
  /// Whether the head of a loop says nothing about the place that a loop around it counts.
  static bool outlives(const GridLoop& outer, const GridLoop& inner) {
    return !countUses(inner.test, outer.variable) &&
           !countUses(inner.loop->getInc(), outer.variable) &&
           !countUses(inner.variable->getInit(), outer.variable) &&
           outer.variable != inner.variable &&
           outer.variable->getName() != inner.variable->getName();
  }
  static bool haveSimpleBodies(const std::vector<GridLoop>& loops) {
    return loops[0].loop->getBody() == loops[1].loop;
  }
  bool areRepeatable(const std::vector<const clang::DeclStmt*>& between,
                     const std::vector<GridLoop>& loops) const {
    return std::all_of(between.begin(), between.end(), [&](const clang::DeclStmt* s) {
      return std::all_of(s->decl_begin(), s->decl_end(), [&](const clang::Decl* decl) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
        if (!local || local->modified || local->escapes || !variable->hasInit() ||
            !(variable->getType()->isScalarType() || variable->getType()->isDependentType()) ||
            variable->getType().isVolatileQualified() || variable->isStaticLocal() ||
            isShared(variable) || Uniformity::readsMemory(variable->getInit()))
          return false;
        Repeatable value(body_, loops);
        value.TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
        return value.fits;
      });
    });
  }

  /// The value of a variable that never changes; others are their own.
  const clang::Expr* resolved(const clang::Expr* e, bool& elsewhere) const {
    constexpr unsigned deepest = 8;
    for (unsigned depth = 0; depth < deepest; ++depth) {
      const clang::VarDecl* variable = namedBy(plainly(e));
      const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
      if (!local || local->modified || local->escapes || !variable->hasInit() ||
          llvm::isa<clang::ParmVarDecl>(variable) || !variable->getType()->isIntegerType() ||
          body_.unit.context().getTypeSize(variable->getType()) < 32)
        break;
      e = variable->getInit();
      elsewhere = true;
    }
    return e;
  }
  void addSummands(const clang::Expr* e, bool negative, bool elsewhere,
                   std::vector<Summand>& out) const {
    e = behindWideCasts(resolved(e, elsewhere));
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op || !op->isAdditiveOp())
      return out.push_back({e, negative, elsewhere});
    addSummands(op->getLHS(), negative, elsewhere, out);
    addSummands(op->getRHS(), negative != (op->getOpcode() == clang::BO_Sub), elsewhere, out);
  }
  /// The axis of `blockIdx.x * blockDim.x` or `gridDim.x * blockDim.x`, in any order and with
  /// numbers for blockDim.x (`asked`: without); empty if it is none.
  std::string axisOf(const clang::Expr* product, Builtin of, bool& asked) const {
    bool elsewhere = false;
    const auto* op =
        llvm::dyn_cast<clang::BinaryOperator>(behindWideCasts(resolved(product, elsewhere)));
    if (!op || op->getOpcode() != clang::BO_Mul)
      return "";
    const clang::Expr* left = resolved(op->getLHS(), elsewhere);
    const clang::Expr* right = resolved(op->getRHS(), elsewhere);
    for (const char* axis : {"x", "y", "z"})
      for (const auto& [one, other] : {std::pair(left, right), std::pair(right, left)})
        if (isPart(one, of, axis) && (isPart(other, BlockDim, axis) ||
                                      constantOf(other, body_.unit.context()).value_or(0) > 0)) {
          asked &= isPart(other, BlockDim, axis);
          return axis;
        }
    return "";
  }
  std::optional<std::string> lineOf(const clang::Expr* e) const {
    const auto range = body_.text.writtenRange(e->getSourceRange());
    return range && body_.text.isWhole(e) ? onOneLine(body_.text, *range, {}) : std::nullopt;
  }

  /// What the starts of all threads have in common beside where block and thread are: ` + (r)`.
  std::optional<std::string> restOf(const std::vector<Summand>& summands, const std::string& axis,
                                    bool isUnsigned, bool& asked) const {
    std::string rest;
    bool block = false, thread = false;
    for (const Summand& summand : summands) {
      if (!summand.negative && !block && axisOf(summand.value, BlockIdx, asked) == axis) {
        block = true;
        continue;
      }
      if (!summand.negative && !thread && isPart(summand.value, ThreadIdx, axis)) {
        thread = true;
        continue;
      }
      const auto number = constantOf(summand.value, body_.unit.context());
      constexpr std::int64_t most = 1 << 20;
      if (number && *number >= 0 && *number <= most && !(isUnsigned && summand.negative)) {
        rest += (summand.negative ? " - " : " + ") + std::to_string(*number);
        continue;
      }
      const clang::QualType type = summand.value->getType();
      const auto line = summand.elsewhere ? std::nullopt : lineOf(summand.value);
      if (isUnsigned || !line || type->isDependentType() || !type->isSignedIntegerType() ||
          !body_.isFixed(summand.value) || !body_.variables.isUniform(summand.value))
        return std::nullopt;
      rest += (summand.negative ? " - (" : " + (") + *line + ")";
    }
    return block && thread ? std::optional(rest) : std::nullopt;
  }

  std::optional<GridLoop> gridLoop(const clang::ForStmt* loop) const {
    GridLoop out;
    out.loop = loop;
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    out.variable = init && init->isSingleDecl()
                       ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                       : nullptr;
    const LocalVariable* local = out.variable ? body_.variables.find(out.variable) : nullptr;
    out.test = loop->getCond()
                   ? llvm::dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts())
                   : nullptr;
    const auto* step = loop->getInc()
                           ? llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens())
                           : nullptr;
    const clang::ASTContext& context = body_.unit.context();
    if (!local || local->escapes || !out.variable->hasInit() || out.variable->hasAttrs() ||
        !out.test || !step || loop->getConditionVariable() || local->assignments.size() != 1 ||
        local->assignments.front() != step || step->getOpcode() != clang::BO_AddAssign ||
        (out.test->getOpcode() != clang::BO_LT && out.test->getOpcode() != clang::BO_LE) ||
        namedBy(plainly(out.test->getLHS())) != out.variable ||
        out.variable->getType().hasLocalQualifiers() || !out.variable->getType()->isIntegerType() ||
        out.variable->getType()->isDependentType() ||
        context.getTypeSize(out.variable->getType()) < 32 || loop->getBeginLoc().isMacroID() ||
        loop->getRParenLoc().isMacroID() || body_.mayBeHidden(out.variable))
      return std::nullopt;
    const clang::Expr* limit = out.test->getRHS();
    const clang::QualType compared = out.test->getLHS()->getType();
    const auto bound = lineOf(limit), by = lineOf(step->getRHS()),
               start = lineOf(out.variable->getInit()), condition = lineOf(out.test);
    if (!bound || !by || !start || !condition || compared->isDependentType() ||
        !compared->isIntegerType() || !body_.isFixed(limit) || !body_.variables.isUniform(limit) ||
        !body_.isFixed(step->getRHS()) || !body_.isFixed(out.variable->getInit()))
      return std::nullopt;
    bool asked = true; // for blockDim
    out.axis = axisOf(step->getRHS(), GridDim, asked);
    std::vector<Summand> summands;
    addSummands(out.variable->getInit(), false, false, summands);
    const bool isUnsigned =
        compared->isUnsignedIntegerType() || out.variable->getType()->isUnsignedIntegerType();
    const auto rest =
        out.axis.empty() ? std::nullopt : restOf(summands, out.axis, isUnsigned, asked);
    if (!rest)
      return std::nullopt;
    const std::string name = out.variable->getNameAsString(), from = "cuFrom_" + name;
    const std::string type =
        out.variable->getType().getUnqualifiedType().getAsString(context.getPrintingPolicy());
    const std::string whole =
        compared->isUnsignedIntegerType()
            ? "(" + compared.getUnqualifiedType().getAsString(context.getPrintingPolicy()) + ")"
            : "";
    const bool ends = out.test->getOpcode() == clang::BO_LE;
    const std::string least = from + *rest, most = whole + "(" + *bound + ")";
    // No sum of this width wraps around where the thread's own does not.
    out.head = "for (long long " + from + " = 0; " + least + (ends ? " <= " : " < ") + most + "; " +
               from + " += " + *by + ")";
    if (asked)
      out.all = least + " + (long long)(" + *by + ") " + (ends ? "- 1 " : "") + "<= " + most;
    out.own = type + " " + name + " = (" + *start + ") + (" + type + ")" + from + ";";
    return out;
  }

  /// Where a statement ends, with its semicolon.
  std::optional<FilePosition> endOf(const clang::Stmt* s) const {
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
      return endOf(loop->getBody());
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return endOf(branch->getElse() ? branch->getElse() : branch->getThen());
    if (llvm::isa<clang::CompoundStmt>(s))
      return s->getEndLoc().isMacroID() ? std::nullopt : body_.text.endOf(s->getEndLoc());
    const auto range =
        llvm::isa<clang::Expr>(s) ? body_.text.rangeOf(s->getSourceRange()) : std::nullopt;
    const auto end = range ? behindSemicolon(body_.text, *range) : std::nullopt;
    return end ? std::optional(FilePosition{range->file, *end}) : std::nullopt;
  }

  bool write(const std::vector<GridLoop>& loops, bool turns) const {
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    std::string file, guard, all;
    bool known = true;
    for (const GridLoop& loop : loops) {
      const std::string more = guard.empty() ? "" : " && ";
      guard += more + *lineOf(loop.test);
      all += more + loop.all;
      known &= !loop.all.empty();
    }
    // Of most steps it is known for all threads that they have an element.
    if (known)
      guard = "(" + all + ") || (" + guard + ")";
    for (std::size_t i = 0; i < loops.size(); ++i) {
      const GridLoop& loop = loops[i];
      const auto begin = body_.text.positionOf(loop.loop->getBeginLoc());
      const auto end = body_.text.endOf(loop.loop->getRParenLoc());
      const auto close = endOf(loop.loop->getBody());
      if (!begin || !end || !close || begin->file != end->file || close->file != end->file ||
          (!file.empty() && file != begin->file))
        return false;
      file = begin->file;
      const GridLoop& as = turns ? loops[loops.size() - 1 - i] : loop;
      const bool last = i + 1 == loops.size();
      const FileRange head{file, begin->offset, end->offset};
      edits[head.begin] = {
          head.end, withLinesOf(body_.text.text(head),
                                as.head + " { " + as.own + (last ? " if (" + guard + ") " : " "))};
      auto& closing = edits[close->offset];
      closing = {close->offset, closing.second + " }"};
    }
    return body_.put(file, std::move(edits));
  }

  const PlainBody& body_;
  const Facts& facts_;
};

} // namespace

void strideTogether(const PlainBody& body, const Facts& facts) {
  Nests nests(body, facts);
  for (const clang::Stmt* s : body.contents.loops)
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s); loop && nests.rewrite(loop))
      return; // others in the next round
}

} // namespace cu2cpp
