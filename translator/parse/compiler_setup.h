// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes clang's compiler object ready to parse a CUDA file, and prints what it complains of.
#pragma once

#include <string>
#include <vector>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"

#include "parse/dialect_overlay.h"

namespace cu2cpp {

std::string realPath(llvm::StringRef path);

/// Prints and counts clang's errors, apart from those that our parse itself provokes. The pragma
/// that makes every function callable from both sides puts a device attribute on kernels too, and
/// clang complains of it at a second declaration. And inline PTX has constraints that the host's
/// assembly does not know; that of the host is checked when the output is compiled.
class ErrorPrinter : public clang::TextDiagnosticPrinter {
public:
  ErrorPrinter(llvm::raw_ostream& messages, clang::DiagnosticOptions* options)
      : TextDiagnosticPrinter(messages, options), messages_(messages) {}
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override;
  unsigned errors() const { return errors_; }

private:
  llvm::raw_ostream& messages_;
  bool tolerating_ = false;
  unsigned errors_ = 0;
};

/// setUpCompiler() gives a compiler its command line and its files, read through
/// dialectFileSystem(); null if it can have no target or no input. The compiler owns the printer.
ErrorPrinter* setUpCompiler(clang::CompilerInstance& compiler, const std::vector<std::string>& args,
                            const DeviceBodiesByFile& known, TextsByFile& texts,
                            llvm::raw_ostream& messages, bool colours);

/// beginWith() lets the parse begin with a precompiled header of the same command line.
void beginWith(clang::CompilerInstance& compiler, const std::string& precompiled);

} // namespace cu2cpp
