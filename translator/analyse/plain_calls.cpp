// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions with loops that would run best outside of the loop over threads are written out
// where they are called, where only compilers read the translation:
//
//   __device__ float3 pull(float4 me, float3 a) {
//     for (int i = 0; i < blockDim.x; ++i)
//       a = interact(a, me, tile[i]);
//     return a;
//   }
//   acc = pull(me, acc);     ->     { float3 a = acc; for (int i = 0; i < blockDim.x; ++i)
//                                     a = interact(a, me, tile[i]); acc = (a); }
//
// A loop that a kernel calls is run by one thread after the other; one that stands in it can be
// taken out of the loop over threads. The other plain forms then find everything in one place.
// Parameters that stay as they are become the variables that they are given. Lines stay the user's,
// so all is on one.
#include "analyse/plain_body.h"

#include <algorithm>
#include <memory>
#include <set>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/StringExtras.h"

#include "analyse/instance_calls.h"
#include "analyse/lane_loops.h"
#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "analyse/region_parts.h"
#include "parse/body_macros.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

/// `extern __shared__ float4 tile[];`
bool isDynamic(const clang::VarDecl* shared) {
  return hasMark(shared, "dynamic_shared") || shared->hasExternalStorage();
}

/// What a function's body says, as far as it matters when it is written elsewhere.
class CalledBody : public SyntaxVisitor {
public:
  bool fits = true;
  std::vector<const clang::DeclRefExpr*> uses; ///< of its variables and parameters
  std::vector<const clang::VarDecl*> declared;
  std::vector<const clang::DeclStmt*> shared; ///< `extern __shared__ float4 tile[];`
  std::set<const clang::ReturnStmt*> returns;
  bool asksSizes = false;

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (variable && variable->getDeclContext()->isFunctionOrMethod())
      uses.push_back(use);
    return true;
  }
  bool VisitDeclStmt(clang::DeclStmt* s) override {
    for (const clang::Decl* decl : s->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || variable->getLocation().isMacroID())
        return fits = false;
      if (isShared(variable)) {
        if (!isDynamic(variable) || !s->isSingleDecl())
          return fits = false;
        shared.push_back(s);
        continue;
      }
      if (variable->isStaticLocal() || variable->hasExternalStorage())
        return fits = false;
      declared.push_back(variable);
    }
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* s) override {
    returns.insert(s);
    return fits = fits && s->getBeginLoc().isFileID();
  }
  bool VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override {
    return asksSizes = true;
  }
  bool VisitStmt(clang::Stmt* s) override {
    return fits = fits && !llvm::isa<clang::LambdaExpr, clang::LabelStmt, clang::GotoStmt,
                                     clang::AsmStmt, clang::CXXTryStmt, clang::CXXThisExpr,
                                     clang::CXXForRangeStmt, clang::StmtExpr>(s);
  }
};

/// Whether a function and all that it calls wait for nobody, and it does not call itself.
bool meetsNobody(const FunctionFacts& f, const Facts& facts, const clang::FunctionDecl* top,
                 unsigned depth = 0) {
  if (depth > 6 || !f.collectives.empty() || !f.assembly.empty() || f.indirectCalls)
    return false;
  return std::all_of(f.callees.begin(), f.callees.end(), [&](const clang::FunctionDecl* callee) {
    const FunctionFacts* known = facts.find(callee);
    if (!known)
      return syncScope(callee) == Scope::None;
    return known->decl != top && meetsNobody(*known, facts, top, depth + 1);
  });
}

/// All identifiers in a piece of text; `members` says whether those of members are among them.
std::set<std::string> identifiersIn(const std::string& text, bool members = true) {
  std::set<std::string> out;
  const std::string closed = text + "\n";
  bool ofMember = false;
  for (const RawToken& token : rawTokens(closed)) {
    if (token.kind == clang::tok::raw_identifier && (members || !ofMember))
      out.insert(token.text.str());
    ofMember = token.text == "." || token.text == "->";
  }
  return out;
}

/// A call and the statement in whose place the function's body is to stand.
struct CallSite {
  const clang::CallExpr* call = nullptr;
  const clang::Stmt* statement = nullptr;
  const clang::VarDecl* result = nullptr; ///< `result = f();` or `T result = f();`
  bool declares = false;                  ///< the latter
  bool alone = false;                     ///< `f();`
  bool inList = false;                    ///< the statement stands in a list of statements
};

class WritingOut {
public:
  WritingOut(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared)
      : body_(body), facts_(facts), shared_(shared), parents_(body.variables.parents()),
        kernel_(facts.find(body.function) && facts.find(body.function)->kernel),
        inTemplate_(body.function->isDependentContext()) {}

  void run() {
    const auto range = body_.text.rangeOf(body_.function->getSourceRange());
    if (!range)
      return;
    constexpr unsigned mostText = 40000;
    if (range->end - range->begin > mostText)
      return;
    names_ = identifiersIn(body_.text.buffer(range->file).slice(range->begin, range->end).str());
    std::set<const clang::Stmt*> changed;
    for (const clang::CallExpr* call : body_.contents.calls) {
      const auto site = siteOf(call);
      if (site && !changed.count(site->statement) && write(*site))
        changed.insert(site->statement);
    }
  }

private:
  std::optional<CallSite> siteOf(const clang::CallExpr* call) const {
    CallSite site;
    site.call = call;
    if (call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID() ||
        !llvm::isa<clang::DeclRefExpr, clang::UnresolvedLookupExpr>(
            call->getCallee()->IgnoreParenImpCasts()))
      return std::nullopt;
    const clang::Stmt* at = call;
    const clang::Stmt* parent = parents_.getParent(at);
    bool whole = true; // nothing is done with the result but to store it
    for (;; at = parent, parent = parents_.getParent(at)) {
      if (!parent)
        return std::nullopt;
      if (llvm::isa<clang::ImplicitCastExpr, clang::ParenExpr, clang::ExprWithCleanups,
                    clang::MaterializeTemporaryExpr>(parent)) {
        const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(parent);
        whole &= !cast || cast->getCastKind() == clang::CK_NoOp;
        continue;
      }
      if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(parent)) {
        whole &= made->getConstructor()->isCopyOrMoveConstructor() &&
                 made->getConstructor()->isTrivial();
        continue;
      }
      if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(parent)) {
        if (op->isAssignmentOp()) {
          if (op->getRHS() != at)
            return std::nullopt;
          const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParens());
          if (whole && op->getOpcode() == clang::BO_Assign && target)
            site.result = llvm::dyn_cast<clang::VarDecl>(target->getDecl());
        } else if (op->isLogicalOp() || op->isShiftOp() || op->isPtrMemOp() ||
                   op->getOpcode() == clang::BO_Comma) {
          return std::nullopt;
        }
        whole = false;
        continue;
      }
      if (const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parent)) {
        if (op->isAssignmentOp() && (op->getNumArgs() != 2 || op->getArg(1) != at))
          return std::nullopt;
        const auto* target =
            llvm::dyn_cast<clang::DeclRefExpr>(op->getArg(0)->IgnoreParenImpCasts());
        const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(op->getDirectCallee());
        if (whole && target && op->getOperator() == clang::OO_Equal && method &&
            method->isTrivial())
          site.result = llvm::dyn_cast<clang::VarDecl>(target->getDecl());
        if (op->getOperator() == clang::OO_AmpAmp || op->getOperator() == clang::OO_PipePipe ||
            op->getOperator() == clang::OO_Comma || op->getOperator() == clang::OO_LessLess ||
            op->getOperator() == clang::OO_GreaterGreater)
          return std::nullopt;
        whole = false;
        continue;
      }
      if (llvm::isa<clang::UnaryOperator, clang::MemberExpr, clang::ExplicitCastExpr,
                    clang::CallExpr>(parent)) {
        const auto* around = llvm::dyn_cast<clang::CallExpr>(parent);
        if (around && around->getCallee() == at && !llvm::isa<clang::CXXMemberCallExpr>(around))
          return std::nullopt;
        whole = false;
        continue;
      }
      break;
    }
    site.statement = at;
    site.alone = at == call || (llvm::isa<clang::ExprWithCleanups>(at) && whole && !site.result);
    site.inList = llvm::isa<clang::CompoundStmt>(parent);
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(parent)) {
      const auto* variable = declaration->isSingleDecl()
                                 ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                                 : nullptr;
      parent = parents_.getParent(declaration);
      if (!variable || !variable->hasLocalStorage() || isShared(variable) ||
          variable->isConstexpr() || !llvm::isa_and_nonnull<clang::CompoundStmt>(parent))
        return std::nullopt;
      site.statement = declaration;
      site.alone = false;
      site.inList = true;
      if (whole && !variable->getType()->isReferenceType()) {
        site.result = variable;
        site.declares = true;
      }
      return site;
    }
    if (llvm::isa<clang::ReturnStmt>(parent)) {
      site.statement = parent;
      site.alone = false;
      site.result = nullptr;
      parent = parents_.getParent(parent);
      site.inList = llvm::isa_and_nonnull<clang::CompoundStmt>(parent);
      at = site.statement;
    }
    const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(parent);
    const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(parent);
    if (!(site.inList || (loop && loop->getBody() == at) ||
          (branch && (branch->getThen() == at || branch->getElse() == at))))
      return std::nullopt;
    return site;
  }

  /// Whether a type's variables can be declared and set later.
  static bool canBeSet(clang::QualType type) {
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    return type->isScalarType() ||
           (record && record->hasTrivialDefaultConstructor() && record->isTriviallyCopyable());
  }

  std::string declared(clang::QualType type, const std::string& name) const {
    std::string out;
    llvm::raw_string_ostream stream(out);
    type.print(stream, body_.unit.context().getPrintingPolicy(), name);
    return out;
  }

  /// A name that the caller does not use.
  std::string freeName(const std::string& name) {
    if (names_.insert(name).second)
      return name;
    for (unsigned i = 1;; ++i)
      if (std::string other = name + "_" + std::to_string(i); names_.insert(other).second)
        return other;
  }

  /// Whether it pays to write a function out: one of its loops would be taken out of the loop over
  /// threads, and threads give it different values.
  bool pays(const FunctionFacts& f, const clang::FunctionDecl* definition,
            const clang::CallExpr* call) const {
    std::set<unsigned> divergent;
    for (unsigned i = 0; i < call->getNumArgs(); ++i)
      if (!body_.variables.isUniform(call->getArg(i), Scope::Block))
        divergent.insert(i);
    if (kernel_ && divergent.empty() && !(f.builtins & ThreadIdx))
      return false;
    if (inTemplate_)
      return sharesElements(definition);
    FunctionFacts instance = f;
    instance.decl = definition;
    const LaneLoops loops =
        findLaneLoops(facts_, instance, Uniformity(definition, divergent, &facts_), true);
    return loops.loops.size() > loops.arithmetic.size() || sharesElements(definition);
  }
  /// Whether a kernel gives elements of its shared arrays to a function that does nothing but to
  /// exchange them under a condition: `comparator(key[i], value[i], key[j], value[j], up)`.
  bool exchanges(const clang::FunctionDecl* definition, const clang::CallExpr* call) const {
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
    const auto* branch =
        list && list->size() == 1 ? llvm::dyn_cast<clang::IfStmt>(list->body_front()) : nullptr;
    const auto* then = branch ? llvm::dyn_cast<clang::CompoundStmt>(branch->getThen()) : nullptr;
    if (!kernel_ || !then || branch->getElse() || then->size() < 3)
      return false;
    unsigned elements = 0;
    for (unsigned i = 0; i < call->getNumArgs(); ++i)
      elements += sharedElement(definition->getParamDecl(i), call->getArg(i)) != nullptr;
    return elements >= 2;
  }
  /// The element of a shared array that a parameter is a reference to, by an index that does not
  /// change meanwhile.
  const clang::ArraySubscriptExpr* sharedElement(const clang::ParmVarDecl* parameter,
                                                 const clang::Expr* argument) const {
    const auto* element =
        llvm::dyn_cast<clang::ArraySubscriptExpr>(argument->IgnoreParenImpCasts());
    const clang::VarDecl* array = element ? namedBy(element->getBase()) : nullptr;
    return array && isShared(array) && parameter->getType()->isLValueReferenceType() &&
                   body_.unit.context().hasSameUnqualifiedType(
                       parameter->getType().getNonReferenceType(), element->getType()) &&
                   !element->getType().isVolatileQualified() && isOfValues(element->getIdx())
               ? element
               : nullptr;
  }

  /// Whether a function that a kernel with barriers calls has loops by which a block's threads
  /// share a matrix, which run by its rows there:
  ///
  ///   for (int t = threadIdx.x; t < 40 * 40; t += blockDim.x)
  ///     s[t / 40 * 41 + t % 40] = in[t];
  bool sharesElements(const clang::FunctionDecl* definition) const {
    class Loops : public SyntaxVisitor {
    public:
      bool found = false;
      bool VisitForStmt(clang::ForStmt* loop) override {
        const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
        const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
        const auto* counter = init && init->isSingleDecl()
                                  ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                                  : nullptr;
        if (!counter || !step || step->getOpcode() != clang::BO_AddAssign ||
            namedBy(step->getLHS()) != counter)
          return true;
        Parts parts;
        parts.counter = counter;
        parts.TraverseStmt(loop->getBody());
        found |= parts.found;
        return !found;
      }

    private:
      class Parts : public SyntaxVisitor {
      public:
        const clang::VarDecl* counter = nullptr;
        bool found = false;
        bool VisitBinaryOperator(clang::BinaryOperator* op) override {
          found |= (op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem) &&
                   namedBy(op->getLHS()) == counter;
          return !found;
        }
        bool VisitForStmt(clang::ForStmt* inner) override {
          const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(inner->getInc());
          found |= step && step->getOpcode() == clang::BO_AddAssign;
          return !found;
        }
      };
    } loops;
    const FunctionFacts* caller = facts_.find(body_.function);
    if (!kernel_ || !caller || caller->collectives.empty() ||
        !definition->getReturnType()->isVoidType())
      return false;
    loops.TraverseStmt(definition->getBody());
    return loops.found;
  }

  /// Whether `if (...) return x;` guards, at a body's top, and its end are all of its returns.
  static bool returnsPlainly(const clang::CompoundStmt* list, const CalledBody& contents,
                             std::vector<const clang::IfStmt*>& guards) {
    std::size_t found = 0;
    for (const clang::Stmt* s : list->body()) {
      if (llvm::isa<clang::ReturnStmt>(s)) {
        ++found;
        if (s != list->body_back())
          return false;
        continue;
      }
      const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
      if (!branch || branch->getElse() || branch->hasInitStorage() || branch->hasVarStorage())
        continue;
      const clang::Stmt* then = branch->getThen();
      if (const auto* inner = llvm::dyn_cast<clang::CompoundStmt>(then);
          inner && !inner->body_empty())
        then = inner->body_back();
      if (llvm::isa<clang::ReturnStmt>(then)) {
        guards.push_back(branch);
        ++found;
      }
    }
    return found == contents.returns.size();
  }

  /// The variable's own place, if an expression is nothing but its name.
  static const clang::VarDecl* variableIn(const clang::Expr* e) {
    e = e->IgnoreParenImpCasts();
    if (const auto* copy = llvm::dyn_cast<clang::CXXConstructExpr>(e))
      return copy->getConstructor()->isCopyOrMoveConstructor() &&
                     copy->getConstructor()->isTrivial() && copy->getNumArgs() == 1
                 ? variableIn(copy->getArg(0))
                 : nullptr;
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return variable && variable->getDeclContext()->isFunctionOrMethod() &&
                   !use->getLocation().isMacroID()
               ? variable
               : nullptr;
  }

  /// `blockDim` and its kin, which functions get that name them.
  std::string builtinGiven(const clang::Expr* argument) const {
    class Names : public SyntaxVisitor {
    public:
      std::string name;
      unsigned count = 0;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        ++count;
        name = builtinOf(use->getDecl()) ? use->getDecl()->getNameAsString() : std::string();
        return true;
      }
    } names;
    names.TraverseStmt(const_cast<clang::Expr*>(argument));
    const auto range = body_.text.rangeOf(argument->getSourceRange());
    return names.count == 1 && range && !names.name.empty() &&
                   body_.text.buffer(range->file).slice(range->begin, range->end) == names.name
               ? names.name
               : std::string();
  }

  /// Whether two types are the same, or arrays and pointers to the same.
  bool isSame(clang::QualType a, clang::QualType b) const {
    const clang::ASTContext& context = body_.unit.context();
    a = a.getNonReferenceType();
    b = b.getNonReferenceType();
    if (a.isVolatileQualified() || b.isVolatileQualified())
      return false;
    if (context.hasSameUnqualifiedType(a, b))
      return true;
    if (!a->isPointerType() || !(b->isPointerType() || b->isArrayType()))
      return false;
    const clang::QualType of = b->isArrayType()
                                   ? clang::QualType(context.getAsArrayType(b)->getElementType())
                                   : b->getPointeeType();
    return context.hasSameUnqualifiedType(a->getPointeeType(), of) && !of.isVolatileQualified() &&
           !a->getPointeeType().isVolatileQualified();
  }

  /// The variable that a parameter can be taken for: one that nothing changes meanwhile.
  const clang::VarDecl* standsFor(const clang::ParmVarDecl* parameter, const LocalVariable* inside,
                                  const clang::Expr* argument, const CalledBody& contents) const {
    const clang::VarDecl* variable = variableIn(argument);
    if (!variable || !isSame(parameter->getType(), variable->getType()))
      return nullptr;
    const bool array = variable->getType()->isArrayType();
    if (array && contents.asksSizes)
      return nullptr;
    if (parameter->getType()->isReferenceType())
      return isSame(variable->getType(), parameter->getType()) &&
                     array == parameter->getType().getNonReferenceType()->isArrayType()
                 ? variable
                 : nullptr;
    if (!inside || inside->modified || mayBeReached(parameter, contents.uses))
      return nullptr;
    if (array)
      return variable;
    const auto uses = body_.contents.references.find(variable);
    return variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
                   (uses == body_.contents.references.end() ||
                    !mayBeReached(variable, {uses->second.begin(), uses->second.end()}))
               ? variable
               : nullptr;
  }
  /// Whether a variable may be changed otherwise than by its name.
  bool mayBeReached(const clang::VarDecl* variable,
                    const std::vector<const clang::DeclRefExpr*>& uses) const {
    std::unique_ptr<clang::ParentMap> parents;
    for (const clang::DeclRefExpr* use : uses) {
      if (use->getDecl() != variable)
        continue;
      if (!parents) {
        const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
        if (!function || !function->getBody())
          return true;
        parents = std::make_unique<clang::ParentMap>(function->getBody());
      }
      if (givesPlace(use, *parents))
        return true;
    }
    return false;
  }
  /// Whether what stands around a variable's name may keep its place.
  bool givesPlace(const clang::Expr* use, const clang::ParentMap& parents) const {
    const clang::Stmt* at = use;
    for (const clang::Stmt* parent = parents.getParent(at); parent;
         at = parent, parent = parents.getParent(at)) {
      const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(parent);
      if (cast && (cast->getCastKind() == clang::CK_LValueToRValue ||
                   (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified())))
        return false;
      if (cast || llvm::isa<clang::ParenExpr>(parent))
        continue;
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(parent)) {
        const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
        if (method || member->isArrow())
          return method && !method->isConst() && !method->isStatic();
        continue;
      }
      if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(parent)) {
        if (subscript->getIdx() == at)
          return false;
        continue;
      }
      if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(parent))
        return op->getOpcode() == clang::BO_Comma;
      if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(parent))
        return op->getOpcode() == clang::UO_AddrOf;
      if (const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parent)) {
        const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(op->getDirectCallee());
        return !method || op->getOperator() != clang::OO_Equal || !method->isTrivial();
      }
      if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(parent))
        return !made->getConstructor()->isCopyOrMoveConstructor() ||
               !made->getConstructor()->isTrivial();
      const auto* call = llvm::dyn_cast<clang::CallExpr>(parent);
      return !call || !inTemplate_ || !takesByValue(call, at);
    }
    return true;
  }
  /// Whether a call in a template, which says of no argument yet how it is passed, takes one by
  /// value.
  bool takesByValue(const clang::CallExpr* call, const clang::Stmt* argument) const {
    const clang::FunctionDecl* callee = calleeOf(call);
    if (!callee || callee->isVariadic())
      return false;
    for (unsigned i = 0; i < call->getNumArgs() && i < callee->getNumParams(); ++i)
      if (call->getArg(i) == argument) {
        const clang::QualType type = callee->getParamDecl(i)->getType();
        return type->isPointerType() || (!type->isDependentType() && type->isScalarType());
      }
    return false;
  }
  /// `s[hi]` of a shared array, for a parameter that nothing changes: text that means the same
  /// wherever the parameter is named.
  std::string rowGiven(const clang::ParmVarDecl* parameter, const LocalVariable* inside,
                       const clang::Expr* argument, const CalledBody& contents) const {
    const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(argument->IgnoreImpCasts());
    const clang::VarDecl* array = row ? namedBy(row->getLHS()) : nullptr;
    const clang::QualType type = parameter->getType();
    if (!array || !isShared(array) || !array->getType()->isArrayType() ||
        !row->getType()->isArrayType() || !type->isPointerType() || !inside || inside->modified ||
        contents.asksSizes || mayBeReached(parameter, contents.uses))
      return "";
    const clang::ASTContext& context = body_.unit.context();
    const clang::QualType element = context.getBaseElementType(array->getType());
    const clang::QualType pointee = context.getBaseElementType(type->getPointeeType());
    if (element->isDependentType() || pointee->isDependentType() ||
        !context.hasSameType(element, pointee))
      return "";
    const clang::Expr* index = row->getRHS()->IgnoreParenImpCasts();
    if (!llvm::isa<clang::IntegerLiteral>(index)) {
      const clang::VarDecl* counter = variableIn(index);
      const LocalVariable* local = counter ? body_.variables.find(counter) : nullptr;
      if (!local || local->escapes || isShared(counter) || !counter->getType()->isIntegerType() ||
          counter->getType().isVolatileQualified())
        return "";
    }
    const auto range = body_.text.rangeOf(row->getSourceRange());
    const auto text = range && body_.text.isWhole(row) && !row->getBeginLoc().isMacroID() &&
                              !row->getEndLoc().isMacroID()
                          ? onOneLine(body_.text, *range, {})
                          : std::nullopt;
    return text ? *text : std::string();
  }

  /// The function that is called: in a template the one whose instances all of its instances call.
  const clang::FunctionDecl* calleeOf(const clang::CallExpr* call) const {
    if (!inTemplate_)
      return call->getDirectCallee();
    const FunctionFacts* caller = facts_.find(body_.function);
    const clang::FunctionDecl* common = nullptr;
    if (caller)
      for (const clang::FunctionDecl* callee : calleesOf(call, *caller)) {
        const clang::FunctionDecl* pattern = callee->getTemplateInstantiationPattern();
        if (callee->getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization)
          return nullptr;
        pattern = definitionOf(pattern ? pattern : callee);
        if (!pattern || (common && common != pattern))
          return nullptr;
        common = pattern;
      }
    return common;
  }

  bool write(const CallSite& site) {
    const clang::FunctionDecl* callee = calleeOf(site.call);
    const FunctionFacts* f = callee ? facts_.find(callee) : nullptr;
    const clang::FunctionDecl* definition = nullptr;
    if (!f || f->kernel || !f->device || !callee->hasBody(definition) ||
        (definition->isDependentContext() && !inTemplate_) ||
        llvm::isa<clang::CXXMethodDecl>(callee) || callee->isVariadic() ||
        callee->hasAttr<clang::NoInlineAttr>() || definition->hasAttr<clang::NoInlineAttr>() ||
        f->decl->getNumParams() != definition->getNumParams() ||
        definition->getNumParams() != site.call->getNumArgs() ||
        definition->getDeclContext()->getRedeclContext() !=
            body_.function->getDeclContext()->getRedeclContext() ||
        !meetsNobody(*f, facts_, f->decl) || f->decl == definitionOf(body_.function))
      return false;
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
    const auto range = list ? body_.text.rangeOf(list->getSourceRange()) : std::nullopt;
    auto place = body_.text.rangeOf(site.statement->getSourceRange());
    if (!range || !place || list->getLBracLoc().isMacroID() || list->getRBracLoc().isMacroID() ||
        site.statement->getBeginLoc().isMacroID() || site.statement->getEndLoc().isMacroID() ||
        (range->file == place->file ? range->end > place->begin
                                    : shared_.headers || definesMacros(place->file, *range)))
      return false;
    if (list->body_empty() || changesMacros(*range, *place))
      return false;
    CalledBody contents;
    contents.TraverseStmt(const_cast<clang::CompoundStmt*>(list));
    std::vector<const clang::IfStmt*> guards;
    if (!contents.fits || !returnsPlainly(list, contents, guards) ||
        !(exchanges(definition, site.call) || pays(*f, definition, site.call)))
      return false;
    const clang::QualType type = definition->getReturnType();
    const bool returns = !type->isVoidType();
    if (inTemplate_ && (returns || !site.alone))
      return false;
    if (returns && !llvm::isa<clang::ReturnStmt>(list->body_back()))
      return false;
    if (returns && (type->isReferenceType() || !canBeSet(type.getUnqualifiedType())))
      return false;
    // What the body's text means by its names.
    std::set<std::string> own;
    for (const clang::VarDecl* variable : contents.declared)
      own.insert(variable->getNameAsString());
    for (const clang::ParmVarDecl* parameter : definition->parameters())
      own.insert(parameter->getNameAsString());
    if (const auto* pattern = f->decl->getDescribedFunctionTemplate())
      for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters())
        own.insert(parameter->getNameAsString());
    TokenChanges changes;
    if (!dropShared(contents, changes, own))
      return false;
    const std::set<std::string> callers = declaredByCaller();
    for (const std::string& name :
         identifiersIn(body_.text.buffer(range->file).slice(range->begin, range->end).str(), false))
      if (name == "decltype" || (!own.count(name) && callers.count(name)))
        return false;
    std::map<std::string, std::string> ofTemplate; // what its parameters are
    if (inTemplate_ ? !findWrittenArguments(*f, site.call, ofTemplate)
                    : !findArguments(*f, definition, ofTemplate))
      return false;
    if (!replaceTemplateParameters(ofTemplate, *range, changes))
      return false;
    // Parameters.
    std::map<const clang::VarDecl*, std::string> renamed;
    std::string head;
    const Uniformity inside(f->decl, {}, &facts_);
    for (unsigned i = 0; i < definition->getNumParams(); ++i) {
      const clang::ParmVarDecl* parameter = definition->getParamDecl(i);
      const clang::Expr* argument = site.call->getArg(i);
      const LocalVariable* local = inside.find(f->decl->getParamDecl(i));
      if (llvm::isa<clang::CXXDefaultArgExpr>(argument))
        return false;
      if (const std::string builtin = builtinGiven(argument);
          !builtin.empty() && local && !local->modified && builtin == parameter->getName()) {
        renamed[parameter] = builtin;
        continue;
      }
      if (const clang::VarDecl* variable = standsFor(parameter, local, argument, contents)) {
        renamed[parameter] = variable->getNameAsString();
        continue;
      }
      if (const std::string row = rowGiven(parameter, local, argument, contents); !row.empty()) {
        renamed[parameter] = row;
        continue;
      }
      const auto written = body_.text.rangeOf(argument->getSourceRange());
      const auto text = written && body_.text.isWhole(argument)
                            ? onOneLine(body_.text, *written, {})
                            : std::nullopt;
      if (!text)
        return false;
      if (sharedElement(parameter, argument) && exchanges(definition, site.call)) {
        renamed[parameter] = *text;
        continue;
      }
      if (parameter->getName().empty()) {
        if (argument->HasSideEffects(body_.unit.context()))
          return false;
        continue;
      }
      clang::QualType declaredType = parameter->getType();
      if (!declaredType->isReferenceType() && local && !local->modified && !local->escapes)
        declaredType = declaredType.withConst();
      renamed[parameter] = freeName(parameter->getNameAsString());
      const auto declaration = replacedIn(declared(declaredType, renamed[parameter]), ofTemplate);
      if (!declaration || (inTemplate_ && ofTemplate.count(renamed[parameter])))
        return false;
      head += *declaration + " = " + *text + "; ";
    }
    for (const clang::VarDecl* variable : contents.declared) {
      renamed[variable] = freeName(variable->getNameAsString());
      const auto at = body_.text.positionOf(variable->getLocation());
      if (!at || at->file != range->file)
        return false;
      changes.instead[at->offset] = renamed[variable];
    }
    for (const clang::DeclRefExpr* use : contents.uses) {
      const auto name = renamed.find(llvm::cast<clang::VarDecl>(use->getDecl()));
      const auto at = body_.text.positionOf(use->getLocation());
      if (name == renamed.end())
        continue;
      // A macro's own text cannot name it.
      if (!at || at->file != range->file || at->offset < range->begin || at->offset >= range->end)
        return false;
      changes.instead[at->offset] = name->second;
    }
    // The result.
    const bool direct = site.result && returns && site.result->hasLocalStorage() &&
                        !site.result->getType()->isReferenceType() &&
                        !site.result->getType().isVolatileQualified() &&
                        body_.unit.context().hasSameUnqualifiedType(site.result->getType(), type) &&
                        (site.declares || !isGiven(site.result, site.call));
    const std::string result = !returns || site.alone ? std::string()
                               : direct               ? site.result->getNameAsString()
                                        : freeName(callee->getNameAsString() + "_result");
    for (const clang::ReturnStmt* s : contents.returns) {
      const auto at = body_.text.positionOf(s->getReturnLoc());
      if (!at || at->file != range->file)
        return false;
      changes.instead[at->offset] = result.empty() ? "" : result + " =";
    }
    unsigned open = 0;
    for (const clang::IfStmt* guard : guards) {
      const auto end = endOfStatement(guard);
      if (!end || end->file != range->file)
        return false;
      changes.behind[end->offset] = " else {";
      ++open;
    }
    changes.instead[range->begin] = "{ " + head;
    changes.instead[range->end - 1] = std::string(open, '}') + "}";
    const auto text = onOneLine(body_.text, *range, changes);
    return text && put(site, *place, *text, result, direct, type);
  }

  /// Writes the body's text before the statement, or in its place.
  bool put(const CallSite& site, FileRange place, const std::string& text,
           const std::string& result, bool direct, clang::QualType type) {
    unsigned end = place.end;
    if (!llvm::isa<clang::DeclStmt>(site.statement)) {
      const auto semicolon = behindSemicolon(body_.text, place);
      if (!semicolon)
        return false;
      end = *semicolon;
    }
    std::string out;
    if (!result.empty() && (!direct || site.declares))
      out = declared(type.getUnqualifiedType(), result) + "; ";
    out += text;
    if (!result.empty() && !direct) {
      const auto call = body_.text.rangeOf(site.call->getSourceRange());
      if (!call || call->file != place.file)
        return false;
      const llvm::StringRef all = body_.text.buffer(place.file);
      out += " " + all.slice(place.begin, call->begin).str() + result +
             all.slice(call->end, end).str();
    }
    if (!site.inList)
      out = "{ " + out + " }";
    const llvm::StringRef before = body_.text.buffer(place.file).slice(place.begin, end);
    auto& edits = body_.changes[place.file];
    const auto behind = edits.lower_bound(place.begin);
    if ((behind != edits.end() && behind->first < end) ||
        (behind != edits.begin() && std::prev(behind)->second.first > place.begin))
      return false;
    edits[place.begin] = {end, withLinesOf(before, out)};
    return true;
  }

  /// Whether a call gets a variable by reference or its address.
  bool isGiven(const clang::VarDecl* variable, const clang::CallExpr* call) const {
    const LocalVariable* local = body_.variables.find(variable);
    if (!local || local->escapes)
      return true;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      PlainVisitor names;
      names.TraverseStmt(const_cast<clang::Expr*>(call->getArg(i)));
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (names.usesOf(variable) > 0 && callee->getParamDecl(i)->getType()->isReferenceType())
        return true;
    }
    return false;
  }

  /// The arguments of a function template's instance; false if one has no short name.
  bool findArguments(const FunctionFacts& f, const clang::FunctionDecl* instance,
                     std::map<std::string, std::string>& written) const {
    const clang::TemplateArgumentList* arguments = instance->getTemplateSpecializationArgs();
    if (!arguments)
      return true;
    const clang::FunctionTemplateDecl* pattern = f.decl->getDescribedFunctionTemplate();
    if (!pattern || pattern->getTemplateParameters()->size() != arguments->size())
      return false;
    for (unsigned i = 0; i < arguments->size(); ++i) {
      const clang::NamedDecl* parameter = pattern->getTemplateParameters()->getParam(i);
      const clang::TemplateArgument& argument = arguments->get(i);
      std::string text;
      if (argument.getKind() == clang::TemplateArgument::Integral) {
        const clang::QualType type = argument.getIntegralType();
        if (!type->isSpecificBuiltinType(clang::BuiltinType::Int) && !type->isBooleanType())
          return false;
        text = "(" + llvm::toString(argument.getAsIntegral(), 10) + ")";
        if (type->isBooleanType())
          text = argument.getAsIntegral().isZero() ? "false" : "true";
      } else if (argument.getKind() == clang::TemplateArgument::Type) {
        // `T(0)` needs a type of one word.
        const clang::QualType type = argument.getAsType();
        if (type.hasQualifiers() || !type->isBuiltinType())
          return false;
        text = type.getAsString(body_.unit.context().getPrintingPolicy());
        if (!std::all_of(text.begin(), text.end(), clang::isAlphanumeric))
          return false;
      } else {
        return false;
      }
      if (parameter->isParameterPack() || parameter->getName().empty())
        return false;
      written[parameter->getNameAsString()] = text;
    }
    return true;
  }
  /// The arguments that a call in a template gives to a function template, `load<TX, 8>(s)`; false
  /// if it does not write all of them, or one is more than a name or number.
  bool findWrittenArguments(const FunctionFacts& f, const clang::CallExpr* call,
                            std::map<std::string, std::string>& written) const {
    const clang::FunctionTemplateDecl* pattern = f.decl->getDescribedFunctionTemplate();
    if (!pattern)
      return true;
    llvm::ArrayRef<clang::TemplateArgumentLoc> arguments;
    const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    if (const auto* several = llvm::dyn_cast<clang::UnresolvedLookupExpr>(callee))
      arguments = several->template_arguments();
    else if (const auto* one = llvm::dyn_cast<clang::DeclRefExpr>(callee))
      arguments = one->template_arguments();
    const clang::TemplateParameterList* parameters = pattern->getTemplateParameters();
    if (parameters->size() != arguments.size())
      return false;
    for (unsigned i = 0; i < arguments.size(); ++i) {
      const clang::NamedDecl* parameter = parameters->getParam(i);
      const auto range = body_.text.rangeOf(arguments[i].getSourceRange());
      if (!range || arguments[i].getSourceRange().getBegin().isMacroID() ||
          arguments[i].getSourceRange().getEnd().isMacroID() || parameter->isParameterPack() ||
          parameter->getName().empty())
        return false;
      const std::string text = body_.text.buffer(range->file).slice(range->begin, range->end).str();
      const auto* number = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
      // The number that a parameter of another type would be.
      if (!std::all_of(text.begin(), text.end(),
                       [](char c) { return clang::isAlphanumeric(c) || c == '_'; }) ||
          (number && !hasTypeOf(number, arguments[i])) ||
          (!number && !llvm::isa<clang::TemplateTypeParmDecl>(parameter)))
        return false;
      written[parameter->getNameAsString()] = text;
    }
    return true;
  }
  bool hasTypeOf(const clang::NonTypeTemplateParmDecl* parameter,
                 const clang::TemplateArgumentLoc& argument) const {
    if (argument.getArgument().getKind() != clang::TemplateArgument::Expression &&
        argument.getArgument().getKind() != clang::TemplateArgument::Integral)
      return false;
    const clang::Expr* given = argument.getSourceExpression();
    return given && !parameter->getType()->isDependentType() && !given->isTypeDependent() &&
           body_.unit.context().hasSameUnqualifiedType(parameter->getType(),
                                                       given->IgnoreParenImpCasts()->getType());
  }

  /// A text in which names are replaced; nothing if one is a member's.
  std::optional<std::string> replacedIn(const std::string& text,
                                        const std::map<std::string, std::string>& written) const {
    const std::string closed = text + "\n";
    std::string out;
    std::size_t done = 0;
    bool ofMember = false;
    for (const RawToken& token : rawTokens(closed)) {
      const auto found =
          token.kind == clang::tok::raw_identifier ? written.find(token.text.str()) : written.end();
      const bool member = ofMember;
      ofMember = token.text == "." || token.text == "->" || token.text == "::";
      if (found == written.end())
        continue;
      if (member)
        return std::nullopt;
      out += closed.substr(done, token.offset - done) + found->second;
      done = token.offset + token.text.size();
    }
    return out + closed.substr(done, text.size() - done);
  }

  /// Writes arguments in the place of template parameters' names; false if a member has one.
  bool replaceTemplateParameters(const std::map<std::string, std::string>& written,
                                 const FileRange& range, TokenChanges& changes) const {
    const std::string own =
        body_.text.buffer(range.file).slice(range.begin, range.end).str() + "\n";
    const std::vector<RawToken> tokens = rawTokens(own);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto found = tokens[i].kind == clang::tok::raw_identifier
                             ? written.find(tokens[i].text.str())
                             : written.end();
      const bool member = i > 0 && (tokens[i - 1].text == "." || tokens[i - 1].text == "->" ||
                                    tokens[i - 1].text == "::");
      if (found == written.end())
        continue;
      if (member)
        return false;
      changes.instead[range.begin + tokens[i].offset] = found->second;
    }
    return true;
  }

  /// The place of a statement's last token.
  std::optional<FilePosition> endOfStatement(const clang::IfStmt* s) const {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s->getThen()))
      return list->getRBracLoc().isMacroID() ? std::nullopt
                                             : body_.text.positionOf(list->getRBracLoc());
    const auto range = body_.text.rangeOf(s->getSourceRange());
    const auto semicolon = range ? behindSemicolon(body_.text, *range) : std::nullopt;
    if (!semicolon)
      return std::nullopt;
    return FilePosition{range->file, *semicolon - 1};
  }

  /// Dynamic shared memory that caller and function declare alike is the same.
  bool dropShared(const CalledBody& contents, TokenChanges& changes, std::set<std::string>& own) {
    for (const clang::DeclStmt* s : contents.shared) {
      const auto* variable = llvm::cast<clang::VarDecl>(s->getSingleDecl());
      bool declared = false;
      for (const clang::DeclStmt* mine : body_.contents.declarations) {
        const auto* other =
            mine->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(mine->getSingleDecl()) : nullptr;
        declared |= other && isShared(other) && isDynamic(other) &&
                    other->getName() == variable->getName() &&
                    parents_.getParent(mine) == body_.function->getBody() &&
                    body_.unit.context().hasSameType(other->getType(), variable->getType());
      }
      own.insert(variable->getNameAsString());
      if (!declared) {
        if (names_.count(variable->getNameAsString()))
          return false;
        continue;
      }
      const auto range = body_.text.rangeOf(s->getSourceRange());
      if (!range)
        return false;
      const std::string text =
          body_.text.buffer(range->file).slice(range->begin, range->end).str() + "\n";
      for (const RawToken& token : rawTokens(text))
        changes.instead[range->begin + token.offset] = "";
      if (!llvm::StringRef(text).rtrim().ends_with(";"))
        return false;
    }
    return true;
  }

  /// All names that the caller declares, with those of its template's parameters.
  std::set<std::string> declaredByCaller() const {
    class Declared : public SyntaxVisitor {
    public:
      std::set<std::string> names;
      bool VisitNamedDecl(clang::NamedDecl* decl) override {
        names.insert(decl->getNameAsString());
        return true;
      }
    } all;
    all.TraverseStmt(body_.function->getBody());
    for (const clang::ParmVarDecl* parameter : body_.function->parameters())
      all.names.insert(parameter->getNameAsString());
    if (const auto* pattern = body_.function->getDescribedFunctionTemplate())
      for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters())
        all.names.insert(parameter->getNameAsString());
    return all.names;
  }

  /// Whether a macro that a function's text names changes behind it.
  bool changesMacros(const FileRange& range, const FileRange& place) const {
    if (range.file != place.file)
      return false;
    const auto changed = bodyMacros(body_.text.buffer(range.file), range.begin, place.begin).names;
    const auto named =
        identifiersIn(body_.text.buffer(range.file).slice(range.begin, range.end).str());
    return std::any_of(changed.begin(), changed.end(),
                       [&](const std::string& name) { return named.count(name) != 0; });
  }
  /// Whether a file defines or undefines a macro that a header's function names.
  bool definesMacros(const std::string& file, const FileRange& range) const {
    const llvm::StringRef all = body_.text.buffer(file);
    const auto changed = bodyMacros(all, 0, unsigned(all.size())).names;
    const auto named =
        identifiersIn(body_.text.buffer(range.file).slice(range.begin, range.end).str());
    return std::any_of(changed.begin(), changed.end(),
                       [&](const std::string& name) { return named.count(name) != 0; });
  }

  const PlainBody& body_;
  const Facts& facts_;
  const SharedWithOthers& shared_;
  const clang::ParentMap& parents_;
  const bool kernel_;
  const bool inTemplate_;
  std::set<std::string> names_; ///< all identifiers in the caller's text
};

} // namespace

void writeOutCalls(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared) {
  if (!body.contents.lambdas && !llvm::isa<clang::CXXMethodDecl>(body.function))
    WritingOut(body, facts, shared).run();
}

} // namespace cu2cpp
