// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide totals and running totals in two phases, on a stream, between kernels of the stream.
#include <cstdio>

#include <cub/cub.cuh>

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void fill(int* data, int n, int seed) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] = (i * 7919 + seed) % 1009 - 500;
}
__global__ void addOne(int* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] += 1;
}

template <class Call> void twice(cudaStream_t stream, Call call) {
  void* temp = nullptr;
  size_t bytes = 0;
  call(temp, bytes);
  cudaMallocAsync(&temp, bytes, stream);
  const cudaError_t error = call(temp, bytes);
  if (error != cudaSuccess)
    printf("error: %s\n", cudaGetErrorString(error));
  cudaFreeAsync(temp, stream);
}

unsigned hashOf(const int* values, int n) {
  unsigned hash = 0;
  for (int i = 0; i < n; ++i)
    hash = hash * 31 + unsigned(values[i]);
  return hash;
}

int main() {
  const int n = 100000;
  int *data, *scanned, *result, *host;
  long long* wide;
  cudaMalloc(&data, n * sizeof(int));
  cudaMalloc(&scanned, n * sizeof(int));
  cudaMalloc(&result, 4 * sizeof(int));
  cudaMalloc(&wide, sizeof(long long));
  cudaMallocHost(&host, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

  fill<<<40, 128, 0, stream>>>(data, n, 3);
  twice(stream,
        [&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, data, result, n, stream); });
  addOne<<<40, 128, 0, stream>>>(data, n);
  twice(stream, [&](void* t, size_t& b) {
    return cub::DeviceReduce::Max(t, b, data, result + 1, n, stream);
  });
  twice(stream, [&](void* t, size_t& b) {
    return cub::DeviceReduce::Min(t, b, data, result + 2, n, stream);
  });
  twice(stream, [&](void* t, size_t& b) {
    return cub::DeviceReduce::Reduce(t, b, data, result + 3, n, Larger(), 600, stream);
  });
  cudaMemcpyAsync(host, result, 4 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("sum %d, largest %d, smallest %d, with 600 %d\n", host[0], host[1], host[2], host[3]);

  twice(stream, [&](void* t, size_t& b) {
    return cub::DeviceScan::ExclusiveSum(t, b, data, scanned, n, stream);
  });
  cudaMemcpyAsync(host, scanned, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("exclusive sums %u, last %d\n", hashOf(host, n), host[n - 1]);
  twice(stream, [&](void* t, size_t& b) {
    return cub::DeviceScan::InclusiveScan(t, b, data, scanned, Larger(), n, stream);
  });
  cudaMemcpyAsync(host, scanned, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("running maxima %u, last %d\n", hashOf(host, n), host[n - 1]);
  // In place.
  twice(stream, [&](void* t, size_t& b) {
    return cub::DeviceScan::InclusiveSum(t, b, data, data, n, stream);
  });
  cudaMemcpyAsync(host, data, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("inclusive sums %u, last %d\n", hashOf(host, n), host[n - 1]);

  // Segments, an empty one among them.
  fill<<<40, 128, 0, stream>>>(data, n, 5);
  int* offsets;
  cudaMallocManaged(&offsets, 5 * sizeof(int));
  const int starts[5] = {0, 10, 10, 5000, n};
  for (int i = 0; i < 5; ++i)
    offsets[i] = starts[i];
  twice(stream, [&](void* t, size_t& b) {
    return cub::DeviceSegmentedReduce::Sum(t, b, data, result, 4, offsets, offsets + 1, stream);
  });
  cudaMemcpyAsync(host, result, 4 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("segments %d %d %d %d\n", host[0], host[1], host[2], host[3]);

  // The call says when its memory is too small.
  size_t bytes = 1;
  printf("too small: %d\n",
         cub::DeviceReduce::Sum(result, bytes, data, result, n, stream) != cudaSuccess);
  cudaGetLastError();
  cudaStreamSynchronize(stream);
  printf("PASS\n");
}
