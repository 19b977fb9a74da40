// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/element_rows.h"

#include <algorithm>
#include <cstdlib>

#include "analyse/element_heads.h"
#include "analyse/instance_calls.h"
#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

class RowsInTurn : private ElementHeads {
public:
  RowsInTurn(const Facts& facts, const FunctionFacts& function, const Uniformity& uniformity)
      : ElementHeads(facts, function, uniformity) {}

  bool take(ElementLoop& element) {
    const auto head = headOf(element.rows, true);
    if (!head || !isOfBlock(head->limit) || !countsUp(head->variable))
      return false;
    element.row = head->variable;
    const clang::Expr* start = head->variable->getInit();
    const auto step = isLinear(start) ? stepInRow(start) : std::nullopt;
    element.inTurn = true;
    element.ofWarps = isPartOfRank(start, false);
    if ((step == 0u && namesThread(start)) || element.ofWarps) {
      // What divides the number of a row tells no place within one.
      element.width = nullptr;
      element.quotients.clear();
      element.remainders.clear();
      element.layers.clear();
      if (!takeRow(element, element.rows->getBody()) || element.inner.empty())
        return false;
      element.columns = element.inner.front().loop;
      element.column = element.inner.front().variable;
      return true;
    }
    element.ofRanks = namesOtherRows(start);
    return step == 1u && takeBody(element, element.rows->getBody(), element.neighbours, nullptr);
  }

private:
  /// What the loop over threads that would stand in its place asks for.
  bool countsUp(const clang::VarDecl* variable) const {
    return variable->getType()->isSignedIntegerType() ||
           uniformity_.isNeverNegative(variable->getInit());
  }
  bool namesThread(const clang::Expr* start) const { return !isOfBlock(start); }
  /// Whether a sum is made of more than threadIdx.x.
  bool namesOtherRows(const clang::Expr* e, unsigned depth = 0) const {
    e = e->IgnoreParenCasts();
    if (depth > 16 || isOfBlock(e) || isThreadPart(e, "x"))
      return false;
    if (isThreadPart(e, "") || isRankInBlock(e))
      return true;
    if (const clang::Expr* value = valueOf(e))
      return namesOtherRows(value, depth + 1);
    return std::any_of(e->child_begin(), e->child_end(), [&](const clang::Stmt* child) {
      const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
      return part && namesOtherRows(part, depth + 1);
    });
  }

  /// A variable of the row: it keeps its first value, which the threads of the row agree on.
  bool isOfRow(const clang::VarDecl* variable) const { return rowVariables_.count(variable) != 0; }
  /// One value for the row, made of what the block knows and of memory.
  bool isOfRow(const ElementLoop& element, const clang::Expr* e) const {
    e = e->IgnoreParens();
    if (uniformity_.isUniform(e, Scope::Block))
      return true;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (use->getType().isVolatileQualified())
        return false;
      if (!variable)
        return llvm::isa<clang::FunctionDecl, clang::EnumConstantDecl,
                         clang::NonTypeTemplateParmDecl>(use->getDecl());
      return variable == element.row || isOfRow(variable) || isShared(variable) ||
             (!builtinOf(variable) && !variable->hasLocalStorage());
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e)) {
      const auto callees = calleesOf(call, function_);
      if (callees.empty() || !std::all_of(callees.begin(), callees.end(),
                                          [&](const auto* callee) { return isPure(callee); }))
        return false;
    } else if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      if (op->isAssignmentOp() || op->getOpcode() == clang::BO_Comma)
        return false;
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e)) {
      if (unary->isIncrementDecrementOp())
        return false;
    } else if (!llvm::isa<clang::CastExpr, clang::ArraySubscriptExpr, clang::ConditionalOperator,
                          clang::MemberExpr, clang::CXXUnresolvedConstructExpr>(e)) {
      return false;
    }
    return std::all_of(e->child_begin(), e->child_end(), [&](const clang::Stmt* child) {
      const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
      return part && isOfRow(element, part);
    });
  }

  /// `const float* from = tiles[now];`
  bool leadsToShared(const clang::VarDecl* pointer) const {
    const LocalVariable* local = uniformity_.find(pointer);
    if (!local || local->modified || local->escapes || !pointer->hasInit() ||
        !pointer->getType()->isPointerType())
      return false;
    class Names : public SyntaxVisitor {
    public:
      bool shared = false;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        shared |= isShared(use->getDecl()) && use->getDecl()->getType()->isArrayType();
        return true;
      }
    } names;
    names.TraverseStmt(const_cast<clang::Expr*>(pointer->getInit()));
    return names.shared;
  }

  /// What each row does: loops over columns, and what the threads of a row agree on.
  bool takeRow(ElementLoop& element, const clang::Stmt* s) {
    if (llvm::isa<clang::NullStmt>(s))
      return true;
    if (s->getBeginLoc().isMacroID())
      return false;
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return std::all_of(list->body_begin(), list->body_end(),
                         [&](const clang::Stmt* one) { return takeRow(element, one); });
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return !branch->getInit() && !branch->getConditionVariable() && !branch->isConstexpr() &&
             !branch->isConsteval() && isOfRow(element, branch->getCond()) &&
             takeRow(element, branch->getThen()) &&
             (!branch->getElse() || takeRow(element, branch->getElse()));
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      return std::all_of(declaration->decl_begin(), declaration->decl_end(),
                         [&](const clang::Decl* decl) {
                           const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                           if (!variable || !isOfRowWhenDeclared(element, variable))
                             return false;
                           rowVariables_.insert(variable);
                           if (isIndexType(variable->getType(), variable->getASTContext()))
                             element.places.push_back(variable);
                           return true;
                         });
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    const auto head = loop ? headOf(loop, true) : std::nullopt;
    if (!head || !isOfRow(element, head->limit) || Uniformity::readsMemory(head->limit) ||
        !startsColumns(element, head->variable->getInit()))
      return false;
    ElementLoop::Columns columns{loop, head->variable, false, {}};
    ElementLoop one = element;
    one.columns = loop;
    one.column = head->variable;
    if (!takeBody(one, loop->getBody(), columns.neighbours, &columns.skips))
      return false;
    element.steps = one.steps;
    element.inner.push_back(std::move(columns));
    return true;
  }
  bool startsColumns(const ElementLoop& element, const clang::Expr* start) const {
    return element.ofWarps ? isPartOfRank(start, true, element.row)
                           : isLinear(start, element.row) && stepInRow(start, element.row) == 1u;
  }
  bool isOfRowWhenDeclared(const ElementLoop& element, const clang::VarDecl* variable) const {
    const LocalVariable* local = uniformity_.find(variable);
    const clang::QualType type = variable->getType();
    return local && !local->modified && !local->escapes && variable->hasInit() &&
           !variable->isStaticLocal() && !type.isVolatileQualified() && !type->isReferenceType() &&
           (type->isScalarType() || type->isDependentType()) &&
           isOfRow(element, variable->getInit());
  }

  /// What is done with an element: it changes nothing but memory and what it declares itself.
  class Body : public SyntaxVisitor {
  public:
    Body(const RowsInTurn& rows, const ElementLoop& element, bool mayContinue)
        : rows_(rows), element_(element), mayContinue_(mayContinue) {}
    bool good = true, neighbours = false, scattered = false;
    std::vector<const clang::ContinueStmt*> skips;
    std::vector<const clang::VarDecl*> places;
    std::vector<std::pair<const clang::Expr*, unsigned>> steps;
    bool inShared = true;

    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      if (op->isAssignmentOp())
        noteStore(op->getLHS());
      return good;
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      if (op->isIncrementDecrementOp())
        noteStore(op->getSubExpr());
      inShared &= op->getOpcode() != clang::UO_Deref;
      return good;
    }
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
      if (access->getType()->isArrayType())
        return true;
      neighbours |= stepOf(access) == ColumnStep::One;
      notePlace(access);
      return true;
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      if (builtinOf(use->getDecl()) == ThreadIdx || use->getType().isVolatileQualified())
        return good = false;
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (!variable || variable == element_.row || variable == element_.column ||
          isShared(variable) || !variable->hasLocalStorage() || declared_.count(variable) ||
          rows_.isOfRow(variable))
        return good;
      const LocalVariable* local = rows_.uniformity_.find(variable);
      return good = good && local && local->uniform && !local->escapes &&
                    !variable->getType()->isArrayType() && !variable->getType()->isReferenceType();
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      const auto callees = calleesOf(call, rows_.function_);
      return good = good && !callees.empty() &&
                    std::all_of(callees.begin(), callees.end(),
                                [&](const auto* callee) { return rows_.isPure(callee); });
    }
    bool VisitVarDecl(clang::VarDecl* variable) override {
      const LocalVariable* local = rows_.uniformity_.find(variable);
      declared_.insert(variable);
      const clang::QualType type = variable->getType();
      if (local && !local->modified && !local->escapes && variable->hasInit() &&
          isIndexType(type, variable->getASTContext()))
        places.push_back(variable);
      return good = good && local && !local->escapes && !variable->isStaticLocal() &&
                    (type->isScalarType() || type->isDependentType());
    }
    bool VisitStmt(clang::Stmt* s) override {
      if (const auto* skip = llvm::dyn_cast<clang::ContinueStmt>(s); skip && mayContinue_) {
        skips.push_back(skip);
        return good &= !skip->getBeginLoc().isMacroID();
      }
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                    clang::SwitchStmt, clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt,
                    clang::GotoStmt, clang::LabelStmt, clang::AsmStmt, clang::LambdaExpr,
                    clang::CXXNewExpr, clang::CXXDeleteExpr, clang::CXXThisExpr, clang::CXXTryStmt,
                    clang::CXXConstructExpr, clang::AttributedStmt>(s))
        good = false;
      return good;
    }

  private:
    void noteStore(const clang::Expr* to) {
      to = to->IgnoreParens();
      if (const clang::VarDecl* variable = namedBy(to)) {
        good &= declared_.count(variable) != 0;
        return;
      }
      const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(to);
      scattered |= !access || stepOf(access) != ColumnStep::One;
      // A part of a variable is none of memory.
      while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(to)) {
        if (member->isArrow())
          return;
        to = member->getBase()->IgnoreParens();
      }
      const clang::VarDecl* variable = namedBy(to);
      good &= !variable || isShared(variable) || !variable->hasLocalStorage() ||
              declared_.count(variable);
    }
    /// The loop with what its body declares.
    ElementLoop withPlaces() const {
      ElementLoop element = element_;
      element.places.insert(element.places.end(), places.begin(), places.end());
      return element;
    }
    void notePlace(const clang::ArraySubscriptExpr* access) {
      const clang::Expr* base = access->getBase()->IgnoreParenImpCasts();
      const clang::Expr* index = access->getIdx();
      const ElementLoop element = withPlaces();
      const clang::Expr* root = base;
      bool oneRow = true;
      for (; const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(root);
           root = at->getBase()->IgnoreParenImpCasts())
        oneRow &= columnStep(element, at->getIdx(), rows_.uniformity_) == ColumnStep::None;
      const clang::VarDecl* array = namedBy(root);
      inShared &= array && (isShared(array) || rows_.leadsToShared(array));
      const clang::QualType type = index->getType();
      if (!oneRow || type->isDependentType() || !type->isIntegerType() ||
          rows_.function_.decl->getASTContext().getTypeSize(type) != 32)
        return;
      constexpr std::int64_t most = 4; // vectors are taken apart for them
      if (const auto step = multipleOf(element, index); step && *step >= 1 && *step <= most)
        steps.push_back({index, unsigned(*step)});
    }
    /// How much more a place is in the next column.
    std::optional<std::int64_t> multipleOf(const ElementLoop& element, const clang::Expr* e) const {
      const clang::ASTContext& context = rows_.function_.decl->getASTContext();
      e = e->IgnoreParens();
      if (const ColumnStep step = columnStep(element, e, rows_.uniformity_);
          step != ColumnStep::Other)
        return step == ColumnStep::One ? 1 : 0;
      if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e);
          cast && isIndexType(cast->getType(), context) &&
          isIndexType(cast->getSubExpr()->getType(), context))
        return multipleOf(element, cast->getSubExpr());
      if (const clang::VarDecl* variable = namedBy(e))
        return std::find(element.places.begin(), element.places.end(), variable) !=
                       element.places.end()
                   ? multipleOf(element, variable->getInit())
                   : std::nullopt;
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
      if (!op)
        return std::nullopt;
      const auto left = multipleOf(element, op->getLHS()),
                 right = multipleOf(element, op->getRHS());
      if (!left || !right)
        return std::nullopt;
      const auto number = constantOf(op->getLHS(), context),
                 times = constantOf(op->getRHS(), context);
      constexpr std::int64_t large = 1 << 16;
      switch (op->getOpcode()) {
      case clang::BO_Add:
        return *left + *right;
      case clang::BO_Sub:
        return *left - *right;
      case clang::BO_Mul:
        if (times && std::abs(*times) < large)
          return *left * *times;
        return number && std::abs(*number) < large ? std::optional(*right * *number) : std::nullopt;
      default:
        return std::nullopt;
      }
    }
    ColumnStep stepOf(const clang::ArraySubscriptExpr* access) const {
      const ElementLoop element = withPlaces();
      ColumnStep total = columnStep(element, access->getIdx(), rows_.uniformity_);
      const clang::Expr* base = access->getBase()->IgnoreParenImpCasts();
      while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
        if (columnStep(element, at->getIdx(), rows_.uniformity_) != ColumnStep::None)
          total = ColumnStep::Other;
        base = at->getBase()->IgnoreParenImpCasts();
      }
      return namedBy(base) ? total : ColumnStep::Other;
    }
    const RowsInTurn& rows_;
    const ElementLoop& element_;
    bool mayContinue_;
    std::set<const clang::VarDecl*> declared_;
  };

  bool takeBody(ElementLoop& element, const clang::Stmt* body, bool& neighbours,
                std::vector<const clang::ContinueStmt*>* skips) const {
    Body visitor(*this, element, skips != nullptr);
    visitor.TraverseStmt(const_cast<clang::Stmt*>(body));
    neighbours = visitor.neighbours && !visitor.scattered;
    if (neighbours)
      element.steps.insert(element.steps.end(), visitor.steps.begin(), visitor.steps.end());
    element.inShared = visitor.inShared;
    if (skips)
      *skips = visitor.skips;
    return visitor.good;
  }

  std::set<const clang::VarDecl*> rowVariables_;
};

} // namespace

bool takeRowsInTurn(const Facts& facts, const FunctionFacts& function, const Uniformity& uniformity,
                    ElementLoop& element) {
  return RowsInTurn(facts, function, uniformity).take(element);
}

} // namespace cu2cpp
