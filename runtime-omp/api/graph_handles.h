// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the handles of graphs and their nodes to objects, and the steps that all functions for nodes
// share.
#ifndef CU2CPP_API_GRAPH_HANDLES_H
#define CU2CPP_API_GRAPH_HANDLES_H

#include "api/call.h"
#include "api/graph_nodes.h"

namespace cu2cpp::rt {

inline std::shared_ptr<Graph> graphOf(cudaGraph_t handle) { return process().graphs.find(handle); }
inline std::shared_ptr<Node> nodeOf(cudaGraphNode_t handle) {
  return process().graphNodes.find(handle);
}
inline std::shared_ptr<GraphExec> execOf(cudaGraphExec_t handle) {
  return process().graphExecs.find(handle);
}
inline cudaGraph_t handleOf(const Graph* graph) {
  return reinterpret_cast<cudaGraph_t>(const_cast<Graph*>(graph));
}
inline cudaGraphNode_t handleOf(const Node* node) {
  return reinterpret_cast<cudaGraphNode_t>(const_cast<Node*>(node));
}

/// publish() makes the handles of a graph, its nodes and the graphs inside of them valid;
/// withdraw() ends that.
void publish(const std::shared_ptr<Graph>& graph);
void publish(const std::shared_ptr<Node>& node);
void withdraw(const Graph& graph);
void withdraw(const Node& node);

/// nodesOf() is false when one of the handles is none.
bool nodesOf(const cudaGraphNode_t* handles, std::size_t count, std::vector<Node*>& out);

/// addNode() adds a node with that body; behind all of CUDA's cudaGraphAdd...Node().
Status addNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
               std::size_t count, std::shared_ptr<const NodeBody> body);

/// listNodes() answers CUDA's way of asking for lists: null for the number, else at most `count`.
Status listNodes(const std::vector<Node*>& nodes, cudaGraphNode_t* out, std::size_t* count);

/// bodyOf() is the node's body if it is of that type.
template <class Body> std::shared_ptr<const Body> bodyOf(cudaGraphNode_t handle) {
  const std::shared_ptr<Node> node = nodeOf(handle);
  return node ? std::dynamic_pointer_cast<const Body>(node->body) : nullptr;
}

} // namespace cu2cpp::rt

#endif
