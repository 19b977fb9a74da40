// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instantiated graph: the plan that launches use. New parameters go into a copy of the plan if a
// launch still uses it, so that launches already made are not affected.
//
// CUDA C++ Programming Guide, 'Updating Instantiated Graphs'.
#ifndef CU2CPP_CORE_GRAPH_EXEC_H
#define CU2CPP_CORE_GRAPH_EXEC_H

#include <memory>
#include <mutex>

#include "core/graph_plan.h"
#include "core/graph_run.h"

namespace cu2cpp::rt {

/// UpdateResult has CUDA's numbers.
enum class UpdateResult {
  Success = 0,
  Error = 1,
  TopologyChanged = 2,
  NodeTypeChanged = 3,
  FunctionChanged = 4,
  ParametersChanged = 5,
  NotSupported = 6,
};

class GraphExec {
public:
  /// `source` is a copy of the graph, which keeps user objects alive.
  GraphExec(Device& device, std::shared_ptr<Graph> source, std::shared_ptr<Plan> plan,
            unsigned long long flags);

  unsigned long long flags() const { return flags_; }

  /// launch() puts the graph into the stream. Launches of one graph run one after the other.
  Point launch(Scheduler& scheduler, const std::shared_ptr<Stream>& stream);

  /// launchFromKernel() is the launch for a kernel of `by`; null while another one has not ended,
  /// except that a graph may launch itself again at its end.
  std::unique_ptr<GraphRun> launchFromKernel(Scheduler& scheduler, const GraphRun& by, bool tail);

  /// asGraph() is a graph of the same nodes.
  std::shared_ptr<Graph> asGraph() const;
  bool hasMemory() const { return hasMemory_; }

  /// body() is a node's body, null for a node that the graph did not have.
  std::shared_ptr<const NodeBody> body(const Node* node) const;
  bool setBody(const Node* node, std::shared_ptr<const NodeBody> body);
  bool setEnabled(const Node* node, bool enabled);
  bool enabled(const Node* node, bool& out) const;

  /// update() takes over the parameters of a graph of the same shape; `offender` is its node that
  /// does not fit.
  UpdateResult update(const Graph& graph, const Node** offender);

  /// updateChild() does that for the graph inside of a child graph node; false if it doesn't fit.
  bool updateChild(const Node& node, const Graph& child);

  /// bodies() are those of all enabled nodes.
  std::vector<std::shared_ptr<const NodeBody>> bodies() const;

private:
  Plan& changeable();
  const std::uint32_t* find(const Node* node) const;

  mutable std::mutex mutex_; // before the scheduler's
  std::shared_ptr<Plan> plan_;
  const std::shared_ptr<Graph> source_;
  const unsigned long long flags_;
  const bool hasMemory_; // allocation or free nodes
  Point last_;
  const std::shared_ptr<Stream> hostStream_;
  const std::shared_ptr<std::atomic<unsigned>> pending_; // launches by kernels
};

} // namespace cu2cpp::rt

#endif
