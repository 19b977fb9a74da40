// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops by the grid that call functions and methods which load in short loops: from memory that all threads share, from
// shared memory, from arrays of a thread's own, and from what the loop stores.
#include <cstdio>

constexpr int rows = 1000, width = 5, threads = 64, blocks = 3;

struct Ell {
  int n;
  const float* values;
  const int* columns;
  __device__ float times(int r, const float* x) const {
    float s = 0;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const int c = columns[k * n + r];
      if (c >= 0)
        s += values[k * n + r] * x[c];
    }
    return s;
  }
};

__device__ float blend(const float* a, int i, int n) {
  float s = 0;
  for (int k = 0; k < 4; ++k)
    s += a[(i * 3 + k * 7) % n] * (k + 1);
  return s;
}

__device__ float last(const float* own) {
  float s = 0;
  for (int k = 0; k < 3; ++k)
    s = s * 2 + own[k];
  return s;
}

__device__ float before(const float* a, int i) {
  float s = 0;
  for (int k = 0; k < 2; ++k)
    s += a[i + k * 1000];
  return s;
}

__global__ void product(Ell a, const float* p, float* q, float* sums) {
  __shared__ float tile[threads];
  float sum = 0;
  for (int r = blockIdx.x * threads + threadIdx.x; r < a.n; r += threads * gridDim.x) {
    const float v = a.times(r, p);
    q[r] = v;
    sum += v * p[r];
  }
  tile[threadIdx.x] = sum;
  __syncthreads();
  float mixed = 0;
  for (int r = threadIdx.x; r < 200; r += threads)
    mixed += blend(tile, r, threads);
  sums[blockIdx.x * threads + threadIdx.x] = mixed;
}

// Each thread has an array of its own, and goes on with it from step to step.
__global__ void owners(const float* p, float* q, float* sums) {
  float own[3] = {1, 2, 3};
  float sum = 0;
  for (int r = blockIdx.x * threads + threadIdx.x; r < rows; r += threads * gridDim.x) {
    own[r % 3] += p[r];
    q[r] = last(own);
    sum += q[r] * p[r];
  }
  __syncthreads();
  sums[blockIdx.x * threads + threadIdx.x] = sum;
}

// What a thread loads is what it has stored a statement before.
__global__ void inPlace(float* q, float* sums) {
  float sum = 0;
  for (int r = blockIdx.x * threads + threadIdx.x; r < rows; r += threads * gridDim.x) {
    q[r] = q[r] * 0.5f + 1;
    const float v = before(q, r);
    q[r + 1000] = v;
    sum += v + before(q, r);
  }
  __syncthreads();
  sums[blockIdx.x * threads + threadIdx.x] = sum;
}

int main() {
  float *values, *p, *q, *sums;
  int* columns;
  cudaMallocManaged(&values, rows * width * sizeof(float));
  cudaMallocManaged(&columns, rows * width * sizeof(int));
  cudaMallocManaged(&p, rows * sizeof(float));
  cudaMallocManaged(&q, 2 * rows * sizeof(float));
  cudaMallocManaged(&sums, threads * blocks * sizeof(float));
  for (int i = 0; i < rows * width; ++i) {
    values[i] = i % 7 - 3;
    columns[i] = i % 4 == 1 ? -1 : i * 37 % rows;
  }
  for (int i = 0; i < rows; ++i) {
    p[i] = i % 11 - 5;
    q[i] = q[i + rows] = 0;
  }
  const auto show = [&](const char* what) {
    cudaDeviceSynchronize();
    double ofRows = 0, ofSums = 0;
    for (int i = 0; i < 2 * rows; ++i)
      ofRows += q[i] * (i % 13);
    for (int i = 0; i < threads * blocks; ++i)
      ofSums += sums[i] * (i % 5);
    std::printf("%s: %.1f %.1f %.1f\n", what, ofRows, ofSums, double(q[123]));
  };
  product<<<blocks, threads>>>(Ell{rows, values, columns}, p, q, sums);
  show("product");
  owners<<<blocks, threads>>>(p, q, sums);
  show("owners");
  inPlace<<<blocks, threads>>>(q, sums);
  show("in place");
}
