// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX ranges: what their functions return, with a profile and without. CTest looks for the names
// in the table and in the trace.
#include <cstdlib>

#include <nvtx3/nvToolsExt.h>

#include "runtime_test.h"

namespace {

using Nvtx = RuntimeTest;

TEST_F(Nvtx, RangesHoldEachOther) {
  const bool kept = std::getenv("CU2CPP_PROFILE") || std::getenv("CU2CPP_TRACE");
  EXPECT_EQ(nvtxRangePushA("outer range"), kept ? 0 : NVTX_NO_PUSH_POP_TRACKING);
  nvtxEventAttributes_t attributes{};
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = "inner \"range\"";
  EXPECT_EQ(nvtxRangePushEx(&attributes), kept ? 1 : NVTX_NO_PUSH_POP_TRACKING);
  nvtxMarkA("mark");
  EXPECT_EQ(nvtxRangePop(), kept ? 1 : NVTX_NO_PUSH_POP_TRACKING);
  EXPECT_EQ(nvtxRangePop(), kept ? 0 : NVTX_NO_PUSH_POP_TRACKING);
  EXPECT_EQ(nvtxRangePop(), NVTX_NO_PUSH_POP_TRACKING) << "nothing is open";
  const nvtxRangeId_t first = nvtxRangeStartA("started first");
  const nvtxRangeId_t second = nvtxRangeStartA("started second");
  EXPECT_EQ(first != second, kept);
  nvtxRangeEnd(first);
  nvtxRangeEnd(second);
  nvtxRangeEnd(12345);
  nvtxRangeEnd(nvtxRangeStartA("gr\xfc\xdf"
                               "e")); // no UTF-8
}

} // namespace
