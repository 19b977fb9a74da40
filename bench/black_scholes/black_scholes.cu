// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// European options priced by the Black-Scholes formula, one thread for each option.
#include "../device_vector.h"

__device__ inline float cnd(float d) {
  const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f,
              A5 = 1.330274429f;
  const float RSQRT2PI = 0.39894228040143267793994605993438f;
  float K = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float c = RSQRT2PI * expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  if (d > 0)
    c = 1.0f - c;
  return c;
}

__global__ void blackScholes(float* call, float* put, const float* price, const float* strike,
                             const float* years, float riskFree, float volatility, int n) {
  const int opt = blockDim.x * blockIdx.x + threadIdx.x;
  if (opt < n) {
    float S = price[opt], X = strike[opt], T = years[opt];
    float sqrtT = sqrtf(T);
    float d1 =
        (logf(S / X) + (riskFree + 0.5f * volatility * volatility) * T) / (volatility * sqrtT);
    float d2 = d1 - volatility * sqrtT;
    float cnd1 = cnd(d1), cnd2 = cnd(d2);
    float expRT = expf(-riskFree * T);
    call[opt] = S * cnd1 - X * expRT * cnd2;
    put[opt] = X * expRT * (1.0f - cnd2) - S * (1.0f - cnd1);
  }
}

int main() {
  const int n = 2000000;
  DeviceVector<float> price(uniforms(n, 1, 5, 30)), strike(uniforms(n, 2, 1, 100)),
      years(uniforms(n, 3, 0.25f, 10));
  DeviceVector<float> call(n), put(n);
  measure([&] {
    blackScholes<<<(n + 127) / 128, 128>>>(call, put, price, strike, years, 0.02f, 0.30f, n);
    finish();
  });
  check(weightedSum(call.toHost()) + weightedSum(put.toHost()));
}
