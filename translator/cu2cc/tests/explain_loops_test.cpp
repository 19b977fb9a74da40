// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vectoriser's record in words.
#include "../explain_loops.h"

#include <gtest/gtest.h>

namespace {

const char* const record = R"(--- !Passed
Pass:            loop-vectorize
Name:            Vectorized
DebugLoc:        { File: 'lib/include/cu2cpp/block.h', Line: 134, 
                   Column: 3 }
Function:        _Z5scalePfi
Args:
  - String:          'vectorized '
  - VectorizationFactor: '16'
...
--- !Analysis
Pass:            loop-vectorize
Name:            UnsafeDep
DebugLoc:        { File: my.cu, Line: 7, Column: 5 }
Function:        _Z5scalePfi
Args:
  - String:          'loop not vectorized: '
  - String:          'unsafe dependent memory operations in loop'
...
--- !Missed
Pass:            loop-vectorize
Name:            MissedDetails
DebugLoc:        { File: my.cu, Line: 7, Column: 5 }
Function:        _Z5scalePfi
Args:
  - String:          loop not vectorized
...
--- !Missed
Pass:            loop-vectorize
Name:            MissedDetails
DebugLoc:        { File: my.cu, Line: 30, Column: 3 }
Function:        main
Args:
  - String:          loop not vectorized
...
)";

TEST(ExplainLoops, NamesKernelsLoopsAndReasons) {
  EXPECT_EQ(cu2cpp::cu2cc::explainLoops(record),
            "scale(float*, int)\n"
            "  loops over threads: 1 vectorised (16 threads or steps at once)\n"
            "  loop at my.cu:7:5: 1 not\n"
            "    not: unsafe dependent memory operations in loop\n");
}

TEST(ExplainLoops, LoopsOverThreadsStandInAnyOfTheHeadersForTranslatedCode) {
  const auto said = [](const std::string& file) {
    return cu2cpp::cu2cc::explainLoops("--- !Passed\nDebugLoc: { File: '" + file +
                                       "', Line: 1, Column: 3 }\nFunction: f\nArgs:\n"
                                       "  - VectorizationFactor: '8'\n...\n");
  };
  EXPECT_NE(said("lib/include/cu2cpp/block_row.h").find("threads: 1 vectorised"),
            std::string::npos);
  EXPECT_EQ(said("lib/include/cu2cpp/device/warp.h"), "");
  EXPECT_EQ(said("my.cu"), "");
}

TEST(ExplainLoops, AnEmptyRecordSaysNothing) { EXPECT_EQ(cu2cpp::cu2cc::explainLoops(""), ""); }

} // namespace
