// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a capture tells about itself, changed dependencies, capture into a graph that exists, event nodes, the kinds of
// nodes that captured calls give, edges of the result, and its launch.
#include <cstdio>

#define SHOW(call) printf("%-90s %s\n", #call, cudaGetErrorName(call))

__global__ void add(int* p, int value) { atomicAdd(p, value); }
static void CUDART_CB twice(void* p) { *static_cast<int*>(p) *= 2; }

static void kinds(cudaGraph_t graph) {
  size_t nodes = 0, edges = 0, roots = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  cudaGraphGetRootNodes(graph, nullptr, &roots);
  cudaGraphNode_t list[32];
  cudaGraphGetNodes(graph, list, &nodes);
  int count[16] = {};
  for (size_t i = 0; i < nodes; ++i) {
    cudaGraphNodeType type;
    cudaGraphNodeGetType(list[i], &type);
    ++count[int(type) & 15];
  }
  printf("%d nodes, %d edges, %d roots; of each kind:", int(nodes), int(edges), int(roots));
  for (int number : count)
    printf(" %d", number);
  printf("\n");
}

static void tell(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusInvalidated;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* dependencies = nullptr;
  const cudaGraphEdgeData* data = nullptr;
  size_t count = 0;
  const cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, &data, &count);
  printf("%s, status %d", cudaGetErrorName(error), int(status));
  if (error == cudaSuccess && status == cudaStreamCaptureStatusActive) {
    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    printf(", id %d, %d nodes, %d dependencies", id != 0, int(nodes), int(count));
  }
  printf("\n");
}

int main() {
  int *p, host[4] = {1, 2, 3, 4}, result = 0, number = 5;
  cudaMalloc(&p, sizeof host);
  cudaMemset(p, 0, sizeof host);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t fork, join, external;
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  cudaEventCreate(&external);
  cudaGraph_t graph, info;
  cudaGraphExec_t exec;

  tell(s);
  SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  tell(s);
  tell(t);
  SHOW(cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, s));
  SHOW(cudaEventRecord(fork, s));
  SHOW(cudaStreamWaitEvent(t, fork, 0));
  tell(t);
  add<<<1, 4, 0, s>>>(p, 10);
  add<<<1, 1, 0, t>>>(p + 1, 100);
  SHOW(cudaMemsetAsync(p + 2, 0, 4, t));
  tell(s);
  tell(t);
  SHOW(cudaEventRecord(join, t));
  SHOW(cudaStreamWaitEvent(s, join, 0));
  tell(s);
  SHOW(cudaLaunchHostFunc(s, twice, &number));
  SHOW(cudaEventRecordWithFlags(external, s, cudaEventRecordExternal));
  SHOW(cudaMemcpyAsync(&result, p, 4, cudaMemcpyDeviceToHost, s));
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t* dependencies;
  size_t count;
  cudaStreamGetCaptureInfo(s, &status, nullptr, &info, &dependencies, nullptr, &count);
  cudaGraphNode_t extra;
  SHOW(cudaGraphAddEmptyNode(&extra, info, dependencies, count));
  SHOW(cudaStreamUpdateCaptureDependencies(s, &extra, nullptr, 1, cudaStreamAddCaptureDependencies));
  tell(s);
  SHOW(cudaStreamUpdateCaptureDependencies(s, &extra, nullptr, 1, cudaStreamSetCaptureDependencies));
  tell(s);
  SHOW(cudaStreamUpdateCaptureDependencies(t, &extra, nullptr, 1, 9));
  add<<<1, 1, 0, s>>>(p + 3, 1000);
  SHOW(cudaStreamEndCapture(s, &graph));
  tell(s);
  tell(t);
  kinds(graph);
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; ++i) {
    SHOW(cudaGraphLaunch(exec, s));
    SHOW(cudaStreamSynchronize(s));
    int now[4];
    cudaMemcpy(now, p, sizeof now, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d, copied %d, number %d, event %s\n", now[0], now[1], now[2], now[3], result, number,
           cudaGetErrorName(cudaEventQuery(external)));
  }

  printf("- into a graph that exists\n");
  cudaGraphNode_t nodes[16];
  count = 16;
  cudaGraphGetRootNodes(graph, nodes, &count);
  SHOW(cudaStreamBeginCaptureToGraph(t, graph, nodes, nullptr, 1, cudaStreamCaptureModeGlobal));
  tell(t);
  add<<<1, 4, 0, t>>>(p, 7);
  SHOW(cudaMemcpyAsync(p + 2, p + 1, 4, cudaMemcpyDeviceToDevice, t));
  SHOW(cudaStreamEndCapture(t, &info));
  printf("the same %d\n", info == graph);
  kinds(graph);

  printf("- errors\n");
  SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  SHOW(cudaStreamSynchronize(s));
  tell(s);
  SHOW(cudaStreamEndCapture(s, &info));
  printf("null %d\n", info == nullptr);
  SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  SHOW(cudaEventRecord(fork, s));
  SHOW(cudaStreamWaitEvent(t, fork, 0));
  add<<<1, 1, 0, t>>>(p, 1);
  SHOW(cudaStreamEndCapture(t, &info));
  SHOW(cudaStreamEndCapture(s, &info));
  tell(s);
  tell(t);
  SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  SHOW(cudaEventRecord(fork, s));
  SHOW(cudaStreamWaitEvent(t, fork, 0));
  add<<<1, 1, 0, t>>>(p, 1);
  SHOW(cudaStreamEndCapture(s, &info));
  tell(t);
  SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  SHOW(cudaStreamWaitEvent(s, external, 0));
  SHOW(cudaStreamEndCapture(s, &info));
  SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  SHOW(cudaEventRecord(fork, s));
  SHOW(cudaEventSynchronize(fork));
  SHOW(cudaStreamEndCapture(s, &info));
  SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaStreamEndCapture(s, &info));
  SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  void* more;
  SHOW(cudaMalloc(&more, 16));
  SHOW(cudaStreamEndCapture(s, &info));
  SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  SHOW(cudaMalloc(&more, 16));
  SHOW(cudaMemcpy(p, host, 4, cudaMemcpyHostToDevice));
  SHOW(cudaStreamEndCapture(s, &info));
  SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  SHOW(cudaStreamQuery(t));
  SHOW(cudaStreamQuery(s));
  SHOW(cudaStreamEndCapture(s, &info));
  SHOW(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  SHOW(cudaStreamDestroy(s));
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaGetLastError());
  return 0;
}
