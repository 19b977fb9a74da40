// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/tile_rows.h"

#include <algorithm>
#include <functional>

#include "clang/AST/ExprCXX.h"

#include "analyse/blocks_as_one.h"
#include "analyse/code_uses.h"
#include "analyse/marks.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {
namespace {

/// Shift is by how much a value in thread `t + k * size` of a block is more than in thread t of the
/// k-th block behind it: k times these.
struct Shift {
  long long sizes = 0; ///< as often as threadIdx.x is added: sizes of a block
  /// As often as blockIdx.x is added, by what it is multiplied with: nothing, or a size's text.
  std::map<std::string, long long> numbers;

  bool isNone() const { return sizes == 0 && numbers.empty(); }
};

Shift operator*(Shift a, long long times) {
  a.sizes *= times;
  for (auto at = a.numbers.begin(); at != a.numbers.end();) {
    at->second *= times;
    at = at->second == 0 ? a.numbers.erase(at) : std::next(at);
  }
  return a;
}

Shift operator+(Shift a, const Shift& b) {
  a.sizes += b.sizes;
  for (const auto& [of, number] : b.numbers)
    if ((a.numbers[of] += number) == 0)
      a.numbers.erase(of);
  return a;
}

const char* const ownSize = "blockDim.x";

/// Reads what a block does, for threads of longer rows.
class RowReader {
public:
  /// counts: updates of shared tables by atomicAdd() are the same in whatever block they are made.
  RowReader(const Facts& facts, const FunctionFacts& kernel, bool counts = false)
      : facts_(facts), kernel_(kernel), regions_(*kernel.regions),
        context_(kernel.decl->getASTContext()), counts_(counts) {
    CodeUses uses;
    uses.TraverseStmt(kernel.decl->getBody());
    for (const clang::Expr* place : uses.changed)
      if (const clang::VarDecl* variable = rootOf(place))
        changed_.insert(variable);
  }

  /// Whether a statement does the same.
  bool keeps(const clang::Stmt* s) {
    if (!s || llvm::isa<clang::NullStmt, clang::BreakStmt, clang::ContinueStmt>(s))
      return true;
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
      return std::all_of(declared->decl_begin(), declared->decl_end(),
                         [&](const clang::Decl* d) { return declares(d); });
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s))
      return std::all_of(list->body_begin(), list->body_end(),
                         [&](const clang::Stmt* one) { return keeps(one); });
    if (const auto* marked = llvm::dyn_cast<clang::AttributedStmt>(s))
      return keeps(marked->getSubStmt());
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return !branch->getInit() && !branch->getConditionVariable() && !branch->isConstexpr() &&
             isSame(branch->getCond()) && keeps(branch->getThen()) && keeps(branch->getElse());
    // Others may wait for what other blocks' threads do.
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
      noteCounter(loop);
      return countingLoop(loop, true) && keeps(loop->getInit()) && isSame(loop->getCond()) &&
             isSame(loop->getInc()) && keeps(loop->getBody());
    }
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    return e && isSame(e);
  }
  /// What stands for a block's size in what was read; nothing if that is not one thing.
  std::optional<std::string> size() const {
    return sizes_.empty()       ? std::optional<std::string>("")
           : sizes_.size() == 1 ? std::optional(*sizes_.begin())
                                : std::nullopt;
  }

private:
  /// The variable that an assignment changes; none if it changes memory.
  static const clang::VarDecl* rootOf(const clang::Expr* place) {
    for (place = place->IgnoreParenImpCasts();;) {
      if (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
        place = arrayOf(at)->IgnoreParenImpCasts();
        if (!place->getType()->isArrayType())
          return nullptr;
      } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
        if (member->isArrow())
          return nullptr;
        place = member->getBase()->IgnoreParenImpCasts();
      } else {
        return namedBy(place);
      }
    }
  }

  bool declares(const clang::Decl* declared) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
    if (!variable)
      return llvm::isa<clang::TypedefNameDecl, clang::StaticAssertDecl>(declared);
    const clang::QualType type = variable->getType();
    if (!variable->hasLocalStorage() || isShared(variable) || type->isReferenceType() ||
        type.isVolatileQualified())
      return false;
    declared_.insert(variable);
    return !variable->hasInit() ||
           (changed_.count(variable) ? isSame(variable->getInit())
                                     : shiftOf(variable->getInit()).has_value());
  }

  bool isSame(const clang::Expr* e) {
    if (!e)
      return true;
    const auto shift = shiftOf(e);
    return shift && vanishes(*shift);
  }
  /// Whether nothing is left if a block is as large as the kernel takes it for.
  bool vanishes(const Shift& shift) {
    if (shift.isNone())
      return true;
    if (shift.sizes == 0 || shift.numbers.size() != 1)
      return false;
    const auto& [of, number] = *shift.numbers.begin();
    if (!of.empty()) {
      if (of != ownSize)
        sizes_.insert(of);
      return number == -shift.sizes;
    }
    if (number % shift.sizes != 0 || -number / shift.sizes <= 0)
      return false;
    sizes_.insert(std::to_string(-number / shift.sizes));
    return true;
  }

  std::optional<Shift> shiftOf(const clang::Expr* e, unsigned depth = 0) {
    constexpr unsigned deepest = 64;
    e = e->IgnoreParens();
    if (depth > deepest || (!e->getType().isNull() && e->getType().isVolatileQualified()))
      return std::nullopt;
    if (const auto part = asBuiltinPart(e); part && llvm::isa<clang::MemberExpr>(e))
      return part->part != "x"       ? Shift{}
             : part->of == ThreadIdx ? Shift{1, {}}
             : part->of == BlockIdx  ? Shift{0, {{"", -1}}}
                                     : Shift{};
    const auto next = [&](const clang::Expr* of) { return shiftOf(of, depth + 1); };
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e))
      return ofVariable(use->getDecl(), depth);
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e))
      return ofCast(cast, next(cast->getSubExpr()));
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return ofOperator(op, next(op->getLHS()), next(op->getRHS()));
    if (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
      // What lies in memory is the same if its place is.
      const auto array = next(arrayOf(at)), index = widened(indexOf(at), next(indexOf(at)));
      return array && index && vanishes(*array + *index) ? std::optional(Shift{}) : std::nullopt;
    }
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e)) {
      const auto value = next(op->getSubExpr());
      if (op->getOpcode() == clang::UO_Minus && value && isNumber(op->getType()))
        return *value * -1;
      return value && vanishes(*value) && op->getOpcode() != clang::UO_AddrOf
                 ? std::optional(Shift{})
                 : std::nullopt;
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e); call && counts_ && isCount(call))
      return Shift{};
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(e))
      return isOfValues(call) && std::all_of(call->arg_begin(), call->arg_end(),
                                             [&](const clang::Expr* one) { return isSame(one); })
                 ? std::optional(Shift{})
                 : std::nullopt;
    // Others are made of their parts.
    if (!llvm::isa<clang::ConditionalOperator, clang::IntegerLiteral, clang::FloatingLiteral,
                   clang::CXXBoolLiteralExpr, clang::MemberExpr, clang::InitListExpr,
                   clang::MaterializeTemporaryExpr, clang::ExprWithCleanups, clang::ConstantExpr,
                   clang::SubstNonTypeTemplateParmExpr, clang::ParenListExpr>(e))
      return std::nullopt;
    for (const clang::Stmt* part : e->children())
      if (const auto* one = llvm::dyn_cast_or_null<clang::Expr>(part); !one || !isSame(one))
        return std::nullopt;
    return Shift{};
  }

  std::optional<Shift> ofVariable(const clang::ValueDecl* named, unsigned depth) {
    if (llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl, clang::FunctionDecl>(
            named))
      return Shift{};
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(named);
    if (!variable || builtinOf(variable) || isShared(variable) ||
        variable->getType()->isReferenceType() || variable->getType().isVolatileQualified())
      return std::nullopt;
    if (const auto* given = llvm::dyn_cast<clang::ParmVarDecl>(variable))
      return given->getDeclContext() == kernel_.decl && !changed_.count(variable)
                 ? std::optional(Shift{})
                 : std::nullopt;
    if (!variable->hasLocalStorage())
      return variable->isStaticLocal() ? std::nullopt : std::optional(Shift{});
    // What threads keep from before is their own; what they change here is the same all along.
    const auto stored = regions_.storage.find(variable);
    const bool isChanged = changed_.count(variable) != 0;
    // Blocks that run together keep it in the same places, and have the rest in common.
    if (regions_.joined && stored != regions_.storage.end() &&
        (stored->second == Storage::PerThread || (stored->second == Storage::Block && isChanged)))
      return Shift{};
    if (counts_ && isChanged && declared_.count(variable))
      return Shift{};
    if (stored != regions_.storage.end() && stored->second != Storage::Recomputed &&
        stored->second != Storage::Fresh && (stored->second != Storage::Block || isChanged))
      return std::nullopt;
    if (isChanged || !variable->hasInit())
      return stored == regions_.storage.end() || stored->second != Storage::Recomputed
                 ? std::optional(Shift{})
                 : std::nullopt;
    return shiftOf(variable->getInit(), depth + 1);
  }

  static bool isNumber(clang::QualType type) {
    return !type->isDependentType() && type->isIntegerType() && !type->isBooleanType();
  }
  /// A value as one of another type.
  std::optional<Shift> ofCast(const clang::CastExpr* cast, std::optional<Shift> value) {
    const clang::QualType from = cast->getSubExpr()->getType(), to = cast->getType();
    if (!value || value->isNone() || cast->getCastKind() == clang::CK_LValueToRValue ||
        cast->getCastKind() == clang::CK_NoOp)
      return value;
    if (isNumber(from) && isNumber(to) && context_.getTypeSize(to) >= 32)
      return context_.getTypeSize(to) > context_.getTypeSize(from)
                 ? widened(cast->getSubExpr(), value)
                 : value;
    return vanishes(*value) ? std::optional(Shift{}) : std::nullopt;
  }
  /// A number of 32 bits as a wider one: none may wrap around between two blocks.
  std::optional<Shift> widened(const clang::Expr* e, std::optional<Shift> value) {
    if (!value || value->isNone())
      return value;
    if (!isNumber(e->getType()))
      return std::nullopt;
    if (context_.getTypeSize(e->getType()) >= 64)
      return value;
    if (isPart(e->IgnoreParenImpCasts(), BlockIdx))
      return value;
    if (value->sizes == 1 && value->numbers.empty()) {
      const auto added = addedToThread(e);
      constexpr long long most = 1 << 16;
      if (added && added->most <= most &&
          added->least >= (e->getType()->isUnsignedIntegerType() ? 0 : -most))
        return value;
    }
    return vanishes(*value) ? std::optional(Shift{}) : std::nullopt;
  }
  struct Span {
    long long least, most;
  };
  /// Between what a value lies that is made of constants and of counters between such, and of
  /// threadIdx.x, which counts as 0.
  std::optional<Span> addedToThread(const clang::Expr* e, unsigned depth = 0) const {
    constexpr unsigned deepest = 16;
    constexpr long long farthest = 1 << 20;
    if (const auto value = constantOf(e, context_))
      return *value > -farthest && *value < farthest ? std::optional(Span{*value, *value})
                                                     : std::nullopt;
    e = e->IgnoreParenCasts();
    if (depth > deepest || !isNumber(e->getType()) || context_.getTypeSize(e->getType()) < 32)
      return std::nullopt;
    if (isPart(e, ThreadIdx))
      return Span{0, 0};
    if (const clang::VarDecl* variable = namedBy(e)) {
      if (const auto counter = counters_.find(variable); counter != counters_.end())
        return counter->second;
      return !changed_.count(variable) && variable->hasLocalStorage() && variable->hasInit()
                 ? addedToThread(variable->getInit(), depth + 1)
                 : std::nullopt;
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op || !op->isAdditiveOp())
      return std::nullopt;
    const auto left = addedToThread(op->getLHS(), depth + 1);
    const auto right = addedToThread(op->getRHS(), depth + 1);
    if (!left || !right)
      return std::nullopt;
    return op->getOpcode() == clang::BO_Sub
               ? Span{left->least - right->most, left->most - right->least}
               : Span{left->least + right->least, left->most + right->most};
  }
  /// `for (int c = -1; c <= 1; ++c)`
  void noteCounter(const clang::ForStmt* loop) {
    const auto counting = countingLoop(loop, true);
    const auto from = counting ? constantOf(counting->from, context_) : std::nullopt;
    const auto to = counting ? constantOf(counting->to, context_) : std::nullopt;
    constexpr long long farthest = 1 << 16;
    CodeUses uses;
    uses.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    if (from && to && *from > -farthest && *to < farthest &&
        std::none_of(
            uses.changed.begin(), uses.changed.end(),
            [&](const clang::Expr* place) { return rootOf(place) == counting->counter; }))
      counters_[counting->counter] = {*from, *to};
  }

  std::optional<Shift> ofOperator(const clang::BinaryOperator* op, std::optional<Shift> left,
                                  std::optional<Shift> right) {
    if (!left || !right)
      return std::nullopt;
    const clang::QualType type = op->getType();
    const bool isPlace = type->isPointerType() && !type->isDependentType();
    if (op->isAdditiveOp() && (isNumber(type) || isPlace)) {
      if (isPlace) { // an index may be narrower
        left = op->getLHS()->getType()->isPointerType() ? left : widened(op->getLHS(), left);
        right = op->getRHS()->getType()->isPointerType() ? right : widened(op->getRHS(), right);
        if (!left || !right)
          return std::nullopt;
      }
      return *left + (op->getOpcode() == clang::BO_Sub ? *right * -1 : *right);
    }
    if (op->getOpcode() == clang::BO_Mul && isNumber(type)) {
      if (right->isNone())
        if (const auto product = times(*left, op->getRHS()))
          return product;
      if (left->isNone())
        if (const auto product = times(*right, op->getLHS()))
          return product;
    }
    // Quotients may be one value for a block that is another for the next.
    if ((op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Shr) && isNumber(type) &&
        !(left->isNone() && right->isNone()))
      return std::nullopt;
    return op->getOpcode() != clang::BO_PtrMemD && op->getOpcode() != clang::BO_PtrMemI &&
                   vanishes(*left) && vanishes(*right)
               ? std::optional(Shift{})
               : std::nullopt;
  }
  std::optional<Shift> times(const Shift& shift, const clang::Expr* factor) const {
    if (shift.isNone())
      return shift;
    constexpr long long most = 1 << 20;
    if (const auto value = constantOf(factor, context_))
      return *value > -most && *value < most ? std::optional(shift * *value) : std::nullopt;
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(factor->IgnoreParenCasts());
    const bool isParameter = use && llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl());
    if (shift.sizes != 0 || shift.numbers.size() != 1 || !shift.numbers.count("") ||
        (!isParameter && !isPart(factor, BlockDim)))
      return std::nullopt;
    return Shift{0,
                 {{isParameter ? use->getDecl()->getNameAsString() : ownSize,
                   shift.numbers.begin()->second}}};
  }

  /// Whether a call is `atomicAdd(&bins[i], 1)` of a shared array, in the same place.
  bool isCount(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier() || callee->getName() != "atomicAdd" ||
        call->getNumArgs() != 2 || !isSame(call->getArg(1)))
      return false;
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(call->getArg(0)->IgnoreParenCasts());
    if (!address || address->getOpcode() != clang::UO_AddrOf)
      return false;
    const clang::Expr* place = address->getSubExpr()->IgnoreParens();
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      if (!isSame(indexOf(at)))
        return false;
      place = arrayOf(at)->IgnoreParenImpCasts();
      if (!place->getType()->isArrayType())
        return false;
    }
    const clang::VarDecl* table = namedBy(place);
    return table && isShared(table);
  }

  /// Whether a call computes something of numbers alone.
  bool isOfValues(const clang::CallExpr* call) const {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const FunctionFacts* function = callee ? facts_.find(callee) : nullptr;
    return callee && !llvm::isa<clang::CXXMemberCallExpr>(call) && isPureFunction(callee, facts_) &&
           !(function && function->builtins) &&
           std::all_of(callee->param_begin(), callee->param_end(),
                       [](const clang::ParmVarDecl* given) {
                         return given->getType().getNonReferenceType()->isArithmeticType();
                       });
  }

  const Facts& facts_;
  const FunctionFacts& kernel_;
  const Regions& regions_;
  const clang::ASTContext& context_;
  const bool counts_;
  std::set<const clang::VarDecl*> changed_;
  std::set<const clang::VarDecl*> declared_; ///< in what was read
  std::map<const clang::VarDecl*, Span> counters_; ///< in their loops
  std::set<std::string> sizes_;
};

/// Whether a condition asks for nothing but parameters, constants and where the block lies.
class OfBlock : public SyntaxVisitor {
public:
  OfBlock(const FunctionFacts& kernel) : kernel_(kernel) {}
  bool fits = true;
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const auto* given = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable);
    const unsigned builtin = builtinOf(use->getDecl());
    return fits &=
           builtin ? builtin != ThreadIdx
           : given ? given->getDeclContext() == kernel_.decl &&
                         !kernel_.regions->modifiedParameters.count(given)
           : variable
               ? isNamedConstant(variable)
               : llvm::isa<clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(use->getDecl());
  }
  bool VisitStmt(clang::Stmt* s) override {
    return fits &= !llvm::isa<clang::CallExpr, clang::ArraySubscriptExpr, clang::LambdaExpr,
                              clang::CXXThisExpr>(s);
  }

private:
  const FunctionFacts& kernel_;
};

/// Whether a part of a kernel that every block runs does nothing but declare.
bool onlyDeclares(const RegionNode& node, const clang::ASTContext& context) {
  using Kind = RegionNode::Kind;
  const auto declares = [&](const clang::Stmt* s) {
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
    return llvm::isa<clang::NullStmt>(s) ||
           (declared &&
            std::all_of(declared->decl_begin(), declared->decl_end(), [&](const clang::Decl* d) {
              const auto* variable = llvm::dyn_cast<clang::VarDecl>(d);
              return !variable || !variable->hasInit() ||
                     !variable->getInit()->HasSideEffects(context);
            }));
  };
  if (node.kind == Kind::Region)
    return !node.oneByOne && !node.returns &&
           std::all_of(node.statements.begin(), node.statements.end(), declares);
  return node.kind == Kind::Shared || node.kind == Kind::Barrier ||
         (node.kind == Kind::Statement && declares(node.statement));
}

} // namespace

std::optional<std::string> sizeOfLongRow(const Facts& facts, const FunctionFacts& kernel,
                                         const RegionNode& region) {
  RowReader reader(facts, kernel);
  const auto keeps = [&](const clang::Stmt* s) { return reader.keeps(s); };
  return std::all_of(region.statements.begin(), region.statements.end(), keeps) &&
                 std::all_of(region.movedHere.begin(), region.movedHere.end(), keeps)
             ? reader.size()
             : std::nullopt;
}

std::optional<std::string> sizeOfBlocksAsOne(const Facts& facts, const FunctionFacts& kernel,
                                             const BlocksTogether& together) {
  const Regions& regions = *kernel.regions;
  const auto isKept = [](const auto& stored) {
    return stored.second == Storage::PerThread || stored.second == Storage::PerLane;
  };
  if (std::any_of(regions.storage.begin(), regions.storage.end(), isKept) || regions.returns)
    return std::nullopt;
  RowReader reader(facts, kernel, true);
  bool inside = false;
  for (const clang::Stmt* s : llvm::cast<clang::CompoundStmt>(kernel.decl->getBody())->body()) {
    if (s == together.end)
      return inside ? reader.size() : std::nullopt;
    if (inside && !reader.keeps(s))
      return std::nullopt;
    inside |= s == together.begin;
  }
  return std::nullopt;
}

bool runsLongRows(const Facts& facts, const FunctionFacts& kernel) {
  const Regions& regions = *kernel.regions;
  const auto isKept = [](const auto& stored) {
    return stored.second == Storage::PerThread || stored.second == Storage::PerLane;
  };
  const std::function<bool(const RegionNode&)> keeps = [&](const RegionNode& node) {
    return (node.kind != RegionNode::Kind::Region || sizeOfLongRow(facts, kernel, node)) &&
           std::all_of(node.children.begin(), node.children.end(), keeps) &&
           std::all_of(node.otherwise.begin(), node.otherwise.end(), keeps);
  };
  return regions.joined && !regions.returns && regions.rows.empty() &&
         std::none_of(regions.storage.begin(), regions.storage.end(), isKept) &&
         std::all_of(regions.nodes.begin(), regions.nodes.end(), keeps);
}

std::optional<TileRow> findTileRow(const Facts& facts, const FunctionFacts& kernel) {
  using Kind = RegionNode::Kind;
  const Regions& regions = *kernel.regions;
  if (regions.nodes.empty() || regions.nodes.back().kind != Kind::Branch || regions.joined ||
      regions.rowParts || regions.turns || regions.returns || kernel.longRows ||
      kernel.publishesThread)
    return std::nullopt;
  const clang::ASTContext& context = kernel.decl->getASTContext();
  if (!std::all_of(regions.nodes.begin(), regions.nodes.end() - 1,
                   [&](const RegionNode& node) { return onlyDeclares(node, context); }))
    return std::nullopt;
  const RegionNode& node = regions.nodes.back();
  const auto* branch = llvm::cast<clang::IfStmt>(node.statement);
  const clang::VarDecl* flag = namedBy(branch->getCond());
  if (node.masked || !node.calls.empty() || !flag || !flag->hasLocalStorage() || !flag->hasInit() ||
      !flag->getType().isConstQualified() || !flag->getType()->isBooleanType())
    return std::nullopt;
  OfBlock condition(kernel);
  condition.TraverseStmt(const_cast<clang::Expr*>(flag->getInit()));
  if (!condition.fits || flag->getInit()->HasSideEffects(context))
    return std::nullopt;
  const RegionNode* region = nullptr;
  for (const RegionNode& child : node.children) {
    if (child.kind == Kind::Barrier ||
        (child.kind == Kind::Statement && llvm::isa<clang::NullStmt>(child.statement)))
      continue;
    if (region || child.kind != Kind::Region || child.oneByOne || child.returns)
      return std::nullopt;
    region = &child;
  }
  if (!region)
    return std::nullopt;
  const auto size = sizeOfLongRow(facts, kernel, *region);
  return size ? std::optional(TileRow{region, flag->getInit(), *size}) : std::nullopt;
}

} // namespace cu2cpp
