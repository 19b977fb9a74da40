// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least and greatest elements with their places, which threads keep in loops and their warps
// join: a condition of two parts changes two values. Some elements are no numbers.
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdio>
struct Ends {
  float least;
  int leastAt;
  float greatest;
  int greatestAt;
};
__device__ void takeLess(float& v, int& at, float v2, int at2) {
  if (v2 < v || (v2 == v && at2 < at)) {
    v = v2;
    at = at2;
  }
}
__device__ void takeGreater(float& v, int& at, float v2, int at2) {
  if (v2 > v || (v2 == v && at2 < at)) {
    v = v2;
    at = at2;
  }
}
__device__ void countRecords(int& records, float& best, float v) {
  if (v > best && records < 1000) {
    best = v;
    records = records + 1;
  }
}

__global__ void ends(const float* in, int n, Ends* out, int* records) {
  __shared__ Ends ofWarps[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  Ends e{FLT_MAX, INT_MAX, -FLT_MAX, INT_MAX};
  int found = 0;
  float best = -FLT_MAX;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float v = in[i];
    takeLess(e.least, e.leastAt, v, i);
    takeGreater(e.greatest, e.greatestAt, v, i);
    countRecords(found, best, v);
  }
  for (int d = 16; d > 0; d /= 2) {
    const float less = __shfl_down_sync(~0u, e.least, d),
                more = __shfl_down_sync(~0u, e.greatest, d);
    const int lessAt = __shfl_down_sync(~0u, e.leastAt, d),
              moreAt = __shfl_down_sync(~0u, e.greatestAt, d);
    takeLess(e.least, e.leastAt, less, lessAt);
    takeGreater(e.greatest, e.greatestAt, more, moreAt);
  }
  records[blockIdx.x * blockDim.x + threadIdx.x] = found;
  if (lane == 0)
    ofWarps[warp] = e;
  __syncthreads();
  if (threadIdx.x < 8)
    out[blockIdx.x * 8 + threadIdx.x] = ofWarps[threadIdx.x];
}

int main() {
  const int n = 50021, blocks = 3, threads = 256;
  float* in;
  Ends* out;
  int* records;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, blocks * 8 * sizeof(Ends));
  cudaMallocManaged(&records, blocks * threads * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = i % 97 == 5 ? NAN : i % 41 == 0 ? -0.0f : float((i * 7919L) % 1013) - 400.0f;
  ends<<<blocks, threads>>>(in, n, out, records);
  cudaDeviceSynchronize();
  long sum = 0;
  for (int i = 0; i < blocks * threads; ++i)
    sum += long(i % 17) * records[i];
  for (int i = 0; i < blocks * 8; ++i)
    printf("%g at %d, %g at %d\n", out[i].least, out[i].leastAt, out[i].greatest,
           out[i].greatestAt);
  printf("%ld\n", sum);
}
