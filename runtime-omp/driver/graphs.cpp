// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capture, graphs, instantiated graphs and user objects: the runtime's under other names.
//
// CUDA Driver API, 'Graph Management', 'Stream Management'.
#include "driver/driver.h"

using namespace cu2cpp::rt;

extern "C" CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode) {
  return contextCall(
      [=] { return cudaStreamBeginCapture(hStream, static_cast<cudaStreamCaptureMode>(mode)); });
}
extern "C" CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
                                                const CUgraphNode* dependencies,
                                                const CUgraphEdgeData* dependencyData,
                                                size_t numDependencies, CUstreamCaptureMode mode) {
  return contextCall([=] {
    return cudaStreamBeginCaptureToGraph(hStream, hGraph, dependencies, dependencyData,
                                         numDependencies, static_cast<cudaStreamCaptureMode>(mode));
  });
}
extern "C" CUresult cuStreamEndCapture(CUstream hStream, CUgraph* phGraph) {
  return contextCall([=] { return cudaStreamEndCapture(hStream, phGraph); });
}
extern "C" CUresult cuStreamGetCaptureInfo(CUstream hStream,
                                           CUstreamCaptureStatus* captureStatus_out,
                                           cuuint64_t* id_out, CUgraph* graph_out,
                                           const CUgraphNode** dependencies_out,
                                           size_t* numDependencies_out) {
  return contextCall([=] {
    return ::cudaStreamGetCaptureInfo(hStream, like<cudaStreamCaptureStatus>(captureStatus_out),
                                      id_out, graph_out, dependencies_out, numDependencies_out);
  });
}
extern "C" CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode* dependencies,
                                                      size_t numDependencies, unsigned int flags) {
  return contextCall([=] {
    return ::cudaStreamUpdateCaptureDependencies(hStream, dependencies, numDependencies, flags);
  });
}
extern "C" CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return contextCall(
      [=] { return cudaThreadExchangeStreamCaptureMode(like<cudaStreamCaptureMode>(mode)); });
}

extern "C" CUresult cuGraphCreate(CUgraph* phGraph, unsigned int flags) {
  return driverCall([=] { return cudaGraphCreate(phGraph, flags); });
}
extern "C" CUresult cuGraphDestroy(CUgraph hGraph) {
  return driverCall([=] { return cudaGraphDestroy(hGraph); });
}
extern "C" CUresult cuGraphClone(CUgraph* phGraphClone, CUgraph originalGraph) {
  return driverCall([=] { return cudaGraphClone(phGraphClone, originalGraph); });
}
extern "C" CUresult cuGraphNodeFindInClone(CUgraphNode* phNode, CUgraphNode hOriginalNode,
                                           CUgraph hClonedGraph) {
  return driverCall([=] { return cudaGraphNodeFindInClone(phNode, hOriginalNode, hClonedGraph); });
}
extern "C" CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode* nodes, size_t* numNodes) {
  return driverCall([=] { return cudaGraphGetNodes(hGraph, nodes, numNodes); });
}
extern "C" CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode* rootNodes,
                                        size_t* numRootNodes) {
  return driverCall([=] { return cudaGraphGetRootNodes(hGraph, rootNodes, numRootNodes); });
}
extern "C" CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to,
                                    size_t* numEdges) {
  return driverCall([=] { return ::cudaGraphGetEdges(hGraph, from, to, numEdges); });
}
extern "C" CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode* from,
                                           const CUgraphNode* to, size_t numDependencies) {
  return driverCall([=] { return ::cudaGraphAddDependencies(hGraph, from, to, numDependencies); });
}
extern "C" CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode* from,
                                              const CUgraphNode* to, size_t numDependencies) {
  return driverCall(
      [=] { return ::cudaGraphRemoveDependencies(hGraph, from, to, numDependencies); });
}
extern "C" CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char* path, unsigned int flags) {
  return driverCall([=] { return cudaGraphDebugDotPrint(hGraph, path, flags); });
}
extern "C" CUresult cuGraphDestroyNode(CUgraphNode hNode) {
  return driverCall([=] { return cudaGraphDestroyNode(hNode); });
}
extern "C" CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType* type) {
  return driverCall([=] { return cudaGraphNodeGetType(hNode, like<cudaGraphNodeType>(type)); });
}
extern "C" CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode* dependencies,
                                               size_t* numDependencies) {
  return driverCall(
      [=] { return ::cudaGraphNodeGetDependencies(hNode, dependencies, numDependencies); });
}
extern "C" CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode* dependentNodes,
                                                 size_t* numDependentNodes) {
  return driverCall(
      [=] { return ::cudaGraphNodeGetDependentNodes(hNode, dependentNodes, numDependentNodes); });
}
extern "C" CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* pHandle_out,
                                                   CUgraph hGraph, CUcontext ctx,
                                                   unsigned int defaultLaunchValue,
                                                   unsigned int flags) {
  return driverCall([=]() -> CUresult {
    if (ctx && !contextOf(ctx))
      return CUDA_ERROR_INVALID_VALUE;
    return resultOf(
        cudaGraphConditionalHandleCreate(pHandle_out, hGraph, defaultLaunchValue, flags));
  });
}

extern "C" CUresult cuUserObjectCreate(CUuserObject* object_out, void* ptr, CUhostFn destroy,
                                       unsigned int initialRefcount, unsigned int flags) {
  return driverCall(
      [=] { return cudaUserObjectCreate(object_out, ptr, destroy, initialRefcount, flags); });
}
extern "C" CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
  return driverCall([=] { return cudaUserObjectRelease(object, count); });
}
extern "C" CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
  return driverCall([=] { return cudaUserObjectRetain(object, count); });
}
extern "C" CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
                                            unsigned int flags) {
  return driverCall([=] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}
extern "C" CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object,
                                             unsigned int count) {
  return driverCall([=] { return cudaGraphReleaseUserObject(graph, object, count); });
}

extern "C" CUresult cuGraphInstantiate(CUgraphExec* phGraphExec, CUgraph hGraph,
                                       unsigned long long flags) {
  return contextCall([=] { return cudaGraphInstantiateWithFlags(phGraphExec, hGraph, flags); });
}
extern "C" CUresult cuGraphInstantiateWithFlags(CUgraphExec* phGraphExec, CUgraph hGraph,
                                                unsigned long long flags) {
  return contextCall([=] { return cudaGraphInstantiateWithFlags(phGraphExec, hGraph, flags); });
}
extern "C" CUresult cuGraphInstantiateWithParams(CUgraphExec* phGraphExec, CUgraph hGraph,
                                                 CUDA_GRAPH_INSTANTIATE_PARAMS* instantiateParams) {
  return contextCall([=] {
    return cudaGraphInstantiateWithParams(phGraphExec, hGraph,
                                          like<cudaGraphInstantiateParams>(instantiateParams));
  });
}
extern "C" CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t* flags) {
  return contextCall([=] { return cudaGraphExecGetFlags(hGraphExec, flags); });
}
extern "C" CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream) {
  return contextCall([=] { return cudaGraphUpload(hGraphExec, hStream); });
}
extern "C" CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream) {
  return contextCall([=] { return cudaGraphLaunch(hGraphExec, hStream); });
}
extern "C" CUresult cuGraphExecDestroy(CUgraphExec hGraphExec) {
  return contextCall([=] { return cudaGraphExecDestroy(hGraphExec); });
}
extern "C" CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph,
                                      CUgraphExecUpdateResultInfo* resultInfo) {
  return contextCall([=] {
    return ::cudaGraphExecUpdate(hGraphExec, hGraph,
                                 like<cudaGraphExecUpdateResultInfo>(resultInfo));
  });
}
extern "C" CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                                          unsigned int isEnabled) {
  return contextCall([=] { return cudaGraphNodeSetEnabled(hGraphExec, hNode, isEnabled); });
}
extern "C" CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                                          unsigned int* isEnabled) {
  return contextCall([=] { return cudaGraphNodeGetEnabled(hGraphExec, hNode, isEnabled); });
}
