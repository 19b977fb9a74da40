// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sum of a vector.
#include "../measure.h"

int main() {
  const int n = 1 << 24;
  auto in = uniforms(n, 1);
  float result = 0;
  measure([&] {
    const float* values = in.data();
    double total = 0;
#pragma omp parallel for reduction(+ : total) schedule(static)
    for (int block = 0; block < n / 4096; ++block) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int i = 0; i < 4096; ++i)
        sum += values[block * 4096 + i];
      total += sum;
    }
    result = static_cast<float>(total);
  });
  check(result);
}
