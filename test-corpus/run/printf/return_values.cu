// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf in a kernel returns how many arguments its format takes; on the host, how many characters it wrote.
#include <cstdio>

__host__ __device__ int speak(int x) { return printf("<%d>\n", x); }

__global__ void k(int* out) {
  out[0] = printf("none\n");
  out[1] = printf("%s is %5.2f%%\n", "share", 12.5);
  out[2] = speak(1234567);
  out[3] = printf("%c%c%c%c\n", 'a', 'b', 'c', 'd');
  out[4] = printf("");
}

int main() {
  int* out;
  cudaMallocManaged(&out, 5 * sizeof(int));
  k<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  const int host[] = {printf("none\n"), speak(1234567), std::printf("%d%%\n", 50)};
  printf("device:");
  for (int i = 0; i < 5; ++i)
    printf(" %d", out[i]);
  printf("\nhost: %d %d %d\n", host[0], host[1], host[2]);
  cudaFree(out);
  const bool right = out && host[0] == 5 && host[1] == 10 && host[2] == 4;
  printf(right ? "PASS\n" : "FAIL\n");
  return 0;
}
