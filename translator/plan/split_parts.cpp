// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions that divide places in the block by constants: the threads run in parts of rows in which
// quotients are one value and remainders neighbours.
//
//   const int row = threadIdx.x / 16;        cu2cpp::eachThreadByParts<16>(cuBlock,
//   const int col = threadIdx.x % 16;   ->       [&](const uint3 threadIdx) { ...
//   c[row] += a[row * 16] * b[col];
//
// So do regions whose device functions divide a place that they are given (`stage<16>(out, t)`).
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/region_parts.h"

namespace cu2cpp {

/// The constants by which code divides places in the block.
class Divisors : public SyntaxVisitor {
public:
  explicit Divisors(const Splitter& splitter) : splitter_(splitter) {}
  std::set<std::string> texts;
  bool any = false; ///< one that makes parts

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const clang::BinaryOperatorKind kind = op->getOpcode();
    const bool divides = kind == clang::BO_Div || kind == clang::BO_Rem;
    if (!divides && kind != clang::BO_Shr && kind != clang::BO_And)
      return true;
    if (!op->isTypeDependent() && !op->getType()->isIntegerType())
      return true;
    if (!isPlace(op->getLHS()))
      return true;
    const clang::Expr* by = op->getRHS()->IgnoreParenImpCasts();
    if (by->isValueDependent()) {
      if (depth_ == 0 && divides && splitter_.plan_.text.isWhole(by) && isOfTemplate(by)) {
        const std::string text = splitter_.plan_.text.text(splitter_.expressionRange(by));
        texts.insert(llvm::isa<clang::DeclRefExpr>(by) ? text : "(" + text + ")");
        any = true;
      }
      return true;
    }
    const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(by->IgnoreParenImpCasts());
    clang::Expr::EvalResult result;
    std::int64_t value = 0;
    if (named && named->getDecl()->getNameAsString() == "warpSize")
      value = 32;
    else if (by->EvaluateAsInt(result, splitter_.plan_.unit.context()))
      value = result.Val.getInt().tryExtValue().value_or(0);
    if (kind == clang::BO_Shr)
      value = value > 0 && value < 10 ? std::int64_t(1) << value : 0;
    if (kind == clang::BO_And)
      ++value;
    if (value < 2 || value > 1024 || (value & (value - 1)) != 0)
      return true;
    texts.insert(std::to_string(value));
    any |= value >= 8;
    return true;
  }

  /// A device function's parameters are places where it is called with them.
  bool VisitCallExpr(clang::CallExpr* call) override {
    constexpr unsigned deepest = 3;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* body = nullptr;
    if (!callee || depth_ == deepest || llvm::isa<clang::CXXOperatorCallExpr>(call) ||
        !callee->hasBody(body) || body->isDependentContext())
      return true;
    bool given = false;
    for (unsigned i = 0; i < call->getNumArgs() && i < body->getNumParams(); ++i)
      if (body->getParamDecl(i)->getType()->isIntegerType() && isPlace(call->getArg(i)) &&
          !isChanged(body->getParamDecl(i), body->getBody()))
        given |= places_.insert(body->getParamDecl(i)).second;
    if (given) {
      ++depth_;
      TraverseStmt(body->getBody());
      --depth_;
    }
    return true;
  }

  /// Template parameters, a function's own constants and operators alone.
  static bool isOfTemplate(const clang::Expr* e) {
    class Names : public SyntaxVisitor {
    public:
      bool good = true;
      bool VisitStmt(clang::Stmt* s) override {
        const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s);
        const auto* own = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
        return good = good && (use ? llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl()) ||
                                         (own && own->isConstexpr() && own->hasLocalStorage())
                                   : llvm::isa<clang::BinaryOperator, clang::ParenExpr,
                                               clang::IntegerLiteral, clang::ImplicitCastExpr>(s));
      }
    } names;
    names.TraverseStmt(const_cast<clang::Expr*>(e));
    return names.good;
  }

private:
  /// Numbers that are mixed (`x ^= x >> 4`) are no places.
  static bool isChanged(const clang::ParmVarDecl* parameter, clang::Stmt* body) {
    class Changes : public SyntaxVisitor {
    public:
      const clang::ParmVarDecl* parameter = nullptr;
      bool found = false;
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        return !op->isAssignmentOp() || take(op->getLHS());
      }
      bool VisitUnaryOperator(clang::UnaryOperator* op) override {
        return !op->isIncrementDecrementOp() || take(op->getSubExpr());
      }
      bool take(const clang::Expr* target) {
        found |= namedBy(target->IgnoreParens()) == parameter;
        return !found;
      }
    } changes;
    changes.parameter = parameter;
    changes.TraverseStmt(body);
    return changes.found;
  }
  bool isPlace(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return use && places_.count(use->getDecl()) ? true : splitter_.isPlaceInRow(e);
  }

  const Splitter& splitter_;
  std::set<const clang::ValueDecl*> places_; ///< parameters of functions that are called
  unsigned depth_ = 0;
};

std::string Splitter::divisorsOf(const RegionNode& region, const RegionText& text) const {
  Divisors divisors(*this);
  for (const clang::Stmt* s : region.statements)
    divisors.TraverseStmt(const_cast<clang::Stmt*>(s));
  for (const clang::VarDecl* variable : repeatedFor(text))
    divisors.TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
  std::string out;
  if (divisors.any && !std::all_of(region.statements.begin(), region.statements.end(),
                                   [](const auto* s) { return llvm::isa<clang::DeclStmt>(s); }))
    for (const std::string& by : divisors.texts)
      out += (out.empty() ? "" : ", ") + by;
  return out;
}

std::string Splitter::tileArguments(const RegionNode& node, const TileLoop& tile) const {
  std::string width = "0";
  clang::Expr::EvalResult value;
  if (tile.ofNeighbours) {
    width = "1";
  } else if (tile.width && tile.width->isValueDependent()) {
    if (Divisors::isOfTemplate(tile.width) && plan_.text.isWhole(tile.width))
      width = "(" + plan_.text.text(expressionRange(tile.width)) + ")";
  } else if (tile.width && tile.width->EvaluateAsInt(value, plan_.unit.context())) {
    width = std::to_string(value.Val.getInt().getExtValue());
  } else if (tile.run > 0) {
    width = std::to_string(tile.run);
  }
  const RegionNode& region = node.children.front();
  RegionText text;
  for (const clang::Stmt* s : region.statements)
    text.add(s);
  const std::string divisors = divisorsOf(region, text);
  return "<" + width + (divisors.empty() ? "" : ", ") + divisors + ">";
}

std::string Splitter::tilesName(const TileLoop& tile) const {
  const llvm::StringRef name = perThreadName_.at(tile.array); // cuEach_sum
  return "cuTiles" + name.substr(std::min(name.find('_'), name.size())).str();
}

std::string Splitter::tileOpening(const RegionNode& node, const TileLoop& tile) const {
  const std::string& name = perThreadName_.at(tile.array);
  if (tile.isNumber)
    return "cu2cpp::eachSum(cuBlock, " + name + ", [&](const auto& cuThreads, auto& " + name +
           ") CU2CPP_INLINE {";
  const bool inGroups = tilesInGroups_.count(tile.array) != 0;
  return (inGroups ? "cu2cpp::eachTileInGroups(cuBlock, " + tilesName(tile)
                   : "cu2cpp::eachTile" + tileArguments(node, tile) + "(cuBlock, " + name) +
         ", [&](const auto& cuThreads, auto& " + name + ") CU2CPP_INLINE {";
}

const RegionNode* Splitter::onlyTileLoop(const RegionNode& node) const {
  if (level_ != Scope::Block || node.masked || publish_ || !plan_.options.lineDirectives ||
      !llvm::isa_and_nonnull<clang::ForStmt>(node.statement))
    return nullptr;
  std::vector<const RegionNode*> tiles, rest{&node};
  while (!rest.empty()) {
    const RegionNode* const one = rest.back();
    rest.pop_back();
    const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(one->statement);
    if (one->kind == Kind::Loop && loop && regions_.tileLoops.count(loop)) {
      tiles.push_back(one);
      continue;
    }
    for (const auto* parts : {&one->children, &one->otherwise})
      for (const RegionNode& part : *parts)
        rest.push_back(&part);
  }
  if (tiles.size() != 1 || tiles.front() == &node)
    return nullptr;
  const auto* loop = llvm::cast<clang::ForStmt>(tiles.front()->statement);
  const clang::VarDecl* const array = regions_.tileLoops.at(loop).array;
  if (regions_.tileLoops.at(loop).isNumber)
    return nullptr;
  return countUses(loop, array) == countUses(node.statement, array) && !tilesInGroups_.count(array)
             ? tiles.front()
             : nullptr;
}

} // namespace cu2cpp
