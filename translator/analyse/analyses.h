// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analyses in the order in which pipeline.cpp calls them. Each adds its facts and changes
// nothing else.
#pragma once

#include "analyse/facts.h"
#include "parse/source_unit.h"

namespace cu2cpp {

/// findFunctions() finds kernels and device functions with what each names and calls, and the
/// marked variables.
void findFunctions(const SourceUnit& unit, Facts& facts);
/// findLaunches() finds `<<<>>>` and the places where a kernel's address is taken.
void findLaunches(const SourceUnit& unit, Facts& facts);
/// findModifiedParameters() finds the parameters of kernels that each thread needs a copy of.
void findModifiedParameters(Facts& facts);
/// findSharedStorage() decides which shared variables can be declared outside the thread loop, and
/// what moves with them.
void findSharedStorage(Facts& facts);
/// findSharedAtomics() finds atomic functions that are called for the block's own shared memory.
void findSharedAtomics(const SourceUnit& unit, bool separateCompilation, Facts& facts);
/// propagateCalls() carries collectives and the need for the thread's context from callees to
/// callers.
void propagateCalls(Facts& facts);
/// findPollingLoops() finds loops that only wait for what other threads write. After
/// propagateCalls().
void findPollingLoops(Facts& facts);
/// findRegions() divides the bodies of kernels with block barriers into regions, or says what
/// stands in the way.
void findRegions(const SourceUnit& unit, Facts& facts);
/// findTurnedArrays() finds shared arrays that are better with their two dimensions the other way
/// around in memory, or with their anti-diagonals as rows. After findRegions().
void findTurnedArrays(Facts& facts);
/// shareMacroBodies() gives functions whose bodies are one macro's text the facts of all of them.
/// Before facts are carried over calls, for those that callers need, and after it.
void shareMacroBodies(const SourceUnit& unit, Facts& facts);
/// makeStepsExplicit() gives the files in which lanes rely on running in step, with waits put
/// where they do; their lines stay.
struct ExplicitSteps {
  TextsByFile texts;
  std::vector<std::pair<std::string, Place>> functions; ///< those that rely on it
};
ExplicitSteps makeStepsExplicit(const SourceUnit& unit, const Facts& facts);
/// What other files have in common with the one that is read.
struct SharedWithOthers {
  bool headers = false;   ///< headers, of which there is one output
  bool functions = false; ///< device functions (-rdc=true)
  bool names = false;     ///< kernels' names, which their parameters' types are part of (modules)
};
/// makePlain() gives the files in which declarations and loops can be written in forms that say
/// more, written so; their lines stay. It leaves alone what other users of a shared header may see
/// otherwise: templates, and headers with code that #if hides. `forCompilers` says that nobody else
/// reads them.
struct PlainTexts {
  TextsByFile texts;
  std::map<std::string, std::set<unsigned>> emptied; ///< lines, from 0, that have nothing left
};
PlainTexts makePlain(const SourceUnit& unit, const Facts& facts, const SharedWithOthers& shared,
                     bool forCompilers);
/// fuseProducts() gives the files in which products of half and bfloat16 numbers go into sums, with
/// both as the one operation that they are on a GPU; their lines stay.
TextsByFile fuseProducts(const SourceUnit& unit, const Facts& facts);
/// readThroughTiles() gives the files in which kernels copy pieces of arrays into shared tiles, with
/// a way around the copy for blocks inside of the grid; their lines stay. For compilers only: what
/// is behind the copy stands there twice.
TextsByFile readThroughTiles(const SourceUnit& unit, const Facts& facts);
/// qualifyOlderNames() gives the files of a unit parsed in an older standard that name things of
/// their own as C++17 names others in std, with `::` before them: `using namespace std;` makes the
/// bare names ambiguous there. Their lines stay.
TextsByFile qualifyOlderNames(const SourceUnit& unit);
/// findWarpSynchronousCode() finds functions whose lanes rely on running in step without a
/// collective.
void findWarpSynchronousCode(const SourceUnit& unit, Facts& facts);

} // namespace cu2cpp
