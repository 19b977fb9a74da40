// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of a kernel's template that differ, written out as specialisations, where only
// compilers read the translation:
//
//   template <class Op, int N>           template <class Op, int N>
//   __global__ void fold(float* x,       __global__ void fold(float* x, Op op) { ... x[N] ... }
//                        Op op) {   ->   template <> __global__ void fold<Sum, 4>(float* x, Sum op)
//     ... x[N] ...                         { ... x[4] ... }
//   }                                    template <> __global__ void fold<Sum, 8>(...) ...
//
// Of what depends on a parameter nothing is known: how far a loop steps, which warp a thread
// belongs to, what an operator does, which function a call reaches. A branch that an instance
// leaves out is left out of its specialisation. Leaves: kernels in whose instances names mean what
// is declared behind the kernel, arguments that have no name, and what says in which line it
// stands.
#include <algorithm>
#include <optional>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/QualTypeNames.h"
#include "llvm/ADT/StringExtras.h"

#include "analyse/plain_calls.h"
#include "analyse/plain_instances.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

/// Where code is, in offsets of its file.
using Range = std::pair<unsigned, unsigned>;

class Specialisations {
public:
  Specialisations(const SourceUnit& unit, const SourceText& text, PlainChanges& changes)
      : unit_(unit), text_(text), changes_(changes) {}

  void write(const FunctionFacts& f) {
    clang::FunctionTemplateDecl* made = f.decl->getDescribedFunctionTemplate();
    if (!made || !isMadeAlone(made) || !namesFit(unit_, f, true) || hasDefaults(f.decl))
      return;
    const clang::TemplateParameterList* parameters = made->getTemplateParameters();
    const auto begin = text_.endOf(parameters->getRAngleLoc());
    const auto end = text_.endOf(f.decl->getEndLoc());
    const auto name = text_.positionOf(f.decl->getLocation());
    if (!begin || !end || !name || begin->file != end->file || name->file != end->file ||
        parameters->getRAngleLoc().isMacroID() || f.decl->getEndLoc().isMacroID() ||
        f.decl->getLocation().isMacroID() || begin->offset >= name->offset ||
        name->offset >= end->offset)
      return;
    const FileRange whole{begin->file, begin->offset, end->offset};
    const std::string own = text_.text(whole);
    const std::set<std::string> named = calls::identifiersIn(own);
    const auto count = std::distance(made->spec_begin(), made->spec_end());
    if (count > mostInstances || own.size() * std::size_t(count) > longest || asksForLine(named) ||
        (named.count("extern") && typesDiffer(made)))
      return;
    // One instance of numbers has them written into it (plain_instances.cpp).
    if (count == 1 && !givesClass(*made->spec_begin()))
      return;
    std::string out;
    unsigned instance = 0;
    for (const clang::FunctionDecl* one : made->specializations()) {
      const std::string written = specialisation(f, parameters, one, whole, *name, instance++);
      if (written.empty())
        return;
      out += written;
    }
    // Nobody else asks for the template's own body.
    const auto body = text_.rangeOf(f.decl->getBody()->getSourceRange());
    if (body && body->file == whole.file && body->end == whole.end)
      changes_[whole.file][body->begin] = {whole.end, withLinesOf(text_.text(*body), ";") + out};
  }

private:
  static constexpr std::ptrdiff_t mostInstances = 8;
  static constexpr std::size_t longest = 24000;

  static bool givesClass(const clang::FunctionDecl* one) {
    const auto arguments = one->getTemplateSpecializationArgs()->asArray();
    return std::any_of(arguments.begin(), arguments.end(), [](const clang::TemplateArgument& a) {
      return a.getKind() == clang::TemplateArgument::Type && a.getAsType()->isRecordType();
    });
  }
  static bool hasDefaults(const clang::FunctionDecl* f) {
    return std::any_of(f->param_begin(), f->param_end(),
                       [](const clang::ParmVarDecl* p) { return p->hasDefaultArg(); });
  }
  /// Whether the line tells something: a message names it, and threads that meet where no mask says
  /// which of them do must stand in the same one.
  static bool asksForLine(const std::set<std::string>& named) {
    static const std::set<std::string> all = {
        "assert",   "__LINE__", "__activemask", "coalesced_threads", "__all",     "__any",
        "__ballot", "__shfl",   "__shfl_up",    "__shfl_down",       "__shfl_xor"};
    return std::any_of(named.begin(), named.end(),
                       [](const std::string& name) { return all.count(name) != 0; });
  }
  /// Whether instances differ in a type. An array in dynamic shared memory has one type for all
  /// functions that name it.
  static bool typesDiffer(const clang::FunctionTemplateDecl* made) {
    const auto first = (*made->spec_begin())->getTemplateSpecializationArgs()->asArray();
    for (const clang::FunctionDecl* one : made->specializations()) {
      const auto given = one->getTemplateSpecializationArgs()->asArray();
      for (std::size_t i = 0; i < given.size(); ++i)
        if (given[i].getKind() == clang::TemplateArgument::Type &&
            given[i].getAsType().getCanonicalType() != first[i].getAsType().getCanonicalType())
          return true;
    }
    return false;
  }

  /// One instance's text; empty if it can't be written.
  std::string specialisation(const FunctionFacts& f, const clang::TemplateParameterList* parameters,
                             const clang::FunctionDecl* one, const FileRange& whole,
                             const FilePosition& name, unsigned instance) const {
    const clang::TemplateArgumentList* given = one->getTemplateSpecializationArgs();
    const std::string& function = f.decl->getNameAsString();
    std::map<std::string, std::string> names;
    std::string aliases, arguments;
    for (unsigned i = 0; i < parameters->size(); ++i) {
      const clang::NamedDecl* parameter = parameters->getParam(i);
      std::string text;
      if (parameter->isParameterPack())
        return "";
      if (const auto* number = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter))
        text = given->get(i).getKind() == clang::TemplateArgument::Declaration
                   ? functionText(unit_.sources(), given->get(i).getAsDecl(), f.decl->getBeginLoc())
               : number->getType()->isDependentType()
                   ? ""
                   : constantText(given->get(i), number->getType(), f.decl);
      else if (llvm::isa<clang::TemplateTypeParmDecl>(parameter)) {
        text = typeText(given->get(i), f.decl);
        // `T(0)` needs one word.
        if (text.find_first_of(" <:*") != std::string::npos) {
          const std::string alias =
              "cuGiven" + std::to_string(instance) + "_" + std::to_string(i) + "_" + function;
          aliases += " using " + alias + " = " + text + ";";
          text = alias;
        }
      }
      if (text.empty())
        return "";
      if (!parameter->getName().empty())
        names[parameter->getNameAsString()] = text;
      arguments += (i ? ", " : "") + text;
    }
    TokenChanges changes;
    const auto renamed = renamedTokens(text_.text(whole), names);
    if (!renamed)
      return "";
    for (const RenamedToken& token : *renamed)
      changes.instead[whole.begin + token.offset] = token.name;
    changes.instead[name.offset] = function + "<" + arguments + ">";
    const auto leftOut = leftOutOf(one, whole);
    if (!leftOut)
      return "";
    for (const RawToken& token : rawTokens(text_.text(whole) + "\n")) {
      const unsigned at = whole.begin + token.offset;
      if (at < name.offset && token.text == "static")
        changes.instead[at] = "";
      for (const Range& range : *leftOut)
        if (at >= range.first && at < range.second)
          changes.instead[at] = at == range.first ? "{}" : "";
    }
    const auto text = onOneLine(text_, whole, changes);
    return text ? aliases + " template <> " + *text : "";
  }

  /// The statements that an instance leaves out: `if constexpr`.
  std::optional<std::vector<Range>> leftOutOf(const clang::FunctionDecl* one,
                                              const FileRange& whole) const {
    class Branches : public SyntaxVisitor {
    public:
      std::map<clang::SourceLocation, const clang::IfStmt*> all;
      bool VisitIfStmt(clang::IfStmt* s) override {
        if (s->isConstexpr())
          all[s->getIfLoc()] = s;
        return true;
      }
    } written, taken;
    const clang::FunctionDecl* pattern = one->getTemplateInstantiationPattern();
    if (!pattern || !pattern->getBody() || !one->getBody())
      return std::nullopt;
    written.TraverseStmt(pattern->getBody());
    taken.TraverseStmt(one->getBody());
    std::vector<Range> out;
    for (const auto& [at, branch] : written.all) {
      const auto mine = taken.all.find(at);
      if (mine == taken.all.end()) // in what is left out itself
        continue;
      const auto kept = mine->second->getNondiscardedCase(unit_.context());
      if (!kept || branch->getIfLoc().isMacroID())
        return std::nullopt;
      const bool keepsThen = *kept && *kept == mine->second->getThen();
      const clang::Stmt* left = keepsThen ? branch->getElse() : branch->getThen();
      if (!left)
        continue;
      const auto range = text_.rangeOf(left->getSourceRange());
      if (!range || range->file != whole.file || left->getBeginLoc().isMacroID() ||
          left->getEndLoc().isMacroID())
        return std::nullopt;
      const bool simple =
          llvm::isa<clang::Expr, clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt>(left);
      const auto end = simple ? behindSemicolon(text_, *range) : std::optional(range->end);
      if (!end || !(simple || llvm::isa<clang::CompoundStmt>(left)))
        return std::nullopt;
      out.push_back({range->begin, *end});
    }
    return out;
  }

  bool isBefore(const clang::Decl* decl, const clang::FunctionDecl* f) const {
    return decl->getLocation().isInvalid() ||
           unit_.sources().isBeforeInTranslationUnit(decl->getLocation(), f->getBeginLoc());
  }

  std::string constantText(const clang::TemplateArgument& given, clang::QualType type,
                           const clang::FunctionDecl* f) const {
    const auto* kind = type->getAs<clang::EnumType>();
    if (!kind)
      return numberText(given, type);
    const clang::EnumDecl* decl = kind->getDecl();
    if (given.getKind() != clang::TemplateArgument::Integral || !isBefore(decl, f) ||
        decl->getParentFunctionOrMethod() || !decl->getIdentifier() ||
        decl->isInAnonymousNamespace() || decl->getAccess() == clang::AS_private ||
        decl->getAccess() == clang::AS_protected)
      return "";
    // No enumerator by name: compilers warn where it is compared with itself.
    return "static_cast<::" + decl->getQualifiedNameAsString() + ">(" +
           llvm::toString(given.getAsIntegral(), 10) + ")";
  }

  std::string typeText(const clang::TemplateArgument& given, const clang::FunctionDecl* f) const {
    if (given.getKind() != clang::TemplateArgument::Type || !hasName(given.getAsType(), f))
      return "";
    return clang::TypeName::getFullyQualifiedName(given.getAsType().getCanonicalType(),
                                                  unit_.context(),
                                                  unit_.context().getPrintingPolicy(), true);
  }

  /// Whether a type can be named in front of a function.
  bool hasName(clang::QualType type, const clang::FunctionDecl* f) const {
    type = type.getCanonicalType();
    if (type->isBuiltinType())
      return true;
    if (type->isPointerType())
      return !type->isFunctionPointerType() && hasName(type->getPointeeType(), f);
    const auto* tag = type->getAs<clang::TagType>();
    const clang::TagDecl* decl = tag ? tag->getDecl() : nullptr;
    if (!decl || !decl->getIdentifier() || decl->getParentFunctionOrMethod() ||
        decl->isInAnonymousNamespace() || decl->getAccess() == clang::AS_private ||
        decl->getAccess() == clang::AS_protected || !isBefore(decl, f))
      return false;
    const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(decl);
    return !made || std::all_of(made->getTemplateArgs().asArray().begin(),
                                made->getTemplateArgs().asArray().end(),
                                [&](const clang::TemplateArgument& argument) {
                                  return argument.getKind() == clang::TemplateArgument::Integral ||
                                         (argument.getKind() == clang::TemplateArgument::Type &&
                                          hasName(argument.getAsType(), f));
                                });
  }

  const SourceUnit& unit_;
  const SourceText& text_;
  PlainChanges& changes_;
};

} // namespace

void writeOutInstances(const SourceUnit& unit, const SourceText& text,
                       const std::vector<const FunctionFacts*>& functions, PlainChanges& changes) {
  Specialisations specialisations(unit, text, changes);
  for (const FunctionFacts* f : functions)
    if (f->kernel)
      specialisations.write(*f);
}

} // namespace cu2cpp
