// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Monte Carlo: paths of a price with one generator for each sample, mean pay-offs.
#include <cmath>

#include "../measure.h"

int main() {
  const int n = 32768, count = 32;
  std::vector<float> out(n);
  measure([&] {
    float* to = out.data();
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
      unsigned state = 1234567u + 7919u * static_cast<unsigned>(i);
      const auto next = [&] {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return ((state >> 8) + 0.5f) * (1.0f / 16777216.0f);
      };
      float sum = 0;
      for (int p = 0; p < count; ++p) {
        const float u1 = next(), u2 = next();
        const float z = std::sqrt(-2.0f * std::log(u1)) * std::cos(6.2831853f * u2);
        sum += std::max(100.0f * std::exp(0.01f + 0.2f * z) - 95.0f, 0.0f);
      }
      to[i] = sum / count;
    }
  });
  check(weightedSum(out));
}
