// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over the user's declarations, template instances included: calls in a template are only
// resolved there.
#include "analyse/analyses.h"

#include <algorithm>

#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"

#include "analyse/marks.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

class FunctionVisitor : public SyntaxVisitor {
public:
  FunctionVisitor(const SourceUnit& unit, Facts& facts) : unit_(unit), facts_(facts) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return false; }

  bool TraverseDecl(clang::Decl* decl) override {
    if (!decl)
      return true;
    // The system's declarations hold no device code, ours carry marks.
    if (!unit_.mayHoldUserCode(decl))
      return true;
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (!function)
      return SyntaxVisitor::TraverseDecl(decl);
    noteDeclaration(function);
    if (!function->isThisDeclarationADefinition())
      return SyntaxVisitor::TraverseDecl(decl);
    Frame frame{enter(function, functionIsDevice(function)), function};
    frames_.push_back(frame);
    const bool more = SyntaxVisitor::TraverseDecl(decl);
    frames_.pop_back();
    return more;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    const bool enclosingDevice = !frames_.empty() && frames_.back().facts->device;
    // A lambda with a capture default sees the built-in variables of the function around it, which
    // translated code declares as locals there.
    if (enclosingDevice && lambda->getCaptureDefault() != clang::LCD_None)
      return SyntaxVisitor::TraverseLambdaExpr(lambda);
    const clang::FunctionDecl* body = lambda->getCallOperator();
    frames_.push_back({enter(body, enclosingDevice || hasMark(body, "device")), body});
    const bool more = SyntaxVisitor::TraverseLambdaExpr(lambda);
    frames_.pop_back();
    return more;
  }

  /// `template <> void fold<warpSum>(...)` does not call what its own arguments name.
  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc& argument) override {
    const auto* own =
        frames_.empty() ? nullptr : frames_.back().body->getTemplateSpecializationArgsAsWritten();
    for (unsigned i = 0; own && i < own->arguments().size(); ++i)
      if (&own->arguments()[i] == &argument)
        return true;
    return SyntaxVisitor::TraverseTemplateArgumentLoc(argument);
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (hasMark(variable, "builtin") || variable->getTemplateInstantiationPattern())
      return true;
    if (isShared(variable)) {
      if (variable->isFileVarDecl() && !variable->isLocalExternDecl())
        facts_.namespaceShared.push_back(variable);
    } else if (hasMark(variable, "device") || hasMark(variable, "constant") ||
               hasMark(variable, "managed")) {
      facts_.deviceVariables.push_back(variable);
    }
    return true;
  }

  bool VisitDeclStmt(clang::DeclStmt* statement) override {
    if (frames_.empty() || inInstance())
      return true;
    for (const clang::Decl* decl : statement->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || !isShared(variable))
        continue;
      SharedVariable shared;
      shared.decl = variable;
      shared.statement = statement;
      shared.dynamic = isDynamicShared(variable);
      shared.loneDeclaration = statement->isSingleDecl();
      frames_.back().facts->shared.push_back(shared);
    }
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    noteUnsupported(use->getDecl(), use->getLocation());
    if (frames_.empty())
      return true;
    FunctionFacts& facts = *frames_.back().facts;
    if (const unsigned builtin = builtinOf(use->getDecl())) {
      facts.builtins |= builtin;
      if (!inInstance()) {
        facts.builtinUses.push_back(use);
        if (use->hasQualifier())
          facts.qualifiedUses.push_back(use);
      }
      return true;
    }
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl())) {
      if (isShared(variable) && variable->isFileVarDecl() && !variable->isLocalExternDecl()) {
        auto& used = facts.namespaceShared;
        if (use->hasQualifier() && !inInstance())
          facts.qualifiedUses.push_back(use);
        const auto* first = variable->getCanonicalDecl();
        if (std::find(used.begin(), used.end(), first) == used.end())
          used.push_back(first);
      }
    } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(use->getDecl())) {
      // Called here or passed on to be called: either way this function may end up in it.
      noteCall(function, use->getLocation());
      if (facts.device && !inInstance() && isHeapFunction(*function))
        facts_.heapFunctions.push_back(use);
      if (function->getBuiltinID() == clang::Builtin::BI__builtin_alloca ||
          function->getBuiltinID() == clang::Builtin::BIalloca)
        facts.allocaAt = use->getLocation();
    }
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl())) {
      noteUnsupported(method, member->getMemberLoc());
      if (!frames_.empty()) {
        noteCall(method, member->getMemberLoc());
        if (method->isVirtual())
          frames_.back().facts->indirectCalls = true;
      }
    }
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) override {
    if (!frames_.empty())
      noteCall(construct->getConstructor(), construct->getLocation());
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    // What a template's parameter is, its instances know.
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (!frames_.empty() && !call->getDirectCallee() && !call->isTypeDependent() &&
        !(use && llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl())) &&
        !llvm::isa<clang::CXXPseudoDestructorExpr>(call->getCallee()->IgnoreParens()))
      frames_.back().facts->indirectCalls = true;
    return true;
  }

  /// A loop over a range calls what its text doesn't name: begin(), end() and an iterator's
  /// operators.
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) override {
    if (!frames_.empty())
      for (const clang::Stmt* part : {static_cast<const clang::Stmt*>(loop->getBeginStmt()),
                                      static_cast<const clang::Stmt*>(loop->getEndStmt()),
                                      static_cast<const clang::Stmt*>(loop->getCond()),
                                      static_cast<const clang::Stmt*>(loop->getInc()),
                                      static_cast<const clang::Stmt*>(loop->getLoopVarStmt())})
        noteHiddenCalls(part);
    return true;
  }

  bool VisitOverloadExpr(clang::OverloadExpr* overloads) override {
    if (frames_.empty())
      return true;
    for (const clang::NamedDecl* candidate : overloads->decls()) {
      if (const auto* shadow = llvm::dyn_cast<clang::UsingShadowDecl>(candidate))
        candidate = shadow->getTargetDecl();
      if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(candidate))
        candidate = pattern->getTemplatedDecl();
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(candidate))
        noteCall(function, overloads->getNameLoc(), true);
    }
    return true;
  }

  bool VisitGCCAsmStmt(clang::GCCAsmStmt* assembly) override {
    if (!frames_.empty() && frames_.back().facts->device && !inInstance())
      frames_.back().facts->assembly.push_back(assembly);
    return true;
  }

private:
  struct Frame {
    FunctionFacts* facts;
    const clang::FunctionDecl* body;
  };

  /// Whether the walk is inside a template's instance: text is edited once, in the pattern.
  bool inInstance() const {
    return !frames_.empty() && std::any_of(frames_.begin(), frames_.end(), [](const Frame& f) {
      return f.body->isTemplateInstantiation() || f.body->getTemplateInstantiationPattern();
    });
  }

  static bool isHeapFunction(const clang::FunctionDecl& function) {
    const clang::IdentifierInfo* name = function.getIdentifier();
    return name && function.isExternC() &&
           (name->isStr("malloc") || name->isStr("calloc") || name->isStr("free"));
  }

  static bool functionIsDevice(const clang::FunctionDecl* function) {
    return function->hasAttr<clang::CUDAGlobalAttr>() || hasMark(function, "device");
  }

  FunctionFacts* enter(const clang::FunctionDecl* function, bool device) {
    FunctionFacts& facts = facts_.functions[definitionOf(function)->getLocation()];
    if (!facts.decl) {
      facts.decl = definitionOf(function);
      facts.kernel = function->hasAttr<clang::CUDAGlobalAttr>();
      facts.device = device;
      facts.host = hasMark(function, "host") || !device;
    }
    facts.bodies.push_back(function);
    return &facts;
  }

  void noteDeclaration(const clang::FunctionDecl* function) {
    if (hasMark(function, "cluster_dims"))
      facts_.foreignShared = true;
    if (functionIsDevice(function) && !function->hasAttr<clang::CUDAGlobalAttr>() &&
        !hasMark(function, "host") && !function->isTemplateInstantiation() &&
        unit_.isUser(function->getLocation()))
      facts_.deviceDeclarations.push_back(function);
  }

  void noteCall(const clang::FunctionDecl* callee, clang::SourceLocation at,
                bool candidate = false) {
    // A kernel that is launched here runs elsewhere.
    if (callee->hasAttr<clang::CUDAGlobalAttr>())
      return;
    FunctionFacts& facts = *frames_.back().facts;
    if (facts.device && !facts.host)
      if (const auto why = hostOnlyReason(callee))
        facts_.unsupported.push_back({callee->getNameAsString(), *why, at});
    const Scope scope = syncScope(callee);
    if (scope == Scope::Cluster || hasMark(callee, "foreign_shared"))
      facts_.foreignShared = true;
    if (hasMark(callee, "address_space"))
      facts_.addressSpaces = true;
    if (scope != Scope::None) {
      const Collective here{scope, callee->getNameAsString(), at, callee, candidate};
      facts.collectives.push_back(here);
      if (scope > facts.own.scope)
        facts.own = here;
      return;
    }
    if (hasMark(callee, "thread"))
      facts.readsThread = true;
    const clang::FunctionDecl* definition = definitionOf(callee);
    if (!unit_.isUser(definition->getLocation()))
      return;
    facts.calls.push_back({definition, at, candidate});
    if (std::find(facts.callees.begin(), facts.callees.end(), definition) == facts.callees.end()) {
      facts.callees.push_back(definition);
      facts.calleeAt.push_back(at);
    }
  }

  void noteHiddenCalls(const clang::Stmt* s) {
    if (!s)
      return;
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s); call && call->getDirectCallee())
      noteCall(call->getDirectCallee(), call->getExprLoc());
    for (const clang::Stmt* part : s->children())
      noteHiddenCalls(part);
  }

  void noteUnsupported(const clang::Decl* decl, clang::SourceLocation at) {
    if (const auto why = unsupportedReason(decl))
      facts_.unsupported.push_back(
          {llvm::cast<clang::NamedDecl>(decl)->getNameAsString(), *why, at});
  }

  const SourceUnit& unit_;
  Facts& facts_;
  std::vector<Frame> frames_;
};

} // namespace

const clang::FunctionDecl* definitionOf(const clang::FunctionDecl* function) {
  if (const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern())
    function = pattern;
  if (const clang::FunctionDecl* definition = function->getDefinition())
    return definition;
  return function->getCanonicalDecl();
}

FunctionFacts* Facts::find(const clang::FunctionDecl* function) {
  const auto found = functions.find(definitionOf(function)->getLocation());
  return found == functions.end() ? nullptr : &found->second;
}

void findFunctions(const SourceUnit& unit, Facts& facts) {
  FunctionVisitor(unit, facts).TraverseDecl(unit.context().getTranslationUnitDecl());
}

} // namespace cu2cpp
