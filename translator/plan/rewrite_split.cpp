// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The split form: each region between barriers becomes a loop over the block's threads of its own;
// control flow around barriers runs once for the block.
//
//   float sum = 0;                            cu2cpp::PerThread<float> cuEach_sum(cuBlock);
//   for (int k = 0; k < n; ++k) {             cu2cpp::eachThread(cuBlock, [&](const cu2cpp::Thread
//   cuThisThread) {
//     s[threadIdx.x] = a[k];                    auto& sum = cuEach_sum[cuThisThread];
//     __syncthreads();                 ->       sum = 0;
//     sum += s[0];                            });
//     __syncthreads();                        for (int k = 0; k < n; ++k) {
//   }                                           cu2cpp::eachThread(cuBlock, [&](const uint3
//   threadIdx) {
//                                                 s[threadIdx.x] = a[k];
//                                               });
//                                               // __syncthreads();
//                                               ...
//
// Between calls of a warp's collectives the same is done over its lanes, in a loop over the warps;
// what a condition decides for single lanes runs for the set of them:
//
//   if (i < n)                                cu2cpp::eachWarp(cuBlock, [&](const cu2cpp::Warp&
//   cuWarp, ... cuLanes) {
//     v += __shfl_down_sync(m, v, 1);           const auto cuLanes1 = cu2cpp::lanesWhere(cuWarp,
//     cuLanes, [&](...) {
//                                      ->         return i < n; });
//                                               if (cuLanes1.any()) {
//                                                 const auto cuCall1 =
//                                                 cu2cpp::together::__shfl_down_sync(cuWarp,
//                                                 cuLanes1, ...); cu2cpp::eachLane(cuWarp,
//                                                 cuLanes1, [&](...) { v += cuCall1[cuThisThread];
//                                                 });
//                                               } });
//
// A device function that waits gets a second version, which the whole group calls at once. Needs:
// regions without an obstacle.
#include <algorithm>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"

#include "analyse/marks.h"
#include "analyse/regions.h"
#include "plan/rewrites.h"

namespace cu2cpp {
namespace {

using Kind = RegionNode::Kind;
using How = GroupCall::Argument::How;

/// What a region's text names: local variables, threadIdx, and its own jumps.
class RegionText : public clang::RecursiveASTVisitor<RegionText> {
public:
  std::set<const clang::VarDecl*> uses;
  std::vector<const clang::ReturnStmt*> returns;
  std::vector<const clang::Stmt*> jumps; ///< break and continue
  std::set<const clang::Stmt*> skip;
  bool namesThread = false, namesBlock = false;

  void add(const clang::Stmt* s) {
    if (s)
      TraverseStmt(const_cast<clang::Stmt*>(s));
  }
  bool TraverseStmt(clang::Stmt* s) {
    return s && skip.count(s) ? true : RecursiveASTVisitor::TraverseStmt(s);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
    namesThread |= builtinOf(use->getDecl()) == ThreadIdx;
    namesBlock |= builtinOf(use->getDecl()) == BlockIdx;
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
      uses.insert(variable);
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* s) {
    if (!lambdaDepth_)
      returns.push_back(s);
    return true;
  }
  bool VisitBreakStmt(clang::BreakStmt* s) {
    jumps.push_back(s);
    return true;
  }
  bool VisitContinueStmt(clang::ContinueStmt* s) {
    jumps.push_back(s);
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
  Splitter(Plan& plan, const FunctionFacts& function, EditList& edits, bool publish)
      : plan_(plan), kernel_(function), regions_(*function.regions),
        body_(llvm::cast<clang::CompoundStmt>(function.decl->getBody())), edits_(edits),
        publish_(publish) {
    for (unsigned i = 0; i < regions_.calls.size(); ++i)
      if (!regions_.calls[i].oneByOne)
        callIndex_[regions_.calls[i].call] = i;
    ofWarp_ = regions_.scope == Scope::Warp && !function.kernel;
    level_ = ofWarp_ ? Scope::Warp : Scope::Block;
    if (ofWarp_)
      lanes_ = "cuLanes";
    if (!body_->body_empty())
      lastReturn_ = llvm::dyn_cast<clang::ReturnStmt>(body_->body_back());
    parents_ = std::make_unique<clang::ParentMap>(const_cast<clang::CompoundStmt*>(body_));
  }

  void run() {
    nameStorage();
    onlyWarps_ = kernel_.kernel && isOnlyWarps();
    emitList(regions_.nodes, true);
    emitHead();
    for (auto& [place, text] : inserted_)
      edits_.insert({place.first, place.second}, text);
  }

  /// The parameters of a device function's version for a group.
  std::string signature() {
    std::string out = ofWarp_
                          ? "const cu2cpp::Warp& cuWarp, const cu2cpp::Lanes cuLanes"
                          : std::string("const cu2cpp::Block& cuBlock, const cu2cpp::Exited& ") +
                                (regions_.returns ? "cuExitedBefore" : "cuExitedThreads");
    for (const clang::ParmVarDecl* parameter : kernel_.decl->parameters()) {
      const std::string name = parameter->getNameAsString();
      const unsigned index = parameter->getFunctionScopeIndex();
      if (kernel_.uniformParameters.count(index)) {
        const bool kept =
            regions_.storage.count(parameter) && storageOf(parameter) != Storage::Block;
        std::string text;
        llvm::raw_string_ostream stream(text);
        parameter->getType().print(stream, policy(), (kept ? "cuArg_" : "") + name);
        out += ", " + text;
      } else {
        const bool changed = parameter->getType()->isLValueReferenceType() &&
                             !parameter->getType()->getPointeeType().isConstQualified();
        const std::string storage =
            storageType(parameter, ofWarp_ ? Storage::PerLane : Storage::PerThread);
        const auto written = perThreadName_.find(parameter);
        const std::string variable = written == perThreadName_.end()
                                         ? (name.empty() ? "" : "cuEach_" + name)
                                         : written->second;
        out += ", " +
               (changed                                        ? storage + "&"
                : regions_.modifiedParameters.count(parameter) ? storage
                                                               : "const " + storage + "&") +
               " " + variable;
      }
    }
    return out;
  }
  std::string resultType() const {
    const clang::QualType type = kernel_.decl->getReturnType();
    if (type->isVoidType())
      return "void";
    return std::string(ofWarp_ ? "cu2cpp::PerLane<" : "cu2cpp::PerThread<") +
           type.getNonReferenceType().getUnqualifiedType().getAsString(policy()) + ">";
  }

private:
  // --- Places
  // -------------------------------------------------------------------------------------------------------

  void insert(const FilePosition& at, const std::string& text) {
    inserted_[{at.file, at.offset}] += text;
  }

  clang::PrintingPolicy policy() const {
    clang::PrintingPolicy p(plan_.unit.context().getPrintingPolicy());
    p.FullyQualifiedName = true;
    return p;
  }

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

  FileRange expressionRange(const clang::Expr* e) const {
    const clang::SourceLocation anchor = body_->getLBracLoc();
    const auto begin = plan_.text.positionOf(plan_.text.lift(e->getBeginLoc(), anchor));
    const auto end = plan_.text.endOf(plan_.text.lift(e->getEndLoc(), anchor, true));
    CU2CPP_CHECK(begin && end && begin->file == end->file);
    return {begin->file, begin->offset, end->offset};
  }
  FilePosition beginOf(clang::SourceLocation at) const {
    const auto position = plan_.text.positionOf(plan_.text.lift(at, body_->getLBracLoc()));
    CU2CPP_CHECK(position);
    return *position;
  }
  FilePosition endOf(clang::SourceLocation at) const {
    const auto position = plan_.text.endOf(plan_.text.lift(at, body_->getLBracLoc(), true));
    CU2CPP_CHECK(position);
    return *position;
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
    return newline == llvm::StringRef::npos ? static_cast<unsigned>(buffer.size())
                                            : static_cast<unsigned>(newline);
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

  // --- Text of expressions, with what group calls gave in their place
  // -----------------------------------------------

  std::string callName(unsigned index) const { return "cuCall" + std::to_string(index + 1); }
  std::string resultOf(unsigned index) const {
    return callName(index) + (regions_.calls[index].uniformResult ? "" : "[cuThisThread]");
  }
  bool isInside(const clang::Stmt* inner, const clang::Stmt* outer) const {
    for (const clang::Stmt* at = inner; at; at = parents_->getParent(at))
      if (at == outer)
        return true;
    return false;
  }
  /// The outermost group calls in a piece of code.
  std::vector<unsigned> callsIn(const clang::Stmt* s) const {
    std::vector<unsigned> out;
    for (const auto& [call, index] : callIndex_) {
      if (!isInside(call, s))
        continue;
      bool outermost = true;
      for (const clang::Stmt* at = parents_->getParent(call); outermost && at && call != s;
           at = parents_->getParent(at)) {
        if (const auto* other = llvm::dyn_cast<clang::CallExpr>(at))
          outermost &= !callIndex_.count(other);
        if (at == s)
          break;
      }
      if (outermost)
        out.push_back(index);
    }
    return out;
  }
  std::string print(const clang::Stmt* s) const {
    class Helper : public clang::PrinterHelper {
    public:
      const Splitter* splitter = nullptr;
      bool handledStmt(clang::Stmt* s, llvm::raw_ostream& out) override {
        const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
        const auto found = call ? splitter->callIndex_.find(call) : splitter->callIndex_.end();
        if (found == splitter->callIndex_.end())
          return false;
        out << splitter->resultOf(found->second);
        return true;
      }
    } helper;
    helper.splitter = this;
    std::string text;
    llvm::raw_string_ostream stream(text);
    s->printPretty(stream, &helper, plan_.unit.context().getPrintingPolicy());
    return text;
  }

  std::string expressionText(const clang::Expr* e) const {
    const std::vector<unsigned> calls = callsIn(e);
    bool plain = plan_.text.isWhole(e);
    for (const unsigned index : calls)
      plain &= plan_.text.isWhole(regions_.calls[index].call);
    if (!plain)
      return print(e);
    const FileRange range = expressionRange(e);
    std::vector<std::pair<FileRange, unsigned>> parts;
    for (const unsigned index : calls)
      parts.push_back({expressionRange(regions_.calls[index].call), index});
    std::sort(parts.begin(), parts.end(),
              [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
    std::string out;
    unsigned at = range.begin;
    for (const auto& [part, index] : parts) {
      out += plan_.text.text(FileRange{range.file, at, part.begin}) + resultOf(index);
      at = part.end;
    }
    return out + plan_.text.text(FileRange{range.file, at, range.end});
  }

  // --- Names
  // --------------------------------------------------------------------------------------------------------

  std::string typeOf(const clang::VarDecl* variable) const {
    clang::PrintingPolicy p(policy());
    // Without names of local types; a template parameter has no other name than its own.
    const clang::QualType type = variable->getType().getNonReferenceType();
    return (type->isDependentType() || isLocalType(type) ? type : type.getCanonicalType())
        .getUnqualifiedType()
        .getAsString(p);
  }
  static bool isLocalType(clang::QualType type) {
    const clang::Type* base = type->getBaseElementTypeUnsafe();
    while (base->isPointerType())
      base = base->getPointeeType()->getBaseElementTypeUnsafe();
    const clang::TagDecl* tag = base->getAsTagDecl();
    return tag && tag->getDeclContext() && tag->getDeclContext()->isFunctionOrMethod();
  }
  bool isReferenceLocal(const clang::VarDecl* variable) const {
    return variable->getType()->isReferenceType() && !llvm::isa<clang::ParmVarDecl>(variable);
  }
  std::string storageType(const clang::VarDecl* variable, Storage storage) const {
    return std::string(storage == Storage::PerLane ? "cu2cpp::PerLane<" : "cu2cpp::PerThread<") +
           typeOf(variable) + (isReferenceLocal(variable) ? "*>" : ">");
  }

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
      if (storage != Storage::PerThread && storage != Storage::PerLane)
        continue;
      std::string name = "cuEach_" + variable->getNameAsString();
      while (!taken.names.insert(name).second)
        name += "_";
      perThreadName_[variable] = name;
    }
  }

  std::vector<std::pair<const clang::VarDecl*, Storage>> inOrder() const {
    std::vector<std::pair<const clang::VarDecl*, Storage>> out(regions_.storage.begin(),
                                                               regions_.storage.end());
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
  bool isKept(const clang::VarDecl* variable) const {
    return isStored(variable, Storage::PerThread) || isStored(variable, Storage::PerLane);
  }
  /// Declared where the variable is: its type or life is not the whole kernel's.
  bool isDeclaredInPlace(const clang::VarDecl* variable) const {
    if (!regions_.statements.count(variable) || !regions_.statements.at(variable))
      return false;
    const clang::CXXRecordDecl* record =
        variable->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    const bool constructs =
        record && record->hasDefinition() && !record->hasTrivialDefaultConstructor();
    return isStored(variable, Storage::PerLane) || isLocalType(variable->getType()) || constructs ||
           (variable->getType()->isDependentType() &&
            !llvm::isa<clang::TemplateTypeParmType>(
                variable->getType()->isPointerType()
                    ? variable->getType()->getPointeeType().getTypePtr()
                    : variable->getType().getTypePtr()));
  }
  std::string storageDeclaration(const clang::VarDecl* variable) const {
    return storageType(variable, storageOf(variable)) + " " + perThreadName_.at(variable) +
           (isStored(variable, Storage::PerThread) ? "(cuBlock);" : ";");
  }

  // --- The group
  // ----------------------------------------------------------------------------------------------------

  std::string group() const { return level_ == Scope::Block ? "cuBlock" : "cuWarp"; }
  std::string exitedThreads() const {
    return !kernel_.kernel && !ofWarp_    ? "cuExitedThreads"
           : regions_.returns && !ofWarp_ ? "cuExitedThreads"
                                          : "cu2cpp::noneExited";
  }
  /// The threads of the group that are here.
  std::string active() const {
    if (level_ == Scope::Block)
      return outside_.empty() ? exitedThreads() : outside_.back().name;
    std::string out = lanes_;
    if (regions_.returns)
      out += " - cuExited";
    for (const Uneven& loop : loops_) {
      if (loop.leaves)
        out += " - cuLeft" + std::to_string(loop.number);
      if (loop.skips)
        out += " - cuSkipped" + std::to_string(loop.number);
    }
    return out;
  }
  /// A new set of threads of the block that are outside of a statement, at first `those`.
  std::string outsideOf(const std::string& name, const std::string& those) const {
    return "cu2cpp::Exited " + name + "(cuBlock" +
           (those == "cu2cpp::noneExited" ? "" : ", " + those) + ");";
  }
  /// `cuOutside1.add(cuThisThread); ` for the sets from the given one inwards.
  std::string addToOutside(std::size_t first) const {
    std::string out;
    for (std::size_t i = first; i < outside_.size(); ++i)
      out += outside_[i].name + ".add(cuThisThread); ";
    return out;
  }
  std::string threadParameter(bool thread, bool index) const {
    if (thread)
      return level_ == Scope::Block ? regions_.joined ? "const cu2cpp::RowThread cuThisThread"
                                                      : "const cu2cpp::Thread cuThisThread"
                                    : "const cu2cpp::Lane cuThisThread";
    return index ? "const uint3 threadIdx" : "const uint3";
  }

  // --- Emission
  // -----------------------------------------------------------------------------------------------------

  void emitHead() {
    const auto open = plan_.text.endOf(body_->getLBracLoc());
    CU2CPP_CHECK(open);
    std::vector<std::string> head;
    if (kernel_.kernel)
      head.push_back(blockAtHead(plan_, kernel_, regions_.joined));
    if (std::string guard = clusterGuard(plan_, kernel_); kernel_.kernel && !guard.empty())
      head.push_back(std::move(guard));
    const std::string block = ofWarp_ ? "(*cuWarp.block)" : "cuBlock";
    for (std::string& line :
         builtinsAtHead(*kernel_.decl, kernel_.builtins & ~ThreadIdx, block, ""))
      head.push_back(kernel_.kernel && !regions_.joined ? std::move(line)
                                                        : "[[maybe_unused]] " + line);
    for (std::string& line : namespaceSharedAtHead(plan_, kernel_))
      head.push_back(std::move(line));
    if (kernel_.kernel)
      for (std::string& line : sharedAtHead(plan_, kernel_).declarations)
        head.push_back(std::move(line));
    for (const auto& [variable, storage] : inOrder()) {
      if ((storage != Storage::PerThread && storage != Storage::PerLane) ||
          isDeclaredInPlace(variable))
        continue;
      const std::string name = variable->getNameAsString();
      const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
      if (parameter && !kernel_.kernel) {
        // The storage is the parameter, but for one value that threads change apart.
        if (kernel_.uniformParameters.count(parameter->getFunctionScopeIndex()))
          head.push_back(storageType(variable, storage) + " " + perThreadName_.at(variable) + "(" +
                         (ofWarp_ ? "" : "cuBlock, ") + "cuArg_" + name + ");");
        continue;
      }
      head.push_back(storageType(variable, storage) + " " + perThreadName_.at(variable) +
                     "(cuBlock" + (parameter ? ", cuArg_" + name : "") + ");");
      if (parameter)
        if (const auto begin = plan_.text.positionOf(variable->getLocation()))
          edits_.insert(*begin, "cuArg_");
    }
    if (!kernel_.kernel && !kernel_.decl->getReturnType()->isVoidType())
      head.push_back(resultType() + " cuResult" + (ofWarp_ ? ";" : "(cuBlock);"));
    if (regions_.returns) {
      if (ofWarp_)
        head.push_back("cu2cpp::Lanes cuExited;");
      else if (!onlyWarps_)
        head.push_back(kernel_.kernel ? "cu2cpp::Exited cuExitedThreads(cuBlock);"
                                      : "cu2cpp::Exited cuExitedThreads = cuExitedBefore;");
    }
    std::string indentation;
    if (!body_->body_empty())
      indentation = plan_.text.indentation(*plan_.text.positionOf(
          plan_.text.lift((*body_->body_begin())->getBeginLoc(), body_->getLBracLoc())));
    std::string text;
    for (const std::string& line : head)
      text += "\n" + indentation + line;
    edits_.insert(*open, text);
    if (!kernel_.kernel && !kernel_.decl->getReturnType()->isVoidType())
      if (const auto close = plan_.text.positionOf(body_->getRBracLoc()))
        insert(*close, "  return cuResult;\n");
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
      case Kind::Call:
        emitCall(node);
        break;
      case Kind::Statement:
        emitStatement(node);
        break;
      case Kind::Shared:
      case Kind::Label:
        break;
      case Kind::Loop:
        emitLoop(node, inBraces);
        break;
      case Kind::Branch:
        emitBranch(node, inBraces);
        break;
      case Kind::Switch:
        emitList(node.children, true);
        break;
      case Kind::Block:
        emitList(node.children, true);
        break;
      case Kind::Warps:
        emitWarps(node);
        break;
      }
    }
  }

  void emitBarrier(const clang::Stmt* s, bool inBraces) {
    const FileRange range = rangeOf(s);
    std::string text = plan_.text.text(range);
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (inBraces && restOfLineIsBlank(range) && text.find('\\') == std::string::npos)
      edits_.replace(range, "// " + text);
    else
      edits_.replace(range, "/* " + llvm::StringRef(text).drop_back().str() + " */;");
  }

  /// What the threads of a region need at its head, of the variables that live longer.
  /// Those in `copied` become parameters, if there is a list for them.
  std::vector<std::string> bindings(const std::vector<const clang::Stmt*>& statements,
                                    RegionText& text,
                                    std::vector<const clang::VarDecl*>* copied = nullptr) const {
    std::set<const clang::VarDecl*> declaredHere;
    std::set<const clang::DeclStmt*> statementsHere;
    for (const clang::Stmt* s : statements)
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s)) {
        statementsHere.insert(declaration);
        for (const clang::Decl* decl : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
            declaredHere.insert(variable);
            if (isKept(variable) && startsWithValue(variable) && !isReferenceLocal(variable))
              text.uses.insert(variable);
          }
      }
    // A repeated declaration brings what it names with it.
    for (bool grown = true; grown;) {
      grown = false;
      for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(text.uses)) {
        if ((!isStored(variable, Storage::Recomputed) && !isStored(variable, Storage::Strided)) ||
            declaredHere.count(variable))
          continue;
        const std::size_t before = text.uses.size();
        const auto parts = regions_.startParts.find(variable);
        if (parts != regions_.startParts.end())
          text.skip.insert(parts->second.begin(), parts->second.end());
        for (const clang::Decl* sibling : regions_.statements.at(variable)->decls())
          if (const auto* other = llvm::dyn_cast<clang::VarDecl>(sibling);
              other && other->hasInit())
            text.add(other->getInit());
        grown |= text.uses.size() != before;
      }
    }
    std::vector<std::string> lines;
    std::set<const clang::DeclStmt*> repeated;
    for (const auto& [variable, storage] : inOrder()) {
      if (!text.uses.count(variable))
        continue;
      if (storage == Storage::PerThread || storage == Storage::PerLane) {
        // A reference is bound where it is declared, and from then on.
        if (isReferenceLocal(variable) && declaredHere.count(variable))
          continue;
        if (copied && regions_.copied.count(variable)) {
          copied->push_back(variable);
          continue;
        }
        lines.push_back("auto& " + variable->getNameAsString() + " = " +
                        (isReferenceLocal(variable) ? "*" : "") + perThreadName_.at(variable) +
                        "[cuThisThread];");
      } else if (storage == Storage::Strided) {
        std::string declaration;
        llvm::raw_string_ostream stream(declaration);
        variable->getType().getUnqualifiedType().print(stream, policy(),
                                                       variable->getNameAsString());
        lines.push_back("const " + declaration + " = (" + startText(variable) + ") + cuStep_" +
                        variable->getNameAsString() + ";");
      } else if (storage == Storage::Fresh) {
        const clang::DeclStmt* statement = regions_.statements.at(variable);
        if (statementsHere.count(statement) && !regions_.mixed.count(statement) &&
            !keepsPerThread(statement))
          continue;
        std::string declaration;
        llvm::raw_string_ostream stream(declaration);
        variable->getType().print(stream, policy(), variable->getNameAsString());
        lines.push_back(declaration + ";");
      } else if (storage == Storage::Recomputed) {
        const clang::DeclStmt* statement = regions_.statements.at(variable);
        if (statementsHere.count(statement) || !repeated.insert(statement).second)
          continue;
        std::string declaration = plan_.text.text(rangeOf(statement));
        if (declaration.find("//") == std::string::npos)
          std::replace(declaration.begin(), declaration.end(), '\n', ' ');
        lines.push_back((statement->isSingleDecl() ? "" : "[[maybe_unused]] ") + declaration);
      }
    }
    return lines;
  }
  std::string startName(const clang::VarDecl* variable, std::size_t index) const {
    return "cuStart" + (index ? std::to_string(index + 1) : "") + "_" + variable->getNameAsString();
  }
  /// Where a thread starts in a strided loop, with names for what the group has computed once.
  std::string startText(const clang::VarDecl* variable) const {
    const auto found = regions_.startParts.find(variable);
    if (found == regions_.startParts.end() || found->second.empty())
      return expressionText(variable->getInit());
    const FileRange range = expressionRange(variable->getInit());
    std::string out;
    unsigned at = range.begin;
    for (std::size_t i = 0; i < found->second.size(); ++i) {
      const FileRange part = expressionRange(found->second[i]);
      out += plan_.text.text(FileRange{range.file, at, part.begin}) + startName(variable, i);
      at = part.end;
    }
    return out + plan_.text.text(FileRange{range.file, at, range.end});
  }
  bool needsThread(const RegionText& text) const {
    return std::any_of(text.uses.begin(), text.uses.end(),
                       [&](const clang::VarDecl* v) { return isKept(v); });
  }

  /// `[&](const cu2cpp::Lane cuThisThread) { ...; return <expression>; }`
  std::string valueLambda(const clang::Expr* e, const std::string& addressOf = "") const {
    RegionText text;
    const std::vector<unsigned> calls = callsIn(e);
    for (const unsigned index : calls)
      text.skip.insert(regions_.calls[index].call);
    text.add(e);
    const std::vector<std::string> lines = bindings({}, text);
    bool thread = needsThread(text);
    for (const unsigned index : calls)
      thread |= !regions_.calls[index].uniformResult;
    std::string out = "[&](" + threadParameter(thread, text.namesThread) + ") { ";
    if (thread && text.namesThread)
      out += "const uint3 threadIdx = cuThisThread.threadIdx; ";
    for (const std::string& line : lines)
      out += line + " ";
    return out + "return " + addressOf + expressionText(e) + "; }";
  }

  std::string compared(const clang::Expr* e) const {
    return std::string(level_ == Scope::Block ? "cu2cpp::sameInBlock" : "cu2cpp::sameInWarp") +
           published() + "(" + group() + ", " + active() + ", " + valueLambda(e) + ")";
  }
  const char* published() const { return publish_ ? "Published" : ""; }

  const clang::VarDecl* variableOf(const clang::Expr* e) const {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
    return use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  }

  std::string argumentText(const GroupCall& call, const GroupCall::Argument& argument) const {
    const bool warp = call.scope == Scope::Warp;
    if (argument.how == How::Uniform) {
      if (regions_.compared.count(argument.value))
        return compared(argument.value);
      return plan_.text.isWhole(argument.value) && !isForeign(argument.value)
                 ? expressionText(argument.value)
                 : print(argument.value);
    }
    if (const clang::VarDecl* variable = variableOf(argument.value)) {
      const clang::QualType type = variable->getType().getNonReferenceType().getUnqualifiedType();
      const bool same = argument.how == How::Reference || argument.type.isNull() ||
                        argument.type->isDependentType() || type->isDependentType() ||
                        argument.type.getCanonicalType() == type.getCanonicalType();
      if (same && isKept(variable) && !isReferenceLocal(variable) && !type->isArrayType())
        return perThreadName_.at(variable) +
               (warp && isStored(variable, Storage::PerThread) ? ".lanes(cuWarp)" : "");
    }
    std::string type;
    if (!argument.type.isNull() && call.function && !argument.type->isDependentType())
      type = "<" + argument.type.getAsString(policy()) + ">";
    return std::string(warp ? "cu2cpp::perLane" : "cu2cpp::perThread") + published() + type + "(" +
           group() + ", " + active() + ", " + valueLambda(argument.value) + ")";
  }
  /// A default argument's text stands in another function.
  bool isForeign(const clang::Expr* e) const {
    const clang::SourceManager& sm = plan_.text.sources();
    const clang::SourceLocation at = sm.getExpansionLoc(e->getBeginLoc());
    return sm.isBeforeInTranslationUnit(at, sm.getExpansionLoc(body_->getLBracLoc())) ||
           sm.isBeforeInTranslationUnit(sm.getExpansionLoc(body_->getRBracLoc()), at);
  }

  /// `ns::warpMax` -> `ns::cuGroup_warpMax`
  static std::string groupName(std::string name) {
    const std::size_t colons = name.rfind("::");
    name.insert(colons == std::string::npos ? 0 : colons + 2, "cuGroup_");
    return name;
  }

  std::string callText(unsigned index, bool alone) {
    const GroupCall& call = regions_.calls[index];
    // Only the lanes for which the conditions around it hold make the call.
    const std::string outer = lanes_;
    std::string guards;
    for (const auto& [guard, outcome] : call.guards) {
      const std::string mask = "cuLanes" + std::to_string(++masks_);
      guards += "const cu2cpp::Lanes " + mask + " = " + (outcome ? "" : active() + " - ") +
                lanesWhere(guard, active()) + "; ";
      lanes_ = mask;
    }
    std::string name, arguments = group() + ", " + active();
    if (call.function) {
      const clang::Expr* callee =
          llvm::isa<clang::CXXOperatorCallExpr>(call.call) ? call.object : call.call->getCallee();
      name = plan_.text.isWhole(callee) ? plan_.text.text(expressionRange(callee)) : print(callee);
      if (call.through)
        name = groupName(name) + "{}";
      // The group's versions of functions among the template's arguments come first.
      std::string versions;
      for (const GroupCall::FunctionArgument& argument : call.functionArguments)
        versions += groupName(plan_.text.text(expressionRange(argument.written))) + ", ";
      if (!versions.empty())
        name.insert(name.find('<') + 1, versions);
    } else {
      name = "cu2cpp::together::" + call.callee->getNameAsString();
      if (call.object) {
        GroupCall::Argument object;
        object.value = call.object;
        arguments += ", " + argumentText(call, object);
      }
    }
    for (const GroupCall::Argument& argument : call.arguments)
      arguments += ", " + argumentText(call, argument);
    lanes_ = outer;
    return guards + (alone || !call.returnsValue ? "" : "const auto " + callName(index) + " = ") +
           name + "(" + arguments + ");";
  }

  void emitCall(const RegionNode& node) {
    const unsigned index = node.calls.front();
    const FileRange range = rangeOf(node.statement);
    if (node.alone) {
      edits_.replace(range, callText(index, true));
      return;
    }
    const std::string indentation = plan_.text.indentation({range.file, range.begin});
    insert({range.file, range.begin}, callText(index, false) + "\n" + indentation);
  }

  /// A statement that the group runs once: as it is, but for values that its threads compute.
  void emitStatement(const RegionNode& node) {
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(node.statement);
        declaration && regions_.mixed.count(declaration)) {
      std::string text;
      bool own = false;
      for (const clang::Decl* decl : declaration->decls()) {
        const auto* variable = llvm::cast<clang::VarDecl>(decl);
        own |= isKept(variable) && variable->hasInit();
        if (!isStored(variable, Storage::Block))
          continue;
        std::string declared;
        llvm::raw_string_ostream stream(declared);
        variable->getType().print(stream, policy(), variable->getNameAsString());
        text += (text.empty() ? "" : " ") + declared;
        if (variable->hasInit())
          text += " = " + (regions_.compared.count(variable->getInit())
                               ? compared(variable->getInit())
                               : expressionText(variable->getInit()));
        text += ";";
      }
      if (own)
        text += "\n" + plan_.text.indentation(position(rangeOf(declaration))) +
                headPart(declaration) + ";";
      edits_.replace(rangeOf(declaration), text);
      anyRegion_ |= own;
      return;
    }
    for (const clang::Expr* value : regions_.compared)
      if (isInside(value, node.statement) && !llvm::isa<clang::ForStmt>(node.statement)) {
        bool argument = false;
        for (const GroupCall& call : regions_.calls)
          argument |= isInside(value, call.call);
        if (!argument)
          edits_.replace(expressionRange(value), compared(value));
      }
    for (const unsigned index : callsIn(node.statement))
      edits_.replace(expressionRange(regions_.calls[index].call), resultOf(index));
  }

  /// Whether one loop over warps is all that a kernel's threads run: it alone knows who has
  /// returned.
  bool isOnlyWarps() const {
    unsigned warps = 0;
    for (const RegionNode& node : regions_.nodes) {
      if (node.kind != Kind::Warps && node.kind != Kind::Statement && node.kind != Kind::Shared)
        return false;
      warps += node.kind == Kind::Warps;
    }
    return warps == 1;
  }
  void emitWarps(const RegionNode& node) {
    const FileRange begin = rangeOf(node.statements.front());
    const FileRange end = rangeOf(node.statements.back());
    const std::string indentation = plan_.text.indentation({begin.file, begin.begin});
    std::string opening;
    for (const clang::DeclStmt* moved : node.movedHere)
      opening += movedText(moved) + "\n" + indentation;
    for (const auto& [variable, storage] : inOrder())
      if (storage == Storage::PerThread && isDeclaredInPlace(variable) &&
          std::find(node.statements.begin(), node.statements.end(),
                    regions_.statements.at(variable)) != node.statements.end())
        opening += storageDeclaration(variable) + "\n" + indentation;
    const std::string exited = active();
    opening += std::string(regions_.rowParts ? "cu2cpp::eachPartOfRows" : "cu2cpp::eachWarp") +
               "(cuBlock, " + (exited == "cu2cpp::noneExited" || onlyWarps_ ? "" : exited + ", ") +
               "[&](const cu2cpp::Warp& cuWarp, const cu2cpp::Lanes cuLanes) CU2CPP_INLINE {\n" +
               indentation;
    if (regions_.returns)
      opening += (onlyWarps_ ? "cu2cpp::Lanes cuExited;"
                             : "cu2cpp::ExitedLanes cuExited(cuExitedThreads, cuWarp);") +
                 ("\n" + indentation);
    insert({begin.file, begin.begin}, opening);
    level_ = Scope::Warp;
    lanes_ = "cuLanes";
    std::vector<Uneven> outer;
    outer.swap(loops_);
    emitList(node.children, true);
    loops_.swap(outer);
    level_ = Scope::Block;
    lanes_.clear();
    insert({end.file, behindComment(end)}, "\n" + indentation + "});");
    anyRegion_ = true;
  }

  std::string movedText(const clang::DeclStmt* moved) {
    const FileRange range = rangeOf(moved);
    const FileRange full{range.file, range.begin, behindComment(range)};
    edits_.replace(wholeLine(range), "");
    return plan_.text.text(full);
  }

  // --- Control flow around calls
  // ------------------------------------------------------------------------------------

  /// A set of threads that are outside of a statement of the block.
  struct Outside {
    std::string name;
    const clang::Stmt* loop; ///< null for a branch
    bool step;               ///< out of the loop for one step only
  };
  struct Uneven {
    unsigned number;
    const clang::Stmt* loop;
    bool leaves, skips;
  };

  std::string condition(const clang::Expr* e) const { return e ? expressionText(e) : "true"; }
  std::string lanesWhere(const clang::Expr* e, const std::string& lanes,
                         bool rising = false) const {
    if (!e)
      return lanes;
    return std::string("cu2cpp::lanesWhere") + (rising && !publish_ ? "Rising" : published()) +
           "(cuWarp, " + lanes + ", " + valueLambda(e) + ")";
  }
  std::string callLines(const RegionNode& node, const std::string& separator) {
    std::string out;
    for (const unsigned index : node.calls)
      out += callText(index, false) + separator;
    return out;
  }

  /// Writes what a statement around calls holds; one without braces gets them where it becomes
  /// several statements.
  void emitBody(const clang::Stmt* body, const std::vector<RegionNode>& children,
                const std::string& first = "", const std::string& last = "") {
    const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(body);
    const bool braces =
        !compound && (children.size() > 1 || !first.empty() || !last.empty() ||
                      (children.size() == 1 &&
                       (children[0].kind != Kind::Region || !uniformLoads(children[0]).empty()) &&
                       children[0].kind != Kind::Barrier && children[0].kind != Kind::Warps));
    if (compound && !first.empty())
      insert(endOf(compound->getLBracLoc()), " " + first);
    else if (braces)
      insert(position(rangeOf(body)), "{ " + first + (first.empty() ? "" : " "));
    emitList(children, compound != nullptr);
    if (compound && !last.empty()) {
      insert(beginOf(compound->getRBracLoc()), last + " ");
    } else if (braces) {
      const FileRange range = rangeOf(body);
      insert({range.file, behindComment(range)},
             (behindComment(range) == range.end ? " " : "\n") + last + "}");
    }
  }
  static FilePosition position(const FileRange& range) { return {range.file, range.begin}; }

  std::string perThreadCondition(const clang::Expr* e) const {
    return e ? valueLambda(e) : "[&](const uint3) { return true; }";
  }

  /// `if (threadIdx.x < n) { ... __syncthreads(); ... }`: the threads that enter go on together.
  void emitMaskedBranchOfBlock(const RegionNode& node, bool inBraces) {
    const auto* branch = llvm::cast<clang::IfStmt>(node.statement);
    const FilePosition begin = beginOf(branch->getIfLoc());
    const FilePosition headEnd = endOf(branch->getRParenLoc());
    const std::string newline = "\n" + plan_.text.indentation(begin);
    const std::string then = "cuOutside" + std::to_string(++masks_);
    const std::string otherwise = "cuOutside" + std::to_string(++masks_);
    edits_.replace({begin.file, begin.offset, headEnd.offset},
                   std::string(inBraces ? "" : "{ ") + outsideOf(then, active()) + newline +
                       outsideOf(otherwise, active()) + newline + "cu2cpp::divide" + published() +
                       "(cuBlock, " + then + ", " + otherwise + ", " +
                       perThreadCondition(branch->getCond()) + ");" + newline + "if (!" + then +
                       ".all())");
    outside_.push_back({then, nullptr, false});
    emitBody(branch->getThen(), node.children);
    outside_.pop_back();
    if (branch->getElse()) {
      const FilePosition word = beginOf(branch->getElseLoc());
      edits_.replace({word.file, word.offset, word.offset + 4}, "if (!" + otherwise + ".all())");
      outside_.push_back({otherwise, nullptr, false});
      emitBody(branch->getElse(), node.otherwise);
      outside_.pop_back();
    }
    if (!inBraces) {
      const FileRange range = rangeOf(branch);
      insert({range.file, behindComment(range)}, behindComment(range) == range.end ? " }" : "\n}");
    }
  }

  /// A loop of the block that threads leave one by one: it runs until all have left.
  void emitMaskedLoopOfBlock(const RegionNode& node, const clang::ForStmt* f,
                             const clang::WhileStmt* w, const clang::DoStmt* d,
                             const clang::Stmt* body, const clang::Expr* test) {
    const FilePosition begin = beginOf(node.statement->getBeginLoc());
    const FileRange whole = rangeOf(node.statement);
    const std::string newline = "\n" + plan_.text.indentation(begin);
    const std::string number = std::to_string(++masks_), mine = "cuOutside" + number;
    std::string first = "{ ";
    if (f && f->getInit()) {
      if (node.startsPerThread) {
        if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(f->getInit()))
          for (const clang::Decl* decl : declaration->decls())
            if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                variable && isKept(variable) && isDeclaredInPlace(variable))
              first += storageDeclaration(variable) + newline;
        first += headPart(f->getInit()) + ";" + newline;
      } else {
        first += groupPart(f->getInit()) + ";" + newline;
      }
    }
    first += outsideOf(mine, active()) + newline;
    outside_.push_back({mine, node.statement, false});
    const std::string stays = "cu2cpp::anyStays" + std::string(published()) + "(cuBlock, " + mine +
                              ", " + perThreadCondition(test) + ")";
    const std::string step =
        f && f->getInc() ? node.stepsPerThread ? headPart(f->getInc()) : groupPart(f->getInc())
                         : "";
    std::string atStart;
    if (node.skips) {
      const std::string ofStep = "cuSkipped" + number;
      atStart = outsideOf(ofStep, mine);
      outside_.push_back({ofStep, node.statement, true});
    }
    if (d) {
      edits_.replace({begin.file, begin.offset, endOf(d->getDoLoc()).offset}, first + "for (;;)");
      emitBody(body, node.children, atStart, "if (!" + stays + ") break;" + newline);
      const FilePosition tail = beginOf(d->getWhileLoc());
      edits_.replace({tail.file, tail.offset, whole.end}, "}");
    } else {
      const FilePosition headEnd = endOf(f ? f->getRParenLoc() : w->getRParenLoc());
      edits_.replace({begin.file, begin.offset, headEnd.offset},
                     first + "for (; " + stays + "; " + step + ")");
      emitBody(body, node.children, atStart);
      insert({whole.file, behindComment(whole)}, behindComment(whole) == whole.end ? " }" : "\n}");
    }
    if (node.skips)
      outside_.pop_back();
    outside_.pop_back();
  }

  void emitBranch(const RegionNode& node, bool inBraces) {
    if (node.masked && level_ == Scope::Block)
      return emitMaskedBranchOfBlock(node, inBraces);
    const auto* branch = llvm::cast<clang::IfStmt>(node.statement);
    const std::string outer = lanes_;
    const FilePosition begin = beginOf(branch->getIfLoc());
    const FilePosition headEnd = endOf(branch->getRParenLoc());
    const std::string newline = "\n" + plan_.text.indentation(begin);
    const bool before = node.masked || !node.calls.empty();
    if (before && !inBraces)
      insert(begin, "{ ");
    std::string elseCondition;
    if (node.masked) {
      const std::string number = std::to_string(++masks_);
      const std::string all = active();
      std::string head = callLines(node, newline) + "const cu2cpp::Lanes cuLanes" + number + " = " +
                         lanesWhere(branch->getCond(), all) + ";" + newline + "if (cuLanes" +
                         number + ".any())";
      edits_.replace({begin.file, begin.offset, headEnd.offset}, head);
      lanes_ = "cuLanes" + number;
    } else if (!node.calls.empty()) {
      insert(begin, callLines(node, newline));
      edits_.replace(expressionRange(branch->getCond()), expressionText(branch->getCond()));
    }
    emitBody(branch->getThen(), node.children);
    if (branch->getElse()) {
      if (node.masked) {
        const std::string then = lanes_;
        lanes_ = outer;
        const std::string number = std::to_string(++masks_);
        const FilePosition word = beginOf(branch->getElseLoc());
        edits_.replace({word.file, word.offset, word.offset + 4},
                       "if (const cu2cpp::Lanes cuLanes" + number + " = " + active() + " - " +
                           then + "; cuLanes" + number + ".any())");
        lanes_ = "cuLanes" + number;
      }
      emitBody(branch->getElse(), node.otherwise);
    }
    lanes_ = outer;
    if (before && !inBraces) {
      const FileRange range = rangeOf(branch);
      insert({range.file, behindComment(range)}, behindComment(range) == range.end ? " }" : "\n}");
    }
  }

  /// A part of a loop's head, or of a declaration, that each thread runs.
  std::string headPart(const clang::Stmt* s) {
    RegionText text;
    const auto* mixed = llvm::dyn_cast<clang::DeclStmt>(s);
    if (mixed && !regions_.mixed.count(mixed))
      mixed = nullptr;
    if (mixed) {
      for (const clang::Decl* decl : mixed->decls())
        if (const auto* variable = llvm::cast<clang::VarDecl>(decl);
            variable->hasInit() && isKept(variable))
          text.add(variable->getInit());
    } else {
      text.add(s);
    }
    std::vector<std::string> lines = bindings({s}, text);
    std::string code;
    if (mixed)
      code = declarationText(mixed);
    else if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
      code = keepsPerThread(declaration) ? declarationText(declaration)
                                         : plan_.text.text(rangeOf(declaration));
    else
      code = expressionText(llvm::cast<clang::Expr>(s)) + ";";
    const bool thread =
        needsThread(text) || (level_ == Scope::Block && active() != "cu2cpp::noneExited");
    std::string out =
        std::string(level_ == Scope::Warp ? "cu2cpp::eachLane" : "cu2cpp::eachThread") +
        published() + "(" + group() + (level_ == Scope::Warp ? ", " + active() : "") + ", [&](" +
        threadParameter(thread, text.namesThread) + ") { ";
    if (level_ == Scope::Block && active() != "cu2cpp::noneExited")
      lines.insert(lines.begin(), "if (" + active() + ".has(cuThisThread)) return;");
    if (thread && text.namesThread)
      out += "const uint3 threadIdx = cuThisThread.threadIdx; ";
    for (const std::string& line : lines)
      out += line + " ";
    return out + code + " })";
  }

  /// `int cuStep_i = 0;` and what the group computes once of where its threads start.
  std::string stridedStart(const clang::ForStmt* loop, const std::string& newline) const {
    const auto* variable =
        llvm::cast<clang::VarDecl>(llvm::cast<clang::DeclStmt>(loop->getInit())->getSingleDecl());
    std::string out;
    llvm::raw_string_ostream stream(out);
    variable->getType().getUnqualifiedType().print(stream, policy(),
                                                   "cuStep_" + variable->getNameAsString());
    out += " = 0;" + newline;
    const auto parts = regions_.startParts.find(variable);
    if (parts != regions_.startParts.end())
      for (std::size_t i = 0; i < parts->second.size(); ++i)
        out += "const auto " + startName(variable, i) + " = " +
               (regions_.compared.count(parts->second[i]) ? compared(parts->second[i])
                                                          : expressionText(parts->second[i])) +
               ";" + newline;
    return out;
  }
  /// A strided loop of the block: each step runs the threads for which the condition still holds.
  void emitStridedOfBlock(const RegionNode& node, const clang::ForStmt* loop, bool) {
    const FilePosition begin = beginOf(loop->getBeginLoc());
    const FilePosition headEnd = endOf(loop->getRParenLoc());
    const std::string newline = "\n" + plan_.text.indentation(begin);
    const std::string more = "cuMore" + std::to_string(++masks_);
    edits_.replace({begin.file, begin.offset, headEnd.offset},
                   "{ " + stridedStart(loop, newline) + "for (bool " + more + " = true; " + more +
                       "; " + stridedStep(loop) + ")");
    rising_ = more + " = cu2cpp::eachThreadRising(cuBlock, " + valueLambda(loop->getCond()) + ", ";
    emitBody(loop->getBody(), node.children);
    const FileRange whole = rangeOf(loop);
    insert({whole.file, behindComment(whole)}, behindComment(whole) == whole.end ? " }" : "\n}");
  }

  /// `cuStep_i += <step>`
  std::string stridedStep(const clang::ForStmt* loop) const {
    const auto* variable =
        llvm::cast<clang::VarDecl>(llvm::cast<clang::DeclStmt>(loop->getInit())->getSingleDecl());
    const auto* op = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
    const std::string by = regions_.compared.count(op->getRHS()) ? compared(op->getRHS())
                                                                 : expressionText(op->getRHS());
    return "cuStep_" + variable->getNameAsString() + " += " + by;
  }

  /// The head of a loop whose first or last part is the group's own: the user's text, with compared
  /// values.
  std::string groupPart(const clang::Stmt* s) const {
    if (!s)
      return "";
    FileRange range =
        llvm::isa<clang::Expr>(s) ? expressionRange(llvm::cast<clang::Expr>(s)) : rangeOf(s);
    std::string out = plan_.text.text(range);
    for (const clang::Expr* value : regions_.compared)
      if (isInside(value, s)) {
        const FileRange part = expressionRange(value);
        out = plan_.text.text(FileRange{range.file, range.begin, part.begin}) + compared(value) +
              plan_.text.text(FileRange{range.file, part.end, range.end});
      }
    while (!out.empty() && (out.back() == ';' || out.back() == ' '))
      out.pop_back();
    return out;
  }

  void emitLoop(const RegionNode& node, bool inBraces) {
    const clang::Stmt* loop = node.statement;
    const auto* f = llvm::dyn_cast<clang::ForStmt>(loop);
    const auto* w = llvm::dyn_cast<clang::WhileStmt>(loop);
    const auto* d = llvm::dyn_cast<clang::DoStmt>(loop);
    const clang::Stmt* body = f ? f->getBody() : w ? w->getBody() : d->getBody();
    const clang::Expr* test = f ? f->getCond() : w ? w->getCond() : d->getCond();
    const FilePosition begin = beginOf(loop->getBeginLoc());
    const std::string newline = "\n" + plan_.text.indentation(begin);
    const bool outerLoop = inLoop_;
    inLoop_ = true;
    const std::string outer = lanes_;
    if (!node.masked) {
      emitEvenLoop(node, f, w, d, body, test);
      inLoop_ = outerLoop;
      return;
    }
    if (level_ == Scope::Block) {
      if (node.strided)
        emitStridedOfBlock(node, f, inBraces);
      else
        emitMaskedLoopOfBlock(node, f, w, d, body, test);
      inLoop_ = outerLoop;
      return;
    }
    // The lanes that go on: those for which the condition holds.
    const unsigned number = ++masks_;
    const std::string mine = "cuLanes" + std::to_string(number);
    const FileRange whole = rangeOf(loop);
    std::string prefix = inBraces ? "" : "{ ";
    std::string suffix = inBraces ? "" : " }";
    std::string first;
    if (f && f->getInit()) {
      prefix = "{ ";
      suffix = " }";
      if (node.strided) {
        first += stridedStart(f, newline);
      } else if (node.startsPerThread) {
        if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(f->getInit()))
          for (const clang::Decl* decl : declaration->decls())
            if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
                variable && isKept(variable) && isDeclaredInPlace(variable))
              first += storageDeclaration(variable) + newline;
        first += headPart(f->getInit()) + ";" + newline;
      } else {
        first += groupPart(f->getInit()) + ";" + newline;
      }
    }
    const std::string all = active();
    if (node.leaves) {
      if (inBraces && prefix.empty()) {
        prefix = "{ ";
        suffix = " }";
      }
      first += "cu2cpp::Lanes cuLeft" + std::to_string(number) + ";" + newline;
    }
    loops_.push_back({number, loop, node.leaves, false});
    lanes_ = mine;
    const std::string again = active(); // without those that have left
    const std::string step =
        node.strided       ? stridedStep(f)
        : f && f->getInc() ? node.stepsPerThread ? headPart(f->getInc()) : groupPart(f->getInc())
                           : "";
    const std::string next = mine + " = " + lanesWhere(test, again, node.rising);
    loops_.back().skips = node.skips;
    std::string atStart =
        node.skips ? "cu2cpp::Lanes cuSkipped" + std::to_string(number) + ";" : "";
    std::string atEnd;
    if (d) {
      const FilePosition doEnd = endOf(d->getDoLoc());
      insert(begin, prefix + first);
      edits_.replace({begin.file, begin.offset, doEnd.offset},
                     "for (cu2cpp::Lanes " + mine + " = " + all + "; " + mine + ".any();)");
      const bool skips = loops_.back().skips;
      loops_.back().skips = false;
      atEnd = callLines(node, newline) + next + ";" + newline;
      loops_.back().skips = skips;
      emitBody(body, node.children, atStart, atEnd);
      const FilePosition tail = beginOf(d->getWhileLoc());
      edits_.replace({tail.file, tail.offset, whole.end}, suffix);
    } else {
      const FilePosition headEnd = endOf(f ? f->getRParenLoc() : w->getRParenLoc());
      std::string head = "for (cu2cpp::Lanes " + mine + " = " + all + "; ";
      if (node.calls.empty()) {
        head += "(" + next + ").any(); " + step + ")";
      } else {
        head += "; " + step + ")";
        atStart = callLines(node, newline) + next + ";" + newline + "if (!" + mine +
                  ".any()) break;" + newline + atStart;
      }
      // The lanes that are still in the loop make the calls of its condition.
      edits_.replace({begin.file, begin.offset, headEnd.offset}, prefix + first + head);
      emitBody(body, node.children, atStart);
      if (!suffix.empty())
        insert({whole.file, behindComment(whole)},
               behindComment(whole) == whole.end ? suffix : "\n" + suffix);
    }
    loops_.pop_back();
    lanes_ = outer;
    inLoop_ = outerLoop;
  }

  void emitEvenLoop(const RegionNode& node, const clang::ForStmt* f, const clang::WhileStmt* w,
                    const clang::DoStmt* d, const clang::Stmt* body, const clang::Expr* test) {
    const FilePosition begin = beginOf(node.statement->getBeginLoc());
    const std::string newline = "\n" + plan_.text.indentation(begin);
    std::string atStart;
    if (!node.calls.empty()) {
      const std::string text = expressionText(test);
      if (d) {
        // The calls belong to the condition, which stands outside the body's braces.
        edits_.replace({begin.file, begin.offset, endOf(d->getDoLoc()).offset}, "for (;;)");
        const FileRange whole = rangeOf(d);
        const FilePosition tail = beginOf(d->getWhileLoc());
        emitBody(body, node.children, "{",
                 "}" + newline + callLines(node, newline) + "if (!(" + text + ")) break;" +
                     newline);
        edits_.replace({tail.file, tail.offset, whole.end}, "");
        return;
      }
      edits_.replace(expressionRange(test), "");
      if (w) {
        edits_.replace({begin.file, begin.offset, endOf(w->getLParenLoc()).offset}, "for (;");
        insert(beginOf(w->getRParenLoc()), ";");
      }
      atStart = newline + callLines(node, newline) + "if (!(" + text + ")) break;" + newline;
    }
    if (f && level_ == Scope::Warp)
      for (const clang::Expr* value : regions_.compared)
        if (f->getInit() && isInside(value, f->getInit()))
          edits_.replace(expressionRange(value), compared(value));
    emitBody(body, node.children, atStart);
  }

  // --- Regions
  // ------------------------------------------------------------------------------------------------------

  bool jumpsOut(const clang::Stmt* jump, const RegionNode& region) const {
    for (const clang::Stmt* at = parents_->getParent(jump); at; at = parents_->getParent(at)) {
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(at) ||
          (llvm::isa<clang::BreakStmt>(jump) && llvm::isa<clang::SwitchStmt>(at))) {
        for (const clang::Stmt* s : region.statements)
          if (isInside(at, s))
            return false;
        return true;
      }
    }
    return false;
  }

  const clang::Stmt* loopAround(const clang::Stmt* s) const {
    for (const clang::Stmt* at = parents_->getParent(s); at; at = parents_->getParent(at))
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::SwitchStmt>(at))
        return at;
    return nullptr;
  }

  /// A region of declarations that are repeated where they are used: nothing is left to do here.
  bool emitRepeatedOnly(const RegionNode& region) {
    for (const clang::Stmt* s : region.statements) {
      const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
      if (!declaration || regions_.printed.count(s))
        return false;
      for (const clang::Decl* decl : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
            !variable || !isStored(variable, Storage::Recomputed))
          return false;
      const FileRange range = rangeOf(s);
      if (plan_.text.text(range).find('\n') != std::string::npos ||
          (behindComment(range) == range.end && !restOfLineIsBlank(range)))
        return false;
    }
    for (const clang::DeclStmt* moved : region.movedHere)
      insert(position(rangeOf(region.statements.front())), movedText(moved) + "\n");
    for (const clang::Stmt* s : region.statements)
      edits_.replace(rangeOf(s), "// " + plan_.text.text(rangeOf(s)) + " (in each region)");
    return true;
  }

  /// `auto x = f(threadIdx.x);` in a template: what f() gives for each thread has the type.
  bool emitDeduced(const RegionNode& region) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(region.statements.front());
    const auto* variable =
        declaration && region.statements.size() == 1 && declaration->isSingleDecl()
            ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
            : nullptr;
    if (!variable || !isKept(variable) || !isDeducedFromInit(variable))
      return false;
    anyRegion_ = true;
    edits_.replace(rangeOf(declaration),
                   "auto " + perThreadName_.at(variable) + " = " +
                       (level_ == Scope::Block ? "cu2cpp::perThread" : "cu2cpp::perLane") +
                       (region.oneByOne ? "Published" : published()) + "(" + group() + ", " +
                       active() + ", " + valueLambda(variable->getInit()) + ");");
    return true;
  }

  /// `if (threadIdx.x < n) ...` as a region's only statement: no thread from n on has anything to
  /// do. Returns n.
  std::string threadBound(const RegionNode& region) const {
    const auto* branch = region.statements.size() == 1
                             ? llvm::dyn_cast<clang::IfStmt>(region.statements[0])
                             : nullptr;
    if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable() ||
        region.returns || branch->getBeginLoc().isMacroID())
      return "";
    const clang::Expr* condition = branch->getCond()->IgnoreParenImpCasts();
    while (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
      if (both->getOpcode() != clang::BO_LAnd)
        break;
      condition = both->getLHS()->IgnoreParenImpCasts();
    }
    const auto* compare = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (!compare ||
        !(level_ == Scope::Block ? isThreadIndex(compare->getLHS()) : isLane(compare->getLHS())) ||
        !isGroupValue(compare->getRHS()) || !plan_.text.isWhole(compare->getRHS()))
      return "";
    const clang::QualType type = compare->getLHS()->getType();
    if (!type->isIntegerType() || type->isDependentType())
      return "";
    std::string bound = expressionText(compare->getRHS());
    bound = type->isUnsignedIntegerType() ? "static_cast<unsigned>(" + bound + ")" : bound;
    if (compare->getOpcode() == clang::BO_LT)
      return bound;
    if (compare->getOpcode() == clang::BO_LE || compare->getOpcode() == clang::BO_EQ)
      return "1ll + (" + bound + ")";
    return "";
  }
  /// threadIdx.x & 31, threadIdx.x % 32, or a variable that is nothing else.
  bool isLane(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return variable && isStored(variable, Storage::Recomputed) && variable->hasInit() &&
             isLane(variable->getInit());
    }
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
    if (!op || !isThreadIndex(op->getLHS()))
      return false;
    const clang::Expr* right = op->getRHS()->IgnoreParenImpCasts();
    const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(right);
    const bool isWarpSize = named && named->getDecl()->getNameAsString() == "warpSize";
    clang::Expr::EvalResult result;
    const bool known =
        !right->isValueDependent() && right->EvaluateAsInt(result, plan_.unit.context());
    return (op->getOpcode() == clang::BO_And && known && result.Val.getInt() == 31) ||
           (op->getOpcode() == clang::BO_Rem &&
            (isWarpSize || (known && result.Val.getInt() == 32)));
  }
  /// threadIdx.x, or a variable that is nothing else.
  bool isThreadIndex(const clang::Expr* e) const {
    e = e->IgnoreParenImpCasts();
    if (const auto* pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(e))
      return isThreadIndex(pseudo->getResultExpr());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) {
      const auto* use =
          llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
      return use && builtinOf(use->getDecl()) == ThreadIdx &&
             member->getMemberDecl()->getName() == "x";
    }
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
    return variable && isStored(variable, Storage::Recomputed) && variable->hasInit() &&
           isThreadIndex(variable->getInit());
  }
  /// Names nothing but constants, parameters and variables of the group.
  bool isGroupValue(const clang::Expr* e) const {
    class Names : public clang::RecursiveASTVisitor<Names> {
    public:
      const Splitter* splitter = nullptr;
      bool good = true;
      bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
        if (!variable || builtinOf(variable) == ThreadIdx || isShared(variable))
          return good = good && !variable && !llvm::isa<clang::FunctionDecl>(use->getDecl());
        if (builtinOf(variable) || variable->isConstexpr() ||
            splitter->isStored(variable, Storage::Block))
          return true;
        const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
        return good = good && parameter && splitter->kernel_.kernel &&
                      !splitter->regions_.modifiedParameters.count(parameter);
      }
      bool VisitCallExpr(clang::CallExpr*) { return good = false; }
      bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) { return good = false; }
      bool VisitUnaryOperator(clang::UnaryOperator* op) {
        return good = good && op->getOpcode() != clang::UO_Deref && !op->isIncrementDecrementOp();
      }
      bool VisitMemberExpr(clang::MemberExpr* member) { return good = good && !member->isArrow(); }
      bool VisitBinaryOperator(clang::BinaryOperator* op) {
        return good = good && !op->isAssignmentOp();
      }
    } names;
    names.splitter = this;
    names.TraverseStmt(const_cast<clang::Expr*>(e));
    return names.good;
  }

  void emitRegion(const RegionNode& region, bool inBraces) {
    if (rising_.empty() &&
        ((inBraces && (emitRepeatedOnly(region) || emitValueless(region))) || emitDeduced(region)))
      return;
    RegionText text;
    bool callResults = false;
    for (const clang::Stmt* s : region.statements)
      for (const unsigned index : callsIn(s)) {
        text.skip.insert(regions_.calls[index].call);
        callResults |= !regions_.calls[index].uniformResult;
      }
    for (const clang::Stmt* s : region.statements)
      text.add(s);
    // Where lanes leave one by one, what they keep is copied. (Under a condition that stays the
    // same compilers make a version of a loop for all lanes.)
    std::vector<const clang::VarDecl*> copied;
    const bool copies = level_ == Scope::Warp && !publish_ && !region.oneByOne && !loops_.empty();
    std::vector<std::string> lines = bindings(region.statements, text, copies ? &copied : nullptr);
    for (const clang::VarDecl* variable : region.fresh) {
      std::string declaration;
      llvm::raw_string_ostream stream(declaration);
      variable->getType().print(stream, policy(), variable->getNameAsString());
      lines.push_back(declaration + ";");
    }
    const bool first = !anyRegion_ && !inLoop_;
    anyRegion_ = true;
    const bool block = level_ == Scope::Block;
    const bool isLast = lastReturn_ && region.statements.back() == lastReturn_;
    const bool exits = regions_.returns && (text.returns.size() > (isLast ? 1u : 0u));
    const bool checksExit = block && active() != "cu2cpp::noneExited" &&
                            (!first || !kernel_.kernel || !outside_.empty());
    const bool results =
        !kernel_.kernel && !kernel_.decl->getReturnType()->isVoidType() && !text.returns.empty();
    std::vector<const clang::Stmt*> leaving;
    for (const clang::Stmt* jump : text.jumps)
      if (jumpsOut(jump, region))
        leaving.push_back(jump);
    bool thread = exits || region.oneByOne || checksExit || results || callResults ||
                  !leaving.empty() || needsThread(text);
    for (const clang::Stmt* s : region.statements)
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s))
        thread |= keepsPerThread(declaration);
    if (checksExit)
      lines.insert(lines.begin(), "if (" + active() + ".has(cuThisThread)) return;");
    const bool blockOfThread = regions_.joined && text.namesBlock;
    thread |= blockOfThread;
    if (blockOfThread)
      lines.insert(lines.begin(), "const uint3 blockIdx = cuThisThread.blockIdx;");
    if (thread && text.namesThread)
      lines.insert(lines.begin(), "const uint3 threadIdx = cuThisThread.threadIdx;");

    const FileRange begin = rangeOf(region.statements.front());
    const FileRange end = rangeOf(region.statements.back());
    const std::string indentation = plan_.text.indentation({begin.file, begin.begin});
    std::string opening;
    for (const clang::DeclStmt* moved : region.movedHere)
      opening += movedText(moved) + "\n" + indentation;
    for (const auto& [variable, storage] : inOrder())
      if ((storage == Storage::PerLane || storage == Storage::PerThread) &&
          isDeclaredInPlace(variable) && (storage == Storage::PerLane) == (level_ == Scope::Warp) &&
          std::find(region.statements.begin(), region.statements.end(),
                    regions_.statements.at(variable)) != region.statements.end())
        opening += storageDeclaration(variable) + "\n" + indentation;
    for (const clang::Expr* load : uniformLoads(region)) {
      const std::string name = "cuUniform" + std::to_string(++uniformLoads_);
      opening += "const auto " + name + " = " + expressionText(load) + ";\n" + indentation;
      edits_.replace(expressionRange(load), name);
    }
    const std::string bound =
        !publish_ && !region.oneByOne && rising_.empty() && !regions_.joined && copied.empty()
            ? threadBound(region)
            : "";
    opening +=
        (!rising_.empty() ? rising_
                          : std::string(block ? "cu2cpp::eachThread" : "cu2cpp::eachLane") +
                                (bound.empty() ? "" : "Below") +
                                (region.oneByOne ? block ? "Published" : "OneByOne" : published()) +
                                "(" + group() + (block ? "" : ", " + active()) +
                                (bound.empty() ? "" : ", " + bound) + ", ") +
        "[&](" + threadParameter(thread || !copied.empty(), text.namesThread);
    std::string arguments;
    for (const clang::VarDecl* variable : copied) {
      opening += ", " + typeOf(variable) + "& " + variable->getNameAsString();
      arguments += ", " + perThreadName_.at(variable);
    }
    opening += ") {";
    rising_.clear();
    for (const std::string& line : lines)
      opening += "\n" + indentation + line;
    opening += "\n" + indentation + (inBraces ? "" : "    ");
    insert({begin.file, begin.begin}, opening);

    for (const clang::Stmt* s : region.statements) {
      const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
      if (regions_.printed.count(s)) {
        std::string printed = print(s);
        edits_.replace(rangeOf(s),
                       printed + (llvm::StringRef(printed).rtrim().ends_with(";") ? "" : ";"));
      } else if (declaration && keepsPerThread(declaration)) {
        edits_.replace(rangeOf(declaration), declarationText(declaration));
      } else if (!llvm::isa<clang::ReturnStmt>(s) || !results) {
        for (const unsigned index : callsIn(s))
          edits_.replace(expressionRange(regions_.calls[index].call), resultOf(index));
      }
    }
    const std::string exit = block ? "cuExitedThreads.add(cuThisThread); " + addToOutside(0)
                                   : "cuExited.add(cuThisThread); ";
    for (const clang::ReturnStmt* s : text.returns) {
      const std::string value =
          results && s->getRetValue()
              ? "cuResult[cuThisThread] = " + expressionText(s->getRetValue()) + "; "
              : "";
      if (s == lastReturn_)
        edits_.replace(rangeOf(s),
                       value.empty() ? "return;" : llvm::StringRef(value).rtrim().str());
      else if (exits)
        edits_.replace(rangeOf(s), "{ " + value + exit + "return; }");
    }
    for (const clang::Stmt* jump : leaving) {
      if (block) {
        const bool leaves = llvm::isa<clang::BreakStmt>(jump);
        std::size_t first = outside_.size();
        for (std::size_t i = 0; i < outside_.size(); ++i) // those of the innermost loop around
          if (outside_[i].loop && isInside(jump, outside_[i].loop) && outside_[i].step != leaves)
            first = i;
        CU2CPP_CHECK(first < outside_.size());
        edits_.replace(rangeOf(jump), "{ " + addToOutside(first) + "return; }");
        continue;
      }
      const Uneven* target = nullptr;
      for (const Uneven& loop : loops_)
        if (isInside(jump, loop.loop))
          target = &loop; // the innermost
      CU2CPP_CHECK(target);
      edits_.replace(rangeOf(jump),
                     std::string("{ ") +
                         (llvm::isa<clang::BreakStmt>(jump) ? "cuLeft" : "cuSkipped") +
                         std::to_string(target->number) + ".add(cuThisThread); return; }");
    }

    std::string closing = "\n" + indentation + "}" + arguments + ");";
    // A warp of which no lane is left has nothing more to do.
    if (exits && inBraces && !block && loops_.empty() && lanes_ == "cuLanes")
      closing += "\n" + indentation + "if (!(" + active() + ").any()) " +
                 (ofWarp_ && !kernel_.decl->getReturnType()->isVoidType() ? "return cuResult;"
                                                                          : "return;");
    // Nothing is left to do in a loop that all threads have left: not even to read what one value
    // serves for all.
    if (block && inBraces && !leaving.empty() && !outside_.empty() &&
        outside_.back().loop == loopAround(region.statements.front()) &&
        !(outside_.back().step && llvm::isa<clang::DoStmt>(outside_.back().loop)))
      closing += "\n" + indentation + "if (" + outside_.back().name + ".all()) " +
                 (outside_.back().step ? "continue;" : "break;");
    if (exits && inBraces && block)
      closing += "\n" + indentation + "if (cuExitedThreads.all())" +
                 (results ? " return cuResult;" : " return;");
    insert({end.file, behindComment(end)}, closing);
  }

  /// The loads of a region that are made once, where its text stays as it is.
  std::vector<const clang::Expr*> uniformLoads(const RegionNode& region) const {
    std::vector<const clang::Expr*> out;
    for (const clang::Expr* load : region.uniformLoads) {
      bool kept = plan_.text.isWhole(load);
      for (const clang::Stmt* s : region.statements)
        if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
            declaration && isInside(load, s))
          kept &= !keepsPerThread(declaration);
      if (kept)
        out.push_back(load);
    }
    return out;
  }
  bool keepsPerThread(const clang::DeclStmt* declaration) const {
    for (const clang::Decl* decl : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
        if (isKept(variable))
          return true;
    return false;
  }

  /// A class's object without arguments runs a constructor only if there is something to run.
  static bool startsWithValue(const clang::VarDecl* variable) {
    const auto* construct =
        variable->hasInit()
            ? llvm::dyn_cast<clang::CXXConstructExpr>(variable->getInit()->IgnoreImplicit())
            : nullptr;
    return variable->hasInit() && !(construct && construct->getNumArgs() == 0 &&
                                    construct->getConstructor()->isTrivial() &&
                                    construct->getParenOrBraceRange().isInvalid());
  }

  /// Declarations of variables that live for each thread and start without a value: no thread has
  /// anything to do.
  bool emitValueless(const RegionNode& region) {
    for (const clang::Stmt* s : region.statements) {
      const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(s);
      if (!declaration || regions_.printed.count(s))
        return false;
      for (const clang::Decl* decl : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
            !variable || !isKept(variable) || startsWithValue(variable) ||
            isReferenceLocal(variable) ||
            (isDeclaredInPlace(variable) &&
             isStored(variable, Storage::PerLane) != (level_ == Scope::Warp)))
          return false;
      const FileRange range = rangeOf(s);
      if (plan_.text.text(range).find('\n') != std::string::npos ||
          (behindComment(range) == range.end && !restOfLineIsBlank(range)))
        return false;
    }
    const std::string indentation = plan_.text.indentation(
        {rangeOf(region.statements.front()).file, rangeOf(region.statements.front()).begin});
    std::string opening;
    for (const clang::DeclStmt* moved : region.movedHere)
      opening += movedText(moved) + "\n" + indentation;
    if (!opening.empty())
      insert(position(rangeOf(region.statements.front())), opening);
    for (const clang::Stmt* s : region.statements) {
      std::string text;
      for (const clang::Decl* decl : llvm::cast<clang::DeclStmt>(s)->decls())
        if (const auto* variable = llvm::cast<clang::VarDecl>(decl); isDeclaredInPlace(variable))
          text += (text.empty() ? "" : " ") + storageDeclaration(variable);
      if (text.empty())
        edits_.replace(rangeOf(s), "// " + plan_.text.text(rangeOf(s)) + " (at the kernel's head)");
      else
        edits_.replace(rangeOf(s), text);
    }
    return true;
  }

  /// `float a = 1, b;` of variables that live for each thread -> `a = 1;`
  std::string declarationText(const clang::DeclStmt* declaration) const {
    std::string text;
    for (const clang::Decl* decl : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (!variable || !variable->hasInit() || isStored(variable, Storage::Block))
        continue;
      const std::string name = variable->getNameAsString();
      const clang::Expr* init = variable->getInit();
      // `T x;` of a class or dependent type has an implicit initialisation without text.
      const std::string written = init->getBeginLoc().isValid() ? expressionText(init) : "";
      const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit());
      const bool atName = init->getBeginLoc() == variable->getLocation();
      const bool implicit = written.empty() || (written == name && atName) ||
                            (construct && atName && construct->getNumArgs() == 0);
      const std::string type = "cu2cpp::Type<" + typeOf(variable) + ">";
      text += text.empty() ? "" : " ";
      if (isReferenceLocal(variable)) {
        text += "auto& " + name + " = " + written + "; " + perThreadName_.at(variable) +
                "[cuThisThread] = &" + name + ";";
        continue;
      }
      if (implicit) {
        if (construct && !construct->getConstructor()->isTrivial())
          text += "new (&" + name + ") " + type + "();";
        continue;
      }
      const clang::CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
      const bool assignable =
          !variable->getType().isConstQualified() &&
          (!record || !record->hasDefinition() ||
           (record->hasTrivialCopyAssignment() && record->hasSimpleCopyAssignment()));
      std::string value;
      if (variable->getType()->isArrayType()) {
        text += "{ " + typedArray(variable, name + "_init") + " = " + written + "; std::memcpy(" +
                name + ", " + name + "_init, sizeof(" + name + ")); }";
        continue;
      }
      if (variable->getInitStyle() == clang::VarDecl::CInit) {
        value = written;
        const bool braces =
            llvm::isa<clang::InitListExpr>(init->IgnoreImplicit()) || written.front() == '{';
        if (braces)
          value = type + written;
      } else if (construct && atName) {
        // `dim3 d(1, 2)`: the initialiser's text begins with the variable's name.
        value = type + llvm::StringRef(written).drop_front(name.size()).str();
      } else {
        const bool braces = variable->getInitStyle() == clang::VarDecl::ListInit;
        value = braces ? written.front() == '{' ? type + written : type + "{" + written + "}"
                       : type + "(" + written + ")";
      }
      text += assignable ? name + " = " + value + ";"
                         : "new (const_cast<std::remove_const_t<" + type + ">*>(&" + name + ")) " +
                               type + "(" + value + ");";
    }
    return text;
  }

  std::string typedArray(const clang::VarDecl* variable, const std::string& name) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    variable->getType().getUnqualifiedType().print(stream, plan_.unit.context().getPrintingPolicy(),
                                                   name);
    return text;
  }

  Plan& plan_;
  const FunctionFacts& kernel_;
  const Regions& regions_;
  const clang::CompoundStmt* body_;
  EditList& edits_;
  bool publish_;
  std::unique_ptr<clang::ParentMap> parents_;
  std::map<const clang::CallExpr*, unsigned> callIndex_;
  std::map<std::pair<std::string, unsigned>, std::string>
      inserted_; ///< in the order of emission at each place
  std::map<const clang::VarDecl*, std::string> perThreadName_;
  const clang::ReturnStmt* lastReturn_ = nullptr;
  Scope level_ = Scope::Block; ///< whose list is being written
  std::string lanes_;          ///< in a warp: the lanes that run here, before some have left
  std::vector<Uneven> loops_;
  std::vector<Outside> outside_; ///< around the current place, in lists of the block
  std::string rising_;           ///< how the next region begins, in a strided loop of the block
  unsigned masks_ = 0;
  unsigned uniformLoads_ = 0;
  bool ofWarp_ = false; ///< a device function of a warp
  bool anyRegion_ = false;
  bool onlyWarps_ = false;
  bool inLoop_ = false;
};

/// The function's body with edits made, from brace to brace.
std::string bodyText(const Plan& plan, const FileRange& range, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    if (a.begin != b.begin)
      return a.begin < b.begin;
    const bool aInserts = a.begin == a.end, bInserts = b.begin == b.end;
    return aInserts != bInserts ? aInserts : !aInserts && a.end > b.end;
  });
  std::string out;
  unsigned at = range.begin;
  for (const Edit& edit : edits) {
    if (edit.begin < at)
      continue; // inside a replacement
    out += plan.text.text(FileRange{range.file, at, edit.begin}) + edit.text;
    at = edit.end;
  }
  return out + plan.text.text(FileRange{range.file, at, range.end});
}

/// The functions of which code needs the group's version, and those of them that it names as a
/// template's argument.
struct Needed {
  std::vector<const FunctionFacts*> functions;
  std::set<const FunctionFacts*> passedOn;
};

void collectCallees(const Regions& regions, Needed& out) {
  const auto add = [&](const FunctionFacts* function) {
    if (std::find(out.functions.begin(), out.functions.end(), function) == out.functions.end()) {
      out.functions.push_back(function);
      collectCallees(*function->regions, out);
    }
  };
  for (const GroupCall& call : regions.calls) {
    if (call.function && !call.through)
      add(call.function);
    for (const FunctionFacts* target : call.targets)
      add(target);
    for (const GroupCall::FunctionArgument& argument : call.functionArguments)
      for (const FunctionFacts* target : argument.targets) {
        add(target);
        out.passedOn.insert(target);
      }
  }
}

/// `template <Reduction* warpReduction>` -> `template <class cuGroup_warpReduction, Reduction*
/// warpReduction>` of a function that calls through it.
std::string groupTemplate(const Plan& plan, const FunctionFacts& function,
                          const clang::FunctionTemplateDecl* pattern) {
  std::string text = plan.text.text(pattern->getTemplateParameters()->getSourceRange());
  std::set<std::string> through;
  for (const GroupCall& call : function.regions->calls) {
    if (call.through)
      through.insert(call.through->getNameAsString());
    for (const GroupCall::FunctionArgument& argument : call.functionArguments)
      if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(argument.written))
        if (llvm::isa<clang::NonTypeTemplateParmDecl>(use->getDecl()))
          through.insert(use->getDecl()->getNameAsString());
  }
  std::string first;
  for (const clang::NamedDecl* parameter : *pattern->getTemplateParameters())
    if (through.count(parameter->getNameAsString()))
      first += "class cuGroup_" + parameter->getNameAsString() + ", ";
  if (const std::size_t at = text.find('<'); at != std::string::npos)
    text.insert(at + 1, first);
  return text;
}

void addGroupVersion(Plan& plan, const FunctionFacts& function, bool passedOn) {
  const clang::FunctionDecl* decl = function.decl;
  const auto* body = llvm::cast<clang::CompoundStmt>(decl->getBody());
  const auto open = plan.text.positionOf(body->getLBracLoc());
  const auto close = plan.text.endOf(body->getRBracLoc());
  if (!open || !close || open->file != close->file || body->getLBracLoc().isMacroID()) {
    plan.diagnostics.report(DiagId::NotEditable, plan.unit.placeOf(decl->getLocation()),
                            {"device function '" + decl->getNameAsString() + "'"});
    return;
  }
  EditList own;
  Splitter splitter(plan, function, own, asksForThread(plan.facts, function));
  splitter.run();
  std::vector<Edit> edits;
  for (const auto& [file, all] : own.byFile())
    edits.insert(edits.end(), all.begin(), all.end());
  // What the other rewrites do inside the body holds here too, but for what they put at its head.
  const auto others = plan.edits.byFile().find(open->file);
  if (others != plan.edits.byFile().end())
    for (const Edit& edit : others->second)
      if (edit.begin > open->offset + 1 && edit.end < close->offset)
        edits.push_back(edit);
  std::string head;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(decl);
  if (const clang::FunctionTemplateDecl* pattern = decl->getDescribedFunctionTemplate())
    head = groupTemplate(plan, function, pattern) + "\n";
  const bool inClass = method && decl->getLexicalDeclContext()->isRecord();
  head += inClass ? (method->isStatic() ? "static inline " : "inline ") : "static inline ";
  head += splitter.resultType() + " ";
  std::string name = decl->getNameAsString();
  const std::string declaration =
      name + "(" + splitter.signature() + ")" + (method && method->isConst() ? " const" : "");
  const std::string indentation = plan.text.indentation(*open);
  plan.edits.insert(
      *close,
      "\n" + indentation + "// " + name + "() for all threads of a group at once.\n" + indentation +
          head + declaration + " " +
          bodyText(plan, {open->file, open->offset, close->offset}, std::move(edits)) +
          (passedOn ? "\n" + indentation + "struct cuGroup_" + name + " {\n" + indentation +
                          "  template <class... A> auto operator()(A&&... a) const {\n" +
                          indentation + "    return " + name + "(std::forward<A>(a)...);\n" +
                          indentation + "  }\n" + indentation + "};"
                    : ""));
  for (const clang::FunctionDecl* other : decl->redecls()) {
    if (other == decl || method || !plan.unit.isUser(other->getLocation()))
      continue;
    std::string otherHead;
    if (const clang::FunctionTemplateDecl* pattern = other->getDescribedFunctionTemplate())
      otherHead = groupTemplate(plan, function, pattern) + " ";
    if (auto end = plan.text.endOf(other->getEndLoc())) {
      const llvm::StringRef buffer = plan.text.buffer(end->file);
      while (end->offset < buffer.size() && buffer[end->offset - 1] != ';')
        ++end->offset;
      plan.edits.insert(*end, " " + otherHead + "static inline " + splitter.resultType() + " " +
                                  declaration + ";");
    }
  }
}

} // namespace

void splitKernel(Plan& plan, const FunctionFacts& kernel) {
  Splitter(plan, kernel, plan.edits, asksForThread(plan.facts, kernel)).run();
}

void addGroupVersions(Plan& plan) {
  Needed needed;
  for (const auto& [function, choice] : plan.forms)
    if (choice.form == Form::Split || choice.form == Form::Lanes)
      collectCallees(*function->regions, needed);
  for (const FunctionFacts* function : needed.functions)
    addGroupVersion(plan, *function, needed.passedOn.count(function) != 0);
}

} // namespace cu2cpp
