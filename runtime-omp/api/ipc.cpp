// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and events of other processes: a handle names a file descriptor of the process that made
// it, which others open through /proc while that process lives.
//
// CUDA Runtime API, 'Device Management': cudaIpcGetMemHandle and its kin.
#include <cstring>
#include <map>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/call.h"
#include "core/shared_event.h"

using namespace cu2cpp::rt;

namespace {

// What stands in a handle.
struct Handle {
  std::uint32_t magic = wanted;
  std::int32_t process = 0, fd = -1;
  std::uint64_t bytes = 0;  // of the file
  std::uint64_t offset = 0; // of the allocation's start
  static constexpr std::uint32_t wanted = 0x43753243;
};
static_assert(sizeof(Handle) <= CUDA_IPC_HANDLE_SIZE);

Handle read(const void* bytes) {
  Handle handle;
  std::memcpy(&handle, bytes, sizeof handle);
  return handle;
}

template <class Public> void write(Public* out, const Handle& handle) {
  std::memset(out, 0, sizeof *out);
  std::memcpy(out, &handle, sizeof handle);
}

std::shared_ptr<SharedFile> openFile(const Handle& handle) {
  if (handle.magic != Handle::wanted)
    return nullptr;
  const std::string path =
      "/proc/" + std::to_string(handle.process) + "/fd/" + std::to_string(handle.fd);
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  return fd < 0 ? nullptr : std::make_shared<SharedFile>(fd);
}

// Allocations that other processes may map, by address, and mappings of theirs.
struct IpcTable {
  std::mutex mutex; // before that of the allocation table
  std::map<std::uintptr_t, std::shared_ptr<SharedFile>> exported;
  struct Mapping {
    void* memory;
    std::size_t bytes;
    int count;
    Handle handle;
  };
  std::map<std::uintptr_t, Mapping> opened; // by the address that the program got
};
IpcTable& ipcTable() {
  static auto& theTable = *new IpcTable;
  return theTable;
}

} // namespace

// The allocation's own pages are put into a file in place: its address stays, and others can map
// the file. Nobody may use the memory meanwhile, so the device is waited for.
extern "C" cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* devPtr) {
  return deviceCall([=] {
    const std::optional<Allocation> found = process().allocations.find(devPtr);
    if (!handle || !found || found->kind != MemoryKind::Device)
      return Status::InvalidValue;
    IpcTable& table = ipcTable();
    if (const Status status = waitForDevice(*process().devices[std::size_t(found->device)]);
        status != Status::Ok)
      return status;
    std::lock_guard lock(table.mutex);
    std::shared_ptr<SharedFile>& file = table.exported[found->address];
    if (!file)
      if (const Status status = process().allocations.share(devPtr, file); status != Status::Ok) {
        table.exported.erase(found->address);
        return status;
      }
    Handle exported;
    exported.process = int(getpid());
    exported.fd = file->fd();
    exported.bytes = roundToPages(found->bytes + found->lead);
    exported.offset = found->lead;
    write(handle, exported);
    return Status::Ok;
  });
}

void cu2cpp::rt::forgetIpc(const Allocation& allocation) {
  IpcTable& table = ipcTable();
  std::lock_guard lock(table.mutex);
  table.exported.erase(allocation.address);
}

extern "C" cudaError_t cudaIpcOpenMemHandle(void** devPtr, cudaIpcMemHandle_t handle,
                                            unsigned int flags) {
  return deviceCall([=] {
    const Handle wanted = read(&handle);
    if (!devPtr || flags != cudaIpcMemLazyEnablePeerAccess)
      return Status::InvalidValue;
    // A process can't open its own handles (Runtime API, 'cudaIpcOpenMemHandle').
    if (wanted.process == int(getpid()))
      return static_cast<Status>(cudaErrorDeviceUninitialized);
    IpcTable& table = ipcTable();
    std::lock_guard lock(table.mutex);
    for (auto& [address, mapping] : table.opened)
      if (mapping.handle.process == wanted.process && mapping.handle.fd == wanted.fd) {
        ++mapping.count;
        *devPtr = reinterpret_cast<void*>(address);
        return Status::Ok;
      }
    // The memory may have been freed, and its descriptor may be some other file's by now.
    const std::shared_ptr<SharedFile> file = openFile(wanted);
    struct stat about{};
    if (!file || fstat(file->fd(), &about) != 0 || !S_ISREG(about.st_mode) ||
        std::uint64_t(about.st_size) < wanted.bytes || wanted.offset >= wanted.bytes)
      return static_cast<Status>(cudaErrorMapBufferObjectFailed);
    void* const memory =
        mmap(nullptr, wanted.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd(), 0);
    if (memory == MAP_FAILED)
      return static_cast<Status>(cudaErrorMapBufferObjectFailed);
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(memory) + wanted.offset;
    table.opened[address] = {memory, wanted.bytes, 1, wanted};
    *devPtr = reinterpret_cast<void*>(address);
    return process().allocations.insert(
        {address, wanted.bytes - wanted.offset, MemoryKind::Foreign, currentDevice().number(), 0});
  });
}

extern "C" cudaError_t cudaIpcCloseMemHandle(void* devPtr) {
  return deviceCall([=] {
    IpcTable& table = ipcTable();
    {
      std::lock_guard lock(table.mutex);
      if (!table.opened.count(reinterpret_cast<std::uintptr_t>(devPtr)))
        return Status::InvalidValue;
    }
    if (const Status status = waitForDevice(currentDevice()); status != Status::Ok)
      return status;
    std::lock_guard lock(table.mutex);
    const auto found = table.opened.find(reinterpret_cast<std::uintptr_t>(devPtr));
    if (found == table.opened.end())
      return Status::InvalidValue;
    if (--found->second.count > 0)
      return Status::Ok;
    (void)process().allocations.remove(devPtr, MemoryKind::Foreign, MemoryKind::Foreign);
    munmap(found->second.memory, found->second.bytes);
    table.opened.erase(found);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return deviceCall([=] {
    const std::shared_ptr<Event> object = process().events.find(event);
    if (!object)
      return Status::InvalidHandle;
    if (!object->shared)
      return Status::InvalidHandle; // made without cudaEventInterprocess
    if (!handle)
      return Status::InvalidValue;
    Handle exported;
    exported.process = int(getpid());
    exported.fd = object->shared->fd();
    write(handle, exported);
    return Status::Ok;
  });
}

extern "C" cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return deviceCall([=] {
    if (!event)
      return Status::InvalidValue;
    const Handle wanted = read(&handle);
    if (wanted.magic == Handle::wanted && wanted.process == int(getpid()))
      return static_cast<Status>(cudaErrorDeviceUninitialized);
    std::shared_ptr<SharedEvent> shared = SharedEvent::map(openFile(wanted));
    if (!shared)
      return static_cast<Status>(cudaErrorMapBufferObjectFailed);
    auto object = std::make_shared<Event>(false);
    object->shared = std::move(shared);
    *event = static_cast<cudaEvent_t>(const_cast<void*>(process().events.add(std::move(object))));
    return Status::Ok;
  });
}
