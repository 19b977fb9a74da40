// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays whose places all are moved on so that a GPU's memory banks do not meet are not
// padded any more:
//
//   temp[i + (i >> 5)] = a[i];                        temp[i] = a[i];
//   int l = offset * (2 * t + 1) - 1;                 int l = offset * (2 * t + 1) - 1;
//   l += l >> 5;                               ->
//   temp[l] = ...                                     temp[l] = ...
//
// Different places stay different, and neighbours are neighbours in memory again.
#include "analyse/plain_body.h"

#include <algorithm>
#include <set>

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

const clang::Expr* stripped(const clang::Expr* e) {
  while (true) {
    const clang::Expr* inner = e->IgnoreParenImpCasts();
    if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(inner))
      inner = constant->getSubExpr();
    if (inner == e)
      return e;
    e = inner;
  }
}

/// Whether two expressions compute the same from variables and numbers.
bool areSame(const clang::Expr* a, const clang::Expr* b, unsigned depth = 0) {
  a = stripped(a);
  b = stripped(b);
  if (a->getStmtClass() != b->getStmtClass() || depth > 12)
    return false;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(a))
    return use->getDecl() == llvm::cast<clang::DeclRefExpr>(b)->getDecl() &&
           llvm::isa<clang::VarDecl, clang::EnumConstantDecl, clang::NonTypeTemplateParmDecl>(
               use->getDecl());
  if (const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(a))
    return llvm::APInt::isSameValue(number->getValue(),
                                    llvm::cast<clang::IntegerLiteral>(b)->getValue());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(a)) {
    const auto* other = llvm::cast<clang::MemberExpr>(b);
    return member->getMemberDecl() == other->getMemberDecl() &&
           areSame(member->getBase(), other->getBase(), depth + 1);
  }
  if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(a))
    return areSame(pseudo->getSyntacticForm(),
                   llvm::cast<clang::PseudoObjectExpr>(b)->getSyntacticForm(), depth + 1);
  if (const auto* property = llvm::dyn_cast<clang::MSPropertyRefExpr>(a)) {
    const auto* other = llvm::cast<clang::MSPropertyRefExpr>(b);
    return property->getPropertyDecl() == other->getPropertyDecl() &&
           areSame(property->getBaseExpr(), other->getBaseExpr(), depth + 1);
  }
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(a);
  const auto* other = llvm::dyn_cast<clang::BinaryOperator>(b);
  return op && !op->isAssignmentOp() && op->getOpcode() == other->getOpcode() &&
         areSame(op->getLHS(), other->getLHS(), depth + 1) &&
         areSame(op->getRHS(), other->getRHS(), depth + 1);
}

class Padding {
public:
  Padding(const PlainBody& body, const clang::VarDecl* array) : body_(body), array_(array) {}

  bool run() {
    const auto uses = body_.contents.references.find(array_);
    if (uses == body_.contents.references.end())
      return false;
    const clang::ParentMap& parents = body_.variables.parents();
    for (const clang::DeclRefExpr* use : uses->second) {
      const clang::Stmt* parent = parents.getParent(use);
      while (llvm::isa_and_nonnull<clang::ImplicitCastExpr, clang::ParenExpr>(parent))
        parent = parents.getParent(parent);
      const auto* access = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(parent);
      if (!access || namedBy(access->getBase()) != array_ || !takePlace(access))
        return false;
    }
    if (!variablesFit() || !factor_)
      return false;
    for (auto& [begin, edit] : edits_)
      body_.changes[file_][begin] = std::move(edit);
    return true;
  }

private:
  /// A sum with its own quotient: `x + (x >> 5)` and `x + x / 32`.
  const clang::BinaryOperator* movedOn(const clang::Expr* e) {
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(stripped(e));
    return sum && sum->getOpcode() == clang::BO_Add && isQuotient(sum->getRHS(), sum->getLHS())
               ? sum
               : nullptr;
  }
  bool isQuotient(const clang::Expr* e, const clang::Expr* of) {
    e = stripped(e);
    if (const clang::VarDecl* variable = namedBy(e)) {
      // `int pad = i >> 5; ... temp[i + pad]`
      return isFixed(variable) && body_.isFixed(of) && variable->hasInit() &&
             !namedBy(variable->getInit()) && isQuotient(variable->getInit(), of);
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    clang::Expr::EvalResult value;
    if (!op || op->getRHS()->isValueDependent() ||
        (op->getOpcode() != clang::BO_Shr && op->getOpcode() != clang::BO_Div) ||
        !op->getRHS()->EvaluateAsInt(value, body_.unit.context()) || !areSame(op->getLHS(), of))
      return false;
    const std::int64_t number = value.Val.getInt().getExtValue();
    constexpr std::int64_t most = 16;
    const bool shifts = op->getOpcode() == clang::BO_Shr;
    if (shifts ? number < 1 || number > most : number < 2 || number > (1 << most))
      return false;
    const std::int64_t factor = shifts ? std::int64_t(1) << number : number;
    if (factor_ && factor_ != factor)
      return false;
    factor_ = factor;
    return true;
  }
  bool isFixed(const clang::VarDecl* variable) const {
    const LocalVariable* local = body_.variables.find(variable);
    return local && !local->modified && !local->escapes;
  }

  bool takePlace(const clang::ArraySubscriptExpr* access) {
    const clang::Expr* place = access->getIdx();
    if (const clang::VarDecl* variable = namedBy(place)) {
      places_[variable].insert(stripped(place));
      return variable->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(variable);
    }
    const clang::BinaryOperator* sum = movedOn(place);
    const auto base = body_.text.endOf(access->getBase()->getEndLoc());
    const auto close = body_.text.positionOf(access->getRBracketLoc());
    if (!sum || !base || !close || access->getRBracketLoc().isMacroID() ||
        access->getBase()->getEndLoc().isMacroID() || base->file != close->file)
      return false;
    const std::size_t open =
        body_.text.buffer(base->file).slice(base->offset, close->offset).find('[');
    if (open == llvm::StringRef::npos)
      return false;
    const FileRange all{base->file, base->offset + unsigned(open) + 1, close->offset};
    const std::string text = textOf(sum, all);
    return !text.empty() && edit(all, text);
  }
  /// Variables that are places: moved on where they are declared, or by one statement behind that.
  bool variablesFit() {
    for (const auto& [variable, uses] : places_) {
      const LocalVariable* local = body_.variables.find(variable);
      const auto all = body_.contents.references.find(variable);
      // A narrow number would begin again behind its last one.
      if (!local || local->escapes || !variable->hasInit() || !local->statement ||
          variable->getType()->isDependentType() ||
          body_.unit.context().getTypeSize(variable->getType()) < 32 ||
          all == body_.contents.references.end())
        return false;
      if (!local->modified) {
        const clang::BinaryOperator* sum = movedOn(variable->getInit());
        const auto range = body_.text.writtenRange(variable->getInit()->getSourceRange());
        const std::string text = sum && range ? textOf(sum, *range) : std::string();
        if (text.empty() || variable->getLocation().isMacroID() ||
            all->second.size() != uses.size() || !edit(*range, text))
          return false;
        continue;
      }
      const auto* step = local->assignments.size() == 1
                             ? llvm::dyn_cast<clang::BinaryOperator>(local->assignments.front())
                             : nullptr;
      const auto range = step ? body_.text.rangeOf(step->getSourceRange()) : std::nullopt;
      const auto behind =
          range ? body_.behindStatement(step, {range->file, range->begin}) : std::nullopt;
      if (!step || step->getOpcode() != clang::BO_AddAssign ||
          namedBy(step->getLHS()) != variable || !isQuotient(step->getRHS(), step->getLHS()) ||
          !behind || !followsDeclaration(step) || step->getBeginLoc().isMacroID() ||
          !namesInStepOnly(variable, uses.size(), step) || !areBehind(uses, *behind, range->file) ||
          !edit({range->file, range->begin, *behind}, ""))
        return false;
    }
    return true;
  }
  bool areBehind(const std::set<const clang::Expr*>& uses, unsigned offset,
                 const std::string& file) const {
    return std::all_of(uses.begin(), uses.end(), [&](const clang::Expr* use) {
      const auto at = body_.text.positionOf(use->getExprLoc());
      return at && at->file == file && at->offset >= offset;
    });
  }
  /// Besides as places the variable is named in the statement that moves it on.
  bool namesInStepOnly(const clang::VarDecl* variable, std::size_t places,
                       const clang::Stmt* step) const {
    PlainVisitor inside;
    inside.TraverseStmt(const_cast<clang::Stmt*>(step));
    return body_.contents.usesOf(variable) == places + inside.usesOf(variable);
  }
  /// Whether a statement stands in a list with the declarations of all that it names, each behind
  /// the other: it runs once for each of them, before all that comes behind.
  bool followsDeclaration(const clang::BinaryOperator* step) const {
    const clang::VarDecl* variable = namedBy(step->getLHS());
    const LocalVariable* local = body_.variables.find(variable);
    const clang::ParentMap& parents = body_.variables.parents();
    const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(parents.getParent(step));
    if (!list || parents.getParent(local->statement) != list)
      return false;
    bool declared = false;
    for (const clang::Stmt* s : list->body()) {
      if (s == step)
        return declared;
      if (declared && !llvm::isa<clang::DeclStmt>(s)) {
        // Others of the kind may stand between: `l += l >> 5; r += r >> 5;`
        const auto* other = llvm::dyn_cast<clang::BinaryOperator>(s);
        if (!other || other->getOpcode() != clang::BO_AddAssign)
          return false;
      }
      declared |= s == local->statement;
    }
    return false;
  }
  /// What a sum's first summand is written as within a place: a macro's argument, too. Of more than
  /// one argument, or of what a macro's body says, nothing.
  std::string textOf(const clang::BinaryOperator* sum, const FileRange& within) const {
    const auto range = body_.text.writtenRange(stripped(sum->getLHS())->getSourceRange());
    const auto whole = body_.text.writtenRange(sum->getSourceRange());
    if (!range || !whole || range->file != within.file || range->begin < within.begin ||
        range->end > within.end || (range->begin == whole->begin && range->end == whole->end))
      return "";
    const std::string text = body_.text.text(*range);
    int depth = 0;
    for (const char c : text) {
      depth += (c == '(' || c == '[') - (c == ')' || c == ']');
      if (depth < 0 || (depth == 0 && c == ','))
        return "";
    }
    return depth == 0 && text.find('\n') == std::string::npos &&
                   text.find("//") == std::string::npos
               ? text
               : std::string();
  }
  bool edit(const FileRange& range, const std::string& text) {
    if (!file_.empty() && range.file != file_)
      return false;
    file_ = range.file;
    edits_[range.begin] = {range.end, withLinesOf(body_.text.text(range), text)};
    return true;
  }

  const PlainBody& body_;
  const clang::VarDecl* array_;
  std::int64_t factor_ = 0;
  std::map<const clang::VarDecl*, std::set<const clang::Expr*>> places_;
  std::string file_;
  std::map<unsigned, std::pair<unsigned, std::string>> edits_;
};

} // namespace

/// Whether a function, or one that it calls, may name a dynamic shared array but for one.
static bool namesDynamicShared(const FunctionFacts& function, const Facts& facts,
                               const clang::VarDecl* except, unsigned depth = 0) {
  constexpr unsigned deepest = 6;
  return depth > deepest || function.indirectCalls || !function.namespaceShared.empty() ||
         std::any_of(function.shared.begin(), function.shared.end(),
                     [&](const SharedVariable& shared) {
                       return shared.dynamic && shared.decl != except;
                     }) ||
         std::any_of(function.callees.begin(), function.callees.end(), [&](const auto* callee) {
           const FunctionFacts* known = facts.find(callee);
           return !known || namesDynamicShared(*known, facts, except, depth + 1);
         });
}

void takeOutPaddings(const PlainBody& body, const Facts& facts, const FunctionFacts& function) {
  // All dynamic shared arrays are one memory: the others would have to be changed with it.
  const auto isAlone = [&](const clang::VarDecl* array) {
    const auto own =
        std::find_if(function.shared.begin(), function.shared.end(),
                     [&](const SharedVariable& shared) { return shared.decl == array; });
    return own != function.shared.end() &&
           (!own->dynamic || !namesDynamicShared(function, facts, array));
  };
  for (const auto& [variable, uses] : body.contents.references)
    if (isShared(variable) && variable->isLocalVarDecl() && variable->getType()->isArrayType() &&
        !variable->getType()->getAsArrayTypeUnsafe()->getElementType()->isArrayType() &&
        !body.mayBeHidden(variable) && isAlone(variable) && Padding(body, variable).run())
      return; // others in later rounds
}

} // namespace cu2cpp
