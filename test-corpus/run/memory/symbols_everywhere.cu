// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols in namespaces, as static members' neighbours, of struct and template type; asynchronous symbol copies; offsets.
#include <cstdio>

namespace config {
__constant__ int limits[4] = {1, 2, 3, 4};
namespace {
__device__ double hidden[3];
}
}
template <class T> __device__ T perType = T(3);
struct Cell {
  short kind;
  double value;
};
__device__ Cell cells[5];
__constant__ char text[16] = "constant";

__global__ void k(double* out) {
  int t = threadIdx.x;
  out[t] = config::limits[t] * 100 + config::hidden[t % 3] + perType<int> * 1000 + perType<float> * 0.25f + cells[t].value +
           cells[t].kind + text[t];
  __syncthreads();
  if (t == 0)
    perType<int> = 77;
}

int main() {
  double* out;
  cudaMallocManaged(&out, 4 * sizeof(double));
  cudaStream_t s;
  cudaStreamCreate(&s);
  double h[2] = {0.5, 0.25};
  cudaMemcpyToSymbolAsync(config::hidden, h, sizeof h, sizeof(double), cudaMemcpyHostToDevice, s);
  Cell c = {5, 0.125};
  cudaMemcpyToSymbolAsync(cells, &c, sizeof c, 2 * sizeof(Cell), cudaMemcpyHostToDevice, s);
  k<<<1, 4, 0, s>>>(out);
  int back = 0, limits[4] = {};
  cudaMemcpyFromSymbolAsync(&back, perType<int>, sizeof back, 0, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  cudaMemcpyFromSymbol(limits, config::limits, sizeof limits);
  for (int i = 0; i < 4; ++i)
    printf("%.4f %d\n", out[i], limits[i]);
  void* p;
  cudaGetSymbolAddress(&p, cells);
  cudaMemset((char*)p + sizeof(Cell), 0, sizeof(Cell));
  size_t n;
  cudaGetSymbolSize(&n, cells);
  printf("%d %zu\n", back, n);
  printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(config::limits, h, sizeof h, 12)));
  return 0;
}
