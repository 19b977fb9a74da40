// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of collectives that move items between threads: each thread brings its N items, the
// group's items are worked on as one array, and each thread takes N back.
//
// CUB documentation, 'Warp-Wide and Block-Wide Primitives' (blocked and striped arrangements).
#ifndef CU2CPP_CUB_DETAIL_ITEM_OPERAND_CUH
#define CU2CPP_CUB_DETAIL_ITEM_OPERAND_CUH

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <cub/detail/collective.cuh>

namespace cub {
namespace detail {

/// How the items of a group lie in its threads: thread t's item i is that of place t * N + i
/// (blocked), i * threads + t (striped), or striped within its warp's part.
enum class Arrangement { blocked, striped, warpStriped };

template <Arrangement arrangement, int N>
inline std::size_t placeOf(unsigned thread, int item, unsigned threads) {
  switch (arrangement) {
  case Arrangement::blocked:
    return std::size_t(thread) * N + std::size_t(item);
  case Arrangement::striped:
    return std::size_t(item) * threads + thread;
  case Arrangement::warpStriped:
    return std::size_t(thread / 32) * 32 * N + std::size_t(item) * 32 + thread % 32;
  }
  return 0;
}

/// Box keeps std::vector<bool> away.
template <class T> struct Box {
  T item;
};

/// gather() collects the group's items in the order of their places; scatter() is the way back.
template <Arrangement from, int N, class Operand, class T, class Member>
inline std::vector<Box<T>> gather(const ::cu2cpp::detail::TileGroup& group, Member member) {
  Operand* any = nullptr;
  ::cu2cpp::detail::eachOperand<Operand>(group, [&](unsigned, Operand& mine) { any = &mine; });
  std::vector<Box<T>> all(std::size_t(group.count) * N, Box<T>{member(*any)[0]});
  ::cu2cpp::detail::eachOperand<Operand>(group, [&](unsigned t, Operand& mine) {
    for (int i = 0; i < N; ++i)
      all[placeOf<from, N>(t, i, group.count)].item = member(mine)[i];
  });
  return all;
}
template <Arrangement to, int N, class Operand, class T, class Member>
inline void scatter(const ::cu2cpp::detail::TileGroup& group, const std::vector<Box<T>>& all,
                    Member member) {
  ::cu2cpp::detail::eachOperand<Operand>(group, [&](unsigned t, Operand& mine) {
    for (int i = 0; i < N; ++i)
      member(mine)[i] = all[placeOf<to, N>(t, i, group.count)].item;
  });
}

/// Items of a thread, and where they go.
template <class T, int N> struct Items {
  T item[N];
  void load(const T* from) {
    for (int i = 0; i < N; ++i)
      item[i] = from[i];
  }
  void store(T* to) const {
    for (int i = 0; i < N; ++i)
      to[i] = item[i];
  }
};

} // namespace detail
} // namespace cub

#endif
