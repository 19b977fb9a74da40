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
}

std::unique_ptr<Work> Children::next() {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& from = works_.empty() ? tails_ : works_;
  if (from.empty())
    return nullptr;
  std::unique_ptr<Work> work = std::move(from.front());
  from.pop_front();
  return work;
}

bool Children::finish() {
  while (const std::unique_ptr<Work> work = next()) {
    work->run(0, work->parts());
    if (work->result() != Status::Ok || !work->children.finish())
      return false;
  }
  return true;
}

} // namespace cu2cpp::rt
