// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers that overflow wrap around, in kernels as on a GPU and in the host code that checks them:
// a program that counts on it must not depend on what a compiler makes of undefined overflows.
#include <cstdio>
#include <vector>

__global__ void square(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] *= values[i];
}

// A hash whose sign decides.
__global__ void hash(const int* text, int n, int* hashes, int* negative) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int h = 17;
  for (int k = 0; k < 40; ++k)
    h = h * 31 + text[(i + k) % n];
  hashes[i] = h;
  if (h < 0)
    atomicAdd(negative, 1);
}

int main() {
  const int n = 100000;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i;
  int* onDevice;
  cudaMalloc(&onDevice, n * sizeof(int));
  cudaMemcpy(onDevice, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  square<<<(n + 255) / 256, 256>>>(onDevice, n);
  cudaMemcpy(values.data(), onDevice, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (values[i] != i * i)
      ++wrong;
  std::printf("squares: %d wrong, the last is %d\n", wrong, values[n - 1]);

  int *hashes, *negative;
  cudaMalloc(&hashes, n * sizeof(int));
  cudaMallocManaged(&negative, sizeof(int));
  *negative = 0;
  hash<<<(n + 127) / 128, 128>>>(onDevice, n, hashes, negative);
  cudaMemcpy(values.data(), hashes, n * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned all = 0;
  int below = 0;
  for (int h : values) {
    all = all * 33 + unsigned(h);
    below += h < 0;
  }
  std::printf("hashes: %08x, %d negative, %d in the kernel\n", all, below, *negative);

  cudaFree(onDevice);
  cudaFree(hashes);
  cudaFree(negative);
}
