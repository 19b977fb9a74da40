// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same bitonic sorting network as loops over pairs; parts of 1024 keys stay in the cache.
#include "../measure.h"

constexpr unsigned part = 1024;

static void merge(unsigned* keys, unsigned first, unsigned last, unsigned size, unsigned stride) {
  for (unsigned block = first; block < last; block += 2 * stride) {
    const bool ascending = (block & size) == 0;
    unsigned *a = keys + block, *b = a + stride;
    if (ascending) {
#pragma omp simd
      for (unsigned i = 0; i < stride; ++i) {
        const unsigned low = std::min(a[i], b[i]), high = std::max(a[i], b[i]);
        a[i] = low;
        b[i] = high;
      }
    } else {
#pragma omp simd
      for (unsigned i = 0; i < stride; ++i) {
        const unsigned low = std::min(a[i], b[i]), high = std::max(a[i], b[i]);
        a[i] = high;
        b[i] = low;
      }
    }
  }
}

int main() {
  const unsigned n = 1 << 18;
  std::vector<unsigned> start(n), sorted(n);
  for (unsigned i = 0; i < n; ++i)
    start[i] = static_cast<unsigned>(uniform(i) * 1000000.0f);
  measure([&] {
    unsigned* keys = sorted.data();
    std::copy(start.begin(), start.end(), sorted.begin());
#pragma omp parallel for schedule(static)
    for (unsigned p = 0; p < n; p += part)
      for (unsigned size = 2; size <= part; size <<= 1)
        for (unsigned stride = size / 2; stride > 0; stride >>= 1)
          merge(keys, p, p + part, size, stride);
    for (unsigned size = 2 * part; size <= n; size <<= 1) {
      for (unsigned stride = size / 2; stride >= part; stride >>= 1) {
#pragma omp parallel for schedule(static)
        for (unsigned block = 0; block < n; block += part) {
          if (block & stride)
            continue;
          unsigned *a = keys + block, *b = a + stride;
          const bool ascending = (block & size) == 0;
#pragma omp simd
          for (unsigned i = 0; i < part; ++i) {
            const unsigned low = std::min(a[i], b[i]), high = std::max(a[i], b[i]);
            a[i] = ascending ? low : high;
            b[i] = ascending ? high : low;
          }
        }
      }
#pragma omp parallel for schedule(static)
      for (unsigned p = 0; p < n; p += part)
        for (unsigned stride = part / 2; stride > 0; stride >>= 1)
          merge(keys, p, p + part, size, stride);
    }
  });
  check(weightedSum(sorted));
}
