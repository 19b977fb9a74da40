// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates of every kind in device code: template template parameters, packs, partial and explicit specialisations, CRTP,
// variable and alias templates, SFINAE, deduction guides, auto parameters, kernels specialised by hand.
#include <cstdio>
#include <type_traits>
#include <utility>

template <template <class, int> class Op, class T, int N> __global__ void applyOp(T* p) {
  Op<T, N> op;
  p[threadIdx.x] = op(p[threadIdx.x]);
}
template <class T, int N> struct AddN {
  __device__ T operator()(T x) const { return x + N; }
};
template <class T, int N> struct MulN {
  __device__ T operator()(T x) const { return x * N; }
};

template <class... T> __global__ void sumOfPack(float* out, T... values) {
  out[threadIdx.x] = (0.0f + ... + float(values)) * (threadIdx.x + 1) + sizeof...(values);
}
template <int... I> __device__ int digits(std::integer_sequence<int, I...>) {
  int v = 0;
  ((v = v * 10 + I), ...);
  return v;
}

template <class Derived> struct Shape {
  __device__ float area() const { return static_cast<const Derived*>(this)->areaOf(); }
};
struct Square : Shape<Square> {
  float a;
  __device__ explicit Square(float x) : a(x) {}
  __device__ float areaOf() const { return a * a; }
};
struct Circle : Shape<Circle> {
  float r;
  __device__ explicit Circle(float x) : r(x) {}
  __device__ float areaOf() const { return 3 * r * r; }
};
template <class S> __device__ float twice(const Shape<S>& s) { return 2 * s.area(); }

template <class A, class B> struct Kind {
  static constexpr int value = 1;
};
template <class A> struct Kind<A, A> {
  static constexpr int value = 2;
};
template <class A> struct Kind<A*, A> {
  static constexpr int value = 3;
};
template <class A, class B> constexpr int kindOf = Kind<A, B>::value;
template <class T> using Pair = Kind<T, T>;

template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0> __device__ int category(T) { return 1; }
template <class T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0> __device__ int category(T) {
  return 2;
}
template <class T> __device__ auto sizeIfClass(T v) -> decltype(v.size()) { return v.size(); }
template <class T> __device__ int sizeIfClass(T*) { return -1; }
struct Sized {
  __device__ int size() const { return 7; }
};

template <auto V> __device__ int constant() { return int(V); }
template <class T> struct Box {
  T value;
  __device__ Box(T v) : value(v) {}
};
template <class T> Box(T*) -> Box<T*>;

// The kernel's general form, and its form for one type.
template <class T> __global__ void describe(int* out) { out[0] = int(sizeof(T)) * 10; }
template <> __global__ void describe<double>(int* out) { out[0] = -8; }
template <class T, int N = 3> __global__ void repeated(T* out) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    out[i] = T(i) / 2;
}

template <int N> struct Factorial {
  static constexpr int value = N * Factorial<N - 1>::value;
};
template <> struct Factorial<0> {
  static constexpr int value = 1;
};
template <int N> __device__ float power(float x) {
  if constexpr (N == 0)
    return 1;
  else if constexpr (N % 2)
    return x * power<N - 1>(x);
  else
    return power<N / 2>(x * x);
}

__global__ void mixed(int* o, float* f) {
  o[0] = kindOf<int, float> * 100 + kindOf<int, int> * 10 + kindOf<int*, int>;
  o[1] = Pair<char>::value;
  o[2] = category(3) * 10 + category(3.0f);
  o[3] = sizeIfClass(Sized{}) * 10 + sizeIfClass(o);
  o[4] = constant<5>() + constant<'a'>() + constant<true>();
  Box a(2.5f);
  Box b(f);
  o[5] = int(a.value * 4) + int(std::is_same<decltype(b), Box<float*>>::value);
  o[6] = Factorial<6>::value;
  o[7] = digits(std::integer_sequence<int, 4, 7, 1>{}) + digits(std::make_integer_sequence<int, 4>{});
  f[0] = power<7>(1.5f);
  f[1] = twice(Square(3));
  f[2] = twice(Circle(2));
}

int main() {
  float* f;
  int* o;
  cudaMallocManaged(&f, 64 * sizeof *f);
  cudaMallocManaged(&o, 64 * sizeof *o);
  for (int i = 0; i < 4; ++i)
    f[i] = float(i);
  applyOp<AddN, float, 3><<<1, 4>>>(f);
  applyOp<MulN, float, 2><<<1, 4>>>(f);
  cudaDeviceSynchronize();
  printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
  sumOfPack<<<1, 4>>>(f, 1, 2.5f, 3u, 'a', 4ll, short(2));
  sumOfPack<<<1, 4>>>(f + 4);
  cudaDeviceSynchronize();
  printf("%g %g %g %g\n", f[0], f[3], f[4], f[7]);
  mixed<<<1, 1>>>(o, f);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    printf("%d ", o[i]);
  printf("%g %g %g\n", f[0], f[1], f[2]);
  describe<float><<<1, 1>>>(o);
  describe<double><<<1, 1>>>(o + 1);
  describe<Sized><<<1, 1>>>(o + 2);
  repeated<float><<<1, 1>>>(f);
  repeated<double, 2><<<1, 1>>>((double*)(f + 4));
  cudaDeviceSynchronize();
  printf("%d %d %d %g %g\n", o[0], o[1], o[2], f[2], ((double*)(f + 4))[1]);
  return 0;
}
