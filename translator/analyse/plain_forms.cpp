// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What means the same in a form that says more.
//
// Declarations of several variables become one for each:
//
//   int lane = threadIdx.x % 32, sum = 0;     ->     int lane = threadIdx.x % 32; int sum = 0;
//
// Loops that count, written otherwise than `for (int i = a; i < n; i += step)`:
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x;      int i;
//   while (i < n) { ...; i += stride; }                 for (i = threadIdx.x; i < n; i += 32) ...
//
// Where nothing else uses the variable, the loop declares it: the analyses then know everything
// about it from the loop's head, and no thread has to keep it anywhere else.
//
// A place that differs between threads and moves on by the same amount for all of them becomes the
// sum of where each starts and how far all have come:
//
//   int i = y * nx + x;                         const int cuStart_i = y * nx + x; int cuMoved_i =
//   0; for (...) { i += plane; ... in[i] }         for (...) { cuMoved_i += plane; ...
//                                                 in[(cuStart_i + cuMoved_i)] }
//
// A variable that is set anew once, further down in the same block, becomes two:
//
//   int x = a; ... x = b;     ->     int cuFirst_x = a; ... const int x = b;
//
// What one thread of a row does is parted from what all do, so that it can have a loop of its own:
//
//   if (y < height) {                             if (y < height) {
//     tile[ty][tx] = in[i];                         tile[ty][tx] = in[i];
//     if (threadIdx.x == 0) tile[ty][0] = ...;    } if (y < height) { if (threadIdx.x == 0) ...;
//   }                                             }
#include "analyse/analyses.h"

#include <algorithm>
#include <optional>

#include "clang/AST/RecursiveASTVisitor.h"

#include "analyse/marks.h"
#include "analyse/plain_groups.h"
#include "analyse/uniformity.h"
#include "parse/source_text.h"

namespace cu2cpp {
namespace {

/// What a function's body says of its variables and loops.
class BodyVisitor : public clang::RecursiveASTVisitor<BodyVisitor> {
public:
  std::map<const clang::VarDecl*, unsigned> uses;
  std::map<const clang::VarDecl*, std::vector<const clang::DeclRefExpr*>> references;
  bool lambdas = false;
  std::vector<const clang::DeclStmt*> declarations;
  std::vector<const clang::Stmt*> loops;
  std::vector<const clang::IfStmt*> branches;
  bool jumps = false; ///< by goto, or into the middle of a block

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl())) {
      ++uses[variable];
      references[variable].push_back(use);
    }
    return true;
  }
  bool VisitDeclStmt(clang::DeclStmt* s) {
    declarations.push_back(s);
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* s) {
    branches.push_back(s);
    return true;
  }
  bool VisitForStmt(clang::ForStmt* s) {
    loops.push_back(s);
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* s) {
    loops.push_back(s);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr*) { return lambdas = true; }
  bool VisitLabelStmt(clang::LabelStmt*) { return jumps = true; }
  bool VisitSwitchStmt(clang::SwitchStmt* s) {
    jumps |= !llvm::isa<clang::CompoundStmt>(s->getBody());
    return true;
  }
};

unsigned usesIn(const clang::Stmt* s, const clang::VarDecl* variable) {
  BodyVisitor visitor;
  visitor.TraverseStmt(const_cast<clang::Stmt*>(s));
  const auto found = visitor.uses.find(variable);
  return found == visitor.uses.end() ? 0 : found->second;
}

bool isInside(const clang::Stmt* inner, const clang::Stmt* outer) {
  if (inner == outer)
    return true;
  return std::any_of(outer->child_begin(), outer->child_end(),
                     [&](const clang::Stmt* child) { return child && isInside(inner, child); });
}

/// Whether a loop's body goes on with the next round from elsewhere than its end.
bool continues(const clang::Stmt* s) {
  if (!s || llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                      clang::LambdaExpr>(s))
    return false;
  return llvm::isa<clang::ContinueStmt>(s) ||
         std::any_of(s->child_begin(), s->child_end(),
                     [](const clang::Stmt* child) { return continues(child); });
}

/// `i += step`
const clang::BinaryOperator* stepOf(const clang::Stmt* s, const clang::VarDecl* variable) {
  const auto* e = llvm::dyn_cast_or_null<clang::Expr>(s);
  const auto* op = e ? llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts()) : nullptr;
  const auto* target =
      op ? llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParens()) : nullptr;
  return target && target->getDecl() == variable && op->getOpcode() == clang::BO_AddAssign
             ? op
             : nullptr;
}

/// Texts to put in the place of others, by file and offset.
using Changes = std::map<std::string, std::map<unsigned, std::pair<unsigned, std::string>>>;

class PlainForms {
public:
  PlainForms(const SourceUnit& unit, const SourceText& text, Changes& changes)
      : unit_(unit), text_(text), changes_(changes) {}

  void look(const clang::FunctionDecl* function, const Facts& facts) {
    body_ = {};
    body_.TraverseStmt(function->getBody());
    if (body_.jumps)
      return;
    const Uniformity variables(function, {}, &facts);
    const std::size_t before = changeCount();
    const FunctionFacts* f = facts.find(function);
    const bool meets = f && !f->collectives.empty();
    // Where code is cut into regions, at collectives or loops, values are kept from one to the next.
    const bool keepsValues = meets || !body_.loops.empty();
    if (meets)
      for (const clang::IfStmt* branch : body_.branches)
        part(branch, variables);
    for (const clang::DeclStmt* s : body_.declarations) {
      removed_.clear();
      for (const clang::Decl* decl : s->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
          if (const LocalVariable* local = variables.find(variable); local && mayMove(*local))
            move(*local, s, variables);
      const bool stands =
          llvm::isa_and_nonnull<clang::CompoundStmt>(variables.parents().getParent(s));
      if (!removed_.empty() || (stands && keepsValues && mixesValues(s)))
        divide(s);
    }
    // In a later round, so that nothing changes twice.
    if (changeCount() != before)
      return;
    for (auto& [range, answer] : answersOfGroups(function, text_))
      changes_[range.file][range.begin] = {range.end, std::move(answer)};
    if (changeCount() != before || body_.lambdas || !meets)
      return;
    for (const clang::DeclStmt* s : body_.declarations)
      if (s->isSingleDecl())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()))
          if (const LocalVariable* local = variables.find(variable))
            splitInTwo(*local, s, variables);
    if (changeCount() != before)
      return;
    for (const clang::DeclStmt* s : body_.declarations)
      if (s->isSingleDecl())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()))
          if (const LocalVariable* local = variables.find(variable))
            partPlace(*local, s, variables);
  }

private:
  std::size_t changeCount() const {
    std::size_t count = 0;
    for (const auto& [file, edits] : changes_)
      count += edits.size();
    return count;
  }
  bool mayMove(const LocalVariable& local) const {
    const clang::VarDecl* variable = local.decl;
    if (!variable->getType()->isIntegerType() || variable->getType().isVolatileQualified() ||
        variable->getType().isConstQualified() || !variable->hasLocalStorage() || local.escapes ||
        variable->hasAttrs() || variable->getBeginLoc().isMacroID() ||
        variable->getEndLoc().isMacroID())
      return false;
    // What #if hides may use it too.
    const auto place = text_.positionOf(variable->getLocation());
    if (!place)
      return false;
    const llvm::StringRef all = text_.buffer(place->file);
    for (const auto& [begin, end] : unit_.skippedRanges(place->file))
      if (all.slice(begin, end).contains(variable->getName()))
        return false;
    return true;
  }

  void move(const LocalVariable& local, const clang::DeclStmt* s, const Uniformity& variables) {
    const std::string type =
        local.decl->getType().getUnqualifiedType().getAsString(unit_.context().getPrintingPolicy());
    std::vector<std::pair<FileRange, std::string>> edits;
    const bool good = local.decl->hasInit() ? intoOne(local, s, variables, type, edits)
                                            : intoAll(local, type, edits);
    if (!good)
      return;
    for (const auto& [range, replacement] : edits)
      if (!replacement.empty() || range.begin != range.end)
        changes_[range.file][range.begin] = {range.end, replacement};
    removed_.insert(local.decl);
  }

  /// `int i = a; while (i < n) { ...; i += b; }`, and `int i = a; for (; i < n; i += b)`.
  bool intoOne(const LocalVariable& local, const clang::DeclStmt* s, const Uniformity& variables,
               const std::string& type, std::vector<std::pair<FileRange, std::string>>& edits) {
    const clang::VarDecl* variable = local.decl;
    const clang::Stmt* const around = variables.parents().getParent(s);
    const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(around);
    if (!list || local.assignments.size() != 1 || variable->getInitStyle() != clang::VarDecl::CInit)
      return false;
    for (const clang::Stmt* loop : body_.loops) {
      if (usesIn(loop, variable) != body_.uses[variable])
        continue;
      if (variables.parents().getParent(loop) != list ||
          !staysTheSame(variable, s, loop, list, variables))
        return false;
      const auto value = text_.rangeOf(variable->getInit()->getSourceRange());
      if (!value || loop->getBeginLoc().isMacroID())
        return false;
      const std::string first =
          type + " " + variable->getNameAsString() + " = " + text_.text(*value);
      if (const auto* f = llvm::dyn_cast<clang::ForStmt>(loop)) {
        const auto at = text_.endOf(f->getLParenLoc());
        if (f->getInit() || !at || !stepOf(f->getInc(), variable))
          return false;
        edits.push_back({{at->file, at->offset, at->offset}, first});
        return true;
      }
      const auto* w = llvm::cast<clang::WhileStmt>(loop);
      const auto* inside = llvm::dyn_cast<clang::CompoundStmt>(w->getBody());
      const clang::Stmt* last = inside && !inside->body_empty() ? inside->body_back() : nullptr;
      const clang::BinaryOperator* step = stepOf(last, variable);
      if (!step || w->getConditionVariable() || inside->size() < 2 || continues(inside) ||
          declaresUsed(inside, step))
        return false;
      const auto whole = text_.rangeOf(last->getSourceRange());
      const auto condition = text_.rangeOf(w->getCond()->getSourceRange());
      const auto begin = text_.positionOf(w->getBeginLoc());
      const auto end = text_.endOf(w->getRParenLoc());
      const auto semicolon = whole ? behindSemicolon(*whole) : std::nullopt;
      if (!condition || !begin || !end || !semicolon || last->getBeginLoc().isMacroID() ||
          last->getEndLoc().isMacroID() || w->getRParenLoc().isMacroID())
        return false;
      edits.push_back(
          {{begin->file, begin->offset, end->offset},
           "for (" + first + "; " + text_.text(*condition) + "; " + text_.text(*whole) + ")"});
      edits.push_back({{whole->file, whole->begin, *semicolon}, ""});
      return true;
    }
    return false;
  }

  /// `int i; ... for (i = a; ...) ...; for (i = b; ...) ...`
  bool intoAll(const LocalVariable& local, const std::string& type,
               std::vector<std::pair<FileRange, std::string>>& edits) {
    unsigned inside = 0;
    std::vector<const clang::Stmt*> mine;
    for (const clang::Stmt* loop : body_.loops) {
      const auto* f = llvm::dyn_cast<clang::ForStmt>(loop);
      const auto* first = f ? llvm::dyn_cast_or_null<clang::BinaryOperator>(f->getInit()) : nullptr;
      const auto* target = first && first->getOpcode() == clang::BO_Assign
                               ? llvm::dyn_cast<clang::DeclRefExpr>(first->getLHS()->IgnoreParens())
                               : nullptr;
      if (!target || target->getDecl() != local.decl)
        continue;
      const auto at = text_.positionOf(first->getBeginLoc());
      if (!at || first->getBeginLoc().isMacroID() || usesIn(first->getRHS(), local.decl) ||
          std::any_of(mine.begin(), mine.end(),
                      [&](const clang::Stmt* outer) { return isInside(loop, outer); }))
        return false;
      mine.push_back(loop);
      inside += usesIn(loop, local.decl);
      edits.push_back({{at->file, at->offset, at->offset}, type + " "});
    }
    return !mine.empty() && inside == body_.uses[local.decl];
  }

  /// Whether a variable's first value is the same where its loop begins.
  bool staysTheSame(const clang::VarDecl* variable, const clang::DeclStmt* s,
                    const clang::Stmt* loop, const clang::CompoundStmt* list,
                    const Uniformity& variables) const {
    const auto at = std::find(list->body_begin(), list->body_end(), s);
    if (at != list->body_end() && at + 1 != list->body_end() && *(at + 1) == loop &&
        s->isSingleDecl())
      return true;
    return isFixed(variable->getInit(), variables);
  }

  /// Whether a step names what the loop's body declares.
  static bool declaresUsed(const clang::CompoundStmt* inside, const clang::BinaryOperator* step) {
    BodyVisitor names;
    names.TraverseStmt(step->getRHS());
    for (const clang::Stmt* s : inside->body())
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
        for (const clang::Decl* decl : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
              variable && names.uses.count(variable))
            return true;
    return false;
  }

  std::optional<unsigned> behindSemicolon(const FileRange& range) const {
    const llvm::StringRef rest = text_.buffer(range.file).substr(range.end);
    const std::size_t at = rest.find_first_not_of(" \t");
    if (at == llvm::StringRef::npos || rest[at] != ';')
      return std::nullopt;
    return range.end + static_cast<unsigned>(at) + 1;
  }

  /// Whether `i += step`, `i -= step`, `++i` or `--i` is all that changes a variable, each as a
  /// statement of its own or a loop's step, with steps that threads agree on.
  bool movesAlike(const LocalVariable& local, const Uniformity& variables) const {
    bool inLoop = false;
    for (const clang::Expr* a : local.assignments) {
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(a);
      const auto* step = llvm::dyn_cast<clang::UnaryOperator>(a);
      if (op ? (op->getOpcode() != clang::BO_AddAssign && op->getOpcode() != clang::BO_SubAssign) ||
                   !variables.isUniform(op->getRHS())
             : !step || !step->isIncrementDecrementOp())
        return false;
      const clang::Stmt* parent = variables.parents().getParent(a);
      const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(parent);
      if (!llvm::isa_and_nonnull<clang::CompoundStmt>(parent) && !(loop && loop->getInc() == a))
        return false;
      for (; parent; parent = variables.parents().getParent(parent))
        inLoop |= llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(parent);
    }
    return inLoop;
  }

  /// Where each use of a variable is spelled, if no macro and no hidden code names it.
  std::optional<std::map<unsigned, const clang::DeclRefExpr*>>
  placesOf(const clang::VarDecl* variable) const {
    const std::string name = variable->getNameAsString();
    const auto place = text_.positionOf(variable->getLocation());
    if (!place || variable->getLocation().isMacroID())
      return std::nullopt;
    for (const auto& [begin, end] : unit_.skippedRanges(place->file))
      if (text_.buffer(place->file).slice(begin, end).contains(name))
        return std::nullopt;
    std::map<unsigned, const clang::DeclRefExpr*> out;
    const auto found = body_.references.find(variable);
    if (found != body_.references.end())
      for (const clang::DeclRefExpr* use : found->second) {
        const auto at = text_.positionOf(use->getLocation());
        if (!at || use->getLocation().isMacroID() || at->file != place->file)
          return std::nullopt;
        out[at->offset] = use;
      }
    return out;
  }

  void splitInTwo(const LocalVariable& local, const clang::DeclStmt* s,
                  const Uniformity& variables) {
    const clang::VarDecl* variable = local.decl;
    const auto* list =
        llvm::dyn_cast_or_null<clang::CompoundStmt>(variables.parents().getParent(s));
    const auto* again = local.assignments.size() == 1
                            ? llvm::dyn_cast<clang::BinaryOperator>(local.assignments.front())
                            : nullptr;
    const clang::QualType type = variable->getType();
    if (!list || !again || again->getOpcode() != clang::BO_Assign || !variable->hasInit() ||
        !variable->hasLocalStorage() || local.escapes || variable->hasAttrs() ||
        type->isDependentType() || !(type->isArithmeticType() || type->isEnumeralType()) ||
        type.isVolatileQualified() || variables.parents().getParent(again) != list ||
        again->getBeginLoc().isMacroID() || again->getEndLoc().isMacroID() ||
        s->getBeginLoc().isMacroID())
      return;
    const auto name = text_.positionOf(variable->getLocation());
    const auto begin = text_.positionOf(s->getBeginLoc());
    const auto place = text_.rangeOf(again->getSourceRange());
    const auto uses = placesOf(variable);
    if (!name || !begin || !place || !uses || place->begin < begin->offset)
      return;
    std::map<unsigned, std::pair<unsigned, std::string>>& edits = changes_[name->file];
    const std::string first = "cuFirst_" + variable->getNameAsString();
    const unsigned length = unsigned(variable->getNameAsString().size());
    for (const auto& [offset, use] : *uses)
      if (offset < place->end && again->getLHS()->IgnoreParens() != use)
        edits[offset] = {offset + length, first};
    edits[name->offset] = {name->offset + length, first};
    edits[place->begin] = {
        place->begin, "const " + text_.buffer(name->file).slice(begin->offset, name->offset).str()};
  }

  void partPlace(const LocalVariable& local, const clang::DeclStmt* s,
                 const Uniformity& variables) {
    const clang::VarDecl* variable = local.decl;
    const clang::QualType type = variable->getType();
    if (!s->isSingleDecl() || !variable->hasInit() || !variable->hasLocalStorage() ||
        !type->isIntegerType() || type->isBooleanType() || type->isEnumeralType() ||
        unit_.context().getTypeSize(type) < 32 || type.isVolatileQualified() || local.escapes ||
        local.assignments.empty() || variable->hasAttrs() || !movesAlike(local, variables) ||
        variables.isUniform(variable->getInit()) || !isFixed(variable->getInit(), variables) ||
        !llvm::isa_and_nonnull<clang::CompoundStmt>(variables.parents().getParent(s)))
      return;
    const std::string name = variable->getNameAsString();
    const auto whole = text_.rangeOf(s->getSourceRange());
    const auto init = text_.rangeOf(variable->getInit()->getSourceRange());
    const auto uses = placesOf(variable);
    if (!whole || !init || !uses || s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID())
      return;
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    for (const auto& [offset, use] : *uses) {
      const clang::Stmt* parent = variables.parents().getParent(use);
      const bool changes = std::find(local.assignments.begin(), local.assignments.end(), parent) !=
                               local.assignments.end() &&
                           (!llvm::isa<clang::BinaryOperator>(parent) ||
                            llvm::cast<clang::BinaryOperator>(parent)->getLHS() == use);
      edits[offset] = {offset + unsigned(name.size()),
                       changes ? "cuMoved_" + name
                               : "(cuStart_" + name + " + cuMoved_" + name + ")"};
    }
    const std::string of =
        type.getUnqualifiedType().getAsString(unit_.context().getPrintingPolicy());
    edits[whole->begin] = {whole->end, "const " + of + " cuStart_" + name + " = " +
                                           text_.text(*init) + "; " + of + " cuMoved_" + name +
                                           " = 0;"};
    changes_[whole->file].insert(edits.begin(), edits.end());
  }

  /// Whether an expression has the same value wherever the function asks for it.
  static bool isFixed(const clang::Expr* e, const Uniformity& variables) {
    class Parts : public clang::RecursiveASTVisitor<Parts> {
    public:
      const Uniformity* variables = nullptr;
      bool fixed = true;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        const LocalVariable* local = variable ? variables->find(variable) : nullptr;
        return fixed &= !local || (!local->modified && !local->escapes);
      }
      bool VisitCallExpr(clang::CallExpr*) { return fixed = false; }
      bool VisitUnaryOperator(clang::UnaryOperator* op) {
        return fixed &= op->getOpcode() != clang::UO_Deref && !op->isIncrementDecrementOp();
      }
      bool VisitBinaryOperator(clang::BinaryOperator* op) { return fixed &= !op->isAssignmentOp(); }
    } parts;
    parts.variables = &variables;
    parts.TraverseStmt(const_cast<clang::Expr*>(e));
    return parts.fixed && !Uniformity::readsMemory(e);
  }

  static bool isThreadIndex(const clang::Expr* e, const Uniformity& variables) {
    e = e->IgnoreParenImpCasts();
    if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
      return isThreadIndex(pseudo->getResultExpr(), variables);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      const auto* use =
          llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
      return use && builtinOf(use->getDecl()) == ThreadIdx &&
             member->getMemberDecl()->getName() != "z";
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    const LocalVariable* local = variable ? variables.find(variable) : nullptr;
    return local && !local->modified && variable->hasInit() &&
           isThreadIndex(variable->getInit(), variables);
  }
  /// Whether a condition asks for one thread of each row, or for one row.
  static bool asksForOne(const clang::Expr* condition, const Uniformity& variables) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (op && op->getOpcode() == clang::BO_LAnd)
      return asksForOne(op->getLHS(), variables) || asksForOne(op->getRHS(), variables);
    return op && op->getOpcode() == clang::BO_EQ && isThreadIndex(op->getLHS(), variables) &&
           variables.isUniform(op->getRHS());
  }

  void part(const clang::IfStmt* branch, const Uniformity& variables) {
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(branch->getThen());
    if (!list || list->size() < 2 || branch->getElse() || branch->getInit() ||
        branch->getConditionVariable() || branch->isConstexpr() ||
        branch->getBeginLoc().isMacroID() || branch->getEndLoc().isMacroID() ||
        !isFixed(branch->getCond(), variables) ||
        std::any_of(list->body_begin(), list->body_end(), [](const clang::Stmt* s) {
          return llvm::isa<clang::DeclStmt>(s) || s->getBeginLoc().isMacroID();
        }))
      return;
    const auto condition = text_.rangeOf(branch->getCond()->getSourceRange());
    std::set<const clang::Stmt*> cuts;
    for (auto at = list->body_begin(); at != list->body_end(); ++at) {
      const auto* one = llvm::dyn_cast<clang::IfStmt>(*at);
      if (!one || one->getElse() || !asksForOne(one->getCond(), variables))
        continue;
      cuts.insert(*at);
      if (at + 1 != list->body_end())
        cuts.insert(*(at + 1));
    }
    cuts.erase(list->body_front());
    for (const clang::Stmt* s : cuts)
      if (const auto at = text_.positionOf(s->getBeginLoc()); at && condition)
        if (!changes_[at->file].count(at->offset))
          changes_[at->file][at->offset] = {at->offset, "} if (" + text_.text(*condition) + ") { "};
  }

  /// `int lane = threadIdx.x % 32, sum = 0;` keeps both for each thread; two declarations keep what
  /// they have to. Constants do no harm.
  bool mixesValues(const clang::DeclStmt* s) const {
    unsigned variables = 0;
    bool computed = false;
    for (const clang::Decl* decl : s->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || !variable->hasLocalStorage() || variable->hasAttrs())
        return false;
      ++variables;
      const clang::Expr* init = variable->getInit();
      computed |= init && (init->isValueDependent() || !init->isEvaluatable(unit_.context()));
    }
    return variables > 1 && computed;
  }

  /// Writes a declaration of several variables as one for each, without those that loops declare
  /// now. If that can't be done, these stay there too, and the loops' own hide them.
  void divide(const clang::DeclStmt* s) {
    const auto whole = text_.rangeOf(s->getSourceRange());
    if (!whole || s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID())
      return;
    const llvm::StringRef all = text_.buffer(whole->file);
    // What all declarators share ends where the first of them begins, with its `*` or `&`.
    std::string type, out;
    unsigned behind = 0;
    for (const clang::Decl* decl : s->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      const auto name = variable ? text_.positionOf(variable->getLocation()) : std::nullopt;
      const auto end = variable ? text_.endOf(variable->getEndLoc()) : std::nullopt;
      if (!name || !end || variable->getLocation().isMacroID() || variable->getEndLoc().isMacroID())
        return;
      unsigned begin = name->offset;
      if (behind == 0) {
        const llvm::StringRef head = all.slice(whole->begin, name->offset);
        begin = whole->begin + unsigned(std::min(head.find_first_of("*&("), head.size()));
        type = all.slice(whole->begin, begin).rtrim().str();
        if (type.empty() || llvm::StringRef(type).contains('<'))
          return;
      } else {
        const std::size_t comma = all.find(',', behind);
        if (comma >= name->offset)
          return;
        begin = unsigned(comma) + 1;
      }
      behind = end->offset;
      if (!removed_.count(variable))
        out += (out.empty() ? "" : " ") + type + " " + all.slice(begin, behind).trim().str() + ";";
    }
    if (all.slice(behind, whole->end).trim() != ";")
      return;
    changes_[whole->file][whole->begin] = {whole->end, out};
  }

  const SourceUnit& unit_;
  const SourceText& text_;
  Changes& changes_;
  BodyVisitor body_;
  std::set<const clang::VarDecl*> removed_;
};

} // namespace

PlainTexts makePlain(const SourceUnit& unit, const Facts& facts) {
  const SourceText text(unit);
  Changes changes;
  PlainForms forms(unit, text, changes);
  for (const auto& [place, f] : facts.functions)
    if (f.device && f.decl->getBody() && unit.isUser(f.decl->getLocation()) &&
        !f.decl->getBody()->getBeginLoc().isMacroID())
      forms.look(f.decl, facts);
  PlainTexts out;
  for (const auto& [file, edits] : changes) {
    std::string changed = unit.userText(file).str();
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
      changed.replace(edit->first, edit->second.first - edit->first, edit->second.second);
    // Lines on which nothing is left.
    llvm::SmallVector<llvm::StringRef, 0> before, after;
    llvm::StringRef(unit.userText(file)).split(before, '\n');
    llvm::StringRef(changed).split(after, '\n');
    if (before.size() != after.size())
      continue; // a declaration over several lines: its lines would no longer be the user's
    for (unsigned line = 0; line < after.size(); ++line)
      if (after[line].trim().empty() && !before[line].trim().empty())
        out.emptied[file].insert(line);
    out.texts[file] = std::move(changed);
  }
  return out;
}

} // namespace cu2cpp
