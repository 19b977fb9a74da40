// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of an event that several processes see: how often it was recorded and how many of these
// records have been reached.
//
// CUDA C++ Programming Guide, 'Interprocess Communication'.
#ifndef CU2CPP_CORE_SHARED_EVENT_H
#define CU2CPP_CORE_SHARED_EVENT_H

#include <atomic>
#include <cstdint>
#include <memory>

#include "core/memory_pool.h"

namespace cu2cpp::rt {

class SharedEvent {
public:
  /// map() is null when the file can't be mapped.
  static std::shared_ptr<SharedEvent> map(std::shared_ptr<SharedFile> file);
  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;

  int fd() const { return file_->fd(); }
  /// beginRecord() gives the record's number; endRecord() says that its point is reached.
  std::uint64_t beginRecord() { return page_->recorded.fetch_add(1) + 1; }
  void endRecord(std::uint64_t number);
  std::uint64_t latest() const { return page_->recorded.load(); }
  bool reached(std::uint64_t number) const { return page_->reached.load() >= number; }
  /// await() returns when the record is reached, or gives up when `stopped` says so.
  void await(std::uint64_t number, const std::atomic<bool>* stopped = nullptr) const;

private:
  struct Page {
    std::atomic<std::uint64_t> recorded, reached;
  };
  SharedEvent(std::shared_ptr<SharedFile> file, Page* page) : file_(std::move(file)), page_(page) {}
  const std::shared_ptr<SharedFile> file_;
  Page* const page_;
};

} // namespace cu2cpp::rt

#endif
