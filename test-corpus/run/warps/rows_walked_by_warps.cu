// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks whose rows of threads are warps, each of which goes along a row of memory: loops that store
// there, with barriers of the block around them and without.
#include <cstdio>

__device__ float sumOfWarp(float v) {
  for (int distance = 16; distance > 0; distance /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, distance);
  return v;
}

// A residual is added, and what the row then is stays in registers.
template <int columns>
__global__ void addAndScale(const float* in, const float* residual, const float* gain, float* hidden, float* out,
                            float* norms, int rows) {
  const int row = blockIdx.x * 8 + threadIdx.y;
  if (row >= rows)
    return;
  const float* x = in + (size_t)row * columns;
  const float* r = residual + (size_t)row * columns;
  float* h = hidden + (size_t)row * columns;
  float* y = out + (size_t)row * columns;
  constexpr int perLane = columns / 32;
  float v[perLane];
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < perLane; i++) {
    const int c = i * 32 + threadIdx.x;
    v[i] = x[c] + r[c];
    h[c] = v[i];
    squares += v[i] * v[i];
  }
  squares = sumOfWarp(squares);
  const float scale = 1.0f / (1.0f + squares / columns);
  if (threadIdx.x == 0)
    norms[row] = squares;
#pragma unroll
  for (int i = 0; i < perLane; i++) {
    const int c = i * 32 + threadIdx.x;
    y[c] = v[i] * scale * gain[c];
  }
}

// Rows of any length, and what is stored is read again by the next row's warp behind a barrier.
__global__ void differences(float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int below = threadIdx.y + 1 < blockDim.y && row + 1 < rows ? row + 1 : row;
  for (int c = threadIdx.x; c < columns; c += 32)
    if (row < rows)
      in[row * columns + c] += float(threadIdx.y);
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += 32)
    if (row < rows)
      out[row * columns + c] = in[below * columns + c] - in[row * columns + c];
  __syncthreads();
  for (int k = 0; k < 10; ++k) {
    const int c = k * 32 + int(threadIdx.x);
    if (row < rows && c < columns)
      in[row * columns + c] = out[row * columns + c] * 2.0f;
  }
}

// All warps store to one row, one behind the other or the same: the place names no row.
__global__ void together(int* out, int* counts) {
  for (int i = 0; i < 12; ++i) {
    const int c = i * 32 + threadIdx.x;
    out[c] = c * 3;
    atomicAdd(&counts[c], int(threadIdx.y));
  }
}

int main() {
  constexpr int rows = 21, columns = 384;
  float *in, *residual, *gain, *hidden, *out, *norms;
  int *places, *counts;
  cudaMallocManaged(&in, rows * columns * sizeof(float));
  cudaMallocManaged(&residual, rows * columns * sizeof(float));
  cudaMallocManaged(&gain, columns * sizeof(float));
  cudaMallocManaged(&hidden, rows * columns * sizeof(float));
  cudaMallocManaged(&out, rows * columns * sizeof(float));
  cudaMallocManaged(&norms, rows * sizeof(float));
  cudaMallocManaged(&places, columns * sizeof(int));
  cudaMallocManaged(&counts, columns * sizeof(int));
  for (int i = 0; i < rows * columns; ++i) {
    in[i] = float(i * 7 % 16) * 0.5f;
    residual[i] = float(i * 5 % 8) - 3.0f;
    hidden[i] = out[i] = 0.0f;
  }
  for (int i = 0; i < columns; ++i) {
    gain[i] = float(i % 4 + 1);
    places[i] = counts[i] = 0;
  }
  const auto print = [&](const char* name, const float* values) {
    cudaDeviceSynchronize();
    double sum = 0.0;
    for (int i = 0; i < rows * columns; ++i)
      sum += values[i] * (i % 5 + 1);
    printf("%s: %.5g %.5g %.5g, sum %.5g\n", name, values[0], values[rows * columns / 2], values[rows * columns - 1],
           sum);
  };
  addAndScale<columns><<<(rows + 7) / 8, dim3(32, 8)>>>(in, residual, gain, hidden, out, norms, rows);
  print("hidden", hidden);
  print("scaled", out);
  printf("norms: %g %g\n", norms[0], norms[rows - 1]);
  differences<<<(rows + 3) / 4, dim3(32, 4)>>>(in, out, rows, columns - 5);
  print("differences", out);
  print("in", in);
  together<<<3, dim3(32, 4)>>>(places, counts);
  cudaDeviceSynchronize();
  printf("together: %d %d %d %d\n", places[1], places[columns - 1], counts[0], counts[columns - 1]);
  for (void* p : {(void*)in, (void*)residual, (void*)gain, (void*)hidden, (void*)out, (void*)norms, (void*)places,
                  (void*)counts})
    cudaFree(p);
  return 0;
}
