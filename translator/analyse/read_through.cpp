// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared tiles that are copies of a piece of an array, with its neighbours, are for GPUs; here the
// copy costs as much as what is computed from it. Blocks that lie inside of the grid read the
// array:
//
//   tile[ty][tx] = in[y * n + x];
//   if (threadIdx.x == 0 && x > 0) tile[ty][0] = in[y * n + x - 1];
//   ...
//   __syncthreads();
//   out[y * n + x] = tile[ty][tx - 1] + ...;
//
// becomes, in one line, with what is behind the barrier twice,
//
//   const float* const cuTile_tile = in + (where tile[0][0] comes from); const int cuRow0_tile = n;
//   if (all threads' conditions hold) {
//     __syncthreads();
//     out[y * n + x] = cuTile_tile[ty * cuRow0_tile + (tx - 1)] + ...;
//   } else { tile[ty][tx] = ...; __syncthreads(); ... }
//
// Each element that is written must come from the same place of the array, counted from the tile's
// first, wherever the block lies: indices are compared as sums of products (uniform_sums.h). What
// is stored behind the barrier must not lie in the piece that is read.
#include "analyse/analyses.h"

#include <algorithm>
#include <set>

#include "analyse/marks.h"
#include "analyse/plain_body.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "analyse/uniform_sums.h"

namespace cu2cpp {
namespace {

/// What a piece of a kernel does.
class Piece : public SyntaxVisitor {
public:
  explicit Piece(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  std::set<const clang::VarDecl*> names;
  std::vector<const clang::ArraySubscriptExpr*> elements; ///< the outermost
  std::vector<const clang::Expr*> changed;                ///< what is assigned to
  std::vector<const clang::CallExpr*> calls;
  bool leaves = false, odd = false;

  bool TraverseArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    elements.push_back(e);
    for (const clang::Expr* index : elementOf(e).indices)
      TraverseStmt(const_cast<clang::Expr*>(index));
    const clang::Expr* base = e;
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(plainly(base)))
      base = at->getBase();
    if (const clang::VarDecl* variable = namedBy(base)) {
      inElements.insert(plainly(base));
      names.insert(variable);
      return true;
    }
    return TraverseStmt(const_cast<clang::Expr*>(base));
  }
  std::set<const clang::Expr*> inElements;
  std::vector<const clang::DeclRefExpr*> others; ///< names that are no arrays of elements
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl())) {
      names.insert(variable);
      others.push_back(use);
    }
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
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    calls.push_back(call);
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt*) override { return leaves = true; }
  bool VisitBreakStmt(clang::BreakStmt*) override { return leaves = true; }
  bool VisitContinueStmt(clang::ContinueStmt*) override { return leaves = true; }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return odd = true; }
  bool VisitLabelStmt(clang::LabelStmt*) override { return odd = true; }
  bool VisitGotoStmt(clang::GotoStmt*) override { return odd = true; }
  bool VisitStringLiteral(clang::StringLiteral*) override { return odd = true; }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return odd = true; }
};

/// What is known where a statement stands: atoms that are one value there, or within closer bounds,
/// and the values of parameters and counters.
struct Known {
  std::map<unsigned, Sum> values;
  std::map<unsigned, Bounds> bounds;
  std::map<const clang::VarDecl*, Sum> variables;
};

struct Place {
  const clang::ParmVarDecl* array = nullptr;
  Sum index;
};

struct Tile {
  const clang::VarDecl* variable = nullptr;
  std::vector<unsigned long long> sizes;
  struct Write {
    std::vector<Sum> element;
    Place from;
  };
  std::vector<Write> writes;
  Sum first;             ///< where [0][0] is read
  std::vector<Sum> rows; ///< how far it is from one index to the next
};

class KernelReader {
public:
  KernelReader(const SourceUnit& unit, const SourceText& text, const clang::FunctionDecl* kernel,
               const Facts& facts, PlainChanges& changes)
      : unit_(unit), text_(text), kernel_(kernel), variables_(kernel, {}, &facts),
        changes_(changes) {}

  void look() {
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(kernel_->getBody());
    if (!list)
      return;
    const std::vector<const clang::Stmt*> all(list->body_begin(), list->body_end());
    const auto barrier = std::find_if(all.begin(), all.end(), isBarrier);
    if (barrier == all.end() || !findTiles({all.begin(), barrier}))
      return;
    const std::vector<const clang::Stmt*> behind(barrier + 1, all.end());
    if (behind.empty() || !mayReadThrough(behind))
      return;
    write({first_, before_.cend()}, list);
  }

private:
  using Statements = std::vector<const clang::Stmt*>;
  using Range = std::pair<Statements::const_iterator, Statements::const_iterator>;

  // --- integers as sums

  std::optional<Sum> sumOf(const clang::Expr* e, Known& known, unsigned depth = 0) {
    constexpr unsigned deepest = 24;
    if (depth > deepest)
      return std::nullopt;
    e = e->IgnoreParens();
    if (!e->isValueDependent()) {
      clang::Expr::EvalResult value;
      if (!e->getType()->isIntegerType() || e->getType()->isBooleanType())
        return std::nullopt;
      if (e->EvaluateAsInt(value, unit_.context()) && value.Val.getInt().getSignificantBits() <= 62)
        return constantSum(value.Val.getInt().getExtValue());
    }
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
      const clang::Expr* of = cast->getSubExpr();
      const clang::QualType from = of->getType(), to = cast->getType();
      if (!from->isDependentType() && !to->isDependentType() &&
          (!from->isIntegerType() || from->isBooleanType() || to->isBooleanType() ||
           unit_.context().getTypeSize(to) < 32))
        return std::nullopt;
      return sumOf(of, known, depth + 1);
    }
    for (const auto& [builtin, name] : {std::pair(ThreadIdx, "threadIdx"),
                                        {BlockIdx, "blockIdx"},
                                        {BlockDim, "blockDim"},
                                        {GridDim, "gridDim"}})
      for (const char* part : {"x", "y", "z"})
        if (isPart(e, builtin, part))
          return builtinSum(builtin, std::string(name) + "." + part, part, known);
    if (isRankInBlock(e)) {
      const auto part = [&](Builtin of, const char* name, const char* p) {
        return builtinSum(of, std::string(name) + "." + p, p, known);
      };
      return part(ThreadIdx, "threadIdx", "x") +
             part(BlockDim, "blockDim", "x") *
                 (part(ThreadIdx, "threadIdx", "y") +
                  part(BlockDim, "blockDim", "y") * part(ThreadIdx, "threadIdx", "z"));
    }
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e))
      return variableSum(use, known, depth);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      const clang::VarDecl* of = namedBy(member->getBase());
      if (!of || !llvm::isa<clang::ParmVarDecl>(of) || member->isArrow() || changes(of) ||
          of->getType()->isReferenceType())
        return std::nullopt;
      return gridSum(of->getNameAsString() + "." + member->getMemberDecl()->getNameAsString());
    }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return operatorSum(op, known, depth);
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e)) {
      const auto value = sumOf(op->getSubExpr(), known, depth + 1);
      if (value && op->getOpcode() == clang::UO_Minus)
        return *value * -1;
      return op->getOpcode() == clang::UO_Plus ? value : std::nullopt;
    }
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e))
      return choiceSum(choice, known, depth);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
      return callSum(call, known, depth);
    return std::nullopt;
  }

  Sum builtinSum(Builtin of, const std::string& name, const std::string& part, Known& known) {
    if (of == BlockDim)
      if (const auto size = sizes_.find(part); size != sizes_.end())
        return constantSum(size->second);
    Symbol symbol;
    symbol.text = name;
    symbol.ofGrid = of == BlockIdx || of == GridDim;
    symbol.atom = of == ThreadIdx;
    if (symbol.atom)
      symbol.bounds = {{}, builtinSum(BlockDim, "blockDim." + part, part, known) + constantSum(-1)};
    return atomSum(symbols_.add(name, symbol), known);
  }
  static Sum atomSum(unsigned atom, const Known& known) {
    const auto value = known.values.find(atom);
    return value == known.values.end() ? symbolSum(atom) : value->second;
  }
  Sum gridSum(const std::string& text) {
    Symbol symbol;
    symbol.text = text;
    symbol.ofGrid = symbol.mayBeNegative = true;
    return symbolSum(symbols_.add(text, symbol));
  }

  /// Whether a variable is ever changed.
  bool changes(const clang::VarDecl* variable) const {
    const LocalVariable* local = variables_.find(variable);
    return !local || local->modified || local->escapes;
  }

  std::optional<Sum> variableSum(const clang::DeclRefExpr* use, Known& known, unsigned depth) {
    if (const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(use->getDecl())) {
      Symbol symbol;
      symbol.text = value->getNameAsString();
      symbol.mayBeNegative = true;
      return symbolSum(symbols_.add(symbol.text, symbol));
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (!variable)
      return std::nullopt;
    if (const auto value = known.variables.find(variable); value != known.variables.end()) {
      const auto atom = value->second.size() == 1 && value->second.begin()->first.size() == 1
                            ? known.values.find(value->second.begin()->first[0])
                            : known.values.end();
      return atom == known.values.end() ? value->second : atom->second;
    }
    if (changes(variable) || !variable->hasLocalStorage() || variable->getType()->isReferenceType())
      return std::nullopt;
    if (llvm::isa<clang::ParmVarDecl>(variable))
      return variable->getDeclContext() == kernel_
                 ? std::optional(gridSum(variable->getNameAsString()))
                 : std::nullopt;
    if (!variable->hasInit() || (!variable->getType()->isDependentType() &&
                                 unit_.context().getTypeSize(variable->getType()) < 32))
      return std::nullopt;
    return sumOf(variable->getInit(), known, depth + 1);
  }

  std::optional<Sum> operatorSum(const clang::BinaryOperator* op, Known& known, unsigned depth) {
    const auto left = sumOf(op->getLHS(), known, depth + 1);
    const auto right = left ? sumOf(op->getRHS(), known, depth + 1) : std::nullopt;
    if (!right)
      return std::nullopt;
    switch (op->getOpcode()) {
    case clang::BO_Add:
      return *left + *right;
    case clang::BO_Sub:
      return *left - *right;
    case clang::BO_Mul:
      return *left * *right;
    case clang::BO_Shl:
      if (const auto by = asConstant(*right); by && *by >= 0 && *by < 16)
        return *left * (1ll << *by);
      return std::nullopt;
    case clang::BO_Div:
    case clang::BO_Rem:
      return partSum(op->getOpcode() == clang::BO_Div, *left, *right, known);
    default:
      return std::nullopt;
    }
  }

  /// `t / 34` and `t % 34` are atoms of their own. `(x + 1) % n` is x + 1 inside of the grid.
  std::optional<Sum> partSum(bool quotient, const Sum& left, const Sum& right, Known& known) {
    const auto by = asConstant(right);
    if (by && *by > 0 && !symbols_.isOfGrid(left) && symbols_.hasAtoms(left)) {
      std::vector<Sum> asked;
      const auto least = symbols_.extreme(left, false, known.bounds, asked);
      const auto most = symbols_.extreme(left, true, known.bounds, asked);
      const auto lowest = least ? asConstant(*least) : std::nullopt;
      const auto highest = most ? asConstant(*most) : std::nullopt;
      if (!lowest || *lowest < 0 || !highest || !asked.empty())
        return std::nullopt;
      Symbol symbol;
      symbol.atom = true;
      symbol.bounds = {{}, constantSum(quotient ? *highest / *by : *by - 1)};
      std::string key = quotient ? "/" : "%";
      for (const auto& [product, times] : left) {
        key += " " + std::to_string(times);
        for (const unsigned s : product)
          key += "*" + std::to_string(s);
      }
      return atomSum(symbols_.add(key + " " + std::to_string(*by), symbol), known);
    }
    if (quotient || by || right.size() != 1 || right.begin()->second != 1 ||
        !symbols_.isOfGrid(right))
      return std::nullopt;
    Sum rest = left;
    if (const auto wraps = rest.find(right.begin()->first); wraps != rest.end())
      rest.erase(wraps);
    return demand(rest, known) && demand(right - rest + constantSum(-1), known)
               ? std::optional(rest)
               : std::nullopt;
  }

  /// The side that differs between threads or blocks; the condition is asked of all of them.
  std::optional<Sum> choiceSum(const clang::ConditionalOperator* choice, Known& known,
                               unsigned depth) {
    for (const bool holds : {true, false}) {
      const auto demanded = conditions_;
      Known inside = known;
      const auto value =
          sumOf(holds ? choice->getTrueExpr() : choice->getFalseExpr(), inside, depth + 1);
      if (value && differs(*value) && isOfGrid(choice->getCond(), known) &&
          assume(choice->getCond(), holds, known))
        return value;
      conditions_ = demanded;
    }
    return std::nullopt;
  }

  bool differs(const Sum& sum) const {
    return std::any_of(sum.begin(), sum.end(), [&](const auto& term) {
      return std::any_of(term.first.begin(), term.first.end(), [&](unsigned symbol) {
        const Symbol& s = symbols_[symbol];
        return s.atom || llvm::StringRef(s.text).starts_with("blockIdx.");
      });
    });
  }

  std::optional<Sum> callSum(const clang::CallExpr* call, Known& known, unsigned depth) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || llvm::isa<clang::CXXMemberCallExpr>(call))
      return std::nullopt;
    const llvm::StringRef name = callee->getDeclName().isIdentifier() ? callee->getName() : "";
    const bool isUser = unit_.isUser(callee->getLocation());
    if (!isUser && (name == "min" || name == "max") && call->getNumArgs() == 2) {
      const auto a = sumOf(call->getArg(0), known, depth + 1);
      const auto b = a ? sumOf(call->getArg(1), known, depth + 1) : std::nullopt;
      if (!b || differs(*a) == differs(*b))
        return std::nullopt;
      const Sum& mine = differs(*a) ? *a : *b;
      const Sum& bound = differs(*a) ? *b : *a;
      return demand(name == "min" ? bound - mine : mine - bound, known) ? std::optional(mine)
                                                                        : std::nullopt;
    }
    const clang::FunctionDecl* body = nullptr;
    if (!isUser || !callee->hasBody(body) || body->isDependentContext())
      return std::nullopt;
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body->getBody());
    const auto* back =
        list && list->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(list->body_front()) : nullptr;
    if (!back || !back->getRetValue() || body->getNumParams() != call->getNumArgs())
      return std::nullopt;
    Known inside = known;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const auto value = sumOf(call->getArg(i), known, depth + 1);
      if (!value || !body->getParamDecl(i)->getType()->isIntegerType())
        return std::nullopt;
      inside.variables[body->getParamDecl(i)] = *value;
    }
    return sumOf(back->getRetValue(), inside, depth + 1);
  }

  // --- conditions

  /// demand() asks that a sum is never negative.
  bool demand(const Sum& sum, const Known& known) {
    std::vector<Sum> asked;
    const auto least = symbols_.extreme(sum, false, known.bounds, asked);
    if (!least)
      return false;
    for (const Sum& other : asked)
      conditions_.insert(symbols_.print(other) + " >= 0");
    if (const auto value = asConstant(*least))
      return *value >= 0;
    if (symbols_.isNeverNegative(*least))
      return true;
    conditions_.insert(symbols_.print(*least) + " >= 0");
    return true;
  }

  /// Where an integer without sign would wrap around, comparisons say something else.
  bool compared(const clang::BinaryOperator* op, Known& known, Sum& left, Sum& right) {
    const auto a = sumOf(op->getLHS(), known), b = sumOf(op->getRHS(), known);
    if (!a || !b)
      return false;
    left = *a;
    right = *b;
    return true;
  }
  bool demandOperands(const clang::BinaryOperator* op, const Sum& left, const Sum& right,
                      const Known& known) {
    const auto subtracts = [](const Sum& sum) {
      return std::any_of(sum.begin(), sum.end(), [](const auto& term) { return term.second < 0; });
    };
    if (op->getLHS()->getType()->isSignedIntegerType() &&
        op->getRHS()->getType()->isSignedIntegerType())
      return true;
    return (!subtracts(left) || demand(left, known)) && (!subtracts(right) || demand(right, known));
  }

  static const clang::Expr* flagOf(const clang::Expr* e) {
    const clang::VarDecl* flag = namedBy(e);
    return flag && flag->getType()->isBooleanType() && flag->hasLocalStorage() &&
                   !llvm::isa<clang::ParmVarDecl>(flag)
               ? flag->getInit()
               : nullptr;
  }

  /// Whether a condition asks only for where the block lies.
  bool isOfGrid(const clang::Expr* e, Known& known) { return kindOf(e, known) == OfGrid; }
  enum Kind { Unknown, OfThread, OfGrid, Mixed };
  Kind kindOf(const clang::Expr* e, Known& known, unsigned depth = 0) {
    e = plainly(e);
    if (const clang::Expr* flag = flagOf(e))
      return changes(namedBy(e)) || depth > 8 ? Unknown : kindOf(flag, known, depth + 1);
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return op->getOpcode() == clang::UO_LNot ? kindOf(op->getSubExpr(), known, depth) : Unknown;
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (op && op->isLogicalOp()) {
      const Kind left = kindOf(op->getLHS(), known, depth),
                 right = kindOf(op->getRHS(), known, depth);
      return left == Unknown || right == Unknown ? Unknown : left == right ? left : Mixed;
    }
    Sum left, right;
    const auto demanded = conditions_;
    const bool good = op && op->isComparisonOp() && compared(op, known, left, right);
    conditions_ = demanded;
    return !good ? Unknown : symbols_.isOfGrid(left - right) ? OfGrid : OfThread;
  }

  /// assume() asks that a condition holds (or fails) for all threads, as far as it says where the
  /// block lies, and notes what else it says.
  bool assume(const clang::Expr* e, bool holds, Known& known, unsigned depth = 0) {
    e = plainly(e);
    if (const clang::Expr* flag = flagOf(e))
      return !changes(namedBy(e)) && depth < 8 && assume(flag, holds, known, depth + 1);
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e))
      return op->getOpcode() == clang::UO_LNot && assume(op->getSubExpr(), !holds, known, depth);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op)
      return false;
    if (op->isLogicalOp()) {
      if ((op->getOpcode() == clang::BO_LAnd) == holds)
        return assume(op->getLHS(), holds, known, depth) &&
               assume(op->getRHS(), holds, known, depth);
      return kindOf(op, known) == OfThread;
    }
    Sum left, right;
    if (!op->isComparisonOp() || !compared(op, known, left, right))
      return false;
    const clang::BinaryOperatorKind kind =
        holds ? op->getOpcode() : clang::BinaryOperator::negateComparisonOp(op->getOpcode());
    if (!symbols_.isOfGrid(left - right)) {
      note(kind, left, right, known);
      return true;
    }
    if (!demandOperands(op, left, right, known))
      return false;
    switch (kind) {
    case clang::BO_LT:
      return demand(right - left + constantSum(-1), known);
    case clang::BO_LE:
      return demand(right - left, known);
    case clang::BO_GT:
      return demand(left - right + constantSum(-1), known);
    case clang::BO_GE:
      return demand(left - right, known);
    case clang::BO_NE: {
      std::vector<Sum> asked;
      const auto least = symbols_.extreme(left - right, false, known.bounds, asked);
      const auto most = symbols_.extreme(left - right, true, known.bounds, asked);
      if (!least || !most || !asked.empty())
        return false;
      conditions_.insert("(" + symbols_.print(*least) + " > 0 || " + symbols_.print(*most) +
                         " < 0)");
      return true;
    }
    default:
      return false;
    }
  }

  /// What a condition on the thread's place says of one atom.
  void note(clang::BinaryOperatorKind kind, Sum left, Sum right, Known& known) const {
    if (symbols_.hasAtoms(right) && !symbols_.hasAtoms(left)) {
      std::swap(left, right);
      kind = clang::BinaryOperator::reverseComparisonOp(kind);
    }
    const auto atoms = symbols_.atomsOf(left);
    if (atoms.size() != 1 || symbols_.hasAtoms(right))
      return;
    const unsigned atom = atoms[0];
    const auto factor = symbols_.factorOf(left, atom);
    if (!factor || asConstant(*factor) != 1)
      return;
    // Without a sign `x - 1 < 5` fails for x = 0: only what is added is known.
    const Sum added = left - symbolSum(atom);
    const auto far = asConstant(added);
    if (!far || *far < 0)
      return;
    const Sum value = right - added;
    Bounds& bounds = known.bounds.insert({atom, symbols_[atom].bounds}).first->second;
    switch (kind) {
    case clang::BO_EQ:
      known.values[atom] = value;
      break;
    case clang::BO_LT:
      bounds.most = value + constantSum(-1);
      break;
    case clang::BO_LE:
      bounds.most = value;
      break;
    case clang::BO_GT:
      bounds.least = value + constantSum(1);
      break;
    case clang::BO_GE:
      bounds.least = value;
      break;
    default:
      break;
    }
  }

  // --- what is written before the barrier

  bool findTiles(const Statements& before) {
    for (const clang::Stmt* s : before)
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
        for (const clang::Decl* decl : declared->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
              variable && isShared(variable) && !addTile(variable))
            otherShared_.insert(variable);
    before_ = before;
    if (readFills())
      return true;
    // One may be a copy where another is not.
    const auto all = tiles_;
    for (const auto& [variable, tile] : all) {
      if (all.size() == 1)
        return false;
      tiles_ = {{variable, tile}};
      for (const auto& [other, of] : all)
        if (other != variable)
          otherShared_.insert(other);
      otherShared_.erase(variable);
      if (readFills())
        return true;
    }
    return false;
  }

  bool addTile(const clang::VarDecl* variable) {
    Tile tile;
    tile.variable = variable;
    clang::QualType type = variable->getType();
    while (const clang::ArrayType* array = type->getAsArrayTypeUnsafe()) {
      const auto* sized = llvm::dyn_cast<clang::ConstantArrayType>(array);
      if (!sized && !llvm::isa<clang::DependentSizedArrayType>(array))
        return false;
      tile.sizes.push_back(sized ? sized->getSize().getZExtValue() : 0);
      type = array->getElementType();
    }
    if (tile.sizes.empty() || !type->isArithmeticType() || type.isVolatileQualified() ||
        variable->getLocation().isMacroID())
      return false;
    tiles_[variable] = tile;
    return true;
  }

  Tile* tileOf(const clang::Expr* e) {
    const ArrayElement element = elementOf(e);
    const auto found = element.array ? tiles_.find(element.array) : tiles_.end();
    return found == tiles_.end() ? nullptr : &found->second;
  }
  bool namesTile(const clang::Stmt* s) const {
    const Piece contents(s);
    return std::any_of(contents.names.begin(), contents.names.end(),
                       [&](const clang::VarDecl* v) { return tiles_.count(v) != 0; });
  }

  bool readFills() {
    bool began = false;
    fills_.clear();
    sizes_.clear();
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const clang::Stmt* s = before_[i];
      const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
      if (declared) {
        const bool shares = std::any_of(declared->decl_begin(), declared->decl_end(),
                                        [](const clang::Decl* d) { return isShared(d); });
        if (shares ? began : namesTile(s))
          return false;
        continue;
      }
      if (!namesTile(s))
        continue;
      if (!began)
        first_ = before_.begin() + std::ptrdiff_t(i);
      began = true;
      fills_.insert(s);
    }
    if (!began)
      return false;
    // Where an index counts by blockDim.x and a tile by a constant, they are taken for the same.
    for (unsigned round = 0; round < 4; ++round) {
      learned_ = false;
      conditions_.clear();
      for (auto& [variable, tile] : tiles_)
        tile.writes.clear();
      Known known;
      for (const clang::Stmt* s : fills_)
        if (!readFill(s, known))
          return false;
      bool good = true;
      for (auto& [variable, tile] : tiles_)
        good = good && compare(tile);
      if (good)
        return true;
      if (!learned_)
        return false;
    }
    return false;
  }

  bool readFill(const clang::Stmt* s, const Known& known) {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return std::all_of(list->body_begin(), list->body_end(),
                         [&](const clang::Stmt* part) { return readFill(part, known); });
    if (const auto* hinted = llvm::dyn_cast<clang::AttributedStmt>(s))
      return readFill(hinted->getSubStmt(), known);
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
      return declared->isSingleDecl() || !namesTile(s);
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return readBranch(branch, known);
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
      return readLoop(loop, known);
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    const auto* op = e ? llvm::dyn_cast<clang::BinaryOperator>(plainly(e)) : nullptr;
    if (!op || op->getOpcode() != clang::BO_Assign)
      return false;
    Tile* tile = tileOf(op->getLHS());
    const ArrayElement element = elementOf(op->getLHS());
    if (!tile || element.indices.size() != tile->sizes.size())
      return false;
    Known here = known;
    Tile::Write write;
    for (const clang::Expr* index : element.indices) {
      const auto sum = sumOf(index, here);
      if (!sum || symbols_.isOfGrid(*sum))
        return false;
      write.element.push_back(*sum);
    }
    const auto from = loaded(op->getRHS(), here);
    if (!from)
      return false;
    const clang::QualType pointee = from->array->getType()->getPointeeType();
    if (!unit_.context().hasSameUnqualifiedType(pointee, op->getLHS()->getType()) ||
        pointee.isVolatileQualified())
      return false;
    write.from = *from;
    tile->writes.push_back(std::move(write));
    return true;
  }

  bool readBranch(const clang::IfStmt* branch, const Known& known) {
    if (branch->getInit() || branch->getConditionVariable() || branch->isConstexpr())
      return false;
    Known here = known, other = known;
    const clang::Expr* condition = branch->getCond();
    // `if (tx == 31 || x == nx - 1)`: the latter is nobody inside of the grid.
    if (const auto* either = llvm::dyn_cast<clang::BinaryOperator>(plainly(condition));
        either && either->getOpcode() == clang::BO_LOr && !branch->getElse() &&
        kindOf(either->getLHS(), here) == OfThread && holdsNowhere(either->getRHS(), known))
      condition = either->getLHS();
    const Kind kind = kindOf(condition, here);
    if (kind == Unknown || !assume(condition, true, here))
      return false;
    if (!readFill(branch->getThen(), here))
      return false;
    if (!branch->getElse() || kind == OfGrid)
      return true;
    return kind == OfThread && assume(branch->getCond(), false, other) &&
           readFill(branch->getElse(), other);
  }

  bool readLoop(const clang::ForStmt* loop, const Known& known) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* counter = declared && declared->isSingleDecl()
                              ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                              : nullptr;
    const auto* condition =
        loop->getCond() ? llvm::dyn_cast<clang::BinaryOperator>(plainly(loop->getCond())) : nullptr;
    if (!counter || !counter->hasInit() || !counter->getType()->isIntegerType() || !condition ||
        namedBy(condition->getLHS()) != counter || !loop->getInc() ||
        (condition->getOpcode() != clang::BO_LT && condition->getOpcode() != clang::BO_LE))
      return false;
    const auto* up = llvm::dyn_cast<clang::UnaryOperator>(loop->getInc()->IgnoreParens());
    const auto* by = llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
    if (!(up && up->isIncrementOp() && namedBy(up->getSubExpr()) == counter) &&
        !(by && by->getOpcode() == clang::BO_AddAssign && namedBy(by->getLHS()) == counter))
      return false;
    const Piece body(loop->getBody());
    if (body.leaves || std::any_of(body.changed.begin(), body.changed.end(),
                                   [&](const clang::Expr* e) { return namedBy(e) == counter; }))
      return false;
    Known here = known;
    const auto begin = sumOf(counter->getInit(), here);
    const auto end = sumOf(condition->getRHS(), here);
    std::vector<Sum> asked;
    const auto least = begin ? symbols_.extreme(*begin, false, here.bounds, asked) : std::nullopt;
    if (!least || !end || !asked.empty() || symbols_.isOfGrid(*least) || symbols_.isOfGrid(*end) ||
        symbols_.hasAtoms(*end))
      return false;
    if (by) {
      const auto step = sumOf(by->getRHS(), here);
      const auto one = step ? asConstant(*step) : std::nullopt;
      if (!step || symbols_.isOfGrid(*step) || (one && *one <= 0))
        return false;
    }
    Symbol symbol;
    symbol.atom = true;
    symbol.bounds = {*least,
                     condition->getOpcode() == clang::BO_LT ? *end + constantSum(-1) : *end};
    // Anew where more is known of blockDim.
    std::string key = "loop " + std::to_string(reinterpret_cast<std::uintptr_t>(loop));
    for (const auto& [part, size] : sizes_)
      key += " " + part + std::to_string(size);
    here.variables[counter] = symbolSum(symbols_.add(key, symbol));
    return readFill(loop->getBody(), here);
  }

  /// The array and place that a value is loaded from, in all threads of blocks inside of the grid.
  std::optional<Place> loaded(const clang::Expr* e, Known& known, unsigned depth = 0) {
    e = plainly(e);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
      for (const bool holds : {true, false}) {
        const auto demanded = conditions_;
        const auto place =
            loaded(holds ? choice->getTrueExpr() : choice->getFalseExpr(), known, depth);
        if (place && isOfGrid(choice->getCond(), known) && assume(choice->getCond(), holds, known))
          return place;
        conditions_ = demanded;
      }
      return std::nullopt;
    }
    if (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      const auto base = pointed(at->getBase(), known);
      const auto index = base ? sumOf(at->getIdx(), known) : std::nullopt;
      return index ? std::optional(Place{base->array, base->index + *index}) : std::nullopt;
    }
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
        op && op->getOpcode() == clang::UO_Deref)
      return pointed(op->getSubExpr(), known);
    const clang::VarDecl* variable = namedBy(e);
    if (variable && depth < 4 && variable->hasLocalStorage() && variable->hasInit() &&
        !llvm::isa<clang::ParmVarDecl>(variable) && !changes(variable))
      return loaded(variable->getInit(), known, depth + 1);
    return std::nullopt;
  }

  std::optional<Place> pointed(const clang::Expr* e, Known& known, unsigned depth = 0) {
    e = plainly(e);
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
        op && op->getOpcode() == clang::BO_Add && op->getLHS()->getType()->isPointerType()) {
      const auto base = pointed(op->getLHS(), known, depth);
      const auto index = base ? sumOf(op->getRHS(), known) : std::nullopt;
      return index ? std::optional(Place{base->array, base->index + *index}) : std::nullopt;
    }
    const clang::VarDecl* variable = namedBy(e);
    if (!variable || !variable->getType()->isPointerType() || changes(variable) || depth > 4)
      return std::nullopt;
    if (const auto* given = llvm::dyn_cast<clang::ParmVarDecl>(variable))
      return Place{given, {}};
    return variable->hasLocalStorage() && variable->hasInit()
               ? pointed(variable->getInit(), known, depth + 1)
               : std::nullopt;
  }

  /// Whether all elements of a tile come from places that the same sum tells.
  bool compare(Tile& tile) {
    if (tile.writes.empty())
      return false;
    const std::size_t depth = tile.sizes.size();
    for (const Tile::Write& main : tile.writes) {
      std::vector<Sum> rows;
      for (std::size_t i = 0; i < depth; ++i)
        for (const unsigned atom : symbols_.atomsOf(main.element[i])) {
          const auto mine = symbols_.factorOf(main.element[i], atom);
          const auto whole = symbols_.factorOf(main.from.index, atom);
          const auto times = mine ? asConstant(*mine) : std::nullopt;
          bool alone = whole && times == 1;
          for (std::size_t other = 0; other < depth; ++other)
            alone = alone && (other == i || symbols_.factorOf(main.element[other], atom) == Sum{});
          if (!alone || rows.size() > i)
            continue;
          rows.push_back(*whole);
        }
      if (rows.size() != depth || asConstant(rows.back()) != 1)
        continue;
      tile.rows = rows;
      tile.first = offsetOf(main, rows);
      if (symbols_.hasAtoms(tile.first))
        continue;
      for (const Tile::Write& write : tile.writes) {
        if (write.from.array != main.from.array)
          return false;
        const Sum rest = offsetOf(write, rows) - tile.first;
        if (!rest.empty())
          return learn(rest);
      }
      return true;
    }
    return false;
  }
  static Sum offsetOf(const Tile::Write& write, const std::vector<Sum>& rows) {
    Sum out = write.from.index;
    for (std::size_t i = 0; i < rows.size(); ++i)
      out = out - rows[i] * write.element[i];
    return out;
  }

  /// If a difference is none for one size of the block, this is the size that is looked at.
  bool learn(const Sum& rest) {
    for (const char* part : {"x", "y", "z"}) {
      Known known;
      if (sizes_.count(part))
        continue;
      const Sum size = builtinSum(BlockDim, std::string("blockDim.") + part, part, known);
      const unsigned symbol = size.begin()->first[0];
      // rest is (size - value) * factor.
      Sum factor, others;
      bool linear = true;
      for (const auto& [product, times] : rest) {
        Product left;
        for (const unsigned s : product)
          if (s != symbol)
            left.push_back(s);
        linear = linear && product.size() - left.size() <= 1;
        (product.size() == left.size() ? others : factor)[left] = times;
      }
      if (!linear || factor.empty() || others.empty() ||
          others.begin()->first != factor.begin()->first ||
          others.begin()->second % factor.begin()->second != 0)
        continue;
      const long long value = -(others.begin()->second / factor.begin()->second);
      if (value <= 0 || value > 1024 || !(others + factor * value).empty())
        continue;
      sizes_[part] = value;
      learned_ = true;
    }
    return false;
  }

  // --- what is read behind it

  /// `if (x >= nx) return;` and `if (x == 0) { ...; return; }`: what follows becomes the other
  /// side.
  struct Returning {
    const clang::IfStmt* branch = nullptr;
    const clang::ReturnStmt* last = nullptr;
  };
  bool findReturns(const Statements& behind) {
    for (const clang::Stmt* s : behind) {
      const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
      const Returns returns(s);
      if (returns.all.empty()) {
        if (!returning_.empty() && returns.meets)
          return false;
        continue;
      }
      const clang::Stmt* last = branch ? branch->getThen() : nullptr;
      if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(last))
        last = list->body_empty() ? nullptr : list->body_back();
      if (returns.all.size() != 1 || last != returns.all[0] || branch->getElse() ||
          branch->getInit() || branch->getConditionVariable() || branch->isConstexpr() ||
          returns.meets)
        return false;
      returning_.push_back({branch, returns.all[0]});
    }
    return true;
  }
  class Returns : public SyntaxVisitor {
  public:
    explicit Returns(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
    std::vector<const clang::ReturnStmt*> all;
    bool meets = false;
    bool VisitReturnStmt(clang::ReturnStmt* s) override {
      all.push_back(s);
      return true;
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      meets |= isBarrier(call);
      return true;
    }
  };

  /// What stands between the copies and the barrier is done before the array is read.
  bool mayStandTwice() {
    Known known;
    for (auto s = first_; s != before_.cend(); ++s) {
      if (fills_.count(*s))
        continue;
      const Piece contents(*s);
      if (contents.odd || contents.leaves ||
          !std::all_of(contents.calls.begin(), contents.calls.end(), isHarmless) ||
          !std::all_of(contents.changed.begin(), contents.changed.end(),
                       [&](const clang::Expr* place) { return mayChange(place, known); }))
        return false;
    }
    return true;
  }

  bool mayReadThrough(const Statements& behind) {
    if (!findReturns(behind) || !mayStandTwice())
      return false;
    Slopes along(kernel_->getBody(), "x");
    Known known;
    for (const clang::Stmt* s : behind) {
      const Piece contents(s);
      if (contents.odd)
        return false;
      for (const clang::DeclRefExpr* use : contents.others)
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
            tiles_.count(variable))
          return false;
      for (const clang::VarDecl* variable : contents.names)
        if (isShared(variable) && !tiles_.count(variable) && !otherShared_.count(variable))
          return false;
      for (const clang::ArraySubscriptExpr* e : contents.elements)
        if (const Tile* tile = tileOf(e)) {
          const ArrayElement element = elementOf(e);
          if (element.indices.size() != tile->sizes.size() || e->getBeginLoc().isMacroID() ||
              e->getEndLoc().isMacroID() || along.slope(element.indices.back()) > 1)
            return false;
          for (std::size_t i = 0; i + 1 < element.indices.size(); ++i)
            if (along.slope(element.indices[i]) != 0)
              return false;
          reads_.push_back(e);
        }
      for (const clang::CallExpr* call : contents.calls)
        if (!isHarmless(call))
          return false;
      for (const clang::Expr* place : contents.changed)
        if (!mayChange(place, known))
          return false;
    }
    return !reads_.empty();
  }

  static bool isHarmless(const clang::CallExpr* call) {
    if (isBarrier(call))
      return true;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return callee && !llvm::isa<clang::CXXMemberCallExpr>(call) &&
           callee->getReturnType()->isArithmeticType() &&
           std::all_of(callee->param_begin(), callee->param_end(), [](const clang::ParmVarDecl* p) {
             clang::QualType type = p->getType();
             if (const auto* reference = type->getAs<clang::ReferenceType>())
               type = reference->getPointeeType().isConstQualified() ? reference->getPointeeType()
                                                                     : clang::QualType();
             return !type.isNull() && type->isArithmeticType();
           });
  }

  bool mayChange(const clang::Expr* place, Known& known) {
    place = place->IgnoreParens();
    if (tileOf(place))
      return false;
    if (const clang::VarDecl* variable = namedBy(place))
      return variable->hasLocalStorage() && !variable->getType()->isPointerType() &&
             !variable->getType()->isReferenceType();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
      return !member->isArrow() && mayChange(member->getBase(), known);
    const ArrayElement element = elementOf(place);
    if (element.array && element.array->getType()->isArrayType())
      return isShared(element.array) || element.array->hasLocalStorage();
    const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(place);
    const auto base = at ? pointed(at->getBase(), known) : std::nullopt;
    if (!base)
      return false;
    const auto demanded = conditions_;
    const auto index = sumOf(at->getIdx(), known);
    // Only where it is: nothing is asked of it.
    const bool asked = conditions_ != demanded;
    conditions_ = demanded;
    for (const auto& [variable, tile] : tiles_) {
      const clang::ParmVarDecl* from = tile.writes.front().from.array;
      if (from == base->array)
        return false;
      if (from->getType().isRestrictQualified() || base->array->getType().isRestrictQualified())
        continue;
      if (!index || asked || !keepApart(tile, *base, *index))
        return false;
    }
    return true;
  }

  /// Asks that what is stored lies before or behind what is read.
  bool keepApart(const Tile& tile, const Place& base, const Sum& index) {
    const Known known;
    std::vector<Sum> asked;
    const Sum stored = base.index + index;
    const auto least = symbols_.extreme(stored, false, known.bounds, asked);
    const auto most = symbols_.extreme(stored, true, known.bounds, asked);
    Sum last = tile.first;
    for (std::size_t i = 0; i < tile.sizes.size(); ++i) {
      if (tile.sizes[i] == 0)
        return false;
      last = last + tile.rows[i] * (static_cast<long long>(tile.sizes[i]) - 1);
    }
    if (!least || !most)
      return false;
    for (const Sum& other : asked)
      conditions_.insert(symbols_.print(other) + " >= 0");
    const std::string in = tile.writes.front().from.array->getNameAsString(),
                      out = base.array->getNameAsString();
    const auto at = [&](const std::string& array, const Sum& place) {
      return "(const char*)(" + array + " + (" + symbols_.print(place) + "))";
    };
    conditions_.insert("(" + at(in, last + constantSum(1)) + " <= " + at(out, *least) + " || " +
                       at(out, *most + constantSum(1)) + " <= " + at(in, tile.first) + ")");
    return true;
  }

  // --- text

  void write(const Range& filled, const clang::CompoundStmt* list) {
    const auto begin = text_.positionOf((*filled.first)->getBeginLoc());
    const auto end = text_.positionOf(list->getRBracLoc());
    const auto opened = text_.positionOf(list->getLBracLoc());
    if (!begin || !end || !opened || begin->file != end->file || begin->file != opened->file ||
        (*filled.first)->getBeginLoc().isMacroID() || list->getRBracLoc().isMacroID())
      return;
    const llvm::StringRef buffer = text_.buffer(begin->file);
    for (const auto& hidden : unit_.skippedRanges(begin->file))
      if (hidden.first < end->offset && hidden.second > opened->offset)
        return;
    // A loop's `#pragma unroll` keeps its line: what is new stands at the end of the one before.
    unsigned from = begin->offset;
    if (buffer[from] == '#') {
      const std::size_t lineEnd = buffer.rfind('\n', from);
      if (lineEnd == llvm::StringRef::npos || lineEnd == 0)
        return;
      const llvm::StringRef before = buffer.substr(0, lineEnd);
      const llvm::StringRef line = before.substr(before.rfind('\n') + 1);
      if (line.contains("//") || line.ends_with("\\") || line.ltrim().starts_with("#"))
        return;
      from = unsigned(lineEnd);
    }
    // What stands between the first copy and the barrier, without the copies, and what is behind.
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    for (auto s = filled.first; s != filled.second; ++s)
      if (fills_.count(*s)) {
        auto range = text_.rangeOf((*s)->getSourceRange());
        if (!range || range->file != begin->file || (*s)->getBeginLoc().isMacroID())
          return;
        // `if (...) tile[...] = ...;`: the semicolon stays.
        edits[range->begin] = {range->end, ""};
      }
    for (const clang::ArraySubscriptExpr* e : reads_)
      if (!editRead(e, begin->file, edits))
        return;
    auto& changes = changes_[begin->file];
    std::map<unsigned, std::pair<unsigned, std::string>> others;
    std::string close, closeOthers;
    for (const Returning& r : returning_) {
      const auto whole = text_.rangeOf(r.branch->getSourceRange());
      const auto last = text_.rangeOf(r.last->getSourceRange());
      const auto semicolon = last ? behindSemicolon(text_, *last) : std::nullopt;
      if (!whole || !semicolon || whole->file != begin->file || last->file != begin->file ||
          r.branch->getBeginLoc().isMacroID() || r.branch->getEndLoc().isMacroID())
        return;
      const unsigned after = std::max(whole->end, *semicolon);
      others[last->begin] = {last->end, ""};
      others[after] = {after, " else {"};
      closeOthers += "}";
      if (holdsNowhere(r.branch->getCond())) {
        edits.erase(edits.lower_bound(whole->begin), edits.lower_bound(after));
        edits[whole->begin] = {after, ""};
        continue;
      }
      edits[last->begin] = {last->end, ""};
      edits[after] = {after, " else {"};
      close += "}";
    }
    std::string copy;
    if (!oneLine(buffer, from, end->offset, edits, copy) || copy.size() > longest)
      return;
    std::string head;
    for (const auto& [variable, tile] : tiles_) {
      const std::string name = variable->getNameAsString();
      const clang::ParmVarDecl* from = tile.writes.front().from.array;
      const std::string element =
          from->getType()->getPointeeType().getUnqualifiedType().getAsString(
              unit_.context().getPrintingPolicy());
      head += "const " + element + "* const cuTile_" + name + " = " + from->getNameAsString() +
              " + (" + symbols_.print(tile.first) + "); ";
      for (std::size_t i = 0; i + 1 < tile.rows.size(); ++i) {
        head += "const long long cuRow" + std::to_string(i) + "_" + name + " = " +
                symbols_.print(tile.rows[i]) + "; ";
      }
    }
    std::string condition;
    for (const auto& [part, size] : sizes_)
      condition +=
          (condition.empty() ? "" : " && ") + ("blockDim." + part + " == ") + std::to_string(size);
    for (const std::string& one : conditions_)
      condition += (condition.empty() ? "" : " && ") + one;
    head += "const bool cuInGrid = " + (condition.empty() ? "true" : condition) + "; ";
    changes[from] = {from, " " + head + "if (cuInGrid) { " + copy + close + " } else { "};
    changes.insert(others.begin(), others.end());
    changes[end->offset] = {end->offset, closeOthers + "} "};
  }

  static constexpr std::size_t longest = 6000;

  /// Whether a condition fails for all threads of blocks inside of the grid, as may be asked.
  bool holdsNowhere(const clang::Expr* condition, Known known = {}) {
    const auto demanded = conditions_;
    if (isOfGrid(condition, known) && assume(condition, false, known))
      return true;
    conditions_ = demanded;
    return false;
  }

  bool editRead(const clang::ArraySubscriptExpr* e, const std::string& file,
                std::map<unsigned, std::pair<unsigned, std::string>>& edits) {
    const ArrayElement element = elementOf(e);
    const auto whole = text_.rangeOf(e->getSourceRange());
    if (!whole || whole->file != file)
      return false;
    const std::string name = element.array->getNameAsString();
    // A row by its pointer, so that places in it are a few numbers apart for compilers.
    std::string row = "cuTile_" + name;
    for (std::size_t i = 0; i < element.indices.size(); ++i) {
      const clang::Expr* index = element.indices[i];
      if (!text_.isWhole(index) || namesTile(index))
        return false;
      const std::string text = text_.text(index->getSourceRange());
      if (i + 1 < element.indices.size())
        row += " + (long long)(" + text + ") * cuRow" + std::to_string(i) + "_" + name;
      else
        row = (i ? "(" + row + ")" : row) + "[" + text + "]";
    }
    edits[whole->begin] = {whole->end, row};
    return true;
  }

  /// A piece of text with edits, in one line: those below keep their numbers.
  static bool oneLine(llvm::StringRef buffer, unsigned begin, unsigned end,
                      const std::map<unsigned, std::pair<unsigned, std::string>>& edits,
                      std::string& out) {
    std::string text;
    unsigned at = begin;
    for (const auto& [from, edit] : edits) {
      if (from < at)
        return false;
      text += buffer.slice(at, from).str() + edit.second;
      at = edit.first;
    }
    text += buffer.slice(at, end).str();
    for (llvm::StringRef rest = text; !rest.empty();) {
      auto [line, others] = rest.split('\n');
      rest = others;
      llvm::StringRef trimmed = line.trim();
      if (trimmed.starts_with("#")) {
        // A hint to compilers, which write out short loops without it too. In the middle of a line
        // it could not stay above what is put around its loop.
        trimmed = trimmed.drop_front().ltrim();
        if (!trimmed.consume_front("pragma") || !trimmed.ltrim().starts_with("unroll"))
          return false;
        continue;
      }
      if (line.contains("/*") || line.contains("*/") || line.contains('"') || line.ends_with("\\"))
        return false;
      out += line.split("//").first.trim().str() + " ";
    }
    return true;
  }

  const SourceUnit& unit_;
  const SourceText& text_;
  const clang::FunctionDecl* kernel_;
  const Uniformity variables_;
  PlainChanges& changes_;
  Symbols symbols_;
  std::map<const clang::VarDecl*, Tile> tiles_;
  std::set<const clang::VarDecl*> otherShared_;
  Statements before_;
  Statements::const_iterator first_;
  std::set<const clang::Stmt*> fills_;
  std::vector<const clang::ArraySubscriptExpr*> reads_;
  std::vector<Returning> returning_;
  std::set<std::string> conditions_;
  std::map<std::string, long long> sizes_; ///< blockDim's parts that are taken for known
  bool learned_ = false;
};

} // namespace

TextsByFile readThroughTiles(const SourceUnit& unit, const Facts& facts) {
  const SourceText text(unit);
  PlainChanges changes;
  for (const auto& [place, f] : facts.functions)
    if (f.kernel && f.decl->getBody() && unit.isUser(f.decl->getLocation()) &&
        unit.pathOf(unit.sources().getFileID(f.decl->getLocation())) == unit.mainFile() &&
        !f.decl->getBody()->getBeginLoc().isMacroID())
      KernelReader(unit, text, f.decl, facts, changes).look();
  TextsByFile out;
  for (const auto& [file, edits] : changes) {
    std::string changed = unit.userText(file).str();
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
      changed.replace(edit->first, edit->second.first - edit->first, edit->second.second);
    out[file] = std::move(changed);
  }
  return out;
}

} // namespace cu2cpp
