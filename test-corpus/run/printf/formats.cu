// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf: widths, flags, mixed types, strings, more than ten arguments, and its return value, which
// counts the arguments (the guide, 'Formatted Output') and not the characters.
// UNORDERED
#include <cstdio>

__global__ void k(const char* name) {
  int t = threadIdx.x;
  int r = printf("%s %d: %5d|%-5d|%05d|%+d %u %x %X %o %c %%\n", "thread", t, t * 11, t * 12, t * 13, t, t * 14u,
                 t * 255, t * 171, t * 9, 'a' + t);
  printf("%d returned %d\n", t, r);
  printf("%d: %.3f %8.2f %e %g %lld %llu %hd %lu\n", t, t * 1.5f, t * -2.25, t * 1e10, t * 0.001, t * -5000000000ll,
         t * 10000000000ull, short(t), (unsigned long)(sizeof(double)));
  if (t == 2)
    printf("%7d|%-6d|%.2f|%5s|%-6s|%.2s|%8.3e|%#x|% d\n", t, t, 3.14159, "ab", "cd", "efg", 12345.678, 255, t);
}

int main() {
  k<<<1, 4>>>(nullptr);
  cudaDeviceSynchronize();
  return 0;
}
