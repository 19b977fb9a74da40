// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with loops that take threadIdx.x for the row of a matrix and threadIdx.y for its column
// have the two exchanged. For compilers only:
//
//   row = blockIdx.x * blockDim.x + threadIdx.x;      row = blockIdx.y * blockDim.y + threadIdx.y;
//   column = blockIdx.y * blockDim.y + threadIdx.y;   column = blockIdx.x * blockDim.x +
//                                                ->            threadIdx.x;
//   for (int k = 0; k < n; ++k)                       for (int k = 0; k < n; ++k)
//     sum += a[row * n + k] * b[k * n + column];        sum += a[row * n + k] * b[k * n + column];
//
// Such a kernel is marked, and its block is the one that runs with both exchanged
// (cu2cpp::thisTurnedBlock()): each thread finds the same numbers as before under other names. A
// row of threads then reaches for a row of memory. Only kernels whose threads share nothing, wait
// for nobody and call nothing that asks where they are.
#include "analyse/plain_turned_blocks.h"

#include <algorithm>

#include "analyse/joined_blocks.h"
#include "analyse/marks.h"
#include "analyse/pure_functions.h"
#include "analyse/slopes.h"

namespace cu2cpp {
namespace {

/// How often neighbours of a row, and of a column, reach for distant places in memory.
class Accesses : public SyntaxVisitor {
public:
  explicit Accesses(const clang::Stmt* body) : alongRow_(body, "x"), alongColumn_(body, "y") {}
  unsigned farInRows = 0, farInColumns = 0, nearInColumns = 0;

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    farInRows += alongRow_.slope(element) == Slopes::other;
    const unsigned column = alongColumn_.slope(element->getIdx());
    farInColumns += column == Slopes::other;
    nearInColumns += column == 1;
    return true;
  }
  // What pointers lead to is not told from place to place.
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    farInColumns += op->getOpcode() == clang::UO_Deref;
    return true;
  }

private:
  Slopes alongRow_, alongColumn_;
};

/// The members of built-in variables that a body names.
class Members : public SyntaxVisitor {
public:
  std::vector<const clang::MemberExpr*> all;
  std::set<std::pair<unsigned, std::string>> parts;

  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (const auto part = asBuiltinPart(member)) {
      all.push_back(member);
      parts.insert({unsigned(part->of), part->part});
    }
    return true;
  }
};

bool callsOnlyPure(const FunctionFacts& f, const Facts& facts) {
  return std::all_of(f.callees.begin(), f.callees.end(), [&](const clang::FunctionDecl* callee) {
    const FunctionFacts* known = facts.find(callee);
    return known ? !known->builtins && isPureFunction(callee, facts) : isPureHeaderFunction(callee);
  });
}

} // namespace

void turnBlocks(const PlainBody& body, const Facts& facts) {
  const clang::FunctionDecl* kernel = body.function;
  const FunctionFacts* f = facts.find(kernel);
  if (!f || !f->kernel || f->reached.scope != Scope::None || f->awaitsOthers || f->awaitsTime ||
      !f->qualifiedUses.empty() || hasMark(kernel, "turned_block") || !sharesNothing(facts, *f) ||
      !callsOnlyPure(*f, facts))
    return;
  Accesses accesses(kernel->getBody());
  accesses.TraverseStmt(kernel->getBody());
  if (!accesses.farInRows || accesses.farInColumns || !accesses.nearInColumns)
    return;
  Members members;
  members.TraverseStmt(kernel->getBody());
  if (members.all.size() != f->builtinUses.size() || !members.parts.count({ThreadIdx, "x"}) ||
      !members.parts.count({ThreadIdx, "y"}))
    return;
  const auto whole = body.text.rangeOf(kernel->getBody()->getSourceRange());
  const auto name = body.text.positionOf(kernel->getLocation());
  if (!whole || !name || kernel->getLocation().isMacroID() || kernel->getQualifier() ||
      whole->file != name->file)
    return;
  for (const auto& [begin, end] : body.unit.skippedRanges(whole->file))
    if (begin < whole->end && end > whole->begin)
      return;
  std::map<unsigned, std::pair<unsigned, std::string>> edits;
  edits[name->offset] = {name->offset, "__attribute__((annotate(\"cu2cpp.turned_block\"))) "};
  for (const clang::MemberExpr* member : members.all) {
    const auto at = body.text.rangeOf(member->getMemberLoc());
    const std::string part = member->getMemberDecl()->getNameAsString();
    if (!at || member->getBeginLoc().isMacroID() || member->getMemberLoc().isMacroID() ||
        at->file != whole->file || at->begin < whole->begin || at->end > whole->end ||
        body.text.text(*at) != part)
      return;
    if (part != "z")
      edits[at->begin] = {at->end, part == "x" ? "y" : "x"};
  }
  body.put(whole->file, std::move(edits));
}

} // namespace cu2cpp
