// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layer normalisation of rows.
#include <cmath>

#include "../measure.h"

int main() {
  const int n = 8192, c = 768;
  const auto in = uniforms(n * c, 1), weight = uniforms(c, 2), bias = uniforms(c, 3);
  std::vector<float> out(n * c), mean(n), rstd(n);
  measure([&] {
#pragma omp parallel for schedule(static)
    for (int r = 0; r < n; ++r) {
      const float* __restrict x = in.data() + r * c;
      const float* __restrict w = weight.data(), * __restrict b = bias.data();
      float* __restrict o = out.data() + r * c;
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int i = 0; i < c; ++i)
        sum += x[i];
      const float m = sum / c;
      float squares = 0;
#pragma omp simd reduction(+ : squares)
      for (int i = 0; i < c; ++i)
        squares += (x[i] - m) * (x[i] - m);
      const float s = 1.0f / std::sqrt(squares / c + 1e-5f);
      mean[r] = m;
      rstd[r] = s;
#pragma omp simd
      for (int i = 0; i < c; ++i)
        o[i] = (x[i] - m) * s * w[i] + b[i];
    }
  });
  check(weightedSum(out) + weightedSum(rstd));
}
