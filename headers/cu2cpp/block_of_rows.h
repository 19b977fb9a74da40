// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of one row of threads that run as blocks of several shorter rows.
#ifndef CU2CPP_BLOCK_OF_ROWS_H
#define CU2CPP_BLOCK_OF_ROWS_H

#include <cstdio>

#include <cu2cpp/block.h>
#include <cu2cpp/device/control.h>

namespace cu2cpp {

/// BlockOfRows lays out the running block in rows of `width` threads as long as it lives: thread t
/// is the one at t % width in row t / width. The block has one row, of a multiple of that: all
/// launches in the kernel's source have such blocks. One from elsewhere that has others ends with
/// cudaErrorLaunchFailure.
class BlockOfRows {
public:
  explicit BlockOfRows(unsigned width) : whole_(thisBlock()), rows_(whole_) {
    if (const ::dim3 size = whole_.blockDim; size.y != 1 || size.z != 1 || size.x % width != 0) {
      std::fprintf(stderr,
                   "cu2cpp: a block of %u x %u x %u threads, of a kernel whose source only launches "
                   "blocks of one row of a multiple of %u threads; launch it there, too\n",
                   size.x, size.y, size.z, width);
      ::__trap();
    }
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
