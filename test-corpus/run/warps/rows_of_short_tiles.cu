// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of 4, 8 and 16 lanes that walk along rows of any length, also none, in steps as long as the
// tile and longer ones, and add up by shuffles with a width; the last block's rows end before it.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

template <int width, class T> __device__ T sumOfTile(T v) {
#pragma unroll
  for (int m = width >> 1; m > 0; m >>= 1)
    v += __shfl_xor_sync(0xffffffffu, v, m, width);
  return v;
}

template <int width, int step, class T>
__global__ void product(int rows, const int* start, const int* column, const T* value, const T* x,
                        T* y) {
  const int lane = threadIdx.x % width, each = blockDim.x / width;
  for (int base = blockIdx.x * each; base < rows; base += gridDim.x * each) {
    const int row = base + threadIdx.x / width;
    T sum = 0;
    int count = 0;
    if (row < rows)
      for (int j = start[row] + lane; j < start[row + 1]; j += step) {
        sum += value[j] * x[column[j]];
        ++count;
      }
    sum = sumOfTile<width>(sum);
    const int most = __shfl_sync(0xffffffffu, count, 0, width);
    const int fewest = __shfl_down_sync(0xffffffffu, count, width - 1, width);
    if (lane == 0 && row < rows)
      y[row] = sum + T(most * 1024 + fewest * 65536);
  }
}

template <class T> T* onDevice(const std::vector<T>& from) {
  T* to;
  cudaMalloc(&to, from.size() * sizeof(T));
  cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}

template <int width, int step, class T> void run(const char* type, int rows, int blocks) {
  std::vector<int> start(1, 0), column;
  std::vector<T> value, x(97), y(rows, T(-1));
  for (int i = 0; i < 97; ++i)
    x[i] = T(i % 9 - 4);
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < r * 7 % 41; ++k) {
      column.push_back((r * 13 + k * 29) % 97);
      value.push_back(T((r + k) % 7 - 2));
    }
    start.push_back(int(column.size()));
  }
  int *dStart = onDevice(start), *dColumn = onDevice(column);
  T *dValue = onDevice(value), *dX = onDevice(x), *dY = onDevice(y);
  product<width, step><<<blocks, 64>>>(rows, dStart, dColumn, dValue, dX, dY);
  cudaMemcpy(y.data(), dY, rows * sizeof(T), cudaMemcpyDeviceToHost);
  double all = 0;
  for (int r = 0; r < rows; ++r)
    all += double(y[r]) * (r % 11 + 1);
  std::printf("%s, %d lanes, steps of %d: %.0f, %.0f %.0f %.0f\n", type, width, step, all,
              double(y[1]), double(y[rows / 2]), double(y[rows - 1]));
  for (void* p : {(void*)dStart, (void*)dColumn, (void*)dValue, (void*)dX, (void*)dY})
    cudaFree(p);
}

int main() {
  run<4, 4, float>("float", 203, 3);
  run<4, 4, double>("double", 203, 5);
  run<8, 8, float>("float", 203, 4);
  run<8, 8, double>("double", 205, 4);
  run<8, 12, double>("double", 205, 4);
  run<16, 16, float>("float", 101, 7);
  run<16, 16, double>("double", 101, 7);
  run<16, 16, long long>("long long", 101, 2);
}
