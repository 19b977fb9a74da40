// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph structure.
#include "core/graph.h"

#include <algorithm>

namespace cu2cpp::rt {
namespace {

template <class T> bool has(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}
template <class T> void take(std::vector<T>& list, const T& item) {
  list.erase(std::remove(list.begin(), list.end(), item), list.end());
}

// A copy of a body that owns graphs owns copies of them.
std::shared_ptr<const NodeBody> cloneBody(const std::shared_ptr<const NodeBody>& body) {
  const auto* const child = dynamic_cast<const ChildBody*>(body.get());
  return child ? child->cloneWithGraphs() : body;
}

} // namespace

ChildBody::ChildBody(std::shared_ptr<Conditional> tested, Loop kind,
                     std::vector<std::shared_ptr<Graph>> bodies)
    : graphs(std::move(bodies)), handles([this] {
        std::vector<void*> addresses;
        for (const std::shared_ptr<Graph>& graph : graphs)
          addresses.push_back(graph.get());
        return addresses;
      }()),
      condition(std::move(tested)), loop(kind) {}

std::shared_ptr<const NodeBody> ChildBody::cloneWithGraphs() const {
  std::vector<std::shared_ptr<Graph>> copies;
  for (const std::shared_ptr<Graph>& graph : graphs)
    copies.push_back(graph->clone());
  if (condition)
    return std::make_shared<ChildBody>(condition, loop, std::move(copies));
  return std::make_shared<ChildBody>(std::move(copies.front()));
}

bool UserObject::release(std::uint64_t count) {
  if (references_.fetch_sub(count) != count)
    return false;
  destroy_(object_);
  return true;
}

Graph::~Graph() {
  for (const auto& [object, count] : userObjects)
    object->release(count);
}

std::shared_ptr<Node> Graph::addNode(std::shared_ptr<const NodeBody> body,
                                     const std::vector<Node*>& dependencies) {
  for (std::size_t i = 0; i < dependencies.size(); ++i)
    if (!contains(dependencies[i]) ||
        std::find(dependencies.begin(), dependencies.begin() + std::ptrdiff_t(i),
                  dependencies[i]) != dependencies.begin() + std::ptrdiff_t(i))
      return nullptr;
  auto node = std::make_shared<Node>();
  node->graph = this;
  node->body = std::move(body);
  node->dependencies = dependencies;
  node->number = nodes_.size();
  for (Node* before : dependencies)
    before->dependents.push_back(node.get());
  nodes_.push_back(node);
  return node;
}

void Graph::removeNode(Node* node) {
  for (Node* before : node->dependencies)
    take(before->dependents, node);
  for (Node* after : node->dependents) {
    after->edgeData.erase(node);
    take(after->dependencies, node);
  }
  const std::size_t number = node->number;
  nodes_.erase(nodes_.begin() + std::ptrdiff_t(number));
  for (std::size_t i = number; i < nodes_.size(); ++i)
    nodes_[i]->number = i;
}

bool Graph::addEdge(Node* from, Node* to) {
  if (from == to || has(from->dependents, to))
    return false;
  from->dependents.push_back(to);
  to->dependencies.push_back(from);
  return true;
}

bool Graph::removeEdge(Node* from, Node* to) {
  if (!has(from->dependents, to))
    return false;
  take(from->dependents, to);
  take(to->dependencies, from);
  to->edgeData.erase(from);
  return true;
}

std::vector<Node*> Graph::ordered() const {
  std::vector<std::size_t> waiting(nodes_.size());
  std::vector<Node*> result;
  result.reserve(nodes_.size());
  for (const std::shared_ptr<Node>& node : nodes_) {
    waiting[node->number] = node->dependencies.size();
    if (node->dependencies.empty())
      result.push_back(node.get());
  }
  for (std::size_t i = 0; i < result.size(); ++i)
    for (Node* after : result[i]->dependents)
      if (--waiting[after->number] == 0)
        result.push_back(after);
  return result;
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  for (const std::shared_ptr<Node>& node : nodes_) {
    std::shared_ptr<Node> twin = copy->addNode(cloneBody(node->body), {});
    twin->clonedFrom = node.get();
  }
  // Edges afterwards and side by side, so that both lists keep their order.
  for (const std::shared_ptr<Node>& node : nodes_) {
    Node* twin = copy->nodes_[node->number].get();
    for (const Node* before : node->dependencies)
      twin->dependencies.push_back(copy->nodes_[before->number].get());
    for (const Node* after : node->dependents)
      twin->dependents.push_back(copy->nodes_[after->number].get());
    for (const auto& [before, data] : node->edgeData)
      twin->edgeData[copy->nodes_[before->number].get()] = data;
  }
  copy->userObjects = userObjects;
  for (const auto& [object, count] : userObjects)
    object->retain(count);
  copy->conditionals = conditionals;
  return copy;
}

Node* Graph::find(const Node* original) const {
  for (const std::shared_ptr<Node>& node : nodes_)
    if (node->clonedFrom == original)
      return node.get();
  return nullptr;
}

} // namespace cu2cpp::rt
