// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march through a volume with a shared tile of the current plane and the planes around
// it in registers save a GPU's memory. Here the array itself is in the caches, and the tile and
// what threads keep take longer than the stencil. For compilers only, such a kernel reads the
// array:
//
//   for (int z = 1; z < nz - 1; ++z) {
//     below = here; here = above; above = in[at + plane];
//     __syncthreads();                                      for (int z = 1; z < nz - 1; ++z) {
//     tile[ty][tx] = here;                                    if (x < nx - 1 && y < ny - 1)
//     if (threadIdx.x == 0) tile[ty][0] = in[at - 1];   ->      out[at] = in[z * plane + ...] +
//     ...;
//     __syncthreads();                                        at += plane;
//     if (x < nx - 1 && y < ny - 1)                         }
//       out[at] = here + below + tile[ty][tx - 1] + ...;
//     at += plane;
//   }
//
// What a thread keeps is, by induction over the steps, an element of one array at a place that is a
// sum (uniform_sums.h) of the step and the thread's place; where conditions decide whether it was
// loaded, what reads it must stand under conditions that say so. Of a tile, each element that is
// written must come from the place that one sum of the element's indices tells. An element that is
// read and was never written has no value that a program may rely on, so where it is read the array
// was read, too. Nothing may be stored to that array meanwhile.
#include <algorithm>
#include <set>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/plain_body.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "analyse/uniform_sums.h"

namespace cu2cpp {
namespace {

using Needs = std::vector<Sum>; ///< sums that are not negative

/// in[at], where all needs hold; nothing is known if there is no array.
struct Value {
  const clang::ParmVarDecl* array = nullptr;
  Sum at;
  Needs needs;
};
/// a[j] is array[first.at + j * each], but for one element.
struct Row {
  Value first;
  Sum each;
  std::optional<Sum> hole;
};
struct Write {
  std::vector<Sum> element;
  Value value;
};
struct Tile {
  std::vector<Write> writes;
  bool ready = false; ///< behind a barrier
  bool read = false;  ///< in this step
};
/// What is loaded or stored beside.
struct Access {
  const clang::ParmVarDecl* array = nullptr;
  std::optional<Sum> at;
  bool loads = false, stores = false;
  unsigned phase = 0; ///< before the loop, in it, behind it
};
/// What is known where a statement stands.
struct State {
  std::map<const clang::VarDecl*, Sum> integers;
  std::map<const clang::VarDecl*, Value> values;
  std::map<const clang::VarDecl*, Row> rows;
  std::map<const clang::VarDecl*, Tile> tiles;
};

const clang::Expr* plainly(const clang::Expr* e) { return e->IgnoreParenImpCasts(); }

bool isBarrier(const clang::Stmt* s) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
  return call && call->getDirectCallee() && call->getDirectCallee()->getName() == "__syncthreads";
}

/// tile[a][b]
struct Element {
  const clang::VarDecl* array = nullptr;
  std::vector<const clang::Expr*> indices;
};
Element elementOf(const clang::Expr* e) {
  Element out;
  e = plainly(e);
  while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    out.indices.insert(out.indices.begin(), at->getIdx());
    e = plainly(at->getBase());
  }
  out.array = namedBy(e);
  return out;
}

/// What code names, changes and calls.
class Named : public SyntaxVisitor {
public:
  explicit Named(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  std::set<const clang::VarDecl*> variables;
  std::vector<const clang::Expr*> changed;
  std::vector<const clang::CallExpr*> calls;
  bool odd = false, returns = false;

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
      variables.insert(variable);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp())
      changed.push_back(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      changed.push_back(op->getSubExpr());
    odd |= op->getOpcode() == clang::UO_AddrOf;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    calls.push_back(call);
    return true;
  }
  bool VisitStmt(clang::Stmt* s) override {
    returns |= llvm::isa<clang::ReturnStmt>(s);
    odd |=
        llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::LambdaExpr, clang::LabelStmt,
                  clang::GotoStmt, clang::AsmStmt, clang::WhileStmt, clang::DoStmt,
                  clang::SwitchStmt, clang::CXXForRangeStmt, clang::StmtExpr, clang::CXXThisExpr>(
            s);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    odd |= variable->getType()->isReferenceType() || variable->isStaticLocal();
    return true;
  }
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr* cast) override {
    // What may be stored to behind a pointer that says it is not.
    const clang::QualType to = cast->getType(), from = cast->getSubExpr()->getType();
    odd |= to->isPointerType() && !to->getPointeeType().isConstQualified() &&
           (!from->isPointerType() || from->getPointeeType().isConstQualified());
    return true;
  }
};

class March {
public:
  March(const PlainBody& body, const FunctionFacts& facts, bool expand)
      : body_(body), facts_(facts), expand_(expand) {}

  bool run() {
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body_.function->getBody());
    if (!list || !findLoop(list) || Named(list).odd || !findTiles())
      return false;
    findKept(list);
    // What does not keep to the rules is kept as it is, and read as any variable.
    for (unsigned round = 0; round < mostRounds; ++round) {
      again_ = false;
      edits_.clear();
      accesses_.clear();
      if (pass(list))
        return write();
      if (!again_)
        return false;
    }
    return false;
  }

private:
  static constexpr unsigned mostRounds = 40;

  // --- what there is

  bool findLoop(const clang::CompoundStmt* list) {
    for (const clang::Stmt* s : list->body()) {
      Named named(s);
      if (std::none_of(named.calls.begin(), named.calls.end(),
                       [](const clang::CallExpr* call) { return isBarrier(call); }))
        continue;
      const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
      if (!loop || loop_)
        return false;
      loop_ = loop;
    }
    body_list_ = loop_ ? llvm::dyn_cast<clang::CompoundStmt>(loop_->getBody()) : nullptr;
    if (!body_list_ || loop_->getBeginLoc().isMacroID())
      return false;
    const auto head = countingLoop(loop_, true);
    if (!head || !head->from || !head->to)
      return false;
    counter_ = head->counter;
    from_ = head->from;
    to_ = head->to;
    upTo_ = head->includesEnd;
    const LocalVariable* local = body_.variables.find(counter_);
    const Named inside(body_list_);
    return local && local->integer && !local->escapes &&
           std::none_of(inside.changed.begin(), inside.changed.end(),
                        [&](const clang::Expr* e) { return namedBy(e) == counter_; });
  }

  bool findTiles() {
    for (const clang::DeclStmt* s : body_.contents.declarations)
      for (const clang::Decl* decl : s->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        if (!variable || !isShared(variable))
          continue;
        clang::QualType type = variable->getType();
        while (const clang::ArrayType* array = type->getAsArrayTypeUnsafe()) {
          if (!llvm::isa<clang::ConstantArrayType, clang::DependentSizedArrayType>(array))
            return false;
          type = array->getElementType();
        }
        if (type == variable->getType() || !isNumber(type) || type.isVolatileQualified() ||
            variable->getLocation().isMacroID() || !isTop(s) || body_.mayBeHidden(variable))
          return false;
        tiles_.insert(variable);
      }
    return !tiles_.empty();
  }
  bool isTop(const clang::Stmt* s) const {
    return body_.variables.parents().getParent(s) == body_.function->getBody();
  }

  /// Numbers, also of a template's type.
  static bool isNumber(clang::QualType type) {
    return type->isArithmeticType() || type->isTemplateTypeParmType();
  }
  /// Numbers, and arrays of such, that lie in the kernel's list or in the loop's.
  void findKept(const clang::CompoundStmt*) {
    for (const clang::DeclStmt* s : body_.contents.declarations)
      for (const clang::Decl* decl : s->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        const clang::Stmt* around = body_.variables.parents().getParent(s);
        if (!variable || !variable->hasLocalStorage() || isShared(variable) ||
            (around != body_.function->getBody() && around != body_list_) ||
            body_.mayBeHidden(variable))
          continue;
        clang::QualType type = variable->getType();
        if (const clang::ArrayType* array = type->getAsArrayTypeUnsafe();
            array && llvm::isa<clang::ConstantArrayType, clang::DependentSizedArrayType>(array))
          type = array->getElementType();
        if (isNumber(type) && !type->isIntegerType() && !type.isVolatileQualified())
          kept_.insert(variable);
      }
  }

  // --- integers as sums

  Sum gridSum(const std::string& text, clang::QualType type, const clang::VarDecl* variable,
              bool never = false) {
    Symbol symbol;
    symbol.text = textOf(text, type);
    symbol.ofGrid = true;
    symbol.mayBeNegative = !never;
    const unsigned number = symbols_.add(text, symbol);
    if (variable)
      variables_[number] = variable;
    return symbolSum(number);
  }
  /// Sums of integers without a sign would wrap around below 0.
  static std::string textOf(const std::string& name, clang::QualType type) {
    return type->isSignedIntegerType() ? name : "(long long)" + name;
  }
  Sum builtinSum(Builtin of, const std::string& name, const std::string& part) {
    Symbol symbol;
    symbol.text = name + "." + part;
    symbol.ofGrid = of != ThreadIdx;
    symbol.atom = of == ThreadIdx;
    if (symbol.atom)
      symbol.bounds = {{}, builtinSum(BlockDim, "blockDim", part) + constantSum(-1)};
    return symbolSum(symbols_.add(symbol.text, symbol));
  }
  /// A template's parameter; never negative if it is not in any instance.
  Sum parameterSum(const clang::NonTypeTemplateParmDecl* parameter) {
    bool never = false;
    for (const clang::FunctionDecl* instance : facts_.bodies) {
      const auto* given = instance->getTemplateSpecializationArgs();
      if (!given)
        continue;
      const bool known =
          parameter->getIndex() < given->size() &&
          given->get(parameter->getIndex()).getKind() == clang::TemplateArgument::Integral &&
          given->get(parameter->getIndex()).getAsIntegral().isNonNegative();
      never = known;
      if (!known)
        break;
    }
    return gridSum(parameter->getNameAsString(), parameter->getType(), nullptr, never);
  }

  /// `-1`, made a number without a sign.
  static bool wrapsAround(const llvm::APSInt& value) {
    return value.isUnsigned() && value.isSignBitSet();
  }
  std::optional<Sum> sumOf(const clang::Expr* e, const State& state, unsigned depth = 0) {
    constexpr unsigned deepest = 24;
    if (depth > deepest)
      return std::nullopt;
    e = e->IgnoreParens();
    if (!e->isValueDependent()) {
      clang::Expr::EvalResult value;
      if (!e->getType()->isIntegerType() || e->getType()->isBooleanType())
        return std::nullopt;
      const bool constant = e->EvaluateAsInt(value, body_.unit.context());
      if (constant && wrapsAround(value.Val.getInt()))
        return std::nullopt;
      if (constant && value.Val.getInt().getSignificantBits() <= 62)
        return constantSum(value.Val.getInt().getExtValue());
    }
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
      const clang::QualType from = cast->getSubExpr()->getType(), to = cast->getType();
      if (from->isDependentType() || to->isDependentType() || !from->isIntegerType() ||
          from->isBooleanType() || !to->isIntegerType() || to->isBooleanType() ||
          body_.unit.context().getTypeSize(to) < 32)
        return std::nullopt;
      return sumOf(cast->getSubExpr(), state, depth + 1);
    }
    for (const auto& [builtin, name] : {std::pair(ThreadIdx, "threadIdx"),
                                        {BlockIdx, "blockIdx"},
                                        {BlockDim, "blockDim"},
                                        {GridDim, "gridDim"}})
      for (const char* part : {"x", "y", "z"})
        if (isPart(e, builtin, part))
          return builtinSum(builtin, name, part);
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      if (const auto* given = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(use->getDecl()))
        return parameterSum(given);
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      if (const auto known = state.integers.find(variable); known != state.integers.end())
        return known->second;
      const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable);
      const LocalVariable* local = parameter ? body_.variables.find(parameter) : nullptr;
      if (!parameter || parameter->getType()->isReferenceType() ||
          (local && (local->modified || local->escapes)))
        return std::nullopt;
      return gridSum(parameter->getNameAsString(), parameter->getType(), parameter);
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      const auto* of = llvm::dyn_cast_or_null<clang::ParmVarDecl>(namedBy(member->getBase()));
      const LocalVariable* local = of ? body_.variables.find(of) : nullptr;
      if (!of || member->isArrow() || of->getType()->isReferenceType() ||
          (local && (local->modified || local->escapes)))
        return std::nullopt;
      return gridSum(of->getNameAsString() + "." + member->getMemberDecl()->getNameAsString(),
                     member->getType(), of);
    }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      const auto left = sumOf(op->getLHS(), state, depth + 1);
      const auto right = left ? sumOf(op->getRHS(), state, depth + 1) : std::nullopt;
      if (!right)
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
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
        op && op->getOpcode() == clang::UO_Minus) {
      const auto value = sumOf(op->getSubExpr(), state, depth + 1);
      return value ? std::optional(*value * -1) : std::nullopt;
    }
    return std::nullopt;
  }

  /// Declares an integer that nothing changes; a value of the block's keeps its name.
  void declareInteger(const clang::VarDecl* variable, State& state, bool top) {
    const LocalVariable* local = body_.variables.find(variable);
    if (!local || !local->integer || local->escapes || !variable->hasInit() ||
        body_.unit.context().getTypeSize(variable->getType()) < 32)
      return;
    const bool ofBlock = top && !local->modified && body_.variables.isUniform(variable->getInit());
    clang::Expr::EvalResult value;
    const bool constant = !variable->getInit()->isValueDependent() &&
                          variable->getInit()->EvaluateAsInt(value, body_.unit.context());
    const auto sum = sumOf(variable->getInit(), state);
    const bool asksBlock =
        sum && std::any_of(sum->begin(), sum->end(), [&](const auto& term) {
          return std::any_of(term.first.begin(), term.first.end(), [&](unsigned s) {
            return llvm::StringRef(symbols_[s].text).starts_with("blockIdx.");
          });
        });
    if (ofBlock && !constant && !expand_ && !asksBlock)
      state.integers[variable] =
          gridSum(variable->getNameAsString(), variable->getType(), variable);
    else if (sum)
      state.integers[variable] = *sum;
    else if (ofBlock)
      state.integers[variable] =
          gridSum(variable->getNameAsString(), variable->getType(), variable);
  }

  // --- conditions

  /// What a condition says where it holds (or fails), as sums that are not negative. False if it
  /// says something else.
  bool read(const clang::Expr* e, bool holds, const State& state, Needs& out, unsigned depth = 0) {
    e = plainly(e);
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* flag = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      const LocalVariable* local = flag ? body_.variables.find(flag) : nullptr;
      if (!local || !flag->getType()->isBooleanType() || !flag->hasLocalStorage() ||
          llvm::isa<clang::ParmVarDecl>(flag) || !flag->hasInit() || local->modified ||
          local->escapes || depth > 8 || !isFixed(flag->getInit()))
        return false;
      return read(flag->getInit(), holds, state, out, depth + 1);
    }
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return op->getOpcode() == clang::UO_LNot &&
             read(op->getSubExpr(), !holds, state, out, depth + 1);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op)
      return false;
    if (op->isLogicalOp())
      return (op->getOpcode() == clang::BO_LAnd) == holds &&
             read(op->getLHS(), holds, state, out, depth + 1) &&
             read(op->getRHS(), holds, state, out, depth + 1);
    if (!op->isComparisonOp())
      return false;
    const auto left = sumOf(op->getLHS(), state), right = left ? sumOf(op->getRHS(), state) : left;
    if (!left || !right)
      return false;
    // Without a sign `x - 1 < n` says something else for x = 0.
    const auto subtracts = [](const Sum& sum) {
      return std::any_of(sum.begin(), sum.end(), [](const auto& term) { return term.second < 0; });
    };
    if ((!op->getLHS()->getType()->isSignedIntegerType() ||
         !op->getRHS()->getType()->isSignedIntegerType()) &&
        (subtracts(*left) || subtracts(*right)))
      return false;
    const Sum one = constantSum(1);
    const clang::BinaryOperatorKind asked =
        holds ? op->getOpcode() : clang::BinaryOperator::negateComparisonOp(op->getOpcode());
    // Nor is what lies below 0 less: only sizes are taken for what does not.
    const Sum& greater = asked == clang::BO_LT || asked == clang::BO_LE ? *right : *left;
    if ((!op->getLHS()->getType()->isSignedIntegerType() ||
         !op->getRHS()->getType()->isSignedIntegerType()) &&
        symbols_.hasAtoms(greater) && !neverNegative(greater) && asked != clang::BO_EQ)
      return false;
    switch (asked) {
    case clang::BO_LT:
      out.push_back(*right - *left - one);
      return true;
    case clang::BO_LE:
      out.push_back(*right - *left);
      return true;
    case clang::BO_GT:
      out.push_back(*left - *right - one);
      return true;
    case clang::BO_GE:
      out.push_back(*left - *right);
      return true;
    case clang::BO_EQ:
      out.push_back(*left - *right);
      out.push_back(*right - *left);
      return true;
    default:
      return false;
    }
  }
  /// Whether a flag's value is made of what never changes.
  bool isFixed(const clang::Expr* e) const {
    const Named named(e);
    return named.calls.empty() && named.changed.empty() &&
           std::all_of(named.variables.begin(), named.variables.end(),
                       [&](const clang::VarDecl* variable) {
                         const LocalVariable* local = body_.variables.find(variable);
                         return !local || (!local->modified && !local->escapes);
                       });
  }
  /// What of a condition is known where it holds; the rest is passed over.
  void learn(const clang::Expr* e, bool holds, const State& state, Needs& out) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plainly(e));
    if (op && op->isLogicalOp() && (op->getOpcode() == clang::BO_LAnd) == holds) {
      learn(op->getLHS(), holds, state, out);
      learn(op->getRHS(), holds, state, out);
      return;
    }
    if (const clang::VarDecl* flag = namedBy(e); flag && flag->hasInit()) {
      const LocalVariable* local = body_.variables.find(flag);
      if (local && !local->modified && !local->escapes && flag->getType()->isBooleanType() &&
          isFixed(flag->getInit()))
        return learn(flag->getInit(), holds, state, out);
    }
    Needs own;
    if (read(e, holds, state, own))
      out.insert(out.end(), own.begin(), own.end());
  }

  bool neverNegative(const Sum& sum) const {
    std::vector<Sum> asked;
    const auto least = symbols_.extreme(sum, false, {}, asked);
    return least && asked.empty() && symbols_.isNeverNegative(*least);
  }
  bool follows(const Sum& need, const Needs& known) const {
    return neverNegative(need) || std::any_of(known.begin(), known.end(), [&](const Sum& other) {
             return neverNegative(need - other);
           });
  }
  bool follows(const Needs& needs, const Needs& known) const {
    return std::all_of(needs.begin(), needs.end(),
                       [&](const Sum& need) { return follows(need, known); });
  }
  void add(Needs& needs, const Needs& more) const {
    for (const Sum& need : more)
      if (!follows(need, needs))
        needs.push_back(need);
  }

  // --- what is loaded and kept

  std::optional<Value> pointed(const clang::Expr* e, const State& state, unsigned depth = 0) {
    e = plainly(e);
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
        op && op->getOpcode() == clang::BO_Add && op->getLHS()->getType()->isPointerType()) {
      auto base = pointed(op->getLHS(), state, depth);
      const auto index = base ? sumOf(op->getRHS(), state) : std::nullopt;
      if (!index)
        return std::nullopt;
      base->at = base->at + *index;
      narrow_ &= op->getRHS()->getType()->isSignedIntegerType() &&
                 body_.unit.context().getTypeSize(op->getRHS()->getType()) <= 32;
      return base;
    }
    const clang::VarDecl* variable = namedBy(e);
    const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
    if (!variable || !variable->getType()->isPointerType() || depth > 4 ||
        (local && (local->modified || local->escapes)))
      return std::nullopt;
    if (const auto* given = llvm::dyn_cast<clang::ParmVarDecl>(variable))
      return Value{given, {}, {}};
    return variable->hasLocalStorage() && variable->hasInit() && isFixed(variable->getInit())
               ? pointed(variable->getInit(), state, depth + 1)
               : std::nullopt;
  }

  /// `0.0f`, `T(0)`
  static bool isLiteral(const clang::Expr* e) {
    e = plainly(e);
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e))
      return isLiteral(cast->getSubExpr());
    if (const auto* made = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(e))
      return made->getNumArgs() <= 1 && (made->getNumArgs() == 0 || isLiteral(made->getArg(0)));
    return llvm::isa<clang::FloatingLiteral, clang::IntegerLiteral, clang::CXXScalarValueInitExpr>(
        e);
  }
  /// The value of an expression that only loads or copies. None if it does anything else.
  std::optional<Value> valueOf(const clang::Expr* e, const State& state) {
    e = plainly(e);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
      for (const bool holds : {true, false}) {
        Needs needs;
        if (!isLiteral(holds ? choice->getFalseExpr() : choice->getTrueExpr()) ||
            !read(choice->getCond(), holds, state, needs))
          continue;
        auto value = valueOf(holds ? choice->getTrueExpr() : choice->getFalseExpr(), state);
        if (value)
          add(value->needs, needs);
        return value;
      }
      return std::nullopt;
    }
    if (isLiteral(e))
      return Value{};
    if (const clang::VarDecl* variable = namedBy(e)) {
      if (!kept_.count(variable))
        return std::nullopt;
      const auto known = state.values.find(variable);
      return known == state.values.end() ? Value{} : known->second;
    }
    const Element element = elementOf(e);
    if (element.array && kept_.count(element.array) && element.indices.size() == 1) {
      const auto row = state.rows.find(element.array);
      const auto index = sumOf(element.indices[0], state);
      if (row == state.rows.end() || !index)
        return Value{};
      return elementIn(row->second, *index);
    }
    const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e);
    if (!at)
      return std::nullopt;
    auto base = pointed(at->getBase(), state);
    const auto index = base ? sumOf(at->getIdx(), state) : std::nullopt;
    if (!index)
      return std::nullopt;
    base->at = base->at + *index;
    narrow_ &= at->getIdx()->getType()->isSignedIntegerType() &&
               body_.unit.context().getTypeSize(at->getIdx()->getType()) <= 32;
    return base;
  }
  Value elementIn(const Row& row, const Sum& index) const {
    if (!row.first.array)
      return {};
    if (row.hole) {
      const Sum apart = index - *row.hole;
      if (!neverNegative(apart - constantSum(1)) && !neverNegative(constantSum(-1) - apart))
        return {};
    }
    return {row.first.array, row.first.at + row.each * index, row.first.needs};
  }

  /// `const int gy = y0 + j;`
  bool isPlace(const clang::VarDecl* variable) const {
    const LocalVariable* local = body_.variables.find(variable);
    return local && local->integer && !local->modified && !local->escapes && variable->hasInit() &&
           Named(variable->getInit()).calls.empty() && Named(variable->getInit()).changed.empty();
  }
  /// Whether a statement only keeps values or fills tiles.
  bool isCopy(const clang::Stmt* s, bool nested = false) const {
    if (llvm::isa<clang::NullStmt>(s))
      return true;
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return !list->body_empty() &&
             std::all_of(list->body_begin(), list->body_end(),
                         [&](const clang::Stmt* part) { return isCopy(part, true); });
    if (const auto* hinted = llvm::dyn_cast<clang::AttributedStmt>(s))
      return isCopy(hinted->getSubStmt(), nested);
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return !branch->getInit() && !branch->getConditionVariable() &&
             isCopy(branch->getThen(), true) &&
             (!branch->getElse() || isCopy(branch->getElse(), true));
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
      return isCopy(loop->getBody(), true);
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
      return std::all_of(declared->decl_begin(), declared->decl_end(), [&](const clang::Decl* d) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(d);
        return variable &&
               (tiles_.count(variable) || kept_.count(variable) || (nested && isPlace(variable)));
      });
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    const auto* op = e ? llvm::dyn_cast<clang::BinaryOperator>(plainly(e)) : nullptr;
    if (!op || op->getOpcode() != clang::BO_Assign)
      return false;
    const clang::VarDecl* to = elementOf(op->getLHS()).array;
    return to && (tiles_.count(to) || kept_.count(to));
  }

  /// Notes what a copy does; false if a variable is none that is kept by the rules.
  bool copy(const clang::Stmt* s, State& state, const Needs& conditions, bool inLoop) {
    if (llvm::isa<clang::NullStmt>(s))
      return true;
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return std::all_of(list->body_begin(), list->body_end(), [&](const clang::Stmt* part) {
        return copy(part, state, conditions, inLoop);
      });
    if (const auto* hinted = llvm::dyn_cast<clang::AttributedStmt>(s))
      return copy(hinted->getSubStmt(), state, conditions, inLoop);
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
      const Named named(branch->getCond());
      if (!named.changed.empty() || !named.calls.empty())
        return false;
      Needs here = conditions, other = conditions;
      const bool known = read(branch->getCond(), true, state, here);
      const bool knownElse = branch->getElse() && read(branch->getCond(), false, state, other);
      // Elements are filled in each step, or in none.
      if (fillsTile(branch) && !isSteady(branch->getCond()))
        return false;
      const auto before = equal_;
      noteEqual(branch->getCond(), state);
      const bool good = copy(branch->getThen(), state, here, inLoop);
      equal_ = before;
      if (!good)
        return false;
      if (!known)
        forget(branch->getThen(), state);
      if (!branch->getElse())
        return true;
      forget(branch->getThen(), state);
      if (!copy(branch->getElse(), state, other, inLoop))
        return false;
      if (!knownElse)
        forget(branch->getElse(), state);
      return true;
    }
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
      return fillsTile(loop) ? fillAll(loop, state, inLoop) : copyRow(loop, state, conditions);
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s)) {
      for (const clang::Decl* decl : declared->decls()) {
        const auto* variable = llvm::cast<clang::VarDecl>(decl);
        if (tiles_.count(variable))
          continue;
        if (!kept_.count(variable)) {
          declareInteger(variable, state, false);
          continue;
        }
        if (variable->getType()->isArrayType()) {
          if (variable->hasInit())
            return drop(variable);
          continue;
        }
        if (variable->hasInit() && !keep(variable, variable->getInit(), state, conditions))
          return drop(variable);
      }
      return true;
    }
    const auto* op = llvm::cast<clang::BinaryOperator>(plainly(llvm::cast<clang::Expr>(s)));
    if (const clang::VarDecl* variable = namedBy(op->getLHS()))
      return keep(variable, op->getRHS(), state, conditions) || drop(variable);
    const Element element = elementOf(op->getLHS());
    if (tiles_.count(element.array))
      return inLoop && fill(op, element, state);
    return keepElement(op, element, state, conditions) || drop(element.array);
  }
  /// `threadIdx.x == 0 && ...`: what an atom is then.
  void noteEqual(const clang::Expr* e, const State& state) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plainly(e));
    if (!op)
      return;
    if (op->getOpcode() == clang::BO_LAnd) {
      noteEqual(op->getLHS(), state);
      noteEqual(op->getRHS(), state);
    }
    if (op->getOpcode() != clang::BO_EQ)
      return;
    const auto left = sumOf(op->getLHS(), state), right = left ? sumOf(op->getRHS(), state) : left;
    if (!left || !right)
      return;
    const Sum apart = *left - *right;
    const auto atoms = symbols_.atomsOf(apart);
    const auto factor =
        atoms.size() == 1 ? symbols_.factorOf(apart, atoms[0]) : std::optional<Sum>();
    if (factor && asConstant(*factor) == 1)
      equal_[atoms[0]] = symbolSum(atoms[0]) - apart;
    else if (factor && asConstant(*factor) == -1)
      equal_[atoms[0]] = symbolSum(atoms[0]) + apart;
  }
  /// An index without a thread's place, of a thread that is known: `tile[ty][0]` where
  /// `threadIdx.x == 0` is `tile[ty][threadIdx.x]`.
  void nameThreads(std::vector<Sum>& element) {
    for (std::size_t i = element.size(); i-- > 0;) {
      if (symbols_.hasAtoms(element[i]))
        continue;
      const unsigned atom =
          builtinSum(ThreadIdx, "threadIdx", i + 1 == element.size() ? "x" : "y").begin()->first[0];
      const bool used = std::any_of(element.begin(), element.end(), [&](const Sum& index) {
        const auto atoms = symbols_.atomsOf(index);
        return std::find(atoms.begin(), atoms.end(), atom) != atoms.end();
      });
      if (const auto known = equal_.find(atom); known != equal_.end() && !used)
        element[i] = element[i] + symbolSum(atom) - known->second;
    }
  }
  bool fillsTile(const clang::Stmt* s) const {
    const Named named(s);
    return std::any_of(named.variables.begin(), named.variables.end(),
                       [&](const clang::VarDecl* v) { return tiles_.count(v) != 0; });
  }
  /// Whether a condition is the same in all steps.
  bool isSteady(const clang::Expr* e) const {
    const Named named(e);
    return named.calls.empty() && named.changed.empty() &&
           std::all_of(named.variables.begin(), named.variables.end(),
                       [&](const clang::VarDecl* variable) {
                         const LocalVariable* local = body_.variables.find(variable);
                         if (!local)
                           return variable->hasLocalStorage() || builtinOf(variable) ||
                                  isNamedConstant(variable);
                         return !local->modified && !local->escapes && variable != counter_ &&
                                (!variable->hasInit() || llvm::isa<clang::ParmVarDecl>(variable) ||
                                 isSteady(variable->getInit()));
                       }) &&
           !Uniformity::readsMemory(e);
  }
  void forget(const clang::Stmt* s, State& state) const {
    for (const clang::Expr* place : Named(s).changed) {
      state.values.erase(elementOf(place).array);
      state.rows.erase(elementOf(place).array);
    }
  }
  bool drop(const clang::VarDecl* variable) {
    if (kept_.erase(variable))
      again_ = true;
    return false;
  }
  bool sameType(const clang::VarDecl* variable, const Value& value) const {
    clang::QualType type = variable->getType();
    if (const clang::ArrayType* array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
    while (const clang::ArrayType* array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
    return !value.array || body_.unit.context().hasSameUnqualifiedType(
                               type, value.array->getType()->getPointeeType());
  }

  bool keep(const clang::VarDecl* variable, const clang::Expr* e, State& state,
            const Needs& conditions) {
    auto value = valueOf(e, state);
    if (!value || !sameType(variable, *value))
      return false;
    add(value->needs, conditions);
    state.values[variable] = *value;
    return true;
  }
  bool keepElement(const clang::BinaryOperator* op, const Element& element, State& state,
                   const Needs& conditions) {
    auto value = valueOf(op->getRHS(), state);
    const auto row = state.rows.find(element.array);
    const auto index =
        element.indices.size() == 1 ? sumOf(element.indices[0], state) : std::nullopt;
    if (!value || !value->array || row == state.rows.end() || !index || !row->second.first.array ||
        row->second.first.array != value->array ||
        !(row->second.first.at + row->second.each * *index - value->at).empty())
      return false;
    if (row->second.hole && !(*row->second.hole - *index).empty())
      return false;
    add(row->second.first.needs, value->needs);
    add(row->second.first.needs, conditions);
    row->second.hole.reset();
    return true;
  }

  std::optional<Sum> sizeOf(const clang::VarDecl* array, const State& state) {
    const clang::ArrayType* type = array->getType()->getAsArrayTypeUnsafe();
    if (const auto* sized = llvm::dyn_cast_or_null<clang::ConstantArrayType>(type))
      return constantSum(static_cast<long long>(sized->getSize().getZExtValue()));
    const auto* dependent = llvm::dyn_cast_or_null<clang::DependentSizedArrayType>(type);
    return dependent && dependent->getSizeExpr() ? sumOf(dependent->getSizeExpr(), state)
                                                 : std::nullopt;
  }

  static bool isCounterIn(const clang::Stmt* s, const clang::VarDecl* variable) {
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
      if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
          declared && declared->isSingleDecl() && declared->getSingleDecl() == variable)
        return true;
    return std::any_of(s->child_begin(), s->child_end(), [&](const clang::Stmt* child) {
      return child && isCounterIn(child, variable);
    });
  }
  /// Of an atom of which nothing is known.
  Bounds unknownBounds() {
    Symbol symbol;
    symbol.ofGrid = symbol.mayBeNegative = true;
    const Sum sum = symbolSum(symbols_.add("unknown", symbol));
    return {sum, sum};
  }
  /// Loops by which a block's threads fill a tile, each some elements.
  bool fillAll(const clang::ForStmt* loop, State& state, bool inLoop) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* counter = declared && declared->isSingleDecl()
                              ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                              : nullptr;
    const Named body(loop->getBody());
    if (!counter || !counter->hasInit() || !counter->getType()->isIntegerType() ||
        !loop->getCond() || !loop->getInc() || !isSteady(counter->getInit()))
      return false;
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(plainly(loop->getCond()));
    const Named step(loop->getInc());
    if (!test || !test->isComparisonOp() || namedBy(test->getLHS()) != counter ||
        !isSteady(test->getRHS()) || step.changed.size() != 1 ||
        namedBy(step.changed[0]) != counter || !step.calls.empty())
      return false;
    for (const clang::VarDecl* variable : step.variables)
      if (variable != counter && !builtinOf(variable))
        if (const LocalVariable* local = body_.variables.find(variable);
            local && (local->modified || local->escapes))
          return false;
    for (const clang::Expr* place : body.changed)
      if (const clang::VarDecl* variable = elementOf(place).array;
          !variable || (!tiles_.count(variable) && !isCounterIn(loop->getBody(), variable)))
        return false;
    Symbol symbol;
    symbol.atom = true;
    symbol.text = counter->getNameAsString();
    symbol.bounds = unknownBounds();
    State inside = state;
    inside.integers[counter] = symbolSum(
        symbols_.add("fill " + std::to_string(reinterpret_cast<std::uintptr_t>(loop)), symbol));
    if (!copy(loop->getBody(), inside, {}, inLoop))
      return false;
    state.tiles = inside.tiles;
    return true;
  }

  /// Loops that set a whole row, or move it on by one.
  bool copyRow(const clang::ForStmt* loop, State& state, const Needs& conditions) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* counter = declared && declared->isSingleDecl()
                              ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                              : nullptr;
    const auto* test =
        loop->getCond() ? llvm::dyn_cast<clang::BinaryOperator>(plainly(loop->getCond())) : nullptr;
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(
        loop->getInc() ? loop->getInc()->IgnoreParens() : nullptr);
    if (!counter || !counter->hasInit() || !test || namedBy(test->getLHS()) != counter || !step ||
        !step->isIncrementDecrementOp() || namedBy(step->getSubExpr()) != counter)
      return false;
    const auto from = sumOf(counter->getInit(), state), to = sumOf(test->getRHS(), state);
    if (!from || !to)
      return false;
    std::vector<const clang::Stmt*> parts;
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody()))
      parts.assign(list->body_begin(), list->body_end());
    else
      parts = {loop->getBody()};
    Symbol symbol;
    symbol.atom = true;
    symbol.text = textOf(counter->getNameAsString(), counter->getType());
    const bool up = step->isIncrementOp();
    const Sum one = constantSum(1);
    const clang::BinaryOperatorKind asked = test->getOpcode();
    if (up && (asked == clang::BO_LT || asked == clang::BO_LE))
      symbol.bounds = {*from, asked == clang::BO_LE ? *to : *to - one};
    else if (!up && (asked == clang::BO_GT || asked == clang::BO_GE))
      symbol.bounds = {asked == clang::BO_GE ? *to : *to + one, *from};
    else
      return false;
    const unsigned number =
        symbols_.add("row " + std::to_string(reinterpret_cast<std::uintptr_t>(loop)), symbol);
    State inside = state;
    inside.integers[counter] = symbolSum(number);
    for (const clang::Stmt* part : parts) {
      const auto* e = llvm::dyn_cast<clang::Expr>(part);
      const auto* op = e ? llvm::dyn_cast<clang::BinaryOperator>(plainly(e)) : nullptr;
      const Element element = op ? elementOf(op->getLHS()) : Element();
      if (!op || op->getOpcode() != clang::BO_Assign || !kept_.count(element.array) ||
          element.indices.size() != 1 || namedBy(element.indices[0]) != counter)
        return false;
      const auto size = sizeOf(element.array, state);
      const Element other = elementOf(op->getRHS());
      if (!size)
        return drop(element.array);
      // Where elements move on one by one, only those behind have moved yet.
      for (const clang::Stmt* beside : parts)
        if (other.array == element.array && beside != part &&
            Named(beside).variables.count(other.array))
          return drop(element.array);
      if (other.array == element.array) {
        const auto row = state.rows.find(element.array);
        const auto apart =
            other.indices.size() == 1 ? sumOf(other.indices[0], inside) : std::nullopt;
        const auto by = apart ? asConstant(*apart - symbolSum(number)) : std::nullopt;
        const bool down = up && by == 1 && asConstant(*from) == 0 &&
                          test->getOpcode() == clang::BO_LT && (*to - *size + one).empty();
        const bool over = !up && by == -1 && (*from - *size + one).empty() &&
                          ((test->getOpcode() == clang::BO_GT && to->empty()) ||
                           (test->getOpcode() == clang::BO_GE && asConstant(*to) == 1));
        if ((!down && !over) || row == state.rows.end() || row->second.hole || !conditions.empty())
          return drop(element.array);
        row->second.first.at = row->second.first.at + row->second.each * (down ? 1 : -1);
        row->second.hole = down ? *size - one : Sum();
        continue;
      }
      auto value = valueOf(op->getRHS(), inside);
      const bool whole = up && asConstant(*from) == 0 && test->getOpcode() == clang::BO_LT &&
                         (*to - *size).empty();
      const auto each = value && value->array ? symbols_.factorOf(value->at, number) : std::nullopt;
      if (!value || !sameType(element.array, *value) || !whole)
        return drop(element.array);
      if (!value->array) {
        state.rows.erase(element.array);
        continue;
      }
      const auto ofStep = [&](const Sum& need) {
        const auto atoms = symbols_.atomsOf(need);
        return std::find(atoms.begin(), atoms.end(), number) != atoms.end();
      };
      if (!each || std::any_of(value->needs.begin(), value->needs.end(), ofStep))
        return drop(element.array);
      Row row{*value, *each, std::nullopt};
      row.first.at = value->at - *each * symbolSum(number);
      add(row.first.needs, conditions);
      state.rows[element.array] = row;
    }
    return true;
  }

  bool fill(const clang::BinaryOperator* op, const Element& element, State& state) {
    Tile& tile = state.tiles[element.array];
    tile.ready = false;
    // An element that is filled behind the read is a step old there.
    if (tile.read)
      return false;
    Write write;
    for (const clang::Expr* index : element.indices) {
      const auto sum = sumOf(index, state);
      // Elements are the same in each step, so that none is older than another.
      if (!sum || (step_ && names(*sum, *step_)))
        return false;
      write.element.push_back(*sum);
    }
    nameThreads(write.element);
    const auto value = valueOf(op->getRHS(), state);
    if (!value || !sameType(element.array, *value))
      return false;
    if (!value->array)
      return false;
    write.value = *value;
    tile.writes.push_back(std::move(write));
    return true;
  }
  /// The place that an element of a tile is a copy of, with what has to be known for it.
  std::optional<Value> elementOfTile(const clang::VarDecl* array, const std::vector<Sum>& indices,
                                     const State& state) const {
    const auto found = state.tiles.find(array);
    if (found == state.tiles.end() || !found->second.ready)
      return std::nullopt;
    const std::vector<Write>& writes = found->second.writes;
    for (const Write& main : writes) {
      // How far it is in the array from one index to the next.
      std::vector<Sum> rows;
      for (std::size_t i = 0; i < main.element.size(); ++i)
        for (const unsigned atom : symbols_.atomsOf(main.element[i])) {
          const auto mine = symbols_.factorOf(main.element[i], atom);
          const auto whole = symbols_.factorOf(main.value.at, atom);
          if (mine && whole && asConstant(*mine) == 1 && rows.size() == i)
            rows.push_back(*whole);
        }
      if (rows.size() != main.element.size() || indices.size() != rows.size())
        continue;
      const auto offset = [&](const Write& write) {
        Sum out = write.value.at;
        for (std::size_t i = 0; i < rows.size(); ++i)
          out = out - rows[i] * write.element[i];
        return out;
      };
      Value out{main.value.array, offset(main), {}};
      if (symbols_.atomsOf(out.at) != stepAtoms(out.at))
        continue;
      for (std::size_t i = 0; i < rows.size(); ++i)
        out.at = out.at + rows[i] * indices[i];
      for (const Write& write : writes) {
        if (write.value.array != main.value.array || !(offset(write) - offset(main)).empty())
          return std::nullopt;
        for (const Sum& need : write.value.needs) {
          const auto here = ofReader(need, write, indices);
          if (!here)
            return std::nullopt;
          add(out.needs, {*here});
        }
      }
      return out;
    }
    return std::nullopt;
  }
  /// What a thread needs that writes an element, told by the indices by which another reads it.
  std::optional<Sum> ofReader(Sum need, const Write& write, const std::vector<Sum>& indices) const {
    std::map<unsigned, Sum> known;
    for (const unsigned atom : symbols_.atomsOf(need)) {
      if (atom == step_)
        continue;
      for (std::size_t i = 0; i < indices.size(); ++i)
        if (const Sum others = write.element[i] - symbolSum(atom); !symbols_.hasAtoms(others))
          known[atom] = indices[i] - others;
      if (!known.count(atom))
        return std::nullopt;
    }
    // All at once: the indices name the same atoms, of another thread.
    Sum out;
    for (const auto& [product, times] : need) {
      Sum term = constantSum(times);
      for (const unsigned s : product)
        term = term * (known.count(s) ? known.at(s) : symbolSum(s));
      out = out + term;
    }
    return out;
  }
  std::vector<unsigned> stepAtoms(const Sum& sum) const {
    std::vector<unsigned> out;
    for (const unsigned atom : symbols_.atomsOf(sum))
      if (step_ && atom == *step_)
        out.push_back(atom);
    return out;
  }
  static Sum replaced(const Sum& sum, unsigned symbol, const Sum& by) {
    Sum out;
    for (const auto& [product, times] : sum) {
      Sum term = constantSum(times);
      for (const unsigned s : product)
        term = term * (s == symbol ? by : symbolSum(s));
      out = out + term;
    }
    return out;
  }

  // --- the passes

  /// Goes through the kernel; false if something does not fit (again_: a variable is now no longer
  /// taken for one that only keeps what was loaded).
  bool pass(const clang::CompoundStmt* list) {
    State state;
    removed_.clear();
    staying_.clear();
    phase_ = 0;
    bool before = true;
    for (const clang::Stmt* s : list->body()) {
      if (s == loop_) {
        before = false;
        phase_ = 1;
        if (!passLoop(state))
          return false;
        phase_ = 2;
        // What comes behind must not ask for what was kept.
        state.values.clear();
        state.rows.clear();
        state.tiles.clear();
        state.integers.erase(counter_);
        for (auto at = state.integers.begin(); at != state.integers.end();)
          at = isMoved(at->first) ? state.integers.erase(at) : std::next(at);
        continue;
      }
      // Threads that leave write no elements, and nobody may read what was never written.
      if (const clang::Expr* left = before ? leavingWhere(s) : nullptr) {
        if (!replaceReads(s, state, staying_))
          return false;
        learn(left, false, state, staying_);
        continue;
      }
      if (!passStatement(s, state, staying_, before, false))
        return false;
    }
    return loop_ != nullptr;
  }
  /// The condition of `if (x >= nx) return;`
  static const clang::Expr* leavingWhere(const clang::Stmt* s) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
        !Named(branch->getCond()).calls.empty() || !Named(branch->getCond()).changed.empty())
      return nullptr;
    const clang::Stmt* then = branch->getThen();
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then))
      then = list->size() == 1 ? list->body_front() : nullptr;
    return llvm::isa_and_nonnull<clang::ReturnStmt>(then) ? branch->getCond() : nullptr;
  }
  bool isMoved(const clang::VarDecl* variable) const {
    const LocalVariable* local = body_.variables.find(variable);
    return !local || local->modified;
  }

  bool passStatement(const clang::Stmt* s, State& state, const Needs& known, bool before,
                     bool inLoop) {
    if (isBarrier(s)) {
      removed_.insert(s);
      for (auto& [array, tile] : state.tiles)
        tile.ready = true;
      return inLoop;
    }
    if (isCopy(s)) {
      removed_.insert(s);
      return (before || inLoop) && copy(s, state, {}, inLoop);
    }
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s)) {
      for (const clang::Decl* decl : declared->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
            !variable || tiles_.count(variable) || kept_.count(variable))
          return variable && drop(variable); // beside others in one declaration
      if (!changesFit(s, state) || !replaceReads(s, state, known))
        return false;
      for (const clang::Decl* decl : declared->decls())
        declareInteger(llvm::cast<clang::VarDecl>(decl), state, !inLoop && before);
      return true;
    }
    if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) {
      if (const auto moved = motion(e, state)) {
        state.integers[moved->first] = moved->second;
        return true;
      }
    }
    return changesFit(s, state) && replaceReads(s, state, known);
  }
  /// Whether all that a statement changes is known, and nothing that others ask for.
  bool changesFit(const clang::Stmt* s, const State& state) {
    const Named named(s);
    if (named.returns)
      return false;
    for (const clang::Expr* place : named.changed) {
      const clang::VarDecl* variable = elementOf(place).array;
      if (variable && kept_.count(variable))
        return drop(variable);
      if (!variable || tiles_.count(variable) || !variable->hasLocalStorage())
        return false;
      clang::QualType type = variable->getType();
      while (const clang::ArrayType* array = type->getAsArrayTypeUnsafe())
        type = array->getElementType();
      if (variable->getType()->isArrayType() && type->isAnyPointerType())
        return false;
      // An integer that changes in some threads, or a pointer.
      if (namedBy(place) &&
          (state.integers.count(variable) || variable->getType()->isPointerType()))
        return false;
      if (!namedBy(place) && !variable->getType()->isArrayType())
        stored_.insert(variable);
    }
    return std::all_of(named.calls.begin(), named.calls.end(),
                       [&](const clang::CallExpr* call) { return isHarmless(call); });
  }
  /// Whether a function only computes.
  bool isHarmless(const clang::CallExpr* call, unsigned depth = 0) const {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    return callee && (!method || method->isStatic() || method->isConst()) &&
           isNumber(callee->getReturnType()) &&
           std::all_of(
               callee->param_begin(), callee->param_end(),
               [](const clang::ParmVarDecl* p) { return p->getType()->isArithmeticType(); }) &&
           (!body_.unit.isUser(callee->getLocation()) || changesOnlyItsOwn(callee, depth));
  }
  bool changesOnlyItsOwn(const clang::FunctionDecl* function, unsigned depth) const {
    constexpr unsigned deepest = 4;
    const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
    const clang::Stmt* body = (pattern ? pattern : function)->getBody();
    if (!body || depth > deepest)
      return false;
    const Named named(body);
    return std::all_of(named.changed.begin(), named.changed.end(),
                       [](const clang::Expr* place) {
                         const clang::VarDecl* variable = elementOf(place).array;
                         return variable && variable->hasLocalStorage() &&
                                (namedBy(place) || variable->getType()->isArrayType());
                       }) &&
           std::all_of(named.calls.begin(), named.calls.end(),
                       [&](const clang::CallExpr* call) { return isHarmless(call, depth + 1); });
  }
  /// `at += plane;`, `++at;`, `at = at + plane;`
  std::optional<std::pair<const clang::VarDecl*, Sum>> motion(const clang::Expr* e,
                                                              const State& state) {
    e = plainly(e);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    const auto* one = llvm::dyn_cast<clang::UnaryOperator>(e);
    const clang::VarDecl* variable = op && op->isAssignmentOp() ? namedBy(op->getLHS())
                                     : one && one->isIncrementDecrementOp()
                                         ? namedBy(one->getSubExpr())
                                         : nullptr;
    const auto known = state.integers.find(variable);
    if (!variable || known == state.integers.end())
      return std::nullopt;
    if (one)
      return std::pair(variable, known->second + constantSum(one->isIncrementOp() ? 1 : -1));
    const auto by = sumOf(op->getRHS(), state);
    if (!by)
      return std::nullopt;
    switch (op->getOpcode()) {
    case clang::BO_Assign:
      return std::pair(variable, *by);
    case clang::BO_AddAssign:
      return std::pair(variable, known->second + *by);
    case clang::BO_SubAssign:
      return std::pair(variable, known->second - *by);
    default:
      return std::nullopt;
    }
  }

  bool passLoop(State& state) {
    const auto from = sumOf(from_, state), to = sumOf(to_, state);
    if (!from || !to || !isSteady(to_))
      return false;
    // Steps are counted from 0: a symbol of its own.
    Symbol symbol;
    symbol.atom = true;
    symbol.text = "cuStep";
    symbol.bounds = {{}, *to - *from + constantSum(upTo_ ? 0 : -1)};
    const unsigned step = symbols_.add("step", symbol);
    step_ = step;
    first_ = *from;
    const Sum k = symbolSum(step);
    State begin = state;
    begin.integers[counter_] = *from + k;
    // Integers that move by the same in each step.
    for (auto& [variable, sum] : begin.integers) {
      if (variable == counter_ || !isMoved(variable))
        continue;
      State one = begin;
      for (const clang::Stmt* s : body_list_->body())
        if (const auto* e = llvm::dyn_cast<clang::Expr>(s))
          if (const auto moved = motion(e, one))
            one.integers[moved->first] = moved->second;
      const Sum by = one.integers[variable] - sum;
      if (symbols_.hasAtoms(by))
        return false;
      moves_[variable] = by;
    }
    for (auto& [variable, sum] : begin.integers)
      if (const auto by = moves_.find(variable); by != moves_.end())
        sum = sum + by->second * k;
    // Values move on by a plane in each step: how far that is the first loads say.
    const auto plane = planeOf(begin);
    if (!plane)
      return false;
    plane_ = *plane;
    const Named inside(body_list_);
    for (auto& [variable, value] : begin.values) {
      // One value in all steps is better kept.
      if (kept_.count(variable) &&
          std::none_of(inside.changed.begin(), inside.changed.end(),
                       [&, v = variable](const clang::Expr* e) { return namedBy(e) == v; }))
        return drop(variable);
      if (value.array)
        value.at = value.at + *plane * k;
    }
    for (auto& [variable, row] : begin.rows) {
      if (row.hole)
        return drop(variable);
      row.first.at = row.first.at + *plane * k;
    }
    begin.tiles.clear();
    Needs known = staying_;
    known.push_back(k);
    known.push_back(symbol.bounds.most - k);
    before_ = edits_;
    for (unsigned round = 0; round < 8; ++round) {
      edits_ = before_;
      State end = begin;
      for (const clang::Stmt* s : body_list_->body())
        if (!passStatement(s, end, known, true, true))
          return false;
      bool changed = false;
      const auto agree = [&](Value& head, const Value& last) {
        if (!head.array)
          return true;
        if (last.array != head.array ||
            !(last.at - replaced(head.at, step, k + constantSum(1))).empty())
          return false;
        for (const Sum& need : last.needs) {
          const Sum next = replaced(need, step, k - constantSum(1));
          if (follows(next, head.needs) || follows(next, known))
            continue;
          head.needs.push_back(next);
          changed = true;
        }
        return true;
      };
      for (auto& [variable, value] : begin.values) {
        if (!kept_.count(variable))
          continue;
        if (!agree(value, end.values[variable])) {
          // Not live where a step begins, or not kept by the rules.
          value = {};
          changed = true;
        }
      }
      for (auto& [variable, row] : begin.rows) {
        const auto last = end.rows.find(variable);
        if (last == end.rows.end() || last->second.hole ||
            !(last->second.each - row.each).empty() || !agree(row.first, last->second.first))
          return drop(variable);
      }
      // Integers move on as the first step said.
      for (const auto& [variable, by] : moves_) {
        const auto head = begin.integers.find(variable), last = end.integers.find(variable);
        if (head != begin.integers.end() &&
            (last == end.integers.end() ||
             !(last->second - replaced(head->second, step, k + constantSum(1))).empty()))
          return false;
      }
      if (!changed)
        return true;
    }
    return false;
  }

  /// How far loads from arrays move in each step.
  std::optional<Sum> planeOf(const State& begin) {
    std::optional<Sum> plane;
    bool good = true;
    class Loads : public SyntaxVisitor {
    public:
      std::vector<const clang::ArraySubscriptExpr*> all;
      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
        all.push_back(e);
        return true;
      }
    };
    State state = begin;
    for (const clang::Stmt* s : body_list_->body()) {
      if (const auto* e = llvm::dyn_cast<clang::Expr>(s))
        if (const auto moved = motion(e, state))
          state.integers[moved->first] = moved->second;
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
        for (const clang::Decl* decl : declared->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
            declareInteger(variable, state, false);
      if (!isCopy(s))
        continue;
      Loads loads;
      loads.TraverseStmt(const_cast<clang::Stmt*>(s));
      for (const clang::ArraySubscriptExpr* e : loads.all) {
        const auto base = pointed(e->getBase(), state);
        const auto index = base ? sumOf(e->getIdx(), state) : std::nullopt;
        const auto by = index ? symbols_.factorOf(base->at + *index, *step_) : std::nullopt;
        if (!by)
          continue;
        good &= !plane || (*plane - *by).empty();
        plane = *by;
      }
    }
    return good && plane && !plane->empty() ? plane : std::nullopt;
  }

  // --- what reads it

  bool replaceReads(const clang::Stmt* s, State& state, const Needs& known) {
    class Reads : public SyntaxVisitor {
    public:
      March* march = nullptr;
      State* state = nullptr;
      Needs known;
      bool good = true;

      bool TraverseIfStmt(clang::IfStmt* branch) override {
        if (branch->getInit() || branch->getConditionVariable())
          return good = false;
        TraverseStmt(branch->getCond());
        within(branch->getCond(), true, branch->getThen());
        if (branch->getElse())
          within(branch->getCond(), false, branch->getElse());
        return good;
      }
      bool TraverseConditionalOperator(clang::ConditionalOperator* e) override {
        TraverseStmt(e->getCond());
        within(e->getCond(), true, e->getTrueExpr());
        within(e->getCond(), false, e->getFalseExpr());
        return good;
      }
      bool TraverseForStmt(clang::ForStmt* loop) override {
        const auto head = countingLoop(loop, true);
        const auto from = head ? march->sumOf(head->from, *state) : std::nullopt;
        const auto to = from ? march->sumOf(head->to, *state) : std::nullopt;
        const Named body(loop->getBody());
        if (!to || std::any_of(body.changed.begin(), body.changed.end(),
                               [&](const clang::Expr* e) { return namedBy(e) == head->counter; }))
          return SyntaxVisitor::TraverseForStmt(loop);
        Symbol symbol;
        symbol.atom = true;
        symbol.text = textOf(head->counter->getNameAsString(), head->counter->getType());
        symbol.bounds = {*from, head->includesEnd ? *to : *to - constantSum(1)};
        const unsigned number = march->symbols_.add(
            "loop " + std::to_string(reinterpret_cast<std::uintptr_t>(loop)), symbol);
        march->variables_[number] = head->counter;
        state->integers[head->counter] = symbolSum(number);
        TraverseStmt(loop->getCond());
        return TraverseStmt(loop->getBody()) && good;
      }
      bool VisitVarDecl(clang::VarDecl* variable) override {
        const LocalVariable* local = march->body_.variables.find(variable);
        if (local && local->integer && !local->modified && variable->hasInit())
          march->declareInteger(variable, *state, false);
        return good;
      }
      bool TraverseArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
        const Element element = elementOf(e);
        if (!element.array ||
            (!march->tiles_.count(element.array) && !march->kept_.count(element.array))) {
          march->noteAccess(e, element, *state);
          return march->tellByStep(e, element, *state) ||
                 SyntaxVisitor::TraverseArraySubscriptExpr(e);
        }
        std::vector<Sum> indices;
        for (const clang::Expr* index : element.indices) {
          const auto sum = march->sumOf(index, *state);
          if (!sum || !Named(index).changed.empty())
            return good = false;
          indices.push_back(*sum);
        }
        if (march->tiles_.count(element.array)) {
          const auto value = march->elementOfTile(element.array, indices, *state);
          state->tiles[element.array].read = true;
          return good = value && march->replace(e, *value, known);
        }
        const auto row = state->rows.find(element.array);
        return good = indices.size() == 1 && row != state->rows.end() &&
                      march->replace(e, march->elementIn(row->second, indices[0]), known);
      }
      bool VisitUnaryOperator(clang::UnaryOperator* op) override {
        march->loadsElsewhere_ |= op->getOpcode() == clang::UO_Deref;
        return good;
      }
      bool VisitMemberExpr(clang::MemberExpr* member) override {
        march->loadsElsewhere_ |= member->isArrow();
        return good;
      }
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        if (!variable || (!march->kept_.count(variable) && !march->tiles_.count(variable)))
          return good;
        const auto value = state->values.find(variable);
        return good = value != state->values.end() && march->replace(use, value->second, known);
      }
      void within(const clang::Expr* condition, bool holds, clang::Stmt* part) {
        const Needs outside = known;
        march->learn(condition, holds, *state, known);
        TraverseStmt(part);
        known = outside;
      }
    } reads;
    reads.march = this;
    reads.state = &state;
    reads.known = known;
    reads.TraverseStmt(const_cast<clang::Stmt*>(s));
    return reads.good;
  }

  bool replace(const clang::Expr* e, const Value& value, const Needs& known) {
    if (!value.array || !follows(value.needs, known))
      return false;
    const auto range = body_.text.rangeOf(e->getSourceRange());
    if (!range || e->getBeginLoc().isMacroID() || e->getEndLoc().isMacroID())
      return false;
    arrays_.insert(value.array);
    edits_[e] = {*range, value};
    return true;
  }

  /// An element of an array that is stored or loaded beside.
  void noteAccess(const clang::ArraySubscriptExpr* e, const Element& element, const State& state) {
    const clang::VarDecl* variable = element.array;
    if (variable && variable->getType()->isArrayType() &&
        (variable->hasLocalStorage() || hasMark(variable, "constant") || isNamedConstant(variable)))
      return;
    const clang::ParentMap& parents = body_.variables.parents();
    const clang::Stmt* around = parents.getParent(e);
    while (around && llvm::isa<clang::ParenExpr>(around))
      around = parents.getParent(around);
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(around);
    const bool stored = op && op->isAssignmentOp() && op->getLHS()->IgnoreParens() == e;
    Access access;
    access.loads = !stored || op->getOpcode() != clang::BO_Assign;
    access.phase = phase_;
    const auto base = pointed(e->getBase(), state);
    const auto index = base ? sumOf(e->getIdx(), state) : std::nullopt;
    if (index) {
      access.array = base->array;
      access.at = base->at + *index;
    } else if (const auto* given = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable)) {
      access.array = given;
    }
    loadsElsewhere_ |= access.loads && !access.array;
    storesElsewhere_ |= stored && !access.array;
    access.stores = stored || (around && llvm::isa<clang::UnaryOperator>(around) &&
                               llvm::cast<clang::UnaryOperator>(around)->isIncrementDecrementOp());
    accesses_[e] = access;
  }
  /// Whether no thread loads or stores what another one stores, in an order that barriers said.
  bool ordersStay() const {
    std::set<const clang::ParmVarDecl*> stored, loaded;
    for (const auto& [e, access] : accesses_) {
      if (access.stores && access.array)
        stored.insert(access.array);
      if (access.loads && access.array)
        loaded.insert(access.array);
    }
    for (const clang::ParmVarDecl* to : stored) {
      if (!to->getType().isRestrictQualified() && loadsElsewhere_)
        return false;
      for (const clang::ParmVarDecl* from : loaded)
        if (from != to && !from->getType().isRestrictQualified() &&
            !to->getType().isRestrictQualified())
          return false;
      std::vector<const Access*> all;
      for (const auto& [e, access] : accesses_)
        if (access.array == to)
          all.push_back(&access);
      const bool once = std::all_of(all.begin(), all.end(), [&](const Access* access) {
        return access->phase == all[0]->phase && access->phase != 1 && !access->loads;
      });
      if (!once && !std::all_of(all.begin(), all.end(), [&](const Access* access) {
            return access->at && isOwnColumn(*access->at) &&
                   isWholePlanes(*access->at - *all[0]->at);
          }))
        return false;
    }
    return !storesElsewhere_ || (loaded.empty() && !loadsElsewhere_);
  }
  /// Whether each thread of a block has places of its own, in all steps.
  bool isOwnColumn(const Sum& at) const {
    const auto x = symbols_.factorOf(at, thread_[0]), y = symbols_.factorOf(at, thread_[1]),
               z = symbols_.factorOf(at, *step_);
    const auto atoms = symbols_.atomsOf(at);
    return x && y && z && !x->empty() && !y->empty() && !(*x - *y).empty() && !(*x - *z).empty() &&
           !(*y - *z).empty() && std::all_of(atoms.begin(), atoms.end(), [&](unsigned atom) {
             const auto factor = symbols_.factorOf(at, atom);
             return atom == thread_[0] || atom == thread_[1] || atom == *step_ ||
                    (factor && isWholePlanes(*factor));
           });
  }
  /// Whether places are some planes apart.
  bool isWholePlanes(const Sum& apart) const {
    if (apart.empty())
      return true;
    if (plane_.size() != 1 || asConstant(plane_) == 1 || asConstant(plane_) == -1)
      return false;
    const auto& [plane, size] = *plane_.begin();
    return std::all_of(
        apart.begin(), apart.end(), [&, &plane = plane, size = size](const auto& term) {
          return std::includes(term.first.begin(), term.first.end(), plane.begin(), plane.end()) &&
                 term.second % size == 0;
        });
  }

  /// `out[at]`, where `at` moves on with each step, is told by the step, too: what the next one
  /// loads and stores can be fetched then.
  bool tellByStep(const clang::Expr* e, const Element& element, const State& state) {
    const auto* array = llvm::dyn_cast_or_null<clang::ParmVarDecl>(element.array);
    const LocalVariable* local = array ? body_.variables.find(array) : nullptr;
    if (!step_ || !array || !array->getType()->isPointerType() || element.indices.size() != 1 ||
        (local && (local->modified || local->escapes)))
      return false;
    const clang::Expr* index = element.indices[0];
    const Named named(index);
    const bool moves =
        std::any_of(named.variables.begin(), named.variables.end(), [&](const clang::VarDecl* v) {
          const auto by = moves_.find(v);
          return by != moves_.end() && !by->second.empty();
        });
    const auto place = moves && named.changed.empty() ? sumOf(index, state) : std::nullopt;
    const auto range = body_.text.rangeOf(e->getSourceRange());
    if (!place || !range || e->getBeginLoc().isMacroID() || e->getEndLoc().isMacroID() ||
        !index->getType()->isSignedIntegerType())
      return false;
    narrow_ &= body_.unit.context().getTypeSize(index->getType()) <= 32;
    edits_[e] = {*range, Value{array, *place, {}}};
    return true;
  }

  // --- text

  /// The variable that is threadIdx.x (or y) and what the block adds to it.
  const clang::VarDecl* anchorOf(const std::string& part, Sum& rest) {
    const Sum thread = builtinSum(ThreadIdx, "threadIdx", part);
    const Sum block = builtinSum(BlockIdx, "blockIdx", part);
    State state;
    for (const clang::Stmt* s :
         llvm::cast<clang::CompoundStmt>(body_.function->getBody())->body()) {
      if (s == loop_)
        break;
      const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
      if (!declared)
        continue;
      for (const clang::Decl* decl : declared->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
        if (!local || !local->integer)
          continue;
        declareInteger(variable, state, true);
        const auto sum = state.integers.find(variable);
        if (sum == state.integers.end() || local->modified || local->escapes)
          continue;
        const Sum other = sum->second - thread;
        if (symbols_.hasAtoms(other) || !symbols_.isOfGrid(other) ||
            !names(other, block.begin()->first[0]))
          continue;
        rest = other;
        return variable;
      }
    }
    return nullptr;
  }
  static bool names(const Sum& sum, unsigned symbol) {
    return std::any_of(sum.begin(), sum.end(), [&](const auto& term) {
      return std::find(term.first.begin(), term.first.end(), symbol) != term.first.end();
    });
  }

  std::string print(const Sum& sum) const {
    // What adds first, so that no text begins with a minus.
    std::string out;
    for (const bool negative : {false, true})
      for (const auto& [product, times] : sum) {
        if ((times < 0) != negative)
          continue;
        const unsigned long long size = negative ? 0ull - times : times;
        std::string term;
        for (const unsigned symbol : product)
          term += (term.empty() ? (product.size() > 1 || size != 1 ? cast() : "") : " * ") +
                  symbols_[symbol].text;
        if (product.empty() || size != 1)
          term += (term.empty() ? "" : " * ") + std::to_string(size);
        out += out.empty() ? (negative ? "-" : "") + term : (negative ? " - " : " + ") + term;
      }
    return out.empty() ? "0" : out;
  }
  std::string cast() const { return narrow_ ? "" : "(long long)"; }

  /// `(z + 2) * plane` of a place, taken out of it: for a name and what it is multiplied with.
  std::string takeOut(Sum& place, unsigned symbol) const {
    const auto factor = symbols_.factorOf(place, symbol);
    Sum each = factor ? *factor : Sum();
    if (!factor)
      for (const auto& [product, times] : place) // other names that differ beside it
        if (std::find(product.begin(), product.end(), symbol) != product.end())
          return "";
    if (each.size() != 1)
      return "";
    const Product& divisor = each.begin()->first;
    const long long times = each.begin()->second;
    Sum count, rest;
    for (const auto& [product, have] : place) {
      Product left;
      Product wanted = divisor;
      for (const unsigned s : product)
        if (const auto at = std::find(wanted.begin(), wanted.end(), s); at != wanted.end())
          wanted.erase(at);
        else
          left.push_back(s);
      // Of constants the nearest.
      const long long half = (times > 0 ? times : -times) / 2;
      const long long by = wanted.empty() ? (have + (have >= 0 ? half : -half)) / times : 0;
      if (divisor.empty() && (times == 1 || times == -1) &&
          !(left.size() == 1 && left[0] == symbol)) {
        rest[product] = have;
        continue;
      }
      if (by != 0)
        count = count + Sum{{left, by}};
      if (have - by * times != 0)
        rest[product] = have - by * times;
    }
    const Sum own = symbolSum(symbol);
    const Sum ahead = count - own;
    const auto number = asConstant(ahead);
    std::string text = symbols_[symbol].text;
    if (number && *number != 0)
      text = "(" + text + (*number > 0 ? " + " : " - ") +
             std::to_string(*number > 0 ? *number : -*number) + ")";
    else if (!number) {
      const bool negative = std::none_of(ahead.begin(), ahead.end(),
                                         [](const auto& term) { return term.second > 0; });
      text =
          "(" + text + (negative ? " - (" : " + (") + print(negative ? ahead * -1 : ahead) + "))";
    }
    place = rest;
    // What it is multiplied with is one product.
    const auto one = asConstant(each);
    if (one == 1)
      return text;
    text = cast() + text;
    for (const unsigned s : divisor)
      text += " * " + symbols_[s].text;
    if (times != 1)
      text += times < 0 ? " * (" + std::to_string(times) + ")" : " * " + std::to_string(times);
    return text;
  }

  /// Whether a symbol's name means its variable where an expression stands.
  bool means(const clang::Expr* e, unsigned symbol) const {
    llvm::StringRef name = symbols_[symbol].text;
    name.consume_front("(long long)");
    name = name.split('.').first;
    const auto known = variables_.find(symbol);
    const clang::VarDecl* const wanted = known == variables_.end() ? nullptr : known->second;
    const auto isNamed = [&](const clang::Stmt* s, const clang::VarDecl*& found) {
      const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(s);
      if (declared)
        for (const clang::Decl* decl : declared->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
              variable && variable->getNameAsString() == name)
            found = variable;
      return found != nullptr;
    };
    const clang::ParentMap& parents = body_.variables.parents();
    const clang::VarDecl* found = nullptr;
    const clang::Stmt* inner = e;
    for (const clang::Stmt* at = parents.getParent(e); at && !found;
         inner = at, at = parents.getParent(at)) {
      if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(at))
        isNamed(loop->getInit(), found);
      if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(at))
        for (const clang::Stmt* s : list->body()) {
          if (s == inner)
            break;
          isNamed(s, found);
        }
    }
    for (const clang::ParmVarDecl* parameter : body_.function->parameters())
      if (!found && parameter->getNameAsString() == name)
        found = parameter;
    return found == wanted;
  }

  /// Whether a variable in the kernel has an array's name.
  bool namesAreHidden() const {
    for (const clang::DeclStmt* s : body_.contents.declarations)
      for (const clang::Decl* decl : s->decls())
        for (const clang::ParmVarDecl* array : arrays_)
          if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl);
              named && named->getName() == array->getName())
            return true;
    return false;
  }

  bool write() {
    for (const clang::ParmVarDecl* array : arrays_)
      for (const clang::VarDecl* other : stored_)
        if (other == array ||
            (!array->getType().isRestrictQualified() &&
             !(llvm::isa<clang::ParmVarDecl>(other) && other->getType().isRestrictQualified())) ||
            (!llvm::isa<clang::ParmVarDecl>(other) &&
             !array->getType()->getPointeeType().isConstQualified()))
          return false;
    for (const clang::ParmVarDecl* array : arrays_)
      if (array->getType()->getPointeeType().isVolatileQualified())
        return false;
    if (edits_.empty() || namesAreHidden())
      return false;
    for (const unsigned i : {0u, 1u})
      thread_[i] = builtinSum(ThreadIdx, "threadIdx", i ? "y" : "x").begin()->first[0];
    if (!ordersStay())
      return false;
    Sum restX, restY;
    const clang::VarDecl* const x = anchorOf("x", restX);
    const clang::VarDecl* const y = anchorOf("y", restY);
    const unsigned threadX = builtinSum(ThreadIdx, "threadIdx", "x").begin()->first[0];
    const unsigned threadY = builtinSum(ThreadIdx, "threadIdx", "y").begin()->first[0];
    if (!x || !y)
      return false;
    const auto nameOf = [&](const clang::VarDecl* variable) {
      Symbol symbol;
      symbol.atom = true;
      symbol.text = textOf(variable->getNameAsString(), variable->getType());
      const unsigned number = symbols_.add("place " + symbol.text, symbol);
      variables_[number] = variable;
      return number;
    };
    const unsigned nameX = nameOf(x), nameY = nameOf(y), nameZ = nameOf(counter_);
    std::map<std::string, std::map<unsigned, std::pair<unsigned, std::string>>> changes;
    for (const auto& [e, edit] : edits_) {
      Sum place = replaced(edit.second.at, threadX, symbolSum(nameX) - restX);
      place = replaced(place, threadY, symbolSum(nameY) - restY);
      place = replaced(place, *step_, symbolSum(nameZ) - first_);
      for (const auto& [product, times] : place)
        for (const unsigned symbol : product)
          if (llvm::StringRef(symbols_[symbol].text).starts_with("blockIdx.") || !means(e, symbol))
            return false;
      std::string text;
      for (const unsigned name : {nameZ, nameY})
        if (const std::string part = takeOut(place, name); !part.empty())
          text += (text.empty() ? "" : " + ") + part;
      const std::string rest = (text.empty() && !narrow_ ? "0LL + " : "") + print(place);
      if (rest != "0" || text.empty())
        text += text.empty() ? rest : rest[0] == '-' ? " - " + rest.substr(1) : " + " + rest;
      changes[edit.first.file][edit.first.begin] = {
          edit.first.end, withLinesOf(body_.text.text(edit.first),
                                      edit.second.array->getNameAsString() + "[" + text + "]")};
    }
    for (const clang::Stmt* s : removed_)
      if (!remove(s, changes))
        return false;
    removeUnused(changes, {x, y, counter_});
    for (auto& [file, edits] : changes)
      for (auto& [begin, edit] : edits)
        body_.changes[file][begin] = std::move(edit);
    return true;
  }

  bool
  remove(const clang::Stmt* s,
         std::map<std::string, std::map<unsigned, std::pair<unsigned, std::string>>>& changes) {
    if (const auto* hinted = llvm::dyn_cast<clang::AttributedStmt>(s))
      s = hinted->getSubStmt();
    auto range = body_.text.rangeOf(s->getSourceRange());
    if (!range || s->getEndLoc().isMacroID() ||
        (s->getBeginLoc().isMacroID() &&
         !body_.text.buffer(range->file).substr(range->begin).starts_with("__shared__ ")))
      return false;
    if (llvm::isa<clang::Expr>(s)) {
      const auto end = behindSemicolon(body_.text, *range);
      if (!end)
        return false;
      range->end = *end;
    }
    // `if (...) a = b;` ends before its semicolon.
    std::string instead = ";";
    if (llvm::isa<clang::IfStmt, clang::ForStmt>(s))
      if (const auto end = behindSemicolon(body_.text, *range);
          end && body_.text.buffer(range->file)[range->end - 1] != '}')
        range->end = *end;
    for (const auto& hidden : body_.unit.skippedRanges(range->file))
      if (hidden.first < range->end && hidden.second > range->begin)
        return false;
    changes[range->file][range->begin] = {range->end,
                                          withLinesOf(body_.text.text(*range), instead)};
    // A hint to unroll a loop that is no more.
    const llvm::StringRef above = body_.text.buffer(range->file).substr(0, range->begin).rtrim();
    const std::size_t line = above.rfind('\n') + 1; // (npos + 1 is 0)
    if (llvm::isa<clang::ForStmt>(s) && above.substr(line).ltrim().starts_with("#"))
      changes[range->file][unsigned(line)] = {unsigned(above.size()), ""};
    return true;
  }

  /// Declarations of places in the block that nothing names any more.
  void
  removeUnused(std::map<std::string, std::map<unsigned, std::pair<unsigned, std::string>>>& changes,
               const std::set<const clang::VarDecl*>& named) {
    const auto isGone = [&](const clang::DeclRefExpr* use) {
      const auto at = body_.text.positionOf(use->getLocation());
      if (!at)
        return false;
      const auto& edits = changes[at->file];
      auto edit = edits.upper_bound(at->offset);
      return edit != edits.begin() && (--edit)->second.first > at->offset;
    };
    for (bool more = true; more;) {
      more = false;
      for (const clang::DeclStmt* s : body_.contents.declarations) {
        const auto range = body_.text.rangeOf(s->getSourceRange());
        if (!range || changes[range->file].count(range->begin) || !isTop(s) ||
            s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID())
          continue;
        const bool unused =
            std::all_of(s->decl_begin(), s->decl_end(), [&](const clang::Decl* decl) {
              const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
              const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
              if (!local || !local->integer || local->modified || local->escapes ||
                  named.count(variable) || !variable->hasInit() || body_.mayBeHidden(variable) ||
                  !Named(variable->getInit()).calls.empty() ||
                  !Named(variable->getInit()).changed.empty())
                return false;
              const auto uses = body_.contents.references.find(variable);
              return uses == body_.contents.references.end() ||
                     std::all_of(uses->second.begin(), uses->second.end(), isGone);
            });
        if (!unused)
          continue;
        changes[range->file][range->begin] = {range->end,
                                              withLinesOf(body_.text.text(*range), ";")};
        more = true;
      }
    }
  }

  const PlainBody& body_;
  const FunctionFacts& facts_;
  const bool expand_; ///< values of the block are what they are computed from
  Symbols symbols_;
  const clang::ForStmt* loop_ = nullptr;
  const clang::CompoundStmt* body_list_ = nullptr;
  const clang::VarDecl* counter_ = nullptr;
  const clang::Expr *from_ = nullptr, *to_ = nullptr;
  bool upTo_ = false;
  std::set<const clang::VarDecl*> tiles_, kept_, stored_;
  std::set<const clang::ParmVarDecl*> arrays_;
  std::set<const clang::Stmt*> removed_;
  Needs staying_; ///< what is known of threads that have not returned
  std::optional<unsigned> step_;
  std::map<unsigned, const clang::VarDecl*> variables_; ///< that symbols are, or are parts of
  std::map<unsigned, Sum> equal_;                       ///< atoms that a condition around tells
  Sum first_, plane_;
  std::map<const clang::Expr*, Access> accesses_;
  bool loadsElsewhere_ = false, storesElsewhere_ = false;
  unsigned phase_ = 0;
  unsigned thread_[2] = {}; ///< threadIdx.x, threadIdx.y
  std::map<const clang::VarDecl*, Sum> moves_;
  using Edits = std::map<const clang::Expr*, std::pair<FileRange, Value>>;
  Edits edits_, before_;
  bool narrow_ = true; ///< places are integers of 32 bits
  bool again_ = false;
};

} // namespace

bool readThroughMarches(const PlainBody& body, const FunctionFacts& function) {
  return March(body, function, false).run() || March(body, function, true).run();
}

} // namespace cu2cpp
