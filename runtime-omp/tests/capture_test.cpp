// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: what becomes a node, fork and join over events, and what a capture prohibits.
#include <thread>

#include "runtime_test.h"

namespace {

using Captures = RuntimeTest;

void add(int* target, int value) { __atomic_fetch_add(target, value, __ATOMIC_RELAXED); }
void twice(int* target) { *target *= 2; }

void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  ASSERT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
}

void runGraph(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

std::size_t nodesOf(cudaGraph_t graph) {
  std::size_t count = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  return count;
}

TEST_F(Captures, NothingRunsBeforeTheLaunch) {
  static int sum;
  sum = 0;
  Stream stream;
  begin(stream);
  cu2cpp::launch(add, 1, 1, 0, stream)(&sum, 3);
  cu2cpp::launch(twice, 1, 1, 0, stream)(&sum);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(nodesOf(graph), 2u);
  runGraph(graph);
  runGraph(graph);
  EXPECT_EQ(sum, 18);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Captures, ForkAndJoinOverEvents) {
  static int sum;
  sum = 1;
  Stream first, second;
  Event fork, join;
  begin(first);
  cu2cpp::launch(add, 1, 1, 0, first)(&sum, 1);
  ASSERT_EQ(cudaEventRecord(fork, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, fork, 0), cudaSuccess);
  cudaStreamCaptureStatus status;
  ASSERT_EQ(cudaStreamIsCapturing(second, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  cu2cpp::launch(add, 1, 1, 0, first)(&sum, 10);
  cu2cpp::launch(add, 1, 1, 0, second)(&sum, 100);
  ASSERT_EQ(cudaEventRecord(join, second), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(first, join, 0), cudaSuccess);
  cu2cpp::launch(twice, 1, 1, 0, first)(&sum);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(first, &graph), cudaSuccess);
  std::size_t edges = 0;
  ASSERT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, &edges), cudaSuccess);
  EXPECT_EQ(edges, 4u);
  runGraph(graph);
  EXPECT_EQ(sum, 224);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Captures, StreamsThatDoNotComeBackAreAnError) {
  static int sum;
  Stream first, second;
  Event fork;
  begin(first);
  ASSERT_EQ(cudaEventRecord(fork, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, fork, 0), cudaSuccess);
  cu2cpp::launch(add, 1, 1, 0, second)(&sum, 1);
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(&sum);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph, nullptr);
}

TEST_F(Captures, StreamsMayBeDestroyedWhenTheyHaveComeBack) {
  static int sum;
  sum = 0;
  Stream first;
  Event fork, join;
  cudaStream_t second = nullptr;
  cudaGraph_t graph = nullptr;
  begin(first);
  ASSERT_EQ(cudaStreamCreate(&second), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, fork, 0), cudaSuccess);
  cu2cpp::launch(add, 1, 1, 0, second)(&sum, 1);
  ASSERT_EQ(cudaEventRecord(join, second), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(first, join, 0), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(second), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(first, &graph), cudaSuccess);
  EXPECT_EQ(nodesOf(graph), 1u);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Captures, WaitingForACaptureInvalidatesIt) {
  Stream stream;
  cudaGraph_t graph = nullptr;
  begin(stream);
  EXPECT_CUDA_ERROR(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_CUDA_ERROR(cudaStreamQuery(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  begin(stream);
  EXPECT_CUDA_ERROR(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Captures, TheLegacyStreamCanNotDependOnACapture) {
  static int sum;
  Stream stream;
  cudaGraph_t graph = nullptr;
  EXPECT_CUDA_ERROR(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
                    cudaErrorStreamCaptureUnsupported);
  begin(stream);
  cu2cpp::launch(add, 1, 1)(&sum, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Captures, OtherStreamsGoOn) {
  static int sum;
  sum = 0;
  Stream captured(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  cudaGraph_t graph = nullptr;
  begin(captured);
  cu2cpp::launch(add, 1, 1, 0, other)(&sum, 1);
  EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  EXPECT_EQ(sum, 1);
  ASSERT_EQ(cudaStreamEndCapture(captured, &graph), cudaSuccess);
  EXPECT_EQ(nodesOf(graph), 0u);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Captures, AllocationIsUnsafeUnlessRelaxed) {
  Stream stream;
  void* p = nullptr;
  cudaGraph_t graph = nullptr;
  begin(stream);
  EXPECT_CUDA_ERROR(cudaMalloc(&p, 16), cudaErrorStreamCaptureUnsupported);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  begin(stream, cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMalloc(&p, 16), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  // What libraries do: unsafe calls in a thread that has said that it knows.
  ASSERT_EQ(cudaMalloc(&p, 16), cudaSuccess);
  begin(stream);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Captures, EventsOfOtherTimesAndPlaces) {
  Stream first, second, outside;
  Event before, inFirst;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaEventRecord(before, outside), cudaSuccess);
  begin(first);
  EXPECT_CUDA_ERROR(cudaStreamWaitEvent(first, before, 0), cudaErrorStreamCaptureIsolation);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
  begin(first);
  begin(second);
  ASSERT_EQ(cudaEventRecord(inFirst, first), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaStreamWaitEvent(second, inFirst, 0), cudaErrorStreamCaptureMerge);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(second, &graph), cudaErrorStreamCaptureInvalidated);
  begin(first);
  ASSERT_EQ(cudaEventRecord(inFirst, first), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaEventQuery(inFirst), cudaErrorCapturedEvent);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Captures, RecordsOfACaptureHaveNoTime) {
  Stream stream;
  cudaEvent_t untimed = nullptr;
  Event start, end;
  float ms = -1;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(untimed, stream), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(start, stream), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(end, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaEventElapsedTime(&ms, untimed, end), cudaErrorInvalidResourceHandle);
  begin(stream);
  ASSERT_EQ(cudaEventRecord(untimed, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaEventElapsedTime(&ms, untimed, end), cudaErrorInvalidValue);
  ASSERT_EQ(cudaEventRecord(untimed, stream), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaEventElapsedTime(&ms, untimed, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(untimed), cudaSuccess);
}

TEST_F(Captures, OnlyTheThreadAndTheStreamThatBeganMayEnd) {
  Stream first, second;
  Event fork;
  cudaGraph_t graph = nullptr;
  begin(first, cudaStreamCaptureModeThreadLocal);
  std::thread([&] {
    EXPECT_CUDA_ERROR(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureWrongThread);
  }).join();
  ASSERT_EQ(cudaEventRecord(fork, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, fork, 0), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(second, &graph), cudaErrorStreamCaptureUnmatched);
  EXPECT_CUDA_ERROR(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Captures, CopiesFillsHostFunctionsAndGraphsAreNodes) {
  static int host[2], out[2], calls;
  host[0] = 5;
  calls = 0;
  DeviceArray<int> device(2);
  Stream stream;
  begin(stream);
  ASSERT_EQ(cudaMemcpyAsync(device, host, 4, cudaMemcpyHostToDevice, stream), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(device + 1, 1, 4, stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(out, device, 8, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  ASSERT_EQ(
      cudaLaunchHostFunc(stream, [](void* p) { ++*static_cast<int*>(p); }, &calls), cudaSuccess);
  cudaGraph_t inner = nullptr, outer = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &inner), cudaSuccess);
  EXPECT_EQ(nodesOf(inner), 4u);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, inner, 0), cudaSuccess);
  begin(stream);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &outer), cudaSuccess);
  EXPECT_EQ(nodesOf(outer), 2u);
  runGraph(outer);
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(out[1], 0x01010101);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(cudaGraphDestroy(inner), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(outer), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

TEST_F(Captures, IntoAGraphThatIsThere) {
  static int sum;
  sum = 0;
  Stream stream;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t first = nullptr;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&first, graph, nullptr, 0), cudaSuccess);
  ASSERT_EQ(
      cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, cudaStreamCaptureModeGlobal),
      cudaSuccess);
  cu2cpp::launch(add, 1, 1, 0, stream)(&sum, 4);
  ASSERT_EQ(cudaStreamEndCapture(stream, nullptr), cudaSuccess);
  EXPECT_EQ(nodesOf(graph), 2u);
  runGraph(graph);
  EXPECT_EQ(sum, 4);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Captures, InfoAndDependencies) {
  static int sum;
  sum = 0;
  Stream stream;
  begin(stream);
  cu2cpp::launch(add, 1, 1, 0, stream)(&sum, 1);
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* nodes = nullptr;
  std::size_t count = 0;
  ASSERT_EQ(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  cudaGraphNode_t empty = nullptr;
  ASSERT_EQ(cudaGraphAddEmptyNode(&empty, graph, nodes, count), cudaSuccess);
  ASSERT_EQ(
      cudaStreamUpdateCaptureDependencies(stream, &empty, 1, cudaStreamSetCaptureDependencies),
      cudaSuccess);
  cu2cpp::launch(twice, 1, 1, 0, stream)(&sum);
  cudaGraph_t ended = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &ended), cudaSuccess);
  EXPECT_EQ(ended, graph);
  EXPECT_EQ(nodesOf(graph), 3u);
  runGraph(graph);
  EXPECT_EQ(sum, 2);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

} // namespace
