// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured bindings whose parts threads keep through barriers, change, and compute other values
// from: of structures, base classes' members, arrays' copies and references.
#include <cstdio>

struct Sums {
  float sum, squares;
};

struct Place {
  int row, column;
};

__device__ Sums blockSums(float a, float b) {
  __shared__ Sums part[32];
  for (int o = 16; o > 0; o /= 2) {
    a += __shfl_xor_sync(0xffffffffu, a, o);
    b += __shfl_xor_sync(0xffffffffu, b, o);
  }
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = {a, b};
  __syncthreads();
  Sums all{0, 0};
  for (unsigned w = 0; w < blockDim.x / 32; ++w) {
    all.sum += part[w].sum;
    all.squares += part[w].squares;
  }
  __syncthreads();
  return all;
}

__global__ void norm(const float* x, float* y, int width) {
  const float* row = x + blockIdx.x * width;
  float s = 0, q = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x) {
    s += row[i];
    q += row[i] * row[i];
  }
  const auto [sum,
              squares] = blockSums(s, q);
  const float mean = sum / width;
  const float variance = squares / width - mean * mean;
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    y[blockIdx.x * width + i] = (row[i] - mean) / (variance + 1);
}

__device__ Place placeOf(int i) { return {i / 7, i % 7}; }

__global__ void changed(int* out, int n) {
  __shared__ int table[64];
  auto [row, column] = placeOf(threadIdx.x);
  table[threadIdx.x] = row * 10 + column;
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    row += table[(threadIdx.x + k) % 64];
    __syncthreads();
    if (column % 2)
      column = row % 13;
    table[threadIdx.x] += column;
    __syncthreads();
  }
  out[threadIdx.x] = row * 1000 + column + table[63 - threadIdx.x];
}

__global__ void references(int* out) {
  __shared__ Place places[64];
  auto& [row, column] = places[threadIdx.x];
  row = threadIdx.x;
  column = threadIdx.x * 3;
  __syncthreads();
  const auto& [otherRow, otherColumn] = places[63 - threadIdx.x];
  const int sum = otherRow + otherColumn;
  __syncthreads();
  row += sum;
  __syncthreads();
  out[threadIdx.x] = places[(threadIdx.x * 5) % 64].row;
}

__global__ void pairs(int* out) {
  __shared__ int first[64];
  int both[2] = {int(threadIdx.x), int(threadIdx.x) * 2};
  auto [a, b] = both;
  first[threadIdx.x] = a + b;
  __syncthreads();
  a += first[(threadIdx.x + 1) % 64];
  __syncthreads();
  out[threadIdx.x] = a * 3 + b;
}

template <class T> struct Two {
  T low, high;
};
template <class T> __device__ Two<T> ordered(T a, T b) {
  if (a < b)
    return {a, b};
  return {b, a};
}
template <class T> __global__ void sortPairs(T* values) {
  __shared__ T s[64];
  s[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  for (int round = 0; round < 64; ++round) {
    const int i = threadIdx.x * 2 + round % 2;
    if (i + 1 < 64) {
      const auto [low, high] = ordered(s[i], s[i + 1]);
      s[i] = low;
      s[i + 1] = high;
    }
    __syncthreads();
  }
  values[threadIdx.x] = s[threadIdx.x];
}

// What the parts are used for follows the call alone, in a template.
template <int N> __device__ Two<int> ends(const int* values, int add) {
  __shared__ int s[N];
  s[threadIdx.x] = values[threadIdx.x] + add;
  __syncthreads();
  Two<int> both{s[0], s[N - 1]};
  __syncthreads();
  return both;
}
template <int N> __global__ void spread(int* values, int n) {
  const auto [low, high] = ends<N>(values, n);
  if (threadIdx.x == 0)
    values[n] = low - high;
  for (int i = threadIdx.x; i < n; i += N)
    values[i] = low * i + high;
}

int main() {
  const int rows = 8, width = 300;
  float *x, *y;
  int* out;
  cudaMallocManaged(&x, rows * width * sizeof(float));
  cudaMallocManaged(&y, rows * width * sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < rows * width; ++i)
    x[i] = float(i * 37 % 64) / 16;
  norm<<<rows, 128>>>(x, y, width);
  cudaDeviceSynchronize();
  double total = 0;
  for (int i = 0; i < rows * width; ++i)
    total += y[i] * (i % 7);
  std::printf("norm %.3f\n", total);
  const auto print = [&](const char* name) {
    cudaDeviceSynchronize();
    unsigned sum = 0;
    for (int i = 0; i < 64; ++i)
      sum = sum * 31 + unsigned(out[i]);
    std::printf("%s %u %d\n", name, sum, out[5]);
  };
  changed<<<1, 64>>>(out, 5);
  print("changed");
  references<<<1, 64>>>(out);
  print("references");
  pairs<<<1, 64>>>(out);
  print("pairs");
  for (int i = 0; i < 64; ++i)
    out[i] = i * 29 % 64;
  sortPairs<<<1, 64>>>(out);
  print("sorted");
  spread<32><<<1, 32>>>(out, 63);
  print("spread");
}
