// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds loops that do nothing but wait until another thread has written to memory:
//
//   while (flag[b - 1] == 0)          volatile int* flag
//     ;
//   while (atomicAdd(&arrived, 0) < gridDim.x)
//     ;
//
// A GPU runs the threads that they wait for at the same time. Here the loop must give way to them:
// to other blocks, and to other threads of its own block.
//
// Loops that wait for time to pass are found the same way, `while (clock64() - start < n);`: a
// block's threads wait together, so one after the other would take as often as long.
//
// Functions of libcu++ that wait for other blocks (`semaphore.acquire()`) count as such loops.
//
// A loop waits if an exit depends on a value read afresh in each round, and if it stores nothing.
// CUDA C++ Programming Guide, 'Volatile Qualifier', 'Memory Fence Functions'.
#include "analyse/analyses.h"

#include "llvm/ADT/StringSwitch.h"

#include "analyse/marks.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

using Functions = std::set<const clang::FunctionDecl*>;

const clang::VarDecl* localOf(const clang::Expr* expression) {
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  return variable && variable->isLocalVarDeclOrParm() && !isShared(variable) &&
                 !variable->getType()->isReferenceType()
             ? variable
             : nullptr;
}

/// The variable that an assignment to a local, or to a member or element of one, changes.
const clang::VarDecl* changedLocal(const clang::Expr* target) {
  target = target->IgnoreParenImpCasts();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(target))
    return member->isArrow() ? nullptr : changedLocal(member->getBase());
  return localOf(target);
}

bool isZero(const clang::Expr* expression) {
  const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(expression->IgnoreParenImpCasts());
  return number && number->getValue() == 0;
}

llvm::StringRef nameOf(const clang::CallExpr* call) {
  const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(callee))
    return use->getDecl()->getIdentifier() ? use->getDecl()->getName() : "";
  if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(callee))
    return overloads->getName().isIdentifier()
               ? overloads->getName().getAsIdentifierInfo()->getName()
               : "";
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(callee))
    return member->getMemberDecl()->getIdentifier() ? member->getMemberDecl()->getName() : "";
  if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(callee))
    return member->getMember().isIdentifier() ? member->getMember().getAsIdentifierInfo()->getName()
                                              : "";
  return "";
}

llvm::StringRef withoutScope(llvm::StringRef name) {
  name.consume_back("_block");
  name.consume_back("_system");
  return name;
}

bool isOfNamespace(const clang::FunctionDecl* function, llvm::StringRef name) {
  if (!function)
    return false;
  for (const clang::DeclContext* at = function->getDeclContext(); at; at = at->getParent())
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(at))
      if (space->getName() == name)
        return true;
  return false;
}

enum class Awaited { Memory, MemoryOrTime };

/// What a piece of code reads afresh, changes and calls.
class Contents : public SyntaxVisitor {
public:
  Contents(const Functions& fresh, const std::set<const clang::VarDecl*>& changedInLoop,
           Awaited awaited)
      : fresh_(fresh), changedInLoop_(changedInLoop), awaited_(awaited) {}

  bool reads = false;  ///< reads memory that others may have written meanwhile
  bool shared = false; ///< and it is the block's own shared memory
  bool stores = false; ///< changes memory, or calls what may
  std::set<const clang::VarDecl*> used, changed;
  std::vector<std::pair<const clang::VarDecl*, const clang::Expr*>> assigned;
  std::vector<const clang::IfStmt*> branches;

  bool VisitExpr(clang::Expr* expression) override {
    // The text of a static_assert has no type.
    if (expression->getType().isNull() || !expression->getType().isVolatileQualified() ||
        !expression->isLValue())
      return true;
    if (const clang::VarDecl* variable = rootOf(expression); variable && isShared(variable))
      reads = shared = true;
    else if (!changedLocal(expression))
      reads = true;
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const clang::VarDecl* variable = localOf(use))
      used.insert(variable);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp()) {
      noteChange(op->getLHS());
      if (const clang::VarDecl* variable = changedLocal(op->getLHS()))
        assigned.push_back({variable, op->getRHS()});
    }
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* branch) override {
    branches.push_back(branch);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    if (op->isIncrementDecrementOp())
      noteChange(op->getSubExpr());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    changed.insert(variable);
    if (variable->hasInit())
      assigned.push_back({variable, variable->getInit()});
    return true;
  }
  bool VisitCXXNewExpr(clang::CXXNewExpr*) override { return stores = true; }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr*) override { return stores = true; }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee && fresh_.count(definitionOf(callee))) {
      noteFresh(call);
      return true;
    }
    const llvm::StringRef name = withoutScope(nameOf(call));
    const unsigned count = call->getNumArgs();
    if (name == "atomicCAS" && count == 3) {
      // In a loop that computes a new value from the old one the comparand changes.
      const clang::VarDecl* expected = localOf(call->getArg(1));
      if (expected && changedInLoop_.count(expected))
        stores = true;
      else
        noteFresh(call);
    } else if (name.starts_with("atomic") && count == 2) {
      if (isZero(call->getArg(1)))
        noteFresh(call);
      else
        stores = true;
    } else if (llvm::StringSwitch<bool>(name)
                   .Cases("__ldcg", "__ldcv", "loadRelaxed", "loadVolatile", "loadAcquire", true)
                   .Case("__nv_atomic_load_n", true)
                   .Case("load", callee && isOfNamespace(callee, "cuda"))
                   .Cases("clock", "clock64", awaited_ == Awaited::MemoryOrTime)
                   .Default(false)) {
      noteFresh(call);
    } else if (!isHarmless(callee, name) && !(name == "at" && isOfNamespace(callee, "ptx"))) {
      stores = true;
    }
    return true;
  }

private:
  static const clang::VarDecl* rootOf(const clang::Expr* expression) {
    for (;;) {
      expression = expression->IgnoreParenCasts();
      if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
        expression = element->getBase();
      else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression))
        expression = member->getBase();
      else if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expression);
               op && (op->getOpcode() == clang::UO_AddrOf || op->getOpcode() == clang::UO_Deref))
        expression = op->getSubExpr();
      else
        break;
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(expression);
    return use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  }
  void noteFresh(const clang::CallExpr* call) {
    reads = true;
    for (const clang::Expr* argument : call->arguments())
      if (const clang::VarDecl* variable = rootOf(argument); variable && isShared(variable))
        shared = true;
  }
  void noteChange(const clang::Expr* target) {
    if (const clang::VarDecl* variable = changedLocal(target))
      changed.insert(variable);
    else
      stores = true;
  }
  /// Fences, sleeps, clocks and arithmetic: what comes from the headers and takes no pointer.
  static bool isHarmless(const clang::FunctionDecl* callee, llvm::StringRef name) {
    if (name == "__nanosleep" || name.starts_with("__threadfence") || name.starts_with("clock") ||
        name == "printf")
      return name != "printf";
    if (!callee || syncScope(callee) != Scope::None)
      return false;
    for (const clang::ParmVarDecl* parameter : callee->parameters())
      if (parameter->getType()->isAnyPointerType() || parameter->getType()->isReferenceType())
        return false;
    return callee->isInlined() || callee->getBuiltinID() != 0;
  }

  const Functions& fresh_;
  const std::set<const clang::VarDecl*>& changedInLoop_;
  Awaited awaited_;
};

struct Loop {
  const clang::Stmt* statement;
  const clang::Expr* condition;
  const clang::Stmt* body;
};

/// The conditions on which a loop is left: its own, and those around break and return.
class Exits : public SyntaxVisitor {
public:
  std::vector<const clang::Expr*> conditions;
  bool TraverseIfStmt(clang::IfStmt* branch) override {
    if (leaves(branch->getThen()) || (branch->getElse() && leaves(branch->getElse())))
      conditions.push_back(branch->getCond());
    return SyntaxVisitor::TraverseIfStmt(branch);
  }

private:
  static bool leaves(const clang::Stmt* statement) {
    if (!statement)
      return false;
    if (llvm::isa<clang::BreakStmt, clang::ReturnStmt, clang::GotoStmt>(statement))
      return true;
    for (const clang::Stmt* child : statement->children())
      if (leaves(child))
        return true;
    return false;
  }
};

class LoopFinder : public SyntaxVisitor {
public:
  LoopFinder(const Functions& fresh, FunctionFacts& facts) : fresh_(fresh), facts_(facts) {}
  bool VisitWhileStmt(clang::WhileStmt* loop) override {
    return look({loop, loop->getCond(), loop->getBody()});
  }
  bool VisitDoStmt(clang::DoStmt* loop) override {
    return look({loop, loop->getCond(), loop->getBody()});
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    // Semaphores, latches and barriers of the device, whose loops are in our headers.
    if (const clang::FunctionDecl* callee = call->getDirectCallee())
      facts_.awaitsOthers |= syncScope(callee) == Scope::Grid && isOfNamespace(callee, "cuda");
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    if (loop->getInc()) // counts: it ends by itself
      if (!llvm::isa<clang::NullStmt>(loop->getBody()))
        return true;
    return look({loop, loop->getCond(), loop->getBody()});
  }

private:
  /// Variables whose value has been read afresh, was computed from such or changes only where such
  /// a value says so.
  std::set<const clang::VarDecl*> findRead(const Contents& whole,
                                           const std::set<const clang::VarDecl*>& changed,
                                           Awaited awaited) const {
    std::set<const clang::VarDecl*> read;
    const auto depends = [&](const clang::Expr* value) {
      Contents contents(fresh_, changed, awaited);
      contents.TraverseStmt(const_cast<clang::Expr*>(value));
      bool found = contents.reads;
      for (const clang::VarDecl* used : contents.used)
        found |= read.count(used) != 0;
      return found;
    };
    for (bool more = true; more;) {
      more = false;
      for (const auto& [variable, value] : whole.assigned)
        if (!read.count(variable) && depends(value))
          more |= read.insert(variable).second;
      for (const clang::IfStmt* branch : whole.branches) {
        if (!depends(branch->getCond()))
          continue;
        Contents inside(fresh_, changed, awaited);
        inside.TraverseStmt(const_cast<clang::IfStmt*>(branch));
        for (const clang::VarDecl* variable : inside.changed)
          more |= read.insert(variable).second;
      }
    }
    return read;
  }

  bool look(const Loop& loop) {
    bool shared = false;
    if (waits(loop, Awaited::Memory, shared)) {
      facts_.pollingLoops.push_back(loop.body);
      facts_.awaitsOthers = true;
      if (shared && facts_.pollsSharedAt.isInvalid())
        facts_.pollsSharedAt = loop.statement->getBeginLoc();
    } else if (waits(loop, Awaited::MemoryOrTime, shared)) {
      facts_.pollingLoops.push_back(loop.body);
      facts_.awaitsTime = true;
    }
    return true;
  }

  /// `shared`: for other threads of its own block.
  bool waits(const Loop& loop, Awaited awaited, bool& shared) const {
    const std::set<const clang::VarDecl*> none;
    Contents first(fresh_, none, awaited);
    first.TraverseStmt(const_cast<clang::Stmt*>(loop.statement));
    Contents whole(fresh_, first.changed, awaited);
    whole.TraverseStmt(const_cast<clang::Stmt*>(loop.statement));
    if (!whole.reads || whole.stores)
      return false;
    shared = whole.shared;
    const std::set<const clang::VarDecl*> read = findRead(whole, first.changed, awaited);
    Exits exits;
    exits.TraverseStmt(const_cast<clang::Stmt*>(loop.body));
    if (loop.condition)
      exits.conditions.push_back(loop.condition);
    for (const clang::Expr* condition : exits.conditions) {
      Contents held(fresh_, first.changed, awaited);
      held.TraverseStmt(const_cast<clang::Expr*>(condition));
      bool depends = held.reads;
      for (const clang::VarDecl* variable : held.used)
        depends |= read.count(variable) != 0;
      if (depends)
        return true;
    }
    return false;
  }

  const Functions& fresh_;
  FunctionFacts& facts_;
};

} // namespace

void findPollingLoops(Facts& facts) {
  // Device functions that read memory afresh and do nothing else: `int look(volatile int* p)`.
  Functions fresh;
  const std::set<const clang::VarDecl*> none;
  for (auto& [place, f] : facts.functions) {
    if (!f.device || f.kernel || !f.decl->getBody() || f.reached.scope != Scope::None)
      continue;
    Contents contents(fresh, none, Awaited::Memory);
    contents.TraverseStmt(f.decl->getBody());
    if (contents.reads && !contents.stores)
      fresh.insert(f.decl);
  }
  for (auto& [place, f] : facts.functions)
    if (f.device && f.decl->getBody())
      LoopFinder(fresh, f).TraverseStmt(f.decl->getBody());
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [place, f] : facts.functions)
      for (const clang::FunctionDecl* callee : f.callees)
        if (const FunctionFacts* known = facts.find(callee); known && !known->kernel) {
          if (known->awaitsOthers && !f.awaitsOthers)
            changed = f.awaitsOthers = true;
          if (known->awaitsTime && !f.awaitsTime)
            changed = f.awaitsTime = true;
          if (known->pollsSharedAt.isValid() && f.pollsSharedAt.isInvalid()) {
            f.pollsSharedAt = known->pollsSharedAt;
            changed = true;
          }
        }
  }
}

} // namespace cu2cpp
