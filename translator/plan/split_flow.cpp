// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions around group calls: taken as a whole, or for the set of threads for which they hold.
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/plain_structures.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

/// Whether an expression only compares and computes with local numbers and structures of those,
/// whatever they are: no load, no trap, and no value that compilers may take for impossible.
class ComputesAnywhere : public SyntaxVisitor {
public:
  ComputesAnywhere(const Regions& regions, unsigned depth = 0) : regions_(regions), depth_(depth) {}
  bool fits = true;

  static bool isIn(const clang::Stmt* s, const Regions& regions, unsigned depth = 0) {
    if (depth > 4)
      return false;
    ComputesAnywhere visitor(regions, depth);
    visitor.TraverseStmt(const_cast<clang::Stmt*>(s));
    return visitor.fits;
  }

  bool VisitStmt(clang::Stmt* s) override {
    return fits = fits && llvm::isa<clang::Expr, clang::ReturnStmt, clang::CompoundStmt>(s) &&
                  !llvm::isa<clang::ArraySubscriptExpr, clang::LambdaExpr, clang::CXXNewExpr,
                             clang::CXXDeleteExpr, clang::CXXThrowExpr, clang::StmtExpr,
                             clang::CXXDependentScopeMemberExpr, clang::UnresolvedLookupExpr,
                             clang::PseudoObjectExpr>(s);
  }
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    return fits = fits && !op->isIncrementDecrementOp() && op->getOpcode() != clang::UO_Deref &&
                  op->getOpcode() != clang::UO_AddrOf;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const bool divides = op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Rem;
    return fits = fits && !op->isAssignmentOp() && !op->isShiftOp() && !op->isPtrMemOp() &&
                  op->getOpcode() != clang::BO_Comma &&
                  !(divides && !op->getType()->isFloatingType());
  }
  bool VisitCastExpr(clang::CastExpr* cast) override {
    return fits = fits && cast->getCastKind() != clang::CK_FloatingToIntegral &&
                  !cast->getType()->isPointerType();
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    return fits = fits && (!member->isArrow() ||
                           llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreImpCasts()));
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (llvm::isa<clang::FunctionDecl, clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(
            use->getDecl()))
      return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (variable && isNamedConstant(variable))
      return true;
    const clang::QualType type = use->getDecl()->getType();
    if (!variable || !variable->hasLocalStorage() || isShared(variable) ||
        (type->isReferenceType() && depth_ == 0) || type.isVolatileQualified() ||
        type->isBooleanType() ||
        !(type.getNonReferenceType()->isArithmeticType() ||
          isOfNumbers(type.getNonReferenceType())))
      return fits = false;
    const auto storage = regions_.storage.find(variable);
    if (storage == regions_.storage.end() || storage->second == Storage::PerLane ||
        storage->second == Storage::Block)
      return true;
    return fits = fits && storage->second == Storage::Recomputed && variable->hasInit() &&
                  isIn(variable->getInit(), regions_, depth_ + 1);
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* definition = nullptr;
    if (!callee || hasMark(callee, "thread") || !callee->hasBody(definition))
      return fits = false;
    return fits = fits && isIn(definition->getBody(), regions_, depth_ + 1);
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    return fits = fits && isOfNumbers(made->getType()) &&
                  (made->getConstructor()->isTrivial() || storesParts(made->getConstructor()));
  }

private:
  const Regions& regions_;
  unsigned depth_;
};

} // namespace

std::string Splitter::lanesWhere(const clang::Expr* e, const std::string& lanes, bool rising,
                                 const std::string& base) const {
  if (!e)
    return lanes;
  // Sets that follow from each other, step by step, are not to wait for the comparisons.
  const bool anywhere = !rising && !publish_ && !loops_.empty() && level_ == Scope::Warp &&
                        ComputesAnywhere::isIn(e, regions_);
  return std::string("cu2cpp::lanesWhere") +
         (rising && !publish_ ? "Rising"
          : anywhere          ? "EvenPastExits"
                              : published()) +
         "(cuWarp, " + lanes + (rising && !publish_ && !base.empty() ? ", " + base : "") + ", " +
         valueLambda(e) + ")";
}

std::string Splitter::lanesWhereRank(const clang::Expr* e, const std::string& lanes) const {
  const auto* compare = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreParenImpCasts());
  clang::Expr::EvalResult limit;
  std::set<char> parts;
  if (publish_ || anyGroup_ || level_ != Scope::Warp || !inRunBlock() || !compare ||
      compare->getOpcode() != clang::BO_LT || compare->getRHS()->isValueDependent() ||
      !compare->getRHS()->EvaluateAsInt(limit, plan_.unit.context()) ||
      limit.Val.getInt().trunc(5) != 0 || limit.Val.getInt() <= 0 || limit.Val.getInt() > 1024 ||
      !isSumOfThread(compare->getLHS(), parts))
    return lanesWhere(e, lanes);
  return "cu2cpp::lanesWhereRank(cuWarp, " + lanes + ", " + valueLambda(compare->getLHS()) + ", " +
         std::to_string(limit.Val.getInt().getZExtValue()) + "u, " + valueLambda(e) + ")";
}

std::string Splitter::whereAlike(const clang::Expr*& test) const {
  if (!test || publish_ || level_ != Scope::Warp || !ComputesAnywhere::isIn(test, regions_))
    return "";
  const auto isAlike = [&](const clang::Expr* e) {
    RegionText text;
    text.add(e);
    return !text.namesThread && bindings({}, text).empty();
  };
  const auto textOf = [&](const clang::Expr* e) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    const bool binds =
        !llvm::isa<clang::ConditionalOperator>(e) && (!op || op->getOpcode() != clang::BO_LOr);
    return (binds ? expressionText(e) : "(" + expressionText(e) + ")") + " && ";
  };
  const clang::Expr* const all = test;
  if (isAlike(all)) {
    test = nullptr;
    return textOf(all);
  }
  const auto* both = llvm::dyn_cast<clang::BinaryOperator>(all->IgnoreParenImpCasts());
  if (!both || both->getOpcode() != clang::BO_LAnd)
    return "";
  for (const auto& [alike, other] :
       {std::pair(both->getLHS(), both->getRHS()), std::pair(both->getRHS(), both->getLHS())})
    if (isAlike(alike)) {
      test = other;
      return textOf(alike);
    }
  return "";
}

std::string Splitter::callLines(const RegionNode& node, const std::string& separator) {
  std::string out;
  for (const unsigned index : node.calls)
    out += callText(index, false) + separator;
  return out;
}

void Splitter::emitBody(const clang::Stmt* body, const std::vector<RegionNode>& children,
                        const std::string& first, const std::string& last) {
  const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(body);
  const bool braces =
      !compound && (children.size() > 1 || !first.empty() || !last.empty() ||
                    (children.size() == 1 &&
                     (children[0].kind != Kind::Region || !uniformLoads(children[0]).empty()) &&
                     children[0].kind != Kind::Barrier && children[0].kind != Kind::Warps));
  if (compound && !first.empty()) {
    const FilePosition opened = endOf(compound->getLBracLoc());
    if (first[0] == '\n')
      insert({opened.file, behindComment({opened.file, opened.offset, opened.offset})}, first);
    else
      insert(opened, " " + first);
  } else if (braces)
    insert(position(rangeOf(body)), "{ " + first + (first.empty() ? "" : " "));
  emitList(children, compound != nullptr);
  if (compound && !last.empty()) {
    insert(beginOf(compound->getRBracLoc()), last + " ");
  } else if (braces) {
    const FileRange range = rangeOf(body);
    insert({range.file, behindComment(range)},
           (behindComment(range) == range.end ? " " : "\n") + last + "}");
  }
}

void Splitter::emitMaskedBranchOfBlock(const RegionNode& node, bool inBraces) {
  const auto* branch = llvm::cast<clang::IfStmt>(node.statement);
  const FilePosition begin = beginOf(branch->getIfLoc());
  const FilePosition headEnd = endOf(branch->getRParenLoc());
  const std::string newline = "\n" + plan_.text.indentation(begin);
  const std::string then = "cuOutside" + std::to_string(++masks_);
  const std::string otherwise = "cuOutside" + std::to_string(++masks_);
  edits_.replace({begin.file, begin.offset, headEnd.offset},
                 std::string(inBraces ? "" : "{ ") + outsideOf(then, active()) + newline +
                     outsideOf(otherwise, active()) + newline + "cu2cpp::divide" + published() +
                     "(cuBlock, " + then + ", " + otherwise + ", " +
                     perThreadCondition(branch->getCond()) + ");" + newline + "if (!" + then +
                     ".all())");
  outside_.push_back({then, nullptr, false});
  emitBody(branch->getThen(), node.children);
  outside_.pop_back();
  if (branch->getElse()) {
    const FilePosition word = beginOf(branch->getElseLoc());
    edits_.replace({word.file, word.offset, word.offset + 4}, "if (!" + otherwise + ".all())");
    outside_.push_back({otherwise, nullptr, false});
    emitBody(branch->getElse(), node.otherwise);
    outside_.pop_back();
  }
  if (!inBraces) {
    const FileRange range = rangeOf(branch);
    insert({range.file, behindComment(range)}, behindComment(range) == range.end ? " }" : "\n}");
  }
}

void Splitter::emitMaskedLoopOfBlock(const RegionNode& node, const clang::ForStmt* f,
                                     const clang::WhileStmt* w, const clang::DoStmt* d,
                                     const clang::Stmt* body, const clang::Expr* test) {
  const FilePosition begin = beginOf(node.statement->getBeginLoc());
  const FileRange whole = rangeOf(node.statement);
  const std::string newline = "\n" + plan_.text.indentation(begin);
  const std::string number = std::to_string(++masks_), mine = "cuOutside" + number;
  std::string first = "{ ";
  if (f && f->getInit()) {
    if (node.startsPerThread) {
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(f->getInit()))
        for (const clang::Decl* decl : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
              variable && isKept(variable) && isDeclaredInPlace(variable))
            first += storageDeclaration(variable) + newline;
      first += headPart(f->getInit()) + ";" + newline;
    } else {
      first += groupPart(f->getInit()) + ";" + newline;
    }
  }
  first += outsideOf(mine, active()) + newline;
  outside_.push_back({mine, node.statement, false});
  const std::string stays = "cu2cpp::anyStays" + std::string(published()) + "(cuBlock, " + mine +
                            ", " + perThreadCondition(test) + ")";
  const std::string step =
      f && f->getInc() ? node.stepsPerThread ? headPart(f->getInc()) : groupPart(f->getInc()) : "";
  std::string atStart;
  if (node.skips) {
    const std::string ofStep = "cuSkipped" + number;
    atStart = outsideOf(ofStep, mine);
    outside_.push_back({ofStep, node.statement, true});
  }
  if (d) {
    edits_.replace({begin.file, begin.offset, endOf(d->getDoLoc()).offset}, first + "for (;;)");
    emitBody(body, node.children, atStart, "if (!" + stays + ") break;" + newline);
    const FilePosition tail = beginOf(d->getWhileLoc());
    edits_.replace({tail.file, tail.offset, whole.end}, "}");
  } else {
    const FilePosition headEnd = endOf(f ? f->getRParenLoc() : w->getRParenLoc());
    edits_.replace({begin.file, begin.offset, headEnd.offset},
                   first + "for (; " + stays + "; " + step + ")");
    emitBody(body, node.children, atStart);
    insert({whole.file, behindComment(whole)}, behindComment(whole) == whole.end ? " }" : "\n}");
  }
  if (node.skips)
    outside_.pop_back();
  outside_.pop_back();
}

void Splitter::emitBranch(const RegionNode& node, bool inBraces) {
  if (node.masked && level_ == Scope::Block)
    return emitMaskedBranchOfBlock(node, inBraces);
  const auto* branch = llvm::cast<clang::IfStmt>(node.statement);
  const std::string outer = lanes_;
  const FilePosition begin = beginOf(branch->getIfLoc());
  const FilePosition headEnd = endOf(branch->getRParenLoc());
  const std::string newline = "\n" + plan_.text.indentation(begin);
  const bool before = node.masked || !node.calls.empty();
  if (before && !inBraces)
    insert(begin, "{ ");
  std::string elseCondition;
  if (node.masked) {
    const std::string number = std::to_string(++masks_);
    const std::string all = active();
    const std::string where =
        node.alike && !publish_
            ? "cu2cpp::lanesWhereAlike(cuWarp, " + all + ", " + valueLambda(branch->getCond()) + ")"
            : lanesWhereRank(branch->getCond(), all);
    std::string head = callLines(node, newline) + "const " + lanesType() + " cuLanes" + number +
                       " = " + where + ";" + newline + "if (cuLanes" + number + ".any())";
    edits_.replace({begin.file, begin.offset, headEnd.offset}, head);
    lanes_ = "cuLanes" + number;
  } else if (!node.calls.empty()) {
    insert(begin, callLines(node, newline));
    edits_.replace(expressionRange(branch->getCond()), expressionText(branch->getCond()));
  }
  emitBody(branch->getThen(), node.children);
  if (branch->getElse()) {
    if (node.masked) {
      const std::string then = lanes_;
      lanes_ = outer;
      const std::string number = std::to_string(++masks_);
      const FilePosition word = beginOf(branch->getElseLoc());
      edits_.replace({word.file, word.offset, word.offset + 4},
                     "if (const " + lanesType() + " cuLanes" + number + " = " + active() + " - " +
                         then + "; cuLanes" + number + ".any())");
      lanes_ = "cuLanes" + number;
    }
    emitBody(branch->getElse(), node.otherwise);
  }
  lanes_ = outer;
  if (before && !inBraces) {
    const FileRange range = rangeOf(branch);
    insert({range.file, behindComment(range)}, behindComment(range) == range.end ? " }" : "\n}");
  }
}

} // namespace cu2cpp
