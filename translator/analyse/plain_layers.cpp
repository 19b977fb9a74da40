// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks whose layers of threads work on a matrix each, between barriers of the whole block:
//
//   const int tz = threadIdx.z;                      for (cuLayer...) { const int tz = cuLayer;
//   const bool live = first + tz < batch;              const bool live = first + tz < batch;
//   if (live)                                          if (live)
//     for (int i = ty; i < n; i += 8)           ->       for (int i = ty; i < n; i += 8)
//       for (int j = tx; j < n; j += 8)                    for (int j = tx; j < n; j += 8)
//         a[tz][i][j] = in[...];                             a[tz][i][j] = in[...]; }
//   __syncthreads();                                 __syncthreads();
//
// The threads of one layer run what those of all layers would, layer after layer: between two
// barriers threads may run in any order, and none of these keeps a value of its own over a barrier.
// What a layer's threads have alike is one value for the block then. The kernel is marked, and runs
// as blocks of one layer (cu2cpp::LayersInOne), in whatever form.
#include "analyse/plain_body.h"

#include <algorithm>

#include "clang/AST/Attr.h"

#include "analyse/block_sizes.h"
#include "analyse/marks.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {
namespace {

/// The statements that stand in lists around barriers, and what becomes of them.
class Layers {
public:
  Layers(const PlainBody& body, const Facts& facts) : body_(body), facts_(facts) {}

  bool find() {
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body_.function->getBody());
    return list && namesPartsOnly() && sharesByLayers() && takeList(list) && keepsNothing() &&
           sharesElements_;
  }
  bool put() const {
    const auto whole = body_.text.rangeOf(body_.function->getBody()->getSourceRange());
    const auto name = body_.text.positionOf(body_.function->getLocation());
    if (!whole || !name || body_.function->getLocation().isMacroID() ||
        body_.function->getQualifier() || whole->file != name->file)
      return false;
    for (const auto& [begin, end] : body_.unit.skippedRanges(whole->file))
      if (begin < whole->end && end > whole->begin)
        return false;
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    edits[name->offset] = {name->offset, "__attribute__((annotate(\"cu2cpp.layers\"))) "};
    for (const clang::MemberExpr* z : layers_) {
      const auto at = body_.text.rangeOf(z->getSourceRange());
      if (!at || z->getBeginLoc().isMacroID() || z->getEndLoc().isMacroID() ||
          at->file != whole->file)
        return false;
      edits[at->begin] = {at->end, "cuLayer"};
    }
    for (const clang::DeclStmt* moved : moved_) {
      const auto range = body_.text.rangeOf(moved->getSourceRange());
      if (!range || range->file != whole->file)
        return false;
      edits.erase(edits.lower_bound(range->begin), edits.lower_bound(range->end));
      edits[range->begin] = {range->end, withLinesOf(body_.text.text(*range), "")};
    }
    for (const Group& group : groups_) {
      std::string head = " for (unsigned cuLayer = 0; cuLayer < blockDim.z; ++cuLayer) {";
      for (const clang::DeclStmt* moved : group.layerValues) {
        const auto line = textOf(moved);
        if (!line)
          return false;
        head += " " + *line;
      }
      if (!group.begin || !group.end || group.begin->file != whole->file ||
          group.end->file != whole->file)
        return false;
      edits[group.begin->offset] = {group.begin->offset, head};
      edits[group.end->offset] = {group.end->offset, " }"};
    }
    return body_.put(whole->file, std::move(edits));
  }

private:
  /// Statements that each layer's threads run in turn, and the values that these begin with.
  struct Group {
    std::vector<const clang::Stmt*> statements;
    std::vector<const clang::DeclStmt*> layerValues;
    std::optional<FilePosition> begin, end;
  };

  /// What the kernel's code says, as far as it matters here.
  class Names : public SyntaxVisitor {
  public:
    explicit Names(const Facts& facts) : facts_(facts) {}
    bool good = true;
    std::vector<const clang::MemberExpr*> layers;
    std::set<const clang::DeclRefExpr*> parts;
    std::vector<const clang::DeclRefExpr*> builtins;
    std::vector<const clang::DeclRefExpr*> shared;
    std::map<std::string, unsigned> declared;

    bool VisitVarDecl(clang::VarDecl* variable) override {
      ++declared[variable->getNameAsString()];
      return true;
    }
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      const auto part = asBuiltinPart(member);
      if (!part)
        return true;
      parts.insert(llvm::cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts()));
      if (part->name == "threadIdx" && part->part == "z")
        layers.push_back(member);
      return true;
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      if (builtinOf(use->getDecl()))
        builtins.push_back(use);
      if (isShared(use->getDecl()))
        shared.push_back(use);
      good &= !use->getType().isVolatileQualified();
      return true;
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      return good &=
             isBarrier(call) || (callee && syncScope(callee) == Scope::None &&
                                 !hasMark(callee, "thread") && !hasMark(callee, "in_block") &&
                                 (facts_.find(callee) ? isPureFunction(callee, facts_)
                                                      : isPureHeaderFunction(callee)));
    }
    bool VisitStmt(clang::Stmt* s) override {
      return good &=
             !llvm::isa<clang::LambdaExpr, clang::AsmStmt, clang::GotoStmt, clang::LabelStmt,
                        clang::CXXThrowExpr, clang::CXXTryStmt, clang::CXXNewExpr,
                        clang::CXXDeleteExpr, clang::CXXThisExpr, clang::StmtExpr>(s);
    }

  private:
    const Facts& facts_;
  };

  /// Whether all that is named of the built-in variables are parts of them, and none is blockDim.
  bool namesPartsOnly() {
    Names names(facts_);
    names.TraverseStmt(body_.function->getBody());
    layers_ = names.layers;
    shared_ = names.shared;
    declared_ = names.declared;
    return names.good && !layers_.empty() &&
           std::all_of(names.builtins.begin(), names.builtins.end(),
                       [&](const clang::DeclRefExpr* use) {
                         return names.parts.count(use) && builtinOf(use->getDecl()) != BlockDim;
                       });
  }
  /// `tz`: the layer's number.
  bool isLayer(const clang::Expr* e, unsigned depth = 0) const {
    if (isPart(e, ThreadIdx, "z"))
      return true;
    const clang::VarDecl* variable = namedBy(e);
    return variable && depth < 8 && isFixed(variable) && isLayer(variable->getInit(), depth + 1);
  }
  /// Whether each layer has its own part of all shared memory.
  bool sharesByLayers() const {
    return !shared_.empty() &&
           std::all_of(shared_.begin(), shared_.end(), [&](const clang::DeclRefExpr* use) {
             const clang::Stmt* at = use;
             const clang::ParentMap& parents = body_.variables.parents();
             do
               at = parents.getParent(at);
             while (llvm::isa_and_nonnull<clang::ImplicitCastExpr, clang::ParenExpr>(at));
             const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(at);
             return element && plainly(arrayOf(element)) == use && isLayer(indexOf(element));
           });
  }
  /// A number that keeps its first value, which each thread may compute again.
  bool isFixed(const clang::VarDecl* variable) const {
    const LocalVariable* local = body_.variables.find(variable);
    return local && local->statement && !local->modified && !local->escapes &&
           variable->hasInit() && !variable->isStaticLocal() && !variable->hasAttrs() &&
           variable->getType()->isArithmeticType() && !variable->getType().isVolatileQualified() &&
           body_.isFixed(variable->getInit());
  }
  /// Whether a fixed number, or an expression, is made of the layer's number.
  bool isOfLayer(const clang::Stmt* e, unsigned depth = 0) const {
    if (const auto* part = llvm::dyn_cast<clang::Expr>(e); part && isPart(part, ThreadIdx, "z"))
      return true;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
          variable && variable->hasLocalStorage() && variable->hasInit() && depth < 16 &&
          body_.variables.find(variable))
        return isOfLayer(variable->getInit(), depth + 1);
    return std::any_of(e->child_begin(), e->child_end(),
                       [&](const clang::Stmt* child) { return child && isOfLayer(child, depth); });
  }
  static bool holdsBarrier(const clang::Stmt* s) {
    return isBarrier(s) ||
           std::any_of(s->child_begin(), s->child_end(),
                       [](const clang::Stmt* child) { return child && holdsBarrier(child); });
  }

  /// Where a statement ends, its semicolon with it.
  std::optional<FilePosition> endOf(const clang::Stmt* s) const {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return endOf(branch->getElse() ? branch->getElse() : branch->getThen());
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
      return endOf(loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s))
      return endOf(loop->getBody());
    if (const auto* marked = llvm::dyn_cast<clang::AttributedStmt>(s))
      return endOf(marked->getSubStmt());
    const auto end = body_.text.endOf(s->getEndLoc());
    if (!end || s->getEndLoc().isMacroID())
      return std::nullopt;
    if (llvm::isa<clang::CompoundStmt, clang::DeclStmt, clang::NullStmt>(s))
      return end;
    const auto behind = behindSemicolon(body_.text, {end->file, end->offset, end->offset});
    return behind ? std::optional<FilePosition>({end->file, *behind}) : std::nullopt;
  }
  /// A declaration on one line, of the layer that runs.
  std::optional<std::string> textOf(const clang::DeclStmt* s) const {
    TokenChanges changes;
    for (const clang::MemberExpr* z : layers_) {
      const auto at = body_.text.rangeOf(z->getSourceRange());
      const auto part = body_.text.positionOf(z->getMemberLoc());
      const auto dot = body_.text.positionOf(z->getOperatorLoc());
      if (!at || !part || !dot)
        return std::nullopt;
      changes.instead[at->begin] = "cuLayer";
      changes.instead[dot->offset] = changes.instead[part->offset] = "";
    }
    const auto range = body_.text.rangeOf(s->getSourceRange());
    return range && !s->getBeginLoc().isMacroID() ? onOneLine(body_.text, *range, changes)
                                                  : std::nullopt;
  }

  bool takeList(const clang::CompoundStmt* list) {
    std::optional<FilePosition> last = body_.text.endOf(list->getLBracLoc());
    if (list->getLBracLoc().isMacroID())
      return false;
    const std::size_t around = values_.size();
    Group group;
    const auto close = [&] {
      if (group.statements.empty())
        return;
      group.layerValues = valuesOf(group);
      groups_.push_back(std::move(group));
      group = {};
    };
    for (const clang::Stmt* s : list->body()) {
      // (`__shared__` is one)
      if (s->getBeginLoc().isMacroID() && !isOfBlock(s))
        return false;
      const auto end = endOf(s);
      if (!end)
        return false;
      if (const auto* value = layerValue(s)) {
        // (a group that has begun goes on behind it)
        close();
        moved_.push_back(value);
        values_.push_back(value);
      } else if (isOfBlock(s)) {
        close();
      } else if (holdsBarrier(s)) {
        close();
        if (!takeAround(s))
          return false;
      } else {
        if (!isOfThreads(s))
          return false;
        if (group.statements.empty())
          group.begin = last;
        group.statements.push_back(s);
        group.end = end;
      }
      last = end;
    }
    close();
    values_.resize(around);
    return true;
  }
  /// The layer's numbers that a group's statements name, and those of which they are made.
  std::vector<const clang::DeclStmt*> valuesOf(const Group& group) const {
    std::vector<const clang::DeclStmt*> out;
    for (auto value = values_.rbegin(); value != values_.rend(); ++value) {
      const auto uses =
          body_.contents.references.find(llvm::cast<clang::VarDecl>((*value)->getSingleDecl()));
      if (uses != body_.contents.references.end() &&
          std::any_of(uses->second.begin(), uses->second.end(), [&](const clang::DeclRefExpr* use) {
            return holds(group, use) ||
                   std::any_of(out.begin(), out.end(),
                               [&](const clang::DeclStmt* other) { return isUnder(use, other); });
          }))
        out.insert(out.begin(), *value);
    }
    return out;
  }
  /// The declaration of a number that is the layer's.
  const clang::DeclStmt* layerValue(const clang::Stmt* s) const {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    const auto* variable = declaration && declaration->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                               : nullptr;
    // (under its name groups find no other variable)
    return variable && isFixed(variable) && isOfLayer(variable->getInit()) &&
                   declared_.at(variable->getNameAsString()) == 1
               ? declaration
               : nullptr;
  }
  /// What stays as it is: barriers, declarations of shared memory, and what each thread does alike.
  bool isOfBlock(const clang::Stmt* s) const {
    if (isBarrier(s) || llvm::isa<clang::NullStmt>(s))
      return true;
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      return std::all_of(declaration->decl_begin(), declaration->decl_end(),
                         [&](const clang::Decl* decl) {
                           const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                           if (!variable)
                             return llvm::isa<clang::TypeDecl, clang::StaticAssertDecl>(decl);
                           const LocalVariable* local = body_.variables.find(variable);
                           return isShared(variable) || (local && local->uniform) ||
                                  (isFixed(variable) && !isOfLayer(variable->getInit()));
                         });
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
      const clang::Stmt* then = branch->getThen();
      if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then); list && list->size() == 1)
        then = list->body_front();
      return !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
             llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt>(then) &&
             body_.variables.isUniform(branch->getCond());
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
    const auto* step = llvm::dyn_cast<clang::UnaryOperator>(s);
    const clang::VarDecl* changed = op && op->isAssignmentOp() ? namedBy(op->getLHS())
                                    : step && step->isIncrementDecrementOp()
                                        ? namedBy(step->getSubExpr())
                                        : nullptr;
    const LocalVariable* local = changed ? body_.variables.find(changed) : nullptr;
    return local && local->uniform && !local->escapes &&
           (!op || body_.variables.isUniform(op->getRHS()));
  }
  /// A loop or branch around barriers, which all threads take alike.
  bool takeAround(const clang::Stmt* s) {
    const auto takeBody = [&](const clang::Stmt* inside) {
      const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(inside);
      return list && takeList(list);
    };
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return takeList(list);
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
      const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
      const auto* counter = init && init->isSingleDecl()
                                ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                                : nullptr;
      const LocalVariable* local = counter ? body_.variables.find(counter) : nullptr;
      return local && local->uniform && !local->escapes && local->assignments.size() == 1 &&
             loop->getInc() && loop->getInc()->IgnoreParens() == local->assignments.front() &&
             loop->getCond() && !loop->getConditionVariable() &&
             body_.variables.isUniform(loop->getCond()) && takeBody(loop->getBody());
    }
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s))
      return !loop->getConditionVariable() && body_.variables.isUniform(loop->getCond()) &&
             takeBody(loop->getBody());
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return !branch->getInit() && !branch->getConditionVariable() && !branch->isConstexpr() &&
             !branch->isConsteval() && body_.variables.isUniform(branch->getCond()) &&
             takeBody(branch->getThen()) && (!branch->getElse() || takeBody(branch->getElse()));
    return false;
  }
  /// Whether a statement without barriers may run once for each layer: it ends where it ends, and
  /// changes no variable but its own.
  bool isOfThreads(const clang::Stmt* s) {
    class Inside : public SyntaxVisitor {
    public:
      const Layers* layers = nullptr;
      const clang::Stmt* whole = nullptr;
      bool good = true, elements = false;
      bool VisitReturnStmt(clang::ReturnStmt*) override { return good = false; }
      bool VisitBreakStmt(clang::BreakStmt* jump) override { return good &= staysInside(jump); }
      bool VisitContinueStmt(clang::ContinueStmt* jump) override {
        return good &= staysInside(jump);
      }
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        if (op->isAssignmentOp())
          good &= isOwn(op->getLHS());
        return good;
      }
      bool VisitUnaryOperator(clang::UnaryOperator* op) override {
        if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf)
          good &= isOwn(op->getSubExpr());
        return good;
      }
      bool VisitForStmt(clang::ForStmt* loop) override {
        if (layers->startsAt(loop, "y"))
          for (const clang::ForStmt* inner : forLoopsIn(loop->getBody()))
            elements |= layers->startsAt(inner, "x");
        return true;
      }

    private:
      bool staysInside(const clang::Stmt* jump) const {
        const clang::ParentMap& parents = layers->body_.variables.parents();
        for (const clang::Stmt* at = jump; at != whole;) {
          at = parents.getParent(at);
          if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(
                  at) ||
              (llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(at)))
            return true;
        }
        return false;
      }
      /// Memory, or a variable that the statements of the layer declare.
      bool isOwn(const clang::Expr* to) const {
        to = to->IgnoreParens();
        for (;;) {
          if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(to)) {
            if (member->isArrow())
              return true;
            to = member->getBase()->IgnoreParenImpCasts();
          } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(to)) {
            to = arrayOf(element)->IgnoreParenImpCasts();
            if (to->getType()->isPointerType())
              return true;
          } else {
            break;
          }
        }
        const clang::VarDecl* variable = namedBy(to);
        if (!variable)
          return llvm::isa<clang::UnaryOperator>(to);
        if (isShared(variable) || !layers->body_.variables.find(variable))
          return true;
        layers->own_.insert(variable);
        return !variable->getType()->isReferenceType();
      }
    } inside;
    inside.layers = this;
    inside.whole = s;
    inside.TraverseStmt(const_cast<clang::Stmt*>(s));
    sharesElements_ |= inside.elements;
    // Variables that are declared in the list itself must not outlive the group.
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      for (const clang::Decl* decl : declaration->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        if (!variable || variable->isStaticLocal() || !body_.variables.find(variable))
          return false;
        own_.insert(variable);
      }
    return inside.good;
  }
  /// `for (int i = k + 1 + ty; ...)`
  bool startsAt(const clang::ForStmt* loop, const char* part) const {
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* variable = init && init->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                               : nullptr;
    return variable && variable->hasInit() && namesPart(variable->getInit(), part);
  }
  bool namesPart(const clang::Stmt* e, const char* part, unsigned depth = 0) const {
    if (const auto* one = llvm::dyn_cast<clang::Expr>(e); one && isPart(one, ThreadIdx, part))
      return true;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
          variable && isFixed(variable) && depth < 8)
        return namesPart(variable->getInit(), part, depth + 1);
    return std::any_of(e->child_begin(), e->child_end(), [&](const clang::Stmt* child) {
      return child && namesPart(child, part, depth);
    });
  }
  /// Whether the variables that threads change, or that are made of the layer, belong to one group
  /// each.
  bool keepsNothing() const {
    for (const clang::VarDecl* variable : own_) {
      const LocalVariable* local = body_.variables.find(variable);
      const auto uses = body_.contents.references.find(variable);
      if (!local || !local->statement)
        return false;
      const auto isWithin = [&](const clang::Stmt* s) {
        return std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
          return holds(group, s) && holds(group, local->statement);
        });
      };
      if (uses != body_.contents.references.end() &&
          !std::all_of(uses->second.begin(), uses->second.end(), isWithin))
        return false;
    }
    // The layer's number, and what is made of it, is named by the layers' own code only.
    for (const clang::MemberExpr* z : layers_)
      if (!isOfGroups(z))
        return false;
    for (const clang::DeclStmt* moved : moved_) {
      const auto uses =
          body_.contents.references.find(llvm::cast<clang::VarDecl>(moved->getSingleDecl()));
      if (uses != body_.contents.references.end() &&
          !std::all_of(uses->second.begin(), uses->second.end(),
                       [&](const clang::DeclRefExpr* use) { return isOfGroups(use); }))
        return false;
    }
    return true;
  }
  bool isOfGroups(const clang::Stmt* s) const {
    return std::any_of(groups_.begin(), groups_.end(),
                       [&](const Group& group) { return holds(group, s); }) ||
           std::any_of(moved_.begin(), moved_.end(),
                       [&](const clang::DeclStmt* moved) { return isUnder(s, moved); });
  }
  bool holds(const Group& group, const clang::Stmt* s) const {
    return std::any_of(group.statements.begin(), group.statements.end(),
                       [&](const clang::Stmt* one) { return isUnder(s, one); });
  }
  bool isUnder(const clang::Stmt* s, const clang::Stmt* whole) const {
    for (; s; s = body_.variables.parents().getParent(s))
      if (s == whole)
        return true;
    return false;
  }

  const PlainBody& body_;
  const Facts& facts_;
  std::vector<const clang::MemberExpr*> layers_; ///< `threadIdx.z`
  std::vector<const clang::DeclRefExpr*> shared_;
  std::map<std::string, unsigned> declared_;
  std::vector<Group> groups_;
  std::vector<const clang::DeclStmt*> moved_;
  std::vector<const clang::DeclStmt*> values_; ///< those that a list's statements may name
  mutable std::set<const clang::VarDecl*> own_;
  bool sharesElements_ = false;
};

/// Whether all launches in sight have blocks of so many layers.
bool runsInLayers(const PlainBody& body, const Facts& facts) {
  Facts launched = facts;
  findLaunches(body.unit, launched);
  const FunctionFacts* same = launched.find(body.function);
  if (!same || !sizeHint(body.unit, launched, *same).certain)
    return false;
  const auto size = findBlockSize(body.unit, launched, *same);
  return size && size->z > 1 && size->y > 1;
}

} // namespace

void runByLayers(const PlainBody& body, const Facts& facts) {
  if (hasMark(body.function, "layers") || hasMark(body.function, "cluster_dims") ||
      body.function->isTemplated() ||
      body.function->getTemplateSpecializationKind() != clang::TSK_Undeclared)
    return;
  Layers layers(body, facts);
  if (layers.find() && runsInLayers(body, facts))
    layers.put();
}

} // namespace cu2cpp
