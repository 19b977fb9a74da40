// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The execution of a graph.
#include "core/graph_run.h"

#include <algorithm>

#include "core/device.h"
#include "core/event.h"
#include "core/worker_team.h"

namespace cu2cpp::rt {

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

void GraphRun::tellWanted() {
  wanted_.store(finished_ ? -1 : ready_.empty() ? 0 : 1, std::memory_order_relaxed);
}

void GraphRun::join(bool leader, unsigned teamSize) noexcept {
  GraphRun* const outside = runningGraph; // this launch may be a child of one of its kernels
  runningGraph = this;
  takeParts(leader, teamSize);
  runningGraph = outside;
}

void GraphRun::takeParts(bool leader, unsigned teamSize) noexcept {
  std::unique_lock lock(mutex_);
  teamSize_ = teamSize;
  if (!leader)
    ++helpers_;
  if (leader && !begun_) {
    begun_ = true;
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
    const PlanNode& node = plan_->nodes[number];
    State& state = states_[number];
    const std::uint64_t chunk = node.parts == 1 ? 1 : node.work->chunkFor(teamSize);
    // The work's own counter, of which threads that a grid adds for blocks that wait take parts
    // too.
    const std::uint64_t first = node.work->nextPart.fetch_add(chunk, std::memory_order_relaxed);
    if (first + chunk >= node.parts)
      unlist(number);
    if (first >= node.parts)
      continue; // somebody runs the last part, and completes the node
    const bool skip =
        failure_.load(std::memory_order_relaxed) != Status::Ok || scheduler_.stopped();
    ++state.takers;
    lock.unlock();
    if (!skip)
      node.work->run(first, std::min(first + chunk, node.parts));
    lock.lock();
    if (--state.takers > 0 || node.work->nextPart.load(std::memory_order_relaxed) < node.parts)
      continue;
    unlist(number);
    lock.unlock();
    node.work->allReturned();
    lock.lock();
    Status status = node.work->result();
    if (status == Status::Ok) {
      lock.unlock();
      if (!node.work->children.finish())
        status = Status::LaunchFailure;
      lock.lock();
    }
    if (status != Status::Ok)
      failure_.store(status, std::memory_order_relaxed);
    completed_.push_back(number);
    settle();
  }
  if (!leader)
    --helpers_;
}

void GraphRun::startRegion(std::uint32_t number) {
  const PlanRegion& region = plan_->regions[number];
  unfinished_[number] = std::uint32_t(region.nodes.size());
  for (std::uint32_t node : region.nodes) {
    State& state = states_[node];
    state.waiting = plan_->nodes[node].dependencyCount;
    if (const std::shared_ptr<Work>& work = plan_->nodes[node].work)
      work->nextPart.store(0, std::memory_order_relaxed);
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
  const bool alone =
      ready_.size() <= 1 && (ready_.empty() || plan_->nodes[ready_.front()].parts == 1);
  tellWanted();
  if (!alone && helpers_ + 1 < teamSize_)
    scheduler_.callForHelp();
  if (finished_ || !ready_.empty())
    changed_.notify_one();
}

// Nearly always the first.
void GraphRun::unlist(std::uint32_t node) {
  if (!states_[node].listed)
    return;
  states_[node].listed = false;
  ready_.erase(std::find(ready_.begin(), ready_.end(), node));
  tellWanted();
}

void GraphRun::pushReady(std::uint32_t node) {
  states_[node].listed = true;
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
  if (node.body->type() == NodeType::RecordEvent)
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
