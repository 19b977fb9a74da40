// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and guards in the forms in which programs write them: tiles loaded by the number of an element, pointers that threads
// move to their place, every n-th thread, unsigned neighbours at an edge, tile widths that are named constants, short
// loops to be unrolled, loops that lanes leave after calls by reference.
#include <cstdio>

const int width = 75, height = 41, tileWidth = 32, tileHeight = 8;

__device__ unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  return x ^ x >> 15;
}

template <typename T> __global__ void tileByNumber(const T* in, T* out, int w, int h) {
  __shared__ T tile[tileHeight + 2][tileWidth + 2];
  for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < (tileHeight + 2) * (tileWidth + 2); i += blockDim.x * blockDim.y) {
    const int ty = i / (tileWidth + 2), tx = i - ty * (tileWidth + 2);
    const int x = min(max((int)(blockIdx.x * tileWidth) + tx - 1, 0), w - 1);
    const int y = min(max((int)(blockIdx.y * tileHeight) + ty - 1, 0), h - 1);
    tile[ty][tx] = in[y * w + x];
  }
  __syncthreads();
  const int x = blockIdx.x * tileWidth + threadIdx.x;
  const int y = blockIdx.y * tileHeight + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = tile[threadIdx.y][threadIdx.x + 1] * 3 + tile[threadIdx.y + 2][threadIdx.x + 1] * 5 +
                     tile[threadIdx.y + 1][threadIdx.x] * 7 + tile[threadIdx.y + 1][threadIdx.x + 2];
}

__global__ void rows(const int* in, int* out, int pitch, int h) {
  __shared__ int line[64 + 8];
  const int x = blockIdx.x * 64 + threadIdx.x;
  const int place = blockIdx.y * pitch + min(x, pitch - 1);
  in += place;
  out += place;
  line[threadIdx.x + 4] = in[0];
  if (threadIdx.x < 4) {
    line[threadIdx.x] = x >= 4 ? in[-4] : 0;
    line[threadIdx.x + 68] = x + 64 < pitch ? in[64] : 0;
  }
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int k = -4; k <= 4; k++)
    sum += (k + 5) * line[threadIdx.x + 4 + k];
  if (x < pitch && blockIdx.y < h)
    *out = sum;
}

__global__ void interleaved(const int* in, int* out, int n, int factor) {
  extern __shared__ int part[];
  unsigned tid = threadIdx.x;
  unsigned char low = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + tid;
  part[tid] = i < n ? in[i] : 0;
  for (unsigned s = 1; s < blockDim.x; s *= factor) {
    __syncthreads();
    if (tid % (factor * s) == 0)
      for (unsigned k = 1; k < factor && tid + k * s < blockDim.x; k++)
        part[tid] += part[tid + k * s];
  }
  __syncthreads();
  if (low == 0)
    atomicAdd(&out[1], 1);
  if (tid == 0)
    atomicAdd(&out[0], part[0]);
}

__global__ void unsignedNeighbours(const unsigned* in, unsigned* out, unsigned w, unsigned h) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 1 && x < w - 2 && y > 0 && y < h - 1)
    out[y * w + x] = in[y * w + (x - 2)] + 2 * in[y * w + (x + 2)] + 3 * in[(y - 1) * w + x] + 4 * in[(y + 1) * w + x];
}

__global__ void turned(int* out, const int* in, int w, int h) {
  __shared__ int tile[tileWidth][tileWidth + 1];
  int x = blockIdx.x * tileWidth + threadIdx.x;
  int y = blockIdx.y * tileWidth + threadIdx.y;
  for (int j = 0; j < tileWidth; j += tileHeight)
    if (x < w && y + j < h)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * tileWidth + threadIdx.x;
  y = blockIdx.x * tileWidth + threadIdx.y;
  for (int j = 0; j < tileWidth; j += tileHeight)
    if (x < h && y + j < w)
      out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

__device__ void next(unsigned& a, unsigned& b, unsigned& steps) {
  unsigned sum = a * 3 + b;
  b = mixed(a);
  a = sum >> (b & 3);
  ++steps;
}
__global__ void walks(unsigned* out, unsigned most) {
  unsigned a = mixed(blockIdx.x * blockDim.x + threadIdx.x + 1), b = 7, steps = 0;
  while (steps < most && (a & 31) != 5)
    next(a, b, steps);
  out[blockIdx.x * blockDim.x + threadIdx.x] = steps * 65536 + (b & 65535);
}

__global__ void warpParts(const int* in, int* out) {
  __shared__ int bins[4 * 16];
  int* mine = bins + threadIdx.x / 32 * 16;
  if (threadIdx.x % 32 < 16)
    mine[threadIdx.x % 32] = 0;
  __syncthreads();
  for (int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x; i < width * height; i += blockDim.x * gridDim.x)
    atomicAdd(&mine[in[i] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x] + bins[16 + threadIdx.x] + bins[32 + threadIdx.x] + bins[48 + threadIdx.x]);
}

int main() {
  const int n = width * height;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; i++)
    in[i] = (i * 7919 + i / 13) % 1000 - 300;
  const auto show = [&](const char* name, int count) {
    cudaError_t error = cudaDeviceSynchronize();
    unsigned hash = 2166136261u;
    for (int i = 0; i < count; i++)
      hash = (hash ^ (unsigned)out[i]) * 16777619u;
    printf("%-20s %s %08x %d %d\n", name, cudaGetErrorName(error), hash, out[0], out[count - 1]);
    cudaMemset(out, 0, n * sizeof(int));
    cudaDeviceSynchronize();
  };
  cudaMemset(out, 0, n * sizeof(int));
  const dim3 grid((width + tileWidth - 1) / tileWidth, (height + tileHeight - 1) / tileHeight);
  tileByNumber<int><<<grid, dim3(tileWidth, tileHeight)>>>(in, out, width, height);
  show("tile by number", n);
  rows<<<dim3((width + 63) / 64, height), 64>>>(in, out, width, height);
  show("rows", n);
  for (int factor = 2; factor <= 5; factor++) {
    interleaved<<<(n + 479) / 480, 480, 480 * sizeof(int)>>>(in, out, n, factor);
    show("interleaved", 2);
  }
  unsignedNeighbours<<<dim3(10, 11), dim3(8, 4)>>>((unsigned*)in, (unsigned*)out, width, height);
  show("unsigned neighbours", n);
  turned<<<dim3(3, 2), dim3(tileWidth, tileHeight)>>>(out, in, width, height);
  show("turned", n);
  walks<<<5, 160>>>((unsigned*)out, 300);
  show("walks", 800);
  warpParts<<<3, 128>>>(in, out);
  show("warp parts", 16);
  return 0;
}
