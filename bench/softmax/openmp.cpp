// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax of each row of a matrix.
#include <cmath>

#include "../measure.h"

int main() {
  const int rows = 2048, cols = 2048;
  const auto in = uniforms(rows * cols, 1, -4, 4);
  std::vector<float> out(rows * cols);
  measure([&] {
#pragma omp parallel for schedule(static)
    for (int r = 0; r < rows; ++r) {
      const float* __restrict x = in.data() + r * cols;
      float* __restrict y = out.data() + r * cols;
      float biggest = x[0];
#pragma omp simd reduction(max : biggest)
      for (int i = 0; i < cols; ++i)
        biggest = std::max(biggest, x[i]);
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int i = 0; i < cols; ++i) {
        y[i] = std::exp(x[i] - biggest);
        sum += y[i];
      }
      const float scale = 1.0f / sum;
#pragma omp simd
      for (int i = 0; i < cols; ++i)
        y[i] *= scale;
    }
  });
  check(weightedSum(out));
}
