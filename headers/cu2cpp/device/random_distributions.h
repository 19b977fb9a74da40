// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's distributions over the engines: uniform, normal, log-normal and Poisson.
//
// cuRAND Library Programming Guide, 'Distributions'.
#ifndef CU2CPP_DEVICE_RANDOM_DISTRIBUTIONS_H
#define CU2CPP_DEVICE_RANDOM_DISTRIBUTIONS_H

#include <cu2cpp/device/math_functions.h>
#include <cu2cpp/device/random_engines.h>

namespace cu2cpp {
namespace detail {

// (0, 1]: the number in the middle of its interval.
inline float uniform(unsigned x) { return float(x) * 0x1p-32f + 0x1p-33f; }
inline float uniform(unsigned long long x) { return uniform(unsigned(x >> 32)); }
inline double uniformDouble(unsigned long long x) { return double(x >> 11) * 0x1p-53 + 0x1p-54; }
inline double uniformDouble(unsigned x) { return x * 0x1p-32 + 0x1p-32; }
inline double uniformDouble(unsigned x, unsigned y) {
  const unsigned long long z = x ^ (unsigned long long)y << 21;
  return double(z) * 0x1p-53 + 0x1p-54;
}

inline float2 normalPair(unsigned x, unsigned y) {
  const float step = 0x1p-32f * 6.2831855f;
  const float angle = __builtin_fmaf(float(y), step, step / 2);
  const float s = __builtin_sqrtf(-2.0f * __builtin_logf(uniform(x)));
  return {s * __builtin_sinf(angle), s * __builtin_cosf(angle)};
}
inline double2 normalPairDouble(double u, double half) {
  const double s = __builtin_sqrt(-2.0 * __builtin_log(u));
  double sine, cosine;
  ::sincospi(half, &sine, &cosine);
  return {s * sine, s * cosine};
}
inline double2 normalPairDouble(const uint4& words) {
  const unsigned long long z = words.z ^ (unsigned long long)words.w << 21;
  return normalPairDouble(uniformDouble(words.x, words.y), double(z) * 0x1p-52 + 0x1p-53);
}

inline uint4 fourWords(curandStatePhilox4_32_10* state) { return curand4(state); }
template <class State> inline uint4 fourWords(State* state) {
  uint4 words;
  words.x = curand(state);
  words.y = curand(state);
  words.z = curand(state);
  words.w = curand(state);
  return words;
}

template <class State> inline float2 normalPairOf(State* state) {
  const unsigned x = curand(state), y = curand(state);
  return normalPair(x, y);
}
template <class State> inline double2 normalPairDoubleOf(State* state) {
  return normalPairDouble(fourWords(state));
}

constexpr double mrgNorm = 2.3283065498378288e-10;
template <> inline float2 normalPairOf(curandStateMRG32k3a* state) {
  const float x = float(curand_MRG32k3a(state) * mrgNorm);
  const float angle = float(curand_MRG32k3a(state) * mrgNorm) * 6.2831855f;
  const float s = __builtin_sqrtf(-2.0f * __builtin_logf(x));
  return {s * __builtin_sinf(angle), s * __builtin_cosf(angle)};
}
template <> inline double2 normalPairDoubleOf(curandStateMRG32k3a* state) {
  const double x = curand_MRG32k3a(state) * mrgNorm;
  return normalPairDouble(x, curand_MRG32k3a(state) * mrgNorm * 2.0);
}

/// GammaShape approximates the share of a gamma distribution below x by 1 / (1 + e^t)^2 with t
/// linear in x; the shares at k + 1 and k differ by about the probability of k in a Poisson
/// distribution. Products are merged and exponentials are powers of two, as on a GPU.
struct GammaShape {
  float mean, slope, shift;

  explicit GammaShape(float lambda)
      : mean(lambda),
        slope(__builtin_fmaf(1.43248035075540910f, ::rsqrtf(lambda - 0.12400979329415655f),
                             0.00025361074907033f)),
        shift(__builtin_fmaf(0.21096734870196546f, ::rsqrtf(lambda - 1.97381164089999420f),
                             0.94201734077887530f)) {}
  static float power(float x) { return ::exp2f(float(x * 1.4426950408889634)); }
  static float logarithm(float x) { return float(::log2f(x) * 0.69314718055994531); }
  float shareBelow(float x) const {
    const float e = 1.0f + power(__builtin_fmaf(slope, mean - x, -shift));
    return 1.0f / (e * e);
  }
  float placeOf(float share) const {
    return __builtin_fmaf(-(shift + logarithm(::rsqrtf(share) - 1.0f)), 1.0f / slope, mean);
  }
};

/// poissonByRejection() takes a number where GammaShape has the share that a uniform number says,
/// with the probability that makes the shape a Poisson distribution.
template <class State> inline unsigned poissonByRejection(State* state, float lambda) {
  const GammaShape shape(lambda);
  const float logLambda = GammaShape::logarithm(lambda);
  for (;;) {
    const float k = __builtin_floorf(shape.placeOf(curand_uniform(state)));
    const float cover = (shape.shareBelow(k + 1.0f) - shape.shareBelow(k)) * 1.3f;
    const float level = curand_uniform(state) * cover;
    const float logFactorial = float(__builtin_lgamma(double(k) + 1.0));
    const float wanted = GammaShape::power(__builtin_fmaf(k, logLambda, -lambda) - logFactorial);
    if (level < wanted && cover >= 1e-20f)
      return unsigned(k);
  }
}

/// poissonAt() is the number below which the share `u` of all Poisson numbers lies: a walk from the
/// mean outwards, where probabilities do not underflow.
inline unsigned poissonAt(double u, double lambda) {
  double k = __builtin_floor(lambda);
  double p = __builtin_exp(k * __builtin_log(lambda) - lambda - __builtin_lgamma(k + 1));
  double sum = 0; // of the probabilities of 0 to k
  double term = p;
  for (double i = k; i >= 0 && term > 1e-18; term *= i / lambda, --i)
    sum += term;
  while (k > 0 && sum - p >= u) {
    sum -= p;
    p *= k / lambda;
    --k;
  }
  while (sum < u && p > 1e-18) {
    ++k;
    p *= lambda / k;
    sum += p;
  }
  return unsigned(k);
}

} // namespace detail
} // namespace cu2cpp

template <class State> inline float curand_uniform(State* state) {
  return cu2cpp::detail::uniform(curand(state));
}
inline float curand_uniform(curandStateMRG32k3a* state) {
  return float(curand_MRG32k3a(state) * cu2cpp::detail::mrgNorm);
}
inline double curand_uniform_double(curandStateXORWOW* state) {
  const unsigned x = curand(state), y = curand(state);
  return cu2cpp::detail::uniformDouble(x, y);
}
inline double curand_uniform_double(curandStatePhilox4_32_10* state) {
  return cu2cpp::detail::uniformDouble(curand(state));
}
inline double curand_uniform_double(curandStateMRG32k3a* state) {
  return curand_MRG32k3a(state) * cu2cpp::detail::mrgNorm;
}
inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  using cu2cpp::detail::uniform;
  const uint4 w = curand4(state);
  return {uniform(w.x), uniform(w.y), uniform(w.z), uniform(w.w)};
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 w = curand4(state);
  return {cu2cpp::detail::uniformDouble(w.x, w.y), cu2cpp::detail::uniformDouble(w.z, w.w)};
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return {a.x, a.y, b.x, b.y};
}

// A pair is made at a time; its second number is kept for the next call.
#define CU2CPP_KEPT(name, T, pair, flag, extra, kind, parameters, map)                             \
  template <class State> inline T name(State* state CU2CPP_KEPT_LIST parameters) {                 \
    if (state->flag != kind) {                                                                     \
      const auto both = cu2cpp::detail::pair(state);                                               \
      state->extra = map(both.y);                                                                  \
      state->flag = kind;                                                                          \
      return map(both.x);                                                                          \
    }                                                                                              \
    state->flag = 0;                                                                               \
    return state->extra;                                                                           \
  }
#define CU2CPP_KEPT_LIST(...) __VA_ARGS__
#define CU2CPP_SAME(x) (x)
#define CU2CPP_EXPF(x) __builtin_expf(mean + (x) * stddev)
#define CU2CPP_EXP(x) __builtin_exp(mean + (x) * stddev)
CU2CPP_KEPT(curand_normal, float, normalPairOf, boxmuller_flag, boxmuller_extra, 1, (), CU2CPP_SAME)
CU2CPP_KEPT(curand_normal_double, double, normalPairDoubleOf, boxmuller_flag_double,
            boxmuller_extra_double, 1, (), CU2CPP_SAME)
CU2CPP_KEPT(curand_log_normal, float, normalPairOf, boxmuller_flag, boxmuller_extra, 2,
            (, float mean, float stddev), CU2CPP_EXPF)
CU2CPP_KEPT(curand_log_normal_double, double, normalPairDoubleOf, boxmuller_flag_double,
            boxmuller_extra_double, 2, (, double mean, double stddev), CU2CPP_EXP)

template <class State> inline float2 curand_normal2(State* state) {
  return cu2cpp::detail::normalPairOf(state);
}
template <class State> inline double2 curand_normal2_double(State* state) {
  return cu2cpp::detail::normalPairDoubleOf(state);
}
inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 w = curand4(state);
  const float2 a = cu2cpp::detail::normalPair(w.x, w.y), b = cu2cpp::detail::normalPair(w.z, w.w);
  return {a.x, a.y, b.x, b.y};
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return {a.x, a.y, b.x, b.y};
}
template <class State> inline float2 curand_log_normal2(State* state, float mean, float stddev) {
  const float2 n = curand_normal2(state);
  return {CU2CPP_EXPF(n.x), CU2CPP_EXPF(n.y)};
}
template <class State>
inline double2 curand_log_normal2_double(State* state, double mean, double stddev) {
  const double2 n = curand_normal2_double(state);
  return {CU2CPP_EXP(n.x), CU2CPP_EXP(n.y)};
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float stddev) {
  const float4 n = curand_normal4(state);
  return {CU2CPP_EXPF(n.x), CU2CPP_EXPF(n.y), CU2CPP_EXPF(n.z), CU2CPP_EXPF(n.w)};
}
#undef CU2CPP_KEPT
#undef CU2CPP_KEPT_LIST
#undef CU2CPP_SAME
#undef CU2CPP_EXPF
#undef CU2CPP_EXP

/// curand_poisson() multiplies uniform numbers for small means and rounds a normal number for large
/// ones.
template <class State> inline unsigned curand_poisson(State* state, double lambda) {
  if (lambda < 64) {
    unsigned k = 0;
    float p = __builtin_expf(float(lambda));
    do {
      ++k;
      p *= curand_uniform(state);
    } while (p > 1.0f);
    return k - 1;
  }
  if (lambda > 4000)
    return unsigned(__builtin_sqrt(lambda) * curand_normal_double(state) + lambda + 0.5);
  return cu2cpp::detail::poissonByRejection(state, float(lambda));
}
inline uint4 curand_poisson4(curandStatePhilox4_32_10* state, double lambda) {
  uint4 result;
  result.x = curand_poisson(state, lambda);
  result.y = curand_poisson(state, lambda);
  result.z = curand_poisson(state, lambda);
  result.w = curand_poisson(state, lambda);
  return result;
}

#endif
