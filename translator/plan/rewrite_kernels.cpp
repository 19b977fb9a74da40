// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wraps a kernel's body in a loop over the threads of its block. The body's own text stays as it
// is: the built-in variables become constants of the same name around it, and a lambda keeps the
// meaning of `return`.
//
//   __global__ void f(int* p, int n) {          void f(int* p, int cuArg_n) {
//     __shared__ int s[64];                       const cu2cpp::Block& cuBlock =
//     cu2cpp::thisBlock(); n -= blockIdx.x;                            const uint3 blockIdx =
//     cuBlock.blockIdx;
//     ...                                  ->     int s[64];
//   }                                             cu2cpp::eachThread(cuBlock, [&](const uint3
//   threadIdx) {
//                                                   int n = cuArg_n;
//                                                   n -= blockIdx.x; ...
//                                                 });
//                                               }
// Needs: the form chosen for each kernel. Leaves: declarations without a body.
#include "analyse/block_sizes.h"
#include "analyse/marks.h"
#include "analyse/tile_rows.h"
#include "analyse/usual_arguments.h"
#include "parse/syntax_visitor.h"
#include "plan/rewrites.h"

#include <map>
#include <set>

#include "clang/AST/Attr.h"
#include "llvm/ADT/StringExtras.h"

namespace cu2cpp {
namespace {

const char* loopFunction(const FunctionFacts& kernel, const FormChoice& choice) {
  if (choice.form == Form::Fibers)
    return "cu2cpp::eachThreadOnFiber";
  return choice.publishThread ? "cu2cpp::eachThreadPublished"
         : kernel.byColumns   ? "cu2cpp::eachThreadByColumns"
                              : "cu2cpp::eachThread";
}

std::string join(const std::vector<std::string>& lines, const std::string& separator) {
  std::string out;
  for (const std::string& line : lines)
    out += separator + line;
  return out;
}

/// Braces that macros write. A kernel's loop can be written behind one and before the other if
/// these begin and end nothing else, and all such kernels get the same text.
class MacroBraces {
public:
  explicit MacroBraces(const Plan& plan) : sources_(plan.unit.sources()) {
    class Blocks : public SyntaxVisitor {
    public:
      MacroBraces* all = nullptr;
      const clang::Stmt* kernel = nullptr;
      bool VisitCompoundStmt(clang::CompoundStmt* block) override {
        if (block != kernel)
          for (const clang::SourceLocation brace : {block->getLBracLoc(), block->getRBracLoc()})
            if (brace.isMacroID())
              all->others_.insert(all->sources_.getSpellingLoc(brace));
        return true;
      }
    } blocks;
    blocks.all = this;
    for (const auto& [place, function] : plan.facts.functions) {
      blocks.kernel = function.kernel ? function.decl->getBody() : nullptr;
      blocks.TraverseStmt(function.decl->getBody());
    }
  }
  bool isOfKernels(clang::SourceLocation brace) const {
    return !brace.isMacroID() || others_.count(sources_.getSpellingLoc(brace)) == 0;
  }
  /// Another text that has been written at a brace; none if this is the first or the same.
  const std::string* write(clang::SourceLocation brace, const std::string& text) {
    if (!brace.isMacroID())
      return nullptr;
    const auto [at, isNew] = written_.insert({sources_.getSpellingLoc(brace), text});
    return isNew || at->second == text ? nullptr : &at->second;
  }

private:
  const clang::SourceManager& sources_;
  std::set<clang::SourceLocation> others_;
  std::map<clang::SourceLocation, std::string> written_;
};

void rewriteKernel(Plan& plan, const FunctionFacts& kernel, MacroBraces& braces) {
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(kernel.decl->getBody());
  if (!body)
    return;
  const clang::SourceLocation lbrace = body->getLBracLoc(), rbrace = body->getRBracLoc();
  const auto open = plan.text.endOf(lbrace);
  const auto close = plan.text.positionOf(rbrace);
  if (!open || !close || !braces.isOfKernels(lbrace) || !braces.isOfKernels(rbrace)) {
    plan.diagnostics.report(DiagId::NotEditable, plan.unit.placeOf(lbrace),
                            {"kernel '" + kernel.decl->getNameAsString() + "'"});
    return;
  }
  const FormChoice& choice = plan.forms.at(&kernel);
  if (choice.form == Form::Split || choice.form == Form::Lanes)
    return splitKernel(plan, kernel);
  // Inside a macro everything stays on the macro's line.
  const bool oneLine = plan.text.inMacro(lbrace);
  std::string inner;
  if (!oneLine) {
    inner = plan.text.indentation(*close) + "    ";
    if (!body->body_empty())
      if (const auto first =
              plan.text.positionOf(plan.text.lift((*body->body_begin())->getBeginLoc(), lbrace)))
        if (plan.text.indentation(*first).size() > plan.text.indentation(*close).size())
          inner = plan.text.indentation(*first);
  }
  const std::string newline = oneLine ? " " : "\n" + inner;

  std::vector<std::string> head;
  if (std::string peer = callOfPeer(plan, kernel); !peer.empty())
    head.push_back(std::move(peer));
  if (std::string layers = layersAtHead(plan, kernel); !layers.empty())
    head.push_back(std::move(layers));
  head.push_back(blockAtHead(plan, kernel));
  if (std::string guard = clusterGuard(plan, kernel); !guard.empty())
    head.push_back(std::move(guard));
  if (std::string mark = waitingMark(kernel); !mark.empty())
    head.push_back(std::move(mark));
  for (std::string& line :
       builtinsAtHead(*kernel.decl, kernel.builtins & ~ThreadIdx, "cuBlock", ""))
    head.push_back(std::move(line));
  if (!kernel.copiesParameters)
    for (std::string& line : namespaceSharedAtHead(plan, kernel))
      head.push_back(std::move(line));
  SharedHead shared = sharedAtHead(plan, kernel);
  for (std::string& line : shared.declarations)
    head.push_back(std::move(line));

  for (std::string& line : prefetchesAtHead(plan, kernel))
    head.push_back(std::move(line));

  std::vector<std::string> loop = {guardedLoopAtHead(plan, kernel)};
  if (loop.front().empty())
    loop.front() = std::string(loopFunction(kernel, choice)) + "(cuBlock, [&](const uint3" +
                   (kernel.builtins & ThreadIdx ? " threadIdx" : "") + ") {";
  // No variable can be a pack, but a parameter can: `[&](auto... args) { body }(cuArg_args...);`
  std::string packs, packArguments;
  for (const clang::ParmVarDecl* parameter : kernel.modifiedParameters) {
    if (kernel.copiesParameters)
      break;
    const std::string name = parameter->getNameAsString();
    if (const auto begin = plan.text.positionOf(parameter->getLocation()))
      plan.edits.insert(*begin, "cuArg_");
    if (parameter->isParameterPack()) {
      packs = "auto... " + name;
      packArguments = "cuArg_" + name + "...";
    } else {
      loop.push_back("auto " + name + " = cuArg_" + name + ";");
    }
  }
  if (!packs.empty())
    loop.push_back("[&](" + packs + ") {");
  std::string end = packs.empty() ? "});" : "}(" + packArguments + "); });";
  if (kernel.copiesParameters) {
    loop.push_back("[=, &cuBlock]() mutable { (void)cuBlock;");
    for (std::string& line : namespaceSharedAtHead(plan, kernel))
      loop.push_back(std::move(line));
    end = "}(); });";
  }
  const std::string start = join(head, newline) + join(loop, newline);
  const std::string* other = braces.write(lbrace, start);
  const std::string& asked = other ? start : end;
  if (!other)
    other = braces.write(rbrace, end);
  if (other)
    return plan.diagnostics.report(DiagId::EditConflict, plan.unit.placeOf(lbrace),
                                   {*other, asked});

  if (shared.keptUntil) {
    plan.edits.insert(*open, join(head, newline));
    plan.edits.insert(*shared.keptUntil, join(loop, newline));
  } else {
    head.insert(head.end(), loop.begin(), loop.end());
    plan.edits.insert(*open, join(head, newline));
  }
  // The loop's end goes on a line of its own in front of the closing brace's.
  const llvm::StringRef buffer = plan.text.buffer(close->file);
  const unsigned lineStart =
      close->offset - static_cast<unsigned>(plan.text.indentation(*close).size());
  if (!oneLine && !plan.text.inMacro(rbrace) && (lineStart == 0 || buffer[lineStart - 1] == '\n'))
    plan.edits.insert({close->file, lineStart}, inner + end + "\n");
  else
    plan.edits.insert(*close, " " + end + " ");
}

} // namespace

void rewriteKernels(Plan& plan) {
  MacroBraces braces(plan);
  for (const auto& [place, function] : plan.facts.functions)
    if (function.kernel && plan.unit.isUser(function.decl->getLocation()))
      rewriteKernel(plan, function, braces);
}

namespace {

/// What the kernel's launches show of its block size, or what it seems to be made for.
SizeHint hintFor(const Plan& plan, const FunctionFacts& kernel) {
  // A macro may write several kernels.
  return plan.text.inMacro(kernel.decl->getBody()->getBeginLoc())
             ? SizeHint{}
             : sizeHint(plan.unit, plan.facts, kernel);
}

/// A small integer's literal.
std::string literalOf(const UsualArgument& argument) {
  if (argument.parameter->getType()->isBooleanType())
    return argument.value.getBoolValue() ? "true" : "false";
  return llvm::toString(argument.value, 10);
}

/// A size as arguments of a template, if there is one.
std::string argumentsOf(const SizeHint& size) {
  return size.text.empty() ? "" : "<" + size.text + ">";
}

} // namespace

std::string blockAtHead(const Plan& plan, const FunctionFacts& kernel, bool joined) {
  const std::string size = argumentsOf(hintFor(plan, kernel));
  const Form form = plan.forms.at(&kernel).form;
  // The mark is no part of the output.
  for (const auto* mark : kernel.decl->specific_attrs<clang::AnnotateAttr>())
    if (mark->getAnnotation() == "cu2cpp.turned_block") {
      if (const auto range = plan.text.rangeOf(mark->getRange()))
        plan.edits.replace(*range, "", true);
      return "const auto cuBlock = cu2cpp::thisTurnedBlock" + (form == Form::Fibers ? "" : size) +
             "();";
    }
  const bool columns = kernel.byColumns && kernel.longColumns && form == Form::Loop &&
                       !plan.forms.at(&kernel).publishThread;
  const char* const row = kernel.longColumns && joined             ? "thisKeptRows"
                          : kernel.longRows && joined              ? "thisKeptRow"
                          : columns                                ? "thisLongColumns"
                          : kernel.longRows && form == Form::Loop  ? "thisLongRow"
                          : kernel.longRows && form == Form::Lanes ? "thisWholeRow"
                          : joined                                 ? "thisRow"
                                                                   : nullptr;
  if (row) {
    // What the kernel takes for the block's size is compared with it.
    const bool longer =
        columns || (kernel.longRows && (joined || form == Form::Loop || form == Form::Lanes));
    std::string known = longer ? kernel.rowsOf : "";
    if (longer && kernel.longColumns && (joined || columns) && !kernel.columnsOf.empty())
      known = (known.empty() ? "0" : known) + ", " + kernel.columnsOf;
    if (!longer && joined && plan.options.lineDirectives && runsLongRows(plan.facts, kernel))
      known = "cu2cpp::mostWithoutValues";
    return std::string("const auto cuBlock = cu2cpp::") + row + size + "(" + known + ");";
  }
  // Fibers have no loop over threads.
  if (size.empty() || form == Form::Fibers)
    return "const cu2cpp::Block& cuBlock = cu2cpp::thisBlock();";
  return "const auto& cuBlock = cu2cpp::thisBlock" + size + "();";
}

std::vector<std::string> wholeBlockAtHead(Plan& plan, const FunctionFacts& kernel, bool turns,
                                          bool abreast) {
  // void f(int* p, int n) {   ->   void f(int* p, int cuArg_n) {
  //                                  cu2cpp::runBlock<256>(cuArg_n == 30, [&](...) {
  //                                  int n = cu2cpp::usually(cuBlock, cuArg_n, 30);
  const SizeHint size = hintFor(plan, kernel);
  const bool others = !size.text.empty() && !size.certain;
  std::string conditions;
  std::vector<std::string> constants;
  // Where people read the kernel its parameters keep their names.
  if (size.certain && plan.options.lineDirectives)
    for (const UsualArgument& argument : usualArguments(plan.unit, plan.facts, kernel)) {
      const auto begin = plan.text.positionOf(argument.parameter->getLocation());
      if (!begin)
        continue;
      plan.edits.insert(*begin, "cuArg_");
      const std::string name = argument.parameter->getNameAsString(), given = "cuArg_" + name,
                        value = literalOf(argument);
      const clang::PrintingPolicy& policy = plan.unit.context().getPrintingPolicy();
      const clang::QualType type = argument.parameter->getType();
      std::string variable;
      llvm::raw_string_ostream stream(variable);
      type.print(stream, policy, name);
      conditions += (conditions.empty() ? "" : " && ") + given + " == " +
                    (type->isEnumeralType()
                         ? type.getUnqualifiedType().getAsString(policy) + "(" + value + ")"
                         : value);
      constants.push_back(variable + " = cu2cpp::usually(cuBlock, " + given + ", " + value + ");");
    }
  constants.insert(
      constants.begin(),
      std::string(turns     ? "cu2cpp::runInTurns([&](cu2cpp::Turn& cuTurn) CU2CPP_INLINE { "
                  : abreast ? "cu2cpp::runAbreast([&](cu2cpp::Abreast& cuAbreast) CU2CPP_INLINE { "
                            : "") +
          "cu2cpp::" + (others ? "runAnyBlock" : "runBlock") + argumentsOf(size) + "(" +
          (conditions.empty() ? "" : conditions + ", ") +
          "[&](const auto& cuBlock) CU2CPP_INLINE {");
  return constants;
}

std::string callOfPeer(const Plan& plan, const FunctionFacts& kernel) {
  // The marks are no part of the output.
  for (const auto* mark : kernel.decl->specific_attrs<clang::AnnotateAttr>())
    if (mark->getAnnotation().starts_with("cu2cpp.apart") && !mark->getLocation().isMacroID())
      if (const auto range = plan.text.rangeOf(mark->getRange()))
        plan.edits.replace(*range, "", true);
  const auto condition = apartCondition(kernel.decl);
  if (!condition)
    return "";
  std::string arguments;
  for (const clang::ParmVarDecl* parameter : kernel.decl->parameters())
    arguments += (arguments.empty() ? "" : ", ") + parameter->getNameAsString();
  return "if (" + *condition + ") return " + apartPeer(kernel.decl) + "(" + arguments + ");";
}

std::string layersAtHead(const Plan& plan, const FunctionFacts& kernel) {
  // The mark is no part of the output.
  for (const auto* mark : kernel.decl->specific_attrs<clang::AnnotateAttr>())
    if (const bool layers = mark->getAnnotation() == "cu2cpp.layers";
        layers || (mark->getAnnotation() == "cu2cpp.block_of_rows" && mark->args_size() == 1)) {
      if (const auto range = plan.text.rangeOf(mark->getRange()))
        plan.edits.replace(*range, "", true);
      if (layers)
        return "const cu2cpp::LayersInOne cuLayers;";
      std::string width;
      llvm::raw_string_ostream stream(width);
      (*mark->args_begin())->printPretty(stream, nullptr, plan.unit.context().getPrintingPolicy());
      return "const cu2cpp::BlockOfRows cuRows(" + width + ");";
    }
  return "";
}

std::string clusterGuard(const Plan& plan, const FunctionFacts& kernel) {
  for (const auto* mark : kernel.decl->specific_attrs<clang::AnnotateAttr>()) {
    if (mark->getAnnotation() != "cu2cpp.cluster_dims" || mark->args_size() == 0)
      continue;
    std::string arguments;
    for (const clang::Expr* argument : mark->args()) {
      llvm::raw_string_ostream stream(arguments);
      stream << (arguments.empty() ? "" : ", ");
      argument->printPretty(stream, nullptr, plan.unit.context().getPrintingPolicy());
    }
    return "if (!cu2cpp::inCluster(" + arguments + ")) return;";
  }
  return "";
}

std::vector<std::string> builtinsAtHead(const clang::FunctionDecl& function, unsigned builtins,
                                        const std::string& block, const std::string& thread) {
  std::vector<std::string> lines;
  // A parameter may have the name of the type.
  std::string size = "const dim3 ";
  for (const clang::ParmVarDecl* parameter : function.parameters())
    if (parameter->getNameAsString() == "dim3")
      size = "const ::dim3 ";
  if (builtins & ThreadIdx)
    lines.push_back("const uint3 threadIdx = " + thread + ".threadIdx;");
  if (builtins & BlockIdx)
    lines.push_back("const uint3 blockIdx = " + block + ".blockIdx;");
  if (builtins & BlockDim)
    lines.push_back(size + "blockDim = " + (hasMark(&function, "layers") ? "cuLayers" : block) +
                    ".blockDim;");
  if (builtins & GridDim)
    lines.push_back(size + "gridDim = " + block + ".gridDim;");
  return lines;
}

} // namespace cu2cpp
