// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adding nodes, and their parameters: in graphs and in instantiated graphs.
//
// CUDA Runtime API, 'Graph Management'.
#include <driver_functions.h>

#include "api/graph_handles.h"

using namespace cu2cpp::rt;

namespace {

using Body = std::shared_ptr<const NodeBody>;

// `make(out)` makes the body and reports what is wrong with the parameters.
template <class Make>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                std::size_t count, Make make) {
  return deviceCall([&] {
    Body body;
    if (!graphOf(graph))
      return Status::InvalidValue;
    if (const Status status = make(body); status != Status::Ok)
      return status;
    return addNode(node, graph, dependencies, count, std::move(body));
  });
}

template <class Kind, class Make> cudaError_t change(cudaGraphNode_t handle, Make make) {
  return deviceCall([&] {
    const std::shared_ptr<Node> node = nodeOf(handle);
    Body body;
    if (!node || !dynamic_cast<const Kind*>(node->body.get()))
      return Status::InvalidValue;
    if (const Status status = make(body); status != Status::Ok)
      return status;
    node->body = std::move(body);
    return Status::Ok;
  });
}

template <class Kind, class Make>
cudaError_t changeExec(cudaGraphExec_t graph, cudaGraphNode_t node, Make make) {
  return deviceCall([&] {
    const std::shared_ptr<GraphExec> exec = execOf(graph);
    // The node may be gone with its graph; its handle still names the node here.
    const Body now = exec ? exec->body(reinterpret_cast<const Node*>(node)) : nullptr;
    Body body;
    if (!dynamic_cast<const Kind*>(now.get()))
      return Status::InvalidValue;
    if (const Status status = make(body); status != Status::Ok)
      return status;
    return exec->setBody(reinterpret_cast<const Node*>(node), std::move(body))
               ? Status::Ok
               : Status::InvalidValue;
  });
}

template <class Kind, class Params> cudaError_t get(cudaGraphNode_t node, Params* out) {
  return plainCall([=] {
    const std::shared_ptr<const Kind> body = bodyOf<Kind>(node);
    if (!body || !out)
      return Status::InvalidValue;
    *out = body->params();
    return Status::Ok;
  });
}

template <class Params> auto from(const Params* params) {
  return [=](Body& out) { return params ? makeBody(*params, out) : Status::InvalidValue; };
}

// One-dimensional copies, and those of symbols, as the three-dimensional ones that they are.
auto copy1d(void* dst, const void* src, std::size_t count, cudaMemcpyKind kind) {
  return [=](Body& out) {
    if (!dst || !src)
      return Status::InvalidValue;
    cudaMemcpy3DParms params{};
    params.dstPtr = make_cudaPitchedPtr(dst, count, count, 1);
    params.srcPtr = make_cudaPitchedPtr(const_cast<void*>(src), count, count, 1);
    params.extent = make_cudaExtent(count, 1, 1);
    params.kind = kind;
    return makeBody(params, out);
  };
}

template <class Copy> auto withSymbol(const void* symbol, std::size_t offset, Copy copy) {
  return [=](Body& out) {
    if (!symbol || !isStaticVariable(symbol))
      return Status::InvalidSymbol;
    return copy(static_cast<char*>(const_cast<void*>(symbol)) + offset)(out);
  };
}
auto toSymbol(const void* symbol, const void* src, std::size_t count, std::size_t offset,
              cudaMemcpyKind kind) {
  return withSymbol(symbol, offset, [=](void* at) { return copy1d(at, src, count, kind); });
}
auto fromSymbol(void* dst, const void* symbol, std::size_t count, std::size_t offset,
                cudaMemcpyKind kind) {
  return withSymbol(symbol, offset, [=](void* at) { return copy1d(dst, at, count, kind); });
}

auto childOf(cudaGraph_t child) {
  return [=](Body& out) {
    const std::shared_ptr<Graph> graph = graphOf(child);
    if (!graph)
      return Status::InvalidValue;
    out = std::make_shared<ChildBody>(graph->clone());
    return Status::Ok;
  };
}

auto eventBody(bool records, cudaEvent_t event) {
  return [=](Body& out) { return makeEventBody(records, event, out); };
}

Status conditionalBody(cudaConditionalNodeParams& params, cudaGraph_t graph, Body& out) {
  const std::shared_ptr<Graph> owner = graphOf(graph);
  const unsigned most = params.type == cudaGraphCondTypeIf      ? 2
                        : params.type == cudaGraphCondTypeWhile ? 1
                                                                : ~0u;
  if (!owner || params.size == 0 || params.size > most || !params.handle ||
      static_cast<unsigned>(params.type) > cudaGraphCondTypeSwitch)
    return Status::InvalidValue;
  std::shared_ptr<Conditional> condition;
  // The handle may come from a graph around this one.
  for (const Graph* where = owner.get(); where && !condition;
       where = where->owner ? where->owner->graph : nullptr)
    for (const std::shared_ptr<Conditional>& one : where->conditionals)
      if (reinterpret_cast<cudaGraphConditionalHandle>(one.get()) == params.handle)
        condition = one;
  if (!condition || condition->tested) // a handle is of one node
    return Status::InvalidValue;
  std::vector<std::shared_ptr<Graph>> bodies(params.size);
  for (std::shared_ptr<Graph>& body : bodies)
    body = std::make_shared<Graph>();
  out = std::make_shared<ChildBody>(std::move(condition), static_cast<NodeBody::Loop>(params.type),
                                    std::move(bodies));
  return Status::Ok;
}

// The array of the bodies' handles belongs to the node (Runtime API, 'cudaConditionalNodeParams').
void tellBodies(cudaConditionalNodeParams& params, const ChildBody& body) {
  params.phGraph_out = reinterpret_cast<cudaGraph_t*>(const_cast<void**>(body.handles.data()));
}

// The parameters of any node type; conditional nodes are made by cudaGraphAddNode() alone.
Status makeAnyBody(cudaGraphNodeParams& p, Body& out) {
  switch (p.type) {
  case cudaGraphNodeTypeKernel:
    return makeBody(cudaKernelNodeParams{p.kernel.func, p.kernel.gridDim, p.kernel.blockDim,
                                         p.kernel.sharedMemBytes, p.kernel.kernelParams,
                                         p.kernel.extra},
                    out);
  case cudaGraphNodeTypeMemcpy:
    return makeBody(p.memcpy.copyParams, out);
  case cudaGraphNodeTypeMemset:
    return makeBody(cudaMemsetParams{p.memset.dst, p.memset.pitch, p.memset.value,
                                     p.memset.elementSize, p.memset.width, p.memset.height},
                    out);
  case cudaGraphNodeTypeHost:
    return makeBody(cudaHostNodeParams{p.host.fn, p.host.userData}, out);
  case cudaGraphNodeTypeGraph:
    return childOf(p.graph.graph)(out);
  case cudaGraphNodeTypeEmpty:
    out = std::make_shared<NothingBody>();
    return Status::Ok;
  case cudaGraphNodeTypeWaitEvent:
    return makeEventBody(false, p.eventWait.event, out);
  case cudaGraphNodeTypeEventRecord:
    return makeEventBody(true, p.eventRecord.event, out);
  case cudaGraphNodeTypeMemAlloc: {
    cudaMemAllocNodeParams alloc{p.alloc.poolProps, p.alloc.accessDescs, p.alloc.accessDescCount,
                                 p.alloc.bytesize, nullptr};
    const Status status = makeAllocateBody(alloc, out);
    p.alloc.dptr = alloc.dptr;
    return status;
  }
  case cudaGraphNodeTypeMemFree:
    return makeFreeBody(p.free.dptr, out);
  case cudaGraphNodeTypeExtSemaphoreSignal:
    return makeSemaphoreBody(true, p.extSemSignal.extSemArray, p.extSemSignal.paramsArray, nullptr,
                             p.extSemSignal.numExtSems, out);
  case cudaGraphNodeTypeExtSemaphoreWait:
    return makeSemaphoreBody(false, p.extSemWait.extSemArray, nullptr, p.extSemWait.paramsArray,
                             p.extSemWait.numExtSems, out);
  default:
    return Status::InvalidValue;
  }
}

} // namespace

extern "C" cudaError_t cudaGraphAddNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                        const cudaGraphNode_t* pDependencies,
                                        size_t numDependencies, cudaGraphNodeParams* nodeParams) {
  if (!nodeParams)
    return plainCall([] { return Status::InvalidValue; });
  const bool conditional = nodeParams->type == cudaGraphNodeTypeConditional;
  const cudaError_t error = add(pGraphNode, graph, pDependencies, numDependencies, [=](Body& out) {
    return conditional ? conditionalBody(nodeParams->conditional, graph, out)
                       : makeAnyBody(*nodeParams, out);
  });
  if (error == cudaSuccess && conditional) {
    const std::shared_ptr<const ChildBody> body = bodyOf<ChildBody>(*pGraphNode);
    body->condition->tested = true;
    tellBodies(nodeParams->conditional, *body);
  }
  return error;
}

extern "C" cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                              cudaGraphNodeParams* nodeParams) {
  return deviceCall([=] {
    const std::shared_ptr<Node> object = nodeOf(node);
    Body body;
    if (!object || !nodeParams ||
        static_cast<int>(object->body->type()) != static_cast<int>(nodeParams->type))
      return Status::InvalidValue;
    if (const Status status = makeAnyBody(*nodeParams, body); status != Status::Ok)
      return status;
    object->body = std::move(body);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                                  cudaGraphNodeParams* nodeParams) {
  if (!nodeParams)
    return plainCall([] { return Status::InvalidValue; });
  return changeExec<NodeBody>(graphExec, node, [=](Body& out) {
    const Body now = execOf(graphExec)->body(reinterpret_cast<const Node*>(node));
    if (static_cast<int>(now->type()) != static_cast<int>(nodeParams->type))
      return Status::InvalidValue;
    return makeAnyBody(*nodeParams, out);
  });
}

extern "C" cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                              const cudaGraphNode_t* pDependencies,
                                              size_t numDependencies,
                                              const cudaKernelNodeParams* pNodeParams) {
  return add(pGraphNode, graph, pDependencies, numDependencies, from(pNodeParams));
}
extern "C" cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                                    cudaKernelNodeParams* pNodeParams) {
  return get<KernelBody>(node, pNodeParams);
}

namespace {

// New parameters leave the node's attributes as they are.
auto kernelFrom(const cudaKernelNodeParams* params, Body now) {
  return [=](Body& out) {
    if (!params)
      return Status::InvalidValue;
    const Status status = makeBody(*params, out);
    const auto* const before = dynamic_cast<const KernelBody*>(now.get());
    if (status == Status::Ok && before)
      out = static_cast<const KernelBody&>(*out).withAttributesOf(*before);
    return status;
  };
}

} // namespace

extern "C" cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                    const cudaKernelNodeParams* pNodeParams) {
  return change<KernelBody>(node, kernelFrom(pNodeParams, bodyOf<KernelBody>(node)));
}
extern "C" cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec,
                                                        cudaGraphNode_t node,
                                                        const cudaKernelNodeParams* pNodeParams) {
  const std::shared_ptr<GraphExec> exec = execOf(hGraphExec);
  return changeExec<KernelBody>(
      hGraphExec, node,
      kernelFrom(pNodeParams, exec ? exec->body(reinterpret_cast<const Node*>(node)) : nullptr));
}

extern "C" cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode,
                                                       cudaLaunchAttributeID attr,
                                                       cudaLaunchAttributeValue* value_out) {
  return plainCall([=] {
    const std::shared_ptr<const KernelBody> body = bodyOf<KernelBody>(hNode);
    return body && value_out ? body->attribute(attr, *value_out) : Status::InvalidValue;
  });
}

extern "C" cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode,
                                                       cudaLaunchAttributeID attr,
                                                       const cudaLaunchAttributeValue* value) {
  return change<KernelBody>(hNode, [=](Body& out) {
    if (!value)
      return Status::InvalidValue;
    out = bodyOf<KernelBody>(hNode)->withAttribute(attr, *value);
    return out ? Status::Ok : Status::InvalidValue;
  });
}

extern "C" cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst,
                                                         cudaGraphNode_t hSrc) {
  return change<KernelBody>(hDst, [=](Body& out) {
    const std::shared_ptr<const KernelBody> source = bodyOf<KernelBody>(hSrc);
    if (!source)
      return Status::InvalidValue;
    out = bodyOf<KernelBody>(hDst)->withAttributesOf(*source);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                              const cudaGraphNode_t* pDependencies,
                                              size_t numDependencies,
                                              const cudaMemcpy3DParms* pCopyParams) {
  return add(pGraphNode, graph, pDependencies, numDependencies, from(pCopyParams));
}
extern "C" cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                const cudaGraphNode_t* pDependencies,
                                                size_t numDependencies, void* dst, const void* src,
                                                size_t count, cudaMemcpyKind kind) {
  return add(pGraphNode, graph, pDependencies, numDependencies, copy1d(dst, src, count, kind));
}
extern "C" cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* pGraphNode,
                                                      cudaGraph_t graph,
                                                      const cudaGraphNode_t* pDependencies,
                                                      size_t numDependencies, const void* symbol,
                                                      const void* src, size_t count, size_t offset,
                                                      cudaMemcpyKind kind) {
  return add(pGraphNode, graph, pDependencies, numDependencies,
             toSymbol(symbol, src, count, offset, kind));
}
extern "C" cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* pGraphNode,
                                                        cudaGraph_t graph,
                                                        const cudaGraphNode_t* pDependencies,
                                                        size_t numDependencies, void* dst,
                                                        const void* symbol, size_t count,
                                                        size_t offset, cudaMemcpyKind kind) {
  return add(pGraphNode, graph, pDependencies, numDependencies,
             fromSymbol(dst, symbol, count, offset, kind));
}
extern "C" cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                                    cudaMemcpy3DParms* pNodeParams) {
  return get<CopyBody>(node, pNodeParams);
}
extern "C" cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                                    const cudaMemcpy3DParms* pNodeParams) {
  return change<CopyBody>(node, from(pNodeParams));
}
extern "C" cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* dst,
                                                      const void* src, size_t count,
                                                      cudaMemcpyKind kind) {
  return change<CopyBody>(node, copy1d(dst, src, count, kind));
}
extern "C" cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node,
                                                            const void* symbol, const void* src,
                                                            size_t count, size_t offset,
                                                            cudaMemcpyKind kind) {
  return change<CopyBody>(node, toSymbol(symbol, src, count, offset, kind));
}
extern "C" cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst,
                                                              const void* symbol, size_t count,
                                                              size_t offset, cudaMemcpyKind kind) {
  return change<CopyBody>(node, fromSymbol(dst, symbol, count, offset, kind));
}
extern "C" cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec,
                                                        cudaGraphNode_t node,
                                                        const cudaMemcpy3DParms* pNodeParams) {
  return changeExec<CopyBody>(hGraphExec, node, from(pNodeParams));
}
extern "C" cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec,
                                                          cudaGraphNode_t node, void* dst,
                                                          const void* src, size_t count,
                                                          cudaMemcpyKind kind) {
  return changeExec<CopyBody>(hGraphExec, node, copy1d(dst, src, count, kind));
}
extern "C" cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec,
                                                                cudaGraphNode_t node,
                                                                const void* symbol, const void* src,
                                                                size_t count, size_t offset,
                                                                cudaMemcpyKind kind) {
  return changeExec<CopyBody>(hGraphExec, node, toSymbol(symbol, src, count, offset, kind));
}
extern "C" cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec,
                                                                  cudaGraphNode_t node, void* dst,
                                                                  const void* symbol, size_t count,
                                                                  size_t offset,
                                                                  cudaMemcpyKind kind) {
  return changeExec<CopyBody>(hGraphExec, node, fromSymbol(dst, symbol, count, offset, kind));
}

extern "C" cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                              const cudaGraphNode_t* pDependencies,
                                              size_t numDependencies,
                                              const cudaMemsetParams* pMemsetParams) {
  return add(pGraphNode, graph, pDependencies, numDependencies, from(pMemsetParams));
}
extern "C" cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                                    cudaMemsetParams* pNodeParams) {
  return get<FillBody>(node, pNodeParams);
}
extern "C" cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                                    const cudaMemsetParams* pNodeParams) {
  return change<FillBody>(node, from(pNodeParams));
}
extern "C" cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec,
                                                        cudaGraphNode_t node,
                                                        const cudaMemsetParams* pNodeParams) {
  return changeExec<FillBody>(hGraphExec, node, from(pNodeParams));
}

extern "C" cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                            const cudaGraphNode_t* pDependencies,
                                            size_t numDependencies,
                                            const cudaHostNodeParams* pNodeParams) {
  return add(pGraphNode, graph, pDependencies, numDependencies, from(pNodeParams));
}
extern "C" cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                                  cudaHostNodeParams* pNodeParams) {
  return get<HostBody>(node, pNodeParams);
}
extern "C" cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                                  const cudaHostNodeParams* pNodeParams) {
  return change<HostBody>(node, from(pNodeParams));
}
extern "C" cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec,
                                                      cudaGraphNode_t node,
                                                      const cudaHostNodeParams* pNodeParams) {
  return changeExec<HostBody>(hGraphExec, node, from(pNodeParams));
}

extern "C" cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                  const cudaGraphNode_t* pDependencies,
                                                  size_t numDependencies, cudaGraph_t childGraph) {
  return add(pGraphNode, graph, pDependencies, numDependencies, childOf(childGraph));
}
extern "C" cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* pGraph) {
  return plainCall([=] {
    const std::shared_ptr<const ChildBody> body = bodyOf<ChildBody>(node);
    if (!body || body->condition || !pGraph)
      return Status::InvalidValue;
    *pGraph = handleOf(body->graphs.front().get());
    return Status::Ok;
  });
}
extern "C" cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec,
                                                            cudaGraphNode_t node,
                                                            cudaGraph_t childGraph) {
  return deviceCall([=] {
    const std::shared_ptr<GraphExec> exec = execOf(hGraphExec);
    const std::shared_ptr<Graph> child = graphOf(childGraph);
    const std::shared_ptr<Node> object = nodeOf(node);
    if (!exec || !child || !object)
      return Status::InvalidValue;
    return exec->updateChild(*object, *child) ? Status::Ok : Status::GraphUpdateFailure;
  });
}

extern "C" cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                             const cudaGraphNode_t* pDependencies,
                                             size_t numDependencies) {
  return add(pGraphNode, graph, pDependencies, numDependencies, [](Body& out) {
    out = std::make_shared<NothingBody>();
    return Status::Ok;
  });
}

namespace {

cudaError_t getEvent(cudaGraphNode_t node, cudaEvent_t* out, NodeType type) {
  return plainCall([=] {
    const std::shared_ptr<const EventBody> body = bodyOf<EventBody>(node);
    if (!body || body->type() != type || !out)
      return Status::InvalidValue;
    *out = body->handle();
    return Status::Ok;
  });
}

} // namespace

extern "C" cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                   const cudaGraphNode_t* pDependencies,
                                                   size_t numDependencies, cudaEvent_t event) {
  return add(pGraphNode, graph, pDependencies, numDependencies, eventBody(true, event));
}
extern "C" cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node,
                                                        cudaEvent_t* event_out) {
  return getEvent(node, event_out, NodeType::RecordEvent);
}
extern "C" cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return change<EventBody>(node, eventBody(true, event));
}
extern "C" cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec,
                                                            cudaGraphNode_t hNode,
                                                            cudaEvent_t event) {
  return changeExec<EventBody>(hGraphExec, hNode, eventBody(true, event));
}
extern "C" cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                 const cudaGraphNode_t* pDependencies,
                                                 size_t numDependencies, cudaEvent_t event) {
  return add(pGraphNode, graph, pDependencies, numDependencies, eventBody(false, event));
}
extern "C" cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node,
                                                      cudaEvent_t* event_out) {
  return getEvent(node, event_out, NodeType::WaitEvent);
}
extern "C" cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return change<EventBody>(node, eventBody(false, event));
}
extern "C" cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec,
                                                          cudaGraphNode_t hNode,
                                                          cudaEvent_t event) {
  return changeExec<EventBody>(hGraphExec, hNode, eventBody(false, event));
}

extern "C" cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                const cudaGraphNode_t* pDependencies,
                                                size_t numDependencies,
                                                cudaMemAllocNodeParams* nodeParams) {
  return add(pGraphNode, graph, pDependencies, numDependencies, [=](Body& out) {
    return nodeParams ? makeAllocateBody(*nodeParams, out) : Status::InvalidValue;
  });
}
extern "C" cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                      cudaMemAllocNodeParams* params_out) {
  return get<AllocateBody>(node, params_out);
}
extern "C" cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                               const cudaGraphNode_t* pDependencies,
                                               size_t numDependencies, void* dptr) {
  return add(pGraphNode, graph, pDependencies, numDependencies,
             [=](Body& out) { return makeFreeBody(dptr, out); });
}
extern "C" cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* dptr_out) {
  return plainCall([=] {
    const std::shared_ptr<const FreeBody> body = bodyOf<FreeBody>(node);
    if (!body || !dptr_out)
      return Status::InvalidValue;
    *static_cast<void**>(dptr_out) = body->block()->address;
    return Status::Ok;
  });
}
