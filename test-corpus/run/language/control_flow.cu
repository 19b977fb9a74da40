// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// goto, switch with fall-through, do-while, nested break and continue, recursion, comma and ternary in device code.
#include <cstdio>

__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

__device__ int collatz(long n) {
  int steps = 0;
again:
  if (n == 1)
    return steps;
  n = n % 2 ? 3 * n + 1 : n / 2;
  ++steps;
  goto again;
}

__global__ void k(int* out) {
  int t = threadIdx.x, v = 0;
  switch (t % 5) {
  case 0:
    v = fib(t);
    break;
  case 1:
    v += 1;
  case 2:
    v += 10;
    break;
  case 3: {
    int i = 0;
    do {
      if (i == 2)
        continue;
      if (i == t)
        break;
      v += i;
    } while (++i < 6);
    break;
  }
  default:
    v = collatz(t + 20);
  }
  for (int i = 0; i < t; ++i) {
    for (int j = 0;; ++j) {
      if (j > i)
        goto next;
      if (j == 3)
        return;
      v += j, --v;
    }
  next:;
    out[t] = v;
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 20 * sizeof(int));
  for (int i = 0; i < 20; ++i)
    out[i] = -100;
  k<<<1, 20>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 20; ++i)
    printf("%d ", out[i]);
  printf("\n");
  return 0;
}
