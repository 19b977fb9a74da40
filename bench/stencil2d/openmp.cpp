// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat in a plane: five-point stencil, two buffers, many steps.
#include "../measure.h"

static void step(const float* __restrict in, float* __restrict out, int width, int height,
                 float k) {
#pragma omp parallel for schedule(static)
  for (int y = 1; y < height - 1; ++y)
#pragma omp simd
    for (int x = 1; x < width - 1; ++x) {
      const int i = y * width + x;
      out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4.0f * in[i]);
    }
}

int main() {
  const int width = 1536, height = 1536, steps = 20;
  auto a = uniforms(width * height, 1), b = a;
  measure([&] {
    for (int s = 0; s < steps; s += 2) {
      step(a.data(), b.data(), width, height, 0.2f);
      step(b.data(), a.data(), width, height, 0.2f);
    }
  });
  check(weightedSum(a));
}
