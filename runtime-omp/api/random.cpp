// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's host API. The numbers of a generator come from many sequences in turn, as NVIDIA's
// ordering has it: one number (or pair of normal numbers, or four of Philox) from each.
//
// cuRAND Library Programming Guide, 'Host API Overview', 'Generator Options'.
#include <cmath>
#include <memory>
#include <vector>

#include <curand_kernel.h>

#include "api/call.h"
#include "api/sobol.h"

namespace {

using namespace cu2cpp::rt;

constexpr unsigned xorwowSequences = 4096, mrgSequences = 81920, philoxSequences = 65536;

/// Source hands out numbers in the order of the generator.
class Source {
public:
  virtual ~Source() = default;
  virtual unsigned word() = 0;
  virtual float uniform() = 0;
  virtual double uniformDouble() = 0;
  virtual void normals(float* out) = 0;        // two
  virtual void normalsDouble(double* out) = 0; // two
  virtual void skip(unsigned long long n) = 0;
  /// position() is the offset from which a generator with another seed goes on.
  virtual unsigned long long position() const = 0;
  virtual void giveBack() {} // the second normal number of the last pair
  virtual unsigned poisson(double lambda) = 0;
  // Of quasi-random sources: numbers of 64 bits, and how many numbers a call takes in all.
  virtual unsigned long long longWord() { return 0; }
  virtual void begin(size_t) {}
};

/// Sequences takes a number, or a pair, from one sequence after the other.
template <class State, unsigned count> class Sequences final : public Source {
public:
  explicit Sequences(unsigned long long seed) : seed_(seed) {}
  unsigned word() override { return curand(&next()); }
  float uniform() override { return curand_uniform(&next()); }
  double uniformDouble() override { return curand_uniform_double(&next()); }
  void normals(float* out) override {
    const float2 pair = curand_normal2(&next());
    out[0] = pair.x;
    out[1] = pair.y;
  }
  void normalsDouble(double* out) override {
    const double2 pair = curand_normal2_double(&next());
    out[0] = pair.x;
    out[1] = pair.y;
  }
  unsigned poisson(double lambda) override { return curand_poisson(&next(), lambda); }
  void skip(unsigned long long all) override {
    for (unsigned i = 0; i < count; ++i) {
      const unsigned long long mine = all / count + (i < all % count);
      if (mine == 0)
        break;
      skipahead(mine, &at(i));
    }
    turns_ = all;
    turn_ = unsigned(all % count);
  }
  unsigned long long position() const override { return turns_; }

private:
  State& at(unsigned i) {
    while (state_.size() <= i) {
      state_.emplace_back();
      if (state_.size() == 1) {
        curand_init(seed_, 0, 0, &first_);
      } else if constexpr (count == mrgSequences) {
        skipahead_subsequence(1, &first_);
      } else {
        skipahead_sequence(1, &first_);
      }
      state_.back() = first_;
    }
    return state_[i];
  }
  State& next() {
    State& state = at(turn_);
    turn_ = (turn_ + 1) % count;
    ++turns_;
    return state;
  }

  unsigned long long seed_;
  unsigned turn_ = 0;
  unsigned long long turns_ = 0; // all so far
  State first_{};                // the latest sequence as it begins
  std::vector<State> state_;     // those used so far
};

/// PhiloxSource takes four numbers from one sequence after the other.
class PhiloxSource final : public Source {
public:
  explicit PhiloxSource(unsigned long long seed) : seed_(seed) {}
  unsigned word() override {
    const uint4 four = fourAt(position_ / 4);
    const unsigned words[4] = {four.x, four.y, four.z, four.w};
    return words[position_++ % 4];
  }
  float uniform() override { return cu2cpp::detail::uniform(word()); }
  // Doubles take two rounds of four words for four numbers.
  double uniformDouble() override {
    const uint4 w = doubleWords();
    return position_++ % 2 == 0 ? cu2cpp::detail::uniformDouble(w.x, w.y)
                                : cu2cpp::detail::uniformDouble(w.z, w.w);
  }
  // Each normal number has its place, so that a call may end between the two of a pair.
  void normals(float* out) override {
    for (int i = 0; i < 2; ++i, ++position_) {
      const uint4 w = fourAt(position_ / 4);
      const float2 pair = position_ % 4 < 2 ? cu2cpp::detail::normalPair(w.x, w.y)
                                            : cu2cpp::detail::normalPair(w.z, w.w);
      out[i] = position_ % 2 == 0 ? pair.x : pair.y;
    }
  }
  void normalsDouble(double* out) override {
    for (int i = 0; i < 2; ++i, ++position_) {
      const double2 pair = cu2cpp::detail::normalPairDouble(doubleWords());
      out[i] = position_ % 2 == 0 ? pair.x : pair.y;
    }
  }
  void giveBack() override { --position_; }
  unsigned poisson(double lambda) override {
    return cu2cpp::detail::poissonAt(uniformDouble(), lambda);
  }
  unsigned long long position() const override { return position_; }
  void skip(unsigned long long n) override { position_ = n; }

private:
  uint4 wordsOf(unsigned long long group, unsigned round, unsigned rounds) const {
    const unsigned long long counter = group / philoxSequences * rounds + round;
    return cu2cpp::detail::philoxRounds(
        {unsigned(counter), unsigned(counter >> 32), unsigned(group % philoxSequences), 0},
        {unsigned(seed_), unsigned(seed_ >> 32)});
  }
  uint4 fourAt(unsigned long long group) {
    if (group != fourGroup_) {
      four_ = wordsOf(group, 0, 1);
      fourGroup_ = group;
    }
    return four_;
  }
  uint4 doubleWords() const { return wordsOf(position_ / 4, unsigned(position_ % 4 / 2), 2); }

  unsigned long long seed_;
  unsigned long long position_ = 0; // numbers handed out
  uint4 four_{};
  unsigned long long fourGroup_ = ~0ull; // whose words these are
};

/// SobolSource gives a call's numbers dimension by dimension, the same count from each.
template <class State, class Word> class SobolSource final : public Source {
public:
  explicit SobolSource(unsigned dimensions) : states_(dimensions) {
    for (unsigned d = 0; d < dimensions; ++d)
      curand_init(sobolVectors<Word>()[d].data(), 0u, &states_[d]);
  }
  void begin(size_t n) override {
    each_ = n / states_.size();
    dimension_ = taken_ = 0;
  }
  unsigned word() override { return unsigned(curand(&next())); }
  unsigned long long longWord() override { return curand(&next()); }
  float uniform() override { return curand_uniform(&next()); }
  double uniformDouble() override { return curand_uniform_double(&next()); }
  void normals(float* out) override {
    out[0] = curand_normal(&next());
    out[1] = taken_ == each_ && dimension_ + 1 == states_.size() ? 0 : curand_normal(&next());
  }
  void normalsDouble(double* out) override {
    out[0] = curand_normal_double(&next());
    out[1] =
        taken_ == each_ && dimension_ + 1 == states_.size() ? 0 : curand_normal_double(&next());
  }
  unsigned poisson(double lambda) override { return curand_poisson(&next(), lambda); }
  unsigned long long position() const override { return states_[0].i; }
  void skip(unsigned long long n) override {
    for (State& state : states_)
      skipahead(Word(n), &state);
  }

private:
  State& next() {
    if (taken_ == each_) {
      taken_ = 0;
      ++dimension_;
    }
    ++taken_;
    return states_[dimension_];
  }
  std::vector<State> states_;
  size_t each_ = 0, dimension_ = 0, taken_ = 0;
};

} // namespace

struct curandGenerator_st {
  curandRngType type;
  bool host;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0, offset = 0;
  unsigned dimensions = 1;
  std::unique_ptr<Source> source; // null until the first number is asked for

  bool quasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
  Source& ready() {
    if (!source) {
      switch (type) {
      case CURAND_RNG_PSEUDO_MRG32K3A:
        source = std::make_unique<Sequences<curandStateMRG32k3a, mrgSequences>>(seed);
        break;
      case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        source = std::make_unique<PhiloxSource>(seed);
        break;
      case CURAND_RNG_QUASI_DEFAULT:
      case CURAND_RNG_QUASI_SOBOL32:
        source = std::make_unique<SobolSource<curandStateSobol32, unsigned>>(dimensions);
        break;
      case CURAND_RNG_QUASI_SOBOL64:
        source = std::make_unique<SobolSource<curandStateSobol64, unsigned long long>>(dimensions);
        break;
      default:
        source = std::make_unique<Sequences<curandStateXORWOW, xorwowSequences>>(seed);
      }
      source->skip(offset);
    }
    return *source;
  }
};

namespace {

bool known(curandRngType type) {
  switch (type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
  case CURAND_RNG_PSEUDO_XORWOW:
  case CURAND_RNG_PSEUDO_MRG32K3A:
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
  case CURAND_RNG_QUASI_DEFAULT:
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SOBOL64:
    return true;
  default:
    return false;
  }
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool host) {
  if (!generator || !known(type))
    return CURAND_STATUS_TYPE_ERROR;
  *generator = new curandGenerator_st{type, host, nullptr, 0, 0, 1, nullptr};
  return CURAND_STATUS_SUCCESS;
}

/// Filling is a piece of work in the generator's stream.
template <class Fill> class Filling final : public Work {
public:
  explicit Filling(Fill fill) : fill_(fill) {}
  std::uint64_t parts() const override { return 1; }
  void run(std::uint64_t, std::uint64_t) noexcept override { fill_(); }

private:
  Fill fill_;
};

template <class Fill> curandStatus_t inStream(curandGenerator_t g, Fill fill) {
  if (g->host) {
    fill();
    return CURAND_STATUS_SUCCESS;
  }
  const cudaError_t error = deviceCall([&] {
    const std::shared_ptr<Stream> stream = streamOf(g->stream);
    if (!stream)
      return Status::InvalidHandle;
    return submit(stream, std::make_unique<Filling<Fill>>(fill), false);
  });
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

// Pairs of normal numbers make odd lengths impossible, except from Philox.
template <class T, class Two, class Map>
curandStatus_t fillPairs(curandGenerator_t g, T* out, size_t n, Two two, Map map) {
  if (!g)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (n % 2 != 0 && g->type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && !g->quasi())
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (n % g->dimensions != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return inStream(g, [=] {
    Source& source = g->ready();
    source.begin(n);
    for (size_t i = 0; i < n; i += 2) {
      T pair[2];
      (source.*two)(pair);
      out[i] = map(pair[0]);
      if (i + 1 < n)
        out[i + 1] = map(pair[1]);
      else
        source.giveBack();
    }
  });
}

template <class T, class One>
curandStatus_t fillOnes(curandGenerator_t g, T* out, size_t n, One one) {
  if (!g)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (n % g->dimensions != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return inStream(g, [=] {
    Source& source = g->ready();
    source.begin(n);
    for (size_t i = 0; i < n; ++i)
      out[i] = one(source);
  });
}

} // namespace

extern "C" curandStatus_t curandCreateGenerator(curandGenerator_t* generator,
                                                curandRngType_t rng_type) {
  return create(generator, rng_type, false);
}

extern "C" curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator,
                                                    curandRngType_t rng_type) {
  return create(generator, rng_type, true);
}

extern "C" curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->host)
    cudaStreamSynchronize(generator->stream); // it may still be filling
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandGetVersion(int* version) {
  if (!version)
    return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->host)
    cudaStreamSynchronize(generator->stream); // two streams must not fill at a time
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                             unsigned long long seed) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->quasi())
    return CURAND_STATUS_TYPE_ERROR;
  return inStream(generator, [=] {
    // Only the seed changes: the place in the sequence stays (measured with NVIDIA's library).
    generator->seed = seed;
    if (generator->source)
      generator->offset = generator->source->position();
    generator->source.reset();
  });
}

extern "C" curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                                   unsigned long long offset) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  return inStream(generator, [=] {
    generator->offset = offset;
    generator->source.reset();
  });
}

extern "C" curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                                     curandOrdering_t order) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->quasi())
    return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS
                                                  : CURAND_STATUS_OUT_OF_RANGE;
  // The others give other numbers.
  return order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
                 order == CURAND_ORDERING_PSEUDO_LEGACY
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_OUT_OF_RANGE;
}

extern "C" curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                                  unsigned int num_dimensions) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->quasi())
    return CURAND_STATUS_TYPE_ERROR;
  if (num_dimensions == 0 || num_dimensions > sobolDimensions)
    return CURAND_STATUS_OUT_OF_RANGE;
  generator->dimensions = num_dimensions; // lengths are checked against it at once
  return inStream(generator, [=] { generator->source.reset(); });
}

extern "C" curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (!generator)
    return CURAND_STATUS_NOT_INITIALIZED;
  return inStream(generator, [=] { generator->ready(); });
}

extern "C" curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* outputPtr,
                                         size_t num) {
  if (generator && generator->type == CURAND_RNG_QUASI_SOBOL64)
    return CURAND_STATUS_TYPE_ERROR;
  return fillOnes(generator, outputPtr, num, [](Source& source) { return source.word(); });
}

extern "C" curandStatus_t curandGenerateLongLong(curandGenerator_t generator,
                                                 unsigned long long* outputPtr, size_t num) {
  if (generator && generator->type != CURAND_RNG_QUASI_SOBOL64)
    return CURAND_STATUS_TYPE_ERROR;
  return fillOnes(generator, outputPtr, num, [](Source& source) { return source.longWord(); });
}

extern "C" curandStatus_t curandGeneratePoisson(curandGenerator_t generator,
                                                unsigned int* outputPtr, size_t n, double lambda) {
  if (!(lambda > 0 && lambda <= 400000))
    return CURAND_STATUS_OUT_OF_RANGE;
  return fillOnes(generator, outputPtr, n, [=](Source& source) { return source.poisson(lambda); });
}

extern "C" curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* outputPtr,
                                                size_t num) {
  return fillOnes(generator, outputPtr, num, [](Source& source) { return source.uniform(); });
}

extern "C" curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator,
                                                      double* outputPtr, size_t num) {
  return fillOnes(generator, outputPtr, num, [](Source& source) { return source.uniformDouble(); });
}

extern "C" curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* outputPtr,
                                               size_t n, float mean, float stddev) {
  return fillPairs(generator, outputPtr, n, &Source::normals,
                   [=](float x) { return mean + x * stddev; });
}

extern "C" curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* outputPtr,
                                                     size_t n, double mean, double stddev) {
  return fillPairs(generator, outputPtr, n, &Source::normalsDouble,
                   [=](double x) { return mean + x * stddev; });
}

extern "C" curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* outputPtr,
                                                  size_t n, float mean, float stddev) {
  return fillPairs(generator, outputPtr, n, &Source::normals,
                   [=](float x) { return std::exp(mean + x * stddev); });
}

extern "C" curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator,
                                                        double* outputPtr, size_t n, double mean,
                                                        double stddev) {
  return fillPairs(generator, outputPtr, n, &Source::normalsDouble,
                   [=](double x) { return std::exp(mean + x * stddev); });
}
