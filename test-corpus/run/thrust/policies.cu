// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution policies: the order of a stream, work on raw pointers, the host's, one thread's in a
// kernel.
#include <cstdio>

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>

__global__ void fill(int* data, int n, int factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] = i * factor % 1009;
}

struct Negative {
  __host__ __device__ int operator()(int x) const { return -x; }
};

struct Add {
  int* data;
  int by;
  __host__ __device__ void operator()(int i) const { data[i] += by; }
};

// Each thread sorts a row of its own.
__global__ void sortRows(int* data, int columns, int* sums) {
  int* row = data + threadIdx.x * columns;
  thrust::sort(thrust::seq, row, row + columns);
  sums[threadIdx.x] = thrust::reduce(thrust::seq, row, row + columns / 2);
}

int main() {
  const int n = 10000;
  int* data;
  cudaMalloc(&data, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  const auto policy = thrust::cuda::par.on(stream);
  fill<<<4, 64, 0, stream>>>(data, n, 31);
  thrust::transform(policy, data, data + n, data, Negative());
  printf("after the kernel %d\n", thrust::reduce(policy, data, data + n));
  fill<<<4, 64, 0, stream>>>(data, n, 7);
  thrust::for_each(policy, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                   Add{data, 5});
  thrust::inclusive_scan(policy, data, data + n, data);
  int last;
  cudaMemcpyAsync(&last, data + n - 1, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("last sum %d\n", last);

  fill<<<4, 64>>>(data, n, 11);
  thrust::sort(thrust::device, data, data + n);
  cudaMemcpy(&last, data + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("largest %d\n", last);

  int host[100];
  for (int i = 0; i < 100; ++i)
    host[i] = i * 37 % 101;
  thrust::sort(thrust::host, host, host + 100);
  printf("host %d %d, sum %d\n", host[0], host[99], thrust::reduce(thrust::host, host, host + 100));

  fill<<<4, 64>>>(data, n, 13);
  int* sums;
  cudaMallocManaged(&sums, 64 * sizeof(int));
  sortRows<<<1, 64>>>(data, 100, sums);
  cudaDeviceSynchronize();
  printf("rows %d %d %d\n", sums[0], sums[1], sums[63]);
  cudaStreamDestroy(stream);
  printf("PASS\n");
}
