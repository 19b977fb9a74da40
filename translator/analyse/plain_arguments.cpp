// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions in which threads meet, and that all callers give their place in the block, ask
// for it themselves:
//
//   __device__ void sum(float* s, int t) {     __device__ void sum(float* s, int cuGiven_t) {
//     ... __syncthreads();                       const int t = threadIdx.x; ... __syncthreads();
//   }                                          }
//   sum(s, threadIdx.x);                       sum(s, threadIdx.x);
//
// Loops over threads then know how it differs from thread to thread, and none keeps it.
// Needs: findFunctions(). Leaves: functions that are more than called, or may be called elsewhere.
#include "analyse/plain_arguments.h"

#include <algorithm>

#include "analyse/marks.h"
#include "parse/compiled_code.h"

namespace cu2cpp {
namespace {

/// All calls and names of functions, and all uses of variables.
class Uses : public CompiledCode {
public:
  using CompiledCode::CompiledCode;
  std::map<const clang::FunctionDecl*, std::vector<const clang::CallExpr*>> calls; ///< by pattern
  std::map<const clang::FunctionDecl*, std::size_t> names;
  std::map<const clang::VarDecl*, std::pair<unsigned, unsigned>> variables; ///< all uses, reads

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(use->getDecl()))
      ++names[definitionOf(function)];
    else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
      ++variables[variable].first;
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
    if (cast->getCastKind() == clang::CK_LValueToRValue && use)
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
        ++variables[variable].second;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee && llvm::isa<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts()))
      calls[definitionOf(callee)].push_back(call);
    return true;
  }
  bool isNeverChanged(const clang::VarDecl* variable) const {
    const auto found = variables.find(variable);
    return found == variables.end() || found->second.first == found->second.second;
  }
};

/// Which member of threadIdx an argument or a parameter always is.
class ThreadArguments {
public:
  ThreadArguments(const SourceUnit& unit, const Facts& facts, const SharedWithOthers& shared)
      : unit_(unit), facts_(facts), shared_(shared), uses_(unit) {
    uses_.TraverseDecl(unit.context().getTranslationUnitDecl());
  }

  /// `x`, `y` or `z`; empty if it is not known to be any.
  std::string memberGivenFor(const clang::FunctionDecl* function, unsigned index) {
    if (!areCallsKnown(function) || !isWide(function->getParamDecl(index)->getType()) ||
        !asked_.insert({function, index}).second)
      return "";
    std::string member;
    bool same = true;
    for (const clang::CallExpr* call : uses_.calls[function]) {
      const std::string given =
          index < call->getNumArgs() ? memberOf(call->getArg(index)) : std::string();
      same = same && !given.empty() && (member.empty() || member == given);
      member = given;
    }
    asked_.erase({function, index});
    return same ? member : "";
  }
  /// Whether no instance of a function changes a parameter.
  bool isNeverChanged(const FunctionFacts& f, unsigned index) const {
    return std::all_of(f.bodies.begin(), f.bodies.end(), [&](const clang::FunctionDecl* body) {
      return body->isDependentContext() || uses_.isNeverChanged(body->getParamDecl(index));
    });
  }

private:
  static bool isWide(clang::QualType type) {
    return !type->isDependentType() && type->isIntegerType() && !type->isBooleanType() &&
           !type.isVolatileQualified() && type->isBuiltinType() &&
           type->castAs<clang::BuiltinType>()->getKind() != clang::BuiltinType::Short &&
           type->castAs<clang::BuiltinType>()->getKind() != clang::BuiltinType::UShort &&
           !type->isAnyCharacterType();
  }
  /// Other files may have instances of a header's template, of which the linker keeps one.
  bool isOfThisFile(const clang::FunctionDecl* function) const {
    if (!function->isExternallyVisible())
      return true;
    const clang::SourceManager& sources = unit_.sources();
    return !shared_.functions && function->getStorageClass() == clang::SC_None &&
           (!function->getDescribedFunctionTemplate() ||
            sources.isInMainFile(sources.getExpansionLoc(function->getLocation())));
  }
  /// Whether every place that names a function is a call of it, and no other file can have more.
  bool areCallsKnown(const clang::FunctionDecl* function) {
    const FunctionFacts* f = facts_.find(function);
    const auto named = uses_.names.find(function);
    return f && !f->kernel && f->device && !f->host && !function->isVariadic() &&
           !function->isExternC() && !llvm::isa<clang::CXXMethodDecl>(function) &&
           function->getDeclContext()->isFileContext() && !function->getPreviousDecl() &&
           function->getMostRecentDecl() == function && isOfThisFile(function) &&
           named != uses_.names.end() && named->second == uses_.calls[function].size();
  }
  std::string memberOf(const clang::Expr* e) {
    e = e->IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e))
      return isWide(cast->getType()) ? memberOf(cast->getSubExpr()) : "";
    if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
      return memberOf(pseudo->getResultExpr());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      const auto* use =
          llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
      return use && builtinOf(use->getDecl()) == ThreadIdx
                 ? member->getMemberDecl()->getNameAsString()
                 : "";
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    if (!variable || !variable->hasLocalStorage() || !isWide(variable->getType()) ||
        !uses_.isNeverChanged(variable))
      return "";
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable)) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
      const clang::FunctionDecl* pattern = function ? definitionOf(function) : nullptr;
      const unsigned index = parameter->getFunctionScopeIndex();
      return pattern && index < pattern->getNumParams() ? memberGivenFor(pattern, index) : "";
    }
    return variable->hasInit() ? memberOf(variable->getInit()) : "";
  }

  const SourceUnit& unit_;
  const Facts& facts_;
  const SharedWithOthers& shared_;
  Uses uses_;
  std::set<std::pair<const clang::FunctionDecl*, unsigned>> asked_;
};

} // namespace

void nameThreadArguments(const SourceUnit& unit, const SourceText& text, const Facts& facts,
                         const SharedWithOthers& shared, PlainChanges& changes) {
  std::vector<const FunctionFacts*> waiting;
  for (const auto& [place, f] : facts.functions) {
    const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(f.decl->getBody());
    if (!f.kernel && f.device && !f.collectives.empty() && f.assembly.empty() && body &&
        !body->getLBracLoc().isMacroID() && unit.isUser(f.decl->getLocation()) &&
        (!shared.headers || text.positionOf(body->getLBracLoc())->file == unit.mainFile()))
      waiting.push_back(&f);
  }
  if (waiting.empty())
    return;
  ThreadArguments arguments(unit, facts, shared);
  for (const FunctionFacts* f : waiting) {
    const auto open =
        text.endOf(llvm::cast<clang::CompoundStmt>(f->decl->getBody())->getLBracLoc());
    const auto parameters = f->decl->parameters();
    if (std::any_of(parameters.begin(), parameters.end(),
                    [](const auto* parameter) { return parameter->isParameterPack(); }))
      continue; // instances have other indices
    PlainVisitor contents;
    contents.TraverseStmt(f->decl->getBody());
    std::string head;
    for (const clang::ParmVarDecl* parameter : parameters) {
      const unsigned index = parameter->getFunctionScopeIndex();
      const auto at = text.positionOf(parameter->getLocation());
      const std::string name = parameter->getNameAsString();
      if (!open || !at || at->file != open->file || parameter->getLocation().isMacroID() ||
          contents.usesOf(parameter) == 0)
        continue;
      const std::string member = arguments.memberGivenFor(f->decl, index);
      if (member.empty())
        continue;
      const std::string type =
          parameter->getType().getUnqualifiedType().getAsString(unit.context().getPrintingPolicy());
      const bool fixed =
          parameter->getType().isConstQualified() || arguments.isNeverChanged(*f, index);
      head += (fixed ? " const " : " ") + type + " " + name + " = threadIdx." + member + ";";
      changes[at->file][at->offset] = {at->offset + unsigned(name.size()), "cuGiven_" + name};
    }
    if (!head.empty())
      changes[open->file][open->offset] = {open->offset, head};
  }
}

} // namespace cu2cpp
