// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that take several items each, in loops that count them: `if (base + k < n)` holds for a
// range of threads in all steps, in some, or in none.
#include <cstdio>
#include <vector>

static unsigned long long hashOf(const std::vector<int>& values) {
  unsigned long long hash = 14695981039346656037ull;
  for (int v : values)
    hash = (hash ^ static_cast<unsigned>(v)) * 1099511628211ull;
  return hash;
}

constexpr int threads = 64, guardCells = 600;

// One block after the other, `stride` apart.
template <int items> __global__ void striped(const int* in, int* out, int n) {
  const int base = blockIdx.x * threads * items + threadIdx.x;
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const int i = base + k * threads;
    if (i < n)
      out[i] = in[i] * 3 + k;
  }
}

// Neighbours.
template <int items> __global__ void blocked(const int* in, int* out, int n) {
  const int base = (blockIdx.x * blockDim.x + threadIdx.x) * items;
#pragma unroll
  for (int k = 0; k < items; k++)
    if (base + k < n)
      out[base + k] = in[base + k] + 7 * k;
}

__global__ void ofBlockSize(const int* in, int* out, unsigned n) {
  for (unsigned k = 0; k <= 2; k++) {
    unsigned i = blockIdx.x * blockDim.x * 3 + k * blockDim.x + threadIdx.x;
    if (i >= n)
      return;
    out[i] = in[i] ^ int(k);
  }
}

// Places before the first one wrap around.
__global__ void window(const int* in, int* out, unsigned n, unsigned before) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int k = 0; k < 5; ++k) {
    const unsigned at = i - before + k;
    if (at < n)
      sum += in[at] * (k + 1);
  }
  out[i] = sum;
}

// Steps of two, a lower bound, and a place that the loop changes.
__global__ void everySecond(const int* in, int* out, int low, int high) {
  const int first = blockIdx.x * 256 + threadIdx.x * 4;
  int moved = first;
  for (int k = 0; k < 4; k += 2) {
    const int i = first + k;
    if (i >= low && i < high)
      out[i] = in[i] - 5;
    moved += 2;
    if (moved - 1 < high && moved > low)
      out[moved - 1] += 11;
  }
}

// With barriers: what is beyond the end counts as 1.
template <int items> __global__ void blockSums(const int* in, int* out, int* sums, int n) {
  __shared__ int s[threads];
  const int tid = threadIdx.x, base = blockIdx.x * threads * items + tid * items;
  int own[items], sum = 0;
#pragma unroll
  for (int k = 0; k < items; ++k) {
    own[k] = base + k < n ? in[base + k] : 1;
    sum += own[k];
  }
  s[tid] = sum;
  __syncthreads();
  for (int d = 1; d < threads; d *= 2) {
    const int before = tid >= d ? s[tid - d] : 0;
    __syncthreads();
    s[tid] += before;
    __syncthreads();
  }
  int run = s[tid] - sum;
#pragma unroll
  for (int k = 0; k < items; ++k) {
    run += own[k];
    if (base + k < n)
      out[base + k] = run;
  }
  if (tid == threads - 1)
    sums[blockIdx.x] = s[tid];
}

__global__ void stripedWithBarrier(const int* in, int* out, int n) {
  __shared__ int s[4 * threads];
  for (int k = 0; k < 4; ++k) {
    const int i = blockIdx.x * 4 * threads + k * threads + threadIdx.x;
    s[k * threads + threadIdx.x] = i < n ? in[i] : -1;
  }
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    const int i = blockIdx.x * 4 * threads + k * threads + threadIdx.x;
    if (i < n)
      out[i] = s[4 * threads - 1 - k * threads - threadIdx.x] + s[k * threads + threadIdx.x];
  }
}

int main() {
  const int most = 2048;
  std::vector<int> host(most + guardCells), result(most + guardCells);
  for (int i = 0; i < most + guardCells; ++i)
    host[i] = (i * 7919 + 13) % 10007;
  int *in, *out, *sums;
  cudaMalloc(&in, host.size() * sizeof(int));
  cudaMalloc(&out, host.size() * sizeof(int));
  cudaMalloc(&sums, 64 * sizeof(int));
  cudaMemcpy(in, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  for (int n : {0, 1, 3, 63, 64, 65, 250, 253, 256, 257, 511, 700, 1021, 1024, 1279}) {
    std::printf("n = %d:", n);
    const auto show = [&](auto&& launch) {
      cudaMemset(out, 0, host.size() * sizeof(int));
      launch();
      cudaDeviceSynchronize();
      cudaMemcpy(result.data(), out, host.size() * sizeof(int), cudaMemcpyDeviceToHost);
      std::printf(" %016llx", hashOf(result));
    };
    const auto blocks = [&](int items) { return n / (threads * items) + 1; };
    show([&] { striped<4><<<blocks(4), threads>>>(in, out, n); });
    show([&] { blocked<4><<<blocks(4), threads>>>(in, out, n); });
    show([&] { blocked<3><<<blocks(3), threads>>>(in, out, n); });
    show([&] { ofBlockSize<<<blocks(3), threads>>>(in, out, unsigned(n)); });
    show([&] { window<<<blocks(1), threads>>>(in, out, unsigned(n), 2u); });
    show([&] { window<<<blocks(1), threads>>>(in, out, unsigned(n), 0u); });
    show([&] { everySecond<<<blocks(4), threads>>>(in, out, n / 5, n); });
    show([&] { blockSums<4><<<blocks(4), threads>>>(in, out, sums, n); });
    int lastSum = 0;
    cudaMemcpy(&lastSum, sums + n / (threads * 4), sizeof(int), cudaMemcpyDeviceToHost);
    show([&] { stripedWithBarrier<<<blocks(4), threads>>>(in, out, n); });
    std::printf(" %d\n", lastSum);
  }
  cudaFree(in);
  cudaFree(out);
  cudaFree(sums);
  return 0;
}
