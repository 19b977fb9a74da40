// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables of strided loops: from where the group counts, and what that makes in each thread.
#include "analyse/block_sizes.h"
#include "analyse/instance_calls.h"
#include "analyse/pure_functions.h"
#include "analyse/region_parts.h"
#include "plan/changes_own.h"
#include "plan/prefetch_parts.h"
#include "plan/splitter.h"

namespace cu2cpp {

/// `int` of `int(x)`; types of several words are none.
static std::string functionalCast(const std::string& type) {
  return llvm::StringRef(type).contains(' ') ? "static_cast<" + type + ">" : type;
}

const clang::VarDecl* Splitter::variableOfHead(const clang::ForStmt* loop) {
  return llvm::cast<clang::VarDecl>(llvm::cast<clang::DeclStmt>(loop->getInit())->getSingleDecl());
}

bool Splitter::mayWrapBeforeCast(const clang::Expr* e, unsigned depth) const {
  constexpr unsigned deepest = 12;
  e = e->IgnoreParens();
  if (depth > deepest)
    return true;
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const clang::Expr* from = cast->getSubExpr();
    const clang::QualType wide = cast->getType(), narrow = from->getType();
    const bool widens =
        !wide->isDependentType() && !narrow->isDependentType() && wide->isIntegerType() &&
        narrow->isUnsignedIntegerType() &&
        plan_.unit.context().getTypeSize(wide) > plan_.unit.context().getTypeSize(narrow);
    return (widens &&
            llvm::isa<clang::BinaryOperator, clang::DeclRefExpr>(from->IgnoreParenImpCasts()) &&
            !isGroupValue(from) && !isLane(from) && !isThreadIndex(from)) ||
           mayWrapBeforeCast(from, depth + 1);
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return mayWrapBeforeCast(op->getLHS(), depth + 1) || mayWrapBeforeCast(op->getRHS(), depth + 1);
  const clang::VarDecl* variable = variableOf(e);
  return variable && isStored(variable, Storage::Recomputed) && variable->hasInit() &&
         mayWrapBeforeCast(variable->getInit(), depth + 1);
}

bool Splitter::inInstances(const clang::VarDecl* variable,
                           llvm::function_ref<bool(const clang::VarDecl*)> holds) const {
  if (holds(variable))
    return true;
  const FunctionFacts* facts = plan_.facts.find(kernel_.decl);
  const auto instances =
      facts ? instancesOf(variable, *facts) : std::vector<const clang::VarDecl*>();
  return !instances.empty() && llvm::all_of(instances, holds);
}

void Splitter::countInRows(const clang::ForStmt* loop) {
  const clang::VarDecl* variable = variableOfHead(loop);
  if (publish_)
    return;
  // Compilers see by themselves that lanes follow one another.
  const Stride stride = strideOf(variable);
  const auto size = findBlockSize(plan_.unit, plan_.facts, kernel_);
  const bool warpWide = size && size->x == 32;
  if (stride.counts && (isLane(stride.start) || (warpWide && isThreadIndex(stride.start))))
    return;
  if (regions_.neverNegative.count(variable) || !mayWrapBeforeCast(variable->getInit()))
    countedInRows_.insert(variable);
}

Splitter::Stride Splitter::strideOf(const clang::VarDecl* variable) const {
  Stride out;
  const auto parts = regions_.startParts.find(variable);
  const clang::Expr* start = variable->getInit();
  out.start = start;
  // The same number, whatever is added first: sums of this width wrap around, or do not overflow.
  const auto isInteger = [](clang::QualType type) {
    return !type->isDependentType() && type->isIntegerType() && !type->isBooleanType();
  };
  const auto isOneWidth = [&](const clang::VarDecl* counter) {
    const clang::QualType sum = counter->getInit()->IgnoreParenImpCasts()->getType();
    return isInteger(sum) && isInteger(counter->getType()) &&
           plan_.unit.context().getTypeSize(sum) ==
               plan_.unit.context().getTypeSize(counter->getType());
  };
  if (!inInstances(variable, isOneWidth))
    return out;
  out.counts = true;
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(start->IgnoreParenImpCasts());
  if (!sum || sum->getOpcode() != clang::BO_Add || !plan_.text.isWhole(sum->getLHS()) ||
      !plan_.text.isWhole(sum->getRHS()))
    return out;
  const auto isOfGroup = [&](const clang::Expr* e) {
    if (parts != regions_.startParts.end())
      for (const clang::Expr* part : parts->second)
        if (part->IgnoreParenImpCasts() == e->IgnoreParenImpCasts())
          return parts->second.size() == 1;
    return (parts == regions_.startParts.end() || parts->second.empty()) && isGroupValue(e);
  };
  const bool left = isOfGroup(sum->getLHS());
  if (!left && !isOfGroup(sum->getRHS()))
    return out;
  out.base = left ? sum->getLHS() : sum->getRHS();
  out.start = left ? sum->getRHS() : sum->getLHS();
  return out;
}

std::string Splitter::startText(const clang::VarDecl* variable) const {
  if (elements_ && variable == elements_->row)
    return !elements_->width ? "cuRow" : "cuRow * " + factor(elements_->width) + " + cuColumn";
  const Stride stride = strideOf(variable);
  const std::string step = "cuStep_" + variable->getNameAsString();
  if (countedInRows_.count(variable))
    return step + "[cuThisThread]";
  if (stride.counts) {
    const clang::QualType type = variable->getType();
    const bool cast = type->isSignedIntegerType() &&
                      stride.start->IgnoreParenImpCasts()->getType()->isUnsignedIntegerType();
    const auto parts = regions_.startParts.find(variable);
    if (stride.base || parts == regions_.startParts.end() || parts->second.empty())
      return step + " + " + (cast ? functionalCast(typeOf(variable)) : "") + "(" +
             expressionText(stride.start) + ")";
  }
  const auto found = regions_.startParts.find(variable);
  if (found == regions_.startParts.end() || found->second.empty())
    return "(" + expressionText(variable->getInit()) + ") + " + step;
  Parts parts;
  for (std::size_t i = 0; i < found->second.size(); ++i)
    parts.push_back({expressionRange(found->second[i]), startName(variable, i)});
  return "(" + textWith(expressionRange(variable->getInit()), std::move(parts)) + ") + " + step;
}

std::string Splitter::stridedStart(const clang::ForStmt* loop, const std::string& newline) const {
  const clang::VarDecl* variable = variableOfHead(loop);
  std::string out;
  llvm::raw_string_ostream stream(out);
  variable->getType().getUnqualifiedType().print(stream, policy(),
                                                 "cuStep_" + variable->getNameAsString());
  const auto text = [&](const clang::Expr* e) {
    return regions_.compared.count(e) ? compared(e) : expressionText(e);
  };
  const auto parts = regions_.startParts.find(variable);
  if (countedInRows_.count(variable)) {
    std::string before;
    Parts named;
    RegionText start;
    if (parts != regions_.startParts.end())
      for (std::size_t i = 0; i < parts->second.size(); ++i) {
        const clang::Expr* part = parts->second[i];
        before += "const auto " + startName(variable, i) + " = " + text(part) + ";" + newline;
        named.push_back({expressionRange(part), startName(variable, i)});
        start.skip.insert(part);
      }
    start.add(variable->getInit());
    std::string lines;
    for (const std::string& line : bindings({}, start))
      lines += line + " ";
    const bool thread = needsThread(start);
    if (thread && start.namesThread)
      lines = "const uint3 threadIdx = cuThisThread.threadIdx; " + lines;
    const bool known = variable->getType()->isSignedIntegerType();
    return before + "auto cuStep_" + variable->getNameAsString() + " = cu2cpp::risingInRow<" +
           (variable->getType()->isUndeducedAutoType()
                ? "void"
                : variable->getType().getUnqualifiedType().getAsString(policy())) +
           (!known && regions_.neverNegative.count(variable) ? ", cu2cpp::neverWraps" : "") +
           ">(cuWarp, " + active() + ", [&](" + threadParameter(thread, start.namesThread) +
           ") { " + lines + "return " +
           textWith(expressionRange(variable->getInit()), std::move(named)) + "; });" + newline;
  }
  if (const Stride stride = strideOf(variable); stride.base) {
    const bool read = parts != regions_.startParts.end() && !parts->second.empty();
    return out + " = " + text(read ? parts->second[0] : stride.base) + ";" + newline;
  }
  out += " = 0;" + newline;
  if (parts != regions_.startParts.end())
    for (std::size_t i = 0; i < parts->second.size(); ++i)
      out +=
          "const auto " + startName(variable, i) + " = " + text(parts->second[i]) + ";" + newline;
  return out;
}

std::string Splitter::stridedStep(const clang::ForStmt* loop) const {
  const clang::VarDecl* variable = variableOfHead(loop);
  const auto* op = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  const std::string by =
      regions_.compared.count(op->getRHS()) ? compared(op->getRHS()) : expressionText(op->getRHS());
  return "cuStep_" + variable->getNameAsString() + " += " + by;
}

std::string Splitter::bytesInStep(const clang::ForStmt* loop) const {
  std::string bytes;
  std::set<std::string> arrays;
  for (const clang::ArraySubscriptExpr* access : Accesses(loop->getBody()).all)
    if (const std::string array = givenArray(access->getBase());
        !array.empty() && isPlaceInRow(access->getIdx()) && arrays.insert(array).second)
      bytes += (bytes.empty() ? "sizeof(*" : " + sizeof(*") + array + ")";
  return bytes;
}

std::string Splitter::stepsByFour(const RegionNode& node, const clang::ForStmt* loop) const {
  const clang::VarDecl* variable = variableOfHead(loop);
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  if (!plan_.options.lineDirectives || !inRunBlock() || publish_ || !op ||
      op->getOpcode() != clang::BO_AddAssign || regions_.compared.count(op->getRHS()) ||
      countedInRows_.count(variable) || node.children.size() != 1 ||
      node.children[0].kind != RegionNode::Kind::Region || node.children[0].oneByOne ||
      active() != "cu2cpp::noneExited" || Uniformity::readsMemory(loop->getCond()) ||
      Uniformity::readsMemory(op->getRHS()))
    return "";
  ChangesOwn body(plan_.facts);
  body.TraverseStmt(const_cast<clang::Stmt*>(loop->getBody()));
  const bool adds = llvm::any_of(body.changed, [&](const clang::VarDecl* changed) {
    return isStored(changed, Storage::PerThread) && changed->getType()->isArithmeticType();
  });
  if (!body.fits || !adds)
    return "";
  const std::string bytes = bytesInStep(loop);
  return bytes.empty() ? ""
                       : "<" + bytes + ">(cuBlock, cuStep_" + variable->getNameAsString() + ", " +
                             expressionText(op->getRHS()) + ", ";
}

bool Splitter::risesInRow(const clang::ForStmt* loop) const {
  const clang::VarDecl* variable = variableOfHead(loop);
  return countedInRows_.count(variable) || regions_.neverNegative.count(variable) ||
         inInstances(variable, [](const clang::VarDecl* counter) {
           return counter->getType()->isSignedIntegerType();
         });
}

std::string Splitter::stridedBase(const clang::ForStmt* loop) const {
  const clang::VarDecl* variable = variableOfHead(loop);
  const std::string base = "cuStep_" + variable->getNameAsString();
  if (countedInRows_.count(variable))
    return base;
  const auto* op = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  clang::Expr::EvalResult by;
  const bool steps = op->getOpcode() == clang::BO_AddAssign && !op->getRHS()->isValueDependent() &&
                     op->getRHS()->EvaluateAsInt(by, plan_.unit.context()) &&
                     by.Val.getInt() >= std::int64_t(kernel_.lanesTogether);
  return steps && strideOf(variable).counts ? base : "";
}

} // namespace cu2cpp
