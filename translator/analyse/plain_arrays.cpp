// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array of structures that each thread keeps where threads meet becomes an array for each part:
//
//   float4 v[6];                         float v_x[6]; float v_y[6]; ...
//   for (int k = 0; k < 6; ++k) {        for (int k = 0; k < 6; ++k) {
//     v[k] = in[k * 32 + lane];    ->      { const float4 cuNew_v = in[k * 32 + lane];
//     sum += v[k].x;                         v_x[k] = cuNew_v.x; v_y[k] = cuNew_v.y; ... }
//   }                                      sum += v_x[k];
//   ...                                  }
//   out[lane] = v[0];                    ... out[lane] = float4{v_x[0], v_y[0], ...};
//
// The same element of neighbouring threads then is a row of numbers (region_rows.cpp). What changes
// an element as a whole, `add(v[k], x);` or `v[k] += x;`, changes a copy.
//
// So does a shared array whose elements are combined with each other, in translations that only
// compilers read:
//
//   __shared__ Stats s[256];             __shared__ double s_sum[256]; __shared__ float s_low[256];
//   if (t < d)                           if (t < d)
//     s[t] = joined(s[t], s[t + d]);       { const Stats cuNew_s = joined(Stats{s_sum[t],
//     s_low[t]},
//                                  ->          Stats{s_sum[t + d], s_low[t + d]});
//                                            s_sum[t] = cuNew_s.sum; s_low[t] = cuNew_s.low; }
//
// What neighbouring threads load and store then are neighbours, and compilers need not gather them:
// the sum, least and greatest of an array took 1.5 times as long without.
#include "analyse/plain_body.h"
#include "analyse/plain_lambdas.h"

#include <algorithm>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/meeting_places.h"
#include "analyse/plain_structures.h"

namespace cu2cpp {
namespace {

/// Whether a function, or one that it calls, may leave a pointer or a reference to something
/// anywhere, or asks for anything of an object but its value.
class KeepsPlaces : public SyntaxVisitor {
public:
  static bool in(const clang::FunctionDecl* function, unsigned depth = 0) {
    constexpr unsigned mostCalls = 4;
    const clang::FunctionDecl* definition = nullptr;
    if (depth > mostCalls || function->getReturnType()->isReferenceType())
      return true;
    return function->hasBody(definition) ? inBody(definition, depth) : !takesNumbers(function);
  }
  static bool inBody(const clang::FunctionDecl* definition, unsigned depth = 0) {
    KeepsPlaces body;
    body.depth_ = depth;
    body.TraverseStmt(definition->getBody());
    return body.keeps_ || body.objects_ != body.followed_;
  }
  bool VisitCXXThisExpr(clang::CXXThisExpr*) override {
    ++objects_;
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    followed_ += llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    followed_ += op->getOpcode() == clang::UO_Deref &&
                 llvm::isa<clang::CXXThisExpr>(op->getSubExpr()->IgnoreParenImpCasts());
    return note(op->getOpcode() == clang::UO_AddrOf);
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    return note(variable->getType()->isReferenceType() || variable->getType()->isPointerType());
  }
  bool VisitCastExpr(clang::CastExpr* cast) override {
    return note(cast->getCastKind() == clang::CK_LValueBitCast);
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return note(!callee || in(callee, depth_ + 1));
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    return note(!made->getConstructor()->isTrivial() && !isPlain(made->getType()));
  }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return note(true); }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return note(true); }

private:
  static bool takesNumbers(const clang::FunctionDecl* function) {
    return std::all_of(function->param_begin(), function->param_end(), [](const auto* parameter) {
      return parameter->getType()->isArithmeticType();
    });
  }
  bool note(bool keeps) { return !(keeps_ |= keeps); }

  unsigned depth_ = 0;
  unsigned objects_ = 0, followed_ = 0; ///< `this`, and `this->x` or `*this`
  bool keeps_ = false;
};

class ArrayParting {
public:
  ArrayParting(const PlainBody& body, const Facts& facts, const clang::VarDecl* variable,
               const clang::DeclStmt* statement, std::vector<const clang::FieldDecl*> parts,
               clang::QualType element)
      : body_(body), facts_(facts), parents_(body.variables.parents()), statement_(statement),
        variable_(variable), parts_(std::move(parts)), name_(variable->getNameAsString()),
        type_(element.getUnqualifiedType().getAsString(body.unit.context().getPrintingPolicy())),
        list_(element->getAsCXXRecordDecl()->isAggregate()) {}

  /// Rewrites all uses, if they can be, and threads meet between them or combine elements.
  void run(const std::set<std::string>& taken, const FunctionFacts& function) {
    const auto uses = body_.placesOf(variable_);
    const auto position = body_.text.positionOf(variable_->getLocation());
    if (!uses || uses->empty() || !position || taken.count("cuNew_" + name_) ||
        std::any_of(parts_.begin(), parts_.end(),
                    [&](const auto* part) { return taken.count(partName(part)); }))
      return;
    file_ = position->file;
    if (isShared(variable_) ? !combinesElements() || !declareShared()
                            : !meetsBefore(uses->rbegin()->second, position->offset,
                                           {body_.text, parents_}, function, facts_) ||
                                  !declare())
      return;
    for (const auto& [offset, use] : *uses)
      if (!rewrite(use, offset))
        return;
    body_.put(file_, std::move(edits_));
  }

private:
  std::string partName(const clang::FieldDecl* part) const {
    return name_ + "_" + part->getNameAsString();
  }
  /// Whether a place in the array may be named several times, and behind the value that is stored
  /// there: it is made of numbers and of names.
  static bool isPlainIndex(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return !op->isAssignmentOp() && op->getOpcode() != clang::BO_Comma &&
             isPlainIndex(op->getLHS()) && isPlainIndex(op->getRHS());
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return variable ? !variable->getType().isVolatileQualified() && !isShared(variable) &&
                            (variable->hasLocalStorage() || variable->getType().isConstQualified())
                      : llvm::isa<clang::NonTypeTemplateParmDecl, clang::EnumConstantDecl>(
                            use->getDecl());
    }
    if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
      e = pseudo->getSyntacticForm()->IgnoreParenImpCasts();
    // `threadIdx.x`
    const auto* property = llvm::dyn_cast<clang::MSPropertyRefExpr>(e);
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
    if (property ? !property->isArrow() : member && !member->isArrow())
      return isOfThread(property ? property->getBaseExpr() : member->getBase());
    return llvm::isa<clang::IntegerLiteral>(e);
  }
  static bool isOfThread(const clang::Expr* e) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return variable && variable->hasGlobalStorage() && variable->hasExternalStorage() &&
           (variable->getName() == "threadIdx" || variable->getName() == "blockDim" ||
            variable->getName() == "blockIdx" || variable->getName() == "gridDim");
  }
  /// Whether a text can be repeated in one line: no comments.
  static bool isOneLine(llvm::StringRef text) {
    return !text.contains('\n') && !text.contains("//") && !text.contains("/*");
  }
  std::string assigned(const std::string& place) const {
    std::string out;
    for (const clang::FieldDecl* part : parts_)
      out +=
          " " + partName(part) + place + " = cuNew_" + name_ + "." + part->getNameAsString() + ";";
    return out;
  }
  std::string whole(const std::string& place) const {
    std::string out = type_ + (list_ ? "{" : "(");
    for (const clang::FieldDecl* part : parts_)
      out += (part == parts_.front() ? "" : ", ") + partName(part) + place;
    return out + (list_ ? "}" : ")");
  }
  const clang::Stmt* parentOf(const clang::Stmt* s) const {
    const clang::Stmt* parent = parents_.getParent(s);
    while (llvm::isa_and_nonnull<clang::ImplicitCastExpr, clang::ParenExpr, clang::ExprWithCleanups,
                                 clang::MaterializeTemporaryExpr>(parent))
      parent = parents_.getParent(parent);
    return parent;
  }

  /// `v[i]`, or `v[i][j]` of an array of arrays.
  bool rewrite(const clang::DeclRefExpr* use, unsigned offset) {
    const clang::Expr* element = use;
    for (clang::QualType type = variable_->getType(); type->isArrayType();
         type = type->getAsArrayTypeUnsafe()->getElementType()) {
      const auto* at = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(parentOf(element));
      if (!at || at->getBase()->IgnoreParenImpCasts() != element || !isPlainIndex(at->getIdx()))
        return false;
      element = at;
    }
    const unsigned behindName = offset + unsigned(name_.size());
    const auto end =
        body_.text.endOf(llvm::cast<clang::ArraySubscriptExpr>(element)->getRBracketLoc());
    if (!end || end->file != file_ || end->offset <= behindName)
      return false;
    const std::string place = body_.text.buffer(file_).slice(behindName, end->offset).str();
    if (!isOneLine(place))
      return false;
    const clang::Stmt* parent = parentOf(element);
    if (const auto part = partOf(parent, element))
      return rewritePart(parent, *part, offset, end->offset);
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
    const auto* operatorCall = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(parent);
    if (op && op->getOpcode() == clang::BO_Assign && op->getLHS()->IgnoreParenImpCasts() == element)
      return rewriteAssignment(op, op->getOperatorLoc(), offset, place);
    if (operatorCall && operatorCall->getOperator() == clang::OO_Equal &&
        operatorCall->getArg(0)->IgnoreParenImpCasts() == element)
      return isTrivialAssignment(operatorCall) &&
             rewriteAssignment(operatorCall, operatorCall->getOperatorLoc(), offset, place);
    if (isGivenToChange(parent, element))
      return rewriteChange(llvm::cast<clang::CallExpr>(parent), offset, end->offset, place);
    if (!isRead(parent, element) && !(isShared(variable_) && isGiven(parent, element)))
      return false;
    edits_[offset] = {end->offset, whole(place)};
    return true;
  }
  /// The name and the place of the part that `v[i].x` names.
  std::optional<std::pair<const clang::FieldDecl*, clang::SourceLocation>>
  partOf(const clang::Stmt* s, const clang::Expr* element) const {
    const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(s);
    const auto* dependent = llvm::dyn_cast_or_null<clang::CXXDependentScopeMemberExpr>(s);
    if (member ? member->isArrow()
               : !dependent || dependent->isArrow() || dependent->isImplicitAccess() ||
                     dependent->getBase()->IgnoreParenImpCasts() != element)
      return std::nullopt;
    const clang::DeclarationName name =
        member ? member->getMemberDecl()->getDeclName() : dependent->getMember();
    for (const clang::FieldDecl* part : parts_)
      if (part->getDeclName() == name)
        return std::pair{part, member ? member->getMemberLoc() : dependent->getMemberLoc()};
    return std::nullopt;
  }
  bool rewritePart(const clang::Stmt* member,
                   const std::pair<const clang::FieldDecl*, clang::SourceLocation>& part,
                   unsigned offset, unsigned behindElement) {
    const auto end = body_.text.endOf(part.second);
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(parentOf(member));
    if (part.second.isMacroID() || !end || end->file != file_ ||
        (step && step->getOpcode() == clang::UO_AddrOf) ||
        body_.text.buffer(file_).slice(behindElement, end->offset).trim().front() != '.')
      return false;
    edits_[offset] = {offset + unsigned(name_.size()), partName(part.first)};
    edits_[behindElement] = {end->offset, ""};
    return true;
  }
  /// `v[i] = value;`, a statement of its own.
  bool rewriteAssignment(const clang::Expr* assignment, clang::SourceLocation equals,
                         unsigned offset, const std::string& place) {
    const auto behind = body_.text.endOf(equals);
    const auto semicolon = body_.behindStatement(assignment, {file_, offset});
    if (!behind || behind->file != file_ || !semicolon || equals.isMacroID())
      return false;
    edits_[offset] = {behind->offset, "{ const " + type_ + " cuNew_" + name_ + " ="};
    edits_[*semicolon - 1] = {*semicolon, ";" + assigned(place) + " }"};
    return true;
  }
  /// `add(v[i], x);` or `v[i] += x;`, a statement of its own, in which nothing else names the
  /// array, and of which nobody keeps where the element lies.
  bool isGivenToChange(const clang::Stmt* parent, const clang::Expr* element) const {
    const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(parent);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || callee->isVariadic() || llvm::isa<clang::CXXMemberCallExpr>(call) ||
        (!llvm::isa<clang::CXXOperatorCallExpr>(call) && !callee->getReturnType()->isVoidType()))
      return false;
    PlainVisitor named;
    named.TraverseStmt(const_cast<clang::CallExpr*>(call));
    const bool ofOperator =
        llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee);
    if (named.usesOf(variable_) != 1 || named.lambdas || !keepsPlace(named, element))
      return false;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      if (call->getArg(i)->IgnoreParenImpCasts() != element)
        continue;
      if (ofOperator && i == 0)
        return changesAlone(callee);
      const unsigned number = i - ofOperator;
      const clang::QualType type = number < callee->getNumParams()
                                       ? callee->getParamDecl(number)->getType()
                                       : clang::QualType();
      return !type.isNull() && type->isLValueReferenceType() &&
             !type->getPointeeType().isConstQualified() &&
             !type->getPointeeType().isVolatileQualified() && changesAlone(callee);
    }
    return false;
  }
  /// Whether a call only reads the variables by which an element is found: it is found again
  /// behind the call.
  bool keepsPlace(const PlainVisitor& called, const clang::Expr* element) const {
    PlainVisitor place;
    for (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(element); at;
         at = llvm::dyn_cast<clang::ArraySubscriptExpr>(at->getBase()->IgnoreParenImpCasts()))
      place.TraverseStmt(const_cast<clang::Expr*>(at->getIdx()));
    for (const auto& [variable, uses] : place.references) {
      if (variable->getType().isConstQualified() || !variable->getType()->isScalarType())
        continue;
      const LocalVariable* local = body_.variables.find(variable);
      const auto all = called.references.find(variable);
      if (!local || local->escapes || all == called.references.end())
        return false;
      for (const clang::DeclRefExpr* use : all->second) {
        const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parents_.getParent(use));
        if (!use->isTypeDependent() && !(cast && cast->getCastKind() == clang::CK_LValueToRValue))
          return false;
      }
    }
    return true;
  }
  /// Whether a function that changes what it is given leaves no pointer or reference to it, but
  /// for the one that an operator gives back.
  static bool changesAlone(const clang::FunctionDecl* callee) {
    const clang::FunctionDecl* definition = nullptr;
    if (!callee->hasBody(definition))
      return false;
    return !KeepsPlaces::inBody(definition);
  }
  bool rewriteChange(const clang::CallExpr* call, unsigned offset, unsigned behindElement,
                     const std::string& place) {
    const auto begin = body_.text.positionOf(call->getBeginLoc());
    const auto semicolon = begin ? body_.behindStatement(call, *begin) : std::nullopt;
    if (!begin || begin->file != file_ || !semicolon || call->getBeginLoc().isMacroID())
      return false;
    const std::string copy = "{ " + type_ + " cuNew_" + name_ + " = " + whole(place) + "; ";
    if (begin->offset == offset) {
      edits_[offset] = {behindElement, copy + "cuNew_" + name_};
    } else {
      edits_[begin->offset] = {begin->offset, copy};
      edits_[offset] = {behindElement, "cuNew_" + name_};
    }
    edits_[*semicolon - 1] = {*semicolon, ";" + assigned(place) + " }"};
    return true;
  }
  static bool isTrivialAssignment(const clang::CallExpr* call) {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getCalleeDecl());
    return method && method->isTrivial();
  }
  /// Whether an element's value is asked for, and not the element.
  bool isRead(const clang::Stmt* parent, const clang::Expr* element) const {
    if (const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent))
      return op->getOpcode() == clang::BO_Assign && op->getRHS()->IgnoreParenImpCasts() == element;
    if (const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(parent)) {
      const auto* variable = declaration->isSingleDecl()
                                 ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                                 : nullptr;
      return variable && !variable->getType()->isReferenceType();
    }
    // One of two values.
    if (const auto* choice = llvm::dyn_cast_or_null<clang::ConditionalOperator>(parent))
      return isShared(variable_) && choice->getCond()->IgnoreParenImpCasts() != element &&
             isRead(parentOf(choice), choice);
    // An operator or a function that takes the value, or a copy of it.
    const auto* copy = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(parent);
    if (copy)
      return copy->getConstructor()->isCopyOrMoveConstructor();
    const auto* call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(parent);
    return call && call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2 &&
           isTrivialAssignment(call) && call->getArg(1)->IgnoreParenImpCasts() == element;
  }
  /// Whether a function may look at an element, but not change it, nor tell anybody where it lies.
  static bool isGiven(const clang::Stmt* parent, const clang::Expr* element) {
    const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(parent);
    const clang::FunctionDecl* callee =
        call && !llvm::isa<clang::CXXOperatorCallExpr, clang::CXXMemberCallExpr>(call)
            ? call->getDirectCallee()
            : nullptr;
    if (!callee || callee->isVariadic() || callee->getNumParams() < call->getNumArgs() ||
        !(callee->getReturnType()->isVoidType() || isPlain(callee->getReturnType())) ||
        KeepsPlaces::in(callee))
      return false;
    for (unsigned i = 0; i < call->getNumArgs(); ++i)
      if (call->getArg(i)->IgnoreParenImpCasts() == element) {
        const clang::QualType type = callee->getParamDecl(i)->getType();
        return type->isLValueReferenceType() && type->getPointeeType().isConstQualified();
      }
    return false;
  }

  /// Whether an assignment changes an element of the array, or a part of one, to what it computes
  /// from an element: `s[t] = joined(s[t], s[t + d])`, `s[t].sum += s[t + d].sum`, or, under a
  /// condition that asks for one and as all that it does, `s[t] = s[t + d]`.
  bool combinesElements() const {
    const auto uses = body_.contents.references.find(variable_);
    return uses != body_.contents.references.end() &&
           std::any_of(uses->second.begin(), uses->second.end(),
                       [&](const clang::DeclRefExpr* use) { return isCombined(use); });
  }
  bool isCombined(const clang::DeclRefExpr* use) const {
    const clang::Stmt* inner = use;
    for (const clang::Stmt* s = parentOf(use); llvm::isa_and_nonnull<clang::Expr>(s);
         inner = s, s = parentOf(s)) {
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
      const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(s);
      const bool assigns =
          op ? op->isAssignmentOp() : call && call->getNumArgs() == 2 && call->isAssignmentOp();
      if (!assigns)
        continue;
      const clang::Expr* target = (op ? op->getLHS() : call->getArg(0))->IgnoreParenImpCasts();
      const clang::Expr* value = (op ? op->getRHS() : call->getArg(1))->IgnoreParenImpCasts();
      if (target == inner || !isElement(target))
        continue;
      // A copy, as when two elements are exchanged, or a choice.
      return !isElement(value) || (op && op->isCompoundAssignmentOp()) || isChosen(s);
    }
    return false;
  }
  /// `s[i]`, `s[i].x`
  bool isElement(const clang::Expr* e) const {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
      e = member->getBase()->IgnoreParenImpCasts();
    while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
      e = at->getBase()->IgnoreParenImpCasts();
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    return use && use->getDecl() == variable_;
  }
  bool isChosen(const clang::Stmt* assignment) const {
    const clang::Stmt* s = parents_.getParent(assignment);
    while (llvm::isa_and_nonnull<clang::ExprWithCleanups>(s))
      s = parents_.getParent(s);
    if (const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(s))
      s = list->size() == 1 ? parents_.getParent(list) : nullptr;
    const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(s);
    if (!branch)
      return false;
    PlainVisitor asked;
    asked.TraverseStmt(const_cast<clang::Expr*>(branch->getCond()));
    return asked.usesOf(variable_) > 0;
  }
  /// `float4 v[6];`, without values.
  bool declare() {
    const clang::DeclStmt* s = statement_;
    const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(variable_->getInit());
    if (!s || !s->isSingleDecl() || s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID() ||
        !llvm::isa_and_nonnull<clang::CompoundStmt>(parents_.getParent(s)) ||
        variable_->isStaticLocal() || variable_->isConstexpr() || variable_->hasAttrs() ||
        (variable_->getInit() && !(made && made->getConstructor()->isTrivial())))
      return false;
    return declareParts("");
  }
  /// `__shared__ Stats s[256];`
  bool declareShared() {
    const clang::DeclStmt* s = statement_;
    const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(variable_->getInit());
    if (!s || !s->isSingleDecl() || s->getEndLoc().isMacroID() ||
        !llvm::isa_and_nonnull<clang::CompoundStmt>(parents_.getParent(s)) ||
        variable_->hasExternalStorage() || variable_->getAttrs().size() != 1 ||
        (variable_->getInit() && !(made && made->getConstructor()->isTrivial())))
      return false;
    const auto range = body_.text.rangeOf(s->getSourceRange());
    const std::string qualifier = "__shared__ ";
    return range && range->file == file_ &&
           body_.text.buffer(file_).substr(range->begin).starts_with(qualifier) &&
           declareParts(qualifier);
  }
  bool declareParts(const std::string& qualifier) {
    const auto range = body_.text.rangeOf(statement_->getSourceRange());
    const auto name = body_.text.endOf(variable_->getLocation());
    if (!range || !name || range->file != file_ || name->file != file_)
      return false;
    const llvm::StringRef sizes =
        body_.text.buffer(file_).slice(name->offset, range->end).rtrim("; \t");
    if (!sizes.ends_with("]") || sizes.find_first_of("{=") != llvm::StringRef::npos ||
        !isOneLine(sizes))
      return false;
    std::string out;
    for (const clang::FieldDecl* part : parts_) {
      out += (out.empty() ? "" : " ") + qualifier +
             declarationOf(part->getType(), body_.unit.context(), partName(part)) + sizes.str() +
             ";";
    }
    edits_[range->begin] = {range->end, out};
    return body_.text.buffer(file_)[range->end - 1] == ';';
  }

  const PlainBody& body_;
  const Facts& facts_;
  const clang::ParentMap& parents_;
  const clang::DeclStmt* statement_;
  const clang::VarDecl* variable_;
  const std::vector<const clang::FieldDecl*> parts_;
  const std::string name_, type_;
  const bool list_;
  std::string file_;
  std::map<unsigned, std::pair<unsigned, std::string>> edits_;
};

} // namespace

void partArrays(const PlainBody& body, const Facts& facts, const FunctionFacts& function) {
  std::set<std::string> names;
  for (const auto& [variable, uses] : body.contents.references)
    names.insert(variable->getNameAsString());
  for (const auto& [variable, local] : body.variables.variables())
    names.insert(variable->getNameAsString());
  const std::set<const clang::VarDecl*> ofLambdas = namedInLambdas(body);
  for (const auto& [variable, local] : body.variables.variables()) {
    if (ofLambdas.count(variable) || !variable->getType()->isArrayType() ||
        !variable->hasLocalStorage() || isShared(variable) ||
        llvm::isa<clang::ParmVarDecl>(variable))
      continue;
    const clang::QualType element(variable->getType()->getBaseElementTypeUnsafe(), 0);
    if (!element->isDependentType() && isOfNumbers(element))
      ArrayParting(body, facts, variable, local.statement, partsOf(element), element)
          .run(names, function);
  }
}

void partSharedArrays(const PlainBody& body, const Facts& facts, const FunctionFacts& function) {
  const std::set<const clang::VarDecl*> ofLambdas = namedInLambdas(body);
  for (const clang::DeclStmt* s : body.contents.declarations) {
    const auto* variable =
        s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr;
    if (!variable || !isShared(variable) || ofLambdas.count(variable) ||
        !variable->getType()->isConstantArrayType())
      continue;
    const clang::QualType element = body.unit.context().getBaseElementType(variable->getType());
    if (!element.isVolatileQualified() && isOfNumbers(element))
      ArrayParting(body, facts, variable, s, partsOf(element), element)
          .run(body.declaredNames(), function);
  }
}

} // namespace cu2cpp
