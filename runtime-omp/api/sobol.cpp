// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes direction vectors from primitive polynomials and initial direction numbers: with degree d
// and coefficients a(1) ... a(d-1), v(i) = v(i-d) ^ v(i-d) >> d ^ a(1) v(i-1) ^ ... ^ a(d-1)
// v(i-d+1).
//
// cuRAND Library Programming Guide, 'curandGetDirectionVectors32'. Bratley and Fox, 'Algorithm
// 659'.
#include "api/sobol.h"

namespace cu2cpp::rt {
namespace {

constexpr unsigned short numbers[] = {
#include "api/sobol_numbers.inc"
};

template <class Word> using Vectors = std::array<Word, 8 * sizeof(Word)>;

template <class Word> std::vector<Vectors<Word>> makeVectors() {
  constexpr unsigned bits = 8 * sizeof(Word);
  std::vector<Vectors<Word>> all(sobolDimensions);
  for (unsigned i = 0; i < bits; ++i)
    all[0][i] = Word(1) << (bits - 1 - i);
  const unsigned short* at = numbers;
  for (unsigned dimension = 1; dimension < sobolDimensions; ++dimension) {
    const unsigned polynomial = *at++, degree = 31 - unsigned(__builtin_clz(polynomial));
    Vectors<Word>& v = all[dimension];
    for (unsigned i = 0; i < bits; ++i) {
      if (i < degree) {
        v[i] = Word(*at++) << (bits - 1 - i);
        continue;
      }
      v[i] = v[i - degree] ^ (v[i - degree] >> degree);
      for (unsigned k = 1; k < degree; ++k)
        if (polynomial >> (degree - k) & 1)
          v[i] ^= v[i - k];
    }
  }
  return all;
}

} // namespace

template <class Word>
const std::vector<std::array<Word, 8 * sizeof(Word)>>& sobolVectors() noexcept {
  static const std::vector<Vectors<Word>> vectors = makeVectors<Word>();
  return vectors;
}
template const std::vector<Vectors<unsigned>>& sobolVectors<unsigned>() noexcept;
template const std::vector<Vectors<unsigned long long>>&
sobolVectors<unsigned long long>() noexcept;

} // namespace cu2cpp::rt

using namespace cu2cpp::rt;

extern "C" curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                                      curandDirectionVectorSet_t set) {
  if (!vectors || set != CURAND_DIRECTION_VECTORS_32_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = reinterpret_cast<curandDirectionVectors32_t*>(
      const_cast<unsigned*>(sobolVectors<unsigned>().front().data()));
  return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                                      curandDirectionVectorSet_t set) {
  if (!vectors || set != CURAND_DIRECTION_VECTORS_64_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = reinterpret_cast<curandDirectionVectors64_t*>(
      const_cast<unsigned long long*>(sobolVectors<unsigned long long>().front().data()));
  return CURAND_STATUS_SUCCESS;
}
