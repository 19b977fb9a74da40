// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches of threads whose places are far from each other: trees of strides, steps that are given,
// places that wrap around, steps of zero and below.
#include <cstdio>

constexpr int size = 128;

__global__ void brentKung(const int* in, int* out, unsigned n) {
  __shared__ int s[2 * size];
  const unsigned i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  s[threadIdx.x + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < 2 * size)
      s[index] += s[index - stride];
  }
  for (int stride = size / 2; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned index = (threadIdx.x + 1) * stride * 2 - 1;
    if (index + stride < 2 * size)
      s[index + stride] += s[index];
  }
  __syncthreads();
  if (i < n)
    out[i] = s[threadIdx.x];
  if (i + blockDim.x < n)
    out[i + blockDim.x] = s[threadIdx.x + blockDim.x];
}

__global__ void tree(const int* in, int* out) {
  __shared__ int s[size];
  const int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    const int at = 2 * step * tid;
    if (at < blockDim.x)
      s[at] += s[at + step];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = s[0];
}

// What the threads of a row add where their place, computed in 32 or in 64 bits, is within bounds.
__global__ void marked(int* out, int step, unsigned factor, long long wide, int low, int high) {
  __shared__ int s[4 * size];
  const int rank = threadIdx.y * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k)
    s[k * size + rank] = 0;
  __syncthreads();
  for (int round = 1; round <= 2; ++round) {
    const int place = threadIdx.x * step * round + low;
    if (place >= low - 5 && place <= high)
      s[rank] += round;
    __syncthreads();
    if (threadIdx.x * factor * round < high)
      s[size + rank] += round;
    __syncthreads();
    if (low < wide * threadIdx.x && !(wide * threadIdx.x >= high))
      s[2 * size + rank] += round;
    __syncthreads();
    if (high > 3 * (step + round) * int(threadIdx.x) + int(threadIdx.y) * step)
      s[3 * size + rank] += round;
    __syncthreads();
  }
  for (int k = 0; k < 4; ++k)
    out[k * size + rank] = s[k * size + rank];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 1000 * sizeof(int));
  cudaMallocManaged(&out, 1000 * sizeof(int));
  for (int i = 0; i < 1000; ++i)
    in[i] = (i * 7919) % 101 - 30;

  const auto sum = [&](int n) {
    cudaDeviceSynchronize();
    unsigned long long total = 0;
    for (int i = 0; i < n; ++i)
      total = total * 31 + out[i];
    return total;
  };
  brentKung<<<4, size>>>(in, out, 999);
  const unsigned long long scanned = sum(999);
  printf("scan %llu %d %d\n", scanned, out[255], out[998]);
  tree<<<7, size>>>(in, out);
  const unsigned long long trees = sum(7);
  printf("trees %llu %d %d\n", trees, out[0], out[6]);

  const struct {
    int step;
    unsigned factor;
    long long wide;
    int low, high;
  } cases[] = {{1, 1, 1, 0, 20},
               {3, 5, 7, 2, 99},
               {0, 0, 0, -3, 1},
               {-2, 1u << 31, -4, -50, 60},
               {1 << 20, 1u << 25, 1ll << 33, 0, 2000000000},
               {1 << 28, 3u << 30, 1ll << 60, -7, 1000},
               {100000000, 4000000000u, -(1ll << 40), 1000000000, 2147483647}};
  for (const auto& c : cases)
    for (const dim3 block : {dim3(size), dim3(size / 4, 4), dim3(24, 5)}) {
      cudaMemset(out, 0, 1000 * sizeof(int));
      marked<<<1, block>>>(out, c.step, c.factor, c.wide, c.low, c.high);
      const unsigned long long all = sum(4 * size);
      int counts[4] = {0, 0, 0, 0};
      for (int i = 0; i < 4 * size; ++i)
        counts[i / size] += out[i];
      printf("%d x %d: %llu %d %d %d %d\n", block.x, block.y, all, counts[0], counts[1], counts[2], counts[3]);
    }
  return 0;
}
