// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that wait for all others of their grid, far more of them than threads: launched by the
// host and by a kernel, in a stream and in a graph.
#include <cu2cpp/device/turn.h>
#include <omp.h>
#include <sched.h>

#include "runtime_test.h"

namespace {

using WaitingBlocks = RuntimeTest;

constexpr unsigned blocks = 100;

// A barrier over the grid, as programs write it themselves: arrived[0] counts, arrived[1] says how
// many blocks have seen all.
void meet(int* arrived) {
  cu2cpp::blocksMayWait();
  __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < int(blocks))
    sched_yield();
  __atomic_fetch_add(arrived + 1, 1, __ATOMIC_RELAXED);
}
void launchMeet(int* arrived) { cu2cpp::launch(meet, blocks, 1)(arrived); }
void look(const int* arrived, int* seen) { *seen = arrived[1]; }

void addKernel(cudaGraph_t graph, cudaGraphNode_t* node, const cudaGraphNode_t* after,
               void* function, unsigned grid, void** arguments) {
  cudaKernelNodeParams params{};
  params.func = function;
  params.gridDim = dim3(grid);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  ASSERT_EQ(cudaGraphAddKernelNode(node, graph, after, after ? 1 : 0, &params), cudaSuccess);
}

template <class F> void* at(F* kernel) {
  return reinterpret_cast<void*>(cu2cpp::kernelAddress(kernel));
}

// Runs the kernel in a graph, twice, with one behind it that looks whether all blocks have ended.
void runInGraph(void* kernel, unsigned grid) {
  DeviceArray<int> arrived(2), seen(1);
  int *first = arrived, *second = seen;
  void *arguments[] = {&first}, *both[] = {&first, &second};
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t meeting = nullptr, behind = nullptr, clear = nullptr;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  cudaMemsetParams zero{};
  zero.dst = arrived;
  zero.elementSize = 4;
  zero.width = 2;
  zero.height = 1;
  ASSERT_EQ(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &zero), cudaSuccess);
  addKernel(graph, &meeting, &clear, kernel, grid, arguments);
  addKernel(graph, &behind, &meeting, at(look), 1, both);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(seen.toHost()[0], int(blocks));
    ASSERT_EQ(cudaMemset(seen, 0, sizeof(int)), cudaSuccess);
  }
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(WaitingBlocks, InAStream) {
  DeviceArray<int> arrived(2), seen(1);
  cu2cpp::launch(meet, blocks, 1)(arrived);
  cu2cpp::launch(look, 1, 1)(arrived, seen);
  EXPECT_EQ(seen.toHost()[0], int(blocks));
}

TEST_F(WaitingBlocks, OfAChildInAStream) {
  DeviceArray<int> arrived(2), seen(1);
  cu2cpp::launch(launchMeet, 1, 1)(arrived);
  cu2cpp::launch(look, 1, 1)(arrived, seen);
  EXPECT_EQ(seen.toHost()[0], int(blocks));
}

void meetOfAnySize(int* arrived) {
  cu2cpp::blocksMayWait();
  __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < int(cu2cpp::thisBlock().gridDim.x))
    sched_yield();
  __atomic_fetch_add(arrived + 1, 1, __ATOMIC_RELAXED);
}

// One block, which waits for nobody, says nothing about many.
TEST_F(WaitingBlocks, AlsoAfterALaunchOfOneBlock) {
  DeviceArray<int> arrived(2), seen(1);
  cu2cpp::launch(meetOfAnySize, 1, 1)(arrived);
  ASSERT_EQ(cudaMemset(arrived, 0, 2 * sizeof(int)), cudaSuccess);
  cu2cpp::launch(meetOfAnySize, blocks, 1)(arrived);
  cu2cpp::launch(look, 1, 1)(arrived, seen);
  EXPECT_EQ(seen.toHost()[0], int(blocks));
}

void meetAnother(int* arrived) {
  cu2cpp::blocksMayWait();
  __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < 2)
    sched_yield();
}

// Nodes that were quick while they had nothing to wait for are not done one after the other then.
TEST_F(WaitingBlocks, InTwoNodesOfAGraph) {
  if (omp_get_max_threads() < 2)
    GTEST_SKIP() << "one thread does one block at a time";
  DeviceArray<int> arrived(1);
  int* counter = arrived;
  void* arguments[] = {&counter};
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  for (int i = 0; i < 2; ++i) {
    cudaGraphNode_t node = nullptr;
    addKernel(graph, &node, nullptr, at(meetAnother), 1, arguments);
  }
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
  for (const int before : {2, 2, 2, 0}) {
    ASSERT_EQ(cudaMemcpy(arrived, &before, sizeof before, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(exec, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(arrived.toHost()[0], before + 2);
  }
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(WaitingBlocks, InAGraph) { runInGraph(at(meet), blocks); }

TEST_F(WaitingBlocks, OfAChildInAGraph) { runInGraph(at(launchMeet), 1); }

} // namespace
