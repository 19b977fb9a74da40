// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a cuBLAS handle holds, and how a function of the library gets onto the handle's stream: as a
// host function, after all work queued there before it. The library uses CUDA's public functions
// only.
//
// cuBLAS Library, 'cuBLAS Context', 'Parallelism with Streams' and 'Scalar Parameters'.
#ifndef CU2CPP_BLAS_HANDLE_H
#define CU2CPP_BLAS_HANDLE_H

#include <memory>
#include <new>
#include <utility>

#include <cublas_v2.h>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace cu2cpp::blas {

/// Scalar is alpha or beta: read when the function is called (host mode) or when it runs (device
/// mode).
template <class T> class Scalar {
public:
  Scalar(cublasHandle_t handle, const T* from)
      : device_(handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE ? from : nullptr),
        value_(device_ ? T{} : *from) {}
  T get() const { return device_ ? *device_ : value_; }

private:
  const T* device_;
  T value_;
};

/// record() makes work() a node of a graph that is being captured. A graph runs any number of
/// times, so the work is its property.
template <class Work>
cublasStatus_t record(cudaStream_t stream, cudaGraph_t graph, std::unique_ptr<Work> work) noexcept {
  const auto destroy = [](void* data) { delete static_cast<Work*>(data); };
  const auto run = [](void* data) { (*static_cast<Work*>(data))(); };
  cudaUserObject_t object = nullptr;
  if (cudaUserObjectCreate(&object, work.get(), destroy, 1, cudaUserObjectNoDestructorSync) !=
      cudaSuccess)
    return CUBLAS_STATUS_ALLOC_FAILED;
  Work* const owned = work.release();
  if (cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) != cudaSuccess) {
    cudaUserObjectRelease(object, 1);
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  return cudaLaunchHostFunc(stream, run, owned) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                               : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// enqueue() queues work() on a stream, usually the handle's, and returns at once.
template <class Work> cublasStatus_t enqueue(cudaStream_t stream, Work work) noexcept {
  std::unique_ptr<Work> kept(new (std::nothrow) Work(std::move(work)));
  if (!kept)
    return CUBLAS_STATUS_ALLOC_FAILED;
  cudaStreamCaptureStatus captured = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  if (cudaStreamGetCaptureInfo(stream, &captured, nullptr, &graph) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  if (captured == cudaStreamCaptureStatusActive)
    return record(stream, graph, std::move(kept));
  const auto run = [](void* data) { (*std::unique_ptr<Work>(static_cast<Work*>(data)))(); };
  if (cudaLaunchHostFunc(stream, run, kept.get()) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  kept.release(); // run() owns it now
  return CUBLAS_STATUS_SUCCESS;
}

template <class Work> cublasStatus_t enqueue(cublasHandle_t handle, Work work) noexcept {
  return enqueue(handle->stream, std::move(work));
}

/// enqueueAndWait() is enqueue() for functions that return scalars: in host mode they wait for
/// them.
template <class Work> cublasStatus_t enqueueAndWait(cublasHandle_t handle, Work work) noexcept {
  const cublasStatus_t status = enqueue(handle, std::move(work));
  if (status == CUBLAS_STATUS_SUCCESS && handle->pointerMode == CUBLAS_POINTER_MODE_HOST &&
      cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  return status;
}

template <class T, class Work>
cublasStatus_t enqueueResult(cublasHandle_t handle, T* result, Work work) noexcept {
  return enqueueAndWait(handle, [=] { *result = work(); });
}

} // namespace cu2cpp::blas

#endif
