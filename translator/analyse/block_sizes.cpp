// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the second argument of `<<<grid, block>>>`.
#include "analyse/block_sizes.h"

#include <algorithm>
#include <map>
#include <set>

#include "analyse/marks.h"
#include "parse/syntax_visitor.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/Analyses/ExprMutationAnalyzer.h"

namespace cu2cpp {
namespace {

constexpr unsigned maxThreadsPerBlock = 1024;

/// A variable may stand for another variable, and so on; this many steps are followed.
constexpr int maxSteps = 8;

/// What is assigned to the parts of a size, one by one: `dim3 block; block.x = 256;`.
class PartsAssigned : public SyntaxVisitor {
public:
  explicit PartsAssigned(const clang::VarDecl* variable) : variable_(variable) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
    if (function && function->hasBody() && !llvm::isa<clang::ParmVarDecl>(variable) &&
        !variable->isStaticLocal() && variable->getType()->isRecordType())
      TraverseStmt(function->getBody());
  }
  /// The first value of a part; null if none is assigned.
  const clang::Expr* first(llvm::StringRef part) const {
    const auto found = values_.find(part.str());
    return found == values_.end() ? nullptr : found->second;
  }
  /// Whether nothing else changes the variable, and each part no more than once.
  bool areAll() const {
    return !values_.empty() && once_ &&
           std::includes(known_.begin(), known_.end(), all_.begin(), all_.end());
  }

  bool VisitBinaryOperator(clang::BinaryOperator* op) override {
    const auto* part = llvm::dyn_cast<clang::MemberExpr>(op->getLHS()->IgnoreParens());
    const clang::DeclRefExpr* use = op->getOpcode() == clang::BO_Assign ? useIn(part) : nullptr;
    if (use) {
      known_.insert(use);
      once_ &= values_.emplace(part->getMemberDecl()->getNameAsString(), op->getRHS()).second;
    }
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      known_.insert(useIn(llvm::dyn_cast<clang::MemberExpr>(cast->getSubExpr()->IgnoreParens())));
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* copy) override {
    if (copy->getConstructor()->isCopyConstructor())
      known_.insert(useIn(copy->getArg(0)));
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (use->getDecl() == variable_)
      all_.insert(use);
    return true;
  }

private:
  const clang::DeclRefExpr* useIn(const clang::MemberExpr* part) const {
    return part && !part->isArrow() ? useIn(part->getBase()) : nullptr;
  }
  const clang::DeclRefExpr* useIn(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return use && use->getDecl() == variable_ ? use : nullptr;
  }
  const clang::VarDecl* variable_;
  std::map<std::string, const clang::Expr*> values_;
  std::set<const clang::DeclRefExpr*> known_, all_;
  bool once_ = true;
};

/// Whether a variable has one value from its initialisation on, or from where its parts get theirs.
bool isFixed(const clang::VarDecl* variable, clang::ASTContext& context) {
  if (variable->getType().isConstQualified())
    return true;
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
  if (!function || !function->hasBody() || llvm::isa<clang::ParmVarDecl>(variable) ||
      variable->isStaticLocal() || variable->getType()->isReferenceType())
    return false;
  return !clang::ExprMutationAnalyzer(*function->getBody(), context).isMutated(variable) ||
         PartsAssigned(variable).areAll();
}

class Reader {
public:
  /// onlyRows: how long rows are is not asked for, and told as 1.
  explicit Reader(clang::ASTContext& context, bool onlyRows = false)
      : context_(context), onlyRows_(onlyRows) {}

  /// Whether what was read is a fact, and not only what a variable starts with or one of two.
  bool isSure() const {
    return sure_ && std::all_of(read_.begin(), read_.end(),
                                [this](const clang::VarDecl* v) { return isFixed(v, context_); });
  }

  std::optional<unsigned> number(const clang::Expr* expression, int steps = 0) const {
    if (!expression || steps > maxSteps)
      return std::nullopt;
    expression = expression->IgnoreParenImpCasts();
    if (expression->isTypeDependent() || expression->isValueDependent())
      return std::nullopt;
    if (const auto* byDefault = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
      return number(byDefault->getExpr(), steps + 1);
    clang::Expr::EvalResult result;
    if (expression->getType()->isIntegralOrEnumerationType() &&
        expression->EvaluateAsInt(result, context_)) {
      const llvm::APSInt& value = result.Val.getInt();
      if (value.isNegative() || value.getActiveBits() > 31)
        return std::nullopt;
      return static_cast<unsigned>(value.getZExtValue());
    }
    if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
      sure_ = false;
      if (const auto first = number(either->getTrueExpr(), steps + 1))
        return first;
      return number(either->getFalseExpr(), steps + 1);
    }
    return number(initialiser(expression), steps + 1);
  }

  std::optional<BlockSize> size(const clang::Expr* expression, int steps = 0) const {
    if (!expression || steps > maxSteps)
      return std::nullopt;
    expression = expression->IgnoreParenImpCasts();
    if (expression->isTypeDependent())
      return std::nullopt;
    if (const auto* cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expression))
      return size(cleanups->getSubExpr(), steps + 1);
    if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
      return size(temporary->getSubExpr(), steps + 1);
    if (const auto* bind = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression))
      return size(bind->getSubExpr(), steps + 1);
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expression))
      return size(cast->getSubExpr(), steps + 1);
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression))
      return list->getNumInits() == 1 ? size(list->getInit(0), steps + 1) : std::nullopt;
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      if (made->getConstructor()->isCopyOrMoveConstructor())
        return size(made->getArg(0), steps + 1);
      BlockSize size;
      unsigned* const parts[] = {&size.x, &size.y, &size.z};
      for (unsigned i = onlyRows_ ? 1 : 0; i < made->getNumArgs() && i < 3; ++i) {
        const auto part = number(made->getArg(i), steps + 1);
        if (!part)
          return std::nullopt;
        *parts[i] = *part;
      }
      return size;
    }
    if (expression->getType()->isIntegralOrEnumerationType()) {
      if (onlyRows_)
        return BlockSize{};
      if (const auto x = number(expression, steps + 1))
        return BlockSize{*x, 1, 1};
      return std::nullopt;
    }
    auto found = size(initialiser(expression), steps + 1);
    if (const clang::VarDecl* variable = found ? variableIn(expression) : nullptr) {
      const PartsAssigned assigned(variable);
      for (const auto& [name, part] : {std::pair("x", &BlockSize::x), std::pair("y", &BlockSize::y),
                                       std::pair("z", &BlockSize::z)})
        if (const clang::Expr* value =
                onlyRows_ && part == &BlockSize::x ? nullptr : assigned.first(name)) {
          const auto known = number(value, steps + 1);
          if (!known)
            return std::nullopt;
          (*found).*part = *known;
        }
    }
    return found;
  }

private:
  static const clang::VarDecl* variableIn(const clang::Expr* expression) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(expression);
    return use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  }
  /// What a variable starts with. Whether it changes later does not matter for a hint.
  const clang::Expr* initialiser(const clang::Expr* expression) const {
    const clang::VarDecl* variable = variableIn(expression);
    if (!variable)
      return nullptr;
    read_.push_back(variable);
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable))
      return parameter->hasDefaultArg() && !parameter->hasUninstantiatedDefaultArg() &&
                     !parameter->hasUnparsedDefaultArg()
                 ? parameter->getDefaultArg()
                 : nullptr;
    return variable->getAnyInitializer();
  }

  clang::ASTContext& context_;
  const bool onlyRows_;
  mutable bool sure_ = true;
  mutable std::vector<const clang::VarDecl*> read_;
};

bool isPossible(const BlockSize& size) {
  return size.x > 0 && size.y > 0 && size.z > 0 && size.x <= maxThreadsPerBlock &&
         size.y <= maxThreadsPerBlock && size.z <= maxThreadsPerBlock &&
         size.x * size.y * size.z <= maxThreadsPerBlock;
}

/// Which of threadIdx.x, .y and .z a kernel names.
class ThreadIndices : public SyntaxVisitor {
public:
  std::set<std::string> names;
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    if (use && builtinOf(use->getDecl()) == ThreadIdx)
      names.insert(member->getMemberDecl()->getNameAsString());
    return true;
  }
};

/// The template parameter that an expression is, if it is nothing else.
const clang::NonTypeTemplateParmDecl* sizeParameter(const clang::Expr* expression) {
  const auto* use =
      expression ? llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts()) : nullptr;
  const auto* parameter =
      use ? llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(use->getDecl()) : nullptr;
  return parameter && parameter->getType()->isIntegerType() &&
                 !parameter->getType()->isBooleanType()
             ? parameter
             : nullptr;
}

/// That of an array's size.
const clang::NonTypeTemplateParmDecl* sizeParameter(const clang::ArrayType* array) {
  const auto* dependent = llvm::dyn_cast_or_null<clang::DependentSizedArrayType>(array);
  return dependent ? sizeParameter(dependent->getSizeExpr()) : nullptr;
}

/// The size that a template has in its shared arrays.
std::string sizeOfArrays(const FunctionFacts& kernel, bool hasRows) {
  for (const SharedVariable& shared : kernel.shared) {
    const clang::ArrayType* outer = shared.decl->getType()->getAsArrayTypeUnsafe();
    const auto* first = sizeParameter(outer);
    const auto* second =
        outer ? sizeParameter(outer->getElementType()->getAsArrayTypeUnsafe()) : nullptr;
    if (hasRows ? first && first == second : first && !second)
      return first->getNameAsString() + (hasRows ? ", " + first->getNameAsString() : "");
  }
  return "";
}

/// The size that a template has in its launch bounds: `N`, or `X * Y` where threads have two
/// indices.
std::string sizeOfBounds(const FunctionFacts& kernel, bool hasRows) {
  for (const auto* mark : kernel.decl->specific_attrs<clang::AnnotateAttr>()) {
    if (mark->getAnnotation() != "cu2cpp.launch_bounds" || mark->args_size() == 0)
      continue;
    const clang::Expr* bound = (*mark->args_begin())->IgnoreParenImpCasts();
    const auto* product = llvm::dyn_cast<clang::BinaryOperator>(bound);
    if (!hasRows)
      return sizeParameter(bound) ? sizeParameter(bound)->getNameAsString() : "";
    const auto *x = product ? sizeParameter(product->getLHS()) : nullptr,
               *y = product ? sizeParameter(product->getRHS()) : nullptr;
    if (x && y && product->getOpcode() == clang::BO_Mul)
      return x->getNameAsString() + ", " + y->getNameAsString();
  }
  return "";
}

std::string guessBlockSize(const FunctionFacts& kernel) {
  if (!kernel.decl->getDescribedFunctionTemplate())
    return "";
  ThreadIndices indices;
  indices.TraverseStmt(kernel.decl->getBody());
  if (!indices.names.count("x") || indices.names.count("z"))
    return "";
  const bool hasRows = indices.names.count("y") != 0;
  const std::string bounds = sizeOfBounds(kernel, hasRows);
  return bounds.empty() ? sizeOfArrays(kernel, hasRows) : bounds;
}

/// A launch that shows its blocks' size.
struct SizedLaunch {
  const clang::FunctionDecl* kernel;
  BlockSize size;
};

/// How long rows are of a block that is laid out anew (plain_block_rows.cpp); 0 of others.
unsigned widthOfRows(const FunctionFacts& kernel) {
  for (const auto* mark : kernel.decl->specific_attrs<clang::AnnotateAttr>())
    if (mark->getAnnotation() == "cu2cpp.block_of_rows" && mark->args_size() == 1)
      return Reader(kernel.decl->getASTContext()).number(*mark->args_begin()).value_or(0);
  return 0;
}

/// The size of what runs for a block of a size (plain_turned_blocks.cpp, plain_block_rows.cpp).
BlockSize asRun(const FunctionFacts& kernel, BlockSize size) {
  if (hasMark(kernel.decl, "turned_block"))
    std::swap(size.x, size.y);
  if (const unsigned width = widthOfRows(kernel);
      width != 0 && size.y == 1 && size.z == 1 && size.x % width == 0)
    size = {width, size.x / width, 1};
  return size;
}

std::vector<SizedLaunch> sizedLaunches(const Reader& reader, const Facts& facts,
                                       const FunctionFacts& kernel) {
  std::vector<SizedLaunch> out;
  for (const LaunchFacts& launch : facts.launchInstances) {
    const clang::FunctionDecl* callee = launch.call->getDirectCallee();
    if (facts.find(callee) != &kernel || launch.call->getConfig()->getNumArgs() < 2)
      continue;
    if (const auto size = reader.size(launch.call->getConfig()->getArg(1));
        size && isPossible(*size))
      out.push_back({callee, asRun(kernel, *size)});
  }
  return out;
}

/// A kernel's launches with what is written for a size: all have such blocks, as far as this source
/// shows. The kernel is defined here for this source alone, all its launches are here, and what
/// their sizes stand for does not change.
template <class IsExpected>
bool areCertain(const SourceUnit& unit, const Facts& facts, const FunctionFacts& kernel,
                const IsExpected& isExpected, bool onlyRows = false) {
  const clang::SourceManager& sources = unit.context().getSourceManager();
  for (const clang::FunctionDecl* declaration : kernel.decl->redecls())
    if (!sources.isInMainFile(sources.getExpansionLoc(declaration->getLocation())))
      return false;
  for (const KernelAddress& address : facts.kernelAddresses)
    if (facts.find(llvm::cast<clang::FunctionDecl>(address.use->getDecl())) == &kernel)
      return false;
  std::set<clang::SourceLocation> seen, seenOfOthers;
  for (const LaunchFacts& launch : facts.launchInstances) {
    const clang::FunctionDecl* callee = launch.call->getDirectCallee();
    if (callee && facts.find(callee) != &kernel)
      seenOfOthers.insert(launch.call->getBeginLoc());
    if (facts.find(callee) != &kernel)
      continue;
    if (launch.call->getConfig()->getNumArgs() < 2)
      return false;
    const Reader reader(unit.context(), onlyRows);
    const auto found = reader.size(launch.call->getConfig()->getArg(1));
    if (!found || !reader.isSure() || !isExpected({callee, asRun(kernel, *found)}))
      return false;
    seen.insert(launch.call->getBeginLoc());
  }
  for (const LaunchFacts& launch : facts.launches) {
    const clang::FunctionDecl* callee = launch.call->getDirectCallee();
    // In a template, of a kernel that is one too: what its instances launch is among those above.
    const auto* name =
        callee
            ? nullptr
            : llvm::dyn_cast<clang::OverloadExpr>(launch.call->getCallee()->IgnoreParenImpCasts());
    const bool mayBe = callee ? facts.find(callee) == &kernel
                              : !name || name->getName() == kernel.decl->getDeclName();
    const clang::SourceLocation place = launch.call->getBeginLoc();
    if (mayBe && !seen.count(place) && (callee || !seenOfOthers.count(place)))
      return false;
  }
  return !seen.empty();
}

/// The value of a kernel template's parameter in an instance.
std::optional<unsigned> argumentOf(const clang::FunctionDecl* instance, unsigned index) {
  const clang::TemplateArgumentList* arguments = instance->getTemplateSpecializationArgs();
  if (!arguments || index >= arguments->size() ||
      arguments->get(index).getKind() != clang::TemplateArgument::Integral)
    return std::nullopt;
  const llvm::APSInt value = arguments->get(index).getAsIntegral();
  if (value.isNegative() || value.getActiveBits() > 31)
    return std::nullopt;
  return static_cast<unsigned>(value.getZExtValue());
}

/// One of a size's three numbers in all launches: as a number if it is the same, as the parameter
/// that has its value in all of them, or as nothing.
std::string partInAll(const std::vector<SizedLaunch>& launches, const FunctionFacts& kernel,
                      unsigned BlockSize::* part) {
  const unsigned first = launches.front().size.*part;
  if (std::all_of(launches.begin(), launches.end(),
                  [&](const SizedLaunch& launch) { return launch.size.*part == first; }))
    return std::to_string(first);
  const clang::FunctionTemplateDecl* pattern = kernel.decl->getDescribedFunctionTemplate();
  if (!pattern)
    return "";
  for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters()) {
    const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
    if (value && value->getDeclName() && !value->isParameterPack() &&
        value->getType()->isIntegerType() && !value->getType()->isBooleanType() &&
        std::all_of(launches.begin(), launches.end(), [&](const SizedLaunch& launch) {
          return argumentOf(launch.kernel, value->getIndex()) == launch.size.*part;
        }))
      return value->getNameAsString();
  }
  return "";
}

/// The size of all launches of a kernel template, in its parameters if they differ.
std::string sizeInAll(const std::vector<SizedLaunch>& launches, const FunctionFacts& kernel) {
  const std::string x = partInAll(launches, kernel, &BlockSize::x),
                    y = partInAll(launches, kernel, &BlockSize::y),
                    z = partInAll(launches, kernel, &BlockSize::z);
  if (x.empty() || y.empty() || z.empty())
    return "";
  return z != "1" ? x + ", " + y + ", " + z : y != "1" ? x + ", " + y : x;
}

std::string textOf(const BlockSize& size) {
  std::string text = std::to_string(size.x);
  if (size.y > 1 || size.z > 1)
    text += ", " + std::to_string(size.y);
  if (size.z > 1)
    text += ", " + std::to_string(size.z);
  return text;
}

} // namespace

/// The size of what runs as a block: one layer of a kernel that is marked so (plain_layers.cpp).
static std::string ofLayer(const FunctionFacts& kernel, const std::string& size) {
  const std::size_t first = size.find(','), second = size.find(',', first + 1);
  return first == std::string::npos || !hasMark(kernel.decl, "layers") ? size
                                                                       : size.substr(0, second);
}

const FunctionFacts& launchedAs(const Facts& facts, const FunctionFacts& kernel) {
  if (hasMark(kernel.decl, "apart_of"))
    for (const auto& [place, other] : facts.functions)
      if (other.kernel && apartCondition(other.decl) &&
          apartPeer(other.decl) == kernel.decl->getNameAsString() &&
          other.decl->getDeclContext()->Equals(kernel.decl->getDeclContext()) &&
          other.decl->getType().getCanonicalType() == kernel.decl->getType().getCanonicalType())
        return other;
  return kernel;
}

bool launchesShowWholeWarps(const SourceUnit& unit, const Facts& facts,
                            const FunctionFacts& given) {
  const FunctionFacts& kernel = launchedAs(facts, given);
  const std::vector<SizedLaunch> launches = sizedLaunches(Reader(unit.context()), facts, kernel);
  const auto first = findBlockSize(unit, facts, kernel);
  const unsigned lanes = given.lanesTogether;
  return first && first->x % lanes == 0 &&
         std::all_of(launches.begin(), launches.end(),
                     [&](const SizedLaunch& launch) { return launch.size.x % lanes == 0; });
}

bool blocksHaveOneRow(const SourceUnit& unit, const Facts& facts, const FunctionFacts& given) {
  return !hasMark(given.decl, "turned_block") && !hasMark(given.decl, "block_of_rows") &&
         areCertain(
             unit, facts, launchedAs(facts, given),
             [](const SizedLaunch& launch) { return launch.size.y == 1 && launch.size.z == 1; },
             true);
}

std::optional<BlockSize> findBlockSize(const SourceUnit& unit, const Facts& facts,
                                       const FunctionFacts& given) {
  const FunctionFacts& kernel = launchedAs(facts, given);
  const Reader reader(unit.context());
  if (const auto launches = sizedLaunches(reader, facts, kernel); !launches.empty()) {
    BlockSize size = launches.front().size;
    if (hasMark(kernel.decl, "layers"))
      size.z = 1;
    return size;
  }
  if (hasMark(kernel.decl, "turned_block"))
    return std::nullopt; // bounds tell nothing of columns
  for (const auto* mark : kernel.decl->specific_attrs<clang::AnnotateAttr>()) {
    if (mark->getAnnotation() != "cu2cpp.launch_bounds" || mark->args_size() == 0)
      continue;
    if (const auto x = reader.number(*mark->args_begin()); x && isPossible({*x, 1, 1}))
      return BlockSize{*x, 1, 1};
  }
  return std::nullopt;
}

SizeHint sizeHint(const SourceUnit& unit, const Facts& facts, const FunctionFacts& given) {
  const FunctionFacts& kernel = launchedAs(facts, given);
  const auto launches = sizedLaunches(Reader(unit.context()), facts, kernel);
  if (!launches.empty())
    if (const std::string all = sizeInAll(launches, kernel); !all.empty())
      return {ofLayer(kernel, all), areCertain(unit, facts, kernel, [&](const SizedLaunch& launch) {
                std::vector<SizedLaunch> both = launches;
                both.push_back(launch);
                return isPossible(launch.size) && sizeInAll(both, kernel) == all;
              })};
  if (const auto size = findBlockSize(unit, facts, kernel))
    return {textOf(*size), false};
  return {hasMark(kernel.decl, "turned_block") ? "" : guessBlockSize(kernel), false};
}

} // namespace cu2cpp
