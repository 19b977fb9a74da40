// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Mandelbrot set, rows shared out as threads get free.
#include "../measure.h"

int main() {
  const int width = 640, height = 480, limit = 256;
  std::vector<int> out(width * height);
  measure([&] {
    const float x0 = -2.0f, y0 = -1.2f, dx = 3.0f / width, dy = 2.4f / height;
    int* to = out.data();
#pragma omp parallel for schedule(dynamic, 4)
    for (int iy = 0; iy < height; ++iy)
      for (int ix = 0; ix < width; ++ix) {
        const float cx = x0 + ix * dx, cy = y0 + iy * dy;
        float x = 0, y = 0;
        int n = 0;
        while (n < limit && x * x + y * y < 4.0f) {
          const float t = x * x - y * y + cx;
          y = 2.0f * x * y + cy;
          x = t;
          ++n;
        }
        to[iy * width + ix] = n;
      }
  });
  check(weightedSum(out));
}
