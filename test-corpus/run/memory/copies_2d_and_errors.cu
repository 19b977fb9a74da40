// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemcpy2D between pitched areas, device to device, cudaMemset and cudaMemset2D, and the errors of bad arguments.
#include <cstdio>

__global__ void negate(char* p, size_t pitch, int w, int h) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x < w && y < h)
    p[y * pitch + x] = char(-p[y * pitch + x]);
}

int main() {
  const int w = 13, h = 6;
  char host[h][20], back[h][w];
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < 20; ++x)
      host[y][x] = char(y * 20 + x);
  char *a, *b;
  size_t pa, pb;
  cudaMallocPitch(&a, &pa, w, h);
  cudaMallocPitch(&b, &pb, w, h);
  cudaMemset2D(a, pa, 0x11, w, h);
  cudaMemcpy2D(a, pa, &host[0][2], 20, 10, h, cudaMemcpyHostToDevice);
  cudaMemcpy2D(b, pb, a, pa, w, h, cudaMemcpyDeviceToDevice);
  negate<<<1, dim3(16, 8)>>>(b, pb, w, h);
  cudaMemset2D(b + 2, pb, 0x7f, 3, 2);
  cudaMemcpy2D(back, w, b, pb, w, h, cudaMemcpyDefault);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x)
      printf("%d ", back[y][x]);
    printf("\n");
  }
  printf("%s\n", cudaGetErrorName(cudaMemcpy2D(a, 5, host, 20, 10, h, cudaMemcpyHostToDevice)));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(a, host, 10, (cudaMemcpyKind)77)));
  printf("%s\n", cudaGetErrorName(cudaFree(back)));
  printf("%s\n", cudaGetErrorName(cudaFree(nullptr)));
  printf("%s\n", cudaGetErrorName(cudaFree(a)));
  printf("%s\n", cudaGetErrorName(cudaFree(a)));
  printf("%s\n", cudaGetErrorName(cudaMalloc(&a, size_t(1) << 60)));
  printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("then: %s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
