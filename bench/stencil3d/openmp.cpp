// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seven-point stencil in space.
#include "../measure.h"

static void step(const float* __restrict in, float* __restrict out, int nx, int ny, int nz,
                 float c0, float c1) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int k = 1; k < nz - 1; ++k)
    for (int j = 1; j < ny - 1; ++j)
#pragma omp simd
      for (int i = 1; i < nx - 1; ++i) {
        const int at = i + j * nx + k * nx * ny;
        out[at] = c1 * (in[at + nx * ny] + in[at - nx * ny] + in[at - 1] + in[at + 1] +
                        in[at - nx] + in[at + nx]) -
                  c0 * in[at];
      }
}

int main() {
  const int nx = 192, ny = 192, nz = 192, steps = 8;
  auto a = uniforms(nx * ny * nz, 1), b = a;
  measure([&] {
    for (int s = 0; s < steps; s += 2) {
      step(a.data(), b.data(), nx, ny, nz, 0.1f, 0.15f);
      step(b.data(), a.data(), nx, ny, nz, 0.1f, 0.15f);
    }
  });
  check(weightedSum(a));
}
