// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named ranges of the host's time, for CU2CPP_PROFILE and CU2CPP_TRACE. Nothing is kept otherwise.
//
// NVTX Library, 'Markers and Ranges'.
#include <map>
#include <mutex>
#include <vector>

#include <sys/syscall.h>
#include <unistd.h>

#include <nvtx3/nvToolsExt.h>

#include "core/profiler.h"
#include "core/scheduler.h"

using namespace cu2cpp::rt;

namespace {

thread_local std::vector<HostRange> pushed;

struct Started {
  std::mutex mutex; // a leaf
  nvtxRangeId_t last = 0;
  std::map<nvtxRangeId_t, HostRange> ranges;
};
Started& started() {
  static Started& all = *new Started; // static destructors may end ranges
  return all;
}

HostRange begin(const char* name) {
  return {name ? name : "(no name)", syscall(SYS_gettid), now(), 0};
}
void end(HostRange range) {
  range.end = now();
  noteRange(std::move(range));
}

} // namespace

extern "C" int cu2cppRangePush(const char* name) {
  if (!profiling())
    return NVTX_NO_PUSH_POP_TRACKING;
  pushed.push_back(begin(name));
  return int(pushed.size()) - 1;
}
extern "C" int cu2cppRangePop(void) {
  if (pushed.empty())
    return NVTX_NO_PUSH_POP_TRACKING;
  end(std::move(pushed.back()));
  pushed.pop_back();
  return int(pushed.size());
}
extern "C" uint64_t cu2cppRangeStart(const char* name) {
  if (!profiling())
    return 0;
  const std::lock_guard<std::mutex> lock(started().mutex);
  started().ranges[++started().last] = begin(name);
  return started().last;
}
extern "C" void cu2cppRangeEnd(uint64_t id) {
  const std::lock_guard<std::mutex> lock(started().mutex);
  const auto range = started().ranges.find(id);
  if (range == started().ranges.end())
    return;
  end(std::move(range->second));
  started().ranges.erase(range);
}
extern "C" void cu2cppMark(const char* name) {
  if (!profiling())
    return;
  HostRange mark = begin(name);
  mark.end = mark.start;
  noteRange(std::move(mark));
}
