// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf of one thread keeps its order, within a kernel and over kernels of a stream, and comes out before synchronisation returns.
#include <cstdio>

__device__ void say(const char* who, int depth) {
  printf("%s %d\n", who, depth);
  if (depth > 0)
    say(who, depth - 1);
}
template <class T> __global__ void k(T value, int id) {
  for (int i = 0; i < 3; ++i)
    printf("kernel %d step %d\n", id, i);
  if (sizeof(T) > 4)
    printf("wide %.1f\n", double(value));
  else
    printf("narrow %.1f\n", double(value));
  say("device", 2);
}

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
  for (int i = 0; i < 3; ++i) {
    k<<<1, 1>>>(1.5f * i, i);
    if (i == 1) {
      cudaDeviceSynchronize();
      printf("host after 1\n");
      fflush(stdout);
    }
  }
  k<<<1, 1>>>(2.25, 9);
  cudaDeviceSynchronize();
  printf("end\n");
  return 0;
}
