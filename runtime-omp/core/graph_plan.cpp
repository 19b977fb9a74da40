// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a graph to its plan. A child graph's nodes take the place of its node: an empty node before
// them and one after them keep the edges.
#include "core/graph_plan.h"

#include <algorithm>

namespace cu2cpp::rt {
namespace {

// Nanoseconds of work: graphs with less are launched both ways to see which is quicker.
constexpr std::uint32_t worthTrying = 300'000;

class EmptyBody final : public NodeBody {
public:
  NodeType type() const override { return NodeType::Empty; }
};

class Planner {
public:
  explicit Planner(Plan& plan) : plan_(plan) {}

  bool add(const Graph& graph, std::uint32_t region);
  void finish();

private:
  std::uint32_t addNode(std::shared_ptr<const NodeBody> body, std::uint32_t region);
  void addEdge(std::uint32_t from, std::uint32_t to) {
    edges_[from].push_back(to);
    ++plan_.nodes[to].dependencyCount;
  }

  Plan& plan_;
  std::vector<std::vector<std::uint32_t>> edges_;
};

std::uint32_t Planner::addNode(std::shared_ptr<const NodeBody> body, std::uint32_t region) {
  const auto number = std::uint32_t(plan_.nodes.size());
  plan_.nodes.emplace_back();
  plan_.setBody(number, std::move(body));
  plan_.nodes[number].region = region;
  plan_.regions[region].nodes.push_back(number);
  edges_.emplace_back();
  return number;
}

bool Planner::add(const Graph& graph, std::uint32_t region) {
  const std::vector<Node*> ordered = graph.ordered();
  if (ordered.size() != graph.nodes().size())
    return false;
  for (const std::shared_ptr<Conditional>& conditional : graph.conditionals)
    if (std::find(plan_.conditionals.begin(), plan_.conditionals.end(), conditional) ==
        plan_.conditionals.end())
      plan_.conditionals.push_back(conditional);
  // Where edges to a node end and where those from it begin; both differ for child graphs only.
  std::vector<std::uint32_t> entry(ordered.size()), exit(ordered.size());
  for (const Node* node : ordered) {
    const auto* const child = dynamic_cast<const ChildBody*>(node->body.get());
    std::uint32_t first = addNode(node->body, region), last = first;
    plan_.byNode[node] = first;
    if (child && child->condition) {
      plan_.nodes[first].firstBody = std::uint32_t(plan_.regions.size());
      plan_.nodes[first].bodyCount = std::uint32_t(child->graphs.size());
      const std::uint32_t firstBody = plan_.nodes[first].firstBody;
      plan_.regions.resize(plan_.regions.size() + child->graphs.size());
      for (std::uint32_t i = 0; i < child->graphs.size(); ++i) {
        plan_.regions[firstBody + i].owner = first;
        if (!add(*child->graphs[i], firstBody + i))
          return false;
      }
    } else if (child) {
      const std::size_t inside = plan_.nodes.size();
      if (!add(*child->graphs.front(), region))
        return false;
      const std::size_t behind = plan_.nodes.size();
      last = addNode(std::make_shared<EmptyBody>(), region);
      for (std::size_t i = inside; i < behind; ++i) {
        if (plan_.nodes[i].region != region)
          continue;
        if (plan_.nodes[i].dependencyCount == 0)
          addEdge(first, std::uint32_t(i));
        if (edges_[i].empty())
          addEdge(std::uint32_t(i), last);
      }
      if (edges_[first].empty())
        addEdge(first, last);
    }
    entry[node->number] = first;
    exit[node->number] = last;
  }
  for (const Node* node : ordered)
    for (const Node* after : node->dependents)
      addEdge(exit[node->number], entry[after->number]);
  return true;
}

void Planner::finish() {
  for (std::uint32_t i = 0; i < plan_.nodes.size(); ++i) {
    if (plan_.nodes[i].body->type() == NodeType::WaitEvent)
      plan_.waits.push_back(i);
    if (plan_.nodes[i].body->type() == NodeType::RecordEvent)
      plan_.records.push_back(i);
    PlanNode& node = plan_.nodes[i];
    node.firstDependent = std::uint32_t(plan_.dependents.size());
    node.dependentCount = std::uint32_t(edges_[i].size());
    plan_.dependents.insert(plan_.dependents.end(), edges_[i].begin(), edges_[i].end());
    if (node.dependencyCount == 0)
      plan_.regions[node.region].roots.push_back(i);
  }
  plan_.costs.reset(new NodeCost[plan_.nodes.size()]);
  plan_.launches = std::make_shared<LaunchCosts>();
  plan_.chain =
      std::all_of(plan_.nodes.begin(), plan_.nodes.end(),
                  [](const PlanNode& node) {
                    return node.dependencyCount <= 1 && node.dependentCount <= 1 && node.parts <= 1;
                  }) &&
      std::all_of(plan_.regions.begin(), plan_.regions.end(),
                  [](const PlanRegion& region) { return region.roots.size() <= 1; });
}

} // namespace

void LaunchCosts::forget() {
  for (std::atomic<std::uint32_t>* each : {&work, &alone, &shared})
    each->store(NodeCost::unknown, std::memory_order_relaxed);
}

void LaunchCosts::note(bool wasAlone, std::uint32_t time) {
  (wasAlone ? alone : shared).store(time, std::memory_order_relaxed);
  std::atomic<std::uint32_t>& other = wasAlone ? shared : alone;
  const std::uint32_t known = other.load(std::memory_order_relaxed);
  if (known != NodeCost::unknown)
    other.store(known - known / 128, std::memory_order_relaxed);
}

// Nodes that several threads run seem to take longer than they do: each finds in another thread's
// cache what it needs to begin with. So small graphs are measured both ways; a quarter of the time
// is the least for which others are kept from sleeping.
bool LaunchCosts::oneIsEnough() const {
  const std::uint32_t all = work.load(std::memory_order_relaxed);
  if (all >= worthTrying)
    return false;
  if (all < worthHelp)
    return true;
  const std::uint64_t one = alone.load(std::memory_order_relaxed),
                      several = shared.load(std::memory_order_relaxed);
  return one == NodeCost::unknown || one < several + several / 4;
}

void Plan::setBody(std::uint32_t number, std::shared_ptr<const NodeBody> body) {
  PlanNode& node = nodes[number];
  node.work = body->makeWork();
  node.parts = node.work ? node.work->parts() : 0;
  chain &= node.parts <= 1;
  if (launches)
    launches->forget();
  node.priority = body->priority();
  priorities |= node.priority != 0;
  node.body = std::move(body);
}

std::shared_ptr<Plan> makePlan(const Graph& graph) {
  auto plan = std::make_shared<Plan>();
  plan->regions.resize(1);
  Planner planner(*plan);
  if (!planner.add(graph, 0))
    return nullptr;
  planner.finish();
  return plan;
}

} // namespace cu2cpp::rt
