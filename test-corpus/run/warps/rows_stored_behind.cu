// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of warps whose place is asked for behind the last meeting of the warp, where all threads of a
// block go on: pointers and numbers that are computed from what each warp knows.
#include <cstdio>

__device__ float sumOfWarp(float v) {
  for (int distance = 16; distance > 0; distance /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, distance);
  return v;
}

template <int columns> __global__ void centre(const float* in, const float* scale, float* out, int rows) {
  constexpr int perLane = columns / 32;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= rows)
    return;
  const float* x = in + size_t(row) * columns;
  float v[perLane];
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < perLane; ++i) {
    v[i] = x[i * 32 + lane];
    sum += v[i];
  }
  const float mean = sumOfWarp(sum) / columns;
  float* y = out + size_t(row) * columns;
#pragma unroll
  for (int i = 0; i < perLane; ++i) {
    const int c = i * 32 + lane;
    y[c] = (v[i] - mean) * scale[c];
  }
}

// One behind the other: a row, where it begins, and where its half does.
__global__ void halves(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int start = row * columns;
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 32)
    sum += in[start + c];
  sum = sumOfWarp(sum);
  const int half = start + columns / 2;
  float* y = out + half;
  for (int i = 0; i < 20; ++i) {
    const int c = i * 32 + threadIdx.x;
    if (c < columns / 2)
      y[c] = sum + float(row);
  }
}

int main() {
  constexpr int rows = 21, columns = 768;
  float *in, *scale, *out;
  cudaMallocManaged(&in, rows * columns * sizeof(float));
  cudaMallocManaged(&out, rows * columns * sizeof(float));
  cudaMallocManaged(&scale, columns * sizeof(float));
  for (int i = 0; i < rows * columns; ++i) {
    in[i] = float(i * 7 % 768) * 0.5f + float(i / 768); // rows' means are exact
    out[i] = 0.0f;
  }
  for (int i = 0; i < columns; ++i)
    scale[i] = float(i % 4 + 1);
  const auto print = [&](const char* name) {
    cudaDeviceSynchronize();
    double sum = 0.0;
    for (int i = 0; i < rows * columns; ++i)
      sum += out[i] * (i % 5 + 1);
    printf("%s: %g %g %g, sum %.10g\n", name, out[0], out[rows * columns / 2], out[rows * columns - 1], sum);
  };
  centre<columns><<<3, dim3(32, 8)>>>(in, scale, out, rows);
  print("centre");
  halves<<<(rows + 3) / 4, dim3(32, 4)>>>(in, out, rows, columns);
  print("halves");
  cudaFree(in);
  cudaFree(out);
  cudaFree(scale);
  return 0;
}
