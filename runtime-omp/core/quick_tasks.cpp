// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many small tasks of one stream in a row: a batch of them is executed with the mutex taken once,
// so that the host thread can launch meanwhile.
//
// Nothing else may depend on a moment inside of a batch that only the mutex would tell of: there is
// no other stream with tasks, and nobody sleeps until a point before the batch's end. Whoever comes
// later interrupts the batch and looks at the count of completed tasks then; the batch adds to the
// count and looks for the interruption then. One of the two sees the other, as all of that is
// sequentially consistent (Point::reached() too).
#include "core/scheduler.h"

#include <algorithm>
#include <utility>

#include "core/device.h"
#include "core/worker_team.h"

namespace cu2cpp::rt {

void Scheduler::interruptBatch() {
  if (batching_)
    interrupted_.store(true, std::memory_order_seq_cst);
}

// gatherQuick() finds the tasks at the head of the stream, which can start, that one thread does
// alone anyway, one after the other.
unsigned Scheduler::gatherQuick(Stream& stream, const Bounds& bounds, Batch& batch) {
  if (busy_.size() != 1 || bounds.most == 1)
    return 0;
  std::uint64_t most = std::min<std::uint64_t>(bounds.most, batch.size());
  const std::uint64_t completed = stream.completed.load(std::memory_order_relaxed);
  for (const Waiter* waiter : waiters_)
    most =
        waiter->point.stream.get() == &stream ? std::min(most, waiter->point.count - completed) : 0;
  unsigned count = 0;
  for (std::unique_ptr<Task>& task : stream.tasks) {
    if (count >= most || task->enqueuedAt > bounds.youngest || task->host || !task->mayStart())
      break;
    if (const Work* const work = task->work.get()) {
      const std::uint64_t parts = work->parts();
      if (work->sharesItself() || (parts > 1 && (parts > smallGrid || !work->isQuick())))
        break;
    }
    batch[count++] = &task;
  }
  return count;
}

void Scheduler::executeQuick(Lock& lock, Stream& stream, const Batch& batch, unsigned count) {
  batching_ = true;
  interrupted_.store(false, std::memory_order_relaxed);
  lock.unlock();
  Status status = Status::Ok;
  unsigned done = 0;
  bool completed = true; // also the last that was done
  std::int64_t time = now();
  while (done < count && !interrupted_.load(std::memory_order_seq_cst)) {
    Task& task = **batch[done++];
    completed = false;
    if (Work* const work = task.work.get()) {
      const std::uint64_t parts = work->parts();
      work->run(0, parts);
      work->allReturned();
      status = work->result();
      const std::int64_t before = std::exchange(time, now());
      if (parts > 1)
        work->noteCost((time - before) / std::int64_t(parts));
      if (status != Status::Ok || work->children.any() || stopped())
        break;
    }
    if (task.recording)
      task.recording->nanoseconds.store(time, std::memory_order_relaxed);
    stream.completed.fetch_add(1, std::memory_order_seq_cst);
    completed = true;
    batch[done - 1]->reset();
  }
  lockSoon(lock);
  batching_ = false;
  if (!completed && status == Status::Ok)
    status = leadChildren(lock, *(*batch[done - 1])->work);
  if (status != Status::Ok)
    stream.device.fail(status);
  stream.tasks.erase(stream.tasks.begin(), stream.tasks.begin() + (done - !completed));
  if (!completed)
    return complete(stream);
  stream.running = false;
  settle();
}

} // namespace cu2cpp::rt
