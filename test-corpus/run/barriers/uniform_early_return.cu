// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole blocks leave early, by their index, by a flag in shared memory and by the result of a collective.
#include <cstdio>

__global__ void k(const int* limits, int* out) {
  __shared__ int stop;
  int t = threadIdx.x, b = blockIdx.x;
  if (b == 2)
    return;
  if (t == 0)
    stop = limits[b] < 0;
  __syncthreads();
  if (stop) {
    out[b * 40 + t] = -1;
    return;
  }
  out[b * 40 + t] = 1;
  if (__syncthreads_and(t < limits[b]))
    return;
  __syncthreads();
  out[b * 40 + t] += 10;
  __syncthreads();
  if (t >= limits[b])
    return;
  out[b * 40 + t] += 100;
}

int main() {
  int *limits, *out;
  cudaMallocManaged(&limits, 6 * sizeof(int));
  cudaMallocManaged(&out, 240 * sizeof(int));
  const int l[] = {40, 20, 5, -1, 0, 1000};
  for (int i = 0; i < 6; ++i)
    limits[i] = l[i];
  for (int i = 0; i < 240; ++i)
    out[i] = 0;
  k<<<6, 40>>>(limits, out);
  cudaDeviceSynchronize();
  for (int b = 0; b < 6; ++b)
    printf("%d %d %d\n", out[b * 40], out[b * 40 + 19], out[b * 40 + 39]);
  return 0;
}
