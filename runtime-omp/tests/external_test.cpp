// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of other APIs by file descriptor: as a buffer and as levels of an image.
#include <sys/mman.h>
#include <unistd.h>

#include "runtime_test.h"

namespace {

using External = RuntimeTest;

cudaExternalMemory_t import(int fd, std::size_t bytes) {
  cudaExternalMemoryHandleDesc desc{};
  desc.type = cudaExternalMemoryHandleTypeOpaqueFd;
  desc.handle.fd = dup(fd); // the runtime takes the descriptor over
  desc.size = bytes;
  cudaExternalMemory_t memory = nullptr;
  EXPECT_EQ(cudaImportExternalMemory(&memory, &desc), cudaSuccess);
  return memory;
}

TEST_F(External, AnImageIsItsLevelsOneBehindTheOther) {
  constexpr std::size_t bytes = 64 << 10;
  const int fd = memfd_create("image", 0);
  ASSERT_EQ(ftruncate(fd, bytes), 0);
  cudaExternalMemory_t memory = import(fd, bytes);

  cudaExternalMemoryMipmappedArrayDesc desc{};
  desc.formatDesc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  desc.extent = {20, 10, 0};
  desc.numLevels = 3;
  cudaMipmappedArray_t mipmap = nullptr;
  ASSERT_EQ(cudaExternalMemoryGetMappedMipmappedArray(&mipmap, memory, &desc), cudaSuccess);
  cudaArray_t second = nullptr;
  ASSERT_EQ(cudaGetMipmappedArrayLevel(&second, mipmap, 1), cudaSuccess);
  int rows[5][10];
  for (int i = 0; i < 50; ++i)
    rows[i / 10][i % 10] = i;
  ASSERT_EQ(cudaMemcpy2DToArray(second, 0, 0, rows, sizeof rows[0], sizeof rows[0], 5,
                                cudaMemcpyHostToDevice),
            cudaSuccess);
  // The first level has 20 * 10 numbers: 800 bytes, so the second begins at 1024.
  int found[50] = {};
  ASSERT_EQ(pread(fd, found, sizeof found, 1024), ssize_t(sizeof found));
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(found[i], i);

  desc.extent = {200, 200, 0};
  EXPECT_CUDA_ERROR(cudaExternalMemoryGetMappedMipmappedArray(&mipmap, memory, &desc),
                    cudaErrorInvalidValue);
  desc.extent = {20, 10, 0};
  desc.numLevels = 0;
  EXPECT_CUDA_ERROR(cudaExternalMemoryGetMappedMipmappedArray(&mipmap, memory, &desc),
                    cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeMipmappedArray(mipmap), cudaSuccess);
  EXPECT_EQ(cudaDestroyExternalMemory(memory), cudaSuccess);
  close(fd);
}

} // namespace
