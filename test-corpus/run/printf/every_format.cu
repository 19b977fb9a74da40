// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf with every conversion, flag, width, precision and length, from one thread so that lines have one order.
#include <cstdio>

__constant__ char text[] = "constant";
__device__ char changing[8] = "device";

__global__ void integers() {
  printf("[%d] [%i] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d]\n", -5, 6, 7, 8, 9, 10, 11, 12, 13);
  printf("[%u] [%x] [%X] [%#x] [%#X] [%o] [%#o] [%08x]\n", 4000000000u, 48879, 48879, 255, 255, 8, 8, 0xbeef);
  printf("[%ld] [%lu] [%lx] [%lld] [%llu] [%llx] [%llo]\n", -123456789012l, 123456789012ul, 0x123456789abl,
         -9223372036854775807ll, 18446744073709551615ull, 0xfedcba9876543210ull, 511ll);
  printf("[%hd] [%hu]\n", short(-3), (unsigned short)65535);
  printf("[%c%c] [%5c|%-5c]\n", 'o', 'k', 'r', 'l');
}
__global__ void floats() {
  printf("[%f] [%.0f] [%.3f] [%10.2f] [%-10.2f] [%+.1f] [%010.3f] [% .2f] [%#.0f]\n", 1.5, 2.5, 2.0 / 3, 3.14159, 2.5,
         7.25, -3.5, 1.0, 4.0);
  printf("[%e] [%.2E] [%g] [%G] [%g] [%g] [%.10g] [%#g] [%12.4e]\n", 12345.678, 0.00012, 1e-10, 1e20, 100000.0,
         1000000.0, 1.0 / 3, 1.0, -1.5);
  printf("[%a] [%A] [%.3a]\n", 1.0, -0.5, 3.14159);
  const float f = 0.1f;
  const double zero = threadIdx.x * 0.0;
  printf("[%f] [%.9g] [%f] [%f] [%e] [%5.1f%%]\n", f, f, 1 / zero, -1 / zero, -zero, 99.5);
}
__global__ void strings(const char* global) {
  const char* none = "";
  printf("[%s] [%10s] [%-10s] [%.3s] [%s] [%s]\n", "text", "right", "left", "truncated", none, "a\tb");
  printf("%s %s %s %%\n", text, changing, global);
  printf("no newline");
  printf("...\n");
  printf("");
  printf("\\ \" ' %s\n", threadIdx.x == 0 ? "yes" : "no");
}
__global__ void many() {
  printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
         15, 16, 17, 18, 19, 20);
  printf("%d %f %s %c %lld %g\n", 1, 2.0, "three", '4', 5ll, 6.0f);
}
template <class T> __global__ void typed(T v) {
  if (sizeof(T) == 8)
    printf("wide %lld\n", (long long)v);
  else
    printf("narrow %d\n", int(v));
}
__global__ void result() {
  const int a = printf("three %d %d %d\n", 1, 2, 3), b = printf("none\n");
  printf("%d %d\n", a, b);
}

int main() {
  char* global;
  cudaMallocManaged(&global, 16);
  for (int i = 0; i < 7; ++i)
    global[i] = "global"[i];
  integers<<<1, 1>>>();
  floats<<<1, 1>>>();
  strings<<<1, 1>>>(global);
  many<<<1, 1>>>();
  typed<<<1, 1>>>(7ll);
  typed<<<1, 1>>>(short(-7));
  result<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("host %s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
