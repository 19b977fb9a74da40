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
// Loops whose heads are macros, written out:
//
//   GRID_STRIDE_LOOP(i, n) y[i] = a * x[i];   ->   for (int i = ...; i < (n); i += ...) y[i] = ...
//   FOR_TAPS(dy, dx) sum += ...;              ->   for (int dy = 0; ...) for (int dx = ...) sum ...
//
// Loads and stores with a hint for the cache:
//
//   __ldg(&a[i]), __ldg(p + i)                ->   (a[i]), ((p )[ i])
//   __stcs(p + i, x + y);                     ->   ((p )[ i]) = (x + y);
//
// Where nothing else uses the variable, the loop declares it: the analyses then know everything
// about it from the loop's head, and no thread has to keep it anywhere else.
//
// Behind these come the forms of plain_methods, plain_lambdas, plain_calls, plain_groups,
// plain_guards, plain_parts, plain_places, plain_edges, plain_steps, plain_continues,
// plain_staging, plain_conditions, plain_flags, plain_statements, plain_choices, plain_swaps,
// plain_counts, plain_counters, plain_own_arrays, plain_leaving, plain_paddings, plain_borders,
// plain_strides, plain_agreements, plain_shrinking_ranges, plain_block_rows and
// plain_turned_blocks; before them those of plain_builtins, plain_arguments, plain_asserts,
// plain_macros, plain_access, plain_instances, plain_specialisations and plain_bindings.
#include "analyse/analyses.h"

#include <algorithm>
#include <optional>
#include <regex>

#include "clang/AST/Attr.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Lexer.h"

#include "analyse/marks.h"
#include "analyse/meeting_places.h"
#include "analyse/plain_access.h"
#include "analyse/plain_agreements.h"
#include "analyse/plain_extremes.h"
#include "analyse/plain_arguments.h"
#include "analyse/plain_asserts.h"
#include "analyse/plain_body.h"
#include "analyse/plain_borders.h"
#include "analyse/plain_builtins.h"
#include "analyse/plain_groups.h"
#include "analyse/plain_instances.h"
#include "analyse/plain_lambdas.h"
#include "analyse/plain_macros.h"
#include "analyse/plain_pointers.h"
#include "analyse/plain_shuffles.h"
#include "analyse/plain_staging.h"
#include "analyse/plain_steps.h"
#include "analyse/plain_turned_blocks.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

std::size_t usesIn(const clang::Stmt* s, const clang::VarDecl* variable) {
  PlainVisitor visitor;
  visitor.TraverseStmt(const_cast<clang::Stmt*>(s));
  return visitor.usesOf(variable);
}

bool isInside(const clang::Stmt* inner, const clang::Stmt* outer) {
  if (inner == outer)
    return true;
  return std::any_of(outer->child_begin(), outer->child_end(),
                     [&](const clang::Stmt* child) { return child && isInside(inner, child); });
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

class PlainForms {
public:
  PlainForms(const SourceUnit& unit, const SourceText& text, PlainChanges& changes,
             const SharedWithOthers& shared, bool forCompilers)
      : unit_(unit), text_(text), changes_(changes), shared_(shared), forCompilers_(forCompilers) {}

  /// Writes functions in which threads meet into a kernel, before those take forms of their own.
  void gather(const clang::FunctionDecl* kernel, const Facts& facts) {
    body_ = {};
    body_.TraverseStmt(kernel->getBody());
    if (body_.jumps)
      return;
    const Uniformity variables(kernel, {}, &facts);
    const PlainBody body{unit_, text_, variables, body_, changes_, kernel};
    const std::size_t before = body.changeCount();
    const FunctionFacts* f = facts.find(kernel);
    if (f && !meetingPlaces(*f, facts).empty())
      nameBoundObjects(body);
    if (body.changeCount() == before)
      writeOutMeetings(body, facts, shared_);
  }

  /// Writes out functions that are given lambdas, and lambdas in which threads meet.
  void open(const clang::FunctionDecl* function, const Facts& facts) {
    body_ = {};
    body_.TraverseStmt(function->getBody());
    if (body_.jumps || !body_.lambdas)
      return;
    const Uniformity variables(function, {}, &facts);
    const PlainBody body{unit_, text_, variables, body_, changes_, function};
    const std::size_t before = body.changeCount();
    writeOutGiven(body, facts, shared_);
    if (body.changeCount() == before)
      writeOutLambdas(body, facts, true);
  }

  void look(const clang::FunctionDecl* function, const Facts& facts) {
    body_ = {};
    body_.TraverseStmt(function->getBody());
    if (body_.jumps)
      return;
    const Uniformity variables(function, {}, &facts);
    const FunctionFacts* f = facts.find(function);
    const bool meets = f && !meetingPlaces(*f, facts).empty();
    // Where code is cut into regions, at collectives or loops, values are kept from one to the
    // next.
    const bool keepsValues = meets || !body_.loops.empty();
    const PlainBody body{unit_, text_, variables, body_, changes_, function};
    const std::size_t before = body.changeCount();
    if (keepsValues)
      nameBoundObjects(body);
    if (body.changeCount() != before)
      return;
    writeOutMethods(body, facts);
    if (forCompilers_) {
      writeOutCalls(body, facts, shared_);
      if (body.changeCount() == before && f && f->kernel)
        writeOutLambdas(body, facts, false);
      if (body.changeCount() == before && f && f->kernel)
        writeOutReturns(body);
      if (body.changeCount() == before && f && f->kernel && keepsValues)
        writeOutOtherLambdas(body, facts);
      if (body.changeCount() == before && f && f->kernel && meets)
        loadWhereStored(body);
      if (body.changeCount() == before && f && f->kernel)
        placeOwnPointers(body);
      if (body.changeCount() == before && f && f->kernel)
        writeOutOwners(body, facts, shared_);
    }
    if (body.changeCount() != before)
      return;
    for (const clang::Stmt* loop : body_.loops)
      if (const auto* f = llvm::dyn_cast<clang::ForStmt>(loop))
        writeHead(f);
    if (keepsValues)
      for (const clang::CallExpr* call : body_.calls)
        writeAccess(call);
    if (body.changeCount() != before)
      return;
    if (forCompilers_ && f && f->kernel && !meets && !body_.lambdas) {
      writeOutShortLoops(body);
      if (body.changeCount() == before && body_.loops.empty())
        partOwnArrays(body);
      if (body.changeCount() == before)
        writeOutTables(body, shared_);
    }
    if (body.changeCount() != before)
      return;
    writeOutConditions(body);
    if (forCompilers_ && body.changeCount() == before)
      leaveAtOnce(body, facts);
    if (forCompilers_ && keepsValues)
      writeOutStatements(body);
    if (body.changeCount() != before)
      return;
    if (forCompilers_ && f && f->kernel && keepsValues && !body_.lambdas)
      setWhereDeclared(body);
    if (body.changeCount() != before)
      return;
    nestSteps(body, f);
    storeSwaps(body);
    if (meets)
      askAgain(body, forCompilers_);
    if (meets && forCompilers_ && f->kernel && body.changeCount() == before)
      declareFlagsOfSteps(body);
    if (meets && forCompilers_)
      guardSteps(body);
    if (meets && forCompilers_ && f->kernel && body.changeCount() == before && !body_.lambdas)
      updateWithin(body);
    if (meets && forCompilers_ && f->kernel && body.changeCount() == before && !body_.lambdas)
      chooseDefaults(body);
    if (meets && forCompilers_ && f->kernel && body.changeCount() == before)
      guardColumns(body, facts, *f);
    if (meets && forCompilers_ && f->kernel && body.changeCount() == before && !body_.lambdas)
      stepColumns(body, facts, *f);
    if (body.changeCount() != before)
      return;
    if (keepsValues)
      countStructures(body);
    if (body.changeCount() == before && forCompilers_ && f && f->kernel)
      placePointers(body);
    if (body.changeCount() == before && forCompilers_ && f && f->kernel && !body_.lambdas)
      strideTogether(body, facts);
    if (body.changeCount() == before && forCompilers_)
      countApart(body);
    if (body.changeCount() == before && forCompilers_ && meets)
      copyOneByOne(body);
    if (body.changeCount() == before && forCompilers_ && meets)
      takeOutPaddings(body, facts, *f);
    if (body.changeCount() == before && forCompilers_ && meets && f->kernel && !body_.lambdas)
      joinBorders(body);
    if (body.changeCount() == before && forCompilers_ && meets && f->kernel)
      findExtremes(body);
    if (body.changeCount() == before && forCompilers_ && meets && f->kernel)
      nameAgreements(body);
    if (body.changeCount() == before && forCompilers_ && meets && f->kernel && !body_.lambdas)
      loadNeighbours(body, *f);
    if (body.changeCount() != before)
      return;
    if (meets) {
      partSteps(body);
      partEdges(body);
      if (forCompilers_ && f && f->kernel && body.changeCount() == before)
        guardWithin(body);
    } else if (f && f->kernel) {
      returnFirst(body);
      if (forCompilers_ && body.changeCount() == before && !body_.lambdas)
        returnBeforeSteps(body);
      if (forCompilers_ && body.changeCount() == before)
        moveHeads(body);
    }
    for (const clang::DeclStmt* s : body_.declarations) {
      removed_.clear();
      for (const clang::Decl* decl : s->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
          if (const LocalVariable* local = variables.find(variable); local && mayMove(*local, body))
            move(*local, s, body);
      const bool stands =
          llvm::isa_and_nonnull<clang::CompoundStmt>(variables.parents().getParent(s));
      if (!removed_.empty() ||
          (stands && ((keepsValues && mixesValues(s)) || (meets && sharesTables(s)) ||
                      (forCompilers_ && f && f->kernel &&
                       (declaresOwnArray(body, s) || declaresAgreed(body, s) ||
                        (!meets && declaresWraps(body, s)))))))
        divide(s);
    }
    // In a later round, so that nothing changes twice.
    if (body.changeCount() != before)
      return;
    if (f)
      for (auto& [range, answer] : answersOfGroups(*f, text_))
        changes_[range.file][range.begin] = {range.end, std::move(answer)};
    if (forCompilers_ && meets)
      writeOutBarriers(body);
    if (body.changeCount() != before)
      return;
    if (forCompilers_ && f && f->kernel && meets)
      writeOutOverParts(body);
    if (keepsValues && body.changeCount() == before)
      partStructures(body, facts, f);
    if (body.changeCount() == before && meets)
      partArrays(body, facts, *f);
    if (body.changeCount() == before && meets && forCompilers_ && f->kernel)
      partSharedArrays(body, facts, *f);
    if (body.changeCount() != before ||
        (forCompilers_ && meets && f->kernel && !body_.lambdas && readThroughMarches(body, *f)))
      return;
    if (meets)
      makePlacesPlain(body);
    else if (f && f->kernel && keepsValues)
      partMovingPlaces(body);
    // What is known of longer loops by short ones around arrays is known by now.
    if (body.changeCount() == before && forCompilers_ && f && f->kernel) {
      writeOutHandingOn(body, meetingPlaces(*f, facts));
      if (body.changeCount() == before && meets)
        writeOutBehindSums(body);
      if (body.changeCount() == before)
        partOwnArrays(body);
      if (body.changeCount() == before && !meets && !body_.lambdas)
        keepWraps(body);
      if (body.changeCount() == before && meets && !body_.lambdas)
        writeElements(body);
      if (body.changeCount() == before && meets && !body_.lambdas)
        runByLayers(body, facts);
      if (body.changeCount() == before && meets && !body_.lambdas)
        layOutInRows(body, facts);
      if (body.changeCount() == before && !meets && !body_.lambdas && !body_.loops.empty())
        turnBlocks(body, facts);
    }
  }

private:
  static bool mayMove(const LocalVariable& local, const PlainBody& body) {
    const clang::VarDecl* variable = local.decl;
    if (!variable->getType()->isIntegerType() || variable->getType().isVolatileQualified() ||
        variable->getType().isConstQualified() || !variable->hasLocalStorage() || local.escapes ||
        variable->hasAttrs() || variable->getBeginLoc().isMacroID() ||
        variable->getEndLoc().isMacroID())
      return false;
    return !body.mayBeHidden(variable);
  }

  void move(const LocalVariable& local, const clang::DeclStmt* s, const PlainBody& body) {
    const std::string type =
        local.decl->getType().getUnqualifiedType().getAsString(unit_.context().getPrintingPolicy());
    std::vector<std::pair<FileRange, std::string>> edits;
    const bool good =
        local.decl->hasInit() ? intoOne(local, s, body, type, edits) : intoAll(local, type, edits);
    if (!good)
      return;
    for (const auto& [range, replacement] : edits)
      if (!replacement.empty() || range.begin != range.end)
        changes_[range.file][range.begin] = {range.end, replacement};
    removed_.insert(local.decl);
  }

  void writeAccess(const clang::CallExpr* call) {
    const clang::Expr* named = call->getCallee()->IgnoreParenImpCasts();
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(named);
    const auto* several = llvm::dyn_cast<clang::UnresolvedLookupExpr>(named);
    const clang::DeclarationName name = use       ? use->getNameInfo().getName()
                                        : several ? several->getName()
                                                  : clang::DeclarationName();
    const std::string text = name.getAsString();
    const auto begin = text_.positionOf(call->getBeginLoc());
    const auto end = text_.positionOf(call->getRParenLoc());
    const bool loads = text == "__ldg" || text == "__ldca" || text == "__ldcg" || text == "__ldcs";
    const bool stores =
        text == "__stwb" || text == "__stcg" || text == "__stcs" || text == "__stwt";
    if (!(loads || stores) || call->getNumArgs() != (loads ? 1 : 2) ||
        call->getBeginLoc().isMacroID() || call->getRParenLoc().isMacroID() || !begin || !end)
      return;
    const clang::Expr* address = call->getArg(0)->IgnoreParenImpCasts();
    if (address != call->getArg(0)->IgnoreImpCasts() || address->getBeginLoc().isMacroID())
      return;
    const auto first = text_.positionOf(address->getBeginLoc());
    auto& edits = changes_[begin->file];
    if (!first || first->file != begin->file || end->file != begin->file)
      return;
    // `a[i] = (value)`: what stands between the address and the value becomes the assignment.
    std::optional<FileRange> comma;
    if (stores) {
      const clang::Expr* value = call->getArg(1);
      const auto place = text_.rangeOf(address->getSourceRange());
      const auto given = text_.rangeOf(value->getSourceRange());
      if (!place || !given || value->getBeginLoc().isMacroID() ||
          address->getEndLoc().isMacroID() || place->file != begin->file ||
          given->file != begin->file || place->end >= given->begin ||
          llvm::isa<clang::InitListExpr>(value->IgnoreImplicit()))
        return;
      comma = FileRange{place->file, place->end, given->begin};
    }
    const auto* op = llvm::dyn_cast<clang::UnaryOperator>(address);
    if (op && op->getOpcode() == clang::UO_AddrOf) {
      edits[begin->offset] = {first->offset + 1, "("};
      if (comma)
        edits[comma->begin] = {comma->end, withLinesOf(text_.text(*comma), ") = (")};
      return;
    }
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(address);
    const auto plus = sum ? text_.positionOf(sum->getOperatorLoc()) : std::nullopt;
    if (!sum || sum->getOpcode() != clang::BO_Add || !sum->getLHS()->getType()->isPointerType() ||
        !plus || sum->getOperatorLoc().isMacroID() || plus->file != begin->file)
      return;
    edits[begin->offset] = {first->offset, "(("};
    edits[plus->offset] = {plus->offset + 1, ")["};
    if (comma)
      edits[comma->begin] = {comma->end, withLinesOf(text_.text(*comma), "]) = (")};
    else
      edits[end->offset] = {end->offset + 1, "])"};
  }

  /// The heads of a loop and of those that are its whole body, which together are all that a macro
  /// writes.
  void writeHead(const clang::ForStmt* loop) {
    const clang::SourceManager& sources = text_.sources();
    const clang::LangOptions& language = unit_.context().getLangOpts();
    if (!loop->getForLoc().isMacroID())
      return;
    const clang::CharSourceRange call = sources.getExpansionRange(loop->getForLoc());
    const auto whole = text_.rangeOf(call.getAsRange());
    clang::SourceLocation begin, end;
    const bool starts =
        clang::Lexer::isAtStartOfMacroExpansion(loop->getForLoc(), sources, language, &begin)
            ? begin == call.getBegin()
            : forCompilers_ && followsHints(loop->getForLoc());
    if (!whole || !starts)
      return;
    std::string head;
    for (const clang::Stmt* at = loop;; at = loop->getBody()) {
      at = withoutHints(at);
      loop = llvm::dyn_cast_or_null<clang::ForStmt>(at);
      if (!loop || !loop->getRParenLoc().isMacroID() || !addHead(loop, head))
        return;
      if (clang::Lexer::isAtEndOfMacroExpansion(loop->getRParenLoc(), sources, language, &end))
        break;
      if (!forCompilers_)
        return;
    }
    if (call.getEnd() != end)
      return;
    head +=
        std::string(text_.buffer(whole->file).slice(whole->begin, whole->end).count('\n'), '\n');
    changes_[whole->file][whole->begin] = {whole->end, head};
  }
  bool addHead(const clang::ForStmt* loop, std::string& head) const {
    const auto* first = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* sum = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
    const auto* count = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
    if (!first || !first->isSingleDecl() || !loop->getCond() || loop->getConditionVariable() ||
        !((sum && sum->getOpcode() == clang::BO_AddAssign) ||
          (forCompilers_ && count && count->isIncrementDecrementOp())))
      return false;
    const clang::PrintingPolicy policy(unit_.context().getPrintingPolicy());
    llvm::raw_string_ostream out(head);
    out << (head.empty() ? "for (" : " for (");
    first->getSingleDecl()->print(out, policy);
    out << "; ";
    loop->getCond()->printPretty(out, nullptr, policy);
    out << "; ";
    loop->getInc()->printPretty(out, nullptr, policy);
    out << ")";
    return true;
  }
  /// A loop without `#pragma unroll`; null under other attributes.
  static const clang::Stmt* withoutHints(const clang::Stmt* s) {
    const auto* with = llvm::dyn_cast_or_null<clang::AttributedStmt>(s);
    if (!with)
      return s;
    const bool hints =
        std::all_of(with->getAttrs().begin(), with->getAttrs().end(), [](const clang::Attr* one) {
          const auto* hint = llvm::dyn_cast<clang::LoopHintAttr>(one);
          return hint && (hint->getOption() == clang::LoopHintAttr::Unroll ||
                          hint->getOption() == clang::LoopHintAttr::UnrollCount);
        });
    return hints ? with->getSubStmt() : nullptr;
  }
  /// Whether nothing but `_Pragma("unroll")` stands before a token in the macro that writes it.
  bool followsHints(clang::SourceLocation token) const {
    const clang::SourceManager& sources = text_.sources();
    const clang::SourceLocation use = sources.getImmediateExpansionRange(token).getBegin();
    const auto name = use.isMacroID() ? std::nullopt : text_.rangeOf({use, use});
    const auto at = text_.positionOf(token);
    if (!name || !at)
      return false;
    const llvm::StringRef all = text_.buffer(at->file);
    std::size_t line = at->offset;
    while (line > 0 && (all[line - 1] != '\n' || (line > 1 && all[line - 2] == '\\')))
      --line;
    std::string before = all.slice(line, at->offset).str();
    static const std::regex joined("\\\\\n"), hints("_Pragma\\s*\\(\\s*\"unroll[ 0-9]*\"\\s*\\)");
    before = std::regex_replace(std::regex_replace(before, joined, " "), hints, " ");
    const std::string written = text_.buffer(name->file).slice(name->begin, name->end).str();
    return std::regex_match(
        before, std::regex("\\s*#\\s*define\\s+" + written + "\\s*(\\([^()]*\\))?\\s*"));
  }

  /// `int i = a; while (i < n) { ...; i += b; }`, and `int i = a; for (; i < n; i += b)`.
  bool intoOne(const LocalVariable& local, const clang::DeclStmt* s, const PlainBody& body,
               const std::string& type, std::vector<std::pair<FileRange, std::string>>& edits) {
    const Uniformity& variables = body.variables;
    const clang::VarDecl* variable = local.decl;
    const clang::Stmt* const around = variables.parents().getParent(s);
    const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(around);
    if (!list || local.assignments.size() != 1 || variable->getInitStyle() != clang::VarDecl::CInit)
      return false;
    for (const clang::Stmt* loop : body_.loops) {
      if (usesIn(loop, variable) != body_.usesOf(variable))
        continue;
      if (variables.parents().getParent(loop) != list ||
          !staysTheSame(variable, s, loop, list, body))
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
      if (!step || w->getConditionVariable() || inside->size() < 2 ||
          PlainBody::continues(inside) || declaresUsed(inside, step))
        return false;
      const auto whole = text_.rangeOf(last->getSourceRange());
      const auto condition = text_.rangeOf(w->getCond()->getSourceRange());
      const auto begin = text_.positionOf(w->getBeginLoc());
      const auto end = text_.endOf(w->getRParenLoc());
      const auto semicolon = whole ? behindSemicolon(text_, *whole) : std::nullopt;
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
    std::size_t inside = 0;
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
    return !mine.empty() && inside == body_.usesOf(local.decl);
  }

  /// Whether a variable's first value is the same where its loop begins.
  bool staysTheSame(const clang::VarDecl* variable, const clang::DeclStmt* s,
                    const clang::Stmt* loop, const clang::CompoundStmt* list,
                    const PlainBody& body) const {
    const auto at = std::find(list->body_begin(), list->body_end(), s);
    if (at != list->body_end() && at + 1 != list->body_end() && *(at + 1) == loop &&
        s->isSingleDecl())
      return true;
    return body.isFixed(variable->getInit());
  }

  /// Whether a step names what the loop's body declares.
  static bool declaresUsed(const clang::CompoundStmt* inside, const clang::BinaryOperator* step) {
    PlainVisitor names;
    names.TraverseStmt(step->getRHS());
    for (const clang::Stmt* s : inside->body())
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
        for (const clang::Decl* decl : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
              variable && names.references.count(variable))
            return true;
    return false;
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

  /// `__shared__ float a[16][16], b[16][16];`: one may be better turned (turned_arrays.cpp), and
  /// alone in its declaration it can be.
  static bool sharesTables(const clang::DeclStmt* s) {
    bool anyTable = false;
    for (const clang::Decl* decl : s->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || !isShared(variable) || variable->getAttrs().size() != 1)
        return false;
      const clang::ArrayType* rows = variable->getType()->getAsArrayTypeUnsafe();
      anyTable |= rows && rows->getElementType()->isArrayType();
    }
    return anyTable && !s->isSingleDecl();
  }

  /// Writes a declaration of several variables as one for each, without those that loops declare
  /// now. If that can't be done, these stay there too, and the loops' own hide them.
  void divide(const clang::DeclStmt* s) {
    const auto whole = text_.rangeOf(s->getSourceRange());
    if (!whole || s->getEndLoc().isMacroID())
      return;
    const llvm::StringRef all = text_.buffer(whole->file);
    if (s->getBeginLoc().isMacroID() && !all.substr(whole->begin).starts_with("__shared__ "))
      return;
    // What all declarators share ends where the first of them begins, with its `*` or `&`.
    std::string type, out;
    unsigned behind = 0;
    for (const clang::Decl* decl : s->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      const auto name = variable ? text_.positionOf(variable->getLocation()) : std::nullopt;
      // A value may be a macro's, all of it: `const int cx = CLAMP(x, 0, n - 1), cy = ...;`
      clang::SourceLocation last = variable ? variable->getEndLoc() : clang::SourceLocation();
      if (last.isMacroID() && !clang::Lexer::isAtEndOfMacroExpansion(
                                  last, text_.sources(), unit_.context().getLangOpts(), &last))
        return;
      const auto end = variable ? text_.endOf(last) : std::nullopt;
      if (!name || !end || variable->getLocation().isMacroID())
        return;
      unsigned begin = name->offset;
      if (behind == 0) {
        const llvm::StringRef head = all.slice(whole->begin, name->offset);
        // `Complex<float> a` has its stars, if any, between the angles.
        const std::size_t from = head.find_last_of('>') + 1;
        begin = whole->begin + unsigned(std::min(head.find_first_of("*&(", from), head.size()));
        type = all.slice(whole->begin, begin).rtrim().str();
        if (type.empty() || (from == 0 && llvm::StringRef(type).contains('<')))
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
    // As many lines as before.
    const auto lines = [](llvm::StringRef text) { return text.count('\n'); };
    const llvm::StringRef written = all.slice(whole->begin, whole->end);
    if (lines(out) < lines(written))
      out += std::string(lines(written) - lines(out), '\n');
    changes_[whole->file][whole->begin] = {whole->end, out};
  }

  const SourceUnit& unit_;
  const SourceText& text_;
  PlainChanges& changes_;
  const SharedWithOthers& shared_;
  const bool forCompilers_;
  PlainVisitor body_;
  std::set<const clang::VarDecl*> removed_;
};

} // namespace

static bool mayDiffer(const SourceUnit& unit, const clang::FunctionDecl* function) {
  const std::string file = unit.pathOf(unit.sources().getFileID(function->getLocation()));
  return file != unit.mainFile() &&
         (function->isDependentContext() || !unit.skippedRanges(file).empty());
}

/// Whether the text around a function's body is another already: that of a lambda that is written
/// out where it is called.
static bool isReplaced(const clang::FunctionDecl* function, const SourceText& text,
                       const PlainChanges& changes) {
  const auto range = text.rangeOf(function->getBody()->getSourceRange());
  const auto edits = range ? changes.find(range->file) : changes.end();
  if (edits == changes.end())
    return false;
  const auto behind = edits->second.upper_bound(range->begin);
  return behind != edits->second.begin() && std::prev(behind)->second.first >= range->end;
}

static PlainTexts rendered(const SourceUnit& unit, const PlainChanges& changes) {
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

PlainTexts makePlain(const SourceUnit& unit, const Facts& facts, const SharedWithOthers& shared,
                     bool forCompilers) {
  const SourceText text(unit);
  PlainChanges changes;
  passBuiltins(unit, text, facts, shared, changes);
  if (!changes.empty())
    return rendered(unit, changes);
  nameThreadArguments(unit, text, facts, shared, changes);
  if (!changes.empty())
    return rendered(unit, changes);
  PlainForms forms(unit, text, changes, shared, forCompilers);
  std::vector<const FunctionFacts*> functions;
  for (const auto& [place, f] : facts.functions)
    if (f.device && f.decl->getBody() && unit.isUser(f.decl->getLocation()) &&
        !f.decl->getBody()->getBeginLoc().isMacroID() &&
        !(shared.headers && mayDiffer(unit, f.decl)))
      functions.push_back(&f);
  if (forCompilers)
    tellAsserts(unit, text, functions, changes);
  if (!changes.empty())
    return rendered(unit, changes);
  if (forCompilers)
    writeOutMacros(unit, text, facts, functions, changes);
  if (!changes.empty())
    return rendered(unit, changes);
  if (forCompilers)
    openStructures(unit, text, functions, changes);
  if (!changes.empty())
    return rendered(unit, changes);
  if (forCompilers)
    nameInstanceArguments(unit, text, functions, shared.names, changes);
  if (!changes.empty())
    return rendered(unit, changes);
  if (forCompilers)
    writeOutInstances(unit, text, functions, changes);
  if (!changes.empty())
    return rendered(unit, changes);
  if (forCompilers)
    for (const FunctionFacts* f : functions) {
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(f->decl);
      if (!method || !method->getParent()->isLambda())
        forms.open(f->decl, facts);
    }
  if (!changes.empty())
    return rendered(unit, changes);
  if (forCompilers)
    for (const FunctionFacts* f : functions)
      if (f->kernel)
        forms.gather(f->decl, facts);
  if (!changes.empty())
    return rendered(unit, changes);
  for (const FunctionFacts* f : functions)
    if (!isReplaced(f->decl, text, changes))
      forms.look(f->decl, facts);
  return rendered(unit, changes);
}

} // namespace cu2cpp
