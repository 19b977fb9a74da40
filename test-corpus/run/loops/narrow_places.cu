// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a thread's place as numbers of 8 or 16 bits, which begin again within a block or from block to block, in
// sums that look like its place in the grid; and as numbers that are not whole.
#include <cstdio>

__global__ void threads(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + (unsigned char)threadIdx.x;
  if (i < n)
    atomicAdd(&out[i], i * 3 + 1);
}

__global__ void blocks(int* out, int n) {
  const int i = static_cast<unsigned char>(blockIdx.x * blockDim.x) + threadIdx.x;
  if (i < n)
    atomicAdd(&out[i], i + 1);
}

__global__ void signs(int* out, int n) {
  const int i = (short)(blockIdx.x * blockDim.x) + (signed char)threadIdx.x + 128;
  if (i < n)
    atomicAdd(&out[i], i * 5 + 2);
}

__global__ void columns(const int* in, int* out, int n) {
  const int x = blockIdx.x * blockDim.x + (unsigned char)threadIdx.x;
  if (x >= n || threadIdx.x >= 256)
    return;
  int sum = 0;
  for (int z = 0; z < 4; ++z) {
    sum += in[z * n + x];
    out[z * n + x] = sum;
  }
}

__global__ void rows(int* out, int n) {
  const int y = (unsigned char)(blockIdx.y * blockDim.y) + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    atomicAdd(&out[y * n + x], y + x);
}

__global__ void fractions(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (float)(blockIdx.x * blockDim.x) / 3 + (float)threadIdx.x * 0.5f;
}

__global__ void starts(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = (unsigned char)(threadIdx.x + 230); i < n; i += 32)
    sum += in[i] * (i % 7);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <class T> void show(const char* name, T* device, int n) {
  static T host[1 << 15];
  cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0, weighted = 0;
  for (int i = 0; i < n; ++i) {
    sum += double(host[i]);
    weighted += double(host[i]) * (i % 241);
  }
  printf("%s %.1f %.1f\n", name, sum, weighted);
  cudaMemset(device, 0, (1 << 15) * sizeof(T));
}

int main() {
  int *in, *out;
  float* places;
  cudaMalloc(&in, (1 << 15) * sizeof(int));
  cudaMalloc(&out, (1 << 15) * sizeof(int)), cudaMalloc(&places, (1 << 15) * sizeof(float));
  cudaMemset(in, 1, (1 << 15) * sizeof(int)), cudaMemset(out, 0, (1 << 15) * sizeof(int));
  for (const int size : {96, 200, 256, 512}) {
    threads<<<20, size>>>(out, 4000), show("threads", out, 1 << 15);
    blocks<<<20, size>>>(out, 4000), show("blocks", out, 1 << 15);
    signs<<<20, size>>>(out, 4000), show("signs", out, 1 << 15);
    columns<<<20, size>>>(in, out, 4000), show("columns", out, 1 << 15);
    fractions<<<20, size>>>(places, 4000), show("fractions", places, 1 << 15);
  }
  rows<<<dim3(3, 40), dim3(32, 8)>>>(out, 90), show("rows", out, 1 << 15);
  starts<<<2, 64>>>(in, out, 1000), show("starts", out, 1 << 15);
}
