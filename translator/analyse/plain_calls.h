// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of writeOutCalls() share: the function in which calls are written out, one call's
// place in it, and what the called body says. Each part answers one question:
//
//   plain_calls             the text of a call, put together and put in its place
//   plain_call_sites        which statement a call's body can stand before
//   plain_call_gains        whether a kernel gains from it
//   plain_call_meetings     functions in which threads meet, and their shared memory
//   plain_call_lambdas      functions that are given lambdas
//   plain_call_names        methods, and functions of other namespaces
//   plain_call_parameters   what stands for a parameter
//   plain_call_templates    which function a call in a template reaches, by which arguments
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ParentMap.h"

#include "analyse/marks.h"
#include "analyse/plain_body.h"

namespace cu2cpp::calls {

/// Caller is the function in whose body calls are written out.
struct Caller {
  Caller(const PlainBody& body, const Facts& facts)
      : body(body), facts(facts),
        kernel(facts.find(body.function) && facts.find(body.function)->kernel),
        inTemplate(body.function->isDependentContext()) {}
  const PlainBody& body;
  const Facts& facts;
  const bool kernel;
  const bool inTemplate;
};

/// A call and the statement in whose place the function's body is to stand.
struct CallSite {
  const clang::CallExpr* call = nullptr;
  const clang::Stmt* statement = nullptr;
  const clang::VarDecl* result = nullptr; ///< `result = f();` or `T result = f();`
  bool declares = false;                  ///< the latter
  bool alone = false;                     ///< `f();`
  bool inList = false;                    ///< the statement stands in a list of statements
};
/// siteOf() is the site of a call, if the function's body can stand before its statement: all that
/// the statement does before the call is to compute.
std::optional<CallSite> siteOf(const clang::CallExpr* call, const clang::ParentMap& parents);

/// What a function's body says, as far as it matters when it is written elsewhere.
class CalledBody : public SyntaxVisitor {
public:
  explicit CalledBody(const clang::CompoundStmt* list) {
    TraverseStmt(const_cast<clang::CompoundStmt*>(list));
  }
  bool fits = true;
  std::vector<const clang::DeclRefExpr*> uses; ///< of its variables and parameters
  std::vector<const clang::VarDecl*> declared;
  std::vector<const clang::BindingDecl*> bindings; ///< `auto [sum, squares] = ...`
  std::vector<const clang::DeclRefExpr*> bindingUses;
  std::vector<const clang::DeclStmt*> shared;        ///< `extern __shared__ float4 tile[];`
  std::vector<const clang::DeclStmt*> ownShared;     ///< `__shared__ float sums[32];`
  std::vector<const clang::UnaryOperator*> followed; ///< `*p`
  std::set<const clang::ReturnStmt*> returns;
  bool asksSizes = false;
  bool ofObject = false;         ///< names its object, or members of it
  std::set<std::string> members; ///< of its object that it names without `this->`

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (variable && variable->getDeclContext()->isFunctionOrMethod())
      uses.push_back(use);
    if (llvm::isa<clang::BindingDecl>(use->getDecl()))
      bindingUses.push_back(use);
    return true;
  }
  bool VisitDeclStmt(clang::DeclStmt* s) override {
    for (const clang::Decl* decl : s->decls()) {
      if (llvm::isa<clang::StaticAssertDecl>(decl))
        continue;
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || variable->getLocation().isMacroID())
        return fits = false;
      if (isShared(variable)) {
        if (!s->isSingleDecl())
          return fits = false;
        (isDynamicShared(variable) ? shared : ownShared).push_back(s);
        continue;
      }
      if (variable->isStaticLocal() || variable->hasExternalStorage())
        return fits = false;
      if (const auto* object = llvm::dyn_cast<clang::DecompositionDecl>(variable))
        bindings.insert(bindings.end(), object->bindings().begin(), object->bindings().end());
      else
        declared.push_back(variable);
    }
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* s) override {
    returns.insert(s);
    return fits = fits && s->getBeginLoc().isFileID();
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->getOpcode() == clang::UO_Deref)
      followed.push_back(op);
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override {
    return asksSizes = true;
  }
  bool VisitCXXThisExpr(clang::CXXThisExpr*) override { return ofObject = true; }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (member->isImplicitAccess())
      members.insert(member->getMemberDecl()->getNameAsString());
    return true;
  }
  bool VisitStmt(clang::Stmt* s) override {
    return fits = fits &&
                  !llvm::isa<clang::LambdaExpr, clang::LabelStmt, clang::GotoStmt, clang::AsmStmt,
                             clang::CXXTryStmt, clang::CXXForRangeStmt, clang::StmtExpr>(s);
  }
};

/// Where a body returns before its end.
struct EarlyReturns {
  std::vector<const clang::Stmt*> behind;     ///< guards and loops at its top, in their order
  std::set<const clang::ReturnStmt*> inLoops; ///< those that leave such a loop
};
/// returnsPlainly() tells whether `if (...) return x;` guards, at a body's top, loops there that
/// returns leave, and its end are all of its returns.
bool returnsPlainly(const clang::CompoundStmt* list, const std::set<const clang::ReturnStmt*>& all,
                    EarlyReturns& early);
/// canBeSet() tells whether a type's variables can be declared and set later.
bool canBeSet(clang::QualType type);
/// identifiersIn() are all identifiers in a piece of text; `members` says whether those of members
/// are among them.
std::set<std::string> identifiersIn(const std::string& text, bool members = true);

// --- which function (plain_call_templates.cpp)

/// calleeOf() is the function that is called: in a template the one whose instances all of its
/// instances call.
const clang::FunctionDecl* calleeOf(const Caller& caller, const clang::CallExpr* call);

/// What a function template's parameters are, by their names; empty if no text says it.
using TemplateTexts = std::map<std::string, std::string>;

/// templateTexts() are the arguments by which a call reaches a function template's instance; none
/// if one has no short text.
std::optional<TemplateTexts> templateTexts(const Caller& caller, const FunctionFacts& f,
                                           const clang::FunctionDecl* definition,
                                           const clang::CallExpr* call);
/// addClassTexts() adds the arguments of the class template whose method is called; false if one is
/// a pack.
bool addClassTexts(const Caller& caller, const clang::FunctionDecl* function,
                   TemplateTexts& written);
/// replacedIn() is a text in which names are replaced; nothing if one is a member's.
std::optional<std::string> replacedIn(const std::string& text, const TemplateTexts& written);
/// replaceTemplateParameters() writes arguments in the place of template parameters' names, but for
/// those at the places `without`; false if a member has one.
bool replaceTemplateParameters(const Caller& caller, const TemplateTexts& written,
                               const std::set<unsigned>& without, const FileRange& range,
                               TokenChanges& changes);

// --- whether to write it out (plain_call_gains.cpp)

/// pays() tells whether it pays to write a function out: one of its loops would be taken out of the
/// loop over threads, and threads give it different values.
bool pays(const Caller& caller, const FunctionFacts& f, const clang::FunctionDecl* definition,
          const clang::CallExpr* call);
/// exchanges() tells whether a kernel gives elements of its shared arrays to a function that does
/// nothing but to exchange them under a condition:
/// `comparator(key[i], value[i], key[j], value[j], up)`.
bool exchanges(const Caller& caller, const clang::FunctionDecl* definition,
               const clang::CallExpr* call);
/// givesOwnArray() tells whether a call gives an array of the thread's own, or a part of it, to a
/// function that reaches its elements: `load(values + 4 * p, row)`. In another function's hands it
/// lies in memory; else it may be kept in rows or in registers.
bool givesOwnArray(const clang::FunctionDecl* definition, const clang::CallExpr* call);
/// isOnlyFollowed() tells whether all that a function does with a pointer is `*p`.
bool isOnlyFollowed(const clang::ParmVarDecl* parameter);
/// sharedElement() is the element of a shared array that a parameter is a reference to, or a
/// pointer that is only followed, by an index that does not change meanwhile.
const clang::ArraySubscriptExpr* sharedElement(const Caller& caller,
                                               const clang::ParmVarDecl* parameter,
                                               const clang::Expr* argument);

// --- functions in which threads meet (plain_call_meetings.cpp)

/// mayMeetElsewhere() tells whether threads meet in a function, and do so just as well in a kernel.
bool mayMeetElsewhere(const FunctionFacts& f, const Facts& facts);
/// reachesOtherwise() tells whether a caller reaches a function through another one that it calls.
bool reachesOtherwise(const Caller& caller, const FunctionFacts& f);
/// returnedParameter() is the parameter that is all that a function gives back: `return v;`.
const clang::ParmVarDecl* returnedParameter(const CalledBody& contents);
/// isContinued() tells whether a call gives a variable to a parameter and stores in it what becomes
/// of it, `sum = warpSum(sum);`: the variable can stand for the parameter.
bool isContinued(const Caller& caller, const CallSite& site, const clang::Expr* argument);

/// isKnown() tells whether all that a function reaches is known, not assembly, and waits for nobody
/// in loops; none of it is the function `top`.
bool isKnown(const FunctionFacts& f, const Facts& facts, const clang::FunctionDecl* top,
             unsigned depth = 0);

// --- functions that are given lambdas (plain_call_lambdas.cpp)

/// What the names of lambdas begin with that functions have been given.
inline constexpr const char* givenLambda = "cuGiven_";
/// lambdaGiven() is the lambda that an argument is, or names.
const clang::LambdaExpr* lambdaGiven(const clang::Expr* argument);
/// gainsByLambdas() tells whether the caller gains from a function that it gives lambdas to.
bool gainsByLambdas(const Caller& caller, const FunctionFacts& f, const clang::CallExpr* call);

// --- methods, and functions of other namespaces (plain_call_names.cpp)

/// givenTo() is what a call gives to a function's parameter of that number; none if the numbers
/// differ. (Of `f(x)`, which is an object's operator, the object itself is no parameter's.)
const clang::Expr* givenTo(const clang::FunctionDecl* function, unsigned parameter,
                           const clang::CallExpr* call);
/// objectOf() is the variable whose method a call calls, as text before its members: `b.`. Empty
/// for other functions; none if the object is something else, or the class not as plain as a
/// namespace.
std::optional<std::string> objectOf(const clang::CallExpr* call,
                                    const clang::FunctionDecl* function);
/// nameElsewhere() is what a function's name for something outside of it, or for a member of its
/// object, is in the body of a caller that is declared elsewhere; none if it may mean something
/// else there.
std::optional<std::string> nameElsewhere(const std::string& name,
                                         const clang::FunctionDecl* function,
                                         const std::string& object, const PlainBody& caller);

// --- what stands for a parameter (plain_call_parameters.cpp)

/// The variable's own place, if an expression is nothing but its name.
const clang::VarDecl* variableIn(const clang::Expr* e);

/// standsFor() is what the caller names, and nothing changes meanwhile, that a parameter can be
/// taken for: a variable, `blockDim` or its kin, or a row of a shared array. Empty if it needs a
/// variable of its own. `inside` is what the function does with the parameter, `type` its type in
/// the instance that is called.
std::string standsFor(const Caller& caller, const clang::ParmVarDecl* parameter,
                      clang::QualType type, const LocalVariable* inside,
                      const clang::Expr* argument, const CalledBody& contents);
/// variablePointedTo() is the caller's variable whose address, `&total`, is given to a pointer that
/// the function only follows: `*p` is that variable.
const clang::VarDecl* variablePointedTo(const Caller& caller, const clang::ParmVarDecl* parameter,
                                        clang::QualType type, const clang::Expr* argument);

} // namespace cu2cpp::calls
