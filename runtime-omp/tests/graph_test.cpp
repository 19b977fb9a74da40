// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: explicit nodes, launching, updating, child graphs, conditional nodes, memory nodes.
#include <atomic>
#include <cstring>

#include <cu2cpp/launch.h>

#include <omp.h>

#include "runtime_test.h"

namespace {

class Graphs : public RuntimeTest {
protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    RuntimeTest::TearDown();
  }
  cudaGraphNode_t kernel(void* function, void** arguments, std::vector<cudaGraphNode_t> after = {},
                         dim3 grid = 1) {
    return kernelIn(graph, function, arguments, after, grid);
  }
  static cudaGraphNode_t kernelIn(cudaGraph_t where, void* function, void** arguments,
                                  std::vector<cudaGraphNode_t> after = {}, dim3 grid = 1) {
    cudaKernelNodeParams params{};
    params.func = function;
    params.gridDim = grid;
    params.blockDim = dim3(1);
    params.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddKernelNode(&node, where, after.data(), after.size(), &params),
              cudaSuccess);
    return node;
  }
  void run() {
    cudaGraphExec_t exec = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  }
  cudaGraph_t graph = nullptr;
};

void append(int* log, int value) { log[1 + log[0]++] = value; }
void add(int* target, int value) { __atomic_fetch_add(target, value, __ATOMIC_RELAXED); }
void countBlocks(int* target) { __atomic_fetch_add(target, 1, __ATOMIC_RELAXED); }
void countDown(int* counter, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, --*counter > 0);
}
void setValue(cudaGraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}
template <class F> void* at(F* kernel) {
  return reinterpret_cast<void*>(cu2cpp::kernelAddress(kernel));
}

TEST_F(Graphs, NodesRunInTheOrderOfTheirEdges) {
  static int log[8];
  std::memset(log, 0, sizeof log);
  int* target = log;
  cudaGraphNode_t before = nullptr;
  for (int i = 0; i < 5; ++i) {
    void* arguments[] = {&target, &i};
    before = kernel(at(append), arguments,
                    i ? std::vector<cudaGraphNode_t>{before} : std::vector<cudaGraphNode_t>{});
  }
  run();
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(log[i + 1], i);
}

TEST_F(Graphs, ALaunchUsesTheParametersOfItsTime) {
  static int sum;
  sum = 0;
  int* target = &sum;
  int value = 1;
  void* arguments[] = {&target, &value};
  const cudaGraphNode_t node = kernel(at(add), arguments);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  Stream stream;
  Gate gate;
  gate.close(stream);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  cudaKernelNodeParams params{};
  ASSERT_EQ(cudaGraphKernelNodeGetParams(node, &params), cudaSuccess);
  EXPECT_EQ(*static_cast<int*>(params.kernelParams[1]), 1);
  value = 10;
  params.kernelParams = arguments;
  ASSERT_EQ(cudaGraphExecKernelNodeSetParams(exec, node, &params), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  gate.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(sum, 11);
  ASSERT_EQ(cudaGraphNodeSetEnabled(exec, node, 0), cudaSuccess);
  unsigned enabled = 1;
  ASSERT_EQ(cudaGraphNodeGetEnabled(exec, node, &enabled), cudaSuccess);
  EXPECT_EQ(enabled, 0u);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(sum, 11);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

TEST_F(Graphs, CopiesFillsAndHostFunctionsAreNodes) {
  static int host[4], out[4];
  static std::atomic<int> calls;
  calls = 0;
  DeviceArray<int> device(4);
  for (int i = 0; i < 4; ++i)
    host[i] = i + 1;
  cudaGraphNode_t copyIn, fill, copyOut, call;
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copyIn, graph, nullptr, 0, device, host, sizeof host,
                                     cudaMemcpyHostToDevice),
            cudaSuccess);
  cudaMemsetParams set{device + 1, 0, 0x01020304, 4, 2, 1};
  ASSERT_EQ(cudaGraphAddMemsetNode(&fill, graph, &copyIn, 1, &set), cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copyOut, graph, &fill, 1, out, device, sizeof out,
                                     cudaMemcpyDeviceToHost),
            cudaSuccess);
  cudaHostNodeParams params{[](void* sum) {
                              *static_cast<std::atomic<int>*>(sum) += out[0] + out[3];
                              EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorNotPermitted);
                            },
                            &calls};
  ASSERT_EQ(cudaGraphAddHostNode(&call, graph, &copyOut, 1, &params), cudaSuccess);
  run();
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[1], 0x01020304);
  EXPECT_EQ(out[2], 0x01020304);
  EXPECT_EQ(calls, 5);
}

TEST_F(Graphs, IndependentNodesShareTheMachine) {
  // Each waits for the other, so both must run at the same time.
  static int flags[2];
  flags[0] = flags[1] = 0;
  if (omp_get_max_threads() < 2)
    GTEST_SKIP() << "one thread does one node at a time";
  const auto meet = +[](int* all, int mine) {
    __atomic_store_n(&all[mine], 1, __ATOMIC_RELEASE);
    for (long i = 0; i < 2'000'000'000 && !__atomic_load_n(&all[1 - mine], __ATOMIC_ACQUIRE); ++i) {
    }
  };
  int* target = flags;
  for (int i = 0; i < 2; ++i) {
    void* arguments[] = {&target, &i};
    kernel(at(meet), arguments);
  }
  run();
}

TEST_F(Graphs, ManyBlocksOfManyNodesAllRun) {
  static int total;
  total = 0;
  int* target = &total;
  void* arguments[] = {&target};
  std::vector<cudaGraphNode_t> level = {kernel(at(countBlocks), arguments, {}, 7)};
  for (int depth = 0; depth < 10; ++depth) {
    std::vector<cudaGraphNode_t> next;
    for (int i = 0; i < 5; ++i)
      next.push_back(kernel(at(countBlocks), arguments, level, 100));
    level = next;
  }
  run();
  EXPECT_EQ(total, 7 + 10 * 5 * 100);
}

TEST_F(Graphs, CyclesAndStrangeNodesAreRefused) {
  int* target = nullptr;
  void* arguments[] = {&target};
  const cudaGraphNode_t a = kernel(at(countBlocks), arguments),
                        b = kernel(at(countBlocks), arguments, {a});
  EXPECT_CUDA_ERROR(cudaGraphAddDependencies(graph, &a, &a, 1), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaGraphAddDependencies(graph, &a, &b, 1), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGraphAddDependencies(graph, &b, &a, 1), cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  EXPECT_CUDA_ERROR(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
  cudaGraphInstantiateParams params{};
  EXPECT_CUDA_ERROR(cudaGraphInstantiateWithParams(&exec, graph, &params), cudaErrorInvalidValue);
  EXPECT_EQ(params.result_out, cudaGraphInstantiateInvalidStructure);
  int local = 0;
  EXPECT_CUDA_ERROR(
      cudaGraphDestroyNode(reinterpret_cast<cudaGraphNode_t>(static_cast<void*>(&local))),
      cudaErrorInvalidValue);
  cudaGraphNodeType type;
  ASSERT_EQ(cudaGraphNodeGetType(a, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeKernel);
}

TEST_F(Graphs, ClonesAreIndependent) {
  int* target = nullptr;
  void* arguments[] = {&target};
  const cudaGraphNode_t a = kernel(at(countBlocks), arguments);
  kernel(at(countBlocks), arguments, {a});
  cudaGraph_t clone = nullptr;
  ASSERT_EQ(cudaGraphClone(&clone, graph), cudaSuccess);
  cudaGraphNode_t twin = nullptr;
  ASSERT_EQ(cudaGraphNodeFindInClone(&twin, a, clone), cudaSuccess);
  EXPECT_NE(twin, a);
  ASSERT_EQ(cudaGraphDestroyNode(twin), cudaSuccess);
  std::size_t count = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 2u);
  ASSERT_EQ(cudaGraphGetNodes(clone, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  std::size_t edges = 0;
  ASSERT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, &edges), cudaSuccess);
  EXPECT_EQ(edges, 1u);
  EXPECT_EQ(cudaGraphDestroy(clone), cudaSuccess);
}

TEST_F(Graphs, ChildGraphsRunInTheirNodesPlace) {
  static int log[16];
  std::memset(log, 0, sizeof log);
  int* target = log;
  cudaGraph_t child = nullptr;
  ASSERT_EQ(cudaGraphCreate(&child, 0), cudaSuccess);
  int value = 2;
  void* arguments[] = {&target, &value};
  const cudaGraphNode_t inner = kernelIn(child, at(append), arguments);
  value = 3;
  kernelIn(child, at(append), arguments, {inner});
  value = 1;
  const cudaGraphNode_t first = kernel(at(append), arguments);
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddChildGraphNode(&node, graph, &first, 1, child), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(child), cudaSuccess); // the node has its own copy
  value = 4;
  kernel(at(append), arguments, {node});
  run();
  EXPECT_EQ(log[0], 4);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(log[i + 1], i + 1);
}

TEST_F(Graphs, LoopsBranchesAndSwitches) {
  static int counter, sum;
  counter = 5;
  sum = 0;
  int *down = &counter, *target = &sum;
  cudaGraphConditionalHandle loop = 0, choice = 0;
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault),
            cudaSuccess);
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&choice, graph, 0, 0), cudaSuccess);
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = loop;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t whileNode = nullptr;
  ASSERT_EQ(cudaGraphAddNode(&whileNode, graph, nullptr, 0, &params), cudaSuccess);
  const cudaGraph_t body = params.conditional.phGraph_out[0];
  int one = 1;
  void* addOne[] = {&target, &one};
  void* countArguments[] = {&down, &loop};
  kernelIn(body, at(countDown), countArguments, {kernelIn(body, at(add), addOne)});
  unsigned wanted = 2;
  void* chooseArguments[] = {&choice, &wanted};
  const cudaGraphNode_t choose = kernel(at(setValue), chooseArguments, {whileNode});
  cudaGraphNodeParams cases{};
  cases.type = cudaGraphNodeTypeConditional;
  cases.conditional.handle = choice;
  cases.conditional.type = cudaGraphCondTypeSwitch;
  cases.conditional.size = 3;
  cudaGraphNode_t switchNode = nullptr;
  ASSERT_EQ(cudaGraphAddNode(&switchNode, graph, &choose, 1, &cases), cudaSuccess);
  cudaGraphNodeParams again = cases;
  cudaGraphNode_t second = nullptr;
  EXPECT_CUDA_ERROR(cudaGraphAddNode(&second, graph, &choose, 1, &again), cudaErrorInvalidValue);
  for (int i = 0; i < 3; ++i) {
    int value = 100 * (i + 1);
    void* arguments[] = {&target, &value};
    kernelIn(cases.conditional.phGraph_out[i], at(add), arguments);
  }
  run();
  EXPECT_EQ(sum, 5 + 300);
  EXPECT_EQ(counter, 0);
}

TEST_F(Graphs, UpdatesTakeOverParametersOfTheSameShape) {
  static int sum;
  sum = 0;
  int* target = &sum;
  int value = 1;
  void* arguments[] = {&target, &value};
  const cudaGraphNode_t a = kernel(at(add), arguments);
  kernel(at(add), arguments, {a});
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  cudaGraph_t other = nullptr;
  ASSERT_EQ(cudaGraphCreate(&other, 0), cudaSuccess);
  value = 100;
  const cudaGraphNode_t b = kernelIn(other, at(add), arguments);
  cudaGraphExecUpdateResultInfo info{};
  EXPECT_CUDA_ERROR(cudaGraphExecUpdate(exec, other, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  kernelIn(other, at(add), arguments, {b});
  ASSERT_EQ(cudaGraphExecUpdate(exec, other, &info), cudaSuccess);
  EXPECT_EQ(info.result, cudaGraphExecUpdateSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(sum, 200);
  EXPECT_EQ(cudaGraphDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

TEST_F(Graphs, AllocationNodesGiveAddressesBeforeTheLaunch) {
  static int result;
  result = 0;
  cudaMemAllocNodeParams alloc{};
  alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  alloc.poolProps.location = {cudaMemLocationTypeDevice, 0};
  alloc.bytesize = 1000;
  cudaGraphNode_t take = nullptr, copy = nullptr, give = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &alloc), cudaSuccess);
  ASSERT_NE(alloc.dptr, nullptr);
  cudaMemsetParams set{alloc.dptr, 0, 7, 4, 10, 1};
  cudaGraphNode_t fill = nullptr;
  ASSERT_EQ(cudaGraphAddMemsetNode(&fill, graph, &take, 1, &set), cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, &result, alloc.dptr, 4,
                                     cudaMemcpyDeviceToHost),
            cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(result, 7);
  unsigned long long used = 0;
  ASSERT_EQ(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used), cudaSuccess);
  EXPECT_GE(used, 1000u);
  // Still allocated: a second launch has to wait for somebody to free it.
  EXPECT_CUDA_ERROR(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(alloc.dptr), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(alloc.dptr, nullptr), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemFreeNode(&give, graph, &copy, 1, alloc.dptr), cudaSuccess);
  run();
  run();
  ASSERT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &used),
            cudaSuccess);
  EXPECT_EQ(used, 0u);
}

TEST_F(Graphs, UserObjectsLiveAsLongAsTheirGraphs) {
  static int destroyed;
  destroyed = 0;
  cudaUserObject_t object = nullptr;
  ASSERT_EQ(cudaUserObjectCreate(
                &object, &destroyed, [](void* p) { ++*static_cast<int*>(p); }, 1,
                cudaUserObjectNoDestructorSync),
            cudaSuccess);
  ASSERT_EQ(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove), cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphReleaseUserObject(graph, object, 1), cudaSuccess);
  EXPECT_EQ(destroyed, 0);
  ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(destroyed, 1);
}

TEST_F(Graphs, RecordedEventsAreRecordedFromTheLaunchOn) {
  static int sum;
  sum = 0;
  int* target = &sum;
  int value = 1;
  void* arguments[] = {&target, &value};
  Event event;
  const cudaGraphNode_t a = kernel(at(add), arguments);
  cudaGraphNode_t record = nullptr;
  ASSERT_EQ(cudaGraphAddEventRecordNode(&record, graph, &a, 1, event), cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Gate gate;
  gate.close(stream);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  ASSERT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(other), cudaErrorNotReady);
  gate.open();
  ASSERT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(sum, 1);
  ASSERT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

TEST_F(Graphs, ParametersMayChangeWhileLaunchesEnd) {
  static int sum;
  sum = 0;
  int* target = &sum;
  int value = 0, wanted = 0;
  void* arguments[] = {&target, &value};
  const cudaGraphNode_t node = kernel(at(add), arguments);
  cudaKernelNodeParams params{};
  ASSERT_EQ(cudaGraphKernelNodeGetParams(node, &params), cudaSuccess);
  params.kernelParams = arguments;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  Stream stream;
  for (; value < 500; wanted += value++) {
    ASSERT_EQ(cudaGraphExecKernelNodeSetParams(exec, node, &params), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  }
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(sum, wanted);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

TEST_F(Graphs, AnExecutableGraphMayGoWhileItRuns) {
  static int sum;
  sum = 0;
  int* target = &sum;
  int value = 1;
  void* arguments[] = {&target, &value};
  kernel(at(add), arguments);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  Stream stream;
  Gate gate;
  gate.close(stream);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  gate.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(sum, 1);
}

} // namespace
