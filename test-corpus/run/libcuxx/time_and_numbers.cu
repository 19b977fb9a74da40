// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More of cuda::std in kernels: chrono, ratio, complex arithmetic, bit functions, numeric limits, variant, functional objects,
// algorithms' helpers, initializer lists, string_view's stand-ins, apply, invoke, mdspan-like spans.
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>

namespace cs = cuda::std;

__device__ cs::optional<int> positive(int x) {
  if (x > 0)
    return x;
  return cs::nullopt;
}
struct Visitor {
  __device__ double operator()(int i) const { return i * 2; }
  __device__ double operator()(double d) const { return d + 0.5; }
};
template <cs::size_t N> __device__ int total(cs::span<const int, N> s) {
  int sum = 0;
  for (int x : s)
    sum += x;
  return sum;
}

__global__ void numbers(double* o) {
  using namespace cs::chrono;
  const milliseconds ms = seconds(2) + milliseconds(34);
  o[0] = double(ms.count()) + duration_cast<minutes>(hours(3)).count();
  o[1] = double(cs::ratio_add<cs::ratio<1, 3>, cs::ratio<1, 6>>::den);
  const cs::complex<double> a(1, 2), b(3, -1), c = a * b + cs::conj(a) / b;
  o[2] = c.real();
  o[3] = c.imag() + cs::norm(a) * 100 + cs::abs(cs::complex<double>(3, 4)) * 1000;
  o[4] = cs::popcount(0xf0f0u) + 10 * cs::countl_zero(0x00ffffffu) + 1000 * cs::rotl(1u, 3) + cs::bit_ceil(100u) * 100000.0;
  o[5] = cs::numeric_limits<float>::epsilon() + cs::numeric_limits<int>::max();
  cs::variant<int, double> v = 21;
  double visited = cs::visit(Visitor{}, v);
  v = 0.25;
  visited += cs::visit(Visitor{}, v) + v.index() * 100;
  o[6] = visited + (cs::holds_alternative<double>(v) ? cs::get<double>(v) : 0);
  o[7] = positive(4).value_or(-1) * 10 + positive(-4).value_or(-1) + positive(7).has_value();
  cs::array<int, 5> numbers = {5, 3, 1, 4, 2};
  numbers[0] += numbers.back();
  cs::swap(numbers[1], numbers[4]);
  o[8] = total(cs::span<const int, 5>(numbers)) * 100 + numbers[1] * 10 + numbers.front();
  const auto t = cs::make_tuple(1, 2.5, 'c');
  o[9] = cs::get<0>(t) + cs::get<1>(t) + cs::get<2>(t) + cs::tuple_size<decltype(t)>::value * 1000;
  o[10] = cs::apply([](int x, double y, char z) { return x + y * z; }, t);
  auto [first, second] = cs::pair<int, float>(3, 0.5f);
  o[11] = first + second + cs::plus<int>{}(4, 5) + cs::greater<>{}(2, 1);
  o[12] = cs::is_same_v<cs::common_type_t<int, double>, double> + cs::is_trivially_copyable_v<cs::array<int, 3>> * 10;
  o[13] = cs::min(3, 2) + cs::max(5, 9) * 10 + cs::sqrt(16.0) * 1000 + cs::fabs(-2.0f) * 10000;
  int target = 10;
  auto ref = cs::ref(target);
  ref.get() += 5;
  const int old = cs::exchange(target, 1);
  o[14] = old * 100 + target * 10000;
  o[15] = double(cs::bit_cast<unsigned>(1.0f) >> 20);
}

int main() {
  double* o;
  cudaMallocManaged(&o, 16 * sizeof *o);
  numbers<<<1, 1>>>(o);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 16; ++i)
    printf("%.12g\n", o[i]);
  return 0;
}
