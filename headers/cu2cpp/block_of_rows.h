// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of one row of threads that run as blocks of several shorter rows.
#ifndef CU2CPP_BLOCK_OF_ROWS_H
#define CU2CPP_BLOCK_OF_ROWS_H

#include <cu2cpp/block.h>

namespace cu2cpp {

/// BlockOfRows lays out the running block in rows of `width` threads as long as it lives: thread t
/// is the one at t % width in row t / width. The block has one row, of a multiple of that.
class BlockOfRows {
public:
  explicit BlockOfRows(unsigned width) : whole_(thisBlock()), rows_(whole_) {
    rows_.blockDim = ::dim3(width, whole_.blockDim.x / width, 1);
    detail::context.block = &rows_;
  }
  BlockOfRows(const BlockOfRows&) = delete;
  BlockOfRows& operator=(const BlockOfRows&) = delete;
  ~BlockOfRows() {
    whole_.taken = rows_.taken;
    whole_.wantedRows = rows_.wantedRows;
    detail::context.block = &whole_;
  }

private:
  const Block& whole_;
  Block rows_;
};

} // namespace cu2cpp

#endif
