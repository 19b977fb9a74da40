// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp walks along a row whose bounds are read through a template's structure, with counters of the template's types.
#include <cstdio>

template <class Index, class Value> struct Table {
  Index rows;
  const Index* begin;
  const Value* values;
};
// One instance has plain fields of these names, the other asks functions for them.
struct Halves {
  struct Rows {
    int all;
    __host__ __device__ operator int() const { return all / 2; }
  } rows;
  struct Begin {
    const int* at;
    __host__ __device__ int operator[](int i) const { return at[i] + (threadOf(i) & 1); }
    __host__ __device__ static int threadOf(int i) {
#ifdef __CUDA_ARCH__
      return i + threadIdx.x;
#else
      return i;
#endif
    }
  } begin;
  const float* values;
};

template <class Value> __device__ Value sumOfWarp(Value v) {
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_xor_sync(0xffffffff, v, offset);
  return v;
}

// Warps without a row return at once.
template <class Index, class Value> __global__ void sums(Table<Index, Value> table, Value* out, int* lanes) {
  const Index thread = blockDim.x * blockIdx.x + threadIdx.x;
  const Index row = thread / 32;
  const Index lane = thread & 31;
  if (row >= table.rows)
    return;
  const Index begin = table.begin[row];
  const Index end = table.begin[row + 1];
  Value sum = 0;
  for (Index i = begin + lane; i < end; i += 32)
    sum += table.values[i] * Value(i - begin + 1);
  sum = sumOfWarp(sum);
  if (lane == 0)
    out[row] = sum;
  atomicAdd(lanes + (int)lane, (int)row);
}

// Bounds read in the loop's head, rows in turn.
template <class Tables, class Value> __global__ void inTurn(Tables table, Value* out, int warps) {
  const int lane = threadIdx.x % 32;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < table.rows; row += warps) {
    Value sum = 0;
    for (auto i = table.begin[row] + lane; i < table.begin[row + 1]; i += 32)
      sum += table.values[i] + Value(lane);
    out[row * 32 + lane] = sum;
    sum = sumOfWarp(sum);
    if (lane == 31)
      out[row * 32] += sum;
  }
}

constexpr int rows = 37, elements = 37 * 40;

template <class Index, class Value> void run(const char* name) {
  Index* begin;
  Value *values, *out;
  int* lanes;
  cudaMallocManaged(&begin, (rows + 2) * sizeof(Index));
  cudaMallocManaged(&values, elements * sizeof(Value));
  cudaMallocManaged(&out, rows * 32 * sizeof(Value));
  cudaMallocManaged(&lanes, 32 * sizeof(int));
  begin[0] = 0;
  for (int i = 0; i <= rows; ++i)
    begin[i + 1] = begin[i] + Index(i == 11 ? 0 : i * 7 % 71);
  for (int i = 0; i < elements; ++i)
    values[i] = Value(i % 13 - 6);
  for (int i = 0; i < 32; ++i)
    lanes[i] = 0;
  const Table<Index, Value> table = {rows, begin, values};
  sums<Index, Value><<<5, 256>>>(table, out, lanes);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < rows; ++i)
    sum += double(out[i]) * (i % 5 + 1);
  printf("%s: %.0f, lanes %d %d\n", name, sum, lanes[0], lanes[31]);
  for (int i = 0; i < rows * 32; ++i)
    out[i] = 0;
  inTurn<<<2, 96>>>(table, out, 6);
  cudaDeviceSynchronize();
  sum = 0;
  for (int i = 0; i < rows * 32; ++i)
    sum += double(out[i]) * (i % 7 + 1);
  printf("%s in turn: %.0f\n", name, sum);
  cudaFree(begin);
  cudaFree(values);
  cudaFree(out);
  cudaFree(lanes);
}

int main() {
  run<int, float>("int");
  run<unsigned, double>("unsigned");
  run<long long, float>("long long");

  int* begin;
  float *values, *out;
  cudaMallocManaged(&begin, 20 * sizeof(int));
  cudaMallocManaged(&values, 2000 * sizeof(float));
  cudaMallocManaged(&out, 8 * 32 * sizeof(float));
  for (int i = 0; i < 20; ++i)
    begin[i] = i * 90;
  for (int i = 0; i < 2000; ++i)
    values[i] = i % 9;
  inTurn<<<1, 64>>>(Halves{{16}, {begin}, values}, out, 2);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < 8 * 32; ++i)
    sum += out[i] * (i % 7 + 1);
  printf("halves: %.0f\n", sum);
  return 0;
}
