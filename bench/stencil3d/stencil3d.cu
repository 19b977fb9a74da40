// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seven-point stencil in space: each thread of a plane walks along z and keeps three values in
// registers.
#include "../device_vector.h"

#define AT(x, y, z) ((x) + (y) * nx + (z) * nx * ny)

__global__ void step(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz,
                     float c0, float c1) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int j = threadIdx.y + blockIdx.y * blockDim.y;
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
    return;
  float below = in[AT(i, j, 0)];
  float here = in[AT(i, j, 1)];
  for (int k = 1; k < nz - 1; ++k) {
    const float above = in[AT(i, j, k + 1)];
    out[AT(i, j, k)] = c1 * (above + below + in[AT(i - 1, j, k)] + in[AT(i + 1, j, k)] +
                             in[AT(i, j - 1, k)] + in[AT(i, j + 1, k)]) -
                       c0 * here;
    below = here;
    here = above;
  }
}

int main() {
  const int nx = 192, ny = 192, nz = 192, steps = 8;
  const auto start = uniforms(nx * ny * nz, 1);
  DeviceVector<float> a(start), b(start);
  dim3 block(32, 4);
  dim3 grid((nx + 31) / 32, (ny + 3) / 4);
  measure([&] {
    for (int s = 0; s < steps; s += 2) {
      step<<<grid, block>>>(a, b, nx, ny, nz, 0.1f, 0.15f);
      step<<<grid, block>>>(b, a, nx, ny, nz, 0.1f, 0.15f);
    }
    finish();
  });
  check(weightedSum(a.toHost()));
}
