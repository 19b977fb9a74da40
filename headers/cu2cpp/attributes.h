// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's function and variable qualifiers, and the marks by which a declaration tells the
// translator a fact about itself. Two readers see this file: the translator's parse (CU2CPP_PARSE
// is defined), for which each qualifier becomes an attribute that the AST keeps, and an ordinary C
// or C++ compiler, for which each qualifier is nothing.
//
// CUDA C++ Programming Guide, 'C++ Language Extensions'.
#ifndef CU2CPP_ATTRIBUTES_H
#define CU2CPP_ATTRIBUTES_H

#ifdef CU2CPP_PARSE

// Only __global__ keeps clang's own meaning (it makes `<<<>>>` legal). The others are annotations
// on purpose: clang's host/device call checks are stricter than nvcc's, so every function is parsed
// as callable from both sides.
#define __host__ __attribute__((annotate("cu2cpp.host")))
#define __device__ __attribute__((annotate("cu2cpp.device")))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((annotate("cu2cpp.shared")))
#define __constant__ __attribute__((annotate("cu2cpp.constant")))
#define __managed__ __attribute__((annotate("cu2cpp.managed")))
#define __grid_constant__ __attribute__((annotate("cu2cpp.grid_constant")))
#define __launch_bounds__(...) __attribute__((annotate("cu2cpp.launch_bounds", __VA_ARGS__)))
#define __maxnreg__(...)
#define __cluster_dims__(...) __attribute__((annotate("cu2cpp.cluster_dims", __VA_ARGS__)))

// A collective: every thread of the scope (block, warp, tile, cluster or grid) that takes part must
// arrive.
#define CU2CPP_SYNC(scope) __attribute__((annotate("cu2cpp.sync." #scope)))
// A function whose body reads the running thread's context (cu2cpp::thisThread()).
#define CU2CPP_THREAD __attribute__((annotate("cu2cpp.thread")))
// A function that gives a thread the same result whenever it calls it again with the same
// arguments, and has no effect.
#define CU2CPP_PURE __attribute__((annotate("cu2cpp.pure")))
// A collective that does nothing but wait: where code is cut at it, nothing of it is left.
#define CU2CPP_BARRIER __attribute__((annotate("cu2cpp.barrier")))
// A collective that has a version in cu2cpp::together, which all lanes of a warp or threads of a
// block call at once.
#define CU2CPP_TOGETHER __attribute__((annotate("cu2cpp.together")))
// A collective of a warp that gives all lanes the same: its version in cu2cpp::together gives one
// value.
#define CU2CPP_ALIKE __attribute__((annotate("cu2cpp.alike")))
// A collective without results that stays where it is: threads call it one after the other, in a
// loop of its own, and what it awaits has happened or happens when the loop ends.
#define CU2CPP_ONE_BY_ONE __attribute__((annotate("cu2cpp.one_by_one")))
// An atomic function that has plain versions in cu2cpp::inBlock and cu2cpp::inTurn, for addresses
// that only one block can reach.
#define CU2CPP_IN_BLOCK __attribute__((annotate("cu2cpp.in_block")))
// A function by which a block reaches the shared memory of another one.
#define CU2CPP_FOREIGN_SHARED __attribute__((annotate("cu2cpp.foreign_shared")))
// A function that tells in which kind of memory an address lies.
#define CU2CPP_ADDRESS_SPACE __attribute__((annotate("cu2cpp.address_space")))
// A built-in variable (threadIdx ...): exists in the parse only; translated code declares its own
// local of that name.
#define CU2CPP_BUILTIN __attribute__((annotate("cu2cpp.builtin")))
// Declared so that code parses, but has no meaning on a CPU or is not implemented: each use is
// diagnosed.
#define CU2CPP_UNSUPPORTED(why) __attribute__((annotate("cu2cpp.unsupported", why)))
// A function of the host's API that kernels must not call, though they may call others of it.
#define CU2CPP_HOST_ONLY(why) __attribute__((annotate("cu2cpp.host_only", why)))

#else

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)

#if defined(__GNUC__) && !defined(__clang__)
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif

#define CU2CPP_SYNC(scope)
#define CU2CPP_THREAD
#define CU2CPP_PURE
#define CU2CPP_TOGETHER
#define CU2CPP_ALIKE
#define CU2CPP_BARRIER
#define CU2CPP_ONE_BY_ONE
#define CU2CPP_IN_BLOCK
#define CU2CPP_FOREIGN_SHARED
#define CU2CPP_ADDRESS_SPACE
#define CU2CPP_UNSUPPORTED(why)
#define CU2CPP_HOST_ONLY(why)

#endif

// Structures are given to a function and come back part by part, where compilers would pack pairs of
// floats into one register: such pairs keep loops over threads from becoming vectors.
#if defined(__clang__) && defined(__x86_64__)
#define CU2CPP_BY_PARTS __attribute__((regcall, internal_linkage))
#else
#define CU2CPP_BY_PARTS
#endif

#ifdef __cplusplus
#define __forceinline__ inline __attribute__((always_inline))
#else
#define __forceinline__ static inline __attribute__((always_inline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
// __noinline__ is not a macro here: libstdc++ spells __attribute__((__noinline__)). The parse knows
// it as a keyword and the translator writes the attribute.

#endif
