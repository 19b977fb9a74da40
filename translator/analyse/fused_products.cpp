// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of half and bfloat16 numbers that go into sums, as nvcc and ptxas make them
// (-fmad=true): one operation with one rounding.
//
//   c + a * b                          ->   __hfma(a, b, c)
//   sum += a * b;                      ->   sum = __hfma(a, b, sum);
//   __half h = a * b; sum = sum + h;   ->   auto h = cu2cpp::product(a, b); sum = sum + h;
//
// What ptxas does was read from its code for sm_90: of two products the first one is fused; one
// that is needed otherwise too, or behind a branch, is rounded; _rn forms are left alone. In a
// template, and where the sum stands on several lines, the product alone is rewritten.
#include "analyse/analyses.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "clang/AST/ParentMap.h"

#include "analyse/plain_body.h"
#include "parse/source_text.h"

namespace cu2cpp {
namespace {

const clang::Expr* plain(const clang::Expr* e) {
  for (const clang::Expr* before = nullptr; e && e != before;) {
    before = e;
    e = e->IgnoreUnlessSpelledInSource()->IgnoreParens();
  }
  return e;
}

enum class Kind { Other, Product, Sum, Difference, Negation, AddTo, TakeFrom };

/// One operation on half or bfloat16 numbers or pairs.
struct Operation {
  Kind kind = Kind::Other;
  const clang::CallExpr* call = nullptr;
  clang::SourceLocation at; ///< the operator, or the function's name
  std::string type;         ///< its numbers: __half, __half2 ...
  bool named = false;       ///< a function, not an operator
  bool saturates = false;
  const clang::Expr* operand(unsigned i) const { return call->getArg(i); }
  bool isPair() const { return type.back() == '2'; }
  bool isSum() const { return kind == Kind::Sum || kind == Kind::Difference; }
  bool isAssignment() const { return kind == Kind::AddTo || kind == Kind::TakeFrom; }
};

/// Whether a type is one of ours whose products are fused; `name` is how code spells it.
bool isNarrow(clang::QualType type, std::string& name) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier() ||
      !record->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return false;
  name = record->getName().str();
  return name == "__half" || name == "__half2" || name == "__nv_bfloat16" ||
         name == "__nv_bfloat162";
}

Kind kindOf(clang::OverloadedOperatorKind op, unsigned operands) {
  switch (op) {
  case clang::OO_Star:
    return operands == 2 ? Kind::Product : Kind::Other;
  case clang::OO_Plus:
    return operands == 2 ? Kind::Sum : Kind::Other;
  case clang::OO_Minus:
    return operands == 2 ? Kind::Difference : Kind::Negation;
  case clang::OO_PlusEqual:
    return Kind::AddTo;
  case clang::OO_MinusEqual:
    return Kind::TakeFrom;
  default:
    return Kind::Other;
  }
}

Kind kindOf(llvm::StringRef name) {
  name.consume_back("2");
  return name == "__hmul"   ? Kind::Product
         : name == "__hadd" ? Kind::Sum
         : name == "__hsub" ? Kind::Difference
         : name == "__hneg" ? Kind::Negation
                            : Kind::Other;
}

Operation operationOf(const clang::Expr* e, const SourceUnit& unit) {
  Operation out;
  const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(plain(e));
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || callee->getNumParams() == 0 || call->getNumArgs() != callee->getNumParams() ||
      llvm::isa<clang::CXXMethodDecl>(callee) || unit.isUser(callee->getLocation()) ||
      !isNarrow(callee->getParamDecl(0)->getType(), out.type))
    return out;
  if (call->getFPFeaturesInEffect(unit.context().getLangOpts()).getFPContractMode() ==
      clang::LangOptions::FPM_Off)
    return out;
  if (const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
    out.kind = kindOf(op->getOperator(), call->getNumArgs());
    out.at = op->getOperatorLoc();
  } else if (callee->getIdentifier()) {
    llvm::StringRef name = callee->getName();
    // ptxas fuses add.sat of half numbers, not of bfloat16 ones.
    out.saturates = name.consume_back("_sat");
    out.kind = kindOf(name);
    if (out.saturates && (!out.isSum() || out.type.find("half") == std::string::npos))
      out.kind = Kind::Other;
    out.named = true;
    out.at = call->getBeginLoc();
  }
  out.call = call;
  return out;
}

/// Texts to put in the place of others, by where they begin: where it ends and what it becomes.
using Changes = std::map<unsigned, std::pair<unsigned, std::string>>;

class Fuser {
public:
  Fuser(const SourceUnit& unit, const SourceText& text) : unit_(unit), text_(text) {}

  void look(const FunctionFacts& f) {
    inTemplate_ = f.decl->isDependentContext();
    for (const clang::FunctionDecl* body : f.bodies.empty() ? std::vector{f.decl} : f.bodies)
      if (body->getBody() && !body->isDependentContext()) {
        held_.clear();
        findHeld(body->getBody());
        collect(body->getBody(), changes_);
      }
  }

  TextsByFile texts() const {
    TextsByFile out;
    for (const auto& [file, edits] : changes_)
      out[file] = applied(file, 0, unsigned(unit_.userText(file).size()), edits);
    return out;
  }

private:
  using ChangesByFile = std::map<std::string, Changes>;

  /// A part of a text with changes; one inside another is part of it.
  std::string applied(const std::string& file, unsigned begin, unsigned end,
                      const Changes& edits) const {
    const llvm::StringRef all = unit_.userText(file);
    std::string out;
    for (auto edit = edits.lower_bound(begin); edit != edits.end() && edit->second.first <= end;
         ++edit) {
      if (edit->first < begin)
        continue;
      out += all.slice(begin, edit->first).str() + edit->second.second;
      begin = edit->second.first;
    }
    return out + all.slice(begin, end).str();
  }

  /// Where an expression stands that is written beside `anchor`; none within a macro's body.
  std::optional<FileRange> rangeOf(clang::SourceRange range, clang::SourceLocation anchor) const {
    if (text_.inMacro(anchor))
      return std::nullopt;
    const auto begin = text_.lift(range.getBegin(), anchor);
    const auto end = text_.lift(range.getEnd(), anchor, true);
    const auto& sm = unit_.sources();
    const auto first = text_.positionOf(begin), last = text_.endOf(end);
    if (sm.getFileID(begin) != sm.getFileID(anchor) || sm.getFileID(end) != sm.getFileID(anchor) ||
        !first || !last || first->file != last->file || first->offset >= last->offset ||
        unit_.userText(first->file).empty())
      return std::nullopt;
    return FileRange{first->file, first->offset, last->offset};
  }

  std::string rendered(const clang::Expr* e, const FileRange& range) {
    ChangesByFile inside;
    collect(e, inside);
    return applied(range.file, range.begin, range.end, inside[range.file]);
  }
  /// What an operand says, without parentheses that an argument does not need.
  std::optional<std::string> argument(const clang::Expr* e, clang::SourceLocation anchor) {
    e = e->IgnoreUnlessSpelledInSource();
    while (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(e)) {
      if (parens->getBeginLoc().isMacroID() || hasComma(parens->getSubExpr()))
        break;
      e = parens->getSubExpr()->IgnoreUnlessSpelledInSource();
    }
    const auto range = rangeOf(e->getSourceRange(), anchor);
    return range ? std::optional(rendered(e, *range)) : std::nullopt;
  }
  static bool hasComma(const clang::Expr* e) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e->IgnoreImplicit());
    return op && op->isCommaOp();
  }
  std::optional<std::string> negated(const clang::Expr* e, const Operation& sum) {
    if (const Operation inner = operationOf(e, unit_); inner.kind == Kind::Negation)
      return argument(inner.operand(0), sum.at);
    auto out = argument(e, sum.at);
    if (!out)
      return out;
    const clang::Expr* bare = plain(e);
    if (sum.named)
      return (sum.isPair() ? "__hneg2(" : "__hneg(") + *out + ")";
    const bool simple =
        llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::ArraySubscriptExpr>(bare) ||
        (llvm::isa<clang::CallExpr>(bare) && !llvm::isa<clang::CXXOperatorCallExpr>(bare));
    return simple ? "-" + *out : "-(" + *out + ")";
  }

  /// The product that an operand is, with its sign.
  std::optional<Operation> productIn(const clang::Expr* e, bool& negative) const {
    Operation op = operationOf(e, unit_);
    if (op.kind == Kind::Negation) {
      negative = !negative;
      return productIn(op.operand(0), negative);
    }
    return op.kind == Kind::Product ? std::optional(op) : std::nullopt;
  }
  bool isHeld(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast_or_null<clang::DeclRefExpr>(plain(e));
    return use && held_.count(llvm::dyn_cast<clang::VarDecl>(use->getDecl()));
  }

  /// `cu2cpp::product(a, b)`, on the lines of `a * b`.
  bool rewriteProduct(const Operation& product, ChangesByFile& out) {
    const auto whole = rangeOf(plain(product.call)->getSourceRange(), product.at);
    const auto a = rangeOf(product.operand(0)->getSourceRange(), product.at);
    const auto b = rangeOf(product.operand(1)->getSourceRange(), product.at);
    const auto op = text_.positionOf(product.at);
    if (!whole || !a || !b || !op || a->end > b->begin || a->file != b->file)
      return false;
    const llvm::StringRef all = unit_.userText(a->file);
    const bool same =
        std::all_of(product.call->arg_begin(), product.call->arg_end(), [&](const clang::Expr* e) {
          std::string name;
          return isNarrow(plain(e)->getType(), name);
        });
    const std::string name = same ? "cu2cpp::product(" : "cu2cpp::Product<" + product.type + ">(";
    std::string between = all.slice(a->end, b->begin).str();
    std::string head = name, tail = ")";
    if (product.named) {
      const llvm::StringRef opening = all.slice(whole->begin, a->begin);
      const std::size_t at = opening.find('(');
      if (at == llvm::StringRef::npos)
        return false;
      head += opening.substr(at + 1).str();
      tail = all.slice(b->end, whole->end).str();
    } else {
      if (op->offset < a->end || op->offset >= b->begin || all[op->offset] != '*')
        return false;
      const std::string before = all.slice(a->end, op->offset).str();
      between = (llvm::StringRef(before).trim(" ").empty() ? "" : before) + "," +
                all.slice(op->offset + 1, b->begin).str();
      if (between == ",")
        between = ", ";
    }
    const std::string first = rendered(product.operand(0), *a);
    const std::string second = rendered(product.operand(1), *b);
    out[whole->file][whole->begin] = {whole->end, head + first + between + second + tail};
    return true;
  }

  /// `__hfma(a, b, c)`, where the sum stands on one line.
  bool rewriteSum(const Operation& sum, const Operation& product, bool negative, bool first,
                  ChangesByFile& out) {
    const auto whole = rangeOf(plain(sum.call)->getSourceRange(), sum.at);
    if (!whole || inTemplate_)
      return false;
    const llvm::StringRef before = unit_.userText(whole->file).slice(whole->begin, whole->end);
    if (before.contains('\n') || before.contains("/*"))
      return false;
    const clang::Expr* addend = sum.operand(first ? 1 : 0);
    const bool subtracts = sum.kind == Kind::Difference || sum.kind == Kind::TakeFrom;
    if (subtracts && !first)
      negative = !negative;
    const auto a = negative ? negated(product.operand(0), named(product, sum))
                            : argument(product.operand(0), product.at);
    const auto b = argument(product.operand(1), product.at);
    const auto c = subtracts && first ? negated(addend, sum) : argument(addend, sum.at);
    if (!a || !b || !c)
      return false;
    std::string text = std::string("__hfma") + (sum.isPair() ? "2" : "") +
                       (sum.saturates ? "_sat(" : "(") + *a + ", " + *b + ", " + *c + ")";
    if (sum.isAssignment()) {
      // The place is named twice.
      if (addend->HasSideEffects(unit_.context()) || c->size() > 32)
        return false;
      text = *c + " = " + text;
    }
    out[whole->file][whole->begin] = {whole->end, std::move(text)};
    return true;
  }
  static Operation named(Operation product, const Operation& sum) {
    product.named |= sum.named;
    return product;
  }

  bool fuse(const Operation& sum, ChangesByFile& out) {
    bool negative = false;
    // Of two products the first one is fused; that may be one that a variable holds.
    const auto first = sum.isAssignment() ? std::nullopt : productIn(sum.operand(0), negative);
    if (first)
      return rewriteSum(sum, *first, negative, true, out) || splitSum(sum, *first, out);
    if (isHeld(sum.operand(0)))
      return false;
    negative = false;
    const auto second = productIn(sum.operand(1), negative);
    return second &&
           (rewriteSum(sum, *second, negative, false, out) || splitSum(sum, *second, out));
  }
  /// The product is rewritten, and what stands around it as it is.
  bool splitSum(const Operation& sum, const Operation& product, ChangesByFile& out) {
    if (sum.saturates || !rewriteProduct(product, out))
      return false;
    for (unsigned i = 0; i < 2; ++i) {
      bool negative = false;
      const auto here = productIn(sum.operand(i), negative);
      if (!here || here->call != product.call)
        collect(sum.operand(i), out);
    }
    return true;
  }

  void collect(const clang::Stmt* s, ChangesByFile& out) {
    if (const auto* e = llvm::dyn_cast<clang::CallExpr>(s)) {
      const Operation op = operationOf(e, unit_);
      if ((op.isSum() || op.isAssignment()) && fuse(op, out))
        return;
    }
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
        declaration && declaration->isSingleDecl())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl());
          variable && held_.count(variable) && rewriteHeld(variable, out))
        return;
    for (const clang::Stmt* child : s->children())
      if (child)
        collect(child, out);
  }

  bool rewriteHeld(const clang::VarDecl* variable, ChangesByFile& out) {
    const auto type = typeRangeOf(variable);
    if (!type || !rewriteProduct(operationOf(variable->getInit(), unit_), out))
      return false;
    out[type->file][type->begin] = {type->end, "auto"};
    return true;
  }
  std::optional<FileRange> typeRangeOf(const clang::VarDecl* variable) const {
    const clang::TypeSourceInfo* info = variable->getTypeSourceInfo();
    return info ? rangeOf(info->getTypeLoc().getUnqualifiedLoc().getSourceRange(),
                          variable->getLocation())
                : std::nullopt;
  }

  /// Finds variables that hold a product which only sums use, in straight-line code.
  void findHeld(const clang::Stmt* body) {
    PlainVisitor contents;
    contents.TraverseStmt(const_cast<clang::Stmt*>(body));
    const clang::ParentMap parents(const_cast<clang::Stmt*>(body));
    for (const clang::DeclStmt* s : contents.declarations) {
      const auto* list = llvm::dyn_cast_or_null<clang::CompoundStmt>(parents.getParent(s));
      const auto* variable =
          s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr;
      std::string type;
      if (!list || !variable || !variable->hasLocalStorage() || !variable->hasInit() ||
          variable->hasAttrs() || variable->getInitStyle() != clang::VarDecl::CInit ||
          variable->getType()->isReferenceType() || variable->getType().isVolatileQualified() ||
          !isNarrow(variable->getType(), type) || !typeRangeOf(variable))
        continue;
      const Operation product = operationOf(variable->getInit(), unit_);
      ChangesByFile tried;
      if (product.kind != Kind::Product || product.type != type || !rewriteProduct(product, tried))
        continue;
      const auto& uses = contents.references[variable];
      if (!uses.empty() && std::all_of(uses.begin(), uses.end(), [&](const auto* use) {
            return isSummed(use, s, list, parents);
          }))
        held_.insert(variable);
    }
  }

  /// Whether a use is an operand of a sum that runs whenever its declaration has run, with nothing
  /// but straight-line code in between.
  bool isSummed(const clang::DeclRefExpr* use, const clang::DeclStmt* declaration,
                const clang::CompoundStmt* list, const clang::ParentMap& parents) const {
    const clang::Stmt* at = use;
    Operation sum;
    while (const auto* e = llvm::dyn_cast_or_null<clang::Expr>(parents.getParent(at))) {
      at = e;
      if (llvm::isa<clang::CallExpr>(e)) {
        sum = operationOf(e, unit_);
        break;
      }
    }
    if (!sum.isSum() && !(sum.isAssignment() && plain(sum.operand(0)) != use))
      return false;
    if (sum.saturates || refersTo(sum.operand(0), use) == refersTo(sum.operand(1), use) ||
        text_.inMacro(use->getLocation()))
      return false;
    // A product before it is the one that is fused.
    bool negative = false;
    if (sum.isSum() && refersTo(sum.operand(1), use) && productIn(sum.operand(0), negative))
      return false;
    const clang::Stmt* statement = at;
    for (; parents.getParent(statement) != list; statement = parents.getParent(statement)) {
      if (!parents.getParent(statement) || branches(statement))
        return false;
    }
    if (branches(statement))
      return false;
    const auto from = std::find(list->body_begin(), list->body_end(), declaration);
    const auto to = std::find(from, list->body_end(), statement);
    return to != list->body_end() && std::none_of(from, to, branches);
  }
  static bool refersTo(const clang::Expr* e, const clang::DeclRefExpr* use) {
    const auto* other = llvm::dyn_cast_or_null<clang::DeclRefExpr>(plain(e));
    return other && other->getDecl() == use->getDecl();
  }
  /// Whether a statement or expression runs parts of it on conditions of their own.
  static bool branches(const clang::Stmt* s) {
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s))
      return op->isLogicalOp();
    return llvm::isa<clang::IfStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                     clang::SwitchStmt, clang::CXXForRangeStmt, clang::LabelStmt, clang::GotoStmt,
                     clang::CXXTryStmt, clang::AbstractConditionalOperator, clang::LambdaExpr>(s);
  }

  const SourceUnit& unit_;
  const SourceText& text_;
  bool inTemplate_ = false;
  std::set<const clang::VarDecl*> held_;
  ChangesByFile changes_;
};

} // namespace

TextsByFile fuseProducts(const SourceUnit& unit, const Facts& facts) {
  const SourceText text(unit);
  Fuser fuser(unit, text);
  for (const auto& [place, f] : facts.functions)
    if (f.device && unit.isUser(f.decl->getLocation()))
      fuser.look(f);
  return fuser.texts();
}

} // namespace cu2cpp
