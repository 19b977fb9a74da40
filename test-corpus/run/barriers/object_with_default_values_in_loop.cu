// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object declared in a loop starts anew each round, also when it is alive across the loop's barrier.
#include <cstdio>

struct Sum {
  int total = 7;
  int count = 0;
  __device__ void add(int x) {
    total += x;
    ++count;
  }
};
struct Counter {
  int value;
  __host__ __device__ Counter() : value(1) {}
};

__global__ void k(int* out, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  int all = 0;
  for (int r = 0; r < n; ++r) {
    Sum sum;
    Counter counter;
    sum.add(s[(t + r) % 32]);
    counter.value += t;
    __syncthreads();
    s[t] += 1;
    __syncthreads();
    sum.add(s[t]);
    all += sum.total * 10 + sum.count + counter.value;
  }
  out[t] = all;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  k<<<1, 32>>>(out, 5);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int t = 0; t < 32; ++t) {
    int all = 0;
    for (int r = 0; r < 5; ++r)
      all += (7 + (t + r) % 32 + r + t + r + 1) * 10 + 2 + 1 + t;
    bad += out[t] != all;
  }
  printf("wrong: %d; %d %d\n", bad, out[0], out[31]);
  return bad != 0;
}
