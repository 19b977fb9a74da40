// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler_flags.h"

namespace cu2cpp::cu2cc {
namespace {

void add(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

#if defined(__x86_64__) && defined(__GLIBC__)
/// Whether the processor that is compiled for has AVX2, as far as its name tells.
bool hasAvx2(const Words& hostFlags) {
  std::string processor = "native";
  for (const std::string& flag : hostFlags)
    if (flag.rfind("-march=", 0) == 0)
      processor = flag.substr(flag.find('=') + 1);
  for (const char* without :
       {"x86-64",    "x86-64-v2",    "k8",       "k8-sse3",    "opteron",    "opteron-sse3",
        "athlon64",  "athlon-fx",    "amdfam10", "barcelona",  "btver1",     "btver2",
        "bdver1",    "bdver2",       "bdver3",   "nocona",     "core2",      "penryn",
        "nehalem",   "westmere",     "corei7",   "corei7-avx", "core-avx-i", "sandybridge",
        "ivybridge", "bonnell",      "atom",     "silvermont", "slm",        "goldmont",
        "tremont",   "goldmont-plus"})
    if (processor == without)
      return false;
  return processor != "native" || __builtin_cpu_supports("avx2");
}
#endif

} // namespace

bool isClang(const Words& compiler) {
  const std::string& name = compiler.back();
  return name.substr(name.rfind('/') + 1).find("clang") != std::string::npos;
}

bool meansTheSameToAll(const std::string& flag) {
  for (const char* kept :
       {"-w", "-pthread", "-fPIC", "-fpic", "-fPIE", "-fpie", "-ffast-math", "-fno-strict-aliasing",
        "-fwrapv", "-fno-wrapv", "-fno-exceptions", "-fno-rtti", "-fomit-frame-pointer",
        "-fno-omit-frame-pointer", "-funroll-loops"})
    if (flag == kept)
      return true;
  for (const char* kept : {"-W", "-D", "-U", "-I", "-L", "-l", "-g", "-O",
                           "-std=", "-march=", "-mtune=", "-fvisibility="})
    if (flag.rfind(kept, 0) == 0)
      return true;
  return false;
}

Words codeFlags(const Options& options, Language language, bool clang) {
  Words words;
  add(words, {"-march=native", "-fno-math-errno", "-fno-trapping-math"});
  if (clang)
    // What clang 19 itself makes of `native` on processors with AVX10; and what is a warning to
    // nvcc and g++.
    add(words, {"-Wno-unknown-warning-option", "-Wno-invalid-feature-combination",
                "-Wno-error=c++11-narrowing", "-Wno-error=enum-constexpr-conversion"});
  if (language != Language::C)
    // Device code looks at a float's bits through an int pointer, and nvcc lets it; a GPU's
    // integers wrap, where clang++ takes overflow as impossible. A .cpp file may be translated
    // code.
    add(words, {"-fno-strict-aliasing", "-fwrapv"});
  if (language != Language::C && clang)
    // `int base; if (lane == 0) base = atomicAdd(..); base = __shfl_sync(mask, base, 0);` is what
    // every CUDA guide writes. A variable that other lanes pass on unset mustn't make clang++ take
    // the branch as taken by all of them.
    add(words, {"-Xclang", "-no-enable-noundef-analysis"});
  if (options.fastMath)
    // CUDA's fast math is about precision; infinities and NaNs stay what they are.
    add(words, {"-ffast-math", "-fno-finite-math-only"});
  if (!options.contract)
    words.push_back("-ffp-contract=off");
  else if (clang)
    // As nvcc and g++ do by themselves. Contracted within expressions only (`on`), a product whose
    // loop runs around lanes becomes a gather under clang 19, 2.4 times slower. Our headers say
    // where not: __fmul_rn() and its kin.
    words.push_back("-ffp-contract=fast-honor-pragmas");
  else if (language == Language::Cuda)
    // Without the first g++ does that from -O2 on only; without the second it leaves chains of sums
    // unfused where it tunes for AMD's processors.
    add(words, {"-fexpensive-optimizations", "--param=avoid-fma-max-bits=0"});
  if (clang && language == Language::Cuda)
    // Two products in a vector whose sums are not would keep two roundings, where a GPU fuses them:
    // straight code becomes vectors only where that saves more than the products, and those of
    // structures that arguments bring in vector registers are taken apart.
    add(words, {"-mllvm", "-slp-threshold=3", "-mllvm", "-disable-vector-combine"});
#if defined(__x86_64__) && defined(__GLIBC__)
  if (clang && language == Language::Cuda)
    // Full vectors, which clang avoids by itself. Ranges of threads are seldom a multiple of a
    // vector: what is left over runs as a narrower one.
    add(words, {"-mprefer-vector-width=512", "-mllvm", "-epilogue-vectorization-minimum-VF=8"});
  if (clang && language == Language::Cuda && hasAvx2(options.hostFlags))
    // expf() and its kin in loops over threads. Without AVX2 clang++ would call the versions for it
    // all the same, with vectors in two registers: wrong results.
    words.push_back("-fveclib=libmvec");
#endif
  return words;
}

} // namespace cu2cpp::cu2cc
