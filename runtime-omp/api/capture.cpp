// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture.
//
// CUDA Runtime API, 'Stream Management'; CUDA C++ Programming Guide, 'Creating a Graph Using Stream
// Capture'.
#include "api/graph_handles.h"

using namespace cu2cpp::rt;

namespace {

bool isMode(cudaStreamCaptureMode mode) {
  return static_cast<unsigned>(mode) <= cudaStreamCaptureModeRelaxed;
}

Status begin(cudaStream_t stream, cudaStreamCaptureMode mode, std::shared_ptr<Graph> graph,
             std::vector<Node*> behind) {
  const std::shared_ptr<Stream> queue = streamOf(stream);
  if (!queue)
    return Status::InvalidHandle;
  if (!isMode(mode))
    return Status::InvalidValue;
  return process().captures.begin(queue, static_cast<CaptureMode>(mode), std::move(graph),
                                  std::move(behind));
}

} // namespace

extern "C" cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return deviceCall([=] { return begin(stream, mode, std::make_shared<Graph>(), {}); });
}

extern "C" cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                     const cudaGraphNode_t* dependencies,
                                                     const cudaGraphEdgeData* dependencyData,
                                                     size_t numDependencies,
                                                     cudaStreamCaptureMode mode) {
  return deviceCall([=] {
    const std::shared_ptr<Graph> object = graphOf(graph);
    std::vector<Node*> behind;
    if (!object || !nodesOf(dependencies, numDependencies, behind))
      return Status::InvalidValue;
    for (std::size_t i = 0; dependencyData && i < numDependencies; ++i)
      if (dependencyData[i].type != 0)
        return Status::NotSupported; // programmatic edges
    for (const Node* node : behind)
      if (!object->contains(node))
        return Status::InvalidValue;
    return begin(stream, mode, object, std::move(behind));
  });
}

extern "C" cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* pGraph) {
  return deviceCall([=] {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    if (!queue)
      return Status::InvalidHandle;
    // A capture into a graph that the program has needs no place for its handle.
    const std::shared_ptr<Graph> given = process().captures.info(*queue).graph;
    if (!pGraph && !(given && process().graphs.find(given.get())))
      return Status::InvalidValue;
    if (pGraph)
      *pGraph = nullptr;
    std::shared_ptr<Graph> graph;
    const Status status = process().captures.end(queue, graph);
    if (status != Status::Ok)
      return status;
    publish(graph);
    if (pGraph)
      *pGraph = handleOf(graph.get());
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                             cudaStreamCaptureStatus* pCaptureStatus) {
  return cudaStreamGetCaptureInfo(stream, pCaptureStatus, nullptr, nullptr, nullptr, nullptr);
}

extern "C" cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                cudaStreamCaptureStatus* captureStatus_out,
                                                unsigned long long* id_out, cudaGraph_t* graph_out,
                                                const cudaGraphNode_t** dependencies_out,
                                                size_t* numDependencies_out) {
  return deviceCall([=] {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    if (!queue)
      return Status::InvalidHandle;
    if (!captureStatus_out)
      return Status::InvalidValue;
    Captures& captures = process().captures;
    if (queue == queue->device.legacyStream() && captures.anyActive())
      if (const Status status = captures.checkLegacy(queue->device); status != Status::Ok)
        return status;
    const CaptureInfo info = captures.info(*queue);
    *captureStatus_out = !info.active   ? cudaStreamCaptureStatusNone
                         : info.invalid ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
    if (!info.active || info.invalid)
      return Status::Ok;
    if (id_out)
      *id_out = info.id;
    if (graph_out) {
      publish(info.graph); // the program may add nodes of its own
      *graph_out = handleOf(info.graph.get());
    }
    const std::vector<Node*>& tail = captures.tail(*queue);
    if (dependencies_out) {
      for (Node* node : tail)
        publish(node->shared_from_this());
      *dependencies_out = reinterpret_cast<const cudaGraphNode_t*>(tail.data());
    }
    if (numDependencies_out)
      *numDependencies_out = tail.size();
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                           cudaGraphNode_t* dependencies,
                                                           size_t numDependencies,
                                                           unsigned int flags) {
  return deviceCall([=] {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    std::vector<Node*> nodes;
    if (!queue)
      return Status::InvalidHandle;
    if (flags > cudaStreamSetCaptureDependencies || !nodesOf(dependencies, numDependencies, nodes))
      return Status::InvalidValue;
    return process().captures.setTail(queue, nodes, flags == cudaStreamSetCaptureDependencies);
  });
}

extern "C" cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return plainCall([=] {
    if (!mode || !isMode(*mode))
      return Status::InvalidValue;
    *mode = static_cast<cudaStreamCaptureMode>(
        Captures::exchangeThreadMode(static_cast<CaptureMode>(*mode)));
    return Status::Ok;
  });
}
