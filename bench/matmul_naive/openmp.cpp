// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix product, loops in the order row, k, column.
#include "../measure.h"

int main() {
  const int n = 768;
  auto av = uniforms(n * n, 1), bv = uniforms(n * n, 2);
  std::vector<float> cv(n * n);
  measure([&] {
    const float* a = av.data();
    const float* b = bv.data();
    float* c = cv.data();
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
      float* __restrict row = c + i * n;
      for (int j = 0; j < n; ++j)
        row[j] = 0.0f;
      for (int k = 0; k < n; ++k) {
        const float x = a[i * n + k];
        const float* __restrict from = b + k * n;
#pragma omp simd
        for (int j = 0; j < n; ++j)
          row[j] += x * from[j];
      }
    }
  });
  check(weightedSum(cv));
}
