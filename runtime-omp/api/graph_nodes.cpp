// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of kernel, copy, fill, host and event nodes.
#include "api/graph_nodes.h"

#include <driver_functions.h>

#include "api/copying.h"
#include "exec/resident_grid.h"

namespace cu2cpp::rt {

KernelBody::KernelBody(const void* kernel, const detail::LaunchShape& shape,
                       const Togetherness& together, std::unique_ptr<detail::KernelCall> call,
                       int priority)
    : kernel_(kernel), shape_(shape), together_(together), call_(std::move(call)),
      priority_(priority), arguments_(call_->argumentCount()) {
  call_->addresses(arguments_.data());
  call_->announce();
}

KernelBody::KernelBody(const KernelBody& other)
    : kernel_(other.kernel_), shape_(other.shape_), together_(other.together_), call_(other.call_),
      priority_(other.priority_), arguments_(other.arguments_), hints_(other.hints_) {}

std::shared_ptr<Work> KernelBody::makeWork() const {
  return makeGrid(shape_, together_, std::unique_ptr<detail::KernelCall>(call_->clone()));
}

cudaKernelNodeParams KernelBody::params() const {
  cudaKernelNodeParams result{};
  result.func = const_cast<void*>(kernel_);
  result.gridDim = shape_.grid;
  result.blockDim = shape_.block;
  result.sharedMemBytes = unsigned(shape_.sharedBytes);
  result.kernelParams = arguments_.data();
  return result;
}

std::shared_ptr<const KernelBody>
KernelBody::withAttribute(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) const {
  const std::shared_ptr<KernelBody> result(new KernelBody(*this));
  switch (id) {
  case cudaLaunchAttributePriority:
    result->priority_ = value.priority;
    break;
  case cudaLaunchAttributeCooperative:
    result->together_.cooperative = value.cooperative != 0;
    break;
  case cudaLaunchAttributeClusterDimension:
    result->together_.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
    break;
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    result->hints_[id] = value;
    break;
  default:
    return nullptr;
  }
  Togetherness together = result->together_;
  if (checkLaunch(kernel_, shape_, together) != Status::Ok)
    return nullptr;
  return result;
}

Status KernelBody::attribute(cudaLaunchAttributeID id, cudaLaunchAttributeValue& value) const {
  value = {};
  switch (id) {
  case cudaLaunchAttributePriority:
    value.priority = priority_;
    return Status::Ok;
  case cudaLaunchAttributeCooperative:
    value.cooperative = together_.cooperative;
    return Status::Ok;
  case cudaLaunchAttributeClusterDimension:
    value.clusterDim = {together_.cluster.x, together_.cluster.y, together_.cluster.z};
    return Status::Ok;
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    if (const auto found = hints_.find(id); found != hints_.end())
      value = found->second;
    return Status::Ok;
  default:
    return Status::InvalidValue;
  }
}

std::shared_ptr<const KernelBody> KernelBody::withAttributesOf(const KernelBody& other) const {
  const std::shared_ptr<KernelBody> result(new KernelBody(*this));
  result->priority_ = other.priority_;
  result->together_ = other.together_;
  result->hints_ = other.hints_;
  return result;
}

std::shared_ptr<Work> CopyBody::makeWork() const {
  return std::make_shared<CopyWork>(to_, from_, extent_);
}

std::shared_ptr<Work> FillBody::makeWork() const {
  return std::make_shared<FillWork>(to_, params_.value, extent_, params_.elementSize);
}

Status makeBody(const cudaKernelNodeParams& params, std::shared_ptr<const NodeBody>& out) {
  std::unique_ptr<detail::KernelCall> call;
  const detail::LaunchShape shape{params.gridDim, params.blockDim, params.sharedMemBytes, nullptr};
  if (!params.func || !process().functions.find(params.func))
    return Status::InvalidDeviceFunction;
  Togetherness together;
  if (const Status status = checkLaunch(params.func, shape, together); status != Status::Ok)
    return status;
  if (const Status status = readCall(params.func, params.kernelParams, params.extra, call);
      status != Status::Ok)
    return status;
  out = std::make_shared<KernelBody>(params.func, shape, together, std::move(call));
  return Status::Ok;
}

Status makeBody(const cudaMemcpy3DParms& params, std::shared_ptr<const NodeBody>& out) {
  Box to, from;
  Extent extent;
  if (const Status status = boxesOf(params, to, from, extent); status != Status::Ok)
    return status;
  if (extent.empty())
    return Status::InvalidValue;
  if (const Status status = checkCopy(to, from, extent, params.kind); status != Status::Ok)
    return status;
  out = std::make_shared<CopyBody>(to, from, extent, params);
  return Status::Ok;
}

Status makeBody(const cudaMemsetParams& params, std::shared_ptr<const NodeBody>& out) {
  const unsigned size = params.elementSize;
  if ((size != 1 && size != 2 && size != 4) || params.width == 0 || params.height == 0)
    return Status::InvalidValue;
  if (params.height > 1 && params.pitch < params.width * size)
    return Status::InvalidValue;
  const Box to{static_cast<char*>(params.dst), params.pitch, 0};
  const Extent extent{params.width * size, params.height, 1};
  const Place target = placeOf(process().allocations, params.dst);
  if (const Status status = checkBox(target, to, extent); status != Status::Ok)
    return status;
  if (!target.mayBeDevice() || reinterpret_cast<std::uintptr_t>(params.dst) % size != 0)
    return Status::InvalidValue;
  out = std::make_shared<FillBody>(to, extent, params);
  return Status::Ok;
}

Status makeBody(const cudaHostNodeParams& params, std::shared_ptr<const NodeBody>& out) {
  if (!params.fn)
    return Status::InvalidValue;
  out = std::make_shared<HostBody>(params);
  return Status::Ok;
}

Status makeEventBody(bool records, cudaEvent_t event, std::shared_ptr<const NodeBody>& out) {
  std::shared_ptr<Event> object = process().events.find(event);
  if (!object)
    return Status::InvalidHandle;
  out = std::make_shared<EventBody>(records, event, std::move(object));
  return Status::Ok;
}

} // namespace cu2cpp::rt
