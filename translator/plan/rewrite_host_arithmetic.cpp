// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translations that only compilers read: what host functions compute stays what nvcc's host
// compiler makes of it, although kernels in the same file are compiled with fused products and
// vectors of mathematical functions. Programs make their inputs there, and compare with them:
//
//   void fill(float* a) {              void fill(float* a) { CU2CPP_HOST_ARITHMETIC
//     for (...)                 ->       CU2CPP_HOST_LOOP for (...)
//       a[i] = sinf(i * s + t);            a[i] = sinf(i * s + t);
//   }                                  }
#include "parse/syntax_visitor.h"
#include "plan/rewrites.h"

#include <set>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cu2cpp {
namespace {

bool isMathematical(const clang::FunctionDecl* function, const clang::SourceManager& sources) {
  static const llvm::StringSet<> names = {
      "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh",  "cbrt",  "cos",   "cosh",
      "erf",  "erfc",  "exp",  "exp10", "exp2", "expm1", "hypot",  "log",   "log10", "log1p",
      "log2", "pow",   "sin",  "sinh",  "tan",  "tanh",  "lgamma", "tgamma"};
  if (!function->getIdentifier() || !sources.isInSystemHeader(function->getLocation()))
    return false;
  llvm::StringRef name = function->getName();
  return names.contains(name) || (name.consume_back("f") && names.contains(name));
}

/// What matters of a host function's body.
class Body : public SyntaxVisitor {
public:
  Body(const clang::SourceManager& sources, const std::set<const clang::FunctionDecl*>& users)
      : sources_(sources), users_(users) {}
  bool callsMath = false, multiplies = false, adds = false;
  std::vector<const clang::Stmt*> loops; ///< that call mathematical functions

  bool TraverseStmt(clang::Stmt* s) override {
    const bool isLoop = llvm::isa_and_nonnull<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                                              clang::CXXForRangeStmt>(s);
    const bool before = callsMath;
    if (isLoop)
      callsMath = false;
    const bool goesOn = SyntaxVisitor::TraverseStmt(s);
    if (isLoop) {
      if (callsMath)
        loops.push_back(s);
      callsMath |= before;
    }
    return goesOn;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (const clang::FunctionDecl* callee = call->getDirectCallee())
      callsMath |= isMathematical(callee, sources_) || users_.count(callee->getCanonicalDecl());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (!op->isTypeDependent() && !op->getType()->isRealFloatingType())
      return true;
    const clang::BinaryOperatorKind kind = op->getOpcode();
    multiplies |= kind == clang::BO_Mul || kind == clang::BO_MulAssign;
    adds |= kind == clang::BO_Add || kind == clang::BO_Sub || kind == clang::BO_AddAssign ||
            kind == clang::BO_SubAssign;
    return true;
  }

private:
  const clang::SourceManager& sources_;
  const std::set<const clang::FunctionDecl*>& users_;
};

/// Whether a pragma for the loop stands before it that allows no other.
bool isBehindPragma(llvm::StringRef before) {
  before = before.rtrim();
  const std::size_t newline = before.rfind('\n');
  llvm::StringRef line = before.substr(newline == llvm::StringRef::npos ? 0 : newline + 1).ltrim();
  return line.consume_front("#") && line.contains("pragma") &&
         (line.contains("omp") || line.contains("clang"));
}

} // namespace

void rewriteHostArithmetic(Plan& plan) {
  if (!plan.options.lineDirectives)
    return;
  const clang::SourceManager& sources = plan.unit.sources();
  const std::string& file = plan.unit.mainFile();
  std::vector<const clang::FunctionDecl*> functions;
  for (const auto& [place, function] : plan.facts.functions)
    if (function.host && !function.device && function.decl && !place.isMacroID() &&
        llvm::isa_and_nonnull<clang::CompoundStmt>(function.decl->getBody()) &&
        plan.unit.isUser(place))
      functions.push_back(function.decl);
  // Functions that call mathematical ones, themselves or through others.
  std::set<const clang::FunctionDecl*> users;
  for (std::size_t before = ~std::size_t(0); before != users.size();) {
    before = users.size();
    for (const clang::FunctionDecl* function : functions) {
      Body body(sources, users);
      body.TraverseStmt(function->getBody());
      if (body.callsMath)
        users.insert(function->getCanonicalDecl());
    }
  }
  const llvm::StringRef text = plan.text.buffer(file);
  for (const clang::FunctionDecl* function : functions) {
    Body body(sources, users);
    body.TraverseStmt(function->getBody());
    const auto* block = llvm::cast<clang::CompoundStmt>(function->getBody());
    const clang::SourceLocation brace = block->getLBracLoc();
    if (body.multiplies && body.adds && !brace.isMacroID())
      if (const auto end = plan.text.endOf(brace); end && end->file == file)
        plan.edits.replace({file, end->offset, end->offset},
                           llvm::isSpace(text[end->offset]) ? " CU2CPP_HOST_ARITHMETIC"
                                                            : " CU2CPP_HOST_ARITHMETIC ",
                           true);
    for (const clang::Stmt* loop : body.loops) {
      if (loop->getBeginLoc().isMacroID())
        continue;
      const auto begin = plan.text.positionOf(loop->getBeginLoc());
      if (begin && begin->file == file && !isBehindPragma(text.substr(0, begin->offset)))
        plan.edits.replace({file, begin->offset, begin->offset}, "CU2CPP_HOST_LOOP ", true);
    }
  }
}

} // namespace cu2cpp
