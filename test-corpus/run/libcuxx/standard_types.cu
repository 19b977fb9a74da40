// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::std in kernels: array, tuple, optional, pair, complex, limits, type traits, span, bit; latch and semaphore.
#include <cstdio>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

__device__ cuda::std::optional<int> halved(int x) {
  if (x % 2)
    return cuda::std::nullopt;
  return x / 2;
}

template <class T> __device__ int kind() {
  if constexpr (cuda::std::is_floating_point_v<T>)
    return 1;
  else if constexpr (cuda::std::is_same<T, cuda::std::int64_t>::value)
    return 2;
  return 3;
}

__global__ void types(double* out, cuda::std::span<int> data) {
  const int i = threadIdx.x;
  cuda::std::array<int, 4> a = {i, i + 1, i + 2, i + 3};
  int sum = 0;
  for (int v : a)
    sum += v;
  const auto t = cuda::std::make_tuple(i, 0.5 * i, 'x');
  const cuda::std::pair<int, float> p(i, 2.0f);
  cuda::std::complex<double> z(i, 1);
  z = z * z + cuda::std::complex<double>(0.5, -1);
  out[i] = sum + cuda::std::get<1>(t) * 100 + p.second + halved(i).value_or(-1000) + z.real() + 10 * z.imag();
  if (i == 0)
    out[8] = kind<float>() * 100 + kind<cuda::std::int64_t>() * 10 + kind<int>() +
             (cuda::std::numeric_limits<int>::max() == 2147483647 ? 1000 : 0) +
             cuda::std::popcount(0xf0f0u) * 10000 + cuda::std::countl_zero(1u) * 1000000.0;
  data[i] += int(data.size());
}

__global__ void meeting(int* out) {
  __shared__ int value;
  using Latch = cuda::latch<cuda::thread_scope_block>;
  using Semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;
  __shared__ __align__(16) unsigned char memory[2][64];
  Latch& started = *reinterpret_cast<Latch*>(memory[0]);
  Semaphore& token = *reinterpret_cast<Semaphore*>(memory[1]);
  if (threadIdx.x == 0) {
    new (memory[0]) Latch(32);
    new (memory[1]) Semaphore(1);
    value = 0;
  }
  __syncthreads();
  started.arrive_and_wait();
  if (threadIdx.x % 8 == 0) { // one thread of each of four groups of lanes
    token.acquire();
    value = value + 1;
    token.release();
  }
  __syncthreads();
  if (threadIdx.x == 0)
    *out = value;
}

int main() {
  double* out;
  int* data;
  cudaMallocManaged(&out, 16 * sizeof *out);
  cudaMallocManaged(&data, 8 * sizeof *data);
  for (int i = 0; i < 8; ++i)
    data[i] = i;
  types<<<1, 8>>>(out, cuda::std::span<int>(data, 8));
  cudaDeviceSynchronize();
  for (int i = 0; i < 9; ++i)
    printf("%g ", out[i]);
  printf("\n%d %d\n", data[0], data[7]);
  meeting<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  printf("%d %s\n", data[0], cudaGetErrorString(cudaGetLastError()));
}
