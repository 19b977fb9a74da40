// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix transpose in tiles.
#include "../measure.h"

int main() {
  const int width = 2048, height = 3072, tile = 32;
  const auto in = uniforms(width * height, 1);
  std::vector<float> out(width * height);
  measure([&] {
    const float* __restrict from = in.data();
    float* __restrict to = out.data();
#pragma omp parallel for collapse(2) schedule(static)
    for (int by = 0; by < height; by += tile)
      for (int bx = 0; bx < width; bx += tile)
        for (int x = bx; x < bx + tile; ++x)
#pragma omp simd
          for (int y = by; y < by + tile; ++y)
            to[x * height + y] = from[y * width + x];
  });
  check(weightedSum(out));
}
