// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops by which the threads of a block fill shared memory together, as loops over rows of
// elements:
//
//   for (int t = tid; t < 34 * 10; t += 256) {    cu2cpp::eachElement(cuBlock, ..., 34, ...,
//     const int y = t / 34, x = t % 34;               [&](const auto cuInside, const auto cuRow,
//     s[y][x] = in[max(x0 + x, 0)];          ->           const auto cuColumn) {
//   }                                                   const int y = cuRow, x = cuColumn;
//                                                       s[y][x] = in[(cuInside ? x0 + x : ...)];
//                                                     });
//
// Threads that count their elements: cu2cpp::eachItem.
// Loops whose elements run in turn (analyse/element_rows.h) keep their rows' statements:
//
//   for (int i = k + 1 + ty; i < n; i += 16) {    cu2cpp::eachElementRow<int>(cuBlock, ..., 16, n,
//     const float f = a[i][k];                        [&](const auto& cuColumns, const auto cuRow)
//     { for (int j = k + 1 + tx; j < n; j += 16)  ->    const int i = cuRow;
//       a[i][j] -= f * a[k][j];                       const float f = a[i][k];
//   }                                                 cuColumns.template each<int, true>(..., 16,
//   n,
//                                                         [&](const auto cuColumn) {
//                                                       const int j = cuColumn;
//                                                       a[i][j] -= f * a[k][j]; });
//                                                     });
#include "plan/splitter.h"

#include <algorithm>

namespace cu2cpp {

bool Splitter::runsByElements(const RegionNode& node) const {
  if (publish_ || regions_.joined || active() != "cu2cpp::noneExited" ||
      node.children.size() != 1 || node.children[0].kind != Kind::Region)
    return false;
  RegionText text;
  skipElementHeads(regions_.elementLoops.at(llvm::cast<clang::ForStmt>(node.statement)), text);
  for (const clang::Stmt* s : node.children[0].statements) {
    if (regions_.printed.count(s))
      return false;
    text.add(s);
  }
  // The rest of what a region's head binds: what the block knows.
  const std::vector<std::string> lines = bindings(node.children[0].statements, text);
  return !needsThread(text) &&
         std::none_of(text.uses.begin(), text.uses.end(), [&](const clang::VarDecl* variable) {
           return isStored(variable, Storage::Restated) || isStored(variable, Storage::Fresh);
         });
}

void Splitter::emitElementLoop(const RegionNode& node, const ElementLoop& loop) {
  const auto limit = [&](const clang::ForStmt* of) {
    const auto* test = llvm::cast<clang::BinaryOperator>(of->getCond()->IgnoreParenImpCasts());
    const std::string value = blockValue(test->getRHS());
    return test->getOpcode() == clang::BO_LE ? "cu2cpp::upTo(" + value + ")" : value;
  };
  const auto step = [&](const clang::ForStmt* of) {
    return blockValue(llvm::cast<clang::BinaryOperator>(of->getInc()->IgnoreParens())->getRHS());
  };
  const FilePosition begin = beginOf(loop.rows->getBeginLoc());
  if (!loop.items) {
    noteMatrix(loop);
    findPackedColumns(loop);
  }
  const std::string packed = packedDeclarations();
  for (const clang::BinaryOperator* op : loop.quotients)
    replaced_[op] = "cuRow";
  for (const clang::BinaryOperator* op : loop.remainders)
    replaced_[op] = "cuColumn";
  for (const auto& [op, layer] : loop.layers)
    replaced_[op] =
        "(cuRow / " + (layer.count ? factor(layer.count) : std::to_string(layer.rows)) + ")";
  const std::string strips = loop.items ? "" : updateInStrips(loop);
  turnedStore_ = strips.empty() ? turnedTarget(node.children[0], loop) : nullptr;
  const char* const turned = turnedStore_ ? "Turned" : "";
  edits_.replace({begin.file, begin.offset, endOf(loop.rows->getRParenLoc()).offset},
                 strips + (packed.empty() ? "" : "{ " + packed));
  if (loop.inTurn) {
    const std::string neighbours = loop.neighbours ? "true" : "false", type = typeOf(loop.row);
    rising_ = "cu2cpp::" +
              (loop.columns ? (loop.ofWarps ? "eachElementRowOfWarps<" : "eachElementRow<") + type
               : loop.width ? "eachElementInTurnByRows<" + neighbours
                            : "eachElementInTurn<" + type + ", " + neighbours) +
              ">(cuBlock, " + valueLambda(loop.row->getInit(), "", " -> " + type) + ", " +
              step(loop.rows) + ", " + limit(loop.rows) + ", " +
              (loop.width ? blockValue(loop.width) + ", " : "");
  } else if (loop.columns) {
    rising_ = std::string("cu2cpp::eachElementInRows") + turned + "<" + typeOf(loop.row) + ", " +
              typeOf(loop.column) + ">(cuBlock, " + step(loop.rows) + ", " + limit(loop.rows) +
              ", " + step(loop.columns) + ", " + limit(loop.columns) + ", ";
  } else if (loop.items) {
    rising_ = std::string("cu2cpp::eachItem") + turned + "<" + typeOf(loop.counter) +
              ">(cuBlock, " + valueLambda(loop.start, "", " -> " + typeOf(loop.row)) + ", " +
              blockValue(loop.distance) + ", " + blockValue(loop.items) + ", " +
              blockValue(loop.width) + ", ";
  } else {
    rising_ = std::string("cu2cpp::eachElement") + turned + "(cuBlock, " +
              valueLambda(loop.row->getInit(), "", " -> " + typeOf(loop.row)) + ", " +
              step(loop.rows) + ", " + limit(loop.rows) + ", " + blockValue(loop.width) + ", ";
  }
  elements_ = &loop;
  if (turnedStore_)
    rising_ += turnedPlace(turnedStore_);
  emitBody(loop.rows->getBody(), node.children);
  if (const FileRange whole = rangeOf(loop.rows); !packed.empty() || !strips.empty())
    insert({whole.file, whole.end},
           std::string(packed.empty() ? "" : " }") + (strips.empty() ? "" : " } }"));
  packed_.clear();
  for (const auto* parts : {&loop.quotients, &loop.remainders})
    for (const clang::BinaryOperator* op : *parts)
      replaced_.erase(op);
  for (const auto& [op, layer] : loop.layers)
    replaced_.erase(op);
  elements_ = nullptr;
  turnedStore_ = nullptr;
}

void Splitter::skipElementHeads(const ElementLoop& loop, RegionText& text) {
  for (const ElementLoop::Columns& columns : loop.inner)
    text.skip.insert(columns.loop->getInit());
  if (loop.inTurn && loop.columns)
    return;
  if (loop.columns)
    text.skip.insert({loop.columns->getInit(), loop.columns->getCond(), loop.columns->getInc()});
  if (loop.items)
    text.skip.insert(loop.row->getInit());
  text.skip.insert(loop.quotients.begin(), loop.quotients.end());
  text.skip.insert(loop.remainders.begin(), loop.remainders.end());
  for (const auto& [op, layer] : loop.layers)
    text.skip.insert(op);
}

std::vector<std::string> Splitter::elementPlaces(RegionText& named) const {
  // Later ones are made of earlier ones.
  std::vector<std::string> own;
  std::set<const clang::VarDecl*> places;
  for (auto place = elements_->places.rbegin(); place != elements_->places.rend(); ++place)
    if (named.uses.count(*place)) {
      named.add((*place)->getInit());
      own.insert(own.begin(), "const " + typeOf(*place) + " " + (*place)->getNameAsString() +
                                  " = " + expressionText((*place)->getInit()) + ";");
      places.insert(*place);
      named.uses.erase(*place);
    }
  std::vector<std::string> lines;
  if (!elements_->columns)
    lines.push_back("constexpr int cuColumn = 0;");
  else if (named.uses.count(elements_->column))
    lines.push_back("constexpr " + typeOf(elements_->column) + " " +
                    elements_->column->getNameAsString() + " = 0;");
  for (std::string& line : bindings({}, named))
    lines.push_back(std::move(line));
  if (elements_->items && named.uses.count(elements_->row))
    lines.push_back("const " + typeOf(elements_->row) + " " + elements_->row->getNameAsString() +
                    " = " + startText(elements_->row) + ";");
  named.uses.insert(places.begin(), places.end());
  lines.insert(lines.end(), own.begin(), own.end());
  return lines;
}

void Splitter::emitColumnsInTurn(const ElementLoop::Columns& columns) {
  const std::string type = typeOf(columns.variable);
  const auto* test =
      llvm::cast<clang::BinaryOperator>(columns.loop->getCond()->IgnoreParenImpCasts());
  const auto* step = llvm::cast<clang::BinaryOperator>(columns.loop->getInc()->IgnoreParens());
  const std::string limit = expressionText(test->getRHS());
  const FilePosition begin = beginOf(columns.loop->getBeginLoc());
  edits_.replace({begin.file, begin.offset, endOf(columns.loop->getRParenLoc()).offset},
                 "cuColumns.template each<" + type + (columns.neighbours ? ", true" : ", false") +
                     bytesInColumns(columns) + ">(" +
                     valueLambda(columns.variable->getInit(), "", " -> " + type) + ", " +
                     expressionText(step->getRHS()) + ", " +
                     (test->getOpcode() == clang::BO_LE ? "cu2cpp::upTo(" + limit + ")" : limit) +
                     ", [&](const auto cuColumn" + laneInTurn() + ") CU2CPP_INLINE { const " +
                     type + " " + columns.variable->getNameAsString() + " = cuColumn;");
  const FileRange whole = rangeOf(columns.loop);
  insert({whole.file, whole.end}, " });");
  for (const clang::ContinueStmt* skip : columns.skips)
    edits_.replace(rangeOf(skip), "return;");
}

void Splitter::emitElementPlaces() {
  for (const ElementLoop::Columns& columns : elements_->inner)
    emitColumnsInTurn(columns);
  emitPackedColumns();
  // For compilers only: integers of 32 bits might wrap around between two elements of a vector
  // (rewrite_places.cpp).
  if (plan_.options.lineDirectives)
    for (const auto& [place, step] : elements_->steps)
      if (plan_.text.isWhole(place) && !place->getBeginLoc().isMacroID() &&
          !place->getEndLoc().isMacroID()) {
        const FileRange range = expressionRange(place);
        insert({range.file, range.begin},
               step > 1 ? "cu2cpp::inRow<" + std::to_string(step) + ">(" : "cu2cpp::inRow(");
        insert({range.file, range.end}, ", cuLane)");
      }
  if (elements_->inTurn && elements_->columns)
    return;
  if (elements_->columns) {
    const FilePosition begin = beginOf(elements_->columns->getBeginLoc());
    edits_.replace({begin.file, begin.offset, endOf(elements_->columns->getRParenLoc()).offset},
                   "const " + typeOf(elements_->column) + " " +
                       elements_->column->getNameAsString() + " = cuColumn;");
  }
  if (elements_->items)
    edits_.replace(expressionRange(elements_->row->getInit()), startText(elements_->row));
  if (turnedStore_)
    edits_.replace(expressionRange(turnedStore_), "cuTurned");
  const auto write = [&](const clang::BinaryOperator* op) {
    if (!(turnedStore_ && isInside(op, turnedStore_)) &&
        std::none_of(inside_.begin(), inside_.end(),
                     [&](const clang::Expr* condition) { return isInside(op, condition); }))
      edits_.replace(expressionRange(op), replaced_.at(op));
  };
  for (const auto* parts : {&elements_->quotients, &elements_->remainders})
    for (const clang::BinaryOperator* op : *parts)
      write(op);
  for (const auto& [op, layer] : elements_->layers)
    write(op);
}

} // namespace cu2cpp
