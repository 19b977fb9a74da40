// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the next block will load where blocks take rows in turn is asked for in the middle of a row:
//
//   for (int row = blockIdx.x; row < rows; row += gridDim.x) {
//     float4 v = in[row * width + threadIdx.x];
//     ... barriers ...
//     out[row * width + threadIdx.x] = ...;
//   }
#include "plan/splitter.h"

#include <algorithm>
#include <optional>

#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "plan/prefetch_parts.h"

namespace cu2cpp {
namespace {

bool isX(const clang::Expr* e, Builtin of) {
  const std::optional<BuiltinPart> part = asBuiltinPart(e->IgnoreParenCasts());
  return part && part->of == of && part->part == "x";
}

/// The loop over the rows that a block takes.
struct RowsInTurn {
  const clang::VarDecl* row = nullptr;
  const clang::Expr* end = nullptr;

  explicit RowsInTurn(const clang::ForStmt* loop) {
    const clang::VarDecl* counter = AccessesInBlock::counterOf(loop);
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
    const auto* step = llvm::dyn_cast_or_null<clang::CompoundAssignOperator>(loop->getInc());
    if (!counter || !counter->hasInit() || !counter->getType()->isIntegerType() ||
        !isX(counter->getInit(), BlockIdx) || !test || test->getOpcode() != clang::BO_LT ||
        namedBy(test->getLHS()) != counter || !step || step->getOpcode() != clang::BO_AddAssign ||
        namedBy(step->getLHS()) != counter || !isX(step->getRHS(), GridDim))
      return;
    row = counter;
    end = test->getRHS();
  }
};

/// The array elements that a row's code names, with the loop over the row's elements around each:
/// `for (int i = threadIdx.x; i < width; i += blockDim.x)`.
class ElementsOfRow : public SyntaxVisitor {
public:
  struct Access {
    const clang::ArraySubscriptExpr* element;
    const clang::ForStmt* loop;
    bool known; ///< whether it is in no other loop
  };
  std::vector<Access> all;
  std::set<const clang::VarDecl*> loaded; ///< the arrays of which something is loaded

  explicit ElementsOfRow(const clang::Stmt* body) {
    TraverseStmt(const_cast<clang::Stmt*>(body));
    for (const Access& access : all)
      if (!stored_.count(access.element))
        loaded.insert(namedBy(access.element->getBase()));
  }
  bool TraverseStmt(clang::Stmt* s) override {
    const bool isLoop = llvm::isa_and_nonnull<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s);
    if (isLoop)
      open_.push_back(s);
    const bool goesOn = SyntaxVisitor::TraverseStmt(s);
    if (isLoop)
      open_.pop_back();
    return goesOn;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->getOpcode() == clang::BO_Assign)
      stored_.insert(op->getLHS()->IgnoreParens());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
    if (call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2)
      stored_.insert(call->getArg(0)->IgnoreParens());
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
    const auto* loop = open_.size() == 1 ? llvm::dyn_cast<clang::ForStmt>(open_.front()) : nullptr;
    all.push_back({e, loop, open_.empty() || loop});
    return true;
  }

private:
  std::vector<const clang::Stmt*> open_;
  std::set<const clang::Expr*> stored_;
};

/// The first statement of a node, null if it has none of its own.
const clang::Stmt* firstOf(const RegionNode& node) {
  if (node.kind == RegionNode::Kind::Shared || node.kind == RegionNode::Kind::Label)
    return nullptr;
  return node.statements.empty() ? node.statement : node.statements.front();
}

} // namespace

std::optional<std::string> Splitter::placeOfRow(const clang::VarDecl* base,
                                                const clang::Expr* place,
                                                const clang::ForStmt* loop,
                                                const clang::VarDecl* row,
                                                const clang::ForStmt* rows) const {
  const clang::VarDecl* counter = loop ? AccessesInBlock::counterOf(loop) : nullptr;
  RegionText named;
  named.add(place);
  named.uses.insert(base);
  std::string first;
  if (counter && named.uses.count(counter)) {
    if (!counter->hasInit() || !isHarmless(counter->getInit()) ||
        !plan_.text.isWhole(counter->getInit()))
      return std::nullopt;
    first = "const " + typeOf(counter) + " " + counter->getNameAsString() + " = " +
            expressionText(counter->getInit()) + "; ";
    named.uses.erase(counter);
    named.add(counter->getInit());
  } else if (loop) {
    return std::nullopt;
  }
  const auto isBefore = [&](const clang::VarDecl* variable) {
    return plan_.text.sources().isBeforeInTranslationUnit(variable->getLocation(),
                                                          rows->getBeginLoc());
  };
  // What the block makes of the row: `const float* in = a + row * width;`
  std::vector<const clang::VarDecl*> made;
  std::set<const clang::VarDecl*> seen{row};
  bool names = false;
  for (bool grown = true; grown;) {
    grown = false;
    for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(named.uses)) {
      names |= variable == row;
      if (!seen.insert(variable).second)
        continue;
      grown = true;
      const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
      if (parameter ? !regions_.modifiedParameters.count(parameter)
                    : !variable->hasLocalStorage() || isNamedConstant(variable))
        continue;
      if (isStored(variable, Storage::Recomputed)) {
        if (variable->hasInit())
          named.add(variable->getInit());
        continue;
      }
      if (parameter || isShared(variable) || !isStored(variable, Storage::Block))
        return std::nullopt;
      if (isBefore(variable))
        continue;
      if (!variable->hasInit() || !isHarmless(variable->getInit()) ||
          !plan_.text.isWhole(variable->getInit()) ||
          !(variable->getType()->isIntegerType() || variable->getType()->isPointerType()))
        return std::nullopt;
      RegionText of;
      of.add(variable->getInit());
      for (const clang::VarDecl* other : of.uses) {
        if (isStored(other, Storage::Recomputed) && !isNamedConstant(other))
          return std::nullopt; // it would have to come before
        named.uses.insert(other);
      }
      made.push_back(variable);
    }
  }
  if (!names)
    return std::nullopt;
  std::sort(made.begin(), made.end(), [&](const auto* a, const auto* b) {
    return plan_.text.sources().isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
  });
  std::string lines;
  for (const clang::VarDecl* variable : made)
    lines += "const auto " + variable->getNameAsString() + " = " +
             expressionText(variable->getInit()) + "; ";
  for (const std::string& line : bindings({}, named))
    lines += line + " ";
  return "[&](const uint3 threadIdx, const " + typeOf(row) + " " + row->getNameAsString() + ") { " +
         lines + first + "return " + base->getNameAsString() + " + (" + expressionText(place) +
         "); }";
}

void Splitter::prefetchRowsInTurn(const RegionNode& node, const clang::ForStmt* loop) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
  if (!plan_.options.lineDirectives || !inRunBlock() || publish_ || level_ != Scope::Block ||
      !body || body->getLBracLoc().isMacroID() || node.children.size() < 2)
    return;
  const RowsInTurn rows(loop);
  if (!rows.row || !isStored(rows.row, Storage::Block) || !isGroupValue(rows.end) ||
      !isHarmless(rows.end) || !plan_.text.isWhole(rows.end))
    return;
  // Where memory has time: behind a row's loads, before its stores.
  const clang::Stmt* middle = nullptr;
  for (std::size_t i = node.children.size() / 2; i < node.children.size() && !middle; ++i)
    middle = firstOf(node.children[i]);
  if (!middle || middle->getBeginLoc().isMacroID())
    return;
  const FilePosition at = position(rangeOf(middle));
  const std::string newline = "\n" + plan_.text.indentation(at);
  const ElementsOfRow elements(body);
  Slopes slopes(body_, "x");
  constexpr std::size_t most = 6;
  std::set<std::string> written;
  std::string out;
  for (const ElementsOfRow::Access& access : elements.all) {
    const clang::VarDecl* base = namedBy(access.element->getBase());
    const clang::Expr* place = access.element->getIdx();
    if (!access.known || !base || !base->getType()->isPointerType() || isShared(base) ||
        written.size() == most || !place->getType()->isIntegerType() ||
        !plan_.text.isWhole(place) || !isHarmless(place) || slopes.slope(place) != 1)
      continue;
    const clang::Expr* width = nullptr;
    if (access.loop) {
      const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(access.loop->getCond());
      width = test ? test->getRHS() : nullptr;
      if (!width || test->getOpcode() != clang::BO_LT ||
          namedBy(test->getLHS()) != AccessesInBlock::counterOf(access.loop) ||
          !isGroupValue(width) || !isHarmless(width) || !plan_.text.isWhole(width))
        continue;
    }
    const std::optional<std::string> text = placeOfRow(base, place, access.loop, rows.row, loop);
    const bool loads = elements.loaded.count(base) != 0;
    if (!text || !written.insert(*text).second)
      continue;
    out += std::string("cu2cpp::prefetchRowInTurn<") + (loads ? "true" : "false") + ">(cuBlock, " +
           rows.row->getNameAsString() + ", " + expressionText(rows.end) + ", " +
           (width ? expressionText(width) : "cuBlock.blockDim.x") + ", " + *text + ");" + newline;
  }
  insert(at, out);
}

} // namespace cu2cpp
