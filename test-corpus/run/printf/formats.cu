// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf: widths, flags, mixed types, strings, more than ten arguments, and its return value.
// UNORDERED
#include <cstdio>

__global__ void k(const char* name) {
  int t = threadIdx.x;
  int r = printf("%s %d: %5d|%-5d|%05d|%+d %u %x %X %o %c %%\n", "thread", t, t * 11, t * 12, t * 13, t, t * 14u,
                 t * 255, t * 171, t * 9, 'a' + t);
  printf("%d returned %d\n", t, r);
  printf("%d: %.3f %8.2f %e %g %lld %llu %hd %zu\n", t, t * 1.5f, t * -2.25, t * 1e10, t * 0.001, t * -5000000000ll,
         t * 10000000000ull, short(t), sizeof(double));
  if (t == 2)
    printf("%*d|%-*d|%.*f|%5s|%-6s|%.2s\n", 7, t, 6, t, 2, 3.14159, "ab", "cd", "efg");
}

int main() {
  k<<<1, 4>>>(nullptr);
  cudaDeviceSynchronize();
  return 0;
}
