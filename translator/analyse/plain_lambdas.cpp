// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lambdas that a function calls itself are written out where it does:
//
//   auto load = [&](int buf, int k) {                       (as it is)
//     for (int e = tid; e < size; e += threads) ...
//   };
//   if (k + 1 < n) load(buf ^ 1, k + 1);      ->   if (k + 1 < n) { for (int e = tid; ...) ... }
//
// What it does is then the function's own: loops over elements, places in rows. So are those of
// kernels with loops that end by returning a number, and in all functions those in which threads
// meet:
//
//   int n = escape(x, y);     ->   int n; { ...; n = (k); }
//   x = warpSum(y) * 2;       ->   float cuResult_warpSum; { ...; cuResult_warpSum = (v); }
//                                  x = cuResult_warpSum * 2;
//
// At last come those of a few statements that return something, whatever it is, if what else the
// calling statement does is the same behind them (plain_lambda_order.cpp).
//
// Variables of the lambda get names that the function has not used. What the lambda copies when it
// is made is copied in its place.
#include <algorithm>
#include <set>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

#include "analyse/instance_calls.h"
#include "analyse/marks.h"
#include "analyse/meeting_places.h"
#include "analyse/plain_body.h"
#include "analyse/plain_calls.h"
#include "analyse/plain_lambdas.h"
#include "analyse/plain_scopes.h"
#include "parse/body_macros.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {

const clang::LambdaExpr* lambdaOf(const clang::VarDecl* variable) {
  const clang::Expr* init = variable ? variable->getInit() : nullptr;
  if (!init || !variable->hasLocalStorage())
    return nullptr;
  init = init->IgnoreImplicit();
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(init);
  if (made && made->getNumArgs() == 1)
    init = made->getArg(0)->IgnoreImplicit();
  const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(init);
  // Not a class that is made of a lambda and has an operator of its own.
  const clang::QualType type = variable->getType().getNonReferenceType();
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const bool itself = record ? lambda && record == lambda->getLambdaClass()
                             : llvm::isa_and_nonnull<clang::AutoType>(type->getContainedAutoType());
  return itself ? lambda : nullptr;
}

bool meetsInside(const clang::LambdaExpr* lambda, const PlainBody& body, const Facts& facts,
                 unsigned depth) {
  const FunctionFacts* own = facts.find(lambda->getCallOperator());
  if (own && !meetingPlaces(*own, facts).empty())
    return true;
  const auto whole = body.text.rangeOf(lambda->getSourceRange());
  const FunctionFacts* around = facts.find(body.function);
  if (whole && around)
    for (const clang::SourceLocation place : meetingPlaces(*around, facts)) {
      const auto at = body.text.positionOf(body.unit.sources().getFileLoc(place));
      if (at && at->file == whole->file && at->offset >= whole->begin && at->offset < whole->end)
        return true;
    }
  PlainVisitor contents;
  contents.TraverseStmt(lambda->getBody());
  constexpr unsigned deepest = 4;
  return depth < deepest && std::any_of(
                                contents.references.begin(), contents.references.end(),
                                [&](const auto& use) {
                                  const clang::LambdaExpr* other = lambdaOf(use.first);
                                  return other && other != lambda &&
                                         meetsInside(other, body, facts, depth + 1);
                                });
}

namespace {

/// What a lambda's body says, as far as it matters when it is written elsewhere.
class LambdaBody : public SyntaxVisitor {
public:
  bool fits = true;
  std::set<const clang::ValueDecl*> named;
  std::map<const clang::ValueDecl*, std::vector<const clang::DeclRefExpr*>> uses;
  std::set<const clang::ValueDecl*> changed; ///< or its address taken
  std::vector<const clang::VarDecl*> declared;
  std::vector<const clang::DeclStmt*> shared; ///< `__shared__ float part[8];`
  std::set<std::string> local;
  std::set<const clang::ReturnStmt*> returns;
  bool loops = false;
  bool callsObjects = false; ///< other lambdas, which may change what they capture

  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    ++inside_;
    const bool more = SyntaxVisitor::TraverseLambdaExpr(lambda);
    --inside_;
    return more;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    named.insert(use->getDecl());
    uses[use->getDecl()].push_back(use);
    const auto* variable = llvm::dyn_cast<clang::ValueDecl>(use->getDecl());
    return fits &=
           use->getLocation().isFileID() || !variable->getDeclContext()->isFunctionOrMethod();
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
    const clang::FunctionDecl* callee = call->getDirectCallee();
    callsObjects |= callee ? llvm::isa<clang::CXXMethodDecl>(callee)
                           : llvm::isa<clang::DeclRefExpr>(call->getCallee()->IgnoreParens());
    return true;
  }
  bool VisitDeclStmt(clang::DeclStmt* s) override {
    for (const clang::Decl* decl : s->decls())
      if (isShared(decl)) {
        fits &= s->isSingleDecl() && !isDynamicShared(llvm::cast<clang::VarDecl>(decl));
        shared.push_back(s);
      }
    return fits;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    declared.push_back(variable);
    local.insert(variable->getNameAsString());
    if (variable->getType()->isReferenceType() && variable->getInit())
      note(variable->getInit());
    return fits &= (!variable->isStaticLocal() || isShared(variable)) &&
                   variable->getLocation().isFileID() &&
                   !llvm::isa<clang::DecompositionDecl>(variable);
  }
  bool VisitStmt(clang::Stmt* s) override {
    if (auto* back = llvm::dyn_cast<clang::ReturnStmt>(s); back && inside_ == 0) {
      returns.insert(back);
      fits &= back->getBeginLoc().isFileID();
    }
    loops |= llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s);
    return fits &= !llvm::isa<clang::LabelStmt, clang::AsmStmt, clang::CXXTryStmt>(s);
  }
  bool VisitTagDecl(clang::TagDecl* tag) override { return fits &= tag->isImplicit(); }
  bool VisitTypedefNameDecl(clang::TypedefNameDecl* type) override {
    local.insert(type->getNameAsString());
    return true;
  }

private:
  unsigned inside_ = 0;
  void note(const clang::Expr* e) {
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts()))
      changed.insert(use->getDecl());
  }
};

/// What one round has changed of a function.
struct Round {
  std::set<std::string> names;   ///< all that the function's text names
  std::vector<FileRange> ranges; ///< that are written anew, or copied
  bool isFree(const FileRange& range) const {
    return std::none_of(ranges.begin(), ranges.end(), [&](const FileRange& other) {
      return range.file == other.file && range.begin < other.end && other.begin < range.end;
    });
  }
  std::string freeName(const std::string& name) {
    if (names.insert(name).second)
      return name;
    for (unsigned i = 1;; ++i)
      if (std::string other = name + "_" + std::to_string(i); names.insert(other).second)
        return other;
  }
};

/// Which lambdas are written out: those in which threads meet, those that statements of their own
/// call or that return numbers behind loops, or all others.
enum class Lambdas { Meeting, Plain, Others };

class Lambda {
public:
  /// The lambda that `variable` is, or one that is called where it is written.
  Lambda(const PlainBody& body, const Facts& facts, Round& round, const clang::VarDecl* variable,
         const clang::LambdaExpr* lambda, Lambdas which)
      : body_(body), facts_(facts), round_(round), parents_(body.variables.parents()),
        variable_(variable), lambda_(lambda), call_(lambda->getCallOperator()), which_(which),
        meets_(which == Lambdas::Meeting) {}

  /// Writes out the calls; `declaration` is the statement that declares the variable.
  bool run(const clang::DeclStmt* declaration) {
    const auto uses = body_.placesOf(variable_);
    const auto range = body_.text.rangeOf(declaration->getSourceRange());
    if (!uses || uses->empty() || !range || !round_.isFree(*range) ||
        declaration->getBeginLoc().isMacroID() || declaration->getEndLoc().isMacroID() ||
        !readBody())
      return false;
    std::vector<FileRange> places;
    std::vector<std::string> texts;
    bool all = true;
    for (const auto& [offset, use] : *uses) {
      const auto edit =
          offset >= range->end ? writeCall(callOf(use), {range->file, offset}) : std::nullopt;
      if (!edit && which_ != Lambdas::Others)
        return false;
      if (!edit || !round_.isFree(edit->first) ||
          (!places.empty() && edit->first.begin < places.back().end)) {
        all = false; // a later round's, or one that stays
        continue;
      }
      places.push_back(edit->first);
      texts.push_back(edit->second);
    }
    if (places.empty() || (!all && !contents_.shared.empty()))
      return false;
    const std::string kept = all ? ";" : body_.text.text(*range);
    body_.changes[range->file][range->begin] = {
        range->end, withLinesOf(body_.text.text(*range), above_ + kept)};
    round_.ranges.push_back(*range);
    put(places, texts);
    return true;
  }
  /// Writes out the one call.
  bool run(const clang::CallExpr* call) {
    const auto range = body_.text.rangeOf(call->getSourceRange());
    if (!range || !readBody())
      return false;
    auto edit = writeCall(call, {range->file, range->begin});
    if (!edit || !round_.isFree(edit->first) || (!above_.empty() && !alone_))
      return false;
    if (!above_.empty())
      edit->second = "{ " + above_ + edit->second + " }";
    put({edit->first}, {edit->second});
    return true;
  }

private:
  static constexpr std::size_t longest = 6000, longestOfOthers = 1200;

  void put(const std::vector<FileRange>& places, const std::vector<std::string>& texts) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      body_.changes[places[i].file][places[i].begin] = {
          places[i].end, withLinesOf(body_.text.text(places[i]), texts[i])};
      round_.ranges.push_back(places[i]);
    }
  }

  /// Whether the body may stand elsewhere at all.
  bool readBody() {
    const clang::CompoundStmt* const list = lambda_->getCompoundStmtBody();
    if (keepsState() || !list || list->getLBracLoc().isMacroID() ||
        list->getRBracLoc().isMacroID() || call_->isVariadic() ||
        (lambda_->isGenericLambda() && which_ == Lambdas::Plain))
      return false;
    contents_.TraverseStmt(const_cast<clang::CompoundStmt*>(list));
    for (const clang::ParmVarDecl* parameter : call_->parameters())
      contents_.declared.push_back(parameter);
    const auto range = body_.text.rangeOf(list->getSourceRange());
    const auto whole = body_.text.rangeOf(lambda_->getSourceRange());
    if (!contents_.fits || !range || !whole || !returnsPlainly(list) || list->body_empty())
      return false;
    range_ = *range;
    whole_ = *whole;
    for (const clang::VarDecl* variable : contents_.declared)
      own_.insert(variable->getNameAsString());
    own_.insert(contents_.local.begin(), contents_.local.end());
    return copyCaptures() && moveShared();
  }
  /// Whether the lambda changes copies of its own from call to call.
  bool keepsState() const {
    return lambda_->isMutable() &&
           (lambda_->getCaptureDefault() == clang::LCD_ByCopy ||
            std::any_of(lambda_->capture_begin(), lambda_->capture_end(),
                        [](const clang::LambdaCapture& capture) {
                          return capture.getCaptureKind() != clang::LCK_ByRef;
                        }));
  }
  bool returnsPlainly(const clang::CompoundStmt* list) {
    if (which_ != Lambdas::Plain && returnsInBranches(list))
      return true;
    if (!calls::returnsPlainly(list, contents_.returns, early_) || !early_.inLoops.empty())
      return false;
    if (which_ != Lambdas::Plain)
      return true;
    // Others are no more than an expression, or leave at several places.
    return contents_.returns.empty() ||
           (contents_.loops && contents_.returns.size() == 1 && early_.behind.empty() &&
            !body_.function->isDependentContext() && call_->getReturnType()->isArithmeticType());
  }

  /// Whether all returns are the ends of a body's last branches: `if (...) return a; else return
  /// b;`
  bool returnsInBranches(const clang::Stmt* s) const {
    std::size_t found = 0;
    return endsInReturns(s, found) && found == contents_.returns.size();
  }
  static bool endsInReturns(const clang::Stmt* s, std::size_t& found) {
    if (llvm::isa_and_nonnull<clang::ReturnStmt>(s))
      return ++found;
    if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(s))
      return !list->body_empty() && endsInReturns(list->body_back(), found);
    const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(s);
    return branch && !branch->isConstexpr() && endsInReturns(branch->getThen(), found) &&
           endsInReturns(branch->getElse(), found);
  }

  /// Declares what the lambda copies and what changes afterwards.
  bool copyCaptures() {
    std::set<const clang::ValueDecl*> copied;
    for (const clang::LambdaCapture& capture : lambda_->captures()) {
      if (capture.capturesThis() && capture.getCaptureKind() == clang::LCK_This)
        continue;
      if (!capture.capturesVariable() || capture.isPackExpansion())
        return false;
      if (lambda_->isInitCapture(&capture)) {
        if (!copyInit(llvm::cast<clang::VarDecl>(capture.getCapturedVar())))
          return false;
        continue;
      }
      if (capture.getCaptureKind() != clang::LCK_ByRef)
        copied.insert(capture.getCapturedVar());
    }
    // In a template not all of them are known before.
    if (lambda_->getCaptureDefault() == clang::LCD_ByCopy)
      for (const clang::ValueDecl* used : contents_.named)
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(used);
            variable && variable->isLocalVarDeclOrParm() && variable->hasLocalStorage() &&
            !isShared(variable) && !isOwn(variable))
          copied.insert(variable);
    for (const clang::ValueDecl* used : copied) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(used);
      const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
      const bool fixed = (local && !local->modified && !local->escapes) ||
                         (variable && llvm::isa<clang::ParmVarDecl>(variable) && !local);
      if (!variable || !variable->getType()->isScalarType())
        return false; // an array is copied whole; its elements may change behind that
      if (fixed)
        continue;
      const std::string type = typeText(variable->getType());
      if (type.empty() || variable->getType().isVolatileQualified())
        return false;
      renamed_[variable] = round_.freeName(variable->getNameAsString());
      above_ +=
          "const " + type + " " + renamed_[variable] + " = " + variable->getNameAsString() + "; ";
    }
    return true;
  }
  bool copyInit(const clang::VarDecl* variable) {
    const clang::Expr* init = variable->getInit();
    const auto range =
        init ? body_.text.rangeOf(init->IgnoreImplicit()->getSourceRange()) : std::nullopt;
    const auto text =
        range && body_.text.isWhole(init) ? onOneLine(body_.text, *range, {}) : std::nullopt;
    if (!text || variable->getInitStyle() != clang::VarDecl::CInit || which_ == Lambdas::Plain ||
        llvm::isa<clang::InitListExpr>(init->IgnoreImplicit()))
      return false;
    renamed_[variable] = round_.freeName(variable->getNameAsString());
    own_.insert(variable->getNameAsString());
    above_ += std::string(variable->getType()->isReferenceType() ? "auto& " : "const auto ") +
              renamed_[variable] + " = " + *text + "; ";
    return true;
  }
  /// Declares the lambda's own shared memory in its place.
  bool moveShared() {
    for (const clang::DeclStmt* s : contents_.shared) {
      const auto* variable = llvm::cast<clang::VarDecl>(s->getSingleDecl());
      const auto range = body_.text.rangeOf(s->getSourceRange());
      const auto at = body_.text.positionOf(variable->getLocation());
      if (!variable_ || !range || !at || at->file != range_.file)
        return false;
      renamed_[variable] = round_.freeName(variable->getNameAsString());
      TokenChanges changes;
      changes.instead[at->offset] = renamed_[variable];
      const auto text = onOneLine(body_.text, *range, changes);
      if (!text || !llvm::StringRef(*text).rtrim().ends_with(";"))
        return false;
      for (const std::string& name : calls::identifiersIn(*text))
        if (own_.count(name))
          return false;
      above_ += *text + " ";
      const std::string own = body_.text.text(*range) + "\n";
      for (const RawToken& token : rawTokens(own))
        removed_.insert(range->begin + token.offset);
    }
    return true;
  }
  bool isOwn(const clang::ValueDecl* variable) const {
    return std::find(contents_.declared.begin(), contents_.declared.end(), variable) !=
           contents_.declared.end();
  }

  const clang::CallExpr* callOf(const clang::DeclRefExpr* use) const {
    const clang::Stmt* parent = parents_.getParent(use);
    while (llvm::isa_and_nonnull<clang::ImplicitCastExpr>(parent))
      parent = parents_.getParent(parent);
    const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(parent);
    if (!call)
      return nullptr;
    const bool made = llvm::isa<clang::CXXOperatorCallExpr>(call);
    const clang::Expr* const callee = made ? call->getArg(0) : call->getCallee();
    return callee->IgnoreParenImpCasts() == use ? call : nullptr;
  }

  /// The text that takes the place of a call's statement, or of its beginning.
  std::optional<std::pair<FileRange, std::string>> writeCall(const clang::CallExpr* call,
                                                             const FilePosition& at) {
    if (!call || call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID() ||
        at.file != range_.file)
      return std::nullopt;
    const unsigned first = llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
    const auto range = body_.text.rangeOf(call->getSourceRange());
    const auto place = placeOf(call, at);
    if (!place || !range || call->getNumArgs() - first != call_->getNumParams() ||
        !meansTheSame(place->statement, at) ||
        (which_ == Lambdas::Others && !place->alone &&
         !mayRunFirst(body_, facts_, call, lambda_, place->statement)))
      return std::nullopt;
    std::map<const clang::ValueDecl*, std::string> names = renamed_;
    TokenChanges changes;
    for (const unsigned offset : removed_)
      changes.instead[offset] = "";
    std::string head;
    for (unsigned i = 0; i < call_->getNumParams(); ++i)
      if (!giveParameter(call_->getParamDecl(i), call->getArg(i + first), names, changes, head))
        return std::nullopt;
    std::string declaration, result;
    bool direct = false;
    if (!contents_.returns.empty() && !place->alone) {
      const std::string type = resultText(call);
      if (type.empty())
        return std::nullopt;
      direct = setsDirectly(*place, type);
      result = direct ? place->site.result->getNameAsString()
                      : round_.freeName("cuResult_" + (variable_ ? variable_->getNameAsString()
                                                                 : std::string("lambda")));
      if (!direct || place->site.declares)
        declaration = type + " " + result + "; ";
    }
    if (!rename(names, changes) || !setResult(result, changes))
      return std::nullopt;
    changes.instead[range_.begin] = "{ " + head;
    const auto text = onOneLine(body_.text, range_, changes);
    if (!text || text->size() > (which_ == Lambdas::Others ? longestOfOthers : longest))
      return std::nullopt;
    std::string written = declaration + *text;
    if (!result.empty() && !direct)
      written += " " + body_.text.text({at.file, place->begin, range->begin}) + result +
                 body_.text.text({at.file, range->end, place->end});
    if (!place->inList && !declaration.empty())
      written = "{ " + written + " }";
    alone_ = place->alone;
    return std::pair(FileRange{at.file, place->begin, place->end}, written);
  }

  /// The text that a call's body takes the place of, or stands before.
  struct Place {
    unsigned begin, end;
    bool inList, alone;
    const clang::Stmt* statement;
    calls::CallSite site;
  };
  std::optional<Place> placeOf(const clang::CallExpr* call, const FilePosition& at) const {
    if (contents_.returns.empty() || !meets_) {
      const auto end = body_.behindStatement(call, at);
      if (end)
        return Place{at.offset, *end, true, true, statementOf(call), {}};
      if (contents_.returns.empty())
        return std::nullopt;
    }
    const auto site = calls::siteOf(call, parents_);
    if (!site)
      return askedPlace(call, at);
    const auto range =
        !site->statement->getBeginLoc().isMacroID() && !site->statement->getEndLoc().isMacroID()
            ? body_.text.rangeOf(site->statement->getSourceRange())
            : std::nullopt;
    if (!range || range->file != at.file || isCase(parents_.getParent(site->statement)))
      return std::nullopt;
    const auto end = llvm::isa<clang::DeclStmt>(site->statement)
                         ? std::optional(range->end)
                         : behindSemicolon(body_.text, *range);
    return end ? std::optional(
                     Place{range->begin, *end, site->inList, site->alone, site->statement, *site})
               : std::nullopt;
  }
  /// `if (call)`, of which the text up to the call is the place.
  std::optional<Place> askedPlace(const clang::CallExpr* call, const FilePosition& at) const {
    const clang::Stmt* part = call;
    const clang::Stmt* around = parents_.getParent(part);
    for (; around; part = around, around = parents_.getParent(around)) {
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(around);
      if (!llvm::isa<clang::ImplicitCastExpr, clang::ParenExpr, clang::UnaryOperator,
                     clang::ExprWithCleanups>(around) &&
          !(op && (op->isComparisonOp() || op->isAdditiveOp() || op->isMultiplicativeOp() ||
                   op->isBitwiseOp() || (op->isLogicalOp() && op->getLHS() == part))))
        break;
    }
    const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(around);
    const auto range =
        branch && branch->getCond() == part && !branch->hasInitStorage() &&
                !branch->hasVarStorage() && !branch->isConstexpr() &&
                llvm::isa_and_nonnull<clang::CompoundStmt>(parents_.getParent(branch)) &&
                branch->getBeginLoc().isFileID()
            ? body_.text.rangeOf(call->getSourceRange())
            : std::nullopt;
    const auto begin = branch ? body_.text.positionOf(branch->getBeginLoc()) : std::nullopt;
    if (!range || !begin || begin->file != at.file || range->file != at.file)
      return std::nullopt;
    return Place{begin->offset, range->end, true, false, branch, {}};
  }
  static bool isCase(const clang::Stmt* s) {
    return llvm::isa_and_nonnull<clang::SwitchCase, clang::SwitchStmt>(s);
  }
  const clang::Stmt* statementOf(const clang::Expr* e) const {
    const clang::Stmt* at = e;
    while (llvm::isa_and_nonnull<clang::ExprWithCleanups>(parents_.getParent(at)))
      at = parents_.getParent(at);
    return at;
  }

  /// Whether all that the lambda's text names is the same before a statement, and no macro has
  /// changed. Lambdas around it keep no copies.
  bool meansTheSame(const clang::Stmt* statement, const FilePosition& at) const {
    for (const clang::Stmt* around = parents_.getParent(statement); around;
         around = parents_.getParent(around))
      if (const auto* other = llvm::dyn_cast<clang::LambdaExpr>(around);
          other && other != lambda_ && !isAround(other) &&
          (other->getCaptureDefault() != clang::LCD_ByRef ||
           std::any_of(other->capture_begin(), other->capture_end(),
                       [](const clang::LambdaCapture& capture) {
                         return capture.capturesVariable() &&
                                capture.getCaptureKind() != clang::LCK_ByRef;
                       })))
        return false;
    if (!variable_)
      return true; // it is called where it is written
    const llvm::StringRef all = body_.unit.userText(range_.file);
    if (!bodyMacros(all, range_.begin, at.offset).names.empty())
      return false;
    for (const std::string& name : calls::identifiersIn(body_.text.text(whole_), false))
      if (!own_.count(name) &&
          localNamed(name, lambda_, parents_) != localNamed(name, statement, parents_))
        return false;
    return true;
  }
  /// Whether a lambda is around this one too.
  bool isAround(const clang::LambdaExpr* other) const {
    for (const clang::Stmt* around = parents_.getParent(lambda_); around;
         around = parents_.getParent(around))
      if (around == other)
        return true;
    return false;
  }

  /// Finds what stands for a parameter: the argument, what it names, or a variable of its own.
  bool giveParameter(const clang::ParmVarDecl* parameter, const clang::Expr* given,
                     std::map<const clang::ValueDecl*, std::string>& names, TokenChanges& changes,
                     std::string& head) {
    const auto declared = body_.text.rangeOf(parameter->getSourceRange());
    const auto argument = body_.text.rangeOf(given->getSourceRange());
    const auto at = body_.text.positionOf(parameter->getLocation());
    if (!declared || !argument || parameter->hasDefaultArg() || parameter->isParameterPack() ||
        parameter->getBeginLoc().isMacroID() || !at || llvm::isa<clang::CXXDefaultArgExpr>(given) ||
        llvm::isa<clang::InitListExpr>(given->IgnoreImplicit()) || !body_.text.isWhole(given) ||
        parameter->getOriginalType()->isArrayType() ||
        parameter->getOriginalType()->isFunctionType() ||
        (which_ == Lambdas::Plain && !parameter->getType()->isArithmeticType() &&
         !parameter->getType()->isPointerType()))
      return false;
    const auto value = onOneLine(body_.text, *argument, {});
    if (!value)
      return false;
    if (parameter->getName().empty())
      return !given->HasSideEffects(body_.unit.context());
    if (putInPlace(parameter, given, *value, changes)) {
      names[parameter] = "";
      return true;
    }
    // A reference to a variable is the variable.
    const clang::VarDecl* variable = calls::variableIn(given);
    if (variable && parameter->getType()->isLValueReferenceType() &&
        !variable->getType()->isReferenceType() && !given->isTypeDependent() &&
        isAsGiven(parameter->getType()->getPointeeType(), variable->getType()) &&
        body_.unit.context().hasSameUnqualifiedType(parameter->getType().getNonReferenceType(),
                                                    variable->getType())) {
      names[parameter] = variable->getNameAsString();
      return true;
    }
    names[parameter] = round_.freeName(parameter->getNameAsString());
    TokenChanges renamed;
    renamed.instead[at->offset] = names[parameter];
    const auto text = onOneLine(body_.text, *declared, renamed);
    if (!text || at->file != declared->file || at->offset < declared->begin ||
        at->offset >= declared->end)
      return false;
    head += *text + " = " + *value + "; ";
    return true;
  }

  /// Whether a constant object, which a parameter refers to, does the same as the variable.
  bool isAsGiven(clang::QualType constant, clang::QualType given) const {
    const clang::CXXRecordDecl* record = given->getAsCXXRecordDecl();
    return which_ != Lambdas::Others || !constant.isConstQualified() || given.isConstQualified() ||
           !record ||
           std::all_of(record->method_begin(), record->method_end(),
                       [](const clang::CXXMethodDecl* method) { return method->isImplicit(); });
  }

  /// Writes names for the lambda's variables that the function has not used.
  bool rename(std::map<const clang::ValueDecl*, std::string>& names, TokenChanges& changes) {
    for (const clang::VarDecl* variable : contents_.declared) {
      if (variable->getName().empty() || names.count(variable))
        continue;
      names[variable] = round_.freeName(variable->getNameAsString());
      const auto at = body_.text.positionOf(variable->getLocation());
      if (!at || at->file != range_.file)
        return false;
      changes.instead[at->offset] = names[variable];
    }
    for (const auto& [variable, name] : names) {
      const auto found = contents_.uses.find(variable);
      if (name.empty() || found == contents_.uses.end())
        continue;
      for (const clang::DeclRefExpr* use : found->second) {
        const auto at = body_.text.positionOf(use->getLocation());
        if (!at || at->file != range_.file || at->offset < range_.begin || at->offset >= range_.end)
          return false;
        changes.instead[at->offset] = name;
      }
    }
    return true;
  }

  /// Has returns set the result, and what follows a guard stand in its other side.
  bool setResult(const std::string& result, TokenChanges& changes) const {
    for (const clang::ReturnStmt* back : contents_.returns) {
      const auto at = body_.text.positionOf(back->getReturnLoc());
      if (!at || at->file != range_.file)
        return false;
      const clang::Expr* value = back->getRetValue();
      if (!value) {
        changes.instead[at->offset] = "";
        continue;
      }
      const std::string set = result.empty() ? "(void)" : result + " = ";
      if (llvm::isa<clang::InitListExpr>(value->IgnoreImplicit())) {
        if (result.empty())
          return false;
        changes.instead[at->offset] = set;
        continue;
      }
      const auto range = body_.text.rangeOf(back->getSourceRange());
      const auto end = range ? behindSemicolon(body_.text, *range) : std::nullopt;
      if (!end || range->file != range_.file || back->getEndLoc().isMacroID())
        return false;
      changes.instead[at->offset] = set + "(";
      changes.instead[*end - 1] = ");";
    }
    std::string close;
    for (const clang::Stmt* guard : early_.behind) {
      const auto* list =
          llvm::dyn_cast<clang::CompoundStmt>(llvm::cast<clang::IfStmt>(guard)->getThen());
      std::optional<FilePosition> end;
      if (list) {
        end = body_.text.positionOf(list->getRBracLoc());
      } else if (const auto range = body_.text.rangeOf(guard->getSourceRange())) {
        const auto semicolon = behindSemicolon(body_.text, *range);
        if (semicolon)
          end = FilePosition{range->file, *semicolon - 1};
      }
      if (!end || end->file != range_.file || (list && list->getRBracLoc().isMacroID()))
        return false;
      changes.behind[end->offset] = " else {";
      close += "}";
    }
    changes.instead[range_.end - 1] = close + "}";
    return true;
  }

  /// Whether the body may set the variable that a call's value is stored in.
  bool setsDirectly(const Place& place, const std::string& type) const {
    const clang::VarDecl* target = place.site.result;
    const LocalVariable* local = target ? body_.variables.find(target) : nullptr;
    if (!local || !target->hasLocalStorage() || target->getType()->isReferenceType() ||
        target->getType().isVolatileQualified() || isShared(target) || target->hasAttrs() ||
        contents_.named.count(target) || own_.count(target->getNameAsString()) ||
        calls::identifiersIn(body_.text.text(whole_), false).count(target->getNameAsString()))
      return false;
    const clang::QualType declared = target->getType();
    const bool same =
        declared->getContainedAutoType()
            ? place.site.declares && !declared->isUndeducedType() && typeText(declared) == type
            : typeText(declared) == type;
    // (Another lambda that is called may change what it captures.)
    return same && (place.site.declares || (!local->pointed && !contents_.callsObjects));
  }

  /// The type of what a call returns, as text that means the same in all of the function; empty if
  /// there is none.
  std::string resultText(const clang::CallExpr* call) const {
    const clang::QualType written = call_->getReturnType();
    const auto canBeSet = [](clang::QualType type) {
      return !type.isNull() && !type->isDependentType() && !type->isUndeducedType() &&
             !type->isReferenceType() && !type->isVoidType() &&
             calls::canBeSet(type.getUnqualifiedType());
    };
    if (canBeSet(written))
      return typeText(written);
    const FunctionFacts* known = facts_.find(body_.function);
    const auto callees =
        known ? calleesOf(call, *known) : std::vector<const clang::FunctionDecl*>();
    std::set<std::string> types;
    for (const clang::FunctionDecl* callee : callees) {
      if (!canBeSet(callee->getReturnType()))
        return "";
      types.insert(typeText(callee->getReturnType()));
    }
    if (types.size() == 1)
      return *types.begin();
    if (types.empty())
      return "";
    // `T`, which all instances have.
    if (lambda_->hasExplicitResultType())
      return typeText(written);
    std::set<std::string> returned;
    for (const clang::ReturnStmt* back : contents_.returns)
      returned.insert(typeText(back->getRetValue()->getType()));
    return returned.size() == 1 ? *returned.begin() : std::string();
  }
  std::string typeText(clang::QualType type) const {
    type = type.getUnqualifiedType();
    if (const auto* parameter = type->getAs<clang::TemplateTypeParmType>()) {
      const clang::FunctionTemplateDecl* made = body_.function->getDescribedFunctionTemplate();
      const clang::TemplateParameterList* mine = made ? made->getTemplateParameters() : nullptr;
      return mine && parameter->getDepth() == mine->getDepth() &&
                     parameter->getIndex() < mine->size()
                 ? mine->getParam(parameter->getIndex())->getNameAsString()
                 : std::string();
    }
    if (type->isDependentType() || type->isUndeducedType() || !calls::canBeSet(type))
      return "";
    const std::string text =
        type.getCanonicalType().getAsString(body_.unit.context().getPrintingPolicy());
    const clang::TagDecl* tag = type->getAsTagDecl();
    return text.find('(') != std::string::npos || (tag && tag->getParentFunctionOrMethod())
               ? std::string()
               : text;
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
        const bool changes = lambda->callsObjects && local && local->modified;
        return fits &= !inMemory && !changes && !lambda->changed.count(use->getDecl()) &&
                       !lambda->local.count(use->getDecl()->getNameAsString());
      }
    } parts;
    parts.lambda = &contents_;
    parts.variables = &body_.variables;
    parts.TraverseStmt(const_cast<clang::Expr*>(given));
    const clang::Expr* plain = given->IgnoreParenImpCasts();
    if (!parts.fits || contents_.changed.count(parameter) || plain->isTypeDependent() ||
        parameter->getType()->isReferenceType() ||
        !body_.unit.context().hasSameUnqualifiedType(plain->getType(), parameter->getType()))
      return false;
    const auto found = contents_.uses.find(parameter);
    if (found == contents_.uses.end())
      return true;
    for (const clang::DeclRefExpr* use : found->second) {
      const auto at = body_.text.positionOf(use->getLocation());
      if (!at || at->file != range_.file || at->offset < range_.begin || at->offset >= range_.end)
        return false;
    }
    for (const clang::DeclRefExpr* use : found->second)
      changes.instead[body_.text.positionOf(use->getLocation())->offset] =
          llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral>(plain) ? value : "(" + value + ")";
    return true;
  }

  const PlainBody& body_;
  const Facts& facts_;
  Round& round_;
  const clang::ParentMap& parents_;
  const clang::VarDecl* variable_;
  const clang::LambdaExpr* lambda_;
  const clang::CXXMethodDecl* call_;
  const Lambdas which_;
  const bool meets_;
  LambdaBody contents_;
  FileRange range_, whole_; ///< of the body, and with captures and parameters
  calls::EarlyReturns early_;
  std::set<std::string> own_; ///< names that the lambda declares
  std::map<const clang::ValueDecl*, std::string> renamed_;
  std::set<unsigned> removed_; ///< tokens that stand in `above_`
  std::string above_;          ///< declarations for the lambda's own place
  bool alone_ = false;         ///< the call is a statement of its own
};

} // namespace

static void writeOut(const PlainBody& body, const Facts& facts, Lambdas which) {
  const bool meetings = which == Lambdas::Meeting;
  const auto whole = body.text.rangeOf(body.function->getSourceRange());
  if (!whole)
    return;
  Round round{calls::identifiersIn(body.text.text(*whole)), {}};
  for (const clang::DeclStmt* s : body.contents.declarations) {
    const auto* variable =
        s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr;
    const clang::LambdaExpr* lambda = lambdaOf(variable);
    // What functions with loops have been given is theirs.
    const bool given =
        lambda && llvm::StringRef(variable->getName()).starts_with(calls::givenLambda);
    if (!lambda || (given || meetsInside(lambda, body, facts)) != meetings)
      continue;
    // Another lambda's calls may stand in this one: a later round's.
    if (Lambda(body, facts, round, variable, lambda, which).run(s) && !meetings)
      return;
  }
  if (!meetings)
    return;
  for (const clang::CallExpr* call : body.contents.calls) {
    const bool made = llvm::isa<clang::CXXOperatorCallExpr>(call);
    const clang::Expr* callee =
        made && call->getNumArgs() > 0 ? call->getArg(0) : call->getCallee();
    const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(callee->IgnoreImplicit());
    if (lambda && meetsInside(lambda, body, facts))
      Lambda(body, facts, round, nullptr, lambda, which).run(call);
  }
}

void writeOutLambdas(const PlainBody& body, const Facts& facts, bool meetings) {
  writeOut(body, facts, meetings ? Lambdas::Meeting : Lambdas::Plain);
}

void writeOutOtherLambdas(const PlainBody& body, const Facts& facts) {
  writeOut(body, facts, Lambdas::Others);
}

} // namespace cu2cpp
