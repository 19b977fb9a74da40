// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches and kernel addresses. Only the launch's own tokens change; its arguments keep their
// text.
//
//   scale<<<grid, 256, 0, stream>>>(x, n)   ->  cu2cpp::launch(scale, grid, 256, 0, stream)(x, n)
//   fill<<<1, 32>>>(p)   [T deduced]        ->  cu2cpp::launch(fill<float>, 1, 32)(p)
//   (void*)scale                            ->  (void*)cu2cpp::kernelAddress(scale)
//
// Functions such as cudaFuncSetAttribute(scale, ...) take the kernel as it is.
#include "plan/kernel_names.h"
#include "plan/launch_texts.h"
#include "plan/rewrites.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

namespace cu2cpp {
namespace {

std::string parameterTypes(const Plan& plan, const clang::FunctionDecl* kernel) {
  clang::PrintingPolicy policy(plan.unit.context().getPrintingPolicy());
  policy.FullyQualifiedName = true;
  std::string out;
  for (const clang::ParmVarDecl* parameter : kernel->parameters())
    out +=
        (out.empty() ? "" : ", ") + parameter->getType().getUnqualifiedType().getAsString(policy);
  return out;
}

bool explicitArgumentsSuffice(unsigned given, const clang::TemplateParameterList* parameters) {
  for (const clang::NamedDecl* parameter : *parameters)
    if (parameter->isParameterPack())
      return false;
  return given == parameters->size();
}

/// How a kernel is to be named where its address is wanted, from how the user named it.
struct KernelName {
  std::string text;
  bool needsCast = false;     ///< overloaded: the name alone has no type
  bool needsCallable = false; ///< only a call can resolve it
};

KernelName kernelName(const clang::DeclRefExpr* use, const std::string& written) {
  const auto* kernel = llvm::dyn_cast<clang::FunctionDecl>(use->getDecl());
  KernelName name{written};
  if (!kernel)
    return name;
  if (const clang::FunctionTemplateDecl* primary = kernel->getPrimaryTemplate()) {
    if (!explicitArgumentsSuffice(use->getNumTemplateArgs(), primary->getTemplateParameters())) {
      const auto arguments = templateArguments(kernel);
      if (!arguments) {
        name.needsCallable = true;
        return name;
      }
      const std::size_t angle =
          use->hasExplicitTemplateArgs() ? written.find('<') : std::string::npos;
      name.text = llvm::StringRef(written.substr(0, angle)).trim().str() + *arguments;
    }
  }
  name.needsCast = isOverloaded(kernel);
  if (needsGlobalScope(kernel) && !use->hasQualifier() &&
      llvm::StringRef(name.text).starts_with(kernel->getName()))
    name.text = "::" + name.text;
  return name;
}

std::string callable(const std::string& written) {
  return "[](auto&... cuArguments) { " + written + "(cuArguments...); }";
}

void rewriteLaunch(Plan& plan, const clang::CUDAKernelCallExpr* call) {
  const clang::CallExpr* config = call->getConfig();
  const clang::SourceLocation less = config->getBeginLoc(), greater = config->getRParenLoc();
  const clang::Expr* callee = call->getCallee();
  const auto calleeRange = plan.text.rangeOf({plan.text.lift(callee->getBeginLoc(), less),
                                              plan.text.lift(callee->getEndLoc(), less, true)});
  const auto lessBegin = plan.text.positionOf(less), lessEnd = plan.text.endOf(less);
  const auto greaterBegin = plan.text.positionOf(greater), greaterEnd = plan.text.endOf(greater);
  // `kernel CONFIGURATION(x)` with `#define CONFIGURATION <<<1, 1>>>`: the two parts are edited
  // where each is written.
  const bool apart = less.isMacroID() && !callee->getEndLoc().isMacroID();
  if (!calleeRange || !lessBegin || !greaterBegin || lessBegin->file != greaterBegin->file ||
      (!apart && (calleeRange->file != lessBegin->file || calleeRange->end > lessBegin->offset))) {
    plan.diagnostics.report(DiagId::NotEditable, plan.unit.placeOf(less), {"kernel launch"});
    return;
  }
  const std::string written = plan.text.text(*calleeRange);
  const clang::Expr* inner = callee->IgnoreParenImpCasts();
  std::string name = written;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
    KernelName resolved = kernelName(use, written);
    const auto* kernel = llvm::dyn_cast<clang::FunctionDecl>(use->getDecl());
    if (resolved.needsCallable || (resolved.needsCast && kernel->getType()->isDependentType()))
      name = callable(written);
    else
      name = resolved.needsCast ? "static_cast<" + pointerType(kernel) + ">(" + resolved.text + ")"
                                : resolved.text;
  } else if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(inner)) {
    // In a template: resolved only when the arguments' types are known.
    const clang::FunctionTemplateDecl* only = nullptr;
    if (overloads->getNumDecls() == 1)
      only = llvm::dyn_cast<clang::FunctionTemplateDecl>(
          (*overloads->decls_begin())->getUnderlyingDecl());
    if (!only ||
        !explicitArgumentsSuffice(overloads->getNumTemplateArgs(), only->getTemplateParameters()))
      name = callable(written);
  } else if (llvm::isa<clang::DependentScopeDeclRefExpr>(inner)) {
    name = callable(written);
  }
  // What asWritten() turns back: a space says what stood there, or that the name is longer.
  const bool asText = keepLaunchTexts(plan, less);
  if (asText && llvm::StringRef(name).ends_with(">") && !llvm::StringRef(written).ends_with(">"))
    name.insert(name.find('<'), " ");
  if (name == written) // an expression may name kernels whose addresses are edited too
    plan.edits.insert({calleeRange->file, calleeRange->begin}, "cu2cpp::launch(");
  else
    plan.edits.replace(*calleeRange, "cu2cpp::launch(" + name);

  // White space between the callee and `<<<` would stand in front of the comma.
  const llvm::StringRef buffer = plan.text.buffer(lessBegin->file);
  unsigned from = lessBegin->offset, to = lessEnd->offset;
  const std::string spaced = asText && buffer.substr(to).starts_with(" ") ? " " : "";
  while (!apart && from > calleeRange->end && (buffer[from - 1] == ' ' || buffer[from - 1] == '\t'))
    --from;
  while (to < buffer.size() && buffer[to] == ' ')
    ++to;
  plan.edits.replace({lessBegin->file, from, to}, spaced + ", ");
  from = greaterBegin->offset;
  to = greaterEnd->offset;
  while (!asText && from > 0 && (buffer[from - 1] == ' ' || buffer[from - 1] == '\t'))
    --from;
  while (!asText && to < buffer.size() && buffer[to] == ' ')
    ++to;
  plan.edits.replace({greaterBegin->file, from, to}, ")");

  // A pointer has no default arguments: write those that the call uses.
  std::string defaults;
  bool any = false;
  for (const clang::Expr* argument : call->arguments()) {
    if (const auto* byDefault = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument))
      defaults += (any ? ", " : "") + plan.text.text(byDefault->getParam()->getDefaultArgRange());
    any = true;
  }
  if (!defaults.empty())
    if (const auto close = plan.text.positionOf(call->getRParenLoc()))
      plan.edits.insert(*close, defaults);
}

void rewriteAddress(Plan& plan, const KernelAddress& address) {
  const clang::Expr* whole =
      address.addressOf ? static_cast<const clang::Expr*>(address.addressOf) : address.use;
  const auto range = plan.text.rangeOf(whole->getSourceRange());
  const auto nameRange = plan.text.rangeOf(address.use->getSourceRange());
  if (!range || !nameRange)
    return;
  const auto* kernel = llvm::cast<clang::FunctionDecl>(address.use->getDecl());
  const KernelName name = kernelName(address.use, plan.text.text(*nameRange));
  if (name.needsCallable || kernel->isDependentContext())
    return;
  if (address.asArgument && !name.needsCast && name.text == plan.text.text(*nameRange))
    return;
  const std::string types = name.needsCast ? "<" + parameterTypes(plan, kernel) + ">" : "";
  // A space stands for `&` where a macro makes text of it.
  const bool asText = keepLaunchTexts(plan, whole->getBeginLoc()) && address.addressOf;
  plan.edits.replace(*range,
                     "cu2cpp::kernelAddress" + types + (asText ? "( " : "(") + name.text + ")");
}

} // namespace

void rewriteLaunches(Plan& plan) {
  for (const LaunchFacts& launch : plan.facts.launches)
    rewriteLaunch(plan, launch.call);
  for (const KernelAddress& address : plan.facts.kernelAddresses)
    rewriteAddress(plan, address);
}

} // namespace cu2cpp
