// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streaming: a[i] = b[i] + s * c[i] over vectors larger than the caches, and a saxpy in place.
#include "../measure.h"

static void triad(float* __restrict a, const float* __restrict b, const float* __restrict c,
                  float s, int n) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; ++i)
    a[i] = b[i] + s * c[i];
}

static void saxpy(int n, float a, const float* __restrict x, float* __restrict y) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1 << 24;
  auto a = uniforms(n, 1), b = uniforms(n, 2), c = uniforms(n, 3);
  measure([&] {
    triad(a.data(), b.data(), c.data(), 0.5f, n);
    saxpy(n, -0.25f, c.data(), a.data());
  });
  check(weightedSum(a));
}
