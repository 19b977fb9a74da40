// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small arrays of a thread that short loops pass over, as lattice codes have them:
//
//   const int from[3] = {c, c - 1, c + 1};       const int from_0 = c; const int from_1 = c - 1;
//   ...                                          ...
//   float f[3];                                  float f_0; float f_1; float f_2;
//   for (int q = 0; q < 3; ++q)            ->    f_0 = in.f[0][from_0];
//     f[q] = in.f[q][from[q]];                   f_1 = in.f[1][from_1]; ...
//
// On a GPU all of that lives in registers. Here a loop over threads that is parted at such loops
// keeps the arrays for each thread, and of a place that is looked up in an array nobody sees that
// it is a neighbour's. It is done in kernels that have no other loops, and whose text stays short.
//
// Beside other loops it is done where a short loop hands on what one element has to the next:
//
//   for (int step = n; step > 0; --step) {       for (int step = n; step > 0; --step) {
//     ...                                          ...
//     for (int i = 0; i < 2; ++i)                  v_0 = p * ((float)(v_1)) + q * v_0;
//       v[i] = p * (i + 1 < 2 ? v[i + 1] : up)     v_1 = p * ((float)(up)) + q * v_1;
//              + q * v[i];                       }
//   }
//
// And where a longer loop adds up each element by its number, so that these sums are kept in
// registers: `sum[0] += x; sum[1] += y;` and behind it `for (int k = 0; k < 2; ++k)
// reduce(sum[k]);`.
//
// And it is done where short loops pass over arrays of a structure, `s.v[i] += x[i];`: it
// becomes its parts then (plain_parts.cpp).
//
// Other short loops (`sum[i] += a[i] * b;`) are good as they are: a row of threads shares each
// step.
#include "analyse/plain_body.h"

#include <algorithm>
#include <cstdlib>

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"

#include "analyse/counted_loops.h"
#include "analyse/lane_loop_parts.h"
#include "analyse/loop_hints.h"
#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "analyse/region_parts.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

constexpr std::int64_t mostSteps = 32, mostElements = 64;
constexpr std::uint64_t mostText = 24000, mostTextBeside = 12000;

using Edits = std::map<unsigned, std::pair<unsigned, std::string>>;

/// What a loop's body must not have, if it is to stand several times in a row.
class Straight : public SyntaxVisitor {
public:
  explicit Straight(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  bool holds = true;
  std::vector<const clang::ForStmt*> loops;

  bool VisitStmt(clang::Stmt* s) override {
    return holds =
               holds &&
               !llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt, clang::GotoStmt,
                          clang::LabelStmt, clang::SwitchStmt, clang::LambdaExpr, clang::WhileStmt,
                          clang::DoStmt, clang::CXXForRangeStmt, clang::AsmStmt>(s);
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    return holds = holds && variable->hasLocalStorage() && !variable->hasAttrs();
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    loops.push_back(loop);
    return true;
  }
};

/// An array of numbers or pointers that is one thread's own, with at most so many elements; none
/// otherwise.
const clang::ConstantArrayType* ownArray(const clang::VarDecl* variable,
                                         const clang::ASTContext& context) {
  if (!variable->hasLocalStorage() || llvm::isa<clang::ParmVarDecl>(variable) ||
      isShared(variable) || variable->hasAttrs() || variable->isConstexpr())
    return nullptr;
  const auto* array = context.getAsConstantArrayType(variable->getType());
  const clang::QualType element = array ? array->getElementType() : clang::QualType();
  return array && array->getSize().ule(mostElements) && !element.isVolatileQualified() &&
                 (element->isArithmeticType() || element->isPointerType())
             ? array
             : nullptr;
}

/// `a[i]` of which a name is the array.
const clang::ArraySubscriptExpr* elementNamed(const PlainBody& body,
                                              const clang::DeclRefExpr* use) {
  const clang::ParentMap& parents = body.variables.parents();
  const clang::Stmt* parent = parents.getParent(use);
  while (llvm::isa_and_nonnull<clang::ImplicitCastExpr>(parent))
    parent = parents.getParent(parent);
  const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(parent);
  return element && element->getBase()->IgnoreImpCasts() == use ? element : nullptr;
}

/// Whether nothing but the value of an element, or of its change, is asked for: of its address more
/// may come, `reinterpret_cast<float4&>(a[0])`, `&(a[0] = x)`.
bool isValue(const PlainBody& body, const clang::Expr* element) {
  const clang::ParentMap& parents = body.variables.parents();
  const clang::Stmt* parent = parents.getParent(element);
  while (llvm::isa_and_nonnull<clang::ParenExpr>(parent))
    parent = parents.getParent(parent);
  const auto* outer = llvm::dyn_cast_or_null<clang::Expr>(parent);
  // `a[0] = x;`
  if (!outer)
    return !llvm::isa<clang::ArraySubscriptExpr>(element) &&
           !llvm::isa_and_nonnull<clang::DeclStmt>(parent);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(outer))
    return cast->getCastKind() == clang::CK_LValueToRValue ||
           cast->getCastKind() == clang::CK_ToVoid ||
           // `i < 3 ? v[i] : up` is a variable, too, one that is constant if `up` is.
           (llvm::isa<clang::ImplicitCastExpr>(cast) && cast->getCastKind() == clang::CK_NoOp &&
            isValue(body, cast));
  if (llvm::isa<clang::ConditionalOperator>(outer))
    return !outer->isLValue() || isValue(body, outer);
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(outer);
      op && op->getOpcode() == clang::BO_Comma)
    return !llvm::isa<clang::ArraySubscriptExpr>(element) &&
           (op->getLHS()->IgnoreParens() == element || isValue(body, op));
  const auto* op = llvm::dyn_cast<clang::UnaryOperator>(outer);
  if (!llvm::isa<clang::BinaryOperator>(outer) && !op)
    return false;
  return !(op && op->getOpcode() == clang::UO_AddrOf) &&
         (!outer->isLValue() || isValue(body, outer));
}

/// A kernel's short loops.
class ShortLoops {
public:
  explicit ShortLoops(const PlainBody& body) : body_(body), context_(body.unit.context()) {}

  /// Writes them out if there are no others.
  void writeOutAll() {
    if (body_.contents.loops.empty())
      return;
    for (const clang::Stmt* s : body_.contents.loops)
      if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s); !loop || !add(loop))
        return;
    if (gains())
      writeOut(mostText);
  }

  /// Writes out those that pass over arrays in which values are handed on. Threads meet in
  /// `places`.
  void writeOutHandingOn(const std::vector<clang::SourceLocation>& places) {
    // Inner loops come first.
    for (auto s = body_.contents.loops.rbegin(); s != body_.contents.loops.rend(); ++s) {
      const auto* loop = llvm::dyn_cast<clang::ForStmt>(*s);
      if (!loop || meetsIn(loop, places))
        continue;
      const auto inner = Straight(loop->getBody()).loops;
      if (std::all_of(inner.begin(), inner.end(),
                      [&](const clang::ForStmt* one) { return loops_.count(one) != 0; }))
        add(loop);
    }
    keepHandingOn();
    if (!loops_.empty())
      writeOut(mostTextBeside);
  }

  /// Writes out those that pass over arrays of which a longer loop adds up each element by its
  /// number.
  void writeOutBehindSums() {
    for (const clang::Stmt* s : body_.contents.loops)
      if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
        add(loop);
    LoopSet kept;
    for (const auto& [array, loops] : countedArrays())
      if (isSumOfLongerLoop(array))
        kept.insert(loops.begin(), loops.end());
    keep(kept);
    if (!loops_.empty())
      writeOut(mostTextBeside);
  }

  /// Writes out those that pass over small arrays of structures, whose elements then are parts.
  void writeOutOverParts() {
    for (auto s = body_.contents.loops.rbegin(); s != body_.contents.loops.rend(); ++s)
      if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(*s))
        add(loop);
    LoopSet kept;
    for (const auto& [variable, local] : body_.variables.variables())
      if (LoopSet loops; passesOverParts(variable, loops))
        kept.insert(loops.begin(), loops.end());
    keep(kept);
    if (!loops_.empty())
      writeOut(mostTextBeside);
  }

private:
  void writeOut(std::uint64_t longest) {
    if (textOf(body_.function->getBody()) > longest)
      return;
    for (const auto& [loop, counted] : loops_)
      if (outermost(loop->getBody()).empty() && !write(loop, counted))
        return;
    for (auto& [file, edits] : edits_)
      if (!body_.put(file, std::move(edits)))
        return;
  }

  struct Steps {
    const clang::VarDecl* counter;
    std::vector<std::int64_t> values;
    FileRange range;
  };

  bool add(const clang::ForStmt* loop) {
    const auto counted = asCountedLoop(loop, context_);
    const auto first = counted ? constantOf(counted->first, context_) : std::nullopt;
    const auto limit = counted ? constantOf(counted->limit, context_) : std::nullopt;
    const clang::Stmt* const body = loop->getBody();
    if (!first || !limit || *first < 0 ||
        !context_.hasSameUnqualifiedType(counted->counter->getType(), context_.IntTy) ||
        !Straight(body).holds || loop->getBeginLoc().isMacroID() || !body_.isSpelled(body) ||
        !body_.placesOf(counted->counter))
      return false;
    std::int64_t step = 1;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens()))
      step = constantOf(op->getRHS(), context_).value_or(0);
    Steps steps{counted->counter, {}, {}};
    for (std::int64_t i = *first; i < *limit + counted->reachesLimit; i += step) {
      steps.values.push_back(i);
      if (step < 1 || steps.values.size() > mostSteps)
        return false;
    }
    // The loop's text, with the semicolon of what is its whole body.
    const auto range = body_.text.rangeOf(loop->getSourceRange());
    if (!range || steps.values.empty() || tellsLine(*range) || llvm::isa<clang::DeclStmt>(body))
      return false;
    steps.range = *range;
    if (!llvm::isa<clang::CompoundStmt>(body) &&
        body_.text.buffer(range->file)[range->end - 1] != '}') {
      const auto end = behindSemicolon(body_.text, *range);
      if (!end)
        return false;
      steps.range.end = *end;
    }
    for (const auto& hidden : body_.unit.skippedRanges(range->file))
      if (hidden.first < steps.range.end && hidden.second > range->begin)
        return false;
    loops_.emplace(loop, std::move(steps));
    return true;
  }

  /// Whether something in a piece of code may ask for its line.
  bool tellsLine(const FileRange& range) const {
    const std::string own =
        body_.text.buffer(range.file).slice(range.begin, range.end).str() + "\n";
    const std::vector<RawToken> tokens = rawTokens(own);
    return std::any_of(tokens.begin(), tokens.end(), [](const RawToken& token) {
      return token.text == "assert" || token.text == "__LINE__";
    });
  }

  /// Whether an array of a thread's own becomes single numbers that way, which is worth it: one of
  /// which the values are listed, or that a longer loop passes over.
  bool gains() const {
    for (const auto& [array, loops] : countedArrays())
      if ((array->hasInit() && listed(array)) ||
          std::any_of(loops.begin(), loops.end(), [&](const clang::ForStmt* loop) {
            return loops_.at(loop).values.size() > mostUnrolled;
          }))
        return true;
    return false;
  }

  using LoopSet = std::set<const clang::ForStmt*>;
  /// The arrays that become single numbers as soon as loops are written out: these loops.
  std::map<const clang::VarDecl*, LoopSet> countedArrays() const {
    std::map<const clang::VarDecl*, LoopSet> out;
    for (const auto& [variable, local] : body_.variables.variables()) {
      const auto found = body_.contents.references.find(variable);
      if (!ownArray(variable, context_) || found == body_.contents.references.end())
        continue;
      LoopSet loops;
      if (std::all_of(
              found->second.begin(), found->second.end(), [&](const clang::DeclRefExpr* use) {
                const auto* element = elementNamed(body_, use);
                return element && isValue(body_, element) && isCounted(element->getIdx(), loops);
              }))
        out.emplace(variable, std::move(loops));
    }
    return out;
  }

  /// Whether a loop that is not short changes elements by their numbers, `sum[1] += x;`, and names
  /// none otherwise.
  bool isSumOfLongerLoop(const clang::VarDecl* array) const {
    bool sums = false;
    for (const clang::DeclRefExpr* use : body_.contents.references.at(array)) {
      const clang::Stmt* s = use;
      while (s && !(isLoop(s) && !stepsOf(s)))
        s = body_.variables.parents().getParent(s);
      if (!s)
        continue;
      const auto* element = elementNamed(body_, use);
      if (!constantOf(element->getIdx(), context_))
        return false;
      const auto* op = changeOf(element);
      sums |= op && op->isCompoundAssignmentOp() && op->getLHS()->IgnoreParens() == element;
    }
    return sums;
  }
  static bool isLoop(const clang::Stmt* s) {
    return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s);
  }
  /// Leaves the loops that pass over arrays in which values are handed on, with those over other
  /// arrays that these loops pass over.
  void keepHandingOn() {
    const auto arrays = countedArrays();
    LoopSet kept;
    for (const auto& [array, loops] : arrays)
      for (const clang::ForStmt* loop : loops)
        if (handsOn(loop, array))
          kept.insert(loops.begin(), loops.end());
    for (std::size_t before = 0; before != kept.size();) {
      before = kept.size();
      for (const auto& [array, loops] : arrays)
        if (std::any_of(loops.begin(), loops.end(),
                        [&](const clang::ForStmt* loop) { return kept.count(loop) != 0; }))
          kept.insert(loops.begin(), loops.end());
    }
    keep(kept);
  }
  void keep(const LoopSet& kept) {
    for (auto loop = loops_.begin(); loop != loops_.end();)
      loop = kept.count(loop->first) ? std::next(loop) : loops_.erase(loop);
  }
  /// Whether each element of a structure's arrays is named by numbers and by counters of `loops`.
  bool passesOverParts(const clang::VarDecl* variable, LoopSet& loops) const {
    const clang::ParentMap& parents = body_.variables.parents();
    const auto found = body_.contents.references.find(variable);
    if (!variable->hasLocalStorage() || llvm::isa<clang::ParmVarDecl>(variable) ||
        found == body_.contents.references.end() || !partsOf(variable->getType()).empty() ||
        scalarsOf(variable->getType()).empty())
      return false;
    return llvm::all_of(found->second, [&](const clang::DeclRefExpr* use) {
      const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(parents.getParent(use));
      if (!member || !member->getType()->isArrayType())
        return true;
      const clang::Stmt* parent = parents.getParent(member);
      while (llvm::isa_and_nonnull<clang::ImplicitCastExpr>(parent))
        parent = parents.getParent(parent);
      const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(parent);
      return element && element->getBase()->IgnoreImpCasts() == member &&
             isCounted(element->getIdx(), loops);
    });
  }
  /// Whether a step of a loop computes with what another step has put into an array, or into a
  /// variable.
  bool handsOn(const clang::ForStmt* loop, const clang::VarDecl* array) const {
    const clang::Stmt* const body = loop->getBody();
    std::vector<const clang::Expr*> read, written;
    for (const clang::DeclRefExpr* use : body_.contents.references.at(array))
      if (isWithin(use, body)) {
        const auto* element = elementNamed(body_, use);
        const auto* op = changeOf(element);
        if (op && op->getLHS()->IgnoreParens() == element)
          written.push_back(element->getIdx());
        // A queue that moves on only copies.
        else if (!op || !isElementOf(op->getLHS(), array))
          read.push_back(element->getIdx());
      }
    const Steps& steps = loops_.at(loop);
    for (const clang::Expr* from : read)
      for (const clang::Expr* to : written)
        for (const std::int64_t i : steps.values)
          for (const std::int64_t j : steps.values) {
            const auto a = placeOf(from, steps.counter, i), b = placeOf(to, steps.counter, j);
            if (i != j && a && b && *a == *b)
              return true;
          }
    return std::any_of(body_.contents.references.begin(), body_.contents.references.end(),
                       [&](const auto& one) { return handsOnIn(one.first, one.second, body); });
  }
  /// `left = h[c];` behind what reads `left`. What is added up (`m = max(m, h[c])`) or chosen under
  /// a condition is no such variable.
  bool handsOnIn(const clang::VarDecl* variable, const std::vector<const clang::DeclRefExpr*>& uses,
                 const clang::Stmt* body) const {
    if (!variable->hasLocalStorage() || !variable->getType()->isScalarType() ||
        isWithin(body_.variables.find(variable), body))
      return false;
    bool assigned = false, read = false;
    for (const clang::DeclRefExpr* use : uses)
      if (isWithin(use, body)) {
        const auto* op = changeOf(use);
        if (!op || op->getLHS()->IgnoreParens() != use) {
          read = true;
          continue;
        }
        const clang::Stmt* const list = body_.variables.parents().getParent(op);
        if (op->getOpcode() != clang::BO_Assign || list != body ||
            std::any_of(uses.begin(), uses.end(), [&](const clang::DeclRefExpr* other) {
              return isWithin(other, op->getRHS());
            }))
          return false;
        assigned = true;
      }
    return assigned && read;
  }
  /// The assignment of which an expression is one side.
  const clang::BinaryOperator* changeOf(const clang::Expr* e) const {
    const clang::Stmt* parent = body_.variables.parents().getParent(e);
    while (llvm::isa_and_nonnull<clang::ParenExpr, clang::ImplicitCastExpr>(parent))
      parent = body_.variables.parents().getParent(parent);
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
    return op && op->isAssignmentOp() ? op : nullptr;
  }
  static bool isElementOf(const clang::Expr* e, const clang::VarDecl* array) {
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e->IgnoreParens());
    return element && namedBy(element->getBase()->IgnoreParenImpCasts()) == array;
  }
  /// The number of an element in one step of a loop; of loops around it in the first.
  std::optional<std::int64_t> placeOf(const clang::Expr* e, const clang::VarDecl* counter,
                                      std::int64_t step) const {
    e = plainly(e);
    if (const auto value = constantOf(e, context_))
      return value;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      const auto a = placeOf(op->getLHS(), counter, step), b = placeOf(op->getRHS(), counter, step);
      constexpr std::int64_t most = 1 << 20; // (no place in such an array is further off)
      if (!a || !b || std::abs(*a) > most || std::abs(*b) > most)
        return std::nullopt;
      switch (op->getOpcode()) {
      case clang::BO_Add:
        return *a + *b;
      case clang::BO_Sub:
        return *a - *b;
      case clang::BO_Mul:
        return *a * *b;
      case clang::BO_Xor:
        return *a ^ *b;
      default:
        return std::nullopt;
      }
    }
    const clang::VarDecl* const variable = namedBy(e);
    if (variable == counter)
      return step;
    for (const auto& [loop, steps] : loops_)
      if (variable && steps.counter == variable)
        return steps.values.front();
    return std::nullopt;
  }
  bool isWithin(const LocalVariable* local, const clang::Stmt* outer) const {
    return local && local->statement && isWithin(local->statement, outer);
  }
  bool isWithin(const clang::Stmt* s, const clang::Stmt* outer) const {
    while (s && s != outer)
      s = body_.variables.parents().getParent(s);
    return s != nullptr;
  }
  bool meetsIn(const clang::Stmt* s, const std::vector<clang::SourceLocation>& places) const {
    const clang::SourceManager& sources = body_.text.sources();
    const clang::SourceLocation begin = sources.getExpansionLoc(s->getBeginLoc()),
                                end = sources.getExpansionLoc(s->getEndLoc());
    return std::any_of(places.begin(), places.end(), [&](clang::SourceLocation place) {
      place = sources.getExpansionLoc(place);
      return place == begin || place == end ||
             (sources.isBeforeInTranslationUnit(begin, place) &&
              sources.isBeforeInTranslationUnit(place, end));
    });
  }
  static bool listed(const clang::VarDecl* variable) {
    const auto* list = llvm::dyn_cast<clang::InitListExpr>(variable->getInit());
    return list && list->getNumInits() > 1;
  }
  /// Whether a place in an array is a number as soon as loops are written out.
  bool isCounted(const clang::Expr* e, LoopSet& loops) const {
    e = plainly(e);
    if (constantOf(e, context_))
      return true;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma &&
             isCounted(op->getLHS(), loops) && isCounted(op->getRHS(), loops);
    const clang::VarDecl* const variable = namedBy(e);
    for (const auto& [loop, steps] : loops_)
      if (variable && steps.counter == variable) {
        loops.insert(loop);
        return true;
      }
    return false;
  }

  /// How long the text of some code gets.
  std::uint64_t textOf(const clang::Stmt* s) const {
    if (!s)
      return 0;
    if (const Steps* steps = stepsOf(s))
      return steps->values.size() * textOf(llvm::cast<clang::ForStmt>(s)->getBody());
    const auto range = body_.text.rangeOf(s->getSourceRange());
    std::uint64_t out = range && range->end > range->begin ? range->end - range->begin : 0;
    for (const clang::ForStmt* loop : outermost(s)) {
      const FileRange& inner = loops_.at(loop).range;
      out += textOf(loop);
      out -= std::min<std::uint64_t>(out, inner.end - inner.begin);
    }
    return out;
  }
  const Steps* stepsOf(const clang::Stmt* s) const {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    const auto found = loop ? loops_.find(loop) : loops_.end();
    return found == loops_.end() ? nullptr : &found->second;
  }
  std::vector<const clang::ForStmt*> outermost(const clang::Stmt* s) const {
    std::vector<const clang::ForStmt*> out;
    if (stepsOf(s))
      return {llvm::cast<clang::ForStmt>(s)};
    for (const clang::Stmt* child : s->children()) {
      if (!child)
        continue;
      const auto inner = outermost(child);
      out.insert(out.end(), inner.begin(), inner.end());
    }
    return out;
  }

  bool write(const clang::ForStmt* loop, const Steps& steps) {
    const auto range = body_.text.rangeOf(loop->getBody()->getSourceRange());
    const auto uses = body_.placesOf(steps.counter);
    if (!range || range->file != steps.range.file || range->begin <= steps.range.begin)
      return false;
    const FileRange inside{range->file, range->begin, steps.range.end};
    std::string out;
    for (const std::int64_t value : steps.values) {
      TokenChanges changes;
      for (const auto& [offset, use] : *uses)
        changes.instead[offset] = written(value);
      const auto line = onOneLine(body_.text, inside, changes);
      if (!line)
        return false;
      out += (out.empty() ? "" : " ") + *line;
    }
    // A loop may be all that a condition asks for.
    Edits& edits = edits_[range->file];
    edits[steps.range.begin] = {steps.range.end,
                                withLinesOf(body_.text.text(steps.range), "{ " + out + " }")};
    return removeHint(body_, loop, steps.range, edits);
  }
  /// Compilers ask whether `2 ^ 1` and `10 ^ 3` are meant for powers.
  static std::string written(std::int64_t value) {
    return value == 2 ? "0x2" : value == 10 ? "0xa" : std::to_string(value);
  }

  const PlainBody& body_;
  const clang::ASTContext& context_;
  std::map<const clang::ForStmt*, Steps> loops_;
  std::map<std::string, Edits> edits_;
};

/// Conditions that have become constants, where elements are named: of `i + 1 < 4 ? v[i + 1] : up`
/// only one side is there for each i.
class Sides : public SyntaxVisitor {
public:
  explicit Sides(const PlainBody& body) : body_(body), context_(body.unit.context()) {}
  void choose() { TraverseStmt(body_.function->getBody()); }

  bool VisitConditionalOperator(clang::ConditionalOperator* e) override {
    const auto known = valueOf(e->getCond());
    const clang::QualType type = e->getType();
    if (!known || e->isTypeDependent() || !type->isScalarType() || !namesElement(e) ||
        !body_.isSpelled(e))
      return true;
    const clang::Expr* const side = *known ? e->getTrueExpr() : e->getFalseExpr();
    const std::string cast =
        e->isLValue()
            ? ""
            : "(" + type.getUnqualifiedType().getAsString(context_.getPrintingPolicy()) + ")";
    replace(e, side, "(" + cast + "(", "))");
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* e) override {
    const bool both = e->getOpcode() == clang::BO_LAnd;
    const auto known =
        both || e->getOpcode() == clang::BO_LOr ? valueOf(e->getLHS()) : std::nullopt;
    if (known && *known != both && !e->isTypeDependent() && namesElement(e) && body_.isSpelled(e))
      replace(e, nullptr, *known ? "true" : "false", "");
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* s) override {
    const auto known =
        s->getInit() || s->getConditionVariable() ? std::nullopt : valueOf(s->getCond());
    if (known && namesElement(s) && body_.isSpelled(s))
      replace(s, *known ? s->getThen() : s->getElse(), "{ ", " }");
    return true;
  }

private:
  std::optional<bool> valueOf(const clang::Expr* condition) const {
    if (condition->isValueDependent() || condition->HasSideEffects(context_))
      return std::nullopt;
    const auto value = constantOf(condition, context_);
    return value ? std::optional<bool>(*value != 0) : std::nullopt;
  }
  /// Whether code names an element of a thread's small array.
  bool namesElement(const clang::Stmt* s) const {
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return variable && ownArray(variable, context_) && elementNamed(body_, use);
    }
    return std::any_of(s->child_begin(), s->child_end(),
                       [&](const clang::Stmt* child) { return child && namesElement(child); });
  }
  /// The text of a statement, with the semicolon that ends it.
  std::optional<FileRange> rangeOf(const clang::Stmt* s) const {
    auto range = body_.text.rangeOf(s->getSourceRange());
    if (!range || s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID())
      return std::nullopt;
    const char last = range->end > 0 ? body_.text.buffer(range->file)[range->end - 1] : ' ';
    if (llvm::isa<clang::Expr>(s) || last == '}' || last == ';')
      return range;
    const auto end = behindSemicolon(body_.text, *range);
    if (!end)
      return std::nullopt;
    range->end = *end;
    return range;
  }
  /// Puts one side in the place of the whole, or nothing.
  void replace(const clang::Stmt* all, const clang::Stmt* side, const std::string& open,
               const std::string& close) {
    const bool statement = llvm::isa<clang::IfStmt>(all);
    const auto whole = statement ? ofIf(llvm::cast<clang::IfStmt>(all)) : rangeOf(all);
    auto inner = side ? (statement ? ofSide(side) : rangeOf(side)) : whole;
    if (!whole || !inner || inner->file != whole->file || inner->begin < whole->begin ||
        inner->end > whole->end)
      return;
    // What stands inside of another waits for the next round.
    for (const FileRange& one : chosen_)
      if (one.file == whole->file && one.begin <= whole->end && whole->begin <= one.end)
        return;
    const llvm::StringRef text = body_.text.buffer(whole->file);
    Edits edits;
    if (!side) {
      if (text.slice(whole->begin, whole->end).contains('#'))
        return;
      edits[whole->begin] = {whole->end, withLinesOf(body_.text.text(*whole), open + close)};
    } else {
      const FileRange before{whole->file, whole->begin, inner->begin},
          behind{whole->file, inner->end, whole->end};
      if (text.slice(before.begin, before.end).contains('#') ||
          text.slice(behind.begin, behind.end).contains('#'))
        return;
      edits[before.begin] = {before.end, withLinesOf(body_.text.text(before), open)};
      edits[behind.begin] = {behind.end, withLinesOf(body_.text.text(behind), close)};
    }
    if (body_.put(whole->file, std::move(edits)))
      chosen_.push_back(*whole);
  }
  /// A statement that may be an expression, or end with one.
  std::optional<FileRange> ofSide(const clang::Stmt* s) const {
    if (const auto* inner = llvm::dyn_cast<clang::IfStmt>(s))
      return ofIf(inner);
    if (llvm::isa<clang::CompoundStmt>(s))
      return rangeOf(s);
    auto range = rangeOf(s);
    if (!llvm::isa<clang::Expr>(s) || !range)
      return llvm::isa<clang::DeclStmt, clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt>(s)
                 ? range
                 : std::nullopt;
    const auto end = behindSemicolon(body_.text, *range);
    if (!end)
      return std::nullopt;
    range->end = *end;
    return range;
  }
  std::optional<FileRange> ofIf(const clang::IfStmt* s) const {
    auto range = body_.text.rangeOf(s->getSourceRange());
    const auto last = ofSide(s->getElse() ? s->getElse() : s->getThen());
    if (!range || !last || s->getBeginLoc().isMacroID() || range->file != last->file)
      return std::nullopt;
    range->end = last->end;
    return range;
  }

  const PlainBody& body_;
  const clang::ASTContext& context_;
  std::vector<FileRange> chosen_;
};

/// An array of which every element is named by its number.
class Elements {
public:
  Elements(const PlainBody& body, const std::set<std::string>& taken, const clang::VarDecl* array,
           const clang::ConstantArrayType* type)
      : body_(body), taken_(taken), context_(body.unit.context()), array_(array),
        count_(type->getSize().getZExtValue()), element_(type->getElementType()) {}

  /// Whether it is declared with others, which is all that is in the way.
  bool isAmongOthers() {
    const auto uses = body_.placesOf(array_);
    const LocalVariable* local = body_.variables.find(array_);
    const clang::DeclStmt* s = local ? local->statement : nullptr;
    return uses && !uses->empty() && s && !s->isSingleDecl() && body_.isSpelled(s) &&
           std::all_of(uses->begin(), uses->end(), [&](const auto& use) {
             const auto* element = elementNamed(body_, use.second);
             return element && isValue(body_, element) && constantOf(element->getIdx(), context_);
           });
  }
  void part() {
    const auto uses = body_.placesOf(array_);
    const LocalVariable* local = body_.variables.find(array_);
    const clang::DeclStmt* s = local ? local->statement : nullptr;
    if (!uses || uses->empty() || !s || !s->isSingleDecl() || !body_.isSpelled(s) ||
        s->getEndLoc().isMacroID() ||
        !llvm::isa_and_nonnull<clang::CompoundStmt>(body_.variables.parents().getParent(s)) ||
        !declare(s))
      return;
    for (const auto& [offset, use] : *uses)
      if (!rewrite(use, offset))
        return;
    body_.put(file_, std::move(edits_));
  }

private:
  std::string nameOf(std::uint64_t i) const {
    return array_->getNameAsString() + "_" + std::to_string(i);
  }
  bool declare(const clang::DeclStmt* s) {
    const auto range = body_.text.rangeOf(s->getSourceRange());
    const auto* list = llvm::dyn_cast_or_null<clang::InitListExpr>(array_->getInit());
    if (!range || (array_->hasInit() && !list) || (list && list->getNumInits() > count_) ||
        (list && list->isStringLiteralInit()))
      return false;
    file_ = range->file;
    for (const auto& hidden : body_.unit.skippedRanges(file_))
      if (hidden.first < range->end && hidden.second > range->begin)
        return false;
    std::string out;
    for (std::uint64_t i = 0; i < count_; ++i) {
      if (taken_.count(nameOf(i)))
        return false;
      std::string declaration;
      llvm::raw_string_ostream stream(declaration);
      element_.print(stream, context_.getPrintingPolicy(), nameOf(i));
      out += (out.empty() ? "[[maybe_unused]] " : " [[maybe_unused]] ") + declaration;
      if (list) {
        const auto value = valueOf(list, i);
        if (!value)
          return false;
        out += " = " + *value;
      }
      out += ";";
    }
    edits_[range->begin] = {range->end, withLinesOf(body_.text.text(*range), out)};
    return body_.text.buffer(file_)[range->end - 1] == ';';
  }
  std::optional<std::string> valueOf(const clang::InitListExpr* list, std::uint64_t i) const {
    const std::string none = element_->isPointerType()   ? "nullptr"
                             : element_->isBooleanType() ? "false"
                                                         : "0";
    const clang::Expr* const value = i < list->getNumInits() ? list->getInit(unsigned(i)) : nullptr;
    if (!value || llvm::isa<clang::ImplicitValueInitExpr>(value))
      return none;
    if (llvm::isa<clang::InitListExpr, clang::DesignatedInitExpr>(value->IgnoreParenImpCasts()) ||
        !body_.isSpelled(value) || !body_.text.isWhole(value))
      return std::nullopt;
    const auto range = body_.text.writtenRange(value->getSourceRange());
    return range && range->file == file_ ? onOneLine(body_.text, *range, {}) : std::nullopt;
  }
  /// `a[3]`
  bool rewrite(const clang::DeclRefExpr* use, unsigned offset) {
    const auto* element = elementNamed(body_, use);
    const auto at = element ? constantOf(element->getIdx(), context_) : std::nullopt;
    const auto end = element ? body_.text.endOf(element->getRBracketLoc()) : std::nullopt;
    if (!at || !isValue(body_, element) || *at < 0 || std::uint64_t(*at) >= count_ || !end ||
        end->file != file_ || end->offset <= offset || element->getLHS()->IgnoreImpCasts() != use ||
        element->getRBracketLoc().isMacroID())
      return false;
    edits_[offset] = {
        end->offset, withLinesOf(body_.text.buffer(file_).slice(offset, end->offset), nameOf(*at))};
    return true;
  }

  const PlainBody& body_;
  const std::set<std::string>& taken_;
  const clang::ASTContext& context_;
  const clang::VarDecl* array_;
  const std::uint64_t count_;
  const clang::QualType element_;
  std::string file_;
  Edits edits_;
};

} // namespace

void writeOutShortLoops(const PlainBody& body) { ShortLoops(body).writeOutAll(); }

void writeOutHandingOn(const PlainBody& body, const std::vector<clang::SourceLocation>& places) {
  ShortLoops(body).writeOutHandingOn(places);
}

void writeOutBehindSums(const PlainBody& body) { ShortLoops(body).writeOutBehindSums(); }

void writeOutOverParts(const PlainBody& body) { ShortLoops(body).writeOutOverParts(); }

bool declaresOwnArray(const PlainBody& body, const clang::DeclStmt* s) {
  return std::any_of(s->decl_begin(), s->decl_end(), [&](const clang::Decl* decl) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    const auto* type = variable ? ownArray(variable, body.unit.context()) : nullptr;
    return type && Elements(body, {}, variable, type).isAmongOthers();
  });
}

void partOwnArrays(const PlainBody& body) {
  const clang::ASTContext& context = body.unit.context();
  const std::size_t before = body.changeCount();
  Sides(body).choose();
  if (body.changeCount() != before)
    return;
  std::set<std::string> names = body.declaredNames();
  for (const auto& [variable, uses] : body.contents.references)
    names.insert(variable->getNameAsString());
  for (const auto& [variable, local] : body.variables.variables())
    if (const auto* type = ownArray(variable, context))
      Elements(body, names, variable, type).part();
}

} // namespace cu2cpp
