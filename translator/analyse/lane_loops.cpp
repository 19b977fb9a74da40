// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/lane_loops.h"

#include <algorithm>
#include <optional>

#include "analyse/instance_calls.h"
#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "analyse/region_parts.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// How a value differs between neighbouring threads of a row.
enum class Step {
  None, ///< the same value
  One,  ///< one more in each thread
  Other ///< anything else
};

/// Whether an argument is the address of a local scalar, or of a structure of numbers:
/// `draw(&seed)`.
bool isAddressOfScalar(const clang::Expr* argument, const Uniformity& uniformity) {
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenImpCasts());
  const clang::VarDecl* variable = address && address->getOpcode() == clang::UO_AddrOf
                                       ? namedBy(address->getSubExpr())
                                       : nullptr;
  const LocalVariable* local = variable ? uniformity.find(variable) : nullptr;
  return local && (local->scalar || isOfNumbers(variable->getType())) &&
         !variable->getType()->isReferenceType() && !variable->getType().isVolatileQualified();
}

/// Numbers, and structures of a few.
bool isPlain(clang::QualType type) { return type->isArithmeticType() || isOfNumbers(type); }

/// The parameter that `*parameter` or `parameter->x` reaches through, if it does nothing else.
const clang::ParmVarDecl* reachedThrough(const clang::Expr* e) {
  const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
  const bool reaches = op ? op->getOpcode() == clang::UO_Deref : member && member->isArrow();
  if (!reaches || !isPlain(e->getType()))
    return nullptr;
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(
      (op ? op->getSubExpr() : member->getBase())->IgnoreParenImpCasts());
  return use ? llvm::dyn_cast<clang::ParmVarDecl>(use->getDecl()) : nullptr;
}

/// Whether a function computes with scalars and structures of numbers alone, some of which it
/// changes for its caller, by reference or through pointers that it does nothing else with.
bool changesScalarsOnly(const clang::FunctionDecl* function, const Facts& facts,
                        unsigned depth = 0) {
  const clang::FunctionDecl* definition = nullptr;
  if (depth > 4 || !function->hasBody(definition))
    return false;
  class Body : public SyntaxVisitor {
  public:
    Body(const Facts& facts, unsigned depth) : facts_(facts), depth_(depth) {}
    bool fits = true;
    bool TraverseUnaryOperator(clang::UnaryOperator* op) override {
      return reachedThrough(op) || SyntaxVisitor::TraverseUnaryOperator(op);
    }
    bool TraverseMemberExpr(clang::MemberExpr* member) override {
      return reachedThrough(member) || SyntaxVisitor::TraverseMemberExpr(member);
    }
    bool VisitStmt(clang::Stmt* at) override {
      if (const auto* call = llvm::dyn_cast<clang::CallExpr>(at)) {
        const clang::FunctionDecl* callee = call->getDirectCallee();
        return fits = callee && (isPureFunction(callee, facts_) ||
                                 changesScalarsOnly(callee, facts_, depth_ + 1));
      }
      if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(at)) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        return fits = llvm::isa<clang::FunctionDecl, clang::EnumConstantDecl>(use->getDecl()) ||
                      (variable && (variable->hasLocalStorage() || isNamedConstant(variable)) &&
                       isPlain(use->getType()));
      }
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at))
        return fits = !member->isArrow() &&
                      (llvm::isa<clang::CXXMethodDecl>(member->getMemberDecl()) ||
                       isOfNumbers(member->getBase()->getType()));
      if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(at))
        return fits = op->getOpcode() != clang::UO_AddrOf && op->getOpcode() != clang::UO_Deref;
      return fits = !llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                               clang::CXXForRangeStmt, clang::ArraySubscriptExpr, clang::LambdaExpr,
                               clang::AsmStmt, clang::GotoStmt, clang::SwitchStmt>(at);
    }

  private:
    const Facts& facts_;
    unsigned depth_;
  } body(facts, depth);
  body.TraverseStmt(definition->getBody());
  return body.fits;
}

/// About how much the user's functions compute that a call reaches.
unsigned workIn(const clang::FunctionDecl* function, const Facts& facts, unsigned depth = 0) {
  class Body : public SyntaxVisitor {
  public:
    Body(const Facts& facts, unsigned depth) : facts_(facts), depth_(depth) {}
    unsigned work = 0;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      work += op->getType()->isFloatingType();
      return true;
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      if (const clang::FunctionDecl* callee = call->getDirectCallee())
        work += workIn(callee, facts_, depth_ + 1);
      return true;
    }

  private:
    const Facts& facts_;
    unsigned depth_;
  };
  const clang::FunctionDecl* definition = nullptr;
  if (depth > 4 || !facts.find(function) || !function->hasBody(definition))
    return 0;
  Body body(facts, depth);
  body.TraverseStmt(definition->getBody());
  return body.work;
}

class Chooser {
public:
  Chooser(const Facts& all, const FunctionFacts& function, const Uniformity& uniformity, bool rows)
      : all_(all), facts_(function), function_(function.decl), uniformity_(uniformity),
        rows_(rows) {}

  LaneLoops choose() {
    visit(function_->getBody());
    return std::move(out_);
  }

private:
  /// Visits a piece of code; false if it holds a loop that stays inside the loop over threads.
  bool visit(const clang::Stmt* s) {
    if (!s)
      return true;
    if (llvm::isa<clang::LambdaExpr>(s))
      return true;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
        branch && !branch->getElse() && isForOneLane(branch->getCond()))
      return !holdsLoop(branch->getThen());
    bool all = true;
    const std::size_t before = out_.loops.size(), beforeOfBlock = out_.ofBlock.size();
    for (const clang::Stmt* child : s->children())
      all &= visit(child);
    const std::size_t inside = out_.loops.size() - before;
    const std::size_t insideOfBlock = out_.ofBlock.size() - beforeOfBlock;
    if (inside == 0 && rows_ && isArithmetic(s)) {
      out_.loops.insert(s);
      out_.arithmetic.insert(s);
      return true;
    }
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
    if (!loop)
      return all && !llvm::isa<clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
    const bool strided = isStrided(loop);
    if (strided)
      out_.strided.insert(loop);
    if (all && (strided || isUniform(loop)) && pays(loop)) {
      const bool ofBlock = strided ? inside == 0 && stridesWithBlock(loop)
                                   : inside == insideOfBlock && writesWithBlock(loop);
      if (ofBlock)
        out_.ofBlock.insert(loop);
      // Lanes of a warp lie side by side only where warps are rows of the block.
      if (ofBlock || rows_) {
        out_.loops.insert(loop);
        return true;
      }
    }
    if (isTile(loop))
      out_.writtenOut.insert(loop);
    // A short loop is unrolled and in nobody's way.
    return all && tripCount(loop) <= mostUnrolled;
  }

  static constexpr unsigned long long mostUnrolled = 8;

  /// `threadIdx.x == k && ...`: what a single lane does is no work for all of them.
  bool isForOneLane(const clang::Expr* condition) const {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (op && op->getOpcode() == clang::BO_LAnd)
      return isForOneLane(op->getLHS()) || isForOneLane(op->getRHS());
    if (!op || op->getOpcode() != clang::BO_EQ)
      return false;
    const Step left = step(op->getLHS(), Scope::Warp), right = step(op->getRHS(), Scope::Warp);
    return (left == Step::One && right == Step::None) || (left == Step::None && right == Step::One);
  }

  /// Whether a short loop only computes on the thread's own arrays, in short loops over those, with
  /// what neighbouring threads read side by side.
  bool isTile(const clang::ForStmt* loop) const {
    class Body : public SyntaxVisitor {
    public:
      explicit Body(const Chooser& chooser) : chooser_(chooser) {}
      bool fits = true, ownArrays = false, neighbours = false;
      unsigned long long copies = 1;

      bool TraverseForStmt(clang::ForStmt* inner) override {
        const unsigned long long outside = copies, steps = chooser_.tripCount(inner);
        if (steps > mostUnrolled || outside * steps > mostCopies)
          return fits = false;
        copies *= steps;
        const bool more = SyntaxVisitor::TraverseForStmt(inner);
        copies = outside;
        return more;
      }
      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
        if (access->getType()->isArrayType())
          return true;
        Step total = Step::None;
        const clang::Expr* base = access;
        while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
          const Step one = chooser_.step(at->getIdx(), Scope::Block);
          total = at == access ? one : one == Step::None ? total : Step::Other;
          base = at->getBase()->IgnoreParenImpCasts();
        }
        if (ownArray(base))
          return ownArrays = true;
        neighbours |= total == Step::One;
        return fits = total != Step::Other && namedBy(base);
      }
      bool VisitStmt(clang::Stmt* s) override {
        if (llvm::isa<clang::CallExpr, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                      clang::SwitchStmt, clang::IfStmt, clang::GotoStmt, clang::LabelStmt,
                      clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt, clang::AsmStmt,
                      clang::LambdaExpr, clang::CXXTryStmt>(s))
          fits = false;
        return fits;
      }

    private:
      const Chooser& chooser_;
    };
    const unsigned long long steps = tripCount(loop);
    if (steps < 2 || steps > mostSteps || !isUniform(loop))
      return false;
    Body body(*this);
    body.copies = steps;
    body.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    return body.fits && body.ownArrays && body.neighbours;
  }

  /// A loop that threads leave one by one, and that does nothing but compute with scalars of the
  /// thread: as many lanes as are left compute side by side.
  bool isArithmetic(const clang::Stmt* s) const {
    const auto* f = llvm::dyn_cast<clang::ForStmt>(s);
    const auto* w = llvm::dyn_cast<clang::WhileStmt>(s);
    const auto* d = llvm::dyn_cast<clang::DoStmt>(s);
    const clang::Expr* condition = f ? f->getCond() : w ? w->getCond() : d ? d->getCond() : nullptr;
    if (!condition || (f && f->getConditionVariable()) || (w && w->getConditionVariable()))
      return false;
    // Threads that break or return leave a loop one by one, whatever its condition.
    const Contents contents(s);
    const bool leaves = contents.returns ||
                        std::any_of(contents.jumps.begin(), contents.jumps.end(),
                                    [&](const clang::Stmt* jump) { return loopAround(jump) == s; });
    if (!leaves && ((f && tripCount(f) != ~0ull) || uniformity_.isUniform(condition, Scope::Warp)))
      return false;
    class Arithmetic : public SyntaxVisitor {
    public:
      const Chooser* chooser = nullptr;
      const clang::Stmt* top = nullptr;
      const Uniformity* uniformity = nullptr;
      const clang::ASTContext* context = nullptr;
      const Facts* facts = nullptr;
      bool mayReturn = false;
      unsigned work = 0;
      bool fits = true;
      bool VisitStmt(clang::Stmt* at) override {
        if (const auto* call = llvm::dyn_cast<clang::CallExpr>(at))
          return fits = isFunctionOfScalars(call);
        if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(at))
          return fits = isScalar(use);
        if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(at)) {
          work += op->getType()->isArithmeticType() && op->getOpcode() != clang::BO_Assign;
          // No processor divides vectors of integers, but all shift them.
          if (op->getType()->isIntegerType() && !isShift(op) &&
              (op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem ||
               op->getOpcode() == clang::BO_DivAssign || op->getOpcode() == clang::BO_RemAssign))
            fits = false;
        }
        if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(at))
          fits = op->getOpcode() != clang::UO_Deref &&
                 (op->getOpcode() != clang::UO_AddrOf || addresses_.count(op));
        if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(at))
          fits = at == top || isWrittenOut(at);
        if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at))
          fits = isOwnElement(element);
        if (llvm::isa<clang::CXXForRangeStmt, clang::GotoStmt, clang::LabelStmt, clang::SwitchStmt,
                      clang::AsmStmt, clang::LambdaExpr, clang::CXXNewExpr, clang::CXXThisExpr>(at))
          fits = false;
        if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(at))
          fits = isOfNumbers(made->getType()) ||
                 (isOfValues(made->getType()) && isPureExpression(made, *facts));
        if (llvm::isa<clang::ReturnStmt>(at))
          fits = mayReturn;
        return fits;
      }

      bool VisitVarDecl(clang::VarDecl* variable) override {
        declared_.insert(variable);
        return true;
      }

    private:
      /// Whether a division is one by a power of two, or one for all lanes.
      bool isShift(const clang::BinaryOperator* op) const {
        clang::Expr::EvalResult by;
        return uniformity->isUniform(op, Scope::Warp) ||
               (!op->getRHS()->isValueDependent() && op->getRHS()->EvaluateAsInt(by, *context) &&
                by.Val.getInt().isStrictlyPositive() && by.Val.getInt().isPowerOf2());
      }
      bool isScalar(const clang::DeclRefExpr* use) const {
        if (llvm::isa<clang::EnumConstantDecl, clang::FunctionDecl>(use->getDecl()) ||
            builtinOf(use->getDecl()))
          return true;
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        return variable && (variable->hasLocalStorage() || isNamedConstant(variable)) &&
               (variable->getType()->isArithmeticType() ||
                (declared_.count(variable) && isArrayOfNumbers(variable->getType())) ||
                (isMadeAnew(variable) && isOfValues(variable->getType())) ||
                ((declared_.count(variable) || isSameForAll(use)) &&
                 isOfNumbers(variable->getType()))) &&
               !variable->getType().isVolatileQualified();
      }
      static bool isArrayOfNumbers(clang::QualType type) {
        return type->isConstantArrayType() &&
               type->castAsArrayTypeUnsafe()->getElementType()->isArithmeticType();
      }
      /// A constant object that all lanes can make again where they ask it:
      /// `const Philox random(seed, thread);`
      bool isMadeAnew(const clang::VarDecl* variable) const {
        return variable->getType().isConstQualified() && variable->getInit() &&
               isPureExpression(variable->getInit(), *facts);
      }
      /// A short loop of known steps, after which no loop is left.
      bool isWrittenOut(const clang::Stmt* s) {
        const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
        if (!loop || chooser->tripCount(loop) > mostUnrolled)
          return false;
        counters_.insert(chooser->variableOf(loop));
        return true;
      }
      /// An element of an array that lives in one step, at a place that is known once loops are
      /// written out.
      bool isOwnElement(const clang::ArraySubscriptExpr* element) const {
        const clang::VarDecl* array = ownArray(element->getBase()->IgnoreParenImpCasts());
        const auto* use =
            llvm::dyn_cast<clang::DeclRefExpr>(element->getIdx()->IgnoreParenImpCasts());
        return array && declared_.count(array) && isArrayOfNumbers(array->getType()) &&
               (constantOf(element->getIdx(), *context) ||
                (use && counters_.count(llvm::dyn_cast<clang::VarDecl>(use->getDecl()))));
      }
      /// A structure that the kernel is given: `while (n < view.limit)`. (In a template's instance
      /// it stands where the pattern has it.)
      bool isSameForAll(const clang::DeclRefExpr* use) const {
        const auto& all = uniformity->variables();
        return !mayReturn && llvm::isa<clang::ParmVarDecl>(use->getDecl()) &&
               std::any_of(all.begin(), all.end(), [&](const auto& entry) {
                 return entry.first->getLocation() == use->getDecl()->getLocation() &&
                        entry.second.uniform && !entry.second.modified && !entry.second.escapes;
               });
      }
      bool isFunctionOfScalars(const clang::CallExpr* call) {
        const clang::FunctionDecl* callee = call->getDirectCallee();
        if (!callee || callee->isVariadic() || hasMark(callee, "thread"))
          return false;
        if (isFunctionOfStructures(callee)) {
          work += 2;
          return true;
        }
        if (const FunctionFacts* known = facts->find(callee);
            setsOwnNumbers(call) && !(known && known->device) && !hasMark(callee, "device")) {
          for (const clang::Expr* argument : call->arguments())
            addresses_.insert(argument->IgnoreParenImpCasts());
          return true;
        }
        if (callee->getNumParams() == 0 || call->getNumArgs() != callee->getNumParams())
          return false;
        // By reference or pointer too: `step(x, y, cx, cy);`, `draw(&seed);`
        bool places = false;
        for (unsigned i = 0; i < callee->getNumParams(); ++i) {
          const clang::QualType type = callee->getParamDecl(i)->getType();
          places |= type->isLValueReferenceType() || type->isPointerType();
          if (type->isPointerType()) {
            if (!isAddressOfScalar(call->getArg(i), *uniformity) ||
                !changesScalarsOnly(callee, *facts))
              return false;
            addresses_.insert(call->getArg(i)->IgnoreParenImpCasts());
          } else if (!type.getNonReferenceType()->isArithmeticType()) {
            return false;
          }
        }
        return callee->getReturnType()->isArithmeticType() ||
               (places && callee->getReturnType()->isVoidType());
      }
      /// Methods and operators of structures of numbers, or functions of such, that do nothing but
      /// compute their result.
      bool isFunctionOfStructures(const clang::FunctionDecl* callee) const {
        const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
        bool plain = isPlain(callee->getReturnType());
        bool structures = isOfNumbers(callee->getReturnType()) || method;
        for (const clang::ParmVarDecl* parameter : callee->parameters()) {
          const clang::QualType type = parameter->getType().getNonReferenceType();
          plain &= isPlain(type) &&
                   (!parameter->getType()->isReferenceType() || type.isConstQualified());
          structures |= isOfNumbers(type);
        }
        if (method && !method->isStatic())
          plain &= isOfValues(method->getThisType()->getPointeeType().getUnqualifiedType());
        return plain && structures && isPureFunction(callee, *facts);
      }
      std::set<const clang::Expr*> addresses_;
      std::set<const clang::VarDecl*> declared_, counters_;
    };
    const auto computesOnly = [&](const clang::Stmt* loop) {
      Arithmetic arithmetic;
      arithmetic.chooser = this;
      arithmetic.top = loop;
      arithmetic.uniformity = &uniformity_;
      arithmetic.context = &function_->getASTContext();
      arithmetic.facts = &all_;
      arithmetic.mayReturn = !facts_.kernel;
      arithmetic.TraverseStmt(const_cast<clang::Stmt*>(loop));
      return arithmetic.fits && arithmetic.work >= 4;
    };
    if (!function_->isDependentContext())
      return computesOnly(s);
    // A pack is no variable that could be kept for each lane.
    if (std::any_of(function_->param_begin(), function_->param_end(),
                    [](const auto* parameter) { return parameter->isParameterPack(); }))
      return false;
    // A template's own types and functions are those of its instances.
    const std::vector<const clang::Stmt*> instances = inInstances(s);
    return !instances.empty() && std::all_of(instances.begin(), instances.end(), computesOnly);
  }

  /// The loop that a jump leaves or continues, unless it leaves a switch.
  const clang::Stmt* loopAround(const clang::Stmt* jump) const {
    const clang::Stmt* at = jump;
    while ((at = uniformity_.parents().getParent(at)))
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(at) ||
          (llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(at)))
        break;
    return at;
  }

  /// A loop of a template in all of its instances; none if one lacks it.
  std::vector<const clang::Stmt*> inInstances(const clang::Stmt* loop) const {
    class Same : public SyntaxVisitor {
    public:
      const clang::Stmt *loop = nullptr, *found = nullptr;
      bool VisitStmt(clang::Stmt* at) override {
        if (at->getStmtClass() == loop->getStmtClass() && at->getBeginLoc() == loop->getBeginLoc())
          found = at;
        return !found;
      }
    };
    std::vector<const clang::Stmt*> out;
    for (const clang::FunctionDecl* body : facts_.bodies) {
      if (body == function_ || body->isDependentContext())
        continue;
      Same same;
      same.loop = loop;
      same.TraverseStmt(body->getBody());
      if (!same.found)
        return {};
      out.push_back(same.found);
    }
    return out;
  }

  const clang::VarDecl* variableOf(const clang::ForStmt* loop) const {
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* variable = init && init->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                               : nullptr;
    const LocalVariable* local = variable ? uniformity_.find(variable) : nullptr;
    return local && variable->hasInit() && local->integer ? variable : nullptr;
  }
  bool isUniform(const clang::ForStmt* loop) const {
    const clang::VarDecl* variable = variableOf(loop);
    const LocalVariable* local = variable ? uniformity_.find(variable) : nullptr;
    return local && (local->uniform || local->warpUniform) && loop->getCond() && loop->getInc() &&
           uniformity_.isUniform(loop->getCond(), Scope::Warp) && changesInHeaderOnly(loop, *local);
  }
  /// `for (int i = <of the thread>; ...; i += <uniform>)`
  bool isStrided(const clang::ForStmt* loop) const {
    const clang::VarDecl* variable = variableOf(loop);
    const LocalVariable* local = variable ? uniformity_.find(variable) : nullptr;
    if (!local || local->escapes || !loop->getCond() || !changesInHeaderOnly(loop, *local) ||
        step(variable->getInit(), Scope::Warp) != Step::One ||
        !readsUniformMemoryOnly(variable->getInit(), Scope::Warp))
      return false;
    const auto* inc = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
    if (!inc || inc->getOpcode() != clang::BO_AddAssign ||
        !uniformity_.isUniform(inc->getRHS(), Scope::Block))
      return false;
    // What the start names must still have its value in later steps.
    class Names : public SyntaxVisitor {
    public:
      const Uniformity* uniformity = nullptr;
      const clang::ForStmt* loop = nullptr;
      bool fixed = true;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        const LocalVariable* local = variable ? uniformity->find(variable) : nullptr;
        fixed &=
            !local || !local->modified ||
            (!local->escapes && std::none_of(local->assignments.begin(), local->assignments.end(),
                                             [&](const clang::Expr* a) { return isInside(a); }));
        return fixed;
      }

    private:
      bool isInside(const clang::Stmt* s) const {
        for (; s; s = uniformity->parents().getParent(s))
          if (s == loop)
            return true;
        return false;
      }
    } names;
    names.uniformity = &uniformity_;
    names.loop = loop;
    names.TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
    names.TraverseStmt(inc->getRHS());
    return names.fixed;
  }
  /// What is read from memory is one value for the group, which reads it once.
  bool readsUniformMemoryOnly(const clang::Expr* e, Scope scope) const {
    if (!Uniformity::readsMemory(e) || uniformity_.isUniform(e, scope))
      return true;
    if (!llvm::isa<clang::BinaryOperator, clang::CastExpr, clang::ParenExpr>(e))
      return false;
    for (const clang::Stmt* child : e->children())
      if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
          part && !readsUniformMemoryOnly(part, scope))
        return false;
    return true;
  }
  /// A strided loop that the block can go through together: threads leave it from the last one on.
  bool stridesWithBlock(const clang::ForStmt* loop) const {
    const auto* test =
        llvm::dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
    const clang::VarDecl* variable = variableOf(loop);
    return test && variable && namedBy(test->getLHS()) == variable &&
           (test->getOpcode() == clang::BO_LT || test->getOpcode() == clang::BO_LE) &&
           (variable->getType()->isSignedIntegerType() ||
            uniformity_.isNeverNegative(variable->getInit())) &&
           uniformity_.isUniform(test->getRHS(), Scope::Block) &&
           step(variable->getInit(), Scope::Block) == Step::One &&
           readsUniformMemoryOnly(variable->getInit(), Scope::Block);
  }
  /// A loop with one head for the block that writes rows of memory in each step, or updates what
  /// threads share. (One that only adds up keeps the sums of a warp in registers.)
  bool writesWithBlock(const clang::ForStmt* loop) const {
    const LocalVariable* local = uniformity_.find(variableOf(loop));
    if (!local->uniform || !uniformity_.isUniform(loop->getCond(), Scope::Block))
      return false;
    class Writes : public SyntaxVisitor {
    public:
      const Chooser* chooser = nullptr;
      bool found = false;
      bool VisitCallExpr(clang::CallExpr* call) override {
        const clang::FunctionDecl* callee = call->getDirectCallee();
        found |= callee && ((hasMark(callee, "in_block") && chooser->isStatement(call)) ||
                            updatesOnly(callee));
        return true;
      }
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        const auto* element =
            llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParens());
        if (op->isAssignmentOp() && element)
          found |= chooser->step(element->getIdx(), Scope::Block) == Step::One;
        return true;
      }
    } writes;
    writes.chooser = this;
    writes.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    return writes.found;
  }
  static bool changesInHeaderOnly(const clang::ForStmt* loop, const LocalVariable& local) {
    return local.assignments.size() == 1 && loop->getInc() &&
           local.assignments.front() == loop->getInc()->IgnoreParens();
  }

  /// About how many steps a loop between constants has, whichever way it counts.
  /// tripCount() is how many steps a loop has; in a template, that of the instance with most.
  unsigned long long tripCount(const clang::ForStmt* loop) const {
    if (const auto steps = knownSteps(loop))
      return *steps;
    if (!function_->isDependentContext() || !loop->getCond() || !loop->getInit())
      return ~0ull;
    class LoopsAt : public SyntaxVisitor {
    public:
      clang::SourceLocation at;
      std::optional<unsigned long long> steps = 0;
      bool VisitForStmt(clang::ForStmt* loop) override {
        if (loop->getForLoc() != at)
          return true;
        const auto own = knownSteps(loop);
        steps = own && steps ? std::optional(std::max(*own, *steps)) : std::nullopt;
        return true;
      }
    } loops;
    loops.at = loop->getForLoc();
    for (const clang::FunctionDecl* body : facts_.bodies)
      if (!body->isDependentContext() && body->getBody())
        loops.TraverseStmt(body->getBody());
    return loops.steps && *loops.steps > 0 ? *loops.steps : ~0ull;
  }
  static std::optional<unsigned long long> knownSteps(const clang::ForStmt* loop) {
    const auto* init = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* variable = init && init->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(init->getSingleDecl())
                               : nullptr;
    const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
    if (!variable || !variable->hasInit() || !variable->getType()->isIntegerType() || !test)
      return std::nullopt;
    const clang::ASTContext& context = variable->getASTContext();
    const auto from = constantOf(variable->getInit(), context),
               to = constantOf(test->getRHS(), context);
    if (!from || !to)
      return std::nullopt;
    return static_cast<unsigned long long>(*to > *from ? *to - *from : *from - *to);
  }

  /// stepOfMost() is how an expression differs between most neighbours: it tells whether a loop
  /// pays, not whether it may be cut.
  Step stepOfMost(const clang::Expr* e) const {
    return step(e, rows_ ? Scope::Warp : Scope::Block, true);
  }
  /// How an expression differs between neighbouring threads: of a warp, or of a row of the block.
  Step step(const clang::Expr* e, Scope scope, bool ofMost = false, unsigned depth = 0) const {
    if (!e || depth > 20)
      return Step::Other;
    e = e->IgnoreParenCasts();
    if (uniformity_.isUniform(e, scope))
      return Step::None;
    if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
      return step(pseudo->getResultExpr(), scope, ofMost, depth + 1);
    if (isRankInBlock(e))
      return Step::One;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenCasts());
      if (use && builtinOf(use->getDecl()) == BlockIdx)
        return Step::None; // where blocks are joined: the same within each row of threads
      const bool isThread = use && builtinOf(use->getDecl()) == ThreadIdx;
      return isThread ? member->getMemberDecl()->getName() == "x" ? Step::One : Step::None
                      : Step::Other;
    }
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      const LocalVariable* local = variable ? uniformity_.find(variable) : nullptr;
      if (!local || !variable->hasInit() || local->escapes)
        return Step::Other;
      if (!local->modified)
        return step(variable->getInit(), scope, ofMost, depth + 1);
      // The variable of a strided loop: each step keeps the distance.
      for (const clang::Expr* a : local->assignments) {
        const auto* op = llvm::dyn_cast<clang::BinaryOperator>(a);
        if (!op ||
            (op->getOpcode() != clang::BO_AddAssign && op->getOpcode() != clang::BO_SubAssign))
          return Step::Other;
        if (!uniformity_.isUniform(op->getRHS(), scope))
          return Step::Other;
      }
      return step(variable->getInit(), scope, ofMost, depth + 1);
    }
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e)) {
      const Step left = step(op->getLHS(), scope, ofMost, depth + 1),
                 right = step(op->getRHS(), scope, ofMost, depth + 1);
      if (op->getOpcode() == clang::BO_Add && (left == Step::None || right == Step::None))
        return left == Step::None ? right : left;
      if (op->getOpcode() == clang::BO_Sub && right == Step::None)
        return left;
      // `t / width` and `t % width` of a tile's elements, of which threads load one after the
      // other. Widths that a template's parameters give are seldom short.
      constexpr long long shortest = 8;
      if (ofMost && left == Step::One &&
          constant(op->getRHS()).value_or(op->getRHS()->isValueDependent() ? shortest : 0) >=
              shortest &&
          (op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem))
        return op->getOpcode() == clang::BO_Div ? Step::None : Step::One;
      if (scope == Scope::Warp && op->getOpcode() == clang::BO_And && left == Step::One &&
          isLaneMask(op->getRHS()))
        return Step::One;
      if (scope == Scope::Warp && op->getOpcode() == clang::BO_Rem && left == Step::One &&
          isWarpSize(op->getRHS()))
        return Step::One;
      return left == Step::None && right == Step::None ? Step::None : Step::Other;
    }
    // `min(max(x, 0), width - 1)` is x for most.
    const auto* call = ofMost ? llvm::dyn_cast<clang::CallExpr>(e) : nullptr;
    if (const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
        callee && callee->getNumParams() == 2 && callee->getIdentifier() &&
        (callee->getName() == "min" || callee->getName() == "max")) {
      const Step left = step(call->getArg(0), scope, ofMost, depth + 1),
                 right = step(call->getArg(1), scope, ofMost, depth + 1);
      return left == Step::None ? right : right == Step::None ? left : Step::Other;
    }
    return Step::Other;
  }
  std::optional<long long> constant(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
        use && use->getDecl()->getNameAsString() == "warpSize")
      return 32;
    clang::Expr::EvalResult result;
    if (e->isValueDependent() || !e->EvaluateAsInt(result, function_->getASTContext()))
      return std::nullopt;
    return result.Val.getInt().tryExtValue();
  }
  bool isLaneMask(const clang::Expr* e) const { return constant(e) == 31; }
  bool isWarpSize(const clang::Expr* e) const { return constant(e) == 32; }

  /// Whether all that a function does to memory is to update it by atomic functions whose results
  /// nobody takes: `void count(unsigned* bins, unsigned word) { atomicAdd(bins + (word & 255), 1);
  /// }`
  static bool updatesOnly(const clang::FunctionDecl* function, unsigned depth = 0) {
    const clang::FunctionDecl* definition = nullptr;
    if (depth > 4 || !function->getReturnType()->isVoidType() || !function->hasBody(definition))
      return false;
    class Body : public SyntaxVisitor {
    public:
      unsigned depth = 0;
      bool fits = true;
      bool VisitCompoundStmt(clang::CompoundStmt* list) override {
        for (const clang::Stmt* s : list->body())
          if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s))
            statements_.insert(call);
        return true;
      }
      bool VisitCallExpr(clang::CallExpr* call) override {
        const clang::FunctionDecl* callee = call->getDirectCallee();
        if (!callee || !statements_.count(call))
          return fits = false;
        if (!hasMark(callee, "in_block"))
          return fits = updatesOnly(callee, depth + 1);
        if (const auto* address =
                llvm::dyn_cast<clang::UnaryOperator>(call->getArg(0)->IgnoreParenImpCasts());
            address && address->getOpcode() == clang::UO_AddrOf)
          places_.insert(address->getSubExpr()->IgnoreParens());
        return true;
      }
      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
        return fits = places_.count(access);
      }
      bool VisitUnaryOperator(clang::UnaryOperator* op) override {
        return fits = op->getOpcode() != clang::UO_Deref;
      }
      bool VisitStmt(clang::Stmt* at) override {
        return fits &=
               !llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                          clang::MemberExpr, clang::LambdaExpr, clang::AsmStmt, clang::GotoStmt,
                          clang::SwitchStmt, clang::CXXConstructExpr, clang::CXXThisExpr>(at);
      }

    private:
      std::set<const clang::Stmt*> statements_, places_;
    } body;
    body.depth = depth;
    body.TraverseStmt(definition->getBody());
    return body.fits;
  }

  /// Whether nothing takes an expression's value.
  bool isStatement(const clang::Expr* e) const {
    const clang::Stmt* at = e;
    const clang::Stmt* parent = uniformity_.parents().getParent(at);
    while (parent && llvm::isa<clang::ExprWithCleanups, clang::ParenExpr>(parent)) {
      at = parent;
      parent = uniformity_.parents().getParent(at);
    }
    if (const auto* loop = llvm::dyn_cast_or_null<clang::ForStmt>(parent))
      return loop->getBody() == at;
    if (const auto* branch = llvm::dyn_cast_or_null<clang::IfStmt>(parent))
      return branch->getThen() == at || branch->getElse() == at;
    return llvm::isa_and_nonnull<clang::CompoundStmt>(parent);
  }

  /// `for (k ...) { const int j = threadIdx.x + k * 256; if (j <= i) ...; }`: in each step a range
  /// of the block's threads does something, which needs no masks if steps are taken one by one.
  bool isGuardedInSteps(const clang::ForStmt* loop) const {
    if (!isUniform(loop) || facts_.reached.scope != Scope::Block || !writesWithBlock(loop))
      return false;
    const Contents contents(loop);
    if (std::any_of(contents.uses.begin(), contents.uses.end(), [&](const auto* variable) {
          return !contents.declares.count(variable) && changesIn(loop, variable);
        }))
      return false;
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
    const clang::Stmt* last = list && !list->body_empty() ? list->body_back() : loop->getBody();
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(last);
    return branch && !branch->getElse() && isRangeOfStep(branch->getCond(), contents);
  }
  /// Whether a loop changes a scalar of the thread's, which would be kept from step to step.
  bool changesIn(const clang::ForStmt* loop, const clang::VarDecl* variable) const {
    const LocalVariable* local = uniformity_.find(variable);
    if (!local || !local->scalar || !local->modified)
      return false;
    return local->escapes || std::any_of(local->assignments.begin(), local->assignments.end(),
                                         [&](const clang::Stmt* at) {
                                           while (at && at != loop)
                                             at = uniformity_.parents().getParent(at);
                                           return at != nullptr;
                                         });
  }
  bool isRangeOfStep(const clang::Expr* condition, const Contents& contents) const {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (op && op->getOpcode() == clang::BO_LAnd)
      return isRangeOfStep(op->getLHS(), contents) || isRangeOfStep(op->getRHS(), contents);
    if (!op || !op->isRelationalOp())
      return false;
    const std::set<const clang::VarDecl*> used = Contents(op).uses;
    return step(op->getLHS(), Scope::Block) == Step::One &&
           step(op->getRHS(), Scope::Block) == Step::None &&
           std::any_of(used.begin(), used.end(), [&](const clang::VarDecl* variable) {
             return contents.declares.count(variable) != 0;
           });
  }
  /// Whether a thread's array lives through barriers of a loop around this one: it lies in memory
  /// then, the same element of all threads side by side.
  bool isKeptAround(const clang::ForStmt* loop, const clang::VarDecl* array) const {
    class Barriers : public SyntaxVisitor {
    public:
      bool found = false;
      bool VisitCallExpr(clang::CallExpr* call) override {
        found |= call->getDirectCallee() && hasMark(call->getDirectCallee(), "barrier");
        return !found;
      }
    };
    for (const clang::Stmt* at = uniformity_.parents().getParent(loop); at;
         at = uniformity_.parents().getParent(at)) {
      if (!llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(at))
        continue;
      Barriers barriers;
      barriers.TraverseStmt(const_cast<clang::Stmt*>(at));
      if (barriers.found)
        return Contents(at).declares.count(array) == 0;
    }
    return false;
  }

  /// Whether the loop's body gains from neighbouring threads side by side.
  bool pays(const clang::ForStmt* loop) const {
    class Body : public SyntaxVisitor {
    public:
      const Chooser* chooser = nullptr;
      const clang::VarDecl* variable = nullptr;
      const clang::ForStmt* guarded = nullptr; ///< a range of threads in each step
      unsigned neighbours = 0, work = 0;
      bool strided = false, fits = true;
      mutable bool updates = false; ///< memory that threads share

      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
        const clang::Expr* base = access->getBase()->IgnoreParenImpCasts();
        // An array of the thread's own: its elements lie far from the neighbour's.
        if (const clang::VarDecl* own = ownArray(base))
          return fits = guarded && chooser->stepOfMost(access->getIdx()) == Step::None &&
                        chooser->isKeptAround(guarded, own);
        // Structures gain where steps of a thread lie far from each other.
        if (!access->getType()->isScalarType() && !access->getType()->isDependentType()) {
          neighbours += strided && chooser->stepOfMost(access->getIdx()) == Step::One;
          return true;
        }
        const Step total =
            sum(chooser->stepOfMost(access->getIdx()),
                base->getType()->isArrayType() ? rowStep(base) : chooser->stepOfMost(base));
        neighbours += total == Step::One;
        work += total == Step::None;
        // Each thread walks along memory of its own: better one after the other.
        if (total == Step::Other && alongLoop(access->getIdx()))
          return fits = false;
        return true;
      }
      bool VisitUnaryOperator(clang::UnaryOperator* op) override {
        return fits &= op->getOpcode() != clang::UO_Deref;
      }
      bool VisitCallExpr(clang::CallExpr* call) override {
        const auto callees = calleesOf(call, chooser->facts_);
        for (const clang::FunctionDecl* callee : callees)
          work += callee ? workIn(callee, chooser->all_) : 0;
        return fits = !callees.empty() &&
                      std::all_of(callees.begin(), callees.end(),
                                  [&](const auto* callee) { return worksOnValues(call, callee); });
      }
      bool VisitBinaryOperator(clang::BinaryOperator* op) override {
        work += op->getType()->isFloatingType();
        return true;
      }
      bool VisitReturnStmt(clang::ReturnStmt*) override { return fits = false; }
      bool VisitBreakStmt(clang::BreakStmt*) override { return fits = false; }
      bool VisitContinueStmt(clang::ContinueStmt*) override { return fits = false; }
      bool VisitGotoStmt(clang::GotoStmt*) override { return fits = false; }
      bool VisitSwitchStmt(clang::SwitchStmt*) override { return fits = false; }
      bool VisitGCCAsmStmt(clang::GCCAsmStmt*) override { return fits = false; }
      bool VisitLambdaExpr(clang::LambdaExpr*) override { return fits = false; }
      bool VisitCXXNewExpr(clang::CXXNewExpr*) override { return fits = false; }
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        return fits &= !use->getType().isVolatileQualified();
      }

    private:
      bool worksOnValues(const clang::CallExpr* call, const clang::FunctionDecl* callee) const {
        // Threads may change one place in any order. What each finds there is not to depend on it.
        if ((hasMark(callee, "in_block") && chooser->isStatement(call)) || updatesOnly(callee))
          return updates = true;
        if (hasMark(callee, "thread") || callee->isVariadic())
          return false;
        const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
        if (method && method->isTrivial() &&
            (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()))
          return true;
        for (unsigned i = 0; i < callee->getNumParams(); ++i) {
          const clang::QualType type = callee->getParamDecl(i)->getType();
          const bool place = type->isPointerType() && i < call->getNumArgs();
          if (place ? !isAddressOfScalar(call->getArg(i), chooser->uniformity_) ||
                          !changesScalarsOnly(callee, chooser->all_)
                    : type->isPointerType() ||
                          (type->isReferenceType() && !type->getPointeeType().isConstQualified() &&
                           !changesScalarsOnly(callee, chooser->all_)))
            return false;
        }
        return true;
      }
      static Step sum(Step a, Step b) {
        return a == Step::None ? b : b == Step::None ? a : Step::Other;
      }
      Step rowStep(const clang::Expr* base) const {
        const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(base);
        if (!row)
          return Step::None;
        return chooser->stepOfMost(row->getIdx()) == Step::None
                   ? rowStep(row->getBase()->IgnoreParenImpCasts())
                   : Step::Other;
      }
      /// Whether an index grows by one with the loop's variable.
      bool alongLoop(const clang::Expr* index) const {
        index = index->IgnoreParenCasts();
        if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(index))
          return use->getDecl() == variable;
        const auto* op = llvm::dyn_cast<clang::BinaryOperator>(index);
        return op && op->isAdditiveOp() && (alongLoop(op->getLHS()) || alongLoop(op->getRHS()));
      }
    } body;
    body.chooser = this;
    body.variable = variableOf(loop);
    body.strided = !isUniform(loop);
    if (isGuardedInSteps(loop))
      body.guarded = loop;
    body.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
    // Updates of what threads share follow one another, and make no vectors of unrolled steps.
    if (!body.fits || (tripCount(loop) <= mostUnrolled && !body.updates && !body.guarded))
      return false;
    return body.neighbours > 0 || (body.work > 2 && isUniform(loop));
  }

  const Facts& all_;
  const FunctionFacts& facts_;
  const clang::FunctionDecl* function_;
  const Uniformity& uniformity_;
  bool rows_; ///< warps are rows of the block
  LaneLoops out_;
};

} // namespace

LaneLoops findLaneLoops(const Facts& facts, const FunctionFacts& function,
                        const Uniformity& uniformity, bool rows) {
  return Chooser(facts, function, uniformity, rows).choose();
}

} // namespace cu2cpp
