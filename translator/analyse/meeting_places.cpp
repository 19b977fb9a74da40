// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/meeting_places.h"

#include <algorithm>
#include <set>

namespace cu2cpp {
namespace {

bool reachesCollective(const FunctionFacts& function, const Facts& facts,
                       std::set<const FunctionFacts*>& seen) {
  if (!function.collectives.empty())
    return true;
  return seen.insert(&function).second &&
         std::any_of(function.calls.begin(), function.calls.end(), [&](const UserCall& call) {
           const FunctionFacts* callee = facts.find(call.callee);
           return callee && reachesCollective(*callee, facts, seen);
         });
}

} // namespace

std::vector<clang::SourceLocation> meetingPlaces(const FunctionFacts& function,
                                                 const Facts& facts) {
  std::vector<clang::SourceLocation> places;
  for (const Collective& collective : function.collectives)
    places.push_back(collective.at);
  for (const UserCall& call : function.calls) {
    std::set<const FunctionFacts*> seen;
    const FunctionFacts* callee = facts.find(call.callee);
    if (callee && reachesCollective(*callee, facts, seen))
      places.push_back(call.at);
  }
  return places;
}

bool meetsBefore(const clang::Stmt* lastUse, unsigned declared, const MeetingCode& code,
                 const FunctionFacts& function, const Facts& facts) {
  const auto use = code.text.positionOf(lastUse->getBeginLoc());
  if (!use)
    return true;
  unsigned end = use->offset;
  for (const clang::Stmt* s = code.parents.getParent(lastUse); s; s = code.parents.getParent(s)) {
    if (!llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s))
      continue;
    const auto range = code.text.rangeOf(s->getSourceRange());
    if (!range)
      return true;
    if (range->begin <= declared)
      break;
    end = range->end;
  }
  const auto places = meetingPlaces(function, facts);
  return std::any_of(places.begin(), places.end(), [&](clang::SourceLocation place) {
    const auto at = code.text.positionOf(place);
    return !at || (at->offset > declared && at->offset < end);
  });
}

} // namespace cu2cpp
