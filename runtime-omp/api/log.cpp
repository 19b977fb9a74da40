// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of errors, and callbacks for memory budgets, which a CPU does not have.
#include "api/log.h"

#include <cstdio>
#include <cstring>
#include <deque>
#include <map>

#include "api/call.h"

using namespace cu2cpp::rt;

namespace {

struct Log {
  static constexpr std::size_t most = 100; // lines

  std::mutex mutex; // a leaf
  std::deque<std::string> lines;
  unsigned firstNumber = 0; // of lines.front()
  struct Listener {
    cudaLogsCallback_t call;
    void* data;
  };
  std::map<std::uintptr_t, Listener> listeners;
  std::uintptr_t lastHandle = 0;
};

Log& theLog() {
  static auto& log = *new Log;
  return log;
}

// The lines from the iterator's place on, which moves to the end; from the start without one.
std::string linesFrom(cudaLogIterator* iterator) {
  Log& log = theLog();
  std::lock_guard lock(log.mutex);
  const unsigned end = log.firstNumber + unsigned(log.lines.size());
  unsigned number = iterator ? std::max(*iterator, log.firstNumber) : log.firstNumber;
  std::string text;
  for (; number < end; ++number)
    text += log.lines[number - log.firstNumber] + "\n";
  if (iterator)
    *iterator = end;
  return text;
}

} // namespace

void cu2cpp::rt::logMessage(const std::string& text) noexcept {
  try {
    Log& log = theLog();
    std::vector<Log::Listener> listeners;
    {
      std::lock_guard lock(log.mutex);
      log.lines.push_back(text);
      if (log.lines.size() > Log::most) {
        log.lines.pop_front();
        ++log.firstNumber;
      }
      for (const auto& entry : log.listeners)
        listeners.push_back(entry.second);
    }
    std::string copy = text;
    for (const Log::Listener& listener : listeners)
      listener.call(listener.data, cudaLogLevelError, copy.data(), copy.size());
  } catch (...) { // no memory for a line of the log
  }
}

extern "C" cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void* userData,
                                                cudaLogsCallbackHandle* callback_out) {
  return plainCall([=] {
    if (!callbackFunc || !callback_out)
      return Status::InvalidValue;
    Log& log = theLog();
    std::lock_guard lock(log.mutex);
    log.listeners[++log.lastHandle] = {callbackFunc, userData};
    *callback_out = reinterpret_cast<cudaLogsCallbackHandle>(log.lastHandle);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback) {
  return plainCall([=] {
    Log& log = theLog();
    std::lock_guard lock(log.mutex);
    return log.listeners.erase(reinterpret_cast<std::uintptr_t>(callback)) ? Status::Ok
                                                                           : Status::InvalidValue;
  });
}

extern "C" cudaError_t cudaLogsCurrent(cudaLogIterator* iterator_out, unsigned int flags) {
  return plainCall([=] {
    if (!iterator_out || flags != 0)
      return Status::InvalidValue;
    Log& log = theLog();
    std::lock_guard lock(log.mutex);
    *iterator_out = log.firstNumber + unsigned(log.lines.size());
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* pathToFile,
                                          unsigned int flags) {
  return plainCall([=] {
    if (!pathToFile || flags != 0)
      return Status::InvalidValue;
    std::FILE* const out = std::fopen(pathToFile, "w");
    if (!out)
      return Status::InvalidValue;
    std::fputs(linesFrom(iterator).c_str(), out);
    return std::fclose(out) == 0 ? Status::Ok : static_cast<Status>(cudaErrorOperatingSystem);
  });
}

extern "C" cudaError_t cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer, size_t* size,
                                            unsigned int flags) {
  return plainCall([=] {
    if (!buffer || !size || *size == 0 || flags != 0)
      return Status::InvalidValue;
    const std::string text = linesFrom(iterator);
    const std::size_t fits = std::min(text.size(), *size - 1);
    std::memcpy(buffer, text.data(), fits);
    buffer[fits] = 0;
    *size = fits;
    return Status::Ok;
  });
}

namespace {

struct NoticeTable {
  std::mutex mutex; // a leaf
  std::map<std::uintptr_t, int> deviceOf;
  std::uintptr_t last = 0;
};
NoticeTable& notices() {
  static auto& theTable = *new NoticeTable;
  return theTable;
}
bool isDevice(int number) { return number >= 0 && number < process().deviceCount(); }

} // namespace

extern "C" cudaError_t cudaDeviceRegisterAsyncNotification(int device,
                                                           cudaAsyncCallback callbackFunc, void*,
                                                           cudaAsyncCallbackHandle_t* callback) {
  return deviceCall([=] {
    if (!isDevice(device))
      return Status::InvalidDevice;
    if (!callbackFunc || !callback)
      return Status::InvalidValue;
    NoticeTable& table = notices();
    std::lock_guard lock(table.mutex);
    table.deviceOf[++table.last] = device;
    *callback = reinterpret_cast<cudaAsyncCallbackHandle_t>(table.last);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaDeviceUnregisterAsyncNotification(int device,
                                                             cudaAsyncCallbackHandle_t callback) {
  return deviceCall([=] {
    NoticeTable& table = notices();
    std::lock_guard lock(table.mutex);
    const auto found = table.deviceOf.find(reinterpret_cast<std::uintptr_t>(callback));
    if (found == table.deviceOf.end() || found->second != device)
      return Status::InvalidValue;
    table.deviceOf.erase(found);
    return Status::Ok;
  });
}
