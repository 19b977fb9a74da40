// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LU factors of many small matrices without pivoting.
#include "../measure.h"

constexpr int N = 32;

int main() {
  const int count = 4096;
  auto values = uniforms(count * N * N, 1);
  for (int m = 0; m < count; ++m)
    for (int i = 0; i < N; ++i)
      values[m * N * N + i * N + i] += 8.0f;
  std::vector<float> out(count * N * N);
  measure([&] {
#pragma omp parallel for schedule(static)
    for (int m = 0; m < count; ++m) {
      float a[N][N];
      std::copy_n(values.data() + m * N * N, N * N, &a[0][0]);
      for (int k = 0; k < N - 1; ++k) {
        const float inverse = 1.0f / a[k][k];
        for (int row = k + 1; row < N; ++row) {
          const float factor = a[row][k] * inverse;
          a[row][k] = factor;
#pragma omp simd
          for (int column = k + 1; column < N; ++column)
            a[row][column] -= factor * a[k][column];
        }
      }
      std::copy_n(&a[0][0], N * N, out.data() + m * N * N);
    }
  });
  check(weightedSum(out));
}
