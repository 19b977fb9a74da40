// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the next block will load or store is asked for beforehand, in kernels whose threads take
// their items in short loops:
//
//   for (int k = 0; k < 4; ++k)              for (int k = 0; k < 4; ++k) ...
//     sum += v[k] = row[tid + k * 192];      for (int k = 0; k < 4; ++k)
//   sum = blockSum(sum);               ->      cu2cpp::prefetchNextBlockAfar(cuBlock, x, ...);
//   for (int k = 0; k < 4; ++k)              ... // the same of y
//     y[at + k * 192] = v[k] / sum;          sum = blockSum(sum); ...
#include "plan/splitter.h"

#include <algorithm>

#include "analyse/region_parts.h"
#include "plan/prefetch_parts.h"

namespace cu2cpp {

Splitter::GivenRow Splitter::givenRow(const clang::Expr* array) const {
  if (std::string given = givenArray(array); !given.empty())
    return {std::move(given), nullptr};
  const clang::VarDecl* pointer = namedBy(array);
  const auto* sum =
      pointer && pointer->hasLocalStorage() && pointer->hasInit()
          ? llvm::dyn_cast<clang::BinaryOperator>(pointer->getInit()->IgnoreParenImpCasts())
          : nullptr;
  if (!sum || sum->getOpcode() != clang::BO_Add || !sum->getLHS()->getType()->isPointerType() ||
      !pointer->getType()->isPointerType() || !sum->getRHS()->getType()->isIntegerType() ||
      !isHarmless(sum->getRHS()) || !plan_.text.isWhole(sum->getRHS()))
    return {};
  return {givenArray(sum->getLHS()), sum->getRHS()};
}

/// Whether the whole block takes each step of a loop.
static bool isStepOfBlock(const clang::ForStmt* loop, const std::vector<RegionNode>& nodes) {
  return llvm::any_of(nodes, [&](const RegionNode& node) {
    return node.kind != RegionNode::Kind::Warps &&
           ((node.kind == RegionNode::Kind::Loop && node.statement == loop) ||
            isStepOfBlock(loop, node.children) || isStepOfBlock(loop, node.otherwise));
  });
}

std::string Splitter::prefetchesOfItems(const std::string& newline) {
  AccessesInBlock accesses(plan_.unit.context());
  accesses.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
  const auto isOfArray = [&](const clang::ArraySubscriptExpr* e) {
    return !givenArray(e->getBase()).empty();
  };
  // Another loop would pass over memory in between.
  const Accesses all(body_);
  const auto inBlock = std::count_if(accesses.all.begin(), accesses.all.end(),
                                     [&](const auto& access) { return isOfArray(access.element); });
  if (inBlock != std::count_if(all.all.begin(), all.all.end(), isOfArray))
    return "";
  constexpr std::size_t most = 6;
  std::set<std::string> written;
  struct Fetched {
    const PlaceAhead* ahead;
    std::string rolled; ///< the loops' heads
  };
  std::vector<Fetched> fetched;
  std::map<std::string, std::set<const clang::Expr*>> places;
  const std::vector<PlaceAhead> candidates = placesOfNextBlock(accesses);
  for (const PlaceAhead& ahead : candidates) {
    const std::string &array = ahead.array, &heads = ahead.heads;
    // Where the block goes along memory step by step, processors foresee it.
    const auto access =
        llvm::find_if(accesses.all, [&](const auto& one) { return one.element == ahead.access; });
    if (access != accesses.all.end() && !access->loops.empty() &&
        isStepOfBlock(access->loops.back(), regions_.nodes))
      continue;
    places[array].insert(ahead.access);
    if (written.size() == most || !written.insert(array + ahead.next).second)
      continue;
    // Without marks that ask to write the loops out.
    std::string rolled;
    for (std::size_t at = 0, next; at < heads.size(); at = next) {
      at = std::min(heads.find("for", at), heads.size());
      next = std::min(heads.find(" CU2CPP_", at), heads.size());
      rolled += "CU2CPP_ROLLED " + heads.substr(at, next - at) + " ";
    }
    fetched.push_back({&ahead, std::move(rolled)});
  }
  // A block's items are several stretches: all of the next one's before a block's own loads would
  // let these wait (prefetchesOfNextBlock()).
  const Stores stores(body_);
  const auto isStored = [&](const std::string& array) {
    return llvm::all_of(places[array], [&](const clang::Expr* access) {
      return stores.elements.count(access) != 0;
    });
  };
  const bool inWork = llvm::any_of(fetched, [&](const Fetched& one) {
    const std::string& array = one.ahead->array;
    return isStored(array) && placeInWork(places[array], true, false);
  });
  std::string out;
  for (const Fetched& one : fetched) {
    const std::string& array = one.ahead->array;
    const clang::Stmt* const work =
        inWork ? placeInWork(places[array], isStored(array), false) : nullptr;
    (work ? aheadInFront_[work] : out) += one.rolled + "cu2cpp::prefetchNextBlock" +
                                          (work ? "Afar" : "") + "(cuBlock, " + array + ", " +
                                          one.ahead->next + ");" + newline;
  }
  return out;
}

} // namespace cu2cpp
