// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table and the timeline.
#include "core/profiler.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include "core/device.h"

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

std::string demangled(const char* name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = text ? text : name;
  std::free(text);
  return result;
}

// The names of the program's own functions, static ones too, from its file: the loader knows only
// those that are exported.
std::map<std::uintptr_t, std::string> namesOfProgram() {
  std::map<std::uintptr_t, std::string> names;
  std::ifstream in("/proc/self/exe", std::ios::binary);
  ElfW(Ehdr) header{};
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header))
    return names;
  std::vector<ElfW(Shdr)> sections(header.e_shnum);
  in.seekg(std::streamoff(header.e_shoff));
  in.read(reinterpret_cast<char*>(sections.data()),
          std::streamsize(sections.size() * sizeof sections[0]));
  std::uintptr_t base = 0;
  if (header.e_type == ET_DYN)
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
          *static_cast<std::uintptr_t*>(out) = info->dlpi_addr;
          return 1; // the program comes first
        },
        &base);
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size())
      continue;
    std::vector<ElfW(Sym)> symbols(section.sh_size / sizeof(ElfW(Sym)));
    std::string texts(sections[section.sh_link].sh_size, 0);
    in.seekg(std::streamoff(section.sh_offset));
    in.read(reinterpret_cast<char*>(symbols.data()),
            std::streamsize(symbols.size() * sizeof symbols[0]));
    in.seekg(std::streamoff(sections[section.sh_link].sh_offset));
    in.read(texts.data(), std::streamsize(texts.size()));
    for (const ElfW(Sym) & symbol : symbols)
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_name < texts.size())
        names[base + symbol.st_value] = texts.c_str() + symbol.st_name;
  }
  return names;
}

std::string nameOf(const Work::Description& what) {
  if (!what.kernel)
    return what.kind;
  static const std::map<std::uintptr_t, std::string> own = namesOfProgram();
  const auto found = own.find(reinterpret_cast<std::uintptr_t>(what.kernel));
  if (found != own.end())
    return demangled(found->second.c_str());
  Dl_info info{};
  return dladdr(what.kernel, &info) && info.dli_sname ? demangled(info.dli_sname) : "kernel";
}

void printTable(const std::vector<Activity>& activities) {
  struct Row {
    std::int64_t total = 0, least = INT64_MAX, most = 0;
    long calls = 0;
  };
  std::map<std::string, Row> rows;
  std::int64_t all = 0;
  for (const Activity& activity : activities) {
    const std::int64_t time = activity.end - activity.start;
    Row& row = rows[nameOf(activity.what)];
    row.total += time;
    row.least = std::min(row.least, time);
    row.most = std::max(row.most, time);
    ++row.calls;
    all += time;
  }
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

std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result;
}

// A device is a process of the timeline, a stream one of its threads.
void writeTrace(const std::vector<Activity>& activities, const std::string& file) {
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

void reportProfile() {
  if (!profile().table && profile().trace.empty())
    return;
  std::lock_guard lock(profile().mutex);
  if (profile().table)
    printTable(profile().activities);
  if (!profile().trace.empty())
    writeTrace(profile().activities, profile().trace);
}

} // namespace cu2cpp::rt
