// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/plain_structures.h"

#include <algorithm>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace cu2cpp {
namespace {

constexpr unsigned mostParts = 8;

/// The number of the parameter that an expression names, if it does nothing else; -1 otherwise.
int parameterIn(const clang::Expr* e) {
  for (const clang::Expr* inner = nullptr; e && inner != e;) {
    inner = e;
    e = e->IgnoreParenImpCasts();
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(e))
      e = list->getNumInits() == 1 ? list->getInit(0) : nullptr;
    else if (const auto* parens = llvm::dyn_cast<clang::ParenListExpr>(e))
      e = parens->getNumExprs() == 1 ? parens->getExpr(0) : nullptr;
  }
  const auto* use = llvm::dyn_cast_or_null<clang::DeclRefExpr>(e);
  const auto* parameter = use ? llvm::dyn_cast<clang::ParmVarDecl>(use->getDecl()) : nullptr;
  return parameter ? int(parameter->getFunctionScopeIndex()) : -1;
}

/// `re = r;` in a constructor's body: the number of the field, if that of the parameter is the
/// same.
int fieldStored(const clang::Stmt* s) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(s);
  const clang::Expr* target =
      op && op->getOpcode() == clang::BO_Assign ? op->getLHS()->IgnoreParenImpCasts() : nullptr;
  const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(target);
  const auto* field =
      member && llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())
          ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl())
          : nullptr;
  return field && parameterIn(op->getRHS()) == int(field->getFieldIndex())
             ? int(field->getFieldIndex())
             : -1;
}

} // namespace

bool storesParts(const clang::CXXConstructorDecl* constructor) {
  const clang::CXXRecordDecl* record = constructor->getParent();
  std::vector<const clang::FieldDecl*> fields(record->field_begin(), record->field_end());
  if (constructor->getNumParams() != fields.size() || constructor->isVariadic() ||
      constructor->getAccess() != clang::AS_public || constructor->isDeleted())
    return false;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (!record->getASTContext().hasSameUnqualifiedType(
            constructor->getParamDecl(unsigned(i))->getType().getNonReferenceType(),
            fields[i]->getType()))
      return false;
  const clang::FunctionDecl* body = nullptr;
  if (!constructor->hasBody(body)) {
    // Of a class template's constructors those have bodies that the program calls.
    const clang::FunctionDecl* pattern = constructor->getTemplateInstantiationPattern();
    if (!pattern || !pattern->hasBody(body))
      return false;
  }
  const auto* definition = llvm::dyn_cast<clang::CXXConstructorDecl>(body);
  const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body->getBody());
  std::set<int> stored;
  if (!definition || !list)
    return false;
  for (const clang::CXXCtorInitializer* init : definition->inits()) {
    const clang::FieldDecl* field = init->getMember();
    if (!field)
      return false;
    if (!init->isWritten()) {
      if (field->hasInClassInitializer() &&
          init->getInit()->HasSideEffects(record->getASTContext()))
        return false;
      continue; // left without a value, or with one that is replaced
    }
    if (parameterIn(init->getInit()) != int(field->getFieldIndex()) ||
        !stored.insert(int(field->getFieldIndex())).second)
      return false;
  }
  for (const clang::Stmt* s : list->body())
    if (const int field = fieldStored(s); field < 0 || !stored.insert(field).second)
      return false;
  return stored.size() == fields.size();
}

/// The class of an object that may be copied part by part.
static const clang::CXXRecordDecl* recordOfParts(clang::QualType type) {
  const clang::CXXRecordDecl* record =
      type->isDependentType() ? nullptr : type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && !record->isUnion() && !record->isLambda() &&
                 record->getNumBases() == 0 && record->isTriviallyCopyable() &&
                 !type.isVolatileQualified() &&
                 (record->getIdentifier() || record->getTypedefNameForAnonDecl())
             ? record
             : nullptr;
}

static bool isNamedScalar(const clang::FieldDecl* field, clang::QualType type) {
  return type->isScalarType() && !type->isMemberPointerType() && !type.hasQualifiers() &&
         !field->isBitField() && field->getIdentifier() && !field->isMutable();
}

static std::vector<const clang::FieldDecl*> fieldsOf(clang::QualType type) {
  const clang::CXXRecordDecl* record = recordOfParts(type);
  if (!record)
    return {};
  if (record->isAggregate()
          ? !(record->hasTrivialDefaultConstructor() || record->hasInClassInitializer())
          : std::none_of(record->ctor_begin(), record->ctor_end(),
                         [](const auto* constructor) { return storesParts(constructor); }))
    return {};
  std::vector<const clang::FieldDecl*> parts;
  for (const clang::FieldDecl* field : record->fields()) {
    if (!isNamedScalar(field, field->getType()))
      return {};
    parts.push_back(field);
  }
  return parts.size() <= mostParts ? parts : std::vector<const clang::FieldDecl*>();
}

static bool isHidden(const clang::FieldDecl* field) {
  return field->getAccess() != clang::AS_public;
}

std::vector<const clang::FieldDecl*> partsOf(clang::QualType type) {
  std::vector<const clang::FieldDecl*> fields = fieldsOf(type);
  if (std::any_of(fields.begin(), fields.end(), isHidden))
    fields.clear();
  return fields;
}

std::vector<StructurePart> scalarsOf(clang::QualType type) {
  std::vector<StructurePart> out;
  for (const clang::FieldDecl* field : partsOf(type))
    out.push_back({field, std::nullopt, field->getType()});
  const clang::CXXRecordDecl* record = out.empty() ? recordOfParts(type) : nullptr;
  if (!record || !record->isAggregate() || !record->hasTrivialDefaultConstructor())
    return out;
  for (const clang::FieldDecl* field : record->fields()) {
    const auto* array = record->getASTContext().getAsConstantArrayType(field->getType());
    const clang::QualType element = array ? array->getElementType() : field->getType();
    const std::uint64_t count = array ? array->getSize().getLimitedValue() : 1;
    if (isHidden(field) || !isNamedScalar(field, element) ||
        (array && !element->isArithmeticType()) || count > mostParts - out.size())
      return {};
    for (std::uint64_t i = 0; i < count; ++i)
      out.push_back({field, array ? std::optional(i) : std::nullopt, element});
  }
  return out;
}

std::string declarationOf(clang::QualType type, const clang::ASTContext& context,
                          const std::string& name) {
  clang::QualType number = type;
  while (number->isPointerType())
    number = number->getPointeeType();
  const auto* alias = number->getAs<clang::TypedefType>();
  if (alias && number->isBuiltinType() &&
      !alias->getDecl()->getDeclContext()->getRedeclContext()->isTranslationUnit())
    type = type.getCanonicalType();
  std::string out;
  llvm::raw_string_ostream stream(out);
  type.print(stream, context.getPrintingPolicy(), name);
  return out;
}

bool hidesParts(clang::QualType type) {
  const std::vector<const clang::FieldDecl*> fields = fieldsOf(type);
  return std::any_of(fields.begin(), fields.end(), isHidden);
}

bool isOfValues(clang::QualType type) {
  const clang::CXXRecordDecl* record =
      type->isDependentType() ? nullptr : type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && !record->isUnion() && !record->isLambda() &&
         record->getNumBases() == 0 && record->isTriviallyCopyable() &&
         !type.isVolatileQualified() &&
         std::all_of(record->field_begin(), record->field_end(), [](const auto* field) {
           return !field->isMutable() && !field->getType().isVolatileQualified() &&
                  (field->getType()->isArithmeticType() || isOfNumbers(field->getType()));
         });
}

bool holdsNumbers(clang::QualType type) {
  if (type->isDependentType() || type.isVolatileQualified())
    return false;
  if (type->isConstantArrayType())
    return holdsNumbers(clang::QualType(type->getArrayElementTypeNoTypeQual(), 0));
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record)
    return type->isArithmeticType() || type->isEnumeralType();
  return record->hasDefinition() && !record->isUnion() && !record->isLambda() &&
         record->isTriviallyCopyable() &&
         std::all_of(record->bases_begin(), record->bases_end(),
                     [](const auto& base) { return holdsNumbers(base.getType()); }) &&
         std::all_of(record->field_begin(), record->field_end(), [](const auto* field) {
           return !field->isMutable() && holdsNumbers(field->getType());
         });
}

bool isOfNumbers(clang::QualType type) {
  const auto parts = partsOf(type);
  return !parts.empty() && std::all_of(parts.begin(), parts.end(), [](const auto* part) {
    return part->getType()->isArithmeticType();
  });
}

} // namespace cu2cpp
