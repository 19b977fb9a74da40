// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cheapest path down a grid of costs, a row at a time.
#include "../measure.h"

int main() {
  const int cols = 100000, height = 100;
  std::vector<int> costs(cols * height), a(cols), b(cols);
  for (int i = 0; i < cols * height; ++i)
    costs[i] = static_cast<int>(uniform(i) * 10.0f);
  measure([&] {
    std::copy(costs.begin(), costs.begin() + cols, a.begin());
#pragma omp parallel
    for (int row = 1; row < height; ++row) {
      const int* __restrict from = row % 2 ? a.data() : b.data();
      int* __restrict to = row % 2 ? b.data() : a.data();
      const int* __restrict wall = costs.data() + static_cast<long>(row) * cols;
#pragma omp single nowait
      {
        to[0] = wall[0] + std::min(from[0], from[1]);
        to[cols - 1] = wall[cols - 1] + std::min(from[cols - 2], from[cols - 1]);
      }
#pragma omp for simd schedule(static)
      for (int x = 1; x < cols - 1; ++x)
        to[x] = wall[x] + std::min(std::min(from[x - 1], from[x]), from[x + 1]);
    }
  });
  check(weightedSum(height % 2 ? a : b));
}
