// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events.
#include "core/event.h"

#include "core/shared_event.h"

namespace cu2cpp::rt {

std::shared_ptr<Recording> Event::recording() const {
  std::lock_guard lock(mutex_);
  return recording_;
}

void Event::set(std::shared_ptr<Recording> recording) {
  std::lock_guard lock(mutex_);
  recording_ = std::move(recording);
}

std::optional<std::uint64_t> Event::foreign() const {
  if (!shared)
    return std::nullopt;
  const std::uint64_t latest = shared->latest();
  const std::shared_ptr<Recording> own = recording();
  if (own && own->number == latest)
    return std::nullopt;
  return latest;
}

bool Event::done() const {
  const std::shared_ptr<Recording> latest = recording();
  return !latest || latest->point.reached();
}

Status elapsedMilliseconds(const Event& start, const Event& end, float* out) {
  const std::shared_ptr<Recording> first = start.recording(), last = end.recording();
  if (!first || !last || !start.timed() || !end.timed())
    return Status::InvalidHandle;
  if (!first->point.reached() || !last->point.reached())
    return Status::NotReady;
  *out = float(double(last->nanoseconds.load(std::memory_order_relaxed) -
                      first->nanoseconds.load(std::memory_order_relaxed)) *
               1e-6);
  return Status::Ok;
}

} // namespace cu2cpp::rt
