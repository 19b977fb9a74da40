// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang does with translated kernels besides its own passes. Most of it is for processors with
// AVX2 but without AVX-512: those store under a mask slowly, have no stores to scattered places,
// and move words between the halves of a vector slowly.
#ifndef CU2CPP_BACKEND_KERNEL_PASSES_H
#define CU2CPP_BACKEND_KERNEL_PASSES_H
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace cu2cpp {

/// Whether the function is compiled for such a processor.
inline bool hasPoorStores(const llvm::Function& f) {
  const llvm::StringRef features = f.getFnAttribute("target-features").getValueAsString();
  return features.contains("+avx2") && !features.contains("+avx512f");
}

/// Whether the processor's stores to scattered places take longer than storing one by one: AMD's
/// with AVX-512 have such instructions, but make a long row of steps of each.
inline bool hasPoorScatters(const llvm::Function& f) {
  const llvm::StringRef cpu = f.getFnAttribute("target-cpu").getValueAsString();
  return hasPoorStores(f) || cpu.starts_with("znver");
}

/// Whether lanes under a mask can be put together: PackedScatters.
inline bool packsScatters(const llvm::Function& f) {
  const llvm::StringRef features = f.getFnAttribute("target-features").getValueAsString();
  return features.contains("+avx512f") && features.contains("+avx512vl");
}

/// At the very beginning: what loops over threads call throws nothing.
class NothingThrown : public llvm::PassInfoMixin<NothingThrown> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// At the very beginning: loops in versions for blocks of sizes that no launch shows stay loops.
class RareBlocks : public llvm::PassInfoMixin<RareBlocks> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// At the very beginning: what threads call becomes part of the loop over them.
class FunctionsOfThreads : public llvm::PassInfoMixin<FunctionsOfThreads> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// At the very beginning: notes which functions only loops over threads call.
class CallsInLoops : public llvm::PassInfoMixin<CallsInLoops> {
public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Before branches become selections: steps of a search that set a record stay rare ways.
class RareRecords : public llvm::PassInfoMixin<RareRecords> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before functions become part of others: such calls keep their loop's mark.
class MarksOfCalls : public llvm::PassInfoMixin<MarksOfCalls> {
public:
  llvm::PreservedAnalyses run(llvm::LazyCallGraph::SCC& functions,
                              llvm::CGSCCAnalysisManager& analyses, llvm::LazyCallGraph& graph,
                              llvm::CGSCCUpdateResult& result);
};

/// Behind each tidying up: a term that is taken off a sum is none of its terms.
class Differences : public llvm::PassInfoMixin<Differences> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind each tidying up: arguments in memory are known until another function is told of them.
class ToldVariables : public llvm::PassInfoMixin<ToldVariables> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind each tidying up: the lesser or greater of a value and a constant is one instruction.
class ConstantBounds : public llvm::PassInfoMixin<ConstantBounds> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: what threads keep and change under a condition is stored by all.
class OwnElements : public llvm::PassInfoMixin<OwnElements> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: what all threads add to is kept in a register.
class SharedCounts : public llvm::PassInfoMixin<SharedCounts> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: calls of mathematical functions know the versions for several lanes.
class VectorMath : public llvm::PassInfoMixin<VectorMath> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: loops over threads that compute much with numbers of 32 bits and little
/// with wider ones get vectors as wide as the narrow numbers need.
class NarrowNumbers : public llvm::PassInfoMixin<NarrowNumbers> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: what is loaded in front of a loop over threads is not loaded again.
class NumbersOfLoops : public llvm::PassInfoMixin<NumbersOfLoops> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// DivisionsOfLoops divides in front of loops what is the same for all steps
/// (divisions_of_loops.cpp). Not for speed: LLVM 19 makes wrong vectors of such loops.
class DivisionsOfLoops : public llvm::PassInfoMixin<DivisionsOfLoops> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers, in loops that are forced into vectors, and at the end in those that are
/// none: divisions by what does not change in a loop are products with its reciprocal.
class DivisorsOfLoops : public llvm::PassInfoMixin<DivisorsOfLoops> {
public:
  enum class Stage { Forced, Left };
  explicit DivisorsOfLoops(Stage stage) : stage_(stage) {}
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);

private:
  Stage stage_;
};

/// Before the vectorisers: what all threads of a loop load from one place is loaded before it.
class LoadsOfLoops : public llvm::PassInfoMixin<LoadsOfLoops> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: what the neighbouring thread has loaded of a structure is loaded again.
class LoadsOfNeighbours : public llvm::PassInfoMixin<LoadsOfNeighbours> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: pairs of floats that functions gave back are two numbers in memory.
class PairsOfFloats : public llvm::PassInfoMixin<PairsOfFloats> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: bytes side by side that are loaded under a condition are one word.
class WordsOfBytes : public llvm::PassInfoMixin<WordsOfBytes> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: what is left of a place when a thread's number is taken off it.
class PlacesInRow : public llvm::PassInfoMixin<PlacesInRow> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: sums of places in which a thread's number does not matter.
class DiagonalPlaces : public llvm::PassInfoMixin<DiagonalPlaces> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: places that both branches of a condition compute.
class SamePlaces : public llvm::PassInfoMixin<SamePlaces> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: sums that an assumption keeps from wrapping around are wide ones.
class WidePlaces : public llvm::PassInfoMixin<WidePlaces> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: places that wrap around within a loop are no row.
class WrappingPlaces : public llvm::PassInfoMixin<WrappingPlaces> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before them: rows of threads are parted where what they divide their place by goes up.
class RowStretches : public llvm::PassInfoMixin<RowStretches> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// At the very beginning structures that are stored are noted, behind each tidying up those that
/// turned out to be a variable's own are forgotten, and before the vectorisers what compilers left
/// out of them is stored again, as it is.
class WholeStructures : public llvm::PassInfoMixin<WholeStructures> {
public:
  enum class Stage { Note, Forget, Complete };
  explicit WholeStructures(Stage stage) : stage_(stage) {}
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);

private:
  Stage stage_;
};

/// Before the vectorisers: what some threads of a loop store to places which are no neighbours
/// becomes a loop over those threads.
class TakenWays : public llvm::PassInfoMixin<TakenWays> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before the vectorisers: loops that store to places which are no neighbours run as vectors only
/// where clang expects a gain.
class ScatteredStores : public llvm::PassInfoMixin<ScatteredStores> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before them: loops over threads that load where other loads tell may gather.
class IndirectLoads : public llvm::PassInfoMixin<IndirectLoads> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// In front of the vectorisers: loads of one of two rows are two loads.
class ChosenLoads : public llvm::PassInfoMixin<ChosenLoads> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// In front of the vectorisers: members of structures are loaded beside the first one.
class StructureLoads : public llvm::PassInfoMixin<StructureLoads> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before them: what loops assume of threads' numbers is left out.
class AssumptionsOfLoops : public llvm::PassInfoMixin<AssumptionsOfLoops> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before them: what places are computed from is computed once more where it is a value.
class NumbersOfPlaces : public llvm::PassInfoMixin<NumbersOfPlaces> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind them: masks of stores are asked whether they are full.
class MaskedStores : public llvm::PassInfoMixin<MaskedStores> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind them: masks that are empty unless a condition holds are asked for that.
class UniformMasks : public llvm::PassInfoMixin<UniformMasks> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// FullGathers loads number by number what all lanes gather by places from memory, where processors
/// with AVX2 gather slowly.
class FullGathers : public llvm::PassInfoMixin<FullGathers> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind them: what all lanes load from one place, if they do, is loaded once.
class UniformGathers : public llvm::PassInfoMixin<UniformGathers> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind them: places that are kept within bounds one by one are asked whether they are a row.
class RowsOfGathers : public llvm::PassInfoMixin<RowsOfGathers> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind them: what lanes under a mask store one behind the other is stored as a row.
class PackedScatters : public llvm::PassInfoMixin<PackedScatters> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Before them: loads of every second, third or fourth element are gathered,
class StridedLoads : public llvm::PassInfoMixin<StridedLoads> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// and behind them picked from rows.
class StridedGathers : public llvm::PassInfoMixin<StridedGathers> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind them: elements of a table that fits into registers change places there.
class SmallTables : public llvm::PassInfoMixin<SmallTables> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind them: structures that lanes keep through a loop, and change alike, are not taken apart.
class PackedVariables : public llvm::PassInfoMixin<PackedVariables> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind them: structures of which all parts are made alike are not taken apart.
class PackedStructures : public llvm::PassInfoMixin<PackedStructures> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind them: four words of neighbours' structures are transposed as a whole.
class StructuresOfFour : public llvm::PassInfoMixin<StructuresOfFour> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind them: the lesser and greater of two numbers that may be none take one instruction.
class ExactMinima : public llvm::PassInfoMixin<ExactMinima> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind them: conversions of numbers that are too small take what the processor makes of them.
class ClampedConversions : public llvm::PassInfoMixin<ClampedConversions> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Behind all: masks of AVX2 are joined as the words that comparisons give.
class WideMasks : public llvm::PassInfoMixin<WideMasks> {
public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

} // namespace cu2cpp

#endif
