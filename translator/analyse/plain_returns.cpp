// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short functions, methods and lambdas of kernels that say where something lies, whether a place is
// inside, or what is loaded from there are written out where they are called, where only compilers
// read the translation:
//
//   __device__ size_t at(int x, int y) const { return (size_t)y * nx + x; }
//   auto load = [&](int x, int y) { return x >= 0 && x < g.nx ? in[g.at(x, y)] : 0.0f; };
//   tile[ty][0] = load(x - 1, y);   ->   tile[ty][0] = ((x - 1) >= 0 && (x - 1) < g.nx ?
//                                          in[((size_t)y * g.nx + (x - 1))] : 0.0f);
//
// Whether neighbouring threads reach for neighbours, and which threads lie inside, can be seen
// then. All of a body is `return expression;`. Functions that keep a place within bounds are known
// as such (clamp_functions.h) and stay. Lambdas may compute anything: what they name is the
// kernel's, and only where no lambda names a variable is it known who changes it:
//
//   const auto norm = [](const Complex& v) { return v.re * v.re + v.im * v.im; };
//   while (norm(z) <= 4.0f)   ->   while ((z.re * z.re + z.im * z.im) <= 4.0f)
#include <algorithm>
#include <map>
#include <set>

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/plain_body.h"
#include "analyse/plain_instances.h"
#include "analyse/plain_structures.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "parse/body_macros.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

/// `return expression;`, if a body is nothing else.
const clang::Expr* onlyReturn(const clang::Stmt* body) {
  const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(body);
  const auto* back =
      list && list->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(list->body_front()) : nullptr;
  return back ? back->getRetValue() : nullptr;
}

/// Whether a type's name means the same wherever code stands: a number's own, or one of the
/// program's whole.
bool isKnownEverywhere(clang::QualType type) {
  if (const auto* named = type->getAs<clang::ElaboratedType>();
      named && named->getQualifier() && !named->isDependentType())
    return true;
  const auto* alias = type->getAs<clang::TypedefType>();
  return alias ? alias->getDecl()->getDeclContext()->getRedeclContext()->isTranslationUnit()
               : type->isBuiltinType();
}

/// What a returned expression says.
class Returned : public SyntaxVisitor {
public:
  Returned(const clang::FunctionDecl* function, const clang::Expr* value, bool inLambda)
      : function_(function), inLambda_(inLambda) {
    TraverseStmt(const_cast<clang::Expr*>(value));
  }
  bool fits = true, loads = false, chooses = false, calls = false;
  bool stores = false;        ///< a function that is called may store something
  bool typeArguments = false; ///< a function template is given types
  std::vector<const clang::DeclRefExpr*> parameters;
  std::vector<const clang::MemberExpr*> own;   ///< members of the object, by their names alone
  std::set<const clang::ValueDecl*> variables; ///< of the function around a lambda
  std::set<std::string> names;                 ///< of what lies outside of it

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const clang::ValueDecl* decl = use->getDecl();
    if (decl->getDeclContext() == function_) {
      parameters.push_back(use);
      return fits &= llvm::isa<clang::ParmVarDecl>(decl) && use->getLocation().isFileID();
    }
    names.insert(decl->getNameAsString());
    typeArguments |= use->hasExplicitTemplateArgs();
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (variable && variable->isLocalVarDeclOrParm())
      variables.insert(variable);
    // Inside of a class or a namespace names mean something else than outside.
    const clang::DeclContext* around = decl->getDeclContext()->getEnclosingNamespaceContext();
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(around);
    return fits &= !use->hasQualifier() &&
                   (inLambda_ ||
                    (decl->getDeclName().isIdentifier() && !decl->getDeclContext()->isRecord() &&
                     (around->isTranslationUnit() || (space && space->isAnonymousNamespace()))));
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const clang::ValueDecl* decl = member->getMemberDecl();
    const clang::AccessSpecifier access = decl->getAccess();
    fits &= access == clang::AS_public || access == clang::AS_none;
    if (llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())) {
      own.push_back(member);
      fits &= member->isImplicitAccess() && member->getMemberLoc().isFileID() &&
              !member->hasQualifier();
    }
    return fits;
  }
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr* cast) override {
    return fits &= inLambda_ || isKnownEverywhere(cast->getTypeAsWritten());
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    // What a function changes by reference would be the caller's own.
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    fits &= callee && (!method || method->isStatic() || method->isConst() ||
                       llvm::isa<clang::CXXThisExpr>(objectOf(call)));
    if (!fits || (method && method->getParent()->isLambda())) // may change what it names
      return fits = false;
    stores |= hasMark(callee, "device") || !isPureHeaderFunction(callee);
    fits &= !inLambda_ || isOnlyOne(callee);
    for (const clang::ParmVarDecl* given : callee->parameters())
      fits &= !given->getType()->isReferenceType() ||
              given->getType().getNonReferenceType().isConstQualified();
    // Functions of the same name that are declared later do not count where it stands.
    if (!method && !callee->getDeclName().isEmpty())
      for (const clang::NamedDecl* other :
           callee->getDeclContext()->getRedeclContext()->lookup(callee->getDeclName()))
        fits &= other->getCanonicalDecl() == callee->getCanonicalDecl() ||
                callee->getASTContext().getSourceManager().isBeforeInTranslationUnit(
                    other->getLocation(), function_->getLocation());
    return fits;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return fits &= !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return fits &= op->getOpcode() == clang::UO_Minus || op->getOpcode() == clang::UO_Plus ||
                   op->getOpcode() == clang::UO_LNot || op->getOpcode() == clang::UO_Not;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    // (Structures of numbers: others may name places.)
    const clang::CXXConstructorDecl* constructor = made->getConstructor();
    return fits &= inLambda_ && (constructor->isTrivial() || storesParts(constructor));
  }
  bool VisitStmt(clang::Stmt* s) override {
    loads |= llvm::isa<clang::ArraySubscriptExpr>(s);
    chooses |= llvm::isa<clang::ConditionalOperator>(s);
    calls |= llvm::isa<clang::CallExpr>(s);
    return fits &=
           (llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::BinaryOperator,
                      clang::UnaryOperator, clang::ParenExpr, clang::ImplicitCastExpr,
                      clang::CStyleCastExpr, clang::CXXStaticCastExpr, clang::CXXFunctionalCastExpr,
                      clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr,
                      clang::ArraySubscriptExpr, clang::ConditionalOperator, clang::CallExpr,
                      clang::CXXThisExpr, clang::SubstNonTypeTemplateParmExpr>(s) ||
            makes(s)) &&
           (inLambda_ || !llvm::isa<clang::CXXOperatorCallExpr>(s));
  }

private:
  /// Structures that a lambda puts together.
  bool makes(const clang::Stmt* s) const {
    return inLambda_ &&
           llvm::isa<clang::InitListExpr, clang::CXXConstructExpr, clang::MaterializeTemporaryExpr,
                     clang::ImplicitValueInitExpr, clang::ExprWithCleanups>(s);
  }
  /// Whether no function of the same name takes what can be changed: a lambda's parameter may be
  /// constant, and what it is given not.
  static bool isOnlyOne(const clang::FunctionDecl* callee) {
    const auto isConstant = [](const clang::ParmVarDecl* given) {
      return !given->getType()->isReferenceType() ||
             given->getType().getNonReferenceType().isConstQualified();
    };
    const auto others = callee->getDeclContext()->getRedeclContext()->lookup(callee->getDeclName());
    return std::all_of(others.begin(), others.end(), [&](const clang::NamedDecl* other) {
      const clang::FunctionDecl* function = other->getAsFunction();
      const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
      return !function || function == callee ||
             ((!method || method->isStatic() || method->isConst()) &&
              std::all_of(function->param_begin(), function->param_end(), isConstant));
    });
  }
  static const clang::Expr* objectOf(const clang::CallExpr* call) {
    const auto* member =
        llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
    return member ? member->getBase()->IgnoreParenImpCasts() : call->getCallee();
  }

  const clang::FunctionDecl* function_;
  const bool inLambda_;
};

/// All names that a function declares, its template's too.
std::multiset<std::string> declaredIn(const clang::FunctionDecl* function) {
  class Declared : public SyntaxVisitor {
  public:
    std::multiset<std::string> names;
    bool VisitNamedDecl(clang::NamedDecl* decl) override {
      if (decl->getDeclName().isIdentifier() && !llvm::isa<clang::FieldDecl>(decl))
        names.insert(decl->getNameAsString());
      return true;
    }
    bool VisitDecompositionDecl(clang::DecompositionDecl* decl) override {
      for (const clang::BindingDecl* part : decl->bindings())
        names.insert(part->getNameAsString());
      return true;
    }
  } all;
  all.TraverseStmt(function->getBody());
  for (const clang::ParmVarDecl* parameter : function->parameters())
    all.names.insert(parameter->getNameAsString());
  const clang::FunctionTemplateDecl* made = function->getDescribedFunctionTemplate();
  if (!made)
    made = function->getPrimaryTemplate();
  if (made)
    for (const clang::NamedDecl* parameter : *made->getTemplateParameters())
      all.names.insert(parameter->getNameAsString());
  return std::move(all.names);
}

/// `min(x, n - 1)` and `max(x - 1, 0)` of integers.
bool isClampedInteger(const clang::CallExpr* call, const SourceUnit& unit) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  return callee && callee->getDeclName().isIdentifier() && call->getNumArgs() == 2 &&
         (callee->getName() == "min" || callee->getName() == "max") &&
         !unit.isUser(callee->getLocation()) && !call->isTypeDependent() &&
         call->getType()->isIntegerType();
}

/// Whether an argument may be computed as often as it is named.
class Argument : public SyntaxVisitor {
public:
  Argument(const clang::Expr* e, const SourceUnit& unit, const Uniformity& variables)
      : unit_(unit), variables_(variables) {
    TraverseStmt(const_cast<clang::Expr*>(e));
  }
  bool fits = true, reads = false;
  bool inMemory = false; ///< what a function that is called may store to
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    const LocalVariable* local = variable ? variables_.find(variable) : nullptr;
    inMemory |= variable && !isNamedConstant(variable) &&
                (!variable->hasLocalStorage() || variable->getType()->isReferenceType() ||
                 (local && (local->escapes || local->pointed)));
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    inMemory |= member->isArrow();
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    inMemory |= op->getOpcode() == clang::UO_Deref;
    return fits &= !op->isIncrementDecrementOp() && op->getOpcode() != clang::UO_AddrOf;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    return fits &= !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma;
  }
  bool VisitStmt(clang::Stmt* s) override {
    reads |= llvm::isa<clang::ArraySubscriptExpr>(s);
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    fits &= !e || !e->getType().isVolatileQualified();
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
        call && !isClampedInteger(call, unit_))
      fits = false;
    return fits &= !llvm::isa<clang::LambdaExpr, clang::CXXConstructExpr, clang::InitListExpr,
                              clang::AsmStmt, clang::StmtExpr>(s);
  }

private:
  const SourceUnit& unit_;
  const Uniformity& variables_;
};

class Returns {
public:
  explicit Returns(const PlainBody& body) : body_(body), declared_(declaredIn(body.function)) {}

  void run() {
    for (const clang::CallExpr* call : body_.contents.calls)
      write(call);
    if (ranges_.empty())
      for (const clang::DeclStmt* s : body_.contents.declarations)
        remove(s);
  }

private:
  static constexpr std::size_t longest = 600;
  using TypeNames = std::map<std::string, std::string>; ///< types by their parameters' names

  void write(const clang::CallExpr* call) {
    const auto range = body_.text.rangeOf(call->getSourceRange());
    if (!range || call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID() ||
        std::any_of(ranges_.begin(), ranges_.end(), [&](const FileRange& other) {
          return range->file == other.file && range->begin < other.end && other.begin < range->end;
        }))
      return;
    const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    const bool made = llvm::isa<clang::CXXOperatorCallExpr>(call);
    const clang::VarDecl* kept = namedBy(made && call->getNumArgs() > 0 ? call->getArg(0) : callee);
    const clang::LambdaExpr* lambda = lambdaOf(kept);
    const clang::FunctionDecl* function = lambda ? lambda->getCallOperator() : nullptr;
    std::string object;
    if (!lambda) {
      const clang::FunctionDecl* named = call->getDirectCallee();
      if (made || !named || !named->hasBody(function) || !isPlainFunction(function) ||
          !objectOf(call, callee, function, object))
        return;
    } else if (lambda->isMutable() || !capturesFit(lambda)) {
      return;
    } else if (lambda->isGenericLambda()) {
      // The one for the types of these arguments.
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (!made || !callee || !callee->hasBody(function))
        return;
    }
    const clang::Expr* value = onlyReturn(function->getBody());
    if (!value || function->isVariadic() || value->isTypeDependent())
      return;
    const Returned returned(function, value, lambda != nullptr);
    const TypeNames types = typesOf(function);
    if (!returned.fits || !isWorth(function, value, returned, lambda != nullptr) ||
        (!types.empty() && returned.typeArguments))
      return;
    if (lambda && !seesTheSame(call))
      return;
    TokenChanges changes;
    const unsigned first = made ? 1 : 0;
    if (call->getNumArgs() - first != function->getNumParams())
      return;
    for (unsigned i = 0; i < function->getNumParams(); ++i)
      if (!putInPlace(function->getParamDecl(i), call->getArg(i + first), returned, changes))
        return;
    for (const clang::MemberExpr* member : returned.own) {
      const auto at = body_.text.positionOf(member->getMemberLoc());
      if (!at || object.empty())
        return;
      changes.instead[at->offset] = object + member->getMemberDecl()->getNameAsString();
    }
    const auto from = body_.text.rangeOf(value->getSourceRange());
    if (!from || !nameTypes(*from, types, changes))
      return;
    const auto text = onOneLine(body_.text, *from, changes);
    if (!text || text->size() > longest || text->find("//") != std::string::npos ||
        text->find("/*") != std::string::npos || text->find('\n') != std::string::npos ||
        !macrosStay(*from, *range) || !namesStay(*from, function, returned, types))
      return;
    const clang::QualType type = function->getReturnType();
    if (lambda && type->isRecordType()) {
      const auto structure = structureFrom(call, value, type, *text);
      if (!structure)
        return;
      ranges_.push_back(*range);
      body_.changes[range->file][range->begin] = {range->end,
                                                  withLinesOf(body_.text.text(*range), *structure)};
      return;
    }
    std::string written = "(" + *text + ")";
    // A lambda's own type of results, which instances make known.
    if (type->isDependentType() && !type->getContainedAutoType())
      return;
    if (isReferred(call)) {
      // The value now, not the place that it comes from.
      if (type->isDependentType() || !type->isArithmeticType())
        return;
      written = "static_cast<" + printed(type) + ">" + written;
    } else if (!type->isUndeducedType() && !type->isDependentType() &&
               !body_.unit.context().hasSameUnqualifiedType(
                   type, value->IgnoreParenImpCasts()->getType())) {
      if (!type->isArithmeticType())
        return;
      written = "static_cast<" + printed(type) + ">" + written;
    }
    ranges_.push_back(*range);
    body_.changes[range->file][range->begin] = {range->end,
                                                withLinesOf(body_.text.text(*range), written)};
  }

  /// The structure that a lambda returns, as a value: it may load it from what others can change.
  std::optional<std::string> structureFrom(const clang::CallExpr* call, const clang::Expr* value,
                                           clang::QualType type, const std::string& text) const {
    const clang::TagDecl* tag = type->getAsTagDecl();
    if (!tag || tag->getParentFunctionOrMethod() || type.isVolatileQualified())
      return std::nullopt;
    if (llvm::StringRef(text).starts_with("{"))
      return printed(type) + text;
    const clang::Expr* plain = value->IgnoreImplicit();
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(plain);
        made && made->getConstructor()->isCopyOrMoveConstructor() && made->getNumArgs() == 1)
      plain = made->getArg(0)->IgnoreImplicit();
    if (!body_.unit.context().hasSameUnqualifiedType(plain->getType(), type))
      return std::nullopt;
    const auto* part =
        llvm::dyn_cast_or_null<clang::MemberExpr>(body_.variables.parents().getParent(call));
    const bool loadsPart = part && llvm::isa<clang::FieldDecl>(part->getMemberDecl());
    return (plain->isPRValue() || loadsPart ? "(" : "static_cast<" + printed(type) + ">(") + text +
           ")";
  }
  /// Whether a reference is made to what a call returns.
  bool isReferred(const clang::Expr* call) const {
    const clang::ParentMap& parents = body_.variables.parents();
    const clang::Stmt* at = parents.getParent(call);
    while (at && llvm::isa<clang::ParenExpr, clang::ImplicitCastExpr, clang::ExprWithCleanups>(at))
      at = parents.getParent(at);
    if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(at))
      return std::any_of(declared->decl_begin(), declared->decl_end(), [](const clang::Decl* decl) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        return variable &&
               (variable->getType()->isReferenceType() ||
                llvm::isa_and_nonnull<clang::DecltypeType>(variable->getType().getTypePtr()) ||
                (variable->getType()->getContainedAutoType() &&
                 variable->getType()->getContainedAutoType()->isDecltypeAuto()));
      });
    return llvm::isa_and_nonnull<clang::MaterializeTemporaryExpr>(at);
  }
  /// Whether a lambda's names mean the same where another lambda calls it: that one keeps no
  /// copies.
  bool seesTheSame(const clang::Expr* call) const {
    const clang::ParentMap& parents = body_.variables.parents();
    for (const clang::Stmt* at = parents.getParent(call); at; at = parents.getParent(at))
      if (const auto* around = llvm::dyn_cast<clang::LambdaExpr>(at);
          around && (around->getCaptureDefault() != clang::LCD_ByRef ||
                     std::any_of(around->capture_begin(), around->capture_end(),
                                 [](const clang::LambdaCapture& capture) {
                                   return capture.getCaptureKind() != clang::LCK_ByRef;
                                 })))
        return false;
    return true;
  }
  /// Whether all names in a body mean the same where it is called: none that the kernel declares
  /// too, and none of a namespace around it.
  bool namesStay(const FileRange& body, const clang::FunctionDecl* function,
                 const Returned& returned, const TypeNames& types) const {
    std::set<std::string> around; // declared once, around the lambda
    for (const clang::ValueDecl* variable : returned.variables)
      around.insert(variable->getNameAsString());
    std::set<std::string> parameters;
    for (const clang::ParmVarDecl* parameter : function->parameters())
      parameters.insert(parameter->getNameAsString());
    const std::string own = body_.unit.userText(body.file).slice(body.begin, body.end).str() + "\n";
    bool member = false;
    const bool inLambda = llvm::isa<clang::CXXMethodDecl>(function) &&
                          llvm::cast<clang::CXXMethodDecl>(function)->getParent()->isLambda();
    for (const RawToken& token : rawTokens(own)) {
      const std::string name = token.text.str();
      const bool ofObject = member;
      member = token.kind == clang::tok::period || token.kind == clang::tok::arrow;
      if (token.kind != clang::tok::raw_identifier || ofObject || parameters.count(name) ||
          isOwnMember(name, returned) || types.count(name))
        continue;
      if (declared_.count(name) > (around.count(name) || isOfTemplate(name, inLambda) ? 1 : 0))
        return false;
      const clang::DeclContext* space = body_.function->getDeclContext()->getRedeclContext();
      for (; !inLambda && !space->isTranslationUnit(); space = space->getParent())
        if (!space->isInlineNamespace() &&
            !(llvm::isa<clang::NamespaceDecl>(space) &&
              llvm::cast<clang::NamespaceDecl>(space)->isAnonymousNamespace()) &&
            !space->lookup(&body_.unit.context().Idents.get(name)).empty())
          return false;
    }
    return true;
  }
  static bool isOwnMember(const std::string& name, const Returned& returned) {
    return std::any_of(returned.own.begin(), returned.own.end(), [&](const clang::MemberExpr* e) {
      return e->getMemberDecl()->getNameAsString() == name;
    });
  }
  /// Whether a name is a parameter of the kernel's template, for a lambda in it.
  bool isOfTemplate(const std::string& name, bool inLambda) const {
    const clang::FunctionTemplateDecl* made = body_.function->getDescribedFunctionTemplate();
    if (!made)
      made = body_.function->getPrimaryTemplate();
    return inLambda && made &&
           std::any_of(made->getTemplateParameters()->begin(), made->getTemplateParameters()->end(),
                       [&](const clang::NamedDecl* parameter) {
                         return parameter->getNameAsString() == name;
                       });
  }

  /// Places, questions whether something lies inside, and loads; not what only computes.
  bool isWorth(const clang::FunctionDecl* function, const clang::Expr* value,
               const Returned& returned, bool lambda) const {
    const clang::QualType type =
        function->getReturnType()->isUndeducedType() || function->getReturnType()->isDependentType()
            ? value->IgnoreParenImpCasts()->getType()
            : function->getReturnType();
    if (type->isReferenceType())
      return false;
    if (lambda)
      return type->isArithmeticType() || (type->isRecordType() && isOfNumbers(type));
    if (returned.loads || type->isBooleanType())
      return type->isArithmeticType();
    return type->isIntegerType() && !returned.chooses && (!returned.calls || isOwn(returned));
  }
  /// Calls of the object's own methods, which later rounds write out.
  static bool isOwn(const Returned& returned) { return !returned.own.empty(); }

  /// A class that a class template was made for numbers' types only, its own definition, if a
  /// method is one's that the template defines itself.
  static const clang::ClassTemplateSpecializationDecl*
  classOfNumbers(const clang::FunctionDecl* function) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    const auto* made =
        method ? llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(method->getParent())
               : nullptr;
    if (!made || made->getSpecializationKind() != clang::TSK_ImplicitInstantiation ||
        made->getSpecializedTemplateOrPartial()
            .is<clang::ClassTemplatePartialSpecializationDecl*>() ||
        made->getSpecializedTemplate()->isMemberSpecialization() ||
        method->getTemplateSpecializationKind() != clang::TSK_ImplicitInstantiation ||
        method->getPrimaryTemplate())
      return nullptr;
    for (const clang::TemplateArgument& argument : made->getTemplateArgs().asArray())
      if (argument.getKind() != clang::TemplateArgument::Type ||
          !argument.getAsType()->isArithmeticType() || !argument.getAsType()->isBuiltinType() ||
          argument.getAsType().isVolatileQualified())
        return nullptr;
    return made;
  }
  /// Whether a function is one that a template was made into for numbers and types of numbers.
  static bool isOfNumbersOnly(const clang::FunctionDecl* function) {
    if (function->getTemplateSpecializationKind() != clang::TSK_ImplicitInstantiation ||
        !function->getPrimaryTemplate() || llvm::isa<clang::CXXMethodDecl>(function) ||
        function->getPrimaryTemplate()->isMemberSpecialization())
      return false;
    const clang::TemplateParameterList* parameters =
        function->getPrimaryTemplate()->getTemplateParameters();
    const clang::TemplateArgumentList* given = function->getTemplateSpecializationArgs();
    if (!given || given->size() != parameters->size())
      return false;
    for (unsigned i = 0; i < given->size(); ++i) {
      const clang::TemplateArgument& one = given->get(i);
      const auto* number = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameters->getParam(i));
      if (number ? numberText(one, number->getType()).empty()
                 : one.getKind() != clang::TemplateArgument::Type ||
                       !one.getAsType()->isArithmeticType() || !one.getAsType()->isBuiltinType() ||
                       one.getAsType().isVolatileQualified())
        return false;
    }
    return true;
  }
  /// What the parameters of a class template are in the class that a method is of, or those of a
  /// function's template. All that a returned expression may do with types is to convert numbers to
  /// them.
  TypeNames typesOf(const clang::FunctionDecl* function) const {
    TypeNames out;
    if (isOfNumbersOnly(function)) {
      const clang::TemplateParameterList* parameters =
          function->getPrimaryTemplate()->getTemplateParameters();
      for (unsigned i = 0; i < parameters->size(); ++i) {
        const clang::TemplateArgument& one = function->getTemplateSpecializationArgs()->get(i);
        const auto* number =
            llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameters->getParam(i));
        const std::string text =
            number ? numberText(one, number->getType()) : printed(one.getAsType());
        out[parameters->getParam(i)->getNameAsString()] =
            text.find(' ') == std::string::npos ? text : "";
      }
    }
    if (const auto* made = classOfNumbers(function)) {
      const clang::TemplateParameterList* parameters =
          made->getSpecializedTemplate()->getTemplateParameters();
      for (unsigned i = 0; i < parameters->size(); ++i) {
        // `T(0)` needs one word.
        const std::string type = printed(made->getTemplateArgs()[i].getAsType());
        out[parameters->getParam(i)->getNameAsString()] =
            type.find(' ') == std::string::npos ? type : "";
      }
    }
    return out;
  }
  bool nameTypes(const FileRange& body, const TypeNames& types, TokenChanges& changes) const {
    const auto renamed =
        renamedTokens(body_.text.buffer(body.file).slice(body.begin, body.end).str(), types);
    if (!renamed)
      return false;
    for (const RenamedToken& token : *renamed)
      changes.instead[body.begin + token.offset] = token.name;
    return true;
  }

  /// Functions of the user's own, also those and methods of classes that templates make for numbers.
  bool isPlainFunction(const clang::FunctionDecl* function) const {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    return body_.unit.isUser(function->getLocation()) &&
           (!function->isTemplateInstantiation() || classOfNumbers(function) ||
            isOfNumbersOnly(function)) &&
           !function->isDependentContext() && function->getDeclName().isIdentifier() &&
           function->getBody() && !function->getBody()->getBeginLoc().isMacroID() &&
           !builtinOf(function) &&
           (method ? !method->isVirtual() && !method->isStatic() && !method->isVolatile()
                   : function->getDeclContext()->isTranslationUnit());
  }

  /// `g.` of `g.at(x, y)`.
  bool objectOf(const clang::CallExpr* call, const clang::Expr* callee,
                const clang::FunctionDecl* function, std::string& object) const {
    if (!llvm::isa<clang::CXXMethodDecl>(function))
      return llvm::isa<clang::DeclRefExpr>(callee);
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(callee);
    const clang::Expr* base = member ? member->getBase()->IgnoreParenImpCasts() : nullptr;
    if (!base || !llvm::isa<clang::CXXMemberCallExpr>(call) || member->hasQualifier() ||
        !llvm::isa<clang::DeclRefExpr>(base) || !base->getBeginLoc().isFileID())
      return false;
    // The method's own members, not those that a class derived from it hides.
    const clang::QualType of =
        member->isArrow() ? base->getType()->getPointeeType() : base->getType();
    const auto* record = of.isNull() ? nullptr : of->getAsCXXRecordDecl();
    if (!record || record->getCanonicalDecl() !=
                       llvm::cast<clang::CXXMethodDecl>(function)->getParent()->getCanonicalDecl())
      return false;
    object =
        namedBy(base) ? namedBy(base)->getNameAsString() + (member->isArrow() ? "->" : ".") : "";
    return !object.empty();
  }

  /// Whether what a lambda takes from around it is the same where it is called.
  bool capturesFit(const clang::LambdaExpr* lambda) const {
    const auto isFixed = [&](const clang::ValueDecl* named) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(named);
      const LocalVariable* local = variable ? body_.variables.find(variable) : nullptr;
      return variable && !variable->getType()->isReferenceType() &&
             (local ? !local->modified && !local->escapes
                    : llvm::isa<clang::ParmVarDecl>(variable));
    };
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (!capture.capturesVariable() || lambda->isInitCapture(&capture) ||
          capture.isPackExpansion() ||
          (capture.getCaptureKind() != clang::LCK_ByRef && !isFixed(capture.getCapturedVar())))
        return false;
    if (lambda->getCaptureDefault() != clang::LCD_ByCopy)
      return true;
    const clang::Expr* value = onlyReturn(lambda->getCallOperator()->getBody());
    if (!value)
      return false;
    const Returned returned(lambda->getCallOperator(), value, true);
    return std::all_of(returned.variables.begin(), returned.variables.end(), isFixed);
  }

  bool putInPlace(const clang::ParmVarDecl* parameter, const clang::Expr* given,
                  const Returned& returned, TokenChanges& changes) const {
    // A copy that nobody changes is what it is a copy of.
    if (const auto* copy = llvm::dyn_cast<clang::CXXConstructExpr>(given);
        copy && copy->getConstructor()->isCopyOrMoveConstructor() &&
        copy->getConstructor()->isTrivial() && copy->getNumArgs() == 1 &&
        !copy->isListInitialization())
      given = copy->getArg(0);
    const std::size_t uses =
        std::count_if(returned.parameters.begin(), returned.parameters.end(),
                      [&](const clang::DeclRefExpr* use) { return use->getDecl() == parameter; });
    const Argument argument(given, body_.unit, body_.variables);
    const clang::Expr* plain = given->IgnoreParenImpCasts();
    const auto range = body_.text.rangeOf(given->getSourceRange());
    if (!argument.fits || (argument.reads && uses > 1) ||
        (returned.stores && (argument.reads || argument.inMemory)) || !range ||
        parameter->isParameterPack() || llvm::isa<clang::CXXDefaultArgExpr>(given) ||
        plain->isTypeDependent() || !body_.text.isWhole(given))
      return false;
    const clang::QualType type = parameter->getType().getNonReferenceType();
    if (type->isDependentType() || type.isVolatileQualified() ||
        (parameter->getType()->isReferenceType() && !type.isConstQualified()))
      return false;
    const clang::ASTContext& context = body_.unit.context();
    const bool same = context.hasSameUnqualifiedType(plain->getType(), type);
    std::string value = body_.text.text(*range);
    if (value.find('\n') != std::string::npos || value.find("//") != std::string::npos)
      return false;
    if (!type->isArithmeticType()) {
      // Structures, and pointers that may be to what is not constant.
      const bool pointers = type->isPointerType() && plain->getType()->isPointerType() &&
                            context.hasSameUnqualifiedType(type->getPointeeType(),
                                                           plain->getType()->getPointeeType());
      if (!llvm::isa<clang::DeclRefExpr>(plain) || (!same && !pointers))
        return false;
    } else if (!same) {
      if (!plain->getType()->isArithmeticType())
        return false;
      value = "static_cast<" + printed(type) + ">(" + value + ")";
    } else if (!llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral>(plain)) {
      value = "(" + value + ")";
    }
    for (const clang::DeclRefExpr* use : returned.parameters)
      if (use->getDecl() == parameter) {
        const auto at = body_.text.positionOf(use->getLocation());
        if (!at)
          return false;
        changes.instead[at->offset] = value;
      }
    return true;
  }

  std::string printed(clang::QualType type) const {
    // By its own name: another may be hidden here.
    return type.getCanonicalType().getUnqualifiedType().getAsString(
        body_.unit.context().getPrintingPolicy());
  }

  /// Whether no macro that a body names changes between there and the call.
  bool macrosStay(const FileRange& body, const FileRange& call) const {
    if (body.file != call.file)
      return !namesMacros(body);
    if (call.begin < body.end)
      return false;
    const llvm::StringRef all = body_.unit.userText(body.file);
    const auto macros = bodyMacros(all, body.begin, call.begin).names;
    if (macros.empty())
      return true;
    const std::string own = all.slice(body.begin, body.end).str() + "\n";
    for (const RawToken& token : rawTokens(own))
      if (macros.count(token.text.str()))
        return false;
    return true;
  }

  /// Whether a body of another file names what is a macro, but for those that only its own file
  /// defines before it.
  bool namesMacros(const FileRange& body) const {
    std::set<std::string> macros;
    for (const std::string& file : body_.unit.userFiles()) {
      const llvm::StringRef all = body_.unit.userText(file);
      const unsigned end = unsigned(all.size());
      const auto names = bodyMacros(all, file == body.file ? body.end : 0, end).names;
      macros.insert(names.begin(), names.end());
    }
    const std::string text =
        body_.unit.userText(body.file).slice(body.begin, body.end).str() + "\n";
    const std::vector<RawToken> tokens = rawTokens(text);
    return std::any_of(tokens.begin(), tokens.end(),
                       [&](const RawToken& token) { return macros.count(token.text.str()) != 0; });
  }

  /// A lambda that nobody calls any more.
  void remove(const clang::DeclStmt* s) {
    const auto* variable =
        s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr;
    const clang::LambdaExpr* lambda = lambdaOf(variable);
    const auto range = body_.text.rangeOf(s->getSourceRange());
    if (!lambda || !range || body_.contents.usesOf(variable) != 0 || body_.mayBeHidden(variable) ||
        s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID() ||
        !onlyReturn(lambda->getCallOperator()->getBody()) ||
        std::any_of(lambda->capture_begin(), lambda->capture_end(),
                    [&](const clang::LambdaCapture& c) { return lambda->isInitCapture(&c); }))
      return;
    body_.changes[range->file][range->begin] = {range->end,
                                                withLinesOf(body_.text.text(*range), ";")};
  }

  const PlainBody& body_;
  std::multiset<std::string> declared_;
  std::vector<FileRange> ranges_;
};

} // namespace

void writeOutReturns(const PlainBody& body) { Returns(body).run(); }

} // namespace cu2cpp
