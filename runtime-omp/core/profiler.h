// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was executed when, for those who ask by environment: CU2CPP_PROFILE=1 prints a table at the
// end of the process, CU2CPP_TRACE=file.json writes a timeline for Perfetto. Costs one test of a
// flag for each task otherwise.
#ifndef CU2CPP_CORE_PROFILER_H
#define CU2CPP_CORE_PROFILER_H

#include <atomic>
#include <cstdint>
#include <string>

#include "exec/work.h"

namespace cu2cpp::rt {

struct Stream;

/// profiling() is true between cudaProfilerStart() and cudaProfilerStop(), and from the start of a
/// process whose environment asks for it.
bool profiling();
void setProfiling(bool on);

/// noteActivity() keeps one task that a stream has executed. Times are those of now().
void noteActivity(const Stream& stream, const Work::Description& what, std::int64_t start,
                  std::int64_t end);

/// HostRange is a stretch of a host thread's time that the program has named with NVTX; a mark is
/// one without duration.
struct HostRange {
  std::string name;
  long thread = 0; // the system's number of it
  std::int64_t start = 0, end = 0;
};
void noteRange(HostRange range);

/// reportProfile() writes what was asked for; at the end of the process.
void reportProfile();

} // namespace cu2cpp::rt

#endif
