// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative launch: phases of the whole grid kept apart by grid.sync(), with the launch made in both ways.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void relax(float* a, float* b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (unsigned i = grid.thread_rank(); i < unsigned(n); i += unsigned(grid.size())) {
      const float left = a[i ? i - 1 : 0], right = a[i + 1 < unsigned(n) ? i + 1 : n - 1];
      b[i] = 0.5f * a[i] + 0.25f * (left + right);
    }
    grid.sync();
    float* t = a;
    a = b;
    b = t;
  }
}

__global__ void sum(const int* in, int* partial, int* out, int n) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  __shared__ int part[64];
  int mine = 0;
  for (unsigned i = grid.thread_rank(); i < unsigned(n); i += unsigned(grid.num_threads()))
    mine += in[i];
  part[block.thread_rank()] = mine;
  block.sync();
  for (unsigned d = block.size() / 2; d > 0; d /= 2) {
    if (block.thread_rank() < d)
      part[block.thread_rank()] += part[block.thread_rank() + d];
    block.sync();
  }
  if (block.thread_rank() == 0)
    partial[grid.block_rank()] = part[0];
  cg::sync(grid);
  if (grid.thread_rank() == 0) {
    int total = 0;
    for (unsigned i = 0; i < grid.num_blocks(); ++i)
      total += partial[i];
    *out = total + (grid.is_valid() ? 0 : 1000000);
  }
}

int main() {
  int device = 0, supported = 0;
  cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device);
  printf("cooperative launches: %d\n", supported);
  int n = 1000, steps = 20;
  float *a, *b;
  cudaMallocManaged(&a, n * sizeof *a);
  cudaMallocManaged(&b, n * sizeof *b);
  for (int i = 0; i < n; ++i)
    a[i] = float(i * 37 % 101);
  void* args[] = {&a, &b, &n, &steps};
  printf("%s\n", cudaGetErrorName(cudaLaunchCooperativeKernel((void*)relax, dim3(4), dim3(64), args, 0, nullptr)));
  cudaDeviceSynchronize();
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += double(a[i]) * (i % 10);
  printf("relaxed %.3f\n", total);

  int *in, *partial, *out;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&partial, 64 * sizeof *partial);
  cudaMallocManaged(&out, sizeof *out);
  for (int i = 0; i < n; ++i)
    in[i] = i;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(3, 2);
  config.blockDim = dim3(64);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  printf("%s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, sum, (const int*)in, partial, out, n)));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("sum %d\n", *out);
}
