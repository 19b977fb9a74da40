// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What g++ and clang++ are told about code that came from CUDA, and which flags both understand.
#ifndef CU2CPP_CU2CC_COMPILER_FLAGS_H
#define CU2CPP_CU2CC_COMPILER_FLAGS_H

#include "options.h"
#include "words.h"

namespace cu2cpp::cu2cc {

bool isClang(const Words& compiler);

/// meansTheSameToAll() says whether g++ and clang++ understand a flag alike. -fopenmp is none of
/// them: objects of the two need different OpenMP libraries.
bool meansTheSameToAll(const std::string& flag);

/// codeFlags() is what code of a language (Cuda: translated) is compiled with, beside the level of
/// optimisation: what it may rely on as under nvcc, and what makes its loops fast.
Words codeFlags(const Options& options, Language language, bool clang);

} // namespace cu2cpp::cu2cc

#endif
