// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers at three levels of nested loops; indices of outer loops, per-thread sums and arrays alive at each level.
#include <cstdio>

__global__ void k(const int* in, int* out, int n) {
  __shared__ int s[16], row[16];
  const int t = threadIdx.x;
  int total = 0;
  for (int i = 0; i < n; ++i) {
    int start = in[(i * 16 + t) % 64];
    int history[3] = {start};
    s[t] = start;
    __syncthreads();
    for (int j = i; j >= 0; j--) {
      const int index = (t + i * j) % 16;
      int local = s[index];
      __syncthreads();
      row[t] = local;
      for (int w = 8; w > j; w >>= 1) {
        __syncthreads();
        int other = row[(t + w) % 16];
        __syncthreads();
        row[t] += other + index;
        history[w % 3] += other;
      }
      __syncthreads();
      s[t] = (row[15 - t] + j) & 0xffff;
      total += local;
      __syncthreads();
    }
    total += history[0] + 2 * history[1] + 3 * history[2];
    __syncthreads();
  }
  out[t] = total;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, 16 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    in[i] = i * 13 % 19;
  for (int n : {1, 2, 6}) {
    k<<<1, 16>>>(in, out, n);
    cudaDeviceSynchronize();
    printf("%d: %d %d %d\n", n, out[0], out[7], out[15]);
  }
  return 0;
}
