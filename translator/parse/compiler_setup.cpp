// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parse/compiler_setup.h"

#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace cu2cpp {

std::string realPath(llvm::StringRef path) {
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(path, real))
    return path.str();
  return std::string(real);
}

void ErrorPrinter::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                    const clang::Diagnostic& info) {
  const bool note = level == clang::DiagnosticsEngine::Note;
  if (!note)
    tolerating_ = info.getID() == clang::diag::err_attributes_are_not_compatible ||
                  info.getID() == clang::diag::err_asm_invalid_output_constraint ||
                  info.getID() == clang::diag::err_asm_invalid_input_constraint ||
                  info.getID() == clang::diag::err_asm_invalid_type_in_input ||
                  info.getID() == clang::diag::err_asm_invalid_escape || // `%smid` for `%%smid`
                  info.getID() == clang::diag::err_asm_input_duplicate_match;
  if (tolerating_)
    return;
  errors_ += level >= clang::DiagnosticsEngine::Error;
  TextDiagnosticPrinter::HandleDiagnostic(level, info);
  // The one library that is not ours and that CUDA brings along.
  if (info.getID() == clang::diag::err_pp_file_not_found && info.getNumArgs() > 0 &&
      info.getArgKind(0) == clang::DiagnosticsEngine::ak_std_string &&
      llvm::StringRef(info.getArgStdStr(0)).starts_with("thrust/"))
    messages_ << info.getLocation().printToString(info.getSourceManager())
              << ": note: Thrust's headers are in the package libthrust-dev of Debian and "
                 "Ubuntu\n";
}

ErrorPrinter* setUpCompiler(clang::CompilerInstance& compiler, const std::vector<std::string>& args,
                            const DeviceBodiesByFile& known, TextsByFile& texts,
                            llvm::raw_ostream& messages, bool colours) {
  auto files = dialectFileSystem(llvm::vfs::getRealFileSystem(), known, texts);
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  options->ShowColors = colours;
  auto* printer = new ErrorPrinter(messages, options.get());
  compiler.createDiagnostics(printer, true);
  compiler.getDiagnostics().setIgnoreAllWarnings(true);
  // Errors to clang, at most warnings to nvcc and gcc: `"text"MACRO` without a space, `register`
  // in C++17, `uchar4 c = {i, i, i, i}`, constants cast to an enumeration without such a value.
  for (const char* group : {"reserved-user-defined-literal", "register", "c++11-narrowing",
                            "enum-constexpr-conversion"})
    compiler.getDiagnostics().setSeverityForGroup(clang::diag::Flavor::WarningOrError, group,
                                                  clang::diag::Severity::Ignored);

  std::vector<const char*> argv;
  for (const std::string& a : args)
    argv.push_back(a.c_str());
  clang::CreateInvocationOptions create;
  create.Diags = &compiler.getDiagnostics();
  create.VFS = files;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(argv, create);
  if (!invocation)
    return nullptr;
  invocation->getFrontendOpts().DisableFree = false;
  // Without a GPU target beside the host's, clang does not predeclare __syncthreads() and its kin
  // as built-ins.
  invocation->getFrontendOpts().AuxTriple.clear();
  invocation->getDiagnosticOpts().ShowColors = colours;
  for (const auto& [path, text] : texts) {
    const auto found = known.find(path);
    const Overlay overlay =
        overlayDialect(text, found == known.end() ? DeviceBodies() : found->second);
    invocation->getPreprocessorOpts().addRemappedFile(
        path, llvm::MemoryBuffer::getMemBufferCopy(overlay.text, path).release());
  }
  compiler.setInvocation(invocation);
  compiler.createFileManager(files);
  compiler.createSourceManager(compiler.getFileManager());
  if (!compiler.createTarget() || compiler.getFrontendOpts().Inputs.empty())
    return nullptr;
  return printer;
}

void beginWith(clang::CompilerInstance& compiler, const std::string& precompiled) {
  clang::PreprocessorOptions& options = compiler.getPreprocessorOpts();
  options.ImplicitPCHInclude = precompiled;
  compiler.getLangOpts().PCHInstantiateTemplates = true; // as it was made
  // It was made a moment ago by this process, with the same options.
  options.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH;
}

} // namespace cu2cpp
