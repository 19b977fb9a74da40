// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes of graphs and their parameters, in the driver API's structures.
//
// CUDA Driver API, 'Graph Management'.
#include <cstring>
#include <type_traits>

#include "driver/copies.h"

using namespace cu2cpp::rt;

namespace {

// A structure of one API as that of the other, where they have the same members.
template <class To, class From> To as(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From>);
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

cudaKernelNodeParams launchOf(const CUDA_KERNEL_NODE_PARAMS& p) {
  const void* const kernel = p.func ? kernelOf(p.func) : kernelOf(p.kern);
  return {const_cast<void*>(kernel),
          dim3(p.gridDimX, p.gridDimY, p.gridDimZ),
          dim3(p.blockDimX, p.blockDimY, p.blockDimZ),
          p.sharedMemBytes,
          p.kernelParams,
          p.extra};
}

/// withRuntime() calls `next` with the runtime's parameters for what `p` points to.
template <class Next> cudaError_t withRuntime(const CUDA_KERNEL_NODE_PARAMS* p, Next next) {
  const cudaKernelNodeParams same = p ? launchOf(*p) : cudaKernelNodeParams{};
  return next(p ? &same : nullptr);
}
template <class Next> cudaError_t withRuntime(const CUDA_MEMSET_NODE_PARAMS* p, Next next) {
  const cudaMemsetParams same = p ? as<cudaMemsetParams>(*p) : cudaMemsetParams{};
  return next(p ? &same : nullptr);
}
template <class Next> cudaError_t withRuntime(const CUDA_HOST_NODE_PARAMS* p, Next next) {
  const cudaHostNodeParams same = p ? as<cudaHostNodeParams>(*p) : cudaHostNodeParams{};
  return next(p ? &same : nullptr);
}
template <class Next> cudaError_t withRuntime(const CUDA_MEMCPY3D* p, Next next) {
  cudaMemcpy3DParms same{};
  const bool known = p && toRuntime(*p, same);
  return next(known ? &same : nullptr);
}

// The context says on which device a node works; all are one memory.
bool isContext(CUcontext ctx) { return contextOf(ctx) != nullptr; }

// The parameters of any type of node for `next`; what it wrote into them goes back.
template <class Next> CUresult withAnyNode(CUgraphNodeParams* p, Next next) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  cudaGraphNodeParams same{};
  same.type = static_cast<cudaGraphNodeType>(p->type);
  switch (p->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL: {
    const cudaKernelNodeParams kernel = launchOf(p->kernel);
    same.kernel = {kernel.func,           kernel.gridDim,      kernel.blockDim,
                   kernel.sharedMemBytes, kernel.kernelParams, kernel.extra};
    break;
  }
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    if (!toRuntime(p->memcpy.copyParams, same.memcpy.copyParams))
      return CUDA_ERROR_INVALID_VALUE;
    break;
  case CU_GRAPH_NODE_TYPE_MEMSET:
    same.memset = {at(p->memset.dst),     p->memset.pitch, p->memset.value,
                   p->memset.elementSize, p->memset.width, p->memset.height};
    break;
  case CU_GRAPH_NODE_TYPE_HOST:
    same.host = {p->host.fn, p->host.userData};
    break;
  case CU_GRAPH_NODE_TYPE_GRAPH:
    same.graph = {p->graph.graph,
                  static_cast<cudaGraphChildGraphNodeOwnership>(p->graph.ownership)};
    break;
  case CU_GRAPH_NODE_TYPE_EMPTY:
    break;
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    same.eventWait = {p->eventWait.event};
    break;
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    same.eventRecord = {p->eventRecord.event};
    break;
  case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    same.alloc = as<cudaMemAllocNodeParamsV2>(p->alloc);
    break;
  case CU_GRAPH_NODE_TYPE_MEM_FREE:
    same.free = {at(p->free.dptr)};
    break;
  case CU_GRAPH_NODE_TYPE_CONDITIONAL:
    same.conditional = {p->conditional.handle,
                        static_cast<cudaGraphConditionalNodeType>(p->conditional.type),
                        p->conditional.size, nullptr};
    break;
  default:
    return CUDA_ERROR_NOT_SUPPORTED; // batches of memory operations, semaphores
  }
  const CUresult result = resultOf(next(&same));
  if (result == CUDA_SUCCESS && p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
    p->alloc.dptr = reinterpret_cast<CUdeviceptr>(same.alloc.dptr);
  if (result == CUDA_SUCCESS && p->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
    p->conditional.phGraph_out = same.conditional.phGraph_out;
  return result;
}

} // namespace

extern "C" CUresult cuGraphAddNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                   const CUgraphNode* dependencies, size_t numDependencies,
                                   CUgraphNodeParams* nodeParams) {
  return driverCall([=] {
    return withAnyNode(nodeParams, [=](cudaGraphNodeParams* p) {
      return ::cudaGraphAddNode(phGraphNode, hGraph, dependencies, numDependencies, p);
    });
  });
}
extern "C" CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
  return driverCall([=] {
    return withAnyNode(nodeParams,
                       [=](cudaGraphNodeParams* p) { return cudaGraphNodeSetParams(hNode, p); });
  });
}
extern "C" CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                             CUgraphNodeParams* nodeParams) {
  return driverCall([=] {
    return withAnyNode(nodeParams, [=](cudaGraphNodeParams* p) {
      return cudaGraphExecNodeSetParams(hGraphExec, hNode, p);
    });
  });
}

extern "C" CUresult cuGraphAddKernelNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                         const CUgraphNode* dependencies, size_t numDependencies,
                                         const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  return driverCall([=]() -> CUresult {
    if (nodeParams && !nodeParams->func && !nodeParams->kern)
      return CUDA_ERROR_INVALID_HANDLE;
    return resultOf(withRuntime(nodeParams, [=](auto* p) {
      return cudaGraphAddKernelNode(phGraphNode, hGraph, dependencies, numDependencies, p);
    }));
  });
}
extern "C" CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode,
                                               CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  return driverCall([=]() -> CUresult {
    cudaKernelNodeParams p{};
    const cudaError_t error = cudaGraphKernelNodeGetParams(hNode, nodeParams ? &p : nullptr);
    if (error == cudaSuccess)
      *nodeParams = {reinterpret_cast<CUfunction>(p.func),
                     p.gridDim.x,
                     p.gridDim.y,
                     p.gridDim.z,
                     p.blockDim.x,
                     p.blockDim.y,
                     p.blockDim.z,
                     p.sharedMemBytes,
                     p.kernelParams,
                     p.extra,
                     nullptr,
                     handleOf(currentContext())};
    return resultOf(error);
  });
}
extern "C" CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode,
                                               const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  return driverCall([=] {
    return withRuntime(nodeParams, [=](auto* p) { return cudaGraphKernelNodeSetParams(hNode, p); });
  });
}
extern "C" CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                   const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
  return driverCall([=] {
    return withRuntime(nodeParams, [=](auto* p) {
      return cudaGraphExecKernelNodeSetParams(hGraphExec, hNode, p);
    });
  });
}
extern "C" CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) {
  return driverCall([=] { return cudaGraphKernelNodeCopyAttributes(dst, src); });
}
extern "C" CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUlaunchAttributeID attr,
                                                  CUlaunchAttributeValue* value_out) {
  return driverCall([=] {
    return cudaGraphKernelNodeGetAttribute(hNode, static_cast<cudaLaunchAttributeID>(attr),
                                           value_out);
  });
}
extern "C" CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUlaunchAttributeID attr,
                                                  const CUlaunchAttributeValue* value) {
  return driverCall([=] {
    return cudaGraphKernelNodeSetAttribute(hNode, static_cast<cudaLaunchAttributeID>(attr), value);
  });
}

extern "C" CUresult cuGraphAddMemcpyNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                         const CUgraphNode* dependencies, size_t numDependencies,
                                         const CUDA_MEMCPY3D* copyParams, CUcontext ctx) {
  return driverCall([=]() -> CUresult {
    if (!isContext(ctx))
      return CUDA_ERROR_INVALID_VALUE;
    return resultOf(withRuntime(copyParams, [=](auto* p) {
      return cudaGraphAddMemcpyNode(phGraphNode, hGraph, dependencies, numDependencies, p);
    }));
  });
}
extern "C" CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D* nodeParams) {
  return driverCall([=]() -> CUresult {
    cudaMemcpy3DParms p{};
    const cudaError_t error = cudaGraphMemcpyNodeGetParams(hNode, nodeParams ? &p : nullptr);
    if (error == cudaSuccess)
      *nodeParams = fromRuntime(p);
    return resultOf(error);
  });
}
extern "C" CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D* nodeParams) {
  return driverCall([=] {
    return withRuntime(nodeParams, [=](auto* p) { return cudaGraphMemcpyNodeSetParams(hNode, p); });
  });
}
extern "C" CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                   const CUDA_MEMCPY3D* copyParams, CUcontext ctx) {
  return driverCall([=]() -> CUresult {
    if (!isContext(ctx))
      return CUDA_ERROR_INVALID_VALUE;
    return resultOf(withRuntime(copyParams, [=](auto* p) {
      return cudaGraphExecMemcpyNodeSetParams(hGraphExec, hNode, p);
    }));
  });
}

extern "C" CUresult cuGraphAddMemsetNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                         const CUgraphNode* dependencies, size_t numDependencies,
                                         const CUDA_MEMSET_NODE_PARAMS* memsetParams,
                                         CUcontext ctx) {
  return driverCall([=]() -> CUresult {
    if (!isContext(ctx))
      return CUDA_ERROR_INVALID_VALUE;
    return resultOf(withRuntime(memsetParams, [=](auto* p) {
      return cudaGraphAddMemsetNode(phGraphNode, hGraph, dependencies, numDependencies, p);
    }));
  });
}
extern "C" CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode,
                                               CUDA_MEMSET_NODE_PARAMS* nodeParams) {
  return driverCall([=]() -> CUresult {
    cudaMemsetParams p{};
    const cudaError_t error = cudaGraphMemsetNodeGetParams(hNode, nodeParams ? &p : nullptr);
    if (error == cudaSuccess)
      *nodeParams = as<CUDA_MEMSET_NODE_PARAMS>(p);
    return resultOf(error);
  });
}
extern "C" CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode,
                                               const CUDA_MEMSET_NODE_PARAMS* nodeParams) {
  return driverCall([=] {
    return withRuntime(nodeParams, [=](auto* p) { return cudaGraphMemsetNodeSetParams(hNode, p); });
  });
}
extern "C" CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                   const CUDA_MEMSET_NODE_PARAMS* memsetParams,
                                                   CUcontext ctx) {
  return driverCall([=]() -> CUresult {
    if (!isContext(ctx))
      return CUDA_ERROR_INVALID_VALUE;
    return resultOf(withRuntime(memsetParams, [=](auto* p) {
      return cudaGraphExecMemsetNodeSetParams(hGraphExec, hNode, p);
    }));
  });
}

extern "C" CUresult cuGraphAddHostNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                       const CUgraphNode* dependencies, size_t numDependencies,
                                       const CUDA_HOST_NODE_PARAMS* nodeParams) {
  return driverCall([=] {
    return withRuntime(nodeParams, [=](auto* p) {
      return cudaGraphAddHostNode(phGraphNode, hGraph, dependencies, numDependencies, p);
    });
  });
}
extern "C" CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS* nodeParams) {
  return driverCall([=]() -> CUresult {
    cudaHostNodeParams p{};
    const cudaError_t error = cudaGraphHostNodeGetParams(hNode, nodeParams ? &p : nullptr);
    if (error == cudaSuccess)
      *nodeParams = {p.fn, p.userData};
    return resultOf(error);
  });
}
extern "C" CUresult cuGraphHostNodeSetParams(CUgraphNode hNode,
                                             const CUDA_HOST_NODE_PARAMS* nodeParams) {
  return driverCall([=] {
    return withRuntime(nodeParams, [=](auto* p) { return cudaGraphHostNodeSetParams(hNode, p); });
  });
}
extern "C" CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                 const CUDA_HOST_NODE_PARAMS* nodeParams) {
  return driverCall([=] {
    return withRuntime(
        nodeParams, [=](auto* p) { return cudaGraphExecHostNodeSetParams(hGraphExec, hNode, p); });
  });
}

extern "C" CUresult cuGraphAddChildGraphNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                             const CUgraphNode* dependencies,
                                             size_t numDependencies, CUgraph childGraph) {
  return driverCall([=] {
    return cudaGraphAddChildGraphNode(phGraphNode, hGraph, dependencies, numDependencies,
                                      childGraph);
  });
}
extern "C" CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph* phGraph) {
  return driverCall([=] { return cudaGraphChildGraphNodeGetGraph(hNode, phGraph); });
}
extern "C" CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                       CUgraph childGraph) {
  return driverCall(
      [=] { return cudaGraphExecChildGraphNodeSetParams(hGraphExec, hNode, childGraph); });
}
extern "C" CUresult cuGraphAddEmptyNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                        const CUgraphNode* dependencies, size_t numDependencies) {
  return driverCall(
      [=] { return cudaGraphAddEmptyNode(phGraphNode, hGraph, dependencies, numDependencies); });
}

extern "C" CUresult cuGraphAddEventRecordNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                              const CUgraphNode* dependencies,
                                              size_t numDependencies, CUevent event) {
  return driverCall([=] {
    return cudaGraphAddEventRecordNode(phGraphNode, hGraph, dependencies, numDependencies, event);
  });
}
extern "C" CUresult cuGraphAddEventWaitNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                            const CUgraphNode* dependencies, size_t numDependencies,
                                            CUevent event) {
  return driverCall([=] {
    return cudaGraphAddEventWaitNode(phGraphNode, hGraph, dependencies, numDependencies, event);
  });
}
extern "C" CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent* event_out) {
  return driverCall([=] { return cudaGraphEventRecordNodeGetEvent(hNode, event_out); });
}
extern "C" CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event) {
  return driverCall([=] { return cudaGraphEventRecordNodeSetEvent(hNode, event); });
}
extern "C" CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent* event_out) {
  return driverCall([=] { return cudaGraphEventWaitNodeGetEvent(hNode, event_out); });
}
extern "C" CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event) {
  return driverCall([=] { return cudaGraphEventWaitNodeSetEvent(hNode, event); });
}
extern "C" CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                       CUevent event) {
  return driverCall([=] { return cudaGraphExecEventRecordNodeSetEvent(hGraphExec, hNode, event); });
}
extern "C" CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                     CUevent event) {
  return driverCall([=] { return cudaGraphExecEventWaitNodeSetEvent(hGraphExec, hNode, event); });
}

extern "C" CUresult cuGraphAddMemAllocNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                           const CUgraphNode* dependencies, size_t numDependencies,
                                           CUDA_MEM_ALLOC_NODE_PARAMS* nodeParams) {
  return driverCall([=]() -> CUresult {
    if (!nodeParams)
      return CUDA_ERROR_INVALID_VALUE;
    auto p = as<cudaMemAllocNodeParams>(*nodeParams);
    const cudaError_t error =
        cudaGraphAddMemAllocNode(phGraphNode, hGraph, dependencies, numDependencies, &p);
    nodeParams->dptr = reinterpret_cast<CUdeviceptr>(p.dptr);
    return resultOf(error);
  });
}
extern "C" CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode,
                                                 CUDA_MEM_ALLOC_NODE_PARAMS* params_out) {
  return driverCall([=]() -> CUresult {
    cudaMemAllocNodeParams p{};
    const cudaError_t error = cudaGraphMemAllocNodeGetParams(hNode, params_out ? &p : nullptr);
    if (error == cudaSuccess)
      *params_out = as<CUDA_MEM_ALLOC_NODE_PARAMS>(p);
    return resultOf(error);
  });
}
extern "C" CUresult cuGraphAddMemFreeNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                          const CUgraphNode* dependencies, size_t numDependencies,
                                          CUdeviceptr dptr) {
  return driverCall([=] {
    return cudaGraphAddMemFreeNode(phGraphNode, hGraph, dependencies, numDependencies, at(dptr));
  });
}
extern "C" CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr* dptr_out) {
  return driverCall([=] { return cudaGraphMemFreeNodeGetParams(hNode, dptr_out); });
}
