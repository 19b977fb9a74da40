// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks kernels, and what they call, for shared variables that are named somewhere: nvcc leaves out
// the others, and lays these out one behind the other.
#include "analyse/kernel_limits.h"

#include <algorithm>
#include <set>

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

#include "analyse/marks.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

std::uint64_t roundUp(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Whether a type is, or holds, a class of CUDA's libraries: ours are of other sizes.
bool holdsLibraryClass(clang::QualType type) {
  const auto* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  const clang::DeclContext* scope = record;
  while (!scope->getParent()->isTranslationUnit())
    scope = scope->getParent();
  if (const auto* outermost = llvm::dyn_cast<clang::NamespaceDecl>(scope))
    if (outermost->getName() == "cub" || outermost->getName() == "cuda" ||
        outermost->getName() == "cooperative_groups")
      return true;
  record = record->getDefinition();
  for (const clang::FieldDecl* field : record->fields())
    if (holdsLibraryClass(field->getType()))
      return true;
  for (const clang::CXXBaseSpecifier& base : record->bases())
    if (holdsLibraryClass(base.getType()))
      return true;
  return false;
}

class SharedMemory : public SyntaxVisitor {
public:
  explicit SharedMemory(const SourceUnit& unit) : unit_(unit) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }

  void walk(const clang::FunctionDecl* function) {
    const clang::FunctionDecl* definition = nullptr;
    if (function->hasBody(definition) && unit_.isUser(definition->getLocation()) &&
        seen_.insert(definition).second)
      TraverseStmt(definition->getBody());
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->isReferenced())
      note(variable);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(use->getDecl()))
      walk(function);
    else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
      if (variable->isFileVarDecl())
        note(variable);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()))
      walk(method);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) override {
    walk(construct->getConstructor());
    return true;
  }

  std::uint64_t bytes() {
    std::sort(variables_.begin(), variables_.end(),
              [](const clang::VarDecl* a, const clang::VarDecl* b) {
                return a->getLocation() < b->getLocation();
              });
    const clang::ASTContext& context = unit_.context();
    std::uint64_t all = 0;
    for (const clang::VarDecl* variable : variables_)
      all = roundUp(all, std::uint64_t(context.getDeclAlign(variable).getQuantity())) +
            std::uint64_t(context.getTypeSizeInChars(variable->getType()).getQuantity());
    return all;
  }

private:
  void note(const clang::VarDecl* variable) {
    const clang::QualType type = variable->getType();
    if (!isShared(variable) || isDynamicShared(variable) || type->isDependentType() ||
        type->isIncompleteType() || !seen_.insert(variable->getCanonicalDecl()).second ||
        holdsLibraryClass(type))
      return;
    variables_.push_back(variable);
  }

  const SourceUnit& unit_;
  std::vector<const clang::VarDecl*> variables_;
  std::set<const clang::Decl*> seen_;
};

/// The value of a mark's argument; 0 where it is none that a launch can have.
unsigned valueOf(const SourceUnit& unit, const clang::Expr* argument) {
  clang::Expr::EvalResult result;
  if (!argument->isValueDependent() && argument->EvaluateAsInt(result, unit.context()) &&
      result.Val.getInt().isStrictlyPositive() && result.Val.getInt().getActiveBits() < 32)
    return unsigned(result.Val.getInt().getZExtValue());
  return 0;
}

const clang::AnnotateAttr* markOf(const clang::FunctionDecl* kernel, llvm::StringRef name) {
  for (const auto* mark : kernel->specific_attrs<clang::AnnotateAttr>())
    if (mark->getAnnotation() == name && mark->args_size() > 0)
      return mark;
  return nullptr;
}

unsigned launchBound(const SourceUnit& unit, const clang::FunctionDecl* kernel) {
  const clang::AnnotateAttr* mark = markOf(kernel, "cu2cpp.launch_bounds");
  return mark ? valueOf(unit, *mark->args_begin()) : 0;
}

std::vector<unsigned> clusterOf(const SourceUnit& unit, const clang::FunctionDecl* kernel) {
  std::vector<unsigned> sizes;
  if (const clang::AnnotateAttr* mark = markOf(kernel, "cu2cpp.cluster_dims"))
    for (const clang::Expr* argument : mark->args()) {
      sizes.push_back(valueOf(unit, argument));
      if (sizes.back() == 0)
        return {};
    }
  return sizes;
}

bool isInstance(const clang::FunctionDecl* function) {
  const clang::TemplateSpecializationKind kind = function->getTemplateSpecializationKind();
  return kind == clang::TSK_ImplicitInstantiation ||
         kind == clang::TSK_ExplicitInstantiationDefinition;
}

} // namespace

std::vector<KernelLimits> findKernelLimits(const SourceUnit& unit, const Facts& facts) {
  bool anyShared = false, anyDynamic = false;
  for (const clang::VarDecl* variable : facts.namespaceShared) {
    anyShared = true;
    anyDynamic |= variable->hasExternalStorage();
  }
  for (const auto& [place, function] : facts.functions)
    for (const SharedVariable& shared : function.shared) {
      anyShared = true;
      anyDynamic |= shared.dynamic;
    }
  // Behind the variables comes the dynamic part, for all kernels of a file.
  constexpr std::uint64_t dynamicAlignment = 16;
  std::vector<KernelLimits> all;
  const auto add = [&](const clang::FunctionDecl* kernel) {
    KernelLimits limits{kernel, launchBound(unit, kernel), 0, clusterOf(unit, kernel)};
    if (anyShared) {
      SharedMemory memory(unit);
      memory.walk(kernel);
      limits.sharedBytes = roundUp(memory.bytes(), anyDynamic ? dynamicAlignment : 1);
    }
    if (limits.threads || limits.sharedBytes || !limits.cluster.empty())
      all.push_back(limits);
  };
  for (const auto& [place, function] : facts.functions) {
    if (!function.kernel || !unit.isUser(function.decl->getLocation()))
      continue;
    const clang::FunctionTemplateDecl* pattern = function.decl->getDescribedFunctionTemplate();
    if (!pattern && isInstance(function.decl))
      pattern = function.decl->getPrimaryTemplate();
    if (!pattern) {
      add(function.decl);
      continue;
    }
    for (const clang::FunctionDecl* instance : pattern->specializations())
      if (isInstance(instance) && instance->hasBody())
        add(instance);
  }
  return all;
}

} // namespace cu2cpp
