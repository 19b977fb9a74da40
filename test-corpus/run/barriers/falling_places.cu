// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on places that fall from thread to thread (`d - threadIdx.x`), around barriers: wavefronts
// over anti-diagonals, mirrored places, unsigned differences below zero, bounds of other types, steps of
// two, branches of several parts and conditions that do something.
#include <cstdio>

// The number of common steps of two words, along anti-diagonals.
__global__ void common(const char* a, const char* b, int* out, int length) {
  __shared__ int diagonal[3][129];
  const int i = threadIdx.x;
  for (int k = 0; k < 3; ++k) {
    diagonal[k][i + 1] = 0;
    if (i == 0)
      diagonal[k][0] = 0;
  }
  __syncthreads();
  int cur = 0, prev = 2, prev2 = 1, best = 0;
  for (int d = 0; d < int(blockDim.x) + length - 1; ++d) {
    const int j = d - i;
    int value = 0;
    if (j >= 0 && j < length) {
      value = a[i] == b[j] ? diagonal[prev2][i] + 1
                           : max(diagonal[prev][i], diagonal[prev][i + 1]);
      best = max(best, value);
    }
    diagonal[cur][i + 1] = value;
    __syncthreads();
    const int spare = prev2;
    prev2 = prev;
    prev = cur;
    cur = spare;
  }
  out[i] = best;
}

__device__ int counted(int* counter, int value) { return atomicAdd(counter, 1) * 0 + value; }

__global__ void kinds(int* out, int* asked, int n, unsigned bound, long long far, int low) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  const int last = int(blockDim.x) - 1;
  for (int d = 0; d < 300; d += 7) {
    s[t] = d;
    __syncthreads();
    if (unsigned(d - t) < bound) // threads behind d have large values
      s[t] += 1;
    if (100u - threadIdx.x <= bound)
      s[t] += 2;
    if (d - t >= bound)
      s[t] += 4;
    if (far - t > 4294967296ll)
      s[t] += 8;
    if (d - 2 * t > low && n > last - t)
      s[t] += 16;
    else
      s[t] -= 3;
    if (!(d - t < low || last - t < 9))
      s[t] += 32;
    if (d - t >= 0 && counted(asked, 1) == 1 && t < n)
      s[t] += 64;
    if (!(n - 1 - t <= low) && t > 3)
      s[t] += 128;
    __syncthreads();
    out[t] = out[t] * 3 + s[t] * 5 + s[last - t];
    __syncthreads();
  }
}

__global__ void rows(int* out, int d) {
  __shared__ int tile[8][64];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = x + y;
  __syncthreads();
  if (d - x - y >= 0 && d - x < 40)
    tile[y][x] = tile[y][x] * 2 + d;
  __syncthreads();
  if (d - x > 3)
    for (int k = 0; k < 4; ++k)
      tile[y][x] += tile[y][63] * 0 + k;
  __syncthreads();
  out[y * 64 + x] += tile[7 - y][63 - x] + tile[y][x];
}

static unsigned hash(const int* values, int count) {
  unsigned h = 2166136261u;
  for (int i = 0; i < count; ++i)
    h = (h ^ unsigned(values[i])) * 16777619u;
  return h;
}

int main() {
  char *a, *b;
  int *out, *asked;
  cudaMallocManaged(&a, 128);
  cudaMallocManaged(&b, 300);
  cudaMallocManaged(&out, 512 * sizeof(int));
  cudaMallocManaged(&asked, sizeof(int));
  for (int i = 0; i < 128; ++i)
    a[i] = "ACGT"[(i * i + i / 3) % 4];
  for (int i = 0; i < 300; ++i)
    b[i] = "ACGT"[(i * 7 + i / 5) % 4];
  for (const int length : {1, 9, 100, 300})
    for (const int width : {128, 64, 50}) {
      common<<<1, width>>>(a, b, out, length);
      cudaDeviceSynchronize();
      printf("common %d %d: %d %08x\n", length, width, out[width - 1], hash(out, width));
    }
  for (const int width : {128, 96, 33})
    for (const int low : {-5, 0, 20}) {
      for (int i = 0; i < 512; ++i)
        out[i] = 0;
      *asked = 0;
      kinds<<<1, width>>>(out, asked, 90, 30u + low, 4294967296ll + 50 + low, low);
      cudaDeviceSynchronize();
      printf("kinds %d %d: %d %08x\n", width, low, *asked, hash(out, width));
    }
  for (int i = 0; i < 512; ++i)
    out[i] = 0;
  for (int d = -3; d < 120; d += 5)
    rows<<<1, dim3(64, 8)>>>(out, d);
  cudaDeviceSynchronize();
  printf("rows %08x\n", hash(out, 512));
  return 0;
}
