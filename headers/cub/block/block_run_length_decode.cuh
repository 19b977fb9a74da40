// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::BlockRunLengthDecode: runs that the block's threads bring, written out item by item.
//
// CUB documentation, 'BlockRunLengthDecode'.
#ifndef CU2CPP_CUB_BLOCK_RUN_LENGTH_DECODE_CUH
#define CU2CPP_CUB_BLOCK_RUN_LENGTH_DECODE_CUH

#include <cstdint>

#include <cub/detail/item_operand.cuh>

namespace cub {
namespace detail {

/// The runs are kept in the block's shared memory, which is all that the windows need.
template <class ItemT, int Count, class LengthT, class OffsetT>
struct RunsOperand : Items<ItemT, Count> {
  LengthT length[Count];
  ItemT* items;
  OffsetT* offsets; // one more than runs: the last is the total
  OffsetT total;
  static void resolve(const ::cu2cpp::detail::TileGroup& group) {
    OffsetT at = 0;
    unsigned run = 0;
    ::cu2cpp::detail::eachOperand<RunsOperand>(group, [&](unsigned, RunsOperand& mine) {
      for (int i = 0; i < Count; ++i, ++run) {
        mine.items[run] = mine.item[i];
        mine.offsets[run] = at;
        at = OffsetT(at + OffsetT(mine.length[i]));
        mine.offsets[run + 1] = at;
      }
    });
    ::cu2cpp::detail::eachOperand<RunsOperand>(
        group, [&](unsigned, RunsOperand& mine) { mine.total = at; });
  }
};

} // namespace detail

template <class ItemT, int BlockDimX, int RunsPerThread, int DecodedItemsPerThread,
          class DecodedOffsetT = std::uint32_t, int BlockDimY = 1, int BlockDimZ = 1>
class BlockRunLengthDecode {
  static constexpr int runs = BlockDimX * BlockDimY * BlockDimZ * RunsPerThread;

public:
  struct TempStorage {
    alignas(ItemT) unsigned char items[sizeof(ItemT) * runs];
    DecodedOffsetT offsets[runs + 1];
  };

  template <class RunLengthT, class TotalDecodedSizeT>
  CU2CPP_SYNC(block)
  BlockRunLengthDecode(TempStorage& temp_storage, ItemT (&run_values)[RunsPerThread],
                       RunLengthT (&run_lengths)[RunsPerThread],
                       TotalDecodedSizeT& total_decoded_size)
      : temp_(temp_storage) {
    detail::RunsOperand<ItemT, RunsPerThread, RunLengthT, DecodedOffsetT> mine;
    mine.load(run_values);
    for (int i = 0; i < RunsPerThread; ++i)
      mine.length[i] = run_lengths[i];
    mine.items = reinterpret_cast<ItemT*>(temp_.items);
    mine.offsets = temp_.offsets;
    ::cu2cpp::detail::meetBlock(mine, "cub::BlockRunLengthDecode");
    total_decoded_size = TotalDecodedSizeT(mine.total);
  }
  /// The items of the window that starts at from_decoded_offset, and each item's place in its run.
  template <class RelativeOffsetT>
  CU2CPP_THREAD void RunLengthDecode(ItemT (&decoded_items)[DecodedItemsPerThread],
                                     RelativeOffsetT (&item_offsets)[DecodedItemsPerThread],
                                     DecodedOffsetT from_decoded_offset = 0) {
    for (int i = 0; i < DecodedItemsPerThread; ++i) {
      const DecodedOffsetT at = DecodedOffsetT(
          from_decoded_offset + ::cu2cpp::thisThread().rank() * DecodedItemsPerThread + i);
      const DecodedOffsetT* end = temp_.offsets + runs + 1;
      const DecodedOffsetT* next = std::upper_bound(temp_.offsets, end, at);
      if (next == end || next == temp_.offsets)
        continue;
      decoded_items[i] = reinterpret_cast<ItemT*>(temp_.items)[next - temp_.offsets - 1];
      item_offsets[i] = RelativeOffsetT(at - next[-1]);
    }
  }
  CU2CPP_THREAD void RunLengthDecode(ItemT (&decoded_items)[DecodedItemsPerThread],
                                     DecodedOffsetT from_decoded_offset = 0) {
    DecodedOffsetT unused[DecodedItemsPerThread];
    RunLengthDecode(decoded_items, unused, from_decoded_offset);
  }

private:
  TempStorage& temp_;
};

} // namespace cub

#endif
