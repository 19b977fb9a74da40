// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph as text for Graphviz.
//
// CUDA Runtime API, 'cudaGraphDebugDotPrint'.
#include <cstdio>

#include "api/graph_handles.h"

using namespace cu2cpp::rt;

namespace {

const char* nameOf(NodeType type) {
  switch (type) {
  case NodeType::Kernel:
    return "KERNEL";
  case NodeType::Copy:
    return "MEMCPY";
  case NodeType::Fill:
    return "MEMSET";
  case NodeType::Host:
    return "HOST";
  case NodeType::Child:
    return "GRAPH";
  case NodeType::Empty:
    return "EMPTY";
  case NodeType::WaitEvent:
    return "EVENT_WAIT";
  case NodeType::RecordEvent:
    return "EVENT_RECORD";
  case NodeType::SignalSemaphore:
    return "EXT_SEMAS_SIGNAL";
  case NodeType::WaitSemaphore:
    return "EXT_SEMAS_WAIT";
  case NodeType::Allocate:
    return "MEM_ALLOC";
  case NodeType::Free:
    return "MEM_FREE";
  case NodeType::Conditional:
    return "CONDITIONAL";
  }
  return "";
}

class DotPrinter {
public:
  DotPrinter(std::FILE* out, unsigned flags) : out_(out), flags_(flags) {}

  void print(const Graph& graph, int depth);

private:
  bool wants(unsigned flag) const {
    return (flags_ & flag) || (flags_ & cudaGraphDebugDotFlagsVerbose);
  }
  void details(const NodeBody& body);

  std::FILE* out_;
  unsigned flags_;
  int graphs_ = 0;
};

void DotPrinter::details(const NodeBody& body) {
  if (const auto* kernel = dynamic_cast<const KernelBody*>(&body);
      kernel && wants(cudaGraphDebugDotFlagsKernelNodeParams)) {
    const cudaKernelNodeParams p = kernel->params();
    std::fprintf(out_, "\\ngrid %u,%u,%u block %u,%u,%u shared %u", p.gridDim.x, p.gridDim.y,
                 p.gridDim.z, p.blockDim.x, p.blockDim.y, p.blockDim.z, p.sharedMemBytes);
  } else if (const auto* copy = dynamic_cast<const CopyBody*>(&body);
             copy && wants(cudaGraphDebugDotFlagsMemcpyNodeParams)) {
    const cudaExtent e = copy->params().extent;
    std::fprintf(out_, "\\n%zu x %zu x %zu", e.width, e.height, e.depth);
  } else if (const auto* fill = dynamic_cast<const FillBody*>(&body);
             fill && wants(cudaGraphDebugDotFlagsMemsetNodeParams)) {
    const cudaMemsetParams& p = fill->params();
    std::fprintf(out_, "\\nvalue %u of %u bytes, %zu x %zu", p.value, p.elementSize, p.width,
                 p.height);
  }
}

void DotPrinter::print(const Graph& graph, int depth) {
  const int number = graphs_++;
  std::fprintf(out_,
               depth == 0 ? "digraph dot {\n" : "subgraph cluster_%d {\nlabel=\"graph_%d\";\n",
               number, number);
  for (const std::shared_ptr<Node>& node : graph.nodes()) {
    std::fprintf(out_, "\"graph_%d_node_%llu\" [shape=\"box\", label=\"%llu\\n%s", number,
                 static_cast<unsigned long long>(node->number),
                 static_cast<unsigned long long>(node->number), nameOf(node->body->type()));
    if (wants(cudaGraphDebugDotFlagsHandles))
      std::fprintf(out_, "\\n%p", static_cast<const void*>(node.get()));
    details(*node->body);
    std::fprintf(out_, "\"];\n");
  }
  for (const std::shared_ptr<Node>& node : graph.nodes()) {
    for (const Node* after : node->dependents)
      std::fprintf(out_, "\"graph_%d_node_%llu\" -> \"graph_%d_node_%llu\";\n", number,
                   static_cast<unsigned long long>(node->number), number,
                   static_cast<unsigned long long>(after->number));
    if (const auto* child = dynamic_cast<const ChildBody*>(node->body.get()))
      for (const std::shared_ptr<Graph>& inner : child->graphs)
        print(*inner, depth + 1);
  }
  std::fprintf(out_, "}\n");
}

} // namespace

extern "C" cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path,
                                              unsigned int flags) {
  return plainCall([=] {
    const std::shared_ptr<Graph> object = graphOf(graph);
    if (!object || !path)
      return Status::InvalidValue;
    std::FILE* const out = std::fopen(path, "w");
    if (!out)
      return static_cast<Status>(cudaErrorOperatingSystem);
    DotPrinter(out, flags).print(*object, 0);
    return std::fclose(out) == 0 ? Status::Ok : static_cast<Status>(cudaErrorOperatingSystem);
  });
}
