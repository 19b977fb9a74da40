// libcu++ in kernels: array, tuple, optional, variant, complex, span, mdspan, bit, algorithm, numeric limits, chrono, ratio, expected, string_view, functional, annotated_ptr
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/std/optional>
#include <cuda/std/variant>
#include <cuda/std/complex>
#include <cuda/std/span>
#include <cuda/std/mdspan>
#include <cuda/std/bit>
#include <cuda/std/limits>
#include <cuda/std/chrono>
#include <cuda/std/utility>
#include <cuda/std/expected>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/numeric>
#include <cuda/std/cmath>
#include <cuda/annotated_ptr>
#include <cuda/cmath>
namespace cs = cuda::std;
struct Circle { float r; }; struct Rect { float w, h; };
__device__ float area(const cs::variant<Circle, Rect> &s) { return cs::visit([](auto &&x) -> float { using T = cs::decay_t<decltype(x)>; if constexpr (cs::is_same_v<T, Circle>) return 3.0f * x.r * x.r; else return x.w * x.h; }, s); }
__device__ cs::expected<int, const char *> divide(int a, int b) { if (b == 0) return cs::unexpected<const char *>("division by zero"); return a / b; }
__device__ cs::optional<int> find(cs::span<const int> s, int v) { for (cs::size_t i = 0; i < s.size(); i++) if (s[i] == v) return (int)i; return cs::nullopt; }
__global__ void k(const int *data, int n, float *m) {
    cs::array<int, 5> a = {5, 3, 9, 1, 7}; int s = cs::accumulate(a.begin(), a.end(), 0); printf("array %d %d %d\n", s, (int)a.size(), a.back());
    auto t = cs::make_tuple(1, 2.5, 'c'); auto [x, y, z] = t; printf("tuple %d %g %c\n", x, y, z); cs::apply([](auto... v) { printf("apply %d values\n", (int)sizeof...(v)); }, t);
    cs::variant<Circle, Rect> v = Rect{2, 3}; printf("area %g", area(v)); v = Circle{2}; printf(" %g index %d\n", area(v), (int)v.index());
    auto r = divide(10, 0); auto q = divide(10, 3); printf("expected %d %s %d\n", (int)r.has_value(), r.error(), q.value());
    auto f = find({data, (cs::size_t)n}, 49); printf("found %d %d\n", f.value_or(-1), find({data, (cs::size_t)n}, 50).value_or(-1));
    cs::complex<double> c(1, 2); c = c * cs::conj(c) + cs::polar(1.0, 0.0); printf("complex %g %g %g\n", c.real(), c.imag(), cs::abs(cs::complex<double>(3, 4)));
    cs::mdspan<float, cs::extents<int, cs::dynamic_extent, 4>> md(m, 3); for (int i = 0; i < md.extent(0); i++) for (int j = 0; j < md.extent(1); j++) md(i, j) = i * 10 + j; printf("mdspan %g %g\n", md(2, 3), m[5]);
    printf("bits %d %d %u %u %d\n", cs::popcount(0xffu), cs::countl_zero(1u), cs::bit_ceil(37u), cs::rotl(0x80000001u, 1), (int)cs::has_single_bit(64u)); printf("bit_cast %x\n", cs::bit_cast<unsigned>(1.0f));
    printf("limits %d %g %d\n", cs::numeric_limits<int>::max(), cs::numeric_limits<float>::epsilon(), cs::numeric_limits<double>::digits); using namespace cs::chrono; auto d = hours(2) + minutes(3); printf("seconds %lld\n", (long long)duration_cast<seconds>(d).count());
    printf("ceil_div %d gcd %d\n", cuda::ceil_div(10, 3), cs::gcd(48, 36)); auto p = cs::minus<int>{}(7, 9); int u = 3, w = 4; cs::swap(u, w); int old = cs::exchange(u, 9); printf("%d %d %d %d\n", p, u, w, old);
    cuda::annotated_ptr<const int, cuda::access_property::persisting> ap(data); printf("annotated %d\n", ap[3]);
}
int main() { int *d; float *m; cudaMallocManaged(&d, 400); cudaMallocManaged(&m, 64); for (int i = 0; i < 100; i++) d[i] = i * i; k<<<1, 1>>>(d, 100, m); cudaDeviceSynchronize(); printf("%s\n", cudaGetErrorName(cudaGetLastError())); }
