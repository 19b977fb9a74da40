// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of bytes under conditions that ask for the thread's place alone: those that take the
// branch are neighbours, all, none, or every other one.
#include <cstdio>

constexpr int width = 64, bins = 16;

__global__ void pairs(const unsigned char* a, const unsigned char* b, int n, unsigned* out) {
  __shared__ unsigned counts[bins * bins];
  for (int i = threadIdx.x; i < bins * bins; i += blockDim.x)
    counts[i] = 0;
  __syncthreads();
  const int shift = blockIdx.x * 33 - 66;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int x = i & (width - 1), other = x + shift;
    if (other < 0 || other >= width)
      continue;
    atomicAdd(&counts[(a[i] >> 4) * bins + (b[i + shift] >> 4)], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bins * bins; i += blockDim.x)
    out[blockIdx.x * bins * bins + i] = counts[i];
}
// Every other thread, two ranges of a row, and the last thread alone.
__global__ void some(const unsigned char* a, int n, int* out) {
  __shared__ int odd[bins], outer[bins], last[bins];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < bins)
    odd[t] = outer[t] = last[t] = 0;
  __syncthreads();
  if ((i & 1) != 0 && i < n)
    atomicAdd(&odd[(a[i] * 5 >> 4) % bins], int(a[i]));
  __syncthreads();
  const int place = i % 96;
  if ((place < 20 || place >= 70) && i < n)
    atomicMax(&outer[(a[i] + 3) % bins], int(a[i]) * 2 + 1);
  __syncthreads();
  if (i + 1 >= n && i < n)
    atomicAdd(&last[(a[i] + 5 * t) % bins], t + 1);
  __syncthreads();
  if (t < bins) {
    atomicAdd(&out[t], odd[t]);
    atomicMax(&out[bins + t], outer[t]);
    atomicAdd(&out[2 * bins + t], last[t]);
  }
}

int main() {
  const int n = width * 29, blocks = 5;
  unsigned char *a, *b;
  unsigned* counts;
  int* out;
  cudaMallocManaged(&a, n);
  cudaMallocManaged(&b, n);
  cudaMallocManaged(&counts, blocks * bins * bins * sizeof(unsigned));
  cudaMallocManaged(&out, 3 * bins * sizeof(int));
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<unsigned char>(i * 37 + i / 5);
    b[i] = static_cast<unsigned char>(i * 11 + i / 3);
  }
  for (int i = 0; i < 3 * bins; ++i)
    out[i] = 0;
  pairs<<<blocks, 256>>>(a, b, n, counts);
  some<<<(n + 199) / 200, 200>>>(a, n, out);
  cudaDeviceSynchronize();
  for (int k = 0; k < blocks; ++k) {
    unsigned all = 0, sum = 0;
    for (int i = 0; i < bins * bins; ++i) {
      all += counts[k * bins * bins + i];
      sum += counts[k * bins * bins + i] * (i + 1);
    }
    printf("%u %u\n", all, sum);
  }
  for (int i = 0; i < 3 * bins; ++i)
    printf("%d%c", out[i], i % bins == bins - 1 ? '\n' : ' ');
}
