// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gravitation between all pairs of bodies, coordinates in arrays of their own, then one step of the
// movement.
#include <cmath>

#include "../measure.h"

int main() {
  const int n = 8192;
  const auto values = uniforms(4 * n, 1);
  std::vector<float> px(n), py(n), pz(n), m(n), vx(n), vy(n), vz(n), ax(n), ay(n), az(n);
  for (int i = 0; i < n; ++i) {
    px[i] = values[4 * i];
    py[i] = values[4 * i + 1];
    pz[i] = values[4 * i + 2];
    m[i] = values[4 * i + 3] / n;
  }
  measure([&] {
    const float *x = px.data(), *y = py.data(), *z = pz.data(), *w = m.data();
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
      const float xi = x[i], yi = y[i], zi = z[i];
      float sx = 0, sy = 0, sz = 0;
#pragma omp simd reduction(+ : sx, sy, sz)
      for (int j = 0; j < n; ++j) {
        const float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
        const float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
        const float inverse = 1.0f / std::sqrt(d2);
        const float s = w[j] * inverse * inverse * inverse;
        sx += dx * s;
        sy += dy * s;
        sz += dz * s;
      }
      ax[i] = sx;
      ay[i] = sy;
      az[i] = sz;
    }
    const float dt = 0.001f;
    for (int i = 0; i < n; ++i) {
      vx[i] += ax[i] * dt;
      vy[i] += ay[i] * dt;
      vz[i] += az[i] * dt;
      px[i] += vx[i] * dt;
      py[i] += vy[i] * dt;
      pz[i] += vz[i] * dt;
    }
  });
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += px[i] + 2.0 * py[i] + 3.0 * pz[i];
  check(sum);
}
