// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of which one layer of threads does what all of their layers would: each thread runs for
// its own layer, and for those of the threads behind it along z.
#ifndef CU2CPP_BLOCK_LAYERS_H
#define CU2CPP_BLOCK_LAYERS_H

#include <cu2cpp/block.h>

namespace cu2cpp {

/// LayersInOne makes the running block one of a single layer as long as it lives; its blockDim is
/// the size of the block that was launched.
class LayersInOne {
public:
  LayersInOne() : blockDim(thisBlock().blockDim), whole_(thisBlock()), layer_(whole_) {
    layer_.blockDim.z = 1;
    detail::context.block = &layer_;
  }
  LayersInOne(const LayersInOne&) = delete;
  LayersInOne& operator=(const LayersInOne&) = delete;
  ~LayersInOne() {
    whole_.taken = layer_.taken;
    detail::context.block = &whole_;
  }

  const ::dim3 blockDim;

private:
  const Block& whole_;
  Block layer_;
};

} // namespace cu2cpp

#endif
