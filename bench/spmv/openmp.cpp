// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrix times vector.
#include "sparse.h"

int main() {
  const int rows = 100000;
  const Sparse m = makeSparse(rows);
  const auto xv = uniforms(rows, 5);
  std::vector<float> yv(rows);
  measure([&] {
    const int *begin = m.begin.data(), *column = m.column.data();
    const float *value = m.value.data(), *x = xv.data();
    float* y = yv.data();
    for (int i = 0; i < 4; ++i) {
#pragma omp parallel for schedule(static)
      for (int r = 0; r < rows; ++r) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int k = begin[r]; k < begin[r + 1]; ++k)
          sum += value[k] * x[column[k]];
        y[r] = sum;
      }
    }
  });
  check(weightedSum(yv));
}
