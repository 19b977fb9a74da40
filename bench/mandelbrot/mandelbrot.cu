// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Mandelbrot set: one thread for each pixel, a loop that threads leave at different times.
#include "../device_vector.h"

__global__ void mandelbrot(int* out, int width, int height, float x0, float y0, float dx, float dy,
                           int limit) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x;
  int iy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix >= width || iy >= height)
    return;
  float cx = x0 + ix * dx;
  float cy = y0 + iy * dy;
  float x = 0.0f, y = 0.0f;
  int n = 0;
  while (n < limit && x * x + y * y < 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  out[iy * width + ix] = n;
}

int main() {
  const int width = 640, height = 480, limit = 256;
  DeviceVector<int> out(width * height);
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  measure([&] {
    mandelbrot<<<grid, block>>>(out, width, height, -2.0f, -1.2f, 3.0f / width, 2.4f / height,
                                limit);
    finish();
  });
  check(weightedSum(out.toHost()));
}
