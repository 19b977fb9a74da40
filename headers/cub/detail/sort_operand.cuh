// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread brings to a sort of its block or warp: items in a blocked arrangement.
#ifndef CU2CPP_CUB_DETAIL_SORT_OPERAND_CUH
#define CU2CPP_CUB_DETAIL_SORT_OPERAND_CUH

#include <cub/detail/item_operand.cuh>

namespace cub {
namespace detail {

template <class Key, class Value, int Count, Arrangement to, class Less> struct SortOperand {
  Items<Key, Count> keys;
  Items<Value, Count> values;
  Less less;
  int validItems = -1; // all
  Key outside{};       // what the others stand for

  explicit SortOperand(Less l) : less(l) {}

  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    const auto keysOf = [](SortOperand& mine) { return mine.keys.item; };
    const auto valuesOf = [](SortOperand& mine) { return mine.values.item; };
    auto keys = gather<Arrangement::blocked, Count, SortOperand, Key>(group, keysOf);
    const auto values = gather<Arrangement::blocked, Count, SortOperand, Value>(group, valuesOf);
    std::vector<unsigned> order(keys.size());
    for (unsigned i = 0; i < order.size(); ++i)
      order[i] = i;
    SortOperand* any = nullptr;
    ::cu2cpp::detail::eachOperand<SortOperand>(group,
                                               [&](unsigned, SortOperand& mine) { any = &mine; });
    if (any->validItems >= 0)
      for (std::size_t i = std::size_t(any->validItems); i < keys.size(); ++i)
        keys[i].item = any->outside;
    std::stable_sort(order.begin(), order.end(),
                     [&](unsigned a, unsigned b) { return any->less(keys[a].item, keys[b].item); });
    auto sortedKeys = keys;
    auto sortedValues = values;
    for (unsigned i = 0; i < order.size(); ++i) {
      sortedKeys[i] = keys[order[i]];
      sortedValues[i] = values[order[i]];
    }
    scatter<to, Count, SortOperand, Key>(group, sortedKeys, keysOf);
    scatter<to, Count, SortOperand, Value>(group, sortedValues, valuesOf);
  }
};

} // namespace detail
} // namespace cub

#endif
