// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a matrix by grids of 7 blocks each: blocks of one row may take their steps together, and
// those of another row not. Threads keep a sum, and the least element with its place.
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdio>

__device__ void takeLess(float& v, int& at, float v2, int at2) {
  if (v2 < v || (v2 == v && at2 < at)) {
    v = v2;
    at = at2;
  }
}

__global__ void leastOfRows(const float* in, int width, float* least, int* at, int* sums) {
  __shared__ float ofThreads[64];
  __shared__ int places[64], counts[64];
  const float* row = in + size_t(blockIdx.y) * width;
  const int bias = int(blockIdx.y % 3);
  float v = FLT_MAX;
  int place = INT_MAX, count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width; i += gridDim.x * blockDim.x) {
    const float x = row[i];
    takeLess(v, place, x, i);
    count += x > 0 ? i % 5 + bias : 1;
  }
  ofThreads[threadIdx.x] = v;
  places[threadIdx.x] = place;
  counts[threadIdx.x] = count;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (threadIdx.x < d) {
      takeLess(ofThreads[threadIdx.x], places[threadIdx.x], ofThreads[threadIdx.x + d],
               places[threadIdx.x + d]);
      counts[threadIdx.x] += counts[threadIdx.x + d];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const int to = blockIdx.y * gridDim.x + blockIdx.x;
    least[to] = ofThreads[0];
    at[to] = places[0];
    sums[to] = counts[0];
  }
}

int main() {
  const int rows = 5, blocks = 7;
  for (int width : {20011, 4096, 300}) {
    float *in, *least;
    int *at, *sums;
    cudaMallocManaged(&in, rows * width * sizeof(float));
    cudaMallocManaged(&least, rows * blocks * sizeof(float));
    cudaMallocManaged(&at, rows * blocks * sizeof(int));
    cudaMallocManaged(&sums, rows * blocks * sizeof(int));
    for (int i = 0; i < rows * width; ++i)
      in[i] = i % 89 == 3 ? NAN : float((i * 7919LL) % 2003) - 700.0f;
    leastOfRows<<<dim3(blocks, rows), 64>>>(in, width, least, at, sums);
    cudaDeviceSynchronize();
    for (int i = 0; i < rows * blocks; i += 3)
      printf("%g at %d, %d\n", least[i], at[i], sums[i]);
    cudaFree(in);
    cudaFree(least);
    cudaFree(at);
    cudaFree(sums);
  }
}
