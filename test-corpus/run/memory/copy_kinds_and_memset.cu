// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemcpyDefault between all kinds of memory, overlapping sub-ranges, asynchronous memset, zero-size copies.
#include <cstdio>
#include <cstring>

__global__ void increment(unsigned char* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ++p[i];
}

int main() {
  const int n = 1000;
  unsigned char plain[n], *device, *device2, *pinned, *managed;
  cudaMalloc(&device, n);
  cudaMalloc((void**)&device2, n);
  cudaMallocHost(&pinned, n);
  cudaMallocManaged(&managed, n, cudaMemAttachGlobal);
  for (int i = 0; i < n; ++i)
    plain[i] = (unsigned char)(i * 7);
  cudaMemcpy(device, plain, n, cudaMemcpyDefault);
  increment<<<4, 256>>>(device, n);
  cudaMemcpy(device2, device, n, cudaMemcpyDefault);
  cudaMemcpy(managed, device2, n, cudaMemcpyDefault);
  increment<<<4, 256>>>(managed, n - 1);
  cudaMemcpyAsync(pinned, managed, n, cudaMemcpyDefault, 0);
  cudaMemcpyAsync(plain, pinned, n, cudaMemcpyHostToHost, 0);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", plain[0], plain[500], plain[n - 1]);
  cudaMemset(device, 0xab, n);
  cudaMemsetAsync(device + 10, 0, 5, 0);
  cudaMemcpy(device2, device + 8, 16, cudaMemcpyDeviceToDevice);
  cudaMemcpy(plain, device2, 16, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; ++i)
    printf("%d ", plain[i]);
  printf("\n%s %s\n", cudaGetErrorName(cudaMemcpy(device, plain, 0, cudaMemcpyHostToDevice)),
         cudaGetErrorName(cudaMemset(device, 0, 0)));
  printf("%s %s %s %s\n", cudaGetErrorName(cudaFree(device)), cudaGetErrorName(cudaFreeHost(pinned)),
         cudaGetErrorName(cudaFree(managed)), cudaGetErrorName(cudaFree(device2)));
  return 0;
}
