// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of C++14 with names of its own that C++17 has in std: variables, types, functions, in
// kernels, macros and templates.
// FLAGS: -std=c++14
#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

using namespace std;

struct byte {
  unsigned char value;
  byte* next;
};
typedef int optional;
int size = 5;
int* data;
double empty[3] = {0.5, 1.5, 2.5};
__device__ int reduce[4];
__constant__ int sample = 3;
bool apply = true;

#define LAST (size - 1)
#define FIRST(name) name[0]

__host__ __device__ int clamp(int x, int low, int high) {
  return x < low ? low : x > high ? high : x;
}

template <class T> struct Holder {
  byte inner;
  T sum() const { return T(empty[1]) + T(size) + T(inner.value); }
};

__global__ void fill(int* out, byte start) {
  const int i = threadIdx.x;
  out[i] = clamp(i * sample, 2, 9) + start.value;
  if (i < 4)
    reduce[i] = i * i;
}

int pick(int i) { return apply ? size : empty[i] > 1; }

int main() {
  cudaMallocManaged(&data, size * sizeof(int));
  byte start{7, nullptr};
  start.next = &start;
  fill<<<1, size>>>(data, start);
  cudaDeviceSynchronize();
  int host[4];
  cudaMemcpyFromSymbol(host, reduce, sizeof(host));
  optional total = 0;
  for (int i = 0; i < size; ++i)
    total += data[i];
  Holder<double> holder{{4, nullptr}};
  vector<byte> bytes(size);
  bytes[LAST].value = 3;
  string text = to_string(accumulate(data, data + size, 0));
  printf("%d %d %d %d %g %d %s %d %d\n", total, FIRST(data), data[LAST], host[3], holder.sum(),
         (int)bytes[LAST].value, text.c_str(), (int)bytes.size(), pick(2));
  cudaFree(data);
}
