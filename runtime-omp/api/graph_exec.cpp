// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instantiated graphs: making, launching and updating them.
//
// CUDA Runtime API, 'Graph Management'; CUDA C++ Programming Guide, 'CUDA Graphs'.
#include <algorithm>
#include <mutex>

#include <cu2cpp/api/graphs.h>
#include <cu2cpp/block.h>

#include "api/graph_handles.h"

using namespace cu2cpp::rt;

namespace {

constexpr unsigned long long knownFlags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

// Kernels may launch graphs of kernels, copies and fills (Programming Guide, 'Device Graph
// Requirements'). Gives the first node that is something else.
const Node* noDeviceNode(const Graph& graph) {
  for (const std::shared_ptr<Node>& node : graph.nodes()) {
    if (const auto* const child = dynamic_cast<const ChildBody*>(node->body.get())) {
      if (child->condition)
        return node.get();
      for (const std::shared_ptr<Graph>& inner : child->graphs)
        if (noDeviceNode(*inner))
          return node.get();
    } else if (node->body->type() > NodeType::Fill) {
      return node.get();
    }
  }
  return nullptr;
}

// Bodies of conditional nodes hold no host functions, events and memory nodes (Programming Guide,
// 'Conditional Graph Nodes').
bool bodiesAreGood(const Graph& graph, bool inBody) {
  for (const std::shared_ptr<Node>& node : graph.nodes()) {
    const NodeType type = node->body->type();
    if (const auto* const child = dynamic_cast<const ChildBody*>(node->body.get())) {
      for (const std::shared_ptr<Graph>& inner : child->graphs)
        if (!bodiesAreGood(*inner, inBody || child->condition))
          return false;
    } else if (inBody && type > NodeType::Fill && type != NodeType::Empty) {
      return false;
    }
  }
  return true;
}

/// MemoryGraphs knows what graphs with memory nodes have been instantiated to: once at a time
/// (Programming Guide, 'Graph Memory Nodes').
class MemoryGraphs {
public:
  bool instantiated(const std::shared_ptr<Graph>& graph) {
    std::lock_guard lock(mutex_);
    return std::any_of(all_.begin(), all_.end(), [&](const auto& one) {
      return one.first.lock() == graph && !one.second.expired();
    });
  }
  void add(const std::shared_ptr<Graph>& graph, const std::shared_ptr<GraphExec>& exec) {
    std::lock_guard lock(mutex_);
    all_.erase(
        std::remove_if(all_.begin(), all_.end(),
                       [](const auto& one) { return one.first.expired() || one.second.expired(); }),
        all_.end());
    all_.emplace_back(graph, exec);
  }

private:
  std::mutex mutex_; // a leaf
  std::vector<std::pair<std::weak_ptr<Graph>, std::weak_ptr<GraphExec>>> all_;
};
MemoryGraphs& memoryGraphs() {
  static MemoryGraphs& all = *new MemoryGraphs;
  return all;
}

Status instantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags,
                   cudaGraphInstantiateResult& result, cudaGraphNode_t* offender = nullptr) {
  result = cudaGraphInstantiateError;
  const std::shared_ptr<Graph> object = graphOf(graph);
  if (!out || !object || (flags & ~knownFlags))
    return Status::InvalidValue;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
    if ((flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) || object->nodes().empty())
      return Status::InvalidValue;
    if (const Node* const node = noDeviceNode(*object)) {
      if (offender)
        *offender = handleOf(node);
      result = cudaGraphInstantiateNodeOperationNotSupported;
      return Status::InvalidValue;
    }
  }
  if (memoryGraphs().instantiated(object))
    return Status::NotSupported;
  if (!bodiesAreGood(*object, false))
    return Status::InvalidValue;
  std::shared_ptr<Plan> plan = makePlan(*object);
  if (!plan) {
    result = cudaGraphInstantiateInvalidStructure; // a cycle
    return Status::InvalidValue;
  }
  for (const std::shared_ptr<Conditional>& conditional : plan->conditionals) {
    const auto tests = [&](const PlanNode& node) {
      const auto* const child = dynamic_cast<const ChildBody*>(node.body.get());
      return child && child->condition == conditional;
    };
    if (std::none_of(plan->nodes.begin(), plan->nodes.end(), tests)) {
      result = cudaGraphInstantiateConditionalHandleUnused;
      return Status::InvalidValue;
    }
  }
  const auto exec =
      std::make_shared<GraphExec>(currentDevice(), object->clone(), std::move(plan), flags);
  *out = reinterpret_cast<cudaGraphExec_t>(exec.get());
  process().graphExecs.add(exec);
  if (exec->hasMemory())
    memoryGraphs().add(object, exec);
  result = cudaGraphInstantiateSuccess;
  return Status::Ok;
}

template <class Body> cudaError_t execCall(cudaGraphExec_t handle, Body body) {
  return deviceCall([&] {
    const std::shared_ptr<GraphExec> exec = execOf(handle);
    return exec ? body(exec) : Status::InvalidValue;
  });
}

Status accountMemory(const GraphExec& exec) {
  std::vector<std::shared_ptr<GraphBlock>> allocated, freed;
  for (const std::shared_ptr<const NodeBody>& body : exec.bodies()) {
    if (body->type() == NodeType::Allocate)
      allocated.push_back(static_cast<const AllocateBody&>(*body).block());
    else if (body->type() == NodeType::Free)
      freed.push_back(static_cast<const FreeBody&>(*body).block());
  }
  return accountLaunch(allocated, freed, exec.flags() & cudaGraphInstantiateFlagAutoFreeOnLaunch);
}

} // namespace

extern "C" cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                                     unsigned long long flags) {
  return deviceCall([=] {
    cudaGraphInstantiateResult result;
    return instantiate(pGraphExec, graph, flags, result);
  });
}

extern "C" cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                            unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(pGraphExec, graph, flags);
}

extern "C" cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* pGraphExec,
                                                      cudaGraph_t graph,
                                                      cudaGraphInstantiateParams* params) {
  return deviceCall([=] {
    if (!params)
      return Status::InvalidValue;
    params->errNode_out = nullptr;
    return instantiate(pGraphExec, graph, params->flags, params->result_out, &params->errNode_out);
  });
}

extern "C" cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
  return plainCall([=] {
    const std::shared_ptr<GraphExec> exec = process().graphExecs.remove(graphExec);
    return exec ? Status::Ok : Status::InvalidValue;
  });
}

extern "C" cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long* flags) {
  return execCall(graphExec, [=](const std::shared_ptr<GraphExec>& exec) {
    if (!flags)
      return Status::InvalidValue;
    *flags = exec->flags();
    return Status::Ok;
  });
}

// There is nothing to bring to a device; the call keeps its place in the stream's order.
extern "C" cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream) {
  return execCall(graphExec, [=](const std::shared_ptr<GraphExec>&) {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    return queue ? submit(queue, std::make_unique<Task>(), false) : Status::InvalidHandle;
  });
}

// A graph that a kernel launches runs behind that kernel, or behind the graph that the kernel is
// part of. A sibling may as well run behind the kernel: nothing can wait for it there.
// Programming Guide, 'Device Graph Launch'.
static Status launchFromKernel(GraphExec& exec, cudaStream_t stream) {
  const bool tail = stream == cudaStreamGraphTailLaunch;
  const bool forget =
      stream == cudaStreamGraphFireAndForget || stream == cudaStreamGraphFireAndForgetAsSibling;
  if (!runningGraph || (!tail && !forget) || !(exec.flags() & cudaGraphInstantiateFlagDeviceLaunch))
    return Status::InvalidValue;
  std::unique_ptr<GraphRun> run = exec.launchFromKernel(process().scheduler, *runningGraph, tail);
  if (!run)
    return Status::InvalidValue;
  (tail ? runningGraph->children : *inKernel.children).add(std::move(run), tail);
  return Status::Ok;
}

cudaGraphExec_t cu2cpp::detail::currentGraphExec() noexcept {
  const std::shared_ptr<GraphExec> exec =
      runningGraph ? process().graphExecs.find(runningGraph->exec()) : nullptr;
  return exec && (exec->flags() & cudaGraphInstantiateFlagDeviceLaunch)
             ? reinterpret_cast<cudaGraphExec_t>(exec.get())
             : nullptr;
}

extern "C" cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream) {
  return execCall(graphExec, [=](const std::shared_ptr<GraphExec>& exec) {
    if (cu2cpp::detail::context.block)
      return launchFromKernel(*exec, stream);
    const std::shared_ptr<Stream> queue = streamOf(stream);
    if (!queue)
      return Status::InvalidHandle;
    if (!Scheduler::mayWait())
      return Status::NotPermitted;
    if (queue->capturing.load(std::memory_order_relaxed)) {
      // The launch becomes a child graph (Programming Guide, 'Creating a Graph Using Stream
      // Capture').
      return process().captures.add(queue, std::make_shared<ChildBody>(exec->asGraph()));
    }
    if (exec->hasMemory())
      if (const Status status = accountMemory(*exec); status != Status::Ok)
        return status;
    if (process().scheduler.stopped())
      return Status::Unloading;
    if (process().captures.anyActive())
      if (const Status status = checkCaptures(queue); status != Status::Ok)
        return status;
    const Point point = exec->launch(process().scheduler, queue);
    return process().launchBlocking ? waitFor(point) : Status::Ok;
  });
}

extern "C" cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                           cudaGraphExecUpdateResultInfo* resultInfo) {
  return execCall(hGraphExec, [=](const std::shared_ptr<GraphExec>& exec) {
    const std::shared_ptr<Graph> graph = graphOf(hGraph);
    if (!graph)
      return Status::InvalidValue;
    const Node* offender = nullptr;
    const UpdateResult result = exec->update(*graph, &offender);
    if (!resultInfo)
      return result == UpdateResult::Success ? Status::Ok : Status::GraphUpdateFailure;
    resultInfo->result = static_cast<cudaGraphExecUpdateResult>(result);
    resultInfo->errorNode = handleOf(offender);
    resultInfo->errorFromNode = nullptr;
    return result == UpdateResult::Success ? Status::Ok : Status::GraphUpdateFailure;
  });
}

// Kernel, copy and fill nodes only (Runtime API, 'cudaGraphNodeSetEnabled').
extern "C" cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                               unsigned int isEnabled) {
  return execCall(hGraphExec, [=](const std::shared_ptr<GraphExec>& exec) {
    const auto* const node = reinterpret_cast<const Node*>(hNode);
    const std::shared_ptr<const NodeBody> body = exec->body(node);
    if (!body || body->type() > NodeType::Fill)
      return Status::InvalidValue;
    return exec->setEnabled(node, isEnabled != 0) ? Status::Ok : Status::InvalidValue;
  });
}

extern "C" cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                               unsigned int* isEnabled) {
  return execCall(hGraphExec, [=](const std::shared_ptr<GraphExec>& exec) {
    const auto* const node = reinterpret_cast<const Node*>(hNode);
    const std::shared_ptr<const NodeBody> body = exec->body(node);
    bool enabled = false;
    if (!isEnabled || !body || body->type() > NodeType::Fill || !exec->enabled(node, enabled))
      return Status::InvalidValue;
    *isEnabled = enabled;
    return Status::Ok;
  });
}
