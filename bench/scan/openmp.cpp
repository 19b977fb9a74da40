// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inclusive prefix sums of integers: each thread sums its part, then scans it from the sum of the
// parts before.
#include <omp.h>

#include "../measure.h"

int main() {
  const int n = 512 * 512 * 16;
  std::vector<int> in(n), out(n), sums(omp_get_max_threads() + 1);
  for (int i = 0; i < n; ++i)
    in[i] = static_cast<int>(uniform(i) * 10.0f);
  measure([&] {
#pragma omp parallel
    {
      const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
      const int first = static_cast<int>(static_cast<long>(n) * thread / threads);
      const int last = static_cast<int>(static_cast<long>(n) * (thread + 1) / threads);
      int sum = 0;
      for (int i = first; i < last; ++i)
        sum += in[i];
      sums[thread + 1] = sum;
#pragma omp barrier
      int before = 0;
      for (int t = 1; t <= thread; ++t)
        before += sums[t];
      for (int i = first; i < last; ++i)
        out[i] = before += in[i];
    }
  });
  check(weightedSum(out));
}
