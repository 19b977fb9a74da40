// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/element_loops.h"

#include <algorithm>
#include <optional>

#include "analyse/element_heads.h"
#include "analyse/element_rows.h"
#include "analyse/instance_calls.h"
#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "analyse/trivial_copies.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

class Finder : public SyntaxVisitor, private ElementHeads {
public:
  Finder(const Facts& facts, const FunctionFacts& function, const Uniformity& uniformity)
      : ElementHeads(facts, function, uniformity) {}
  std::map<const clang::ForStmt*, ElementLoop> found;

  bool VisitForStmt(clang::ForStmt* loop) override {
    if (!takeApart(loop))
      takeInTurn(loop);
    return true;
  }

private:
  /// A loop that reads nothing of what it stores.
  bool takeApart(const clang::ForStmt* loop) {
    const std::optional<ElementHead> head = headOf(loop);
    if (!head)
      return takeItems(loop);
    ElementLoop element;
    element.rows = loop;
    element.row = head->variable;
    if (isThreadPart(head->variable->getInit(), "y") && takeInner(element)) {
      found[loop] = std::move(element);
      return true;
    }
    if (element.columns || !isLinear(head->variable->getInit()) || !takeDivisions(element))
      return false;
    notePlaces(element, loop->getBody());
    if (!fits(element, loop->getBody()))
      return false;
    found[loop] = std::move(element);
    return true;
  }
  /// `for (int l = 0; l < 4; ++l) { const int t = tid + l * 256; ... }`
  bool takeItems(const clang::ForStmt* loop) {
    const auto counts = countingLoop(loop);
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
    ElementLoop element;
    element.rows = loop;
    element.declared =
        list && !list->body_empty() ? llvm::dyn_cast<clang::DeclStmt>(list->body_front()) : nullptr;
    element.row = element.declared && element.declared->isSingleDecl()
                      ? llvm::dyn_cast<clang::VarDecl>(element.declared->getSingleDecl())
                      : nullptr;
    if (!counts || !element.row || !keepsItsPlace(element.row) || loop->getConditionVariable() ||
        loop->getBeginLoc().isMacroID() || element.row->getBeginLoc().isMacroID() ||
        constantOf(counts->from, element.row->getASTContext()) != 0 || !isOfBlock(counts->to))
      return false;
    element.counter = counts->counter;
    element.items = counts->to;
    if (!takeItem(element) || !isLinear(element.start) || !takeDivisions(element))
      return false;
    notePlaces(element, loop->getBody());
    if (!fits(element, loop->getBody()))
      return false;
    found[loop] = std::move(element);
    return true;
  }
  bool keepsItsPlace(const clang::VarDecl* variable) const {
    const LocalVariable* local = uniformity_.find(variable);
    return local && !local->modified && !local->escapes && variable->hasInit() &&
           isIndexType(variable->getType(), variable->getASTContext());
  }
  /// `tid + l * 256`
  bool takeItem(ElementLoop& element) const {
    const clang::Expr* value = element.row->getInit()->IgnoreParenImpCasts();
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(value);
    const clang::ASTContext& context = element.row->getASTContext();
    if (!sum || sum->getOpcode() != clang::BO_Add || sum->isTypeDependent() ||
        context.getTypeSize(sum->getType()) != context.getTypeSize(element.row->getType()))
      return false;
    for (const bool first : {false, true}) {
      const auto* product = llvm::dyn_cast<clang::BinaryOperator>(
          (first ? sum->getLHS() : sum->getRHS())->IgnoreParenImpCasts());
      if (!product || product->getOpcode() != clang::BO_Mul)
        continue;
      for (const bool before : {false, true})
        if (namedBy(before ? product->getLHS() : product->getRHS()) == element.counter)
          element.distance = before ? product->getRHS() : product->getLHS();
      element.start = first ? sum->getRHS() : sum->getLHS();
      // (of fewer bits the product may wrap around before it is added)
      if (element.distance && isOfBlock(element.distance) &&
          context.getTypeSize(product->getType()) == context.getTypeSize(sum->getType()))
        return true;
    }
    return false;
  }
  void takeInTurn(const clang::ForStmt* loop) {
    // Threads that never wait for each other share nothing.
    if (!function_.kernel || function_.reached.scope != Scope::Block)
      return;
    ElementLoop element;
    element.rows = loop;
    if (const std::optional<ElementHead> head = headOf(loop);
        head && isLinear(head->variable->getInit())) {
      element.row = head->variable;
      takeDivisions(element);
    }
    if (takeRowsInTurn(facts_, function_, uniformity_, element))
      found[loop] = std::move(element);
  }
  /// `for (int x = threadIdx.x; ...)` as all that the outer loop does, but for declarations.
  bool takeInner(ElementLoop& element) {
    const clang::Stmt* body = element.rows->getBody();
    const clang::ForStmt* inner = llvm::dyn_cast<clang::ForStmt>(body);
    std::vector<const clang::DeclStmt*> before;
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body)) {
      for (const clang::Stmt* s : list->body()) {
        if (inner)
          return false;
        inner = llvm::dyn_cast<clang::ForStmt>(s);
        if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
          before.push_back(declaration);
        else if (!inner)
          return false;
      }
    }
    const std::optional<ElementHead> head = inner ? headOf(inner) : std::nullopt;
    if (!head || !isThreadPart(head->variable->getInit(), "x"))
      return false;
    element.columns = inner;
    element.column = head->variable;
    for (const clang::DeclStmt* declaration : before)
      notePlaces(element, declaration);
    notePlaces(element, inner->getBody());
    return std::all_of(before.begin(), before.end(),
                       [&](const auto* declaration) { return works(element, declaration); }) &&
           fits(element, inner->getBody());
  }
  /// `t / 34` and `t % 34`, where the loop divides its variable by one number.
  bool takeDivisions(ElementLoop& element) {
    class Divisions : public SyntaxVisitor {
    public:
      const Finder* finder = nullptr;
      ElementLoop* element = nullptr;
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        const bool quotient = op->getOpcode() == clang::BO_Div;
        if ((!quotient && op->getOpcode() != clang::BO_Rem) ||
            namedBy(op->getLHS()) != element->row || !finder->isOfBlock(op->getRHS()) ||
            !op->getRHS()->getType()->isIntegerType() || op->isTypeDependent())
          return true;
        const auto known = constantOf(op->getRHS(), finder->function_.decl->getASTContext());
        constexpr std::int64_t shortest = 8;
        if (known && *known < shortest)
          return true;
        if (!element->width)
          element->width = op->getRHS()->IgnoreParenImpCasts();
        if (finder->areAlike(element->width, op->getRHS()->IgnoreParenImpCasts()))
          (quotient ? element->quotients : element->remainders).insert(op);
        else if (quotient)
          wider.push_back(op);
        return true;
      }
      std::vector<const clang::BinaryOperator*> wider;
    } divisions;
    divisions.finder = this;
    divisions.element = &element;
    divisions.TraverseStmt(const_cast<clang::Stmt*>(element.rows->getBody()));
    if (!element.width)
      return false;
    for (const clang::BinaryOperator* op : divisions.wider)
      if (const auto layer = layerOf(element, op))
        element.layers[op] = *layer;
    // `t - y * 34`, y being `t / 34`
    class Rests : public SyntaxVisitor {
    public:
      const Finder* finder = nullptr;
      ElementLoop* element = nullptr;
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        const auto* product =
            llvm::dyn_cast<clang::BinaryOperator>(op->getRHS()->IgnoreParenImpCasts());
        if (op->getOpcode() != clang::BO_Sub || namedBy(op->getLHS()) != element->row || !product ||
            product->getOpcode() != clang::BO_Mul || op->isTypeDependent())
          return true;
        for (const bool first : {false, true}) {
          const clang::Expr* times = first ? product->getLHS() : product->getRHS();
          const clang::Expr* quotient = first ? product->getRHS() : product->getLHS();
          if (const clang::Expr* value = finder->valueOf(quotient))
            quotient = value;
          const auto* division =
              llvm::dyn_cast<clang::BinaryOperator>(quotient->IgnoreParenImpCasts());
          if (division && element->quotients.count(division) &&
              finder->areAlike(element->width, times->IgnoreParenImpCasts())) {
            element->remainders.insert(op);
            return true;
          }
        }
        return true;
      }
    } rests;
    rests.finder = this;
    rests.element = &element;
    rests.TraverseStmt(const_cast<clang::Stmt*>(element.rows->getBody()));
    // `t - t / 34 * 34` is one text.
    class Inside : public SyntaxVisitor {
    public:
      ElementLoop* element = nullptr;
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        element->quotients.erase(op);
        return true;
      }
    } inside;
    inside.element = &element;
    for (const clang::BinaryOperator* rest : element.remainders)
      if (rest->getOpcode() == clang::BO_Sub)
        inside.TraverseStmt(const_cast<clang::Expr*>(rest->getRHS()));
    return true;
  }
  /// `t / (34 * 10)` is `t / 34 / 10`, where all is computed in one type.
  std::optional<ElementLoop::Layer> layerOf(const ElementLoop& element,
                                            const clang::BinaryOperator* op) const {
    const clang::ASTContext& context = function_.decl->getASTContext();
    const auto& parts = element.quotients.empty() ? element.remainders : element.quotients;
    if (parts.empty() ||
        !context.hasSameUnqualifiedType((*parts.begin())->getType(), op->getType()))
      return std::nullopt;
    const auto width = constantOf(element.width, context), by = constantOf(op->getRHS(), context);
    constexpr std::int64_t most = 1 << 30;
    if (width && by)
      return *width > 0 && *by > 0 && *by <= most && *by % *width == 0
                 ? std::optional(ElementLoop::Layer{*by / *width, nullptr})
                 : std::nullopt;
    // (Products of unsigned numbers may wrap around.)
    const auto* product =
        llvm::dyn_cast<clang::BinaryOperator>(op->getRHS()->IgnoreParenImpCasts());
    if (!product || product->getOpcode() != clang::BO_Mul ||
        !product->getType()->isSignedIntegerType() || !op->getType()->isSignedIntegerType())
      return std::nullopt;
    for (const bool first : {false, true}) {
      const clang::Expr *across = first ? product->getLHS() : product->getRHS(),
                        *down = first ? product->getRHS() : product->getLHS();
      if (down->getType()->isSignedIntegerType() &&
          areAlike(element.width, across->IgnoreParenImpCasts()))
        return ElementLoop::Layer{0, down};
    }
    return std::nullopt;
  }
  void notePlaces(ElementLoop& element, const clang::Stmt* s) const {
    class Declared : public SyntaxVisitor {
    public:
      const Finder* finder = nullptr;
      ElementLoop* element = nullptr;
      bool VisitVarDecl(clang::VarDecl* variable) override {
        const LocalVariable* local = finder->uniformity_.find(variable);
        if (variable != element->row && local && !local->modified && !local->escapes &&
            variable->hasInit() && isIndexType(variable->getType(), variable->getASTContext()))
          element->places.push_back(variable);
        return true;
      }
    } declared;
    declared.finder = this;
    declared.element = &element;
    declared.TraverseStmt(const_cast<clang::Stmt*>(s));
  }

  /// Whether code may run for the elements of a row in any order: it stores to arrays that it does
  /// not read, to one place of each, another for each column.
  bool fits(const ElementLoop& element, const clang::Stmt* body) const {
    return works(element, body, true);
  }
  bool works(const ElementLoop& element, const clang::Stmt* body, bool stores = false) const {
    class Body : public SyntaxVisitor {
    public:
      Body(const Finder& finder, const ElementLoop& element) : finder_(finder), element_(element) {}
      bool good = true;
      std::map<const clang::VarDecl*, const clang::ArraySubscriptExpr*> stored;
      std::set<const clang::VarDecl*> read;

      bool TraverseStmt(clang::Stmt* s) override {
        if (s && s == element_.declared)
          return good;
        const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(s);
        const auto* call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(s);
        const clang::Expr *to = nullptr, *value = nullptr;
        if (op && op->getOpcode() == clang::BO_Assign) {
          to = op->getLHS();
          value = op->getRHS();
        } else if (call && isTrivialAssignment(call->getDirectCallee())) {
          to = call->getArg(0);
          value = call->getArg(1);
        }
        const auto* place =
            to ? llvm::dyn_cast<clang::ArraySubscriptExpr>(to->IgnoreParens()) : nullptr;
        if (!place)
          return SyntaxVisitor::TraverseStmt(s);
        good &= isOwnPlace(place);
        const clang::VarDecl* array = rootOf(place);
        if (good && !stored.insert({array, place}).second)
          good = finder_.areAlike(stored[array], place);
        // What the place is computed from may read memory, too.
        for (const clang::Expr* at = place;
             const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at);
             at = element->getBase()->IgnoreParenImpCasts())
          TraverseStmt(const_cast<clang::Expr*>(element->getIdx()));
        return good && TraverseStmt(const_cast<clang::Expr*>(value));
      }
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        if (op->isAssignmentOp())
          good &= isOwn(op->getLHS());
        return good;
      }
      bool VisitUnaryOperator(clang::UnaryOperator* op) override {
        if (op->isIncrementDecrementOp())
          good &= isOwn(op->getSubExpr());
        return good;
      }
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        if (builtinOf(use->getDecl()) == ThreadIdx || use->getType().isVolatileQualified() ||
            (element_.counter && use->getDecl() == element_.counter))
          return good = false;
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        if (!variable || variable == element_.row || variable == element_.column)
          return good;
        if (isShared(variable)) {
          read.insert(variable);
          return good;
        }
        if (!variable->hasLocalStorage() || isDeclaredInside(variable))
          return good;
        const LocalVariable* local = finder_.uniformity_.find(variable);
        good &= local && local->uniform && !local->escapes && !variable->getType()->isArrayType() &&
                !variable->getType()->isReferenceType();
        if (good && variable->getType()->isPointerType())
          good = isGlobal(variable);
        return good;
      }
      bool VisitCallExpr(clang::CallExpr* call) override {
        const auto callees = calleesOf(call, finder_.function_);
        return good = good && !callees.empty() &&
                      std::all_of(callees.begin(), callees.end(),
                                  [&](const auto* callee) { return finder_.isPure(callee); });
      }
      bool VisitVarDecl(clang::VarDecl* variable) override {
        declared_.insert(variable);
        // Of pointers and references nobody knows where they lead.
        return good = good && variable->getType()->isScalarType() &&
                      !variable->getType()->isPointerType() && !variable->isStaticLocal();
      }
      bool VisitStmt(clang::Stmt* s) override {
        if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                      clang::SwitchStmt, clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt,
                      clang::GotoStmt, clang::LabelStmt, clang::AsmStmt, clang::LambdaExpr,
                      clang::CXXNewExpr, clang::CXXThisExpr, clang::CXXTryStmt,
                      clang::CXXConstructExpr, clang::AttributedStmt>(s))
          good = false;
        return good;
      }
      /// No array is both read and stored to, and nothing else may lie where one is.
      bool isApart() const {
        unsigned dynamic = 0;
        std::set<const clang::VarDecl*> all(read);
        for (const auto& [array, place] : stored) {
          if (read.count(array))
            return false;
          all.insert(array);
        }
        for (const clang::VarDecl* array : all)
          dynamic += array->hasExternalStorage();
        return dynamic < 2 && !stored.empty();
      }

    private:
      bool isDeclaredInside(const clang::VarDecl* variable) const {
        return declared_.count(variable) ||
               std::find(element_.places.begin(), element_.places.end(), variable) !=
                   element_.places.end();
      }
      bool isOwn(const clang::Expr* e) const {
        const clang::VarDecl* variable = namedBy(e);
        return variable && declared_.count(variable);
      }
      static const clang::VarDecl* rootOf(const clang::Expr* e) {
        while (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
          e = element->getBase()->IgnoreParenImpCasts();
        return namedBy(e);
      }
      /// An element of a shared array, another one in each column.
      bool isOwnPlace(const clang::ArraySubscriptExpr* to) const {
        const clang::VarDecl* array = rootOf(to);
        if (!array || !isShared(array) || to->getType()->isArrayType() ||
            !array->getType()->isArrayType() || to->getType().isVolatileQualified())
          return false;
        unsigned steps = 0;
        for (const clang::Expr* at = to;
             const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at);
             at = element->getBase()->IgnoreParenImpCasts()) {
          const ColumnStep one = columnStep(element_, element->getIdx(), finder_.uniformity_);
          if (one == ColumnStep::Other && !isApartByRows(element->getIdx()))
            return false;
          steps += one != ColumnStep::None;
        }
        return steps == 1;
      }
      /// `column * 64 + row`
      bool isApartByRows(const clang::Expr* e) const {
        const auto stepOf = [&](const clang::Expr* part) {
          return columnStep(element_, part, finder_.uniformity_);
        };
        const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
        if (!op || op->isTypeDependent())
          return false;
        for (const bool first : {false, true}) {
          const clang::Expr *one = first ? op->getLHS() : op->getRHS(),
                            *other = first ? op->getRHS() : op->getLHS();
          if (op->getOpcode() == clang::BO_Add && stepOf(other) == ColumnStep::None)
            return isApartByRows(one);
          constexpr std::int64_t most = 1 << 16;
          const auto by = constantOf(other, finder_.function_.decl->getASTContext());
          if (op->getOpcode() == clang::BO_Mul && by && *by > 0 && *by <= most)
            return stepOf(one) == ColumnStep::One;
        }
        return false;
      }
      /// A pointer that leads to no shared memory: a kernel's parameter, or a sum of one.
      bool isGlobal(const clang::VarDecl* pointer, unsigned depth = 0) const {
        const LocalVariable* local = finder_.uniformity_.find(pointer);
        if (llvm::isa<clang::ParmVarDecl>(pointer))
          return finder_.function_.kernel && local && !local->modified;
        if (!local || local->modified || !pointer->hasInit() || depth > 8)
          return false;
        class Pointers : public SyntaxVisitor {
        public:
          bool good = true;
          std::vector<const clang::VarDecl*> all;
          bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
            const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
            if (variable && isShared(variable))
              good = false;
            if (variable && variable->hasLocalStorage() && variable->getType()->isPointerType())
              all.push_back(variable);
            return good;
          }
          bool VisitCallExpr(clang::CallExpr*) override { return good = false; }
        } pointers;
        pointers.TraverseStmt(const_cast<clang::Expr*>(pointer->getInit()));
        return pointers.good && !pointers.all.empty() &&
               std::all_of(pointers.all.begin(), pointers.all.end(),
                           [&](const auto* one) { return isGlobal(one, depth + 1); });
      }
      const Finder& finder_;
      const ElementLoop& element_;
      std::set<const clang::VarDecl*> declared_;
    } visitor(*this, element);
    visitor.TraverseStmt(const_cast<clang::Stmt*>(body));
    return visitor.good && (!stores || visitor.isApart()) && (stores || visitor.stored.empty());
  }
};

} // namespace

ColumnStep columnStep(const ElementLoop& loop, const clang::Expr* e, const Uniformity& uniformity) {
  const clang::ASTContext& context = loop.row->getASTContext();
  const auto isPlace = [&](const clang::VarDecl* variable) {
    return std::find(loop.places.begin(), loop.places.end(), variable) != loop.places.end();
  };
  e = e->IgnoreParens();
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const clang::QualType to = cast->getType(), from = cast->getSubExpr()->getType();
    if (!to->isDependentType() && !from->isDependentType() && to->isIntegerType() &&
        from->isIntegerType() && context.getTypeSize(to) >= 32)
      return columnStep(loop, cast->getSubExpr(), uniformity);
  }
  if (uniformity.isUniform(e, Scope::Block))
    return ColumnStep::None;
  if (const clang::VarDecl* variable = namedBy(e)) {
    if (variable == loop.row)
      return loop.columns ? ColumnStep::None : ColumnStep::One;
    if (variable == loop.column)
      return ColumnStep::One;
    return isPlace(variable) ? columnStep(loop, variable->getInit(), uniformity)
                             : ColumnStep::Other;
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (op && (loop.quotients.count(op) || loop.layers.count(op)))
    return ColumnStep::None;
  if (op && loop.remainders.count(op))
    return ColumnStep::One;
  if (op && (op->getOpcode() == clang::BO_Add || op->getOpcode() == clang::BO_Sub)) {
    const ColumnStep left = columnStep(loop, op->getLHS(), uniformity),
                     right = columnStep(loop, op->getRHS(), uniformity);
    if (right == ColumnStep::None)
      return left;
    return left == ColumnStep::None && op->getOpcode() == clang::BO_Add ? right : ColumnStep::Other;
  }
  // Anything else that is made of what is one value for the row.
  if (op ||
      llvm::isa<clang::UnaryOperator, clang::ConditionalOperator, clang::CallExpr, clang::CastExpr>(
          e)) {
    for (const clang::Stmt* child : e->children()) {
      const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
      const auto* use =
          part ? llvm::dyn_cast<clang::DeclRefExpr>(part->IgnoreParenImpCasts()) : nullptr;
      if (use && llvm::isa<clang::FunctionDecl>(use->getDecl()))
        continue;
      if (!part || columnStep(loop, part, uniformity) != ColumnStep::None)
        return ColumnStep::Other;
    }
    return ColumnStep::None;
  }
  return ColumnStep::Other;
}

std::map<const clang::ForStmt*, ElementLoop>
findElementLoops(const Facts& facts, const FunctionFacts& function, const Uniformity& uniformity) {
  Finder finder(facts, function, uniformity);
  finder.TraverseStmt(function.decl->getBody());
  return std::move(finder.found);
}

} // namespace cu2cpp
