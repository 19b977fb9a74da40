// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instantiated graphs.
#include "core/graph_exec.h"

#include <algorithm>

#include "core/device.h"
#include "core/event.h"

namespace cu2cpp::rt {

GraphExec::GraphExec(Device& device, std::shared_ptr<Graph> source, std::shared_ptr<Plan> plan,
                     unsigned long long flags)
    : plan_(std::move(plan)), source_(std::move(source)), flags_(flags),
      hasMemory_(std::any_of(plan_->nodes.begin(), plan_->nodes.end(),
                             [](const PlanNode& node) {
                               return node.body->type() == NodeType::Allocate ||
                                      node.body->type() == NodeType::Free;
                             })),
      hostStream_(std::make_shared<Stream>(device, 0, false, limits::leastPriority)),
      pending_(std::make_shared<std::atomic<unsigned>>(0)) {}

std::shared_ptr<Graph> GraphExec::asGraph() const { return source_->clone(); }

Point GraphExec::launch(Scheduler& scheduler, const std::shared_ptr<Stream>& stream) {
  std::lock_guard lock(mutex_);
  auto task = std::make_unique<Task>();
  if (!last_.reached())
    task->after.push_back(last_);
  for (const std::uint32_t node : plan_->waits)
    if (plan_->nodes[node].enabled)
      if (const std::shared_ptr<Recording> recording =
              plan_->nodes[node].body->event()->recording())
        task->after.push_back(recording->point);
  task->work = std::make_unique<GraphRun>(scheduler, plan_, hostStream_, *this);
  last_ = scheduler.enqueue(stream, std::move(task));
  return last_;
}

std::unique_ptr<GraphRun> GraphExec::launchFromKernel(Scheduler& scheduler, const GraphRun& by,
                                                      bool tail) {
  std::lock_guard lock(mutex_);
  const bool itself = by.exec() == this;
  const unsigned most = itself && by.launchedByKernel() ? 2 : 1;
  if ((itself && !tail) || pending_->load(std::memory_order_acquire) >= most)
    return nullptr;
  pending_->fetch_add(1, std::memory_order_acq_rel);
  return std::make_unique<GraphRun>(scheduler, plan_, hostStream_, *this, pending_);
}

// The point orders what the launches have read before what is written now; the count alone doesn't.
Plan& GraphExec::changeable() {
  if (!last_.reached() || plan_.use_count() > 1) {
    plan_ = std::make_shared<Plan>(*plan_);
    // Work keeps how it went, so plans don't share it with launches that are under way.
    for (std::uint32_t i = 0; i < plan_->nodes.size(); ++i)
      plan_->setBody(i, plan_->nodes[i].body);
  }
  return *plan_;
}

const std::uint32_t* GraphExec::find(const Node* node) const {
  const auto found = plan_->byNode.find(node);
  return found == plan_->byNode.end() ? nullptr : &found->second;
}

std::shared_ptr<const NodeBody> GraphExec::body(const Node* node) const {
  std::lock_guard lock(mutex_);
  const std::uint32_t* const number = find(node);
  return number ? plan_->nodes[*number].body : nullptr;
}

bool GraphExec::setBody(const Node* node, std::shared_ptr<const NodeBody> body) {
  std::lock_guard lock(mutex_);
  const std::uint32_t* const number = find(node);
  if (!number)
    return false;
  const std::uint32_t index = *number;
  changeable().setBody(index, std::move(body));
  return true;
}

bool GraphExec::setEnabled(const Node* node, bool enabled) {
  std::lock_guard lock(mutex_);
  const std::uint32_t* const number = find(node);
  if (!number)
    return false;
  const std::uint32_t index = *number;
  changeable().nodes[index].enabled = enabled;
  return true;
}

bool GraphExec::enabled(const Node* node, bool& out) const {
  std::lock_guard lock(mutex_);
  const std::uint32_t* const number = find(node);
  if (number)
    out = plan_->nodes[*number].enabled;
  return number != nullptr;
}

std::vector<std::shared_ptr<const NodeBody>> GraphExec::bodies() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const NodeBody>> result;
  for (const PlanNode& node : plan_->nodes)
    if (node.enabled)
      result.push_back(node.body);
  return result;
}

bool GraphExec::updateChild(const Node& node, const Graph& child) {
  const auto* const now = dynamic_cast<const ChildBody*>(node.body.get());
  if (!now || now->condition)
    return false;
  const std::vector<std::shared_ptr<Node>>& old = now->graphs.front()->nodes();
  if (old.size() != child.nodes().size())
    return false;
  std::lock_guard lock(mutex_);
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const Node &before = *old[i], &after = *child.nodes()[i];
    const std::uint32_t* const number = find(&before);
    if (!number || dynamic_cast<const ChildBody*>(before.body.get()) ||
        !before.body->mayBecome(*after.body) ||
        before.dependencies.size() != after.dependencies.size())
      return false;
    for (std::size_t k = 0; k < before.dependencies.size(); ++k)
      if (before.dependencies[k]->number != after.dependencies[k]->number)
        return false;
    numbers.push_back(*number);
  }
  Plan& plan = changeable();
  for (std::size_t i = 0; i < old.size(); ++i)
    plan.setBody(numbers[i], child.nodes()[i]->body);
  return true;
}

UpdateResult GraphExec::update(const Graph& graph, const Node** offender) {
  *offender = nullptr;
  const std::shared_ptr<Plan> wanted = makePlan(graph);
  if (!wanted)
    return UpdateResult::Error;
  std::lock_guard lock(mutex_);
  const auto nodeOf = [&](std::uint32_t number) -> const Node* {
    for (const auto& [node, index] : wanted->byNode)
      if (index == number)
        return node;
    return nullptr;
  };
  if (wanted->nodes.size() != plan_->nodes.size())
    return UpdateResult::TopologyChanged;
  for (std::uint32_t i = 0; i < wanted->nodes.size(); ++i) {
    const PlanNode &now = plan_->nodes[i], &then = wanted->nodes[i];
    UpdateResult result = UpdateResult::Success;
    if (now.dependencyCount != then.dependencyCount || now.dependentCount != then.dependentCount ||
        now.region != then.region || now.bodyCount != then.bodyCount)
      result = UpdateResult::TopologyChanged;
    else if (now.body->type() != then.body->type())
      result = UpdateResult::NodeTypeChanged;
    else if (!now.body->mayBecome(*then.body))
      result = UpdateResult::ParametersChanged;
    if (result != UpdateResult::Success) {
      *offender = nodeOf(i);
      return result;
    }
  }
  if (wanted->dependents != plan_->dependents)
    return UpdateResult::TopologyChanged;
  Plan& plan = changeable();
  for (std::uint32_t i = 0; i < wanted->nodes.size(); ++i) {
    // Nodes inside of conditional nodes test what they tested.
    if (plan.nodes[i].bodyCount == 0)
      plan.setBody(i, wanted->nodes[i].body);
  }
  return UpdateResult::Success;
}

} // namespace cu2cpp::rt
