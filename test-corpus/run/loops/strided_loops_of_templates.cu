// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that step by a block or a warp keep each thread's own state, where that is an object, and in templates whose
// calls only an instance knows.
#include <cstdio>
#include <cuda_runtime.h>

struct Range {
  float low, high;
  int seen;
};

__device__ Range joined(Range a, Range b) {
  Range out;
  out.low = a.low < b.low ? a.low : b.low;
  out.high = a.high > b.high ? a.high : b.high;
  out.seen = a.seen + b.seen;
  return out;
}

template <int threads> __global__ void ranges(const float* in, Range* out, int n) {
  __shared__ Range all[threads];
  int t = threadIdx.x;
  Range mine;
  mine.low = 1e30f;
  mine.high = -1e30f;
  mine.seen = 0;
  for (int i = t; i < n; i += threads) {
    Range one;
    one.low = in[blockIdx.x * n + i];
    one.high = one.low * 2 - 1;
    one.seen = 1;
    mine = joined(mine, one);
  }
  all[t] = mine;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half)
      all[t] = joined(all[t], all[t + half]);
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = all[0];
}

// An object that a pointer may reach.
__global__ void pointed(const int* in, int* out, int n) {
  __shared__ int s[64];
  int2 mine = make_int2(0, 0);
  int* second = &mine.y;
  for (int i = threadIdx.x; i < n; i += 64) {
    mine.x += in[i];
    *second += in[i] * in[i];
  }
  s[threadIdx.x] = mine.x - mine.y;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x] + mine.y;
}

template <typename T> __device__ T step(T a, T b) { return a * T(3) + b; }
template <typename T> __device__ void swapIfLess(T& a, T& b) {
  if (b < a) {
    T c = a;
    a = b;
    b = c;
  }
}

template <typename T, int warps> __global__ void leastTwo(const T* in, T* out, size_t rows, size_t cols) {
  const int lane = threadIdx.x;
  for (size_t row = blockIdx.x * warps + threadIdx.y; row < rows; row += gridDim.x * warps) {
    const T* x = in + row * cols;
    T first = 1000, second = 1000, hash = 0;
    for (size_t c = lane; c < cols; c += 32) {
      T v = x[c];
      hash = step(hash, v);
      second = min(second, max(first, v));
      swapIfLess(first, v);
    }
    for (int mask = 16; mask > 0; mask /= 2) {
      T otherFirst = __shfl_xor_sync(0xffffffffu, first, mask);
      T otherSecond = __shfl_xor_sync(0xffffffffu, second, mask);
      second = min(min(second, otherSecond), max(first, otherFirst));
      first = min(first, otherFirst);
      hash += __shfl_xor_sync(0xffffffffu, hash, mask);
    }
    for (size_t c = lane; c < 3; c += 32)
      out[row * 3 + c] = c == 0 ? first : c == 1 ? second : hash;
  }
}

// What a template's function does to a variable may differ between its instances.
struct Kept {
  int* place;
  int value;
  __device__ Kept& operator=(const Kept& other) {
    value = other.value;
    place = &value;
    return *this;
  }
};
template <class T> __device__ T made(int i);
template <> __device__ int made<int>(int i) { return i * 7; }
template <> __device__ Kept made<Kept>(int i) { return Kept{nullptr, i * 5}; }
__device__ int read(int a) { return a; }
__device__ int read(const Kept& a) { return a.place ? *a.place : -1; }
template <class T> __global__ void keeps(const int* in, int* out, int n) {
  T last = made<T>(threadIdx.x);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    last = made<T>(in[i]);
  __syncthreads();
  out[threadIdx.x] = read(last);
}

int main() {
  constexpr int n = 1000;
  float* numbers;
  int *integers, *results;
  Range* found;
  cudaMallocManaged(&numbers, 4 * n * sizeof(float));
  cudaMallocManaged(&integers, 4 * n * sizeof(int));
  cudaMallocManaged(&results, 4 * n * sizeof(int));
  cudaMallocManaged(&found, 4 * sizeof(Range));
  for (int i = 0; i < 4 * n; ++i) {
    integers[i] = (i * 7919 + 13) % 613 - 300;
    numbers[i] = (i * 104729 % 10007) * 0.01f;
  }
  ranges<128><<<4, 128>>>(numbers, found, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i)
    printf("range %g %g of %d\n", found[i].low, found[i].high, found[i].seen);

  pointed<<<1, 64>>>(integers, results, n);
  cudaDeviceSynchronize();
  printf("pointed %d %d %d\n", results[0], results[31], results[63]);

  leastTwo<int, 4><<<3, dim3(32, 4)>>>(integers, results, 20, 150);
  cudaDeviceSynchronize();
  for (int row = 0; row < 20; row += 6)
    printf("row %d: %d %d %d\n", row, results[row * 3], results[row * 3 + 1], results[row * 3 + 2]);
  float* floats = reinterpret_cast<float*>(results);
  leastTwo<float, 4><<<3, dim3(32, 4)>>>(numbers, floats, 20, 10);
  cudaDeviceSynchronize();
  for (int row = 1; row < 20; row += 6)
    printf("row %d: %g %g %g\n", row, floats[row * 3], floats[row * 3 + 1], floats[row * 3 + 2]);

  keeps<int><<<1, 96>>>(integers, results, 300);
  cudaDeviceSynchronize();
  printf("integers %d %d %d\n", results[0], results[50], results[95]);
  keeps<Kept><<<1, 96>>>(integers, results, 90);
  cudaDeviceSynchronize();
  printf("objects %d %d %d %s\n", results[0], results[50], results[95], cudaGetErrorString(cudaGetLastError()));
  return 0;
}
