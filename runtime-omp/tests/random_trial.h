// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random order of work over streams, events, graphs (made of nodes and captured, launched several
// times), host functions, copies and kernels of kernels.
#ifndef CU2CPP_TESTS_RANDOM_TRIAL_H
#define CU2CPP_TESTS_RANDOM_TRIAL_H

#include <algorithm>
#include <deque>
#include <random>
#include <thread>

#include "random_piece.h"

/// Trial is one random order. Several may run at once, `alone` in the process or not.
class Trial {
public:
  Trial(unsigned seed, bool alone) : random_(seed), alone_(alone) {
    EXPECT_EQ(cudaMallocHost(&flags_, flagCount * sizeof(int)), cudaSuccess);
    std::fill_n(flags_, flagCount, 0);
  }
  ~Trial() { EXPECT_EQ(cudaFreeHost(flags_), cudaSuccess); }

  void run() {
    const int streamCount = 1 + pick(5);
    for (int i = 0; i < streamCount; ++i)
      lanes_.push_back(makeLane());
    const int steps = 5 + pick(25);
    for (int i = 0; i < steps; ++i)
      step();
    if (alone_) {
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    for (Lane& lane : lanes_) {
      EXPECT_EQ(cudaStreamSynchronize(lane.handle), cudaSuccess);
      if (lane.handle) {
        EXPECT_EQ(cudaStreamDestroy(lane.handle), cudaSuccess);
      }
    }
    for (const Run& run : runs_)
      EXPECT_TRUE(run.ended());
    for (Mark& mark : marks_)
      EXPECT_EQ(cudaEventDestroy(mark.event), cudaSuccess);
    for (Launchable& graph : graphs_)
      EXPECT_EQ(cudaGraphExecDestroy(graph.exec), cudaSuccess);
  }

private:
  using Runs = std::vector<Run*>;
  struct Lane {
    cudaStream_t handle = nullptr;
    bool blocking = true;
    Runs tail; // what the next piece follows
  };
  struct Mark {
    cudaEvent_t event = nullptr;
    Runs after;
  };
  /// Launchable is a graph: its pieces and, for each, the numbers of those before it.
  struct Launchable {
    cudaGraphExec_t exec = nullptr;
    std::vector<Piece*> pieces;
    std::vector<std::vector<int>> before;
    int launches = 0, most = 1;
    Runs last; // of the latest launch
    // An event that the graph records behind these pieces.
    int mark = -1;
    std::vector<int> marked;
  };
  enum class Kind { Kernel, Blocks, Host, Child, Copy, Fill };

  int pick(int count) { return int(random_() % unsigned(count)); }
  template <class T> T& any(std::vector<T>& from) {
    return from[std::size_t(pick(int(from.size())))];
  }
  static void add(Runs& to, const Runs& more) { to.insert(to.end(), more.begin(), more.end()); }

  Lane makeLane() {
    Lane lane;
    if (pick(6) != 0) { // else the legacy stream
      lane.blocking = pick(2) == 0;
      EXPECT_EQ(
          cudaStreamCreateWithPriority(
              &lane.handle, lane.blocking ? cudaStreamDefault : cudaStreamNonBlocking, -pick(3)),
          cudaSuccess);
    }
    return lane;
  }

  Run* addRun(Runs before, int whole = 1) {
    runs_.emplace_back();
    Run& run = runs_.back();
    EXPECT_LE(runs_.size(), flagCount);
    run.done = flags_ + runs_.size() - 1;
    run.whole = whole;
    run.before = std::move(before);
    return &run;
  }
  Piece* addPiece(Run* run) {
    pieces_.emplace_back();
    pieces_.back().runs[0] = run;
    return &pieces_.back();
  }

  // The rules of the legacy default stream: it follows all blocking streams, and they follow it.
  Runs followed(const Lane& lane) const {
    Runs result = lane.tail;
    for (const Lane& other : lanes_) {
      const bool ordered =
          &other != &lane && lane.blocking && other.blocking && (!lane.handle || !other.handle);
      if (ordered)
        add(result, other.tail);
    }
    return result;
  }

  void step() {
    Lane& lane = any(lanes_);
    switch (pick(12)) {
    case 0:
      record(lane);
      break;
    case 1:
      if (!marks_.empty()) {
        const Mark& mark = any(marks_);
        EXPECT_EQ(cudaStreamWaitEvent(lane.handle, mark.event, 0), cudaSuccess);
        add(lane.tail, mark.after);
      }
      break;
    case 2:
      graphs_.push_back(makeGraph());
      launch(graphs_.back(), lane);
      break;
    case 3:
      // Streams that follow the default stream can't be captured while other threads use it.
      if (lane.handle && (alone_ || !lane.blocking)) {
        graphs_.push_back(captureGraph(lane));
        launch(graphs_.back(), lane);
      }
      break;
    case 4:
      if (!graphs_.empty())
        if (Launchable& graph = any(graphs_); graph.launches < graph.most)
          launch(graph, lane);
      break;
    case 5:
      if (pick(4) == 0)
        wait(lane);
      break;
    case 6:
      if (alone_ && lane.handle && pick(4) == 0) { // its work goes on
        EXPECT_EQ(cudaStreamDestroy(lane.handle), cudaSuccess);
        lane = makeLane();
      }
      break;
    default:
      append(lane);
    }
  }

  void append(Lane& lane) { lane.tail = {appendTo(lane.handle, followed(lane), Kind(pick(6)))}; }

  // Puts a piece into the stream, which may be capturing: then its run is that of the first launch.
  Run* appendTo(cudaStream_t stream, const Runs& before, Kind kind, Piece** made = nullptr) {
    if (kind == Kind::Copy && before.empty())
      kind = Kind::Fill;
    Run* const run = addRun(before);
    Piece* const piece = addPiece(run);
    if (made)
      *made = piece;
    switch (kind) {
    case Kind::Kernel:
      cu2cpp::launch(finishInKernel, 1, 1, 0, stream)(piece);
      break;
    case Kind::Blocks:
      run->whole = 2 + pick(40);
      cu2cpp::launch(finishInAllBlocks, unsigned(run->whole), 1, 0, stream)(run);
      break;
    case Kind::Host:
      EXPECT_EQ(cudaLaunchHostFunc(stream, finishOnHost, piece), cudaSuccess);
      break;
    case Kind::Child:
      cu2cpp::launch(finishInChild, 1, 1, 0, stream)(piece);
      break;
    case Kind::Copy:
      // Copies what the one before has left: nothing, if it comes too early.
      run->whole = before.front()->whole;
      EXPECT_EQ(
          cudaMemcpyAsync(run->done, before.front()->done, sizeof(int), cudaMemcpyDefault, stream),
          cudaSuccess);
      break;
    case Kind::Fill:
      run->whole = setByBytes;
      EXPECT_EQ(cudaMemsetAsync(run->done, 1, 3, stream), cudaSuccess);
      break;
    }
    return run;
  }

  void record(Lane& lane) {
    if (marks_.empty() || pick(4) != 0) {
      marks_.emplace_back();
      EXPECT_EQ(cudaEventCreateWithFlags(&marks_.back().event, cudaEventDisableTiming),
                cudaSuccess);
    }
    Mark& mark = marks_.back();
    EXPECT_EQ(cudaEventRecord(mark.event, lane.handle), cudaSuccess);
    mark.after = followed(lane);
  }

  void wait(const Lane& lane) {
    Runs ended;
    if (!marks_.empty() && pick(2) == 0) {
      const Mark& mark = any(marks_);
      EXPECT_EQ(cudaEventSynchronize(mark.event), cudaSuccess);
      ended = mark.after;
    } else if (pick(2) == 0) {
      while (cudaStreamQuery(lane.handle) == cudaErrorNotReady)
        std::this_thread::yield();
      ended = lane.tail;
    } else {
      EXPECT_EQ(cudaStreamSynchronize(lane.handle), cudaSuccess);
      ended = lane.handle ? lane.tail : followed(lane);
    }
    for (const Run* run : ended)
      if (!run->ended())
        ++violations;
  }

  // All of a graph follows what the stream held before, and the launch of it before this one.
  void launch(Launchable& graph, Lane& lane) {
    Runs before = followed(lane);
    add(before, graph.last);
    const auto number = std::size_t(graph.launches++);
    graph.last.clear();
    for (std::size_t i = 0; i < graph.pieces.size(); ++i) {
      Run*& run = graph.pieces[i]->runs[number];
      if (number > 0)
        run = addRun({});
      run->before = before;
      for (const int other : graph.before[i])
        run->before.push_back(graph.last[std::size_t(other)]);
      graph.last.push_back(run);
    }
    EXPECT_EQ(cudaGraphLaunch(graph.exec, lane.handle), cudaSuccess);
    lane.tail = graph.last.empty() ? before : graph.last;
    if (graph.mark >= 0) {
      Runs& after = marks_[std::size_t(graph.mark)].after;
      after = before;
      for (const int piece : graph.marked)
        after.push_back(graph.last[std::size_t(piece)]);
    }
  }

  // What is written for one launch only can't be launched twice.
  Kind pickKind(const Launchable& graph) { return Kind(graph.most == 1 ? pick(6) : 2 * pick(2)); }

  Launchable instantiate(Launchable made, cudaGraph_t graph) {
    EXPECT_EQ(cudaGraphInstantiate(&made.exec, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    return made;
  }

  // A random graph of nodes, each of which is a captured piece in a child graph or a node itself.
  Launchable makeGraph() {
    Launchable result;
    result.most = 1 + pick(mostLaunches);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    std::vector<cudaGraphNode_t> nodes;
    const int count = 1 + pick(8);
    for (int i = 0; i < count; ++i) {
      std::vector<cudaGraphNode_t> dependencies;
      std::vector<int> before;
      for (int k = 0; k < i; ++k)
        if (pick(3) == 0) {
          dependencies.push_back(nodes[std::size_t(k)]);
          before.push_back(k);
        }
      Piece* const piece = addPiece(addRun({}));
      nodes.push_back(addNode(graph, dependencies, piece));
      result.pieces.push_back(piece);
      result.before.push_back(before);
    }
    if (pick(4) == 0) {
      result.mark = int(marks_.size());
      marks_.emplace_back();
      cudaEvent_t& event = marks_.back().event;
      EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
      const int last = pick(count);
      result.marked = {last};
      cudaGraphNode_t node = nullptr;
      EXPECT_EQ(cudaGraphAddEventRecordNode(&node, graph, &nodes[std::size_t(last)], 1, event),
                cudaSuccess);
    }
    return instantiate(std::move(result), graph);
  }

  cudaGraphNode_t addNode(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                          Piece* piece) {
    cudaGraphNode_t node = nullptr;
    switch (pick(6)) {
    case 0: {
      cudaHostNodeParams params{finishOnHost, piece};
      EXPECT_EQ(cudaGraphAddHostNode(&node, graph, after.data(), after.size(), &params),
                cudaSuccess);
      break;
    }
    case 1: {
      cudaGraph_t child = nullptr;
      EXPECT_EQ(cudaGraphCreate(&child, 0), cudaSuccess);
      addNode(child, {}, piece);
      EXPECT_EQ(cudaGraphAddChildGraphNode(&node, graph, after.data(), after.size(), child),
                cudaSuccess);
      EXPECT_EQ(cudaGraphDestroy(child), cudaSuccess);
      break;
    }
    default: {
      void* arguments[] = {&piece};
      cudaKernelNodeParams params{};
      params.func = reinterpret_cast<void*>(
          cu2cpp::kernelAddress(pick(4) == 0 ? finishInChild : finishInKernel));
      params.gridDim = params.blockDim = dim3(1);
      params.kernelParams = arguments;
      EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params),
                cudaSuccess);
    }
    }
    return node;
  }

  // A capture that forks into streams of its own and joins them all.
  Launchable captureGraph(const Lane& lane) {
    struct Branch {
      cudaStream_t stream;
      std::vector<int> tail; // pieces
    };
    Launchable result;
    result.most = 1 + pick(mostLaunches);
    std::vector<Branch> branches{{lane.handle, {}}};
    EXPECT_EQ(cudaStreamBeginCapture(lane.handle, cudaStreamCaptureModeRelaxed), cudaSuccess);
    const auto order = [&](const Branch& first, Branch& second) {
      Event event(cudaEventDisableTiming);
      EXPECT_EQ(cudaEventRecord(event, first.stream), cudaSuccess);
      EXPECT_EQ(cudaStreamWaitEvent(second.stream, event, 0), cudaSuccess);
      second.tail.insert(second.tail.end(), first.tail.begin(), first.tail.end());
    };
    const int steps = 1 + pick(12);
    for (int i = 0; i < steps; ++i) {
      Branch& branch = any(branches);
      const int what = pick(5);
      if (what == 0 && branches.size() < 4) {
        Branch made{nullptr, {}};
        EXPECT_EQ(cudaStreamCreateWithFlags(&made.stream, cudaStreamNonBlocking), cudaSuccess);
        order(branch, made);
        branches.push_back(made);
      } else if (what == 1) {
        Branch& other = any(branches);
        if (&other != &branch)
          order(branch, other);
      } else {
        Runs before;
        for (const int piece : branch.tail)
          before.push_back(result.pieces[std::size_t(piece)]->runs[0]);
        Piece* piece = nullptr;
        appendTo(branch.stream, before, pickKind(result), &piece);
        result.pieces.push_back(piece);
        result.before.push_back(branch.tail);
        branch.tail = {int(result.pieces.size()) - 1};
      }
    }
    for (std::size_t i = 1; i < branches.size(); ++i)
      order(branches[i], branches[0]);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(lane.handle, &graph), cudaSuccess);
    for (std::size_t i = 1; i < branches.size(); ++i)
      EXPECT_EQ(cudaStreamDestroy(branches[i].stream), cudaSuccess);
    return instantiate(std::move(result), graph);
  }

  static constexpr std::size_t flagCount = 4096;
  std::mt19937 random_;
  const bool alone_;
  int* flags_ = nullptr;
  std::deque<Run> runs_;
  std::deque<Piece> pieces_;
  std::vector<Lane> lanes_;
  std::vector<Mark> marks_;
  std::vector<Launchable> graphs_;
};

#endif
