// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assertions of kernels tell which thread's they are where they fail. For compilers only:
//
//   assert(BM * BK == blockDim.x);   ->   if (!(BM * BK == blockDim.x))
//                                           cu2cpp::assertFails(threadIdx, "BM * BK == ...", ...);
//
// The message of the C library's __assert_fail() names the thread, too, and a kernel with a call of
// it would publish each thread that it runs. No loop over threads that do so has vectors.
#include "analyse/plain_asserts.h"

#include "llvm/ADT/StringExtras.h"

#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

class Asserts : public SyntaxVisitor {
public:
  Asserts(const SourceUnit& unit, const SourceText& text, PlainChanges& changes)
      : unit_(unit), text_(text), changes_(changes) {}

  // Lambdas and classes of a kernel need not know its variables.
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool TraverseDeclStmt(clang::DeclStmt*) override { return true; }
  bool VisitCompoundStmt(clang::CompoundStmt* list) override {
    for (const clang::Stmt* s : list->body())
      if (const auto* e = llvm::dyn_cast<clang::Expr>(s))
        if (const auto* choice =
                llvm::dyn_cast<clang::ConditionalOperator>(e->IgnoreParenImpCasts()))
          look(choice);
    return true;
  }

private:
  /// Of a template's calls too, which are given the function's name.
  static std::string calledName(const clang::CallExpr* call) {
    const clang::Expr* named = call->getCallee()->IgnoreParenImpCasts();
    if (const auto* several = llvm::dyn_cast<clang::UnresolvedLookupExpr>(named))
      return several->getName().getAsString();
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(named);
    return use ? use->getNameInfo().getAsString() : std::string();
  }

  void look(const clang::ConditionalOperator* choice) {
    const auto* call =
        llvm::dyn_cast<clang::CallExpr>(choice->getFalseExpr()->IgnoreParenImpCasts());
    const auto* cast =
        llvm::dyn_cast<clang::CXXStaticCastExpr>(choice->getCond()->IgnoreParenImpCasts());
    const clang::SourceLocation at = choice->getBeginLoc();
    if (!cast || !call || calledName(call) != "__assert_fail" || !at.isMacroID() ||
        call->getNumArgs() != 4)
      return;
    const auto* text = llvm::dyn_cast<clang::StringLiteral>(call->getArg(0)->IgnoreParenImpCasts());
    const auto* line =
        llvm::dyn_cast<clang::IntegerLiteral>(call->getArg(2)->IgnoreParenImpCasts());
    const clang::SourceManager& sources = unit_.sources();
    // The macro stands in a file itself, and the statement is all of it.
    if (!text || !line || !text->isOrdinary() ||
        !sources.getImmediateExpansionRange(at).getBegin().isFileID() ||
        sources.getExpansionLoc(at) != sources.getExpansionLoc(choice->getEndLoc()))
      return;
    const clang::CharSourceRange written = sources.getExpansionRange(at);
    const auto begin = text_.positionOf(written.getBegin());
    const auto end = text_.endOf(written.getEnd());
    if (!begin || !end || begin->file != end->file)
      return;
    const std::string whole = text_.text(FileRange{begin->file, begin->offset, end->offset});
    llvm::StringRef condition(whole);
    if (!condition.consume_front("assert") || !(condition = condition.trim()).consume_front("(") ||
        !condition.consume_back(")"))
      return;
    const auto oneLine = onOneLine(
        text_,
        {begin->file, begin->offset + unsigned(condition.data() - whole.data()), end->offset - 1},
        {});
    if (!oneLine)
      return;
    // A type may have a `!` of its own.
    const bool isScalar = cast->getSubExpr()->IgnoreImpCasts()->getType()->isScalarType();
    std::string message;
    llvm::raw_string_ostream stream(message);
    text->outputString(stream);
    changes_[begin->file][begin->offset] = {
        end->offset,
        withLinesOf(whole, std::string("if (!") + (isScalar ? "(" : "static_cast<bool>(") +
                               *oneLine + ")) cu2cpp::assertFails(threadIdx, " + message +
                               ", __FILE__, " + llvm::toString(line->getValue(), 10, false) +
                               ", __PRETTY_FUNCTION__)")};
  }

  const SourceUnit& unit_;
  const SourceText& text_;
  PlainChanges& changes_;
};

} // namespace

void tellAsserts(const SourceUnit& unit, const SourceText& text,
                 const std::vector<const FunctionFacts*>& functions, PlainChanges& changes) {
  for (const FunctionFacts* f : functions)
    if (f->kernel)
      Asserts(unit, text, changes).TraverseStmt(f->decl->getBody());
}

} // namespace cu2cpp
