// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists of what kernels launch.
#include "exec/children.h"

#include "exec/work.h"

namespace cu2cpp::rt {

thread_local InKernel inKernel;

Children::~Children() = default;

void Children::add(std::unique_ptr<Work> work, bool tail) {
  const std::lock_guard<std::mutex> lock(mutex_);
  (tail ? tails_ : works_).push_back(std::move(work));
  used_.store(true, std::memory_order_relaxed);
}

std::unique_ptr<Work> Children::next() {
  if (!used_.load(std::memory_order_relaxed))
    return nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& from = works_.empty() ? tails_ : works_;
  if (from.empty())
    return nullptr;
  std::unique_ptr<Work> work = std::move(from.front());
  from.pop_front();
  return work;
}

// No recursion: a graph may launch itself again any number of times.
void Children::takeOver(Children& ofChild) {
  std::list<std::unique_ptr<Work>> before;
  while (std::unique_ptr<Work> work = ofChild.next())
    before.push_back(std::move(work));
  if (before.empty())
    return;
  const std::lock_guard<std::mutex> lock(mutex_);
  works_.splice(works_.begin(), before);
  used_.store(true, std::memory_order_relaxed);
}

bool Children::finish() {
  while (const std::unique_ptr<Work> work = next()) {
    if (work->sharesItself())
      work->join(true, 1);
    else
      work->run(0, work->parts());
    work->allReturned();
    if (work->result() != Status::Ok)
      return false;
    takeOver(work->children);
  }
  return true;
}

} // namespace cu2cpp::rt
