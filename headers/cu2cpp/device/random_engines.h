// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's pseudo-random engines with NVIDIA's sequences: XORWOW, Philox4x32-10 and MRG32k3a.
//
// cuRAND Library Programming Guide, 'Pseudorandom Generators', 'Bit Generation with XORWOW and
// MRG32k3a generators'. Marsaglia, 'Xorshift RNGs'; Salmon et al., 'Parallel random numbers: as
// easy as 1, 2, 3'; L'Ecuyer, 'Good parameters and implementations for combined multiple recursive
// random number generators'.
#ifndef CU2CPP_DEVICE_RANDOM_ENGINES_H
#define CU2CPP_DEVICE_RANDOM_ENGINES_H

#include <vector_types.h>

namespace cu2cpp {
namespace detail {

/// skipXorwow() advances the five words by n * 2^power steps, skipMrg() the two triples.
void skipXorwow(unsigned* v, unsigned long long n, unsigned power) noexcept;
void skipMrg(unsigned* s1, unsigned* s2, unsigned long long n, unsigned power) noexcept;

/// BoxMuller keeps the second normal number of a pair; `kept` says which kind is kept.
struct BoxMuller {
  int boxmuller_flag = 0;
  int boxmuller_flag_double = 0;
  float boxmuller_extra = 0;
  double boxmuller_extra_double = 0;
};

inline uint4 philoxRounds(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * counter.x, b = 0xCD9E8D57ull * counter.z;
    counter = {unsigned(b >> 32) ^ counter.y ^ key.x, unsigned(b),
               unsigned(a >> 32) ^ counter.w ^ key.y, unsigned(a)};
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}

} // namespace detail
} // namespace cu2cpp

struct curandStateXORWOW : cu2cpp::detail::BoxMuller {
  unsigned d, v[5];
};
struct curandStatePhilox4_32_10 : cu2cpp::detail::BoxMuller {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
};
struct curandStateMRG32k3a : cu2cpp::detail::BoxMuller {
  unsigned s1[3], s2[3];
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;

// skipahead() skips numbers, skipahead_sequence() whole sequences of 2^67 numbers (XORWOW), 2^66
// (Philox), 2^127 (MRG32k3a); skipahead_subsequence() 2^76 numbers of MRG32k3a.
inline void skipahead(unsigned long long n, curandStateXORWOW* state) {
  cu2cpp::detail::skipXorwow(state->v, n, 0);
  state->d += 362437u * unsigned(n);
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  cu2cpp::detail::skipXorwow(state->v, n, 67);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStateXORWOW* state) {
  const unsigned s0 = unsigned(seed) ^ 0xaad26b49u, s1 = unsigned(seed >> 32) ^ 0xf7dcefddu;
  const unsigned t0 = 1099087573u * s0, t1 = 2591861531u * s1;
  static_cast<cu2cpp::detail::BoxMuller&>(*state) = {};
  state->d = 6615241u + t1 + t0;
  state->v[0] = 123456789u + t0;
  state->v[1] = 362436069u ^ t0;
  state->v[2] = 521288629u + t1;
  state->v[3] = 88675123u ^ t1;
  state->v[4] = 5783321u + t0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
inline unsigned curand(curandStateXORWOW* state) {
  unsigned* const v = state->v;
  const unsigned t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437u;
  return v[4] + state->d;
}

namespace cu2cpp {
namespace detail {
inline void addToCounter(curandStatePhilox4_32_10* state, unsigned long long n) {
  unsigned long long low = state->ctr.x | (unsigned long long)state->ctr.y << 32;
  low += n;
  state->ctr.x = unsigned(low);
  state->ctr.y = unsigned(low >> 32);
  if (low < n) {
    if (++state->ctr.z == 0)
      ++state->ctr.w;
  }
}
} // namespace detail
} // namespace cu2cpp

inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  state->STATE += unsigned(n & 3);
  n /= 4;
  if (state->STATE > 3) {
    ++n;
    state->STATE -= 4;
  }
  cu2cpp::detail::addToCounter(state, n);
  state->output = cu2cpp::detail::philoxRounds(state->ctr, state->key);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned long long high = (state->ctr.z | (unsigned long long)state->ctr.w << 32) + n;
  state->ctr.z = unsigned(high);
  state->ctr.w = unsigned(high >> 32);
  state->output = cu2cpp::detail::philoxRounds(state->ctr, state->key);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStatePhilox4_32_10* state) {
  static_cast<cu2cpp::detail::BoxMuller&>(*state) = {};
  state->ctr = {0, 0, 0, 0};
  state->key = {unsigned(seed), unsigned(seed >> 32)};
  state->STATE = 0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
inline unsigned curand(curandStatePhilox4_32_10* state) {
  const unsigned words[4] = {state->output.x, state->output.y, state->output.z, state->output.w};
  const unsigned result = words[state->STATE++];
  if (state->STATE == 4) {
    cu2cpp::detail::addToCounter(state, 1);
    state->output = cu2cpp::detail::philoxRounds(state->ctr, state->key);
    state->STATE = 0;
  }
  return result;
}
inline uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 now = state->output;
  cu2cpp::detail::addToCounter(state, 1);
  state->output = cu2cpp::detail::philoxRounds(state->ctr, state->key);
  const uint4 next = state->output;
  switch (state->STATE) {
  case 1:
    return {now.y, now.z, now.w, next.x};
  case 2:
    return {now.z, now.w, next.x, next.y};
  case 3:
    return {now.w, next.x, next.y, next.z};
  default:
    return now;
  }
}

inline void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
  cu2cpp::detail::skipMrg(state->s1, state->s2, n, 0);
}
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
  cu2cpp::detail::skipMrg(state->s1, state->s2, n, 76);
}
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
  cu2cpp::detail::skipMrg(state->s1, state->s2, n, 127);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                        unsigned long long offset, curandStateMRG32k3a* state) {
  constexpr unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
  static_cast<cu2cpp::detail::BoxMuller&>(*state) = {};
  for (int i = 0; i < 3; ++i)
    state->s1[i] = state->s2[i] = 12345;
  if (seed != 0) {
    const unsigned long long x1 = unsigned(seed) ^ 0x55555555u;
    const unsigned long long x2 = unsigned(seed >> 32) ^ 0xAAAAAAAAu;
    for (int i = 0; i < 3; ++i) {
      state->s1[i] = unsigned((i == 1 ? x2 : x1) * state->s1[i] % m1);
      state->s2[i] = unsigned((i == 1 ? x1 : x2) * state->s2[i] % m2);
    }
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}
/// curand_MRG32k3a() is a number from 1 to m1.
inline double curand_MRG32k3a(curandStateMRG32k3a* state) {
  constexpr unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
  const unsigned long long p1 = (1403580ull * state->s1[1] + 810728ull * (m1 - state->s1[0])) % m1;
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = unsigned(p1);
  const unsigned long long p2 = (527612ull * state->s2[2] + 1370589ull * (m2 - state->s2[0])) % m2;
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = unsigned(p2);
  return p1 <= p2 ? double(p1 + m1 - p2) : double(p1 - p2);
}
inline unsigned curand(curandStateMRG32k3a* state) {
  return unsigned(curand_MRG32k3a(state) * 1.000000048662);
}

#endif
