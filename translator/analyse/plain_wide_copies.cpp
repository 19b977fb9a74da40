// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbouring numbers of shared memory that a thread copies into an array of its own as one
// structure are copied one by one:
//
//   *reinterpret_cast<float4*>(&b[0]) = *reinterpret_cast<float4*>(&tile[k][x * 4]);
//   ->
//   b[0] = tile[k][x * 4]; b[1] = tile[k][x * 4 + 1]; b[2] = ...
//
// So are those that it copies by way of a variable which nothing else names:
//
//   const float4 t = *reinterpret_cast<float4*>(&tile[k][x * 4]);
//   b[0] = t.x; b[1] = t.y; b[2] = t.z; b[3] = t.w;
//
// On a GPU the one is a single instruction. Here the array can't live in registers where an address
// of it is taken, and what multiplies it is no product of tiles. A structure lies at a multiple of
// its size, and so, where rows are whole structures, in one row.
#include "analyse/plain_body.h"

#include "clang/AST/ExprCXX.h"

#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "analyse/trivial_copies.h"

namespace cu2cpp {
namespace {

/// The element in whose place an expression reaches for a structure: `*(float4*)&a[i]`.
const clang::ArraySubscriptExpr* elementOf(const clang::Expr* e) {
  e = plainly(e);
  const clang::Expr* pointer = nullptr;
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(e);
      op && op->getOpcode() == clang::UO_Deref)
    pointer = plainly(op->getSubExpr());
  if (const auto* first = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(plainly(first->getIdx()));
    pointer = literal && literal->getValue() == 0 ? plainly(first->getBase()) : nullptr;
  }
  const auto* cast = llvm::dyn_cast_or_null<clang::ExplicitCastExpr>(pointer ? pointer : e);
  if (!cast)
    return nullptr;
  const clang::Expr* place = plainly(cast->getSubExpr());
  if (pointer) {
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(place);
    place = address && address->getOpcode() == clang::UO_AddrOf ? plainly(address->getSubExpr())
                                                                : nullptr;
  } else if (cast->getCastKind() != clang::CK_LValueBitCast) {
    return nullptr;
  }
  return llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(place);
}

/// The array of whose innermost rows an element is one, if it is named by all of its places.
const clang::VarDecl* arrayOf(const clang::ArraySubscriptExpr* element) {
  const clang::Expr* e = element;
  while (const auto* at = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    e = plainly(at->getBase());
    if (!e->getType()->isConstantArrayType())
      return nullptr;
  }
  const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
  return use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
}

/// How many numbers of an element's type a structure is, if rows are so many of whole ones; else 0.
unsigned partsOf(clang::QualType structure, const clang::ArraySubscriptExpr* element,
                 const clang::ASTContext& context) {
  const clang::CXXRecordDecl* record = structure->getAsCXXRecordDecl();
  const auto* row = context.getAsConstantArrayType(plainly(element->getBase())->getType());
  const clang::QualType number = element->getType();
  if (!record || !record->hasDefinition() || record->getNumBases() != 0 || !row ||
      !number->isArithmeticType() || number.isVolatileQualified() ||
      structure.isVolatileQualified())
    return 0;
  unsigned parts = 0;
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isBitField() || !context.hasSameUnqualifiedType(field->getType(), number))
      return 0;
    ++parts;
  }
  return parts > 1 && context.getTypeSize(structure) == parts * context.getTypeSize(number) &&
                 row->getSize().urem(parts) == 0
             ? parts
             : 0;
}

class WideCopies : public SyntaxVisitor {
public:
  explicit WideCopies(const PlainBody& body) : body_(body) {}

  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* copy) override {
    if (copy->getOperator() != clang::OO_Equal || copy->getNumArgs() != 2 ||
        !isTrivialAssignment(copy->getDirectCallee()))
      return true;
    const clang::ArraySubscriptExpr *to = elementOf(copy->getArg(0)),
                                    *from = elementOf(copy->getArg(1));
    const clang::VarDecl* const own = to ? arrayOf(to) : nullptr;
    const clang::VarDecl* const shared = from ? arrayOf(from) : nullptr;
    const clang::ASTContext& context = body_.unit.context();
    const clang::Stmt* const list = body_.variables.parents().getParent(copy);
    if (!own || !shared || !own->hasLocalStorage() || isShared(own) || !isShared(shared) ||
        !llvm::isa_and_nonnull<clang::CompoundStmt>(list) ||
        !context.hasSameUnqualifiedType(to->getType(), from->getType()) ||
        !isOfValues(to->getIdx()) || from->HasSideEffects(context) || to->HasSideEffects(context) ||
        asksMemory(from) || asksMemory(to))
      return true;
    const unsigned parts = partsOf(copy->getArg(0)->getType(), to, context);
    if (parts == 0 || partsOf(copy->getArg(1)->getType(), from, context) != parts)
      return true;
    const auto range = body_.text.writtenRange(copy->getSourceRange());
    const auto end = range ? behindSemicolon(body_.text, *range) : std::nullopt;
    const auto toRow = body_.text.spelled(to->getBase()),
               toPlace = body_.text.spelled(to->getIdx()),
               fromRow = body_.text.spelled(from->getBase()),
               fromPlace = body_.text.spelled(from->getIdx());
    if (!end || !toRow || !toPlace || !fromRow || !fromPlace)
      return true;
    std::string out;
    for (unsigned i = 0; i < parts; ++i)
      out += (i ? " " : "") + *toRow + "[" + place(to->getIdx(), *toPlace, i) + "] = " + *fromRow +
             "[" + place(from->getIdx(), *fromPlace, i) + "];";
    if (const auto line = onOneLine(out))
      body_.changes[range->file][range->begin] = {
          *end, withLinesOf(body_.text.buffer(range->file).slice(range->begin, *end), *line)};
    return true;
  }

  /// What a list of statements loads as structures, to put it into arrays right behind.
  bool VisitCompoundStmt(clang::CompoundStmt* list) override {
    for (auto at = list->body_begin(); at != list->body_end(); ++at)
      if (const auto* s = llvm::dyn_cast<clang::DeclStmt>(*at); s && s->isSingleDecl())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()))
          copyPastVariable(s, variable, {at + 1, list->body_end()});
    return true;
  }

private:
  void copyPastVariable(const clang::DeclStmt* statement, const clang::VarDecl* variable,
                        llvm::iterator_range<clang::CompoundStmt::body_iterator> behind) {
    const clang::ASTContext& context = body_.unit.context();
    const auto* from = variable->hasInit() ? elementOf(loadedBy(variable->getInit())) : nullptr;
    const clang::VarDecl* const shared = from ? arrayOf(from) : nullptr;
    if (!shared || !isShared(shared) || !variable->hasLocalStorage() ||
        !isOfValues(from->getIdx()) || !isRowOfValues(from))
      return;
    const unsigned parts = partsOf(variable->getType(), from, context);
    const auto places = body_.placesOf(variable);
    if (parts == 0 || !places || !body_.isSpelled(statement))
      return;
    const auto names = Contents(from).uses;
    const auto row = body_.text.spelled(from->getBase()), at = body_.text.spelled(from->getIdx());
    const auto range = body_.text.rangeOf(statement->getSourceRange());
    std::map<unsigned, std::pair<unsigned, std::string>> edits;
    for (const clang::Stmt* s : behind) {
      if (edits.size() == places->size())
        break;
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
        if (!loadsStructure(declaration, names))
          return;
        continue;
      }
      const auto* copy = llvm::dyn_cast<clang::BinaryOperator>(s);
      const auto* part =
          copy && isIntoOwnArray(copy)
              ? llvm::dyn_cast<clang::MemberExpr>(copy->getRHS()->IgnoreParenImpCasts())
              : nullptr;
      if (!part || part->isArrow() || !namedBy(part->getBase()))
        return;
      if (namedBy(part->getBase()) != variable)
        continue;
      const auto* field = llvm::dyn_cast<clang::FieldDecl>(part->getMemberDecl());
      const auto written = body_.text.rangeOf(part->getSourceRange());
      if (!field || !written || !range || written->file != range->file || !row || !at ||
          !body_.isSpelled(copy))
        return;
      const auto element =
          onOneLine(*row + "[" + place(from->getIdx(), *at, field->getFieldIndex()) + "]");
      if (!element)
        return;
      edits[written->begin] = {written->end, *element};
    }
    if (edits.empty() || edits.size() != places->size())
      return;
    edits[range->begin] = {
        range->end,
        withLinesOf(body_.text.buffer(range->file).slice(range->begin, range->end), ";")};
    body_.put(range->file, edits);
  }
  /// The expression of which a structure's variable is a copy.
  static const clang::Expr* loadedBy(const clang::Expr* init) {
    init = init->IgnoreImplicit();
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(init);
    return made && made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor() &&
                   made->getConstructor()->isTrivial()
               ? made->getArg(0)
               : init;
  }
  /// Whether the place of an element is told by memory: by what the first copy has changed, maybe.
  static bool asksMemory(const clang::ArraySubscriptExpr* element) {
    for (; element;
         element = llvm::dyn_cast<clang::ArraySubscriptExpr>(plainly(element->getBase()))) {
      const auto uses = Contents(element->getIdx()).uses;
      if (Uniformity::readsMemory(element->getIdx()) ||
          std::any_of(uses.begin(), uses.end(), [](const clang::VarDecl* variable) {
            return variable->getType()->isReferenceType();
          }))
        return true;
    }
    return false;
  }
  static bool isRowOfValues(const clang::ArraySubscriptExpr* element) {
    while (const auto* row =
               llvm::dyn_cast<clang::ArraySubscriptExpr>(plainly(element->getBase()))) {
      if (!isOfValues(row->getIdx()))
        return false;
      element = row;
    }
    return true;
  }
  /// `own[i] = ...`, which changes nothing but an element of the thread's.
  bool isIntoOwnArray(const clang::BinaryOperator* copy) const {
    const auto* to = copy->getOpcode() == clang::BO_Assign
                         ? llvm::dyn_cast<clang::ArraySubscriptExpr>(plainly(copy->getLHS()))
                         : nullptr;
    const clang::VarDecl* const own = to ? arrayOf(to) : nullptr;
    return own && own->hasLocalStorage() && !isShared(own) && to->getType()->isArithmeticType() &&
           !to->getType().isVolatileQualified() && isOfValues(to->getIdx()) && isRowOfValues(to);
  }
  /// A declaration of one more such variable, which hides none of these names.
  static bool loadsStructure(const clang::DeclStmt* declaration,
                             const std::set<const clang::VarDecl*>& names) {
    const auto* variable = declaration->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                               : nullptr;
    const auto* from =
        variable && variable->hasInit() ? elementOf(loadedBy(variable->getInit())) : nullptr;
    return from && isOfValues(from->getIdx()) && isRowOfValues(from) && arrayOf(from) &&
           std::none_of(names.begin(), names.end(), [&](const clang::VarDecl* named) {
             return named->getName() == variable->getName();
           });
  }
  static std::string place(const clang::Expr* index, const std::string& text, unsigned part) {
    if (const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(plainly(index)))
      return std::to_string(literal->getValue().getZExtValue() + part);
    return part == 0 ? text : "(" + text + ") + " + std::to_string(part);
  }
  const PlainBody& body_;
};

} // namespace

void copyOneByOne(const PlainBody& body) {
  WideCopies(body).TraverseStmt(body.function->getBody());
}

} // namespace cu2cpp
