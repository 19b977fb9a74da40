// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure of numbers that threads keep through loops or collectives becomes its parts:
//
//   Sums mine = none();              const Sums cuNew_mine = none(); float mine_a = cuNew_mine.a;
//   ... for (...) {                      for (...) {
//     mine.a += x;             ->      mine_a += x;
//     mine = sum(mine, in[i]);         { const Sums cuNew_mine = sum(Sums{mine_a, mine_b}, in[i]);
//   }                                    mine_a = cuNew_mine.a; mine_b = cuNew_mine.b; }
//   out[t] = mine;                   } out[t] = Sums{mine_a, mine_b};
//
// Structures with constructors and operators become theirs too, where operators and methods leave
// the object as it is or stand alone:
//
//   Complex z(x, y);                 float z_re = x; float z_im = y;
//   while (z.norm() < 4) {           while (Complex(z_re, z_im).norm() < 4) {
//     z += c;                  ->      { Complex cuNew_z = Complex(z_re, z_im); cuNew_z += c;
//   }                                    z_re = cuNew_z.re; z_im = cuNew_z.im; }
//                                    }
//
// So do those that a call of its own changes through a reference or pointer:
//
//   add(sums, x, &mine);      ->     { Sums cuNew_mine = Sums{mine_a, mine_b};
//                                      add(sums, x, &cuNew_mine); mine_a = cuNew_mine.a; ... }
//
// An element of an array in it is a part if all elements are named by numbers: `s.v[1]`, `s_v_1`.
//
// What is kept for each thread then is a row of numbers for each part, and neighbouring threads'
// numbers are neighbours in memory.
#include "analyse/plain_body.h"
#include "analyse/pure_functions.h"

#include <algorithm>
#include <iterator>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include "analyse/instance_calls.h"
#include "analyse/marks.h"
#include "analyse/meeting_places.h"
#include "analyse/plain_lambdas.h"
#include "analyse/plain_structures.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

/// All names of variables and functions in a body.
class Names : public SyntaxVisitor {
public:
  std::set<std::string> names;
  bool VisitNamedDecl(clang::NamedDecl* decl) override { return add(decl); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override { return add(use->getDecl()); }

private:
  bool add(const clang::NamedDecl* decl) {
    names.insert(decl->getNameAsString());
    return true;
  }
};

/// Whether nothing but the object changes that a method is called of, or that a function takes
/// first, and no pointer to it is left anywhere.
bool changesObjectOnly(const clang::FunctionDecl* function) {
  class Body : public SyntaxVisitor {
  public:
    bool fits = true;
    bool VisitExpr(clang::Expr* e) override {
      return fits = fits && (llvm::isa<clang::CXXThisExpr>(e->IgnoreParenImpCasts()) ||
                             !e->getType()->isPointerType() ||
                             e->getType()->getPointeeType()->isFunctionType());
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      for (const clang::Expr* argument : call->arguments())
        fits &= !argument->getType()->isPointerType();
      return fits;
    }
    bool VisitLambdaExpr(clang::LambdaExpr*) override { return fits = false; }
    bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return fits = false; }
  } body;
  const clang::FunctionDecl* definition = nullptr;
  if (!function || !function->hasBody(definition))
    return false;
  body.TraverseStmt(definition->getBody());
  return body.fits;
}

/// Whether all that a const method does with its object is to load its parts: it may change what it
/// gets by reference, but not the object, and gives no way to reach that.
class LoadsParts : public SyntaxVisitor {
public:
  static bool of(const clang::FunctionDecl* function, unsigned depth = 0) {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
    const clang::FunctionDecl* definition = nullptr;
    if (depth > 4 || !method || !method->isConst() || method->isVirtual() ||
        !method->hasBody(definition) || definition->isDependentContext())
      return false;
    LoadsParts body;
    body.depth_ = depth;
    body.TraverseStmt(definition->getBody());
    return body.fits_ && body.objects_ == body.loaded_;
  }

  bool VisitCXXThisExpr(clang::CXXThisExpr*) override {
    ++objects_;
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    const auto* member = cast->getCastKind() == clang::CK_LValueToRValue
                             ? llvm::dyn_cast<clang::MemberExpr>(cast->getSubExpr()->IgnoreParens())
                             : nullptr;
    loaded_ += member && isObject(member->getBase());
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    const auto* object = call->getImplicitObjectArgument();
    loaded_ += object && isObject(object) && of(call->getMethodDecl(), depth_ + 1);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return fits_ = false; }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return fits_ = false; }

private:
  static bool isObject(const clang::Expr* e) {
    return llvm::isa<clang::CXXThisExpr>(e->IgnoreParenImpCasts());
  }
  unsigned depth_ = 0;
  unsigned objects_ = 0, loaded_ = 0; ///< all, and those of which a part is loaded
  bool fits_ = true;
};

/// Whether a function leaves no pointer to what it gets by reference, or by a pointer, as one of
/// its parameters.
class KeepsNoPlace : public SyntaxVisitor {
public:
  static bool of(const clang::FunctionDecl* function, unsigned index, unsigned depth = 0) {
    const clang::FunctionDecl* definition = nullptr;
    if (depth > 4 || !function || function->isVariadic() || !function->hasBody(definition) ||
        index >= definition->getNumParams() || function->getReturnType()->isReferenceType() ||
        function->getReturnType()->isPointerType())
      return false;
    KeepsNoPlace body;
    body.place_ = definition->getParamDecl(index);
    body.depth_ = depth;
    body.TraverseStmt(definition->getBody());
    return body.fits_ && body.uses_ == body.reached_;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    uses_ += use->getDecl() == place_;
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const bool ofPlace = isPlace(member->getBase());
    reached_ += ofPlace;
    return fits_ = fits_ && !(ofPlace && member->getType()->isArrayType());
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    reached_ += op->getOpcode() == clang::UO_Deref && isPlace(op->getSubExpr());
    return fits_ = fits_ && op->getOpcode() != clang::UO_AddrOf;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    // `sums = Sums{...}` of a structure in C's sense
    reached_ += op->getOpcode() == clang::BO_Assign && isReference(op->getLHS());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    return fits_ = fits_ && !variable->getType()->isReferenceType();
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* operatorCall = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    const unsigned ofObject = operatorCall && method ? 1 : 0;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const clang::Expr* argument = call->getArg(i);
      const auto* member = llvm::dyn_cast<clang::MemberExpr>(argument->IgnoreParens());
      if (member && isPlace(member->getBase())) // `swap(sums.a, sums.b)`
        fits_ &= of(callee, i - ofObject, depth_ + 1);
      if (!isPlace(argument))
        continue;
      if (i < ofObject)
        reached_ += method->isTrivial();
      else
        reached_ += of(callee, i - ofObject, depth_ + 1);
    }
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    if (made->getConstructor()->isCopyOrMoveConstructor() && made->getConstructor()->isTrivial() &&
        made->getNumArgs() == 1)
      reached_ += isReference(made->getArg(0));
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return fits_ = false; }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return fits_ = false; }

private:
  bool isPlace(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return use && use->getDecl() == place_;
  }
  bool isReference(const clang::Expr* e) const {
    return isPlace(e) && place_->getType()->isReferenceType();
  }

  const clang::ParmVarDecl* place_ = nullptr;
  unsigned depth_ = 0;
  unsigned uses_ = 0, reached_ = 0; ///< all, and those that leave no pointer
  bool fits_ = true;
};

class Parting {
public:
  Parting(const PlainBody& body, const Facts& facts, const LocalVariable& local,
          std::vector<StructurePart> parts)
      : body_(body), facts_(facts), parents_(body.variables.parents()), local_(local),
        variable_(local.decl), parts_(std::move(parts)), name_(local.decl->getNameAsString()),
        type_(local.decl->getType().getUnqualifiedType().getAsString(
            body.unit.context().getPrintingPolicy())) {}

  /// Rewrites all uses, if they can be and it pays: if the variable changes in a loop or is kept
  /// where threads meet, or, `besideOthers`, if a loop reads it. True if it changes in a loop.
  bool run(const std::set<std::string>& taken, const FunctionFacts* facts, bool besideOthers) {
    function_ = facts;
    const auto uses = body_.placesOf(variable_);
    if (!uses || uses->empty() || taken.count("cuNew_" + name_) ||
        llvm::StringRef(name_).starts_with("cuNew_")) // an object in which parts come together
      return false;
    const auto isTaken = [&] {
      return std::any_of(parts_.begin(), parts_.end(),
                         [&](const auto& part) { return taken.count(partName(part)); });
    };
    if (isTaken())
      prefix_ = "cuPart_";
    std::set<std::string> names; // `float v[2], v_0;`
    for (const StructurePart& part : parts_)
      names.insert(partName(part));
    if (isTaken() || names.size() != parts_.size())
      return false;
    file_ = body_.text.positionOf(variable_->getLocation())->file;
    for (const auto& [offset, use] : *uses)
      if (!rewrite(use, offset))
        return false;
    // Its first value may come from where threads meet.
    const auto end = local_.statement ? body_.text.endOf(local_.statement->getEndLoc())
                                      : std::optional<FilePosition>();
    const unsigned declared = end ? end->offset : 0;
    const bool staysTheSame =
        !changes_ && (local_.uniform || llvm::isa<clang::ParmVarDecl>(variable_));
    // What changes an object that is put together would not change what a reference is to.
    if (referred_ && !changed_.empty())
      return false;
    nameObjects();
    const bool pays =
        besideOthers
            ? !changesInLoop_ && !(local_.uniform && facts && facts->kernel) &&
                  std::any_of(uses->begin(), uses->end(),
                              [&](const auto& use) { return isInLoop(use.second); })
            : !staysTheSame && (changesInLoop_ ||
                                (facts && meetsBefore(uses->rbegin()->second, declared,
                                                      {body_.text, parents_}, *facts, facts_)));
    if (!pays || !declare())
      return false;
    body_.put(file_, std::move(edits_), brace_);
    return changesInLoop_;
  }

private:
  std::string partName(const StructurePart& part) const {
    return prefix_ + name_ + "_" + part.field->getNameAsString() +
           (part.element ? "_" + std::to_string(*part.element) : "");
  }
  /// How a part is named in an object: `re`, `v[2]`.
  static std::string memberOf(const StructurePart& part) {
    return part.field->getNameAsString() +
           (part.element ? "[" + std::to_string(*part.element) + "]" : "");
  }
  std::string whole() const {
    const bool list = variable_->getType()->getAsCXXRecordDecl()->isAggregate();
    std::string out = type_ + (list ? "{" : "(");
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const bool first = i == 0 || parts_[i - 1].field != parts_[i].field,
                 last = i + 1 == parts_.size() || parts_[i + 1].field != parts_[i].field;
      out += (i == 0 ? "" : ", ") + std::string(parts_[i].element && first ? "{" : "") +
             partName(parts_[i]) + (parts_[i].element && last ? "}" : "");
    }
    return out + (list ? "}" : ")");
  }
  std::string declared(const StructurePart& part) const {
    return declarationOf(part.type, body_.unit.context(), partName(part));
  }
  std::string assigned(const std::string& from, bool declares) const {
    std::string out;
    for (const StructurePart& part : parts_)
      out += " " + (declares ? declared(part) : partName(part)) +
             (from.empty() ? "" : " = " + from + "." + memberOf(part)) + ";";
    return out;
  }
  const clang::Stmt* parentOf(const clang::Stmt* s) const {
    const clang::Stmt* parent = parents_.getParent(s);
    while (llvm::isa_and_nonnull<clang::ImplicitCastExpr, clang::ExprWithCleanups,
                                 clang::MaterializeTemporaryExpr>(parent))
      parent = parents_.getParent(parent);
    return parent;
  }
  void noteChange(const clang::Stmt* at) {
    changes_ = true;
    changesInLoop_ |= isInLoop(at);
  }
  /// Whether a loop around a use begins behind the variable's declaration.
  bool isInLoop(const clang::Stmt* at) const {
    for (const clang::Stmt* s = parents_.getParent(at); s; s = parents_.getParent(s)) {
      const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s);
      if (s == local_.statement ||
          (list && local_.statement && parents_.getParent(local_.statement) == list))
        return false;
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s))
        return true;
    }
    return false;
  }
  /// Whether a call of a method, or of a function that takes an object first, leaves that as it is
  /// and gives no way to reach it.
  bool leavesObject(const clang::FunctionDecl* function) const {
    return function && !function->getReturnType()->isReferenceType() &&
           !function->getReturnType()->isPointerType() &&
           (isPureFunction(function, facts_) || loadsParts(function));
  }

  /// Whether a method only loads the object's parts, and asks no thread to wait. What it changes by
  /// reference is no part of an object of which there are no references.
  bool loadsParts(const clang::FunctionDecl* function) const {
    const FunctionFacts* known = facts_.find(function);
    return known && !local_.pointed && meetingPlaces(*known, facts_).empty() &&
           LoadsParts::of(function);
  }

  /// Where a statement changes the object, it is the object that stands there: `z *= z` may read
  /// what it has written.
  void nameObjects() {
    for (const auto& [offset, part] : named_)
      for (const auto& [begin, end] : changed_)
        if (offset > begin && offset < end)
          edits_[offset].second = "cuNew_" + name_ + part;
  }

  bool rewrite(const clang::DeclRefExpr* use, unsigned offset) {
    const clang::Stmt* direct = parents_.getParent(use);
    const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(direct);
    if (const auto* member =
            llvm::dyn_cast_or_null<clang::MemberExpr>(cast ? parentOf(use) : direct)) {
      // Where a template does not know the arguments' types it is no call of a member yet.
      const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(parents_.getParent(member));
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
      if (!call || !method || member->isArrow() || call->getCallee()->IgnoreParens() != member)
        return rewritePart(member, offset);
      return leavesObject(method) ? replaceWhole(offset) : rewriteChange(call, method, offset);
    }
    const clang::Stmt* parent = parentOf(use);
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
    const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(parent);
    const auto* operatorCall = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(parent);
    if (op && op->getOpcode() == clang::BO_Assign)
      return op->getLHS()->IgnoreParenImpCasts() == use
                 ? rewriteAssignment(op, op->getOperatorLoc(), offset)
                 : replaceWhole(offset);
    if (operatorCall && operatorCall->getOperator() == clang::OO_Equal &&
        operatorCall->getArg(0)->IgnoreParenImpCasts() == use)
      return isTrivialAssignment(operatorCall) &&
             rewriteAssignment(operatorCall, operatorCall->getOperatorLoc(), offset);
    if (operatorCall && operatorCall->getArg(0)->IgnoreParenImpCasts() == use) {
      const clang::FunctionDecl* callee = operatorCall->getDirectCallee();
      const bool value =
          callee && (llvm::isa<clang::CXXMethodDecl>(callee) ? leavesObject(callee)
                                                             : takesValue(operatorCall, use));
      return value ? replaceWhole(offset) : rewriteChange(operatorCall, callee, offset);
    }
    if (const auto* copy = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(parent))
      return copy->getConstructor()->isCopyOrMoveConstructor() && replaceWhole(offset);
    if (llvm::isa_and_nonnull<clang::ReturnStmt>(parent))
      return replaceWhole(offset);
    if (call && takesValue(call, use))
      return replaceWhole(offset);
    const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
    const clang::Expr* passed = use;
    if (address && address->getOpcode() == clang::UO_AddrOf) {
      passed = address;
      call = llvm::dyn_cast_or_null<clang::CallExpr>(parentOf(address));
    }
    return call && !llvm::isa<clang::CXXOperatorCallExpr>(call) &&
           rewritePassed(call, passed, offset);
  }
  /// `add(x, v);` or `add(x, &v);`, a statement of its own that may change the variable.
  bool rewritePassed(const clang::CallExpr* call, const clang::Expr* passed, unsigned offset) {
    const auto range = body_.text.rangeOf(call->getSourceRange());
    const auto name = body_.text.endOf(call->getBeginLoc());
    const auto semicolon =
        range ? body_.behindStatement(call, {file_, range->begin}) : std::nullopt;
    if (!semicolon || !name || call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID())
      return false;
    for (unsigned i = 0; i < call->getNumArgs(); ++i)
      if (call->getArg(i)->IgnoreParenImpCasts() == passed &&
          !allCallees(call, [&](const auto* callee) { return KeepsNoPlace::of(callee, i); }))
        return false;
    // The name is replaced too: two variables in one call are two rounds.
    if (edits_.count(range->begin))
      return false;
    edits_[range->begin] = {name->offset,
                            "{ " + type_ + " cuNew_" + name_ + " = " + whole() + "; " +
                                body_.text.buffer(file_).slice(range->begin, name->offset).str()};
    edits_[offset] = {offset + unsigned(name_.size()), "cuNew_" + name_};
    edits_[*semicolon - 1] = {*semicolon, ";" + assigned("cuNew_" + name_, false) + " }"};
    changed_[range->begin] = *semicolon;
    noteChange(call);
    return true;
  }
  bool rewritePart(const clang::MemberExpr* member, unsigned offset) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field && field->getType()->isArrayType())
      return rewriteElement(member, field, offset);
    const auto end = body_.text.endOf(member->getMemberLoc());
    const clang::Stmt* parent = parentOf(member);
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
    if (!field || member->isArrow() || member->getMemberLoc().isMacroID() || !end ||
        end->file != file_ || (step && step->getOpcode() == clang::UO_AddrOf))
      return false;
    noteChangeOf(member);
    referred_ |= isReferredTo(member);
    edits_[offset] = {end->offset, partName({field, std::nullopt, field->getType()})};
    named_[offset] = "." + field->getNameAsString();
    return true;
  }
  /// `s.v[1]`, of which the value is asked for, or which a statement changes: of a place among
  /// others more might come.
  bool rewriteElement(const clang::MemberExpr* member, const clang::FieldDecl* field,
                      unsigned offset) {
    const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(parentOf(member));
    if (!element || member->isArrow() || element->getLHS()->IgnoreImpCasts() != member ||
        element->getRBracketLoc().isMacroID() || !isValueOrChange(element))
      return false;
    const auto at = constantOf(element->getIdx(), body_.unit.context());
    const auto part = std::find_if(parts_.begin(), parts_.end(), [&](const StructurePart& one) {
      return one.field->getFieldIndex() == field->getFieldIndex() && at && *at >= 0 &&
             one.element == std::uint64_t(*at);
    });
    const auto end = body_.text.endOf(element->getRBracketLoc());
    if (part == parts_.end() || !end || end->file != file_ || end->offset <= offset)
      return false;
    noteChangeOf(element);
    edits_[offset] = {end->offset, withLinesOf(body_.text.buffer(file_).slice(offset, end->offset),
                                               partName(*part))};
    named_[offset] = "." + memberOf(*part);
    return true;
  }
  bool isValueOrChange(const clang::Expr* element) const {
    const clang::Stmt* parent = parents_.getParent(element);
    if (const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parent))
      return cast->getCastKind() == clang::CK_LValueToRValue;
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
    return ((op && op->isAssignmentOp() && op->getLHS() == element) ||
            (step && step->isIncrementDecrementOp())) &&
           !llvm::isa_and_nonnull<clang::Expr, clang::DeclStmt>(parents_.getParent(parent));
  }
  void noteChangeOf(const clang::Expr* part) {
    const clang::Stmt* parent = parentOf(part);
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
    const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
    if ((op && op->isAssignmentOp() && op->getLHS()->IgnoreParens() == part) ||
        (step && step->isIncrementDecrementOp()))
      noteChange(part);
  }
  /// Whether a declaration may keep a reference to a part: `float& x = v.x;`.
  bool isReferredTo(const clang::MemberExpr* member) const {
    const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parents_.getParent(member));
    if (cast && cast->getCastKind() == clang::CK_LValueToRValue)
      return false;
    for (const clang::Stmt* s = parents_.getParent(member); s; s = parents_.getParent(s)) {
      if (llvm::isa<clang::CompoundStmt>(s))
        return false;
      const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s);
      if (!declared)
        continue;
      return std::any_of(declared->decl_begin(), declared->decl_end(), [](const auto* decl) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        const clang::QualType type = variable ? variable->getType() : clang::QualType();
        return variable && (type->isReferenceType() || (!type->isDependentType() &&
                                                        type->isRecordType() && !isOfValues(type)));
      });
    }
    return false;
  }
  /// `v = value;`, a statement of its own.
  bool rewriteAssignment(const clang::Expr* assignment, clang::SourceLocation equals,
                         unsigned offset) {
    const auto behind = body_.text.endOf(equals);
    const auto semicolon = body_.behindStatement(assignment, {file_, offset});
    if (!behind || !semicolon || equals.isMacroID())
      return false;
    edits_[offset] = {behind->offset, "{ const " + type_ + " cuNew_" + name_ + " ="};
    edits_[*semicolon - 1] = {*semicolon, ";" + assigned("cuNew_" + name_, false) + " }"};
    noteChange(assignment);
    return true;
  }
  /// `v += value;` or `v.turn(angle);`, a statement of its own.
  bool rewriteChange(const clang::Expr* change, const clang::FunctionDecl* function,
                     unsigned offset) {
    const auto semicolon = body_.behindStatement(change, {file_, offset});
    // (An object of which threads ask for a barrier stays one.)
    const FunctionFacts* known = function ? facts_.find(function) : nullptr;
    if (!semicolon || !changesObjectOnly(function) ||
        (known && !meetingPlaces(*known, facts_).empty()))
      return false;
    edits_[offset] = {offset + unsigned(name_.size()),
                      "{ " + type_ + " cuNew_" + name_ + " = " + whole() + "; cuNew_" + name_};
    edits_[*semicolon - 1] = {*semicolon, ";" + assigned("cuNew_" + name_, false) + " }"};
    changed_[offset] = *semicolon;
    noteChange(change);
    return true;
  }
  static bool isTrivialAssignment(const clang::CallExpr* call) {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getCalleeDecl());
    return method && method->isTrivial();
  }
  /// Whether what a call may reach is known and fits. In a template its instances know it.
  template <class Fits> bool allCallees(const clang::CallExpr* call, Fits&& fits) const {
    std::vector<const clang::FunctionDecl*> all;
    if (function_)
      all = calleesOf(call, *function_);
    else if (const clang::FunctionDecl* callee = call->getDirectCallee())
      all = {callee};
    return !all.empty() && std::all_of(all.begin(), all.end(), fits);
  }
  /// Whether a call takes the variable's value and not the variable.
  bool takesValue(const clang::CallExpr* call, const clang::DeclRefExpr* use) const {
    // What a function returns by reference may be what it takes.
    const auto range = body_.text.rangeOf(call->getSourceRange());
    const bool isDropped = range && body_.behindStatement(call, {file_, range->begin});
    return allCallees(call, [&](const auto* callee) {
      return (isDropped || !callee->getReturnType()->isReferenceType() ||
              isTrivialAssignment(call)) &&
             takesValue(callee, call, use);
    });
  }
  static bool takesValue(const clang::FunctionDecl* callee, const clang::CallExpr* call,
                         const clang::DeclRefExpr* use) {
    const bool method =
        llvm::isa<clang::CXXMethodDecl>(callee) && llvm::isa<clang::CXXOperatorCallExpr>(call);
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const clang::Expr* argument = call->getArg(i);
      while (const auto* cast = llvm::dyn_cast<clang::CastExpr>(argument))
        argument = cast->getSubExpr();
      if (argument != use)
        continue;
      if (method && i == 0)
        return false;
      const unsigned index = method ? i - 1 : i;
      if (index >= callee->getNumParams())
        return false;
      const clang::QualType type = callee->getParamDecl(index)->getType();
      return type->isLValueReferenceType() ? type->getPointeeType().isConstQualified()
                                           : !type->isReferenceType();
    }
    return false;
  }
  bool replaceWhole(unsigned offset) {
    edits_[offset] = {offset + unsigned(name_.size()), whole()};
    named_[offset] = "";
    return true;
  }
  bool declare() {
    if (llvm::isa<clang::ParmVarDecl>(variable_)) {
      const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body_.function->getBody());
      const auto open = list ? body_.text.endOf(list->getLBracLoc()) : std::nullopt;
      if (!open || open->file != file_ || list->getLBracLoc().isMacroID() ||
          edits_.count(open->offset - 1))
        return false;
      // The brace itself is replaced: two parameters may do so.
      brace_ = open->offset - 1;
      const auto& all = body_.changes[file_];
      const auto found = all.find(*brace_);
      const std::string before = found == all.end() ? "{" : found->second.second;
      edits_[*brace_] = {open->offset, before + assigned(name_, true)};
      return true;
    }
    const clang::DeclStmt* s = local_.statement;
    if (!s || !s->isSingleDecl() || s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID() ||
        !llvm::isa_and_nonnull<clang::CompoundStmt>(parents_.getParent(s)) ||
        variable_->isStaticLocal() || variable_->isConstexpr() || variable_->hasAttrs())
      return false;
    const auto range = body_.text.rangeOf(s->getSourceRange());
    const auto name = body_.text.endOf(variable_->getLocation());
    if (!range || !name || range->file != file_ || name->file != file_ ||
        body_.text.buffer(file_)[range->end - 1] != ';')
      return false;
    const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(variable_->getInit());
    if (made && storesParts(made->getConstructor()) &&
        std::none_of(made->arg_begin(), made->arg_end(), [](const clang::Expr* argument) {
          return llvm::isa<clang::CXXDefaultArgExpr>(argument);
        }))
      return declareStored(made, *range);
    if (variable_->getEndLoc() == variable_->getLocation() &&
        (!made || made->getConstructor()->isTrivial())) {
      edits_[range->begin] = {range->end, assigned("", true).substr(1)};
      return true;
    }
    // (What no constructor says must not be constant without a value.)
    const bool byDefault =
        made && made->getNumArgs() == 0 && !made->getConstructor()->isUserProvided();
    edits_[range->begin] = {name->offset, assigned("", true).substr(1) +
                                              (byDefault ? " { " : " { const ") + type_ +
                                              " cuNew_" + name_};
    edits_[range->end - 1] = {range->end, ";" + assigned("cuNew_" + name_, false) + " }"};
    return true;
  }

  /// `Complex z(x, y);`
  bool declareStored(const clang::CXXConstructExpr* made, const FileRange& range) {
    unsigned from = range.begin;
    std::string before;
    for (unsigned i = 0; i < made->getNumArgs(); ++i) {
      const auto argument = body_.text.rangeOf(made->getArg(i)->getSourceRange());
      if (!argument || argument->file != file_ || argument->begin <= from ||
          argument->end >= range.end)
        return false;
      std::string declaration = declared(parts_[i]);
      const llvm::StringRef between = body_.text.buffer(file_).slice(from, argument->begin);
      declaration += " =" + std::string(between.count('\n'), '\n') + " ";
      edits_[from] = {argument->begin, before + declaration};
      from = argument->end;
      before = "; ";
    }
    const llvm::StringRef rest = body_.text.buffer(file_).slice(from, range.end);
    edits_[from] = {range.end, ";" + std::string(rest.count('\n'), '\n')};
    return true;
  }

  const PlainBody& body_;
  const Facts& facts_;
  const clang::ParentMap& parents_;
  const LocalVariable& local_;
  const clang::VarDecl* variable_;
  const std::vector<StructurePart> parts_;
  const std::string name_, type_;
  const FunctionFacts* function_ = nullptr; ///< the body's, if anything is known of it
  std::string prefix_;
  std::string file_;
  std::map<unsigned, std::pair<unsigned, std::string>> edits_;
  std::map<unsigned, std::string> named_; ///< uses of the object or of a part: "", ".re"
  std::map<unsigned, unsigned> changed_;  ///< statements that change the object: begin, end
  std::optional<unsigned> brace_;
  bool changes_ = false, changesInLoop_ = false;
  bool referred_ = false; ///< something may keep a reference to a part
};

} // namespace

void partStructures(const PlainBody& body, const Facts& all, const FunctionFacts* facts) {
  Names names;
  names.TraverseStmt(body.function->getBody());
  for (const clang::ParmVarDecl* parameter : body.function->parameters())
    names.names.insert(parameter->getNameAsString());
  // Another one may have become its parts in an earlier round: `step(a, b);` takes two.
  bool changeInLoops = llvm::any_of(names.names, [](const std::string& name) {
    return llvm::StringRef(name).starts_with("cuNew_");
  });
  const std::set<const clang::VarDecl*> ofLambdas = namedInLambdas(body);
  for (const bool besideOthers : {false, true}) {
    if (besideOthers && !changeInLoops)
      break;
    for (const auto& [variable, local] : body.variables.variables()) {
      const auto parts = scalarsOf(variable->getType());
      if (!parts.empty() && variable->hasLocalStorage() && !isShared(variable) &&
          !ofLambdas.count(variable))
        changeInLoops |= Parting(body, all, local, parts).run(names.names, facts, besideOthers);
    }
  }
}

} // namespace cu2cpp
