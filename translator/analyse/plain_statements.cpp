// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that macros write, where they compute with structures of a thread:
//
//   #define CMAC(s, a, b) do { (s).x += (a).x * (b).x; (s).y += (a).y * (b).y; } while (0)
//   CMAC(sum, u, v);        ->        { (sum).x += (u).x * (v).x; (sum).y += (u).y * (v).y; };
//
// Such a structure becomes its parts only where all uses of it can be seen (plain_parts.cpp).
#include "analyse/plain_body.h"

#include <algorithm>

#include "analyse/plain_structures.h"

namespace cu2cpp {
namespace {

/// Whether code only computes, in a way that can be printed, and names a structure of numbers.
class Computes : public SyntaxVisitor {
public:
  explicit Computes(const clang::Stmt* code) { TraverseStmt(const_cast<clang::Stmt*>(code)); }
  bool fits = true, structures = false;

  bool VisitStmt(clang::Stmt* s) override {
    if (const auto* e = llvm::dyn_cast<clang::Expr>(s); e && e->isTypeDependent())
      return fits = false;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      structures |= variable && variable->hasLocalStorage() && isOfNumbers(variable->getType());
      return fits &= !use->getType().isVolatileQualified();
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(s))
      return fits &= llvm::isa<clang::FieldDecl>(member->getMemberDecl());
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s))
      return fits &= !llvm::isa<clang::CXXOperatorCallExpr, clang::CXXMemberCallExpr>(call) &&
                     call->getDirectCallee() != nullptr;
    return fits &=
           llvm::isa<clang::CompoundStmt, clang::BinaryOperator, clang::UnaryOperator,
                     clang::ArraySubscriptExpr, clang::ImplicitCastExpr, clang::ParenExpr,
                     clang::ConditionalOperator, clang::IntegerLiteral, clang::FloatingLiteral>(s);
  }
};

/// What `do { ... } while (0)` does, or any other statement.
const clang::Stmt* onceDone(const clang::Stmt* s) {
  const auto* loop = llvm::dyn_cast<clang::DoStmt>(s);
  const auto* never =
      loop ? llvm::dyn_cast<clang::IntegerLiteral>(loop->getCond()->IgnoreParenImpCasts())
           : nullptr;
  return never && never->getValue() == 0 ? loop->getBody() : s;
}

void writeOut(const PlainBody& body, const clang::Stmt* s) {
  const clang::SourceManager& sources = body.text.sources();
  if (!s->getBeginLoc().isMacroID() || !s->getEndLoc().isMacroID())
    return;
  const clang::CharSourceRange call = sources.getExpansionRange(s->getBeginLoc());
  const auto whole = body.text.rangeOf(call.getAsRange());
  const auto ends = sources.getExpansionRange(s->getEndLoc());
  const clang::Stmt* const done = onceDone(s);
  // One that begins with another macro's argument is not all that the macro writes.
  if (!whole || call.getBegin() != ends.getBegin() || call.getEnd() != ends.getEnd() ||
      sources.isMacroArgExpansion(s->getBeginLoc()) || !llvm::isa<clang::CompoundStmt>(done) ||
      (done == s && !llvm::isa<clang::CompoundStmt>(s)))
    return;
  if (const Computes computes(done); !computes.fits || !computes.structures)
    return;
  std::string text;
  llvm::raw_string_ostream out(text);
  done->printPretty(out, nullptr, clang::PrintingPolicy(body.unit.context().getPrintingPolicy()));
  if (const auto line = onOneLine(text))
    body.changes[whole->file][whole->begin] = {whole->end,
                                               withLinesOf(body.text.text(*whole), *line)};
}

class Lists : public SyntaxVisitor {
public:
  explicit Lists(const PlainBody& body) : body_(body) {}
  bool VisitCompoundStmt(clang::CompoundStmt* list) override {
    for (const clang::Stmt* s : list->body())
      writeOut(body_, s);
    return true;
  }

private:
  const PlainBody& body_;
};

} // namespace

void writeOutStatements(const PlainBody& body) {
  Lists(body).TraverseStmt(body.function->getBody());
}

} // namespace cu2cpp
