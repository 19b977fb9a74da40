// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How small structures reach device functions and come back. The C++ ABI packs two floats into one
// register; clang does so even for functions that it then inlines, and no loop over threads becomes
// vectors with such pairs in it.
//
//   __device__ float4 operator+(float4 a, float4 b) {...}
//     ->  static inline CU2CPP_BY_PARTS float4 operator+(float4 a, float4 b) {...}
//
// The functions' types change, so only those are told that nobody but a call names.
#include <algorithm>
#include <set>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

#include "parse/syntax_visitor.h"
#include "plan/rewrites.h"

namespace cu2cpp {
namespace {

/// The functions that something else than a call names, by where they are defined.
class NamedBesideCalls : public SyntaxVisitor {
public:
  explicit NamedBesideCalls(const SourceUnit& unit) : unit_(unit) {}
  std::set<clang::SourceLocation> functions;

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool TraverseDecl(clang::Decl* decl) override {
    return !decl || !unit_.mayHoldUserCode(decl) || SyntaxVisitor::TraverseDecl(decl);
  }
  // Before its callee is visited.
  bool VisitCallExpr(clang::CallExpr* call) override {
    callees_.insert(call->getCallee()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (!callees_.count(use))
      note(use->getDecl());
    return true;
  }
  bool VisitOverloadExpr(clang::OverloadExpr* overloads) override {
    if (!callees_.count(overloads))
      for (const clang::NamedDecl* candidate : overloads->decls())
        note(candidate->getUnderlyingDecl());
    return true;
  }

private:
  void note(const clang::NamedDecl* named) {
    if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(named))
      named = pattern->getTemplatedDecl();
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(named))
      functions.insert(definitionOf(function)->getLocation());
  }

  const SourceUnit& unit_;
  std::set<const clang::Expr*> callees_;
};

bool hasStatics(const clang::FunctionDecl* function) {
  class Statics : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitVarDecl(clang::VarDecl* variable) override {
      return !(found |= variable->isStaticLocal());
    }
  } statics;
  statics.TraverseStmt(function->getBody());
  return statics.found;
}

/// The scalars of four bytes in a type.
struct Words {
  unsigned all = 0;
  bool anyFloat = false, others = false; ///< others: there is something else

  void add(const clang::ASTContext& context, clang::QualType type) {
    if (const auto* array = context.getAsConstantArrayType(type)) {
      const std::uint64_t size = array->getSize().getLimitedValue();
      others |= size > mostInRegisters;
      for (std::uint64_t i = 0; i < size && !others; ++i)
        add(context, array->getElementType());
      return;
    }
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record) {
      others |= !type->isScalarType() || context.getTypeSize(type) != 32;
      anyFloat |= type->isRealFloatingType();
      ++all;
      return;
    }
    others |= !record->hasDefinition() || record->isDependentContext() || record->isUnion() ||
              !record->isTriviallyCopyable();
    if (others)
      return;
    for (const clang::CXXBaseSpecifier& base : record->bases())
      add(context, base.getType());
    for (const clang::FieldDecl* field : record->fields()) {
      others |= field->isBitField();
      add(context, field->getType());
    }
  }
  bool arePacked() const { return !others && anyFloat && all > 1 && all <= mostInRegisters; }

private:
  static constexpr unsigned mostInRegisters = 4;
};

bool isPacked(const clang::ASTContext& context, clang::QualType type) {
  if (type->isDependentType() || !type->isRecordType())
    return false;
  Words words;
  words.add(context, type);
  return words.arePacked();
}

bool passesPacked(const clang::ASTContext& context, const clang::FunctionDecl* function) {
  return isPacked(context, function->getReturnType()) ||
         std::any_of(function->param_begin(), function->param_end(),
                     [&](const clang::ParmVarDecl* parameter) {
                       return isPacked(context, parameter->getType());
                     });
}

/// Whether a function's type may change: nothing outside of the file's own calls depends on it.
bool mayChange(const clang::FunctionDecl* function) {
  if (function->isExternC() || function->isVariadic() || function->isDefaulted() ||
      function->isDeleted() || function->getOverloadedOperator() == clang::OO_Call ||
      llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl>(
          function) ||
      function->isFunctionTemplateSpecialization() || function->getMemberSpecializationInfo())
    return false;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
      method && (method->isVirtual() || method->getParent()->isLambda()))
    return false;
  if (const clang::FunctionTemplateDecl* pattern = function->getDescribedFunctionTemplate())
    for (const clang::FunctionDecl* instance : pattern->specializations())
      if (instance->getTemplateSpecializationKind() != clang::TSK_ImplicitInstantiation &&
          instance->getTemplateSpecializationKind() != clang::TSK_Undeclared)
        return false;
  return function->hasBody() && !hasStatics(function);
}

} // namespace

void rewritePassing(Plan& plan) {
  if (plan.options.separateCompilation)
    return;
  NamedBesideCalls named(plan.unit);
  named.TraverseDecl(plan.unit.context().getTranslationUnitDecl());
  std::set<std::string> headers;
  for (const auto& [place, function] : plan.facts.functions) {
    if (!function.device || function.kernel || function.regions || named.functions.count(place) ||
        !mayChange(function.decl) ||
        std::none_of(function.bodies.begin(), function.bodies.end(),
                     [&](const clang::FunctionDecl* body) {
                       return passesPacked(plan.unit.context(), body);
                     }))
      continue;
    std::vector<FilePosition> positions;
    bool all = true;
    for (const clang::FunctionDecl* declaration : function.decl->redecls()) {
      const auto position = beforeSpecifiers(plan, declaration, declaration->getInnerLocStart());
      all &= position && plan.unit.isUser(declaration->getLocation()) &&
             !plan.text.inMacro(declaration->getLocation());
      if (position)
        positions.push_back(*position);
    }
    if (!all)
      continue;
    for (const FilePosition& position : positions) {
      plan.edits.insert(position, "CU2CPP_BY_PARTS ");
      if (position.file != plan.unit.mainFile())
        headers.insert(position.file);
    }
  }
  // Host files may include a header without anything of CUDA before it.
  for (const std::string& header : headers)
    plan.edits.insert({header, 0}, "#include <cu2cpp/attributes.h>\n");
}

} // namespace cu2cpp
