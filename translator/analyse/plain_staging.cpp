// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels load the next tile into registers while they compute with this one, so that a GPU need
// not wait for its memory. Here what threads keep takes longer than to load it where it is stored,
// and a loop from memory to shared memory can run by rows of elements. For compilers only:
//
//   if (more)                                          if (more)
//     for (int l = 0; l < 4; ++l) {                      for (int l = 0; l < 4; ++l) {}
//       const int e = tid + l * 256;
//       next[l] = in[at + e / 64 * n + e % 64];
//     }
//   ... the product ...                          ->    ... the product ...
//   if (more)                                          if (more)
//     for (int l = 0; l < 4; ++l) {                      for (int l = 0; l < 4; ++l) {
//       const int e = tid + l * 256;                       const int e = tid + l * 256;
//       tile[e / 64][e % 64] = next[l];                    tile[e / 64][e % 64] =
//     }                                                        (in[at + e / 64 * n + e % 64]);
//                                                        }
//
// Elements may be structures, of which the second loop stores part by part:
//
//   next[l] = *reinterpret_cast<const float4*>(in + at + e * 4);
//   ... tile[c][r] = next[l].x; tile[c + 1][r] = next[l].y; ...
//   -> ... const float4 cuLoaded_next = *reinterpret_cast<const float4*>(in + at + e * 4);
//          tile[c][r] = cuLoaded_next.x; tile[c + 1][r] = cuLoaded_next.y; ...
//
// So it is with one value that a statement loads in front of a loop, and others store behind it:
//
//   if (more) next = *reinterpret_cast<const float4*>(&in[at]);
//   for (...) ...                                                  // the product
//   if (more) { tile[c][r] = next.x; ... }
//   -> if (more) ; for (...) ... if (more) { const auto cuLoaded_next = (*reinterpret_cast...); ...
//
// That memory must not change in between: it is a parameter's `const T* __restrict__`, which a GPU
// takes for read-only, too. Both loops stand in one list of statements, under the same conditions,
// and nothing that the first names changes between them.
#include "analyse/plain_staging.h"

#include <algorithm>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/plain_calls.h"
#include "analyse/plain_structures.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "analyse/trivial_copies.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

/// An assignment of a number, or of a structure that copies its bytes.
struct Store {
  const clang::Expr *all = nullptr, *to = nullptr, *from = nullptr;
};
std::optional<Store> storeOf(const clang::Stmt* s) {
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
      op && op->getOpcode() == clang::BO_Assign && !op->isTypeDependent())
    return Store{op, op->getLHS(), op->getRHS()};
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(s);
  if (call && call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2 &&
      isTrivialAssignment(call->getDirectCallee()))
    return Store{call, call->getArg(0), call->getArg(1)};
  return std::nullopt;
}

/// `for (int l = 0; l < n; ++l) { <declarations> <stores> }`
struct Copies {
  const clang::ForStmt* loop = nullptr;
  CountingLoop head;
  std::vector<const clang::DeclStmt*> declarations;
  std::vector<Store> stores;
};

class Staging {
public:
  Staging(const PlainBody& body, const clang::VarDecl* array)
      : body_(body), array_(array), context_(body.unit.context()) {}

  void rewrite() {
    const auto places = body_.placesOf(array_);
    if (!places || places->empty())
      return;
    std::map<unsigned, std::pair<Copies, bool>> all; // in the order of the text
    std::size_t uses = 0;
    for (const clang::Stmt* s : body_.contents.loops)
      if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
        if (const auto copies = copiesOf(loop)) {
          const bool keeps =
              copies->stores.size() == 1 && isElement(copies->stores[0].to, copies->head.counter);
          const auto at = body_.text.positionOf(loop->getBeginLoc());
          if (!at || keeps == storesElements(*copies))
            continue;
          all[at->offset] = {*copies, keeps};
          uses += copies->stores.size();
        }
    if (uses != places->size() || all.size() % 2 != 0)
      return;
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    std::string file;
    for (auto at = all.begin(); at != all.end(); ++at) {
      const auto& [first, keeps] = at->second;
      const auto& [second, keepsToo] = (++at)->second;
      if (!keeps || keepsToo || !mayMove(first, second) || !write(first, second, edits, file))
        return;
    }
    body_.changes[file].insert(edits.begin(), edits.end());
  }

  /// The same for a value of one variable, which a statement sets, that a loop lies between.
  void rewriteValue() {
    const auto places = body_.placesOf(array_);
    const clang::Stmt* whole = nullptr;
    if (!places)
      return;
    for (const auto& [offset, use] : *places)
      if (const clang::Stmt* one = setBy(use); one && !whole)
        whole = one;
      else if (one || !isRead(use))
        return;
    if (!whole)
      return;
    const auto set = storeOf(whole);
    const auto start = body_.text.positionOf(whole->getBeginLoc());
    const auto end = set ? body_.text.rangeOf(whole->getSourceRange()) : std::nullopt;
    const auto behind = end ? behindSemicolon(body_.text, *end) : std::nullopt;
    const std::string loaded = "cuLoaded_" + array_->getNameAsString();
    if (!set || namedBy(set->to) != array_ || !start || !behind || !body_.isSpelled(whole) ||
        !context_.hasSameUnqualifiedType(array_->getType(), set->from->getType()) ||
        Contents(set->from).uses.count(array_) || body_.declaredNames().count(loaded))
      return;
    // Uses in front of all loops around know the first value only.
    unsigned outermost = start->offset;
    for (const clang::Stmt* at = whole; (at = body_.variables.parents().getParent(at));)
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(at))
        if (const auto loop = body_.text.positionOf(at->getBeginLoc()))
          outermost = std::min(outermost, loop->offset);
    std::map<unsigned, const clang::DeclRefExpr*> later;
    for (const auto& [offset, use] : *places)
      if (offset >= *behind)
        later[offset] = use;
      else if (offset >= outermost && namedBy(set->to) && use != set->to->IgnoreParens())
        return;
    if (later.empty())
      return;
    for (const clang::Stmt *at = later.begin()->second, *list = nullptr;
         (list = body_.variables.parents().getParent(at)); at = list) {
      const auto* statements = llvm::dyn_cast<clang::CompoundStmt>(list);
      if (!statements || !mayMoveValue(set->from, whole, at))
        continue;
      const auto here = body_.text.rangeOf(at->getSourceRange());
      const auto around = body_.text.rangeOf(statements->getSourceRange());
      const std::string value = textOf(set->from->getSourceRange());
      if (!here || !around || here->file != start->file || at->getBeginLoc().isMacroID() ||
          later.rbegin()->first >= around->end || value.find('#') != std::string::npos ||
          value.find("//") != std::string::npos)
        return;
      std::map<unsigned, std::pair<unsigned, std::string>> edits;
      for (const auto& [offset, use] : later)
        edits[offset] = {offset + unsigned(array_->getName().size()), loaded};
      const std::string declared = "const auto " + loaded + " = (" + value + "); ";
      if (edits.count(here->begin))
        edits[here->begin].second = declared + edits[here->begin].second;
      else
        edits[here->begin] = {here->begin, declared};
      edits[start->offset] = {
          *behind, withLinesOf(body_.text.buffer(start->file).slice(start->offset, *behind), ";")};
      body_.put(start->file, std::move(edits));
      return;
    }
  }

private:
  /// The statement that sets a variable as a whole, if that is what a use is for.
  const clang::Stmt* setBy(const clang::DeclRefExpr* use) const {
    const clang::Stmt* parent = body_.variables.parents().getParent(use);
    const auto store = parent ? storeOf(parent) : std::nullopt;
    return store && store->to == use ? parent : nullptr;
  }
  /// Whether a use is for a number, a part or a copy.
  bool isRead(const clang::DeclRefExpr* use) const {
    const auto& parents = body_.variables.parents();
    const clang::Stmt *at = use, *parent = parents.getParent(at);
    for (; parent; at = parent, parent = parents.getParent(parent)) {
      const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(parent);
      const auto* part = llvm::dyn_cast<clang::MemberExpr>(parent);
      const auto* copy = llvm::dyn_cast<clang::CXXConstructExpr>(parent);
      if (cast && cast->getCastKind() == clang::CK_LValueToRValue)
        return true;
      if (copy)
        return copy->getConstructor()->isCopyConstructor() && copy->getConstructor()->isTrivial();
      if (const auto store = storeOf(parent))
        return store->from == at && llvm::isa<clang::CXXOperatorCallExpr>(parent);
      if (!llvm::isa<clang::ParenExpr>(parent) &&
          !(cast && cast->getCastKind() == clang::CK_NoOp) &&
          !(part && !part->isArrow() && llvm::isa<clang::FieldDecl>(part->getMemberDecl())))
        return false;
    }
    return false;
  }
  /// Whether a value that is set in a statement is the same in front of another one, which is run
  /// under the same conditions behind a loop.
  bool mayMoveValue(const clang::Expr* value, const clang::Stmt* set, const clang::Stmt* used) {
    const Copies own;
    around_.clear();
    for (const clang::Stmt* at = set; (at = body_.variables.parents().getParent(at));) {
      const auto* list = llvm::dyn_cast<clang::CompoundStmt>(at);
      const auto from = list ? pathTo(list, set) : std::nullopt;
      const auto to = list ? pathTo(list, used) : std::nullopt;
      if (!to)
        continue;
      if (!from || from->child == to->child || from->conditions.size() != to->conditions.size())
        return false;
      const auto here = body_.text.rangeOf(from->child->getSourceRange());
      const auto there = body_.text.rangeOf(to->child->getSourceRange());
      if (!here || !there || here->file != there->file || here->begin >= there->begin)
        return false;
      between_ = {here->file, here->begin, there->end};
      first_ = *here;
      const auto first = std::find(list->body_begin(), list->body_end(), from->child);
      const auto last = std::find(first, list->body_end(), to->child);
      if (std::none_of(first, last, [](const clang::Stmt* s) {
            if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(s))
              s = attributed->getSubStmt();
            return llvm::isa<clang::ForStmt>(s);
          }))
        return false;
      for (std::size_t i = 0; i < from->conditions.size(); ++i)
        if (!areAlike(from->conditions[i], to->conditions[i], context_) ||
            !keepsValue(from->conditions[i], own, false))
          return false;
      return namesAreOnes(value) && loads(value) && keepsValue(value, own, true);
    }
    return false;
  }
  /// Whether nothing else in the function has the name of a variable in an expression.
  bool namesAreOnes(const clang::Expr* e) const {
    const auto uses = Contents(e).uses;
    for (const clang::DeclStmt* s : body_.contents.declarations)
      for (const clang::Decl* decl : s->decls()) {
        const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl);
        if (named && std::any_of(uses.begin(), uses.end(), [&](const clang::VarDecl* use) {
              return use != named && use->getDeclName() == named->getDeclName();
            }))
          return false;
      }
    return true;
  }
  /// Whether an expression is a load from memory.
  static bool loads(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
    return llvm::isa<clang::ArraySubscriptExpr>(e) || (op && op->getOpcode() == clang::UO_Deref);
  }

  bool isElement(const clang::Expr* e, const clang::VarDecl* counter) const {
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e->IgnoreParenImpCasts());
    return element && namedBy(arrayOf(element)) == array_ && namedBy(indexOf(element)) == counter;
  }
  /// The element that is stored, or a part of it.
  const clang::Expr* elementIn(const Store& store, const clang::VarDecl* counter) const {
    const clang::Expr* from = store.from->IgnoreParenImpCasts();
    if (const auto* part = llvm::dyn_cast<clang::MemberExpr>(from);
        part && !part->isArrow() && llvm::isa<clang::FieldDecl>(part->getMemberDecl()))
      from = part->getBase()->IgnoreParenImpCasts();
    return isElement(from, counter) ? from : nullptr;
  }
  bool storesElements(const Copies& copies) const {
    return std::all_of(copies.stores.begin(), copies.stores.end(),
                       [&](const Store& store) { return elementIn(store, copies.head.counter); });
  }
  std::optional<Copies> copiesOf(const clang::ForStmt* loop) const {
    Copies out;
    const auto head = countingLoop(loop);
    if (!head || loop->getConditionVariable() || constantOf(head->from, context_) != 0)
      return std::nullopt;
    out.loop = loop;
    out.head = *head;
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
    if (list && list->body_empty())
      return std::nullopt;
    std::vector<const clang::Stmt*> statements{loop->getBody()};
    if (list)
      statements.assign(list->body_begin(), list->body_end());
    for (const clang::Stmt* s : statements) {
      const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
      if (const auto store = storeOf(s))
        out.stores.push_back(*store);
      else if (declaration && out.stores.empty() && declaresValues(declaration))
        out.declarations.push_back(declaration);
      else
        return std::nullopt;
    }
    if (out.stores.empty() || (out.stores.size() > 1 && !ofStructures_))
      return std::nullopt;
    return out;
  }
  /// Numbers that keep their first value.
  bool declaresValues(const clang::DeclStmt* s) const {
    return std::all_of(s->decl_begin(), s->decl_end(), [&](const clang::Decl* decl) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
      return local && !local->modified && !local->escapes && variable->hasInit() &&
             variable->getType()->isArithmeticType() && !variable->getType().isVolatileQualified();
    });
  }

  /// The statement of a list that holds another one, and the conditions between.
  struct Path {
    const clang::Stmt* child = nullptr;
    std::vector<const clang::Expr*> conditions;
  };
  std::optional<Path> pathTo(const clang::CompoundStmt* list, const clang::Stmt* s) const {
    Path out{s, {}};
    const clang::Stmt* parent = body_.variables.parents().getParent(s);
    for (; parent && parent != list; parent = body_.variables.parents().getParent(parent)) {
      if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(parent)) {
        if (branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
            branch->isConstexpr() || branch->isConsteval() || branch->getThen() != out.child)
          return std::nullopt;
        out.conditions.push_back(branch->getCond());
      } else if (!llvm::isa<clang::CompoundStmt, clang::AttributedStmt>(parent)) {
        return std::nullopt;
      }
      out.child = parent;
    }
    return parent ? std::optional(out) : std::nullopt;
  }

  bool mayMove(const Copies& first, const Copies& second) {
    if (!areAlike(first.head.to, second.head.to, context_) ||
        std::any_of(second.stores.begin(), second.stores.end(),
                    [&](const Store& store) { return store.to->HasSideEffects(context_); }) ||
        !body_.isSpelled(first.loop->getBody()) || !body_.isSpelled(second.loop->getBody()))
      return false;
    for (const clang::Stmt* at = first.loop; (at = body_.variables.parents().getParent(at));) {
      const auto* list = llvm::dyn_cast<clang::CompoundStmt>(at);
      const auto from = list ? pathTo(list, first.loop) : std::nullopt;
      const auto to = list ? pathTo(list, second.loop) : std::nullopt;
      if (!to)
        continue;
      if (!from || from->child == to->child || from->conditions.size() != to->conditions.size())
        return false;
      const auto here = body_.text.rangeOf(from->child->getSourceRange());
      const auto there = body_.text.rangeOf(to->child->getSourceRange());
      if (!here || !there || here->file != there->file || here->begin >= there->begin)
        return false;
      between_ = {here->file, here->begin, there->end};
      first_ = *here;
      findAround(first, from->child);
      for (std::size_t i = 0; i < from->conditions.size(); ++i)
        if (!areAlike(from->conditions[i], to->conditions[i], context_) ||
            !keepsValue(from->conditions[i], first, false))
          return false;
      if (!keepsValue(first.head.to, first, false) ||
          !keepsValue(first.stores[0].from, first, true))
        return false;
      const auto keepValues = [&](const clang::DeclStmt* s) {
        return std::all_of(s->decl_begin(), s->decl_end(), [&](const clang::Decl* decl) {
          return keepsValue(llvm::cast<clang::VarDecl>(decl)->getInit(), first, true);
        });
      };
      return std::all_of(first.declarations.begin(), first.declarations.end(), keepValues) &&
             std::all_of(around_.begin(), around_.end(), keepValues);
    }
    return false;
  }
  /// What lists around the first loop, inside of a statement, declare for it: `int from = k + 8;`
  void findAround(const Copies& first, const clang::Stmt* outermost) {
    around_.clear();
    std::set<const clang::VarDecl*> named = Contents(first.loop->getBody()).uses;
    for (const clang::Stmt *inner = first.loop, *at = inner; at != outermost; inner = at) {
      at = body_.variables.parents().getParent(inner);
      const auto* list = llvm::dyn_cast<clang::CompoundStmt>(at);
      if (!list)
        continue;
      const auto end = std::find(list->body_begin(), list->body_end(), inner);
      for (auto s = end; s != list->body_begin();) {
        const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(*--s);
        if (!declaration || !declaration->isSingleDecl() || !declaresValues(declaration) ||
            !named.count(llvm::cast<clang::VarDecl>(declaration->getSingleDecl())))
          continue;
        around_.insert(around_.begin(), declaration);
        const auto more = Contents(declaration).uses;
        named.insert(more.begin(), more.end());
      }
    }
  }

  /// Whether an expression has the same value behind what stands between the loops, and names
  /// nothing but its own loop's variables that is not known there.
  bool keepsValue(const clang::Expr* e, const Copies& own, bool loads) const {
    class Values : public SyntaxVisitor {
    public:
      Values(const Staging& staging, const Copies& own, bool loads)
          : staging_(staging), own_(own), loads_(loads) {}
      bool good = true;
      bool VisitStmt(clang::Stmt* s) override {
        if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s))
          return good &= !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma;
        if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(s))
          return good &= !op->isIncrementDecrementOp() &&
                         (op->getOpcode() != clang::UO_AddrOf ||
                          llvm::isa<clang::ArraySubscriptExpr>(plainly(op->getSubExpr()))) &&
                         (op->getOpcode() != clang::UO_Deref ||
                          (loads_ && staging_.isReadOnlyLoad(op, op->getSubExpr())));
        if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(s))
          return good &= loads_ && staging_.isReadOnlyLoad(element, arrayOf(element));
        if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s))
          return good &= call->getDirectCallee() && !hasMark(call->getDirectCallee(), "device") &&
                         isPureHeaderFunction(call->getDirectCallee()) &&
                         std::all_of(call->arg_begin(), call->arg_end(), [](const auto* argument) {
                           return argument->getType()->isArithmeticType();
                         });
        if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s))
          return good &= !member->isArrow() && llvm::isa<clang::FieldDecl>(member->getMemberDecl());
        return good &=
               llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::FloatingLiteral,
                         clang::CXXBoolLiteralExpr, clang::CharacterLiteral, clang::ParenExpr,
                         clang::CastExpr, clang::ConditionalOperator, clang::ConstantExpr,
                         clang::PseudoObjectExpr, clang::OpaqueValueExpr, clang::MSPropertyRefExpr,
                         clang::MaterializeTemporaryExpr, clang::DependentScopeDeclRefExpr,
                         clang::UnaryExprOrTypeTraitExpr, clang::SubstNonTypeTemplateParmExpr>(s);
      }
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        return good &= !variable || builtinOf(variable) || isNamedConstant(variable) ||
                       variable == own_.head.counter || declares(own_.declarations, variable) ||
                       declares(staging_.around_, variable) || staging_.keepsValue(variable);
      }

    private:
      const Staging& staging_;
      const Copies& own_;
      const bool loads_;
    } values(*this, own, loads);
    values.TraverseStmt(const_cast<clang::Expr*>(e));
    return values.good;
  }
  static bool declares(const std::vector<const clang::DeclStmt*>& declarations,
                       const clang::VarDecl* variable) {
    return std::any_of(declarations.begin(), declarations.end(), [&](const auto* s) {
      return std::find(s->decl_begin(), s->decl_end(), variable) != s->decl_end();
    });
  }
  /// Numbers and structures, from where a parameter or a cast of it points to.
  bool isReadOnlyLoad(const clang::Expr* load, const clang::Expr* pointer) const {
    const auto* record = load->getType()->getAsCXXRecordDecl();
    if (load->getType().isVolatileQualified() ||
        !(record ? ofStructures_ && record->isTriviallyCopyable()
                 : load->getType()->isArithmeticType()))
      return false;
    for (pointer = plainly(pointer); !namedBy(pointer);) {
      const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(pointer);
      const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(pointer);
      const auto* op = llvm::dyn_cast<clang::UnaryOperator>(pointer);
      const auto* element =
          op && op->getOpcode() == clang::UO_AddrOf
              ? llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getSubExpr()->IgnoreParens())
              : nullptr;
      if (element)
        pointer = plainly(arrayOf(element)); // `&in[i]`
      else if (cast && cast->getSubExpr()->getType()->isPointerType())
        pointer = plainly(cast->getSubExpr());
      else if (sum && sum->isAdditiveOp() && sum->getLHS()->getType()->isPointerType())
        pointer = plainly(sum->getLHS());
      else
        return false;
    }
    return isReadOnly(namedBy(pointer));
  }
  bool keepsValue(const clang::VarDecl* variable) const {
    const LocalVariable* local = body_.variables.find(variable);
    if (!local || local->escapes || variable->getType()->isReferenceType() ||
        variable->getType()->isArrayType() || variable->getType().isVolatileQualified())
      return false;
    const auto isBetween = [&](clang::SourceLocation location, const FileRange& range) {
      const auto at = body_.text.positionOf(location);
      return !at || (at->file == range.file && at->offset >= range.begin && at->offset < range.end);
    };
    return !isBetween(variable->getLocation(), first_) &&
           std::none_of(local->assignments.begin(), local->assignments.end(),
                        [&](const clang::Expr* e) { return isBetween(e->getExprLoc(), between_); });
  }
  /// A parameter that promises that nobody changes what it points to, or a sum of one.
  bool isReadOnly(const clang::VarDecl* pointer, unsigned depth = 0) const {
    const LocalVariable* local = pointer ? body_.variables.find(pointer) : nullptr;
    if (!local || depth > 4 || !pointer->getType()->isPointerType() ||
        !pointer->getType()->getPointeeType().isConstQualified() ||
        pointer->getType()->getPointeeType().isVolatileQualified())
      return false;
    for (const clang::Expr* e : local->assignments)
      if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
          op && op->getOpcode() != clang::BO_AddAssign && op->getOpcode() != clang::BO_SubAssign)
        return false;
    if (llvm::isa<clang::ParmVarDecl>(pointer))
      return pointer->getDeclContext() == body_.function &&
             pointer->getType().isRestrictQualified();
    const clang::Expr* from = pointer->hasInit() ? plainly(pointer->getInit()) : nullptr;
    while (const auto* sum = llvm::dyn_cast_or_null<clang::BinaryOperator>(from))
      from = sum->isAdditiveOp() && sum->getLHS()->getType()->isPointerType()
                 ? plainly(sum->getLHS())
                 : nullptr;
    return from && isReadOnly(namedBy(from), depth + 1);
  }

  /// The names that the second loop has for the first one's counter and for values that both
  /// declare alike.
  std::map<std::string, std::string> sameNames(const Copies& first, const Copies& second) const {
    std::map<std::string, std::string> out;
    const auto note = [&](const clang::VarDecl* mine, const clang::VarDecl* other) {
      if (mine->getName() != other->getName())
        out[mine->getNameAsString()] = other->getNameAsString();
    };
    note(first.head.counter, second.head.counter);
    for (std::size_t i = 0; i < std::min(first.declarations.size(), second.declarations.size());
         ++i) {
      const clang::DeclStmt *mine = first.declarations[i], *other = second.declarations[i];
      if (!mine->isSingleDecl() || !other->isSingleDecl())
        break;
      const auto* from = llvm::cast<clang::VarDecl>(mine->getSingleDecl());
      const auto* to = llvm::cast<clang::VarDecl>(other->getSingleDecl());
      const auto init = calls::replacedIn(textOf(from->getInit()->getSourceRange()), out);
      if (!init || !context_.hasSameType(from->getType(), to->getType()) ||
          *init != textOf(to->getInit()->getSourceRange()))
        break;
      note(from, to);
    }
    return out;
  }

  bool write(const Copies& first, const Copies& second,
             std::map<unsigned, std::pair<unsigned, std::string>>& edits, std::string& file) const {
    const auto body = body_.text.rangeOf(first.loop->getBody()->getSourceRange());
    const Store &loading = first.stores[0], &storing = second.stores[0],
                &last = second.stores.back();
    const auto value = body_.text.rangeOf(loading.from->getSourceRange());
    const auto to = body_.text.rangeOf(storing.all->getSourceRange());
    const auto read = body_.text.rangeOf(storing.from->getSourceRange());
    const auto ending = body_.text.rangeOf(last.all->getSourceRange());
    if (!body || !value || !to || !read || !ending || body->file != to->file ||
        (!file.empty() && file != to->file))
      return false;
    file = to->file;
    const bool inBraces = llvm::isa<clang::CompoundStmt>(first.loop->getBody());
    const auto end =
        inBraces ? std::optional<unsigned>(body->end) : behindSemicolon(body_.text, *body);
    const auto behind = behindSemicolon(body_.text, *ending);
    // What the second loop declares itself, and what its element names.
    std::map<std::string, std::string> declared;
    for (const clang::DeclStmt* s : second.declarations)
      for (const clang::Decl* decl : s->decls())
        declared[llvm::cast<clang::VarDecl>(decl)->getNameAsString()] =
            s->isSingleDecl() ? textOf(s->getSourceRange()) : "";
    std::set<std::string> named;
    for (const Store& store : second.stores)
      for (const clang::VarDecl* variable : Contents(store.all).uses)
        if (!declares(second.declarations, variable))
          named.insert(variable->getNameAsString());
    // What was written out twice (plain_lambdas.cpp) has other names there.
    std::map<std::string, std::string> others = sameNames(first, second);
    std::string before;
    std::set<std::string> written;
    for (const clang::DeclStmt* s : around_) {
      const std::string name = llvm::cast<clang::VarDecl>(s->getSingleDecl())->getNameAsString();
      if (declared.count(name) || named.count(name) || !body_.isSpelled(s))
        return false;
      written.insert(name);
      before += textOf(s->getSourceRange()) + " ";
    }
    for (const clang::DeclStmt* s : first.declarations) {
      const auto own = calls::replacedIn(textOf(s->getSourceRange()), others);
      if (!own)
        return false;
      const std::string& text = *own;
      bool isKnown = false;
      for (const clang::Decl* decl : s->decls()) {
        std::string name = llvm::cast<clang::VarDecl>(decl)->getNameAsString();
        if (const auto other = others.find(name); other != others.end())
          name = other->second;
        const auto known = declared.find(name);
        isKnown |= known != declared.end();
        if ((known != declared.end() && (known->second != text || !s->isSingleDecl())) ||
            named.count(name))
          return false;
        written.insert(name);
      }
      if (!isKnown)
        before += text + " ";
    }
    // Names that mean something else there.
    for (const clang::VarDecl* variable : namedBefore(first))
      if (variable != first.head.counter && !declares(first.declarations, variable) &&
          !declares(around_, variable) &&
          (declared.count(variable->getNameAsString()) ||
           variable->getName() == second.head.counter->getName()))
        return false;
    const auto loaded = calls::replacedIn(textOf(loading.from->getSourceRange()), others);
    if (!loaded)
      return false;
    std::string load = *loaded;
    if (!end || !behind || isHidden(first, second, written) ||
        load.find('#') != std::string::npos || (load + before).find("//") != std::string::npos)
      return false;
    const clang::QualType type = array_->getType()->getAsArrayTypeUnsafe()->getElementType();
    const bool isSame = context_.hasSameUnqualifiedType(type, loading.from->getType());
    if (ofStructures_ && !isSame)
      return false;
    load = isSame ? "(" + load + ")"
                  : "static_cast<" +
                        type.getCanonicalType().getUnqualifiedType().getAsString(
                            context_.getPrintingPolicy()) +
                        ">(" + load + ")";
    const bool isWhole = second.stores.size() == 1 &&
                         isElement(storing.from->IgnoreParenImpCasts(), second.head.counter);
    const bool opens = !llvm::isa<clang::CompoundStmt>(second.loop->getBody());
    edits[body->begin] = {
        *end, withLinesOf(body_.text.buffer(body->file).slice(body->begin, *end), "{}")};
    if (isWhole) {
      edits[read->begin] = {read->end, load};
    } else {
      const std::string loaded = "cuLoaded_" + array_->getNameAsString();
      if (body_.declaredNames().count(loaded))
        return false;
      before += "const auto " + loaded + " = " + load + "; ";
      for (const Store& store : second.stores) {
        const auto element =
            body_.text.rangeOf(elementIn(store, second.head.counter)->getSourceRange());
        if (!element || element->file != file)
          return false;
        edits[element->begin] = {element->end, loaded};
      }
    }
    edits[to->begin] = {to->begin, (opens ? "{ " : "") + before};
    if (opens)
      edits[*behind] = {*behind, " }"};
    return true;
  }
  /// What the first loop's body and what is declared around it name.
  std::set<const clang::VarDecl*> namedBefore(const Copies& first) const {
    std::set<const clang::VarDecl*> out = Contents(first.loop->getBody()).uses;
    for (const clang::DeclStmt* s : around_) {
      const auto more = Contents(s).uses;
      out.insert(more.begin(), more.end());
    }
    return out;
  }
  /// Whether a name of the first loop means something else where the second one stands: what is
  /// declared between the list of both and that loop.
  bool isHidden(const Copies& first, const Copies& second,
                const std::set<std::string>& written) const {
    std::set<std::string> names;
    for (const clang::VarDecl* variable : namedBefore(first))
      if (!written.count(variable->getNameAsString()) && variable != first.head.counter)
        names.insert(variable->getNameAsString());
    for (const clang::Stmt* at = second.loop; (at = body_.variables.parents().getParent(at));) {
      const auto* list = llvm::dyn_cast<clang::CompoundStmt>(at);
      const auto range = body_.text.rangeOf(at->getSourceRange());
      if (!range)
        return true;
      if (list)
        for (const clang::Stmt* s : list->body())
          if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
            for (const clang::Decl* decl : declaration->decls()) {
              const auto* one = llvm::dyn_cast<clang::NamedDecl>(decl);
              const auto place = body_.text.positionOf(decl->getLocation());
              if (one && names.count(one->getNameAsString()) &&
                  (!place || place->offset >= first_.begin))
                return true;
            }
      if (range->begin <= first_.begin)
        return names.count(second.head.counter->getNameAsString()) != 0;
    }
    return true;
  }
  /// On one line.
  std::string textOf(clang::SourceRange range) const {
    const auto written = body_.text.rangeOf(range);
    std::string out = written ? body_.text.text(*written) : "";
    std::replace(out.begin(), out.end(), '\n', ' ');
    return out;
  }

  const PlainBody& body_;
  const clang::VarDecl* const array_;
  const clang::ASTContext& context_;
  const bool ofStructures_ = (array_->getType()->isArrayType()
                                  ? array_->getType()->getAsArrayTypeUnsafe()->getElementType()
                                  : array_->getType())
                                 ->isRecordType();
  FileRange between_, first_;
  std::vector<const clang::DeclStmt*> around_; ///< what the first loop's places are made of
};

} // namespace

/// Whether a variable begins with whatever its memory holds.
static bool isLeftOpen(const clang::VarDecl* variable) {
  const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(variable->getInit());
  return !variable->hasInit() ||
         (made && made->getNumArgs() == 0 && !made->isListInitialization() &&
          !made->requiresZeroInitialization() && made->getConstructor()->isTrivial());
}

void loadWhereStored(const PlainBody& body) {
  for (const clang::DeclStmt* s : body.contents.declarations)
    for (const clang::Decl* decl : s->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      const clang::ArrayType* type =
          variable ? variable->getType()->getAsArrayTypeUnsafe() : nullptr;
      if (type && variable->hasLocalStorage() && isLeftOpen(variable) && !isShared(variable) &&
          isPlain(type->getElementType()) && !type->getElementType().isVolatileQualified())
        Staging(body, variable).rewrite();
      if (variable && !type && variable->hasLocalStorage() && !isShared(variable) &&
          variable->getBeginLoc().isFileID() && !body.contents.lambdas &&
          isPlain(variable->getType()) && !variable->getType().isVolatileQualified() &&
          !variable->getType().isConstQualified())
        Staging(body, variable).rewriteValue();
    }
}

} // namespace cu2cpp
