// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that changes its parameters: every thread and block starts from the caller's values; arrays in structs by value.
#include <cstdio>

struct Table {
  int values[8];
  float4 f;
};

__global__ void k(int* out, int n, Table table, const int3 offset) {
  out += blockIdx.x * blockDim.x;
  n -= threadIdx.x;
  table.values[threadIdx.x % 8] += n;
  table.f.x += threadIdx.x;
  for (; n > 0; --n)
    table.values[0] += n;
  int sum = int(table.f.x) + offset.x + offset.y * offset.z;
  for (int v : table.values)
    sum += v;
  out[threadIdx.x] = sum;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 40 * sizeof(int));
  Table table = {{1, 2, 3, 4, 5, 6, 7, 8}, {0.5f, 0, 0, 0}};
  k<<<4, 10>>>(out, 6, table, make_int3(100, 20, 30));
  cudaDeviceSynchronize();
  for (int i = 0; i < 40; ++i)
    printf("%d%c", out[i], i % 10 == 9 ? '\n' : ' ');
  return 0;
}
