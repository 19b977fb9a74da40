// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs and their structure.
//
// CUDA Runtime API, 'Graph Management'.
#include <algorithm>

#include <cu2cpp/api/graphs.h>

#include "api/graph_handles.h"

namespace cu2cpp::rt {

void publish(const std::shared_ptr<Node>& node) {
  process().graphNodes.add(node);
  if (const auto* const child = dynamic_cast<const ChildBody*>(node->body.get()))
    for (const std::shared_ptr<Graph>& graph : child->graphs) {
      graph->owner = node.get();
      publish(graph);
    }
}

void publish(const std::shared_ptr<Graph>& graph) {
  process().graphs.add(graph);
  for (const std::shared_ptr<Node>& node : graph->nodes())
    publish(node);
}

void withdraw(const Node& node) {
  process().graphNodes.remove(&node);
  if (const auto* const child = dynamic_cast<const ChildBody*>(node.body.get()))
    for (const std::shared_ptr<Graph>& graph : child->graphs)
      withdraw(*graph);
}

void withdraw(const Graph& graph) {
  for (const std::shared_ptr<Node>& node : graph.nodes())
    withdraw(*node);
  process().graphs.remove(&graph);
}

bool nodesOf(const cudaGraphNode_t* handles, std::size_t count, std::vector<Node*>& out) {
  if (count > 0 && !handles)
    return false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::shared_ptr<Node> node = nodeOf(handles[i]);
    if (!node)
      return false;
    out.push_back(node.get());
  }
  return true;
}

Status addNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
               std::size_t count, std::shared_ptr<const NodeBody> body) {
  const std::shared_ptr<Graph> object = graphOf(graph);
  std::vector<Node*> before;
  if (!out || !object || !nodesOf(dependencies, count, before))
    return Status::InvalidValue;
  // An allocation is freed once in a graph.
  if (const auto* const freed = dynamic_cast<const FreeBody*>(body.get()))
    for (const std::shared_ptr<Node>& other : object->nodes())
      if (const auto* const one = dynamic_cast<const FreeBody*>(other->body.get());
          one && one->block() == freed->block())
        return Status::InvalidValue;
  const std::shared_ptr<Node> node = object->addNode(std::move(body), before);
  if (!node)
    return Status::InvalidValue;
  publish(node);
  *out = handleOf(node.get());
  return Status::Ok;
}

Status listNodes(const std::vector<Node*>& nodes, cudaGraphNode_t* out, std::size_t* count) {
  if (!count)
    return Status::InvalidValue;
  if (!out) {
    *count = nodes.size();
    return Status::Ok;
  }
  for (std::size_t i = 0; i < *count; ++i)
    out[i] = i < nodes.size() ? handleOf(nodes[i]) : nullptr; // what is too many is cleared
  *count = std::min(*count, nodes.size());
  return Status::Ok;
}

} // namespace cu2cpp::rt

using namespace cu2cpp::rt;

namespace {

template <class Body> cudaError_t graphCall(cudaGraph_t handle, Body body) {
  return plainCall([&] {
    const std::shared_ptr<Graph> graph = graphOf(handle);
    return graph ? body(graph) : Status::InvalidValue;
  });
}

template <class Body> cudaError_t nodeCall(cudaGraphNode_t handle, Body body) {
  return plainCall([&] {
    const std::shared_ptr<Node> node = nodeOf(handle);
    return node ? body(*node) : Status::InvalidValue;
  });
}

// All edges or none: a wrong one in the middle leaves the graph as it was.
Status changeEdges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                   std::size_t count, bool (Graph::*apply)(Node*, Node*),
                   bool (Graph::*undo)(Node*, Node*)) {
  const std::shared_ptr<Graph> object = graphOf(graph);
  std::vector<Node*> sources, targets;
  if (!object || !nodesOf(from, count, sources) || !nodesOf(to, count, targets))
    return Status::InvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    const bool ok = object->contains(sources[i]) && object->contains(targets[i]) &&
                    ((*object).*apply)(sources[i], targets[i]);
    if (ok)
      continue;
    while (i-- > 0)
      ((*object).*undo)(sources[i], targets[i]);
    return Status::InvalidValue;
  }
  return Status::Ok;
}

} // namespace

namespace cu2cpp::detail {

bool plainEdges(const cudaGraphEdgeData* data, std::size_t count) noexcept {
  for (std::size_t i = 0; data && i < count; ++i)
    if (data[i].from_port != 0 || data[i].to_port != 0 || data[i].type != 0)
      return false;
  return true;
}

// Programmatic edges begin at a kernel.
static bool isEdge(const Node& from, const cudaGraphEdgeData& data) {
  if (data.type == cudaGraphDependencyTypeDefault)
    return data.from_port == 0 && data.to_port == 0;
  return data.type == cudaGraphDependencyTypeProgrammatic && data.to_port == 0 &&
         (data.from_port == cudaGraphKernelNodePortProgrammatic ||
          data.from_port == cudaGraphKernelNodePortLaunchCompletion) &&
         from.body->type() == NodeType::Kernel;
}

bool goodEdges(const cudaGraphNode_t* from, const cudaGraphEdgeData* data,
               std::size_t count) noexcept {
  for (std::size_t i = 0; data && i < count; ++i) {
    const std::shared_ptr<Node> node = from ? nodeOf(from[i]) : nullptr;
    if (node && !isEdge(*node, data[i]))
      return false;
  }
  return true;
}

void noteEdges(const cudaGraphNode_t* from, const cudaGraphNode_t* to, bool oneTarget,
               const cudaGraphEdgeData* data, std::size_t count) noexcept {
  for (std::size_t i = 0; data && i < count; ++i) {
    const std::shared_ptr<Node> source = nodeOf(from[i]), target = nodeOf(to[oneTarget ? 0 : i]);
    if (source && target && data[i].type != 0)
      target->edgeData[source.get()] = {data[i].from_port, data[i].to_port, data[i].type};
  }
}

cudaError_t readEdges(const cudaGraphNode_t* from, const cudaGraphNode_t* to, EdgeEnds ends,
                      cudaGraphEdgeData* data, std::size_t count) noexcept {
  bool lost = false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::shared_ptr<Node> source = nodeOf(from[ends == EdgeEnds::OneSource ? 0 : i]),
                                target = nodeOf(to[ends == EdgeEnds::OneTarget ? 0 : i]);
    if (data)
      data[i] = {};
    if (!source || !target)
      continue;
    const auto found = target->edgeData.find(source.get());
    if (found == target->edgeData.end())
      continue;
    lost = lost || !data;
    if (data)
      data[i] = {found->second.fromPort, found->second.toPort, found->second.type, {}};
  }
  return lost ? plainCall([] { return static_cast<Status>(cudaErrorLossyQuery); }) : cudaSuccess;
}

cudaError_t refuseEdges() noexcept {
  return plainCall([] { return Status::InvalidValue; });
}

void setConditional(cudaGraphConditionalHandle handle, unsigned value) noexcept {
  reinterpret_cast<Conditional*>(handle)->value.store(value, std::memory_order_release);
}

} // namespace cu2cpp::detail

extern "C" cudaError_t cudaGraphCreate(cudaGraph_t* pGraph, unsigned int flags) {
  return deviceCall([=] {
    if (!pGraph || flags != 0)
      return Status::InvalidValue;
    const auto graph = std::make_shared<Graph>();
    publish(graph);
    *pGraph = handleOf(graph.get());
    return Status::Ok;
  });
}

// A graph inside of a node goes with its node only.
extern "C" cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return graphCall(graph, [](const std::shared_ptr<Graph>& object) {
    if (object->owner)
      return Status::InvalidValue;
    withdraw(*object);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaGraphClone(cudaGraph_t* pGraphClone, cudaGraph_t originalGraph) {
  return graphCall(originalGraph, [=](const std::shared_ptr<Graph>& original) {
    if (!pGraphClone)
      return Status::InvalidValue;
    const auto hasMemory = [](const std::shared_ptr<Node>& node) {
      return node->body->type() == NodeType::Allocate || node->body->type() == NodeType::Free;
    };
    if (std::any_of(original->nodes().begin(), original->nodes().end(), hasMemory))
      return Status::NotSupported; // (Programming Guide, 'Graph Memory Nodes')
    const std::shared_ptr<Graph> clone = original->clone();
    publish(clone);
    *pGraphClone = handleOf(clone.get());
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* pNode,
                                                cudaGraphNode_t originalNode,
                                                cudaGraph_t clonedGraph) {
  return graphCall(clonedGraph, [=](const std::shared_ptr<Graph>& clone) {
    const std::shared_ptr<Node> original = nodeOf(originalNode);
    const Node* const found = original ? clone->find(original.get()) : nullptr;
    if (!pNode || !found)
      return Status::InvalidValue;
    *pNode = handleOf(found);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes,
                                         size_t* numNodes) {
  return graphCall(graph, [=](const std::shared_ptr<Graph>& object) {
    std::vector<Node*> all;
    for (const std::shared_ptr<Node>& node : object->nodes())
      all.push_back(node.get());
    return listNodes(all, nodes, numNodes);
  });
}

extern "C" cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* pRootNodes,
                                             size_t* pNumRootNodes) {
  return graphCall(graph, [=](const std::shared_ptr<Graph>& object) {
    std::vector<Node*> roots;
    for (const std::shared_ptr<Node>& node : object->nodes())
      if (node->dependencies.empty())
        roots.push_back(node.get());
    return listNodes(roots, pRootNodes, pNumRootNodes);
  });
}

extern "C" cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                         cudaGraphNode_t* to, size_t* numEdges) {
  return graphCall(graph, [=](const std::shared_ptr<Graph>& object) {
    std::vector<Node*> sources, targets;
    for (const std::shared_ptr<Node>& node : object->nodes())
      for (Node* after : node->dependents) {
        sources.push_back(node.get());
        targets.push_back(after);
      }
    if (!numEdges || !from != !to)
      return Status::InvalidValue;
    std::size_t count = *numEdges;
    if (const Status status = listNodes(sources, from, &count); status != Status::Ok)
      return status;
    return listNodes(targets, to, numEdges);
  });
}

extern "C" cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                    cudaGraphNode_t* pDependencies,
                                                    size_t* pNumDependencies) {
  return nodeCall(node, [=](const Node& object) {
    return listNodes(object.dependencies, pDependencies, pNumDependencies);
  });
}

extern "C" cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                      cudaGraphNode_t* pDependentNodes,
                                                      size_t* pNumDependentNodes) {
  return nodeCall(node, [=](const Node& object) {
    return listNodes(object.dependents, pDependentNodes, pNumDependentNodes);
  });
}

extern "C" cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                const cudaGraphNode_t* to, size_t numDependencies) {
  return plainCall([=] {
    return changeEdges(graph, from, to, numDependencies, &Graph::addEdge, &Graph::removeEdge);
  });
}

extern "C" cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to,
                                                   size_t numDependencies) {
  return plainCall([=] {
    return changeEdges(graph, from, to, numDependencies, &Graph::removeEdge, &Graph::addEdge);
  });
}

extern "C" cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return plainCall([=] {
    const std::shared_ptr<Node> object = nodeOf(node);
    if (!object)
      return Status::InvalidValue;
    if (object->body->type() == NodeType::Allocate || object->body->type() == NodeType::Free)
      return Status::NotSupported;
    withdraw(*object);
    object->graph->removeNode(object.get());
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* pType) {
  return nodeCall(node, [=](const Node& object) {
    if (!pType)
      return Status::InvalidValue;
    *pType = static_cast<cudaGraphNodeType>(object.body->type());
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* pHandle_out,
                                                        cudaGraph_t graph,
                                                        unsigned int defaultLaunchValue,
                                                        unsigned int flags) {
  return graphCall(graph, [=](const std::shared_ptr<Graph>& object) {
    if (!pHandle_out || (flags & ~unsigned(cudaGraphCondAssignDefault)))
      return Status::InvalidValue;
    auto conditional = std::make_shared<Conditional>();
    conditional->initial = defaultLaunchValue;
    conditional->assignInitial = flags & cudaGraphCondAssignDefault;
    *pHandle_out = reinterpret_cast<cudaGraphConditionalHandle>(conditional.get());
    object->conditionals.push_back(std::move(conditional));
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaUserObjectCreate(cudaUserObject_t* object_out, void* ptr,
                                            cudaHostFn_t destroy, unsigned int initialRefcount,
                                            unsigned int flags) {
  return plainCall([=] {
    if (!object_out || !destroy || initialRefcount == 0 || flags != cudaUserObjectNoDestructorSync)
      return Status::InvalidValue;
    auto object = std::make_shared<UserObject>(ptr, destroy, initialRefcount);
    *object_out = reinterpret_cast<cudaUserObject_t>(object.get());
    process().userObjects.add(std::move(object));
    return Status::Ok;
  });
}

namespace {

Status releaseObject(const std::shared_ptr<UserObject>& object, std::uint64_t count) {
  if (count > object->references())
    return Status::InvalidValue;
  if (object->release(count))
    process().userObjects.remove(object.get());
  return Status::Ok;
}

} // namespace

extern "C" cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  return plainCall([=] {
    const std::shared_ptr<UserObject> found = process().userObjects.find(object);
    if (!found || count == 0)
      return Status::InvalidValue;
    found->retain(count);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  return plainCall([=] {
    const std::shared_ptr<UserObject> found = process().userObjects.find(object);
    return found && count > 0 ? releaseObject(found, count) : Status::InvalidValue;
  });
}

extern "C" cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                 unsigned int count, unsigned int flags) {
  return graphCall(graph, [=](const std::shared_ptr<Graph>& owner) {
    const std::shared_ptr<UserObject> found = process().userObjects.find(object);
    if (!found || count == 0 || (flags & ~unsigned(cudaGraphUserObjectMove)))
      return Status::InvalidValue;
    if (!(flags & cudaGraphUserObjectMove))
      found->retain(count);
    owner->userObjects.emplace_back(found, count);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                  unsigned int count) {
  return graphCall(graph, [=](const std::shared_ptr<Graph>& owner) {
    for (auto entry = owner->userObjects.begin(); entry != owner->userObjects.end(); ++entry) {
      if (entry->first.get() != reinterpret_cast<UserObject*>(object) || entry->second < count)
        continue;
      const std::shared_ptr<UserObject> held = entry->first;
      if ((entry->second -= count) == 0)
        owner->userObjects.erase(entry);
      return releaseObject(held, count);
    }
    return Status::InvalidValue;
  });
}
