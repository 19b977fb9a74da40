// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random work over streams, events, graphs, host functions and copies: each piece checks that all
// that it depends on has ended. The flags are plain variables on purpose: ThreadSanitizer then
// checks the runtime's own synchronisation. CU2CPP_RANDOM_ORDERS sets how many graphs of work are
// tried.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <random>

#include "runtime_test.h"

namespace {

using RandomOrder = RuntimeTest;

struct Piece {
  int done = 0;
  std::vector<Piece*> before;
};

std::atomic<int> violations{0};

void finish(Piece* piece) {
  for (const Piece* other : piece->before)
    if (other->done == 0)
      ++violations;
  piece->done = 1;
}
void finishOnHost(void* piece) { finish(static_cast<Piece*>(piece)); }
void finishInKernel(Piece* piece) { finish(piece); }
// Of several blocks the first one does the work, the others only run.
void finishInFirstBlock(Piece* piece, int* spare) {
  if (cu2cpp::thisBlock().blockIdx.x == 0)
    finish(piece);
  else
    __atomic_fetch_add(spare, 1, __ATOMIC_RELAXED);
}

class Trial {
public:
  explicit Trial(unsigned seed) : random_(seed) {}

  void run() {
    const int streamCount = 1 + pick(5);
    for (int i = 0; i < streamCount; ++i)
      addStream();
    const int steps = 5 + pick(25);
    for (int i = 0; i < steps; ++i)
      step();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (const std::unique_ptr<Piece>& piece : pieces_)
      EXPECT_EQ(piece->done, 1);
    for (Lane& lane : lanes_)
      if (lane.handle) {
        EXPECT_EQ(cudaStreamDestroy(lane.handle), cudaSuccess);
      }
    for (Mark& mark : marks_)
      EXPECT_EQ(cudaEventDestroy(mark.event), cudaSuccess);
    for (cudaGraphExec_t graph : graphs_)
      EXPECT_EQ(cudaGraphExecDestroy(graph), cudaSuccess);
  }

private:
  struct Lane {
    cudaStream_t handle = nullptr;
    bool blocking = true;
    std::vector<Piece*> tail; // what the next piece follows
  };
  struct Mark {
    cudaEvent_t event = nullptr;
    std::vector<Piece*> after;
  };

  int pick(int count) { return int(random_() % unsigned(count)); }

  void addStream() {
    Lane lane;
    if (pick(6) != 0) { // else the legacy stream
      lane.blocking = pick(2) == 0;
      EXPECT_EQ(
          cudaStreamCreateWithPriority(
              &lane.handle, lane.blocking ? cudaStreamDefault : cudaStreamNonBlocking, -pick(3)),
          cudaSuccess);
    }
    lanes_.push_back(lane);
  }

  Piece* addPiece(const std::vector<Piece*>& before) {
    pieces_.push_back(std::make_unique<Piece>());
    pieces_.back()->before = before;
    return pieces_.back().get();
  }

  // The rules of the legacy default stream: it follows all blocking streams, and they follow it.
  std::vector<Piece*> followed(const Lane& lane) const {
    std::vector<Piece*> result = lane.tail;
    for (const Lane& other : lanes_) {
      const bool ordered =
          &other != &lane && lane.blocking && other.blocking && (!lane.handle || !other.handle);
      if (ordered)
        result.insert(result.end(), other.tail.begin(), other.tail.end());
    }
    return result;
  }

  void step() {
    Lane& lane = lanes_[std::size_t(pick(int(lanes_.size())))];
    switch (pick(9)) {
    case 0:
      record(lane);
      break;
    case 1:
      if (!marks_.empty()) {
        const Mark& mark = marks_[std::size_t(pick(int(marks_.size())))];
        EXPECT_EQ(cudaStreamWaitEvent(lane.handle, mark.event, 0), cudaSuccess);
        lane.tail.insert(lane.tail.end(), mark.after.begin(), mark.after.end());
      }
      break;
    case 2: {
      Piece* const piece = append(lane);
      EXPECT_EQ(cudaLaunchHostFunc(lane.handle, finishOnHost, piece), cudaSuccess);
      break;
    }
    case 3:
      launchGraph(lane);
      break;
    case 4: {
      static int spare;
      Piece* const piece = append(lane);
      cu2cpp::launch(finishInFirstBlock, unsigned(2 + pick(20)), 1, 0, lane.handle)(piece, &spare);
      break;
    }
    case 5:
      if (pick(8) == 0) {
        EXPECT_EQ(cudaStreamSynchronize(lane.handle), cudaSuccess);
      }
      break;
    default:
      cu2cpp::launch(finishInKernel, 1, 1, 0, lane.handle)(append(lane));
    }
  }

  Piece* append(Lane& lane) {
    Piece* const piece = addPiece(followed(lane));
    lane.tail = {piece};
    return piece;
  }

  void record(Lane& lane) {
    Mark mark;
    EXPECT_EQ(cudaEventCreateWithFlags(&mark.event, cudaEventDisableTiming), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(mark.event, lane.handle), cudaSuccess);
    mark.after = followed(lane);
    marks_.push_back(mark);
  }

  // A random graph of kernels and host functions; all of it follows what the stream held before.
  void launchGraph(Lane& lane) {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    const std::vector<Piece*> before = followed(lane);
    std::vector<cudaGraphNode_t> nodes;
    std::vector<Piece*> inside;
    const int count = 1 + pick(8);
    for (int i = 0; i < count; ++i) {
      std::vector<cudaGraphNode_t> dependencies;
      Piece* piece = addPiece(before);
      for (int k = 0; k < i; ++k)
        if (pick(3) == 0) {
          dependencies.push_back(nodes[std::size_t(k)]);
          piece->before.push_back(inside[std::size_t(k)]);
        }
      cudaGraphNode_t node = nullptr;
      if (pick(5) == 0) {
        cudaHostNodeParams params{finishOnHost, piece};
        EXPECT_EQ(
            cudaGraphAddHostNode(&node, graph, dependencies.data(), dependencies.size(), &params),
            cudaSuccess);
      } else {
        void* arguments[] = {&piece};
        cudaKernelNodeParams params{};
        params.func = reinterpret_cast<void*>(cu2cpp::kernelAddress(finishInKernel));
        params.gridDim = params.blockDim = dim3(1);
        params.kernelParams = arguments;
        EXPECT_EQ(
            cudaGraphAddKernelNode(&node, graph, dependencies.data(), dependencies.size(), &params),
            cudaSuccess);
      }
      nodes.push_back(node);
      inside.push_back(piece);
    }
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(exec, lane.handle), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    graphs_.push_back(exec);
    lane.tail = inside;
  }

  std::mt19937 random_;
  std::vector<Lane> lanes_;
  std::vector<Mark> marks_;
  std::vector<std::unique_ptr<Piece>> pieces_;
  std::vector<cudaGraphExec_t> graphs_;
};

TEST_F(RandomOrder, EveryDependencyIsKept) {
  const char* const wanted = std::getenv("CU2CPP_RANDOM_ORDERS");
  const int count = wanted ? std::atoi(wanted) : 1000;
  violations = 0;
  for (int i = 0; i < count && violations == 0; ++i) {
    Trial(unsigned(i)).run();
    ASSERT_EQ(violations, 0) << "in the order made from " << i;
  }
}

} // namespace
