// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods in which threads meet, called of an object that each thread has, are written out where
// they are called:
//
//   sums.warpReduce();   ->   { for (int o = 16; o > 0; o >>= 1) { sums.a += __shfl_xor_sync(~0u,
//                             sums.a, o); } }
//
// A group's version of a method has one object for all threads. Written out, the object is a local
// variable of the kernel, which the other plain forms make its parts. Lines stay the user's, so all
// is on one.
#include "analyse/plain_body.h"

#include <algorithm>
#include <set>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

#include "parse/body_macros.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

/// What a method's body says, as far as it matters when it is written elsewhere.
class MethodBody : public SyntaxVisitor {
public:
  explicit MethodBody(const clang::CXXRecordDecl* record) : record_(record) {}
  bool fits = true;
  std::vector<const clang::MemberExpr*> members; ///< of the object
  std::set<std::string> declared, named;

  bool VisitCXXThisExpr(clang::CXXThisExpr*) override {
    ++objects_;
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (!llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreImpCasts()))
      return true;
    members.push_back(member);
    return fits &= member->getMemberLoc().isFileID() && !member->hasQualifier() &&
                   member->getMemberDecl()->getAccess() == clang::AS_public &&
                   member->getMemberDecl()->getDeclContext() == record_;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    named.insert(use->getDecl()->getNameAsString());
    return fits &= use->getDecl()->getDeclContext() != record_;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    declared.insert(variable->getNameAsString());
    return fits &= !variable->isStaticLocal() && variable->getLocation().isFileID();
  }
  bool VisitReturnStmt(clang::ReturnStmt*) override { return fits = false; }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return fits = false; }
  bool VisitLabelStmt(clang::LabelStmt*) override { return fits = false; }
  bool VisitTagDecl(clang::TagDecl*) override { return fits = false; }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return fits = false; }
  bool onlyMembers() const { return objects_ == members.size(); }

private:
  const clang::CXXRecordDecl* record_;
  std::size_t objects_ = 0;
};

/// The body's text on one line with `object.` before the members, if it means the same in the
/// caller.
std::optional<std::string> writtenOut(const PlainBody& body, const clang::CXXMethodDecl* method,
                                      const FilePosition& call, const std::string& object) {
  constexpr std::size_t mostTokens = 400;
  const clang::CXXRecordDecl* record = method->getParent();
  MethodBody contents(record);
  contents.TraverseStmt(method->getBody());
  if (!contents.fits || !contents.onlyMembers() || contents.declared.count(object))
    return std::nullopt;
  const auto range = body.text.rangeOf(method->getBody()->getSourceRange());
  if (!range || range->file != call.file || range->end > call.offset)
    return std::nullopt;
  std::set<unsigned> implicit; ///< places that get `object.`
  std::set<unsigned> ofThis;   ///< places of `this`
  for (const clang::MemberExpr* member : contents.members) {
    const auto at = body.text.positionOf(member->getMemberLoc());
    const auto from = body.text.positionOf(member->getBeginLoc());
    if (!at || !from)
      return std::nullopt;
    (member->isImplicitAccess() ? implicit : ofThis)
        .insert((member->isImplicitAccess() ? at : from)->offset);
  }
  const std::set<std::string> taken = body.declaredNames();
  const auto isCaptured = [&](const std::string& name) {
    return !contents.declared.count(name) && taken.count(name);
  };
  if (std::any_of(contents.named.begin(), contents.named.end(), isCaptured))
    return std::nullopt;
  const llvm::StringRef all = body.unit.userText(range->file);
  const BodyMacros changed = bodyMacros(all, range->begin, call.offset);
  // The last token would be missed at the very end.
  const std::string own = all.slice(range->begin, range->end).str() + "\n";
  const std::vector<RawToken> tokens = rawTokens(own);
  if (tokens.size() > mostTokens)
    return std::nullopt;
  TokenChanges changes;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const unsigned place = range->begin + tokens[i].offset;
    const std::string text = tokens[i].text.str();
    const bool ofObject = implicit.count(place) || ofThis.count(place);
    const bool member =
        !ofObject && i > 0 && (tokens[i - 1].text == "." || tokens[i - 1].text == "->");
    if (changed.names.count(text))
      return std::nullopt;
    // Types and constants of the class, and what the caller calls otherwise.
    if (!ofObject && !member && tokens[i].kind == clang::tok::raw_identifier &&
        (isCaptured(text) ||
         std::any_of(record->decls_begin(), record->decls_end(), [&](const clang::Decl* decl) {
           const auto* name = llvm::dyn_cast<clang::NamedDecl>(decl);
           return name && !llvm::isa<clang::FieldDecl, clang::CXXRecordDecl>(decl) &&
                  name->getNameAsString() == text;
         })))
      return std::nullopt;
    if (implicit.count(place))
      changes.instead[place] = object + "." + text;
    if (!ofThis.count(place))
      continue;
    if (i + 1 >= tokens.size() || text != "this" || tokens[i + 1].text != "->")
      return std::nullopt;
    changes.instead[place] = object;
    changes.instead[range->begin + tokens[++i].offset] = ".";
  }
  return onOneLine(body.text, *range, changes);
}

} // namespace

void writeOutMethods(const PlainBody& body, const Facts& facts) {
  if (llvm::isa<clang::CXXMethodDecl>(body.function) || body.contents.lambdas)
    return;
  for (const clang::CallExpr* e : body.contents.calls) {
    const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e);
    const clang::CXXMethodDecl* named = call ? call->getMethodDecl() : nullptr;
    const FunctionFacts* known = named ? facts.find(named) : nullptr;
    const auto* method = known ? llvm::dyn_cast<clang::CXXMethodDecl>(known->decl) : nullptr;
    if (!method || known->collectives.empty() || !method->getBody() || method->isVirtual() ||
        method->getNumParams() != 0 || !method->getReturnType()->isVoidType() ||
        method->isDependentContext() || method->isTemplateInstantiation() ||
        llvm::isa<clang::ClassTemplateSpecializationDecl>(method->getParent()) ||
        method->getBody()->getBeginLoc().isMacroID() || method->getEndLoc().isMacroID() ||
        method->getParent()->getDeclContext()->getRedeclContext() !=
            body.function->getDeclContext()->getRedeclContext())
      continue;
    const auto* object = llvm::dyn_cast<clang::DeclRefExpr>(
        call->getImplicitObjectArgument()->IgnoreParenImpCasts());
    const auto* variable = object ? llvm::dyn_cast<clang::VarDecl>(object->getDecl()) : nullptr;
    if (!variable || !variable->hasLocalStorage() || variable->getType()->isReferenceType() ||
        call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID())
      continue;
    // A statement of its own.
    const clang::Stmt* parent = body.variables.parents().getParent(call);
    if (!llvm::isa_and_nonnull<clang::CompoundStmt>(parent))
      continue;
    const auto range = body.text.rangeOf(call->getSourceRange());
    const auto end = range ? behindSemicolon(body.text, *range) : std::nullopt;
    if (!end || body.unit.userText(range->file).slice(range->begin, *end).contains('\n'))
      continue;
    if (auto text =
            writtenOut(body, method, {range->file, range->begin}, variable->getNameAsString()))
      body.changes[range->file][range->begin] = {*end, std::move(*text)};
  }
}

} // namespace cu2cpp
