// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locals that only a pointer, alive across the barrier, names again: scalar, array element, struct member, pointer to pointer.
#include <cstdio>

struct Pair {
  int a, b;
};

__device__ int* keep(int* p) { return p; }

__global__ void k(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int scalar = t * 3;
  int* p = &scalar;
  int array[4] = {t, t + 10, t + 20, t + 30};
  int* q = array + t % 4;
  Pair pair = {t * 5, t * 7};
  int* m = t & 1 ? &pair.a : &pair.b;
  int** pp = &q;
  int passed = 1000 + t;
  int* kept = keep(&passed);
  s[t] = *p;
  __syncthreads();
  *p += 1;
  s[t] += 10000;
  __syncthreads();
  out[t] = *p + **pp * 100 + *m + *kept + s[63 - t];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int t = 0; t < 64; ++t)
    bad += out[t] != t * 3 + 1 + (t + t % 4 * 10) * 100 + (t & 1 ? t * 5 : t * 7) + 1000 + t + (63 - t) * 3 + 10000;
  printf("wrong: %d; %d %d\n", bad, out[0], out[63]);
  return bad != 0;
}
