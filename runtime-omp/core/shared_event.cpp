// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of several processes. Waiting asks again and again: a process that died must not leave
// others asleep on a lock.
#include "core/shared_event.h"

#include <chrono>
#include <thread>

#include <sys/mman.h>

namespace cu2cpp::rt {

std::shared_ptr<SharedEvent> SharedEvent::map(std::shared_ptr<SharedFile> file) {
  if (!file)
    return nullptr;
  void* const p = mmap(nullptr, roundToPages(1), PROT_READ | PROT_WRITE, MAP_SHARED, file->fd(), 0);
  if (p == MAP_FAILED)
    return nullptr;
  return std::shared_ptr<SharedEvent>(new SharedEvent(std::move(file), static_cast<Page*>(p)));
}

SharedEvent::~SharedEvent() { munmap(page_, roundToPages(1)); }

void SharedEvent::endRecord(std::uint64_t number) {
  std::uint64_t before = page_->reached.load();
  while (before < number && !page_->reached.compare_exchange_weak(before, number)) {
  }
}

void SharedEvent::await(std::uint64_t number, const std::atomic<bool>* stopped) const {
  while (!reached(number) && !(stopped && stopped->load(std::memory_order_relaxed)))
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

} // namespace cu2cpp::rt
