// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over elements that update a part of a shared matrix by rows and columns which they leave
// alone run strip by strip (cu2cpp/element_strips.h), where the program finds that they are such:
//
//   for (int i = k + 1 + ty; i < n; i += 16)       if (!cu2cpp::updateInStrips<...>(cuBlock, ...,
//     for (int j = k + 1 + tx; j <= i; j += 16)        [&](..., auto& cuElement, const auto&
//     cuRead1,
//       a[i][j] -= a[i][k] * a[j][k];          ->          const auto& cuRead2) {
//                                                        cuElement -= cuRead1 * cuRead2; }, ...)) {
//                                                    <the loop as it would be without> }
//
// The same goes for matrices that the program lays out itself, `a[i * columns + j]`, for quotients
// and remainders as rows and columns, and with conditions on the column, `if (j <= i)`.
#include "plan/splitter.h"

#include <algorithm>

#include "llvm/ADT/FoldingSet.h"

#include "analyse/marks.h"
#include "analyse/region_parts.h"

namespace cu2cpp {

/// What such a loop does.
class MatrixUpdate {
public:
  MatrixUpdate(const Splitter& splitter, const ElementLoop& loop)
      : splitter_(splitter), context_(splitter.plan_.unit.context()), loop_(loop) {}

  struct Read {
    std::string place, name; ///< `cu2cpp::alongRow(k)`
    std::vector<const clang::Expr*> numbers;
    std::vector<const clang::ArraySubscriptExpr*> reads;
  };
  /// A condition on the column: `j <= i`.
  struct Edge {
    const clang::Expr* at = nullptr;
    bool rises = false, off = false; ///< `off` by one: `j <= i`, `j > i`
  };
  const clang::VarDecl *table = nullptr, *row = nullptr, *column = nullptr;
  const clang::Expr* columns = nullptr; ///< of a matrix that is laid out by hand
  const clang::BinaryOperator* update = nullptr;
  std::vector<const clang::VarDecl*> before; ///< values of the row
  std::vector<const clang::ArraySubscriptExpr*> own;
  std::vector<Read> reads;
  std::vector<const clang::Expr*> scalars; ///< what else it is made of
  Edge low, high;                          ///< by conditions
  Edge start, limit;                       ///< of a loop over columns

  bool find() {
    if (!loop_.inTurn || loop_.row->getBeginLoc().isMacroID())
      return false;
    const clang::Stmt* body = loop_.rows->getBody();
    if (loop_.columns) {
      if (loop_.inner.size() != 1)
        return false;
      row = loop_.row;
      column = loop_.inner.front().variable;
      return takeList(body, loop_.columns) && takeList(loop_.columns->getBody(), nullptr) &&
             takeEdges() && update;
    }
    return loop_.width && takeDivisions(body) && takeList(body, nullptr) && update;
  }
  bool isBefore(const clang::VarDecl* variable) const {
    return std::find(before.begin(), before.end(), variable) != before.end();
  }

private:
  struct Place {
    const clang::VarDecl* table;
    const clang::Expr *row, *column;
  };

  bool isOfBlock(const clang::Expr* e) const {
    return !namesInside(e) && splitter_.isGroupValue(e, true) && !Uniformity::readsMemory(e);
  }
  /// Whether it names a variable that the loop declares.
  bool namesInside(const clang::Expr* e) const {
    class Names : public SyntaxVisitor {
    public:
      clang::SourceRange range;
      const clang::SourceManager* sources = nullptr;
      bool inside = false;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        const clang::SourceLocation at = use->getDecl()->getLocation();
        inside |= !sources->isBeforeInTranslationUnit(at, range.getBegin()) &&
                  !sources->isBeforeInTranslationUnit(range.getEnd(), at);
        return !inside;
      }
    } names;
    names.range = loop_.rows->getSourceRange();
    names.sources = &context_.getSourceManager();
    names.TraverseStmt(const_cast<clang::Expr*>(e));
    return names.inside;
  }
  bool areAlike(const clang::Expr* a, const clang::Expr* b) const {
    return cu2cpp::areAlike(plain(a), plain(b), context_);
  }
  /// Without conversions between integers: places are small (element_strips.h).
  const clang::Expr* plain(const clang::Expr* e) const {
    for (e = e->IgnoreParenImpCasts();; e = e->IgnoreParenImpCasts()) {
      const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e);
      if (!cast || cast->isTypeDependent() || cast->getSubExpr()->isTypeDependent() ||
          !cast->getType()->isIntegerType() || !cast->getSubExpr()->getType()->isIntegerType() ||
          context_.getTypeSize(cast->getType()) < 32)
        return e;
      e = cast->getSubExpr();
    }
  }
  bool isWhole(const clang::Expr* e) const {
    return hasText(e) && !e->getBeginLoc().isMacroID() && !e->getEndLoc().isMacroID();
  }
  bool hasText(const clang::Expr* e) const { return splitter_.plan_.text.isWhole(e); }
  /// How much more a number is in the next row: made of the row and of what the block knows, or of
  /// threads, too.
  std::optional<unsigned> riseOf(const clang::Expr* e, bool ofThreads, unsigned depth = 0) const {
    e = plain(e);
    if (depth > 8)
      return std::nullopt;
    if (namedBy(e) == row)
      return 1;
    if (ofThreads ? !namesInside(e) : isOfBlock(e))
      return 0;
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op || (op->getOpcode() != clang::BO_Add && op->getOpcode() != clang::BO_Sub))
      return std::nullopt;
    const auto left = riseOf(op->getLHS(), ofThreads, depth + 1),
               right = riseOf(op->getRHS(), ofThreads, depth + 1);
    if (!left || !right || (op->getOpcode() == clang::BO_Sub && *right != 0) || *left + *right > 1)
      return std::nullopt;
    return *left + *right;
  }

  /// `const int i = k + 1 + t / width, j = k + 1 + t % width;`
  bool takeDivisions(const clang::Stmt* body) {
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body);
    if (!list)
      return false;
    for (const clang::Stmt* s : list->body()) {
      const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
      if (!declaration)
        break;
      for (const clang::Decl* decl : declaration->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        if (!variable || !variable->hasInit() || !isFixed(variable))
          continue;
        const auto isSum = [&](const std::set<const clang::BinaryOperator*>& parts) {
          return hasText(variable->getInit()) && isSumWithOne(variable->getInit(), parts);
        };
        if (!row && isSum(loop_.quotients))
          row = variable;
        else if (!column && isSum(loop_.remainders))
          column = variable;
      }
    }
    return row && column;
  }
  bool isSumWithOne(const clang::Expr* e, const std::set<const clang::BinaryOperator*>& parts,
                    unsigned depth = 0) const {
    e = plain(e);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op || depth > 8)
      return false;
    if (parts.count(op))
      return true;
    const auto isRest = [&](const clang::Expr* one, const clang::Expr* other) {
      return isOfBlock(other) && splitter_.isGroupValue(other) &&
             isSumWithOne(one, parts, depth + 1);
    };
    return (op->getOpcode() == clang::BO_Add &&
            (isRest(op->getLHS(), op->getRHS()) || isRest(op->getRHS(), op->getLHS()))) ||
           (op->getOpcode() == clang::BO_Sub && isRest(op->getLHS(), op->getRHS()));
  }
  bool isFixed(const clang::VarDecl* variable) const {
    return (variable->getType().isConstQualified() || isOnlyRead(variable)) &&
           !variable->getType().isVolatileQualified() && !variable->getType()->isReferenceType() &&
           !variable->isStaticLocal();
  }
  /// Whether the loop does nothing with a variable but to read its value.
  bool isOnlyRead(const clang::VarDecl* variable) const {
    class Uses : public SyntaxVisitor {
    public:
      const clang::VarDecl* variable = nullptr;
      const clang::ParentMap* parents = nullptr;
      bool fits = true;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
        if (use->getDecl() != variable)
          return true;
        const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parents->getParent(use));
        return fits &= cast && cast->getCastKind() == clang::CK_LValueToRValue;
      }
    } uses;
    uses.variable = variable;
    uses.parents = splitter_.parents_.get();
    uses.TraverseStmt(const_cast<clang::Stmt*>(loop_.rows->getBody()));
    return uses.fits;
  }

  /// Statements up to the update, or to the loop over columns.
  bool takeList(const clang::Stmt* s, const clang::ForStmt* upTo) {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      for (const clang::Stmt* one : list->body())
        if (update || !takeList(one, upTo))
          return false;
      return true;
    }
    if (s == upTo || llvm::isa<clang::NullStmt>(s))
      return true;
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      return std::all_of(declaration->decl_begin(), declaration->decl_end(),
                         [&](const clang::Decl* decl) {
                           const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                           if (variable && (variable == row || variable == column))
                             return true;
                           if (!variable || !variable->hasInit() || !isFixed(variable))
                             return false;
                           before.push_back(variable);
                           return true;
                         });
    if (upTo)
      return false;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
      if (branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
          branch->isConstexpr() || branch->isConsteval())
        return false;
      const clang::Stmt* then = branch->getThen();
      if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then); list && list->size() == 1)
        then = list->body_front();
      if (llvm::isa<clang::ContinueStmt>(then))
        return takeCondition(branch->getCond(), true);
      return takeCondition(branch->getCond(), false) && takeList(then, upTo);
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
    return op && takeUpdate(op);
  }
  /// `j <= i`
  bool takeCondition(const clang::Expr* condition, bool fails) {
    condition = condition->IgnoreParenImpCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(condition))
      return unary->getOpcode() == clang::UO_LNot && takeCondition(unary->getSubExpr(), !fails);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!op)
      return false;
    if (op->getOpcode() == (fails ? clang::BO_LOr : clang::BO_LAnd))
      return takeCondition(op->getLHS(), fails) && takeCondition(op->getRHS(), fails);
    if (!op->isRelationalOp())
      return false;
    auto code =
        fails ? clang::BinaryOperator::negateComparisonOp(op->getOpcode()) : op->getOpcode();
    const clang::Expr* at = op->getRHS();
    if (namedBy(op->getRHS()) == column) {
      at = op->getLHS();
      code = clang::BinaryOperator::reverseComparisonOp(code);
    } else if (namedBy(op->getLHS()) != column) {
      return false;
    }
    const bool ends = code == clang::BO_LT || code == clang::BO_LE;
    Edge& edge = ends ? high : low;
    const auto rise = riseOf(at, false);
    if (edge.at || !rise || !hasText(at))
      return false;
    edge = {at, *rise == 1, code == clang::BO_LE || code == clang::BO_GT};
    return true;
  }
  /// Of the loop over columns.
  bool takeEdges() {
    const auto* test =
        llvm::cast<clang::BinaryOperator>(loop_.columns->getCond()->IgnoreParenImpCasts());
    const auto startRise = riseOf(column->getInit(), true),
               limitRise = riseOf(test->getRHS(), false);
    if (!startRise || !limitRise || !hasText(column->getInit()) || !hasText(test->getRHS()))
      return false;
    start = {column->getInit(), *startRise == 1, false};
    limit = {test->getRHS(), *limitRise == 1, test->getOpcode() == clang::BO_LE};
    return true;
  }

  bool takeUpdate(const clang::BinaryOperator* op) {
    const auto* to = llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParens());
    const clang::BinaryOperatorKind code = op->getOpcode();
    if (!to || !isWhole(op) ||
        (code != clang::BO_Assign && code != clang::BO_AddAssign && code != clang::BO_SubAssign &&
         code != clang::BO_MulAssign && code != clang::BO_DivAssign))
      return false;
    const std::optional<Place> place = placeOf(to);
    if (!place || namedBy(place->row) != row || namedBy(place->column) != column ||
        to->getType().isVolatileQualified())
      return false;
    table = place->table;
    own.push_back(to);
    for (const clang::VarDecl* variable : before) {
      isVector_ = false;
      if (!isOfElement(variable->getType()) || !hasText(variable->getInit()) ||
          !takeValue(variable->getInit()))
        return false;
      if (isVector_)
        vectors_.insert(variable);
    }
    isVector_ = false;
    if (!takeValue(op->getRHS()) || (code == clang::BO_Assign && !isVector_))
      return false;
    update = op;
    return true;
  }
  /// The element's type, which is float or double (element_strips.h asks).
  clang::QualType elementType() const {
    clang::QualType type = table->getType();
    while (const clang::ArrayType* array = context_.getAsArrayType(type))
      type = array->getElementType();
    if (const auto* pointer = type->getAs<clang::PointerType>())
      type = pointer->getPointeeType();
    return type.getCanonicalType().getUnqualifiedType();
  }
  bool isOfElement(clang::QualType type) const {
    return context_.hasSameType(type.getCanonicalType().getUnqualifiedType(), elementType());
  }
  /// Sums, products and quotients of elements and of numbers of their type.
  bool takeValue(const clang::Expr* e) {
    e = e->IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e);
        cast &&
        (cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_NoOp))
      return takeValue(cast->getSubExpr());
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
      return (op->isAdditiveOp() || op->getOpcode() == clang::BO_Mul ||
              op->getOpcode() == clang::BO_Div) &&
             takeValue(op->getLHS()) && takeValue(op->getRHS());
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e))
      return unary->getOpcode() == clang::UO_Minus && takeValue(unary->getSubExpr());
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
      return takeRead(element);
    if (llvm::isa<clang::FloatingLiteral>(e))
      return isOfElement(e->getType());
    if (const clang::Expr* number = convertedTo(e))
      return llvm::isa<clang::FloatingLiteral, clang::IntegerLiteral>(number);
    const clang::VarDecl* variable = namedBy(e);
    if (!variable || !isOfElement(variable->getType()) || variable->getType().isVolatileQualified())
      return false;
    if (isBefore(variable)) {
      isVector_ |= vectors_.count(variable) != 0;
      return true;
    }
    if (namesInside(e) || !splitter_.isGroupValue(e, true))
      return false;
    scalars.push_back(e);
    return true;
  }
  /// `T(0.5)` and `(T)0.5`, T being the element's type.
  const clang::Expr* convertedTo(const clang::Expr* e) const {
    if (const auto* made = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(e))
      return made->getNumArgs() == 1 && isOfElement(made->getTypeAsWritten())
                 ? made->getArg(0)->IgnoreParenImpCasts()
                 : nullptr;
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e);
    return cast && isOfElement(cast->getTypeAsWritten()) ? cast->getSubExpr()->IgnoreParenImpCasts()
                                                         : nullptr;
  }
  bool takeRead(const clang::ArraySubscriptExpr* element) {
    const std::optional<Place> place = placeOf(element);
    if (!place || place->table != table || !isWhole(element))
      return false;
    const clang::VarDecl *atRow = namedBy(place->row), *atColumn = namedBy(place->column);
    if (atRow == row && atColumn == column) {
      own.push_back(element);
      return isVector_ = true;
    }
    const bool rowOfBlock = isOfBlock(place->row), columnOfBlock = isOfBlock(place->column);
    if (rowOfBlock && columnOfBlock)
      return note("cu2cpp::onePlace", {place->row, place->column}, element);
    if (atRow == row && columnOfBlock)
      return note("cu2cpp::ofColumn", {place->column}, element);
    if (rowOfBlock && atColumn == row)
      return note("cu2cpp::ofRow", {place->row}, element);
    isVector_ = true;
    if (rowOfBlock && atColumn == column)
      return note("cu2cpp::alongRow", {place->row}, element);
    return atRow == column && columnOfBlock &&
           note("cu2cpp::alongColumn", {place->column}, element);
  }
  bool note(const std::string& place, std::vector<const clang::Expr*> numbers,
            const clang::ArraySubscriptExpr* element) {
    for (Read& read : reads)
      if (read.place == place &&
          std::equal(numbers.begin(), numbers.end(), read.numbers.begin(),
                     [&](const clang::Expr* a, const clang::Expr* b) { return areAlike(a, b); })) {
        read.reads.push_back(element);
        return true;
      }
    reads.push_back(
        {place, "cuRead" + std::to_string(reads.size() + 1), std::move(numbers), {element}});
    return true;
  }

  /// `a[i][j]`, or `a[i * columns + j]`
  std::optional<Place> placeOf(const clang::ArraySubscriptExpr* element) {
    const clang::Expr* base = element->getBase()->IgnoreParenImpCasts();
    if (const auto* rowAt = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      const clang::VarDecl* array = namedBy(rowAt->getBase());
      if (!array || !isTable(array, 2))
        return std::nullopt;
      return Place{array, plain(rowAt->getIdx()), plain(element->getIdx())};
    }
    const clang::VarDecl* array = namedBy(base);
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(plain(element->getIdx()));
    if (!array || !(isTable(array, 1) || isPointer(array)) || !sum ||
        sum->getOpcode() != clang::BO_Add)
      return std::nullopt;
    for (const bool swapped : {false, true}) {
      const auto* product =
          llvm::dyn_cast<clang::BinaryOperator>(plain(swapped ? sum->getRHS() : sum->getLHS()));
      const clang::Expr* rest = plain(swapped ? sum->getLHS() : sum->getRHS());
      if (!product || product->getOpcode() != clang::BO_Mul)
        continue;
      const clang::Expr *left = plain(product->getLHS()), *right = plain(product->getRHS());
      // The first place is the element's own.
      if (!columns && namedBy(left) == row && isOfBlock(right))
        columns = right;
      else if (!columns && namedBy(right) == row && isOfBlock(left))
        columns = left;
      if (columns && areAlike(right, columns))
        return Place{array, left, rest};
      if (columns && areAlike(left, columns))
        return Place{array, right, rest};
    }
    return std::nullopt;
  }
  /// A shared array of so many dimensions that lies in memory as it is written.
  bool isTable(const clang::VarDecl* array, unsigned dimensions) const {
    const auto& all = splitter_.kernel_.shared;
    clang::QualType type = array->getType();
    unsigned count = 0;
    for (; const clang::ArrayType* at = context_.getAsArrayType(type); type = at->getElementType())
      ++count;
    return count == dimensions && !type.isVolatileQualified() &&
           std::any_of(all.begin(), all.end(), [&](const SharedVariable& shared) {
             return shared.decl == array && !shared.turned &&
                    shared.skewed == SharedVariable::Skew::None &&
                    (!shared.dynamic || dimensions == 1);
           });
  }
  /// A pointer that the block has one value of.
  bool isPointer(const clang::VarDecl* pointer) const {
    const auto* type = pointer->getType()->getAs<clang::PointerType>();
    return type && !type->getPointeeType().isVolatileQualified() && !isShared(pointer) &&
           pointer->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(pointer) &&
           splitter_.isStored(pointer, Storage::Block);
  }

  const Splitter& splitter_;
  const clang::ASTContext& context_;
  const ElementLoop& loop_;
  bool isVector_ = false; ///< what was taken has a value for each column
  std::set<const clang::VarDecl*> vectors_;
};

std::string Splitter::updateInStrips(const ElementLoop& loop) {
  if (!plan_.options.lineDirectives)
    return "";
  MatrixUpdate update(*this, loop);
  if (!update.find())
    return "";
  const bool isPointer =
      std::none_of(kernel_.shared.begin(), kernel_.shared.end(), [&](const SharedVariable& shared) {
        return shared.decl == update.table && !shared.dynamic;
      });
  const std::string name = update.table->getNameAsString();
  const std::string table = !update.columns
                                ? "cu2cpp::tableOf(" + name + ")"
                                : (isPointer ? "cu2cpp::dynamicTableOf(" : "cu2cpp::flatTableOf(") +
                                      name + ", " + blockValue(update.columns) + ")";
  const std::string rowType = typeOf(update.row), columnType = typeOf(update.column);
  const std::string ofRow =
      "[&]([[maybe_unused]] const " + rowType + " " + update.row->getNameAsString();
  const auto edge = [&](const MatrixUpdate::Edge& at, const char* off) -> std::string {
    if (!at.at)
      return "cu2cpp::NoEdge()";
    const std::string value = expressionText(at.at);
    return std::string("cu2cpp::columnEdge<") + (at.rises ? "true" : "false") + ">(" + ofRow +
           ") { return " + (at.off ? off + ("(" + value + ")") : value) + "; })";
  };
  const auto increment = [&](const clang::ForStmt* of) {
    return blockValue(llvm::cast<clang::BinaryOperator>(of->getInc()->IgnoreParens())->getRHS());
  };
  const auto* test = llvm::cast<clang::BinaryOperator>(loop.rows->getCond()->IgnoreParenImpCasts());
  const std::string last = blockValue(test->getRHS());
  std::string out = "{ if (!cu2cpp::updateInStrips" + std::string(loop.columns ? "<" : "ByRows<") +
                    rowType + ", " + columnType +
                    (loop.columns ? loop.ofWarps ? ", true" : ", false" : "") + ">(cuBlock, " +
                    table + ", " + valueLambda(loop.row->getInit(), "", " -> " + typeOf(loop.row)) +
                    ", " + increment(loop.rows) + ", " +
                    (test->getOpcode() == clang::BO_LE ? "cu2cpp::upTo(" + last + ")" : last) +
                    ", ";
  if (loop.columns) {
    elements_ = &loop; // its row has a value here
    out += std::string("cu2cpp::columnEdge<") + (update.start.rises ? "true" : "false") + ">(" +
           "[&]([[maybe_unused]] const " + rowType + " cuRow, const uint3 cuAt) { return " +
           valueLambda(update.start.at, "", " -> " + columnType) + "(cuAt); }), " +
           increment(loop.columns) + ", " + edge(update.limit, "cu2cpp::upTo") + ", ";
    elements_ = nullptr;
  } else {
    const auto part = [&](const clang::VarDecl* variable, const std::string& type,
                          const char* name) {
      return "[&](const " + typeOf(loop.row) + " " + name + ") -> " + type + " { return " +
             expressionText(variable->getInit()) + "; }, ";
    };
    out += blockValue(loop.width) + ", " + part(update.row, rowType, "cuRow") +
           part(update.column, columnType, "cuColumn");
  }
  out += edge(update.low, "cu2cpp::behind") + ", " + edge(update.high, "cu2cpp::upTo") + ", " +
         ofRow + ", auto& cuElement";
  std::string places;
  RegionText named;
  for (const MatrixUpdate::Read& read : update.reads) {
    out += ", const auto& " + read.name;
    places += ", " + read.place + "(";
    for (const clang::Expr* number : read.numbers)
      places += (number == read.numbers.front() ? "" : ", ") + blockValue(number);
    places += ")";
    for (const clang::ArraySubscriptExpr* one : read.reads)
      replaced_[one] = read.name;
  }
  for (const clang::ArraySubscriptExpr* one : update.own)
    replaced_[one] = "cuElement";
  for (const clang::Expr* scalar : update.scalars)
    named.add(scalar);
  out += ") CU2CPP_INLINE { ";
  for (const std::string& line : bindings({}, named))
    out += line + " ";
  for (const clang::VarDecl* variable : update.before)
    out += "const auto " + variable->getNameAsString() + " = " +
           expressionText(variable->getInit()) + "; ";
  out += expressionText(update.update) + "; }" + places + ")) { ";
  for (const MatrixUpdate::Read& read : update.reads)
    for (const clang::ArraySubscriptExpr* one : read.reads)
      replaced_.erase(one);
  for (const clang::ArraySubscriptExpr* one : update.own)
    replaced_.erase(one);
  return out;
}

} // namespace cu2cpp
