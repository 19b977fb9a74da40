// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels may have the names of algorithms, with `using namespace std;`.
#include <algorithm>
#include <cstdio>
#include <numeric>

using namespace std;

__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }
__global__ void reduce(const int* data, int* sum) { atomicAdd(sum, data[threadIdx.x]); }
template <class T> __global__ void copy(T* to, const T* from) {
  to[threadIdx.x] = from[threadIdx.x];
}
template <class T> __global__ void transform(T* data, T by) { data[threadIdx.x] *= by; }
__global__ void swap(int* data) {
  __shared__ int all[32];
  all[threadIdx.x] = data[threadIdx.x] + threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = all[31 - threadIdx.x];
}

template <class T> void scale(T* data, T by) { transform<<<1, 32>>>(data, by); }

int main() {
  int *data, *other, *sum;
  cudaMallocManaged(&data, 32 * sizeof(int));
  cudaMallocManaged(&other, 32 * sizeof(int));
  cudaMallocManaged(&sum, sizeof(int));
  fill<<<1, 32>>>(data, 3);
  swap<<<1, 32>>>(data);
  copy<<<1, 32>>>(other, data);
  copy<int><<<1, 16>>>(other, data + 16);
  transform<<<1, 32>>>(other, 2);
  scale(other, 5);
  *sum = 0;
  cudaDeviceSynchronize();
  ::reduce<<<1, 32>>>(other, sum);
  cudaDeviceSynchronize();
  int smallest = data[0], largest = data[31];
  swap(smallest, largest);
  printf("%d %d %d %d %d\n", smallest, largest, *max_element(other, other + 32), *sum,
         accumulate(data, data + 32, 0));
  cudaFree(data);
  cudaFree(other);
  cudaFree(sum);
}
