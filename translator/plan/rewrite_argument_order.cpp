// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translations that only compilers read: arguments of calls in host functions are evaluated from
// right to left, as by nvcc's host compiler, where their order shows. clang++ begins at the left,
// as nvcc does in device code.
//
//   make_float2(random(), random())
//     ->  __extension__({ auto cuArgument1 = random(); make_float2(random(), cuArgument1); })
#include "parse/syntax_visitor.h"
#include "plan/rewrites.h"

#include <map>

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

namespace cu2cpp {
namespace {

/// Whether functions change what others see.
class Effects {
public:
  explicit Effects(const SourceUnit& unit) : unit_(unit) {}
  bool of(const clang::FunctionDecl* function);
  bool of(const clang::Stmt* s, const clang::DeclContext* owner);

private:
  bool ofForeign(const clang::FunctionDecl* function) const;

  const SourceUnit& unit_;
  std::map<const clang::FunctionDecl*, bool> known_;
};

/// What an expression or a body does to variables that are not `owner`'s own.
class EffectFinder : public SyntaxVisitor {
public:
  EffectFinder(Effects& effects, const clang::DeclContext* owner)
      : effects_(effects), owner_(owner) {}
  bool found = false;

  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; } // runs where it is called
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    found |= op->isIncrementDecrementOp() && !isOwn(op->getSubExpr());
    return !found;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    found |= op->isAssignmentOp() && !isOwn(op->getLHS());
    return !found;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    found |= !callee || effects_.of(callee);
    return !found;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* call) override {
    const clang::CXXConstructorDecl* callee = call->getConstructor();
    found |= !callee->isTrivial() && !callee->isImplicit() && effects_.of(callee);
    return !found;
  }

private:
  /// Whether an lvalue is a variable of the function itself, or a part of one.
  bool isOwn(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
      return !member->isArrow() && isOwn(member->getBase());
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
      return element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType() &&
             isOwn(element->getBase());
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return variable && owner_ && variable->hasLocalStorage() &&
           !variable->getType()->isReferenceType() && variable->getDeclContext() == owner_;
  }

  Effects& effects_;
  const clang::DeclContext* owner_;
};

bool Effects::of(const clang::Stmt* s, const clang::DeclContext* owner) {
  EffectFinder finder(*this, owner);
  finder.TraverseStmt(const_cast<clang::Stmt*>(s));
  return finder.found;
}

bool Effects::of(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* definition = nullptr;
  if (!unit_.isUser(function->getLocation()) || !function->hasBody(definition))
    return ofForeign(function);
  const auto [at, isNew] = known_.emplace(definition, false);
  if (!isNew)
    return at->second; // or it calls itself, which adds nothing
  const bool found = of(definition->getBody(), definition);
  return known_[definition] = found;
}

/// Functions of libraries show by their signatures whether they change anything.
bool Effects::ofForeign(const clang::FunctionDecl* function) const {
  static const llvm::StringSet<> views = {"at",  "back", "begin", "c_str", "data",
                                          "end", "find", "front", "get",   "value"};
  if (function->isConstexpr() || function->hasAttr<clang::ConstAttr>() ||
      function->hasAttr<clang::PureAttr>())
    return false;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
      method && method->isInstance()) {
    const clang::OverloadedOperatorKind op = method->getOverloadedOperator();
    const bool isView = op == clang::OO_Subscript || op == clang::OO_Star ||
                        op == clang::OO_Arrow ||
                        (method->getIdentifier() && views.contains(method->getName()));
    return !method->isConst() && !isView && !llvm::isa<clang::CXXConstructorDecl>(method);
  }
  if (function->isVariadic() || function->getNumParams() == 0)
    return true;
  return llvm::any_of(function->parameters(), [](const clang::ParmVarDecl* parameter) {
    const clang::QualType type = parameter->getType();
    return (type->isPointerType() || type->isLValueReferenceType()) &&
           !type->getPointeeType().isConstQualified();
  });
}

/// Whether an expression reads memory that others may change, or makes an object that must live
/// on until the call has been made.
class Reading : public SyntaxVisitor {
public:
  bool reads = false, makesObjects = false;

  bool TraverseLambdaExpr(clang::LambdaExpr*) override {
    makesObjects = true;
    return true;
  }
  bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr*) override {
    makesObjects = true;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    reads |= !callee || !callee->hasAttr<clang::ConstAttr>();
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() != clang::CK_LValueToRValue ||
        cast->getSubExpr()->getType().isConstQualified())
      return true;
    const clang::Expr* from = cast->getSubExpr()->IgnoreParens();
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(from)) {
      if (member->isArrow())
        break;
      from = member->getBase()->IgnoreParens();
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(from);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    reads |= !variable || !variable->hasLocalStorage();
    return true;
  }
};

/// Rewrites calls, what stands inside of others first.
class Calls : public SyntaxVisitor {
public:
  Calls(Plan& plan, Effects& effects) : plan_(plan), effects_(effects) {}

  bool TraverseCUDAKernelCallExpr(clang::CUDAKernelCallExpr*) override { return true; }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    return lambda->getCallOperator()->hasAttr<clang::CUDADeviceAttr>() ||
           SyntaxVisitor::TraverseLambdaExpr(lambda);
  }
  bool TraverseCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) override {
    SyntaxVisitor::TraverseCXXOperatorCallExpr(call);
    if (call->getOperator() == clang::OO_Call) // others have an order of their own
      order(call, 1);
    return true;
  }
  bool TraverseCallExpr(clang::CallExpr* call) override {
    SyntaxVisitor::TraverseCallExpr(call);
    order(call, 0);
    return true;
  }
  bool TraverseCXXMemberCallExpr(clang::CXXMemberCallExpr* call) override {
    SyntaxVisitor::TraverseCXXMemberCallExpr(call);
    order(call, 0);
    return true;
  }
  bool TraverseCXXTemporaryObjectExpr(clang::CXXTemporaryObjectExpr* call) override {
    SyntaxVisitor::TraverseCXXTemporaryObjectExpr(call);
    if (!call->isListInitialization())
      order(call, 0);
    return true;
  }

  void giveEdits() const {
    for (const auto& [begin, change] : changes_)
      plan_.edits.replace({plan_.unit.mainFile(), begin, change.first}, change.second, true);
  }

private:
  /// Rewrites a call where the order of its arguments shows and they may be taken apart.
  template <class Call> void order(const Call* call, unsigned first) {
    if (call->isTypeDependent() || call->isGLValue() || call->getBeginLoc().isMacroID() ||
        call->getEndLoc().isMacroID() ||
        !(call->getType()->isVoidType() ||
          call->getType().isTriviallyCopyableType(plan_.unit.context())))
      return;
    std::vector<const clang::Expr*> ordered;
    bool changes = false;
    for (unsigned i = first; i < call->getNumArgs(); ++i) {
      const clang::Expr* argument = call->getArg(i);
      if (argument->isDefaultArgument())
        continue;
      Reading reading;
      reading.TraverseStmt(const_cast<clang::Expr*>(argument));
      if (reading.makesObjects)
        return;
      const bool hasEffects = effects_.of(argument, nullptr);
      changes |= hasEffects;
      const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(argument);
      const clang::Expr* value = made ? made->getSubExpr() : argument;
      if (!hasEffects && !reading.reads)
        continue;
      if (value->isPRValue() && value->getType()->isScalarType())
        ordered.push_back(value->IgnoreImplicit());
      else if (hasEffects)
        return;
    }
    if (changes && ordered.size() > 1)
      rewrite(call, ordered);
  }

  void rewrite(const clang::Expr* call, const std::vector<const clang::Expr*>& ordered) {
    const auto whole = plan_.text.rangeOf(call->getSourceRange());
    if (!whole || whole->file != plan_.unit.mainFile() || isChanged(*whole))
      return;
    const llvm::StringRef text = plan_.text.buffer(whole->file);
    std::vector<FileRange> ranges;
    for (const clang::Expr* argument : ordered) {
      const auto range = rangeIn(call, argument);
      if (!range || range->file != whole->file || range->begin <= whole->begin ||
          range->end >= whole->end || text.slice(range->begin, range->end).contains('\n'))
        return;
      // Neither more nor less than an argument.
      const llvm::StringRef before = text.slice(whole->begin, range->begin).rtrim(),
                            after = text.slice(range->end, whole->end).ltrim();
      if (!(before.ends_with("(") || before.ends_with(",")) ||
          !(after.starts_with(")") || after.starts_with(",")) ||
          (!ranges.empty() && range->begin < ranges.back().end))
        return;
      ranges.push_back(*range);
    }
    std::string head = "__extension__({ ";
    for (std::size_t i = ranges.size() - 1; i > 0; --i) {
      const std::string name = "cuArgument" + std::to_string(i);
      head += "auto " + name + " = " + taken(text, ranges[i]) + "; ";
      changes_[ranges[i].begin] = {ranges[i].end, name};
    }
    auto& [end, before] = changes_.emplace(whole->begin, std::pair(whole->begin, "")).first->second;
    before = head + before;
    changes_[whole->end] = {whole->end, "; })"};
  }
  /// Where an argument stands that may be a macro's name.
  std::optional<FileRange> rangeIn(const clang::Expr* call, const clang::Expr* argument) const {
    const auto begin =
        plan_.text.positionOf(plan_.text.lift(argument->getBeginLoc(), call->getBeginLoc()));
    const auto end =
        plan_.text.endOf(plan_.text.lift(argument->getEndLoc(), call->getBeginLoc(), true));
    if (!begin || !end || begin->file != end->file || begin->offset >= end->offset)
      return std::nullopt;
    return FileRange{begin->file, begin->offset, end->offset};
  }
  /// The text of an argument with the changes inside of it, which it takes along.
  std::string taken(llvm::StringRef text, const FileRange& range) {
    std::string out;
    unsigned at = range.begin;
    auto change = changes_.lower_bound(range.begin);
    while (change != changes_.end() && change->second.first <= range.end) {
      out += text.slice(at, change->first).str() + change->second.second;
      at = change->second.first;
      change = changes_.erase(change);
    }
    return out + text.slice(at, range.end).str();
  }
  /// Whether another rewrite changes a part of a text.
  bool isChanged(const FileRange& range) const {
    const auto found = plan_.edits.byFile().find(range.file);
    return found != plan_.edits.byFile().end() &&
           llvm::any_of(found->second, [&](const Edit& edit) {
             return edit.begin < range.end && edit.end > range.begin;
           });
  }

  Plan& plan_;
  Effects& effects_;
  /// By where they begin: where they end, and the new text.
  std::map<unsigned, std::pair<unsigned, std::string>> changes_;
};

} // namespace

void rewriteArgumentOrder(Plan& plan) {
  if (!plan.options.lineDirectives)
    return;
  Effects effects(plan.unit);
  for (const auto& [place, function] : plan.facts.functions)
    if (function.host && !function.device && function.decl && !place.isMacroID() &&
        function.decl->getBody() && plan.unit.isUser(place)) {
      Calls calls(plan, effects);
      calls.TraverseStmt(function.decl->getBody());
      calls.giveEdits();
    }
}

} // namespace cu2cpp
