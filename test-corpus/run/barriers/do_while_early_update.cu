// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// do-while loops with barriers that update their variable first, last, or twice; a barrier at the start or end only.
#include <cstdio>

__global__ void k(int* out, int n) {
  __shared__ int s[48];
  __shared__ int changed;
  int t = threadIdx.x;
  int step = n;
  int sum = 0;
  s[t] = (t * 29 + 7) % 48;
  do {
    step -= 2;
    __syncthreads();
    int v = s[(t + step + 48) % 48];
    __syncthreads();
    s[t] = v;
    sum += v * step;
  } while (step > 0);
  int round = 0;
  do {
    __syncthreads();
    sum += s[47 - t] + round;
    ++round;
  } while (round < n);
  // Odd-even sort until nothing changes.
  do {
    __syncthreads();
    if (t == 0)
      changed = 0;
    for (int phase = 0; phase < 2; ++phase) {
      __syncthreads();
      if (t % 2 == phase && t < 47 && s[t] > s[t + 1]) {
        int high = s[t];
        s[t] = s[t + 1];
        s[t + 1] = high;
        changed = 1;
      }
    }
    ++round;
    __syncthreads();
  } while (changed);
  out[t] = sum * 100000 + s[t] * 1000 + round;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 48 * sizeof(int));
  int bad = 0;
  for (int n : {1, 4, 9}) {
    k<<<1, 48>>>(out, n);
    cudaDeviceSynchronize();
    for (int t = 0; t < 48; ++t)
      bad += ((out[t] % 100000) + 100000) % 100000 / 1000 != t;
    printf("%d: %d %d %d\n", n, out[0], out[20], out[47]);
  }
  printf("wrong: %d\n", bad);
  return bad != 0;
}
