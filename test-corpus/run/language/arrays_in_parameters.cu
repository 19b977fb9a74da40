// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has its own copy of a kernel's parameters, of the arrays in them too: what a thread writes into an element no
// other thread reads.
#include <cstdio>

struct Table {
  int scale;
  int entry[5];
};
struct Nested {
  Table table[2];
  int grid[2][3];
  int* out;
};

__global__ void addsToEntries(Table table, int* out) {
  const int t = threadIdx.x;
  table.entry[t % 5] += 100;
  out[t] = table.entry[t % 5] * table.scale;
}

__global__ void writesDeeply(Nested all, int* out) {
  const int t = threadIdx.x;
  all.table[t & 1].entry[t % 5] += t;
  all.grid[t & 1][t % 3]++;
  (all.table[0].entry)[0] -= 1;
  1 [all.grid[0]] ^= t;
  int sum = 0;
  for (int i = 0; i < 10; ++i)
    sum = sum * 3 + all.table[i / 5].entry[i % 5];
  for (int i = 0; i < 6; ++i)
    sum = sum * 3 + all.grid[i / 3][i % 3];
  out[t] = sum;
  all.out[t] = all.table[1].entry[2];
}

__global__ void sorts(Table table, int* out) {
  const int t = threadIdx.x;
  table.entry[t % 5] = 10 * t;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4 - i; ++j)
      if (table.entry[j] > table.entry[j + 1]) {
        const int entry = table.entry[j];
        table.entry[j] = table.entry[j + 1];
        table.entry[j + 1] = entry;
      }
  out[t] = table.entry[0] * 1000 + table.entry[2];
}

template <class Value, int count> struct Box {
  Value held[count];
};
template <class Value, int count> __global__ void turns(Box<Value, count> box, Value* out) {
  const int t = threadIdx.x;
  __shared__ Value all[64];
  for (int i = 0; i < t % count; ++i) {
    const Value first = box.held[0];
    for (int k = 1; k < count; ++k)
      box.held[k - 1] = box.held[k];
    box.held[count - 1] = first;
  }
  all[t] = box.held[0];
  __syncthreads();
  box.held[t % count] = all[(t + 7) % blockDim.x];
  __syncthreads();
  out[t] = box.held[t % count] + box.held[(t + 1) % count];
}

int main() {
  constexpr int threads = 40;
  int *out, *other;
  float* floats;
  cudaMallocManaged(&out, threads * sizeof(int));
  cudaMallocManaged(&other, threads * sizeof(int));
  cudaMallocManaged(&floats, threads * sizeof(float));
  const auto print = [&] {
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s:", cudaGetErrorName(error));
    for (int i = 0; i < threads; ++i)
      printf(" %d", out[i]);
    printf("\n");
  };
  const Table table = {3, {1, 2, 3, 4, 5}};
  addsToEntries<<<1, threads>>>(table, out);
  print();
  const Nested nested = {{table, {4, {9, 8, 7, 6, 5}}}, {{1, 2, 3}, {4, 5, 6}}, other};
  writesDeeply<<<1, threads>>>(nested, out);
  print();
  int sum = 0;
  for (int i = 0; i < threads; ++i)
    sum = sum * 7 % 10007 + other[i];
  printf("%d\n", sum);
  sorts<<<1, threads>>>(table, out);
  print();
  turns<<<1, threads>>>(Box<int, 3>{{1, 20, 300}}, out);
  print();
  turns<<<1, threads>>>(Box<float, 4>{{0.5f, 1.5f, 2.5f, 3.5f}}, floats);
  cudaDeviceSynchronize();
  for (int i = 0; i < threads; i += 3)
    printf("%.1f ", floats[i]);
  printf("\n");
  cudaFree(out);
  cudaFree(other);
  cudaFree(floats);
}
