// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills.
//
// CUDA Driver API, 'Memory Management'.
#include "api/array.h"
#include "api/copying.h"
#include "driver/copies.h"

using namespace cu2cpp::rt;

namespace {

Box boxAt(const void* p) { return {static_cast<char*>(const_cast<void*>(p)), 0, 0}; }

CUresult copy(void* to, const void* from, std::size_t count, cudaMemcpyKind kind, CUstream stream,
              Mode mode) {
  return contextCall([=]() -> CUresult {
    if (const Status failed = currentDevice().failure(); failed != Status::Ok)
      return resultOf(failed);
    return resultOf(copyBox(streamOf(stream), boxAt(to), boxAt(from), {count, 1, 1}, kind, mode));
  });
}

CUresult fill(CUdeviceptr to, std::size_t pitch, unsigned value, unsigned elementBytes,
              std::size_t width, std::size_t height, CUstream stream, Mode mode) {
  return contextCall([=]() -> CUresult {
    if (const Status failed = currentDevice().failure(); failed != Status::Ok)
      return resultOf(failed);
    if (to % elementBytes != 0 || (height > 1 && pitch < width * elementBytes))
      return CUDA_ERROR_INVALID_VALUE;
    const Box box{static_cast<char*>(at(to)), pitch, 0};
    return resultOf(fillBox(streamOf(stream), box, int(value), {width * elementBytes, height, 1},
                            mode, elementBytes));
  });
}

// One side of a copy by description: host or device memory with a pitch, or an array.
struct Side {
  std::size_t xInBytes, y, z;
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  std::size_t pitch, height;
};

bool describe(const Side& side, std::size_t rowBytes, std::size_t rows, cudaArray_t& array,
              cudaPos& pos, cudaPitchedPtr& pointer) {
  if (side.type == CU_MEMORYTYPE_ARRAY) {
    if (!isArray(side.array) || side.xInBytes % side.array->texelBytes != 0)
      return false;
    array = side.array;
    pos = {side.xInBytes / side.array->texelBytes, side.y, side.z};
    return true;
  }
  const void* const start = side.type == CU_MEMORYTYPE_HOST ? side.host : at(side.device);
  pointer = {const_cast<void*>(start), side.pitch ? side.pitch : side.xInBytes + rowBytes, rowBytes,
             side.height ? side.height : side.y + rows};
  pos = {side.xInBytes, side.y, side.z};
  return start != nullptr;
}

bool parametersOf(const Side& from, const Side& to, std::size_t rowBytes, std::size_t rows,
                  std::size_t slices, cudaMemcpy3DParms& p) {
  p = {};
  p.kind = cudaMemcpyDefault;
  p.extent = {rowBytes, rows, slices};
  if (!describe(from, rowBytes, rows, p.srcArray, p.srcPos, p.srcPtr) ||
      !describe(to, rowBytes, rows, p.dstArray, p.dstPos, p.dstPtr))
    return false;
  if (const cudaArray_t array = p.srcArray ? p.srcArray : p.dstArray) {
    if (rowBytes % array->texelBytes != 0)
      return false;
    p.extent.width /= array->texelBytes;
    // The runtime counts texels in the other side's rows; here they are bytes.
    const auto begin = [](cudaArray_t side, cudaPitchedPtr& pointer, cudaPos& pos) {
      if (side)
        return;
      pointer.ptr = static_cast<char*>(pointer.ptr) + pos.x;
      pos.x = 0;
    };
    begin(p.srcArray, p.srcPtr, p.srcPos);
    begin(p.dstArray, p.dstPtr, p.dstPos);
  }
  return true;
}

CUresult copyBetween(const Side& from, const Side& to, std::size_t rowBytes, std::size_t rows,
                     std::size_t slices, CUstream stream, Mode mode) {
  return contextCall([&]() -> CUresult {
    if (rowBytes == 0 || rows == 0 || slices == 0)
      return CUDA_SUCCESS;
    cudaMemcpy3DParms p;
    if (!parametersOf(from, to, rowBytes, rows, slices, p))
      return CUDA_ERROR_INVALID_VALUE;
    return resultOf(mode == Mode::Sync ? cudaMemcpy3D(&p) : cudaMemcpy3DAsync(&p, stream));
  });
}

CUresult copy2d(const CUDA_MEMCPY2D* p, CUstream stream, Mode mode) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  return copyBetween({p->srcXInBytes, p->srcY, 0, p->srcMemoryType, p->srcHost, p->srcDevice,
                      p->srcArray, p->srcPitch, 0},
                     {p->dstXInBytes, p->dstY, 0, p->dstMemoryType, p->dstHost, p->dstDevice,
                      p->dstArray, p->dstPitch, 0},
                     p->WidthInBytes, p->Height, 1, stream, mode);
}

Side sourceOf(const CUDA_MEMCPY3D& p) {
  return {p.srcXInBytes, p.srcY,     p.srcZ,     p.srcMemoryType, p.srcHost,
          p.srcDevice,   p.srcArray, p.srcPitch, p.srcHeight};
}
Side destinationOf(const CUDA_MEMCPY3D& p) {
  return {p.dstXInBytes, p.dstY,     p.dstZ,     p.dstMemoryType, p.dstHost,
          p.dstDevice,   p.dstArray, p.dstPitch, p.dstHeight};
}

CUresult copy3d(const CUDA_MEMCPY3D* p, CUstream stream, Mode mode) {
  if (!p || p->srcLOD != 0 || p->dstLOD != 0)
    return CUDA_ERROR_INVALID_VALUE;
  return copyBetween(sourceOf(*p), destinationOf(*p), p->WidthInBytes, p->Height, p->Depth, stream,
                     mode);
}

// Copies of one-dimensional arrays.
CUresult arrayCopy(const Side& from, const Side& to, std::size_t bytes, CUstream stream,
                   Mode mode) {
  return copyBetween(from, to, bytes, 1, 1, stream, mode);
}
Side arraySide(CUarray array, std::size_t offset) {
  return {offset, 0, 0, CU_MEMORYTYPE_ARRAY, nullptr, 0, array, 0, 0};
}
Side hostSide(const void* p) { return {0, 0, 0, CU_MEMORYTYPE_HOST, p, 0, nullptr, 0, 0}; }
Side deviceSide(CUdeviceptr p) {
  return {0, 0, 0, CU_MEMORYTYPE_DEVICE, nullptr, p, nullptr, 0, 0};
}

} // namespace

bool cu2cpp::rt::toRuntime(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms& out) {
  return copy.srcLOD == 0 && copy.dstLOD == 0 &&
         parametersOf(sourceOf(copy), destinationOf(copy), copy.WidthInBytes, copy.Height,
                      copy.Depth, out);
}

// Whether memory is the host's or the device's, only the direction of the copy tells.
CUDA_MEMCPY3D cu2cpp::rt::fromRuntime(const cudaMemcpy3DParms& copy) {
  CUDA_MEMCPY3D out{};
  std::size_t texel = 1;
  if (const cudaArray_t array = copy.srcArray ? copy.srcArray : copy.dstArray)
    texel = array->texelBytes;
  out.WidthInBytes = copy.extent.width * texel;
  out.Height = copy.extent.height;
  out.Depth = copy.extent.depth;
  const auto type = [&](bool fromHost, bool array) {
    return array                            ? CU_MEMORYTYPE_ARRAY
           : copy.kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED
           : fromHost                       ? CU_MEMORYTYPE_HOST
                                            : CU_MEMORYTYPE_DEVICE;
  };
  const bool hostSource = copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyHostToHost;
  const bool hostTarget = copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyHostToHost;
  out.srcMemoryType = type(hostSource, copy.srcArray);
  out.srcXInBytes = copy.srcPos.x * (copy.srcArray ? texel : 1);
  out.srcY = copy.srcPos.y;
  out.srcZ = copy.srcPos.z;
  out.srcArray = copy.srcArray;
  out.srcHost = out.srcMemoryType == CU_MEMORYTYPE_HOST ? copy.srcPtr.ptr : nullptr;
  out.srcDevice = out.srcHost ? 0 : reinterpret_cast<CUdeviceptr>(copy.srcPtr.ptr);
  out.srcPitch = copy.srcPtr.pitch;
  out.srcHeight = copy.srcPtr.ysize;
  out.dstMemoryType = type(hostTarget, copy.dstArray);
  out.dstXInBytes = copy.dstPos.x * (copy.dstArray ? texel : 1);
  out.dstY = copy.dstPos.y;
  out.dstZ = copy.dstPos.z;
  out.dstArray = copy.dstArray;
  out.dstHost = out.dstMemoryType == CU_MEMORYTYPE_HOST ? copy.dstPtr.ptr : nullptr;
  out.dstDevice = out.dstHost ? 0 : reinterpret_cast<CUdeviceptr>(copy.dstPtr.ptr);
  out.dstPitch = copy.dstPtr.pitch;
  out.dstHeight = copy.dstPtr.ysize;
  return out;
}

extern "C" CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return copy(at(dst), at(src), ByteCount, cudaMemcpyDefault, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount) {
  return copy(at(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemcpyDtoH(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy(dstHost, at(srcDevice), ByteCount, cudaMemcpyDeviceToHost, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy(at(dstDevice), at(srcDevice), ByteCount, cudaMemcpyDeviceToDevice, nullptr,
              Mode::Sync);
}
extern "C" CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                                 CUcontext srcContext, size_t ByteCount) {
  if (driverInitialised() && (!contextOf(dstContext) || !contextOf(srcContext)))
    return CUDA_ERROR_INVALID_CONTEXT;
  return copy(at(dstDevice), at(srcDevice), ByteCount, cudaMemcpyDefault, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemcpy2D(const CUDA_MEMCPY2D* pCopy) {
  return copy2d(pCopy, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemcpy3D(const CUDA_MEMCPY3D* pCopy) {
  return copy3d(pCopy, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void* srcHost,
                                 size_t ByteCount) {
  return arrayCopy(hostSide(srcHost), arraySide(dstArray, dstOffset), ByteCount, nullptr,
                   Mode::Sync);
}
extern "C" CUresult cuMemcpyAtoH(void* dstHost, CUarray srcArray, size_t srcOffset,
                                 size_t ByteCount) {
  return arrayCopy(arraySide(srcArray, srcOffset), hostSide(dstHost), ByteCount, nullptr,
                   Mode::Sync);
}
extern "C" CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return fill(dstDevice, 0, uc, 1, N, 1, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                 size_t Width, size_t Height) {
  return fill(dstDevice, dstPitch, uc, 1, Width, Height, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N) {
  return fill(dstDevice, 0, us, 2, N, 1, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                  size_t Width, size_t Height) {
  return fill(dstDevice, dstPitch, us, 2, Width, Height, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return fill(dstDevice, 0, ui, 4, N, 1, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                  size_t Width, size_t Height) {
  return fill(dstDevice, dstPitch, ui, 4, Width, Height, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                                  CUstream hStream) {
  return copy(at(dst), at(src), ByteCount, cudaMemcpyDefault, hStream, Mode::Async);
}
extern "C" CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount,
                                      CUstream hStream) {
  return copy(at(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice, hStream, Mode::Async);
}
extern "C" CUresult cuMemcpyDtoHAsync(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                                      CUstream hStream) {
  return copy(dstHost, at(srcDevice), ByteCount, cudaMemcpyDeviceToHost, hStream, Mode::Async);
}
extern "C" CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                                      size_t ByteCount, CUstream hStream) {
  return copy(at(dstDevice), at(srcDevice), ByteCount, cudaMemcpyDeviceToDevice, hStream,
              Mode::Async);
}
extern "C" CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext,
                                      CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount,
                                      CUstream hStream) {
  if (driverInitialised() && (!contextOf(dstContext) || !contextOf(srcContext)))
    return CUDA_ERROR_INVALID_CONTEXT;
  return copy(at(dstDevice), at(srcDevice), ByteCount, cudaMemcpyDefault, hStream, Mode::Async);
}
extern "C" CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
  return copy2d(pCopy, hStream, Mode::Async);
}
extern "C" CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* pCopy, CUstream hStream) {
  return copy3d(pCopy, hStream, Mode::Async);
}
extern "C" CUresult cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void* srcHost,
                                      size_t ByteCount, CUstream hStream) {
  return arrayCopy(hostSide(srcHost), arraySide(dstArray, dstOffset), ByteCount, hStream,
                   Mode::Async);
}
extern "C" CUresult cuMemcpyAtoHAsync(void* dstHost, CUarray srcArray, size_t srcOffset,
                                      size_t ByteCount, CUstream hStream) {
  return arrayCopy(arraySide(srcArray, srcOffset), hostSide(dstHost), ByteCount, hStream,
                   Mode::Async);
}
extern "C" CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N,
                                    CUstream hStream) {
  return fill(dstDevice, 0, uc, 1, N, 1, hStream, Mode::Async);
}
extern "C" CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                      size_t Width, size_t Height, CUstream hStream) {
  return fill(dstDevice, dstPitch, uc, 1, Width, Height, hStream, Mode::Async);
}
extern "C" CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N,
                                     CUstream hStream) {
  return fill(dstDevice, 0, us, 2, N, 1, hStream, Mode::Async);
}
extern "C" CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                       size_t Width, size_t Height, CUstream hStream) {
  return fill(dstDevice, dstPitch, us, 2, Width, Height, hStream, Mode::Async);
}
extern "C" CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N,
                                     CUstream hStream) {
  return fill(dstDevice, 0, ui, 4, N, 1, hStream, Mode::Async);
}
extern "C" CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                       size_t Width, size_t Height, CUstream hStream) {
  return fill(dstDevice, dstPitch, ui, 4, Width, Height, hStream, Mode::Async);
}
extern "C" CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* pCopy) {
  return copy2d(pCopy, nullptr, Mode::Sync);
}
extern "C" CUresult cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice,
                                 size_t ByteCount) {
  return arrayCopy(deviceSide(srcDevice), arraySide(dstArray, dstOffset), ByteCount, nullptr,
                   Mode::Sync);
}
extern "C" CUresult cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset,
                                 size_t ByteCount) {
  return arrayCopy(arraySide(srcArray, srcOffset), deviceSide(dstDevice), ByteCount, nullptr,
                   Mode::Sync);
}
extern "C" CUresult cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray,
                                 size_t srcOffset, size_t ByteCount) {
  return arrayCopy(arraySide(srcArray, srcOffset), arraySide(dstArray, dstOffset), ByteCount,
                   nullptr, Mode::Sync);
}
