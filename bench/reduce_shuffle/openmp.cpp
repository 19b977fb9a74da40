// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dot product.
#include "../measure.h"

int main() {
  const int n = 1 << 23;
  auto xv = uniforms(n, 1), yv = uniforms(n, 2);
  float result = 0;
  measure([&] {
    const float* x = xv.data();
    const float* y = yv.data();
    double total = 0;
#pragma omp parallel for reduction(+ : total) schedule(static)
    for (int block = 0; block < n / 4096; ++block) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int i = block * 4096; i < block * 4096 + 4096; ++i)
        sum += x[i] * y[i];
      total += sum;
    }
    result = static_cast<float>(total);
  });
  check(result);
}
