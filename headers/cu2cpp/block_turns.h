// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are one loop by the whole grid, `for (row = first; row < rows; row += warps)`, with
// nothing that is kept from step to step but small arrays in shared memory: the blocks that an OS
// thread runs take turns, one step each. Neighbours then come to neighbouring rows one after the
// other, and what they load is in the cache or foreseen; a block on its own goes from page to page.
// Each thread runs its steps in their order.
//
// CUDA C++ Programming Guide, 'Thread Hierarchy': blocks are independent.
#ifndef CU2CPP_BLOCK_TURNS_H
#define CU2CPP_BLOCK_TURNS_H

#include <cstring>
#include <type_traits>

#include <cu2cpp/block.h>

namespace cu2cpp {

/// Turn is one step of a kernel's loop, for all of its blocks that take turns.
class Turn {
public:
  Turn() = default;
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { delete[] aside_; }

  /// begin<type of the counter>() is where a loop's counter stands in this turn.
  template <class Counter, class First, class Step>
  __attribute__((always_inline)) Counter begin(First first, Step by) {
    const auto start = static_cast<Counter>(first);
    constexpr bool counts = std::is_integral_v<Counter> && !std::is_same_v<Counter, bool> &&
                            std::is_integral_v<decltype(+by)>;
    // A loop that goes back, also by numbers without a sign, is one turn.
    whole_ = true;
    if constexpr (counts)
      whole_ = !(by > 0) || static_cast<std::make_signed_t<Counter>>(by) <= 0;
    ran_ = false;
    over_ = whole_ && number_ != 0;
    if (whole_ || number_ == 0)
      return start;
    Counter way = 0, at = 0;
    if constexpr (counts)
      over_ = __builtin_mul_overflow(number_, +by, &way) || __builtin_add_overflow(start, way, &at);
    return at;
  }
  /// runs() tells whether the loop's step is this turn's; asked behind the loop's own condition.
  __attribute__((always_inline)) bool runs() {
    if (over_)
      return false;
    more_ |= ran_ && !whole_;
    const bool now = !ran_ || whole_;
    ran_ = true;
    return now;
  }

  /// KeptShared puts aside what a block has in shared memory when its turn ends.
  template <class... Variable> class KeptShared;
  template <class First, class... More> class KeptShared<First, More...> {
  public:
    KeptShared(unsigned char* aside, bool isFirst, First& first, More&... more)
        : aside_(aside), variable_(const_cast<void*>(static_cast<const volatile void*>(&first))),
          more_(aside + sizeof first, isFirst, more...) {
      if (!isFirst)
        std::memcpy(variable_, aside_, sizeof first);
    }
    KeptShared(const KeptShared&) = delete;
    KeptShared& operator=(const KeptShared&) = delete;
    ~KeptShared() { std::memcpy(aside_, variable_, sizeof(First)); }

  private:
    unsigned char* aside_;
    void* variable_;
    KeptShared<More...> more_;
  };
  /// keep() is what a block's shared variables are kept by from one of its turns to the next.
  template <class... Variable> __attribute__((always_inline)) auto keep(Variable&... variables) {
    constexpr std::size_t bytes = (sizeof variables + ...);
    if (!aside_)
      aside_ = new unsigned char[bytes * blocks_];
    return KeptShared<Variable...>(aside_ + bytes * block_, number_ == 0, variables...);
  }

  /// of() is a turn of the block of that number, of so many.
  __attribute__((always_inline)) Turn& of(unsigned block, unsigned blocks) {
    block_ = block;
    blocks_ = blocks;
    return *this;
  }
  /// next() goes on to the next turn; false if no loop has one.
  bool next() {
    ++number_;
    const bool more = more_;
    more_ = false;
    return more;
  }

private:
  unsigned long long number_ = 0;
  bool whole_ = false, ran_ = false, over_ = false, more_ = false;
  unsigned block_ = 0, blocks_ = 1;
  unsigned char* aside_ = nullptr;
};

template <> class Turn::KeptShared<> {
public:
  KeptShared(unsigned char*, bool) {}
};

/// runInTurns() runs body(block, turn) for the running block and all that follow it. (Functions may
/// ask thisBlock() for its place.)
template <class Body> __attribute__((always_inline)) inline void runInTurns(Body&& body) {
  Block& block = const_cast<Block&>(thisBlock());
  const unsigned first = block.blockIdx.x, count = block.following + 1;
  Turn turn;
  do {
    for (unsigned b = 0; b < count; ++b) {
      block.blockIdx.x = first + b;
      body(turn.of(b, count));
    }
  } while (turn.next());
  block.blockIdx.x = first;
  block.taken = count - 1;
}

} // namespace cu2cpp

#endif
