// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a sparse matrix by 2 to 32 lanes each, which name themselves in a mask made of their first lane; shuffles and
// votes under such masks, and under those of lanes that hold the same value.
#include <cstdio>
#include <cstdlib>

template <typename Index, typename Value>
struct csr_view {
  Index rows;
  const Index* offsets;
  const Index* columns;
  const Value* values;
};

template <typename Index, typename Value, unsigned ROWS, unsigned LANES>
__launch_bounds__(ROWS * LANES, 1)
__global__ void product(const csr_view<Index, Value> a, const Value* x, Value* y) {
  const Index thread = ROWS * LANES * blockIdx.x + threadIdx.x;
  const Index lane = threadIdx.x & (LANES - 1);
  const unsigned first = (threadIdx.x & 31) & ~(LANES - 1);
  const unsigned mask = (0xffffffffu >> (32 - LANES)) << first;
  for (Index row = thread / LANES; row < a.rows; row += ROWS * gridDim.x) {
    const Index begin = __ldg(a.offsets + row), end = __ldg(a.offsets + row + 1);
    Value sum = 0;
    for (Index j = begin + lane; j < end; j += LANES)
      sum += __ldg(a.values + j) * __ldg(x + __ldg(a.columns + j));
    for (int offset = LANES / 2; offset > 0; offset /= 2)
      sum += __shfl_down_sync(mask, sum, offset, LANES);
    if (lane == 0)
      y[row] += sum;
  }
}

// Two instances of different types.
template <typename T>
__global__ void butterflies(const T* in, T* out) {
  const unsigned first = threadIdx.x & 24;
  T v = in[threadIdx.x];
  for (int by = 4; by > 0; by /= 2)
    v += __shfl_xor_sync(0xffu << first, v, by);
  out[threadIdx.x] = v + __shfl_sync(0xffu << first, in[threadIdx.x], first + 3);
}

__global__ void modes(int* out, int n) {
  const int t = threadIdx.x, lane = t & 31;
  const unsigned mask = 0xfu << (lane & ~3);
  int v = t * t % 23;
  if (t / 4 < n) { // whole groups only
    v += 100 * __shfl_up_sync(mask, v, 1, 4);
    v += __shfl_down_sync(mask, v, 2, 4);
    v += __shfl_xor_sync(mask, v, 3);
    v += __shfl_sync(mask, v, lane | 1);
    const unsigned votes = __ballot_sync(mask, v & 1);
    v = v * 10 + __popc(votes) + (__any_sync(mask, v % 7 == 0) ? 2000000 : 0) +
        (__all_sync(mask, v > 300) ? 4000000 : 0);
    if (votes & ~mask)
      v = -1;
  }
  out[t] = v;
}

__global__ void equals(const int* keys, int* out) {
  const int t = threadIdx.x, lane = t & 31;
  const unsigned same = __match_any_sync(~0u, keys[t]);
  const int leader = __ffs(same) - 1;
  const int rank = __popc(same & ((1u << lane) - 1));
  const int base = __shfl_sync(same, t * 3, leader);
  const bool odd = __any_sync(same, t % 5 == 0);
  out[t] = base * 1000 + rank * 10 + odd;
}

constexpr int rows = 1237;

template <unsigned LANES>
void multiply(const csr_view<int, double>& a, const double* x, double* y) {
  for (int row = 0; row < rows; ++row)
    y[row] = row % 3;
  product<int, double, 64 / LANES, LANES><<<7, 64>>>(a, x, y);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int row = 0; row < rows; ++row)
    sum += y[row] * (row % 11 + 1);
  printf("%u lanes: %.1f %.1f %.1f\n", LANES, y[0], y[rows - 1], sum);
}

int main() {
  int *offsets, *columns, *out, *keys;
  double *values, *x, *y;
  cudaMallocManaged(&offsets, (rows + 1) * sizeof(int));
  cudaMallocManaged(&columns, rows * 90 * sizeof(int));
  cudaMallocManaged(&values, rows * 90 * sizeof(double));
  cudaMallocManaged(&x, rows * sizeof(double));
  cudaMallocManaged(&y, rows * sizeof(double));
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMallocManaged(&keys, 64 * sizeof(int));
  offsets[0] = 0;
  for (int row = 0; row < rows; ++row) {
    offsets[row + 1] = offsets[row] + row * 7 % 19 + (row % 50 == 0 ? 70 : 0);
    for (int j = offsets[row]; j < offsets[row + 1]; ++j) {
      columns[j] = (row * 5 + j * 13) % rows;
      values[j] = j % 9 - 4;
    }
    x[row] = row % 17 - 5;
  }
  const csr_view<int, double> a = {rows, offsets, columns, values};
  multiply<2>(a, x, y);
  multiply<4>(a, x, y);
  multiply<8>(a, x, y);
  multiply<16>(a, x, y);
  multiply<32>(a, x, y);

  for (int i = 0; i < 64; ++i)
    keys[i] = i * i % 7;
  butterflies<<<1, 64>>>(keys, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
  butterflies<<<1, 64>>>(x, y);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%g%c", y[i], i % 16 == 15 ? '\n' : ' ');
  for (int n : {16, 5}) {
    modes<<<1, 64>>>(out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
      printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
  }
  equals<<<1, 64>>>(keys, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
  return 0;
}
