// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes hand to their neighbours in a row of read-only memory is the neighbour's element:
//
//   float c = in[n];                               for (...; n += plane) {
//   for (...; n += plane) {                          const float c = in[n];
//     const float up = in[n + plane];                const float up = in[n + plane];
//     float e = __shfl_down_sync(~0u, c, 1);   ->
//     if (lane == 31 && live) e = in[n + 1];
//     if (live) { out[n] = e - c + up; }             if (live) { const float e = in[n + 1]; ... }
//     c = up;
//   }                                              }
//
// A GPU saves loads by that; here threads would meet in each step and keep values through it. All
// 32 lanes are asked, so the one that hands on its element has loaded it. The memory doesn't change
// while the kernel runs: it is reached by a `const T* __restrict__`.
#include "analyse/plain_shuffles.h"

#include <algorithm>

#include "analyse/analyses.h"
#include "analyse/block_sizes.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "analyse/uniform_sums.h"

namespace cu2cpp {
namespace {

bool within(const clang::Stmt* s, const clang::Stmt* outer, const clang::ParentMap& parents) {
  while (s && s != outer)
    s = parents.getParent(const_cast<clang::Stmt*>(s));
  return s;
}

/// in[at], of memory that doesn't change.
struct Element {
  const clang::VarDecl* array = nullptr;
  const clang::Expr* index = nullptr;
  Sum place;
};

class NeighbourLoads {
public:
  NeighbourLoads(const PlainBody& body, unsigned rowLength)
      : body_(body), context_(body.unit.context()), rowLength_(rowLength) {}

  /// Looks at the kernel's own list of statements, or at the body of one of its loops.
  void look(const clang::CompoundStmt* list, const clang::ForStmt* loop) {
    list_ = list;
    loop_ = loop;
    edits_.clear();
    file_.clear();
    good_ = true;
    if (loop && PlainBody::continues(loop->getBody()))
      return;
    bool any = false;
    for (const clang::Stmt* s : list->body())
      if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
        any |= takeEdge(branch);
    if (!any || !good_)
      return;
    if (loop)
      loadInSteps();
    if (good_)
      body_.put(file_, edits_);
  }

private:
  const LocalVariable* fixed(const clang::VarDecl* variable) const {
    const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
    return local && !local->modified && !local->escapes && !local->pointed ? local : nullptr;
  }
  std::optional<long long> number(const clang::Expr* e) const {
    clang::Expr::EvalResult result;
    if (e->isValueDependent() || !e->EvaluateAsInt(result, context_))
      return std::nullopt;
    return result.Val.getInt().tryExtValue();
  }

  unsigned symbol(const std::string& key) {
    return symbols_.emplace(key, unsigned(symbols_.size())).first->second;
  }
  unsigned lane() { return symbol("threadIdx.x"); }

  /// An integer that all lanes of a warp compute alike but for their places in the row. A variable
  /// that the loop's head moves on stands for what it is in a step.
  std::optional<Sum> sumOf(const clang::Expr* e, unsigned depth = 0) {
    const clang::QualType type = e->getType();
    if (depth > 40 || type->isDependentType() || !type->isIntegerType())
      return std::nullopt;
    if (const auto value = number(e))
      return constantSum(*value);
    if (const auto part = asBuiltinPart(e->IgnoreParenImpCasts()))
      return symbolSum(symbol(part->name + "." + part->part));
    if (context_.getIntWidth(type) < 32)
      return std::nullopt;
    if (const auto* paren = llvm::dyn_cast<clang::ParenExpr>(e))
      return sumOf(paren->getSubExpr(), depth + 1);
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
      const bool integral =
          cast->getCastKind() == clang::CK_LValueToRValue ||
          cast->getCastKind() == clang::CK_NoOp ||
          (cast->getCastKind() == clang::CK_IntegralCast &&
           cast->getSubExpr()->getType()->isIntegerType() &&
           context_.getIntWidth(cast->getSubExpr()->getType()) <= context_.getIntWidth(type));
      return integral ? sumOf(cast->getSubExpr(), depth + 1) : std::nullopt;
    }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      const auto left = sumOf(op->getLHS(), depth + 1), right = sumOf(op->getRHS(), depth + 1);
      if (!left || !right)
        return std::nullopt;
      switch (op->getOpcode()) {
      case clang::BO_Add:
        return *left + *right;
      case clang::BO_Sub:
        return *left - *right;
      case clang::BO_Mul:
        return *left * *right;
      default:
        return std::nullopt;
      }
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    if (!variable || variable->getType()->isReferenceType() ||
        variable->getType().isVolatileQualified() || !variable->hasLocalStorage())
      return std::nullopt;
    const std::string key =
        "variable " + std::to_string(reinterpret_cast<std::uintptr_t>(variable));
    if (fixed(variable)) {
      if (const auto whole =
              variable->hasInit() ? sumOf(variable->getInit(), depth + 1) : std::nullopt)
        // What was computed before the loop doesn't move on with it.
        return namesMoving(*whole) && !within(declared(variable), loop_, body_.variables.parents())
                   ? std::nullopt
                   : whole;
      // A parameter, or what a warp has computed alike.
      return body_.variables.isUniform(e, Scope::Block) ? std::optional(symbolSum(symbol(key)))
                                                        : std::nullopt;
    }
    if (!stepOf(variable) || !variable->hasInit() || !sumOf(variable->getInit(), depth + 1))
      return std::nullopt;
    moving_[symbol(key)] = variable;
    return symbolSum(symbol(key));
  }

  bool namesMoving(const Sum& sum) const {
    return std::any_of(sum.begin(), sum.end(), [&](const auto& part) {
      return std::any_of(part.first.begin(), part.first.end(),
                         [&](unsigned factor) { return moving_.count(factor) > 0; });
    });
  }

  /// What the loop's head adds to a variable that nothing else changes.
  std::optional<Sum> stepOf(const clang::VarDecl* variable) {
    const LocalVariable* local = body_.variables.find(variable);
    if (!loop_ || !loop_->getInc() || !local || local->escapes || local->pointed ||
        local->assignments.size() != 1 || !inHead(local->assignments.front(), loop_->getInc()))
      return std::nullopt;
    const clang::Expr* change = local->assignments.front()->IgnoreParens();
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(change))
      return op->isIncrementOp() ? std::optional(constantSum(1)) : std::nullopt;
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(change);
    if (!op || op->getOpcode() != clang::BO_AddAssign || namedBy(op->getLHS()) != variable ||
        !body_.isFixed(op->getRHS()))
      return std::nullopt;
    const auto step = sumOf(op->getRHS(), 1);
    return step && slopeOf(*step) == 0 ? step : std::nullopt;
  }
  /// One of the expressions between a head's commas: each runs in every step.
  static bool inHead(const clang::Expr* change, const clang::Expr* head) {
    head = head->IgnoreParens();
    if (head == change->IgnoreParens())
      return true;
    const auto* comma = llvm::dyn_cast<clang::BinaryOperator>(head);
    return comma && comma->isCommaOp() &&
           (inHead(change, comma->getLHS()) || inHead(change, comma->getRHS()));
  }

  /// By how much a sum grows from lane to lane; none if that isn't one number.
  std::optional<long long> slopeOf(const Sum& sum) {
    long long slope = 0;
    for (const auto& [product, times] : sum)
      for (const unsigned factor : product) {
        std::optional<long long> one = 0;
        if (factor == lane())
          one = 1;
        else if (const auto found = moving_.find(factor); found != moving_.end())
          one = slopeOf(*sumOf(found->second->getInit()));
        if (!one || (*one != 0 && product.size() != 1))
          return std::nullopt;
        slope += *one * times;
      }
    return slope;
  }

  std::optional<Element> elementOf(const clang::Expr* e) {
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e->IgnoreParenImpCasts());
    const clang::VarDecl* array = element ? namedBy(element->getBase()) : nullptr;
    if (!array || !fixed(array) || !array->getType()->isPointerType() ||
        !array->getType().isRestrictQualified() || array->getType().isVolatileQualified())
      return std::nullopt;
    const clang::QualType type = array->getType()->getPointeeType();
    if (!type.isConstQualified() || type.isVolatileQualified() || type->isDependentType() ||
        !type->isArithmeticType())
      return std::nullopt;
    auto place = sumOf(element->getIdx());
    if (!place)
      return std::nullopt;
    return Element{array, element->getIdx(), std::move(*place)};
  }
  /// The element that a variable is initialised with, without any conversion.
  std::optional<Element> startOf(const clang::VarDecl* variable) {
    if (!variable->hasInit() || variable->getType()->isReferenceType() ||
        variable->getType().isVolatileQualified())
      return std::nullopt;
    auto element = elementOf(variable->getInit());
    if (!element || !sameType(variable, element->array->getType()->getPointeeType()))
      return std::nullopt;
    return element;
  }
  bool sameType(const clang::VarDecl* variable, clang::QualType type) const {
    return context_.hasSameUnqualifiedType(variable->getType(), type);
  }
  const clang::DeclStmt* declared(const clang::VarDecl* variable) const {
    const LocalVariable* local = body_.variables.find(variable);
    return local ? local->statement : nullptr;
  }
  bool standsIn(const clang::Stmt* s, const clang::CompoundStmt* list) const {
    return s && list && body_.variables.parents().getParent(s) == list;
  }
  bool before(const clang::Stmt* a, const clang::Stmt* b) const {
    return body_.unit.sources().isBeforeInTranslationUnit(a->getEndLoc(), b->getBeginLoc());
  }

  /// The element of the step that a variable is before it is changed in it: that of each step, or
  /// handed on from what the step before has loaded of this one.
  std::optional<Element> valueOf(const clang::VarDecl* variable) {
    const LocalVariable* local = body_.variables.find(variable);
    if (!local || local->escapes || local->pointed)
      return std::nullopt;
    if (!local->modified)
      return standsIn(local->statement, list_) ? startOf(variable) : std::nullopt;
    const clang::BinaryOperator* handed = handedOn(*local);
    const clang::VarDecl* next = handed ? namedBy(handed->getRHS()) : nullptr;
    if (!next || !fixed(next) || !standsIn(declared(next), list_) ||
        !sameType(variable, next->getType()) ||
        !standsIn(local->statement, llvm::dyn_cast_or_null<clang::CompoundStmt>(
                                        body_.variables.parents().getParent(loop_))) ||
        !before(local->statement, loop_))
      return std::nullopt;
    auto first = startOf(variable), second = startOf(next);
    if (!first || !second || first->array != second->array)
      return std::nullopt;
    Sum moved = first->place;
    for (const auto& [product, times] : first->place)
      for (const unsigned factor : product)
        if (const auto found = moving_.find(factor); found != moving_.end()) {
          if (product.size() != 1)
            return std::nullopt;
          moved = moved + *stepOf(found->second) * times;
        }
    return asConstant(moved - second->place) == 0 ? std::move(first) : std::nullopt;
  }
  /// `v = next;` in the body's own list, if that is all that changes v.
  const clang::BinaryOperator* handedOn(const LocalVariable& local) const {
    const auto* change = !loop_ || local.assignments.size() != 1
                             ? nullptr
                             : llvm::dyn_cast<clang::BinaryOperator>(local.assignments.front());
    if (!change || change->getOpcode() != clang::BO_Assign || !standsIn(change, list_))
      return nullptr;
    for (const clang::DeclRefExpr* use : usesOf(local.decl))
      if (!within(use, change, body_.variables.parents()) &&
          (!within(use, list_, body_.variables.parents()) || !before(use, change)))
        return nullptr;
    return change;
  }
  std::vector<const clang::DeclRefExpr*> usesOf(const clang::VarDecl* variable) const {
    const auto found = body_.contents.references.find(variable);
    return found == body_.contents.references.end() ? std::vector<const clang::DeclRefExpr*>()
                                                    : found->second;
  }

  /// `lane == 31`: the number that a lane's own is compared with.
  std::optional<long long> laneAsked(const clang::Expr* e) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plainly(e));
    if (!op || op->getOpcode() != clang::BO_EQ)
      return std::nullopt;
    const auto asked = number(op->getRHS());
    return asked && isLane(op->getLHS()) ? asked : std::nullopt;
  }
  bool isLane(const clang::Expr* e, unsigned depth = 0) {
    e = plainly(e);
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      const bool remainder = (op->getOpcode() == clang::BO_And && number(op->getRHS()) == 31) ||
                             (op->getOpcode() == clang::BO_Rem && number(op->getRHS()) == 32);
      return remainder && isPart(plainly(op->getLHS()), Builtin::ThreadIdx);
    }
    if (isPart(e, Builtin::ThreadIdx))
      return rowLength_ == 32;
    const clang::VarDecl* variable = namedBy(e);
    return variable && depth < 8 && fixed(variable) && variable->hasInit() &&
           variable->getType()->isIntegerType() &&
           context_.getIntWidth(variable->getType()) >= 32 &&
           isLane(variable->getInit(), depth + 1);
  }

  /// `__shfl_down_sync(~0u, v, d)` is d, by up -d; 0 if it is another call.
  long long distanceOf(const clang::CallExpr* call, const clang::VarDecl*& given) const {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getDeclName().isIdentifier() || call->getNumArgs() < 3 ||
        !body_.unit.sources().isInSystemHeader(callee->getLocation()))
      return 0;
    const bool down = callee->getName() == "__shfl_down_sync";
    if (!down && callee->getName() != "__shfl_up_sync")
      return 0;
    if (call->getNumArgs() > 3 && !llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(3)) &&
        number(call->getArg(3)) != 32)
      return 0;
    const auto mask = number(call->getArg(0)), distance = number(call->getArg(2));
    given = namedBy(call->getArg(1));
    if (!mask || unsigned(*mask) != ~0u || distance != 1 || !given ||
        !context_.hasSameUnqualifiedType(given->getType(), callee->getReturnType()))
      return 0;
    return down ? 1 : -1;
  }

  /// The lane at a warp's edge loads what no lane hands it.
  bool takeEdge(const clang::IfStmt* edge) {
    if (edge->getElse() || edge->getInit() || edge->getConditionVariable() || edge->isConstexpr() ||
        !body_.isSpelled(edge))
      return false;
    const clang::Expr* live = nullptr;
    auto asked = laneAsked(edge->getCond());
    if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(plainly(edge->getCond()));
        both && both->getOpcode() == clang::BO_LAnd) {
      asked = laneAsked(both->getLHS());
      live = both->getRHS();
      if (!asked) {
        asked = laneAsked(both->getRHS());
        live = both->getLHS();
      }
    }
    if (!asked || (*asked != 0 && *asked != 31))
      return false;
    std::vector<const clang::Stmt*> loads = {edge->getThen()};
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(edge->getThen()))
      loads.assign(list->body_begin(), list->body_end());

    const clang::CompoundStmt* users = nullptr;
    std::string there;
    std::set<const clang::DeclStmt*> declarations;
    for (const clang::Stmt* s : loads) {
      const auto* load = llvm::dyn_cast<clang::BinaryOperator>(s);
      const clang::VarDecl* to =
          load && load->getOpcode() == clang::BO_Assign ? namedBy(load->getLHS()) : nullptr;
      const LocalVariable* local = to ? body_.variables.find(to) : nullptr;
      if (!local || local->escapes || local->pointed || local->assignments.size() != 1 ||
          !local->statement || !local->statement->isSingleDecl() || !body_.placesOf(to) ||
          !standsIn(local->statement, list_) || !before(local->statement, edge) ||
          !body_.isSpelled(local->statement) || !to->hasInit() || to->hasAttrs() ||
          declarations.count(local->statement))
        return false;
      const auto* call = llvm::dyn_cast<clang::CallExpr>(plainly(to->getInit()));
      const clang::VarDecl* given = nullptr;
      const long long distance = call ? distanceOf(call, given) : 0;
      if (distance == 0 || *asked != (distance > 0 ? 31 : 0) || !sameType(to, given->getType()))
        return false;
      const auto own = valueOf(given), other = elementOf(load->getRHS());
      if (!own || !other || own->array != other->array || slopeOf(own->place) != 1 ||
          asConstant(other->place - own->place) != distance ||
          !sameType(to, own->array->getType()->getPointeeType()) || !before(declared(given), call))
        return false;
      // What has been handed on is the next step's.
      const LocalVariable* from = body_.variables.find(given);
      if (from->modified && !before(call, from->assignments.front()))
        return false;
      for (const clang::DeclRefExpr* use : usesOf(to)) {
        if (within(use, edge, body_.variables.parents()))
          continue;
        if (!before(edge, use))
          return false;
        if (live && !findUsers(use, live, users))
          return false;
      }
      const std::string element = body_.text.text(load->getRHS()->getSourceRange());
      const std::string declaration =
          "const " + to->getType().getUnqualifiedType().getAsString(context_.getPrintingPolicy()) +
          " " + to->getNameAsString() + " = " + element + ";";
      const auto line = onOneLine(declaration);
      if (!line)
        return false;
      declarations.insert(local->statement);
      there += " " + *line;
    }
    if (declarations.empty() || (live && !users))
      return false;
    if (users)
      insert(users, there);
    for (const clang::DeclStmt* statement : declarations)
      replace(statement, "");
    // (Without braces a semicolon stands behind it.)
    replace(edge, users ? ";" : there);
    return true;
  }
  /// The branch `if (live) { ... }` of the list in which something stands: one for all.
  bool findUsers(const clang::Stmt* use, const clang::Expr* live,
                 const clang::CompoundStmt*& users) const {
    const clang::ParentMap& parents = body_.variables.parents();
    const clang::Stmt* at = use;
    while (at && parents.getParent(at) != list_)
      at = parents.getParent(at);
    const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(at);
    if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
        branch->isConstexpr() || !body_.isFixed(live) || !body_.isFixed(branch->getCond()) ||
        !within(use, branch->getThen(), parents) || !body_.isSpelled(live) ||
        !body_.isSpelled(branch->getCond()) ||
        body_.text.text(live->getSourceRange()) !=
            body_.text.text(branch->getCond()->getSourceRange()))
      return false;
    const auto* then = llvm::dyn_cast<clang::CompoundStmt>(branch->getThen());
    if (!then || (users && users != then) || then->getLBracLoc().isMacroID())
      return false;
    users = then;
    return true;
  }

  /// What the loop's steps hand on is loaded in each of them.
  void loadInSteps() {
    std::set<const clang::DeclStmt*> seen;
    for (const auto& [variable, local] : body_.variables.variables()) {
      if (!local.statement || !local.modified || !seen.insert(local.statement).second ||
          !body_.isSpelled(local.statement))
        continue;
      std::string text;
      std::vector<const clang::Stmt*> handed;
      bool all = !hidesNames(local.statement);
      if (!all)
        continue;
      for (const clang::Decl* decl : local.statement->decls()) {
        const auto* v = llvm::dyn_cast<clang::VarDecl>(decl);
        const auto element = v && !v->hasAttrs() && body_.placesOf(v) ? valueOf(v) : std::nullopt;
        if (!(all = element && body_.variables.find(v)->modified))
          break;
        const auto line = onOneLine(
            " const " +
            v->getType().getUnqualifiedType().getAsString(context_.getPrintingPolicy()) + " " +
            v->getNameAsString() + " = " + body_.text.text(v->getInit()->getSourceRange()) + ";");
        handed.push_back(body_.variables.find(v)->assignments.front());
        if (!(all = line && body_.isSpelled(handed.back())))
          break;
        text += *line;
      }
      if (!all)
        continue;
      replace(local.statement, ";");
      for (const clang::Stmt* s : handed)
        replace(s, "");
      insert(list_, text);
    }
  }

  /// Whether the loop's head declares a name that means something else in front of it.
  bool hidesNames(const clang::DeclStmt* s) const {
    const auto* head = llvm::dyn_cast_or_null<clang::DeclStmt>(loop_->getInit());
    for (const auto& [variable, uses] : body_.contents.references)
      for (const clang::DeclRefExpr* use : uses)
        if (head && within(use, s, body_.variables.parents()))
          for (const clang::Decl* decl : head->decls())
            if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl);
                !named || named->getNameAsString() == variable->getNameAsString())
              return true;
    return false;
  }

  void replace(const clang::Stmt* s, const std::string& text) {
    const auto range = body_.text.rangeOf(s->getSourceRange());
    if (!range || !take(range->file)) {
      good_ = false;
      return;
    }
    good_ &= edits_
                 .emplace(range->begin,
                          std::pair(range->end, withLinesOf(body_.text.text(*range), text)))
                 .second;
  }
  void insert(const clang::CompoundStmt* list, const std::string& text) {
    const auto at = body_.text.endOf(list->getLBracLoc());
    if (!at || list->getLBracLoc().isMacroID() || !take(at->file)) {
      good_ = false;
      return;
    }
    auto& edit = edits_[at->offset];
    good_ &= edit.second.empty() || edit.first == at->offset;
    edit = {at->offset, edit.second + text};
  }
  bool take(const std::string& file) {
    if (file_.empty())
      file_ = file;
    return good_ &= file_ == file;
  }

  const PlainBody& body_;
  const clang::ASTContext& context_;
  unsigned rowLength_;
  const clang::CompoundStmt* list_ = nullptr;
  const clang::ForStmt* loop_ = nullptr;
  std::map<std::string, unsigned> symbols_;
  std::map<unsigned, const clang::VarDecl*> moving_;
  std::map<unsigned, std::pair<unsigned, std::string>> edits_;
  std::string file_;
  bool good_ = true;
};

bool shufflesNeighbours(const PlainBody& body) {
  return std::any_of(body.contents.calls.begin(), body.contents.calls.end(), [](const auto* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return callee && callee->getDeclName().isIdentifier() &&
           (callee->getName() == "__shfl_down_sync" || callee->getName() == "__shfl_up_sync");
  });
}

} // namespace

void loadNeighbours(const PlainBody& body, const FunctionFacts& function) {
  if (!shufflesNeighbours(body))
    return;
  Facts launched;
  findFunctions(body.unit, launched);
  findLaunches(body.unit, launched);
  const FunctionFacts* same = launched.find(function.decl);
  if (!same)
    return;
  const unsigned row = findBlockSize(body.unit, launched, *same).value_or(BlockSize{}).x;
  const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(body.function->getBody());
  if (!list || row % 32 != 0 || body.function->isTemplated() ||
      !sizeHint(body.unit, launched, *same).certain)
    return;
  const std::size_t before = body.changeCount();
  NeighbourLoads(body, row).look(list, nullptr);
  for (const clang::Stmt* s : list->body()) {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    const auto* steps = loop ? llvm::dyn_cast<clang::CompoundStmt>(loop->getBody()) : nullptr;
    if (steps && body.changeCount() == before)
      NeighbourLoads(body, row).look(steps, loop);
  }
}

} // namespace cu2cpp
