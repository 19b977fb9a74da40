// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes leave loops one by one: what they computed last must be kept where it is read behind the
// loop or in the next round of a loop around it, and need not be where nobody reads it again.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void counted(int* steps, int width, int height) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height)
    return;
  float cx = -2.0f + px * 0.0625f, cy = -1.25f + py * 0.0625f, x = 0, y = 0;
  int n = 0;
  while (n < 60 && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  steps[py * width + px] = n;
}

// x is read behind the loop, y is not.
__global__ void kept(int* steps, float* last, int width, int height) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height)
    return;
  float cx = -2.0f + px * 0.0625f, cy = -1.25f + py * 0.0625f, x = 0, y = 0;
  int n = 0;
  while (n < 60 && x * x + y * y <= 4.0f) {
    ++n;
    float t = x * 1.25f + cx;
    y = y * 1.125f + cy;
    x = t;
  }
  steps[py * width + px] = n;
  last[py * width + px] = x;
}

// Each round goes on with what x was when the lane left the inner loop.
__global__ void carried(int* steps, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float x = 1.0f + i * 0.125f;
  int n = 0;
  for (int round = 0; round < 3; ++round) {
    while (x < 100.0f + 50.0f * round && n < 90) {
      x = x * 1.25f + 0.5f;
      ++n;
    }
    x = x * 0.125f;
  }
  steps[i] = n;
}

// Starts anew in each round: nobody reads x behind the inner loop.
__global__ void fresh(int* steps, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int n = 0;
  for (int round = 0; round < 4; ++round) {
    float x = 1.0f + (i + round) * 0.125f, y = 0.5f;
    for (int k = 0; k < 40; ++k) {
      if (x * y > 1000.0f)
        break;
      float t = x * 1.125f + y;
      y = y * 1.0625f + 0.25f;
      n += 1 + (k & round);
      x = t;
    }
  }
  steps[i] = n;
}

// What one lane divides by is 0 in another, which has returned.
__global__ void divided(int* steps, const int* parts, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int part = parts[i];
  if (part == 0)
    return;
  int whole = 1000 / part;
  float x = 1.0f, limit = 10.0f * whole;
  int n = 0;
  while (n < 200 && x < limit) {
    x = x * 1.5f + (1000 / part);
    ++n;
  }
  steps[i] = n;
}

// The other branch's lanes read x.
__global__ void branched(int* steps, float* last, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float x = 1.0f + i * 0.25f;
  int n = 0;
  if (i % 3 != 0) {
    while (x < 500.0f) {
      x = x * 1.375f;
      ++n;
    }
  } else {
    while (x < 50.0f) {
      x = x * 1.625f + 1.0f;
      n += 2;
    }
    last[i] = x;
  }
  steps[i] = n;
}

__device__ int escape(double cx, double cy, int limit) {
  double x = 0, y = 0;
  int n = 0;
  do {
    double xx = x * x, yy = y * y;
    if (xx + yy > 16.0)
      break;
    y = 2.0 * x * y + cy;
    x = xx - yy + cx;
    n++;
  } while (n < limit);
  return n;
}

__global__ void called(int* steps, int width, int height) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height;
       i += gridDim.x * blockDim.x)
    steps[i] = escape(-2.0 + (i % width) * 0.0625, -1.25 + (i / width) * 0.0625, 80);
}

static void print(const char* name, const int* steps, const float* last, int count) {
  unsigned hash = 2166136261u;
  long sum = 0;
  for (int i = 0; i < count; ++i) {
    hash = (hash ^ unsigned(steps[i])) * 16777619u;
    sum += steps[i];
  }
  double total = 0;
  for (int i = 0; last && i < count; ++i)
    total += last[i] > -100.0f && last[i] < 1000.0f ? double(last[i]) : -1.0;
  printf("%s: %ld, hash %u, %.3f\n", name, sum, hash, total);
}

int main() {
  const int width = 45, height = 40, count = width * height;
  int *steps, *parts;
  float* last;
  cudaMallocManaged(&steps, count * sizeof(int));
  cudaMallocManaged(&parts, count * sizeof(int));
  cudaMallocManaged(&last, count * sizeof(float));
  for (int i = 0; i < count; ++i) {
    parts[i] = i % 7;
    steps[i] = 0;
    last[i] = 0;
  }
  dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
  const int blocks = (count + 95) / 96;

  counted<<<grid, block>>>(steps, width, height);
  cudaDeviceSynchronize();
  print("counted", steps, nullptr, count);
  kept<<<grid, block>>>(steps, last, width, height);
  cudaDeviceSynchronize();
  print("kept", steps, last, count);
  carried<<<blocks, 96>>>(steps, count);
  cudaDeviceSynchronize();
  print("carried", steps, nullptr, count);
  fresh<<<blocks, 96>>>(steps, count);
  cudaDeviceSynchronize();
  print("fresh", steps, nullptr, count);
  divided<<<blocks, 96>>>(steps, parts, count);
  cudaDeviceSynchronize();
  print("divided", steps, nullptr, count);
  branched<<<blocks, 96>>>(steps, last, count);
  cudaDeviceSynchronize();
  print("branched", steps, last, count);
  called<<<4, 64>>>(steps, width, height);
  cudaDeviceSynchronize();
  print("called", steps, nullptr, count);
  cudaFree(steps);
  cudaFree(parts);
  cudaFree(last);
  return 0;
}
