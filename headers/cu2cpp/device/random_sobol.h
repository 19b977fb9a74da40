// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's quasi-random engines: Sobol' sequences of 32 and 64 bits in Gray code's order, plain and
// scrambled (an exclusive or with a constant), from direction vectors that the program brings.
//
// cuRAND Library Programming Guide, 'Quasirandom Sequences'. Joe and Kuo, 'Constructing Sobol'
// sequences with better two-dimensional projections'.
#ifndef CU2CPP_DEVICE_RANDOM_SOBOL_H
#define CU2CPP_DEVICE_RANDOM_SOBOL_H

#include <cu2cpp/device/math_functions.h>
#include <cu2cpp/device/random_distributions.h>
#include <curand.h>

namespace cu2cpp {
namespace detail {

/// Sobol is one dimension's place in its sequence: the number that comes next, and its index.
template <class Word> struct Sobol {
  static constexpr unsigned bits = 8 * sizeof(Word);
  Word i, x, c;
  Word direction_vectors[bits];

  void start(const Word* vectors, Word scramble, Word offset) {
    c = scramble;
    for (unsigned bit = 0; bit < bits; ++bit)
      direction_vectors[bit] = vectors[bit];
    moveTo(offset);
  }
  void moveTo(Word index) {
    i = index;
    x = c;
    const Word gray = i ^ (i >> 1);
    for (unsigned bit = 0; bit < bits; ++bit)
      if (gray >> bit & 1)
        x ^= direction_vectors[bit];
  }
  Word next() {
    const Word result = x;
    ++i; // the number changes by the vector of the index's lowest set bit
    if (i != 0)
      x ^= direction_vectors[__builtin_ctzll(i)];
    return result;
  }
};

} // namespace detail
} // namespace cu2cpp

struct curandStateSobol32 : cu2cpp::detail::Sobol<unsigned> {};
struct curandStateScrambledSobol32 : cu2cpp::detail::Sobol<unsigned> {};
struct curandStateSobol64 : cu2cpp::detail::Sobol<unsigned long long> {};
struct curandStateScrambledSobol64 : cu2cpp::detail::Sobol<unsigned long long> {};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;

// Vectors of any constness: programs keep them in constant memory.
inline void curand_init(const unsigned* direction_vectors, unsigned offset,
                        curandStateSobol32* state) {
  state->start(direction_vectors, 0, offset);
}
inline void curand_init(const unsigned* direction_vectors, unsigned scramble_c, unsigned offset,
                        curandStateScrambledSobol32* state) {
  state->start(direction_vectors, scramble_c, offset);
}
inline void curand_init(const unsigned long long* direction_vectors, unsigned offset,
                        curandStateSobol64* state) {
  state->start(direction_vectors, 0, offset);
}
inline void curand_init(const unsigned long long* direction_vectors, unsigned long long scramble_c,
                        unsigned offset, curandStateScrambledSobol64* state) {
  state->start(direction_vectors, scramble_c, offset);
}

namespace cu2cpp {
namespace detail {

// A normal number is the inverse of the distribution function, so that one number makes one and
// the points stay evenly spread. The upper half mirrors the lower one.
inline float normalOf(unsigned x) {
  const bool upper = x > 0x80000000u;
  const float n = ::normcdfinvf(uniform(upper ? ~x : x));
  return upper ? -n : n;
}
inline float normalOf(unsigned long long x) { return normalOf(unsigned(x >> 32)); }
inline double normalDoubleOf(unsigned x) {
  const bool upper = x > 0x80000000u;
  const double n = ::normcdfinv((upper ? ~x : x) * 0x1p-32 + 0x1p-33);
  return upper ? -n : n;
}
inline double normalDoubleOf(unsigned long long x) {
  const bool upper = x > 0x8000000000000000ull;
  const double n = ::normcdfinv(double((upper ? ~x : x) >> 11) * 0x1p-53 + 0x1p-54);
  return upper ? -n : n;
}

// A share within (0, 1), as the inverse of the distribution function needs it.
inline double shareOf(unsigned x) { return x * 0x1p-32 + 0x1p-33; }
inline double shareOf(unsigned long long x) { return double(x >> 11) * 0x1p-53 + 0x1p-55; }
template <class Word> inline unsigned poissonOf(Word x, double lambda) {
  if (lambda < 1000)
    return poissonAt(shareOf(x), lambda);
  return unsigned(__builtin_sqrt(lambda) * normalDoubleOf(x) + lambda + 0.5);
}

} // namespace detail
} // namespace cu2cpp

#define CU2CPP_SOBOL(State, Word)                                                                  \
  inline Word curand(State* state) { return state->next(); }                                       \
  inline void skipahead(Word n, State* state) { state->moveTo(state->i + n); }                     \
  inline float curand_uniform(State* state) { return cu2cpp::detail::uniform(state->next()); }     \
  inline double curand_uniform_double(State* state) {                                              \
    return cu2cpp::detail::uniformDouble(state->next());                                           \
  }                                                                                                \
  inline float curand_normal(State* state) { return cu2cpp::detail::normalOf(state->next()); }     \
  inline double curand_normal_double(State* state) {                                               \
    return cu2cpp::detail::normalDoubleOf(state->next());                                          \
  }                                                                                                \
  inline float curand_log_normal(State* state, float mean, float stddev) {                         \
    return __builtin_expf(mean + stddev * curand_normal(state));                                   \
  }                                                                                                \
  inline double curand_log_normal_double(State* state, double mean, double stddev) {               \
    return __builtin_exp(mean + stddev * curand_normal_double(state));                             \
  }                                                                                                \
  inline unsigned curand_poisson(State* state, double lambda) {                                    \
    const Word x = state->next();                                                                  \
    return cu2cpp::detail::poissonOf(x, lambda);                                                   \
  }
CU2CPP_SOBOL(curandStateSobol32, unsigned)
CU2CPP_SOBOL(curandStateScrambledSobol32, unsigned)
CU2CPP_SOBOL(curandStateSobol64, unsigned long long)
CU2CPP_SOBOL(curandStateScrambledSobol64, unsigned long long)
#undef CU2CPP_SOBOL

#endif
