// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The execution of a graph.
#include "core/graph_run.h"

#include <algorithm>
#include <array>

#include "core/device.h"
#include "core/event.h"
#include "core/worker_team.h"

namespace cu2cpp::rt {
namespace {

// In nanoseconds. What is quicker is not worth a lock of its own: about the time of a hand-over.
constexpr std::uint32_t quick = 2'000;
constexpr std::uint32_t mostCost = 1'000'000'000;
constexpr std::size_t mostAtOnce = 32;

std::uint32_t asCost(std::int64_t nanoseconds) {
  return std::uint32_t(std::clamp<std::int64_t>(nanoseconds, 1, mostCost));
}

// Blocks that wait for those of another node must not stand before them in one thread's batch.
bool mayWait(const PlanNode& node) {
  return node.body->type() == NodeType::Kernel && !node.work->anyOrder();
}

} // namespace

thread_local GraphRun* runningGraph = nullptr;

GraphRun::~GraphRun() {
  if (pending_)
    pending_->fetch_sub(1, std::memory_order_acq_rel);
}

GraphRun::GraphRun(Scheduler& scheduler, std::shared_ptr<const Plan> plan,
                   std::shared_ptr<Stream> hostStream, const GraphExec& exec,
                   std::shared_ptr<std::atomic<unsigned>> pending)
    : scheduler_(scheduler), plan_(std::move(plan)), hostStream_(std::move(hostStream)),
      exec_(&exec), pending_(std::move(pending)), states_(plan_->nodes.size()),
      unfinished_(plan_->regions.size()) {
  // An event that the graph records counts as recorded from the launch on.
  for (const std::uint32_t node : plan_->records) {
    auto recording = std::make_shared<Recording>();
    const auto latch =
        std::make_shared<Stream>(hostStream_->device, 0, false, limits::leastPriority);
    recording->point = {latch, 1};
    plan_->nodes[node].body->event()->set(recording);
    recordings_.push_back(std::move(recording));
  }
}

// Its time is that of the node's end.
void GraphRun::reach(std::uint32_t node) {
  for (std::size_t i = 0; i < recordings_.size(); ++i)
    if (plan_->records[i] == node && !recordings_[i]->point.reached())
      scheduler_.reach(*recordings_[i]);
}

void GraphRun::finish() {
  finished_ = true;
  for (const std::uint32_t node : plan_->records)
    reach(node); // those of nodes that were never started too
}

bool GraphRun::isQuick() const {
  return plan_->chain || (plan_->regions.size() == 1 && plan_->launches->oneIsEnough());
}

// Helpers are called once when there is something for them; who has helped looks by itself for
// more.
void GraphRun::tellWanted() {
  int wanted = finished_ ? -1 : 0;
  if (!finished_ && !ready_.empty()) {
    const bool soon = slow_ <= helpers_; // some thread will come for it at once
    const bool single = ready_.size() == 1 && plan_->nodes[ready_.front()].parts == 1;
    wanted = soon && (single || readyCost_ < worthHelp) ? 1 : 2;
  }
  const int before = wanted_.load(std::memory_order_relaxed);
  wanted_.store(wanted, std::memory_order_relaxed);
  if (wanted == 2 && before != 2 && helpers_ + 1 < teamSize_)
    scheduler_.callForHelp();
}

void GraphRun::join(bool leader, unsigned teamSize) noexcept {
  GraphRun* const outside = runningGraph; // this launch may be a child of one of its kernels
  runningGraph = this;
  takeParts(leader, teamSize);
  runningGraph = outside;
}

void GraphRun::takeParts(bool leader, unsigned teamSize) noexcept {
  Lock lock(mutex_);
  teamSize_ = teamSize;
  if (!leader)
    ++helpers_;
  if (leader && !begun_) {
    begun_ = true;
    if (!plan_->chain)
      startedAt_ = now();
    for (const std::shared_ptr<Conditional>& conditional : plan_->conditionals)
      if (conditional->assignInitial)
        conditional->value.store(conditional->initial, std::memory_order_relaxed);
    startRegion(0);
    settle();
  }
  while (!finished_) {
    if (ready_.empty()) {
      if (!leader)
        break;
      // Helpers or a host function have the rest.
      lock.unlock();
      spinUntil([&] { return wanted_.load(std::memory_order_relaxed) != 0; });
      lock.lock();
      changed_.wait(lock, [&] { return finished_ || !ready_.empty(); });
      continue;
    }
    const std::uint32_t number = ready_.front();
    if (plan_->nodes[number].parts == 1 || states_[number].cost <= quick)
      takeWhole(lock);
    else
      takeSome(lock, number);
  }
  if (leader && !plan_->chain && !skips()) {
    plan_->launches->work.store(asCost(std::int64_t(spent_)), std::memory_order_relaxed);
    plan_->launches->note(teamSize_ == 1, asCost(now() - startedAt_));
  }
  if (!leader)
    --helpers_;
}

bool GraphRun::skips() const {
  return failure_.load(std::memory_order_relaxed) != Status::Ok || scheduler_.stopped();
}

void GraphRun::note(std::uint32_t node, std::int64_t nanoseconds) {
  plan_->costs[node].nanoseconds.store(asCost(nanoseconds), std::memory_order_relaxed);
}

// takeWhole() does one node alone, or a batch of those that are known to be quick: the lock, which
// costs as much as a small node, is taken once for all.
void GraphRun::takeWhole(Lock& lock) {
  std::array<std::uint32_t, mostAtOnce> taken;
  std::uint64_t expected = 0;
  unsigned count = 0;
  const bool alone = teamSize_ == 1 || (helpers_ == 0 && readyCost_ < worthHelp);
  const std::size_t share = alone ? mostAtOnce : ready_.size() / (2 * teamSize_);
  do {
    const std::uint32_t number = ready_.front();
    if (count > 0 && expected + states_[number].cost > quick)
      break;
    ready_.pop_front();
    states_[number].listed = false;
    taken[count++] = number;
    expected += states_[number].cost;
    if (plan_->nodes[number].parts > 1)
      plan_->nodes[number].work->nextPart.store(plan_->nodes[number].parts,
                                                std::memory_order_relaxed);
  } while (count < mostAtOnce && count < share && !ready_.empty());
  readyCost_ -= expected;
  const bool slow = expected > quick;
  slow_ += slow;
  tellWanted();
  // What one thread does anyway needs no measuring.
  const bool measured = slow || count > 1 || !ready_.empty();
  lock.unlock();
  const std::int64_t start = measured ? now() : 0;
  for (unsigned i = 0; i < count; ++i) {
    const PlanNode& node = plan_->nodes[taken[i]];
    if (!skips())
      node.work->run(0, node.parts);
    endWork(node);
  }
  if (measured) {
    const std::int64_t time =
        slow && mayWait(plan_->nodes[taken[0]]) ? std::int64_t(mostCost) : now() - start;
    expected = std::uint64_t(time);
    for (unsigned i = 0; i < count; ++i)
      note(taken[i], time / count);
  }
  lock.lock();
  slow_ -= slow;
  spent_ += expected;
  while (count > 0)
    completed_.push_back(taken[--count]); // settle() begins with the last
  settle();
}

// takeSome() takes parts of a node as long as there are any, beside others who do the same.
void GraphRun::takeSome(Lock& lock, std::uint32_t number) {
  const PlanNode& node = plan_->nodes[number];
  State& state = states_[number];
  // The work's own counter, of which threads that a grid adds for blocks that wait take parts too.
  std::atomic<std::uint64_t>& next = node.work->nextPart;
  const std::uint64_t chunk = node.work->chunkFor(teamSize_);
  std::uint64_t first = next.fetch_add(chunk, std::memory_order_relaxed);
  if (first + chunk >= node.parts)
    unlist(number);
  if (first >= node.parts)
    return; // somebody runs the last part, and completes the node
  ++state.takers;
  ++slow_;
  tellWanted();
  lock.unlock();
  const std::int64_t start = now();
  std::uint64_t done = 0;
  do {
    const std::uint64_t last = std::min(first + chunk, node.parts);
    if (!skips())
      node.work->run(first, last);
    done += last - first;
    // Something more urgent may have become ready.
    first = plan_->priorities ? node.parts : next.fetch_add(chunk, std::memory_order_relaxed);
  } while (first < node.parts);
  const std::int64_t time = now() - start;
  lock.lock();
  --slow_;
  const bool allTaken = next.load(std::memory_order_relaxed) >= node.parts;
  if (allTaken)
    unlist(number);
  if (--state.takers > 0 || !allTaken)
    return;
  lock.unlock();
  endWork(node);
  const std::int64_t all =
      mayWait(node) ? std::int64_t(mostCost) : time * std::int64_t(node.parts) / std::int64_t(done);
  note(number, all);
  lock.lock();
  spent_ += std::uint64_t(all);
  completed_.push_back(number);
  settle();
}

// endWork() is called by one thread when all parts have been run.
void GraphRun::endWork(const PlanNode& node) noexcept {
  node.work->allReturned();
  Status status = node.work->result();
  if (status == Status::Ok && !node.work->children.finish())
    status = Status::LaunchFailure;
  if (status != Status::Ok)
    failure_.store(status, std::memory_order_relaxed);
}

void GraphRun::startRegion(std::uint32_t number) {
  const PlanRegion& region = plan_->regions[number];
  unfinished_[number] = std::uint32_t(region.nodes.size());
  for (std::uint32_t node : region.nodes) {
    states_[node].waiting = plan_->nodes[node].dependencyCount;
  }
  if (region.nodes.empty()) {
    if (number == 0)
      finish();
    else
      completed_.push_back(region.owner);
    return;
  }
  starting_.insert(starting_.end(), region.roots.begin(), region.roots.end());
}

// settle() handles what needs no thread of its own until there is only work left. Lists in place of
// recursion: a chain of empty nodes may be long.
void GraphRun::settle() {
  while (!starting_.empty() || !completed_.empty()) {
    if (!completed_.empty()) {
      const std::uint32_t node = completed_.back();
      completed_.pop_back();
      complete(node);
      continue;
    }
    const std::uint32_t node = starting_.back();
    starting_.pop_back();
    start(node);
  }
  tellWanted();
  if (finished_ || !ready_.empty())
    changed_.notify_one();
}

// Nearly always the first.
void GraphRun::unlist(std::uint32_t node) {
  if (!states_[node].listed)
    return;
  states_[node].listed = false;
  readyCost_ -= states_[node].cost;
  ready_.erase(std::find(ready_.begin(), ready_.end(), node));
  tellWanted();
}

void GraphRun::pushReady(std::uint32_t node) {
  State& state = states_[node];
  state.listed = true;
  const std::uint32_t known = plan_->costs[node].nanoseconds.load(std::memory_order_relaxed);
  state.cost = std::min(known, mostCost);
  readyCost_ += state.cost;
  if (plan_->nodes[node].parts > 1)
    plan_->nodes[node].work->nextPart.store(0, std::memory_order_relaxed);
  if (!plan_->priorities) {
    ready_.push_back(node);
    return;
  }
  const int priority = plan_->nodes[node].priority;
  const auto place = std::find_if(ready_.begin(), ready_.end(), [&](std::uint32_t other) {
    return plan_->nodes[other].priority > priority;
  });
  ready_.insert(place, node);
}

void GraphRun::start(std::uint32_t number) {
  const PlanNode& node = plan_->nodes[number];
  // After a kernel has failed nothing more is done, but all nodes come to their end.
  if (!node.enabled || failure_.load(std::memory_order_relaxed) != Status::Ok) {
    completed_.push_back(number);
  } else if (node.work) {
    pushReady(number);
  } else if (node.body->isHost()) {
    runHost(number);
  } else if (node.bodyCount > 0) {
    if (!startBody(number))
      completed_.push_back(number);
  } else {
    node.body->act();
    completed_.push_back(number);
  }
}

// startBody() is false when the condition asks for none of the bodies.
bool GraphRun::startBody(std::uint32_t number) {
  const PlanNode& node = plan_->nodes[number];
  const auto& body = static_cast<const ChildBody&>(*node.body);
  const unsigned value = body.condition->value.load(std::memory_order_acquire);
  std::uint32_t chosen = 0;
  switch (body.loop) {
  case NodeBody::Loop::If:
    chosen = value != 0 ? 0 : 1; // the second body is the 'else' branch
    break;
  case NodeBody::Loop::While:
    chosen = value != 0 ? 0 : node.bodyCount;
    break;
  case NodeBody::Loop::Switch:
    chosen = value;
    break;
  }
  if (chosen >= node.bodyCount)
    return false;
  startRegion(node.firstBody + chosen);
  return true;
}

void GraphRun::runHost(std::uint32_t number) {
  auto task = std::make_unique<Task>();
  task->hostAfterFailure = true;
  task->host = [this, number](Status) {
    plan_->nodes[number].body->host();
    std::lock_guard lock(mutex_);
    completed_.push_back(number);
    settle();
  };
  scheduler_.enqueue(hostStream_, std::move(task));
}

void GraphRun::complete(std::uint32_t number) {
  const PlanNode& node = plan_->nodes[number];
  if (!node.work && node.body->type() == NodeType::RecordEvent)
    reach(number);
  for (std::uint32_t i = 0; i < node.dependentCount; ++i) {
    const std::uint32_t after = plan_->dependents[node.firstDependent + i];
    if (--states_[after].waiting == 0)
      starting_.push_back(after);
  }
  if (--unfinished_[node.region] > 0)
    return;
  if (node.region == 0) {
    finish();
    return;
  }
  // The body of a conditional node has ended; a loop asks again.
  const std::uint32_t owner = plan_->regions[node.region].owner;
  const auto& body = static_cast<const ChildBody&>(*plan_->nodes[owner].body);
  const bool again = body.loop == NodeBody::Loop::While &&
                     failure_.load(std::memory_order_relaxed) == Status::Ok &&
                     !scheduler_.stopped();
  if (!again || !startBody(owner))
    completed_.push_back(owner);
}

} // namespace cu2cpp::rt
