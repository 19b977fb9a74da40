// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are read through (read_through.cpp): what is written to them before the barrier.
#include "analyse/read_through.h"

#include <algorithm>

#include "analyse/marks.h"

namespace cu2cpp::copies {

const Tile* Copies::tileOf(const clang::Expr* e) const {
  const ArrayElement element = elementOf(e);
  const auto found = element.array ? tiles.find(element.array) : tiles.end();
  return found == tiles.end() ? nullptr : &found->second;
}

bool Copies::namesTile(const clang::Stmt* s) const {
  const Piece contents(s);
  return std::any_of(contents.variables.begin(), contents.variables.end(),
                     [&](const clang::VarDecl* v) { return tiles.count(v) != 0; });
}

namespace {

class CopyReader {
public:
  CopyReader(InsideGrid& inside, const SourceUnit& unit) : inside_(inside), unit_(unit) {}

  std::optional<Copies> read(const Statements& before) {
    return findTiles(before) ? std::optional(std::move(out_)) : std::nullopt;
  }

private:
  bool findTiles(const Statements& before) {
    for (const clang::Stmt* s : before)
      if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
        for (const clang::Decl* decl : declared->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
              variable && isShared(variable) && !addTile(variable))
            out_.otherShared.insert(variable);
    if (readFills(before))
      return true;
    // One may be a copy where another is not.
    const auto all = out_.tiles;
    for (const auto& [variable, tile] : all) {
      if (all.size() == 1)
        return false;
      out_.tiles = {{variable, tile}};
      for (const auto& [other, of] : all)
        if (other != variable)
          out_.otherShared.insert(other);
      out_.otherShared.erase(variable);
      if (readFills(before))
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
    if (tile.sizes.empty() || !(type->isArithmeticType() || type->isTemplateTypeParmType()) ||
        type.isVolatileQualified() || variable->getLocation().isMacroID())
      return false;
    tile.element = type;
    out_.tiles[variable] = tile;
    return true;
  }

  bool readFills(const Statements& before) {
    bool began = false;
    out_.fills.clear();
    inside_.forgetSizes();
    for (std::size_t i = 0; i < before.size(); ++i) {
      const clang::Stmt* s = before[i];
      const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
      if (declared) {
        const bool shares = std::any_of(declared->decl_begin(), declared->decl_end(),
                                        [](const clang::Decl* d) { return isShared(d); });
        if (shares ? began : out_.namesTile(s))
          return false;
        continue;
      }
      if (!out_.namesTile(s))
        continue;
      if (!began)
        out_.statements.assign(before.begin() + std::ptrdiff_t(i), before.end());
      began = true;
      out_.fills.insert(s);
    }
    if (!began)
      return false;
    // Where an index counts by blockDim.x and a tile by a constant, they are taken for the same.
    for (unsigned round = 0; round < 4; ++round) {
      learned_ = false;
      inside_.forgetConditions();
      for (auto& [variable, tile] : out_.tiles)
        tile.writes.clear();
      Known known;
      for (const clang::Stmt* s : out_.statements)
        if (out_.fills.count(s) && !readFill(s, known))
          return false;
      bool good = true;
      for (auto& [variable, tile] : out_.tiles)
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
      return declared->isSingleDecl() || !out_.namesTile(s);
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return readBranch(branch, known);
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s)) {
      const auto steps = stepsOf(inside_, loop, known);
      return steps && readFill(loop->getBody(), *steps);
    }
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    const auto* op = e ? llvm::dyn_cast<clang::BinaryOperator>(plainly(e)) : nullptr;
    if (!op || op->getOpcode() != clang::BO_Assign)
      return false;
    const ArrayElement element = elementOf(op->getLHS());
    const auto found = out_.tiles.find(element.array);
    Tile* const tile = found == out_.tiles.end() ? nullptr : &found->second;
    if (!tile)
      return false;
    Known here = known;
    if (tile->sizes.size() == 1 && element.indices.size() == 1 && tile->writes.empty())
      findRows(inside_, *tile, element.indices[0], here);
    const auto indices = indicesOf(inside_, *tile, element, here);
    const auto place = indices ? placeIn(inside_, *tile, *indices, here) : std::nullopt;
    if (!place)
      return false;
    Tile::Write write;
    write.element = *place;
    const auto from = inside_.loaded(op->getRHS(), here);
    if (!from)
      return false;
    const clang::QualType pointee = from->array->getType()->getPointeeType();
    if (!unit_.context().hasSameUnqualifiedType(pointee, tile->element) ||
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
        inside_.kindOf(either->getLHS(), here) == InsideGrid::OfThread &&
        inside_.holdsNowhere(either->getRHS(), known))
      condition = either->getLHS();
    const InsideGrid::Kind kind = inside_.kindOf(condition, here);
    if (kind == InsideGrid::Unknown || !inside_.assume(condition, true, here))
      return false;
    if (!readFill(branch->getThen(), here))
      return false;
    if (!branch->getElse() || kind == InsideGrid::OfGrid)
      return true;
    return kind == InsideGrid::OfThread && inside_.assume(branch->getCond(), false, other) &&
           readFill(branch->getElse(), other);
  }

  /// Whether all elements of a tile come from places that the same sum tells.
  bool compare(Tile& tile) {
    if (tile.writes.empty())
      return false;
    const std::size_t depth = tile.sizes.size();
    for (const Tile::Write& main : tile.writes) {
      std::vector<Sum> rows;
      for (std::size_t i = 0; i < depth; ++i)
        for (const unsigned atom : inside_.symbols().atomsOf(main.element[i])) {
          const auto mine = inside_.symbols().factorOf(main.element[i], atom);
          const auto whole = inside_.symbols().factorOf(main.from.index, atom);
          const auto times = mine ? asConstant(*mine) : std::nullopt;
          bool alone = whole && times == 1;
          for (std::size_t other = 0; other < depth; ++other)
            alone = alone &&
                    (other == i || inside_.symbols().factorOf(main.element[other], atom) == Sum{});
          if (!alone || rows.size() > i)
            continue;
          rows.push_back(*whole);
        }
      if (rows.size() != depth || asConstant(rows.back()) != 1)
        continue;
      tile.rows = rows;
      tile.first = offsetOf(main, rows);
      if (inside_.symbols().hasAtoms(tile.first))
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
      if (inside_.sizes().count(part))
        continue;
      const Sum size = inside_.sizeOfBlock(part);
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
      inside_.setSize(part, value);
      learned_ = true;
    }
    return false;
  }

  InsideGrid& inside_;
  const SourceUnit& unit_;
  Copies out_;
  bool learned_ = false; ///< a size of the block in this round
};

} // namespace

std::optional<Known> stepsOf(InsideGrid& inside, const clang::ForStmt* loop, const Known& known) {
  const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto* counter = declared && declared->isSingleDecl()
                            ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                            : nullptr;
  const auto* condition =
      loop->getCond() ? llvm::dyn_cast<clang::BinaryOperator>(plainly(loop->getCond())) : nullptr;
  if (!counter || !counter->hasInit() || !counter->getType()->isIntegerType() || !condition ||
      namedBy(condition->getLHS()) != counter || !loop->getInc() ||
      (condition->getOpcode() != clang::BO_LT && condition->getOpcode() != clang::BO_LE))
    return std::nullopt;
  const auto* up = llvm::dyn_cast<clang::UnaryOperator>(loop->getInc()->IgnoreParens());
  const auto* by = llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  if (!(up && up->isIncrementOp() && namedBy(up->getSubExpr()) == counter) &&
      !(by && by->getOpcode() == clang::BO_AddAssign && namedBy(by->getLHS()) == counter))
    return std::nullopt;
  const Piece body(loop->getBody());
  if (body.leaves || std::any_of(body.changed.begin(), body.changed.end(),
                                 [&](const clang::Expr* e) { return namedBy(e) == counter; }))
    return std::nullopt;
  Known here = known;
  const auto begin = inside.sumOf(counter->getInit(), here);
  const auto end = inside.sumOf(condition->getRHS(), here);
  std::vector<Sum> asked;
  const auto least =
      begin ? inside.symbols().extreme(*begin, false, here.bounds, asked) : std::nullopt;
  if (!least || !end || !asked.empty() || inside.symbols().isOfGrid(*least) ||
      inside.symbols().isOfGrid(*end) || inside.symbols().hasAtoms(*end))
    return std::nullopt;
  if (by) {
    const auto step = inside.sumOf(by->getRHS(), here);
    const auto one = step ? asConstant(*step) : std::nullopt;
    if (!step || inside.symbols().isOfGrid(*step) || (one && *one <= 0))
      return std::nullopt;
  }
  Symbol symbol;
  symbol.atom = true;
  symbol.bounds = {*least, condition->getOpcode() == clang::BO_LT ? *end + constantSum(-1) : *end};
  // Anew where more is known of blockDim.
  std::string key = "loop " + std::to_string(reinterpret_cast<std::uintptr_t>(loop));
  for (const auto& [part, size] : inside.sizes())
    key += " " + part + std::to_string(size);
  here.variables[counter] = inside.addSymbol(key, symbol);
  return here;
}

std::optional<Copies> findCopies(InsideGrid& inside, const SourceUnit& unit,
                                 const Statements& before) {
  return CopyReader(inside, unit).read(before);
}

} // namespace cu2cpp::copies
