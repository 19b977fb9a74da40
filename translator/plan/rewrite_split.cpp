// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The split form: each region between barriers becomes a loop over the block's threads of its own; control flow around
// barriers runs once for the block.
//
//   float sum = 0;                            cu2cpp::PerThread<float> cuEach_sum(cuBlock);
//   for (int k = 0; k < n; ++k) {             cu2cpp::eachThread(cuBlock, [&](const cu2cpp::Thread cuThisThread) {
//     s[threadIdx.x] = a[k];                    auto& sum = cuEach_sum[cuThisThread];
//     __syncthreads();                 ->       sum = 0;
//     sum += s[0];                            });
//     __syncthreads();                        for (int k = 0; k < n; ++k) {
//   }                                           cu2cpp::eachThread(cuBlock, [&](const uint3 threadIdx) {
//                                                 s[threadIdx.x] = a[k];
//                                               });
//                                               // __syncthreads();
//                                               ...
// Needs: regions without an obstacle.
#include <algorithm>

#include "clang/AST/RecursiveASTVisitor.h"

#include "analyse/marks.h"
#include "analyse/regions.h"
#include "plan/rewrites.h"

namespace cu2cpp {
namespace {

using Kind = RegionNode::Kind;

/// What a region's text names: local variables, threadIdx, and its own return statements.
class RegionText : public clang::RecursiveASTVisitor<RegionText> {
public:
  std::set<const clang::VarDecl*> uses;
  std::vector<const clang::ReturnStmt*> returns;
  bool namesThread = false;

  void add(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
    namesThread |= builtinOf(use->getDecl()) == ThreadIdx;
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
      uses.insert(variable);
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* s) {
    if (!lambdaDepth_)
      returns.push_back(s);
    return true;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    ++lambdaDepth_;
    const bool more = RecursiveASTVisitor::TraverseLambdaExpr(lambda);
    --lambdaDepth_;
    return more;
  }

private:
  int lambdaDepth_ = 0;
};

class Splitter {
public:
  Splitter(Plan& plan, const FunctionFacts& kernel)
      : plan_(plan), kernel_(kernel), regions_(*kernel.regions),
        body_(llvm::cast<clang::CompoundStmt>(kernel.decl->getBody())),
        loop_(plan.forms.at(&kernel).publishThread ? "cu2cpp::eachThreadPublished" : "cu2cpp::eachThread") {}

  void run() {
    nameStorage();
    emitList(regions_.nodes, true);
    emitHead();
  }

private:
  // --- Places -------------------------------------------------------------------------------------------------------

  /// A statement with its semicolon, at the level of the kernel's own text.
  FileRange rangeOf(const clang::Stmt* s) const {
    // A loop's `#pragma unroll` stays above what is put around the loop.
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(s))
      return rangeOf(attributed->getSubStmt());
    const clang::SourceLocation anchor = body_->getLBracLoc();
    const auto begin = plan_.text.positionOf(plan_.text.lift(s->getBeginLoc(), anchor));
    auto end = plan_.text.endOf(plan_.text.lift(s->getEndLoc(), anchor, true));
    CU2CPP_CHECK(begin && end && begin->file == end->file);
    const llvm::StringRef buffer = plan_.text.buffer(begin->file);
    const char last = end->offset ? buffer[end->offset - 1] : '\0';
    if (last != ';' && !(last == '}' && endsWithBrace(s)))
      while (end->offset < buffer.size() && buffer[end->offset - 1] != ';')
        ++end->offset;
    return {begin->file, begin->offset, end->offset};
  }

  /// Whether a statement ends with a block of its own (and not, say, with an initialiser list).
  static bool endsWithBrace(const clang::Stmt* s) {
    if (llvm::isa<clang::CompoundStmt, clang::SwitchStmt, clang::CXXTryStmt>(s))
      return true;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
      return endsWithBrace(branch->getElse() ? branch->getElse() : branch->getThen());
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
      return endsWithBrace(loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s))
      return endsWithBrace(loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(s))
      return endsWithBrace(loop->getBody());
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(s))
      return endsWithBrace(attributed->getSubStmt());
    return false;
  }

  /// The end of the line if only a comment follows there.
  unsigned behindComment(const FileRange& range) const {
    const llvm::StringRef buffer = plan_.text.buffer(range.file);
    unsigned at = range.end;
    while (at < buffer.size() && (buffer[at] == ' ' || buffer[at] == '\t'))
      ++at;
    if (!buffer.substr(at).starts_with("//"))
      return range.end;
    const std::size_t newline = buffer.find('\n', at);
    return newline == llvm::StringRef::npos ? static_cast<unsigned>(buffer.size()) : static_cast<unsigned>(newline);
  }

  bool restOfLineIsBlank(const FileRange& range) const {
    const llvm::StringRef rest = plan_.text.buffer(range.file).substr(range.end);
    return rest.take_until([](char c) { return c == '\n'; }).trim().empty();
  }

  FileRange wholeLine(FileRange range) const {
    const llvm::StringRef buffer = plan_.text.buffer(range.file);
    unsigned begin = range.begin, end = behindComment(range);
    while (begin > 0 && (buffer[begin - 1] == ' ' || buffer[begin - 1] == '\t'))
      --begin;
    while (end < buffer.size() && (buffer[end] == ' ' || buffer[end] == '\t'))
      ++end;
    if ((begin == 0 || buffer[begin - 1] == '\n') && end < buffer.size() && buffer[end] == '\n')
      return {range.file, begin, end + 1};
    return range;
  }

  std::string typeOf(const clang::VarDecl* variable) const {
    clang::PrintingPolicy policy(plan_.unit.context().getPrintingPolicy());
    policy.FullyQualifiedName = true;
    // Without names of local types; a template parameter has no other name than its own.
    const clang::QualType type = variable->getType();
    return (type->isDependentType() ? type : type.getCanonicalType()).getUnqualifiedType().getAsString(policy);
  }

  // --- Names --------------------------------------------------------------------------------------------------------

  void nameStorage() {
    class Names : public clang::RecursiveASTVisitor<Names> {
    public:
      std::set<std::string> names;
      bool VisitNamedDecl(clang::NamedDecl* decl) {
        names.insert(decl->getNameAsString());
        return true;
      }
    } taken;
    taken.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
    for (const clang::ParmVarDecl* parameter : kernel_.decl->parameters())
      taken.names.insert(parameter->getNameAsString());
    for (const auto& [variable, storage] : inOrder()) {
      if (storage != Storage::PerThread)
        continue;
      std::string name = "cuEach_" + variable->getNameAsString();
      while (!taken.names.insert(name).second)
        name += "_";
      perThreadName_[variable] = name;
    }
  }

  std::vector<std::pair<const clang::VarDecl*, Storage>> inOrder() const {
    std::vector<std::pair<const clang::VarDecl*, Storage>> out(regions_.storage.begin(), regions_.storage.end());
    const clang::SourceManager& sm = plan_.text.sources();
    std::sort(out.begin(), out.end(), [&](const auto& a, const auto& b) {
      return sm.isBeforeInTranslationUnit(a.first->getLocation(), b.first->getLocation());
    });
    return out;
  }

  Storage storageOf(const clang::VarDecl* variable) const {
    const auto found = regions_.storage.find(variable);
    return found == regions_.storage.end() ? Storage::Block : found->second;
  }
  bool isStored(const clang::VarDecl* variable, Storage storage) const {
    return regions_.storage.count(variable) && storageOf(variable) == storage;
  }

  // --- Emission -----------------------------------------------------------------------------------------------------

  void emitHead() {
    const auto open = plan_.text.endOf(body_->getLBracLoc());
    CU2CPP_CHECK(open);
    std::vector<std::string> head = {"const cu2cpp::Block& cuBlock = cu2cpp::thisBlock();"};
    for (std::string& line : builtinsAtHead(kernel_.builtins & ~ThreadIdx, "cuBlock", ""))
      head.push_back(std::move(line));
    for (std::string& line : namespaceSharedAtHead(plan_, kernel_))
      head.push_back(std::move(line));
    for (std::string& line : sharedAtHead(plan_, kernel_).declarations)
      head.push_back(std::move(line));
    for (const auto& [variable, storage] : inOrder()) {
      if (storage != Storage::PerThread)
        continue;
      const std::string name = variable->getNameAsString();
      const bool parameter = !regions_.statements.at(variable);
      head.push_back("cu2cpp::PerThread<" + typeOf(variable) + "> " + perThreadName_.at(variable) + "(cuBlock" +
                     (parameter ? ", cuArg_" + name : "") + ");");
      if (parameter)
        if (const auto begin = plan_.text.positionOf(variable->getLocation()))
          plan_.edits.insert(*begin, "cuArg_");
    }
    if (regions_.returns)
      head.push_back("cu2cpp::Exited cuExitedThreads(cuBlock);");
    std::string indentation;
    if (!body_->body_empty())
      indentation = plan_.text.indentation(*plan_.text.positionOf(
          plan_.text.lift((*body_->body_begin())->getBeginLoc(), body_->getLBracLoc())));
    std::string text;
    for (const std::string& line : head)
      text += "\n" + indentation + line;
    plan_.edits.insert(*open, text);
  }

  void emitList(const std::vector<RegionNode>& nodes, bool inBraces) {
    for (const RegionNode& node : nodes) {
      switch (node.kind) {
      case Kind::Region:
        emitRegion(node, inBraces);
        break;
      case Kind::Barrier:
        emitBarrier(node.statement, inBraces);
        break;
      case Kind::Statement:
      case Kind::Shared:
        break;
      case Kind::Loop: {
        const clang::Stmt* body = nullptr;
        if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(node.statement))
          body = loop->getBody();
        else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(node.statement))
          body = loop->getBody();
        else
          body = llvm::cast<clang::DoStmt>(node.statement)->getBody();
        const bool outer = inLoop_;
        inLoop_ = true;
        emitList(node.children, llvm::isa<clang::CompoundStmt>(body));
        inLoop_ = outer;
        break;
      }
      case Kind::Branch: {
        const auto* branch = llvm::cast<clang::IfStmt>(node.statement);
        emitList(node.children, llvm::isa<clang::CompoundStmt>(branch->getThen()));
        if (branch->getElse())
          emitList(node.otherwise, llvm::isa<clang::CompoundStmt>(branch->getElse()));
        break;
      }
      case Kind::Block:
        emitList(node.children, true);
        break;
      }
    }
  }

  void emitBarrier(const clang::Stmt* s, bool inBraces) {
    const FileRange range = rangeOf(s);
    std::string text = plan_.text.text(range);
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (inBraces && restOfLineIsBlank(range) && text.find('\\') == std::string::npos)
      plan_.edits.replace(range, "// " + text);
    else
      plan_.edits.replace(range, "/* " + llvm::StringRef(text).drop_back().str() + " */;");
  }

  /// The declarations at a region's head: what it uses of the variables that live longer.
  std::vector<std::string> bindings(const RegionNode& region, RegionText& text) const {
    std::set<const clang::VarDecl*> declaredHere;
    std::set<const clang::DeclStmt*> statementsHere;
    for (const clang::Stmt* s : region.statements)
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
        statementsHere.insert(declaration);
        for (const clang::Decl* decl : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
            declaredHere.insert(variable);
            if (isStored(variable, Storage::PerThread) && variable->hasInit())
              text.uses.insert(variable);
          }
      }
    // A repeated declaration brings what it names with it.
    for (bool grown = true; grown;) {
      grown = false;
      for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(text.uses)) {
        if (!isStored(variable, Storage::Recomputed) || declaredHere.count(variable))
          continue;
        const std::size_t before = text.uses.size();
        for (const clang::Decl* sibling : regions_.statements.at(variable)->decls())
          if (const auto* other = llvm::dyn_cast<clang::VarDecl>(sibling); other && other->hasInit())
            text.add(other->getInit());
        grown |= text.uses.size() != before;
      }
    }
    std::vector<std::string> lines;
    std::set<const clang::DeclStmt*> repeated;
    for (const auto& [variable, storage] : inOrder()) {
      if (!text.uses.count(variable))
        continue;
      if (storage == Storage::PerThread) {
        lines.push_back("auto& " + variable->getNameAsString() + " = " + perThreadName_.at(variable) + "[cuThisThread];");
      } else if (storage == Storage::Recomputed) {
        const clang::DeclStmt* statement = regions_.statements.at(variable);
        if (statementsHere.count(statement) || !repeated.insert(statement).second)
          continue;
        std::string declaration = plan_.text.text(rangeOf(statement));
        std::replace(declaration.begin(), declaration.end(), '\n', ' ');
        lines.push_back((statement->isSingleDecl() ? "" : "[[maybe_unused]] ") + declaration);
      }
    }
    return lines;
  }

  void emitRegion(const RegionNode& region, bool inBraces) {
    RegionText text;
    for (const clang::Stmt* s : region.statements)
      text.add(s);
    std::vector<std::string> lines = bindings(region, text);
    const bool first = !anyRegion_ && !inLoop_;
    anyRegion_ = true;
    const bool exits = regions_.returns && !text.returns.empty();
    const bool checksExit = regions_.returns && !first;
    bool needsThread = exits || checksExit;
    for (const clang::VarDecl* variable : text.uses)
      needsThread |= isStored(variable, Storage::PerThread);
    if (checksExit)
      lines.insert(lines.begin(), "if (cuExitedThreads.has(cuThisThread)) return;");
    if (needsThread && text.namesThread)
      lines.insert(lines.begin(), "const uint3 threadIdx = cuThisThread.threadIdx;");

    const FileRange begin = rangeOf(region.statements.front());
    const FileRange end = rangeOf(region.statements.back());
    const std::string indentation = plan_.text.indentation({begin.file, begin.begin});
    std::string opening;
    for (const clang::DeclStmt* moved : region.movedHere) {
      const FileRange range = rangeOf(moved);
      const FileRange full{range.file, range.begin, behindComment(range)};
      opening += plan_.text.text(full) + "\n" + indentation;
      plan_.edits.replace(wholeLine(range), "");
    }
    opening += loop_ + "(cuBlock, [&](const " +
               (needsThread ? "cu2cpp::Thread cuThisThread" : text.namesThread ? "uint3 threadIdx" : "uint3") + ") {";
    for (const std::string& line : lines)
      opening += "\n" + indentation + line;
    opening += "\n" + indentation + (inBraces ? "" : "    ");
    plan_.edits.insert({begin.file, begin.begin}, opening);

    for (const clang::Stmt* s : region.statements)
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
        if (keepsPerThread(declaration))
          emitDeclaration(declaration);
    if (exits)
      for (const clang::ReturnStmt* s : text.returns)
        plan_.edits.replace(rangeOf(s), "{ cuExitedThreads.add(cuThisThread); return; }");

    std::string closing = "\n" + indentation + "});";
    if (exits && inBraces)
      closing += "\n" + indentation + "if (cuExitedThreads.all()) return;";
    plan_.edits.insert({end.file, behindComment(end)}, closing);
  }

  bool keepsPerThread(const clang::DeclStmt* declaration) const {
    for (const clang::Decl* decl : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
        if (isStored(variable, Storage::PerThread))
          return true;
    return false;
  }

  /// `float a = 1, b;` of variables that live for each thread -> `a = 1;`
  void emitDeclaration(const clang::DeclStmt* declaration) {
    std::string text;
    for (const clang::Decl* decl : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || !variable->hasInit())
        continue;
      const std::string name = variable->getNameAsString();
      const clang::Expr* init = variable->getInit();
      // `T x;` of a class or dependent type has an implicit initialisation without text.
      const clang::SourceLocation anchor = body_->getLBracLoc();
      const std::string written =
          plan_.text.text(clang::SourceRange(plan_.text.lift(init->getBeginLoc(), anchor),
                                             plan_.text.lift(init->getEndLoc(), anchor, true)));
      const bool implicit = written.empty() || written == name ||
                            (llvm::isa<clang::CXXConstructExpr>(init->IgnoreImplicit()) &&
                             init->getBeginLoc() == variable->getLocation() &&
                             llvm::cast<clang::CXXConstructExpr>(init->IgnoreImplicit())->getNumArgs() == 0);
      if (implicit)
        continue;
      text += text.empty() ? "" : " ";
      if (variable->getType()->isArrayType()) {
        text += "{ " + typedArray(variable, name + "_init") + " = " + written + "; std::memcpy(" + name + ", " + name +
                "_init, sizeof(" + name + ")); }";
      } else if (variable->getInitStyle() == clang::VarDecl::CInit) {
        text += name + " = " + written + ";";
      } else if (llvm::isa<clang::CXXConstructExpr>(init->IgnoreImplicit()) &&
                 init->getBeginLoc() == variable->getLocation()) {
        // `dim3 d(1, 2)`: the initialiser's text begins with the variable's name.
        text += name + " = " + typeOf(variable) + llvm::StringRef(written).drop_front(name.size()).str() + ";";
      } else {
        const bool braces = variable->getInitStyle() == clang::VarDecl::ListInit;
        text += name + " = " + typeOf(variable) + (braces ? written : "(" + written + ")") + ";";
      }
    }
    plan_.edits.replace(rangeOf(declaration), text);
  }

  std::string typedArray(const clang::VarDecl* variable, const std::string& name) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    variable->getType().getUnqualifiedType().print(stream, plan_.unit.context().getPrintingPolicy(), name);
    return text;
  }

  Plan& plan_;
  const FunctionFacts& kernel_;
  const Regions& regions_;
  const clang::CompoundStmt* body_;
  std::string loop_;
  std::map<const clang::VarDecl*, std::string> perThreadName_;
  bool anyRegion_ = false;
  bool inLoop_ = false;
};

} // namespace

void splitKernel(Plan& plan, const FunctionFacts& kernel) { Splitter(plan, kernel).run(); }

} // namespace cu2cpp
