// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread brings to a scan of its block or warp, and the scan.
#ifndef CU2CPP_CUB_DETAIL_SCAN_OPERAND_CUH
#define CU2CPP_CUB_DETAIL_SCAN_OPERAND_CUH

#include <cub/detail/collective.cuh>
#include <cub/thread/thread_operators.cuh>

namespace cub {
namespace detail {

struct NoPrefix {};

template <class Type, int Count, bool inclusive, class Op, class Prefix> struct ScanOperand {
  Type value[Count];
  Op op;
  bool hasInitial;
  Type initial; // the first thread's holds
  Type aggregate;
  Prefix* prefix;

  ScanOperand(const Type* input, Op o, const Type* start, Prefix* p)
      : op(o), hasInitial(start != nullptr), initial(start ? *start : input[0]),
        aggregate(input[0]), prefix(p) {
    for (int i = 0; i < Count; ++i)
      value[i] = input[i];
  }
  // The first item of an exclusive scan without a start value has no result and is left alone.
  void store(Type* output, Type* total) const {
    for (int i = 0; i < Count; ++i)
      output[i] = value[i];
    if (total)
      *total = aggregate;
  }

  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    using ::cu2cpp::detail::eachOperand;
    using Self = ScanOperand;
    Self* first = nullptr;
    Self* last = nullptr;
    // The aggregate is that of the items alone; what comes before them is seen in the results.
    eachOperand<Self>(group, [&](unsigned, Self& mine) {
      Type own = mine.value[0];
      for (int i = 1; i < Count; ++i)
        own = mine.op(own, mine.value[i]);
      mine.aggregate = last ? Type(mine.op(last->aggregate, own)) : own;
      if (!first)
        first = &mine;
      last = &mine;
    });
    if (!first)
      return;
    const Type total = last->aggregate;
    bool any = first->hasInitial;
    Type before = first->initial;
    if constexpr (!std::is_same<Prefix, NoPrefix>::value) {
      // The first warp calls it, and what the first lane gets counts.
      const Type given = Type((*first->prefix)(total));
      eachOperand<Self>(group, [&](unsigned i, Self& mine) {
        if (i > 0 && i < 32)
          (void)(*mine.prefix)(total);
      });
      before = given;
      any = true;
    }
    eachOperand<Self>(group, [&](unsigned, Self& mine) {
      for (int i = 0; i < Count; ++i) {
        const Type next = any ? Type(mine.op(before, mine.value[i])) : mine.value[i];
        if (inclusive)
          mine.value[i] = next;
        else if (any)
          mine.value[i] = before;
        before = next;
        any = true;
      }
      mine.aggregate = total;
    });
  }
};

} // namespace detail
} // namespace cub

#endif
