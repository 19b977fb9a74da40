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
// The same element of neighbouring threads then is a row of numbers (region_rows.cpp).
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

class ArrayParting {
public:
  ArrayParting(const PlainBody& body, const Facts& facts, const LocalVariable& local,
               std::vector<const clang::FieldDecl*> parts, clang::QualType element)
      : body_(body), facts_(facts), parents_(body.variables.parents()), local_(local),
        variable_(local.decl), parts_(std::move(parts)), name_(local.decl->getNameAsString()),
        type_(element.getUnqualifiedType().getAsString(body.unit.context().getPrintingPolicy())),
        list_(element->getAsCXXRecordDecl()->isAggregate()) {}

  /// Rewrites all uses, if they can be and threads meet between them.
  void run(const std::set<std::string>& taken, const FunctionFacts& function) {
    const auto uses = body_.placesOf(variable_);
    const auto position = body_.text.positionOf(variable_->getLocation());
    if (!uses || uses->empty() || !position || taken.count("cuNew_" + name_) ||
        std::any_of(parts_.begin(), parts_.end(),
                    [&](const auto* part) { return taken.count(partName(part)); }))
      return;
    file_ = position->file;
    if (!meets(function, position->offset, uses->rbegin()->first) || !declare())
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
  /// Whether threads meet between two places in the text.
  bool meets(const FunctionFacts& function, unsigned from, unsigned to) const {
    const auto places = meetingPlaces(function, facts_);
    return std::any_of(places.begin(), places.end(), [&](clang::SourceLocation place) {
      const auto at = body_.text.positionOf(place);
      return !at || (at->offset > from && at->offset < to);
    });
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
    return llvm::isa<clang::IntegerLiteral>(e);
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
    if (!isRead(parent, element))
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
    // An operator or a function that takes the value, or a copy of it.
    const auto* copy = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(parent);
    if (copy)
      return copy->getConstructor()->isCopyOrMoveConstructor();
    const auto* call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(parent);
    return call && call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2 &&
           isTrivialAssignment(call) && call->getArg(1)->IgnoreParenImpCasts() == element;
  }
  /// `float4 v[6];`, without values.
  bool declare() {
    const clang::DeclStmt* s = local_.statement;
    const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(variable_->getInit());
    if (!s || !s->isSingleDecl() || s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID() ||
        !llvm::isa_and_nonnull<clang::CompoundStmt>(parents_.getParent(s)) ||
        variable_->isStaticLocal() || variable_->isConstexpr() || variable_->hasAttrs() ||
        (variable_->getInit() && !(made && made->getConstructor()->isTrivial())))
      return false;
    const auto range = body_.text.rangeOf(s->getSourceRange());
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
      out += (out.empty() ? "" : " ") +
             declarationOf(part->getType(), body_.unit.context(), partName(part)) + sizes.str() +
             ";";
    }
    edits_[range->begin] = {range->end, out};
    return body_.text.buffer(file_)[range->end - 1] == ';';
  }

  const PlainBody& body_;
  const Facts& facts_;
  const clang::ParentMap& parents_;
  const LocalVariable& local_;
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
      ArrayParting(body, facts, local, partsOf(element), element).run(names, function);
  }
}

} // namespace cu2cpp
