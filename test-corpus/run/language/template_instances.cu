// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose templates have one instance or several, which differ in numbers, types, functors,
// enumerators and in what `if constexpr` leaves out.
#include <cstdio>
#include <type_traits>

enum class Order { Rising, Falling };

struct Sum {
  static constexpr bool counts = false;
  __device__ int operator()(int a, int b) const { return a + b; }
  __device__ static int start() { return 0; }
};
namespace ops {
template <int N> struct Scaled {
  static constexpr bool counts = true;
  __device__ int operator()(int a, int b) const { return a + N * b; }
  __device__ static int start() { return N; }
};
} // namespace ops

// One warp for each row: the number of lanes is a parameter, of which each instance has its own.
template <unsigned BLOCK, unsigned LANES>
__global__ void __launch_bounds__(BLOCK) rowSums(const int* begin, const int* values, int* out,
                                                 int rows) {
  const int thread = BLOCK * blockIdx.x + threadIdx.x;
  const int lane = threadIdx.x & (LANES - 1);
  const int vectors = (BLOCK / LANES) * gridDim.x;
  for (int row = thread / LANES; row < rows; row += vectors) {
    int sum = 0;
    for (int i = begin[row] + lane; i < begin[row + 1]; i += LANES)
      sum += values[i];
#pragma unroll
    for (unsigned d = LANES / 2; d > 0; d /= 2)
      sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0)
      out[row] = sum;
  }
}

template <class Op, int Block, class T>
static __global__ void fold(const T* in, T* out, Op op) {
  __shared__ T s[Block];
  T value = T(Op::start());
  for (int k = 0; k < 4; ++k)
    value = T(op(value, in[(blockIdx.x * 4 + k) * Block + threadIdx.x]));
  s[threadIdx.x] = value;
  __syncthreads();
  for (int d = Block / 2; d > 0; d /= 2) {
    if (threadIdx.x < d)
      s[threadIdx.x] = T(op(s[threadIdx.x], s[threadIdx.x + d]));
    __syncthreads();
  }
  if constexpr (Op::counts) {
    if (threadIdx.x == 0)
      out[blockIdx.x] = s[0] + T(gridDim.x);
  } else if (threadIdx.x == 0) {
    out[blockIdx.x] = s[0];
  }
}

// What an instance leaves out would not compile in it.
template <class T, Order ORDER, bool Wide>
__global__ void shift(T* x, int n) {
  __shared__ T s[96];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s[i] = x[i];
  __syncthreads();
  const int i = threadIdx.x;
  if (i >= n)
    return;
  if constexpr (std::is_same<T, float2>::value) {
    T v = s[ORDER == Order::Rising ? i : n - 1 - i];
    if constexpr (Wide) v.x *= 2; else v.y += 1;
    x[i] = v;
  } else
    x[i] = s[ORDER == Order::Rising ? (i + 1) % n : n - 1 - i] * T(Wide ? 3 : 1);
}

template <class T> unsigned sumOf(const T* data, int n) {
  cudaDeviceSynchronize();
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + unsigned(data[i]);
  return sum;
}

int main() {
  const int rows = 100, n = 4096;
  int *begin, *values, *out;
  unsigned char* bytes;
  float2* vectors;
  cudaMallocManaged(&begin, (rows + 1) * sizeof(int));
  cudaMallocManaged(&values, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&bytes, n);
  cudaMallocManaged(&vectors, 96 * sizeof(float2));
  for (int i = 0; i < n; ++i) {
    values[i] = i * 37 % 101 - 50;
    bytes[i] = static_cast<unsigned char>(i * 7);
  }
  for (int i = 0; i <= rows; ++i)
    begin[i] = i * (i - 1) / 3;
  rowSums<128, 32><<<3, 128>>>(begin, values, out, rows);
  std::printf("rows by 32 lanes %u\n", sumOf(out, rows));
  rowSums<128, 8><<<3, 128>>>(begin, values, out, rows);
  std::printf("rows by 8 lanes %u\n", sumOf(out, rows));
  rowSums<64, 4><<<3, 64>>>(begin, values, out, rows);
  std::printf("rows by 4 lanes %u\n", sumOf(out, rows));
  fold<Sum, 64><<<8, 64>>>(values, out, Sum());
  std::printf("sums %u\n", sumOf(out, 8));
  fold<Sum, 128><<<8, 128>>>(values, out, Sum());
  std::printf("sums of 128 %u\n", sumOf(out, 8));
  fold<ops::Scaled<3>, 64><<<8, 64>>>(values, out, ops::Scaled<3>());
  std::printf("scaled sums %u\n", sumOf(out, 8));
  fold<ops::Scaled<5>, 32><<<4, 32>>>(bytes, bytes + 2048, ops::Scaled<5>());
  std::printf("of bytes %u\n", sumOf(bytes + 2048, 4));
  shift<int, Order::Rising, true><<<1, 96>>>(values, 90);
  shift<int, Order::Falling, false><<<1, 96>>>(values, 96);
  std::printf("shifted %u\n", sumOf(values, 96));
  for (int i = 0; i < 96; ++i)
    vectors[i] = make_float2(i, 2 * i);
  shift<float2, Order::Falling, true><<<1, 96>>>(vectors, 96);
  shift<float2, Order::Rising, false><<<1, 96>>>(vectors, 50);
  cudaDeviceSynchronize();
  float sum = 0;
  for (int i = 0; i < 96; ++i)
    sum += vectors[i].x * 3 + vectors[i].y * (i % 5);
  std::printf("vectors %.1f\n", sum);
}
