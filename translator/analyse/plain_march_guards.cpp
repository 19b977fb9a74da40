// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march (plain_marches.cpp) and compute in all threads what only some of them store:
//
//   float value = c[0] * here;                       if (inside) {
//   for (int i = 1; i <= 4; i++)                       float value = c[0] * in[...];
//     value += c[i] * (tile[ty][tx - i] + ...);  ->    for (...) value += c[i] * (in[...] + ...);
//   if (inside)                                        out[at] = value;
//     out[at] = value;                               }
//
// Threads beyond the edge have nothing in their tile that anybody asks for, and would read what
// lies beside the array instead.
#include <algorithm>

#include "analyse/plain_march.h"

namespace cu2cpp::marches {

namespace {

bool isVolatile(clang::QualType type) {
  while (const clang::ArrayType* array = type->getAsArrayTypeUnsafe())
    type = array->getElementType();
  return type.isVolatileQualified() ||
         (type->isPointerType() && type->getPointeeType().isVolatileQualified());
}

} // namespace

bool March::onlyComputes(const clang::Stmt* s) const {
  const Named named(s);
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s)) {
    if (!std::all_of(declared->decl_begin(), declared->decl_end(), [](const clang::Decl* decl) {
          const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
          return variable && variable->hasLocalStorage() && !isShared(variable) &&
                 isNumber(variable->getType());
        }))
      return false;
  }
  return !named.returns &&
         std::none_of(named.variables.begin(), named.variables.end(),
                      [](const clang::VarDecl* v) { return isVolatile(v->getType()); }) &&
         std::all_of(named.changed.begin(), named.changed.end(),
                     [](const clang::Expr* place) {
                       const clang::VarDecl* variable = namedBy(place);
                       return variable && variable->hasLocalStorage() &&
                              isNumber(variable->getType());
                     }) &&
         std::all_of(named.calls.begin(), named.calls.end(),
                     [&](const clang::CallExpr* call) { return isHarmless(call); });
}

void March::findGuards() {
  const std::vector<const clang::Stmt*> all(body_list_->body_begin(), body_list_->body_end());
  for (std::size_t end = 1; end < all.size(); ++end) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(all[end]);
    if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
        branch->isConstexpr() || branch->getBeginLoc().isMacroID() ||
        Uniformity::readsMemory(branch->getCond()))
      continue;
    const Named asked(branch->getCond());
    if (!asked.changed.empty() || !asked.calls.empty())
      continue;
    std::size_t begin = end;
    while (begin > 0 && onlyComputes(all[begin - 1]))
      --begin;
    while (begin < end && !isGuardedBy({all.begin() + begin, all.begin() + end}, branch))
      ++begin;
    for (std::size_t i = begin; i < end; ++i)
      guarded_[all[i]] = branch;
  }
}

bool March::isGuardedBy(const std::vector<const clang::Stmt*>& run,
                        const clang::IfStmt* branch) const {
  const auto first = body_.text.positionOf(run[0]->getBeginLoc());
  const auto last = body_.text.rangeOf(branch->getSourceRange());
  if (!llvm::isa<clang::DeclStmt>(run[0]) || run[0]->getBeginLoc().isMacroID() || !first || !last ||
      first->file != last->file)
    return false;
  std::set<const clang::VarDecl*> own;
  for (const clang::DeclStmt* s : body_.contents.declarations) {
    const auto at = body_.text.positionOf(s->getBeginLoc());
    if (at && at->file == last->file && at->offset >= first->offset && at->offset < last->begin)
      for (const clang::Decl* decl : s->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
          own.insert(variable);
  }
  const Named asked(branch->getCond());
  if (std::any_of(asked.variables.begin(), asked.variables.end(),
                  [&](const clang::VarDecl* variable) { return own.count(variable); }))
    return false;
  for (const clang::Stmt* s : run)
    for (const clang::Expr* place : Named(s).changed)
      if (!own.count(namedBy(place)))
        return false;
  return std::all_of(own.begin(), own.end(), [&](const clang::VarDecl* variable) {
    const auto uses = body_.contents.references.find(variable);
    return !body_.mayBeHidden(variable) &&
           (uses == body_.contents.references.end() ||
            std::all_of(uses->second.begin(), uses->second.end(),
                        [&](const clang::DeclRefExpr* use) {
                          const auto at = body_.text.positionOf(
                              body_.text.sources().getExpansionLoc(use->getLocation()));
                          return at && at->file == last->file && at->offset >= first->offset &&
                                 at->offset < last->end;
                        }));
  });
}

bool March::writeGuards(PlainChanges& changes) const {
  const auto put = [&](const std::string& file, unsigned at, const std::string& text) {
    auto& edits = changes[file];
    const auto there = edits.find(at);
    if (there == edits.end())
      edits[at] = {at, text};
    else
      there->second.second = text + there->second.second;
  };
  std::set<const clang::IfStmt*> open;
  for (const clang::Stmt* s : body_list_->body()) {
    const auto guard = guarded_.find(s);
    if (guard == guarded_.end() || !open.insert(guard->second).second)
      continue;
    const auto begin = body_.text.positionOf(s->getBeginLoc());
    const auto range = body_.text.rangeOf(guard->second->getSourceRange());
    const auto condition = body_.text.rangeOf(guard->second->getCond()->getSourceRange());
    const auto asked = condition ? onOneLine(body_.text.text(*condition)) : std::nullopt;
    if (!begin || !range || !asked)
      return false;
    unsigned end = range->end;
    if (body_.text.buffer(range->file)[end - 1] != '}') {
      const auto behind = behindSemicolon(body_.text, *range);
      if (!behind)
        return false;
      end = *behind;
    }
    put(begin->file, begin->offset, "if (" + *asked + ") { ");
    put(range->file, end, " }");
    // The branch itself asks for the same again.
    const auto then = body_.text.positionOf(guard->second->getThen()->getBeginLoc());
    auto& edits = changes[range->file];
    const auto inside = then ? edits.lower_bound(range->begin) : edits.end();
    if (then && then->file == range->file && !guard->second->getThen()->getBeginLoc().isMacroID() &&
        (inside == edits.end() || inside->first >= then->offset))
      edits[range->begin] = {
          then->offset,
          withLinesOf(body_.text.text({range->file, range->begin, then->offset}), "")};
  }
  return true;
}

} // namespace cu2cpp::marches
