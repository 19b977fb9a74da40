// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One __shared__ statement with several declarators (arrays, scalars, structs), and shared arrays of unions.
#include <cstdio>

struct Pair {
  int key;
  short tag[2];
};
union Word {
  unsigned bits;
  unsigned char bytes[4];
};

__global__ void k(unsigned* out) {
  __shared__ int a[40], b, c[2][40];
  __shared__ Pair p[40], last;
  __shared__ __align__(16) Word w[40];
  int t = threadIdx.x;
  a[t] = t;
  c[0][t] = t * 2;
  c[1][t] = t * 3;
  p[t].key = t * t;
  p[t].tag[0] = short(-t);
  p[t].tag[1] = short(t + 1);
  w[t].bits = 0x01020304u * t;
  if (t == 0) {
    b = 77;
    last = {5, {6, 7}};
  }
  __syncthreads();
  int o = 39 - t;
  out[t] = a[o] + b + c[0][o] + c[1][o] + p[o].key + p[o].tag[0] + p[o].tag[1] + last.tag[1] +
           w[o].bytes[t % 4];
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 40 * sizeof(unsigned));
  k<<<1, 40>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 40; ++i)
    printf("%u%c", out[i], i % 10 == 9 ? '\n' : ' ');
  return 0;
}
