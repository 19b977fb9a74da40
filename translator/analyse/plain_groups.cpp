// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions that a thread asks of its cooperative group and that threadIdx answers:
//
//   warp.thread_rank()        ->    (cu2cpp::rankInBlock(threadIdx, blockDim) % 32)
//   block.size()              ->    cu2cpp::threadsIn(blockDim)
//   grid.num_blocks()         ->    cu2cpp::blocksIn(gridDim)
//   tiled_partition<32>(block)  ->  cu2cpp::tileInBlock<32>(threadIdx, blockDim)
//
// Loops over threads then know how the answers differ from thread to thread, and need not tell a
// function which thread it is that asks.
#include "analyse/plain_groups.h"

#include <map>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace cu2cpp {
namespace {

class Questions : public clang::RecursiveASTVisitor<Questions> {
public:
  Questions(const SourceText& text, std::vector<std::pair<FileRange, std::string>>& out)
      : text_(text), out_(out) {}

  // Another function's threadIdx.
  bool TraverseLambdaExpr(clang::LambdaExpr*) { return true; }
  bool VisitCallExpr(clang::CallExpr* call) {
    divides(call);
    const auto* member =
        llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
    const auto* method =
        member ? llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()) : nullptr;
    const auto* object =
        member ? llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts())
               : nullptr;
    if (!method || !method->getIdentifier() || call->getNumArgs() != 0 || !object ||
        member->isArrow() || call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID())
      return true;
    const std::string answer = answerOf(object, method->getName());
    const auto range = answer.empty() ? std::nullopt : text_.rangeOf(call->getSourceRange());
    if (range)
      out_.push_back({*range, answer});
    return true;
  }

private:
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
      out_.push_back(
          {*range, "cu2cpp::tileInBlock<" + std::to_string(threads) + ">(threadIdx, blockDim)"});
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
  static std::string answerOf(const clang::DeclRefExpr* group, llvm::StringRef question) {
    const clang::CXXRecordDecl* record =
        group->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (!record || !record->getIdentifier() ||
        !llvm::StringRef(record->getQualifiedNameAsString()).starts_with("cooperative_groups::"))
      return "";
    const bool size = question == "size" || question == "num_threads";
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
    if (threads == 0)
      return "";
    const std::string of = std::to_string(threads);
    if (question == "thread_rank")
      return "(cu2cpp::rankInBlock(threadIdx, blockDim) % " + of + ")";
    if (size)
      return of + "u";
    if (isPartOfBlock(group)) {
      if (question == "meta_group_rank")
        return "(cu2cpp::rankInBlock(threadIdx, blockDim) / " + of + ")";
      if (question == "meta_group_size")
        return "((cu2cpp::threadsIn(blockDim) + " + std::to_string(threads - 1) + ") / " + of + ")";
    }
    return "";
  }

  const SourceText& text_;
  std::vector<std::pair<FileRange, std::string>>& out_;
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

std::vector<std::pair<FileRange, std::string>> answersOfGroups(const clang::FunctionDecl* function,
                                                               const SourceText& text) {
  std::vector<std::pair<FileRange, std::string>> out;
  if (!function->isDependentContext())
    Questions(text, out).TraverseStmt(function->getBody());
  return out;
}

} // namespace cu2cpp
