// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/marks.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringSwitch.h"

namespace cu2cpp {
namespace {

constexpr llvm::StringLiteral prefix = "cu2cpp.";

} // namespace

bool hasMark(const clang::Decl* decl, llvm::StringRef name) {
  for (const auto* attr : decl->specific_attrs<clang::AnnotateAttr>()) {
    llvm::StringRef text = attr->getAnnotation();
    if (text.consume_front(prefix) && text == name)
      return true;
  }
  return false;
}

/// Whether a class of libcu++, such as cuda::barrier<cuda::thread_scope_device>, serves threads of
/// several blocks.
static bool servesBlocks(const clang::DeclContext* context) {
  const auto* own = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(context);
  if (!own)
    return false;
  for (const clang::TemplateArgument& argument : own->getTemplateArgs().asArray())
    if (argument.getKind() == clang::TemplateArgument::Integral)
      if (const auto* type = argument.getIntegralType()->getAs<clang::EnumType>())
        if (type->getDecl()->getQualifiedNameAsString() == "cuda::thread_scope")
          return argument.getAsIntegral() < 2; // thread_scope_system and thread_scope_device
  return false;
}

Scope syncScope(const clang::Decl* decl) {
  for (const auto* attr : decl->specific_attrs<clang::AnnotateAttr>()) {
    llvm::StringRef text = attr->getAnnotation();
    if (text.consume_front("cu2cpp.sync."))
      return llvm::StringSwitch<Scope>(text)
          .Case("tile", Scope::Tile)
          .Case("warp", Scope::Warp)
          .Case("block", servesBlocks(decl->getDeclContext()) ? Scope::Grid : Scope::Block)
          .Case("cluster", Scope::Cluster)
          .Default(Scope::Grid);
  }
  return Scope::None;
}

/// The text that a mark carries; none without the mark.
static std::optional<std::string> reasonOf(const clang::Decl* decl, llvm::StringRef mark) {
  for (const auto* attr : decl->specific_attrs<clang::AnnotateAttr>())
    if (attr->getAnnotation() == mark) {
      for (const clang::Expr* argument : attr->args())
        if (const auto* text =
                llvm::dyn_cast<clang::StringLiteral>(argument->IgnoreParenImpCasts()))
          return text->getString().str();
        else if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(argument))
          if (const auto* inner = llvm::dyn_cast<clang::StringLiteral>(
                  constant->getSubExpr()->IgnoreParenImpCasts()))
            return inner->getString().str();
      return "not implemented";
    }
  return std::nullopt;
}

std::optional<std::string> apartCondition(const clang::Decl* decl) {
  return reasonOf(decl, "cu2cpp.apart");
}

std::string apartPeer(const clang::FunctionDecl* kernel) {
  return kernel->getNameAsString() + "_cuApart";
}

std::optional<std::string> unsupportedReason(const clang::Decl* decl) {
  return reasonOf(decl, "cu2cpp.unsupported");
}
std::optional<std::string> hostOnlyReason(const clang::Decl* decl) {
  return reasonOf(decl, "cu2cpp.host_only");
}

unsigned builtinOf(const clang::Decl* decl) {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
  if (!variable || !hasMark(variable, "builtin"))
    return 0;
  return llvm::StringSwitch<unsigned>(variable->getName())
      .Case("threadIdx", ThreadIdx)
      .Case("blockIdx", BlockIdx)
      .Case("blockDim", BlockDim)
      .Case("gridDim", GridDim)
      .Default(0);
}

static bool callsOurs(const clang::Expr* expression, llvm::StringRef name) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParenImpCasts());
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getIdentifier() && callee->getName() == name &&
         callee->getQualifiedNameAsString() == "cu2cpp::" + name.str();
}
bool isRankInBlock(const clang::Expr* expression) { return callsOurs(expression, "rankInBlock"); }
bool isThreadsIn(const clang::Expr* expression) { return callsOurs(expression, "threadsIn"); }

bool isNamedConstant(const clang::VarDecl* variable) {
  if (variable->isConstexpr())
    return true;
  const clang::Expr* value = variable->getAnyInitializer();
  if (!value || !variable->hasGlobalStorage() || !variable->getType().isConstQualified() ||
      variable->getType().isVolatileQualified() ||
      !variable->getType()->isIntegralOrEnumerationType() || hasMark(variable, "constant") ||
      hasMark(variable, "device") || hasMark(variable, "managed") || isShared(variable))
    return false;
  return value->isValueDependent() || value->isIntegerConstantExpr(variable->getASTContext());
}

} // namespace cu2cpp
