// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx/inline_assembly.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"

#include "ptx/emitter.h"

namespace cu2cpp {
namespace {

using ptx::BoundOperand;
using ptx::Operand;
using ptx::Type;

/// The register type of a constraint's letter.
std::optional<Type> registerTypeOf(const std::string& constraint) {
  for (const char c : constraint)
    switch (c) {
    case 'h':
      return ptx::typeNamed("u16");
    case 'r':
    case 'n':
      return ptx::typeNamed("u32");
    case 'l':
      return ptx::typeNamed("u64");
    case 'f':
      return ptx::typeNamed("f32");
    case 'd':
      return ptx::typeNamed("f64");
    default:
      break;
    }
  return std::nullopt;
}

/// The type of an expression, where it is one of those that instructions work on.
std::optional<Type> typeOf(const clang::Expr* expression, const clang::ASTContext& context) {
  const clang::QualType type = expression->getType().getCanonicalType();
  if (type->isDependentType() || !type->isBuiltinType() || type->isBooleanType())
    return std::nullopt;
  const unsigned bits = static_cast<unsigned>(context.getTypeSize(type));
  if (type->isRealFloatingType())
    return ptx::typeNamed("f" + std::to_string(bits));
  if (type->isIntegerType())
    return ptx::typeNamed((type->isSignedIntegerType() ? "s" : "u") + std::to_string(bits));
  return std::nullopt;
}

/// Whether an expression may be written twice: it has no effects and calls nothing.
bool repeats(const clang::Expr* expression) {
  expression = expression->IgnoreParenCasts();
  if (llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::FloatingLiteral,
                clang::CXXThisExpr>(expression))
    return true;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression))
    return repeats(member->getBase());
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
    return repeats(element->getBase()) && repeats(element->getIdx());
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return !unary->isIncrementDecrementOp() && repeats(unary->getSubExpr());
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return !binary->isAssignmentOp() && repeats(binary->getLHS()) && repeats(binary->getRHS());
  return false;
}

void addNames(const std::string& text, std::set<std::string>& names) {
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else {
      names.insert(word);
      word.clear();
    }
  }
}

unsigned uses(const ptx::Block& block, unsigned index) {
  unsigned count = 0;
  const auto visit = [&](const auto& self, const Operand& o) -> void {
    count += o.kind == Operand::Kind::Bound && o.index == index;
    for (const Operand& part : o.parts)
      self(self, part);
  };
  for (const ptx::Instruction& i : block.instructions)
    for (const Operand& o : i.operands)
      visit(visit, o);
  return count;
}

/// One asm statement with its operands.
class Statement {
public:
  /// With `expanded`, a macro's use is replaced, and not the statement in the macro's definition.
  Statement(const SourceText& text, const clang::GCCAsmStmt& assembly, bool inKernel,
            bool expanded = false)
      : text_(text), assembly_(assembly), inKernel_(inKernel), expanded_(expanded) {}

  /// translate() gives the C++ statements; false with why() set if it can't.
  bool translate() {
    const bool hasOperands =
        assembly_.getNumOutputs() || assembly_.getNumInputs() || assembly_.getNumClobbers();
    const std::string code = assembly_.getAsmString()->getString().str();
    const ptx::Block block = ptx::parsePtx(code, hasOperands);
    if (!block.error.empty()) {
      why_ = block.error;
      return false;
    }
    std::vector<BoundOperand> operands;
    if (!bind(block, operands))
      return false;
    std::set<std::string> names;
    for (const BoundOperand& o : operands)
      addNames(o.text, names);
    ptx::Emitter emitter(block, operands, names, inKernel_);
    if (!emitter.emit()) {
      why_ = emitter.why();
      return false;
    }
    statements_ = before_;
    statements_.insert(statements_.end(), emitter.statements().begin(), emitter.statements().end());
    statements_.insert(statements_.end(), after_.begin(), after_.end());
    if (statements_.empty()) // a fence for the compiler
      statements_.push_back("__atomic_signal_fence(__ATOMIC_SEQ_CST);");
    return true;
  }
  const std::string& why() const { return why_; }
  const std::vector<std::string>& statements() const { return statements_; }

  /// range() is the statement's text from `asm` to the closing parenthesis.
  std::optional<FileRange> range() const {
    if (expanded_) {
      // The macro must write the statement and nothing else.
      const clang::SourceManager& sm = text_.sources();
      const clang::LangOptions& options = text_.unit().context().getLangOpts();
      clang::SourceLocation begin = assembly_.getAsmLoc(), end = assembly_.getRParenLoc();
      if (!clang::Lexer::isAtStartOfMacroExpansion(begin, sm, options, &begin) ||
          !clang::Lexer::isAtEndOfMacroExpansion(end, sm, options, &end))
        return std::nullopt;
      return text_.rangeOf({begin, end});
    }
    return text_.rangeOf(
        {assembly_.getAsmLoc(), text_.lift(assembly_.getRParenLoc(), assembly_.getAsmLoc(), true)});
  }

private:
  std::string textOf(const clang::Expr* expression) const {
    if (expanded_) {
      std::string text;
      llvm::raw_string_ostream out(text);
      expression->printPretty(out, nullptr, text_.unit().context().getPrintingPolicy());
      return out.str();
    }
    const clang::SourceLocation at = assembly_.getAsmLoc();
    const auto range = text_.rangeOf(
        {text_.lift(expression->getBeginLoc(), at), text_.lift(expression->getEndLoc(), at, true)});
    return range ? text_.text(*range) : std::string();
  }

  bool bind(const ptx::Block& block, std::vector<BoundOperand>& operands) {
    const clang::ASTContext& context = text_.unit().context();
    const unsigned outputs = assembly_.getNumOutputs(), inputs = assembly_.getNumInputs();
    const bool several = block.instructions.size() > 1;
    std::set<std::string> inputNames;
    for (unsigned i = 0; i < inputs; ++i)
      addNames(textOf(assembly_.getInputExpr(i)), inputNames);
    for (unsigned k = 0; k < outputs + inputs; ++k) {
      const bool output = k < outputs;
      const clang::Expr* expression =
          output ? assembly_.getOutputExpr(k) : assembly_.getInputExpr(k - outputs);
      const std::string constraint = output ? assembly_.getOutputConstraint(k).str()
                                            : assembly_.getInputConstraint(k - outputs).str();
      BoundOperand bound;
      bound.output = output;
      std::optional<Type> type = registerTypeOf(constraint);
      if (!type && !output && !constraint.empty() && std::isdigit(constraint[0]) &&
          std::atoi(constraint.c_str()) < int(operands.size()))
        type = operands[static_cast<std::size_t>(std::atoi(constraint.c_str()))].registerType;
      if (!type)
        return refuse("constraint \"" + constraint + "\"");
      bound.registerType = *type;
      bound.immediate = constraint.find('n') != std::string::npos;
      const clang::Expr* written = expression->IgnoreImpCasts();
      bound.text = textOf(written);
      if (bound.text.empty())
        return refuse("an operand put together by macros");
      bound.type = typeOf(written, context);
      const clang::QualType own = written->getType().getCanonicalType();
      if (own->isPointerType() && !own->isDependentType()) {
        const clang::QualType to = own->getPointeeType().getUnqualifiedType();
        const clang::QualType element = own->getPointeeType();
        if (const auto pointed = pointedType(to, context);
            pointed && !element.isVolatileQualified()) {
          bound.pointee = ptx::cppName(*pointed);
          bound.pointeeConst = element.isConstQualified();
        }
        if (output)
          bound.castTo = own.getAsString(context.getPrintingPolicy());
      }
      if (output)
        bindOutput(k, expression, constraint, several, inputNames, bound);
      else if (!bound.immediate && (several || uses(block, k) > 1) && !repeats(expression))
        keepInLocal(k, bound, "in");
      operands.push_back(bound);
      // A "+" operand is read as well: its local starts with its value.
      if (!output && !constraint.empty() && std::isdigit(constraint[0]) && several)
        return refuse("constraint \"" + constraint + "\"");
    }
    return true;
  }

  std::optional<Type> pointedType(clang::QualType type, const clang::ASTContext& context) const {
    if (type->isRealFloatingType())
      return ptx::typeNamed("f" + std::to_string(context.getTypeSize(type)));
    if (type->isIntegerType() && !type->isBooleanType())
      return ptx::typeNamed((type->isSignedIntegerType() ? "s" : "u") +
                            std::to_string(context.getTypeSize(type)));
    return std::nullopt;
  }

  /// In PTX an output's register is its own: an instruction may set it while inputs of the same
  /// variable are still to be read.
  void bindOutput(unsigned k, const clang::Expr* expression, const std::string& constraint,
                  bool several, const std::set<std::string>& inputNames, BoundOperand& bound) {
    const bool both = !constraint.empty() && constraint[0] == '+';
    std::set<std::string> names;
    addNames(bound.text, names);
    names.erase("");
    const bool apart = std::none_of(names.begin(), names.end(),
                                    [&](const std::string& n) { return inputNames.count(n) != 0; });
    if (repeats(expression) && (apart || (!several && !both)) && bound.castTo.empty())
      return;
    if (!several && !both)
      return;
    const std::string target = bound.text, cast = bound.castTo;
    keepInLocal(k, bound, "out", both);
    after_.push_back(target + " = " + (cast.empty() ? "" : "(" + cast + ")") + bound.text + ";");
    bound.castTo.clear();
  }

  void keepInLocal(unsigned k, BoundOperand& bound, const std::string& role,
                   bool initialised = true) {
    const std::string name = "cu" + std::string(1, static_cast<char>(role[0] - 'a' + 'A')) +
                             role.substr(1) + std::to_string(k);
    const Type type = bound.type ? *bound.type : bound.registerType;
    const std::string cpp = ptx::cppName(type);
    before_.push_back((role == "in" ? "const " : "") + cpp + " " + name +
                      (initialised ? " = (" + cpp + ")(" + bound.text + ");" : "{};"));
    bound.text = name;
    bound.type = type;
    bound.pointee.clear();
  }

  bool refuse(const std::string& why) {
    why_ = why;
    return false;
  }

  const SourceText& text_;
  const clang::GCCAsmStmt& assembly_;
  const bool inKernel_;
  const bool expanded_;
  std::vector<std::string> statements_, before_, after_;
  std::string why_;
};

/// What stands in a statement's place.
struct Replacement {
  std::vector<std::string> statements;
  bool inMacro = false;
  bool refused = false; ///< two expansions of a macro want different texts
};

/// The whole replacement with its line ends, and what the output does about them.
void render(const FileRange& range, const Replacement& r, llvm::StringRef original,
            std::string& out, AssemblyTexts& texts) {
  unsigned end = range.end;
  while (end < original.size() && (original[end] == ' ' || original[end] == '\t'))
    ++end;
  const bool semicolon = end < original.size() && original[end] == ';';
  end = semicolon ? end + 1 : range.end;
  const llvm::StringRef removed = original.substr(range.begin, end - range.begin);
  std::size_t line = original.rfind('\n', range.begin);
  line = line == llvm::StringRef::npos ? 0 : line + 1;
  const std::string indentation =
      original.substr(line).take_while([](char c) { return c == ' ' || c == '\t'; }).str();
  const auto breakLine = [&](const std::string& more) {
    if (!r.inMacro)
      texts.lineBreaks.push_back(
          {{range.file, static_cast<unsigned>(out.size())}, "\n" + indentation + more});
  };
  const bool braces = r.statements.size() > 1 || r.statements[0].compare(0, 2, "if") == 0;
  if (!braces) {
    std::string statement = r.statements[0];
    if (!semicolon)
      statement.pop_back();
    out += statement;
  } else {
    out += semicolon ? "{" : "do {";
    for (const std::string& statement : r.statements) {
      breakLine("  ");
      out += (r.inMacro ? " " : "") + statement;
    }
    breakLine("");
    out += r.inMacro ? " }" : "}";
    out += semicolon ? "" : " while (false)";
  }
  // As many lines as before; in a macro each with its backslash.
  const unsigned from = static_cast<unsigned>(out.size());
  for (std::size_t i = 0; i < removed.size(); ++i)
    if (removed[i] == '\n')
      out += i > 0 && removed[i - 1] == '\\' ? "\\\n" : "\n";
  if (!r.inMacro && out.size() > from)
    texts.padding.push_back({range.file, from, static_cast<unsigned>(out.size())});
}

/// Whether nothing in this unit calls a function, and no other unit can.
bool isUncalled(const FunctionFacts& function) {
  const clang::FunctionDecl* decl = function.decl;
  if (function.kernel || decl->getDeclContext()->isDependentContext())
    return false;
  if (const clang::FunctionTemplateDecl* pattern = decl->getDescribedFunctionTemplate())
    return pattern->specializations().empty() && !pattern->isReferenced();
  return !decl->isTemplateInstantiation() && !decl->isReferenced() && !decl->isUsed() &&
         (decl->isInlined() || decl->getFormalLinkage() == clang::Linkage::Internal);
}

} // namespace

AssemblyTexts translateAssembly(const SourceUnit& unit, const Facts& facts) {
  const SourceText text(unit);
  std::map<std::string, std::map<std::pair<unsigned, unsigned>, Replacement>> byFile;
  AssemblyTexts texts;
  const auto note = [&](const clang::GCCAsmStmt* assembly, const FunctionFacts& function,
                        bool expanded) {
    Statement statement(text, *assembly, function.kernel, expanded);
    const auto range = statement.range();
    if (!range || !unit.isUser(assembly->getAsmLoc()))
      return;
    bool done = statement.translate();
    std::vector<std::string> statements = statement.statements();
    if (!done && !assembly->getAsmLoc().isMacroID() && isUncalled(function)) {
      done = true;
      statements = {"/* CU2005: " + statement.why() + " */ __trap();"};
      texts.uncalled.push_back(
          {unit.placeOf(assembly->getAsmLoc()), function.decl->getNameAsString(), statement.why()});
    }
    const auto [at, fresh] = byFile[range->file].try_emplace({range->begin, range->end});
    Replacement& r = at->second;
    if (fresh) {
      r.statements = statements;
      r.inMacro = !expanded && text.inMacro(assembly->getAsmLoc());
    }
    r.refused |= !done || r.statements != statements;
  };
  for (const auto& [place, function] : facts.functions)
    for (const clang::GCCAsmStmt* assembly : function.assembly)
      note(assembly, function, false);
  // A macro that puts the instruction together from its arguments is replaced where it is used.
  for (const auto& [place, function] : facts.functions)
    for (const clang::GCCAsmStmt* assembly : function.assembly)
      if (assembly->getAsmLoc().isMacroID())
        if (const auto range = Statement(text, *assembly, function.kernel).range();
            range && byFile[range->file][{range->begin, range->end}].refused)
          note(assembly, function, true);
  for (const auto& [file, replacements] : byFile) {
    const llvm::StringRef original = unit.userText(file);
    std::string out;
    unsigned position = 0;
    bool changed = false;
    for (const auto& [place, r] : replacements) {
      if (r.refused || r.statements.empty() || place.first < position)
        continue;
      changed = true;
      out += original.substr(position, place.first - position);
      const FileRange range{file, place.first, place.second};
      render(range, r, original, out, texts);
      position = place.second;
      const llvm::StringRef rest = original.substr(position);
      const llvm::StringRef trimmed = rest.ltrim(" \t");
      if (trimmed.starts_with(";"))
        position += static_cast<unsigned>(rest.size() - trimmed.size()) + 1;
    }
    out += original.substr(position);
    if (changed)
      texts.byFile[file] = std::move(out);
  }
  return texts;
}

std::string whyNotTranslated(const SourceText& text, const clang::GCCAsmStmt& assembly,
                             bool inKernel) {
  Statement statement(text, assembly, inKernel);
  if (statement.translate())
    return "a macro's uses that need different translations";
  return statement.why();
}

} // namespace cu2cpp
