// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: nodes, the edges between them, and what a node does. A graph is a recipe that is only
// looked at; graph_plan.h makes of it what can be launched.
//
//   addNode(A); addNode(B, {A}); addNode(C, {A}); addNode(D, {B, C});      A -> B, C -> D
//
// CUDA C++ Programming Guide, 'CUDA Graphs', 'Graph Structure'.
#ifndef CU2CPP_CORE_GRAPH_H
#define CU2CPP_CORE_GRAPH_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "exec/status.h"
#include "exec/work.h"

namespace cu2cpp::rt {

class Event;
class Graph;
struct Node;

/// NodeType has CUDA's numbers.
enum class NodeType {
  Kernel = 0,
  Copy = 1,
  Fill = 2,
  Host = 3,
  Child = 4,
  Empty = 5,
  WaitEvent = 6,
  RecordEvent = 7,
  SignalSemaphore = 8,
  WaitSemaphore = 9,
  Allocate = 10,
  Free = 11,
  Conditional = 13,
};

/// Conditional is the value that a conditional node tests; kernels set it while the graph runs.
struct Conditional {
  std::atomic<unsigned> value{0};
  unsigned initial = 0;
  bool assignInitial = false; // at each launch
  bool tested = false;        // by a node
};

/// NodeBody is what a node does. Bodies never change: new parameters are a new body.
class NodeBody {
public:
  enum class Loop { If, While, Switch };

  virtual ~NodeBody() = default;
  virtual NodeType type() const = 0;
  /// makeWork() is what threads share when the node's turn comes; null for nodes of other kinds.
  virtual std::shared_ptr<Work> makeWork() const { return nullptr; }
  /// host() is called on the thread for host functions.
  virtual bool isHost() const { return false; }
  virtual void host() const {}
  /// act() is done in passing, by the thread that completed the last dependency.
  virtual void act() const {}
  /// event() is what a node records or waits for.
  virtual std::shared_ptr<Event> event() const { return nullptr; }
  virtual int priority() const { return 0; }
  /// mayBecome() says whether an instantiated node of this body can be given the other one.
  virtual bool mayBecome(const NodeBody& other) const { return type() == other.type(); }
};

/// ChildBody holds the graphs inside a node: one for a child graph, some for a conditional node.
class ChildBody final : public NodeBody {
public:
  explicit ChildBody(std::shared_ptr<Graph> child)
      : graphs{std::move(child)}, handles{graphs.front().get()} {}
  ChildBody(std::shared_ptr<Conditional> tested, Loop kind,
            std::vector<std::shared_ptr<Graph>> bodies);

  NodeType type() const override { return condition ? NodeType::Conditional : NodeType::Child; }
  std::shared_ptr<const NodeBody> cloneWithGraphs() const;

  const std::vector<std::shared_ptr<Graph>> graphs;
  const std::vector<void*> handles; // the graphs' addresses, for programs that ask for the list
  const std::shared_ptr<Conditional> condition; // null for a child graph
  const Loop loop = Loop::If;
};

/// EdgeData is what a program says about an edge between kernels that overlap on a GPU. Here the
/// second one begins when the first has ended, which such kernels can not tell.
struct EdgeData {
  unsigned char fromPort = 0, toPort = 0, type = 0;
};

struct Node : std::enable_shared_from_this<Node> {
  Graph* graph = nullptr;
  std::shared_ptr<const NodeBody> body;
  std::vector<Node*> dependencies, dependents; // in the order of being added
  std::map<const Node*, EdgeData> edgeData;    // of dependencies whose edge is no plain one
  const Node* clonedFrom = nullptr;
  std::uint64_t number = 0; // position in the graph
};

/// UserObject is something of the program's that lives as long as somebody refers to it.
class UserObject {
public:
  UserObject(void* object, void (*destroy)(void*), std::uint64_t references)
      : object_(object), destroy_(destroy), references_(references) {}
  void retain(std::uint64_t count) { references_ += count; }
  /// release() is true when these were the last references; the object is destroyed then.
  bool release(std::uint64_t count);
  std::uint64_t references() const { return references_; }

private:
  void* object_;
  void (*destroy_)(void*);
  std::atomic<std::uint64_t> references_;
};

/// Graph is used by one thread at a time, as CUDA demands.
class Graph : public std::enable_shared_from_this<Graph> {
public:
  Graph() = default;
  ~Graph();
  Graph(const Graph&) = delete;

  /// addNode() is null when a dependency is not a node of this graph or named twice.
  std::shared_ptr<Node> addNode(std::shared_ptr<const NodeBody> body,
                                const std::vector<Node*>& dependencies);
  void removeNode(Node* node);
  bool addEdge(Node* from, Node* to);    // false if it is there or would lead to itself
  bool removeEdge(Node* from, Node* to); // false if there is none
  bool contains(const Node* node) const { return node && node->graph == this; }
  const std::vector<std::shared_ptr<Node>>& nodes() const { return nodes_; }
  /// ordered() are the nodes, each behind its dependencies; fewer than all when there is a cycle.
  std::vector<Node*> ordered() const;
  std::shared_ptr<Graph> clone() const;
  /// find() is the node of this clone that stands for the original's.
  Node* find(const Node* original) const;

  std::vector<std::pair<std::shared_ptr<UserObject>, std::uint64_t>> userObjects;
  std::vector<std::shared_ptr<Conditional>> conditionals; // handles made for this graph
  Node* owner = nullptr; // the child graph or conditional node whose graph this is

private:
  std::vector<std::shared_ptr<Node>> nodes_;
};

} // namespace cu2cpp::rt

#endif
