// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's graph functions whose signatures differ between CUDA 11, 12 and 13, as overloads
// for C++: CUDA 13 added data of edges, which only programmatic launches use.
//
// CUDA Driver API, 'Graph Management'.
#ifndef CU2CPP_API_DRIVER_GRAPHS_H
#define CU2CPP_API_DRIVER_GRAPHS_H

namespace cu2cpp {
namespace detail {
inline bool plainDriverEdges(const CUgraphEdgeData* data, size_t count) {
  for (size_t i = 0; data && i < count; ++i)
    if (data[i].from_port || data[i].to_port || data[i].type)
      return false;
  return true;
}
inline CUresult clearDriverEdges(CUresult result, CUgraphEdgeData* data, const size_t* count) {
  if (result == CUDA_SUCCESS && data && count)
    for (size_t i = 0; i < *count; ++i)
      data[i] = CUgraphEdgeData{};
  return result;
}
} // namespace detail
} // namespace cu2cpp

inline CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode* from,
                                       const CUgraphNode* to, const CUgraphEdgeData* edgeData,
                                       size_t numDependencies) {
  return cu2cpp::detail::plainDriverEdges(edgeData, numDependencies)
             ? ::cuGraphAddDependencies(hGraph, from, to, numDependencies)
             : CUDA_ERROR_NOT_SUPPORTED;
}
inline CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode* from,
                                          const CUgraphNode* to, const CUgraphEdgeData* edgeData,
                                          size_t numDependencies) {
  return cu2cpp::detail::plainDriverEdges(edgeData, numDependencies)
             ? ::cuGraphRemoveDependencies(hGraph, from, to, numDependencies)
             : CUDA_ERROR_NOT_SUPPORTED;
}
inline CUresult cuGraphAddNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                               const CUgraphNode* dependencies,
                               const CUgraphEdgeData* dependencyData, size_t numDependencies,
                               CUgraphNodeParams* nodeParams) {
  return cu2cpp::detail::plainDriverEdges(dependencyData, numDependencies)
             ? ::cuGraphAddNode(phGraphNode, hGraph, dependencies, numDependencies, nodeParams)
             : CUDA_ERROR_NOT_SUPPORTED;
}
inline CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to,
                                CUgraphEdgeData* edgeData, size_t* numEdges) {
  return cu2cpp::detail::clearDriverEdges(::cuGraphGetEdges(hGraph, from, to, numEdges), edgeData,
                                          numEdges);
}
inline CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode* dependencies,
                                           CUgraphEdgeData* edgeData, size_t* numDependencies) {
  return cu2cpp::detail::clearDriverEdges(
      ::cuGraphNodeGetDependencies(hNode, dependencies, numDependencies), edgeData,
      numDependencies);
}
inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode* dependentNodes,
                                             CUgraphEdgeData* edgeData,
                                             size_t* numDependentNodes) {
  return cu2cpp::detail::clearDriverEdges(
      ::cuGraphNodeGetDependentNodes(hNode, dependentNodes, numDependentNodes), edgeData,
      numDependentNodes);
}
inline CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus* status,
                                       cuuint64_t* id, CUgraph* graph,
                                       const CUgraphNode** dependencies,
                                       const CUgraphEdgeData** edgeData, size_t* numDependencies) {
  if (edgeData)
    *edgeData = nullptr; // all edges are plain
  return ::cuStreamGetCaptureInfo(hStream, status, id, graph, dependencies, numDependencies);
}
inline CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode* dependencies,
                                                  const CUgraphEdgeData* dependencyData,
                                                  size_t numDependencies, unsigned int flags) {
  return cu2cpp::detail::plainDriverEdges(dependencyData, numDependencies)
             ? ::cuStreamUpdateCaptureDependencies(hStream, dependencies, numDependencies, flags)
             : CUDA_ERROR_NOT_SUPPORTED;
}
// CUDA 11: the log is empty, since the result says what is wrong.
inline CUresult cuGraphInstantiate(CUgraphExec* phGraphExec, CUgraph hGraph,
                                   CUgraphNode* phErrorNode, char* logBuffer, size_t bufferSize) {
  if (logBuffer && bufferSize > 0)
    logBuffer[0] = 0;
  CUDA_GRAPH_INSTANTIATE_PARAMS params{};
  const CUresult result = ::cuGraphInstantiateWithParams(phGraphExec, hGraph, &params);
  if (phErrorNode)
    *phErrorNode = params.hErrNode_out;
  return result;
}

#endif
