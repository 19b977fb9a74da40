// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the next block will load or change is asked for beforehand in kernels of the loop form whose
// blocks go along several stretches of an array:
//
//   const int i = blockIdx.x * 512 + threadIdx.x;
//   out[i] += carry[blockIdx.x];
//   out[i + 256] += carry[blockIdx.x];
//
// Each stretch ends and begins elsewhere with each block, and processors do not see that one goes
// on where the other ended.
#include <map>
#include <optional>

#include "llvm/ADT/STLExtras.h"

#include "analyse/facts.h"
#include "analyse/slopes.h"
#include "plan/prefetch_parts.h"
#include "plan/rewrites.h"

namespace cu2cpp {
namespace {

/// Whether nothing changes a variable: all its uses are loads.
class IsFixed : public SyntaxVisitor {
public:
  IsFixed(const clang::Stmt* body, const clang::VarDecl* variable) : variable_(variable) {
    TraverseStmt(const_cast<clang::Stmt*>(body));
  }
  bool holds() const { return named_ == loaded_; }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    named_ += use->getDecl() == variable_;
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
    loaded_ +=
        cast->getCastKind() == clang::CK_LValueToRValue && use && use->getDecl() == variable_;
    return true;
  }

private:
  const clang::VarDecl* variable_;
  unsigned named_ = 0, loaded_ = 0;
};

/// Places as the kernel's head can compute them, from parameters and the numbers of block and
/// thread.
class PlaceAtHead {
public:
  PlaceAtHead(const clang::ASTContext& context, const FunctionFacts& kernel)
      : context_(context), kernel_(kernel) {}

  std::optional<std::string> text(const clang::Expr* e, unsigned depth = 0) const {
    constexpr unsigned deepest = 16;
    e = e->IgnoreParenImpCasts();
    clang::Expr::EvalResult number;
    if (depth > deepest || e->getType()->isDependentType() || !e->getType()->isIntegerType())
      return std::nullopt;
    if (!e->isValueDependent() && e->EvaluateAsInt(number, context_)) {
      const auto value = number.Val.getInt().tryExtValue();
      return value ? std::optional(std::to_string(*value)) : std::nullopt;
    }
    if (const auto part = asBuiltinPart(e))
      return part->of == ThreadIdx && part->part != "x"
                 ? std::nullopt
                 : std::optional(part->name + "." + part->part);
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e))
      return text(cast->getSubExpr(), depth + 1);
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e))
      return textOf(use, depth);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op || !(op->isAdditiveOp() || op->getOpcode() == clang::BO_Mul ||
                 op->getOpcode() == clang::BO_Shl))
      return std::nullopt;
    const auto left = text(op->getLHS(), depth + 1), right = text(op->getRHS(), depth + 1);
    if (!left || !right)
      return std::nullopt;
    return "(" + *left + " " + op->getOpcodeStr().str() + " " + *right + ")";
  }

private:
  std::optional<std::string> textOf(const clang::DeclRefExpr* use, unsigned depth) const {
    if (llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl()))
      return use->getDecl()->getNameAsString();
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (!variable || !variable->hasLocalStorage() || variable->getType()->isReferenceType())
      return std::nullopt;
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable))
      return llvm::is_contained(kernel_.modifiedParameters, parameter)
                 ? std::nullopt
                 : std::optional(parameter->getNameAsString());
    return variable->hasInit() && IsFixed(kernel_.decl->getBody(), variable).holds()
               ? text(variable->getInit(), depth + 1)
               : std::nullopt;
  }
  const clang::ASTContext& context_;
  const FunctionFacts& kernel_;
};

} // namespace

std::vector<std::string> prefetchesAtHead(const Plan& plan, const FunctionFacts& kernel) {
  const auto* body = llvm::cast<clang::CompoundStmt>(kernel.decl->getBody());
  const FormChoice& choice = plan.forms.at(&kernel);
  const Accesses accesses(body);
  if (!plan.options.lineDirectives || choice.form != Form::Loop || choice.publishThread ||
      kernel.byColumns || kernel.longRows || accesses.hasLoop ||
      plan.text.inMacro(body->getLBracLoc()))
    return {};
  const clang::ASTContext& context = plan.unit.context();
  const PlaceAtHead head(context, kernel);
  Slopes slopes(body, "x");
  std::vector<const clang::ParmVarDecl*> arrays;
  std::map<const clang::ParmVarDecl*, std::vector<std::string>> stretches;
  for (const clang::ArraySubscriptExpr* access : accesses.all) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(access->getBase()->IgnoreParenImpCasts());
    const auto* array = use ? llvm::dyn_cast<clang::ParmVarDecl>(use->getDecl()) : nullptr;
    const MovedPlace moved(body, access);
    const clang::Expr* place = moved.start ? moved.start : access->getIdx();
    if (!array || !array->getType()->isPointerType() ||
        llvm::is_contained(kernel.modifiedParameters, array) || isNearAnother(place, context) ||
        slopes.slope(place) != 1)
      continue;
    std::optional<std::string> text = head.text(place);
    for (const clang::Expr* step : moved.steps) {
      const auto further = head.text(step);
      text = text && further && further->find("threadIdx") == std::string::npos
                 ? std::optional(*text + " + " + *further)
                 : std::nullopt;
    }
    if (!text || text->find("blockIdx.x") == std::string::npos)
      continue;
    std::vector<std::string>& all = stretches[array];
    if (all.empty())
      arrays.push_back(array);
    if (!llvm::is_contained(all, *text))
      all.push_back(*text);
  }
  constexpr std::size_t most = 8;
  std::vector<std::string> out;
  for (const clang::ParmVarDecl* array : arrays) {
    if (stretches[array].size() < 2 || stretches[array].size() > most)
      continue;
    std::string line = "cu2cpp::prefetchNextBlock(cuBlock, " + array->getNameAsString();
    for (const std::string& place : stretches[array])
      line += ", [&](const uint3 blockIdx, const uint3 threadIdx) { return " + place + "; }";
    out.push_back(line + ");");
  }
  return out;
}

} // namespace cu2cpp
