// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events, and waiting for values in memory.
//
// CUDA Driver API, 'Stream Management', 'Event Management', 'Stream Memory Operations'.
#include <chrono>
#include <thread>

#include "driver/driver.h"

using namespace cu2cpp::rt;

extern "C" CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags) {
  return contextCall([=] { return cudaStreamCreateWithFlags(phStream, Flags); });
}
extern "C" CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags,
                                               int priority) {
  return contextCall([=] { return cudaStreamCreateWithPriority(phStream, flags, priority); });
}
extern "C" CUresult cuStreamDestroy(CUstream hStream) {
  return contextCall([=] { return cudaStreamDestroy(hStream); });
}
extern "C" CUresult cuStreamSynchronize(CUstream hStream) {
  return contextCall([=] { return cudaStreamSynchronize(hStream); });
}
extern "C" CUresult cuStreamQuery(CUstream hStream) {
  return contextCall([=] { return cudaStreamQuery(hStream); });
}
extern "C" CUresult cuStreamGetPriority(CUstream hStream, int* priority) {
  return contextCall([=] { return cudaStreamGetPriority(hStream, priority); });
}
extern "C" CUresult cuStreamGetFlags(CUstream hStream, unsigned int* flags) {
  return contextCall([=] { return cudaStreamGetFlags(hStream, flags); });
}
extern "C" CUresult cuStreamGetId(CUstream hStream, unsigned long long* streamId) {
  return contextCall([=] { return cudaStreamGetId(hStream, streamId); });
}
extern "C" CUresult cuStreamGetDevice(CUstream hStream, CUdevice* device) {
  return contextCall([=] { return cudaStreamGetDevice(hStream, device); });
}
extern "C" CUresult cuStreamGetCtx(CUstream hStream, CUcontext* pctx) {
  return contextCall([=] {
    if (!pctx || !streamOf(hStream))
      return CUDA_ERROR_INVALID_VALUE;
    *pctx = handleOf(currentContext());
    return CUDA_SUCCESS;
  });
}
extern "C" CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  return contextCall([=] { return cudaStreamWaitEvent(hStream, hEvent, Flags); });
}
extern "C" CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData,
                                        unsigned int flags) {
  // The two types of functions differ in the name of the second parameter's type only.
  return contextCall([=] {
    return cudaStreamAddCallback(hStream, reinterpret_cast<cudaStreamCallback_t>(callback),
                                 userData, flags);
  });
}
extern "C" CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length,
                                           unsigned int flags) {
  return contextCall([=] { return ::cudaStreamAttachMemAsync(hStream, at(dptr), length, flags); });
}
extern "C" CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus) {
  return contextCall([=] {
    return cudaStreamIsCapturing(hStream,
                                 reinterpret_cast<cudaStreamCaptureStatus*>(captureStatus));
  });
}
extern "C" CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr,
                                         CUstreamAttrValue* value_out) {
  return contextCall([=] {
    return cudaStreamGetAttribute(hStream, static_cast<cudaLaunchAttributeID>(attr), value_out);
  });
}
extern "C" CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr,
                                         const CUstreamAttrValue* value) {
  return contextCall([=] {
    return cudaStreamSetAttribute(hStream, static_cast<cudaLaunchAttributeID>(attr), value);
  });
}
extern "C" CUresult cuStreamCopyAttributes(CUstream dst, CUstream src) {
  return contextCall([=] { return cudaStreamCopyAttributes(dst, src); });
}

extern "C" CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags) {
  return contextCall([=] { return cudaEventCreateWithFlags(phEvent, Flags); });
}
extern "C" CUresult cuEventDestroy(CUevent hEvent) {
  return contextCall([=] { return cudaEventDestroy(hEvent); });
}
extern "C" CUresult cuEventRecord(CUevent hEvent, CUstream hStream) {
  return contextCall([=] { return cudaEventRecord(hEvent, hStream); });
}
extern "C" CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags) {
  return contextCall([=] { return cudaEventRecordWithFlags(hEvent, hStream, flags); });
}
extern "C" CUresult cuEventQuery(CUevent hEvent) {
  return contextCall([=] { return cudaEventQuery(hEvent); });
}
extern "C" CUresult cuEventSynchronize(CUevent hEvent) {
  return contextCall([=] { return cudaEventSynchronize(hEvent); });
}
extern "C" CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd) {
  return contextCall([=] { return cudaEventElapsedTime(pMilliseconds, hStart, hEnd); });
}

namespace {

class WriteValue final : public Work {
public:
  WriteValue(void* address, std::uint64_t value, bool wide)
      : address_(address), value_(value), wide_(wide) {}
  std::uint64_t parts() const override { return 1; }
  void run(std::uint64_t, std::uint64_t) noexcept override {
    if (wide_)
      __atomic_store_n(static_cast<std::uint64_t*>(address_), value_, __ATOMIC_RELEASE);
    else
      __atomic_store_n(static_cast<std::uint32_t*>(address_), std::uint32_t(value_),
                       __ATOMIC_RELEASE);
  }

private:
  void* address_;
  std::uint64_t value_;
  bool wide_;
};

template <class T> bool holds(const void* address, T value, unsigned flags) {
  const T now = __atomic_load_n(static_cast<const T*>(address), __ATOMIC_ACQUIRE);
  switch (flags & 3) {
  case CU_STREAM_WAIT_VALUE_GEQ: // cyclic
    return std::make_signed_t<T>(now - value) >= 0;
  case CU_STREAM_WAIT_VALUE_EQ:
    return now == value;
  case CU_STREAM_WAIT_VALUE_AND:
    return (now & value) != 0;
  default: // NOR
    return T(~(now | value)) != 0;
  }
}

// The value may come from the host or another stream at any time: a thread that may wait asks for
// it again and again. Each wait has a thread, so that no other host function waits for it.
template <class T> CUresult waitValue(CUstream stream, CUdeviceptr addr, T value, unsigned flags) {
  return contextCall([=]() -> CUresult {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    if (!queue)
      return CUDA_ERROR_INVALID_HANDLE;
    if (addr == 0 || addr % sizeof(T) != 0 || (flags & ~unsigned(3 | CU_STREAM_WAIT_VALUE_FLUSH)))
      return CUDA_ERROR_INVALID_VALUE;
    if (holds(at(addr), value, flags) && process().scheduler.nothingBefore(queue))
      return CUDA_SUCCESS;
    // The stream goes on when the latch is reached.
    auto recording = std::make_shared<Recording>();
    recording->point = {std::make_shared<Stream>(queue->device, 0, false, limits::leastPriority),
                        1};
    const Point before = process().scheduler.tail(queue);
    auto task = std::make_unique<Task>();
    task->after.push_back(recording->point);
    const Status status = submit(queue, std::move(task), false);
    if (status == Status::Ok)
      std::thread([=] {
        while (!(before.reached() && holds(at(addr), value, flags)) &&
               !process().scheduler.stopped())
          std::this_thread::sleep_for(std::chrono::microseconds(20));
        process().scheduler.reach(*recording);
      }).detach();
    return resultOf(status);
  });
}

CUresult writeValue(CUstream stream, CUdeviceptr addr, std::uint64_t value, bool wide,
                    unsigned flags) {
  return contextCall([=]() -> CUresult {
    const std::shared_ptr<Stream> queue = streamOf(stream);
    if (!queue)
      return CUDA_ERROR_INVALID_HANDLE;
    if (addr == 0 || addr % (wide ? 8 : 4) != 0 ||
        (flags & ~unsigned(CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER)))
      return CUDA_ERROR_INVALID_VALUE;
    return resultOf(submit(queue, std::make_unique<WriteValue>(at(addr), value, wide), false));
  });
}

} // namespace

extern "C" CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, unsigned int value,
                                        unsigned int flags) {
  return waitValue<std::uint32_t>(stream, addr, value, flags);
}
extern "C" CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, unsigned long long value,
                                        unsigned int flags) {
  return waitValue<std::uint64_t>(stream, addr, value, flags);
}
extern "C" CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, unsigned int value,
                                         unsigned int flags) {
  return writeValue(stream, addr, value, false, flags);
}
extern "C" CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr,
                                         unsigned long long value, unsigned int flags) {
  return writeValue(stream, addr, value, true, flags);
}

// The order of a stream is that of a batch. A barrier and a flush of remote writes order what the
// operations of this runtime order anyway.
extern "C" CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count,
                                       CUstreamBatchMemOpParams* paramArray, unsigned int flags) {
  if (!driverInitialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!paramArray || count == 0 || count > 256 || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i)
    if (paramArray[i].operation < CU_STREAM_MEM_OP_WAIT_VALUE_32 ||
        paramArray[i].operation > CU_STREAM_MEM_OP_BARRIER)
      return CUDA_ERROR_INVALID_VALUE;
  CUresult result = CUDA_SUCCESS;
  for (unsigned i = 0; i < count && result == CUDA_SUCCESS; ++i) {
    const auto& wait = paramArray[i].waitValue;
    const auto& write = paramArray[i].writeValue;
    switch (paramArray[i].operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      result = cuStreamWaitValue32(stream, wait.address, wait.value, wait.flags);
      break;
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      result = cuStreamWaitValue64(stream, wait.address, wait.value64, wait.flags);
      break;
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      result = cuStreamWriteValue32(stream, write.address, write.value, write.flags);
      break;
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      result = cuStreamWriteValue64(stream, write.address, write.value64, write.flags);
      break;
    default:
      break;
    }
  }
  return result;
}
