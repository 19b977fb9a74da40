// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations inside regions: of variables kept for each thread, which are assigned instead, and
// of those whose type only their value gives.
#include "plan/splitter.h"

namespace cu2cpp {

bool Splitter::emitDeduced(const RegionNode& region) {
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(region.statements.front());
  const auto* variable = declaration && region.statements.size() == 1 && declaration->isSingleDecl()
                             ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                             : nullptr;
  if (!variable || !isKept(variable) || !isDeducedFromInit(variable))
    return false;
  anyRegion_ = true;
  edits_.replace(rangeOf(declaration),
                 "auto " + perThreadName_.at(variable) + " = " +
                     (level_ == Scope::Block ? "cu2cpp::perThread" : "cu2cpp::perLane") +
                     (region.oneByOne ? "Published" : published()) + "(" + group() + ", " +
                     active() + ", " + valueLambda(variable->getInit()) + ");");
  return true;
}

std::string Splitter::movedText(const clang::DeclStmt* moved) {
  const FileRange range = rangeOf(moved);
  const FileRange full{range.file, range.begin, behindComment(range)};
  edits_.replace(wholeLine(range), "");
  return plan_.text.text(full);
}

bool Splitter::keepsPerThread(const clang::DeclStmt* declaration) const {
  for (const clang::Decl* decl : declaration->decls())
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
      if (isKept(variable))
        return true;
  return false;
}

bool Splitter::startsWithValue(const clang::VarDecl* variable) {
  const auto* construct =
      variable->hasInit()
          ? llvm::dyn_cast<clang::CXXConstructExpr>(variable->getInit()->IgnoreImplicit())
          : nullptr;
  return variable->hasInit() &&
         !(construct && construct->getNumArgs() == 0 && construct->getConstructor()->isTrivial() &&
           construct->getParenOrBraceRange().isInvalid());
}

bool Splitter::emitValueless(const RegionNode& region) {
  for (const clang::Stmt* s : region.statements) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
    if (!declaration || regions_.printed.count(s))
      return false;
    for (const clang::Decl* decl : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
          !variable || !isKept(variable) || startsWithValue(variable) ||
          isReferenceLocal(variable) ||
          (isDeclaredInPlace(variable) &&
           isStored(variable, Storage::PerLane) != (level_ == Scope::Warp)))
        return false;
    const FileRange range = rangeOf(s);
    if (!canBeComment(range))
      return false;
  }
  const std::string indentation = plan_.text.indentation(
      {rangeOf(region.statements.front()).file, rangeOf(region.statements.front()).begin});
  std::string opening;
  for (const clang::DeclStmt* moved : region.movedHere)
    opening += movedText(moved) + "\n" + indentation;
  if (!opening.empty())
    insert(position(rangeOf(region.statements.front())), opening);
  for (const clang::Stmt* s : region.statements) {
    std::string text;
    for (const clang::Decl* decl : llvm::cast<clang::DeclStmt>(s)->decls())
      if (const auto* variable = llvm::cast<clang::VarDecl>(decl); isDeclaredInPlace(variable))
        text += (text.empty() ? "" : " ") + storageDeclaration(variable);
    if (text.empty())
      edits_.replace(rangeOf(s), asComment(rangeOf(s), "at the kernel's head"));
    else
      edits_.replace(rangeOf(s), text);
  }
  return true;
}

std::string Splitter::declarationText(const clang::DeclStmt* declaration) const {
  std::string text;
  for (const clang::Decl* decl : declaration->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable || !variable->hasInit() || isStored(variable, Storage::Block))
      continue;
    const std::string name = variable->getNameAsString();
    const clang::Expr* init = variable->getInit();
    // `T x;` of a class or dependent type has an implicit initialisation without text.
    const std::string written = init->getBeginLoc().isValid() ? expressionText(init) : "";
    const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit());
    const bool atName = init->getBeginLoc() == variable->getLocation();
    const bool implicit = written.empty() || (written == name && atName) ||
                          (construct && atName && construct->getNumArgs() == 0);
    const std::string type = "cu2cpp::Type<" + typeOf(variable) + ">";
    text += text.empty() ? "" : " ";
    if (isReferenceLocal(variable)) {
      text += "auto& " + name + " = " +
              (isReferenceToConst(variable) ? "std::as_const(" + written + ")" : written) + "; " +
              perThreadName_.at(variable) + "[cuThisThread] = &" + name + ";";
      continue;
    }
    if (implicit) {
      if (construct && !construct->getConstructor()->isTrivial())
        text += "new (&" + name + ") " + type + "();";
      continue;
    }
    const clang::CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
    // What is kept is never const, but for a type that a template parameter makes so; that may be a
    // class, too, which does more when it is assigned.
    const bool assignable =
        (!variable->getType()->isDependentType() ||
         (regions_.scalars.count(variable) && !variable->getType().isConstQualified())) &&
        (!record || !record->hasDefinition() ||
         (record->hasTrivialCopyAssignment() && record->hasSimpleCopyAssignment()));
    std::string value;
    if (variable->getType()->isArrayType()) {
      const bool checked = variable->getType()->getBaseElementTypeUnsafe()->isDependentType();
      text += "{ " + typedArray(variable, name + "_init") + " = " + written + "; " +
              (checked ? "static_assert(std::is_trivially_copyable<decltype(" + name +
                             "_init)>::value, \"'" + name +
                             "' is alive across a barrier: its elements must be plain data\"); "
                       : "") +
              (regions_.rows.count(variable)
                   ? name + ".set(" + name + "_init); }"
                   : "std::memcpy(" + name + ", " + name + "_init, sizeof(" + name + ")); }");
      continue;
    }
    if (variable->getInitStyle() == clang::VarDecl::CInit) {
      value = written;
      const bool braces =
          llvm::isa<clang::InitListExpr>(init->IgnoreImplicit()) || written.front() == '{';
      if (braces)
        value = type + written;
    } else if (construct && atName) {
      // `dim3 d(1, 2)`: the initialiser's text begins with the variable's name.
      value = type + llvm::StringRef(written).drop_front(name.size()).str();
    } else {
      const bool braces = variable->getInitStyle() == clang::VarDecl::ListInit;
      value = braces ? written.front() == '{' ? type + written : type + "{" + written + "}"
                     : type + "(" + written + ")";
    }
    text += assignable ? name + " = " + value + ";"
                       : "new (const_cast<std::remove_const_t<" + type + ">*>(&" + name + ")) " +
                             type + "(" + value + ");";
  }
  return text;
}

std::string Splitter::typedArray(const clang::VarDecl* variable, const std::string& name) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  variable->getType().getUnqualifiedType().print(stream, plan_.unit.context().getPrintingPolicy(),
                                                 name);
  return text;
}

} // namespace cu2cpp
