// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns of shared tables are read from turned copies, made once in front of all that reads them:
//
//   for (int j = 0; j < 32; j += 8)        const auto cuTurned1 = cu2cpp::turnedCopy(cuBlock,
//   tile);
//     out[(y + j) * n + x] =          ->   for (int j = 0; j < 32; j += 8) ...
//         tile[threadIdx.x]                  out[(y + j) * n + x] =
//             [threadIdx.y + j];                 cuTurned1[threadIdx.x][threadIdx.y + j];
//
// Rows of skewed arrays are read from copies that have rows, made in front of the loop over them.
#include <algorithm>

#include "plan/split_moves.h"

namespace cu2cpp {

const clang::ForStmt* Splitter::scopeOfTurned(const clang::VarDecl* table,
                                              const clang::Stmt* s) const {
  const clang::ForStmt* scope = nullptr;
  for (const clang::Stmt *at = s, *parent; (parent = parents_->getParent(at)); at = parent) {
    if (llvm::isa<clang::CompoundStmt, clang::AttributedStmt>(parent)) // `#pragma unroll`
      continue;
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(parent);
    if (!loop || loop->getBody() != at || columns_->find({loop}).count(table) == 0)
      break;
    const clang::Stmt* list = parents_->getParent(loop);
    if (llvm::isa_and_nonnull<clang::AttributedStmt>(list))
      list = parents_->getParent(list);
    if (llvm::isa_and_nonnull<clang::CompoundStmt>(list) && !loop->getForLoc().isMacroID() &&
        !llvm::isa_and_nonnull<clang::SwitchStmt>(parents_->getParent(list)))
      scope = loop;
  }
  return scope;
}

std::string Splitter::turnedCopies(const RegionNode& region, bool inBraces,
                                   const std::string& newline) {
  if (!inRunBlock() || publish_ || region.oneByOne || elements_)
    return "";
  if (!columns_)
    columns_.emplace(body_, *parents_);
  const clang::Stmt* list = parents_->getParent(region.statements.front());
  const bool inSwitch =
      llvm::isa_and_nonnull<clang::SwitchCase>(list) ||
      (list && llvm::isa_and_nonnull<clang::SwitchStmt>(parents_->getParent(list)));
  std::string out;
  for (const auto& [table, rows] : Moves(*this).rowsRead(region)) {
    std::string& name = turned_[{table, rows.loop}];
    if (name.empty()) {
      name = "cuInRows" + std::to_string(turned_.size());
      const FilePosition begin = beginOf(rows.loop->getBeginLoc());
      insert(begin, "const auto " + name + " = cu2cpp::rowCopy(" + table->getNameAsString() +
                        ");\n" + plan_.text.indentation(begin));
    }
    for (const clang::DeclRefExpr* use : rows.uses) {
      replaced_[use] = name;
      if (std::none_of(region.statements.begin(), region.statements.end(), [&](const auto* s) {
            const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
            return declaration && isInside(use, s) && keepsPerThread(declaration);
          }))
        edits_.replace(expressionRange(use), name);
    }
  }
  for (const auto& [table, uses] : columns_->find(region.statements)) {
    // (Some lie turned in memory themselves.)
    if (std::none_of(kernel_.shared.begin(), kernel_.shared.end(),
                     [&, table = table](const SharedVariable& shared) {
                       return shared.decl == table && !shared.dynamic && !shared.turned &&
                              shared.skewed == SharedVariable::Skew::None;
                     }))
      continue;
    const clang::Stmt* scope = scopeOfTurned(table, region.statements.front());
    if ((!scope && (!inBraces || inSwitch)) ||
        std::any_of(uses.begin(), uses.end(), [&](const clang::DeclRefExpr* use) {
          return !plan_.text.isWhole(use) ||
                 std::any_of(regions_.printed.begin(), regions_.printed.end(),
                             [&](const clang::Stmt* s) { return isInside(use, s); });
        }))
      continue;
    std::string& name = turned_[{table, scope ? scope : region.statements.front()}];
    if (name.empty()) {
      name = "cuTurned" + std::to_string(turned_.size());
      const auto columns = columns_->columnsRead(uses, plan_.unit.context());
      const std::string declaration = "const auto " + name + " = cu2cpp::turnedCopy" +
                                      (columns ? "<" + std::to_string(*columns) + ">" : "") +
                                      "(cuBlock, " + table->getNameAsString() + ");";
      if (scope) {
        const FilePosition begin = beginOf(scope->getBeginLoc());
        insert(begin, declaration + "\n" + plan_.text.indentation(begin));
      } else {
        out += declaration + newline;
      }
    }
    for (const clang::DeclRefExpr* use : uses) {
      replaced_[use] = name;
      // Of variables that are kept the declaration is written anew.
      if (std::none_of(region.statements.begin(), region.statements.end(), [&](const auto* s) {
            const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
            return declaration && isInside(use, s) && keepsPerThread(declaration);
          }))
        edits_.replace(expressionRange(use), name);
    }
  }
  return out;
}

} // namespace cu2cpp
