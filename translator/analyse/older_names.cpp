// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of C++11 and C++14 with names of their own that C++17 has in std, too.
//
//   using namespace std;
//   int data[4];                       ->  int data[4];
//   int first() { return data[0]; }        int first() { return ::data[0]; }
#include "analyse/analyses.h"
#include "parse/syntax_visitor.h"

#include <set>

namespace cu2cpp {
namespace {

/// What C++17 added to std in headers that programs include anyhow.
bool isNewInStd(llvm::StringRef name) {
  static const std::set<llvm::StringRef> names = {"any",          "apply",
                                                  "as_const",     "bool_constant",
                                                  "byte",         "clamp",
                                                  "conjunction",  "data",
                                                  "destroy",      "destroy_at",
                                                  "disjunction",  "empty",
                                                  "execution",    "exclusive_scan",
                                                  "filesystem",   "for_each_n",
                                                  "gcd",          "hypot",
                                                  "in_place",     "inclusive_scan",
                                                  "invoke",       "is_invocable",
                                                  "launder",      "lcm",
                                                  "monostate",    "negation",
                                                  "node_type",    "not_fn",
                                                  "nullopt",      "optional",
                                                  "pmr",          "reduce",
                                                  "sample",       "scoped_lock",
                                                  "shared_mutex", "size",
                                                  "string_view",  "transform_reduce",
                                                  "variant",      "visit",
                                                  "void_t"};
  return names.count(name) != 0;
}

class Uses : public SyntaxVisitor {
public:
  explicit Uses(const SourceUnit& unit) : unit_(unit) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr* e) override {
    if (!e->hasQualifier())
      note(e->getDecl(), e->getLocation());
    return true;
  }
  bool VisitElaboratedTypeLoc(clang::ElaboratedTypeLoc type) override {
    const clang::TypeLoc named = type.getNamedTypeLoc();
    if (type.getQualifierLoc() || type.getElaboratedKeywordLoc().isValid())
      return true;
    if (const auto tag = named.getAs<clang::TagTypeLoc>())
      note(tag.getDecl(), named.getBeginLoc());
    else if (const auto alias = named.getAs<clang::TypedefTypeLoc>())
      note(alias.getTypedefNameDecl(), named.getBeginLoc());
    return true;
  }

  TextsByFile texts() const {
    TextsByFile out;
    for (const auto& [file, places] : places_) {
      const llvm::StringRef text = unit_.userText(file);
      std::string& changed = out[file];
      unsigned position = 0;
      for (const unsigned place : places) {
        changed += text.slice(position, place);
        changed += place > 0 && text[place - 1] == ':' ? " ::" : "::";
        position = place;
      }
      changed += text.substr(position);
    }
    return out;
  }

private:
  void note(const clang::NamedDecl* decl, clang::SourceLocation at) {
    const auto& sm = unit_.sources();
    const clang::SourceLocation spelled = sm.getSpellingLoc(at);
    if (!decl->getIdentifier() || !isNewInStd(decl->getName()) ||
        !decl->getDeclContext()->getRedeclContext()->isTranslationUnit() ||
        !unit_.isUser(decl->getLocation()) || !unit_.isUser(spelled))
      return;
    const auto [file, offset] = sm.getDecomposedLoc(spelled);
    const std::string path = unit_.pathOf(file);
    // A name that a macro pastes together stands nowhere.
    if (unit_.userText(path).substr(offset).starts_with(decl->getName()))
      places_[path].insert(offset);
  }

  const SourceUnit& unit_;
  std::map<std::string, std::set<unsigned>> places_;
};

} // namespace

TextsByFile qualifyOlderNames(const SourceUnit& unit) {
  Uses uses(unit);
  uses.TraverseDecl(unit.context().getTranslationUnitDecl());
  return uses.texts();
}

} // namespace cu2cpp
