// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// European options priced by the Black-Scholes formula.
#include <cmath>

#include "../measure.h"

static inline float cnd(float d) {
  const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f,
              A5 = 1.330274429f;
  const float k = 1.0f / (1.0f + 0.2316419f * std::fabs(d));
  const float c = 0.3989422804f * std::exp(-0.5f * d * d) *
                  (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))));
  return d > 0 ? 1.0f - c : c;
}

int main() {
  const int n = 2000000;
  const auto price = uniforms(n, 1, 5, 30), strike = uniforms(n, 2, 1, 100),
             years = uniforms(n, 3, 0.25f, 10);
  std::vector<float> call(n), put(n);
  measure([&] {
    const float *s = price.data(), *x = strike.data(), *t = years.data();
    float *c = call.data(), *p = put.data();
    const float r = 0.02f, v = 0.30f;
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i) {
      const float root = std::sqrt(t[i]);
      const float d1 = (std::log(s[i] / x[i]) + (r + 0.5f * v * v) * t[i]) / (v * root);
      const float d2 = d1 - v * root;
      const float n1 = cnd(d1), n2 = cnd(d2);
      const float discount = std::exp(-r * t[i]);
      c[i] = s[i] * n1 - x[i] * discount * n2;
      p[i] = x[i] * discount * (1.0f - n2) - s[i] * (1.0f - n1);
    }
  });
  check(weightedSum(call) + weightedSum(put));
}
