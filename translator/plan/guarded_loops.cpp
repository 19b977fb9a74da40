// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translations that only compilers read: conditions on a thread's place in kernels without
// collectives hold for a range of each row's threads, which then run without them.
//
//   int i = ... + threadIdx.x;         cu2cpp::eachThreadGuarded<false>(cuBlock,
//   if (i < n)                             [&](const uint3 threadIdx) { const int i = ...;
//     a[i] = ...;                  ->        return cu2cpp::Inside().below((i), (n)); },
//                                          [&](const auto cuInside, const uint3 threadIdx) {
//                                      int i = ... + threadIdx.x;
//                                      if ((cuInside || (i < n)))
//                                        a[i] = ...; });
//
// A place that rises with a counter of each thread's items keeps to a bound if its first and its
// last value do: `for (int k = 0; k < 4; ++k) { int i = first + k * 256; if (i < n) ... }`.
//
// Other conditions before what a thread loads, and those by which it chooses a place, are settled
// where all threads of a loop give the same answer (which is some threads of a row):
//
//   if (i >= w)                        cu2cpp::eachThreadSettled<false, 1, true>(cuBlock,
//     x = a[i - w];                ->      ... return cu2cpp::SettledInside{cu2cpp::Inside(),
//                                            cu2cpp::Inside().atLeast((i), (w))}; }, ...
//                                      if ((cu2cpp::holds<0>(cuInside) ||
//                                           (!cu2cpp::fails<0>(cuInside) && (i >= w))))
//                                        x = a[i - w];
//
// (`x == 0 ? n - 1 : x - 1` is `x - 1` but for one thread at most.) The body stands twice more
// then, so it must not be long. So are places that are kept within bounds (kept_places.h), all of
// them together:
//
//   l = max(x - 1, 0);                   l = (cu2cpp::holds<0>(cuInside) ? x - 1 : (max(x - 1,
//   0))); r = (x + 1) % w;               ->    r = (cu2cpp::holds<0>(cuInside) ? x + 1 : ((x + 1) %
//   w));
//
// A branch that asks what memory says and leaves nothing more to do, `if (solid[c]) { ...; return;
// }`, is settled where all threads of a vector give the same answer, if what follows loads bytes or
// the like, for which AVX2 has no masks: eachThreadAlike() asks a few threads at a time.
//
// Threads outside of the range are left out where those conditions guard all that the kernel does.
// Where they don't, and there is one condition, the others run as those for which it fails:
// `Inside().below((i), (n)).ofOne()`.
//
// Kernels whose threads find partners by bits of their places run as regions of split kernels do
// that do so (split_bits.cpp): `eachThreadByBits`.
#include <algorithm>
#include <map>
#include <optional>

#include "analyse/counted_loops.h"
#include "analyse/marks.h"
#include "analyse/slopes.h"
#include "analyse/uniformity.h"
#include "parse/syntax_visitor.h"
#include "plan/kept_places.h"
#include "plan/rewrites.h"

namespace cu2cpp {
namespace {

/// Loops that stay loops of each thread: threads make no vectors then, whatever they are asked.
class OwnLoops : public SyntaxVisitor {
public:
  explicit OwnLoops(const clang::ASTContext& context) : context_(context) {}
  bool found = false;
  bool VisitWhileStmt(clang::WhileStmt*) override { return !(found = true); }
  bool VisitDoStmt(clang::DoStmt*) override { return !(found = true); }
  bool VisitForStmt(clang::ForStmt* loop) override {
    const auto* head = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
    const clang::Expr* limit = head ? head->getRHS() : nullptr;
    found = !limit || (!limit->isValueDependent() && !limit->isEvaluatable(context_));
    return !found;
  }

private:
  const clang::ASTContext& context_;
};

/// Whether a statement stores to memory, which under a condition takes a mask.
class Stores : public SyntaxVisitor {
public:
  bool found = false;
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return !(found |=
             op->isAssignmentOp() && !llvm::isa<clang::DeclRefExpr>(op->getLHS()->IgnoreParens()));
  }
  bool VisitReturnStmt(clang::ReturnStmt*) override { return !(found = true); }
};

/// Whether evaluating an expression may do more than that.
class Effects : public SyntaxVisitor {
public:
  bool found = false;
  bool VisitExpr(clang::Expr* e) override {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e);
    return !(found |= e->isTypeDependent() || (op && op->isAssignmentOp()) ||
                      (unary && unary->isIncrementDecrementOp()) ||
                      e->getType().isVolatileQualified() ||
                      (llvm::isa<clang::CallExpr, clang::CXXConstructExpr, clang::CXXNewExpr,
                                 clang::CXXDeleteExpr, clang::CXXThrowExpr, clang::LambdaExpr,
                                 clang::StmtExpr, clang::AtomicExpr>(e)));
  }
};

bool hasEffects(const clang::Expr* e) {
  Effects effects;
  effects.TraverseStmt(const_cast<clang::Expr*>(e));
  return effects.found;
}

/// Whether something loads from memory or stores there, which under a condition takes a mask.
class Reaches : public SyntaxVisitor {
public:
  bool found = false;
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    const clang::Expr* base = e->getBase()->IgnoreParenImpCasts();
    while (const auto* outer = llvm::dyn_cast<clang::ArraySubscriptExpr>(base))
      base = outer->getBase()->IgnoreParenImpCasts();
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(base);
    const auto* array = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return !(found |=
             !array || !array->hasLocalStorage() || !array->getType()->isConstantArrayType());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return !(found |= op->getOpcode() == clang::UO_Deref);
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    return !(found |= member->isArrow() && llvm::isa<clang::FieldDecl>(member->getMemberDecl()));
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    for (const clang::Expr* argument : call->arguments())
      found |= argument->getType()->isPointerType();
    return !found;
  }
};

bool reaches(const clang::Stmt* s) {
  Reaches memory;
  memory.TraverseStmt(const_cast<clang::Stmt*>(s));
  return memory.found;
}

/// Whether something behind a place of the text loads elements of less than four bytes.
class NarrowLoads : public SyntaxVisitor {
public:
  NarrowLoads(const clang::SourceManager& sources, const clang::ASTContext& context,
              clang::SourceLocation behind)
      : sources_(sources), context_(context), behind_(behind) {}
  bool found = false;
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    return !(found |= !e->isTypeDependent() && e->getType()->isIntegerType() &&
                      context_.getTypeSize(e->getType()) < 32 &&
                      sources_.isBeforeInTranslationUnit(behind_, e->getBeginLoc()));
  }

private:
  const clang::SourceManager& sources_;
  const clang::ASTContext& context_;
  const clang::SourceLocation behind_;
};

/// All that asks a condition and does one thing or another.
class Choices : public SyntaxVisitor {
public:
  std::vector<const clang::IfStmt*> branches;
  std::vector<const clang::ConditionalOperator*> values;
  std::vector<const clang::BinaryOperator*> both; ///< a && b, a || b
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool VisitIfStmt(clang::IfStmt* branch) override {
    if (!branch->getInit() && !branch->getConditionVariable() && !branch->isConstexpr() &&
        !branch->isConsteval())
      branches.push_back(branch);
    return true;
  }
  bool VisitConditionalOperator(clang::ConditionalOperator* choice) override {
    values.push_back(choice);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isLogicalOp())
      both.push_back(op);
    return true;
  }
};

/// A value as it grows along a row: by `step` from thread to thread.
struct Growth {
  unsigned step = 0;
  bool subtracts = false; ///< unsigned ones may begin below 0, which is far above all bounds
  const clang::Expr* factor = nullptr; ///< of the step: a constant of a template
  const CountedLoop* loop = nullptr;   ///< with the counter of which it rises, too
};

/// What is known of a condition: the calls that bound an Inside, and the variables that they name.
struct Bounds {
  std::string calls;
  bool isShared = false; ///< by several conditions
  std::set<const clang::ValueDecl*> named;
  std::vector<const clang::VarDecl*> inLoop = {}; ///< those that differ from step to step
  /// Whether a place is bounded, and not only what the row agrees on.
  bool boundsPlaces() const {
    const auto has = [&](const char* call) { return calls.find(call) != std::string::npos; };
    return has(".below(") || has(".atMost(") || has(".above(") || has(".atLeast(") ||
           has(".unlike(");
  }
  /// Whether all threads outside of the range break a bound.
  bool isOfOne() const { return calls.find(".unlike(") == std::string::npos; }
};

const char* boundOf(clang::BinaryOperatorKind relation) {
  switch (relation) {
  case clang::BO_LT:
    return "below";
  case clang::BO_LE:
    return "atMost";
  case clang::BO_GT:
    return "above";
  case clang::BO_GE:
    return "atLeast";
  case clang::BO_NE:
    return "unlike";
  default:
    return nullptr;
  }
}

bool returns(const clang::Stmt* s) {
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
    return list->size() == 1 && returns(list->body_front());
  return llvm::isa<clang::ReturnStmt>(s);
}

/// Whether a branch ends the thread, so that all that follows depends on its condition:
/// `if (x == 0) { out[at] = here; return; }`.
bool endsThread(const clang::IfStmt* branch) {
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(branch->getThen());
  return !branch->getElse() && list && list->size() > 1 &&
         llvm::isa<clang::ReturnStmt>(list->body_back());
}

/// The conditions of a kernel's body.
class Guards {
public:
  Guards(const Plan& plan, const FunctionFacts& kernel)
      : plan_(plan), context_(plan.unit.context()), anchor_(kernel.decl->getBody()->getBeginLoc()),
        variables_(kernel.decl, {}, &plan.facts) {}

  struct Decision {
    FileRange condition;
    bool holds;
  };
  std::vector<Decision> decisions;
  /// Whether threads outside of the range do something.
  bool othersRun = false;

  void read(const clang::CompoundStmt* body) {
    body_ = body;
    for (const clang::Stmt* s : body->body())
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
        outermost_.insert(declaration->decl_begin(), declaration->decl_end());
    readStatements(body->body_begin(), body->body_end(), true);
  }
  /// The range of a row that begins with the thread `threadIdx`.
  std::string range() const {
    const bool failsOutside = othersRun && isOne_ && known_.isOfOne();
    return "[&](const uint3 threadIdx) {" + declarations(known_) + " return cu2cpp::Inside()" +
           known_.calls + (failsOutside ? ".ofOne()" : "") + "; }";
  }

  /// A condition that is settled in part of a row.
  struct Answered {
    FileRange condition;
    unsigned number;
  };
  std::vector<Answered> answered;
  /// A place that is another one where the condition with this number holds.
  struct Replaced {
    FileRange whole;
    unsigned number;
    std::string place;
  };
  std::vector<Replaced> replaced;
  unsigned answers = 0; ///< bit i: that of the condition with number i in the range
  /// To be called behind read(): finds conditions before loads that are settled in part of a row.
  void settle(const clang::CompoundStmt* body) {
    const auto range = plan_.text.rangeOf(body->getSourceRange());
    if (!range || range->end - range->begin > 2 * longest)
      return;
    for (const KeptPlace& kept : findKeptPlaces(body, context_))
      settle(kept);
    if (range->end - range->begin > longest)
      return;
    Choices choices;
    choices.TraverseStmt(const_cast<clang::CompoundStmt*>(body));
    for (const clang::IfStmt* branch : choices.branches)
      settle(branch->getCond(),
             reaches(branch->getThen()) || (branch->getElse() && reaches(branch->getElse())),
             endsThread(branch));
    for (const clang::ConditionalOperator* choice : choices.values)
      settle(choice->getCond(),
             reaches(choice->getTrueExpr()) || reaches(choice->getFalseExpr()) || isPlace(choice),
             isPlace(choice));
    for (const clang::BinaryOperator* op : choices.both)
      settle(op->getLHS(), reaches(op->getRHS()));
  }
  /// Settles the condition that threads of a vector mostly agree on, if there is one; to be called
  /// behind settle().
  void settleAlike() {
    const auto range = plan_.text.rangeOf(body_->getSourceRange());
    if (!alike_ || !range || range->end - range->begin > 2 * longest ||
        settled_.size() == mostSettled || isAnswered(alike_))
      return;
    Bounds found;
    if (!nameAll(alike_, found) || !hasNamesOfItsOwn(found))
      return;
    known_.named.insert(found.named.begin(), found.named.end());
    alikeText_ = "[&](const uint3 threadIdx) CU2CPP_INLINE {" + declarations(found) +
                 " return bool" + text(alike_) + "; }";
    alikeNumber = unsigned(settled_.size());
    settled_.push_back({});
    settled_.back().isShared = true;
    answered.push_back({*rangeOf(alike_), *alikeNumber});
  }
  std::optional<unsigned> alikeNumber;
  /// What a thread answers.
  const std::string& alikeText() const { return alikeText_; }
  /// Whether there is but one of them.
  bool isSingle() const { return settled_.size() == 1 && !settled_.front().isShared; }
  /// The range of a row that begins with the thread `threadIdx`, and that in which conditions are
  /// settled.
  std::string rangeOfSettled() const {
    Bounds all = known_;
    std::string calls;
    for (const Bounds& some : settled_) {
      all.named.insert(some.named.begin(), some.named.end());
      calls += some.calls;
    }
    return "[&](const uint3 threadIdx) {" + declarations(all) +
           " return cu2cpp::SettledInside{cu2cpp::Inside()" + known_.calls + ", cu2cpp::Inside()" +
           calls + (isSingle() && settled_.front().isOfOne() ? ".ofOne()" : "") + "}; }";
  }

  /// An operator with a place that rises along the row on its left, and a power of two, or one
  /// less, that is one value for the kernel on its right; or a comparison of such a partner with
  /// the place.
  struct Masked {
    FileRange range;
    FileRange sign; ///< the operator's; empty for comparisons
    const char* function;
    std::string arguments; ///< of a comparison, what follows it
  };
  std::vector<Masked> masked;
  /// To be called behind read(): what the masks are for the first thread of a block. Empty if there
  /// are none.
  std::string bits(const clang::CompoundStmt* body) {
    class Operators : public SyntaxVisitor {
    public:
      std::vector<const clang::BinaryOperator*> all;
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        all.push_back(op);
        return true;
      }
    } operators;
    operators.TraverseStmt(const_cast<clang::CompoundStmt*>(body));
    Bounds found;
    std::map<const clang::BinaryOperator*, std::string> partners;
    for (const clang::BinaryOperator* op : operators.all)
      if (isMasked(op, found)) {
        const bool partner = op->getOpcode() == clang::BO_Xor;
        const char* const function = partner ? "partner(" : "low(";
        const std::string arguments = text(op->getLHS()) + ", " + text(op->getRHS());
        const std::string call = std::string(".") + function + arguments + ")";
        if (found.calls.find(call) == std::string::npos)
          found.calls += call;
        if (partner)
          partners[op] = arguments;
        const auto sign = plan_.text.positionOf(op->getOperatorLoc());
        masked.push_back(
            {*rangeOf(op), {sign->file, sign->offset, sign->offset + 1}, function, ""});
      }
    if (masked.empty() || !hasNamesOfItsOwn(found))
      return "";
    for (const clang::BinaryOperator* op : operators.all)
      if (const auto partner = partners.find(partnerIn(op)); partner != partners.end())
        masked.push_back({*rangeOf(op), {}, "rises(", ", " + partner->second});
    return "[&](const uint3 threadIdx) {" + declarations(found) + " return cu2cpp::BitRuns()" +
           found.calls + "; }(uint3{})";
  }

private:
  /// Notes what an expression names; tells whether all of that is known in front of the loop.
  bool nameAll(const clang::Expr* e, Bounds& found) const {
    class Names : public SyntaxVisitor {
    public:
      const Guards* guards = nullptr;
      Bounds* found = nullptr;
      bool isKnown = true;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        if (!variable)
          return isKnown &=
                 llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(use->getDecl());
        if (builtinOf(variable) || !found->named.insert(variable).second)
          return true;
        if (llvm::isa<clang::ParmVarDecl>(variable)) {
          const LocalVariable* local = guards->variables_.find(variable);
          return isKnown &= local && !local->modified && !local->escapes;
        }
        if (!variable->isLocalVarDecl())
          return isKnown &= !isShared(variable);
        return isKnown &= guards->constantLocal(variable) && guards->isDeclarable(variable) &&
                          !hasEffects(variable->getInit()) && !guards->standsForIts(variable) &&
                          TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
      }
    } names;
    names.guards = this;
    names.found = &found;
    names.TraverseStmt(const_cast<clang::Expr*>(e));
    return names.isKnown;
  }
  /// How many conditions decide() may find.
  static std::size_t partsOf(const clang::Expr* condition, bool holds) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    return op && op->getOpcode() == (holds ? clang::BO_LAnd : clang::BO_LOr)
               ? partsOf(op->getLHS(), holds) + partsOf(op->getRHS(), holds)
               : 1;
  }
  /// Notes a branch by what memory says, if it is the first thing that threads of the range do and
  /// leaves nothing to do for those that take it, or those that do not.
  void noteAlike(const clang::IfStmt* branch, bool isLast) {
    const clang::Expr* condition = branch->getCond()->IgnoreParenImpCasts();
    if (alike_ || !allDecided_ || branch->getElse() || !loops_.empty() || hasEffects(condition) ||
        condition->isTypeDependent() || !reaches(condition) || !plan_.text.isWhole(condition) ||
        !rangeOf(condition) || !(isLast || returns(branch->getThen()) || endsThread(branch)))
      return;
    NarrowLoads narrow(plan_.unit.sources(), context_, condition->getEndLoc());
    narrow.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
    if (narrow.found)
      alike_ = condition;
  }
  std::string declarations(const Bounds& of) const {
    std::string out;
    for (const clang::VarDecl* variable : declared_)
      if (of.named.count(variable))
        out += " " + declared(variable) + " = " + text(variable->getInit()) + ";";
    return out;
  }
  /// Settles where a place needs no keeping within bounds. All such conditions with the same answer
  /// have one number: there are many of them, which mostly hold together.
  void settle(const KeptPlace& kept) {
    const auto range = rangeOf(kept.condition ? kept.condition : kept.whole);
    if (!range || !plan_.text.isWhole(kept.whole) || kept_.count(kept.whole) ||
        isAnswered(kept.whole) || (kept.condition && isAnswered(kept.condition)))
      return;
    Bounds found;
    loops_ = kept.loops;
    const bool isKnown = addBounds(kept, found);
    loops_.clear();
    const std::string place = isKnown ? within(kept.place, kept.less, false) : "";
    if (place.empty() || !found.boundsPlaces() || !hasNamesOfItsOwn(found))
      return;
    const bool holds = !kept.condition || kept.answer;
    std::optional<unsigned>& number = keptNumber_[holds];
    if (!number) {
      if (settled_.size() == mostSettled)
        return;
      number = unsigned(settled_.size());
      settled_.push_back({});
      answers |= unsigned(holds) << *number;
    }
    Bounds& all = settled_[*number];
    all.isShared = true;
    if (all.calls.find(found.calls) == std::string::npos)
      all.calls += found.calls;
    all.named.insert(found.named.begin(), found.named.end());
    known_.named.insert(found.named.begin(), found.named.end());
    kept_[kept.whole] = {kept.place, kept.less};
    if (kept.condition)
      answered.push_back({*range, *number});
    else
      replaced.push_back({*range, *number, place});
  }
  bool addBounds(const KeptPlace& kept, Bounds& found) {
    const clang::Expr* place = kept.place->IgnoreParenImpCasts();
    const auto growth = growthOf(kept.place, found);
    if (!growth || growth->step == 0 || growth->factor || !plan_.text.isWhole(place) ||
        !rangeOf(place))
      return false;
    if (kept.condition)
      return addBounds(kept.condition, kept.answer, found);
    if (growth->subtracts && place->getType()->isUnsignedIntegerType())
      return false;
    for (const KeptPlace::Bound& bound : kept.bounds) {
      std::string limit = bound.limit ? text(bound.limit) : "";
      const auto other = bound.limit ? growthOf(bound.limit, found) : Growth{};
      if (!other || other->step || other->loop || (bound.limit && limit.empty()))
        return false;
      const std::string number = std::to_string(bound.number);
      limit = limit.empty() ? number : bound.number ? limit + " + (" + number + ")" : limit;
      const std::string what = within(place, bound.isOfResult ? kept.less : nullptr, true);
      if (what.empty())
        return false;
      found.calls += std::string(".") + bound.call + "(" +
                     (growth->loop ? fromTo(*growth->loop, what, found) : what) + ", " + limit +
                     stepText(*growth) + ")";
    }
    // A sum that is less by that is no rest of a division by what is below 0.
    if (kept.less)
      found.calls += ".only(" + text(kept.less) + " > 0)";
    return true;
  }
  /// A place, less something, as text in parentheses; see render().
  std::string within(const clang::Expr* place, const clang::Expr* less, bool inFront) const {
    const std::string from = render(place, inFront), off = less ? render(less, inFront) : "";
    if (from.empty() || (less && off.empty()))
      return "";
    return less ? "((" + from + ") - (" + off + "))" : "(" + from + ")";
  }
  /// What an expression is where places need no keeping within bounds, as text: as it is written,
  /// or for what stands in front of the loop.
  std::string render(const clang::Expr* e, bool inFront) const {
    class Parts : public SyntaxVisitor {
    public:
      const Guards* guards = nullptr;
      bool inFront = false;
      std::map<unsigned, std::pair<unsigned, std::string>> texts;
      bool isKnown = true;
      bool TraverseStmt(clang::Stmt* s) override {
        const auto* e = llvm::dyn_cast_or_null<clang::Expr>(s);
        const auto kept = e ? guards->kept_.find(e) : guards->kept_.end();
        if (kept != guards->kept_.end())
          return put(e, guards->within(kept->second.first, kept->second.second, inFront));
        const auto* use = llvm::dyn_cast_or_null<clang::DeclRefExpr>(s);
        const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
        if (inFront && variable && guards->standsForIts(variable)) {
          const std::string value = guards->render(variable->getInit(), true);
          return put(e,
                     value.empty() ? value : "((" + guards->typeOf(variable) + ")(" + value + "))");
        }
        return SyntaxVisitor::TraverseStmt(s);
      }
      bool put(const clang::Expr* e, std::string text) {
        const auto range = guards->rangeOf(e);
        if (!range || text.empty())
          return isKnown = false;
        texts[range->begin] = {range->end, std::move(text)};
        return true;
      }
    } parts;
    parts.guards = this;
    parts.inFront = inFront;
    parts.TraverseStmt(const_cast<clang::Expr*>(e));
    const auto range = rangeOf(e);
    if (!range || !parts.isKnown)
      return "";
    if (parts.texts.empty())
      return plan_.text.text(*range);
    std::string out;
    const llvm::StringRef all = plan_.text.buffer(range->file);
    unsigned from = range->begin;
    for (const auto& [begin, part] : parts.texts) {
      if (begin < from || part.first > range->end)
        return "";
      out += all.slice(from, begin).str() + part.second;
      from = part.first;
    }
    return out + all.slice(from, range->end).str();
  }
  /// Whether a variable in front of the loop is written as its value: one that is kept within
  /// bounds would have another value in the row's first thread, and of a name that is declared
  /// several times there is but one.
  bool standsForIts(const clang::VarDecl* variable) const {
    if (!constantLocal(variable))
      return false;
    return asksForKept(variable->getInit()) ||
           (!outermost_.count(variable) &&
            std::any_of(declared_.begin(), declared_.end(), [&](const clang::VarDecl* other) {
              return other != variable && other->getDeclName() == variable->getDeclName();
            }));
  }
  bool asksForKept(const clang::Expr* e) const {
    class Kept : public SyntaxVisitor {
    public:
      const Guards* guards = nullptr;
      bool found = false;
      bool VisitExpr(clang::Expr* e) override { return !(found |= guards->kept_.count(e) != 0); }
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        const clang::VarDecl* variable = guards->constantLocal(use->getDecl());
        return !(found |= variable && guards->asksForKept(variable->getInit()));
      }
    } kept;
    kept.guards = this;
    kept.TraverseStmt(const_cast<clang::Expr*>(e));
    return kept.found;
  }
  /// `loads`: what is done by the condition's answer is dear under a mask. That few threads at a
  /// row's ends load nothing is not, but that they load from elsewhere (isOfPlace), or that no
  /// thread goes on without a mask.
  void settle(const clang::Expr* condition, bool loads, bool isOfPlace = false) {
    condition = condition->IgnoreParenImpCasts();
    if ((loads && (isOfPlace || !isOfEnds(condition)) && addSettled(condition)) ||
        isAnswered(condition))
      return;
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(condition);
        op && op->getOpcode() == clang::UO_LNot)
      settle(op->getSubExpr(), loads, isOfPlace);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!op || !op->isLogicalOp())
      return;
    settle(op->getLHS(), loads, isOfPlace);
    settle(op->getRHS(), loads, isOfPlace);
  }
  /// A guess at whether a condition is one for a row's ends: `x > 0 && x < n - 1`, `x == 0`.
  bool isOfEnds(const clang::Expr* condition) const {
    condition = condition->IgnoreParenImpCasts();
    if (const auto* no = llvm::dyn_cast<clang::UnaryOperator>(condition))
      return isOfEnds(no->getSubExpr());
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(condition)) {
      const clang::VarDecl* flag = constantLocal(use->getDecl());
      return flag && flag->getType()->isBooleanType() && isOfEnds(flag->getInit());
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!op)
      return false;
    if (op->isLogicalOp())
      return isOfEnds(op->getLHS()) && isOfEnds(op->getRHS());
    const auto isConstant = [&](const clang::Expr* e) {
      return !e->isValueDependent() && e->isEvaluatable(context_);
    };
    const auto isEnd = [&](const clang::Expr* e) {
      const auto* less = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
      return isConstant(e) ||
             (less && less->getOpcode() == clang::BO_Sub && isConstant(less->getRHS()));
    };
    return op->isEqualityOp() ||
           (op->isRelationalOp() && (isEnd(op->getLHS()) || isEnd(op->getRHS())));
  }
  /// Whether a condition is one of those that are known, or is part of one.
  bool isAnswered(const clang::Expr* condition) const {
    const auto range = rangeOf(condition);
    const auto holdsIt = [&](const auto& other) {
      return other.condition.file == range->file && other.condition.begin <= range->begin &&
             other.condition.end >= range->end;
    };
    return range && (std::any_of(decisions.begin(), decisions.end(), holdsIt) ||
                     std::any_of(answered.begin(), answered.end(), holdsIt));
  }
  bool addSettled(const clang::Expr* condition) {
    const auto range = rangeOf(condition);
    if (!range || !plan_.text.isWhole(condition) || hasEffects(condition) || isAnswered(condition))
      return false;
    const auto isPart = [&](const Decision& decision) {
      return decision.condition.file == range->file && decision.condition.begin < range->end &&
             decision.condition.end > range->begin;
    };
    if (std::any_of(decisions.begin(), decisions.end(), isPart))
      return false;
    Bounds found;
    bool holds = !isSeldom(condition);
    if (!addBounds(condition, holds, found)) {
      found = {};
      holds = !holds;
      if (!addBounds(condition, holds, found))
        return false;
    }
    if (!found.boundsPlaces() || !hasNamesOfItsOwn(found))
      return false;
    const auto same = std::find_if(settled_.begin(), settled_.end(),
                                   [&](const Bounds& other) { return other.calls == found.calls; });
    const auto number = static_cast<unsigned>(same - settled_.begin());
    if (same == settled_.end()) {
      if (number == mostSettled)
        return false;
      known_.named.insert(found.named.begin(), found.named.end());
      settled_.push_back(found);
      answers |= unsigned(holds) << number;
    } else if ((answers >> number & 1) != unsigned(holds)) {
      return false;
    }
    answered.push_back({*range, number});
    return true;
  }
  /// A guess at whether a comparison holds for few threads: `x < 2`, `x >= n - 1`.
  bool isSeldom(const clang::Expr* condition) {
    condition = condition->IgnoreParenImpCasts();
    if (const auto* no = llvm::dyn_cast<clang::UnaryOperator>(condition);
        no && no->getOpcode() == clang::UO_LNot) {
      const auto* op =
          llvm::dyn_cast<clang::BinaryOperator>(no->getSubExpr()->IgnoreParenImpCasts());
      return op && op->isRelationalOp() && !isSeldom(op);
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!op || !op->isRelationalOp())
      return false;
    constexpr std::int64_t few = 64;
    Bounds ignored;
    const auto left = growthOf(op->getLHS(), ignored);
    const bool isLeft = left && left->step != 0;
    const clang::Expr* limit = (isLeft ? op->getRHS() : op->getLHS())->IgnoreParenImpCasts();
    if ((op->getOpcode() == clang::BO_GT || op->getOpcode() == clang::BO_GE) == isLeft) {
      const auto* less = llvm::dyn_cast<clang::BinaryOperator>(limit);
      return less && less->getOpcode() == clang::BO_Sub;
    }
    clang::Expr::EvalResult value;
    return !limit->isValueDependent() && limit->EvaluateAsInt(value, context_) &&
           value.Val.getInt().getExtValue() <= few;
  }
  /// A place that is one more from thread to thread, or another one: `x == 0 ? n - 1 : x - 1`.
  bool isPlace(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e);
    if (!choice) {
      Bounds ignored;
      const auto growth = growthOf(e, ignored);
      return growth && growth->step == 1;
    }
    return choice->getType()->isIntegerType() && !choice->isTypeDependent() &&
           isPlace(choice->getTrueExpr()) != isPlace(choice->getFalseExpr());
  }
  bool isMasked(const clang::BinaryOperator* op, Bounds& found) {
    if ((op->getOpcode() != clang::BO_And && op->getOpcode() != clang::BO_Xor) ||
        op->isTypeDependent() || !op->getType()->isIntegerType() || !plan_.text.isWhole(op) ||
        !rangeOf(op) || !plan_.text.positionOf(op->getOperatorLoc()))
      return false;
    const clang::Expr* mask = op->getRHS()->IgnoreParenImpCasts();
    clang::Expr::EvalResult value;
    if (mask->isValueDependent() || mask->EvaluateAsInt(value, context_))
      return false;
    if (op->getOpcode() == clang::BO_And) {
      const auto* less = llvm::dyn_cast<clang::BinaryOperator>(mask);
      const auto* one =
          less && less->getOpcode() == clang::BO_Sub
              ? llvm::dyn_cast<clang::IntegerLiteral>(less->getRHS()->IgnoreParenImpCasts())
              : nullptr;
      if (!one || one->getValue() != 1)
        return false;
    }
    Bounds here;
    const auto place = growthOf(op->getLHS(), here), fixed = growthOf(mask, here);
    if (!place || !fixed || place->step != 1 || place->factor || place->loop || fixed->step ||
        fixed->loop || !here.calls.empty())
      return false;
    found.named.insert(here.named.begin(), here.named.end());
    return true;
  }
  /// The partner with which a comparison compares the place: `p > i` for `int p = i ^ j;`.
  const clang::BinaryOperator* partnerIn(const clang::BinaryOperator* comparison) const {
    const bool greater = comparison->getOpcode() == clang::BO_GT;
    if ((!greater && comparison->getOpcode() != clang::BO_LT) || !plan_.text.isWhole(comparison) ||
        !rangeOf(comparison))
      return nullptr;
    const clang::Expr* upper =
        (greater ? comparison->getLHS() : comparison->getRHS())->IgnoreParenImpCasts();
    const clang::Expr* lower =
        (greater ? comparison->getRHS() : comparison->getLHS())->IgnoreParenImpCasts();
    const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(upper);
    const auto* place = llvm::dyn_cast<clang::DeclRefExpr>(lower);
    const clang::VarDecl* variable = named ? constantLocal(named->getDecl()) : nullptr;
    const auto* op =
        variable ? llvm::dyn_cast<clang::BinaryOperator>(variable->getInit()->IgnoreParenImpCasts())
                 : nullptr;
    const auto* of =
        op ? llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParenImpCasts()) : nullptr;
    const auto sizeOf = [&](clang::QualType type) { return context_.getTypeSize(type); };
    return of && place && of->getDecl() == place->getDecl() &&
                   sizeOf(of->getType()) == sizeOf(variable->getType()) &&
                   sizeOf(op->getType()) == sizeOf(variable->getType())
               ? op
               : nullptr;
  }
  /// `guarded`: besides what conditions keep from threads, the kernel has done nothing so far, and
  /// does nothing behind these statements.
  void readStatements(clang::CompoundStmt::const_body_iterator begin,
                      clang::CompoundStmt::const_body_iterator end, bool guarded) {
    for (auto it = begin; it != end; ++it)
      guarded = readStatement(*it, guarded, it + 1 == end);
  }
  /// Tells whether what follows the statement is still guarded alone.
  bool readStatement(const clang::Stmt* s, bool guarded, bool isLast) {
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(s)) // #pragma unroll
      s = attributed->getSubStmt();
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      return addDeclared(declaration) && guarded;
    if (llvm::isa<clang::NullStmt>(s))
      return guarded;
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      readStatements(block->body_begin(), block->body_end(), guarded && isLast);
      return false;
    }
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
      if (const auto counted = asCountedLoop(loop, context_)) {
        loops_.push_back(*counted);
        readStatement(loop->getBody(), false, false);
        loops_.pop_back();
      }
      return false;
    }
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    if (!branch || branch->getInit() || branch->getConditionVariable() || branch->isConstexpr())
      return false;
    const bool leaves = !branch->getElse() && returns(branch->getThen());
    const bool isGuard =
        guarded && !branch->getElse() && (leaves || isLast) && !hasEffects(branch->getCond());
    const std::size_t before = decisions.size();
    bool decided = false;
    if (Stores stores;
        isGuard || (stores.TraverseStmt(const_cast<clang::IfStmt*>(branch)), stores.found))
      decided = decide(branch->getCond(), !leaves, isGuard);
    othersRun |= decided && !isGuard;
    if (guarded && !decided)
      noteAlike(branch, isLast);
    allDecided_ &= decisions.size() - before == partsOf(branch->getCond(), !leaves);
    if (!leaves)
      readStatement(branch->getThen(), isGuard, true);
    return isGuard;
  }
  /// Tells whether a declaration has no effect.
  bool addDeclared(const clang::DeclStmt* statement) {
    bool plain = true;
    for (const clang::Decl* decl : statement->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || isShared(variable))
        continue;
      plain &=
          variable->hasLocalStorage() && (!variable->hasInit() || !hasEffects(variable->getInit()));
      declared_.push_back(variable);
    }
    return plain;
  }
  /// Tells whether something was found out. Where threads for which it does not hold run all the
  /// same (not isGuard), as they are, that is for parts of rows alone.
  bool decide(const clang::Expr* condition, bool holds, bool isGuard) {
    const clang::Expr* inner = condition->IgnoreParenImpCasts();
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(inner);
    if (op && op->getOpcode() == (holds ? clang::BO_LAnd : clang::BO_LOr)) {
      const bool left = decide(op->getLHS(), holds, isGuard);
      return decide(op->getRHS(), holds, isGuard) || left;
    }
    Bounds found;
    const auto range = rangeOf(inner);
    if (!range || !plan_.text.isWhole(inner) || !addBounds(inner, holds, found) ||
        !hasNamesOfItsOwn(found) || (!isGuard && llvm::StringRef(found.calls).contains(".only(")))
      return false;
    isOne_ &= decisions.empty() || found.calls == firstCalls_;
    if (decisions.empty())
      firstCalls_ = found.calls;
    known_.calls += found.calls;
    known_.named.insert(found.named.begin(), found.named.end());
    decisions.push_back({*range, holds});
    return true;
  }
  /// All variables stand side by side in front of the loop.
  bool hasNamesOfItsOwn(const Bounds& found) const {
    std::set<const clang::ValueDecl*> all = found.named;
    all.insert(known_.named.begin(), known_.named.end());
    std::set<llvm::StringRef> names;
    for (const clang::VarDecl* variable : found.inLoop)
      names.insert(variable->getName());
    return std::all_of(all.begin(), all.end(), [&](const clang::ValueDecl* variable) {
      return names.insert(variable->getName()).second;
    });
  }
  bool addBounds(const clang::Expr* condition, bool holds, Bounds& found) {
    condition = condition->IgnoreParenImpCasts();
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(condition);
        op && op->getOpcode() == clang::UO_LNot)
      return addBounds(op->getSubExpr(), !holds, found);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (op && op->getOpcode() == (holds ? clang::BO_LAnd : clang::BO_LOr))
      return addBounds(op->getLHS(), holds, found) && addBounds(op->getRHS(), holds, found);
    // bool isInside = x < width && y < height;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(condition))
      if (const clang::VarDecl* flag = constantLocal(use->getDecl());
          flag && flag->getType()->isBooleanType())
        return addBounds(flag->getInit(), holds, found);
    if (op && op->isComparisonOp() &&
        boundOf(holds ? op->getOpcode()
                      : clang::BinaryOperator::negateComparisonOp(op->getOpcode())))
      return addComparison(op, holds, found);
    const auto growth = growthOf(condition, found);
    return growth && growth->step == 0 && !growth->loop && addOnly(condition, holds, found);
  }
  bool addOnly(const clang::Expr* condition, bool holds, Bounds& found) {
    if (!plan_.text.isWhole(condition))
      return false;
    found.calls += std::string(".only(") + (holds ? "bool(" : "!(") + text(condition) + "))";
    return true;
  }
  bool addComparison(const clang::BinaryOperator* op, bool holds, Bounds& found) {
    clang::BinaryOperatorKind relation = op->getOpcode();
    if (!holds)
      relation = clang::BinaryOperator::negateComparisonOp(relation);
    const clang::Expr *place = op->getLHS()->IgnoreParenImpCasts(),
                      *limit = op->getRHS()->IgnoreParenImpCasts();
    if (place->isTypeDependent() || limit->isTypeDependent() ||
        !op->getLHS()->getType()->isIntegerType())
      return false;
    auto growth = growthOf(place, found);
    auto other = growthOf(limit, found);
    if (!growth || !other || (growth->step && other->step))
      return false;
    if (relation == clang::BO_NE && (growth->loop || other->loop))
      return false;
    if (!growth->step && !other->step)
      return !growth->loop && !other->loop && addOnly(op, holds, found);
    if (other->step) {
      std::swap(place, limit);
      std::swap(growth, other);
      relation = clang::BinaryOperator::reverseComparisonOp(relation);
    }
    if (!plan_.text.isWhole(place) || !plan_.text.isWhole(limit))
      return false;
    if ((growth->subtracts && op->getLHS()->getType()->isUnsignedIntegerType()) || other->loop)
      return false;
    found.calls += std::string(".") + boundOf(relation) + "(" +
                   (growth->loop ? fromTo(*growth->loop, text(place), found) : text(place)) + ", " +
                   text(limit) + stepText(*growth) + ")";
    return true;
  }
  std::string typeOf(const clang::VarDecl* variable) const {
    return variable->getType().getCanonicalType().getUnqualifiedType().getAsString(
        context_.getPrintingPolicy());
  }
  std::string declared(const clang::VarDecl* variable) const {
    const bool isPointer = variable->getType()->isPointerType(); // `const T* const`
    return std::string("[[maybe_unused]] ") + (isPointer ? "" : "const ") + typeOf(variable) +
           (isPointer ? " const " : " ") + variable->getNameAsString();
  }
  /// Whether a variable can be declared in front of the loop by its type and its value: no arrays,
  /// none with a list of values, nor of types without names or with names in the kernel alone.
  bool isDeclarable(const clang::VarDecl* variable) const {
    clang::QualType type = variable->getType().getCanonicalType();
    if (!type->isScalarType() || llvm::isa<clang::InitListExpr>(variable->getInit()) ||
        variable->getInitStyle() == clang::VarDecl::ListInit ||
        typeOf(variable).find_first_of("([") != std::string::npos)
      return false;
    while (type->isPointerType())
      type = type->getPointeeType();
    const clang::TagDecl* tag = type->getAsTagDecl();
    return !tag || !tag->getParentFunctionOrMethod();
  }
  /// A place in the first and in the last step of a loop.
  std::string fromTo(const CountedLoop& loop, const std::string& place, const Bounds& found) const {
    std::string out = "cu2cpp::fromTo([&](" + declared(loop.counter) + ") {";
    for (const clang::VarDecl* variable : found.inLoop)
      if (variable != loop.counter)
        out += " " + declared(variable) + " = " + text(variable->getInit()) + ";";
    return out + " return " + place + "; }, " + text(loop.first) + ", " + text(loop.limit) +
           (loop.reachesLimit ? ")" : " - 1)");
  }
  std::string stepText(const Growth& growth) const {
    if (growth.factor)
      return ", cu2cpp::stepOf(" + std::to_string(growth.step) + ", " + text(growth.factor) + ")";
    return growth.step > 1 ? ", " + std::to_string(growth.step) : "";
  }

  /// By how much an integer grows along a row. None if it is not of literals, what is one value for
  /// the kernel, and indices, or if more would be computed than the thread computes.
  std::optional<Growth> growthOf(const clang::Expr* e, Bounds& found) {
    if (e->isTypeDependent() || !e->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    if (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(e))
      return growthOf(parens->getSubExpr(), found);
    if (const auto kept = kept_.find(e); kept != kept_.end()) {
      const auto growth = growthOf(kept->second.first, found);
      return growth && (!kept->second.second || growthOf(kept->second.second, found))
                 ? std::optional(Growth{growth->step, growth->subtracts || kept->second.second,
                                        growth->factor, growth->loop})
                 : std::nullopt;
    }
    if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(e))
      return growthOf(constant->getSubExpr(), found);
    if (llvm::isa<clang::IntegerLiteral, clang::CXXBoolLiteralExpr,
                  clang::UnaryExprOrTypeTraitExpr>(e))
      return Growth{};
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e))
      return growthOfCast(cast, found);
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e))
      return growthOfUse(use->getDecl(), found);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
      return growthOfMember(member, found);
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e)) {
      if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_Deref)
        return std::nullopt;
      const auto growth = growthOf(op->getSubExpr(), found);
      return growth && !growth->loop && (growth->step == 0 || op->getOpcode() == clang::UO_Plus)
                 ? std::optional(Growth{growth->step, op->getOpcode() != clang::UO_Plus})
                 : std::nullopt;
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    return op && !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma
               ? growthOfOperation(op, found)
               : std::nullopt;
  }
  std::optional<Growth> growthOfCast(const clang::CastExpr* cast, Bounds& found) {
    const clang::Expr* from = cast->getSubExpr();
    const auto growth = growthOf(from, found);
    if (!growth || (growth->step == 0 && !growth->loop))
      return growth;
    const unsigned narrow = context_.getTypeSize(from->getType()),
                   wide = context_.getTypeSize(cast->getType());
    if (cast->getType()->isBooleanType() || wide < 32 || cast->getType()->isEnumeralType())
      return std::nullopt;
    if (growth->loop && wide != narrow)
      return std::nullopt;
    // A sum that wraps around in its own type would not in a wider one.
    if (wide > narrow && !isPart(from, ThreadIdx, "x") && !plan_.text.isWhole(from))
      return std::nullopt;
    if (wide > narrow && !isPart(from, ThreadIdx, "x"))
      found.calls += ".unwrapped(" + text(from) + stepText(*growth) + ")";
    return growth;
  }
  std::optional<Growth> growthOfUse(const clang::ValueDecl* decl, Bounds& found) {
    if (llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(decl)) {
      found.named.insert(decl);
      return Growth{};
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable || builtinOf(variable) || variable->getType()->isReferenceType() ||
        variable->getType().isVolatileQualified())
      return std::nullopt;
    for (const CountedLoop& loop : loops_)
      if (loop.counter == variable) {
        addInLoop(variable, found);
        return Growth{0, false, nullptr, &loop};
      }
    if (isKernelsOwn(variable)) {
      found.named.insert(variable);
      return Growth{};
    }
    const auto growth =
        constantLocal(variable) ? growthOf(variable->getInit(), found) : std::nullopt;
    if (growth && standsForIts(variable))
      return growth;
    if (growth && growth->loop)
      addInLoop(variable, found);
    else
      found.named.insert(variable);
    return growth;
  }
  static void addInLoop(const clang::VarDecl* variable, Bounds& found) {
    if (std::find(found.inLoop.begin(), found.inLoop.end(), variable) == found.inLoop.end())
      found.inLoop.push_back(variable);
  }
  /// What a counter may be multiplied by: constants and a block's sizes, with which nothing wraps
  /// around.
  bool isFactor(const clang::Expr* e) const {
    constexpr std::int64_t most = 1 << 16;
    e = e->IgnoreParenImpCasts();
    clang::Expr::EvalResult value;
    if (e->isValueDependent())
      return true;
    if (e->EvaluateAsInt(value, context_))
      return value.Val.getInt().isStrictlyPositive() && value.Val.getInt().getExtValue() <= most;
    return isPart(e, BlockDim, "x") || isPart(e, BlockDim, "y") || isPart(e, BlockDim, "z");
  }
  /// A parameter, a constant of the file or of constant memory: one value while the kernel runs.
  bool isKernelsOwn(const clang::VarDecl* variable) const {
    if (llvm::isa<clang::ParmVarDecl>(variable)) {
      const LocalVariable* local = variables_.find(variable);
      return local && !local->modified && !local->escapes;
    }
    return !variable->isLocalVarDecl() &&
           (isNamedConstant(variable) || hasMark(variable, "constant"));
  }
  /// A variable of the body that keeps its first value.
  const clang::VarDecl* constantLocal(const clang::ValueDecl* decl) const {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    const LocalVariable* local = variable ? variables_.find(variable) : nullptr;
    return local && !local->modified && !local->escapes && variable->hasInit() &&
                   !variable->getInit()->isTypeDependent() &&
                   !variable->getType()->isDependentType() &&
                   plan_.text.isWhole(variable->getInit()) && rangeOf(variable->getInit()) &&
                   std::find(declared_.begin(), declared_.end(), variable) != declared_.end()
               ? variable
               : nullptr;
  }
  std::optional<Growth> growthOfMember(const clang::MemberExpr* member, Bounds& found) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    if (!variable || member->isArrow() || !llvm::isa<clang::FieldDecl>(member->getMemberDecl()) ||
        member->getType().isVolatileQualified())
      return std::nullopt;
    if (builtinOf(variable))
      return Growth{isPart(member, ThreadIdx, "x") ? 1u : 0u, false};
    found.named.insert(variable);
    return isKernelsOwn(variable) && !variable->getType()->isReferenceType()
               ? std::optional(Growth{})
               : std::nullopt;
  }
  std::optional<Growth> growthOfOperation(const clang::BinaryOperator* op, Bounds& found) {
    const clang::Expr *left = op->getLHS(), *right = op->getRHS();
    if (!left->getType()->isIntegralOrEnumerationType() ||
        !right->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    const auto a = growthOf(left, found), b = growthOf(right, found);
    if (!a || !b)
      return std::nullopt;
    const bool subtracts = a->subtracts || b->subtracts || op->getOpcode() == clang::BO_Sub;
    const auto constant = [&](const clang::Expr* e) -> std::int64_t {
      clang::Expr::EvalResult value;
      return !e->isValueDependent() && e->EvaluateAsInt(value, context_)
                 ? value.Val.getInt().getExtValue()
                 : 0;
    };
    switch (op->getOpcode()) {
    case clang::BO_Add:
      if (a->step + b->step > mostStep || (a->step && b->step && (a->factor || b->factor)) ||
          (a->loop && b->loop && a->loop != b->loop))
        return std::nullopt;
      return Growth{a->step + b->step, subtracts, a->factor ? a->factor : b->factor,
                    a->loop ? a->loop : b->loop};
    case clang::BO_Sub:
      if (b->step || b->loop)
        return std::nullopt;
      return Growth{a->step, true, a->factor, a->loop};
    case clang::BO_Mul:
      if ((a->loop && (b->step || b->loop || !isFactor(right))) ||
          (b->loop && (a->step || a->loop || !isFactor(left))))
        return std::nullopt;
      if (a->step || b->step) {
        const clang::Expr* const by = a->step ? right : left;
        if (a->factor || b->factor)
          return std::nullopt;
        if (by->isValueDependent() && !(a->step && b->step) && !a->loop && !b->loop &&
            plan_.text.isWhole(by) && rangeOf(by))
          return Growth{a->step + b->step, subtracts, by};
        const std::int64_t factor = a->step ? (b->step ? 0 : constant(right)) : constant(left);
        const unsigned step = a->step + b->step;
        if (factor < 1 || factor > mostStep || factor * step > mostStep)
          return std::nullopt;
        return Growth{unsigned(factor) * step, subtracts, nullptr, a->loop ? a->loop : b->loop};
      }
      return Growth{0, subtracts, nullptr, a->loop ? a->loop : b->loop};
    case clang::BO_Div:
    case clang::BO_Rem: // others may be 0 where the thread doesn't ask
      if (constant(right) < 1)
        return std::nullopt;
      break;
    default:
      break;
    }
    if (a->step || b->step || a->loop || b->loop)
      return std::nullopt;
    return Growth{0, subtracts};
  }
  std::optional<FileRange> rangeOf(const clang::Expr* e) const {
    const auto begin = plan_.text.positionOf(plan_.text.lift(e->getBeginLoc(), anchor_));
    const auto end = plan_.text.endOf(plan_.text.lift(e->getEndLoc(), anchor_, true));
    if (!begin || !end || begin->file != end->file)
      return std::nullopt;
    return FileRange{begin->file, begin->offset, end->offset};
  }
  std::string text(const clang::Expr* e) const {
    const std::string written = render(e, true);
    return written.empty() ? "" : "(" + written + ")";
  }

  static constexpr unsigned longest = 4096;  // of a body's text with settled conditions
  static constexpr unsigned mostSettled = 4; // more are seldom settled at once
  static constexpr unsigned mostStep = 64;   // beyond it few threads are left of a range
  const Plan& plan_;
  const clang::ASTContext& context_;
  const clang::SourceLocation anchor_;
  const Uniformity variables_;
  std::vector<const clang::VarDecl*> declared_;
  std::vector<CountedLoop> loops_; ///< around the statement that is read
  Bounds known_;
  std::string firstCalls_;      ///< the bounds of the first decision
  bool isOne_ = true;           ///< all decisions have the same bounds: they fail together
  std::vector<Bounds> settled_; ///< by number
  /// Places that need no keeping within bounds there: what each is then, less something.
  std::map<const clang::Expr*, std::pair<const clang::Expr*, const clang::Expr*>> kept_;
  std::optional<unsigned> keptNumber_[2]; ///< by the answer
  const clang::CompoundStmt* body_ = nullptr;
  const clang::Expr* alike_ = nullptr; ///< what threads of a vector mostly agree on
  std::string alikeText_;
  bool allDecided_ = true; ///< the range's threads pass all branches before the one that is read
  std::set<const clang::Decl*> outermost_; ///< what the body itself declares
};

} // namespace

std::string guardedLoopAtHead(Plan& plan, const FunctionFacts& kernel) {
  const auto* body = llvm::cast<clang::CompoundStmt>(kernel.decl->getBody());
  const FormChoice& choice = plan.forms.at(&kernel);
  if (!plan.options.lineDirectives || choice.form != Form::Loop || choice.publishThread ||
      kernel.byColumns || !(kernel.builtins & ThreadIdx) || !kernel.qualifiedUses.empty() ||
      plan.text.inMacro(body->getLBracLoc()))
    return "";
  for (const clang::ParmVarDecl* parameter : kernel.modifiedParameters)
    if (parameter->isParameterPack())
      return "";
  OwnLoops loops(plan.unit.context());
  loops.TraverseStmt(const_cast<clang::CompoundStmt*>(body));
  if (loops.found)
    return "";
  Guards guards(plan, kernel);
  guards.read(body);
  if (!kernel.longRows)
    if (const std::string bits = guards.bits(body); !bits.empty()) {
      for (const Guards::Masked& masked : guards.masked) {
        const FileRange& at = masked.range;
        plan.edits.insert({at.file, at.begin}, std::string("cuBits.") + masked.function);
        if (masked.sign.end != masked.sign.begin)
          plan.edits.replace(masked.sign, ",");
        plan.edits.insert({at.file, at.end}, masked.arguments + ")");
      }
      return "cu2cpp::eachThreadByBits(cuBlock, " + bits +
             ", [&](const auto cuBits, const uint3 threadIdx) CU2CPP_INLINE {";
    }
  guards.settle(body);
  guards.settleAlike();
  const bool settles = !guards.answered.empty() || !guards.replaced.empty();
  if (guards.decisions.empty() && !settles)
    return "";
  for (const Guards::Answered& answered : guards.answered) {
    const FileRange& at = answered.condition;
    const std::string number = std::to_string(answered.number);
    plan.edits.insert({at.file, at.begin}, "(cu2cpp::holds<" + number +
                                               ">(cuInside) || (!cu2cpp::fails<" + number +
                                               ">(cuInside) && (");
    plan.edits.insert({at.file, at.end}, ")))");
  }
  for (const Guards::Decision& decision : guards.decisions) {
    const FileRange& at = decision.condition;
    plan.edits.insert({at.file, at.begin}, decision.holds ? "(cuInside || (" : "(!cuInside && (");
    plan.edits.insert({at.file, at.end}, "))");
  }
  std::map<std::pair<std::string, unsigned>, std::string> ends;
  // Those that are part of another one stand before it.
  for (auto kept = guards.replaced.rbegin(); kept != guards.replaced.rend(); ++kept) {
    const FileRange& at = kept->whole;
    plan.edits.insert({at.file, at.begin}, "(cu2cpp::holds<" + std::to_string(kept->number) +
                                               ">(cuInside) ? " + kept->place + " : (");
    ends[{at.file, at.end}] += "))";
  }
  // In front of what stands behind them already, where a place ends that is told from where its row
  // begins.
  for (const auto& [end, text] : ends) {
    const FileRange last{end.first, end.second - 1, end.second};
    plan.edits.replace(last, plan.text.buffer(last.file).slice(last.begin, last.end).str() + text);
  }
  const std::string parameters =
      ", [&](const auto cuInside, const uint3 threadIdx) CU2CPP_INLINE {";
  if (guards.alikeNumber)
    return std::string("cu2cpp::eachThreadAlike<") + (guards.othersRun ? "true, " : "false, ") +
           std::to_string(guards.answers) + ", " + std::to_string(*guards.alikeNumber) +
           ">(cuBlock, " + guards.rangeOfSettled() + ", " + guards.alikeText() + parameters;
  if (settles)
    return std::string("cu2cpp::eachThreadSettled<") + (guards.othersRun ? "true, " : "false, ") +
           std::to_string(guards.answers) + (guards.isSingle() ? ", true" : ", false") +
           ">(cuBlock, " + guards.rangeOfSettled() + parameters;
  return std::string("cu2cpp::eachThreadGuarded<") + (guards.othersRun ? "true" : "false") +
         ">(cuBlock, " + guards.range() + parameters;
}

} // namespace cu2cpp
