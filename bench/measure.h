// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both versions of a workload share: inputs made from a counter, and the measurement. Each
// program prints the median time of its rounds and one number by which its result is checked
// against the other version's.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

/// uniform() is the i-th number of a fixed sequence in [0, 1).
inline float uniform(unsigned i) {
  i = (i ^ 61u) ^ (i >> 16);
  i *= 9u;
  i ^= i >> 4;
  i *= 0x27d4eb2du;
  i ^= i >> 15;
  return static_cast<float>(i >> 8) * (1.0f / 16777216.0f);
}

inline std::vector<float> uniforms(std::size_t n, unsigned seed, float low = 0.0f,
                                   float high = 1.0f) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = low + (high - low) * uniform(static_cast<unsigned>(i) * 2654435761u + seed);
  return values;
}

inline double now(bool processor) {
  if (processor)
    return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// measure() runs work() once to warm up, then some rounds, and prints the median. BENCH_ROUNDS
/// changes their number. BENCH_CPU counts processor time and not time on the clock, which helps on
/// a busy machine (with one thread).
template <class Work> void measure(Work work) {
  const char* given = std::getenv("BENCH_ROUNDS");
  const bool processor = std::getenv("BENCH_CPU");
  const int rounds = given ? std::max(1, std::atoi(given)) : 9;
  work();
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const double start = now(processor);
    work();
    times.push_back(now(processor) - start);
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  std::printf("time_ms %.4f\n", times[rounds / 2]);
}

/// check() prints the number by which two versions of a workload are compared.
inline void check(double value) { std::printf("check %.9g\n", value); }

/// weightedSum() depends on the order of the values too, so that swapped results show.
template <class T> double weightedSum(const std::vector<T>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    sum += static_cast<double>(values[i]) * (1.0 + static_cast<double>(i % 17) / 16.0);
  return sum;
}
