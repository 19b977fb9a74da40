// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide selections: flags, functors, runs of equal items, partitions, totals by key,
// histograms.
#include <cstdio>

#include <cub/cub.cuh>

template <class Call> void twice(Call call) {
  void* temp = nullptr;
  size_t bytes = 0;
  call(temp, bytes);
  cudaMalloc(&temp, bytes);
  const cudaError_t error = call(temp, bytes);
  if (error != cudaSuccess)
    printf("error: %s\n", cudaGetErrorString(error));
  cudaDeviceSynchronize();
  cudaFree(temp);
}

template <class T> T* managed(int n) {
  T* data;
  cudaMallocManaged(&data, n * sizeof(T));
  return data;
}

unsigned hashOf(const int* values, int n) {
  unsigned hash = 0;
  for (int i = 0; i < n; ++i)
    hash = hash * 31 + unsigned(values[i]);
  return hash;
}

struct Odd {
  __host__ __device__ bool operator()(int a) const { return a % 2 != 0; }
};
struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

int main() {
  const int n = 30000;
  int *in = managed<int>(n), *out = managed<int>(n), *more = managed<int>(n),
      *count = managed<int>(2);
  char* flags = managed<char>(n);
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 7919) % 1009;
    flags[i] = i % 3 == 0;
  }
  twice([&](void* t, size_t& b) {
    return cub::DeviceSelect::Flagged(t, b, in, flags, out, count, n);
  });
  printf("flagged: %d %u\n", *count, hashOf(out, *count));
  twice([&](void* t, size_t& b) { return cub::DeviceSelect::If(t, b, in, out, count, n, Odd()); });
  printf("odd: %d %u\n", *count, hashOf(out, *count));
  twice(
      [&](void* t, size_t& b) { return cub::DevicePartition::If(t, b, in, out, count, n, Odd()); });
  printf("partition: %d %u\n", *count, hashOf(out, n));
  twice([&](void* t, size_t& b) {
    return cub::DevicePartition::Flagged(t, b, in, flags, out, count, n);
  });
  printf("partition by flag: %d %u\n", *count, hashOf(out, n));

  // Runs of 1 to 7 items.
  for (int i = 0, run = 0, left = 1; i < n; ++i) {
    in[i] = run * 17 % 5;
    if (--left == 0) {
      ++run;
      left = run * 13 % 7 + 1;
    }
  }
  twice([&](void* t, size_t& b) { return cub::DeviceSelect::Unique(t, b, in, out, count, n); });
  printf("unique: %d %u\n", *count, hashOf(out, *count));
  twice([&](void* t, size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(t, b, in, out, more, count, n);
  });
  printf("runs: %d %u %u\n", *count, hashOf(out, *count), hashOf(more, *count));
  twice([&](void* t, size_t& b) {
    return cub::DeviceRunLengthEncode::NonTrivialRuns(t, b, in, out, more, count, n);
  });
  printf("longer runs: %d %u %u\n", *count, hashOf(out, *count), hashOf(more, *count));
  int *values = managed<int>(n), *totals = managed<int>(n);
  for (int i = 0; i < n; ++i)
    values[i] = (i * 31) % 97;
  twice([&](void* t, size_t& b) {
    return cub::DeviceReduce::ReduceByKey(t, b, in, out, values, totals, count, Larger(), n);
  });
  printf("by key: %d %u %u\n", *count, hashOf(out, *count), hashOf(totals, *count));

  int* bins = managed<int>(10);
  float* samples = managed<float>(n);
  for (int i = 0; i < n; ++i)
    samples[i] = float((i * 7919) % 1200) * 0.25f - 10.0f;
  twice([&](void* t, size_t& b) {
    return cub::DeviceHistogram::HistogramEven(t, b, samples, bins, 11, 0.0f, 250.0f, n);
  });
  printf("even:");
  for (int i = 0; i < 10; ++i)
    printf(" %d", bins[i]);
  float* levels = managed<float>(5);
  const float given[5] = {-5.0f, 0.0f, 1.5f, 100.0f, 200.0f};
  for (int i = 0; i < 5; ++i)
    levels[i] = given[i];
  twice([&](void* t, size_t& b) {
    return cub::DeviceHistogram::HistogramRange(t, b, samples, bins, 5, levels, n);
  });
  printf("\nranges:");
  for (int i = 0; i < 4; ++i)
    printf(" %d", bins[i]);
  printf("\nPASS\n");
}
