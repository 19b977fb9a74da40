// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose bodies one macro writes have one text, so what is written into it must suit all:
//
//   #define MAP(name, e) __global__ void name(int* p) { int i = threadIdx.x; p[i] = e; }
//   MAP(square, p[i] * p[i])
//   MAP(place, blockIdx.x)      // both get blockIdx
#include "analyse/analyses.h"

namespace cu2cpp {

void shareMacroBodies(const SourceUnit& unit, Facts& facts) {
  const clang::SourceManager& sources = unit.context().getSourceManager();
  std::map<clang::SourceLocation, std::vector<FunctionFacts*>> written;
  for (auto& [place, function] : facts.functions)
    if (const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function.decl->getBody());
        body && body->getLBracLoc().isMacroID())
      written[sources.getSpellingLoc(body->getLBracLoc())].push_back(&function);
  for (auto& [place, peers] : written) {
    FunctionFacts all;
    for (const FunctionFacts* peer : peers) {
      all.builtins |= peer->builtins;
      all.publishesThread |= peer->publishesThread;
      all.awaitsOthers |= peer->awaitsOthers;
      all.awaitsTime |= peer->awaitsTime;
      if (peer->pollsSharedAt.isValid())
        all.pollsSharedAt = peer->pollsSharedAt;
      if (all.reached.scope < peer->reached.scope)
        all.reached = peer->reached;
      all.copiesParameters |= peers.size() > 1 && !peer->modifiedParameters.empty();
    }
    for (FunctionFacts* peer : peers) {
      peer->builtins = all.builtins;
      peer->publishesThread = all.publishesThread;
      peer->awaitsOthers = all.awaitsOthers;
      peer->awaitsTime = all.awaitsTime;
      peer->pollsSharedAt = all.pollsSharedAt;
      peer->reached = all.reached;
      peer->copiesParameters = all.copiesParameters;
      // What suits one kernel's places in memory may be wrong for another's.
      if (peers.size() > 1)
        peer->longRows = peer->longColumns = peer->byColumns = false;
      // Copies of a kernel's locals would be copies of its shared variables.
      if (peer->copiesParameters)
        for (SharedVariable& shared : peer->shared)
          shared.movable = false;
    }
  }
}

} // namespace cu2cpp
