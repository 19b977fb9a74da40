// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph made ready for launching: all nodes in one array, graphs inside of nodes included, with
// numbers in place of pointers.
//
// A region is a set of nodes that starts and ends together: the whole graph (region 0), and each
// body of a conditional node, which may run several times or not at all.
#ifndef CU2CPP_CORE_GRAPH_PLAN_H
#define CU2CPP_CORE_GRAPH_PLAN_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/graph.h"

namespace cu2cpp::rt {

struct PlanNode {
  std::shared_ptr<const NodeBody> body;
  std::shared_ptr<Work> work; // used again and again
  std::uint64_t parts = 0;    // of the work
  std::uint32_t firstDependent = 0, dependentCount = 0;
  std::uint32_t dependencyCount = 0;
  std::uint32_t region = 0;
  std::uint32_t firstBody = 0, bodyCount = 0; // regions of a conditional node
  int priority = 0;
  bool enabled = true;
};

/// Nanoseconds of work: less than this is done before a helper has done its share.
constexpr std::uint32_t worthHelp = 8'000;

/// NodeCost is how long a node's work takes one thread, in nanoseconds, by what launches have
/// measured: a hint, which they share.
struct NodeCost {
  static constexpr std::uint32_t unknown = ~std::uint32_t(0);
  std::atomic<std::uint32_t> nanoseconds{unknown};
};

/// LaunchCosts is what launches of the whole graph have measured, in nanoseconds, as hints too: the
/// work of all nodes, and how long a launch takes that one thread does alone or several share.
struct LaunchCosts {
  std::atomic<std::uint32_t> work{NodeCost::unknown}, alone{NodeCost::unknown},
      shared{NodeCost::unknown};

  void forget();
  /// note() enters how long one launch took. What is known of the other way fades, so that it is
  /// tried again now and then.
  void note(bool wasAlone, std::uint32_t time);
  /// oneIsEnough() is true where help brings nothing.
  bool oneIsEnough() const;
};

struct PlanRegion {
  std::uint32_t owner = 0; // the conditional node; unused for region 0
  std::vector<std::uint32_t> nodes, roots;
};

struct Plan {
  std::vector<PlanNode> nodes;
  std::vector<std::uint32_t> dependents; // of all nodes, one after the other
  std::vector<PlanRegion> regions;
  std::vector<std::shared_ptr<Conditional>> conditionals;
  std::shared_ptr<NodeCost[]> costs; // of all nodes
  std::shared_ptr<LaunchCosts> launches;
  /// byNode finds the number of a node of the graph that the plan was made of.
  std::unordered_map<const Node*, std::uint32_t> byNode;
  std::vector<std::uint32_t> waits, records; // nodes that wait for events and record them
  bool priorities = false;                   // some node has one of its own
  bool chain = false;                        // never more than one part to do at a time

  void setBody(std::uint32_t node, std::shared_ptr<const NodeBody> body);
};

/// makePlan() is null when the graph has a cycle.
std::shared_ptr<Plan> makePlan(const Graph& graph);

} // namespace cu2cpp::rt

#endif
