// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph functions whose signatures differ between CUDA 11, 12 and 13, as overloads for C++:
// CUDA 13 added data of edges, which only programmatic launches use. And what kernels may call.
//
// CUDA Runtime API, 'Graph Management'.
#ifndef CU2CPP_API_GRAPHS_H
#define CU2CPP_API_GRAPHS_H

#include <cstddef>

#include <cuda_runtime_api.h>

namespace cu2cpp {
namespace detail {
/// plainEdges() is false when one of the edges is a programmatic one.
bool plainEdges(const cudaGraphEdgeData* data, std::size_t count) noexcept;
/// goodEdges() is false when an edge from one of the nodes can't be such a one.
bool goodEdges(const cudaGraphNode_t* from, const cudaGraphEdgeData* data,
               std::size_t count) noexcept;
/// noteEdges() keeps what the program has said about the edges, for those who ask.
void noteEdges(const cudaGraphNode_t* from, const cudaGraphNode_t* to, bool oneTarget,
               const cudaGraphEdgeData* data, std::size_t count) noexcept;
/// readEdges() tells it; cudaErrorLossyQuery where there is something to tell and no place for it.
enum class EdgeEnds { Lists, OneSource, OneTarget };
cudaError_t readEdges(const cudaGraphNode_t* from, const cudaGraphNode_t* to, EdgeEnds ends,
                      cudaGraphEdgeData* data, std::size_t count) noexcept;
cudaError_t refuseEdges() noexcept; // records cudaErrorInvalidValue
/// setConditional() is cudaGraphSetConditional(), called by a kernel.
void setConditional(cudaGraphConditionalHandle handle, unsigned value) noexcept;
/// currentGraphExec() is cudaGetCurrentGraphExec(), called by a kernel.
cudaGraphExec_t currentGraphExec() noexcept;
} // namespace detail
} // namespace cu2cpp

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to,
                                            const cudaGraphEdgeData* edgeData,
                                            std::size_t numDependencies) {
  if (!cu2cpp::detail::goodEdges(from, edgeData, numDependencies))
    return cu2cpp::detail::refuseEdges();
  const cudaError_t error = ::cudaGraphAddDependencies(graph, from, to, numDependencies);
  if (error == cudaSuccess)
    cu2cpp::detail::noteEdges(from, to, false, edgeData, numDependencies);
  return error;
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to,
                                               const cudaGraphEdgeData* edgeData,
                                               std::size_t numDependencies) {
  return cu2cpp::detail::goodEdges(from, edgeData, numDependencies)
             ? ::cudaGraphRemoveDependencies(graph, from, to, numDependencies)
             : cu2cpp::detail::refuseEdges();
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                    const cudaGraphNode_t* pDependencies,
                                    const cudaGraphEdgeData* dependencyData,
                                    std::size_t numDependencies, cudaGraphNodeParams* nodeParams) {
  if (!cu2cpp::detail::goodEdges(pDependencies, dependencyData, numDependencies))
    return cu2cpp::detail::refuseEdges();
  const cudaError_t error =
      ::cudaGraphAddNode(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
  if (error == cudaSuccess)
    cu2cpp::detail::noteEdges(pDependencies, pGraphNode, true, dependencyData, numDependencies);
  return error;
}

inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     cudaGraphEdgeData* edgeData, std::size_t* numEdges) {
  const cudaError_t error = ::cudaGraphGetEdges(graph, from, to, numEdges);
  return error == cudaSuccess && from && to
             ? cu2cpp::detail::readEdges(from, to, cu2cpp::detail::EdgeEnds::Lists, edgeData,
                                         *numEdges)
             : error;
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                cudaGraphNode_t* pDependencies,
                                                cudaGraphEdgeData* edgeData,
                                                std::size_t* pNumDependencies) {
  const cudaError_t error = ::cudaGraphNodeGetDependencies(node, pDependencies, pNumDependencies);
  return error == cudaSuccess && pDependencies
             ? cu2cpp::detail::readEdges(pDependencies, &node, cu2cpp::detail::EdgeEnds::OneTarget,
                                         edgeData, *pNumDependencies)
             : error;
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                  cudaGraphNode_t* pDependentNodes,
                                                  cudaGraphEdgeData* edgeData,
                                                  std::size_t* pNumDependentNodes) {
  const cudaError_t error =
      ::cudaGraphNodeGetDependentNodes(node, pDependentNodes, pNumDependentNodes);
  return error == cudaSuccess && pDependentNodes
             ? cu2cpp::detail::readEdges(&node, pDependentNodes,
                                         cu2cpp::detail::EdgeEnds::OneSource, edgeData,
                                         *pNumDependentNodes)
             : error;
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long* id, cudaGraph_t* graph,
                                            const cudaGraphNode_t** dependencies,
                                            const cudaGraphEdgeData** edgeData,
                                            std::size_t* numDependencies) {
  if (edgeData)
    *edgeData = nullptr; // all edges are plain
  return ::cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, numDependencies);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                       cudaGraphNode_t* dependencies,
                                                       const cudaGraphEdgeData* dependencyData,
                                                       std::size_t numDependencies,
                                                       unsigned int flags = 0) {
  return cu2cpp::detail::plainEdges(dependencyData, numDependencies)
             ? ::cudaStreamUpdateCaptureDependencies(stream, dependencies, numDependencies, flags)
             : cu2cpp::detail::refuseEdges();
}

// CUDA 12's names for what CUDA 13 calls by the plain ones.
inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id = nullptr,
                                               cudaGraph_t* graph = nullptr,
                                               const cudaGraphNode_t** dependencies = nullptr,
                                               std::size_t* numDependencies = nullptr) {
  return ::cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, numDependencies);
}

// CUDA 11: the log is empty, since the result says what is wrong.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                        cudaGraphNode_t* pErrorNode, char* pLogBuffer,
                                        std::size_t bufferSize) {
  if (pLogBuffer && bufferSize > 0)
    pLogBuffer[0] = 0;
  cudaGraphInstantiateParams params{};
  const cudaError_t error = ::cudaGraphInstantiateWithParams(pGraphExec, graph, &params);
  if (pErrorNode)
    *pErrorNode = params.errNode_out;
  return error;
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                       cudaGraphNode_t* hErrorNode_out,
                                       cudaGraphExecUpdateResult* updateResult_out) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = ::cudaGraphExecUpdate(hGraphExec, hGraph, &info);
  if (hErrorNode_out)
    *hErrorNode_out = info.errorNode;
  if (updateResult_out)
    *updateResult_out = info.result;
  return error;
}

/// cudaGraphSetConditional() sets the value that a conditional node of the running graph tests.
inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  cu2cpp::detail::setConditional(handle, value);
}
/// cudaGetCurrentGraphExec() is the graph whose kernel is running, null if kernels may not launch
/// it.
inline cudaGraphExec_t cudaGetCurrentGraphExec() { return cu2cpp::detail::currentGraphExec(); }

#endif
