// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and semaphores of other APIs by file descriptor, and the functions for graphics resources,
// of which there are none.
//
// CUDA Runtime API, 'External Resource Interoperability', 'Graphics Interoperability'.
#include <cerrno>

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/array.h"
#include "api/graph_handles.h"

namespace cu2cpp::rt {

/// Descriptor is a file descriptor that CUDA took over from the program.
class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(fd_); }
  Descriptor(const Descriptor&) = delete;
  int get() const { return fd_; }

private:
  int fd_;
};

/// ExternalMemory is a file that can be mapped; its mappings end with it.
class ExternalMemory {
public:
  ExternalMemory(int fd, std::size_t bytes) : file_(fd), bytes_(bytes) {}
  ~ExternalMemory() {
    for (const auto& [address, bytes] : mapped_) {
      (void)process().allocations.remove(address, MemoryKind::Foreign, MemoryKind::Foreign);
      munmap(address, bytes);
    }
  }
  Status map(std::size_t offset, std::size_t bytes, void** out);

private:
  Descriptor file_;
  std::size_t bytes_;
  std::mutex mutex_; // before that of the allocation table
  std::vector<std::pair<void*, std::size_t>> mapped_;
};

Status ExternalMemory::map(std::size_t offset, std::size_t bytes, void** out) {
  const auto page = std::size_t(sysconf(_SC_PAGESIZE));
  if (!out || bytes == 0 || offset % page != 0 || offset > bytes_ || bytes > bytes_ - offset)
    return Status::InvalidValue;
  void* const address =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), off_t(offset));
  if (address == MAP_FAILED)
    return static_cast<Status>(cudaErrorMapBufferObjectFailed);
  std::lock_guard lock(mutex_);
  mapped_.emplace_back(address, bytes);
  *out = address;
  return process().allocations.insert({reinterpret_cast<std::uintptr_t>(address), bytes,
                                       MemoryKind::Foreign, currentDevice().number(), 0});
}

/// Semaphore is an eventfd: a signal adds one, a wait takes one.
class Semaphore {
public:
  explicit Semaphore(int fd) : file_(fd) {}
  void signal() const {
    const std::uint64_t one = 1;
    while (write(file_.get(), &one, sizeof one) < 0 && errno == EINTR) {
    }
  }
  void wait() const {
    std::uint64_t taken = 0;
    while (read(file_.get(), &taken, sizeof taken) < 0 && (errno == EINTR || errno == EAGAIN))
      usleep(50);
    // Without EFD_SEMAPHORE all signals came at once: give the others back.
    for (; taken > 1; --taken)
      signal();
  }

private:
  Descriptor file_;
};

namespace {

HandleTable<ExternalMemory>& memories() {
  static auto& theTable = *new HandleTable<ExternalMemory>;
  return theTable;
}
HandleTable<Semaphore>& semaphores() {
  static auto& theTable = *new HandleTable<Semaphore>;
  return theTable;
}

bool semaphoresOf(const cudaExternalSemaphore_t* handles, unsigned count,
                  std::vector<std::shared_ptr<Semaphore>>& out) {
  if (!handles || count == 0)
    return false;
  for (unsigned i = 0; i < count; ++i) {
    out.push_back(semaphores().find(handles[i]));
    if (!out.back())
      return false;
  }
  return true;
}

void use(bool signals, const std::vector<std::shared_ptr<Semaphore>>& list) {
  for (const std::shared_ptr<Semaphore>& semaphore : list)
    signals ? semaphore->signal() : semaphore->wait();
}

class SemaphoreBody final : public NodeBody {
public:
  NodeType type() const override {
    return signals ? NodeType::SignalSemaphore : NodeType::WaitSemaphore;
  }
  bool isHost() const override { return true; }
  void host() const override { use(signals, objects); }

  bool signals = false;
  std::vector<std::shared_ptr<Semaphore>> objects;
  // What the program gave, for those who ask for it.
  std::vector<cudaExternalSemaphore_t> handles;
  std::vector<cudaExternalSemaphoreSignalParams> signalParams;
  std::vector<cudaExternalSemaphoreWaitParams> waitParams;
};

Status enqueue(bool signals, const cudaExternalSemaphore_t* handles, unsigned count,
               cudaStream_t stream, std::shared_ptr<const NodeBody> body) {
  const std::shared_ptr<Stream> queue = streamOf(stream);
  std::vector<std::shared_ptr<Semaphore>> objects;
  if (!queue)
    return Status::InvalidHandle;
  if (!semaphoresOf(handles, count, objects))
    return Status::InvalidValue;
  if (queue->capturing.load(std::memory_order_relaxed))
    return process().captures.add(queue, std::move(body));
  auto task = std::make_unique<Task>();
  task->host = [signals, objects](Status) { use(signals, objects); };
  return submit(queue, std::move(task), false);
}

} // namespace

Status makeSemaphoreBody(bool signals, const cudaExternalSemaphore_t* handles,
                         const cudaExternalSemaphoreSignalParams* signalParams,
                         const cudaExternalSemaphoreWaitParams* waitParams, unsigned count,
                         std::shared_ptr<const NodeBody>& out) {
  auto body = std::make_shared<SemaphoreBody>();
  body->signals = signals;
  if (!semaphoresOf(handles, count, body->objects))
    return Status::InvalidValue;
  body->handles.assign(handles, handles + count);
  if (signalParams)
    body->signalParams.assign(signalParams, signalParams + count);
  if (waitParams)
    body->waitParams.assign(waitParams, waitParams + count);
  out = std::move(body);
  return Status::Ok;
}

} // namespace cu2cpp::rt

using namespace cu2cpp::rt;

extern "C" cudaError_t cudaImportExternalMemory(cudaExternalMemory_t* extMem_out,
                                                const cudaExternalMemoryHandleDesc* memHandleDesc) {
  return deviceCall([=] {
    if (!extMem_out || !memHandleDesc)
      return Status::InvalidValue;
    if (memHandleDesc->type != cudaExternalMemoryHandleTypeOpaqueFd)
      return Status::NotSupported;
    if (memHandleDesc->handle.fd < 0 || memHandleDesc->size == 0)
      return Status::InvalidValue;
    auto memory = std::make_shared<ExternalMemory>(memHandleDesc->handle.fd, memHandleDesc->size);
    *extMem_out = reinterpret_cast<cudaExternalMemory_t>(memory.get());
    memories().add(std::move(memory));
    return Status::Ok;
  });
}

extern "C" cudaError_t
cudaExternalMemoryGetMappedBuffer(void** devPtr, cudaExternalMemory_t extMem,
                                  const cudaExternalMemoryBufferDesc* bufferDesc) {
  return deviceCall([=] {
    const std::shared_ptr<ExternalMemory> memory = memories().find(extMem);
    if (!memory)
      return Status::InvalidHandle;
    if (!bufferDesc || bufferDesc->flags != 0)
      return Status::InvalidValue;
    return memory->map(bufferDesc->offset, bufferDesc->size, devPtr);
  });
}

// The layout is that of makeMipmapped(), so programs of this runtime share images with each other.
extern "C" cudaError_t
cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t* mipmap, cudaExternalMemory_t extMem,
                                          const cudaExternalMemoryMipmappedArrayDesc* mipmapDesc) {
  return deviceCall([=] {
    const std::shared_ptr<ExternalMemory> memory = memories().find(extMem);
    if (!memory)
      return Status::InvalidHandle;
    if (!mipmap || !mipmapDesc || mipmapDesc->numLevels == 0)
      return Status::InvalidValue;
    const std::size_t bytes = mipmappedBytes(mipmapDesc->formatDesc, mipmapDesc->extent,
                                             mipmapDesc->numLevels, mipmapDesc->flags);
    void* place = nullptr;
    if (const Status status = memory->map(mipmapDesc->offset, bytes, &place); status != Status::Ok)
      return status;
    return static_cast<Status>(makeMipmapped(mipmap, &mipmapDesc->formatDesc, mipmapDesc->extent,
                                             mipmapDesc->numLevels, mipmapDesc->flags,
                                             static_cast<unsigned char*>(place), bytes));
  });
}

extern "C" cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t extMem) {
  return deviceCall([=] { return memories().remove(extMem) ? Status::Ok : Status::InvalidHandle; });
}

extern "C" cudaError_t
cudaImportExternalSemaphore(cudaExternalSemaphore_t* extSem_out,
                            const cudaExternalSemaphoreHandleDesc* semHandleDesc) {
  return deviceCall([=] {
    if (!extSem_out || !semHandleDesc)
      return Status::InvalidValue;
    if (semHandleDesc->type != cudaExternalSemaphoreHandleTypeOpaqueFd)
      return Status::NotSupported;
    if (semHandleDesc->handle.fd < 0 || semHandleDesc->flags != 0)
      return Status::InvalidValue;
    auto semaphore = std::make_shared<Semaphore>(semHandleDesc->handle.fd);
    *extSem_out = reinterpret_cast<cudaExternalSemaphore_t>(semaphore.get());
    semaphores().add(std::move(semaphore));
    return Status::Ok;
  });
}

extern "C" cudaError_t
cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t* extSemArray,
                                  const cudaExternalSemaphoreSignalParams* paramsArray,
                                  unsigned int numExtSems, cudaStream_t stream) {
  return deviceCall([=] {
    std::shared_ptr<const NodeBody> body;
    if (const Status status =
            makeSemaphoreBody(true, extSemArray, paramsArray, nullptr, numExtSems, body);
        status != Status::Ok)
      return status;
    return enqueue(true, extSemArray, numExtSems, stream, std::move(body));
  });
}

extern "C" cudaError_t
cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t* extSemArray,
                                const cudaExternalSemaphoreWaitParams* paramsArray,
                                unsigned int numExtSems, cudaStream_t stream) {
  return deviceCall([=] {
    std::shared_ptr<const NodeBody> body;
    if (const Status status =
            makeSemaphoreBody(false, extSemArray, nullptr, paramsArray, numExtSems, body);
        status != Status::Ok)
      return status;
    return enqueue(false, extSemArray, numExtSems, stream, std::move(body));
  });
}

extern "C" cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t extSem) {
  return deviceCall(
      [=] { return semaphores().remove(extSem) ? Status::Ok : Status::InvalidHandle; });
}

// External semaphores in graphs.

namespace {

template <class Params>
Status makeSemaphores(bool signals, const Params* params, std::shared_ptr<const NodeBody>& out) {
  if (!params)
    return Status::InvalidValue;
  if constexpr (std::is_same_v<Params, cudaExternalSemaphoreSignalNodeParams>)
    return makeSemaphoreBody(signals, params->extSemArray, params->paramsArray, nullptr,
                             params->numExtSems, out);
  else
    return makeSemaphoreBody(signals, params->extSemArray, nullptr, params->paramsArray,
                             params->numExtSems, out);
}

template <class Params>
cudaError_t addSemaphores(bool signals, cudaGraphNode_t* node, cudaGraph_t graph,
                          const cudaGraphNode_t* dependencies, std::size_t count,
                          const Params* params) {
  return deviceCall([=] {
    std::shared_ptr<const NodeBody> body;
    if (const Status status = makeSemaphores(signals, params, body); status != Status::Ok)
      return status;
    return addNode(node, graph, dependencies, count, std::move(body));
  });
}

template <class Params>
cudaError_t setSemaphores(bool signals, cudaGraphExec_t graph, cudaGraphNode_t node,
                          const Params* params) {
  return deviceCall([=] {
    std::shared_ptr<const NodeBody> body;
    const std::shared_ptr<GraphExec> exec = execOf(graph);
    const std::shared_ptr<Node> object = nodeOf(node);
    const NodeType type = signals ? NodeType::SignalSemaphore : NodeType::WaitSemaphore;
    if ((graph && !exec) || !object || object->body->type() != type)
      return Status::InvalidValue;
    if (const Status status = makeSemaphores(signals, params, body); status != Status::Ok)
      return status;
    if (!graph)
      object->body = std::move(body);
    else if (!exec->setBody(object.get(), std::move(body)))
      return Status::InvalidValue;
    return Status::Ok;
  });
}

} // namespace

extern "C" cudaError_t cudaGraphAddExternalSemaphoresSignalNode(
    cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
    size_t numDependencies, const cudaExternalSemaphoreSignalNodeParams* nodeParams) {
  return addSemaphores(true, pGraphNode, graph, pDependencies, numDependencies, nodeParams);
}
extern "C" cudaError_t
cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t* pDependencies, size_t numDependencies,
                                       const cudaExternalSemaphoreWaitNodeParams* nodeParams) {
  return addSemaphores(false, pGraphNode, graph, pDependencies, numDependencies, nodeParams);
}
extern "C" cudaError_t
cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t hNode,
                                               cudaExternalSemaphoreSignalNodeParams* params_out) {
  return plainCall([=] {
    const std::shared_ptr<const SemaphoreBody> body = bodyOf<SemaphoreBody>(hNode);
    if (!params_out || !body || !body->signals)
      return Status::InvalidValue;
    *params_out = {const_cast<cudaExternalSemaphore_t*>(body->handles.data()),
                   body->signalParams.data(), unsigned(body->handles.size())};
    return Status::Ok;
  });
}
extern "C" cudaError_t
cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t hNode,
                                             cudaExternalSemaphoreWaitNodeParams* params_out) {
  return plainCall([=] {
    const std::shared_ptr<const SemaphoreBody> body = bodyOf<SemaphoreBody>(hNode);
    if (!params_out || !body || body->signals)
      return Status::InvalidValue;
    *params_out = {const_cast<cudaExternalSemaphore_t*>(body->handles.data()),
                   body->waitParams.data(), unsigned(body->handles.size())};
    return Status::Ok;
  });
}
extern "C" cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(
    cudaGraphNode_t hNode, const cudaExternalSemaphoreSignalNodeParams* nodeParams) {
  return setSemaphores(true, nullptr, hNode, nodeParams);
}
extern "C" cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(
    cudaGraphNode_t hNode, const cudaExternalSemaphoreWaitNodeParams* nodeParams) {
  return setSemaphores(false, nullptr, hNode, nodeParams);
}
extern "C" cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
    const cudaExternalSemaphoreSignalNodeParams* nodeParams) {
  return setSemaphores(true, hGraphExec, hNode, nodeParams);
}
extern "C" cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
    const cudaExternalSemaphoreWaitNodeParams* nodeParams) {
  return setSemaphores(false, hGraphExec, hNode, nodeParams);
}

// Graphics resources: none exists.

namespace {
cudaError_t noGraphics() {
  return plainCall([] { return Status::NotSupported; });
}
} // namespace

extern "C" cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t) {
  return noGraphics();
}
extern "C" cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t, unsigned int) {
  return noGraphics();
}
extern "C" cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t*, cudaStream_t) {
  return noGraphics();
}
extern "C" cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t*, cudaStream_t) {
  return noGraphics();
}
extern "C" cudaError_t cudaGraphicsResourceGetMappedPointer(void**, size_t*,
                                                            cudaGraphicsResource_t) {
  return noGraphics();
}
extern "C" cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t*, cudaGraphicsResource_t,
                                                             unsigned int, unsigned int) {
  return noGraphics();
}
extern "C" cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t*,
                                                                   cudaGraphicsResource_t) {
  return noGraphics();
}
extern "C" cudaError_t cudaDeviceGetNvSciSyncAttributes(void*, int, int) { return noGraphics(); }

extern "C" cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget target,
                                                          cudaFlushGPUDirectRDMAWritesScope scope) {
  return deviceCall([=] {
    return target == cudaFlushGPUDirectRDMAWritesTargetCurrentDevice &&
                   (scope == cudaFlushGPUDirectRDMAWritesToOwner ||
                    scope == cudaFlushGPUDirectRDMAWritesToAllDevices)
               ? Status::Ok
               : Status::InvalidValue;
  });
}
