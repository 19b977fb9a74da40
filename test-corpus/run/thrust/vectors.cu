// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of the host and the device: copies, elements, sizes, and raw pointers that kernels work
// on.
#include <cstdio>
#include <list>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>

__global__ void twice(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= 2;
}

int main() {
  thrust::host_vector<int> host(1000);
  for (int i = 0; i < 1000; ++i)
    host[i] = i * 37 % 101;
  thrust::device_vector<int> device = host;
  device[3] = 1000;
  device.push_back(7);
  printf("%d %d %d\n", int(device.size()), int(device[3]), int(device.back()));

  // The kernel is queued; what reads the vector comes after it.
  twice<<<8, 128>>>(thrust::raw_pointer_cast(device.data()), 1001);
  printf("element %d, sum %d\n", int(device[3]), thrust::reduce(device.begin(), device.end()));

  thrust::copy(device.begin(), device.begin() + 5, host.begin());
  printf("%d %d %d %d %d\n", host[0], host[1], host[2], host[3], host[4]);
  std::vector<int> plain(device.size());
  thrust::copy(device.begin(), device.end(), plain.begin());
  std::list<int> list = {5, 6, 7};
  thrust::device_vector<int> fromList(list.begin(), list.end());
  printf("%d %d %d\n", plain[999], plain[1000], int(fromList[2]));

  thrust::device_vector<float> converted(device.begin(), device.begin() + 10);
  thrust::fill(converted.begin() + 2, converted.begin() + 4, 0.5f);
  printf("%.1f %.1f %.1f\n", float(converted[1]), float(converted[2]), float(converted[4]));

  int* raw;
  cudaMalloc(&raw, 100 * sizeof(int));
  thrust::device_ptr<int> pointer(raw);
  thrust::sequence(pointer, pointer + 100, 10);
  pointer[50] = 0;
  twice<<<1, 128>>>(raw, 100);
  int back[100];
  cudaMemcpy(back, raw, sizeof back, cudaMemcpyDeviceToHost);
  printf("%d %d %d, sum %d\n", back[0], back[50], back[99], thrust::reduce(pointer, pointer + 100));
  cudaFree(raw);

  device.resize(2000, 3);
  device.erase(device.begin(), device.begin() + 1500);
  device.insert(device.begin(), 2, 9);
  thrust::device_vector<int> other(10, 1);
  device.swap(other);
  printf("%d %d %d %d\n", int(device.size()), int(other.size()), int(other[0]), int(other[5]));
  printf("%s\n", device == thrust::device_vector<int>(10, 1) ? "PASS" : "different");
}
