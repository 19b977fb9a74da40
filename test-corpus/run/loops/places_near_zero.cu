// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in memory that are told from where a row of threads begins: without a sign and less than 0
// for threads that a guard leaves out, below 0 with a sign, two or three apart, in the middle of an
// array, beyond the first warp, with counters of loops and of other threads, in macros.
#include <cstdio>

#define AT(x, y) ((y) * width + (x))

__global__ void withoutSign(const int* in, int* out, unsigned n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned before = x - 5;
  int sum = 0;
  if (x < n) {
    for (unsigned k = 0; k < 3; ++k)
      if (x >= 5 + k)
        sum += in[before - k] * int(k + 1);
    if (x > 0)
      sum -= in[x - 1];
    out[x] = sum;
  }
}

__global__ void withSign(const int* middle, int* out, int shift, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += middle[x - shift - k] * (k + 1);
  if (x < n)
    out[x] = sum;
}

__global__ void apart(const int* in, int* out, int n, int rows) {
  __shared__ int s[64];
  const int tx = threadIdx.x, i = 2 * (blockIdx.x * blockDim.x + tx);
  for (int r = 0; r < rows; ++r) {
    s[tx] = i + 1 < n ? in[r * n + i] - in[r * n + i + 1] : 0;
    __syncthreads();
    if (i < n)
      out[r * n + i] = s[63 - tx];
    if (blockIdx.x == 0)
      out[rows * n + 3 * tx + r] = s[tx] + r;
    __syncthreads();
  }
}

__global__ void ofRows(const int* in, int* out, unsigned width, unsigned height) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int sum = in[AT(x, y)];
  if (y > 0)
    sum += in[AT(x, y - 1)];
  if (x > 0 && y + 1 < height)
    sum -= in[(y + 1) * width + x - 1];
  for (unsigned k = 0; k <= threadIdx.y; ++k)
    if (x + k < width)
      sum = sum * 3 + in[y * width + x + k];
  out[AT(x, y)] = sum;
}

static void print(const char* name, const int* out, int n) {
  cudaDeviceSynchronize();
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + static_cast<unsigned>(out[i]);
  std::printf("%s %u\n", name, sum);
}

int main() {
  constexpr int n = 1000;
  int *in, *out;
  cudaMallocManaged(&in, sizeof(int) * 4 * n);
  cudaMallocManaged(&out, sizeof(int) * 4 * n);
  for (int i = 0; i < 4 * n; ++i)
    in[i] = i * 41 % 997 - 400;
  cudaMemset(out, 0, sizeof(int) * 4 * n);
  for (const unsigned threads : {7u, 32u, 64u, 96u, 1024u}) {
    const unsigned blocks = (n + threads - 1) / threads;
    withoutSign<<<blocks, threads>>>(in, out, n);
    print("without sign", out, n);
    withSign<<<blocks, threads>>>(in + 2 * n, out, 300, n);
    print("with sign", out, n);
  }
  apart<<<8, 64>>>(in, out, n, 3);
  print("apart", out, 4 * n);
  ofRows<<<dim3(7, 5), dim3(16, 4)>>>(in, out, 100, 18);
  print("of rows", out, 1800);
  ofRows<<<dim3(2, 3), dim3(70, 7)>>>(in, out, 100, 18);
  print("of odd rows", out, 1800);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
