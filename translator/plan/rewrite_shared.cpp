// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared variables. In a kernel they become locals outside the thread loop where that is possible;
// elsewhere references into the block's shared memory:
//
//   kernel:                                    kernel's head:
//     __shared__ float tile[16][16];      ->     alignas(64) float tile[16][16];
//     extern __shared__ float rows[];     ->     auto* rows = cu2cpp::dynamicShared<float>();
//   device function:                           in place:
//     __shared__ int total[32];           ->     auto& total = cu2cpp::shared<int[32]>([] {});
//   namespace scope:                           a struct there, and at the head of each function
//   that names it:
//     __shared__ int flags[8];            ->     struct cu2cppShared_flags { int flags[8]; };
//                                                auto& flags =
//                                                cu2cpp::shared<cu2cppShared_flags>().flags;
#include "plan/rewrites.h"

#include <algorithm>

#include "clang/AST/PrettyPrinter.h"

#include "analyse/turned_arrays.h"
#include "parse/raw_tokens.h"

namespace cu2cpp {
namespace {

/// A declaration's text without what only CUDA or storage needs: `static __shared__ float a[4]` ->
/// `float a[4]`.
/// Nor with `volatile`, if it means nothing.
std::string withoutStorage(const std::string& declaration, bool withoutVolatile = false) {
  std::string out;
  unsigned copied = 0;
  const std::vector<RawToken> tokens = rawTokens(declaration);
  for (const RawToken& token : tokens) {
    if (token.text != "__shared__" && token.text != "static" && token.text != "extern" &&
        token.text != "CU2_DYNSH_" && token.text != "__device__" &&
        !(withoutVolatile && token.text == "volatile"))
      continue;
    out += declaration.substr(copied, token.offset - copied);
    copied = token.offset + static_cast<unsigned>(token.text.size());
    while (copied < declaration.size() &&
           (declaration[copied] == ' ' || declaration[copied] == '\n'))
      ++copied;
  }
  out += declaration.substr(copied);
  return llvm::StringRef(out).trim().str();
}

/// Removes alignment specifiers, which a template argument cannot hold.
std::string withoutAlignment(const std::string& type) {
  std::string out;
  unsigned copied = 0;
  const std::vector<RawToken> tokens = rawTokens(type);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text != "__align__" && tokens[i].text != "alignas" &&
        tokens[i].text != "__attribute__")
      continue;
    out += type.substr(copied, tokens[i].offset - copied);
    int depth = 0;
    while (++i < tokens.size()) {
      depth += tokens[i].text == "(";
      depth -= tokens[i].text == ")";
      if (!depth)
        break;
    }
    copied = i < tokens.size() ? tokens[i].offset + 1 : static_cast<unsigned>(type.size());
  }
  out += type.substr(copied);
  return llvm::StringRef(out).trim().str();
}

/// What the variable is called where it is declared: a macro's body may have a parameter there.
std::string nameText(const Plan& plan, const SharedVariable& shared) {
  const clang::VarDecl* variable = shared.decl;
  clang::SourceLocation begin = variable->getBeginLoc(), end = variable->getEndLoc();
  plan.text.meet(begin, end);
  const clang::SourceLocation name = plan.text.lift(variable->getLocation(), begin);
  const auto from = plan.text.positionOf(name), to = plan.text.endOf(name);
  return plan.text.inMacro(begin) && from && to
             ? plan.text.text(FileRange{from->file, from->offset, to->offset})
             : variable->getNameAsString();
}

/// The variable's type as the user wrote it, for a template argument: `float[16][16]`; of a dynamic
/// one, an element's.
std::string typeText(const Plan& plan, const SharedVariable& shared) {
  const clang::VarDecl* variable = shared.decl;
  if (shared.loneDeclaration) {
    clang::SourceLocation first = variable->getBeginLoc(), last = variable->getEndLoc();
    plan.text.meet(first, last);
    const clang::SourceLocation name = plan.text.lift(variable->getLocation(), first);
    const auto begin = plan.text.positionOf(first);
    const auto nameBegin = plan.text.positionOf(name);
    const auto nameEnd = plan.text.endOf(name);
    const auto end = plan.text.endOf(last);
    if (begin && nameBegin && nameEnd && end && begin->file == end->file &&
        begin->offset <= nameBegin->offset && nameEnd->offset <= end->offset) {
      const std::string before = withoutAlignment(
          withoutStorage(plan.text.text(FileRange{begin->file, begin->offset, nameBegin->offset})));
      std::string after =
          withoutAlignment(plan.text.text(FileRange{begin->file, nameEnd->offset, end->offset}));
      if (shared.dynamic) {
        const std::size_t bracket = after.find(']');
        after = bracket == std::string::npos ? after : after.substr(bracket + 1);
      }
      return before + llvm::StringRef(after).trim().str();
    }
  }
  clang::PrintingPolicy policy(plan.unit.context().getPrintingPolicy());
  clang::QualType type = variable->getType();
  if (shared.dynamic)
    if (const clang::ArrayType* array = plan.unit.context().getAsArrayType(type))
      type = array->getElementType();
  return type.getAsString(policy);
}

/// What a reference or pointer to the variable is declared as. An object of a template's own class
/// keeps its type: behind `auto` its members would depend on template arguments, and
/// `object.f<1>()` would want a `template`.
std::string declaredType(const SharedVariable& shared, const std::string& type) {
  return shared.decl->getType()->isDependentType() && type.find_first_of("[(*") == std::string::npos
             ? type
             : "auto";
}

std::string dynamicDeclaration(const Plan& plan, const SharedVariable& shared) {
  const std::string name = nameText(plan, shared);
  const bool array = shared.decl->getType()->isArrayType();
  const std::string type = typeText(plan, shared);
  return declaredType(shared, type) + (array ? "* " + name + " = " : "& " + name + " = *") +
         "cu2cpp::dynamicShared<" + type + ">();";
}

/// Of the block's shared memory, which is told from other memory.
std::string fixedDeclaration(const Plan& plan, const SharedVariable& shared) {
  const std::string type = typeText(plan, shared);
  return declaredType(shared, type) + "& " + nameText(plan, shared) + " = cu2cpp::shared<" + type +
         ">([] {});";
}

/// The text of a declaration statement with a comment that follows it on its line.
FileRange withTrailingComment(const SourceText& text, FileRange range) {
  const llvm::StringRef buffer = text.buffer(range.file);
  unsigned at = range.end;
  while (at < buffer.size() && (buffer[at] == ' ' || buffer[at] == '\t'))
    ++at;
  if (buffer.substr(at).starts_with("//"))
    while (at < buffer.size() && buffer[at] != '\n')
      ++at;
  else
    at = range.end;
  range.end = at;
  return range;
}

/// Also takes the line's white space and newline if nothing else stands on it.
FileRange wholeLine(const SourceText& text, FileRange range) {
  const llvm::StringRef buffer = text.buffer(range.file);
  unsigned begin = range.begin, end = range.end;
  while (begin > 0 && (buffer[begin - 1] == ' ' || buffer[begin - 1] == '\t'))
    --begin;
  while (end < buffer.size() && (buffer[end] == ' ' || buffer[end] == '\t'))
    ++end;
  const bool startsLine = begin == 0 || buffer[begin - 1] == '\n';
  if (startsLine && end < buffer.size() && buffer[end] == '\n')
    return {range.file, begin, end + 1};
  return range;
}

/// The struct or union that a declaration defines on its way: `__shared__ union { ... } u;`.
const clang::RecordDecl* definedRecord(const clang::VarDecl* variable) {
  const clang::Type* type = variable->getType()->getBaseElementTypeUnsafe();
  const auto* tag = type->getAs<clang::RecordType>();
  const clang::RecordDecl* record = tag ? tag->getDecl()->getDefinition() : nullptr;
  return record && record->isEmbeddedInDeclarator() ? record : nullptr;
}

/// `__shared__ union { int i; float f; } u, v[2];` ->
/// `union cu2cppShared_u { int i; float f; }; auto& u = cu2cpp::shared<cu2cppShared_u>([] {});
/// ...`: a template argument cannot define a type. Edits inside the type stay possible.
bool rewriteWithRecord(Plan& plan, const FunctionFacts& function, const SharedVariable& shared,
                       const clang::RecordDecl* record) {
  const auto statement = plan.text.rangeOf(shared.statement->getSourceRange());
  const auto definition = plan.text.rangeOf(record->getSourceRange());
  const auto brace = plan.text.positionOf(record->getBraceRange().getBegin());
  // Of a macro all of it is one text, which others may have too: they get the same edits.
  const clang::SourceManager& sources = plan.unit.sources();
  const auto isOfText = [&](clang::SourceLocation at) {
    return sources.getFileID(at) == sources.getFileID(shared.statement->getEndLoc());
  };
  if (!statement || !definition || !brace || !isOfText(record->getBeginLoc()) ||
      !isOfText(record->getBraceRange().getBegin()) || statement->begin > definition->begin ||
      statement->end <= definition->end)
    return false;
  std::string name = record->getNameAsString();
  if (!record->getIdentifier()) {
    name = "cu2cppShared_" + shared.decl->getNameAsString();
    plan.edits.insert(*brace, name + " ");
  }
  if (statement->begin < definition->begin)
    plan.edits.replace({statement->file, statement->begin, definition->begin}, "");
  std::string text = ";";
  for (const SharedVariable& other : function.shared) {
    if (other.statement != shared.statement)
      continue;
    const auto nameEnd = plan.text.endOf(other.decl->getLocation());
    const auto end = plan.text.endOf(other.decl->getEndLoc());
    if (!nameEnd || !end)
      return false;
    const std::string sizes =
        withoutAlignment(plan.text.text(FileRange{statement->file, nameEnd->offset, end->offset}));
    text += " auto& " + other.decl->getNameAsString() + " = cu2cpp::shared<" + name + sizes +
            ">([] {});";
  }
  plan.edits.replace({statement->file, definition->end, statement->end}, text);
  return true;
}

void rewriteInPlace(Plan& plan, const FunctionFacts& function, const SharedVariable& shared) {
  // A statement is rewritten once, at its first variable.
  const auto leads = std::find_if(
      function.shared.begin(), function.shared.end(),
      [&](const SharedVariable& other) { return other.statement == shared.statement; });
  if (leads->decl != shared.decl)
    return;
  if (const clang::RecordDecl* record = definedRecord(shared.decl))
    if (rewriteWithRecord(plan, function, shared, record))
      return;
  std::string text;
  for (const SharedVariable& other : function.shared) {
    if (other.statement != shared.statement)
      continue;
    text += text.empty() ? "" : " ";
    text += other.dynamic ? dynamicDeclaration(plan, other) : fixedDeclaration(plan, other);
  }
  const auto range = plan.text.rangeOf(shared.statement->getSourceRange());
  if (!range) {
    plan.diagnostics.report(DiagId::NotEditable, plan.unit.placeOf(shared.decl->getLocation()),
                            {"shared variable '" + shared.decl->getNameAsString() + "'"});
    return;
  }
  plan.edits.replace(*range, text);
}

/// Arrays begin where lines of the cache do: loads and stores of whole vectors that straddle two
/// lines cost twice as much. Short ones gain nothing.
bool wantsLine(const Plan& plan, const clang::VarDecl* variable) {
  const clang::ASTContext& context = plan.unit.context();
  const clang::QualType type = variable->getType();
  return type->isArrayType() &&
         (type->isDependentType() || context.getTypeSizeInChars(type).getQuantity() >= 128);
}

/// `float tile[16][17];` -> `cu2cpp::TurnedArray<float, 16, 17> tile;`, and `float
/// tiles[2][16][17];`
/// -> `cu2cpp::TurnedArray<float, 16, 17> tiles[2];`.
std::string turnedDeclaration(const Plan& plan, const SharedVariable& shared) {
  const clang::VarDecl* const variable = shared.decl;
  const clang::TypeLoc written = variable->getTypeSourceInfo()->getTypeLoc();
  const auto all = written.getAs<clang::ArrayTypeLoc>();
  const auto rows = tableOf(all);
  const auto columns = rows.getElementLoc().getAs<clang::ArrayTypeLoc>();
  const auto between = [&](clang::SourceLocation from, clang::SourceLocation to) {
    const auto begin = plan.text.positionOf(from), end = plan.text.positionOf(to);
    return begin && end ? plan.text.text(FileRange{begin->file, begin->offset, end->offset}) : "";
  };
  const auto size = [&](clang::ArrayTypeLoc of) {
    return between(of.getLBracketLoc(), of.getRBracketLoc()).substr(1);
  };
  const std::string element =
      withoutStorage(between(written.getBeginLoc(), variable->getLocation()));
  const char* const kind = shared.turned ? "cu2cpp::TurnedArray<" : "cu2cpp::SkewedArray<";
  const char* const firstRises =
      shared.skewed == SharedVariable::Skew::FirstRises ? ", true> " : "> ";
  return kind + element + ", " + size(rows) + ", " + size(columns) + firstRises +
         variable->getNameAsString() + (isOfTables(all) ? "[" + size(all) + "]" : "");
}

/// The struct that holds a namespace-scope variable, with its namespaces in front.
std::string holderOf(const clang::VarDecl* variable, bool qualified) {
  const std::string name = variable->getNameAsString();
  const std::string full = variable->getQualifiedNameAsString();
  const std::string scope = full.substr(0, full.size() - name.size());
  return (qualified && scope.find('(') == std::string::npos ? scope : "") + "cu2cppShared_" + name;
}

} // namespace

SharedHead sharedAtHead(Plan& plan, const FunctionFacts& kernel) {
  SharedHead head;
  std::vector<const clang::DeclStmt*> moving;
  const auto add = [&](const clang::DeclStmt* statement) {
    if (std::find(moving.begin(), moving.end(), statement) == moving.end())
      moving.push_back(statement);
  };
  for (const SharedVariable& shared : kernel.shared) {
    if (!shared.movable)
      continue;
    for (const clang::DeclStmt* needed : shared.needs)
      add(needed);
    add(shared.statement);
  }
  // Declarations that lead the body stay where they are; the thread loop starts behind them.
  const auto* body = llvm::cast<clang::CompoundStmt>(kernel.decl->getBody());
  std::size_t kept = 0;
  const clang::DeclStmt* lastKept = nullptr;
  for (const clang::Stmt* statement : body->body()) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
    if (!declaration || std::find(moving.begin(), moving.end(), declaration) == moving.end())
      break;
    lastKept = declaration;
    ++kept;
  }
  const bool allKept = kept == moving.size();
  for (const clang::DeclStmt* statement : moving) {
    const bool isKept = [&] {
      std::size_t index = 0;
      for (const clang::Stmt* s : body->body()) {
        if (index++ >= kept)
          return false;
        if (s == statement)
          return true;
      }
      return false;
    }();
    const auto range = plan.text.rangeOf(statement->getSourceRange());
    if (!range) {
      plan.diagnostics.report(DiagId::NotEditable, plan.unit.placeOf(statement->getBeginLoc()),
                              {"shared variable"});
      continue;
    }
    const bool inMacro = plan.text.inMacro(statement->getBeginLoc());
    const FileRange full = inMacro ? *range : withTrailingComment(plan.text, *range);
    std::string text;
    for (const SharedVariable& shared : kernel.shared)
      if (shared.statement == statement && shared.dynamic)
        text += (text.empty() ? "" : " ") + dynamicDeclaration(plan, shared);
      else if (shared.statement == statement && plan.facts.addressSpaces &&
               !definedRecord(shared.decl))
        text += (text.empty() ? "" : " ") + fixedDeclaration(plan, shared);
    if (text.empty()) {
      const auto turned = std::find_if(
          kernel.shared.begin(), kernel.shared.end(), [&](const SharedVariable& shared) {
            return shared.statement == statement &&
                   (shared.turned || shared.skewed != SharedVariable::Skew::None);
          });
      // One thread of the machine runs the block's threads in turn, and nobody else sees the array.
      const bool alone = plan.forms.at(&kernel).form != Form::Fibers && !plan.facts.foreignShared;
      text = turned == kernel.shared.end() ? withoutStorage(plan.text.text(*range), alone)
                                           : turnedDeclaration(plan, *turned) + ";";
      if (std::any_of(kernel.shared.begin(), kernel.shared.end(),
                      [&](const SharedVariable& shared) {
                        return shared.statement == statement && wantsLine(plan, shared.decl);
                      }))
        text = "alignas(64) " + text;
    }
    if (isKept && allKept) {
      plan.edits.replace(*range, text);
    } else {
      head.declarations.push_back(text +
                                  plan.text.text(FileRange{full.file, range->end, full.end}));
      plan.edits.replace(inMacro ? full : wholeLine(plan.text, full), "");
    }
  }
  if (allKept && lastKept)
    if (const auto range = plan.text.rangeOf(lastKept->getSourceRange())) {
      const bool inMacro = plan.text.inMacro(lastKept->getBeginLoc());
      const FileRange full = inMacro ? *range : withTrailingComment(plan.text, *range);
      head.keptUntil = FilePosition{full.file, full.end};
    }
  return head;
}

std::vector<std::string> namespaceSharedAtHead(const Plan& plan, const FunctionFacts& function) {
  std::vector<std::string> lines;
  for (const clang::VarDecl* variable : function.namespaceShared) {
    SharedVariable shared;
    shared.decl = variable;
    shared.dynamic = variable->hasExternalStorage();
    lines.push_back(shared.dynamic ? dynamicDeclaration(plan, shared)
                                   : "auto& " + variable->getNameAsString() + " = cu2cpp::shared<" +
                                         holderOf(variable, true) + ">()." +
                                         variable->getNameAsString() + ";");
  }
  return lines;
}

void rewriteShared(Plan& plan) {
  for (const auto& [place, function] : plan.facts.functions)
    for (const SharedVariable& shared : function.shared)
      if (!shared.movable)
        rewriteInPlace(plan, function, shared);
  for (const clang::VarDecl* variable : plan.facts.namespaceShared) {
    auto range = plan.text.rangeOf(variable->getSourceRange());
    if (!range)
      continue;
    // What remains is a struct for static ones, and a comment for dynamic ones.
    const std::string text = plan.text.text(*range);
    plan.edits.replace(*range, variable->hasExternalStorage()
                                   ? "/* dynamic shared memory: " + withoutStorage(text) + " */"
                                   : "struct " + holderOf(variable, false) + " { " +
                                         withoutStorage(text) + "; }");
  }
  // The function's own reference has the plain name.
  for (const auto& [place, function] : plan.facts.functions)
    for (const clang::DeclRefExpr* use : function.qualifiedUses)
      if (const auto range = plan.text.rangeOf(use->getSourceRange()))
        plan.edits.replace(*range, use->getDecl()->getNameAsString());
}

} // namespace cu2cpp
