// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In C++ cudaMallocAsync takes a pool too, and typed pointers need no cast.
#include <cstdio>

__global__ void fill(int* data, int value) { data[threadIdx.x] = value + threadIdx.x; }

int main() {
  cudaMemPool_t pool;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  std::printf("%s\n", cudaGetErrorName(cudaMemPoolCreate(&pool, &properties)));

  int *one = nullptr, *two = nullptr;
  void* three = nullptr;
  std::printf("%s\n", cudaGetErrorName(cudaMallocAsync(&one, 32 * sizeof(int), pool, stream)));
  std::printf("%s\n",
              cudaGetErrorName(cudaMallocFromPoolAsync(&two, 32 * sizeof(int), pool, stream)));
  std::printf("%s\n", cudaGetErrorName(cudaMallocAsync(&three, 100, pool, stream)));
  fill<<<1, 32, 0, stream>>>(one, 5);
  fill<<<1, 32, 0, stream>>>(two, 7);
  int host[64];
  cudaMemcpyAsync(host, one, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaMemcpyAsync(host + 32, two, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  for (void* pointer : {(void*)one, (void*)two, three})
    std::printf("%s\n", cudaGetErrorName(cudaFreeAsync(pointer, stream)));
  cudaStreamSynchronize(stream);
  std::printf("%d %d %d %d\n", host[0], host[31], host[32], host[63]);
  std::printf("%s\n", cudaGetErrorName(cudaMemPoolDestroy(pool)));
  cudaStreamDestroy(stream);
}
