// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The running block and thread as translated code sees them: thisBlock(), thisThread(), the loops
// over a block's threads (one template for each execution form) and shared memory.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy' and 'Shared Memory'.
#ifndef CU2CPP_BLOCK_H
#define CU2CPP_BLOCK_H

#include <cstddef>
#include <type_traits>

#include <cu2cpp/attributes.h>
#include <vector_types.h>

namespace cu2cpp {

/// Block is one block of a running grid. It lives on the OS thread that runs the block, from before
/// the kernel is called for it until after the kernel has returned; a block never moves to another
/// OS thread.
struct Block {
  ::uint3 blockIdx{};
  ::dim3 blockDim{};
  ::dim3 gridDim{};
  void* dynamicShared = nullptr;      ///< the block's dynamic shared memory, 1024-byte aligned
  std::size_t dynamicSharedBytes = 0; ///< as given in the launch
  void* staticShared =
      nullptr; ///< arena for shared variables that are not locals of the kernel, see shared()

  /// How many blocks behind this one, in its row of the grid, the OS thread is to run next; and how
  /// many of them the kernel has run along (block_row.h).
  unsigned following = 0;
  mutable unsigned taken = 0;

  unsigned threadCount() const { return blockDim.x * blockDim.y * blockDim.z; }
  unsigned warpCount() const { return (threadCount() + 31) / 32; }
};

/// Thread is one thread of a block. Device functions that need built-in variables take one as their
/// first parameter.
struct Thread {
  ::uint3 threadIdx{};
  const Block* block = nullptr;
  unsigned index = 0; ///< rank() again, set by eachThread() and eachThreadPublished() only: it
                      ///< costs nothing there

  operator ::uint3() const { return threadIdx; }
  /// rank() is the linear index within the block (x fastest); warp = rank / 32, lane = rank % 32.
  unsigned rank() const {
    return threadIdx.x + block->blockDim.x * (threadIdx.y + block->blockDim.y * threadIdx.z);
  }
};

namespace detail {

struct OneByOne;

/// Context is what an OS thread is running right now. Fiber switches keep `thread` up to date.
struct Context {
  const Block* block;
  const Thread* thread;
  OneByOne* oneByOne; ///< what the lanes of a warp have brought that come one by one
};
// __thread and not thread_local: no initialisation wrapper on each access, and translated code
// reads it in hot places.
extern __thread Context context;

/// SharedSlot is the place of one shared variable in every block's static arena; offsets are handed
/// out at start-up.
class SharedSlot {
public:
  SharedSlot(std::size_t bytes, std::size_t alignment) noexcept;
  void* in(const Block& block) const noexcept {
    return static_cast<char*>(block.staticShared) + offset_;
  }

private:
  std::size_t offset_;
};

/// SharedVariable owns the slot of one `__shared__` variable; Tag (a lambda's type) tells variables
/// apart.
template <class T, class Tag> struct SharedVariable {
  static inline const SharedSlot slot{sizeof(T), alignof(T)};
};

/// runOnFibers() runs call(body, thread) for each thread of the block on a fiber of its own and
/// returns when all have returned. kernel names the kernel in messages (stack overflow, deadlock).
void runOnFibers(const Block& block, void (*call)(void* body, const Thread& thread), void* body,
                 const char* kernel);

} // namespace detail

/// thisBlock() is the block that this OS thread runs. Only valid while a kernel runs.
inline const Block& thisBlock() noexcept { return *detail::context.block; }

/// onDevice() tells whether this OS thread is running a kernel: `__host__ __device__` functions
/// with two sides ask.
inline bool onDevice() noexcept { return detail::context.block != nullptr; }

/// thisThread() is the running thread, for functions that could not be given it as a parameter.
/// Only valid under eachThreadPublished() and eachThreadOnFiber().
inline const Thread& thisThread() noexcept { return *detail::context.thread; }

// The threads of a block may run in any order between two barriers, so a row of them may run as one
// vector. Compilers are told, since they would look for dependences between threads otherwise; what
// cannot be vectorised stays a loop.
#if defined(__clang__)
#define CU2CPP_EACH_LANE                                                                           \
  _Pragma("clang loop vectorize(assume_safety)") _Pragma("clang loop unroll(disable)")
// For short bodies.
#define CU2CPP_EACH_NEIGHBOUR _Pragma("clang loop vectorize(assume_safety)")
// Being told is no promise: some bodies cannot be vectorised.
#pragma clang diagnostic ignored "-Wpass-failed"
#elif defined(__GNUC__)
#define CU2CPP_EACH_LANE _Pragma("GCC ivdep")
#define CU2CPP_EACH_NEIGHBOUR CU2CPP_EACH_LANE
#else
#define CU2CPP_EACH_LANE
#define CU2CPP_EACH_NEIGHBOUR
#endif

namespace detail {

// Loops over threads count in size_t, so that no compiler widens threadIdx.x: what programs compute
// with it, gathers and comparisons, stays as narrow as they wrote it.

/// The loops of eachThread(). X, Y and Z are unsigned, or constants of the types below.
template <class Body, class X, class Y, class Z>
__attribute__((always_inline)) inline void runThreads(const Block& block, Body& body, X sizeX,
                                                      Y sizeY, Z sizeZ) {
  const unsigned countX = sizeX, countY = sizeY, countZ = sizeZ;
  unsigned row = 0;
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y, row += countX)
      CU2CPP_EACH_LANE
  for (std::size_t x = 0; x < countX; ++x)
    body(Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
}

/// The loops of eachThreadBelow(), likewise.
template <class Bound, class Body, class X, class Y, class Z>
__attribute__((always_inline)) inline void runThreadsBelow(const Block& block, Bound bound,
                                                           Body& body, X sizeX, Y sizeY, Z sizeZ) {
  const unsigned countX = sizeX, countY = sizeY, countZ = sizeZ;
  const unsigned count = bound <= 0                                        ? 0
                         : static_cast<unsigned long long>(bound) < countX ? unsigned(bound)
                                                                           : countX;
  unsigned row = 0;
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y, row += countX)
      CU2CPP_EACH_LANE
  for (std::size_t x = 0; x < count; ++x)
    body(Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
}

} // namespace detail

/// eachThread() is the `loop` form: runs body(thread) for all threads of the block, threadIdx.x
/// fastest.
template <class Body>
__attribute__((always_inline)) inline void eachThread(const Block& block, Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runThreads(block, body, size.x, size.y, size.z);
}

/// eachThreadBelow() is eachThread() for the threads whose threadIdx.x is less than `bound`.
template <class Bound, class Body>
__attribute__((always_inline)) inline void eachThreadBelow(const Block& block, Bound bound,
                                                           Body&& body) {
  const ::dim3 size = block.blockDim;
  detail::runThreadsBelow(block, bound, body, size.x, size.y, size.z);
}

/// SizedBlock is a block of a kernel that is launched with blocks of X * Y * Z threads somewhere.
/// Loops over the threads of such blocks have constant bounds, which makes short ones several times
/// faster; blocks of other sizes take other loops.
template <unsigned X, unsigned Y, unsigned Z> struct SizedBlock : Block {
  bool asExpected() const { return blockDim.x == X && blockDim.y == Y && blockDim.z == Z; }
};

/// thisBlock<256>() is thisBlock() with the hint that blocks of 256 threads are usual.
template <unsigned X, unsigned Y = 1, unsigned Z = 1>
inline const SizedBlock<X, Y, Z>& thisBlock() noexcept {
  return static_cast<const SizedBlock<X, Y, Z>&>(thisBlock());
}

template <unsigned X, unsigned Y, unsigned Z, class Body>
__attribute__((always_inline)) inline void eachThread(const SizedBlock<X, Y, Z>& block,
                                                      Body&& body) {
  if (block.asExpected())
    return detail::runThreads(block, body, std::integral_constant<unsigned, X>(),
                              std::integral_constant<unsigned, Y>(),
                              std::integral_constant<unsigned, Z>());
  eachThread(static_cast<const Block&>(block), body);
}

template <unsigned X, unsigned Y, unsigned Z, class Bound, class Body>
__attribute__((always_inline)) inline void eachThreadBelow(const SizedBlock<X, Y, Z>& block,
                                                           Bound bound, Body&& body) {
  if (!block.asExpected())
    return eachThreadBelow(static_cast<const Block&>(block), bound, body);
  detail::runThreadsBelow(block, bound, body, std::integral_constant<unsigned, X>(),
                          std::integral_constant<unsigned, Y>(),
                          std::integral_constant<unsigned, Z>());
}

namespace detail {

/// The loops of eachThreadRising(). X, Y and Z are unsigned, or constants.
template <class Holds, class Body, class X, class Y, class Z>
__attribute__((always_inline)) inline bool runRising(const Block& block, Holds& holds, Body& body,
                                                     X sizeX, Y sizeY, Z sizeZ) {
  const unsigned countX = sizeX, countY = sizeY, countZ = sizeZ;
  bool any = false;
  unsigned row = 0;
  for (unsigned z = 0; z < countZ; ++z)
    for (unsigned y = 0; y < countY; ++y, row += countX) {
      unsigned count = countX;
      if (!holds(Thread{::uint3{countX - 1, y, z}, &block, row + countX - 1})) {
        count = 0;
        for (unsigned top = countX - 1; count < top;) {
          const unsigned middle = (count + top) / 2;
          if (holds(Thread{::uint3{middle, y, z}, &block, row + middle}))
            count = middle + 1;
          else
            top = middle;
        }
      } else if (!std::is_same<X, unsigned>::value) {
        any = true;
        CU2CPP_EACH_NEIGHBOUR
        for (std::size_t x = 0; x < countX; ++x)
          body(Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
        continue;
      }
      any |= count != 0;
      CU2CPP_EACH_NEIGHBOUR
      for (std::size_t x = 0; x < count; ++x)
        body(Thread{::uint3{unsigned(x), y, z}, &block, row + unsigned(x)});
    }
  return any;
}

} // namespace detail

/// eachThreadRising() runs body(thread) for all threads for which holds(thread), and tells whether
/// there are any. In each row of threads it must hold for all up to the last for which it does:
/// i < n, where i is one more in each thread.
template <class Holds, class Body>
__attribute__((always_inline)) inline bool eachThreadRising(const Block& block, Holds&& holds,
                                                            Body&& body) {
  const ::dim3 size = block.blockDim;
  return detail::runRising(block, holds, body, size.x, size.y, size.z);
}
template <unsigned X, unsigned Y, unsigned Z, class Holds, class Body>
__attribute__((always_inline)) inline bool eachThreadRising(const SizedBlock<X, Y, Z>& block,
                                                            Holds&& holds, Body&& body) {
  if (block.asExpected())
    return detail::runRising(block, holds, body, std::integral_constant<unsigned, X>(),
                             std::integral_constant<unsigned, Y>(),
                             std::integral_constant<unsigned, Z>());
  return eachThreadRising(static_cast<const Block&>(block), holds, body);
}

/// eachThreadPublished() is the `loop` form for bodies that reach functions which ask for
/// thisThread().
template <class Body> inline void eachThreadPublished(const Block& block, Body&& body) {
  Thread thread{{}, &block, 0};
  detail::context.thread = &thread;
  const ::dim3 size = block.blockDim;
  unsigned row = 0;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y, row += size.x)
      for (unsigned x = 0; x < size.x; ++x) {
        thread.threadIdx = ::uint3{x, y, z};
        thread.index = row + x;
        body(static_cast<const Thread&>(thread));
      }
  detail::context.thread = nullptr;
}

/// eachThreadOnFiber() is the `fibers` form: each thread is a fiber, switched where it waits in a
/// collective.
template <class Body>
inline void eachThreadOnFiber(const Block& block, Body&& body,
                              const char* kernel = __builtin_FUNCTION()) {
  using Plain = typename std::remove_reference<Body>::type;
  detail::runOnFibers(
      block, [](void* b, const Thread& thread) { (*static_cast<Plain*>(b))(thread); },
      const_cast<void*>(static_cast<const void*>(&body)), kernel);
}

/// dynamicShared<T>() is the running block's dynamic shared memory (`extern __shared__ T name[]`).
template <class T> inline T* dynamicShared() noexcept {
  return static_cast<T*>(thisBlock().dynamicShared);
}

/// shared<T>([]{}) is the running block's copy of one `__shared__` variable that could not become a
/// local variable of the kernel: those of device functions and of namespace scope.
template <class T, class Tag> inline T& shared(Tag) noexcept {
  return *static_cast<T*>(detail::SharedVariable<T, Tag>::slot.in(thisBlock()));
}

/// shared<Holder>() is the running block's copy of a `__shared__` variable of namespace scope,
/// wrapped in a struct.
template <class Holder> inline Holder& shared() noexcept {
  return *static_cast<Holder*>(detail::SharedVariable<Holder, Holder>::slot.in(thisBlock()));
}

} // namespace cu2cpp

#endif
