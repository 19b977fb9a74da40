// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of sizes that a kernel's own file does not show are as right as those that it shows.
#include <cstdio>

__global__ void sumsOfWarps(const int* in, int* out, int n);
__global__ void tree(const int* in, int* out, int n);
__global__ void borders(const int* in, int* out, int width, int height);
__global__ void kept(const int* in, int* out, int n);
void launchUsual(const int* in, int* out, int n);

constexpr int size = 2048;

void print(const char* what, int* out) {
  static int host[size];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  unsigned hash = 2166136261u;
  long long sum = 0;
  for (int i = 0; i < size; ++i) {
    hash = (hash ^ unsigned(host[i])) * 16777619u;
    sum += host[i];
  }
  printf("%-24s sum %lld hash %08x first %d %d last %s\n", what, sum, hash, host[0], host[1],
         cudaGetErrorString(cudaGetLastError()));
  cudaMemset(out, 0, size * sizeof(int));
}

int main() {
  static int values[size];
  for (int i = 0; i < size; ++i)
    values[i] = (i * 37 + i / 7) % 101;
  int *in, *out;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof values);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof values);
  char name[64];
  launchUsual(in, out, 1500);
  print("usual", out);
  for (int threads : {1, 31, 32, 33, 64, 96, 100, 127, 255, 513, 1000, 1024}) {
    sumsOfWarps<<<3, threads>>>(in, out, 1777);
    snprintf(name, sizeof name, "warps of %d", threads);
    print(name, out);
    tree<<<5, threads, threads * sizeof(int)>>>(in, out, 2011);
    snprintf(name, sizeof name, "tree of %d", threads);
    print(name, out);
    kept<<<(1999 + threads - 1) / threads, threads>>>(in, out, 1999);
    snprintf(name, sizeof name, "kept by %d", threads);
    print(name, out);
  }
  for (dim3 block : {dim3(32, 4), dim3(5, 7), dim3(33, 3), dim3(1, 32), dim3(32, 32)}) {
    snprintf(name, sizeof name, "%u x %u", block.x, block.y);
    sumsOfWarps<<<2, block>>>(in, out, 1234);
    print(name, out);
    borders<<<dim3((43 + block.x - 1) / block.x, (41 + block.y - 1) / block.y), block>>>(in, out, 43, 41);
    print(name, out);
  }
  cudaFree(in);
  cudaFree(out);
  return 0;
}
