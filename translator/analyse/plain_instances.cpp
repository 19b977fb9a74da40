// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates that are given one number, one function or one type only have it written into them,
// where only compilers read the translation:
//
//   template <int WARP>                            template <int WARP>
//   __global__ void sums(const float* x) {    ->   __global__ void sums(const float* x) {
//     int row = threadIdx.x / WARP;                  int row = threadIdx.x / 32;
//
//   template <class T, int N>                      template <class T = float, int N>
//   __global__ void scale(View<T> a, T by) { ...     ->   __global__ void scale(View<float> a, ...
//   scale<float, 16><<<...>>>(a, 2);               scale<float, 16><<<...>>>(a, 2);
//
// Of what depends on a type nothing is known: which operators are the language's own, what a
// member is, which function a call reaches. The parameter stays, with the type (or the number) as
// its default where it was deduced.
// Leaves: functions in whose instances names mean what is declared behind them.
#include "analyse/plain_instances.h"

#include <algorithm>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/QualTypeNames.h"
#include "llvm/ADT/StringExtras.h"

#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

/// Whether all that a function names is declared before it: looked up there, and not where the
/// template is instantiated, names mean the same.
class Names : public SyntaxVisitor {
public:
  Names(const clang::SourceManager& sources, clang::SourceLocation before, bool mayLeaveOut)
      : sources_(sources), before_(before), mayLeaveOut_(mayLeaveOut) {}
  bool fit = true;

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override { return see(use->getDecl()); }
  bool VisitMemberExpr(clang::MemberExpr* member) override { return see(member->getMemberDecl()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    return see(made->getConstructor());
  }
  bool VisitStmt(clang::Stmt* s) override {
    // What is left out may not fit the type; names of functions tell the types.
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    return fit = fit && !(branch && branch->isConstexpr() && !mayLeaveOut_) &&
                 !llvm::isa<clang::PredefinedExpr>(s);
  }

private:
  bool see(const clang::ValueDecl* decl) {
    if (llvm::isa<clang::VarDecl>(decl) && llvm::cast<clang::VarDecl>(decl)->isLocalVarDeclOrParm())
      return true;
    return fit = fit && (decl->getLocation().isInvalid() ||
                         sources_.isBeforeInTranslationUnit(decl->getLocation(), before_));
  }

  const clang::SourceManager& sources_;
  const clang::SourceLocation before_;
  const bool mayLeaveOut_;
};

class Instances {
public:
  Instances(const SourceUnit& unit, const SourceText& text, PlainChanges& changes)
      : unit_(unit), text_(text), changes_(changes) {}

  void name(const FunctionFacts& f, bool namesTypes) {
    const clang::FunctionTemplateDecl* made = f.decl->getDescribedFunctionTemplate();
    if (!made || !isMadeAlone(made) || !namesFit(unit_, f, false))
      return;
    std::map<std::string, std::string> types;
    std::map<unsigned, std::string> defaults;
    const clang::TemplateParameterList* parameters = made->getTemplateParameters();
    for (unsigned i = 0; i < parameters->size(); ++i) {
      if (parameters->getParam(i)->isParameterPack())
        return;
      if (const auto* number =
              llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameters->getParam(i))) {
        const std::string value = commonValue(made, i, number->getType(), f.decl->getBeginLoc());
        const auto at = text_.positionOf(number->getLocation());
        if (value.empty() || number->getName().empty() || number->isParameterPack() || !at ||
            number->getLocation().isMacroID())
          continue;
        types[number->getNameAsString()] = value;
        // (Of a pointer to a function no more than the name is behind its type.)
        if (!number->hasDefaultArgument() && number->getType()->isIntegralOrEnumerationType())
          defaults[at->offset] = number->getNameAsString() + " = " + value;
        continue;
      }
      const auto* parameter =
          namesTypes ? llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameters->getParam(i))
                     : nullptr;
      const std::string type = parameter ? commonType(made, i, f.decl->getBeginLoc()) : "";
      if (type.empty() || parameter->getName().empty() || parameter->getLocation().isMacroID())
        continue;
      const auto at = text_.positionOf(parameter->getLocation());
      if (!at)
        return;
      types[parameter->getNameAsString()] = type;
      if (!parameter->hasDefaultArgument())
        defaults[at->offset] = parameter->getNameAsString() + " = " + type;
      else if (!isThe(parameter->getDefaultArgument().getArgument(), made, i))
        return;
    }
    if (!types.empty())
      write(f, parameters, types, defaults);
  }

private:
  /// The number or function that all instances give to a parameter.
  std::string commonValue(const clang::FunctionTemplateDecl* made, unsigned index,
                          clang::QualType type, clang::SourceLocation before) const {
    std::string common;
    for (const clang::FunctionDecl* one : made->specializations()) {
      const clang::TemplateArgument& given = one->getTemplateSpecializationArgs()->get(index);
      const std::string text = given.getKind() == clang::TemplateArgument::Declaration
                                   ? functionText(unit_.sources(), given.getAsDecl(), before)
                                   : numberText(given, type);
      if (text.empty() || (!common.empty() && text != common))
        return "";
      common = text;
    }
    return common;
  }
  /// A number's type of one word, or a class that is known before the template, that all instances
  /// give to a parameter.
  std::string commonType(const clang::FunctionTemplateDecl* made, unsigned index,
                         clang::SourceLocation before) const {
    clang::QualType common;
    for (const clang::FunctionDecl* one : made->specializations()) {
      const clang::TemplateArgument& given = one->getTemplateSpecializationArgs()->get(index);
      if (given.getKind() != clang::TemplateArgument::Type || given.isDependent() ||
          (!common.isNull() && given.getAsType().getCanonicalType() != common))
        return "";
      common = given.getAsType().getCanonicalType();
    }
    if (common.isNull() || common.hasQualifiers())
      return "";
    if (isNamedBefore(common, before))
      return clang::TypeName::getFullyQualifiedName(common, unit_.context(),
                                                    unit_.context().getPrintingPolicy(), true);
    if (!common->isArithmeticType() || !common->isBuiltinType())
      return "";
    // `T(0)` needs one word.
    std::string text = common.getAsString(unit_.context().getPrintingPolicy());
    if (text == "unsigned int")
      text = "unsigned";
    return text.find(' ') == std::string::npos ? text : "";
  }
  /// Whether a class of a file can be named at a place, and is the same there: `Policy<64, float>`.
  bool isNamedBefore(clang::QualType type, clang::SourceLocation place) const {
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record || record->isLambda() || !record->getIdentifier() || type.hasQualifiers())
      return false;
    for (const clang::DeclContext* at = record->getDeclContext(); !at->isTranslationUnit();
         at = at->getParent())
      if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(at);
          !space || space->isAnonymousNamespace())
        return false;
    const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    const clang::CXXRecordDecl* written = instance && !instance->isExplicitSpecialization()
                                              ? instance->getTemplateInstantiationPattern()
                                              : record;
    written = written ? written->getDefinition() : nullptr;
    if (!written || !isBefore(written->getEndLoc(), place))
      return false;
    if (!instance)
      return true;
    const llvm::ArrayRef<clang::TemplateArgument> given = instance->getTemplateArgs().asArray();
    return std::all_of(given.begin(), given.end(), [&](const clang::TemplateArgument& one) {
      if (one.getKind() == clang::TemplateArgument::Integral)
        return one.getIntegralType()->isBuiltinType();
      return one.getKind() == clang::TemplateArgument::Type &&
             (one.getAsType()->isBuiltinType() || isNamedBefore(one.getAsType(), place));
    });
  }
  bool isBefore(clang::SourceLocation one, clang::SourceLocation other) const {
    const clang::SourceManager& sources = unit_.sources();
    return one.isValid() && sources.isBeforeInTranslationUnit(sources.getExpansionLoc(one),
                                                              sources.getExpansionLoc(other));
  }
  bool isThe(const clang::TemplateArgument& argument, const clang::FunctionTemplateDecl* made,
             unsigned index) const {
    const clang::FunctionDecl* one = *made->spec_begin();
    return argument.getKind() == clang::TemplateArgument::Type &&
           unit_.context().hasSameType(
               argument.getAsType(), one->getTemplateSpecializationArgs()->get(index).getAsType());
  }

  void write(const FunctionFacts& f, const clang::TemplateParameterList* parameters,
             const std::map<std::string, std::string>& types,
             const std::map<unsigned, std::string>& defaults) {
    const auto begin = text_.endOf(parameters->getRAngleLoc());
    const auto end = text_.endOf(f.decl->getEndLoc());
    if (!begin || !end || begin->file != end->file || parameters->getRAngleLoc().isMacroID() ||
        f.decl->getEndLoc().isMacroID() || begin->offset >= end->offset)
      return;
    PlainChanges::mapped_type edits;
    for (const auto& [at, written] : defaults) {
      const std::size_t name = written.find(' ');
      edits[at] = {at + unsigned(name), written};
    }
    const auto renamed =
        renamedTokens(text_.buffer(begin->file).slice(begin->offset, end->offset).str(), types);
    if (!renamed)
      return;
    for (const RenamedToken& token : *renamed) {
      const unsigned at = begin->offset + token.offset;
      edits[at] = {at + token.length, token.name};
    }
    if (!renamed->empty())
      changes_[begin->file].merge(edits);
  }

  const SourceUnit& unit_;
  const SourceText& text_;
  PlainChanges& changes_;
};

} // namespace

bool isMadeAlone(const clang::FunctionTemplateDecl* made) {
  const auto same = made->getDeclContext()->getRedeclContext()->lookup(made->getDeclName());
  return made->getDeclContext()->isFileContext() && same.isSingleResult() &&
         !made->getPreviousDecl() && made->getMostRecentDecl() == made &&
         made->spec_begin() != made->spec_end() &&
         std::all_of(made->spec_begin(), made->spec_end(), [](const clang::FunctionDecl* one) {
           return one->getTemplateSpecializationKind() == clang::TSK_ImplicitInstantiation &&
                  one->getTemplateSpecializationArgs();
         });
}

bool namesFit(const SourceUnit& unit, const FunctionFacts& f, bool mayLeaveOut) {
  Names names(unit.sources(), f.decl->getEndLoc(), mayLeaveOut);
  for (const clang::FunctionDecl* body : f.bodies)
    names.TraverseStmt(body->getBody());
  return names.fit;
}

std::string functionText(const clang::SourceManager& sources, const clang::ValueDecl* given,
                         clang::SourceLocation before) {
  const auto* f = llvm::dyn_cast_or_null<clang::FunctionDecl>(given);
  const clang::DeclContext* at = f ? f->getDeclContext()->getRedeclContext() : nullptr;
  // A qualified name, so that the arguments' namespaces have no say.
  if (!f || !at->isFileContext() || f->getTemplateSpecializationArgs() || !f->getIdentifier() ||
      f->getIdentifier()->hadMacroDefinition() || !at->lookup(f->getDeclName()).isSingleResult() ||
      !sources.isBeforeInTranslationUnit(f->getFirstDecl()->getLocation(), before))
    return "";
  std::string out = f->getNameAsString();
  for (; !at->isTranslationUnit(); at = at->getParent()->getRedeclContext()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(at);
    if (!space || space->isAnonymousNamespace() || space->getIdentifier()->hadMacroDefinition())
      return "";
    out.insert(0, space->getNameAsString() + "::");
  }
  return "::" + out;
}

std::string numberText(const clang::TemplateArgument& given, clang::QualType type) {
  if (given.getKind() != clang::TemplateArgument::Integral)
    return "";
  const llvm::APSInt& value = given.getAsIntegral();
  std::string text = llvm::toString(value, 10);
  if (type->isBooleanType())
    return value.isZero() ? "false" : "true";
  if (type->isSpecificBuiltinType(clang::BuiltinType::UInt))
    return text + "u";
  if (!type->isSpecificBuiltinType(clang::BuiltinType::Int) || value.isMinSignedValue())
    return "";
  return value.isNegative() ? "(" + text + ")" : text;
}

void nameInstanceArguments(const SourceUnit& unit, const SourceText& text,
                           const std::vector<const FunctionFacts*>& functions, bool namesAreShared,
                           PlainChanges& changes) {
  Instances instances(unit, text, changes);
  for (const FunctionFacts* f : functions) {
    const bool overloaded =
        std::any_of(functions.begin(), functions.end(), [&](const FunctionFacts* other) {
          return other != f && other->decl->getDeclName() == f->decl->getDeclName();
        });
    if (!overloaded)
      instances.name(*f, !(f->kernel && namesAreShared));
  }
}

} // namespace cu2cpp
