// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets clang parse what nvcc accepts, by changes to the text that keep its length, so that every
// offset clang reports is an offset in the user's file:
//
//   extern __shared__ float s[];     ->  CU2_DYNSH_      float s[1];   in functions: several types
//   under one name #if __CUDA_ARCH__ >= 600         ->  #if CU2CPP_ARCH__ >= 600      in the bodies
//   of device functions, and compared at
//                                                                       namespace scope
//   kernel << <1, 2>> >()            ->  kernel <<< 1, 2>>> ()
//   kernel<<<1, {2, 3}>>>()          ->  kernel<<<1, (2, 3)>>>()         clang takes no braces
//   there
//   asm("..." :: "r"(a) "l"(b))     ->  asm("..." :: "r"(a),"l"(b))
//
// Needs: the text of one file. Leaves: everything else, character for character.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace cu2cpp {

/// A function's body, from its opening through its closing brace.
struct BodyRange {
  unsigned begin;
  unsigned end;
};

/// An overlaid text and what was found in it.
struct Overlay {
  std::string text;
  std::vector<unsigned> archOffsets; ///< where __CUDA_ARCH__ was replaced
  /// Bodies of `__host__ __device__` functions that test __CUDA_ARCH__: clang sees their device
  /// side.
  std::vector<BodyRange> twoSided;
};

/// Bodies of device functions that a file's text alone does not show to be such, because the
/// qualifiers stand in a macro or at another declaration: offset of the opening brace -> whether
/// the function is the host's too.
using DeviceBodies = std::map<unsigned, bool>;
/// The same, by the file's real path.
using DeviceBodiesByFile = std::map<std::string, DeviceBodies>;

/// Files that are read otherwise than they are on the disk, by real path.
using TextsByFile = std::map<std::string, std::string>;

/// wrapLaunches() marks launches in kernels, so that clang takes them for calls in a function that
/// is not a kernel: it has no dynamic parallelism. The text grows; its lines stay.
///
///   child<int><<<1, 32>>>(p);   ->   CU2_BEGIN_ child<int><<<1, 32>>>(p) CU2_END_;
std::string wrapLaunches(llvm::StringRef text);

/// separateSuffixes() puts a blank before macros that touch a string and that C++11 reads as the
/// suffix of a user's literal. nvcc reads them as macros; so did C++ before.
///
///   extern "C"__global__ void k();   "%"PRIu64   ->   extern "C" __global__ void k();   "%" PRIu64
std::string separateSuffixes(llvm::StringRef text);

/// overlayDialect() makes the variant of a file's text that clang is given.
Overlay overlayDialect(llvm::StringRef text, const DeviceBodies& known = {});

/// dialectFileSystem() reads files of `base` through separateSuffixes() and wrapLaunches(), whose
/// results go to `texts`, and overlayDialect().
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
dialectFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base, DeviceBodiesByFile known,
                  TextsByFile& texts);

} // namespace cu2cpp
