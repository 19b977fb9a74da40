// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two results a thread, given back as a float2, by a body that is too long to be inlined unasked.
__device__ inline float normal(float d) {
  const float k = __fdividef(1.0f, 1.0f + 0.25f * fabsf(d));
  const float tail = 0.4f * __expf(-0.5f * d * d) *
                     (k * (0.3f + k * (-0.35f + k * (1.75f + k * (-1.8f + k * 1.3f)))));
  return d > 0 ? 1.0f - tail : tail;
}
__device__ inline void price(float& call, float& put, float spot, float strike, float years,
                             float rate, float spread) {
  const float root = __fdividef(1.0f, rsqrtf(years));
  const float first =
      __fdividef(__logf(spot / strike) + (rate + 0.5f * spread * spread) * years, spread * root);
  const float a = normal(first), b = normal(first - spread * root), later = __expf(-rate * years);
  call = spot * a - strike * later * b;
  put = strike * later * (1.0f - b) - spot * (1.0f - a);
}
extern "C" __launch_bounds__(128) __global__
    void pairs(float2* __restrict calls, float2* __restrict puts, const float2* __restrict spots,
               const float2* __restrict strikes, const float2* __restrict years, float rate,
               float spread, int count) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < count / 2) {
    float call1, call2, put1, put2;
    price(call1, put1, spots[i].x, strikes[i].x, years[i].x, rate, spread);
    price(call2, put2, spots[i].y, strikes[i].y, years[i].y, rate, spread);
    calls[i] = make_float2(call1, call2);
    puts[i] = make_float2(put1, put2);
  }
}
