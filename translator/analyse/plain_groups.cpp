// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions that a thread asks of its cooperative group and that threadIdx answers:
//
//   warp.thread_rank()        ->    (cu2cpp::rankInBlock(threadIdx, blockDim) % 32)
//   block.size()              ->    cu2cpp::threadsIn(blockDim)
//   grid.num_blocks()         ->    cu2cpp::blocksIn(gridDim)
//   tiled_partition<32>(block)  ->  cu2cpp::tileInBlock<32>(threadIdx, blockDim)
//
// In a template a tile's size may be what its instances say: `tiled_partition<N>(block)`, or a
// group that is a parameter.
//
// Loops over threads then know how the answers differ from thread to thread, and need not tell a
// function which thread it is that asks.
//
// For compilers only, what all threads of a block wait for has one name:
//
//   cg::thread_block block = cg::this_thread_block();
//   block.sync();                   ->    __syncthreads();
//   cg::sync(block);                ->    __syncthreads();
#include "analyse/plain_groups.h"

#include <algorithm>
#include <map>
#include <set>

#include "clang/AST/DeclTemplate.h"

#include "analyse/marks.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

class Questions : public SyntaxVisitor {
public:
  Questions(const FunctionFacts& function, const SourceText& text,
            std::vector<std::pair<FileRange, std::string>>& out)
      : text_(text), out_(out) {
    for (const clang::FunctionDecl* body : function.bodies)
      if (!body->isDependentContext())
        instances_.push_back(body);
  }

  // Another function's threadIdx.
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool VisitCallExpr(clang::CallExpr* call) override {
    divides(call);
    const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(callee);
    const auto* dependent = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(callee);
    const clang::Expr* base = member                                        ? member->getBase()
                              : dependent && !dependent->isImplicitAccess() ? dependent->getBase()
                                                                            : nullptr;
    const auto* object =
        base ? llvm::dyn_cast<clang::DeclRefExpr>(base->IgnoreParenImpCasts()) : nullptr;
    const clang::DeclarationName name = member      ? member->getMemberDecl()->getDeclName()
                                        : dependent ? dependent->getMember()
                                                    : clang::DeclarationName();
    if (!object || !name.isIdentifier() || call->getNumArgs() != 0 ||
        (member ? member->isArrow() || !llvm::isa<clang::CXXMethodDecl>(member->getMemberDecl())
                : dependent->isArrow()) ||
        call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID())
      return true;
    const std::string answer = answerOf(object, name.getAsIdentifierInfo()->getName());
    const auto range = answer.empty() ? std::nullopt : text_.rangeOf(call->getSourceRange());
    if (range)
      out_.push_back({*range, answer});
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    const clang::CallExpr* call = partOf(variable);
    const auto range = call && !call->getBeginLoc().isMacroID() && !call->getEndLoc().isMacroID()
                           ? text_.rangeOf(call->getSourceRange())
                           : std::nullopt;
    if (const clang::Expr* size = range ? sizeOfPart(call) : nullptr; size && text_.isWhole(size))
      out_.push_back({*range, partText(llvm::isa<clang::DeclRefExpr>(size->IgnoreImpCasts())
                                           ? text_.text(size->getSourceRange())
                                           : "(" + text_.text(size->getSourceRange()) + ")")});
    return true;
  }
  /// `tiled_partition<32>(block)` asks which thread it is that calls.
  void divides(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::TemplateArgumentList* arguments =
        callee ? callee->getTemplateSpecializationArgs() : nullptr;
    if (!arguments || call->getNumArgs() != 1 || call->getBeginLoc().isMacroID() ||
        call->getEndLoc().isMacroID() ||
        callee->getQualifiedNameAsString() != "cooperative_groups::tiled_partition" ||
        arguments->get(0).getKind() != clang::TemplateArgument::Integral)
      return;
    const auto threads = arguments->get(0).getAsIntegral().getZExtValue();
    const clang::CXXRecordDecl* parent =
        callee->getParamDecl(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
    const auto range = text_.rangeOf(call->getSourceRange());
    if (threads <= 32 && parent && parent->getName() == "thread_block" && range &&
        llvm::isa<clang::DeclRefExpr, clang::CallExpr>(call->getArg(0)->IgnoreParenImpCasts()))
      out_.push_back({*range, partText(std::to_string(threads))});
  }

private:
  static bool isThreadBlock(const clang::Expr* group) {
    const clang::CXXRecordDecl* record =
        group->getType().getNonReferenceType()->getAsCXXRecordDecl();
    return record && record->getIdentifier() &&
           record->getQualifiedNameAsString() == "cooperative_groups::thread_block";
  }
  /// The size that `tiled_partition<size>(block)` names; null if a call is anything else.
  static const clang::Expr* sizeOfPart(const clang::CallExpr* call) {
    const auto* names =
        llvm::dyn_cast<clang::OverloadExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (!names || names->getNumTemplateArgs() != 1 || call->getNumArgs() != 1 ||
        names->getTemplateArgs()[0].getArgument().getKind() !=
            clang::TemplateArgument::Expression ||
        !isThreadBlock(call->getArg(0)) || names->getNumDecls() == 0 ||
        (*names->decls_begin())->getUnderlyingDecl()->getQualifiedNameAsString() !=
            "cooperative_groups::tiled_partition")
      return nullptr;
    return names->getTemplateArgs()[0].getSourceExpression();
  }
  /// The sizes of the tiles within a warp that the instances of a template have where this variable
  /// is; 0 for other groups.
  std::set<unsigned> sizesInInstances(const clang::VarDecl* tile) const {
    class Finder : public SyntaxVisitor {
    public:
      clang::SourceLocation at;
      std::set<unsigned> sizes;
      bool VisitVarDecl(clang::VarDecl* variable) override {
        if (variable->getLocation() == at)
          sizes.insert(narrowTileSize(variable->getType()));
        return true;
      }
    } finder;
    finder.at = tile->getLocation();
    for (const clang::FunctionDecl* instance : instances_)
      finder.TraverseDecl(const_cast<clang::FunctionDecl*>(instance));
    return finder.sizes;
  }
  bool isNarrowInInstances(const clang::VarDecl* tile) const {
    const std::set<unsigned> sizes = sizesInInstances(tile);
    return !sizes.empty() && !sizes.count(0);
  }
  /// The variable's first value, if it is a tile of the block whose size depends on the template.
  const clang::CallExpr* partOf(const clang::VarDecl* tile) const {
    const clang::Expr* from = tile && tile->hasInit() ? tile->getInit()->IgnoreImplicit() : nullptr;
    const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(from);
    return call && sizeOfPart(call) && isNarrowInInstances(tile) ? call : nullptr;
  }
  static std::string partText(const std::string& size) {
    return "cu2cpp::tileInBlock<" + size + ">(threadIdx, blockDim)";
  }
  /// Whether a group is one of the tiles that a block is divided into.
  static bool isPartOfBlock(const clang::DeclRefExpr* group) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(group->getDecl());
    const clang::Expr* from = variable ? variable->getInit() : nullptr;
    while (from) {
      const auto* tile = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
          from->getType()->getAsCXXRecordDecl());
      if (tile && tile->getTemplateArgs().size() == 2)
        if (const auto* parent = tile->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl())
          return parent->getName() == "thread_block";
      const clang::Expr* inner = from->IgnoreParenImpCasts();
      if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(inner))
        inner = made->getNumArgs() == 1 ? made->getArg(0) : nullptr;
      else if (const auto* kept = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner))
        inner = kept->getSubExpr();
      else if (const auto* whole = llvm::dyn_cast<clang::ExprWithCleanups>(inner))
        inner = whole->getSubExpr();
      from = inner == from ? nullptr : inner;
    }
    return false;
  }
  std::string answerOf(const clang::DeclRefExpr* group, llvm::StringRef question) const {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(group->getDecl());
    if (const clang::CallExpr* part = partOf(variable))
      if (const clang::Expr* threads = sizeOfPart(part); text_.isWhole(threads))
        return answerOfTile(question, "unsigned(" + text_.text(threads->getSourceRange()) + ")",
                            true);
    const bool size = question == "size" || question == "num_threads";
    // `template <class Group> float sum(const Group& group, float v)`, called with tiles of one
    // size
    if (variable && variable->getType().getNonReferenceType()->isDependentType()) {
      const std::set<unsigned> sizes = sizesInInstances(variable);
      return sizes.size() != 1 || sizes.count(0)
                 ? ""
                 : answerOfTile(question, std::to_string(*sizes.begin()) + (size ? "u" : ""),
                                false);
    }
    const clang::CXXRecordDecl* record =
        group->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (!record || !record->getIdentifier() ||
        !llvm::StringRef(record->getQualifiedNameAsString()).starts_with("cooperative_groups::"))
      return "";
    if (record->getName() == "thread_block") {
      return question == "thread_rank" ? "cu2cpp::rankInBlock(threadIdx, blockDim)"
             : size                    ? "cu2cpp::threadsIn(blockDim)"
                                       : "";
    }
    if (record->getName() == "grid_group") {
      return question == "thread_rank"
                 ? "(cu2cpp::blockRank(blockIdx, gridDim) * cu2cpp::threadsIn(blockDim) + "
                   "cu2cpp::rankInBlock(threadIdx, blockDim))"
             : size ? "(cu2cpp::blocksIn(gridDim) * cu2cpp::threadsIn(blockDim))"
             : question == "block_rank" ? "cu2cpp::blockRank(blockIdx, gridDim)"
             : question == "num_blocks" ? "cu2cpp::blocksIn(gridDim)"
                                        : "";
    }
    const unsigned threads = narrowTileSize(group->getType());
    return threads == 0 ? ""
                        : answerOfTile(question, std::to_string(threads) + (size ? "u" : ""),
                                       isPartOfBlock(group));
  }
  /// A tile of so many threads; `ofBlock`: one of those that a block is divided into.
  static std::string answerOfTile(llvm::StringRef question, const std::string& threads,
                                  bool ofBlock) {
    const std::string rank = "cu2cpp::rankInBlock(threadIdx, blockDim)";
    if (question == "thread_rank")
      return "(" + rank + " % " + threads + ")";
    if (question == "size" || question == "num_threads")
      return threads;
    if (ofBlock && question == "meta_group_rank")
      return "(" + rank + " / " + threads + ")";
    if (ofBlock && question == "meta_group_size")
      return "((cu2cpp::threadsIn(blockDim) + (" + threads + " - 1)) / " + threads + ")";
    return "";
  }

  const SourceText& text_;
  std::vector<std::pair<FileRange, std::string>>& out_;
  std::vector<const clang::FunctionDecl*> instances_; ///< of a template
};

} // namespace

unsigned narrowTileSize(clang::QualType group) {
  const auto* tile = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      group.getNonReferenceType()->getAsCXXRecordDecl());
  if (!tile || tile->getQualifiedNameAsString() != "cooperative_groups::thread_block_tile" ||
      tile->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Integral)
    return 0;
  const auto threads = tile->getTemplateArgs()[0].getAsIntegral().getZExtValue();
  return threads <= 32 ? unsigned(threads) : 0;
}

const clang::NonTypeTemplateParmDecl* narrowTileParameter(const clang::VarDecl* tile) {
  const clang::Expr* from = tile->hasInit() ? tile->getInit()->IgnoreImplicit() : nullptr;
  const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(from);
  const auto* names =
      call ? llvm::dyn_cast<clang::OverloadExpr>(call->getCallee()->IgnoreImplicit()) : nullptr;
  if (!names || names->getNumTemplateArgs() != 1 || names->getNumDecls() != 1 ||
      (*names->decls_begin())->getQualifiedNameAsString() != "cu2cpp::tileInBlock")
    return nullptr;
  const clang::TemplateArgumentLoc& argument = names->getTemplateArgs()[0];
  const auto* size =
      argument.getArgument().getKind() == clang::TemplateArgument::Expression
          ? llvm::dyn_cast<clang::DeclRefExpr>(argument.getSourceExpression()->IgnoreImpCasts())
          : nullptr;
  return size ? llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(size->getDecl()) : nullptr;
}

std::vector<std::pair<FileRange, std::string>> answersOfGroups(const FunctionFacts& function,
                                                               const SourceText& text) {
  std::vector<std::pair<FileRange, std::string>> out;
  Questions(function, text, out).TraverseStmt(function.decl->getBody());
  return out;
}

void writeOutBarriers(const PlainBody& body) {
  const auto isBlock = [](clang::QualType type) {
    const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record && record->getIdentifier() &&
           record->getQualifiedNameAsString() == "cooperative_groups::thread_block";
  };
  const auto asksForBlock = [](const clang::Expr* e) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(e->IgnoreImplicit());
    return call && call->getDirectCallee() &&
           call->getDirectCallee()->getQualifiedNameAsString() ==
               "cooperative_groups::this_thread_block";
  };
  const auto isGroup = [&](const clang::Expr* e) {
    e = plainly(e);
    return isBlock(e->getType()) && (llvm::isa<clang::DeclRefExpr>(e) || asksForBlock(e));
  };
  for (const clang::CallExpr* call : body.contents.calls) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    const auto* member =
        llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (!callee || !callee->getIdentifier() || callee->getName() != "sync" ||
        body.unit.isUser(callee->getLocation()) || call->getBeginLoc().isMacroID() ||
        call->getEndLoc().isMacroID())
      continue;
    const bool all = method ? isBlock(body.unit.context().getRecordType(method->getParent())) &&
                                  member && !member->isArrow() && isGroup(member->getBase())
                            : call->getNumArgs() == 1 && isGroup(call->getArg(0));
    if (const auto range = all ? body.text.rangeOf(call->getSourceRange()) : std::nullopt)
      body.changes[range->file][range->begin] = {
          range->end, withLinesOf(body.text.text(*range), "__syncthreads()")};
  }
  for (const clang::DeclStmt* s : body.contents.declarations) {
    const auto* group =
        s->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(s->getSingleDecl()) : nullptr;
    const auto range = group ? body.text.rangeOf(s->getSourceRange()) : std::nullopt;
    if (range && isBlock(group->getType()) && group->hasInit() && asksForBlock(group->getInit()) &&
        body.contents.usesOf(group) == 0 && !body.mayBeHidden(group) &&
        !s->getBeginLoc().isMacroID() && !s->getEndLoc().isMacroID() &&
        llvm::isa_and_nonnull<clang::CompoundStmt>(body.variables.parents().getParent(s)))
      body.changes[range->file][range->begin] = {range->end,
                                                 withLinesOf(body.text.text(*range), ";")};
  }
}

bool isOfGrid(const clang::Expr* expression) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParenImpCasts());
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  static const std::set<std::string> ours = {"cu2cpp::threadsIn", "cu2cpp::blocksIn",
                                             "cu2cpp::blockRank"};
  return callee && ours.count(callee->getQualifiedNameAsString()) &&
         std::all_of(call->arg_begin(), call->arg_end(), [](const clang::Expr* argument) {
           const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(argument->IgnoreParenImpCasts());
           const unsigned builtin = named ? builtinOf(named->getDecl()) : 0;
           return builtin != 0 && builtin != ThreadIdx;
         });
}

} // namespace cu2cpp
