// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lambda that a function keeps in a variable, to call it by statements of their own, is written
// out where it is called:
//
//   auto load = [&](int buf, int k) {                       (as it is)
//     for (int e = tid; e < size; e += threads) ...
//   };
//   if (k + 1 < n) load(buf ^ 1, k + 1);      ->   if (k + 1 < n) { for (int e = tid; ...) ... }
//
// What it does is then the function's own: loops over elements, places in rows. So are those with
// loops that end by returning a number:
//
//   int n = escape(x, y);     ->   int cuResult_escape1; { ...; cuResult_escape1 = k; }
//                                  int n = cuResult_escape1;
#include <algorithm>
#include <set>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/plain_body.h"
#include "analyse/plain_calls.h"
#include "parse/body_macros.h"

namespace cu2cpp {
namespace {

/// What a lambda's body says, as far as it matters when it is written elsewhere.
class LambdaBody : public SyntaxVisitor {
public:
  bool fits = true;
  std::set<const clang::ValueDecl*> named;
  std::map<const clang::ValueDecl*, std::vector<const clang::DeclRefExpr*>> uses;
  std::set<const clang::ValueDecl*> changed; ///< or its address taken
  std::set<std::string> declared, local;     ///< with the parameters, and in the body
  std::vector<const clang::ReturnStmt*> returns;
  bool loops = false;

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    named.insert(use->getDecl());
    uses[use->getDecl()].push_back(use);
    return fits &= use->getLocation().isFileID();
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp())
      note(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf)
      note(op->getSubExpr());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    for (const clang::Expr* argument : call->arguments())
      if (argument->isLValue() || argument->isTypeDependent())
        note(argument); // by reference
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    declared.insert(variable->getNameAsString());
    local.insert(variable->getNameAsString());
    if (variable->getType()->isReferenceType() && variable->getInit())
      note(variable->getInit());
    return fits &= !variable->isStaticLocal() && variable->getLocation().isFileID();
  }
  bool VisitStmt(clang::Stmt* s) override {
    if (const auto* back = llvm::dyn_cast<clang::ReturnStmt>(s))
      returns.push_back(back);
    loops |= llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s);
    return fits &=
           !llvm::isa<clang::LambdaExpr, clang::LabelStmt, clang::GCCAsmStmt, clang::CXXThisExpr>(
               s);
  }
  bool VisitTagDecl(clang::TagDecl*) override { return fits = false; }

private:
  void note(const clang::Expr* e) {
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts()))
      changed.insert(use->getDecl());
  }
};

class Lambda {
public:
  Lambda(const PlainBody& body, const clang::VarDecl* variable, const clang::LambdaExpr* lambda)
      : body_(body), parents_(body.variables.parents()), variable_(variable), lambda_(lambda),
        call_(lambda->getCallOperator()) {}

  bool run() {
    const clang::CompoundStmt* const list = lambda_->getCompoundStmtBody();
    const auto uses = body_.placesOf(variable_);
    if (!uses || uses->empty() || lambda_->isMutable() || lambda_->isGenericLambda() || !list ||
        list->getLBracLoc().isMacroID() || list->getRBracLoc().isMacroID())
      return false;
    contents_.TraverseStmt(const_cast<clang::CompoundStmt*>(list));
    for (const clang::ParmVarDecl* parameter : call_->parameters())
      contents_.declared.insert(parameter->getNameAsString());
    const auto range = body_.text.rangeOf(list->getSourceRange());
    if (!contents_.fits || !range || !capturesFit() || !returnsAtEnd(list))
      return false;
    range_ = *range;
    const llvm::StringRef all = body_.unit.userText(range->file);
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    unsigned behind = 0;
    for (const auto& [offset, use] : *uses)
      if (offset < std::max(range->end, behind) ||
          !bodyMacros(all, range->begin, offset).names.empty() ||
          !writeCall(use, offset, range->file, edits, behind))
        return false;
    for (auto& [begin, edit] : edits)
      body_.changes[range->file][begin] = std::move(edit);
    return true;
  }

private:
  static constexpr std::size_t longest = 2000;

  /// Whether what the lambda takes from around it is the same where it is called: by reference, or
  /// what never changes. No other variable of the function has such a name.
  bool capturesFit() const {
    for (const clang::LambdaCapture& capture : lambda_->captures()) {
      if (!capture.capturesVariable() || lambda_->isInitCapture(&capture) ||
          capture.isPackExpansion())
        return false;
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
      const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
      const bool fixed = (local && !local->modified && !local->escapes) ||
                         (variable && llvm::isa<clang::ParmVarDecl>(variable) && !local);
      // (An array is copied whole; its elements may change behind that.)
      if (capture.getCaptureKind() != clang::LCK_ByRef &&
          !(fixed && variable->getType()->isScalarType()))
        return false;
    }
    if (lambda_->getCaptureDefault() == clang::LCD_ByCopy)
      for (const clang::ValueDecl* used : contents_.named) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(used);
        const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
        if (local && (local->modified || local->escapes || !variable->getType()->isScalarType()) &&
            !contents_.local.count(variable->getNameAsString()))
          return false;
      }
    std::set<std::string> outer;
    for (const clang::ValueDecl* used : contents_.named)
      if (!contents_.declared.count(used->getNameAsString()))
        outer.insert(used->getNameAsString());
    class Declared : public SyntaxVisitor {
    public:
      std::multiset<std::string> names;
      bool VisitVarDecl(clang::VarDecl* variable) override {
        names.insert(variable->getNameAsString());
        return true;
      }
    } all;
    all.TraverseStmt(body_.function->getBody());
    return std::all_of(outer.begin(), outer.end(),
                       [&](const std::string& name) { return all.names.count(name) <= 1; });
  }

  /// Whether nothing is returned, or a number at the end of a body with loops. (Others are no more
  /// than an expression, or leave at several places.)
  bool returnsAtEnd(const clang::CompoundStmt* list) const {
    return contents_.returns.empty() ||
           (contents_.loops && contents_.returns.size() == 1 &&
            list->body_back() == contents_.returns.front() &&
            !body_.function->isDependentContext() && call_->getReturnType()->isArithmeticType());
  }

  bool writeCall(const clang::DeclRefExpr* use, unsigned offset, const std::string& file,
                 std::map<unsigned, std::pair<unsigned, std::string>>& edits,
                 unsigned& behindCall) const {
    const clang::Stmt* parent = parents_.getParent(use);
    while (llvm::isa_and_nonnull<clang::ImplicitCastExpr>(parent))
      parent = parents_.getParent(parent);
    const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(parent);
    if (!call || call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID())
      return false;
    const unsigned first = llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
    const clang::Expr* const callee = first ? call->getArg(0) : call->getCallee();
    const auto range = body_.text.rangeOf(call->getSourceRange());
    const auto place = placeOf(call, {file, offset});
    if (callee->IgnoreParenImpCasts() != use || !place || !range ||
        call->getNumArgs() - first != call_->getNumParams())
      return false;
    TokenChanges changes;
    std::string result;
    if (!contents_.returns.empty()) {
      const auto at = body_.text.positionOf(contents_.returns.front()->getReturnLoc());
      result = "cuResult_" + variable_->getNameAsString() + std::to_string(edits.size() + 1);
      if (!at || at->file != range_.file || body_.declaredNames().count(result))
        return false;
      changes.instead[at->offset] = result + " =";
    }
    std::string values, names;
    for (unsigned i = 0; i < call_->getNumParams(); ++i) {
      const clang::ParmVarDecl* parameter = call_->getParamDecl(i);
      const clang::Expr* given = call->getArg(i + first);
      const auto declared = body_.text.rangeOf(parameter->getSourceRange());
      const auto argument = body_.text.rangeOf(given->getSourceRange());
      if (!declared || !argument || parameter->hasDefaultArg() || parameter->isParameterPack() ||
          !(parameter->getType()->isArithmeticType() || parameter->getType()->isPointerType()) ||
          llvm::isa<clang::CXXDefaultArgExpr>(given))
        return false;
      const std::string value = body_.text.text(*argument);
      if (putInPlace(parameter, given, value, changes))
        continue;
      // What the arguments name must not be hidden by the parameters.
      const std::string kept = "cuArg_" + parameter->getNameAsString();
      values += "const " + typed(parameter->getType(), kept) + " = " + value + "; ";
      names += body_.text.text(*declared) + " = " + kept + "; ";
    }
    const auto text = onOneLine(body_.text, range_, changes);
    if (!text || text->size() > longest || (values + *text).find('\n') != std::string::npos ||
        (values + names).find("//") != std::string::npos)
      return false;
    std::string written = values.empty() ? *text : "{ " + values + "{ " + names + *text + " } }";
    if (!result.empty()) {
      written = typed(call_->getReturnType(), result) + "; " + written + " " +
                body_.text.text({file, place->begin, range->begin}) + result +
                body_.text.text({file, range->end, place->end});
      if (!place->inList)
        written = "{ " + written + " }";
    }
    edits[place->begin] = {place->end,
                           withLinesOf(body_.text.text({file, place->begin, place->end}), written)};
    behindCall = place->end;
    return true;
  }

  /// The text that a call's body takes the place of, or stands before.
  struct Place {
    unsigned begin, end;
    bool inList;
  };
  std::optional<Place> placeOf(const clang::CallExpr* call, const FilePosition& at) const {
    if (contents_.returns.empty()) {
      const auto end = body_.behindStatement(call, at);
      return end ? std::optional(Place{at.offset, *end, true}) : std::nullopt;
    }
    const auto site = calls::siteOf(call, parents_);
    const auto range = site && !site->alone && !site->statement->getBeginLoc().isMacroID() &&
                               !site->statement->getEndLoc().isMacroID()
                           ? body_.text.rangeOf(site->statement->getSourceRange())
                           : std::nullopt;
    if (!range || range->file != at.file)
      return std::nullopt;
    const auto end = llvm::isa<clang::DeclStmt>(site->statement)
                         ? std::optional(range->end)
                         : behindSemicolon(body_.text, *range);
    return end ? std::optional(Place{range->begin, *end, site->inList}) : std::nullopt;
  }
  std::string typed(clang::QualType type, const std::string& name) const {
    std::string out;
    llvm::raw_string_ostream stream(out);
    type.getUnqualifiedType().print(stream, body_.unit.context().getPrintingPolicy(), name);
    return out;
  }
  /// Writes an argument where the lambda names its parameter, if that means the same each time.
  bool putInPlace(const clang::ParmVarDecl* parameter, const clang::Expr* given,
                  const std::string& value, TokenChanges& changes) const {
    class Parts : public SyntaxVisitor {
    public:
      const LambdaBody* lambda = nullptr;
      const Uniformity* variables = nullptr;
      bool fits = true;
      bool VisitStmt(clang::Stmt* s) override {
        return fits &= llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::BinaryOperator,
                                 clang::ParenExpr, clang::ImplicitCastExpr, clang::ConstantExpr>(s);
      }
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        return fits &= !op->isAssignmentOp();
      }
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        // What lies in memory may change by other ways than by its name.
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        const LocalVariable* local = variable ? variables->find(variable) : nullptr;
        const bool inMemory = variable && !isNamedConstant(variable) &&
                              (!variable->hasLocalStorage() || (local && local->escapes));
        return fits &= !inMemory && !lambda->changed.count(use->getDecl()) &&
                       !lambda->local.count(use->getDecl()->getNameAsString());
      }
    } parts;
    parts.lambda = &contents_;
    parts.variables = &body_.variables;
    parts.TraverseStmt(const_cast<clang::Expr*>(given));
    const clang::Expr* plain = given->IgnoreParenImpCasts();
    if (!parts.fits || contents_.changed.count(parameter) || plain->isTypeDependent() ||
        !body_.unit.context().hasSameUnqualifiedType(plain->getType(), parameter->getType()))
      return false;
    const auto found = contents_.uses.find(parameter);
    if (found == contents_.uses.end())
      return true;
    for (const clang::DeclRefExpr* use : found->second) {
      const auto at = body_.text.positionOf(use->getLocation());
      if (!at)
        return false;
      changes.instead[at->offset] =
          llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral>(plain) ? value : "(" + value + ")";
    }
    return true;
  }

  const PlainBody& body_;
  const clang::ParentMap& parents_;
  const clang::VarDecl* variable_;
  const clang::LambdaExpr* lambda_;
  const clang::CXXMethodDecl* call_;
  LambdaBody contents_;
  FileRange range_;
};

} // namespace

void writeOutLambdas(const PlainBody& body) {
  for (const clang::DeclStmt* s : body.contents.declarations) {
    const auto* variable =
        s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr;
    const clang::Expr* init = variable ? variable->getInit() : nullptr;
    if (!init || !variable->hasLocalStorage())
      continue;
    init = init->IgnoreImplicit();
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(init);
    if (made && made->getNumArgs() == 1)
      init = made->getArg(0)->IgnoreImplicit();
    const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(init);
    const auto range = body.text.rangeOf(s->getSourceRange());
    // Another lambda's calls may stand in this one: a later round's.
    if (lambda && range && Lambda(body, variable, lambda).run()) {
      body.changes[range->file][range->begin] = {range->end,
                                                 withLinesOf(body.text.text(*range), ";")};
      return;
    }
  }
}

} // namespace cu2cpp
