// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory management: alignment, accounting, bad frees, page-locked and managed memory, what is
// known of a pointer.
#include <cstdio>
#include <cstring>

#include <sys/wait.h>
#include <unistd.h>

#include "runtime_test.h"

namespace {

using Memory = RuntimeTest;

TEST_F(Memory, IsAlignedAndWritable) {
  for (std::size_t bytes :
       {std::size_t(1), std::size_t(100), std::size_t(4096), std::size_t(50) << 20}) {
    char* p = nullptr;
    ASSERT_EQ(cudaMalloc(&p, bytes), cudaSuccess);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 256, 0u);
    p[0] = p[bytes - 1] = 1;
    EXPECT_EQ(cudaFree(p), cudaSuccess);
  }
}

TEST_F(Memory, OfNoBytesIsNull) {
  void* p = &p;
  EXPECT_EQ(cudaMalloc(&p, 0), cudaSuccess);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
}

TEST_F(Memory, MoreThanThereIsFails) {
  std::size_t available = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&available, &total), cudaSuccess);
  EXPECT_LE(available, total);
  char* p = nullptr;
  EXPECT_CUDA_ERROR(cudaMalloc(&p, total + 1), cudaErrorMemoryAllocation);
  EXPECT_CUDA_ERROR(cudaMalloc(&p, SIZE_MAX), cudaErrorMemoryAllocation);
  EXPECT_CUDA_ERROR(cudaMalloc(static_cast<void**>(nullptr), 16), cudaErrorInvalidValue);
}

TEST_F(Memory, FreeMemoryShrinksByWhatIsAllocated) {
  std::size_t before = 0, during = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  char* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 1 << 20), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
  EXPECT_EQ(before - during, std::size_t(1) << 20);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
}

TEST_F(Memory, BadFreesAreErrors) {
  char* device = nullptr;
  char* pinned = nullptr;
  char* managed = nullptr;
  int onStack = 0;
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 100), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaFree(device + 4), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaFree(&onStack), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaFreeHost(device), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaFreeHost(managed), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaFreeHost(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
}

TEST_F(Memory, PitchedRowsAreAligned) {
  char* p = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&p, &pitch, 1001, 7), cudaSuccess);
  EXPECT_EQ(pitch, 1024u);
  p[6 * pitch + 1000] = 1;
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  cudaPitchedPtr box{};
  ASSERT_EQ(cudaMalloc3D(&box, make_cudaExtent(100, 5, 3)), cudaSuccess);
  EXPECT_EQ(box.pitch, 512u);
  EXPECT_EQ(box.xsize, 100u);
  EXPECT_EQ(box.ysize, 5u);
  EXPECT_EQ(cudaFree(box.ptr), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaMallocPitch(&p, &pitch, SIZE_MAX / 2, 100), cudaErrorMemoryAllocation);
}

TEST_F(Memory, PageLockedMemoryHasADevicePointer) {
  int* host = nullptr;
  int* device = nullptr;
  unsigned flags = 0;
  ASSERT_EQ(cudaHostAlloc(&host, 64, cudaHostAllocMapped | cudaHostAllocWriteCombined),
            cudaSuccess);
  EXPECT_EQ(cudaHostGetDevicePointer(&device, host, 0), cudaSuccess);
  EXPECT_NE(device, nullptr);
  EXPECT_EQ(cudaHostGetFlags(&flags, host), cudaSuccess);
  EXPECT_EQ(flags, unsigned(cudaHostAllocMapped | cudaHostAllocWriteCombined));
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaHostGetDevicePointer(&device, host, 0), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaHostAlloc(&host, 64, 0x100), cudaErrorInvalidValue);
}

TEST_F(Memory, OwnMemoryCanBeRegisteredOnce) {
  std::vector<int> own(1000);
  int* device = nullptr;
  ASSERT_EQ(cudaHostRegister(own.data(), 4000, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaHostRegister(own.data() + 10, 40, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostGetDevicePointer(&device, own.data(), 0), cudaSuccess);
  EXPECT_EQ(device, own.data());
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaHostUnregister(own.data()), cudaErrorHostMemoryNotRegistered);
  EXPECT_CUDA_ERROR(cudaHostRegister(nullptr, 4, 0), cudaErrorInvalidValue);
}

TEST_F(Memory, PointersTellWhatTheyAre) {
  char* device = nullptr;
  char* pinned = nullptr;
  char* managed = nullptr;
  int onStack = 0;
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 100), cudaSuccess);
  cudaPointerAttributes a{};
  ASSERT_EQ(cudaPointerGetAttributes(&a, device + 50), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeDevice);
  EXPECT_EQ(a.device, 0);
  EXPECT_EQ(a.devicePointer, device + 50);
  EXPECT_EQ(a.hostPointer, nullptr);
  ASSERT_EQ(cudaPointerGetAttributes(&a, pinned), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeHost);
  EXPECT_EQ(a.hostPointer, pinned);
  ASSERT_EQ(cudaPointerGetAttributes(&a, managed + 99), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeManaged);
  ASSERT_EQ(cudaPointerGetAttributes(&a, &onStack), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
}

TEST_F(Memory, FreedInAStreamsOrderIsGoneForTheCaller) {
  Stream stream;
  Gate gate;
  gate.close(stream);
  int* p = nullptr;
  ASSERT_EQ(cudaMallocAsync(&p, 400, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(p, 1, 400, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(p, stream), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaFreeAsync(p, stream), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaFree(p), cudaErrorInvalidValue);
  gate.open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
}

void addOne(int* p) { ++*p; }

TEST_F(Memory, ManagedMemoryIsSharedWithTheHost) {
  int* p = nullptr;
  ASSERT_EQ(cudaMallocManaged(&p, sizeof(int)), cudaSuccess);
  *p = 41;
  EXPECT_EQ(cudaMemAdvise(p, sizeof(int), cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(p, sizeof(int), 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(p, sizeof(int), cudaCpuDeviceId, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(p, sizeof(int), cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0,
                                 nullptr),
            cudaSuccess);
  cu2cpp::launch(addOne, 1, 1)(p);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*p, 42);
  EXPECT_CUDA_ERROR(cudaMemPrefetchAsync(p, 100000, 0), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaMemPrefetchAsync(p, 4, 99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
}

TEST_F(Memory, FreeWaitsForTheKernelsThatUseIt) {
  static int flag = 0;
  Gate gate;
  Stream stream;
  gate.close(stream);
  int* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, sizeof(int)), cudaSuccess);
  cu2cpp::launch([](int* q, int* done) { *q = 1, *done = 1; }, 1, 1, 0, stream)(p, &flag);
  gate.open();
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(flag, 1);
}

// The exporter has freed the memory, and some smaller file has its descriptor now: reading beyond
// its end would end the process.
TEST_F(Memory, AHandleOfFreedMemoryIsRefused) {
  void* p = nullptr;
  cudaIpcMemHandle_t handle{};
  ASSERT_EQ(cudaMalloc(&p, 1 << 20), cudaSuccess);
  ASSERT_EQ(cudaIpcGetMemHandle(&handle, p), cudaSuccess);
  ASSERT_EQ(cudaFree(p), cudaSuccess);
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  const pid_t child = fork();
  if (child == 0) {
    void* mapped = nullptr;
    const cudaError_t error = cudaIpcOpenMemHandle(&mapped, handle, cudaIpcMemLazyEnablePeerAccess);
    // Another program takes over: memory of threads that the child never had would count as lost.
    execlp(error == cudaErrorMapBufferObjectFailed ? "true" : "false", "", nullptr);
    _exit(1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  std::fclose(file);
}

} // namespace
