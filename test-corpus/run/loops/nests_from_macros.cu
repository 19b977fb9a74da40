// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heads of loops that macros write: nests, hints in them, and macros that write something else before or
// behind. A filter looks its weights up by the distance of bytes.
#include <cstdio>

#define RADIUS 2
#define DIAM (2 * RADIUS + 1)
#define FOR_TAPS(dy, dx)               \
  _Pragma("unroll 1")                  \
  for (int dy = 0; dy < DIAM; ++dy)    \
    _Pragma("unroll")                  \
    for (int dx = 0; dx < DIAM; ++dx)
#define FOR_PLAIN(i, n) for (int i = 0; i < (n); i++)
#define FOR_BACK(i, j, n) for (int i = (n); i > 0; --i) for (int j = i; j > 0; j--)
#define COUNTED(i, n) ++count; for (int i = 0; i < (n); ++i)
#define IF_LIVE(i, n) if (live) for (int i = 0; i < (n); ++i)
#define FOR_FIRST(i, j, n) for (int i = 0; i < (n); ++i) for (int j = 0; j < 3; ++j) if (j < 2)
#define FOR_ALL _Pragma("unroll") for (int all = 0; all < 4; ++all)

__constant__ float spatial[DIAM * DIAM];

__global__ void filter(const unsigned char* in, float* out, const float* range, int w, int h) {
  __shared__ unsigned char tile[8 + 2 * RADIUS][32 + 2 * RADIUS];
  __shared__ float lut[256];
  lut[threadIdx.y * 32 + threadIdx.x] = range[threadIdx.y * 32 + threadIdx.x];
  for (int y = threadIdx.y; y < 8 + 2 * RADIUS; y += 8)
    for (int x = threadIdx.x; x < 32 + 2 * RADIUS; x += 32) {
      const int gx = min(max(int(blockIdx.x) * 32 - RADIUS + x, 0), w - 1);
      const int gy = min(max(int(blockIdx.y) * 8 - RADIUS + y, 0), h - 1);
      tile[y][x] = in[gy * w + gx];
    }
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= w || y >= h)
    return;
  const int c = tile[threadIdx.y + RADIUS][threadIdx.x + RADIUS];
  float num = 0, den = 0;
  FOR_TAPS(dy, dx) {
    const int v = tile[threadIdx.y + dy][threadIdx.x + dx];
    const float weight = spatial[dy * DIAM + dx] * lut[abs(v - c)];
    num += weight * float(v);
    den += weight;
  }
  out[y * w + x] = num + den;
}

__global__ void others(int* out, int n) {
  __shared__ int part[64];
  const bool live = threadIdx.x % 3 != 0;
  int count = 0, sum = 0;
  FOR_PLAIN(i, int(threadIdx.x) % 7) sum += i;
  COUNTED(i, n) sum += i * 3;
  IF_LIVE(i, n) sum += i;
  else sum -= 5;
  FOR_BACK(i, j, 4) sum += i * j * threadIdx.x;
  FOR_FIRST(i, j, n) sum += 7;
  else count += i;
  FOR_ALL sum += all;
  part[threadIdx.x] = sum + count;
  __syncthreads();
  out[threadIdx.x] = part[63 - threadIdx.x] + count;
}

int main() {
  const int w = 77, h = 29;
  unsigned char* in;
  float *out, *range, s[DIAM * DIAM];
  int* sums;
  cudaMallocManaged(&in, w * h);
  cudaMallocManaged(&out, w * h * sizeof(float));
  cudaMallocManaged(&range, 256 * sizeof(float));
  cudaMallocManaged(&sums, 64 * sizeof(int));
  // Powers of two and small numbers: sums are exact.
  for (int i = 0; i < w * h; ++i)
    in[i] = (i * 37 + i / w * 11) % 256;
  for (int i = 0; i < 256; ++i)
    range[i] = float(256 - i) / 64;
  for (int i = 0; i < DIAM * DIAM; ++i)
    s[i] = float(1 << (i % 4));
  cudaMemcpyToSymbol(spatial, s, sizeof s);
  filter<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(in, out, range, w, h);
  others<<<1, 64>>>(sums, 5);
  cudaDeviceSynchronize();
  double all = 0;
  for (int i = 0; i < w * h; ++i)
    all += out[i] * (i % 13 + 1);
  printf("filter: %.6f %.6f %.6f\n", all, out[0], out[w * h - 1]);
  for (int i = 0; i < 64; i += 9)
    printf("%d: %d\n", i, sums[i]);
}
