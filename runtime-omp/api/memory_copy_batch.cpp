// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many copies by one call. Those of a batch have no order among themselves; a stream's order is one
// of those allowed.
//
// CUDA Runtime API, 'cudaMemcpyBatchAsync', 'cudaMemcpy3DBatchAsync'.
#include <driver_functions.h>

#include "api/array.h"
#include "api/copying.h"

using namespace cu2cpp::rt;

namespace {

bool isOrder(cudaMemcpySrcAccessOrder order) {
  return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

Box boxAt(const void* p) { return {static_cast<char*>(const_cast<void*>(p)), 0, 0}; }

// A pointer operand counts in elements of the array on the other side, in bytes without one.
Status side(const cudaMemcpy3DOperand& operand, const cudaExtent& extent, std::size_t texel,
            cudaArray_t& array, cudaPos& pos, cudaPitchedPtr& pointer) {
  if (operand.type == cudaMemcpyOperandTypeArray) {
    array = operand.op.array.array;
    pos = make_cudaPos(operand.op.array.offset.x, operand.op.array.offset.y,
                       operand.op.array.offset.z);
    return isArray(array) ? Status::Ok : Status::InvalidValue;
  }
  if (operand.type != cudaMemcpyOperandTypePointer || !operand.op.ptr.ptr)
    return Status::InvalidValue;
  const std::size_t row = operand.op.ptr.rowLength ? operand.op.ptr.rowLength : extent.width;
  const std::size_t rows = operand.op.ptr.layerHeight ? operand.op.ptr.layerHeight : extent.height;
  pointer = make_cudaPitchedPtr(operand.op.ptr.ptr, row * texel, extent.width * texel, rows);
  return Status::Ok;
}

std::size_t texelOf(const cudaMemcpy3DOperand& operand) {
  const bool known = operand.type == cudaMemcpyOperandTypeArray && isArray(operand.op.array.array);
  return known ? operand.op.array.array->texelBytes : 1;
}

} // namespace

extern "C" cudaError_t cudaMemcpyBatchAsync(void* const* dsts, const void* const* srcs,
                                            const size_t* sizes, size_t count,
                                            cudaMemcpyAttributes* attrs, size_t* attrsIdxs,
                                            size_t numAttrs, cudaStream_t stream) {
  return deviceCall([=] {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    if (!queue || queue == queue->device.legacyStream())
      return Status::InvalidValue; // not for the legacy stream
    if (!dsts || !srcs || !sizes || count == 0 || !attrs || !attrsIdxs || numAttrs == 0 ||
        numAttrs > count || attrsIdxs[0] != 0)
      return Status::InvalidValue;
    for (std::size_t i = 0; i < numAttrs; ++i)
      if (!isOrder(attrs[i].srcAccessOrder) || (i > 0 && attrsIdxs[i] <= attrsIdxs[i - 1]))
        return Status::InvalidValue;
    for (std::size_t i = 0; i < count; ++i)
      if (const Status status = copyBox(queue, boxAt(dsts[i]), boxAt(srcs[i]), {sizes[i], 1, 1},
                                        cudaMemcpyDefault, Mode::Async);
          status != Status::Ok)
        return status;
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, cudaMemcpy3DBatchOp* opList,
                                              unsigned long long flags, cudaStream_t stream) {
  return deviceCall([=] {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    if (!queue || queue == queue->device.legacyStream() || !opList || numOps == 0 || flags != 0)
      return Status::InvalidValue;
    for (std::size_t i = 0; i < numOps; ++i) {
      const cudaMemcpy3DBatchOp& op = opList[i];
      const std::size_t texel = std::max(texelOf(op.src), texelOf(op.dst));
      cudaMemcpy3DParms p{};
      p.extent = op.extent;
      p.kind = cudaMemcpyDefault;
      if (!isOrder(op.srcAccessOrder) ||
          side(op.src, op.extent, texel, p.srcArray, p.srcPos, p.srcPtr) != Status::Ok ||
          side(op.dst, op.extent, texel, p.dstArray, p.dstPos, p.dstPtr) != Status::Ok)
        return Status::InvalidValue;
      Box to, from;
      Extent extent;
      if (const Status status = boxesOf(p, to, from, extent); status != Status::Ok)
        return status;
      if (const Status status = copyBox(queue, to, from, extent, p.kind, Mode::Async);
          status != Status::Ok)
        return status;
    }
    return Status::Ok;
  });
}
