// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of collectives that move items between threads: each thread brings its Count items, the
// group's items are worked on as one array, and each thread takes Count back.
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

/// How the items of a group lie in its threads: thread t's item i is that of place t * Count + i
/// (blocked), i * threads + t (striped), or striped within its warp's part.
enum class Arrangement { blocked, striped, warpStriped };

template <Arrangement arrangement, int Count>
inline std::size_t placeOf(unsigned thread, int item, unsigned threads) {
  switch (arrangement) {
  case Arrangement::blocked:
    return std::size_t(thread) * Count + std::size_t(item);
  case Arrangement::striped:
    return std::size_t(item) * threads + thread;
  case Arrangement::warpStriped:
    return std::size_t(thread / 32) * 32 * Count + std::size_t(item) * 32 + thread % 32;
  }
  return 0;
}

/// Box keeps std::vector<bool> away.
template <class Type> struct Box {
  Type item;
};

/// gather() collects the group's items in the order of their places; scatter() is the way back.
template <Arrangement from, int Count, class Operand, class Type, class Member>
inline std::vector<Box<Type>> gather(const ::cu2cpp::detail::TileGroup& group, Member member) {
  Operand* any = nullptr;
  ::cu2cpp::detail::eachOperand<Operand>(group, [&](unsigned, Operand& mine) { any = &mine; });
  std::vector<Box<Type>> all(std::size_t(group.count) * Count, Box<Type>{member(*any)[0]});
  ::cu2cpp::detail::eachOperand<Operand>(group, [&](unsigned t, Operand& mine) {
    for (int i = 0; i < Count; ++i)
      all[placeOf<from, Count>(t, i, group.count)].item = member(mine)[i];
  });
  return all;
}
template <Arrangement to, int Count, class Operand, class Type, class Member>
inline void scatter(const ::cu2cpp::detail::TileGroup& group, const std::vector<Box<Type>>& all,
                    Member member) {
  ::cu2cpp::detail::eachOperand<Operand>(group, [&](unsigned t, Operand& mine) {
    for (int i = 0; i < Count; ++i)
      member(mine)[i] = all[placeOf<to, Count>(t, i, group.count)].item;
  });
}

/// Items of a thread, and where they go.
template <class Type, int Count> struct Items {
  Type item[Count];
  void load(const Type* from) {
    for (int i = 0; i < Count; ++i)
      item[i] = from[i];
  }
  void store(Type* to) const {
    for (int i = 0; i < Count; ++i)
      to[i] = item[i];
  }
};

} // namespace detail
} // namespace cub

#endif
