// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared tiles whose borders are arrays of their own get them as rows and columns:
//
//   __shared__ float tile[16][16], north[16];         __shared__ float tile[(16) + 1][16];
//   tile[ty][tx] = in[i];                             tile[ty + 1][tx] = in[i];
//   if (ty == 0) north[tx] = in[i - n];          ->   if (ty == 0) tile[0][tx] = in[i - n];
//   __syncthreads();                                  __syncthreads();
//   v = ty == 0 ? north[tx] : tile[ty - 1][tx];       v = tile[ty][tx];
//
// Each element is stored at another place and nothing else changes, as long as nothing but single
// elements is named. A choice between a border's element and the tile's whose places are the same
// then is none: the threads load side by side, and the tile may be a copy of a piece of an array.
#include "analyse/plain_borders.h"

#include <algorithm>

#include "analyse/marks.h"
#include "analyse/plain_body.h"
#include "analyse/region_parts.h"

namespace cu2cpp {
namespace {

bool areSame(const clang::Expr* a, const clang::Expr* b, const clang::ASTContext& context) {
  llvm::FoldingSetNodeID one, other;
  plainly(a)->Profile(one, context, true);
  plainly(b)->Profile(other, context, true);
  return one == other;
}

/// An expression with a number added: `ty - 1`.
struct Shifted {
  const clang::Expr* base = nullptr;
  std::int64_t by = 0;
};
Shifted shifted(const clang::Expr* e, const clang::ASTContext& context) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(plainly(e));
  if (!op || (op->getOpcode() != clang::BO_Add && op->getOpcode() != clang::BO_Sub))
    return {e, 0};
  const bool adds = op->getOpcode() == clang::BO_Add;
  if (const auto right = constantOf(op->getRHS(), context))
    return {op->getLHS(), adds ? *right : -*right};
  const auto left = constantOf(op->getLHS(), context);
  return left && adds ? Shifted{op->getRHS(), *left} : Shifted{e, 0};
}

const clang::Stmt* loopBody(const clang::Stmt* s) {
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
    return loop->getBody();
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s))
    return loop->getBody();
  const auto* loop = llvm::dyn_cast<clang::DoStmt>(s);
  return loop ? loop->getBody() : nullptr;
}

/// `array[i][j]` or `array[i]`
struct Element {
  const clang::VarDecl* array = nullptr;
  const clang::Expr* whole = nullptr;
  std::vector<const clang::ArraySubscriptExpr*> subscripts;
  explicit Element(const clang::Expr* e) : whole(plainly(e)) {
    const clang::Expr* at = whole;
    while (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(plainly(at))) {
      subscripts.insert(subscripts.begin(), subscript);
      at = subscript->getBase();
    }
    array = subscripts.empty() ? nullptr : namedBy(at);
  }
  const clang::Expr* index(std::size_t dimension) const { return subscripts[dimension]->getIdx(); }
};

/// One side of a tile: the border's place there, behind which others move.
struct Side {
  unsigned dimension = 0;
  bool before = false; ///< the first row or column
  bool operator<(const Side& other) const {
    return std::pair(dimension, before) < std::pair(other.dimension, other.before);
  }
  bool operator==(const Side& other) const {
    return dimension == other.dimension && before == other.before;
  }
};

class Borders {
public:
  Borders(const PlainBody& body, const clang::VarDecl* tile) : body_(body), tile_(tile) {}

  bool run() {
    if (!isTile() || !findUses(tile_, 2, inTile_))
      return false;
    findChoices();
    for (auto at = borders_.begin(); at != borders_.end();)
      at = isBorder(at->first) ? std::next(at) : borders_.erase(at);
    std::set<Side> sides;
    for (const auto& [border, side] : borders_)
      if (!sides.insert(side).second)
        return false;
    return !borders_.empty() && isKnownByName() && staysInRows() && hasRoom() && write(sides);
  }

private:
  /// A choice between elements of both, which becomes the tile's.
  struct Choice {
    const clang::Stmt* whole = nullptr; ///< a conditional expression or statement
    const clang::Stmt* kept = nullptr;  ///< the part with the tile's element
    const clang::VarDecl* border = nullptr;
  };

  const clang::ASTContext& context() const { return body_.unit.context(); }

  bool isTile() {
    clang::TypeLoc written =
        tile_->getTypeSourceInfo() ? tile_->getTypeSourceInfo()->getTypeLoc() : clang::TypeLoc();
    clang::QualType type = tile_->getType();
    for (unsigned dimension = 0; dimension < 2; ++dimension) {
      const auto* array =
          llvm::dyn_cast_or_null<clang::ConstantArrayType>(type->getAsArrayTypeUnsafe());
      const auto brackets =
          written ? written.getAs<clang::ConstantArrayTypeLoc>() : clang::ConstantArrayTypeLoc();
      if (!array || !brackets || !brackets.getSizeExpr() || brackets.getLBracketLoc().isMacroID() ||
          brackets.getRBracketLoc().isMacroID() || array->getSize().ugt(mostElements))
        return false;
      sizes_.push_back(array->getSize().getSExtValue());
      brackets_.push_back(
          brackets.getSourceRange().isValid()
              ? clang::SourceRange(brackets.getLBracketLoc(), brackets.getRBracketLoc())
              : clang::SourceRange());
      type = array->getElementType();
      written = brackets.getElementLoc();
    }
    return isNumber(type) && tile_->getAttrs().size() == 1;
  }
  bool isNumber(clang::QualType type) const {
    return !type->isDependentType() && type->isArithmeticType() && !type.isVolatileQualified() &&
           !type.isConstQualified();
  }

  /// The uses of an array, if all of them load or store single elements.
  bool findUses(const clang::VarDecl* array, std::size_t dimensions, std::vector<Element>& out) {
    const auto places = body_.placesOf(array);
    if (!places)
      return false;
    const clang::ParentMap& parents = body_.variables.parents();
    for (const auto& [offset, use] : *places) {
      const clang::Expr* at = use;
      for (std::size_t i = 0; i < dimensions; ++i) {
        const clang::Stmt* parent = parents.getParent(at);
        while (llvm::isa_and_nonnull<clang::ImplicitCastExpr>(parent))
          parent = parents.getParent(parent);
        const auto* subscript = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(parent);
        if (!subscript || subscript->getBase()->IgnoreImpCasts() != at ||
            subscript->getRBracketLoc().isMacroID() || !isIndex(subscript->getIdx()))
          return false;
        at = subscript;
      }
      if (!isLoadedOrStored(at))
        return false;
      out.emplace_back(at);
    }
    return !out.empty();
  }
  bool isIndex(const clang::Expr* e) const {
    return e->getType()->isIntegerType() && e->isPRValue() && body_.isSpelled(e) &&
           !e->getBeginLoc().isMacroID();
  }
  bool isLoadedOrStored(const clang::Expr* e) const {
    const clang::ParentMap& parents = body_.variables.parents();
    const clang::Stmt* at = e;
    const clang::Stmt* parent = parents.getParent(at);
    const auto isBranch = [&] {
      const auto* choice = llvm::dyn_cast_or_null<clang::ConditionalOperator>(parent);
      return choice && choice->getCond() != at;
    };
    while (llvm::isa_and_nonnull<clang::ParenExpr>(parent) || isBranch())
      parent = parents.getParent(at = parent);
    if (const auto* cast = llvm::dyn_cast_or_null<clang::ImplicitCastExpr>(parent))
      return cast->getCastKind() == clang::CK_LValueToRValue;
    const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
    return op && op->isAssignmentOp() && op->getLHS() == at && at == plainly(e);
  }

  void findChoices() {
    class Finder : public SyntaxVisitor {
    public:
      std::vector<const clang::ConditionalOperator*> operators;
      bool VisitConditionalOperator(clang::ConditionalOperator* op) override {
        operators.push_back(op);
        return true;
      }
    } all;
    all.TraverseStmt(body_.function->getBody());
    for (const clang::ConditionalOperator* op : all.operators)
      takeChoice(op, op->getCond(), op->getTrueExpr(), op->getFalseExpr());
    for (const clang::IfStmt* branch : body_.contents.branches)
      if (branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
          !branch->isConstexpr())
        takeChoice(branch, branch->getCond(), branch->getThen(), branch->getElse());
  }
  void takeChoice(const clang::Stmt* whole, const clang::Expr* condition, const clang::Stmt* then,
                  const clang::Stmt* otherwise) {
    if (!isText(whole) || !isText(then) || !isText(otherwise))
      return;
    for (const bool borderFirst : {true, false}) {
      const clang::Stmt* const edge = borderFirst ? then : otherwise;
      const clang::Stmt* const inside = borderFirst ? otherwise : then;
      const auto pair = differingElements(edge, inside);
      if (!pair)
        continue;
      const auto side = sideOf(condition, borderFirst, pair->first, pair->second, whole);
      if (!side)
        continue;
      const auto [known, isNew] = borders_.insert({pair->first.array, *side});
      if (isNew || known->second == *side)
        choices_.push_back({whole, inside, pair->first.array});
    }
  }
  bool isText(const clang::Stmt* s) const {
    return !s->getBeginLoc().isMacroID() && body_.isSpelled(s);
  }

  /// The elements of a border and of the tile in which two pieces of code differ.
  std::optional<std::pair<Element, Element>> differingElements(const clang::Stmt* edge,
                                                               const clang::Stmt* inside) const {
    for (const Element& one : inTile_) {
      if (!holds(inside, one.whole))
        continue;
      for (const auto& [variable, uses] : body_.contents.references) {
        if (!isShared(variable) || variable == tile_)
          continue;
        for (const clang::DeclRefExpr* use : uses) {
          const clang::Stmt* parent = use;
          while (parent && !llvm::isa<clang::ArraySubscriptExpr>(parent))
            parent = body_.variables.parents().getParent(parent);
          const auto* subscript = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(parent);
          if (!subscript)
            continue;
          const Element other(subscript);
          if (other.array != variable || other.subscripts.size() != 1 || !holds(edge, other.whole))
            continue;
          const std::string a = textWithout(edge, other), b = textWithout(inside, one);
          if (!a.empty() && a == b)
            return std::pair(other, one);
        }
      }
    }
    return std::nullopt;
  }
  bool holds(const clang::Stmt* outer, const clang::Stmt* inner) const {
    for (; inner; inner = body_.variables.parents().getParent(inner))
      if (inner == outer)
        return true;
    return false;
  }
  /// The text of an expression, or of the one expression that a statement is, with a mark in the
  /// place of an element.
  std::string textWithout(const clang::Stmt* s, const Element& element) const {
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      if (list->size() != 1)
        return "";
      s = list->body_front();
    }
    const auto* e = llvm::dyn_cast<clang::Expr>(s);
    const auto all = e ? body_.text.rangeOf(e->IgnoreParens()->getSourceRange()) : std::nullopt;
    const auto part = body_.text.rangeOf(element.whole->getSourceRange());
    if (!all || !part || part->begin < all->begin || part->end > all->end)
      return "";
    const auto text = onOneLine(body_.text.text({all->file, all->begin, part->begin}) + "@" +
                                body_.text.text({all->file, part->end, all->end}));
    return text.value_or("");
  }

  /// The side of the tile at which a border's element lies, for threads that choose it.
  std::optional<Side> sideOf(const clang::Expr* condition, bool borderFirst, const Element& border,
                             const Element& inside, const clang::Stmt* whole) const {
    for (unsigned dimension = 0; dimension < 2; ++dimension) {
      const clang::Expr* along = inside.index(1 - dimension);
      const Shifted across = shifted(inside.index(dimension), context());
      if (!areSame(along, border.index(0), context()) || !body_.isFixed(along) ||
          !body_.isFixed(across.base))
        continue;
      const auto chosen = valueWhere(condition, borderFirst, across.base, whole, dimension);
      if (!chosen)
        continue;
      const std::int64_t place = *chosen + across.by;
      if (place == -1 || place == sizes_[dimension])
        return Side{dimension, place == -1};
    }
    return std::nullopt;
  }
  /// The one value that an index has where a condition is so.
  std::optional<std::int64_t> valueWhere(const clang::Expr* condition, bool isTrue,
                                         const clang::Expr* index, const clang::Stmt* whole,
                                         unsigned dimension) const {
    condition = plainly(condition);
    if (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(condition);
        negation && negation->getOpcode() == clang::UO_LNot)
      return areSame(negation->getSubExpr(), index, context())
                 ? isTrue ? std::optional<std::int64_t>(0) : std::nullopt
                 : std::nullopt;
    if (!isTrue && areSame(condition, index, context()))
      return 0;
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!op || !op->isComparisonOp())
      return std::nullopt;
    auto code = op->getOpcode();
    const clang::Expr* variable = op->getLHS();
    auto bound = constantOf(op->getRHS(), context());
    if (!bound) {
      bound = constantOf(op->getLHS(), context());
      variable = op->getRHS();
      code = clang::BinaryOperator::reverseComparisonOp(code);
    }
    if (!bound || !areSame(variable, index, context()))
      return std::nullopt;
    if (!isTrue)
      code = clang::BinaryOperator::negateComparisonOp(code);
    switch (code) {
    case clang::BO_EQ:
      return bound;
    case clang::BO_LE:
      return *bound == 0 && isThreadIndex(index) ? bound : std::nullopt;
    case clang::BO_LT:
      return *bound == 1 && isThreadIndex(index) ? std::optional(*bound - 1) : std::nullopt;
    case clang::BO_GE:
      return *bound == sizes_[dimension] - 1 && isRow(index, whole, dimension) ? bound
                                                                               : std::nullopt;
    case clang::BO_GT:
      return *bound == sizes_[dimension] - 2 && isRow(index, whole, dimension)
                 ? std::optional(*bound + 1)
                 : std::nullopt;
    default:
      return std::nullopt;
    }
  }
  /// `threadIdx.x`, or a variable that is nothing else: it is never negative.
  bool isThreadIndex(const clang::Expr* e) const {
    e = plainly(e);
    if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
      e = plainly(pseudo->getResultExpr());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(plainly(member->getBase()));
      return use && builtinOf(use->getDecl()) == ThreadIdx;
    }
    const clang::VarDecl* variable = namedBy(e);
    return variable && variable->hasInit() && !llvm::isa<clang::ParmVarDecl>(variable) &&
           variable->getType()->isIntegerType() && !variable->getType()->isDependentType() &&
           context().getTypeSize(variable->getType()) >= 32 && body_.isFixed(e) &&
           isThreadIndex(variable->getInit());
  }
  /// Whether a thread that comes to a statement has named the tile's row or column of that index:
  /// then there is one.
  bool isRow(const clang::Expr* index, const clang::Stmt* whole, unsigned dimension) const {
    const auto here = body_.text.positionOf(whole->getBeginLoc());
    return std::any_of(inTile_.begin(), inTile_.end(), [&](const Element& one) {
      const auto there = body_.text.positionOf(one.whole->getBeginLoc());
      if (!areSame(one.index(dimension), index, context()) || !here || !there ||
          there->file != here->file || there->offset >= here->offset)
        return false;
      const clang::ParentMap& parents = body_.variables.parents();
      for (const clang::Stmt* around = parents.getParent(one.whole); around;
           around = parents.getParent(around)) {
        const auto* op = llvm::dyn_cast<clang::BinaryOperator>(around);
        const bool always =
            llvm::isa<clang::CompoundStmt, clang::DeclStmt, clang::ParenExpr, clang::CastExpr,
                      clang::ArraySubscriptExpr, clang::ExprWithCleanups>(around) ||
            (op && !op->isLogicalOp()) || llvm::isa<clang::UnaryOperator>(around);
        if (!always && !holds(around, whole))
          return false;
        if (const clang::Stmt* const steps = loopBody(around);
            steps && !(holds(steps, one.whole) && holds(steps, whole)))
          return false;
        // A branch's other part may not have come by.
        if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(around);
            branch && branch->getElse() &&
            holds(branch->getThen(), one.whole) != holds(branch->getThen(), whole))
          return false;
        if (llvm::isa<clang::ConditionalOperator, clang::SwitchStmt>(around) ||
            (op && op->isLogicalOp()))
          return false;
      }
      return true;
    });
  }

  /// Whether an array is a row or a column of numbers that is chosen from in each place that loads
  /// from it.
  bool isBorder(const clang::VarDecl* array) {
    const auto* type =
        llvm::dyn_cast_or_null<clang::ConstantArrayType>(array->getType()->getAsArrayTypeUnsafe());
    const unsigned dimension = borders_.at(array).dimension;
    std::vector<Element> uses;
    if (!type || !array->isLocalVarDecl() || array->getAttrs().size() != 1 ||
        !context().hasSameType(type->getElementType(), elementType()) ||
        type->getSize().ugt(std::uint64_t(sizes_[1 - dimension])) || !findUses(array, 1, uses))
      return false;
    for (const Element& use : uses) {
      const auto* op = llvm::dyn_cast_or_null<clang::BinaryOperator>(
          body_.variables.parents().getParent(use.whole));
      const bool stored = op && op->getOpcode() == clang::BO_Assign && op->getLHS() == use.whole;
      if (!stored && std::none_of(choices_.begin(), choices_.end(), [&](const Choice& choice) {
            return choice.border == array && holds(choice.whole, use.whole);
          }))
        return false;
    }
    inBorders_[array] = std::move(uses);
    return true;
  }
  clang::QualType elementType() const {
    return tile_->getType()
        ->getAsArrayTypeUnsafe()
        ->getElementType()
        ->getAsArrayTypeUnsafe()
        ->getElementType();
  }

  /// Whether the tile's name means the tile wherever a border is named.
  bool isKnownByName() const {
    class Named : public SyntaxVisitor {
    public:
      std::string name;
      unsigned times = 0;
      bool VisitNamedDecl(clang::NamedDecl* decl) override {
        times += decl->getDeclName().isIdentifier() && decl->getName() == name;
        return true;
      }
    } named;
    named.name = tile_->getNameAsString();
    named.TraverseStmt(body_.function->getBody());
    const clang::Stmt* declared = nullptr;
    for (const clang::DeclStmt* s : body_.contents.declarations)
      if (std::find(s->decl_begin(), s->decl_end(), tile_) != s->decl_end())
        declared = s;
    const auto place = body_.text.positionOf(tile_->getLocation());
    return named.times == 1 && declared && place &&
           body_.variables.parents().getParent(declared) == body_.function->getBody() &&
           std::all_of(inBorders_.begin(), inBorders_.end(), [&](const auto& border) {
             return std::all_of(
                 border.second.begin(), border.second.end(), [&](const Element& use) {
                   const auto at = body_.text.positionOf(use.whole->getBeginLoc());
                   return at && at->file == place->file && at->offset > place->offset;
                 });
           });
  }
  /// Whether no place may be meant for one of another row: `tile[0][i]` for the whole tile.
  bool staysInRows() const {
    return std::all_of(inTile_.begin(), inTile_.end(), [&](const Element& one) {
      const auto row = constantOf(one.index(0), context());
      const auto column = constantOf(one.index(1), context());
      if (row && (*row < 0 || *row >= sizes_[0]))
        return false;
      if (column)
        return *column >= 0 && *column < sizes_[1];
      return !row || std::any_of(inTile_.begin(), inTile_.end(), [&](const Element& other) {
        return !constantOf(other.index(0), context()) &&
               areSame(other.index(1), one.index(1), context());
      });
    });
  }
  /// Whether a block that has its shared memory now has it with the corners, too.
  bool hasRoom() const {
    std::uint64_t bytes = 0;
    for (const clang::DeclStmt* s : body_.contents.declarations)
      for (const clang::Decl* decl : s->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
            variable && isShared(variable)) {
          if (variable->getType()->isDependentType())
            return false;
          if (!variable->getType()->isIncompleteType())
            bytes += std::uint64_t(context().getTypeSizeInChars(variable->getType()).getQuantity());
        }
    return bytes <= mostBytes;
  }

  bool write(const std::set<Side>& sides) {
    const auto place = body_.text.positionOf(tile_->getLocation());
    if (!place)
      return false;
    file_ = place->file;
    // The declarations: the tile's with more rows and columns, the borders' not at all.
    for (unsigned dimension = 0; dimension < 2; ++dimension) {
      const unsigned more =
          unsigned(sides.count({dimension, true}) + sides.count({dimension, false}));
      const auto open = body_.text.endOf(brackets_[dimension].getBegin());
      const auto close = body_.text.positionOf(brackets_[dimension].getEnd());
      if (!open || !close || open->file != file_ || close->file != file_)
        return false;
      if (more != 0) {
        edit(open->offset, open->offset, "(");
        edit(close->offset, close->offset, ") + " + std::to_string(more));
      }
    }
    for (const clang::DeclStmt* s : body_.contents.declarations) {
      const auto isGone = [&](const clang::Decl* decl) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        return variable && inBorders_.count(variable);
      };
      if (std::none_of(s->decl_begin(), s->decl_end(), isGone))
        continue;
      const auto range = body_.text.writtenRange(s->getSourceRange());
      if (!std::all_of(s->decl_begin(), s->decl_end(), isGone) || !range || range->file != file_)
        return false;
      remove(range->begin, range->end);
    }
    for (const Choice& choice : choices_) {
      const auto whole = body_.text.rangeOf(choice.whole->getSourceRange());
      const auto kept = body_.text.rangeOf(choice.kept->getSourceRange());
      if (!inBorders_.count(choice.border))
        continue;
      if (!whole || !kept || whole->file != file_ || kept->file != file_)
        return false;
      remove(whole->begin, kept->begin);
      // Behind a statement that is an expression its semicolon stays.
      const bool statement = llvm::isa<clang::IfStmt>(choice.whole);
      if (!statement || kept->end < whole->end) {
        unsigned end = kept->end;
        if (statement && llvm::isa<clang::Expr>(choice.kept)) {
          const auto behind = behindSemicolon(body_.text, *kept);
          if (!behind)
            return false;
          end = *behind;
        }
        unsigned last = whole->end;
        if (statement &&
            !llvm::isa<clang::CompoundStmt>(llvm::cast<clang::IfStmt>(choice.whole)->getElse())) {
          const auto behind = behindSemicolon(body_.text, *whole);
          if (!behind)
            return false;
          last = *behind;
        }
        if (end < last)
          remove(end, last);
      }
    }
    const std::int64_t rows = sides.count({0, true}), columns = sides.count({1, true});
    bool good = true;
    for (const Element& one : inTile_)
      good = good && (isRemoved(one) ||
                      (move(one.subscripts[0], rows) && move(one.subscripts[1], columns)));
    for (const auto& [border, uses] : inBorders_) {
      const Side side = borders_.at(border);
      const std::string fixed =
          "[" +
          std::to_string(
              side.before ? 0 : sizes_[side.dimension] + (side.dimension == 0 ? rows : columns)) +
          "]";
      for (const Element& one : uses) {
        if (isRemoved(one))
          continue;
        const auto name = body_.text.rangeOf(one.subscripts[0]->getBase()->getSourceRange());
        const auto close = body_.text.endOf(one.subscripts[0]->getRBracketLoc());
        if (!name || !close || name->file != file_ || close->file != file_)
          return false;
        edit(name->begin, name->end, tile_->getNameAsString() + (side.dimension == 0 ? fixed : ""));
        good = good && move(one.subscripts[0], side.dimension == 0 ? columns : rows);
        if (side.dimension == 1)
          edit(close->offset, close->offset, fixed);
      }
    }
    return good && put();
  }
  bool isRemoved(const Element& one) const {
    const auto range = body_.text.writtenRange(one.whole->getSourceRange());
    return range && std::any_of(removed_.begin(), removed_.end(), [&](const Edit& gone) {
             return gone.begin <= range->begin && range->end <= gone.end;
           });
  }
  /// Moves an index on by a number.
  bool move(const clang::ArraySubscriptExpr* subscript, std::int64_t by) {
    const clang::Expr* index = subscript->getIdx();
    const auto range = body_.text.writtenRange(index->getSourceRange());
    if (!range || range->file != file_)
      return false;
    if (by == 0)
      return true;
    const Shifted parts = shifted(index, context());
    const clang::VarDecl* variable = namedBy(parts.base);
    if (variable) {
      const std::int64_t all = parts.by + by;
      edit(range->begin, range->end,
           variable->getNameAsString() +
               (all == 0 ? "" : (all < 0 ? " - " : " + ") + std::to_string(std::abs(all))));
      return true;
    }
    edit(range->begin, range->begin, "(");
    edit(range->end, range->end, ") + " + std::to_string(by));
    return true;
  }
  void edit(unsigned begin, unsigned end, std::string text) {
    edits_.push_back({begin, end, std::move(text)});
  }
  void remove(unsigned begin, unsigned end) {
    if (begin < end)
      removed_.push_back({begin, end, ""});
  }
  bool put() const {
    std::map<unsigned, std::pair<unsigned, std::string>> all;
    for (const Edit& one : removed_) {
      const std::string before = body_.text.buffer(file_).slice(one.begin, one.end).str();
      if (before.find('#') != std::string::npos ||
          std::any_of(removed_.begin(), removed_.end(), [&](const Edit& other) {
            return &other != &one && other.begin < one.end && one.begin < other.end;
          }))
        return false;
      all[one.begin] = {one.end, withLinesOf(before, "")};
    }
    for (const Edit& one : edits_) {
      const auto around = std::find_if(removed_.begin(), removed_.end(), [&](const Edit& gone) {
        return one.begin < gone.end && gone.begin < std::max(one.end, one.begin + 1);
      });
      if (around != removed_.end())
        return false;
      if (!all.insert({one.begin, {one.end, one.text}}).second)
        return false;
    }
    return body_.put(file_, std::move(all));
  }

  struct Edit {
    unsigned begin, end;
    std::string text;
  };
  static constexpr std::uint64_t mostElements = 4096, mostBytes = 40 * 1024;

  const PlainBody& body_;
  const clang::VarDecl* tile_;
  std::vector<std::int64_t> sizes_;
  std::vector<clang::SourceRange> brackets_;
  std::vector<Element> inTile_;
  std::map<const clang::VarDecl*, std::vector<Element>> inBorders_;
  std::map<const clang::VarDecl*, Side> borders_;
  std::vector<Choice> choices_;
  std::string file_;
  std::vector<Edit> edits_, removed_;
};

} // namespace

void joinBorders(const PlainBody& body) {
  for (const auto& [variable, uses] : body.contents.references)
    if (isShared(variable) && variable->isLocalVarDecl() && Borders(body, variable).run())
      return; // others in later rounds
}

} // namespace cu2cpp
