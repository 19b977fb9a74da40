// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the nodes of a graph do, by type: each body keeps CUDA's parameters as the program gave them
// and makes the work of a launch from them.
//
// CUDA C++ Programming Guide, 'Node Types'.
#ifndef CU2CPP_API_GRAPH_NODES_H
#define CU2CPP_API_GRAPH_NODES_H

#include <map>
#include <memory>
#include <vector>

#include "api/call.h"
#include "api/launching.h"
#include "core/copy.h"
#include "core/graph.h"

namespace cu2cpp::rt {

class KernelBody final : public NodeBody {
public:
  KernelBody(const void* kernel, const detail::LaunchShape& shape, const Togetherness& together,
             std::unique_ptr<detail::KernelCall> call, int priority = 0);

  NodeType type() const override { return NodeType::Kernel; }
  std::shared_ptr<Work> makeWork() const override;
  int priority() const override { return priority_; }
  cudaKernelNodeParams params() const;
  const void* kernel() const { return kernel_; }

  /// withAttribute() is the same node with an attribute set; null for one that it can't have.
  std::shared_ptr<const KernelBody> withAttribute(cudaLaunchAttributeID id,
                                                  const cudaLaunchAttributeValue& value) const;
  Status attribute(cudaLaunchAttributeID id, cudaLaunchAttributeValue& value) const;
  /// withAttributesOf() has the other node's attributes.
  std::shared_ptr<const KernelBody> withAttributesOf(const KernelBody& other) const;

private:
  KernelBody(const KernelBody& other);

  const void* kernel_;
  detail::LaunchShape shape_;
  Togetherness together_;
  std::shared_ptr<detail::KernelCall> call_;
  int priority_;
  mutable std::vector<void*> arguments_; // what params() points at
  std::map<int, cudaLaunchAttributeValue> hints_;
};

class CopyBody final : public NodeBody {
public:
  CopyBody(const Box& to, const Box& from, const Extent& extent, const cudaMemcpy3DParms& params)
      : to_(to), from_(from), extent_(extent), params_(params) {}
  NodeType type() const override { return NodeType::Copy; }
  std::shared_ptr<Work> makeWork() const override;
  const cudaMemcpy3DParms& params() const { return params_; }

private:
  Box to_, from_;
  Extent extent_;
  cudaMemcpy3DParms params_;
};

class FillBody final : public NodeBody {
public:
  FillBody(const Box& to, const Extent& extent, const cudaMemsetParams& params)
      : to_(to), extent_(extent), params_(params) {}
  NodeType type() const override { return NodeType::Fill; }
  std::shared_ptr<Work> makeWork() const override;
  const cudaMemsetParams& params() const { return params_; }

private:
  Box to_;
  Extent extent_;
  cudaMemsetParams params_;
};

class HostBody final : public NodeBody {
public:
  explicit HostBody(const cudaHostNodeParams& params) : params_(params) {}
  NodeType type() const override { return NodeType::Host; }
  bool isHost() const override { return true; }
  void host() const override { params_.fn(params_.userData); }
  const cudaHostNodeParams& params() const { return params_; }

private:
  cudaHostNodeParams params_;
};

class NothingBody final : public NodeBody {
public:
  NodeType type() const override { return NodeType::Empty; }
};

/// EventBody records an event or waits for it.
class EventBody final : public NodeBody {
public:
  EventBody(bool records, cudaEvent_t handle, std::shared_ptr<Event> object)
      : records_(records), handle_(handle), event_(std::move(object)) {}
  NodeType type() const override { return records_ ? NodeType::RecordEvent : NodeType::WaitEvent; }
  std::shared_ptr<Event> event() const override { return event_; }
  cudaEvent_t handle() const { return handle_; }

private:
  bool records_;
  cudaEvent_t handle_;
  std::shared_ptr<Event> event_;
};

/// GraphBlock is the memory of an allocation node: its address is fixed when the node is made, its
/// pages come at first touch.
struct GraphBlock {
  void* address = nullptr;
  std::size_t bytes = 0; // whole pages
  int device = 0;
  std::atomic<bool> live{false};     // allocated by a launch and not freed yet
  std::atomic<bool> reserved{false}; // has pages: live, or not given back since
  GraphBlock() = default;
  GraphBlock(const GraphBlock&) = delete;
  ~GraphBlock();
};

class AllocateBody final : public NodeBody {
public:
  AllocateBody(std::shared_ptr<GraphBlock> block, const cudaMemAllocNodeParams& params)
      : block_(std::move(block)), params_(params) {}
  NodeType type() const override { return NodeType::Allocate; }
  bool mayBecome(const NodeBody& other) const override;
  const std::shared_ptr<GraphBlock>& block() const { return block_; }
  const cudaMemAllocNodeParams& params() const { return params_; }

private:
  std::shared_ptr<GraphBlock> block_;
  cudaMemAllocNodeParams params_;
};

class FreeBody final : public NodeBody {
public:
  explicit FreeBody(std::shared_ptr<GraphBlock> block) : block_(std::move(block)) {}
  NodeType type() const override { return NodeType::Free; }
  const std::shared_ptr<GraphBlock>& block() const { return block_; }

private:
  std::shared_ptr<GraphBlock> block_;
};

/// The bodies for CUDA's parameters, checked as the copies and launches of streams are.
Status makeBody(const cudaKernelNodeParams& params, std::shared_ptr<const NodeBody>& out);
Status makeBody(const cudaMemcpy3DParms& params, std::shared_ptr<const NodeBody>& out);
Status makeBody(const cudaMemsetParams& params, std::shared_ptr<const NodeBody>& out);
Status makeBody(const cudaHostNodeParams& params, std::shared_ptr<const NodeBody>& out);
Status makeEventBody(bool records, cudaEvent_t event, std::shared_ptr<const NodeBody>& out);
Status makeSemaphoreBody(bool signals, const cudaExternalSemaphore_t* semaphores,
                         const cudaExternalSemaphoreSignalParams* signalParams,
                         const cudaExternalSemaphoreWaitParams* waitParams, unsigned count,
                         std::shared_ptr<const NodeBody>& out);
/// makeAllocateBody() reserves the memory and fills in params.dptr.
Status makeAllocateBody(cudaMemAllocNodeParams& params, std::shared_ptr<const NodeBody>& out);
Status makeFreeBody(void* pointer, std::shared_ptr<const NodeBody>& out);

/// freeGraphBlock() frees memory of an allocation node by cudaFree() or cudaFreeAsync(); false if
/// the address is none.
bool freeGraphBlock(void* pointer, Status& status);

/// accountLaunch() notes what a launch allocates and frees; InvalidValue when that can't be.
Status accountLaunch(const std::vector<std::shared_ptr<GraphBlock>>& allocated,
                     const std::vector<std::shared_ptr<GraphBlock>>& freed, bool autoFree);

} // namespace cu2cpp::rt

#endif
