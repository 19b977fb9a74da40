// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table and the timeline.
#include "core/profiler.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/device.h"
#include "exec/kernel_names.h"

namespace cu2cpp::rt {
namespace {

struct Activity {
  Work::Description what;
  unsigned long long stream;
  int device;
  std::int64_t start, end;
};

struct Profile {
  bool table = false;
  std::string trace;
  std::atomic<bool> on{false};
  std::mutex mutex; // a leaf
  std::vector<Activity> activities;
  std::vector<HostRange> ranges;

  Profile() {
    const char* const wanted = std::getenv("CU2CPP_PROFILE");
    table = wanted && std::atoi(wanted) != 0;
    if (const char* file = std::getenv("CU2CPP_TRACE"))
      trace = file;
    on = table || !trace.empty();
  }
};

Profile& profile() {
  static Profile& theProfile = *new Profile;
  return theProfile;
}

std::string nameOf(const Work::Description& what) {
  return what.kernel ? kernelName(what.kernel) : what.kind;
}

struct Row {
  std::int64_t total = 0, least = INT64_MAX, most = 0;
  long calls = 0;

  void add(std::int64_t time) {
    total += time;
    least = std::min(least, time);
    most = std::max(most, time);
    ++calls;
  }
};

void printRows(const std::map<std::string, Row>& rows, std::int64_t all) {
  std::vector<std::pair<std::string, Row>> sorted(rows.begin(), rows.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.second.total > b.second.total; });
  std::fprintf(stderr, "%8s %12s %9s %12s %12s %12s  %s\n", "Time(%)", "Total(us)", "Calls",
               "Avg(us)", "Min(us)", "Max(us)", "Name");
  for (const auto& [name, row] : sorted)
    std::fprintf(stderr, "%8.2f %12.1f %9ld %12.2f %12.2f %12.2f  %s\n",
                 all ? 100.0 * double(row.total) / double(all) : 0.0, double(row.total) / 1e3,
                 row.calls, double(row.total) / 1e3 / double(row.calls), double(row.least) / 1e3,
                 double(row.most) / 1e3, name.c_str());
}

// Ranges hold each other and what the device does meanwhile, so they have a table of their own, in
// which the shares are of the program's time in ranges.
void printTable(const std::vector<Activity>& activities, const std::vector<HostRange>& ranges) {
  std::map<std::string, Row> rows, named;
  std::int64_t all = 0, allNamed = 0;
  for (const Activity& activity : activities) {
    rows[nameOf(activity.what)].add(activity.end - activity.start);
    all += activity.end - activity.start;
  }
  printRows(rows, all);
  for (const HostRange& range : ranges) {
    named[range.name].add(range.end - range.start);
    allNamed += range.end - range.start;
  }
  if (!named.empty()) {
    std::fprintf(stderr, "NVTX ranges:\n");
    printRows(named, allNamed);
  }
}

// Bytes of the UTF-8 character that begins there; 0 if none does (Unicode, table 3-7).
std::size_t characterAt(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned first = byte(at), second = byte(at + 1);
  if (first < 0x80)
    return 1;
  const std::size_t bytes = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (bytes == 0 || first > 0xf4 || second < least || second > most)
    return 0;
  for (std::size_t i = 2; i < bytes; ++i)
    if (byte(at + i) >> 6 != 2)
      return 0;
  return bytes;
}

// As JSON wants it. Names of ranges are the program's, in whatever encoding.
std::string quoted(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = characterAt(text, at);
    const char c = text[at];
    if (bytes == 0) {
      result += "\ufffd";
    } else if (bytes > 1) {
      result.append(text, at, bytes);
    } else {
      if (c == '"' || c == '\\')
        result += '\\';
      result += c < ' ' ? ' ' : c;
    }
    at += std::max<std::size_t>(bytes, 1);
  }
  return result;
}

// A device is a process of the timeline, a stream one of its threads; behind them come the threads
// of the host.
void writeTrace(const std::vector<Activity>& activities, const std::vector<HostRange>& ranges,
                const std::string& file) {
  std::FILE* const out = std::fopen(file.c_str(), "w");
  if (!out) {
    std::fprintf(stderr, "cu2cpp: can not write %s\n", file.c_str());
    return;
  }
  std::int64_t first = INT64_MAX;
  std::map<std::pair<int, unsigned long long>, bool> streams;
  for (const Activity& activity : activities) {
    first = std::min(first, activity.start);
    streams[{activity.device, activity.stream}] = true;
  }
  for (const HostRange& range : ranges)
    first = std::min(first, range.start);
  std::fprintf(out, "{\"traceEvents\":[\n");
  const char* separator = "";
  for (const auto& [where, unused] : streams) {
    (void)unused;
    std::fprintf(out,
                 "%s{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%llu,"
                 "\"args\":{\"name\":\"stream %llu\"}}",
                 separator, where.first, where.second, where.second);
    separator = ",\n";
  }
  for (const Activity& activity : activities) {
    std::fprintf(out,
                 "%s{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\",\"pid\":%d,\"tid\":%llu,"
                 "\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"bytes\":%llu,\"blocks\":%llu}}",
                 separator, quoted(nameOf(activity.what)).c_str(), activity.what.kind,
                 activity.device, activity.stream, double(activity.start - first) / 1e3,
                 double(activity.end - activity.start) / 1e3,
                 static_cast<unsigned long long>(activity.what.bytes),
                 static_cast<unsigned long long>(activity.what.blocks));
    separator = ",\n";
  }
  constexpr int host = 1000; // more than there are devices
  if (!ranges.empty()) {
    std::fprintf(
        out, "%s{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":\"host\"}}",
        separator, host);
    separator = ",\n";
  }
  for (const HostRange& range : ranges)
    if (range.end > range.start)
      std::fprintf(out,
                   "%s{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"nvtx\",\"pid\":%d,\"tid\":%ld,"
                   "\"ts\":%.3f,\"dur\":%.3f}",
                   separator, quoted(range.name).c_str(), host, range.thread,
                   double(range.start - first) / 1e3, double(range.end - range.start) / 1e3);
    else
      std::fprintf(out,
                   "%s{\"ph\":\"i\",\"name\":\"%s\",\"cat\":\"nvtx\",\"pid\":%d,\"tid\":%ld,"
                   "\"ts\":%.3f,\"s\":\"t\"}",
                   separator, quoted(range.name).c_str(), host, range.thread,
                   double(range.start - first) / 1e3);
  std::fprintf(out, "\n]}\n");
  std::fclose(out);
}

} // namespace

bool profiling() { return profile().on.load(std::memory_order_relaxed); }

void setProfiling(bool on) {
  if (profile().table || !profile().trace.empty())
    profile().on = on;
}

void noteActivity(const Stream& stream, const Work::Description& what, std::int64_t start,
                  std::int64_t end) {
  std::lock_guard lock(profile().mutex);
  profile().activities.push_back({what, stream.id, stream.device.number(), start, end});
}

void noteRange(HostRange range) {
  std::lock_guard lock(profile().mutex);
  profile().ranges.push_back(std::move(range));
}

void reportProfile() {
  if (!profile().table && profile().trace.empty())
    return;
  std::lock_guard lock(profile().mutex);
  if (profile().table)
    printTable(profile().activities, profile().ranges);
  if (!profile().trace.empty())
    writeTrace(profile().activities, profile().ranges, profile().trace);
}

} // namespace cu2cpp::rt
