// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks what cannot be translated, in the report and as a comment above the line, so that nothing
// is dropped in silence.
#include "analyse/sided_macros.h"
#include "plan/rewrites.h"
#include "ptx/inline_assembly.h"

#include "clang/AST/Expr.h"

namespace cu2cpp {
namespace {

void mark(Plan& plan, DiagId id, clang::SourceLocation at, std::vector<std::string> arguments) {
  plan.diagnostics.report(id, plan.unit.placeOf(at), std::move(arguments));
  const Diagnostic& diagnostic = plan.diagnostics.all().back();
  // In a macro the comment goes above the macro's definition line, which is where the text is.
  auto position = plan.text.positionOf(at);
  if (!position || !plan.unit.isUser(at))
    return;
  const llvm::StringRef buffer = plan.text.buffer(position->file);
  std::size_t line = buffer.rfind('\n', position->offset);
  line = line == llvm::StringRef::npos ? 0 : line + 1;
  // Not between the lines of a continued macro.
  while (line >= 2 && buffer[line - 2] == '\\') {
    line = buffer.rfind('\n', line - 2);
    line = line == llvm::StringRef::npos ? 0 : line + 1;
  }
  position->offset = static_cast<unsigned>(line);
  plan.edits.insert(*position, plan.text.indentation(*position) + "/* " + diagnostic.code() + ": " +
                                   diagnostic.text +
                                   (diagnostic.hint.empty() ? "" : ". " + diagnostic.hint) +
                                   " */\n");
}

/// A device function that tests __CUDA_ARCH__ beside its body (in a constructor's initialisers,
/// say), where the text cannot have two sides. In bodies the name has been replaced.
void markHiddenSides(Plan& plan, const FunctionFacts& function) {
  if (!function.device || !function.decl->getBody())
    return;
  const auto range = plan.text.rangeOf(function.decl->getSourceRange());
  if (!range)
    return;
  if (llvm::StringRef(plan.text.text(*range)).contains("__CUDA_ARCH__"))
    mark(plan, DiagId::SidesDiffer, function.decl->getLocation(),
         {"'" + function.decl->getNameAsString() + "'"});
}

/// Device functions whose macros would mean something else in nvcc's compilation for the device.
void noteSidedMacros(Plan& plan) {
  std::set<std::string> names;
  // In these texts conditions that hold for the device have another name.
  for (const std::string& file : plan.unit.userFiles())
    findSidedMacros(plan.text.buffer(file), names);
  if (names.empty())
    return;
  for (const auto& [place, function] : plan.facts.functions) {
    if (!(function.device || function.kernel) || !function.decl->getBody() ||
        !plan.unit.isUser(function.decl->getLocation()))
      continue;
    const auto range = plan.text.rangeOf(function.decl->getBody()->getSourceRange());
    const std::string macro = range ? sidedMacroIn(plan.text.text(*range), names) : std::string();
    if (!macro.empty())
      plan.diagnostics.report(DiagId::SidedMacro, plan.unit.placeOf(function.decl->getLocation()),
                              {function.decl->getNameAsString(), macro});
  }
}

} // namespace

void rewriteUnsupported(Plan& plan) {
  noteSidedMacros(plan);
  for (const auto& [place, function] : plan.facts.functions)
    if (plan.unit.isUser(function.decl->getLocation()))
      markHiddenSides(plan, function);
  for (const auto& [place, function] : plan.facts.functions)
    if (function.warpSynchronousAt.isValid() && plan.unit.isUser(function.decl->getLocation()))
      mark(plan, DiagId::WarpSynchronous, function.warpSynchronousAt,
           {function.decl->getNameAsString()});
  for (const auto& [place, function] : plan.facts.functions)
    for (const clang::GCCAsmStmt* assembly : function.assembly)
      mark(plan, DiagId::InlineAssembly, assembly->getAsmLoc(),
           {whyNotTranslated(plan.text, *assembly, function.kernel)});
  for (const UnsupportedUse& use : plan.facts.unsupported)
    mark(plan, DiagId::UnsupportedName, use.at, {use.name, use.why});
}

} // namespace cu2cpp
