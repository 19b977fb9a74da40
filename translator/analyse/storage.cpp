// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a kernel's shared variables can live. Best is a local variable of the translated kernel,
// outside the thread loop: the compiler then knows that nothing else points there. That needs a
// name of its own and a type that means the same at the kernel's head.
#include "analyse/analyses.h"

#include <algorithm>
#include <set>

#include "clang/AST/DeclCXX.h"
#include "clang/Lex/Lexer.h"

#include "analyse/marks.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// What a kernel's body declares.
class LocalDeclarations : public SyntaxVisitor {
public:
  std::map<std::string, unsigned> names;
  std::map<const clang::Decl*, const clang::DeclStmt*> statements;

  bool VisitDeclStmt(clang::DeclStmt* statement) override {
    for (const clang::Decl* decl : statement->decls())
      statements[decl] = statement;
    return true;
  }
  bool VisitNamedDecl(clang::NamedDecl* decl) override {
    ++names[decl->getNameAsString()];
    return true;
  }
};

/// The local declarations that a declaration's type or initialiser names.
class LocalUses : public SyntaxVisitor {
public:
  std::set<const clang::Decl*> used;
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override { return note(use->getDecl()); }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) override {
    return note(type.getTypedefNameDecl());
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc type) override { return note(type.getDecl()); }

private:
  bool note(const clang::Decl* decl) {
    if (decl->getDeclContext() && decl->getDeclContext()->isFunctionOrMethod())
      used.insert(decl);
    return true;
  }
};

bool isConstant(const clang::Decl* decl) {
  if (llvm::isa<clang::TypeDecl>(decl))
    return true;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
  return variable && (variable->isConstexpr() ||
                      (variable->getType().isConstQualified() && variable->hasInit()));
}

/// Collects what must move along with `decl`, which stands in `home` or is named there; false if
/// something that it names cannot move. A type that `home` itself defines moves with it.
bool collectNeeds(const clang::Decl* decl, const clang::DeclStmt* home,
                  const LocalDeclarations& locals, std::vector<const clang::DeclStmt*>& needs) {
  LocalUses uses;
  uses.TraverseDecl(const_cast<clang::Decl*>(decl));
  for (const clang::Decl* used : uses.used) {
    if (used == decl || llvm::isa<clang::ParmVarDecl>(used) || used->isTemplateParameter())
      continue;
    const auto statement = locals.statements.find(used);
    if (statement == locals.statements.end() || !isConstant(used) ||
        (statement->second != home && !statement->second->isSingleDecl()))
      return false;
    if (!collectNeeds(used, home, locals, needs))
      return false;
    if (statement->second != home &&
        std::find(needs.begin(), needs.end(), statement->second) == needs.end())
      needs.push_back(statement->second);
  }
  return true;
}

bool startsWithoutConstructor(const clang::VarDecl* variable) {
  const clang::Type* type = variable->getType()->getBaseElementTypeUnsafe();
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return !record || !record->hasDefinition() || record->hasTrivialDefaultConstructor();
}

/// Whether a place is a macro's text, which other functions may have too, and not that of the macro
/// that writes the whole body.
bool isOfMacro(clang::SourceLocation at, const clang::CompoundStmt* body,
               const clang::SourceManager& sources) {
  const clang::FileID home = sources.getFileID(body->getLBracLoc());
  while (at.isMacroID() && sources.getFileID(at) != home) {
    if (!sources.isMacroArgExpansion(at))
      return true;
    at = sources.getImmediateSpellingLoc(at);
  }
  return false;
}

/// Whether a declaration is. What it begins with may be a macro by itself: __shared__ is one. A
/// macro that is nothing but the declaration goes with it where it is used: `FIXED(T, copy, 32);`.
bool isOfMacro(const clang::DeclStmt* statement, const clang::CompoundStmt* body,
               const clang::SourceManager& sources) {
  const clang::LangOptions& language = (*statement->decl_begin())->getASTContext().getLangOpts();
  if (!statement->getEndLoc().isMacroID() && statement->getBeginLoc().isMacroID() &&
      clang::Lexer::isAtStartOfMacroExpansion(statement->getBeginLoc(), sources, language))
    return false;
  return isOfMacro(statement->getEndLoc(), body, sources) ||
         std::any_of(statement->decl_begin(), statement->decl_end(), [&](const clang::Decl* decl) {
           // `int a[4]` ends with its own bracket, `const int n = SIZE` with another macro's text.
           const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
           return isOfMacro(variable && !variable->hasInit() ? decl->getEndLoc()
                                                             : decl->getLocation(),
                            body, sources);
         });
}

} // namespace

void findSharedStorage(Facts& facts) {
  for (auto& [place, f] : facts.functions) {
    if (!f.kernel || f.shared.empty())
      continue;
    const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(f.decl->getBody());
    const auto stays = [&](const clang::DeclStmt* statement) {
      return body && isOfMacro(statement, body, f.decl->getASTContext().getSourceManager());
    };
    LocalDeclarations locals;
    locals.TraverseStmt(f.decl->getBody());
    for (const clang::ParmVarDecl* parameter : f.decl->parameters())
      ++locals.names[parameter->getNameAsString()];
    for (SharedVariable& shared : f.shared)
      shared.movable = startsWithoutConstructor(shared.decl) &&
                       locals.names[shared.decl->getNameAsString()] == 1 &&
                       shared.decl->getDeclContext() == f.decl &&
                       collectNeeds(shared.decl, shared.statement, locals, shared.needs) &&
                       !stays(shared.statement) &&
                       std::none_of(shared.needs.begin(), shared.needs.end(), stays);
    // A statement moves as a whole or not at all.
    for (SharedVariable& shared : f.shared)
      for (const SharedVariable& other : f.shared)
        if (other.statement == shared.statement && !other.movable)
          shared.movable = false;
  }
}

} // namespace cu2cpp
