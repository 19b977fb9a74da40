// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plug-in that cu2cc gives to the clang++ that compiles kernels.
#include "kernel_passes.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

using Structures = cu2cpp::WholeStructures::Stage;
using Divisors = cu2cpp::DivisorsOfLoops::Stage;

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "cu2cpp-kernel-passes", "1", [](llvm::PassBuilder& builder) {
            builder.registerPipelineStartEPCallback(
                [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
                  if (level == llvm::OptimizationLevel::O0)
                    return;
                  passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::NothingThrown()));
                  passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::RareBlocks()));
                  passes.addPass(cu2cpp::CallsInLoops());
                  passes.addPass(cu2cpp::FunctionsOfThreads());
                  passes.addPass(llvm::createModuleToFunctionPassAdaptor(
                      cu2cpp::WholeStructures(Structures::Note)));
                });
            // LLVM 20 tells a third thing here, too.
            builder.registerPipelineEarlySimplificationEPCallback(
                [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level, auto...) {
                  if (level != llvm::OptimizationLevel::O0)
                    passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::RareRecords()));
                });
            builder.registerCGSCCOptimizerLateEPCallback(
                [](llvm::CGSCCPassManager& passes, llvm::OptimizationLevel level) {
                  if (level != llvm::OptimizationLevel::O0)
                    passes.addPass(cu2cpp::MarksOfCalls());
                });
            builder.registerPeepholeEPCallback(
                [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel level) {
                  if (level == llvm::OptimizationLevel::O0)
                    return;
                  passes.addPass(cu2cpp::ToldVariables());
                  passes.addPass(cu2cpp::Differences());
                  passes.addPass(cu2cpp::ConstantBounds());
                  passes.addPass(cu2cpp::WholeStructures(Structures::Forget));
                });
            builder.registerVectorizerStartEPCallback(
                [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel level) {
                  if (level == llvm::OptimizationLevel::O0)
                    return;
                  passes.addPass(cu2cpp::SharedCounts());
                  passes.addPass(cu2cpp::OwnElements());
                  passes.addPass(cu2cpp::LoadsOfNeighbours());
                  passes.addPass(cu2cpp::PairsOfFloats());
                  passes.addPass(cu2cpp::StructureLoads());
                  passes.addPass(cu2cpp::WordsOfBytes());
                  passes.addPass(cu2cpp::ChosenLoads());
                  passes.addPass(cu2cpp::NumbersOfLoops());
                  passes.addPass(cu2cpp::LoadsOfLoops());
                  passes.addPass(cu2cpp::DivisionsOfLoops());
                  passes.addPass(cu2cpp::PlacesInRow());
                  passes.addPass(cu2cpp::DiagonalPlaces());
                  passes.addPass(cu2cpp::SamePlaces());
                  passes.addPass(cu2cpp::RowStretches());
                  passes.addPass(cu2cpp::WidePlaces());
                  passes.addPass(cu2cpp::WrappingPlaces());
                  passes.addPass(cu2cpp::IndirectLoads());
                  // Behind what would leave the same out again.
                  passes.addPass(cu2cpp::WholeStructures(Structures::Complete));
                  passes.addPass(cu2cpp::TakenWays());
                  passes.addPass(cu2cpp::ScatteredStores());
                  passes.addPass(cu2cpp::DivisorsOfLoops(Divisors::Forced));
                  passes.addPass(cu2cpp::StridedLoads());
                  passes.addPass(cu2cpp::VectorMath());
                  passes.addPass(cu2cpp::NarrowNumbers());
                  passes.addPass(cu2cpp::AssumptionsOfLoops());
                  // Last: copies that are the same as others would be found.
                  passes.addPass(cu2cpp::NumbersOfPlaces());
                  // What breaks the rules of the IR could compute anything: the compiler stops
                  // instead.
                  passes.addPass(llvm::VerifierPass());
                });
            // LLVM 20 tells a third thing.
            builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes,
                                                       llvm::OptimizationLevel level, auto...) {
              if (level == llvm::OptimizationLevel::O0)
                return;
              // Where vectorisers only run when programs are linked, no note may be left.
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(
                  cu2cpp::WholeStructures(Structures::Complete)));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(
                  cu2cpp::DivisorsOfLoops(Divisors::Left)));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::MaskedStores()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::UniformMasks()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::SmallTables()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::UniformGathers()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::RowsOfGathers()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::PackedScatters()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::StridedGathers()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::PackedVariables()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::PackedStructures()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::StructuresOfFour()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::ExactMinima()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::ClampedConversions()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::FullGathers()));
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(cu2cpp::WideMasks()));
              passes.addPass(llvm::VerifierPass());
            });
          }};
}
