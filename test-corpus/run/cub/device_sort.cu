// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide sorts: keys and pairs, both directions, bits of keys, two buffers, segments, any
// comparison.
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

template <class Key> void pairs(const char* name, int n) {
  Key *in = managed<Key>(n), *out = managed<Key>(n);
  int *values = managed<int>(n), *order = managed<int>(n);
  for (int i = 0; i < n; ++i) {
    in[i] = Key((i * 7919LL + 13) % 20011) - Key(5000);
    values[i] = i;
  }
  twice([&](void* t, size_t& b) {
    return cub::DeviceRadixSort::SortPairs(t, b, in, out, values, order, n);
  });
  bool right = true;
  for (int i = 0; i < n; ++i)
    right &= out[i] == in[order[i]] &&
             (i == 0 || out[i - 1] < out[i] || (out[i - 1] == out[i] && order[i - 1] < order[i]));
  printf("%s up: %s %u\n", name, right ? "sorted" : "NOT SORTED", hashOf(order, n));
  twice([&](void* t, size_t& b) {
    return cub::DeviceRadixSort::SortPairsDescending(t, b, in, out, values, order, n);
  });
  right = true;
  for (int i = 0; i < n; ++i)
    right &= out[i] == in[order[i]] &&
             (i == 0 || out[i] < out[i - 1] || (out[i - 1] == out[i] && order[i - 1] < order[i]));
  printf("%s down: %s %u\n", name, right ? "sorted" : "NOT SORTED", hashOf(order, n));
}

struct ByLastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

int main() {
  pairs<int>("int", 20000);
  pairs<double>("double", 5000);
  pairs<unsigned char>("unsigned char", 5000);
  pairs<int>("int", 1);

  const int n = 10000;
  int *a = managed<int>(n), *b = managed<int>(n);
  for (int i = 0; i < n; ++i)
    a[i] = (i * 31337) % 65521;
  cub::DoubleBuffer<int> keys(a, b);
  twice([&](void* t, size_t& s) { return cub::DeviceRadixSort::SortKeys(t, s, keys, n, 0, 12); });
  printf("bits 0 to 11: %u\n", hashOf(keys.Current(), n));

  const int segments = 5;
  const int starts[segments + 1] = {0, 1, 1, 40, 5000, n};
  int* offsets = managed<int>(segments + 1);
  for (int i = 0; i <= segments; ++i)
    offsets[i] = starts[i];
  for (int i = 0; i < n; ++i)
    a[i] = (i * 31337) % 65521;
  twice([&](void* t, size_t& s) {
    return cub::DeviceSegmentedRadixSort::SortKeys(t, s, a, b, n, segments, offsets, offsets + 1);
  });
  printf("segments: %u\n", hashOf(b, n));
  twice([&](void* t, size_t& s) {
    return cub::DeviceSegmentedSort::SortKeysDescending(t, s, a, b, n, segments, offsets,
                                                        offsets + 1);
  });
  printf("segments down: %u\n", hashOf(b, n));

  twice([&](void* t, size_t& s) {
    return cub::DeviceMergeSort::StableSortKeys(t, s, a, n, ByLastDigit());
  });
  printf("by last digit: %u\n", hashOf(a, n));
  printf("PASS\n");
}
