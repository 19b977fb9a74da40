// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops around barriers whose heads step several variables: places of each thread beside the
// counter, before or behind it, places that depend on the counter, names that the body declares
// again, steps that are skipped by continue.
#include <cstdio>

constexpr int threads = 64;

__global__ void besideCounter(const int* in, int* out, int n, int plane) {
  __shared__ int s[threads];
  const int tx = threadIdx.x;
  int at = blockIdx.x * threads + tx, sum = 0;
  for (int z = 0; z < n; ++z, at += plane) {
    s[tx] = in[at];
    __syncthreads();
    sum += s[threads - 1 - tx] * (z + 1);
    __syncthreads();
  }
  out[blockIdx.x * threads + tx] = sum + at;
}

__global__ void beforeCounter(const int* in, int* out, int n, int plane) {
  __shared__ int s[threads];
  const int tx = threadIdx.x;
  int at = blockIdx.x * threads + tx, weight = tx, sum = 0;
  for (int z = 0; z < n; at += plane, weight = weight * 3 + tx, z += 2) {
    s[tx] = in[at] ^ weight;
    __syncthreads();
    if (s[0] == 12345)
      break;
    sum += s[(tx + 1) % threads];
    __syncthreads();
  }
  out[blockIdx.x * threads + tx] = sum + weight;
}

__global__ void ofCounter(const int* in, int* out, int n, int plane) {
  __shared__ int s[threads];
  const int tx = threadIdx.x;
  int at = tx, sum = 0;
  for (int z = 0; z < n; ++z, at = z * plane + tx) {
    s[tx] = in[at];
    __syncthreads();
    sum = sum * 7 + s[tx ^ 1];
    __syncthreads();
  }
  out[blockIdx.x * threads + tx] = sum;
}

__global__ void declaredAgain(const int* in, int* out, int n, int plane) {
  __shared__ int s[threads];
  const int tx = threadIdx.x;
  int at = tx, sum = 0;
  for (int z = 0; z < n; ++z, at += plane + tx % 2) {
    const int plane = z & 1;
    s[tx] = in[at] + plane;
    __syncthreads();
    sum += s[threads - 1 - tx] << plane;
    __syncthreads();
  }
  out[blockIdx.x * threads + tx] = sum;
}

__global__ void skipped(const int* in, int* out, int n, int plane) {
  __shared__ int s[threads];
  const int tx = threadIdx.x;
  int at = tx, sum = 0;
  for (int z = 0; z < n; ++z, at += plane) {
    if (z % 3 == 1)
      continue;
    s[tx] = in[at];
    __syncthreads();
    sum += s[tx / 2] * z;
    __syncthreads();
  }
  out[blockIdx.x * threads + tx] = sum;
}

int main() {
  constexpr int blocks = 3, plane = blocks * threads + 8, steps = 9;
  int *in, *out;
  cudaMallocManaged(&in, sizeof(int) * plane * (steps + 1));
  cudaMallocManaged(&out, sizeof(int) * blocks * threads);
  for (int i = 0; i < plane * (steps + 1); ++i)
    in[i] = i * 37 % 1009 - 300;
  using Kernel = void (*)(const int*, int*, int, int);
  const Kernel kernels[] = {besideCounter, beforeCounter, ofCounter, declaredAgain, skipped};
  for (const Kernel kernel : kernels)
    for (const int n : {0, 1, steps}) {
      kernel<<<blocks, threads>>>(in, out, n, plane);
      cudaDeviceSynchronize();
      unsigned sum = 0;
      for (int i = 0; i < blocks * threads; ++i)
        sum = sum * 31 + static_cast<unsigned>(out[i]);
      std::printf("%d %u\n", n, sum);
    }
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
