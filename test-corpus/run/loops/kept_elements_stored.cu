// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that threads keep are stored where a scan of them tells, one behind the other; and others, at places that are
// no row, in the reverse order, far apart, or each at its own.
#include <cstdio>

struct Counted {
  int offset;
  int other;
};

template <typename T> __global__ void keep(const T* in, const int* offsets, T least, int n, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] > least)
    out[offsets[i]] = in[i];
}

__global__ void keepAll(const float* keys, const double* a, const int* b, const unsigned char* c, const int* offsets,
                        const int* sums, int n, float* keysOut, double* aOut, int* bOut, unsigned char* cOut) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float key = keys[i];
  if (key > 3.0f) {
    const int to = sums[i / 64] + offsets[i];
    keysOut[to] = key;
    aOut[to] = a[i];
    bOut[to] = b[i] + 1;
    cOut[to] = c[i];
  }
}

template <typename Place> __global__ void scatter(const int* in, const Place* places, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 != 0)
    out[places[i]] = in[i];
}

__global__ void scatterOthers(const int* in, const unsigned* places, const Counted* counted, int n, int* out, int* more) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 4 != 1) {
    out[places[i]] = in[i];
    more[counted[i].offset] = in[i] + counted[i].other;
  }
}

constexpr int n = 1003;

template <typename T> void print(const char* name, const T* values) {
  cudaDeviceSynchronize();
  double sum = 0.0;
  for (int i = 0; i < n; ++i)
    sum += double(values[i]) * (i % 7 + 1);
  printf("%s: %g %g %g, sum %.10g\n", name, double(values[0]), double(values[n / 3]), double(values[n - 1]), sum);
}
template <typename T> T* make() {
  T* out;
  cudaMallocManaged(&out, n * sizeof(T));
  cudaMemset(out, 0, n * sizeof(T));
  return out;
}

int main() {
  auto *keys = make<float>(), *keysOut = make<float>();
  auto *a = make<double>(), *aOut = make<double>();
  auto *b = make<int>(), *bOut = make<int>(), *offsets = make<int>(), *all = make<int>(), *sums = make<int>();
  auto *c = make<unsigned char>(), *cOut = make<unsigned char>();
  auto* places = make<unsigned>();
  auto* wide = make<long long>();
  auto* counted = make<Counted>();
  int kept = 0, inBlock = 0;
  for (int i = 0; i < n; ++i) {
    keys[i] = float(i * 37 % 11);
    a[i] = i * 0.5;
    b[i] = i * 13 % 101;
    c[i] = (unsigned char)(i * 5);
    if (i % 64 == 0) {
      sums[i / 64] = kept;
      inBlock = 0;
    }
    offsets[i] = inBlock;
    all[i] = kept;
    kept += keys[i] > 3.0f;
    inBlock += keys[i] > 3.0f;
  }
  const int blocks = (n + 127) / 128;
  keep<<<blocks, 128>>>(keys, all, 3.0f, n, keysOut);
  print("kept", keysOut);
  cudaMemset(keysOut, 0, n * sizeof(float));
  keepAll<<<blocks, 128>>>(keys, a, b, c, offsets, sums, n, keysOut, aOut, bOut, cOut);
  print("kept keys", keysOut);
  print("kept doubles", aOut);
  print("kept integers", bOut);
  print("kept bytes", cOut);

  const auto run = [&](const char* name, auto place) {
    for (int i = 0; i < n; ++i) {
      offsets[i] = place(i);
      wide[i] = place(i);
      places[i] = unsigned(place(i));
      counted[i] = {place(i), i};
    }
    cudaMemset(bOut, 0, n * sizeof(int));
    scatter<<<blocks, 128>>>(b, offsets, n, bOut);
    print(name, bOut);
    cudaMemset(bOut, 0, n * sizeof(int));
    scatter<<<blocks, 128>>>(b, wide, n, bOut);
    print(name, bOut);
    cudaMemset(bOut, 0, n * sizeof(int));
    cudaMemset(all, 0, n * sizeof(int));
    scatterOthers<<<blocks, 128>>>(b, places, counted, n, bOut, all);
    print(name, bOut);
    print(name, all);
  };
  run("own places", [](int i) { return i; });
  run("reverse order", [](int i) { return n - 1 - i; });
  run("far apart", [](int i) { return int(i * 379ll % n); });
  run("pairs swapped", [](int i) { return i == n - 1 ? i : i ^ 1; });
  // What is kept goes to the front, with two neighbours that are swapped here and there, all else to the back.
  int front = 0, back = n - 1;
  int mixed[n];
  for (int i = 0; i < n; ++i)
    mixed[i] = b[i] % 3 != 0 ? front++ : back--;
  for (int i = 70; i + 1 < n; i += 100) {
    const int other = mixed[i];
    mixed[i] = mixed[i + 1];
    mixed[i + 1] = other;
  }
  run("to the front", [&](int i) { return mixed[i]; });
  return 0;
}
