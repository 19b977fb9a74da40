// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of one row whose threads update the elements of a shared matrix that quotients and
// remainders of their places tell run as blocks of the matrix's rows:
//
//   const int t = threadIdx.x;                   const int t = (threadIdx.y * 24u + threadIdx.x);
//   const int row = t / 24, col = t % 24;   ->   const int row = threadIdx.y, col = threadIdx.x;
//   if (row > k && col > k)                      if (row > k && col > k)
//     a[row][col] -= a[row][k] * a[k][col];        a[row][col] -= a[row][k] * a[k][col];
//
// All that is known of blocks with two indices is known of these then. The kernel is marked, and
// its block is laid out anew (cu2cpp::BlockOfRows): each thread finds the same numbers as before,
// and threads are counted in the same order. Only where all launches in sight have blocks of that
// size.
#include "analyse/plain_body.h"

#include <algorithm>

#include "analyse/block_sizes.h"
#include "analyse/marks.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "analyse/slopes.h"

namespace cu2cpp {
namespace {

class RowsOfBlock : public SyntaxVisitor {
public:
  RowsOfBlock(const PlainBody& body, const Facts& facts)
      : body_(body), facts_(facts), context_(body.unit.context()) {}

  unsigned width = 0;

  bool find() {
    TraverseStmt(body_.function->getBody());
    return good_ && divides_ && takesRemainder_ && width >= leastWidth && updates_ &&
           std::all_of(builtins_.begin(), builtins_.end(),
                       [&](const clang::DeclRefExpr* use) { return parts_.count(use) != 0; });
  }
  /// Whether all launches in sight have blocks of whole rows.
  bool fitsLaunches() const {
    Facts launched = facts_;
    findLaunches(body_.unit, launched);
    const FunctionFacts* same = launched.find(body_.function);
    if (!same || !sizeHint(body_.unit, launched, *same).certain)
      return false;
    const auto size = findBlockSize(body_.unit, launched, *same);
    return size && size->y == 1 && size->z == 1 && size->x % width == 0 && size->x > width;
  }
  bool put() const {
    const auto whole = body_.text.rangeOf(body_.function->getBody()->getSourceRange());
    const auto name = body_.text.positionOf(body_.function->getLocation());
    if (!whole || !name || body_.function->getLocation().isMacroID() ||
        body_.function->getQualifier() || whole->file != name->file)
      return false;
    for (const auto& [begin, end] : body_.unit.skippedRanges(whole->file))
      if (begin < whole->end && end > whole->begin)
        return false;
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    const std::string columns = std::to_string(width);
    edits[name->offset] = {name->offset,
                           "__attribute__((annotate(\"cu2cpp.block_of_rows\", " + columns + "))) "};
    const auto replace = [&](const clang::Expr* e, const std::string& by) {
      const auto at = body_.text.rangeOf(e->getSourceRange());
      if (!at || !body_.isSpelled(e) || at->file != whole->file || at->begin < whole->begin ||
          at->end > whole->end)
        return false;
      edits[at->begin] = {at->end, withLinesOf(body_.text.text(*at), by)};
      return true;
    };
    for (const clang::MemberExpr* part : places_)
      if (!replace(part, "(threadIdx.y * " + columns + "u + threadIdx.x)"))
        return false;
    for (const clang::MemberExpr* part : sizes_)
      if (!replace(part, "(blockDim.x * blockDim.y)"))
        return false;
    // Those that stand in a quotient go with it.
    for (const clang::BinaryOperator* op : divisions_) {
      const auto at = body_.text.rangeOf(op->getSourceRange());
      if (!at)
        return false;
      edits.erase(edits.lower_bound(at->begin), edits.lower_bound(at->end));
      const std::string part = isQuotient(op) ? "threadIdx.y" : "threadIdx.x";
      const std::string type = op->getType().getCanonicalType().getUnqualifiedType().getAsString(
          context_.getPrintingPolicy());
      if (!replace(op, isValueOfVariable(op) ? part : "((" + type + ")" + part + ")"))
        return false;
    }
    return body_.put(whole->file, std::move(edits));
  }

  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const auto part = asBuiltinPart(member);
    if (!part)
      return true;
    parts_.insert(llvm::cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts()));
    if (part->of == ThreadIdx || part->of == BlockDim) {
      good_ &= part->part == "x";
      (part->of == ThreadIdx ? places_ : sizes_).push_back(member);
    }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (builtinOf(use->getDecl()))
      builtins_.push_back(use);
    return good_ &= !use->getType().isVolatileQualified();
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (isBarrier(call))
      return true;
    if (!callee || syncScope(callee) != Scope::None || hasMark(callee, "thread") ||
        hasMark(callee, "in_block"))
      return good_ = false;
    const FunctionFacts* known = facts_.find(callee);
    return good_ = known ? !known->builtins && isPureFunction(callee, facts_)
                         : isPureHeaderFunction(callee);
  }
  bool VisitStmt(clang::Stmt* s) override {
    return good_ &= !llvm::isa<clang::LambdaExpr, clang::AsmStmt, clang::GotoStmt, clang::LabelStmt,
                               clang::StmtExpr>(s);
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    if (op->isAssignmentOp())
      updates_ |= isUpdate(op);
    const clang::BinaryOperatorKind code = op->getOpcode();
    if ((code != clang::BO_Div && code != clang::BO_Rem && code != clang::BO_Shr &&
         code != clang::BO_And) ||
        !isPlace(op->getLHS()))
      return true;
    // Of one number only: another one would divide sums.
    const unsigned by = divisorOf(op);
    if (by == 0 || (width != 0 && by != width))
      return good_ = false;
    width = by;
    divisions_.push_back(op);
    (isQuotient(op) ? divides_ : takesRemainder_) = true;
    return true;
  }

private:
  static constexpr unsigned leastWidth = 4;

  static bool isQuotient(const clang::BinaryOperator* op) {
    return op->getOpcode() == clang::BO_Div || op->getOpcode() == clang::BO_Shr;
  }
  bool isKept(const clang::VarDecl* variable) const {
    const LocalVariable* local = body_.variables.find(variable);
    const clang::QualType type = variable->getType();
    return local && !local->modified && !local->escapes && variable->hasInit() &&
           !variable->isStaticLocal() && !type->isDependentType() && type->isIntegerType() &&
           !type.isVolatileQualified() && context_.getTypeSize(type) >= 32;
  }
  /// threadIdx.x, or a variable that keeps it.
  bool isPlace(const clang::Expr* e, unsigned depth = 0) const {
    e = plainly(e);
    if (isPart(e, ThreadIdx, "x"))
      return true;
    const clang::VarDecl* variable = namedBy(e);
    return variable && depth < 8 && isKept(variable) && isPlace(variable->getInit(), depth + 1);
  }
  /// By what `t / 24`, `t % 24`, `t >> 4` or `t & 15` divide; 0 if that is unknown.
  unsigned divisorOf(const clang::BinaryOperator* op) const {
    const auto number = op->isTypeDependent() || !op->getType()->isIntegerType() ||
                                context_.getTypeSize(op->getType()) < 32
                            ? std::nullopt
                            : constantOf(op->getRHS(), context_);
    constexpr std::int64_t most = 1024;
    if (!number || *number <= 0 || *number > most)
      return 0;
    const auto value = unsigned(*number);
    switch (op->getOpcode()) {
    case clang::BO_Shr:
      return value < 10 ? 1u << value : 0;
    case clang::BO_And:
      return (value & (value + 1)) == 0 ? value + 1 : 0;
    default:
      return value;
    }
  }
  bool isPartOfPlace(const clang::Expr* e, bool quotient) const {
    e = plainly(e);
    if (const clang::VarDecl* variable = namedBy(e); variable && isKept(variable))
      e = plainly(variable->getInit());
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    return op && isPlace(op->getLHS()) && divisorOf(op) != 0 && isQuotient(op) == quotient &&
           (quotient || op->getOpcode() == clang::BO_Rem || op->getOpcode() == clang::BO_And);
  }
  /// The shared array of which each thread has an element: `a[row][col]`, `a[row * 24 + col]`.
  const clang::VarDecl* ownElementOf(const clang::Expr* e) const {
    const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(plainly(e));
    if (!at)
      return nullptr;
    const clang::Expr *base = plainly(arrayOf(at)), *column = plainly(indexOf(at)), *row = nullptr;
    if (const auto* rowAt = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      row = indexOf(rowAt);
      base = plainly(arrayOf(rowAt));
    } else if (const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(column);
               sum && sum->getOpcode() == clang::BO_Add) {
      const auto* product = llvm::dyn_cast<clang::BinaryOperator>(plainly(sum->getLHS()));
      if (!product || product->getOpcode() != clang::BO_Mul)
        return nullptr;
      row = product->getLHS();
      column = sum->getRHS();
    }
    const clang::VarDecl* matrix = namedBy(base);
    return row && matrix && isShared(matrix) && isPartOfPlace(row, true) &&
                   isPartOfPlace(column, false)
               ? matrix
               : nullptr;
  }
  /// `a[row][col] -= a[row][k] * a[k][col];`, between barriers of a loop.
  bool isUpdate(const clang::BinaryOperator* op) const {
    const clang::VarDecl* matrix = ownElementOf(op->getLHS());
    if (!matrix || !names(op->getRHS(), matrix))
      return false;
    for (const clang::Stmt* at = op; (at = body_.variables.parents().getParent(at));)
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(at) && holdsBarrier(at))
        return true;
    return false;
  }
  static bool names(const clang::Stmt* s, const clang::VarDecl* variable) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(s);
    return (use && use->getDecl() == variable) ||
           std::any_of(s->child_begin(), s->child_end(),
                       [&](const clang::Stmt* child) { return child && names(child, variable); });
  }
  static bool holdsBarrier(const clang::Stmt* s) {
    return isBarrier(s) ||
           std::any_of(s->child_begin(), s->child_end(),
                       [](const clang::Stmt* child) { return child && holdsBarrier(child); });
  }
  /// Whether an expression is all that a variable begins with, which converts it as well.
  bool isValueOfVariable(const clang::Expr* e) const {
    const clang::Stmt* at = e;
    do
      at = body_.variables.parents().getParent(at);
    while (llvm::isa_and_nonnull<clang::ImplicitCastExpr>(at));
    const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(at);
    return declaration &&
           std::any_of(declaration->decl_begin(), declaration->decl_end(),
                       [&](const clang::Decl* decl) {
                         const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                         return variable && variable->hasInit() &&
                                variable->getInit()->IgnoreImpCasts() == e &&
                                variable->getInitStyle() == clang::VarDecl::CInit &&
                                variable->getTypeSourceInfo() &&
                                !variable->getTypeSourceInfo()->getType()->getContainedAutoType() &&
                                isKept(variable);
                       });
  }

  const PlainBody& body_;
  const Facts& facts_;
  const clang::ASTContext& context_;
  std::vector<const clang::MemberExpr*> places_, sizes_; ///< `threadIdx.x`, `blockDim.x`
  std::vector<const clang::BinaryOperator*> divisions_;
  std::vector<const clang::DeclRefExpr*> builtins_;
  std::set<const clang::DeclRefExpr*> parts_;
  bool good_ = true, divides_ = false, takesRemainder_ = false, updates_ = false;
};

} // namespace

void layOutInRows(const PlainBody& body, const Facts& facts) {
  const clang::FunctionDecl* kernel = body.function;
  for (const char* mark : {"block_of_rows", "layers", "turned_block", "cluster_dims", "apart_of"})
    if (hasMark(kernel, mark))
      return;
  if (kernel->isTemplated() || apartCondition(kernel) ||
      kernel->getTemplateSpecializationKind() != clang::TSK_Undeclared)
    return;
  RowsOfBlock rows(body, facts);
  if (rows.find() && rows.fitsLaunches())
    rows.put();
}

} // namespace cu2cpp
