// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histogram of bytes: counts of its own for each thread, added at the end.
#include "../measure.h"

int main() {
  const int n = 1 << 24;
  std::vector<unsigned char> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = static_cast<unsigned char>(uniform(i) * uniform(i + 7) * 256.0f);
  std::vector<unsigned int> counts(256);
  measure([&] {
    std::fill(counts.begin(), counts.end(), 0u);
    const unsigned char* data = values.data();
#pragma omp parallel
    {
      unsigned int local[4][256] = {};
#pragma omp for schedule(static)
      for (int i = 0; i < n / 4; ++i) {
        ++local[0][data[4 * i]];
        ++local[1][data[4 * i + 1]];
        ++local[2][data[4 * i + 2]];
        ++local[3][data[4 * i + 3]];
      }
#pragma omp critical
      for (int b = 0; b < 256; ++b)
        counts[b] += local[0][b] + local[1][b] + local[2][b] + local[3][b];
    }
  });
  check(weightedSum(counts));
}
