// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and order: what may start when, and who takes it. The team's own loops are in
// worker_team.cpp.
#include "core/scheduler.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <cu2cpp/block.h>

#include "core/device.h"
#include "core/profiler.h"
#include "core/worker_team.h"

namespace cu2cpp::rt {
std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

bool Scheduler::mayWait() { return detail::context.block == nullptr && !onHostFunctionThread(); }

// Legacy default stream: waits for all blocking streams and all blocking streams wait for it
// (Programming Guide, 'Default Stream').
void Scheduler::addLegacyOrder(Stream& stream, Task& task) {
  if (!stream.blocking)
    return;
  const std::shared_ptr<Stream>& legacy = stream.device.legacyStream();
  if (&stream != legacy.get()) {
    if (!legacy->idle())
      task.after.push_back({legacy, legacy->enqueued});
    return;
  }
  for (const std::shared_ptr<Stream>& other : busy_)
    if (other->blocking && &other->device == &stream.device && other.get() != &stream &&
        !other->idle())
      task.after.push_back({other, other->enqueued});
}

void Scheduler::list(const std::shared_ptr<Stream>& stream) {
  if (stream->listed)
    return;
  stream->listed = true;
  busy_.push_back(stream);
  interruptBatch();
}

Point Scheduler::enqueue(const std::shared_ptr<Stream>& stream, std::unique_ptr<Task> task) {
  const std::int64_t time = now();
  Lock lock(mutex_, std::defer_lock);
  lockSoon(lock); // the executor takes it after each grid
  addLegacyOrder(*stream, *task);
  const Point point{stream, ++stream->enqueued};
  if (task->recording)
    task->recording->point = point;
  task->order = ++lastOrder_;
  task->enqueuedAt = time;
  lastEnqueue_ = std::max(lastEnqueue_, time);
  const bool isMarker = task->isMarker(), isHost = bool(task->host);
  stream->tasks.push_back(std::move(task));
  list(stream);
  if (isMarker) {
    settle();
    return point;
  }
  if (!teamStarted_)
    WorkerTeam::start(*this);
  if (isHost) {
    if (!hostThreadStarted_)
      WorkerTeam::startHostFunctionThread(*this);
    hostFunctions_.notify_one();
  } else if (executorAsleep_ || ready(*stream)) {
    wakeExecutor();
  }
  return point;
}

Point Scheduler::tail(const std::shared_ptr<Stream>& stream) {
  Lock lock(mutex_);
  return {stream, stream->enqueued};
}

Point Scheduler::here(const std::shared_ptr<Stream>& stream) {
  {
    Lock lock(mutex_);
    Task task;
    addLegacyOrder(*stream, task);
    if (task.after.empty())
      return {stream, stream->enqueued};
  }
  return enqueue(stream, std::make_unique<Task>());
}

bool Scheduler::nothingBefore(const std::shared_ptr<Stream>& stream) {
  Lock lock(mutex_);
  Task task;
  addLegacyOrder(*stream, task);
  return stream->idle() && task.after.empty();
}

std::vector<Point> Scheduler::pending(const Device& device) {
  std::vector<Point> result;
  Lock lock(mutex_);
  for (const std::shared_ptr<Stream>& stream : busy_)
    if (&stream->device == &device)
      result.push_back({stream, stream->enqueued});
  return result;
}

bool Scheduler::ready(const Stream& stream) const {
  return !stream.running && !stream.tasks.empty() && stream.tasks.front()->mayStart();
}

// findReady() is the most urgent stream that can go on: by priority, then by age. Work younger than
// `youngest` is left to the host thread, which may be about to wait for it.
Stream* Scheduler::findReady(std::int64_t youngest, bool hostFunctions) const {
  Stream* best = nullptr;
  for (const std::shared_ptr<Stream>& stream : busy_) {
    if (!ready(*stream))
      continue;
    const Task& task = *stream->tasks.front();
    if (bool(task.host) != hostFunctions || (!hostFunctions && task.enqueuedAt > youngest))
      continue;
    if (!best || stream->priority < best->priority ||
        (stream->priority == best->priority && task.order < best->tasks.front()->order))
      best = stream.get();
  }
  return best;
}

// findTowards() is a stream whose first task can start and leads to the given stream's progress;
// null when all such tasks are being executed or are host functions.
Stream* Scheduler::findTowards(Stream& stream) {
  if (stream.mark == lastMark_ || stream.running || stream.tasks.empty())
    return nullptr;
  stream.mark = lastMark_;
  const Task& task = *stream.tasks.front();
  bool waits = false;
  for (const Point& point : task.after) {
    if (point.reached())
      continue;
    waits = true;
    if (Stream* found = findTowards(*point.stream))
      return found;
  }
  return waits || task.host || stopping_.load(std::memory_order_relaxed) ? nullptr : &stream;
}

void Scheduler::wait(const Point& point) {
  if (point.reached())
    return;
  Lock lock(mutex_);
  bool executed = false;
  while (!point.reached() && !stopped()) {
    ++lastMark_;
    if (Stream* stream = findTowards(*point.stream)) {
      const bool own = stream == point.stream.get();
      const std::uint64_t left = point.count - stream->completed.load(std::memory_order_relaxed);
      execute(lock, *stream, {own ? left : 1, anyAge});
      executed = true;
      continue;
    }
    if (std::exchange(executed, false))
      wakeForMore();
    Waiter waiter{point, {}, false};
    waiters_.push_back(&waiter);
    interruptBatch();
    lock.unlock();
    spinUntil([&] { return point.reached(); });
    lock.lock();
    waiter.wake.wait(lock, [&] { return point.reached() || waiter.look; });
    waiters_.erase(std::find(waiters_.begin(), waiters_.end(), &waiter));
  }
  wakeForMore();
}

// wakeForMore() is called by a thread that stops executing: what is ready now must not wait for
// somebody to come by.
void Scheduler::wakeForMore() {
  if (busy_.empty())
    return;
  wakeExecutor();
  for (Waiter* waiter : waiters_) {
    waiter->look = true;
    waiter->wake.notify_one();
  }
}

// wakeExecutor() makes somebody of the team look for work that nobody waits for.
void Scheduler::wakeExecutor() {
  if (executorAsleep_) {
    executorAsleep_ = false;
    executor_.notify_one();
  } else if (executorAway_) {
    if (sleepers_ > 0)
      helpers_.notify_one();
    else
      news_.fetch_add(1, std::memory_order_release); // they may be watching for grids
  }
}

// wakeWaiters() is called by a thread that starts on a task: a thread that sleeps until its point
// is reached may now have other work that leads there, and this one may be busy for long.
void Scheduler::wakeWaiters() {
  for (Waiter* waiter : waiters_) {
    ++lastMark_;
    if (waiter->look || !findTowards(*waiter->point.stream))
      continue;
    waiter->look = true;
    waiter->wake.notify_one();
  }
}

void Scheduler::execute(Lock& lock, Stream& stream, const Bounds& bounds) {
  // The list holds the stream only while it has tasks; keep it alive beyond that.
  const std::shared_ptr<Stream> keep =
      *std::find_if(busy_.begin(), busy_.end(), [&](const auto& s) { return s.get() == &stream; });
  stream.running = true;
  wakeWaiters();
  Task& task = *stream.tasks.front();
  Device& device = stream.device;
  const bool noted = profiling();
  const std::int64_t start = noted ? now() : 0;
  Work::Description what{"host function", nullptr, 0, 0};
  if (noted && task.work)
    what = task.work->describe();
  if (task.host) {
    lock.unlock();
    if (device.failure() == Status::Ok || task.hostAfterFailure)
      task.host(device.failure());
    lock.lock();
  } else if (device.failure() == Status::Ok) {
    Batch batch;
    const unsigned quick = noted ? 0 : gatherQuick(stream, bounds, batch);
    ++executing_;
    if (quick > 1) {
      executeQuick(lock, stream, batch, quick);
      --executing_;
      return;
    }
    lead(lock, *task.work);
    const Status status = leadChildren(lock, *task.work);
    --executing_;
    if (status != Status::Ok)
      device.fail(status);
  }
  if (noted)
    noteActivity(stream, what, start, now());
  complete(stream);
}

// complete() takes the first task off the stream. Its destructor may run user code (arguments of a
// kernel), but none that can reach the runtime's locks: kernel parameters are copied bytewise on a
// GPU.
void Scheduler::complete(Stream& stream) {
  Task& task = *stream.tasks.front();
  if (task.recording)
    task.recording->nanoseconds.store(now(), std::memory_order_relaxed);
  stream.tasks.pop_front();
  stream.running = false;
  stream.completed.fetch_add(1, std::memory_order_release);
  settle();
}

// settle() lets everything happen that needs no execution after a stream has moved on: markers
// whose turn it is, streams that have run empty, threads whose point is reached, host functions
// that can start.
void Scheduler::settle() {
  for (bool again = true; again;) {
    again = false;
    for (const std::shared_ptr<Stream>& stream : busy_)
      while (ready(*stream) && stream->tasks.front()->isMarker()) {
        if (stream->tasks.front()->recording)
          stream->tasks.front()->recording->nanoseconds.store(now(), std::memory_order_relaxed);
        stream->tasks.pop_front();
        stream->completed.fetch_add(1, std::memory_order_release);
        again = true;
      }
  }
  busy_.erase(std::remove_if(busy_.begin(), busy_.end(),
                             [](const std::shared_ptr<Stream>& stream) {
                               if (!stream->tasks.empty())
                                 return false;
                               stream->listed = false;
                               return true;
                             }),
              busy_.end());
  for (Waiter* waiter : waiters_)
    if (waiter->point.reached())
      waiter->wake.notify_one();
  if (hostThreadStarted_ && findReady(0, true))
    hostFunctions_.notify_one();
}

bool Scheduler::hasParts(const Run& run) {
  if (run.own)
    return run.taken.load(std::memory_order_relaxed) < run.parts;
  return run.work->sharesItself() ? run.work->wantsHelp()
                                  : run.work->nextPart.load(std::memory_order_relaxed) < run.parts;
}

void Scheduler::reach(Recording& recording) {
  Lock lock(mutex_);
  recording.nanoseconds.store(now(), std::memory_order_relaxed);
  recording.point.stream->completed.fetch_add(1, std::memory_order_release);
  settle();
  wakeForMore();
}

void Scheduler::callForHelp() {
  Lock lock(mutex_);
  news_.fetch_add(1, std::memory_order_release);
  if (sleepers_ > 0)
    helpers_.notify_one();
  if (executorAsleep_)
    wakeExecutor();
}

std::uint64_t Scheduler::takeParts(Run& run, bool leader) {
  if (run.work->sharesItself()) {
    run.work->join(leader, run.teamSize);
    return 0;
  }
  if (run.own)
    return takeOwnParts(run, leader ? 0 : claimShare(run));
  for (std::uint64_t done = 0;;) {
    const std::uint64_t first = run.work->nextPart.fetch_add(run.chunk, std::memory_order_relaxed);
    if (first >= run.parts || stopping_.load(std::memory_order_relaxed))
      return done;
    const std::uint64_t last = std::min(first + run.chunk, run.parts);
    run.work->run(first, last);
    done += last - first;
  }
}

// claimShare() finds a helper the share it had the last time, or else one with which nobody has
// begun: two that begin with the same one would mix what lies in their caches. The leader may be a
// thread outside of the team, so each thread of the team may be a helper.
unsigned Scheduler::claimShare(Run& run) {
  const unsigned usual = teamIndex() % run.teamSize;
  for (unsigned i = 0; i < run.teamSize; ++i)
    if (const unsigned share = (usual + i) % run.teamSize;
        share != 0 && !run.own[share].claimed.exchange(true, std::memory_order_relaxed))
      return share;
  return usual;
}

// nextChunk() is how many parts a thread takes that has done so many since `start`. Few rows of
// blocks, of which each takes long, would leave the others waiting for whoever takes the last one:
// the last rows go in pieces.
std::uint64_t Scheduler::nextChunk(const Run& run, std::uint64_t done, std::int64_t start) {
  constexpr std::int64_t longNanoseconds = 50'000;
  constexpr std::uint64_t pieces = 4;
  if (run.chunk < pieces || done == 0 ||
      run.parts - run.taken.load(std::memory_order_relaxed) > run.chunk * run.teamSize ||
      (now() - start) / std::int64_t(done) < longNanoseconds / std::int64_t(run.chunk))
    return run.chunk;
  // Of several rows that run as one, whole ones, and not so few: each piece reads its neighbours'.
  const std::uint64_t row = run.work->rowLength();
  const std::uint64_t piece = run.chunk / (run.work->rowsTogether() > 1 ? pieces / 2 : pieces);
  return run.chunk > row && row > 0 ? std::min((piece + row - 1) / row * row, run.chunk) : piece;
}

// takeOwnParts() begins with the thread's own share and goes on with what others have left. The
// leader, whose share is the lowest, takes the lowest that is left: blocks that wait for lower ones
// would get on here, too.
std::uint64_t Scheduler::takeOwnParts(Run& run, unsigned first) {
  std::uint64_t done = 0;
  const std::int64_t start = run.chunk > 1 ? now() : 0;
  for (unsigned i = 0; i < run.teamSize; ++i) {
    Own& own = run.own[(first + i) % run.teamSize];
    while (own.next.load(std::memory_order_relaxed) < own.end) {
      const std::uint64_t chunk = nextChunk(run, done, start);
      const std::uint64_t begin = own.next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= own.end || stopping_.load(std::memory_order_relaxed))
        break;
      const std::uint64_t end = std::min(begin + chunk, own.end);
      run.taken.fetch_add(end - begin, std::memory_order_relaxed);
      run.work->run(begin, end);
      done += end - begin;
    }
  }
  return done;
}

// lead() executes work with the help of idle team threads. Chunks are contiguous and handed out in
// ascending order, so the lowest unfinished block always runs, and blocks that wait for lower ones
// get on. Where no block waits, each thread begins with a share of its own.
void Scheduler::lead(Lock& lock, Work& work) {
  Run run;
  run.work = &work;
  run.parts = work.parts();
  const bool small = run.parts <= smallGrid && run.parts > 1 && teamSize_ > 1;
  const bool shared = run.parts > 1 && teamSize_ > 1 && !(small && work.isQuick());
  run.teamSize = shared ? unsigned(teamSize_) : 1;
  run.chunk = work.chunkFor(run.teamSize);
  Own own[mostOwn];
  if (shared && run.teamSize <= mostOwn && run.parts >= run.teamSize && work.anyOrder()) {
    std::uint64_t begin = 0;
    for (unsigned i = 0; i < run.teamSize; ++i) {
      // In whole chunks, so that rows stay together.
      const std::uint64_t end =
          i + 1 == run.teamSize
              ? run.parts
              : std::min(run.parts * (i + 1) / run.teamSize / run.chunk * run.chunk, run.parts);
      own[i].next.store(begin, std::memory_order_relaxed);
      own[i].end = begin = std::max(begin, end);
      own[i].claimed.store(false, std::memory_order_relaxed);
    }
    run.own = own;
  } else {
    work.nextPart.store(0, std::memory_order_relaxed);
  }
  if (shared) {
    runs_.push_back(&run);
    news_.fetch_add(1, std::memory_order_release);
    if (sleepers_ > 0)
      helpers_.notify_one();
    if (executorAsleep_)
      wakeExecutor();
  }
  lock.unlock();
  const std::int64_t start = small ? now() : 0;
  if (const std::uint64_t done = takeParts(run, true); small && done > 0)
    work.noteCost((now() - start) / std::int64_t(done));
  if (shared) {
    lockSoon(lock);
    runs_.erase(std::find(runs_.begin(), runs_.end(), &run));
    if (run.helpers != 0) {
      lock.unlock();
      spinUntil([&] { return run.helpers.load(std::memory_order_acquire) == 0; });
      lockSoon(lock);
      std::condition_variable done;
      run.leader = &done;
      done.wait(lock, [&] { return run.helpers == 0; });
    }
    lock.unlock();
  }
  work.allReturned();
  lockSoon(lock);
}

// leadChildren() executes what work has asked for: first come, first served, and each with its own
// children before the next, as streams in kernels promise.
Status Scheduler::leadChildren(Lock& lock, Work& work) {
  Status status = work.result();
  while (status == Status::Ok) {
    const std::unique_ptr<Work> child = work.children.next();
    if (!child)
      break;
    lead(lock, *child);
    status = child->result();
    work.children.takeOver(child->children);
  }
  return status;
}

void Scheduler::help(Lock& lock, Run& run) {
  ++run.helpers;
  ++executing_;
  if (sleepers_ > 0 && executing_ < teamSize_ && hasParts(run))
    helpers_.notify_one(); // one wakes the next, so that the leader pays for one only
  lock.unlock();
  takeParts(run, false);
  lockSoon(lock);
  --executing_;
  if (--run.helpers == 0 && run.leader)
    run.leader->notify_one();
}

Scheduler::Run* Scheduler::findRun() const {
  for (Run* run : runs_)
    if (hasParts(*run))
      return run;
  return nullptr;
}

void Scheduler::stop() {
  stopping_.store(true, std::memory_order_relaxed);
  const std::int64_t end = now() + std::chrono::nanoseconds(exitPatience).count();
  Lock lock(mutex_);
  const int own = detail::context.block ? 1 : 0; // exit() called by a kernel
  while (executing_ > own && now() < end) {
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    lock.lock();
  }
}

} // namespace cu2cpp::rt
